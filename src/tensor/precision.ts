/** The precision of f32 matmuls on devices that have a faster, less exact mode. */
import { describeAny } from '../base/describe.js'
import { ArgumentError } from '../base/errors.js'

/**
 * 'highest': full f32 operands, sums in f32. 'high': on a GPU, operands may be rounded to TensorFloat-32 (10 bits of
 * fraction, nearest, halves away from zero), which its matrix units multiply; sums stay f32. A CPU computes 'high' as
 * 'highest'.
 */
export type Float32MatmulPrecision = (typeof float32MatmulPrecisions)[number]

export const float32MatmulPrecisions = ['highest', 'high'] as const

let current: Float32MatmulPrecision = 'highest'

/**
 * Sets the precision of f32 matmuls (matmul, linear, convolutions, attention) from here on, in eager ops and in compiled
 * functions that were given no `float32MatmulPrecision` of their own. Default 'highest'. Throws ArgumentError for a name
 * that is none.
 */
export function setFloat32MatmulPrecision(precision: Float32MatmulPrecision): void {
  if (!(float32MatmulPrecisions as readonly unknown[]).includes(precision)) {
    throw new ArgumentError(
      `setFloat32MatmulPrecision: no precision ${typeof (precision as unknown) === 'string' ? `'${precision}'` : describeAny(precision)}`,
      {
        fix: "use 'highest' (exact) or 'high' (tf32 on a GPU)",
      },
    )
  }
  current = precision
}

/** The precision that `setFloat32MatmulPrecision` set; 'highest' unless it was called. */
export const getFloat32MatmulPrecision = (): Float32MatmulPrecision => current

/** How kernels over windows read a dim of an image: where a tap of the windows of a block of places is in memory. */
import { InternalError } from '../../base/errors.js'
import { exactQuotient, mulSizes, type Size } from '../../scalar/size.js'
import type { TileBuilder, TileOperand, TileValue } from '../../tile/language.js'
import type { ExtraDim } from '../tiling/writer.js'

/** Windows along one dim. */
export interface DimWindows {
  /** Of the image, and its step in memory. */
  readonly size: Size
  readonly memory: Size
  /** How many windows. */
  readonly places: Size
  readonly taps: number
  readonly stride: number
  readonly dilation: number
  readonly padding: readonly [before: number, after: number]
}

/**
 * A padded dim is indexed by its own elements, so that the view's end masks the padding; with a stride, by an element of
 * those that are whole strides apart, and the first of them. Another one by places and taps.
 */
export class WindowDim {
  readonly #isPadded: boolean

  constructor(
    readonly t: TileBuilder,
    readonly windows: DimWindows,
  ) {
    this.#isPadded = windows.padding.some(size => size !== 0)
  }

  /** The dims of the view. */
  get dims(): readonly ExtraDim[] {
    const { size, memory, places, taps, stride, dilation } = this.windows
    const apart = mulSizes(memory, stride)
    if (!this.#isPadded) {
      const own = { size: places, stride: apart }
      return taps === 1 ? [own] : [own, { size: taps, stride: mulSizes(memory, dilation) }]
    }
    const whole = exactQuotient(size, stride)
    if (whole === null) throw new InternalError(`schedule: padded windows every ${stride} elements of ${size}`)
    return stride === 1
      ? [{ size, stride: memory }]
      : [
          { size: whole, stride: apart },
          { size: stride, stride: memory },
        ]
  }

  /** The shape of a block of `extent` places in the view's dims. */
  shape(extent: number): readonly number[] {
    return this.dims.map((_, i) => (i === 0 ? extent : 1))
  }

  /** The index, in the view's dims, of a tap of the window at a place. */
  at(place: TileOperand, tap: TileOperand): readonly TileOperand[] {
    const { taps, stride, dilation, padding } = this.windows
    if (!this.#isPadded) return taps === 1 ? [place] : [place, tap]
    const [before] = padding
    const reach: TileValue = this.t.const(0n, 'i64').add(tap).mul(dilation)
    if (stride === 1) return [reach.sub(before).add(place)]
    const ahead = Math.ceil(before / stride)
    const natural = reach.add(ahead * stride - before)
    return [natural.floorDiv(stride).sub(ahead).add(place), natural.mod(stride)]
  }
}

/**
 * The quotient and remainder of an index that is less than `bound`: by a multiplication and a shift, since divisions of 64
 * bits take as long as a step of a matmul.
 */
export function divided(
  index: TileValue,
  divisor: number,
  bound: number,
): { readonly quotient: TileValue; readonly remainder: TileValue } {
  // Exact where the error of the inverse, times the largest index, does not reach the next whole number.
  let scale = 1
  while ((Math.ceil(scale / divisor) * divisor - scale) * bound >= scale) scale *= 2
  const product = index.mul(Math.ceil(scale / divisor))
  const quotient = scale === 1 ? product : product.floorDiv(scale)
  // The extremes prove what the remainder is.
  const remainder = index
    .sub(quotient.mul(divisor))
    .max(0)
    .min(divisor - 1)
  return { quotient, remainder }
}

/** The index in a shape of its element `flat`, by rows. */
export function digitsOf(t: TileBuilder, flat: TileValue, shape: readonly number[]): readonly TileOperand[] {
  const found: TileOperand[] = []
  let rest = flat
  let count = shape.reduce((a, b) => a * b, 1)
  for (const size of shape.toReversed()) {
    count /= size
    if (size === 1) found.unshift(t.const(0n, 'i64'))
    else if (count === 1) found.unshift(rest)
    else {
      const { quotient, remainder } = divided(rest, size, count * size)
      found.unshift(remainder)
      rest = quotient
    }
  }
  return found
}

/** All indices of a shape, row by row. */
export const indicesOf = (shape: readonly number[]): readonly (readonly number[])[] =>
  shape.reduce<readonly (readonly number[])[]>(
    (all, size) => all.flatMap(index => Array.from({ length: size }, (_, i) => [...index, i])),
    [[]],
  )

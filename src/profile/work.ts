/** Work in bytes and operations, and the time that it takes at a device's peak rates (the roofline). */
import type { MachineLimits } from '../compile/limits.js'

export const arithmetics = ['f32', '16-bit', '8-bit'] as const
/** Arithmetic units of a device: f32 multiply-add units, or matrix instructions by the width of their operands. */
export type Arithmetic = (typeof arithmetics)[number]

/** The minimum work of the problem, whatever the implementation. */
export interface Work {
  /** Bytes that must be read and written. */
  readonly bytes?: number
  /** Operations; a multiply-add is two. */
  readonly flops?: number
  /** The fastest units that can do the work. Default 'f32', which is also what a CPU without narrower products uses. */
  readonly arithmetic?: Arithmetic
}

/** The minimum time on a device with these limits. */
export interface WorkLimit {
  /** The longer of the times for bytes and for arithmetic. */
  readonly nanoseconds: number
  /** Which of them it is. */
  readonly bound: 'memory' | 'arithmetic'
}

/** Eight-bit matrix instructions have twice the rate of 16-bit ones, on every GPU and CPU that has them. */
const byteRate = 2

function flopsPerNanosecond(arithmetic: Arithmetic, limits: MachineLimits): number {
  const { flopsPerNanosecond: f32, matrixFlopsPerNanosecond: matrix } = limits
  if (arithmetic === 'f32' || matrix === undefined) return f32
  return arithmetic === '8-bit' ? byteRate * matrix : matrix
}

/** The roofline: the longer of the times for the bytes and for the arithmetic; null when the work states neither. */
export function limitOfWork(
  { bytes = 0, flops = 0, arithmetic = 'f32' }: Work,
  limits: MachineLimits,
): WorkLimit | null {
  const memory = bytes / limits.copyBytesPerNanosecond
  const compute = flops / flopsPerNanosecond(arithmetic, limits)
  if (memory === 0 && compute === 0) return null
  return memory > compute ? { nanoseconds: memory, bound: 'memory' } : { nanoseconds: compute, bound: 'arithmetic' }
}

/** A case of `tegula bench`: variants of the same work, numbers to check them against, and the bytes and FLOP it needs. */
import type { MachineLimits } from '../compile/limits.js'

/** Arithmetic units of a device: f32 multiply-add units, or matrix instructions by the width of their operands. */
export type Arithmetic = 'f32' | '16-bit' | '8-bit'

/** The minimum work of the problem, whatever the implementation. */
export interface Work {
  /** Bytes that must be read and written. */
  readonly bytes?: number
  /** Operations; a multiply-add is two. */
  readonly flops?: number
  /** The fastest units that can do the work. Default 'f32'; a CPU uses its f32 units for everything. */
  readonly arithmetic?: Arithmetic
}

/**
 * One case: `A` are its arguments, `R` is the result type of its variants. A module's export `cases` is an array of cases,
 * or a function that returns one.
 *
 * @example
 * export const cases: readonly BenchCase<[Tensor]>[] = [{
 *   name: 'softmax', inputs: () => [randn([512, 512])], variants: { 'built in': x => x.softmax(-1) },
 * }]
 */
export interface BenchCase<A extends readonly unknown[] = never, R = never> extends AnyBenchCase {
  readonly inputs: () => A
  readonly variants: Readonly<Record<string, (...inputs: A) => R>>
  readonly sample?: (result: R) => unknown
  readonly expected?: (...inputs: A) => unknown
}

/** A case with any arguments. */
export interface AnyBenchCase {
  /** For reports. */
  readonly name: string
  /** The arguments of a call; called once, after the module's device was made the default. */
  readonly inputs: () => readonly unknown[]
  /** Implementations of the same work, by name. Each runs eagerly and compiled in each mode. */
  readonly variants: Readonly<Record<string, (...inputs: never) => unknown>>
  /** The part of a result that is compared with `expected`; default: all of it. */
  readonly sample?: (result: never) => unknown
  /** Independently computed numbers for that part: tensors on the CPU, of any float dtype. */
  readonly expected?: (...inputs: never) => unknown
  /** Allowed error against `expected`, relative to a tensor's largest value. Default: by the result's dtype. */
  readonly tolerance?: number
  /** The minimum work, for a comparison with the device's limits. */
  readonly work?: Work
}

/** The argument of a module's `cases` when it is a function. */
export interface BenchContext {
  /** --quick was passed: use small sizes, only to check that everything runs. */
  readonly quick: boolean
}

/** The minimum time on a device with these limits. */
export interface WorkLimit {
  readonly nanoseconds: number
  readonly bound: 'memory' | 'arithmetic'
}

/** Eight-bit matrix instructions have twice the rate of 16-bit ones, on every GPU that has them. */
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

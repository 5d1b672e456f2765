/** A piece of work that `tegula bench` measures: variants of doing it, numbers to check them by, and what it must cost. */
import type { MachineLimits } from '../compile/limits.js'

/** Units of a device's arithmetic: f32 multiply-adds, or matrix instructions by the width of the operands. */
export type Arithmetic = 'f32' | '16-bit' | '8-bit'

/** What the work needs however it is done. */
export interface Work {
  /** Bytes that must be read and written. */
  readonly bytes?: number
  /** Operations; a multiply-add is two. */
  readonly flops?: number
  /** What could do them fastest. Default 'f32'; a CPU does all of them with its f32 units. */
  readonly arithmetic?: Arithmetic
}

/**
 * One case: `A` are its arguments, `R` is what its variants return. An array of them, or a function that gives it, is a
 * module's export `cases`.
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

/** A case of any arguments. */
export interface AnyBenchCase {
  /** For reports. */
  readonly name: string
  /** The arguments of a call; called once, after the module's device was made the default. */
  readonly inputs: () => readonly unknown[]
  /** Ways to do the same work, by name. Each runs eagerly and compiled in each mode. */
  readonly variants: Readonly<Record<string, (...inputs: never) => unknown>>
  /** The part of a result that `expected` gives; default: all of it. */
  readonly sample?: (result: never) => unknown
  /** The numbers of that part, found in another way: tensors on the CPU, of any float dtype. */
  readonly expected?: (...inputs: never) => unknown
  /** Allowed error against `expected`, relative to a tensor's largest value. Default: by the result's dtype. */
  readonly tolerance?: number
  /** What the work needs at least, to compare with the device's limits. */
  readonly work?: Work
}

/** What a module's `cases` is given when it is a function. */
export interface BenchContext {
  /** Asked for with --quick: sizes that take no time, to see that everything runs. */
  readonly quick: boolean
}

/** The least time that a device with these limits needs. */
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

/** The longer of what moving the bytes and doing the arithmetic take; null when the work says neither. */
export function limitOfWork(
  { bytes = 0, flops = 0, arithmetic = 'f32' }: Work,
  limits: MachineLimits,
): WorkLimit | null {
  const memory = bytes / limits.copyBytesPerNanosecond
  const compute = flops / flopsPerNanosecond(arithmetic, limits)
  if (memory === 0 && compute === 0) return null
  return memory > compute ? { nanoseconds: memory, bound: 'memory' } : { nanoseconds: compute, bound: 'arithmetic' }
}

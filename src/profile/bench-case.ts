/** A case of `tegula bench`: variants of the same work, numbers to check them against, and the bytes and FLOP it needs. */
import type { Work } from './work.js'

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

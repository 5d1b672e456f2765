/**
 * The exports of a module that commands measure: `cases`, or a function and inputs, which form a single case.
 */
import { TegulaError, UsageError } from '../base/errors.js'
import type { TensorFunction } from '../compile/capture/capture.js'
import { describeTree } from '../compile/capture/tree.js'
import type { AnyBenchCase, BenchContext } from '../profile/bench-case.js'
import { Tensor } from '../tensor/tensor.js'

export interface UserVariant {
  /** '' if the module exports one function. */
  readonly name: string
  readonly fn: TensorFunction
}

export interface UserCase extends Pick<AnyBenchCase, 'name' | 'sample' | 'expected' | 'tolerance' | 'work'> {
  readonly variants: readonly UserVariant[]
  /** Creates the arguments of one call. */
  inputs(): Promise<readonly never[]>
}

export type Exports = Readonly<Record<string, unknown>>

export const usage = (what: string, fix: string): UsageError => new UsageError(what, { fix, at: null })

export const describeValue = (value: unknown): string => (value == null ? `${value}` : `a ${typeof value}`)

/** Wraps an error: our own errors keep their line and fix; others keep their stack as `cause`. */
export function failure(what: string, cause: unknown, fix?: string): TegulaError {
  if (cause instanceof TegulaError) {
    return new TegulaError(`${what}: ${cause.name}: ${cause.what}`, { at: cause.at, fix: cause.fix ?? undefined })
  }
  const message = cause instanceof Error ? cause.message : String(cause)
  return new TegulaError(`${what}: ${message}`, { cause, fix, at: null })
}

/** The value, or for a function its (awaited) result. Throws TegulaError when the function throws. */
export async function called(value: unknown, what: string, ...args: readonly unknown[]): Promise<unknown> {
  if (typeof value !== 'function') return value
  try {
    return await value(...args)
  } catch (cause) {
    throw failure(`${what} throws`, cause)
  }
}

/** Throws UsageError unless `inputs` is an array that contains tensors. */
export function checkedInputs(inputs: unknown, what: string): readonly never[] {
  if (!Array.isArray(inputs)) {
    throw usage(
      `${what} is ${describeValue(inputs)}`,
      'export an array of the arguments of one call, or a function returning it',
    )
  }
  const leaves: Tensor[] = []
  describeTree(inputs, leaves, 'inputs')
  if (leaves.length > 0) return inputs as unknown[] as never[]
  if (inputs.some(isForeignTensor)) {
    throw usage(
      `${what} contains tensors from another copy of tegula than this command`,
      'run the tegula of the same project (npx tegula), with "type": "module" in its package.json',
    )
  }
  throw usage(`${what} contains no tensor`, 'export the arguments of the function, of which at least one is a tensor')
}

const isForeignTensor = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !(value instanceof Tensor) && value.constructor?.name === 'Tensor'

/** The exported cases. Throws UsageError when they are not valid cases. */
export async function casesOf(exported: unknown, path: string, context: BenchContext): Promise<readonly UserCase[]> {
  const cases = await called(exported, `${path}: cases`, context)
  if (!Array.isArray(cases) || cases.length === 0) {
    const what = Array.isArray(cases) ? 'empty' : describeValue(cases)
    throw usage(`${path}: cases is ${what}`, 'export an array of cases, or a function that returns it')
  }
  return cases.map((each: unknown, i) => userCase(each, `${path}: cases[${i}]`))
}

const isRecord = (value: unknown): value is Exports => typeof value === 'object' && value !== null

/** A case that a module exports, checked. Throws UsageError. */
function userCase(given: unknown, what: string): UserCase {
  if (!isRecord(given)) throw usage(`${what} is ${describeValue(given)}`, 'give { name, inputs, variants }')
  const { name, inputs, variants } = given
  if (typeof name !== 'string' || name === '') throw usage(`${what} has no name`, 'give it a name to print')
  if (typeof inputs !== 'function') {
    throw usage(`${what} (${name}): inputs is ${describeValue(inputs)}`, 'give a function that returns the arguments')
  }
  const functions = isRecord(variants) ? Object.entries(variants) : []
  if (functions.length === 0 || functions.some(([, fn]) => typeof fn !== 'function')) {
    throw usage(`${what} (${name}) has no variants`, 'give an object of functions: { "written out": x => … }')
  }
  // Optional fields are typed by BenchCase and not checked here; a wrong one fails at its use.
  return {
    ...(given as unknown as AnyBenchCase),
    variants: functions.map(([each, fn]) => ({ name: each, fn: fn as TensorFunction })),
    inputs: async () => checkedInputs(await called(inputs, `${what}: inputs`), `${what}: inputs`),
  }
}

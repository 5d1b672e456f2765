/** Runs one of PyTorch's cases here and says how the answers differ. */
import { InternalError, TegulaError } from '../../src/base/errors.js'
import type { HostTensor } from '../../src/graph/record.js'
import { Tensor } from '../../src/tensor/tensor.js'
import { isFloat } from '../../src/types/dtype.js'
import { difference, type Tolerance, toleranceFor } from '../support/compare.js'
import { withLayout } from '../support/tensor-spec.js'
import { hostOfTensor, tensorOf } from '../support/tensors.js'
import { callOp, functionOf, variantOf } from './calls.js'
import { decode, hostTensorOf, isTensor, type TorchCase } from './cases.js'

/**
 * `wrong`: another number, shape or dtype. `crash`: an error that is no TegulaError. `refused`: an error where PyTorch gives
 * a result. `accepted`: a result where PyTorch raises. `missing`: no such function.
 */
export type Kind = 'wrong' | 'crash' | 'refused' | 'accepted' | 'missing'
export interface Difference {
  readonly kind: Kind
  readonly detail: string
}

const make = (tensor: HostTensor, isContiguous: boolean): Tensor =>
  tensorOf(isContiguous || tensor.shape.length < 2 ? tensor : withLayout(tensor, 'transposed'))

function resultsOf(value: unknown): readonly unknown[] {
  if (value instanceof Tensor || typeof value !== 'object' || value === null) return [value]
  return Array.isArray(value) ? value : Object.values(value)
}

/** The largest finite size among tensors: what sums of terms that cancel are off relative to. */
function largest(tensors: readonly HostTensor[]): number {
  let most = 0
  for (const { data, dtype } of tensors) {
    if (!isFloat(dtype)) continue
    for (const value of data) if (Number.isFinite(Number(value))) most = Math.max(most, Math.abs(Number(value)))
  }
  return most
}

/**
 * Both sides round: PyTorch's f32 results are themselves a few units off, its narrow ones were often rounded between
 * steps. So twice the tolerance that a result here has against exact values, and for narrow floats two units and more.
 */
function toleranceOf(op: string, expected: HostTensor, inputs: readonly HostTensor[]): Tolerance {
  const { dtype } = expected
  const own = toleranceFor(op, dtype)
  if (own.relative === 0) return own
  // Evenly spaced values are sums of steps: off by units of the largest.
  if (op === 'linspace' || op === 'arange')
    return { relative: 0, absolute: 2 * own.relative * largest([expected]), anyZero: true }
  const scale = Math.max(1, Math.min(largest(inputs), 1e6))
  const narrow = { f16: 2 ** -10, bf16: 2 ** -7 }[dtype as 'f16'] ?? 0
  const relative = Math.max(2 * own.relative, 2 * narrow)
  return {
    relative,
    absolute: Math.max(2 * own.absolute, own.absolute > 1e-30 ? own.absolute * scale : 0),
    anyZero: true,
  }
}

export function differenceFrom(given: TorchCase): Difference | null {
  const args = Object.fromEntries(Object.entries(given.args).map(([name, value]) => [name, decode(value, make)]))
  const name = variantOf(given.op, new Map(Object.entries(args)))
  if (functionOf(name) === null) return { kind: 'missing', detail: `no function ${name}` }
  let results: readonly unknown[]
  try {
    results = resultsOf(callOp(given.op, args))
    for (const result of results) if (result instanceof Tensor) result.dataSync()
  } catch (error) {
    const text = `${(error as Error).name}: ${(error as Error).message.split('\n')[0]}`
    if (!(error instanceof TegulaError) || error instanceof InternalError) return { kind: 'crash', detail: text }
    return given.raises === undefined ? { kind: 'refused', detail: text } : null
  }
  if (given.out === undefined)
    return { kind: 'accepted', detail: String(results[0]).replaceAll('\n', ' ').slice(0, 80) }
  const changed = compareAll(given, args, results)
  return changed === null ? null : { kind: 'wrong', detail: changed }
}

/** Ops whose values may stand at several places, of which PyTorch gives any. */
const tiedPlaces = new Set(['topk', 'kthvalue', 'medianWithIndices', 'nanmedianWithIndices', 'mode', 'sort'])

/** Whether the input has the values where the indices say. */
function pointsAtValues(args: Readonly<Record<string, unknown>>, results: readonly unknown[]): boolean {
  const [values, indices] = results as readonly Tensor[]
  const input = args.input as Tensor
  if (input.ndim === 0) return indices!.itemSync() === 0
  const dim = (args.dim as number | undefined) ?? -1
  const kept = values!.ndim === input.ndim
  const [wanted, places] = [values!, indices!].map(each => (kept ? each : each.unsqueeze(dim))) as [Tensor, Tensor]
  return equalOrNan(input.gather(dim, places), wanted)
}

const equalOrNan = (a: Tensor, b: Tensor): boolean =>
  difference(hostOfTensor(a), hostOfTensor(b), toleranceFor('eq', 'i64')) === null

function compareAll(
  given: TorchCase,
  args: Readonly<Record<string, unknown>>,
  results: readonly unknown[],
): string | null {
  const expected = given.out ?? []
  if (expected.length !== results.length) return `gives ${results.length} results for ${expected.length}`
  const inputs = Object.values(given.args).flat().filter(isTensor).map(hostTensorOf)
  const compare = (actual: unknown, wanted: (typeof expected)[number], what: string): string | null => {
    if (!isTensor(wanted)) return actual === wanted ? null : `${what} is ${String(actual)}, expected ${String(wanted)}`
    const host = hostTensorOf(wanted)
    if (!(actual instanceof Tensor)) return `${what} is ${String(actual)}, no tensor`
    const problem = difference(hostOfTensor(actual), host, toleranceOf(given.op, host, inputs))
    return problem === null ? null : `${what} ${problem}`
  }
  for (const [i, result] of results.entries()) {
    if (i === 1 && tiedPlaces.has(given.op) && pointsAtValues(args, results)) continue
    const problem = compare(result, expected[i]!, `result ${i}`)
    if (problem !== null) return problem
  }
  for (const [name, wanted] of Object.entries(given.after ?? {})) {
    const problem = compare(args[name], wanted, `${name} afterwards`)
    if (problem !== null) return problem
  }
  return null
}

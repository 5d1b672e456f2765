/** What a call saves for its gradient, and where gradients flow to: found once for calls alike. */
import { copyPlain } from '../../base/canonical.js'
import { type KnownInput, resultsAfter, savedBy } from '../../graph/derivatives/records.js'
import { isSmooth } from '../../graph/derivatives/rule.js'
import type { OpRecord } from '../../graph/record.js'
import type { Attrs } from '../../ir/node.js'
import { TensorHandle } from '../handle.js'
import { RecentCalls } from '../recent-calls.js'
import type { Tensor } from '../tensor-type.js'
import type { OpArgument } from '../tracer.js'

export interface BackwardPlan {
  readonly record: OpRecord
  /** A copy: the caller may change its lists. */
  readonly attrs: Attrs
  /** One per input: a gradient flows to it, and it requires one. */
  readonly needs: readonly boolean[]
  /** One per input and per result: its values are needed, beside its type. */
  readonly inputs: readonly boolean[]
  readonly outputs: readonly boolean[]
  /** One per result: gradients flow from it. */
  readonly from: readonly boolean[]
  readonly types: readonly KnownInput[]
  /** Which of `needs` get a gradient when only some results have one; keyed by which of them do. */
  readonly reached: Map<string, readonly boolean[]>
  /** Per result, which other results are computed from it: those of a compiled graph may be. */
  readonly after: Map<number, readonly boolean[]>
}

/** A network calls an op with many shapes in turn, and a plan takes as long as many look-ups. */
const plansPerOp = 64

/** By which inputs require gradients. */
const plans = new Map<string | number, RecentCalls<BackwardPlan | null>>()

/** The plan of a call; null: no gradient flows. `edges`: not null for each input that requires a gradient. */
export function backwardPlan(
  record: OpRecord,
  inputs: readonly OpArgument[],
  attrs: Attrs,
  results: readonly Tensor[],
  edges: readonly unknown[],
): BackwardPlan | null {
  const key = keyOf(edges)
  const alike = plans.get(key) ?? new RecentCalls<BackwardPlan | null>(plansPerOp)
  plans.set(key, alike)
  const known = alike.find(record, inputs, attrs)
  if (known !== undefined) return known
  const made = makePlan(record, inputs, copyPlain(attrs) as Attrs, results, edges)
  alike.add(record, inputs, attrs, made)
  return made
}

/** Which are not null: a number while its bits suffice. */
function keyOf(edges: readonly unknown[]): string | number {
  if (edges.length > 31) return edges.map(edge => (edge === null ? 0 : 1)).join('')
  let bits = 0
  for (let i = 0; i < edges.length; i++) if (edges[i] !== null) bits |= 1 << i
  return bits
}

function makePlan(
  record: OpRecord,
  inputs: readonly OpArgument[],
  attrs: Attrs,
  results: readonly Tensor[],
  edges: readonly unknown[],
): BackwardPlan | null {
  const types = inputs.map(input =>
    input instanceof TensorHandle ? { dtype: input.dtype, shape: input.shape } : input,
  )
  // The last results are new values of inputs that the op changes, which no gradient flows through.
  const own = results.length - (record.changes?.(attrs).length ?? 0) - (record.hidden ?? 0)
  const from = results.map(({ dtype }, i) => i < own && isSmooth(dtype))
  if (!from.includes(true)) return null
  const asked = edges.map(edge => edge !== null)
  const { flows } = savedBy(record, types, attrs, { needs: asked.map(() => false), given: from })
  const needs = flows.map((flow, i) => flow && asked[i]!)
  if (!needs.includes(true)) return null
  const saved = savedBy(record, types, attrs, { needs, given: from })
  return {
    record,
    attrs,
    needs,
    inputs: saved.inputs,
    outputs: saved.outputs,
    from: saved.from,
    types,
    reached: new Map(),
    after: new Map(),
  }
}

/** Which inputs that need a gradient get one, where those of the results in `given` have arrived. */
export function reachedFrom(
  { record, types, attrs, needs, from, reached }: BackwardPlan,
  given: readonly boolean[],
): readonly boolean[] {
  if (from.every((flows, i) => !flows || given[i])) return needs
  const key = given.map(Number).join('')
  const known =
    reached.get(key) ?? savedBy(record, types, attrs, { needs, given }).flows.map((flows, i) => flows && needs[i]!)
  reached.set(key, known)
  return known
}

/** Whether results that depend on result `output` are in `given`: its own gradient is then more than what arrived for it. */
export function isPartial(
  { record, types, attrs, after }: BackwardPlan,
  output: number,
  given: readonly boolean[],
): boolean {
  if (record.hidden === undefined) return false
  const known = after.get(output) ?? resultsAfter(record, types, attrs, output)
  after.set(output, known)
  return known.some((depends, i) => depends && given[i])
}

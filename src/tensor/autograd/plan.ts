/** What the gradient of an op's call takes: found once for calls alike. */
import { applyRecord } from '../../graph/apply.js'
import { full, numberNode } from '../../graph/build.js'
import { inputGradients } from '../../graph/gradient.js'
import { asValue } from '../../graph/apply.js'
import { type GraphNode, graphBuilder, typeOf } from '../../graph/ir.js'
import { records } from '../../graph/ops/index.js'
import type { OpInput, OpRecord } from '../../graph/record.js'
import type { Attrs } from '../../ir/node.js'
import { isFloat } from '../../types/dtype.js'
import { TensorHandle } from '../handle.js'
import { RecentCalls } from '../recent-calls.js'
import type { OpArgument } from '../tracer.js'

/** How the gradients of one kind of call are computed. */
export interface BackwardPlan {
  /** Takes the saved inputs, the saved results and the gradients of `from`; gives the gradients of the inputs `to`. */
  readonly record: OpRecord
  readonly attrs: Attrs
  /** Indices of inputs, of which at least one requires a gradient. */
  readonly to: readonly number[]
  readonly savedInputs: readonly number[]
  readonly savedResults: readonly number[]
  /** Indices of results. */
  readonly from: readonly number[]
}

/** By which inputs require gradients. */
const plans = new Map<string | number, RecentCalls<BackwardPlan | null>>()

/** Which are not null: a number while its bits suffice. */
function keyOf(edges: readonly unknown[]): string | number {
  if (edges.length > 31) return edges.map(edge => (edge === null ? 0 : 1)).join('')
  let bits = 0
  for (let i = 0; i < edges.length; i++) if (edges[i] !== null) bits |= 1 << i
  return bits
}

/** The plan of a call; null: no gradient flows. `edges`: not null for each input that requires a gradient. */
export function backwardPlan(
  record: OpRecord,
  inputs: readonly OpArgument[],
  attrs: Attrs,
  edges: readonly unknown[],
): BackwardPlan | null {
  const key = keyOf(edges)
  const alike = plans.get(key) ?? new RecentCalls<BackwardPlan | null>()
  plans.set(key, alike)
  const known = alike.find(record, inputs, attrs)
  if (known !== undefined) return known
  const made = makePlan(record, inputs, attrs, edges.map(edge => edge !== null))
  alike.add(record, inputs, attrs, made)
  return made
}

// STAND-IN until graph/derivatives is there
function makePlan(record: OpRecord, inputs: readonly OpArgument[], attrs: Attrs, needs: readonly boolean[]): BackwardPlan | null {
  const types = inputs.map(input =>
    input instanceof TensorHandle ? { dtype: input.dtype, shape: [...input.shape] } : input,
  )
  const build = (b: ReturnType<typeof graphBuilder>, given: readonly (OpInput | null)[], cot: readonly GraphNode[]) => {
    const all = types.map((type, i): OpInput => {
      if (typeof type !== 'object') return given[i] ?? { node: numberNode(b, type), isNumber: true }
      return given[i] ?? { node: full(b, type.dtype, type.shape, 0), isNumber: false }
    })
    const outputs = record.build(b, all, attrs)
    const grads = inputGradients(b, record, name => (records as Record<string, OpRecord>)[name], {
      inputs: all.map(({ node }) => asValue(node)),
      outputs,
      outputGradients: outputs.map((output, i) => cot[i] ?? full(b, typeOf(output).dtype, typeOf(output).shape, 0)),
      attrs,
    })
    return { outputs, grads }
  }
  const b = graphBuilder()
  const nodes = types.map((type, index) =>
    typeof type === 'object'
      ? {
          node: b.node('input', [], { index, name: `x${index}`, ...type, strides: type.shape.map(() => 1) }),
          isNumber: false,
        }
      : { node: numberNode(b, type), isNumber: true },
  )
  const outs = record.build(b, nodes, attrs)
  const from = outs.flatMap((out, i) => (isFloat(typeOf(out).dtype) ? [i] : []))
  const cots = outs.map((out, i) => {
    const { dtype, shape } = typeOf(out)
    return b.node('input', [], { index: types.length + i, name: `g${i}`, dtype, shape, strides: shape.map(() => 1) })
  })
  const { grads } = build(b, nodes, cots)
  const to = grads.flatMap((grad, i) => (grad !== null && needs[i] ? [i] : []))
  if (to.length === 0 || from.length === 0) return null
  const reached = new Set<GraphNode>()
  const walk = (node: GraphNode): void => {
    if (reached.has(node)) return
    reached.add(node)
    for (const input of node.inputs) walk(input)
  }
  for (const i of to) walk(grads[i]!)
  const savedInputs = nodes.flatMap(({ node, isNumber }, i) => (!isNumber && reached.has(node) ? [i] : []))
  const numbers = types.flatMap((type, i) => (typeof type === 'object' ? [] : [i]))
  const saved = [...savedInputs, ...numbers].sort((x, y) => x - y)
  const backward: OpRecord = {
    ...record,
    name: `${record.name}Backward`,
    category: 'normalisation',
    results: to.map(String),
    gradient: 'later',
    build: (builder, given) => {
      const all = types.map((_, i) => (saved.includes(i) ? given[saved.indexOf(i)]! : null))
      const cot: GraphNode[] = []
      for (const [i, at] of from.entries()) cot[at] = given[saved.length + i]!.node
      const { grads: made } = build(builder, all, cot)
      return to.map(i => made[i]!)
    },
  }
  delete (backward as { reference?: unknown }).reference
  void applyRecord
  return { record: backward, attrs: {}, to, savedInputs: saved, savedResults: [], from }
}

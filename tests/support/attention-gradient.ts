/** Gradients of attention as graphs: by the primitive, and as the formula's derivative, which stands for what is right. */
import { applyRecord, asValue, buildGraph } from '../../src/graph/apply.js'
import { gradientRecord } from '../../src/graph/derivatives/records.js'
import { interpretGraph } from '../../src/graph/interpret.js'
import { attentionInputs, type Graph, type GraphNode } from '../../src/graph/ir.js'
import { composedAttention } from '../../src/graph/ops/attention.js'
import { recordTable } from '../../src/graph/ops/index.js'
import { rebuild, remake } from '../../src/graph/passes/pass.js'
import type { HostTensor } from '../../src/graph/record.js'
import type { Dtype } from '../../src/types/dtype.js'
import { hostOf } from './record-graph.js'
import { randomSpec, seededRandom, spec, type TensorSpec, withLayout } from './tensor-spec.js'

export interface GradientCase {
  readonly name: string
  readonly dtype: Dtype
  /** Of the query, without the dims of keys and values that are other. */
  readonly heads: number
  /** Heads of the query per head of key and value. */
  readonly group: number
  readonly queries: number
  readonly keys: number
  readonly depth: number
  readonly columns: number
  readonly mask?: 'causal' | 'window' | 'bool' | 'added' | 'hidden'
  readonly scale?: number
  readonly dropout?: number
  /** The log-sum-exp has a gradient too. */
  readonly lse?: true
  readonly layout?: 'transposed' | 'strided' | 'offset'
}

const window = 5

/** Query, key, value, maybe a mask, the result's gradient, maybe the log-sum-exp's. */
export function inputsOf(each: GradientCase, seed = 1): TensorSpec[] {
  const { dtype, heads, group, queries, keys, depth, columns, mask, layout } = each
  const made = (i: number, of: Dtype, shape: readonly number[]): TensorSpec => {
    const plain = randomSpec(seed * 10 + i, of, shape, { low: -1, high: 1 })
    return layout === undefined ? plain : withLayout(plain, layout)
  }
  const rows = [2, heads * group, queries]
  const masks = mask === undefined || mask === 'causal' || mask === 'window' ? [] : [maskOf(mask, seed, each)]
  return [
    made(1, dtype, [...rows, depth]),
    made(2, dtype, [2, heads, keys, depth]),
    made(3, dtype, [2, heads, keys, columns]),
    ...masks,
    made(4, dtype, [...rows, columns]),
    ...(each.lse ? [randomSpec(seed * 10 + 5, dtype === 'f64' ? 'f64' : 'f32', rows, { low: -1, high: 1 })] : []),
  ]
}

function maskOf(kind: 'bool' | 'added' | 'hidden', seed: number, { dtype, queries, keys }: GradientCase): TensorSpec {
  const random = seededRandom(seed)
  const hides = (i: number): boolean => Math.floor(i / keys) % 3 === 1 || random() < 0.3
  const of = <T>(value: (i: number) => T): T[] => Array.from({ length: queries * keys }, (_, i) => value(i))
  if (kind === 'bool')
    return spec(
      'bool',
      [queries, keys],
      of(i => (hides(i) ? 0 : 1)),
    )
  if (kind === 'added') return randomSpec(seed, dtype, [queries, keys], { low: -1, high: 1 })
  return spec(
    dtype,
    [queries, keys],
    of(i => (hides(i) ? Number.NEGATIVE_INFINITY : Math.fround(0.25))),
  )
}

/**
 * The gradients of query, key and value; with `second` those of Σ (gradient · what it is of), of query, key, value and the
 * result's gradient.
 */
export function gradientGraph(each: GradientCase, inputs: readonly TensorSpec[], second = false): Graph {
  const { mask, group, scale, dropout = 0, lse = false, queries, keys } = each
  return buildGraph(inputs, [], (b, nodes) => {
    const [q, k, v] = nodes as [GraphNode, GraphNode, GraphNode]
    const op = (name: keyof typeof recordTable, ...args: unknown[]) => applyRecord(b, recordTable[name], args as never)
    const value = (name: keyof typeof recordTable, ...args: unknown[]) => asValue(op(name, ...args)[0]!)
    const index = (length: number, dim: number) => value('unsqueeze', value('arange', length), dim)
    const distance = () => value('sub', index(queries, 1), index(keys, 0))
    const near = () => value('logicalAnd', value('lt', distance(), window), value('ge', distance(), 0))
    const given = inputs.length - 3 - 1 - (lse ? 1 : 0) === 1
    const attnMask = mask === 'window' ? near() : given ? asValue(nodes[3]!) : null
    const options = { isCausal: mask === 'causal', enableGqa: group > 1, scale: scale ?? null }
    const results = op('attentionLse', 7n, 3n, asValue(q), asValue(k), asValue(v), attnMask, dropout, options)
    const roots = lse ? results : results.slice(0, 1)
    const seeds = nodes.slice(-roots.length)
    const gradients = (of: readonly GraphNode[], by: readonly GraphNode[], wrt: readonly GraphNode[]) =>
      gradientRecord(of.length, wrt.length).build(
        b,
        [...of, ...by, ...wrt].map(node => ({ node, isNumber: false })),
        {},
      )
    const own = gradients(roots, seeds, [q, k, v])
    return second ? gradients(own, [q, k, v], [q, k, v, ...seeds]) : own
  })
}

/** The same with attention as its formula, whose gradient is that of matmuls, exponentials and sums. */
function written(graph: Graph): Graph {
  const results = new Map<GraphNode, readonly GraphNode[]>()
  return rebuild(graph, 'attention written out', (b, node, inputs) => {
    const given = node.op === 'item' ? results.get(node.inputs[0]!) : undefined
    if (node.op === 'item' && given !== undefined) return given[node.attrs.index]!
    if (node.op !== 'attention') return remake(b, node, inputs)
    const { operands, mask, random } = attentionInputs(inputs, node.attrs)
    const [q, k, v] = operands
    const dropout = random && { probability: node.attrs.dropout!, seed: random[0], offset: random[1] }
    const { result, lse } = composedAttention(b, { ...node.attrs, q, k, v, mask, dropout })
    results.set(node, [result, lse])
    return result
  })
}

/** The gradients of the formula in float64, of inputs with these values. */
export function expectedGradients(
  each: GradientCase,
  inputs: readonly TensorSpec[],
  second = false,
): readonly HostTensor[] {
  const wide = inputs.map(input => (input.dtype === 'bool' ? input : { ...input, dtype: 'f64' as const }))
  return interpretGraph(written(gradientGraph({ ...each, dtype: 'f64' }, wide, second)), wide.map(hostOf))
}

/** null: the gradients agree, up to a share of the largest element that their dtype's rounding explains. */
export function gradientDifference(found: readonly HostTensor[], expected: readonly HostTensor[]): string | null {
  for (const [i, { dtype, shape, data }] of found.entries()) {
    const wanted = expected[i]!
    if (shape.join() !== wanted.shape.join()) return `gradient ${i} is [${shape}], not [${wanted.shape}]`
    const largest = wanted.data.reduce<number>((most, x) => Math.max(most, Math.abs(Number(x))), 0)
    const most = tolerances[dtype as keyof typeof tolerances] * Math.max(largest, 2 ** -10)
    const at = data.findIndex((x, j) => !(Math.abs(Number(x) - Number(wanted.data[j])) <= most))
    if (at >= 0) return `gradient ${i}, element ${at} is ${data[at]}, not ${wanted.data[at]} (largest ${largest})`
  }
  return null
}

const tolerances = { f64: 1e-12, f32: 3e-6, f16: 4e-3, bf16: 3e-2 }

/**
 * Attention whose mask is computed from indices: blocks of keys that it hides from all queries of a tile are not visited. The
 * plan interpreted, C, and simulated blocks of GPU threads give what a mask in memory gives.
 */
import { describe, expect, it } from 'vitest'
import { runPipeline } from '../../src/compile/pipeline.js'
import type { Graph, GraphNode } from '../../src/graph/ir.js'
import { recordTable } from '../../src/graph/ops/index.js'
import { type Apply, graphOn } from '../schedule/build.js'
import { runPlan } from '../schedule/run.js'
import { difference, toleranceFor } from '../support/compare.js'
import { hasCompiler } from '../support/compiler.js'
import { type Launch, launchesOf } from '../support/launches.js'
import { expectedResults } from '../support/record-graph.js'
import { sample } from '../support/sample-kinds.js'
import { randomSpec, spec, type TensorSpec } from '../support/tensor-spec.js'
import { expectNative } from './agreement.js'
import { onCpu, onGpu, type Way } from './attention-ways.js'

interface Indices {
  /** [queries, 1] and [keys] */
  readonly i: GraphNode
  readonly j: GraphNode
  /** A position [] and a length per head [heads, 1, 1], as data. */
  readonly position: GraphNode
  readonly lengths: GraphNode
}

interface Mask {
  readonly make: (op: Apply, at: Indices) => GraphNode
  readonly shows: (i: number, j: number, head: number) => boolean
  /** It is −∞ and 0, not bool. */
  readonly isAdded?: true
}

const position = 21
const lengths = [40, 3]

const window = (op: Apply, { i, j }: Indices): GraphNode =>
  op('logicalAnd', op('lt', op('sub', i, j), 5), op('le', j, i))

const masks: Readonly<Record<string, Mask>> = {
  'a sliding window': { make: window, shows: (i, j) => i - j < 5 && j <= i },
  'a window, added': {
    make: (op, at) => op('where', window(op, at), 0, -Infinity),
    shows: (i, j) => i - j < 5 && j <= i,
    isAdded: true,
  },
  'filled where hidden': {
    make: (op, { i, j }) => op('where', op('gt', j, op('add', i, 3)), -Infinity, 0),
    shows: (i, j) => j <= i + 3,
    isAdded: true,
  },
  'the length of a cache': { make: (op, at) => op('le', at.j, at.position), shows: (_, j) => j <= position },
  'not behind it': {
    make: (op, at) => op('logicalNot', op('gt', at.j, at.position)),
    shows: (_, j) => j <= position,
  },
  'causal from a position': {
    make: (op, { i, j, position: from }) => op('ge', op('add', i, from), j),
    shows: (i, j) => j <= i + position,
  },
  'keys after a position': { make: (op, at) => op('lt', at.position, at.j), shows: (_, j) => j > position },
  'a length per head': { make: (op, at) => op('lt', at.j, at.lengths), shows: (_, j, head) => j < lengths[head]! },
  'a window and the first keys': {
    make: (op, at) => op('logicalOr', op('lt', at.j, 2), window(op, at)),
    shows: (i, j) => j < 2 || (i - j < 5 && j <= i),
  },
  'the diagonal': { make: (op, { i, j }) => op('eq', i, j), shows: (i, j) => i === j },
  nothing: { make: (op, { j }) => op('lt', j, -3), shows: () => false },
  'a distance beyond every index': {
    make: (op, { i, j }) => op('le', op('sub', i, j), Number.MAX_SAFE_INTEGER),
    shows: () => true,
  },
}

const operands = (queries: number, keys: number, dtype: 'f32' | 'f16') => [
  randomSpec(1, dtype, [2, queries, 16]),
  randomSpec(2, dtype, [2, keys, 16]),
  randomSpec(3, dtype, [2, keys, 16]),
]
const given = [spec('i64', [], [position]), spec('i64', [2, 1, 1], lengths)]

function masked({ make }: Mask, inputs: readonly TensorSpec[]): Graph {
  const [queries, keys] = [inputs[0]!.shape[1]!, inputs[1]!.shape[1]!]
  return graphOn([...inputs, ...given], (op, q, k, v, at, ends) => {
    const i = op('reshape', op('arange', queries), [queries, 1])
    const mask = make(op, { i, j: op('arange', keys), position: at!, lengths: ends! })
    return [op('scaledDotProductAttention', q, k, v, { attnMask: mask })]
  })
}

/** As with the mask in memory; then the launches. */
function launches(name: string, mask: Mask, inputs: readonly TensorSpec[], way: Way): Launch[] {
  const [queries, keys] = [inputs[0]!.shape[1]!, inputs[1]!.shape[1]!]
  const bits = [0, 1].flatMap(head =>
    Array.from({ length: queries * keys }, (_, at) => mask.shows(Math.floor(at / keys), at % keys, head)),
  )
  const inMemory = mask.isAdded
    ? spec(
        inputs[0]!.dtype,
        [2, queries, keys],
        bits.map(bit => (bit ? 0 : -Infinity)),
      )
    : spec('bool', [2, queries, keys], bits.map(Number))
  const record = recordTable.scaledDotProductAttention
  const [expected] = expectedResults(record, sample(name, ...inputs, { attnMask: inMemory }))
  const { plan, lanes } = runPipeline(masked(mask, inputs), way.target, { policy: way.policy })
  const all = [...inputs, ...given]
  const tolerance = toleranceFor('scaledDotProductAttention', inputs[0]!.dtype)
  const label = `${name}, ${queries} × ${keys}, ${way.name}`
  expect(difference(runPlan(plan, all)[0]!, expected!, tolerance), label).toBeNull()
  return launchesOf(label, plan, lanes, all, dtype => toleranceFor('scaledDotProductAttention', dtype))
}

const sizes = [
  [1, 64],
  [3, 65],
  [40, 40],
  [33, 100],
] as const

describe('masks computed from indices', { timeout: 300_000 }, () => {
  for (const [name, mask] of Object.entries(masks)) {
    const all = (way: Way): Launch[] =>
      sizes.flatMap(([queries, keys], i) =>
        launches(name, mask, operands(queries, keys, i % 2 === 0 ? 'f16' : 'f32'), way),
      )
    for (const way of [onCpu, ...onGpu]) it(`${name}, on ${way.name}, simulated`, () => way.expect(all(way)))
    it.skipIf(!hasCompiler)(`${name}, on a CPU (needs a C compiler)`, () => expectNative(all(onCpu)))
  }
})

describe('blocks of hidden keys', () => {
  /** NaN in a visited block would reach the result: 0 · NaN is NaN. */
  const withNaN = ({ dtype, shape, data }: TensorSpec, isHidden: (key: number) => boolean): TensorSpec =>
    spec(
      dtype,
      shape,
      data.map((value, at) => (isHidden(Math.floor(at / 16) % shape[1]!) ? Number.NaN : Number(value))),
    )

  for (const way of [onCpu, ...onGpu])
    it.each([1, 8])(`are not read on ${way.name}, by %i queries`, queries => {
      const [q, k, v] = operands(queries, 400, 'f16') as [TensorSpec, TensorSpec, TensorSpec]
      const inputs = [q, k, withNaN(v, key => key >= 48)]
      const { plan } = runPipeline(masked(masks['the length of a cache']!, inputs), way.target, { policy: way.policy })
      const [result] = runPlan(plan, [...inputs, ...given])
      expect(result!.data.every(value => Number.isFinite(value))).toBe(true)
    })
})

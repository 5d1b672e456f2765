/** The primitive of attention's gradients, as interpreted, against the derivative of the formula. */
import { describe, expect, it } from 'vitest'
import { buildGraph } from '../../src/graph/apply.js'
import { gradientRecord } from '../../src/graph/derivatives/records.js'
import { interpretGraph } from '../../src/graph/interpret.js'
import type { Graph, GraphBuilder, GraphNode } from '../../src/graph/ir.js'
import { attention, composedAttention } from '../../src/graph/ops/attention.js'
import {
  expectedGradients,
  type GradientCase,
  gradientDifference,
  gradientGraph,
  inputsOf,
} from '../support/attention-gradient.js'
import { hostOf } from '../support/record-graph.js'
import { randomSpec } from '../support/tensor-spec.js'

const plain = { name: 'plain', dtype: 'f64', heads: 1, group: 1, queries: 3, keys: 5, depth: 4, columns: 2 } as const
const cases: readonly GradientCase[] = [
  plain,
  { ...plain, name: 'causal, with a gradient of the log-sum-exp', mask: 'causal', lse: true },
  { ...plain, name: 'groups, a scale, rows that see nothing', group: 2, heads: 2, scale: -0.3, mask: 'hidden' },
  { ...plain, name: 'a bool mask and dropout', mask: 'bool', dropout: 0.4 },
  { ...plain, name: 'added, everything dropped', mask: 'added', dropout: 1 },
  { ...plain, name: 'a window', queries: 9, keys: 9, mask: 'window' },
]

const difference = (each: GradientCase, second: boolean): string | null => {
  const inputs = inputsOf(each)
  const found = interpretGraph(gradientGraph(each, inputs, second), inputs.map(hostOf))
  return gradientDifference(found, expectedGradients(each, inputs, second))
}

describe('gradients of attention are those of the formula', () => {
  for (const each of cases)
    it(each.name, () => {
      expect(difference(each, false)).toBeNull()
    })
})

describe('gradients of these gradients are those of the formula', () => {
  for (const each of cases.filter(({ mask }) => mask !== 'hidden'))
    it(each.name, () => {
      expect(difference(each, true)).toBeNull()
    })

  it('also where query, key and value are one tensor', () => {
    const shape = { dtype: 'f64', shape: [1, 4, 3] } as const
    const graph = (isWritten: boolean): Graph =>
      buildGraph([shape, shape, shape], [], (b, [x, g, h]) => {
        const y = attended(b, x!, isWritten)
        const gradient = (of: GraphNode, by: GraphNode): GraphNode => {
          const nodes = [of, by, x!].map(node => ({ node, isNumber: false }))
          return gradientRecord(1, 1).build(b, nodes, {})[0]!
        }
        return [gradient(gradient(y, g!), h!)]
      })
    const inputs = [1, 2, 3].map(seed => hostOf(randomSpec(seed, 'f64', [1, 4, 3])))
    const [found, expected] = [false, true].map(isWritten => interpretGraph(graph(isWritten), inputs))
    expect(gradientDifference(found!, expected!)).toBeNull()
  })
})

function attended(b: GraphBuilder, x: GraphNode, isWritten: boolean): GraphNode {
  const parts = { mask: null, causal: true, scale: 0.5, fullyMasked: 'zero', to: 'f64' } as const
  const all = { q: x, k: x, v: x, ...parts }
  return isWritten ? composedAttention(b, all).result : attention(b, all)
}

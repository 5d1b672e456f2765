/** The primitive of attention's gradients, as interpreted, against the derivative of the formula. */
import { describe, expect, it } from 'vitest'
import { interpretGraph } from '../../src/graph/interpret.js'
import {
  expectedGradients,
  type GradientCase,
  gradientDifference,
  gradientGraph,
  inputsOf,
} from '../support/attention-gradient.js'
import { hostOf } from '../support/record-graph.js'

const plain = { name: 'plain', dtype: 'f64', heads: 1, group: 1, queries: 3, keys: 5, depth: 4, columns: 2 } as const
const cases: readonly GradientCase[] = [
  plain,
  { ...plain, name: 'causal, with a gradient of the log-sum-exp', mask: 'causal', lse: true },
  { ...plain, name: 'groups, a scale, rows that see nothing', group: 2, heads: 2, scale: -0.3, mask: 'hidden' },
  { ...plain, name: 'a bool mask and dropout', mask: 'bool', dropout: 0.4 },
  { ...plain, name: 'added, everything dropped', mask: 'added', dropout: 1 },
  { ...plain, name: 'a window', queries: 9, keys: 9, mask: 'window' },
]

describe('gradients of attention are those of the formula', () => {
  for (const each of cases)
    it(each.name, () => {
      const inputs = inputsOf(each)
      const found = interpretGraph(gradientGraph(each, inputs), inputs.map(hostOf))
      expect(gradientDifference(found, expectedGradients(each, inputs))).toBeNull()
    })
})

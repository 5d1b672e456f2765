/** NaN, infinities and -0 in every input of every op: the graph and its plan give what the op's reference gives. */
import { describe, expect, it } from 'vitest'
import { type RecordName, recordNames, recordTable } from '../../src/graph/ops/index.js'
import { planOf, runPlan } from '../schedule/run.js'
import { difference, toleranceFor } from '../support/compare.js'
import { expectedResults, graphOf, interpretSample } from '../support/record-graph.js'
import { quickly } from '../support/sample-choice.js'
import { specialSamples } from '../support/specials.js'

/** Where more than one answer is right, and why; by op, special values and input (null: any). */
const open: readonly { ops: RegExp; specials: RegExp; input: number | null; why: string }[] = [
  {
    ops: /^(multiDot|bilinear)$/,
    specials: /Infinity/,
    input: null,
    why: 'the order of products decides between ∞ − ∞ and ∞',
  },
  {
    ops: /^matrixPower$/,
    specials: /NaN|Infinity/,
    input: null,
    why: 'the power 1 may be the matrix, or its product with ones and zeros',
  },
  {
    ops: /^conv(Transpose)?\dd$/,
    specials: /NaN|Infinity/,
    input: 1,
    why: 'a padded zero times the weight may be taken or left out',
  },
  {
    ops: /^(scaledDotProductAttention|attentionDropout|attentionLse)$/,
    specials: /NaN|Infinity/,
    input: 2,
    why: 'a hidden key’s 0 times its value may be taken or left out',
  },
  {
    ops: /^gridSample$/,
    specials: /NaN/,
    input: 1,
    why: 'PyTorch leaves open what lies at a place that is no number',
  },
  {
    ops: /^(binaryCrossEntropyWithLogits|multilabelSoftMarginLoss)$/,
    specials: /Infinity/,
    input: null,
    why: 'an infinite logit is ∞ − ∞ in PyTorch’s formula',
  },
]

const isOpen = (name: RecordName, special: string, input: number): boolean =>
  open.some(each => each.ops.test(name) && each.specials.test(special) && (each.input ?? input) === input)

const names = recordNames.filter(name => !specialSamples(name).next().done)
const tried = quickly(names, 18)

describe('NaN, infinities and -0', () => {
  for (const name of tried) {
    it(name, () => {
      const record = recordTable[name]
      for (const { sample, special, input } of specialSamples(name)) {
        if (isOpen(name, special, input)) continue
        const expected = expectedResults(record, sample)
        const graph = graphOf(record, sample)
        const ways = { graph: interpretSample(graph, sample), plan: runPlan(planOf(graph, true), sample.inputs) }
        for (const [way, results] of Object.entries(ways)) {
          for (const [i, tensor] of expected.entries()) {
            const problem = difference(results[i]!, tensor, toleranceFor(name, tensor.dtype))
            expect(problem, `${name}, ${sample.name}, result ${i}, ${way}`).toBeNull()
          }
        }
      }
    })
  }

  it('are tested in all ops except those that take no floats', () => {
    expect(names.length).toBeGreaterThan(200)
    for (const { ops, why } of open) {
      expect(
        names.some(name => ops.test(name)),
        why,
      ).toBe(true)
    }
  })
})

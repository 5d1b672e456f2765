import { describe, expect, it } from 'vitest'
import { recordNames, recordTable } from '../../src/graph/ops/index.js'
import type { OpRecord } from '../../src/graph/record.js'
import { difference, toleranceFor } from '../support/compare.js'
import { expectedResults, graphOf, symbolicGraphOf } from '../support/record-graph.js'
import { fewSamples, tellingSamples } from '../support/sample-choice.js'
import { samplesFor } from '../support/samples.js'
import { gpu, planOf, runPlan, small, target } from './run.js'

const ways = [
  [target, {}],
  [target, small(target)],
  [gpu, small(gpu)],
] as const

describe('every op: the interpreted plan gives the reference', () => {
  for (const name of recordNames) {
    it(name, () => {
      const record = recordTable[name]
      const all = tellingSamples(name, samplesFor(name), dtype => dtype)
      const telling = tellingSamples(name, samplesFor(name))
      for (const sample of new Set([...all, ...telling])) {
        const expected = expectedResults(record, sample)
        for (const [on, options] of telling.includes(sample) ? ways : ways.slice(0, 1)) {
          const results = runPlan(planOf(graphOf(record, sample), true, options, on), sample.inputs)
          expected.forEach((tensor, i) => {
            const problem = difference(results[i]!, tensor, toleranceFor(record.name, tensor.dtype))
            expect(problem, `${record.name} on ${sample.name}, result ${i}, ${on.name}`).toBeNull()
          })
        }
      }
    })
  }
})

describe('every op with run-time sizes', () => {
  for (const name of recordNames) {
    it(name, () => {
      const record = recordTable[name]
      const dense = samplesFor(name).filter(({ inputs }) => inputs.every(({ strides }) => strides === undefined))
      for (const sample of fewSamples(name, tellingSamples(name, dense), 3)) {
        const graph = symbolicGraphOrNull(record, sample)
        if (graph === null) continue
        const expected = expectedResults(record, sample)
        for (const on of [target, gpu]) {
          const results = runPlan(planOf(graph, false, small(on), on), sample.inputs)
          expected.forEach((tensor, i) => {
            const problem = difference(results[i]!, tensor, toleranceFor(record.name, tensor.dtype))
            expect(problem, `${record.name} on ${sample.name}, result ${i}, ${on.name}`).toBeNull()
          })
        }
      }
    })
  }
})

/** null where an op needs to know a size. */
function symbolicGraphOrNull(record: OpRecord, sample: Parameters<typeof symbolicGraphOf>[1]) {
  try {
    return symbolicGraphOf(record, sample)
  } catch {
    return null
  }
}

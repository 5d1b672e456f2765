import { describe, expect, it } from 'vitest'
import { recordTable } from '../../src/graph/ops/index.js'
import type { OpRecord } from '../../src/graph/record.js'
import { difference, toleranceFor } from '../support/compare.js'
import { expectedResults, graphOf, symbolicGraphOf } from '../support/record-graph.js'
import { samplesFor } from '../support/samples.js'
import { planOf, runPlan } from './run.js'

describe('every op: the interpreted plan gives the reference', () => {
  for (const record of Object.values(recordTable) as OpRecord[]) {
    it(record.name, () => {
      for (const sample of samplesFor(record.name)) {
        const expected = expectedResults(record, sample)
        for (const optimise of [false, true]) {
          const results = runPlan(planOf(graphOf(record, sample), optimise), sample.inputs)
          expected.forEach((tensor, i) => {
            const problem = difference(results[i]!, tensor, toleranceFor(record.name, tensor.dtype))
            expect(problem, `${record.name} on ${sample.name}, result ${i}`).toBeNull()
          })
        }
      }
    })
  }
})

describe('every op with run-time sizes', () => {
  for (const record of Object.values(recordTable) as OpRecord[]) {
    it(record.name, () => {
      for (const sample of samplesFor(record.name)) {
        if (sample.inputs.some(input => input.strides !== undefined)) continue
        const graph = symbolicGraphOrNull(record, sample)
        if (graph === null) continue
        const expected = expectedResults(record, sample)
        const results = runPlan(planOf(graph), sample.inputs)
        expected.forEach((tensor, i) => {
          const problem = difference(results[i]!, tensor, toleranceFor(record.name, tensor.dtype))
          expect(problem, `${record.name} on ${sample.name}, result ${i}`).toBeNull()
        })
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

/** The link between the graph and its tile programs: what fusion makes of every op, run by the loop interpreter. */
import { describe, expect, it } from 'vitest'
import type { Graph } from '../../src/graph/ir.js'
import { recordNames, recordTable } from '../../src/graph/ops/index.js'
import { SymbolicShapeError } from '../../src/graph/sizes.js'
import { difference, toleranceFor } from '../support/compare.js'
import { expectedResults, graphOf, symbolicGraphOf } from '../support/record-graph.js'
import { tellingSamples } from '../support/sample-choice.js'
import { samplesFor } from '../support/samples.js'
import { runLoops } from './run.js'

describe('every op: its loop programs are valid and give the reference', () => {
  for (const name of recordNames) {
    it(name, () => {
      const record = recordTable[name]
      for (const sample of tellingSamples(name, samplesFor(name))) {
        const isDense = sample.inputs.every(({ strides }) => strides === undefined)
        const graphs = [graphOf(record, sample), isDense ? orNull(() => symbolicGraphOf(record, sample)) : null]
        for (const graph of graphs.filter(each => each !== null)) {
          const results = runLoops(graph, sample.inputs)
          expectedResults(record, sample).forEach((tensor, i) => {
            const problem = difference(results[i]!, tensor, toleranceFor(record.name, tensor.dtype))
            expect(problem, `${record.name} on ${sample.name}, result ${i}`).toBeNull()
          })
        }
      }
    })
  }
})

/** null where an op needs to know a size. */
function orNull(make: () => Graph): Graph | null {
  try {
    return make()
  } catch (error) {
    if (error instanceof SymbolicShapeError) return null
    throw error
  }
}

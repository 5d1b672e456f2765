import { describe, expect, it } from 'vitest'
import { callRecord } from '../../src/graph/apply.js'
import { graphDialect } from '../../src/graph/ir.js'
import { recordNames, recordTable } from '../../src/graph/ops/index.js'
import type { OpRecord } from '../../src/graph/record.js'
import { SymbolicShapeError } from '../../src/graph/sizes.js'
import { verify } from '../../src/ir/verify.js'
import { difference, toleranceFor } from '../support/compare.js'
import { expectedResults, graphOf, interpretSample, recordCall, symbolicGraphOf } from '../support/record-graph.js'
import { isQuick, quickly } from '../support/sample-choice.js'
import { samplesFor } from '../support/samples.js'
import { bindArguments } from '../support/tensor-spec.js'

describe('the graph interpreter agrees with the reference of every op', () => {
  for (const name of quickly(recordNames, 2)) {
    it(name, () => {
      const record = recordTable[name]
      const samples = samplesFor(name)
      expect(samples.length).toBeGreaterThan(2)
      for (const sample of samples) {
        const graph = graphOf(record, sample)
        verify(graphDialect, graph.body)
        const results = interpretSample(graph, sample)
        const expected = expectedResults(record, sample)
        const changed = (record as OpRecord).changes?.(recordCall(record, sample).attrs) ?? []
        expect(results.length, sample.name).toBe((record.results?.length ?? 1) + changed.length)
        expect(results.length, sample.name).toBe(expected.length)
        for (const [i, result] of results.entries()) {
          const problem = difference(result, expected[i]!, toleranceFor(name, result.dtype))
          expect(problem, `${name}, ${sample.name}, result ${i}`).toBeNull()
        }
      }
    })
  }
})

/** Ops that must know sizes of their weights or lines, or bounds of them, which captures answer. */
const needsSizes = new Set<string>([
  'gridSample',
  'conv1d',
  'conv2d',
  'conv3d',
  'fold',
  'searchsorted',
  'bucketize',
  'cross',
  'glu',
])
for (const rank of [1, 2, 3]) {
  needsSizes.add(`convTranspose${rank}d`)
}

/** Samples that are run on run-time sizes too; what they compute is above. */
const mostBuilt = isQuick ? 2 : Number.POSITIVE_INFINITY

describe('every op builds on run-time sizes and gives the same values', () => {
  for (const name of recordNames) {
    const record = recordTable[name]
    const samples = samplesFor(name).filter(sample => sample.inputs.some(({ shape }) => shape.some(size => size > 1)))
    const reason = samples.length === 0 ? ' (it takes no tensors, so it has no run-time sizes)' : ''
    it.skipIf(samples.length === 0)(`${name}${reason}`, () => {
      let built = 0
      for (const sample of samples) {
        const graph = buildOrRefusal(() => symbolicGraphOf(record, sample))
        if (graph === null) continue
        if (built++ === mostBuilt) break
        verify(graphDialect, graph.body)
        const expected = expectedResults(record, sample)
        for (const [i, result] of interpretSample(graph, sample).entries()) {
          const problem = difference(result, expected[i]!, toleranceFor(name, result.dtype))
          expect(problem, `${name}, ${sample.name}, result ${i}`).toBeNull()
        }
      }
      expect(built > 0).toBe(!needsSizes.has(name))
    })
  }
})

/** null where the op says that it would have to know the size: capture then specialises it. */
function buildOrRefusal<T>(build: () => T): T | null {
  try {
    return build()
  } catch (error) {
    if (error instanceof SymbolicShapeError) return null
    throw error
  }
}

describe('records', () => {
  it('carry their own name and a summary', () => {
    for (const name of recordNames) {
      const record = recordTable[name]
      expect(record.name).toBe(name)
      expect(record.summary).toMatch(/\.$/)
    }
  })

  it('parse calls without reading tensors', () => {
    for (const name of recordNames) {
      const sample = samplesFor(name)[0]!
      const tensors = sample.inputs.map(() => new (class Opaque {})())
      const { inputs } = callRecord(
        recordTable[name],
        bindArguments(sample.args, i => tensors[i]),
      )
      for (const tensor of tensors) expect(inputs).toContain(tensor)
    }
  })
})

/** Positions of extremes on a GPU: rows in parts and blocks, columns, and short rows that one thread reduces. */
import { describe, expect, it } from 'vitest'
import { runPipeline } from '../../src/compile/pipeline.js'
import { recordTable } from '../../src/graph/ops/index.js'
import type { OpRecord } from '../../src/graph/record.js'
import { expectBlocks } from '../native/agreement-cuda.js'
import { difference } from '../support/compare.js'
import { launchesOf } from '../support/launches.js'
import { expectedResults, graphOf, symbolicGraphOf } from '../support/record-graph.js'
import { type Sample, sample } from '../support/sample-kinds.js'
import { count, seededRandom, spec } from '../support/tensor-spec.js'
import { gpu, planOf, runPlan, small } from './run.js'

const exact = { relative: 0, absolute: 0, anyZero: false }

type Kind = 'random' | 'ties' | 'NaN' | 'infinite'

/** Few values, so that the first of several best ones must be found. */
function values(kind: Kind, elements: number): number[] {
  const random = seededRandom(elements)
  const infinite = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY]
  return Array.from({ length: elements }, () => {
    if (kind === 'infinite') return infinite[0]!
    if (kind === 'NaN' && random() < 0.1) return Number.NaN
    return Math.floor(random() * (kind === 'random' ? 1000 : 3)) - 1
  })
}

const extremes = (dtype: 'f32' | 'bf16' | 'i64', shape: readonly number[], dim: number, kind: Kind): Sample =>
  sample(`${kind} ${dtype} [${shape}] along ${dim}`, spec(dtype, shape, values(kind, count(shape))), dim)

const samples = (['random', 'ties', 'NaN', 'infinite'] as const).flatMap(kind => [
  extremes('f32', [300], 0, kind),
  extremes('f32', [2, 131], 1, kind),
  extremes('bf16', [70, 3], 0, kind),
  extremes('bf16', [90, 3], 1, kind),
  extremes('f32', [65, 7], 1, kind),
])
const integers = [extremes('i64', [3, 100], 1, 'ties'), extremes('i64', [2, 60, 3], 1, 'random')]

describe('the first extreme is found', () => {
  for (const name of ['argmax', 'minWithIndices'] as const) {
    it(`by ${name}, with sizes known and not known, in blocks of usual size and small`, () => {
      const record = recordTable[name] as OpRecord
      for (const each of [...samples, ...integers]) {
        const expected = expectedResults(record, each)
        for (const graph of [graphOf(record, each), symbolicGraphOf(record, each)]) {
          for (const options of [{}, small(gpu)]) {
            const results = runPlan(planOf(graph, true, options, gpu), each.inputs)
            for (const [i, result] of results.entries())
              expect(difference(result, expected[i]!, exact), `${each.name}, ${i}`).toBeNull()
          }
        }
      }
    })
  }
})

describe('blocks of threads leave what the interpreter leaves', () => {
  for (const each of [
    extremes('f32', [2, 131], 1, 'NaN'),
    extremes('bf16', [90, 3], 1, 'ties'),
    extremes('f32', [260, 7], 1, 'NaN'),
    extremes('f32', [8, 130], 0, 'ties'),
  ]) {
    for (const [how, options] of Object.entries({ usual: {}, small: small(gpu) })) {
      it(`${each.name}, ${how} blocks`, () => {
        const { plan, lanes } = runPipeline(graphOf(recordTable.argmax as OpRecord, each), gpu, options)
        expectBlocks(launchesOf(each.name, plan, lanes, each.inputs, () => exact))
      })
    }
  }
})

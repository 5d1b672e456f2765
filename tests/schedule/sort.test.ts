/** Sorting on a GPU: rows whose elements are all compared at once, and rows too long for that, which one thread merges. */

import { expect, it } from 'vitest'
import { cudaLimits } from '../../src/backends/cuda/limits.js'
import { cudaPolicy } from '../../src/backends/cuda/policy.js'
import { targetForCuda } from '../../src/backends/cuda/target.js'
import { runPipeline } from '../../src/compile/pipeline.js'
import { recordTable } from '../../src/graph/ops/index.js'
import type { OpRecord } from '../../src/graph/record.js'
import { launchesAmong } from '../../src/schedule/plan/plan.js'
import { expectBlocks } from '../native/agreement-cuda.js'
import { difference } from '../support/compare.js'
import { launchesOf } from '../support/launches.js'
import { expectedResults, graphOf, symbolicGraphOf } from '../support/record-graph.js'
import { type Sample, sample } from '../support/sample-kinds.js'
import { count, seededRandom, spec } from '../support/tensor-spec.js'
import { gpu, gpuFacts, planOf, runPlan } from './run.js'

const record = recordTable.sort as OpRecord
const exact = { relative: 0, absolute: 0, anyZero: true }

/** Few different values, so that order among equals shows; floats with NaN and both zeros. */
function rows(dtype: 'f32' | 'f16' | 'i64' | 'u8', shape: readonly number[], options: object): Sample {
  const random = seededRandom(shape.length * 7 + shape[0]!)
  const floats = [Number.NaN, -0, 0, -1.5, 2, Number.NEGATIVE_INFINITY, 1e-3]
  const draw = (): number => (dtype[0] === 'f' ? floats[Math.floor(random() * 7)]! : Math.floor(random() * 40))
  const values = spec(dtype, shape, Array.from({ length: count(shape) }, draw))
  return sample(`${dtype} [${shape}] ${JSON.stringify(options)}`, values, options)
}

const samples = [
  rows('f32', [150], {}),
  rows('f32', [3, 130], { descending: true }),
  rows('f16', [70, 2], { dim: 0 }),
  rows('i64', [2, 65, 3], { dim: 1, descending: true }),
  rows('u8', [1], {}),
]
/** Rows up to a length are ranked. */
const upTo = (ranked: number) => ({
  policy: cudaPolicy(gpuFacts, { ...cudaLimits, cuda: { ...cudaLimits.cuda, maxRanked: ranked } }),
})

it('gives the reference, by ranks and by merging, with known and unknown sizes', () => {
  for (const each of samples) {
    const expected = expectedResults(record, each)
    for (const ranked of [1 << 15, 100, 10])
      for (const graph of [graphOf(record, each), symbolicGraphOf(record, each)]) {
        const results = runPlan(planOf(graph, true, upTo(ranked), gpu), each.inputs)
        for (const [i, result] of results.entries())
          expect(difference(result, expected[i]!, exact), `${each.name}, ${i}, up to ${ranked}`).toBeNull()
      }
  }
})

it("blocks of threads give the interpreter's results", () => {
  for (const each of samples.slice(1, 3)) {
    const { plan, lanes } = runPipeline(graphOf(record, each), gpu)
    expectBlocks(launchesOf(each.name, plan, lanes, each.inputs, () => exact))
  }
})

it('one thread per element: a row takes many programs, and no scratch memory', () => {
  const plan = planOf(
    graphOf(record, rows('i64', [2048], {})),
    true,
    {},
    targetForCuda({ ...gpuFacts, multiprocessors: 132 }),
  )
  expect(launchesAmong(plan.steps).map(({ grid }) => grid)).toEqual([[128, 1, 1]])
  expect(plan.buffers.filter(({ kind }) => kind === 'temp')).toEqual([])
})

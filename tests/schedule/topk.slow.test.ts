/** Top-k: by insertion, by sorting blocks in rounds, by a bound, and as a part of the sorted row. */

import { describe, expect, it } from 'vitest'
import { cpuLimits } from '../../src/backends/cpu/limits.js'
import { cpuPolicy } from '../../src/backends/cpu/policy.js'
import { cudaLimits } from '../../src/backends/cuda/limits.js'
import { cudaPolicy } from '../../src/backends/cuda/policy.js'
import { runPipeline } from '../../src/compile/pipeline.js'
import { recordTable } from '../../src/graph/ops/index.js'
import type { OpRecord } from '../../src/graph/record.js'
import { expectBlocks } from '../native/agreement-cuda.js'
import { difference } from '../support/compare.js'
import { launchesOf } from '../support/launches.js'
import { expectedResults, graphOf, symbolicGraphOf } from '../support/record-graph.js'
import { type Sample, sample } from '../support/sample-kinds.js'
import { count, seededRandom, spec } from '../support/tensor-spec.js'
import { cpuFacts, gpu, gpuFacts, planOf, runPlan, target } from './run.js'

const record = recordTable.topk as OpRecord
const exact = { relative: 0, absolute: 0, anyZero: false }

/** Few different values, so that order among equals shows. */
function rows(
  dtype: 'f32' | 'bf16' | 'f64' | 'i64' | 'u8' | 'bool',
  shape: readonly number[],
  k: number,
  options: object = {},
): Sample {
  const random = seededRandom(shape[0]! * 31 + k)
  const floats = [Number.NaN, -0, 0, -1.5, 2, Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY]
  const draw = (): number => (dtype.includes('f') ? floats[Math.floor(random() * 7)]! : Math.floor(random() * 20))
  const values = spec(dtype, shape, Array.from({ length: count(shape) }, draw))
  return sample(`${dtype} [${shape}] ${k} ${JSON.stringify(options)}`, values, k, options)
}

/** Rows of any length that has k elements. */
const openGraphOf = (each: Sample) => symbolicGraphOf(record, each, Math.max(2, Number(each.args[1])))

const samples = [
  rows('f32', [300], 1),
  rows('f32', [300], 8),
  rows('f32', [2, 257], 7, { largest: false }),
  rows('f32', [65], 65),
  rows('f32', [65], 33),
  rows('bf16', [3, 64], 3),
  rows('i64', [130, 2], 5, { dim: 0 }),
  rows('u8', [2, 129], 8, { largest: false }),
  rows('u8', [33], 2),
  rows('f32', [1030], 5, { largest: false }),
  rows('f64', [2, 190], 6),
  rows('bool', [180], 4),
  rows('f32', [1], 1),
  // Elements whose keys are those of empty places.
  sample('i64 lowest', spec('i64', [70], Array(70).fill(-(2 ** 63))), 5),
  sample('i64 lowest but one', spec('i64', [70], [...Array(69).fill(-(2 ** 63)), 3]), 5),
]

const blocks = { sortBlock: 32, maxRanked: 4 }
const policies = [
  [target, cpuPolicy(cpuFacts, { ...cpuLimits, ...blocks, maxInserted: 8 })],
  [target, cpuPolicy(cpuFacts)],
  [
    gpu,
    cudaPolicy(gpuFacts, { ...cudaLimits, ...blocks, cuda: { ...cudaLimits.cuda, selectTile: 32, rankBlock: 16 } }),
  ],
] as const

describe('the reference is given', () => {
  policies.forEach(([on, policy], which) => {
    it(`by policy ${which}, with sizes known and not known`, () => {
      for (const each of samples) {
        const expected = expectedResults(record, each)
        for (const graph of [graphOf(record, each), openGraphOf(each)]) {
          const results = runPlan(planOf(graph, true, { policy }, on), each.inputs)
          for (const [i, result] of results.entries())
            expect(difference(result, expected[i]!, exact), `${each.name}, ${i}`).toBeNull()
        }
      }
    })
  })
})

describe('blocks of threads leave what the interpreter leaves', () => {
  const [, , [on, policy]] = policies
  // Of the second, all elements reach the bound where sizes are not known.
  for (const each of [rows('bf16', [2, 70], 3), rows('i64', [2, 150], 8)]) {
    for (const graph of [graphOf(record, each), openGraphOf(each)]) {
      it(`${each.name}, ${graph.symbols.length} sizes open`, () => {
        const { plan, lanes } = runPipeline(graph, { ...on, policy })
        expectBlocks(launchesOf(each.name, plan, lanes, each.inputs, () => exact))
      })
    }
  }
})

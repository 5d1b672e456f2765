/** Sorting: rows whose elements are all compared at once, rows that one program sorts, and rows of several blocks. */

import { describe, expect, it } from 'vitest'
import { cpuLimits } from '../../src/backends/cpu/limits.js'
import { cpuPolicy } from '../../src/backends/cpu/policy.js'
import { cudaLimits } from '../../src/backends/cuda/limits.js'
import { cudaPolicy } from '../../src/backends/cuda/policy.js'
import { runPipeline } from '../../src/compile/pipeline.js'
import { recordTable } from '../../src/graph/ops/index.js'
import type { OpRecord } from '../../src/graph/record.js'
import { wrapValue } from '../../src/scalar/ops.js'
import { launchesAmong } from '../../src/schedule/plan/plan.js'
import type { SchedulePolicy } from '../../src/schedule/policy.js'
import { defaultLimits } from '../../src/schedule/tiling/tiling.js'
import { isFloat, type TensorDtype } from '../../src/types/dtype.js'
import { expectBlocks } from '../native/agreement-cuda.js'
import { difference } from '../support/compare.js'
import { launchesOf } from '../support/launches.js'
import { expectedResults, graphOf, symbolicGraphOf } from '../support/record-graph.js'
import { type Sample, sample } from '../support/sample-kinds.js'
import { count, seededRandom, type TensorSpec } from '../support/tensor-spec.js'
import { cpuFacts, gpu, gpuFacts, planOf, runPlan, target } from './run.js'

const record = recordTable.sort as OpRecord
const exact = { relative: 0, absolute: 0, anyZero: true }
const bits = { ...exact, anyZero: false }

const special = [Number.NaN, -0, 0, -1.5, 2, Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY, 1e-3, -1e-3, 300]

/** Few different values, so that order among equals shows; all special floats, and the extremes of integers. */
function draw(dtype: TensorDtype, random: () => number): number | bigint {
  const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)]!
  if (dtype === 'bool') return pick([0, 1])
  if (dtype === 'u8') return pick([0, 1, 127, 128, 255])
  if (dtype === 'i64') return pick([-(2n ** 63n), 2n ** 63n - 1n, -1n, 0n, 1n, 2n ** 40n, -(2n ** 40n), 255n, 256n])
  if (dtype[0] === 'f' || dtype === 'bf16') return pick(special)
  const half = 2 ** (Number(dtype.slice(1)) - 1)
  return pick([-half, half - 1, -1, 0, 1, 17, -17])
}

function rows(dtype: TensorDtype, shape: readonly number[], options: object): Sample {
  const random = seededRandom(shape.length * 7 + shape[0]!)
  const drawn = Array.from({ length: count(shape) }, () => draw(dtype, random))
  const data = drawn.map(value => (isFloat(dtype) ? wrapValue(dtype, value) : value))
  const values: TensorSpec = { dtype, shape, data }
  return sample(`${dtype} [${shape}] ${JSON.stringify(options)}`, values, options)
}

const samples = [
  rows('f32', [150], {}),
  rows('f32', [3, 130], { descending: true }),
  rows('f16', [70, 2], { dim: 0 }),
  rows('bf16', [2, 100], { descending: true }),
  rows('f64', [90], {}),
  rows('i64', [2, 65, 3], { dim: 1, descending: true }),
  rows('i64', [2, 70], {}),
  rows('i32', [99], {}),
  rows('i16', [2, 40], { descending: true }),
  rows('i8', [97], {}),
  rows('u8', [97], { descending: true }),
  rows('bool', [66], {}),
  rows('u8', [1], {}),
  rows('f32', [0], {}),
]

/** Rows up to a length are ranked, others sorted in blocks. */
const policies = (maxRanked: number, sortBlock: number): readonly (readonly [typeof target, SchedulePolicy])[] => {
  const limits = { ...defaultLimits, maxRanked, sortBlock }
  return [
    [target, cpuPolicy(cpuFacts, { ...cpuLimits, ...limits })],
    [gpu, cudaPolicy(gpuFacts, { ...cudaLimits, ...limits })],
  ]
}

describe('the reference is given', () => {
  for (const [ranked, block] of [
    [200, 256],
    [10, 256],
    [10, 64],
    [10, 32],
  ] as const) {
    it(`ranked up to ${ranked}, in blocks of ${block}, with sizes known and not known`, () => {
      for (const each of samples) {
        const expected = expectedResults(record, each)
        for (const [on, policy] of policies(ranked, block))
          for (const graph of [graphOf(record, each), symbolicGraphOf(record, each)]) {
            const results = runPlan(planOf(graph, true, { policy }, on), each.inputs)
            for (const [i, result] of results.entries())
              expect(difference(result, expected[i]!, i === 0 ? bits : exact), `${each.name}, ${i}`).toBeNull()
          }
      }
    })
  }
})

describe('blocks of threads leave what the interpreter leaves', () => {
  const [, [on, policy]] = policies(10, 32) as [unknown, readonly [typeof gpu, SchedulePolicy]]
  const f16 = rows('f16', [2, 40], { descending: true })
  for (const [each, graph] of [
    [f16, graphOf(record, f16)],
    [f16, symbolicGraphOf(record, f16)],
  ] as const) {
    it(`${each.name}, ${graph.symbols.length} sizes open`, () => {
      const { plan, lanes } = runPipeline(graph, { ...on, policy })
      expectBlocks(launchesOf(each.name, plan, lanes, each.inputs, () => exact))
    })
  }
})

it('every program of a long row has one block, and a pass takes three kernels', () => {
  const plan = planOf(graphOf(record, rows('f32', [20000], {})), true, {}, gpu)
  const grids = launchesAmong(plan.steps).map(({ grid }) => grid[0])
  expect(grids).toEqual(Array.from({ length: 4 }, () => [5, 32, 5]).flat())
})

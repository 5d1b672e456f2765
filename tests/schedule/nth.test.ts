/** Elements at positions of an order, found by dividing the range of a row's keys: of rows beside each other, and across. */
import { describe, expect, it } from 'vitest'
import { cpuLimits } from '../../src/backends/cpu/limits.js'
import { cpuPolicy } from '../../src/backends/cpu/policy.js'
import { type RecordName, recordTable } from '../../src/graph/ops/index.js'
import type { OpRecord } from '../../src/graph/record.js'
import type { TensorDtype } from '../../src/types/dtype.js'
import { difference } from '../support/compare.js'
import { expectedResults, graphOf, symbolicGraphOf } from '../support/record-graph.js'
import { type Sample, sample } from '../support/sample-kinds.js'
import { count, seededRandom, type TensorSpec } from '../support/tensor-spec.js'
import { cpuFacts, planOf, runPlan, target } from './run.js'

const exact = { relative: 0, absolute: 0, anyZero: false }
const policy = cpuPolicy(cpuFacts, { ...cpuLimits, maxRanked: 4 })

const specials = [Number.NaN, -0, 0, -1.5, 2, Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY, 1e-3, 300]
const integers: { readonly [Dtype in TensorDtype]?: readonly (number | bigint)[] } = {
  i64: [-(2n ** 63n), 2n ** 63n - 1n, -1n, 0n, 1n, 2n ** 40n, 255n, 256n],
  i32: [-(2 ** 31), 2 ** 31 - 1, -1, 0, 1, 65536],
  u8: [0, 1, 127, 128, 255],
  bool: [0, 1],
}

/** Few different values, so that order among equals shows; `kinds`: of how many. */
function rows(dtype: TensorDtype, shape: readonly number[], args: readonly unknown[], kinds = 99): Sample {
  const random = seededRandom(count(shape) + kinds)
  const choices = (integers[dtype] ?? specials).slice(0, kinds)
  const draw = (): number | bigint => choices[Math.floor(random() * choices.length)]!
  const data = Array.from({ length: count(shape) }, draw)
  const values: TensorSpec = { dtype, shape, data }
  return sample(`${dtype} [${shape}] ${JSON.stringify(args)}`, values, ...args)
}

const cases: readonly (readonly [RecordName, readonly Sample[]])[] = [
  [
    'kthvalue',
    [
      ...[1, 2, 40, 69, 70].map(k => rows('f32', [70], [k])),
      rows('f64', [2, 60], [31]),
      rows('bf16', [2, 3, 40], [20]),
      rows('f16', [33, 9], [17, 0]),
      rows('i64', [3, 50], [25]),
      rows('i32', [50, 3], [9, 0]),
      rows('u8', [90], [45]),
      rows('bool', [90], [45]),
      rows('i64', [40], [13], 1),
      rows('f32', [5], [5]),
    ],
  ],
  ['median', [rows('f32', [8, 9], []), rows('i32', [100], [])]],
  ['medianWithIndices', [rows('f32', [3, 50], []), rows('f64', [40, 2], [0])]],
  ['nanmedianWithIndices', [rows('f32', [3, 50], []), rows('f32', [2, 20], [], 1)]],
]

describe('the reference is given, with sizes known and not known', () => {
  for (const [name, samples] of cases)
    it(name, () => {
      const record = recordTable[name] as OpRecord
      for (const each of samples) {
        const expected = expectedResults(record, each)
        const least = name === 'kthvalue' ? Math.max(2, Number(each.args[1])) : 2
        for (const graph of [graphOf(record, each), symbolicGraphOf(record, each, least)]) {
          const results = runPlan(planOf(graph, true, { policy }, target), each.inputs)
          for (const [i, result] of results.entries())
            expect(difference(result, expected[i]!, exact), `${each.name}, ${i}`).toBeNull()
        }
      }
    })
})

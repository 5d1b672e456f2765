/**
 * Where elements of a scatter meet, they are put one after another, in the order of the index; on a GPU the last one is put,
 * and sums are in any order unless the graph is deterministic: then they are the same integers' sums in any order.
 */
import { describe, expect, it } from 'vitest'
import { recordTable } from '../../src/graph/ops/index.js'
import type { HostTensor } from '../../src/graph/record.js'
import { type Expectation, exact, expectC, expectInterpreted, expectSimulatedGpu } from '../quant/everywhere.js'
import { gpu, planOf, runPlan } from '../schedule/run.js'
import { difference, type Tolerance } from '../support/compare.js'
import { graphOf } from '../support/record-graph.js'
import { sample } from '../support/sample-kinds.js'
import { randomSpec, seededRandom, spec } from '../support/tensor-spec.js'

const [rows, length] = [3, 150]

/** 150 elements of each row for some places, of which 4 are used: along the last dim, or with the other dim last. */
function meeting(dim: 0 | 1, fold: 'set' | 'add', places: number): Expectation {
  const random = seededRandom(dim + 5)
  const shape = (along: number): number[] => (dim === 1 ? [rows, along] : [along, rows])
  const self = randomSpec(1, 'f32', shape(places))
  const source = randomSpec(2, 'f32', shape(length), { low: -1e4, high: 1e4 })
  const index = source.data.map(() => places - 1 - Math.floor(random() * 4))
  const result = self.data.map(Number)
  const at = (row: number, i: number, along: number): number => (dim === 1 ? row * along + i : i * rows + row)
  for (let row = 0; row < rows; row++)
    for (let i = 0; i < length; i++) {
      const from = at(row, i, length)
      const to = at(row, index[from]!, places)
      const value = Number(source.data[from])
      result[to] = fold === 'set' ? value : Math.fround(result[to]! + value)
    }
  const options = fold === 'set' ? [] : [{ reduce: 'add' }]
  return {
    sample: sample(
      `${fold} along dim ${dim}, ${places} places`,
      self,
      dim,
      spec('i64', shape(length), index),
      source,
      ...options,
    ),
    results: [{ dtype: 'f32', shape: shape(places), data: result }],
  }
}

describe('scatter elements with equal indices', () => {
  const cases = ([0, 1] as const).flatMap(dim =>
    (['set', 'add'] as const).flatMap(fold => [4, 700].map(places => meeting(dim, fold, places))),
  )
  const record = recordTable.scatter

  // The reference adds in float64.
  it('graph interpreter', () => expectInterpreted(record, cases, () => exact, { reference: false }))
  it('C', () => expectC(record, cases))
  it('blocks of GPU threads', () => {
    const close = ({ sample }: Expectation): Tolerance =>
      sample.name.startsWith('add') ? { relative: 1e-6, absolute: 0.02, anyZero: false } : exact
    for (const each of cases) expect(expectSimulatedGpu(record, [each], () => close(each))).toEqual([])
  })
})

/** The sum of f32 elements with their permutation; the result is −0 or special where its own elements say so. */
const sumOf = (self: readonly number[], index: readonly number[], source: readonly number[]): HostTensor => {
  const operands = [spec('f32', [self.length], self), 0, spec('i64', [index.length], index)] as const
  const each = sample('sum', ...operands, spec('f32', [source.length], source), { reduce: 'add' })
  const graph = { ...graphOf(recordTable.scatter, each), deterministic: true } as const
  return runPlan(planOf(graph, true, {}, gpu), each.inputs)[0]!
}

describe('values that are put back at equal indices', () => {
  const unpooled = sample('equal', spec('f32', [1, 1, 4], [1, 2, 3, 4]), spec('i64', [1, 1, 4], [5, 0, 5, 0]), 2)
  const last: HostTensor = { dtype: 'f32', shape: [1, 1, 8], data: [4, 0, 0, 0, 0, 3, 0, 0] }

  it('are the last ones in C, and in deterministic graphs on a GPU', () => {
    expectC(recordTable.maxUnpool1d, [{ sample: unpooled, results: [last] }])
    const graph = { ...graphOf(recordTable.maxUnpool1d, unpooled), deterministic: true } as const
    expect(runPlan(planOf(graph, true, {}, gpu), unpooled.inputs)[0]).toEqual(last)
  })
})

describe('deterministic sums on a GPU', () => {
  const random = seededRandom(3)
  const index = Array.from({ length: 400 }, () => Math.floor(random() * 7) - 1)
  const source = index.map(() => Math.fround((random() - 0.5) * 10 ** (20 * random() - 10)))
  const self = Array.from({ length: 6 }, () => Math.fround(random() * 100))

  it('are the exact sums, rounded once, in any order of the elements', () => {
    const exactly = self.map((start, place) =>
      index.reduce((sum, at, i) => (at === place ? sum + source[i]! : sum), start),
    )
    const expected: HostTensor = { dtype: 'f32', shape: [6], data: exactly.map(Math.fround) }
    const once = sumOf(self, index, source)
    expect(difference(once, expected, { relative: 1e-7, absolute: 0, anyZero: false })).toBeNull()
    expect(sumOf(self, index.toReversed(), source.toReversed()).data).toEqual(once.data)
  })

  it('have the special values that additions have', () => {
    const [inf, nan] = [Number.POSITIVE_INFINITY, Number.NaN]
    const at = [0, 0, 1, 2, 3, 3, 4, 5, 5, 6]
    const put = [inf, 1, -inf, nan, inf, -inf, -0, 3e38, 3e38, 1e-45].map(Math.fround)
    const tiny = Math.fround(1e-45)
    expect(sumOf([0, 0, 0, 0, -0, 0, 0, -0], at, put).data).toEqual([inf, -inf, nan, nan, -0, inf, tiny, -0])
  })
})

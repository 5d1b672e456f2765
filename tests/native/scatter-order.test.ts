/** Where elements of a scatter meet, they are put one after another, in the order of the index, on every target. */
import { describe, expect, it } from 'vitest'
import { recordTable } from '../../src/graph/ops/index.js'
import { type Expectation, exact, expectC, expectInterpreted, expectSimulatedGpu } from '../quant/everywhere.js'
import { sample } from '../support/sample-kinds.js'
import { randomSpec, seededRandom, spec } from '../support/tensor-spec.js'

const [rows, length, places] = [3, 150, 4]

/** 150 elements of each row for 4 places: along the last dim, or with the other dim last. */
function meeting(dim: 0 | 1, fold: 'set' | 'add'): Expectation {
  const random = seededRandom(dim + 5)
  const shape = (along: number): number[] => (dim === 1 ? [rows, along] : [along, rows])
  const self = randomSpec(1, 'f32', shape(places))
  const source = randomSpec(2, 'f32', shape(length), { low: -1e4, high: 1e4 })
  const index = source.data.map(() => Math.floor(random() * places))
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
    sample: sample(`${fold} along dim ${dim}`, self, dim, spec('i64', shape(length), index), source, ...options),
    results: [{ dtype: 'f32', shape: shape(places), data: result }],
  }
}

describe('scatter elements with equal indices', () => {
  const cases = ([0, 1] as const).flatMap(dim => (['set', 'add'] as const).map(fold => meeting(dim, fold)))
  const record = recordTable.scatter

  // The reference adds in float64.
  it('graph interpreter', () => expectInterpreted(record, cases, () => exact, { reference: false }))
  it('C', () => expectC(record, cases))
  it('blocks of GPU threads', () => expect(expectSimulatedGpu(record, cases)).toEqual([]))
})

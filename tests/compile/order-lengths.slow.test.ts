import { describe, expect, it } from 'vitest'
import { compile, type Tensor, tensor } from '../../src/index.js'

/** Values that repeat, with NaN and both zeros among them. */
const valueAt = (i: number): number => (i % 37 === 5 ? Number.NaN : i % 11 === 0 ? -0 : ((i * 7919) % 101) - 50)

const isBefore = (a: number, b: number, descending: boolean): number => {
  const order = Number.isNaN(a) || Number.isNaN(b) ? Number(Number.isNaN(a)) - Number(Number.isNaN(b)) : a - b
  return descending ? -order : order
}

const orderOf = (row: readonly number[], descending: boolean): number[] =>
  row.map((_, i) => i).sort((i, j) => isBefore(row[i]!, row[j]!, descending) || i - j)

describe('rows around the lengths that decide how they are sorted', () => {
  it.each([1, 31, 64, 100, 255, 256, 257, 16_385])('%s floats', length => {
    const rows = [0, 1, 2].map(row => Array.from({ length }, (_, i) => valueAt(i + row)))
    for (const descending of [false, true]) {
      const sort = compile((x: Tensor) => x.sort(1, descending))
      const { values, indices } = sort(tensor(rows, { dtype: 'f32' }))
      const order = rows.map(row => orderOf(row, descending))
      expect(indices.toArray()).toEqual(order)
      expect(values.toArray()).toEqual(rows.map((row, r) => order[r]!.map(i => row[i]!)))
    }
  })

  it.each([
    ['of one byte', (i: number) => (i * 7919) % 200],
    ['of any size', (i: number) => ((i * 7919) % 20_011) * (i % 3 === 0 ? -(2 ** 30) : 2 ** 20) + 0],
    ['that are equal', () => 7],
  ] as const)('integers %s skip the bytes that they share', (_, value) => {
    const row = Array.from({ length: 20_000 }, (_, i) => value(i))
    for (const dtype of ['i64', 'i32'] as const) {
      const stored = dtype === 'i64' ? row : row.map(each => each | 0)
      const { values, indices } = compile((x: Tensor) => x.sort())(tensor(stored, { dtype }))
      const order = orderOf(stored, false)
      expect(indices.toArray()).toEqual(order)
      expect(values.toArray()).toEqual(order.map(i => stored[i]!))
    }
  })
})

it.each([1, 33, 128, 129])('the first %s of a row', k => {
  const row = Array.from({ length: 70_000 }, (_, i) => valueAt(i * 3))
  const { values, indices } = compile((x: Tensor) => x.topk(k))(tensor(row, { dtype: 'f32' }))
  const order = orderOf(row, true).slice(0, k)
  expect(indices.toArray()).toEqual(order)
  expect(values.toArray()).toEqual(order.map(i => row[i]!))
  const nth = compile((x: Tensor) => x.kthvalue(k))(tensor(row, { dtype: 'f32' }))
  expect(nth.indices.itemSync()).toBe(orderOf(row, false)[k - 1])
})

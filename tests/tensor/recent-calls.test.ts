/** Eager calls that are recognised as one of the last: what makes two calls alike, and what does not. */
import { describe, expect, it } from 'vitest'
import { copyPlain, samePlain } from '../../src/base/canonical.js'
import { recordTable } from '../../src/graph/ops/index.js'
import { arange, type Tensor } from '../../src/index.js'
import type { Attrs } from '../../src/ir/node.js'
import { RecentCalls } from '../../src/tensor/recent-calls.js'
import type { OpArgument } from '../../src/tensor/tracer.js'

const { add, sum } = recordTable
const matrix = (): Tensor => arange(12, { dtype: 'f32' }).reshape([3, 4])

describe('recent calls', () => {
  const known = (inputs: readonly OpArgument[], attrs: Attrs) => {
    const calls = new RecentCalls<string>()
    calls.add(add, inputs, attrs, 'known')
    return (again: readonly OpArgument[], with_: Attrs = attrs): string | undefined => calls.find(add, again, with_)
  }

  it('are alike for other tensors of the same dtypes, sizes and strides, at any offset', () => {
    const find = known([matrix(), matrix().t()], {})
    expect(find([matrix(), matrix().t()])).toBe('known')
    const later = arange(24, { dtype: 'f32' }).narrow(0, 12, 12).reshape([3, 4])
    expect(later.layout.offset).toBe(12)
    expect(find([later, matrix().t()])).toBe('known')
  })

  it('differ by op, dtype, size, stride, number of inputs and attributes', () => {
    const find = known([matrix()], { dims: [1], keepdim: false })
    expect(find([matrix()])).toBe('known')
    expect(find([matrix().to('f64')])).toBeUndefined()
    expect(find([arange(12, { dtype: 'f32' }).reshape([4, 3])])).toBeUndefined()
    expect(find([arange(12, { dtype: 'f32' }).reshape([4, 3]).t()])).toBeUndefined()
    expect(find([matrix(), matrix()])).toBeUndefined()
    expect(find([matrix()], { dims: [0], keepdim: false })).toBeUndefined()
    expect(find([matrix()], { dims: [1, 0], keepdim: false })).toBeUndefined()
    expect(find([matrix()], { dims: [1] })).toBeUndefined()
    expect(new RecentCalls().find(sum, [matrix()], {})).toBeUndefined()
  })

  it('are alike for other plain numbers that kernels take as the same dtype', () => {
    const find = known([matrix(), 3], {})
    expect(find([matrix(), 4])).toBe('known')
    expect(find([matrix(), 2n ** 60n])).toBe('known')
    expect(find([matrix(), 2 ** 60])).toBe('known')
    for (const other of [0.5, -0, 2 ** 70, true]) expect(find([matrix(), other])).toBeUndefined()
    expect(find([matrix(), arange(1).reshape([])])).toBeUndefined()
    expect(find([3, matrix()])).toBeUndefined()
    const ofTensor = known([matrix(), arange(1).reshape([])], {})
    expect(ofTensor([matrix(), arange(1).reshape([])])).toBe('known')
    expect(ofTensor([matrix(), 3])).toBeUndefined()
  })

  it('keep their attributes when the caller changes its lists', () => {
    const dims = [1]
    const find = known([matrix()], { dims })
    dims[0] = 0
    expect(find([matrix()], { dims: [1] })).toBe('known')
    expect(find([matrix()], { dims })).toBeUndefined()
  })

  it('are the last eight of each op', () => {
    const calls = new RecentCalls<number>()
    for (let dim = 0; dim < 9; dim++) calls.add(sum, [matrix()], { dim }, dim)
    const found = Array.from({ length: 9 }, (_, dim) => calls.find(sum, [matrix()], { dim }))
    expect(found).toEqual([undefined, 1, 2, 3, 4, 5, 6, 7, 8])
  })
})

it('plain data are compared as their canonical texts, but for the order of keys', () => {
  const bytes = (n: number): Uint8Array => new Uint8Array([n])
  const distinct = [0, -0, Number.NaN, null, undefined, '0', 0n, false, [], [0], [[0]], {}, { a: 0 }, { b: 0 }]
  const all = [...distinct, { a: undefined }, { a: [0, 1] }, bytes(0), bytes(1)]
  for (const [i, a] of all.entries()) {
    for (const [j, b] of all.entries()) expect([i, j, samePlain(a, copyPlain(b))]).toEqual([i, j, i === j])
  }
})

it('eager results at another offset, with another number, and after a list has changed', () => {
  const x = arange(24, { dtype: 'f32' })
  const rows = [0, 12].map(start => x.narrow(0, start, 12).reshape([3, 4]))
  expect(rows.map(row => row.add(1).select(0, 0).toArray())).toEqual([
    [1, 2, 3, 4],
    [13, 14, 15, 16],
  ])
  expect(rows.map(row => row.t().select(0, 1).toArray())).toEqual([
    [1, 5, 9],
    [13, 17, 21],
  ])
  expect([2, 0.5, 3].map(n => rows[0]!.mul(n).select(1, 1).toArray())).toEqual([
    [2, 10, 18],
    [0.5, 2.5, 4.5],
    [3, 15, 27],
  ])
  const dims = [0]
  expect(rows[0]!.sum(dims).toArray()).toEqual([12, 15, 18, 21])
  dims[0] = 1
  expect(rows[0]!.sum(dims).toArray()).toEqual([6, 22, 38])
  for (const row of rows) row.narrow(1, 0, 1).add_(100)
  expect(x.narrow(0, 11, 3).toArray()).toEqual([11, 112, 13])
})

import { describe, expect, it } from 'vitest'
import { arange, bincount, maskedSelect, nonzero, tensor, uniqueWithParts, zeros } from '../../src/index.js'
import { interpretedWhenQuick } from '../support/interpreted.js'

interpretedWhenQuick()

describe('results whose size depends on values', () => {
  it('nonzero lists indices in order', () => {
    const x = arange(60).remainder(7).eq(3).reshape([3, 4, 5])
    const expected = Array.from({ length: 60 }, (_, i) => i)
      .filter(i => i % 7 === 3)
      .map(i => [Math.floor(i / 20), Math.floor(i / 5) % 4, i % 5])
    expect(nonzero(x).toArray()).toEqual(expected)
  })

  it.each([
    ['nothing set', () => zeros([4, 2]), [0, 2]],
    ['no elements', () => zeros([0, 3]), [0, 2]],
    ['a number', () => tensor(5), [1, 0]],
    ['the number 0', () => tensor(0), [0, 0]],
  ] as const)('nonzero of %s', (_, make, shape) => expect(nonzero(make()).shape).toEqual(shape))

  it('maskedSelect takes strided values and broadcast masks', () => {
    const x = arange(12).reshape([3, 4]).transpose(0, 1)
    const mask = tensor([true, false, true])
    expect(maskedSelect(x, mask).toArray()).toEqual([0, 8, 1, 9, 2, 10, 3, 11])
    expect(maskedSelect(x, tensor(false)).shape).toEqual([0])
  })

  it('masks among indices pick in row-major order, over one dim or several', () => {
    const x = arange(24).reshape([2, 3, 4])
    const columns = tensor([true, false, false, true])
    expect(x.get('all', 'all', columns).toArray()).toEqual([
      [
        [0, 3],
        [4, 7],
        [8, 11],
      ],
      [
        [12, 15],
        [16, 19],
        [20, 23],
      ],
    ])
    const rows = tensor([
      [false, true, false],
      [true, false, true],
    ])
    expect(x.get(rows).select(1, 0).toArray()).toEqual([4, 12, 20])
    expect(x.get(x.remainder(10).eq(3)).toArray()).toEqual([3, 13, 23])
    expect(x.get(x.lt(0)).shape).toEqual([0])
    expect(x.indexPut([rows], -1).sum().itemSync()).toBe(276 - 22 - 54 - 86 - 12)
    expect(() => maskedSelect(x, tensor([true, false]))).toThrow(
      'maskedSelect: shapes [2, 3, 4] and [2] do not broadcast',
    )
    expect(() => bincount(tensor([3, -1], { dtype: 'i64' }))).toThrow('bincount: the value -1 is negative')
  })

  it('uniqueWithParts says where each value is, and how often', () => {
    const { values, inverse, counts } = uniqueWithParts(tensor([5, 2, 5, 5, 9, 2]))
    expect([values.toArray(), inverse.toArray(), counts.toArray()]).toEqual([
      [2, 5, 9],
      [1, 0, 1, 1, 2, 0],
      [2, 3, 1],
    ])
    expect(bincount(tensor([3, 1, 3], { dtype: 'i64' })).toArray()).toEqual([0, 1, 0, 2])
  })
})

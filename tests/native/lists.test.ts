import { describe, expect, it } from 'vitest'
import {
  arange,
  bernoulli,
  chunk,
  compile,
  dropout,
  full,
  Generator,
  manualSeed,
  maskedSelect,
  meshgrid,
  nonzero,
  ones,
  randperm,
  split,
  type Tensor,
  tensor,
  unbind,
} from '../../src/index.js'
import { hasCompiler } from '../support/compiler.js'

describe.skipIf(!hasCompiler)('ops that give several tensors (needs a C compiler)', () => {
  const x = arange(10)

  it('split, chunk and unbind cut into views', () => {
    expect(split(x, 4).map(part => part.toArray())).toEqual([
      [0, 1, 2, 3],
      [4, 5, 6, 7],
      [8, 9],
    ])
    expect(x.split([1, 9])[0]!.toArray()).toEqual([0])
    expect(chunk(x, 4).map(part => part.shape[0])).toEqual([3, 3, 3, 1])
    expect(unbind(x.reshape([2, 5]), 1).map(part => part.toArray())).toEqual([
      [0, 5],
      [1, 6],
      [2, 7],
      [3, 8],
      [4, 9],
    ])
    const y = ones([4])
    y.split(2)[1]!.fill_(7)
    expect(y.toArray()).toEqual([1, 1, 7, 7])
    expect(() => split(x, [3, 3])).toThrow('split: sizes [3, 3] add up to 6, dim 0 has 10 elements')
    expect(() => split(x, 0)).toThrow('split: a part of 0 elements')
  })

  it('split works inside compiled functions', () => {
    const f = compile((a: Tensor) => a.chunk(2).reduce((p, q) => p.sub(q)))
    expect(f(x).toArray()).toEqual([-5, -5, -5, -5, -5])
  })

  it('meshgrid in both indexings', () => {
    const [a, b] = meshgrid([arange(2), arange(3)]) as [Tensor, Tensor]
    expect(a.toArray()).toEqual([
      [0, 0, 0],
      [1, 1, 1],
    ])
    expect(b.toArray()).toEqual([
      [0, 1, 2],
      [0, 1, 2],
    ])
    const [c, d] = meshgrid([arange(2), arange(3)], { indexing: 'xy' }) as [Tensor, Tensor]
    expect(c.toArray()).toEqual([
      [0, 1],
      [0, 1],
      [0, 1],
    ])
    expect(d.toArray()).toEqual([
      [0, 0],
      [1, 1],
      [2, 2],
    ])
  })

  it('maskedSelect and nonzero read their mask, and are refused in compiled functions', () => {
    const m = tensor([
      [1, 0],
      [0, 2],
    ])
    expect(maskedSelect(m, m.ne(0)).toArray()).toEqual([1, 2])
    expect(maskedSelect(m, tensor([true, false])).toArray()).toEqual([1, 0])
    expect(nonzero(m).toArray()).toEqual([
      [0, 0],
      [1, 1],
    ])
    expect(nonzero(tensor([0, 0])).shape).toEqual([0, 1])
    expect(() => compile((a: Tensor) => maskedSelect(a, a.ne(0)))(m)).toThrow(
      'the size of the result depends on values',
    )
  })

  it('a diagonal and a window are views; what overlaps is not written in place', () => {
    const m = ones([3, 3])
    m.diagonal().fill_(0)
    expect(m.toArray()).toEqual([
      [0, 1, 1],
      [1, 0, 1],
      [1, 1, 0],
    ])
    expect(m.transpose(0, 1).diagonal(1).toArray()).toEqual([1, 1])
    expect(() => ones([5]).unfold(0, 3, 1).add_(1)).toThrow('share memory')
  })

  it('in-place scatter', () => {
    const z = full([4], 1)
    expect(z.scatterAdd_(0, tensor([1, 1, 3], { dtype: 'i64' }), ones([3]))).toBe(z)
    expect(z.toArray()).toEqual([1, 3, 1, 2])
  })

  it('random choices follow the generator', () => {
    manualSeed(3)
    const first = randperm(50).toArray() as number[]
    expect([...first].sort((a, b) => a - b)).toEqual(Array.from({ length: 50 }, (_, i) => i))
    expect(randperm(50).toArray()).not.toEqual(first)
    manualSeed(3)
    expect(randperm(50).toArray()).toEqual(first)
    const generator = new Generator(1)
    expect(
      bernoulli(full([1000], 0.25), { generator })
        .sum()
        .itemSync(),
    ).toBeGreaterThan(180)
    const dropped = dropout(ones([1000]), { p: 0.25, generator })
    expect(new Set(dropped.toArray() as number[]).size).toBe(2)
    expect(dropout(x, { training: false })).toBe(x)
    const f = compile((a: Tensor) => dropout(a))
    expect(f(ones([64])).toArray()).not.toEqual(f(ones([64])).toArray())
  })
})

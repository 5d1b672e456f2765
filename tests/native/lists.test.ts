import { describe, expect, it } from 'vitest'
import {
  allclose,
  arange,
  bernoulli,
  bincount,
  chunk,
  columnStack,
  compile,
  dropout,
  dsplit,
  dstack,
  equal,
  full,
  Generator,
  hsplit,
  hstack,
  manualSeed,
  maskedSelect,
  meshgrid,
  nonzero,
  ones,
  randperm,
  split,
  type Tensor,
  tensor,
  tensorSplit,
  unbind,
  unique,
  uniqueConsecutive,
  uniqueWithParts,
  vsplit,
  vstack,
} from '../../src/index.js'
import { hasCompiler } from '../support/compiler.js'
import { interpretedWhenQuick } from '../support/interpreted.js'

interpretedWhenQuick()

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
    expect(() => split(x, 0)).toThrow('split: splitSize is 0, not an integer of at least 1')
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

  it('maskedSelect and nonzero read their mask, and are refused in whole graphs', () => {
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
    expect(() => compile((a: Tensor) => maskedSelect(a, a.ne(0)), { fullgraph: true })(m)).toThrow(
      'values are read while compiled function is captured',
    )
  })

  it('unique values, their positions and counts', () => {
    const m = tensor([
      [3, 1],
      [2, 3],
    ])
    expect(unique(m).toArray()).toEqual([1, 2, 3])
    const { values, inverse, counts } = uniqueWithParts(m)
    expect(values.toArray()).toEqual([1, 2, 3])
    expect(inverse.toArray()).toEqual([
      [2, 0],
      [1, 2],
    ])
    expect(counts.toArray()).toEqual([1, 1, 2])
    const runs = uniqueConsecutive(tensor([1, 1, 2, 1], { dtype: 'i32' }))
    expect(runs.values.toArray()).toEqual([1, 2, 1])
    expect(runs.inverse.toArray()).toEqual([0, 0, 1, 2])
    expect(runs.counts.toArray()).toEqual([2, 1, 1])
    expect(unique(tensor([Number.NaN, 1, Number.NaN])).shape).toEqual([3])
    expect(unique(tensor([], { dtype: 'f32' })).shape).toEqual([0])
    expect(() => unique(m, { sort: true } as object)).toThrow("unique: no parameter 'sort'")
    expect(() => compile((a: Tensor) => unique(a), { fullgraph: true })(m)).toThrow(
      'values are read while compiled function is captured',
    )
  })

  it('bincount counts integers', () => {
    const v = tensor([1, 3, 1, 0], { dtype: 'i64' })
    expect(bincount(v).toArray()).toEqual([1, 2, 0, 1])
    expect(bincount(v, { minlength: 6 }).shape).toEqual([6])
    expect(bincount(v, { weights: tensor([0.5, 1, 2, 4]) }).toArray()).toEqual([4, 2.5, 0, 1])
    expect(bincount(tensor([], { dtype: 'i32' })).shape).toEqual([0])
    expect(() => bincount(tensor([1.5]))).toThrow('holds no integers')
    expect(() => bincount(tensor([-1], { dtype: 'i32' }))).toThrow('bincount: the value -1 is negative')
    expect(() => bincount(v, { weights: tensor([1]) })).toThrow('for 4 elements')
  })

  it('allclose and equal give booleans, in compiled functions too', () => {
    const a = tensor([1, 2, Number.NaN])
    expect(allclose(a, a)).toBe(false)
    expect(allclose(a, a, { equalNan: true })).toBe(true)
    expect(equal(tensor([1, 2]), tensor([1, 2]))).toBe(true)
    expect(equal(tensor([1, 2]), tensor([[1, 2]]))).toBe(false)
    const f = compile((p: Tensor, q: Tensor) => (allclose(p, q) ? p.add(1) : p.sub(1)))
    expect(f(tensor([1]), tensor([1])).toArray()).toEqual([2])
    expect(f(tensor([1]), tensor([3])).toArray()).toEqual([0])
  })

  it('stacks and splits as PyTorch does', () => {
    const [a, b] = [tensor([1, 2]), tensor([3, 4])]
    expect(hstack([a, b]).toArray()).toEqual([1, 2, 3, 4])
    expect(vstack([a, b]).shape).toEqual([2, 2])
    expect(dstack([a, b]).toArray()).toEqual([
      [
        [1, 3],
        [2, 4],
      ],
    ])
    expect(columnStack([a, b]).toArray()).toEqual([
      [1, 3],
      [2, 4],
    ])
    expect(hstack([vstack([a]), vstack([b])]).shape).toEqual([1, 4])
    expect(tensorSplit(x, 3).map(part => part.shape[0])).toEqual([4, 3, 3])
    expect(tensorSplit(x, [2, -1, 20]).map(part => part.shape[0])).toEqual([2, 7, 1, 0])
    expect(x.tensorSplit(3).map(part => part.shape[0])).toEqual([4, 3, 3])
  })

  it('hsplit, vsplit and dsplit invert the stacks', () => {
    const m = arange(12).reshape([2, 6])
    expect(hsplit(x, 2).map(part => part.toArray())).toEqual([[0, 1, 2, 3, 4], [5, 6, 7, 8, 9]]) // biome-ignore format: one line
    expect(equal(hstack(m.hsplit([1, 4])), m)).toBe(true)
    expect(m.vsplit(2).map(part => part.shape)).toEqual([[1, 6], [1, 6]]) // biome-ignore format: one line
    expect(equal(vstack(vsplit(m, [1])), m)).toBe(true)
    const c = arange(24).reshape([2, 3, 4])
    expect(dsplit(c, 2)[1]!.toArray()).toEqual(c.narrow(2, 2, 2).toArray())
    expect(equal(dstack(c.dsplit({ indicesOrSections: [3] })), c)).toBe(true)
    expect(() => m.hsplit(4)).toThrow('hsplit: dim 1 of i64[2, 6] does not divide into 4 equal parts')
    expect(() => x.vsplit(2)).toThrow('vsplit: i64[10] has fewer than 2 dims')
    expect(() => m.dsplit(0)).toThrow('indicesOrSections is 0')
  })

  it('max of a tensor, along a dim and of two tensors is captured as it is eagerly', () => {
    const m = tensor([[1, 5, 3], [4, 2, 6]]) // biome-ignore format: one line
    const f = compile((a: Tensor) => [a.max(), a.max(1).indices, a.max(a.neg()), a.median(0).values])
    expect(f(m).map(one => one.toArray())).toEqual([6, [1, 2], m.toArray(), [1, 2, 3]])
  })

  it('a diagonal and a window are views; overlapping views are not written in place', () => {
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

/** What of PyTorch's surface is no op: indexing by tensors, iteration, transposes as properties, patterns, draws by weight. */
import { beforeAll, describe, expect, it } from 'vitest'
import {
  arange,
  atleast3d,
  blockDiag,
  cartesianProd,
  combinations,
  corrcoef,
  cov,
  cumulativeTrapezoid,
  gridSample,
  interpolate,
  linalg,
  manualSeed,
  multinomial,
  oneHot,
  rearrange,
  reduce,
  renorm,
  repeatInterleave,
  repeatPattern,
  tensor,
  trapezoid,
  trilIndices,
  triuIndices,
  vander,
  zeros,
} from '../../src/index.js'
import { functional as F } from '../../src/nn/index.js'
import { useInterpreter } from '../support/reference-executor.js'

beforeAll(() => {
  useInterpreter()
})

const cube = () => arange(24, { dtype: 'i64' }).reshape([2, 3, 4])
const ints = (values: number[]) => tensor(values, { dtype: 'i64' })

describe('get with tensors', () => {
  it('selects by integers along their dim, negative ones from the end', () => {
    expect(
      cube()
        .get('all', ints([2, 0, -1]))
        .toArray(),
    ).toEqual([
      [
        [8, 9, 10, 11],
        [0, 1, 2, 3],
        [8, 9, 10, 11],
      ],
      [
        [20, 21, 22, 23],
        [12, 13, 14, 15],
        [20, 21, 22, 23],
      ],
    ])
    expect(cube().get('...', tensor([[0, 3]], { dtype: 'i32' })).shape).toEqual([2, 3, 1, 2])
    expect(
      cube()
        .get(tensor(-1, { dtype: 'i64' }))
        .toArray(),
    ).toEqual(cube().select(0, 1).toArray())
  })

  it('makes new dims, before, between and after others', () => {
    const index = tensor([1n, 0n])
    expect(cube().get('newaxis').shape).toEqual([1, 2, 3, 4])
    expect(cube().get('all', 'newaxis', 1).shape).toEqual([2, 1, 4])
    expect(cube().get('...', 'newaxis', 'newaxis').shape).toEqual([2, 3, 4, 1, 1])
    expect(cube().get('newaxis', '...', [0, 2], 'newaxis').shape).toEqual([1, 2, 3, 2, 1])
    expect(cube().get('all', 'newaxis', index).shape).toEqual([2, 1, 2, 4])
    expect(cube().get('all', index).toArray()).toEqual(cube().get('all', 'newaxis', index).squeeze(1).toArray())
    expect(tensor(3).get('newaxis', '...').toArray()).toEqual([3])
    expect(() => cube().get(0, 0, 0, 'newaxis', 0)).toThrow(/slice: 5 ranges for \[2, 3, 4, 1\]/)
  })

  it("selects by several tensors: the result's dims stay in place if they are adjacent, else come first", () => {
    const x = arange(120).reshape([2, 3, 4, 5])
    expect(x.get('all', ints([0, 2]), ints([1, 3])).toArray()).toEqual(
      (x.toArray() as number[][][][]).map(a => [a[0]![1], a[2]![3]]),
    )
    expect(x.get(ints([0, 1]), 'all', ints([1, 3])).shape).toEqual([2, 3, 5])
    expect(x.get(ints([0, 1]), 'all', ints([1, 3])).toArray()).toEqual([
      [0, 1, 2].map(i => (x.toArray() as number[][][][])[0]![i]![1]),
      [0, 1, 2].map(i => (x.toArray() as number[][][][])[1]![i]![3]),
    ])
    expect(x.get(0, ints([0, 1]).reshape([2, 1]), ints([1, 3])).shape).toEqual([2, 2, 5])
    expect(x.get(0, [1, 3], ints([1, 3])).shape).toEqual([2, 2, 5])
  })

  it('selects by masks over as many dims as they have', () => {
    const x = cube()
    expect(x.get(x.gt(20)).toArray()).toEqual([21, 22, 23])
    expect(x.get(tensor([false, true])).toArray()).toEqual([x.select(0, 1).toArray()])
    expect(x.get('all', tensor([true, false, true])).shape).toEqual([2, 2, 4])
    expect(x.get('...', tensor([true, false, false, true])).shape).toEqual([2, 3, 2])
    expect(x.get(x.lt(0)).shape).toEqual([0])
  })

  it('reports mismatches', () => {
    const x = cube()
    expect(() => x.get(ints([2]))).toThrow(/get: index 2 is out of range for dim 0 of size 2/)
    expect(() => x.get('all', ints([0, -4]))).toThrow(/get: index -4 is out of range for dim 1 of size 3/)
    expect(() => x.get(tensor([0.5]))).toThrow(/neither integers nor bool/)
    expect(() => x.get(tensor([true]))).toThrow(/does not cover dims/)
    expect(() => x.get(0, 0, 0, ints([0]))).toThrow(/ShapeError|slice/)
  })
})

describe('arguments given as tensors', () => {
  const at = (value: number) => tensor(value, { dtype: 'i64' })

  it('positions give views', () => {
    const x = arange(8).reshape([2, 4])
    expect(x.narrow(1, at(-3), 2).toArray()).toEqual(x.narrow(1, 1, 2).toArray())
    expect(x.narrow({ dim: 1, start: at(2), length: 1 }).toArray()).toEqual([[2], [6]])
    x.select(1, at(-1)).fill_(0)
    expect(x.select(1, 3).toArray()).toEqual([0, 0])
    expect(() => x.narrow(1, at(3), 2)).toThrow(/narrow: start 3 and length 2/)
    expect(() => x.select(0, at(2))).toThrow(/index 2 is out of range/)
    expect(() => x.select(0, at(-3))).toThrow(/index -3 is out of range/)
    expect(() => x.select(0, tensor(0.5))).toThrow(/select: index is a tensor of f32, which holds no integers/)
    expect(() => x.select(0, tensor(true))).toThrow(/holds no integers/)
    expect(() => x.narrow(0, ints([0, 1]), 1)).toThrow(/more or less than one integer/)
  })

  it('classes and repeats depend on the data', () => {
    expect(oneHot(ints([1, 0, 3])).shape).toEqual([3, 4])
    expect(oneHot(at(2), -1).toArray()).toEqual([0, 0, 1])
    expect(() => oneHot(ints([]))).toThrow(/the tensor has no elements to find it from/)
    expect(() => oneHot(ints([-1]))).toThrow(/negative/)
    expect(() => oneHot(tensor([1.5]))).toThrow(/holds no integers/)
    const x = tensor([1, 2, 3])
    expect(repeatInterleave(x, ints([1, 0, 2])).toArray()).toEqual([1, 3, 3])
    expect(x.repeatInterleave(at(2)).toArray()).toEqual([1, 1, 2, 2, 3, 3])
    expect(repeatInterleave(ints([1, 2, 0])).toArray()).toEqual([0, 1, 1])
    expect(() => x.repeatInterleave(ints([1, 2, 0]), { outputSize: 4 })).toThrow(/outputSize is 4, .* add up to 3/)
    expect(() => x.repeatInterleave(ints([1, -2, 0]))).toThrow(/repeats holds -2/)
    expect(() => x.repeatInterleave(ints([1, 2]))).toThrow(/one count for each/)
    expect(() => x.repeatInterleave(tensor([1, 2, 0.5]))).toThrow(/holds no integers/)
  })
})

describe('properties and iteration', () => {
  it('T and mT are transposes', () => {
    const x = cube()
    expect(x.mT.toArray()).toEqual(x.transpose(1, 2).toArray())
    expect(x.get(0).T.shape).toEqual([4, 3])
    expect(() => x.T).toThrow(/at most 2 dims/)
    expect(() => ints([1]).mT).toThrow(/at least 2 dims/)
  })

  it('iterates over the slices along the first dim, as views', () => {
    const x = zeros([3, 2])
    for (const row of x) row.fill_(1)
    expect(Array.from(x, row => row.toArray())).toEqual([
      [1, 1],
      [1, 1],
      [1, 1],
    ])
    expect([...zeros([0, 2])]).toEqual([])
    expect(() => [...tensor(1)]).toThrow(/0-d tensor/)
  })

  it('copy_ takes numbers', () => {
    expect(zeros([2], { dtype: 'i32' }).copy_(3).toArray()).toEqual([3, 3])
    expect(() => zeros([2]).copy_('x' as never)).toThrow(/copy_: value is/)
  })

  it("linalg has PyTorch's names", () => {
    expect(linalg.vectorNorm(tensor([3, 4])).itemSync()).toBe(5)
  })
})

describe('patterns', () => {
  const x = () => arange(24, { dtype: 'f32' }).reshape([2, 3, 4])

  it('rearrange', () => {
    expect(rearrange(x(), 'a b c -> c (a b)').toArray()).toEqual(x().permute(2, 0, 1).reshape(4, 6).toArray())
    expect(rearrange(x(), 'a b (h d) -> a h b d', { h: 2 }).toArray()).toEqual(
      x().reshape(2, 3, 2, 2).permute(0, 2, 1, 3).toArray(),
    )
    expect(rearrange(x(), '... c -> c ...').shape).toEqual([4, 2, 3])
    expect(rearrange(x(), 'a ... -> a (...)').shape).toEqual([2, 12])
    expect(rearrange(x(), 'a b c -> a 1 b c 1').shape).toEqual([2, 1, 3, 4, 1])
    expect(rearrange(x().unsqueeze(1), 'a 1 b c -> (a b c)').shape).toEqual([24])
    expect(rearrange(x(), 'a b c->a b c').toArray()).toEqual(x().toArray())
  })

  it('reduce and repeatPattern', () => {
    expect(reduce(x(), 'a b c -> b', 'mean').toArray()).toEqual(x().mean([0, 2]).toArray())
    expect(reduce(x(), 'a b (c p) -> a b c', 'max', { p: 2 }).toArray()).toEqual(
      x().reshape(2, 3, 2, 2).amax(3).toArray(),
    )
    expect(reduce(x(), 'a b c -> ', 'sum').itemSync()).toBe(276)
    expect(reduce(x().add(1), '... c -> ...', 'prod').toArray()).toEqual(x().add(1).prod(2).toArray())
    expect(repeatPattern(tensor([1, 2]), 'a -> (a n)', { n: 2 }).toArray()).toEqual([1, 1, 2, 2])
    expect(repeatPattern(tensor([1, 2]), 'a -> (n a)', { n: 2 }).toArray()).toEqual([1, 2, 1, 2])
    expect(repeatPattern(x(), 'a b c -> a b c k', { k: 5 }).shape).toEqual([2, 3, 4, 5])
  })

  it('reports mismatches', () => {
    for (const [pattern, sizes, message] of [
      ['a b c', {}, /0 arrows/],
      ['a b -> b a', {}, /names 2 dims, the tensor is/],
      ['a b (c d) -> a b c d', {}, /sizes of c and d .* are not known/],
      ['a b (c d) -> a b c d', { c: 3 }, /dim 2 .* has 4 elements, 'c d' makes 3 times d/],
      ['a b c -> a b c', { c: 5 }, /has 4 elements, 'c' makes 5/],
      ['a b c -> a b', {}, /'c' is only before the arrow/],
      ['a b c -> a b c d', {}, /'d' is only behind the arrow/],
      ['a a c -> a c', {}, /'a' twice/],
      ['a (b c -> a b c', {}, /not closed/],
      ['a b c) -> a b c', {}, /stray '\)'/],
      ['a b c -> a b c', { e: 1 }, /no 'e' in the pattern/],
      ['a b c -> a b c', { c: 1.5 }, /size of 'c' is the number 1.5/],
      ['a b $ -> a b', {}, /'\$' in the pattern/],
      ['1 b c -> b c', {}, /dim 0 .* '1' makes 1/],
    ] as const)
      expect(() => rearrange(x(), pattern, sizes), pattern).toThrow(message)
    expect(() => reduce(x(), 'a b c -> a', 'median' as never)).toThrow(/reduction is/)
    expect(() => rearrange(x(), 3 as never)).toThrow(/pattern is 3/)
    expect(() => rearrange(x(), 'a b c -> a b c', 4 as never)).toThrow(/rearrange/)
  })
})

describe('multinomial', () => {
  it('draws as often as the weights say, with replacement', () => {
    manualSeed(3)
    const counts = [0, 0, 0, 0]
    for (const i of multinomial(tensor([0, 1, 3, 0]), 4000, true).toArray() as number[]) counts[i]!++
    expect([counts[0], counts[3]]).toEqual([0, 0])
    expect(Math.abs(counts[1]! - 1000)).toBeLessThan(120)
  })

  it('draws each index at most once without replacement, the first by the weights', () => {
    manualSeed(5)
    const weights = tensor([1, 0, 2, 5]).unsqueeze(0).expand([2000, 4])
    const drawn = multinomial(weights, 3).toArray() as number[][]
    for (const row of drawn) expect([...row].sort()).toEqual([0, 2, 3])
    expect(Math.abs(drawn.filter(row => row[0] === 3).length - 1250)).toBeLessThan(100)
    // Given that 3 came first, 2 comes next twice as often as 0.
    const next = drawn.filter(row => row[0] === 3)
    expect(Math.abs(next.filter(row => row[1] === 2).length / next.length - 2 / 3)).toBeLessThan(0.06)
  })

  it('rejects invalid weights', () => {
    expect(() => multinomial(tensor([1, -1]), 1)).toThrow(/negative, infinite or NaN/)
    expect(() => multinomial(tensor([1, 0]), 2)).toThrow(/1 weights above 0 for 2 samples/)
    expect(() => multinomial(tensor([1, 2]), 3)).toThrow(/3 samples of 2 weights/)
    expect(() => multinomial(ints([1]), 1)).toThrow(/the weights are i64/)
    expect(() => multinomial(tensor(1), 1)).toThrow(/neither a vector nor a matrix/)
  })
})

/** Values of PyTorch's documentation. */
describe('as documented', () => {
  const close = (actual: { toArray(): unknown }, expected: readonly unknown[]) => {
    const flat = (value: unknown): number[] => (Array.isArray(value) ? value.flatMap(flat) : [value as number])
    const [a, c] = [flat(actual.toArray()), flat(expected)]
    expect(a.length).toBe(c.length)
    for (const [i, value] of a.entries()) expect(value).toBeCloseTo(c[i]!, 4)
  }
  const image = () =>
    tensor([
      [
        [
          [1, 2],
          [3, 4],
        ],
      ],
    ])

  it('upsample and related functions', () => {
    const wide = [1, 1.25, 1.75, 2, 1.5, 1.75, 2.25, 2.5, 2.5, 2.75, 3.25, 3.5, 3, 3.25, 3.75, 4]
    const corners = [1, 4 / 3, 5 / 3, 2, 5 / 3, 2, 7 / 3, 8 / 3, 7 / 3, 8 / 3, 3, 10 / 3, 3, 10 / 3, 11 / 3, 4]
    close(F.upsample(image(), { scaleFactor: 2, mode: 'bilinear' }), wide)
    close(F.upsample(image(), 4, null, 'bilinear', true), corners)
    close(F.upsampleBilinear(image(), { scaleFactor: 2 }), corners)
    close(F.upsampleNearest(image(), [2, 4]), [1, 1, 2, 2, 3, 3, 4, 4])
    close(interpolate(arange(4, { dtype: 'f32' }).reshape([1, 1, 4]), { size: 2, mode: 'area' }), [0.5, 2.5])
    // A cubic runs through what is linear, and antialiased halves are symmetric.
    const line = arange(8, { dtype: 'f32' }).reshape([1, 1, 1, 8]).expand([1, 1, 8, 8])
    const small = interpolate(line, { size: 2, mode: 'bicubic', antialias: true })
    expect(small.select(3, 0).add(small.select(3, 1)).toArray()).toEqual([[[7, 7]]])
    expect(() => interpolate(image(), { size: 1, antialias: true })).toThrow(/antialias is not for mode 'nearest'/)
    expect(() => interpolate(image(), { size: 1, mode: 'area', alignCorners: true })).toThrow(
      /no meaning in mode 'area'/,
    )
    expect(() => F.upsample(image(), { size: 2, scaleFactor: 2 })).toThrow(/either size or scaleFactor/)
  })

  it('covariance and correlation', () => {
    const x = tensor([
      [0, 2],
      [1, 1],
      [2, 0],
    ]).t()
    close(cov(x), [1, -1, -1, 1])
    close(cov(x, { correction: 0 }), [2 / 3, -2 / 3, -2 / 3, 2 / 3])
    close(corrcoef(x), [1, -1, -1, 1])
    close(cov(x, { fweights: ints([1, 2, 1]) }), [2 / 3, -2 / 3, -2 / 3, 2 / 3])
    expect(() => cov(x, { fweights: ints([1, -2, 1]) })).toThrow(/fweights holds -2/)
    expect(() => cov(x, { aweights: tensor([1, 2]) })).toThrow(/aweights \[2\] for 3 observations/)
    const far = cov(tensor([[1e7, 1e7 + 1, 1e7 + 2, 1e7 + 3]]))
    close(far, [5 / 3])
  })

  it('areas, powers, rows with bounded norms', () => {
    close(trapezoid(tensor([1, 5, 10])), [10.5])
    close(trapezoid(tensor([1, 5, 10]), tensor([1, 3, 6])), [28.5])
    close(trapezoid(tensor([1, 5, 10]), { dx: 2 }), [21])
    close(cumulativeTrapezoid(tensor([1, 5, 10])), [3, 10.5])
    close(vander(tensor([1, 2, 3, 5]), 3), [1, 1, 1, 4, 2, 1, 9, 3, 1, 25, 5, 1])
    const rows = tensor([
      [1, 1, 1],
      [2, 2, 2],
      [3, 3, 3],
    ])
    close(renorm(rows, 1, 0, 5), [1, 1, 1, ...new Array<number>(6).fill(5 / 3)])
  })

  it('positions and blocks', () => {
    expect(combinations(ints([1, 2, 3])).toArray()).toEqual([
      [1, 2],
      [1, 3],
      [2, 3],
    ])
    expect(combinations(ints([1, 2]), 2, true).toArray()).toEqual([
      [1, 1],
      [1, 2],
      [2, 2],
    ])
    expect(cartesianProd(ints([1, 2]), ints([4, 5])).toArray()).toEqual([
      [1, 4],
      [1, 5],
      [2, 4],
      [2, 5],
    ])
    expect(trilIndices(3, 3).toArray()).toEqual([
      [0, 1, 1, 2, 2, 2],
      [0, 0, 1, 0, 1, 2],
    ])
    expect(triuIndices(2, 3, 1, { dtype: 'i32' }).toArray()).toEqual([
      [0, 0, 1],
      [1, 2, 2],
    ])
    expect(blockDiag(ints([1, 2]), ints([3]).reshape([1, 1])).toArray()).toEqual([
      [1, 2, 0],
      [0, 0, 3],
    ])
    expect(atleast3d(ints([1, 2])).shape).toEqual([1, 2, 1])
    expect(() => blockDiag(zeros([1, 1, 1]))).toThrow(/more than two dims/)
    expect(() => cartesianProd([])).toThrow(/list is empty/)
  })

  it('images sampled at positions', () => {
    const grid = tensor([
      [
        [
          [-1, -1],
          [0, 0],
          [1, 1],
          [3, 0],
        ],
      ],
    ])
    close(gridSample(image(), grid, { alignCorners: true }), [1, 2.5, 4, 0])
    close(gridSample(image(), grid, { mode: 'nearest', paddingMode: 'border', alignCorners: true }), [1, 1, 4, 2])
    expect(() => gridSample(image(), grid.to('f64'))).toThrow(/the input is f32, the grid f64/)
  })

  it('norms of matrices, except those of singular values', () => {
    const x = arange(9, { dtype: 'f32' }).sub(4).reshape([3, 3])
    const { norm, matrixNorm } = linalg
    close(norm(x), [7.746])
    close(norm(x, 'fro'), [7.746])
    const [inf, ninf] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
    expect([inf, ninf, 1, -1].map(ord => norm(x, ord).itemSync())).toEqual([9, 2, 7, 6])
    expect(matrixNorm(x.expand([2, 3, 3]), 1, [0, 2]).toArray()).toEqual([8, 2, 8])
    for (const ord of ['nuc', 2, -2] as const)
      expect(() => matrixNorm(x, ord)).toThrow(/singular values, which are not/)
    expect(() => norm(x.reshape([9]), 'nuc')).toThrow(/a norm of matrices/)
    expect(() => x.norm('nuc')).toThrow(/singular values/)
  })

  it('topk of no element is empty, for every dtype', () => {
    for (const dtype of ['f32', 'bf16', 'i64', 'u8'] as const) {
      const { values, indices } = zeros([3, 4], { dtype }).topk(0, { dim: 0 })
      expect([values.shape, values.dtype, indices.shape, values.numel()]).toEqual([[0, 4], dtype, [0, 4], 0])
    }
  })
})

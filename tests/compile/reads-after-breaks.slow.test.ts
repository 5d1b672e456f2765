/**
 * Functions with graph breaks whose segments compute with numbers that they have read: a new value costs a trace of the
 * segment, never a compilation.
 */
import { describe, expect, it } from 'vitest'
import {
  arange,
  type CompileOptions,
  cat,
  compile,
  full,
  manualSeed,
  ones,
  rand,
  scalar,
  type Tensor,
  tensor,
  where,
  zeros,
} from '../../src/index.js'

const values = (t: Tensor): number[] => Array.from(t.dataSync() as Float32Array, Number)

type Function = (x: Tensor, y: Tensor) => Tensor

/** Calls `f` compiled and as it is, for all sizes twice, and compares; returns how often it compiled. */
function compilesOf(f: Function, options: CompileOptions): number {
  const g = compile(f, options)
  for (const round of [1, 2]) {
    for (const n of sizes) {
      const [a, b] = [argumentsOf(n), argumentsOf(n)]
      const [got, expected] = [g(...a), f(...b)]
      const call = `round ${round}, size ${n}`
      expect([got.shape, got.dtype, values(got)], call).toEqual([expected.shape, expected.dtype, values(expected)])
      expect(a.map(values), call).toEqual(b.map(values))
    }
  }
  return g.stats().compiles
}

const sizes = [5, 9, 4, 11, 6, 12, 3]
const argumentsOf = (n: number): [Tensor, Tensor] => [arange(n).to('f32'), arange(((n * 7) % 13) + 3).to('f32')]

/** The size of a vector, as a number that a graph break reads. */
const sizeRead = (x: Tensor): number => x.mul(0).add(1).sum().itemSync() as number

const w = arange(20).to('f32')

type Case = [name: string, compiles: number, f: Function]

describe('a number that was read', () => {
  // A segment compiles for the first size and for all, and once more where a guess from two sizes was wrong.
  it.each<Case>([
    ['narrow to all but one', 4, x => x.narrow(0, 0, sizeRead(x) - 1).mul(2)],
    [
      'narrow from one on',
      4,
      x => {
        const n = sizeRead(x)
        return x.narrow(0, 1, n - 1).add(x.narrow(0, 0, n - 1))
      },
    ],
    ['added to arange', 4, x => x.add(arange(sizeRead(x)))],
    ['reshape', 4, x => x.reshape([sizeRead(x), 1]).mul(x)],
    [
      'expand',
      4,
      x =>
        ones([1, 2])
          .expand([sizeRead(x), 2])
          .add(x.unsqueeze(1)),
    ],
    ['repeat', 4, x => x.repeat([sizeRead(x)]).add(1)],
    ['zeros', 4, x => zeros([sizeRead(x)]).add(x)],
    [
      'as a size and as a value',
      4,
      x => {
        const n = sizeRead(x)
        return full([n + 1], n + 0.5)
      },
    ],
    ['pad', 4, x => x.pad([0, sizeRead(x)]).mul(2)],
    ['slice', 4, x => x.slice([0, sizeRead(x) - 2]).mul(2)],
    ['cat', 4, x => cat([x, zeros([sizeRead(x)])])],
    ['half, rounded', 4, x => x.narrow(0, 0, Math.floor(sizeRead(x) / 2)).mul(2)],
    ['chunk', 5, x => x.chunk(2, 0)[0]!.add(sizeRead(x))],
    ['roll', 4, x => x.roll(sizeRead(x) - 1, 0)],
    [
      'squares',
      4,
      x => {
        const n = sizeRead(x)
        return ones([n, n]).triu(1).matmul(x.unsqueeze(1)).reshape([n])
      },
    ],
    [
      'random numbers',
      4,
      x =>
        rand([sizeRead(x), 2])
          .mul(0)
          .add(x.unsqueeze(1)),
    ],
    ['the place of an element', 4, x => x.narrow(0, 0, (x.argmax().itemSync() as number) + 1).mul(2)],
    ['host data', 4, x => tensor([sizeRead(x), 1]).add(x.narrow(0, 0, 2))],
    ['a part of what is closed over', 4, x => w.narrow(0, 0, sizeRead(x)).add(x)],
    [
      'in place',
      4,
      x => {
        const n = sizeRead(x)
        x.narrow(0, 1, n - 1).mul_(2)
        return x.sum().add(n)
      },
    ],
    ['and a boxed number', 4, x => x.narrow(0, 0, sizeRead(x) - 1).mul(scalar(x.numel() + 0.5))],
    [
      'sizes of two arguments',
      8,
      (x, y) => {
        const [n, m] = [sizeRead(x), sizeRead(y)]
        return x
          .reshape([n, 1])
          .mul(y.narrow(0, 0, m - 1))
          .reshape([n * (m - 1)])
      },
    ],
    [
      'in a loop, down to one element',
      7,
      x => {
        let y = x
        for (let i = 0; i < 3; i++) y = y.narrow(0, 0, Math.max(1, sizeRead(y) - 1)).mul(2)
        return y
      },
    ],
  ])('%s: %i compilations', (_, compiles, f) => {
    expect(compilesOf(f, {}), 'auto').toBeLessThanOrEqual(compiles)
    expect(compilesOf(f, { dynamic: true }), 'dynamic').toBeLessThanOrEqual(compiles)
  })

  it('is right with a version per shape, and for ranges of sizes', () => {
    const f: Function = x => {
      const n = sizeRead(x)
      return x
        .narrow(0, 0, n - 1)
        .mul(2)
        .add(arange(n - 1))
    }
    const perShape = compilesOf(f, { dynamic: false })
    expect(perShape).toBeGreaterThanOrEqual(sizes.length)
    expect(compilesOf(f, { bucket: 'pow2' })).toBeLessThan(perShape)
  })
})

describe('a view that goes over a graph break', () => {
  const overSeed = (x: Tensor): Tensor => {
    manualSeed(1)
    return x
  }
  it.each<Case>([
    ['as it is', 4, x => overSeed(x.to('f32'))],
    ['expanded', 4, x => overSeed(x.unsqueeze(1).expand([x.shape[0]!, 3])).add(1)],
    ['a part', 4, x => overSeed(x.mul(2).narrow(0, 1, x.size(0) - 1)).add(arange(x.size(0) - 1))],
    // The first two sizes are odd, but the half is no formula of odd sizes only. One element is a version of its own.
    ['a half', 4, x => overSeed(x.chunk(2, 0)[0]!.mul(2))],
    [
      'every other element of a half',
      6,
      x => overSeed(x.unsqueeze(1).chunk(2, 0)[0]!.slice([0, null, 2]).contiguous()),
    ],
    [
      'the end, from a third on',
      4,
      x => overSeed(x.narrow(0, x.dim(0).ceilDiv(3), x.dim(0).floorDiv(3)).mul(2)).add(1),
    ],
    ['a repetition', 4, x => overSeed(x.repeat([x.size(0)])).narrow(0, 0, x.size(0))],
  ])('%s: %i compilations', (_, compiles, f) => {
    expect(compilesOf(f, {}), 'auto').toBeLessThanOrEqual(compiles)
    expect(compilesOf(f, { dynamic: true }), 'dynamic').toBeLessThanOrEqual(compiles)
  })
})

describe('without a graph break', () => {
  it.each<Case>([
    ['a part that ends beyond the dim', 2, x => where(ones([3]).gt(0), w.narrow(0, 0, 3).slice([0, x.size(0)]), 1)],
    [
      'a part of one argument, and the size of another',
      2,
      (x, y) => x.narrow(0, 0, x.dim(0).ceilDiv(4)).mul(y.numel()),
    ],
    [
      'a part of a part whose size is read',
      3,
      x => {
        const y = x.slice([null, -1])
        return y.mul(y.numel()).chunk(2, 0)[0]!
      },
    ],
  ])('%s: %i compilations', (_, compiles, f) => {
    expect(compilesOf(f, {}), 'auto').toBeLessThanOrEqual(compiles)
    expect(compilesOf(f, { dynamic: true }), 'dynamic').toBeLessThanOrEqual(compiles)
  })

  it('another number of parts is another version', () => {
    const f = compile((x: Tensor) => x.slice([null, -1]).mul(x.numel()).split(4)[0]!, { onRecompile: 'error' })
    f(arange(4).to('f32'))
    expect(() => f(arange(9).to('f32'))).toThrow(/compiles again/)
  })
})

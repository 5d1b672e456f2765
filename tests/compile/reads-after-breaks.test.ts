/**
 * Functions with graph breaks whose stretches compute with numbers that they have read: a new value costs a trace of the
 * stretch, never a compilation.
 */
import { describe, expect, it } from 'vitest'
import {
  arange,
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

type Calls<A extends readonly unknown[]> = readonly A[]

/** Calls `f` compiled and as it is, twice each; returns how often it compiled. */
function compilesOf<A extends readonly unknown[]>(
  f: (...args: A) => Tensor,
  calls: Calls<A>,
  options: Parameters<typeof compile>[1] = {},
): number {
  const g = compile(f as never, options) as unknown as ((...args: A) => Tensor) & { stats(): { compiles: number } }
  for (const round of [1, 2]) {
    for (const [i, call] of calls.entries()) {
      const [got, expected] = [g(...call), f(...call)]
      expect([got.shape, got.dtype], `round ${round}, call ${i}`).toEqual([expected.shape, expected.dtype])
      expect(values(got), `round ${round}, call ${i}`).toEqual(values(expected))
    }
  }
  return g.stats().compiles
}

/** Ends what was recorded so far, and gives a number that is `add` more than the size. */
function readSize(x: Tensor, add = 0): number {
  return (x.mul(0).add(1).sum().itemSync() as number) + add
}

const sizes = [5, 9, 4, 11, 6, 12]
const vectors = sizes.map(n => [arange(n).to('f32')] as [Tensor])
const matrices = sizes.map(
  n =>
    [
      arange(n * 3)
        .to('f32')
        .reshape([n, 3]),
    ] as [Tensor],
)

describe('a number that was read decides shapes behind the read', () => {
  it.each<[string, (x: Tensor) => Tensor]>([
    ['narrow to all but one', x => x.narrow(0, 0, readSize(x) - 1).mul(2)],
    ['narrow from one on', x => x.narrow(0, 1, readSize(x) - 1).add(x.narrow(0, 0, readSize(x) - 1))],
    ['added to arange', x => x.add(arange(readSize(x)))],
    ['reshape', x => x.reshape([readSize(x), 1]).mul(x)],
    [
      'expand',
      x =>
        ones([1, 2])
          .expand([readSize(x), 2])
          .add(x.unsqueeze(1)),
    ],
    ['repeat', x => x.repeat([readSize(x)]).add(1)],
    ['zeros', x => zeros([readSize(x)]).add(x)],
    ['full with a value that was read', x => full([readSize(x, 1)], readSize(x))],
    ['pad', x => x.pad([0, readSize(x)]).mul(2)],
    ['slice', x => x.slice([0, readSize(x) - 2]).mul(2)],
    ['cat', x => cat([x, zeros([readSize(x)])])],
    ['half', x => x.narrow(0, 0, Math.floor(readSize(x) / 2)).mul(2)],
    [
      'random numbers',
      x =>
        rand([readSize(x), 2])
          .mul(0)
          .add(x.unsqueeze(1)),
    ],
    [
      'a random seed in between',
      x => {
        const y = x.neg()
        manualSeed(3)
        return y.narrow(0, 0, x.shape[0]! - 1).add(arange(x.shape[0]! - 1))
      },
    ],
    [
      'two reads',
      x => {
        const [n, m] = [readSize(x), readSize(x.narrow(0, 1, 3))]
        return x.reshape([1, n]).expand([m, n]).add(arange(n))
      },
    ],
  ])('%s', (_, f) => {
    // Per stretch: the first size, all sizes, and numbers that move once more.
    const stretches = 1 + (f.toString().match(/readSize|manualSeed/g) ?? []).length
    for (const options of [{}, { dynamic: true }]) {
      expect(compilesOf(f, vectors, options), JSON.stringify(options)).toBeLessThanOrEqual(3 * stretches)
    }
  })
})

/** Sizes and numbers that a function computes with in JavaScript: a new value costs a trace, never a compilation. */
import { describe, expect, it } from 'vitest'
import {
  arange,
  cat,
  compile,
  manualSeed,
  ones,
  rand,
  ShapeError,
  type Tensor,
  tensor,
  zeros,
} from '../../src/index.js'
import { interpretedWhenQuick } from '../support/interpreted.js'

interpretedWhenQuick()

const values = (t: Tensor): number[] => Array.from(t.dataSync() as Float32Array, Number)

/** Calls `f` compiled and as it is, and compares. */
function agrees<A extends readonly unknown[]>(
  f: (...args: A) => Tensor,
  calls: readonly A[],
  options: Parameters<typeof compile>[1] = {},
): { readonly compiles: number; readonly recompiles: readonly string[] } {
  const g = compile(f as never, options) as unknown as ((...args: A) => Tensor) & {
    stats(): { compiles: number; recompiles: readonly string[] }
  }
  for (const round of [1, 2]) {
    for (const [i, call] of calls.entries()) {
      const [got, expected] = [g(...call), f(...call)]
      expect([got.shape, got.dtype], `round ${round}, call ${i}`).toEqual([expected.shape, expected.dtype])
      const [a, b] = [values(got), values(expected)]
      for (const [at, value] of a.entries()) expect(value, `round ${round}, call ${i}`).toBeCloseTo(b[at]!, 4)
    }
  }
  return g.stats()
}

/** Ends what was recorded so far. */
function overBreak(x: Tensor): Tensor {
  x.sum().itemSync()
  return x
}

const sizes = [3, 4, 5, 7, 12, 6]
const vectors = sizes.map(n => [arange(n).to('f32')] as [Tensor])

/** Every stretch of a function with graph breaks: for the first size, for all sizes, and where numbers move once more. */
describe('in functions with graph breaks', () => {
  it.each<[string, number, (x: Tensor) => Tensor]>([
    ['sizes of what goes over the break', 4, x => overBreak(x.mul(2)).neg()],
    ['a size that nothing uses', 4, x => (x.size(0) > 0 ? overBreak(x.mul(2)) : x)],
    ['a size as a number', 5, x => overBreak(x).mul(x.size(0))],
    [
      'a size in creation',
      5,
      x =>
        overBreak(x)
          .sum()
          .add(arange(x.size(0))),
    ],
    [
      'sizes of two shapes',
      6,
      x =>
        rand([overBreak(x).size(0), 2])
          .mul(0)
          .add(
            x
              .sum()
              .add(zeros([x.numel() + 1, 1]))
              .sum(),
          ),
    ],
  ])('%s: %i compilations', (_, compiles, f) => {
    expect(agrees(f, vectors).compiles).toBeLessThanOrEqual(compiles)
    expect(agrees(f, vectors, { dynamic: true }).compiles).toBeLessThanOrEqual(compiles)
  })

  it('a size that decides a branch is guarded where there is no graph break', () => {
    const f = (x: Tensor): Tensor => (x.size(0) > 5 ? x.mul(x.size(0)) : overBreak(x).add(1))
    agrees(f, vectors)
    agrees(f, vectors, { dynamic: true })
  })

  it('random draws are the same as without compiling', () => {
    const f = (x: Tensor): Tensor => rand([overBreak(x).size(0) + 1]).add(rand([2]).sum())
    const g = compile(f, { dynamic: true })
    for (const [x] of vectors) {
      const [wanted, got] = [f, g].map(draw => {
        manualSeed(5)
        return values(draw(x))
      })
      expect(got).toEqual(wanted)
    }
  })
})

describe('sizes that are read', () => {
  it.each<[string, (x: Tensor) => Tensor]>([
    ['a size that nothing uses', x => ((x.shape[0] ?? 0) > 0 ? x.mul(2) : x)],
    ['as a size', x => x.reshape([x.shape[0]!, 1]).expand([x.shape[0]!, 2]).sum(1)],
    ['as a number', x => x.mul(x.size(0)).add(1 / x.numel())],
    ['less one', x => x.narrow(0, 1, x.size(0) - 1).add(x.narrow(0, 0, x.size(0) - 1))],
    [
      'in a product',
      x =>
        x
          .unsqueeze(1)
          .matmul(x.unsqueeze(0))
          .reshape([x.numel() * x.numel()]),
    ],
    [
      'in creation',
      x =>
        x
          .add(arange(x.size(0)))
          .add(zeros([x.size(0)]))
          .add(ones([1, x.size(0)]).sum(0)),
    ],
    ['in host data', x => x.add(tensor([x.size(0), 1]).sum())],
    [
      'in random shapes',
      x =>
        rand([x.size(0)])
          .mul(0)
          .add(x),
    ],
    [
      'of a result',
      x => {
        const y = cat([x, x])
        return y.reshape([2, y.size(0) / 2]).sum(0)
      },
    ],
    [
      'from several places',
      x =>
        x
          .reshape([1, x.size(0)])
          .mul(x.numel())
          .add(x.shape.length)
          .reshape([x.shape[0]!]),
    ],
  ])('%s', (_, f) => {
    expect(agrees(f, vectors).compiles).toBeLessThanOrEqual(2)
    expect(agrees(f, vectors, { dynamic: true }).compiles).toBeLessThanOrEqual(2)
    expect(agrees(f, vectors, { dynamic: true, bucket: 'pow2' }).compiles).toBeLessThanOrEqual(7)
    expect(agrees(f, vectors, { dynamic: false }).compiles).toBe(sizes.length)
  })

  it('two sizes that vary independently', () => {
    const f = (x: Tensor): Tensor =>
      x
        .reshape([x.shape[0]! * x.shape[1]!])
        .mul(x.shape[1]!)
        .add(x.shape[0]!)
    const calls = [
      [3, 4],
      [5, 4],
      [5, 7],
      [2, 9],
      [9, 2],
      [6, 6],
    ].map(([n, m]) => [ones([n!, m!])] as [Tensor])
    expect(agrees(f, calls).compiles).toBeLessThanOrEqual(5)
  })

  it('halves: a line through two points is not a half, as the third trace shows', () => {
    const f = (x: Tensor): Tensor => x.narrow(0, 0, Math.floor(x.size(0) / 2)).sum()
    expect(agrees(f, vectors).compiles).toBeLessThanOrEqual(3)
  })

  it('a guess that two traces allow and the third refutes costs a compilation, but never gives a wrong number', () => {
    const f = (x: Tensor): Tensor => x.mul(2 ** x.size(0)).narrow(0, 0, Math.min(4, x.size(0)))
    expect(agrees(f, vectors).compiles).toBeLessThanOrEqual(5)
  })

  it('branches on sizes have separate versions', () => {
    const f = (x: Tensor): Tensor => (x.size(0) > 4 ? x.mul(2).sum() : x.add(1))
    expect(agrees(f, vectors).compiles).toBeLessThanOrEqual(4)
  })

  it('loops over sizes have separate versions', () => {
    const f = (x: Tensor): Tensor => {
      let y = x
      for (let i = 0; i < x.size(0); i++) y = y.add(i)
      return y
    }
    expect(agrees(f, vectors).compiles).toBe(sizes.length)
  })

  it("errors are the function's own, at its line, for sizes that were never compiled", () => {
    const f = compile((x: Tensor) => x.reshape([x.size(0) - (x.size(0) % 2), 1]))
    for (const n of [2, 4, 6, 8]) expect(f(ones([n])).shape).toEqual([n, 1])
    expect(() => f(ones([7]))).toThrow(ShapeError)
    expect(f(ones([10])).shape).toEqual([10, 1])
  })

  it('a decode loop of fifty tokens compiles at most three times', () => {
    const f = compile((cache: { k: Tensor }, x: Tensor) => {
      const [n] = cache.k.shape as [number]
      cache.k = cat([cache.k, x])
      const scores = cache.k.matmul(x.reshape([4, 1])).reshape([n + 1])
      return scores
        .add(arange(n + 1).mul(-0.1))
        .softmax(0)
        .mul(n)
    })
    const cache = { k: ones([1, 4]) }
    for (let i = 1; i <= 50; i++) expect(f(cache, ones([1, 4])).shape).toEqual([i + 1])
    expect(cache.k.shape).toEqual([51, 4])
    expect(f.stats().compiles).toBeLessThanOrEqual(3)
  })
})

describe('numbers among the arguments', () => {
  const x = arange(6).to('f32')
  it.each<[string, (x: Tensor, k: number) => Tensor, number]>([
    ['that nothing uses', (x, k) => (k > -1 ? x.mul(2) : x), 1],
    ['as operands', (x, k) => x.mul(k).add(k + 0.5), 2],
    ['in arithmetic of JavaScript', (x, k) => x.div(1 - 0.9 ** (k + 1)), 2],
    ['in host data', (x, k) => x.add(tensor([k, 1]).sum()), 1],
  ])('%s', (_, f, compiles) => {
    expect(
      agrees(
        f,
        [1, 2, 3, 5, 8].map(k => [x, k] as [Tensor, number]),
      ).compiles,
    ).toBe(compiles)
  })

  it('integers, fractions and −0 are distinguished where dtypes depend on it', () => {
    const f = (t: Tensor, k: number): Tensor => t.mul(k)
    agrees(
      f,
      [1, 2, 0.5, 3, -0, 2.5].map(k => [arange(3), k] as [Tensor, number]),
    )
  })

  it('in objects, changing together', () => {
    const f = (t: Tensor, o: { lr: number; steps: number[] }): Tensor => t.mul(o.lr).add(o.steps[1]!)
    const calls = [1, 2, 3, 4].map(
      i => [x, { lr: i / 4, steps: [i, i + 1] }] as [Tensor, { lr: number; steps: number[] }],
    )
    expect(agrees(f, calls).compiles).toBeLessThanOrEqual(3)
  })

  it('traced values are remembered: the function does not run again', () => {
    let runs = 0
    const f = compile((t: Tensor, k: number) => {
      runs++
      return t.mul(k)
    })
    for (const k of [1, 2, 3, 4]) f(x, k)
    const after = runs
    for (const k of [4, 3, 2, 1, 2]) expect(values(f(x, k))[1]).toBe(k)
    expect(runs).toBe(after)
  })

  it('explain says what is read, where, and how to avoid it', () => {
    const f = compile((t: Tensor, k: number) => t.reshape([t.size(0), 1]).mul(k), { dynamic: true })
    const text = f.explain(ones([3]), 2).guards.join('\n')
    expect(text).toMatch(/args\[1\]: a number; a new value is traced once \(pass scalar\(v\) to save that\)/)
    expect(text).toMatch(/args\[0\]: size 0 is read at .*reads\.test\.ts:\d+; a new value is traced once/)
  })
})

describe('graph breaks', () => {
  it('numbers that were read are passed to the code', () => {
    const f = compile((t: Tensor) => t.sub(t.max().itemSync()).mul(2))
    for (let k = 1; k < 8; k++) expect(values(f(tensor([k, k * k + 0.5])))[1]).toBe(0)
    expect(f.stats().compiles).toBeLessThanOrEqual(3)
  })

  it('sizes are read after them', () => {
    for (const options of [{}, { dynamic: true, bucket: 'pow2' }] as const) {
      const f = compile((t: Tensor) => {
        t.sum().itemSync()
        return t.mul(t.shape[0]!)
      }, options)
      for (const n of [2, 3, 4, 5, 6]) expect(values(f(ones([n])))).toEqual(new Array(n).fill(n))
    }
  })
})

/** Functions that take boxed numbers and read sizes or numbers: neither compiles again. */
import { describe, expect, it } from 'vitest'
import { arange, cat, compile, ones, type ScalarVariable, scalar, type Tensor, zeros } from '../../src/index.js'

const values = (t: Tensor): number[] => Array.from(t.dataSync() as ArrayLike<number | bigint>, Number)
const rows = (n: number, m = 4): Tensor =>
  arange(n * m)
    .to('f32')
    .reshape([n, m])

type Step = (x: Tensor, s: ScalarVariable) => Tensor

/** Each box value at each size, twice; `compiles`: at most so often. */
function agrees(
  f: Step,
  boxes: readonly number[],
  compiles: number,
  sizes: readonly number[] = [5, 7, 6, 9, 12],
): void {
  const g = compile(f)
  const s = scalar(boxes[0]!)
  for (const round of [0, 1]) {
    for (const [i, n] of sizes.entries()) {
      for (let k = 0; k < 2; k++) {
        s.value = boxes[(i + k + round) % boxes.length]!
        const x = rows(n)
        const [got, wanted] = [g(x, s), f(x, s)]
        const call = `round ${round}, size ${n}, box ${s.value}`
        expect([got.shape, got.dtype], call).toEqual([wanted.shape, wanted.dtype])
        const expected = values(wanted)
        for (const [at, value] of values(got).entries()) expect(value, call).toBeCloseTo(expected[at]!, 4)
      }
    }
  }
  expect(g.stats().compiles, g.stats().recompiles.join('\n')).toBeLessThanOrEqual(compiles)
}

describe('boxed numbers and sizes that are read', () => {
  const fractions = [0.5, 0.25, 0.125]
  const integers = [1, 2, 3]
  it.each<[string, Step, readonly number[], number]>([
    ['a rate, and a size as an operand', (x, lr) => x.mul(lr).div(x.shape[0]!), fractions, 2],
    ['a rate by a size, on the host', (x, lr) => x.mul(lr.div(x.shape[0]!)), fractions, 2],
    ['a rate by a root of a size, on the host', (x, lr) => x.mul(lr.div(Math.sqrt(x.shape[0]! + 0.5))), fractions, 2],
    ['a rate plus a size', (x, lr) => x.mul(lr.add(x.shape[0]!)), fractions, 2],
    ['a size that nothing uses', (x, lr) => (x.numel() > 0 ? x.mul(lr) : x), fractions, 2],
    ['a position, and a window that is read', (x, at) => x.narrow(0, at, x.shape[0]! - 4), integers.slice(0, 2), 3],
    ['a position from a size', (x, at) => x.narrow(0, at.add(x.shape[0]! - 4), 1), integers, 3],
    ['a position beside reshapes', (x, at) => x.reshape([x.numel()]).narrow(0, at, 2), integers, 2],
    ['a size that both make', (x, at) => zeros([at.add(x.shape[0]!), 1]).add(x.sum()), integers, 2],
    ['a multiple', (x, at) => arange(at.mul(x.shape[0]!)).add(x.sum()), integers, 2],
    ['an operand of both', (x, at) => x.mul(at.add(x.shape[0]!)), integers, 2],
    ['x.dim(0) too', (x, at) => x.mul(at.add(x.dim(0))).add(x.shape[0]!), integers, 2],
    ['powers', (x, t) => x.div(t.pow(0.5).add(x.size(0))), [2, 3, 5], 2],
  ])('%s', (_, f, boxes, compiles) => agrees(f, boxes, compiles))

  it('a position beyond the end is rejected whatever was compiled before', () => {
    const f = compile((x: Tensor, at: ScalarVariable) => x.narrow(0, at, x.shape[0]! - 4))
    const at = scalar(1)
    for (const n of [6, 8, 7, 9]) expect(f(rows(n), at).shape).toEqual([n - 4, 4])
    at.value = 5
    for (const n of [6, 8, 7, 9]) expect(() => f(rows(n), at)).toThrow(/narrow: start 5 and length \d in dim 0/)
    at.value = 4
    for (const n of [6, 8, 7, 9]) expect(values(f(rows(n), at))).toEqual(values(rows(n).narrow(0, 4, n - 4)))
  })

  it('a box that happens to equal a size stays independent of it', () => {
    const f = (x: Tensor, n: ScalarVariable): Tensor => x.add(zeros([n, 1])).mul(x.shape[0]!)
    const g = compile(f)
    for (const n of [5, 6, 7, 8, 6]) expect(values(g(rows(n), scalar(n)))).toEqual(values(f(rows(n), scalar(n))))
    expect(() => g(rows(6), scalar(5))).toThrow(/broadcast|shape/)
    expect(() => g(rows(5), scalar(6))).toThrow(/broadcast|shape/)
  })

  it('numbers among the arguments too', () => {
    const g = compile((x: Tensor, k: number, lr: ScalarVariable) => x.mul(lr).add(k))
    for (const k of [1, 2, 3, 4]) {
      for (const lr of [0.5, 0.25]) expect(values(g(ones([1]), k, scalar(lr)))).toEqual([lr + k])
    }
    expect(g.stats().compiles).toBe(2)
  })

  it('a number that turns from a fraction into an integer changes the dtype', () => {
    const f = (x: Tensor, s: ScalarVariable): Tensor => x.mul(s.mul(x.shape[0]!))
    const g = compile(f)
    const x = (n: number): Tensor => arange(n)
    for (const n of [3, 5, 4, 7, 6]) {
      for (const s of [0.5, 0.25, 1.5]) {
        const [got, wanted] = [g(x(n), scalar(s)), f(x(n), scalar(s))]
        expect([got.dtype, ...values(got)], `${n} · ${s}`).toEqual([wanted.dtype, ...values(wanted)])
      }
    }
  })

  it('closed over, in a decode loop that reads the length of its cache', () => {
    const [rate, at] = [scalar(0.5), scalar(0)]
    const step = compile((cache: Tensor, x: Tensor) => {
      const grown = cat([cache, x])
      const n = grown.shape[0]!
      const weights = arange(n).sub(at).mul(rate.div(n))
      return { grown, out: grown.mul(weights.unsqueeze(1)).sum(0).div(n) }
    })
    let cache = rows(2)
    for (let t = 0; t < 20; t++) {
      rate.value = 0.5 / (t + 2)
      at.value = t
      const x = ones([1, 4]).mul(t)
      const all = cat([cache, x])
      const n = all.size(0)
      const wanted = all
        .mul(
          arange(n)
            .sub(t)
            .mul(rate.value / n)
            .unsqueeze(1),
        )
        .sum(0)
        .div(n)
      const { grown, out } = step(cache, x)
      for (const [i, value] of values(out).entries()) expect(value).toBeCloseTo(values(wanted)[i]!, 4)
      cache = grown
    }
    expect(step.stats().compiles).toBeLessThanOrEqual(3)
  })
})

/** Dropout on the weights of attention: the same numbers eager, compiled and at other sizes, and the ends of dropoutP. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { compile, manualSeed, rand, randn, type Tensor, zeros } from '../../src/index.js'
import { functional as F } from '../../src/nn/index.js'

beforeEach(() => void vi.stubEnv('TEGULA_BACKEND', 'interpreter'))
afterEach(() => void vi.unstubAllEnvs())

const heads = (length: number): readonly [Tensor, Tensor, Tensor] => {
  manualSeed(length)
  return [randn([2, length, 4]), randn([1, length, 4]), randn([1, length, 4])]
}
const attend = (q: Tensor, k: Tensor, v: Tensor): Tensor =>
  F.scaledDotProductAttention(q, k, v, null, 0.4, true, { enableGqa: true })

// The tile interpreter draws whole tiles, with bigints.
it('gives the same numbers eagerly and compiled for one seed, and draws equally many', { timeout: 180_000 }, () => {
  const compiled = compile(attend, { dynamic: true })
  for (const length of [3, 6]) {
    const operands = heads(length)
    const [eager, fused] = [attend, compiled].map(fn => {
      manualSeed(11)
      return [fn(...operands).toArray(), randn([3]).toArray()]
    })
    const flat = (nested: unknown): number[] => (nested as never[]).flat(Number.POSITIVE_INFINITY as 1)
    for (const [i, value] of flat(fused).entries()) expect(value).toBeCloseTo(flat(eager)[i]!, 5)
  }
  expect(compiled.stats().compiles).toBe(1)
})

it('drops weights after the softmax, and scales the others', () => {
  manualSeed(3)
  const [n, p] = [32, 0.25]
  const even = zeros([n, 4])
  // All weights are 1 / n: a row's sum of kept ones is a count of them.
  const kept = F.scaledDotProductAttention(even, even, zeros([n, 1]).add(1), { dropoutP: p })
  const counts = Array.from(kept.dataSync('f32'), value => value * n * (1 - p))
  for (const count of counts) expect(count).toBeCloseTo(Math.round(count), 4)
  const share = counts.reduce((a, b) => a + b, 0) / (n * n)
  expect(Math.abs(share - (1 - p))).toBeLessThan(6 * Math.sqrt((p * (1 - p)) / (n * n)))
})

it('draws the numbers of a tensor with the scores’ shape', () => {
  const [q, k, v] = heads(4)
  manualSeed(5)
  const fused = F.scaledDotProductAttention(q, k, v, null, 0.4, false, { scale: 0.5, enableGqa: true })
  manualSeed(5)
  const kept = rand([2, 4, 4]).ge(0.4).to('f32').div(0.6)
  const weights = q.matmul(k.transpose(-1, -2)).mul(0.5).softmax(-1)
  const expected = weights.mul(kept).matmul(v).dataSync('f32')
  for (const [i, value] of fused.dataSync('f32').entries()) expect(value).toBeCloseTo(expected[i]!, 5)
})

it('takes 0 and 1, and rejects values that are not probabilities', () => {
  const x = randn([3, 4])
  expect(F.scaledDotProductAttention(x, x, x, { dropoutP: 1 }).toArray()).toEqual(zeros([3, 4]).toArray())
  const none = F.scaledDotProductAttention(x, x, x, { dropoutP: 0 })
  expect(none.toArray()).toEqual(x.scaledDotProductAttention(x, x).toArray())
  expect(() => F.scaledDotProductAttention(x, x, x, { dropoutP: 1.5 })).toThrow('dropoutP is 1.5')
  expect(() => x.scaledDotProductAttention(x, x, { dropoutP: 0.5 } as never)).toThrow(
    'dropoutP is taken by the function',
  )
})

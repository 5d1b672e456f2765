/** The log-sum-exp of attention's scores: what it is, of which dtype, and that asking for it changes no result. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { compile, manualSeed, randn, scaledDotProductAttention, tensor } from '../../src/index.js'

beforeEach(() => void vi.stubEnv('TEGULA_BACKEND', 'interpreter'))
afterEach(() => void vi.unstubAllEnvs())

it('is the log-sum-exp of the scores, and leaves the result unchanged', () => {
  manualSeed(1)
  const [q, k, v] = [randn([2, 3, 4]), randn([2, 5, 4]), randn([2, 5, 6])]
  const mask = tensor([true, false, true, true, false])
  const [output, lse] = scaledDotProductAttention(q, k, v, { attnMask: mask, scale: 0.7, returnLse: true })
  expect(output.toArray()).toEqual(scaledDotProductAttention(q, k, v, mask, 0, false, { scale: 0.7 }).toArray())
  expect([lse.shape, lse.dtype]).toEqual([[2, 3], 'f32'])
  const scores = q.matmul(k.transpose(-1, -2)).mul(0.7).maskedFill(mask.logicalNot(), Number.NEGATIVE_INFINITY)
  const expected = scores.logsumexp(-1).dataSync('f32')
  for (const [i, value] of lse.dataSync('f32').entries()) expect(value).toBeCloseTo(expected[i]!, 5)
})

it('is −∞ for fully masked rows, and f32 for 16-bit floats', () => {
  const x = randn([3, 4]).to('bf16')
  const seen = tensor([[true], [false], [true]])
  const [, lse] = scaledDotProductAttention(x, x, x, seen, { returnLse: true })
  expect(lse.dtype).toBe('f32')
  const [first, second] = lse.dataSync('f32')
  expect(Number.isFinite(first)).toBe(true)
  expect(second).toBe(Number.NEGATIVE_INFINITY)
})

it('is of the undropped weights, and works in compiled functions of any sizes', () => {
  const both = compile(
    (q: Parameters<typeof scaledDotProductAttention>[0]) =>
      scaledDotProductAttention(q, q, q, null, 1, true, { returnLse: true }),
    { dynamic: true },
  )
  for (const length of [3, 5]) {
    const x = randn([2, length, 4])
    const [output, lse] = both(x)
    const [, plain] = scaledDotProductAttention(x, x, x, { isCausal: true, returnLse: true })
    expect(Array.from(output.dataSync('f32')).every(value => value === 0)).toBe(true)
    for (const [i, value] of lse.dataSync('f32').entries()) expect(value).toBeCloseTo(plain.dataSync('f32')[i]!, 5)
  }
  expect(both.stats().compiles).toBe(1)
})

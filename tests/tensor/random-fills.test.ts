import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  allclose,
  compile,
  Generator,
  manualSeed,
  noGrad,
  normal,
  type Tensor,
  tensor,
  zeros,
} from '../../src/index.js'
import { Dropout2d, functional as F } from '../../src/nn/index.js'

beforeEach(() => void vi.stubEnv('TEGULA_BACKEND', 'interpreter'))
afterEach(() => void vi.unstubAllEnvs())

const moments = (x: Tensor): [mean: number, std: number] => [
  x.to('f64').mean().itemSync(),
  x.to('f64').std().itemSync(),
]

/** Mean and standard deviation of each distribution. */
const fills: readonly (readonly [string, (x: Tensor) => Tensor, number, number])[] = [
  ['uniform_', x => x.uniform_(-1, 3), 1, 4 / Math.sqrt(12)],
  ['normal_', x => x.normal_(2, 0.5), 2, 0.5],
  ['exponential_', x => x.exponential_(2), 0.5, 0.5],
  ['geometric_', x => x.geometric_(0.25), 4, Math.sqrt(12)],
  ['bernoulli_', x => x.bernoulli_(0.2), 0.2, 0.4],
  ['bernoulli_ by tensor', x => x.bernoulli_(tensor([0.2])), 0.2, 0.4],
  ['random_', x => x.random_(10), 4.5, Math.sqrt(99 / 12)],
  ['random_ with both', x => x.random_(-5, 5), -0.5, Math.sqrt(99 / 12)],
  ['logNormal_', x => x.logNormal_(0, 0.25), Math.exp(1 / 32), Math.exp(1 / 32) * Math.sqrt(Math.expm1(1 / 16))],
]

describe('random numbers in place', () => {
  it.each(fills)('%s has its mean and deviation, eagerly and compiled', (_, fill, mean, std) => {
    manualSeed(1)
    const eager = fill(zeros([4000]))
    manualSeed(1)
    const compiled = compile((x: Tensor) => void fill(x))
    const other = zeros([4000])
    compiled(other)
    expect(allclose(other, eager)).toBe(true)
    const found = moments(eager)
    expect(Math.abs(found[0] - mean)).toBeLessThan((5 * std) / Math.sqrt(4000))
    expect(Math.abs(found[1] / std - 1)).toBeLessThan(0.12)
  })

  it('cauchy_ has its quartiles', () => {
    const x = zeros([4000]).cauchy_(1, 2, { generator: new Generator(3) })
    const inside = x.sub(1).abs().lt(2).to('f32').mean().itemSync()
    expect(Math.abs(inside - 0.5)).toBeLessThan(0.04)
  })

  it('integers take whole numbers only', () => {
    const x = zeros([64], { dtype: 'i32' })
    expect(Math.max(...(x.geometric_(0.5).toArray() as number[]))).toBeGreaterThan(1)
    expect(x.bernoulli_().unsqueeze(0).amax().itemSync()).toBe(1)
    expect(x.random_().abs().amax().itemSync()).toBeGreaterThan(2 ** 20)
    expect(() => x.normal_()).toThrow(/normal_: the result is f32, which i32 cannot represent/)
  })

  it('views and 16-bit floats are filled, leaves outside of noGrad are refused', () => {
    const x = zeros([2, 64], { dtype: 'bf16' })
    x.select(0, 1).uniform_(1, 2)
    expect(x.select(0, 0).abs().amax().itemSync()).toBe(0)
    expect(x.select(0, 1).amin().itemSync()).toBeGreaterThanOrEqual(1)
    const leaf = zeros([4], { requiresGrad: true })
    expect(() => leaf.normal_()).toThrow(/leaf/)
    expect(noGrad(() => leaf.normal_()).requiresGrad).toBe(true)
  })

  it.each<[string, () => unknown, RegExp]>([
    ['uniform_', () => zeros([1]).uniform_(2, 1), /uniform_: to is 1 .*at least from, 2/],
    ['normal_', () => zeros([1]).normal_(0, -1), /normal_: std is -1/],
    ['bernoulli_', () => zeros([1]).bernoulli_(1.5), /bernoulli_: p is 1.5/],
    ['normal without a size', () => normal(0, 1), /normal: no size is given/],
    ['normal', () => normal(0, -1, [2]), /normal: std is -1/],
    ['dropout2d', () => F.dropout2d(zeros([3])), /dropout2d: f32\[3\] is not \[N, C, H, W\]/],
    ['Dropout2d', () => new Dropout2d()(zeros([3, 4])), /dropout2d: f32\[3, 4\] is not \[N, C, H, W\]/],
    ['featureAlphaDropout', () => F.featureAlphaDropout(zeros([3]), 0.5, true), /has no channels in dim 1/],
    ['alphaDropout', () => F.alphaDropout(zeros([3]), 2), /alphaDropout: p is 2/],
  ])('%s refuses what is out of range', (_, call, message) => expect(call).toThrow(message))

  it('normal takes tensors and numbers', () => {
    const [mean, std] = [zeros([2, 1]).add(3), tensor([0, 1e-3, 2e-3])]
    const x = normal(mean, std, { generator: new Generator(1) })
    expect(x.shape).toEqual([2, 3])
    expect(x.select(1, 0).toArray()).toEqual([3, 3])
    expect(x.sub(3).abs().amax().itemSync()).toBeLessThan(0.01)
    expect(normal(1, 0, [2]).toArray()).toEqual([1, 1])
  })
})

describe('dropouts by function', () => {
  it.each([
    ['dropout1d', F.dropout1d, [2, 40, 3]],
    ['dropout2d', F.dropout2d, [2, 40, 3, 2]],
    ['dropout2d', F.dropout2d, [2, 40, 3]],
    ['dropout3d', F.dropout3d, [40, 3, 2, 2]],
  ] as const)('%s drops whole channels', (_, drop, shape) => {
    const x = zeros(shape).add(1)
    const channels = drop(x, 0.25).reshape([shape.length === 4 && shape[0] === 40 ? 40 : 80, -1])
    const rows = channels.toArray() as number[][]
    for (const row of rows) expect(new Set(row).size).toBe(1)
    expect(new Set(rows.map(row => row[0]!.toFixed(4)))).toEqual(new Set(['0.0000', '1.3333']))
    expect(drop(x, 0.25, false)).toBe(x)
  })

  it('alphaDropout keeps mean 0 and variance 1, and is off by default', () => {
    manualSeed(4)
    const x = zeros([4000]).normal_()
    const [mean, std] = moments(F.alphaDropout(x, 0.3, true))
    expect(Math.abs(mean)).toBeLessThan(0.08)
    expect(Math.abs(std - 1)).toBeLessThan(0.08)
    expect(F.alphaDropout(x, 0.3)).toBe(x)
    expect(F.featureAlphaDropout(x.reshape([2, 20, 100]), { p: 0.3, training: true }).shape).toEqual([2, 20, 100])
  })
})

/** batchNorm and instanceNorm in training update their running statistics in place, eagerly and compiled, as PyTorch does. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { compile, ShapeError, type Tensor, tensor, zeros } from '../../src/index.js'
import { functional as F } from '../../src/nn/index.js'

beforeEach(() => void vi.stubEnv('TEGULA_BACKEND', 'interpreter'))
afterEach(() => void vi.unstubAllEnvs())

const batch = (): Tensor => tensor([[1, 2], [3, 5], [8, 13]]) // biome-ignore format: a row is a sample
const images = (): Tensor => tensor([[[1, 2], [3, 5]], [[8, 13], [1, 1]]]) // biome-ignore format: [N, C, L]
const start = (): readonly [Tensor, Tensor] => [tensor([1, 2]), tensor([3, 4])]

type Norm = (x: Tensor, mean: Tensor, variance: Tensor) => Tensor
const train: Norm = (x, mean, variance) => F.batchNorm(x, mean, variance, { training: true, momentum: 0.25 })
const instances: Norm = (x, mean, variance) => F.instanceNorm(x, mean, variance, { momentum: 0.5 })

const ways: Readonly<Record<string, (norm: Norm) => Norm>> = {
  eagerly: norm => norm,
  compiled: norm => compile(norm),
  'with run-time sizes': norm => compile(norm, { dynamic: true }),
}

function expectClose(found: Tensor, wanted: readonly number[]): void {
  const values = [...found.dataSync('f32')]
  expect(values).toHaveLength(wanted.length)
  for (const [i, value] of values.entries()) expect(value).toBeCloseTo(wanted[i]!, 4)
}

describe.each(Object.entries(ways))('%s', (_, way) => {
  it('batchNorm updates the mean and the unbiased variance with momentum, at every call', () => {
    const [mean, variance] = start()
    const norm = way(train)
    const result = norm(batch(), mean, variance)
    // The batch's own: mean 4 and 20/3, variance 26/3 and 194/9 (unbiased 13 and 97/3).
    expectClose(result, [-1.01905, -1.00515, -0.33968, -0.35898, 1.35873, 1.36413])
    expectClose(mean, [0.75 + 1, 1.5 + 20 / 12])
    expectClose(variance, [2.25 + 13 / 4, 3 + 97 / 12])
    norm(batch(), mean, variance)
    expectClose(mean, [0.75 * 1.75 + 1, 0.75 * (1.5 + 20 / 12) + 20 / 12])
  })

  it('instanceNorm updates them with the mean over all samples', () => {
    const [mean, variance] = start()
    expectClose(way(instances)(images(), mean, variance), [-1, 1, -1, 1, -1, 1, 0, 0])
    expectClose(mean, [0.5 + 3, 1 + 1.25])
    expectClose(variance, [1.5 + 3.25, 2 + 0.5])
  })

  it('without training they stay unchanged', () => {
    const [mean, variance] = start()
    way((x, m, v) => F.batchNorm(x, m, v))(batch(), mean, variance)
    way((x, m, v) => F.instanceNorm(x, m, v, { useInputStats: false }))(images(), mean, variance)
    expectClose(mean, [1, 2])
    expectClose(variance, [3, 4])
  })

  it('a single one of them is updated too', () => {
    const [, variance] = start()
    way((x, _m, v) => F.batchNorm(x, null, v, { training: true, momentum: 1 }))(batch(), variance, variance)
    expectClose(variance, [13, 97 / 3])
  })

  it('a batch of one value per channel has no variance', () => {
    const [mean, variance] = start()
    expect(() => way(train)(zeros([1, 2]), mean, variance)).toThrow(ShapeError)
    expectClose(mean, [1, 2])
  })

  it('statistics of another length are rejected by name', () => {
    expect(() => way(train)(batch(), zeros([3]), zeros([2]))).toThrow(/batchNorm: runningMean \[3\]/)
  })
})

describe.each(Object.entries(ways))('embedding with maxNorm, %s', (_, way) => {
  const table = (): Tensor => tensor([[3, 4], [0.3, 0.4], [6, 8], [1, 0]]) // biome-ignore format: a row is an entry
  const rows: Norm = (index, weight) => F.embedding(index, weight, { maxNorm: 1, normType: 2 })

  it('scales the rows that it looks up to the norm, in the weight too, and no others', () => {
    const weight = table()
    const found = way(rows)(tensor([0, 1, 0, 3], { dtype: 'i64' }), weight, weight)
    expectClose(found, [0.6, 0.8, 0.3, 0.4, 0.6, 0.8, 1, 0])
    expectClose(weight, [0.6, 0.8, 0.3, 0.4, 6, 8, 1, 0])
  })

  it('leaves the weight unchanged without maxNorm', () => {
    const weight = table()
    expectClose(way((index, w) => F.embedding(index, w))(tensor([2], { dtype: 'i64' }), weight, weight), [6, 8])
    expectClose(weight, [3, 4, 0.3, 0.4, 6, 8, 1, 0])
  })

  it('names options of gradients that it rejects', () => {
    const weight = table()
    const call: Norm = (index, w) => F.embedding(index, w, { scaleGradByFreq: true } as never)
    expect(() => way(call)(tensor([2], { dtype: 'i64' }), weight, weight)).toThrow(
      /no parameter 'scaleGradByFreq'.*leave them out/s,
    )
  })
})

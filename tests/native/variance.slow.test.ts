/**
 * Variances of data that lie far from 0, against the same in f64. The data are rounded to their dtype first, so that both
 * see the same; a variance then loses what sums of n rounded terms lose, whatever the mean.
 */
import { describe, expect, it } from 'vitest'
import { compile, Generator, randn, type Tensor } from '../../src/index.js'

const largest = (tensor: Tensor): number => tensor.abs().amax().itemSync()

/** The error of `of(x)` in parts of the largest value that f64 gives. */
function errorOf(x: Tensor, of: (x: Tensor) => Tensor, how: 'eager' | 'compiled'): number {
  const exact = of(x.to('f64'))
  const given = how === 'eager' ? of(x) : compile(of)(x)
  return largest(given.to('f64').sub(exact)) / largest(exact)
}

const shapes = [
  { name: 'whole', shape: [100_000], dim: [0] },
  { name: 'rows', shape: [3, 50_000], dim: [1] },
  { name: 'columns', shape: [50_000, 5], dim: [0] },
  { name: 'planes', shape: [40, 3, 500], dim: [0, 2] },
] as const

describe.each(['eager', 'compiled'] as const)('%s variances keep their digits', how => {
  for (const { name, shape, dim } of shapes) {
    for (const mean of [0, 1, 1e3, 1e6, -1e7]) {
      it(`f32 ${name} around ${mean}`, () => {
        const x = randn(shape, { generator: new Generator(3) }).add(mean)
        expect(errorOf(x, x => x.var([...dim]), how)).toBeLessThan(1e-5)
        expect(errorOf(x, x => x.std([...dim], { correction: 0 }), how)).toBeLessThan(1e-5)
        expect(errorOf(x, x => x.varMean([...dim]).var, how)).toBeLessThan(1e-5)
        expect(errorOf(x, x => x.mean([...dim]), how)).toBeLessThan(1e-6)
      })
    }
  }

  it.each(['f16', 'bf16'] as const)('%s', dtype => {
    const x = randn([3, 20_000], { generator: new Generator(4) })
      .mul(30)
      .add(dtype === 'f16' ? 1e3 : 100)
      .to(dtype)
    // The result is rounded to the dtype once: half a unit.
    expect(errorOf(x, x => x.var(1), how)).toBeLessThan(dtype === 'f16' ? 2 ** -11 : 2 ** -8)
  })

  it('of one value everywhere is 0, never negative', () => {
    const x = randn([4, 1], { generator: new Generator(5) })
      .expand([4, 9_999])
      .mul(1e5)
      .contiguous()
    expect((how === 'eager' ? x.var(1) : compile((x: Tensor) => x.var(1))(x)).abs().lt(1e-6).all().itemSync()).toBe(1)
    expect((how === 'eager' ? x.std(1) : compile((x: Tensor) => x.std(1))(x)).isnan().any().itemSync()).toBe(0)
  })

  it('norms', () => {
    const x = randn([4, 8, 5_000], { generator: new Generator(6) }).add(1e5)
    expect(errorOf(x, x => x.layerNorm([5_000]), how)).toBeLessThan(1e-5)
    expect(errorOf(x, x => x.groupNorm(2), how)).toBeLessThan(1e-5)
    expect(errorOf(x, x => x.instanceNorm(), how)).toBeLessThan(1e-5)
    expect(errorOf(x, x => x.batchNorm(null, null, { training: true }), how)).toBeLessThan(1e-5)
  })
})

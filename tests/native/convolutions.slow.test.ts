/** Convolutions, pooling and their gradients as native code, around the sizes at which the CPU puts images in another order. */

import * as tg from 'tegula'
import { compile, gradients, manualSeed, randn, type Tensor } from 'tegula'
import { beforeAll, describe, expect, it } from 'vitest'
import { cpuLimits } from '../../src/backends/cpu/limits.js'
import { hasCompiler } from '../support/compiler.js'

type Options = {
  readonly stride?: number
  readonly padding?: number
  readonly dilation?: number
  readonly groups?: number
}
type Case = readonly [x: readonly number[], w: readonly number[], options: Options]

const { outputs } = cpuLimits.conv
const cases: readonly Case[] = [
  // Outputs, and multiplications, around the thresholds: 2²² are those of the third.
  ...[outputs - 1, outputs, outputs + 1].map((o): Case => [[8, 32, 16, 16], [o, 32, 3, 3], { padding: 1 }]),
  ...[31, 32, 33].map((c): Case => [[8, c, 16, 16], [64, c, 1, 1], { stride: 1, padding: 0 }]),
  ...[15, 16, 17].map((c): Case => [[8, c, 16, 16], [128, c, 2, 2], { stride: 2 }]),
  [[3, 19, 33, 31], [37, 19, 3, 3], { padding: 1 }],
  [[3, 16, 28, 28], [32, 16, 3, 3], { padding: 1, stride: 2 }],
  [[3, 64, 28, 28], [64, 64, 1, 1], { stride: 2 }],
  [[2, 17, 31, 30], [33, 17, 5, 5], { padding: 2, stride: 3 }],
  [[2, 3, 64, 64], [32, 3, 7, 7], { padding: 3, stride: 2 }],
  [[2, 32, 20, 20], [64, 16, 3, 3], { padding: 1, groups: 2 }],
  [[2, 32, 24, 24], [32, 32, 3, 3], { padding: 2, dilation: 2 }],
  [[2, 32, 24, 24], [32, 1, 3, 3], { padding: 1, groups: 32 }],
  [[2, 3, 24, 24], [3, 1, 3, 3], { padding: 1, groups: 3 }],
  [[2, 32, 24, 24], [64, 1, 3, 3], { padding: 1, groups: 32 }],
  [[4, 48, 7, 7], [64, 48, 7, 7], {}],
  [[4, 48, 200], [64, 48, 5], { padding: 2, stride: 2 }],
  [[2, 16, 6, 14, 14], [32, 16, 3, 3, 3], { padding: 1 }],
]

const convOf = (a: Tensor, w: Tensor, options: Options): Tensor =>
  (a.shape.length === 3 ? tg.conv1d : a.shape.length === 4 ? tg.conv2d : tg.conv3d)(a, w, options)

/** A convolution between others' ops, and the gradients of both operands. */
const stepOf =
  (options: Options) =>
  (a: Tensor, w: Tensor): Tensor[] => {
    const y = convOf(a.relu().add(0.1), w, options).relu()
    const isImage = y.shape.length === 4 && Math.min(...(y.shape as number[]).slice(2)) > 2
    const pooled = isImage ? y.maxPool2d(3, { stride: 2, padding: 1 }).sum() : y.sum()
    return [y, ...gradients(pooled.add(y.mul(y).mean()), [a, w])] as Tensor[]
  }

describe.runIf(hasCompiler)('convolutions and their gradients', () => {
  beforeAll(() => void manualSeed(3))

  it.each(cases)('x %j, w %j, %j', { timeout: 600_000 }, (xs, ws, options) => {
    const x = randn([...xs])
    const w = randn([...ws]).mul(0.1)
    const run = (dtype: 'f32' | 'f64'): Tensor[] => {
      const [a, b] = [x.to(dtype), w.to(dtype)] as const
      a.requiresGrad = true
      b.requiresGrad = true
      return compile(stepOf(options))(a, b).map(each => each.to('f64'))
    }
    const expected = run('f64')
    // The weight's gradient sums values of one sign over all places: rounding errors grow with the root of their number.
    const terms = expected[0]!.numel() / ws[0]!
    const bound = Math.max(5e-6, 2 ** -22 * Math.sqrt(terms))
    for (const [i, own] of run('f32').entries()) {
      const largest = Number(expected[i]!.abs().max().itemSync())
      const error = Number(own.sub(expected[i]!).abs().max().itemSync())
      expect(error / largest, `result ${i}`).toBeLessThan(bound)
    }
  })

  it('images stay in one order through a residual sum, a norm and pooling', { timeout: 600_000 }, () => {
    const [x, w] = [randn([4, 32, 28, 28]), randn([32, 32, 3, 3]).mul(0.1)]
    const gradientOf = (dtype: 'f32' | 'f64'): Tensor => {
      const [a, b] = [x.to(dtype), w.to(dtype)] as const
      b.requiresGrad = true
      const f = compile((image: Tensor, weight: Tensor): Tensor => {
        const low = convOf(image, weight, { padding: 1 }).maxPool2d(3, { stride: 2, padding: 1 })
        const y = convOf(low, weight, { padding: 1 }).batchNorm(null, null, null, null, true).relu().add(low)
        return gradients(convOf(y, weight, { padding: 1, stride: 2 }).square().mean(), [weight])[0]!
      })
      return f(a, b).to('f64')
    }
    const [own, expected] = [gradientOf('f32'), gradientOf('f64')]
    const error = Number(own.sub(expected).abs().max().itemSync()) / Number(expected.abs().max().itemSync())
    expect(error).toBeLessThan(2e-5)
  })
})

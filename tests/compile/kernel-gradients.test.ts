/** Kernels and gradients: a launch is no op, so it has a gradient only in a function that gives one. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  compile,
  customGradient,
  GradientError,
  grad,
  noGrad,
  type Tensor,
  tensor,
  zerosLike,
} from '../../src/index.js'
import { accumulate, scale } from '../support/kernels.js'

const t = (values: number[]): Tensor => tensor(values, { requiresGrad: true })

/** 3x, by a kernel in both directions. */
const tripled = customGradient(
  (x: Tensor) => {
    const out = zerosLike(x)
    scale.launch({ x, out, factor: 3 })
    return out
  },
  gradient => {
    const out = zerosLike(gradient)
    noGrad(() => scale.launch({ x: gradient.contiguous(), out, factor: 3 }))
    return out
  },
)

describe('launches', () => {
  beforeEach(() => void vi.stubEnv('TEGULA_BACKEND', 'interpreter'))
  afterEach(() => void vi.unstubAllEnvs())

  it('have the gradient of the function around them', () => {
    const x = t([1, 2, 3])
    const y = tripled(x)
    y.mul(y).sum().backward()
    expect([y.toArray(), x.grad!.toArray()]).toEqual([[3, 6, 9], [18, 36, 54]]) // biome-ignore format: one line
    expect(grad((z: Tensor) => tripled(z).square().sum())(tensor([1, 2])).toArray()).toEqual([18, 36])
  })

  it('are refused for tensors that require gradients', () => {
    const [x, out] = [t([1, 2, 3]), tensor([0, 0, 0])]
    expect(() => scale.launch({ x, out, factor: 2 })).toThrow(GradientError)
    expect(() => scale.interpret({ x, out, factor: 2 })).toThrow(
      /kernel 'scale': x is f32\[3\], which requires a gradient, and a kernel has none/,
    )
    expect(() => scale.launch({ x: out, out: x.mul(1), factor: 2 })).toThrow(/'scale': out is/)
    expect(out.toArray()).toEqual([0, 0, 0])
    noGrad(() => scale.launch({ x, out, factor: 2 }))
    expect(out.toArray()).toEqual([2, 4, 6])
  })

  it('count as changes of what they write', () => {
    const [x, w] = [t([1, 2, 3]), tensor([1, 1, 1])]
    const loss = x.mul(w).sum()
    const line = Number(/kernel-gradients\.test\.ts:(\d+)/.exec(new Error().stack!)![1]) + 1
    accumulate.launch({ x: tensor([1, 1, 1]), acc: w })
    expect(() => loss.backward()).toThrow(new RegExp(`changed in place at .*kernel-gradients.test.ts:${line}`))
  })

  it('as do compiled functions', () => {
    const [x, w] = [t([1, 2, 3]), tensor([1, 1, 1])]
    const bump = compile((y: Tensor) => void y.add_(1))
    const loss = x.mul(w).sum()
    bump(w)
    expect(() => loss.backward()).toThrow(/changed in place/)
    expect(w.toArray()).toEqual([2, 2, 2])
  })
})

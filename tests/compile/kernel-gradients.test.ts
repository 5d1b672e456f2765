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
import { cdiv, f32, kernel, view } from '../../src/kernel.js'
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

/** factor · x³. */
const cubed = kernel({
  name: 'cubed',
  params: { x: view(f32, 1), out: view(f32, 1), factor: f32 },
  constants: { BLOCK: 4 },
  grid: ({ x }, { BLOCK }) => [cdiv(x.size(0), BLOCK)],
  body(b, { x, out, factor }, { BLOCK }) {
    const at = b.programId(0).mul(BLOCK)
    const value = b.load(x, [at], [BLOCK])
    b.store(out, [at], value.mul(value).mul(value).mul(factor))
  },
  gradient: ({ out }, { x, factor }) => ({ x: out.mul(x.square()).mul(3).mul(factor) }),
})

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
      /kernel 'scale': x is f32\[3\], which requires a gradient, and the kernel has none/,
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

  it('of kernels with a gradient of their own are recorded, twice over, and in compiled functions', () => {
    const x = t([1, -2, 3])
    const f = (y: Tensor): Tensor => {
      const out = zerosLike(y)
      cubed.launch({ x: y, out, factor: 2 })
      return out.mul(y).sum()
    }
    const plain = (y: Tensor): Tensor => y.pow(3).mul(2).mul(y).sum()
    const second = (fn: (y: Tensor) => Tensor) => (y: Tensor) => grad((z: Tensor) => grad(fn)(z).square().sum())(y)
    for (const way of [(fn: (y: Tensor) => Tensor) => grad(fn), second]) {
      const want = way(plain)(x.detach()).toArray()
      expect(way(f)(x.detach()).toArray()).toEqual(want)
      expect(compile((y: Tensor) => way(f)(y))(x.detach()).toArray()).toEqual(want)
    }
    f(x).backward()
    expect(x.grad!.toArray()).toEqual([8, -64, 216])
    const out = tensor([0, 0, 0], { device: 'cpu' })
    cubed.interpret({ x: x.to('cpu'), out, factor: 1 })
    expect([out.toArray(), out.requiresGrad]).toEqual([[1, -8, 27], true])
    expect(noGrad(() => f(x)).requiresGrad).toBe(false)
  })

  it('of such kernels say what is wrong', () => {
    const x = t([1, 2, 3])
    const write = (out: Tensor) => (): void => cubed.launch({ x, out, factor: 1 })
    expect(write(x.mul(1))).toThrow(/kernel 'cubed': it writes out, f32\[3\], which requires a gradient/)
    expect(write(tensor([[0, 0, 0]]).select(0, 0))).toThrow(/it writes out, f32\[3\], a view/)
    const wrong = kernel({ ...cubed.definition, gradient: ({ out }) => ({ out }) })
    const given = tensor([0, 0, 0])
    wrong.launch({ x, out: given, factor: 1 })
    expect(() => given.sum().backward()).toThrow(/its gradient gave one of 'out', which is no tensor that is read only/)
    expect(() => kernel({ ...cubed.definition, gradient: 3 as never })).toThrow(/the gradient is the number 3/)
  })
})

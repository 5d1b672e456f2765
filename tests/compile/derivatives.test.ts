/** Derivatives of functions inside compiled functions: grad, vjp, jvp, leaves made there, gradients of one's own; also nested. */
import { describe, expect, it } from 'vitest'
import {
  compile,
  cond,
  customGradient,
  grad,
  gradients,
  jvp,
  noGrad,
  type Tensor,
  tensor,
  valueAndGrad,
  whileLoop,
  zeros,
} from '../../src/index.js'
import { expectAlike, expectClose } from '../support/compiled-alike.js'
import { interpretedWhenQuick } from '../support/interpreted.js'

interpretedWhenQuick()

const t = (data: number | number[] | number[][]): Tensor => tensor(data, { dtype: 'f64' })
const leaf = (data: number | number[] | number[][]): Tensor => t(data).requiresGrad_()

const x = t([0.3, -1.2, 2])
const v = t([1, 0.5, -2])
const f = (y: Tensor): Tensor => y.sin().mul(y.pow(2)).sum()

describe('derivatives of functions in a compiled function', () => {
  it('of a variable, not of the tensor that it was made of', () => {
    expectAlike(y => grad((z: Tensor) => z.mul(y).sum())(y), x)
    expectAlike(y => grad((z: Tensor) => z.mul(y).sum())(y), leaf([1, 2, 3]))
    expectAlike(y => grad(([a, b]: readonly Tensor[]) => a!.mul(b!.exp()).sum())([y, y]) as Tensor[], x)
  })

  it('nested: a Hessian times a vector', () => {
    expectAlike((y, w) => jvp(grad(f), [y], [w])[1], x, v)
  })

  it('leaves of its own: changed in noGrad, with a gradient of their own', () => {
    expectAlike(y => {
      const p = y.clone().requiresGrad_()
      for (let i = 0; i < 2; i++) {
        p.mul(y).sum().backward()
        noGrad(() => p.sub_(p.grad!.mul(0.1)))
      }
      const q = zeros([3], { dtype: 'f64', requiresGrad: true })
      q.add(p.detach()).square().sum().backward()
      return [p.detach(), q.grad!]
    }, x)
    const fails = (fn: (y: Tensor) => unknown, why: RegExp): void => expect(() => compile(fn as (y: Tensor) => Tensor)(x)).toThrow(why) // biome-ignore format: one line
    fails(y => y.clone().requiresGrad_().add_(1), /add_: f64\[3\] is a leaf that requires a gradient/)
    fails(y => y.clone().requiresGrad_().slice([0, 1]).add_(1), /a view of a leaf/)
    fails(y => y.requiresGrad_(), /requiresGrad: it is changed while/)
    fails(y => y.clone().requiresGrad_().mul(2), /gradient flows to a leaf that was made inside/)
    fails(y => {
      const p = y.clone().requiresGrad_()
      const loss = p.square().sum()
      noGrad(() => p.mul_(2))
      loss.backward()
    }, /was changed in place after it was used/)
  })

  it('in the body of a captured loop', () => {
    expectAlike(y => {
      const step = (p: Tensor): Tensor => p.sub(grad((z: Tensor) => z.mul(y).sub(1).square().sum())(p).mul(0.1))
      return whileLoop((_, n) => n!.lt(3), (p, n) => [step(p!), n!.add(1)], [y.mul(0.5), tensor(0)])[0]!
    }, x) // biome-ignore format: one line
    const backward = (y: Tensor): Tensor =>
      cond(y.sum().gt(0), z => { z.mul(w).sum().backward(); return z }, z => z, [y]) // biome-ignore format: one line
    const w = leaf([1, 2, 3])
    expect(() => compile(backward)(x)).toThrow(/gradients are asked for in a branch or a loop/)
  })

  it('has no graph breaks in what it differentiates', () => {
    const reads = compile((y: Tensor) => grad((z: Tensor) => z.mul(z.sum().itemSync() as number).sum())(y))
    expect(() => reads(x)).toThrow(/values are read before the gradient is taken/)
    const after = compile((y: Tensor) => {
      const [value, slope] = valueAndGrad(f)(y)
      return (value.itemSync() as number) > 0 ? slope : slope.neg()
    })
    expectClose(after(x), grad(f)(x))
  })

  it('for other sizes, and numbers that sizes move', () => {
    const fn = compile((y: Tensor) => grad((z: Tensor) => z.pow(2).sum().div(y.shape[0]!))(y), { dynamic: true })
    for (const n of [3, 5, 8, 11]) {
      const y = t(Array.from({ length: n }, (_, i) => i - 1))
      expectClose(fn(y), y.mul(2 / n))
    }
    expect(fn.stats().compiles).toBeLessThan(4)
    const step = compile((y: Tensor) => {
      const p = y.div(y.shape[0]!).requiresGrad_()
      grad((z: Tensor) => z.mul(p).sum())(p)
        .square()
        .sum()
        .backward()
      return p.grad!
    })
    for (const n of [3, 5, 8, 11]) {
      const y = t(Array.from({ length: n }, (_, i) => i - 1))
      expectClose(step(y), y.mul(2 / n))
    }
    expect(step.stats().compiles).toBeLessThan(4)
  })
})

describe('a gradient of ones own in a compiled function', () => {
  it('does not read values, and gives one gradient per tensor', () => {
    const reads = customGradient((y: Tensor) => y.mul(2), g => (g.sum().itemSync() ? g : null)) // biome-ignore format: one line
    expect(() => compile((y: Tensor) => grad((z: Tensor) => reads(z).sum())(y))(x)).toThrow(
      /values are read in the gradient of/,
    )
    const short = customGradient((y: Tensor) => y.mul(2), () => []) // biome-ignore format: one line
    expect(() => compile((y: Tensor) => grad((z: Tensor) => short(z).sum())(y))(x)).toThrow(/0 gradients for 1 tensors/)
  })
})

describe('a second backward pass in a compiled function', () => {
  const w = leaf([1, 2, 3])

  it('is refused without retainGraph, as eagerly', () => {
    const twice = (retainGraph: boolean) => (): void => {
      const loss = w.square().sum()
      loss.backward({ retainGraph })
      loss.backward()
    }
    expect(twice(false)).toThrow(/was freed by the backward pass before/)
    expect(compile(twice(false))).toThrow(/backward of square: what it needs was freed by the backward pass before/)
    expect(() => compile(twice(true))()).not.toThrow()
    const part = (): void => {
      const shared = w.exp()
      gradients(shared.sum(), w)
      shared.mul(2).sum().backward()
    }
    expect(part).toThrow(/was freed/)
    expect(compile(part)).toThrow(/backward of exp: what it needs was freed/)
  })

  it('is possible of ops whose gradients read nothing, as eagerly', () => {
    const twice = (): void => {
      const sum = w.sum()
      sum.backward()
      const mean = sum.mul(3).mean()
      mean.backward()
    }
    for (const way of [twice, compile(twice)]) {
      w.grad = null
      way()
      expect(w.grad!.toArray()).toEqual([4, 4, 4])
    }
    w.grad = null
    const returned = compile(() => {
      const sum = w.sum()
      gradients(sum, w)
      return sum
    })
    returned().backward()
    expect(w.grad!.toArray()).toEqual([1, 1, 1])
    w.grad = null
  })

  it('is possible of what was computed again, before or after', () => {
    const again = compile(() => {
      const [first, second] = [w.exp().sum(), w.exp().sum()]
      first.backward()
      second.backward()
      w.exp().sum().backward()
    })
    w.grad = null
    again()
    expectClose(w.grad!, w.detach().exp().mul(3))
  })
})

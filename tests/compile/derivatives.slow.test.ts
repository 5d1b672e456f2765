/** Derivatives of functions inside compiled functions: grad, vjp, jvp, leaves made there, gradients of one's own; also nested. */
import { describe, expect, it } from 'vitest'
import {
  compile,
  customGradient,
  grad,
  gradients,
  jvp,
  noGrad,
  type Tensor,
  tensor,
  valueAndGrad,
  vjp,
} from '../../src/index.js'
import { expectAlike, expectClose } from '../support/compiled-alike.js'

const t = (data: number | number[] | number[][]): Tensor => tensor(data, { dtype: 'f64' })
const leaf = (data: number | number[] | number[][]): Tensor => t(data).requiresGrad_()

const x = t([0.3, -1.2, 2])
const v = t([1, 0.5, -2])
const f = (y: Tensor): Tensor => y.sin().mul(y.pow(2)).sum()

describe('derivatives of functions in a compiled function', () => {
  it('grad, valueAndGrad, vjp and jvp', () => {
    expectAlike(y => grad(f)(y), x)
    expectAlike(y => valueAndGrad(f)(y.mul(2)), x)
    expectAlike((y, w) => {
      const [out, pull] = vjp(z => z.exp().mul(z), y)
      return [out, ...pull(w), ...pull(out)]
    }, x, v) // biome-ignore format: one line
    expectAlike((y, w) => jvp(z => z.tanh().cumsum(0), [y], [w]), x, v)
    expectAlike((y, w) => jvp((a, b) => a.mul(b).sum(), [y, w], [w, y]), x, v)
  })

  it('nested: gradients of gradients, Hessian times vector', () => {
    expectAlike(y => grad((z: Tensor) => grad(f)(z).square().sum())(y), x)
    expectAlike((y, w) => jvp(grad(f), [y], [w])[1], x, v)
    expectAlike((y, w) => grad((z: Tensor) => grad(f)(z).mul(w).sum())(y), x, v)
    const cube = (y: Tensor): Tensor => y.pow(3).sum()
    expectAlike(y => grad(grad(cube))(y), t(2))
    expectAlike(y => grad(grad(grad(cube)))(y), t(2))
  })

  it('is part of what the caller records, and only then', () => {
    const w = leaf([1, 10, -1])
    const joined = (y: Tensor): Tensor => grad((z: Tensor) => z.mul(z).mul(w).sum())(y)
    expectAlike(joined, x)
    expectAlike(y => noGrad(() => joined(y)), x)
    expectAlike(y => joined(y), leaf([2, 3, 4]))
    const second = (run: (y: Tensor) => Tensor): Tensor => {
      w.grad = null
      run(x).square().sum().backward()
      return w.grad!
    }
    expectClose(second(compile(joined)), second(joined))
    const step = (y: Tensor): void => joined(y).square().sum().backward()
    w.grad = null
    compile(step)(x)
    expectClose(w.grad!, second(joined))
  })

  it('an inner loop of gradient steps, differentiated by where it started', () => {
    const inner = (w: Tensor, data: Tensor): Tensor => w.mul(data).sub(1).square().mean()
    const adapted = (w: Tensor, data: Tensor): Tensor => {
      let now = w
      for (let step = 0; step < 3; step++) now = now.sub(grad(inner)(now, data).mul(0.1))
      return inner(now, data)
    }
    expectAlike((w, data) => grad(adapted)(w, data), v, x)
    const w = leaf([1, 2, 3])
    const meta = (data: Tensor): void => adapted(w, data).backward()
    meta(x)
    const want = w.grad!
    w.grad = null
    compile(meta)(x)
    expectClose(w.grad!, want)
  })

  it('a penalty on the gradient by a leaf that is made inside', () => {
    const critic = leaf([[0.5, -1], [2, 0.25], [1, 1]]) // biome-ignore format: a matrix
    const step = (real: Tensor, fake: Tensor): Tensor => {
      const mixed = real.mul(0.3).add(fake.mul(0.7)).detach().requiresGrad_()
      expect([mixed.isLeaf, mixed.requiresGrad]).toEqual([true, true])
      const scores = mixed.matmul(critic).tanh().sum()
      const [slope] = gradients(scores, mixed, { createGraph: true })
      const loss = slope!.square().sum(-1).sqrt().sub(1).square().mean()
      loss.backward()
      return mixed.grad === null ? loss.detach() : mixed.grad
    }
    const [real, fake] = [t([[1, 2, 3], [0, 1, 0]]), t([[-1, 0.5, 2], [3, 1, 1]])] // biome-ignore format: matrices
    const eager = step(real, fake)
    const want = critic.grad!
    critic.grad = null
    const compiled = compile(step, { fullgraph: true })
    expectClose(compiled(real, fake), eager)
    expectClose(critic.grad!, want)
  })
})

describe('a compiled function in a derivative', () => {
  it('gives first and second derivatives', () => {
    const compiled = compile(f)
    expectClose(grad(compiled)(x), grad(f)(x))
    expectClose(jvp(compiled, [x], [v])[1], jvp(f, [x], [v])[1])
    expectClose(jvp(grad(compiled), [x], [v])[1], jvp(grad(f), [x], [v])[1])
    expectClose(grad((y: Tensor) => grad(compiled)(y).square().sum())(x), grad((y: Tensor) => grad(f)(y).square().sum())(x)) // biome-ignore format: one line
  })
})

describe('a gradient of ones own in a compiled function', () => {
  const swish = customGradient(
    (y: Tensor) => y.mul(y.sigmoid()),
    (g, { inputs: [y], output }) => {
      const s = y.sigmoid()
      return g.mul(output.mul(s.neg().add(1)).add(s))
    },
  )
  const clipped = customGradient((y: Tensor) => y.mul(3), g => g.clamp(-1, 1)) // biome-ignore format: one line
  const both = customGradient(
    (a: Tensor, n: number, b: Tensor) => [a.mul(b).mul(n), a.add(b)],
    ([g, h], { inputs: [, n, b] }) => [g!.mul(b).mul(n).add(h!), null] as const, // of b: none
  )

  it('is used, also twice', () => {
    expectAlike(y => grad((z: Tensor) => swish(z).mul(z).sum())(y), x)
    expectAlike(
      y =>
        jvp(
          grad((z: Tensor) => swish(z).square().sum()),
          [y],
          [v],
        )[1],
      x,
    )
    expectAlike(y => grad((z: Tensor) => clipped(z).mul(z).sum())(y), x)
    expectAlike(
      (y, w) =>
        grad((z: Tensor) =>
          both(z, 2, w)
            .reduce((a, b) => a.add(b.sin()))
            .sum(),
        )(y),
      x,
      v,
    )
    expectAlike((y, w) => grad((z: Tensor) => both(w, 2, z)[0]!.sum())(y), x, v)
    expectAlike(y => swish(y), x)
  })

  it('in a training step, and of a compiled function outside of one', () => {
    const w = leaf([0.5, -1, 2])
    const loss = (y: Tensor): Tensor => swish(w.mul(y)).add(clipped(w)).square().sum()
    loss(x).backward()
    const want = w.grad!
    for (const run of [compile((y: Tensor) => loss(y).backward()), (y: Tensor) => compile(loss)(y).backward()]) {
      w.grad = null
      run(x)
      expectClose(w.grad!, want)
    }
  })
})

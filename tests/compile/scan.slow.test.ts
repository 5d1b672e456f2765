/** Gradients of loops over the elements of sequences: of all operands, twice, in a compiled step and outside of one. */
import { describe, expect, it } from 'vitest'
import { allclose, arange, compile, grad, jvp, scan, type Tensor, valueAndGrad, zeros } from '../../src/index.js'

const t = (shape: readonly number[], scale = 1): Tensor =>
  arange(shape.reduce((a, b) => a * b, 1), { dtype: 'f64' }).mul(0.7 * scale).sin().reshape(shape) // biome-ignore format: one line
const expectClose = (got: Tensor, want: Tensor): void => {
  expect(got.shape).toEqual(want.shape)
  expect(allclose(got, want, { rtol: 1e-11, atol: 1e-13 })).toBe(true)
}
const flat = (value: unknown): Tensor[] => [value].flat(4) as Tensor[]

function expectAlike(fn: (...args: Tensor[]) => unknown, ...args: readonly Tensor[]): void {
  const want = flat(fn(...args))
  const got = flat(compile(fn as () => Tensor[], { fullgraph: true })(...(args as [])))
  expect(got.length).toBe(want.length)
  for (const [i, each] of want.entries()) expectClose(got[i]!, each)
}

/** A recurrent layer: all hidden states, and the last. */
function layer(w: Tensor, u: Tensor, x: Tensor, reverse = false): [Tensor, Tensor] {
  const step = ([h]: Tensor[], [now]: Tensor[]): [Tensor[], Tensor[]] => {
    const next = h!.matmul(w).add(now!.matmul(u)).tanh()
    return [[next], [next.mul(2)]]
  }
  const [[last], [all]] = scan(step, [zeros([2, 3], { dtype: 'f64' })], [x], { reverse })
  return [all!, last!]
}
const loss = (w: Tensor, u: Tensor, x: Tensor): Tensor => {
  const [all, last] = layer(w, u, x)
  return all.square().sum().add(last.sum())
}
const [w, u, x] = [t([3, 3]), t([4, 3], 1.3), t([5, 2, 4], 0.6)]

describe('scan', () => {
  it('has gradients, of states, sequences and of what is around it', () => {
    expectAlike((a: Tensor, b: Tensor, c: Tensor) => valueAndGrad(loss, [0, 1, 2])(a, b, c), w, u, x)
    expectAlike((a: Tensor, c: Tensor) => {
      const f = (h: Tensor, y: Tensor): Tensor =>
        scan(([s], [e]) => [[s!.mul(e!).add(s!.exp())], []], [h], [y], { reverse: true })[0][0]!.sum()
      return grad(f, [0, 1])(a, c)
    }, t([2]), t([4, 2]).mul(0.2)) // biome-ignore format: one line
  })

  it('in a step that is trained, and compiled outside of one', () => {
    const leaf = w.clone().requiresGrad_()
    loss(leaf, u, x).backward()
    const want = leaf.grad!
    for (const run of [
      compile(() => loss(leaf, u, x).backward()),
      () => compile(() => loss(leaf, u, x))().backward(),
    ]) {
      leaf.grad = null
      run()
      expectClose(leaf.grad!, want)
    }
  })

  it('has gradients of gradients', () => {
    expectAlike(
      (a: Tensor) =>
        jvp(
          grad((p: Tensor) => loss(p, u, x)),
          [a],
          [a.exp()],
        )[1],
      w,
    )
  })
})

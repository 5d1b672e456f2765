/** Gradients of loops over the elements of sequences: of all operands, twice, in a compiled step and outside of one. */
import { describe, it } from 'vitest'
import { compile, grad, jvp, scan, type Tensor, valueAndGrad } from '../../src/index.js'
import { expectAlike, expectClose } from '../support/compiled-alike.js'
import { loss, t, u, w, x } from '../support/recurrence.js'

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

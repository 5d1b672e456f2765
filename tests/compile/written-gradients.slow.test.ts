/** What is written out has the gradient of the built-in op, in compiled functions: as many kernels, and finite where that one is. */
import { describe, expect, it } from 'vitest'
import { allclose, compile, gradients, type Tensor, tensor } from '../../src/index.js'
import { functional as F } from '../../src/nn/index.js'
import { expectAlike, type Fn, heads, layerNorm, leaf, scores, softmax, stepOf, weigh } from '../support/written-ops.js'

describe('what is written out has the gradients of the built-in op', () => {
  it('layer norm', () => {
    expectAlike(
      (x, w, b) => weigh(layerNorm(x!, w!, b!)),
      (x, w, b) => weigh(x!.layerNorm([12], { weight: w!, bias: b! })),
      ...[leaf([6, 12]), leaf([12]), leaf([12])],
    )
  })

  it('cross entropy, also where powers overflow', () => {
    const target = tensor([3, 0, 9, 4], { dtype: 'i64' })
    const written: Fn = x => softmax(x!).log().gather(1, target.unsqueeze(1)).mean().neg()
    const [mine, theirs] = [stepOf(written), stepOf(x => F.crossEntropy(x!, target))]
    for (const x of [leaf([4, 10]), leaf([4, 10]).mul(100).detach().requiresGrad_()]) {
      const [ours, want] = [mine(x), theirs(x)]
      for (const [i, value] of ours.entries()) expect(allclose(value, want[i]!, { atol: 1e-5 })).toBe(true)
    }
    const count = (step: typeof mine): number => step.explain(leaf([4, 10])).kernels.length
    expect(count(mine)).toBeLessThanOrEqual(count(theirs))
  })

  it('in functions that are called outside of a compiled step', () => {
    const f = compile((q: Tensor, k: Tensor, v: Tensor) => softmax(scores(q, k).mul(100)).matmul(v))
    const inputs = heads() as [Tensor, Tensor, Tensor]
    const found = gradients(weigh(f(...inputs)), inputs)
    const named = weigh(F.scaledDotProductAttention(inputs[0].mul(100), inputs[1], inputs[2]))
    for (const [i, want] of gradients(named, inputs).entries())
      expect(allclose(found[i]!, want, { rtol: 1e-3, atol: 1e-4 })).toBe(true)
  })
})

describe('a value inside of what would be recognised', () => {
  const eager = (fn: (...inputs: Tensor[]) => readonly Tensor[], inputs: Tensor[]): void => {
    const [compiled, plain] = [compile(fn)(...inputs), fn(...inputs)]
    for (const [i, value] of compiled.entries()) expect(allclose(value, plain[i]!, { atol: 1e-5 })).toBe(true)
  }

  it('has its own gradient', () =>
    eager((q, k, v) => {
      const inner = scores(q!, k!)
      const weights = softmax(inner)
      const loss = weigh(weights.matmul(v!))
      return gradients(loss, [inner, weights, q!, v!])
    }, heads()))

  it('may be used elsewhere, and be a result', () =>
    eager((q, k, v) => {
      const weights = softmax(scores(q!, k!))
      const loss = weigh(weights.matmul(v!)).add(weights.square().sum())
      return [weights, ...gradients(loss, [q!, k!, v!])]
    }, heads()))

  it('gradients of gradients see the same function', () =>
    eager((q, k, v) => {
      const loss = weigh(softmax(scores(q!, k!)).matmul(v!))
      const [first] = gradients(loss, [q!], { createGraph: true })
      return gradients(first!.square().sum(), [q!, k!])
    }, heads()))
})

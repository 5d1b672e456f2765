/** Ops written out, and compiled steps of them. */
import { expect } from 'vitest'
import { allclose, compile, gradients, randn, type Tensor } from '../../src/index.js'

const keep = { keepdim: true }
export const softmax = (x: Tensor): Tensor => {
  const powers = x.exp()
  return powers.div(powers.sum(-1, keep))
}
export const stableSoftmax = (x: Tensor): Tensor => {
  const powers = x.sub(x.amax(-1, keep)).exp()
  return powers.div(powers.sum(-1, keep))
}
export const layerNorm = (x: Tensor, weight: Tensor, bias: Tensor): Tensor => {
  const centred = x.sub(x.mean(-1, keep))
  const variance = centred.square().mean(-1, keep)
  return centred.div(variance.add(1e-5).sqrt()).mul(weight).add(bias)
}

export const leaf = (shape: readonly number[]): Tensor => randn([...shape], { requiresGrad: true })

export type Fn = (...inputs: Tensor[]) => Tensor
/** A compiled step: the loss and the gradients of all inputs. */
export const stepOf = (fn: Fn) =>
  compile((...inputs: Tensor[]) => {
    const loss = fn(...inputs)
    return [loss, ...gradients(loss, inputs)]
  })

export const expectAlike = (written: Fn, builtIn: Fn, ...inputs: Tensor[]): void => {
  const [mine, theirs] = [stepOf(written), stepOf(builtIn)]
  const [ours, want] = [mine(...inputs), theirs(...inputs)]
  for (const [i, value] of ours.entries()) expect(allclose(value, want[i]!, { rtol: 1e-4, atol: 1e-5 })).toBe(true)
  const counts = [mine, theirs].map(step => {
    const { kernels, segments } = step.explain(...inputs)
    return [kernels.length, segments.length]
  })
  expect(counts[0]).toEqual(counts[1])
}

export const scores = (q: Tensor, k: Tensor): Tensor => q.matmul(k.transpose(-2, -1)).div(2)
export const weigh = (x: Tensor): Tensor => x.mul(x.detach().cos()).sum()
export const heads = (): Tensor[] => [leaf([2, 8, 4]), leaf([2, 8, 4]), leaf([2, 8, 4])]

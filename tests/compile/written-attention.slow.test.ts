/** Attention that is written out has the gradient of the built-in op, however its softmax is written. */
import { expect, it } from 'vitest'
import type { Tensor } from '../../src/index.js'
import { functional as F } from '../../src/nn/index.js'
import { expectAlike, type Fn, heads, scores, softmax, stableSoftmax, stepOf, weigh } from '../support/written-ops.js'

it('attention: softmax(q kᵀ / √d) v', () => {
  const attention: Fn = (q, k, v) => weigh(softmax(scores(q!, k!)).matmul(v!))
  expectAlike(attention, (q, k, v) => weigh(F.scaledDotProductAttention(q!, k!, v!)), ...heads())
  for (const softmaxOf of [stableSoftmax, (x: Tensor) => x.softmax(-1)]) {
    const { kernels } = stepOf((q, k, v) => weigh(softmaxOf(scores(q!, k!)).matmul(v!))).explain(...heads())
    expect(kernels.length).toBe(stepOf(attention).explain(...heads()).kernels.length)
  }
})

/** Attention of one token over a growing cache: one version for all lengths, and equal results for equal calls. */

import { describe, expect, it } from 'vitest'
import { compile, manualSeed, randn, scaledDotProductAttention, type Tensor } from '../../src/index.js'
import { hasCompiler } from '../support/compiler.js'

const attend = (q: Tensor, k: Tensor, v: Tensor): Tensor => scaledDotProductAttention(q, k, v, { enableGqa: true })

/** The formula, op by op. */
function expected(q: Tensor, k: Tensor, v: Tensor): Tensor {
  const scores = q.reshape([1, 4, 16]).matmul(k.select(0, 0).transpose(-1, -2)).mul(0.25)
  return scores.softmax(-1).matmul(v.select(0, 0)).reshape([1, 4, 1, 16])
}

describe.skipIf(!hasCompiler)('attention over a growing cache (needs a C compiler)', () => {
  it('has one version, whose parts follow the length', () => {
    manualSeed(3)
    const compiled = compile(attend, { dynamic: true })
    const q = randn([1, 4, 1, 16])
    for (const length of [2, 255, 256, 257, 4095, 4096, 4097, 9000]) {
      const [k, v] = [randn([1, 1, length, 16]), randn([1, 1, length, 16])]
      const result = compiled(q, k, v)
      const error = result
        .sub(expected(q, k, v))
        .abs()
        .max()
        .dataSync('f32')[0]!
      expect(error, `${length} keys`).toBeLessThan(2e-6)
      expect(compiled(q, k, v).toArray()).toEqual(result.toArray())
    }
    expect(compiled.stats().compiles).toBe(1)
  })
})

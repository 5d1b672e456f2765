/** The plan of attention's gradients: its kernels, and memory that grows with the length, not with its square. */
import { describe, expect, it } from 'vitest'
import type { Target } from '../../src/backends/target.js'
import { expandGradients } from '../../src/graph/derivatives/expand.js'
import { itemBytes } from '../../src/types/dtype.js'
import { type GradientCase, gradientGraph } from '../support/attention-gradient.js'
import { gpu, launches, planOf, target } from './run.js'

const each: GradientCase = {
  name: 'long',
  dtype: 'f16',
  heads: 2,
  group: 1,
  queries: 2048,
  keys: 2048,
  depth: 64,
  columns: 64,
  mask: 'causal',
}

function planned(of: GradientCase, on: Target) {
  const { heads, group, queries, keys, depth, columns, dtype } = of
  const shapes = [
    [2, heads * group, queries, depth],
    [2, heads, keys, depth],
    [2, heads, keys, columns],
    [2, heads * group, queries, columns],
  ]
  const inputs = shapes.map(shape => ({ dtype, shape, data: [] }))
  return planOf(expandGradients.run(gradientGraph(of, inputs)), true, {}, on)
}

/** Bytes of everything that a call stores. */
function bytes(of: GradientCase, on: Target): number {
  return planned(of, on).buffers.reduce(
    (sum, buffer) => sum + (buffer.kind === 'input' ? 0 : Number(buffer.elements) * itemBytes(buffer.dtype)),
    0,
  )
}

describe('the plan of attention and its gradients', () => {
  for (const on of [target, gpu]) {
    const { kind } = on.facts as { readonly kind: string }
    it(`of ${kind} is a forward pass, sums of rows, and two kernels`, () => {
      const names = launches(planned(each, on))
      expect(names).toEqual(['attention', 'mul_sum_rows', 'attention_gradient', 'attention_gradient_2'])
    })

    it(`of ${kind} stores nothing per pair of query and key`, () => {
      const twice = { ...each, queries: 2 * each.queries, keys: 2 * each.keys }
      expect(bytes(twice, on)).toBe(2 * bytes(each, on))
      // Result and three gradients in f16; log-sum-exp and sums of rows in f32.
      const rows = 2 * each.heads * each.queries
      expect(bytes(each, on)).toBe(rows * (4 * each.depth * 2 + 2 * 4))
    })
  }
})

/** Division without the branches that a GPU's exact division has, which keep the work of a thread's elements apart. */
import type { LaneNode } from '../lane/ir.js'
import type { Formula } from './formula.js'

/**
 * a / b to less than an ulp, for finite a, and b and 1 / b in the normal range; for others it may be NaN. On a GPU from its
 * approximation of 1 / b, which a step makes precise for f64 (20 bits become 60), and the quotient's remainder.
 */
export function quotient(f: Formula, a: LaneNode, b: LaneNode): LaneNode {
  if (f.hints.approximate === 'never') return f.div(a, b)
  const negative = f.neg(b)
  const start = f.approximate('reciprocal', b)
  const miss = f.fma(negative, start, 1)
  const inverse = f.dtype === 'f32' ? start : f.fma(start, f.fma(miss, miss, miss), start)
  const first = f.mul(a, inverse)
  return f.fma(f.fma(negative, first, a), inverse, first)
}

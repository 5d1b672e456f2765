/** Sums of exponentials by their logarithms, for f32 and f64. */
import type { LaneNode } from '../lane/ir.js'
import type { Formula } from './formula.js'

/** The larger, and log1p of e^−d of what the other is below it; equal infinities differ by nothing. */
export function logaddexp(f: Formula, a: LaneNode, b: LaneNode): LaneNode {
  const d = f.named('d', f.where(f.eq(a, b), 0, f.neg(f.abs(f.sub(a, b)))))
  return f.add(f.max(a, b), f.map('log1p', f.map('exp', d)))
}

/** Inverse hyperbolic functions through log1p, for f32 and f64. */
import type { LaneNode } from '../lane/ir.js'
import type { Formula } from './formula.js'
import { quotient } from './quotient.js'

/** From here on, x² + 1 rounds to x². */
const large = (f: Formula): number => (f.dtype === 'f32' ? 2 ** 28 : 2 ** 56)

/** log1p(z), or log(2a) for large a, whose square may overflow. */
function logOf(f: Formula, isLarge: LaneNode, a: LaneNode, z: LaneNode): LaneNode {
  return f.add(f.map('log1p', f.where(isLarge, a, z)), f.where(isLarge, Math.LN2, 0))
}

export function asinh(f: Formula, x: LaneNode): LaneNode {
  const a = f.abs(x)
  const s = f.mul(a, a)
  const z = f.add(a, quotient(f, s, f.add(f.sqrt(f.add(s, 1)), 1)))
  return f.copysign(logOf(f, f.gt(a, large(f)), a, z), x)
}

export function acosh(f: Formula, x: LaneNode): LaneNode {
  const t = f.sub(x, 1)
  const z = f.add(t, f.sqrt(f.mul(t, f.add(t, 2))))
  return f.where(f.lt(x, 1), Number.NaN, logOf(f, f.gt(x, large(f)), x, z))
}

export function atanh(f: Formula, x: LaneNode): LaneNode {
  const a = f.abs(x)
  const ratio = quotient(f, f.mul(a, 2), f.sub(1, a))
  const outside = f.where(f.eq(a, 1), Number.POSITIVE_INFINITY, Number.NaN)
  return f.copysign(f.mul(f.map('log1p', f.where(f.lt(a, 1), ratio, outside)), 0.5), x)
}

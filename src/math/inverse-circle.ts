/** The inverse circular functions, shared by f32 and f64: each dtype supplies its polynomials and parts of π/2. */
import type { LaneNode } from '../lane/ir.js'
import type { Formula } from './formula.js'
import { quotient } from './quotient.js'

interface Parts {
  /** π/2 as a sum, the largest part first. */
  readonly halfPi: readonly [number, number, number]
  /** (asin s − s) / s³ as a polynomial in s², for 0 ≤ s ≤ 1/2. */
  readonly asinTail: readonly number[]
  /** atan q for 0 ≤ q ≤ 1. */
  readonly atanCore: (f: Formula, q: LaneNode) => LaneNode
  /** Tests the sign bit, so −0 counts as negative. */
  readonly isNegative: (f: Formula, x: LaneNode) => LaneNode
}

type Unary = (f: Formula, x: LaneNode) => LaneNode

interface InverseCircle {
  readonly asin: Unary
  readonly acos: Unary
  readonly atan: Unary
  /** The angle of the point (x, y). */
  readonly atan2: (f: Formula, y: LaneNode, x: LaneNode) => LaneNode
}

export function inverseCircle(parts: Parts): InverseCircle {
  return { ...arcs(parts), ...angles(parts) }
}

/** arcsine and arccosine. */
function arcs({ halfPi, asinTail }: Parts): Pick<InverseCircle, 'asin' | 'acos'> {
  /** p = asin s with s = a, or s = sqrt((1 − a)/2) for a > 1/2 (`isBig`), where asin a = π/2 − 2p. */
  const core = (f: Formula, a: LaneNode): { readonly isBig: LaneNode; readonly p: LaneNode } => {
    const isBig = f.gt(a, 0.5)
    const z = f.where(isBig, f.fma(a, -0.5, 0.5), f.mul(a, a))
    const s = f.where(isBig, f.sqrt(z), a)
    return { isBig, p: f.fma(f.mul(f.polynomial(z, asinTail), z), s, s) }
  }
  return {
    asin: (f, x) => {
      const { isBig, p } = core(f, f.abs(x))
      return f.copysign(f.where(isBig, f.add(f.fma(p, -2, halfPi[1]), halfPi[0]), p), x)
    },
    acos: (f, x) => {
      const { isBig, p } = core(f, f.abs(x))
      const far = f.add(f.fma(p, -2, 2 * halfPi[1]), 2 * halfPi[0])
      const near = f.where(f.lt(x, 0), far, f.mul(p, 2))
      const middle = f.sub(halfPi[0], f.sub(f.copysign(p, x), halfPi[1]))
      return f.where(isBig, near, middle)
    },
  }
}

/** Arctangents, from the core polynomial on [0, 1] and the complement π/2 − p. */
function angles({ halfPi, atanCore, isNegative }: Parts): Pick<InverseCircle, 'atan' | 'atan2'> {
  const complement: Unary = (f, p) => f.sub(halfPi[0], f.sub(p, halfPi[1]))
  return {
    atan: (f, x) => {
      const a = f.abs(x)
      const isBig = f.gt(a, 1)
      // 1 / a rounds to 0 beside π/2 long before `bound`.
      const bound = 2 ** 100
      const size = f.where(f.gt(a, bound), bound, a)
      const p = atanCore(f, quotient(f, f.where(isBig, 1, a), f.where(isBig, size, 1)))
      return f.copysign(f.where(isBig, complement(f, p), p), x)
    },
    atan2: (f, y, x) => {
      const [ax, ay] = [f.abs(x), f.abs(y)]
      const isSteep = f.gt(ay, ax)
      const [low, high] = [f.where(isSteep, ax, ay), f.where(isSteep, ay, ax)]
      const ratio = f.div(low, high)
      // 0/0 counts as 0, ∞/∞ as 1.
      const q = f.where(f.eq(low, Number.POSITIVE_INFINITY), 1, f.where(f.eq(high, 0), 0, ratio))
      const p = atanCore(f, q)
      const half = f.where(isSteep, complement(f, p), p)
      const angle = f.where(isNegative(f, x), f.sub(2 * halfPi[0], f.sub(half, 2 * halfPi[1])), half)
      const isOrdered = f.and(f.eq(x, x), f.eq(y, y))
      return f.where(isOrdered, f.copysign(angle, y), f.add(x, y))
    },
  }
}

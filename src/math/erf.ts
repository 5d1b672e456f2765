/** The error functions of f32 and their inverse. All polynomials are minimax. */
import type { LaneNode } from '../lane/ir.js'
import { expm1Times, expTimes, expTimesByPowers } from './exp.js'
import { type Formula, hexes } from './formula.js'
import { quotient } from './quotient.js'

/** erf(x)/x − 1 as a polynomial in x², for |x| ≤ 0.9375. */
const nearZero = hexes(
  '0x1.06eba6p-3',
  '-0x1.8126dep-2',
  '0x1.ce1902p-4',
  '-0x1.b67438p-6',
  '0x1.46a802p-8',
  '-0x1.37978cp-11',
)
/** log(erfc(a)) for 0.9375 ≤ a ≤ 4 */
const logErfc = hexes(
  '-0x1.d17aeap-13',
  '-0x1.20a844p+0',
  '-0x1.46547ap-1',
  '-0x1.a90e56p-4',
  '0x1.6aec0ep-6',
  '-0x1.8c64eap-9',
  '0x1.96de84p-13',
)
/** log2(erfc(a)) for 0.92 ≤ a ≤ 4, for targets whose hardware has 2^x. */
const log2Erfc = hexes(
  '-0x1.2820bcp-12',
  '-0x1.a07bf6p+0',
  '-0x1.d6a954p-1',
  '-0x1.33141cp-3',
  '0x1.06afbp-5',
  '-0x1.1fb91ap-8',
  '0x1.2864e2p-12',
)
/** (1 + 2a) e^(a²) erfc(a) − 1 as a polynomial in (a − 4)/(a + 4), for 0 ≤ a ≤ 10.1. */
const scaledErfc = hexes(
  '0x1.dd2c8ep-3',
  '-0x1.1df1a8p-3',
  '0x1.f7e2cap-7',
  '0x1.16e974p-4',
  '-0x1.9da874p-4',
  '0x1.804698p-4',
  '-0x1.10f372p-4',
  '0x1.2a6336p-5',
  '-0x1.04502p-6',
  '0x1.cc746ep-8',
  '0x1.d00adap-11',
)

const near = (f: Formula, x: LaneNode, s: LaneNode): LaneNode => f.named('near', f.fma(f.polynomial(s, nearZero), x, x))

/** ±erf(a) for 0.9375 ≤ a ≤ 4 */
const farErf = (f: Formula, a: LaneNode): LaneNode =>
  f.hints.approximate === 'never'
    ? expm1Times(f, f.polynomial(a, logErfc), 0)
    : f.sub(1, f.approximate('exp2', f.polynomial(a, log2Erfc)))

/** An odd polynomial near 0, else 1 − e^P(|x|). The result is 1 from |x| = 3.92 on. */
export function erf(f: Formula, x: LaneNode): LaneNode {
  const a = f.named('a', f.min(f.abs(x), 4))
  const far = f.named('far', f.copysign(farErf(f, a), x))
  return f.where(f.lt(a, 0.9375), near(f, x, f.named('s', f.mul(x, x))), far)
}

/** log2(erfc(a)) + a² · log2 e for 0 ≤ a ≤ 10.3, to 2^-11. */
const log2ScaledErfc = hexes(
  '-0x1.53f464p-12',
  '-0x1.9f7448p+0',
  '0x1.061c1ap-1',
  '-0x1.1c71eap-3',
  '0x1.c2f206p-6',
  '-0x1.e3a1e4p-9',
  '0x1.4740d6p-12',
  '-0x1.f45188p-17',
  '0x1.47d0cp-22',
)

/** erfc for 16-bit results on a GPU, by its power of two. */
function shortErfc(f: Formula, x: LaneNode): LaneNode {
  // Beyond, bf16 has no smaller number; f16's end before 4.
  const a = f.min(f.abs(x), f.hints.approximate === 'bf16' ? 10.3 : 4)
  const complement = (y: LaneNode): LaneNode => f.where(f.lt(x, 0), f.sub(2, y), y)
  if (f.hints.approximate === 'f16') {
    const far = complement(f.approximate('exp2', f.polynomial(a, log2Erfc)))
    return f.where(f.lt(a, 0.9375), f.sub(1, near(f, x, f.mul(x, x))), far)
  }
  // Times 2^24, because the result may be subnormal.
  const power = f.fma(f.mul(a, a), -Math.LOG2E, f.plus(f.polynomial(a, log2ScaledErfc), 24))
  return complement(f.mul(f.approximate('exp2', power), 2 ** -24))
}

/** 1 − erf(x), accurate where the result is small. */
export function erfc(f: Formula, x: LaneNode): LaneNode {
  if (f.hints.approximate === 'f16' || f.hints.approximate === 'bf16') return shortErfc(f, x)
  const a = f.named('a', f.min(f.abs(x), 10.5))
  const s = f.named('s', f.mul(a, a))
  const middle = f.sub(1, near(f, x, f.mul(x, x)))
  const p = f.polynomial(quotient(f, f.sub(a, 4), f.add(a, 4)), scaledErfc)
  // (1 + p) / (1 + 2a), then one correction by its residual, since the rounding errors add up.
  const inverse = quotient(f, f.const(1), f.fma(a, 2, 1))
  const first = f.fma(p, inverse, inverse)
  const rest = f.fma(f.fma(first, f.neg(a), 0.5), 2, f.sub(p, first))
  const scaled = f.fma(rest, inverse, first)
  // Multiplied by e^(−a²) · 2^40, because the result may be subnormal; includes a correction for a²'s rounding error.
  const e = f.named('e', (f.hints.approximate === 'never' ? expTimes : expTimesByPowers)(f, f.neg(s), 40))
  const y = f.mul(f.mul(scaled, f.fma(f.fma(f.neg(a), a, s), e, e)), 2 ** -40)
  return f.where(f.lt(a, 0.5), middle, f.where(f.lt(x, 0), f.sub(2, y), y))
}

/** erfinv(x) / x as a polynomial in w − 2.5 with w = −ln(1 − x²), for w ≤ 5. */
export const inverseNear = hexes(
  '0x1.805c5ep+0',
  '0x1.f91e8ap-3',
  '-0x1.11c4ecp-8',
  '-0x1.486616p-10',
  '0x1.c9e6c8p-13',
  '-0x1.4d15aap-18',
  '-0x1.d0c1a2p-19',
  '0x1.f48c04p-22',
  '0x1.8f224p-26',
  '-0x1.2e0ef4p-27',
)
/** As a polynomial in √w − 3, for 5 ≤ w ≤ 16.7. */
const inverseFar = hexes(
  '0x1.6a9efcp+1',
  '0x1.006dc4p+0',
  '0x1.358004p-7',
  '-0x1.f47edap-8',
  '0x1.74c198p-8',
  '-0x1.d7b9fep-9',
  '0x1.84b8a8p-10',
  '-0x1.c2ffd2p-15',
  '-0x1.42b25p-12',
  '0x1.dca3ecp-14',
)

/** The number whose erf is x, after Giles, "Approximating the erfinv function" (2010): one of two polynomials by w. */
export function erfinv(f: Formula, x: LaneNode): LaneNode {
  const a = f.abs(x)
  const product = f.mul(f.sub(1, a), f.add(1, a))
  const isExact = f.hints.approximate === 'never'
  const w = isExact ? f.neg(f.map('log', product)) : f.mul(f.approximate('log2', product), -Math.LN2)
  const root = isExact ? f.sqrt(w) : f.mul(w, f.approximate('rsqrt', w))
  return f.copysign(f.where(f.eq(a, 1), Number.POSITIVE_INFINITY, f.mul(inverseRatio(f, w, root, 3, inverseFar), a)), x)
}

/** erfinv(x) / x: in w − 2.5 for w below 5, else `far` in √w − `middle`. */
export function inverseRatio(
  f: Formula,
  w: LaneNode,
  root: LaneNode,
  middle: number,
  far: readonly number[],
): LaneNode {
  const isNear = f.lt(w, 5)
  const t = f.where(isNear, f.sub(w, 2.5), f.sub(root, middle))
  const chosen = far.map((c, i) => f.where(isNear, f.const(inverseNear[i] ?? 0), c))
  return chosen.reduceRight((sum, c) => f.fma(sum, t, c))
}

/**
 * ln Γ and its derivative. f32's ln Γ: a rational function below 3, where it has its zeros, Stirling's series from there on,
 * and for negative x the reflection −ln |x sin(πx)/π| − ln Γ(|x|). f64's, and the derivative of both dtypes: the argument is
 * reflected to at least 1/2 and shifted up to at least 8, where the series has f64's precision.
 */
import type { LaneNode } from '../lane/ir.js'
import { halfTurn } from './double-circle.js'
import { type Formula, hexes } from './formula.js'
import { quotient } from './quotient.js'

/** ln Γ(z) / ((z − 1)(z − 2)) as a quotient of polynomials in z − 1/2, for 1/2 ≤ z ≤ 3: all their terms have one sign there. */
const above = hexes(
  '0x1.86bc06p-1',
  '0x1.18836ep+1',
  '0x1.c98c34p+0',
  '0x1.9aa4fp-2',
  '0x1.27a334p-7',
  '-0x1.873e42p-13',
)
const below = [1, ...hexes('0x1.d15848p+1', '0x1.0b6aa4p+2', '0x1.abcb16p+0', '0x1.6d8642p-3')]
/** z · (ln Γ(z) − (z − 1/2) ln z + z − ln √2π) as a polynomial in 1/z², for z ≥ 3. */
const shortSeries = hexes('0x1.555554p-4', '-0x1.6c0b9cp-9', '0x1.9a1a7cp-11', '-0x1.cf10cp-12')
/** (sin(πr) / πr − 1) / r² as a polynomial in r², for |r| ≤ 1/2. */
const sincTail = hexes('-0x1.a51a66p+0', '0x1.9f9caep-1', '-0x1.86a7p-3', '0x1.abedecp-6', '-0x1.257b4ap-9')
const lnRootTwoPi = Math.log(2 * Math.PI) / 2

/** ln Γ(z) of f32 for z ≥ 1/2. */
function positive(f: Formula, z: LaneNode): LaneNode {
  const t = f.sub(z, 0.5)
  const factors = f.mul(f.sub(z, 1), f.sub(z, 2))
  const near = f.mul(factors, quotient(f, f.polynomial(t, above), f.polynomial(t, below)))
  const inverse = f.hints.approximate === 'never' ? f.div(1, z) : f.approximate('reciprocal', z)
  const series = f.fma(inverse, f.polynomial(f.mul(inverse, inverse), shortSeries), lnRootTwoPi - 0.5)
  const far = f.fma(f.sub(z, 0.5), f.sub(f.map('log', z), 1), series)
  // Not −0 at 1 and 2.
  return f.where(f.lt(z, 3), f.where(f.eq(factors, 0), 0, near), far)
}

export function lgamma(f: Formula, x: LaneNode): LaneNode {
  const a = f.abs(x)
  // Γ(a) = Γ(a + 1) / a keeps z above 1/2.
  const isSmall = f.lt(a, 0.5)
  const own = positive(f, f.where(isSmall, f.add(a, 1), a))
  const rest = f.abs(f.sub(a, f.map('round', a)))
  const sine = f.mul(rest, f.polynomial(f.mul(rest, rest), [1, ...sincTail]))
  const isNegative = f.lt(x, 0)
  const factor = f.where(isNegative, f.mul(sine, f.where(isSmall, 1, a)), f.where(isSmall, a, 1))
  const value = f.sub(f.where(isNegative, f.neg(own), own), f.map('log', factor))
  const isInfinite = f.or(f.eq(a, Number.POSITIVE_INFINITY), f.and(isNegative, f.eq(rest, 0)))
  return f.where(isInfinite, Number.POSITIVE_INFINITY, value)
}

// --- in f64 ----------------------------------------------------------------------------------------------------------------

/** How far the argument is shifted up, to where the asymptotic series is accurate. */
const shift = 8
const stirling = [1 / 12, -1 / 360, 1 / 1260, -1 / 1680, 1 / 1188, -691 / 360360, 1 / 156]
const bernoulli = [1 / 12, -1 / 120, 1 / 252, -1 / 240, 1 / 132, -691 / 32760, 1 / 12]

/** x reflected to at least 1/2, then shifted up to at least 8, and whether each was done. */
function moved(f: Formula, x: LaneNode) {
  const reflect = f.lt(x, 0.5)
  const z = f.where(reflect, f.sub(1, x), x)
  const isLow = f.lt(z, shift)
  return { reflect, z, isLow, w: f.where(isLow, f.add(z, shift), z) }
}

/** 1 / w for w ≥ 8; it is no longer felt where w is cut off. */
const inverseOf = (f: Formula, w: LaneNode): LaneNode =>
  quotient(f, f.const(1), f.where(f.lt(w, 2 ** 500), w, 2 ** 500))

/** z (z + 1) … (z + 7) and its derivative. */
function risingProduct(f: Formula, z: LaneNode): { readonly product: LaneNode; readonly slope: LaneNode } {
  let [product, slope] = [z, f.const(1)]
  for (let k = 1; k < shift; k++) {
    const factor = f.add(z, k)
    slope = f.fma(slope, factor, product)
    product = f.mul(product, factor)
  }
  return { product, slope }
}

export function wideLgamma(f: Formula, x: LaneNode): LaneNode {
  const { reflect, z, isLow, w } = moved(f, x)
  const inverse = inverseOf(f, w)
  const leading = f.fma(f.sub(w, 0.5), f.map('log', w), f.sub(lnRootTwoPi, w))
  const series = f.fma(inverse, f.polynomial(f.mul(inverse, inverse), stirling), leading)
  const product = f.where(isLow, risingProduct(f, z).product, 1)
  const sum = f.sub(series, f.map('log', product))
  // Exact at 1 and 2, from x as well as from its reflection.
  const own = f.where(f.eq(f.mul(f.sub(z, 1), f.sub(z, 2)), 0), 0, sum)
  // ln π − ln |sin πx|, with x reduced first.
  const rest = f.abs(f.sub(x, f.map('round', x)))
  const { sin } = halfTurn(f, rest)
  // π times a subnormal number would be rounded.
  const isTiny = f.lt(rest, 2 ** -60)
  const logSine = f.map('log', f.where(isTiny, rest, sin))
  const finite = f.sub(f.sub(f.where(isTiny, 0, Math.log(Math.PI)), logSine), own)
  const reflected = f.where(f.eq(sin, 0), Number.POSITIVE_INFINITY, finite)
  const value = f.where(reflect, reflected, own)
  return f.where(f.eq(f.abs(x), Number.POSITIVE_INFINITY), Number.POSITIVE_INFINITY, value)
}

/** Of f32 too in f64: the terms cancel near the zeros. */
export function digamma(f: Formula, x: LaneNode): LaneNode {
  if (f.dtype === 'f32') return f.cast('f32', digamma(f.as('f64'), f.cast('f64', x)))
  const { reflect, z, isLow, w } = moved(f, x)
  const inverse = inverseOf(f, w)
  const square = f.mul(inverse, inverse)
  const series = f.fma(inverse, 0.5, f.mul(square, f.polynomial(square, bernoulli)))
  // The sum of 1 / (z + k).
  const { product, slope } = risingProduct(f, z)
  const own = f.sub(f.sub(f.map('log', w), series), f.where(isLow, quotient(f, slope, product), 0))
  const rest = f.sub(x, f.map('round', x))
  const { sin, cos } = halfTurn(f, f.abs(rest))
  // The sine may be subnormal: it is scaled up, and its reciprocal as well.
  const scaled = f.mul(quotient(f, f.mul(cos, Math.PI), f.mul(sin, 2 ** 64)), 2 ** 64)
  const cotangent = f.copysign(scaled, rest)
  const isPole = f.and(f.lt(x, 0), f.eq(rest, 0))
  const value = f.where(isPole, Number.NaN, f.where(reflect, f.sub(own, cotangent), own))
  return f.where(f.eq(x, 0), f.copysign(Number.POSITIVE_INFINITY, f.neg(x)), value)
}

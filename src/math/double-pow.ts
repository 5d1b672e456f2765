/**
 * f64 powers: |x|^y = e^(y·log|x|). The exponential magnifies the logarithm's error by up to 745, so the logarithm is
 * computed in double-double (an unevaluated sum of two f64).
 */
import type { LaneNode } from '../lane/ir.js'
import { clamp, expTimes, ln2Parts, splitLog } from './double.js'
import { type Formula, hexes } from './formula.js'
import { smallIntegerPower, withSpecials } from './pow.js'
import { quotient } from './quotient.js'

/** ((log((1+s)/(1−s))/s − 2)/s² − 2/3)/s² as a polynomial in s². */
const tail = hexes(
  '0x1.9999999999996p-2',
  '0x1.2492492493049p-2',
  '0x1.c71c71c57dfe7p-3',
  '0x1.745d18337b481p-3',
  '0x1.3b136266f4854p-3',
  '0x1.1120c18625e85p-3',
  '0x1.de318d88aec41p-4',
  '0x1.eb20dbda14cb7p-4',
)
const twoThirds = hexes('0x1.5555555555555p-1', '0x1.5555555555555p-55') as [number, number]

/** A double-double: the exact sum high + low, with |low| at most half a unit in the last place of high. */
interface Double {
  readonly high: LaneNode
  readonly low: LaneNode
}

function quickSum(f: Formula, a: LaneNode, b: LaneNode): Double {
  const high = f.add(a, b)
  return { high, low: f.sub(b, f.sub(high, a)) }
}

/** a · b, exactly. */
function product(f: Formula, a: LaneNode, b: LaneNode): Double {
  const high = f.mul(a, b)
  return { high, low: f.fma(a, b, f.neg(high)) }
}

/** a · b without the product of the low parts, which is below the precision. */
function times(f: Formula, a: Double, b: Double): Double {
  const { high, low } = product(f, a.high, b.high)
  return quickSum(f, high, f.add(low, f.fma(a.high, b.low, f.mul(a.low, b.high))))
}

/** log x for positive finite x. */
function logarithm(f: Formula, x: LaneNode): Double {
  const { k, fraction } = splitLog(f, x)
  // s = fraction / (2 + fraction); the denominator's rounding error is taken into account.
  const denominator = f.add(fraction, 2)
  const denominatorLow = f.sub(fraction, f.sub(denominator, 2))
  const high = quotient(f, fraction, denominator)
  const rest = f.fma(f.neg(high), denominatorLow, f.fma(f.neg(high), denominator, fraction))
  const s: Double = { high, low: quotient(f, rest, denominator) }
  const z = times(f, s, s)
  // s · (2 + z · (2/3 + z · tail))
  const inner = quickSum(f, f.const(twoThirds[0]), f.fma(z.high, f.polynomial(z.high, tail), twoThirds[1]))
  const cubic = times(f, s, times(f, z, inner))
  const doubled = quickSum(f, f.mul(s.high, 2), cubic.high)
  const low = f.add(doubled.low, f.fma(s.low, 2, cubic.low))
  // `quickSum` needs the larger term first: |k · ln 2| is larger, or 0.
  const whole = quickSum(f, f.mul(k, ln2Parts[0]), doubled.high)
  return quickSum(f, whole.high, f.add(whole.low, f.fma(k, ln2Parts[1], low)))
}

export function pow(f: Formula, x: LaneNode, y: LaneNode): LaneNode {
  const whole = smallIntegerPower(f, x, y)
  if (whole !== null) return whole
  const a = f.abs(x)
  const log = logarithm(f, a)
  const { high, low } = product(f, y, log.high)
  const exponent = clamp(f, high, -800, 800)
  const small = f.where(f.lt(f.abs(high), 800), f.fma(y, log.low, low), 0)
  const usual = expTimes(f, exponent, 0, small)
  // x or y is 0, infinite or NaN.
  const grows = f.map('eq', f.gt(a, 1), f.gt(y, 0))
  const atEnds = f.where(grows, Number.POSITIVE_INFINITY, 0)
  const isEnd = f.or(f.eq(a, 0), f.eq(a, Number.POSITIVE_INFINITY), f.eq(f.abs(y), Number.POSITIVE_INFINITY))
  const isOrdered = f.and(f.eq(x, x), f.eq(y, y))
  const one = f.where(f.eq(a, 1), 1, atEnds)
  const power = f.where(isOrdered, f.where(isEnd, one, usual), f.add(x, y))
  return withSpecials(f, x, y, power)
}

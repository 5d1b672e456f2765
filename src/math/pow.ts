/**
 * f32 powers through f64: |x|^y = 2^(y·log2|x|). The logarithm has a relative error of 2^-44, so the exponent, at most 150 in
 * magnitude, has an error below 2^-34. 2^… is computed to 2^-34 as well, so the result is nearly always correctly rounded.
 */
import type { LaneNode } from '../lane/ir.js'
import { exponentOf, floatOf, magic } from './double.js'
import { type Formula, hexes } from './formula.js'
import { quotient } from './quotient.js'

/** log2((1+s)/(1−s)) / s as a polynomial in s². */
const log2Tail = hexes(
  '0x1.71547652b824ep+1',
  '0x1.ec709dc541daap-1',
  '0x1.2776c28cc2c2bp-1',
  '0x1.a61a341f6a54ep-2',
  '0x1.4794731637cbfp-2',
  '0x1.21be081fb39bfp-2',
)
/** 2^r as a polynomial in r. */
const exp2Tail = [
  1,
  ...hexes(
    '0x1.62e42fef7ae67p-1',
    '0x1.ebfbe07c19631p-3',
    '0x1.c6b08df5bfbfep-5',
    '0x1.3b29ef8b94df7p-7',
    '0x1.5d87221049ed1p-10',
    '0x1.445fb043e9387p-13',
    '0x1.00f23254a36cap-16',
  ),
]

/** x^y: small integer exponents by products, others as 2^(y · log2 x) in f64. */
export function pow(f: Formula, x: LaneNode, y: LaneNode): LaneNode {
  const whole = smallIntegerPower(f, x, y)
  if (whole !== null) return whole
  const d = f.as('f64')
  const [dx, dy] = [d.abs(f.cast('f64', x)), f.cast('f64', y)]
  const power = f.cast('f32', exp2(d, d.mul(dy, log2(d, dx))))
  return withSpecials(f, x, y, power)
}

/** x^y for a small constant integer y, by multiplication; null for other y. */
export function smallIntegerPower(f: Formula, x: LaneNode, y: LaneNode): LaneNode | null {
  if (y.op !== 'const') return null
  switch (Number(y.attrs.value)) {
    case 0:
      return f.const(1)
    case 1:
      return x
    case -1:
      return f.div(1, x)
    case 2:
      return f.mul(x, x)
    case 3:
      return f.mul(f.mul(x, x), x)
    default:
      return null
  }
}

/** log2 |x|; every f32 is a normal number in f64. */
function log2(d: Formula, x: LaneNode): LaneNode {
  const l = d.as('i64')
  const bits = d.bitcast('i64', x)
  const exponent = exponentOf(d, bits)
  const m = d.bitcast('f64', l.sub(bits, exponent))
  const s = quotient(d, d.sub(m, 1), d.add(m, 1))
  const tail = d.polynomial(d.mul(s, s), log2Tail)
  const log = d.fma(tail, s, floatOf(d, exponent))
  const isBounded = d.lt(x, Number.POSITIVE_INFINITY)
  return d.where(d.eq(x, 0), Number.NEGATIVE_INFINITY, d.where(isBounded, log, x))
}

function exp2(d: Formula, exponent: LaneNode): LaneNode {
  const l = d.as('i64')
  const e = d.max(d.min(exponent, 200), -200)
  const sum = d.add(e, magic)
  const p = d.polynomial(d.sub(e, d.sub(sum, magic)), exp2Tail)
  const scale = d.bitcast('f64', l.map('shl', l.map('add', d.bitcast('i64', sum), 1023n), 52))
  return d.mul(p, scale)
}

/** Applies pow's special cases to `power` = |x|^y: the sign for odd y, NaN for a fractional power of x < 0, exact ones. */
export function withSpecials(f: Formula, x: LaneNode, y: LaneNode, power: LaneNode): LaneNode {
  const half = f.mul(y, 0.5)
  const isWhole = f.eq(f.map('floor', y), y)
  const isOdd = f.and(isWhole, f.ne(f.map('floor', half), half))
  const isNegative = f.lt(f.copysign(1, x), 0)
  const signed = f.where(f.and(isNegative, isOdd), f.neg(power), power)
  const isUndefined = f.and(f.lt(x, 0), f.gt(x, Number.NEGATIVE_INFINITY), f.not(isWhole))
  const value = f.where(isUndefined, Number.NaN, signed)
  const isInfinite = f.eq(f.abs(y), Number.POSITIVE_INFINITY)
  const isOne = f.or(f.eq(x, 1), f.eq(y, 0), f.and(f.eq(x, -1), isInfinite))
  return f.where(isOne, 1, value)
}

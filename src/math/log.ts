/**
 * Logarithms of f32. x = 2^e · (1 + f) with 1 + f in [2/3, 4/3), and log(1 + f) = f + f²·L(f) with a minimax polynomial L. A
 * GPU's hardware log2 is not used: its error is absolute, so it is inaccurate near 1. For other bases, f and f²·L are
 * multiplied by a constant in two parts.
 */
import type { LaneNode } from '../lane/ir.js'
import { ln2, log2e, log2eRest } from './exp.js'
import { type Formula, hex, hexes } from './formula.js'

/** (log(1 + f) − f) / f² as a polynomial in f. */
const tail = hexes(
  '-0x1p-1',
  '0x1.555502p-2',
  '-0x1.fffe84p-3',
  '0x1.99d202p-3',
  '-0x1.55a76ep-3',
  '0x1.1ebd3cp-3',
  '-0x1.f25ac0p-4',
  '0x1.1ed7acp-3',
  '-0x1.09392cp-3',
)

/** The bits of 2/3. */
const lowest = 0x3f2aaaab
const minNormal = 2 ** -126

interface Parts {
  /** The exponent, as a float. */
  readonly e: LaneNode
  readonly f: LaneNode
  /** f² · L(f) */
  readonly l: LaneNode
}

/** Splits x into e and f; subnormals are scaled into the normal range first. */
function split(f: Formula, x: LaneNode): Parts {
  const small = f.lt(x, minNormal)
  const i = f.as('i32')
  const bits = f.bitcast('i32', f.where(small, f.mul(x, 2 ** 23), x))
  const exponent = i.named('exponent', i.map('and', i.map('sub', bits, lowest), -(2 ** 23)))
  const fraction = f.named('f', f.sub(f.bitcast('f32', i.sub(bits, exponent)), 1))
  // `exponent` is still shifted left by 23; the multiplication by 2^-23 is exact.
  const e = f.named('e', f.fma(f.cast('f32', exponent), 2 ** -23, f.where(small, -23, 0)))
  return { e, f: fraction, l: tailOf(f, fraction) }
}

const tailOf = (f: Formula, fraction: LaneNode): LaneNode =>
  f.named('l', f.mul(f.mul(fraction, fraction), f.polynomial(fraction, tail)))

/** y for positive finite x, else the logarithm's special value: −infinity at 0, NaN below 0, x at infinity and NaN. */
function special(f: Formula, x: LaneNode, y: LaneNode): LaneNode {
  // Infinity and NaN give themselves.
  const outside = f.where(f.eq(x, 0), Number.NEGATIVE_INFINITY, f.where(f.lt(x, 0), Number.NaN, x))
  return f.where(f.and(f.gt(x, 0), f.lt(x, Number.POSITIVE_INFINITY)), y, outside)
}

/** e · ln 2 + f + l */
const natural = (f: Formula, parts: Parts): LaneNode =>
  f.fma(parts.e, ln2[0], f.add(parts.f, f.fma(parts.e, ln2[1], parts.l)))

export function log(f: Formula, x: LaneNode): LaneNode {
  return special(f, x, natural(f, split(f, x)))
}

export function log2(f: Formula, x: LaneNode): LaneNode {
  const parts = split(f, x)
  const low = f.fma(parts.l, log2e, f.mul(parts.f, log2eRest))
  return special(f, x, f.add(parts.e, f.fma(parts.f, log2e, low)))
}

/** log10 x; the exponent's part is added last, in two parts. */
export function log10(f: Formula, x: LaneNode): LaneNode {
  const parts = split(f, x)
  const low = f.fma(parts.e, hex('-0x1.ec10cp-27'), f.mul(parts.f, hex('-0x1.5b235ep-27')))
  const factor = hex('0x1.bcb7b2p-2')
  const middle = f.fma(parts.f, factor, f.fma(parts.l, factor, low))
  return special(f, x, f.fma(parts.e, hex('0x1.344136p-2'), middle))
}

/** log(1 + x). 1 + x may have lost bits of x, so f is the sum of x and 1, each scaled by 2^−e first. */
export function log1p(f: Formula, x: LaneNode): LaneNode {
  const i = f.as('i32')
  const whole = f.add(x, 1)
  const exponent = i.map('and', i.map('sub', f.bitcast('i32', whole), lowest), -(2 ** 23))
  const scaled = f.bitcast('f32', i.sub(f.bitcast('i32', x), exponent))
  const four = f.bitcast('f32', i.sub(i.const(0x40800000), exponent))
  const fraction = f.add(scaled, f.fma(four, 0.25, -1))
  const e = f.mul(f.cast('f32', exponent), 2 ** -23)
  const y = special(f, whole, natural(f, { e, f: fraction, l: tailOf(f, fraction) }))
  return f.where(f.lt(f.abs(x), 2 ** -25), x, y)
}

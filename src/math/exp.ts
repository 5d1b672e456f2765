/**
 * Exponentials of f32. x = n·ln 2 + r with an integer n and |r| ≤ ln(2)/2, so e^x = 2^n · e^r, where e^r is a minimax
 * polynomial (relative error 1.5e-8). Adding 1.5·2^23 to x/ln 2 rounds it to an integer, which is then in the low bits of the
 * sum; with 127 added too, these bits are the exponent field of 2^n.
 *
 * A GPU splits x·log2 e instead and computes 2^r in hardware. There n is clamped so that 2^n is a normal number, and r takes
 * the excess: a result below the normal range is then rounded only once, by the last multiplication.
 */
import type { LaneNode } from '../lane/ir.js'
import { type Formula, hexes } from './formula.js'
import { quotient } from './quotient.js'

/** 1.5·2^23, for sums whose low bits hold n; `magic` is for sums whose low bits hold the exponent field of 2^n. */
const rounding = 12582912
const magic = rounding + 127
/** log2 e in two parts. */
export const [log2e, log2eRest] = hexes('0x1.715476p+0', '0x1.4ae0cp-26') as [number, number]
/** ln 2 in two parts: a fused multiply-add of n with the first loses nothing relevant. */
export const ln2 = hexes('0x1.62e43p-1', '-0x1.05c61p-29') as [number, number]
/** (e^r − 1 − r) / r² as a polynomial in r, |r| ≤ ln(2)/2. */
const expTail = hexes('0x1p-1', '0x1.5554a8p-3', '0x1.55547ep-5', '0x1.122d72p-7', '0x1.6da098p-10')
/** 2^r as a polynomial in r, |r| ≤ 1/2. */
const exp2Polynomial = [
  1,
  ...hexes('0x1.62e43p-1', '0x1.ebfbep-3', '0x1.c6aebep-5', '0x1.3b29ap-7', '0x1.5f5076p-10', '0x1.449782p-13'),
]

/** x clamped to [low, high]; NaN stays NaN. */
const clamped = (f: Formula, x: LaneNode, low: number, high: number): LaneNode =>
  f.named('bounded', f.max(f.min(x, high), low))

/** 2^n, from the low bits of n + `magic`. */
function powerOfTwo(f: Formula, sum: LaneNode): LaneNode {
  return f.bitcast('f32', f.as('i32').map('shl', f.bitcast('i32', sum), 23))
}

/** p · 2^(n + up) for 1/2 < p < 2 and |n| < 250, rounded once; `sum` is n + `rounding`. */
function scaled(f: Formula, p: LaneNode, sum: LaneNode, up: number): LaneNode {
  if (f.hints.scale) return f.builtin('scale', p, f.plus(f.sub(sum, rounding), up))
  // In two steps, because 2^n itself may be out of range; only the second product can round.
  const i = f.as('i32')
  const k = i.named('k', i.sub(f.bitcast('i32', sum), 0x4b400000 - up))
  const half = i.named('half', i.map('shr', k, 1))
  const power = (e: LaneNode): LaneNode => f.bitcast('f32', i.map('shl', i.add(e, 127), 23))
  return f.mul(f.mul(p, power(half)), power(i.sub(k, half)))
}

/** Reduces x to n·ln 2 + r; returns n + `constant` as `sum`. */
function reduce(f: Formula, x: LaneNode, constant: number): { readonly sum: LaneNode; readonly r: LaneNode } {
  const sum = f.named('t', f.fma(x, log2e, constant))
  const n = f.named('n', f.sub(sum, constant))
  return { sum, r: f.named('r', f.fma(n, -ln2[1], f.fma(n, -ln2[0], x))) }
}

/** e^x · 2^up, also where e^x itself is beyond the range of f32. */
export function expTimes(f: Formula, x: LaneNode, up: number): LaneNode {
  // Beyond these bounds the result is infinite or zero anyway.
  const { sum, r } = reduce(f, clamped(f, x, -105, 91), rounding)
  return scaled(f, f.polynomial(r, [1, 1, ...expTail]), sum, up)
}

/** r of x·log2 e = n + r, where `sum` is the clamped n + `constant`. */
const restOf = (f: Formula, x: LaneNode, sum: LaneNode, constant: number, sign = 1): LaneNode =>
  f.fma(x, sign * log2eRest, f.fma(x, sign * log2e, f.sub(constant, sum)))

/** e^x · 2^up where the result is in the normal range. `bounded`: infinite when x·log2 e reaches 128. */
export function expTimesByPowers(f: Formula, x: LaneNode, up: number, bounded = false): LaneNode {
  const plain = f.fma(x, log2e, magic + up)
  const sum = bounded ? f.min(plain, magic + 128) : plain
  return f.mul(f.polynomial(restOf(f, x, sum, magic + up), exp2Polynomial), powerOfTwo(f, sum))
}

/** e^x */
export function exp(f: Formula, x: LaneNode): LaneNode {
  if (f.hints.approximate === 'never') return expTimes(f, x, 0)
  // The argument's error is at most 127·2^-24, below the precision of 16-bit results.
  if (f.hints.approximate !== 'full') return f.approximate('exp2', f.mul(x, log2e))
  const sum = f.max(f.min(f.fma(x, log2e, magic), magic + 127), magic - 126)
  return f.mul(f.approximate('exp2', restOf(f, x, sum, magic)), powerOfTwo(f, sum))
}

/** 2^x */
export function exp2(f: Formula, x: LaneNode): LaneNode {
  if (f.hints.scale) {
    const p = f.polynomial(f.named('r', f.builtin('rest', x)), exp2Polynomial)
    return f.builtin('scale', p, f.map('round', x))
  }
  // Beyond these bounds the result is infinite or zero anyway.
  const bounded = clamped(f, x, -151, 129)
  const sum = f.named('t', f.add(bounded, rounding))
  const r = f.named('r', f.sub(bounded, f.sub(sum, rounding)))
  return scaled(f, f.polynomial(r, exp2Polynomial), sum, 0)
}

/** (e^x − 1) · 2^power for −20 < x < 88. */
export function expm1Times(f: Formula, x: LaneNode, power: number): LaneNode {
  const { sum, r } = reduce(f, x, magic + power)
  const p = f.fma(f.mul(f.polynomial(r, expTail), r), r, r)
  const s = f.named('s', powerOfTwo(f, sum))
  return f.fma(p, s, f.sub(s, 2 ** power))
}

/** e^x − 1, accurate near 0: for |x| < 2^-25 the result is x, −0 included. Beyond the clamp it is infinite or −1. */
export function expm1(f: Formula, x: LaneNode): LaneNode {
  // Computes half of the result, so that the intermediate stays finite.
  const doubled = f.mul(expm1Times(f, clamped(f, x, -20, 89), -1), 2)
  return f.where(f.lt(f.abs(x), 2 ** -25), x, doubled)
}

/** 1 / (1 + e^−x) on a GPU. */
function fastSigmoid(f: Formula, x: LaneNode): LaneNode {
  // e^−x may be infinite; its reciprocal is then 0.
  if (f.hints.approximate !== 'full')
    return f.approximate('reciprocal', f.add(f.approximate('exp2', f.mul(x, -log2e)), 1))
  const a = f.abs(x)
  const sum = f.max(f.fma(a, -log2e, magic), magic - 126)
  const e = f.mul(f.approximate('exp2', restOf(f, a, sum, magic, -1)), powerOfTwo(f, sum))
  const inverse = f.approximate('reciprocal', f.add(e, 1))
  return f.where(f.lt(x, 0), f.mul(e, inverse), inverse)
}

/** 1 / (1 + e^−x) for f32 and f64, computed from e^−|x|, which cannot overflow. */
export function sigmoid(f: Formula, x: LaneNode): LaneNode {
  if (f.dtype === 'f32' && f.hints.approximate !== 'never') return fastSigmoid(f, x)
  const e = f.named('e', f.map('exp', f.neg(f.abs(x))))
  return quotient(f, f.where(f.lt(x, 0), e, 1), f.add(e, 1))
}

/** (tanh(x)/x − 1) / x² as a polynomial in x², for |x| ≤ 0.62. */
const tanhTail = hexes('-0x1.555536p-2', '0x1.1107f2p-3', '-0x1.b85792p-5', '0x1.52dccep-6', '-0x1.79251ap-8')

/** (e^2a − 1) / (e^2a + 1) with a = |x|. The result is 1 from a = 9.02 on. */
export function tanh(f: Formula, x: LaneNode): LaneNode {
  if (f.hints.approximate !== 'never') return fastTanh(f, x)
  const t = f.named('t', expm1Times(f, f.mul(f.min(f.abs(x), 10), 2), 0))
  return f.copysign(f.div(t, f.add(t, 2)), x)
}

/** tanh on a GPU: an odd polynomial near 0, else 1 − 2 / (e^2|x| + 1). */
function fastTanh(f: Formula, x: LaneNode): LaneNode {
  // The hardware's tanh has an error of 2^-11, enough for bf16 only.
  if (f.hints.approximate === 'bf16') return f.approximate('tanh', x)
  const [a, s] = [f.abs(x), f.mul(x, x)]
  const near = f.fma(f.mul(f.polynomial(s, tanhTail), s), a, a)
  const e = f.approximate('exp2', f.mul(a, 2 * log2e))
  const far = f.fma(f.approximate('reciprocal', f.add(e, 1)), -2, 1)
  return f.copysign(f.where(f.lt(a, 0.6), near, far), x)
}

/** (sinh(x)/x − 1) / x² as a polynomial in x², for |x| < 1. */
const sinhTail = hexes('0x1.555556p-3', '0x1.111136p-7', '0x1.9ffe12p-13', '0x1.7a267cp-19')

/** e^|x| / 2: finite wherever sinh x and cosh x are. */
function halfExp(f: Formula, x: LaneNode): LaneNode {
  const h =
    f.hints.approximate === 'never' ? expTimes(f, f.abs(x), -1) : f.mul(expTimesByPowers(f, f.abs(x), -2, true), 2)
  return f.named('h', h)
}

export function sinh(f: Formula, x: LaneNode): LaneNode {
  const [h, s] = [halfExp(f, x), f.mul(x, x)]
  const near = f.fma(f.mul(f.polynomial(s, sinhTail), s), x, x)
  return f.where(f.lt(f.abs(x), 1), near, f.copysign(f.sub(h, f.div(0.25, h)), x))
}

export function cosh(f: Formula, x: LaneNode): LaneNode {
  const h = halfExp(f, x)
  return f.add(h, f.div(0.25, h))
}

/**
 * Exponentials of f32. x·log2 e is split into an integer n and a rest of at most a half, so that e^x = 2^n · 2^rest, and
 * the GPU's own exp2 gives 2^rest. Adding 1.5·2^23 + 127 rounds to an integer and leaves n + 127, the exponent bits of
 * 2^n, in the low bits of the sum. n is held where 2^n is a normal number; the rest takes what is beyond, so that results
 * below the normal range are rounded once, by the last product.
 */
import type { LaneNode } from '../../../lane/ir.js'
import { type Formula, hex, hexes } from './formula.js'

/** 1.5·2^23 + 127: the rounding constant. */
const magic = 12583039
const log2e = hex('0x1.715476p+0')
/** log2 e − the constant above. */
const log2eRest = hex('0x1.4ae0c0p-26')

/** 2^n, from the bits of n + magic. */
export function powerOfTwo(f: Formula, sum: LaneNode): LaneNode {
  return f.bitcast('f32', f.as('i32').map('shl', f.bitcast('i32', sum), 23))
}

/** e^x: 9 instructions. */
export function exp(f: Formula, x: LaneNode): LaneNode {
  const sum = f.max(f.min(f.fma(x, log2e, magic), magic + 127), magic - 126)
  const rest = f.fma(x, log2eRest, f.fma(x, log2e, f.sub(magic, sum)))
  return f.mul(f.approximate('exp2', rest), powerOfTwo(f, sum))
}

/** 2^r in r, |r| ≤ 1/2: where two more digits are worth six instructions. */
const exp2Polynomial = [
  1,
  ...hexes('0x1.62e43p-1', '0x1.ebfbep-3', '0x1.c6aebep-5', '0x1.3b29ap-7', '0x1.5f5076p-10', '0x1.449782p-13'),
]

/** e^x · 2^up, for x and up that leave the result in the normal range; infinite from 2^128 on when `bounded`. */
export function expTimes(f: Formula, x: LaneNode, up: number, bounded = false): LaneNode {
  const plain = f.fma(x, log2e, magic + up)
  const sum = bounded ? f.min(plain, magic + 128) : plain
  const rest = f.fma(x, log2eRest, f.fma(x, log2e, f.sub(magic + up, sum)))
  return f.mul(f.polynomial(rest, exp2Polynomial), powerOfTwo(f, sum))
}

/** ln 2 in two parts: n times the first, in a fused multiply-add, loses nothing that matters. */
const ln2 = [hex('0x1.62e43p-1'), hex('-0x1.05c61p-29')] as const
/** (e^r − 1 − r) / r², |r| ≤ ln(2)/2 */
const expTail = hexes('0x1p-1', '0x1.5554a8p-3', '0x1.55547ep-5', '0x1.122d72p-7', '0x1.6da098p-10')

/** e^x − 1 for −20 < x < 89, from a polynomial in the reduced argument; halved, to stay finite. */
function expm1Half(f: Formula, x: LaneNode): LaneNode {
  const sum = f.fma(x, log2e, magic - 1)
  const n = f.sub(sum, magic - 1)
  const r = f.fma(n, -ln2[1], f.fma(n, -ln2[0], x))
  const p = f.fma(f.mul(f.polynomial(r, expTail), r), r, r)
  const half = powerOfTwo(f, sum)
  return f.fma(p, half, f.sub(half, 0.5))
}

/** e^x − 1, accurate near 0: below 2^-25 the result is x, −0 included. */
export function expm1(f: Formula, x: LaneNode): LaneNode {
  const bounded = f.max(f.min(x, 89), -20)
  const doubled = f.mul(expm1Half(f, bounded), 2)
  return f.where(f.lt(f.abs(x), 2 ** -25), x, doubled)
}

/** 1 / (1 + e^−x): e^−|x| cannot overflow. */
export function sigmoid(f: Formula, x: LaneNode): LaneNode {
  const a = f.abs(x)
  const sum = f.max(f.fma(a, -log2e, magic), magic - 126)
  const rest = f.fma(a, -log2eRest, f.fma(a, -log2e, f.sub(magic, sum)))
  const e = f.mul(f.approximate('exp2', rest), powerOfTwo(f, sum))
  const inverse = f.approximate('reciprocal', f.add(e, 1))
  return f.where(f.lt(x, 0), f.mul(e, inverse), inverse)
}

/** (tanh(x)/x − 1) / x² in x², for |x| ≤ 0.62 */
const tanhTail = hexes('-0x1.555536p-2', '0x1.1107f2p-3', '-0x1.b85792p-5', '0x1.52dccep-6', '-0x1.79251ap-8')

/** 1 − 2 / (e^2|x| + 1), and an odd polynomial near 0. */
export function tanh(f: Formula, x: LaneNode): LaneNode {
  const [a, s] = [f.abs(x), f.mul(x, x)]
  const near = f.fma(f.mul(f.polynomial(s, tanhTail), s), a, a)
  const e = f.approximate('exp2', f.mul(a, 2 * log2e))
  const far = f.fma(f.approximate('reciprocal', f.add(e, 1)), -2, 1)
  return f.copysign(f.where(f.lt(a, 0.6), near, far), x)
}

/** (sinh(x)/x − 1) / x² in x², for |x| < 1 */
const sinhTail = hexes('0x1.555556p-3', '0x1.111136p-7', '0x1.9ffe12p-13', '0x1.7a267cp-19')

/** e^|x| / 2, finite where the result of sinh and cosh is. */
const halfExp = (f: Formula, x: LaneNode): LaneNode => f.mul(expTimes(f, f.abs(x), -2, true), 2)

export function sinh(f: Formula, x: LaneNode): LaneNode {
  const [h, s] = [halfExp(f, x), f.mul(x, x)]
  const near = f.fma(f.mul(f.polynomial(s, sinhTail), s), x, x)
  return f.where(f.lt(f.abs(x), 1), near, f.copysign(f.sub(h, f.div(0.25, h)), x))
}

export function cosh(f: Formula, x: LaneNode): LaneNode {
  const h = halfExp(f, x)
  return f.add(h, f.div(0.25, h))
}

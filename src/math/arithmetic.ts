/** Arithmetic ops that targets lack: signs, rounded division (floor, truncate), remainders, integer powers. */
import type { LaneNode } from '../lane/ir.js'
import type { ScalarOpName } from '../scalar/ops.js'
import { dtypes } from '../types/dtype.js'
import type { Formula } from './formula.js'
import { quotient } from './quotient.js'

type Expansion = (f: Formula, a: LaneNode, b: LaneNode) => LaneNode

/** True where remainder r is nonzero and its sign differs from that of b. */
const otherSign = (f: Formula, r: LaneNode, b: LaneNode): LaneNode =>
  f.and(f.ne(r, 0), f.map('ne', f.lt(r, 0), f.lt(b, 0)))

/** As `otherSign`, for integers: the sign bit of r xor b. */
const integersDiffer = (f: Formula, r: LaneNode, b: LaneNode): LaneNode =>
  f.and(f.ne(r, 0), f.lt(f.map('xor', r, b), 0))

const integerRemainder: Expansion = (f, a, b) => {
  const rest = f.sub(a, f.mul(f.map('truncDiv', a, b), b))
  return b.op === 'const' && Number(b.attrs.value) !== 0 ? rest : f.where(f.eq(b, 0), 0, rest)
}

/** log2 of a constant power of two (division becomes a shift, remainder a mask); null for any other node. */
function shiftOf(node: LaneNode): number | null {
  if (node.op !== 'const') return null
  const value = Number(node.attrs.value)
  return value > 0 && Number.isInteger(Math.log2(value)) && BigInt(value) === BigInt(node.attrs.value)
    ? Math.log2(value)
    : null
}

/** True when the operand is a constant > 0. */
const isPositive = (node: LaneNode): boolean => node.op === 'const' && Number(node.attrs.value) > 0

export const integerExpansions: { readonly [Fn in ScalarOpName]?: Expansion } = {
  sign: (f, a) => f.sub(f.where(f.gt(a, 0), 1, 0), f.where(f.lt(a, 0), 1, 0)),
  fmod: integerRemainder,
  mod: (f, a, b) => {
    if (shiftOf(b) !== null) return f.map('and', a, f.sub(b, 1))
    const rest = integerRemainder(f, a, b)
    if (f.dtype === 'u8') return rest
    const wrong = isPositive(b) ? f.lt(rest, 0) : integersDiffer(f, rest, b)
    return f.where(wrong, f.add(rest, b), rest)
  },
  floorDiv: (f, a, b) => {
    const shift = shiftOf(b)
    if (shift !== null) return f.map('shr', a, shift)
    const quotient = f.map('truncDiv', a, b)
    if (f.dtype === 'u8') return quotient
    const rest = f.sub(a, f.mul(quotient, b))
    const wrong = isPositive(b) ? f.lt(rest, 0) : f.and(integersDiffer(f, rest, b), f.ne(b, 0))
    return f.where(wrong, f.sub(quotient, 1), quotient)
  },
  pow: integerPow,
  gcd: divisor,
}

/** Below, integers are exact in f64. */
const exactIn64 = 2n ** 53n

/**
 * Euclid's algorithm on floats, with remainders of the least magnitude: at most half the divisor, so few steps are needed and
 * a quotient that is off by one does no harm. Numbers too large for a float take integer steps first.
 */
function divisor(f: Formula, a: LaneNode, b: LaneNode): LaneNode {
  const d = f.as(dtypes[f.dtype].bits <= 16 ? 'f32' : 'f64')
  if (f.dtype !== 'i64') return f.cast(f.dtype, floatDivisor(d, f.cast(d.dtype, a), f.cast(d.dtype, b)))
  const isLarge = (x: LaneNode): LaneNode => f.or(f.lt(x, f.const(-exactIn64)), f.gt(x, f.const(exactIn64)))
  const [x, y] = f.while(
    [a, b],
    ([x, y]) => f.and(f.ne(y!, 0), f.or(isLarge(x!), isLarge(y!))),
    ([x, y]) => [y!, f.map('fmod', x!, y!)],
  ) as [LaneNode, LaneNode]
  const small = floatDivisor(d, d.cast('f64', x), d.cast('f64', y))
  // A large number that is left is the result: the other one is 0.
  return f.where(isLarge(x), f.abs(x), f.cast('i64', small))
}

function floatDivisor(f: Formula, a: LaneNode, b: LaneNode): LaneNode {
  const [result] = f.while(
    [f.abs(a), f.abs(b)],
    ([, y]) => f.ne(y!, 0),
    ([x, y]) => [y!, f.abs(f.fma(f.neg(f.map('round', quotient(f, x!, y!))), y!, x!))],
  )
  return result!
}

/** Square-and-multiply, wrapping. A negative power is 0, except for the bases 1 and −1. */
function integerPow(f: Formula, a: LaneNode, b: LaneNode): LaneNode {
  const one = f.const(1)
  const [power] = f.while(
    [one, a, b],
    ([, , rest]) => f.ne(rest!, 0),
    ([result, square, rest]) => [
      f.where(f.ne(f.map('and', rest!, 1), 0), f.mul(result!, square!), result!),
      f.mul(square!, square!),
      f.map('shrLogical', rest!, 1),
    ],
  )
  if (f.dtype === 'u8') return power!
  const odd = f.ne(f.map('and', b, 1), 0)
  const inverse = f.where(f.eq(a, 1), 1, f.where(f.eq(a, -1), f.where(odd, -1, 1), 0))
  return f.where(f.lt(b, 0), inverse, power!)
}

/**
 * f32 remainder through f64: exact while the f64 quotient is below 2^27; larger quotients and infinite divisors go to libm. By 0 it
 * is NaN either way: zeros are what lanes beyond the end hold, and must not take the slow path.
 */
const wideRemainder: Expansion = (f, a, b) => {
  const d = f.as('f64')
  const [n, m] = [d.named('n', f.cast('f64', a)), d.named('d', f.cast('f64', b))]
  const q = d.named('q', d.map('trunc', d.div(n, m)))
  const usual = f.copysign(f.cast('f32', d.fma(d.neg(q), m, n)), a)
  const isRare = f.or(f.and(d.ge(d.abs(q), 2 ** 27), d.ne(m, 0)), f.map('isinf', b))
  return f.slowPath(isRare, [usual], () => [f.builtin('fmod', a, b)])[0]!
}

/**
 * f64 remainder. The truncated quotient is off by at most one below 2^52, and the remainder computed from it is exact; larger
 * quotients and infinite divisors go to libm. By 0, and of NaN, it is NaN either way.
 */
const doubleRemainder: Expansion = (f, a, b) => {
  const [r, d] = [f.abs(a), f.abs(b)]
  const isLong = f.and(f.ge(f.div(r, d), 2 ** 51), f.gt(d, 0))
  const usual = f.copysign(remainderStep(f, r, d), a)
  const isRare = f.or(isLong, f.eq(d, Number.POSITIVE_INFINITY))
  return f.slowPath(isRare, [usual], () => [f.builtin('fmod', a, b)])[0]!
}

/** Below this ratio, the truncated quotient is off by at most one, and the remainder computed from it is exact. */
const exactRatio = 2 ** 21

/** |a| mod |b| for a ratio below `exactRatio`. If the quotient was rounded up, the remainder is negative: add d once. */
function remainderStep(f: Formula, r: LaneNode, d: LaneNode): LaneNode {
  const rest = f.fma(f.neg(f.map('trunc', f.div(r, d))), d, r)
  return f.where(f.lt(rest, 0), f.add(rest, d), rest)
}

/**
 * Exact remainder. A quotient too large for one step is reduced 20 bits at a time: the divisor is scaled up until the quotient
 * is small, then scaled back down step by step.
 */
const floatRemainder: Expansion = (f, a, b) => {
  if (f.hints.f64) return f.dtype === 'f32' ? wideRemainder(f, a, b) : doubleRemainder(f, a, b)
  const [r, d] = [f.abs(a), f.abs(b)]
  const usual = f.where(f.and(f.eq(d, Number.POSITIVE_INFINITY), f.lt(r, d)), r, remainderStep(f, r, d))
  const small = f.lt(f.div(r, d), exactRatio)
  const isLong = f.and(f.not(small), f.lt(r, Number.POSITIVE_INFINITY), f.gt(d, 0))
  const [rest] = f.slowPath(isLong, [usual], () => {
    const limit = f.mul(r, 1 / exactRatio)
    const [top] = f.while(
      [d],
      ([t]) => f.and(isLong, f.le(t!, limit)),
      ([t]) => [f.mul(t!, 2 ** 20)],
    )
    const [reduced] = f.while(
      [r, top!],
      ([, t]) => f.and(isLong, f.ge(t!, d)),
      ([rest, t]) => [remainderStep(f, rest!, t!), f.mul(t!, 2 ** -20)],
    )
    return [reduced!]
  })
  return f.copysign(rest!, a)
}

/**
 * A vector of f32 divided by one scalar: multiply by the scalar's reciprocal, then correct the last place with the remainder
 * (Markstein). Kernels with 16-bit results skip the correction, since rounding discards it. Divisors whose reciprocal or
 * correction is near the ends of f32's range take the slow path, a true division.
 */
function divideByScalar(f: Formula, a: LaneNode, b: LaneNode): LaneNode {
  const one = b.op === 'splat' ? b.inputs[0]! : null
  if (f.dtype !== 'f32' || f.lanes < 2 || one === null) return f.native('div', a, b)
  const isExact = f.hints.approximate === 'full'
  const scalar = f.as('f32', 1)
  const spread = (x: LaneNode): LaneNode => f.b.node('splat', [x], { lanes: f.lanes })
  const inverse = spread(scalar.native('div', 1, one))
  const near = f.mul(a, inverse)
  const corrected = (): LaneNode => {
    const rest = f.fma(near, spread(scalar.neg(one)), a)
    // |rest| ≥ |a| only if a is 0, or the product overflowed or underflowed, as the quotient then does: no correction.
    return f.where(f.lt(f.abs(rest), f.abs(a)), f.fma(rest, inverse, near), near)
  }
  const usual = isExact ? corrected() : near
  const [size, limit] = [scalar.abs(one), isExact ? 2 ** 100 : 2 ** 126]
  const isRare = scalar.not(scalar.and(scalar.gt(size, 1 / limit), scalar.lt(size, limit)))
  const [result] = f.slowPath(spread(isRare), [usual], () => [f.native('div', a, b)], isRare)
  return result!
}

/** floor(a / b), where `rest` is a mod b with the sign of a: a − rest is a multiple of b up to rounding. */
function flooredQuotient(f: Formula, a: LaneNode, b: LaneNode, rest: LaneNode): LaneNode {
  const plain = f.div(f.sub(a, rest), b)
  const quotient = f.where(otherSign(f, rest, b), f.sub(plain, 1), plain)
  const floor = f.map('floor', quotient)
  const whole = f.where(f.gt(f.sub(quotient, floor), 0.5), f.add(floor, 1), floor)
  const exact = f.div(a, b)
  return f.where(f.eq(b, 0), exact, f.where(f.eq(quotient, 0), f.copysign(0, exact), whole))
}

/** Computes an f32 quotient in f64 where the target allows it: truncation then precedes the rounding to f32. */
function inF64(f: Formula, operands: readonly LaneNode[], body: (d: Formula, ...x: LaneNode[]) => LaneNode): LaneNode {
  return f.cast('f32', body(f.as('f64'), ...operands.map(x => f.cast('f64', x))))
}
const mayUseF64 = (f: Formula): boolean => f.dtype === 'f32' && f.hints.f64

function truncatedQuotient(f: Formula, a: LaneNode, b: LaneNode): LaneNode {
  if (mayUseF64(f)) return inF64(f, [a, b], (d, n, m) => truncatedQuotient(d, n!, m!))
  const quotient = f.map('trunc', f.div(a, b))
  if (f.dtype === 'f64') return quotient
  // If the quotient was rounded up to an integer, the remainder has the wrong sign.
  const rest = f.fma(f.neg(quotient), b, a)
  const wrong = f.and(f.lt(f.mul(rest, f.copysign(1, a)), 0), f.lt(f.abs(quotient), 2 ** 24))
  return f.where(wrong, f.sub(quotient, f.copysign(1, quotient)), quotient)
}

export const floatExpansions: { readonly [Fn in ScalarOpName]?: Expansion } = {
  sign: (f, a) => f.where(f.gt(a, 0), 1, f.where(f.lt(a, 0), -1, f.where(f.eq(a, 0), 0, a))),
  fmod: floatRemainder,
  mod: (f, a, b) => {
    const rest = f.named('rest', f.map('fmod', a, b))
    const moved = f.where(f.map('ne', f.lt(rest, 0), f.lt(b, 0)), f.add(rest, b), rest)
    return f.where(f.eq(rest, 0), f.copysign(0, b), moved)
  },
  truncDiv: truncatedQuotient,
  floorDiv: (f, a, b) => {
    const rest = f.map('fmod', a, b)
    if (mayUseF64(f)) return inF64(f, [a, b, rest], (d, n, m, r) => flooredQuotient(d, n!, m!, r!))
    return flooredQuotient(f, a, b, rest)
  },
  div: divideByScalar,
  rsqrt: (f, a) => f.div(1, f.sqrt(a)),
  isnan: (f, a) => f.ne(a, a),
  isinf: (f, a) => f.eq(f.abs(a), Number.POSITIVE_INFINITY),
  isfinite: (f, a) => f.lt(f.abs(a), Number.POSITIVE_INFINITY),
}

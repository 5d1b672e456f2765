/**
 * Transcendental functions of f64, from fused multiply-adds only: hardware has no f64 approximations. The argument is
 * reduced to a small interval, where a minimax polynomial is evaluated; errors are a few units in the last place.
 */
import type { LaneNode } from '../lane/ir.js'
import { inverseRatio } from './erf.js'
import { type Formula, type FormulaOperand, hex, hexes } from './formula.js'
import { quotient } from './quotient.js'

/** 1.5·2^52: adding it rounds to an integer, which is then in the low bits of the sum. */
export const magic = 6755399441055744
const log2e = hex('0x1.71547652b82fep+0')
/** ln 2 in two parts; the first is exact. */
const ln2 = hexes('0x1.62e42fefa39efp-1', '0x1.abc9e3b39803fp-56') as [number, number]
/** (e^r − 1 − r) / r² as a polynomial in r, |r| ≤ ln(2)/2. */
const expTail = hexes(
  '0x1p-1',
  '0x1.555555555555cp-3',
  '0x1.555555555555ep-5',
  '0x1.111111110ebb2p-7',
  '0x1.6c16c16c135abp-10',
  '0x1.a01a01b3bb6b3p-13',
  '0x1.a01a01b44e586p-16',
  '0x1.71ddef932c86ep-19',
  '0x1.27e4bf3d790fap-22',
  '0x1.af6ccdd9723e3p-26',
  '0x1.1f9ddd1548716p-29',
)

/** x clamped to [low, high]; NaN stays NaN. */
export const clamp = (f: Formula, x: LaneNode, low: number, high: number): LaneNode =>
  f.where(f.gt(x, high), high, f.where(f.lt(x, low), low, x))

/** 2^k, where the low bits of the integer are k + 1023. Of these twelve count: it may have been added to `magic`. */
const power = (f: Formula, biased: LaneNode): LaneNode => f.bitcast('f64', f.as('i64').map('shl', biased, 52))

/** What is added to k + `magic` so that the sum's bits halved are k/2 + 1023, the exponent's bits of 2^(k/2). */
const twiceBias = 2046

/**
 * p · 2^k for |k| < 2000, rounded once; `sum` is k + `magic` + `twiceBias`. Scales in two steps, because 2^k itself may be
 * out of range.
 */
function scaled(f: Formula, p: LaneNode, sum: LaneNode): LaneNode {
  if (f.hints.scale) return f.builtin('scale', p, f.sub(sum, magic + twiceBias))
  const l = f.as('i64')
  const bits = f.bitcast('i64', sum)
  const half = l.map('shrLogical', bits, 1)
  return f.mul(f.mul(p, power(f, half)), power(f, l.sub(bits, half)))
}

/** e^r − 1 for |r| ≤ ln(2)/2. */
const expRest = (f: Formula, r: LaneNode): LaneNode => f.fma(f.mul(f.polynomial(r, expTail), r), r, r)

/** Reduces x to n·ln 2 + r; `sum` is n + `magic` + `up`. */
function reduceExp(f: Formula, x: LaneNode, up: number): { readonly sum: LaneNode; readonly r: LaneNode } {
  const sum = f.fma(x, log2e, magic + up)
  const whole = f.sub(sum, magic + up)
  return { sum, r: f.fma(whole, -ln2[1], f.fma(whole, -ln2[0], x)) }
}

/** e^(x + low) · 2^up; |low| is tiny compared with |x|. */
export function expTimes(f: Formula, x: LaneNode, up: number, low: LaneNode | null = null): LaneNode {
  // `up` is no part of x · log2 e, so it is not in the sum that is subtracted again.
  const { sum, r } = reduceExp(f, clamp(f, x, -800, 800), twiceBias + up)
  const p = expRest(f, low === null ? r : f.add(r, low))
  return scaled(f, f.add(p, 1), sum)
}

export const exp = (f: Formula, x: LaneNode): LaneNode => expTimes(f, x, 0)

export function exp2(f: Formula, x: LaneNode): LaneNode {
  const bounded = clamp(f, x, -1200, 1200)
  const sum = f.add(bounded, magic + twiceBias)
  const rest = f.sub(bounded, f.sub(sum, magic + twiceBias))
  const p = expRest(f, f.fma(rest, ln2[0], f.mul(rest, ln2[1])))
  return scaled(f, f.add(p, 1), sum)
}

/** e^x − 1 for any x. Computes half of it, so that the intermediate stays finite. */
export function expm1(f: Formula, x: LaneNode): LaneNode {
  const { sum, r } = reduceExp(f, clamp(f, x, -50, 710), 1022)
  const half = power(f, f.bitcast('i64', sum))
  const y = f.mul(f.fma(expRest(f, r), half, f.sub(half, 0.5)), 2)
  return f.where(f.lt(f.abs(x), 2 ** -54), x, y)
}

export function tanh(f: Formula, x: LaneNode): LaneNode {
  const t = expm1(f, f.mul(clamp(f, f.abs(x), 0, 22), 2))
  return f.copysign(quotient(f, t, f.add(t, 2)), x)
}

/** e^|x| / 2: finite wherever sinh x and cosh x are. */
const halfExp = (f: Formula, x: LaneNode): LaneNode => expTimes(f, f.abs(x), -1)

export function sinh(f: Formula, x: LaneNode): LaneNode {
  const a = f.abs(x)
  const t = expm1(f, a)
  const near = f.mul(f.add(t, quotient(f, t, f.add(t, 1))), 0.5)
  return f.copysign(f.where(f.lt(a, 22), near, halfExp(f, x)), x)
}

export function cosh(f: Formula, x: LaneNode): LaneNode {
  const h = halfExp(f, x)
  return f.add(h, f.div(0.25, h))
}

/** (log((1+s)/(1−s))/s − 2)/s² as a polynomial in s². */
const logTail = hexes(
  '0x1.5555555555555p-1',
  '0x1.9999999999e06p-2',
  '0x1.249249242aafbp-2',
  '0x1.c71c7259aa004p-3',
  '0x1.745cddff71931p-3',
  '0x1.3b20b4dda226bp-3',
  '0x1.0f5bf612514ccp-3',
  '0x1.0f6a9a38136f6p-3',
)
/** The bits of sqrt(1/2). */
const lowest = 0x3fe6a09e667f3bcdn
/** ln 2 in two parts; the first has 41 bits, so its product with an exponent is exact. */
export const ln2Parts = hexes('0x1.62e42fefa3p-1', '0x1.3de6af278ece6p-42') as [number, number]

interface LogSplit {
  readonly k: LaneNode
  readonly fraction: LaneNode
}

/** x = 2^k · (1 + f) with 1 + f in [sqrt 1/2, sqrt 2); subnormals are scaled into the normal range. */
export function splitLog(f: Formula, x: LaneNode): LogSplit {
  const isSmall = f.lt(x, 2 ** -1022)
  const bits = f.bitcast('i64', f.where(isSmall, f.mul(x, 2 ** 54), x))
  const exponent = exponentOf(f, bits)
  const fraction = f.sub(f.bitcast('f64', f.as('i64').sub(bits, exponent)), 1)
  return { k: floatOf(f, exponent, f.where(isSmall, exponentZero + 54, exponentZero)), fraction }
}

/** The exponent k of a normal number by its bits, in place: shifted left by 52. */
export const exponentOf = (f: Formula, bits: LaneNode): LaneNode => {
  const l = f.as('i64')
  return l.map('and', l.map('sub', bits, lowest), -(1n << 52n))
}

/** What `floatOf` subtracts for exponent 0. */
const exponentZero = 2 ** 52 + 1023

/** Such an exponent as a float. With the bits of 2^52 its own are a number: a conversion from i64 is slow everywhere. */
export function floatOf(f: Formula, exponent: LaneNode, zero: FormulaOperand = exponentZero): LaneNode {
  const l = f.as('i64')
  const biased = l.map('shrLogical', l.map('add', exponent, 1023n << 52n), 52)
  return f.sub(f.bitcast('f64', l.map('or', biased, 0x4330000000000000n)), zero)
}

/** y for positive finite x, else the logarithm's special value: −infinity at 0, NaN below 0, x at infinity and NaN. */
export function specialLog(f: Formula, x: LaneNode, y: LaneNode): LaneNode {
  const outside = f.where(f.eq(x, 0), Number.NEGATIVE_INFINITY, f.where(f.lt(x, 0), Number.NaN, x))
  return f.where(f.and(f.gt(x, 0), f.lt(x, Number.POSITIVE_INFINITY)), y, outside)
}

/** log(1 + f) = f − half + rest, with half = f²/2. */
function logParts(f: Formula, fraction: LaneNode): { readonly half: LaneNode; readonly rest: LaneNode } {
  const s = quotient(f, fraction, f.add(fraction, 2))
  const z = f.mul(s, s)
  const half = f.mul(f.mul(fraction, fraction), 0.5)
  return { half, rest: f.mul(s, f.fma(z, f.polynomial(z, logTail), half)) }
}

function naturalLog(f: Formula, { k, fraction }: LogSplit): LaneNode {
  const { half, rest } = logParts(f, fraction)
  const low = f.sub(half, f.fma(k, ln2Parts[1], rest))
  return f.fma(k, ln2Parts[0], f.sub(fraction, low))
}

export const log = (f: Formula, x: LaneNode): LaneNode => specialLog(f, x, naturalLog(f, splitLog(f, x)))

/** log_b x = k · (unit[0] + unit[1]) + log(1 + f) · (factor[0] + factor[1]); k · unit[0] is exact. */
function otherBase(f: Formula, x: LaneNode, unit: [number, number], factor: [number, number]): LaneNode {
  const { k, fraction } = splitLog(f, x)
  const { half, rest } = logParts(f, fraction)
  const first = f.sub(fraction, half)
  const second = f.add(f.sub(f.sub(fraction, first), half), rest)
  const high = f.add(first, second)
  const low = f.sub(second, f.sub(high, first))
  const product = f.mul(high, factor[0])
  const error = f.fma(high, factor[1], f.fma(low, factor[0], f.fma(high, factor[0], f.neg(product))))
  const whole = f.mul(k, unit[0])
  const sum = f.add(whole, product)
  const tail = f.add(f.add(f.sub(whole, sum), product), f.fma(k, unit[1], error))
  return specialLog(f, x, f.add(sum, tail))
}

export const log2 = (f: Formula, x: LaneNode): LaneNode =>
  otherBase(f, x, [1, 0], [log2e, hex('0x1.777d0ffda0d24p-56')])
export const log10 = (f: Formula, x: LaneNode): LaneNode =>
  otherBase(
    f,
    x,
    [hex('0x1.34413509f7p-2'), hex('0x1.3fde623e2566bp-43')],
    [hex('0x1.bcb7b1526e50ep-2'), hex('0x1.95355baaafad3p-57')],
  )

/** log(1 + x). 1 + x may have lost bits of x, so the fraction is the sum of x and 1, each scaled by 2^−k first. */
export function log1p(f: Formula, x: LaneNode): LaneNode {
  const l = f.as('i64')
  const whole = f.add(x, 1)
  const exponent = exponentOf(f, f.bitcast('i64', whole))
  const scaledX = f.bitcast('f64', l.sub(f.bitcast('i64', x), exponent))
  const four = f.bitcast('f64', l.sub(l.const(0x4010000000000000n), exponent))
  const fraction = f.add(scaledX, f.fma(four, 0.25, -1))
  const y = naturalLog(f, { k: floatOf(f, exponent), fraction })
  return f.where(f.lt(f.abs(x), 2 ** -54), x, specialLog(f, whole, y))
}

/** erf(x)/x − 2/√π as a polynomial in x², |x| ≤ 1. */
const erfTail = hexes(
  '-0x1.2a2c83f0e6977p-63',
  '-0x1.812746b0379e6p-2',
  '0x1.ce2f21a042b34p-4',
  '-0x1.b82ce31284f35p-6',
  '0x1.565bcd0dbd8bap-8',
  '-0x1.c02db3db487c2p-11',
  '0x1.f9a321e4a029ap-14',
  '-0x1.f4d1e43331bd5p-17',
  '0x1.b9df304be6bbcp-20',
  '-0x1.5f1f40828dc15p-23',
  '0x1.f7b9993a2de9ep-27',
  '-0x1.38ac17901beb9p-30',
  '0x1.06274124b41cfp-34',
)
const twoOverRootPi = hexes('0x1.20dd750429b6dp+0', '0x1.1ae3a914fed8p-56') as [number, number]
/** (1 + 2a) e^(a²) erfc(a) − 1 as a polynomial in (a − 4)/(a + 4), 0 ≤ a ≤ 28. */
const erfcTail = hexes(
  '0x1.dd2c8b74febf6p-3',
  '-0x1.1df1ad154a28fp-3',
  '0x1.f7f5df66fd7dp-7',
  '0x1.16ecefcfa5406p-4',
  '-0x1.9ddb23c3e9197p-4',
  '0x1.7fee004e112fap-4',
  '-0x1.0fb06dfe47f09p-4',
  '0x1.3079edf6af1f6p-5',
  '-0x1.096238855ded4p-6',
  '0x1.49c6727702b0bp-8',
  '-0x1.8d4a999b2790ep-11',
  '-0x1.a1df18a2fe4aep-13',
  '0x1.3be03756829f9p-13',
  '-0x1.995b06703cd7bp-16',
  '-0x1.78838951c035fp-17',
  '0x1.7f3d5176440a7p-18',
  '0x1.39523038d5172p-22',
  '-0x1.bc52eb6dfe63dp-21',
  '0x1.4a1aa96ea4f41p-24',
  '0x1.e5a26c71d833dp-24',
  '-0x1.46ad754cb6291p-26',
  '-0x1.1a6b5fca876acp-26',
  '0x1.d15d3be0217cdp-30',
  '0x1.19137a2477acp-29',
  '0x1.2ad50e10a71e1p-32',
)

const nearErf = (f: Formula, x: LaneNode): LaneNode => {
  const low = f.add(f.polynomial(f.mul(x, x), erfTail), twoOverRootPi[1])
  return f.fma(x, twoOverRootPi[0], f.mul(x, low))
}

/** erfc(a) for a ≥ 0.5. */
function farErfc(f: Formula, x: LaneNode): LaneNode {
  const a = clamp(f, x, 0, 28)
  const s = f.mul(a, a)
  const p = f.polynomial(quotient(f, f.sub(a, 4), f.add(a, 4)), erfcTail)
  // (1 + p) / (1 + 2a), then one correction by its residual, since the rounding errors add up.
  const inverse = quotient(f, f.const(1), f.fma(a, 2, 1))
  const first = f.fma(p, inverse, inverse)
  const rest = f.fma(f.fma(first, f.neg(a), 0.5), 2, f.sub(p, first))
  const ratio = f.fma(rest, inverse, first)
  // Multiplied by e^(−a²) · 2^100, because the result may be subnormal; includes a correction for a²'s rounding error.
  const e = expTimes(f, f.neg(s), 100, f.fma(f.neg(a), a, s))
  return f.mul(f.mul(ratio, e), 2 ** -100)
}

export function erf(f: Formula, x: LaneNode): LaneNode {
  const a = f.abs(x)
  return f.copysign(f.where(f.lt(a, 1), nearErf(f, a), f.sub(1, farErfc(f, a))), x)
}

export function erfc(f: Formula, x: LaneNode): LaneNode {
  const a = f.abs(x)
  const y = farErfc(f, a)
  return f.where(f.lt(a, 0.5), f.sub(1, nearErf(f, x)), f.where(f.lt(x, 0), f.sub(2, y), y))
}

/** erfinv(x) / x as a polynomial in √w − 4 with w = −ln(1 − x²), for 5 ≤ w ≤ 37.5; relative error 2^-25. */
const inverseFar = hexes(
  '0x1.eb7e0ap+1',
  '0x1.026e1cp+0',
  '0x1.49b994p-10',
  '-0x1.c53c66p-11',
  '0x1.59176ep-12',
  '-0x1.0d91ccp-13',
  '0x1.72c62p-15',
  '-0x1.5e57c4p-16',
  '0x1.ada94p-16',
  '-0x1.059a9cp-16',
  '0x1.8248bcp-20',
  '0x1.ac062ep-20',
  '-0x1.a129ep-22',
)

/** The number whose erf is x: a start of 25 bits, then one step of Halley's iteration, which triples them. */
export function erfinv(f: Formula, x: LaneNode): LaneNode {
  const a = f.abs(x)
  const complement = f.sub(1, a)
  const w = f.neg(f.map('log', f.mul(complement, f.add(1, a))))
  const y = f.mul(inverseRatio(f, w, f.sqrt(w), 4, inverseFar), a)
  // For a near 1, 1 − a is exact and erfc keeps the digits that erf loses.
  const miss = f.where(f.gt(a, 0.75), f.sub(complement, farErfc(f, y)), f.sub(nearErf(f, y), a))
  const newton = f.mul(miss, f.mul(f.map('exp', f.mul(y, y)), Math.sqrt(Math.PI) / 2))
  const better = f.sub(y, quotient(f, newton, f.fma(y, newton, 1)))
  return f.copysign(f.where(f.eq(a, 1), Number.POSITIVE_INFINITY, better), x)
}

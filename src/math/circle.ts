/**
 * Circular functions of f32. The argument is reduced as x = n·π/2 + r. Three sources of r, by target and size of x:
 * - |x| < 2^16: fused multiply-adds with π/2 split into three f32 parts; exact to f32 while n has few bits.
 * - |x| ≥ 2^16 (rare): Payne-Hanek reduction, a product of x's mantissa with the bits of 2/π that affect the result.
 * - Targets with f64: π/2 split into two f64 parts (107 bits), exact to f32 for |x| < 2^40; beyond, libm.
 * The polynomials in r² are minimax.
 */
import type { LaneNode } from '../lane/ir.js'
import { magic as magicWide } from './double.js'
import { halfPi as halfPiWide, twoOverPi as twoOverPiWide, withLibrary } from './double-circle.js'
import { type Formula, hex, hexes } from './formula.js'
import { inverseCircle } from './inverse-circle.js'
import { quotient } from './quotient.js'

const sinTail = hexes('-0x1.555546p-3', '0x1.11076p-7', '-0x1.994e5cp-13')
const cosTail = hexes('0x1.55554ap-5', '-0x1.6c0c8ap-10', '0x1.9a020ap-16')
const tanTail = hexes(
  '0x1.55556p-2',
  '0x1.110d8cp-3',
  '0x1.badc1cp-5',
  '0x1.5cad52p-6',
  '0x1.631f6ep-7',
  '0x1.6e6e3ep-14',
  '0x1.1ee016p-8',
)
const asinTail = hexes('0x1.5555cap-3', '0x1.330136p-4', '0x1.748efep-5', '0x1.8b86aap-6', '0x1.59f3dcp-5')
const atanTail = hexes(
  '-0x1.55553ep-2',
  '0x1.9991fep-3',
  '-0x1.2421b6p-3',
  '0x1.c09ap-4',
  '-0x1.583494p-4',
  '0x1.dac9fp-5',
  '-0x1.fed178p-6',
  '0x1.65a674p-7',
  '-0x1.d63018p-10',
)

/** π/2 in three parts of 24 bits. */
const halfPi = hexes('0x1.921fb6p+0', '-0x1.777a5cp-25', '-0x1.ee59dap-50') as [number, number, number]
const twoOverPi = hex('0x1.45f306p-1')
/** 1.5·2^23: adding it rounds to an integer, which is then in the low bits of the sum. */
const magic = 12582912
/** From here on, the three parts of π/2 do not suffice. */
const farAway = 2 ** 16

/** x minus its nearest multiple of π/2, and that multiple's number. */
interface Reduced {
  readonly r: LaneNode
  /** i32; the quadrant in its low two bits. */
  readonly quadrant: LaneNode
}

/** Range reduction of an f32 x: by π/2 in three parts (Cody and Waite), in f64 if that is fast, or from 2/π's bits if far. */
function reduce(f: Formula, x: LaneNode): Reduced {
  if (f.hints.f64) return reduceWide(f, x)
  const sum = f.fma(x, twoOverPi, magic)
  const n = f.sub(sum, magic)
  const near = f.fma(n, -halfPi[2], f.fma(n, -halfPi[1], f.fma(n, -halfPi[0], x)))
  const usual = [near, f.bitcast('i32', sum)]
  const [r, quadrant] = f.slowPathByLane(f.ge(f.abs(x), farAway), usual, x, reduceFar)
  return { r: r!, quadrant: quadrant! }
}

/** Range reduction in f64, where π/2 in two parts suffices. */
function reduceWide(f: Formula, x: LaneNode): Reduced {
  const d = f.as('f64')
  const wide = f.cast('f64', x)
  const sum = d.named('t', d.fma(wide, twoOverPiWide, magicWide))
  const n = d.named('n', d.sub(sum, magicWide))
  const r = f.cast('f32', d.fma(n, -halfPiWide[1], d.fma(n, -halfPiWide[0], wide)))
  return { r: f.named('r', r), quadrant: f.named('q', f.cast('i32', d.bitcast('i64', sum))) }
}

/** The bits of 2/π after the binary point, 32 per word, preceded by one word of zeros. */
const twoOverPiWords = [0, 0xa2f9836e, 0x4e441529, 0xfc2757d1, 0xf534ddc0, 0xdb629599, 0x3c439041, 0xfe5163ab] as const

/**
 * Payne-Hanek reduction for |x| ≥ 2^16. Write x = ±m · 2^s with an integer m < 2^24. High bits of 2/π contribute multiples of
 * 4 quadrants and are skipped: the 96 bits from bit s − 2 on, times m, give the quadrant in the two highest bits and the
 * fraction of a quadrant below them.
 */
function reduceFar(f: Formula, x: LaneNode): [LaneNode, LaneNode] {
  const [i, l] = [f.as('i32'), f.as('i64')]
  const bits = f.bitcast('i32', f.abs(x))
  // Bit position s − 2, plus 32 for the word of zeros, with s = exponent − 127 − 23.
  const start = i.sub(i.map('shrLogical', bits, 23), 127 + 23 - 30)
  const [word, shift] = [i.map('shr', start, 5), i.map('and', start, 31)]
  const pick = (offset: number): LaneNode => {
    const choices = [0, 1, 2, 3].map(at => l.const(BigInt(twoOverPiWords[at + offset]!)))
    const last = l.const(BigInt(twoOverPiWords[4 + offset]!))
    return choices.reduceRight((rest, choice, at) => f.where(i.eq(word, at), choice, rest), last)
  }
  const words = [0, 1, 2, 3].map(pick)
  const wideShift = f.cast('i64', shift)
  const mask = 0xffffffffn
  const low = (value: LaneNode): LaneNode => l.map('and', value, l.const(mask))
  /** The 32 bits that start at bit `shift` of the two words. */
  const window = (a: LaneNode, b: LaneNode): LaneNode =>
    low(l.map('shrLogical', l.map('or', l.map('shl', a, 32), b), l.map('sub', l.const(32n), wideShift)))
  const [high, middle, rest] = [0, 1, 2].map(at => window(words[at]!, words[at + 1]!)) as [LaneNode, LaneNode, LaneNode]
  const m = f.cast('i64', i.map('or', i.map('and', bits, 0x7fffff), 0x800000))
  const top = l.map('shl', l.mul(m, high), 32)
  const product = l.add(l.add(top, l.mul(m, middle)), l.map('shrLogical', l.mul(m, rest), 32))
  // Round to the nearest quadrant, so that the fraction is in [−1/2, 1/2).
  const quadrant = l.map('shrLogical', l.map('add', product, l.const(1n << 61n)), 62)
  const fraction = l.sub(product, l.map('shl', quadrant, 62))
  const d = f.as('f64')
  const angle = f.cast('f32', d.mul(d.cast('f64', fraction), (Math.PI / 2) * 2 ** -62))
  const [isNegative, isNumber] = [f.lt(x, 0), f.lt(f.abs(x), Number.POSITIVE_INFINITY)]
  const short = f.cast('i32', quadrant)
  const r = f.where(isNumber, f.where(isNegative, f.neg(angle), angle), Number.NaN)
  return [r, i.where(isNegative, i.neg(short), short)]
}

/** sin r for |r| ≤ π/4; `s` is r². */
function sine(f: Formula, r: LaneNode, s: LaneNode): LaneNode {
  return f.named('sine', f.fma(f.mul(f.polynomial(s, sinTail), s), r, r))
}

/** cos r for |r| ≤ π/4; `s` is r². */
function cosine(f: Formula, s: LaneNode): LaneNode {
  return f.named('cosine', f.fma(f.mul(f.polynomial(s, cosTail), s), s, f.fma(s, -0.5, 1)))
}

/** sin x for 'sin', sin(x + π/2) for 'cos': in odd quadrants ±cos r; bit 1 of the quadrant is the sign. */
function circular(f: Formula, x: LaneNode, fn: 'sin' | 'cos'): LaneNode {
  const { r, quadrant } = reduce(f, x)
  const i = f.as('i32')
  const s = f.named('s', f.mul(r, r))
  const at = i.plus(quadrant, fn === 'cos' ? 1 : 0)
  const isOdd = i.ne(i.map('and', at, 1), 0)
  const value = f.where(isOdd, cosine(f, s), sine(f, r, s))
  const sign = i.map('shl', i.map('and', at, 2), 30)
  return withLibrary(f, fn, x, 2 ** 40, f.bitcast('f32', i.map('xor', f.bitcast('i32', value), sign)))
}

export const sin = (f: Formula, x: LaneNode): LaneNode => f.where(f.eq(x, 0), x, circular(f, x, 'sin'))
export const cos = (f: Formula, x: LaneNode): LaneNode => circular(f, x, 'cos')

export function tan(f: Formula, x: LaneNode): LaneNode {
  const { r, quadrant } = reduce(f, x)
  const s = f.mul(r, r)
  const p = f.fma(f.mul(f.polynomial(s, tanTail), s), r, r)
  const i = f.as('i32')
  const isOdd = i.ne(i.map('and', quadrant, 1), 0)
  // Odd quadrants: −1 / tan r.
  const y = f.where(isOdd, quotient(f, f.const(-1), p), p)
  return f.where(f.eq(x, 0), x, withLibrary(f, 'tan', x, 2 ** 40, y))
}

/** atan q for 0 ≤ q ≤ 1. */
function atanCore(f: Formula, q: LaneNode): LaneNode {
  const s = f.mul(q, q)
  return f.fma(f.mul(f.polynomial(s, atanTail), s), q, q)
}

const isNegative = (f: Formula, x: LaneNode): LaneNode => f.as('i32').lt(f.bitcast('i32', x), 0)

export const { asin, acos, atan, atan2 } = inverseCircle({ halfPi, asinTail, atanCore, isNegative })

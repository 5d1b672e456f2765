/** Circular functions of f64: as f32's (circle.ts), with more parts of π/2, more bits of 2/π and longer polynomials. */
import type { LaneNode } from '../lane/ir.js'
import { magic } from './double.js'
import { type Formula, hex, hexes } from './formula.js'
import { inverseCircle } from './inverse-circle.js'
import { quotient } from './quotient.js'

const sinTail = hexes(
  '-0x1.5555555555555p-3',
  '0x1.111111111110bp-7',
  '-0x1.a01a01a018ae4p-13',
  '0x1.71de3a533975cp-19',
  '-0x1.ae6452984a0ep-26',
  '0x1.612092b6b65cp-33',
  '-0x1.aaa546c325291p-41',
)
const cosTail = hexes(
  '0x1.555555555554cp-5',
  '-0x1.6c16c16c1517ep-10',
  '0x1.a01a019cb1be1p-16',
  '-0x1.27e4f809f01f7p-22',
  '0x1.1ee9ebe86e706p-29',
  '-0x1.8fae9bea5625dp-37',
)
const atanTail = hexes(
  '-0x1.5555555555555p-2',
  '0x1.999999999997p-3',
  '-0x1.2492492490a6bp-3',
  '0x1.c71c71c60ffbep-4',
  '-0x1.745d1712f275ep-4',
  '0x1.3b13ab05e7dfbp-4',
  '-0x1.11108da916386p-4',
  '0x1.e1d2b6a6fa25cp-5',
  '-0x1.ae89b26296514p-5',
  '0x1.817e60c4c39c5p-5',
  '-0x1.4c3ad6351d896p-5',
  '0x1.e54b5dd65cabdp-6',
  '-0x1.a993163f727bbp-7',
)
const asinTail = hexes(
  '0x1.5555555555553p-3',
  '0x1.3333333333a68p-4',
  '0x1.6db6db6d464c4p-5',
  '0x1.f1c71ca9463bcp-6',
  '0x1.6e8b9acf75d0ap-6',
  '0x1.1c4f884beab6ep-6',
  '0x1.c9809045fa466p-7',
  '0x1.7ba755122e92fp-7',
  '0x1.36ad1bdca3dbcp-7',
  '0x1.4874c9aca8b9cp-7',
  '0x1.4d1c8baaecbb5p-11',
  '0x1.9871722a03e1dp-6',
  '-0x1.ae9eeda851e3ep-6',
  '0x1.143e39177f6fap-5',
)

export const halfPi = hexes('0x1.921fb54442d18p+0', '0x1.1a62633145c07p-54', '-0x1.f1976b7ed8fbcp-110') as [
  number,
  number,
  number,
]
export const twoOverPi = hex('0x1.45f306dc9c883p-1')
/** From here on, the three parts of π/2 do not suffice. */
const farAway = 2 ** 30

interface Reduced {
  readonly r: LaneNode
  /** i64; the quadrant in its low two bits. */
  readonly quadrant: LaneNode
}

/** y, except on targets with libm where |x| is too large for the reduction, `limit` or more: there libm's value. */
export function withLibrary(f: Formula, fn: 'sin' | 'cos' | 'tan', x: LaneNode, limit: number, y: LaneNode): LaneNode {
  if (!f.hints.f64) return y
  return f.slowPath(f.ge(f.abs(x), limit), [y], () => [f.builtin(fn, x)])[0]!
}

function reduce(f: Formula, x: LaneNode): Reduced {
  const sum = f.fma(x, twoOverPi, magic)
  const n = f.sub(sum, magic)
  const near = f.fma(n, -halfPi[2], f.fma(n, -halfPi[1], f.fma(n, -halfPi[0], x)))
  const usual = [near, f.bitcast('i64', sum)] as const
  if (f.hints.f64) return { r: usual[0], quadrant: usual[1] }
  const [r, quadrant] = f.slowPathByLane(f.ge(f.abs(x), farAway), usual, x, reduceFar)
  return { r: r!, quadrant: quadrant! }
}

/** 64 zeros, then the bits of 2/π after the binary point. */
const twoOverPiWords = [
  0n,
  0xa2f9836e4e441529n,
  0xfc2757d1f534ddc0n,
  0xdb6295993c439041n,
  0xfe5163abdebbc561n,
  0xb7246e3a424dd2e0n,
  0x06492eea09d1921cn,
  0xfe1deb1cb129a73en,
  0xe88235f52ebb4484n,
  0xe99c7026b45f7e41n,
  0x3991d639835339f4n,
  0x9c845f8bbdf9283bn,
  0x1ff897ffde05980fn,
  0xef2f118b5a0a6d1fn,
  0x6d367ecf27cb09b7n,
  0x4f463f669e5fea2dn,
  0x7527bac7ebe5f17bn,
  0x3d0739f78a5292ean,
  0x6bfb5fb11f8d5d08n,
  0x56033046fc7b6babn,
]

/** Four consecutive words of 2/π from word `at` on: a barrel shifter that moves by 16, 8, 4, 2, 1 words per bit of `at`. */
function wordsFrom(f: Formula, at: LaneNode): LaneNode[] {
  const l = f.as('i64')
  let words = twoOverPiWords.map(word => l.const(BigInt.asIntN(64, word)))
  let needed = 4 + 1 + 2 + 4 + 8
  for (const step of [16, 8, 4, 2, 1]) {
    const isSet = l.ne(l.map('and', at, BigInt(step)), l.const(0n))
    const before = words
    words = Array.from({ length: needed }, (_, i) => {
      const far = before[i + step] ?? l.const(0n)
      return l.where(isSet, far, before[i] ?? l.const(0n))
    })
    needed -= step / 2
  }
  return words.slice(0, 4)
}

/** The high 64 bits of an unsigned 64×64-bit product. */
function highProduct(f: Formula, a: LaneNode, b: LaneNode): LaneNode {
  const l = f.as('i64')
  const low = (x: LaneNode): LaneNode => l.map('and', x, 0xffffffffn)
  const high = (x: LaneNode): LaneNode => l.map('shrLogical', x, 32)
  const [al, ah, bl, bh] = [low(a), high(a), low(b), high(b)]
  const first = l.add(l.mul(ah, bl), high(l.mul(al, bl)))
  const second = l.add(l.mul(al, bh), low(first))
  return l.add(l.add(l.mul(ah, bh), high(first)), high(second))
}

/** Payne-Hanek reduction for |x| ≥ 2^30, with x = ±m · 2^s and an integer m < 2^53; see circle.ts. Uses 192 bits of 2/π. */
function reduceFar(f: Formula, x: LaneNode): [LaneNode, LaneNode] {
  const l = f.as('i64')
  const bits = f.bitcast('i64', f.abs(x))
  // Bit position s − 2, plus 64 for the zeros, with s = exponent − 1023 − 52.
  const start = l.map('sub', l.map('shrLogical', bits, 52), BigInt(1023 + 52 - 62))
  const shift = l.map('and', start, 63n)
  const words = wordsFrom(f, l.map('shr', start, 6))
  const left = l.sub(l.const(64n), shift)
  const [high, middle, rest] = [0, 1, 2].map(i =>
    l.map('or', l.map('shl', words[i]!, shift), l.map('shrLogical', words[i + 1]!, left)),
  ) as [LaneNode, LaneNode, LaneNode]
  const m = l.map('or', l.map('and', bits, (1n << 52n) - 1n), 1n << 52n)
  const [middleLow, restHigh] = [l.mul(m, middle), highProduct(f, m, rest)]
  const low = l.add(middleLow, restHigh)
  // Carry: an unsigned sum that is below one of its terms has wrapped.
  const sign = l.const(-(2n ** 63n))
  const wrapped = l.lt(l.map('xor', low, sign), l.map('xor', middleLow, sign))
  const carried = l.add(highProduct(f, m, middle), l.where(wrapped, l.const(1n), l.const(0n)))
  const top = l.add(l.mul(m, high), carried)
  const quadrant = l.map('shrLogical', l.map('add', top, 1n << 61n), 62)
  const fraction = f.cast('f64', l.sub(top, l.map('shl', quadrant, 62)))
  const below = f.mul(f.cast('f64', l.map('shrLogical', low, 1)), 2 ** -63)
  const angle = f.mul(f.add(fraction, below), halfPi[0] * 2 ** -62)
  const [isNegative, isNumber] = [f.lt(x, 0), f.lt(f.abs(x), Number.POSITIVE_INFINITY)]
  const r = f.where(isNumber, f.where(isNegative, f.neg(angle), angle), Number.NaN)
  return [r, l.where(isNegative, l.neg(quadrant), quadrant)]
}

const sine = (f: Formula, r: LaneNode, s: LaneNode): LaneNode => f.fma(f.mul(f.polynomial(s, sinTail), s), r, r)

/** cos r with 1 − s/2 as a high part plus its rounding error. */
function cosine(f: Formula, s: LaneNode): LaneNode {
  const half = f.mul(s, 0.5)
  const first = f.sub(1, half)
  const lost = f.sub(f.sub(1, first), half)
  return f.add(first, f.fma(f.mul(f.polynomial(s, cosTail), s), s, lost))
}

/** sin πu and cos πu for 0 ≤ u ≤ 1/2, with no reduction; exact 0 at u = 0 and u = 1/2. */
export function halfTurn(f: Formula, u: LaneNode): { readonly sin: LaneNode; readonly cos: LaneNode } {
  const isBig = f.gt(u, 0.25)
  const r = f.mul(f.where(isBig, f.sub(0.5, u), u), Math.PI)
  const s = f.mul(r, r)
  const [even, odd] = [sine(f, r, s), cosine(f, s)]
  return { sin: f.where(isBig, odd, even), cos: f.where(isBig, even, odd) }
}

function parts(f: Formula, x: LaneNode, quadrants: 0 | 1): { even: LaneNode; odd: LaneNode; at: LaneNode } {
  const { r, quadrant } = reduce(f, x)
  const s = f.mul(r, r)
  return { even: sine(f, r, s), odd: cosine(f, s), at: f.as('i64').map('add', quadrant, BigInt(quadrants)) }
}

function circular(f: Formula, x: LaneNode, fn: 'sin' | 'cos'): LaneNode {
  const { even, odd, at } = parts(f, x, fn === 'cos' ? 1 : 0)
  const l = f.as('i64')
  const value = f.bitcast('i64', f.where(isSet(l, at, 1n), odd, even))
  const sign = l.map('shl', l.map('and', at, 2n), 62)
  return withLibrary(f, fn, x, farAway, f.bitcast('f64', l.map('xor', value, sign)))
}

const isSet = (l: Formula, at: LaneNode, bit: bigint): LaneNode => l.ne(l.map('and', at, bit), l.const(0n))

export const sin = (f: Formula, x: LaneNode): LaneNode => f.where(f.eq(x, 0), x, circular(f, x, 'sin'))
export const cos = (f: Formula, x: LaneNode): LaneNode => circular(f, x, 'cos')

export function tan(f: Formula, x: LaneNode): LaneNode {
  const { even, odd, at } = parts(f, x, 0)
  const isOdd = isSet(f.as('i64'), at, 1n)
  const y = quotient(f, f.where(isOdd, f.neg(odd), even), f.where(isOdd, even, odd))
  return f.where(f.eq(x, 0), x, withLibrary(f, 'tan', x, farAway, y))
}

/** atan q for 0 ≤ q ≤ 1; q > tan(π/8) is reduced by π/4. */
function atanCore(f: Formula, q: LaneNode): LaneNode {
  const isBig = f.gt(q, Math.SQRT2 - 1)
  const t = f.where(isBig, quotient(f, f.sub(q, 1), f.add(q, 1)), q)
  const s = f.mul(t, t)
  const y = f.mul(f.mul(f.polynomial(s, atanTail), s), t)
  const upper = f.add(f.add(f.add(y, halfPi[1] / 2), t), halfPi[0] / 2)
  return f.where(isBig, upper, f.add(y, t))
}

const isNegative = (f: Formula, x: LaneNode): LaneNode => f.as('i64').lt(f.bitcast('i64', x), f.as('i64').const(0n))

export const { asin, acos, atan, atan2 } = inverseCircle({ halfPi, asinTail, atanCore, isNegative })

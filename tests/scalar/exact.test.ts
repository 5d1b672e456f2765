/** Roundings of scalar/exact.ts against exact arithmetic: no other f32 is nearer, and of two as near the even one wins. */
import { expect, it } from 'vitest'
import { fmaExact } from '../../src/scalar/exact.js'

const word = new DataView(new ArrayBuffer(4))
const bitsOf = (value: number): number => {
  word.setFloat32(0, value)
  return word.getInt32(0)
}
const ofBits = (bits: number): number => {
  word.setInt32(0, bits)
  return word.getFloat32(0)
}

/** A number below 2^32 per call, the same ones in every run (xorshift). */
function numbers(seed: number): () => number {
  let state = seed
  return () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return state >>> 0
  }
}

/** Integers at the scale of the smallest product of two subnormals, which every f32 and every product is a multiple of. */
const scaled = (value: number): bigint => BigInt(value * 2 ** 149)
const distance = (exact: bigint, value: number): bigint => {
  // Beyond the largest f32 the next one would be 2^128.
  const there = Number.isFinite(value) ? value : Math.sign(value) * 2 ** 128
  const difference = exact - (scaled(there) << 149n)
  return difference < 0n ? -difference : difference
}

/** Null when `got` is a·b + c rounded to nearest, ties to even. */
function problem(a: number, b: number, c: number, got: number): string | null {
  const exact = scaled(a) * scaled(b) + (scaled(c) << 149n)
  const magnitude = bitsOf(Math.abs(got))
  const neighbours = [magnitude + 1, magnitude - 1].filter(bits => bits >= 0 && bits <= 0x7f800000)
  const own = distance(exact, got)
  for (const bits of neighbours) {
    const other = distance(exact, (got < 0 ? -1 : 1) * ofBits(bits))
    if (other < own || (other === own && magnitude % 2 === 1)) return `fma(${a}, ${b}, ${c}) is not ${got}`
  }
  return null
}

it('fma of f32 is correctly rounded, also near ties, under cancellation, and among subnormals', () => {
  const next = numbers(1)
  const anything = (): number => {
    const value = ofBits(next() | 0)
    return Number.isFinite(value) ? value : 1
  }
  // Few bits set, so that sums are often ties.
  const sparse = (): number => (1 + (next() % 8) * 2 ** -23) * 2 ** ((next() % 60) - 30) * (next() % 2 === 0 ? 1 : -1)
  const makers: (() => [number, number, number])[] = [
    () => [anything(), anything(), anything()],
    () => [sparse(), sparse(), sparse()],
    () => {
      const [a, b] = [sparse(), anything()]
      return [a, b, Math.fround(-a * b) * (1 + ((next() % 5) - 2) * 2 ** -23)].map(Math.fround) as [
        number,
        number,
        number,
      ]
    },
    () => {
      // Less than float64 holds decides a tie: (1 + i·ε)(1 − i·ε)·2^-24 is i²·2^-70 below half of c's last bit.
      const [i, sign] = [(1 + (next() % 7)) * 2 ** -23, next() % 2 === 0 ? 1 : -1]
      return [(1 + i) * 2 ** -24 * sign, 1 - i, 1 + (next() % 8) * 2 ** -23]
    },
    () => [sparse() * 2 ** -70, sparse() * 2 ** -66, ofBits(next() % 64)].map(Math.fround) as [number, number, number],
    () => [ofBits(0x7f7fffff), sparse(), (next() % 2 === 0 ? 1 : -1) * ofBits(0x7f000000 + (next() % 0x800000))],
  ]
  const problems: (string | null)[] = []
  for (const make of makers) {
    for (let i = 0; i < 3000; i++) {
      const [a, b, c] = make()
      if (![a, b, c].every(Number.isFinite)) continue
      problems.push(problem(a, b, c, Math.fround(fmaExact(a, b, c, 'f32'))))
    }
  }
  expect(problems.length).toBeGreaterThan(15_000)
  expect(problems.filter(Boolean)).toEqual([])
})

it('an exact zero has the sign of the plain sum; a zero rounded from a subnormal keeps its own', () => {
  expect(fmaExact(-1, 0, 0, 'f32')).toBe(0)
  expect(fmaExact(-1, 0, -0, 'f32')).toBe(-0)
  expect(fmaExact(2 ** -100, -(2 ** -100), 0, 'f32')).toBe(-0)
})

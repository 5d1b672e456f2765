/**
 * Roundings that float64 arithmetic cannot do in one step: of exact products and sums (fma), and of 64-bit integers to
 * narrow floats. An exact value is m·2^e with a bigint m; it is rounded once, to nearest even.
 */
import type { Dtype } from '../types/dtype.js'

interface Exact {
  readonly m: bigint
  readonly e: number
}

interface Format {
  /** Bits of the significand, including the hidden bit. */
  readonly precision: number
  /** Exponent of the smallest subnormal. */
  readonly minExponent: number
}

const formats = {
  f64: { precision: 53, minExponent: -1074 },
  f32: { precision: 24, minExponent: -149 },
  bf16: { precision: 8, minExponent: -133 },
  f16: { precision: 11, minExponent: -24 },
} as const satisfies { readonly [D in Dtype]?: Format }

const bitsOf = new DataView(new ArrayBuffer(8))

/** A finite number as m·2^e. */
function exactOf(value: number): Exact {
  bitsOf.setFloat64(0, value)
  const bits = bitsOf.getBigUint64(0)
  const exponent = Number((bits >> 52n) & 2047n)
  const fraction = bits & (2n ** 52n - 1n)
  const magnitude = exponent === 0 ? fraction : fraction | (1n << 52n)
  return { m: value < 0 ? -magnitude : magnitude, e: Math.max(exponent, 1) - 1075 }
}

function bitLength(magnitude: bigint): number {
  return magnitude === 0n ? 0 : magnitude.toString(2).length
}

/** m·2^e rounded to a format; the caller's own conversion then maps values beyond its range to infinity. */
function roundExact({ m, e }: Exact, { precision, minExponent }: Format): number {
  const magnitude = m < 0n ? -m : m
  const drop = Math.max(bitLength(magnitude) - precision, minExponent - e, 0)
  const kept = magnitude >> BigInt(drop)
  const rest = magnitude - (kept << BigInt(drop))
  const half = drop === 0 ? 0n : 1n << BigInt(drop - 1)
  const up = drop > 0 && (rest > half || (rest === half && (kept & 1n) === 1n))
  const rounded = Number(up ? kept + 1n : kept) * 2 ** (e + drop)
  return m < 0n ? -rounded : rounded
}

/** An integer rounded once to a float dtype; for 8-bit floats, to f32, from which their codes are computed. */
export function roundInteger(value: bigint, dtype: Dtype): number {
  return roundExact({ m: value, e: 0 }, (formats as { readonly [D in Dtype]?: Format })[dtype] ?? formats.f32)
}

/** a·b + c rounded once to the format. */
export function fmaExact(a: number, b: number, c: number, format: 'f64' | 'f32'): number {
  const plain = a * b + c
  if (!Number.isFinite(a) || !Number.isFinite(b) || !Number.isFinite(c)) return plain
  if (format === 'f32' && isF32(a) && isF32(b) && isF32(c)) return fmaOfF32(a, b, c)
  const [x, y, z] = [exactOf(a), exactOf(b), exactOf(c)]
  const e = Math.min(x.e + y.e, z.e)
  const m = ((x.m * y.m) << BigInt(x.e + y.e - e)) + (z.m << BigInt(z.e - e))
  // An exact zero takes the sign that the plain sum has.
  return m === 0n ? plain : roundExact({ m, e }, formats[format])
}

const isF32 = (value: number): boolean => Math.fround(value) === value

/**
 * In float64 the product of two f32 is exact, and the rounding error of the sum is exact too (Knuth's two-sum). A sum rounded
 * to odd has enough bits (53 ≥ 24 + 2) that rounding it to f32 equals a single rounding of the exact value.
 */
function fmaOfF32(a: number, b: number, c: number): number {
  const product = a * b
  const sum = product + c
  const part = sum - product
  const lost = product - (sum - part) + (c - part)
  return Math.fround(lost === 0 ? sum : roundedToOdd(sum, lost))
}

/** The float64 with an odd last bit next to `sum + lost`, which is not a float64; `sum` is the nearest float64, and not 0. */
function roundedToOdd(sum: number, lost: number): number {
  bitsOf.setFloat64(0, sum)
  const low = bitsOf.getUint32(4)
  if ((low & 1) === 1) return sum
  if (sum > 0 === lost > 0) bitsOf.setUint32(4, low + 1)
  else {
    // One step toward zero borrows from the upper half.
    bitsOf.setUint32(4, low - 1)
    if (low === 0) bitsOf.setUint32(0, bitsOf.getUint32(0) - 1)
  }
  return bitsOf.getFloat64(0)
}

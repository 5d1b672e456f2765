/**
 * Floats of 4 and 8 bits as data, and their codes to and from numbers: the reference for every kernel that decodes or
 * encodes them. Rounding is to nearest even; values beyond the largest saturate or overflow, as requested.
 */
import type { Float8 } from './dtype.js'
import { roundHalfEven } from './float16.js'

export interface Minifloat {
  readonly exponentBits: number
  readonly mantissaBits: number
  readonly bias: number
  /** The largest finite code without its sign. */
  readonly maxCode: number
  readonly max: number
  /** Codes without sign above `maxCode`: infinity first where there is one, then NaN; none in e2m1. */
  readonly infinityCode: number | null
  /** What NaN is encoded as; null: there is none. */
  readonly nanCode: number | null
}

export const minifloats = {
  e2m1: { exponentBits: 2, mantissaBits: 1, bias: 1, maxCode: 0x7, max: 6, infinityCode: null, nanCode: null },
  e4m3: { exponentBits: 4, mantissaBits: 3, bias: 7, maxCode: 0x7e, max: 448, infinityCode: null, nanCode: 0x7f },
  e5m2: { exponentBits: 5, mantissaBits: 2, bias: 15, maxCode: 0x7b, max: 57344, infinityCode: 0x7c, nanCode: 0x7f },
} as const satisfies Record<string, Minifloat>

export type MinifloatName = keyof typeof minifloats

/** The format of an 8-bit dtype. */
export const minifloatOf = (dtype: Float8): 'e4m3' | 'e5m2' => (dtype === 'f8e4m3' ? 'e4m3' : 'e5m2')

export const signBit = ({ exponentBits, mantissaBits }: Minifloat): number => 1 << (exponentBits + mantissaBits)

/** The value of a code. */
export function decodeMinifloat(name: MinifloatName, code: number): number {
  const format: Minifloat = minifloats[name]
  const negative = (code & signBit(format)) !== 0
  const magnitude = code & (signBit(format) - 1)
  const value = magnitudeOf(format, magnitude)
  return negative ? -value : value
}

function magnitudeOf({ mantissaBits, bias, maxCode, infinityCode }: Minifloat, magnitude: number): number {
  if (magnitude > maxCode) return magnitude === infinityCode ? Number.POSITIVE_INFINITY : Number.NaN
  const exponent = magnitude >> mantissaBits
  const mantissa = magnitude & ((1 << mantissaBits) - 1)
  const step = 2 ** (Math.max(exponent, 1) - bias - mantissaBits)
  return (exponent === 0 ? mantissa : mantissa + (1 << mantissaBits)) * step
}

/**
 * The nearest code, halves to even. Beyond the largest value (after rounding): the largest value when `saturate`, else
 * infinity, else NaN, else (e2m1 has neither) the largest value. NaN is NaN; in e2m1, which has none, the largest value.
 */
export function encodeMinifloat(name: MinifloatName, value: number, saturate: boolean): number {
  const format: Minifloat = minifloats[name]
  const sign = value < 0 || Object.is(value, -0) ? signBit(format) : 0
  if (Number.isNaN(value)) return format.nanCode ?? format.maxCode
  const magnitude = Math.abs(value)
  const { mantissaBits, bias, maxCode } = format
  const overflow = saturate ? maxCode : (format.infinityCode ?? format.nanCode ?? maxCode)
  if (magnitude >= 2 * format.max) return sign | overflow
  const exponent = Math.max(1 - bias, exponentOf(magnitude))
  const steps = roundHalfEven(magnitude / 2 ** (exponent - mantissaBits))
  // Codes are consecutive across binades, so rounding up to a power of two needs no special case.
  const code = steps + ((exponent + bias - 1) << mantissaBits)
  return sign | (code > maxCode ? overflow : code)
}

/** ⌊log₂ x⌋, exact; −1075 for 0. */
function exponentOf(x: number): number {
  if (x === 0) return -1075
  const estimate = Math.floor(Math.log2(x))
  if (2 ** estimate > x) return estimate - 1
  return 2 ** (estimate + 1) <= x ? estimate + 1 : estimate
}

/** e8m0, the scales of the MX formats: 2^(code − 127), NaN for 255. */
export const decodeE8m0 = (code: number): number => (code === 255 ? Number.NaN : 2 ** (code - 127))

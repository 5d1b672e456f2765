/**
 * The formats as their specifications define them, apart from the code under test: values by their formula from a code's
 * bits as text, codes by looking for the nearest value, places of scales by their definition. Numbers only, nothing fast.
 */

import type { Dtype } from '../../src/types/dtype.js'
import type { ElementName, QuantFormat, ScaleName } from '../../src/types/quant.js'

/** (−1)^s · 2^(e − bias) · 1.m, or 2^(1 − bias) · 0.m where e is 0. */
function ieeeLike(text: string, exponentBits: number, bias: number): number {
  const [exponent, fraction] = [text.slice(1, 1 + exponentBits), text.slice(1 + exponentBits)]
  const e = Number.parseInt(exponent, 2)
  const m = Number.parseInt(fraction, 2) / 2 ** fraction.length
  return (text[0] === '1' ? -1 : 1) * (e === 0 ? m * 2 ** (1 - bias) : (1 + m) * 2 ** (e - bias))
}

const bits = (code: number, count: number): string => code.toString(2).padStart(count, '0')
const e2m1 = [0, 0.5, 1, 1.5, 2, 3, 4, 6]

function e4m3(code: number): number {
  const text = bits(code, 8)
  return text.slice(1) === '1111111' ? Number.NaN : ieeeLike(text, 4, 7)
}

function e5m2(code: number): number {
  const text = bits(code, 8)
  if (text.slice(1, 6) !== '11111') return ieeeLike(text, 5, 15)
  return text.endsWith('00') ? (text[0] === '1' ? -1 : 1) * Number.POSITIVE_INFINITY : Number.NaN
}

/** Of a code 0 … 15 or 0 … 255 (integers too: their byte in two's complement), without a scale. */
export function elementValue(element: ElementName, code: number): number {
  switch (element) {
    case 'e2m1':
      return (code >= 8 ? -1 : 1) * e2m1[code % 8]!
    case 'e4m3':
      return e4m3(code)
    case 'e5m2':
      return e5m2(code)
    case 'int4':
      return code >= 8 ? code - 16 : code
    case 'int8':
      return code >= 128 ? code - 256 : code
    case 'mxint8':
      return (code >= 128 ? code - 256 : code) / 64
    default:
      return element satisfies never
  }
}

/** Of a code, or of a float as stored. */
export function scaleValue(scale: ScaleName, stored: number): number {
  if (scale === 'e4m3') return e4m3(stored)
  if (scale === 'e8m0') return stored === 255 ? Number.NaN : 2 ** (stored - 127)
  return stored
}

// --- rounding ------------------------------------------------------------------------------------------------------------

const floats: Partial<Record<Dtype, { readonly mantissa: number; readonly least: number; readonly most: number }>> = {
  f32: { mantissa: 23, least: -126, most: 127 },
  f16: { mantissa: 10, least: -14, most: 15 },
  bf16: { mantissa: 7, least: -126, most: 127 },
}

function halfEven(x: number): number {
  const below = Math.floor(x)
  return x - below > 0.5 || (x - below === 0.5 && below % 2 !== 0) ? below + 1 : below
}

/** ⌊log₂ x⌋ of a positive finite number. */
function exponentOf(x: number): number {
  let exponent = Math.round(Math.log2(x))
  while (2 ** exponent > x) exponent--
  return exponent
}

/** The nearest number of a float dtype, halves to even; beyond the largest, infinity. */
export function roundTo(dtype: Dtype, x: number): number {
  if (dtype === 'f64' || x === 0 || !Number.isFinite(x)) return x
  const { mantissa, least, most } = floats[dtype]!
  const step = 2 ** (Math.max(exponentOf(Math.abs(x)), least) - mantissa)
  const magnitude = halfEven(Math.abs(x) / step) * step
  return Math.sign(x) * (magnitude >= 2 ** (most + 1) ? Number.POSITIVE_INFINITY : magnitude)
}

// --- encoding ------------------------------------------------------------------------------------------------------------

const codeCount = (element: ElementName): number => (element === 'e2m1' || element === 'int4' ? 16 : 256)

/** Finite values of one sign (0: positive), each with its code, ascending by magnitude. */
interface Ladder {
  readonly values: readonly number[]
  readonly codes: readonly number[]
}

const ladders = new Map<string, Ladder>()

function ladderOf(element: ElementName, negative: boolean): Ladder {
  const key = `${element} ${negative}`
  const known = ladders.get(key)
  if (known !== undefined) return known
  const isOwn = (value: number): boolean =>
    Number.isFinite(value) && (negative ? value < 0 || Object.is(value, -0) : value > 0 || Object.is(value, 0))
  const integers = element === 'int8' || element === 'mxint8'
  const pairs = Array.from({ length: codeCount(element) }, (_, code) => ({ code, value: elementValue(element, code) }))
    .filter(({ value, code }) => isOwn(value) && !(integers && code === 128)) // encoding never makes −128
    .sort((a, b) => Math.abs(a.value) - Math.abs(b.value))
  // Negative integers have 0 below them.
  const all = negative && pairs[0]!.value !== 0 ? [{ code: 0, value: 0 }, ...pairs] : pairs
  const ladder = { values: all.map(({ value }) => Math.abs(value)), codes: all.map(({ code }) => code) }
  ladders.set(key, ladder)
  return ladder
}

const beyond: Partial<Record<ElementName, number>> = { e4m3: 0x7f, e5m2: 0x7c }
const nan: Partial<Record<ElementName, number>> = { e4m3: 0x7f, e5m2: 0x7f, e2m1: 7 }

/** The code whose value is nearest; half way between two, the even one of their ranks. NaN: the format's, or 0. */
export function nearestCode(element: ElementName, x: number, saturate: boolean): number {
  if (Number.isNaN(x)) return nan[element] ?? 0
  const negative = x < 0 || Object.is(x, -0)
  const { values, codes } = ladderOf(element, negative)
  const magnitude = Math.abs(x)
  const last = values.length - 1
  const step = values[last]! - values[last - 1]!
  // The value that the next code would have: nearer to it (or half way, where the largest is odd) is beyond.
  const halfway = values[last]! + step / 2
  const overflow = beyond[element]
  if (!saturate && overflow !== undefined && (magnitude > halfway || (magnitude === halfway && last % 2 === 1)))
    return overflow + (negative ? 128 : 0)
  const above = values.findIndex(value => value >= magnitude)
  if (above <= 0) return codes[above === 0 ? 0 : last]!
  const [low, high] = [magnitude - values[above - 1]!, values[above]! - magnitude]
  if (low === high) return codes[above % 2 === 0 ? above : above - 1]!
  return codes[low < high ? above - 1 : above]!
}

/** The scale as stored for a block whose largest magnitude is `amax`, all in f32. `tensorScale`: 1 where there is none. */
export function scaleFor({ element, scale }: QuantFormat, amax: number, tensorScale: number): number {
  const largest = { e2m1: 6, e4m3: 448, e5m2: 57344, int8: 127, int4: 7, mxint8: 127 / 64 }[element]
  if (scale === 'e8m0') {
    if (!Number.isFinite(amax)) return 255
    const own = exponentOf(largest)
    return amax < 2 ** -126 ? 0 : Math.max(0, exponentOf(amax) - own + 127)
  }
  const wanted = roundTo('f32', amax / roundTo('f32', largest))
  if (scale !== 'e4m3') return roundTo(scale, wanted === 0 ? 1 : wanted)
  const code = nearestCode('e4m3', roundTo('f32', wanted / tensorScale), true)
  return code === 0 && amax > 0 ? 1 : code
}

// --- blocked scales --------------------------------------------------------------------------------------------------------

/**
 * Where cuBLASLt's layout of 128 × 4 tiles has the scale of a row and a block: tiles row by row; in a tile 32 rows of 16
 * bytes, which hold the 4 scales of rows r, r + 32, r + 64 and r + 96.
 */
export function blockedPlace(row: number, column: number, columns: number): number {
  const tilesAcross = Math.floor((columns + 3) / 4)
  const tile = (row >> 7) * tilesAcross + (column >> 2)
  return tile * 512 + (row & 31) * 16 + ((row & 127) >> 5) * 4 + (column & 3)
}

export const blockedSize = (rows: number, columns: number): number =>
  Math.floor((rows + 127) / 128) * Math.floor((columns + 3) / 4) * 512

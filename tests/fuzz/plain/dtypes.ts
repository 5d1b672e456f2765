/** Dtypes of the plain evaluator: which there are, how values round to them, and PyTorch's promotion, all written anew. */
import { Unfit } from './errors.js'

export const plainDtypes = ['bool', 'u8', 'i8', 'i16', 'i32', 'i64', 'f16', 'bf16', 'f32', 'f64'] as const
export type PlainDtype = (typeof plainDtypes)[number]

/** 0 truth values, 1 integers, 2 floats. */
export const category = (dtype: PlainDtype): 0 | 1 | 2 => (dtype === 'bool' ? 0 : /^[iu]/.test(dtype) ? 1 : 2)

/** Bits of the significand, and the exponent of the smallest normal number. */
const floats: Partial<Record<PlainDtype, readonly [bits: number, lowest: number]>> = {
  f16: [11, -14],
  bf16: [8, -126],
  f32: [24, -126],
}

const integerRanges: Partial<Record<PlainDtype, readonly [number, number]>> = {
  u8: [0, 255],
  i8: [-128, 127],
  i16: [-32768, 32767],
  i32: [-(2 ** 31), 2 ** 31 - 1],
  i64: [-(2 ** 53), 2 ** 53],
}

/** The nearest value of the dtype; Unfit where integers would wrap, which is what other tests are about. */
export function roundTo(dtype: PlainDtype, value: number): number {
  if (dtype === 'bool') return value === 0 ? 0 : 1
  if (category(dtype) === 1) {
    const whole = Math.trunc(value)
    const [low, high] = integerRanges[dtype]!
    if (!(whole >= low && whole <= high)) throw new Unfit(`${value} as ${dtype}`)
    return whole
  }
  const format = floats[dtype]
  if (format === undefined || value === 0) return value
  const exponent = Math.max(Math.floor(Math.log2(Math.abs(value))), format[1])
  const unit = 2 ** (exponent - format[0] + 1)
  return toEven(value / unit) * unit
}

function toEven(value: number): number {
  const low = Math.floor(value)
  const rest = value - low
  if (rest !== 0.5) return rest < 0.5 ? low : low + 1
  return low % 2 === 0 ? low : low + 1
}

/** How far two right implementations may be apart after rounding in the dtype, relative to the largest value behind it. */
export const slack = (dtype: PlainDtype): number =>
  dtype === 'bf16' ? 2 ** -5 : dtype === 'f16' ? 2 ** -8 : category(dtype) === 2 ? 2 ** -14 : 0

const widths: readonly PlainDtype[] = ['bool', 'u8', 'i8', 'i16', 'i32', 'i64', 'f16', 'bf16', 'f32', 'f64']

/** The dtype that holds both. */
export function promote(a: PlainDtype, b: PlainDtype): PlainDtype {
  const pair = [a, b]
  if (pair.includes('u8') && pair.includes('i8')) return 'i16'
  if (pair.includes('f16') && pair.includes('bf16')) return 'f32'
  return widths.indexOf(a) > widths.indexOf(b) ? a : b
}

export interface Typed {
  readonly dtype: PlainDtype
  /** Tensors with dims count for more than 0-d ones, and those for more than numbers. */
  readonly weight: 'dims' | 'zeroDims' | 'number'
}

/** The dtype of an op on these operands, as PyTorch's documentation of type promotion has it. */
export function resultDtype(operands: readonly Typed[]): PlainDtype {
  const of = (weight: Typed['weight']): PlainDtype | null =>
    operands
      .filter(operand => operand.weight === weight)
      .map(({ dtype }) => dtype)
      .reduce<PlainDtype | null>((all, dtype) => (all === null ? dtype : promote(all, dtype)), null)
  return [of('dims'), of('zeroDims'), of('number')].reduce((high, low) => {
    if (high === null || low === null) return high ?? low
    return category(low) > category(high) ? promote(high, low) : high
  })!
}

export const numberDtype = (value: number | boolean): PlainDtype =>
  typeof value === 'boolean' ? 'bool' : Number.isInteger(value) ? 'i64' : 'f32'

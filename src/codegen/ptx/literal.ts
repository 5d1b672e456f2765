/** Constants as PTX text: floats by their bits, everything else in decimal. */
import { InternalError } from '../../base/errors.js'
import { type Value, wrapValue } from '../../scalar/ops.js'
import type { Dtype } from '../../types/dtype.js'
import { toBf16, toF16 } from '../../types/float16.js'

const scratch = new DataView(new ArrayBuffer(8))
const hex = (value: number | bigint, digits: number): string => value.toString(16).toUpperCase().padStart(digits, '0')

export function f32Bits(value: number): number {
  scratch.setFloat32(0, value)
  return scratch.getUint32(0)
}

/** The constant as an immediate operand of instructions on registers of `dtype`. */
export function immediate(dtype: Dtype, value: Value): string {
  switch (dtype) {
    case 'f32':
      return `0f${hex(f32Bits(Number(value)), 8)}`
    case 'f64':
      scratch.setFloat64(0, Number(value))
      return `0d${hex(scratch.getBigUint64(0), 16)}`
    case 'f16':
    case 'bf16':
      return `0x${hex(bitsOf(dtype, value), 4)}`
    case 'i64':
    case 'i32':
    case 'i16':
    case 'i8':
    case 'u8':
    case 'bool':
      return String(wrapValue(dtype, value))
    default:
      throw new InternalError(`PTX: no constants of ${dtype}`)
  }
}

/** A constant's bits as in memory, for dtypes of 8 and 16 bits. */
export function bitsOf(dtype: Dtype, value: Value): number {
  if (dtype === 'f16') return toF16(Number(value))
  if (dtype === 'bf16') return toBf16(Number(value))
  return Number(wrapValue(dtype, value)) & (dtype === 'i16' ? 0xffff : 0xff)
}

/** A 32-bit word as an immediate. */
export const word = (bits: number): string => `0x${hex(bits >>> 0, 8)}`

export const isImmediate = (operand: string): boolean => /^[-\d]/.test(operand)

/** A comment that gives the values of float immediates among the operands. */
export function commentOf(operands: readonly string[]): string {
  const meanings = operands.flatMap(operand => {
    if (/^0f[0-9A-F]{8}$/.test(operand)) {
      scratch.setUint32(0, Number.parseInt(operand.slice(2), 16))
      return [shortest(scratch.getFloat32(0))]
    }
    if (!/^0d[0-9A-F]{16}$/.test(operand)) return []
    scratch.setBigUint64(0, BigInt(`0x${operand.slice(2)}`))
    return [decimal(scratch.getFloat64(0))]
  })
  return meanings.every(meaning => meaning === '0') ? '' : ` // ${meanings.join(', ')}`
}

const decimal = (value: number): string => (Object.is(value, -0) ? '-0' : String(value))

/** The shortest decimal that rounds to this f32. */
function shortest(value: number): string {
  for (let digits = 1; digits <= 9 && Number.isFinite(value); digits++) {
    const candidate = Number(value.toPrecision(digits))
    if (Math.fround(candidate) === value) return decimal(candidate)
  }
  return decimal(value)
}

/** C type names of dtypes in registers and in memory, and the functions that convert between them. */
import { InternalError } from '../../../base/errors.js'
import type { CodeDtype } from '../../../types/dtype.js'
import { type Elem, typeName } from './piece.js'

/** The element type that holds a dtype in registers. */
export function registerElem(dtype: CodeDtype): Elem {
  if (dtype === 'f16' || dtype === 'bf16') return 'f32'
  return dtype === 'bool' ? 'b32' : dtype
}

/** The C type of `width` values of a dtype in registers: f32x16, b32 (one bool), f32x8 (eight f16). */
export const registerType = (dtype: CodeDtype, width: number): string => typeName(registerElem(dtype), width)

/** The C type of one element of a dtype in memory: u16 for f16 and bf16, u8 for bool. */
export function memoryType(dtype: CodeDtype): string {
  if (dtype === 'f16' || dtype === 'bf16') return 'u16'
  return dtype === 'bool' ? 'u8' : dtype
}

const suffix = (width: number): string => (width === 1 ? '' : `x${width}`)

/** The function that loads or stores `width` elements of a dtype: load_f16x16, store_b32x8. */
export const memoryFunction = (action: 'load' | 'store', dtype: CodeDtype, width: number): string =>
  `${action}_${dtype === 'bool' ? 'b32' : dtype}${suffix(width)}`

/**
 * The functions that convert between dtypes, to be applied in order: empty when the value stays the same; two when a 16-bit
 * float comes from an integer or a bool (integers of 32 and 64 bits go through f64, which holds more of their digits).
 */
export function conversion(from: CodeDtype, to: CodeDtype, width: number): readonly string[] {
  const [source, target] = [registerElem(from), registerElem(to)]
  if (from === to) return []
  if (to !== 'f16' && to !== 'bf16') return source === target ? [] : [`${source}_to_${target}${suffix(width)}`]
  if (source === 'f32' || source === 'f64') return [`${source}_to_${to}${suffix(width)}`]
  const between = from === 'i32' || from === 'i64' ? 'f64' : 'f32'
  return [...conversion(from, between, width), ...conversion(between, to, width)]
}

const sameBits = new Set(['f32 i32', 'f64 i64', 'i8 u8', 'f16 i16', 'bf16 i16'])

/** The function that reinterprets a value's bits as another dtype of the same size. Throws InternalError if there is none. */
export function bitcast(from: CodeDtype, to: CodeDtype, width: number): string | null {
  if (from === to) return null
  if (!sameBits.has(`${from} ${to}`) && !sameBits.has(`${to} ${from}`))
    throw new InternalError(`prelude: no bitcast from ${from} to ${to}`)
  return `${from}_as_${to}${suffix(width)}`
}

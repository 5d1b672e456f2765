/** The host representation of each dtype: a typed array; narrow floats as codes (codec.ts), bool as 0 or 1. */
import { DtypeError } from '../base/errors.js'
import type { Dtype, TensorDtype } from './dtype.js'

export const storedArrays = {
  f64: Float64Array,
  f32: Float32Array,
  f16: Uint16Array,
  bf16: Uint16Array,
  f8e4m3: Uint8Array,
  f8e5m2: Uint8Array,
  i64: BigInt64Array,
  i32: Int32Array,
  i16: Int16Array,
  i8: Int8Array,
  u8: Uint8Array,
  bool: Uint8Array,
} as const satisfies Record<TensorDtype, unknown>

export type StoredArrayType = (typeof storedArrays)[TensorDtype]
export type StoredArray =
  | Float64Array
  | Float32Array
  | Uint16Array
  | BigInt64Array
  | Int32Array
  | Int16Array
  | Int8Array
  | Uint8Array

/** The typed array that holds elements of `dtype`. Throws DtypeError for the formats that no typed array holds. */
export function storedArrayType(dtype: Dtype): StoredArrayType {
  const type = (storedArrays as { readonly [name in Dtype]?: StoredArrayType })[dtype]
  if (type === undefined) throw new DtypeError(`no typed array holds ${dtype}`, { at: null })
  return type
}

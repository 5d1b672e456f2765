/**
 * Sort keys: one integer per value, larger for values that come first. Sorting then compares integers only; this file
 * handles NaN (largest, as in PyTorch), −0 = +0 and all dtypes.
 */
import type { TileBuilder, TileValue } from '../tile/language.js'
import { dtypes, itemBytes, type TensorDtype } from '../types/dtype.js'

/** The key dtype for values of `dtype`. */
export function keyDtype(dtype: TensorDtype): 'i32' | 'i64' {
  return dtype === 'f64' || dtype === 'i64' ? 'i64' : 'i32'
}

/** Keys of `values` (of a storage dtype or any other), whose descending order is the requested order. */
export function orderKeys(t: TileBuilder, values: TileValue, dtype: TensorDtype, largest: boolean): TileValue {
  const ascending = isFloatKey(dtype) ? floatKeys(t, values, dtype) : values.to(keyDtype(dtype))
  return largest ? ascending : ascending.not()
}

/** The key that no other follows. */
export const lastKey = (dtype: TensorDtype): number | bigint => signBit(keyDtype(dtype))

const isFloatKey = (dtype: TensorDtype): boolean => ['f64', 'f32', 'f16', 'bf16'].includes(dtype)

/** The integers of a float's width, in which its bits are ordered. */
const bitsDtype = (dtype: TensorDtype): 'i64' | 'i32' | 'i16' =>
  dtype === 'f64' ? 'i64' : dtype === 'f32' ? 'i32' : 'i16'

/** 2^bits − 1 in the dtype of keys. */
const ones = (bits: number, dtype: TensorDtype): number | bigint =>
  keyDtype(dtype) === 'i64' ? 2n ** BigInt(bits) - 1n : 2 ** bits - 1

/** All bits of the magnitude of a float: the largest key. */
const magnitude = (dtype: TensorDtype): number | bigint => ones(8 * itemBytes(dtype) - 1, dtype)

/** Flips the magnitude of the negative ones among the bits of floats: from their order to that of integers, and back. */
function flipped(bits: TileValue, dtype: TensorDtype): TileValue {
  return bits.xor(bits.shr(keyDtype(dtype) === 'i64' ? 63n : 31).and(magnitude(dtype)))
}

/**
 * Floats compare like their bits read as sign and magnitude: for negative floats all bits except the sign are flipped. Adding
 * +0 turns −0 into +0; every NaN becomes the largest key.
 */
function floatKeys(t: TileBuilder, values: TileValue, dtype: TensorDtype): TileValue {
  const key = keyDtype(dtype)
  const float = values.to(key === 'i64' ? 'f64' : 'f32')
  const bits = float.add(0).to(dtype).bitcast(bitsDtype(dtype)).to(key)
  return t.where(float.isnan(), t.const(magnitude(dtype), key), flipped(bits, dtype))
}

// --- radix keys --------------------------------------------------------------------------------------------------------

/** The low bits of a radix key that differ between values. */
export const radixBits = (dtype: TensorDtype): number => 8 * itemBytes(dtype)

/** The bit that turns the order of signed integers into that of unsigned ones. */
export const signBit = (dtype: 'i32' | 'i64'): number | bigint => (dtype === 'i64' ? -(2n ** 63n) : -(2 ** 31))

/** What turns the largest key into 0, so that keys are ordered as unsigned numbers, the first one smallest. */
const radixMask = (dtype: TensorDtype): number | bigint =>
  dtype === 'bool' || dtypes[dtype].kind === 'uint' ? ones(radixBits(dtype), dtype) : magnitude(dtype)

/** Keys whose low `radixBits`, read as unsigned numbers, are in ascending order in the requested order. */
export function radixKeys(t: TileBuilder, values: TileValue, dtype: TensorDtype, descending: boolean): TileValue {
  return orderKeys(t, values, dtype, descending).xor(radixMask(dtype))
}

/**
 * The values that have these radix keys. `isOpen`: true for the keys of several values, of NaNs and of zeros, where the
 * value is one of them; null: there are none.
 */
export function valuesOfRadix(
  keys: TileValue,
  dtype: TensorDtype,
  descending: boolean,
): { readonly values: TileValue; readonly isOpen: TileValue | null } {
  const key = keys.xor(radixMask(dtype))
  const ascending = descending ? key : key.not()
  if (!isFloatKey(dtype)) return { values: ascending.to(dtype), isOpen: null }
  const values = flipped(ascending, dtype).to(bitsDtype(dtype)).bitcast(dtype)
  return { values, isOpen: ascending.eq(0).or(ascending.eq(magnitude(dtype))) }
}

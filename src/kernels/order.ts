/**
 * Sort keys: one integer per value, larger for values that come first. Sorting then compares integers only; this file
 * handles NaN (largest, as in PyTorch), −0 = +0 and all dtypes.
 */
import type { TileBuilder, TileValue } from '../tile/language.js'
import type { TensorDtype } from '../types/dtype.js'

/** The key dtype for values of `dtype`. */
export function keyDtype(dtype: TensorDtype): 'i32' | 'i64' {
  return dtype === 'f64' || dtype === 'i64' ? 'i64' : 'i32'
}

/** Keys of `values` (of a storage dtype or any other), whose descending order is the requested order. */
export function orderKeys(t: TileBuilder, values: TileValue, dtype: TensorDtype, largest: boolean): TileValue {
  const ascending = isFloatKey(dtype) ? floatKeys(t, values, dtype) : values.to(keyDtype(dtype))
  return largest ? ascending : ascending.not()
}

const isFloatKey = (dtype: TensorDtype): boolean => ['f64', 'f32', 'f16', 'bf16'].includes(dtype)

/**
 * Floats compare like their bits read as sign and magnitude: for negative floats all bits except the sign are flipped. Adding
 * +0 turns −0 into +0; every NaN becomes the largest key.
 */
function floatKeys(t: TileBuilder, values: TileValue, dtype: TensorDtype): TileValue {
  const wide = dtype === 'f64'
  const float = values.to(wide ? 'f64' : 'f32')
  const integer = wide ? 'i64' : 'i32'
  const bits = float.add(0).bitcast(integer)
  const largestKey = wide ? 2n ** 63n - 1n : 2 ** 31 - 1
  const ordered = bits.xor(bits.shr(wide ? 63n : 31).and(largestKey))
  return t.where(float.isnan(), t.const(largestKey, integer), ordered)
}

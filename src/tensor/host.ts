/** Tensors' memory seen from JavaScript: typed arrays per dtype, and conversion between codes and values. */
import { DtypeError } from '../base/errors.js'
import type { Block } from '../runtime/block.js'
import { type Dtype, dtypeInfo, isFloat, type TensorDtype, tensorDtypes } from '../types/dtype.js'
import { fromBf16, fromF16, toBf16, toF16 } from '../types/float16.js'
import { type StoredArray, storedArrays } from '../types/memory.js'
import { forEachRun, type Layout } from './layout.js'

/** What `data()` gives per dtype: values, so f16 and bf16 are decoded. */
export interface DataArrays {
  f64: Float64Array
  f32: Float32Array
  f16: Float32Array
  bf16: Float32Array
  i64: BigInt64Array
  i32: Int32Array
  i16: Int16Array
  i8: Int8Array
  u8: Uint8Array
  bool: Uint8Array
}
export type DataArray = DataArrays[TensorDtype]
type NumberArray = Exclude<StoredArray, BigInt64Array> | Float32Array

export function requireTensorDtype(dtype: Dtype, context: string): TensorDtype {
  if ((tensorDtypes as readonly string[]).includes(dtype)) return dtype as TensorDtype
  throw new DtypeError(`${context}: tensors of ${dtype} cannot be read as numbers`, { fix: 'dequantise it first' })
}

/** All elements of a block, as they are stored. */
export function storedView(block: Block, dtype: TensorDtype, bytes: number): StoredArray {
  const View = storedArrays[dtype]
  return new View(block.buffer, block.byteOffset, Math.floor(bytes / View.BYTES_PER_ELEMENT))
}

/** A new array that `data()` can return. */
function newDataArray(dtype: TensorDtype, count: number): DataArray {
  if (dtype === 'f16' || dtype === 'bf16') return new Float32Array(count)
  return new storedArrays[dtype](count)
}

/** Copies elements out of memory in row-major order, decoded. `contiguous`: the caller knows that no strides matter. */
export function readValues(
  stored: StoredArray,
  dtype: TensorDtype,
  layout: Layout,
  count: number,
  contiguous: boolean,
): DataArray {
  const decode = dtype === 'f16' ? fromF16 : dtype === 'bf16' ? fromBf16 : null
  if (contiguous && decode === null) return stored.slice(layout.offset, layout.offset + count) as DataArray
  const values = newDataArray(dtype, count)
  if (stored instanceof BigInt64Array) copyRuns(stored, values as BigInt64Array, layout)
  else if (decode === null) copyRuns(stored, values as NumberArray, layout)
  else decodeRuns(stored, values as NumberArray, layout, decode)
  return values
}

function copyRuns<T extends number | bigint>(from: ArrayLike<T>, to: { [index: number]: T }, layout: Layout): void {
  let at = 0
  forEachRun(layout, (start, stride, count) => {
    for (let i = 0; i < count; i++) to[at++] = from[start + i * stride]!
  })
}

type Decode = (code: number) => number

function decodeRuns(from: ArrayLike<number>, to: NumberArray, layout: Layout, decode: Decode): void {
  let at = 0
  forEachRun(layout, (start, stride, count) => {
    for (let i = 0; i < count; i++) to[at++] = decode(from[start + i * stride]!)
  })
}

/** Writes values into memory as `dtype`. Throws DtypeError when an integer dtype cannot hold a value. */
export function writeValues(
  stored: StoredArray,
  dtype: TensorDtype,
  values: ArrayLike<number | bigint | boolean>,
): void {
  const encode = dtype === 'f16' ? toF16 : dtype === 'bf16' ? toBf16 : null
  if (encode === null && dtype !== 'bool' && values.constructor === stored.constructor) {
    stored.set(values as never) // the same typed array: no conversion
    return
  }
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!
    if (stored instanceof BigInt64Array) stored[i] = BigInt(requireHeld(value, dtype))
    else if (encode !== null) stored[i] = encode(Number(value))
    else if (isFloat(dtype)) stored[i] = Number(value)
    else if (dtype === 'bool') stored[i] = Number(value) === 0 ? 0 : 1
    else stored[i] = Number(requireHeld(value, dtype))
  }
}

/** The value as an integer of `dtype`: fractions are cut as in PyTorch, values out of range are refused. */
function requireHeld(value: number | bigint | boolean, dtype: TensorDtype): number | bigint {
  if (typeof value === 'boolean') return Number(value)
  const whole = typeof value === 'number' ? Math.trunc(value) : value
  const { min, max } = dtypeInfo(dtype)
  const held = dtype === 'i64' ? whole >= -(2n ** 63n) && whole < 2n ** 63n : whole >= min && whole <= max
  if (held) return whole
  throw new DtypeError(`tensor: ${value} does not fit ${dtype}`, {
    fix: dtype === 'i64' ? 'use a float dtype' : `use a wider dtype than ${dtype}, which holds ${min} to ${max}`,
  })
}

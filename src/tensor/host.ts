/** Tensors' memory seen from JavaScript: typed arrays per dtype, and conversion between codes and values. */
import { DtypeError } from '../base/errors.js'
import { type Dtype, dtypeInfo, isFloat, type TensorDtype, tensorDtypes } from '../types/dtype.js'
import { fromBf16, fromF16, toBf16, toF16 } from '../types/float16.js'
import { type StoredArray, storedArrays } from '../types/memory.js'
import { elementCount, forEachRun, isContiguous, type Layout } from './layout.js'
import type { Storage } from './storage.js'

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

/** Bytes as elements of `dtype`, as they are stored. */
function storedElements(bytes: Uint8Array, dtype: TensorDtype): StoredArray {
  const View = storedArrays[dtype]
  return new View(bytes.buffer as ArrayBuffer, bytes.byteOffset, Math.floor(bytes.byteLength / View.BYTES_PER_ELEMENT))
}

/** All elements of a storage as they are stored, in place. Null when the device's memory is not the host's. */
export function elementsInPlace({ block, bytes, memory }: Storage, dtype: TensorDtype): StoredArray | null {
  const view = memory.view(block)
  return view === null ? null : storedElements(view.subarray(0, bytes), dtype)
}

/** Gives a storage its content: `fill` writes all elements as they are stored. */
export function fillStorage(storage: Storage, dtype: TensorDtype, fill: (stored: StoredArray) => void): void {
  const inPlace = elementsInPlace(storage, dtype)
  if (inPlace !== null) {
    fill(inPlace)
    return
  }
  const bytes = new Uint8Array(storage.bytes)
  fill(storedElements(bytes, dtype))
  storage.memory.write(storage.block, 0, bytes)
}

/** What to read of a storage for a tensor: bytes from `from`, in which the tensor has the layout `layout`. */
interface ReadRange {
  readonly from: number
  readonly bytes: number
  readonly layout: Layout
}

/** The bytes between a tensor's first and last element. */
function readRange(layout: Layout, itemBytes: number): ReadRange {
  if (layout.shape.includes(0)) return { from: 0, bytes: 0, layout: { ...layout, offset: 0 } }
  let [first, last] = [layout.offset, layout.offset]
  for (const [dim, stride] of layout.strides.entries()) {
    const reach = (layout.shape[dim]! - 1) * stride
    if (reach < 0) first += reach
    else last += reach
  }
  return {
    from: first * itemBytes,
    bytes: (last - first + 1) * itemBytes,
    layout: { ...layout, offset: layout.offset - first },
  }
}

/** A tensor's values in row-major order, copied. */
export function readTensor(storage: Storage, dtype: TensorDtype, layout: Layout): DataArray {
  const inPlace = elementsInPlace(storage, dtype)
  if (inPlace !== null) return readValues(inPlace, dtype, layout)
  const { from, bytes, layout: within } = readRange(layout, storedArrays[dtype].BYTES_PER_ELEMENT)
  return readValues(storedElements(storage.memory.read(storage.block, from, bytes), dtype), dtype, within)
}

/** As `readTensor`, without blocking where the device is asynchronous. */
export async function readTensorAsync(storage: Storage, dtype: TensorDtype, layout: Layout): Promise<DataArray> {
  const inPlace = elementsInPlace(storage, dtype)
  if (inPlace !== null) return readValues(inPlace, dtype, layout)
  const { from, bytes, layout: within } = readRange(layout, storedArrays[dtype].BYTES_PER_ELEMENT)
  const copied = await storage.memory.readAsync(storage.block, from, bytes)
  return readValues(storedElements(copied, dtype), dtype, within)
}

/** A new array that `data()` can return. */
function newDataArray(dtype: TensorDtype, count: number): DataArray {
  if (dtype === 'f16' || dtype === 'bf16') return new Float32Array(count)
  return new storedArrays[dtype](count)
}

/** Copies elements out of memory in row-major order, decoded. */
export function readValues(stored: StoredArray, dtype: TensorDtype, layout: Layout): DataArray {
  const count = elementCount(layout.shape)
  const decode = dtype === 'f16' ? fromF16 : dtype === 'bf16' ? fromBf16 : null
  if (decode === null && isContiguous(layout)) return stored.slice(layout.offset, layout.offset + count) as DataArray
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

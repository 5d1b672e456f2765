/** Tensors' memory seen from JavaScript: typed arrays per dtype, and conversion between codes and values. */
import { ArgumentError, DtypeError, InternalError } from '../base/errors.js'
import type { Block } from '../runtime/block.js'
import { codecOf } from '../types/codec.js'
import { type Dtype, dtypeInfo, isFloat, itemBytes, type TensorDtype, tensorDtypes } from '../types/dtype.js'
import { type StoredArray, storedArrays } from '../types/memory.js'
import {
  contiguousLayout,
  elementCount,
  forEachRun,
  isContiguous,
  type Layout,
  narrowed,
  reachOf,
  TensorLayout,
} from './layout.js'
import type { Storage } from './storage.js'

/** What `data()` gives per dtype: values, so narrow floats are decoded. */
export interface DataArrays {
  /** Of f64. */
  f64: Float64Array
  /** Of f32. */
  f32: Float32Array
  /** Of f16, decoded to f32. */
  f16: Float32Array
  /** Of bf16, decoded to f32. */
  bf16: Float32Array
  /** Of f8e4m3, decoded to f32; `x.view('u8')` has the codes. */
  f8e4m3: Float32Array
  /** Of f8e5m2, decoded to f32; `x.view('u8')` has the codes. */
  f8e5m2: Float32Array
  /** Of i64, as bigints. */
  i64: BigInt64Array
  /** Of i32. */
  i32: Int32Array
  /** Of i16. */
  i16: Int16Array
  /** Of i8. */
  i8: Int8Array
  /** Of u8. */
  u8: Uint8Array
  /** Of bool, as 0 and 1. */
  bool: Uint8Array
}
/** A typed array of a tensor's values; see `DataArrays`. */
export type DataArray = DataArrays[TensorDtype]
type NumberArray = Exclude<StoredArray, BigInt64Array> | Float32Array

export function requireTensorDtype(dtype: Dtype, context: string): TensorDtype {
  if ((tensorDtypes as readonly string[]).includes(dtype)) return dtype as TensorDtype
  throw new DtypeError(`${context}: tensors of ${dtype} cannot be read as numbers`, { fix: 'dequantise it first' })
}

/** The maximum length of a typed array in Node 20. */
const maxArrayElements = 2 ** 32
/** Separate device memory is read in ranges of at most this many bytes. */
const maxReadBytes = 2 ** 31

/** Bytes as elements of `dtype`, as they are stored. */
function storedElements(bytes: Uint8Array, dtype: TensorDtype): StoredArray {
  const View = storedArrays[dtype]
  return new View(bytes.buffer as ArrayBuffer, bytes.byteOffset, Math.floor(bytes.byteLength / View.BYTES_PER_ELEMENT))
}

/** All elements of a storage as they are stored, in place. Null when the device's memory is not the host's. */
export function elementsInPlace(storage: Storage, dtype: TensorDtype): StoredArray | null {
  const { block, bytes, memory } = storage
  const shared = memory.shared(block)
  return shared === null ? null : sharedElements(shared, dtype, 0, Math.floor(bytes / itemBytes(dtype)))
}

/** The elements of a contiguous layout as they are stored, in place. Null when the device's memory is not the host's. */
export function lineInPlace({ block, memory }: Storage, dtype: TensorDtype, layout: TensorLayout): StoredArray | null {
  const shared = memory.shared(block)
  return shared === null ? null : sharedElements(shared, dtype, layout.offset, layout.elements)
}

/** A typed array over `count` elements of a block's memory, without a copy. */
function sharedElements({ buffer, byteOffset }: Block, dtype: TensorDtype, first: number, count: number): StoredArray {
  requireHoldable(count, dtype)
  return new storedArrays[dtype](buffer, byteOffset + first * itemBytes(dtype), count)
}

function requireHoldable(count: number, dtype: TensorDtype): void {
  if (count <= maxArrayElements) return
  throw new ArgumentError(`${count} elements of ${dtype} are more than a typed array holds (${maxArrayElements})`, {
    fix: 'read them in parts: x.narrow(0, start, length)',
  })
}

/** Initialises a storage: `fill` writes all elements in their stored form. */
export function fillStorage(storage: Storage, dtype: TensorDtype, fill: (stored: StoredArray) => void): void {
  const inPlace = elementsInPlace(storage, dtype)
  if (inPlace !== null) {
    fill(inPlace)
    return
  }
  const count = Math.floor(storage.bytes / itemBytes(dtype))
  requireHoldable(count, dtype)
  const stored = new storedArrays[dtype](count)
  fill(stored)
  storage.memory.write(storage.block, 0, stored)
}

/** Copies bytes of one storage, from offset `from`, to the beginning of another, on any devices. */
export function copyBytes(source: Storage, from: number, target: Storage, bytes: number): void {
  const shared = source.memory.shared(source.block)
  if (shared !== null) {
    const { buffer, byteOffset } = shared
    target.memory.write(target.block, 0, { buffer, byteOffset: byteOffset + from, byteLength: bytes })
    return
  }
  for (let at = 0; at < bytes; at += maxReadBytes) {
    const part = source.memory.read(source.block, from + at, Math.min(maxReadBytes, bytes - at))
    target.memory.write(target.block, at, part)
  }
}

/** A part of a tensor within one readable range: `layout` is relative to `first`. */
interface Part {
  /** Start of the range in the storage, in elements. */
  readonly first: number
  readonly count: number
  readonly layout: Layout
  /** Where the part's elements go in the row-major result. */
  readonly target: Layout
}

/** Splits a tensor into parts that span at most `limit` elements of memory; nearly always one. */
function partsOf(layout: Layout, limit: number): readonly Part[] {
  const made: Part[] = []
  const add = (from: Layout, target: Layout): void => {
    const [first, end] = reachOf(from)
    if (end - first <= limit) {
      made.push({
        first,
        count: end - first,
        layout: { shape: from.shape, strides: from.strides, offset: from.offset - first },
        target,
      })
      return
    }
    // Halves the dim with the largest extent in memory.
    const reach = (d: number): number => (from.shape[d]! - 1) * from.strides[d]!
    const dim = from.shape.reduce((best, _, d) => (reach(d) > reach(best) ? d : best), 0)
    const half = Math.ceil(from.shape[dim]! / 2)
    for (const [start, size] of [[0, half] as const, [half, from.shape[dim]! - half] as const]) {
      add(narrowed(from, dim, start, size), narrowed(target, dim, start, size))
    }
  }
  add(layout, contiguousLayout(layout.shape))
  return made
}

/** A tensor's values in row-major order, copied. */
export function readTensor(storage: Storage, dtype: TensorDtype, layout: Layout): DataArray {
  // Nearly always a few elements, whose memory costs more to find than to copy.
  const line = layout instanceof TensorLayout && layout.isContiguous ? lineInPlace(storage, dtype, layout) : null
  if (line !== null && codecOf(dtype) === null) return line.slice() as DataArray
  const reading = new Reading(storage, dtype, layout)
  for (const part of reading.parts)
    reading.take(part, reading.shared(part) ?? storedElements(reading.read(part), dtype))
  return reading.values
}

/** As `readTensor`, without blocking where the device is asynchronous. */
export async function readTensorAsync(storage: Storage, dtype: TensorDtype, layout: Layout): Promise<DataArray> {
  const reading = new Reading(storage, dtype, layout)
  if (reading.isShared) return readTensor(storage, dtype, layout) // now: later work must not change it
  // All reads are issued at once, for the same reason.
  const all = await Promise.all(reading.parts.map(part => reading.readAsync(part)))
  for (const [i, part] of reading.parts.entries()) reading.take(part, storedElements(all[i]!, dtype))
  return reading.values
}

class Reading {
  readonly parts: readonly Part[]
  readonly #storage: Storage
  readonly #dtype: TensorDtype
  readonly #block: Block | null
  #values: DataArray | null = null

  constructor(storage: Storage, dtype: TensorDtype, layout: Layout) {
    this.#storage = storage
    this.#dtype = dtype
    this.#block = storage.memory.shared(storage.block)
    requireHoldable(elementCount(layout.shape), dtype)
    this.parts = partsOf(layout, this.#block !== null ? maxArrayElements : maxReadBytes / itemBytes(dtype))
  }

  get values(): DataArray {
    if (this.#values === null) throw new InternalError('a tensor was read in no parts')
    return this.#values
  }

  get isShared(): boolean {
    return this.#block !== null
  }

  /** The memory itself; null: the device has separate memory. */
  shared({ first, count }: Part): StoredArray | null {
    return this.#block === null ? null : sharedElements(this.#block, this.#dtype, first, count)
  }

  read(part: Part): Uint8Array {
    return this.#storage.memory.read(this.#storage.block, ...this.#range(part))
  }

  readAsync(part: Part): Promise<Uint8Array> {
    return this.#storage.memory.readAsync(this.#storage.block, ...this.#range(part))
  }

  #range({ first, count }: Part): readonly [from: number, bytes: number] {
    return [first * itemBytes(this.#dtype), count * itemBytes(this.#dtype)]
  }

  /** Takes the memory of one part over into the values. */
  take({ layout, target }: Part, stored: StoredArray): void {
    if (this.parts.length === 1) {
      this.#values = readValues(stored, this.#dtype, layout)
      return
    }
    const total = this.parts.reduce((sum, part) => sum + elementCount(part.layout.shape), 0)
    this.#values ??= newDataArray(this.#dtype, total)
    putPart(readValues(stored, this.#dtype, layout), this.#values, target)
  }
}

/** Copies a part's row-major values to their positions in the result. */
function putPart(part: DataArray, values: DataArray, target: Layout): void {
  let at = 0
  forEachRun(target, (start, stride, count) => {
    if (stride === 1) values.set(part.subarray(at, at + count) as never, start)
    else for (let i = 0; i < count; i++) values[start + i * stride] = part[at + i]!
    at += count
  })
}

/** A new array that `data()` can return. */
function newDataArray(dtype: TensorDtype, count: number): DataArray {
  return codecOf(dtype) === null ? (new storedArrays[dtype](count) as DataArray) : new Float32Array(count)
}

/** Copies elements out of memory in row-major order, decoded. */
export function readValues(stored: StoredArray, dtype: TensorDtype, layout: Layout): DataArray {
  const count = elementCount(layout.shape)
  const decode = codecOf(dtype)?.decode ?? null
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

/** Writes values into memory as `dtype`. Throws DtypeError when an integer dtype cannot represent a value. */
export function writeValues(
  stored: StoredArray,
  dtype: TensorDtype,
  values: ArrayLike<number | bigint | boolean>,
): void {
  const encode = codecOf(dtype)?.encode ?? null
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

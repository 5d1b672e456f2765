/**
 * The interpreter's memory: views over typed arrays in the format in which tensors store them (narrow floats as codes, bools
 * as bytes, i64 as bigints); block accesses and indexed accesses with tile IR's bounds checks.
 */
import { type AtomicFn, updatedBy } from '../../scalar/atomic.js'
import { evaluate, type ScalarOpName } from '../../scalar/ops.js'
import { codecOf } from '../../types/codec.js'
import type { Dtype } from '../../types/dtype.js'
import { type StoredArray, storedArrayType } from '../../types/memory.js'
import { claim, type Owner } from './owners.js'
import {
  allocate,
  type Cell,
  elements,
  type NumberTile,
  packI64Tile,
  type Scalar,
  type Tile,
  unpackValue,
  type ViewMemory,
} from './values.js'

type Decode = (code: number) => number
type Encode = (value: number) => number

/** Converts a stored element to a number; null: no conversion. i64 is handled separately. */
function decoder(dtype: Dtype): Decode | null {
  if (dtype === 'bool') return code => (code !== 0 ? 1 : 0)
  return codecOf(dtype)?.decode ?? null
}

const encoder = (dtype: Dtype): Encode | null => codecOf(dtype)?.encode ?? null

/** A tile in its memory format. */
export function encodeArray(dtype: Dtype, tile: Tile): StoredArray {
  const out = new (storedArrayType(dtype))(tile.length)
  for (let i = 0; i < tile.length; i++) writeElement(dtype, out, i, tile[i]!)
  return out
}

/** Memory contents as a tile. */
export function decodeArray(dtype: Dtype, buffer: ArrayBuffer): Tile {
  const data = new (storedArrayType(dtype))(buffer)
  const out = newTile(dtype, data.length)
  for (let i = 0; i < data.length; i++) out[i] = readElement(dtype, data, i)
  return packed(out)
}

/** The buffer in which a load collects its elements; for i64 bigints, which `packed` converts to numbers if possible. */
const newTile = (dtype: Dtype, count: number): NumberTile | BigInt64Array =>
  dtype === 'i64' ? new BigInt64Array(count) : allocate(dtype, count)
const packed = (tile: Tile): Tile => (tile instanceof BigInt64Array ? packI64Tile(tile) : tile)

export function readElement(dtype: Dtype, data: StoredArray, at: number): Scalar {
  const raw = data[at]!
  const decode = decoder(dtype)
  return decode === null ? raw : decode(raw as number)
}

export function writeElement(dtype: Dtype, data: StoredArray, at: number, value: Scalar): void {
  const encode = encoder(dtype)
  data[at] = dtype === 'i64' ? BigInt(value) : encode === null ? value : encode(value as number)
}

/** The part of a block inside the view: [low, high) in the block's own indices, per dim; null if none. */
function insideBox(view: ViewMemory, offsets: readonly Scalar[], shape: readonly number[]): [number, number][] | null {
  const box: [number, number][] = []
  for (let d = 0; d < shape.length; d++) {
    // An offset beyond 2^53 is outside any view, so its rounding does not matter.
    const offset = Number(offsets[d])
    const low = Math.max(0, -offset)
    const high = Math.min(shape[d]!, view.sizes[d]! - offset)
    if (low >= high) return null
    box.push([low, high])
  }
  return box
}

/** Calls `row(blockIndex, memoryIndex, count, stride)` for each row (along the last dim) of the block inside the view. */
function eachRow(
  view: ViewMemory,
  offsets: readonly Scalar[],
  shape: readonly number[],
  row: (block: number, memory: number, count: number, stride: number) => void,
): void {
  const box = insideBox(view, offsets, shape)
  if (box === null) return
  const rank = shape.length
  const visit = (d: number, block: number, memory: number): void => {
    if (d === rank) row(block, memory, 1, 1)
    if (d === rank) return
    const [low, high] = box[d]!
    const stride = view.strides[d]!
    const start = memory + (Number(offsets[d]) + low) * stride
    if (d === rank - 1) row(block * shape[d]! + low, start, high - low, stride)
    else for (let i = low; i < high; i++) visit(d + 1, block * shape[d]! + i, start + (i - low) * stride)
  }
  visit(0, 0, view.offset)
}

/** The block of `shape` at `offsets`, with `padding` outside the view. */
export function loadBlock(
  dtype: Dtype,
  view: ViewMemory,
  offsets: readonly Scalar[],
  shape: readonly number[],
  padding: Scalar,
): Tile {
  const out = newTile(
    dtype,
    shape.reduce((a, b) => a * b, 1),
  )
  if (padding !== 0) fill(out, padding)
  const { data } = view
  const decode = decoder(dtype)
  eachRow(view, offsets, shape, (block, memory, count, stride) => {
    if (decode === null) for (let i = 0; i < count; i++) out[block + i] = data[memory + i * stride]!
    else for (let i = 0; i < count; i++) out[block + i] = decode(data[memory + i * stride] as number)
  })
  return packed(out)
}

export function fill(tile: Tile, value: Scalar): void {
  if (tile instanceof BigInt64Array) tile.fill(BigInt(value))
  else tile.fill(value as number)
}

/** The view up to an end index per dim; without ends, all of it. */
export const cutAt = (view: ViewMemory, ends: readonly number[]): ViewMemory =>
  ends.length === 0 ? view : { ...view, sizes: view.sizes.map((size, d) => Math.min(size, ends[d]!)) }

/** Writes a block; elements outside the view are dropped. */
export function storeBlock(
  dtype: Dtype,
  view: ViewMemory,
  offsets: readonly Scalar[],
  shape: readonly number[],
  value: Cell,
  owner: Owner | undefined,
): void {
  const tile = elements(dtype, value)
  const { data } = view
  const encode = encoder(dtype)
  eachRow(view, offsets, shape, (block, memory, count, stride) => {
    if (owner !== undefined) claim(owner, memory, count, stride)
    if (dtype === 'i64') for (let i = 0; i < count; i++) data[memory + i * stride] = BigInt(tile[block + i]!)
    else if (encode === null) for (let i = 0; i < count; i++) data[memory + i * stride] = tile[block + i]!
    else for (let i = 0; i < count; i++) data[memory + i * stride] = encode(tile[block + i] as number)
  })
}

/** The memory index of an element, or -1 when its indices are out of bounds. */
function place(view: ViewMemory, indices: readonly Tile[], i: number): number {
  let at = view.offset
  for (let d = 0; d < indices.length; d++) {
    const index = Number(indices[d]![i])
    if (index < 0 || index >= view.sizes[d]!) return -1
    at += index * view.strides[d]!
  }
  return at
}

const indexTiles = (indices: readonly Cell[]): Tile[] => indices.map(index => elements('i64', index))

/** Gathers elements; masked and out-of-bounds ones are 0. */
export function gatherElements(
  dtype: Dtype,
  view: ViewMemory,
  indices: readonly Cell[],
  mask: Cell,
  count: number,
): Tile {
  const [at, allowed] = [indexTiles(indices), elements('bool', mask)]
  const out = newTile(dtype, count)
  for (let i = 0; i < count; i++) {
    const from = allowed[i] ? place(view, at, i) : -1
    if (from >= 0) out[i] = readElement(dtype, view.data, from)
  }
  return packed(out)
}

/**
 * Scatters elements; masked and out-of-bounds ones are not written. `owner` checks that programs do not write the same
 * ones.
 */
export function scatterElements(
  dtype: Dtype,
  view: ViewMemory,
  indices: readonly Cell[],
  value: Cell,
  mask: Cell,
  owner: Owner | undefined,
): void {
  const [at, allowed, values] = [indexTiles(indices), elements('bool', mask), elements(dtype, value)]
  for (let i = 0; i < values.length; i++) {
    const to = allowed[i] ? place(view, at, i) : -1
    if (to >= 0 && owner !== undefined) claim(owner, to, 1, 1)
    if (to >= 0) writeElement(dtype, view.data, to, values[i]!)
  }
}

/** Applies the elements one after another; returns the old values. */
export function atomicElements(
  fn: AtomicFn,
  dtype: Dtype,
  view: ViewMemory,
  indices: readonly Cell[],
  operands: readonly Cell[],
  mask: Cell,
): Tile {
  const [at, allowed] = [indexTiles(indices), elements('bool', mask)]
  const values = operands.map(operand => elements(dtype, operand))
  const out = newTile(dtype, allowed.length)
  const combine = (op: ScalarOpName, old: Scalar, next: Scalar): Scalar =>
    evaluate(op, dtype, [unpackValue(dtype, old), unpackValue(dtype, next)])
  for (let i = 0; i < allowed.length; i++) {
    const to = allowed[i] ? place(view, at, i) : -1
    if (to < 0) continue
    const old = readElement(dtype, view.data, to)
    out[i] = old
    const given = values.map(each => each[i]!)
    if (fn !== 'load') writeElement(dtype, view.data, to, updatedBy(fn, old, given, combine))
  }
  return packed(out)
}

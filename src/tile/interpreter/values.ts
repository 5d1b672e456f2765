/**
 * Values inside the interpreter. A scalar is a number or bigint; a tile is a typed array in row-major order. Narrow floats
 * are kept as numbers. An i64 is a number if it is a safe integer, else a bigint; an i64 tile is a Float64Array if all its
 * elements are safe integers, else a BigInt64Array. So values are exact, and index arithmetic stays fast. Tiles are immutable,
 * so they may be shared.
 */
import { InternalError } from '../../base/errors.js'
import type { Value } from '../../scalar/ops.js'
import { codecOf } from '../../types/codec.js'
import type { Dtype } from '../../types/dtype.js'
import type { StoredArray } from '../../types/memory.js'

/** A view argument: `data[offset + Σ index·stride]`, all counted in elements. */
export interface ViewMemory {
  readonly data: StoredArray
  readonly offset: number
  readonly sizes: readonly number[]
  readonly strides: readonly number[]
}

export type NumberTile = Float64Array | Float32Array | Int32Array | Int16Array | Int8Array | Uint8Array
export type Tile = NumberTile | BigInt64Array
export type Scalar = number | bigint
/** The contents of a node's slot; a tuple holds its items. */
export type Cell = Scalar | Tile | readonly Cell[]

export const isTuple = (cell: Cell): cell is readonly Cell[] => Array.isArray(cell)

/** An array for the numbers of a dtype; for i64, for safe integers. */
export function allocate(dtype: Dtype, count: number): NumberTile {
  switch (dtype) {
    case 'f64':
    case 'i64':
      return new Float64Array(count)
    case 'f32':
      return new Float32Array(count)
    case 'i32':
      return new Int32Array(count)
    case 'i16':
      return new Int16Array(count)
    case 'i8':
      return new Int8Array(count)
    case 'u8':
    case 'bool':
      return new Uint8Array(count)
    default:
      if (codecOf(dtype) !== null) return new Float32Array(count)
      throw new InternalError(`interpreter: no tiles of ${dtype} yet`)
  }
}

/** An i64 in the representation described above. */
export const packI64 = (value: bigint): Scalar => {
  const number = Number(value)
  return Number.isSafeInteger(number) ? number : value
}

/** i64 values in the representation described above. */
export function packI64Tile(values: BigInt64Array): Float64Array | BigInt64Array {
  const numbers = new Float64Array(values.length)
  for (let i = 0; i < values.length; i++) {
    const number = Number(values[i])
    if (!Number.isSafeInteger(number)) return values
    numbers[i] = number
  }
  return numbers
}

/** A value of the scalar table (bigint for i64) in the interpreter's representation. */
export const packValue = (value: Value): Scalar => (typeof value === 'bigint' ? packI64(value) : value)
/** The inverse: the form that `evaluate` takes for the dtype. */
export const unpackValue = (dtype: Dtype, value: Scalar): Value => (dtype === 'i64' ? BigInt(value) : value)

/** The elements of a tile, or the single one of a scalar. */
export function elements(dtype: Dtype, cell: Cell): Tile {
  if (typeof cell === 'object' && !isTuple(cell)) return cell
  if (typeof cell === 'bigint') return BigInt64Array.of(cell)
  if (typeof cell !== 'number') throw new InternalError('interpreter: a tuple where a tile is needed')
  const tile = allocate(dtype, 1)
  tile[0] = cell
  return tile
}

/** A tile as a cell: a scalar when the shape is []. */
export const asCell = (tile: Tile, isScalar: boolean): Cell => (isScalar ? tile[0]! : tile)

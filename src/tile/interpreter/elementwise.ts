/** Elementwise steps of the interpreter: maps, casts, bitcasts, on scalars and tiles. */
import { type NumberFunction, numberCast, numberFunction, rounder } from '../../scalar/numbers.js'
import { castValue, evaluate, resultDtype, type ScalarOpName, scalarOp, type Value } from '../../scalar/ops.js'
import type { Dtype } from '../../types/dtype.js'
import { decodeArray, encodeArray } from './memory.js'
import {
  allocate,
  type Cell,
  elements,
  type NumberTile,
  packI64,
  packI64Tile,
  packValue,
  type Scalar,
  type Tile,
  unpackValue,
} from './values.js'

/** A function from the operands' cells to the result's. */
export type Elementwise = (...operands: readonly Cell[]) => Cell

const isNumbers = (tile: Tile): tile is NumberTile => !(tile instanceof BigInt64Array)

/** A scalar op on operands of `dtype` (for `where`: its branches) and `count` elements; `null`: scalars. */
export function mapFunction(fn: ScalarOpName, dtype: Dtype, count: number | null): Elementwise {
  const apply = numberFunction(fn, dtype)
  const result = resultDtype(fn, dtype)
  return count === null ? mapScalars(fn, dtype, result, apply) : mapTiles(fn, dtype, result, apply, count)
}

function mapScalars(fn: ScalarOpName, dtype: Dtype, result: Dtype, apply: NumberFunction): Elementwise {
  const round = rounder(result)
  const exact = (a: Cell, b: Cell, c: Cell): Scalar => packValue(evaluateAt(fn, dtype, [a, b, c] as Scalar[]))
  if (dtype !== 'i64') return (a, b, c) => round(Number(apply(a as number, b as number, c as number)))
  return (a, b, c) => {
    if (typeof a === 'bigint' || typeof b === 'bigint' || typeof c === 'bigint') return exact(a!, b!, c!)
    const value = apply(a as number, b as number, c as number)
    return Number.isSafeInteger(value) ? value : exact(a!, b!, c!)
  }
}

/** `evaluate` on the interpreter's values; `where`'s condition is a bool whatever the dtype. */
function evaluateAt(fn: ScalarOpName, dtype: Dtype, operands: readonly Scalar[]): Scalar {
  const values = operands
    .slice(0, scalarOp(fn).arity)
    .map((value, i) => (fn === 'where' && i === 0 ? value : unpackValue(dtype, value)))
  return evaluate(fn, dtype, values)
}

/** A scalar op on tiles. i64 is computed in numbers as long as all values are safe integers, else in bigints. */
function mapTiles(fn: ScalarOpName, dtype: Dtype, result: Dtype, apply: NumberFunction, count: number): Elementwise {
  const fast = numberLoop(scalarOp(fn).arity, apply, result, count)
  if (dtype !== 'i64') return fast
  return (...cells) => {
    const tiles = cells as readonly Tile[]
    if (tiles.every(isNumbers)) {
      const numbers = fast(...tiles) as NumberTile
      if (result !== 'i64' || allSafe(numbers)) return numbers
    }
    return exactTiles(fn, tiles, result, count)
  }
}

const allSafe = (numbers: NumberTile): boolean => {
  for (let i = 0; i < numbers.length; i++) if (!(Math.abs(numbers[i]!) <= Number.MAX_SAFE_INTEGER)) return false
  return true
}

/** A loop over tiles of numbers, specialised by arity for speed. */
function numberLoop(arity: 1 | 2 | 3, apply: NumberFunction, result: Dtype, count: number): Elementwise {
  if (arity === 1) {
    return cell => {
      const a = cell as NumberTile
      const out = allocate(result, count)
      for (let i = 0; i < count; i++) out[i] = apply(a[i]!, 0, 0)
      return out
    }
  }
  if (arity === 2) {
    return (first, second) => {
      const [a, b] = [first as NumberTile, second as NumberTile]
      const out = allocate(result, count)
      for (let i = 0; i < count; i++) out[i] = apply(a[i]!, b[i]!, 0)
      return out
    }
  }
  return (first, second, third) => {
    const [a, b, c] = [first as NumberTile, second as NumberTile, third as NumberTile]
    const out = allocate(result, count)
    for (let i = 0; i < count; i++) out[i] = apply(a[i]!, b[i]!, c[i]!)
    return out
  }
}

/** The slow path of i64: every element as a bigint. */
function exactTiles(fn: ScalarOpName, tiles: readonly Tile[], result: Dtype, count: number): Tile {
  const { arity } = scalarOp(fn)
  const values: Value[] = []
  const at = (i: number): Value => {
    for (let k = 0; k < arity; k++) values[k] = fn === 'where' && k === 0 ? tiles[k]![i]! : BigInt(tiles[k]![i]!)
    return evaluate(fn, 'i64', values)
  }
  if (result !== 'i64') {
    const out = allocate(result, count)
    for (let i = 0; i < count; i++) out[i] = Number(at(i))
    return out
  }
  const out = new BigInt64Array(count)
  for (let i = 0; i < count; i++) out[i] = BigInt(at(i))
  return packI64Tile(out)
}

/** A conversion of `count` elements, or of a scalar. */
export function castFunction(from: Dtype, to: Dtype, count: number | null): Elementwise {
  const exact = (value: Scalar): Scalar => packValue(castValue(from, to, unpackValue(from, value)))
  const fast = numberCast(from, to)
  const one = (value: Scalar): Scalar => {
    if (typeof value === 'bigint') return exact(value)
    const number = fast(value)
    return to !== 'i64' || Number.isSafeInteger(number) ? number : exact(value)
  }
  if (count === null) return cell => one(cell as Scalar)
  return cell => {
    const tile = cell as Tile
    if (fast !== null && isNumbers(tile)) {
      const out = allocate(to, count)
      for (let i = 0; i < count; i++) out[i] = fast(tile[i]!)
      if (to !== 'i64' || allSafe(out)) return out
    }
    if (to !== 'i64') {
      const out = allocate(to, count)
      for (let i = 0; i < count; i++) out[i] = Number(exact(tile[i]!))
      return out
    }
    const out = new BigInt64Array(count)
    for (let i = 0; i < count; i++) out[i] = BigInt(exact(tile[i]!))
    return packI64Tile(out)
  }
}

/** The same bits as another dtype of the same width. */
export function bitcastFunction(from: Dtype, to: Dtype, count: number | null): Elementwise {
  return cell => {
    const raw = encodeArray(from, elements(from, cell))
    const tile = decodeArray(to, raw.buffer as ArrayBuffer)
    if (count !== null) return tile
    const [value] = tile
    return typeof value === 'bigint' ? packI64(value) : value!
  }
}

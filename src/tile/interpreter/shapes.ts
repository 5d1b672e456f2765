/** Steps of the interpreter that move or combine elements: broadcast, transpose, reduce, scan, dot. */
import { type NumberFunction, numberFunction, rounder } from '../../scalar/numbers.js'
import { evaluate, isArgReduction, type ReductionName, reductionIdentity, type ScanName } from '../../scalar/ops.js'
import { type Dtype, isFloat } from '../../types/dtype.js'
import { decodeMinifloat, minifloatOf } from '../../types/minifloat.js'
import { roundToTf32 } from '../../types/tf32.js'
import type { DotAttrs } from '../ir.js'
import { fill } from './memory.js'
import {
  allocate,
  asCell,
  type Cell,
  elements,
  type NumberTile,
  packI64Tile,
  type Scalar,
  type Tile,
  unpackValue,
} from './values.js'

const countOf = (shape: readonly number[]): number => shape.reduce((a, b) => a * b, 1)

const like = (tile: Tile, dtype: Dtype, count: number): Tile =>
  tile instanceof BigInt64Array ? new BigInt64Array(count) : allocate(dtype, count)

function rowMajorStrides(shape: readonly number[]): number[] {
  const strides = new Array<number>(shape.length)
  let stride = 1
  for (let d = shape.length - 1; d >= 0; d--) {
    strides[d] = stride
    stride *= shape[d]!
  }
  return strides
}

/** For each element of `shape` in order, the index `Σ index·stride`: computed once per step, since shapes are static. */
function gatherPlan(shape: readonly number[], strides: readonly number[]): Int32Array {
  let plan = Int32Array.of(0)
  for (let d = 0; d < shape.length; d++) {
    const next = new Int32Array(plan.length * shape[d]!)
    let at = 0
    for (const base of plan) for (let i = 0; i < shape[d]!; i++) next[at++] = base + i * strides[d]!
    plan = next
  }
  return plan
}

function gatherBy(dtype: Dtype, plan: Int32Array): (cell: Cell) => Cell {
  return cell => {
    const tile = cell as Tile
    const out = like(tile, dtype, plan.length)
    for (let i = 0; i < plan.length; i++) out[i] = tile[plan[i]!]!
    return out
  }
}

/** The function that broadcasts a tile; missing leading dims are added. */
export function broadcastFunction(dtype: Dtype, from: readonly number[], to: readonly number[]): (cell: Cell) => Cell {
  const count = countOf(to)
  if (from.length === 0) {
    if (to.length === 0) return cell => cell
    return cell => {
      const out = like(elements(dtype, cell), dtype, count)
      fill(out, cell as Scalar)
      return out
    }
  }
  const strides = rowMajorStrides(from)
  const lead = to.length - from.length
  return gatherBy(
    dtype,
    gatherPlan(
      to,
      to.map((_, d) => (d < lead || from[d - lead] === 1 ? 0 : strides[d - lead]!)),
    ),
  )
}

export function reshapeFunction(dtype: Dtype, from: readonly number[], to: readonly number[]): (cell: Cell) => Cell {
  if (from.length > 0) return to.length > 0 ? cell => cell : cell => (cell as Tile)[0]!
  return to.length === 0 ? cell => cell : cell => elements(dtype, cell)
}

/** The function that permutes a tile's axes. */
export function transposeFunction(
  dtype: Dtype,
  from: readonly number[],
  permutation: readonly number[],
): (cell: Cell) => Cell {
  if (from.length === 0) return cell => cell
  const strides = rowMajorStrides(from)
  return gatherBy(
    dtype,
    gatherPlan(
      permutation.map(d => from[d]!),
      permutation.map(d => strides[d]!),
    ),
  )
}

/** A tile viewed as [outer, length, inner], where the middle axis is folded. */
interface Folding {
  readonly outer: number
  readonly length: number
  readonly inner: number
}

function foldingOf(shape: readonly number[], axis: number): Folding {
  return { outer: countOf(shape.slice(0, axis)), length: shape[axis]!, inner: countOf(shape.slice(axis + 1)) }
}

/** Sums and products of floats are computed in f64 and rounded once; integers wrap at every step; i64 stays exact. */
function folder(fn: ReductionName, dtype: Dtype): { combine: NumberFunction; wrap: (value: number) => number } {
  return { combine: numberFunction(fn as 'add', dtype), wrap: isFloat(dtype) ? value => value : rounder(dtype) }
}

/** The function that reduces a tile along an axis. */
export function reduceFunction(
  fn: ReductionName,
  dtype: Dtype,
  shape: readonly number[],
  axis: number,
): (cell: Cell) => Cell {
  const folding = foldingOf(shape, axis)
  const isScalar = shape.length === 1
  if (isArgReduction(fn)) return cell => asCell(argReduce(fn, cell as Tile, folding), isScalar)
  const { combine, wrap } = folder(fn, dtype)
  return cell => {
    const tile = cell as Tile
    const numbers = tile instanceof BigInt64Array ? null : reduceNumbers(tile, dtype, fn, folding, combine, wrap)
    return asCell(numbers ?? reduceExactly(tile, fn, dtype, folding), isScalar)
  }
}

/** Null when an intermediate i64 result exceeded the safe integers. */
function reduceNumbers(
  tile: NumberTile,
  dtype: Dtype,
  fn: ReductionName,
  { outer, length, inner }: Folding,
  combine: NumberFunction,
  wrap: (value: number) => number,
): Tile | null {
  const out = allocate(dtype, outer * inner)
  const start = Number(reductionIdentity(fn, dtype))
  // The identities of i64's min and max are not safe integers: start from the first element, which always exists.
  const isSelection = fn === 'min' || fn === 'max'
  for (let o = 0; o < outer; o++) {
    for (let i = 0; i < inner; i++) {
      const base = o * length * inner + i
      let sum = isSelection ? tile[base]! : start
      for (let k = isSelection ? 1 : 0; k < length; k++) {
        sum = wrap(combine(sum, tile[base + k * inner]!, 0))
        if (dtype === 'i64' && !Number.isSafeInteger(sum)) return null
      }
      out[o * inner + i] = sum
    }
  }
  return out
}

/** Reduces i64 in bigints, for values that are not safe integers. */
function reduceExactly(tile: Tile, fn: ReductionName, dtype: Dtype, { outer, length, inner }: Folding): Tile {
  const out = new BigInt64Array(outer * inner)
  for (let o = 0; o < outer; o++) {
    for (let i = 0; i < inner; i++) {
      let sum = reductionIdentity(fn, dtype)
      for (let k = 0; k < length; k++) {
        sum = evaluate(fn as 'add', dtype, [sum, unpackValue(dtype, tile[(o * length + k) * inner + i]!)])
      }
      out[o * inner + i] = BigInt(sum)
    }
  }
  return packI64Tile(out)
}

/** The index of the first minimum or maximum; NaN wins over all other values. */
function argReduce(fn: 'argmin' | 'argmax', tile: Tile, { outer, length, inner }: Folding): Tile {
  const out = new Float64Array(outer * inner)
  const better = fn === 'argmin' ? (a: Scalar, b: Scalar) => a < b : (a: Scalar, b: Scalar) => a > b
  const isNaNValue = (value: Scalar): boolean => Number.isNaN(value)
  for (let o = 0; o < outer; o++) {
    for (let i = 0; i < inner; i++) {
      let best = 0
      let value: Scalar = tile[o * length * inner + i]!
      for (let k = 1; k < length && !isNaNValue(value); k++) {
        const next: Scalar = tile[(o * length + k) * inner + i]!
        if (!better(next, value) && !isNaNValue(next)) continue
        best = k
        value = next
      }
      out[o * inner + i] = best
    }
  }
  return out
}

/** The function that scans a tile along an axis. */
export function scanFunction(
  fn: ScanName,
  dtype: Dtype,
  shape: readonly number[],
  axis: number,
  reverse: boolean,
): (cell: Cell) => Cell {
  const folding = foldingOf(shape, axis)
  const { combine, wrap } = folder(fn, dtype)
  return cell => {
    const tile = cell as Tile
    const numbers = tile instanceof BigInt64Array ? null : scanNumbers(tile, dtype, folding, reverse, combine, wrap)
    return numbers ?? scanExactly(tile, fn, dtype, folding, reverse)
  }
}

/** Null when an i64 value exceeded the safe integers. */
function scanNumbers(
  tile: NumberTile,
  dtype: Dtype,
  { outer, length, inner }: Folding,
  reverse: boolean,
  combine: NumberFunction,
  wrap: (value: number) => number,
): Tile | null {
  const out = allocate(dtype, tile.length)
  for (let o = 0; o < outer; o++) {
    for (let i = 0; i < inner; i++) {
      let sum = 0
      for (let k = 0; k < length; k++) {
        const at = (o * length + (reverse ? length - 1 - k : k)) * inner + i
        sum = k === 0 ? tile[at]! : wrap(combine(sum, tile[at]!, 0))
        if (dtype === 'i64' && !Number.isSafeInteger(sum)) return null
        out[at] = sum
      }
    }
  }
  return out
}

/** Scans i64 in bigints, for values that are not safe integers. */
function scanExactly(
  tile: Tile,
  fn: ScanName,
  dtype: Dtype,
  { outer, length, inner }: Folding,
  reverse: boolean,
): Tile {
  const out = new BigInt64Array(tile.length)
  for (let o = 0; o < outer; o++) {
    for (let i = 0; i < inner; i++) {
      let sum: Scalar = 0n
      for (let k = 0; k < length; k++) {
        const at = (o * length + (reverse ? length - 1 - k : k)) * inner + i
        const next = unpackValue(dtype, tile[at]!)
        sum = k === 0 ? next : evaluate(fn, dtype, [sum, next])
        out[at] = BigInt(sum)
      }
    }
  }
  return packI64Tile(out)
}

/** Decodes an operand's elements to numbers. */
function operandOf({ codes, precision }: DotAttrs, side: 0 | 1): (tile: NumberTile) => NumberTile {
  if (precision === 'tf32') return tile => Float32Array.from(tile, roundToTf32)
  if (codes === undefined) return tile => tile
  const values = Float32Array.from({ length: 256 }, (_, code) => decodeMinifloat(minifloatOf(codes[side]), code))
  return tile => Float32Array.from(tile, code => values[code]!)
}

/** acc + a·b, summed in f64 and rounded once for float accumulators, wrapping for i32. */
export function dotFunction(
  accumulator: Dtype,
  m: number,
  k: number,
  n: number,
  attrs: DotAttrs,
): (a: Cell, b: Cell, acc: Cell) => Cell {
  const multiply = accumulator === 'i32' ? multiplyIntegers : multiplyFloats
  const [ofA, ofB] = [operandOf(attrs, 0), operandOf(attrs, 1)]
  return (left, right, start) => {
    const out = allocate(accumulator, m * n)
    multiply(ofA(left as NumberTile), ofB(right as NumberTile), start as NumberTile, out, [m, k, n])
    return out
  }
}

type Sizes = readonly [m: number, k: number, n: number]

/** Converts operands to one array type, for which JavaScript engines specialise the loops once. */
const asFloat64 = (tile: NumberTile): Float64Array => (tile instanceof Float64Array ? tile : new Float64Array(tile))

function multiplyFloats(left: NumberTile, right: NumberTile, acc: NumberTile, out: NumberTile, [m, k, n]: Sizes): void {
  const [a, b, row] = [asFloat64(left), asFloat64(right), new Float64Array(n)]
  for (let i = 0; i < m; i++) {
    for (let j = 0; j < n; j++) row[j] = acc[i * n + j]!
    for (let x = 0; x < k; x++) {
      const factor = a[i * k + x]!
      for (let j = 0; j < n; j++) row[j] = row[j]! + factor * b[x * n + j]!
    }
    out.set(row, i * n)
  }
}

/** An i32 matmul with wrapping sums, row by row. */
function multiplyIntegers(
  left: NumberTile,
  right: NumberTile,
  acc: NumberTile,
  out: NumberTile,
  [m, k, n]: Sizes,
): void {
  const [a, b, row] = [new Int32Array(left), new Int32Array(right), new Int32Array(n)]
  for (let i = 0; i < m; i++) {
    for (let j = 0; j < n; j++) row[j] = acc[i * n + j]!
    for (let x = 0; x < k; x++) {
      const factor = a[i * k + x]!
      for (let j = 0; j < n; j++) row[j] = row[j]! + Math.imul(factor, b[x * n + j]!)
    }
    out.set(row, i * n)
  }
}

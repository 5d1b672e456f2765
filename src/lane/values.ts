/**
 * Arithmetic on simulated registers. A register of `lanes` values is an array of that length; every value is a number,
 * but an i64 beyond ±2^53 is a bigint: `normal` keeps one form per value, so `===` compares and index arithmetic runs on
 * plain numbers without ever being wrong.
 */
import { castValue, evaluate, type ScalarOpName, type Value } from '../scalar/ops.js'
import { type Dtype, dtypes, isFloat8 } from '../types/dtype.js'
import { fromBf16, fromF16, toBf16, toF16 } from '../types/float16.js'
import { decodeMinifloat, encodeMinifloat, minifloatOf } from '../types/minifloat.js'

export type Lanes = readonly Value[]

/** The one form of an i64: a number when it is exact as one, else a bigint. */
export function normal(value: Value): Value {
  if (typeof value === 'number') return value
  return value >= -9007199254740991n && value <= 9007199254740991n ? Number(value) : value
}

/**
 * The result on exact numbers, or null when a bigint is needed. A sum, difference or product of safe integers that comes
 * out as a safe integer is exact: an inexact one would have rounded to 2^53 or beyond. `+ 0` turns −0 into 0.
 */
function onSafeIntegers(fn: ScalarOpName, a: number, b: number): number | null {
  switch (fn) {
    case 'add':
      return safe(a + b)
    case 'sub':
      return safe(a - b)
    case 'mul':
      return safe(a * b + 0)
    case 'min':
      return Math.min(a, b)
    case 'max':
      return Math.max(a, b)
    case 'lt':
      return Number(a < b)
    case 'le':
      return Number(a <= b)
    case 'gt':
      return Number(a > b)
    case 'ge':
      return Number(a >= b)
    case 'eq':
      return Number(a === b)
    case 'ne':
      return Number(a !== b)
    default:
      return null
  }
}

const safe = (value: number): number | null => (Number.isSafeInteger(value) ? value : null)

/** One scalar op on operands of `dtype`, as scalar/ops.ts means it. */
export function evaluateValue(fn: ScalarOpName, dtype: Dtype, operands: readonly Value[]): Value {
  if (dtype !== 'i64') return evaluate(fn, dtype, operands)
  const [a, b] = operands
  if (operands.length === 2 && typeof a === 'number' && typeof b === 'number') {
    const fast = onSafeIntegers(fn, a, b)
    if (fast !== null) return fast
  }
  return normal(evaluate(fn, dtype, operands))
}

export const castLane = (from: Dtype, to: Dtype, value: Value): Value => normal(castValue(from, to, value))

/** Folds pairwise: lane i with lane i + lanes/2, until one is left. */
export function foldLanes(fn: ScalarOpName, dtype: Dtype, lanes: Lanes): Value {
  let values = lanes
  while (values.length > 1) {
    const half = values.length / 2
    const upper = values.slice(half)
    values = values.slice(0, half).map((value, lane) => evaluateValue(fn, dtype, [value, upper[lane]!]))
  }
  return values[0]!
}

const bytes = new DataView(new ArrayBuffer(16 * 8))

/** Same bits in another dtype, of equal width or regrouped. A NaN has one code here: payloads do not survive. */
export function bitcastLanes(from: Dtype, to: Dtype, lanes: Lanes): Lanes {
  const [fromBytes, toBytes] = [storedBytes(from), storedBytes(to)]
  const total = lanes.length * fromBytes
  const view = total <= bytes.byteLength ? bytes : new DataView(new ArrayBuffer(total))
  for (const [lane, value] of lanes.entries()) writeBits(view, lane * fromBytes, from, value)
  return Array.from({ length: total / toBytes }, (_, lane) => normal(readBits(view, lane * toBytes, to)))
}

const storedBytes = (dtype: Dtype): number => dtypes[dtype].bits / 8

function writeBits(view: DataView, at: number, dtype: Dtype, value: Value): void {
  if (dtype === 'f64') view.setFloat64(at, Number(value), true)
  else if (dtype === 'f32') view.setFloat32(at, Number(value), true)
  else if (dtype === 'f16') view.setUint16(at, toF16(Number(value)), true)
  else if (dtype === 'bf16') view.setUint16(at, toBf16(Number(value)), true)
  else if (dtype === 'i64') view.setBigInt64(at, BigInt(value), true)
  else if (dtype === 'i32') view.setInt32(at, Number(value), true)
  else if (dtype === 'i16') view.setInt16(at, Number(value), true)
  else if (dtype === 'i8') view.setInt8(at, Number(value))
  else if (isFloat8(dtype)) view.setUint8(at, encodeMinifloat(minifloatOf(dtype), Number(value), false))
  else view.setUint8(at, Number(value))
}

function readBits(view: DataView, at: number, dtype: Dtype): Value {
  switch (dtype) {
    case 'f64':
      return view.getFloat64(at, true)
    case 'f32':
      return view.getFloat32(at, true)
    case 'f16':
      return fromF16(view.getUint16(at, true))
    case 'bf16':
      return fromBf16(view.getUint16(at, true))
    case 'i64':
      return view.getBigInt64(at, true)
    case 'i32':
      return view.getInt32(at, true)
    case 'i16':
      return view.getInt16(at, true)
    case 'i8':
      return view.getInt8(at)
    case 'bool':
      return view.getUint8(at) === 0 ? 0 : 1
    case 'f8e4m3':
    case 'f8e5m2':
      return decodeMinifloat(minifloatOf(dtype), view.getUint8(at))
    default:
      return view.getUint8(at)
  }
}

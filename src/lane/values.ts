/**
 * Arithmetic on simulated registers. A register is an array of `lanes` values. Every value is a number, except an i64 beyond
 * ±2^53, which is a bigint: `normal` gives each value one representation, so `===` compares, and index arithmetic runs on
 * plain numbers and is still exact.
 */
import { numberCast, numberFunction, rounder } from '../scalar/numbers.js'
import { castValue, evaluate, resultDtype, type ScalarOpName, scalarOp, type Value } from '../scalar/ops.js'
import { codecOf } from '../types/codec.js'
import { type Dtype, dtypes, isFloat8 } from '../types/dtype.js'

export type Lanes = readonly Value[]

/** The normal form of an i64: a number if that is exact, else a bigint. */
export function normal(value: Value): Value {
  if (typeof value === 'number') return value
  return value >= -9007199254740991n && value <= 9007199254740991n ? Number(value) : value
}

export type LaneFunction = (a: Value, b?: Value, c?: Value) => Value

/** One scalar op on operands of `dtype`, as scalar/ops.ts defines it; uses bigints only where numbers are not exact. */
export function laneFunction(fn: ScalarOpName, dtype: Dtype): LaneFunction {
  const { arity } = scalarOp(fn)
  const exact: LaneFunction = (...values) => normal(evaluate(fn, dtype, values.slice(0, arity) as Value[]))
  if (isFloat8(dtype)) return exact // no op is defined on it
  const [apply, isWide] = [numberFunction(fn, dtype), dtype === 'i64']
  const round = rounder(resultDtype(fn, dtype))
  return (a, b = 0, c = 0) => {
    if (typeof a !== 'number' || typeof b !== 'number' || typeof c !== 'number') return exact(a, b, c)
    const value = apply(a, b, c)
    if (!isWide) return round(value)
    return Number.isSafeInteger(value) ? value : exact(a, b, c)
  }
}

const functions = new Map<Dtype, Map<ScalarOpName, LaneFunction>>()

/** `laneFunction`, cached per op and dtype. */
export function laneFunctionOf(fn: ScalarOpName, dtype: Dtype): LaneFunction {
  const ofDtype = functions.get(dtype) ?? new Map<ScalarOpName, LaneFunction>()
  functions.set(dtype, ofDtype)
  const made = ofDtype.get(fn) ?? laneFunction(fn, dtype)
  ofDtype.set(fn, made)
  return made
}

/** One scalar op on operands of `dtype`. */
export const evaluateValue = (fn: ScalarOpName, dtype: Dtype, operands: readonly Value[]): Value =>
  laneFunctionOf(fn, dtype)(operands[0]!, operands[1], operands[2])

/** The index plus `lane`. */
export const offsetBy = (index: Value, lane: number): Value =>
  typeof index === 'number' && Number.isSafeInteger(index + lane)
    ? index + lane
    : evaluateValue('add', 'i64', [index, lane])

/** `castValue` from one dtype to another; uses bigints only where numbers are not exact. */
export function castFunction(from: Dtype, to: Dtype): (value: Value) => Value {
  const exact = (value: Value): Value => normal(castValue(from, to, value))
  if (isFloat8(to)) return exact // only storage conversions produce it
  const cast = numberCast(from, to)
  return value => {
    if (typeof value !== 'number') return exact(value)
    const number = cast(value)
    return to !== 'i64' || Number.isSafeInteger(number) ? number : exact(value)
  }
}

/** Folds pairwise: lane i with lane i + lanes/2, until one lane is left. */
export function foldLanes(fn: ScalarOpName, dtype: Dtype, lanes: Lanes): Value {
  const combine = laneFunctionOf(fn, dtype)
  let values = lanes
  while (values.length > 1) {
    const half = values.length / 2
    const whole = values
    values = whole.slice(0, half).map((value, lane) => combine(value, whole[half + lane]!))
  }
  return values[0]!
}

/** Each lane combined with all before it: of each half by itself, then the first half's last lane with all of the second. */
export function prefixLanes(fn: ScalarOpName, dtype: Dtype, lanes: Lanes): Lanes {
  if (lanes.length === 1) return lanes
  const half = lanes.length / 2
  const [low, high] = [lanes.slice(0, half), lanes.slice(half)].map(part => prefixLanes(fn, dtype, part)) as [
    Lanes,
    Lanes,
  ]
  const combine = laneFunctionOf(fn, dtype)
  return [...low, ...high.map(value => combine(low.at(-1)!, value))]
}

const bytes = new DataView(new ArrayBuffer(16 * 8))

/** The same bits in another dtype, of equal width or regrouped. NaN has one code here: NaN payloads are lost. */
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
  else if (dtype === 'i64') view.setBigInt64(at, BigInt(value), true)
  else if (dtype === 'i32') view.setInt32(at, Number(value), true)
  else if (dtype === 'i16') view.setInt16(at, Number(value), true)
  else if (dtype === 'i8') view.setInt8(at, Number(value))
  else writeCode(view, at, dtype, codecOf(dtype)?.encode(Number(value)) ?? Number(value))
}

function writeCode(view: DataView, at: number, dtype: Dtype, code: number): void {
  if (storedBytes(dtype) === 2) view.setUint16(at, code, true)
  else view.setUint8(at, code)
}

/** Reads an element of `dtype` from memory. */
function readBits(view: DataView, at: number, dtype: Dtype): Value {
  const codec = codecOf(dtype)
  if (codec !== null) return codec.decode(storedBytes(dtype) === 2 ? view.getUint16(at, true) : view.getUint8(at))
  switch (dtype) {
    case 'f64':
      return view.getFloat64(at, true)
    case 'f32':
      return view.getFloat32(at, true)
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
    default:
      return view.getUint8(at)
  }
}

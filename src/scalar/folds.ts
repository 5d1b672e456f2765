/** Helpers of the interpreters: folds, argmin and argmax, sorting, and bitcasts. */
import { codecOf } from '../types/codec.js'
import { type Dtype, dtypes, isFloat } from '../types/dtype.js'
import { evaluate, type ReductionName, reductionIdentity, scalarOps, type Value, wrapValue } from './ops.js'

/** A fold over values in order. `round` rounds float sums and products at each step; the caller rounds the result. */
export function foldValues(
  fn: Exclude<ReductionName, 'argmin' | 'argmax'>,
  dtype: Dtype,
  values: readonly Value[],
  round: (value: number) => number = value => value,
): Value {
  if (fn === 'add' || fn === 'mul') {
    if (isFloat(dtype)) {
      return values.reduce<number>((a, v) => round(fn === 'add' ? a + Number(v) : a * Number(v)), fn === 'add' ? 0 : 1)
    }
    return values.reduce<bigint>(
      (a, v) => BigInt.asIntN(64, fn === 'add' ? a + BigInt(v) : a * BigInt(v)),
      fn === 'add' ? 0n : 1n,
    )
  }
  if (fn === 'logaddexp')
    return values.reduce<number>((a, v) => round(scalarOps.logaddexp.float(a, Number(v))), Number.NEGATIVE_INFINITY)
  return values.reduce((a, v) => evaluate(fn, dtype, [a, v]), reductionIdentity(fn, dtype))
}

/** A fold's result as a value of its dtype. A sum of bools is their `or`, as in maps on bool. */
export const finishFold = (dtype: Dtype, value: Value): Value =>
  dtype === 'bool' ? Number(Number(value) !== 0) : wrapValue(dtype, value)

const isNaNValue = (value: Value): boolean => typeof value === 'number' && Number.isNaN(value)

/** The index of the first NaN, else of the first maximum (minimum). */
export function argExtreme(values: readonly Value[], largest: boolean): number {
  const nan = values.findIndex(isNaNValue)
  if (nan >= 0) return nan
  let best = 0
  for (const [i, value] of values.entries()) if (largest ? value > values[best]! : value < values[best]!) best = i
  return best
}

/** Ascending, NaN last. */
const compareValues = (a: Value, b: Value): number =>
  Number(isNaNValue(a)) - Number(isNaNValue(b)) || (a < b ? -1 : a > b ? 1 : 0)

/** The indices that sort the values; stable in both directions. */
export function sortedIndices(values: readonly Value[], descending: boolean): number[] {
  const sign = descending ? -1 : 1
  return [...values.keys()].sort((i, j) => sign * compareValues(values[i]!, values[j]!))
}

const bits = new DataView(new ArrayBuffer(8))

/** The bits of a value in memory, as an unsigned integer. */
function toBits(dtype: Dtype, value: Value): bigint {
  const codec = codecOf(dtype)
  if (codec !== null) return BigInt(codec.encode(Number(value)))
  switch (dtype) {
    case 'f64':
      bits.setFloat64(0, Number(value))
      return bits.getBigUint64(0)
    case 'f32':
      bits.setFloat32(0, Number(value))
      return BigInt(bits.getUint32(0))
    default:
      return BigInt.asUintN(dtypes[dtype].bits, BigInt(value))
  }
}

/** The value of bits in memory. */
function fromBits(dtype: Dtype, pattern: bigint): Value {
  const codec = codecOf(dtype)
  if (codec !== null) return codec.decode(Number(pattern))
  switch (dtype) {
    case 'f64':
      bits.setBigUint64(0, pattern)
      return bits.getFloat64(0)
    case 'f32':
      bits.setUint32(0, Number(pattern))
      return bits.getFloat32(0)
    default:
      return wrapValue(dtype, pattern)
  }
}

/** The same bits as a value of another dtype of the same width. */
export const bitcastValue = (from: Dtype, to: Dtype, value: Value): Value => fromBits(to, toBits(from, value))

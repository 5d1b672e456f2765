/** The JavaScript values that a scalar parameter takes: those that its dtype represents without wrapping or overflow. */
import { describeAny } from '../base/describe.js'
import { castValue } from '../scalar/ops.js'
import { type Dtype, dtypes, isFloat } from '../types/dtype.js'

/** The problem with a value, as text that follows its name, and the fix. */
export interface Misfit {
  readonly what: string
  readonly fix: string
}

/**
 * Null when `dtype` represents the value: true and false for bool; integers in range for integers (numbers beyond 2^53 are
 * not exact, so i64 takes bigints there); for floats any number except a finite one that would become infinite.
 */
export function misfit(dtype: Dtype, value: unknown): Misfit | null {
  if (dtype === 'bool') return typeof value === 'boolean' ? null : noNumber(dtype, value, 'pass true or false')
  if (isFloat(dtype)) {
    return typeof value === 'number' ? overflow(dtype, value) : noNumber(dtype, value, 'pass a number')
  }
  const isBig = typeof value === 'bigint' && dtype === 'i64'
  if (!isBig && !(typeof value === 'number' && Number.isInteger(value))) {
    return noNumber(dtype, value, dtype === 'i64' ? 'pass an integer, or a bigint' : 'pass an integer')
  }
  if (typeof value === 'number' && dtype === 'i64' && !Number.isSafeInteger(value)) {
    const isInRange = Math.abs(value) < 2 ** 63
    const fix = isInRange ? `pass it as a bigint: ${BigInt(value)}n` : rangeOf(dtype)
    return { what: `is ${value}, which is beyond 2^53 and not exact as a number of dtype i64`, fix }
  }
  const exact = BigInt(value as number | bigint)
  return BigInt(castValue('i64', dtype, BigInt.asIntN(64, exact))) === exact
    ? null
    : { what: `is ${value}, which ${dtype} cannot represent`, fix: rangeOf(dtype) }
}

function overflow(dtype: Dtype, value: number): Misfit | null {
  if (!Number.isFinite(value) || Number.isFinite(Number(castValue('f64', dtype, value)))) return null
  return { what: `is ${value}, which ${dtype} cannot represent: it would be infinite`, fix: rangeOf(dtype) }
}

function rangeOf(dtype: Dtype): string {
  const { min, max, kind } = dtypes[dtype]
  if (kind === 'float') return `pass ${min} … ${max}, or Infinity if that is meant`
  return dtype === 'i64' ? 'pass -(2n ** 63n) … 2n ** 63n - 1n' : `pass ${min} … ${max}`
}

function noNumber(dtype: Dtype, value: unknown, fix: string): Misfit {
  const isPlain = typeof value === 'number' || typeof value === 'string' || typeof value === 'boolean'
  const shown = typeof value === 'bigint' ? `${value}n` : isPlain ? String(value) : describeAny(value)
  return { what: `is ${shown}, not a number of dtype ${dtype}`, fix }
}

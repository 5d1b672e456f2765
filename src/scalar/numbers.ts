/**
 * The scalar table as functions on plain numbers: the fast path of the tile interpreter and of the lane simulators. Each
 * function returns what `evaluate` returns before rounding or wrapping, which `rounder`, or a store into a typed array of the
 * dtype, does (a test checks this on edge values). For i64 the operands are safe integers; a result that is not a safe
 * integer (NaN included) means: recompute with bigints.
 */
import { codecOf } from '../types/codec.js'
import { type Dtype, dtypes } from '../types/dtype.js'
import { fmaExact } from './exact.js'
import { evaluate, type ScalarOpName, scalarOp } from './ops.js'

export type NumberFunction = (a: number, b: number, c: number) => number
type Table = { readonly [Fn in ScalarOpName]?: NumberFunction }

const comparisons: Table = {
  eq: (a, b) => (a === b ? 1 : 0),
  ne: (a, b) => (a !== b ? 1 : 0),
  lt: (a, b) => (a < b ? 1 : 0),
  le: (a, b) => (a <= b ? 1 : 0),
  gt: (a, b) => (a > b ? 1 : 0),
  ge: (a, b) => (a >= b ? 1 : 0),
}
const choice: Table = { where: (condition, a, b) => (condition !== 0 ? a : b) }

const floats: Table = {
  ...comparisons,
  ...choice,
  isnan: a => (Number.isNaN(a) ? 1 : 0),
  isinf: a => (Math.abs(a) === Number.POSITIVE_INFINITY ? 1 : 0),
  isfinite: a => (Number.isFinite(a) ? 1 : 0),
}

/** Exact for integers up to 2^53: the quotient's error is less than its distance to the next integer. */
const floorDiv = (a: number, b: number): number => (b === 0 ? 0 : Math.floor(a / b) + 0)
const mod = (a: number, b: number): number => {
  if (b === 0) return 0
  const rest = a % b
  return (rest !== 0 && rest < 0 !== b < 0 ? rest + b : rest) + 0
}

function gcd(a: number, b: number): number {
  let [x, y] = [Math.abs(a), Math.abs(b)]
  while (y !== 0) [x, y] = [y, x % y]
  return x
}

/** Functions common to all integers; `+ 0` turns -0 into 0. */
const integers: Table = {
  ...comparisons,
  ...choice,
  neg: a => 0 - a,
  abs: a => Math.abs(a),
  sign: a => Math.sign(a),
  add: (a, b) => a + b,
  sub: (a, b) => a - b,
  floorDiv,
  truncDiv: (a, b) => (b === 0 ? 0 : Math.trunc(a / b) + 0),
  mod,
  fmod: (a, b) => (b === 0 ? 0 : (a % b) + 0),
  gcd,
  // Not Math.min itself, which would take the third operand, 0, into account.
  min: (a, b) => Math.min(a, b),
  max: (a, b) => Math.max(a, b),
}

/** Integers of at most 32 bits; typed arrays and `rounder` wrap the results. */
const narrowIntegers = (bits: number): Table => ({
  ...integers,
  mul: Math.imul,
  fma: (a, b, c) => Math.imul(a, b) + c,
  not: a => ~a,
  and: (a, b) => a & b,
  or: (a, b) => a | b,
  xor: (a, b) => a ^ b,
  shl: (a, b) => (b < 0 || b >= 32 ? 0 : a << b),
  shr: (a, b) => (b < 0 || b >= 32 ? (a < 0 ? -1 : 0) : a >> b),
  shrLogical: (a, b) => (b < 0 || b >= bits ? 0 : (bits === 32 ? a >>> 0 : a & (2 ** bits - 1)) >>> b),
})

/** A logical op on the halves of two safe integers: the upper ones have 22 bits with the sign, so all stays exact. */
const onHalves =
  (op: (a: number, b: number) => number) =>
  (a: number, b: number): number =>
    op(Math.floor(a / 2 ** 32), Math.floor(b / 2 ** 32)) * 2 ** 32 + (op(a, b) >>> 0)

const wideIntegers: Table = {
  ...integers,
  mul: (a, b) => a * b + 0,
  fma: (a, b, c) => {
    const product = a * b
    return Number.isSafeInteger(product) ? product + c + 0 : Number.NaN
  },
  not: a => -1 - a,
  and: onHalves((a, b) => a & b),
  or: onHalves((a, b) => a | b),
  xor: onHalves((a, b) => a ^ b),
  shl: (a, b) => (b < 0 || b >= 64 ? 0 : a * 2 ** b + 0),
  shr: (a, b) => (b < 0 || b >= 64 ? (a < 0 ? -1 : 0) : Math.floor(a / 2 ** b) + 0),
  shrLogical: (a, b) => (b < 0 || b >= 64 ? 0 : a >= 0 || b === 0 ? Math.floor(a / 2 ** b) : Number.NaN),
}

const logic: Table = {
  ...comparisons,
  ...choice,
  add: (a, b) => a | b,
  mul: (a, b) => a & b,
  min: (a, b) => a & b,
  max: (a, b) => a | b,
  not: a => 1 - a,
  and: (a, b) => a & b,
  or: (a, b) => a | b,
  xor: (a, b) => a ^ b,
}

function tableOf(dtype: Dtype): Table {
  const { kind, bits } = dtypes[dtype]
  if (kind === 'float') return floats
  if (kind === 'bool') return logic
  return bits === 64 ? wideIntegers : narrowIntegers(bits)
}

/** A row of the scalar table for operands of `dtype`. */
export function numberFunction(fn: ScalarOpName, dtype: Dtype): NumberFunction {
  const known = tableOf(dtype)[fn]
  if (known !== undefined) return known
  if (fn === 'fma' && dtype === 'f32') return (a, b, c) => fmaExact(a, b, c, 'f32')
  const op = scalarOp(fn)
  // fma must round once: the table's own function rounds the product too.
  if (dtypes[dtype].kind === 'float' && op.float !== undefined && fn !== 'fma') return op.float as NumberFunction
  if (dtype === 'i64') return () => Number.NaN
  return (a, b, c) => evaluate(fn, dtype, [a, b, c].slice(0, op.arity)) as number
}

/** A function that rounds or wraps a number to what a scalar of the dtype holds. i64 must be safe already. */
export function rounder(dtype: Dtype): (value: number) => number {
  switch (dtype) {
    case 'f32':
      return Math.fround
    case 'i32':
      return value => value | 0
    case 'i16':
      return value => (value << 16) >> 16
    case 'i8':
      return value => (value << 24) >> 24
    case 'u8':
      return value => value & 255
    default: {
      const codec = codecOf(dtype)
      return codec === null ? value => value : value => codec.decode(codec.encode(value))
    }
  }
}

/** castValue on numbers. For i64 an unsafe result means: recompute exactly. */
export function numberCast(from: Dtype, to: Dtype): (value: number) => number {
  if (to === 'bool') return value => (value !== 0 ? 1 : 0)
  const round = rounder(to)
  const isFloat = (dtype: Dtype): boolean => dtypes[dtype].kind === 'float'
  if (isFloat(to)) return round
  if (!isFloat(from)) return to === 'i64' ? value => value : value => round(wrap32(value))
  // -0 truncates to -0, which is not an integer.
  if (to === 'i64') return value => Math.trunc(value) + 0
  return value => {
    const whole = Math.trunc(value)
    return round(whole >= -(2 ** 31) && whole < 2 ** 31 ? whole : -(2 ** 31))
  }
}

/** The low 32 bits of a safe integer, as JavaScript's conversion takes them. */
const wrap32 = (value: number): number => value | 0

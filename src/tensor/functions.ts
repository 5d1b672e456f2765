/** The free functions of ops.
 *
 * Written by `npx tsx scripts/op-types.ts` from the records' signatures: change those.
 */
import { callOp } from './methods.js'
import type { TensorDtype } from '../types/dtype.js'
import type { IndexLike, Operand, Range, Scalar, SizeLike } from './parameters.js'
import type { Tensor } from './tensor-type.js'

/**
 * input + alpha · other.
 *
 * Takes any dtype.
 *
 * @param input a tensor
 * @param other a tensor or a number: the other operand
 * @param alpha a tensor or a number: a factor on other; 1 unless given (optional)
 * @returns the broadcast shape; the promoted dtype
 * @throws ShapeError when the shapes do not broadcast
 */
export function add(input: Tensor, other: Operand, options?: { readonly alpha?: Operand | null | undefined }): Tensor
export function add(...args: [input: Tensor, options: { readonly other: Operand; readonly alpha?: Operand | null | undefined }] | [options: { readonly input: Tensor; readonly other: Operand; readonly alpha?: Operand | null | undefined }]): Tensor
export function add(...args: readonly unknown[]): unknown {
  return callOp('add', args)
}

/**
 * input − alpha · other.
 *
 * Takes any dtype but bool.
 *
 * @param input a tensor
 * @param other a tensor or a number: the other operand
 * @param alpha a tensor or a number: a factor on other; 1 unless given (optional)
 * @returns the broadcast shape; the promoted dtype
 * @throws DtypeError for bool
 * @throws ShapeError when the shapes do not broadcast
 */
export function sub(input: Tensor, other: Operand, options?: { readonly alpha?: Operand | null | undefined }): Tensor
export function sub(...args: [input: Tensor, options: { readonly other: Operand; readonly alpha?: Operand | null | undefined }] | [options: { readonly input: Tensor; readonly other: Operand; readonly alpha?: Operand | null | undefined }]): Tensor
export function sub(...args: readonly unknown[]): unknown {
  return callOp('sub', args)
}

/** As `sub`: input − alpha · other. */
export const subtract: typeof sub = (...args: readonly unknown[]) => callOp('subtract', args) as never

/**
 * input · other.
 *
 * Takes any dtype.
 *
 * @param input a tensor
 * @param other a tensor or a number: the other operand
 * @returns the broadcast shape; the promoted dtype
 * @throws ShapeError when the shapes do not broadcast
 */
export function mul(input: Tensor, other: Operand): Tensor
export function mul(...args: [input: Tensor, options: { readonly other: Operand }] | [options: { readonly input: Tensor; readonly other: Operand }]): Tensor
export function mul(...args: readonly unknown[]): unknown {
  return callOp('mul', args)
}

/** As `mul`: input · other. */
export const multiply: typeof mul = (...args: readonly unknown[]) => callOp('multiply', args) as never

/**
 * input / other; roundingMode floor or trunc rounds the quotient and keeps integers.
 *
 * Takes any dtype.
 *
 * @param input a tensor
 * @param other a tensor or a number: what is divided by
 * @param roundingMode 'floor' or 'trunc': null: the quotient itself · 'floor': rounded down · 'trunc': rounded towards 0; the rounded ones keep integers (optional)
 * @returns the broadcast shape; the promoted dtype; without a roundingMode f32 for integers and bool
 * @throws ArgumentError when integers are divided by a plain 0, or by a tensor with zeros on a CPU outside of compile, with a roundingMode
 * @throws DtypeError for bool with a roundingMode
 * @throws ShapeError when the shapes do not broadcast
 */
export function div(input: Tensor, other: Operand, options?: { readonly roundingMode?: 'floor' | 'trunc' | null | undefined }): Tensor
export function div(...args: [input: Tensor, options: { readonly other: Operand; readonly roundingMode?: 'floor' | 'trunc' | null | undefined }] | [options: { readonly input: Tensor; readonly other: Operand; readonly roundingMode?: 'floor' | 'trunc' | null | undefined }]): Tensor
export function div(...args: readonly unknown[]): unknown {
  return callOp('div', args)
}

/** As `div`: input / other; roundingMode floor or trunc rounds the quotient and keeps integers. */
export const divide: typeof div = (...args: readonly unknown[]) => callOp('divide', args) as never

/**
 * input / other, of integers in f32: div without rounding.
 *
 * Takes any dtype.
 *
 * @param input a tensor
 * @param other a tensor or a number: the other operand
 * @returns the broadcast shape; the promoted dtype, f32 for integers and bool
 * @throws ShapeError when the shapes do not broadcast
 */
export function trueDivide(input: Tensor, other: Operand): Tensor
export function trueDivide(...args: [input: Tensor, options: { readonly other: Operand }] | [options: { readonly input: Tensor; readonly other: Operand }]): Tensor
export function trueDivide(...args: readonly unknown[]): unknown {
  return callOp('trueDivide', args)
}

/**
 * ⌊input / other⌋.
 *
 * Takes any dtype but bool.
 *
 * @param input a tensor
 * @param other a tensor or a number: the other operand
 * @returns the broadcast shape; the promoted dtype
 * @throws ArgumentError when integers are divided by a plain 0, or by a tensor with zeros on a CPU outside of compile
 * @throws DtypeError for bool
 * @throws ShapeError when the shapes do not broadcast
 */
export function floorDivide(input: Tensor, other: Operand): Tensor
export function floorDivide(...args: [input: Tensor, options: { readonly other: Operand }] | [options: { readonly input: Tensor; readonly other: Operand }]): Tensor
export function floorDivide(...args: readonly unknown[]): unknown {
  return callOp('floorDivide', args)
}

/**
 * input − other · ⌊input / other⌋: the remainder, with the sign of other.
 *
 * Takes any dtype but bool.
 *
 * @param input a tensor
 * @param other a tensor or a number: the other operand
 * @returns the broadcast shape; the promoted dtype
 * @throws ArgumentError when integers are divided by a plain 0, or by a tensor with zeros on a CPU outside of compile
 * @throws DtypeError for bool
 * @throws ShapeError when the shapes do not broadcast
 */
export function remainder(input: Tensor, other: Operand): Tensor
export function remainder(...args: [input: Tensor, options: { readonly other: Operand }] | [options: { readonly input: Tensor; readonly other: Operand }]): Tensor
export function remainder(...args: readonly unknown[]): unknown {
  return callOp('remainder', args)
}

/**
 * The remainder of input / other, with the sign of input.
 *
 * Takes any dtype but bool.
 *
 * @param input a tensor
 * @param other a tensor or a number: the other operand
 * @returns the broadcast shape; the promoted dtype
 * @throws ArgumentError when integers are divided by a plain 0, or by a tensor with zeros on a CPU outside of compile
 * @throws DtypeError for bool
 * @throws ShapeError when the shapes do not broadcast
 */
export function fmod(input: Tensor, other: Operand): Tensor
export function fmod(...args: [input: Tensor, options: { readonly other: Operand }] | [options: { readonly input: Tensor; readonly other: Operand }]): Tensor
export function fmod(...args: readonly unknown[]): unknown {
  return callOp('fmod', args)
}

/**
 * input to the power of exponent.
 *
 * Takes any dtype but bool.
 *
 * @param input a tensor
 * @param exponent a tensor or a number: the power; negative ones of integer tensors give 0, of 1 and −1 their powers
 * @returns the broadcast shape; the promoted dtype
 * @throws ArgumentError when integers are raised to a negative plain number
 * @throws DtypeError for bool
 * @throws ShapeError when the shapes do not broadcast
 */
export function pow(input: Tensor, exponent: Operand): Tensor
export function pow(...args: [input: Tensor, options: { readonly exponent: Operand }] | [options: { readonly input: Tensor; readonly exponent: Operand }]): Tensor
export function pow(...args: readonly unknown[]): unknown {
  return callOp('pow', args)
}

/**
 * −input.
 *
 * Takes any dtype but bool.
 *
 * @param input a tensor
 * @returns the shape of input; the dtype of input
 * @throws DtypeError for bool
 */
export function neg(input: Tensor): Tensor
export function neg(...args: [options: { readonly input: Tensor }]): Tensor
export function neg(...args: readonly unknown[]): unknown {
  return callOp('neg', args)
}

/** As `neg`: −input. */
export const negative: typeof neg = (...args: readonly unknown[]) => callOp('negative', args) as never

/**
 * |input|.
 *
 * Takes any dtype but bool.
 *
 * @param input a tensor
 * @returns the shape of input; the dtype of input
 * @throws DtypeError for bool
 */
export function abs(input: Tensor): Tensor
export function abs(...args: [options: { readonly input: Tensor }]): Tensor
export function abs(...args: readonly unknown[]): unknown {
  return callOp('abs', args)
}

/** As `abs`: |input|. */
export const absolute: typeof abs = (...args: readonly unknown[]) => callOp('absolute', args) as never

/**
 * −1, 0 or 1 by the sign of input; NaN stays NaN.
 *
 * Takes any dtype.
 *
 * @param input a tensor
 * @returns the shape of input; the dtype of input
 */
export function sign(input: Tensor): Tensor
export function sign(...args: [options: { readonly input: Tensor }]): Tensor
export function sign(...args: readonly unknown[]): unknown {
  return callOp('sign', args)
}

/** As `sign`: −1, 0 or 1 by the sign of input; NaN stays NaN. */
export const sgn: typeof sign = (...args: readonly unknown[]) => callOp('sgn', args) as never

/**
 * 1 / input.
 *
 * Takes any dtype.
 *
 * @param input a tensor
 * @returns the shape of input; the dtype of input, f32 for integers and bool
 */
export function reciprocal(input: Tensor): Tensor
export function reciprocal(...args: [options: { readonly input: Tensor }]): Tensor
export function reciprocal(...args: readonly unknown[]): unknown {
  return callOp('reciprocal', args)
}

/**
 * input²; of bool as i64.
 *
 * Takes any dtype.
 *
 * @param input a tensor
 * @returns the shape of input; the dtype of input, i64 for bool
 */
export function square(input: Tensor): Tensor
export function square(...args: [options: { readonly input: Tensor }]): Tensor
export function square(...args: readonly unknown[]): unknown {
  return callOp('square', args)
}

/**
 * The larger of the two; NaN if either is NaN.
 *
 * Takes any dtype.
 *
 * @param input a tensor
 * @param other a tensor or a number: the other operand
 * @returns the broadcast shape; the promoted dtype
 * @throws ShapeError when the shapes do not broadcast
 */
export function maximum(input: Tensor, other: Operand): Tensor
export function maximum(...args: [input: Tensor, options: { readonly other: Operand }] | [options: { readonly input: Tensor; readonly other: Operand }]): Tensor
export function maximum(...args: readonly unknown[]): unknown {
  return callOp('maximum', args)
}

/**
 * The smaller of the two; NaN if either is NaN.
 *
 * Takes any dtype.
 *
 * @param input a tensor
 * @param other a tensor or a number: the other operand
 * @returns the broadcast shape; the promoted dtype
 * @throws ShapeError when the shapes do not broadcast
 */
export function minimum(input: Tensor, other: Operand): Tensor
export function minimum(...args: [input: Tensor, options: { readonly other: Operand }] | [options: { readonly input: Tensor; readonly other: Operand }]): Tensor
export function minimum(...args: readonly unknown[]): unknown {
  return callOp('minimum', args)
}

/**
 * min(max(input, min), max); either limit may be missing.
 *
 * NaN stays NaN; where a limit is NaN the result is.
 * Takes any dtype but bool.
 *
 * @param input a tensor
 * @param min a tensor or a number: the lower limit (optional)
 * @param max a tensor or a number: the upper limit; it wins where it is below min (optional)
 * @returns the broadcast shape; the promoted dtype
 * @throws ArgumentError when neither min nor max is given
 * @throws DtypeError for bool
 * @throws ShapeError when the shapes do not broadcast
 */
export function clamp(input: Tensor, min?: Operand | null, max?: Operand | null): Tensor
export function clamp(...args: [input: Tensor, min: Operand | null | undefined, options?: { readonly max?: Operand | null | undefined }] | [input: Tensor, options?: { readonly min?: Operand | null | undefined; readonly max?: Operand | null | undefined }] | [options: { readonly input: Tensor; readonly min?: Operand | null | undefined; readonly max?: Operand | null | undefined }]): Tensor
export function clamp(...args: readonly unknown[]): unknown {
  return callOp('clamp', args)
}

/** As `clamp`: min(max(input, min), max); either limit may be missing. */
export const clip: typeof clamp = (...args: readonly unknown[]) => callOp('clip', args) as never

/**
 * input = other, as bool.
 *
 * Takes any dtype.
 *
 * @param input a tensor
 * @param other a tensor or a number: the other operand
 * @returns the broadcast shape; bool
 * @throws ShapeError when the shapes do not broadcast
 */
export function eq(input: Tensor, other: Operand): Tensor
export function eq(...args: [input: Tensor, options: { readonly other: Operand }] | [options: { readonly input: Tensor; readonly other: Operand }]): Tensor
export function eq(...args: readonly unknown[]): unknown {
  return callOp('eq', args)
}

/**
 * input ≠ other, as bool.
 *
 * Takes any dtype.
 *
 * @param input a tensor
 * @param other a tensor or a number: the other operand
 * @returns the broadcast shape; bool
 * @throws ShapeError when the shapes do not broadcast
 */
export function ne(input: Tensor, other: Operand): Tensor
export function ne(...args: [input: Tensor, options: { readonly other: Operand }] | [options: { readonly input: Tensor; readonly other: Operand }]): Tensor
export function ne(...args: readonly unknown[]): unknown {
  return callOp('ne', args)
}

/** As `ne`: input ≠ other, as bool. */
export const notEqual: typeof ne = (...args: readonly unknown[]) => callOp('notEqual', args) as never

/**
 * input < other, as bool.
 *
 * Takes any dtype.
 *
 * @param input a tensor
 * @param other a tensor or a number: the other operand
 * @returns the broadcast shape; bool
 * @throws ShapeError when the shapes do not broadcast
 */
export function lt(input: Tensor, other: Operand): Tensor
export function lt(...args: [input: Tensor, options: { readonly other: Operand }] | [options: { readonly input: Tensor; readonly other: Operand }]): Tensor
export function lt(...args: readonly unknown[]): unknown {
  return callOp('lt', args)
}

/** As `lt`: input < other, as bool. */
export const less: typeof lt = (...args: readonly unknown[]) => callOp('less', args) as never

/**
 * input ≤ other, as bool.
 *
 * Takes any dtype.
 *
 * @param input a tensor
 * @param other a tensor or a number: the other operand
 * @returns the broadcast shape; bool
 * @throws ShapeError when the shapes do not broadcast
 */
export function le(input: Tensor, other: Operand): Tensor
export function le(...args: [input: Tensor, options: { readonly other: Operand }] | [options: { readonly input: Tensor; readonly other: Operand }]): Tensor
export function le(...args: readonly unknown[]): unknown {
  return callOp('le', args)
}

/** As `le`: input ≤ other, as bool. */
export const lessEqual: typeof le = (...args: readonly unknown[]) => callOp('lessEqual', args) as never

/**
 * input > other, as bool.
 *
 * Takes any dtype.
 *
 * @param input a tensor
 * @param other a tensor or a number: the other operand
 * @returns the broadcast shape; bool
 * @throws ShapeError when the shapes do not broadcast
 */
export function gt(input: Tensor, other: Operand): Tensor
export function gt(...args: [input: Tensor, options: { readonly other: Operand }] | [options: { readonly input: Tensor; readonly other: Operand }]): Tensor
export function gt(...args: readonly unknown[]): unknown {
  return callOp('gt', args)
}

/** As `gt`: input > other, as bool. */
export const greater: typeof gt = (...args: readonly unknown[]) => callOp('greater', args) as never

/**
 * input ≥ other, as bool.
 *
 * Takes any dtype.
 *
 * @param input a tensor
 * @param other a tensor or a number: the other operand
 * @returns the broadcast shape; bool
 * @throws ShapeError when the shapes do not broadcast
 */
export function ge(input: Tensor, other: Operand): Tensor
export function ge(...args: [input: Tensor, options: { readonly other: Operand }] | [options: { readonly input: Tensor; readonly other: Operand }]): Tensor
export function ge(...args: readonly unknown[]): unknown {
  return callOp('ge', args)
}

/** As `ge`: input ≥ other, as bool. */
export const greaterEqual: typeof ge = (...args: readonly unknown[]) => callOp('greaterEqual', args) as never

/**
 * input and other on truth values (anything but 0 is true).
 *
 * Takes any dtype.
 *
 * @param input a tensor
 * @param other a tensor or a number: the other operand
 * @returns the broadcast shape; bool
 * @throws ShapeError when the shapes do not broadcast
 */
export function logicalAnd(input: Tensor, other: Operand): Tensor
export function logicalAnd(...args: [input: Tensor, options: { readonly other: Operand }] | [options: { readonly input: Tensor; readonly other: Operand }]): Tensor
export function logicalAnd(...args: readonly unknown[]): unknown {
  return callOp('logicalAnd', args)
}

/**
 * input or other on truth values (anything but 0 is true).
 *
 * Takes any dtype.
 *
 * @param input a tensor
 * @param other a tensor or a number: the other operand
 * @returns the broadcast shape; bool
 * @throws ShapeError when the shapes do not broadcast
 */
export function logicalOr(input: Tensor, other: Operand): Tensor
export function logicalOr(...args: [input: Tensor, options: { readonly other: Operand }] | [options: { readonly input: Tensor; readonly other: Operand }]): Tensor
export function logicalOr(...args: readonly unknown[]): unknown {
  return callOp('logicalOr', args)
}

/**
 * input exclusive or other on truth values (anything but 0 is true).
 *
 * Takes any dtype.
 *
 * @param input a tensor
 * @param other a tensor or a number: the other operand
 * @returns the broadcast shape; bool
 * @throws ShapeError when the shapes do not broadcast
 */
export function logicalXor(input: Tensor, other: Operand): Tensor
export function logicalXor(...args: [input: Tensor, options: { readonly other: Operand }] | [options: { readonly input: Tensor; readonly other: Operand }]): Tensor
export function logicalXor(...args: readonly unknown[]): unknown {
  return callOp('logicalXor', args)
}

/**
 * True where input is 0.
 *
 * Takes any dtype.
 *
 * @param input a tensor
 * @returns the shape of input; bool
 */
export function logicalNot(input: Tensor): Tensor
export function logicalNot(...args: [options: { readonly input: Tensor }]): Tensor
export function logicalNot(...args: readonly unknown[]): unknown {
  return callOp('logicalNot', args)
}

/**
 * input and other, bit by bit; on bool, logically.
 *
 * Takes integers and bool.
 *
 * @param input a tensor
 * @param other a tensor or a number: the other operand
 * @returns the broadcast shape; the promoted dtype
 * @throws DtypeError for floats
 * @throws ShapeError when the shapes do not broadcast
 */
export function bitwiseAnd(input: Tensor, other: Operand): Tensor
export function bitwiseAnd(...args: [input: Tensor, options: { readonly other: Operand }] | [options: { readonly input: Tensor; readonly other: Operand }]): Tensor
export function bitwiseAnd(...args: readonly unknown[]): unknown {
  return callOp('bitwiseAnd', args)
}

/**
 * input or other, bit by bit; on bool, logically.
 *
 * Takes integers and bool.
 *
 * @param input a tensor
 * @param other a tensor or a number: the other operand
 * @returns the broadcast shape; the promoted dtype
 * @throws DtypeError for floats
 * @throws ShapeError when the shapes do not broadcast
 */
export function bitwiseOr(input: Tensor, other: Operand): Tensor
export function bitwiseOr(...args: [input: Tensor, options: { readonly other: Operand }] | [options: { readonly input: Tensor; readonly other: Operand }]): Tensor
export function bitwiseOr(...args: readonly unknown[]): unknown {
  return callOp('bitwiseOr', args)
}

/**
 * input exclusive or other, bit by bit; on bool, logically.
 *
 * Takes integers and bool.
 *
 * @param input a tensor
 * @param other a tensor or a number: the other operand
 * @returns the broadcast shape; the promoted dtype
 * @throws DtypeError for floats
 * @throws ShapeError when the shapes do not broadcast
 */
export function bitwiseXor(input: Tensor, other: Operand): Tensor
export function bitwiseXor(...args: [input: Tensor, options: { readonly other: Operand }] | [options: { readonly input: Tensor; readonly other: Operand }]): Tensor
export function bitwiseXor(...args: readonly unknown[]): unknown {
  return callOp('bitwiseXor', args)
}

/**
 * Every bit of input inverted; on bool, logical not.
 *
 * Takes integers and bool.
 *
 * @param input a tensor
 * @returns the shape of input; the dtype of input
 * @throws DtypeError for floats
 */
export function bitwiseNot(input: Tensor): Tensor
export function bitwiseNot(...args: [options: { readonly input: Tensor }]): Tensor
export function bitwiseNot(...args: readonly unknown[]): unknown {
  return callOp('bitwiseNot', args)
}

/**
 * input · 2^other; bits shifted out are lost.
 *
 * Takes integers.
 *
 * @param input a tensor
 * @param other a tensor or a number: the other operand
 * @returns the broadcast shape; the promoted dtype
 * @throws DtypeError for floats and bool
 * @throws ShapeError when the shapes do not broadcast
 */
export function bitwiseLeftShift(input: Tensor, other: Operand): Tensor
export function bitwiseLeftShift(...args: [input: Tensor, options: { readonly other: Operand }] | [options: { readonly input: Tensor; readonly other: Operand }]): Tensor
export function bitwiseLeftShift(...args: readonly unknown[]): unknown {
  return callOp('bitwiseLeftShift', args)
}

/**
 * ⌊input / 2^other⌋.
 *
 * Takes integers.
 *
 * @param input a tensor
 * @param other a tensor or a number: the other operand
 * @returns the broadcast shape; the promoted dtype
 * @throws DtypeError for floats and bool
 * @throws ShapeError when the shapes do not broadcast
 */
export function bitwiseRightShift(input: Tensor, other: Operand): Tensor
export function bitwiseRightShift(...args: [input: Tensor, options: { readonly other: Operand }] | [options: { readonly input: Tensor; readonly other: Operand }]): Tensor
export function bitwiseRightShift(...args: readonly unknown[]): unknown {
  return callOp('bitwiseRightShift', args)
}

/**
 * True where input is NaN.
 *
 * Takes any dtype.
 *
 * @param input a tensor
 * @returns the shape of input; bool
 */
export function isnan(input: Tensor): Tensor
export function isnan(...args: [options: { readonly input: Tensor }]): Tensor
export function isnan(...args: readonly unknown[]): unknown {
  return callOp('isnan', args)
}

/**
 * True where input is infinite.
 *
 * Takes any dtype.
 *
 * @param input a tensor
 * @returns the shape of input; bool
 */
export function isinf(input: Tensor): Tensor
export function isinf(...args: [options: { readonly input: Tensor }]): Tensor
export function isinf(...args: readonly unknown[]): unknown {
  return callOp('isinf', args)
}

/**
 * True where input is neither infinite nor NaN.
 *
 * Takes any dtype.
 *
 * @param input a tensor
 * @returns the shape of input; bool
 */
export function isfinite(input: Tensor): Tensor
export function isfinite(...args: [options: { readonly input: Tensor }]): Tensor
export function isfinite(...args: readonly unknown[]): unknown {
  return callOp('isfinite', args)
}

/**
 * √input.
 *
 * Takes any dtype.
 *
 * @param input a tensor
 * @returns the shape of input; the dtype of input, f32 for integers and bool
 */
export function sqrt(input: Tensor): Tensor
export function sqrt(...args: [options: { readonly input: Tensor }]): Tensor
export function sqrt(...args: readonly unknown[]): unknown {
  return callOp('sqrt', args)
}

/**
 * 1 / √input.
 *
 * Takes any dtype.
 *
 * @param input a tensor
 * @returns the shape of input; the dtype of input, f32 for integers and bool
 */
export function rsqrt(input: Tensor): Tensor
export function rsqrt(...args: [options: { readonly input: Tensor }]): Tensor
export function rsqrt(...args: readonly unknown[]): unknown {
  return callOp('rsqrt', args)
}

/**
 * e^input.
 *
 * Takes any dtype.
 *
 * @param input a tensor
 * @returns the shape of input; the dtype of input, f32 for integers and bool
 */
export function exp(input: Tensor): Tensor
export function exp(...args: [options: { readonly input: Tensor }]): Tensor
export function exp(...args: readonly unknown[]): unknown {
  return callOp('exp', args)
}

/**
 * 2^input.
 *
 * Takes any dtype.
 *
 * @param input a tensor
 * @returns the shape of input; the dtype of input, f32 for integers and bool
 */
export function exp2(input: Tensor): Tensor
export function exp2(...args: [options: { readonly input: Tensor }]): Tensor
export function exp2(...args: readonly unknown[]): unknown {
  return callOp('exp2', args)
}

/**
 * e^input − 1, exact near 0.
 *
 * Takes any dtype.
 *
 * @param input a tensor
 * @returns the shape of input; the dtype of input, f32 for integers and bool
 */
export function expm1(input: Tensor): Tensor
export function expm1(...args: [options: { readonly input: Tensor }]): Tensor
export function expm1(...args: readonly unknown[]): unknown {
  return callOp('expm1', args)
}

/**
 * The natural logarithm of input.
 *
 * Takes any dtype.
 *
 * @param input a tensor
 * @returns the shape of input; the dtype of input, f32 for integers and bool
 */
export function log(input: Tensor): Tensor
export function log(...args: [options: { readonly input: Tensor }]): Tensor
export function log(...args: readonly unknown[]): unknown {
  return callOp('log', args)
}

/**
 * The logarithm of input to base 2.
 *
 * Takes any dtype.
 *
 * @param input a tensor
 * @returns the shape of input; the dtype of input, f32 for integers and bool
 */
export function log2(input: Tensor): Tensor
export function log2(...args: [options: { readonly input: Tensor }]): Tensor
export function log2(...args: readonly unknown[]): unknown {
  return callOp('log2', args)
}

/**
 * The logarithm of input to base 10.
 *
 * Takes any dtype.
 *
 * @param input a tensor
 * @returns the shape of input; the dtype of input, f32 for integers and bool
 */
export function log10(input: Tensor): Tensor
export function log10(...args: [options: { readonly input: Tensor }]): Tensor
export function log10(...args: readonly unknown[]): unknown {
  return callOp('log10', args)
}

/**
 * ln(1 + input), exact near 0.
 *
 * Takes any dtype.
 *
 * @param input a tensor
 * @returns the shape of input; the dtype of input, f32 for integers and bool
 */
export function log1p(input: Tensor): Tensor
export function log1p(...args: [options: { readonly input: Tensor }]): Tensor
export function log1p(...args: readonly unknown[]): unknown {
  return callOp('log1p', args)
}

/**
 * The sine of input (radians).
 *
 * Takes any dtype.
 *
 * @param input a tensor
 * @returns the shape of input; the dtype of input, f32 for integers and bool
 */
export function sin(input: Tensor): Tensor
export function sin(...args: [options: { readonly input: Tensor }]): Tensor
export function sin(...args: readonly unknown[]): unknown {
  return callOp('sin', args)
}

/**
 * The cosine of input (radians).
 *
 * Takes any dtype.
 *
 * @param input a tensor
 * @returns the shape of input; the dtype of input, f32 for integers and bool
 */
export function cos(input: Tensor): Tensor
export function cos(...args: [options: { readonly input: Tensor }]): Tensor
export function cos(...args: readonly unknown[]): unknown {
  return callOp('cos', args)
}

/**
 * The tangent of input (radians).
 *
 * Takes any dtype.
 *
 * @param input a tensor
 * @returns the shape of input; the dtype of input, f32 for integers and bool
 */
export function tan(input: Tensor): Tensor
export function tan(...args: [options: { readonly input: Tensor }]): Tensor
export function tan(...args: readonly unknown[]): unknown {
  return callOp('tan', args)
}

/**
 * The angle in [−π/2, π/2] whose sine is input.
 *
 * Takes any dtype.
 *
 * @param input a tensor
 * @returns the shape of input; the dtype of input, f32 for integers and bool
 */
export function asin(input: Tensor): Tensor
export function asin(...args: [options: { readonly input: Tensor }]): Tensor
export function asin(...args: readonly unknown[]): unknown {
  return callOp('asin', args)
}

/** As `asin`: The angle in [−π/2, π/2] whose sine is input. */
export const arcsin: typeof asin = (...args: readonly unknown[]) => callOp('arcsin', args) as never

/**
 * The angle in [0, π] whose cosine is input.
 *
 * Takes any dtype.
 *
 * @param input a tensor
 * @returns the shape of input; the dtype of input, f32 for integers and bool
 */
export function acos(input: Tensor): Tensor
export function acos(...args: [options: { readonly input: Tensor }]): Tensor
export function acos(...args: readonly unknown[]): unknown {
  return callOp('acos', args)
}

/** As `acos`: The angle in [0, π] whose cosine is input. */
export const arccos: typeof acos = (...args: readonly unknown[]) => callOp('arccos', args) as never

/**
 * The angle in (−π/2, π/2) whose tangent is input.
 *
 * Takes any dtype.
 *
 * @param input a tensor
 * @returns the shape of input; the dtype of input, f32 for integers and bool
 */
export function atan(input: Tensor): Tensor
export function atan(...args: [options: { readonly input: Tensor }]): Tensor
export function atan(...args: readonly unknown[]): unknown {
  return callOp('atan', args)
}

/** As `atan`: The angle in (−π/2, π/2) whose tangent is input. */
export const arctan: typeof atan = (...args: readonly unknown[]) => callOp('arctan', args) as never

/**
 * The angle of the point (other, input), in [−π, π].
 *
 * Takes any dtype.
 *
 * @param input a tensor
 * @param other a tensor or a number: the other operand
 * @returns the broadcast shape; the promoted dtype, f32 for integers and bool
 * @throws ShapeError when the shapes do not broadcast
 */
export function atan2(input: Tensor, other: Operand): Tensor
export function atan2(...args: [input: Tensor, options: { readonly other: Operand }] | [options: { readonly input: Tensor; readonly other: Operand }]): Tensor
export function atan2(...args: readonly unknown[]): unknown {
  return callOp('atan2', args)
}

/** As `atan2`: The angle of the point (other, input), in [−π, π]. */
export const arctan2: typeof atan2 = (...args: readonly unknown[]) => callOp('arctan2', args) as never

/**
 * The hyperbolic sine of input.
 *
 * Takes any dtype.
 *
 * @param input a tensor
 * @returns the shape of input; the dtype of input, f32 for integers and bool
 */
export function sinh(input: Tensor): Tensor
export function sinh(...args: [options: { readonly input: Tensor }]): Tensor
export function sinh(...args: readonly unknown[]): unknown {
  return callOp('sinh', args)
}

/**
 * The hyperbolic cosine of input.
 *
 * Takes any dtype.
 *
 * @param input a tensor
 * @returns the shape of input; the dtype of input, f32 for integers and bool
 */
export function cosh(input: Tensor): Tensor
export function cosh(...args: [options: { readonly input: Tensor }]): Tensor
export function cosh(...args: readonly unknown[]): unknown {
  return callOp('cosh', args)
}

/**
 * The hyperbolic tangent of input.
 *
 * Takes any dtype.
 *
 * @param input a tensor
 * @returns the shape of input; the dtype of input, f32 for integers and bool
 */
export function tanh(input: Tensor): Tensor
export function tanh(...args: [options: { readonly input: Tensor }]): Tensor
export function tanh(...args: readonly unknown[]): unknown {
  return callOp('tanh', args)
}

/**
 * The inverse of sinh.
 *
 * Takes any dtype.
 *
 * @param input a tensor
 * @returns the shape of input; the dtype of input, f32 for integers and bool
 */
export function asinh(input: Tensor): Tensor
export function asinh(...args: [options: { readonly input: Tensor }]): Tensor
export function asinh(...args: readonly unknown[]): unknown {
  return callOp('asinh', args)
}

/** As `asinh`: The inverse of sinh. */
export const arcsinh: typeof asinh = (...args: readonly unknown[]) => callOp('arcsinh', args) as never

/**
 * The inverse of cosh, at least 0.
 *
 * Takes any dtype.
 *
 * @param input a tensor
 * @returns the shape of input; the dtype of input, f32 for integers and bool
 */
export function acosh(input: Tensor): Tensor
export function acosh(...args: [options: { readonly input: Tensor }]): Tensor
export function acosh(...args: readonly unknown[]): unknown {
  return callOp('acosh', args)
}

/** As `acosh`: The inverse of cosh, at least 0. */
export const arccosh: typeof acosh = (...args: readonly unknown[]) => callOp('arccosh', args) as never

/**
 * The inverse of tanh.
 *
 * Takes any dtype.
 *
 * @param input a tensor
 * @returns the shape of input; the dtype of input, f32 for integers and bool
 */
export function atanh(input: Tensor): Tensor
export function atanh(...args: [options: { readonly input: Tensor }]): Tensor
export function atanh(...args: readonly unknown[]): unknown {
  return callOp('atanh', args)
}

/** As `atanh`: The inverse of tanh. */
export const arctanh: typeof atanh = (...args: readonly unknown[]) => callOp('arctanh', args) as never

/**
 * The error function 2/√π · ∫₀^input e^(−t²) dt.
 *
 * Takes any dtype.
 *
 * @param input a tensor
 * @returns the shape of input; the dtype of input, f32 for integers and bool
 */
export function erf(input: Tensor): Tensor
export function erf(...args: [options: { readonly input: Tensor }]): Tensor
export function erf(...args: readonly unknown[]): unknown {
  return callOp('erf', args)
}

/**
 * 1 − erf(input), exact where erf is near 1.
 *
 * Takes any dtype.
 *
 * @param input a tensor
 * @returns the shape of input; the dtype of input, f32 for integers and bool
 */
export function erfc(input: Tensor): Tensor
export function erfc(...args: [options: { readonly input: Tensor }]): Tensor
export function erfc(...args: readonly unknown[]): unknown {
  return callOp('erfc', args)
}

/**
 * The largest integer not above input.
 *
 * Takes any dtype but bool.
 *
 * @param input a tensor
 * @returns the shape of input; the dtype of input
 * @throws DtypeError for bool
 */
export function floor(input: Tensor): Tensor
export function floor(...args: [options: { readonly input: Tensor }]): Tensor
export function floor(...args: readonly unknown[]): unknown {
  return callOp('floor', args)
}

/**
 * The smallest integer not below input.
 *
 * Takes any dtype but bool.
 *
 * @param input a tensor
 * @returns the shape of input; the dtype of input
 * @throws DtypeError for bool
 */
export function ceil(input: Tensor): Tensor
export function ceil(...args: [options: { readonly input: Tensor }]): Tensor
export function ceil(...args: readonly unknown[]): unknown {
  return callOp('ceil', args)
}

/**
 * input without its fraction.
 *
 * Takes any dtype but bool.
 *
 * @param input a tensor
 * @returns the shape of input; the dtype of input
 * @throws DtypeError for bool
 */
export function trunc(input: Tensor): Tensor
export function trunc(...args: [options: { readonly input: Tensor }]): Tensor
export function trunc(...args: readonly unknown[]): unknown {
  return callOp('trunc', args)
}

/** As `trunc`: input without its fraction. */
export const fix: typeof trunc = (...args: readonly unknown[]) => callOp('fix', args) as never

/**
 * input rounded to an integer, or to the given number of decimals; halves are rounded to even.
 *
 * Takes any dtype but bool.
 *
 * @param input a tensor
 * @param decimals an integer: how many decimals stay; negative: to tens, hundreds, … (default 0)
 * @returns the shape of input; the dtype of input
 * @throws DtypeError for bool, or for integers with decimals other than 0
 */
export function round(input: Tensor, options?: { readonly decimals?: number | undefined }): Tensor
export function round(...args: [options: { readonly input: Tensor; readonly decimals?: number | undefined }]): Tensor
export function round(...args: readonly unknown[]): unknown {
  return callOp('round', args)
}

/**
 * input + weight · (end − input).
 *
 * Takes any dtype.
 *
 * @param input a tensor
 * @param end a tensor: what weight 1 gives
 * @param weight a tensor or a number: the share of end
 * @returns the broadcast shape; the promoted dtype, f32 for integers and bool
 * @throws ShapeError when the shapes do not broadcast
 */
export function lerp(input: Tensor, end: Tensor, weight: Operand): Tensor
export function lerp(...args: [input: Tensor, end: Tensor, options: { readonly weight: Operand }] | [input: Tensor, options: { readonly end: Tensor; readonly weight: Operand }] | [options: { readonly input: Tensor; readonly end: Tensor; readonly weight: Operand }]): Tensor
export function lerp(...args: readonly unknown[]): unknown {
  return callOp('lerp', args)
}

/**
 * 1 / (1 + e^−input).
 *
 * Takes any dtype.
 *
 * @param input a tensor
 * @returns the shape of input; the dtype of input, f32 for integers and bool
 */
export function sigmoid(input: Tensor): Tensor
export function sigmoid(...args: [options: { readonly input: Tensor }]): Tensor
export function sigmoid(...args: readonly unknown[]): unknown {
  return callOp('sigmoid', args)
}

/**
 * True where input is negative; of floats the sign bit, which −0 has too.
 *
 * Takes any dtype.
 *
 * @param input a tensor
 * @returns the shape of input; bool
 */
export function signbit(input: Tensor): Tensor
export function signbit(...args: [options: { readonly input: Tensor }]): Tensor
export function signbit(...args: readonly unknown[]): unknown {
  return callOp('signbit', args)
}

/**
 * |input| with the sign of other.
 *
 * Takes any dtype.
 *
 * @param input a tensor
 * @param other a tensor or a number: the other operand
 * @returns the broadcast shape; the promoted dtype, f32 for integers and bool
 * @throws ShapeError when the shapes do not broadcast
 */
export function copysign(input: Tensor, other: Operand): Tensor
export function copysign(...args: [input: Tensor, options: { readonly other: Operand }] | [options: { readonly input: Tensor; readonly other: Operand }]): Tensor
export function copysign(...args: readonly unknown[]): unknown {
  return callOp('copysign', args)
}

/**
 * √(input² + other²) without overflow; infinite if either is.
 *
 * Takes any dtype.
 *
 * @param input a tensor
 * @param other a tensor or a number: the other operand
 * @returns the broadcast shape; the promoted dtype, f32 for integers and bool
 * @throws ShapeError when the shapes do not broadcast
 */
export function hypot(input: Tensor, other: Operand): Tensor
export function hypot(...args: [input: Tensor, options: { readonly other: Operand }] | [options: { readonly input: Tensor; readonly other: Operand }]): Tensor
export function hypot(...args: readonly unknown[]): unknown {
  return callOp('hypot', args)
}

/**
 * input · ln(other); 0 where input is 0, unless other is NaN.
 *
 * Takes any dtype.
 *
 * @param input a tensor
 * @param other a tensor or a number: the other operand
 * @returns the broadcast shape; the promoted dtype, f32 for integers and bool
 * @throws ShapeError when the shapes do not broadcast
 */
export function xlogy(input: Tensor, other: Operand): Tensor
export function xlogy(...args: [input: Tensor, options: { readonly other: Operand }] | [options: { readonly input: Tensor; readonly other: Operand }]): Tensor
export function xlogy(...args: readonly unknown[]): unknown {
  return callOp('xlogy', args)
}

/**
 * ln(e^input + e^other), without overflow.
 *
 * Takes any dtype.
 *
 * @param input a tensor
 * @param other a tensor or a number: the other operand
 * @returns the broadcast shape; the promoted dtype, f32 for integers and bool
 * @throws ShapeError when the shapes do not broadcast
 */
export function logaddexp(input: Tensor, other: Operand): Tensor
export function logaddexp(...args: [input: Tensor, options: { readonly other: Operand }] | [options: { readonly input: Tensor; readonly other: Operand }]): Tensor
export function logaddexp(...args: readonly unknown[]): unknown {
  return callOp('logaddexp', args)
}

/**
 * input − trunc(input).
 *
 * Takes any dtype.
 *
 * @param input a tensor
 * @returns the shape of input; the dtype of input, f32 for integers and bool
 */
export function frac(input: Tensor): Tensor
export function frac(...args: [options: { readonly input: Tensor }]): Tensor
export function frac(...args: readonly unknown[]): unknown {
  return callOp('frac', args)
}

/**
 * True where input is +∞.
 *
 * Takes any dtype.
 *
 * @param input a tensor
 * @returns the shape of input; bool
 */
export function isposinf(input: Tensor): Tensor
export function isposinf(...args: [options: { readonly input: Tensor }]): Tensor
export function isposinf(...args: readonly unknown[]): unknown {
  return callOp('isposinf', args)
}

/**
 * True where input is −∞.
 *
 * Takes any dtype.
 *
 * @param input a tensor
 * @returns the shape of input; bool
 */
export function isneginf(input: Tensor): Tensor
export function isneginf(...args: [options: { readonly input: Tensor }]): Tensor
export function isneginf(...args: readonly unknown[]): unknown {
  return callOp('isneginf', args)
}

/**
 * input · π / 180.
 *
 * Takes any dtype.
 *
 * @param input a tensor
 * @returns the shape of input; the dtype of input, f32 for integers and bool
 */
export function deg2rad(input: Tensor): Tensor
export function deg2rad(...args: [options: { readonly input: Tensor }]): Tensor
export function deg2rad(...args: readonly unknown[]): unknown {
  return callOp('deg2rad', args)
}

/**
 * input · 180 / π.
 *
 * Takes any dtype.
 *
 * @param input a tensor
 * @returns the shape of input; the dtype of input, f32 for integers and bool
 */
export function rad2deg(input: Tensor): Tensor
export function rad2deg(...args: [options: { readonly input: Tensor }]): Tensor
export function rad2deg(...args: readonly unknown[]): unknown {
  return callOp('rad2deg', args)
}

/**
 * input + value · tensor1 · tensor2.
 *
 * Takes any dtype but bool.
 *
 * @param input a tensor
 * @param tensor1 a tensor: one factor
 * @param tensor2 a tensor: the other factor
 * @param value a tensor or a number: a factor on the product; 1 unless given (optional)
 * @returns the broadcast shape; the promoted dtype
 * @throws DtypeError for bool
 * @throws ShapeError when the shapes do not broadcast
 */
export function addcmul(input: Tensor, tensor1: Tensor, tensor2: Tensor, options?: { readonly value?: Operand | null | undefined }): Tensor
export function addcmul(...args: [input: Tensor, tensor1: Tensor, options: { readonly tensor2: Tensor; readonly value?: Operand | null | undefined }] | [input: Tensor, options: { readonly tensor1: Tensor; readonly tensor2: Tensor; readonly value?: Operand | null | undefined }] | [options: { readonly input: Tensor; readonly tensor1: Tensor; readonly tensor2: Tensor; readonly value?: Operand | null | undefined }]): Tensor
export function addcmul(...args: readonly unknown[]): unknown {
  return callOp('addcmul', args)
}

/**
 * input + value · tensor1 / tensor2.
 *
 * Takes any dtype.
 *
 * @param input a tensor
 * @param tensor1 a tensor: what is divided
 * @param tensor2 a tensor: the divisor
 * @param value a tensor or a number: a factor on the quotient; 1 unless given (optional)
 * @returns the broadcast shape; the promoted dtype, f32 for integers and bool
 * @throws ShapeError when the shapes do not broadcast
 */
export function addcdiv(input: Tensor, tensor1: Tensor, tensor2: Tensor, options?: { readonly value?: Operand | null | undefined }): Tensor
export function addcdiv(...args: [input: Tensor, tensor1: Tensor, options: { readonly tensor2: Tensor; readonly value?: Operand | null | undefined }] | [input: Tensor, options: { readonly tensor1: Tensor; readonly tensor2: Tensor; readonly value?: Operand | null | undefined }] | [options: { readonly input: Tensor; readonly tensor1: Tensor; readonly tensor2: Tensor; readonly value?: Operand | null | undefined }]): Tensor
export function addcdiv(...args: readonly unknown[]): unknown {
  return callOp('addcdiv', args)
}

/**
 * |input − other| ≤ atol + rtol · |other|, as bool; equal infinities are close, NaNs with equalNan.
 *
 * Takes any dtype.
 *
 * @param input a tensor
 * @param other a tensor or a number: the other operand
 * @param rtol a number: the relative tolerance: a factor on |other| (default 1e-5)
 * @param atol a number: the absolute tolerance (default 1e-8)
 * @param equalNan true or false: NaN is close to NaN (default false)
 * @returns the broadcast shape; bool
 * @throws ArgumentError when rtol or atol is negative
 * @throws ShapeError when the shapes do not broadcast
 */
export function isclose(input: Tensor, other: Operand, rtol?: number, atol?: number, equalNan?: boolean): Tensor
export function isclose(...args: [input: Tensor, other: Operand, rtol: number | undefined, atol: number | undefined, options?: { readonly equalNan?: boolean | undefined }] | [input: Tensor, other: Operand, rtol: number | undefined, options?: { readonly atol?: number | undefined; readonly equalNan?: boolean | undefined }] | [input: Tensor, other: Operand, options?: { readonly rtol?: number | undefined; readonly atol?: number | undefined; readonly equalNan?: boolean | undefined }] | [input: Tensor, options: { readonly other: Operand; readonly rtol?: number | undefined; readonly atol?: number | undefined; readonly equalNan?: boolean | undefined }] | [options: { readonly input: Tensor; readonly other: Operand; readonly rtol?: number | undefined; readonly atol?: number | undefined; readonly equalNan?: boolean | undefined }]): Tensor
export function isclose(...args: readonly unknown[]): unknown {
  return callOp('isclose', args)
}

/**
 * input with NaN replaced by nan (0), ∞ by posinf and −∞ by neginf (the largest and smallest numbers).
 *
 * Integers and bool stay as they are.
 * Takes any dtype.
 *
 * @param input a tensor
 * @param nan a number: what replaces NaN (default 0)
 * @param posinf a number: what replaces ∞; by default the largest number of the dtype (optional)
 * @param neginf a number: what replaces −∞; by default the smallest number of the dtype (optional)
 * @returns the shape of input; the dtype of input
 */
export function nanToNum(input: Tensor, nan?: number, posinf?: number | null, neginf?: number | null): Tensor
export function nanToNum(...args: [input: Tensor, nan: number | undefined, posinf: number | null | undefined, options?: { readonly neginf?: number | null | undefined }] | [input: Tensor, nan: number | undefined, options?: { readonly posinf?: number | null | undefined; readonly neginf?: number | null | undefined }] | [input: Tensor, options?: { readonly nan?: number | undefined; readonly posinf?: number | null | undefined; readonly neginf?: number | null | undefined }] | [options: { readonly input: Tensor; readonly nan?: number | undefined; readonly posinf?: number | null | undefined; readonly neginf?: number | null | undefined }]): Tensor
export function nanToNum(...args: readonly unknown[]): unknown {
  return callOp('nanToNum', args)
}

/**
 * ln |Γ(input)|.
 *
 * Takes any dtype.
 *
 * @param input a tensor
 * @returns the shape of input; the dtype of input, f32 for integers and bool
 */
export function lgamma(input: Tensor): Tensor
export function lgamma(...args: [options: { readonly input: Tensor }]): Tensor
export function lgamma(...args: readonly unknown[]): unknown {
  return callOp('lgamma', args)
}

/**
 * The derivative of ln Γ(input); NaN at negative integers, ∓∞ at ±0.
 *
 * Takes any dtype.
 *
 * @param input a tensor
 * @returns the shape of input; the dtype of input, f32 for integers and bool
 */
export function digamma(input: Tensor): Tensor
export function digamma(...args: [options: { readonly input: Tensor }]): Tensor
export function digamma(...args: readonly unknown[]): unknown {
  return callOp('digamma', args)
}

/**
 * The number in (−∞, ∞) whose erf is input; NaN beyond ±1.
 *
 * Takes any dtype.
 *
 * @param input a tensor
 * @returns the shape of input; the dtype of input, f32 for integers and bool
 */
export function erfinv(input: Tensor): Tensor
export function erfinv(...args: [options: { readonly input: Tensor }]): Tensor
export function erfinv(...args: readonly unknown[]): unknown {
  return callOp('erfinv', args)
}

/**
 * ln(input / (1 − input)); with eps, input is first clamped to [eps, 1 − eps].
 *
 * Takes any dtype.
 *
 * @param input a tensor
 * @param eps a number: input is moved into [eps, 1 − eps] first; without it ±∞ at 0 and 1, NaN beyond (optional)
 * @returns the shape of input; the dtype of input, f32 for integers and bool
 */
export function logit(input: Tensor, eps?: number | null): Tensor
export function logit(...args: [input: Tensor, options?: { readonly eps?: number | null | undefined }] | [options: { readonly input: Tensor; readonly eps?: number | null | undefined }]): Tensor
export function logit(...args: readonly unknown[]): unknown {
  return callOp('logit', args)
}

/**
 * sin(π · input) / (π · input); 1 at 0.
 *
 * Takes any dtype.
 *
 * @param input a tensor
 * @returns the shape of input; the dtype of input, f32 for integers and bool
 */
export function sinc(input: Tensor): Tensor
export function sinc(...args: [options: { readonly input: Tensor }]): Tensor
export function sinc(...args: readonly unknown[]): unknown {
  return callOp('sinc', args)
}

/**
 * −input · ln(input); 0 at 0, −∞ below.
 *
 * Takes any dtype.
 *
 * @param input a tensor
 * @returns the shape of input; the dtype of input, f32 for integers and bool
 */
export function entr(input: Tensor): Tensor
export function entr(...args: [options: { readonly input: Tensor }]): Tensor
export function entr(...args: readonly unknown[]): unknown {
  return callOp('entr', args)
}

/**
 * input · ln(1 + other); 0 where input is 0, unless other is NaN.
 *
 * Takes any dtype.
 *
 * @param input a tensor
 * @param other a tensor or a number: the other operand
 * @returns the broadcast shape; the promoted dtype, f32 for integers and bool
 * @throws ShapeError when the shapes do not broadcast
 */
export function xlog1py(input: Tensor, other: Operand): Tensor
export function xlog1py(...args: [input: Tensor, options: { readonly other: Operand }] | [options: { readonly input: Tensor; readonly other: Operand }]): Tensor
export function xlog1py(...args: readonly unknown[]): unknown {
  return callOp('xlog1py', args)
}

/**
 * log₂(2^input + 2^other), without overflow.
 *
 * Takes any dtype.
 *
 * @param input a tensor
 * @param other a tensor or a number: the other operand
 * @returns the broadcast shape; the promoted dtype, f32 for integers and bool
 * @throws ShapeError when the shapes do not broadcast
 */
export function logaddexp2(input: Tensor, other: Operand): Tensor
export function logaddexp2(...args: [input: Tensor, options: { readonly other: Operand }] | [options: { readonly input: Tensor; readonly other: Operand }]): Tensor
export function logaddexp2(...args: readonly unknown[]): unknown {
  return callOp('logaddexp2', args)
}

/**
 * input · 2^other.
 *
 * Takes any dtype.
 *
 * @param input a tensor
 * @param other a tensor or a number: the other operand
 * @returns the broadcast shape; the promoted dtype, f32 for integers and bool
 * @throws ShapeError when the shapes do not broadcast
 */
export function ldexp(input: Tensor, other: Operand): Tensor
export function ldexp(...args: [input: Tensor, options: { readonly other: Operand }] | [options: { readonly input: Tensor; readonly other: Operand }]): Tensor
export function ldexp(...args: readonly unknown[]): unknown {
  return callOp('ldexp', args)
}

/**
 * 0 where input is negative or NaN, 1 where it is positive, other where it is 0.
 *
 * Takes any dtype.
 *
 * @param input a tensor
 * @param other a tensor or a number: the other operand
 * @returns the broadcast shape; the promoted dtype
 * @throws ShapeError when the shapes do not broadcast
 */
export function heaviside(input: Tensor, other: Operand): Tensor
export function heaviside(...args: [input: Tensor, options: { readonly other: Operand }] | [options: { readonly input: Tensor; readonly other: Operand }]): Tensor
export function heaviside(...args: readonly unknown[]): unknown {
  return callOp('heaviside', args)
}

/**
 * The larger of the two; where one is NaN, the one that is not.
 *
 * Takes any dtype.
 *
 * @param input a tensor
 * @param other a tensor or a number: the other operand
 * @returns the broadcast shape; the promoted dtype
 * @throws ShapeError when the shapes do not broadcast
 */
export function fmax(input: Tensor, other: Operand): Tensor
export function fmax(...args: [input: Tensor, options: { readonly other: Operand }] | [options: { readonly input: Tensor; readonly other: Operand }]): Tensor
export function fmax(...args: readonly unknown[]): unknown {
  return callOp('fmax', args)
}

/**
 * The smaller of the two; where one is NaN, the one that is not.
 *
 * Takes any dtype.
 *
 * @param input a tensor
 * @param other a tensor or a number: the other operand
 * @returns the broadcast shape; the promoted dtype
 * @throws ShapeError when the shapes do not broadcast
 */
export function fmin(input: Tensor, other: Operand): Tensor
export function fmin(...args: [input: Tensor, options: { readonly other: Operand }] | [options: { readonly input: Tensor; readonly other: Operand }]): Tensor
export function fmin(...args: readonly unknown[]): unknown {
  return callOp('fmin', args)
}

/**
 * input to the power of exponent, both as f64.
 *
 * Takes any dtype.
 *
 * @param input a tensor
 * @param exponent a tensor or a number: the power
 * @returns the broadcast shape; f64
 * @throws ShapeError when the shapes do not broadcast
 */
export function floatPower(input: Tensor, exponent: Operand): Tensor
export function floatPower(...args: [input: Tensor, options: { readonly exponent: Operand }] | [options: { readonly input: Tensor; readonly exponent: Operand }]): Tensor
export function floatPower(...args: readonly unknown[]): unknown {
  return callOp('floatPower', args)
}

/**
 * The greatest common divisor, at least 0; gcd(0, 0) is 0.
 *
 * Takes integers.
 *
 * @param input a tensor
 * @param other a tensor or a number: the other operand
 * @returns the broadcast shape; the promoted dtype
 * @throws DtypeError for floats and bool
 * @throws ShapeError when the shapes do not broadcast
 */
export function gcd(input: Tensor, other: Operand): Tensor
export function gcd(...args: [input: Tensor, options: { readonly other: Operand }] | [options: { readonly input: Tensor; readonly other: Operand }]): Tensor
export function gcd(...args: readonly unknown[]): unknown {
  return callOp('gcd', args)
}

/**
 * The least common multiple, at least 0; 0 if either is 0.
 *
 * Takes integers.
 *
 * @param input a tensor
 * @param other a tensor or a number: the other operand
 * @returns the broadcast shape; the promoted dtype
 * @throws DtypeError for floats and bool
 * @throws ShapeError when the shapes do not broadcast
 */
export function lcm(input: Tensor, other: Operand): Tensor
export function lcm(...args: [input: Tensor, options: { readonly other: Operand }] | [options: { readonly input: Tensor; readonly other: Operand }]): Tensor
export function lcm(...args: readonly unknown[]): unknown {
  return callOp('lcm', args)
}

/**
 * input where positive, weight · input elsewhere: one weight, or a vector of one per channel (dim 1); others broadcast.
 *
 * Takes any dtype.
 *
 * @param input a tensor
 * @param weight a tensor: one element, or [C] for the channels (dim 1); other shapes broadcast
 * @returns what input and weight broadcast to, a vector along dim 1; the promoted dtype, f32 for integers and bool
 */
export function prelu(input: Tensor, weight: Tensor): Tensor
export function prelu(...args: [input: Tensor, options: { readonly weight: Tensor }] | [options: { readonly input: Tensor; readonly weight: Tensor }]): Tensor
export function prelu(...args: readonly unknown[]): unknown {
  return callOp('prelu', args)
}

/**
 * input where it is greater than threshold, value elsewhere; NaN stays NaN.
 *
 * Takes any dtype but bool.
 *
 * @param input a tensor
 * @param threshold a number: what input must exceed
 * @param value a number: the result elsewhere
 * @returns the shape of input; the dtype of input
 * @throws DtypeError for bool
 */
export function threshold(input: Tensor, threshold: number, value: number): Tensor
export function threshold(...args: [input: Tensor, threshold: number, options: { readonly value: number }] | [input: Tensor, options: { readonly threshold: number; readonly value: number }] | [options: { readonly input: Tensor; readonly threshold: number; readonly value: number }]): Tensor
export function threshold(...args: readonly unknown[]): unknown {
  return callOp('threshold', args)
}

/**
 * input where |input| > lambd, 0 elsewhere.
 *
 * Takes any dtype.
 *
 * @param input a tensor
 * @param lambd a number: how far from 0 input must be (default 0.5)
 * @returns the shape of input; the dtype of input, f32 for integers and bool
 */
export function hardshrink(input: Tensor, lambd?: number): Tensor
export function hardshrink(...args: [input: Tensor, options?: { readonly lambd?: number | undefined }] | [options: { readonly input: Tensor; readonly lambd?: number | undefined }]): Tensor
export function hardshrink(...args: readonly unknown[]): unknown {
  return callOp('hardshrink', args)
}

/**
 * input shifted by lambd towards 0, and 0 where |input| ≤ lambd.
 *
 * Takes any dtype.
 *
 * @param input a tensor
 * @param lambd a number: how far from 0 input must be (default 0.5)
 * @returns the shape of input; the dtype of input, f32 for integers and bool
 */
export function softshrink(input: Tensor, lambd?: number): Tensor
export function softshrink(...args: [input: Tensor, options?: { readonly lambd?: number | undefined }] | [options: { readonly input: Tensor; readonly lambd?: number | undefined }]): Tensor
export function softshrink(...args: readonly unknown[]): unknown {
  return callOp('softshrink', args)
}

/**
 * input − tanh(input).
 *
 * Takes any dtype.
 *
 * @param input a tensor
 * @returns the shape of input; the dtype of input, f32 for integers and bool
 */
export function tanhshrink(input: Tensor): Tensor
export function tanhshrink(...args: [options: { readonly input: Tensor }]): Tensor
export function tanhshrink(...args: readonly unknown[]): unknown {
  return callOp('tanhshrink', args)
}

/**
 * max(input, 0).
 *
 * Takes any dtype but bool.
 *
 * @param input a tensor
 * @returns the shape of input; the dtype of input
 * @throws DtypeError for bool
 */
export function relu(input: Tensor): Tensor
export function relu(...args: [options: { readonly input: Tensor }]): Tensor
export function relu(...args: readonly unknown[]): unknown {
  return callOp('relu', args)
}

/**
 * min(max(input, 0), 6).
 *
 * Takes any dtype but bool.
 *
 * @param input a tensor
 * @returns the shape of input; the dtype of input
 * @throws DtypeError for bool
 */
export function relu6(input: Tensor): Tensor
export function relu6(...args: [options: { readonly input: Tensor }]): Tensor
export function relu6(...args: readonly unknown[]): unknown {
  return callOp('relu6', args)
}

/**
 * ln(1 / (1 + e^−input)).
 *
 * Takes any dtype.
 *
 * @param input a tensor
 * @returns the shape of input; the dtype of input, f32 for integers and bool
 */
export function logSigmoid(input: Tensor): Tensor
export function logSigmoid(...args: [options: { readonly input: Tensor }]): Tensor
export function logSigmoid(...args: readonly unknown[]): unknown {
  return callOp('logSigmoid', args)
}

/** As `logSigmoid`: ln(1 / (1 + e^−input)). */
export const logsigmoid: typeof logSigmoid = (...args: readonly unknown[]) => callOp('logsigmoid', args) as never

/**
 * input · Φ(input), Φ the normal distribution function; approximate: tanh for the formula of the GELU paper.
 *
 * Hendrycks and Gimpel, arXiv:1606.08415.
 * Takes any dtype.
 *
 * @param input a tensor
 * @param approximate 'none' or 'tanh': 'tanh' for x / 2 · (1 + tanh(√(2/π) · (x + 0.044715 x³))), the formula of the GELU paper (default 'none')
 * @returns the shape of input; the dtype of input, f32 for integers and bool
 */
export function gelu(input: Tensor, options?: { readonly approximate?: 'none' | 'tanh' | undefined }): Tensor
export function gelu(...args: [options: { readonly input: Tensor; readonly approximate?: 'none' | 'tanh' | undefined }]): Tensor
export function gelu(...args: readonly unknown[]): unknown {
  return callOp('gelu', args)
}

/**
 * input · sigmoid(input).
 *
 * Takes any dtype.
 *
 * @param input a tensor
 * @returns the shape of input; the dtype of input, f32 for integers and bool
 */
export function silu(input: Tensor): Tensor
export function silu(...args: [options: { readonly input: Tensor }]): Tensor
export function silu(...args: readonly unknown[]): unknown {
  return callOp('silu', args)
}

/**
 * input · tanh(softplus(input)).
 *
 * Takes any dtype.
 *
 * @param input a tensor
 * @returns the shape of input; the dtype of input, f32 for integers and bool
 */
export function mish(input: Tensor): Tensor
export function mish(...args: [options: { readonly input: Tensor }]): Tensor
export function mish(...args: readonly unknown[]): unknown {
  return callOp('mish', args)
}

/**
 * ln(1 + e^(beta · input)) / beta; input itself where beta · input > threshold.
 *
 * Takes any dtype.
 *
 * @param input a tensor
 * @param beta a number: how sharp the bend is (default 1)
 * @param threshold a number: where the result is input itself, which it is but for rounding (default 20)
 * @returns the shape of input; the dtype of input, f32 for integers and bool
 */
export function softplus(input: Tensor, beta?: number, threshold?: number): Tensor
export function softplus(...args: [input: Tensor, beta: number | undefined, options?: { readonly threshold?: number | undefined }] | [input: Tensor, options?: { readonly beta?: number | undefined; readonly threshold?: number | undefined }] | [options: { readonly input: Tensor; readonly beta?: number | undefined; readonly threshold?: number | undefined }]): Tensor
export function softplus(...args: readonly unknown[]): unknown {
  return callOp('softplus', args)
}

/**
 * input where positive, negativeSlope · input elsewhere.
 *
 * Takes any dtype.
 *
 * @param input a tensor
 * @param negativeSlope a number: the factor of what is negative (default 0.01)
 * @returns the shape of input; the dtype of input, f32 for integers and bool
 */
export function leakyRelu(input: Tensor, negativeSlope?: number): Tensor
export function leakyRelu(...args: [input: Tensor, options?: { readonly negativeSlope?: number | undefined }] | [options: { readonly input: Tensor; readonly negativeSlope?: number | undefined }]): Tensor
export function leakyRelu(...args: readonly unknown[]): unknown {
  return callOp('leakyRelu', args)
}

/**
 * input where positive, alpha · (e^input − 1) elsewhere.
 *
 * Takes any dtype.
 *
 * @param input a tensor
 * @param alpha a number: how far below 0 it goes (default 1)
 * @returns the shape of input; the dtype of input, f32 for integers and bool
 */
export function elu(input: Tensor, alpha?: number): Tensor
export function elu(...args: [input: Tensor, options?: { readonly alpha?: number | undefined }] | [options: { readonly input: Tensor; readonly alpha?: number | undefined }]): Tensor
export function elu(...args: readonly unknown[]): unknown {
  return callOp('elu', args)
}

/**
 * 1.0507 · elu(input, alpha 1.6733).
 *
 * Takes any dtype.
 *
 * @param input a tensor
 * @returns the shape of input; the dtype of input, f32 for integers and bool
 */
export function selu(input: Tensor): Tensor
export function selu(...args: [options: { readonly input: Tensor }]): Tensor
export function selu(...args: readonly unknown[]): unknown {
  return callOp('selu', args)
}

/**
 * max(0, input) + min(0, alpha · (e^(input/alpha) − 1)).
 *
 * Takes any dtype.
 *
 * @param input a tensor
 * @param alpha a number: how far below 0 it goes (default 1)
 * @returns the shape of input; the dtype of input, f32 for integers and bool
 */
export function celu(input: Tensor, alpha?: number): Tensor
export function celu(...args: [input: Tensor, options?: { readonly alpha?: number | undefined }] | [options: { readonly input: Tensor; readonly alpha?: number | undefined }]): Tensor
export function celu(...args: readonly unknown[]): unknown {
  return callOp('celu', args)
}

/**
 * input clamped to [minVal, maxVal].
 *
 * Takes any dtype but bool.
 *
 * @param input a tensor
 * @param minVal a number: the lower limit (default -1)
 * @param maxVal a number: the upper limit (default 1)
 * @returns the shape of input; the dtype of input
 * @throws ArgumentError when minVal is greater than maxVal
 * @throws DtypeError for bool, or for u8 with a negative minVal
 */
export function hardtanh(input: Tensor, minVal?: number, maxVal?: number): Tensor
export function hardtanh(...args: [input: Tensor, minVal: number | undefined, options?: { readonly maxVal?: number | undefined }] | [input: Tensor, options?: { readonly minVal?: number | undefined; readonly maxVal?: number | undefined }] | [options: { readonly input: Tensor; readonly minVal?: number | undefined; readonly maxVal?: number | undefined }]): Tensor
export function hardtanh(...args: readonly unknown[]): unknown {
  return callOp('hardtanh', args)
}

/**
 * min(max(input + 3, 0), 6) / 6.
 *
 * Takes any dtype.
 *
 * @param input a tensor
 * @returns the shape of input; the dtype of input, f32 for integers and bool
 */
export function hardsigmoid(input: Tensor): Tensor
export function hardsigmoid(...args: [options: { readonly input: Tensor }]): Tensor
export function hardsigmoid(...args: readonly unknown[]): unknown {
  return callOp('hardsigmoid', args)
}

/**
 * input · min(max(input + 3, 0), 6) / 6.
 *
 * Takes any dtype.
 *
 * @param input a tensor
 * @returns the shape of input; the dtype of input, f32 for integers and bool
 */
export function hardswish(input: Tensor): Tensor
export function hardswish(...args: [options: { readonly input: Tensor }]): Tensor
export function hardswish(...args: readonly unknown[]): unknown {
  return callOp('hardswish', args)
}

/**
 * input / (1 + |input|).
 *
 * Takes any dtype.
 *
 * @param input a tensor
 * @returns the shape of input; the dtype of input, f32 for integers and bool
 */
export function softsign(input: Tensor): Tensor
export function softsign(...args: [options: { readonly input: Tensor }]): Tensor
export function softsign(...args: readonly unknown[]): unknown {
  return callOp('softsign', args)
}

/**
 * Σ input over the dims; integers and bool give i64.
 *
 * Takes any dtype.
 *
 * @param input a tensor
 * @param dim an integer or a list of integers: the dims to reduce; by default all (optional)
 * @param keepdim true or false: keep the reduced dims, with size 1 (default false)
 * @param dtype a dtype: the dtype that input is cast to first, and that of the result (optional)
 * @returns the shape of input without the dims (keepdim: 1 there); the dtype of input, i64 for integers and bool unless dtype is given
 * @throws ShapeError when a dim is out of range
 */
export function sum(input: Tensor, dim?: number | readonly number[] | null, keepdim?: boolean, options?: { readonly dtype?: TensorDtype | null | undefined }): Tensor
export function sum(...args: [input: Tensor, dim: number | readonly number[] | null | undefined, options?: { readonly keepdim?: boolean | undefined; readonly dtype?: TensorDtype | null | undefined }] | [input: Tensor, options?: { readonly dim?: number | readonly number[] | null | undefined; readonly keepdim?: boolean | undefined; readonly dtype?: TensorDtype | null | undefined }] | [options: { readonly input: Tensor; readonly dim?: number | readonly number[] | null | undefined; readonly keepdim?: boolean | undefined; readonly dtype?: TensorDtype | null | undefined }]): Tensor
export function sum(...args: readonly unknown[]): unknown {
  return callOp('sum', args)
}

/**
 * Π input over the dims; integers and bool give i64.
 *
 * Takes any dtype.
 *
 * @param input a tensor
 * @param dim an integer or a list of integers: the dims to reduce; by default all (optional)
 * @param keepdim true or false: keep the reduced dims, with size 1 (default false)
 * @param dtype a dtype: the dtype that input is cast to first, and that of the result (optional)
 * @returns the shape of input without the dims (keepdim: 1 there); the dtype of input, i64 for integers and bool unless dtype is given
 * @throws ShapeError when a dim is out of range
 */
export function prod(input: Tensor, dim?: number | readonly number[] | null, keepdim?: boolean, options?: { readonly dtype?: TensorDtype | null | undefined }): Tensor
export function prod(...args: [input: Tensor, dim: number | readonly number[] | null | undefined, options?: { readonly keepdim?: boolean | undefined; readonly dtype?: TensorDtype | null | undefined }] | [input: Tensor, options?: { readonly dim?: number | readonly number[] | null | undefined; readonly keepdim?: boolean | undefined; readonly dtype?: TensorDtype | null | undefined }] | [options: { readonly input: Tensor; readonly dim?: number | readonly number[] | null | undefined; readonly keepdim?: boolean | undefined; readonly dtype?: TensorDtype | null | undefined }]): Tensor
export function prod(...args: readonly unknown[]): unknown {
  return callOp('prod', args)
}

/**
 * Σ input / n over the dims; floats only. Of no elements: NaN.
 *
 * Takes floats; with a float as dtype any.
 *
 * @param input a tensor
 * @param dim an integer or a list of integers: the dims to reduce; by default all (optional)
 * @param keepdim true or false: keep the reduced dims, with size 1 (default false)
 * @param dtype a dtype: the dtype that input is cast to first, and that of the result (optional)
 * @returns the shape of input without the dims (keepdim: 1 there); the dtype of input unless dtype is given
 * @throws DtypeError for integers and bool, unless dtype is a float
 * @throws ShapeError when a dim is out of range
 */
export function mean(input: Tensor, dim?: number | readonly number[] | null, keepdim?: boolean, options?: { readonly dtype?: TensorDtype | null | undefined }): Tensor
export function mean(...args: [input: Tensor, dim: number | readonly number[] | null | undefined, options?: { readonly keepdim?: boolean | undefined; readonly dtype?: TensorDtype | null | undefined }] | [input: Tensor, options?: { readonly dim?: number | readonly number[] | null | undefined; readonly keepdim?: boolean | undefined; readonly dtype?: TensorDtype | null | undefined }] | [options: { readonly input: Tensor; readonly dim?: number | readonly number[] | null | undefined; readonly keepdim?: boolean | undefined; readonly dtype?: TensorDtype | null | undefined }]): Tensor
export function mean(...args: readonly unknown[]): unknown {
  return callOp('mean', args)
}

/**
 * True where any value over the dims is not 0.
 *
 * Takes any dtype.
 *
 * @param input a tensor
 * @param dim an integer or a list of integers: the dims to reduce; by default all, [] for none (optional)
 * @param keepdim true or false: keep the reduced dims, with size 1 (default false)
 * @returns the shape of input without the dims (keepdim: 1 there); bool
 * @throws ShapeError when a dim is out of range
 */
export function any(input: Tensor, dim?: number | readonly number[] | null, keepdim?: boolean): Tensor
export function any(...args: [input: Tensor, dim: number | readonly number[] | null | undefined, options?: { readonly keepdim?: boolean | undefined }] | [input: Tensor, options?: { readonly dim?: number | readonly number[] | null | undefined; readonly keepdim?: boolean | undefined }] | [options: { readonly input: Tensor; readonly dim?: number | readonly number[] | null | undefined; readonly keepdim?: boolean | undefined }]): Tensor
export function any(...args: readonly unknown[]): unknown {
  return callOp('any', args)
}

/**
 * True where every value over the dims is not 0.
 *
 * Takes any dtype.
 *
 * @param input a tensor
 * @param dim an integer or a list of integers: the dims to reduce; by default all, [] for none (optional)
 * @param keepdim true or false: keep the reduced dims, with size 1 (default false)
 * @returns the shape of input without the dims (keepdim: 1 there); bool
 * @throws ShapeError when a dim is out of range
 */
export function all(input: Tensor, dim?: number | readonly number[] | null, keepdim?: boolean): Tensor
export function all(...args: [input: Tensor, dim: number | readonly number[] | null | undefined, options?: { readonly keepdim?: boolean | undefined }] | [input: Tensor, options?: { readonly dim?: number | readonly number[] | null | undefined; readonly keepdim?: boolean | undefined }] | [options: { readonly input: Tensor; readonly dim?: number | readonly number[] | null | undefined; readonly keepdim?: boolean | undefined }]): Tensor
export function all(...args: readonly unknown[]): unknown {
  return callOp('all', args)
}

/**
 * The running sum along a dim.
 *
 * Takes any dtype.
 *
 * @param input a tensor
 * @param dim an integer: the dim; negative ones count from the end
 * @param dtype a dtype: the dtype that input is cast to first, and that of the result (optional)
 * @returns the shape of input; the dtype of input, i64 for integers and bool unless dtype is given
 * @throws ShapeError when a dim is out of range
 */
export function cumsum(input: Tensor, dim: number, options?: { readonly dtype?: TensorDtype | null | undefined }): Tensor
export function cumsum(...args: [input: Tensor, options: { readonly dim: number; readonly dtype?: TensorDtype | null | undefined }] | [options: { readonly input: Tensor; readonly dim: number; readonly dtype?: TensorDtype | null | undefined }]): Tensor
export function cumsum(...args: readonly unknown[]): unknown {
  return callOp('cumsum', args)
}

/**
 * The running product along a dim.
 *
 * Gradients of gradients are right where no element is exactly 0.
 * Takes any dtype.
 *
 * @param input a tensor
 * @param dim an integer: the dim; negative ones count from the end
 * @param dtype a dtype: the dtype that input is cast to first, and that of the result (optional)
 * @returns the shape of input; the dtype of input, i64 for integers and bool unless dtype is given
 * @throws ShapeError when a dim is out of range
 */
export function cumprod(input: Tensor, dim: number, options?: { readonly dtype?: TensorDtype | null | undefined }): Tensor
export function cumprod(...args: [input: Tensor, options: { readonly dim: number; readonly dtype?: TensorDtype | null | undefined }] | [options: { readonly input: Tensor; readonly dim: number; readonly dtype?: TensorDtype | null | undefined }]): Tensor
export function cumprod(...args: readonly unknown[]): unknown {
  return callOp('cumprod', args)
}

/**
 * ln Σ e^input over the dims, without overflow; of integers as f32.
 *
 * Takes any dtype.
 *
 * @param input a tensor
 * @param dim an integer or a list of integers: the dims to reduce; [] for all
 * @param keepdim true or false: keep the reduced dims, with size 1 (default false)
 * @returns the shape of input without the dims (keepdim: 1 there); the dtype of input, f32 for integers and bool
 * @throws ShapeError when a dim is out of range
 */
export function logsumexp(input: Tensor, dim: number | readonly number[], keepdim?: boolean): Tensor
export function logsumexp(...args: [input: Tensor, dim: number | readonly number[], options?: { readonly keepdim?: boolean | undefined }] | [input: Tensor, options: { readonly dim: number | readonly number[]; readonly keepdim?: boolean | undefined }] | [options: { readonly input: Tensor; readonly dim: number | readonly number[]; readonly keepdim?: boolean | undefined }]): Tensor
export function logsumexp(...args: readonly unknown[]): unknown {
  return callOp('logsumexp', args)
}

/**
 * The square root of var.
 *
 * Of too few elements (n ≤ correction): ∞, or NaN for a single one.
 * Takes floats.
 *
 * @param input a tensor
 * @param dim an integer or a list of integers: the dims to reduce; by default all (optional)
 * @param unbiased true or false: true is correction 1, false is correction 0 (optional)
 * @param keepdim true or false: keep the reduced dims, with size 1 (default false)
 * @param correction a number: n − correction divides: 1 (the default) estimates a population from a sample, 0 is for a whole population (optional)
 * @returns the shape of input without the dims (keepdim: 1 there); the dtype of input
 * @throws ArgumentError when unbiased and correction are both given
 * @throws DtypeError for integers and bool
 * @throws ShapeError when a dim is out of range
 */
export function std(input: Tensor, dim?: number | readonly number[] | null, unbiased?: boolean | null, keepdim?: boolean, options?: { readonly correction?: number | null | undefined }): Tensor
export function std(...args: [input: Tensor, dim: number | readonly number[] | null | undefined, unbiased: boolean | null | undefined, options?: { readonly keepdim?: boolean | undefined; readonly correction?: number | null | undefined }] | [input: Tensor, dim: number | readonly number[] | null | undefined, options?: { readonly unbiased?: boolean | null | undefined; readonly keepdim?: boolean | undefined; readonly correction?: number | null | undefined }] | [input: Tensor, options?: { readonly dim?: number | readonly number[] | null | undefined; readonly unbiased?: boolean | null | undefined; readonly keepdim?: boolean | undefined; readonly correction?: number | null | undefined }] | [options: { readonly input: Tensor; readonly dim?: number | readonly number[] | null | undefined; readonly unbiased?: boolean | null | undefined; readonly keepdim?: boolean | undefined; readonly correction?: number | null | undefined }]): Tensor
export function std(...args: readonly unknown[]): unknown {
  return callOp('std', args)
}

/**
 * The largest value over the dims; NaN if any is NaN.
 *
 * Equal extremes share the gradient.
 * Takes any dtype.
 *
 * @param input a tensor
 * @param dim an integer or a list of integers: the dims to reduce; by default all (optional)
 * @param keepdim true or false: keep the reduced dims, with size 1 (default false)
 * @returns the shape of input without the dims (keepdim: 1 there); the dtype of input
 * @throws ShapeError when a dim is out of range, or when a reduced dim has no elements
 */
export function amax(input: Tensor, dim?: number | readonly number[] | null, keepdim?: boolean): Tensor
export function amax(...args: [input: Tensor, dim: number | readonly number[] | null | undefined, options?: { readonly keepdim?: boolean | undefined }] | [input: Tensor, options?: { readonly dim?: number | readonly number[] | null | undefined; readonly keepdim?: boolean | undefined }] | [options: { readonly input: Tensor; readonly dim?: number | readonly number[] | null | undefined; readonly keepdim?: boolean | undefined }]): Tensor
export function amax(...args: readonly unknown[]): unknown {
  return callOp('amax', args)
}

/**
 * The smallest value over the dims; NaN if any is NaN.
 *
 * Equal extremes share the gradient.
 * Takes any dtype.
 *
 * @param input a tensor
 * @param dim an integer or a list of integers: the dims to reduce; by default all (optional)
 * @param keepdim true or false: keep the reduced dims, with size 1 (default false)
 * @returns the shape of input without the dims (keepdim: 1 there); the dtype of input
 * @throws ShapeError when a dim is out of range, or when a reduced dim has no elements
 */
export function amin(input: Tensor, dim?: number | readonly number[] | null, keepdim?: boolean): Tensor
export function amin(...args: [input: Tensor, dim: number | readonly number[] | null | undefined, options?: { readonly keepdim?: boolean | undefined }] | [input: Tensor, options?: { readonly dim?: number | readonly number[] | null | undefined; readonly keepdim?: boolean | undefined }] | [options: { readonly input: Tensor; readonly dim?: number | readonly number[] | null | undefined; readonly keepdim?: boolean | undefined }]): Tensor
export function amin(...args: readonly unknown[]): unknown {
  return callOp('amin', args)
}

/**
 * The largest value of the whole tensor; NaN if any is NaN.
 *
 * Takes any dtype.
 *
 * @param input a tensor
 * @returns 0-d; the dtype of input
 * @throws ShapeError when there are no elements
 */
export function max(input: Tensor): Tensor
export function max(...args: [options: { readonly input: Tensor }]): Tensor
/**
 * The largest value along a dim, and the index of its first occurrence.
 *
 * NaN wins over all other values. Of equal ones PyTorch may give any index; here it is the first.
 * Takes any dtype.
 *
 * @param input a tensor
 * @param dim an integer: the dim; negative ones count from the end
 * @param keepdim true or false: keep the reduced dims, with size 1 (default false)
 * @returns values, indices: the shape of input without dim (keepdim: 1 there); values the dtype of input, indices i64
 * @throws ShapeError when a dim is out of range, or when a reduced dim has no elements
 */
export function max(input: Tensor, dim: number, keepdim?: boolean): { readonly values: Tensor; readonly indices: Tensor }
/**
 * The largest value along a dim, and the index of its first occurrence.
 *
 * NaN wins over all other values. Of equal ones PyTorch may give any index; here it is the first.
 * Takes any dtype.
 *
 * @param input a tensor
 * @param dim an integer: the dim; negative ones count from the end
 * @param keepdim true or false: keep the reduced dims, with size 1 (default false)
 * @returns values, indices: the shape of input without dim (keepdim: 1 there); values the dtype of input, indices i64
 * @throws ShapeError when a dim is out of range, or when a reduced dim has no elements
 */
export function max(...args: [input: Tensor, dim: number, options?: { readonly keepdim?: boolean | undefined }] | [input: Tensor, options: { readonly dim: number; readonly keepdim?: boolean | undefined }] | [options: { readonly input: Tensor; readonly dim: number; readonly keepdim?: boolean | undefined }]): { readonly values: Tensor; readonly indices: Tensor }
/**
 * The larger of the two; NaN if either is NaN.
 *
 * Takes any dtype.
 *
 * @param input a tensor
 * @param other a tensor or a number: the other operand
 * @returns the broadcast shape; the promoted dtype
 * @throws ShapeError when the shapes do not broadcast
 */
export function max(input: Tensor, other: Operand): Tensor
/**
 * The larger of the two; NaN if either is NaN.
 *
 * Takes any dtype.
 *
 * @param input a tensor
 * @param other a tensor or a number: the other operand
 * @returns the broadcast shape; the promoted dtype
 * @throws ShapeError when the shapes do not broadcast
 */
export function max(...args: [input: Tensor, options: { readonly other: Operand }] | [options: { readonly input: Tensor; readonly other: Operand }]): Tensor
export function max(...args: readonly unknown[]): unknown {
  return callOp('max', args)
}

/**
 * The smallest value of the whole tensor; NaN if any is NaN.
 *
 * Takes any dtype.
 *
 * @param input a tensor
 * @returns 0-d; the dtype of input
 * @throws ShapeError when there are no elements
 */
export function min(input: Tensor): Tensor
export function min(...args: [options: { readonly input: Tensor }]): Tensor
/**
 * The smallest value along a dim, and the index of its first occurrence.
 *
 * NaN wins over all other values. Of equal ones PyTorch may give any index; here it is the first.
 * Takes any dtype.
 *
 * @param input a tensor
 * @param dim an integer: the dim; negative ones count from the end
 * @param keepdim true or false: keep the reduced dims, with size 1 (default false)
 * @returns values, indices: the shape of input without dim (keepdim: 1 there); values the dtype of input, indices i64
 * @throws ShapeError when a dim is out of range, or when a reduced dim has no elements
 */
export function min(input: Tensor, dim: number, keepdim?: boolean): { readonly values: Tensor; readonly indices: Tensor }
/**
 * The smallest value along a dim, and the index of its first occurrence.
 *
 * NaN wins over all other values. Of equal ones PyTorch may give any index; here it is the first.
 * Takes any dtype.
 *
 * @param input a tensor
 * @param dim an integer: the dim; negative ones count from the end
 * @param keepdim true or false: keep the reduced dims, with size 1 (default false)
 * @returns values, indices: the shape of input without dim (keepdim: 1 there); values the dtype of input, indices i64
 * @throws ShapeError when a dim is out of range, or when a reduced dim has no elements
 */
export function min(...args: [input: Tensor, dim: number, options?: { readonly keepdim?: boolean | undefined }] | [input: Tensor, options: { readonly dim: number; readonly keepdim?: boolean | undefined }] | [options: { readonly input: Tensor; readonly dim: number; readonly keepdim?: boolean | undefined }]): { readonly values: Tensor; readonly indices: Tensor }
/**
 * The smaller of the two; NaN if either is NaN.
 *
 * Takes any dtype.
 *
 * @param input a tensor
 * @param other a tensor or a number: the other operand
 * @returns the broadcast shape; the promoted dtype
 * @throws ShapeError when the shapes do not broadcast
 */
export function min(input: Tensor, other: Operand): Tensor
/**
 * The smaller of the two; NaN if either is NaN.
 *
 * Takes any dtype.
 *
 * @param input a tensor
 * @param other a tensor or a number: the other operand
 * @returns the broadcast shape; the promoted dtype
 * @throws ShapeError when the shapes do not broadcast
 */
export function min(...args: [input: Tensor, options: { readonly other: Operand }] | [options: { readonly input: Tensor; readonly other: Operand }]): Tensor
export function min(...args: readonly unknown[]): unknown {
  return callOp('min', args)
}

/**
 * The index of the first largest value along a dim (of all: into the flattened tensor).
 *
 * NaN wins over all other values.
 * Takes any dtype.
 *
 * @param input a tensor
 * @param dim an integer: the dim to search; by default the flattened tensor (optional)
 * @param keepdim true or false: keep the reduced dims, with size 1 (default false)
 * @returns the shape of input without dim (keepdim: 1 there); i64
 * @throws ShapeError when a dim is out of range, or when a reduced dim has no elements
 */
export function argmax(input: Tensor, dim?: number | null, keepdim?: boolean): Tensor
export function argmax(...args: [input: Tensor, dim: number | null | undefined, options?: { readonly keepdim?: boolean | undefined }] | [input: Tensor, options?: { readonly dim?: number | null | undefined; readonly keepdim?: boolean | undefined }] | [options: { readonly input: Tensor; readonly dim?: number | null | undefined; readonly keepdim?: boolean | undefined }]): Tensor
export function argmax(...args: readonly unknown[]): unknown {
  return callOp('argmax', args)
}

/**
 * The index of the first smallest value along a dim (of all: into the flattened tensor).
 *
 * NaN wins over all other values.
 * Takes any dtype.
 *
 * @param input a tensor
 * @param dim an integer: the dim to search; by default the flattened tensor (optional)
 * @param keepdim true or false: keep the reduced dims, with size 1 (default false)
 * @returns the shape of input without dim (keepdim: 1 there); i64
 * @throws ShapeError when a dim is out of range, or when a reduced dim has no elements
 */
export function argmin(input: Tensor, dim?: number | null, keepdim?: boolean): Tensor
export function argmin(...args: [input: Tensor, dim: number | null | undefined, options?: { readonly keepdim?: boolean | undefined }] | [input: Tensor, options?: { readonly dim?: number | null | undefined; readonly keepdim?: boolean | undefined }] | [options: { readonly input: Tensor; readonly dim?: number | null | undefined; readonly keepdim?: boolean | undefined }]): Tensor
export function argmin(...args: readonly unknown[]): unknown {
  return callOp('argmin', args)
}

/**
 * The variance and the mean over the dims.
 *
 * Takes floats.
 *
 * @param input a tensor
 * @param dim an integer or a list of integers: the dims to reduce; by default all (optional)
 * @param unbiased true or false: true is correction 1, false is correction 0 (optional)
 * @param keepdim true or false: keep the reduced dims, with size 1 (default false)
 * @param correction a number: n − correction divides: 1 (the default) estimates a population from a sample, 0 is for a whole population (optional)
 * @returns var, mean: the shape of input without the dims (keepdim: 1 there); the dtype of input
 * @throws ArgumentError when unbiased and correction are both given
 * @throws DtypeError for integers and bool
 * @throws ShapeError when a dim is out of range
 */
export function varMean(input: Tensor, dim?: number | readonly number[] | null, unbiased?: boolean | null, keepdim?: boolean, options?: { readonly correction?: number | null | undefined }): { readonly var: Tensor; readonly mean: Tensor }
export function varMean(...args: [input: Tensor, dim: number | readonly number[] | null | undefined, unbiased: boolean | null | undefined, options?: { readonly keepdim?: boolean | undefined; readonly correction?: number | null | undefined }] | [input: Tensor, dim: number | readonly number[] | null | undefined, options?: { readonly unbiased?: boolean | null | undefined; readonly keepdim?: boolean | undefined; readonly correction?: number | null | undefined }] | [input: Tensor, options?: { readonly dim?: number | readonly number[] | null | undefined; readonly unbiased?: boolean | null | undefined; readonly keepdim?: boolean | undefined; readonly correction?: number | null | undefined }] | [options: { readonly input: Tensor; readonly dim?: number | readonly number[] | null | undefined; readonly unbiased?: boolean | null | undefined; readonly keepdim?: boolean | undefined; readonly correction?: number | null | undefined }]): { readonly var: Tensor; readonly mean: Tensor }
export function varMean(...args: readonly unknown[]): unknown {
  return callOp('varMean', args)
}

/**
 * The standard deviation and the mean over the dims.
 *
 * Takes floats.
 *
 * @param input a tensor
 * @param dim an integer or a list of integers: the dims to reduce; by default all (optional)
 * @param unbiased true or false: true is correction 1, false is correction 0 (optional)
 * @param keepdim true or false: keep the reduced dims, with size 1 (default false)
 * @param correction a number: n − correction divides: 1 (the default) estimates a population from a sample, 0 is for a whole population (optional)
 * @returns std, mean: the shape of input without the dims (keepdim: 1 there); the dtype of input
 * @throws ArgumentError when unbiased and correction are both given
 * @throws DtypeError for integers and bool
 * @throws ShapeError when a dim is out of range
 */
export function stdMean(input: Tensor, dim?: number | readonly number[] | null, unbiased?: boolean | null, keepdim?: boolean, options?: { readonly correction?: number | null | undefined }): { readonly std: Tensor; readonly mean: Tensor }
export function stdMean(...args: [input: Tensor, dim: number | readonly number[] | null | undefined, unbiased: boolean | null | undefined, options?: { readonly keepdim?: boolean | undefined; readonly correction?: number | null | undefined }] | [input: Tensor, dim: number | readonly number[] | null | undefined, options?: { readonly unbiased?: boolean | null | undefined; readonly keepdim?: boolean | undefined; readonly correction?: number | null | undefined }] | [input: Tensor, options?: { readonly dim?: number | readonly number[] | null | undefined; readonly unbiased?: boolean | null | undefined; readonly keepdim?: boolean | undefined; readonly correction?: number | null | undefined }] | [options: { readonly input: Tensor; readonly dim?: number | readonly number[] | null | undefined; readonly unbiased?: boolean | null | undefined; readonly keepdim?: boolean | undefined; readonly correction?: number | null | undefined }]): { readonly std: Tensor; readonly mean: Tensor }
export function stdMean(...args: readonly unknown[]): unknown {
  return callOp('stdMean', args)
}

/**
 * The smallest and the largest value over a dim, or of all; NaN if any is NaN.
 *
 * Takes any dtype.
 *
 * @param input a tensor
 * @param dim an integer: the dim to reduce; by default all (optional)
 * @param keepdim true or false: keep the reduced dims, with size 1 (default false)
 * @returns min, max: the shape of input without dim (keepdim: 1 there); the dtype of input
 * @throws ShapeError when a dim is out of range, or when a reduced dim has no elements
 */
export function aminmax(input: Tensor, options?: { readonly dim?: number | null | undefined; readonly keepdim?: boolean | undefined }): { readonly min: Tensor; readonly max: Tensor }
export function aminmax(...args: [options: { readonly input: Tensor; readonly dim?: number | null | undefined; readonly keepdim?: boolean | undefined }]): { readonly min: Tensor; readonly max: Tensor }
export function aminmax(...args: readonly unknown[]): unknown {
  return callOp('aminmax', args)
}

/**
 * (Σ |input|^p)^(1/p) over the dims; p 0 counts what is not 0, p ±Infinity is the largest (smallest) |input|. PyTorch's 'nuc', which needs singular values, is not supported.
 *
 * Takes floats.
 *
 * @param input a tensor
 * @param p a number, 'fro' or 'nuc': the power; 'fro' is 2 (default 2)
 * @param dim an integer or a list of integers: the dims to reduce; by default all (optional)
 * @param keepdim true or false: keep the reduced dims, with size 1 (default false)
 * @param dtype a dtype: the dtype that input is cast to first, and that of the result (optional)
 * @returns the shape of input without the dims (keepdim: 1 there); the dtype of input unless dtype is given
 * @throws ArgumentError for p 'nuc'
 * @throws DtypeError for integers and bool
 * @throws ShapeError when a dim is out of range, or when p is ±Infinity and a reduced dim has no elements
 */
export function norm(input: Tensor, p?: number | 'fro' | 'nuc', dim?: number | readonly number[] | null, keepdim?: boolean, dtype?: TensorDtype | null): Tensor
export function norm(...args: [input: Tensor, p: number | 'fro' | 'nuc' | undefined, dim: number | readonly number[] | null | undefined, keepdim: boolean | undefined, options?: { readonly dtype?: TensorDtype | null | undefined }] | [input: Tensor, p: number | 'fro' | 'nuc' | undefined, dim: number | readonly number[] | null | undefined, options?: { readonly keepdim?: boolean | undefined; readonly dtype?: TensorDtype | null | undefined }] | [input: Tensor, p: number | 'fro' | 'nuc' | undefined, options?: { readonly dim?: number | readonly number[] | null | undefined; readonly keepdim?: boolean | undefined; readonly dtype?: TensorDtype | null | undefined }] | [input: Tensor, options?: { readonly p?: number | 'fro' | 'nuc' | undefined; readonly dim?: number | readonly number[] | null | undefined; readonly keepdim?: boolean | undefined; readonly dtype?: TensorDtype | null | undefined }] | [options: { readonly input: Tensor; readonly p?: number | 'fro' | 'nuc' | undefined; readonly dim?: number | readonly number[] | null | undefined; readonly keepdim?: boolean | undefined; readonly dtype?: TensorDtype | null | undefined }]): Tensor
export function norm(...args: readonly unknown[]): unknown {
  return callOp('norm', args)
}

/**
 * (Σ |input|^p)^(1/p) over the dims; p 0 counts what is not 0, p ±Infinity is the largest (smallest) |input|.
 *
 * Takes floats.
 *
 * @param input a tensor
 * @param ord a number: the power p (default 2)
 * @param dim an integer or a list of integers: the dims to reduce; by default all (optional)
 * @param keepdim true or false: keep the reduced dims, with size 1 (default false)
 * @param dtype a dtype: the dtype that input is cast to first, and that of the result (optional)
 * @returns the shape of input without the dims (keepdim: 1 there); the dtype of input unless dtype is given
 * @throws DtypeError for integers and bool
 * @throws ShapeError when a dim is out of range, or when ord is ±Infinity and a reduced dim has no elements
 */
export function vectorNorm(input: Tensor, ord?: number, dim?: number | readonly number[] | null, keepdim?: boolean, options?: { readonly dtype?: TensorDtype | null | undefined }): Tensor
export function vectorNorm(...args: [input: Tensor, ord: number | undefined, dim: number | readonly number[] | null | undefined, options?: { readonly keepdim?: boolean | undefined; readonly dtype?: TensorDtype | null | undefined }] | [input: Tensor, ord: number | undefined, options?: { readonly dim?: number | readonly number[] | null | undefined; readonly keepdim?: boolean | undefined; readonly dtype?: TensorDtype | null | undefined }] | [input: Tensor, options?: { readonly ord?: number | undefined; readonly dim?: number | readonly number[] | null | undefined; readonly keepdim?: boolean | undefined; readonly dtype?: TensorDtype | null | undefined }] | [options: { readonly input: Tensor; readonly ord?: number | undefined; readonly dim?: number | readonly number[] | null | undefined; readonly keepdim?: boolean | undefined; readonly dtype?: TensorDtype | null | undefined }]): Tensor
export function vectorNorm(...args: readonly unknown[]): unknown {
  return callOp('vectorNorm', args)
}

/**
 * How many elements are not 0 over the dims, as i64.
 *
 * Takes any dtype.
 *
 * @param input a tensor
 * @param dim an integer or a list of integers: the dims to reduce; by default all (optional)
 * @returns the shape of input without the reduced dims; i64
 * @throws ShapeError when a dim is out of range
 */
export function countNonzero(input: Tensor, dim?: number | readonly number[] | null): Tensor
export function countNonzero(...args: [input: Tensor, options?: { readonly dim?: number | readonly number[] | null | undefined }] | [options: { readonly input: Tensor; readonly dim?: number | readonly number[] | null | undefined }]): Tensor
export function countNonzero(...args: readonly unknown[]): unknown {
  return callOp('countNonzero', args)
}

/**
 * Σ input over the dims, NaN counted as 0.
 *
 * Takes any dtype.
 *
 * @param input a tensor
 * @param dim an integer or a list of integers: the dims to reduce; by default all (optional)
 * @param keepdim true or false: keep the reduced dims, with size 1 (default false)
 * @param dtype a dtype: the dtype that input is cast to first, and that of the result (optional)
 * @returns the shape of input without the dims (keepdim: 1 there); the dtype of input, i64 for integers and bool unless dtype is given
 * @throws ShapeError when a dim is out of range
 */
export function nansum(input: Tensor, dim?: number | readonly number[] | null, keepdim?: boolean, options?: { readonly dtype?: TensorDtype | null | undefined }): Tensor
export function nansum(...args: [input: Tensor, dim: number | readonly number[] | null | undefined, options?: { readonly keepdim?: boolean | undefined; readonly dtype?: TensorDtype | null | undefined }] | [input: Tensor, options?: { readonly dim?: number | readonly number[] | null | undefined; readonly keepdim?: boolean | undefined; readonly dtype?: TensorDtype | null | undefined }] | [options: { readonly input: Tensor; readonly dim?: number | readonly number[] | null | undefined; readonly keepdim?: boolean | undefined; readonly dtype?: TensorDtype | null | undefined }]): Tensor
export function nansum(...args: readonly unknown[]): unknown {
  return callOp('nansum', args)
}

/**
 * The mean over the dims, ignoring NaN.
 *
 * Takes floats; with a float as dtype any.
 *
 * @param input a tensor
 * @param dim an integer or a list of integers: the dims to reduce; by default all (optional)
 * @param keepdim true or false: keep the reduced dims, with size 1 (default false)
 * @param dtype a dtype: the dtype that input is cast to first, and that of the result (optional)
 * @returns the shape of input without the dims (keepdim: 1 there); the dtype of input unless dtype is given
 * @throws DtypeError for integers and bool, unless dtype is a float
 * @throws ShapeError when a dim is out of range
 */
export function nanmean(input: Tensor, dim?: number | readonly number[] | null, keepdim?: boolean, options?: { readonly dtype?: TensorDtype | null | undefined }): Tensor
export function nanmean(...args: [input: Tensor, dim: number | readonly number[] | null | undefined, options?: { readonly keepdim?: boolean | undefined; readonly dtype?: TensorDtype | null | undefined }] | [input: Tensor, options?: { readonly dim?: number | readonly number[] | null | undefined; readonly keepdim?: boolean | undefined; readonly dtype?: TensorDtype | null | undefined }] | [options: { readonly input: Tensor; readonly dim?: number | readonly number[] | null | undefined; readonly keepdim?: boolean | undefined; readonly dtype?: TensorDtype | null | undefined }]): Tensor
export function nanmean(...args: readonly unknown[]): unknown {
  return callOp('nanmean', args)
}

/**
 * The covariances of the rows of [variables, observations]; of a vector its variance. Divided by the number of observations − correction.
 *
 * Takes any dtype.
 *
 * @param input a tensor
 * @param correction an integer: subtracted from the number of observations (default 1)
 * @param fweights a tensor: how often each observation counts: integers, [observations] (optional)
 * @param aweights a tensor: how much each observation counts: floats, [observations] (optional)
 * @returns [n, n] of n variables; 0-d of one; the promoted dtype, f32 for integers and bool
 */
export function cov(input: Tensor, options?: { readonly correction?: number | undefined; readonly fweights?: Tensor | null | undefined; readonly aweights?: Tensor | null | undefined }): Tensor
export function cov(...args: [options: { readonly input: Tensor; readonly correction?: number | undefined; readonly fweights?: Tensor | null | undefined; readonly aweights?: Tensor | null | undefined }]): Tensor
export function cov(...args: readonly unknown[]): unknown {
  return callOp('cov', args)
}

/**
 * The correlations of the rows of [variables, observations], between −1 and 1: cov divided by both standard deviations.
 *
 * Takes any dtype.
 *
 * @param input a tensor
 * @returns [n, n] of n variables; 0-d of one; the dtype of input, f32 for integers and bool
 */
export function corrcoef(input: Tensor): Tensor
export function corrcoef(...args: [options: { readonly input: Tensor }]): Tensor
export function corrcoef(...args: readonly unknown[]): unknown {
  return callOp('corrcoef', args)
}

/**
 * The area under a curve along a dim, by the trapezoidal rule; of integers as f32.
 *
 * Takes any dtype.
 *
 * @param y a tensor: the values of the curve
 * @param x a tensor: their coordinates: a vector along dim, or one for each value; without it they are dx apart (optional)
 * @param dx a number: the distance between neighbouring values (default 1)
 * @param dim an integer: the dim; negative ones count from the end (default -1)
 * @returns the shape of y without dim; the promoted dtype, f32 for integers and bool
 * @throws ShapeError when a dim is out of range
 */
export function trapezoid(y: Tensor, x?: Tensor | null, options?: { readonly dx?: number | undefined; readonly dim?: number | undefined }): Tensor
export function trapezoid(...args: [y: Tensor, options?: { readonly x?: Tensor | null | undefined; readonly dx?: number | undefined; readonly dim?: number | undefined }] | [options: { readonly y: Tensor; readonly x?: Tensor | null | undefined; readonly dx?: number | undefined; readonly dim?: number | undefined }]): Tensor
export function trapezoid(...args: readonly unknown[]): unknown {
  return callOp('trapezoid', args)
}

/** As `trapezoid`: The area under a curve along a dim, by the trapezoidal rule; of integers as f32. */
export const trapz: typeof trapezoid = (...args: readonly unknown[]) => callOp('trapz', args) as never

/**
 * The area under a curve from its first point to each later one along a dim, by the trapezoidal rule.
 *
 * Takes any dtype.
 *
 * @param y a tensor: the values of the curve
 * @param x a tensor: their coordinates: a vector along dim, or one for each value; without it they are dx apart (optional)
 * @param dx a number: the distance between neighbouring values (default 1)
 * @param dim an integer: the dim; negative ones count from the end (default -1)
 * @returns the shape of y with dim smaller by 1; the promoted dtype, f32 for integers and bool
 * @throws ShapeError when a dim is out of range
 */
export function cumulativeTrapezoid(y: Tensor, x?: Tensor | null, options?: { readonly dx?: number | undefined; readonly dim?: number | undefined }): Tensor
export function cumulativeTrapezoid(...args: [y: Tensor, options?: { readonly x?: Tensor | null | undefined; readonly dx?: number | undefined; readonly dim?: number | undefined }] | [options: { readonly y: Tensor; readonly x?: Tensor | null | undefined; readonly dx?: number | undefined; readonly dim?: number | undefined }]): Tensor
export function cumulativeTrapezoid(...args: readonly unknown[]): unknown {
  return callOp('cumulativeTrapezoid', args)
}

/**
 * The powers of a vector as columns: x^(N−1), …, x, 1; increasing reverses the order. Integers give i64.
 *
 * Takes any dtype.
 *
 * @param x a tensor: a vector
 * @param N an integer of at least 0: how many powers; as many as elements unless given (optional)
 * @param increasing true or false: begin with 1 (default false)
 * @returns [n, N] of a vector of n; the dtype of x, i64 for integers and bool
 */
export function vander(x: Tensor, N?: SizeLike | null, increasing?: boolean): Tensor
export function vander(...args: [x: Tensor, N: SizeLike | null | undefined, options?: { readonly increasing?: boolean | undefined }] | [x: Tensor, options?: { readonly N?: SizeLike | null | undefined; readonly increasing?: boolean | undefined }] | [options: { readonly x: Tensor; readonly N?: SizeLike | null | undefined; readonly increasing?: boolean | undefined }]): Tensor
export function vander(...args: readonly unknown[]): unknown {
  return callOp('vander', args)
}

/**
 * input with each slice along dim whose p-norm is above maxnorm scaled down to p-norm maxnorm.
 *
 * Takes floats.
 *
 * @param input a tensor
 * @param p a number: the power of the norm
 * @param dim an integer: the dim; negative ones count from the end
 * @param maxnorm a number: how long a slice may be
 * @returns the shape of input; the dtype of input
 * @throws DtypeError for integers and bool
 * @throws ShapeError when a dim is out of range
 */
export function renorm(input: Tensor, p: number, dim: number, maxnorm: number): Tensor
export function renorm(...args: [input: Tensor, p: number, dim: number, options: { readonly maxnorm: number }] | [input: Tensor, p: number, options: { readonly dim: number; readonly maxnorm: number }] | [input: Tensor, options: { readonly p: number; readonly dim: number; readonly maxnorm: number }] | [options: { readonly input: Tensor; readonly p: number; readonly dim: number; readonly maxnorm: number }]): Tensor
export function renorm(...args: readonly unknown[]): unknown {
  return callOp('renorm', args)
}

/**
 * The running maximum along a dim, and the index of its last occurrence so far; from a NaN on, NaN.
 *
 * Takes any dtype.
 *
 * @param input a tensor
 * @param dim an integer: the dim; negative ones count from the end
 * @returns values, indices: the shape of input; values the dtype of input, indices i64
 * @throws ShapeError when a dim is out of range
 */
export function cummax(input: Tensor, dim: number): { readonly values: Tensor; readonly indices: Tensor }
export function cummax(...args: [input: Tensor, options: { readonly dim: number }] | [options: { readonly input: Tensor; readonly dim: number }]): { readonly values: Tensor; readonly indices: Tensor }
export function cummax(...args: readonly unknown[]): unknown {
  return callOp('cummax', args)
}

/**
 * The running minimum along a dim, and the index of its last occurrence so far; from a NaN on, NaN.
 *
 * Takes any dtype.
 *
 * @param input a tensor
 * @param dim an integer: the dim; negative ones count from the end
 * @returns values, indices: the shape of input; values the dtype of input, indices i64
 * @throws ShapeError when a dim is out of range
 */
export function cummin(input: Tensor, dim: number): { readonly values: Tensor; readonly indices: Tensor }
export function cummin(...args: [input: Tensor, options: { readonly dim: number }] | [options: { readonly input: Tensor; readonly dim: number }]): { readonly values: Tensor; readonly indices: Tensor }
export function cummin(...args: readonly unknown[]): unknown {
  return callOp('cummin', args)
}

/**
 * ln of the running sum of e^input along a dim, without overflow.
 *
 * Takes floats.
 *
 * @param input a tensor
 * @param dim an integer: the dim; negative ones count from the end
 * @returns the shape of input; the dtype of input
 * @throws DtypeError for integers and bool
 * @throws ShapeError when a dim is out of range
 */
export function logcumsumexp(input: Tensor, dim: number): Tensor
export function logcumsumexp(...args: [input: Tensor, options: { readonly dim: number }] | [options: { readonly input: Tensor; readonly dim: number }]): Tensor
export function logcumsumexp(...args: readonly unknown[]): unknown {
  return callOp('logcumsumexp', args)
}

/**
 * The median of all elements, of an even number of them the lower middle one; NaN if any is NaN.
 *
 * Takes any dtype.
 *
 * @param input a tensor
 * @returns 0-d; the dtype of input
 * @throws ShapeError when there are no elements
 */
export function median(input: Tensor): Tensor
export function median(...args: [options: { readonly input: Tensor }]): Tensor
/**
 * The median of the elements along a dim, of an even number of them the lower middle one, and its index; NaN if any is NaN.
 *
 * Takes any dtype.
 *
 * @param input a tensor
 * @param dim an integer: the dim; negative ones count from the end (default -1)
 * @param keepdim true or false: keep the reduced dims, with size 1 (default false)
 * @returns values, indices: the shape of input without dim (keepdim: 1 there); values the dtype of input, indices i64
 * @throws ShapeError when a dim is out of range, or when a reduced dim has no elements
 */
export function median(input: Tensor, dim?: number, keepdim?: boolean): { readonly values: Tensor; readonly indices: Tensor }
/**
 * The median of the elements along a dim, of an even number of them the lower middle one, and its index; NaN if any is NaN.
 *
 * Takes any dtype.
 *
 * @param input a tensor
 * @param dim an integer: the dim; negative ones count from the end (default -1)
 * @param keepdim true or false: keep the reduced dims, with size 1 (default false)
 * @returns values, indices: the shape of input without dim (keepdim: 1 there); values the dtype of input, indices i64
 * @throws ShapeError when a dim is out of range, or when a reduced dim has no elements
 */
export function median(...args: [input: Tensor, dim: number | undefined, options?: { readonly keepdim?: boolean | undefined }] | [input: Tensor, options?: { readonly dim?: number | undefined; readonly keepdim?: boolean | undefined }] | [options: { readonly input: Tensor; readonly dim?: number | undefined; readonly keepdim?: boolean | undefined }]): { readonly values: Tensor; readonly indices: Tensor }
export function median(...args: readonly unknown[]): unknown {
  return callOp('median', args)
}

/**
 * The median of all elements that are not NaN, of an even number of them the lower middle one.
 *
 * Takes any dtype.
 *
 * @param input a tensor
 * @returns 0-d; the dtype of input
 * @throws ShapeError when there are no elements
 */
export function nanmedian(input: Tensor): Tensor
export function nanmedian(...args: [options: { readonly input: Tensor }]): Tensor
/**
 * The median of the elements along a dim that are not NaN, of an even number of them the lower middle one, and its index.
 *
 * Takes any dtype.
 *
 * @param input a tensor
 * @param dim an integer: the dim; negative ones count from the end (default -1)
 * @param keepdim true or false: keep the reduced dims, with size 1 (default false)
 * @returns values, indices: the shape of input without dim (keepdim: 1 there); values the dtype of input, indices i64
 * @throws ShapeError when a dim is out of range, or when a reduced dim has no elements
 */
export function nanmedian(input: Tensor, dim?: number, keepdim?: boolean): { readonly values: Tensor; readonly indices: Tensor }
/**
 * The median of the elements along a dim that are not NaN, of an even number of them the lower middle one, and its index.
 *
 * Takes any dtype.
 *
 * @param input a tensor
 * @param dim an integer: the dim; negative ones count from the end (default -1)
 * @param keepdim true or false: keep the reduced dims, with size 1 (default false)
 * @returns values, indices: the shape of input without dim (keepdim: 1 there); values the dtype of input, indices i64
 * @throws ShapeError when a dim is out of range, or when a reduced dim has no elements
 */
export function nanmedian(...args: [input: Tensor, dim: number | undefined, options?: { readonly keepdim?: boolean | undefined }] | [input: Tensor, options?: { readonly dim?: number | undefined; readonly keepdim?: boolean | undefined }] | [options: { readonly input: Tensor; readonly dim?: number | undefined; readonly keepdim?: boolean | undefined }]): { readonly values: Tensor; readonly indices: Tensor }
export function nanmedian(...args: readonly unknown[]): unknown {
  return callOp('nanmedian', args)
}

/**
 * The k-th smallest value along a dim (k from 1), and its index; NaN counts as largest.
 *
 * Takes any dtype.
 *
 * @param input a tensor
 * @param k an integer of at least 1: which one, from 1 on
 * @param dim an integer: the dim; negative ones count from the end (default -1)
 * @param keepdim true or false: keep the reduced dims, with size 1 (default false)
 * @returns values, indices: the shape of input without dim (keepdim: 1 there); values the dtype of input, indices i64
 * @throws ShapeError when a dim is out of range, or when dim has fewer than k elements
 */
export function kthvalue(input: Tensor, k: number, dim?: number, keepdim?: boolean): { readonly values: Tensor; readonly indices: Tensor }
export function kthvalue(...args: [input: Tensor, k: number, dim: number | undefined, options?: { readonly keepdim?: boolean | undefined }] | [input: Tensor, k: number, options?: { readonly dim?: number | undefined; readonly keepdim?: boolean | undefined }] | [input: Tensor, options: { readonly k: number; readonly dim?: number | undefined; readonly keepdim?: boolean | undefined }] | [options: { readonly input: Tensor; readonly k: number; readonly dim?: number | undefined; readonly keepdim?: boolean | undefined }]): { readonly values: Tensor; readonly indices: Tensor }
export function kthvalue(...args: readonly unknown[]): unknown {
  return callOp('kthvalue', args)
}

/**
 * The most frequent value along a dim (of several the smallest), and the index of its last occurrence.
 *
 * Takes any dtype.
 *
 * @param input a tensor
 * @param dim an integer: the dim; negative ones count from the end (default -1)
 * @param keepdim true or false: keep the reduced dims, with size 1 (default false)
 * @returns values, indices: the shape of input without dim (keepdim: 1 there); values the dtype of input, indices i64
 * @throws ShapeError when a dim is out of range, or when a reduced dim has no elements
 */
export function mode(input: Tensor, dim?: number, keepdim?: boolean): { readonly values: Tensor; readonly indices: Tensor }
export function mode(...args: [input: Tensor, dim: number | undefined, options?: { readonly keepdim?: boolean | undefined }] | [input: Tensor, options?: { readonly dim?: number | undefined; readonly keepdim?: boolean | undefined }] | [options: { readonly input: Tensor; readonly dim?: number | undefined; readonly keepdim?: boolean | undefined }]): { readonly values: Tensor; readonly indices: Tensor }
export function mode(...args: readonly unknown[]): unknown {
  return callOp('mode', args)
}

/**
 * The q-th quantiles (0 ≤ q ≤ 1), of all elements or along a dim; NaN if any is NaN.
 *
 * Takes floats.
 *
 * @param input a tensor
 * @param q a number or a list of numbers: a share from 0 to 1, or several
 * @param dim an integer: the dim to reduce; by default the flattened tensor (optional)
 * @param keepdim true or false: keep the reduced dims, with size 1 (default false)
 * @param interpolation 'linear', 'lower', 'higher', 'midpoint' or 'nearest': the value between two elements: 'linear' interpolation, their 'midpoint', or the 'lower', 'higher' or 'nearest' one (default 'linear')
 * @returns the shape of input without dim (keepdim: 1 there); of a list q a leading dim of its length comes first; the dtype of input
 * @throws ArgumentError when q is not in [0, 1] or empty
 * @throws DtypeError for integers and bool
 * @throws ShapeError when a dim is out of range, or when a reduced dim has no elements
 */
export function quantile(input: Tensor, q: number | readonly number[], dim?: number | null, keepdim?: boolean, options?: { readonly interpolation?: 'linear' | 'lower' | 'higher' | 'midpoint' | 'nearest' | undefined }): Tensor
export function quantile(...args: [input: Tensor, q: number | readonly number[], dim: number | null | undefined, options?: { readonly keepdim?: boolean | undefined; readonly interpolation?: 'linear' | 'lower' | 'higher' | 'midpoint' | 'nearest' | undefined }] | [input: Tensor, q: number | readonly number[], options?: { readonly dim?: number | null | undefined; readonly keepdim?: boolean | undefined; readonly interpolation?: 'linear' | 'lower' | 'higher' | 'midpoint' | 'nearest' | undefined }] | [input: Tensor, options: { readonly q: number | readonly number[]; readonly dim?: number | null | undefined; readonly keepdim?: boolean | undefined; readonly interpolation?: 'linear' | 'lower' | 'higher' | 'midpoint' | 'nearest' | undefined }] | [options: { readonly input: Tensor; readonly q: number | readonly number[]; readonly dim?: number | null | undefined; readonly keepdim?: boolean | undefined; readonly interpolation?: 'linear' | 'lower' | 'higher' | 'midpoint' | 'nearest' | undefined }]): Tensor
export function quantile(...args: readonly unknown[]): unknown {
  return callOp('quantile', args)
}

/**
 * As quantile, ignoring NaN.
 *
 * Takes floats.
 *
 * @param input a tensor
 * @param q a number or a list of numbers: a share from 0 to 1, or several
 * @param dim an integer: the dim to reduce; by default the flattened tensor (optional)
 * @param keepdim true or false: keep the reduced dims, with size 1 (default false)
 * @param interpolation 'linear', 'lower', 'higher', 'midpoint' or 'nearest': the value between two elements: 'linear' interpolation, their 'midpoint', or the 'lower', 'higher' or 'nearest' one (default 'linear')
 * @returns the shape of input without dim (keepdim: 1 there); of a list q a leading dim of its length comes first; the dtype of input
 * @throws ArgumentError when q is not in [0, 1] or empty
 * @throws DtypeError for integers and bool
 * @throws ShapeError when a dim is out of range, or when a reduced dim has no elements
 */
export function nanquantile(input: Tensor, q: number | readonly number[], dim?: number | null, keepdim?: boolean, options?: { readonly interpolation?: 'linear' | 'lower' | 'higher' | 'midpoint' | 'nearest' | undefined }): Tensor
export function nanquantile(...args: [input: Tensor, q: number | readonly number[], dim: number | null | undefined, options?: { readonly keepdim?: boolean | undefined; readonly interpolation?: 'linear' | 'lower' | 'higher' | 'midpoint' | 'nearest' | undefined }] | [input: Tensor, q: number | readonly number[], options?: { readonly dim?: number | null | undefined; readonly keepdim?: boolean | undefined; readonly interpolation?: 'linear' | 'lower' | 'higher' | 'midpoint' | 'nearest' | undefined }] | [input: Tensor, options: { readonly q: number | readonly number[]; readonly dim?: number | null | undefined; readonly keepdim?: boolean | undefined; readonly interpolation?: 'linear' | 'lower' | 'higher' | 'midpoint' | 'nearest' | undefined }] | [options: { readonly input: Tensor; readonly q: number | readonly number[]; readonly dim?: number | null | undefined; readonly keepdim?: boolean | undefined; readonly interpolation?: 'linear' | 'lower' | 'higher' | 'midpoint' | 'nearest' | undefined }]): Tensor
export function nanquantile(...args: readonly unknown[]): unknown {
  return callOp('nanquantile', args)
}

/**
 * e^input / Σ e^input along a dim.
 *
 * Relative to the largest value, so that nothing overflows. A row of −∞ gives NaN.
 * Takes floats; with a float as dtype any.
 *
 * @param input a tensor
 * @param dim an integer: the dim along which the result sums up to 1; negative ones count from the end
 * @param dtype a dtype: the dtype that input is cast to first, and that of the result (optional)
 * @returns the shape of input; the dtype of input unless dtype is given
 * @throws DtypeError for integers and bool, unless dtype is a float
 * @throws ShapeError when a dim is out of range
 */
export function softmax(input: Tensor, dim: number, options?: { readonly dtype?: TensorDtype | null | undefined }): Tensor
export function softmax(...args: [input: Tensor, options: { readonly dim: number; readonly dtype?: TensorDtype | null | undefined }] | [options: { readonly input: Tensor; readonly dim: number; readonly dtype?: TensorDtype | null | undefined }]): Tensor
export function softmax(...args: readonly unknown[]): unknown {
  return callOp('softmax', args)
}

/**
 * softmax(−input): e^−input / Σ e^−input along a dim.
 *
 * Relative to the largest value, so that nothing overflows. A row of −∞ gives NaN.
 * Takes floats; with a float as dtype any.
 *
 * @param input a tensor
 * @param dim an integer: the dim along which the result sums up to 1; negative ones count from the end
 * @param dtype a dtype: the dtype that input is cast to first, and that of the result (optional)
 * @returns the shape of input; the dtype of input unless dtype is given
 * @throws DtypeError for integers and bool, unless dtype is a float
 * @throws ShapeError when a dim is out of range
 */
export function softmin(input: Tensor, dim: number, options?: { readonly dtype?: TensorDtype | null | undefined }): Tensor
export function softmin(...args: [input: Tensor, options: { readonly dim: number; readonly dtype?: TensorDtype | null | undefined }] | [options: { readonly input: Tensor; readonly dim: number; readonly dtype?: TensorDtype | null | undefined }]): Tensor
export function softmin(...args: readonly unknown[]): unknown {
  return callOp('softmin', args)
}

/**
 * ln(softmax(input)) along a dim.
 *
 * Relative to the largest value, so that nothing overflows. A row of −∞ gives NaN.
 * Takes floats; with a float as dtype any.
 *
 * @param input a tensor
 * @param dim an integer: the dim along which the exponentials sum up to 1; negative ones count from the end
 * @param dtype a dtype: the dtype that input is cast to first, and that of the result (optional)
 * @returns the shape of input; the dtype of input unless dtype is given
 * @throws DtypeError for integers and bool, unless dtype is a float
 * @throws ShapeError when a dim is out of range
 */
export function logSoftmax(input: Tensor, dim: number, options?: { readonly dtype?: TensorDtype | null | undefined }): Tensor
export function logSoftmax(...args: [input: Tensor, options: { readonly dim: number; readonly dtype?: TensorDtype | null | undefined }] | [options: { readonly input: Tensor; readonly dim: number; readonly dtype?: TensorDtype | null | undefined }]): Tensor
export function logSoftmax(...args: readonly unknown[]): unknown {
  return callOp('logSoftmax', args)
}

/**
 * (input − mean) / √(variance + eps) · weight + bias over the last dims.
 *
 * The variance divides by n. Ba, Kiros and Hinton, arXiv:1607.06450.
 * Takes floats.
 *
 * @param input a tensor
 * @param normalizedShape a list of integers of at least 0: the sizes of the last dims, which are normalised
 * @param weight a tensor: a factor per element, of shape normalizedShape (optional)
 * @param bias a tensor: a summand per element, of shape normalizedShape (optional)
 * @param eps a number: what is added to the variance (default 1e-5)
 * @returns the shape of input; the dtype of input
 * @throws ArgumentError when normalizedShape is empty
 * @throws DtypeError for integers and bool
 * @throws ShapeError when the last dims are not normalizedShape, or weight or bias has another shape
 */
export function layerNorm(input: Tensor, normalizedShape: readonly SizeLike[], weight?: Tensor | null, bias?: Tensor | null, eps?: number): Tensor
export function layerNorm(...args: [input: Tensor, normalizedShape: readonly SizeLike[], weight: Tensor | null | undefined, bias: Tensor | null | undefined, options?: { readonly eps?: number | undefined }] | [input: Tensor, normalizedShape: readonly SizeLike[], weight: Tensor | null | undefined, options?: { readonly bias?: Tensor | null | undefined; readonly eps?: number | undefined }] | [input: Tensor, normalizedShape: readonly SizeLike[], options?: { readonly weight?: Tensor | null | undefined; readonly bias?: Tensor | null | undefined; readonly eps?: number | undefined }] | [input: Tensor, options: { readonly normalizedShape: readonly SizeLike[]; readonly weight?: Tensor | null | undefined; readonly bias?: Tensor | null | undefined; readonly eps?: number | undefined }] | [options: { readonly input: Tensor; readonly normalizedShape: readonly SizeLike[]; readonly weight?: Tensor | null | undefined; readonly bias?: Tensor | null | undefined; readonly eps?: number | undefined }]): Tensor
export function layerNorm(...args: readonly unknown[]): unknown {
  return callOp('layerNorm', args)
}

/**
 * input / √(mean of input² + eps) · weight over the last dims.
 *
 * Zhang and Sennrich, arXiv:1910.07467.
 * Takes floats.
 *
 * @param input a tensor
 * @param normalizedShape a list of integers of at least 0: the sizes of the last dims, which are normalised
 * @param weight a tensor: a factor per element, of shape normalizedShape (optional)
 * @param eps a number: the distance from 1 to the next f32 unless given (f64 of f64) (optional)
 * @returns the shape of input; the dtype of input
 * @throws ArgumentError when normalizedShape is empty
 * @throws DtypeError for integers and bool
 * @throws ShapeError when the last dims are not normalizedShape, or weight or bias has another shape
 */
export function rmsNorm(input: Tensor, normalizedShape: readonly SizeLike[], weight?: Tensor | null, eps?: number | null): Tensor
export function rmsNorm(...args: [input: Tensor, normalizedShape: readonly SizeLike[], weight: Tensor | null | undefined, options?: { readonly eps?: number | null | undefined }] | [input: Tensor, normalizedShape: readonly SizeLike[], options?: { readonly weight?: Tensor | null | undefined; readonly eps?: number | null | undefined }] | [input: Tensor, options: { readonly normalizedShape: readonly SizeLike[]; readonly weight?: Tensor | null | undefined; readonly eps?: number | null | undefined }] | [options: { readonly input: Tensor; readonly normalizedShape: readonly SizeLike[]; readonly weight?: Tensor | null | undefined; readonly eps?: number | null | undefined }]): Tensor
export function rmsNorm(...args: readonly unknown[]): unknown {
  return callOp('rmsNorm', args)
}

/**
 * (input − mean) / √(variance + eps) over each of numGroups groups of channels, · weight + bias per channel.
 *
 * Takes floats.
 *
 * @param input a tensor
 * @param numGroups an integer of at least 1: into how many groups the channels divide
 * @param weight a tensor: a factor per channel, [C] (optional)
 * @param bias a tensor: a summand per channel, [C] (optional)
 * @param eps a number: what is added to the variance (default 1e-5)
 * @returns the shape of input; the dtype of input
 * @throws DtypeError for integers and bool
 * @throws ShapeError when input is not [N, C, …], numGroups does not divide C, or a vector is not [C]
 */
export function groupNorm(input: Tensor, numGroups: number, weight?: Tensor | null, bias?: Tensor | null, eps?: number): Tensor
export function groupNorm(...args: [input: Tensor, numGroups: number, weight: Tensor | null | undefined, bias: Tensor | null | undefined, options?: { readonly eps?: number | undefined }] | [input: Tensor, numGroups: number, weight: Tensor | null | undefined, options?: { readonly bias?: Tensor | null | undefined; readonly eps?: number | undefined }] | [input: Tensor, numGroups: number, options?: { readonly weight?: Tensor | null | undefined; readonly bias?: Tensor | null | undefined; readonly eps?: number | undefined }] | [input: Tensor, options: { readonly numGroups: number; readonly weight?: Tensor | null | undefined; readonly bias?: Tensor | null | undefined; readonly eps?: number | undefined }] | [options: { readonly input: Tensor; readonly numGroups: number; readonly weight?: Tensor | null | undefined; readonly bias?: Tensor | null | undefined; readonly eps?: number | undefined }]): Tensor
export function groupNorm(...args: readonly unknown[]): unknown {
  return callOp('groupNorm', args)
}

/**
 * (input − mean) / √(variance + eps) per channel, with the running statistics or (training) those of the batch.
 *
 * Takes floats.
 *
 * @param input a tensor
 * @param runningMean a tensor: a mean per channel, [C]
 * @param runningVar a tensor: a variance per channel, [C]
 * @param weight a tensor: a factor per channel, [C] (optional)
 * @param bias a tensor: a summand per channel, [C] (optional)
 * @param training true or false: use the statistics of this batch; runningMean and runningVar, if given, are updated in place (default false)
 * @param momentum a number: the share of the new statistics in the running ones: (1 − momentum) · old + momentum · new, the variance by n − 1 (default 0.1)
 * @param eps a number: what is added to the variance (default 1e-5)
 * @returns the shape of input; the dtype of input
 * @throws ArgumentError when running statistics are missing without training
 * @throws DtypeError for integers and bool
 * @throws ShapeError when input is not [N, C, …], or a vector is not [C]
 */
export function batchNorm(input: Tensor, runningMean: Tensor | null, runningVar: Tensor | null, weight?: Tensor | null, bias?: Tensor | null, training?: boolean, momentum?: number, eps?: number): Tensor
export function batchNorm(...args: [input: Tensor, runningMean: Tensor | null, runningVar: Tensor | null, weight: Tensor | null | undefined, bias: Tensor | null | undefined, training: boolean | undefined, momentum: number | undefined, options?: { readonly eps?: number | undefined }] | [input: Tensor, runningMean: Tensor | null, runningVar: Tensor | null, weight: Tensor | null | undefined, bias: Tensor | null | undefined, training: boolean | undefined, options?: { readonly momentum?: number | undefined; readonly eps?: number | undefined }] | [input: Tensor, runningMean: Tensor | null, runningVar: Tensor | null, weight: Tensor | null | undefined, bias: Tensor | null | undefined, options?: { readonly training?: boolean | undefined; readonly momentum?: number | undefined; readonly eps?: number | undefined }] | [input: Tensor, runningMean: Tensor | null, runningVar: Tensor | null, weight: Tensor | null | undefined, options?: { readonly bias?: Tensor | null | undefined; readonly training?: boolean | undefined; readonly momentum?: number | undefined; readonly eps?: number | undefined }] | [input: Tensor, runningMean: Tensor | null, runningVar: Tensor | null, options?: { readonly weight?: Tensor | null | undefined; readonly bias?: Tensor | null | undefined; readonly training?: boolean | undefined; readonly momentum?: number | undefined; readonly eps?: number | undefined }] | [input: Tensor, runningMean: Tensor | null, options: { readonly runningVar: Tensor | null; readonly weight?: Tensor | null | undefined; readonly bias?: Tensor | null | undefined; readonly training?: boolean | undefined; readonly momentum?: number | undefined; readonly eps?: number | undefined }] | [input: Tensor, options: { readonly runningMean: Tensor | null; readonly runningVar: Tensor | null; readonly weight?: Tensor | null | undefined; readonly bias?: Tensor | null | undefined; readonly training?: boolean | undefined; readonly momentum?: number | undefined; readonly eps?: number | undefined }] | [options: { readonly input: Tensor; readonly runningMean: Tensor | null; readonly runningVar: Tensor | null; readonly weight?: Tensor | null | undefined; readonly bias?: Tensor | null | undefined; readonly training?: boolean | undefined; readonly momentum?: number | undefined; readonly eps?: number | undefined }]): Tensor
export function batchNorm(...args: readonly unknown[]): unknown {
  return callOp('batchNorm', args)
}

/**
 * (input − mean) / √(variance + eps) over the spatial dims, for each channel of each sample, · weight + bias per channel.
 *
 * Takes floats.
 *
 * @param input a tensor
 * @param runningMean a tensor: a mean per channel, [C] (optional)
 * @param runningVar a tensor: a variance per channel, [C] (optional)
 * @param weight a tensor: a factor per channel, [C] (optional)
 * @param bias a tensor: a summand per channel, [C] (optional)
 * @param useInputStats true or false: use the input's own statistics; runningMean and runningVar, if given, are updated in place (default true)
 * @param momentum a number: the share of the new statistics in the running ones: (1 − momentum) · old + momentum · new, the variance by n − 1 (default 0.1)
 * @param eps a number: what is added to the variance (default 1e-5)
 * @returns the shape of input; the dtype of input
 * @throws ArgumentError when running statistics are missing with useInputStats false
 * @throws DtypeError for integers and bool
 * @throws ShapeError when input is not [N, C, …], or a vector is not [C]
 */
export function instanceNorm(input: Tensor, runningMean?: Tensor | null, runningVar?: Tensor | null, weight?: Tensor | null, bias?: Tensor | null, useInputStats?: boolean, momentum?: number, eps?: number): Tensor
export function instanceNorm(...args: [input: Tensor, runningMean: Tensor | null | undefined, runningVar: Tensor | null | undefined, weight: Tensor | null | undefined, bias: Tensor | null | undefined, useInputStats: boolean | undefined, momentum: number | undefined, options?: { readonly eps?: number | undefined }] | [input: Tensor, runningMean: Tensor | null | undefined, runningVar: Tensor | null | undefined, weight: Tensor | null | undefined, bias: Tensor | null | undefined, useInputStats: boolean | undefined, options?: { readonly momentum?: number | undefined; readonly eps?: number | undefined }] | [input: Tensor, runningMean: Tensor | null | undefined, runningVar: Tensor | null | undefined, weight: Tensor | null | undefined, bias: Tensor | null | undefined, options?: { readonly useInputStats?: boolean | undefined; readonly momentum?: number | undefined; readonly eps?: number | undefined }] | [input: Tensor, runningMean: Tensor | null | undefined, runningVar: Tensor | null | undefined, weight: Tensor | null | undefined, options?: { readonly bias?: Tensor | null | undefined; readonly useInputStats?: boolean | undefined; readonly momentum?: number | undefined; readonly eps?: number | undefined }] | [input: Tensor, runningMean: Tensor | null | undefined, runningVar: Tensor | null | undefined, options?: { readonly weight?: Tensor | null | undefined; readonly bias?: Tensor | null | undefined; readonly useInputStats?: boolean | undefined; readonly momentum?: number | undefined; readonly eps?: number | undefined }] | [input: Tensor, runningMean: Tensor | null | undefined, options?: { readonly runningVar?: Tensor | null | undefined; readonly weight?: Tensor | null | undefined; readonly bias?: Tensor | null | undefined; readonly useInputStats?: boolean | undefined; readonly momentum?: number | undefined; readonly eps?: number | undefined }] | [input: Tensor, options?: { readonly runningMean?: Tensor | null | undefined; readonly runningVar?: Tensor | null | undefined; readonly weight?: Tensor | null | undefined; readonly bias?: Tensor | null | undefined; readonly useInputStats?: boolean | undefined; readonly momentum?: number | undefined; readonly eps?: number | undefined }] | [options: { readonly input: Tensor; readonly runningMean?: Tensor | null | undefined; readonly runningVar?: Tensor | null | undefined; readonly weight?: Tensor | null | undefined; readonly bias?: Tensor | null | undefined; readonly useInputStats?: boolean | undefined; readonly momentum?: number | undefined; readonly eps?: number | undefined }]): Tensor
export function instanceNorm(...args: readonly unknown[]): unknown {
  return callOp('instanceNorm', args)
}

/**
 * input / max(‖input‖ₚ, eps) over the dims.
 *
 * Takes floats.
 *
 * @param input a tensor
 * @param p a number: the power of the norm; ±Infinity for the largest (smallest) element (default 2)
 * @param dim an integer or a list of integers: the dims of the vectors (default [1])
 * @param eps a number: a lower bound on the length that is divided by (default 1e-12)
 * @returns the shape of input; the dtype of input
 * @throws DtypeError for integers and bool
 * @throws ShapeError when a dim is out of range, or when p is ±Infinity and dim has no elements
 */
export function normalize(input: Tensor, p?: number, dim?: number | readonly number[], eps?: number): Tensor
export function normalize(...args: [input: Tensor, p: number | undefined, dim: number | readonly number[] | undefined, options?: { readonly eps?: number | undefined }] | [input: Tensor, p: number | undefined, options?: { readonly dim?: number | readonly number[] | undefined; readonly eps?: number | undefined }] | [input: Tensor, options?: { readonly p?: number | undefined; readonly dim?: number | readonly number[] | undefined; readonly eps?: number | undefined }] | [options: { readonly input: Tensor; readonly p?: number | undefined; readonly dim?: number | readonly number[] | undefined; readonly eps?: number | undefined }]): Tensor
export function normalize(...args: readonly unknown[]): unknown {
  return callOp('normalize', args)
}

/**
 * (input − target)², reduced.
 *
 * Takes floats.
 *
 * @param input a tensor
 * @param target a tensor: what input should be, of its shape
 * @param reduction 'mean', 'sum' or 'none': the mean of all losses, their sum, or each (default 'mean')
 * @returns 0-d; with reduction 'none' the shape of input; the dtype of input
 * @throws DtypeError for integers and bool, or when the target is another float than input
 * @throws ShapeError when input and target differ in shape, or a weight does not broadcast to them (PyTorch broadcasts all)
 */
export function mseLoss(input: Tensor, target: Tensor, reduction?: 'mean' | 'sum' | 'none'): Tensor
export function mseLoss(...args: [input: Tensor, target: Tensor, options?: { readonly reduction?: 'mean' | 'sum' | 'none' | undefined }] | [input: Tensor, options: { readonly target: Tensor; readonly reduction?: 'mean' | 'sum' | 'none' | undefined }] | [options: { readonly input: Tensor; readonly target: Tensor; readonly reduction?: 'mean' | 'sum' | 'none' | undefined }]): Tensor
export function mseLoss(...args: readonly unknown[]): unknown {
  return callOp('mseLoss', args)
}

/**
 * |input − target|, reduced.
 *
 * Takes floats.
 *
 * @param input a tensor
 * @param target a tensor: what input should be, of its shape
 * @param reduction 'mean', 'sum' or 'none': the mean of all losses, their sum, or each (default 'mean')
 * @returns 0-d; with reduction 'none' the shape of input; the dtype of input
 * @throws DtypeError for integers and bool, or when the target is another float than input
 * @throws ShapeError when input and target differ in shape, or a weight does not broadcast to them (PyTorch broadcasts all)
 */
export function l1Loss(input: Tensor, target: Tensor, reduction?: 'mean' | 'sum' | 'none'): Tensor
export function l1Loss(...args: [input: Tensor, target: Tensor, options?: { readonly reduction?: 'mean' | 'sum' | 'none' | undefined }] | [input: Tensor, options: { readonly target: Tensor; readonly reduction?: 'mean' | 'sum' | 'none' | undefined }] | [options: { readonly input: Tensor; readonly target: Tensor; readonly reduction?: 'mean' | 'sum' | 'none' | undefined }]): Tensor
export function l1Loss(...args: readonly unknown[]): unknown {
  return callOp('l1Loss', args)
}

/**
 * With d = |input − target|: d² / (2 beta) below beta, d − beta / 2 above, reduced.
 *
 * Takes floats.
 *
 * @param input a tensor
 * @param target a tensor: what input should be, of its shape
 * @param reduction 'mean', 'sum' or 'none': the mean of all losses, their sum, or each (default 'mean')
 * @param beta a number: where the quadratic part ends, positive (default 1)
 * @returns 0-d; with reduction 'none' the shape of input; the dtype of input
 * @throws ArgumentError when beta is not positive
 * @throws DtypeError for integers and bool, or when the target is another float than input
 * @throws ShapeError when input and target differ in shape, or a weight does not broadcast to them (PyTorch broadcasts all)
 */
export function smoothL1Loss(input: Tensor, target: Tensor, reduction?: 'mean' | 'sum' | 'none', beta?: number): Tensor
export function smoothL1Loss(...args: [input: Tensor, target: Tensor, reduction: 'mean' | 'sum' | 'none' | undefined, options?: { readonly beta?: number | undefined }] | [input: Tensor, target: Tensor, options?: { readonly reduction?: 'mean' | 'sum' | 'none' | undefined; readonly beta?: number | undefined }] | [input: Tensor, options: { readonly target: Tensor; readonly reduction?: 'mean' | 'sum' | 'none' | undefined; readonly beta?: number | undefined }] | [options: { readonly input: Tensor; readonly target: Tensor; readonly reduction?: 'mean' | 'sum' | 'none' | undefined; readonly beta?: number | undefined }]): Tensor
export function smoothL1Loss(...args: readonly unknown[]): unknown {
  return callOp('smoothL1Loss', args)
}

/**
 * With d = |input − target|: d² / 2 up to delta, delta · (d − delta / 2) above, reduced.
 *
 * Takes floats.
 *
 * @param input a tensor
 * @param target a tensor: what input should be, of its shape
 * @param reduction 'mean', 'sum' or 'none': the mean of all losses, their sum, or each (default 'mean')
 * @param delta a number: where the quadratic part ends, positive (default 1)
 * @returns 0-d; with reduction 'none' the shape of input; the dtype of input
 * @throws ArgumentError when delta is not positive
 * @throws DtypeError for integers and bool, or when the target is another float than input
 * @throws ShapeError when input and target differ in shape, or a weight does not broadcast to them (PyTorch broadcasts all)
 */
export function huberLoss(input: Tensor, target: Tensor, reduction?: 'mean' | 'sum' | 'none', delta?: number): Tensor
export function huberLoss(...args: [input: Tensor, target: Tensor, reduction: 'mean' | 'sum' | 'none' | undefined, options?: { readonly delta?: number | undefined }] | [input: Tensor, target: Tensor, options?: { readonly reduction?: 'mean' | 'sum' | 'none' | undefined; readonly delta?: number | undefined }] | [input: Tensor, options: { readonly target: Tensor; readonly reduction?: 'mean' | 'sum' | 'none' | undefined; readonly delta?: number | undefined }] | [options: { readonly input: Tensor; readonly target: Tensor; readonly reduction?: 'mean' | 'sum' | 'none' | undefined; readonly delta?: number | undefined }]): Tensor
export function huberLoss(...args: readonly unknown[]): unknown {
  return callOp('huberLoss', args)
}

/**
 * −(target · ln input + (1 − target) · ln(1 − input)), logarithms clamped to at least −100, reduced.
 *
 * Takes floats.
 *
 * @param input a tensor
 * @param target a tensor: what input should be, of its shape
 * @param weight a tensor: a factor per element (broadcasts) (optional)
 * @param reduction 'mean', 'sum' or 'none': the mean of all losses, their sum, or each (default 'mean')
 * @returns 0-d; with reduction 'none' the shape of input; the dtype of input
 * @throws DtypeError for integers and bool, or when the target is another float than input
 * @throws ShapeError when input and target differ in shape, or a weight does not broadcast to them (PyTorch broadcasts all)
 */
export function binaryCrossEntropy(input: Tensor, target: Tensor, weight?: Tensor | null, reduction?: 'mean' | 'sum' | 'none'): Tensor
export function binaryCrossEntropy(...args: [input: Tensor, target: Tensor, weight: Tensor | null | undefined, options?: { readonly reduction?: 'mean' | 'sum' | 'none' | undefined }] | [input: Tensor, target: Tensor, options?: { readonly weight?: Tensor | null | undefined; readonly reduction?: 'mean' | 'sum' | 'none' | undefined }] | [input: Tensor, options: { readonly target: Tensor; readonly weight?: Tensor | null | undefined; readonly reduction?: 'mean' | 'sum' | 'none' | undefined }] | [options: { readonly input: Tensor; readonly target: Tensor; readonly weight?: Tensor | null | undefined; readonly reduction?: 'mean' | 'sum' | 'none' | undefined }]): Tensor
export function binaryCrossEntropy(...args: readonly unknown[]): unknown {
  return callOp('binaryCrossEntropy', args)
}

/**
 * binaryCrossEntropy of sigmoid(input), computed without overflow.
 *
 * Takes floats.
 *
 * @param input a tensor
 * @param target a tensor: what input should be, of its shape
 * @param weight a tensor: a factor per element (broadcasts) (optional)
 * @param reduction 'mean', 'sum' or 'none': the mean of all losses, their sum, or each (default 'mean')
 * @param posWeight a tensor: a factor on the loss of positive targets (broadcasts) (optional)
 * @returns 0-d; with reduction 'none' the shape of input; the dtype of input
 * @throws DtypeError for integers and bool, or when the target is another float than input
 * @throws ShapeError when input and target differ in shape, or a weight does not broadcast to them (PyTorch broadcasts all)
 */
export function binaryCrossEntropyWithLogits(input: Tensor, target: Tensor, weight?: Tensor | null, reduction?: 'mean' | 'sum' | 'none', posWeight?: Tensor | null): Tensor
export function binaryCrossEntropyWithLogits(...args: [input: Tensor, target: Tensor, weight: Tensor | null | undefined, reduction: 'mean' | 'sum' | 'none' | undefined, options?: { readonly posWeight?: Tensor | null | undefined }] | [input: Tensor, target: Tensor, weight: Tensor | null | undefined, options?: { readonly reduction?: 'mean' | 'sum' | 'none' | undefined; readonly posWeight?: Tensor | null | undefined }] | [input: Tensor, target: Tensor, options?: { readonly weight?: Tensor | null | undefined; readonly reduction?: 'mean' | 'sum' | 'none' | undefined; readonly posWeight?: Tensor | null | undefined }] | [input: Tensor, options: { readonly target: Tensor; readonly weight?: Tensor | null | undefined; readonly reduction?: 'mean' | 'sum' | 'none' | undefined; readonly posWeight?: Tensor | null | undefined }] | [options: { readonly input: Tensor; readonly target: Tensor; readonly weight?: Tensor | null | undefined; readonly reduction?: 'mean' | 'sum' | 'none' | undefined; readonly posWeight?: Tensor | null | undefined }]): Tensor
export function binaryCrossEntropyWithLogits(...args: readonly unknown[]): unknown {
  return callOp('binaryCrossEntropyWithLogits', args)
}

/**
 * target · (ln target − input), input holds log-probabilities (with logTarget the target does too); reduction may be 'batchmean'.
 *
 * Takes floats.
 *
 * @param input a tensor
 * @param target a tensor: what input should be, of its shape
 * @param reduction 'mean', 'sum', 'none' or 'batchmean': the mean of all losses, their sum, each, or their sum over the size of the batch (default 'mean')
 * @param logTarget true or false: the target holds logarithms too (default false)
 * @returns 0-d; with reduction 'none' the shape of input; the dtype of input
 * @throws DtypeError for integers and bool, or when the target is another float than input
 * @throws ShapeError when input and target differ in shape, or a weight does not broadcast to them (PyTorch broadcasts all)
 */
export function klDiv(input: Tensor, target: Tensor, reduction?: 'mean' | 'sum' | 'none' | 'batchmean', logTarget?: boolean): Tensor
export function klDiv(...args: [input: Tensor, target: Tensor, reduction: 'mean' | 'sum' | 'none' | 'batchmean' | undefined, options?: { readonly logTarget?: boolean | undefined }] | [input: Tensor, target: Tensor, options?: { readonly reduction?: 'mean' | 'sum' | 'none' | 'batchmean' | undefined; readonly logTarget?: boolean | undefined }] | [input: Tensor, options: { readonly target: Tensor; readonly reduction?: 'mean' | 'sum' | 'none' | 'batchmean' | undefined; readonly logTarget?: boolean | undefined }] | [options: { readonly input: Tensor; readonly target: Tensor; readonly reduction?: 'mean' | 'sum' | 'none' | 'batchmean' | undefined; readonly logTarget?: boolean | undefined }]): Tensor
export function klDiv(...args: readonly unknown[]): unknown {
  return callOp('klDiv', args)
}

/**
 * −weight[target] · input[target] of log-probabilities [N, C, …]; the mean divides by the sum of the weights of the targets that count.
 *
 * A class out of range is an error on a CPU outside of compile, elsewhere its loss is NaN.
 * Takes floats.
 *
 * @param input a tensor: log-probabilities [N, C, …] or [C]
 * @param target a tensor: class indices [N, …], or 0-d for [C]
 * @param weight a tensor: a factor per class, [C] (optional)
 * @param ignoreIndex an integer: targets of this value do not count (default -100)
 * @param reduction 'mean', 'sum' or 'none': the mean of all losses, their sum, or each (default 'mean')
 * @returns 0-d; with reduction 'none' the shape of target; the dtype of input
 * @throws DtypeError for integers and bool, or when the target is no integer
 * @throws ShapeError when the target is not [N, …] (0-d for [C]), or the weight is not [C]
 */
export function nllLoss(input: Tensor, target: Tensor, weight?: Tensor | null, ignoreIndex?: number, reduction?: 'mean' | 'sum' | 'none'): Tensor
export function nllLoss(...args: [input: Tensor, target: Tensor, weight: Tensor | null | undefined, ignoreIndex: number | undefined, options?: { readonly reduction?: 'mean' | 'sum' | 'none' | undefined }] | [input: Tensor, target: Tensor, weight: Tensor | null | undefined, options?: { readonly ignoreIndex?: number | undefined; readonly reduction?: 'mean' | 'sum' | 'none' | undefined }] | [input: Tensor, target: Tensor, options?: { readonly weight?: Tensor | null | undefined; readonly ignoreIndex?: number | undefined; readonly reduction?: 'mean' | 'sum' | 'none' | undefined }] | [input: Tensor, options: { readonly target: Tensor; readonly weight?: Tensor | null | undefined; readonly ignoreIndex?: number | undefined; readonly reduction?: 'mean' | 'sum' | 'none' | undefined }] | [options: { readonly input: Tensor; readonly target: Tensor; readonly weight?: Tensor | null | undefined; readonly ignoreIndex?: number | undefined; readonly reduction?: 'mean' | 'sum' | 'none' | undefined }]): Tensor
export function nllLoss(...args: readonly unknown[]): unknown {
  return callOp('nllLoss', args)
}

/**
 * nllLoss of logSoftmax(input) of [N, C, …]; the target holds class indices, or (floats) probabilities.
 *
 * A class out of range is an error on a CPU outside of compile, elsewhere its loss is NaN.
 * Takes floats.
 *
 * @param input a tensor: a score per class (logits), [N, C, …] or [C]
 * @param target a tensor: class indices [N, …], or (floats) probabilities of the shape of input
 * @param weight a tensor: a factor per class, [C] (optional)
 * @param ignoreIndex an integer: targets of this value do not count (default -100)
 * @param reduction 'mean', 'sum' or 'none': the mean of all losses, their sum, or each (default 'mean')
 * @param labelSmoothing a number: the share of the target, 0 to 1, that is spread over all classes (default 0)
 * @returns 0-d; with reduction 'none' [N, …]; the dtype of input
 * @throws ArgumentError when labelSmoothing is not in [0, 1]
 * @throws DtypeError for integers and bool, or when the target is bool, or another float than input
 * @throws ShapeError when the target is neither [N, …] class indices nor probabilities of the shape of input, or the weight is not [C]
 */
export function crossEntropy(input: Tensor, target: Tensor, weight?: Tensor | null, ignoreIndex?: number, reduction?: 'mean' | 'sum' | 'none', labelSmoothing?: number): Tensor
export function crossEntropy(...args: [input: Tensor, target: Tensor, weight: Tensor | null | undefined, ignoreIndex: number | undefined, reduction: 'mean' | 'sum' | 'none' | undefined, options?: { readonly labelSmoothing?: number | undefined }] | [input: Tensor, target: Tensor, weight: Tensor | null | undefined, ignoreIndex: number | undefined, options?: { readonly reduction?: 'mean' | 'sum' | 'none' | undefined; readonly labelSmoothing?: number | undefined }] | [input: Tensor, target: Tensor, weight: Tensor | null | undefined, options?: { readonly ignoreIndex?: number | undefined; readonly reduction?: 'mean' | 'sum' | 'none' | undefined; readonly labelSmoothing?: number | undefined }] | [input: Tensor, target: Tensor, options?: { readonly weight?: Tensor | null | undefined; readonly ignoreIndex?: number | undefined; readonly reduction?: 'mean' | 'sum' | 'none' | undefined; readonly labelSmoothing?: number | undefined }] | [input: Tensor, options: { readonly target: Tensor; readonly weight?: Tensor | null | undefined; readonly ignoreIndex?: number | undefined; readonly reduction?: 'mean' | 'sum' | 'none' | undefined; readonly labelSmoothing?: number | undefined }] | [options: { readonly input: Tensor; readonly target: Tensor; readonly weight?: Tensor | null | undefined; readonly ignoreIndex?: number | undefined; readonly reduction?: 'mean' | 'sum' | 'none' | undefined; readonly labelSmoothing?: number | undefined }]): Tensor
export function crossEntropy(...args: readonly unknown[]): unknown {
  return callOp('crossEntropy', args)
}

/**
 * Σ x1 · x2 / (max(‖x1‖, eps) · max(‖x2‖, eps)) along a dim.
 *
 * Takes floats.
 *
 * @param x1 a tensor: one tensor
 * @param x2 a tensor: the other; the two broadcast
 * @param dim an integer: the dim; negative ones count from the end (default 1)
 * @param eps a number: a lower bound on each length that is divided by (default 1e-8)
 * @returns the shape that x1 and x2 broadcast to, without dim; the dtype of x1
 * @throws DtypeError for integers and bool, or when x1 and x2 have different dtypes
 * @throws ShapeError when a dim is out of range, or when the shapes do not broadcast, or both are 0-d
 */
export function cosineSimilarity(x1: Tensor, x2: Tensor, dim?: number, eps?: number): Tensor
export function cosineSimilarity(...args: [x1: Tensor, x2: Tensor, dim: number | undefined, options?: { readonly eps?: number | undefined }] | [x1: Tensor, x2: Tensor, options?: { readonly dim?: number | undefined; readonly eps?: number | undefined }] | [x1: Tensor, options: { readonly x2: Tensor; readonly dim?: number | undefined; readonly eps?: number | undefined }] | [options: { readonly x1: Tensor; readonly x2: Tensor; readonly dim?: number | undefined; readonly eps?: number | undefined }]): Tensor
export function cosineSimilarity(...args: readonly unknown[]): unknown {
  return callOp('cosineSimilarity', args)
}

/**
 * e^input − target · input (logInput false: input − target · ln(input + eps)), reduced.
 *
 * Takes floats.
 *
 * @param input a tensor
 * @param target a tensor: what input should be, of its shape
 * @param logInput true or false: input is the logarithm of the expected count, not the count itself (default true)
 * @param full true or false: Stirling's formula for ln target! is added (default false)
 * @param eps a number: what is added before a logarithm (default 1e-8)
 * @param reduction 'mean', 'sum' or 'none': the mean of all losses, their sum, or each (default 'mean')
 * @returns 0-d; with reduction 'none' the shape that the tensors broadcast to; the promoted dtype
 * @throws DtypeError for integers and bool
 * @throws ShapeError when the shapes do not broadcast
 */
export function poissonNllLoss(input: Tensor, target: Tensor, logInput?: boolean, full?: boolean, eps?: number, reduction?: 'mean' | 'sum' | 'none'): Tensor
export function poissonNllLoss(...args: [input: Tensor, target: Tensor, logInput: boolean | undefined, full: boolean | undefined, eps: number | undefined, options?: { readonly reduction?: 'mean' | 'sum' | 'none' | undefined }] | [input: Tensor, target: Tensor, logInput: boolean | undefined, full: boolean | undefined, options?: { readonly eps?: number | undefined; readonly reduction?: 'mean' | 'sum' | 'none' | undefined }] | [input: Tensor, target: Tensor, logInput: boolean | undefined, options?: { readonly full?: boolean | undefined; readonly eps?: number | undefined; readonly reduction?: 'mean' | 'sum' | 'none' | undefined }] | [input: Tensor, target: Tensor, options?: { readonly logInput?: boolean | undefined; readonly full?: boolean | undefined; readonly eps?: number | undefined; readonly reduction?: 'mean' | 'sum' | 'none' | undefined }] | [input: Tensor, options: { readonly target: Tensor; readonly logInput?: boolean | undefined; readonly full?: boolean | undefined; readonly eps?: number | undefined; readonly reduction?: 'mean' | 'sum' | 'none' | undefined }] | [options: { readonly input: Tensor; readonly target: Tensor; readonly logInput?: boolean | undefined; readonly full?: boolean | undefined; readonly eps?: number | undefined; readonly reduction?: 'mean' | 'sum' | 'none' | undefined }]): Tensor
export function poissonNllLoss(...args: readonly unknown[]): unknown {
  return callOp('poissonNllLoss', args)
}

/**
 * (ln v + (input − target)² / v) / 2 with v = max(variance, eps), plus ln(2π) / 2 with full, reduced.
 *
 * Takes floats.
 *
 * @param input a tensor
 * @param target a tensor: what input should be, of its shape
 * @param variance a tensor: the variance of each, at least 0
 * @param full true or false: ln(2π) / 2 is added (default false)
 * @param eps a number: a lower bound on the variance (default 1e-6)
 * @param reduction 'mean', 'sum' or 'none': the mean of all losses, their sum, or each (default 'mean')
 * @returns 0-d; with reduction 'none' the shape that the tensors broadcast to; the promoted dtype
 * @throws DtypeError for integers and bool
 * @throws ShapeError when the shapes do not broadcast
 */
export function gaussianNllLoss(input: Tensor, target: Tensor, variance: Tensor, full?: boolean, eps?: number, reduction?: 'mean' | 'sum' | 'none'): Tensor
export function gaussianNllLoss(...args: [input: Tensor, target: Tensor, variance: Tensor, full: boolean | undefined, eps: number | undefined, options?: { readonly reduction?: 'mean' | 'sum' | 'none' | undefined }] | [input: Tensor, target: Tensor, variance: Tensor, full: boolean | undefined, options?: { readonly eps?: number | undefined; readonly reduction?: 'mean' | 'sum' | 'none' | undefined }] | [input: Tensor, target: Tensor, variance: Tensor, options?: { readonly full?: boolean | undefined; readonly eps?: number | undefined; readonly reduction?: 'mean' | 'sum' | 'none' | undefined }] | [input: Tensor, target: Tensor, options: { readonly variance: Tensor; readonly full?: boolean | undefined; readonly eps?: number | undefined; readonly reduction?: 'mean' | 'sum' | 'none' | undefined }] | [input: Tensor, options: { readonly target: Tensor; readonly variance: Tensor; readonly full?: boolean | undefined; readonly eps?: number | undefined; readonly reduction?: 'mean' | 'sum' | 'none' | undefined }] | [options: { readonly input: Tensor; readonly target: Tensor; readonly variance: Tensor; readonly full?: boolean | undefined; readonly eps?: number | undefined; readonly reduction?: 'mean' | 'sum' | 'none' | undefined }]): Tensor
export function gaussianNllLoss(...args: readonly unknown[]): unknown {
  return callOp('gaussianNllLoss', args)
}

/**
 * ln(1 + e^(−target · input)), reduced; targets are 1 or −1.
 *
 * Takes floats.
 *
 * @param input a tensor
 * @param target a tensor: 1 or −1
 * @param reduction 'mean', 'sum' or 'none': the mean of all losses, their sum, or each (default 'mean')
 * @returns 0-d; with reduction 'none' the shape that the tensors broadcast to; the promoted dtype
 * @throws DtypeError for integers and bool
 * @throws ShapeError when the shapes do not broadcast
 */
export function softMarginLoss(input: Tensor, target: Tensor, reduction?: 'mean' | 'sum' | 'none'): Tensor
export function softMarginLoss(...args: [input: Tensor, target: Tensor, options?: { readonly reduction?: 'mean' | 'sum' | 'none' | undefined }] | [input: Tensor, options: { readonly target: Tensor; readonly reduction?: 'mean' | 'sum' | 'none' | undefined }] | [options: { readonly input: Tensor; readonly target: Tensor; readonly reduction?: 'mean' | 'sum' | 'none' | undefined }]): Tensor
export function softMarginLoss(...args: readonly unknown[]): unknown {
  return callOp('softMarginLoss', args)
}

/**
 * input where target is 1, max(0, margin − input) where it is −1, reduced.
 *
 * Takes floats.
 *
 * @param input a tensor
 * @param target a tensor: 1 or −1
 * @param margin a number: how large input should be where the target is −1 (default 1)
 * @param reduction 'mean', 'sum' or 'none': the mean of all losses, their sum, or each (default 'mean')
 * @returns 0-d; with reduction 'none' the shape that the tensors broadcast to; the promoted dtype
 * @throws DtypeError for integers and bool
 * @throws ShapeError when the shapes do not broadcast
 */
export function hingeEmbeddingLoss(input: Tensor, target: Tensor, margin?: number, reduction?: 'mean' | 'sum' | 'none'): Tensor
export function hingeEmbeddingLoss(...args: [input: Tensor, target: Tensor, margin: number | undefined, options?: { readonly reduction?: 'mean' | 'sum' | 'none' | undefined }] | [input: Tensor, target: Tensor, options?: { readonly margin?: number | undefined; readonly reduction?: 'mean' | 'sum' | 'none' | undefined }] | [input: Tensor, options: { readonly target: Tensor; readonly margin?: number | undefined; readonly reduction?: 'mean' | 'sum' | 'none' | undefined }] | [options: { readonly input: Tensor; readonly target: Tensor; readonly margin?: number | undefined; readonly reduction?: 'mean' | 'sum' | 'none' | undefined }]): Tensor
export function hingeEmbeddingLoss(...args: readonly unknown[]): unknown {
  return callOp('hingeEmbeddingLoss', args)
}

/**
 * max(0, −target · (input1 − input2) + margin), reduced; target 1 where input1 should be the larger, −1 where the smaller.
 *
 * Takes floats.
 *
 * @param input1 a tensor: one tensor
 * @param input2 a tensor: the other
 * @param target a tensor: 1 or −1
 * @param margin a number: by how much one should be larger (default 0)
 * @param reduction 'mean', 'sum' or 'none': the mean of all losses, their sum, or each (default 'mean')
 * @returns 0-d; with reduction 'none' the shape that the tensors broadcast to; the promoted dtype
 * @throws DtypeError for integers and bool
 * @throws ShapeError when the shapes do not broadcast
 */
export function marginRankingLoss(input1: Tensor, input2: Tensor, target: Tensor, margin?: number, reduction?: 'mean' | 'sum' | 'none'): Tensor
export function marginRankingLoss(...args: [input1: Tensor, input2: Tensor, target: Tensor, margin: number | undefined, options?: { readonly reduction?: 'mean' | 'sum' | 'none' | undefined }] | [input1: Tensor, input2: Tensor, target: Tensor, options?: { readonly margin?: number | undefined; readonly reduction?: 'mean' | 'sum' | 'none' | undefined }] | [input1: Tensor, input2: Tensor, options: { readonly target: Tensor; readonly margin?: number | undefined; readonly reduction?: 'mean' | 'sum' | 'none' | undefined }] | [input1: Tensor, options: { readonly input2: Tensor; readonly target: Tensor; readonly margin?: number | undefined; readonly reduction?: 'mean' | 'sum' | 'none' | undefined }] | [options: { readonly input1: Tensor; readonly input2: Tensor; readonly target: Tensor; readonly margin?: number | undefined; readonly reduction?: 'mean' | 'sum' | 'none' | undefined }]): Tensor
export function marginRankingLoss(...args: readonly unknown[]): unknown {
  return callOp('marginRankingLoss', args)
}

/**
 * The mean over the last dim of −(target · ln σ(input) + (1 − target) · ln σ(−input)) · weight, reduced.
 *
 * Takes floats.
 *
 * @param input a tensor: a score per class, […, C]
 * @param target a tensor: 0 or 1 per class, […, C]
 * @param weight a tensor: a factor per class (broadcasts) (optional)
 * @param reduction 'mean', 'sum' or 'none': the mean of all losses, their sum, or each (default 'mean')
 * @returns 0-d; with reduction 'none' the shape of input without the last dim; the dtype of input
 * @throws DtypeError for integers and bool
 * @throws ShapeError when input is 0-d, input and target differ in shape, or the weight does not broadcast
 */
export function multilabelSoftMarginLoss(input: Tensor, target: Tensor, weight?: Tensor | null, reduction?: 'mean' | 'sum' | 'none'): Tensor
export function multilabelSoftMarginLoss(...args: [input: Tensor, target: Tensor, weight: Tensor | null | undefined, options?: { readonly reduction?: 'mean' | 'sum' | 'none' | undefined }] | [input: Tensor, target: Tensor, options?: { readonly weight?: Tensor | null | undefined; readonly reduction?: 'mean' | 'sum' | 'none' | undefined }] | [input: Tensor, options: { readonly target: Tensor; readonly weight?: Tensor | null | undefined; readonly reduction?: 'mean' | 'sum' | 'none' | undefined }] | [options: { readonly input: Tensor; readonly target: Tensor; readonly weight?: Tensor | null | undefined; readonly reduction?: 'mean' | 'sum' | 'none' | undefined }]): Tensor
export function multilabelSoftMarginLoss(...args: readonly unknown[]): unknown {
  return callOp('multilabelSoftMarginLoss', args)
}

/**
 * Σ over the other classes of max(0, margin − input[target] + input[i])^p / C of [N, C] or [C], reduced.
 *
 * A class out of range is an error on a CPU outside of compile, elsewhere its loss is NaN.
 * Takes floats.
 *
 * @param input a tensor: a score per class, [N, C] or [C]
 * @param target a tensor: class indices [N], or 0-d
 * @param p a number: 1 or 2 (default 1)
 * @param margin a number: by how much the score of the target should be larger (default 1)
 * @param weight a tensor: a factor per class, [C] (optional)
 * @param reduction 'mean', 'sum' or 'none': the mean of all losses, their sum, or each (default 'mean')
 * @returns 0-d; with reduction 'none' [N]; the dtype of input
 * @throws ArgumentError when p is neither 1 nor 2
 * @throws DtypeError for integers and bool, or when the target is no integer
 * @throws ShapeError when the target is not [N], or the weight is not [C]
 */
export function multiMarginLoss(input: Tensor, target: Tensor, p?: number, margin?: number, weight?: Tensor | null, reduction?: 'mean' | 'sum' | 'none'): Tensor
export function multiMarginLoss(...args: [input: Tensor, target: Tensor, p: number | undefined, margin: number | undefined, weight: Tensor | null | undefined, options?: { readonly reduction?: 'mean' | 'sum' | 'none' | undefined }] | [input: Tensor, target: Tensor, p: number | undefined, margin: number | undefined, options?: { readonly weight?: Tensor | null | undefined; readonly reduction?: 'mean' | 'sum' | 'none' | undefined }] | [input: Tensor, target: Tensor, p: number | undefined, options?: { readonly margin?: number | undefined; readonly weight?: Tensor | null | undefined; readonly reduction?: 'mean' | 'sum' | 'none' | undefined }] | [input: Tensor, target: Tensor, options?: { readonly p?: number | undefined; readonly margin?: number | undefined; readonly weight?: Tensor | null | undefined; readonly reduction?: 'mean' | 'sum' | 'none' | undefined }] | [input: Tensor, options: { readonly target: Tensor; readonly p?: number | undefined; readonly margin?: number | undefined; readonly weight?: Tensor | null | undefined; readonly reduction?: 'mean' | 'sum' | 'none' | undefined }] | [options: { readonly input: Tensor; readonly target: Tensor; readonly p?: number | undefined; readonly margin?: number | undefined; readonly weight?: Tensor | null | undefined; readonly reduction?: 'mean' | 'sum' | 'none' | undefined }]): Tensor
export function multiMarginLoss(...args: readonly unknown[]): unknown {
  return callOp('multiMarginLoss', args)
}

/**
 * The sum of max(0, 1 − input[j] + input[i]) / C over pairs of a target class j and another class i, for input [N, C] or [C]; reduced.
 *
 * A class out of range is an error on a CPU outside of compile, elsewhere its loss is NaN.
 * Takes floats.
 *
 * @param input a tensor: a score per class, [N, C] or [C]
 * @param target a tensor: class indices, of the shape of input; those from the first negative one on count for nothing
 * @param reduction 'mean', 'sum' or 'none': the mean of all losses, their sum, or each (default 'mean')
 * @returns 0-d; with reduction 'none' [N]; the dtype of input
 * @throws DtypeError for integers and bool, or when the target is no integer
 * @throws ShapeError when input is neither [N, C] nor [C] or has no classes, or the target has another shape
 */
export function multilabelMarginLoss(input: Tensor, target: Tensor, reduction?: 'mean' | 'sum' | 'none'): Tensor
export function multilabelMarginLoss(...args: [input: Tensor, target: Tensor, options?: { readonly reduction?: 'mean' | 'sum' | 'none' | undefined }] | [input: Tensor, options: { readonly target: Tensor; readonly reduction?: 'mean' | 'sum' | 'none' | undefined }] | [options: { readonly input: Tensor; readonly target: Tensor; readonly reduction?: 'mean' | 'sum' | 'none' | undefined }]): Tensor
export function multilabelMarginLoss(...args: readonly unknown[]): unknown {
  return callOp('multilabelMarginLoss', args)
}

/**
 * The distances (Σ |x − y|^p)^(1/p) of all rows x of x1 [*, P, M] and y of x2 [*, R, M]: [*, P, R].
 *
 * Takes floats.
 *
 * @param x1 a tensor: [*, P, M]
 * @param x2 a tensor: [*, R, M]
 * @param p a number: the power; 0 counts, Infinity is the largest difference (default 2)
 * @returns [*, P, R]; * is what the leading dims broadcast to; the promoted dtype
 * @throws ArgumentError when p is negative
 * @throws DtypeError for integers and bool
 * @throws ShapeError when either has fewer than two dims, or the rows differ in length
 */
export function cdist(x1: Tensor, x2: Tensor, p?: number): Tensor
export function cdist(...args: [x1: Tensor, x2: Tensor, options?: { readonly p?: number | undefined }] | [x1: Tensor, options: { readonly x2: Tensor; readonly p?: number | undefined }] | [options: { readonly x1: Tensor; readonly x2: Tensor; readonly p?: number | undefined }]): Tensor
export function cdist(...args: readonly unknown[]): unknown {
  return callOp('cdist', args)
}

/**
 * (Σ |x1 − x2 + eps|^p)^(1/p) over the last dim.
 *
 * Takes floats.
 *
 * @param x1 a tensor: one tensor
 * @param x2 a tensor: the other
 * @param p a number: the power; 0 counts, Infinity is the largest difference (default 2)
 * @param eps a number: what is added to each difference (default 1e-6)
 * @param keepdim true or false: keep the reduced dims, with size 1 (default false)
 * @returns what x1 and x2 broadcast to, without the last dim (keepdim: 1 there); the promoted dtype
 * @throws ArgumentError when p is negative
 * @throws DtypeError for integers and bool
 * @throws ShapeError when the shapes do not broadcast, or both are 0-d
 */
export function pairwiseDistance(x1: Tensor, x2: Tensor, p?: number, eps?: number, keepdim?: boolean): Tensor
export function pairwiseDistance(...args: [x1: Tensor, x2: Tensor, p: number | undefined, eps: number | undefined, options?: { readonly keepdim?: boolean | undefined }] | [x1: Tensor, x2: Tensor, p: number | undefined, options?: { readonly eps?: number | undefined; readonly keepdim?: boolean | undefined }] | [x1: Tensor, x2: Tensor, options?: { readonly p?: number | undefined; readonly eps?: number | undefined; readonly keepdim?: boolean | undefined }] | [x1: Tensor, options: { readonly x2: Tensor; readonly p?: number | undefined; readonly eps?: number | undefined; readonly keepdim?: boolean | undefined }] | [options: { readonly x1: Tensor; readonly x2: Tensor; readonly p?: number | undefined; readonly eps?: number | undefined; readonly keepdim?: boolean | undefined }]): Tensor
export function pairwiseDistance(...args: readonly unknown[]): unknown {
  return callOp('pairwiseDistance', args)
}

/**
 * (Σ |input − other|^p)^(1/p) over everything.
 *
 * Takes floats.
 *
 * @param input a tensor
 * @param other a tensor: the other operand
 * @param p a number: the power; 0 counts, Infinity is the largest difference (default 2)
 * @returns 0-d; the promoted dtype
 * @throws ArgumentError when p is negative
 * @throws DtypeError for integers and bool
 * @throws ShapeError when the shapes do not broadcast
 */
export function dist(input: Tensor, other: Tensor, p?: number): Tensor
export function dist(...args: [input: Tensor, other: Tensor, options?: { readonly p?: number | undefined }] | [input: Tensor, options: { readonly other: Tensor; readonly p?: number | undefined }] | [options: { readonly input: Tensor; readonly other: Tensor; readonly p?: number | undefined }]): Tensor
export function dist(...args: readonly unknown[]): unknown {
  return callOp('dist', args)
}

/**
 * max(0, d(anchor, positive) − d(anchor, negative) + margin), reduced; d is pairwiseDistance.
 *
 * Takes floats.
 *
 * @param anchor a tensor: what the others are compared with, [*, D]
 * @param positive a tensor: what should be near, [*, D]
 * @param negative a tensor: what should be far, [*, D]
 * @param margin a number: by how much (default 1)
 * @param p a number: the power; 0 counts, Infinity is the largest difference (default 2)
 * @param eps a number: what is added to each difference (default 1e-6)
 * @param swap true or false: the distance of the negative is the smaller of those to the anchor and to the positive (default false)
 * @param reduction 'mean', 'sum' or 'none': the mean of all losses, their sum, or each (default 'mean')
 * @returns 0-d; with reduction 'none' what the tensors broadcast to, without the last dim; the promoted dtype
 * @throws ArgumentError when p is negative
 * @throws DtypeError for integers and bool
 * @throws ShapeError when the shapes do not broadcast, or all are 0-d
 */
export function tripletMarginLoss(anchor: Tensor, positive: Tensor, negative: Tensor, margin?: number, p?: number, eps?: number, swap?: boolean, reduction?: 'mean' | 'sum' | 'none'): Tensor
export function tripletMarginLoss(...args: [anchor: Tensor, positive: Tensor, negative: Tensor, margin: number | undefined, p: number | undefined, eps: number | undefined, swap: boolean | undefined, options?: { readonly reduction?: 'mean' | 'sum' | 'none' | undefined }] | [anchor: Tensor, positive: Tensor, negative: Tensor, margin: number | undefined, p: number | undefined, eps: number | undefined, options?: { readonly swap?: boolean | undefined; readonly reduction?: 'mean' | 'sum' | 'none' | undefined }] | [anchor: Tensor, positive: Tensor, negative: Tensor, margin: number | undefined, p: number | undefined, options?: { readonly eps?: number | undefined; readonly swap?: boolean | undefined; readonly reduction?: 'mean' | 'sum' | 'none' | undefined }] | [anchor: Tensor, positive: Tensor, negative: Tensor, margin: number | undefined, options?: { readonly p?: number | undefined; readonly eps?: number | undefined; readonly swap?: boolean | undefined; readonly reduction?: 'mean' | 'sum' | 'none' | undefined }] | [anchor: Tensor, positive: Tensor, negative: Tensor, options?: { readonly margin?: number | undefined; readonly p?: number | undefined; readonly eps?: number | undefined; readonly swap?: boolean | undefined; readonly reduction?: 'mean' | 'sum' | 'none' | undefined }] | [anchor: Tensor, positive: Tensor, options: { readonly negative: Tensor; readonly margin?: number | undefined; readonly p?: number | undefined; readonly eps?: number | undefined; readonly swap?: boolean | undefined; readonly reduction?: 'mean' | 'sum' | 'none' | undefined }] | [anchor: Tensor, options: { readonly positive: Tensor; readonly negative: Tensor; readonly margin?: number | undefined; readonly p?: number | undefined; readonly eps?: number | undefined; readonly swap?: boolean | undefined; readonly reduction?: 'mean' | 'sum' | 'none' | undefined }] | [options: { readonly anchor: Tensor; readonly positive: Tensor; readonly negative: Tensor; readonly margin?: number | undefined; readonly p?: number | undefined; readonly eps?: number | undefined; readonly swap?: boolean | undefined; readonly reduction?: 'mean' | 'sum' | 'none' | undefined }]): Tensor
export function tripletMarginLoss(...args: readonly unknown[]): unknown {
  return callOp('tripletMarginLoss', args)
}

/**
 * 1 − cos(input1, input2) where target is 1, max(0, cos(input1, input2) − margin) where it is −1, reduced.
 *
 * Takes floats.
 *
 * @param input1 a tensor: vectors [N, D] or [D]
 * @param input2 a tensor: vectors of the same shape
 * @param target a tensor: [N] or 0-d: 1 where they should be alike, −1 where not
 * @param margin a number: the cosine that is allowed where not (default 0)
 * @param reduction 'mean', 'sum' or 'none': the mean of all losses, their sum, or each (default 'mean')
 * @returns 0-d; with reduction 'none' the shape of the vectors without the last dim; the promoted dtype of input1 and input2
 * @throws DtypeError for integers and bool
 * @throws ShapeError when the shapes do not broadcast, or the inputs are 0-d
 */
export function cosineEmbeddingLoss(input1: Tensor, input2: Tensor, target: Tensor, margin?: number, reduction?: 'mean' | 'sum' | 'none'): Tensor
export function cosineEmbeddingLoss(...args: [input1: Tensor, input2: Tensor, target: Tensor, margin: number | undefined, options?: { readonly reduction?: 'mean' | 'sum' | 'none' | undefined }] | [input1: Tensor, input2: Tensor, target: Tensor, options?: { readonly margin?: number | undefined; readonly reduction?: 'mean' | 'sum' | 'none' | undefined }] | [input1: Tensor, input2: Tensor, options: { readonly target: Tensor; readonly margin?: number | undefined; readonly reduction?: 'mean' | 'sum' | 'none' | undefined }] | [input1: Tensor, options: { readonly input2: Tensor; readonly target: Tensor; readonly margin?: number | undefined; readonly reduction?: 'mean' | 'sum' | 'none' | undefined }] | [options: { readonly input1: Tensor; readonly input2: Tensor; readonly target: Tensor; readonly margin?: number | undefined; readonly reduction?: 'mean' | 'sum' | 'none' | undefined }]): Tensor
export function cosineEmbeddingLoss(...args: readonly unknown[]): unknown {
  return callOp('cosineEmbeddingLoss', args)
}

/**
 * The same elements in row-major order in another shape; one size may be −1 and is inferred.
 *
 * A view where the layout of input allows it, else a copy.
 * Takes any dtype.
 *
 * @param input a tensor
 * @param shape a list of integers of at least 0, or −1 for one that follows from the others: the sizes of the result, one by one or as a list; one may be −1: it follows from the others
 * @returns the shape asked for; the dtype of input
 * @throws ShapeError when the number of elements differs, or more than one size is −1
 */
export function reshape(input: Tensor, shape: readonly SizeLike[]): Tensor
export function reshape(input: Tensor, ...shape: readonly (SizeLike)[]): Tensor
export function reshape(...args: [input: Tensor, options: { readonly shape: readonly SizeLike[] }] | [options: { readonly input: Tensor; readonly shape: readonly SizeLike[] }]): Tensor
export function reshape(...args: readonly unknown[]): unknown {
  return callOp('reshape', args)
}

/**
 * input with dims of size 1 repeated and leading dims added; −1 keeps a size.
 *
 * A view: the repeated elements share memory, so in-place ops on it throw.
 * Takes any dtype.
 *
 * @param input a tensor
 * @param sizes a list of integers of at least 0, or −1 for one that follows from the others: the sizes of the result, one by one or as a list; −1 keeps that of input
 * @returns the shape asked for; the dtype of input
 * @throws ShapeError when a size other than 1 changes, or there are fewer sizes than dims
 */
export function expand(input: Tensor, sizes: readonly SizeLike[]): Tensor
export function expand(input: Tensor, ...sizes: readonly (SizeLike)[]): Tensor
export function expand(...args: [input: Tensor, options: { readonly sizes: readonly SizeLike[] }] | [options: { readonly input: Tensor; readonly sizes: readonly SizeLike[] }]): Tensor
export function expand(...args: readonly unknown[]): unknown {
  return callOp('expand', args)
}

/**
 * input with dims of size 1 repeated and leading dims added; −1 keeps a size.
 *
 * A view: the repeated elements share memory, so in-place ops on it throw.
 * Takes any dtype.
 *
 * @param input a tensor
 * @param shape a list of integers of at least 0, or −1 for one that follows from the others: the sizes of the result, one by one or as a list; −1 keeps that of input
 * @returns the shape asked for; the dtype of input
 * @throws ShapeError when a size other than 1 changes, or there are fewer sizes than dims
 */
export function broadcastTo(input: Tensor, shape: readonly SizeLike[]): Tensor
export function broadcastTo(input: Tensor, ...shape: readonly (SizeLike)[]): Tensor
export function broadcastTo(...args: [input: Tensor, options: { readonly shape: readonly SizeLike[] }] | [options: { readonly input: Tensor; readonly shape: readonly SizeLike[] }]): Tensor
export function broadcastTo(...args: readonly unknown[]): unknown {
  return callOp('broadcastTo', args)
}

/**
 * input with the dims from startDim to endDim merged into one.
 *
 * A view where the layout allows it, else a copy.
 * Takes any dtype.
 *
 * @param input a tensor
 * @param startDim an integer: the first of the dims (default 0)
 * @param endDim an integer: the last of the dims (default -1)
 * @returns input with the sizes from startDim to endDim multiplied into one; [1] of a 0-d tensor; the dtype of input
 * @throws ShapeError when a dim is out of range, or when startDim comes after endDim
 */
export function flatten(input: Tensor, startDim?: number, endDim?: number): Tensor
export function flatten(...args: [input: Tensor, startDim: number | undefined, options?: { readonly endDim?: number | undefined }] | [input: Tensor, options?: { readonly startDim?: number | undefined; readonly endDim?: number | undefined }] | [options: { readonly input: Tensor; readonly startDim?: number | undefined; readonly endDim?: number | undefined }]): Tensor
export function flatten(...args: readonly unknown[]): unknown {
  return callOp('flatten', args)
}

/**
 * input flattened to one dim, in row-major order.
 *
 * A view where the layout allows it, else a copy.
 * Takes any dtype.
 *
 * @param input a tensor
 * @returns [n], n the number of elements; the dtype of input
 */
export function ravel(input: Tensor): Tensor
export function ravel(...args: [options: { readonly input: Tensor }]): Tensor
export function ravel(...args: readonly unknown[]): unknown {
  return callOp('ravel', args)
}

/**
 * input without its dims of size 1, or without the given ones where they have size 1.
 *
 * A view.
 * Takes any dtype.
 *
 * @param input a tensor
 * @param dim an integer or a list of integers: which dims; by default all. Those of another size stay (optional)
 * @returns the shape of input without those dims; the dtype of input
 * @throws ShapeError when a dim is out of range
 */
export function squeeze(input: Tensor, dim?: number | readonly number[] | null): Tensor
export function squeeze(...args: [input: Tensor, options?: { readonly dim?: number | readonly number[] | null | undefined }] | [options: { readonly input: Tensor; readonly dim?: number | readonly number[] | null | undefined }]): Tensor
export function squeeze(...args: readonly unknown[]): unknown {
  return callOp('squeeze', args)
}

/**
 * input with a new dim of size 1 before dim.
 *
 * A view.
 * Takes any dtype.
 *
 * @param input a tensor
 * @param dim an integer: the index of the new dim in the result; negative ones count from its end
 * @returns the shape of input with a 1 at dim; the dtype of input
 * @throws ShapeError when a dim is out of range
 */
export function unsqueeze(input: Tensor, dim: number): Tensor
export function unsqueeze(...args: [input: Tensor, options: { readonly dim: number }] | [options: { readonly input: Tensor; readonly dim: number }]): Tensor
export function unsqueeze(...args: readonly unknown[]): unknown {
  return callOp('unsqueeze', args)
}

/**
 * input with its dims in another order.
 *
 * A view.
 * Takes any dtype.
 *
 * @param input a tensor
 * @param dims a list of integers: every dim once, in the new order
 * @returns [input.shape[dims[0]], input.shape[dims[1]], …]; the dtype of input
 * @throws ShapeError when dims is no order of all dims
 */
export function permute(input: Tensor, dims: readonly number[]): Tensor
export function permute(input: Tensor, ...dims: readonly (number)[]): Tensor
export function permute(...args: [input: Tensor, options: { readonly dims: readonly number[] }] | [options: { readonly input: Tensor; readonly dims: readonly number[] }]): Tensor
export function permute(...args: readonly unknown[]): unknown {
  return callOp('permute', args)
}

/**
 * input with two dims swapped.
 *
 * A view.
 * Takes any dtype.
 *
 * @param input a tensor
 * @param dim0 an integer: one dim; negative ones count from the end
 * @param dim1 an integer: one dim; negative ones count from the end
 * @returns the shape of input with dim0 and dim1 swapped; the dtype of input
 * @throws ShapeError when a dim is out of range
 */
export function transpose(input: Tensor, dim0: number, dim1: number): Tensor
export function transpose(...args: [input: Tensor, dim0: number, options: { readonly dim1: number }] | [input: Tensor, options: { readonly dim0: number; readonly dim1: number }] | [options: { readonly input: Tensor; readonly dim0: number; readonly dim1: number }]): Tensor
export function transpose(...args: readonly unknown[]): unknown {
  return callOp('transpose', args)
}

/** As `transpose`: input with two dims swapped. */
export const swapaxes: typeof transpose = (...args: readonly unknown[]) => callOp('swapaxes', args) as never

/** As `transpose`: input with two dims swapped. */
export const swapdims: typeof transpose = (...args: readonly unknown[]) => callOp('swapdims', args) as never

/**
 * The transpose of a matrix; tensors of fewer dims stay as they are.
 *
 * A view.
 * Takes any dtype.
 *
 * @param input a tensor
 * @returns [N, M] of [M, N]; the dtype of input
 * @throws ShapeError when input has more than two dims
 */
export function t(input: Tensor): Tensor
export function t(...args: [options: { readonly input: Tensor }]): Tensor
export function t(...args: readonly unknown[]): unknown {
  return callOp('t', args)
}

/**
 * A part of input: for each dim an index, [start, end, step], or null for all of it.
 *
 * A view. Ends beyond the dim are cut, as in Python.
 * Takes any dtype.
 *
 * @param input a tensor
 * @param ranges an index, [start, end, step], null or 'all': per dim, from the first on: an index (negative from the end), [start, end, step] with step ≥ 1, or null for all (default [])
 * @returns one size per range, its length; dims picked by an index are removed, dims without a range keep their size; the dtype of input
 * @throws ArgumentError when a step is below 1
 * @throws ShapeError when there are more ranges than dims, or an index is out of range
 */
export function slice(input: Tensor, ...ranges: readonly (Range)[]): Tensor
export function slice(...args: [input: Tensor, options?: { readonly ranges?: readonly (Range)[] | undefined }] | [options: { readonly input: Tensor; readonly ranges?: readonly (Range)[] | undefined }]): Tensor
export function slice(...args: readonly unknown[]): unknown {
  return callOp('slice', args)
}

/**
 * The elements from start to start + length along a dim.
 *
 * A view.
 * Takes any dtype.
 *
 * @param input a tensor
 * @param dim an integer: the dim; negative ones count from the end
 * @param start an integer, or a 0-d tensor of one: the first position; negative counts from the end; a tensor is read
 * @param length an integer of at least 0: how many
 * @returns the shape of input with length at dim; the dtype of input
 * @throws ShapeError when a dim is out of range, or when start + length reaches beyond the dim, or input is 0-d
 */
export function narrow(input: Tensor, dim: number, start: IndexLike | Tensor, length: SizeLike): Tensor
export function narrow(...args: [input: Tensor, dim: number, start: IndexLike | Tensor, options: { readonly length: SizeLike }] | [input: Tensor, dim: number, options: { readonly start: IndexLike | Tensor; readonly length: SizeLike }] | [input: Tensor, options: { readonly dim: number; readonly start: IndexLike | Tensor; readonly length: SizeLike }] | [options: { readonly input: Tensor; readonly dim: number; readonly start: IndexLike | Tensor; readonly length: SizeLike }]): Tensor
export function narrow(...args: readonly unknown[]): unknown {
  return callOp('narrow', args)
}

/**
 * input at one index of a dim, without that dim.
 *
 * A view.
 * Takes any dtype.
 *
 * @param input a tensor
 * @param dim an integer: the dim; negative ones count from the end
 * @param index an integer, or a 0-d tensor of one: the position along the dim; negative counts from the end; a tensor is read
 * @returns the shape of input without dim; the dtype of input
 * @throws ShapeError when a dim is out of range, or when index is out of range, or input is 0-d
 */
export function select(input: Tensor, dim: number, index: IndexLike | Tensor): Tensor
export function select(...args: [input: Tensor, dim: number, options: { readonly index: IndexLike | Tensor }] | [input: Tensor, options: { readonly dim: number; readonly index: IndexLike | Tensor }] | [options: { readonly input: Tensor; readonly dim: number; readonly index: IndexLike | Tensor }]): Tensor
export function select(...args: readonly unknown[]): unknown {
  return callOp('select', args)
}

/**
 * input with the elements along the dims in reverse order.
 *
 * A copy, as in PyTorch.
 * Takes any dtype.
 *
 * @param input a tensor
 * @param dims an integer or a list of integers: the dims; negative ones count from the end
 * @returns the shape of input; the dtype of input
 * @throws ShapeError when a dim is out of range, or when a dim appears twice
 */
export function flip(input: Tensor, dims: number | readonly number[]): Tensor
export function flip(input: Tensor, ...dims: readonly (number)[]): Tensor
export function flip(...args: [input: Tensor, options: { readonly dims: number | readonly number[] }] | [options: { readonly input: Tensor; readonly dims: number | readonly number[] }]): Tensor
export function flip(...args: readonly unknown[]): unknown {
  return callOp('flip', args)
}

/**
 * input with one dim split into several; one of the sizes may be −1.
 *
 * A view where the layout allows it.
 * Takes any dtype.
 *
 * @param input a tensor
 * @param dim an integer: the dim; negative ones count from the end
 * @param sizes a list of integers of at least 0, or −1 for one that follows from the others: the sizes; −1 stands for one that follows
 * @returns the shape of input with sizes in place of dim; the dtype of input
 * @throws ArgumentError when sizes is empty or has more than one −1
 * @throws ShapeError when a dim is out of range, or when the sizes do not multiply to that of dim
 */
export function unflatten(input: Tensor, dim: number, sizes: readonly SizeLike[]): Tensor
export function unflatten(...args: [input: Tensor, dim: number, options: { readonly sizes: readonly SizeLike[] }] | [input: Tensor, options: { readonly dim: number; readonly sizes: readonly SizeLike[] }] | [options: { readonly input: Tensor; readonly dim: number; readonly sizes: readonly SizeLike[] }]): Tensor
export function unflatten(...args: readonly unknown[]): unknown {
  return callOp('unflatten', args)
}

/**
 * input with dims moved to other positions; the others keep their order.
 *
 * A view.
 * Takes any dtype.
 *
 * @param input a tensor
 * @param source an integer or a list of integers: the dims that move
 * @param destination an integer or a list of integers: where they go, one for each
 * @returns the shape of input in the new order; the dtype of input
 * @throws ArgumentError when the two lists differ in length
 * @throws ShapeError when a dim is out of range, or when a dim appears twice
 */
export function movedim(input: Tensor, source: number | readonly number[], destination: number | readonly number[]): Tensor
export function movedim(...args: [input: Tensor, source: number | readonly number[], options: { readonly destination: number | readonly number[] }] | [input: Tensor, options: { readonly source: number | readonly number[]; readonly destination: number | readonly number[] }] | [options: { readonly input: Tensor; readonly source: number | readonly number[]; readonly destination: number | readonly number[] }]): Tensor
export function movedim(...args: readonly unknown[]): unknown {
  return callOp('movedim', args)
}

/** As `movedim`: input with dims moved to other positions; the others keep their order. */
export const moveaxis: typeof movedim = (...args: readonly unknown[]) => callOp('moveaxis', args) as never

/**
 * input shifted along the dims by shifts, wrapping around. Without dims input is flattened for the shift.
 *
 * Takes any dtype.
 *
 * @param input a tensor
 * @param shifts an integer or a list of integers: how far, one per dim; negative ones to the front
 * @param dims an integer or a list of integers: one or several; without them the flattened tensor is rolled (optional)
 * @returns the shape of input; the dtype of input
 * @throws ArgumentError when there is not one shift per dim
 * @throws ShapeError when a dim is out of range
 */
export function roll(input: Tensor, shifts: IndexLike | readonly IndexLike[], dims?: number | readonly number[] | null): Tensor
export function roll(...args: [input: Tensor, shifts: IndexLike | readonly IndexLike[], options?: { readonly dims?: number | readonly number[] | null | undefined }] | [input: Tensor, options: { readonly shifts: IndexLike | readonly IndexLike[]; readonly dims?: number | readonly number[] | null | undefined }] | [options: { readonly input: Tensor; readonly shifts: IndexLike | readonly IndexLike[]; readonly dims?: number | readonly number[] | null | undefined }]): Tensor
export function roll(...args: readonly unknown[]): unknown {
  return callOp('roll', args)
}

/**
 * input rotated by k · 90° in the plane of two dims, from the first towards the second.
 *
 * Takes any dtype.
 *
 * @param input a tensor
 * @param k an integer: how many quarters; negative ones turn back (default 1)
 * @param dims a list of integers: the plane of rotation: two dims (default [0, 1])
 * @returns the shape of input, with the two sizes swapped when k is odd; the dtype of input
 * @throws ArgumentError when dims are not two
 * @throws ShapeError when input has fewer than two dims, or the two are one
 */
export function rot90(input: Tensor, k?: number, dims?: readonly number[]): Tensor
export function rot90(...args: [input: Tensor, k: number | undefined, options?: { readonly dims?: readonly number[] | undefined }] | [input: Tensor, options?: { readonly k?: number | undefined; readonly dims?: readonly number[] | undefined }] | [options: { readonly input: Tensor; readonly k?: number | undefined; readonly dims?: readonly number[] | undefined }]): Tensor
export function rot90(...args: readonly unknown[]): unknown {
  return callOp('rot90', args)
}

/**
 * input repeated repeats[d] times along each dim d; more counts than dims add leading dims.
 *
 * Takes any dtype.
 *
 * @param input a tensor
 * @param repeats a list of integers of at least 0: how often along each dim; further counts in front add dims
 * @returns the sizes of input times repeats; the dtype of input
 * @throws ShapeError when there are fewer counts than dims
 */
export function repeat(input: Tensor, repeats: readonly SizeLike[]): Tensor
export function repeat(input: Tensor, ...repeats: readonly (SizeLike)[]): Tensor
export function repeat(...args: [input: Tensor, options: { readonly repeats: readonly SizeLike[] }] | [options: { readonly input: Tensor; readonly repeats: readonly SizeLike[] }]): Tensor
export function repeat(...args: readonly unknown[]): unknown {
  return callOp('repeat', args)
}

/**
 * As repeat; counts for missing leading dims are 1.
 *
 * Takes any dtype.
 *
 * @param input a tensor
 * @param dims a list of integers of at least 0: how often along each dim, aligned at the last
 * @returns the sizes of input times dims; the dtype of input
 */
export function tile(input: Tensor, dims: readonly SizeLike[]): Tensor
export function tile(input: Tensor, ...dims: readonly (SizeLike)[]): Tensor
export function tile(...args: [input: Tensor, options: { readonly dims: readonly SizeLike[] }] | [options: { readonly input: Tensor; readonly dims: readonly SizeLike[] }]): Tensor
export function tile(...args: readonly unknown[]): unknown {
  return callOp('tile', args)
}

/**
 * Each element (or slice along dim) repeats times in a row; without dim input is flattened. Without repeats, input holds the counts: i is repeated input[i] times.
 *
 * Takes any dtype.
 *
 * @param input a tensor
 * @param repeats an integer of at least 0 or a tensor: how often each; a vector [n] has one count for each element along dim. Left out, input holds the counts (optional)
 * @param dim an integer: the dim of the slices; without it input is flattened (optional)
 * @param outputSize an integer of at least 0: how long the dim becomes where repeats is a tensor: their sum; without it they are read (optional)
 * @returns the shape of input with its elements repeated at dim; 1-D without dim; the dtype of input
 * @throws ShapeError when a dim is out of range
 */
export function repeatInterleave(input: Tensor, repeats?: SizeLike | Tensor | null, dim?: number | null, options?: { readonly outputSize?: SizeLike | null | undefined }): Tensor
export function repeatInterleave(...args: [input: Tensor, repeats: SizeLike | Tensor | null | undefined, options?: { readonly dim?: number | null | undefined; readonly outputSize?: SizeLike | null | undefined }] | [input: Tensor, options?: { readonly repeats?: SizeLike | Tensor | null | undefined; readonly dim?: number | null | undefined; readonly outputSize?: SizeLike | null | undefined }] | [options: { readonly input: Tensor; readonly repeats?: SizeLike | Tensor | null | undefined; readonly dim?: number | null | undefined; readonly outputSize?: SizeLike | null | undefined }]): Tensor
export function repeatInterleave(...args: readonly unknown[]): unknown {
  return callOp('repeatInterleave', args)
}

/**
 * The diagonals of the matrices in dims dim1 and dim2 as the last dim; offset > 0 is above the main diagonal, < 0 below.
 *
 * A view.
 * Takes any dtype.
 *
 * @param input a tensor
 * @param offset an integer: which diagonal: to the right of the main one, negative ones below it (default 0)
 * @param dim1 an integer: one dim; negative ones count from the end (default 0)
 * @param dim2 an integer: the other dim; negative ones count from the end (default 1)
 * @returns the other dims, then the length of the diagonal; the dtype of input
 * @throws ShapeError when a dim is out of range, or when input has fewer than two dims, or dim1 is dim2
 */
export function diagonal(input: Tensor, offset?: IndexLike, dim1?: number, dim2?: number): Tensor
export function diagonal(...args: [input: Tensor, offset: IndexLike | undefined, dim1: number | undefined, options?: { readonly dim2?: number | undefined }] | [input: Tensor, offset: IndexLike | undefined, options?: { readonly dim1?: number | undefined; readonly dim2?: number | undefined }] | [input: Tensor, options?: { readonly offset?: IndexLike | undefined; readonly dim1?: number | undefined; readonly dim2?: number | undefined }] | [options: { readonly input: Tensor; readonly offset?: IndexLike | undefined; readonly dim1?: number | undefined; readonly dim2?: number | undefined }]): Tensor
export function diagonal(...args: readonly unknown[]): unknown {
  return callOp('diagonal', args)
}

/**
 * The diagonal of a matrix (a copy), or a matrix with a vector on its diagonal.
 *
 * Takes any dtype.
 *
 * @param input a tensor
 * @param diagonal an integer: which diagonal: to the right of the main one, negative ones below it (default 0)
 * @returns [n] of a matrix; [n + |diagonal|, n + |diagonal|] of a vector; the dtype of input
 * @throws ShapeError when input is neither a vector nor a matrix
 */
export function diag(input: Tensor, diagonal?: IndexLike): Tensor
export function diag(...args: [input: Tensor, options?: { readonly diagonal?: IndexLike | undefined }] | [options: { readonly input: Tensor; readonly diagonal?: IndexLike | undefined }]): Tensor
export function diag(...args: readonly unknown[]): unknown {
  return callOp('diag', args)
}

/**
 * Σ of the diagonal of a matrix; integers give i64.
 *
 * Takes any dtype.
 *
 * @param input a tensor
 * @returns 0-d; the dtype of input, i64 for integers and bool
 * @throws ShapeError when input is no matrix
 */
export function trace(input: Tensor): Tensor
export function trace(...args: [options: { readonly input: Tensor }]): Tensor
export function trace(...args: readonly unknown[]): unknown {
  return callOp('trace', args)
}

/**
 * Windows of size elements along a dim, a new one every step, as a new last dim; they may overlap.
 *
 * A view. What torch.nn.functional calls unfold, windows as columns, is im2col.
 * Takes any dtype.
 *
 * @param input a tensor
 * @param dimension an integer: the dim
 * @param size an integer of at least 1: the size of a window
 * @param step an integer of at least 1: the distance between window starts
 * @returns the shape of input with the number of windows at dimension, and size as a last dim; the dtype of input
 * @throws ShapeError when a dim is out of range, or when no window fits, or input is 0-d
 */
export function unfold(input: Tensor, dimension: number, size: number, step: number): Tensor
export function unfold(...args: [input: Tensor, dimension: number, size: number, options: { readonly step: number }] | [input: Tensor, dimension: number, options: { readonly size: number; readonly step: number }] | [input: Tensor, options: { readonly dimension: number; readonly size: number; readonly step: number }] | [options: { readonly input: Tensor; readonly dimension: number; readonly size: number; readonly step: number }]): Tensor
export function unfold(...args: readonly unknown[]): unknown {
  return callOp('unfold', args)
}

/**
 * The differences of neighbours along a dim, n times, of input with prepend and append concatenated before and after it; of bool: whether they differ.
 *
 * Takes any dtype.
 *
 * @param input a tensor
 * @param n an integer of at least 0: how many times (default 1)
 * @param dim an integer: the dim; negative ones count from the end (default -1)
 * @param prepend a tensor: concatenated before input along dim; of its shape in the other dims (optional)
 * @param append a tensor: concatenated after input along dim; of its shape in the other dims (optional)
 * @returns the joined shape, with n fewer at dim (at least 0); the promoted dtype
 * @throws ShapeError when a dim is out of range, or when input is 0-d, or prepend or append does not fit it
 */
export function diff(input: Tensor, n?: number, dim?: number, prepend?: Tensor | null, append?: Tensor | null): Tensor
export function diff(...args: [input: Tensor, n: number | undefined, dim: number | undefined, prepend: Tensor | null | undefined, options?: { readonly append?: Tensor | null | undefined }] | [input: Tensor, n: number | undefined, dim: number | undefined, options?: { readonly prepend?: Tensor | null | undefined; readonly append?: Tensor | null | undefined }] | [input: Tensor, n: number | undefined, options?: { readonly dim?: number | undefined; readonly prepend?: Tensor | null | undefined; readonly append?: Tensor | null | undefined }] | [input: Tensor, options?: { readonly n?: number | undefined; readonly dim?: number | undefined; readonly prepend?: Tensor | null | undefined; readonly append?: Tensor | null | undefined }] | [options: { readonly input: Tensor; readonly n?: number | undefined; readonly dim?: number | undefined; readonly prepend?: Tensor | null | undefined; readonly append?: Tensor | null | undefined }]): Tensor
export function diff(...args: readonly unknown[]): unknown {
  return callOp('diff', args)
}

/**
 * For each class index a vector (i64) with a 1 at that index; an index out of range gives zeros.
 *
 * An index out of range is an error on a CPU outside of compile, elsewhere it gives zeros.
 * Takes integers.
 *
 * @param tensor a tensor: class indices, of any shape
 * @param numClasses an integer: how many classes: how long a row is; −1: one more than the largest index, which is read (default -1)
 * @returns the shape of tensor, then numClasses; i64
 * @throws ArgumentError when numClasses is below 1
 * @throws DtypeError for floats and bool
 */
export function oneHot(tensor: Tensor, numClasses?: IndexLike): Tensor
export function oneHot(...args: [tensor: Tensor, options?: { readonly numClasses?: IndexLike | undefined }] | [options: { readonly tensor: Tensor; readonly numClasses?: IndexLike | undefined }]): Tensor
export function oneHot(...args: readonly unknown[]): unknown {
  return callOp('oneHot', args)
}

/**
 * input padded before and after its last dims by [left, right, top, bottom, …]; negative amounts crop.
 *
 * Any number of dims in every mode; PyTorch's others take the last one to three.
 * Takes any dtype.
 *
 * @param input a tensor
 * @param pad a list of integers: [before, after] per dim, from the last dim on: [left, right, top, bottom, …]; negative ones cut
 * @param mode 'constant', 'reflect', 'replicate' or 'circular': the padding: 'constant' value, the elements mirrored without the edge ('reflect'), the edge ('replicate'), the other end ('circular') (default 'constant')
 * @param value a number: for mode 'constant', cast to the dtype; 0 unless given (optional)
 * @returns the sizes of input plus the padding before and after; the dtype of input
 * @throws ArgumentError when pad has an odd number of sizes
 * @throws ShapeError when pad is of more dims than input has, cuts more than there is, or is more than reflect (size − 1) or circular (size) can fill
 */
export function pad(input: Tensor, pad: readonly IndexLike[], mode?: 'constant' | 'reflect' | 'replicate' | 'circular', value?: Scalar | null): Tensor
export function pad(...args: [input: Tensor, pad: readonly IndexLike[], mode: 'constant' | 'reflect' | 'replicate' | 'circular' | undefined, options?: { readonly value?: Scalar | null | undefined }] | [input: Tensor, pad: readonly IndexLike[], options?: { readonly mode?: 'constant' | 'reflect' | 'replicate' | 'circular' | undefined; readonly value?: Scalar | null | undefined }] | [input: Tensor, options: { readonly pad: readonly IndexLike[]; readonly mode?: 'constant' | 'reflect' | 'replicate' | 'circular' | undefined; readonly value?: Scalar | null | undefined }] | [options: { readonly input: Tensor; readonly pad: readonly IndexLike[]; readonly mode?: 'constant' | 'reflect' | 'replicate' | 'circular' | undefined; readonly value?: Scalar | null | undefined }]): Tensor
export function pad(...args: readonly unknown[]): unknown {
  return callOp('pad', args)
}

/**
 * other − alpha · input: sub the other way round.
 *
 * Takes any dtype but bool.
 *
 * @param input a tensor
 * @param other a tensor or a number: the other operand
 * @param alpha a tensor or a number: a factor on input; 1 unless given (optional)
 * @returns the broadcast shape; the promoted dtype
 * @throws DtypeError for bool
 * @throws ShapeError when the shapes do not broadcast
 */
export function rsub(input: Tensor, other: Operand, options?: { readonly alpha?: Operand | null | undefined }): Tensor
export function rsub(...args: [input: Tensor, options: { readonly other: Operand; readonly alpha?: Operand | null | undefined }] | [options: { readonly input: Tensor; readonly other: Operand; readonly alpha?: Operand | null | undefined }]): Tensor
export function rsub(...args: readonly unknown[]): unknown {
  return callOp('rsub', args)
}

/**
 * max(input, min): clamp with a lower limit only.
 *
 * Takes any dtype but bool.
 *
 * @param input a tensor
 * @param min a tensor or a number: the lower limit
 * @returns the broadcast shape; the promoted dtype
 * @throws DtypeError for bool
 * @throws ShapeError when the shapes do not broadcast
 */
export function clampMin(input: Tensor, min: Operand): Tensor
export function clampMin(...args: [input: Tensor, options: { readonly min: Operand }] | [options: { readonly input: Tensor; readonly min: Operand }]): Tensor
export function clampMin(...args: readonly unknown[]): unknown {
  return callOp('clampMin', args)
}

/**
 * min(input, max): clamp with an upper limit only.
 *
 * Takes any dtype but bool.
 *
 * @param input a tensor
 * @param max a tensor or a number: the upper limit
 * @returns the broadcast shape; the promoted dtype
 * @throws DtypeError for bool
 * @throws ShapeError when the shapes do not broadcast
 */
export function clampMax(input: Tensor, max: Operand): Tensor
export function clampMax(...args: [input: Tensor, options: { readonly max: Operand }] | [options: { readonly input: Tensor; readonly max: Operand }]): Tensor
export function clampMax(...args: readonly unknown[]): unknown {
  return callOp('clampMax', args)
}

/**
 * input: +input.
 *
 * A view.
 * Takes any dtype but bool.
 *
 * @param input a tensor
 * @returns the shape of input; the dtype of input
 * @throws DtypeError for bool
 */
export function positive(input: Tensor): Tensor
export function positive(...args: [options: { readonly input: Tensor }]): Tensor
export function positive(...args: readonly unknown[]): unknown {
  return callOp('positive', args)
}

/**
 * True everywhere: there are no complex numbers.
 *
 * Takes any dtype.
 *
 * @param input a tensor
 * @returns the shape of input; bool
 */
export function isreal(input: Tensor): Tensor
export function isreal(...args: [options: { readonly input: Tensor }]): Tensor
export function isreal(...args: readonly unknown[]): unknown {
  return callOp('isreal', args)
}

/**
 * input with its columns (the second dim) in reverse order.
 *
 * A copy, as in PyTorch.
 * Takes any dtype.
 *
 * @param input a tensor
 * @returns the shape of input; the dtype of input
 * @throws ShapeError for fewer than 2 dims
 */
export function fliplr(input: Tensor): Tensor
export function fliplr(...args: [options: { readonly input: Tensor }]): Tensor
export function fliplr(...args: readonly unknown[]): unknown {
  return callOp('fliplr', args)
}

/**
 * input with its rows (the first dim) in reverse order.
 *
 * A copy, as in PyTorch.
 * Takes any dtype.
 *
 * @param input a tensor
 * @returns the shape of input; the dtype of input
 * @throws ShapeError for 0-d tensors
 */
export function flipud(input: Tensor): Tensor
export function flipud(...args: [options: { readonly input: Tensor }]): Tensor
export function flipud(...args: readonly unknown[]): unknown {
  return callOp('flipud', args)
}

/**
 * input sorted along the first dim, ascending.
 *
 * NaN is last. Places too: sort(0).
 * Takes any dtype.
 *
 * @param input a tensor
 * @returns the shape of input; the dtype of input
 */
export function msort(input: Tensor): Tensor
export function msort(...args: [options: { readonly input: Tensor }]): Tensor
export function msort(...args: readonly unknown[]): unknown {
  return callOp('msort', args)
}

/**
 * A matrix with the elements of input, row by row, on a diagonal and 0 elsewhere.
 *
 * Takes any dtype.
 *
 * @param input a tensor
 * @param offset an integer: which diagonal: to the right of the main one, negative ones below it (default 0)
 * @returns [n + |offset|, n + |offset|] of n elements; the dtype of input
 */
export function diagflat(input: Tensor, offset?: number): Tensor
export function diagflat(...args: [input: Tensor, options?: { readonly offset?: number | undefined }] | [options: { readonly input: Tensor; readonly offset?: number | undefined }]): Tensor
export function diagflat(...args: readonly unknown[]): unknown {
  return callOp('diagflat', args)
}

/**
 * input where condition (bool) is true, other elsewhere.
 *
 * Takes any dtype.
 *
 * @param condition a tensor: a bool tensor
 * @param input a tensor or a number: the values where it is true
 * @param other a tensor or a number: the values elsewhere
 * @returns the broadcast shape; the promoted dtype of input and other
 * @throws DtypeError when condition is not bool
 * @throws ShapeError when the shapes do not broadcast
 */
export function where(condition: Tensor, input: Operand, other: Operand): Tensor
export function where(...args: [condition: Tensor, input: Operand, options: { readonly other: Operand }] | [condition: Tensor, options: { readonly input: Operand; readonly other: Operand }] | [options: { readonly condition: Tensor; readonly input: Operand; readonly other: Operand }]): Tensor
export function where(...args: readonly unknown[]): unknown {
  return callOp('where', args)
}

/**
 * value where mask (bool) is true, input elsewhere; keeps the dtype of input.
 *
 * Takes any dtype.
 *
 * @param input a tensor
 * @param mask a tensor: bool, broadcasts with input
 * @param value a tensor or a number: a number or a 0-d tensor, cast to the dtype of input
 * @returns the shape that input and mask broadcast to; the dtype of input
 * @throws DtypeError when mask is not bool
 * @throws ShapeError when input and mask do not broadcast, or value has more than one element
 */
export function maskedFill(input: Tensor, mask: Tensor, value: Operand): Tensor
export function maskedFill(...args: [input: Tensor, mask: Tensor, options: { readonly value: Operand }] | [input: Tensor, options: { readonly mask: Tensor; readonly value: Operand }] | [options: { readonly input: Tensor; readonly mask: Tensor; readonly value: Operand }]): Tensor
export function maskedFill(...args: readonly unknown[]): unknown {
  return callOp('maskedFill', args)
}

/**
 * input below and on a diagonal of its matrices, 0 above.
 *
 * Takes any dtype.
 *
 * @param input a tensor
 * @param diagonal an integer: which diagonal is the limit: 0 the main one, positive above it, negative below (default 0)
 * @returns the shape of input; the dtype of input
 * @throws ShapeError when input has fewer than two dims
 */
export function tril(input: Tensor, diagonal?: IndexLike): Tensor
export function tril(...args: [input: Tensor, options?: { readonly diagonal?: IndexLike | undefined }] | [options: { readonly input: Tensor; readonly diagonal?: IndexLike | undefined }]): Tensor
export function tril(...args: readonly unknown[]): unknown {
  return callOp('tril', args)
}

/**
 * input above and on a diagonal of its matrices, 0 below.
 *
 * Takes any dtype.
 *
 * @param input a tensor
 * @param diagonal an integer: which diagonal is the limit: 0 the main one, positive above it, negative below (default 0)
 * @returns the shape of input; the dtype of input
 * @throws ShapeError when input has fewer than two dims
 */
export function triu(input: Tensor, diagonal?: IndexLike): Tensor
export function triu(...args: [input: Tensor, options?: { readonly diagonal?: IndexLike | undefined }] | [options: { readonly input: Tensor; readonly diagonal?: IndexLike | undefined }]): Tensor
export function triu(...args: readonly unknown[]): unknown {
  return callOp('triu', args)
}

/**
 * The tensors concatenated along a dim.
 *
 * Takes any dtype.
 *
 * @param tensors a list of tensors: at least one; equal in all dims but dim. Empty 1-D tensors are ignored
 * @param dim an integer: the dim; negative ones count from the end (default 0)
 * @returns the shape of the tensors with the sizes at dim added up; the promoted dtype
 * @throws ArgumentError when the list is empty
 * @throws ShapeError when a dim is out of range, or when the tensors do not fit, or are 0-d (use stack)
 */
export function cat(tensors: readonly Tensor[], dim?: number): Tensor
export function cat(...args: [tensors: readonly Tensor[], options?: { readonly dim?: number | undefined }] | [options: { readonly tensors: readonly Tensor[]; readonly dim?: number | undefined }]): Tensor
export function cat(...args: readonly unknown[]): unknown {
  return callOp('cat', args)
}

/** As `cat`: The tensors concatenated along a dim. */
export const concat: typeof cat = (...args: readonly unknown[]) => callOp('concat', args) as never

/** As `cat`: The tensors concatenated along a dim. */
export const concatenate: typeof cat = (...args: readonly unknown[]) => callOp('concatenate', args) as never

/**
 * The tensors, all of one shape, along a new dim.
 *
 * Takes any dtype.
 *
 * @param tensors a list of tensors: at least one, all of one shape
 * @param dim an integer: the index of the new dim in the result (default 0)
 * @returns the shape of the tensors with their number at dim; the promoted dtype
 * @throws ArgumentError when the list is empty
 * @throws ShapeError when a dim is out of range, or when the shapes differ
 */
export function stack(tensors: readonly Tensor[], dim?: number): Tensor
export function stack(...args: [tensors: readonly Tensor[], options?: { readonly dim?: number | undefined }] | [options: { readonly tensors: readonly Tensor[]; readonly dim?: number | undefined }]): Tensor
export function stack(...args: readonly unknown[]): unknown {
  return callOp('stack', args)
}

/**
 * Elements of input: out[i][j][k] = input[index[i][j][k]][j][k] for dim 0, and likewise for other dims.
 *
 * For dim 0 and 3-D tensors result[i][j][k] = input[index[i][j][k]][j][k]. An index out of range is an error on a CPU outside of compile, elsewhere it gives 0.
 * Takes any dtype.
 *
 * @param input a tensor
 * @param dim an integer: the dim; negative ones count from the end
 * @param index a tensor: integers, with as many dims as input and no larger in the other dims
 * @returns the shape of index; the dtype of input
 * @throws DtypeError when index is no integer
 * @throws ShapeError when a dim is out of range, or when index reaches beyond input
 */
export function gather(input: Tensor, dim: number, index: Tensor): Tensor
export function gather(...args: [input: Tensor, dim: number, options: { readonly index: Tensor }] | [input: Tensor, options: { readonly dim: number; readonly index: Tensor }] | [options: { readonly input: Tensor; readonly dim: number; readonly index: Tensor }]): Tensor
export function gather(...args: readonly unknown[]): unknown {
  return callOp('gather', args)
}

/**
 * The slices of input at the indices of a 1-D index along a dim.
 *
 * An index out of range is an error on a CPU outside of compile, elsewhere it gives 0.
 * Takes any dtype.
 *
 * @param input a tensor
 * @param dim an integer: the dim; negative ones count from the end
 * @param index a tensor: integers, 1-D or 0-d
 * @returns the shape of input with the length of index at dim; the dtype of input
 * @throws DtypeError when index is no integer
 * @throws ShapeError when a dim is out of range, or when index has more than one dim
 */
export function indexSelect(input: Tensor, dim: number, index: Tensor): Tensor
export function indexSelect(...args: [input: Tensor, dim: number, options: { readonly index: Tensor }] | [input: Tensor, options: { readonly dim: number; readonly index: Tensor }] | [options: { readonly input: Tensor; readonly dim: number; readonly index: Tensor }]): Tensor
export function indexSelect(...args: readonly unknown[]): unknown {
  return callOp('indexSelect', args)
}

/**
 * The rows of a matrix (the weight) at the indices of input.
 *
 * An index out of range is an error on a CPU outside of compile, elsewhere it gives zeros.
 * Takes integers.
 *
 * @param input a tensor: the indices, of any shape
 * @param weight a tensor: the table: [entries, features]
 * @param paddingIdx an integer: an entry that gradients leave alone; the result is the same (optional)
 * @param maxNorm a number: the rows that are looked up and are longer are first scaled to this length, in the weight itself (optional)
 * @param normType a number: the power of the norm that maxNorm bounds; ±Infinity for the largest (smallest) element (default 2)
 * @returns the shape of input, then features; the dtype of weight
 * @throws DtypeError for floats and bool, or when maxNorm is given and weight holds no floats
 * @throws ShapeError when weight is no matrix
 */
export function embedding(input: Tensor, weight: Tensor, paddingIdx?: number | null, maxNorm?: number | null, normType?: number): Tensor
export function embedding(...args: [input: Tensor, weight: Tensor, paddingIdx: number | null | undefined, maxNorm: number | null | undefined, options?: { readonly normType?: number | undefined }] | [input: Tensor, weight: Tensor, paddingIdx: number | null | undefined, options?: { readonly maxNorm?: number | null | undefined; readonly normType?: number | undefined }] | [input: Tensor, weight: Tensor, options?: { readonly paddingIdx?: number | null | undefined; readonly maxNorm?: number | null | undefined; readonly normType?: number | undefined }] | [input: Tensor, options: { readonly weight: Tensor; readonly paddingIdx?: number | null | undefined; readonly maxNorm?: number | null | undefined; readonly normType?: number | undefined }] | [options: { readonly input: Tensor; readonly weight: Tensor; readonly paddingIdx?: number | null | undefined; readonly maxNorm?: number | null | undefined; readonly normType?: number | undefined }]): Tensor
export function embedding(...args: readonly unknown[]): unknown {
  return callOp('embedding', args)
}

/**
 * input with src (a tensor or number) written at index[…] along a dim; reduce 'add' or 'multiply' folds it in. Where several elements are written to one position the last one stays, on every device.
 *
 * For dim 0 and 3-D tensors result[index[i][j][k]][j][k] = src[i][j][k]. An index out of range is an error on a CPU outside of compile, elsewhere it writes nothing.
 * Takes any dtype.
 *
 * @param input a tensor
 * @param dim an integer: the dim; negative ones count from the end
 * @param index a tensor: where along dim: integers, of as many dims as input, no larger than it in the other dims
 * @param src a tensor or a number: what is written: a number, or a tensor of the dtype of input at least as large as index
 * @param reduce 'add' or 'multiply': 'add' or 'multiply' folds it into what is there; by default it is written (optional)
 * @returns the shape of input; the dtype of input
 * @throws DtypeError when index is no integer, or src has another dtype than input
 * @throws ShapeError when a dim is out of range, or when index has a different number of dims than input or src, or reaches beyond either
 */
export function scatter(input: Tensor, dim: number, index: Tensor, src: Operand, options?: { readonly reduce?: 'add' | 'multiply' | null | undefined }): Tensor
export function scatter(...args: [input: Tensor, dim: number, index: Tensor, options: { readonly src: Operand; readonly reduce?: 'add' | 'multiply' | null | undefined }] | [input: Tensor, dim: number, options: { readonly index: Tensor; readonly src: Operand; readonly reduce?: 'add' | 'multiply' | null | undefined }] | [input: Tensor, options: { readonly dim: number; readonly index: Tensor; readonly src: Operand; readonly reduce?: 'add' | 'multiply' | null | undefined }] | [options: { readonly input: Tensor; readonly dim: number; readonly index: Tensor; readonly src: Operand; readonly reduce?: 'add' | 'multiply' | null | undefined }]): Tensor
export function scatter(...args: readonly unknown[]): unknown {
  return callOp('scatter', args)
}

/**
 * input with src added at index[…] along a dim.
 *
 * Elements are added in order; on a GPU floats in any order, unless compiled with deterministic: true. An index out of range is an error on a CPU outside of compile, elsewhere it writes nothing.
 * Takes any dtype.
 *
 * @param input a tensor
 * @param dim an integer: the dim; negative ones count from the end
 * @param index a tensor: where along dim: integers, of as many dims as input, no larger than it in the other dims
 * @param src a tensor: what is added, of the dtype of input and at least as large as index
 * @returns the shape of input; the dtype of input
 * @throws DtypeError when index is no integer, or src has another dtype than input
 * @throws ShapeError when a dim is out of range, or when index has a different number of dims than input or src, or reaches beyond either
 */
export function scatterAdd(input: Tensor, dim: number, index: Tensor, src: Tensor): Tensor
export function scatterAdd(...args: [input: Tensor, dim: number, index: Tensor, options: { readonly src: Tensor }] | [input: Tensor, dim: number, options: { readonly index: Tensor; readonly src: Tensor }] | [input: Tensor, options: { readonly dim: number; readonly index: Tensor; readonly src: Tensor }] | [options: { readonly input: Tensor; readonly dim: number; readonly index: Tensor; readonly src: Tensor }]): Tensor
export function scatterAdd(...args: readonly unknown[]): unknown {
  return callOp('scatterAdd', args)
}

/**
 * input reduced with src at index[…] along a dim: 'sum', 'prod', 'mean', 'amax' or 'amin'; with includeSelf false, input's own value does not take part where src is written.
 *
 * An index out of range is an error on a CPU outside of compile, elsewhere it writes nothing. Of 'prod', gradients of gradients are right where no element is exactly 0.
 * Takes any dtype.
 *
 * @param input a tensor
 * @param dim an integer: the dim; negative ones count from the end
 * @param index a tensor: where along dim: integers, of as many dims as input, no larger than it in the other dims
 * @param src a tensor: what is folded in, of the dtype of input and at least as large as index
 * @param reduce 'sum', 'prod', 'mean', 'amax' or 'amin': how: their sum, product, mean, largest or smallest
 * @param includeSelf true or false: whether values of input count where elements are folded in (default true)
 * @returns the shape of input; the dtype of input
 * @throws DtypeError when index is no integer, or src has another dtype than input
 * @throws ShapeError when a dim is out of range, or when index has a different number of dims than input or src, or reaches beyond either
 */
export function scatterReduce(input: Tensor, dim: number, index: Tensor, src: Tensor, reduce: 'sum' | 'prod' | 'mean' | 'amax' | 'amin', options?: { readonly includeSelf?: boolean | undefined }): Tensor
export function scatterReduce(...args: [input: Tensor, dim: number, index: Tensor, src: Tensor, options: { readonly reduce: 'sum' | 'prod' | 'mean' | 'amax' | 'amin'; readonly includeSelf?: boolean | undefined }] | [input: Tensor, dim: number, index: Tensor, options: { readonly src: Tensor; readonly reduce: 'sum' | 'prod' | 'mean' | 'amax' | 'amin'; readonly includeSelf?: boolean | undefined }] | [input: Tensor, dim: number, options: { readonly index: Tensor; readonly src: Tensor; readonly reduce: 'sum' | 'prod' | 'mean' | 'amax' | 'amin'; readonly includeSelf?: boolean | undefined }] | [input: Tensor, options: { readonly dim: number; readonly index: Tensor; readonly src: Tensor; readonly reduce: 'sum' | 'prod' | 'mean' | 'amax' | 'amin'; readonly includeSelf?: boolean | undefined }] | [options: { readonly input: Tensor; readonly dim: number; readonly index: Tensor; readonly src: Tensor; readonly reduce: 'sum' | 'prod' | 'mean' | 'amax' | 'amin'; readonly includeSelf?: boolean | undefined }]): Tensor
export function scatterReduce(...args: readonly unknown[]): unknown {
  return callOp('scatterReduce', args)
}

/**
 * input with alpha · source added to its slices at a 1-D index along a dim.
 *
 * An index out of range is an error on a CPU outside of compile, elsewhere it writes nothing.
 * Takes any dtype.
 *
 * @param input a tensor
 * @param dim an integer: the dim; negative ones count from the end
 * @param index a tensor: where along dim: integers, 1-D or 0-d
 * @param source a tensor: the slices: the shape of input with the length of index at dim
 * @param alpha a tensor or a number: a factor of source, a number or 0-d tensor; 1 unless given (optional)
 * @returns the shape of input; the dtype of input
 * @throws DtypeError when index is no integer, or source has another dtype than input
 * @throws ShapeError when a dim is out of range, or when index has more than one dim, or source is not input with as many slices
 */
export function indexAdd(input: Tensor, dim: number, index: Tensor, source: Tensor, options?: { readonly alpha?: Operand | null | undefined }): Tensor
export function indexAdd(...args: [input: Tensor, dim: number, index: Tensor, options: { readonly source: Tensor; readonly alpha?: Operand | null | undefined }] | [input: Tensor, dim: number, options: { readonly index: Tensor; readonly source: Tensor; readonly alpha?: Operand | null | undefined }] | [input: Tensor, options: { readonly dim: number; readonly index: Tensor; readonly source: Tensor; readonly alpha?: Operand | null | undefined }] | [options: { readonly input: Tensor; readonly dim: number; readonly index: Tensor; readonly source: Tensor; readonly alpha?: Operand | null | undefined }]): Tensor
export function indexAdd(...args: readonly unknown[]): unknown {
  return callOp('indexAdd', args)
}

/**
 * input with its slices at a 1-D index along a dim replaced by those of source.
 *
 * An index out of range is an error on a CPU outside of compile, elsewhere it writes nothing.
 * Takes any dtype.
 *
 * @param input a tensor
 * @param dim an integer: the dim; negative ones count from the end
 * @param index a tensor: where along dim: integers, 1-D or 0-d
 * @param source a tensor: the slices: the shape of input with the length of index at dim
 * @returns the shape of input; the dtype of input
 * @throws DtypeError when index is no integer, or source has another dtype than input
 * @throws ShapeError when a dim is out of range, or when index has more than one dim, or source is not input with as many slices
 */
export function indexCopy(input: Tensor, dim: number, index: Tensor, source: Tensor): Tensor
export function indexCopy(...args: [input: Tensor, dim: number, index: Tensor, options: { readonly source: Tensor }] | [input: Tensor, dim: number, options: { readonly index: Tensor; readonly source: Tensor }] | [input: Tensor, options: { readonly dim: number; readonly index: Tensor; readonly source: Tensor }] | [options: { readonly input: Tensor; readonly dim: number; readonly index: Tensor; readonly source: Tensor }]): Tensor
export function indexCopy(...args: readonly unknown[]): unknown {
  return callOp('indexCopy', args)
}

/**
 * input with its slices at a 1-D index along a dim filled with a value; negative indices count from the end.
 *
 * An index out of range is an error on a CPU outside of compile, elsewhere it writes nothing.
 * Takes any dtype.
 *
 * @param input a tensor
 * @param dim an integer: the dim; negative ones count from the end
 * @param index a tensor: where along dim: integers, 1-D or 0-d
 * @param value a tensor or a number: a number or a 0-d tensor, cast to the dtype of input
 * @returns the shape of input; the dtype of input
 * @throws DtypeError when index is no integer
 * @throws ShapeError when a dim is out of range, or when index has more than one dim, or value more than one element
 */
export function indexFill(input: Tensor, dim: number, index: Tensor, value: Operand): Tensor
export function indexFill(...args: [input: Tensor, dim: number, index: Tensor, options: { readonly value: Operand }] | [input: Tensor, dim: number, options: { readonly index: Tensor; readonly value: Operand }] | [input: Tensor, options: { readonly dim: number; readonly index: Tensor; readonly value: Operand }] | [options: { readonly input: Tensor; readonly dim: number; readonly index: Tensor; readonly value: Operand }]): Tensor
export function indexFill(...args: readonly unknown[]): unknown {
  return callOp('indexFill', args)
}

/**
 * input with values at the positions that one index tensor per dim names, from the first dim on: x[i, j] = values.
 *
 * An index out of range is an error on a CPU outside of compile, elsewhere it writes nothing. A mask is read, so a compiled function breaks there: maskedFill and maskedScatter take masks.
 * Takes any dtype.
 *
 * @param input a tensor
 * @param indices a list of tensors: integers that broadcast to one shape, negative ones count from the end; or one bool mask
 * @param values a tensor or a number: of the dtype of input, or a number; broadcasts to the shape of the indices and the dims that have none
 * @param accumulate true or false: values are added to what is there, where a position is named twice, all of them (default false)
 * @returns the shape of input; the dtype of input
 * @throws ArgumentError when there are no indices
 * @throws DtypeError when an index is no integer, or values have another dtype
 * @throws ShapeError when there are more indices than dims, or shapes do not broadcast
 */
export function indexPut(input: Tensor, indices: readonly Tensor[], values: Operand, accumulate?: boolean): Tensor
export function indexPut(...args: [input: Tensor, indices: readonly Tensor[], values: Operand, options?: { readonly accumulate?: boolean | undefined }] | [input: Tensor, indices: readonly Tensor[], options: { readonly values: Operand; readonly accumulate?: boolean | undefined }] | [input: Tensor, options: { readonly indices: readonly Tensor[]; readonly values: Operand; readonly accumulate?: boolean | undefined }] | [options: { readonly input: Tensor; readonly indices: readonly Tensor[]; readonly values: Operand; readonly accumulate?: boolean | undefined }]): Tensor
export function indexPut(...args: readonly unknown[]): unknown {
  return callOp('indexPut', args)
}

/**
 * As gather, with input and the index broadcast to each other, negative indices counted from the end; without dim both are flattened.
 *
 * An index out of range is an error on a CPU outside of compile, elsewhere it gives 0.
 * Takes any dtype.
 *
 * @param input a tensor
 * @param indices a tensor: integers, of as many dims as input
 * @param dim an integer: the dim; without it both are flattened (optional)
 * @returns what input and indices broadcast to, with the length of indices at dim; the dtype of input
 * @throws DtypeError when indices are no integers
 * @throws ShapeError when a dim is out of range, or when the numbers of dims differ, or the other dims do not broadcast
 */
export function takeAlongDim(input: Tensor, indices: Tensor, dim?: number | null): Tensor
export function takeAlongDim(...args: [input: Tensor, indices: Tensor, options?: { readonly dim?: number | null | undefined }] | [input: Tensor, options: { readonly indices: Tensor; readonly dim?: number | null | undefined }] | [options: { readonly input: Tensor; readonly indices: Tensor; readonly dim?: number | null | undefined }]): Tensor
export function takeAlongDim(...args: readonly unknown[]): unknown {
  return callOp('takeAlongDim', args)
}

/**
 * The elements of the flattened tensor at an index of any shape; negative indices count from the end.
 *
 * An index out of range is an error on a CPU outside of compile, elsewhere it gives 0.
 * Takes any dtype.
 *
 * @param input a tensor
 * @param index a tensor: integers, of any shape
 * @returns the shape of index; the dtype of input
 * @throws DtypeError when index is no integer
 */
export function take(input: Tensor, index: Tensor): Tensor
export function take(...args: [input: Tensor, options: { readonly index: Tensor }] | [options: { readonly input: Tensor; readonly index: Tensor }]): Tensor
export function take(...args: readonly unknown[]): unknown {
  return callOp('take', args)
}

/**
 * input with consecutive elements of source written where mask (bool) is true; 0 where source has too few.
 *
 * Too few elements are an error in PyTorch.
 * Takes any dtype.
 *
 * @param input a tensor
 * @param mask a tensor: bool, broadcasts to input
 * @param source a tensor: the elements, of the dtype of input and any shape
 * @returns the shape that input and mask broadcast to; the dtype of input
 * @throws DtypeError when mask is not bool, or source has another dtype
 * @throws ShapeError when input and mask do not broadcast
 */
export function maskedScatter(input: Tensor, mask: Tensor, source: Tensor): Tensor
export function maskedScatter(...args: [input: Tensor, mask: Tensor, options: { readonly source: Tensor }] | [input: Tensor, options: { readonly mask: Tensor; readonly source: Tensor }] | [options: { readonly input: Tensor; readonly mask: Tensor; readonly source: Tensor }]): Tensor
export function maskedScatter(...args: readonly unknown[]): unknown {
  return callOp('maskedScatter', args)
}

/**
 * input with src written at one index of a dim.
 *
 * Takes any dtype.
 *
 * @param input a tensor
 * @param src a tensor: the slice: the shape of input without dim
 * @param dim an integer: the dim; negative ones count from the end
 * @param index an integer: the position along the dim; negative counts from the end
 * @returns the shape of input; the dtype of input
 * @throws DtypeError when src has another dtype
 * @throws ShapeError when a dim is out of range, or when index is out of range, or src is no slice
 */
export function selectScatter(input: Tensor, src: Tensor, dim: number, index: number): Tensor
export function selectScatter(...args: [input: Tensor, src: Tensor, dim: number, options: { readonly index: number }] | [input: Tensor, src: Tensor, options: { readonly dim: number; readonly index: number }] | [input: Tensor, options: { readonly src: Tensor; readonly dim: number; readonly index: number }] | [options: { readonly input: Tensor; readonly src: Tensor; readonly dim: number; readonly index: number }]): Tensor
export function selectScatter(...args: readonly unknown[]): unknown {
  return callOp('selectScatter', args)
}

/**
 * input with src written at the indices start, start + step, … below end of a dim.
 *
 * Takes any dtype.
 *
 * @param input a tensor
 * @param src a tensor: the shape of input with the number of positions at dim
 * @param dim an integer: the dim; negative ones count from the end (default 0)
 * @param start an integer: the first position; negative indices count from the end. By default the first (optional)
 * @param end an integer: one past the last position; by default the size (optional)
 * @param step an integer of at least 1: the distance between positions (default 1)
 * @returns the shape of input; the dtype of input
 * @throws DtypeError when src has another dtype
 * @throws ShapeError when a dim is out of range, or when src does not fit the positions
 */
export function sliceScatter(input: Tensor, src: Tensor, dim?: number, start?: number | null, end?: number | null, step?: number): Tensor
export function sliceScatter(...args: [input: Tensor, src: Tensor, dim: number | undefined, start: number | null | undefined, end: number | null | undefined, options?: { readonly step?: number | undefined }] | [input: Tensor, src: Tensor, dim: number | undefined, start: number | null | undefined, options?: { readonly end?: number | null | undefined; readonly step?: number | undefined }] | [input: Tensor, src: Tensor, dim: number | undefined, options?: { readonly start?: number | null | undefined; readonly end?: number | null | undefined; readonly step?: number | undefined }] | [input: Tensor, src: Tensor, options?: { readonly dim?: number | undefined; readonly start?: number | null | undefined; readonly end?: number | null | undefined; readonly step?: number | undefined }] | [input: Tensor, options: { readonly src: Tensor; readonly dim?: number | undefined; readonly start?: number | null | undefined; readonly end?: number | null | undefined; readonly step?: number | undefined }] | [options: { readonly input: Tensor; readonly src: Tensor; readonly dim?: number | undefined; readonly start?: number | null | undefined; readonly end?: number | null | undefined; readonly step?: number | undefined }]): Tensor
export function sliceScatter(...args: readonly unknown[]): unknown {
  return callOp('sliceScatter', args)
}

/**
 * Matrices in dims dim1 and dim2 with the last dim of input on a diagonal, 0 elsewhere.
 *
 * Takes any dtype.
 *
 * @param input a tensor
 * @param offset an integer: which diagonal: to the right of the main one, negative ones below it (default 0)
 * @param dim1 an integer: where the rows stand in the result (default -2)
 * @param dim2 an integer: where the columns stand in the result (default -1)
 * @returns the shape of input with two dims of n + |offset| for its last one of n; the dtype of input
 * @throws ShapeError when a dim is out of range, or when input is 0-d, or dim1 is dim2
 */
export function diagEmbed(input: Tensor, offset?: IndexLike, dim1?: number, dim2?: number): Tensor
export function diagEmbed(...args: [input: Tensor, offset: IndexLike | undefined, dim1: number | undefined, options?: { readonly dim2?: number | undefined }] | [input: Tensor, offset: IndexLike | undefined, options?: { readonly dim1?: number | undefined; readonly dim2?: number | undefined }] | [input: Tensor, options?: { readonly offset?: IndexLike | undefined; readonly dim1?: number | undefined; readonly dim2?: number | undefined }] | [options: { readonly input: Tensor; readonly offset?: IndexLike | undefined; readonly dim1?: number | undefined; readonly dim2?: number | undefined }]): Tensor
export function diagEmbed(...args: readonly unknown[]): unknown {
  return callOp('diagEmbed', args)
}

/**
 * The sums, means or largest values of rows of weight, bag by bag of indices; 0 of an empty bag.
 *
 * PyTorch writes rows of a larger norm back into weight.
 * Takes floats.
 *
 * @param input a tensor: integers: [bags, N], or with offsets [N]
 * @param weight a tensor: [entries, D]
 * @param offsets a tensor: where each bag begins in a vector of indices, ascending from 0; integers [bags] (optional)
 * @param maxNorm a number: rows of a larger norm are scaled down to it, in the result only (optional)
 * @param normType a number: the p of that norm (default 2)
 * @param mode 'mean', 'sum' or 'max': what is made of the rows of a bag (default 'mean')
 * @param perSampleWeights a tensor: a factor for each index, of the shape of input; with mode 'sum' only (optional)
 * @param includeLastOffset true or false: offsets has one more element: where the last bag ends (default false)
 * @param paddingIdx an integer: an entry that no bag counts (optional)
 * @returns [bags, D]; the dtype of weight
 * @throws ArgumentError when a vector comes without offsets or a matrix with them, or perSampleWeights without mode 'sum'
 * @throws DtypeError for integers and bool, or when input or offsets are no integers
 * @throws ShapeError when weight is no matrix, or perSampleWeights has another shape than input
 */
export function embeddingBag(input: Tensor, weight: Tensor, offsets?: Tensor | null, maxNorm?: number | null, normType?: number, mode?: 'mean' | 'sum' | 'max', options?: { readonly perSampleWeights?: Tensor | null | undefined; readonly includeLastOffset?: boolean | undefined; readonly paddingIdx?: number | null | undefined }): Tensor
export function embeddingBag(...args: [input: Tensor, weight: Tensor, offsets: Tensor | null | undefined, maxNorm: number | null | undefined, normType: number | undefined, options?: { readonly mode?: 'mean' | 'sum' | 'max' | undefined; readonly perSampleWeights?: Tensor | null | undefined; readonly includeLastOffset?: boolean | undefined; readonly paddingIdx?: number | null | undefined }] | [input: Tensor, weight: Tensor, offsets: Tensor | null | undefined, maxNorm: number | null | undefined, options?: { readonly normType?: number | undefined; readonly mode?: 'mean' | 'sum' | 'max' | undefined; readonly perSampleWeights?: Tensor | null | undefined; readonly includeLastOffset?: boolean | undefined; readonly paddingIdx?: number | null | undefined }] | [input: Tensor, weight: Tensor, offsets: Tensor | null | undefined, options?: { readonly maxNorm?: number | null | undefined; readonly normType?: number | undefined; readonly mode?: 'mean' | 'sum' | 'max' | undefined; readonly perSampleWeights?: Tensor | null | undefined; readonly includeLastOffset?: boolean | undefined; readonly paddingIdx?: number | null | undefined }] | [input: Tensor, weight: Tensor, options?: { readonly offsets?: Tensor | null | undefined; readonly maxNorm?: number | null | undefined; readonly normType?: number | undefined; readonly mode?: 'mean' | 'sum' | 'max' | undefined; readonly perSampleWeights?: Tensor | null | undefined; readonly includeLastOffset?: boolean | undefined; readonly paddingIdx?: number | null | undefined }] | [input: Tensor, options: { readonly weight: Tensor; readonly offsets?: Tensor | null | undefined; readonly maxNorm?: number | null | undefined; readonly normType?: number | undefined; readonly mode?: 'mean' | 'sum' | 'max' | undefined; readonly perSampleWeights?: Tensor | null | undefined; readonly includeLastOffset?: boolean | undefined; readonly paddingIdx?: number | null | undefined }] | [options: { readonly input: Tensor; readonly weight: Tensor; readonly offsets?: Tensor | null | undefined; readonly maxNorm?: number | null | undefined; readonly normType?: number | undefined; readonly mode?: 'mean' | 'sum' | 'max' | undefined; readonly perSampleWeights?: Tensor | null | undefined; readonly includeLastOffset?: boolean | undefined; readonly paddingIdx?: number | null | undefined }]): Tensor
export function embeddingBag(...args: readonly unknown[]): unknown {
  return callOp('embeddingBag', args)
}

/**
 * The values in ascending (descending) order along a dim, and their indices in input; stable; NaN comes last (first).
 *
 * Takes any dtype.
 *
 * @param input a tensor
 * @param dim an integer: the dim; negative ones count from the end (default -1)
 * @param descending true or false: the largest first (default false)
 * @param stable true or false: equals keep their order; they do either way (default false)
 * @returns values, indices: the shape of input; values the dtype of input, indices i64
 * @throws ShapeError when a dim is out of range
 */
export function sort(input: Tensor, dim?: number, descending?: boolean, stable?: boolean): { readonly values: Tensor; readonly indices: Tensor }
export function sort(...args: [input: Tensor, dim: number | undefined, descending: boolean | undefined, options?: { readonly stable?: boolean | undefined }] | [input: Tensor, dim: number | undefined, options?: { readonly descending?: boolean | undefined; readonly stable?: boolean | undefined }] | [input: Tensor, options?: { readonly dim?: number | undefined; readonly descending?: boolean | undefined; readonly stable?: boolean | undefined }] | [options: { readonly input: Tensor; readonly dim?: number | undefined; readonly descending?: boolean | undefined; readonly stable?: boolean | undefined }]): { readonly values: Tensor; readonly indices: Tensor }
export function sort(...args: readonly unknown[]): unknown {
  return callOp('sort', args)
}

/**
 * The indices that sort a tensor along a dim; stable.
 *
 * Takes any dtype.
 *
 * @param input a tensor
 * @param dim an integer: the dim; negative ones count from the end (default -1)
 * @param descending true or false: the largest first (default false)
 * @param stable true or false: equals keep their order; they do either way (default false)
 * @returns the shape of input; i64
 * @throws ShapeError when a dim is out of range
 */
export function argsort(input: Tensor, dim?: number, descending?: boolean, stable?: boolean): Tensor
export function argsort(...args: [input: Tensor, dim: number | undefined, descending: boolean | undefined, options?: { readonly stable?: boolean | undefined }] | [input: Tensor, dim: number | undefined, options?: { readonly descending?: boolean | undefined; readonly stable?: boolean | undefined }] | [input: Tensor, options?: { readonly dim?: number | undefined; readonly descending?: boolean | undefined; readonly stable?: boolean | undefined }] | [options: { readonly input: Tensor; readonly dim?: number | undefined; readonly descending?: boolean | undefined; readonly stable?: boolean | undefined }]): Tensor
export function argsort(...args: readonly unknown[]): unknown {
  return callOp('argsort', args)
}

/**
 * The k largest (smallest) values along a dim, best first, and their indices; of equal values the first ones.
 *
 * NaN counts as largest. At a tie PyTorch may give any index.
 * Takes any dtype.
 *
 * @param input a tensor
 * @param k an integer of at least 0: how many
 * @param dim an integer: the dim; negative ones count from the end (default -1)
 * @param largest true or false: the largest, not the smallest (default true)
 * @param sorted true or false: whether their order matters; they come best first either way (default true)
 * @returns values, indices: the shape of input with k at dim; values the dtype of input, indices i64
 * @throws ShapeError when a dim is out of range, or when dim has fewer than k elements
 */
export function topk(input: Tensor, k: SizeLike, dim?: number, largest?: boolean, sorted?: boolean): { readonly values: Tensor; readonly indices: Tensor }
export function topk(...args: [input: Tensor, k: SizeLike, dim: number | undefined, largest: boolean | undefined, options?: { readonly sorted?: boolean | undefined }] | [input: Tensor, k: SizeLike, dim: number | undefined, options?: { readonly largest?: boolean | undefined; readonly sorted?: boolean | undefined }] | [input: Tensor, k: SizeLike, options?: { readonly dim?: number | undefined; readonly largest?: boolean | undefined; readonly sorted?: boolean | undefined }] | [input: Tensor, options: { readonly k: SizeLike; readonly dim?: number | undefined; readonly largest?: boolean | undefined; readonly sorted?: boolean | undefined }] | [options: { readonly input: Tensor; readonly k: SizeLike; readonly dim?: number | undefined; readonly largest?: boolean | undefined; readonly sorted?: boolean | undefined }]): { readonly values: Tensor; readonly indices: Tensor }
export function topk(...args: readonly unknown[]): unknown {
  return callOp('topk', args)
}

/**
 * The indices at which values would be inserted into a sequence sorted along its last dim, before (right: after) equal elements.
 *
 * Takes any dtype.
 *
 * @param sortedSequence a tensor: ascending along its last dim: 1-D, or with the leading dims of input
 * @param input a tensor or a number: what is looked for
 * @param outInt32 true or false: give i32 instead of i64 (default false)
 * @param right true or false: after equal elements instead of before them (default false)
 * @returns the shape of input; i64, or i32 with outInt32
 * @throws ShapeError when the sequence is 0-d, or its leading dims are not those of input
 */
export function searchsorted(sortedSequence: Tensor, input: Operand, options?: { readonly outInt32?: boolean | undefined; readonly right?: boolean | undefined }): Tensor
export function searchsorted(...args: [sortedSequence: Tensor, options: { readonly input: Operand; readonly outInt32?: boolean | undefined; readonly right?: boolean | undefined }] | [options: { readonly sortedSequence: Tensor; readonly input: Operand; readonly outInt32?: boolean | undefined; readonly right?: boolean | undefined }]): Tensor
export function searchsorted(...args: readonly unknown[]): unknown {
  return callOp('searchsorted', args)
}

/**
 * For each element the number of sorted boundaries (1-D) below it; right counts those equal to it too.
 *
 * Takes any dtype.
 *
 * @param input a tensor
 * @param boundaries a tensor: ascending, 1-D
 * @param outInt32 true or false: give i32 instead of i64 (default false)
 * @param right true or false: after equal elements instead of before them (default false)
 * @returns the shape of input; i64, or i32 with outInt32
 * @throws ShapeError when boundaries are not 1-D
 */
export function bucketize(input: Tensor, boundaries: Tensor, options?: { readonly outInt32?: boolean | undefined; readonly right?: boolean | undefined }): Tensor
export function bucketize(...args: [input: Tensor, options: { readonly boundaries: Tensor; readonly outInt32?: boolean | undefined; readonly right?: boolean | undefined }] | [options: { readonly input: Tensor; readonly boundaries: Tensor; readonly outInt32?: boolean | undefined; readonly right?: boolean | undefined }]): Tensor
export function bucketize(...args: readonly unknown[]): unknown {
  return callOp('bucketize', args)
}

/**
 * A histogram: how many elements lie in each of bins equal intervals of [min, max]; elements outside are not counted.
 *
 * Takes floats.
 *
 * @param input a tensor
 * @param bins an integer of at least 1: how many parts (default 100)
 * @param min a number: where the first part begins; with min and max both 0 the smallest element (default 0)
 * @param max a number: where the last part ends, itself included; with min and max both 0 the largest element (default 0)
 * @returns [bins]; the dtype of input
 * @throws ArgumentError when min is greater than max
 * @throws DtypeError for integers and bool
 */
export function histc(input: Tensor, bins?: number, min?: number, max?: number): Tensor
export function histc(...args: [input: Tensor, bins: number | undefined, min: number | undefined, options?: { readonly max?: number | undefined }] | [input: Tensor, bins: number | undefined, options?: { readonly min?: number | undefined; readonly max?: number | undefined }] | [input: Tensor, options?: { readonly bins?: number | undefined; readonly min?: number | undefined; readonly max?: number | undefined }] | [options: { readonly input: Tensor; readonly bins?: number | undefined; readonly min?: number | undefined; readonly max?: number | undefined }]): Tensor
export function histc(...args: readonly unknown[]): unknown {
  return callOp('histc', args)
}

/**
 * True where an element is one of the test elements (with invert: none of them).
 *
 * Takes any dtype but bool.
 *
 * @param elements a tensor: the tensor
 * @param testElements a tensor or a number: what is looked for: a number, or a tensor of any shape
 * @param invert true or false: true where an element is none of them (default false)
 * @returns the shape of elements; bool
 * @throws DtypeError for bool
 */
export function isin(elements: Tensor, testElements: Operand, options?: { readonly invert?: boolean | undefined }): Tensor
export function isin(...args: [elements: Tensor, options: { readonly testElements: Operand; readonly invert?: boolean | undefined }] | [options: { readonly elements: Tensor; readonly testElements: Operand; readonly invert?: boolean | undefined }]): Tensor
export function isin(...args: readonly unknown[]): unknown {
  return callOp('isin', args)
}

/**
 * The product of two matrices.
 *
 * Summed in f32 (f64 of f64, integers of integers, which wrap) and rounded once.
 * Takes any dtype but bool.
 *
 * @param input a tensor: [N, M]
 * @param mat2 a tensor: [M, P]
 * @returns [N, P]; the dtype of input
 * @throws DtypeError for bool, or when the dtypes differ: matmuls do not promote
 * @throws ShapeError when the inner sizes differ, or an operand has a different number of dims
 */
export function mm(input: Tensor, mat2: Tensor): Tensor
export function mm(...args: [input: Tensor, options: { readonly mat2: Tensor }] | [options: { readonly input: Tensor; readonly mat2: Tensor }]): Tensor
export function mm(...args: readonly unknown[]): unknown {
  return callOp('mm', args)
}

/**
 * The products of two batches of matrices.
 *
 * Summed in f32 (f64 of f64, integers of integers, which wrap) and rounded once.
 * Takes any dtype but bool.
 *
 * @param input a tensor: [B, N, M]
 * @param mat2 a tensor: [B, M, P]
 * @returns [B, N, P]; the dtype of input
 * @throws DtypeError for bool, or when the dtypes differ: matmuls do not promote
 * @throws ShapeError when the inner sizes differ, or an operand has a different number of dims
 */
export function bmm(input: Tensor, mat2: Tensor): Tensor
export function bmm(...args: [input: Tensor, options: { readonly mat2: Tensor }] | [options: { readonly input: Tensor; readonly mat2: Tensor }]): Tensor
export function bmm(...args: readonly unknown[]): unknown {
  return callOp('bmm', args)
}

/**
 * The product of a matrix and a vector.
 *
 * Summed in f32 (f64 of f64, integers of integers, which wrap) and rounded once.
 * Takes any dtype but bool.
 *
 * @param input a tensor: [N, M]
 * @param vec a tensor: [M]
 * @returns [N]; the dtype of input
 * @throws DtypeError for bool, or when the dtypes differ: matmuls do not promote
 * @throws ShapeError when the inner sizes differ, or an operand has a different number of dims
 */
export function mv(input: Tensor, vec: Tensor): Tensor
export function mv(...args: [input: Tensor, options: { readonly vec: Tensor }] | [options: { readonly input: Tensor; readonly vec: Tensor }]): Tensor
export function mv(...args: readonly unknown[]): unknown {
  return callOp('mv', args)
}

/**
 * Σ input · other of two vectors.
 *
 * Summed in f32 (f64 of f64, integers of integers, which wrap) and rounded once.
 * Takes any dtype but bool.
 *
 * @param input a tensor: [N]
 * @param other a tensor: [N]
 * @returns 0-d; the dtype of input
 * @throws DtypeError for bool, or when the dtypes differ: matmuls do not promote
 * @throws ShapeError when the inner sizes differ, or an operand has a different number of dims
 */
export function dot(input: Tensor, other: Tensor): Tensor
export function dot(...args: [input: Tensor, options: { readonly other: Tensor }] | [options: { readonly input: Tensor; readonly other: Tensor }]): Tensor
export function dot(...args: readonly unknown[]): unknown {
  return callOp('dot', args)
}

/** As `dot`: Σ input · other of two vectors. */
export const vdot: typeof dot = (...args: readonly unknown[]) => callOp('vdot', args) as never

/**
 * The matrix product; vectors are rows on the left and columns on the right, batch dims broadcast.
 *
 * Summed in f32 (f64 of f64, integers of integers, which wrap) and rounded once.
 * Takes any dtype but bool.
 *
 * @param input a tensor: [*, N, M], or a vector [M]
 * @param other a tensor: [*, M, P], or a vector [M]; the leading dims broadcast
 * @returns [*, N, P]; without N or P where that side is a vector; 0-d of two vectors; the dtype of input
 * @throws DtypeError for bool, or when the dtypes differ: matmuls do not promote
 * @throws ShapeError when the inner sizes differ, or an operand has a different number of dims
 */
export function matmul(input: Tensor, other: Tensor): Tensor
export function matmul(...args: [input: Tensor, options: { readonly other: Tensor }] | [options: { readonly input: Tensor; readonly other: Tensor }]): Tensor
export function matmul(...args: readonly unknown[]): unknown {
  return callOp('matmul', args)
}

/**
 * input · weightᵀ + bias on the last dim; weight [out, in], bias [out].
 *
 * The bias is added before the sums are rounded.
 * Takes any dtype but bool.
 *
 * @param input a tensor: [*, in]
 * @param weight a tensor: [out, in]
 * @param bias a tensor: [out] (optional)
 * @returns [*, out]; the dtype of input
 * @throws DtypeError for bool, or when the dtypes differ
 * @throws ShapeError when the last dim of input is not in, weight is no matrix, or bias is not [out]
 */
export function linear(input: Tensor, weight: Tensor, bias?: Tensor | null): Tensor
export function linear(...args: [input: Tensor, weight: Tensor, options?: { readonly bias?: Tensor | null | undefined }] | [input: Tensor, options: { readonly weight: Tensor; readonly bias?: Tensor | null | undefined }] | [options: { readonly input: Tensor; readonly weight: Tensor; readonly bias?: Tensor | null | undefined }]): Tensor
export function linear(...args: readonly unknown[]): unknown {
  return callOp('linear', args)
}

/**
 * beta · input + alpha · (mat1 @ mat2) of matrices.
 *
 * Takes any dtype but bool.
 *
 * @param input a tensor: what is added; broadcasts to the result
 * @param mat1 a tensor: [N, M]
 * @param mat2 a tensor: [M, P]
 * @param beta a number: a factor on input; 0 ignores it, NaN included (default 1)
 * @param alpha a number: a factor on the matmul (default 1)
 * @returns [N, P]; the dtype of input
 * @throws ArgumentError when beta or alpha is a fraction and the tensors are integers
 * @throws DtypeError for bool, or when the dtypes differ
 * @throws ShapeError when the factors do not fit, or input does not broadcast to their product
 */
export function addmm(input: Tensor, mat1: Tensor, mat2: Tensor, options?: { readonly beta?: number | undefined; readonly alpha?: number | undefined }): Tensor
export function addmm(...args: [input: Tensor, mat1: Tensor, options: { readonly mat2: Tensor; readonly beta?: number | undefined; readonly alpha?: number | undefined }] | [input: Tensor, options: { readonly mat1: Tensor; readonly mat2: Tensor; readonly beta?: number | undefined; readonly alpha?: number | undefined }] | [options: { readonly input: Tensor; readonly mat1: Tensor; readonly mat2: Tensor; readonly beta?: number | undefined; readonly alpha?: number | undefined }]): Tensor
export function addmm(...args: readonly unknown[]): unknown {
  return callOp('addmm', args)
}

/**
 * beta · input + alpha · (batch1 @ batch2) of batches of matrices.
 *
 * Takes any dtype but bool.
 *
 * @param input a tensor: what is added; broadcasts to the result
 * @param batch1 a tensor: [B, N, M]
 * @param batch2 a tensor: [B, M, P]
 * @param beta a number: a factor on input; 0 ignores it, NaN included (default 1)
 * @param alpha a number: a factor on the matmul (default 1)
 * @returns [B, N, P]; the dtype of input
 * @throws ArgumentError when beta or alpha is a fraction and the tensors are integers
 * @throws DtypeError for bool, or when the dtypes differ
 * @throws ShapeError when the factors do not fit, or input does not broadcast to their product
 */
export function baddbmm(input: Tensor, batch1: Tensor, batch2: Tensor, options?: { readonly beta?: number | undefined; readonly alpha?: number | undefined }): Tensor
export function baddbmm(...args: [input: Tensor, batch1: Tensor, options: { readonly batch2: Tensor; readonly beta?: number | undefined; readonly alpha?: number | undefined }] | [input: Tensor, options: { readonly batch1: Tensor; readonly batch2: Tensor; readonly beta?: number | undefined; readonly alpha?: number | undefined }] | [options: { readonly input: Tensor; readonly batch1: Tensor; readonly batch2: Tensor; readonly beta?: number | undefined; readonly alpha?: number | undefined }]): Tensor
export function baddbmm(...args: readonly unknown[]): unknown {
  return callOp('baddbmm', args)
}

/**
 * beta · input + alpha · Σ (batch1 @ batch2), summed over the batch.
 *
 * Takes any dtype but bool.
 *
 * @param input a tensor: what is added; broadcasts to the result
 * @param batch1 a tensor: [B, N, M]
 * @param batch2 a tensor: [B, M, P]
 * @param beta a number: a factor on input; 0 ignores it, NaN included (default 1)
 * @param alpha a number: a factor on the matmul (default 1)
 * @returns [N, P]; the dtype of input
 * @throws ArgumentError when beta or alpha is a fraction and the tensors are integers
 * @throws DtypeError for bool, or when the dtypes differ
 * @throws ShapeError when the factors do not fit, or input does not broadcast to their product
 */
export function addbmm(input: Tensor, batch1: Tensor, batch2: Tensor, options?: { readonly beta?: number | undefined; readonly alpha?: number | undefined }): Tensor
export function addbmm(...args: [input: Tensor, batch1: Tensor, options: { readonly batch2: Tensor; readonly beta?: number | undefined; readonly alpha?: number | undefined }] | [input: Tensor, options: { readonly batch1: Tensor; readonly batch2: Tensor; readonly beta?: number | undefined; readonly alpha?: number | undefined }] | [options: { readonly input: Tensor; readonly batch1: Tensor; readonly batch2: Tensor; readonly beta?: number | undefined; readonly alpha?: number | undefined }]): Tensor
export function addbmm(...args: readonly unknown[]): unknown {
  return callOp('addbmm', args)
}

/**
 * beta · input + alpha · (mat @ vec).
 *
 * Takes any dtype but bool.
 *
 * @param input a tensor: what is added; broadcasts to the result
 * @param mat a tensor: [N, M]
 * @param vec a tensor: [M]
 * @param beta a number: a factor on input; 0 ignores it, NaN included (default 1)
 * @param alpha a number: a factor on the matmul (default 1)
 * @returns [N]; the dtype of input
 * @throws ArgumentError when beta or alpha is a fraction and the tensors are integers
 * @throws DtypeError for bool, or when the dtypes differ
 * @throws ShapeError when the factors do not fit, or input does not broadcast to their product
 */
export function addmv(input: Tensor, mat: Tensor, vec: Tensor, options?: { readonly beta?: number | undefined; readonly alpha?: number | undefined }): Tensor
export function addmv(...args: [input: Tensor, mat: Tensor, options: { readonly vec: Tensor; readonly beta?: number | undefined; readonly alpha?: number | undefined }] | [input: Tensor, options: { readonly mat: Tensor; readonly vec: Tensor; readonly beta?: number | undefined; readonly alpha?: number | undefined }] | [options: { readonly input: Tensor; readonly mat: Tensor; readonly vec: Tensor; readonly beta?: number | undefined; readonly alpha?: number | undefined }]): Tensor
export function addmv(...args: readonly unknown[]): unknown {
  return callOp('addmv', args)
}

/**
 * Products summed over named dims: einsum('bij,bjk->bik', x, y); '...' matches any further dims.
 *
 * Takes any dtype but bool.
 *
 * @param equation a string: the dims of each tensor, and after -> those of the result: 'bij,bjk->bik'; '...' for further ones, which broadcast. Without -> the letters that appear once, in alphabetical order
 * @param operands a list of tensors: as many tensors as the equation names
 * @returns the sizes of the dims that the equation names for the result; the dtype of the tensors
 * @throws ArgumentError when the equation is none, or names another number of tensors
 * @throws DtypeError for bool, or when the dtypes differ
 * @throws ShapeError when a tensor has a different number of dims than the equation names, or one letter two sizes
 */
export function einsum(equation: string, operands: readonly Tensor[]): Tensor
export function einsum(equation: string, ...operands: readonly (Tensor)[]): Tensor
export function einsum(...args: [equation: string, options: { readonly operands: readonly Tensor[] }] | [options: { readonly equation: string; readonly operands: readonly Tensor[] }]): Tensor
export function einsum(...args: readonly unknown[]): unknown {
  return callOp('einsum', args)
}

/**
 * input[i] · vec2[j] of two vectors.
 *
 * Takes any dtype.
 *
 * @param input a tensor: [N]
 * @param vec2 a tensor: [M]
 * @returns [N, M]; the promoted dtype
 * @throws ShapeError when either is no vector
 */
export function outer(input: Tensor, vec2: Tensor): Tensor
export function outer(...args: [input: Tensor, options: { readonly vec2: Tensor }] | [options: { readonly input: Tensor; readonly vec2: Tensor }]): Tensor
export function outer(...args: readonly unknown[]): unknown {
  return callOp('outer', args)
}

/** As `outer`: input[i] · vec2[j] of two vectors. */
export const ger: typeof outer = (...args: readonly unknown[]) => callOp('ger', args) as never

/**
 * Σ input · other over the last dim of both.
 *
 * Takes any dtype but bool.
 *
 * @param input a tensor: [*, N]
 * @param other a tensor: [*, N]
 * @returns the shapes of both without their last dims, one after the other; the dtype of input
 * @throws DtypeError for bool, or when the dtypes differ
 * @throws ShapeError when the last dims differ
 */
export function inner(input: Tensor, other: Tensor): Tensor
export function inner(...args: [input: Tensor, options: { readonly other: Tensor }] | [options: { readonly input: Tensor; readonly other: Tensor }]): Tensor
export function inner(...args: readonly unknown[]): unknown {
  return callOp('inner', args)
}

/**
 * Σ a · b over the last dims of a and the first of b, or over given pairs of dims.
 *
 * Takes any dtype but bool.
 *
 * @param a a tensor: one tensor
 * @param b a tensor: the other
 * @param dims an integer of at least 0 or a list of lists of integers: how many, or which: [those of a, those of b] (default 2)
 * @returns the remaining dims of a, then those of b; the dtype of a
 * @throws ArgumentError when dims are not two lists of one length
 * @throws DtypeError for bool, or when the dtypes differ
 * @throws ShapeError when a pair of dims differs in size, unless one is 1
 */
export function tensordot(a: Tensor, b: Tensor, dims?: number | readonly (readonly number[])[]): Tensor
export function tensordot(...args: [a: Tensor, b: Tensor, options?: { readonly dims?: number | readonly (readonly number[])[] | undefined }] | [a: Tensor, options: { readonly b: Tensor; readonly dims?: number | readonly (readonly number[])[] | undefined }] | [options: { readonly a: Tensor; readonly b: Tensor; readonly dims?: number | readonly (readonly number[])[] | undefined }]): Tensor
export function tensordot(...args: readonly unknown[]): unknown {
  return callOp('tensordot', args)
}

/**
 * The Kronecker product: every element of input times all of other, as blocks.
 *
 * Takes any dtype.
 *
 * @param input a tensor
 * @param other a tensor: the other operand
 * @returns the products of both shapes' sizes, aligned at the last dim; the promoted dtype
 */
export function kron(input: Tensor, other: Tensor): Tensor
export function kron(...args: [input: Tensor, options: { readonly other: Tensor }] | [options: { readonly input: Tensor; readonly other: Tensor }]): Tensor
export function kron(...args: readonly unknown[]): unknown {
  return callOp('kron', args)
}

/**
 * The matmul of two or more matrices (the first and last may be vectors), in the order with the fewest operations.
 *
 * Takes any dtype but bool.
 *
 * @param tensors a list of tensors: [N, M₁], [M₁, M₂], …, [Mₖ, P]; the first may be [M₁], the last [Mₖ]
 * @returns [N, P]; without N or P where that end is a vector; the dtype of the tensors
 * @throws ArgumentError when there are fewer than two
 * @throws DtypeError for bool, or when the dtypes differ
 * @throws ShapeError when sizes do not chain, or one in the middle is no matrix
 */
export function multiDot(tensors: readonly Tensor[]): Tensor
export function multiDot(...tensors: readonly (Tensor)[]): Tensor
export function multiDot(...args: [options: { readonly tensors: readonly Tensor[] }]): Tensor
export function multiDot(...args: readonly unknown[]): unknown {
  return callOp('multiDot', args)
}

/** As `multiDot`: The matmul of two or more matrices (the first and last may be vectors), in the order with the fewest operations. */
export const chainMatmul: typeof multiDot = (...args: readonly unknown[]) => callOp('chainMatmul', args) as never

/**
 * Square matrices to the power n (n ≥ 0; 0 gives the identity).
 *
 * Takes any dtype.
 *
 * @param input a tensor: [*, N, N]
 * @param n an integer of at least 0: how many times; negative powers, which need an inverse, are not supported
 * @returns the shape of input; the dtype of input
 * @throws DtypeError for bool with n above 1
 * @throws ShapeError when the matrices are not square
 */
export function matrixPower(input: Tensor, n: number): Tensor
export function matrixPower(...args: [input: Tensor, options: { readonly n: number }] | [options: { readonly input: Tensor; readonly n: number }]): Tensor
export function matrixPower(...args: readonly unknown[]): unknown {
  return callOp('matrixPower', args)
}

/**
 * Σ input · other along a dim; both broadcast.
 *
 * Takes any dtype.
 *
 * @param input a tensor
 * @param other a tensor: the other operand
 * @param dim an integer: the dim; negative ones count from the end (default -1)
 * @returns what both broadcast to, without dim; the promoted dtype
 * @throws ShapeError when a dim is out of range, or when the shapes do not broadcast, or both are 0-d
 */
export function vecdot(input: Tensor, other: Tensor, options?: { readonly dim?: number | undefined }): Tensor
export function vecdot(...args: [input: Tensor, options: { readonly other: Tensor; readonly dim?: number | undefined }] | [options: { readonly input: Tensor; readonly other: Tensor; readonly dim?: number | undefined }]): Tensor
export function vecdot(...args: readonly unknown[]): unknown {
  return callOp('vecdot', args)
}

/**
 * The cross product of vectors of 3 along a dim (default: the first of size 3); both broadcast.
 *
 * Takes any dtype but bool.
 *
 * @param input a tensor
 * @param other a tensor: the other operand
 * @param dim an integer: the dim of size 3; by default the first of that size (optional)
 * @returns the broadcast shape; the promoted dtype
 * @throws DtypeError for bool
 * @throws ShapeError when a dim is out of range, or when the shapes do not broadcast, or when there is no such dim
 */
export function cross(input: Tensor, other: Tensor, dim?: number | null): Tensor
export function cross(...args: [input: Tensor, other: Tensor, options?: { readonly dim?: number | null | undefined }] | [input: Tensor, options: { readonly other: Tensor; readonly dim?: number | null | undefined }] | [options: { readonly input: Tensor; readonly other: Tensor; readonly dim?: number | null | undefined }]): Tensor
export function cross(...args: readonly unknown[]): unknown {
  return callOp('cross', args)
}

/**
 * beta · input + alpha · the outer product of two vectors.
 *
 * Takes any dtype.
 *
 * @param input a tensor: what is added; broadcasts to [N, M]
 * @param vec1 a tensor: [N]
 * @param vec2 a tensor: [M]
 * @param beta a number: a factor on input; 0 ignores it, NaN included (default 1)
 * @param alpha a number: a factor on the outer product (default 1)
 * @returns [N, M]; the promoted dtype
 * @throws ArgumentError when beta or alpha is a fraction and the tensors are integers
 * @throws ShapeError when either is no vector, or input does not broadcast to their outer product
 */
export function addr(input: Tensor, vec1: Tensor, vec2: Tensor, options?: { readonly beta?: number | undefined; readonly alpha?: number | undefined }): Tensor
export function addr(...args: [input: Tensor, vec1: Tensor, options: { readonly vec2: Tensor; readonly beta?: number | undefined; readonly alpha?: number | undefined }] | [input: Tensor, options: { readonly vec1: Tensor; readonly vec2: Tensor; readonly beta?: number | undefined; readonly alpha?: number | undefined }] | [options: { readonly input: Tensor; readonly vec1: Tensor; readonly vec2: Tensor; readonly beta?: number | undefined; readonly alpha?: number | undefined }]): Tensor
export function addr(...args: readonly unknown[]): unknown {
  return callOp('addr', args)
}

/**
 * Σ input[i] · weight[o, i, j] · other[j] + bias[o] on the last dims.
 *
 * Takes floats.
 *
 * @param input a tensor: [*, in1]
 * @param other a tensor: [*, in2]
 * @param weight a tensor: [out, in1, in2]
 * @param bias a tensor: [out] (optional)
 * @returns [*, out]; the dtype of input
 * @throws DtypeError for integers and bool, or when the dtypes differ
 * @throws ShapeError when the tensors do not fit the weight
 */
export function bilinear(input: Tensor, other: Tensor, weight: Tensor, bias?: Tensor | null): Tensor
export function bilinear(...args: [input: Tensor, other: Tensor, weight: Tensor, options?: { readonly bias?: Tensor | null | undefined }] | [input: Tensor, other: Tensor, options: { readonly weight: Tensor; readonly bias?: Tensor | null | undefined }] | [input: Tensor, options: { readonly other: Tensor; readonly weight: Tensor; readonly bias?: Tensor | null | undefined }] | [options: { readonly input: Tensor; readonly other: Tensor; readonly weight: Tensor; readonly bias?: Tensor | null | undefined }]): Tensor
export function bilinear(...args: readonly unknown[]): unknown {
  return callOp('bilinear', args)
}

/**
 * The convolution of [N, C, L] with a weight [O, C / groups, kL], plus bias [O].
 *
 * A cross-correlation: the kernel is not flipped. Size of the result: ⌊(size + 2 padding − dilation · (kernel − 1) − 1) / stride⌋ + 1.
 * Takes floats.
 *
 * @param input a tensor: [N, C, L], or without N
 * @param weight a tensor: [O, C / groups, kL]
 * @param bias a tensor: [O] (optional)
 * @param stride an integer or a list of integers: the distance between window starts, for all spatial dims or for each (default 1)
 * @param padding an integer, a list of integers, 'same' or 'valid': how many zeros are added on each side, for all spatial dims or for each; 'same': as large as the input (stride 1 only); 'valid': none (default 0)
 * @param dilation an integer or a list of integers: the spacing between a window's elements, for all spatial dims or for each (default 1)
 * @param groups an integer of at least 1: into how many parts the channels divide that see nothing of each other (default 1)
 * @returns [N, O, L′], or without N; the dtype of input
 * @throws ArgumentError for padding 'same' with another stride than 1
 * @throws DtypeError for integers and bool, or when input, weight and bias differ in dtype
 * @throws ShapeError when the channels do not fit the weight and groups, bias is not [O], or no window fits
 */
export function conv1d(input: Tensor, weight: Tensor, bias?: Tensor | null, stride?: number | readonly number[], padding?: number | readonly number[] | 'same' | 'valid', dilation?: number | readonly number[], groups?: number): Tensor
export function conv1d(...args: [input: Tensor, weight: Tensor, bias: Tensor | null | undefined, stride: number | readonly number[] | undefined, padding: number | readonly number[] | 'same' | 'valid' | undefined, dilation: number | readonly number[] | undefined, options?: { readonly groups?: number | undefined }] | [input: Tensor, weight: Tensor, bias: Tensor | null | undefined, stride: number | readonly number[] | undefined, padding: number | readonly number[] | 'same' | 'valid' | undefined, options?: { readonly dilation?: number | readonly number[] | undefined; readonly groups?: number | undefined }] | [input: Tensor, weight: Tensor, bias: Tensor | null | undefined, stride: number | readonly number[] | undefined, options?: { readonly padding?: number | readonly number[] | 'same' | 'valid' | undefined; readonly dilation?: number | readonly number[] | undefined; readonly groups?: number | undefined }] | [input: Tensor, weight: Tensor, bias: Tensor | null | undefined, options?: { readonly stride?: number | readonly number[] | undefined; readonly padding?: number | readonly number[] | 'same' | 'valid' | undefined; readonly dilation?: number | readonly number[] | undefined; readonly groups?: number | undefined }] | [input: Tensor, weight: Tensor, options?: { readonly bias?: Tensor | null | undefined; readonly stride?: number | readonly number[] | undefined; readonly padding?: number | readonly number[] | 'same' | 'valid' | undefined; readonly dilation?: number | readonly number[] | undefined; readonly groups?: number | undefined }] | [input: Tensor, options: { readonly weight: Tensor; readonly bias?: Tensor | null | undefined; readonly stride?: number | readonly number[] | undefined; readonly padding?: number | readonly number[] | 'same' | 'valid' | undefined; readonly dilation?: number | readonly number[] | undefined; readonly groups?: number | undefined }] | [options: { readonly input: Tensor; readonly weight: Tensor; readonly bias?: Tensor | null | undefined; readonly stride?: number | readonly number[] | undefined; readonly padding?: number | readonly number[] | 'same' | 'valid' | undefined; readonly dilation?: number | readonly number[] | undefined; readonly groups?: number | undefined }]): Tensor
export function conv1d(...args: readonly unknown[]): unknown {
  return callOp('conv1d', args)
}

/**
 * The convolution of [N, C, H, W] with a weight [O, C / groups, kH, kW], plus bias [O].
 *
 * A cross-correlation: the kernel is not flipped. Size of the result: ⌊(size + 2 padding − dilation · (kernel − 1) − 1) / stride⌋ + 1.
 * Takes floats.
 *
 * @param input a tensor: [N, C, H, W], or without N
 * @param weight a tensor: [O, C / groups, kH, kW]
 * @param bias a tensor: [O] (optional)
 * @param stride an integer or a list of integers: the distance between window starts, for all spatial dims or for each (default 1)
 * @param padding an integer, a list of integers, 'same' or 'valid': how many zeros are added on each side, for all spatial dims or for each; 'same': as large as the input (stride 1 only); 'valid': none (default 0)
 * @param dilation an integer or a list of integers: the spacing between a window's elements, for all spatial dims or for each (default 1)
 * @param groups an integer of at least 1: into how many parts the channels divide that see nothing of each other (default 1)
 * @returns [N, O, H′, W′], or without N; the dtype of input
 * @throws ArgumentError for padding 'same' with another stride than 1
 * @throws DtypeError for integers and bool, or when input, weight and bias differ in dtype
 * @throws ShapeError when the channels do not fit the weight and groups, bias is not [O], or no window fits
 */
export function conv2d(input: Tensor, weight: Tensor, bias?: Tensor | null, stride?: number | readonly number[], padding?: number | readonly number[] | 'same' | 'valid', dilation?: number | readonly number[], groups?: number): Tensor
export function conv2d(...args: [input: Tensor, weight: Tensor, bias: Tensor | null | undefined, stride: number | readonly number[] | undefined, padding: number | readonly number[] | 'same' | 'valid' | undefined, dilation: number | readonly number[] | undefined, options?: { readonly groups?: number | undefined }] | [input: Tensor, weight: Tensor, bias: Tensor | null | undefined, stride: number | readonly number[] | undefined, padding: number | readonly number[] | 'same' | 'valid' | undefined, options?: { readonly dilation?: number | readonly number[] | undefined; readonly groups?: number | undefined }] | [input: Tensor, weight: Tensor, bias: Tensor | null | undefined, stride: number | readonly number[] | undefined, options?: { readonly padding?: number | readonly number[] | 'same' | 'valid' | undefined; readonly dilation?: number | readonly number[] | undefined; readonly groups?: number | undefined }] | [input: Tensor, weight: Tensor, bias: Tensor | null | undefined, options?: { readonly stride?: number | readonly number[] | undefined; readonly padding?: number | readonly number[] | 'same' | 'valid' | undefined; readonly dilation?: number | readonly number[] | undefined; readonly groups?: number | undefined }] | [input: Tensor, weight: Tensor, options?: { readonly bias?: Tensor | null | undefined; readonly stride?: number | readonly number[] | undefined; readonly padding?: number | readonly number[] | 'same' | 'valid' | undefined; readonly dilation?: number | readonly number[] | undefined; readonly groups?: number | undefined }] | [input: Tensor, options: { readonly weight: Tensor; readonly bias?: Tensor | null | undefined; readonly stride?: number | readonly number[] | undefined; readonly padding?: number | readonly number[] | 'same' | 'valid' | undefined; readonly dilation?: number | readonly number[] | undefined; readonly groups?: number | undefined }] | [options: { readonly input: Tensor; readonly weight: Tensor; readonly bias?: Tensor | null | undefined; readonly stride?: number | readonly number[] | undefined; readonly padding?: number | readonly number[] | 'same' | 'valid' | undefined; readonly dilation?: number | readonly number[] | undefined; readonly groups?: number | undefined }]): Tensor
export function conv2d(...args: readonly unknown[]): unknown {
  return callOp('conv2d', args)
}

/**
 * The convolution of [N, C, D, H, W] with a weight [O, C / groups, kD, kH, kW], plus bias [O].
 *
 * A cross-correlation: the kernel is not flipped. Size of the result: ⌊(size + 2 padding − dilation · (kernel − 1) − 1) / stride⌋ + 1.
 * Takes floats.
 *
 * @param input a tensor: [N, C, D, H, W], or without N
 * @param weight a tensor: [O, C / groups, kD, kH, kW]
 * @param bias a tensor: [O] (optional)
 * @param stride an integer or a list of integers: the distance between window starts, for all spatial dims or for each (default 1)
 * @param padding an integer, a list of integers, 'same' or 'valid': how many zeros are added on each side, for all spatial dims or for each; 'same': as large as the input (stride 1 only); 'valid': none (default 0)
 * @param dilation an integer or a list of integers: the spacing between a window's elements, for all spatial dims or for each (default 1)
 * @param groups an integer of at least 1: into how many parts the channels divide that see nothing of each other (default 1)
 * @returns [N, O, D′, H′, W′], or without N; the dtype of input
 * @throws ArgumentError for padding 'same' with another stride than 1
 * @throws DtypeError for integers and bool, or when input, weight and bias differ in dtype
 * @throws ShapeError when the channels do not fit the weight and groups, bias is not [O], or no window fits
 */
export function conv3d(input: Tensor, weight: Tensor, bias?: Tensor | null, stride?: number | readonly number[], padding?: number | readonly number[] | 'same' | 'valid', dilation?: number | readonly number[], groups?: number): Tensor
export function conv3d(...args: [input: Tensor, weight: Tensor, bias: Tensor | null | undefined, stride: number | readonly number[] | undefined, padding: number | readonly number[] | 'same' | 'valid' | undefined, dilation: number | readonly number[] | undefined, options?: { readonly groups?: number | undefined }] | [input: Tensor, weight: Tensor, bias: Tensor | null | undefined, stride: number | readonly number[] | undefined, padding: number | readonly number[] | 'same' | 'valid' | undefined, options?: { readonly dilation?: number | readonly number[] | undefined; readonly groups?: number | undefined }] | [input: Tensor, weight: Tensor, bias: Tensor | null | undefined, stride: number | readonly number[] | undefined, options?: { readonly padding?: number | readonly number[] | 'same' | 'valid' | undefined; readonly dilation?: number | readonly number[] | undefined; readonly groups?: number | undefined }] | [input: Tensor, weight: Tensor, bias: Tensor | null | undefined, options?: { readonly stride?: number | readonly number[] | undefined; readonly padding?: number | readonly number[] | 'same' | 'valid' | undefined; readonly dilation?: number | readonly number[] | undefined; readonly groups?: number | undefined }] | [input: Tensor, weight: Tensor, options?: { readonly bias?: Tensor | null | undefined; readonly stride?: number | readonly number[] | undefined; readonly padding?: number | readonly number[] | 'same' | 'valid' | undefined; readonly dilation?: number | readonly number[] | undefined; readonly groups?: number | undefined }] | [input: Tensor, options: { readonly weight: Tensor; readonly bias?: Tensor | null | undefined; readonly stride?: number | readonly number[] | undefined; readonly padding?: number | readonly number[] | 'same' | 'valid' | undefined; readonly dilation?: number | readonly number[] | undefined; readonly groups?: number | undefined }] | [options: { readonly input: Tensor; readonly weight: Tensor; readonly bias?: Tensor | null | undefined; readonly stride?: number | readonly number[] | undefined; readonly padding?: number | readonly number[] | 'same' | 'valid' | undefined; readonly dilation?: number | readonly number[] | undefined; readonly groups?: number | undefined }]): Tensor
export function conv3d(...args: readonly unknown[]): unknown {
  return callOp('conv3d', args)
}

/**
 * The transpose of conv1d: [N, C, L] with a weight [C, O / groups, kL], plus bias [O].
 *
 * Size of the result: (size − 1) · stride − 2 padding + dilation · (kernel − 1) + outputPadding + 1. A weight's NaN or infinity reaches results between those of its strides too.
 * Takes floats.
 *
 * @param input a tensor: [N, C, L], or without N
 * @param weight a tensor: [C, O / groups, kL]
 * @param bias a tensor: [O] (optional)
 * @param stride an integer or a list of integers: of the convolution that this is the transpose of, for all spatial dims or for each (default 1)
 * @param padding an integer or a list of integers: of that convolution: rows that are cut off on both sides (default 0)
 * @param outputPadding an integer or a list of integers: elements added at the end, less than stride or dilation: selects among the sizes that a strided convolution maps to one (default 0)
 * @param groups an integer of at least 1: into how many parts the channels divide that see nothing of each other (default 1)
 * @param dilation an integer or a list of integers: the spacing between a window's elements, for all spatial dims or for each (default 1)
 * @returns [N, O, L′], or without N; the dtype of input
 * @throws ArgumentError when outputPadding is not smaller than stride or dilation
 * @throws DtypeError for integers and bool, or when input, weight and bias differ in dtype
 * @throws ShapeError when the channels do not fit the weight and groups, bias is not [O], or nothing is left
 */
export function convTranspose1d(input: Tensor, weight: Tensor, bias?: Tensor | null, stride?: number | readonly number[], padding?: number | readonly number[], outputPadding?: number | readonly number[], groups?: number, dilation?: number | readonly number[]): Tensor
export function convTranspose1d(...args: [input: Tensor, weight: Tensor, bias: Tensor | null | undefined, stride: number | readonly number[] | undefined, padding: number | readonly number[] | undefined, outputPadding: number | readonly number[] | undefined, groups: number | undefined, options?: { readonly dilation?: number | readonly number[] | undefined }] | [input: Tensor, weight: Tensor, bias: Tensor | null | undefined, stride: number | readonly number[] | undefined, padding: number | readonly number[] | undefined, outputPadding: number | readonly number[] | undefined, options?: { readonly groups?: number | undefined; readonly dilation?: number | readonly number[] | undefined }] | [input: Tensor, weight: Tensor, bias: Tensor | null | undefined, stride: number | readonly number[] | undefined, padding: number | readonly number[] | undefined, options?: { readonly outputPadding?: number | readonly number[] | undefined; readonly groups?: number | undefined; readonly dilation?: number | readonly number[] | undefined }] | [input: Tensor, weight: Tensor, bias: Tensor | null | undefined, stride: number | readonly number[] | undefined, options?: { readonly padding?: number | readonly number[] | undefined; readonly outputPadding?: number | readonly number[] | undefined; readonly groups?: number | undefined; readonly dilation?: number | readonly number[] | undefined }] | [input: Tensor, weight: Tensor, bias: Tensor | null | undefined, options?: { readonly stride?: number | readonly number[] | undefined; readonly padding?: number | readonly number[] | undefined; readonly outputPadding?: number | readonly number[] | undefined; readonly groups?: number | undefined; readonly dilation?: number | readonly number[] | undefined }] | [input: Tensor, weight: Tensor, options?: { readonly bias?: Tensor | null | undefined; readonly stride?: number | readonly number[] | undefined; readonly padding?: number | readonly number[] | undefined; readonly outputPadding?: number | readonly number[] | undefined; readonly groups?: number | undefined; readonly dilation?: number | readonly number[] | undefined }] | [input: Tensor, options: { readonly weight: Tensor; readonly bias?: Tensor | null | undefined; readonly stride?: number | readonly number[] | undefined; readonly padding?: number | readonly number[] | undefined; readonly outputPadding?: number | readonly number[] | undefined; readonly groups?: number | undefined; readonly dilation?: number | readonly number[] | undefined }] | [options: { readonly input: Tensor; readonly weight: Tensor; readonly bias?: Tensor | null | undefined; readonly stride?: number | readonly number[] | undefined; readonly padding?: number | readonly number[] | undefined; readonly outputPadding?: number | readonly number[] | undefined; readonly groups?: number | undefined; readonly dilation?: number | readonly number[] | undefined }]): Tensor
export function convTranspose1d(...args: readonly unknown[]): unknown {
  return callOp('convTranspose1d', args)
}

/**
 * The transpose of conv2d: [N, C, H, W] with a weight [C, O / groups, kH, kW], plus bias [O].
 *
 * Size of the result: (size − 1) · stride − 2 padding + dilation · (kernel − 1) + outputPadding + 1. A weight's NaN or infinity reaches results between those of its strides too.
 * Takes floats.
 *
 * @param input a tensor: [N, C, H, W], or without N
 * @param weight a tensor: [C, O / groups, kH, kW]
 * @param bias a tensor: [O] (optional)
 * @param stride an integer or a list of integers: of the convolution that this is the transpose of, for all spatial dims or for each (default 1)
 * @param padding an integer or a list of integers: of that convolution: rows that are cut off on both sides (default 0)
 * @param outputPadding an integer or a list of integers: elements added at the end, less than stride or dilation: selects among the sizes that a strided convolution maps to one (default 0)
 * @param groups an integer of at least 1: into how many parts the channels divide that see nothing of each other (default 1)
 * @param dilation an integer or a list of integers: the spacing between a window's elements, for all spatial dims or for each (default 1)
 * @returns [N, O, H′, W′], or without N; the dtype of input
 * @throws ArgumentError when outputPadding is not smaller than stride or dilation
 * @throws DtypeError for integers and bool, or when input, weight and bias differ in dtype
 * @throws ShapeError when the channels do not fit the weight and groups, bias is not [O], or nothing is left
 */
export function convTranspose2d(input: Tensor, weight: Tensor, bias?: Tensor | null, stride?: number | readonly number[], padding?: number | readonly number[], outputPadding?: number | readonly number[], groups?: number, dilation?: number | readonly number[]): Tensor
export function convTranspose2d(...args: [input: Tensor, weight: Tensor, bias: Tensor | null | undefined, stride: number | readonly number[] | undefined, padding: number | readonly number[] | undefined, outputPadding: number | readonly number[] | undefined, groups: number | undefined, options?: { readonly dilation?: number | readonly number[] | undefined }] | [input: Tensor, weight: Tensor, bias: Tensor | null | undefined, stride: number | readonly number[] | undefined, padding: number | readonly number[] | undefined, outputPadding: number | readonly number[] | undefined, options?: { readonly groups?: number | undefined; readonly dilation?: number | readonly number[] | undefined }] | [input: Tensor, weight: Tensor, bias: Tensor | null | undefined, stride: number | readonly number[] | undefined, padding: number | readonly number[] | undefined, options?: { readonly outputPadding?: number | readonly number[] | undefined; readonly groups?: number | undefined; readonly dilation?: number | readonly number[] | undefined }] | [input: Tensor, weight: Tensor, bias: Tensor | null | undefined, stride: number | readonly number[] | undefined, options?: { readonly padding?: number | readonly number[] | undefined; readonly outputPadding?: number | readonly number[] | undefined; readonly groups?: number | undefined; readonly dilation?: number | readonly number[] | undefined }] | [input: Tensor, weight: Tensor, bias: Tensor | null | undefined, options?: { readonly stride?: number | readonly number[] | undefined; readonly padding?: number | readonly number[] | undefined; readonly outputPadding?: number | readonly number[] | undefined; readonly groups?: number | undefined; readonly dilation?: number | readonly number[] | undefined }] | [input: Tensor, weight: Tensor, options?: { readonly bias?: Tensor | null | undefined; readonly stride?: number | readonly number[] | undefined; readonly padding?: number | readonly number[] | undefined; readonly outputPadding?: number | readonly number[] | undefined; readonly groups?: number | undefined; readonly dilation?: number | readonly number[] | undefined }] | [input: Tensor, options: { readonly weight: Tensor; readonly bias?: Tensor | null | undefined; readonly stride?: number | readonly number[] | undefined; readonly padding?: number | readonly number[] | undefined; readonly outputPadding?: number | readonly number[] | undefined; readonly groups?: number | undefined; readonly dilation?: number | readonly number[] | undefined }] | [options: { readonly input: Tensor; readonly weight: Tensor; readonly bias?: Tensor | null | undefined; readonly stride?: number | readonly number[] | undefined; readonly padding?: number | readonly number[] | undefined; readonly outputPadding?: number | readonly number[] | undefined; readonly groups?: number | undefined; readonly dilation?: number | readonly number[] | undefined }]): Tensor
export function convTranspose2d(...args: readonly unknown[]): unknown {
  return callOp('convTranspose2d', args)
}

/**
 * The transpose of conv3d: [N, C, D, H, W] with a weight [C, O / groups, kD, kH, kW], plus bias [O].
 *
 * Size of the result: (size − 1) · stride − 2 padding + dilation · (kernel − 1) + outputPadding + 1. A weight's NaN or infinity reaches results between those of its strides too.
 * Takes floats.
 *
 * @param input a tensor: [N, C, D, H, W], or without N
 * @param weight a tensor: [C, O / groups, kD, kH, kW]
 * @param bias a tensor: [O] (optional)
 * @param stride an integer or a list of integers: of the convolution that this is the transpose of, for all spatial dims or for each (default 1)
 * @param padding an integer or a list of integers: of that convolution: rows that are cut off on both sides (default 0)
 * @param outputPadding an integer or a list of integers: elements added at the end, less than stride or dilation: selects among the sizes that a strided convolution maps to one (default 0)
 * @param groups an integer of at least 1: into how many parts the channels divide that see nothing of each other (default 1)
 * @param dilation an integer or a list of integers: the spacing between a window's elements, for all spatial dims or for each (default 1)
 * @returns [N, O, D′, H′, W′], or without N; the dtype of input
 * @throws ArgumentError when outputPadding is not smaller than stride or dilation
 * @throws DtypeError for integers and bool, or when input, weight and bias differ in dtype
 * @throws ShapeError when the channels do not fit the weight and groups, bias is not [O], or nothing is left
 */
export function convTranspose3d(input: Tensor, weight: Tensor, bias?: Tensor | null, stride?: number | readonly number[], padding?: number | readonly number[], outputPadding?: number | readonly number[], groups?: number, dilation?: number | readonly number[]): Tensor
export function convTranspose3d(...args: [input: Tensor, weight: Tensor, bias: Tensor | null | undefined, stride: number | readonly number[] | undefined, padding: number | readonly number[] | undefined, outputPadding: number | readonly number[] | undefined, groups: number | undefined, options?: { readonly dilation?: number | readonly number[] | undefined }] | [input: Tensor, weight: Tensor, bias: Tensor | null | undefined, stride: number | readonly number[] | undefined, padding: number | readonly number[] | undefined, outputPadding: number | readonly number[] | undefined, options?: { readonly groups?: number | undefined; readonly dilation?: number | readonly number[] | undefined }] | [input: Tensor, weight: Tensor, bias: Tensor | null | undefined, stride: number | readonly number[] | undefined, padding: number | readonly number[] | undefined, options?: { readonly outputPadding?: number | readonly number[] | undefined; readonly groups?: number | undefined; readonly dilation?: number | readonly number[] | undefined }] | [input: Tensor, weight: Tensor, bias: Tensor | null | undefined, stride: number | readonly number[] | undefined, options?: { readonly padding?: number | readonly number[] | undefined; readonly outputPadding?: number | readonly number[] | undefined; readonly groups?: number | undefined; readonly dilation?: number | readonly number[] | undefined }] | [input: Tensor, weight: Tensor, bias: Tensor | null | undefined, options?: { readonly stride?: number | readonly number[] | undefined; readonly padding?: number | readonly number[] | undefined; readonly outputPadding?: number | readonly number[] | undefined; readonly groups?: number | undefined; readonly dilation?: number | readonly number[] | undefined }] | [input: Tensor, weight: Tensor, options?: { readonly bias?: Tensor | null | undefined; readonly stride?: number | readonly number[] | undefined; readonly padding?: number | readonly number[] | undefined; readonly outputPadding?: number | readonly number[] | undefined; readonly groups?: number | undefined; readonly dilation?: number | readonly number[] | undefined }] | [input: Tensor, options: { readonly weight: Tensor; readonly bias?: Tensor | null | undefined; readonly stride?: number | readonly number[] | undefined; readonly padding?: number | readonly number[] | undefined; readonly outputPadding?: number | readonly number[] | undefined; readonly groups?: number | undefined; readonly dilation?: number | readonly number[] | undefined }] | [options: { readonly input: Tensor; readonly weight: Tensor; readonly bias?: Tensor | null | undefined; readonly stride?: number | readonly number[] | undefined; readonly padding?: number | readonly number[] | undefined; readonly outputPadding?: number | readonly number[] | undefined; readonly groups?: number | undefined; readonly dilation?: number | readonly number[] | undefined }]): Tensor
export function convTranspose3d(...args: readonly unknown[]): unknown {
  return callOp('convTranspose3d', args)
}

/**
 * The largest value of each window of [N, C, …]; padding never counts.
 *
 * Size of the result: ⌊(size + 2 padding − dilation · (kernelSize − 1) − 1) / stride⌋ + 1, with ceilMode rounded up.
 * Takes any dtype.
 *
 * @param input a tensor: [N, C, …], or without N
 * @param kernelSize an integer or a list of integers: the size of a window, for all spatial dims or for each
 * @param stride an integer or a list of integers: the distance between window starts, for all spatial dims or for each; kernelSize unless given (optional)
 * @param padding an integer or a list of integers: how many elements are added on both sides, at most half of kernelSize (default 0)
 * @param dilation an integer or a list of integers: the spacing between a window's elements, for all spatial dims or for each (default 1)
 * @param ceilMode true or false: also count a last window that is only partly inside (default false)
 * @returns [N, C, …] with one element per window, or without N; the dtype of input
 * @throws ArgumentError when padding is more than half of kernelSize
 * @throws ShapeError when the number of dims is another, or no window fits
 */
export function maxPool1d(input: Tensor, kernelSize: number | readonly number[], stride?: number | readonly number[] | null, padding?: number | readonly number[], dilation?: number | readonly number[], ceilMode?: boolean): Tensor
export function maxPool1d(...args: [input: Tensor, kernelSize: number | readonly number[], stride: number | readonly number[] | null | undefined, padding: number | readonly number[] | undefined, dilation: number | readonly number[] | undefined, options?: { readonly ceilMode?: boolean | undefined }] | [input: Tensor, kernelSize: number | readonly number[], stride: number | readonly number[] | null | undefined, padding: number | readonly number[] | undefined, options?: { readonly dilation?: number | readonly number[] | undefined; readonly ceilMode?: boolean | undefined }] | [input: Tensor, kernelSize: number | readonly number[], stride: number | readonly number[] | null | undefined, options?: { readonly padding?: number | readonly number[] | undefined; readonly dilation?: number | readonly number[] | undefined; readonly ceilMode?: boolean | undefined }] | [input: Tensor, kernelSize: number | readonly number[], options?: { readonly stride?: number | readonly number[] | null | undefined; readonly padding?: number | readonly number[] | undefined; readonly dilation?: number | readonly number[] | undefined; readonly ceilMode?: boolean | undefined }] | [input: Tensor, options: { readonly kernelSize: number | readonly number[]; readonly stride?: number | readonly number[] | null | undefined; readonly padding?: number | readonly number[] | undefined; readonly dilation?: number | readonly number[] | undefined; readonly ceilMode?: boolean | undefined }] | [options: { readonly input: Tensor; readonly kernelSize: number | readonly number[]; readonly stride?: number | readonly number[] | null | undefined; readonly padding?: number | readonly number[] | undefined; readonly dilation?: number | readonly number[] | undefined; readonly ceilMode?: boolean | undefined }]): Tensor
export function maxPool1d(...args: readonly unknown[]): unknown {
  return callOp('maxPool1d', args)
}

/**
 * The largest value of each window of [N, C, …]; padding never counts.
 *
 * Size of the result: ⌊(size + 2 padding − dilation · (kernelSize − 1) − 1) / stride⌋ + 1, with ceilMode rounded up.
 * Takes any dtype.
 *
 * @param input a tensor: [N, C, …], or without N
 * @param kernelSize an integer or a list of integers: the size of a window, for all spatial dims or for each
 * @param stride an integer or a list of integers: the distance between window starts, for all spatial dims or for each; kernelSize unless given (optional)
 * @param padding an integer or a list of integers: how many elements are added on both sides, at most half of kernelSize (default 0)
 * @param dilation an integer or a list of integers: the spacing between a window's elements, for all spatial dims or for each (default 1)
 * @param ceilMode true or false: also count a last window that is only partly inside (default false)
 * @returns [N, C, …] with one element per window, or without N; the dtype of input
 * @throws ArgumentError when padding is more than half of kernelSize
 * @throws ShapeError when the number of dims is another, or no window fits
 */
export function maxPool2d(input: Tensor, kernelSize: number | readonly number[], stride?: number | readonly number[] | null, padding?: number | readonly number[], dilation?: number | readonly number[], ceilMode?: boolean): Tensor
export function maxPool2d(...args: [input: Tensor, kernelSize: number | readonly number[], stride: number | readonly number[] | null | undefined, padding: number | readonly number[] | undefined, dilation: number | readonly number[] | undefined, options?: { readonly ceilMode?: boolean | undefined }] | [input: Tensor, kernelSize: number | readonly number[], stride: number | readonly number[] | null | undefined, padding: number | readonly number[] | undefined, options?: { readonly dilation?: number | readonly number[] | undefined; readonly ceilMode?: boolean | undefined }] | [input: Tensor, kernelSize: number | readonly number[], stride: number | readonly number[] | null | undefined, options?: { readonly padding?: number | readonly number[] | undefined; readonly dilation?: number | readonly number[] | undefined; readonly ceilMode?: boolean | undefined }] | [input: Tensor, kernelSize: number | readonly number[], options?: { readonly stride?: number | readonly number[] | null | undefined; readonly padding?: number | readonly number[] | undefined; readonly dilation?: number | readonly number[] | undefined; readonly ceilMode?: boolean | undefined }] | [input: Tensor, options: { readonly kernelSize: number | readonly number[]; readonly stride?: number | readonly number[] | null | undefined; readonly padding?: number | readonly number[] | undefined; readonly dilation?: number | readonly number[] | undefined; readonly ceilMode?: boolean | undefined }] | [options: { readonly input: Tensor; readonly kernelSize: number | readonly number[]; readonly stride?: number | readonly number[] | null | undefined; readonly padding?: number | readonly number[] | undefined; readonly dilation?: number | readonly number[] | undefined; readonly ceilMode?: boolean | undefined }]): Tensor
export function maxPool2d(...args: readonly unknown[]): unknown {
  return callOp('maxPool2d', args)
}

/**
 * The largest value of each window of [N, C, …]; padding never counts.
 *
 * Size of the result: ⌊(size + 2 padding − dilation · (kernelSize − 1) − 1) / stride⌋ + 1, with ceilMode rounded up.
 * Takes any dtype.
 *
 * @param input a tensor: [N, C, …], or without N
 * @param kernelSize an integer or a list of integers: the size of a window, for all spatial dims or for each
 * @param stride an integer or a list of integers: the distance between window starts, for all spatial dims or for each; kernelSize unless given (optional)
 * @param padding an integer or a list of integers: how many elements are added on both sides, at most half of kernelSize (default 0)
 * @param dilation an integer or a list of integers: the spacing between a window's elements, for all spatial dims or for each (default 1)
 * @param ceilMode true or false: also count a last window that is only partly inside (default false)
 * @returns [N, C, …] with one element per window, or without N; the dtype of input
 * @throws ArgumentError when padding is more than half of kernelSize
 * @throws ShapeError when the number of dims is another, or no window fits
 */
export function maxPool3d(input: Tensor, kernelSize: number | readonly number[], stride?: number | readonly number[] | null, padding?: number | readonly number[], dilation?: number | readonly number[], ceilMode?: boolean): Tensor
export function maxPool3d(...args: [input: Tensor, kernelSize: number | readonly number[], stride: number | readonly number[] | null | undefined, padding: number | readonly number[] | undefined, dilation: number | readonly number[] | undefined, options?: { readonly ceilMode?: boolean | undefined }] | [input: Tensor, kernelSize: number | readonly number[], stride: number | readonly number[] | null | undefined, padding: number | readonly number[] | undefined, options?: { readonly dilation?: number | readonly number[] | undefined; readonly ceilMode?: boolean | undefined }] | [input: Tensor, kernelSize: number | readonly number[], stride: number | readonly number[] | null | undefined, options?: { readonly padding?: number | readonly number[] | undefined; readonly dilation?: number | readonly number[] | undefined; readonly ceilMode?: boolean | undefined }] | [input: Tensor, kernelSize: number | readonly number[], options?: { readonly stride?: number | readonly number[] | null | undefined; readonly padding?: number | readonly number[] | undefined; readonly dilation?: number | readonly number[] | undefined; readonly ceilMode?: boolean | undefined }] | [input: Tensor, options: { readonly kernelSize: number | readonly number[]; readonly stride?: number | readonly number[] | null | undefined; readonly padding?: number | readonly number[] | undefined; readonly dilation?: number | readonly number[] | undefined; readonly ceilMode?: boolean | undefined }] | [options: { readonly input: Tensor; readonly kernelSize: number | readonly number[]; readonly stride?: number | readonly number[] | null | undefined; readonly padding?: number | readonly number[] | undefined; readonly dilation?: number | readonly number[] | undefined; readonly ceilMode?: boolean | undefined }]): Tensor
export function maxPool3d(...args: readonly unknown[]): unknown {
  return callOp('maxPool3d', args)
}

/**
 * The mean of each window of [N, C, …]; padding counts as zeros unless countIncludePad is false.
 *
 * Size of the result: ⌊(size + 2 padding − dilation · (kernelSize − 1) − 1) / stride⌋ + 1, with ceilMode rounded up.
 * Takes floats.
 *
 * @param input a tensor: [N, C, …], or without N
 * @param kernelSize an integer or a list of integers: the size of a window, for all spatial dims or for each
 * @param stride an integer or a list of integers: the distance between window starts, for all spatial dims or for each; kernelSize unless given (optional)
 * @param padding an integer or a list of integers: how many elements are added on both sides, at most half of kernelSize (default 0)
 * @param ceilMode true or false: also count a last window that is only partly inside (default false)
 * @param countIncludePad true or false: whether padding counts as elements (default true)
 * @returns [N, C, …] with one element per window, or without N; the dtype of input
 * @throws ArgumentError when padding is more than half of kernelSize
 * @throws DtypeError for integers and bool
 * @throws ShapeError when the number of dims is another, or no window fits
 */
export function avgPool1d(input: Tensor, kernelSize: number | readonly number[], stride?: number | readonly number[] | null, padding?: number | readonly number[], ceilMode?: boolean, countIncludePad?: boolean): Tensor
export function avgPool1d(...args: [input: Tensor, kernelSize: number | readonly number[], stride: number | readonly number[] | null | undefined, padding: number | readonly number[] | undefined, ceilMode: boolean | undefined, options?: { readonly countIncludePad?: boolean | undefined }] | [input: Tensor, kernelSize: number | readonly number[], stride: number | readonly number[] | null | undefined, padding: number | readonly number[] | undefined, options?: { readonly ceilMode?: boolean | undefined; readonly countIncludePad?: boolean | undefined }] | [input: Tensor, kernelSize: number | readonly number[], stride: number | readonly number[] | null | undefined, options?: { readonly padding?: number | readonly number[] | undefined; readonly ceilMode?: boolean | undefined; readonly countIncludePad?: boolean | undefined }] | [input: Tensor, kernelSize: number | readonly number[], options?: { readonly stride?: number | readonly number[] | null | undefined; readonly padding?: number | readonly number[] | undefined; readonly ceilMode?: boolean | undefined; readonly countIncludePad?: boolean | undefined }] | [input: Tensor, options: { readonly kernelSize: number | readonly number[]; readonly stride?: number | readonly number[] | null | undefined; readonly padding?: number | readonly number[] | undefined; readonly ceilMode?: boolean | undefined; readonly countIncludePad?: boolean | undefined }] | [options: { readonly input: Tensor; readonly kernelSize: number | readonly number[]; readonly stride?: number | readonly number[] | null | undefined; readonly padding?: number | readonly number[] | undefined; readonly ceilMode?: boolean | undefined; readonly countIncludePad?: boolean | undefined }]): Tensor
export function avgPool1d(...args: readonly unknown[]): unknown {
  return callOp('avgPool1d', args)
}

/**
 * The mean of each window of [N, C, …]; padding counts as zeros unless countIncludePad is false.
 *
 * Size of the result: ⌊(size + 2 padding − dilation · (kernelSize − 1) − 1) / stride⌋ + 1, with ceilMode rounded up.
 * Takes floats.
 *
 * @param input a tensor: [N, C, …], or without N
 * @param kernelSize an integer or a list of integers: the size of a window, for all spatial dims or for each
 * @param stride an integer or a list of integers: the distance between window starts, for all spatial dims or for each; kernelSize unless given (optional)
 * @param padding an integer or a list of integers: how many elements are added on both sides, at most half of kernelSize (default 0)
 * @param ceilMode true or false: also count a last window that is only partly inside (default false)
 * @param countIncludePad true or false: whether padding counts as elements (default true)
 * @param divisorOverride an integer: what the sums are divided by instead of how many elements a window counts (optional)
 * @returns [N, C, …] with one element per window, or without N; the dtype of input
 * @throws ArgumentError when padding is more than half of kernelSize, or divisorOverride is 0
 * @throws DtypeError for integers and bool
 * @throws ShapeError when the number of dims is another, or no window fits
 */
export function avgPool2d(input: Tensor, kernelSize: number | readonly number[], stride?: number | readonly number[] | null, padding?: number | readonly number[], ceilMode?: boolean, countIncludePad?: boolean, divisorOverride?: number | null): Tensor
export function avgPool2d(...args: [input: Tensor, kernelSize: number | readonly number[], stride: number | readonly number[] | null | undefined, padding: number | readonly number[] | undefined, ceilMode: boolean | undefined, countIncludePad: boolean | undefined, options?: { readonly divisorOverride?: number | null | undefined }] | [input: Tensor, kernelSize: number | readonly number[], stride: number | readonly number[] | null | undefined, padding: number | readonly number[] | undefined, ceilMode: boolean | undefined, options?: { readonly countIncludePad?: boolean | undefined; readonly divisorOverride?: number | null | undefined }] | [input: Tensor, kernelSize: number | readonly number[], stride: number | readonly number[] | null | undefined, padding: number | readonly number[] | undefined, options?: { readonly ceilMode?: boolean | undefined; readonly countIncludePad?: boolean | undefined; readonly divisorOverride?: number | null | undefined }] | [input: Tensor, kernelSize: number | readonly number[], stride: number | readonly number[] | null | undefined, options?: { readonly padding?: number | readonly number[] | undefined; readonly ceilMode?: boolean | undefined; readonly countIncludePad?: boolean | undefined; readonly divisorOverride?: number | null | undefined }] | [input: Tensor, kernelSize: number | readonly number[], options?: { readonly stride?: number | readonly number[] | null | undefined; readonly padding?: number | readonly number[] | undefined; readonly ceilMode?: boolean | undefined; readonly countIncludePad?: boolean | undefined; readonly divisorOverride?: number | null | undefined }] | [input: Tensor, options: { readonly kernelSize: number | readonly number[]; readonly stride?: number | readonly number[] | null | undefined; readonly padding?: number | readonly number[] | undefined; readonly ceilMode?: boolean | undefined; readonly countIncludePad?: boolean | undefined; readonly divisorOverride?: number | null | undefined }] | [options: { readonly input: Tensor; readonly kernelSize: number | readonly number[]; readonly stride?: number | readonly number[] | null | undefined; readonly padding?: number | readonly number[] | undefined; readonly ceilMode?: boolean | undefined; readonly countIncludePad?: boolean | undefined; readonly divisorOverride?: number | null | undefined }]): Tensor
export function avgPool2d(...args: readonly unknown[]): unknown {
  return callOp('avgPool2d', args)
}

/**
 * The mean of each window of [N, C, …]; padding counts as zeros unless countIncludePad is false.
 *
 * Size of the result: ⌊(size + 2 padding − dilation · (kernelSize − 1) − 1) / stride⌋ + 1, with ceilMode rounded up.
 * Takes floats.
 *
 * @param input a tensor: [N, C, …], or without N
 * @param kernelSize an integer or a list of integers: the size of a window, for all spatial dims or for each
 * @param stride an integer or a list of integers: the distance between window starts, for all spatial dims or for each; kernelSize unless given (optional)
 * @param padding an integer or a list of integers: how many elements are added on both sides, at most half of kernelSize (default 0)
 * @param ceilMode true or false: also count a last window that is only partly inside (default false)
 * @param countIncludePad true or false: whether padding counts as elements (default true)
 * @param divisorOverride an integer: what the sums are divided by instead of how many elements a window counts (optional)
 * @returns [N, C, …] with one element per window, or without N; the dtype of input
 * @throws ArgumentError when padding is more than half of kernelSize, or divisorOverride is 0
 * @throws DtypeError for integers and bool
 * @throws ShapeError when the number of dims is another, or no window fits
 */
export function avgPool3d(input: Tensor, kernelSize: number | readonly number[], stride?: number | readonly number[] | null, padding?: number | readonly number[], ceilMode?: boolean, countIncludePad?: boolean, divisorOverride?: number | null): Tensor
export function avgPool3d(...args: [input: Tensor, kernelSize: number | readonly number[], stride: number | readonly number[] | null | undefined, padding: number | readonly number[] | undefined, ceilMode: boolean | undefined, countIncludePad: boolean | undefined, options?: { readonly divisorOverride?: number | null | undefined }] | [input: Tensor, kernelSize: number | readonly number[], stride: number | readonly number[] | null | undefined, padding: number | readonly number[] | undefined, ceilMode: boolean | undefined, options?: { readonly countIncludePad?: boolean | undefined; readonly divisorOverride?: number | null | undefined }] | [input: Tensor, kernelSize: number | readonly number[], stride: number | readonly number[] | null | undefined, padding: number | readonly number[] | undefined, options?: { readonly ceilMode?: boolean | undefined; readonly countIncludePad?: boolean | undefined; readonly divisorOverride?: number | null | undefined }] | [input: Tensor, kernelSize: number | readonly number[], stride: number | readonly number[] | null | undefined, options?: { readonly padding?: number | readonly number[] | undefined; readonly ceilMode?: boolean | undefined; readonly countIncludePad?: boolean | undefined; readonly divisorOverride?: number | null | undefined }] | [input: Tensor, kernelSize: number | readonly number[], options?: { readonly stride?: number | readonly number[] | null | undefined; readonly padding?: number | readonly number[] | undefined; readonly ceilMode?: boolean | undefined; readonly countIncludePad?: boolean | undefined; readonly divisorOverride?: number | null | undefined }] | [input: Tensor, options: { readonly kernelSize: number | readonly number[]; readonly stride?: number | readonly number[] | null | undefined; readonly padding?: number | readonly number[] | undefined; readonly ceilMode?: boolean | undefined; readonly countIncludePad?: boolean | undefined; readonly divisorOverride?: number | null | undefined }] | [options: { readonly input: Tensor; readonly kernelSize: number | readonly number[]; readonly stride?: number | readonly number[] | null | undefined; readonly padding?: number | readonly number[] | undefined; readonly ceilMode?: boolean | undefined; readonly countIncludePad?: boolean | undefined; readonly divisorOverride?: number | null | undefined }]): Tensor
export function avgPool3d(...args: readonly unknown[]): unknown {
  return callOp('avgPool3d', args)
}

/**
 * The largest value of each window of [N, C, …], and its index in the flattened spatial dims (of equals the first).
 *
 * Size of the result: ⌊(size + 2 padding − dilation · (kernelSize − 1) − 1) / stride⌋ + 1, with ceilMode rounded up.
 * Takes any dtype.
 *
 * @param input a tensor: [N, C, …], or without N
 * @param kernelSize an integer or a list of integers: the size of a window, for all spatial dims or for each
 * @param stride an integer or a list of integers: the distance between window starts, for all spatial dims or for each; kernelSize unless given (optional)
 * @param padding an integer or a list of integers: how many elements are added on both sides, at most half of kernelSize (default 0)
 * @param dilation an integer or a list of integers: the spacing between a window's elements, for all spatial dims or for each (default 1)
 * @param ceilMode true or false: also count a last window that is only partly inside (default false)
 * @returns values, indices: [N, C, …] with one element per window, or without N; values the dtype of input, indices i64
 * @throws ArgumentError when padding is more than half of kernelSize
 * @throws ShapeError when the number of dims is another, or no window fits
 */
export function maxPool1dWithIndices(input: Tensor, kernelSize: number | readonly number[], stride?: number | readonly number[] | null, padding?: number | readonly number[], dilation?: number | readonly number[], ceilMode?: boolean): { readonly values: Tensor; readonly indices: Tensor }
export function maxPool1dWithIndices(...args: [input: Tensor, kernelSize: number | readonly number[], stride: number | readonly number[] | null | undefined, padding: number | readonly number[] | undefined, dilation: number | readonly number[] | undefined, options?: { readonly ceilMode?: boolean | undefined }] | [input: Tensor, kernelSize: number | readonly number[], stride: number | readonly number[] | null | undefined, padding: number | readonly number[] | undefined, options?: { readonly dilation?: number | readonly number[] | undefined; readonly ceilMode?: boolean | undefined }] | [input: Tensor, kernelSize: number | readonly number[], stride: number | readonly number[] | null | undefined, options?: { readonly padding?: number | readonly number[] | undefined; readonly dilation?: number | readonly number[] | undefined; readonly ceilMode?: boolean | undefined }] | [input: Tensor, kernelSize: number | readonly number[], options?: { readonly stride?: number | readonly number[] | null | undefined; readonly padding?: number | readonly number[] | undefined; readonly dilation?: number | readonly number[] | undefined; readonly ceilMode?: boolean | undefined }] | [input: Tensor, options: { readonly kernelSize: number | readonly number[]; readonly stride?: number | readonly number[] | null | undefined; readonly padding?: number | readonly number[] | undefined; readonly dilation?: number | readonly number[] | undefined; readonly ceilMode?: boolean | undefined }] | [options: { readonly input: Tensor; readonly kernelSize: number | readonly number[]; readonly stride?: number | readonly number[] | null | undefined; readonly padding?: number | readonly number[] | undefined; readonly dilation?: number | readonly number[] | undefined; readonly ceilMode?: boolean | undefined }]): { readonly values: Tensor; readonly indices: Tensor }
export function maxPool1dWithIndices(...args: readonly unknown[]): unknown {
  return callOp('maxPool1dWithIndices', args)
}

/**
 * The largest value of each window of [N, C, …], and its index in the flattened spatial dims (of equals the first).
 *
 * Size of the result: ⌊(size + 2 padding − dilation · (kernelSize − 1) − 1) / stride⌋ + 1, with ceilMode rounded up.
 * Takes any dtype.
 *
 * @param input a tensor: [N, C, …], or without N
 * @param kernelSize an integer or a list of integers: the size of a window, for all spatial dims or for each
 * @param stride an integer or a list of integers: the distance between window starts, for all spatial dims or for each; kernelSize unless given (optional)
 * @param padding an integer or a list of integers: how many elements are added on both sides, at most half of kernelSize (default 0)
 * @param dilation an integer or a list of integers: the spacing between a window's elements, for all spatial dims or for each (default 1)
 * @param ceilMode true or false: also count a last window that is only partly inside (default false)
 * @returns values, indices: [N, C, …] with one element per window, or without N; values the dtype of input, indices i64
 * @throws ArgumentError when padding is more than half of kernelSize
 * @throws ShapeError when the number of dims is another, or no window fits
 */
export function maxPool2dWithIndices(input: Tensor, kernelSize: number | readonly number[], stride?: number | readonly number[] | null, padding?: number | readonly number[], dilation?: number | readonly number[], ceilMode?: boolean): { readonly values: Tensor; readonly indices: Tensor }
export function maxPool2dWithIndices(...args: [input: Tensor, kernelSize: number | readonly number[], stride: number | readonly number[] | null | undefined, padding: number | readonly number[] | undefined, dilation: number | readonly number[] | undefined, options?: { readonly ceilMode?: boolean | undefined }] | [input: Tensor, kernelSize: number | readonly number[], stride: number | readonly number[] | null | undefined, padding: number | readonly number[] | undefined, options?: { readonly dilation?: number | readonly number[] | undefined; readonly ceilMode?: boolean | undefined }] | [input: Tensor, kernelSize: number | readonly number[], stride: number | readonly number[] | null | undefined, options?: { readonly padding?: number | readonly number[] | undefined; readonly dilation?: number | readonly number[] | undefined; readonly ceilMode?: boolean | undefined }] | [input: Tensor, kernelSize: number | readonly number[], options?: { readonly stride?: number | readonly number[] | null | undefined; readonly padding?: number | readonly number[] | undefined; readonly dilation?: number | readonly number[] | undefined; readonly ceilMode?: boolean | undefined }] | [input: Tensor, options: { readonly kernelSize: number | readonly number[]; readonly stride?: number | readonly number[] | null | undefined; readonly padding?: number | readonly number[] | undefined; readonly dilation?: number | readonly number[] | undefined; readonly ceilMode?: boolean | undefined }] | [options: { readonly input: Tensor; readonly kernelSize: number | readonly number[]; readonly stride?: number | readonly number[] | null | undefined; readonly padding?: number | readonly number[] | undefined; readonly dilation?: number | readonly number[] | undefined; readonly ceilMode?: boolean | undefined }]): { readonly values: Tensor; readonly indices: Tensor }
export function maxPool2dWithIndices(...args: readonly unknown[]): unknown {
  return callOp('maxPool2dWithIndices', args)
}

/**
 * The largest value of each window of [N, C, …], and its index in the flattened spatial dims (of equals the first).
 *
 * Size of the result: ⌊(size + 2 padding − dilation · (kernelSize − 1) − 1) / stride⌋ + 1, with ceilMode rounded up.
 * Takes any dtype.
 *
 * @param input a tensor: [N, C, …], or without N
 * @param kernelSize an integer or a list of integers: the size of a window, for all spatial dims or for each
 * @param stride an integer or a list of integers: the distance between window starts, for all spatial dims or for each; kernelSize unless given (optional)
 * @param padding an integer or a list of integers: how many elements are added on both sides, at most half of kernelSize (default 0)
 * @param dilation an integer or a list of integers: the spacing between a window's elements, for all spatial dims or for each (default 1)
 * @param ceilMode true or false: also count a last window that is only partly inside (default false)
 * @returns values, indices: [N, C, …] with one element per window, or without N; values the dtype of input, indices i64
 * @throws ArgumentError when padding is more than half of kernelSize
 * @throws ShapeError when the number of dims is another, or no window fits
 */
export function maxPool3dWithIndices(input: Tensor, kernelSize: number | readonly number[], stride?: number | readonly number[] | null, padding?: number | readonly number[], dilation?: number | readonly number[], ceilMode?: boolean): { readonly values: Tensor; readonly indices: Tensor }
export function maxPool3dWithIndices(...args: [input: Tensor, kernelSize: number | readonly number[], stride: number | readonly number[] | null | undefined, padding: number | readonly number[] | undefined, dilation: number | readonly number[] | undefined, options?: { readonly ceilMode?: boolean | undefined }] | [input: Tensor, kernelSize: number | readonly number[], stride: number | readonly number[] | null | undefined, padding: number | readonly number[] | undefined, options?: { readonly dilation?: number | readonly number[] | undefined; readonly ceilMode?: boolean | undefined }] | [input: Tensor, kernelSize: number | readonly number[], stride: number | readonly number[] | null | undefined, options?: { readonly padding?: number | readonly number[] | undefined; readonly dilation?: number | readonly number[] | undefined; readonly ceilMode?: boolean | undefined }] | [input: Tensor, kernelSize: number | readonly number[], options?: { readonly stride?: number | readonly number[] | null | undefined; readonly padding?: number | readonly number[] | undefined; readonly dilation?: number | readonly number[] | undefined; readonly ceilMode?: boolean | undefined }] | [input: Tensor, options: { readonly kernelSize: number | readonly number[]; readonly stride?: number | readonly number[] | null | undefined; readonly padding?: number | readonly number[] | undefined; readonly dilation?: number | readonly number[] | undefined; readonly ceilMode?: boolean | undefined }] | [options: { readonly input: Tensor; readonly kernelSize: number | readonly number[]; readonly stride?: number | readonly number[] | null | undefined; readonly padding?: number | readonly number[] | undefined; readonly dilation?: number | readonly number[] | undefined; readonly ceilMode?: boolean | undefined }]): { readonly values: Tensor; readonly indices: Tensor }
export function maxPool3dWithIndices(...args: readonly unknown[]): unknown {
  return callOp('maxPool3dWithIndices', args)
}

/**
 * Mean pooling to outputSize in the spatial dims, whatever the input size.
 *
 * Window i of n goes from ⌊i · size / n⌋ to ⌈(i + 1) · size / n⌉.
 * Takes floats.
 *
 * @param input a tensor: [N, C, …], or without N
 * @param outputSize an integer or a list of integers or nulls: how many windows, for all spatial dims or for each; null: as many as elements
 * @returns [N, C, outputSize…], or without N; the dtype of input
 * @throws DtypeError for integers and bool
 * @throws ShapeError when the number of dims is another, or a spatial dim is empty
 */
export function adaptiveAvgPool1d(input: Tensor, outputSize: number | readonly (number | null)[]): Tensor
export function adaptiveAvgPool1d(...args: [input: Tensor, options: { readonly outputSize: number | readonly (number | null)[] }] | [options: { readonly input: Tensor; readonly outputSize: number | readonly (number | null)[] }]): Tensor
export function adaptiveAvgPool1d(...args: readonly unknown[]): unknown {
  return callOp('adaptiveAvgPool1d', args)
}

/**
 * Mean pooling to outputSize in the spatial dims, whatever the input size.
 *
 * Window i of n goes from ⌊i · size / n⌋ to ⌈(i + 1) · size / n⌉.
 * Takes floats.
 *
 * @param input a tensor: [N, C, …], or without N
 * @param outputSize an integer or a list of integers or nulls: how many windows, for all spatial dims or for each; null: as many as elements
 * @returns [N, C, outputSize…], or without N; the dtype of input
 * @throws DtypeError for integers and bool
 * @throws ShapeError when the number of dims is another, or a spatial dim is empty
 */
export function adaptiveAvgPool2d(input: Tensor, outputSize: number | readonly (number | null)[]): Tensor
export function adaptiveAvgPool2d(...args: [input: Tensor, options: { readonly outputSize: number | readonly (number | null)[] }] | [options: { readonly input: Tensor; readonly outputSize: number | readonly (number | null)[] }]): Tensor
export function adaptiveAvgPool2d(...args: readonly unknown[]): unknown {
  return callOp('adaptiveAvgPool2d', args)
}

/**
 * Mean pooling to outputSize in the spatial dims, whatever the input size.
 *
 * Window i of n goes from ⌊i · size / n⌋ to ⌈(i + 1) · size / n⌉.
 * Takes floats.
 *
 * @param input a tensor: [N, C, …], or without N
 * @param outputSize an integer or a list of integers or nulls: how many windows, for all spatial dims or for each; null: as many as elements
 * @returns [N, C, outputSize…], or without N; the dtype of input
 * @throws DtypeError for integers and bool
 * @throws ShapeError when the number of dims is another, or a spatial dim is empty
 */
export function adaptiveAvgPool3d(input: Tensor, outputSize: number | readonly (number | null)[]): Tensor
export function adaptiveAvgPool3d(...args: [input: Tensor, options: { readonly outputSize: number | readonly (number | null)[] }] | [options: { readonly input: Tensor; readonly outputSize: number | readonly (number | null)[] }]): Tensor
export function adaptiveAvgPool3d(...args: readonly unknown[]): unknown {
  return callOp('adaptiveAvgPool3d', args)
}

/**
 * Max pooling to outputSize in the spatial dims, whatever the input size.
 *
 * Window i of n goes from ⌊i · size / n⌋ to ⌈(i + 1) · size / n⌉.
 * Takes any dtype.
 *
 * @param input a tensor: [N, C, …], or without N
 * @param outputSize an integer or a list of integers or nulls: how many windows, for all spatial dims or for each; null: as many as elements
 * @returns [N, C, outputSize…], or without N; the dtype of input
 * @throws ShapeError when the number of dims is another, or a spatial dim is empty
 */
export function adaptiveMaxPool1d(input: Tensor, outputSize: number | readonly (number | null)[]): Tensor
export function adaptiveMaxPool1d(...args: [input: Tensor, options: { readonly outputSize: number | readonly (number | null)[] }] | [options: { readonly input: Tensor; readonly outputSize: number | readonly (number | null)[] }]): Tensor
export function adaptiveMaxPool1d(...args: readonly unknown[]): unknown {
  return callOp('adaptiveMaxPool1d', args)
}

/**
 * Max pooling to outputSize in the spatial dims, whatever the input size.
 *
 * Window i of n goes from ⌊i · size / n⌋ to ⌈(i + 1) · size / n⌉.
 * Takes any dtype.
 *
 * @param input a tensor: [N, C, …], or without N
 * @param outputSize an integer or a list of integers or nulls: how many windows, for all spatial dims or for each; null: as many as elements
 * @returns [N, C, outputSize…], or without N; the dtype of input
 * @throws ShapeError when the number of dims is another, or a spatial dim is empty
 */
export function adaptiveMaxPool2d(input: Tensor, outputSize: number | readonly (number | null)[]): Tensor
export function adaptiveMaxPool2d(...args: [input: Tensor, options: { readonly outputSize: number | readonly (number | null)[] }] | [options: { readonly input: Tensor; readonly outputSize: number | readonly (number | null)[] }]): Tensor
export function adaptiveMaxPool2d(...args: readonly unknown[]): unknown {
  return callOp('adaptiveMaxPool2d', args)
}

/**
 * Max pooling to outputSize in the spatial dims, whatever the input size.
 *
 * Window i of n goes from ⌊i · size / n⌋ to ⌈(i + 1) · size / n⌉.
 * Takes any dtype.
 *
 * @param input a tensor: [N, C, …], or without N
 * @param outputSize an integer or a list of integers or nulls: how many windows, for all spatial dims or for each; null: as many as elements
 * @returns [N, C, outputSize…], or without N; the dtype of input
 * @throws ShapeError when the number of dims is another, or a spatial dim is empty
 */
export function adaptiveMaxPool3d(input: Tensor, outputSize: number | readonly (number | null)[]): Tensor
export function adaptiveMaxPool3d(...args: [input: Tensor, options: { readonly outputSize: number | readonly (number | null)[] }] | [options: { readonly input: Tensor; readonly outputSize: number | readonly (number | null)[] }]): Tensor
export function adaptiveMaxPool3d(...args: readonly unknown[]): unknown {
  return callOp('adaptiveMaxPool3d', args)
}

/**
 * Max pooling to outputSize in the spatial dims, whatever the input size, and their positions among the spatial elements (of equals the first).
 *
 * Window i of n goes from ⌊i · size / n⌋ to ⌈(i + 1) · size / n⌉.
 * Takes any dtype.
 *
 * @param input a tensor: [N, C, …], or without N
 * @param outputSize an integer or a list of integers or nulls: how many windows, for all spatial dims or for each; null: as many as elements
 * @returns values, indices: [N, C, outputSize…], or without N; values the dtype of input, indices i64
 * @throws ShapeError when the number of dims is another, or a spatial dim is empty
 */
export function adaptiveMaxPool1dWithIndices(input: Tensor, outputSize: number | readonly (number | null)[]): { readonly values: Tensor; readonly indices: Tensor }
export function adaptiveMaxPool1dWithIndices(...args: [input: Tensor, options: { readonly outputSize: number | readonly (number | null)[] }] | [options: { readonly input: Tensor; readonly outputSize: number | readonly (number | null)[] }]): { readonly values: Tensor; readonly indices: Tensor }
export function adaptiveMaxPool1dWithIndices(...args: readonly unknown[]): unknown {
  return callOp('adaptiveMaxPool1dWithIndices', args)
}

/**
 * Max pooling to outputSize in the spatial dims, whatever the input size, and their positions among the spatial elements (of equals the first).
 *
 * Window i of n goes from ⌊i · size / n⌋ to ⌈(i + 1) · size / n⌉.
 * Takes any dtype.
 *
 * @param input a tensor: [N, C, …], or without N
 * @param outputSize an integer or a list of integers or nulls: how many windows, for all spatial dims or for each; null: as many as elements
 * @returns values, indices: [N, C, outputSize…], or without N; values the dtype of input, indices i64
 * @throws ShapeError when the number of dims is another, or a spatial dim is empty
 */
export function adaptiveMaxPool2dWithIndices(input: Tensor, outputSize: number | readonly (number | null)[]): { readonly values: Tensor; readonly indices: Tensor }
export function adaptiveMaxPool2dWithIndices(...args: [input: Tensor, options: { readonly outputSize: number | readonly (number | null)[] }] | [options: { readonly input: Tensor; readonly outputSize: number | readonly (number | null)[] }]): { readonly values: Tensor; readonly indices: Tensor }
export function adaptiveMaxPool2dWithIndices(...args: readonly unknown[]): unknown {
  return callOp('adaptiveMaxPool2dWithIndices', args)
}

/**
 * Max pooling to outputSize in the spatial dims, whatever the input size, and their positions among the spatial elements (of equals the first).
 *
 * Window i of n goes from ⌊i · size / n⌋ to ⌈(i + 1) · size / n⌉.
 * Takes any dtype.
 *
 * @param input a tensor: [N, C, …], or without N
 * @param outputSize an integer or a list of integers or nulls: how many windows, for all spatial dims or for each; null: as many as elements
 * @returns values, indices: [N, C, outputSize…], or without N; values the dtype of input, indices i64
 * @throws ShapeError when the number of dims is another, or a spatial dim is empty
 */
export function adaptiveMaxPool3dWithIndices(input: Tensor, outputSize: number | readonly (number | null)[]): { readonly values: Tensor; readonly indices: Tensor }
export function adaptiveMaxPool3dWithIndices(...args: [input: Tensor, options: { readonly outputSize: number | readonly (number | null)[] }] | [options: { readonly input: Tensor; readonly outputSize: number | readonly (number | null)[] }]): { readonly values: Tensor; readonly indices: Tensor }
export function adaptiveMaxPool3dWithIndices(...args: readonly unknown[]): unknown {
  return callOp('adaptiveMaxPool3dWithIndices', args)
}

/**
 * (Σ inputᵖ)^(1/p) with p = normType over each window of [N, C, …].
 *
 * As in PyTorch inputᵖ keeps its sign, and what a last window lacks counts as the mean of the others.
 * Takes floats.
 *
 * @param input a tensor: [N, C, …], or without N
 * @param normType a number: p, any number but 0: with 1 sums
 * @param kernelSize an integer or a list of integers: the size of a window, for all spatial dims or for each
 * @param stride an integer or a list of integers: the distance between window starts, for all spatial dims or for each; kernelSize unless given (optional)
 * @param ceilMode true or false: also count a last window that is only partly inside (default false)
 * @returns [N, C, …] with one element per window, or without N; the dtype of input
 * @throws ArgumentError when normType is 0
 * @throws DtypeError for integers and bool
 * @throws ShapeError when the number of dims is another, or no window fits
 */
export function lpPool1d(input: Tensor, normType: number, kernelSize: number | readonly number[], stride?: number | readonly number[] | null, ceilMode?: boolean): Tensor
export function lpPool1d(...args: [input: Tensor, normType: number, kernelSize: number | readonly number[], stride: number | readonly number[] | null | undefined, options?: { readonly ceilMode?: boolean | undefined }] | [input: Tensor, normType: number, kernelSize: number | readonly number[], options?: { readonly stride?: number | readonly number[] | null | undefined; readonly ceilMode?: boolean | undefined }] | [input: Tensor, normType: number, options: { readonly kernelSize: number | readonly number[]; readonly stride?: number | readonly number[] | null | undefined; readonly ceilMode?: boolean | undefined }] | [input: Tensor, options: { readonly normType: number; readonly kernelSize: number | readonly number[]; readonly stride?: number | readonly number[] | null | undefined; readonly ceilMode?: boolean | undefined }] | [options: { readonly input: Tensor; readonly normType: number; readonly kernelSize: number | readonly number[]; readonly stride?: number | readonly number[] | null | undefined; readonly ceilMode?: boolean | undefined }]): Tensor
export function lpPool1d(...args: readonly unknown[]): unknown {
  return callOp('lpPool1d', args)
}

/**
 * (Σ inputᵖ)^(1/p) with p = normType over each window of [N, C, …].
 *
 * As in PyTorch inputᵖ keeps its sign, and what a last window lacks counts as the mean of the others.
 * Takes floats.
 *
 * @param input a tensor: [N, C, …], or without N
 * @param normType a number: p, any number but 0: with 1 sums
 * @param kernelSize an integer or a list of integers: the size of a window, for all spatial dims or for each
 * @param stride an integer or a list of integers: the distance between window starts, for all spatial dims or for each; kernelSize unless given (optional)
 * @param ceilMode true or false: also count a last window that is only partly inside (default false)
 * @returns [N, C, …] with one element per window, or without N; the dtype of input
 * @throws ArgumentError when normType is 0
 * @throws DtypeError for integers and bool
 * @throws ShapeError when the number of dims is another, or no window fits
 */
export function lpPool2d(input: Tensor, normType: number, kernelSize: number | readonly number[], stride?: number | readonly number[] | null, ceilMode?: boolean): Tensor
export function lpPool2d(...args: [input: Tensor, normType: number, kernelSize: number | readonly number[], stride: number | readonly number[] | null | undefined, options?: { readonly ceilMode?: boolean | undefined }] | [input: Tensor, normType: number, kernelSize: number | readonly number[], options?: { readonly stride?: number | readonly number[] | null | undefined; readonly ceilMode?: boolean | undefined }] | [input: Tensor, normType: number, options: { readonly kernelSize: number | readonly number[]; readonly stride?: number | readonly number[] | null | undefined; readonly ceilMode?: boolean | undefined }] | [input: Tensor, options: { readonly normType: number; readonly kernelSize: number | readonly number[]; readonly stride?: number | readonly number[] | null | undefined; readonly ceilMode?: boolean | undefined }] | [options: { readonly input: Tensor; readonly normType: number; readonly kernelSize: number | readonly number[]; readonly stride?: number | readonly number[] | null | undefined; readonly ceilMode?: boolean | undefined }]): Tensor
export function lpPool2d(...args: readonly unknown[]): unknown {
  return callOp('lpPool2d', args)
}

/**
 * (Σ inputᵖ)^(1/p) with p = normType over each window of [N, C, …].
 *
 * As in PyTorch inputᵖ keeps its sign, and what a last window lacks counts as the mean of the others.
 * Takes floats.
 *
 * @param input a tensor: [N, C, …], or without N
 * @param normType a number: p, any number but 0: with 1 sums
 * @param kernelSize an integer or a list of integers: the size of a window, for all spatial dims or for each
 * @param stride an integer or a list of integers: the distance between window starts, for all spatial dims or for each; kernelSize unless given (optional)
 * @param ceilMode true or false: also count a last window that is only partly inside (default false)
 * @returns [N, C, …] with one element per window, or without N; the dtype of input
 * @throws ArgumentError when normType is 0
 * @throws DtypeError for integers and bool
 * @throws ShapeError when the number of dims is another, or no window fits
 */
export function lpPool3d(input: Tensor, normType: number, kernelSize: number | readonly number[], stride?: number | readonly number[] | null, ceilMode?: boolean): Tensor
export function lpPool3d(...args: [input: Tensor, normType: number, kernelSize: number | readonly number[], stride: number | readonly number[] | null | undefined, options?: { readonly ceilMode?: boolean | undefined }] | [input: Tensor, normType: number, kernelSize: number | readonly number[], options?: { readonly stride?: number | readonly number[] | null | undefined; readonly ceilMode?: boolean | undefined }] | [input: Tensor, normType: number, options: { readonly kernelSize: number | readonly number[]; readonly stride?: number | readonly number[] | null | undefined; readonly ceilMode?: boolean | undefined }] | [input: Tensor, options: { readonly normType: number; readonly kernelSize: number | readonly number[]; readonly stride?: number | readonly number[] | null | undefined; readonly ceilMode?: boolean | undefined }] | [options: { readonly input: Tensor; readonly normType: number; readonly kernelSize: number | readonly number[]; readonly stride?: number | readonly number[] | null | undefined; readonly ceilMode?: boolean | undefined }]): Tensor
export function lpPool3d(...args: readonly unknown[]): unknown {
  return callOp('lpPool3d', args)
}

/**
 * The windows of [N, C, H, W] as columns, [N, C · kernel, windows]: torch.nn.functional.unfold.
 *
 * Takes any dtype.
 *
 * @param input a tensor: [N, C, H, W], or without N
 * @param kernelSize an integer or a list of integers: the size of a window, for all spatial dims or for each
 * @param dilation an integer or a list of integers: the spacing between a window's elements, for all spatial dims or for each (default 1)
 * @param padding an integer or a list of integers: how many zeros are added on each side, for all spatial dims or for each (default 0)
 * @param stride an integer or a list of integers: the distance between window starts, for all spatial dims or for each (default 1)
 * @returns [N, C · kernel height · kernel width, windows], or without N; the dtype of input
 * @throws ShapeError when the number of dims is another, or no window fits
 */
export function im2col(input: Tensor, kernelSize: number | readonly number[], dilation?: number | readonly number[], padding?: number | readonly number[], stride?: number | readonly number[]): Tensor
export function im2col(...args: [input: Tensor, kernelSize: number | readonly number[], dilation: number | readonly number[] | undefined, padding: number | readonly number[] | undefined, options?: { readonly stride?: number | readonly number[] | undefined }] | [input: Tensor, kernelSize: number | readonly number[], dilation: number | readonly number[] | undefined, options?: { readonly padding?: number | readonly number[] | undefined; readonly stride?: number | readonly number[] | undefined }] | [input: Tensor, kernelSize: number | readonly number[], options?: { readonly dilation?: number | readonly number[] | undefined; readonly padding?: number | readonly number[] | undefined; readonly stride?: number | readonly number[] | undefined }] | [input: Tensor, options: { readonly kernelSize: number | readonly number[]; readonly dilation?: number | readonly number[] | undefined; readonly padding?: number | readonly number[] | undefined; readonly stride?: number | readonly number[] | undefined }] | [options: { readonly input: Tensor; readonly kernelSize: number | readonly number[]; readonly dilation?: number | readonly number[] | undefined; readonly padding?: number | readonly number[] | undefined; readonly stride?: number | readonly number[] | undefined }]): Tensor
export function im2col(...args: readonly unknown[]): unknown {
  return callOp('im2col', args)
}

/**
 * Columns [N, C · kernel, windows] summed into [N, C, H, W] where im2col would read them: torch.nn.functional.fold.
 *
 * Takes any dtype.
 *
 * @param input a tensor: [N, C · kernel height · kernel width, windows], or without N
 * @param outputSize an integer or a list of integers: the sizes [H, W] of the result
 * @param kernelSize an integer or a list of integers: the size of a window, for all spatial dims or for each
 * @param dilation an integer or a list of integers: the spacing between a window's elements, for all spatial dims or for each (default 1)
 * @param padding an integer or a list of integers: how many zeros are added on each side, for all spatial dims or for each (default 0)
 * @param stride an integer or a list of integers: the distance between window starts, for all spatial dims or for each (default 1)
 * @returns [N, C, outputSize…], or without N; the dtype of input
 * @throws ShapeError when the rows are no multiple of the kernel, or the columns not the windows of outputSize
 */
export function fold(input: Tensor, outputSize: number | readonly number[], kernelSize: number | readonly number[], dilation?: number | readonly number[], padding?: number | readonly number[], stride?: number | readonly number[]): Tensor
export function fold(...args: [input: Tensor, outputSize: number | readonly number[], kernelSize: number | readonly number[], dilation: number | readonly number[] | undefined, padding: number | readonly number[] | undefined, options?: { readonly stride?: number | readonly number[] | undefined }] | [input: Tensor, outputSize: number | readonly number[], kernelSize: number | readonly number[], dilation: number | readonly number[] | undefined, options?: { readonly padding?: number | readonly number[] | undefined; readonly stride?: number | readonly number[] | undefined }] | [input: Tensor, outputSize: number | readonly number[], kernelSize: number | readonly number[], options?: { readonly dilation?: number | readonly number[] | undefined; readonly padding?: number | readonly number[] | undefined; readonly stride?: number | readonly number[] | undefined }] | [input: Tensor, outputSize: number | readonly number[], options: { readonly kernelSize: number | readonly number[]; readonly dilation?: number | readonly number[] | undefined; readonly padding?: number | readonly number[] | undefined; readonly stride?: number | readonly number[] | undefined }] | [input: Tensor, options: { readonly outputSize: number | readonly number[]; readonly kernelSize: number | readonly number[]; readonly dilation?: number | readonly number[] | undefined; readonly padding?: number | readonly number[] | undefined; readonly stride?: number | readonly number[] | undefined }] | [options: { readonly input: Tensor; readonly outputSize: number | readonly number[]; readonly kernelSize: number | readonly number[]; readonly dilation?: number | readonly number[] | undefined; readonly padding?: number | readonly number[] | undefined; readonly stride?: number | readonly number[] | undefined }]): Tensor
export function fold(...args: readonly unknown[]): unknown {
  return callOp('fold', args)
}

/**
 * The values of a max pooling (input) written back at its indices; 0 elsewhere.
 *
 * An index out of range is an error on a CPU outside of compile, elsewhere it writes nothing. Of equal indices the last one's value is written; on a GPU any one's, unless compiled with deterministic: true.
 * Takes any dtype.
 *
 * @param input a tensor: [N, C, …], or without N
 * @param indices a tensor: what the pooling gave with these values: i64, of the shape of input
 * @param kernelSize an integer or a list of integers: the size of a window, for all spatial dims or for each
 * @param stride an integer or a list of integers: the distance between window starts, for all spatial dims or for each; kernelSize unless given (optional)
 * @param padding an integer or a list of integers: that of the pooling (default 0)
 * @param outputSize a list of integers: the spatial sizes; by default (size − 1) · stride − 2 padding + kernelSize (optional)
 * @returns [N, C, outputSize…], or without N; the dtype of input
 * @throws DtypeError when indices are not i64
 * @throws ShapeError when the indices have another shape
 */
export function maxUnpool1d(input: Tensor, indices: Tensor, kernelSize: number | readonly number[], stride?: number | readonly number[] | null, padding?: number | readonly number[], outputSize?: readonly number[] | null): Tensor
export function maxUnpool1d(...args: [input: Tensor, indices: Tensor, kernelSize: number | readonly number[], stride: number | readonly number[] | null | undefined, padding: number | readonly number[] | undefined, options?: { readonly outputSize?: readonly number[] | null | undefined }] | [input: Tensor, indices: Tensor, kernelSize: number | readonly number[], stride: number | readonly number[] | null | undefined, options?: { readonly padding?: number | readonly number[] | undefined; readonly outputSize?: readonly number[] | null | undefined }] | [input: Tensor, indices: Tensor, kernelSize: number | readonly number[], options?: { readonly stride?: number | readonly number[] | null | undefined; readonly padding?: number | readonly number[] | undefined; readonly outputSize?: readonly number[] | null | undefined }] | [input: Tensor, indices: Tensor, options: { readonly kernelSize: number | readonly number[]; readonly stride?: number | readonly number[] | null | undefined; readonly padding?: number | readonly number[] | undefined; readonly outputSize?: readonly number[] | null | undefined }] | [input: Tensor, options: { readonly indices: Tensor; readonly kernelSize: number | readonly number[]; readonly stride?: number | readonly number[] | null | undefined; readonly padding?: number | readonly number[] | undefined; readonly outputSize?: readonly number[] | null | undefined }] | [options: { readonly input: Tensor; readonly indices: Tensor; readonly kernelSize: number | readonly number[]; readonly stride?: number | readonly number[] | null | undefined; readonly padding?: number | readonly number[] | undefined; readonly outputSize?: readonly number[] | null | undefined }]): Tensor
export function maxUnpool1d(...args: readonly unknown[]): unknown {
  return callOp('maxUnpool1d', args)
}

/**
 * The values of a max pooling (input) written back at its indices; 0 elsewhere.
 *
 * An index out of range is an error on a CPU outside of compile, elsewhere it writes nothing. Of equal indices the last one's value is written; on a GPU any one's, unless compiled with deterministic: true.
 * Takes any dtype.
 *
 * @param input a tensor: [N, C, …], or without N
 * @param indices a tensor: what the pooling gave with these values: i64, of the shape of input
 * @param kernelSize an integer or a list of integers: the size of a window, for all spatial dims or for each
 * @param stride an integer or a list of integers: the distance between window starts, for all spatial dims or for each; kernelSize unless given (optional)
 * @param padding an integer or a list of integers: that of the pooling (default 0)
 * @param outputSize a list of integers: the spatial sizes; by default (size − 1) · stride − 2 padding + kernelSize (optional)
 * @returns [N, C, outputSize…], or without N; the dtype of input
 * @throws DtypeError when indices are not i64
 * @throws ShapeError when the indices have another shape
 */
export function maxUnpool2d(input: Tensor, indices: Tensor, kernelSize: number | readonly number[], stride?: number | readonly number[] | null, padding?: number | readonly number[], outputSize?: readonly number[] | null): Tensor
export function maxUnpool2d(...args: [input: Tensor, indices: Tensor, kernelSize: number | readonly number[], stride: number | readonly number[] | null | undefined, padding: number | readonly number[] | undefined, options?: { readonly outputSize?: readonly number[] | null | undefined }] | [input: Tensor, indices: Tensor, kernelSize: number | readonly number[], stride: number | readonly number[] | null | undefined, options?: { readonly padding?: number | readonly number[] | undefined; readonly outputSize?: readonly number[] | null | undefined }] | [input: Tensor, indices: Tensor, kernelSize: number | readonly number[], options?: { readonly stride?: number | readonly number[] | null | undefined; readonly padding?: number | readonly number[] | undefined; readonly outputSize?: readonly number[] | null | undefined }] | [input: Tensor, indices: Tensor, options: { readonly kernelSize: number | readonly number[]; readonly stride?: number | readonly number[] | null | undefined; readonly padding?: number | readonly number[] | undefined; readonly outputSize?: readonly number[] | null | undefined }] | [input: Tensor, options: { readonly indices: Tensor; readonly kernelSize: number | readonly number[]; readonly stride?: number | readonly number[] | null | undefined; readonly padding?: number | readonly number[] | undefined; readonly outputSize?: readonly number[] | null | undefined }] | [options: { readonly input: Tensor; readonly indices: Tensor; readonly kernelSize: number | readonly number[]; readonly stride?: number | readonly number[] | null | undefined; readonly padding?: number | readonly number[] | undefined; readonly outputSize?: readonly number[] | null | undefined }]): Tensor
export function maxUnpool2d(...args: readonly unknown[]): unknown {
  return callOp('maxUnpool2d', args)
}

/**
 * The values of a max pooling (input) written back at its indices; 0 elsewhere.
 *
 * An index out of range is an error on a CPU outside of compile, elsewhere it writes nothing. Of equal indices the last one's value is written; on a GPU any one's, unless compiled with deterministic: true.
 * Takes any dtype.
 *
 * @param input a tensor: [N, C, …], or without N
 * @param indices a tensor: what the pooling gave with these values: i64, of the shape of input
 * @param kernelSize an integer or a list of integers: the size of a window, for all spatial dims or for each
 * @param stride an integer or a list of integers: the distance between window starts, for all spatial dims or for each; kernelSize unless given (optional)
 * @param padding an integer or a list of integers: that of the pooling (default 0)
 * @param outputSize a list of integers: the spatial sizes; by default (size − 1) · stride − 2 padding + kernelSize (optional)
 * @returns [N, C, outputSize…], or without N; the dtype of input
 * @throws DtypeError when indices are not i64
 * @throws ShapeError when the indices have another shape
 */
export function maxUnpool3d(input: Tensor, indices: Tensor, kernelSize: number | readonly number[], stride?: number | readonly number[] | null, padding?: number | readonly number[], outputSize?: readonly number[] | null): Tensor
export function maxUnpool3d(...args: [input: Tensor, indices: Tensor, kernelSize: number | readonly number[], stride: number | readonly number[] | null | undefined, padding: number | readonly number[] | undefined, options?: { readonly outputSize?: readonly number[] | null | undefined }] | [input: Tensor, indices: Tensor, kernelSize: number | readonly number[], stride: number | readonly number[] | null | undefined, options?: { readonly padding?: number | readonly number[] | undefined; readonly outputSize?: readonly number[] | null | undefined }] | [input: Tensor, indices: Tensor, kernelSize: number | readonly number[], options?: { readonly stride?: number | readonly number[] | null | undefined; readonly padding?: number | readonly number[] | undefined; readonly outputSize?: readonly number[] | null | undefined }] | [input: Tensor, indices: Tensor, options: { readonly kernelSize: number | readonly number[]; readonly stride?: number | readonly number[] | null | undefined; readonly padding?: number | readonly number[] | undefined; readonly outputSize?: readonly number[] | null | undefined }] | [input: Tensor, options: { readonly indices: Tensor; readonly kernelSize: number | readonly number[]; readonly stride?: number | readonly number[] | null | undefined; readonly padding?: number | readonly number[] | undefined; readonly outputSize?: readonly number[] | null | undefined }] | [options: { readonly input: Tensor; readonly indices: Tensor; readonly kernelSize: number | readonly number[]; readonly stride?: number | readonly number[] | null | undefined; readonly padding?: number | readonly number[] | undefined; readonly outputSize?: readonly number[] | null | undefined }]): Tensor
export function maxUnpool3d(...args: readonly unknown[]): unknown {
  return callOp('maxUnpool3d', args)
}

/**
 * The first half of input along a dim · sigmoid of the second.
 *
 * Dauphin et al., arXiv:1612.08083.
 * Takes floats.
 *
 * @param input a tensor
 * @param dim an integer: the dim; negative ones count from the end (default -1)
 * @returns the shape of input with half the size at dim; the dtype of input
 * @throws DtypeError for integers and bool
 * @throws ShapeError when a dim is out of range, or when the size at dim is odd, or input is 0-d
 */
export function glu(input: Tensor, dim?: number): Tensor
export function glu(...args: [input: Tensor, options?: { readonly dim?: number | undefined }] | [options: { readonly input: Tensor; readonly dim?: number | undefined }]): Tensor
export function glu(...args: readonly unknown[]): unknown {
  return callOp('glu', args)
}

/**
 * […, C · r², H, W] as […, C, H · r, W · r].
 *
 * Shi et al., arXiv:1609.05158.
 * Takes any dtype.
 *
 * @param input a tensor
 * @param upscaleFactor an integer of at least 1: r: how many rows and columns become of one
 * @returns [*, C / r², H · r, W · r] of [*, C, H, W]; the dtype of input
 * @throws ShapeError when input has fewer than three dims, or r² does not divide C
 */
export function pixelShuffle(input: Tensor, upscaleFactor: number): Tensor
export function pixelShuffle(...args: [input: Tensor, options: { readonly upscaleFactor: number }] | [options: { readonly input: Tensor; readonly upscaleFactor: number }]): Tensor
export function pixelShuffle(...args: readonly unknown[]): unknown {
  return callOp('pixelShuffle', args)
}

/**
 * […, C, H · r, W · r] as […, C · r², H, W].
 *
 * Takes any dtype.
 *
 * @param input a tensor
 * @param downscaleFactor an integer of at least 1: r: how many rows and columns become one
 * @returns [*, C · r², H / r, W / r] of [*, C, H, W]; the dtype of input
 * @throws ShapeError when input has fewer than three dims, or r does not divide H and W
 */
export function pixelUnshuffle(input: Tensor, downscaleFactor: number): Tensor
export function pixelUnshuffle(...args: [input: Tensor, options: { readonly downscaleFactor: number }] | [options: { readonly input: Tensor; readonly downscaleFactor: number }]): Tensor
export function pixelUnshuffle(...args: readonly unknown[]): unknown {
  return callOp('pixelUnshuffle', args)
}

/**
 * [N, C, …] with its channels interleaved over the groups: the first of each group, then the second of each, and so on.
 *
 * Takes any dtype.
 *
 * @param input a tensor: [N, C, …]
 * @param groups an integer of at least 1: into how many groups the channels divide
 * @returns the shape of input; the dtype of input
 * @throws ShapeError when groups does not divide C, or input has fewer than two dims
 */
export function channelShuffle(input: Tensor, groups: number): Tensor
export function channelShuffle(...args: [input: Tensor, options: { readonly groups: number }] | [options: { readonly input: Tensor; readonly groups: number }]): Tensor
export function channelShuffle(...args: readonly unknown[]): unknown {
  return callOp('channelShuffle', args)
}

/**
 * input / (k + alpha · mean of input² over size neighbouring channels)^beta, for input [N, C, …].
 *
 * Takes floats.
 *
 * @param input a tensor: [N, C, …]
 * @param size an integer of at least 1: how many channels count
 * @param alpha a number: the factor of the mean (default 1e-4)
 * @param beta a number: the power (default 0.75)
 * @param k a number: what is added to the mean (default 1)
 * @returns the shape of input; the dtype of input
 * @throws DtypeError for integers and bool
 * @throws ShapeError when input has fewer than three dims
 */
export function localResponseNorm(input: Tensor, size: number, alpha?: number, beta?: number, k?: number): Tensor
export function localResponseNorm(...args: [input: Tensor, size: number, alpha: number | undefined, beta: number | undefined, options?: { readonly k?: number | undefined }] | [input: Tensor, size: number, alpha: number | undefined, options?: { readonly beta?: number | undefined; readonly k?: number | undefined }] | [input: Tensor, size: number, options?: { readonly alpha?: number | undefined; readonly beta?: number | undefined; readonly k?: number | undefined }] | [input: Tensor, options: { readonly size: number; readonly alpha?: number | undefined; readonly beta?: number | undefined; readonly k?: number | undefined }] | [options: { readonly input: Tensor; readonly size: number; readonly alpha?: number | undefined; readonly beta?: number | undefined; readonly k?: number | undefined }]): Tensor
export function localResponseNorm(...args: readonly unknown[]): unknown {
  return callOp('localResponseNorm', args)
}

/**
 * [N, C, …] resized to other spatial sizes, by mode 'nearest', 'nearest-exact', 'linear', 'bilinear', 'trilinear', 'bicubic' or 'area' (means of the input elements that an output element covers).
 *
 * Takes any dtype.
 *
 * @param input a tensor: [N, C, …] with one to three spatial dims
 * @param size an integer of at least 0 or a list of integers of at least 0: the new spatial sizes, for all dims or for each; either this or scaleFactor (optional)
 * @param scaleFactor a number or a list of numbers: by what the spatial sizes grow, for all dims or for each (optional)
 * @param mode 'nearest', 'nearest-exact', 'linear', 'bilinear', 'trilinear', 'bicubic' or 'area': how values between the elements are found: 'nearest' (rounded down), 'nearest-exact' (the nearest centre), 'linear' (1 spatial dim), 'bilinear' (2), 'trilinear' (3), 'bicubic' (2), 'area' (means) (default 'nearest')
 * @param alignCorners true or false: the corners' centres meet instead of their edges; linear modes and 'bicubic' only. By default false (optional)
 * @param recomputeScaleFactor true or false: positions follow from the rounded sizes instead of scaleFactor (optional)
 * @param antialias true or false: on the way down every element counts, as in image libraries; 'bilinear' and 'bicubic' only (default false)
 * @returns [N, C, size…] or [N, C, ⌊size · scaleFactor⌋…]; the dtype of input
 * @throws ArgumentError when not exactly one of size and scaleFactor is given, one is not positive, or alignCorners or antialias does not go with the mode
 * @throws DtypeError for integers and bool, but in the nearest modes
 * @throws ShapeError when the mode does not fit the number of spatial dims, or a size is 0
 */
export function interpolate(input: Tensor, size?: SizeLike | readonly SizeLike[] | null, scaleFactor?: number | readonly number[] | null, mode?: 'nearest' | 'nearest-exact' | 'linear' | 'bilinear' | 'trilinear' | 'bicubic' | 'area', alignCorners?: boolean | null, recomputeScaleFactor?: boolean | null, antialias?: boolean): Tensor
export function interpolate(...args: [input: Tensor, size: SizeLike | readonly SizeLike[] | null | undefined, scaleFactor: number | readonly number[] | null | undefined, mode: 'nearest' | 'nearest-exact' | 'linear' | 'bilinear' | 'trilinear' | 'bicubic' | 'area' | undefined, alignCorners: boolean | null | undefined, recomputeScaleFactor: boolean | null | undefined, options?: { readonly antialias?: boolean | undefined }] | [input: Tensor, size: SizeLike | readonly SizeLike[] | null | undefined, scaleFactor: number | readonly number[] | null | undefined, mode: 'nearest' | 'nearest-exact' | 'linear' | 'bilinear' | 'trilinear' | 'bicubic' | 'area' | undefined, alignCorners: boolean | null | undefined, options?: { readonly recomputeScaleFactor?: boolean | null | undefined; readonly antialias?: boolean | undefined }] | [input: Tensor, size: SizeLike | readonly SizeLike[] | null | undefined, scaleFactor: number | readonly number[] | null | undefined, mode: 'nearest' | 'nearest-exact' | 'linear' | 'bilinear' | 'trilinear' | 'bicubic' | 'area' | undefined, options?: { readonly alignCorners?: boolean | null | undefined; readonly recomputeScaleFactor?: boolean | null | undefined; readonly antialias?: boolean | undefined }] | [input: Tensor, size: SizeLike | readonly SizeLike[] | null | undefined, scaleFactor: number | readonly number[] | null | undefined, options?: { readonly mode?: 'nearest' | 'nearest-exact' | 'linear' | 'bilinear' | 'trilinear' | 'bicubic' | 'area' | undefined; readonly alignCorners?: boolean | null | undefined; readonly recomputeScaleFactor?: boolean | null | undefined; readonly antialias?: boolean | undefined }] | [input: Tensor, size: SizeLike | readonly SizeLike[] | null | undefined, options?: { readonly scaleFactor?: number | readonly number[] | null | undefined; readonly mode?: 'nearest' | 'nearest-exact' | 'linear' | 'bilinear' | 'trilinear' | 'bicubic' | 'area' | undefined; readonly alignCorners?: boolean | null | undefined; readonly recomputeScaleFactor?: boolean | null | undefined; readonly antialias?: boolean | undefined }] | [input: Tensor, options?: { readonly size?: SizeLike | readonly SizeLike[] | null | undefined; readonly scaleFactor?: number | readonly number[] | null | undefined; readonly mode?: 'nearest' | 'nearest-exact' | 'linear' | 'bilinear' | 'trilinear' | 'bicubic' | 'area' | undefined; readonly alignCorners?: boolean | null | undefined; readonly recomputeScaleFactor?: boolean | null | undefined; readonly antialias?: boolean | undefined }] | [options: { readonly input: Tensor; readonly size?: SizeLike | readonly SizeLike[] | null | undefined; readonly scaleFactor?: number | readonly number[] | null | undefined; readonly mode?: 'nearest' | 'nearest-exact' | 'linear' | 'bilinear' | 'trilinear' | 'bicubic' | 'area' | undefined; readonly alignCorners?: boolean | null | undefined; readonly recomputeScaleFactor?: boolean | null | undefined; readonly antialias?: boolean | undefined }]): Tensor
export function interpolate(...args: readonly unknown[]): unknown {
  return callOp('interpolate', args)
}

/**
 * [N, C, …] sampled at the points of a grid [N, …, 2 or 3], whose last dim holds x, y (and z) from −1 to 1: by mode 'bilinear', 'nearest' or 'bicubic'.
 *
 * Takes floats.
 *
 * @param input a tensor
 * @param grid a tensor: the positions, of the dtype of the input: x first, −1 and 1 at the edges
 * @param mode 'bilinear', 'nearest' or 'bicubic': how values between the elements are interpolated (default 'bilinear')
 * @param paddingMode 'zeros', 'border' or 'reflection': values outside of the image: 0, the element at the edge, or the mirrored image (default 'zeros')
 * @param alignCorners true or false: −1 and 1 are the corners' centres instead of their edges (default false)
 * @returns [N, C, …the spatial sizes of grid]; the dtype of input
 * @throws DtypeError for integers and bool
 */
export function gridSample(input: Tensor, grid: Tensor, mode?: 'bilinear' | 'nearest' | 'bicubic', paddingMode?: 'zeros' | 'border' | 'reflection', alignCorners?: boolean): Tensor
export function gridSample(...args: [input: Tensor, grid: Tensor, mode: 'bilinear' | 'nearest' | 'bicubic' | undefined, paddingMode: 'zeros' | 'border' | 'reflection' | undefined, options?: { readonly alignCorners?: boolean | undefined }] | [input: Tensor, grid: Tensor, mode: 'bilinear' | 'nearest' | 'bicubic' | undefined, options?: { readonly paddingMode?: 'zeros' | 'border' | 'reflection' | undefined; readonly alignCorners?: boolean | undefined }] | [input: Tensor, grid: Tensor, options?: { readonly mode?: 'bilinear' | 'nearest' | 'bicubic' | undefined; readonly paddingMode?: 'zeros' | 'border' | 'reflection' | undefined; readonly alignCorners?: boolean | undefined }] | [input: Tensor, options: { readonly grid: Tensor; readonly mode?: 'bilinear' | 'nearest' | 'bicubic' | undefined; readonly paddingMode?: 'zeros' | 'border' | 'reflection' | undefined; readonly alignCorners?: boolean | undefined }] | [options: { readonly input: Tensor; readonly grid: Tensor; readonly mode?: 'bilinear' | 'nearest' | 'bicubic' | undefined; readonly paddingMode?: 'zeros' | 'border' | 'reflection' | undefined; readonly alignCorners?: boolean | undefined }]): Tensor
export function gridSample(...args: readonly unknown[]): unknown {
  return callOp('gridSample', args)
}

/** The free functions of ops.
 *
 * Written by `npx tsx scripts/op-types.ts` from the records' signatures: change those.
 */
import { callOp } from './methods.js'
import type { TensorDtype } from '../types/dtype.js'
import type { IndexLike, Operand, Range, Scalar, SizeLike } from './parameters.js'
import type { Tensor } from './tensor.js'

/**
 * self + alpha · other.
 *
 * @param input the tensor: a tensor
 * @param other what it is combined with; the two broadcast: a tensor or a number
 * @param alpha a tensor or a number; optional
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function add(input: Tensor, other: Operand, options?: { readonly alpha?: Operand | null | undefined }): Tensor
/**
 * self + alpha · other.
 *
 * @param input the tensor: a tensor
 * @param other what it is combined with; the two broadcast: a tensor or a number
 * @param alpha a tensor or a number; optional
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function add(...args: [input: Tensor, options: { readonly other: Operand; readonly alpha?: Operand | null | undefined }] | [options: { readonly input: Tensor; readonly other: Operand; readonly alpha?: Operand | null | undefined }]): Tensor
export function add(...args: readonly unknown[]): unknown {
  return callOp('add', args)
}

/**
 * self − alpha · other.
 *
 * @param input the tensor: a tensor
 * @param other what it is combined with; the two broadcast: a tensor or a number
 * @param alpha a tensor or a number; optional
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function sub(input: Tensor, other: Operand, options?: { readonly alpha?: Operand | null | undefined }): Tensor
/**
 * self − alpha · other.
 *
 * @param input the tensor: a tensor
 * @param other what it is combined with; the two broadcast: a tensor or a number
 * @param alpha a tensor or a number; optional
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function sub(...args: [input: Tensor, options: { readonly other: Operand; readonly alpha?: Operand | null | undefined }] | [options: { readonly input: Tensor; readonly other: Operand; readonly alpha?: Operand | null | undefined }]): Tensor
export function sub(...args: readonly unknown[]): unknown {
  return callOp('sub', args)
}

/**
 * self · other.
 *
 * @param input the tensor: a tensor
 * @param other what it is combined with; the two broadcast: a tensor or a number
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function mul(input: Tensor, other: Operand): Tensor
/**
 * self · other.
 *
 * @param input the tensor: a tensor
 * @param other what it is combined with; the two broadcast: a tensor or a number
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function mul(...args: [input: Tensor, options: { readonly other: Operand }] | [options: { readonly input: Tensor; readonly other: Operand }]): Tensor
export function mul(...args: readonly unknown[]): unknown {
  return callOp('mul', args)
}

/**
 * self / other; roundingMode floor or trunc rounds the quotient and keeps integers.
 *
 * @param input the tensor: a tensor
 * @param other what it is combined with; the two broadcast: a tensor or a number
 * @param roundingMode 'floor' or 'trunc'; optional
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function div(input: Tensor, other: Operand, options?: { readonly roundingMode?: 'floor' | 'trunc' | null | undefined }): Tensor
/**
 * self / other; roundingMode floor or trunc rounds the quotient and keeps integers.
 *
 * @param input the tensor: a tensor
 * @param other what it is combined with; the two broadcast: a tensor or a number
 * @param roundingMode 'floor' or 'trunc'; optional
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function div(...args: [input: Tensor, options: { readonly other: Operand; readonly roundingMode?: 'floor' | 'trunc' | null | undefined }] | [options: { readonly input: Tensor; readonly other: Operand; readonly roundingMode?: 'floor' | 'trunc' | null | undefined }]): Tensor
export function div(...args: readonly unknown[]): unknown {
  return callOp('div', args)
}

/**
 * self / other, of integers in f32: div without rounding.
 *
 * @param input the tensor: a tensor
 * @param other what it is combined with; the two broadcast: a tensor or a number
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function trueDivide(input: Tensor, other: Operand): Tensor
/**
 * self / other, of integers in f32: div without rounding.
 *
 * @param input the tensor: a tensor
 * @param other what it is combined with; the two broadcast: a tensor or a number
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function trueDivide(...args: [input: Tensor, options: { readonly other: Operand }] | [options: { readonly input: Tensor; readonly other: Operand }]): Tensor
export function trueDivide(...args: readonly unknown[]): unknown {
  return callOp('trueDivide', args)
}

/**
 * ⌊self / other⌋.
 *
 * @param input the tensor: a tensor
 * @param other what it is combined with; the two broadcast: a tensor or a number
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function floorDivide(input: Tensor, other: Operand): Tensor
/**
 * ⌊self / other⌋.
 *
 * @param input the tensor: a tensor
 * @param other what it is combined with; the two broadcast: a tensor or a number
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function floorDivide(...args: [input: Tensor, options: { readonly other: Operand }] | [options: { readonly input: Tensor; readonly other: Operand }]): Tensor
export function floorDivide(...args: readonly unknown[]): unknown {
  return callOp('floorDivide', args)
}

/**
 * self − other · ⌊self / other⌋: the rest with the sign of other.
 *
 * @param input the tensor: a tensor
 * @param other what it is combined with; the two broadcast: a tensor or a number
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function remainder(input: Tensor, other: Operand): Tensor
/**
 * self − other · ⌊self / other⌋: the rest with the sign of other.
 *
 * @param input the tensor: a tensor
 * @param other what it is combined with; the two broadcast: a tensor or a number
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function remainder(...args: [input: Tensor, options: { readonly other: Operand }] | [options: { readonly input: Tensor; readonly other: Operand }]): Tensor
export function remainder(...args: readonly unknown[]): unknown {
  return callOp('remainder', args)
}

/**
 * The rest of self / other with the sign of self.
 *
 * @param input the tensor: a tensor
 * @param other what it is combined with; the two broadcast: a tensor or a number
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function fmod(input: Tensor, other: Operand): Tensor
/**
 * The rest of self / other with the sign of self.
 *
 * @param input the tensor: a tensor
 * @param other what it is combined with; the two broadcast: a tensor or a number
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function fmod(...args: [input: Tensor, options: { readonly other: Operand }] | [options: { readonly input: Tensor; readonly other: Operand }]): Tensor
export function fmod(...args: readonly unknown[]): unknown {
  return callOp('fmod', args)
}

/**
 * self to the power of exponent.
 *
 * @param input the tensor: a tensor
 * @param exponent a tensor or a number
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function pow(input: Tensor, exponent: Operand): Tensor
/**
 * self to the power of exponent.
 *
 * @param input the tensor: a tensor
 * @param exponent a tensor or a number
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function pow(...args: [input: Tensor, options: { readonly exponent: Operand }] | [options: { readonly input: Tensor; readonly exponent: Operand }]): Tensor
export function pow(...args: readonly unknown[]): unknown {
  return callOp('pow', args)
}

/**
 * −self.
 *
 * @param input the tensor: a tensor
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function neg(input: Tensor): Tensor
/**
 * −self.
 *
 * @param input the tensor: a tensor
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function neg(...args: [options: { readonly input: Tensor }]): Tensor
export function neg(...args: readonly unknown[]): unknown {
  return callOp('neg', args)
}

/**
 * |self|.
 *
 * @param input the tensor: a tensor
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function abs(input: Tensor): Tensor
/**
 * |self|.
 *
 * @param input the tensor: a tensor
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function abs(...args: [options: { readonly input: Tensor }]): Tensor
export function abs(...args: readonly unknown[]): unknown {
  return callOp('abs', args)
}

/**
 * −1, 0 or 1 by the sign of self; NaN stays NaN.
 *
 * @param input the tensor: a tensor
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function sign(input: Tensor): Tensor
/**
 * −1, 0 or 1 by the sign of self; NaN stays NaN.
 *
 * @param input the tensor: a tensor
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function sign(...args: [options: { readonly input: Tensor }]): Tensor
export function sign(...args: readonly unknown[]): unknown {
  return callOp('sign', args)
}

/**
 * 1 / self.
 *
 * @param input the tensor: a tensor
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function reciprocal(input: Tensor): Tensor
/**
 * 1 / self.
 *
 * @param input the tensor: a tensor
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function reciprocal(...args: [options: { readonly input: Tensor }]): Tensor
export function reciprocal(...args: readonly unknown[]): unknown {
  return callOp('reciprocal', args)
}

/**
 * self²; of bool as i64.
 *
 * @param input the tensor: a tensor
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function square(input: Tensor): Tensor
/**
 * self²; of bool as i64.
 *
 * @param input the tensor: a tensor
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function square(...args: [options: { readonly input: Tensor }]): Tensor
export function square(...args: readonly unknown[]): unknown {
  return callOp('square', args)
}

/**
 * The larger of the two; NaN if either is NaN.
 *
 * @param input the tensor: a tensor
 * @param other what it is combined with; the two broadcast: a tensor or a number
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function maximum(input: Tensor, other: Operand): Tensor
/**
 * The larger of the two; NaN if either is NaN.
 *
 * @param input the tensor: a tensor
 * @param other what it is combined with; the two broadcast: a tensor or a number
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function maximum(...args: [input: Tensor, options: { readonly other: Operand }] | [options: { readonly input: Tensor; readonly other: Operand }]): Tensor
export function maximum(...args: readonly unknown[]): unknown {
  return callOp('maximum', args)
}

/**
 * The smaller of the two; NaN if either is NaN.
 *
 * @param input the tensor: a tensor
 * @param other what it is combined with; the two broadcast: a tensor or a number
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function minimum(input: Tensor, other: Operand): Tensor
/**
 * The smaller of the two; NaN if either is NaN.
 *
 * @param input the tensor: a tensor
 * @param other what it is combined with; the two broadcast: a tensor or a number
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function minimum(...args: [input: Tensor, options: { readonly other: Operand }] | [options: { readonly input: Tensor; readonly other: Operand }]): Tensor
export function minimum(...args: readonly unknown[]): unknown {
  return callOp('minimum', args)
}

/**
 * min(max(self, min), max); either limit may be missing.
 *
 * @param input the tensor: a tensor
 * @param min a tensor or a number; optional
 * @param max a tensor or a number; optional
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function clamp(input: Tensor, min?: Operand | null, max?: Operand | null): Tensor
/**
 * min(max(self, min), max); either limit may be missing.
 *
 * @param input the tensor: a tensor
 * @param min a tensor or a number; optional
 * @param max a tensor or a number; optional
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function clamp(...args: [input: Tensor, min: Operand | null | undefined, options?: { readonly max?: Operand | null | undefined }] | [input: Tensor, options?: { readonly min?: Operand | null | undefined; readonly max?: Operand | null | undefined }] | [options: { readonly input: Tensor; readonly min?: Operand | null | undefined; readonly max?: Operand | null | undefined }]): Tensor
export function clamp(...args: readonly unknown[]): unknown {
  return callOp('clamp', args)
}

/**
 * self = other, as bool.
 *
 * @param input the tensor: a tensor
 * @param other what it is combined with; the two broadcast: a tensor or a number
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function eq(input: Tensor, other: Operand): Tensor
/**
 * self = other, as bool.
 *
 * @param input the tensor: a tensor
 * @param other what it is combined with; the two broadcast: a tensor or a number
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function eq(...args: [input: Tensor, options: { readonly other: Operand }] | [options: { readonly input: Tensor; readonly other: Operand }]): Tensor
export function eq(...args: readonly unknown[]): unknown {
  return callOp('eq', args)
}

/**
 * self ≠ other, as bool.
 *
 * @param input the tensor: a tensor
 * @param other what it is combined with; the two broadcast: a tensor or a number
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function ne(input: Tensor, other: Operand): Tensor
/**
 * self ≠ other, as bool.
 *
 * @param input the tensor: a tensor
 * @param other what it is combined with; the two broadcast: a tensor or a number
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function ne(...args: [input: Tensor, options: { readonly other: Operand }] | [options: { readonly input: Tensor; readonly other: Operand }]): Tensor
export function ne(...args: readonly unknown[]): unknown {
  return callOp('ne', args)
}

/**
 * self < other, as bool.
 *
 * @param input the tensor: a tensor
 * @param other what it is combined with; the two broadcast: a tensor or a number
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function lt(input: Tensor, other: Operand): Tensor
/**
 * self < other, as bool.
 *
 * @param input the tensor: a tensor
 * @param other what it is combined with; the two broadcast: a tensor or a number
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function lt(...args: [input: Tensor, options: { readonly other: Operand }] | [options: { readonly input: Tensor; readonly other: Operand }]): Tensor
export function lt(...args: readonly unknown[]): unknown {
  return callOp('lt', args)
}

/**
 * self ≤ other, as bool.
 *
 * @param input the tensor: a tensor
 * @param other what it is combined with; the two broadcast: a tensor or a number
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function le(input: Tensor, other: Operand): Tensor
/**
 * self ≤ other, as bool.
 *
 * @param input the tensor: a tensor
 * @param other what it is combined with; the two broadcast: a tensor or a number
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function le(...args: [input: Tensor, options: { readonly other: Operand }] | [options: { readonly input: Tensor; readonly other: Operand }]): Tensor
export function le(...args: readonly unknown[]): unknown {
  return callOp('le', args)
}

/**
 * self > other, as bool.
 *
 * @param input the tensor: a tensor
 * @param other what it is combined with; the two broadcast: a tensor or a number
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function gt(input: Tensor, other: Operand): Tensor
/**
 * self > other, as bool.
 *
 * @param input the tensor: a tensor
 * @param other what it is combined with; the two broadcast: a tensor or a number
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function gt(...args: [input: Tensor, options: { readonly other: Operand }] | [options: { readonly input: Tensor; readonly other: Operand }]): Tensor
export function gt(...args: readonly unknown[]): unknown {
  return callOp('gt', args)
}

/**
 * self ≥ other, as bool.
 *
 * @param input the tensor: a tensor
 * @param other what it is combined with; the two broadcast: a tensor or a number
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function ge(input: Tensor, other: Operand): Tensor
/**
 * self ≥ other, as bool.
 *
 * @param input the tensor: a tensor
 * @param other what it is combined with; the two broadcast: a tensor or a number
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function ge(...args: [input: Tensor, options: { readonly other: Operand }] | [options: { readonly input: Tensor; readonly other: Operand }]): Tensor
export function ge(...args: readonly unknown[]): unknown {
  return callOp('ge', args)
}

/**
 * self and other on truth values (anything but 0 is true).
 *
 * @param input the tensor: a tensor
 * @param other what it is combined with; the two broadcast: a tensor or a number
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function logicalAnd(input: Tensor, other: Operand): Tensor
/**
 * self and other on truth values (anything but 0 is true).
 *
 * @param input the tensor: a tensor
 * @param other what it is combined with; the two broadcast: a tensor or a number
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function logicalAnd(...args: [input: Tensor, options: { readonly other: Operand }] | [options: { readonly input: Tensor; readonly other: Operand }]): Tensor
export function logicalAnd(...args: readonly unknown[]): unknown {
  return callOp('logicalAnd', args)
}

/**
 * self or other on truth values (anything but 0 is true).
 *
 * @param input the tensor: a tensor
 * @param other what it is combined with; the two broadcast: a tensor or a number
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function logicalOr(input: Tensor, other: Operand): Tensor
/**
 * self or other on truth values (anything but 0 is true).
 *
 * @param input the tensor: a tensor
 * @param other what it is combined with; the two broadcast: a tensor or a number
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function logicalOr(...args: [input: Tensor, options: { readonly other: Operand }] | [options: { readonly input: Tensor; readonly other: Operand }]): Tensor
export function logicalOr(...args: readonly unknown[]): unknown {
  return callOp('logicalOr', args)
}

/**
 * self exclusive or other on truth values (anything but 0 is true).
 *
 * @param input the tensor: a tensor
 * @param other what it is combined with; the two broadcast: a tensor or a number
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function logicalXor(input: Tensor, other: Operand): Tensor
/**
 * self exclusive or other on truth values (anything but 0 is true).
 *
 * @param input the tensor: a tensor
 * @param other what it is combined with; the two broadcast: a tensor or a number
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function logicalXor(...args: [input: Tensor, options: { readonly other: Operand }] | [options: { readonly input: Tensor; readonly other: Operand }]): Tensor
export function logicalXor(...args: readonly unknown[]): unknown {
  return callOp('logicalXor', args)
}

/**
 * True where self is 0.
 *
 * @param input the tensor: a tensor
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function logicalNot(input: Tensor): Tensor
/**
 * True where self is 0.
 *
 * @param input the tensor: a tensor
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function logicalNot(...args: [options: { readonly input: Tensor }]): Tensor
export function logicalNot(...args: readonly unknown[]): unknown {
  return callOp('logicalNot', args)
}

/**
 * self and other, bit by bit; on bool, logically.
 *
 * @param input the tensor: a tensor
 * @param other what it is combined with; the two broadcast: a tensor or a number
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function bitwiseAnd(input: Tensor, other: Operand): Tensor
/**
 * self and other, bit by bit; on bool, logically.
 *
 * @param input the tensor: a tensor
 * @param other what it is combined with; the two broadcast: a tensor or a number
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function bitwiseAnd(...args: [input: Tensor, options: { readonly other: Operand }] | [options: { readonly input: Tensor; readonly other: Operand }]): Tensor
export function bitwiseAnd(...args: readonly unknown[]): unknown {
  return callOp('bitwiseAnd', args)
}

/**
 * self or other, bit by bit; on bool, logically.
 *
 * @param input the tensor: a tensor
 * @param other what it is combined with; the two broadcast: a tensor or a number
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function bitwiseOr(input: Tensor, other: Operand): Tensor
/**
 * self or other, bit by bit; on bool, logically.
 *
 * @param input the tensor: a tensor
 * @param other what it is combined with; the two broadcast: a tensor or a number
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function bitwiseOr(...args: [input: Tensor, options: { readonly other: Operand }] | [options: { readonly input: Tensor; readonly other: Operand }]): Tensor
export function bitwiseOr(...args: readonly unknown[]): unknown {
  return callOp('bitwiseOr', args)
}

/**
 * self exclusive or other, bit by bit; on bool, logically.
 *
 * @param input the tensor: a tensor
 * @param other what it is combined with; the two broadcast: a tensor or a number
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function bitwiseXor(input: Tensor, other: Operand): Tensor
/**
 * self exclusive or other, bit by bit; on bool, logically.
 *
 * @param input the tensor: a tensor
 * @param other what it is combined with; the two broadcast: a tensor or a number
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function bitwiseXor(...args: [input: Tensor, options: { readonly other: Operand }] | [options: { readonly input: Tensor; readonly other: Operand }]): Tensor
export function bitwiseXor(...args: readonly unknown[]): unknown {
  return callOp('bitwiseXor', args)
}

/**
 * Every bit of self inverted; on bool, logical not.
 *
 * @param input the tensor: a tensor
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function bitwiseNot(input: Tensor): Tensor
/**
 * Every bit of self inverted; on bool, logical not.
 *
 * @param input the tensor: a tensor
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function bitwiseNot(...args: [options: { readonly input: Tensor }]): Tensor
export function bitwiseNot(...args: readonly unknown[]): unknown {
  return callOp('bitwiseNot', args)
}

/**
 * self · 2^other; bits shifted out are lost.
 *
 * @param input the tensor: a tensor
 * @param other what it is combined with; the two broadcast: a tensor or a number
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function bitwiseLeftShift(input: Tensor, other: Operand): Tensor
/**
 * self · 2^other; bits shifted out are lost.
 *
 * @param input the tensor: a tensor
 * @param other what it is combined with; the two broadcast: a tensor or a number
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function bitwiseLeftShift(...args: [input: Tensor, options: { readonly other: Operand }] | [options: { readonly input: Tensor; readonly other: Operand }]): Tensor
export function bitwiseLeftShift(...args: readonly unknown[]): unknown {
  return callOp('bitwiseLeftShift', args)
}

/**
 * ⌊self / 2^other⌋.
 *
 * @param input the tensor: a tensor
 * @param other what it is combined with; the two broadcast: a tensor or a number
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function bitwiseRightShift(input: Tensor, other: Operand): Tensor
/**
 * ⌊self / 2^other⌋.
 *
 * @param input the tensor: a tensor
 * @param other what it is combined with; the two broadcast: a tensor or a number
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function bitwiseRightShift(...args: [input: Tensor, options: { readonly other: Operand }] | [options: { readonly input: Tensor; readonly other: Operand }]): Tensor
export function bitwiseRightShift(...args: readonly unknown[]): unknown {
  return callOp('bitwiseRightShift', args)
}

/**
 * True where self is NaN.
 *
 * @param input the tensor: a tensor
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function isnan(input: Tensor): Tensor
/**
 * True where self is NaN.
 *
 * @param input the tensor: a tensor
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function isnan(...args: [options: { readonly input: Tensor }]): Tensor
export function isnan(...args: readonly unknown[]): unknown {
  return callOp('isnan', args)
}

/**
 * True where self is infinite.
 *
 * @param input the tensor: a tensor
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function isinf(input: Tensor): Tensor
/**
 * True where self is infinite.
 *
 * @param input the tensor: a tensor
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function isinf(...args: [options: { readonly input: Tensor }]): Tensor
export function isinf(...args: readonly unknown[]): unknown {
  return callOp('isinf', args)
}

/**
 * True where self is neither infinite nor NaN.
 *
 * @param input the tensor: a tensor
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function isfinite(input: Tensor): Tensor
/**
 * True where self is neither infinite nor NaN.
 *
 * @param input the tensor: a tensor
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function isfinite(...args: [options: { readonly input: Tensor }]): Tensor
export function isfinite(...args: readonly unknown[]): unknown {
  return callOp('isfinite', args)
}

/**
 * √self.
 *
 * @param input the tensor: a tensor
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function sqrt(input: Tensor): Tensor
/**
 * √self.
 *
 * @param input the tensor: a tensor
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function sqrt(...args: [options: { readonly input: Tensor }]): Tensor
export function sqrt(...args: readonly unknown[]): unknown {
  return callOp('sqrt', args)
}

/**
 * 1 / √self.
 *
 * @param input the tensor: a tensor
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function rsqrt(input: Tensor): Tensor
/**
 * 1 / √self.
 *
 * @param input the tensor: a tensor
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function rsqrt(...args: [options: { readonly input: Tensor }]): Tensor
export function rsqrt(...args: readonly unknown[]): unknown {
  return callOp('rsqrt', args)
}

/**
 * e^self.
 *
 * @param input the tensor: a tensor
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function exp(input: Tensor): Tensor
/**
 * e^self.
 *
 * @param input the tensor: a tensor
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function exp(...args: [options: { readonly input: Tensor }]): Tensor
export function exp(...args: readonly unknown[]): unknown {
  return callOp('exp', args)
}

/**
 * 2^self.
 *
 * @param input the tensor: a tensor
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function exp2(input: Tensor): Tensor
/**
 * 2^self.
 *
 * @param input the tensor: a tensor
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function exp2(...args: [options: { readonly input: Tensor }]): Tensor
export function exp2(...args: readonly unknown[]): unknown {
  return callOp('exp2', args)
}

/**
 * e^self − 1, exact near 0.
 *
 * @param input the tensor: a tensor
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function expm1(input: Tensor): Tensor
/**
 * e^self − 1, exact near 0.
 *
 * @param input the tensor: a tensor
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function expm1(...args: [options: { readonly input: Tensor }]): Tensor
export function expm1(...args: readonly unknown[]): unknown {
  return callOp('expm1', args)
}

/**
 * The natural logarithm of self.
 *
 * @param input the tensor: a tensor
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function log(input: Tensor): Tensor
/**
 * The natural logarithm of self.
 *
 * @param input the tensor: a tensor
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function log(...args: [options: { readonly input: Tensor }]): Tensor
export function log(...args: readonly unknown[]): unknown {
  return callOp('log', args)
}

/**
 * The logarithm of self to base 2.
 *
 * @param input the tensor: a tensor
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function log2(input: Tensor): Tensor
/**
 * The logarithm of self to base 2.
 *
 * @param input the tensor: a tensor
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function log2(...args: [options: { readonly input: Tensor }]): Tensor
export function log2(...args: readonly unknown[]): unknown {
  return callOp('log2', args)
}

/**
 * The logarithm of self to base 10.
 *
 * @param input the tensor: a tensor
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function log10(input: Tensor): Tensor
/**
 * The logarithm of self to base 10.
 *
 * @param input the tensor: a tensor
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function log10(...args: [options: { readonly input: Tensor }]): Tensor
export function log10(...args: readonly unknown[]): unknown {
  return callOp('log10', args)
}

/**
 * ln(1 + self), exact near 0.
 *
 * @param input the tensor: a tensor
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function log1p(input: Tensor): Tensor
/**
 * ln(1 + self), exact near 0.
 *
 * @param input the tensor: a tensor
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function log1p(...args: [options: { readonly input: Tensor }]): Tensor
export function log1p(...args: readonly unknown[]): unknown {
  return callOp('log1p', args)
}

/**
 * The sine of self (radians).
 *
 * @param input the tensor: a tensor
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function sin(input: Tensor): Tensor
/**
 * The sine of self (radians).
 *
 * @param input the tensor: a tensor
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function sin(...args: [options: { readonly input: Tensor }]): Tensor
export function sin(...args: readonly unknown[]): unknown {
  return callOp('sin', args)
}

/**
 * The cosine of self (radians).
 *
 * @param input the tensor: a tensor
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function cos(input: Tensor): Tensor
/**
 * The cosine of self (radians).
 *
 * @param input the tensor: a tensor
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function cos(...args: [options: { readonly input: Tensor }]): Tensor
export function cos(...args: readonly unknown[]): unknown {
  return callOp('cos', args)
}

/**
 * The tangent of self (radians).
 *
 * @param input the tensor: a tensor
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function tan(input: Tensor): Tensor
/**
 * The tangent of self (radians).
 *
 * @param input the tensor: a tensor
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function tan(...args: [options: { readonly input: Tensor }]): Tensor
export function tan(...args: readonly unknown[]): unknown {
  return callOp('tan', args)
}

/**
 * The angle in [−π/2, π/2] whose sine is self.
 *
 * @param input the tensor: a tensor
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function asin(input: Tensor): Tensor
/**
 * The angle in [−π/2, π/2] whose sine is self.
 *
 * @param input the tensor: a tensor
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function asin(...args: [options: { readonly input: Tensor }]): Tensor
export function asin(...args: readonly unknown[]): unknown {
  return callOp('asin', args)
}

/**
 * The angle in [0, π] whose cosine is self.
 *
 * @param input the tensor: a tensor
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function acos(input: Tensor): Tensor
/**
 * The angle in [0, π] whose cosine is self.
 *
 * @param input the tensor: a tensor
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function acos(...args: [options: { readonly input: Tensor }]): Tensor
export function acos(...args: readonly unknown[]): unknown {
  return callOp('acos', args)
}

/**
 * The angle in (−π/2, π/2) whose tangent is self.
 *
 * @param input the tensor: a tensor
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function atan(input: Tensor): Tensor
/**
 * The angle in (−π/2, π/2) whose tangent is self.
 *
 * @param input the tensor: a tensor
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function atan(...args: [options: { readonly input: Tensor }]): Tensor
export function atan(...args: readonly unknown[]): unknown {
  return callOp('atan', args)
}

/**
 * The angle of the point (other, self), in [−π, π].
 *
 * @param input the tensor: a tensor
 * @param other what it is combined with; the two broadcast: a tensor or a number
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function atan2(input: Tensor, other: Operand): Tensor
/**
 * The angle of the point (other, self), in [−π, π].
 *
 * @param input the tensor: a tensor
 * @param other what it is combined with; the two broadcast: a tensor or a number
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function atan2(...args: [input: Tensor, options: { readonly other: Operand }] | [options: { readonly input: Tensor; readonly other: Operand }]): Tensor
export function atan2(...args: readonly unknown[]): unknown {
  return callOp('atan2', args)
}

/**
 * The hyperbolic sine of self.
 *
 * @param input the tensor: a tensor
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function sinh(input: Tensor): Tensor
/**
 * The hyperbolic sine of self.
 *
 * @param input the tensor: a tensor
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function sinh(...args: [options: { readonly input: Tensor }]): Tensor
export function sinh(...args: readonly unknown[]): unknown {
  return callOp('sinh', args)
}

/**
 * The hyperbolic cosine of self.
 *
 * @param input the tensor: a tensor
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function cosh(input: Tensor): Tensor
/**
 * The hyperbolic cosine of self.
 *
 * @param input the tensor: a tensor
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function cosh(...args: [options: { readonly input: Tensor }]): Tensor
export function cosh(...args: readonly unknown[]): unknown {
  return callOp('cosh', args)
}

/**
 * The hyperbolic tangent of self.
 *
 * @param input the tensor: a tensor
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function tanh(input: Tensor): Tensor
/**
 * The hyperbolic tangent of self.
 *
 * @param input the tensor: a tensor
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function tanh(...args: [options: { readonly input: Tensor }]): Tensor
export function tanh(...args: readonly unknown[]): unknown {
  return callOp('tanh', args)
}

/**
 * The inverse of sinh.
 *
 * @param input the tensor: a tensor
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function asinh(input: Tensor): Tensor
/**
 * The inverse of sinh.
 *
 * @param input the tensor: a tensor
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function asinh(...args: [options: { readonly input: Tensor }]): Tensor
export function asinh(...args: readonly unknown[]): unknown {
  return callOp('asinh', args)
}

/**
 * The inverse of cosh, at least 0.
 *
 * @param input the tensor: a tensor
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function acosh(input: Tensor): Tensor
/**
 * The inverse of cosh, at least 0.
 *
 * @param input the tensor: a tensor
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function acosh(...args: [options: { readonly input: Tensor }]): Tensor
export function acosh(...args: readonly unknown[]): unknown {
  return callOp('acosh', args)
}

/**
 * The inverse of tanh.
 *
 * @param input the tensor: a tensor
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function atanh(input: Tensor): Tensor
/**
 * The inverse of tanh.
 *
 * @param input the tensor: a tensor
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function atanh(...args: [options: { readonly input: Tensor }]): Tensor
export function atanh(...args: readonly unknown[]): unknown {
  return callOp('atanh', args)
}

/**
 * The error function 2/√π · ∫₀^self e^(−t²) dt.
 *
 * @param input the tensor: a tensor
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function erf(input: Tensor): Tensor
/**
 * The error function 2/√π · ∫₀^self e^(−t²) dt.
 *
 * @param input the tensor: a tensor
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function erf(...args: [options: { readonly input: Tensor }]): Tensor
export function erf(...args: readonly unknown[]): unknown {
  return callOp('erf', args)
}

/**
 * 1 − erf(self), exact where erf is near 1.
 *
 * @param input the tensor: a tensor
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function erfc(input: Tensor): Tensor
/**
 * 1 − erf(self), exact where erf is near 1.
 *
 * @param input the tensor: a tensor
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function erfc(...args: [options: { readonly input: Tensor }]): Tensor
export function erfc(...args: readonly unknown[]): unknown {
  return callOp('erfc', args)
}

/**
 * The largest integer not above self.
 *
 * @param input the tensor: a tensor
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function floor(input: Tensor): Tensor
/**
 * The largest integer not above self.
 *
 * @param input the tensor: a tensor
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function floor(...args: [options: { readonly input: Tensor }]): Tensor
export function floor(...args: readonly unknown[]): unknown {
  return callOp('floor', args)
}

/**
 * The smallest integer not below self.
 *
 * @param input the tensor: a tensor
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function ceil(input: Tensor): Tensor
/**
 * The smallest integer not below self.
 *
 * @param input the tensor: a tensor
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function ceil(...args: [options: { readonly input: Tensor }]): Tensor
export function ceil(...args: readonly unknown[]): unknown {
  return callOp('ceil', args)
}

/**
 * self without its fraction.
 *
 * @param input the tensor: a tensor
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function trunc(input: Tensor): Tensor
/**
 * self without its fraction.
 *
 * @param input the tensor: a tensor
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function trunc(...args: [options: { readonly input: Tensor }]): Tensor
export function trunc(...args: readonly unknown[]): unknown {
  return callOp('trunc', args)
}

/**
 * The nearest integer, or number of so many decimals; halves go to the even one.
 *
 * @param input the tensor: a tensor
 * @param decimals an integer; default 0
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function round(input: Tensor, options?: { readonly decimals?: number | undefined }): Tensor
/**
 * The nearest integer, or number of so many decimals; halves go to the even one.
 *
 * @param input the tensor: a tensor
 * @param decimals an integer; default 0
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function round(...args: [options: { readonly input: Tensor; readonly decimals?: number | undefined }]): Tensor
export function round(...args: readonly unknown[]): unknown {
  return callOp('round', args)
}

/**
 * self + weight · (end − self).
 *
 * @param input the tensor: a tensor
 * @param end a tensor
 * @param weight a tensor or a number
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function lerp(input: Tensor, end: Tensor, weight: Operand): Tensor
/**
 * self + weight · (end − self).
 *
 * @param input the tensor: a tensor
 * @param end a tensor
 * @param weight a tensor or a number
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function lerp(...args: [input: Tensor, end: Tensor, options: { readonly weight: Operand }] | [input: Tensor, options: { readonly end: Tensor; readonly weight: Operand }] | [options: { readonly input: Tensor; readonly end: Tensor; readonly weight: Operand }]): Tensor
export function lerp(...args: readonly unknown[]): unknown {
  return callOp('lerp', args)
}

/**
 * As sign: −1, 0 or 1.
 *
 * @param input the tensor: a tensor
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function sgn(input: Tensor): Tensor
/**
 * As sign: −1, 0 or 1.
 *
 * @param input the tensor: a tensor
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function sgn(...args: [options: { readonly input: Tensor }]): Tensor
export function sgn(...args: readonly unknown[]): unknown {
  return callOp('sgn', args)
}

/**
 * True where self is negative; of floats the sign bit, which −0 has too.
 *
 * @param input the tensor: a tensor
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function signbit(input: Tensor): Tensor
/**
 * True where self is negative; of floats the sign bit, which −0 has too.
 *
 * @param input the tensor: a tensor
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function signbit(...args: [options: { readonly input: Tensor }]): Tensor
export function signbit(...args: readonly unknown[]): unknown {
  return callOp('signbit', args)
}

/**
 * |self| with the sign of other.
 *
 * @param input the tensor: a tensor
 * @param other what it is combined with; the two broadcast: a tensor or a number
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function copysign(input: Tensor, other: Operand): Tensor
/**
 * |self| with the sign of other.
 *
 * @param input the tensor: a tensor
 * @param other what it is combined with; the two broadcast: a tensor or a number
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function copysign(...args: [input: Tensor, options: { readonly other: Operand }] | [options: { readonly input: Tensor; readonly other: Operand }]): Tensor
export function copysign(...args: readonly unknown[]): unknown {
  return callOp('copysign', args)
}

/**
 * √(self² + other²) without overflow; infinite if either is.
 *
 * @param input the tensor: a tensor
 * @param other what it is combined with; the two broadcast: a tensor or a number
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function hypot(input: Tensor, other: Operand): Tensor
/**
 * √(self² + other²) without overflow; infinite if either is.
 *
 * @param input the tensor: a tensor
 * @param other what it is combined with; the two broadcast: a tensor or a number
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function hypot(...args: [input: Tensor, options: { readonly other: Operand }] | [options: { readonly input: Tensor; readonly other: Operand }]): Tensor
export function hypot(...args: readonly unknown[]): unknown {
  return callOp('hypot', args)
}

/**
 * self · ln(other); 0 where self is 0, unless other is NaN.
 *
 * @param input the tensor: a tensor
 * @param other what it is combined with; the two broadcast: a tensor or a number
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function xlogy(input: Tensor, other: Operand): Tensor
/**
 * self · ln(other); 0 where self is 0, unless other is NaN.
 *
 * @param input the tensor: a tensor
 * @param other what it is combined with; the two broadcast: a tensor or a number
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function xlogy(...args: [input: Tensor, options: { readonly other: Operand }] | [options: { readonly input: Tensor; readonly other: Operand }]): Tensor
export function xlogy(...args: readonly unknown[]): unknown {
  return callOp('xlogy', args)
}

/**
 * ln(e^self + e^other), without overflow.
 *
 * @param input the tensor: a tensor
 * @param other what it is combined with; the two broadcast: a tensor or a number
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function logaddexp(input: Tensor, other: Operand): Tensor
/**
 * ln(e^self + e^other), without overflow.
 *
 * @param input the tensor: a tensor
 * @param other what it is combined with; the two broadcast: a tensor or a number
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function logaddexp(...args: [input: Tensor, options: { readonly other: Operand }] | [options: { readonly input: Tensor; readonly other: Operand }]): Tensor
export function logaddexp(...args: readonly unknown[]): unknown {
  return callOp('logaddexp', args)
}

/**
 * self − trunc(self).
 *
 * @param input the tensor: a tensor
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function frac(input: Tensor): Tensor
/**
 * self − trunc(self).
 *
 * @param input the tensor: a tensor
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function frac(...args: [options: { readonly input: Tensor }]): Tensor
export function frac(...args: readonly unknown[]): unknown {
  return callOp('frac', args)
}

/**
 * True where self is +∞.
 *
 * @param input the tensor: a tensor
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function isposinf(input: Tensor): Tensor
/**
 * True where self is +∞.
 *
 * @param input the tensor: a tensor
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function isposinf(...args: [options: { readonly input: Tensor }]): Tensor
export function isposinf(...args: readonly unknown[]): unknown {
  return callOp('isposinf', args)
}

/**
 * True where self is −∞.
 *
 * @param input the tensor: a tensor
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function isneginf(input: Tensor): Tensor
/**
 * True where self is −∞.
 *
 * @param input the tensor: a tensor
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function isneginf(...args: [options: { readonly input: Tensor }]): Tensor
export function isneginf(...args: readonly unknown[]): unknown {
  return callOp('isneginf', args)
}

/**
 * self · π / 180.
 *
 * @param input the tensor: a tensor
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function deg2rad(input: Tensor): Tensor
/**
 * self · π / 180.
 *
 * @param input the tensor: a tensor
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function deg2rad(...args: [options: { readonly input: Tensor }]): Tensor
export function deg2rad(...args: readonly unknown[]): unknown {
  return callOp('deg2rad', args)
}

/**
 * self · 180 / π.
 *
 * @param input the tensor: a tensor
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function rad2deg(input: Tensor): Tensor
/**
 * self · 180 / π.
 *
 * @param input the tensor: a tensor
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function rad2deg(...args: [options: { readonly input: Tensor }]): Tensor
export function rad2deg(...args: readonly unknown[]): unknown {
  return callOp('rad2deg', args)
}

/**
 * self + value · tensor1 · tensor2.
 *
 * @param input the tensor: a tensor
 * @param tensor1 a tensor
 * @param tensor2 a tensor
 * @param value a tensor or a number; optional
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function addcmul(input: Tensor, tensor1: Tensor, tensor2: Tensor, options?: { readonly value?: Operand | null | undefined }): Tensor
/**
 * self + value · tensor1 · tensor2.
 *
 * @param input the tensor: a tensor
 * @param tensor1 a tensor
 * @param tensor2 a tensor
 * @param value a tensor or a number; optional
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function addcmul(...args: [input: Tensor, tensor1: Tensor, options: { readonly tensor2: Tensor; readonly value?: Operand | null | undefined }] | [input: Tensor, options: { readonly tensor1: Tensor; readonly tensor2: Tensor; readonly value?: Operand | null | undefined }] | [options: { readonly input: Tensor; readonly tensor1: Tensor; readonly tensor2: Tensor; readonly value?: Operand | null | undefined }]): Tensor
export function addcmul(...args: readonly unknown[]): unknown {
  return callOp('addcmul', args)
}

/**
 * self + value · tensor1 / tensor2.
 *
 * @param input the tensor: a tensor
 * @param tensor1 a tensor
 * @param tensor2 a tensor
 * @param value a tensor or a number; optional
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function addcdiv(input: Tensor, tensor1: Tensor, tensor2: Tensor, options?: { readonly value?: Operand | null | undefined }): Tensor
/**
 * self + value · tensor1 / tensor2.
 *
 * @param input the tensor: a tensor
 * @param tensor1 a tensor
 * @param tensor2 a tensor
 * @param value a tensor or a number; optional
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function addcdiv(...args: [input: Tensor, tensor1: Tensor, options: { readonly tensor2: Tensor; readonly value?: Operand | null | undefined }] | [input: Tensor, options: { readonly tensor1: Tensor; readonly tensor2: Tensor; readonly value?: Operand | null | undefined }] | [options: { readonly input: Tensor; readonly tensor1: Tensor; readonly tensor2: Tensor; readonly value?: Operand | null | undefined }]): Tensor
export function addcdiv(...args: readonly unknown[]): unknown {
  return callOp('addcdiv', args)
}

/**
 * |self − other| ≤ atol + rtol · |other|, as bool; equal infinities are close, NaNs with equalNan.
 *
 * @param input the tensor: a tensor
 * @param other what it is combined with; the two broadcast: a tensor or a number
 * @param rtol a number; default 0.00001
 * @param atol a number; default 1e-8
 * @param equalNan true or false; default false
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function isclose(input: Tensor, other: Operand, rtol?: number, atol?: number, equalNan?: boolean): Tensor
/**
 * |self − other| ≤ atol + rtol · |other|, as bool; equal infinities are close, NaNs with equalNan.
 *
 * @param input the tensor: a tensor
 * @param other what it is combined with; the two broadcast: a tensor or a number
 * @param rtol a number; default 0.00001
 * @param atol a number; default 1e-8
 * @param equalNan true or false; default false
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function isclose(...args: [input: Tensor, other: Operand, rtol: number | undefined, atol: number | undefined, options?: { readonly equalNan?: boolean | undefined }] | [input: Tensor, other: Operand, rtol: number | undefined, options?: { readonly atol?: number | undefined; readonly equalNan?: boolean | undefined }] | [input: Tensor, other: Operand, options?: { readonly rtol?: number | undefined; readonly atol?: number | undefined; readonly equalNan?: boolean | undefined }] | [input: Tensor, options: { readonly other: Operand; readonly rtol?: number | undefined; readonly atol?: number | undefined; readonly equalNan?: boolean | undefined }] | [options: { readonly input: Tensor; readonly other: Operand; readonly rtol?: number | undefined; readonly atol?: number | undefined; readonly equalNan?: boolean | undefined }]): Tensor
export function isclose(...args: readonly unknown[]): unknown {
  return callOp('isclose', args)
}

/**
 * self with NaN replaced by nan (0), ∞ by posinf and −∞ by neginf (the largest and smallest numbers).
 *
 * @param input the tensor: a tensor
 * @param nan a number; default 0
 * @param posinf by default the largest number of the dtype: a number; optional
 * @param neginf by default the smallest number of the dtype: a number; optional
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function nanToNum(input: Tensor, nan?: number, posinf?: number | null, neginf?: number | null): Tensor
/**
 * self with NaN replaced by nan (0), ∞ by posinf and −∞ by neginf (the largest and smallest numbers).
 *
 * @param input the tensor: a tensor
 * @param nan a number; default 0
 * @param posinf by default the largest number of the dtype: a number; optional
 * @param neginf by default the smallest number of the dtype: a number; optional
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function nanToNum(...args: [input: Tensor, nan: number | undefined, posinf: number | null | undefined, options?: { readonly neginf?: number | null | undefined }] | [input: Tensor, nan: number | undefined, options?: { readonly posinf?: number | null | undefined; readonly neginf?: number | null | undefined }] | [input: Tensor, options?: { readonly nan?: number | undefined; readonly posinf?: number | null | undefined; readonly neginf?: number | null | undefined }] | [options: { readonly input: Tensor; readonly nan?: number | undefined; readonly posinf?: number | null | undefined; readonly neginf?: number | null | undefined }]): Tensor
export function nanToNum(...args: readonly unknown[]): unknown {
  return callOp('nanToNum', args)
}

/**
 * ln |Γ(self)|.
 *
 * @param input the tensor: a tensor
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function lgamma(input: Tensor): Tensor
/**
 * ln |Γ(self)|.
 *
 * @param input the tensor: a tensor
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function lgamma(...args: [options: { readonly input: Tensor }]): Tensor
export function lgamma(...args: readonly unknown[]): unknown {
  return callOp('lgamma', args)
}

/**
 * The derivative of ln Γ(self); NaN at negative integers, ∓∞ at ±0.
 *
 * @param input the tensor: a tensor
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function digamma(input: Tensor): Tensor
/**
 * The derivative of ln Γ(self); NaN at negative integers, ∓∞ at ±0.
 *
 * @param input the tensor: a tensor
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function digamma(...args: [options: { readonly input: Tensor }]): Tensor
export function digamma(...args: readonly unknown[]): unknown {
  return callOp('digamma', args)
}

/**
 * The number in (−∞, ∞) whose erf is self; NaN beyond ±1.
 *
 * @param input the tensor: a tensor
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function erfinv(input: Tensor): Tensor
/**
 * The number in (−∞, ∞) whose erf is self; NaN beyond ±1.
 *
 * @param input the tensor: a tensor
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function erfinv(...args: [options: { readonly input: Tensor }]): Tensor
export function erfinv(...args: readonly unknown[]): unknown {
  return callOp('erfinv', args)
}

/**
 * ln(self / (1 − self)); with eps, of self moved into [eps, 1 − eps].
 *
 * @param input the tensor: a tensor
 * @param eps a small number that keeps what is divided by from 0: a number; optional
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function logit(input: Tensor, eps?: number | null): Tensor
/**
 * ln(self / (1 − self)); with eps, of self moved into [eps, 1 − eps].
 *
 * @param input the tensor: a tensor
 * @param eps a small number that keeps what is divided by from 0: a number; optional
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function logit(...args: [input: Tensor, options?: { readonly eps?: number | null | undefined }] | [options: { readonly input: Tensor; readonly eps?: number | null | undefined }]): Tensor
export function logit(...args: readonly unknown[]): unknown {
  return callOp('logit', args)
}

/**
 * sin(π · self) / (π · self); 1 at 0.
 *
 * @param input the tensor: a tensor
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function sinc(input: Tensor): Tensor
/**
 * sin(π · self) / (π · self); 1 at 0.
 *
 * @param input the tensor: a tensor
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function sinc(...args: [options: { readonly input: Tensor }]): Tensor
export function sinc(...args: readonly unknown[]): unknown {
  return callOp('sinc', args)
}

/**
 * −self · ln(self); 0 at 0, −∞ below.
 *
 * @param input the tensor: a tensor
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function entr(input: Tensor): Tensor
/**
 * −self · ln(self); 0 at 0, −∞ below.
 *
 * @param input the tensor: a tensor
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function entr(...args: [options: { readonly input: Tensor }]): Tensor
export function entr(...args: readonly unknown[]): unknown {
  return callOp('entr', args)
}

/**
 * self · ln(1 + other); 0 where self is 0, unless other is NaN.
 *
 * @param input the tensor: a tensor
 * @param other what it is combined with; the two broadcast: a tensor or a number
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function xlog1py(input: Tensor, other: Operand): Tensor
/**
 * self · ln(1 + other); 0 where self is 0, unless other is NaN.
 *
 * @param input the tensor: a tensor
 * @param other what it is combined with; the two broadcast: a tensor or a number
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function xlog1py(...args: [input: Tensor, options: { readonly other: Operand }] | [options: { readonly input: Tensor; readonly other: Operand }]): Tensor
export function xlog1py(...args: readonly unknown[]): unknown {
  return callOp('xlog1py', args)
}

/**
 * log₂(2^self + 2^other), without overflow.
 *
 * @param input the tensor: a tensor
 * @param other what it is combined with; the two broadcast: a tensor or a number
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function logaddexp2(input: Tensor, other: Operand): Tensor
/**
 * log₂(2^self + 2^other), without overflow.
 *
 * @param input the tensor: a tensor
 * @param other what it is combined with; the two broadcast: a tensor or a number
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function logaddexp2(...args: [input: Tensor, options: { readonly other: Operand }] | [options: { readonly input: Tensor; readonly other: Operand }]): Tensor
export function logaddexp2(...args: readonly unknown[]): unknown {
  return callOp('logaddexp2', args)
}

/**
 * self · 2^other.
 *
 * @param input the tensor: a tensor
 * @param other what it is combined with; the two broadcast: a tensor or a number
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function ldexp(input: Tensor, other: Operand): Tensor
/**
 * self · 2^other.
 *
 * @param input the tensor: a tensor
 * @param other what it is combined with; the two broadcast: a tensor or a number
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function ldexp(...args: [input: Tensor, options: { readonly other: Operand }] | [options: { readonly input: Tensor; readonly other: Operand }]): Tensor
export function ldexp(...args: readonly unknown[]): unknown {
  return callOp('ldexp', args)
}

/**
 * 0 where self is negative or NaN, 1 where it is positive, values where it is 0.
 *
 * @param input the tensor: a tensor
 * @param other what it is combined with; the two broadcast: a tensor or a number
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function heaviside(input: Tensor, other: Operand): Tensor
/**
 * 0 where self is negative or NaN, 1 where it is positive, values where it is 0.
 *
 * @param input the tensor: a tensor
 * @param other what it is combined with; the two broadcast: a tensor or a number
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function heaviside(...args: [input: Tensor, options: { readonly other: Operand }] | [options: { readonly input: Tensor; readonly other: Operand }]): Tensor
export function heaviside(...args: readonly unknown[]): unknown {
  return callOp('heaviside', args)
}

/**
 * The larger of the two; the other where one is NaN.
 *
 * @param input the tensor: a tensor
 * @param other what it is combined with; the two broadcast: a tensor or a number
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function fmax(input: Tensor, other: Operand): Tensor
/**
 * The larger of the two; the other where one is NaN.
 *
 * @param input the tensor: a tensor
 * @param other what it is combined with; the two broadcast: a tensor or a number
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function fmax(...args: [input: Tensor, options: { readonly other: Operand }] | [options: { readonly input: Tensor; readonly other: Operand }]): Tensor
export function fmax(...args: readonly unknown[]): unknown {
  return callOp('fmax', args)
}

/**
 * The smaller of the two; the other where one is NaN.
 *
 * @param input the tensor: a tensor
 * @param other what it is combined with; the two broadcast: a tensor or a number
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function fmin(input: Tensor, other: Operand): Tensor
/**
 * The smaller of the two; the other where one is NaN.
 *
 * @param input the tensor: a tensor
 * @param other what it is combined with; the two broadcast: a tensor or a number
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function fmin(...args: [input: Tensor, options: { readonly other: Operand }] | [options: { readonly input: Tensor; readonly other: Operand }]): Tensor
export function fmin(...args: readonly unknown[]): unknown {
  return callOp('fmin', args)
}

/**
 * self to the power of exponent, both as f64.
 *
 * @param input the tensor: a tensor
 * @param exponent a tensor or a number
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function floatPower(input: Tensor, exponent: Operand): Tensor
/**
 * self to the power of exponent, both as f64.
 *
 * @param input the tensor: a tensor
 * @param exponent a tensor or a number
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function floatPower(...args: [input: Tensor, options: { readonly exponent: Operand }] | [options: { readonly input: Tensor; readonly exponent: Operand }]): Tensor
export function floatPower(...args: readonly unknown[]): unknown {
  return callOp('floatPower', args)
}

/**
 * The greatest common divisor, at least 0; gcd(0, 0) is 0.
 *
 * @param input the tensor: a tensor
 * @param other what it is combined with; the two broadcast: a tensor or a number
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function gcd(input: Tensor, other: Operand): Tensor
/**
 * The greatest common divisor, at least 0; gcd(0, 0) is 0.
 *
 * @param input the tensor: a tensor
 * @param other what it is combined with; the two broadcast: a tensor or a number
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function gcd(...args: [input: Tensor, options: { readonly other: Operand }] | [options: { readonly input: Tensor; readonly other: Operand }]): Tensor
export function gcd(...args: readonly unknown[]): unknown {
  return callOp('gcd', args)
}

/**
 * The least common multiple, at least 0; 0 if either is 0.
 *
 * @param input the tensor: a tensor
 * @param other what it is combined with; the two broadcast: a tensor or a number
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function lcm(input: Tensor, other: Operand): Tensor
/**
 * The least common multiple, at least 0; 0 if either is 0.
 *
 * @param input the tensor: a tensor
 * @param other what it is combined with; the two broadcast: a tensor or a number
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function lcm(...args: [input: Tensor, options: { readonly other: Operand }] | [options: { readonly input: Tensor; readonly other: Operand }]): Tensor
export function lcm(...args: readonly unknown[]): unknown {
  return callOp('lcm', args)
}

/**
 * self where positive, weight · self elsewhere: one weight, or a vector of one per channel (dim 1); others broadcast.
 *
 * @param input the tensor: a tensor
 * @param weight a tensor
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function prelu(input: Tensor, weight: Tensor): Tensor
/**
 * self where positive, weight · self elsewhere: one weight, or a vector of one per channel (dim 1); others broadcast.
 *
 * @param input the tensor: a tensor
 * @param weight a tensor
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function prelu(...args: [input: Tensor, options: { readonly weight: Tensor }] | [options: { readonly input: Tensor; readonly weight: Tensor }]): Tensor
export function prelu(...args: readonly unknown[]): unknown {
  return callOp('prelu', args)
}

/**
 * self where it is greater than threshold, value elsewhere; NaN stays NaN.
 *
 * @param input the tensor: a tensor
 * @param threshold a number
 * @param value a number
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function threshold(input: Tensor, threshold: number, value: number): Tensor
/**
 * self where it is greater than threshold, value elsewhere; NaN stays NaN.
 *
 * @param input the tensor: a tensor
 * @param threshold a number
 * @param value a number
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function threshold(...args: [input: Tensor, threshold: number, options: { readonly value: number }] | [input: Tensor, options: { readonly threshold: number; readonly value: number }] | [options: { readonly input: Tensor; readonly threshold: number; readonly value: number }]): Tensor
export function threshold(...args: readonly unknown[]): unknown {
  return callOp('threshold', args)
}

/**
 * self where |self| > lambd, 0 elsewhere.
 *
 * @param input the tensor: a tensor
 * @param lambd a number; default 0.5
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function hardshrink(input: Tensor, lambd?: number): Tensor
/**
 * self where |self| > lambd, 0 elsewhere.
 *
 * @param input the tensor: a tensor
 * @param lambd a number; default 0.5
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function hardshrink(...args: [input: Tensor, options?: { readonly lambd?: number | undefined }] | [options: { readonly input: Tensor; readonly lambd?: number | undefined }]): Tensor
export function hardshrink(...args: readonly unknown[]): unknown {
  return callOp('hardshrink', args)
}

/**
 * self moved by lambd towards 0, and 0 where |self| ≤ lambd.
 *
 * @param input the tensor: a tensor
 * @param lambd a number; default 0.5
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function softshrink(input: Tensor, lambd?: number): Tensor
/**
 * self moved by lambd towards 0, and 0 where |self| ≤ lambd.
 *
 * @param input the tensor: a tensor
 * @param lambd a number; default 0.5
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function softshrink(...args: [input: Tensor, options?: { readonly lambd?: number | undefined }] | [options: { readonly input: Tensor; readonly lambd?: number | undefined }]): Tensor
export function softshrink(...args: readonly unknown[]): unknown {
  return callOp('softshrink', args)
}

/**
 * self − tanh(self).
 *
 * @param input the tensor: a tensor
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function tanhshrink(input: Tensor): Tensor
/**
 * self − tanh(self).
 *
 * @param input the tensor: a tensor
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function tanhshrink(...args: [options: { readonly input: Tensor }]): Tensor
export function tanhshrink(...args: readonly unknown[]): unknown {
  return callOp('tanhshrink', args)
}

/**
 * max(self, 0).
 *
 * @param input the tensor: a tensor
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function relu(input: Tensor): Tensor
/**
 * max(self, 0).
 *
 * @param input the tensor: a tensor
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function relu(...args: [options: { readonly input: Tensor }]): Tensor
export function relu(...args: readonly unknown[]): unknown {
  return callOp('relu', args)
}

/**
 * min(max(self, 0), 6).
 *
 * @param input the tensor: a tensor
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function relu6(input: Tensor): Tensor
/**
 * min(max(self, 0), 6).
 *
 * @param input the tensor: a tensor
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function relu6(...args: [options: { readonly input: Tensor }]): Tensor
export function relu6(...args: readonly unknown[]): unknown {
  return callOp('relu6', args)
}

/**
 * 1 / (1 + e^−self).
 *
 * @param input the tensor: a tensor
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function sigmoid(input: Tensor): Tensor
/**
 * 1 / (1 + e^−self).
 *
 * @param input the tensor: a tensor
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function sigmoid(...args: [options: { readonly input: Tensor }]): Tensor
export function sigmoid(...args: readonly unknown[]): unknown {
  return callOp('sigmoid', args)
}

/**
 * ln(1 / (1 + e^−self)).
 *
 * @param input the tensor: a tensor
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function logSigmoid(input: Tensor): Tensor
/**
 * ln(1 / (1 + e^−self)).
 *
 * @param input the tensor: a tensor
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function logSigmoid(...args: [options: { readonly input: Tensor }]): Tensor
export function logSigmoid(...args: readonly unknown[]): unknown {
  return callOp('logSigmoid', args)
}

/**
 * self · Φ(self), Φ the normal distribution function; approximate: tanh for the formula of the GELU paper.
 *
 * @param input the tensor: a tensor
 * @param approximate 'none' or 'tanh'; default 'none'
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function gelu(input: Tensor, options?: { readonly approximate?: 'none' | 'tanh' | undefined }): Tensor
/**
 * self · Φ(self), Φ the normal distribution function; approximate: tanh for the formula of the GELU paper.
 *
 * @param input the tensor: a tensor
 * @param approximate 'none' or 'tanh'; default 'none'
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function gelu(...args: [options: { readonly input: Tensor; readonly approximate?: 'none' | 'tanh' | undefined }]): Tensor
export function gelu(...args: readonly unknown[]): unknown {
  return callOp('gelu', args)
}

/**
 * self · sigmoid(self).
 *
 * @param input the tensor: a tensor
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function silu(input: Tensor): Tensor
/**
 * self · sigmoid(self).
 *
 * @param input the tensor: a tensor
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function silu(...args: [options: { readonly input: Tensor }]): Tensor
export function silu(...args: readonly unknown[]): unknown {
  return callOp('silu', args)
}

/**
 * self · tanh(softplus(self)).
 *
 * @param input the tensor: a tensor
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function mish(input: Tensor): Tensor
/**
 * self · tanh(softplus(self)).
 *
 * @param input the tensor: a tensor
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function mish(...args: [options: { readonly input: Tensor }]): Tensor
export function mish(...args: readonly unknown[]): unknown {
  return callOp('mish', args)
}

/**
 * ln(1 + e^(beta · self)) / beta; self itself where beta · self > threshold.
 *
 * @param input the tensor: a tensor
 * @param beta a number; default 1
 * @param threshold a number; default 20
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function softplus(input: Tensor, beta?: number, threshold?: number): Tensor
/**
 * ln(1 + e^(beta · self)) / beta; self itself where beta · self > threshold.
 *
 * @param input the tensor: a tensor
 * @param beta a number; default 1
 * @param threshold a number; default 20
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function softplus(...args: [input: Tensor, beta: number | undefined, options?: { readonly threshold?: number | undefined }] | [input: Tensor, options?: { readonly beta?: number | undefined; readonly threshold?: number | undefined }] | [options: { readonly input: Tensor; readonly beta?: number | undefined; readonly threshold?: number | undefined }]): Tensor
export function softplus(...args: readonly unknown[]): unknown {
  return callOp('softplus', args)
}

/**
 * self where positive, negativeSlope · self elsewhere.
 *
 * @param input the tensor: a tensor
 * @param negativeSlope a number; default 0.01
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function leakyRelu(input: Tensor, negativeSlope?: number): Tensor
/**
 * self where positive, negativeSlope · self elsewhere.
 *
 * @param input the tensor: a tensor
 * @param negativeSlope a number; default 0.01
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function leakyRelu(...args: [input: Tensor, options?: { readonly negativeSlope?: number | undefined }] | [options: { readonly input: Tensor; readonly negativeSlope?: number | undefined }]): Tensor
export function leakyRelu(...args: readonly unknown[]): unknown {
  return callOp('leakyRelu', args)
}

/**
 * self where positive, alpha · (e^self − 1) elsewhere.
 *
 * @param input the tensor: a tensor
 * @param alpha a number; default 1
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function elu(input: Tensor, alpha?: number): Tensor
/**
 * self where positive, alpha · (e^self − 1) elsewhere.
 *
 * @param input the tensor: a tensor
 * @param alpha a number; default 1
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function elu(...args: [input: Tensor, options?: { readonly alpha?: number | undefined }] | [options: { readonly input: Tensor; readonly alpha?: number | undefined }]): Tensor
export function elu(...args: readonly unknown[]): unknown {
  return callOp('elu', args)
}

/**
 * 1.0507 · elu(self, alpha 1.6733).
 *
 * @param input the tensor: a tensor
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function selu(input: Tensor): Tensor
/**
 * 1.0507 · elu(self, alpha 1.6733).
 *
 * @param input the tensor: a tensor
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function selu(...args: [options: { readonly input: Tensor }]): Tensor
export function selu(...args: readonly unknown[]): unknown {
  return callOp('selu', args)
}

/**
 * max(0, self) + min(0, alpha · (e^(self/alpha) − 1)).
 *
 * @param input the tensor: a tensor
 * @param alpha a number; default 1
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function celu(input: Tensor, alpha?: number): Tensor
/**
 * max(0, self) + min(0, alpha · (e^(self/alpha) − 1)).
 *
 * @param input the tensor: a tensor
 * @param alpha a number; default 1
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function celu(...args: [input: Tensor, options?: { readonly alpha?: number | undefined }] | [options: { readonly input: Tensor; readonly alpha?: number | undefined }]): Tensor
export function celu(...args: readonly unknown[]): unknown {
  return callOp('celu', args)
}

/**
 * self between minVal and maxVal.
 *
 * @param input the tensor: a tensor
 * @param minVal a number; default -1
 * @param maxVal a number; default 1
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function hardtanh(input: Tensor, minVal?: number, maxVal?: number): Tensor
/**
 * self between minVal and maxVal.
 *
 * @param input the tensor: a tensor
 * @param minVal a number; default -1
 * @param maxVal a number; default 1
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function hardtanh(...args: [input: Tensor, minVal: number | undefined, options?: { readonly maxVal?: number | undefined }] | [input: Tensor, options?: { readonly minVal?: number | undefined; readonly maxVal?: number | undefined }] | [options: { readonly input: Tensor; readonly minVal?: number | undefined; readonly maxVal?: number | undefined }]): Tensor
export function hardtanh(...args: readonly unknown[]): unknown {
  return callOp('hardtanh', args)
}

/**
 * min(max(self + 3, 0), 6) / 6.
 *
 * @param input the tensor: a tensor
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function hardsigmoid(input: Tensor): Tensor
/**
 * min(max(self + 3, 0), 6) / 6.
 *
 * @param input the tensor: a tensor
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function hardsigmoid(...args: [options: { readonly input: Tensor }]): Tensor
export function hardsigmoid(...args: readonly unknown[]): unknown {
  return callOp('hardsigmoid', args)
}

/**
 * self · min(max(self + 3, 0), 6) / 6.
 *
 * @param input the tensor: a tensor
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function hardswish(input: Tensor): Tensor
/**
 * self · min(max(self + 3, 0), 6) / 6.
 *
 * @param input the tensor: a tensor
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function hardswish(...args: [options: { readonly input: Tensor }]): Tensor
export function hardswish(...args: readonly unknown[]): unknown {
  return callOp('hardswish', args)
}

/**
 * self / (1 + |self|).
 *
 * @param input the tensor: a tensor
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function softsign(input: Tensor): Tensor
/**
 * self / (1 + |self|).
 *
 * @param input the tensor: a tensor
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function softsign(...args: [options: { readonly input: Tensor }]): Tensor
export function softsign(...args: readonly unknown[]): unknown {
  return callOp('softsign', args)
}

/**
 * Σ self over the dims; integers and bool give i64.
 *
 * @param input the tensor: a tensor
 * @param dim the dim (negative ones count from the end): an integer or a list of integers; optional
 * @param keepdim keep the reduced dims, with size 1: true or false; default false
 * @param dtype the dtype of the result: one of f64, f32, f16, bf16, i64, i32, i16, i8, u8, bool; optional
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function sum(input: Tensor, dim?: number | readonly number[] | null, keepdim?: boolean, options?: { readonly dtype?: TensorDtype | null | undefined }): Tensor
/**
 * Σ self over the dims; integers and bool give i64.
 *
 * @param input the tensor: a tensor
 * @param dim the dim (negative ones count from the end): an integer or a list of integers; optional
 * @param keepdim keep the reduced dims, with size 1: true or false; default false
 * @param dtype the dtype of the result: one of f64, f32, f16, bf16, i64, i32, i16, i8, u8, bool; optional
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function sum(...args: [input: Tensor, dim: number | readonly number[] | null | undefined, options?: { readonly keepdim?: boolean | undefined; readonly dtype?: TensorDtype | null | undefined }] | [input: Tensor, options?: { readonly dim?: number | readonly number[] | null | undefined; readonly keepdim?: boolean | undefined; readonly dtype?: TensorDtype | null | undefined }] | [options: { readonly input: Tensor; readonly dim?: number | readonly number[] | null | undefined; readonly keepdim?: boolean | undefined; readonly dtype?: TensorDtype | null | undefined }]): Tensor
export function sum(...args: readonly unknown[]): unknown {
  return callOp('sum', args)
}

/**
 * Π self over the dims; integers and bool give i64.
 *
 * @param input the tensor: a tensor
 * @param dim the dim (negative ones count from the end): an integer or a list of integers; optional
 * @param keepdim keep the reduced dims, with size 1: true or false; default false
 * @param dtype the dtype of the result: one of f64, f32, f16, bf16, i64, i32, i16, i8, u8, bool; optional
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function prod(input: Tensor, dim?: number | readonly number[] | null, keepdim?: boolean, options?: { readonly dtype?: TensorDtype | null | undefined }): Tensor
/**
 * Π self over the dims; integers and bool give i64.
 *
 * @param input the tensor: a tensor
 * @param dim the dim (negative ones count from the end): an integer or a list of integers; optional
 * @param keepdim keep the reduced dims, with size 1: true or false; default false
 * @param dtype the dtype of the result: one of f64, f32, f16, bf16, i64, i32, i16, i8, u8, bool; optional
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function prod(...args: [input: Tensor, dim: number | readonly number[] | null | undefined, options?: { readonly keepdim?: boolean | undefined; readonly dtype?: TensorDtype | null | undefined }] | [input: Tensor, options?: { readonly dim?: number | readonly number[] | null | undefined; readonly keepdim?: boolean | undefined; readonly dtype?: TensorDtype | null | undefined }] | [options: { readonly input: Tensor; readonly dim?: number | readonly number[] | null | undefined; readonly keepdim?: boolean | undefined; readonly dtype?: TensorDtype | null | undefined }]): Tensor
export function prod(...args: readonly unknown[]): unknown {
  return callOp('prod', args)
}

/**
 * Σ self / n over the dims; floats only. Of no elements: NaN.
 *
 * @param input the tensor: a tensor
 * @param dim the dim (negative ones count from the end): an integer or a list of integers; optional
 * @param keepdim keep the reduced dims, with size 1: true or false; default false
 * @param dtype the dtype of the result: one of f64, f32, f16, bf16, i64, i32, i16, i8, u8, bool; optional
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function mean(input: Tensor, dim?: number | readonly number[] | null, keepdim?: boolean, options?: { readonly dtype?: TensorDtype | null | undefined }): Tensor
/**
 * Σ self / n over the dims; floats only. Of no elements: NaN.
 *
 * @param input the tensor: a tensor
 * @param dim the dim (negative ones count from the end): an integer or a list of integers; optional
 * @param keepdim keep the reduced dims, with size 1: true or false; default false
 * @param dtype the dtype of the result: one of f64, f32, f16, bf16, i64, i32, i16, i8, u8, bool; optional
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function mean(...args: [input: Tensor, dim: number | readonly number[] | null | undefined, options?: { readonly keepdim?: boolean | undefined; readonly dtype?: TensorDtype | null | undefined }] | [input: Tensor, options?: { readonly dim?: number | readonly number[] | null | undefined; readonly keepdim?: boolean | undefined; readonly dtype?: TensorDtype | null | undefined }] | [options: { readonly input: Tensor; readonly dim?: number | readonly number[] | null | undefined; readonly keepdim?: boolean | undefined; readonly dtype?: TensorDtype | null | undefined }]): Tensor
export function mean(...args: readonly unknown[]): unknown {
  return callOp('mean', args)
}

/**
 * True where any value over the dims is not 0.
 *
 * @param input the tensor: a tensor
 * @param dim the dim (negative ones count from the end): an integer or a list of integers; optional
 * @param keepdim keep the reduced dims, with size 1: true or false; default false
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function any(input: Tensor, dim?: number | readonly number[] | null, keepdim?: boolean): Tensor
/**
 * True where any value over the dims is not 0.
 *
 * @param input the tensor: a tensor
 * @param dim the dim (negative ones count from the end): an integer or a list of integers; optional
 * @param keepdim keep the reduced dims, with size 1: true or false; default false
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function any(...args: [input: Tensor, dim: number | readonly number[] | null | undefined, options?: { readonly keepdim?: boolean | undefined }] | [input: Tensor, options?: { readonly dim?: number | readonly number[] | null | undefined; readonly keepdim?: boolean | undefined }] | [options: { readonly input: Tensor; readonly dim?: number | readonly number[] | null | undefined; readonly keepdim?: boolean | undefined }]): Tensor
export function any(...args: readonly unknown[]): unknown {
  return callOp('any', args)
}

/**
 * True where every value over the dims is not 0.
 *
 * @param input the tensor: a tensor
 * @param dim the dim (negative ones count from the end): an integer or a list of integers; optional
 * @param keepdim keep the reduced dims, with size 1: true or false; default false
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function all(input: Tensor, dim?: number | readonly number[] | null, keepdim?: boolean): Tensor
/**
 * True where every value over the dims is not 0.
 *
 * @param input the tensor: a tensor
 * @param dim the dim (negative ones count from the end): an integer or a list of integers; optional
 * @param keepdim keep the reduced dims, with size 1: true or false; default false
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function all(...args: [input: Tensor, dim: number | readonly number[] | null | undefined, options?: { readonly keepdim?: boolean | undefined }] | [input: Tensor, options?: { readonly dim?: number | readonly number[] | null | undefined; readonly keepdim?: boolean | undefined }] | [options: { readonly input: Tensor; readonly dim?: number | readonly number[] | null | undefined; readonly keepdim?: boolean | undefined }]): Tensor
export function all(...args: readonly unknown[]): unknown {
  return callOp('all', args)
}

/**
 * The running sum along a dim.
 *
 * @param input the tensor: a tensor
 * @param dim the dim (negative ones count from the end): an integer
 * @param dtype the dtype of the result: one of f64, f32, f16, bf16, i64, i32, i16, i8, u8, bool; optional
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function cumsum(input: Tensor, dim: number, options?: { readonly dtype?: TensorDtype | null | undefined }): Tensor
/**
 * The running sum along a dim.
 *
 * @param input the tensor: a tensor
 * @param dim the dim (negative ones count from the end): an integer
 * @param dtype the dtype of the result: one of f64, f32, f16, bf16, i64, i32, i16, i8, u8, bool; optional
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function cumsum(...args: [input: Tensor, options: { readonly dim: number; readonly dtype?: TensorDtype | null | undefined }] | [options: { readonly input: Tensor; readonly dim: number; readonly dtype?: TensorDtype | null | undefined }]): Tensor
export function cumsum(...args: readonly unknown[]): unknown {
  return callOp('cumsum', args)
}

/**
 * The running product along a dim.
 *
 * @param input the tensor: a tensor
 * @param dim the dim (negative ones count from the end): an integer
 * @param dtype the dtype of the result: one of f64, f32, f16, bf16, i64, i32, i16, i8, u8, bool; optional
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function cumprod(input: Tensor, dim: number, options?: { readonly dtype?: TensorDtype | null | undefined }): Tensor
/**
 * The running product along a dim.
 *
 * @param input the tensor: a tensor
 * @param dim the dim (negative ones count from the end): an integer
 * @param dtype the dtype of the result: one of f64, f32, f16, bf16, i64, i32, i16, i8, u8, bool; optional
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function cumprod(...args: [input: Tensor, options: { readonly dim: number; readonly dtype?: TensorDtype | null | undefined }] | [options: { readonly input: Tensor; readonly dim: number; readonly dtype?: TensorDtype | null | undefined }]): Tensor
export function cumprod(...args: readonly unknown[]): unknown {
  return callOp('cumprod', args)
}

/**
 * ln Σ e^self over the dims, without overflow; of integers as f32.
 *
 * @param input the tensor: a tensor
 * @param dim the dim (negative ones count from the end): an integer or a list of integers
 * @param keepdim keep the reduced dims, with size 1: true or false; default false
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function logsumexp(input: Tensor, dim: number | readonly number[], keepdim?: boolean): Tensor
/**
 * ln Σ e^self over the dims, without overflow; of integers as f32.
 *
 * @param input the tensor: a tensor
 * @param dim the dim (negative ones count from the end): an integer or a list of integers
 * @param keepdim keep the reduced dims, with size 1: true or false; default false
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function logsumexp(...args: [input: Tensor, dim: number | readonly number[], options?: { readonly keepdim?: boolean | undefined }] | [input: Tensor, options: { readonly dim: number | readonly number[]; readonly keepdim?: boolean | undefined }] | [options: { readonly input: Tensor; readonly dim: number | readonly number[]; readonly keepdim?: boolean | undefined }]): Tensor
export function logsumexp(...args: readonly unknown[]): unknown {
  return callOp('logsumexp', args)
}

/**
 * The square root of var.
 *
 * @param input the tensor: a tensor
 * @param dim the dim (negative ones count from the end): an integer or a list of integers; optional
 * @param unbiased true or false; optional
 * @param keepdim keep the reduced dims, with size 1: true or false; default false
 * @param correction n − correction divides: 1 estimates a population from a sample, 0 is for a whole population: a number; optional
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function std(input: Tensor, dim?: number | readonly number[] | null, unbiased?: boolean | null, keepdim?: boolean, options?: { readonly correction?: number | null | undefined }): Tensor
/**
 * The square root of var.
 *
 * @param input the tensor: a tensor
 * @param dim the dim (negative ones count from the end): an integer or a list of integers; optional
 * @param unbiased true or false; optional
 * @param keepdim keep the reduced dims, with size 1: true or false; default false
 * @param correction n − correction divides: 1 estimates a population from a sample, 0 is for a whole population: a number; optional
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function std(...args: [input: Tensor, dim: number | readonly number[] | null | undefined, unbiased: boolean | null | undefined, options?: { readonly keepdim?: boolean | undefined; readonly correction?: number | null | undefined }] | [input: Tensor, dim: number | readonly number[] | null | undefined, options?: { readonly unbiased?: boolean | null | undefined; readonly keepdim?: boolean | undefined; readonly correction?: number | null | undefined }] | [input: Tensor, options?: { readonly dim?: number | readonly number[] | null | undefined; readonly unbiased?: boolean | null | undefined; readonly keepdim?: boolean | undefined; readonly correction?: number | null | undefined }] | [options: { readonly input: Tensor; readonly dim?: number | readonly number[] | null | undefined; readonly unbiased?: boolean | null | undefined; readonly keepdim?: boolean | undefined; readonly correction?: number | null | undefined }]): Tensor
export function std(...args: readonly unknown[]): unknown {
  return callOp('std', args)
}

/**
 * The largest value over the dims; NaN if there is one.
 *
 * @param input the tensor: a tensor
 * @param dim the dim (negative ones count from the end): an integer or a list of integers; optional
 * @param keepdim keep the reduced dims, with size 1: true or false; default false
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function amax(input: Tensor, dim?: number | readonly number[] | null, keepdim?: boolean): Tensor
/**
 * The largest value over the dims; NaN if there is one.
 *
 * @param input the tensor: a tensor
 * @param dim the dim (negative ones count from the end): an integer or a list of integers; optional
 * @param keepdim keep the reduced dims, with size 1: true or false; default false
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function amax(...args: [input: Tensor, dim: number | readonly number[] | null | undefined, options?: { readonly keepdim?: boolean | undefined }] | [input: Tensor, options?: { readonly dim?: number | readonly number[] | null | undefined; readonly keepdim?: boolean | undefined }] | [options: { readonly input: Tensor; readonly dim?: number | readonly number[] | null | undefined; readonly keepdim?: boolean | undefined }]): Tensor
export function amax(...args: readonly unknown[]): unknown {
  return callOp('amax', args)
}

/**
 * The smallest value over the dims; NaN if there is one.
 *
 * @param input the tensor: a tensor
 * @param dim the dim (negative ones count from the end): an integer or a list of integers; optional
 * @param keepdim keep the reduced dims, with size 1: true or false; default false
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function amin(input: Tensor, dim?: number | readonly number[] | null, keepdim?: boolean): Tensor
/**
 * The smallest value over the dims; NaN if there is one.
 *
 * @param input the tensor: a tensor
 * @param dim the dim (negative ones count from the end): an integer or a list of integers; optional
 * @param keepdim keep the reduced dims, with size 1: true or false; default false
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function amin(...args: [input: Tensor, dim: number | readonly number[] | null | undefined, options?: { readonly keepdim?: boolean | undefined }] | [input: Tensor, options?: { readonly dim?: number | readonly number[] | null | undefined; readonly keepdim?: boolean | undefined }] | [options: { readonly input: Tensor; readonly dim?: number | readonly number[] | null | undefined; readonly keepdim?: boolean | undefined }]): Tensor
export function amin(...args: readonly unknown[]): unknown {
  return callOp('amin', args)
}

/**
 * The largest value of the whole tensor; NaN if there is one.
 *
 * @param input the tensor: a tensor
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function max(input: Tensor): Tensor
/**
 * The largest value of the whole tensor; NaN if there is one.
 *
 * @param input the tensor: a tensor
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function max(...args: [options: { readonly input: Tensor }]): Tensor
export function max(...args: readonly unknown[]): unknown {
  return callOp('max', args)
}

/**
 * The smallest value of the whole tensor; NaN if there is one.
 *
 * @param input the tensor: a tensor
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function min(input: Tensor): Tensor
/**
 * The smallest value of the whole tensor; NaN if there is one.
 *
 * @param input the tensor: a tensor
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function min(...args: [options: { readonly input: Tensor }]): Tensor
export function min(...args: readonly unknown[]): unknown {
  return callOp('min', args)
}

/**
 * The largest value along a dim, and where it first is.
 *
 * @param input the tensor: a tensor
 * @param dim the dim (negative ones count from the end): an integer
 * @param keepdim keep the reduced dims, with size 1: true or false; default false
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function maxWithIndices(input: Tensor, dim: number, keepdim?: boolean): { readonly values: Tensor; readonly indices: Tensor }
/**
 * The largest value along a dim, and where it first is.
 *
 * @param input the tensor: a tensor
 * @param dim the dim (negative ones count from the end): an integer
 * @param keepdim keep the reduced dims, with size 1: true or false; default false
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function maxWithIndices(...args: [input: Tensor, dim: number, options?: { readonly keepdim?: boolean | undefined }] | [input: Tensor, options: { readonly dim: number; readonly keepdim?: boolean | undefined }] | [options: { readonly input: Tensor; readonly dim: number; readonly keepdim?: boolean | undefined }]): { readonly values: Tensor; readonly indices: Tensor }
export function maxWithIndices(...args: readonly unknown[]): unknown {
  return callOp('maxWithIndices', args)
}

/**
 * The smallest value along a dim, and where it first is.
 *
 * @param input the tensor: a tensor
 * @param dim the dim (negative ones count from the end): an integer
 * @param keepdim keep the reduced dims, with size 1: true or false; default false
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function minWithIndices(input: Tensor, dim: number, keepdim?: boolean): { readonly values: Tensor; readonly indices: Tensor }
/**
 * The smallest value along a dim, and where it first is.
 *
 * @param input the tensor: a tensor
 * @param dim the dim (negative ones count from the end): an integer
 * @param keepdim keep the reduced dims, with size 1: true or false; default false
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function minWithIndices(...args: [input: Tensor, dim: number, options?: { readonly keepdim?: boolean | undefined }] | [input: Tensor, options: { readonly dim: number; readonly keepdim?: boolean | undefined }] | [options: { readonly input: Tensor; readonly dim: number; readonly keepdim?: boolean | undefined }]): { readonly values: Tensor; readonly indices: Tensor }
export function minWithIndices(...args: readonly unknown[]): unknown {
  return callOp('minWithIndices', args)
}

/**
 * The index of the first largest value along a dim (of all: into the flattened tensor).
 *
 * @param input the tensor: a tensor
 * @param dim the dim (negative ones count from the end): an integer; optional
 * @param keepdim keep the reduced dims, with size 1: true or false; default false
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function argmax(input: Tensor, dim?: number | null, keepdim?: boolean): Tensor
/**
 * The index of the first largest value along a dim (of all: into the flattened tensor).
 *
 * @param input the tensor: a tensor
 * @param dim the dim (negative ones count from the end): an integer; optional
 * @param keepdim keep the reduced dims, with size 1: true or false; default false
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function argmax(...args: [input: Tensor, dim: number | null | undefined, options?: { readonly keepdim?: boolean | undefined }] | [input: Tensor, options?: { readonly dim?: number | null | undefined; readonly keepdim?: boolean | undefined }] | [options: { readonly input: Tensor; readonly dim?: number | null | undefined; readonly keepdim?: boolean | undefined }]): Tensor
export function argmax(...args: readonly unknown[]): unknown {
  return callOp('argmax', args)
}

/**
 * The index of the first smallest value along a dim (of all: into the flattened tensor).
 *
 * @param input the tensor: a tensor
 * @param dim the dim (negative ones count from the end): an integer; optional
 * @param keepdim keep the reduced dims, with size 1: true or false; default false
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function argmin(input: Tensor, dim?: number | null, keepdim?: boolean): Tensor
/**
 * The index of the first smallest value along a dim (of all: into the flattened tensor).
 *
 * @param input the tensor: a tensor
 * @param dim the dim (negative ones count from the end): an integer; optional
 * @param keepdim keep the reduced dims, with size 1: true or false; default false
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function argmin(...args: [input: Tensor, dim: number | null | undefined, options?: { readonly keepdim?: boolean | undefined }] | [input: Tensor, options?: { readonly dim?: number | null | undefined; readonly keepdim?: boolean | undefined }] | [options: { readonly input: Tensor; readonly dim?: number | null | undefined; readonly keepdim?: boolean | undefined }]): Tensor
export function argmin(...args: readonly unknown[]): unknown {
  return callOp('argmin', args)
}

/**
 * The variance and the mean over the dims.
 *
 * @param input the tensor: a tensor
 * @param dim the dim (negative ones count from the end): an integer or a list of integers; optional
 * @param unbiased true or false; optional
 * @param keepdim keep the reduced dims, with size 1: true or false; default false
 * @param correction a number; optional
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function varMean(input: Tensor, dim?: number | readonly number[] | null, unbiased?: boolean | null, keepdim?: boolean, options?: { readonly correction?: number | null | undefined }): { readonly var: Tensor; readonly mean: Tensor }
/**
 * The variance and the mean over the dims.
 *
 * @param input the tensor: a tensor
 * @param dim the dim (negative ones count from the end): an integer or a list of integers; optional
 * @param unbiased true or false; optional
 * @param keepdim keep the reduced dims, with size 1: true or false; default false
 * @param correction a number; optional
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function varMean(...args: [input: Tensor, dim: number | readonly number[] | null | undefined, unbiased: boolean | null | undefined, options?: { readonly keepdim?: boolean | undefined; readonly correction?: number | null | undefined }] | [input: Tensor, dim: number | readonly number[] | null | undefined, options?: { readonly unbiased?: boolean | null | undefined; readonly keepdim?: boolean | undefined; readonly correction?: number | null | undefined }] | [input: Tensor, options?: { readonly dim?: number | readonly number[] | null | undefined; readonly unbiased?: boolean | null | undefined; readonly keepdim?: boolean | undefined; readonly correction?: number | null | undefined }] | [options: { readonly input: Tensor; readonly dim?: number | readonly number[] | null | undefined; readonly unbiased?: boolean | null | undefined; readonly keepdim?: boolean | undefined; readonly correction?: number | null | undefined }]): { readonly var: Tensor; readonly mean: Tensor }
export function varMean(...args: readonly unknown[]): unknown {
  return callOp('varMean', args)
}

/**
 * The standard deviation and the mean over the dims.
 *
 * @param input the tensor: a tensor
 * @param dim the dim (negative ones count from the end): an integer or a list of integers; optional
 * @param unbiased true or false; optional
 * @param keepdim keep the reduced dims, with size 1: true or false; default false
 * @param correction a number; optional
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function stdMean(input: Tensor, dim?: number | readonly number[] | null, unbiased?: boolean | null, keepdim?: boolean, options?: { readonly correction?: number | null | undefined }): { readonly std: Tensor; readonly mean: Tensor }
/**
 * The standard deviation and the mean over the dims.
 *
 * @param input the tensor: a tensor
 * @param dim the dim (negative ones count from the end): an integer or a list of integers; optional
 * @param unbiased true or false; optional
 * @param keepdim keep the reduced dims, with size 1: true or false; default false
 * @param correction a number; optional
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function stdMean(...args: [input: Tensor, dim: number | readonly number[] | null | undefined, unbiased: boolean | null | undefined, options?: { readonly keepdim?: boolean | undefined; readonly correction?: number | null | undefined }] | [input: Tensor, dim: number | readonly number[] | null | undefined, options?: { readonly unbiased?: boolean | null | undefined; readonly keepdim?: boolean | undefined; readonly correction?: number | null | undefined }] | [input: Tensor, options?: { readonly dim?: number | readonly number[] | null | undefined; readonly unbiased?: boolean | null | undefined; readonly keepdim?: boolean | undefined; readonly correction?: number | null | undefined }] | [options: { readonly input: Tensor; readonly dim?: number | readonly number[] | null | undefined; readonly unbiased?: boolean | null | undefined; readonly keepdim?: boolean | undefined; readonly correction?: number | null | undefined }]): { readonly std: Tensor; readonly mean: Tensor }
export function stdMean(...args: readonly unknown[]): unknown {
  return callOp('stdMean', args)
}

/**
 * The smallest and the largest value over a dim, or of all; NaN if there is one.
 *
 * @param input the tensor: a tensor
 * @param dim the dim (negative ones count from the end): an integer; optional
 * @param keepdim keep the reduced dims, with size 1: true or false; default false
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function aminmax(input: Tensor, options?: { readonly dim?: number | null | undefined; readonly keepdim?: boolean | undefined }): { readonly min: Tensor; readonly max: Tensor }
/**
 * The smallest and the largest value over a dim, or of all; NaN if there is one.
 *
 * @param input the tensor: a tensor
 * @param dim the dim (negative ones count from the end): an integer; optional
 * @param keepdim keep the reduced dims, with size 1: true or false; default false
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function aminmax(...args: [options: { readonly input: Tensor; readonly dim?: number | null | undefined; readonly keepdim?: boolean | undefined }]): { readonly min: Tensor; readonly max: Tensor }
export function aminmax(...args: readonly unknown[]): unknown {
  return callOp('aminmax', args)
}

/**
 * (Σ |self|^p)^(1/p) over the dims; p 0 counts what is not 0, p ±Infinity is the largest (smallest) |self|. PyTorch's 'nuc', which needs singular values, is not supported.
 *
 * @param input the tensor: a tensor
 * @param p the power; 'fro' is 2: a number, 'fro' or 'nuc'; default 2
 * @param dim the dim (negative ones count from the end): an integer or a list of integers; optional
 * @param keepdim keep the reduced dims, with size 1: true or false; default false
 * @param dtype self is cast to it first, and the result has it: one of f64, f32, f16, bf16, i64, i32, i16, i8, u8, bool; optional
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function norm(input: Tensor, p?: number | 'fro' | 'nuc', dim?: number | readonly number[] | null, keepdim?: boolean, dtype?: TensorDtype | null): Tensor
/**
 * (Σ |self|^p)^(1/p) over the dims; p 0 counts what is not 0, p ±Infinity is the largest (smallest) |self|. PyTorch's 'nuc', which needs singular values, is not supported.
 *
 * @param input the tensor: a tensor
 * @param p the power; 'fro' is 2: a number, 'fro' or 'nuc'; default 2
 * @param dim the dim (negative ones count from the end): an integer or a list of integers; optional
 * @param keepdim keep the reduced dims, with size 1: true or false; default false
 * @param dtype self is cast to it first, and the result has it: one of f64, f32, f16, bf16, i64, i32, i16, i8, u8, bool; optional
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function norm(...args: [input: Tensor, p: number | 'fro' | 'nuc' | undefined, dim: number | readonly number[] | null | undefined, keepdim: boolean | undefined, options?: { readonly dtype?: TensorDtype | null | undefined }] | [input: Tensor, p: number | 'fro' | 'nuc' | undefined, dim: number | readonly number[] | null | undefined, options?: { readonly keepdim?: boolean | undefined; readonly dtype?: TensorDtype | null | undefined }] | [input: Tensor, p: number | 'fro' | 'nuc' | undefined, options?: { readonly dim?: number | readonly number[] | null | undefined; readonly keepdim?: boolean | undefined; readonly dtype?: TensorDtype | null | undefined }] | [input: Tensor, options?: { readonly p?: number | 'fro' | 'nuc' | undefined; readonly dim?: number | readonly number[] | null | undefined; readonly keepdim?: boolean | undefined; readonly dtype?: TensorDtype | null | undefined }] | [options: { readonly input: Tensor; readonly p?: number | 'fro' | 'nuc' | undefined; readonly dim?: number | readonly number[] | null | undefined; readonly keepdim?: boolean | undefined; readonly dtype?: TensorDtype | null | undefined }]): Tensor
export function norm(...args: readonly unknown[]): unknown {
  return callOp('norm', args)
}

/**
 * (Σ |self|^p)^(1/p) over the dims; p 0 counts what is not 0, p ±Infinity is the largest (smallest) |self|.
 *
 * @param input the tensor: a tensor
 * @param ord the power p: a number; default 2
 * @param dim the dim (negative ones count from the end): an integer or a list of integers; optional
 * @param keepdim keep the reduced dims, with size 1: true or false; default false
 * @param dtype self is cast to it first, and the result has it: one of f64, f32, f16, bf16, i64, i32, i16, i8, u8, bool; optional
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function vectorNorm(input: Tensor, ord?: number, dim?: number | readonly number[] | null, keepdim?: boolean, options?: { readonly dtype?: TensorDtype | null | undefined }): Tensor
/**
 * (Σ |self|^p)^(1/p) over the dims; p 0 counts what is not 0, p ±Infinity is the largest (smallest) |self|.
 *
 * @param input the tensor: a tensor
 * @param ord the power p: a number; default 2
 * @param dim the dim (negative ones count from the end): an integer or a list of integers; optional
 * @param keepdim keep the reduced dims, with size 1: true or false; default false
 * @param dtype self is cast to it first, and the result has it: one of f64, f32, f16, bf16, i64, i32, i16, i8, u8, bool; optional
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function vectorNorm(...args: [input: Tensor, ord: number | undefined, dim: number | readonly number[] | null | undefined, options?: { readonly keepdim?: boolean | undefined; readonly dtype?: TensorDtype | null | undefined }] | [input: Tensor, ord: number | undefined, options?: { readonly dim?: number | readonly number[] | null | undefined; readonly keepdim?: boolean | undefined; readonly dtype?: TensorDtype | null | undefined }] | [input: Tensor, options?: { readonly ord?: number | undefined; readonly dim?: number | readonly number[] | null | undefined; readonly keepdim?: boolean | undefined; readonly dtype?: TensorDtype | null | undefined }] | [options: { readonly input: Tensor; readonly ord?: number | undefined; readonly dim?: number | readonly number[] | null | undefined; readonly keepdim?: boolean | undefined; readonly dtype?: TensorDtype | null | undefined }]): Tensor
export function vectorNorm(...args: readonly unknown[]): unknown {
  return callOp('vectorNorm', args)
}

/**
 * How many elements are not 0 over the dims, as i64.
 *
 * @param input the tensor: a tensor
 * @param dim the dim (negative ones count from the end): an integer or a list of integers; optional
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function countNonzero(input: Tensor, dim?: number | readonly number[] | null): Tensor
/**
 * How many elements are not 0 over the dims, as i64.
 *
 * @param input the tensor: a tensor
 * @param dim the dim (negative ones count from the end): an integer or a list of integers; optional
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function countNonzero(...args: [input: Tensor, options?: { readonly dim?: number | readonly number[] | null | undefined }] | [options: { readonly input: Tensor; readonly dim?: number | readonly number[] | null | undefined }]): Tensor
export function countNonzero(...args: readonly unknown[]): unknown {
  return callOp('countNonzero', args)
}

/**
 * Σ self over the dims, NaN counted as 0.
 *
 * @param input the tensor: a tensor
 * @param dim the dim (negative ones count from the end): an integer or a list of integers; optional
 * @param keepdim keep the reduced dims, with size 1: true or false; default false
 * @param dtype the dtype of the result: one of f64, f32, f16, bf16, i64, i32, i16, i8, u8, bool; optional
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function nansum(input: Tensor, dim?: number | readonly number[] | null, keepdim?: boolean, options?: { readonly dtype?: TensorDtype | null | undefined }): Tensor
/**
 * Σ self over the dims, NaN counted as 0.
 *
 * @param input the tensor: a tensor
 * @param dim the dim (negative ones count from the end): an integer or a list of integers; optional
 * @param keepdim keep the reduced dims, with size 1: true or false; default false
 * @param dtype the dtype of the result: one of f64, f32, f16, bf16, i64, i32, i16, i8, u8, bool; optional
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function nansum(...args: [input: Tensor, dim: number | readonly number[] | null | undefined, options?: { readonly keepdim?: boolean | undefined; readonly dtype?: TensorDtype | null | undefined }] | [input: Tensor, options?: { readonly dim?: number | readonly number[] | null | undefined; readonly keepdim?: boolean | undefined; readonly dtype?: TensorDtype | null | undefined }] | [options: { readonly input: Tensor; readonly dim?: number | readonly number[] | null | undefined; readonly keepdim?: boolean | undefined; readonly dtype?: TensorDtype | null | undefined }]): Tensor
export function nansum(...args: readonly unknown[]): unknown {
  return callOp('nansum', args)
}

/**
 * The mean over the dims of what is not NaN.
 *
 * @param input the tensor: a tensor
 * @param dim the dim (negative ones count from the end): an integer or a list of integers; optional
 * @param keepdim keep the reduced dims, with size 1: true or false; default false
 * @param dtype the dtype of the result: one of f64, f32, f16, bf16, i64, i32, i16, i8, u8, bool; optional
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function nanmean(input: Tensor, dim?: number | readonly number[] | null, keepdim?: boolean, options?: { readonly dtype?: TensorDtype | null | undefined }): Tensor
/**
 * The mean over the dims of what is not NaN.
 *
 * @param input the tensor: a tensor
 * @param dim the dim (negative ones count from the end): an integer or a list of integers; optional
 * @param keepdim keep the reduced dims, with size 1: true or false; default false
 * @param dtype the dtype of the result: one of f64, f32, f16, bf16, i64, i32, i16, i8, u8, bool; optional
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function nanmean(...args: [input: Tensor, dim: number | readonly number[] | null | undefined, options?: { readonly keepdim?: boolean | undefined; readonly dtype?: TensorDtype | null | undefined }] | [input: Tensor, options?: { readonly dim?: number | readonly number[] | null | undefined; readonly keepdim?: boolean | undefined; readonly dtype?: TensorDtype | null | undefined }] | [options: { readonly input: Tensor; readonly dim?: number | readonly number[] | null | undefined; readonly keepdim?: boolean | undefined; readonly dtype?: TensorDtype | null | undefined }]): Tensor
export function nanmean(...args: readonly unknown[]): unknown {
  return callOp('nanmean', args)
}

/**
 * The covariances of the rows of [variables, observations]; of a vector its variance. Divided by the observations less correction.
 *
 * @param input the tensor: a tensor
 * @param correction what is taken off the number of observations: an integer; default 1
 * @param fweights how often each observation counts: integers, [observations]: a tensor; optional
 * @param aweights how much each observation counts: floats, [observations]: a tensor; optional
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function cov(input: Tensor, options?: { readonly correction?: number | undefined; readonly fweights?: Tensor | null | undefined; readonly aweights?: Tensor | null | undefined }): Tensor
/**
 * The covariances of the rows of [variables, observations]; of a vector its variance. Divided by the observations less correction.
 *
 * @param input the tensor: a tensor
 * @param correction what is taken off the number of observations: an integer; default 1
 * @param fweights how often each observation counts: integers, [observations]: a tensor; optional
 * @param aweights how much each observation counts: floats, [observations]: a tensor; optional
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function cov(...args: [options: { readonly input: Tensor; readonly correction?: number | undefined; readonly fweights?: Tensor | null | undefined; readonly aweights?: Tensor | null | undefined }]): Tensor
export function cov(...args: readonly unknown[]): unknown {
  return callOp('cov', args)
}

/**
 * The correlations of the rows of [variables, observations], between −1 and 1: cov over both deviations.
 *
 * @param input the tensor: a tensor
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function corrcoef(input: Tensor): Tensor
/**
 * The correlations of the rows of [variables, observations], between −1 and 1: cov over both deviations.
 *
 * @param input the tensor: a tensor
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function corrcoef(...args: [options: { readonly input: Tensor }]): Tensor
export function corrcoef(...args: readonly unknown[]): unknown {
  return callOp('corrcoef', args)
}

/**
 * The area under a curve along a dim, by the trapezoidal rule; of integers as f32.
 *
 * @param y the values of the curve: a tensor
 * @param x where they stand: a vector along dim, or a place for each value; without it they are dx apart: a tensor; optional
 * @param dx how far apart the values stand: a number; default 1
 * @param dim the dim (negative ones count from the end): an integer; default -1
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function trapezoid(y: Tensor, x?: Tensor | null, options?: { readonly dx?: number | undefined; readonly dim?: number | undefined }): Tensor
/**
 * The area under a curve along a dim, by the trapezoidal rule; of integers as f32.
 *
 * @param y the values of the curve: a tensor
 * @param x where they stand: a vector along dim, or a place for each value; without it they are dx apart: a tensor; optional
 * @param dx how far apart the values stand: a number; default 1
 * @param dim the dim (negative ones count from the end): an integer; default -1
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function trapezoid(...args: [y: Tensor, options?: { readonly x?: Tensor | null | undefined; readonly dx?: number | undefined; readonly dim?: number | undefined }] | [options: { readonly y: Tensor; readonly x?: Tensor | null | undefined; readonly dx?: number | undefined; readonly dim?: number | undefined }]): Tensor
export function trapezoid(...args: readonly unknown[]): unknown {
  return callOp('trapezoid', args)
}

/**
 * The areas under a curve from its first value up to each next one along a dim, by the trapezoidal rule.
 *
 * @param y the values of the curve: a tensor
 * @param x where they stand: a vector along dim, or a place for each value; without it they are dx apart: a tensor; optional
 * @param dx how far apart the values stand: a number; default 1
 * @param dim the dim (negative ones count from the end): an integer; default -1
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function cumulativeTrapezoid(y: Tensor, x?: Tensor | null, options?: { readonly dx?: number | undefined; readonly dim?: number | undefined }): Tensor
/**
 * The areas under a curve from its first value up to each next one along a dim, by the trapezoidal rule.
 *
 * @param y the values of the curve: a tensor
 * @param x where they stand: a vector along dim, or a place for each value; without it they are dx apart: a tensor; optional
 * @param dx how far apart the values stand: a number; default 1
 * @param dim the dim (negative ones count from the end): an integer; default -1
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function cumulativeTrapezoid(...args: [y: Tensor, options?: { readonly x?: Tensor | null | undefined; readonly dx?: number | undefined; readonly dim?: number | undefined }] | [options: { readonly y: Tensor; readonly x?: Tensor | null | undefined; readonly dx?: number | undefined; readonly dim?: number | undefined }]): Tensor
export function cumulativeTrapezoid(...args: readonly unknown[]): unknown {
  return callOp('cumulativeTrapezoid', args)
}

/**
 * The powers of a vector as columns: x^(N−1), …, x, 1; increasing: the other way round. Integers give i64.
 *
 * @param x a vector: a tensor
 * @param N how many powers; as many as elements unless given: an integer of at least 0; optional
 * @param increasing begin with 1: true or false; default false
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function vander(x: Tensor, N?: SizeLike | null, increasing?: boolean): Tensor
/**
 * The powers of a vector as columns: x^(N−1), …, x, 1; increasing: the other way round. Integers give i64.
 *
 * @param x a vector: a tensor
 * @param N how many powers; as many as elements unless given: an integer of at least 0; optional
 * @param increasing begin with 1: true or false; default false
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function vander(...args: [x: Tensor, N: SizeLike | null | undefined, options?: { readonly increasing?: boolean | undefined }] | [x: Tensor, options?: { readonly N?: SizeLike | null | undefined; readonly increasing?: boolean | undefined }] | [options: { readonly x: Tensor; readonly N?: SizeLike | null | undefined; readonly increasing?: boolean | undefined }]): Tensor
export function vander(...args: readonly unknown[]): unknown {
  return callOp('vander', args)
}

/**
 * The slices along a dim, each scaled down to length maxnorm (by p) where it is longer.
 *
 * @param input the tensor: a tensor
 * @param p the power of the norm: a number
 * @param dim the dim (negative ones count from the end): an integer
 * @param maxnorm how long a slice may be: a number
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function renorm(input: Tensor, p: number, dim: number, maxnorm: number): Tensor
/**
 * The slices along a dim, each scaled down to length maxnorm (by p) where it is longer.
 *
 * @param input the tensor: a tensor
 * @param p the power of the norm: a number
 * @param dim the dim (negative ones count from the end): an integer
 * @param maxnorm how long a slice may be: a number
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function renorm(...args: [input: Tensor, p: number, dim: number, options: { readonly maxnorm: number }] | [input: Tensor, p: number, options: { readonly dim: number; readonly maxnorm: number }] | [input: Tensor, options: { readonly p: number; readonly dim: number; readonly maxnorm: number }] | [options: { readonly input: Tensor; readonly p: number; readonly dim: number; readonly maxnorm: number }]): Tensor
export function renorm(...args: readonly unknown[]): unknown {
  return callOp('renorm', args)
}

/**
 * The largest value so far along a dim, and where it last was; NaN stays.
 *
 * @param input the tensor: a tensor
 * @param dim the dim (negative ones count from the end): an integer
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function cummax(input: Tensor, dim: number): { readonly values: Tensor; readonly indices: Tensor }
/**
 * The largest value so far along a dim, and where it last was; NaN stays.
 *
 * @param input the tensor: a tensor
 * @param dim the dim (negative ones count from the end): an integer
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function cummax(...args: [input: Tensor, options: { readonly dim: number }] | [options: { readonly input: Tensor; readonly dim: number }]): { readonly values: Tensor; readonly indices: Tensor }
export function cummax(...args: readonly unknown[]): unknown {
  return callOp('cummax', args)
}

/**
 * The smallest value so far along a dim, and where it last was; NaN stays.
 *
 * @param input the tensor: a tensor
 * @param dim the dim (negative ones count from the end): an integer
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function cummin(input: Tensor, dim: number): { readonly values: Tensor; readonly indices: Tensor }
/**
 * The smallest value so far along a dim, and where it last was; NaN stays.
 *
 * @param input the tensor: a tensor
 * @param dim the dim (negative ones count from the end): an integer
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function cummin(...args: [input: Tensor, options: { readonly dim: number }] | [options: { readonly input: Tensor; readonly dim: number }]): { readonly values: Tensor; readonly indices: Tensor }
export function cummin(...args: readonly unknown[]): unknown {
  return callOp('cummin', args)
}

/**
 * ln of the running sum of e^self along a dim, without overflow.
 *
 * @param input the tensor: a tensor
 * @param dim the dim (negative ones count from the end): an integer
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function logcumsumexp(input: Tensor, dim: number): Tensor
/**
 * ln of the running sum of e^self along a dim, without overflow.
 *
 * @param input the tensor: a tensor
 * @param dim the dim (negative ones count from the end): an integer
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function logcumsumexp(...args: [input: Tensor, options: { readonly dim: number }] | [options: { readonly input: Tensor; readonly dim: number }]): Tensor
export function logcumsumexp(...args: readonly unknown[]): unknown {
  return callOp('logcumsumexp', args)
}

/**
 * The middle value of the whole tensor, of an even number the lower one; NaN if there is one.
 *
 * @param input the tensor: a tensor
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function median(input: Tensor): Tensor
/**
 * The middle value of the whole tensor, of an even number the lower one; NaN if there is one.
 *
 * @param input the tensor: a tensor
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function median(...args: [options: { readonly input: Tensor }]): Tensor
export function median(...args: readonly unknown[]): unknown {
  return callOp('median', args)
}

/**
 * The middle value of what is not NaN, of an even number the lower one.
 *
 * @param input the tensor: a tensor
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function nanmedian(input: Tensor): Tensor
/**
 * The middle value of what is not NaN, of an even number the lower one.
 *
 * @param input the tensor: a tensor
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function nanmedian(...args: [options: { readonly input: Tensor }]): Tensor
export function nanmedian(...args: readonly unknown[]): unknown {
  return callOp('nanmedian', args)
}

/**
 * The middle value along a dim, of an even number the lower one, and where it is; NaN if there is one.
 *
 * @param input the tensor: a tensor
 * @param dim the dim (negative ones count from the end): an integer; default -1
 * @param keepdim keep the reduced dims, with size 1: true or false; default false
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function medianWithIndices(input: Tensor, dim?: number, keepdim?: boolean): { readonly values: Tensor; readonly indices: Tensor }
/**
 * The middle value along a dim, of an even number the lower one, and where it is; NaN if there is one.
 *
 * @param input the tensor: a tensor
 * @param dim the dim (negative ones count from the end): an integer; default -1
 * @param keepdim keep the reduced dims, with size 1: true or false; default false
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function medianWithIndices(...args: [input: Tensor, dim: number | undefined, options?: { readonly keepdim?: boolean | undefined }] | [input: Tensor, options?: { readonly dim?: number | undefined; readonly keepdim?: boolean | undefined }] | [options: { readonly input: Tensor; readonly dim?: number | undefined; readonly keepdim?: boolean | undefined }]): { readonly values: Tensor; readonly indices: Tensor }
export function medianWithIndices(...args: readonly unknown[]): unknown {
  return callOp('medianWithIndices', args)
}

/**
 * The middle value along a dim of what is not NaN, of an even number the lower one, and where it is.
 *
 * @param input the tensor: a tensor
 * @param dim the dim (negative ones count from the end): an integer; default -1
 * @param keepdim keep the reduced dims, with size 1: true or false; default false
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function nanmedianWithIndices(input: Tensor, dim?: number, keepdim?: boolean): { readonly values: Tensor; readonly indices: Tensor }
/**
 * The middle value along a dim of what is not NaN, of an even number the lower one, and where it is.
 *
 * @param input the tensor: a tensor
 * @param dim the dim (negative ones count from the end): an integer; default -1
 * @param keepdim keep the reduced dims, with size 1: true or false; default false
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function nanmedianWithIndices(...args: [input: Tensor, dim: number | undefined, options?: { readonly keepdim?: boolean | undefined }] | [input: Tensor, options?: { readonly dim?: number | undefined; readonly keepdim?: boolean | undefined }] | [options: { readonly input: Tensor; readonly dim?: number | undefined; readonly keepdim?: boolean | undefined }]): { readonly values: Tensor; readonly indices: Tensor }
export function nanmedianWithIndices(...args: readonly unknown[]): unknown {
  return callOp('nanmedianWithIndices', args)
}

/**
 * The k-th smallest value along a dim (k from 1), and where it is; NaN counts as largest.
 *
 * @param input the tensor: a tensor
 * @param k an integer of at least 1
 * @param dim the dim (negative ones count from the end): an integer; default -1
 * @param keepdim keep the reduced dims, with size 1: true or false; default false
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function kthvalue(input: Tensor, k: number, dim?: number, keepdim?: boolean): { readonly values: Tensor; readonly indices: Tensor }
/**
 * The k-th smallest value along a dim (k from 1), and where it is; NaN counts as largest.
 *
 * @param input the tensor: a tensor
 * @param k an integer of at least 1
 * @param dim the dim (negative ones count from the end): an integer; default -1
 * @param keepdim keep the reduced dims, with size 1: true or false; default false
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function kthvalue(...args: [input: Tensor, k: number, dim: number | undefined, options?: { readonly keepdim?: boolean | undefined }] | [input: Tensor, k: number, options?: { readonly dim?: number | undefined; readonly keepdim?: boolean | undefined }] | [input: Tensor, options: { readonly k: number; readonly dim?: number | undefined; readonly keepdim?: boolean | undefined }] | [options: { readonly input: Tensor; readonly k: number; readonly dim?: number | undefined; readonly keepdim?: boolean | undefined }]): { readonly values: Tensor; readonly indices: Tensor }
export function kthvalue(...args: readonly unknown[]): unknown {
  return callOp('kthvalue', args)
}

/**
 * The most frequent value along a dim (of several the smallest), and where it last is.
 *
 * @param input the tensor: a tensor
 * @param dim the dim (negative ones count from the end): an integer; default -1
 * @param keepdim keep the reduced dims, with size 1: true or false; default false
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function mode(input: Tensor, dim?: number, keepdim?: boolean): { readonly values: Tensor; readonly indices: Tensor }
/**
 * The most frequent value along a dim (of several the smallest), and where it last is.
 *
 * @param input the tensor: a tensor
 * @param dim the dim (negative ones count from the end): an integer; default -1
 * @param keepdim keep the reduced dims, with size 1: true or false; default false
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function mode(...args: [input: Tensor, dim: number | undefined, options?: { readonly keepdim?: boolean | undefined }] | [input: Tensor, options?: { readonly dim?: number | undefined; readonly keepdim?: boolean | undefined }] | [options: { readonly input: Tensor; readonly dim?: number | undefined; readonly keepdim?: boolean | undefined }]): { readonly values: Tensor; readonly indices: Tensor }
export function mode(...args: readonly unknown[]): unknown {
  return callOp('mode', args)
}

/**
 * The values below which shares q lie, of all or along a dim; NaN if there is one.
 *
 * @param input the tensor: a tensor
 * @param q a number or a list of numbers
 * @param dim the dim (negative ones count from the end): an integer; optional
 * @param keepdim keep the reduced dims, with size 1: true or false; default false
 * @param interpolation 'linear', 'lower', 'higher', 'midpoint' or 'nearest'; default 'linear'
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function quantile(input: Tensor, q: number | readonly number[], dim?: number | null, keepdim?: boolean, options?: { readonly interpolation?: 'linear' | 'lower' | 'higher' | 'midpoint' | 'nearest' | undefined }): Tensor
/**
 * The values below which shares q lie, of all or along a dim; NaN if there is one.
 *
 * @param input the tensor: a tensor
 * @param q a number or a list of numbers
 * @param dim the dim (negative ones count from the end): an integer; optional
 * @param keepdim keep the reduced dims, with size 1: true or false; default false
 * @param interpolation 'linear', 'lower', 'higher', 'midpoint' or 'nearest'; default 'linear'
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function quantile(...args: [input: Tensor, q: number | readonly number[], dim: number | null | undefined, options?: { readonly keepdim?: boolean | undefined; readonly interpolation?: 'linear' | 'lower' | 'higher' | 'midpoint' | 'nearest' | undefined }] | [input: Tensor, q: number | readonly number[], options?: { readonly dim?: number | null | undefined; readonly keepdim?: boolean | undefined; readonly interpolation?: 'linear' | 'lower' | 'higher' | 'midpoint' | 'nearest' | undefined }] | [input: Tensor, options: { readonly q: number | readonly number[]; readonly dim?: number | null | undefined; readonly keepdim?: boolean | undefined; readonly interpolation?: 'linear' | 'lower' | 'higher' | 'midpoint' | 'nearest' | undefined }] | [options: { readonly input: Tensor; readonly q: number | readonly number[]; readonly dim?: number | null | undefined; readonly keepdim?: boolean | undefined; readonly interpolation?: 'linear' | 'lower' | 'higher' | 'midpoint' | 'nearest' | undefined }]): Tensor
export function quantile(...args: readonly unknown[]): unknown {
  return callOp('quantile', args)
}

/**
 * As quantile, of what is not NaN.
 *
 * @param input the tensor: a tensor
 * @param q a number or a list of numbers
 * @param dim the dim (negative ones count from the end): an integer; optional
 * @param keepdim keep the reduced dims, with size 1: true or false; default false
 * @param interpolation 'linear', 'lower', 'higher', 'midpoint' or 'nearest'; default 'linear'
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function nanquantile(input: Tensor, q: number | readonly number[], dim?: number | null, keepdim?: boolean, options?: { readonly interpolation?: 'linear' | 'lower' | 'higher' | 'midpoint' | 'nearest' | undefined }): Tensor
/**
 * As quantile, of what is not NaN.
 *
 * @param input the tensor: a tensor
 * @param q a number or a list of numbers
 * @param dim the dim (negative ones count from the end): an integer; optional
 * @param keepdim keep the reduced dims, with size 1: true or false; default false
 * @param interpolation 'linear', 'lower', 'higher', 'midpoint' or 'nearest'; default 'linear'
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function nanquantile(...args: [input: Tensor, q: number | readonly number[], dim: number | null | undefined, options?: { readonly keepdim?: boolean | undefined; readonly interpolation?: 'linear' | 'lower' | 'higher' | 'midpoint' | 'nearest' | undefined }] | [input: Tensor, q: number | readonly number[], options?: { readonly dim?: number | null | undefined; readonly keepdim?: boolean | undefined; readonly interpolation?: 'linear' | 'lower' | 'higher' | 'midpoint' | 'nearest' | undefined }] | [input: Tensor, options: { readonly q: number | readonly number[]; readonly dim?: number | null | undefined; readonly keepdim?: boolean | undefined; readonly interpolation?: 'linear' | 'lower' | 'higher' | 'midpoint' | 'nearest' | undefined }] | [options: { readonly input: Tensor; readonly q: number | readonly number[]; readonly dim?: number | null | undefined; readonly keepdim?: boolean | undefined; readonly interpolation?: 'linear' | 'lower' | 'higher' | 'midpoint' | 'nearest' | undefined }]): Tensor
export function nanquantile(...args: readonly unknown[]): unknown {
  return callOp('nanquantile', args)
}

/**
 * e^self / Σ e^self along a dim.
 *
 * @param input the tensor: a tensor
 * @param dim the dim (negative ones count from the end): an integer
 * @param dtype self is cast to it first, and the result has it: one of f64, f32, f16, bf16, i64, i32, i16, i8, u8, bool; optional
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function softmax(input: Tensor, dim: number, options?: { readonly dtype?: TensorDtype | null | undefined }): Tensor
/**
 * e^self / Σ e^self along a dim.
 *
 * @param input the tensor: a tensor
 * @param dim the dim (negative ones count from the end): an integer
 * @param dtype self is cast to it first, and the result has it: one of f64, f32, f16, bf16, i64, i32, i16, i8, u8, bool; optional
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function softmax(...args: [input: Tensor, options: { readonly dim: number; readonly dtype?: TensorDtype | null | undefined }] | [options: { readonly input: Tensor; readonly dim: number; readonly dtype?: TensorDtype | null | undefined }]): Tensor
export function softmax(...args: readonly unknown[]): unknown {
  return callOp('softmax', args)
}

/**
 * softmax(−self): e^−self / Σ e^−self along a dim.
 *
 * @param input the tensor: a tensor
 * @param dim the dim (negative ones count from the end): an integer
 * @param dtype self is cast to it first, and the result has it: one of f64, f32, f16, bf16, i64, i32, i16, i8, u8, bool; optional
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function softmin(input: Tensor, dim: number, options?: { readonly dtype?: TensorDtype | null | undefined }): Tensor
/**
 * softmax(−self): e^−self / Σ e^−self along a dim.
 *
 * @param input the tensor: a tensor
 * @param dim the dim (negative ones count from the end): an integer
 * @param dtype self is cast to it first, and the result has it: one of f64, f32, f16, bf16, i64, i32, i16, i8, u8, bool; optional
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function softmin(...args: [input: Tensor, options: { readonly dim: number; readonly dtype?: TensorDtype | null | undefined }] | [options: { readonly input: Tensor; readonly dim: number; readonly dtype?: TensorDtype | null | undefined }]): Tensor
export function softmin(...args: readonly unknown[]): unknown {
  return callOp('softmin', args)
}

/**
 * ln(softmax(self)) along a dim.
 *
 * @param input the tensor: a tensor
 * @param dim the dim (negative ones count from the end): an integer
 * @param dtype self is cast to it first, and the result has it: one of f64, f32, f16, bf16, i64, i32, i16, i8, u8, bool; optional
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function logSoftmax(input: Tensor, dim: number, options?: { readonly dtype?: TensorDtype | null | undefined }): Tensor
/**
 * ln(softmax(self)) along a dim.
 *
 * @param input the tensor: a tensor
 * @param dim the dim (negative ones count from the end): an integer
 * @param dtype self is cast to it first, and the result has it: one of f64, f32, f16, bf16, i64, i32, i16, i8, u8, bool; optional
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function logSoftmax(...args: [input: Tensor, options: { readonly dim: number; readonly dtype?: TensorDtype | null | undefined }] | [options: { readonly input: Tensor; readonly dim: number; readonly dtype?: TensorDtype | null | undefined }]): Tensor
export function logSoftmax(...args: readonly unknown[]): unknown {
  return callOp('logSoftmax', args)
}

/**
 * (self − mean) / √(variance + eps) · weight + bias over the last dims.
 *
 * @param input the tensor: a tensor
 * @param normalizedShape the sizes of the last dims, which are normalised: a list of integers of at least 0
 * @param weight a factor per element of normalizedShape: a tensor; optional
 * @param bias a summand per element of normalizedShape: a tensor; optional
 * @param eps a small number that keeps what is divided by from 0: a number; default 0.00001
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function layerNorm(input: Tensor, normalizedShape: readonly SizeLike[], weight?: Tensor | null, bias?: Tensor | null, eps?: number): Tensor
/**
 * (self − mean) / √(variance + eps) · weight + bias over the last dims.
 *
 * @param input the tensor: a tensor
 * @param normalizedShape the sizes of the last dims, which are normalised: a list of integers of at least 0
 * @param weight a factor per element of normalizedShape: a tensor; optional
 * @param bias a summand per element of normalizedShape: a tensor; optional
 * @param eps a small number that keeps what is divided by from 0: a number; default 0.00001
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function layerNorm(...args: [input: Tensor, normalizedShape: readonly SizeLike[], weight: Tensor | null | undefined, bias: Tensor | null | undefined, options?: { readonly eps?: number | undefined }] | [input: Tensor, normalizedShape: readonly SizeLike[], weight: Tensor | null | undefined, options?: { readonly bias?: Tensor | null | undefined; readonly eps?: number | undefined }] | [input: Tensor, normalizedShape: readonly SizeLike[], options?: { readonly weight?: Tensor | null | undefined; readonly bias?: Tensor | null | undefined; readonly eps?: number | undefined }] | [input: Tensor, options: { readonly normalizedShape: readonly SizeLike[]; readonly weight?: Tensor | null | undefined; readonly bias?: Tensor | null | undefined; readonly eps?: number | undefined }] | [options: { readonly input: Tensor; readonly normalizedShape: readonly SizeLike[]; readonly weight?: Tensor | null | undefined; readonly bias?: Tensor | null | undefined; readonly eps?: number | undefined }]): Tensor
export function layerNorm(...args: readonly unknown[]): unknown {
  return callOp('layerNorm', args)
}

/**
 * self / √(mean of self² + eps) · weight over the last dims.
 *
 * @param input the tensor: a tensor
 * @param normalizedShape the sizes of the last dims, which are normalised: a list of integers of at least 0
 * @param weight a factor per element of normalizedShape: a tensor; optional
 * @param eps the distance from 1 to the next f32 unless given (f64 of f64): a number; optional
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function rmsNorm(input: Tensor, normalizedShape: readonly SizeLike[], weight?: Tensor | null, eps?: number | null): Tensor
/**
 * self / √(mean of self² + eps) · weight over the last dims.
 *
 * @param input the tensor: a tensor
 * @param normalizedShape the sizes of the last dims, which are normalised: a list of integers of at least 0
 * @param weight a factor per element of normalizedShape: a tensor; optional
 * @param eps the distance from 1 to the next f32 unless given (f64 of f64): a number; optional
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function rmsNorm(...args: [input: Tensor, normalizedShape: readonly SizeLike[], weight: Tensor | null | undefined, options?: { readonly eps?: number | null | undefined }] | [input: Tensor, normalizedShape: readonly SizeLike[], options?: { readonly weight?: Tensor | null | undefined; readonly eps?: number | null | undefined }] | [input: Tensor, options: { readonly normalizedShape: readonly SizeLike[]; readonly weight?: Tensor | null | undefined; readonly eps?: number | null | undefined }] | [options: { readonly input: Tensor; readonly normalizedShape: readonly SizeLike[]; readonly weight?: Tensor | null | undefined; readonly eps?: number | null | undefined }]): Tensor
export function rmsNorm(...args: readonly unknown[]): unknown {
  return callOp('rmsNorm', args)
}

/**
 * (self − mean) / √(variance + eps) over each of numGroups groups of channels, · weight + bias per channel.
 *
 * @param input the tensor: a tensor
 * @param numGroups into how many groups the channels divide: an integer of at least 1
 * @param weight a factor per channel: a tensor; optional
 * @param bias a summand per channel: a tensor; optional
 * @param eps a small number that keeps what is divided by from 0: a number; default 0.00001
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function groupNorm(input: Tensor, numGroups: number, weight?: Tensor | null, bias?: Tensor | null, eps?: number): Tensor
/**
 * (self − mean) / √(variance + eps) over each of numGroups groups of channels, · weight + bias per channel.
 *
 * @param input the tensor: a tensor
 * @param numGroups into how many groups the channels divide: an integer of at least 1
 * @param weight a factor per channel: a tensor; optional
 * @param bias a summand per channel: a tensor; optional
 * @param eps a small number that keeps what is divided by from 0: a number; default 0.00001
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function groupNorm(...args: [input: Tensor, numGroups: number, weight: Tensor | null | undefined, bias: Tensor | null | undefined, options?: { readonly eps?: number | undefined }] | [input: Tensor, numGroups: number, weight: Tensor | null | undefined, options?: { readonly bias?: Tensor | null | undefined; readonly eps?: number | undefined }] | [input: Tensor, numGroups: number, options?: { readonly weight?: Tensor | null | undefined; readonly bias?: Tensor | null | undefined; readonly eps?: number | undefined }] | [input: Tensor, options: { readonly numGroups: number; readonly weight?: Tensor | null | undefined; readonly bias?: Tensor | null | undefined; readonly eps?: number | undefined }] | [options: { readonly input: Tensor; readonly numGroups: number; readonly weight?: Tensor | null | undefined; readonly bias?: Tensor | null | undefined; readonly eps?: number | undefined }]): Tensor
export function groupNorm(...args: readonly unknown[]): unknown {
  return callOp('groupNorm', args)
}

/**
 * (self − mean) / √(variance + eps) per channel, by running statistics or (training) those of the batch.
 *
 * @param input the tensor: a tensor
 * @param runningMean a mean per channel: a tensor
 * @param runningVar a variance per channel: a tensor
 * @param weight a factor per channel: a tensor; optional
 * @param bias a summand per channel: a tensor; optional
 * @param training use the statistics of this batch; runningMean and runningVar, where they are given, are updated in place: true or false; default false
 * @param momentum the share of the new statistics in the running ones: (1 − momentum) · old + momentum · new, the variance by n − 1: a number; default 0.1
 * @param eps a small number that keeps what is divided by from 0: a number; default 0.00001
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function batchNorm(input: Tensor, runningMean: Tensor | null, runningVar: Tensor | null, weight?: Tensor | null, bias?: Tensor | null, training?: boolean, momentum?: number, eps?: number): Tensor
/**
 * (self − mean) / √(variance + eps) per channel, by running statistics or (training) those of the batch.
 *
 * @param input the tensor: a tensor
 * @param runningMean a mean per channel: a tensor
 * @param runningVar a variance per channel: a tensor
 * @param weight a factor per channel: a tensor; optional
 * @param bias a summand per channel: a tensor; optional
 * @param training use the statistics of this batch; runningMean and runningVar, where they are given, are updated in place: true or false; default false
 * @param momentum the share of the new statistics in the running ones: (1 − momentum) · old + momentum · new, the variance by n − 1: a number; default 0.1
 * @param eps a small number that keeps what is divided by from 0: a number; default 0.00001
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function batchNorm(...args: [input: Tensor, runningMean: Tensor | null, runningVar: Tensor | null, weight: Tensor | null | undefined, bias: Tensor | null | undefined, training: boolean | undefined, momentum: number | undefined, options?: { readonly eps?: number | undefined }] | [input: Tensor, runningMean: Tensor | null, runningVar: Tensor | null, weight: Tensor | null | undefined, bias: Tensor | null | undefined, training: boolean | undefined, options?: { readonly momentum?: number | undefined; readonly eps?: number | undefined }] | [input: Tensor, runningMean: Tensor | null, runningVar: Tensor | null, weight: Tensor | null | undefined, bias: Tensor | null | undefined, options?: { readonly training?: boolean | undefined; readonly momentum?: number | undefined; readonly eps?: number | undefined }] | [input: Tensor, runningMean: Tensor | null, runningVar: Tensor | null, weight: Tensor | null | undefined, options?: { readonly bias?: Tensor | null | undefined; readonly training?: boolean | undefined; readonly momentum?: number | undefined; readonly eps?: number | undefined }] | [input: Tensor, runningMean: Tensor | null, runningVar: Tensor | null, options?: { readonly weight?: Tensor | null | undefined; readonly bias?: Tensor | null | undefined; readonly training?: boolean | undefined; readonly momentum?: number | undefined; readonly eps?: number | undefined }] | [input: Tensor, runningMean: Tensor | null, options: { readonly runningVar: Tensor | null; readonly weight?: Tensor | null | undefined; readonly bias?: Tensor | null | undefined; readonly training?: boolean | undefined; readonly momentum?: number | undefined; readonly eps?: number | undefined }] | [input: Tensor, options: { readonly runningMean: Tensor | null; readonly runningVar: Tensor | null; readonly weight?: Tensor | null | undefined; readonly bias?: Tensor | null | undefined; readonly training?: boolean | undefined; readonly momentum?: number | undefined; readonly eps?: number | undefined }] | [options: { readonly input: Tensor; readonly runningMean: Tensor | null; readonly runningVar: Tensor | null; readonly weight?: Tensor | null | undefined; readonly bias?: Tensor | null | undefined; readonly training?: boolean | undefined; readonly momentum?: number | undefined; readonly eps?: number | undefined }]): Tensor
export function batchNorm(...args: readonly unknown[]): unknown {
  return callOp('batchNorm', args)
}

/**
 * (self − mean) / √(variance + eps) over the places of each channel of each sample, · weight + bias per channel.
 *
 * @param input the tensor: a tensor
 * @param runningMean a mean per channel: a tensor; optional
 * @param runningVar a variance per channel: a tensor; optional
 * @param weight a factor per channel: a tensor; optional
 * @param bias a summand per channel: a tensor; optional
 * @param useInputStats use the input's own statistics; runningMean and runningVar, where given, are updated in place: true or false; default true
 * @param momentum the share of the new statistics in the running ones: (1 − momentum) · old + momentum · new, the variance by n − 1: a number; default 0.1
 * @param eps a small number that keeps what is divided by from 0: a number; default 0.00001
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function instanceNorm(input: Tensor, runningMean?: Tensor | null, runningVar?: Tensor | null, weight?: Tensor | null, bias?: Tensor | null, useInputStats?: boolean, momentum?: number, eps?: number): Tensor
/**
 * (self − mean) / √(variance + eps) over the places of each channel of each sample, · weight + bias per channel.
 *
 * @param input the tensor: a tensor
 * @param runningMean a mean per channel: a tensor; optional
 * @param runningVar a variance per channel: a tensor; optional
 * @param weight a factor per channel: a tensor; optional
 * @param bias a summand per channel: a tensor; optional
 * @param useInputStats use the input's own statistics; runningMean and runningVar, where given, are updated in place: true or false; default true
 * @param momentum the share of the new statistics in the running ones: (1 − momentum) · old + momentum · new, the variance by n − 1: a number; default 0.1
 * @param eps a small number that keeps what is divided by from 0: a number; default 0.00001
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function instanceNorm(...args: [input: Tensor, runningMean: Tensor | null | undefined, runningVar: Tensor | null | undefined, weight: Tensor | null | undefined, bias: Tensor | null | undefined, useInputStats: boolean | undefined, momentum: number | undefined, options?: { readonly eps?: number | undefined }] | [input: Tensor, runningMean: Tensor | null | undefined, runningVar: Tensor | null | undefined, weight: Tensor | null | undefined, bias: Tensor | null | undefined, useInputStats: boolean | undefined, options?: { readonly momentum?: number | undefined; readonly eps?: number | undefined }] | [input: Tensor, runningMean: Tensor | null | undefined, runningVar: Tensor | null | undefined, weight: Tensor | null | undefined, bias: Tensor | null | undefined, options?: { readonly useInputStats?: boolean | undefined; readonly momentum?: number | undefined; readonly eps?: number | undefined }] | [input: Tensor, runningMean: Tensor | null | undefined, runningVar: Tensor | null | undefined, weight: Tensor | null | undefined, options?: { readonly bias?: Tensor | null | undefined; readonly useInputStats?: boolean | undefined; readonly momentum?: number | undefined; readonly eps?: number | undefined }] | [input: Tensor, runningMean: Tensor | null | undefined, runningVar: Tensor | null | undefined, options?: { readonly weight?: Tensor | null | undefined; readonly bias?: Tensor | null | undefined; readonly useInputStats?: boolean | undefined; readonly momentum?: number | undefined; readonly eps?: number | undefined }] | [input: Tensor, runningMean: Tensor | null | undefined, options?: { readonly runningVar?: Tensor | null | undefined; readonly weight?: Tensor | null | undefined; readonly bias?: Tensor | null | undefined; readonly useInputStats?: boolean | undefined; readonly momentum?: number | undefined; readonly eps?: number | undefined }] | [input: Tensor, options?: { readonly runningMean?: Tensor | null | undefined; readonly runningVar?: Tensor | null | undefined; readonly weight?: Tensor | null | undefined; readonly bias?: Tensor | null | undefined; readonly useInputStats?: boolean | undefined; readonly momentum?: number | undefined; readonly eps?: number | undefined }] | [options: { readonly input: Tensor; readonly runningMean?: Tensor | null | undefined; readonly runningVar?: Tensor | null | undefined; readonly weight?: Tensor | null | undefined; readonly bias?: Tensor | null | undefined; readonly useInputStats?: boolean | undefined; readonly momentum?: number | undefined; readonly eps?: number | undefined }]): Tensor
export function instanceNorm(...args: readonly unknown[]): unknown {
  return callOp('instanceNorm', args)
}

/**
 * self / max(‖self‖ₚ, eps) over the dims.
 *
 * @param input the tensor: a tensor
 * @param p a number; default 2
 * @param dim the dim (negative ones count from the end): an integer or a list of integers; default [1]
 * @param eps a small number that keeps what is divided by from 0: a number; default 1e-12
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function normalize(input: Tensor, p?: number, dim?: number | readonly number[], eps?: number): Tensor
/**
 * self / max(‖self‖ₚ, eps) over the dims.
 *
 * @param input the tensor: a tensor
 * @param p a number; default 2
 * @param dim the dim (negative ones count from the end): an integer or a list of integers; default [1]
 * @param eps a small number that keeps what is divided by from 0: a number; default 1e-12
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function normalize(...args: [input: Tensor, p: number | undefined, dim: number | readonly number[] | undefined, options?: { readonly eps?: number | undefined }] | [input: Tensor, p: number | undefined, options?: { readonly dim?: number | readonly number[] | undefined; readonly eps?: number | undefined }] | [input: Tensor, options?: { readonly p?: number | undefined; readonly dim?: number | readonly number[] | undefined; readonly eps?: number | undefined }] | [options: { readonly input: Tensor; readonly p?: number | undefined; readonly dim?: number | readonly number[] | undefined; readonly eps?: number | undefined }]): Tensor
export function normalize(...args: readonly unknown[]): unknown {
  return callOp('normalize', args)
}

/**
 * (self − target)², reduced.
 *
 * @param input the tensor: a tensor
 * @param target what self should be: a tensor
 * @param reduction the mean of all losses, their sum, or ('none') each: 'mean', 'sum' or 'none'; default 'mean'
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function mseLoss(input: Tensor, target: Tensor, reduction?: 'mean' | 'sum' | 'none'): Tensor
/**
 * (self − target)², reduced.
 *
 * @param input the tensor: a tensor
 * @param target what self should be: a tensor
 * @param reduction the mean of all losses, their sum, or ('none') each: 'mean', 'sum' or 'none'; default 'mean'
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function mseLoss(...args: [input: Tensor, target: Tensor, options?: { readonly reduction?: 'mean' | 'sum' | 'none' | undefined }] | [input: Tensor, options: { readonly target: Tensor; readonly reduction?: 'mean' | 'sum' | 'none' | undefined }] | [options: { readonly input: Tensor; readonly target: Tensor; readonly reduction?: 'mean' | 'sum' | 'none' | undefined }]): Tensor
export function mseLoss(...args: readonly unknown[]): unknown {
  return callOp('mseLoss', args)
}

/**
 * |self − target|, reduced.
 *
 * @param input the tensor: a tensor
 * @param target what self should be: a tensor
 * @param reduction the mean of all losses, their sum, or ('none') each: 'mean', 'sum' or 'none'; default 'mean'
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function l1Loss(input: Tensor, target: Tensor, reduction?: 'mean' | 'sum' | 'none'): Tensor
/**
 * |self − target|, reduced.
 *
 * @param input the tensor: a tensor
 * @param target what self should be: a tensor
 * @param reduction the mean of all losses, their sum, or ('none') each: 'mean', 'sum' or 'none'; default 'mean'
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function l1Loss(...args: [input: Tensor, target: Tensor, options?: { readonly reduction?: 'mean' | 'sum' | 'none' | undefined }] | [input: Tensor, options: { readonly target: Tensor; readonly reduction?: 'mean' | 'sum' | 'none' | undefined }] | [options: { readonly input: Tensor; readonly target: Tensor; readonly reduction?: 'mean' | 'sum' | 'none' | undefined }]): Tensor
export function l1Loss(...args: readonly unknown[]): unknown {
  return callOp('l1Loss', args)
}

/**
 * With d = |self − target|: d² / (2 beta) below beta, d − beta / 2 above, reduced.
 *
 * @param input the tensor: a tensor
 * @param target what self should be: a tensor
 * @param reduction the mean of all losses, their sum, or ('none') each: 'mean', 'sum' or 'none'; default 'mean'
 * @param beta where the quadratic part ends: a number; default 1
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function smoothL1Loss(input: Tensor, target: Tensor, reduction?: 'mean' | 'sum' | 'none', beta?: number): Tensor
/**
 * With d = |self − target|: d² / (2 beta) below beta, d − beta / 2 above, reduced.
 *
 * @param input the tensor: a tensor
 * @param target what self should be: a tensor
 * @param reduction the mean of all losses, their sum, or ('none') each: 'mean', 'sum' or 'none'; default 'mean'
 * @param beta where the quadratic part ends: a number; default 1
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function smoothL1Loss(...args: [input: Tensor, target: Tensor, reduction: 'mean' | 'sum' | 'none' | undefined, options?: { readonly beta?: number | undefined }] | [input: Tensor, target: Tensor, options?: { readonly reduction?: 'mean' | 'sum' | 'none' | undefined; readonly beta?: number | undefined }] | [input: Tensor, options: { readonly target: Tensor; readonly reduction?: 'mean' | 'sum' | 'none' | undefined; readonly beta?: number | undefined }] | [options: { readonly input: Tensor; readonly target: Tensor; readonly reduction?: 'mean' | 'sum' | 'none' | undefined; readonly beta?: number | undefined }]): Tensor
export function smoothL1Loss(...args: readonly unknown[]): unknown {
  return callOp('smoothL1Loss', args)
}

/**
 * With d = |self − target|: d² / 2 up to delta, delta · (d − delta / 2) above, reduced.
 *
 * @param input the tensor: a tensor
 * @param target what self should be: a tensor
 * @param reduction the mean of all losses, their sum, or ('none') each: 'mean', 'sum' or 'none'; default 'mean'
 * @param delta where the quadratic part ends: a number; default 1
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function huberLoss(input: Tensor, target: Tensor, reduction?: 'mean' | 'sum' | 'none', delta?: number): Tensor
/**
 * With d = |self − target|: d² / 2 up to delta, delta · (d − delta / 2) above, reduced.
 *
 * @param input the tensor: a tensor
 * @param target what self should be: a tensor
 * @param reduction the mean of all losses, their sum, or ('none') each: 'mean', 'sum' or 'none'; default 'mean'
 * @param delta where the quadratic part ends: a number; default 1
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function huberLoss(...args: [input: Tensor, target: Tensor, reduction: 'mean' | 'sum' | 'none' | undefined, options?: { readonly delta?: number | undefined }] | [input: Tensor, target: Tensor, options?: { readonly reduction?: 'mean' | 'sum' | 'none' | undefined; readonly delta?: number | undefined }] | [input: Tensor, options: { readonly target: Tensor; readonly reduction?: 'mean' | 'sum' | 'none' | undefined; readonly delta?: number | undefined }] | [options: { readonly input: Tensor; readonly target: Tensor; readonly reduction?: 'mean' | 'sum' | 'none' | undefined; readonly delta?: number | undefined }]): Tensor
export function huberLoss(...args: readonly unknown[]): unknown {
  return callOp('huberLoss', args)
}

/**
 * −(target · ln self + (1 − target) · ln(1 − self)), logarithms at least −100, reduced.
 *
 * @param input the tensor: a tensor
 * @param target what self should be: a tensor
 * @param weight a factor per element (broadcasts): a tensor; optional
 * @param reduction the mean of all losses, their sum, or ('none') each: 'mean', 'sum' or 'none'; default 'mean'
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function binaryCrossEntropy(input: Tensor, target: Tensor, weight?: Tensor | null, reduction?: 'mean' | 'sum' | 'none'): Tensor
/**
 * −(target · ln self + (1 − target) · ln(1 − self)), logarithms at least −100, reduced.
 *
 * @param input the tensor: a tensor
 * @param target what self should be: a tensor
 * @param weight a factor per element (broadcasts): a tensor; optional
 * @param reduction the mean of all losses, their sum, or ('none') each: 'mean', 'sum' or 'none'; default 'mean'
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function binaryCrossEntropy(...args: [input: Tensor, target: Tensor, weight: Tensor | null | undefined, options?: { readonly reduction?: 'mean' | 'sum' | 'none' | undefined }] | [input: Tensor, target: Tensor, options?: { readonly weight?: Tensor | null | undefined; readonly reduction?: 'mean' | 'sum' | 'none' | undefined }] | [input: Tensor, options: { readonly target: Tensor; readonly weight?: Tensor | null | undefined; readonly reduction?: 'mean' | 'sum' | 'none' | undefined }] | [options: { readonly input: Tensor; readonly target: Tensor; readonly weight?: Tensor | null | undefined; readonly reduction?: 'mean' | 'sum' | 'none' | undefined }]): Tensor
export function binaryCrossEntropy(...args: readonly unknown[]): unknown {
  return callOp('binaryCrossEntropy', args)
}

/**
 * target · (ln target − self), self being logarithms (the target too with logTarget); reduction may be 'batchmean'.
 *
 * @param input the tensor: a tensor
 * @param target what self should be: a tensor
 * @param reduction the mean of all losses, their sum, each ('none'), or the sum over the batch's size: 'mean', 'sum', 'none' or 'batchmean'; default 'mean'
 * @param logTarget the target holds logarithms too: true or false; default false
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function klDiv(input: Tensor, target: Tensor, reduction?: 'mean' | 'sum' | 'none' | 'batchmean', logTarget?: boolean): Tensor
/**
 * target · (ln target − self), self being logarithms (the target too with logTarget); reduction may be 'batchmean'.
 *
 * @param input the tensor: a tensor
 * @param target what self should be: a tensor
 * @param reduction the mean of all losses, their sum, each ('none'), or the sum over the batch's size: 'mean', 'sum', 'none' or 'batchmean'; default 'mean'
 * @param logTarget the target holds logarithms too: true or false; default false
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function klDiv(...args: [input: Tensor, target: Tensor, reduction: 'mean' | 'sum' | 'none' | 'batchmean' | undefined, options?: { readonly logTarget?: boolean | undefined }] | [input: Tensor, target: Tensor, options?: { readonly reduction?: 'mean' | 'sum' | 'none' | 'batchmean' | undefined; readonly logTarget?: boolean | undefined }] | [input: Tensor, options: { readonly target: Tensor; readonly reduction?: 'mean' | 'sum' | 'none' | 'batchmean' | undefined; readonly logTarget?: boolean | undefined }] | [options: { readonly input: Tensor; readonly target: Tensor; readonly reduction?: 'mean' | 'sum' | 'none' | 'batchmean' | undefined; readonly logTarget?: boolean | undefined }]): Tensor
export function klDiv(...args: readonly unknown[]): unknown {
  return callOp('klDiv', args)
}

/**
 * binaryCrossEntropy of sigmoid(self), computed without overflow.
 *
 * @param input the tensor: a tensor
 * @param target what self should be: a tensor
 * @param weight a factor per element (broadcasts): a tensor; optional
 * @param reduction the mean of all losses, their sum, or ('none') each: 'mean', 'sum' or 'none'; default 'mean'
 * @param posWeight a factor on the loss of positive targets (broadcasts): a tensor; optional
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function binaryCrossEntropyWithLogits(input: Tensor, target: Tensor, weight?: Tensor | null, reduction?: 'mean' | 'sum' | 'none', posWeight?: Tensor | null): Tensor
/**
 * binaryCrossEntropy of sigmoid(self), computed without overflow.
 *
 * @param input the tensor: a tensor
 * @param target what self should be: a tensor
 * @param weight a factor per element (broadcasts): a tensor; optional
 * @param reduction the mean of all losses, their sum, or ('none') each: 'mean', 'sum' or 'none'; default 'mean'
 * @param posWeight a factor on the loss of positive targets (broadcasts): a tensor; optional
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function binaryCrossEntropyWithLogits(...args: [input: Tensor, target: Tensor, weight: Tensor | null | undefined, reduction: 'mean' | 'sum' | 'none' | undefined, options?: { readonly posWeight?: Tensor | null | undefined }] | [input: Tensor, target: Tensor, weight: Tensor | null | undefined, options?: { readonly reduction?: 'mean' | 'sum' | 'none' | undefined; readonly posWeight?: Tensor | null | undefined }] | [input: Tensor, target: Tensor, options?: { readonly weight?: Tensor | null | undefined; readonly reduction?: 'mean' | 'sum' | 'none' | undefined; readonly posWeight?: Tensor | null | undefined }] | [input: Tensor, options: { readonly target: Tensor; readonly weight?: Tensor | null | undefined; readonly reduction?: 'mean' | 'sum' | 'none' | undefined; readonly posWeight?: Tensor | null | undefined }] | [options: { readonly input: Tensor; readonly target: Tensor; readonly weight?: Tensor | null | undefined; readonly reduction?: 'mean' | 'sum' | 'none' | undefined; readonly posWeight?: Tensor | null | undefined }]): Tensor
export function binaryCrossEntropyWithLogits(...args: readonly unknown[]): unknown {
  return callOp('binaryCrossEntropyWithLogits', args)
}

/**
 * −weight[target] · self[target] of log-probabilities [N, C, …]; the mean divides by the weights counted.
 *
 * @param input the tensor: a tensor
 * @param target class indices: a tensor
 * @param weight a factor per class, [C]: a tensor; optional
 * @param ignoreIndex targets of this value do not count: an integer; default -100
 * @param reduction the mean of all losses, their sum, or ('none') each: 'mean', 'sum' or 'none'; default 'mean'
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function nllLoss(input: Tensor, target: Tensor, weight?: Tensor | null, ignoreIndex?: number, reduction?: 'mean' | 'sum' | 'none'): Tensor
/**
 * −weight[target] · self[target] of log-probabilities [N, C, …]; the mean divides by the weights counted.
 *
 * @param input the tensor: a tensor
 * @param target class indices: a tensor
 * @param weight a factor per class, [C]: a tensor; optional
 * @param ignoreIndex targets of this value do not count: an integer; default -100
 * @param reduction the mean of all losses, their sum, or ('none') each: 'mean', 'sum' or 'none'; default 'mean'
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function nllLoss(...args: [input: Tensor, target: Tensor, weight: Tensor | null | undefined, ignoreIndex: number | undefined, options?: { readonly reduction?: 'mean' | 'sum' | 'none' | undefined }] | [input: Tensor, target: Tensor, weight: Tensor | null | undefined, options?: { readonly ignoreIndex?: number | undefined; readonly reduction?: 'mean' | 'sum' | 'none' | undefined }] | [input: Tensor, target: Tensor, options?: { readonly weight?: Tensor | null | undefined; readonly ignoreIndex?: number | undefined; readonly reduction?: 'mean' | 'sum' | 'none' | undefined }] | [input: Tensor, options: { readonly target: Tensor; readonly weight?: Tensor | null | undefined; readonly ignoreIndex?: number | undefined; readonly reduction?: 'mean' | 'sum' | 'none' | undefined }] | [options: { readonly input: Tensor; readonly target: Tensor; readonly weight?: Tensor | null | undefined; readonly ignoreIndex?: number | undefined; readonly reduction?: 'mean' | 'sum' | 'none' | undefined }]): Tensor
export function nllLoss(...args: readonly unknown[]): unknown {
  return callOp('nllLoss', args)
}

/**
 * nllLoss of logSoftmax(self) of [N, C, …]; the target holds class indices, or (floats) probabilities.
 *
 * @param input the tensor: a tensor
 * @param target class indices, or (floats) probabilities: a tensor
 * @param weight a factor per class, [C]: a tensor; optional
 * @param ignoreIndex targets of this value do not count: an integer; default -100
 * @param reduction the mean of all losses, their sum, or ('none') each: 'mean', 'sum' or 'none'; default 'mean'
 * @param labelSmoothing the share of the target, 0 to 1, that is spread over all classes: a number; default 0
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function crossEntropy(input: Tensor, target: Tensor, weight?: Tensor | null, ignoreIndex?: number, reduction?: 'mean' | 'sum' | 'none', labelSmoothing?: number): Tensor
/**
 * nllLoss of logSoftmax(self) of [N, C, …]; the target holds class indices, or (floats) probabilities.
 *
 * @param input the tensor: a tensor
 * @param target class indices, or (floats) probabilities: a tensor
 * @param weight a factor per class, [C]: a tensor; optional
 * @param ignoreIndex targets of this value do not count: an integer; default -100
 * @param reduction the mean of all losses, their sum, or ('none') each: 'mean', 'sum' or 'none'; default 'mean'
 * @param labelSmoothing the share of the target, 0 to 1, that is spread over all classes: a number; default 0
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function crossEntropy(...args: [input: Tensor, target: Tensor, weight: Tensor | null | undefined, ignoreIndex: number | undefined, reduction: 'mean' | 'sum' | 'none' | undefined, options?: { readonly labelSmoothing?: number | undefined }] | [input: Tensor, target: Tensor, weight: Tensor | null | undefined, ignoreIndex: number | undefined, options?: { readonly reduction?: 'mean' | 'sum' | 'none' | undefined; readonly labelSmoothing?: number | undefined }] | [input: Tensor, target: Tensor, weight: Tensor | null | undefined, options?: { readonly ignoreIndex?: number | undefined; readonly reduction?: 'mean' | 'sum' | 'none' | undefined; readonly labelSmoothing?: number | undefined }] | [input: Tensor, target: Tensor, options?: { readonly weight?: Tensor | null | undefined; readonly ignoreIndex?: number | undefined; readonly reduction?: 'mean' | 'sum' | 'none' | undefined; readonly labelSmoothing?: number | undefined }] | [input: Tensor, options: { readonly target: Tensor; readonly weight?: Tensor | null | undefined; readonly ignoreIndex?: number | undefined; readonly reduction?: 'mean' | 'sum' | 'none' | undefined; readonly labelSmoothing?: number | undefined }] | [options: { readonly input: Tensor; readonly target: Tensor; readonly weight?: Tensor | null | undefined; readonly ignoreIndex?: number | undefined; readonly reduction?: 'mean' | 'sum' | 'none' | undefined; readonly labelSmoothing?: number | undefined }]): Tensor
export function crossEntropy(...args: readonly unknown[]): unknown {
  return callOp('crossEntropy', args)
}

/**
 * Σ x1 · x2 / (max(‖x1‖, eps) · max(‖x2‖, eps)) along a dim.
 *
 * @param x1 one tensor: a tensor
 * @param x2 the other; the two broadcast: a tensor
 * @param dim the dim (negative ones count from the end): an integer; default 1
 * @param eps the least length that is divided by: a number; default 1e-8
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function cosineSimilarity(x1: Tensor, x2: Tensor, dim?: number, eps?: number): Tensor
/**
 * Σ x1 · x2 / (max(‖x1‖, eps) · max(‖x2‖, eps)) along a dim.
 *
 * @param x1 one tensor: a tensor
 * @param x2 the other; the two broadcast: a tensor
 * @param dim the dim (negative ones count from the end): an integer; default 1
 * @param eps the least length that is divided by: a number; default 1e-8
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function cosineSimilarity(...args: [x1: Tensor, x2: Tensor, dim: number | undefined, options?: { readonly eps?: number | undefined }] | [x1: Tensor, x2: Tensor, options?: { readonly dim?: number | undefined; readonly eps?: number | undefined }] | [x1: Tensor, options: { readonly x2: Tensor; readonly dim?: number | undefined; readonly eps?: number | undefined }] | [options: { readonly x1: Tensor; readonly x2: Tensor; readonly dim?: number | undefined; readonly eps?: number | undefined }]): Tensor
export function cosineSimilarity(...args: readonly unknown[]): unknown {
  return callOp('cosineSimilarity', args)
}

/**
 * e^self − target · self (logInput false: self − target · ln(self + eps)), reduced.
 *
 * @param input the tensor: a tensor
 * @param target what self should be: a tensor
 * @param logInput self is the logarithm of the expected count, not the count itself: true or false; default true
 * @param full Stirling's formula for ln target! is added: true or false; default false
 * @param eps what is added before a logarithm: a number; default 1e-8
 * @param reduction the mean of all losses, their sum, or ('none') each: 'mean', 'sum' or 'none'; default 'mean'
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function poissonNllLoss(input: Tensor, target: Tensor, logInput?: boolean, full?: boolean, eps?: number, reduction?: 'mean' | 'sum' | 'none'): Tensor
/**
 * e^self − target · self (logInput false: self − target · ln(self + eps)), reduced.
 *
 * @param input the tensor: a tensor
 * @param target what self should be: a tensor
 * @param logInput self is the logarithm of the expected count, not the count itself: true or false; default true
 * @param full Stirling's formula for ln target! is added: true or false; default false
 * @param eps what is added before a logarithm: a number; default 1e-8
 * @param reduction the mean of all losses, their sum, or ('none') each: 'mean', 'sum' or 'none'; default 'mean'
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function poissonNllLoss(...args: [input: Tensor, target: Tensor, logInput: boolean | undefined, full: boolean | undefined, eps: number | undefined, options?: { readonly reduction?: 'mean' | 'sum' | 'none' | undefined }] | [input: Tensor, target: Tensor, logInput: boolean | undefined, full: boolean | undefined, options?: { readonly eps?: number | undefined; readonly reduction?: 'mean' | 'sum' | 'none' | undefined }] | [input: Tensor, target: Tensor, logInput: boolean | undefined, options?: { readonly full?: boolean | undefined; readonly eps?: number | undefined; readonly reduction?: 'mean' | 'sum' | 'none' | undefined }] | [input: Tensor, target: Tensor, options?: { readonly logInput?: boolean | undefined; readonly full?: boolean | undefined; readonly eps?: number | undefined; readonly reduction?: 'mean' | 'sum' | 'none' | undefined }] | [input: Tensor, options: { readonly target: Tensor; readonly logInput?: boolean | undefined; readonly full?: boolean | undefined; readonly eps?: number | undefined; readonly reduction?: 'mean' | 'sum' | 'none' | undefined }] | [options: { readonly input: Tensor; readonly target: Tensor; readonly logInput?: boolean | undefined; readonly full?: boolean | undefined; readonly eps?: number | undefined; readonly reduction?: 'mean' | 'sum' | 'none' | undefined }]): Tensor
export function poissonNllLoss(...args: readonly unknown[]): unknown {
  return callOp('poissonNllLoss', args)
}

/**
 * (ln v + (self − target)² / v) / 2 with v = max(variance, eps), plus ln(2π) / 2 with full, reduced.
 *
 * @param input the tensor: a tensor
 * @param target what self should be: a tensor
 * @param variance how sure each is: a tensor
 * @param full ln(2π) / 2 is added: true or false; default false
 * @param eps the least variance: a number; default 0.000001
 * @param reduction the mean of all losses, their sum, or ('none') each: 'mean', 'sum' or 'none'; default 'mean'
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function gaussianNllLoss(input: Tensor, target: Tensor, variance: Tensor, full?: boolean, eps?: number, reduction?: 'mean' | 'sum' | 'none'): Tensor
/**
 * (ln v + (self − target)² / v) / 2 with v = max(variance, eps), plus ln(2π) / 2 with full, reduced.
 *
 * @param input the tensor: a tensor
 * @param target what self should be: a tensor
 * @param variance how sure each is: a tensor
 * @param full ln(2π) / 2 is added: true or false; default false
 * @param eps the least variance: a number; default 0.000001
 * @param reduction the mean of all losses, their sum, or ('none') each: 'mean', 'sum' or 'none'; default 'mean'
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function gaussianNllLoss(...args: [input: Tensor, target: Tensor, variance: Tensor, full: boolean | undefined, eps: number | undefined, options?: { readonly reduction?: 'mean' | 'sum' | 'none' | undefined }] | [input: Tensor, target: Tensor, variance: Tensor, full: boolean | undefined, options?: { readonly eps?: number | undefined; readonly reduction?: 'mean' | 'sum' | 'none' | undefined }] | [input: Tensor, target: Tensor, variance: Tensor, options?: { readonly full?: boolean | undefined; readonly eps?: number | undefined; readonly reduction?: 'mean' | 'sum' | 'none' | undefined }] | [input: Tensor, target: Tensor, options: { readonly variance: Tensor; readonly full?: boolean | undefined; readonly eps?: number | undefined; readonly reduction?: 'mean' | 'sum' | 'none' | undefined }] | [input: Tensor, options: { readonly target: Tensor; readonly variance: Tensor; readonly full?: boolean | undefined; readonly eps?: number | undefined; readonly reduction?: 'mean' | 'sum' | 'none' | undefined }] | [options: { readonly input: Tensor; readonly target: Tensor; readonly variance: Tensor; readonly full?: boolean | undefined; readonly eps?: number | undefined; readonly reduction?: 'mean' | 'sum' | 'none' | undefined }]): Tensor
export function gaussianNllLoss(...args: readonly unknown[]): unknown {
  return callOp('gaussianNllLoss', args)
}

/**
 * ln(1 + e^(−target · self)), reduced; targets are 1 or −1.
 *
 * @param input the tensor: a tensor
 * @param target 1 or −1: a tensor
 * @param reduction the mean of all losses, their sum, or ('none') each: 'mean', 'sum' or 'none'; default 'mean'
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function softMarginLoss(input: Tensor, target: Tensor, reduction?: 'mean' | 'sum' | 'none'): Tensor
/**
 * ln(1 + e^(−target · self)), reduced; targets are 1 or −1.
 *
 * @param input the tensor: a tensor
 * @param target 1 or −1: a tensor
 * @param reduction the mean of all losses, their sum, or ('none') each: 'mean', 'sum' or 'none'; default 'mean'
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function softMarginLoss(...args: [input: Tensor, target: Tensor, options?: { readonly reduction?: 'mean' | 'sum' | 'none' | undefined }] | [input: Tensor, options: { readonly target: Tensor; readonly reduction?: 'mean' | 'sum' | 'none' | undefined }] | [options: { readonly input: Tensor; readonly target: Tensor; readonly reduction?: 'mean' | 'sum' | 'none' | undefined }]): Tensor
export function softMarginLoss(...args: readonly unknown[]): unknown {
  return callOp('softMarginLoss', args)
}

/**
 * self where target is 1, max(0, margin − self) where it is −1, reduced.
 *
 * @param input the tensor: a tensor
 * @param target 1 or −1: a tensor
 * @param margin how large self should be where the target is −1: a number; default 1
 * @param reduction the mean of all losses, their sum, or ('none') each: 'mean', 'sum' or 'none'; default 'mean'
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function hingeEmbeddingLoss(input: Tensor, target: Tensor, margin?: number, reduction?: 'mean' | 'sum' | 'none'): Tensor
/**
 * self where target is 1, max(0, margin − self) where it is −1, reduced.
 *
 * @param input the tensor: a tensor
 * @param target 1 or −1: a tensor
 * @param margin how large self should be where the target is −1: a number; default 1
 * @param reduction the mean of all losses, their sum, or ('none') each: 'mean', 'sum' or 'none'; default 'mean'
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function hingeEmbeddingLoss(...args: [input: Tensor, target: Tensor, margin: number | undefined, options?: { readonly reduction?: 'mean' | 'sum' | 'none' | undefined }] | [input: Tensor, target: Tensor, options?: { readonly margin?: number | undefined; readonly reduction?: 'mean' | 'sum' | 'none' | undefined }] | [input: Tensor, options: { readonly target: Tensor; readonly margin?: number | undefined; readonly reduction?: 'mean' | 'sum' | 'none' | undefined }] | [options: { readonly input: Tensor; readonly target: Tensor; readonly margin?: number | undefined; readonly reduction?: 'mean' | 'sum' | 'none' | undefined }]): Tensor
export function hingeEmbeddingLoss(...args: readonly unknown[]): unknown {
  return callOp('hingeEmbeddingLoss', args)
}

/**
 * max(0, −target · (input1 − input2) + margin), reduced; target 1 where input1 should be larger, −1 where smaller.
 *
 * @param input1 one tensor: a tensor
 * @param input2 the other: a tensor
 * @param target 1 or −1: a tensor
 * @param margin by how much one should be larger: a number; default 0
 * @param reduction the mean of all losses, their sum, or ('none') each: 'mean', 'sum' or 'none'; default 'mean'
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function marginRankingLoss(input1: Tensor, input2: Tensor, target: Tensor, margin?: number, reduction?: 'mean' | 'sum' | 'none'): Tensor
/**
 * max(0, −target · (input1 − input2) + margin), reduced; target 1 where input1 should be larger, −1 where smaller.
 *
 * @param input1 one tensor: a tensor
 * @param input2 the other: a tensor
 * @param target 1 or −1: a tensor
 * @param margin by how much one should be larger: a number; default 0
 * @param reduction the mean of all losses, their sum, or ('none') each: 'mean', 'sum' or 'none'; default 'mean'
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function marginRankingLoss(...args: [input1: Tensor, input2: Tensor, target: Tensor, margin: number | undefined, options?: { readonly reduction?: 'mean' | 'sum' | 'none' | undefined }] | [input1: Tensor, input2: Tensor, target: Tensor, options?: { readonly margin?: number | undefined; readonly reduction?: 'mean' | 'sum' | 'none' | undefined }] | [input1: Tensor, input2: Tensor, options: { readonly target: Tensor; readonly margin?: number | undefined; readonly reduction?: 'mean' | 'sum' | 'none' | undefined }] | [input1: Tensor, options: { readonly input2: Tensor; readonly target: Tensor; readonly margin?: number | undefined; readonly reduction?: 'mean' | 'sum' | 'none' | undefined }] | [options: { readonly input1: Tensor; readonly input2: Tensor; readonly target: Tensor; readonly margin?: number | undefined; readonly reduction?: 'mean' | 'sum' | 'none' | undefined }]): Tensor
export function marginRankingLoss(...args: readonly unknown[]): unknown {
  return callOp('marginRankingLoss', args)
}

/**
 * The mean over the last dim of −(target · ln σ(self) + (1 − target) · ln σ(−self)) · weight, reduced.
 *
 * @param input the tensor: a tensor
 * @param target what self should be: a tensor
 * @param weight a factor per class (broadcasts): a tensor; optional
 * @param reduction the mean of all losses, their sum, or ('none') each: 'mean', 'sum' or 'none'; default 'mean'
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function multilabelSoftMarginLoss(input: Tensor, target: Tensor, weight?: Tensor | null, reduction?: 'mean' | 'sum' | 'none'): Tensor
/**
 * The mean over the last dim of −(target · ln σ(self) + (1 − target) · ln σ(−self)) · weight, reduced.
 *
 * @param input the tensor: a tensor
 * @param target what self should be: a tensor
 * @param weight a factor per class (broadcasts): a tensor; optional
 * @param reduction the mean of all losses, their sum, or ('none') each: 'mean', 'sum' or 'none'; default 'mean'
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function multilabelSoftMarginLoss(...args: [input: Tensor, target: Tensor, weight: Tensor | null | undefined, options?: { readonly reduction?: 'mean' | 'sum' | 'none' | undefined }] | [input: Tensor, target: Tensor, options?: { readonly weight?: Tensor | null | undefined; readonly reduction?: 'mean' | 'sum' | 'none' | undefined }] | [input: Tensor, options: { readonly target: Tensor; readonly weight?: Tensor | null | undefined; readonly reduction?: 'mean' | 'sum' | 'none' | undefined }] | [options: { readonly input: Tensor; readonly target: Tensor; readonly weight?: Tensor | null | undefined; readonly reduction?: 'mean' | 'sum' | 'none' | undefined }]): Tensor
export function multilabelSoftMarginLoss(...args: readonly unknown[]): unknown {
  return callOp('multilabelSoftMarginLoss', args)
}

/**
 * Σ over the other classes of max(0, margin − self[target] + self[i])^p / C of [N, C] or [C], reduced.
 *
 * @param input the tensor: a tensor
 * @param target class indices: a tensor
 * @param p 1 or 2: a number; default 1
 * @param margin a number; default 1
 * @param weight a factor per class, [C]: a tensor; optional
 * @param reduction the mean of all losses, their sum, or ('none') each: 'mean', 'sum' or 'none'; default 'mean'
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function multiMarginLoss(input: Tensor, target: Tensor, p?: number, margin?: number, weight?: Tensor | null, reduction?: 'mean' | 'sum' | 'none'): Tensor
/**
 * Σ over the other classes of max(0, margin − self[target] + self[i])^p / C of [N, C] or [C], reduced.
 *
 * @param input the tensor: a tensor
 * @param target class indices: a tensor
 * @param p 1 or 2: a number; default 1
 * @param margin a number; default 1
 * @param weight a factor per class, [C]: a tensor; optional
 * @param reduction the mean of all losses, their sum, or ('none') each: 'mean', 'sum' or 'none'; default 'mean'
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function multiMarginLoss(...args: [input: Tensor, target: Tensor, p: number | undefined, margin: number | undefined, weight: Tensor | null | undefined, options?: { readonly reduction?: 'mean' | 'sum' | 'none' | undefined }] | [input: Tensor, target: Tensor, p: number | undefined, margin: number | undefined, options?: { readonly weight?: Tensor | null | undefined; readonly reduction?: 'mean' | 'sum' | 'none' | undefined }] | [input: Tensor, target: Tensor, p: number | undefined, options?: { readonly margin?: number | undefined; readonly weight?: Tensor | null | undefined; readonly reduction?: 'mean' | 'sum' | 'none' | undefined }] | [input: Tensor, target: Tensor, options?: { readonly p?: number | undefined; readonly margin?: number | undefined; readonly weight?: Tensor | null | undefined; readonly reduction?: 'mean' | 'sum' | 'none' | undefined }] | [input: Tensor, options: { readonly target: Tensor; readonly p?: number | undefined; readonly margin?: number | undefined; readonly weight?: Tensor | null | undefined; readonly reduction?: 'mean' | 'sum' | 'none' | undefined }] | [options: { readonly input: Tensor; readonly target: Tensor; readonly p?: number | undefined; readonly margin?: number | undefined; readonly weight?: Tensor | null | undefined; readonly reduction?: 'mean' | 'sum' | 'none' | undefined }]): Tensor
export function multiMarginLoss(...args: readonly unknown[]): unknown {
  return callOp('multiMarginLoss', args)
}

/**
 * The distances (Σ |x − y|^p)^(1/p) of all rows x of x1 [*, P, M] and y of x2 [*, R, M]: [*, P, R].
 *
 * @param x1 one tensor: a tensor
 * @param x2 the other: a tensor
 * @param p the power; 0 counts, Infinity is the largest difference: a number; default 2
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function cdist(x1: Tensor, x2: Tensor, p?: number): Tensor
/**
 * The distances (Σ |x − y|^p)^(1/p) of all rows x of x1 [*, P, M] and y of x2 [*, R, M]: [*, P, R].
 *
 * @param x1 one tensor: a tensor
 * @param x2 the other: a tensor
 * @param p the power; 0 counts, Infinity is the largest difference: a number; default 2
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function cdist(...args: [x1: Tensor, x2: Tensor, options?: { readonly p?: number | undefined }] | [x1: Tensor, options: { readonly x2: Tensor; readonly p?: number | undefined }] | [options: { readonly x1: Tensor; readonly x2: Tensor; readonly p?: number | undefined }]): Tensor
export function cdist(...args: readonly unknown[]): unknown {
  return callOp('cdist', args)
}

/**
 * (Σ |x1 − x2 + eps|^p)^(1/p) over the last dim.
 *
 * @param x1 one tensor: a tensor
 * @param x2 the other: a tensor
 * @param p the power; 0 counts, Infinity is the largest difference: a number; default 2
 * @param eps what is added to each difference: a number; default 0.000001
 * @param keepdim keep the reduced dims, with size 1: true or false; default false
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function pairwiseDistance(x1: Tensor, x2: Tensor, p?: number, eps?: number, keepdim?: boolean): Tensor
/**
 * (Σ |x1 − x2 + eps|^p)^(1/p) over the last dim.
 *
 * @param x1 one tensor: a tensor
 * @param x2 the other: a tensor
 * @param p the power; 0 counts, Infinity is the largest difference: a number; default 2
 * @param eps what is added to each difference: a number; default 0.000001
 * @param keepdim keep the reduced dims, with size 1: true or false; default false
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function pairwiseDistance(...args: [x1: Tensor, x2: Tensor, p: number | undefined, eps: number | undefined, options?: { readonly keepdim?: boolean | undefined }] | [x1: Tensor, x2: Tensor, p: number | undefined, options?: { readonly eps?: number | undefined; readonly keepdim?: boolean | undefined }] | [x1: Tensor, x2: Tensor, options?: { readonly p?: number | undefined; readonly eps?: number | undefined; readonly keepdim?: boolean | undefined }] | [x1: Tensor, options: { readonly x2: Tensor; readonly p?: number | undefined; readonly eps?: number | undefined; readonly keepdim?: boolean | undefined }] | [options: { readonly x1: Tensor; readonly x2: Tensor; readonly p?: number | undefined; readonly eps?: number | undefined; readonly keepdim?: boolean | undefined }]): Tensor
export function pairwiseDistance(...args: readonly unknown[]): unknown {
  return callOp('pairwiseDistance', args)
}

/**
 * (Σ |self − other|^p)^(1/p) over everything.
 *
 * @param input the tensor: a tensor
 * @param other what it is combined with; the two broadcast: a tensor
 * @param p the power; 0 counts, Infinity is the largest difference: a number; default 2
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function dist(input: Tensor, other: Tensor, p?: number): Tensor
/**
 * (Σ |self − other|^p)^(1/p) over everything.
 *
 * @param input the tensor: a tensor
 * @param other what it is combined with; the two broadcast: a tensor
 * @param p the power; 0 counts, Infinity is the largest difference: a number; default 2
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function dist(...args: [input: Tensor, other: Tensor, options?: { readonly p?: number | undefined }] | [input: Tensor, options: { readonly other: Tensor; readonly p?: number | undefined }] | [options: { readonly input: Tensor; readonly other: Tensor; readonly p?: number | undefined }]): Tensor
export function dist(...args: readonly unknown[]): unknown {
  return callOp('dist', args)
}

/**
 * max(0, d(anchor, positive) − d(anchor, negative) + margin), reduced; d is pairwiseDistance.
 *
 * @param anchor what the others are compared with: a tensor
 * @param positive what should be near: a tensor
 * @param negative what should be far: a tensor
 * @param margin by how much: a number; default 1
 * @param p the power; 0 counts, Infinity is the largest difference: a number; default 2
 * @param eps what is added to each difference: a number; default 0.000001
 * @param swap the distance of the negative is the smaller of those to the anchor and to the positive: true or false; default false
 * @param reduction the mean of all losses, their sum, or ('none') each: 'mean', 'sum' or 'none'; default 'mean'
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function tripletMarginLoss(anchor: Tensor, positive: Tensor, negative: Tensor, margin?: number, p?: number, eps?: number, swap?: boolean, reduction?: 'mean' | 'sum' | 'none'): Tensor
/**
 * max(0, d(anchor, positive) − d(anchor, negative) + margin), reduced; d is pairwiseDistance.
 *
 * @param anchor what the others are compared with: a tensor
 * @param positive what should be near: a tensor
 * @param negative what should be far: a tensor
 * @param margin by how much: a number; default 1
 * @param p the power; 0 counts, Infinity is the largest difference: a number; default 2
 * @param eps what is added to each difference: a number; default 0.000001
 * @param swap the distance of the negative is the smaller of those to the anchor and to the positive: true or false; default false
 * @param reduction the mean of all losses, their sum, or ('none') each: 'mean', 'sum' or 'none'; default 'mean'
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function tripletMarginLoss(...args: [anchor: Tensor, positive: Tensor, negative: Tensor, margin: number | undefined, p: number | undefined, eps: number | undefined, swap: boolean | undefined, options?: { readonly reduction?: 'mean' | 'sum' | 'none' | undefined }] | [anchor: Tensor, positive: Tensor, negative: Tensor, margin: number | undefined, p: number | undefined, eps: number | undefined, options?: { readonly swap?: boolean | undefined; readonly reduction?: 'mean' | 'sum' | 'none' | undefined }] | [anchor: Tensor, positive: Tensor, negative: Tensor, margin: number | undefined, p: number | undefined, options?: { readonly eps?: number | undefined; readonly swap?: boolean | undefined; readonly reduction?: 'mean' | 'sum' | 'none' | undefined }] | [anchor: Tensor, positive: Tensor, negative: Tensor, margin: number | undefined, options?: { readonly p?: number | undefined; readonly eps?: number | undefined; readonly swap?: boolean | undefined; readonly reduction?: 'mean' | 'sum' | 'none' | undefined }] | [anchor: Tensor, positive: Tensor, negative: Tensor, options?: { readonly margin?: number | undefined; readonly p?: number | undefined; readonly eps?: number | undefined; readonly swap?: boolean | undefined; readonly reduction?: 'mean' | 'sum' | 'none' | undefined }] | [anchor: Tensor, positive: Tensor, options: { readonly negative: Tensor; readonly margin?: number | undefined; readonly p?: number | undefined; readonly eps?: number | undefined; readonly swap?: boolean | undefined; readonly reduction?: 'mean' | 'sum' | 'none' | undefined }] | [anchor: Tensor, options: { readonly positive: Tensor; readonly negative: Tensor; readonly margin?: number | undefined; readonly p?: number | undefined; readonly eps?: number | undefined; readonly swap?: boolean | undefined; readonly reduction?: 'mean' | 'sum' | 'none' | undefined }] | [options: { readonly anchor: Tensor; readonly positive: Tensor; readonly negative: Tensor; readonly margin?: number | undefined; readonly p?: number | undefined; readonly eps?: number | undefined; readonly swap?: boolean | undefined; readonly reduction?: 'mean' | 'sum' | 'none' | undefined }]): Tensor
export function tripletMarginLoss(...args: readonly unknown[]): unknown {
  return callOp('tripletMarginLoss', args)
}

/**
 * 1 − cos(input1, input2) where target is 1, max(0, cos(input1, input2) − margin) where it is −1, reduced.
 *
 * @param input1 one tensor: a tensor
 * @param input2 the other: a tensor
 * @param target 1 where they should be alike, −1 where not: a tensor
 * @param margin the cosine that is allowed where not: a number; default 0
 * @param reduction the mean of all losses, their sum, or ('none') each: 'mean', 'sum' or 'none'; default 'mean'
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function cosineEmbeddingLoss(input1: Tensor, input2: Tensor, target: Tensor, margin?: number, reduction?: 'mean' | 'sum' | 'none'): Tensor
/**
 * 1 − cos(input1, input2) where target is 1, max(0, cos(input1, input2) − margin) where it is −1, reduced.
 *
 * @param input1 one tensor: a tensor
 * @param input2 the other: a tensor
 * @param target 1 where they should be alike, −1 where not: a tensor
 * @param margin the cosine that is allowed where not: a number; default 0
 * @param reduction the mean of all losses, their sum, or ('none') each: 'mean', 'sum' or 'none'; default 'mean'
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function cosineEmbeddingLoss(...args: [input1: Tensor, input2: Tensor, target: Tensor, margin: number | undefined, options?: { readonly reduction?: 'mean' | 'sum' | 'none' | undefined }] | [input1: Tensor, input2: Tensor, target: Tensor, options?: { readonly margin?: number | undefined; readonly reduction?: 'mean' | 'sum' | 'none' | undefined }] | [input1: Tensor, input2: Tensor, options: { readonly target: Tensor; readonly margin?: number | undefined; readonly reduction?: 'mean' | 'sum' | 'none' | undefined }] | [input1: Tensor, options: { readonly input2: Tensor; readonly target: Tensor; readonly margin?: number | undefined; readonly reduction?: 'mean' | 'sum' | 'none' | undefined }] | [options: { readonly input1: Tensor; readonly input2: Tensor; readonly target: Tensor; readonly margin?: number | undefined; readonly reduction?: 'mean' | 'sum' | 'none' | undefined }]): Tensor
export function cosineEmbeddingLoss(...args: readonly unknown[]): unknown {
  return callOp('cosineEmbeddingLoss', args)
}

/**
 * The same elements, row by row, in another shape; one size may be −1.
 *
 * @param input the tensor: a tensor
 * @param shape the shape of the result; one size may be −1: it follows from the others: a list of integers of at least 0, or −1 for one that follows from the others
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function reshape(input: Tensor, shape: readonly SizeLike[]): Tensor
/**
 * The same elements, row by row, in another shape; one size may be −1.
 *
 * @param input the tensor: a tensor
 * @param shape the shape of the result; one size may be −1: it follows from the others: a list of integers of at least 0, or −1 for one that follows from the others
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function reshape(input: Tensor, ...shape: readonly (SizeLike)[]): Tensor
/**
 * The same elements, row by row, in another shape; one size may be −1.
 *
 * @param input the tensor: a tensor
 * @param shape the shape of the result; one size may be −1: it follows from the others: a list of integers of at least 0, or −1 for one that follows from the others
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function reshape(...args: [input: Tensor, options: { readonly shape: readonly SizeLike[] }] | [options: { readonly input: Tensor; readonly shape: readonly SizeLike[] }]): Tensor
export function reshape(...args: readonly unknown[]): unknown {
  return callOp('reshape', args)
}

/**
 * self with dims of size 1 repeated and leading dims added; −1 keeps a size.
 *
 * @param input the tensor: a tensor
 * @param sizes the sizes; −1 stands for one that follows: a list of integers of at least 0, or −1 for one that follows from the others
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function expand(input: Tensor, sizes: readonly SizeLike[]): Tensor
/**
 * self with dims of size 1 repeated and leading dims added; −1 keeps a size.
 *
 * @param input the tensor: a tensor
 * @param sizes the sizes; −1 stands for one that follows: a list of integers of at least 0, or −1 for one that follows from the others
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function expand(input: Tensor, ...sizes: readonly (SizeLike)[]): Tensor
/**
 * self with dims of size 1 repeated and leading dims added; −1 keeps a size.
 *
 * @param input the tensor: a tensor
 * @param sizes the sizes; −1 stands for one that follows: a list of integers of at least 0, or −1 for one that follows from the others
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function expand(...args: [input: Tensor, options: { readonly sizes: readonly SizeLike[] }] | [options: { readonly input: Tensor; readonly sizes: readonly SizeLike[] }]): Tensor
export function expand(...args: readonly unknown[]): unknown {
  return callOp('expand', args)
}

/**
 * self with dims of size 1 repeated and leading dims added; −1 keeps a size.
 *
 * @param input the tensor: a tensor
 * @param shape the shape of the result; one size may be −1: it follows from the others: a list of integers of at least 0, or −1 for one that follows from the others
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function broadcastTo(input: Tensor, shape: readonly SizeLike[]): Tensor
/**
 * self with dims of size 1 repeated and leading dims added; −1 keeps a size.
 *
 * @param input the tensor: a tensor
 * @param shape the shape of the result; one size may be −1: it follows from the others: a list of integers of at least 0, or −1 for one that follows from the others
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function broadcastTo(input: Tensor, ...shape: readonly (SizeLike)[]): Tensor
/**
 * self with dims of size 1 repeated and leading dims added; −1 keeps a size.
 *
 * @param input the tensor: a tensor
 * @param shape the shape of the result; one size may be −1: it follows from the others: a list of integers of at least 0, or −1 for one that follows from the others
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function broadcastTo(...args: [input: Tensor, options: { readonly shape: readonly SizeLike[] }] | [options: { readonly input: Tensor; readonly shape: readonly SizeLike[] }]): Tensor
export function broadcastTo(...args: readonly unknown[]): unknown {
  return callOp('broadcastTo', args)
}

/**
 * self with the dims from startDim to endDim made one.
 *
 * @param input the tensor: a tensor
 * @param startDim the first dim of those: an integer; default 0
 * @param endDim the last dim of those: an integer; default -1
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function flatten(input: Tensor, startDim?: number, endDim?: number): Tensor
/**
 * self with the dims from startDim to endDim made one.
 *
 * @param input the tensor: a tensor
 * @param startDim the first dim of those: an integer; default 0
 * @param endDim the last dim of those: an integer; default -1
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function flatten(...args: [input: Tensor, startDim: number | undefined, options?: { readonly endDim?: number | undefined }] | [input: Tensor, options?: { readonly startDim?: number | undefined; readonly endDim?: number | undefined }] | [options: { readonly input: Tensor; readonly startDim?: number | undefined; readonly endDim?: number | undefined }]): Tensor
export function flatten(...args: readonly unknown[]): unknown {
  return callOp('flatten', args)
}

/**
 * self as one dim, row by row.
 *
 * @param input the tensor: a tensor
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function ravel(input: Tensor): Tensor
/**
 * self as one dim, row by row.
 *
 * @param input the tensor: a tensor
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function ravel(...args: [options: { readonly input: Tensor }]): Tensor
export function ravel(...args: readonly unknown[]): unknown {
  return callOp('ravel', args)
}

/**
 * self without its dims of size 1, or without the given ones where they have size 1.
 *
 * @param input the tensor: a tensor
 * @param dim the dim (negative ones count from the end): an integer or a list of integers; optional
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function squeeze(input: Tensor, dim?: number | readonly number[] | null): Tensor
/**
 * self without its dims of size 1, or without the given ones where they have size 1.
 *
 * @param input the tensor: a tensor
 * @param dim the dim (negative ones count from the end): an integer or a list of integers; optional
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function squeeze(...args: [input: Tensor, options?: { readonly dim?: number | readonly number[] | null | undefined }] | [options: { readonly input: Tensor; readonly dim?: number | readonly number[] | null | undefined }]): Tensor
export function squeeze(...args: readonly unknown[]): unknown {
  return callOp('squeeze', args)
}

/**
 * self with a new dim of size 1 before dim.
 *
 * @param input the tensor: a tensor
 * @param dim the dim (negative ones count from the end): an integer
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function unsqueeze(input: Tensor, dim: number): Tensor
/**
 * self with a new dim of size 1 before dim.
 *
 * @param input the tensor: a tensor
 * @param dim the dim (negative ones count from the end): an integer
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function unsqueeze(...args: [input: Tensor, options: { readonly dim: number }] | [options: { readonly input: Tensor; readonly dim: number }]): Tensor
export function unsqueeze(...args: readonly unknown[]): unknown {
  return callOp('unsqueeze', args)
}

/**
 * self with its dims in another order.
 *
 * @param input the tensor: a tensor
 * @param dims the dims (negative ones count from the end): a list of integers
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function permute(input: Tensor, dims: readonly number[]): Tensor
/**
 * self with its dims in another order.
 *
 * @param input the tensor: a tensor
 * @param dims the dims (negative ones count from the end): a list of integers
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function permute(input: Tensor, ...dims: readonly (number)[]): Tensor
/**
 * self with its dims in another order.
 *
 * @param input the tensor: a tensor
 * @param dims the dims (negative ones count from the end): a list of integers
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function permute(...args: [input: Tensor, options: { readonly dims: readonly number[] }] | [options: { readonly input: Tensor; readonly dims: readonly number[] }]): Tensor
export function permute(...args: readonly unknown[]): unknown {
  return callOp('permute', args)
}

/**
 * self with two dims exchanged.
 *
 * @param input the tensor: a tensor
 * @param dim0 one dim (negative ones count from the end): an integer
 * @param dim1 one dim (negative ones count from the end): an integer
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function transpose(input: Tensor, dim0: number, dim1: number): Tensor
/**
 * self with two dims exchanged.
 *
 * @param input the tensor: a tensor
 * @param dim0 one dim (negative ones count from the end): an integer
 * @param dim1 one dim (negative ones count from the end): an integer
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function transpose(...args: [input: Tensor, dim0: number, options: { readonly dim1: number }] | [input: Tensor, options: { readonly dim0: number; readonly dim1: number }] | [options: { readonly input: Tensor; readonly dim0: number; readonly dim1: number }]): Tensor
export function transpose(...args: readonly unknown[]): unknown {
  return callOp('transpose', args)
}

/**
 * The transpose of a matrix; tensors of fewer dims stay as they are.
 *
 * @param input the tensor: a tensor
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function t(input: Tensor): Tensor
/**
 * The transpose of a matrix; tensors of fewer dims stay as they are.
 *
 * @param input the tensor: a tensor
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function t(...args: [options: { readonly input: Tensor }]): Tensor
export function t(...args: readonly unknown[]): unknown {
  return callOp('t', args)
}

/**
 * A part of self: per dim an index, [start, end, step], or null for everything.
 *
 * @param input the tensor: a tensor
 * @param ranges one per dim, from the first on: an index, [start, end, step], null or 'all'; default []
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function slice(input: Tensor, ...ranges: readonly (Range)[]): Tensor
/**
 * A part of self: per dim an index, [start, end, step], or null for everything.
 *
 * @param input the tensor: a tensor
 * @param ranges one per dim, from the first on: an index, [start, end, step], null or 'all'; default []
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function slice(...args: [input: Tensor, options?: { readonly ranges?: readonly (Range)[] | undefined }] | [options: { readonly input: Tensor; readonly ranges?: readonly (Range)[] | undefined }]): Tensor
export function slice(...args: readonly unknown[]): unknown {
  return callOp('slice', args)
}

/**
 * The elements from start to start + length along a dim.
 *
 * @param input the tensor: a tensor
 * @param dim the dim (negative ones count from the end): an integer
 * @param start the first place; negative counts from the end; a tensor is read: an integer, or a 0-d tensor of one
 * @param length how many: an integer of at least 0
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function narrow(input: Tensor, dim: number, start: IndexLike | Tensor, length: SizeLike): Tensor
/**
 * The elements from start to start + length along a dim.
 *
 * @param input the tensor: a tensor
 * @param dim the dim (negative ones count from the end): an integer
 * @param start the first place; negative counts from the end; a tensor is read: an integer, or a 0-d tensor of one
 * @param length how many: an integer of at least 0
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function narrow(...args: [input: Tensor, dim: number, start: IndexLike | Tensor, options: { readonly length: SizeLike }] | [input: Tensor, dim: number, options: { readonly start: IndexLike | Tensor; readonly length: SizeLike }] | [input: Tensor, options: { readonly dim: number; readonly start: IndexLike | Tensor; readonly length: SizeLike }] | [options: { readonly input: Tensor; readonly dim: number; readonly start: IndexLike | Tensor; readonly length: SizeLike }]): Tensor
export function narrow(...args: readonly unknown[]): unknown {
  return callOp('narrow', args)
}

/**
 * self at one index of a dim, without that dim.
 *
 * @param input the tensor: a tensor
 * @param dim the dim (negative ones count from the end): an integer
 * @param index the place along the dim; negative counts from the end; a tensor is read: an integer, or a 0-d tensor of one
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function select(input: Tensor, dim: number, index: IndexLike | Tensor): Tensor
/**
 * self at one index of a dim, without that dim.
 *
 * @param input the tensor: a tensor
 * @param dim the dim (negative ones count from the end): an integer
 * @param index the place along the dim; negative counts from the end; a tensor is read: an integer, or a 0-d tensor of one
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function select(...args: [input: Tensor, dim: number, options: { readonly index: IndexLike | Tensor }] | [input: Tensor, options: { readonly dim: number; readonly index: IndexLike | Tensor }] | [options: { readonly input: Tensor; readonly dim: number; readonly index: IndexLike | Tensor }]): Tensor
export function select(...args: readonly unknown[]): unknown {
  return callOp('select', args)
}

/**
 * self with the elements along the dims in reverse order.
 *
 * @param input the tensor: a tensor
 * @param dims the dims (negative ones count from the end): an integer or a list of integers
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function flip(input: Tensor, dims: number | readonly number[]): Tensor
/**
 * self with the elements along the dims in reverse order.
 *
 * @param input the tensor: a tensor
 * @param dims the dims (negative ones count from the end): an integer or a list of integers
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function flip(input: Tensor, ...dims: readonly (number)[]): Tensor
/**
 * self with the elements along the dims in reverse order.
 *
 * @param input the tensor: a tensor
 * @param dims the dims (negative ones count from the end): an integer or a list of integers
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function flip(...args: [input: Tensor, options: { readonly dims: number | readonly number[] }] | [options: { readonly input: Tensor; readonly dims: number | readonly number[] }]): Tensor
export function flip(...args: readonly unknown[]): unknown {
  return callOp('flip', args)
}

/**
 * self with one dim split into several; one of the sizes may be −1.
 *
 * @param input the tensor: a tensor
 * @param dim the dim (negative ones count from the end): an integer
 * @param sizes the sizes; −1 stands for one that follows: a list of integers of at least 0, or −1 for one that follows from the others
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function unflatten(input: Tensor, dim: number, sizes: readonly SizeLike[]): Tensor
/**
 * self with one dim split into several; one of the sizes may be −1.
 *
 * @param input the tensor: a tensor
 * @param dim the dim (negative ones count from the end): an integer
 * @param sizes the sizes; −1 stands for one that follows: a list of integers of at least 0, or −1 for one that follows from the others
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function unflatten(...args: [input: Tensor, dim: number, options: { readonly sizes: readonly SizeLike[] }] | [input: Tensor, options: { readonly dim: number; readonly sizes: readonly SizeLike[] }] | [options: { readonly input: Tensor; readonly dim: number; readonly sizes: readonly SizeLike[] }]): Tensor
export function unflatten(...args: readonly unknown[]): unknown {
  return callOp('unflatten', args)
}

/**
 * self with dims moved to other places; the others keep their order.
 *
 * @param input the tensor: a tensor
 * @param source the dims that move: an integer or a list of integers
 * @param destination where they go, one for each: an integer or a list of integers
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function movedim(input: Tensor, source: number | readonly number[], destination: number | readonly number[]): Tensor
/**
 * self with dims moved to other places; the others keep their order.
 *
 * @param input the tensor: a tensor
 * @param source the dims that move: an integer or a list of integers
 * @param destination where they go, one for each: an integer or a list of integers
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function movedim(...args: [input: Tensor, source: number | readonly number[], options: { readonly destination: number | readonly number[] }] | [input: Tensor, options: { readonly source: number | readonly number[]; readonly destination: number | readonly number[] }] | [options: { readonly input: Tensor; readonly source: number | readonly number[]; readonly destination: number | readonly number[] }]): Tensor
export function movedim(...args: readonly unknown[]): unknown {
  return callOp('movedim', args)
}

/**
 * self moved along the dims by shifts; what leaves at one end comes in at the other. No dims: flattened.
 *
 * @param input the tensor: a tensor
 * @param shifts how far, one per dim: an integer or a list of integers
 * @param dims one or several; without them self is flattened: an integer or a list of integers; optional
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function roll(input: Tensor, shifts: IndexLike | readonly IndexLike[], dims?: number | readonly number[] | null): Tensor
/**
 * self moved along the dims by shifts; what leaves at one end comes in at the other. No dims: flattened.
 *
 * @param input the tensor: a tensor
 * @param shifts how far, one per dim: an integer or a list of integers
 * @param dims one or several; without them self is flattened: an integer or a list of integers; optional
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function roll(...args: [input: Tensor, shifts: IndexLike | readonly IndexLike[], options?: { readonly dims?: number | readonly number[] | null | undefined }] | [input: Tensor, options: { readonly shifts: IndexLike | readonly IndexLike[]; readonly dims?: number | readonly number[] | null | undefined }] | [options: { readonly input: Tensor; readonly shifts: IndexLike | readonly IndexLike[]; readonly dims?: number | readonly number[] | null | undefined }]): Tensor
export function roll(...args: readonly unknown[]): unknown {
  return callOp('roll', args)
}

/**
 * self turned by k quarters in the plane of two dims, from the first towards the second.
 *
 * @param input the tensor: a tensor
 * @param k how many quarters; negative ones turn back: an integer; default 1
 * @param dims the plane of rotation: two dims: a list of integers; default [0, 1]
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function rot90(input: Tensor, k?: number, dims?: readonly number[]): Tensor
/**
 * self turned by k quarters in the plane of two dims, from the first towards the second.
 *
 * @param input the tensor: a tensor
 * @param k how many quarters; negative ones turn back: an integer; default 1
 * @param dims the plane of rotation: two dims: a list of integers; default [0, 1]
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function rot90(...args: [input: Tensor, k: number | undefined, options?: { readonly dims?: readonly number[] | undefined }] | [input: Tensor, options?: { readonly k?: number | undefined; readonly dims?: readonly number[] | undefined }] | [options: { readonly input: Tensor; readonly k?: number | undefined; readonly dims?: readonly number[] | undefined }]): Tensor
export function rot90(...args: readonly unknown[]): unknown {
  return callOp('rot90', args)
}

/**
 * self beside itself, repeats[d] times along each dim; more counts than dims add leading dims.
 *
 * @param input the tensor: a tensor
 * @param repeats how often along each dim: a list of integers of at least 0
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function repeat(input: Tensor, repeats: readonly SizeLike[]): Tensor
/**
 * self beside itself, repeats[d] times along each dim; more counts than dims add leading dims.
 *
 * @param input the tensor: a tensor
 * @param repeats how often along each dim: a list of integers of at least 0
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function repeat(input: Tensor, ...repeats: readonly (SizeLike)[]): Tensor
/**
 * self beside itself, repeats[d] times along each dim; more counts than dims add leading dims.
 *
 * @param input the tensor: a tensor
 * @param repeats how often along each dim: a list of integers of at least 0
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function repeat(...args: [input: Tensor, options: { readonly repeats: readonly SizeLike[] }] | [options: { readonly input: Tensor; readonly repeats: readonly SizeLike[] }]): Tensor
export function repeat(...args: readonly unknown[]): unknown {
  return callOp('repeat', args)
}

/**
 * As repeat; counts for missing leading dims are 1.
 *
 * @param input the tensor: a tensor
 * @param dims how often along each dim: a list of integers of at least 0
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function tile(input: Tensor, dims: readonly SizeLike[]): Tensor
/**
 * As repeat; counts for missing leading dims are 1.
 *
 * @param input the tensor: a tensor
 * @param dims how often along each dim: a list of integers of at least 0
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function tile(input: Tensor, ...dims: readonly (SizeLike)[]): Tensor
/**
 * As repeat; counts for missing leading dims are 1.
 *
 * @param input the tensor: a tensor
 * @param dims how often along each dim: a list of integers of at least 0
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function tile(...args: [input: Tensor, options: { readonly dims: readonly SizeLike[] }] | [options: { readonly input: Tensor; readonly dims: readonly SizeLike[] }]): Tensor
export function tile(...args: readonly unknown[]): unknown {
  return callOp('tile', args)
}

/**
 * Each element (or slice along dim) repeats times in a row; without dim self is flattened. Without repeats self says how often each of 0, 1, 2, … stands.
 *
 * @param input the tensor: a tensor
 * @param repeats how often; a vector has one count for each element: an integer of at least 0 or a tensor; optional
 * @param dim the dim of the slices; without it self is flattened: an integer; optional
 * @param outputSize how long the dim becomes where repeats is a tensor: their sum; without it they are read: an integer of at least 0; optional
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function repeatInterleave(input: Tensor, repeats?: SizeLike | Tensor | null, dim?: number | null, options?: { readonly outputSize?: SizeLike | null | undefined }): Tensor
/**
 * Each element (or slice along dim) repeats times in a row; without dim self is flattened. Without repeats self says how often each of 0, 1, 2, … stands.
 *
 * @param input the tensor: a tensor
 * @param repeats how often; a vector has one count for each element: an integer of at least 0 or a tensor; optional
 * @param dim the dim of the slices; without it self is flattened: an integer; optional
 * @param outputSize how long the dim becomes where repeats is a tensor: their sum; without it they are read: an integer of at least 0; optional
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function repeatInterleave(...args: [input: Tensor, repeats: SizeLike | Tensor | null | undefined, options?: { readonly dim?: number | null | undefined; readonly outputSize?: SizeLike | null | undefined }] | [input: Tensor, options?: { readonly repeats?: SizeLike | Tensor | null | undefined; readonly dim?: number | null | undefined; readonly outputSize?: SizeLike | null | undefined }] | [options: { readonly input: Tensor; readonly repeats?: SizeLike | Tensor | null | undefined; readonly dim?: number | null | undefined; readonly outputSize?: SizeLike | null | undefined }]): Tensor
export function repeatInterleave(...args: readonly unknown[]): unknown {
  return callOp('repeatInterleave', args)
}

/**
 * The diagonal of the matrices in dims dim1 and dim2, offset to the right, as the last dim.
 *
 * @param input the tensor: a tensor
 * @param offset which diagonal: to the right of the main one, negative ones below it: an integer; default 0
 * @param dim1 one dim (negative ones count from the end): an integer; default 0
 * @param dim2 the other dim (negative ones count from the end): an integer; default 1
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function diagonal(input: Tensor, offset?: IndexLike, dim1?: number, dim2?: number): Tensor
/**
 * The diagonal of the matrices in dims dim1 and dim2, offset to the right, as the last dim.
 *
 * @param input the tensor: a tensor
 * @param offset which diagonal: to the right of the main one, negative ones below it: an integer; default 0
 * @param dim1 one dim (negative ones count from the end): an integer; default 0
 * @param dim2 the other dim (negative ones count from the end): an integer; default 1
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function diagonal(...args: [input: Tensor, offset: IndexLike | undefined, dim1: number | undefined, options?: { readonly dim2?: number | undefined }] | [input: Tensor, offset: IndexLike | undefined, options?: { readonly dim1?: number | undefined; readonly dim2?: number | undefined }] | [input: Tensor, options?: { readonly offset?: IndexLike | undefined; readonly dim1?: number | undefined; readonly dim2?: number | undefined }] | [options: { readonly input: Tensor; readonly offset?: IndexLike | undefined; readonly dim1?: number | undefined; readonly dim2?: number | undefined }]): Tensor
export function diagonal(...args: readonly unknown[]): unknown {
  return callOp('diagonal', args)
}

/**
 * The diagonal of a matrix (a copy), or a matrix with a vector on its diagonal.
 *
 * @param input the tensor: a tensor
 * @param diagonal which diagonal: to the right of the main one, negative ones below it: an integer; default 0
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function diag(input: Tensor, diagonal?: IndexLike): Tensor
/**
 * The diagonal of a matrix (a copy), or a matrix with a vector on its diagonal.
 *
 * @param input the tensor: a tensor
 * @param diagonal which diagonal: to the right of the main one, negative ones below it: an integer; default 0
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function diag(...args: [input: Tensor, options?: { readonly diagonal?: IndexLike | undefined }] | [options: { readonly input: Tensor; readonly diagonal?: IndexLike | undefined }]): Tensor
export function diag(...args: readonly unknown[]): unknown {
  return callOp('diag', args)
}

/**
 * Σ of the diagonal of a matrix; integers give i64.
 *
 * @param input the tensor: a tensor
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function trace(input: Tensor): Tensor
/**
 * Σ of the diagonal of a matrix; integers give i64.
 *
 * @param input the tensor: a tensor
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function trace(...args: [options: { readonly input: Tensor }]): Tensor
export function trace(...args: readonly unknown[]): unknown {
  return callOp('trace', args)
}

/**
 * Windows of size elements along a dim, a new one every step, as a new last dim; they may overlap.
 *
 * @param input the tensor: a tensor
 * @param dimension the dim: an integer
 * @param size how long a window is: an integer of at least 1
 * @param step how far the next window starts: an integer of at least 1
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function unfold(input: Tensor, dimension: number, size: number, step: number): Tensor
/**
 * Windows of size elements along a dim, a new one every step, as a new last dim; they may overlap.
 *
 * @param input the tensor: a tensor
 * @param dimension the dim: an integer
 * @param size how long a window is: an integer of at least 1
 * @param step how far the next window starts: an integer of at least 1
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function unfold(...args: [input: Tensor, dimension: number, size: number, options: { readonly step: number }] | [input: Tensor, dimension: number, options: { readonly size: number; readonly step: number }] | [input: Tensor, options: { readonly dimension: number; readonly size: number; readonly step: number }] | [options: { readonly input: Tensor; readonly dimension: number; readonly size: number; readonly step: number }]): Tensor
export function unfold(...args: readonly unknown[]): unknown {
  return callOp('unfold', args)
}

/**
 * The differences of neighbours along a dim, n times, of self with prepend and append put before and after it; of bool: whether they differ.
 *
 * @param input the tensor: a tensor
 * @param n how many times: an integer of at least 0; default 1
 * @param dim the dim (negative ones count from the end): an integer; default -1
 * @param prepend put before self along dim: a tensor; optional
 * @param append put after self along dim: a tensor; optional
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function diff(input: Tensor, n?: number, dim?: number, prepend?: Tensor | null, append?: Tensor | null): Tensor
/**
 * The differences of neighbours along a dim, n times, of self with prepend and append put before and after it; of bool: whether they differ.
 *
 * @param input the tensor: a tensor
 * @param n how many times: an integer of at least 0; default 1
 * @param dim the dim (negative ones count from the end): an integer; default -1
 * @param prepend put before self along dim: a tensor; optional
 * @param append put after self along dim: a tensor; optional
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function diff(...args: [input: Tensor, n: number | undefined, dim: number | undefined, prepend: Tensor | null | undefined, options?: { readonly append?: Tensor | null | undefined }] | [input: Tensor, n: number | undefined, dim: number | undefined, options?: { readonly prepend?: Tensor | null | undefined; readonly append?: Tensor | null | undefined }] | [input: Tensor, n: number | undefined, options?: { readonly dim?: number | undefined; readonly prepend?: Tensor | null | undefined; readonly append?: Tensor | null | undefined }] | [input: Tensor, options?: { readonly n?: number | undefined; readonly dim?: number | undefined; readonly prepend?: Tensor | null | undefined; readonly append?: Tensor | null | undefined }] | [options: { readonly input: Tensor; readonly n?: number | undefined; readonly dim?: number | undefined; readonly prepend?: Tensor | null | undefined; readonly append?: Tensor | null | undefined }]): Tensor
export function diff(...args: readonly unknown[]): unknown {
  return callOp('diff', args)
}

/**
 * For each class index a row (i64) with a 1 at its place; an index out of range gives zeros.
 *
 * @param tensor the class indices: a tensor
 * @param numClasses how many classes: how long a row is; −1: one more than the largest index, which is read: an integer; default -1
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function oneHot(tensor: Tensor, numClasses?: IndexLike): Tensor
/**
 * For each class index a row (i64) with a 1 at its place; an index out of range gives zeros.
 *
 * @param tensor the class indices: a tensor
 * @param numClasses how many classes: how long a row is; −1: one more than the largest index, which is read: an integer; default -1
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function oneHot(...args: [tensor: Tensor, options?: { readonly numClasses?: IndexLike | undefined }] | [options: { readonly tensor: Tensor; readonly numClasses?: IndexLike | undefined }]): Tensor
export function oneHot(...args: readonly unknown[]): unknown {
  return callOp('oneHot', args)
}

/**
 * self with parts put before and after its last dims: [left, right, top, bottom, …]; negative ones cut. Modes 'constant' (value), 'reflect', 'replicate', 'circular'.
 *
 * @param input the tensor: a tensor
 * @param pad two per dim, from the last dim on: [left, right, top, bottom, …]; negative ones cut: a list of integers
 * @param mode what is put there: value, the elements mirrored, the last one, or the other end: 'constant', 'reflect', 'replicate' or 'circular'; default 'constant'
 * @param value for mode 'constant'; 0 unless given: a number; optional
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function pad(input: Tensor, pad: readonly IndexLike[], mode?: 'constant' | 'reflect' | 'replicate' | 'circular', value?: Scalar | null): Tensor
/**
 * self with parts put before and after its last dims: [left, right, top, bottom, …]; negative ones cut. Modes 'constant' (value), 'reflect', 'replicate', 'circular'.
 *
 * @param input the tensor: a tensor
 * @param pad two per dim, from the last dim on: [left, right, top, bottom, …]; negative ones cut: a list of integers
 * @param mode what is put there: value, the elements mirrored, the last one, or the other end: 'constant', 'reflect', 'replicate' or 'circular'; default 'constant'
 * @param value for mode 'constant'; 0 unless given: a number; optional
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function pad(...args: [input: Tensor, pad: readonly IndexLike[], mode: 'constant' | 'reflect' | 'replicate' | 'circular' | undefined, options?: { readonly value?: Scalar | null | undefined }] | [input: Tensor, pad: readonly IndexLike[], options?: { readonly mode?: 'constant' | 'reflect' | 'replicate' | 'circular' | undefined; readonly value?: Scalar | null | undefined }] | [input: Tensor, options: { readonly pad: readonly IndexLike[]; readonly mode?: 'constant' | 'reflect' | 'replicate' | 'circular' | undefined; readonly value?: Scalar | null | undefined }] | [options: { readonly input: Tensor; readonly pad: readonly IndexLike[]; readonly mode?: 'constant' | 'reflect' | 'replicate' | 'circular' | undefined; readonly value?: Scalar | null | undefined }]): Tensor
export function pad(...args: readonly unknown[]): unknown {
  return callOp('pad', args)
}

/**
 * input where condition (bool) is true, other elsewhere.
 *
 * @param condition a tensor
 * @param input a tensor or a number
 * @param other what it is combined with; the two broadcast: a tensor or a number
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function where(condition: Tensor, input: Operand, other: Operand): Tensor
/**
 * input where condition (bool) is true, other elsewhere.
 *
 * @param condition a tensor
 * @param input a tensor or a number
 * @param other what it is combined with; the two broadcast: a tensor or a number
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function where(...args: [condition: Tensor, input: Operand, options: { readonly other: Operand }] | [condition: Tensor, options: { readonly input: Operand; readonly other: Operand }] | [options: { readonly condition: Tensor; readonly input: Operand; readonly other: Operand }]): Tensor
export function where(...args: readonly unknown[]): unknown {
  return callOp('where', args)
}

/**
 * value where mask (bool) is true, self elsewhere; keeps the dtype of self.
 *
 * @param input the tensor: a tensor
 * @param mask where: true counts: a tensor
 * @param value a tensor or a number
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function maskedFill(input: Tensor, mask: Tensor, value: Operand): Tensor
/**
 * value where mask (bool) is true, self elsewhere; keeps the dtype of self.
 *
 * @param input the tensor: a tensor
 * @param mask where: true counts: a tensor
 * @param value a tensor or a number
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function maskedFill(...args: [input: Tensor, mask: Tensor, options: { readonly value: Operand }] | [input: Tensor, options: { readonly mask: Tensor; readonly value: Operand }] | [options: { readonly input: Tensor; readonly mask: Tensor; readonly value: Operand }]): Tensor
export function maskedFill(...args: readonly unknown[]): unknown {
  return callOp('maskedFill', args)
}

/**
 * self below and on a diagonal of its matrices, 0 above.
 *
 * @param input the tensor: a tensor
 * @param diagonal an integer; default 0
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function tril(input: Tensor, diagonal?: IndexLike): Tensor
/**
 * self below and on a diagonal of its matrices, 0 above.
 *
 * @param input the tensor: a tensor
 * @param diagonal an integer; default 0
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function tril(...args: [input: Tensor, options?: { readonly diagonal?: IndexLike | undefined }] | [options: { readonly input: Tensor; readonly diagonal?: IndexLike | undefined }]): Tensor
export function tril(...args: readonly unknown[]): unknown {
  return callOp('tril', args)
}

/**
 * self above and on a diagonal of its matrices, 0 below.
 *
 * @param input the tensor: a tensor
 * @param diagonal an integer; default 0
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function triu(input: Tensor, diagonal?: IndexLike): Tensor
/**
 * self above and on a diagonal of its matrices, 0 below.
 *
 * @param input the tensor: a tensor
 * @param diagonal an integer; default 0
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function triu(...args: [input: Tensor, options?: { readonly diagonal?: IndexLike | undefined }] | [options: { readonly input: Tensor; readonly diagonal?: IndexLike | undefined }]): Tensor
export function triu(...args: readonly unknown[]): unknown {
  return callOp('triu', args)
}

/**
 * The tensors one after another along a dim.
 *
 * @param tensors the tensors: a list of tensors
 * @param dim the dim (negative ones count from the end): an integer; default 0
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function cat(tensors: readonly Tensor[], dim?: number): Tensor
/**
 * The tensors one after another along a dim.
 *
 * @param tensors the tensors: a list of tensors
 * @param dim the dim (negative ones count from the end): an integer; default 0
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function cat(...args: [tensors: readonly Tensor[], options?: { readonly dim?: number | undefined }] | [options: { readonly tensors: readonly Tensor[]; readonly dim?: number | undefined }]): Tensor
export function cat(...args: readonly unknown[]): unknown {
  return callOp('cat', args)
}

/**
 * The tensors, all of one shape, along a new dim.
 *
 * @param tensors the tensors: a list of tensors
 * @param dim the dim (negative ones count from the end): an integer; default 0
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function stack(tensors: readonly Tensor[], dim?: number): Tensor
/**
 * The tensors, all of one shape, along a new dim.
 *
 * @param tensors the tensors: a list of tensors
 * @param dim the dim (negative ones count from the end): an integer; default 0
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function stack(...args: [tensors: readonly Tensor[], options?: { readonly dim?: number | undefined }] | [options: { readonly tensors: readonly Tensor[]; readonly dim?: number | undefined }]): Tensor
export function stack(...args: readonly unknown[]): unknown {
  return callOp('stack', args)
}

/**
 * self at index[…] along a dim, at the own place in all other dims. An index out of range gives 0.
 *
 * @param input the tensor: a tensor
 * @param dim the dim (negative ones count from the end): an integer
 * @param index the places along the dim: a tensor
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function gather(input: Tensor, dim: number, index: Tensor): Tensor
/**
 * self at index[…] along a dim, at the own place in all other dims. An index out of range gives 0.
 *
 * @param input the tensor: a tensor
 * @param dim the dim (negative ones count from the end): an integer
 * @param index the places along the dim: a tensor
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function gather(...args: [input: Tensor, dim: number, options: { readonly index: Tensor }] | [input: Tensor, options: { readonly dim: number; readonly index: Tensor }] | [options: { readonly input: Tensor; readonly dim: number; readonly index: Tensor }]): Tensor
export function gather(...args: readonly unknown[]): unknown {
  return callOp('gather', args)
}

/**
 * The slices of self at the indices of a 1-D index along a dim. An index out of range gives 0.
 *
 * @param input the tensor: a tensor
 * @param dim the dim (negative ones count from the end): an integer
 * @param index the places along the dim: a tensor
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function indexSelect(input: Tensor, dim: number, index: Tensor): Tensor
/**
 * The slices of self at the indices of a 1-D index along a dim. An index out of range gives 0.
 *
 * @param input the tensor: a tensor
 * @param dim the dim (negative ones count from the end): an integer
 * @param index the places along the dim: a tensor
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function indexSelect(...args: [input: Tensor, dim: number, options: { readonly index: Tensor }] | [input: Tensor, options: { readonly dim: number; readonly index: Tensor }] | [options: { readonly input: Tensor; readonly dim: number; readonly index: Tensor }]): Tensor
export function indexSelect(...args: readonly unknown[]): unknown {
  return callOp('indexSelect', args)
}

/**
 * The rows of a matrix (the weight) at the indices of self. An index out of range gives zeros.
 *
 * @param input the indices: a tensor
 * @param weight the table: [entries, features]: a tensor
 * @param paddingIdx an entry that gradients leave alone; the result is the same: an integer; optional
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function embedding(input: Tensor, weight: Tensor, paddingIdx?: number | null): Tensor
/**
 * The rows of a matrix (the weight) at the indices of self. An index out of range gives zeros.
 *
 * @param input the indices: a tensor
 * @param weight the table: [entries, features]: a tensor
 * @param paddingIdx an entry that gradients leave alone; the result is the same: an integer; optional
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function embedding(...args: [input: Tensor, weight: Tensor, options?: { readonly paddingIdx?: number | null | undefined }] | [input: Tensor, options: { readonly weight: Tensor; readonly paddingIdx?: number | null | undefined }] | [options: { readonly input: Tensor; readonly weight: Tensor; readonly paddingIdx?: number | null | undefined }]): Tensor
export function embedding(...args: readonly unknown[]): unknown {
  return callOp('embedding', args)
}

/**
 * self with src (a tensor or number) written at index[…] along a dim; reduce 'add' or 'multiply' folds it in. Elements that meet are put in order, on every device: the last stands.
 *
 * @param input the tensor: a tensor
 * @param dim the dim (negative ones count from the end): an integer
 * @param index the places along the dim: a tensor
 * @param src what is put there: a tensor or a number
 * @param reduce how it is folded in; written unless given: 'add' or 'multiply'; optional
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function scatter(input: Tensor, dim: number, index: Tensor, src: Operand, options?: { readonly reduce?: 'add' | 'multiply' | null | undefined }): Tensor
/**
 * self with src (a tensor or number) written at index[…] along a dim; reduce 'add' or 'multiply' folds it in. Elements that meet are put in order, on every device: the last stands.
 *
 * @param input the tensor: a tensor
 * @param dim the dim (negative ones count from the end): an integer
 * @param index the places along the dim: a tensor
 * @param src what is put there: a tensor or a number
 * @param reduce how it is folded in; written unless given: 'add' or 'multiply'; optional
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function scatter(...args: [input: Tensor, dim: number, index: Tensor, options: { readonly src: Operand; readonly reduce?: 'add' | 'multiply' | null | undefined }] | [input: Tensor, dim: number, options: { readonly index: Tensor; readonly src: Operand; readonly reduce?: 'add' | 'multiply' | null | undefined }] | [input: Tensor, options: { readonly dim: number; readonly index: Tensor; readonly src: Operand; readonly reduce?: 'add' | 'multiply' | null | undefined }] | [options: { readonly input: Tensor; readonly dim: number; readonly index: Tensor; readonly src: Operand; readonly reduce?: 'add' | 'multiply' | null | undefined }]): Tensor
export function scatter(...args: readonly unknown[]): unknown {
  return callOp('scatter', args)
}

/**
 * self with src added at index[…] along a dim.
 *
 * @param input the tensor: a tensor
 * @param dim the dim (negative ones count from the end): an integer
 * @param index the places along the dim: a tensor
 * @param src what is put there: a tensor
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function scatterAdd(input: Tensor, dim: number, index: Tensor, src: Tensor): Tensor
/**
 * self with src added at index[…] along a dim.
 *
 * @param input the tensor: a tensor
 * @param dim the dim (negative ones count from the end): an integer
 * @param index the places along the dim: a tensor
 * @param src what is put there: a tensor
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function scatterAdd(...args: [input: Tensor, dim: number, index: Tensor, options: { readonly src: Tensor }] | [input: Tensor, dim: number, options: { readonly index: Tensor; readonly src: Tensor }] | [input: Tensor, options: { readonly dim: number; readonly index: Tensor; readonly src: Tensor }] | [options: { readonly input: Tensor; readonly dim: number; readonly index: Tensor; readonly src: Tensor }]): Tensor
export function scatterAdd(...args: readonly unknown[]): unknown {
  return callOp('scatterAdd', args)
}

/**
 * self folded with src at index[…] along a dim: 'sum', 'prod', 'mean', 'amax' or 'amin'; includeSelf false leaves self's own value out where something is put.
 *
 * @param input the tensor: a tensor
 * @param dim the dim (negative ones count from the end): an integer
 * @param index the places along the dim: a tensor
 * @param src what is folded in: a tensor
 * @param reduce 'sum', 'prod', 'mean', 'amax' or 'amin'
 * @param includeSelf whether own values count where something is put: true or false; default true
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function scatterReduce(input: Tensor, dim: number, index: Tensor, src: Tensor, reduce: 'sum' | 'prod' | 'mean' | 'amax' | 'amin', options?: { readonly includeSelf?: boolean | undefined }): Tensor
/**
 * self folded with src at index[…] along a dim: 'sum', 'prod', 'mean', 'amax' or 'amin'; includeSelf false leaves self's own value out where something is put.
 *
 * @param input the tensor: a tensor
 * @param dim the dim (negative ones count from the end): an integer
 * @param index the places along the dim: a tensor
 * @param src what is folded in: a tensor
 * @param reduce 'sum', 'prod', 'mean', 'amax' or 'amin'
 * @param includeSelf whether own values count where something is put: true or false; default true
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function scatterReduce(...args: [input: Tensor, dim: number, index: Tensor, src: Tensor, options: { readonly reduce: 'sum' | 'prod' | 'mean' | 'amax' | 'amin'; readonly includeSelf?: boolean | undefined }] | [input: Tensor, dim: number, index: Tensor, options: { readonly src: Tensor; readonly reduce: 'sum' | 'prod' | 'mean' | 'amax' | 'amin'; readonly includeSelf?: boolean | undefined }] | [input: Tensor, dim: number, options: { readonly index: Tensor; readonly src: Tensor; readonly reduce: 'sum' | 'prod' | 'mean' | 'amax' | 'amin'; readonly includeSelf?: boolean | undefined }] | [input: Tensor, options: { readonly dim: number; readonly index: Tensor; readonly src: Tensor; readonly reduce: 'sum' | 'prod' | 'mean' | 'amax' | 'amin'; readonly includeSelf?: boolean | undefined }] | [options: { readonly input: Tensor; readonly dim: number; readonly index: Tensor; readonly src: Tensor; readonly reduce: 'sum' | 'prod' | 'mean' | 'amax' | 'amin'; readonly includeSelf?: boolean | undefined }]): Tensor
export function scatterReduce(...args: readonly unknown[]): unknown {
  return callOp('scatterReduce', args)
}

/**
 * self with alpha · source added to its slices at a 1-D index along a dim.
 *
 * @param input the tensor: a tensor
 * @param dim the dim (negative ones count from the end): an integer
 * @param index the places along the dim: a tensor
 * @param source what is put there: a tensor
 * @param alpha a factor of source; 1 unless given: a tensor or a number; optional
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function indexAdd(input: Tensor, dim: number, index: Tensor, source: Tensor, options?: { readonly alpha?: Operand | null | undefined }): Tensor
/**
 * self with alpha · source added to its slices at a 1-D index along a dim.
 *
 * @param input the tensor: a tensor
 * @param dim the dim (negative ones count from the end): an integer
 * @param index the places along the dim: a tensor
 * @param source what is put there: a tensor
 * @param alpha a factor of source; 1 unless given: a tensor or a number; optional
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function indexAdd(...args: [input: Tensor, dim: number, index: Tensor, options: { readonly source: Tensor; readonly alpha?: Operand | null | undefined }] | [input: Tensor, dim: number, options: { readonly index: Tensor; readonly source: Tensor; readonly alpha?: Operand | null | undefined }] | [input: Tensor, options: { readonly dim: number; readonly index: Tensor; readonly source: Tensor; readonly alpha?: Operand | null | undefined }] | [options: { readonly input: Tensor; readonly dim: number; readonly index: Tensor; readonly source: Tensor; readonly alpha?: Operand | null | undefined }]): Tensor
export function indexAdd(...args: readonly unknown[]): unknown {
  return callOp('indexAdd', args)
}

/**
 * self with its slices at a 1-D index along a dim replaced by those of source.
 *
 * @param input the tensor: a tensor
 * @param dim the dim (negative ones count from the end): an integer
 * @param index the places along the dim: a tensor
 * @param source what is put there: a tensor
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function indexCopy(input: Tensor, dim: number, index: Tensor, source: Tensor): Tensor
/**
 * self with its slices at a 1-D index along a dim replaced by those of source.
 *
 * @param input the tensor: a tensor
 * @param dim the dim (negative ones count from the end): an integer
 * @param index the places along the dim: a tensor
 * @param source what is put there: a tensor
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function indexCopy(...args: [input: Tensor, dim: number, index: Tensor, options: { readonly source: Tensor }] | [input: Tensor, dim: number, options: { readonly index: Tensor; readonly source: Tensor }] | [input: Tensor, options: { readonly dim: number; readonly index: Tensor; readonly source: Tensor }] | [options: { readonly input: Tensor; readonly dim: number; readonly index: Tensor; readonly source: Tensor }]): Tensor
export function indexCopy(...args: readonly unknown[]): unknown {
  return callOp('indexCopy', args)
}

/**
 * self with its slices at a 1-D index along a dim filled with a value; negative indices count from the end.
 *
 * @param input the tensor: a tensor
 * @param dim the dim (negative ones count from the end): an integer
 * @param index the places along the dim: a tensor
 * @param value a tensor or a number
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function indexFill(input: Tensor, dim: number, index: Tensor, value: Operand): Tensor
/**
 * self with its slices at a 1-D index along a dim filled with a value; negative indices count from the end.
 *
 * @param input the tensor: a tensor
 * @param dim the dim (negative ones count from the end): an integer
 * @param index the places along the dim: a tensor
 * @param value a tensor or a number
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function indexFill(...args: [input: Tensor, dim: number, index: Tensor, options: { readonly value: Operand }] | [input: Tensor, dim: number, options: { readonly index: Tensor; readonly value: Operand }] | [input: Tensor, options: { readonly dim: number; readonly index: Tensor; readonly value: Operand }] | [options: { readonly input: Tensor; readonly dim: number; readonly index: Tensor; readonly value: Operand }]): Tensor
export function indexFill(...args: readonly unknown[]): unknown {
  return callOp('indexFill', args)
}

/**
 * As gather, with self and the index broadcast to each other, negative indices counted from the end; without dim both are flattened.
 *
 * @param input the tensor: a tensor
 * @param indices the places along the dim: a tensor
 * @param dim the dim; without it both are flattened: an integer; optional
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function takeAlongDim(input: Tensor, indices: Tensor, dim?: number | null): Tensor
/**
 * As gather, with self and the index broadcast to each other, negative indices counted from the end; without dim both are flattened.
 *
 * @param input the tensor: a tensor
 * @param indices the places along the dim: a tensor
 * @param dim the dim; without it both are flattened: an integer; optional
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function takeAlongDim(...args: [input: Tensor, indices: Tensor, options?: { readonly dim?: number | null | undefined }] | [input: Tensor, options: { readonly indices: Tensor; readonly dim?: number | null | undefined }] | [options: { readonly input: Tensor; readonly indices: Tensor; readonly dim?: number | null | undefined }]): Tensor
export function takeAlongDim(...args: readonly unknown[]): unknown {
  return callOp('takeAlongDim', args)
}

/**
 * The elements of the flattened tensor at an index of any shape; negative counts from the end. An index out of range gives 0.
 *
 * @param input the tensor: a tensor
 * @param index the places along the dim: a tensor
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function take(input: Tensor, index: Tensor): Tensor
/**
 * The elements of the flattened tensor at an index of any shape; negative counts from the end. An index out of range gives 0.
 *
 * @param input the tensor: a tensor
 * @param index the places along the dim: a tensor
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function take(...args: [input: Tensor, options: { readonly index: Tensor }] | [options: { readonly input: Tensor; readonly index: Tensor }]): Tensor
export function take(...args: readonly unknown[]): unknown {
  return callOp('take', args)
}

/**
 * self with the elements of source, one after another, where mask (bool) is true; 0 when there are too few.
 *
 * @param input the tensor: a tensor
 * @param mask where: true counts: a tensor
 * @param source what is put there: a tensor
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function maskedScatter(input: Tensor, mask: Tensor, source: Tensor): Tensor
/**
 * self with the elements of source, one after another, where mask (bool) is true; 0 when there are too few.
 *
 * @param input the tensor: a tensor
 * @param mask where: true counts: a tensor
 * @param source what is put there: a tensor
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function maskedScatter(...args: [input: Tensor, mask: Tensor, options: { readonly source: Tensor }] | [input: Tensor, options: { readonly mask: Tensor; readonly source: Tensor }] | [options: { readonly input: Tensor; readonly mask: Tensor; readonly source: Tensor }]): Tensor
export function maskedScatter(...args: readonly unknown[]): unknown {
  return callOp('maskedScatter', args)
}

/**
 * self with src at one index of a dim.
 *
 * @param input the tensor: a tensor
 * @param src what is put there: a tensor
 * @param dim the dim (negative ones count from the end): an integer
 * @param index the place along the dim; negative counts from the end: an integer
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function selectScatter(input: Tensor, src: Tensor, dim: number, index: number): Tensor
/**
 * self with src at one index of a dim.
 *
 * @param input the tensor: a tensor
 * @param src what is put there: a tensor
 * @param dim the dim (negative ones count from the end): an integer
 * @param index the place along the dim; negative counts from the end: an integer
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function selectScatter(...args: [input: Tensor, src: Tensor, dim: number, options: { readonly index: number }] | [input: Tensor, src: Tensor, options: { readonly dim: number; readonly index: number }] | [input: Tensor, options: { readonly src: Tensor; readonly dim: number; readonly index: number }] | [options: { readonly input: Tensor; readonly src: Tensor; readonly dim: number; readonly index: number }]): Tensor
export function selectScatter(...args: readonly unknown[]): unknown {
  return callOp('selectScatter', args)
}

/**
 * self with src at the places start, start + step, … below end of a dim.
 *
 * @param input the tensor: a tensor
 * @param src what is put there: a tensor
 * @param dim the dim (negative ones count from the end): an integer; default 0
 * @param start by default the first place: an integer; optional
 * @param end by default behind the last place: an integer; optional
 * @param step how far the next place lies: an integer of at least 1; default 1
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function sliceScatter(input: Tensor, src: Tensor, dim?: number, start?: number | null, end?: number | null, step?: number): Tensor
/**
 * self with src at the places start, start + step, … below end of a dim.
 *
 * @param input the tensor: a tensor
 * @param src what is put there: a tensor
 * @param dim the dim (negative ones count from the end): an integer; default 0
 * @param start by default the first place: an integer; optional
 * @param end by default behind the last place: an integer; optional
 * @param step how far the next place lies: an integer of at least 1; default 1
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function sliceScatter(...args: [input: Tensor, src: Tensor, dim: number | undefined, start: number | null | undefined, end: number | null | undefined, options?: { readonly step?: number | undefined }] | [input: Tensor, src: Tensor, dim: number | undefined, start: number | null | undefined, options?: { readonly end?: number | null | undefined; readonly step?: number | undefined }] | [input: Tensor, src: Tensor, dim: number | undefined, options?: { readonly start?: number | null | undefined; readonly end?: number | null | undefined; readonly step?: number | undefined }] | [input: Tensor, src: Tensor, options?: { readonly dim?: number | undefined; readonly start?: number | null | undefined; readonly end?: number | null | undefined; readonly step?: number | undefined }] | [input: Tensor, options: { readonly src: Tensor; readonly dim?: number | undefined; readonly start?: number | null | undefined; readonly end?: number | null | undefined; readonly step?: number | undefined }] | [options: { readonly input: Tensor; readonly src: Tensor; readonly dim?: number | undefined; readonly start?: number | null | undefined; readonly end?: number | null | undefined; readonly step?: number | undefined }]): Tensor
export function sliceScatter(...args: readonly unknown[]): unknown {
  return callOp('sliceScatter', args)
}

/**
 * Matrices in dims dim1 and dim2 with the last dim of self on a diagonal, 0 elsewhere.
 *
 * @param input the tensor: a tensor
 * @param offset which diagonal: to the right of the main one, negative ones below it: an integer; default 0
 * @param dim1 one dim (negative ones count from the end): an integer; default -2
 * @param dim2 the other dim (negative ones count from the end): an integer; default -1
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function diagEmbed(input: Tensor, offset?: IndexLike, dim1?: number, dim2?: number): Tensor
/**
 * Matrices in dims dim1 and dim2 with the last dim of self on a diagonal, 0 elsewhere.
 *
 * @param input the tensor: a tensor
 * @param offset which diagonal: to the right of the main one, negative ones below it: an integer; default 0
 * @param dim1 one dim (negative ones count from the end): an integer; default -2
 * @param dim2 the other dim (negative ones count from the end): an integer; default -1
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function diagEmbed(...args: [input: Tensor, offset: IndexLike | undefined, dim1: number | undefined, options?: { readonly dim2?: number | undefined }] | [input: Tensor, offset: IndexLike | undefined, options?: { readonly dim1?: number | undefined; readonly dim2?: number | undefined }] | [input: Tensor, options?: { readonly offset?: IndexLike | undefined; readonly dim1?: number | undefined; readonly dim2?: number | undefined }] | [options: { readonly input: Tensor; readonly offset?: IndexLike | undefined; readonly dim1?: number | undefined; readonly dim2?: number | undefined }]): Tensor
export function diagEmbed(...args: readonly unknown[]): unknown {
  return callOp('diagEmbed', args)
}

/**
 * The values in ascending (descending) order along a dim and where they were; stable, NaN last (first).
 *
 * @param input the tensor: a tensor
 * @param dim the dim (negative ones count from the end): an integer; default -1
 * @param descending the largest first: true or false; default false
 * @param stable true or false; default false
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function sort(input: Tensor, dim?: number, descending?: boolean, stable?: boolean): { readonly values: Tensor; readonly indices: Tensor }
/**
 * The values in ascending (descending) order along a dim and where they were; stable, NaN last (first).
 *
 * @param input the tensor: a tensor
 * @param dim the dim (negative ones count from the end): an integer; default -1
 * @param descending the largest first: true or false; default false
 * @param stable true or false; default false
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function sort(...args: [input: Tensor, dim: number | undefined, descending: boolean | undefined, options?: { readonly stable?: boolean | undefined }] | [input: Tensor, dim: number | undefined, options?: { readonly descending?: boolean | undefined; readonly stable?: boolean | undefined }] | [input: Tensor, options?: { readonly dim?: number | undefined; readonly descending?: boolean | undefined; readonly stable?: boolean | undefined }] | [options: { readonly input: Tensor; readonly dim?: number | undefined; readonly descending?: boolean | undefined; readonly stable?: boolean | undefined }]): { readonly values: Tensor; readonly indices: Tensor }
export function sort(...args: readonly unknown[]): unknown {
  return callOp('sort', args)
}

/**
 * The indices that sort a tensor along a dim; stable.
 *
 * @param input the tensor: a tensor
 * @param dim the dim (negative ones count from the end): an integer; default -1
 * @param descending the largest first: true or false; default false
 * @param stable true or false; default false
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function argsort(input: Tensor, dim?: number, descending?: boolean, stable?: boolean): Tensor
/**
 * The indices that sort a tensor along a dim; stable.
 *
 * @param input the tensor: a tensor
 * @param dim the dim (negative ones count from the end): an integer; default -1
 * @param descending the largest first: true or false; default false
 * @param stable true or false; default false
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function argsort(...args: [input: Tensor, dim: number | undefined, descending: boolean | undefined, options?: { readonly stable?: boolean | undefined }] | [input: Tensor, dim: number | undefined, options?: { readonly descending?: boolean | undefined; readonly stable?: boolean | undefined }] | [input: Tensor, options?: { readonly dim?: number | undefined; readonly descending?: boolean | undefined; readonly stable?: boolean | undefined }] | [options: { readonly input: Tensor; readonly dim?: number | undefined; readonly descending?: boolean | undefined; readonly stable?: boolean | undefined }]): Tensor
export function argsort(...args: readonly unknown[]): unknown {
  return callOp('argsort', args)
}

/**
 * The k largest (smallest) values along a dim, best first, and where they are; at a tie the first.
 *
 * @param input the tensor: a tensor
 * @param k how many: an integer of at least 0
 * @param dim the dim (negative ones count from the end): an integer; default -1
 * @param largest the largest, not the smallest: true or false; default true
 * @param sorted whether their order matters; they come best first either way: true or false; default true
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function topk(input: Tensor, k: SizeLike, dim?: number, largest?: boolean, sorted?: boolean): { readonly values: Tensor; readonly indices: Tensor }
/**
 * The k largest (smallest) values along a dim, best first, and where they are; at a tie the first.
 *
 * @param input the tensor: a tensor
 * @param k how many: an integer of at least 0
 * @param dim the dim (negative ones count from the end): an integer; default -1
 * @param largest the largest, not the smallest: true or false; default true
 * @param sorted whether their order matters; they come best first either way: true or false; default true
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function topk(...args: [input: Tensor, k: SizeLike, dim: number | undefined, largest: boolean | undefined, options?: { readonly sorted?: boolean | undefined }] | [input: Tensor, k: SizeLike, dim: number | undefined, options?: { readonly largest?: boolean | undefined; readonly sorted?: boolean | undefined }] | [input: Tensor, k: SizeLike, options?: { readonly dim?: number | undefined; readonly largest?: boolean | undefined; readonly sorted?: boolean | undefined }] | [input: Tensor, options: { readonly k: SizeLike; readonly dim?: number | undefined; readonly largest?: boolean | undefined; readonly sorted?: boolean | undefined }] | [options: { readonly input: Tensor; readonly k: SizeLike; readonly dim?: number | undefined; readonly largest?: boolean | undefined; readonly sorted?: boolean | undefined }]): { readonly values: Tensor; readonly indices: Tensor }
export function topk(...args: readonly unknown[]): unknown {
  return callOp('topk', args)
}

/**
 * The places at which values would go into a sequence sorted along its last dim, before (right: behind) equals.
 *
 * @param sortedSequence sorted along its last dim: a tensor
 * @param input what is looked for: a tensor or a number
 * @param outInt32 give i32 instead of i64: true or false; default false
 * @param right behind equal elements instead of before them: true or false; default false
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function searchsorted(sortedSequence: Tensor, input: Operand, options?: { readonly outInt32?: boolean | undefined; readonly right?: boolean | undefined }): Tensor
/**
 * The places at which values would go into a sequence sorted along its last dim, before (right: behind) equals.
 *
 * @param sortedSequence sorted along its last dim: a tensor
 * @param input what is looked for: a tensor or a number
 * @param outInt32 give i32 instead of i64: true or false; default false
 * @param right behind equal elements instead of before them: true or false; default false
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function searchsorted(...args: [sortedSequence: Tensor, options: { readonly input: Operand; readonly outInt32?: boolean | undefined; readonly right?: boolean | undefined }] | [options: { readonly sortedSequence: Tensor; readonly input: Operand; readonly outInt32?: boolean | undefined; readonly right?: boolean | undefined }]): Tensor
export function searchsorted(...args: readonly unknown[]): unknown {
  return callOp('searchsorted', args)
}

/**
 * For each element the number of sorted boundaries (1-D) below it; right counts those equal to it too.
 *
 * @param input the tensor: a tensor
 * @param boundaries sorted, 1-D: a tensor
 * @param outInt32 give i32 instead of i64: true or false; default false
 * @param right behind equal elements instead of before them: true or false; default false
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function bucketize(input: Tensor, boundaries: Tensor, options?: { readonly outInt32?: boolean | undefined; readonly right?: boolean | undefined }): Tensor
/**
 * For each element the number of sorted boundaries (1-D) below it; right counts those equal to it too.
 *
 * @param input the tensor: a tensor
 * @param boundaries sorted, 1-D: a tensor
 * @param outInt32 give i32 instead of i64: true or false; default false
 * @param right behind equal elements instead of before them: true or false; default false
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function bucketize(...args: [input: Tensor, options: { readonly boundaries: Tensor; readonly outInt32?: boolean | undefined; readonly right?: boolean | undefined }] | [options: { readonly input: Tensor; readonly boundaries: Tensor; readonly outInt32?: boolean | undefined; readonly right?: boolean | undefined }]): Tensor
export function bucketize(...args: readonly unknown[]): unknown {
  return callOp('bucketize', args)
}

/**
 * How many elements lie in each of bins equal parts of [min, max]; others do not count.
 *
 * @param input the tensor: a tensor
 * @param bins how many: an integer of at least 1; default 100
 * @param min with max both 0: the smallest element: a number; default 0
 * @param max the end of the last bin: a number; default 0
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function histc(input: Tensor, bins?: number, min?: number, max?: number): Tensor
/**
 * How many elements lie in each of bins equal parts of [min, max]; others do not count.
 *
 * @param input the tensor: a tensor
 * @param bins how many: an integer of at least 1; default 100
 * @param min with max both 0: the smallest element: a number; default 0
 * @param max the end of the last bin: a number; default 0
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function histc(...args: [input: Tensor, bins: number | undefined, min: number | undefined, options?: { readonly max?: number | undefined }] | [input: Tensor, bins: number | undefined, options?: { readonly min?: number | undefined; readonly max?: number | undefined }] | [input: Tensor, options?: { readonly bins?: number | undefined; readonly min?: number | undefined; readonly max?: number | undefined }] | [options: { readonly input: Tensor; readonly bins?: number | undefined; readonly min?: number | undefined; readonly max?: number | undefined }]): Tensor
export function histc(...args: readonly unknown[]): unknown {
  return callOp('histc', args)
}

/**
 * True where an element is one of the test elements (with invert: none of them).
 *
 * @param elements the tensor: a tensor
 * @param testElements what is looked for: a tensor or a number
 * @param invert true where an element is none of them: true or false; default false
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function isin(elements: Tensor, testElements: Operand, options?: { readonly invert?: boolean | undefined }): Tensor
/**
 * True where an element is one of the test elements (with invert: none of them).
 *
 * @param elements the tensor: a tensor
 * @param testElements what is looked for: a tensor or a number
 * @param invert true where an element is none of them: true or false; default false
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function isin(...args: [elements: Tensor, options: { readonly testElements: Operand; readonly invert?: boolean | undefined }] | [options: { readonly elements: Tensor; readonly testElements: Operand; readonly invert?: boolean | undefined }]): Tensor
export function isin(...args: readonly unknown[]): unknown {
  return callOp('isin', args)
}

/**
 * The product of two matrices.
 *
 * @param input the tensor: a tensor
 * @param mat2 a tensor
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function mm(input: Tensor, mat2: Tensor): Tensor
/**
 * The product of two matrices.
 *
 * @param input the tensor: a tensor
 * @param mat2 a tensor
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function mm(...args: [input: Tensor, options: { readonly mat2: Tensor }] | [options: { readonly input: Tensor; readonly mat2: Tensor }]): Tensor
export function mm(...args: readonly unknown[]): unknown {
  return callOp('mm', args)
}

/**
 * The products of two batches of matrices.
 *
 * @param input the tensor: a tensor
 * @param mat2 a tensor
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function bmm(input: Tensor, mat2: Tensor): Tensor
/**
 * The products of two batches of matrices.
 *
 * @param input the tensor: a tensor
 * @param mat2 a tensor
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function bmm(...args: [input: Tensor, options: { readonly mat2: Tensor }] | [options: { readonly input: Tensor; readonly mat2: Tensor }]): Tensor
export function bmm(...args: readonly unknown[]): unknown {
  return callOp('bmm', args)
}

/**
 * The product of a matrix and a vector.
 *
 * @param input the tensor: a tensor
 * @param vec a tensor
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function mv(input: Tensor, vec: Tensor): Tensor
/**
 * The product of a matrix and a vector.
 *
 * @param input the tensor: a tensor
 * @param vec a tensor
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function mv(...args: [input: Tensor, options: { readonly vec: Tensor }] | [options: { readonly input: Tensor; readonly vec: Tensor }]): Tensor
export function mv(...args: readonly unknown[]): unknown {
  return callOp('mv', args)
}

/**
 * Σ self · other of two vectors.
 *
 * @param input the tensor: a tensor
 * @param other what it is combined with; the two broadcast: a tensor
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function dot(input: Tensor, other: Tensor): Tensor
/**
 * Σ self · other of two vectors.
 *
 * @param input the tensor: a tensor
 * @param other what it is combined with; the two broadcast: a tensor
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function dot(...args: [input: Tensor, options: { readonly other: Tensor }] | [options: { readonly input: Tensor; readonly other: Tensor }]): Tensor
export function dot(...args: readonly unknown[]): unknown {
  return callOp('dot', args)
}

/**
 * The matrix product; vectors are rows on the left and columns on the right, batch dims broadcast.
 *
 * @param input the tensor: a tensor
 * @param other what it is combined with; the two broadcast: a tensor
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function matmul(input: Tensor, other: Tensor): Tensor
/**
 * The matrix product; vectors are rows on the left and columns on the right, batch dims broadcast.
 *
 * @param input the tensor: a tensor
 * @param other what it is combined with; the two broadcast: a tensor
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function matmul(...args: [input: Tensor, options: { readonly other: Tensor }] | [options: { readonly input: Tensor; readonly other: Tensor }]): Tensor
export function matmul(...args: readonly unknown[]): unknown {
  return callOp('matmul', args)
}

/**
 * self · weightᵀ + bias on the last dim; weight [out, in], bias [out].
 *
 * @param input the tensor: a tensor
 * @param weight a matrix [out, in]: a tensor
 * @param bias a summand per output: [out]: a tensor; optional
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function linear(input: Tensor, weight: Tensor, bias?: Tensor | null): Tensor
/**
 * self · weightᵀ + bias on the last dim; weight [out, in], bias [out].
 *
 * @param input the tensor: a tensor
 * @param weight a matrix [out, in]: a tensor
 * @param bias a summand per output: [out]: a tensor; optional
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function linear(...args: [input: Tensor, weight: Tensor, options?: { readonly bias?: Tensor | null | undefined }] | [input: Tensor, options: { readonly weight: Tensor; readonly bias?: Tensor | null | undefined }] | [options: { readonly input: Tensor; readonly weight: Tensor; readonly bias?: Tensor | null | undefined }]): Tensor
export function linear(...args: readonly unknown[]): unknown {
  return callOp('linear', args)
}

/**
 * beta · self + alpha · (mat1 @ mat2) of matrices.
 *
 * @param input the tensor: a tensor
 * @param mat1 a tensor
 * @param mat2 a tensor
 * @param beta a factor on the input; 0 ignores it, NaN included: a number; default 1
 * @param alpha a factor on the product: a number; default 1
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function addmm(input: Tensor, mat1: Tensor, mat2: Tensor, options?: { readonly beta?: number | undefined; readonly alpha?: number | undefined }): Tensor
/**
 * beta · self + alpha · (mat1 @ mat2) of matrices.
 *
 * @param input the tensor: a tensor
 * @param mat1 a tensor
 * @param mat2 a tensor
 * @param beta a factor on the input; 0 ignores it, NaN included: a number; default 1
 * @param alpha a factor on the product: a number; default 1
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function addmm(...args: [input: Tensor, mat1: Tensor, options: { readonly mat2: Tensor; readonly beta?: number | undefined; readonly alpha?: number | undefined }] | [input: Tensor, options: { readonly mat1: Tensor; readonly mat2: Tensor; readonly beta?: number | undefined; readonly alpha?: number | undefined }] | [options: { readonly input: Tensor; readonly mat1: Tensor; readonly mat2: Tensor; readonly beta?: number | undefined; readonly alpha?: number | undefined }]): Tensor
export function addmm(...args: readonly unknown[]): unknown {
  return callOp('addmm', args)
}

/**
 * beta · self + alpha · (batch1 @ batch2) of batches of matrices.
 *
 * @param input the tensor: a tensor
 * @param batch1 a tensor
 * @param batch2 a tensor
 * @param beta a factor on the input; 0 ignores it, NaN included: a number; default 1
 * @param alpha a factor on the product: a number; default 1
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function baddbmm(input: Tensor, batch1: Tensor, batch2: Tensor, options?: { readonly beta?: number | undefined; readonly alpha?: number | undefined }): Tensor
/**
 * beta · self + alpha · (batch1 @ batch2) of batches of matrices.
 *
 * @param input the tensor: a tensor
 * @param batch1 a tensor
 * @param batch2 a tensor
 * @param beta a factor on the input; 0 ignores it, NaN included: a number; default 1
 * @param alpha a factor on the product: a number; default 1
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function baddbmm(...args: [input: Tensor, batch1: Tensor, options: { readonly batch2: Tensor; readonly beta?: number | undefined; readonly alpha?: number | undefined }] | [input: Tensor, options: { readonly batch1: Tensor; readonly batch2: Tensor; readonly beta?: number | undefined; readonly alpha?: number | undefined }] | [options: { readonly input: Tensor; readonly batch1: Tensor; readonly batch2: Tensor; readonly beta?: number | undefined; readonly alpha?: number | undefined }]): Tensor
export function baddbmm(...args: readonly unknown[]): unknown {
  return callOp('baddbmm', args)
}

/**
 * beta · self + alpha · Σ (batch1 @ batch2), the sum of the products of two batches of matrices.
 *
 * @param input the tensor: a tensor
 * @param batch1 a tensor
 * @param batch2 a tensor
 * @param beta a factor on the input; 0 ignores it, NaN included: a number; default 1
 * @param alpha a factor on the product: a number; default 1
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function addbmm(input: Tensor, batch1: Tensor, batch2: Tensor, options?: { readonly beta?: number | undefined; readonly alpha?: number | undefined }): Tensor
/**
 * beta · self + alpha · Σ (batch1 @ batch2), the sum of the products of two batches of matrices.
 *
 * @param input the tensor: a tensor
 * @param batch1 a tensor
 * @param batch2 a tensor
 * @param beta a factor on the input; 0 ignores it, NaN included: a number; default 1
 * @param alpha a factor on the product: a number; default 1
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function addbmm(...args: [input: Tensor, batch1: Tensor, options: { readonly batch2: Tensor; readonly beta?: number | undefined; readonly alpha?: number | undefined }] | [input: Tensor, options: { readonly batch1: Tensor; readonly batch2: Tensor; readonly beta?: number | undefined; readonly alpha?: number | undefined }] | [options: { readonly input: Tensor; readonly batch1: Tensor; readonly batch2: Tensor; readonly beta?: number | undefined; readonly alpha?: number | undefined }]): Tensor
export function addbmm(...args: readonly unknown[]): unknown {
  return callOp('addbmm', args)
}

/**
 * beta · self + alpha · (mat @ vec).
 *
 * @param input the tensor: a tensor
 * @param mat a tensor
 * @param vec a tensor
 * @param beta a factor on the input; 0 ignores it, NaN included: a number; default 1
 * @param alpha a factor on the product: a number; default 1
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function addmv(input: Tensor, mat: Tensor, vec: Tensor, options?: { readonly beta?: number | undefined; readonly alpha?: number | undefined }): Tensor
/**
 * beta · self + alpha · (mat @ vec).
 *
 * @param input the tensor: a tensor
 * @param mat a tensor
 * @param vec a tensor
 * @param beta a factor on the input; 0 ignores it, NaN included: a number; default 1
 * @param alpha a factor on the product: a number; default 1
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function addmv(...args: [input: Tensor, mat: Tensor, options: { readonly vec: Tensor; readonly beta?: number | undefined; readonly alpha?: number | undefined }] | [input: Tensor, options: { readonly mat: Tensor; readonly vec: Tensor; readonly beta?: number | undefined; readonly alpha?: number | undefined }] | [options: { readonly input: Tensor; readonly mat: Tensor; readonly vec: Tensor; readonly beta?: number | undefined; readonly alpha?: number | undefined }]): Tensor
export function addmv(...args: readonly unknown[]): unknown {
  return callOp('addmv', args)
}

/**
 * Products summed over named dims: einsum('bij,bjk->bik', x, y); '...' stands for further dims.
 *
 * @param equation the dims of each tensor and of the result: 'bij,bjk->bik': a string
 * @param operands as many as it names: a list of tensors
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function einsum(equation: string, operands: readonly Tensor[]): Tensor
/**
 * Products summed over named dims: einsum('bij,bjk->bik', x, y); '...' stands for further dims.
 *
 * @param equation the dims of each tensor and of the result: 'bij,bjk->bik': a string
 * @param operands as many as it names: a list of tensors
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function einsum(equation: string, ...operands: readonly (Tensor)[]): Tensor
/**
 * Products summed over named dims: einsum('bij,bjk->bik', x, y); '...' stands for further dims.
 *
 * @param equation the dims of each tensor and of the result: 'bij,bjk->bik': a string
 * @param operands as many as it names: a list of tensors
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function einsum(...args: [equation: string, options: { readonly operands: readonly Tensor[] }] | [options: { readonly equation: string; readonly operands: readonly Tensor[] }]): Tensor
export function einsum(...args: readonly unknown[]): unknown {
  return callOp('einsum', args)
}

/**
 * self[i] · vec2[j] of two vectors.
 *
 * @param input the tensor: a tensor
 * @param vec2 a tensor
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function outer(input: Tensor, vec2: Tensor): Tensor
/**
 * self[i] · vec2[j] of two vectors.
 *
 * @param input the tensor: a tensor
 * @param vec2 a tensor
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function outer(...args: [input: Tensor, options: { readonly vec2: Tensor }] | [options: { readonly input: Tensor; readonly vec2: Tensor }]): Tensor
export function outer(...args: readonly unknown[]): unknown {
  return callOp('outer', args)
}

/**
 * Σ self · other over the last dim of both.
 *
 * @param input the tensor: a tensor
 * @param other what it is combined with; the two broadcast: a tensor
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function inner(input: Tensor, other: Tensor): Tensor
/**
 * Σ self · other over the last dim of both.
 *
 * @param input the tensor: a tensor
 * @param other what it is combined with; the two broadcast: a tensor
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function inner(...args: [input: Tensor, options: { readonly other: Tensor }] | [options: { readonly input: Tensor; readonly other: Tensor }]): Tensor
export function inner(...args: readonly unknown[]): unknown {
  return callOp('inner', args)
}

/**
 * Σ a · b over the last dims of a and the first of b, or over given pairs of dims.
 *
 * @param a a tensor
 * @param b a tensor
 * @param dims how many, or which: [those of a, those of b]: an integer of at least 0 or a list of lists of integers; default 2
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function tensordot(a: Tensor, b: Tensor, dims?: number | readonly (readonly number[])[]): Tensor
/**
 * Σ a · b over the last dims of a and the first of b, or over given pairs of dims.
 *
 * @param a a tensor
 * @param b a tensor
 * @param dims how many, or which: [those of a, those of b]: an integer of at least 0 or a list of lists of integers; default 2
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function tensordot(...args: [a: Tensor, b: Tensor, options?: { readonly dims?: number | readonly (readonly number[])[] | undefined }] | [a: Tensor, options: { readonly b: Tensor; readonly dims?: number | readonly (readonly number[])[] | undefined }] | [options: { readonly a: Tensor; readonly b: Tensor; readonly dims?: number | readonly (readonly number[])[] | undefined }]): Tensor
export function tensordot(...args: readonly unknown[]): unknown {
  return callOp('tensordot', args)
}

/**
 * The Kronecker product: every element of self times all of other, as blocks.
 *
 * @param input the tensor: a tensor
 * @param other what it is combined with; the two broadcast: a tensor
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function kron(input: Tensor, other: Tensor): Tensor
/**
 * The Kronecker product: every element of self times all of other, as blocks.
 *
 * @param input the tensor: a tensor
 * @param other what it is combined with; the two broadcast: a tensor
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function kron(...args: [input: Tensor, options: { readonly other: Tensor }] | [options: { readonly input: Tensor; readonly other: Tensor }]): Tensor
export function kron(...args: readonly unknown[]): unknown {
  return callOp('kron', args)
}

/**
 * The product of two or more matrices (the first and last may be vectors), in the order that costs least.
 *
 * @param tensors the tensors: a list of tensors
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function multiDot(tensors: readonly Tensor[]): Tensor
/**
 * The product of two or more matrices (the first and last may be vectors), in the order that costs least.
 *
 * @param tensors the tensors: a list of tensors
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function multiDot(...args: [options: { readonly tensors: readonly Tensor[] }]): Tensor
export function multiDot(...args: readonly unknown[]): unknown {
  return callOp('multiDot', args)
}

/**
 * Square matrices multiplied n times (n ≥ 0; 0 gives the identity).
 *
 * @param input the tensor: a tensor
 * @param n how many times; there is no inverse: an integer of at least 0
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function matrixPower(input: Tensor, n: number): Tensor
/**
 * Square matrices multiplied n times (n ≥ 0; 0 gives the identity).
 *
 * @param input the tensor: a tensor
 * @param n how many times; there is no inverse: an integer of at least 0
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function matrixPower(...args: [input: Tensor, options: { readonly n: number }] | [options: { readonly input: Tensor; readonly n: number }]): Tensor
export function matrixPower(...args: readonly unknown[]): unknown {
  return callOp('matrixPower', args)
}

/**
 * Σ self · other along a dim; both broadcast.
 *
 * @param input the tensor: a tensor
 * @param other what it is combined with; the two broadcast: a tensor
 * @param dim the dim (negative ones count from the end): an integer; default -1
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function vecdot(input: Tensor, other: Tensor, options?: { readonly dim?: number | undefined }): Tensor
/**
 * Σ self · other along a dim; both broadcast.
 *
 * @param input the tensor: a tensor
 * @param other what it is combined with; the two broadcast: a tensor
 * @param dim the dim (negative ones count from the end): an integer; default -1
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function vecdot(...args: [input: Tensor, options: { readonly other: Tensor; readonly dim?: number | undefined }] | [options: { readonly input: Tensor; readonly other: Tensor; readonly dim?: number | undefined }]): Tensor
export function vecdot(...args: readonly unknown[]): unknown {
  return callOp('vecdot', args)
}

/**
 * The cross product of vectors of 3 along a dim (default: the first of size 3); both broadcast.
 *
 * @param input the tensor: a tensor
 * @param other what it is combined with; the two broadcast: a tensor
 * @param dim the dim (negative ones count from the end): an integer; optional
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function cross(input: Tensor, other: Tensor, dim?: number | null): Tensor
/**
 * The cross product of vectors of 3 along a dim (default: the first of size 3); both broadcast.
 *
 * @param input the tensor: a tensor
 * @param other what it is combined with; the two broadcast: a tensor
 * @param dim the dim (negative ones count from the end): an integer; optional
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function cross(...args: [input: Tensor, other: Tensor, options?: { readonly dim?: number | null | undefined }] | [input: Tensor, options: { readonly other: Tensor; readonly dim?: number | null | undefined }] | [options: { readonly input: Tensor; readonly other: Tensor; readonly dim?: number | null | undefined }]): Tensor
export function cross(...args: readonly unknown[]): unknown {
  return callOp('cross', args)
}

/**
 * beta · self + alpha · the outer product of two vectors.
 *
 * @param input the tensor: a tensor
 * @param vec1 a tensor
 * @param vec2 a tensor
 * @param beta a number; default 1
 * @param alpha a number; default 1
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function addr(input: Tensor, vec1: Tensor, vec2: Tensor, options?: { readonly beta?: number | undefined; readonly alpha?: number | undefined }): Tensor
/**
 * beta · self + alpha · the outer product of two vectors.
 *
 * @param input the tensor: a tensor
 * @param vec1 a tensor
 * @param vec2 a tensor
 * @param beta a number; default 1
 * @param alpha a number; default 1
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function addr(...args: [input: Tensor, vec1: Tensor, options: { readonly vec2: Tensor; readonly beta?: number | undefined; readonly alpha?: number | undefined }] | [input: Tensor, options: { readonly vec1: Tensor; readonly vec2: Tensor; readonly beta?: number | undefined; readonly alpha?: number | undefined }] | [options: { readonly input: Tensor; readonly vec1: Tensor; readonly vec2: Tensor; readonly beta?: number | undefined; readonly alpha?: number | undefined }]): Tensor
export function addr(...args: readonly unknown[]): unknown {
  return callOp('addr', args)
}

/**
 * Σ self[i] · weight[o, i, j] · other[j] + bias[o] on the last dims.
 *
 * @param input the tensor: a tensor
 * @param other what it is combined with; the two broadcast: a tensor
 * @param weight a tensor
 * @param bias a tensor; optional
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function bilinear(input: Tensor, other: Tensor, weight: Tensor, bias?: Tensor | null): Tensor
/**
 * Σ self[i] · weight[o, i, j] · other[j] + bias[o] on the last dims.
 *
 * @param input the tensor: a tensor
 * @param other what it is combined with; the two broadcast: a tensor
 * @param weight a tensor
 * @param bias a tensor; optional
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function bilinear(...args: [input: Tensor, other: Tensor, weight: Tensor, options?: { readonly bias?: Tensor | null | undefined }] | [input: Tensor, other: Tensor, options: { readonly weight: Tensor; readonly bias?: Tensor | null | undefined }] | [input: Tensor, options: { readonly other: Tensor; readonly weight: Tensor; readonly bias?: Tensor | null | undefined }] | [options: { readonly input: Tensor; readonly other: Tensor; readonly weight: Tensor; readonly bias?: Tensor | null | undefined }]): Tensor
export function bilinear(...args: readonly unknown[]): unknown {
  return callOp('bilinear', args)
}

/**
 * softmax(scale · self · keyᵀ + mask) · value, scale 1 / √E unless given; a row that sees no key gives 0, and nothing of the size of the scores is kept.
 *
 * @param input the tensor: a tensor
 * @param key a tensor
 * @param value a tensor
 * @param attnMask a mask that broadcasts to [B…, L, S]: bool, false hides a key; a float is added to the scores: a tensor; optional
 * @param isCausal row i sees keys 0 … i only; not together with a mask: true or false; default false
 * @param scale by default 1 / √E: a number; optional
 * @param enableGqa key and value have fewer heads (dim −3), each for as many consecutive heads of the query: true or false; default false
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function scaledDotProductAttention(input: Tensor, key: Tensor, value: Tensor, attnMask?: Tensor | null, options?: { readonly isCausal?: boolean | undefined; readonly scale?: number | null | undefined; readonly enableGqa?: boolean | undefined }): Tensor
/**
 * softmax(scale · self · keyᵀ + mask) · value, scale 1 / √E unless given; a row that sees no key gives 0, and nothing of the size of the scores is kept.
 *
 * @param input the tensor: a tensor
 * @param key a tensor
 * @param value a tensor
 * @param attnMask a mask that broadcasts to [B…, L, S]: bool, false hides a key; a float is added to the scores: a tensor; optional
 * @param isCausal row i sees keys 0 … i only; not together with a mask: true or false; default false
 * @param scale by default 1 / √E: a number; optional
 * @param enableGqa key and value have fewer heads (dim −3), each for as many consecutive heads of the query: true or false; default false
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function scaledDotProductAttention(...args: [input: Tensor, key: Tensor, value: Tensor, options?: { readonly attnMask?: Tensor | null | undefined; readonly isCausal?: boolean | undefined; readonly scale?: number | null | undefined; readonly enableGqa?: boolean | undefined }] | [input: Tensor, key: Tensor, options: { readonly value: Tensor; readonly attnMask?: Tensor | null | undefined; readonly isCausal?: boolean | undefined; readonly scale?: number | null | undefined; readonly enableGqa?: boolean | undefined }] | [input: Tensor, options: { readonly key: Tensor; readonly value: Tensor; readonly attnMask?: Tensor | null | undefined; readonly isCausal?: boolean | undefined; readonly scale?: number | null | undefined; readonly enableGqa?: boolean | undefined }] | [options: { readonly input: Tensor; readonly key: Tensor; readonly value: Tensor; readonly attnMask?: Tensor | null | undefined; readonly isCausal?: boolean | undefined; readonly scale?: number | null | undefined; readonly enableGqa?: boolean | undefined }]): Tensor
export function scaledDotProductAttention(...args: readonly unknown[]): unknown {
  return callOp('scaledDotProductAttention', args)
}

/**
 * The convolution of [N, C, …1 sizes] with a weight [O, C / groups, …1 kernel sizes], plus bias [O].
 *
 * @param input the tensor: a tensor
 * @param weight [O, C / groups, …kernel sizes]: a tensor
 * @param bias [O], added to each output channel: a tensor; optional
 * @param stride how far the next window starts, for all spatial dims or for each: an integer or a list of integers; default 1
 * @param padding how many zeros lie around, for all spatial dims or for each; 'same': as large as the input (stride 1 only); 'valid': none: an integer, a list of integers, 'same' or 'valid'; default 0
 * @param dilation how far the elements of a window lie apart, for all spatial dims or for each: an integer or a list of integers; default 1
 * @param groups into how many parts the channels divide that see nothing of each other: an integer of at least 1; default 1
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function conv1d(input: Tensor, weight: Tensor, bias?: Tensor | null, stride?: number | readonly number[], padding?: number | readonly number[] | 'same' | 'valid', dilation?: number | readonly number[], groups?: number): Tensor
/**
 * The convolution of [N, C, …1 sizes] with a weight [O, C / groups, …1 kernel sizes], plus bias [O].
 *
 * @param input the tensor: a tensor
 * @param weight [O, C / groups, …kernel sizes]: a tensor
 * @param bias [O], added to each output channel: a tensor; optional
 * @param stride how far the next window starts, for all spatial dims or for each: an integer or a list of integers; default 1
 * @param padding how many zeros lie around, for all spatial dims or for each; 'same': as large as the input (stride 1 only); 'valid': none: an integer, a list of integers, 'same' or 'valid'; default 0
 * @param dilation how far the elements of a window lie apart, for all spatial dims or for each: an integer or a list of integers; default 1
 * @param groups into how many parts the channels divide that see nothing of each other: an integer of at least 1; default 1
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function conv1d(...args: [input: Tensor, weight: Tensor, bias: Tensor | null | undefined, stride: number | readonly number[] | undefined, padding: number | readonly number[] | 'same' | 'valid' | undefined, dilation: number | readonly number[] | undefined, options?: { readonly groups?: number | undefined }] | [input: Tensor, weight: Tensor, bias: Tensor | null | undefined, stride: number | readonly number[] | undefined, padding: number | readonly number[] | 'same' | 'valid' | undefined, options?: { readonly dilation?: number | readonly number[] | undefined; readonly groups?: number | undefined }] | [input: Tensor, weight: Tensor, bias: Tensor | null | undefined, stride: number | readonly number[] | undefined, options?: { readonly padding?: number | readonly number[] | 'same' | 'valid' | undefined; readonly dilation?: number | readonly number[] | undefined; readonly groups?: number | undefined }] | [input: Tensor, weight: Tensor, bias: Tensor | null | undefined, options?: { readonly stride?: number | readonly number[] | undefined; readonly padding?: number | readonly number[] | 'same' | 'valid' | undefined; readonly dilation?: number | readonly number[] | undefined; readonly groups?: number | undefined }] | [input: Tensor, weight: Tensor, options?: { readonly bias?: Tensor | null | undefined; readonly stride?: number | readonly number[] | undefined; readonly padding?: number | readonly number[] | 'same' | 'valid' | undefined; readonly dilation?: number | readonly number[] | undefined; readonly groups?: number | undefined }] | [input: Tensor, options: { readonly weight: Tensor; readonly bias?: Tensor | null | undefined; readonly stride?: number | readonly number[] | undefined; readonly padding?: number | readonly number[] | 'same' | 'valid' | undefined; readonly dilation?: number | readonly number[] | undefined; readonly groups?: number | undefined }] | [options: { readonly input: Tensor; readonly weight: Tensor; readonly bias?: Tensor | null | undefined; readonly stride?: number | readonly number[] | undefined; readonly padding?: number | readonly number[] | 'same' | 'valid' | undefined; readonly dilation?: number | readonly number[] | undefined; readonly groups?: number | undefined }]): Tensor
export function conv1d(...args: readonly unknown[]): unknown {
  return callOp('conv1d', args)
}

/**
 * The convolution of [N, C, …2 sizes] with a weight [O, C / groups, …2 kernel sizes], plus bias [O].
 *
 * @param input the tensor: a tensor
 * @param weight [O, C / groups, …kernel sizes]: a tensor
 * @param bias [O], added to each output channel: a tensor; optional
 * @param stride how far the next window starts, for all spatial dims or for each: an integer or a list of integers; default 1
 * @param padding how many zeros lie around, for all spatial dims or for each; 'same': as large as the input (stride 1 only); 'valid': none: an integer, a list of integers, 'same' or 'valid'; default 0
 * @param dilation how far the elements of a window lie apart, for all spatial dims or for each: an integer or a list of integers; default 1
 * @param groups into how many parts the channels divide that see nothing of each other: an integer of at least 1; default 1
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function conv2d(input: Tensor, weight: Tensor, bias?: Tensor | null, stride?: number | readonly number[], padding?: number | readonly number[] | 'same' | 'valid', dilation?: number | readonly number[], groups?: number): Tensor
/**
 * The convolution of [N, C, …2 sizes] with a weight [O, C / groups, …2 kernel sizes], plus bias [O].
 *
 * @param input the tensor: a tensor
 * @param weight [O, C / groups, …kernel sizes]: a tensor
 * @param bias [O], added to each output channel: a tensor; optional
 * @param stride how far the next window starts, for all spatial dims or for each: an integer or a list of integers; default 1
 * @param padding how many zeros lie around, for all spatial dims or for each; 'same': as large as the input (stride 1 only); 'valid': none: an integer, a list of integers, 'same' or 'valid'; default 0
 * @param dilation how far the elements of a window lie apart, for all spatial dims or for each: an integer or a list of integers; default 1
 * @param groups into how many parts the channels divide that see nothing of each other: an integer of at least 1; default 1
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function conv2d(...args: [input: Tensor, weight: Tensor, bias: Tensor | null | undefined, stride: number | readonly number[] | undefined, padding: number | readonly number[] | 'same' | 'valid' | undefined, dilation: number | readonly number[] | undefined, options?: { readonly groups?: number | undefined }] | [input: Tensor, weight: Tensor, bias: Tensor | null | undefined, stride: number | readonly number[] | undefined, padding: number | readonly number[] | 'same' | 'valid' | undefined, options?: { readonly dilation?: number | readonly number[] | undefined; readonly groups?: number | undefined }] | [input: Tensor, weight: Tensor, bias: Tensor | null | undefined, stride: number | readonly number[] | undefined, options?: { readonly padding?: number | readonly number[] | 'same' | 'valid' | undefined; readonly dilation?: number | readonly number[] | undefined; readonly groups?: number | undefined }] | [input: Tensor, weight: Tensor, bias: Tensor | null | undefined, options?: { readonly stride?: number | readonly number[] | undefined; readonly padding?: number | readonly number[] | 'same' | 'valid' | undefined; readonly dilation?: number | readonly number[] | undefined; readonly groups?: number | undefined }] | [input: Tensor, weight: Tensor, options?: { readonly bias?: Tensor | null | undefined; readonly stride?: number | readonly number[] | undefined; readonly padding?: number | readonly number[] | 'same' | 'valid' | undefined; readonly dilation?: number | readonly number[] | undefined; readonly groups?: number | undefined }] | [input: Tensor, options: { readonly weight: Tensor; readonly bias?: Tensor | null | undefined; readonly stride?: number | readonly number[] | undefined; readonly padding?: number | readonly number[] | 'same' | 'valid' | undefined; readonly dilation?: number | readonly number[] | undefined; readonly groups?: number | undefined }] | [options: { readonly input: Tensor; readonly weight: Tensor; readonly bias?: Tensor | null | undefined; readonly stride?: number | readonly number[] | undefined; readonly padding?: number | readonly number[] | 'same' | 'valid' | undefined; readonly dilation?: number | readonly number[] | undefined; readonly groups?: number | undefined }]): Tensor
export function conv2d(...args: readonly unknown[]): unknown {
  return callOp('conv2d', args)
}

/**
 * The convolution of [N, C, …3 sizes] with a weight [O, C / groups, …3 kernel sizes], plus bias [O].
 *
 * @param input the tensor: a tensor
 * @param weight [O, C / groups, …kernel sizes]: a tensor
 * @param bias [O], added to each output channel: a tensor; optional
 * @param stride how far the next window starts, for all spatial dims or for each: an integer or a list of integers; default 1
 * @param padding how many zeros lie around, for all spatial dims or for each; 'same': as large as the input (stride 1 only); 'valid': none: an integer, a list of integers, 'same' or 'valid'; default 0
 * @param dilation how far the elements of a window lie apart, for all spatial dims or for each: an integer or a list of integers; default 1
 * @param groups into how many parts the channels divide that see nothing of each other: an integer of at least 1; default 1
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function conv3d(input: Tensor, weight: Tensor, bias?: Tensor | null, stride?: number | readonly number[], padding?: number | readonly number[] | 'same' | 'valid', dilation?: number | readonly number[], groups?: number): Tensor
/**
 * The convolution of [N, C, …3 sizes] with a weight [O, C / groups, …3 kernel sizes], plus bias [O].
 *
 * @param input the tensor: a tensor
 * @param weight [O, C / groups, …kernel sizes]: a tensor
 * @param bias [O], added to each output channel: a tensor; optional
 * @param stride how far the next window starts, for all spatial dims or for each: an integer or a list of integers; default 1
 * @param padding how many zeros lie around, for all spatial dims or for each; 'same': as large as the input (stride 1 only); 'valid': none: an integer, a list of integers, 'same' or 'valid'; default 0
 * @param dilation how far the elements of a window lie apart, for all spatial dims or for each: an integer or a list of integers; default 1
 * @param groups into how many parts the channels divide that see nothing of each other: an integer of at least 1; default 1
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function conv3d(...args: [input: Tensor, weight: Tensor, bias: Tensor | null | undefined, stride: number | readonly number[] | undefined, padding: number | readonly number[] | 'same' | 'valid' | undefined, dilation: number | readonly number[] | undefined, options?: { readonly groups?: number | undefined }] | [input: Tensor, weight: Tensor, bias: Tensor | null | undefined, stride: number | readonly number[] | undefined, padding: number | readonly number[] | 'same' | 'valid' | undefined, options?: { readonly dilation?: number | readonly number[] | undefined; readonly groups?: number | undefined }] | [input: Tensor, weight: Tensor, bias: Tensor | null | undefined, stride: number | readonly number[] | undefined, options?: { readonly padding?: number | readonly number[] | 'same' | 'valid' | undefined; readonly dilation?: number | readonly number[] | undefined; readonly groups?: number | undefined }] | [input: Tensor, weight: Tensor, bias: Tensor | null | undefined, options?: { readonly stride?: number | readonly number[] | undefined; readonly padding?: number | readonly number[] | 'same' | 'valid' | undefined; readonly dilation?: number | readonly number[] | undefined; readonly groups?: number | undefined }] | [input: Tensor, weight: Tensor, options?: { readonly bias?: Tensor | null | undefined; readonly stride?: number | readonly number[] | undefined; readonly padding?: number | readonly number[] | 'same' | 'valid' | undefined; readonly dilation?: number | readonly number[] | undefined; readonly groups?: number | undefined }] | [input: Tensor, options: { readonly weight: Tensor; readonly bias?: Tensor | null | undefined; readonly stride?: number | readonly number[] | undefined; readonly padding?: number | readonly number[] | 'same' | 'valid' | undefined; readonly dilation?: number | readonly number[] | undefined; readonly groups?: number | undefined }] | [options: { readonly input: Tensor; readonly weight: Tensor; readonly bias?: Tensor | null | undefined; readonly stride?: number | readonly number[] | undefined; readonly padding?: number | readonly number[] | 'same' | 'valid' | undefined; readonly dilation?: number | readonly number[] | undefined; readonly groups?: number | undefined }]): Tensor
export function conv3d(...args: readonly unknown[]): unknown {
  return callOp('conv3d', args)
}

/**
 * The transpose of conv1d: [N, C, …] with a weight [C, O / groups, …1 kernel sizes], plus bias [O]. A weight's NaN or infinity reaches results between those of its strides too.
 *
 * @param input the tensor: a tensor
 * @param weight [C, O / groups, …kernel sizes]: a tensor
 * @param bias [O], added to each output channel: a tensor; optional
 * @param stride of the convolution that this is the transpose of, for all spatial dims or for each: an integer or a list of integers; default 1
 * @param padding of that convolution: rows that are cut off on both sides: an integer or a list of integers; default 0
 * @param outputPadding rows added behind, to choose among the sizes that a strided convolution maps to one: an integer or a list of integers; default 0
 * @param groups into how many parts the channels divide that see nothing of each other: an integer of at least 1; default 1
 * @param dilation how far the elements of a window lie apart, for all spatial dims or for each: an integer or a list of integers; default 1
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function convTranspose1d(input: Tensor, weight: Tensor, bias?: Tensor | null, stride?: number | readonly number[], padding?: number | readonly number[], outputPadding?: number | readonly number[], groups?: number, dilation?: number | readonly number[]): Tensor
/**
 * The transpose of conv1d: [N, C, …] with a weight [C, O / groups, …1 kernel sizes], plus bias [O]. A weight's NaN or infinity reaches results between those of its strides too.
 *
 * @param input the tensor: a tensor
 * @param weight [C, O / groups, …kernel sizes]: a tensor
 * @param bias [O], added to each output channel: a tensor; optional
 * @param stride of the convolution that this is the transpose of, for all spatial dims or for each: an integer or a list of integers; default 1
 * @param padding of that convolution: rows that are cut off on both sides: an integer or a list of integers; default 0
 * @param outputPadding rows added behind, to choose among the sizes that a strided convolution maps to one: an integer or a list of integers; default 0
 * @param groups into how many parts the channels divide that see nothing of each other: an integer of at least 1; default 1
 * @param dilation how far the elements of a window lie apart, for all spatial dims or for each: an integer or a list of integers; default 1
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function convTranspose1d(...args: [input: Tensor, weight: Tensor, bias: Tensor | null | undefined, stride: number | readonly number[] | undefined, padding: number | readonly number[] | undefined, outputPadding: number | readonly number[] | undefined, groups: number | undefined, options?: { readonly dilation?: number | readonly number[] | undefined }] | [input: Tensor, weight: Tensor, bias: Tensor | null | undefined, stride: number | readonly number[] | undefined, padding: number | readonly number[] | undefined, outputPadding: number | readonly number[] | undefined, options?: { readonly groups?: number | undefined; readonly dilation?: number | readonly number[] | undefined }] | [input: Tensor, weight: Tensor, bias: Tensor | null | undefined, stride: number | readonly number[] | undefined, padding: number | readonly number[] | undefined, options?: { readonly outputPadding?: number | readonly number[] | undefined; readonly groups?: number | undefined; readonly dilation?: number | readonly number[] | undefined }] | [input: Tensor, weight: Tensor, bias: Tensor | null | undefined, stride: number | readonly number[] | undefined, options?: { readonly padding?: number | readonly number[] | undefined; readonly outputPadding?: number | readonly number[] | undefined; readonly groups?: number | undefined; readonly dilation?: number | readonly number[] | undefined }] | [input: Tensor, weight: Tensor, bias: Tensor | null | undefined, options?: { readonly stride?: number | readonly number[] | undefined; readonly padding?: number | readonly number[] | undefined; readonly outputPadding?: number | readonly number[] | undefined; readonly groups?: number | undefined; readonly dilation?: number | readonly number[] | undefined }] | [input: Tensor, weight: Tensor, options?: { readonly bias?: Tensor | null | undefined; readonly stride?: number | readonly number[] | undefined; readonly padding?: number | readonly number[] | undefined; readonly outputPadding?: number | readonly number[] | undefined; readonly groups?: number | undefined; readonly dilation?: number | readonly number[] | undefined }] | [input: Tensor, options: { readonly weight: Tensor; readonly bias?: Tensor | null | undefined; readonly stride?: number | readonly number[] | undefined; readonly padding?: number | readonly number[] | undefined; readonly outputPadding?: number | readonly number[] | undefined; readonly groups?: number | undefined; readonly dilation?: number | readonly number[] | undefined }] | [options: { readonly input: Tensor; readonly weight: Tensor; readonly bias?: Tensor | null | undefined; readonly stride?: number | readonly number[] | undefined; readonly padding?: number | readonly number[] | undefined; readonly outputPadding?: number | readonly number[] | undefined; readonly groups?: number | undefined; readonly dilation?: number | readonly number[] | undefined }]): Tensor
export function convTranspose1d(...args: readonly unknown[]): unknown {
  return callOp('convTranspose1d', args)
}

/**
 * The transpose of conv2d: [N, C, …] with a weight [C, O / groups, …2 kernel sizes], plus bias [O]. A weight's NaN or infinity reaches results between those of its strides too.
 *
 * @param input the tensor: a tensor
 * @param weight [C, O / groups, …kernel sizes]: a tensor
 * @param bias [O], added to each output channel: a tensor; optional
 * @param stride of the convolution that this is the transpose of, for all spatial dims or for each: an integer or a list of integers; default 1
 * @param padding of that convolution: rows that are cut off on both sides: an integer or a list of integers; default 0
 * @param outputPadding rows added behind, to choose among the sizes that a strided convolution maps to one: an integer or a list of integers; default 0
 * @param groups into how many parts the channels divide that see nothing of each other: an integer of at least 1; default 1
 * @param dilation how far the elements of a window lie apart, for all spatial dims or for each: an integer or a list of integers; default 1
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function convTranspose2d(input: Tensor, weight: Tensor, bias?: Tensor | null, stride?: number | readonly number[], padding?: number | readonly number[], outputPadding?: number | readonly number[], groups?: number, dilation?: number | readonly number[]): Tensor
/**
 * The transpose of conv2d: [N, C, …] with a weight [C, O / groups, …2 kernel sizes], plus bias [O]. A weight's NaN or infinity reaches results between those of its strides too.
 *
 * @param input the tensor: a tensor
 * @param weight [C, O / groups, …kernel sizes]: a tensor
 * @param bias [O], added to each output channel: a tensor; optional
 * @param stride of the convolution that this is the transpose of, for all spatial dims or for each: an integer or a list of integers; default 1
 * @param padding of that convolution: rows that are cut off on both sides: an integer or a list of integers; default 0
 * @param outputPadding rows added behind, to choose among the sizes that a strided convolution maps to one: an integer or a list of integers; default 0
 * @param groups into how many parts the channels divide that see nothing of each other: an integer of at least 1; default 1
 * @param dilation how far the elements of a window lie apart, for all spatial dims or for each: an integer or a list of integers; default 1
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function convTranspose2d(...args: [input: Tensor, weight: Tensor, bias: Tensor | null | undefined, stride: number | readonly number[] | undefined, padding: number | readonly number[] | undefined, outputPadding: number | readonly number[] | undefined, groups: number | undefined, options?: { readonly dilation?: number | readonly number[] | undefined }] | [input: Tensor, weight: Tensor, bias: Tensor | null | undefined, stride: number | readonly number[] | undefined, padding: number | readonly number[] | undefined, outputPadding: number | readonly number[] | undefined, options?: { readonly groups?: number | undefined; readonly dilation?: number | readonly number[] | undefined }] | [input: Tensor, weight: Tensor, bias: Tensor | null | undefined, stride: number | readonly number[] | undefined, padding: number | readonly number[] | undefined, options?: { readonly outputPadding?: number | readonly number[] | undefined; readonly groups?: number | undefined; readonly dilation?: number | readonly number[] | undefined }] | [input: Tensor, weight: Tensor, bias: Tensor | null | undefined, stride: number | readonly number[] | undefined, options?: { readonly padding?: number | readonly number[] | undefined; readonly outputPadding?: number | readonly number[] | undefined; readonly groups?: number | undefined; readonly dilation?: number | readonly number[] | undefined }] | [input: Tensor, weight: Tensor, bias: Tensor | null | undefined, options?: { readonly stride?: number | readonly number[] | undefined; readonly padding?: number | readonly number[] | undefined; readonly outputPadding?: number | readonly number[] | undefined; readonly groups?: number | undefined; readonly dilation?: number | readonly number[] | undefined }] | [input: Tensor, weight: Tensor, options?: { readonly bias?: Tensor | null | undefined; readonly stride?: number | readonly number[] | undefined; readonly padding?: number | readonly number[] | undefined; readonly outputPadding?: number | readonly number[] | undefined; readonly groups?: number | undefined; readonly dilation?: number | readonly number[] | undefined }] | [input: Tensor, options: { readonly weight: Tensor; readonly bias?: Tensor | null | undefined; readonly stride?: number | readonly number[] | undefined; readonly padding?: number | readonly number[] | undefined; readonly outputPadding?: number | readonly number[] | undefined; readonly groups?: number | undefined; readonly dilation?: number | readonly number[] | undefined }] | [options: { readonly input: Tensor; readonly weight: Tensor; readonly bias?: Tensor | null | undefined; readonly stride?: number | readonly number[] | undefined; readonly padding?: number | readonly number[] | undefined; readonly outputPadding?: number | readonly number[] | undefined; readonly groups?: number | undefined; readonly dilation?: number | readonly number[] | undefined }]): Tensor
export function convTranspose2d(...args: readonly unknown[]): unknown {
  return callOp('convTranspose2d', args)
}

/**
 * The transpose of conv3d: [N, C, …] with a weight [C, O / groups, …3 kernel sizes], plus bias [O]. A weight's NaN or infinity reaches results between those of its strides too.
 *
 * @param input the tensor: a tensor
 * @param weight [C, O / groups, …kernel sizes]: a tensor
 * @param bias [O], added to each output channel: a tensor; optional
 * @param stride of the convolution that this is the transpose of, for all spatial dims or for each: an integer or a list of integers; default 1
 * @param padding of that convolution: rows that are cut off on both sides: an integer or a list of integers; default 0
 * @param outputPadding rows added behind, to choose among the sizes that a strided convolution maps to one: an integer or a list of integers; default 0
 * @param groups into how many parts the channels divide that see nothing of each other: an integer of at least 1; default 1
 * @param dilation how far the elements of a window lie apart, for all spatial dims or for each: an integer or a list of integers; default 1
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function convTranspose3d(input: Tensor, weight: Tensor, bias?: Tensor | null, stride?: number | readonly number[], padding?: number | readonly number[], outputPadding?: number | readonly number[], groups?: number, dilation?: number | readonly number[]): Tensor
/**
 * The transpose of conv3d: [N, C, …] with a weight [C, O / groups, …3 kernel sizes], plus bias [O]. A weight's NaN or infinity reaches results between those of its strides too.
 *
 * @param input the tensor: a tensor
 * @param weight [C, O / groups, …kernel sizes]: a tensor
 * @param bias [O], added to each output channel: a tensor; optional
 * @param stride of the convolution that this is the transpose of, for all spatial dims or for each: an integer or a list of integers; default 1
 * @param padding of that convolution: rows that are cut off on both sides: an integer or a list of integers; default 0
 * @param outputPadding rows added behind, to choose among the sizes that a strided convolution maps to one: an integer or a list of integers; default 0
 * @param groups into how many parts the channels divide that see nothing of each other: an integer of at least 1; default 1
 * @param dilation how far the elements of a window lie apart, for all spatial dims or for each: an integer or a list of integers; default 1
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function convTranspose3d(...args: [input: Tensor, weight: Tensor, bias: Tensor | null | undefined, stride: number | readonly number[] | undefined, padding: number | readonly number[] | undefined, outputPadding: number | readonly number[] | undefined, groups: number | undefined, options?: { readonly dilation?: number | readonly number[] | undefined }] | [input: Tensor, weight: Tensor, bias: Tensor | null | undefined, stride: number | readonly number[] | undefined, padding: number | readonly number[] | undefined, outputPadding: number | readonly number[] | undefined, options?: { readonly groups?: number | undefined; readonly dilation?: number | readonly number[] | undefined }] | [input: Tensor, weight: Tensor, bias: Tensor | null | undefined, stride: number | readonly number[] | undefined, padding: number | readonly number[] | undefined, options?: { readonly outputPadding?: number | readonly number[] | undefined; readonly groups?: number | undefined; readonly dilation?: number | readonly number[] | undefined }] | [input: Tensor, weight: Tensor, bias: Tensor | null | undefined, stride: number | readonly number[] | undefined, options?: { readonly padding?: number | readonly number[] | undefined; readonly outputPadding?: number | readonly number[] | undefined; readonly groups?: number | undefined; readonly dilation?: number | readonly number[] | undefined }] | [input: Tensor, weight: Tensor, bias: Tensor | null | undefined, options?: { readonly stride?: number | readonly number[] | undefined; readonly padding?: number | readonly number[] | undefined; readonly outputPadding?: number | readonly number[] | undefined; readonly groups?: number | undefined; readonly dilation?: number | readonly number[] | undefined }] | [input: Tensor, weight: Tensor, options?: { readonly bias?: Tensor | null | undefined; readonly stride?: number | readonly number[] | undefined; readonly padding?: number | readonly number[] | undefined; readonly outputPadding?: number | readonly number[] | undefined; readonly groups?: number | undefined; readonly dilation?: number | readonly number[] | undefined }] | [input: Tensor, options: { readonly weight: Tensor; readonly bias?: Tensor | null | undefined; readonly stride?: number | readonly number[] | undefined; readonly padding?: number | readonly number[] | undefined; readonly outputPadding?: number | readonly number[] | undefined; readonly groups?: number | undefined; readonly dilation?: number | readonly number[] | undefined }] | [options: { readonly input: Tensor; readonly weight: Tensor; readonly bias?: Tensor | null | undefined; readonly stride?: number | readonly number[] | undefined; readonly padding?: number | readonly number[] | undefined; readonly outputPadding?: number | readonly number[] | undefined; readonly groups?: number | undefined; readonly dilation?: number | readonly number[] | undefined }]): Tensor
export function convTranspose3d(...args: readonly unknown[]): unknown {
  return callOp('convTranspose3d', args)
}

/**
 * The largest value of each window of [N, C, …]; padding never counts.
 *
 * @param input the tensor: a tensor
 * @param kernelSize how long a window is, for all spatial dims or for each: an integer or a list of integers
 * @param stride how far the next window starts, for all spatial dims or for each; kernelSize unless given: an integer or a list of integers; optional
 * @param padding how many elements lie around, at most half of kernelSize: an integer or a list of integers; default 0
 * @param dilation how far the elements of a window lie apart, for all spatial dims or for each: an integer or a list of integers; default 1
 * @param ceilMode also a last window that only partly lies inside: true or false; default false
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function maxPool1d(input: Tensor, kernelSize: number | readonly number[], stride?: number | readonly number[] | null, padding?: number | readonly number[], dilation?: number | readonly number[], ceilMode?: boolean): Tensor
/**
 * The largest value of each window of [N, C, …]; padding never counts.
 *
 * @param input the tensor: a tensor
 * @param kernelSize how long a window is, for all spatial dims or for each: an integer or a list of integers
 * @param stride how far the next window starts, for all spatial dims or for each; kernelSize unless given: an integer or a list of integers; optional
 * @param padding how many elements lie around, at most half of kernelSize: an integer or a list of integers; default 0
 * @param dilation how far the elements of a window lie apart, for all spatial dims or for each: an integer or a list of integers; default 1
 * @param ceilMode also a last window that only partly lies inside: true or false; default false
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function maxPool1d(...args: [input: Tensor, kernelSize: number | readonly number[], stride: number | readonly number[] | null | undefined, padding: number | readonly number[] | undefined, dilation: number | readonly number[] | undefined, options?: { readonly ceilMode?: boolean | undefined }] | [input: Tensor, kernelSize: number | readonly number[], stride: number | readonly number[] | null | undefined, padding: number | readonly number[] | undefined, options?: { readonly dilation?: number | readonly number[] | undefined; readonly ceilMode?: boolean | undefined }] | [input: Tensor, kernelSize: number | readonly number[], stride: number | readonly number[] | null | undefined, options?: { readonly padding?: number | readonly number[] | undefined; readonly dilation?: number | readonly number[] | undefined; readonly ceilMode?: boolean | undefined }] | [input: Tensor, kernelSize: number | readonly number[], options?: { readonly stride?: number | readonly number[] | null | undefined; readonly padding?: number | readonly number[] | undefined; readonly dilation?: number | readonly number[] | undefined; readonly ceilMode?: boolean | undefined }] | [input: Tensor, options: { readonly kernelSize: number | readonly number[]; readonly stride?: number | readonly number[] | null | undefined; readonly padding?: number | readonly number[] | undefined; readonly dilation?: number | readonly number[] | undefined; readonly ceilMode?: boolean | undefined }] | [options: { readonly input: Tensor; readonly kernelSize: number | readonly number[]; readonly stride?: number | readonly number[] | null | undefined; readonly padding?: number | readonly number[] | undefined; readonly dilation?: number | readonly number[] | undefined; readonly ceilMode?: boolean | undefined }]): Tensor
export function maxPool1d(...args: readonly unknown[]): unknown {
  return callOp('maxPool1d', args)
}

/**
 * The largest value of each window of [N, C, …]; padding never counts.
 *
 * @param input the tensor: a tensor
 * @param kernelSize how long a window is, for all spatial dims or for each: an integer or a list of integers
 * @param stride how far the next window starts, for all spatial dims or for each; kernelSize unless given: an integer or a list of integers; optional
 * @param padding how many elements lie around, at most half of kernelSize: an integer or a list of integers; default 0
 * @param dilation how far the elements of a window lie apart, for all spatial dims or for each: an integer or a list of integers; default 1
 * @param ceilMode also a last window that only partly lies inside: true or false; default false
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function maxPool2d(input: Tensor, kernelSize: number | readonly number[], stride?: number | readonly number[] | null, padding?: number | readonly number[], dilation?: number | readonly number[], ceilMode?: boolean): Tensor
/**
 * The largest value of each window of [N, C, …]; padding never counts.
 *
 * @param input the tensor: a tensor
 * @param kernelSize how long a window is, for all spatial dims or for each: an integer or a list of integers
 * @param stride how far the next window starts, for all spatial dims or for each; kernelSize unless given: an integer or a list of integers; optional
 * @param padding how many elements lie around, at most half of kernelSize: an integer or a list of integers; default 0
 * @param dilation how far the elements of a window lie apart, for all spatial dims or for each: an integer or a list of integers; default 1
 * @param ceilMode also a last window that only partly lies inside: true or false; default false
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function maxPool2d(...args: [input: Tensor, kernelSize: number | readonly number[], stride: number | readonly number[] | null | undefined, padding: number | readonly number[] | undefined, dilation: number | readonly number[] | undefined, options?: { readonly ceilMode?: boolean | undefined }] | [input: Tensor, kernelSize: number | readonly number[], stride: number | readonly number[] | null | undefined, padding: number | readonly number[] | undefined, options?: { readonly dilation?: number | readonly number[] | undefined; readonly ceilMode?: boolean | undefined }] | [input: Tensor, kernelSize: number | readonly number[], stride: number | readonly number[] | null | undefined, options?: { readonly padding?: number | readonly number[] | undefined; readonly dilation?: number | readonly number[] | undefined; readonly ceilMode?: boolean | undefined }] | [input: Tensor, kernelSize: number | readonly number[], options?: { readonly stride?: number | readonly number[] | null | undefined; readonly padding?: number | readonly number[] | undefined; readonly dilation?: number | readonly number[] | undefined; readonly ceilMode?: boolean | undefined }] | [input: Tensor, options: { readonly kernelSize: number | readonly number[]; readonly stride?: number | readonly number[] | null | undefined; readonly padding?: number | readonly number[] | undefined; readonly dilation?: number | readonly number[] | undefined; readonly ceilMode?: boolean | undefined }] | [options: { readonly input: Tensor; readonly kernelSize: number | readonly number[]; readonly stride?: number | readonly number[] | null | undefined; readonly padding?: number | readonly number[] | undefined; readonly dilation?: number | readonly number[] | undefined; readonly ceilMode?: boolean | undefined }]): Tensor
export function maxPool2d(...args: readonly unknown[]): unknown {
  return callOp('maxPool2d', args)
}

/**
 * The largest value of each window of [N, C, …]; padding never counts.
 *
 * @param input the tensor: a tensor
 * @param kernelSize how long a window is, for all spatial dims or for each: an integer or a list of integers
 * @param stride how far the next window starts, for all spatial dims or for each; kernelSize unless given: an integer or a list of integers; optional
 * @param padding how many elements lie around, at most half of kernelSize: an integer or a list of integers; default 0
 * @param dilation how far the elements of a window lie apart, for all spatial dims or for each: an integer or a list of integers; default 1
 * @param ceilMode also a last window that only partly lies inside: true or false; default false
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function maxPool3d(input: Tensor, kernelSize: number | readonly number[], stride?: number | readonly number[] | null, padding?: number | readonly number[], dilation?: number | readonly number[], ceilMode?: boolean): Tensor
/**
 * The largest value of each window of [N, C, …]; padding never counts.
 *
 * @param input the tensor: a tensor
 * @param kernelSize how long a window is, for all spatial dims or for each: an integer or a list of integers
 * @param stride how far the next window starts, for all spatial dims or for each; kernelSize unless given: an integer or a list of integers; optional
 * @param padding how many elements lie around, at most half of kernelSize: an integer or a list of integers; default 0
 * @param dilation how far the elements of a window lie apart, for all spatial dims or for each: an integer or a list of integers; default 1
 * @param ceilMode also a last window that only partly lies inside: true or false; default false
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function maxPool3d(...args: [input: Tensor, kernelSize: number | readonly number[], stride: number | readonly number[] | null | undefined, padding: number | readonly number[] | undefined, dilation: number | readonly number[] | undefined, options?: { readonly ceilMode?: boolean | undefined }] | [input: Tensor, kernelSize: number | readonly number[], stride: number | readonly number[] | null | undefined, padding: number | readonly number[] | undefined, options?: { readonly dilation?: number | readonly number[] | undefined; readonly ceilMode?: boolean | undefined }] | [input: Tensor, kernelSize: number | readonly number[], stride: number | readonly number[] | null | undefined, options?: { readonly padding?: number | readonly number[] | undefined; readonly dilation?: number | readonly number[] | undefined; readonly ceilMode?: boolean | undefined }] | [input: Tensor, kernelSize: number | readonly number[], options?: { readonly stride?: number | readonly number[] | null | undefined; readonly padding?: number | readonly number[] | undefined; readonly dilation?: number | readonly number[] | undefined; readonly ceilMode?: boolean | undefined }] | [input: Tensor, options: { readonly kernelSize: number | readonly number[]; readonly stride?: number | readonly number[] | null | undefined; readonly padding?: number | readonly number[] | undefined; readonly dilation?: number | readonly number[] | undefined; readonly ceilMode?: boolean | undefined }] | [options: { readonly input: Tensor; readonly kernelSize: number | readonly number[]; readonly stride?: number | readonly number[] | null | undefined; readonly padding?: number | readonly number[] | undefined; readonly dilation?: number | readonly number[] | undefined; readonly ceilMode?: boolean | undefined }]): Tensor
export function maxPool3d(...args: readonly unknown[]): unknown {
  return callOp('maxPool3d', args)
}

/**
 * The mean of each window of [N, C, …]; padding counts as zeros unless countIncludePad is false.
 *
 * @param input the tensor: a tensor
 * @param kernelSize how long a window is, for all spatial dims or for each: an integer or a list of integers
 * @param stride how far the next window starts, for all spatial dims or for each; kernelSize unless given: an integer or a list of integers; optional
 * @param padding how many elements lie around, at most half of kernelSize: an integer or a list of integers; default 0
 * @param ceilMode also a last window that only partly lies inside: true or false; default false
 * @param countIncludePad whether padding counts as elements: true or false; default true
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function avgPool1d(input: Tensor, kernelSize: number | readonly number[], stride?: number | readonly number[] | null, padding?: number | readonly number[], ceilMode?: boolean, countIncludePad?: boolean): Tensor
/**
 * The mean of each window of [N, C, …]; padding counts as zeros unless countIncludePad is false.
 *
 * @param input the tensor: a tensor
 * @param kernelSize how long a window is, for all spatial dims or for each: an integer or a list of integers
 * @param stride how far the next window starts, for all spatial dims or for each; kernelSize unless given: an integer or a list of integers; optional
 * @param padding how many elements lie around, at most half of kernelSize: an integer or a list of integers; default 0
 * @param ceilMode also a last window that only partly lies inside: true or false; default false
 * @param countIncludePad whether padding counts as elements: true or false; default true
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function avgPool1d(...args: [input: Tensor, kernelSize: number | readonly number[], stride: number | readonly number[] | null | undefined, padding: number | readonly number[] | undefined, ceilMode: boolean | undefined, options?: { readonly countIncludePad?: boolean | undefined }] | [input: Tensor, kernelSize: number | readonly number[], stride: number | readonly number[] | null | undefined, padding: number | readonly number[] | undefined, options?: { readonly ceilMode?: boolean | undefined; readonly countIncludePad?: boolean | undefined }] | [input: Tensor, kernelSize: number | readonly number[], stride: number | readonly number[] | null | undefined, options?: { readonly padding?: number | readonly number[] | undefined; readonly ceilMode?: boolean | undefined; readonly countIncludePad?: boolean | undefined }] | [input: Tensor, kernelSize: number | readonly number[], options?: { readonly stride?: number | readonly number[] | null | undefined; readonly padding?: number | readonly number[] | undefined; readonly ceilMode?: boolean | undefined; readonly countIncludePad?: boolean | undefined }] | [input: Tensor, options: { readonly kernelSize: number | readonly number[]; readonly stride?: number | readonly number[] | null | undefined; readonly padding?: number | readonly number[] | undefined; readonly ceilMode?: boolean | undefined; readonly countIncludePad?: boolean | undefined }] | [options: { readonly input: Tensor; readonly kernelSize: number | readonly number[]; readonly stride?: number | readonly number[] | null | undefined; readonly padding?: number | readonly number[] | undefined; readonly ceilMode?: boolean | undefined; readonly countIncludePad?: boolean | undefined }]): Tensor
export function avgPool1d(...args: readonly unknown[]): unknown {
  return callOp('avgPool1d', args)
}

/**
 * The mean of each window of [N, C, …]; padding counts as zeros unless countIncludePad is false.
 *
 * @param input the tensor: a tensor
 * @param kernelSize how long a window is, for all spatial dims or for each: an integer or a list of integers
 * @param stride how far the next window starts, for all spatial dims or for each; kernelSize unless given: an integer or a list of integers; optional
 * @param padding how many elements lie around, at most half of kernelSize: an integer or a list of integers; default 0
 * @param ceilMode also a last window that only partly lies inside: true or false; default false
 * @param countIncludePad whether padding counts as elements: true or false; default true
 * @param divisorOverride what the sums are divided by instead of how many elements a window counts: an integer; optional
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function avgPool2d(input: Tensor, kernelSize: number | readonly number[], stride?: number | readonly number[] | null, padding?: number | readonly number[], ceilMode?: boolean, countIncludePad?: boolean, divisorOverride?: number | null): Tensor
/**
 * The mean of each window of [N, C, …]; padding counts as zeros unless countIncludePad is false.
 *
 * @param input the tensor: a tensor
 * @param kernelSize how long a window is, for all spatial dims or for each: an integer or a list of integers
 * @param stride how far the next window starts, for all spatial dims or for each; kernelSize unless given: an integer or a list of integers; optional
 * @param padding how many elements lie around, at most half of kernelSize: an integer or a list of integers; default 0
 * @param ceilMode also a last window that only partly lies inside: true or false; default false
 * @param countIncludePad whether padding counts as elements: true or false; default true
 * @param divisorOverride what the sums are divided by instead of how many elements a window counts: an integer; optional
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function avgPool2d(...args: [input: Tensor, kernelSize: number | readonly number[], stride: number | readonly number[] | null | undefined, padding: number | readonly number[] | undefined, ceilMode: boolean | undefined, countIncludePad: boolean | undefined, options?: { readonly divisorOverride?: number | null | undefined }] | [input: Tensor, kernelSize: number | readonly number[], stride: number | readonly number[] | null | undefined, padding: number | readonly number[] | undefined, ceilMode: boolean | undefined, options?: { readonly countIncludePad?: boolean | undefined; readonly divisorOverride?: number | null | undefined }] | [input: Tensor, kernelSize: number | readonly number[], stride: number | readonly number[] | null | undefined, padding: number | readonly number[] | undefined, options?: { readonly ceilMode?: boolean | undefined; readonly countIncludePad?: boolean | undefined; readonly divisorOverride?: number | null | undefined }] | [input: Tensor, kernelSize: number | readonly number[], stride: number | readonly number[] | null | undefined, options?: { readonly padding?: number | readonly number[] | undefined; readonly ceilMode?: boolean | undefined; readonly countIncludePad?: boolean | undefined; readonly divisorOverride?: number | null | undefined }] | [input: Tensor, kernelSize: number | readonly number[], options?: { readonly stride?: number | readonly number[] | null | undefined; readonly padding?: number | readonly number[] | undefined; readonly ceilMode?: boolean | undefined; readonly countIncludePad?: boolean | undefined; readonly divisorOverride?: number | null | undefined }] | [input: Tensor, options: { readonly kernelSize: number | readonly number[]; readonly stride?: number | readonly number[] | null | undefined; readonly padding?: number | readonly number[] | undefined; readonly ceilMode?: boolean | undefined; readonly countIncludePad?: boolean | undefined; readonly divisorOverride?: number | null | undefined }] | [options: { readonly input: Tensor; readonly kernelSize: number | readonly number[]; readonly stride?: number | readonly number[] | null | undefined; readonly padding?: number | readonly number[] | undefined; readonly ceilMode?: boolean | undefined; readonly countIncludePad?: boolean | undefined; readonly divisorOverride?: number | null | undefined }]): Tensor
export function avgPool2d(...args: readonly unknown[]): unknown {
  return callOp('avgPool2d', args)
}

/**
 * The mean of each window of [N, C, …]; padding counts as zeros unless countIncludePad is false.
 *
 * @param input the tensor: a tensor
 * @param kernelSize how long a window is, for all spatial dims or for each: an integer or a list of integers
 * @param stride how far the next window starts, for all spatial dims or for each; kernelSize unless given: an integer or a list of integers; optional
 * @param padding how many elements lie around, at most half of kernelSize: an integer or a list of integers; default 0
 * @param ceilMode also a last window that only partly lies inside: true or false; default false
 * @param countIncludePad whether padding counts as elements: true or false; default true
 * @param divisorOverride what the sums are divided by instead of how many elements a window counts: an integer; optional
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function avgPool3d(input: Tensor, kernelSize: number | readonly number[], stride?: number | readonly number[] | null, padding?: number | readonly number[], ceilMode?: boolean, countIncludePad?: boolean, divisorOverride?: number | null): Tensor
/**
 * The mean of each window of [N, C, …]; padding counts as zeros unless countIncludePad is false.
 *
 * @param input the tensor: a tensor
 * @param kernelSize how long a window is, for all spatial dims or for each: an integer or a list of integers
 * @param stride how far the next window starts, for all spatial dims or for each; kernelSize unless given: an integer or a list of integers; optional
 * @param padding how many elements lie around, at most half of kernelSize: an integer or a list of integers; default 0
 * @param ceilMode also a last window that only partly lies inside: true or false; default false
 * @param countIncludePad whether padding counts as elements: true or false; default true
 * @param divisorOverride what the sums are divided by instead of how many elements a window counts: an integer; optional
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function avgPool3d(...args: [input: Tensor, kernelSize: number | readonly number[], stride: number | readonly number[] | null | undefined, padding: number | readonly number[] | undefined, ceilMode: boolean | undefined, countIncludePad: boolean | undefined, options?: { readonly divisorOverride?: number | null | undefined }] | [input: Tensor, kernelSize: number | readonly number[], stride: number | readonly number[] | null | undefined, padding: number | readonly number[] | undefined, ceilMode: boolean | undefined, options?: { readonly countIncludePad?: boolean | undefined; readonly divisorOverride?: number | null | undefined }] | [input: Tensor, kernelSize: number | readonly number[], stride: number | readonly number[] | null | undefined, padding: number | readonly number[] | undefined, options?: { readonly ceilMode?: boolean | undefined; readonly countIncludePad?: boolean | undefined; readonly divisorOverride?: number | null | undefined }] | [input: Tensor, kernelSize: number | readonly number[], stride: number | readonly number[] | null | undefined, options?: { readonly padding?: number | readonly number[] | undefined; readonly ceilMode?: boolean | undefined; readonly countIncludePad?: boolean | undefined; readonly divisorOverride?: number | null | undefined }] | [input: Tensor, kernelSize: number | readonly number[], options?: { readonly stride?: number | readonly number[] | null | undefined; readonly padding?: number | readonly number[] | undefined; readonly ceilMode?: boolean | undefined; readonly countIncludePad?: boolean | undefined; readonly divisorOverride?: number | null | undefined }] | [input: Tensor, options: { readonly kernelSize: number | readonly number[]; readonly stride?: number | readonly number[] | null | undefined; readonly padding?: number | readonly number[] | undefined; readonly ceilMode?: boolean | undefined; readonly countIncludePad?: boolean | undefined; readonly divisorOverride?: number | null | undefined }] | [options: { readonly input: Tensor; readonly kernelSize: number | readonly number[]; readonly stride?: number | readonly number[] | null | undefined; readonly padding?: number | readonly number[] | undefined; readonly ceilMode?: boolean | undefined; readonly countIncludePad?: boolean | undefined; readonly divisorOverride?: number | null | undefined }]): Tensor
export function avgPool3d(...args: readonly unknown[]): unknown {
  return callOp('avgPool3d', args)
}

/**
 * The means of outputSize windows per spatial dim, whatever the input size.
 *
 * @param input the tensor: a tensor
 * @param outputSize how many windows, for all spatial dims or for each; null: as many as elements: an integer or a list of integers or nulls
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function adaptiveAvgPool1d(input: Tensor, outputSize: number | readonly (number | null)[]): Tensor
/**
 * The means of outputSize windows per spatial dim, whatever the input size.
 *
 * @param input the tensor: a tensor
 * @param outputSize how many windows, for all spatial dims or for each; null: as many as elements: an integer or a list of integers or nulls
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function adaptiveAvgPool1d(...args: [input: Tensor, options: { readonly outputSize: number | readonly (number | null)[] }] | [options: { readonly input: Tensor; readonly outputSize: number | readonly (number | null)[] }]): Tensor
export function adaptiveAvgPool1d(...args: readonly unknown[]): unknown {
  return callOp('adaptiveAvgPool1d', args)
}

/**
 * The means of outputSize windows per spatial dim, whatever the input size.
 *
 * @param input the tensor: a tensor
 * @param outputSize how many windows, for all spatial dims or for each; null: as many as elements: an integer or a list of integers or nulls
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function adaptiveAvgPool2d(input: Tensor, outputSize: number | readonly (number | null)[]): Tensor
/**
 * The means of outputSize windows per spatial dim, whatever the input size.
 *
 * @param input the tensor: a tensor
 * @param outputSize how many windows, for all spatial dims or for each; null: as many as elements: an integer or a list of integers or nulls
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function adaptiveAvgPool2d(...args: [input: Tensor, options: { readonly outputSize: number | readonly (number | null)[] }] | [options: { readonly input: Tensor; readonly outputSize: number | readonly (number | null)[] }]): Tensor
export function adaptiveAvgPool2d(...args: readonly unknown[]): unknown {
  return callOp('adaptiveAvgPool2d', args)
}

/**
 * The means of outputSize windows per spatial dim, whatever the input size.
 *
 * @param input the tensor: a tensor
 * @param outputSize how many windows, for all spatial dims or for each; null: as many as elements: an integer or a list of integers or nulls
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function adaptiveAvgPool3d(input: Tensor, outputSize: number | readonly (number | null)[]): Tensor
/**
 * The means of outputSize windows per spatial dim, whatever the input size.
 *
 * @param input the tensor: a tensor
 * @param outputSize how many windows, for all spatial dims or for each; null: as many as elements: an integer or a list of integers or nulls
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function adaptiveAvgPool3d(...args: [input: Tensor, options: { readonly outputSize: number | readonly (number | null)[] }] | [options: { readonly input: Tensor; readonly outputSize: number | readonly (number | null)[] }]): Tensor
export function adaptiveAvgPool3d(...args: readonly unknown[]): unknown {
  return callOp('adaptiveAvgPool3d', args)
}

/**
 * The largest values of outputSize windows per spatial dim, whatever the input size.
 *
 * @param input the tensor: a tensor
 * @param outputSize how many windows, for all spatial dims or for each; null: as many as elements: an integer or a list of integers or nulls
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function adaptiveMaxPool1d(input: Tensor, outputSize: number | readonly (number | null)[]): Tensor
/**
 * The largest values of outputSize windows per spatial dim, whatever the input size.
 *
 * @param input the tensor: a tensor
 * @param outputSize how many windows, for all spatial dims or for each; null: as many as elements: an integer or a list of integers or nulls
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function adaptiveMaxPool1d(...args: [input: Tensor, options: { readonly outputSize: number | readonly (number | null)[] }] | [options: { readonly input: Tensor; readonly outputSize: number | readonly (number | null)[] }]): Tensor
export function adaptiveMaxPool1d(...args: readonly unknown[]): unknown {
  return callOp('adaptiveMaxPool1d', args)
}

/**
 * The largest values of outputSize windows per spatial dim, whatever the input size.
 *
 * @param input the tensor: a tensor
 * @param outputSize how many windows, for all spatial dims or for each; null: as many as elements: an integer or a list of integers or nulls
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function adaptiveMaxPool2d(input: Tensor, outputSize: number | readonly (number | null)[]): Tensor
/**
 * The largest values of outputSize windows per spatial dim, whatever the input size.
 *
 * @param input the tensor: a tensor
 * @param outputSize how many windows, for all spatial dims or for each; null: as many as elements: an integer or a list of integers or nulls
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function adaptiveMaxPool2d(...args: [input: Tensor, options: { readonly outputSize: number | readonly (number | null)[] }] | [options: { readonly input: Tensor; readonly outputSize: number | readonly (number | null)[] }]): Tensor
export function adaptiveMaxPool2d(...args: readonly unknown[]): unknown {
  return callOp('adaptiveMaxPool2d', args)
}

/**
 * The largest values of outputSize windows per spatial dim, whatever the input size.
 *
 * @param input the tensor: a tensor
 * @param outputSize how many windows, for all spatial dims or for each; null: as many as elements: an integer or a list of integers or nulls
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function adaptiveMaxPool3d(input: Tensor, outputSize: number | readonly (number | null)[]): Tensor
/**
 * The largest values of outputSize windows per spatial dim, whatever the input size.
 *
 * @param input the tensor: a tensor
 * @param outputSize how many windows, for all spatial dims or for each; null: as many as elements: an integer or a list of integers or nulls
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function adaptiveMaxPool3d(...args: [input: Tensor, options: { readonly outputSize: number | readonly (number | null)[] }] | [options: { readonly input: Tensor; readonly outputSize: number | readonly (number | null)[] }]): Tensor
export function adaptiveMaxPool3d(...args: readonly unknown[]): unknown {
  return callOp('adaptiveMaxPool3d', args)
}

/**
 * The windows of [N, C, H, W] as columns, [N, C · kernel, windows]: torch.nn.functional.unfold.
 *
 * @param input the tensor: a tensor
 * @param kernelSize how long a window is, for all spatial dims or for each: an integer or a list of integers
 * @param dilation how far the elements of a window lie apart, for all spatial dims or for each: an integer or a list of integers; default 1
 * @param padding how many zeros lie around, for all spatial dims or for each: an integer or a list of integers; default 0
 * @param stride how far the next window starts, for all spatial dims or for each: an integer or a list of integers; default 1
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function im2col(input: Tensor, kernelSize: number | readonly number[], dilation?: number | readonly number[], padding?: number | readonly number[], stride?: number | readonly number[]): Tensor
/**
 * The windows of [N, C, H, W] as columns, [N, C · kernel, windows]: torch.nn.functional.unfold.
 *
 * @param input the tensor: a tensor
 * @param kernelSize how long a window is, for all spatial dims or for each: an integer or a list of integers
 * @param dilation how far the elements of a window lie apart, for all spatial dims or for each: an integer or a list of integers; default 1
 * @param padding how many zeros lie around, for all spatial dims or for each: an integer or a list of integers; default 0
 * @param stride how far the next window starts, for all spatial dims or for each: an integer or a list of integers; default 1
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function im2col(...args: [input: Tensor, kernelSize: number | readonly number[], dilation: number | readonly number[] | undefined, padding: number | readonly number[] | undefined, options?: { readonly stride?: number | readonly number[] | undefined }] | [input: Tensor, kernelSize: number | readonly number[], dilation: number | readonly number[] | undefined, options?: { readonly padding?: number | readonly number[] | undefined; readonly stride?: number | readonly number[] | undefined }] | [input: Tensor, kernelSize: number | readonly number[], options?: { readonly dilation?: number | readonly number[] | undefined; readonly padding?: number | readonly number[] | undefined; readonly stride?: number | readonly number[] | undefined }] | [input: Tensor, options: { readonly kernelSize: number | readonly number[]; readonly dilation?: number | readonly number[] | undefined; readonly padding?: number | readonly number[] | undefined; readonly stride?: number | readonly number[] | undefined }] | [options: { readonly input: Tensor; readonly kernelSize: number | readonly number[]; readonly dilation?: number | readonly number[] | undefined; readonly padding?: number | readonly number[] | undefined; readonly stride?: number | readonly number[] | undefined }]): Tensor
export function im2col(...args: readonly unknown[]): unknown {
  return callOp('im2col', args)
}

/**
 * Columns [N, C · kernel, windows] added up at their places of [N, C, H, W]: what im2col took apart.
 *
 * @param input the tensor: a tensor
 * @param outputSize the sizes [H, W] of the result: an integer or a list of integers
 * @param kernelSize how long a window is, for all spatial dims or for each: an integer or a list of integers
 * @param dilation how far the elements of a window lie apart, for all spatial dims or for each: an integer or a list of integers; default 1
 * @param padding how many zeros lie around, for all spatial dims or for each: an integer or a list of integers; default 0
 * @param stride how far the next window starts, for all spatial dims or for each: an integer or a list of integers; default 1
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function fold(input: Tensor, outputSize: number | readonly number[], kernelSize: number | readonly number[], dilation?: number | readonly number[], padding?: number | readonly number[], stride?: number | readonly number[]): Tensor
/**
 * Columns [N, C · kernel, windows] added up at their places of [N, C, H, W]: what im2col took apart.
 *
 * @param input the tensor: a tensor
 * @param outputSize the sizes [H, W] of the result: an integer or a list of integers
 * @param kernelSize how long a window is, for all spatial dims or for each: an integer or a list of integers
 * @param dilation how far the elements of a window lie apart, for all spatial dims or for each: an integer or a list of integers; default 1
 * @param padding how many zeros lie around, for all spatial dims or for each: an integer or a list of integers; default 0
 * @param stride how far the next window starts, for all spatial dims or for each: an integer or a list of integers; default 1
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function fold(...args: [input: Tensor, outputSize: number | readonly number[], kernelSize: number | readonly number[], dilation: number | readonly number[] | undefined, padding: number | readonly number[] | undefined, options?: { readonly stride?: number | readonly number[] | undefined }] | [input: Tensor, outputSize: number | readonly number[], kernelSize: number | readonly number[], dilation: number | readonly number[] | undefined, options?: { readonly padding?: number | readonly number[] | undefined; readonly stride?: number | readonly number[] | undefined }] | [input: Tensor, outputSize: number | readonly number[], kernelSize: number | readonly number[], options?: { readonly dilation?: number | readonly number[] | undefined; readonly padding?: number | readonly number[] | undefined; readonly stride?: number | readonly number[] | undefined }] | [input: Tensor, outputSize: number | readonly number[], options: { readonly kernelSize: number | readonly number[]; readonly dilation?: number | readonly number[] | undefined; readonly padding?: number | readonly number[] | undefined; readonly stride?: number | readonly number[] | undefined }] | [input: Tensor, options: { readonly outputSize: number | readonly number[]; readonly kernelSize: number | readonly number[]; readonly dilation?: number | readonly number[] | undefined; readonly padding?: number | readonly number[] | undefined; readonly stride?: number | readonly number[] | undefined }] | [options: { readonly input: Tensor; readonly outputSize: number | readonly number[]; readonly kernelSize: number | readonly number[]; readonly dilation?: number | readonly number[] | undefined; readonly padding?: number | readonly number[] | undefined; readonly stride?: number | readonly number[] | undefined }]): Tensor
export function fold(...args: readonly unknown[]): unknown {
  return callOp('fold', args)
}

/**
 * The largest value of each window of [N, C, …], and its place among the spatial elements (of equals the first).
 *
 * @param input the tensor: a tensor
 * @param kernelSize how long a window is, for all spatial dims or for each: an integer or a list of integers
 * @param stride how far the next window starts, for all spatial dims or for each; kernelSize unless given: an integer or a list of integers; optional
 * @param padding how many elements lie around, at most half of kernelSize: an integer or a list of integers; default 0
 * @param dilation how far the elements of a window lie apart, for all spatial dims or for each: an integer or a list of integers; default 1
 * @param ceilMode also a last window that only partly lies inside: true or false; default false
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function maxPool1dWithIndices(input: Tensor, kernelSize: number | readonly number[], stride?: number | readonly number[] | null, padding?: number | readonly number[], dilation?: number | readonly number[], ceilMode?: boolean): { readonly values: Tensor; readonly indices: Tensor }
/**
 * The largest value of each window of [N, C, …], and its place among the spatial elements (of equals the first).
 *
 * @param input the tensor: a tensor
 * @param kernelSize how long a window is, for all spatial dims or for each: an integer or a list of integers
 * @param stride how far the next window starts, for all spatial dims or for each; kernelSize unless given: an integer or a list of integers; optional
 * @param padding how many elements lie around, at most half of kernelSize: an integer or a list of integers; default 0
 * @param dilation how far the elements of a window lie apart, for all spatial dims or for each: an integer or a list of integers; default 1
 * @param ceilMode also a last window that only partly lies inside: true or false; default false
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function maxPool1dWithIndices(...args: [input: Tensor, kernelSize: number | readonly number[], stride: number | readonly number[] | null | undefined, padding: number | readonly number[] | undefined, dilation: number | readonly number[] | undefined, options?: { readonly ceilMode?: boolean | undefined }] | [input: Tensor, kernelSize: number | readonly number[], stride: number | readonly number[] | null | undefined, padding: number | readonly number[] | undefined, options?: { readonly dilation?: number | readonly number[] | undefined; readonly ceilMode?: boolean | undefined }] | [input: Tensor, kernelSize: number | readonly number[], stride: number | readonly number[] | null | undefined, options?: { readonly padding?: number | readonly number[] | undefined; readonly dilation?: number | readonly number[] | undefined; readonly ceilMode?: boolean | undefined }] | [input: Tensor, kernelSize: number | readonly number[], options?: { readonly stride?: number | readonly number[] | null | undefined; readonly padding?: number | readonly number[] | undefined; readonly dilation?: number | readonly number[] | undefined; readonly ceilMode?: boolean | undefined }] | [input: Tensor, options: { readonly kernelSize: number | readonly number[]; readonly stride?: number | readonly number[] | null | undefined; readonly padding?: number | readonly number[] | undefined; readonly dilation?: number | readonly number[] | undefined; readonly ceilMode?: boolean | undefined }] | [options: { readonly input: Tensor; readonly kernelSize: number | readonly number[]; readonly stride?: number | readonly number[] | null | undefined; readonly padding?: number | readonly number[] | undefined; readonly dilation?: number | readonly number[] | undefined; readonly ceilMode?: boolean | undefined }]): { readonly values: Tensor; readonly indices: Tensor }
export function maxPool1dWithIndices(...args: readonly unknown[]): unknown {
  return callOp('maxPool1dWithIndices', args)
}

/**
 * The largest value of each window of [N, C, …], and its place among the spatial elements (of equals the first).
 *
 * @param input the tensor: a tensor
 * @param kernelSize how long a window is, for all spatial dims or for each: an integer or a list of integers
 * @param stride how far the next window starts, for all spatial dims or for each; kernelSize unless given: an integer or a list of integers; optional
 * @param padding how many elements lie around, at most half of kernelSize: an integer or a list of integers; default 0
 * @param dilation how far the elements of a window lie apart, for all spatial dims or for each: an integer or a list of integers; default 1
 * @param ceilMode also a last window that only partly lies inside: true or false; default false
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function maxPool2dWithIndices(input: Tensor, kernelSize: number | readonly number[], stride?: number | readonly number[] | null, padding?: number | readonly number[], dilation?: number | readonly number[], ceilMode?: boolean): { readonly values: Tensor; readonly indices: Tensor }
/**
 * The largest value of each window of [N, C, …], and its place among the spatial elements (of equals the first).
 *
 * @param input the tensor: a tensor
 * @param kernelSize how long a window is, for all spatial dims or for each: an integer or a list of integers
 * @param stride how far the next window starts, for all spatial dims or for each; kernelSize unless given: an integer or a list of integers; optional
 * @param padding how many elements lie around, at most half of kernelSize: an integer or a list of integers; default 0
 * @param dilation how far the elements of a window lie apart, for all spatial dims or for each: an integer or a list of integers; default 1
 * @param ceilMode also a last window that only partly lies inside: true or false; default false
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function maxPool2dWithIndices(...args: [input: Tensor, kernelSize: number | readonly number[], stride: number | readonly number[] | null | undefined, padding: number | readonly number[] | undefined, dilation: number | readonly number[] | undefined, options?: { readonly ceilMode?: boolean | undefined }] | [input: Tensor, kernelSize: number | readonly number[], stride: number | readonly number[] | null | undefined, padding: number | readonly number[] | undefined, options?: { readonly dilation?: number | readonly number[] | undefined; readonly ceilMode?: boolean | undefined }] | [input: Tensor, kernelSize: number | readonly number[], stride: number | readonly number[] | null | undefined, options?: { readonly padding?: number | readonly number[] | undefined; readonly dilation?: number | readonly number[] | undefined; readonly ceilMode?: boolean | undefined }] | [input: Tensor, kernelSize: number | readonly number[], options?: { readonly stride?: number | readonly number[] | null | undefined; readonly padding?: number | readonly number[] | undefined; readonly dilation?: number | readonly number[] | undefined; readonly ceilMode?: boolean | undefined }] | [input: Tensor, options: { readonly kernelSize: number | readonly number[]; readonly stride?: number | readonly number[] | null | undefined; readonly padding?: number | readonly number[] | undefined; readonly dilation?: number | readonly number[] | undefined; readonly ceilMode?: boolean | undefined }] | [options: { readonly input: Tensor; readonly kernelSize: number | readonly number[]; readonly stride?: number | readonly number[] | null | undefined; readonly padding?: number | readonly number[] | undefined; readonly dilation?: number | readonly number[] | undefined; readonly ceilMode?: boolean | undefined }]): { readonly values: Tensor; readonly indices: Tensor }
export function maxPool2dWithIndices(...args: readonly unknown[]): unknown {
  return callOp('maxPool2dWithIndices', args)
}

/**
 * The largest value of each window of [N, C, …], and its place among the spatial elements (of equals the first).
 *
 * @param input the tensor: a tensor
 * @param kernelSize how long a window is, for all spatial dims or for each: an integer or a list of integers
 * @param stride how far the next window starts, for all spatial dims or for each; kernelSize unless given: an integer or a list of integers; optional
 * @param padding how many elements lie around, at most half of kernelSize: an integer or a list of integers; default 0
 * @param dilation how far the elements of a window lie apart, for all spatial dims or for each: an integer or a list of integers; default 1
 * @param ceilMode also a last window that only partly lies inside: true or false; default false
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function maxPool3dWithIndices(input: Tensor, kernelSize: number | readonly number[], stride?: number | readonly number[] | null, padding?: number | readonly number[], dilation?: number | readonly number[], ceilMode?: boolean): { readonly values: Tensor; readonly indices: Tensor }
/**
 * The largest value of each window of [N, C, …], and its place among the spatial elements (of equals the first).
 *
 * @param input the tensor: a tensor
 * @param kernelSize how long a window is, for all spatial dims or for each: an integer or a list of integers
 * @param stride how far the next window starts, for all spatial dims or for each; kernelSize unless given: an integer or a list of integers; optional
 * @param padding how many elements lie around, at most half of kernelSize: an integer or a list of integers; default 0
 * @param dilation how far the elements of a window lie apart, for all spatial dims or for each: an integer or a list of integers; default 1
 * @param ceilMode also a last window that only partly lies inside: true or false; default false
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function maxPool3dWithIndices(...args: [input: Tensor, kernelSize: number | readonly number[], stride: number | readonly number[] | null | undefined, padding: number | readonly number[] | undefined, dilation: number | readonly number[] | undefined, options?: { readonly ceilMode?: boolean | undefined }] | [input: Tensor, kernelSize: number | readonly number[], stride: number | readonly number[] | null | undefined, padding: number | readonly number[] | undefined, options?: { readonly dilation?: number | readonly number[] | undefined; readonly ceilMode?: boolean | undefined }] | [input: Tensor, kernelSize: number | readonly number[], stride: number | readonly number[] | null | undefined, options?: { readonly padding?: number | readonly number[] | undefined; readonly dilation?: number | readonly number[] | undefined; readonly ceilMode?: boolean | undefined }] | [input: Tensor, kernelSize: number | readonly number[], options?: { readonly stride?: number | readonly number[] | null | undefined; readonly padding?: number | readonly number[] | undefined; readonly dilation?: number | readonly number[] | undefined; readonly ceilMode?: boolean | undefined }] | [input: Tensor, options: { readonly kernelSize: number | readonly number[]; readonly stride?: number | readonly number[] | null | undefined; readonly padding?: number | readonly number[] | undefined; readonly dilation?: number | readonly number[] | undefined; readonly ceilMode?: boolean | undefined }] | [options: { readonly input: Tensor; readonly kernelSize: number | readonly number[]; readonly stride?: number | readonly number[] | null | undefined; readonly padding?: number | readonly number[] | undefined; readonly dilation?: number | readonly number[] | undefined; readonly ceilMode?: boolean | undefined }]): { readonly values: Tensor; readonly indices: Tensor }
export function maxPool3dWithIndices(...args: readonly unknown[]): unknown {
  return callOp('maxPool3dWithIndices', args)
}

/**
 * self, the values of a max pooling, put where its indices say; 0 elsewhere. An index out of range is dropped.
 *
 * @param input the tensor: a tensor
 * @param indices what the pooling gave with these values: a tensor
 * @param kernelSize how long a window is, for all spatial dims or for each: an integer or a list of integers
 * @param stride how far the next window starts, for all spatial dims or for each; kernelSize unless given: an integer or a list of integers; optional
 * @param padding how many elements lie around, at most half of kernelSize: an integer or a list of integers; default 0
 * @param outputSize the spatial sizes; the smallest that the windows cover unless given: a list of integers; optional
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function maxUnpool1d(input: Tensor, indices: Tensor, kernelSize: number | readonly number[], stride?: number | readonly number[] | null, padding?: number | readonly number[], outputSize?: readonly number[] | null): Tensor
/**
 * self, the values of a max pooling, put where its indices say; 0 elsewhere. An index out of range is dropped.
 *
 * @param input the tensor: a tensor
 * @param indices what the pooling gave with these values: a tensor
 * @param kernelSize how long a window is, for all spatial dims or for each: an integer or a list of integers
 * @param stride how far the next window starts, for all spatial dims or for each; kernelSize unless given: an integer or a list of integers; optional
 * @param padding how many elements lie around, at most half of kernelSize: an integer or a list of integers; default 0
 * @param outputSize the spatial sizes; the smallest that the windows cover unless given: a list of integers; optional
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function maxUnpool1d(...args: [input: Tensor, indices: Tensor, kernelSize: number | readonly number[], stride: number | readonly number[] | null | undefined, padding: number | readonly number[] | undefined, options?: { readonly outputSize?: readonly number[] | null | undefined }] | [input: Tensor, indices: Tensor, kernelSize: number | readonly number[], stride: number | readonly number[] | null | undefined, options?: { readonly padding?: number | readonly number[] | undefined; readonly outputSize?: readonly number[] | null | undefined }] | [input: Tensor, indices: Tensor, kernelSize: number | readonly number[], options?: { readonly stride?: number | readonly number[] | null | undefined; readonly padding?: number | readonly number[] | undefined; readonly outputSize?: readonly number[] | null | undefined }] | [input: Tensor, indices: Tensor, options: { readonly kernelSize: number | readonly number[]; readonly stride?: number | readonly number[] | null | undefined; readonly padding?: number | readonly number[] | undefined; readonly outputSize?: readonly number[] | null | undefined }] | [input: Tensor, options: { readonly indices: Tensor; readonly kernelSize: number | readonly number[]; readonly stride?: number | readonly number[] | null | undefined; readonly padding?: number | readonly number[] | undefined; readonly outputSize?: readonly number[] | null | undefined }] | [options: { readonly input: Tensor; readonly indices: Tensor; readonly kernelSize: number | readonly number[]; readonly stride?: number | readonly number[] | null | undefined; readonly padding?: number | readonly number[] | undefined; readonly outputSize?: readonly number[] | null | undefined }]): Tensor
export function maxUnpool1d(...args: readonly unknown[]): unknown {
  return callOp('maxUnpool1d', args)
}

/**
 * self, the values of a max pooling, put where its indices say; 0 elsewhere. An index out of range is dropped.
 *
 * @param input the tensor: a tensor
 * @param indices what the pooling gave with these values: a tensor
 * @param kernelSize how long a window is, for all spatial dims or for each: an integer or a list of integers
 * @param stride how far the next window starts, for all spatial dims or for each; kernelSize unless given: an integer or a list of integers; optional
 * @param padding how many elements lie around, at most half of kernelSize: an integer or a list of integers; default 0
 * @param outputSize the spatial sizes; the smallest that the windows cover unless given: a list of integers; optional
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function maxUnpool2d(input: Tensor, indices: Tensor, kernelSize: number | readonly number[], stride?: number | readonly number[] | null, padding?: number | readonly number[], outputSize?: readonly number[] | null): Tensor
/**
 * self, the values of a max pooling, put where its indices say; 0 elsewhere. An index out of range is dropped.
 *
 * @param input the tensor: a tensor
 * @param indices what the pooling gave with these values: a tensor
 * @param kernelSize how long a window is, for all spatial dims or for each: an integer or a list of integers
 * @param stride how far the next window starts, for all spatial dims or for each; kernelSize unless given: an integer or a list of integers; optional
 * @param padding how many elements lie around, at most half of kernelSize: an integer or a list of integers; default 0
 * @param outputSize the spatial sizes; the smallest that the windows cover unless given: a list of integers; optional
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function maxUnpool2d(...args: [input: Tensor, indices: Tensor, kernelSize: number | readonly number[], stride: number | readonly number[] | null | undefined, padding: number | readonly number[] | undefined, options?: { readonly outputSize?: readonly number[] | null | undefined }] | [input: Tensor, indices: Tensor, kernelSize: number | readonly number[], stride: number | readonly number[] | null | undefined, options?: { readonly padding?: number | readonly number[] | undefined; readonly outputSize?: readonly number[] | null | undefined }] | [input: Tensor, indices: Tensor, kernelSize: number | readonly number[], options?: { readonly stride?: number | readonly number[] | null | undefined; readonly padding?: number | readonly number[] | undefined; readonly outputSize?: readonly number[] | null | undefined }] | [input: Tensor, indices: Tensor, options: { readonly kernelSize: number | readonly number[]; readonly stride?: number | readonly number[] | null | undefined; readonly padding?: number | readonly number[] | undefined; readonly outputSize?: readonly number[] | null | undefined }] | [input: Tensor, options: { readonly indices: Tensor; readonly kernelSize: number | readonly number[]; readonly stride?: number | readonly number[] | null | undefined; readonly padding?: number | readonly number[] | undefined; readonly outputSize?: readonly number[] | null | undefined }] | [options: { readonly input: Tensor; readonly indices: Tensor; readonly kernelSize: number | readonly number[]; readonly stride?: number | readonly number[] | null | undefined; readonly padding?: number | readonly number[] | undefined; readonly outputSize?: readonly number[] | null | undefined }]): Tensor
export function maxUnpool2d(...args: readonly unknown[]): unknown {
  return callOp('maxUnpool2d', args)
}

/**
 * self, the values of a max pooling, put where its indices say; 0 elsewhere. An index out of range is dropped.
 *
 * @param input the tensor: a tensor
 * @param indices what the pooling gave with these values: a tensor
 * @param kernelSize how long a window is, for all spatial dims or for each: an integer or a list of integers
 * @param stride how far the next window starts, for all spatial dims or for each; kernelSize unless given: an integer or a list of integers; optional
 * @param padding how many elements lie around, at most half of kernelSize: an integer or a list of integers; default 0
 * @param outputSize the spatial sizes; the smallest that the windows cover unless given: a list of integers; optional
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function maxUnpool3d(input: Tensor, indices: Tensor, kernelSize: number | readonly number[], stride?: number | readonly number[] | null, padding?: number | readonly number[], outputSize?: readonly number[] | null): Tensor
/**
 * self, the values of a max pooling, put where its indices say; 0 elsewhere. An index out of range is dropped.
 *
 * @param input the tensor: a tensor
 * @param indices what the pooling gave with these values: a tensor
 * @param kernelSize how long a window is, for all spatial dims or for each: an integer or a list of integers
 * @param stride how far the next window starts, for all spatial dims or for each; kernelSize unless given: an integer or a list of integers; optional
 * @param padding how many elements lie around, at most half of kernelSize: an integer or a list of integers; default 0
 * @param outputSize the spatial sizes; the smallest that the windows cover unless given: a list of integers; optional
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function maxUnpool3d(...args: [input: Tensor, indices: Tensor, kernelSize: number | readonly number[], stride: number | readonly number[] | null | undefined, padding: number | readonly number[] | undefined, options?: { readonly outputSize?: readonly number[] | null | undefined }] | [input: Tensor, indices: Tensor, kernelSize: number | readonly number[], stride: number | readonly number[] | null | undefined, options?: { readonly padding?: number | readonly number[] | undefined; readonly outputSize?: readonly number[] | null | undefined }] | [input: Tensor, indices: Tensor, kernelSize: number | readonly number[], options?: { readonly stride?: number | readonly number[] | null | undefined; readonly padding?: number | readonly number[] | undefined; readonly outputSize?: readonly number[] | null | undefined }] | [input: Tensor, indices: Tensor, options: { readonly kernelSize: number | readonly number[]; readonly stride?: number | readonly number[] | null | undefined; readonly padding?: number | readonly number[] | undefined; readonly outputSize?: readonly number[] | null | undefined }] | [input: Tensor, options: { readonly indices: Tensor; readonly kernelSize: number | readonly number[]; readonly stride?: number | readonly number[] | null | undefined; readonly padding?: number | readonly number[] | undefined; readonly outputSize?: readonly number[] | null | undefined }] | [options: { readonly input: Tensor; readonly indices: Tensor; readonly kernelSize: number | readonly number[]; readonly stride?: number | readonly number[] | null | undefined; readonly padding?: number | readonly number[] | undefined; readonly outputSize?: readonly number[] | null | undefined }]): Tensor
export function maxUnpool3d(...args: readonly unknown[]): unknown {
  return callOp('maxUnpool3d', args)
}

/**
 * The first half of self along a dim · sigmoid of the second.
 *
 * @param input the tensor: a tensor
 * @param dim the dim (negative ones count from the end): an integer; default -1
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function glu(input: Tensor, dim?: number): Tensor
/**
 * The first half of self along a dim · sigmoid of the second.
 *
 * @param input the tensor: a tensor
 * @param dim the dim (negative ones count from the end): an integer; default -1
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function glu(...args: [input: Tensor, options?: { readonly dim?: number | undefined }] | [options: { readonly input: Tensor; readonly dim?: number | undefined }]): Tensor
export function glu(...args: readonly unknown[]): unknown {
  return callOp('glu', args)
}

/**
 * […, C · r², H, W] as […, C, H · r, W · r].
 *
 * @param input the tensor: a tensor
 * @param upscaleFactor how many rows and columns become of one: an integer of at least 1
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function pixelShuffle(input: Tensor, upscaleFactor: number): Tensor
/**
 * […, C · r², H, W] as […, C, H · r, W · r].
 *
 * @param input the tensor: a tensor
 * @param upscaleFactor how many rows and columns become of one: an integer of at least 1
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function pixelShuffle(...args: [input: Tensor, options: { readonly upscaleFactor: number }] | [options: { readonly input: Tensor; readonly upscaleFactor: number }]): Tensor
export function pixelShuffle(...args: readonly unknown[]): unknown {
  return callOp('pixelShuffle', args)
}

/**
 * […, C, H · r, W · r] as […, C · r², H, W].
 *
 * @param input the tensor: a tensor
 * @param downscaleFactor how many rows and columns become one: an integer of at least 1
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function pixelUnshuffle(input: Tensor, downscaleFactor: number): Tensor
/**
 * […, C, H · r, W · r] as […, C · r², H, W].
 *
 * @param input the tensor: a tensor
 * @param downscaleFactor how many rows and columns become one: an integer of at least 1
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function pixelUnshuffle(...args: [input: Tensor, options: { readonly downscaleFactor: number }] | [options: { readonly input: Tensor; readonly downscaleFactor: number }]): Tensor
export function pixelUnshuffle(...args: readonly unknown[]): unknown {
  return callOp('pixelUnshuffle', args)
}

/**
 * [N, C, …] with its channels dealt out: the first of each of the groups, then the second of each, ….
 *
 * @param input the tensor: a tensor
 * @param groups an integer of at least 1
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function channelShuffle(input: Tensor, groups: number): Tensor
/**
 * [N, C, …] with its channels dealt out: the first of each of the groups, then the second of each, ….
 *
 * @param input the tensor: a tensor
 * @param groups an integer of at least 1
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function channelShuffle(...args: [input: Tensor, options: { readonly groups: number }] | [options: { readonly input: Tensor; readonly groups: number }]): Tensor
export function channelShuffle(...args: readonly unknown[]): unknown {
  return callOp('channelShuffle', args)
}

/**
 * self / (k + alpha · the mean of self² over size neighbouring channels)^beta of [N, C, …].
 *
 * @param input the tensor: a tensor
 * @param size how many channels: an integer of at least 1
 * @param alpha a number; default 0.0001
 * @param beta a number; default 0.75
 * @param k a number; default 1
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function localResponseNorm(input: Tensor, size: number, alpha?: number, beta?: number, k?: number): Tensor
/**
 * self / (k + alpha · the mean of self² over size neighbouring channels)^beta of [N, C, …].
 *
 * @param input the tensor: a tensor
 * @param size how many channels: an integer of at least 1
 * @param alpha a number; default 0.0001
 * @param beta a number; default 0.75
 * @param k a number; default 1
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function localResponseNorm(...args: [input: Tensor, size: number, alpha: number | undefined, beta: number | undefined, options?: { readonly k?: number | undefined }] | [input: Tensor, size: number, alpha: number | undefined, options?: { readonly beta?: number | undefined; readonly k?: number | undefined }] | [input: Tensor, size: number, options?: { readonly alpha?: number | undefined; readonly beta?: number | undefined; readonly k?: number | undefined }] | [input: Tensor, options: { readonly size: number; readonly alpha?: number | undefined; readonly beta?: number | undefined; readonly k?: number | undefined }] | [options: { readonly input: Tensor; readonly size: number; readonly alpha?: number | undefined; readonly beta?: number | undefined; readonly k?: number | undefined }]): Tensor
export function localResponseNorm(...args: readonly unknown[]): unknown {
  return callOp('localResponseNorm', args)
}

/**
 * [N, C, …] with other spatial sizes, by mode 'nearest', 'nearest-exact', 'linear', 'bilinear', 'trilinear', 'bicubic' or 'area' (means of what a place covers).
 *
 * @param input the tensor: a tensor
 * @param size of the spatial dims; either this or scaleFactor: an integer of at least 0 or a list of integers of at least 0; optional
 * @param scaleFactor by what the spatial sizes grow: a number or a list of numbers; optional
 * @param mode what lies between the elements: 'nearest', 'nearest-exact', 'linear', 'bilinear', 'trilinear', 'bicubic' or 'area'; default 'nearest'
 * @param alignCorners the corners' centres meet instead of their edges; linear modes and 'bicubic' only: true or false; optional
 * @param recomputeScaleFactor places follow from the rounded sizes instead of scaleFactor: true or false; optional
 * @param antialias on the way down every element counts, as in image libraries; 'bilinear' and 'bicubic' only: true or false; default false
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function interpolate(input: Tensor, size?: SizeLike | readonly SizeLike[] | null, scaleFactor?: number | readonly number[] | null, mode?: 'nearest' | 'nearest-exact' | 'linear' | 'bilinear' | 'trilinear' | 'bicubic' | 'area', alignCorners?: boolean | null, recomputeScaleFactor?: boolean | null, antialias?: boolean): Tensor
/**
 * [N, C, …] with other spatial sizes, by mode 'nearest', 'nearest-exact', 'linear', 'bilinear', 'trilinear', 'bicubic' or 'area' (means of what a place covers).
 *
 * @param input the tensor: a tensor
 * @param size of the spatial dims; either this or scaleFactor: an integer of at least 0 or a list of integers of at least 0; optional
 * @param scaleFactor by what the spatial sizes grow: a number or a list of numbers; optional
 * @param mode what lies between the elements: 'nearest', 'nearest-exact', 'linear', 'bilinear', 'trilinear', 'bicubic' or 'area'; default 'nearest'
 * @param alignCorners the corners' centres meet instead of their edges; linear modes and 'bicubic' only: true or false; optional
 * @param recomputeScaleFactor places follow from the rounded sizes instead of scaleFactor: true or false; optional
 * @param antialias on the way down every element counts, as in image libraries; 'bilinear' and 'bicubic' only: true or false; default false
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function interpolate(...args: [input: Tensor, size: SizeLike | readonly SizeLike[] | null | undefined, scaleFactor: number | readonly number[] | null | undefined, mode: 'nearest' | 'nearest-exact' | 'linear' | 'bilinear' | 'trilinear' | 'bicubic' | 'area' | undefined, alignCorners: boolean | null | undefined, recomputeScaleFactor: boolean | null | undefined, options?: { readonly antialias?: boolean | undefined }] | [input: Tensor, size: SizeLike | readonly SizeLike[] | null | undefined, scaleFactor: number | readonly number[] | null | undefined, mode: 'nearest' | 'nearest-exact' | 'linear' | 'bilinear' | 'trilinear' | 'bicubic' | 'area' | undefined, alignCorners: boolean | null | undefined, options?: { readonly recomputeScaleFactor?: boolean | null | undefined; readonly antialias?: boolean | undefined }] | [input: Tensor, size: SizeLike | readonly SizeLike[] | null | undefined, scaleFactor: number | readonly number[] | null | undefined, mode: 'nearest' | 'nearest-exact' | 'linear' | 'bilinear' | 'trilinear' | 'bicubic' | 'area' | undefined, options?: { readonly alignCorners?: boolean | null | undefined; readonly recomputeScaleFactor?: boolean | null | undefined; readonly antialias?: boolean | undefined }] | [input: Tensor, size: SizeLike | readonly SizeLike[] | null | undefined, scaleFactor: number | readonly number[] | null | undefined, options?: { readonly mode?: 'nearest' | 'nearest-exact' | 'linear' | 'bilinear' | 'trilinear' | 'bicubic' | 'area' | undefined; readonly alignCorners?: boolean | null | undefined; readonly recomputeScaleFactor?: boolean | null | undefined; readonly antialias?: boolean | undefined }] | [input: Tensor, size: SizeLike | readonly SizeLike[] | null | undefined, options?: { readonly scaleFactor?: number | readonly number[] | null | undefined; readonly mode?: 'nearest' | 'nearest-exact' | 'linear' | 'bilinear' | 'trilinear' | 'bicubic' | 'area' | undefined; readonly alignCorners?: boolean | null | undefined; readonly recomputeScaleFactor?: boolean | null | undefined; readonly antialias?: boolean | undefined }] | [input: Tensor, options?: { readonly size?: SizeLike | readonly SizeLike[] | null | undefined; readonly scaleFactor?: number | readonly number[] | null | undefined; readonly mode?: 'nearest' | 'nearest-exact' | 'linear' | 'bilinear' | 'trilinear' | 'bicubic' | 'area' | undefined; readonly alignCorners?: boolean | null | undefined; readonly recomputeScaleFactor?: boolean | null | undefined; readonly antialias?: boolean | undefined }] | [options: { readonly input: Tensor; readonly size?: SizeLike | readonly SizeLike[] | null | undefined; readonly scaleFactor?: number | readonly number[] | null | undefined; readonly mode?: 'nearest' | 'nearest-exact' | 'linear' | 'bilinear' | 'trilinear' | 'bicubic' | 'area' | undefined; readonly alignCorners?: boolean | null | undefined; readonly recomputeScaleFactor?: boolean | null | undefined; readonly antialias?: boolean | undefined }]): Tensor
export function interpolate(...args: readonly unknown[]): unknown {
  return callOp('interpolate', args)
}

/**
 * [N, C, …] at the places of a grid [N, …, 2 or 3], whose last dim says x, y (and z) from −1 to 1: by mode 'bilinear', 'nearest' or 'bicubic'.
 *
 * @param input the tensor: a tensor
 * @param grid the places, of the dtype of the input: x first, −1 and 1 at the edges: a tensor
 * @param mode what lies between the elements: 'bilinear', 'nearest' or 'bicubic'; default 'bilinear'
 * @param paddingMode what lies outside: 0, the element at the edge, or the mirrored image: 'zeros', 'border' or 'reflection'; default 'zeros'
 * @param alignCorners −1 and 1 are the corners' centres instead of their edges: true or false; default false
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function gridSample(input: Tensor, grid: Tensor, mode?: 'bilinear' | 'nearest' | 'bicubic', paddingMode?: 'zeros' | 'border' | 'reflection', alignCorners?: boolean): Tensor
/**
 * [N, C, …] at the places of a grid [N, …, 2 or 3], whose last dim says x, y (and z) from −1 to 1: by mode 'bilinear', 'nearest' or 'bicubic'.
 *
 * @param input the tensor: a tensor
 * @param grid the places, of the dtype of the input: x first, −1 and 1 at the edges: a tensor
 * @param mode what lies between the elements: 'bilinear', 'nearest' or 'bicubic'; default 'bilinear'
 * @param paddingMode what lies outside: 0, the element at the edge, or the mirrored image: 'zeros', 'border' or 'reflection'; default 'zeros'
 * @param alignCorners −1 and 1 are the corners' centres instead of their edges: true or false; default false
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function gridSample(...args: [input: Tensor, grid: Tensor, mode: 'bilinear' | 'nearest' | 'bicubic' | undefined, paddingMode: 'zeros' | 'border' | 'reflection' | undefined, options?: { readonly alignCorners?: boolean | undefined }] | [input: Tensor, grid: Tensor, mode: 'bilinear' | 'nearest' | 'bicubic' | undefined, options?: { readonly paddingMode?: 'zeros' | 'border' | 'reflection' | undefined; readonly alignCorners?: boolean | undefined }] | [input: Tensor, grid: Tensor, options?: { readonly mode?: 'bilinear' | 'nearest' | 'bicubic' | undefined; readonly paddingMode?: 'zeros' | 'border' | 'reflection' | undefined; readonly alignCorners?: boolean | undefined }] | [input: Tensor, options: { readonly grid: Tensor; readonly mode?: 'bilinear' | 'nearest' | 'bicubic' | undefined; readonly paddingMode?: 'zeros' | 'border' | 'reflection' | undefined; readonly alignCorners?: boolean | undefined }] | [options: { readonly input: Tensor; readonly grid: Tensor; readonly mode?: 'bilinear' | 'nearest' | 'bicubic' | undefined; readonly paddingMode?: 'zeros' | 'border' | 'reflection' | undefined; readonly alignCorners?: boolean | undefined }]): Tensor
export function gridSample(...args: readonly unknown[]): unknown {
  return callOp('gridSample', args)
}

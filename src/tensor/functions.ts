/** The free functions of ops.
 *
 * Written by `npx tsx scripts/op-types.ts` from the records' signatures: change those.
 */
import { callOp, type OpFunction, opFunction } from './methods.js'
import type { TensorDtype } from '../types/dtype.js'
import type { Operand, Range, SizeLike } from './parameters.js'
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
 * self².
 *
 * @param input the tensor: a tensor
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function square(input: Tensor): Tensor
/**
 * self².
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
 * The nearest integer; halves go to the even one.
 *
 * @param input the tensor: a tensor
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function round(input: Tensor): Tensor
/**
 * The nearest integer; halves go to the even one.
 *
 * @param input the tensor: a tensor
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function round(...args: [options: { readonly input: Tensor }]): Tensor
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
 * @param eps a number; optional
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function logit(input: Tensor, eps?: number | null): Tensor
/**
 * ln(self / (1 − self)); with eps, of self moved into [eps, 1 − eps].
 *
 * @param input the tensor: a tensor
 * @param eps a number; optional
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

export const floatPower: OpFunction<'floatPower'> = opFunction('floatPower')

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
 * self where positive, weight · self elsewhere; weight broadcasts ([C, 1, 1] for one per channel of images).
 *
 * @param input the tensor: a tensor
 * @param weight a tensor
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function prelu(input: Tensor, weight: Tensor): Tensor
/**
 * self where positive, weight · self elsewhere; weight broadcasts ([C, 1, 1] for one per channel of images).
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
 * ln Σ e^self over the dims, without overflow.
 *
 * @param input the tensor: a tensor
 * @param dim the dim (negative ones count from the end): an integer or a list of integers
 * @param keepdim keep the reduced dims, with size 1: true or false; default false
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function logsumexp(input: Tensor, dim: number | readonly number[], keepdim?: boolean): Tensor
/**
 * ln Σ e^self over the dims, without overflow.
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
 * @param keepdim keep the reduced dims, with size 1: true or false; default false
 * @param correction n − correction divides: 1 estimates a population from a sample, 0 is for a whole population: a number; default 1
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function std(input: Tensor, dim?: number | readonly number[] | null, keepdim?: boolean, options?: { readonly correction?: number | undefined }): Tensor
/**
 * The square root of var.
 *
 * @param input the tensor: a tensor
 * @param dim the dim (negative ones count from the end): an integer or a list of integers; optional
 * @param keepdim keep the reduced dims, with size 1: true or false; default false
 * @param correction n − correction divides: 1 estimates a population from a sample, 0 is for a whole population: a number; default 1
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function std(...args: [input: Tensor, dim: number | readonly number[] | null | undefined, options?: { readonly keepdim?: boolean | undefined; readonly correction?: number | undefined }] | [input: Tensor, options?: { readonly dim?: number | readonly number[] | null | undefined; readonly keepdim?: boolean | undefined; readonly correction?: number | undefined }] | [options: { readonly input: Tensor; readonly dim?: number | readonly number[] | null | undefined; readonly keepdim?: boolean | undefined; readonly correction?: number | undefined }]): Tensor
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
 * @param keepdim keep the reduced dims, with size 1: true or false; default false
 * @param correction a number; default 1
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function varMean(input: Tensor, dim?: number | readonly number[] | null, keepdim?: boolean, options?: { readonly correction?: number | undefined }): { readonly var: Tensor; readonly mean: Tensor }
/**
 * The variance and the mean over the dims.
 *
 * @param input the tensor: a tensor
 * @param dim the dim (negative ones count from the end): an integer or a list of integers; optional
 * @param keepdim keep the reduced dims, with size 1: true or false; default false
 * @param correction a number; default 1
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function varMean(...args: [input: Tensor, dim: number | readonly number[] | null | undefined, options?: { readonly keepdim?: boolean | undefined; readonly correction?: number | undefined }] | [input: Tensor, options?: { readonly dim?: number | readonly number[] | null | undefined; readonly keepdim?: boolean | undefined; readonly correction?: number | undefined }] | [options: { readonly input: Tensor; readonly dim?: number | readonly number[] | null | undefined; readonly keepdim?: boolean | undefined; readonly correction?: number | undefined }]): { readonly var: Tensor; readonly mean: Tensor }
export function varMean(...args: readonly unknown[]): unknown {
  return callOp('varMean', args)
}

/**
 * The standard deviation and the mean over the dims.
 *
 * @param input the tensor: a tensor
 * @param dim the dim (negative ones count from the end): an integer or a list of integers; optional
 * @param keepdim keep the reduced dims, with size 1: true or false; default false
 * @param correction a number; default 1
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function stdMean(input: Tensor, dim?: number | readonly number[] | null, keepdim?: boolean, options?: { readonly correction?: number | undefined }): { readonly std: Tensor; readonly mean: Tensor }
/**
 * The standard deviation and the mean over the dims.
 *
 * @param input the tensor: a tensor
 * @param dim the dim (negative ones count from the end): an integer or a list of integers; optional
 * @param keepdim keep the reduced dims, with size 1: true or false; default false
 * @param correction a number; default 1
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function stdMean(...args: [input: Tensor, dim: number | readonly number[] | null | undefined, options?: { readonly keepdim?: boolean | undefined; readonly correction?: number | undefined }] | [input: Tensor, options?: { readonly dim?: number | readonly number[] | null | undefined; readonly keepdim?: boolean | undefined; readonly correction?: number | undefined }] | [options: { readonly input: Tensor; readonly dim?: number | readonly number[] | null | undefined; readonly keepdim?: boolean | undefined; readonly correction?: number | undefined }]): { readonly std: Tensor; readonly mean: Tensor }
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
 * (Σ |self|^p)^(1/p) over the dims; p 0 counts what is not 0, p ±Infinity is the largest (smallest) |self|.
 *
 * @param input the tensor: a tensor
 * @param p the power; 'fro' is 2: a number or 'fro'; default 2
 * @param dim the dim (negative ones count from the end): an integer or a list of integers; optional
 * @param keepdim keep the reduced dims, with size 1: true or false; default false
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function norm(input: Tensor, p?: number | 'fro', dim?: number | readonly number[] | null, keepdim?: boolean): Tensor
/**
 * (Σ |self|^p)^(1/p) over the dims; p 0 counts what is not 0, p ±Infinity is the largest (smallest) |self|.
 *
 * @param input the tensor: a tensor
 * @param p the power; 'fro' is 2: a number or 'fro'; default 2
 * @param dim the dim (negative ones count from the end): an integer or a list of integers; optional
 * @param keepdim keep the reduced dims, with size 1: true or false; default false
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function norm(...args: [input: Tensor, p: number | 'fro' | undefined, dim: number | readonly number[] | null | undefined, options?: { readonly keepdim?: boolean | undefined }] | [input: Tensor, p: number | 'fro' | undefined, options?: { readonly dim?: number | readonly number[] | null | undefined; readonly keepdim?: boolean | undefined }] | [input: Tensor, options?: { readonly p?: number | 'fro' | undefined; readonly dim?: number | readonly number[] | null | undefined; readonly keepdim?: boolean | undefined }] | [options: { readonly input: Tensor; readonly p?: number | 'fro' | undefined; readonly dim?: number | readonly number[] | null | undefined; readonly keepdim?: boolean | undefined }]): Tensor
export function norm(...args: readonly unknown[]): unknown {
  return callOp('norm', args)
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

export const softmax: OpFunction<'softmax'> = opFunction('softmax')

export const logSoftmax: OpFunction<'logSoftmax'> = opFunction('logSoftmax')

export const layerNorm: OpFunction<'layerNorm'> = opFunction('layerNorm')

export const rmsNorm: OpFunction<'rmsNorm'> = opFunction('rmsNorm')

export const groupNorm: OpFunction<'groupNorm'> = opFunction('groupNorm')

export const batchNorm: OpFunction<'batchNorm'> = opFunction('batchNorm')

export const instanceNorm: OpFunction<'instanceNorm'> = opFunction('instanceNorm')

export const normalize: OpFunction<'normalize'> = opFunction('normalize')

export const mseLoss: OpFunction<'mseLoss'> = opFunction('mseLoss')

export const l1Loss: OpFunction<'l1Loss'> = opFunction('l1Loss')

export const smoothL1Loss: OpFunction<'smoothL1Loss'> = opFunction('smoothL1Loss')

export const huberLoss: OpFunction<'huberLoss'> = opFunction('huberLoss')

export const binaryCrossEntropy: OpFunction<'binaryCrossEntropy'> = opFunction('binaryCrossEntropy')

export const klDiv: OpFunction<'klDiv'> = opFunction('klDiv')

export const binaryCrossEntropyWithLogits: OpFunction<'binaryCrossEntropyWithLogits'> = opFunction('binaryCrossEntropyWithLogits')

export const nllLoss: OpFunction<'nllLoss'> = opFunction('nllLoss')

export const crossEntropy: OpFunction<'crossEntropy'> = opFunction('crossEntropy')

export const cosineSimilarity: OpFunction<'cosineSimilarity'> = opFunction('cosineSimilarity')

export const poissonNllLoss: OpFunction<'poissonNllLoss'> = opFunction('poissonNllLoss')

export const gaussianNllLoss: OpFunction<'gaussianNllLoss'> = opFunction('gaussianNllLoss')

export const softMarginLoss: OpFunction<'softMarginLoss'> = opFunction('softMarginLoss')

export const hingeEmbeddingLoss: OpFunction<'hingeEmbeddingLoss'> = opFunction('hingeEmbeddingLoss')

export const marginRankingLoss: OpFunction<'marginRankingLoss'> = opFunction('marginRankingLoss')

export const multilabelSoftMarginLoss: OpFunction<'multilabelSoftMarginLoss'> = opFunction('multilabelSoftMarginLoss')

export const multiMarginLoss: OpFunction<'multiMarginLoss'> = opFunction('multiMarginLoss')

export const cdist: OpFunction<'cdist'> = opFunction('cdist')

export const pairwiseDistance: OpFunction<'pairwiseDistance'> = opFunction('pairwiseDistance')

export const dist: OpFunction<'dist'> = opFunction('dist')

export const tripletMarginLoss: OpFunction<'tripletMarginLoss'> = opFunction('tripletMarginLoss')

export const cosineEmbeddingLoss: OpFunction<'cosineEmbeddingLoss'> = opFunction('cosineEmbeddingLoss')

/**
 * The same elements, row by row, in another shape; one size may be −1.
 *
 * @param input the tensor: a tensor
 * @param shape a list of integers of at least 0, or −1 for one that follows from the others
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function reshape(input: Tensor, shape: readonly SizeLike[]): Tensor
/**
 * The same elements, row by row, in another shape; one size may be −1.
 *
 * @param input the tensor: a tensor
 * @param shape a list of integers of at least 0, or −1 for one that follows from the others
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function reshape(input: Tensor, ...shape: readonly (SizeLike)[]): Tensor
/**
 * The same elements, row by row, in another shape; one size may be −1.
 *
 * @param input the tensor: a tensor
 * @param shape a list of integers of at least 0, or −1 for one that follows from the others
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function reshape(...args: [input: Tensor, options: { readonly shape: readonly SizeLike[] }] | [options: { readonly input: Tensor; readonly shape: readonly SizeLike[] }]): Tensor
export function reshape(...args: readonly unknown[]): unknown {
  return callOp('reshape', args)
}

export const expand: OpFunction<'expand'> = opFunction('expand')

export const flatten: OpFunction<'flatten'> = opFunction('flatten')

export const squeeze: OpFunction<'squeeze'> = opFunction('squeeze')

export const unsqueeze: OpFunction<'unsqueeze'> = opFunction('unsqueeze')

/**
 * self with its dims in another order.
 *
 * @param input the tensor: a tensor
 * @param dims a list of integers
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function permute(input: Tensor, dims: readonly number[]): Tensor
/**
 * self with its dims in another order.
 *
 * @param input the tensor: a tensor
 * @param dims a list of integers
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function permute(input: Tensor, ...dims: readonly (number)[]): Tensor
/**
 * self with its dims in another order.
 *
 * @param input the tensor: a tensor
 * @param dims a list of integers
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
 * @param dim0 an integer
 * @param dim1 an integer
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function transpose(input: Tensor, dim0: number, dim1: number): Tensor
/**
 * self with two dims exchanged.
 *
 * @param input the tensor: a tensor
 * @param dim0 an integer
 * @param dim1 an integer
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function transpose(...args: [input: Tensor, dim0: number, options: { readonly dim1: number }] | [input: Tensor, options: { readonly dim0: number; readonly dim1: number }] | [options: { readonly input: Tensor; readonly dim0: number; readonly dim1: number }]): Tensor
export function transpose(...args: readonly unknown[]): unknown {
  return callOp('transpose', args)
}

export const t: OpFunction<'t'> = opFunction('t')

/**
 * A part of self: per dim an index, [start, end, step], or null for everything.
 *
 * @param input the tensor: a tensor
 * @param ranges an index, [start, end, step], null or 'all'; default []
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function slice(input: Tensor, ...ranges: readonly (Range)[]): Tensor
/**
 * A part of self: per dim an index, [start, end, step], or null for everything.
 *
 * @param input the tensor: a tensor
 * @param ranges an index, [start, end, step], null or 'all'; default []
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function slice(...args: [input: Tensor, options?: { readonly ranges?: readonly (Range)[] | undefined }] | [options: { readonly input: Tensor; readonly ranges?: readonly (Range)[] | undefined }]): Tensor
export function slice(...args: readonly unknown[]): unknown {
  return callOp('slice', args)
}

export const narrow: OpFunction<'narrow'> = opFunction('narrow')

export const select: OpFunction<'select'> = opFunction('select')

export const flip: OpFunction<'flip'> = opFunction('flip')

export const unflatten: OpFunction<'unflatten'> = opFunction('unflatten')

export const movedim: OpFunction<'movedim'> = opFunction('movedim')

export const roll: OpFunction<'roll'> = opFunction('roll')

export const rot90: OpFunction<'rot90'> = opFunction('rot90')

export const repeat: OpFunction<'repeat'> = opFunction('repeat')

export const tile: OpFunction<'tile'> = opFunction('tile')

export const repeatInterleave: OpFunction<'repeatInterleave'> = opFunction('repeatInterleave')

export const diagonal: OpFunction<'diagonal'> = opFunction('diagonal')

export const diag: OpFunction<'diag'> = opFunction('diag')

export const trace: OpFunction<'trace'> = opFunction('trace')

export const unfold: OpFunction<'unfold'> = opFunction('unfold')

export const diff: OpFunction<'diff'> = opFunction('diff')

export const oneHot: OpFunction<'oneHot'> = opFunction('oneHot')

export const pad: OpFunction<'pad'> = opFunction('pad')

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
 * @param mask a tensor
 * @param value a tensor or a number
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function maskedFill(input: Tensor, mask: Tensor, value: Operand): Tensor
/**
 * value where mask (bool) is true, self elsewhere; keeps the dtype of self.
 *
 * @param input the tensor: a tensor
 * @param mask a tensor
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
export function tril(input: Tensor, diagonal?: number): Tensor
/**
 * self below and on a diagonal of its matrices, 0 above.
 *
 * @param input the tensor: a tensor
 * @param diagonal an integer; default 0
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function tril(...args: [input: Tensor, options?: { readonly diagonal?: number | undefined }] | [options: { readonly input: Tensor; readonly diagonal?: number | undefined }]): Tensor
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
export function triu(input: Tensor, diagonal?: number): Tensor
/**
 * self above and on a diagonal of its matrices, 0 below.
 *
 * @param input the tensor: a tensor
 * @param diagonal an integer; default 0
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function triu(...args: [input: Tensor, options?: { readonly diagonal?: number | undefined }] | [options: { readonly input: Tensor; readonly diagonal?: number | undefined }]): Tensor
export function triu(...args: readonly unknown[]): unknown {
  return callOp('triu', args)
}

/**
 * The tensors one after another along a dim.
 *
 * @param tensors a list of tensors
 * @param dim the dim (negative ones count from the end): an integer; default 0
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function cat(tensors: readonly Tensor[], dim?: number): Tensor
/**
 * The tensors one after another along a dim.
 *
 * @param tensors a list of tensors
 * @param dim the dim (negative ones count from the end): an integer; default 0
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function cat(...args: [tensors: readonly Tensor[], options?: { readonly dim?: number | undefined }] | [options: { readonly tensors: readonly Tensor[]; readonly dim?: number | undefined }]): Tensor
export function cat(...args: readonly unknown[]): unknown {
  return callOp('cat', args)
}

export const stack: OpFunction<'stack'> = opFunction('stack')

export const gather: OpFunction<'gather'> = opFunction('gather')

export const indexSelect: OpFunction<'indexSelect'> = opFunction('indexSelect')

export const embedding: OpFunction<'embedding'> = opFunction('embedding')

export const scatter: OpFunction<'scatter'> = opFunction('scatter')

export const scatterAdd: OpFunction<'scatterAdd'> = opFunction('scatterAdd')

export const scatterReduce: OpFunction<'scatterReduce'> = opFunction('scatterReduce')

export const indexAdd: OpFunction<'indexAdd'> = opFunction('indexAdd')

export const indexCopy: OpFunction<'indexCopy'> = opFunction('indexCopy')

export const indexFill: OpFunction<'indexFill'> = opFunction('indexFill')

export const takeAlongDim: OpFunction<'takeAlongDim'> = opFunction('takeAlongDim')

export const take: OpFunction<'take'> = opFunction('take')

export const maskedScatter: OpFunction<'maskedScatter'> = opFunction('maskedScatter')

export const selectScatter: OpFunction<'selectScatter'> = opFunction('selectScatter')

export const sliceScatter: OpFunction<'sliceScatter'> = opFunction('sliceScatter')

export const diagEmbed: OpFunction<'diagEmbed'> = opFunction('diagEmbed')

export const sort: OpFunction<'sort'> = opFunction('sort')

export const argsort: OpFunction<'argsort'> = opFunction('argsort')

/**
 * The k largest (smallest) values along a dim, best first, and where they are; at a tie the first.
 *
 * @param input the tensor: a tensor
 * @param k an integer of at least 0
 * @param dim the dim (negative ones count from the end): an integer; default -1
 * @param largest true or false; default true
 * @param sorted true or false; default true
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function topk(input: Tensor, k: number, dim?: number, largest?: boolean, sorted?: boolean): { readonly values: Tensor; readonly indices: Tensor }
/**
 * The k largest (smallest) values along a dim, best first, and where they are; at a tie the first.
 *
 * @param input the tensor: a tensor
 * @param k an integer of at least 0
 * @param dim the dim (negative ones count from the end): an integer; default -1
 * @param largest true or false; default true
 * @param sorted true or false; default true
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function topk(...args: [input: Tensor, k: number, dim: number | undefined, largest: boolean | undefined, options?: { readonly sorted?: boolean | undefined }] | [input: Tensor, k: number, dim: number | undefined, options?: { readonly largest?: boolean | undefined; readonly sorted?: boolean | undefined }] | [input: Tensor, k: number, options?: { readonly dim?: number | undefined; readonly largest?: boolean | undefined; readonly sorted?: boolean | undefined }] | [input: Tensor, options: { readonly k: number; readonly dim?: number | undefined; readonly largest?: boolean | undefined; readonly sorted?: boolean | undefined }] | [options: { readonly input: Tensor; readonly k: number; readonly dim?: number | undefined; readonly largest?: boolean | undefined; readonly sorted?: boolean | undefined }]): { readonly values: Tensor; readonly indices: Tensor }
export function topk(...args: readonly unknown[]): unknown {
  return callOp('topk', args)
}

export const searchsorted: OpFunction<'searchsorted'> = opFunction('searchsorted')

export const bucketize: OpFunction<'bucketize'> = opFunction('bucketize')

export const histc: OpFunction<'histc'> = opFunction('histc')

export const isin: OpFunction<'isin'> = opFunction('isin')

/**
 * The product of two matrices.
 *
 * @param input the tensor: a tensor
 * @param other what it is combined with; the two broadcast: a tensor
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function mm(input: Tensor, other: Tensor): Tensor
/**
 * The product of two matrices.
 *
 * @param input the tensor: a tensor
 * @param other what it is combined with; the two broadcast: a tensor
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function mm(...args: [input: Tensor, options: { readonly other: Tensor }] | [options: { readonly input: Tensor; readonly other: Tensor }]): Tensor
export function mm(...args: readonly unknown[]): unknown {
  return callOp('mm', args)
}

/**
 * The products of two batches of matrices.
 *
 * @param input the tensor: a tensor
 * @param other what it is combined with; the two broadcast: a tensor
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function bmm(input: Tensor, other: Tensor): Tensor
/**
 * The products of two batches of matrices.
 *
 * @param input the tensor: a tensor
 * @param other what it is combined with; the two broadcast: a tensor
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function bmm(...args: [input: Tensor, options: { readonly other: Tensor }] | [options: { readonly input: Tensor; readonly other: Tensor }]): Tensor
export function bmm(...args: readonly unknown[]): unknown {
  return callOp('bmm', args)
}

/**
 * The product of a matrix and a vector.
 *
 * @param input the tensor: a tensor
 * @param other what it is combined with; the two broadcast: a tensor
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function mv(input: Tensor, other: Tensor): Tensor
/**
 * The product of a matrix and a vector.
 *
 * @param input the tensor: a tensor
 * @param other what it is combined with; the two broadcast: a tensor
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function mv(...args: [input: Tensor, options: { readonly other: Tensor }] | [options: { readonly input: Tensor; readonly other: Tensor }]): Tensor
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
 * @param weight a tensor
 * @param bias a tensor; optional
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function linear(input: Tensor, weight: Tensor, bias?: Tensor | null): Tensor
/**
 * self · weightᵀ + bias on the last dim; weight [out, in], bias [out].
 *
 * @param input the tensor: a tensor
 * @param weight a tensor
 * @param bias a tensor; optional
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function linear(...args: [input: Tensor, weight: Tensor, options?: { readonly bias?: Tensor | null | undefined }] | [input: Tensor, options: { readonly weight: Tensor; readonly bias?: Tensor | null | undefined }] | [options: { readonly input: Tensor; readonly weight: Tensor; readonly bias?: Tensor | null | undefined }]): Tensor
export function linear(...args: readonly unknown[]): unknown {
  return callOp('linear', args)
}

export const addmm: OpFunction<'addmm'> = opFunction('addmm')

export const baddbmm: OpFunction<'baddbmm'> = opFunction('baddbmm')

export const addmv: OpFunction<'addmv'> = opFunction('addmv')

export const einsum: OpFunction<'einsum'> = opFunction('einsum')

export const outer: OpFunction<'outer'> = opFunction('outer')

export const inner: OpFunction<'inner'> = opFunction('inner')

export const tensordot: OpFunction<'tensordot'> = opFunction('tensordot')

export const kron: OpFunction<'kron'> = opFunction('kron')

/**
 * The product of two or more matrices (the first and last may be vectors), in the order that costs least.
 *
 * @param tensors a list of tensors
 * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
 */
export function multiDot(tensors: readonly Tensor[]): Tensor
/**
 * The product of two or more matrices (the first and last may be vectors), in the order that costs least.
 *
 * @param tensors a list of tensors
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

export const conv1d: OpFunction<'conv1d'> = opFunction('conv1d')

export const conv2d: OpFunction<'conv2d'> = opFunction('conv2d')

export const conv3d: OpFunction<'conv3d'> = opFunction('conv3d')

export const convTranspose1d: OpFunction<'convTranspose1d'> = opFunction('convTranspose1d')

export const convTranspose2d: OpFunction<'convTranspose2d'> = opFunction('convTranspose2d')

export const convTranspose3d: OpFunction<'convTranspose3d'> = opFunction('convTranspose3d')

export const maxPool1d: OpFunction<'maxPool1d'> = opFunction('maxPool1d')

export const maxPool2d: OpFunction<'maxPool2d'> = opFunction('maxPool2d')

export const maxPool3d: OpFunction<'maxPool3d'> = opFunction('maxPool3d')

export const avgPool1d: OpFunction<'avgPool1d'> = opFunction('avgPool1d')

export const avgPool2d: OpFunction<'avgPool2d'> = opFunction('avgPool2d')

export const avgPool3d: OpFunction<'avgPool3d'> = opFunction('avgPool3d')

export const adaptiveAvgPool1d: OpFunction<'adaptiveAvgPool1d'> = opFunction('adaptiveAvgPool1d')

export const adaptiveAvgPool2d: OpFunction<'adaptiveAvgPool2d'> = opFunction('adaptiveAvgPool2d')

export const adaptiveAvgPool3d: OpFunction<'adaptiveAvgPool3d'> = opFunction('adaptiveAvgPool3d')

export const adaptiveMaxPool1d: OpFunction<'adaptiveMaxPool1d'> = opFunction('adaptiveMaxPool1d')

export const adaptiveMaxPool2d: OpFunction<'adaptiveMaxPool2d'> = opFunction('adaptiveMaxPool2d')

export const adaptiveMaxPool3d: OpFunction<'adaptiveMaxPool3d'> = opFunction('adaptiveMaxPool3d')

export const im2col: OpFunction<'im2col'> = opFunction('im2col')

export const fold: OpFunction<'fold'> = opFunction('fold')

export const maxPool1dWithIndices: OpFunction<'maxPool1dWithIndices'> = opFunction('maxPool1dWithIndices')

export const maxPool2dWithIndices: OpFunction<'maxPool2dWithIndices'> = opFunction('maxPool2dWithIndices')

export const maxPool3dWithIndices: OpFunction<'maxPool3dWithIndices'> = opFunction('maxPool3dWithIndices')

export const maxUnpool1d: OpFunction<'maxUnpool1d'> = opFunction('maxUnpool1d')

export const maxUnpool2d: OpFunction<'maxUnpool2d'> = opFunction('maxUnpool2d')

export const maxUnpool3d: OpFunction<'maxUnpool3d'> = opFunction('maxUnpool3d')

export const glu: OpFunction<'glu'> = opFunction('glu')

export const pixelShuffle: OpFunction<'pixelShuffle'> = opFunction('pixelShuffle')

export const pixelUnshuffle: OpFunction<'pixelUnshuffle'> = opFunction('pixelUnshuffle')

export const channelShuffle: OpFunction<'channelShuffle'> = opFunction('channelShuffle')

export const localResponseNorm: OpFunction<'localResponseNorm'> = opFunction('localResponseNorm')

export const interpolate: OpFunction<'interpolate'> = opFunction('interpolate')

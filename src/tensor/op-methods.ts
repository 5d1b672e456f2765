/** The methods of ops, and those that write in place.
 *
 * Written by `npx tsx scripts/op-types.ts` from the records' signatures: change those.
 */
import type { TensorDtype } from '../types/dtype.js'
import type { IndexLike, Operand, Range, Scalar, SizeLike } from './parameters.js'
import type { Tensor } from './tensor.js'

/** The methods of ops. */
export interface OpMethods {
  /**
   * self + alpha · other.
   *
   * @param other what it is combined with; the two broadcast: a tensor or a number
   * @param alpha a tensor or a number; optional
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  add(other: Operand, options?: { readonly alpha?: Operand | null | undefined }): Tensor
  /**
   * self + alpha · other.
   *
   * @param other what it is combined with; the two broadcast: a tensor or a number
   * @param alpha a tensor or a number; optional
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  add(...args: [options: { readonly other: Operand; readonly alpha?: Operand | null | undefined }]): Tensor

  /**
   * self − alpha · other.
   *
   * @param other what it is combined with; the two broadcast: a tensor or a number
   * @param alpha a tensor or a number; optional
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  sub(other: Operand, options?: { readonly alpha?: Operand | null | undefined }): Tensor
  /**
   * self − alpha · other.
   *
   * @param other what it is combined with; the two broadcast: a tensor or a number
   * @param alpha a tensor or a number; optional
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  sub(...args: [options: { readonly other: Operand; readonly alpha?: Operand | null | undefined }]): Tensor

  /**
   * self · other.
   *
   * @param other what it is combined with; the two broadcast: a tensor or a number
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  mul(other: Operand): Tensor
  /**
   * self · other.
   *
   * @param other what it is combined with; the two broadcast: a tensor or a number
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  mul(...args: [options: { readonly other: Operand }]): Tensor

  /**
   * self / other; roundingMode floor or trunc rounds the quotient and keeps integers.
   *
   * @param other what it is combined with; the two broadcast: a tensor or a number
   * @param roundingMode 'floor' or 'trunc'; optional
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  div(other: Operand, options?: { readonly roundingMode?: 'floor' | 'trunc' | null | undefined }): Tensor
  /**
   * self / other; roundingMode floor or trunc rounds the quotient and keeps integers.
   *
   * @param other what it is combined with; the two broadcast: a tensor or a number
   * @param roundingMode 'floor' or 'trunc'; optional
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  div(...args: [options: { readonly other: Operand; readonly roundingMode?: 'floor' | 'trunc' | null | undefined }]): Tensor

  /**
   * self / other, of integers in f32: div without rounding.
   *
   * @param other what it is combined with; the two broadcast: a tensor or a number
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  trueDivide(other: Operand): Tensor
  /**
   * self / other, of integers in f32: div without rounding.
   *
   * @param other what it is combined with; the two broadcast: a tensor or a number
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  trueDivide(...args: [options: { readonly other: Operand }]): Tensor

  /**
   * ⌊self / other⌋.
   *
   * @param other what it is combined with; the two broadcast: a tensor or a number
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  floorDivide(other: Operand): Tensor
  /**
   * ⌊self / other⌋.
   *
   * @param other what it is combined with; the two broadcast: a tensor or a number
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  floorDivide(...args: [options: { readonly other: Operand }]): Tensor

  /**
   * self − other · ⌊self / other⌋: the rest with the sign of other.
   *
   * @param other what it is combined with; the two broadcast: a tensor or a number
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  remainder(other: Operand): Tensor
  /**
   * self − other · ⌊self / other⌋: the rest with the sign of other.
   *
   * @param other what it is combined with; the two broadcast: a tensor or a number
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  remainder(...args: [options: { readonly other: Operand }]): Tensor

  /**
   * The rest of self / other with the sign of self.
   *
   * @param other what it is combined with; the two broadcast: a tensor or a number
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  fmod(other: Operand): Tensor
  /**
   * The rest of self / other with the sign of self.
   *
   * @param other what it is combined with; the two broadcast: a tensor or a number
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  fmod(...args: [options: { readonly other: Operand }]): Tensor

  /**
   * self to the power of exponent.
   *
   * @param exponent a tensor or a number
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  pow(exponent: Operand): Tensor
  /**
   * self to the power of exponent.
   *
   * @param exponent a tensor or a number
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  pow(...args: [options: { readonly exponent: Operand }]): Tensor

  /**
   * −self.
   *
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  neg(): Tensor

  /**
   * |self|.
   *
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  abs(): Tensor

  /**
   * −1, 0 or 1 by the sign of self; NaN stays NaN.
   *
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  sign(): Tensor

  /**
   * 1 / self.
   *
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  reciprocal(): Tensor

  /**
   * self²; of bool as i64.
   *
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  square(): Tensor

  /**
   * The larger of the two; NaN if either is NaN.
   *
   * @param other what it is combined with; the two broadcast: a tensor or a number
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  maximum(other: Operand): Tensor
  /**
   * The larger of the two; NaN if either is NaN.
   *
   * @param other what it is combined with; the two broadcast: a tensor or a number
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  maximum(...args: [options: { readonly other: Operand }]): Tensor

  /**
   * The smaller of the two; NaN if either is NaN.
   *
   * @param other what it is combined with; the two broadcast: a tensor or a number
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  minimum(other: Operand): Tensor
  /**
   * The smaller of the two; NaN if either is NaN.
   *
   * @param other what it is combined with; the two broadcast: a tensor or a number
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  minimum(...args: [options: { readonly other: Operand }]): Tensor

  /**
   * min(max(self, min), max); either limit may be missing.
   *
   * @param min a tensor or a number; optional
   * @param max a tensor or a number; optional
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  clamp(min?: Operand | null, max?: Operand | null): Tensor
  /**
   * min(max(self, min), max); either limit may be missing.
   *
   * @param min a tensor or a number; optional
   * @param max a tensor or a number; optional
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  clamp(...args: [min: Operand | null | undefined, options?: { readonly max?: Operand | null | undefined }] | [options?: { readonly min?: Operand | null | undefined; readonly max?: Operand | null | undefined }]): Tensor

  /**
   * self = other, as bool.
   *
   * @param other what it is combined with; the two broadcast: a tensor or a number
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  eq(other: Operand): Tensor
  /**
   * self = other, as bool.
   *
   * @param other what it is combined with; the two broadcast: a tensor or a number
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  eq(...args: [options: { readonly other: Operand }]): Tensor

  /**
   * self ≠ other, as bool.
   *
   * @param other what it is combined with; the two broadcast: a tensor or a number
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  ne(other: Operand): Tensor
  /**
   * self ≠ other, as bool.
   *
   * @param other what it is combined with; the two broadcast: a tensor or a number
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  ne(...args: [options: { readonly other: Operand }]): Tensor

  /**
   * self < other, as bool.
   *
   * @param other what it is combined with; the two broadcast: a tensor or a number
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  lt(other: Operand): Tensor
  /**
   * self < other, as bool.
   *
   * @param other what it is combined with; the two broadcast: a tensor or a number
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  lt(...args: [options: { readonly other: Operand }]): Tensor

  /**
   * self ≤ other, as bool.
   *
   * @param other what it is combined with; the two broadcast: a tensor or a number
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  le(other: Operand): Tensor
  /**
   * self ≤ other, as bool.
   *
   * @param other what it is combined with; the two broadcast: a tensor or a number
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  le(...args: [options: { readonly other: Operand }]): Tensor

  /**
   * self > other, as bool.
   *
   * @param other what it is combined with; the two broadcast: a tensor or a number
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  gt(other: Operand): Tensor
  /**
   * self > other, as bool.
   *
   * @param other what it is combined with; the two broadcast: a tensor or a number
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  gt(...args: [options: { readonly other: Operand }]): Tensor

  /**
   * self ≥ other, as bool.
   *
   * @param other what it is combined with; the two broadcast: a tensor or a number
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  ge(other: Operand): Tensor
  /**
   * self ≥ other, as bool.
   *
   * @param other what it is combined with; the two broadcast: a tensor or a number
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  ge(...args: [options: { readonly other: Operand }]): Tensor

  /**
   * self and other on truth values (anything but 0 is true).
   *
   * @param other what it is combined with; the two broadcast: a tensor or a number
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  logicalAnd(other: Operand): Tensor
  /**
   * self and other on truth values (anything but 0 is true).
   *
   * @param other what it is combined with; the two broadcast: a tensor or a number
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  logicalAnd(...args: [options: { readonly other: Operand }]): Tensor

  /**
   * self or other on truth values (anything but 0 is true).
   *
   * @param other what it is combined with; the two broadcast: a tensor or a number
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  logicalOr(other: Operand): Tensor
  /**
   * self or other on truth values (anything but 0 is true).
   *
   * @param other what it is combined with; the two broadcast: a tensor or a number
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  logicalOr(...args: [options: { readonly other: Operand }]): Tensor

  /**
   * self exclusive or other on truth values (anything but 0 is true).
   *
   * @param other what it is combined with; the two broadcast: a tensor or a number
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  logicalXor(other: Operand): Tensor
  /**
   * self exclusive or other on truth values (anything but 0 is true).
   *
   * @param other what it is combined with; the two broadcast: a tensor or a number
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  logicalXor(...args: [options: { readonly other: Operand }]): Tensor

  /**
   * True where self is 0.
   *
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  logicalNot(): Tensor

  /**
   * self and other, bit by bit; on bool, logically.
   *
   * @param other what it is combined with; the two broadcast: a tensor or a number
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  bitwiseAnd(other: Operand): Tensor
  /**
   * self and other, bit by bit; on bool, logically.
   *
   * @param other what it is combined with; the two broadcast: a tensor or a number
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  bitwiseAnd(...args: [options: { readonly other: Operand }]): Tensor

  /**
   * self or other, bit by bit; on bool, logically.
   *
   * @param other what it is combined with; the two broadcast: a tensor or a number
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  bitwiseOr(other: Operand): Tensor
  /**
   * self or other, bit by bit; on bool, logically.
   *
   * @param other what it is combined with; the two broadcast: a tensor or a number
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  bitwiseOr(...args: [options: { readonly other: Operand }]): Tensor

  /**
   * self exclusive or other, bit by bit; on bool, logically.
   *
   * @param other what it is combined with; the two broadcast: a tensor or a number
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  bitwiseXor(other: Operand): Tensor
  /**
   * self exclusive or other, bit by bit; on bool, logically.
   *
   * @param other what it is combined with; the two broadcast: a tensor or a number
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  bitwiseXor(...args: [options: { readonly other: Operand }]): Tensor

  /**
   * Every bit of self inverted; on bool, logical not.
   *
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  bitwiseNot(): Tensor

  /**
   * self · 2^other; bits shifted out are lost.
   *
   * @param other what it is combined with; the two broadcast: a tensor or a number
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  bitwiseLeftShift(other: Operand): Tensor
  /**
   * self · 2^other; bits shifted out are lost.
   *
   * @param other what it is combined with; the two broadcast: a tensor or a number
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  bitwiseLeftShift(...args: [options: { readonly other: Operand }]): Tensor

  /**
   * ⌊self / 2^other⌋.
   *
   * @param other what it is combined with; the two broadcast: a tensor or a number
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  bitwiseRightShift(other: Operand): Tensor
  /**
   * ⌊self / 2^other⌋.
   *
   * @param other what it is combined with; the two broadcast: a tensor or a number
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  bitwiseRightShift(...args: [options: { readonly other: Operand }]): Tensor

  /**
   * True where self is NaN.
   *
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  isnan(): Tensor

  /**
   * True where self is infinite.
   *
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  isinf(): Tensor

  /**
   * True where self is neither infinite nor NaN.
   *
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  isfinite(): Tensor

  /**
   * √self.
   *
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  sqrt(): Tensor

  /**
   * 1 / √self.
   *
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  rsqrt(): Tensor

  /**
   * e^self.
   *
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  exp(): Tensor

  /**
   * 2^self.
   *
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  exp2(): Tensor

  /**
   * e^self − 1, exact near 0.
   *
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  expm1(): Tensor

  /**
   * The natural logarithm of self.
   *
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  log(): Tensor

  /**
   * The logarithm of self to base 2.
   *
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  log2(): Tensor

  /**
   * The logarithm of self to base 10.
   *
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  log10(): Tensor

  /**
   * ln(1 + self), exact near 0.
   *
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  log1p(): Tensor

  /**
   * The sine of self (radians).
   *
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  sin(): Tensor

  /**
   * The cosine of self (radians).
   *
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  cos(): Tensor

  /**
   * The tangent of self (radians).
   *
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  tan(): Tensor

  /**
   * The angle in [−π/2, π/2] whose sine is self.
   *
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  asin(): Tensor

  /**
   * The angle in [0, π] whose cosine is self.
   *
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  acos(): Tensor

  /**
   * The angle in (−π/2, π/2) whose tangent is self.
   *
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  atan(): Tensor

  /**
   * The angle of the point (other, self), in [−π, π].
   *
   * @param other what it is combined with; the two broadcast: a tensor or a number
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  atan2(other: Operand): Tensor
  /**
   * The angle of the point (other, self), in [−π, π].
   *
   * @param other what it is combined with; the two broadcast: a tensor or a number
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  atan2(...args: [options: { readonly other: Operand }]): Tensor

  /**
   * The hyperbolic sine of self.
   *
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  sinh(): Tensor

  /**
   * The hyperbolic cosine of self.
   *
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  cosh(): Tensor

  /**
   * The hyperbolic tangent of self.
   *
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  tanh(): Tensor

  /**
   * The inverse of sinh.
   *
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  asinh(): Tensor

  /**
   * The inverse of cosh, at least 0.
   *
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  acosh(): Tensor

  /**
   * The inverse of tanh.
   *
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  atanh(): Tensor

  /**
   * The error function 2/√π · ∫₀^self e^(−t²) dt.
   *
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  erf(): Tensor

  /**
   * 1 − erf(self), exact where erf is near 1.
   *
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  erfc(): Tensor

  /**
   * The largest integer not above self.
   *
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  floor(): Tensor

  /**
   * The smallest integer not below self.
   *
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  ceil(): Tensor

  /**
   * self without its fraction.
   *
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  trunc(): Tensor

  /**
   * The nearest integer, or number of so many decimals; halves go to the even one.
   *
   * @param decimals an integer; default 0
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  round(options?: { readonly decimals?: number | undefined }): Tensor

  /**
   * self + weight · (end − self).
   *
   * @param end a tensor
   * @param weight a tensor or a number
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  lerp(end: Tensor, weight: Operand): Tensor
  /**
   * self + weight · (end − self).
   *
   * @param end a tensor
   * @param weight a tensor or a number
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  lerp(...args: [end: Tensor, options: { readonly weight: Operand }] | [options: { readonly end: Tensor; readonly weight: Operand }]): Tensor

  /**
   * As sign: −1, 0 or 1.
   *
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  sgn(): Tensor

  /**
   * True where self is negative; of floats the sign bit, which −0 has too.
   *
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  signbit(): Tensor

  /**
   * |self| with the sign of other.
   *
   * @param other what it is combined with; the two broadcast: a tensor or a number
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  copysign(other: Operand): Tensor
  /**
   * |self| with the sign of other.
   *
   * @param other what it is combined with; the two broadcast: a tensor or a number
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  copysign(...args: [options: { readonly other: Operand }]): Tensor

  /**
   * √(self² + other²) without overflow; infinite if either is.
   *
   * @param other what it is combined with; the two broadcast: a tensor or a number
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  hypot(other: Operand): Tensor
  /**
   * √(self² + other²) without overflow; infinite if either is.
   *
   * @param other what it is combined with; the two broadcast: a tensor or a number
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  hypot(...args: [options: { readonly other: Operand }]): Tensor

  /**
   * self · ln(other); 0 where self is 0, unless other is NaN.
   *
   * @param other what it is combined with; the two broadcast: a tensor or a number
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  xlogy(other: Operand): Tensor
  /**
   * self · ln(other); 0 where self is 0, unless other is NaN.
   *
   * @param other what it is combined with; the two broadcast: a tensor or a number
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  xlogy(...args: [options: { readonly other: Operand }]): Tensor

  /**
   * ln(e^self + e^other), without overflow.
   *
   * @param other what it is combined with; the two broadcast: a tensor or a number
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  logaddexp(other: Operand): Tensor
  /**
   * ln(e^self + e^other), without overflow.
   *
   * @param other what it is combined with; the two broadcast: a tensor or a number
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  logaddexp(...args: [options: { readonly other: Operand }]): Tensor

  /**
   * self − trunc(self).
   *
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  frac(): Tensor

  /**
   * True where self is +∞.
   *
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  isposinf(): Tensor

  /**
   * True where self is −∞.
   *
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  isneginf(): Tensor

  /**
   * self · π / 180.
   *
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  deg2rad(): Tensor

  /**
   * self · 180 / π.
   *
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  rad2deg(): Tensor

  /**
   * self + value · tensor1 · tensor2.
   *
   * @param tensor1 a tensor
   * @param tensor2 a tensor
   * @param value a tensor or a number; optional
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  addcmul(tensor1: Tensor, tensor2: Tensor, options?: { readonly value?: Operand | null | undefined }): Tensor
  /**
   * self + value · tensor1 · tensor2.
   *
   * @param tensor1 a tensor
   * @param tensor2 a tensor
   * @param value a tensor or a number; optional
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  addcmul(...args: [tensor1: Tensor, options: { readonly tensor2: Tensor; readonly value?: Operand | null | undefined }] | [options: { readonly tensor1: Tensor; readonly tensor2: Tensor; readonly value?: Operand | null | undefined }]): Tensor

  /**
   * self + value · tensor1 / tensor2.
   *
   * @param tensor1 a tensor
   * @param tensor2 a tensor
   * @param value a tensor or a number; optional
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  addcdiv(tensor1: Tensor, tensor2: Tensor, options?: { readonly value?: Operand | null | undefined }): Tensor
  /**
   * self + value · tensor1 / tensor2.
   *
   * @param tensor1 a tensor
   * @param tensor2 a tensor
   * @param value a tensor or a number; optional
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  addcdiv(...args: [tensor1: Tensor, options: { readonly tensor2: Tensor; readonly value?: Operand | null | undefined }] | [options: { readonly tensor1: Tensor; readonly tensor2: Tensor; readonly value?: Operand | null | undefined }]): Tensor

  /**
   * |self − other| ≤ atol + rtol · |other|, as bool; equal infinities are close, NaNs with equalNan.
   *
   * @param other what it is combined with; the two broadcast: a tensor or a number
   * @param rtol a number; default 0.00001
   * @param atol a number; default 1e-8
   * @param equalNan true or false; default false
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  isclose(other: Operand, rtol?: number, atol?: number, equalNan?: boolean): Tensor
  /**
   * |self − other| ≤ atol + rtol · |other|, as bool; equal infinities are close, NaNs with equalNan.
   *
   * @param other what it is combined with; the two broadcast: a tensor or a number
   * @param rtol a number; default 0.00001
   * @param atol a number; default 1e-8
   * @param equalNan true or false; default false
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  isclose(...args: [other: Operand, rtol: number | undefined, atol: number | undefined, options?: { readonly equalNan?: boolean | undefined }] | [other: Operand, rtol: number | undefined, options?: { readonly atol?: number | undefined; readonly equalNan?: boolean | undefined }] | [other: Operand, options?: { readonly rtol?: number | undefined; readonly atol?: number | undefined; readonly equalNan?: boolean | undefined }] | [options: { readonly other: Operand; readonly rtol?: number | undefined; readonly atol?: number | undefined; readonly equalNan?: boolean | undefined }]): Tensor

  /**
   * self with NaN replaced by nan (0), ∞ by posinf and −∞ by neginf (the largest and smallest numbers).
   *
   * @param nan a number; default 0
   * @param posinf by default the largest number of the dtype: a number; optional
   * @param neginf by default the smallest number of the dtype: a number; optional
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  nanToNum(nan?: number, posinf?: number | null, neginf?: number | null): Tensor
  /**
   * self with NaN replaced by nan (0), ∞ by posinf and −∞ by neginf (the largest and smallest numbers).
   *
   * @param nan a number; default 0
   * @param posinf by default the largest number of the dtype: a number; optional
   * @param neginf by default the smallest number of the dtype: a number; optional
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  nanToNum(...args: [nan: number | undefined, posinf: number | null | undefined, options?: { readonly neginf?: number | null | undefined }] | [nan: number | undefined, options?: { readonly posinf?: number | null | undefined; readonly neginf?: number | null | undefined }] | [options?: { readonly nan?: number | undefined; readonly posinf?: number | null | undefined; readonly neginf?: number | null | undefined }]): Tensor

  /**
   * ln |Γ(self)|.
   *
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  lgamma(): Tensor

  /**
   * The derivative of ln Γ(self); NaN at negative integers, ∓∞ at ±0.
   *
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  digamma(): Tensor

  /**
   * The number in (−∞, ∞) whose erf is self; NaN beyond ±1.
   *
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  erfinv(): Tensor

  /**
   * ln(self / (1 − self)); with eps, of self moved into [eps, 1 − eps].
   *
   * @param eps a small number that keeps what is divided by from 0: a number; optional
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  logit(eps?: number | null): Tensor
  /**
   * ln(self / (1 − self)); with eps, of self moved into [eps, 1 − eps].
   *
   * @param eps a small number that keeps what is divided by from 0: a number; optional
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  logit(...args: [options?: { readonly eps?: number | null | undefined }]): Tensor

  /**
   * sin(π · self) / (π · self); 1 at 0.
   *
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  sinc(): Tensor

  /**
   * −self · ln(self); 0 at 0, −∞ below.
   *
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  entr(): Tensor

  /**
   * self · ln(1 + other); 0 where self is 0, unless other is NaN.
   *
   * @param other what it is combined with; the two broadcast: a tensor or a number
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  xlog1py(other: Operand): Tensor
  /**
   * self · ln(1 + other); 0 where self is 0, unless other is NaN.
   *
   * @param other what it is combined with; the two broadcast: a tensor or a number
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  xlog1py(...args: [options: { readonly other: Operand }]): Tensor

  /**
   * log₂(2^self + 2^other), without overflow.
   *
   * @param other what it is combined with; the two broadcast: a tensor or a number
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  logaddexp2(other: Operand): Tensor
  /**
   * log₂(2^self + 2^other), without overflow.
   *
   * @param other what it is combined with; the two broadcast: a tensor or a number
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  logaddexp2(...args: [options: { readonly other: Operand }]): Tensor

  /**
   * self · 2^other.
   *
   * @param other what it is combined with; the two broadcast: a tensor or a number
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  ldexp(other: Operand): Tensor
  /**
   * self · 2^other.
   *
   * @param other what it is combined with; the two broadcast: a tensor or a number
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  ldexp(...args: [options: { readonly other: Operand }]): Tensor

  /**
   * 0 where self is negative or NaN, 1 where it is positive, values where it is 0.
   *
   * @param other what it is combined with; the two broadcast: a tensor or a number
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  heaviside(other: Operand): Tensor
  /**
   * 0 where self is negative or NaN, 1 where it is positive, values where it is 0.
   *
   * @param other what it is combined with; the two broadcast: a tensor or a number
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  heaviside(...args: [options: { readonly other: Operand }]): Tensor

  /**
   * The larger of the two; the other where one is NaN.
   *
   * @param other what it is combined with; the two broadcast: a tensor or a number
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  fmax(other: Operand): Tensor
  /**
   * The larger of the two; the other where one is NaN.
   *
   * @param other what it is combined with; the two broadcast: a tensor or a number
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  fmax(...args: [options: { readonly other: Operand }]): Tensor

  /**
   * The smaller of the two; the other where one is NaN.
   *
   * @param other what it is combined with; the two broadcast: a tensor or a number
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  fmin(other: Operand): Tensor
  /**
   * The smaller of the two; the other where one is NaN.
   *
   * @param other what it is combined with; the two broadcast: a tensor or a number
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  fmin(...args: [options: { readonly other: Operand }]): Tensor

  /**
   * self to the power of exponent, both as f64.
   *
   * @param exponent a tensor or a number
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  floatPower(exponent: Operand): Tensor
  /**
   * self to the power of exponent, both as f64.
   *
   * @param exponent a tensor or a number
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  floatPower(...args: [options: { readonly exponent: Operand }]): Tensor

  /**
   * The greatest common divisor, at least 0; gcd(0, 0) is 0.
   *
   * @param other what it is combined with; the two broadcast: a tensor or a number
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  gcd(other: Operand): Tensor
  /**
   * The greatest common divisor, at least 0; gcd(0, 0) is 0.
   *
   * @param other what it is combined with; the two broadcast: a tensor or a number
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  gcd(...args: [options: { readonly other: Operand }]): Tensor

  /**
   * The least common multiple, at least 0; 0 if either is 0.
   *
   * @param other what it is combined with; the two broadcast: a tensor or a number
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  lcm(other: Operand): Tensor
  /**
   * The least common multiple, at least 0; 0 if either is 0.
   *
   * @param other what it is combined with; the two broadcast: a tensor or a number
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  lcm(...args: [options: { readonly other: Operand }]): Tensor

  /**
   * self where positive, weight · self elsewhere: one weight, or a vector of one per channel (dim 1); others broadcast.
   *
   * @param weight a tensor
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  prelu(weight: Tensor): Tensor
  /**
   * self where positive, weight · self elsewhere: one weight, or a vector of one per channel (dim 1); others broadcast.
   *
   * @param weight a tensor
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  prelu(...args: [options: { readonly weight: Tensor }]): Tensor

  /**
   * self where it is greater than threshold, value elsewhere; NaN stays NaN.
   *
   * @param threshold a number
   * @param value a number
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  threshold(threshold: number, value: number): Tensor
  /**
   * self where it is greater than threshold, value elsewhere; NaN stays NaN.
   *
   * @param threshold a number
   * @param value a number
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  threshold(...args: [threshold: number, options: { readonly value: number }] | [options: { readonly threshold: number; readonly value: number }]): Tensor

  /**
   * self where |self| > lambd, 0 elsewhere.
   *
   * @param lambd a number; default 0.5
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  hardshrink(lambd?: number): Tensor
  /**
   * self where |self| > lambd, 0 elsewhere.
   *
   * @param lambd a number; default 0.5
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  hardshrink(...args: [options?: { readonly lambd?: number | undefined }]): Tensor

  /**
   * self moved by lambd towards 0, and 0 where |self| ≤ lambd.
   *
   * @param lambd a number; default 0.5
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  softshrink(lambd?: number): Tensor
  /**
   * self moved by lambd towards 0, and 0 where |self| ≤ lambd.
   *
   * @param lambd a number; default 0.5
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  softshrink(...args: [options?: { readonly lambd?: number | undefined }]): Tensor

  /**
   * self − tanh(self).
   *
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  tanhshrink(): Tensor

  /**
   * max(self, 0).
   *
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  relu(): Tensor

  /**
   * min(max(self, 0), 6).
   *
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  relu6(): Tensor

  /**
   * 1 / (1 + e^−self).
   *
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  sigmoid(): Tensor

  /**
   * ln(1 / (1 + e^−self)).
   *
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  logSigmoid(): Tensor

  /**
   * self · Φ(self), Φ the normal distribution function; approximate: tanh for the formula of the GELU paper.
   *
   * @param approximate 'none' or 'tanh'; default 'none'
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  gelu(options?: { readonly approximate?: 'none' | 'tanh' | undefined }): Tensor

  /**
   * self · sigmoid(self).
   *
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  silu(): Tensor

  /**
   * self · tanh(softplus(self)).
   *
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  mish(): Tensor

  /**
   * ln(1 + e^(beta · self)) / beta; self itself where beta · self > threshold.
   *
   * @param beta a number; default 1
   * @param threshold a number; default 20
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  softplus(beta?: number, threshold?: number): Tensor
  /**
   * ln(1 + e^(beta · self)) / beta; self itself where beta · self > threshold.
   *
   * @param beta a number; default 1
   * @param threshold a number; default 20
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  softplus(...args: [beta: number | undefined, options?: { readonly threshold?: number | undefined }] | [options?: { readonly beta?: number | undefined; readonly threshold?: number | undefined }]): Tensor

  /**
   * self where positive, negativeSlope · self elsewhere.
   *
   * @param negativeSlope a number; default 0.01
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  leakyRelu(negativeSlope?: number): Tensor
  /**
   * self where positive, negativeSlope · self elsewhere.
   *
   * @param negativeSlope a number; default 0.01
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  leakyRelu(...args: [options?: { readonly negativeSlope?: number | undefined }]): Tensor

  /**
   * self where positive, alpha · (e^self − 1) elsewhere.
   *
   * @param alpha a number; default 1
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  elu(alpha?: number): Tensor
  /**
   * self where positive, alpha · (e^self − 1) elsewhere.
   *
   * @param alpha a number; default 1
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  elu(...args: [options?: { readonly alpha?: number | undefined }]): Tensor

  /**
   * 1.0507 · elu(self, alpha 1.6733).
   *
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  selu(): Tensor

  /**
   * max(0, self) + min(0, alpha · (e^(self/alpha) − 1)).
   *
   * @param alpha a number; default 1
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  celu(alpha?: number): Tensor
  /**
   * max(0, self) + min(0, alpha · (e^(self/alpha) − 1)).
   *
   * @param alpha a number; default 1
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  celu(...args: [options?: { readonly alpha?: number | undefined }]): Tensor

  /**
   * self between minVal and maxVal.
   *
   * @param minVal a number; default -1
   * @param maxVal a number; default 1
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  hardtanh(minVal?: number, maxVal?: number): Tensor
  /**
   * self between minVal and maxVal.
   *
   * @param minVal a number; default -1
   * @param maxVal a number; default 1
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  hardtanh(...args: [minVal: number | undefined, options?: { readonly maxVal?: number | undefined }] | [options?: { readonly minVal?: number | undefined; readonly maxVal?: number | undefined }]): Tensor

  /**
   * min(max(self + 3, 0), 6) / 6.
   *
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  hardsigmoid(): Tensor

  /**
   * self · min(max(self + 3, 0), 6) / 6.
   *
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  hardswish(): Tensor

  /**
   * self / (1 + |self|).
   *
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  softsign(): Tensor

  /**
   * Σ self over the dims; integers and bool give i64.
   *
   * @param dim the dim (negative ones count from the end): an integer or a list of integers; optional
   * @param keepdim keep the reduced dims, with size 1: true or false; default false
   * @param dtype the dtype of the result: one of f64, f32, f16, bf16, i64, i32, i16, i8, u8, bool; optional
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  sum(dim?: number | readonly number[] | null, keepdim?: boolean, options?: { readonly dtype?: TensorDtype | null | undefined }): Tensor
  /**
   * Σ self over the dims; integers and bool give i64.
   *
   * @param dim the dim (negative ones count from the end): an integer or a list of integers; optional
   * @param keepdim keep the reduced dims, with size 1: true or false; default false
   * @param dtype the dtype of the result: one of f64, f32, f16, bf16, i64, i32, i16, i8, u8, bool; optional
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  sum(...args: [dim: number | readonly number[] | null | undefined, options?: { readonly keepdim?: boolean | undefined; readonly dtype?: TensorDtype | null | undefined }] | [options?: { readonly dim?: number | readonly number[] | null | undefined; readonly keepdim?: boolean | undefined; readonly dtype?: TensorDtype | null | undefined }]): Tensor

  /**
   * Π self over the dims; integers and bool give i64.
   *
   * @param dim the dim (negative ones count from the end): an integer or a list of integers; optional
   * @param keepdim keep the reduced dims, with size 1: true or false; default false
   * @param dtype the dtype of the result: one of f64, f32, f16, bf16, i64, i32, i16, i8, u8, bool; optional
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  prod(dim?: number | readonly number[] | null, keepdim?: boolean, options?: { readonly dtype?: TensorDtype | null | undefined }): Tensor
  /**
   * Π self over the dims; integers and bool give i64.
   *
   * @param dim the dim (negative ones count from the end): an integer or a list of integers; optional
   * @param keepdim keep the reduced dims, with size 1: true or false; default false
   * @param dtype the dtype of the result: one of f64, f32, f16, bf16, i64, i32, i16, i8, u8, bool; optional
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  prod(...args: [dim: number | readonly number[] | null | undefined, options?: { readonly keepdim?: boolean | undefined; readonly dtype?: TensorDtype | null | undefined }] | [options?: { readonly dim?: number | readonly number[] | null | undefined; readonly keepdim?: boolean | undefined; readonly dtype?: TensorDtype | null | undefined }]): Tensor

  /**
   * Σ self / n over the dims; floats only. Of no elements: NaN.
   *
   * @param dim the dim (negative ones count from the end): an integer or a list of integers; optional
   * @param keepdim keep the reduced dims, with size 1: true or false; default false
   * @param dtype the dtype of the result: one of f64, f32, f16, bf16, i64, i32, i16, i8, u8, bool; optional
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  mean(dim?: number | readonly number[] | null, keepdim?: boolean, options?: { readonly dtype?: TensorDtype | null | undefined }): Tensor
  /**
   * Σ self / n over the dims; floats only. Of no elements: NaN.
   *
   * @param dim the dim (negative ones count from the end): an integer or a list of integers; optional
   * @param keepdim keep the reduced dims, with size 1: true or false; default false
   * @param dtype the dtype of the result: one of f64, f32, f16, bf16, i64, i32, i16, i8, u8, bool; optional
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  mean(...args: [dim: number | readonly number[] | null | undefined, options?: { readonly keepdim?: boolean | undefined; readonly dtype?: TensorDtype | null | undefined }] | [options?: { readonly dim?: number | readonly number[] | null | undefined; readonly keepdim?: boolean | undefined; readonly dtype?: TensorDtype | null | undefined }]): Tensor

  /**
   * True where any value over the dims is not 0.
   *
   * @param dim the dim (negative ones count from the end): an integer or a list of integers; optional
   * @param keepdim keep the reduced dims, with size 1: true or false; default false
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  any(dim?: number | readonly number[] | null, keepdim?: boolean): Tensor
  /**
   * True where any value over the dims is not 0.
   *
   * @param dim the dim (negative ones count from the end): an integer or a list of integers; optional
   * @param keepdim keep the reduced dims, with size 1: true or false; default false
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  any(...args: [dim: number | readonly number[] | null | undefined, options?: { readonly keepdim?: boolean | undefined }] | [options?: { readonly dim?: number | readonly number[] | null | undefined; readonly keepdim?: boolean | undefined }]): Tensor

  /**
   * True where every value over the dims is not 0.
   *
   * @param dim the dim (negative ones count from the end): an integer or a list of integers; optional
   * @param keepdim keep the reduced dims, with size 1: true or false; default false
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  all(dim?: number | readonly number[] | null, keepdim?: boolean): Tensor
  /**
   * True where every value over the dims is not 0.
   *
   * @param dim the dim (negative ones count from the end): an integer or a list of integers; optional
   * @param keepdim keep the reduced dims, with size 1: true or false; default false
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  all(...args: [dim: number | readonly number[] | null | undefined, options?: { readonly keepdim?: boolean | undefined }] | [options?: { readonly dim?: number | readonly number[] | null | undefined; readonly keepdim?: boolean | undefined }]): Tensor

  /**
   * The running sum along a dim.
   *
   * @param dim the dim (negative ones count from the end): an integer
   * @param dtype the dtype of the result: one of f64, f32, f16, bf16, i64, i32, i16, i8, u8, bool; optional
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  cumsum(dim: number, options?: { readonly dtype?: TensorDtype | null | undefined }): Tensor
  /**
   * The running sum along a dim.
   *
   * @param dim the dim (negative ones count from the end): an integer
   * @param dtype the dtype of the result: one of f64, f32, f16, bf16, i64, i32, i16, i8, u8, bool; optional
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  cumsum(...args: [options: { readonly dim: number; readonly dtype?: TensorDtype | null | undefined }]): Tensor

  /**
   * The running product along a dim.
   *
   * @param dim the dim (negative ones count from the end): an integer
   * @param dtype the dtype of the result: one of f64, f32, f16, bf16, i64, i32, i16, i8, u8, bool; optional
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  cumprod(dim: number, options?: { readonly dtype?: TensorDtype | null | undefined }): Tensor
  /**
   * The running product along a dim.
   *
   * @param dim the dim (negative ones count from the end): an integer
   * @param dtype the dtype of the result: one of f64, f32, f16, bf16, i64, i32, i16, i8, u8, bool; optional
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  cumprod(...args: [options: { readonly dim: number; readonly dtype?: TensorDtype | null | undefined }]): Tensor

  /**
   * ln Σ e^self over the dims, without overflow; of integers as f32.
   *
   * @param dim the dim (negative ones count from the end): an integer or a list of integers
   * @param keepdim keep the reduced dims, with size 1: true or false; default false
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  logsumexp(dim: number | readonly number[], keepdim?: boolean): Tensor
  /**
   * ln Σ e^self over the dims, without overflow; of integers as f32.
   *
   * @param dim the dim (negative ones count from the end): an integer or a list of integers
   * @param keepdim keep the reduced dims, with size 1: true or false; default false
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  logsumexp(...args: [dim: number | readonly number[], options?: { readonly keepdim?: boolean | undefined }] | [options: { readonly dim: number | readonly number[]; readonly keepdim?: boolean | undefined }]): Tensor

  /**
   * Σ (self − mean)² / (n − correction) over the dims.
   *
   * @param dim the dim (negative ones count from the end): an integer or a list of integers; optional
   * @param unbiased true or false; optional
   * @param keepdim keep the reduced dims, with size 1: true or false; default false
   * @param correction n − correction divides: 1 estimates a population from a sample, 0 is for a whole population: a number; optional
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  var(dim?: number | readonly number[] | null, unbiased?: boolean | null, keepdim?: boolean, options?: { readonly correction?: number | null | undefined }): Tensor
  /**
   * Σ (self − mean)² / (n − correction) over the dims.
   *
   * @param dim the dim (negative ones count from the end): an integer or a list of integers; optional
   * @param unbiased true or false; optional
   * @param keepdim keep the reduced dims, with size 1: true or false; default false
   * @param correction n − correction divides: 1 estimates a population from a sample, 0 is for a whole population: a number; optional
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  var(...args: [dim: number | readonly number[] | null | undefined, unbiased: boolean | null | undefined, options?: { readonly keepdim?: boolean | undefined; readonly correction?: number | null | undefined }] | [dim: number | readonly number[] | null | undefined, options?: { readonly unbiased?: boolean | null | undefined; readonly keepdim?: boolean | undefined; readonly correction?: number | null | undefined }] | [options?: { readonly dim?: number | readonly number[] | null | undefined; readonly unbiased?: boolean | null | undefined; readonly keepdim?: boolean | undefined; readonly correction?: number | null | undefined }]): Tensor

  /**
   * The square root of var.
   *
   * @param dim the dim (negative ones count from the end): an integer or a list of integers; optional
   * @param unbiased true or false; optional
   * @param keepdim keep the reduced dims, with size 1: true or false; default false
   * @param correction n − correction divides: 1 estimates a population from a sample, 0 is for a whole population: a number; optional
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  std(dim?: number | readonly number[] | null, unbiased?: boolean | null, keepdim?: boolean, options?: { readonly correction?: number | null | undefined }): Tensor
  /**
   * The square root of var.
   *
   * @param dim the dim (negative ones count from the end): an integer or a list of integers; optional
   * @param unbiased true or false; optional
   * @param keepdim keep the reduced dims, with size 1: true or false; default false
   * @param correction n − correction divides: 1 estimates a population from a sample, 0 is for a whole population: a number; optional
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  std(...args: [dim: number | readonly number[] | null | undefined, unbiased: boolean | null | undefined, options?: { readonly keepdim?: boolean | undefined; readonly correction?: number | null | undefined }] | [dim: number | readonly number[] | null | undefined, options?: { readonly unbiased?: boolean | null | undefined; readonly keepdim?: boolean | undefined; readonly correction?: number | null | undefined }] | [options?: { readonly dim?: number | readonly number[] | null | undefined; readonly unbiased?: boolean | null | undefined; readonly keepdim?: boolean | undefined; readonly correction?: number | null | undefined }]): Tensor

  /**
   * The largest value over the dims; NaN if there is one.
   *
   * @param dim the dim (negative ones count from the end): an integer or a list of integers; optional
   * @param keepdim keep the reduced dims, with size 1: true or false; default false
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  amax(dim?: number | readonly number[] | null, keepdim?: boolean): Tensor
  /**
   * The largest value over the dims; NaN if there is one.
   *
   * @param dim the dim (negative ones count from the end): an integer or a list of integers; optional
   * @param keepdim keep the reduced dims, with size 1: true or false; default false
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  amax(...args: [dim: number | readonly number[] | null | undefined, options?: { readonly keepdim?: boolean | undefined }] | [options?: { readonly dim?: number | readonly number[] | null | undefined; readonly keepdim?: boolean | undefined }]): Tensor

  /**
   * The smallest value over the dims; NaN if there is one.
   *
   * @param dim the dim (negative ones count from the end): an integer or a list of integers; optional
   * @param keepdim keep the reduced dims, with size 1: true or false; default false
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  amin(dim?: number | readonly number[] | null, keepdim?: boolean): Tensor
  /**
   * The smallest value over the dims; NaN if there is one.
   *
   * @param dim the dim (negative ones count from the end): an integer or a list of integers; optional
   * @param keepdim keep the reduced dims, with size 1: true or false; default false
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  amin(...args: [dim: number | readonly number[] | null | undefined, options?: { readonly keepdim?: boolean | undefined }] | [options?: { readonly dim?: number | readonly number[] | null | undefined; readonly keepdim?: boolean | undefined }]): Tensor

  /**
   * The largest value of the whole tensor; NaN if there is one.
   *
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  max(): Tensor

  /**
   * The smallest value of the whole tensor; NaN if there is one.
   *
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  min(): Tensor

  /**
   * The largest value along a dim, and where it first is.
   *
   * @param dim the dim (negative ones count from the end): an integer
   * @param keepdim keep the reduced dims, with size 1: true or false; default false
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  maxWithIndices(dim: number, keepdim?: boolean): { readonly values: Tensor; readonly indices: Tensor }
  /**
   * The largest value along a dim, and where it first is.
   *
   * @param dim the dim (negative ones count from the end): an integer
   * @param keepdim keep the reduced dims, with size 1: true or false; default false
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  maxWithIndices(...args: [dim: number, options?: { readonly keepdim?: boolean | undefined }] | [options: { readonly dim: number; readonly keepdim?: boolean | undefined }]): { readonly values: Tensor; readonly indices: Tensor }

  /**
   * The smallest value along a dim, and where it first is.
   *
   * @param dim the dim (negative ones count from the end): an integer
   * @param keepdim keep the reduced dims, with size 1: true or false; default false
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  minWithIndices(dim: number, keepdim?: boolean): { readonly values: Tensor; readonly indices: Tensor }
  /**
   * The smallest value along a dim, and where it first is.
   *
   * @param dim the dim (negative ones count from the end): an integer
   * @param keepdim keep the reduced dims, with size 1: true or false; default false
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  minWithIndices(...args: [dim: number, options?: { readonly keepdim?: boolean | undefined }] | [options: { readonly dim: number; readonly keepdim?: boolean | undefined }]): { readonly values: Tensor; readonly indices: Tensor }

  /**
   * The index of the first largest value along a dim (of all: into the flattened tensor).
   *
   * @param dim the dim (negative ones count from the end): an integer; optional
   * @param keepdim keep the reduced dims, with size 1: true or false; default false
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  argmax(dim?: number | null, keepdim?: boolean): Tensor
  /**
   * The index of the first largest value along a dim (of all: into the flattened tensor).
   *
   * @param dim the dim (negative ones count from the end): an integer; optional
   * @param keepdim keep the reduced dims, with size 1: true or false; default false
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  argmax(...args: [dim: number | null | undefined, options?: { readonly keepdim?: boolean | undefined }] | [options?: { readonly dim?: number | null | undefined; readonly keepdim?: boolean | undefined }]): Tensor

  /**
   * The index of the first smallest value along a dim (of all: into the flattened tensor).
   *
   * @param dim the dim (negative ones count from the end): an integer; optional
   * @param keepdim keep the reduced dims, with size 1: true or false; default false
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  argmin(dim?: number | null, keepdim?: boolean): Tensor
  /**
   * The index of the first smallest value along a dim (of all: into the flattened tensor).
   *
   * @param dim the dim (negative ones count from the end): an integer; optional
   * @param keepdim keep the reduced dims, with size 1: true or false; default false
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  argmin(...args: [dim: number | null | undefined, options?: { readonly keepdim?: boolean | undefined }] | [options?: { readonly dim?: number | null | undefined; readonly keepdim?: boolean | undefined }]): Tensor

  /**
   * The variance and the mean over the dims.
   *
   * @param dim the dim (negative ones count from the end): an integer or a list of integers; optional
   * @param unbiased true or false; optional
   * @param keepdim keep the reduced dims, with size 1: true or false; default false
   * @param correction a number; optional
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  varMean(dim?: number | readonly number[] | null, unbiased?: boolean | null, keepdim?: boolean, options?: { readonly correction?: number | null | undefined }): { readonly var: Tensor; readonly mean: Tensor }
  /**
   * The variance and the mean over the dims.
   *
   * @param dim the dim (negative ones count from the end): an integer or a list of integers; optional
   * @param unbiased true or false; optional
   * @param keepdim keep the reduced dims, with size 1: true or false; default false
   * @param correction a number; optional
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  varMean(...args: [dim: number | readonly number[] | null | undefined, unbiased: boolean | null | undefined, options?: { readonly keepdim?: boolean | undefined; readonly correction?: number | null | undefined }] | [dim: number | readonly number[] | null | undefined, options?: { readonly unbiased?: boolean | null | undefined; readonly keepdim?: boolean | undefined; readonly correction?: number | null | undefined }] | [options?: { readonly dim?: number | readonly number[] | null | undefined; readonly unbiased?: boolean | null | undefined; readonly keepdim?: boolean | undefined; readonly correction?: number | null | undefined }]): { readonly var: Tensor; readonly mean: Tensor }

  /**
   * The standard deviation and the mean over the dims.
   *
   * @param dim the dim (negative ones count from the end): an integer or a list of integers; optional
   * @param unbiased true or false; optional
   * @param keepdim keep the reduced dims, with size 1: true or false; default false
   * @param correction a number; optional
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  stdMean(dim?: number | readonly number[] | null, unbiased?: boolean | null, keepdim?: boolean, options?: { readonly correction?: number | null | undefined }): { readonly std: Tensor; readonly mean: Tensor }
  /**
   * The standard deviation and the mean over the dims.
   *
   * @param dim the dim (negative ones count from the end): an integer or a list of integers; optional
   * @param unbiased true or false; optional
   * @param keepdim keep the reduced dims, with size 1: true or false; default false
   * @param correction a number; optional
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  stdMean(...args: [dim: number | readonly number[] | null | undefined, unbiased: boolean | null | undefined, options?: { readonly keepdim?: boolean | undefined; readonly correction?: number | null | undefined }] | [dim: number | readonly number[] | null | undefined, options?: { readonly unbiased?: boolean | null | undefined; readonly keepdim?: boolean | undefined; readonly correction?: number | null | undefined }] | [options?: { readonly dim?: number | readonly number[] | null | undefined; readonly unbiased?: boolean | null | undefined; readonly keepdim?: boolean | undefined; readonly correction?: number | null | undefined }]): { readonly std: Tensor; readonly mean: Tensor }

  /**
   * The smallest and the largest value over a dim, or of all; NaN if there is one.
   *
   * @param dim the dim (negative ones count from the end): an integer; optional
   * @param keepdim keep the reduced dims, with size 1: true or false; default false
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  aminmax(options?: { readonly dim?: number | null | undefined; readonly keepdim?: boolean | undefined }): { readonly min: Tensor; readonly max: Tensor }

  /**
   * (Σ |self|^p)^(1/p) over the dims; p 0 counts what is not 0, p ±Infinity is the largest (smallest) |self|. PyTorch's 'nuc', which needs singular values, is not supported.
   *
   * @param p the power; 'fro' is 2: a number, 'fro' or 'nuc'; default 2
   * @param dim the dim (negative ones count from the end): an integer or a list of integers; optional
   * @param keepdim keep the reduced dims, with size 1: true or false; default false
   * @param dtype self is cast to it first, and the result has it: one of f64, f32, f16, bf16, i64, i32, i16, i8, u8, bool; optional
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  norm(p?: number | 'fro' | 'nuc', dim?: number | readonly number[] | null, keepdim?: boolean, dtype?: TensorDtype | null): Tensor
  /**
   * (Σ |self|^p)^(1/p) over the dims; p 0 counts what is not 0, p ±Infinity is the largest (smallest) |self|. PyTorch's 'nuc', which needs singular values, is not supported.
   *
   * @param p the power; 'fro' is 2: a number, 'fro' or 'nuc'; default 2
   * @param dim the dim (negative ones count from the end): an integer or a list of integers; optional
   * @param keepdim keep the reduced dims, with size 1: true or false; default false
   * @param dtype self is cast to it first, and the result has it: one of f64, f32, f16, bf16, i64, i32, i16, i8, u8, bool; optional
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  norm(...args: [p: number | 'fro' | 'nuc' | undefined, dim: number | readonly number[] | null | undefined, keepdim: boolean | undefined, options?: { readonly dtype?: TensorDtype | null | undefined }] | [p: number | 'fro' | 'nuc' | undefined, dim: number | readonly number[] | null | undefined, options?: { readonly keepdim?: boolean | undefined; readonly dtype?: TensorDtype | null | undefined }] | [p: number | 'fro' | 'nuc' | undefined, options?: { readonly dim?: number | readonly number[] | null | undefined; readonly keepdim?: boolean | undefined; readonly dtype?: TensorDtype | null | undefined }] | [options?: { readonly p?: number | 'fro' | 'nuc' | undefined; readonly dim?: number | readonly number[] | null | undefined; readonly keepdim?: boolean | undefined; readonly dtype?: TensorDtype | null | undefined }]): Tensor

  /**
   * How many elements are not 0 over the dims, as i64.
   *
   * @param dim the dim (negative ones count from the end): an integer or a list of integers; optional
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  countNonzero(dim?: number | readonly number[] | null): Tensor
  /**
   * How many elements are not 0 over the dims, as i64.
   *
   * @param dim the dim (negative ones count from the end): an integer or a list of integers; optional
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  countNonzero(...args: [options?: { readonly dim?: number | readonly number[] | null | undefined }]): Tensor

  /**
   * Σ self over the dims, NaN counted as 0.
   *
   * @param dim the dim (negative ones count from the end): an integer or a list of integers; optional
   * @param keepdim keep the reduced dims, with size 1: true or false; default false
   * @param dtype the dtype of the result: one of f64, f32, f16, bf16, i64, i32, i16, i8, u8, bool; optional
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  nansum(dim?: number | readonly number[] | null, keepdim?: boolean, options?: { readonly dtype?: TensorDtype | null | undefined }): Tensor
  /**
   * Σ self over the dims, NaN counted as 0.
   *
   * @param dim the dim (negative ones count from the end): an integer or a list of integers; optional
   * @param keepdim keep the reduced dims, with size 1: true or false; default false
   * @param dtype the dtype of the result: one of f64, f32, f16, bf16, i64, i32, i16, i8, u8, bool; optional
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  nansum(...args: [dim: number | readonly number[] | null | undefined, options?: { readonly keepdim?: boolean | undefined; readonly dtype?: TensorDtype | null | undefined }] | [options?: { readonly dim?: number | readonly number[] | null | undefined; readonly keepdim?: boolean | undefined; readonly dtype?: TensorDtype | null | undefined }]): Tensor

  /**
   * The mean over the dims of what is not NaN.
   *
   * @param dim the dim (negative ones count from the end): an integer or a list of integers; optional
   * @param keepdim keep the reduced dims, with size 1: true or false; default false
   * @param dtype the dtype of the result: one of f64, f32, f16, bf16, i64, i32, i16, i8, u8, bool; optional
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  nanmean(dim?: number | readonly number[] | null, keepdim?: boolean, options?: { readonly dtype?: TensorDtype | null | undefined }): Tensor
  /**
   * The mean over the dims of what is not NaN.
   *
   * @param dim the dim (negative ones count from the end): an integer or a list of integers; optional
   * @param keepdim keep the reduced dims, with size 1: true or false; default false
   * @param dtype the dtype of the result: one of f64, f32, f16, bf16, i64, i32, i16, i8, u8, bool; optional
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  nanmean(...args: [dim: number | readonly number[] | null | undefined, options?: { readonly keepdim?: boolean | undefined; readonly dtype?: TensorDtype | null | undefined }] | [options?: { readonly dim?: number | readonly number[] | null | undefined; readonly keepdim?: boolean | undefined; readonly dtype?: TensorDtype | null | undefined }]): Tensor

  /**
   * The covariances of the rows of [variables, observations]; of a vector its variance. Divided by the observations less correction.
   *
   * @param correction what is taken off the number of observations: an integer; default 1
   * @param fweights how often each observation counts: integers, [observations]: a tensor; optional
   * @param aweights how much each observation counts: floats, [observations]: a tensor; optional
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  cov(options?: { readonly correction?: number | undefined; readonly fweights?: Tensor | null | undefined; readonly aweights?: Tensor | null | undefined }): Tensor

  /**
   * The correlations of the rows of [variables, observations], between −1 and 1: cov over both deviations.
   *
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  corrcoef(): Tensor

  /**
   * The slices along a dim, each scaled down to length maxnorm (by p) where it is longer.
   *
   * @param p the power of the norm: a number
   * @param dim the dim (negative ones count from the end): an integer
   * @param maxnorm how long a slice may be: a number
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  renorm(p: number, dim: number, maxnorm: number): Tensor
  /**
   * The slices along a dim, each scaled down to length maxnorm (by p) where it is longer.
   *
   * @param p the power of the norm: a number
   * @param dim the dim (negative ones count from the end): an integer
   * @param maxnorm how long a slice may be: a number
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  renorm(...args: [p: number, dim: number, options: { readonly maxnorm: number }] | [p: number, options: { readonly dim: number; readonly maxnorm: number }] | [options: { readonly p: number; readonly dim: number; readonly maxnorm: number }]): Tensor

  /**
   * The largest value so far along a dim, and where it last was; NaN stays.
   *
   * @param dim the dim (negative ones count from the end): an integer
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  cummax(dim: number): { readonly values: Tensor; readonly indices: Tensor }
  /**
   * The largest value so far along a dim, and where it last was; NaN stays.
   *
   * @param dim the dim (negative ones count from the end): an integer
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  cummax(...args: [options: { readonly dim: number }]): { readonly values: Tensor; readonly indices: Tensor }

  /**
   * The smallest value so far along a dim, and where it last was; NaN stays.
   *
   * @param dim the dim (negative ones count from the end): an integer
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  cummin(dim: number): { readonly values: Tensor; readonly indices: Tensor }
  /**
   * The smallest value so far along a dim, and where it last was; NaN stays.
   *
   * @param dim the dim (negative ones count from the end): an integer
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  cummin(...args: [options: { readonly dim: number }]): { readonly values: Tensor; readonly indices: Tensor }

  /**
   * ln of the running sum of e^self along a dim, without overflow.
   *
   * @param dim the dim (negative ones count from the end): an integer
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  logcumsumexp(dim: number): Tensor
  /**
   * ln of the running sum of e^self along a dim, without overflow.
   *
   * @param dim the dim (negative ones count from the end): an integer
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  logcumsumexp(...args: [options: { readonly dim: number }]): Tensor

  /**
   * The middle value of the whole tensor, of an even number the lower one; NaN if there is one.
   *
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  median(): Tensor

  /**
   * The middle value of what is not NaN, of an even number the lower one.
   *
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  nanmedian(): Tensor

  /**
   * The middle value along a dim, of an even number the lower one, and where it is; NaN if there is one.
   *
   * @param dim the dim (negative ones count from the end): an integer; default -1
   * @param keepdim keep the reduced dims, with size 1: true or false; default false
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  medianWithIndices(dim?: number, keepdim?: boolean): { readonly values: Tensor; readonly indices: Tensor }
  /**
   * The middle value along a dim, of an even number the lower one, and where it is; NaN if there is one.
   *
   * @param dim the dim (negative ones count from the end): an integer; default -1
   * @param keepdim keep the reduced dims, with size 1: true or false; default false
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  medianWithIndices(...args: [dim: number | undefined, options?: { readonly keepdim?: boolean | undefined }] | [options?: { readonly dim?: number | undefined; readonly keepdim?: boolean | undefined }]): { readonly values: Tensor; readonly indices: Tensor }

  /**
   * The middle value along a dim of what is not NaN, of an even number the lower one, and where it is.
   *
   * @param dim the dim (negative ones count from the end): an integer; default -1
   * @param keepdim keep the reduced dims, with size 1: true or false; default false
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  nanmedianWithIndices(dim?: number, keepdim?: boolean): { readonly values: Tensor; readonly indices: Tensor }
  /**
   * The middle value along a dim of what is not NaN, of an even number the lower one, and where it is.
   *
   * @param dim the dim (negative ones count from the end): an integer; default -1
   * @param keepdim keep the reduced dims, with size 1: true or false; default false
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  nanmedianWithIndices(...args: [dim: number | undefined, options?: { readonly keepdim?: boolean | undefined }] | [options?: { readonly dim?: number | undefined; readonly keepdim?: boolean | undefined }]): { readonly values: Tensor; readonly indices: Tensor }

  /**
   * The k-th smallest value along a dim (k from 1), and where it is; NaN counts as largest.
   *
   * @param k an integer of at least 1
   * @param dim the dim (negative ones count from the end): an integer; default -1
   * @param keepdim keep the reduced dims, with size 1: true or false; default false
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  kthvalue(k: number, dim?: number, keepdim?: boolean): { readonly values: Tensor; readonly indices: Tensor }
  /**
   * The k-th smallest value along a dim (k from 1), and where it is; NaN counts as largest.
   *
   * @param k an integer of at least 1
   * @param dim the dim (negative ones count from the end): an integer; default -1
   * @param keepdim keep the reduced dims, with size 1: true or false; default false
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  kthvalue(...args: [k: number, dim: number | undefined, options?: { readonly keepdim?: boolean | undefined }] | [k: number, options?: { readonly dim?: number | undefined; readonly keepdim?: boolean | undefined }] | [options: { readonly k: number; readonly dim?: number | undefined; readonly keepdim?: boolean | undefined }]): { readonly values: Tensor; readonly indices: Tensor }

  /**
   * The most frequent value along a dim (of several the smallest), and where it last is.
   *
   * @param dim the dim (negative ones count from the end): an integer; default -1
   * @param keepdim keep the reduced dims, with size 1: true or false; default false
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  mode(dim?: number, keepdim?: boolean): { readonly values: Tensor; readonly indices: Tensor }
  /**
   * The most frequent value along a dim (of several the smallest), and where it last is.
   *
   * @param dim the dim (negative ones count from the end): an integer; default -1
   * @param keepdim keep the reduced dims, with size 1: true or false; default false
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  mode(...args: [dim: number | undefined, options?: { readonly keepdim?: boolean | undefined }] | [options?: { readonly dim?: number | undefined; readonly keepdim?: boolean | undefined }]): { readonly values: Tensor; readonly indices: Tensor }

  /**
   * The values below which shares q lie, of all or along a dim; NaN if there is one.
   *
   * @param q a number or a list of numbers
   * @param dim the dim (negative ones count from the end): an integer; optional
   * @param keepdim keep the reduced dims, with size 1: true or false; default false
   * @param interpolation 'linear', 'lower', 'higher', 'midpoint' or 'nearest'; default 'linear'
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  quantile(q: number | readonly number[], dim?: number | null, keepdim?: boolean, options?: { readonly interpolation?: 'linear' | 'lower' | 'higher' | 'midpoint' | 'nearest' | undefined }): Tensor
  /**
   * The values below which shares q lie, of all or along a dim; NaN if there is one.
   *
   * @param q a number or a list of numbers
   * @param dim the dim (negative ones count from the end): an integer; optional
   * @param keepdim keep the reduced dims, with size 1: true or false; default false
   * @param interpolation 'linear', 'lower', 'higher', 'midpoint' or 'nearest'; default 'linear'
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  quantile(...args: [q: number | readonly number[], dim: number | null | undefined, options?: { readonly keepdim?: boolean | undefined; readonly interpolation?: 'linear' | 'lower' | 'higher' | 'midpoint' | 'nearest' | undefined }] | [q: number | readonly number[], options?: { readonly dim?: number | null | undefined; readonly keepdim?: boolean | undefined; readonly interpolation?: 'linear' | 'lower' | 'higher' | 'midpoint' | 'nearest' | undefined }] | [options: { readonly q: number | readonly number[]; readonly dim?: number | null | undefined; readonly keepdim?: boolean | undefined; readonly interpolation?: 'linear' | 'lower' | 'higher' | 'midpoint' | 'nearest' | undefined }]): Tensor

  /**
   * As quantile, of what is not NaN.
   *
   * @param q a number or a list of numbers
   * @param dim the dim (negative ones count from the end): an integer; optional
   * @param keepdim keep the reduced dims, with size 1: true or false; default false
   * @param interpolation 'linear', 'lower', 'higher', 'midpoint' or 'nearest'; default 'linear'
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  nanquantile(q: number | readonly number[], dim?: number | null, keepdim?: boolean, options?: { readonly interpolation?: 'linear' | 'lower' | 'higher' | 'midpoint' | 'nearest' | undefined }): Tensor
  /**
   * As quantile, of what is not NaN.
   *
   * @param q a number or a list of numbers
   * @param dim the dim (negative ones count from the end): an integer; optional
   * @param keepdim keep the reduced dims, with size 1: true or false; default false
   * @param interpolation 'linear', 'lower', 'higher', 'midpoint' or 'nearest'; default 'linear'
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  nanquantile(...args: [q: number | readonly number[], dim: number | null | undefined, options?: { readonly keepdim?: boolean | undefined; readonly interpolation?: 'linear' | 'lower' | 'higher' | 'midpoint' | 'nearest' | undefined }] | [q: number | readonly number[], options?: { readonly dim?: number | null | undefined; readonly keepdim?: boolean | undefined; readonly interpolation?: 'linear' | 'lower' | 'higher' | 'midpoint' | 'nearest' | undefined }] | [options: { readonly q: number | readonly number[]; readonly dim?: number | null | undefined; readonly keepdim?: boolean | undefined; readonly interpolation?: 'linear' | 'lower' | 'higher' | 'midpoint' | 'nearest' | undefined }]): Tensor

  /**
   * e^self / Σ e^self along a dim.
   *
   * @param dim the dim (negative ones count from the end): an integer
   * @param dtype self is cast to it first, and the result has it: one of f64, f32, f16, bf16, i64, i32, i16, i8, u8, bool; optional
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  softmax(dim: number, options?: { readonly dtype?: TensorDtype | null | undefined }): Tensor
  /**
   * e^self / Σ e^self along a dim.
   *
   * @param dim the dim (negative ones count from the end): an integer
   * @param dtype self is cast to it first, and the result has it: one of f64, f32, f16, bf16, i64, i32, i16, i8, u8, bool; optional
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  softmax(...args: [options: { readonly dim: number; readonly dtype?: TensorDtype | null | undefined }]): Tensor

  /**
   * softmax(−self): e^−self / Σ e^−self along a dim.
   *
   * @param dim the dim (negative ones count from the end): an integer
   * @param dtype self is cast to it first, and the result has it: one of f64, f32, f16, bf16, i64, i32, i16, i8, u8, bool; optional
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  softmin(dim: number, options?: { readonly dtype?: TensorDtype | null | undefined }): Tensor
  /**
   * softmax(−self): e^−self / Σ e^−self along a dim.
   *
   * @param dim the dim (negative ones count from the end): an integer
   * @param dtype self is cast to it first, and the result has it: one of f64, f32, f16, bf16, i64, i32, i16, i8, u8, bool; optional
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  softmin(...args: [options: { readonly dim: number; readonly dtype?: TensorDtype | null | undefined }]): Tensor

  /**
   * ln(softmax(self)) along a dim.
   *
   * @param dim the dim (negative ones count from the end): an integer
   * @param dtype self is cast to it first, and the result has it: one of f64, f32, f16, bf16, i64, i32, i16, i8, u8, bool; optional
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  logSoftmax(dim: number, options?: { readonly dtype?: TensorDtype | null | undefined }): Tensor
  /**
   * ln(softmax(self)) along a dim.
   *
   * @param dim the dim (negative ones count from the end): an integer
   * @param dtype self is cast to it first, and the result has it: one of f64, f32, f16, bf16, i64, i32, i16, i8, u8, bool; optional
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  logSoftmax(...args: [options: { readonly dim: number; readonly dtype?: TensorDtype | null | undefined }]): Tensor

  /**
   * (self − mean) / √(variance + eps) · weight + bias over the last dims.
   *
   * @param normalizedShape the sizes of the last dims, which are normalised: a list of integers of at least 0
   * @param weight a factor per element of normalizedShape: a tensor; optional
   * @param bias a summand per element of normalizedShape: a tensor; optional
   * @param eps a small number that keeps what is divided by from 0: a number; default 0.00001
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  layerNorm(normalizedShape: readonly SizeLike[], weight?: Tensor | null, bias?: Tensor | null, eps?: number): Tensor
  /**
   * (self − mean) / √(variance + eps) · weight + bias over the last dims.
   *
   * @param normalizedShape the sizes of the last dims, which are normalised: a list of integers of at least 0
   * @param weight a factor per element of normalizedShape: a tensor; optional
   * @param bias a summand per element of normalizedShape: a tensor; optional
   * @param eps a small number that keeps what is divided by from 0: a number; default 0.00001
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  layerNorm(...args: [normalizedShape: readonly SizeLike[], weight: Tensor | null | undefined, bias: Tensor | null | undefined, options?: { readonly eps?: number | undefined }] | [normalizedShape: readonly SizeLike[], weight: Tensor | null | undefined, options?: { readonly bias?: Tensor | null | undefined; readonly eps?: number | undefined }] | [normalizedShape: readonly SizeLike[], options?: { readonly weight?: Tensor | null | undefined; readonly bias?: Tensor | null | undefined; readonly eps?: number | undefined }] | [options: { readonly normalizedShape: readonly SizeLike[]; readonly weight?: Tensor | null | undefined; readonly bias?: Tensor | null | undefined; readonly eps?: number | undefined }]): Tensor

  /**
   * self / √(mean of self² + eps) · weight over the last dims.
   *
   * @param normalizedShape the sizes of the last dims, which are normalised: a list of integers of at least 0
   * @param weight a factor per element of normalizedShape: a tensor; optional
   * @param eps the distance from 1 to the next f32 unless given (f64 of f64): a number; optional
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  rmsNorm(normalizedShape: readonly SizeLike[], weight?: Tensor | null, eps?: number | null): Tensor
  /**
   * self / √(mean of self² + eps) · weight over the last dims.
   *
   * @param normalizedShape the sizes of the last dims, which are normalised: a list of integers of at least 0
   * @param weight a factor per element of normalizedShape: a tensor; optional
   * @param eps the distance from 1 to the next f32 unless given (f64 of f64): a number; optional
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  rmsNorm(...args: [normalizedShape: readonly SizeLike[], weight: Tensor | null | undefined, options?: { readonly eps?: number | null | undefined }] | [normalizedShape: readonly SizeLike[], options?: { readonly weight?: Tensor | null | undefined; readonly eps?: number | null | undefined }] | [options: { readonly normalizedShape: readonly SizeLike[]; readonly weight?: Tensor | null | undefined; readonly eps?: number | null | undefined }]): Tensor

  /**
   * (self − mean) / √(variance + eps) over each of numGroups groups of channels, · weight + bias per channel.
   *
   * @param numGroups into how many groups the channels divide: an integer of at least 1
   * @param weight a factor per channel: a tensor; optional
   * @param bias a summand per channel: a tensor; optional
   * @param eps a small number that keeps what is divided by from 0: a number; default 0.00001
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  groupNorm(numGroups: number, weight?: Tensor | null, bias?: Tensor | null, eps?: number): Tensor
  /**
   * (self − mean) / √(variance + eps) over each of numGroups groups of channels, · weight + bias per channel.
   *
   * @param numGroups into how many groups the channels divide: an integer of at least 1
   * @param weight a factor per channel: a tensor; optional
   * @param bias a summand per channel: a tensor; optional
   * @param eps a small number that keeps what is divided by from 0: a number; default 0.00001
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  groupNorm(...args: [numGroups: number, weight: Tensor | null | undefined, bias: Tensor | null | undefined, options?: { readonly eps?: number | undefined }] | [numGroups: number, weight: Tensor | null | undefined, options?: { readonly bias?: Tensor | null | undefined; readonly eps?: number | undefined }] | [numGroups: number, options?: { readonly weight?: Tensor | null | undefined; readonly bias?: Tensor | null | undefined; readonly eps?: number | undefined }] | [options: { readonly numGroups: number; readonly weight?: Tensor | null | undefined; readonly bias?: Tensor | null | undefined; readonly eps?: number | undefined }]): Tensor

  /**
   * (self − mean) / √(variance + eps) per channel, by running statistics or (training) those of the batch.
   *
   * @param runningMean a mean per channel: a tensor
   * @param runningVar a variance per channel: a tensor
   * @param weight a factor per channel: a tensor; optional
   * @param bias a summand per channel: a tensor; optional
   * @param training use the statistics of this batch; runningMean and runningVar, where they are given, are updated in place: true or false; default false
   * @param momentum the share of the new statistics in the running ones: (1 − momentum) · old + momentum · new, the variance by n − 1: a number; default 0.1
   * @param eps a small number that keeps what is divided by from 0: a number; default 0.00001
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  batchNorm(runningMean: Tensor | null, runningVar: Tensor | null, weight?: Tensor | null, bias?: Tensor | null, training?: boolean, momentum?: number, eps?: number): Tensor
  /**
   * (self − mean) / √(variance + eps) per channel, by running statistics or (training) those of the batch.
   *
   * @param runningMean a mean per channel: a tensor
   * @param runningVar a variance per channel: a tensor
   * @param weight a factor per channel: a tensor; optional
   * @param bias a summand per channel: a tensor; optional
   * @param training use the statistics of this batch; runningMean and runningVar, where they are given, are updated in place: true or false; default false
   * @param momentum the share of the new statistics in the running ones: (1 − momentum) · old + momentum · new, the variance by n − 1: a number; default 0.1
   * @param eps a small number that keeps what is divided by from 0: a number; default 0.00001
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  batchNorm(...args: [runningMean: Tensor | null, runningVar: Tensor | null, weight: Tensor | null | undefined, bias: Tensor | null | undefined, training: boolean | undefined, momentum: number | undefined, options?: { readonly eps?: number | undefined }] | [runningMean: Tensor | null, runningVar: Tensor | null, weight: Tensor | null | undefined, bias: Tensor | null | undefined, training: boolean | undefined, options?: { readonly momentum?: number | undefined; readonly eps?: number | undefined }] | [runningMean: Tensor | null, runningVar: Tensor | null, weight: Tensor | null | undefined, bias: Tensor | null | undefined, options?: { readonly training?: boolean | undefined; readonly momentum?: number | undefined; readonly eps?: number | undefined }] | [runningMean: Tensor | null, runningVar: Tensor | null, weight: Tensor | null | undefined, options?: { readonly bias?: Tensor | null | undefined; readonly training?: boolean | undefined; readonly momentum?: number | undefined; readonly eps?: number | undefined }] | [runningMean: Tensor | null, runningVar: Tensor | null, options?: { readonly weight?: Tensor | null | undefined; readonly bias?: Tensor | null | undefined; readonly training?: boolean | undefined; readonly momentum?: number | undefined; readonly eps?: number | undefined }] | [runningMean: Tensor | null, options: { readonly runningVar: Tensor | null; readonly weight?: Tensor | null | undefined; readonly bias?: Tensor | null | undefined; readonly training?: boolean | undefined; readonly momentum?: number | undefined; readonly eps?: number | undefined }] | [options: { readonly runningMean: Tensor | null; readonly runningVar: Tensor | null; readonly weight?: Tensor | null | undefined; readonly bias?: Tensor | null | undefined; readonly training?: boolean | undefined; readonly momentum?: number | undefined; readonly eps?: number | undefined }]): Tensor

  /**
   * (self − mean) / √(variance + eps) over the places of each channel of each sample, · weight + bias per channel.
   *
   * @param runningMean a mean per channel: a tensor; optional
   * @param runningVar a variance per channel: a tensor; optional
   * @param weight a factor per channel: a tensor; optional
   * @param bias a summand per channel: a tensor; optional
   * @param useInputStats use the input's own statistics; runningMean and runningVar, where given, are updated in place: true or false; default true
   * @param momentum the share of the new statistics in the running ones: (1 − momentum) · old + momentum · new, the variance by n − 1: a number; default 0.1
   * @param eps a small number that keeps what is divided by from 0: a number; default 0.00001
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  instanceNorm(runningMean?: Tensor | null, runningVar?: Tensor | null, weight?: Tensor | null, bias?: Tensor | null, useInputStats?: boolean, momentum?: number, eps?: number): Tensor
  /**
   * (self − mean) / √(variance + eps) over the places of each channel of each sample, · weight + bias per channel.
   *
   * @param runningMean a mean per channel: a tensor; optional
   * @param runningVar a variance per channel: a tensor; optional
   * @param weight a factor per channel: a tensor; optional
   * @param bias a summand per channel: a tensor; optional
   * @param useInputStats use the input's own statistics; runningMean and runningVar, where given, are updated in place: true or false; default true
   * @param momentum the share of the new statistics in the running ones: (1 − momentum) · old + momentum · new, the variance by n − 1: a number; default 0.1
   * @param eps a small number that keeps what is divided by from 0: a number; default 0.00001
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  instanceNorm(...args: [runningMean: Tensor | null | undefined, runningVar: Tensor | null | undefined, weight: Tensor | null | undefined, bias: Tensor | null | undefined, useInputStats: boolean | undefined, momentum: number | undefined, options?: { readonly eps?: number | undefined }] | [runningMean: Tensor | null | undefined, runningVar: Tensor | null | undefined, weight: Tensor | null | undefined, bias: Tensor | null | undefined, useInputStats: boolean | undefined, options?: { readonly momentum?: number | undefined; readonly eps?: number | undefined }] | [runningMean: Tensor | null | undefined, runningVar: Tensor | null | undefined, weight: Tensor | null | undefined, bias: Tensor | null | undefined, options?: { readonly useInputStats?: boolean | undefined; readonly momentum?: number | undefined; readonly eps?: number | undefined }] | [runningMean: Tensor | null | undefined, runningVar: Tensor | null | undefined, weight: Tensor | null | undefined, options?: { readonly bias?: Tensor | null | undefined; readonly useInputStats?: boolean | undefined; readonly momentum?: number | undefined; readonly eps?: number | undefined }] | [runningMean: Tensor | null | undefined, runningVar: Tensor | null | undefined, options?: { readonly weight?: Tensor | null | undefined; readonly bias?: Tensor | null | undefined; readonly useInputStats?: boolean | undefined; readonly momentum?: number | undefined; readonly eps?: number | undefined }] | [runningMean: Tensor | null | undefined, options?: { readonly runningVar?: Tensor | null | undefined; readonly weight?: Tensor | null | undefined; readonly bias?: Tensor | null | undefined; readonly useInputStats?: boolean | undefined; readonly momentum?: number | undefined; readonly eps?: number | undefined }] | [options?: { readonly runningMean?: Tensor | null | undefined; readonly runningVar?: Tensor | null | undefined; readonly weight?: Tensor | null | undefined; readonly bias?: Tensor | null | undefined; readonly useInputStats?: boolean | undefined; readonly momentum?: number | undefined; readonly eps?: number | undefined }]): Tensor

  /**
   * self / max(‖self‖ₚ, eps) over the dims.
   *
   * @param p a number; default 2
   * @param dim the dim (negative ones count from the end): an integer or a list of integers; default [1]
   * @param eps a small number that keeps what is divided by from 0: a number; default 1e-12
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  normalize(p?: number, dim?: number | readonly number[], eps?: number): Tensor
  /**
   * self / max(‖self‖ₚ, eps) over the dims.
   *
   * @param p a number; default 2
   * @param dim the dim (negative ones count from the end): an integer or a list of integers; default [1]
   * @param eps a small number that keeps what is divided by from 0: a number; default 1e-12
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  normalize(...args: [p: number | undefined, dim: number | readonly number[] | undefined, options?: { readonly eps?: number | undefined }] | [p: number | undefined, options?: { readonly dim?: number | readonly number[] | undefined; readonly eps?: number | undefined }] | [options?: { readonly p?: number | undefined; readonly dim?: number | readonly number[] | undefined; readonly eps?: number | undefined }]): Tensor

  /**
   * (self − target)², reduced.
   *
   * @param target what self should be: a tensor
   * @param reduction the mean of all losses, their sum, or ('none') each: 'mean', 'sum' or 'none'; default 'mean'
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  mseLoss(target: Tensor, reduction?: 'mean' | 'sum' | 'none'): Tensor
  /**
   * (self − target)², reduced.
   *
   * @param target what self should be: a tensor
   * @param reduction the mean of all losses, their sum, or ('none') each: 'mean', 'sum' or 'none'; default 'mean'
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  mseLoss(...args: [target: Tensor, options?: { readonly reduction?: 'mean' | 'sum' | 'none' | undefined }] | [options: { readonly target: Tensor; readonly reduction?: 'mean' | 'sum' | 'none' | undefined }]): Tensor

  /**
   * |self − target|, reduced.
   *
   * @param target what self should be: a tensor
   * @param reduction the mean of all losses, their sum, or ('none') each: 'mean', 'sum' or 'none'; default 'mean'
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  l1Loss(target: Tensor, reduction?: 'mean' | 'sum' | 'none'): Tensor
  /**
   * |self − target|, reduced.
   *
   * @param target what self should be: a tensor
   * @param reduction the mean of all losses, their sum, or ('none') each: 'mean', 'sum' or 'none'; default 'mean'
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  l1Loss(...args: [target: Tensor, options?: { readonly reduction?: 'mean' | 'sum' | 'none' | undefined }] | [options: { readonly target: Tensor; readonly reduction?: 'mean' | 'sum' | 'none' | undefined }]): Tensor

  /**
   * With d = |self − target|: d² / (2 beta) below beta, d − beta / 2 above, reduced.
   *
   * @param target what self should be: a tensor
   * @param reduction the mean of all losses, their sum, or ('none') each: 'mean', 'sum' or 'none'; default 'mean'
   * @param beta where the quadratic part ends: a number; default 1
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  smoothL1Loss(target: Tensor, reduction?: 'mean' | 'sum' | 'none', beta?: number): Tensor
  /**
   * With d = |self − target|: d² / (2 beta) below beta, d − beta / 2 above, reduced.
   *
   * @param target what self should be: a tensor
   * @param reduction the mean of all losses, their sum, or ('none') each: 'mean', 'sum' or 'none'; default 'mean'
   * @param beta where the quadratic part ends: a number; default 1
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  smoothL1Loss(...args: [target: Tensor, reduction: 'mean' | 'sum' | 'none' | undefined, options?: { readonly beta?: number | undefined }] | [target: Tensor, options?: { readonly reduction?: 'mean' | 'sum' | 'none' | undefined; readonly beta?: number | undefined }] | [options: { readonly target: Tensor; readonly reduction?: 'mean' | 'sum' | 'none' | undefined; readonly beta?: number | undefined }]): Tensor

  /**
   * With d = |self − target|: d² / 2 up to delta, delta · (d − delta / 2) above, reduced.
   *
   * @param target what self should be: a tensor
   * @param reduction the mean of all losses, their sum, or ('none') each: 'mean', 'sum' or 'none'; default 'mean'
   * @param delta where the quadratic part ends: a number; default 1
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  huberLoss(target: Tensor, reduction?: 'mean' | 'sum' | 'none', delta?: number): Tensor
  /**
   * With d = |self − target|: d² / 2 up to delta, delta · (d − delta / 2) above, reduced.
   *
   * @param target what self should be: a tensor
   * @param reduction the mean of all losses, their sum, or ('none') each: 'mean', 'sum' or 'none'; default 'mean'
   * @param delta where the quadratic part ends: a number; default 1
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  huberLoss(...args: [target: Tensor, reduction: 'mean' | 'sum' | 'none' | undefined, options?: { readonly delta?: number | undefined }] | [target: Tensor, options?: { readonly reduction?: 'mean' | 'sum' | 'none' | undefined; readonly delta?: number | undefined }] | [options: { readonly target: Tensor; readonly reduction?: 'mean' | 'sum' | 'none' | undefined; readonly delta?: number | undefined }]): Tensor

  /**
   * −(target · ln self + (1 − target) · ln(1 − self)), logarithms at least −100, reduced.
   *
   * @param target what self should be: a tensor
   * @param weight a factor per element (broadcasts): a tensor; optional
   * @param reduction the mean of all losses, their sum, or ('none') each: 'mean', 'sum' or 'none'; default 'mean'
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  binaryCrossEntropy(target: Tensor, weight?: Tensor | null, reduction?: 'mean' | 'sum' | 'none'): Tensor
  /**
   * −(target · ln self + (1 − target) · ln(1 − self)), logarithms at least −100, reduced.
   *
   * @param target what self should be: a tensor
   * @param weight a factor per element (broadcasts): a tensor; optional
   * @param reduction the mean of all losses, their sum, or ('none') each: 'mean', 'sum' or 'none'; default 'mean'
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  binaryCrossEntropy(...args: [target: Tensor, weight: Tensor | null | undefined, options?: { readonly reduction?: 'mean' | 'sum' | 'none' | undefined }] | [target: Tensor, options?: { readonly weight?: Tensor | null | undefined; readonly reduction?: 'mean' | 'sum' | 'none' | undefined }] | [options: { readonly target: Tensor; readonly weight?: Tensor | null | undefined; readonly reduction?: 'mean' | 'sum' | 'none' | undefined }]): Tensor

  /**
   * target · (ln target − self), self being logarithms (the target too with logTarget); reduction may be 'batchmean'.
   *
   * @param target what self should be: a tensor
   * @param reduction the mean of all losses, their sum, each ('none'), or the sum over the batch's size: 'mean', 'sum', 'none' or 'batchmean'; default 'mean'
   * @param logTarget the target holds logarithms too: true or false; default false
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  klDiv(target: Tensor, reduction?: 'mean' | 'sum' | 'none' | 'batchmean', logTarget?: boolean): Tensor
  /**
   * target · (ln target − self), self being logarithms (the target too with logTarget); reduction may be 'batchmean'.
   *
   * @param target what self should be: a tensor
   * @param reduction the mean of all losses, their sum, each ('none'), or the sum over the batch's size: 'mean', 'sum', 'none' or 'batchmean'; default 'mean'
   * @param logTarget the target holds logarithms too: true or false; default false
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  klDiv(...args: [target: Tensor, reduction: 'mean' | 'sum' | 'none' | 'batchmean' | undefined, options?: { readonly logTarget?: boolean | undefined }] | [target: Tensor, options?: { readonly reduction?: 'mean' | 'sum' | 'none' | 'batchmean' | undefined; readonly logTarget?: boolean | undefined }] | [options: { readonly target: Tensor; readonly reduction?: 'mean' | 'sum' | 'none' | 'batchmean' | undefined; readonly logTarget?: boolean | undefined }]): Tensor

  /**
   * binaryCrossEntropy of sigmoid(self), computed without overflow.
   *
   * @param target what self should be: a tensor
   * @param weight a factor per element (broadcasts): a tensor; optional
   * @param reduction the mean of all losses, their sum, or ('none') each: 'mean', 'sum' or 'none'; default 'mean'
   * @param posWeight a factor on the loss of positive targets (broadcasts): a tensor; optional
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  binaryCrossEntropyWithLogits(target: Tensor, weight?: Tensor | null, reduction?: 'mean' | 'sum' | 'none', posWeight?: Tensor | null): Tensor
  /**
   * binaryCrossEntropy of sigmoid(self), computed without overflow.
   *
   * @param target what self should be: a tensor
   * @param weight a factor per element (broadcasts): a tensor; optional
   * @param reduction the mean of all losses, their sum, or ('none') each: 'mean', 'sum' or 'none'; default 'mean'
   * @param posWeight a factor on the loss of positive targets (broadcasts): a tensor; optional
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  binaryCrossEntropyWithLogits(...args: [target: Tensor, weight: Tensor | null | undefined, reduction: 'mean' | 'sum' | 'none' | undefined, options?: { readonly posWeight?: Tensor | null | undefined }] | [target: Tensor, weight: Tensor | null | undefined, options?: { readonly reduction?: 'mean' | 'sum' | 'none' | undefined; readonly posWeight?: Tensor | null | undefined }] | [target: Tensor, options?: { readonly weight?: Tensor | null | undefined; readonly reduction?: 'mean' | 'sum' | 'none' | undefined; readonly posWeight?: Tensor | null | undefined }] | [options: { readonly target: Tensor; readonly weight?: Tensor | null | undefined; readonly reduction?: 'mean' | 'sum' | 'none' | undefined; readonly posWeight?: Tensor | null | undefined }]): Tensor

  /**
   * −weight[target] · self[target] of log-probabilities [N, C, …]; the mean divides by the weights counted.
   *
   * @param target class indices: a tensor
   * @param weight a factor per class, [C]: a tensor; optional
   * @param ignoreIndex targets of this value do not count: an integer; default -100
   * @param reduction the mean of all losses, their sum, or ('none') each: 'mean', 'sum' or 'none'; default 'mean'
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  nllLoss(target: Tensor, weight?: Tensor | null, ignoreIndex?: number, reduction?: 'mean' | 'sum' | 'none'): Tensor
  /**
   * −weight[target] · self[target] of log-probabilities [N, C, …]; the mean divides by the weights counted.
   *
   * @param target class indices: a tensor
   * @param weight a factor per class, [C]: a tensor; optional
   * @param ignoreIndex targets of this value do not count: an integer; default -100
   * @param reduction the mean of all losses, their sum, or ('none') each: 'mean', 'sum' or 'none'; default 'mean'
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  nllLoss(...args: [target: Tensor, weight: Tensor | null | undefined, ignoreIndex: number | undefined, options?: { readonly reduction?: 'mean' | 'sum' | 'none' | undefined }] | [target: Tensor, weight: Tensor | null | undefined, options?: { readonly ignoreIndex?: number | undefined; readonly reduction?: 'mean' | 'sum' | 'none' | undefined }] | [target: Tensor, options?: { readonly weight?: Tensor | null | undefined; readonly ignoreIndex?: number | undefined; readonly reduction?: 'mean' | 'sum' | 'none' | undefined }] | [options: { readonly target: Tensor; readonly weight?: Tensor | null | undefined; readonly ignoreIndex?: number | undefined; readonly reduction?: 'mean' | 'sum' | 'none' | undefined }]): Tensor

  /**
   * nllLoss of logSoftmax(self) of [N, C, …]; the target holds class indices, or (floats) probabilities.
   *
   * @param target class indices, or (floats) probabilities: a tensor
   * @param weight a factor per class, [C]: a tensor; optional
   * @param ignoreIndex targets of this value do not count: an integer; default -100
   * @param reduction the mean of all losses, their sum, or ('none') each: 'mean', 'sum' or 'none'; default 'mean'
   * @param labelSmoothing the share of the target, 0 to 1, that is spread over all classes: a number; default 0
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  crossEntropy(target: Tensor, weight?: Tensor | null, ignoreIndex?: number, reduction?: 'mean' | 'sum' | 'none', labelSmoothing?: number): Tensor
  /**
   * nllLoss of logSoftmax(self) of [N, C, …]; the target holds class indices, or (floats) probabilities.
   *
   * @param target class indices, or (floats) probabilities: a tensor
   * @param weight a factor per class, [C]: a tensor; optional
   * @param ignoreIndex targets of this value do not count: an integer; default -100
   * @param reduction the mean of all losses, their sum, or ('none') each: 'mean', 'sum' or 'none'; default 'mean'
   * @param labelSmoothing the share of the target, 0 to 1, that is spread over all classes: a number; default 0
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  crossEntropy(...args: [target: Tensor, weight: Tensor | null | undefined, ignoreIndex: number | undefined, reduction: 'mean' | 'sum' | 'none' | undefined, options?: { readonly labelSmoothing?: number | undefined }] | [target: Tensor, weight: Tensor | null | undefined, ignoreIndex: number | undefined, options?: { readonly reduction?: 'mean' | 'sum' | 'none' | undefined; readonly labelSmoothing?: number | undefined }] | [target: Tensor, weight: Tensor | null | undefined, options?: { readonly ignoreIndex?: number | undefined; readonly reduction?: 'mean' | 'sum' | 'none' | undefined; readonly labelSmoothing?: number | undefined }] | [target: Tensor, options?: { readonly weight?: Tensor | null | undefined; readonly ignoreIndex?: number | undefined; readonly reduction?: 'mean' | 'sum' | 'none' | undefined; readonly labelSmoothing?: number | undefined }] | [options: { readonly target: Tensor; readonly weight?: Tensor | null | undefined; readonly ignoreIndex?: number | undefined; readonly reduction?: 'mean' | 'sum' | 'none' | undefined; readonly labelSmoothing?: number | undefined }]): Tensor

  /**
   * Σ x1 · x2 / (max(‖x1‖, eps) · max(‖x2‖, eps)) along a dim.
   *
   * @param x2 the other; the two broadcast: a tensor
   * @param dim the dim (negative ones count from the end): an integer; default 1
   * @param eps the least length that is divided by: a number; default 1e-8
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  cosineSimilarity(x2: Tensor, dim?: number, eps?: number): Tensor
  /**
   * Σ x1 · x2 / (max(‖x1‖, eps) · max(‖x2‖, eps)) along a dim.
   *
   * @param x2 the other; the two broadcast: a tensor
   * @param dim the dim (negative ones count from the end): an integer; default 1
   * @param eps the least length that is divided by: a number; default 1e-8
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  cosineSimilarity(...args: [x2: Tensor, dim: number | undefined, options?: { readonly eps?: number | undefined }] | [x2: Tensor, options?: { readonly dim?: number | undefined; readonly eps?: number | undefined }] | [options: { readonly x2: Tensor; readonly dim?: number | undefined; readonly eps?: number | undefined }]): Tensor

  /**
   * e^self − target · self (logInput false: self − target · ln(self + eps)), reduced.
   *
   * @param target what self should be: a tensor
   * @param logInput self is the logarithm of the expected count, not the count itself: true or false; default true
   * @param full Stirling's formula for ln target! is added: true or false; default false
   * @param eps what is added before a logarithm: a number; default 1e-8
   * @param reduction the mean of all losses, their sum, or ('none') each: 'mean', 'sum' or 'none'; default 'mean'
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  poissonNllLoss(target: Tensor, logInput?: boolean, full?: boolean, eps?: number, reduction?: 'mean' | 'sum' | 'none'): Tensor
  /**
   * e^self − target · self (logInput false: self − target · ln(self + eps)), reduced.
   *
   * @param target what self should be: a tensor
   * @param logInput self is the logarithm of the expected count, not the count itself: true or false; default true
   * @param full Stirling's formula for ln target! is added: true or false; default false
   * @param eps what is added before a logarithm: a number; default 1e-8
   * @param reduction the mean of all losses, their sum, or ('none') each: 'mean', 'sum' or 'none'; default 'mean'
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  poissonNllLoss(...args: [target: Tensor, logInput: boolean | undefined, full: boolean | undefined, eps: number | undefined, options?: { readonly reduction?: 'mean' | 'sum' | 'none' | undefined }] | [target: Tensor, logInput: boolean | undefined, full: boolean | undefined, options?: { readonly eps?: number | undefined; readonly reduction?: 'mean' | 'sum' | 'none' | undefined }] | [target: Tensor, logInput: boolean | undefined, options?: { readonly full?: boolean | undefined; readonly eps?: number | undefined; readonly reduction?: 'mean' | 'sum' | 'none' | undefined }] | [target: Tensor, options?: { readonly logInput?: boolean | undefined; readonly full?: boolean | undefined; readonly eps?: number | undefined; readonly reduction?: 'mean' | 'sum' | 'none' | undefined }] | [options: { readonly target: Tensor; readonly logInput?: boolean | undefined; readonly full?: boolean | undefined; readonly eps?: number | undefined; readonly reduction?: 'mean' | 'sum' | 'none' | undefined }]): Tensor

  /**
   * (ln v + (self − target)² / v) / 2 with v = max(variance, eps), plus ln(2π) / 2 with full, reduced.
   *
   * @param target what self should be: a tensor
   * @param variance how sure each is: a tensor
   * @param full ln(2π) / 2 is added: true or false; default false
   * @param eps the least variance: a number; default 0.000001
   * @param reduction the mean of all losses, their sum, or ('none') each: 'mean', 'sum' or 'none'; default 'mean'
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  gaussianNllLoss(target: Tensor, variance: Tensor, full?: boolean, eps?: number, reduction?: 'mean' | 'sum' | 'none'): Tensor
  /**
   * (ln v + (self − target)² / v) / 2 with v = max(variance, eps), plus ln(2π) / 2 with full, reduced.
   *
   * @param target what self should be: a tensor
   * @param variance how sure each is: a tensor
   * @param full ln(2π) / 2 is added: true or false; default false
   * @param eps the least variance: a number; default 0.000001
   * @param reduction the mean of all losses, their sum, or ('none') each: 'mean', 'sum' or 'none'; default 'mean'
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  gaussianNllLoss(...args: [target: Tensor, variance: Tensor, full: boolean | undefined, eps: number | undefined, options?: { readonly reduction?: 'mean' | 'sum' | 'none' | undefined }] | [target: Tensor, variance: Tensor, full: boolean | undefined, options?: { readonly eps?: number | undefined; readonly reduction?: 'mean' | 'sum' | 'none' | undefined }] | [target: Tensor, variance: Tensor, options?: { readonly full?: boolean | undefined; readonly eps?: number | undefined; readonly reduction?: 'mean' | 'sum' | 'none' | undefined }] | [target: Tensor, options: { readonly variance: Tensor; readonly full?: boolean | undefined; readonly eps?: number | undefined; readonly reduction?: 'mean' | 'sum' | 'none' | undefined }] | [options: { readonly target: Tensor; readonly variance: Tensor; readonly full?: boolean | undefined; readonly eps?: number | undefined; readonly reduction?: 'mean' | 'sum' | 'none' | undefined }]): Tensor

  /**
   * ln(1 + e^(−target · self)), reduced; targets are 1 or −1.
   *
   * @param target 1 or −1: a tensor
   * @param reduction the mean of all losses, their sum, or ('none') each: 'mean', 'sum' or 'none'; default 'mean'
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  softMarginLoss(target: Tensor, reduction?: 'mean' | 'sum' | 'none'): Tensor
  /**
   * ln(1 + e^(−target · self)), reduced; targets are 1 or −1.
   *
   * @param target 1 or −1: a tensor
   * @param reduction the mean of all losses, their sum, or ('none') each: 'mean', 'sum' or 'none'; default 'mean'
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  softMarginLoss(...args: [target: Tensor, options?: { readonly reduction?: 'mean' | 'sum' | 'none' | undefined }] | [options: { readonly target: Tensor; readonly reduction?: 'mean' | 'sum' | 'none' | undefined }]): Tensor

  /**
   * self where target is 1, max(0, margin − self) where it is −1, reduced.
   *
   * @param target 1 or −1: a tensor
   * @param margin how large self should be where the target is −1: a number; default 1
   * @param reduction the mean of all losses, their sum, or ('none') each: 'mean', 'sum' or 'none'; default 'mean'
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  hingeEmbeddingLoss(target: Tensor, margin?: number, reduction?: 'mean' | 'sum' | 'none'): Tensor
  /**
   * self where target is 1, max(0, margin − self) where it is −1, reduced.
   *
   * @param target 1 or −1: a tensor
   * @param margin how large self should be where the target is −1: a number; default 1
   * @param reduction the mean of all losses, their sum, or ('none') each: 'mean', 'sum' or 'none'; default 'mean'
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  hingeEmbeddingLoss(...args: [target: Tensor, margin: number | undefined, options?: { readonly reduction?: 'mean' | 'sum' | 'none' | undefined }] | [target: Tensor, options?: { readonly margin?: number | undefined; readonly reduction?: 'mean' | 'sum' | 'none' | undefined }] | [options: { readonly target: Tensor; readonly margin?: number | undefined; readonly reduction?: 'mean' | 'sum' | 'none' | undefined }]): Tensor

  /**
   * max(0, −target · (input1 − input2) + margin), reduced; target 1 where input1 should be larger, −1 where smaller.
   *
   * @param input2 the other: a tensor
   * @param target 1 or −1: a tensor
   * @param margin by how much one should be larger: a number; default 0
   * @param reduction the mean of all losses, their sum, or ('none') each: 'mean', 'sum' or 'none'; default 'mean'
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  marginRankingLoss(input2: Tensor, target: Tensor, margin?: number, reduction?: 'mean' | 'sum' | 'none'): Tensor
  /**
   * max(0, −target · (input1 − input2) + margin), reduced; target 1 where input1 should be larger, −1 where smaller.
   *
   * @param input2 the other: a tensor
   * @param target 1 or −1: a tensor
   * @param margin by how much one should be larger: a number; default 0
   * @param reduction the mean of all losses, their sum, or ('none') each: 'mean', 'sum' or 'none'; default 'mean'
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  marginRankingLoss(...args: [input2: Tensor, target: Tensor, margin: number | undefined, options?: { readonly reduction?: 'mean' | 'sum' | 'none' | undefined }] | [input2: Tensor, target: Tensor, options?: { readonly margin?: number | undefined; readonly reduction?: 'mean' | 'sum' | 'none' | undefined }] | [input2: Tensor, options: { readonly target: Tensor; readonly margin?: number | undefined; readonly reduction?: 'mean' | 'sum' | 'none' | undefined }] | [options: { readonly input2: Tensor; readonly target: Tensor; readonly margin?: number | undefined; readonly reduction?: 'mean' | 'sum' | 'none' | undefined }]): Tensor

  /**
   * The mean over the last dim of −(target · ln σ(self) + (1 − target) · ln σ(−self)) · weight, reduced.
   *
   * @param target what self should be: a tensor
   * @param weight a factor per class (broadcasts): a tensor; optional
   * @param reduction the mean of all losses, their sum, or ('none') each: 'mean', 'sum' or 'none'; default 'mean'
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  multilabelSoftMarginLoss(target: Tensor, weight?: Tensor | null, reduction?: 'mean' | 'sum' | 'none'): Tensor
  /**
   * The mean over the last dim of −(target · ln σ(self) + (1 − target) · ln σ(−self)) · weight, reduced.
   *
   * @param target what self should be: a tensor
   * @param weight a factor per class (broadcasts): a tensor; optional
   * @param reduction the mean of all losses, their sum, or ('none') each: 'mean', 'sum' or 'none'; default 'mean'
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  multilabelSoftMarginLoss(...args: [target: Tensor, weight: Tensor | null | undefined, options?: { readonly reduction?: 'mean' | 'sum' | 'none' | undefined }] | [target: Tensor, options?: { readonly weight?: Tensor | null | undefined; readonly reduction?: 'mean' | 'sum' | 'none' | undefined }] | [options: { readonly target: Tensor; readonly weight?: Tensor | null | undefined; readonly reduction?: 'mean' | 'sum' | 'none' | undefined }]): Tensor

  /**
   * Σ over the other classes of max(0, margin − self[target] + self[i])^p / C of [N, C] or [C], reduced.
   *
   * @param target class indices: a tensor
   * @param p 1 or 2: a number; default 1
   * @param margin a number; default 1
   * @param weight a factor per class, [C]: a tensor; optional
   * @param reduction the mean of all losses, their sum, or ('none') each: 'mean', 'sum' or 'none'; default 'mean'
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  multiMarginLoss(target: Tensor, p?: number, margin?: number, weight?: Tensor | null, reduction?: 'mean' | 'sum' | 'none'): Tensor
  /**
   * Σ over the other classes of max(0, margin − self[target] + self[i])^p / C of [N, C] or [C], reduced.
   *
   * @param target class indices: a tensor
   * @param p 1 or 2: a number; default 1
   * @param margin a number; default 1
   * @param weight a factor per class, [C]: a tensor; optional
   * @param reduction the mean of all losses, their sum, or ('none') each: 'mean', 'sum' or 'none'; default 'mean'
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  multiMarginLoss(...args: [target: Tensor, p: number | undefined, margin: number | undefined, weight: Tensor | null | undefined, options?: { readonly reduction?: 'mean' | 'sum' | 'none' | undefined }] | [target: Tensor, p: number | undefined, margin: number | undefined, options?: { readonly weight?: Tensor | null | undefined; readonly reduction?: 'mean' | 'sum' | 'none' | undefined }] | [target: Tensor, p: number | undefined, options?: { readonly margin?: number | undefined; readonly weight?: Tensor | null | undefined; readonly reduction?: 'mean' | 'sum' | 'none' | undefined }] | [target: Tensor, options?: { readonly p?: number | undefined; readonly margin?: number | undefined; readonly weight?: Tensor | null | undefined; readonly reduction?: 'mean' | 'sum' | 'none' | undefined }] | [options: { readonly target: Tensor; readonly p?: number | undefined; readonly margin?: number | undefined; readonly weight?: Tensor | null | undefined; readonly reduction?: 'mean' | 'sum' | 'none' | undefined }]): Tensor

  /**
   * The distances (Σ |x − y|^p)^(1/p) of all rows x of x1 [*, P, M] and y of x2 [*, R, M]: [*, P, R].
   *
   * @param x2 the other: a tensor
   * @param p the power; 0 counts, Infinity is the largest difference: a number; default 2
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  cdist(x2: Tensor, p?: number): Tensor
  /**
   * The distances (Σ |x − y|^p)^(1/p) of all rows x of x1 [*, P, M] and y of x2 [*, R, M]: [*, P, R].
   *
   * @param x2 the other: a tensor
   * @param p the power; 0 counts, Infinity is the largest difference: a number; default 2
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  cdist(...args: [x2: Tensor, options?: { readonly p?: number | undefined }] | [options: { readonly x2: Tensor; readonly p?: number | undefined }]): Tensor

  /**
   * (Σ |x1 − x2 + eps|^p)^(1/p) over the last dim.
   *
   * @param x2 the other: a tensor
   * @param p the power; 0 counts, Infinity is the largest difference: a number; default 2
   * @param eps what is added to each difference: a number; default 0.000001
   * @param keepdim keep the reduced dims, with size 1: true or false; default false
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  pairwiseDistance(x2: Tensor, p?: number, eps?: number, keepdim?: boolean): Tensor
  /**
   * (Σ |x1 − x2 + eps|^p)^(1/p) over the last dim.
   *
   * @param x2 the other: a tensor
   * @param p the power; 0 counts, Infinity is the largest difference: a number; default 2
   * @param eps what is added to each difference: a number; default 0.000001
   * @param keepdim keep the reduced dims, with size 1: true or false; default false
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  pairwiseDistance(...args: [x2: Tensor, p: number | undefined, eps: number | undefined, options?: { readonly keepdim?: boolean | undefined }] | [x2: Tensor, p: number | undefined, options?: { readonly eps?: number | undefined; readonly keepdim?: boolean | undefined }] | [x2: Tensor, options?: { readonly p?: number | undefined; readonly eps?: number | undefined; readonly keepdim?: boolean | undefined }] | [options: { readonly x2: Tensor; readonly p?: number | undefined; readonly eps?: number | undefined; readonly keepdim?: boolean | undefined }]): Tensor

  /**
   * (Σ |self − other|^p)^(1/p) over everything.
   *
   * @param other what it is combined with; the two broadcast: a tensor
   * @param p the power; 0 counts, Infinity is the largest difference: a number; default 2
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  dist(other: Tensor, p?: number): Tensor
  /**
   * (Σ |self − other|^p)^(1/p) over everything.
   *
   * @param other what it is combined with; the two broadcast: a tensor
   * @param p the power; 0 counts, Infinity is the largest difference: a number; default 2
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  dist(...args: [other: Tensor, options?: { readonly p?: number | undefined }] | [options: { readonly other: Tensor; readonly p?: number | undefined }]): Tensor

  /**
   * max(0, d(anchor, positive) − d(anchor, negative) + margin), reduced; d is pairwiseDistance.
   *
   * @param positive what should be near: a tensor
   * @param negative what should be far: a tensor
   * @param margin by how much: a number; default 1
   * @param p the power; 0 counts, Infinity is the largest difference: a number; default 2
   * @param eps what is added to each difference: a number; default 0.000001
   * @param swap the distance of the negative is the smaller of those to the anchor and to the positive: true or false; default false
   * @param reduction the mean of all losses, their sum, or ('none') each: 'mean', 'sum' or 'none'; default 'mean'
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  tripletMarginLoss(positive: Tensor, negative: Tensor, margin?: number, p?: number, eps?: number, swap?: boolean, reduction?: 'mean' | 'sum' | 'none'): Tensor
  /**
   * max(0, d(anchor, positive) − d(anchor, negative) + margin), reduced; d is pairwiseDistance.
   *
   * @param positive what should be near: a tensor
   * @param negative what should be far: a tensor
   * @param margin by how much: a number; default 1
   * @param p the power; 0 counts, Infinity is the largest difference: a number; default 2
   * @param eps what is added to each difference: a number; default 0.000001
   * @param swap the distance of the negative is the smaller of those to the anchor and to the positive: true or false; default false
   * @param reduction the mean of all losses, their sum, or ('none') each: 'mean', 'sum' or 'none'; default 'mean'
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  tripletMarginLoss(...args: [positive: Tensor, negative: Tensor, margin: number | undefined, p: number | undefined, eps: number | undefined, swap: boolean | undefined, options?: { readonly reduction?: 'mean' | 'sum' | 'none' | undefined }] | [positive: Tensor, negative: Tensor, margin: number | undefined, p: number | undefined, eps: number | undefined, options?: { readonly swap?: boolean | undefined; readonly reduction?: 'mean' | 'sum' | 'none' | undefined }] | [positive: Tensor, negative: Tensor, margin: number | undefined, p: number | undefined, options?: { readonly eps?: number | undefined; readonly swap?: boolean | undefined; readonly reduction?: 'mean' | 'sum' | 'none' | undefined }] | [positive: Tensor, negative: Tensor, margin: number | undefined, options?: { readonly p?: number | undefined; readonly eps?: number | undefined; readonly swap?: boolean | undefined; readonly reduction?: 'mean' | 'sum' | 'none' | undefined }] | [positive: Tensor, negative: Tensor, options?: { readonly margin?: number | undefined; readonly p?: number | undefined; readonly eps?: number | undefined; readonly swap?: boolean | undefined; readonly reduction?: 'mean' | 'sum' | 'none' | undefined }] | [positive: Tensor, options: { readonly negative: Tensor; readonly margin?: number | undefined; readonly p?: number | undefined; readonly eps?: number | undefined; readonly swap?: boolean | undefined; readonly reduction?: 'mean' | 'sum' | 'none' | undefined }] | [options: { readonly positive: Tensor; readonly negative: Tensor; readonly margin?: number | undefined; readonly p?: number | undefined; readonly eps?: number | undefined; readonly swap?: boolean | undefined; readonly reduction?: 'mean' | 'sum' | 'none' | undefined }]): Tensor

  /**
   * 1 − cos(input1, input2) where target is 1, max(0, cos(input1, input2) − margin) where it is −1, reduced.
   *
   * @param input2 the other: a tensor
   * @param target 1 where they should be alike, −1 where not: a tensor
   * @param margin the cosine that is allowed where not: a number; default 0
   * @param reduction the mean of all losses, their sum, or ('none') each: 'mean', 'sum' or 'none'; default 'mean'
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  cosineEmbeddingLoss(input2: Tensor, target: Tensor, margin?: number, reduction?: 'mean' | 'sum' | 'none'): Tensor
  /**
   * 1 − cos(input1, input2) where target is 1, max(0, cos(input1, input2) − margin) where it is −1, reduced.
   *
   * @param input2 the other: a tensor
   * @param target 1 where they should be alike, −1 where not: a tensor
   * @param margin the cosine that is allowed where not: a number; default 0
   * @param reduction the mean of all losses, their sum, or ('none') each: 'mean', 'sum' or 'none'; default 'mean'
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  cosineEmbeddingLoss(...args: [input2: Tensor, target: Tensor, margin: number | undefined, options?: { readonly reduction?: 'mean' | 'sum' | 'none' | undefined }] | [input2: Tensor, target: Tensor, options?: { readonly margin?: number | undefined; readonly reduction?: 'mean' | 'sum' | 'none' | undefined }] | [input2: Tensor, options: { readonly target: Tensor; readonly margin?: number | undefined; readonly reduction?: 'mean' | 'sum' | 'none' | undefined }] | [options: { readonly input2: Tensor; readonly target: Tensor; readonly margin?: number | undefined; readonly reduction?: 'mean' | 'sum' | 'none' | undefined }]): Tensor

  /**
   * The same elements, row by row, in another shape; one size may be −1.
   *
   * @param shape the shape of the result; one size may be −1: it follows from the others: a list of integers of at least 0, or −1 for one that follows from the others
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  reshape(shape: readonly SizeLike[]): Tensor
  /**
   * The same elements, row by row, in another shape; one size may be −1.
   *
   * @param shape the shape of the result; one size may be −1: it follows from the others: a list of integers of at least 0, or −1 for one that follows from the others
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  reshape(...shape: readonly (SizeLike)[]): Tensor
  /**
   * The same elements, row by row, in another shape; one size may be −1.
   *
   * @param shape the shape of the result; one size may be −1: it follows from the others: a list of integers of at least 0, or −1 for one that follows from the others
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  reshape(...args: [options: { readonly shape: readonly SizeLike[] }]): Tensor

  /**
   * As reshape, and never a copy: a layout that would need one is an error (checked by the tensor).
   *
   * @param shape the shape of the result; one size may be −1: it follows from the others: a list of integers of at least 0, or −1 for one that follows from the others
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  view(shape: readonly SizeLike[]): Tensor
  /**
   * As reshape, and never a copy: a layout that would need one is an error (checked by the tensor).
   *
   * @param shape the shape of the result; one size may be −1: it follows from the others: a list of integers of at least 0, or −1 for one that follows from the others
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  view(...shape: readonly (SizeLike)[]): Tensor
  /**
   * As reshape, and never a copy: a layout that would need one is an error (checked by the tensor).
   *
   * @param shape the shape of the result; one size may be −1: it follows from the others: a list of integers of at least 0, or −1 for one that follows from the others
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  view(...args: [options: { readonly shape: readonly SizeLike[] }]): Tensor

  /**
   * self with dims of size 1 repeated and leading dims added; −1 keeps a size.
   *
   * @param sizes the sizes; −1 stands for one that follows: a list of integers of at least 0, or −1 for one that follows from the others
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  expand(sizes: readonly SizeLike[]): Tensor
  /**
   * self with dims of size 1 repeated and leading dims added; −1 keeps a size.
   *
   * @param sizes the sizes; −1 stands for one that follows: a list of integers of at least 0, or −1 for one that follows from the others
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  expand(...sizes: readonly (SizeLike)[]): Tensor
  /**
   * self with dims of size 1 repeated and leading dims added; −1 keeps a size.
   *
   * @param sizes the sizes; −1 stands for one that follows: a list of integers of at least 0, or −1 for one that follows from the others
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  expand(...args: [options: { readonly sizes: readonly SizeLike[] }]): Tensor

  /**
   * self with dims of size 1 repeated and leading dims added; −1 keeps a size.
   *
   * @param shape the shape of the result; one size may be −1: it follows from the others: a list of integers of at least 0, or −1 for one that follows from the others
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  broadcastTo(shape: readonly SizeLike[]): Tensor
  /**
   * self with dims of size 1 repeated and leading dims added; −1 keeps a size.
   *
   * @param shape the shape of the result; one size may be −1: it follows from the others: a list of integers of at least 0, or −1 for one that follows from the others
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  broadcastTo(...shape: readonly (SizeLike)[]): Tensor
  /**
   * self with dims of size 1 repeated and leading dims added; −1 keeps a size.
   *
   * @param shape the shape of the result; one size may be −1: it follows from the others: a list of integers of at least 0, or −1 for one that follows from the others
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  broadcastTo(...args: [options: { readonly shape: readonly SizeLike[] }]): Tensor

  /**
   * self with the dims from startDim to endDim made one.
   *
   * @param startDim the first dim of those: an integer; default 0
   * @param endDim the last dim of those: an integer; default -1
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  flatten(startDim?: number, endDim?: number): Tensor
  /**
   * self with the dims from startDim to endDim made one.
   *
   * @param startDim the first dim of those: an integer; default 0
   * @param endDim the last dim of those: an integer; default -1
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  flatten(...args: [startDim: number | undefined, options?: { readonly endDim?: number | undefined }] | [options?: { readonly startDim?: number | undefined; readonly endDim?: number | undefined }]): Tensor

  /**
   * self as one dim, row by row.
   *
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  ravel(): Tensor

  /**
   * self without its dims of size 1, or without the given ones where they have size 1.
   *
   * @param dim the dim (negative ones count from the end): an integer or a list of integers; optional
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  squeeze(dim?: number | readonly number[] | null): Tensor
  /**
   * self without its dims of size 1, or without the given ones where they have size 1.
   *
   * @param dim the dim (negative ones count from the end): an integer or a list of integers; optional
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  squeeze(...args: [options?: { readonly dim?: number | readonly number[] | null | undefined }]): Tensor

  /**
   * self with a new dim of size 1 before dim.
   *
   * @param dim the dim (negative ones count from the end): an integer
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  unsqueeze(dim: number): Tensor
  /**
   * self with a new dim of size 1 before dim.
   *
   * @param dim the dim (negative ones count from the end): an integer
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  unsqueeze(...args: [options: { readonly dim: number }]): Tensor

  /**
   * self with its dims in another order.
   *
   * @param dims the dims (negative ones count from the end): a list of integers
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  permute(dims: readonly number[]): Tensor
  /**
   * self with its dims in another order.
   *
   * @param dims the dims (negative ones count from the end): a list of integers
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  permute(...dims: readonly (number)[]): Tensor
  /**
   * self with its dims in another order.
   *
   * @param dims the dims (negative ones count from the end): a list of integers
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  permute(...args: [options: { readonly dims: readonly number[] }]): Tensor

  /**
   * self with two dims exchanged.
   *
   * @param dim0 one dim (negative ones count from the end): an integer
   * @param dim1 one dim (negative ones count from the end): an integer
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  transpose(dim0: number, dim1: number): Tensor
  /**
   * self with two dims exchanged.
   *
   * @param dim0 one dim (negative ones count from the end): an integer
   * @param dim1 one dim (negative ones count from the end): an integer
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  transpose(...args: [dim0: number, options: { readonly dim1: number }] | [options: { readonly dim0: number; readonly dim1: number }]): Tensor

  /**
   * The transpose of a matrix; tensors of fewer dims stay as they are.
   *
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  t(): Tensor

  /**
   * A part of self: per dim an index, [start, end, step], or null for everything.
   *
   * @param ranges one per dim, from the first on: an index, [start, end, step], null or 'all'; default []
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  slice(...ranges: readonly (Range)[]): Tensor
  /**
   * A part of self: per dim an index, [start, end, step], or null for everything.
   *
   * @param ranges one per dim, from the first on: an index, [start, end, step], null or 'all'; default []
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  slice(...args: [options?: { readonly ranges?: readonly (Range)[] | undefined }]): Tensor

  /**
   * The elements from start to start + length along a dim.
   *
   * @param dim the dim (negative ones count from the end): an integer
   * @param start the first place; negative counts from the end; a tensor is read: an integer, or a 0-d tensor of one
   * @param length how many: an integer of at least 0
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  narrow(dim: number, start: IndexLike | Tensor, length: SizeLike): Tensor
  /**
   * The elements from start to start + length along a dim.
   *
   * @param dim the dim (negative ones count from the end): an integer
   * @param start the first place; negative counts from the end; a tensor is read: an integer, or a 0-d tensor of one
   * @param length how many: an integer of at least 0
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  narrow(...args: [dim: number, start: IndexLike | Tensor, options: { readonly length: SizeLike }] | [dim: number, options: { readonly start: IndexLike | Tensor; readonly length: SizeLike }] | [options: { readonly dim: number; readonly start: IndexLike | Tensor; readonly length: SizeLike }]): Tensor

  /**
   * self at one index of a dim, without that dim.
   *
   * @param dim the dim (negative ones count from the end): an integer
   * @param index the place along the dim; negative counts from the end; a tensor is read: an integer, or a 0-d tensor of one
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  select(dim: number, index: IndexLike | Tensor): Tensor
  /**
   * self at one index of a dim, without that dim.
   *
   * @param dim the dim (negative ones count from the end): an integer
   * @param index the place along the dim; negative counts from the end; a tensor is read: an integer, or a 0-d tensor of one
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  select(...args: [dim: number, options: { readonly index: IndexLike | Tensor }] | [options: { readonly dim: number; readonly index: IndexLike | Tensor }]): Tensor

  /**
   * self with the elements along the dims in reverse order.
   *
   * @param dims the dims (negative ones count from the end): an integer or a list of integers
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  flip(dims: number | readonly number[]): Tensor
  /**
   * self with the elements along the dims in reverse order.
   *
   * @param dims the dims (negative ones count from the end): an integer or a list of integers
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  flip(...dims: readonly (number)[]): Tensor
  /**
   * self with the elements along the dims in reverse order.
   *
   * @param dims the dims (negative ones count from the end): an integer or a list of integers
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  flip(...args: [options: { readonly dims: number | readonly number[] }]): Tensor

  /**
   * self with one dim split into several; one of the sizes may be −1.
   *
   * @param dim the dim (negative ones count from the end): an integer
   * @param sizes the sizes; −1 stands for one that follows: a list of integers of at least 0, or −1 for one that follows from the others
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  unflatten(dim: number, sizes: readonly SizeLike[]): Tensor
  /**
   * self with one dim split into several; one of the sizes may be −1.
   *
   * @param dim the dim (negative ones count from the end): an integer
   * @param sizes the sizes; −1 stands for one that follows: a list of integers of at least 0, or −1 for one that follows from the others
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  unflatten(...args: [dim: number, options: { readonly sizes: readonly SizeLike[] }] | [options: { readonly dim: number; readonly sizes: readonly SizeLike[] }]): Tensor

  /**
   * self with dims moved to other places; the others keep their order.
   *
   * @param source the dims that move: an integer or a list of integers
   * @param destination where they go, one for each: an integer or a list of integers
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  movedim(source: number | readonly number[], destination: number | readonly number[]): Tensor
  /**
   * self with dims moved to other places; the others keep their order.
   *
   * @param source the dims that move: an integer or a list of integers
   * @param destination where they go, one for each: an integer or a list of integers
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  movedim(...args: [source: number | readonly number[], options: { readonly destination: number | readonly number[] }] | [options: { readonly source: number | readonly number[]; readonly destination: number | readonly number[] }]): Tensor

  /**
   * self moved along the dims by shifts; what leaves at one end comes in at the other. No dims: flattened.
   *
   * @param shifts how far, one per dim: an integer or a list of integers
   * @param dims one or several; without them self is flattened: an integer or a list of integers; optional
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  roll(shifts: IndexLike | readonly IndexLike[], dims?: number | readonly number[] | null): Tensor
  /**
   * self moved along the dims by shifts; what leaves at one end comes in at the other. No dims: flattened.
   *
   * @param shifts how far, one per dim: an integer or a list of integers
   * @param dims one or several; without them self is flattened: an integer or a list of integers; optional
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  roll(...args: [shifts: IndexLike | readonly IndexLike[], options?: { readonly dims?: number | readonly number[] | null | undefined }] | [options: { readonly shifts: IndexLike | readonly IndexLike[]; readonly dims?: number | readonly number[] | null | undefined }]): Tensor

  /**
   * self turned by k quarters in the plane of two dims, from the first towards the second.
   *
   * @param k how many quarters; negative ones turn back: an integer; default 1
   * @param dims the plane of rotation: two dims: a list of integers; default [0, 1]
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  rot90(k?: number, dims?: readonly number[]): Tensor
  /**
   * self turned by k quarters in the plane of two dims, from the first towards the second.
   *
   * @param k how many quarters; negative ones turn back: an integer; default 1
   * @param dims the plane of rotation: two dims: a list of integers; default [0, 1]
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  rot90(...args: [k: number | undefined, options?: { readonly dims?: readonly number[] | undefined }] | [options?: { readonly k?: number | undefined; readonly dims?: readonly number[] | undefined }]): Tensor

  /**
   * self beside itself, repeats[d] times along each dim; more counts than dims add leading dims.
   *
   * @param repeats how often along each dim: a list of integers of at least 0
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  repeat(repeats: readonly SizeLike[]): Tensor
  /**
   * self beside itself, repeats[d] times along each dim; more counts than dims add leading dims.
   *
   * @param repeats how often along each dim: a list of integers of at least 0
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  repeat(...repeats: readonly (SizeLike)[]): Tensor
  /**
   * self beside itself, repeats[d] times along each dim; more counts than dims add leading dims.
   *
   * @param repeats how often along each dim: a list of integers of at least 0
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  repeat(...args: [options: { readonly repeats: readonly SizeLike[] }]): Tensor

  /**
   * As repeat; counts for missing leading dims are 1.
   *
   * @param dims how often along each dim: a list of integers of at least 0
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  tile(dims: readonly SizeLike[]): Tensor
  /**
   * As repeat; counts for missing leading dims are 1.
   *
   * @param dims how often along each dim: a list of integers of at least 0
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  tile(...dims: readonly (SizeLike)[]): Tensor
  /**
   * As repeat; counts for missing leading dims are 1.
   *
   * @param dims how often along each dim: a list of integers of at least 0
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  tile(...args: [options: { readonly dims: readonly SizeLike[] }]): Tensor

  /**
   * Each element (or slice along dim) repeats times in a row; without dim self is flattened. Without repeats self says how often each of 0, 1, 2, … stands.
   *
   * @param repeats how often; a vector has one count for each element: an integer of at least 0 or a tensor; optional
   * @param dim the dim of the slices; without it self is flattened: an integer; optional
   * @param outputSize how long the dim becomes where repeats is a tensor: their sum; without it they are read: an integer of at least 0; optional
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  repeatInterleave(repeats?: SizeLike | Tensor | null, dim?: number | null, options?: { readonly outputSize?: SizeLike | null | undefined }): Tensor
  /**
   * Each element (or slice along dim) repeats times in a row; without dim self is flattened. Without repeats self says how often each of 0, 1, 2, … stands.
   *
   * @param repeats how often; a vector has one count for each element: an integer of at least 0 or a tensor; optional
   * @param dim the dim of the slices; without it self is flattened: an integer; optional
   * @param outputSize how long the dim becomes where repeats is a tensor: their sum; without it they are read: an integer of at least 0; optional
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  repeatInterleave(...args: [repeats: SizeLike | Tensor | null | undefined, options?: { readonly dim?: number | null | undefined; readonly outputSize?: SizeLike | null | undefined }] | [options?: { readonly repeats?: SizeLike | Tensor | null | undefined; readonly dim?: number | null | undefined; readonly outputSize?: SizeLike | null | undefined }]): Tensor

  /**
   * The diagonal of the matrices in dims dim1 and dim2, offset to the right, as the last dim.
   *
   * @param offset which diagonal: to the right of the main one, negative ones below it: an integer; default 0
   * @param dim1 one dim (negative ones count from the end): an integer; default 0
   * @param dim2 the other dim (negative ones count from the end): an integer; default 1
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  diagonal(offset?: IndexLike, dim1?: number, dim2?: number): Tensor
  /**
   * The diagonal of the matrices in dims dim1 and dim2, offset to the right, as the last dim.
   *
   * @param offset which diagonal: to the right of the main one, negative ones below it: an integer; default 0
   * @param dim1 one dim (negative ones count from the end): an integer; default 0
   * @param dim2 the other dim (negative ones count from the end): an integer; default 1
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  diagonal(...args: [offset: IndexLike | undefined, dim1: number | undefined, options?: { readonly dim2?: number | undefined }] | [offset: IndexLike | undefined, options?: { readonly dim1?: number | undefined; readonly dim2?: number | undefined }] | [options?: { readonly offset?: IndexLike | undefined; readonly dim1?: number | undefined; readonly dim2?: number | undefined }]): Tensor

  /**
   * The diagonal of a matrix (a copy), or a matrix with a vector on its diagonal.
   *
   * @param diagonal which diagonal: to the right of the main one, negative ones below it: an integer; default 0
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  diag(diagonal?: IndexLike): Tensor
  /**
   * The diagonal of a matrix (a copy), or a matrix with a vector on its diagonal.
   *
   * @param diagonal which diagonal: to the right of the main one, negative ones below it: an integer; default 0
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  diag(...args: [options?: { readonly diagonal?: IndexLike | undefined }]): Tensor

  /**
   * Σ of the diagonal of a matrix; integers give i64.
   *
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  trace(): Tensor

  /**
   * Windows of size elements along a dim, a new one every step, as a new last dim; they may overlap.
   *
   * @param dimension the dim: an integer
   * @param size how long a window is: an integer of at least 1
   * @param step how far the next window starts: an integer of at least 1
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  unfold(dimension: number, size: number, step: number): Tensor
  /**
   * Windows of size elements along a dim, a new one every step, as a new last dim; they may overlap.
   *
   * @param dimension the dim: an integer
   * @param size how long a window is: an integer of at least 1
   * @param step how far the next window starts: an integer of at least 1
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  unfold(...args: [dimension: number, size: number, options: { readonly step: number }] | [dimension: number, options: { readonly size: number; readonly step: number }] | [options: { readonly dimension: number; readonly size: number; readonly step: number }]): Tensor

  /**
   * The differences of neighbours along a dim, n times, of self with prepend and append put before and after it; of bool: whether they differ.
   *
   * @param n how many times: an integer of at least 0; default 1
   * @param dim the dim (negative ones count from the end): an integer; default -1
   * @param prepend put before self along dim: a tensor; optional
   * @param append put after self along dim: a tensor; optional
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  diff(n?: number, dim?: number, prepend?: Tensor | null, append?: Tensor | null): Tensor
  /**
   * The differences of neighbours along a dim, n times, of self with prepend and append put before and after it; of bool: whether they differ.
   *
   * @param n how many times: an integer of at least 0; default 1
   * @param dim the dim (negative ones count from the end): an integer; default -1
   * @param prepend put before self along dim: a tensor; optional
   * @param append put after self along dim: a tensor; optional
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  diff(...args: [n: number | undefined, dim: number | undefined, prepend: Tensor | null | undefined, options?: { readonly append?: Tensor | null | undefined }] | [n: number | undefined, dim: number | undefined, options?: { readonly prepend?: Tensor | null | undefined; readonly append?: Tensor | null | undefined }] | [n: number | undefined, options?: { readonly dim?: number | undefined; readonly prepend?: Tensor | null | undefined; readonly append?: Tensor | null | undefined }] | [options?: { readonly n?: number | undefined; readonly dim?: number | undefined; readonly prepend?: Tensor | null | undefined; readonly append?: Tensor | null | undefined }]): Tensor

  /**
   * For each class index a row (i64) with a 1 at its place; an index out of range gives zeros.
   *
   * @param numClasses how many classes: how long a row is; −1: one more than the largest index, which is read: an integer; default -1
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  oneHot(numClasses?: IndexLike): Tensor
  /**
   * For each class index a row (i64) with a 1 at its place; an index out of range gives zeros.
   *
   * @param numClasses how many classes: how long a row is; −1: one more than the largest index, which is read: an integer; default -1
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  oneHot(...args: [options?: { readonly numClasses?: IndexLike | undefined }]): Tensor

  /**
   * self with parts put before and after its last dims: [left, right, top, bottom, …]; negative ones cut. Modes 'constant' (value), 'reflect', 'replicate', 'circular'.
   *
   * @param pad two per dim, from the last dim on: [left, right, top, bottom, …]; negative ones cut: a list of integers
   * @param mode what is put there: value, the elements mirrored, the last one, or the other end: 'constant', 'reflect', 'replicate' or 'circular'; default 'constant'
   * @param value for mode 'constant'; 0 unless given: a number; optional
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  pad(pad: readonly IndexLike[], mode?: 'constant' | 'reflect' | 'replicate' | 'circular', value?: Scalar | null): Tensor
  /**
   * self with parts put before and after its last dims: [left, right, top, bottom, …]; negative ones cut. Modes 'constant' (value), 'reflect', 'replicate', 'circular'.
   *
   * @param pad two per dim, from the last dim on: [left, right, top, bottom, …]; negative ones cut: a list of integers
   * @param mode what is put there: value, the elements mirrored, the last one, or the other end: 'constant', 'reflect', 'replicate' or 'circular'; default 'constant'
   * @param value for mode 'constant'; 0 unless given: a number; optional
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  pad(...args: [pad: readonly IndexLike[], mode: 'constant' | 'reflect' | 'replicate' | 'circular' | undefined, options?: { readonly value?: Scalar | null | undefined }] | [pad: readonly IndexLike[], options?: { readonly mode?: 'constant' | 'reflect' | 'replicate' | 'circular' | undefined; readonly value?: Scalar | null | undefined }] | [options: { readonly pad: readonly IndexLike[]; readonly mode?: 'constant' | 'reflect' | 'replicate' | 'circular' | undefined; readonly value?: Scalar | null | undefined }]): Tensor

  /**
   * value where mask (bool) is true, self elsewhere; keeps the dtype of self.
   *
   * @param mask where: true counts: a tensor
   * @param value a tensor or a number
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  maskedFill(mask: Tensor, value: Operand): Tensor
  /**
   * value where mask (bool) is true, self elsewhere; keeps the dtype of self.
   *
   * @param mask where: true counts: a tensor
   * @param value a tensor or a number
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  maskedFill(...args: [mask: Tensor, options: { readonly value: Operand }] | [options: { readonly mask: Tensor; readonly value: Operand }]): Tensor

  /**
   * self below and on a diagonal of its matrices, 0 above.
   *
   * @param diagonal an integer; default 0
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  tril(diagonal?: IndexLike): Tensor
  /**
   * self below and on a diagonal of its matrices, 0 above.
   *
   * @param diagonal an integer; default 0
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  tril(...args: [options?: { readonly diagonal?: IndexLike | undefined }]): Tensor

  /**
   * self above and on a diagonal of its matrices, 0 below.
   *
   * @param diagonal an integer; default 0
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  triu(diagonal?: IndexLike): Tensor
  /**
   * self above and on a diagonal of its matrices, 0 below.
   *
   * @param diagonal an integer; default 0
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  triu(...args: [options?: { readonly diagonal?: IndexLike | undefined }]): Tensor

  /**
   * self at index[…] along a dim, at the own place in all other dims. An index out of range gives 0.
   *
   * @param dim the dim (negative ones count from the end): an integer
   * @param index the places along the dim: a tensor
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  gather(dim: number, index: Tensor): Tensor
  /**
   * self at index[…] along a dim, at the own place in all other dims. An index out of range gives 0.
   *
   * @param dim the dim (negative ones count from the end): an integer
   * @param index the places along the dim: a tensor
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  gather(...args: [dim: number, options: { readonly index: Tensor }] | [options: { readonly dim: number; readonly index: Tensor }]): Tensor

  /**
   * The slices of self at the indices of a 1-D index along a dim. An index out of range gives 0.
   *
   * @param dim the dim (negative ones count from the end): an integer
   * @param index the places along the dim: a tensor
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  indexSelect(dim: number, index: Tensor): Tensor
  /**
   * The slices of self at the indices of a 1-D index along a dim. An index out of range gives 0.
   *
   * @param dim the dim (negative ones count from the end): an integer
   * @param index the places along the dim: a tensor
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  indexSelect(...args: [dim: number, options: { readonly index: Tensor }] | [options: { readonly dim: number; readonly index: Tensor }]): Tensor

  /**
   * self with src (a tensor or number) written at index[…] along a dim; reduce 'add' or 'multiply' folds it in. Elements that meet are put in order, on every device: the last stands.
   *
   * @param dim the dim (negative ones count from the end): an integer
   * @param index the places along the dim: a tensor
   * @param src what is put there: a tensor or a number
   * @param reduce how it is folded in; written unless given: 'add' or 'multiply'; optional
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  scatter(dim: number, index: Tensor, src: Operand, options?: { readonly reduce?: 'add' | 'multiply' | null | undefined }): Tensor
  /**
   * self with src (a tensor or number) written at index[…] along a dim; reduce 'add' or 'multiply' folds it in. Elements that meet are put in order, on every device: the last stands.
   *
   * @param dim the dim (negative ones count from the end): an integer
   * @param index the places along the dim: a tensor
   * @param src what is put there: a tensor or a number
   * @param reduce how it is folded in; written unless given: 'add' or 'multiply'; optional
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  scatter(...args: [dim: number, index: Tensor, options: { readonly src: Operand; readonly reduce?: 'add' | 'multiply' | null | undefined }] | [dim: number, options: { readonly index: Tensor; readonly src: Operand; readonly reduce?: 'add' | 'multiply' | null | undefined }] | [options: { readonly dim: number; readonly index: Tensor; readonly src: Operand; readonly reduce?: 'add' | 'multiply' | null | undefined }]): Tensor

  /**
   * self with src added at index[…] along a dim.
   *
   * @param dim the dim (negative ones count from the end): an integer
   * @param index the places along the dim: a tensor
   * @param src what is put there: a tensor
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  scatterAdd(dim: number, index: Tensor, src: Tensor): Tensor
  /**
   * self with src added at index[…] along a dim.
   *
   * @param dim the dim (negative ones count from the end): an integer
   * @param index the places along the dim: a tensor
   * @param src what is put there: a tensor
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  scatterAdd(...args: [dim: number, index: Tensor, options: { readonly src: Tensor }] | [dim: number, options: { readonly index: Tensor; readonly src: Tensor }] | [options: { readonly dim: number; readonly index: Tensor; readonly src: Tensor }]): Tensor

  /**
   * self folded with src at index[…] along a dim: 'sum', 'prod', 'mean', 'amax' or 'amin'; includeSelf false leaves self's own value out where something is put.
   *
   * @param dim the dim (negative ones count from the end): an integer
   * @param index the places along the dim: a tensor
   * @param src what is folded in: a tensor
   * @param reduce 'sum', 'prod', 'mean', 'amax' or 'amin'
   * @param includeSelf whether own values count where something is put: true or false; default true
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  scatterReduce(dim: number, index: Tensor, src: Tensor, reduce: 'sum' | 'prod' | 'mean' | 'amax' | 'amin', options?: { readonly includeSelf?: boolean | undefined }): Tensor
  /**
   * self folded with src at index[…] along a dim: 'sum', 'prod', 'mean', 'amax' or 'amin'; includeSelf false leaves self's own value out where something is put.
   *
   * @param dim the dim (negative ones count from the end): an integer
   * @param index the places along the dim: a tensor
   * @param src what is folded in: a tensor
   * @param reduce 'sum', 'prod', 'mean', 'amax' or 'amin'
   * @param includeSelf whether own values count where something is put: true or false; default true
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  scatterReduce(...args: [dim: number, index: Tensor, src: Tensor, options: { readonly reduce: 'sum' | 'prod' | 'mean' | 'amax' | 'amin'; readonly includeSelf?: boolean | undefined }] | [dim: number, index: Tensor, options: { readonly src: Tensor; readonly reduce: 'sum' | 'prod' | 'mean' | 'amax' | 'amin'; readonly includeSelf?: boolean | undefined }] | [dim: number, options: { readonly index: Tensor; readonly src: Tensor; readonly reduce: 'sum' | 'prod' | 'mean' | 'amax' | 'amin'; readonly includeSelf?: boolean | undefined }] | [options: { readonly dim: number; readonly index: Tensor; readonly src: Tensor; readonly reduce: 'sum' | 'prod' | 'mean' | 'amax' | 'amin'; readonly includeSelf?: boolean | undefined }]): Tensor

  /**
   * self with alpha · source added to its slices at a 1-D index along a dim.
   *
   * @param dim the dim (negative ones count from the end): an integer
   * @param index the places along the dim: a tensor
   * @param source what is put there: a tensor
   * @param alpha a factor of source; 1 unless given: a tensor or a number; optional
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  indexAdd(dim: number, index: Tensor, source: Tensor, options?: { readonly alpha?: Operand | null | undefined }): Tensor
  /**
   * self with alpha · source added to its slices at a 1-D index along a dim.
   *
   * @param dim the dim (negative ones count from the end): an integer
   * @param index the places along the dim: a tensor
   * @param source what is put there: a tensor
   * @param alpha a factor of source; 1 unless given: a tensor or a number; optional
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  indexAdd(...args: [dim: number, index: Tensor, options: { readonly source: Tensor; readonly alpha?: Operand | null | undefined }] | [dim: number, options: { readonly index: Tensor; readonly source: Tensor; readonly alpha?: Operand | null | undefined }] | [options: { readonly dim: number; readonly index: Tensor; readonly source: Tensor; readonly alpha?: Operand | null | undefined }]): Tensor

  /**
   * self with its slices at a 1-D index along a dim replaced by those of source.
   *
   * @param dim the dim (negative ones count from the end): an integer
   * @param index the places along the dim: a tensor
   * @param source what is put there: a tensor
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  indexCopy(dim: number, index: Tensor, source: Tensor): Tensor
  /**
   * self with its slices at a 1-D index along a dim replaced by those of source.
   *
   * @param dim the dim (negative ones count from the end): an integer
   * @param index the places along the dim: a tensor
   * @param source what is put there: a tensor
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  indexCopy(...args: [dim: number, index: Tensor, options: { readonly source: Tensor }] | [dim: number, options: { readonly index: Tensor; readonly source: Tensor }] | [options: { readonly dim: number; readonly index: Tensor; readonly source: Tensor }]): Tensor

  /**
   * self with its slices at a 1-D index along a dim filled with a value; negative indices count from the end.
   *
   * @param dim the dim (negative ones count from the end): an integer
   * @param index the places along the dim: a tensor
   * @param value a tensor or a number
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  indexFill(dim: number, index: Tensor, value: Operand): Tensor
  /**
   * self with its slices at a 1-D index along a dim filled with a value; negative indices count from the end.
   *
   * @param dim the dim (negative ones count from the end): an integer
   * @param index the places along the dim: a tensor
   * @param value a tensor or a number
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  indexFill(...args: [dim: number, index: Tensor, options: { readonly value: Operand }] | [dim: number, options: { readonly index: Tensor; readonly value: Operand }] | [options: { readonly dim: number; readonly index: Tensor; readonly value: Operand }]): Tensor

  /**
   * As gather, with self and the index broadcast to each other, negative indices counted from the end; without dim both are flattened.
   *
   * @param indices the places along the dim: a tensor
   * @param dim the dim; without it both are flattened: an integer; optional
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  takeAlongDim(indices: Tensor, dim?: number | null): Tensor
  /**
   * As gather, with self and the index broadcast to each other, negative indices counted from the end; without dim both are flattened.
   *
   * @param indices the places along the dim: a tensor
   * @param dim the dim; without it both are flattened: an integer; optional
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  takeAlongDim(...args: [indices: Tensor, options?: { readonly dim?: number | null | undefined }] | [options: { readonly indices: Tensor; readonly dim?: number | null | undefined }]): Tensor

  /**
   * The elements of the flattened tensor at an index of any shape; negative counts from the end. An index out of range gives 0.
   *
   * @param index the places along the dim: a tensor
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  take(index: Tensor): Tensor
  /**
   * The elements of the flattened tensor at an index of any shape; negative counts from the end. An index out of range gives 0.
   *
   * @param index the places along the dim: a tensor
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  take(...args: [options: { readonly index: Tensor }]): Tensor

  /**
   * self with the elements of source, one after another, where mask (bool) is true; 0 when there are too few.
   *
   * @param mask where: true counts: a tensor
   * @param source what is put there: a tensor
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  maskedScatter(mask: Tensor, source: Tensor): Tensor
  /**
   * self with the elements of source, one after another, where mask (bool) is true; 0 when there are too few.
   *
   * @param mask where: true counts: a tensor
   * @param source what is put there: a tensor
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  maskedScatter(...args: [mask: Tensor, options: { readonly source: Tensor }] | [options: { readonly mask: Tensor; readonly source: Tensor }]): Tensor

  /**
   * self with src at one index of a dim.
   *
   * @param src what is put there: a tensor
   * @param dim the dim (negative ones count from the end): an integer
   * @param index the place along the dim; negative counts from the end: an integer
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  selectScatter(src: Tensor, dim: number, index: number): Tensor
  /**
   * self with src at one index of a dim.
   *
   * @param src what is put there: a tensor
   * @param dim the dim (negative ones count from the end): an integer
   * @param index the place along the dim; negative counts from the end: an integer
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  selectScatter(...args: [src: Tensor, dim: number, options: { readonly index: number }] | [src: Tensor, options: { readonly dim: number; readonly index: number }] | [options: { readonly src: Tensor; readonly dim: number; readonly index: number }]): Tensor

  /**
   * self with src at the places start, start + step, … below end of a dim.
   *
   * @param src what is put there: a tensor
   * @param dim the dim (negative ones count from the end): an integer; default 0
   * @param start by default the first place: an integer; optional
   * @param end by default behind the last place: an integer; optional
   * @param step how far the next place lies: an integer of at least 1; default 1
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  sliceScatter(src: Tensor, dim?: number, start?: number | null, end?: number | null, step?: number): Tensor
  /**
   * self with src at the places start, start + step, … below end of a dim.
   *
   * @param src what is put there: a tensor
   * @param dim the dim (negative ones count from the end): an integer; default 0
   * @param start by default the first place: an integer; optional
   * @param end by default behind the last place: an integer; optional
   * @param step how far the next place lies: an integer of at least 1; default 1
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  sliceScatter(...args: [src: Tensor, dim: number | undefined, start: number | null | undefined, end: number | null | undefined, options?: { readonly step?: number | undefined }] | [src: Tensor, dim: number | undefined, start: number | null | undefined, options?: { readonly end?: number | null | undefined; readonly step?: number | undefined }] | [src: Tensor, dim: number | undefined, options?: { readonly start?: number | null | undefined; readonly end?: number | null | undefined; readonly step?: number | undefined }] | [src: Tensor, options?: { readonly dim?: number | undefined; readonly start?: number | null | undefined; readonly end?: number | null | undefined; readonly step?: number | undefined }] | [options: { readonly src: Tensor; readonly dim?: number | undefined; readonly start?: number | null | undefined; readonly end?: number | null | undefined; readonly step?: number | undefined }]): Tensor

  /**
   * Matrices in dims dim1 and dim2 with the last dim of self on a diagonal, 0 elsewhere.
   *
   * @param offset which diagonal: to the right of the main one, negative ones below it: an integer; default 0
   * @param dim1 one dim (negative ones count from the end): an integer; default -2
   * @param dim2 the other dim (negative ones count from the end): an integer; default -1
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  diagEmbed(offset?: IndexLike, dim1?: number, dim2?: number): Tensor
  /**
   * Matrices in dims dim1 and dim2 with the last dim of self on a diagonal, 0 elsewhere.
   *
   * @param offset which diagonal: to the right of the main one, negative ones below it: an integer; default 0
   * @param dim1 one dim (negative ones count from the end): an integer; default -2
   * @param dim2 the other dim (negative ones count from the end): an integer; default -1
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  diagEmbed(...args: [offset: IndexLike | undefined, dim1: number | undefined, options?: { readonly dim2?: number | undefined }] | [offset: IndexLike | undefined, options?: { readonly dim1?: number | undefined; readonly dim2?: number | undefined }] | [options?: { readonly offset?: IndexLike | undefined; readonly dim1?: number | undefined; readonly dim2?: number | undefined }]): Tensor

  /**
   * The values in ascending (descending) order along a dim and where they were; stable, NaN last (first).
   *
   * @param dim the dim (negative ones count from the end): an integer; default -1
   * @param descending the largest first: true or false; default false
   * @param stable true or false; default false
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  sort(dim?: number, descending?: boolean, stable?: boolean): { readonly values: Tensor; readonly indices: Tensor }
  /**
   * The values in ascending (descending) order along a dim and where they were; stable, NaN last (first).
   *
   * @param dim the dim (negative ones count from the end): an integer; default -1
   * @param descending the largest first: true or false; default false
   * @param stable true or false; default false
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  sort(...args: [dim: number | undefined, descending: boolean | undefined, options?: { readonly stable?: boolean | undefined }] | [dim: number | undefined, options?: { readonly descending?: boolean | undefined; readonly stable?: boolean | undefined }] | [options?: { readonly dim?: number | undefined; readonly descending?: boolean | undefined; readonly stable?: boolean | undefined }]): { readonly values: Tensor; readonly indices: Tensor }

  /**
   * The indices that sort a tensor along a dim; stable.
   *
   * @param dim the dim (negative ones count from the end): an integer; default -1
   * @param descending the largest first: true or false; default false
   * @param stable true or false; default false
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  argsort(dim?: number, descending?: boolean, stable?: boolean): Tensor
  /**
   * The indices that sort a tensor along a dim; stable.
   *
   * @param dim the dim (negative ones count from the end): an integer; default -1
   * @param descending the largest first: true or false; default false
   * @param stable true or false; default false
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  argsort(...args: [dim: number | undefined, descending: boolean | undefined, options?: { readonly stable?: boolean | undefined }] | [dim: number | undefined, options?: { readonly descending?: boolean | undefined; readonly stable?: boolean | undefined }] | [options?: { readonly dim?: number | undefined; readonly descending?: boolean | undefined; readonly stable?: boolean | undefined }]): Tensor

  /**
   * The k largest (smallest) values along a dim, best first, and where they are; at a tie the first.
   *
   * @param k how many: an integer of at least 0
   * @param dim the dim (negative ones count from the end): an integer; default -1
   * @param largest the largest, not the smallest: true or false; default true
   * @param sorted whether their order matters; they come best first either way: true or false; default true
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  topk(k: SizeLike, dim?: number, largest?: boolean, sorted?: boolean): { readonly values: Tensor; readonly indices: Tensor }
  /**
   * The k largest (smallest) values along a dim, best first, and where they are; at a tie the first.
   *
   * @param k how many: an integer of at least 0
   * @param dim the dim (negative ones count from the end): an integer; default -1
   * @param largest the largest, not the smallest: true or false; default true
   * @param sorted whether their order matters; they come best first either way: true or false; default true
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  topk(...args: [k: SizeLike, dim: number | undefined, largest: boolean | undefined, options?: { readonly sorted?: boolean | undefined }] | [k: SizeLike, dim: number | undefined, options?: { readonly largest?: boolean | undefined; readonly sorted?: boolean | undefined }] | [k: SizeLike, options?: { readonly dim?: number | undefined; readonly largest?: boolean | undefined; readonly sorted?: boolean | undefined }] | [options: { readonly k: SizeLike; readonly dim?: number | undefined; readonly largest?: boolean | undefined; readonly sorted?: boolean | undefined }]): { readonly values: Tensor; readonly indices: Tensor }

  /**
   * The places at which values would go into a sequence sorted along its last dim, before (right: behind) equals.
   *
   * @param input what is looked for: a tensor or a number
   * @param outInt32 give i32 instead of i64: true or false; default false
   * @param right behind equal elements instead of before them: true or false; default false
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  searchsorted(input: Operand, options?: { readonly outInt32?: boolean | undefined; readonly right?: boolean | undefined }): Tensor
  /**
   * The places at which values would go into a sequence sorted along its last dim, before (right: behind) equals.
   *
   * @param input what is looked for: a tensor or a number
   * @param outInt32 give i32 instead of i64: true or false; default false
   * @param right behind equal elements instead of before them: true or false; default false
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  searchsorted(...args: [options: { readonly input: Operand; readonly outInt32?: boolean | undefined; readonly right?: boolean | undefined }]): Tensor

  /**
   * For each element the number of sorted boundaries (1-D) below it; right counts those equal to it too.
   *
   * @param boundaries sorted, 1-D: a tensor
   * @param outInt32 give i32 instead of i64: true or false; default false
   * @param right behind equal elements instead of before them: true or false; default false
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  bucketize(boundaries: Tensor, options?: { readonly outInt32?: boolean | undefined; readonly right?: boolean | undefined }): Tensor
  /**
   * For each element the number of sorted boundaries (1-D) below it; right counts those equal to it too.
   *
   * @param boundaries sorted, 1-D: a tensor
   * @param outInt32 give i32 instead of i64: true or false; default false
   * @param right behind equal elements instead of before them: true or false; default false
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  bucketize(...args: [options: { readonly boundaries: Tensor; readonly outInt32?: boolean | undefined; readonly right?: boolean | undefined }]): Tensor

  /**
   * How many elements lie in each of bins equal parts of [min, max]; others do not count.
   *
   * @param bins how many: an integer of at least 1; default 100
   * @param min with max both 0: the smallest element: a number; default 0
   * @param max the end of the last bin: a number; default 0
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  histc(bins?: number, min?: number, max?: number): Tensor
  /**
   * How many elements lie in each of bins equal parts of [min, max]; others do not count.
   *
   * @param bins how many: an integer of at least 1; default 100
   * @param min with max both 0: the smallest element: a number; default 0
   * @param max the end of the last bin: a number; default 0
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  histc(...args: [bins: number | undefined, min: number | undefined, options?: { readonly max?: number | undefined }] | [bins: number | undefined, options?: { readonly min?: number | undefined; readonly max?: number | undefined }] | [options?: { readonly bins?: number | undefined; readonly min?: number | undefined; readonly max?: number | undefined }]): Tensor

  /**
   * True where an element is one of the test elements (with invert: none of them).
   *
   * @param testElements what is looked for: a tensor or a number
   * @param invert true where an element is none of them: true or false; default false
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  isin(testElements: Operand, options?: { readonly invert?: boolean | undefined }): Tensor
  /**
   * True where an element is one of the test elements (with invert: none of them).
   *
   * @param testElements what is looked for: a tensor or a number
   * @param invert true where an element is none of them: true or false; default false
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  isin(...args: [options: { readonly testElements: Operand; readonly invert?: boolean | undefined }]): Tensor

  /**
   * The product of two matrices.
   *
   * @param mat2 a tensor
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  mm(mat2: Tensor): Tensor
  /**
   * The product of two matrices.
   *
   * @param mat2 a tensor
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  mm(...args: [options: { readonly mat2: Tensor }]): Tensor

  /**
   * The products of two batches of matrices.
   *
   * @param mat2 a tensor
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  bmm(mat2: Tensor): Tensor
  /**
   * The products of two batches of matrices.
   *
   * @param mat2 a tensor
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  bmm(...args: [options: { readonly mat2: Tensor }]): Tensor

  /**
   * The product of a matrix and a vector.
   *
   * @param vec a tensor
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  mv(vec: Tensor): Tensor
  /**
   * The product of a matrix and a vector.
   *
   * @param vec a tensor
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  mv(...args: [options: { readonly vec: Tensor }]): Tensor

  /**
   * Σ self · other of two vectors.
   *
   * @param other what it is combined with; the two broadcast: a tensor
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  dot(other: Tensor): Tensor
  /**
   * Σ self · other of two vectors.
   *
   * @param other what it is combined with; the two broadcast: a tensor
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  dot(...args: [options: { readonly other: Tensor }]): Tensor

  /**
   * The matrix product; vectors are rows on the left and columns on the right, batch dims broadcast.
   *
   * @param other what it is combined with; the two broadcast: a tensor
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  matmul(other: Tensor): Tensor
  /**
   * The matrix product; vectors are rows on the left and columns on the right, batch dims broadcast.
   *
   * @param other what it is combined with; the two broadcast: a tensor
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  matmul(...args: [options: { readonly other: Tensor }]): Tensor

  /**
   * beta · self + alpha · (mat1 @ mat2) of matrices.
   *
   * @param mat1 a tensor
   * @param mat2 a tensor
   * @param beta a factor on the input; 0 ignores it, NaN included: a number; default 1
   * @param alpha a factor on the product: a number; default 1
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  addmm(mat1: Tensor, mat2: Tensor, options?: { readonly beta?: number | undefined; readonly alpha?: number | undefined }): Tensor
  /**
   * beta · self + alpha · (mat1 @ mat2) of matrices.
   *
   * @param mat1 a tensor
   * @param mat2 a tensor
   * @param beta a factor on the input; 0 ignores it, NaN included: a number; default 1
   * @param alpha a factor on the product: a number; default 1
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  addmm(...args: [mat1: Tensor, options: { readonly mat2: Tensor; readonly beta?: number | undefined; readonly alpha?: number | undefined }] | [options: { readonly mat1: Tensor; readonly mat2: Tensor; readonly beta?: number | undefined; readonly alpha?: number | undefined }]): Tensor

  /**
   * beta · self + alpha · (batch1 @ batch2) of batches of matrices.
   *
   * @param batch1 a tensor
   * @param batch2 a tensor
   * @param beta a factor on the input; 0 ignores it, NaN included: a number; default 1
   * @param alpha a factor on the product: a number; default 1
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  baddbmm(batch1: Tensor, batch2: Tensor, options?: { readonly beta?: number | undefined; readonly alpha?: number | undefined }): Tensor
  /**
   * beta · self + alpha · (batch1 @ batch2) of batches of matrices.
   *
   * @param batch1 a tensor
   * @param batch2 a tensor
   * @param beta a factor on the input; 0 ignores it, NaN included: a number; default 1
   * @param alpha a factor on the product: a number; default 1
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  baddbmm(...args: [batch1: Tensor, options: { readonly batch2: Tensor; readonly beta?: number | undefined; readonly alpha?: number | undefined }] | [options: { readonly batch1: Tensor; readonly batch2: Tensor; readonly beta?: number | undefined; readonly alpha?: number | undefined }]): Tensor

  /**
   * beta · self + alpha · Σ (batch1 @ batch2), the sum of the products of two batches of matrices.
   *
   * @param batch1 a tensor
   * @param batch2 a tensor
   * @param beta a factor on the input; 0 ignores it, NaN included: a number; default 1
   * @param alpha a factor on the product: a number; default 1
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  addbmm(batch1: Tensor, batch2: Tensor, options?: { readonly beta?: number | undefined; readonly alpha?: number | undefined }): Tensor
  /**
   * beta · self + alpha · Σ (batch1 @ batch2), the sum of the products of two batches of matrices.
   *
   * @param batch1 a tensor
   * @param batch2 a tensor
   * @param beta a factor on the input; 0 ignores it, NaN included: a number; default 1
   * @param alpha a factor on the product: a number; default 1
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  addbmm(...args: [batch1: Tensor, options: { readonly batch2: Tensor; readonly beta?: number | undefined; readonly alpha?: number | undefined }] | [options: { readonly batch1: Tensor; readonly batch2: Tensor; readonly beta?: number | undefined; readonly alpha?: number | undefined }]): Tensor

  /**
   * beta · self + alpha · (mat @ vec).
   *
   * @param mat a tensor
   * @param vec a tensor
   * @param beta a factor on the input; 0 ignores it, NaN included: a number; default 1
   * @param alpha a factor on the product: a number; default 1
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  addmv(mat: Tensor, vec: Tensor, options?: { readonly beta?: number | undefined; readonly alpha?: number | undefined }): Tensor
  /**
   * beta · self + alpha · (mat @ vec).
   *
   * @param mat a tensor
   * @param vec a tensor
   * @param beta a factor on the input; 0 ignores it, NaN included: a number; default 1
   * @param alpha a factor on the product: a number; default 1
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  addmv(...args: [mat: Tensor, options: { readonly vec: Tensor; readonly beta?: number | undefined; readonly alpha?: number | undefined }] | [options: { readonly mat: Tensor; readonly vec: Tensor; readonly beta?: number | undefined; readonly alpha?: number | undefined }]): Tensor

  /**
   * self[i] · vec2[j] of two vectors.
   *
   * @param vec2 a tensor
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  outer(vec2: Tensor): Tensor
  /**
   * self[i] · vec2[j] of two vectors.
   *
   * @param vec2 a tensor
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  outer(...args: [options: { readonly vec2: Tensor }]): Tensor

  /**
   * Σ self · other over the last dim of both.
   *
   * @param other what it is combined with; the two broadcast: a tensor
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  inner(other: Tensor): Tensor
  /**
   * Σ self · other over the last dim of both.
   *
   * @param other what it is combined with; the two broadcast: a tensor
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  inner(...args: [options: { readonly other: Tensor }]): Tensor

  /**
   * Σ a · b over the last dims of a and the first of b, or over given pairs of dims.
   *
   * @param b a tensor
   * @param dims how many, or which: [those of a, those of b]: an integer of at least 0 or a list of lists of integers; default 2
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  tensordot(b: Tensor, dims?: number | readonly (readonly number[])[]): Tensor
  /**
   * Σ a · b over the last dims of a and the first of b, or over given pairs of dims.
   *
   * @param b a tensor
   * @param dims how many, or which: [those of a, those of b]: an integer of at least 0 or a list of lists of integers; default 2
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  tensordot(...args: [b: Tensor, options?: { readonly dims?: number | readonly (readonly number[])[] | undefined }] | [options: { readonly b: Tensor; readonly dims?: number | readonly (readonly number[])[] | undefined }]): Tensor

  /**
   * The Kronecker product: every element of self times all of other, as blocks.
   *
   * @param other what it is combined with; the two broadcast: a tensor
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  kron(other: Tensor): Tensor
  /**
   * The Kronecker product: every element of self times all of other, as blocks.
   *
   * @param other what it is combined with; the two broadcast: a tensor
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  kron(...args: [options: { readonly other: Tensor }]): Tensor

  /**
   * Square matrices multiplied n times (n ≥ 0; 0 gives the identity).
   *
   * @param n how many times; there is no inverse: an integer of at least 0
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  matrixPower(n: number): Tensor
  /**
   * Square matrices multiplied n times (n ≥ 0; 0 gives the identity).
   *
   * @param n how many times; there is no inverse: an integer of at least 0
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  matrixPower(...args: [options: { readonly n: number }]): Tensor

  /**
   * Σ self · other along a dim; both broadcast.
   *
   * @param other what it is combined with; the two broadcast: a tensor
   * @param dim the dim (negative ones count from the end): an integer; default -1
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  vecdot(other: Tensor, options?: { readonly dim?: number | undefined }): Tensor
  /**
   * Σ self · other along a dim; both broadcast.
   *
   * @param other what it is combined with; the two broadcast: a tensor
   * @param dim the dim (negative ones count from the end): an integer; default -1
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  vecdot(...args: [options: { readonly other: Tensor; readonly dim?: number | undefined }]): Tensor

  /**
   * The cross product of vectors of 3 along a dim (default: the first of size 3); both broadcast.
   *
   * @param other what it is combined with; the two broadcast: a tensor
   * @param dim the dim (negative ones count from the end): an integer; optional
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  cross(other: Tensor, dim?: number | null): Tensor
  /**
   * The cross product of vectors of 3 along a dim (default: the first of size 3); both broadcast.
   *
   * @param other what it is combined with; the two broadcast: a tensor
   * @param dim the dim (negative ones count from the end): an integer; optional
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  cross(...args: [other: Tensor, options?: { readonly dim?: number | null | undefined }] | [options: { readonly other: Tensor; readonly dim?: number | null | undefined }]): Tensor

  /**
   * beta · self + alpha · the outer product of two vectors.
   *
   * @param vec1 a tensor
   * @param vec2 a tensor
   * @param beta a number; default 1
   * @param alpha a number; default 1
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  addr(vec1: Tensor, vec2: Tensor, options?: { readonly beta?: number | undefined; readonly alpha?: number | undefined }): Tensor
  /**
   * beta · self + alpha · the outer product of two vectors.
   *
   * @param vec1 a tensor
   * @param vec2 a tensor
   * @param beta a number; default 1
   * @param alpha a number; default 1
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  addr(...args: [vec1: Tensor, options: { readonly vec2: Tensor; readonly beta?: number | undefined; readonly alpha?: number | undefined }] | [options: { readonly vec1: Tensor; readonly vec2: Tensor; readonly beta?: number | undefined; readonly alpha?: number | undefined }]): Tensor

  /**
   * Σ self[i] · weight[o, i, j] · other[j] + bias[o] on the last dims.
   *
   * @param other what it is combined with; the two broadcast: a tensor
   * @param weight a tensor
   * @param bias a tensor; optional
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  bilinear(other: Tensor, weight: Tensor, bias?: Tensor | null): Tensor
  /**
   * Σ self[i] · weight[o, i, j] · other[j] + bias[o] on the last dims.
   *
   * @param other what it is combined with; the two broadcast: a tensor
   * @param weight a tensor
   * @param bias a tensor; optional
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  bilinear(...args: [other: Tensor, weight: Tensor, options?: { readonly bias?: Tensor | null | undefined }] | [other: Tensor, options: { readonly weight: Tensor; readonly bias?: Tensor | null | undefined }] | [options: { readonly other: Tensor; readonly weight: Tensor; readonly bias?: Tensor | null | undefined }]): Tensor

  /**
   * softmax(scale · self · keyᵀ + mask) · value, scale 1 / √E unless given; a row that sees no key gives 0, and nothing of the size of the scores is kept.
   *
   * @param key a tensor
   * @param value a tensor
   * @param attnMask a mask that broadcasts to [B…, L, S]: bool, false hides a key; a float is added to the scores: a tensor; optional
   * @param isCausal row i sees keys 0 … i only; not together with a mask: true or false; default false
   * @param scale by default 1 / √E: a number; optional
   * @param enableGqa key and value have fewer heads (dim −3), each for as many consecutive heads of the query: true or false; default false
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  scaledDotProductAttention(key: Tensor, value: Tensor, attnMask?: Tensor | null, options?: { readonly isCausal?: boolean | undefined; readonly scale?: number | null | undefined; readonly enableGqa?: boolean | undefined }): Tensor
  /**
   * softmax(scale · self · keyᵀ + mask) · value, scale 1 / √E unless given; a row that sees no key gives 0, and nothing of the size of the scores is kept.
   *
   * @param key a tensor
   * @param value a tensor
   * @param attnMask a mask that broadcasts to [B…, L, S]: bool, false hides a key; a float is added to the scores: a tensor; optional
   * @param isCausal row i sees keys 0 … i only; not together with a mask: true or false; default false
   * @param scale by default 1 / √E: a number; optional
   * @param enableGqa key and value have fewer heads (dim −3), each for as many consecutive heads of the query: true or false; default false
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  scaledDotProductAttention(...args: [key: Tensor, value: Tensor, options?: { readonly attnMask?: Tensor | null | undefined; readonly isCausal?: boolean | undefined; readonly scale?: number | null | undefined; readonly enableGqa?: boolean | undefined }] | [key: Tensor, options: { readonly value: Tensor; readonly attnMask?: Tensor | null | undefined; readonly isCausal?: boolean | undefined; readonly scale?: number | null | undefined; readonly enableGqa?: boolean | undefined }] | [options: { readonly key: Tensor; readonly value: Tensor; readonly attnMask?: Tensor | null | undefined; readonly isCausal?: boolean | undefined; readonly scale?: number | null | undefined; readonly enableGqa?: boolean | undefined }]): Tensor

  /**
   * The convolution of [N, C, …1 sizes] with a weight [O, C / groups, …1 kernel sizes], plus bias [O].
   *
   * @param weight [O, C / groups, …kernel sizes]: a tensor
   * @param bias [O], added to each output channel: a tensor; optional
   * @param stride how far the next window starts, for all spatial dims or for each: an integer or a list of integers; default 1
   * @param padding how many zeros lie around, for all spatial dims or for each; 'same': as large as the input (stride 1 only); 'valid': none: an integer, a list of integers, 'same' or 'valid'; default 0
   * @param dilation how far the elements of a window lie apart, for all spatial dims or for each: an integer or a list of integers; default 1
   * @param groups into how many parts the channels divide that see nothing of each other: an integer of at least 1; default 1
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  conv1d(weight: Tensor, bias?: Tensor | null, stride?: number | readonly number[], padding?: number | readonly number[] | 'same' | 'valid', dilation?: number | readonly number[], groups?: number): Tensor
  /**
   * The convolution of [N, C, …1 sizes] with a weight [O, C / groups, …1 kernel sizes], plus bias [O].
   *
   * @param weight [O, C / groups, …kernel sizes]: a tensor
   * @param bias [O], added to each output channel: a tensor; optional
   * @param stride how far the next window starts, for all spatial dims or for each: an integer or a list of integers; default 1
   * @param padding how many zeros lie around, for all spatial dims or for each; 'same': as large as the input (stride 1 only); 'valid': none: an integer, a list of integers, 'same' or 'valid'; default 0
   * @param dilation how far the elements of a window lie apart, for all spatial dims or for each: an integer or a list of integers; default 1
   * @param groups into how many parts the channels divide that see nothing of each other: an integer of at least 1; default 1
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  conv1d(...args: [weight: Tensor, bias: Tensor | null | undefined, stride: number | readonly number[] | undefined, padding: number | readonly number[] | 'same' | 'valid' | undefined, dilation: number | readonly number[] | undefined, options?: { readonly groups?: number | undefined }] | [weight: Tensor, bias: Tensor | null | undefined, stride: number | readonly number[] | undefined, padding: number | readonly number[] | 'same' | 'valid' | undefined, options?: { readonly dilation?: number | readonly number[] | undefined; readonly groups?: number | undefined }] | [weight: Tensor, bias: Tensor | null | undefined, stride: number | readonly number[] | undefined, options?: { readonly padding?: number | readonly number[] | 'same' | 'valid' | undefined; readonly dilation?: number | readonly number[] | undefined; readonly groups?: number | undefined }] | [weight: Tensor, bias: Tensor | null | undefined, options?: { readonly stride?: number | readonly number[] | undefined; readonly padding?: number | readonly number[] | 'same' | 'valid' | undefined; readonly dilation?: number | readonly number[] | undefined; readonly groups?: number | undefined }] | [weight: Tensor, options?: { readonly bias?: Tensor | null | undefined; readonly stride?: number | readonly number[] | undefined; readonly padding?: number | readonly number[] | 'same' | 'valid' | undefined; readonly dilation?: number | readonly number[] | undefined; readonly groups?: number | undefined }] | [options: { readonly weight: Tensor; readonly bias?: Tensor | null | undefined; readonly stride?: number | readonly number[] | undefined; readonly padding?: number | readonly number[] | 'same' | 'valid' | undefined; readonly dilation?: number | readonly number[] | undefined; readonly groups?: number | undefined }]): Tensor

  /**
   * The convolution of [N, C, …2 sizes] with a weight [O, C / groups, …2 kernel sizes], plus bias [O].
   *
   * @param weight [O, C / groups, …kernel sizes]: a tensor
   * @param bias [O], added to each output channel: a tensor; optional
   * @param stride how far the next window starts, for all spatial dims or for each: an integer or a list of integers; default 1
   * @param padding how many zeros lie around, for all spatial dims or for each; 'same': as large as the input (stride 1 only); 'valid': none: an integer, a list of integers, 'same' or 'valid'; default 0
   * @param dilation how far the elements of a window lie apart, for all spatial dims or for each: an integer or a list of integers; default 1
   * @param groups into how many parts the channels divide that see nothing of each other: an integer of at least 1; default 1
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  conv2d(weight: Tensor, bias?: Tensor | null, stride?: number | readonly number[], padding?: number | readonly number[] | 'same' | 'valid', dilation?: number | readonly number[], groups?: number): Tensor
  /**
   * The convolution of [N, C, …2 sizes] with a weight [O, C / groups, …2 kernel sizes], plus bias [O].
   *
   * @param weight [O, C / groups, …kernel sizes]: a tensor
   * @param bias [O], added to each output channel: a tensor; optional
   * @param stride how far the next window starts, for all spatial dims or for each: an integer or a list of integers; default 1
   * @param padding how many zeros lie around, for all spatial dims or for each; 'same': as large as the input (stride 1 only); 'valid': none: an integer, a list of integers, 'same' or 'valid'; default 0
   * @param dilation how far the elements of a window lie apart, for all spatial dims or for each: an integer or a list of integers; default 1
   * @param groups into how many parts the channels divide that see nothing of each other: an integer of at least 1; default 1
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  conv2d(...args: [weight: Tensor, bias: Tensor | null | undefined, stride: number | readonly number[] | undefined, padding: number | readonly number[] | 'same' | 'valid' | undefined, dilation: number | readonly number[] | undefined, options?: { readonly groups?: number | undefined }] | [weight: Tensor, bias: Tensor | null | undefined, stride: number | readonly number[] | undefined, padding: number | readonly number[] | 'same' | 'valid' | undefined, options?: { readonly dilation?: number | readonly number[] | undefined; readonly groups?: number | undefined }] | [weight: Tensor, bias: Tensor | null | undefined, stride: number | readonly number[] | undefined, options?: { readonly padding?: number | readonly number[] | 'same' | 'valid' | undefined; readonly dilation?: number | readonly number[] | undefined; readonly groups?: number | undefined }] | [weight: Tensor, bias: Tensor | null | undefined, options?: { readonly stride?: number | readonly number[] | undefined; readonly padding?: number | readonly number[] | 'same' | 'valid' | undefined; readonly dilation?: number | readonly number[] | undefined; readonly groups?: number | undefined }] | [weight: Tensor, options?: { readonly bias?: Tensor | null | undefined; readonly stride?: number | readonly number[] | undefined; readonly padding?: number | readonly number[] | 'same' | 'valid' | undefined; readonly dilation?: number | readonly number[] | undefined; readonly groups?: number | undefined }] | [options: { readonly weight: Tensor; readonly bias?: Tensor | null | undefined; readonly stride?: number | readonly number[] | undefined; readonly padding?: number | readonly number[] | 'same' | 'valid' | undefined; readonly dilation?: number | readonly number[] | undefined; readonly groups?: number | undefined }]): Tensor

  /**
   * The convolution of [N, C, …3 sizes] with a weight [O, C / groups, …3 kernel sizes], plus bias [O].
   *
   * @param weight [O, C / groups, …kernel sizes]: a tensor
   * @param bias [O], added to each output channel: a tensor; optional
   * @param stride how far the next window starts, for all spatial dims or for each: an integer or a list of integers; default 1
   * @param padding how many zeros lie around, for all spatial dims or for each; 'same': as large as the input (stride 1 only); 'valid': none: an integer, a list of integers, 'same' or 'valid'; default 0
   * @param dilation how far the elements of a window lie apart, for all spatial dims or for each: an integer or a list of integers; default 1
   * @param groups into how many parts the channels divide that see nothing of each other: an integer of at least 1; default 1
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  conv3d(weight: Tensor, bias?: Tensor | null, stride?: number | readonly number[], padding?: number | readonly number[] | 'same' | 'valid', dilation?: number | readonly number[], groups?: number): Tensor
  /**
   * The convolution of [N, C, …3 sizes] with a weight [O, C / groups, …3 kernel sizes], plus bias [O].
   *
   * @param weight [O, C / groups, …kernel sizes]: a tensor
   * @param bias [O], added to each output channel: a tensor; optional
   * @param stride how far the next window starts, for all spatial dims or for each: an integer or a list of integers; default 1
   * @param padding how many zeros lie around, for all spatial dims or for each; 'same': as large as the input (stride 1 only); 'valid': none: an integer, a list of integers, 'same' or 'valid'; default 0
   * @param dilation how far the elements of a window lie apart, for all spatial dims or for each: an integer or a list of integers; default 1
   * @param groups into how many parts the channels divide that see nothing of each other: an integer of at least 1; default 1
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  conv3d(...args: [weight: Tensor, bias: Tensor | null | undefined, stride: number | readonly number[] | undefined, padding: number | readonly number[] | 'same' | 'valid' | undefined, dilation: number | readonly number[] | undefined, options?: { readonly groups?: number | undefined }] | [weight: Tensor, bias: Tensor | null | undefined, stride: number | readonly number[] | undefined, padding: number | readonly number[] | 'same' | 'valid' | undefined, options?: { readonly dilation?: number | readonly number[] | undefined; readonly groups?: number | undefined }] | [weight: Tensor, bias: Tensor | null | undefined, stride: number | readonly number[] | undefined, options?: { readonly padding?: number | readonly number[] | 'same' | 'valid' | undefined; readonly dilation?: number | readonly number[] | undefined; readonly groups?: number | undefined }] | [weight: Tensor, bias: Tensor | null | undefined, options?: { readonly stride?: number | readonly number[] | undefined; readonly padding?: number | readonly number[] | 'same' | 'valid' | undefined; readonly dilation?: number | readonly number[] | undefined; readonly groups?: number | undefined }] | [weight: Tensor, options?: { readonly bias?: Tensor | null | undefined; readonly stride?: number | readonly number[] | undefined; readonly padding?: number | readonly number[] | 'same' | 'valid' | undefined; readonly dilation?: number | readonly number[] | undefined; readonly groups?: number | undefined }] | [options: { readonly weight: Tensor; readonly bias?: Tensor | null | undefined; readonly stride?: number | readonly number[] | undefined; readonly padding?: number | readonly number[] | 'same' | 'valid' | undefined; readonly dilation?: number | readonly number[] | undefined; readonly groups?: number | undefined }]): Tensor

  /**
   * The transpose of conv1d: [N, C, …] with a weight [C, O / groups, …1 kernel sizes], plus bias [O]. A weight's NaN or infinity reaches results between those of its strides too.
   *
   * @param weight [C, O / groups, …kernel sizes]: a tensor
   * @param bias [O], added to each output channel: a tensor; optional
   * @param stride of the convolution that this is the transpose of, for all spatial dims or for each: an integer or a list of integers; default 1
   * @param padding of that convolution: rows that are cut off on both sides: an integer or a list of integers; default 0
   * @param outputPadding rows added behind, to choose among the sizes that a strided convolution maps to one: an integer or a list of integers; default 0
   * @param groups into how many parts the channels divide that see nothing of each other: an integer of at least 1; default 1
   * @param dilation how far the elements of a window lie apart, for all spatial dims or for each: an integer or a list of integers; default 1
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  convTranspose1d(weight: Tensor, bias?: Tensor | null, stride?: number | readonly number[], padding?: number | readonly number[], outputPadding?: number | readonly number[], groups?: number, dilation?: number | readonly number[]): Tensor
  /**
   * The transpose of conv1d: [N, C, …] with a weight [C, O / groups, …1 kernel sizes], plus bias [O]. A weight's NaN or infinity reaches results between those of its strides too.
   *
   * @param weight [C, O / groups, …kernel sizes]: a tensor
   * @param bias [O], added to each output channel: a tensor; optional
   * @param stride of the convolution that this is the transpose of, for all spatial dims or for each: an integer or a list of integers; default 1
   * @param padding of that convolution: rows that are cut off on both sides: an integer or a list of integers; default 0
   * @param outputPadding rows added behind, to choose among the sizes that a strided convolution maps to one: an integer or a list of integers; default 0
   * @param groups into how many parts the channels divide that see nothing of each other: an integer of at least 1; default 1
   * @param dilation how far the elements of a window lie apart, for all spatial dims or for each: an integer or a list of integers; default 1
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  convTranspose1d(...args: [weight: Tensor, bias: Tensor | null | undefined, stride: number | readonly number[] | undefined, padding: number | readonly number[] | undefined, outputPadding: number | readonly number[] | undefined, groups: number | undefined, options?: { readonly dilation?: number | readonly number[] | undefined }] | [weight: Tensor, bias: Tensor | null | undefined, stride: number | readonly number[] | undefined, padding: number | readonly number[] | undefined, outputPadding: number | readonly number[] | undefined, options?: { readonly groups?: number | undefined; readonly dilation?: number | readonly number[] | undefined }] | [weight: Tensor, bias: Tensor | null | undefined, stride: number | readonly number[] | undefined, padding: number | readonly number[] | undefined, options?: { readonly outputPadding?: number | readonly number[] | undefined; readonly groups?: number | undefined; readonly dilation?: number | readonly number[] | undefined }] | [weight: Tensor, bias: Tensor | null | undefined, stride: number | readonly number[] | undefined, options?: { readonly padding?: number | readonly number[] | undefined; readonly outputPadding?: number | readonly number[] | undefined; readonly groups?: number | undefined; readonly dilation?: number | readonly number[] | undefined }] | [weight: Tensor, bias: Tensor | null | undefined, options?: { readonly stride?: number | readonly number[] | undefined; readonly padding?: number | readonly number[] | undefined; readonly outputPadding?: number | readonly number[] | undefined; readonly groups?: number | undefined; readonly dilation?: number | readonly number[] | undefined }] | [weight: Tensor, options?: { readonly bias?: Tensor | null | undefined; readonly stride?: number | readonly number[] | undefined; readonly padding?: number | readonly number[] | undefined; readonly outputPadding?: number | readonly number[] | undefined; readonly groups?: number | undefined; readonly dilation?: number | readonly number[] | undefined }] | [options: { readonly weight: Tensor; readonly bias?: Tensor | null | undefined; readonly stride?: number | readonly number[] | undefined; readonly padding?: number | readonly number[] | undefined; readonly outputPadding?: number | readonly number[] | undefined; readonly groups?: number | undefined; readonly dilation?: number | readonly number[] | undefined }]): Tensor

  /**
   * The transpose of conv2d: [N, C, …] with a weight [C, O / groups, …2 kernel sizes], plus bias [O]. A weight's NaN or infinity reaches results between those of its strides too.
   *
   * @param weight [C, O / groups, …kernel sizes]: a tensor
   * @param bias [O], added to each output channel: a tensor; optional
   * @param stride of the convolution that this is the transpose of, for all spatial dims or for each: an integer or a list of integers; default 1
   * @param padding of that convolution: rows that are cut off on both sides: an integer or a list of integers; default 0
   * @param outputPadding rows added behind, to choose among the sizes that a strided convolution maps to one: an integer or a list of integers; default 0
   * @param groups into how many parts the channels divide that see nothing of each other: an integer of at least 1; default 1
   * @param dilation how far the elements of a window lie apart, for all spatial dims or for each: an integer or a list of integers; default 1
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  convTranspose2d(weight: Tensor, bias?: Tensor | null, stride?: number | readonly number[], padding?: number | readonly number[], outputPadding?: number | readonly number[], groups?: number, dilation?: number | readonly number[]): Tensor
  /**
   * The transpose of conv2d: [N, C, …] with a weight [C, O / groups, …2 kernel sizes], plus bias [O]. A weight's NaN or infinity reaches results between those of its strides too.
   *
   * @param weight [C, O / groups, …kernel sizes]: a tensor
   * @param bias [O], added to each output channel: a tensor; optional
   * @param stride of the convolution that this is the transpose of, for all spatial dims or for each: an integer or a list of integers; default 1
   * @param padding of that convolution: rows that are cut off on both sides: an integer or a list of integers; default 0
   * @param outputPadding rows added behind, to choose among the sizes that a strided convolution maps to one: an integer or a list of integers; default 0
   * @param groups into how many parts the channels divide that see nothing of each other: an integer of at least 1; default 1
   * @param dilation how far the elements of a window lie apart, for all spatial dims or for each: an integer or a list of integers; default 1
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  convTranspose2d(...args: [weight: Tensor, bias: Tensor | null | undefined, stride: number | readonly number[] | undefined, padding: number | readonly number[] | undefined, outputPadding: number | readonly number[] | undefined, groups: number | undefined, options?: { readonly dilation?: number | readonly number[] | undefined }] | [weight: Tensor, bias: Tensor | null | undefined, stride: number | readonly number[] | undefined, padding: number | readonly number[] | undefined, outputPadding: number | readonly number[] | undefined, options?: { readonly groups?: number | undefined; readonly dilation?: number | readonly number[] | undefined }] | [weight: Tensor, bias: Tensor | null | undefined, stride: number | readonly number[] | undefined, padding: number | readonly number[] | undefined, options?: { readonly outputPadding?: number | readonly number[] | undefined; readonly groups?: number | undefined; readonly dilation?: number | readonly number[] | undefined }] | [weight: Tensor, bias: Tensor | null | undefined, stride: number | readonly number[] | undefined, options?: { readonly padding?: number | readonly number[] | undefined; readonly outputPadding?: number | readonly number[] | undefined; readonly groups?: number | undefined; readonly dilation?: number | readonly number[] | undefined }] | [weight: Tensor, bias: Tensor | null | undefined, options?: { readonly stride?: number | readonly number[] | undefined; readonly padding?: number | readonly number[] | undefined; readonly outputPadding?: number | readonly number[] | undefined; readonly groups?: number | undefined; readonly dilation?: number | readonly number[] | undefined }] | [weight: Tensor, options?: { readonly bias?: Tensor | null | undefined; readonly stride?: number | readonly number[] | undefined; readonly padding?: number | readonly number[] | undefined; readonly outputPadding?: number | readonly number[] | undefined; readonly groups?: number | undefined; readonly dilation?: number | readonly number[] | undefined }] | [options: { readonly weight: Tensor; readonly bias?: Tensor | null | undefined; readonly stride?: number | readonly number[] | undefined; readonly padding?: number | readonly number[] | undefined; readonly outputPadding?: number | readonly number[] | undefined; readonly groups?: number | undefined; readonly dilation?: number | readonly number[] | undefined }]): Tensor

  /**
   * The transpose of conv3d: [N, C, …] with a weight [C, O / groups, …3 kernel sizes], plus bias [O]. A weight's NaN or infinity reaches results between those of its strides too.
   *
   * @param weight [C, O / groups, …kernel sizes]: a tensor
   * @param bias [O], added to each output channel: a tensor; optional
   * @param stride of the convolution that this is the transpose of, for all spatial dims or for each: an integer or a list of integers; default 1
   * @param padding of that convolution: rows that are cut off on both sides: an integer or a list of integers; default 0
   * @param outputPadding rows added behind, to choose among the sizes that a strided convolution maps to one: an integer or a list of integers; default 0
   * @param groups into how many parts the channels divide that see nothing of each other: an integer of at least 1; default 1
   * @param dilation how far the elements of a window lie apart, for all spatial dims or for each: an integer or a list of integers; default 1
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  convTranspose3d(weight: Tensor, bias?: Tensor | null, stride?: number | readonly number[], padding?: number | readonly number[], outputPadding?: number | readonly number[], groups?: number, dilation?: number | readonly number[]): Tensor
  /**
   * The transpose of conv3d: [N, C, …] with a weight [C, O / groups, …3 kernel sizes], plus bias [O]. A weight's NaN or infinity reaches results between those of its strides too.
   *
   * @param weight [C, O / groups, …kernel sizes]: a tensor
   * @param bias [O], added to each output channel: a tensor; optional
   * @param stride of the convolution that this is the transpose of, for all spatial dims or for each: an integer or a list of integers; default 1
   * @param padding of that convolution: rows that are cut off on both sides: an integer or a list of integers; default 0
   * @param outputPadding rows added behind, to choose among the sizes that a strided convolution maps to one: an integer or a list of integers; default 0
   * @param groups into how many parts the channels divide that see nothing of each other: an integer of at least 1; default 1
   * @param dilation how far the elements of a window lie apart, for all spatial dims or for each: an integer or a list of integers; default 1
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  convTranspose3d(...args: [weight: Tensor, bias: Tensor | null | undefined, stride: number | readonly number[] | undefined, padding: number | readonly number[] | undefined, outputPadding: number | readonly number[] | undefined, groups: number | undefined, options?: { readonly dilation?: number | readonly number[] | undefined }] | [weight: Tensor, bias: Tensor | null | undefined, stride: number | readonly number[] | undefined, padding: number | readonly number[] | undefined, outputPadding: number | readonly number[] | undefined, options?: { readonly groups?: number | undefined; readonly dilation?: number | readonly number[] | undefined }] | [weight: Tensor, bias: Tensor | null | undefined, stride: number | readonly number[] | undefined, padding: number | readonly number[] | undefined, options?: { readonly outputPadding?: number | readonly number[] | undefined; readonly groups?: number | undefined; readonly dilation?: number | readonly number[] | undefined }] | [weight: Tensor, bias: Tensor | null | undefined, stride: number | readonly number[] | undefined, options?: { readonly padding?: number | readonly number[] | undefined; readonly outputPadding?: number | readonly number[] | undefined; readonly groups?: number | undefined; readonly dilation?: number | readonly number[] | undefined }] | [weight: Tensor, bias: Tensor | null | undefined, options?: { readonly stride?: number | readonly number[] | undefined; readonly padding?: number | readonly number[] | undefined; readonly outputPadding?: number | readonly number[] | undefined; readonly groups?: number | undefined; readonly dilation?: number | readonly number[] | undefined }] | [weight: Tensor, options?: { readonly bias?: Tensor | null | undefined; readonly stride?: number | readonly number[] | undefined; readonly padding?: number | readonly number[] | undefined; readonly outputPadding?: number | readonly number[] | undefined; readonly groups?: number | undefined; readonly dilation?: number | readonly number[] | undefined }] | [options: { readonly weight: Tensor; readonly bias?: Tensor | null | undefined; readonly stride?: number | readonly number[] | undefined; readonly padding?: number | readonly number[] | undefined; readonly outputPadding?: number | readonly number[] | undefined; readonly groups?: number | undefined; readonly dilation?: number | readonly number[] | undefined }]): Tensor

  /**
   * The largest value of each window of [N, C, …]; padding never counts.
   *
   * @param kernelSize how long a window is, for all spatial dims or for each: an integer or a list of integers
   * @param stride how far the next window starts, for all spatial dims or for each; kernelSize unless given: an integer or a list of integers; optional
   * @param padding how many elements lie around, at most half of kernelSize: an integer or a list of integers; default 0
   * @param dilation how far the elements of a window lie apart, for all spatial dims or for each: an integer or a list of integers; default 1
   * @param ceilMode also a last window that only partly lies inside: true or false; default false
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  maxPool1d(kernelSize: number | readonly number[], stride?: number | readonly number[] | null, padding?: number | readonly number[], dilation?: number | readonly number[], ceilMode?: boolean): Tensor
  /**
   * The largest value of each window of [N, C, …]; padding never counts.
   *
   * @param kernelSize how long a window is, for all spatial dims or for each: an integer or a list of integers
   * @param stride how far the next window starts, for all spatial dims or for each; kernelSize unless given: an integer or a list of integers; optional
   * @param padding how many elements lie around, at most half of kernelSize: an integer or a list of integers; default 0
   * @param dilation how far the elements of a window lie apart, for all spatial dims or for each: an integer or a list of integers; default 1
   * @param ceilMode also a last window that only partly lies inside: true or false; default false
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  maxPool1d(...args: [kernelSize: number | readonly number[], stride: number | readonly number[] | null | undefined, padding: number | readonly number[] | undefined, dilation: number | readonly number[] | undefined, options?: { readonly ceilMode?: boolean | undefined }] | [kernelSize: number | readonly number[], stride: number | readonly number[] | null | undefined, padding: number | readonly number[] | undefined, options?: { readonly dilation?: number | readonly number[] | undefined; readonly ceilMode?: boolean | undefined }] | [kernelSize: number | readonly number[], stride: number | readonly number[] | null | undefined, options?: { readonly padding?: number | readonly number[] | undefined; readonly dilation?: number | readonly number[] | undefined; readonly ceilMode?: boolean | undefined }] | [kernelSize: number | readonly number[], options?: { readonly stride?: number | readonly number[] | null | undefined; readonly padding?: number | readonly number[] | undefined; readonly dilation?: number | readonly number[] | undefined; readonly ceilMode?: boolean | undefined }] | [options: { readonly kernelSize: number | readonly number[]; readonly stride?: number | readonly number[] | null | undefined; readonly padding?: number | readonly number[] | undefined; readonly dilation?: number | readonly number[] | undefined; readonly ceilMode?: boolean | undefined }]): Tensor

  /**
   * The largest value of each window of [N, C, …]; padding never counts.
   *
   * @param kernelSize how long a window is, for all spatial dims or for each: an integer or a list of integers
   * @param stride how far the next window starts, for all spatial dims or for each; kernelSize unless given: an integer or a list of integers; optional
   * @param padding how many elements lie around, at most half of kernelSize: an integer or a list of integers; default 0
   * @param dilation how far the elements of a window lie apart, for all spatial dims or for each: an integer or a list of integers; default 1
   * @param ceilMode also a last window that only partly lies inside: true or false; default false
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  maxPool2d(kernelSize: number | readonly number[], stride?: number | readonly number[] | null, padding?: number | readonly number[], dilation?: number | readonly number[], ceilMode?: boolean): Tensor
  /**
   * The largest value of each window of [N, C, …]; padding never counts.
   *
   * @param kernelSize how long a window is, for all spatial dims or for each: an integer or a list of integers
   * @param stride how far the next window starts, for all spatial dims or for each; kernelSize unless given: an integer or a list of integers; optional
   * @param padding how many elements lie around, at most half of kernelSize: an integer or a list of integers; default 0
   * @param dilation how far the elements of a window lie apart, for all spatial dims or for each: an integer or a list of integers; default 1
   * @param ceilMode also a last window that only partly lies inside: true or false; default false
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  maxPool2d(...args: [kernelSize: number | readonly number[], stride: number | readonly number[] | null | undefined, padding: number | readonly number[] | undefined, dilation: number | readonly number[] | undefined, options?: { readonly ceilMode?: boolean | undefined }] | [kernelSize: number | readonly number[], stride: number | readonly number[] | null | undefined, padding: number | readonly number[] | undefined, options?: { readonly dilation?: number | readonly number[] | undefined; readonly ceilMode?: boolean | undefined }] | [kernelSize: number | readonly number[], stride: number | readonly number[] | null | undefined, options?: { readonly padding?: number | readonly number[] | undefined; readonly dilation?: number | readonly number[] | undefined; readonly ceilMode?: boolean | undefined }] | [kernelSize: number | readonly number[], options?: { readonly stride?: number | readonly number[] | null | undefined; readonly padding?: number | readonly number[] | undefined; readonly dilation?: number | readonly number[] | undefined; readonly ceilMode?: boolean | undefined }] | [options: { readonly kernelSize: number | readonly number[]; readonly stride?: number | readonly number[] | null | undefined; readonly padding?: number | readonly number[] | undefined; readonly dilation?: number | readonly number[] | undefined; readonly ceilMode?: boolean | undefined }]): Tensor

  /**
   * The largest value of each window of [N, C, …]; padding never counts.
   *
   * @param kernelSize how long a window is, for all spatial dims or for each: an integer or a list of integers
   * @param stride how far the next window starts, for all spatial dims or for each; kernelSize unless given: an integer or a list of integers; optional
   * @param padding how many elements lie around, at most half of kernelSize: an integer or a list of integers; default 0
   * @param dilation how far the elements of a window lie apart, for all spatial dims or for each: an integer or a list of integers; default 1
   * @param ceilMode also a last window that only partly lies inside: true or false; default false
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  maxPool3d(kernelSize: number | readonly number[], stride?: number | readonly number[] | null, padding?: number | readonly number[], dilation?: number | readonly number[], ceilMode?: boolean): Tensor
  /**
   * The largest value of each window of [N, C, …]; padding never counts.
   *
   * @param kernelSize how long a window is, for all spatial dims or for each: an integer or a list of integers
   * @param stride how far the next window starts, for all spatial dims or for each; kernelSize unless given: an integer or a list of integers; optional
   * @param padding how many elements lie around, at most half of kernelSize: an integer or a list of integers; default 0
   * @param dilation how far the elements of a window lie apart, for all spatial dims or for each: an integer or a list of integers; default 1
   * @param ceilMode also a last window that only partly lies inside: true or false; default false
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  maxPool3d(...args: [kernelSize: number | readonly number[], stride: number | readonly number[] | null | undefined, padding: number | readonly number[] | undefined, dilation: number | readonly number[] | undefined, options?: { readonly ceilMode?: boolean | undefined }] | [kernelSize: number | readonly number[], stride: number | readonly number[] | null | undefined, padding: number | readonly number[] | undefined, options?: { readonly dilation?: number | readonly number[] | undefined; readonly ceilMode?: boolean | undefined }] | [kernelSize: number | readonly number[], stride: number | readonly number[] | null | undefined, options?: { readonly padding?: number | readonly number[] | undefined; readonly dilation?: number | readonly number[] | undefined; readonly ceilMode?: boolean | undefined }] | [kernelSize: number | readonly number[], options?: { readonly stride?: number | readonly number[] | null | undefined; readonly padding?: number | readonly number[] | undefined; readonly dilation?: number | readonly number[] | undefined; readonly ceilMode?: boolean | undefined }] | [options: { readonly kernelSize: number | readonly number[]; readonly stride?: number | readonly number[] | null | undefined; readonly padding?: number | readonly number[] | undefined; readonly dilation?: number | readonly number[] | undefined; readonly ceilMode?: boolean | undefined }]): Tensor

  /**
   * The mean of each window of [N, C, …]; padding counts as zeros unless countIncludePad is false.
   *
   * @param kernelSize how long a window is, for all spatial dims or for each: an integer or a list of integers
   * @param stride how far the next window starts, for all spatial dims or for each; kernelSize unless given: an integer or a list of integers; optional
   * @param padding how many elements lie around, at most half of kernelSize: an integer or a list of integers; default 0
   * @param ceilMode also a last window that only partly lies inside: true or false; default false
   * @param countIncludePad whether padding counts as elements: true or false; default true
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  avgPool1d(kernelSize: number | readonly number[], stride?: number | readonly number[] | null, padding?: number | readonly number[], ceilMode?: boolean, countIncludePad?: boolean): Tensor
  /**
   * The mean of each window of [N, C, …]; padding counts as zeros unless countIncludePad is false.
   *
   * @param kernelSize how long a window is, for all spatial dims or for each: an integer or a list of integers
   * @param stride how far the next window starts, for all spatial dims or for each; kernelSize unless given: an integer or a list of integers; optional
   * @param padding how many elements lie around, at most half of kernelSize: an integer or a list of integers; default 0
   * @param ceilMode also a last window that only partly lies inside: true or false; default false
   * @param countIncludePad whether padding counts as elements: true or false; default true
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  avgPool1d(...args: [kernelSize: number | readonly number[], stride: number | readonly number[] | null | undefined, padding: number | readonly number[] | undefined, ceilMode: boolean | undefined, options?: { readonly countIncludePad?: boolean | undefined }] | [kernelSize: number | readonly number[], stride: number | readonly number[] | null | undefined, padding: number | readonly number[] | undefined, options?: { readonly ceilMode?: boolean | undefined; readonly countIncludePad?: boolean | undefined }] | [kernelSize: number | readonly number[], stride: number | readonly number[] | null | undefined, options?: { readonly padding?: number | readonly number[] | undefined; readonly ceilMode?: boolean | undefined; readonly countIncludePad?: boolean | undefined }] | [kernelSize: number | readonly number[], options?: { readonly stride?: number | readonly number[] | null | undefined; readonly padding?: number | readonly number[] | undefined; readonly ceilMode?: boolean | undefined; readonly countIncludePad?: boolean | undefined }] | [options: { readonly kernelSize: number | readonly number[]; readonly stride?: number | readonly number[] | null | undefined; readonly padding?: number | readonly number[] | undefined; readonly ceilMode?: boolean | undefined; readonly countIncludePad?: boolean | undefined }]): Tensor

  /**
   * The mean of each window of [N, C, …]; padding counts as zeros unless countIncludePad is false.
   *
   * @param kernelSize how long a window is, for all spatial dims or for each: an integer or a list of integers
   * @param stride how far the next window starts, for all spatial dims or for each; kernelSize unless given: an integer or a list of integers; optional
   * @param padding how many elements lie around, at most half of kernelSize: an integer or a list of integers; default 0
   * @param ceilMode also a last window that only partly lies inside: true or false; default false
   * @param countIncludePad whether padding counts as elements: true or false; default true
   * @param divisorOverride what the sums are divided by instead of how many elements a window counts: an integer; optional
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  avgPool2d(kernelSize: number | readonly number[], stride?: number | readonly number[] | null, padding?: number | readonly number[], ceilMode?: boolean, countIncludePad?: boolean, divisorOverride?: number | null): Tensor
  /**
   * The mean of each window of [N, C, …]; padding counts as zeros unless countIncludePad is false.
   *
   * @param kernelSize how long a window is, for all spatial dims or for each: an integer or a list of integers
   * @param stride how far the next window starts, for all spatial dims or for each; kernelSize unless given: an integer or a list of integers; optional
   * @param padding how many elements lie around, at most half of kernelSize: an integer or a list of integers; default 0
   * @param ceilMode also a last window that only partly lies inside: true or false; default false
   * @param countIncludePad whether padding counts as elements: true or false; default true
   * @param divisorOverride what the sums are divided by instead of how many elements a window counts: an integer; optional
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  avgPool2d(...args: [kernelSize: number | readonly number[], stride: number | readonly number[] | null | undefined, padding: number | readonly number[] | undefined, ceilMode: boolean | undefined, countIncludePad: boolean | undefined, options?: { readonly divisorOverride?: number | null | undefined }] | [kernelSize: number | readonly number[], stride: number | readonly number[] | null | undefined, padding: number | readonly number[] | undefined, ceilMode: boolean | undefined, options?: { readonly countIncludePad?: boolean | undefined; readonly divisorOverride?: number | null | undefined }] | [kernelSize: number | readonly number[], stride: number | readonly number[] | null | undefined, padding: number | readonly number[] | undefined, options?: { readonly ceilMode?: boolean | undefined; readonly countIncludePad?: boolean | undefined; readonly divisorOverride?: number | null | undefined }] | [kernelSize: number | readonly number[], stride: number | readonly number[] | null | undefined, options?: { readonly padding?: number | readonly number[] | undefined; readonly ceilMode?: boolean | undefined; readonly countIncludePad?: boolean | undefined; readonly divisorOverride?: number | null | undefined }] | [kernelSize: number | readonly number[], options?: { readonly stride?: number | readonly number[] | null | undefined; readonly padding?: number | readonly number[] | undefined; readonly ceilMode?: boolean | undefined; readonly countIncludePad?: boolean | undefined; readonly divisorOverride?: number | null | undefined }] | [options: { readonly kernelSize: number | readonly number[]; readonly stride?: number | readonly number[] | null | undefined; readonly padding?: number | readonly number[] | undefined; readonly ceilMode?: boolean | undefined; readonly countIncludePad?: boolean | undefined; readonly divisorOverride?: number | null | undefined }]): Tensor

  /**
   * The mean of each window of [N, C, …]; padding counts as zeros unless countIncludePad is false.
   *
   * @param kernelSize how long a window is, for all spatial dims or for each: an integer or a list of integers
   * @param stride how far the next window starts, for all spatial dims or for each; kernelSize unless given: an integer or a list of integers; optional
   * @param padding how many elements lie around, at most half of kernelSize: an integer or a list of integers; default 0
   * @param ceilMode also a last window that only partly lies inside: true or false; default false
   * @param countIncludePad whether padding counts as elements: true or false; default true
   * @param divisorOverride what the sums are divided by instead of how many elements a window counts: an integer; optional
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  avgPool3d(kernelSize: number | readonly number[], stride?: number | readonly number[] | null, padding?: number | readonly number[], ceilMode?: boolean, countIncludePad?: boolean, divisorOverride?: number | null): Tensor
  /**
   * The mean of each window of [N, C, …]; padding counts as zeros unless countIncludePad is false.
   *
   * @param kernelSize how long a window is, for all spatial dims or for each: an integer or a list of integers
   * @param stride how far the next window starts, for all spatial dims or for each; kernelSize unless given: an integer or a list of integers; optional
   * @param padding how many elements lie around, at most half of kernelSize: an integer or a list of integers; default 0
   * @param ceilMode also a last window that only partly lies inside: true or false; default false
   * @param countIncludePad whether padding counts as elements: true or false; default true
   * @param divisorOverride what the sums are divided by instead of how many elements a window counts: an integer; optional
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  avgPool3d(...args: [kernelSize: number | readonly number[], stride: number | readonly number[] | null | undefined, padding: number | readonly number[] | undefined, ceilMode: boolean | undefined, countIncludePad: boolean | undefined, options?: { readonly divisorOverride?: number | null | undefined }] | [kernelSize: number | readonly number[], stride: number | readonly number[] | null | undefined, padding: number | readonly number[] | undefined, ceilMode: boolean | undefined, options?: { readonly countIncludePad?: boolean | undefined; readonly divisorOverride?: number | null | undefined }] | [kernelSize: number | readonly number[], stride: number | readonly number[] | null | undefined, padding: number | readonly number[] | undefined, options?: { readonly ceilMode?: boolean | undefined; readonly countIncludePad?: boolean | undefined; readonly divisorOverride?: number | null | undefined }] | [kernelSize: number | readonly number[], stride: number | readonly number[] | null | undefined, options?: { readonly padding?: number | readonly number[] | undefined; readonly ceilMode?: boolean | undefined; readonly countIncludePad?: boolean | undefined; readonly divisorOverride?: number | null | undefined }] | [kernelSize: number | readonly number[], options?: { readonly stride?: number | readonly number[] | null | undefined; readonly padding?: number | readonly number[] | undefined; readonly ceilMode?: boolean | undefined; readonly countIncludePad?: boolean | undefined; readonly divisorOverride?: number | null | undefined }] | [options: { readonly kernelSize: number | readonly number[]; readonly stride?: number | readonly number[] | null | undefined; readonly padding?: number | readonly number[] | undefined; readonly ceilMode?: boolean | undefined; readonly countIncludePad?: boolean | undefined; readonly divisorOverride?: number | null | undefined }]): Tensor

  /**
   * The means of outputSize windows per spatial dim, whatever the input size.
   *
   * @param outputSize how many windows, for all spatial dims or for each; null: as many as elements: an integer or a list of integers or nulls
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  adaptiveAvgPool1d(outputSize: number | readonly (number | null)[]): Tensor
  /**
   * The means of outputSize windows per spatial dim, whatever the input size.
   *
   * @param outputSize how many windows, for all spatial dims or for each; null: as many as elements: an integer or a list of integers or nulls
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  adaptiveAvgPool1d(...args: [options: { readonly outputSize: number | readonly (number | null)[] }]): Tensor

  /**
   * The means of outputSize windows per spatial dim, whatever the input size.
   *
   * @param outputSize how many windows, for all spatial dims or for each; null: as many as elements: an integer or a list of integers or nulls
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  adaptiveAvgPool2d(outputSize: number | readonly (number | null)[]): Tensor
  /**
   * The means of outputSize windows per spatial dim, whatever the input size.
   *
   * @param outputSize how many windows, for all spatial dims or for each; null: as many as elements: an integer or a list of integers or nulls
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  adaptiveAvgPool2d(...args: [options: { readonly outputSize: number | readonly (number | null)[] }]): Tensor

  /**
   * The means of outputSize windows per spatial dim, whatever the input size.
   *
   * @param outputSize how many windows, for all spatial dims or for each; null: as many as elements: an integer or a list of integers or nulls
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  adaptiveAvgPool3d(outputSize: number | readonly (number | null)[]): Tensor
  /**
   * The means of outputSize windows per spatial dim, whatever the input size.
   *
   * @param outputSize how many windows, for all spatial dims or for each; null: as many as elements: an integer or a list of integers or nulls
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  adaptiveAvgPool3d(...args: [options: { readonly outputSize: number | readonly (number | null)[] }]): Tensor

  /**
   * The largest values of outputSize windows per spatial dim, whatever the input size.
   *
   * @param outputSize how many windows, for all spatial dims or for each; null: as many as elements: an integer or a list of integers or nulls
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  adaptiveMaxPool1d(outputSize: number | readonly (number | null)[]): Tensor
  /**
   * The largest values of outputSize windows per spatial dim, whatever the input size.
   *
   * @param outputSize how many windows, for all spatial dims or for each; null: as many as elements: an integer or a list of integers or nulls
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  adaptiveMaxPool1d(...args: [options: { readonly outputSize: number | readonly (number | null)[] }]): Tensor

  /**
   * The largest values of outputSize windows per spatial dim, whatever the input size.
   *
   * @param outputSize how many windows, for all spatial dims or for each; null: as many as elements: an integer or a list of integers or nulls
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  adaptiveMaxPool2d(outputSize: number | readonly (number | null)[]): Tensor
  /**
   * The largest values of outputSize windows per spatial dim, whatever the input size.
   *
   * @param outputSize how many windows, for all spatial dims or for each; null: as many as elements: an integer or a list of integers or nulls
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  adaptiveMaxPool2d(...args: [options: { readonly outputSize: number | readonly (number | null)[] }]): Tensor

  /**
   * The largest values of outputSize windows per spatial dim, whatever the input size.
   *
   * @param outputSize how many windows, for all spatial dims or for each; null: as many as elements: an integer or a list of integers or nulls
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  adaptiveMaxPool3d(outputSize: number | readonly (number | null)[]): Tensor
  /**
   * The largest values of outputSize windows per spatial dim, whatever the input size.
   *
   * @param outputSize how many windows, for all spatial dims or for each; null: as many as elements: an integer or a list of integers or nulls
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  adaptiveMaxPool3d(...args: [options: { readonly outputSize: number | readonly (number | null)[] }]): Tensor

  /**
   * The windows of [N, C, H, W] as columns, [N, C · kernel, windows]: torch.nn.functional.unfold.
   *
   * @param kernelSize how long a window is, for all spatial dims or for each: an integer or a list of integers
   * @param dilation how far the elements of a window lie apart, for all spatial dims or for each: an integer or a list of integers; default 1
   * @param padding how many zeros lie around, for all spatial dims or for each: an integer or a list of integers; default 0
   * @param stride how far the next window starts, for all spatial dims or for each: an integer or a list of integers; default 1
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  im2col(kernelSize: number | readonly number[], dilation?: number | readonly number[], padding?: number | readonly number[], stride?: number | readonly number[]): Tensor
  /**
   * The windows of [N, C, H, W] as columns, [N, C · kernel, windows]: torch.nn.functional.unfold.
   *
   * @param kernelSize how long a window is, for all spatial dims or for each: an integer or a list of integers
   * @param dilation how far the elements of a window lie apart, for all spatial dims or for each: an integer or a list of integers; default 1
   * @param padding how many zeros lie around, for all spatial dims or for each: an integer or a list of integers; default 0
   * @param stride how far the next window starts, for all spatial dims or for each: an integer or a list of integers; default 1
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  im2col(...args: [kernelSize: number | readonly number[], dilation: number | readonly number[] | undefined, padding: number | readonly number[] | undefined, options?: { readonly stride?: number | readonly number[] | undefined }] | [kernelSize: number | readonly number[], dilation: number | readonly number[] | undefined, options?: { readonly padding?: number | readonly number[] | undefined; readonly stride?: number | readonly number[] | undefined }] | [kernelSize: number | readonly number[], options?: { readonly dilation?: number | readonly number[] | undefined; readonly padding?: number | readonly number[] | undefined; readonly stride?: number | readonly number[] | undefined }] | [options: { readonly kernelSize: number | readonly number[]; readonly dilation?: number | readonly number[] | undefined; readonly padding?: number | readonly number[] | undefined; readonly stride?: number | readonly number[] | undefined }]): Tensor

  /**
   * Columns [N, C · kernel, windows] added up at their places of [N, C, H, W]: what im2col took apart.
   *
   * @param outputSize the sizes [H, W] of the result: an integer or a list of integers
   * @param kernelSize how long a window is, for all spatial dims or for each: an integer or a list of integers
   * @param dilation how far the elements of a window lie apart, for all spatial dims or for each: an integer or a list of integers; default 1
   * @param padding how many zeros lie around, for all spatial dims or for each: an integer or a list of integers; default 0
   * @param stride how far the next window starts, for all spatial dims or for each: an integer or a list of integers; default 1
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  fold(outputSize: number | readonly number[], kernelSize: number | readonly number[], dilation?: number | readonly number[], padding?: number | readonly number[], stride?: number | readonly number[]): Tensor
  /**
   * Columns [N, C · kernel, windows] added up at their places of [N, C, H, W]: what im2col took apart.
   *
   * @param outputSize the sizes [H, W] of the result: an integer or a list of integers
   * @param kernelSize how long a window is, for all spatial dims or for each: an integer or a list of integers
   * @param dilation how far the elements of a window lie apart, for all spatial dims or for each: an integer or a list of integers; default 1
   * @param padding how many zeros lie around, for all spatial dims or for each: an integer or a list of integers; default 0
   * @param stride how far the next window starts, for all spatial dims or for each: an integer or a list of integers; default 1
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  fold(...args: [outputSize: number | readonly number[], kernelSize: number | readonly number[], dilation: number | readonly number[] | undefined, padding: number | readonly number[] | undefined, options?: { readonly stride?: number | readonly number[] | undefined }] | [outputSize: number | readonly number[], kernelSize: number | readonly number[], dilation: number | readonly number[] | undefined, options?: { readonly padding?: number | readonly number[] | undefined; readonly stride?: number | readonly number[] | undefined }] | [outputSize: number | readonly number[], kernelSize: number | readonly number[], options?: { readonly dilation?: number | readonly number[] | undefined; readonly padding?: number | readonly number[] | undefined; readonly stride?: number | readonly number[] | undefined }] | [outputSize: number | readonly number[], options: { readonly kernelSize: number | readonly number[]; readonly dilation?: number | readonly number[] | undefined; readonly padding?: number | readonly number[] | undefined; readonly stride?: number | readonly number[] | undefined }] | [options: { readonly outputSize: number | readonly number[]; readonly kernelSize: number | readonly number[]; readonly dilation?: number | readonly number[] | undefined; readonly padding?: number | readonly number[] | undefined; readonly stride?: number | readonly number[] | undefined }]): Tensor

  /**
   * The largest value of each window of [N, C, …], and its place among the spatial elements (of equals the first).
   *
   * @param kernelSize how long a window is, for all spatial dims or for each: an integer or a list of integers
   * @param stride how far the next window starts, for all spatial dims or for each; kernelSize unless given: an integer or a list of integers; optional
   * @param padding how many elements lie around, at most half of kernelSize: an integer or a list of integers; default 0
   * @param dilation how far the elements of a window lie apart, for all spatial dims or for each: an integer or a list of integers; default 1
   * @param ceilMode also a last window that only partly lies inside: true or false; default false
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  maxPool1dWithIndices(kernelSize: number | readonly number[], stride?: number | readonly number[] | null, padding?: number | readonly number[], dilation?: number | readonly number[], ceilMode?: boolean): { readonly values: Tensor; readonly indices: Tensor }
  /**
   * The largest value of each window of [N, C, …], and its place among the spatial elements (of equals the first).
   *
   * @param kernelSize how long a window is, for all spatial dims or for each: an integer or a list of integers
   * @param stride how far the next window starts, for all spatial dims or for each; kernelSize unless given: an integer or a list of integers; optional
   * @param padding how many elements lie around, at most half of kernelSize: an integer or a list of integers; default 0
   * @param dilation how far the elements of a window lie apart, for all spatial dims or for each: an integer or a list of integers; default 1
   * @param ceilMode also a last window that only partly lies inside: true or false; default false
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  maxPool1dWithIndices(...args: [kernelSize: number | readonly number[], stride: number | readonly number[] | null | undefined, padding: number | readonly number[] | undefined, dilation: number | readonly number[] | undefined, options?: { readonly ceilMode?: boolean | undefined }] | [kernelSize: number | readonly number[], stride: number | readonly number[] | null | undefined, padding: number | readonly number[] | undefined, options?: { readonly dilation?: number | readonly number[] | undefined; readonly ceilMode?: boolean | undefined }] | [kernelSize: number | readonly number[], stride: number | readonly number[] | null | undefined, options?: { readonly padding?: number | readonly number[] | undefined; readonly dilation?: number | readonly number[] | undefined; readonly ceilMode?: boolean | undefined }] | [kernelSize: number | readonly number[], options?: { readonly stride?: number | readonly number[] | null | undefined; readonly padding?: number | readonly number[] | undefined; readonly dilation?: number | readonly number[] | undefined; readonly ceilMode?: boolean | undefined }] | [options: { readonly kernelSize: number | readonly number[]; readonly stride?: number | readonly number[] | null | undefined; readonly padding?: number | readonly number[] | undefined; readonly dilation?: number | readonly number[] | undefined; readonly ceilMode?: boolean | undefined }]): { readonly values: Tensor; readonly indices: Tensor }

  /**
   * The largest value of each window of [N, C, …], and its place among the spatial elements (of equals the first).
   *
   * @param kernelSize how long a window is, for all spatial dims or for each: an integer or a list of integers
   * @param stride how far the next window starts, for all spatial dims or for each; kernelSize unless given: an integer or a list of integers; optional
   * @param padding how many elements lie around, at most half of kernelSize: an integer or a list of integers; default 0
   * @param dilation how far the elements of a window lie apart, for all spatial dims or for each: an integer or a list of integers; default 1
   * @param ceilMode also a last window that only partly lies inside: true or false; default false
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  maxPool2dWithIndices(kernelSize: number | readonly number[], stride?: number | readonly number[] | null, padding?: number | readonly number[], dilation?: number | readonly number[], ceilMode?: boolean): { readonly values: Tensor; readonly indices: Tensor }
  /**
   * The largest value of each window of [N, C, …], and its place among the spatial elements (of equals the first).
   *
   * @param kernelSize how long a window is, for all spatial dims or for each: an integer or a list of integers
   * @param stride how far the next window starts, for all spatial dims or for each; kernelSize unless given: an integer or a list of integers; optional
   * @param padding how many elements lie around, at most half of kernelSize: an integer or a list of integers; default 0
   * @param dilation how far the elements of a window lie apart, for all spatial dims or for each: an integer or a list of integers; default 1
   * @param ceilMode also a last window that only partly lies inside: true or false; default false
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  maxPool2dWithIndices(...args: [kernelSize: number | readonly number[], stride: number | readonly number[] | null | undefined, padding: number | readonly number[] | undefined, dilation: number | readonly number[] | undefined, options?: { readonly ceilMode?: boolean | undefined }] | [kernelSize: number | readonly number[], stride: number | readonly number[] | null | undefined, padding: number | readonly number[] | undefined, options?: { readonly dilation?: number | readonly number[] | undefined; readonly ceilMode?: boolean | undefined }] | [kernelSize: number | readonly number[], stride: number | readonly number[] | null | undefined, options?: { readonly padding?: number | readonly number[] | undefined; readonly dilation?: number | readonly number[] | undefined; readonly ceilMode?: boolean | undefined }] | [kernelSize: number | readonly number[], options?: { readonly stride?: number | readonly number[] | null | undefined; readonly padding?: number | readonly number[] | undefined; readonly dilation?: number | readonly number[] | undefined; readonly ceilMode?: boolean | undefined }] | [options: { readonly kernelSize: number | readonly number[]; readonly stride?: number | readonly number[] | null | undefined; readonly padding?: number | readonly number[] | undefined; readonly dilation?: number | readonly number[] | undefined; readonly ceilMode?: boolean | undefined }]): { readonly values: Tensor; readonly indices: Tensor }

  /**
   * The largest value of each window of [N, C, …], and its place among the spatial elements (of equals the first).
   *
   * @param kernelSize how long a window is, for all spatial dims or for each: an integer or a list of integers
   * @param stride how far the next window starts, for all spatial dims or for each; kernelSize unless given: an integer or a list of integers; optional
   * @param padding how many elements lie around, at most half of kernelSize: an integer or a list of integers; default 0
   * @param dilation how far the elements of a window lie apart, for all spatial dims or for each: an integer or a list of integers; default 1
   * @param ceilMode also a last window that only partly lies inside: true or false; default false
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  maxPool3dWithIndices(kernelSize: number | readonly number[], stride?: number | readonly number[] | null, padding?: number | readonly number[], dilation?: number | readonly number[], ceilMode?: boolean): { readonly values: Tensor; readonly indices: Tensor }
  /**
   * The largest value of each window of [N, C, …], and its place among the spatial elements (of equals the first).
   *
   * @param kernelSize how long a window is, for all spatial dims or for each: an integer or a list of integers
   * @param stride how far the next window starts, for all spatial dims or for each; kernelSize unless given: an integer or a list of integers; optional
   * @param padding how many elements lie around, at most half of kernelSize: an integer or a list of integers; default 0
   * @param dilation how far the elements of a window lie apart, for all spatial dims or for each: an integer or a list of integers; default 1
   * @param ceilMode also a last window that only partly lies inside: true or false; default false
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  maxPool3dWithIndices(...args: [kernelSize: number | readonly number[], stride: number | readonly number[] | null | undefined, padding: number | readonly number[] | undefined, dilation: number | readonly number[] | undefined, options?: { readonly ceilMode?: boolean | undefined }] | [kernelSize: number | readonly number[], stride: number | readonly number[] | null | undefined, padding: number | readonly number[] | undefined, options?: { readonly dilation?: number | readonly number[] | undefined; readonly ceilMode?: boolean | undefined }] | [kernelSize: number | readonly number[], stride: number | readonly number[] | null | undefined, options?: { readonly padding?: number | readonly number[] | undefined; readonly dilation?: number | readonly number[] | undefined; readonly ceilMode?: boolean | undefined }] | [kernelSize: number | readonly number[], options?: { readonly stride?: number | readonly number[] | null | undefined; readonly padding?: number | readonly number[] | undefined; readonly dilation?: number | readonly number[] | undefined; readonly ceilMode?: boolean | undefined }] | [options: { readonly kernelSize: number | readonly number[]; readonly stride?: number | readonly number[] | null | undefined; readonly padding?: number | readonly number[] | undefined; readonly dilation?: number | readonly number[] | undefined; readonly ceilMode?: boolean | undefined }]): { readonly values: Tensor; readonly indices: Tensor }

  /**
   * self, the values of a max pooling, put where its indices say; 0 elsewhere. An index out of range is dropped.
   *
   * @param indices what the pooling gave with these values: a tensor
   * @param kernelSize how long a window is, for all spatial dims or for each: an integer or a list of integers
   * @param stride how far the next window starts, for all spatial dims or for each; kernelSize unless given: an integer or a list of integers; optional
   * @param padding how many elements lie around, at most half of kernelSize: an integer or a list of integers; default 0
   * @param outputSize the spatial sizes; the smallest that the windows cover unless given: a list of integers; optional
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  maxUnpool1d(indices: Tensor, kernelSize: number | readonly number[], stride?: number | readonly number[] | null, padding?: number | readonly number[], outputSize?: readonly number[] | null): Tensor
  /**
   * self, the values of a max pooling, put where its indices say; 0 elsewhere. An index out of range is dropped.
   *
   * @param indices what the pooling gave with these values: a tensor
   * @param kernelSize how long a window is, for all spatial dims or for each: an integer or a list of integers
   * @param stride how far the next window starts, for all spatial dims or for each; kernelSize unless given: an integer or a list of integers; optional
   * @param padding how many elements lie around, at most half of kernelSize: an integer or a list of integers; default 0
   * @param outputSize the spatial sizes; the smallest that the windows cover unless given: a list of integers; optional
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  maxUnpool1d(...args: [indices: Tensor, kernelSize: number | readonly number[], stride: number | readonly number[] | null | undefined, padding: number | readonly number[] | undefined, options?: { readonly outputSize?: readonly number[] | null | undefined }] | [indices: Tensor, kernelSize: number | readonly number[], stride: number | readonly number[] | null | undefined, options?: { readonly padding?: number | readonly number[] | undefined; readonly outputSize?: readonly number[] | null | undefined }] | [indices: Tensor, kernelSize: number | readonly number[], options?: { readonly stride?: number | readonly number[] | null | undefined; readonly padding?: number | readonly number[] | undefined; readonly outputSize?: readonly number[] | null | undefined }] | [indices: Tensor, options: { readonly kernelSize: number | readonly number[]; readonly stride?: number | readonly number[] | null | undefined; readonly padding?: number | readonly number[] | undefined; readonly outputSize?: readonly number[] | null | undefined }] | [options: { readonly indices: Tensor; readonly kernelSize: number | readonly number[]; readonly stride?: number | readonly number[] | null | undefined; readonly padding?: number | readonly number[] | undefined; readonly outputSize?: readonly number[] | null | undefined }]): Tensor

  /**
   * self, the values of a max pooling, put where its indices say; 0 elsewhere. An index out of range is dropped.
   *
   * @param indices what the pooling gave with these values: a tensor
   * @param kernelSize how long a window is, for all spatial dims or for each: an integer or a list of integers
   * @param stride how far the next window starts, for all spatial dims or for each; kernelSize unless given: an integer or a list of integers; optional
   * @param padding how many elements lie around, at most half of kernelSize: an integer or a list of integers; default 0
   * @param outputSize the spatial sizes; the smallest that the windows cover unless given: a list of integers; optional
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  maxUnpool2d(indices: Tensor, kernelSize: number | readonly number[], stride?: number | readonly number[] | null, padding?: number | readonly number[], outputSize?: readonly number[] | null): Tensor
  /**
   * self, the values of a max pooling, put where its indices say; 0 elsewhere. An index out of range is dropped.
   *
   * @param indices what the pooling gave with these values: a tensor
   * @param kernelSize how long a window is, for all spatial dims or for each: an integer or a list of integers
   * @param stride how far the next window starts, for all spatial dims or for each; kernelSize unless given: an integer or a list of integers; optional
   * @param padding how many elements lie around, at most half of kernelSize: an integer or a list of integers; default 0
   * @param outputSize the spatial sizes; the smallest that the windows cover unless given: a list of integers; optional
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  maxUnpool2d(...args: [indices: Tensor, kernelSize: number | readonly number[], stride: number | readonly number[] | null | undefined, padding: number | readonly number[] | undefined, options?: { readonly outputSize?: readonly number[] | null | undefined }] | [indices: Tensor, kernelSize: number | readonly number[], stride: number | readonly number[] | null | undefined, options?: { readonly padding?: number | readonly number[] | undefined; readonly outputSize?: readonly number[] | null | undefined }] | [indices: Tensor, kernelSize: number | readonly number[], options?: { readonly stride?: number | readonly number[] | null | undefined; readonly padding?: number | readonly number[] | undefined; readonly outputSize?: readonly number[] | null | undefined }] | [indices: Tensor, options: { readonly kernelSize: number | readonly number[]; readonly stride?: number | readonly number[] | null | undefined; readonly padding?: number | readonly number[] | undefined; readonly outputSize?: readonly number[] | null | undefined }] | [options: { readonly indices: Tensor; readonly kernelSize: number | readonly number[]; readonly stride?: number | readonly number[] | null | undefined; readonly padding?: number | readonly number[] | undefined; readonly outputSize?: readonly number[] | null | undefined }]): Tensor

  /**
   * self, the values of a max pooling, put where its indices say; 0 elsewhere. An index out of range is dropped.
   *
   * @param indices what the pooling gave with these values: a tensor
   * @param kernelSize how long a window is, for all spatial dims or for each: an integer or a list of integers
   * @param stride how far the next window starts, for all spatial dims or for each; kernelSize unless given: an integer or a list of integers; optional
   * @param padding how many elements lie around, at most half of kernelSize: an integer or a list of integers; default 0
   * @param outputSize the spatial sizes; the smallest that the windows cover unless given: a list of integers; optional
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  maxUnpool3d(indices: Tensor, kernelSize: number | readonly number[], stride?: number | readonly number[] | null, padding?: number | readonly number[], outputSize?: readonly number[] | null): Tensor
  /**
   * self, the values of a max pooling, put where its indices say; 0 elsewhere. An index out of range is dropped.
   *
   * @param indices what the pooling gave with these values: a tensor
   * @param kernelSize how long a window is, for all spatial dims or for each: an integer or a list of integers
   * @param stride how far the next window starts, for all spatial dims or for each; kernelSize unless given: an integer or a list of integers; optional
   * @param padding how many elements lie around, at most half of kernelSize: an integer or a list of integers; default 0
   * @param outputSize the spatial sizes; the smallest that the windows cover unless given: a list of integers; optional
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  maxUnpool3d(...args: [indices: Tensor, kernelSize: number | readonly number[], stride: number | readonly number[] | null | undefined, padding: number | readonly number[] | undefined, options?: { readonly outputSize?: readonly number[] | null | undefined }] | [indices: Tensor, kernelSize: number | readonly number[], stride: number | readonly number[] | null | undefined, options?: { readonly padding?: number | readonly number[] | undefined; readonly outputSize?: readonly number[] | null | undefined }] | [indices: Tensor, kernelSize: number | readonly number[], options?: { readonly stride?: number | readonly number[] | null | undefined; readonly padding?: number | readonly number[] | undefined; readonly outputSize?: readonly number[] | null | undefined }] | [indices: Tensor, options: { readonly kernelSize: number | readonly number[]; readonly stride?: number | readonly number[] | null | undefined; readonly padding?: number | readonly number[] | undefined; readonly outputSize?: readonly number[] | null | undefined }] | [options: { readonly indices: Tensor; readonly kernelSize: number | readonly number[]; readonly stride?: number | readonly number[] | null | undefined; readonly padding?: number | readonly number[] | undefined; readonly outputSize?: readonly number[] | null | undefined }]): Tensor

  /**
   * The first half of self along a dim · sigmoid of the second.
   *
   * @param dim the dim (negative ones count from the end): an integer; default -1
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  glu(dim?: number): Tensor
  /**
   * The first half of self along a dim · sigmoid of the second.
   *
   * @param dim the dim (negative ones count from the end): an integer; default -1
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  glu(...args: [options?: { readonly dim?: number | undefined }]): Tensor

  /**
   * […, C · r², H, W] as […, C, H · r, W · r].
   *
   * @param upscaleFactor how many rows and columns become of one: an integer of at least 1
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  pixelShuffle(upscaleFactor: number): Tensor
  /**
   * […, C · r², H, W] as […, C, H · r, W · r].
   *
   * @param upscaleFactor how many rows and columns become of one: an integer of at least 1
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  pixelShuffle(...args: [options: { readonly upscaleFactor: number }]): Tensor

  /**
   * […, C, H · r, W · r] as […, C · r², H, W].
   *
   * @param downscaleFactor how many rows and columns become one: an integer of at least 1
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  pixelUnshuffle(downscaleFactor: number): Tensor
  /**
   * […, C, H · r, W · r] as […, C · r², H, W].
   *
   * @param downscaleFactor how many rows and columns become one: an integer of at least 1
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  pixelUnshuffle(...args: [options: { readonly downscaleFactor: number }]): Tensor

  /**
   * [N, C, …] with its channels dealt out: the first of each of the groups, then the second of each, ….
   *
   * @param groups an integer of at least 1
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  channelShuffle(groups: number): Tensor
  /**
   * [N, C, …] with its channels dealt out: the first of each of the groups, then the second of each, ….
   *
   * @param groups an integer of at least 1
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  channelShuffle(...args: [options: { readonly groups: number }]): Tensor

  /**
   * self / (k + alpha · the mean of self² over size neighbouring channels)^beta of [N, C, …].
   *
   * @param size how many channels: an integer of at least 1
   * @param alpha a number; default 0.0001
   * @param beta a number; default 0.75
   * @param k a number; default 1
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  localResponseNorm(size: number, alpha?: number, beta?: number, k?: number): Tensor
  /**
   * self / (k + alpha · the mean of self² over size neighbouring channels)^beta of [N, C, …].
   *
   * @param size how many channels: an integer of at least 1
   * @param alpha a number; default 0.0001
   * @param beta a number; default 0.75
   * @param k a number; default 1
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  localResponseNorm(...args: [size: number, alpha: number | undefined, beta: number | undefined, options?: { readonly k?: number | undefined }] | [size: number, alpha: number | undefined, options?: { readonly beta?: number | undefined; readonly k?: number | undefined }] | [size: number, options?: { readonly alpha?: number | undefined; readonly beta?: number | undefined; readonly k?: number | undefined }] | [options: { readonly size: number; readonly alpha?: number | undefined; readonly beta?: number | undefined; readonly k?: number | undefined }]): Tensor

  /**
   * [N, C, …] with other spatial sizes, by mode 'nearest', 'nearest-exact', 'linear', 'bilinear', 'trilinear', 'bicubic' or 'area' (means of what a place covers).
   *
   * @param size of the spatial dims; either this or scaleFactor: an integer of at least 0 or a list of integers of at least 0; optional
   * @param scaleFactor by what the spatial sizes grow: a number or a list of numbers; optional
   * @param mode what lies between the elements: 'nearest', 'nearest-exact', 'linear', 'bilinear', 'trilinear', 'bicubic' or 'area'; default 'nearest'
   * @param alignCorners the corners' centres meet instead of their edges; linear modes and 'bicubic' only: true or false; optional
   * @param recomputeScaleFactor places follow from the rounded sizes instead of scaleFactor: true or false; optional
   * @param antialias on the way down every element counts, as in image libraries; 'bilinear' and 'bicubic' only: true or false; default false
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  interpolate(size?: SizeLike | readonly SizeLike[] | null, scaleFactor?: number | readonly number[] | null, mode?: 'nearest' | 'nearest-exact' | 'linear' | 'bilinear' | 'trilinear' | 'bicubic' | 'area', alignCorners?: boolean | null, recomputeScaleFactor?: boolean | null, antialias?: boolean): Tensor
  /**
   * [N, C, …] with other spatial sizes, by mode 'nearest', 'nearest-exact', 'linear', 'bilinear', 'trilinear', 'bicubic' or 'area' (means of what a place covers).
   *
   * @param size of the spatial dims; either this or scaleFactor: an integer of at least 0 or a list of integers of at least 0; optional
   * @param scaleFactor by what the spatial sizes grow: a number or a list of numbers; optional
   * @param mode what lies between the elements: 'nearest', 'nearest-exact', 'linear', 'bilinear', 'trilinear', 'bicubic' or 'area'; default 'nearest'
   * @param alignCorners the corners' centres meet instead of their edges; linear modes and 'bicubic' only: true or false; optional
   * @param recomputeScaleFactor places follow from the rounded sizes instead of scaleFactor: true or false; optional
   * @param antialias on the way down every element counts, as in image libraries; 'bilinear' and 'bicubic' only: true or false; default false
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  interpolate(...args: [size: SizeLike | readonly SizeLike[] | null | undefined, scaleFactor: number | readonly number[] | null | undefined, mode: 'nearest' | 'nearest-exact' | 'linear' | 'bilinear' | 'trilinear' | 'bicubic' | 'area' | undefined, alignCorners: boolean | null | undefined, recomputeScaleFactor: boolean | null | undefined, options?: { readonly antialias?: boolean | undefined }] | [size: SizeLike | readonly SizeLike[] | null | undefined, scaleFactor: number | readonly number[] | null | undefined, mode: 'nearest' | 'nearest-exact' | 'linear' | 'bilinear' | 'trilinear' | 'bicubic' | 'area' | undefined, alignCorners: boolean | null | undefined, options?: { readonly recomputeScaleFactor?: boolean | null | undefined; readonly antialias?: boolean | undefined }] | [size: SizeLike | readonly SizeLike[] | null | undefined, scaleFactor: number | readonly number[] | null | undefined, mode: 'nearest' | 'nearest-exact' | 'linear' | 'bilinear' | 'trilinear' | 'bicubic' | 'area' | undefined, options?: { readonly alignCorners?: boolean | null | undefined; readonly recomputeScaleFactor?: boolean | null | undefined; readonly antialias?: boolean | undefined }] | [size: SizeLike | readonly SizeLike[] | null | undefined, scaleFactor: number | readonly number[] | null | undefined, options?: { readonly mode?: 'nearest' | 'nearest-exact' | 'linear' | 'bilinear' | 'trilinear' | 'bicubic' | 'area' | undefined; readonly alignCorners?: boolean | null | undefined; readonly recomputeScaleFactor?: boolean | null | undefined; readonly antialias?: boolean | undefined }] | [size: SizeLike | readonly SizeLike[] | null | undefined, options?: { readonly scaleFactor?: number | readonly number[] | null | undefined; readonly mode?: 'nearest' | 'nearest-exact' | 'linear' | 'bilinear' | 'trilinear' | 'bicubic' | 'area' | undefined; readonly alignCorners?: boolean | null | undefined; readonly recomputeScaleFactor?: boolean | null | undefined; readonly antialias?: boolean | undefined }] | [options?: { readonly size?: SizeLike | readonly SizeLike[] | null | undefined; readonly scaleFactor?: number | readonly number[] | null | undefined; readonly mode?: 'nearest' | 'nearest-exact' | 'linear' | 'bilinear' | 'trilinear' | 'bicubic' | 'area' | undefined; readonly alignCorners?: boolean | null | undefined; readonly recomputeScaleFactor?: boolean | null | undefined; readonly antialias?: boolean | undefined }]): Tensor

  /**
   * [N, C, …] at the places of a grid [N, …, 2 or 3], whose last dim says x, y (and z) from −1 to 1: by mode 'bilinear', 'nearest' or 'bicubic'.
   *
   * @param grid the places, of the dtype of the input: x first, −1 and 1 at the edges: a tensor
   * @param mode what lies between the elements: 'bilinear', 'nearest' or 'bicubic'; default 'bilinear'
   * @param paddingMode what lies outside: 0, the element at the edge, or the mirrored image: 'zeros', 'border' or 'reflection'; default 'zeros'
   * @param alignCorners −1 and 1 are the corners' centres instead of their edges: true or false; default false
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  gridSample(grid: Tensor, mode?: 'bilinear' | 'nearest' | 'bicubic', paddingMode?: 'zeros' | 'border' | 'reflection', alignCorners?: boolean): Tensor
  /**
   * [N, C, …] at the places of a grid [N, …, 2 or 3], whose last dim says x, y (and z) from −1 to 1: by mode 'bilinear', 'nearest' or 'bicubic'.
   *
   * @param grid the places, of the dtype of the input: x first, −1 and 1 at the edges: a tensor
   * @param mode what lies between the elements: 'bilinear', 'nearest' or 'bicubic'; default 'bilinear'
   * @param paddingMode what lies outside: 0, the element at the edge, or the mirrored image: 'zeros', 'border' or 'reflection'; default 'zeros'
   * @param alignCorners −1 and 1 are the corners' centres instead of their edges: true or false; default false
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  gridSample(...args: [grid: Tensor, mode: 'bilinear' | 'nearest' | 'bicubic' | undefined, paddingMode: 'zeros' | 'border' | 'reflection' | undefined, options?: { readonly alignCorners?: boolean | undefined }] | [grid: Tensor, mode: 'bilinear' | 'nearest' | 'bicubic' | undefined, options?: { readonly paddingMode?: 'zeros' | 'border' | 'reflection' | undefined; readonly alignCorners?: boolean | undefined }] | [grid: Tensor, options?: { readonly mode?: 'bilinear' | 'nearest' | 'bicubic' | undefined; readonly paddingMode?: 'zeros' | 'border' | 'reflection' | undefined; readonly alignCorners?: boolean | undefined }] | [options: { readonly grid: Tensor; readonly mode?: 'bilinear' | 'nearest' | 'bicubic' | undefined; readonly paddingMode?: 'zeros' | 'border' | 'reflection' | undefined; readonly alignCorners?: boolean | undefined }]): Tensor

  /**
   * A copy of self in memory of its own, row by row.
   *
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  clone(): Tensor
}

/**
 * The methods that write into their tensor and return it. Each throws ShapeError when the result is larger than the tensor, or
 * when the tensor's elements share memory (expand), and DtypeError when a float result would go into an integer tensor, or a
 * number into a bool one.
 */
export interface InPlaceMethods {
  /**
   * As add, written into this tensor (cast to its dtype): self + alpha · other.
   *
   * @param other what it is combined with; the two broadcast: a tensor or a number
   * @param alpha a tensor or a number; optional
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  add_(other: Operand, options?: { readonly alpha?: Operand | null | undefined }): this
  /**
   * As add, written into this tensor (cast to its dtype): self + alpha · other.
   *
   * @param other what it is combined with; the two broadcast: a tensor or a number
   * @param alpha a tensor or a number; optional
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  add_(...args: [options: { readonly other: Operand; readonly alpha?: Operand | null | undefined }]): this

  /**
   * As sub, written into this tensor (cast to its dtype): self − alpha · other.
   *
   * @param other what it is combined with; the two broadcast: a tensor or a number
   * @param alpha a tensor or a number; optional
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  sub_(other: Operand, options?: { readonly alpha?: Operand | null | undefined }): this
  /**
   * As sub, written into this tensor (cast to its dtype): self − alpha · other.
   *
   * @param other what it is combined with; the two broadcast: a tensor or a number
   * @param alpha a tensor or a number; optional
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  sub_(...args: [options: { readonly other: Operand; readonly alpha?: Operand | null | undefined }]): this

  /**
   * As mul, written into this tensor (cast to its dtype): self · other.
   *
   * @param other what it is combined with; the two broadcast: a tensor or a number
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  mul_(other: Operand): this
  /**
   * As mul, written into this tensor (cast to its dtype): self · other.
   *
   * @param other what it is combined with; the two broadcast: a tensor or a number
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  mul_(...args: [options: { readonly other: Operand }]): this

  /**
   * As div, written into this tensor (cast to its dtype): self / other; roundingMode floor or trunc rounds the quotient and keeps integers.
   *
   * @param other what it is combined with; the two broadcast: a tensor or a number
   * @param roundingMode 'floor' or 'trunc'; optional
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  div_(other: Operand, options?: { readonly roundingMode?: 'floor' | 'trunc' | null | undefined }): this
  /**
   * As div, written into this tensor (cast to its dtype): self / other; roundingMode floor or trunc rounds the quotient and keeps integers.
   *
   * @param other what it is combined with; the two broadcast: a tensor or a number
   * @param roundingMode 'floor' or 'trunc'; optional
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  div_(...args: [options: { readonly other: Operand; readonly roundingMode?: 'floor' | 'trunc' | null | undefined }]): this

  /**
   * As trueDivide, written into this tensor (cast to its dtype): self / other, of integers in f32: div without rounding.
   *
   * @param other what it is combined with; the two broadcast: a tensor or a number
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  trueDivide_(other: Operand): this
  /**
   * As trueDivide, written into this tensor (cast to its dtype): self / other, of integers in f32: div without rounding.
   *
   * @param other what it is combined with; the two broadcast: a tensor or a number
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  trueDivide_(...args: [options: { readonly other: Operand }]): this

  /**
   * As floorDivide, written into this tensor (cast to its dtype): ⌊self / other⌋.
   *
   * @param other what it is combined with; the two broadcast: a tensor or a number
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  floorDivide_(other: Operand): this
  /**
   * As floorDivide, written into this tensor (cast to its dtype): ⌊self / other⌋.
   *
   * @param other what it is combined with; the two broadcast: a tensor or a number
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  floorDivide_(...args: [options: { readonly other: Operand }]): this

  /**
   * As remainder, written into this tensor (cast to its dtype): self − other · ⌊self / other⌋: the rest with the sign of other.
   *
   * @param other what it is combined with; the two broadcast: a tensor or a number
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  remainder_(other: Operand): this
  /**
   * As remainder, written into this tensor (cast to its dtype): self − other · ⌊self / other⌋: the rest with the sign of other.
   *
   * @param other what it is combined with; the two broadcast: a tensor or a number
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  remainder_(...args: [options: { readonly other: Operand }]): this

  /**
   * As fmod, written into this tensor (cast to its dtype): The rest of self / other with the sign of self.
   *
   * @param other what it is combined with; the two broadcast: a tensor or a number
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  fmod_(other: Operand): this
  /**
   * As fmod, written into this tensor (cast to its dtype): The rest of self / other with the sign of self.
   *
   * @param other what it is combined with; the two broadcast: a tensor or a number
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  fmod_(...args: [options: { readonly other: Operand }]): this

  /**
   * As pow, written into this tensor (cast to its dtype): self to the power of exponent.
   *
   * @param exponent a tensor or a number
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  pow_(exponent: Operand): this
  /**
   * As pow, written into this tensor (cast to its dtype): self to the power of exponent.
   *
   * @param exponent a tensor or a number
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  pow_(...args: [options: { readonly exponent: Operand }]): this

  /**
   * As neg, written into this tensor (cast to its dtype): −self.
   *
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  neg_(): this

  /**
   * As abs, written into this tensor (cast to its dtype): |self|.
   *
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  abs_(): this

  /**
   * As sign, written into this tensor (cast to its dtype): −1, 0 or 1 by the sign of self; NaN stays NaN.
   *
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  sign_(): this

  /**
   * As reciprocal, written into this tensor (cast to its dtype): 1 / self.
   *
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  reciprocal_(): this

  /**
   * As square, written into this tensor (cast to its dtype): self²; of bool as i64.
   *
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  square_(): this

  /**
   * As maximum, written into this tensor (cast to its dtype): The larger of the two; NaN if either is NaN.
   *
   * @param other what it is combined with; the two broadcast: a tensor or a number
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  maximum_(other: Operand): this
  /**
   * As maximum, written into this tensor (cast to its dtype): The larger of the two; NaN if either is NaN.
   *
   * @param other what it is combined with; the two broadcast: a tensor or a number
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  maximum_(...args: [options: { readonly other: Operand }]): this

  /**
   * As minimum, written into this tensor (cast to its dtype): The smaller of the two; NaN if either is NaN.
   *
   * @param other what it is combined with; the two broadcast: a tensor or a number
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  minimum_(other: Operand): this
  /**
   * As minimum, written into this tensor (cast to its dtype): The smaller of the two; NaN if either is NaN.
   *
   * @param other what it is combined with; the two broadcast: a tensor or a number
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  minimum_(...args: [options: { readonly other: Operand }]): this

  /**
   * As clamp, written into this tensor (cast to its dtype): min(max(self, min), max); either limit may be missing.
   *
   * @param min a tensor or a number; optional
   * @param max a tensor or a number; optional
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  clamp_(min?: Operand | null, max?: Operand | null): this
  /**
   * As clamp, written into this tensor (cast to its dtype): min(max(self, min), max); either limit may be missing.
   *
   * @param min a tensor or a number; optional
   * @param max a tensor or a number; optional
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  clamp_(...args: [min: Operand | null | undefined, options?: { readonly max?: Operand | null | undefined }] | [options?: { readonly min?: Operand | null | undefined; readonly max?: Operand | null | undefined }]): this

  /**
   * As eq, written into this tensor (cast to its dtype): self = other, as bool.
   *
   * @param other what it is combined with; the two broadcast: a tensor or a number
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  eq_(other: Operand): this
  /**
   * As eq, written into this tensor (cast to its dtype): self = other, as bool.
   *
   * @param other what it is combined with; the two broadcast: a tensor or a number
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  eq_(...args: [options: { readonly other: Operand }]): this

  /**
   * As ne, written into this tensor (cast to its dtype): self ≠ other, as bool.
   *
   * @param other what it is combined with; the two broadcast: a tensor or a number
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  ne_(other: Operand): this
  /**
   * As ne, written into this tensor (cast to its dtype): self ≠ other, as bool.
   *
   * @param other what it is combined with; the two broadcast: a tensor or a number
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  ne_(...args: [options: { readonly other: Operand }]): this

  /**
   * As lt, written into this tensor (cast to its dtype): self < other, as bool.
   *
   * @param other what it is combined with; the two broadcast: a tensor or a number
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  lt_(other: Operand): this
  /**
   * As lt, written into this tensor (cast to its dtype): self < other, as bool.
   *
   * @param other what it is combined with; the two broadcast: a tensor or a number
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  lt_(...args: [options: { readonly other: Operand }]): this

  /**
   * As le, written into this tensor (cast to its dtype): self ≤ other, as bool.
   *
   * @param other what it is combined with; the two broadcast: a tensor or a number
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  le_(other: Operand): this
  /**
   * As le, written into this tensor (cast to its dtype): self ≤ other, as bool.
   *
   * @param other what it is combined with; the two broadcast: a tensor or a number
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  le_(...args: [options: { readonly other: Operand }]): this

  /**
   * As gt, written into this tensor (cast to its dtype): self > other, as bool.
   *
   * @param other what it is combined with; the two broadcast: a tensor or a number
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  gt_(other: Operand): this
  /**
   * As gt, written into this tensor (cast to its dtype): self > other, as bool.
   *
   * @param other what it is combined with; the two broadcast: a tensor or a number
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  gt_(...args: [options: { readonly other: Operand }]): this

  /**
   * As ge, written into this tensor (cast to its dtype): self ≥ other, as bool.
   *
   * @param other what it is combined with; the two broadcast: a tensor or a number
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  ge_(other: Operand): this
  /**
   * As ge, written into this tensor (cast to its dtype): self ≥ other, as bool.
   *
   * @param other what it is combined with; the two broadcast: a tensor or a number
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  ge_(...args: [options: { readonly other: Operand }]): this

  /**
   * As logicalAnd, written into this tensor (cast to its dtype): self and other on truth values (anything but 0 is true).
   *
   * @param other what it is combined with; the two broadcast: a tensor or a number
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  logicalAnd_(other: Operand): this
  /**
   * As logicalAnd, written into this tensor (cast to its dtype): self and other on truth values (anything but 0 is true).
   *
   * @param other what it is combined with; the two broadcast: a tensor or a number
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  logicalAnd_(...args: [options: { readonly other: Operand }]): this

  /**
   * As logicalOr, written into this tensor (cast to its dtype): self or other on truth values (anything but 0 is true).
   *
   * @param other what it is combined with; the two broadcast: a tensor or a number
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  logicalOr_(other: Operand): this
  /**
   * As logicalOr, written into this tensor (cast to its dtype): self or other on truth values (anything but 0 is true).
   *
   * @param other what it is combined with; the two broadcast: a tensor or a number
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  logicalOr_(...args: [options: { readonly other: Operand }]): this

  /**
   * As logicalXor, written into this tensor (cast to its dtype): self exclusive or other on truth values (anything but 0 is true).
   *
   * @param other what it is combined with; the two broadcast: a tensor or a number
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  logicalXor_(other: Operand): this
  /**
   * As logicalXor, written into this tensor (cast to its dtype): self exclusive or other on truth values (anything but 0 is true).
   *
   * @param other what it is combined with; the two broadcast: a tensor or a number
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  logicalXor_(...args: [options: { readonly other: Operand }]): this

  /**
   * As logicalNot, written into this tensor (cast to its dtype): True where self is 0.
   *
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  logicalNot_(): this

  /**
   * As bitwiseAnd, written into this tensor (cast to its dtype): self and other, bit by bit; on bool, logically.
   *
   * @param other what it is combined with; the two broadcast: a tensor or a number
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  bitwiseAnd_(other: Operand): this
  /**
   * As bitwiseAnd, written into this tensor (cast to its dtype): self and other, bit by bit; on bool, logically.
   *
   * @param other what it is combined with; the two broadcast: a tensor or a number
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  bitwiseAnd_(...args: [options: { readonly other: Operand }]): this

  /**
   * As bitwiseOr, written into this tensor (cast to its dtype): self or other, bit by bit; on bool, logically.
   *
   * @param other what it is combined with; the two broadcast: a tensor or a number
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  bitwiseOr_(other: Operand): this
  /**
   * As bitwiseOr, written into this tensor (cast to its dtype): self or other, bit by bit; on bool, logically.
   *
   * @param other what it is combined with; the two broadcast: a tensor or a number
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  bitwiseOr_(...args: [options: { readonly other: Operand }]): this

  /**
   * As bitwiseXor, written into this tensor (cast to its dtype): self exclusive or other, bit by bit; on bool, logically.
   *
   * @param other what it is combined with; the two broadcast: a tensor or a number
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  bitwiseXor_(other: Operand): this
  /**
   * As bitwiseXor, written into this tensor (cast to its dtype): self exclusive or other, bit by bit; on bool, logically.
   *
   * @param other what it is combined with; the two broadcast: a tensor or a number
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  bitwiseXor_(...args: [options: { readonly other: Operand }]): this

  /**
   * As bitwiseNot, written into this tensor (cast to its dtype): Every bit of self inverted; on bool, logical not.
   *
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  bitwiseNot_(): this

  /**
   * As bitwiseLeftShift, written into this tensor (cast to its dtype): self · 2^other; bits shifted out are lost.
   *
   * @param other what it is combined with; the two broadcast: a tensor or a number
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  bitwiseLeftShift_(other: Operand): this
  /**
   * As bitwiseLeftShift, written into this tensor (cast to its dtype): self · 2^other; bits shifted out are lost.
   *
   * @param other what it is combined with; the two broadcast: a tensor or a number
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  bitwiseLeftShift_(...args: [options: { readonly other: Operand }]): this

  /**
   * As bitwiseRightShift, written into this tensor (cast to its dtype): ⌊self / 2^other⌋.
   *
   * @param other what it is combined with; the two broadcast: a tensor or a number
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  bitwiseRightShift_(other: Operand): this
  /**
   * As bitwiseRightShift, written into this tensor (cast to its dtype): ⌊self / 2^other⌋.
   *
   * @param other what it is combined with; the two broadcast: a tensor or a number
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  bitwiseRightShift_(...args: [options: { readonly other: Operand }]): this

  /**
   * As isnan, written into this tensor (cast to its dtype): True where self is NaN.
   *
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  isnan_(): this

  /**
   * As isinf, written into this tensor (cast to its dtype): True where self is infinite.
   *
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  isinf_(): this

  /**
   * As isfinite, written into this tensor (cast to its dtype): True where self is neither infinite nor NaN.
   *
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  isfinite_(): this

  /**
   * As sqrt, written into this tensor (cast to its dtype): √self.
   *
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  sqrt_(): this

  /**
   * As rsqrt, written into this tensor (cast to its dtype): 1 / √self.
   *
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  rsqrt_(): this

  /**
   * As exp, written into this tensor (cast to its dtype): e^self.
   *
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  exp_(): this

  /**
   * As exp2, written into this tensor (cast to its dtype): 2^self.
   *
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  exp2_(): this

  /**
   * As expm1, written into this tensor (cast to its dtype): e^self − 1, exact near 0.
   *
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  expm1_(): this

  /**
   * As log, written into this tensor (cast to its dtype): The natural logarithm of self.
   *
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  log_(): this

  /**
   * As log2, written into this tensor (cast to its dtype): The logarithm of self to base 2.
   *
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  log2_(): this

  /**
   * As log10, written into this tensor (cast to its dtype): The logarithm of self to base 10.
   *
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  log10_(): this

  /**
   * As log1p, written into this tensor (cast to its dtype): ln(1 + self), exact near 0.
   *
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  log1p_(): this

  /**
   * As sin, written into this tensor (cast to its dtype): The sine of self (radians).
   *
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  sin_(): this

  /**
   * As cos, written into this tensor (cast to its dtype): The cosine of self (radians).
   *
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  cos_(): this

  /**
   * As tan, written into this tensor (cast to its dtype): The tangent of self (radians).
   *
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  tan_(): this

  /**
   * As asin, written into this tensor (cast to its dtype): The angle in [−π/2, π/2] whose sine is self.
   *
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  asin_(): this

  /**
   * As acos, written into this tensor (cast to its dtype): The angle in [0, π] whose cosine is self.
   *
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  acos_(): this

  /**
   * As atan, written into this tensor (cast to its dtype): The angle in (−π/2, π/2) whose tangent is self.
   *
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  atan_(): this

  /**
   * As atan2, written into this tensor (cast to its dtype): The angle of the point (other, self), in [−π, π].
   *
   * @param other what it is combined with; the two broadcast: a tensor or a number
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  atan2_(other: Operand): this
  /**
   * As atan2, written into this tensor (cast to its dtype): The angle of the point (other, self), in [−π, π].
   *
   * @param other what it is combined with; the two broadcast: a tensor or a number
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  atan2_(...args: [options: { readonly other: Operand }]): this

  /**
   * As sinh, written into this tensor (cast to its dtype): The hyperbolic sine of self.
   *
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  sinh_(): this

  /**
   * As cosh, written into this tensor (cast to its dtype): The hyperbolic cosine of self.
   *
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  cosh_(): this

  /**
   * As tanh, written into this tensor (cast to its dtype): The hyperbolic tangent of self.
   *
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  tanh_(): this

  /**
   * As asinh, written into this tensor (cast to its dtype): The inverse of sinh.
   *
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  asinh_(): this

  /**
   * As acosh, written into this tensor (cast to its dtype): The inverse of cosh, at least 0.
   *
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  acosh_(): this

  /**
   * As atanh, written into this tensor (cast to its dtype): The inverse of tanh.
   *
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  atanh_(): this

  /**
   * As erf, written into this tensor (cast to its dtype): The error function 2/√π · ∫₀^self e^(−t²) dt.
   *
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  erf_(): this

  /**
   * As erfc, written into this tensor (cast to its dtype): 1 − erf(self), exact where erf is near 1.
   *
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  erfc_(): this

  /**
   * As floor, written into this tensor (cast to its dtype): The largest integer not above self.
   *
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  floor_(): this

  /**
   * As ceil, written into this tensor (cast to its dtype): The smallest integer not below self.
   *
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  ceil_(): this

  /**
   * As trunc, written into this tensor (cast to its dtype): self without its fraction.
   *
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  trunc_(): this

  /**
   * As round, written into this tensor (cast to its dtype): The nearest integer, or number of so many decimals; halves go to the even one.
   *
   * @param decimals an integer; default 0
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  round_(options?: { readonly decimals?: number | undefined }): this

  /**
   * As lerp, written into this tensor (cast to its dtype): self + weight · (end − self).
   *
   * @param end a tensor
   * @param weight a tensor or a number
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  lerp_(end: Tensor, weight: Operand): this
  /**
   * As lerp, written into this tensor (cast to its dtype): self + weight · (end − self).
   *
   * @param end a tensor
   * @param weight a tensor or a number
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  lerp_(...args: [end: Tensor, options: { readonly weight: Operand }] | [options: { readonly end: Tensor; readonly weight: Operand }]): this

  /**
   * As sgn, written into this tensor (cast to its dtype): As sign: −1, 0 or 1.
   *
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  sgn_(): this

  /**
   * As signbit, written into this tensor (cast to its dtype): True where self is negative; of floats the sign bit, which −0 has too.
   *
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  signbit_(): this

  /**
   * As copysign, written into this tensor (cast to its dtype): |self| with the sign of other.
   *
   * @param other what it is combined with; the two broadcast: a tensor or a number
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  copysign_(other: Operand): this
  /**
   * As copysign, written into this tensor (cast to its dtype): |self| with the sign of other.
   *
   * @param other what it is combined with; the two broadcast: a tensor or a number
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  copysign_(...args: [options: { readonly other: Operand }]): this

  /**
   * As hypot, written into this tensor (cast to its dtype): √(self² + other²) without overflow; infinite if either is.
   *
   * @param other what it is combined with; the two broadcast: a tensor or a number
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  hypot_(other: Operand): this
  /**
   * As hypot, written into this tensor (cast to its dtype): √(self² + other²) without overflow; infinite if either is.
   *
   * @param other what it is combined with; the two broadcast: a tensor or a number
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  hypot_(...args: [options: { readonly other: Operand }]): this

  /**
   * As xlogy, written into this tensor (cast to its dtype): self · ln(other); 0 where self is 0, unless other is NaN.
   *
   * @param other what it is combined with; the two broadcast: a tensor or a number
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  xlogy_(other: Operand): this
  /**
   * As xlogy, written into this tensor (cast to its dtype): self · ln(other); 0 where self is 0, unless other is NaN.
   *
   * @param other what it is combined with; the two broadcast: a tensor or a number
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  xlogy_(...args: [options: { readonly other: Operand }]): this

  /**
   * As logaddexp, written into this tensor (cast to its dtype): ln(e^self + e^other), without overflow.
   *
   * @param other what it is combined with; the two broadcast: a tensor or a number
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  logaddexp_(other: Operand): this
  /**
   * As logaddexp, written into this tensor (cast to its dtype): ln(e^self + e^other), without overflow.
   *
   * @param other what it is combined with; the two broadcast: a tensor or a number
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  logaddexp_(...args: [options: { readonly other: Operand }]): this

  /**
   * As frac, written into this tensor (cast to its dtype): self − trunc(self).
   *
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  frac_(): this

  /**
   * As isposinf, written into this tensor (cast to its dtype): True where self is +∞.
   *
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  isposinf_(): this

  /**
   * As isneginf, written into this tensor (cast to its dtype): True where self is −∞.
   *
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  isneginf_(): this

  /**
   * As deg2rad, written into this tensor (cast to its dtype): self · π / 180.
   *
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  deg2rad_(): this

  /**
   * As rad2deg, written into this tensor (cast to its dtype): self · 180 / π.
   *
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  rad2deg_(): this

  /**
   * As addcmul, written into this tensor (cast to its dtype): self + value · tensor1 · tensor2.
   *
   * @param tensor1 a tensor
   * @param tensor2 a tensor
   * @param value a tensor or a number; optional
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  addcmul_(tensor1: Tensor, tensor2: Tensor, options?: { readonly value?: Operand | null | undefined }): this
  /**
   * As addcmul, written into this tensor (cast to its dtype): self + value · tensor1 · tensor2.
   *
   * @param tensor1 a tensor
   * @param tensor2 a tensor
   * @param value a tensor or a number; optional
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  addcmul_(...args: [tensor1: Tensor, options: { readonly tensor2: Tensor; readonly value?: Operand | null | undefined }] | [options: { readonly tensor1: Tensor; readonly tensor2: Tensor; readonly value?: Operand | null | undefined }]): this

  /**
   * As addcdiv, written into this tensor (cast to its dtype): self + value · tensor1 / tensor2.
   *
   * @param tensor1 a tensor
   * @param tensor2 a tensor
   * @param value a tensor or a number; optional
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  addcdiv_(tensor1: Tensor, tensor2: Tensor, options?: { readonly value?: Operand | null | undefined }): this
  /**
   * As addcdiv, written into this tensor (cast to its dtype): self + value · tensor1 / tensor2.
   *
   * @param tensor1 a tensor
   * @param tensor2 a tensor
   * @param value a tensor or a number; optional
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  addcdiv_(...args: [tensor1: Tensor, options: { readonly tensor2: Tensor; readonly value?: Operand | null | undefined }] | [options: { readonly tensor1: Tensor; readonly tensor2: Tensor; readonly value?: Operand | null | undefined }]): this

  /**
   * As isclose, written into this tensor (cast to its dtype): |self − other| ≤ atol + rtol · |other|, as bool; equal infinities are close, NaNs with equalNan.
   *
   * @param other what it is combined with; the two broadcast: a tensor or a number
   * @param rtol a number; default 0.00001
   * @param atol a number; default 1e-8
   * @param equalNan true or false; default false
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  isclose_(other: Operand, rtol?: number, atol?: number, equalNan?: boolean): this
  /**
   * As isclose, written into this tensor (cast to its dtype): |self − other| ≤ atol + rtol · |other|, as bool; equal infinities are close, NaNs with equalNan.
   *
   * @param other what it is combined with; the two broadcast: a tensor or a number
   * @param rtol a number; default 0.00001
   * @param atol a number; default 1e-8
   * @param equalNan true or false; default false
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  isclose_(...args: [other: Operand, rtol: number | undefined, atol: number | undefined, options?: { readonly equalNan?: boolean | undefined }] | [other: Operand, rtol: number | undefined, options?: { readonly atol?: number | undefined; readonly equalNan?: boolean | undefined }] | [other: Operand, options?: { readonly rtol?: number | undefined; readonly atol?: number | undefined; readonly equalNan?: boolean | undefined }] | [options: { readonly other: Operand; readonly rtol?: number | undefined; readonly atol?: number | undefined; readonly equalNan?: boolean | undefined }]): this

  /**
   * As nanToNum, written into this tensor (cast to its dtype): self with NaN replaced by nan (0), ∞ by posinf and −∞ by neginf (the largest and smallest numbers).
   *
   * @param nan a number; default 0
   * @param posinf by default the largest number of the dtype: a number; optional
   * @param neginf by default the smallest number of the dtype: a number; optional
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  nanToNum_(nan?: number, posinf?: number | null, neginf?: number | null): this
  /**
   * As nanToNum, written into this tensor (cast to its dtype): self with NaN replaced by nan (0), ∞ by posinf and −∞ by neginf (the largest and smallest numbers).
   *
   * @param nan a number; default 0
   * @param posinf by default the largest number of the dtype: a number; optional
   * @param neginf by default the smallest number of the dtype: a number; optional
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  nanToNum_(...args: [nan: number | undefined, posinf: number | null | undefined, options?: { readonly neginf?: number | null | undefined }] | [nan: number | undefined, options?: { readonly posinf?: number | null | undefined; readonly neginf?: number | null | undefined }] | [options?: { readonly nan?: number | undefined; readonly posinf?: number | null | undefined; readonly neginf?: number | null | undefined }]): this

  /**
   * As lgamma, written into this tensor (cast to its dtype): ln |Γ(self)|.
   *
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  lgamma_(): this

  /**
   * As digamma, written into this tensor (cast to its dtype): The derivative of ln Γ(self); NaN at negative integers, ∓∞ at ±0.
   *
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  digamma_(): this

  /**
   * As erfinv, written into this tensor (cast to its dtype): The number in (−∞, ∞) whose erf is self; NaN beyond ±1.
   *
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  erfinv_(): this

  /**
   * As logit, written into this tensor (cast to its dtype): ln(self / (1 − self)); with eps, of self moved into [eps, 1 − eps].
   *
   * @param eps a small number that keeps what is divided by from 0: a number; optional
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  logit_(eps?: number | null): this
  /**
   * As logit, written into this tensor (cast to its dtype): ln(self / (1 − self)); with eps, of self moved into [eps, 1 − eps].
   *
   * @param eps a small number that keeps what is divided by from 0: a number; optional
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  logit_(...args: [options?: { readonly eps?: number | null | undefined }]): this

  /**
   * As sinc, written into this tensor (cast to its dtype): sin(π · self) / (π · self); 1 at 0.
   *
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  sinc_(): this

  /**
   * As entr, written into this tensor (cast to its dtype): −self · ln(self); 0 at 0, −∞ below.
   *
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  entr_(): this

  /**
   * As xlog1py, written into this tensor (cast to its dtype): self · ln(1 + other); 0 where self is 0, unless other is NaN.
   *
   * @param other what it is combined with; the two broadcast: a tensor or a number
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  xlog1py_(other: Operand): this
  /**
   * As xlog1py, written into this tensor (cast to its dtype): self · ln(1 + other); 0 where self is 0, unless other is NaN.
   *
   * @param other what it is combined with; the two broadcast: a tensor or a number
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  xlog1py_(...args: [options: { readonly other: Operand }]): this

  /**
   * As logaddexp2, written into this tensor (cast to its dtype): log₂(2^self + 2^other), without overflow.
   *
   * @param other what it is combined with; the two broadcast: a tensor or a number
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  logaddexp2_(other: Operand): this
  /**
   * As logaddexp2, written into this tensor (cast to its dtype): log₂(2^self + 2^other), without overflow.
   *
   * @param other what it is combined with; the two broadcast: a tensor or a number
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  logaddexp2_(...args: [options: { readonly other: Operand }]): this

  /**
   * As ldexp, written into this tensor (cast to its dtype): self · 2^other.
   *
   * @param other what it is combined with; the two broadcast: a tensor or a number
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  ldexp_(other: Operand): this
  /**
   * As ldexp, written into this tensor (cast to its dtype): self · 2^other.
   *
   * @param other what it is combined with; the two broadcast: a tensor or a number
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  ldexp_(...args: [options: { readonly other: Operand }]): this

  /**
   * As heaviside, written into this tensor (cast to its dtype): 0 where self is negative or NaN, 1 where it is positive, values where it is 0.
   *
   * @param other what it is combined with; the two broadcast: a tensor or a number
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  heaviside_(other: Operand): this
  /**
   * As heaviside, written into this tensor (cast to its dtype): 0 where self is negative or NaN, 1 where it is positive, values where it is 0.
   *
   * @param other what it is combined with; the two broadcast: a tensor or a number
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  heaviside_(...args: [options: { readonly other: Operand }]): this

  /**
   * As fmax, written into this tensor (cast to its dtype): The larger of the two; the other where one is NaN.
   *
   * @param other what it is combined with; the two broadcast: a tensor or a number
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  fmax_(other: Operand): this
  /**
   * As fmax, written into this tensor (cast to its dtype): The larger of the two; the other where one is NaN.
   *
   * @param other what it is combined with; the two broadcast: a tensor or a number
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  fmax_(...args: [options: { readonly other: Operand }]): this

  /**
   * As fmin, written into this tensor (cast to its dtype): The smaller of the two; the other where one is NaN.
   *
   * @param other what it is combined with; the two broadcast: a tensor or a number
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  fmin_(other: Operand): this
  /**
   * As fmin, written into this tensor (cast to its dtype): The smaller of the two; the other where one is NaN.
   *
   * @param other what it is combined with; the two broadcast: a tensor or a number
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  fmin_(...args: [options: { readonly other: Operand }]): this

  /**
   * As floatPower, written into this tensor (cast to its dtype): self to the power of exponent, both as f64.
   *
   * @param exponent a tensor or a number
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  floatPower_(exponent: Operand): this
  /**
   * As floatPower, written into this tensor (cast to its dtype): self to the power of exponent, both as f64.
   *
   * @param exponent a tensor or a number
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  floatPower_(...args: [options: { readonly exponent: Operand }]): this

  /**
   * As gcd, written into this tensor (cast to its dtype): The greatest common divisor, at least 0; gcd(0, 0) is 0.
   *
   * @param other what it is combined with; the two broadcast: a tensor or a number
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  gcd_(other: Operand): this
  /**
   * As gcd, written into this tensor (cast to its dtype): The greatest common divisor, at least 0; gcd(0, 0) is 0.
   *
   * @param other what it is combined with; the two broadcast: a tensor or a number
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  gcd_(...args: [options: { readonly other: Operand }]): this

  /**
   * As lcm, written into this tensor (cast to its dtype): The least common multiple, at least 0; 0 if either is 0.
   *
   * @param other what it is combined with; the two broadcast: a tensor or a number
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  lcm_(other: Operand): this
  /**
   * As lcm, written into this tensor (cast to its dtype): The least common multiple, at least 0; 0 if either is 0.
   *
   * @param other what it is combined with; the two broadcast: a tensor or a number
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  lcm_(...args: [options: { readonly other: Operand }]): this

  /**
   * As prelu, written into this tensor (cast to its dtype): self where positive, weight · self elsewhere: one weight, or a vector of one per channel (dim 1); others broadcast.
   *
   * @param weight a tensor
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  prelu_(weight: Tensor): this
  /**
   * As prelu, written into this tensor (cast to its dtype): self where positive, weight · self elsewhere: one weight, or a vector of one per channel (dim 1); others broadcast.
   *
   * @param weight a tensor
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  prelu_(...args: [options: { readonly weight: Tensor }]): this

  /**
   * As threshold, written into this tensor (cast to its dtype): self where it is greater than threshold, value elsewhere; NaN stays NaN.
   *
   * @param threshold a number
   * @param value a number
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  threshold_(threshold: number, value: number): this
  /**
   * As threshold, written into this tensor (cast to its dtype): self where it is greater than threshold, value elsewhere; NaN stays NaN.
   *
   * @param threshold a number
   * @param value a number
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  threshold_(...args: [threshold: number, options: { readonly value: number }] | [options: { readonly threshold: number; readonly value: number }]): this

  /**
   * As hardshrink, written into this tensor (cast to its dtype): self where |self| > lambd, 0 elsewhere.
   *
   * @param lambd a number; default 0.5
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  hardshrink_(lambd?: number): this
  /**
   * As hardshrink, written into this tensor (cast to its dtype): self where |self| > lambd, 0 elsewhere.
   *
   * @param lambd a number; default 0.5
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  hardshrink_(...args: [options?: { readonly lambd?: number | undefined }]): this

  /**
   * As softshrink, written into this tensor (cast to its dtype): self moved by lambd towards 0, and 0 where |self| ≤ lambd.
   *
   * @param lambd a number; default 0.5
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  softshrink_(lambd?: number): this
  /**
   * As softshrink, written into this tensor (cast to its dtype): self moved by lambd towards 0, and 0 where |self| ≤ lambd.
   *
   * @param lambd a number; default 0.5
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  softshrink_(...args: [options?: { readonly lambd?: number | undefined }]): this

  /**
   * As tanhshrink, written into this tensor (cast to its dtype): self − tanh(self).
   *
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  tanhshrink_(): this

  /**
   * As relu, written into this tensor (cast to its dtype): max(self, 0).
   *
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  relu_(): this

  /**
   * As relu6, written into this tensor (cast to its dtype): min(max(self, 0), 6).
   *
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  relu6_(): this

  /**
   * As sigmoid, written into this tensor (cast to its dtype): 1 / (1 + e^−self).
   *
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  sigmoid_(): this

  /**
   * As logSigmoid, written into this tensor (cast to its dtype): ln(1 / (1 + e^−self)).
   *
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  logSigmoid_(): this

  /**
   * As gelu, written into this tensor (cast to its dtype): self · Φ(self), Φ the normal distribution function; approximate: tanh for the formula of the GELU paper.
   *
   * @param approximate 'none' or 'tanh'; default 'none'
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  gelu_(options?: { readonly approximate?: 'none' | 'tanh' | undefined }): this

  /**
   * As silu, written into this tensor (cast to its dtype): self · sigmoid(self).
   *
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  silu_(): this

  /**
   * As mish, written into this tensor (cast to its dtype): self · tanh(softplus(self)).
   *
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  mish_(): this

  /**
   * As softplus, written into this tensor (cast to its dtype): ln(1 + e^(beta · self)) / beta; self itself where beta · self > threshold.
   *
   * @param beta a number; default 1
   * @param threshold a number; default 20
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  softplus_(beta?: number, threshold?: number): this
  /**
   * As softplus, written into this tensor (cast to its dtype): ln(1 + e^(beta · self)) / beta; self itself where beta · self > threshold.
   *
   * @param beta a number; default 1
   * @param threshold a number; default 20
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  softplus_(...args: [beta: number | undefined, options?: { readonly threshold?: number | undefined }] | [options?: { readonly beta?: number | undefined; readonly threshold?: number | undefined }]): this

  /**
   * As leakyRelu, written into this tensor (cast to its dtype): self where positive, negativeSlope · self elsewhere.
   *
   * @param negativeSlope a number; default 0.01
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  leakyRelu_(negativeSlope?: number): this
  /**
   * As leakyRelu, written into this tensor (cast to its dtype): self where positive, negativeSlope · self elsewhere.
   *
   * @param negativeSlope a number; default 0.01
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  leakyRelu_(...args: [options?: { readonly negativeSlope?: number | undefined }]): this

  /**
   * As elu, written into this tensor (cast to its dtype): self where positive, alpha · (e^self − 1) elsewhere.
   *
   * @param alpha a number; default 1
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  elu_(alpha?: number): this
  /**
   * As elu, written into this tensor (cast to its dtype): self where positive, alpha · (e^self − 1) elsewhere.
   *
   * @param alpha a number; default 1
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  elu_(...args: [options?: { readonly alpha?: number | undefined }]): this

  /**
   * As selu, written into this tensor (cast to its dtype): 1.0507 · elu(self, alpha 1.6733).
   *
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  selu_(): this

  /**
   * As celu, written into this tensor (cast to its dtype): max(0, self) + min(0, alpha · (e^(self/alpha) − 1)).
   *
   * @param alpha a number; default 1
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  celu_(alpha?: number): this
  /**
   * As celu, written into this tensor (cast to its dtype): max(0, self) + min(0, alpha · (e^(self/alpha) − 1)).
   *
   * @param alpha a number; default 1
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  celu_(...args: [options?: { readonly alpha?: number | undefined }]): this

  /**
   * As hardtanh, written into this tensor (cast to its dtype): self between minVal and maxVal.
   *
   * @param minVal a number; default -1
   * @param maxVal a number; default 1
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  hardtanh_(minVal?: number, maxVal?: number): this
  /**
   * As hardtanh, written into this tensor (cast to its dtype): self between minVal and maxVal.
   *
   * @param minVal a number; default -1
   * @param maxVal a number; default 1
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  hardtanh_(...args: [minVal: number | undefined, options?: { readonly maxVal?: number | undefined }] | [options?: { readonly minVal?: number | undefined; readonly maxVal?: number | undefined }]): this

  /**
   * As hardsigmoid, written into this tensor (cast to its dtype): min(max(self + 3, 0), 6) / 6.
   *
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  hardsigmoid_(): this

  /**
   * As hardswish, written into this tensor (cast to its dtype): self · min(max(self + 3, 0), 6) / 6.
   *
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  hardswish_(): this

  /**
   * As softsign, written into this tensor (cast to its dtype): self / (1 + |self|).
   *
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  softsign_(): this

  /**
   * As maskedFill, written into this tensor (cast to its dtype): value where mask (bool) is true, self elsewhere; keeps the dtype of self.
   *
   * @param mask where: true counts: a tensor
   * @param value a tensor or a number
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  maskedFill_(mask: Tensor, value: Operand): this
  /**
   * As maskedFill, written into this tensor (cast to its dtype): value where mask (bool) is true, self elsewhere; keeps the dtype of self.
   *
   * @param mask where: true counts: a tensor
   * @param value a tensor or a number
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  maskedFill_(...args: [mask: Tensor, options: { readonly value: Operand }] | [options: { readonly mask: Tensor; readonly value: Operand }]): this

  /**
   * As scatter, written into this tensor (cast to its dtype): self with src (a tensor or number) written at index[…] along a dim; reduce 'add' or 'multiply' folds it in. Elements that meet are put in order, on every device: the last stands.
   *
   * @param dim the dim (negative ones count from the end): an integer
   * @param index the places along the dim: a tensor
   * @param src what is put there: a tensor or a number
   * @param reduce how it is folded in; written unless given: 'add' or 'multiply'; optional
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  scatter_(dim: number, index: Tensor, src: Operand, options?: { readonly reduce?: 'add' | 'multiply' | null | undefined }): this
  /**
   * As scatter, written into this tensor (cast to its dtype): self with src (a tensor or number) written at index[…] along a dim; reduce 'add' or 'multiply' folds it in. Elements that meet are put in order, on every device: the last stands.
   *
   * @param dim the dim (negative ones count from the end): an integer
   * @param index the places along the dim: a tensor
   * @param src what is put there: a tensor or a number
   * @param reduce how it is folded in; written unless given: 'add' or 'multiply'; optional
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  scatter_(...args: [dim: number, index: Tensor, options: { readonly src: Operand; readonly reduce?: 'add' | 'multiply' | null | undefined }] | [dim: number, options: { readonly index: Tensor; readonly src: Operand; readonly reduce?: 'add' | 'multiply' | null | undefined }] | [options: { readonly dim: number; readonly index: Tensor; readonly src: Operand; readonly reduce?: 'add' | 'multiply' | null | undefined }]): this

  /**
   * As scatterAdd, written into this tensor (cast to its dtype): self with src added at index[…] along a dim.
   *
   * @param dim the dim (negative ones count from the end): an integer
   * @param index the places along the dim: a tensor
   * @param src what is put there: a tensor
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  scatterAdd_(dim: number, index: Tensor, src: Tensor): this
  /**
   * As scatterAdd, written into this tensor (cast to its dtype): self with src added at index[…] along a dim.
   *
   * @param dim the dim (negative ones count from the end): an integer
   * @param index the places along the dim: a tensor
   * @param src what is put there: a tensor
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  scatterAdd_(...args: [dim: number, index: Tensor, options: { readonly src: Tensor }] | [dim: number, options: { readonly index: Tensor; readonly src: Tensor }] | [options: { readonly dim: number; readonly index: Tensor; readonly src: Tensor }]): this

  /**
   * As scatterReduce, written into this tensor (cast to its dtype): self folded with src at index[…] along a dim: 'sum', 'prod', 'mean', 'amax' or 'amin'; includeSelf false leaves self's own value out where something is put.
   *
   * @param dim the dim (negative ones count from the end): an integer
   * @param index the places along the dim: a tensor
   * @param src what is folded in: a tensor
   * @param reduce 'sum', 'prod', 'mean', 'amax' or 'amin'
   * @param includeSelf whether own values count where something is put: true or false; default true
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  scatterReduce_(dim: number, index: Tensor, src: Tensor, reduce: 'sum' | 'prod' | 'mean' | 'amax' | 'amin', options?: { readonly includeSelf?: boolean | undefined }): this
  /**
   * As scatterReduce, written into this tensor (cast to its dtype): self folded with src at index[…] along a dim: 'sum', 'prod', 'mean', 'amax' or 'amin'; includeSelf false leaves self's own value out where something is put.
   *
   * @param dim the dim (negative ones count from the end): an integer
   * @param index the places along the dim: a tensor
   * @param src what is folded in: a tensor
   * @param reduce 'sum', 'prod', 'mean', 'amax' or 'amin'
   * @param includeSelf whether own values count where something is put: true or false; default true
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  scatterReduce_(...args: [dim: number, index: Tensor, src: Tensor, options: { readonly reduce: 'sum' | 'prod' | 'mean' | 'amax' | 'amin'; readonly includeSelf?: boolean | undefined }] | [dim: number, index: Tensor, options: { readonly src: Tensor; readonly reduce: 'sum' | 'prod' | 'mean' | 'amax' | 'amin'; readonly includeSelf?: boolean | undefined }] | [dim: number, options: { readonly index: Tensor; readonly src: Tensor; readonly reduce: 'sum' | 'prod' | 'mean' | 'amax' | 'amin'; readonly includeSelf?: boolean | undefined }] | [options: { readonly dim: number; readonly index: Tensor; readonly src: Tensor; readonly reduce: 'sum' | 'prod' | 'mean' | 'amax' | 'amin'; readonly includeSelf?: boolean | undefined }]): this

  /**
   * As indexAdd, written into this tensor (cast to its dtype): self with alpha · source added to its slices at a 1-D index along a dim.
   *
   * @param dim the dim (negative ones count from the end): an integer
   * @param index the places along the dim: a tensor
   * @param source what is put there: a tensor
   * @param alpha a factor of source; 1 unless given: a tensor or a number; optional
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  indexAdd_(dim: number, index: Tensor, source: Tensor, options?: { readonly alpha?: Operand | null | undefined }): this
  /**
   * As indexAdd, written into this tensor (cast to its dtype): self with alpha · source added to its slices at a 1-D index along a dim.
   *
   * @param dim the dim (negative ones count from the end): an integer
   * @param index the places along the dim: a tensor
   * @param source what is put there: a tensor
   * @param alpha a factor of source; 1 unless given: a tensor or a number; optional
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  indexAdd_(...args: [dim: number, index: Tensor, options: { readonly source: Tensor; readonly alpha?: Operand | null | undefined }] | [dim: number, options: { readonly index: Tensor; readonly source: Tensor; readonly alpha?: Operand | null | undefined }] | [options: { readonly dim: number; readonly index: Tensor; readonly source: Tensor; readonly alpha?: Operand | null | undefined }]): this

  /**
   * As indexCopy, written into this tensor (cast to its dtype): self with its slices at a 1-D index along a dim replaced by those of source.
   *
   * @param dim the dim (negative ones count from the end): an integer
   * @param index the places along the dim: a tensor
   * @param source what is put there: a tensor
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  indexCopy_(dim: number, index: Tensor, source: Tensor): this
  /**
   * As indexCopy, written into this tensor (cast to its dtype): self with its slices at a 1-D index along a dim replaced by those of source.
   *
   * @param dim the dim (negative ones count from the end): an integer
   * @param index the places along the dim: a tensor
   * @param source what is put there: a tensor
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  indexCopy_(...args: [dim: number, index: Tensor, options: { readonly source: Tensor }] | [dim: number, options: { readonly index: Tensor; readonly source: Tensor }] | [options: { readonly dim: number; readonly index: Tensor; readonly source: Tensor }]): this

  /**
   * As indexFill, written into this tensor (cast to its dtype): self with its slices at a 1-D index along a dim filled with a value; negative indices count from the end.
   *
   * @param dim the dim (negative ones count from the end): an integer
   * @param index the places along the dim: a tensor
   * @param value a tensor or a number
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  indexFill_(dim: number, index: Tensor, value: Operand): this
  /**
   * As indexFill, written into this tensor (cast to its dtype): self with its slices at a 1-D index along a dim filled with a value; negative indices count from the end.
   *
   * @param dim the dim (negative ones count from the end): an integer
   * @param index the places along the dim: a tensor
   * @param value a tensor or a number
   * @throws ArgumentError, ShapeError or DtypeError for arguments that do not fit
   */
  indexFill_(...args: [dim: number, index: Tensor, options: { readonly value: Operand }] | [dim: number, options: { readonly index: Tensor; readonly value: Operand }] | [options: { readonly dim: number; readonly index: Tensor; readonly value: Operand }]): this
}

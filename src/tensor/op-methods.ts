/** The methods of ops, and those that write in place.
 *
 * Written by `npx tsx scripts/op-types.ts` from the records' signatures: change those.
 */
import type { TensorDtype } from '../types/dtype.js'
import type { IndexLike, Operand, Range, Scalar, SizeLike } from './parameters.js'
import type { Tensor } from './tensor-type.js'

/** The methods of ops. */
export interface OpMethods {
  /**
   * input + alpha · other.
   *
   * Takes any dtype.
   *
   * @param other a tensor or a number: the other operand
   * @param alpha a tensor or a number: a factor on other; 1 unless given (optional)
   * @returns the broadcast shape; the promoted dtype
   * @throws ShapeError when the shapes do not broadcast
   */
  add(other: Operand, options?: { readonly alpha?: Operand | null | undefined }): Tensor
  add(...args: [options: { readonly other: Operand; readonly alpha?: Operand | null | undefined }]): Tensor

  /**
   * input − alpha · other.
   *
   * Takes any dtype but bool.
   *
   * @param other a tensor or a number: the other operand
   * @param alpha a tensor or a number: a factor on other; 1 unless given (optional)
   * @returns the broadcast shape; the promoted dtype
   * @throws DtypeError for bool
   * @throws ShapeError when the shapes do not broadcast
   */
  sub(other: Operand, options?: { readonly alpha?: Operand | null | undefined }): Tensor
  sub(...args: [options: { readonly other: Operand; readonly alpha?: Operand | null | undefined }]): Tensor

  /** As `sub`: input − alpha · other. */
  subtract: this['sub']

  /**
   * input · other.
   *
   * Takes any dtype.
   *
   * @param other a tensor or a number: the other operand
   * @returns the broadcast shape; the promoted dtype
   * @throws ShapeError when the shapes do not broadcast
   */
  mul(other: Operand): Tensor
  mul(...args: [options: { readonly other: Operand }]): Tensor

  /** As `mul`: input · other. */
  multiply: this['mul']

  /**
   * input / other; roundingMode floor or trunc rounds the quotient and keeps integers.
   *
   * Takes any dtype.
   *
   * @param other a tensor or a number: what is divided by
   * @param roundingMode 'floor' or 'trunc': null: the quotient itself · 'floor': rounded down · 'trunc': rounded towards 0; the rounded ones keep integers (optional)
   * @returns the broadcast shape; the promoted dtype; without a roundingMode f32 for integers and bool
   * @throws ArgumentError when integers are divided by a plain 0, or by a tensor with zeros on a CPU outside of compile, with a roundingMode
   * @throws DtypeError for bool with a roundingMode
   * @throws ShapeError when the shapes do not broadcast
   */
  div(other: Operand, options?: { readonly roundingMode?: 'floor' | 'trunc' | null | undefined }): Tensor
  div(...args: [options: { readonly other: Operand; readonly roundingMode?: 'floor' | 'trunc' | null | undefined }]): Tensor

  /** As `div`: input / other; roundingMode floor or trunc rounds the quotient and keeps integers. */
  divide: this['div']

  /**
   * input / other, of integers in f32: div without rounding.
   *
   * Takes any dtype.
   *
   * @param other a tensor or a number: the other operand
   * @returns the broadcast shape; the promoted dtype, f32 for integers and bool
   * @throws ShapeError when the shapes do not broadcast
   */
  trueDivide(other: Operand): Tensor
  trueDivide(...args: [options: { readonly other: Operand }]): Tensor

  /**
   * ⌊input / other⌋.
   *
   * Takes any dtype but bool.
   *
   * @param other a tensor or a number: the other operand
   * @returns the broadcast shape; the promoted dtype
   * @throws ArgumentError when integers are divided by a plain 0, or by a tensor with zeros on a CPU outside of compile
   * @throws DtypeError for bool
   * @throws ShapeError when the shapes do not broadcast
   */
  floorDivide(other: Operand): Tensor
  floorDivide(...args: [options: { readonly other: Operand }]): Tensor

  /**
   * input − other · ⌊input / other⌋: the remainder, with the sign of other.
   *
   * Takes any dtype but bool.
   *
   * @param other a tensor or a number: the other operand
   * @returns the broadcast shape; the promoted dtype
   * @throws ArgumentError when integers are divided by a plain 0, or by a tensor with zeros on a CPU outside of compile
   * @throws DtypeError for bool
   * @throws ShapeError when the shapes do not broadcast
   */
  remainder(other: Operand): Tensor
  remainder(...args: [options: { readonly other: Operand }]): Tensor

  /**
   * The remainder of input / other, with the sign of input.
   *
   * Takes any dtype but bool.
   *
   * @param other a tensor or a number: the other operand
   * @returns the broadcast shape; the promoted dtype
   * @throws ArgumentError when integers are divided by a plain 0, or by a tensor with zeros on a CPU outside of compile
   * @throws DtypeError for bool
   * @throws ShapeError when the shapes do not broadcast
   */
  fmod(other: Operand): Tensor
  fmod(...args: [options: { readonly other: Operand }]): Tensor

  /**
   * input to the power of exponent.
   *
   * Takes any dtype but bool.
   *
   * @param exponent a tensor or a number: the power; negative ones of integer tensors give 0, of 1 and −1 their powers
   * @returns the broadcast shape; the promoted dtype
   * @throws ArgumentError when integers are raised to a negative plain number
   * @throws DtypeError for bool
   * @throws ShapeError when the shapes do not broadcast
   */
  pow(exponent: Operand): Tensor
  pow(...args: [options: { readonly exponent: Operand }]): Tensor

  /**
   * −input.
   *
   * Takes any dtype but bool.
   *
   * @returns the shape of input; the dtype of input
   * @throws DtypeError for bool
   */
  neg(): Tensor

  /** As `neg`: −input. */
  negative: this['neg']

  /**
   * |input|.
   *
   * Takes any dtype but bool.
   *
   * @returns the shape of input; the dtype of input
   * @throws DtypeError for bool
   */
  abs(): Tensor

  /** As `abs`: |input|. */
  absolute: this['abs']

  /**
   * −1, 0 or 1 by the sign of input; NaN stays NaN.
   *
   * Takes any dtype.
   *
   * @returns the shape of input; the dtype of input
   */
  sign(): Tensor

  /** As `sign`: −1, 0 or 1 by the sign of input; NaN stays NaN. */
  sgn: this['sign']

  /**
   * 1 / input.
   *
   * Takes any dtype.
   *
   * @returns the shape of input; the dtype of input, f32 for integers and bool
   */
  reciprocal(): Tensor

  /**
   * input²; of bool as i64.
   *
   * Takes any dtype.
   *
   * @returns the shape of input; the dtype of input, i64 for bool
   */
  square(): Tensor

  /**
   * The larger of the two; NaN if either is NaN.
   *
   * Takes any dtype.
   *
   * @param other a tensor or a number: the other operand
   * @returns the broadcast shape; the promoted dtype
   * @throws ShapeError when the shapes do not broadcast
   */
  maximum(other: Operand): Tensor
  maximum(...args: [options: { readonly other: Operand }]): Tensor

  /**
   * The smaller of the two; NaN if either is NaN.
   *
   * Takes any dtype.
   *
   * @param other a tensor or a number: the other operand
   * @returns the broadcast shape; the promoted dtype
   * @throws ShapeError when the shapes do not broadcast
   */
  minimum(other: Operand): Tensor
  minimum(...args: [options: { readonly other: Operand }]): Tensor

  /**
   * min(max(input, min), max); either limit may be missing.
   *
   * NaN stays NaN; where a limit is NaN the result is.
   * Takes any dtype but bool.
   *
   * @param min a tensor or a number: the lower limit (optional)
   * @param max a tensor or a number: the upper limit; it wins where it is below min (optional)
   * @returns the broadcast shape; the promoted dtype
   * @throws ArgumentError when neither min nor max is given
   * @throws DtypeError for bool
   * @throws ShapeError when the shapes do not broadcast
   */
  clamp(min?: Operand | null, max?: Operand | null): Tensor
  clamp(...args: [min: Operand | null | undefined, options?: { readonly max?: Operand | null | undefined }] | [options?: { readonly min?: Operand | null | undefined; readonly max?: Operand | null | undefined }]): Tensor

  /** As `clamp`: min(max(input, min), max); either limit may be missing. */
  clip: this['clamp']

  /**
   * input = other, as bool.
   *
   * Takes any dtype.
   *
   * @param other a tensor or a number: the other operand
   * @returns the broadcast shape; bool
   * @throws ShapeError when the shapes do not broadcast
   */
  eq(other: Operand): Tensor
  eq(...args: [options: { readonly other: Operand }]): Tensor

  /**
   * input ≠ other, as bool.
   *
   * Takes any dtype.
   *
   * @param other a tensor or a number: the other operand
   * @returns the broadcast shape; bool
   * @throws ShapeError when the shapes do not broadcast
   */
  ne(other: Operand): Tensor
  ne(...args: [options: { readonly other: Operand }]): Tensor

  /** As `ne`: input ≠ other, as bool. */
  notEqual: this['ne']

  /**
   * input < other, as bool.
   *
   * Takes any dtype.
   *
   * @param other a tensor or a number: the other operand
   * @returns the broadcast shape; bool
   * @throws ShapeError when the shapes do not broadcast
   */
  lt(other: Operand): Tensor
  lt(...args: [options: { readonly other: Operand }]): Tensor

  /** As `lt`: input < other, as bool. */
  less: this['lt']

  /**
   * input ≤ other, as bool.
   *
   * Takes any dtype.
   *
   * @param other a tensor or a number: the other operand
   * @returns the broadcast shape; bool
   * @throws ShapeError when the shapes do not broadcast
   */
  le(other: Operand): Tensor
  le(...args: [options: { readonly other: Operand }]): Tensor

  /** As `le`: input ≤ other, as bool. */
  lessEqual: this['le']

  /**
   * input > other, as bool.
   *
   * Takes any dtype.
   *
   * @param other a tensor or a number: the other operand
   * @returns the broadcast shape; bool
   * @throws ShapeError when the shapes do not broadcast
   */
  gt(other: Operand): Tensor
  gt(...args: [options: { readonly other: Operand }]): Tensor

  /** As `gt`: input > other, as bool. */
  greater: this['gt']

  /**
   * input ≥ other, as bool.
   *
   * Takes any dtype.
   *
   * @param other a tensor or a number: the other operand
   * @returns the broadcast shape; bool
   * @throws ShapeError when the shapes do not broadcast
   */
  ge(other: Operand): Tensor
  ge(...args: [options: { readonly other: Operand }]): Tensor

  /** As `ge`: input ≥ other, as bool. */
  greaterEqual: this['ge']

  /**
   * input and other on truth values (anything but 0 is true).
   *
   * Takes any dtype.
   *
   * @param other a tensor or a number: the other operand
   * @returns the broadcast shape; bool
   * @throws ShapeError when the shapes do not broadcast
   */
  logicalAnd(other: Operand): Tensor
  logicalAnd(...args: [options: { readonly other: Operand }]): Tensor

  /**
   * input or other on truth values (anything but 0 is true).
   *
   * Takes any dtype.
   *
   * @param other a tensor or a number: the other operand
   * @returns the broadcast shape; bool
   * @throws ShapeError when the shapes do not broadcast
   */
  logicalOr(other: Operand): Tensor
  logicalOr(...args: [options: { readonly other: Operand }]): Tensor

  /**
   * input exclusive or other on truth values (anything but 0 is true).
   *
   * Takes any dtype.
   *
   * @param other a tensor or a number: the other operand
   * @returns the broadcast shape; bool
   * @throws ShapeError when the shapes do not broadcast
   */
  logicalXor(other: Operand): Tensor
  logicalXor(...args: [options: { readonly other: Operand }]): Tensor

  /**
   * True where input is 0.
   *
   * Takes any dtype.
   *
   * @returns the shape of input; bool
   */
  logicalNot(): Tensor

  /**
   * input and other, bit by bit; on bool, logically.
   *
   * Takes integers and bool.
   *
   * @param other a tensor or a number: the other operand
   * @returns the broadcast shape; the promoted dtype
   * @throws DtypeError for floats
   * @throws ShapeError when the shapes do not broadcast
   */
  bitwiseAnd(other: Operand): Tensor
  bitwiseAnd(...args: [options: { readonly other: Operand }]): Tensor

  /**
   * input or other, bit by bit; on bool, logically.
   *
   * Takes integers and bool.
   *
   * @param other a tensor or a number: the other operand
   * @returns the broadcast shape; the promoted dtype
   * @throws DtypeError for floats
   * @throws ShapeError when the shapes do not broadcast
   */
  bitwiseOr(other: Operand): Tensor
  bitwiseOr(...args: [options: { readonly other: Operand }]): Tensor

  /**
   * input exclusive or other, bit by bit; on bool, logically.
   *
   * Takes integers and bool.
   *
   * @param other a tensor or a number: the other operand
   * @returns the broadcast shape; the promoted dtype
   * @throws DtypeError for floats
   * @throws ShapeError when the shapes do not broadcast
   */
  bitwiseXor(other: Operand): Tensor
  bitwiseXor(...args: [options: { readonly other: Operand }]): Tensor

  /**
   * Every bit of input inverted; on bool, logical not.
   *
   * Takes integers and bool.
   *
   * @returns the shape of input; the dtype of input
   * @throws DtypeError for floats
   */
  bitwiseNot(): Tensor

  /**
   * input · 2^other; bits shifted out are lost.
   *
   * Takes integers.
   *
   * @param other a tensor or a number: the other operand
   * @returns the broadcast shape; the promoted dtype
   * @throws DtypeError for floats and bool
   * @throws ShapeError when the shapes do not broadcast
   */
  bitwiseLeftShift(other: Operand): Tensor
  bitwiseLeftShift(...args: [options: { readonly other: Operand }]): Tensor

  /**
   * ⌊input / 2^other⌋.
   *
   * Takes integers.
   *
   * @param other a tensor or a number: the other operand
   * @returns the broadcast shape; the promoted dtype
   * @throws DtypeError for floats and bool
   * @throws ShapeError when the shapes do not broadcast
   */
  bitwiseRightShift(other: Operand): Tensor
  bitwiseRightShift(...args: [options: { readonly other: Operand }]): Tensor

  /**
   * True where input is NaN.
   *
   * Takes any dtype.
   *
   * @returns the shape of input; bool
   */
  isnan(): Tensor

  /**
   * True where input is infinite.
   *
   * Takes any dtype.
   *
   * @returns the shape of input; bool
   */
  isinf(): Tensor

  /**
   * True where input is neither infinite nor NaN.
   *
   * Takes any dtype.
   *
   * @returns the shape of input; bool
   */
  isfinite(): Tensor

  /**
   * √input.
   *
   * Takes any dtype.
   *
   * @returns the shape of input; the dtype of input, f32 for integers and bool
   */
  sqrt(): Tensor

  /**
   * 1 / √input.
   *
   * Takes any dtype.
   *
   * @returns the shape of input; the dtype of input, f32 for integers and bool
   */
  rsqrt(): Tensor

  /**
   * e^input.
   *
   * Takes any dtype.
   *
   * @returns the shape of input; the dtype of input, f32 for integers and bool
   */
  exp(): Tensor

  /**
   * 2^input.
   *
   * Takes any dtype.
   *
   * @returns the shape of input; the dtype of input, f32 for integers and bool
   */
  exp2(): Tensor

  /**
   * e^input − 1, exact near 0.
   *
   * Takes any dtype.
   *
   * @returns the shape of input; the dtype of input, f32 for integers and bool
   */
  expm1(): Tensor

  /**
   * The natural logarithm of input.
   *
   * Takes any dtype.
   *
   * @returns the shape of input; the dtype of input, f32 for integers and bool
   */
  log(): Tensor

  /**
   * The logarithm of input to base 2.
   *
   * Takes any dtype.
   *
   * @returns the shape of input; the dtype of input, f32 for integers and bool
   */
  log2(): Tensor

  /**
   * The logarithm of input to base 10.
   *
   * Takes any dtype.
   *
   * @returns the shape of input; the dtype of input, f32 for integers and bool
   */
  log10(): Tensor

  /**
   * ln(1 + input), exact near 0.
   *
   * Takes any dtype.
   *
   * @returns the shape of input; the dtype of input, f32 for integers and bool
   */
  log1p(): Tensor

  /**
   * The sine of input (radians).
   *
   * Takes any dtype.
   *
   * @returns the shape of input; the dtype of input, f32 for integers and bool
   */
  sin(): Tensor

  /**
   * The cosine of input (radians).
   *
   * Takes any dtype.
   *
   * @returns the shape of input; the dtype of input, f32 for integers and bool
   */
  cos(): Tensor

  /**
   * The tangent of input (radians).
   *
   * Takes any dtype.
   *
   * @returns the shape of input; the dtype of input, f32 for integers and bool
   */
  tan(): Tensor

  /**
   * The angle in [−π/2, π/2] whose sine is input.
   *
   * Takes any dtype.
   *
   * @returns the shape of input; the dtype of input, f32 for integers and bool
   */
  asin(): Tensor

  /** As `asin`: The angle in [−π/2, π/2] whose sine is input. */
  arcsin: this['asin']

  /**
   * The angle in [0, π] whose cosine is input.
   *
   * Takes any dtype.
   *
   * @returns the shape of input; the dtype of input, f32 for integers and bool
   */
  acos(): Tensor

  /** As `acos`: The angle in [0, π] whose cosine is input. */
  arccos: this['acos']

  /**
   * The angle in (−π/2, π/2) whose tangent is input.
   *
   * Takes any dtype.
   *
   * @returns the shape of input; the dtype of input, f32 for integers and bool
   */
  atan(): Tensor

  /** As `atan`: The angle in (−π/2, π/2) whose tangent is input. */
  arctan: this['atan']

  /**
   * The angle of the point (other, input), in [−π, π].
   *
   * Takes any dtype.
   *
   * @param other a tensor or a number: the other operand
   * @returns the broadcast shape; the promoted dtype, f32 for integers and bool
   * @throws ShapeError when the shapes do not broadcast
   */
  atan2(other: Operand): Tensor
  atan2(...args: [options: { readonly other: Operand }]): Tensor

  /** As `atan2`: The angle of the point (other, input), in [−π, π]. */
  arctan2: this['atan2']

  /**
   * The hyperbolic sine of input.
   *
   * Takes any dtype.
   *
   * @returns the shape of input; the dtype of input, f32 for integers and bool
   */
  sinh(): Tensor

  /**
   * The hyperbolic cosine of input.
   *
   * Takes any dtype.
   *
   * @returns the shape of input; the dtype of input, f32 for integers and bool
   */
  cosh(): Tensor

  /**
   * The hyperbolic tangent of input.
   *
   * Takes any dtype.
   *
   * @returns the shape of input; the dtype of input, f32 for integers and bool
   */
  tanh(): Tensor

  /**
   * The inverse of sinh.
   *
   * Takes any dtype.
   *
   * @returns the shape of input; the dtype of input, f32 for integers and bool
   */
  asinh(): Tensor

  /** As `asinh`: The inverse of sinh. */
  arcsinh: this['asinh']

  /**
   * The inverse of cosh, at least 0.
   *
   * Takes any dtype.
   *
   * @returns the shape of input; the dtype of input, f32 for integers and bool
   */
  acosh(): Tensor

  /** As `acosh`: The inverse of cosh, at least 0. */
  arccosh: this['acosh']

  /**
   * The inverse of tanh.
   *
   * Takes any dtype.
   *
   * @returns the shape of input; the dtype of input, f32 for integers and bool
   */
  atanh(): Tensor

  /** As `atanh`: The inverse of tanh. */
  arctanh: this['atanh']

  /**
   * The error function 2/√π · ∫₀^input e^(−t²) dt.
   *
   * Takes any dtype.
   *
   * @returns the shape of input; the dtype of input, f32 for integers and bool
   */
  erf(): Tensor

  /**
   * 1 − erf(input), exact where erf is near 1.
   *
   * Takes any dtype.
   *
   * @returns the shape of input; the dtype of input, f32 for integers and bool
   */
  erfc(): Tensor

  /**
   * The largest integer not above input.
   *
   * Takes any dtype but bool.
   *
   * @returns the shape of input; the dtype of input
   * @throws DtypeError for bool
   */
  floor(): Tensor

  /**
   * The smallest integer not below input.
   *
   * Takes any dtype but bool.
   *
   * @returns the shape of input; the dtype of input
   * @throws DtypeError for bool
   */
  ceil(): Tensor

  /**
   * input without its fraction.
   *
   * Takes any dtype but bool.
   *
   * @returns the shape of input; the dtype of input
   * @throws DtypeError for bool
   */
  trunc(): Tensor

  /** As `trunc`: input without its fraction. */
  fix: this['trunc']

  /**
   * input rounded to an integer, or to the given number of decimals; halves are rounded to even.
   *
   * Takes any dtype but bool.
   *
   * @param decimals an integer: how many decimals stay; negative: to tens, hundreds, … (default 0)
   * @returns the shape of input; the dtype of input
   * @throws DtypeError for bool, or for integers with decimals other than 0
   */
  round(options?: { readonly decimals?: number | undefined }): Tensor

  /**
   * input + weight · (end − input).
   *
   * Takes any dtype.
   *
   * @param end a tensor: what weight 1 gives
   * @param weight a tensor or a number: the share of end
   * @returns the broadcast shape; the promoted dtype, f32 for integers and bool
   * @throws ShapeError when the shapes do not broadcast
   */
  lerp(end: Tensor, weight: Operand): Tensor
  lerp(...args: [end: Tensor, options: { readonly weight: Operand }] | [options: { readonly end: Tensor; readonly weight: Operand }]): Tensor

  /**
   * 1 / (1 + e^−input).
   *
   * Takes any dtype.
   *
   * @returns the shape of input; the dtype of input, f32 for integers and bool
   */
  sigmoid(): Tensor

  /**
   * True where input is negative; of floats the sign bit, which −0 has too.
   *
   * Takes any dtype.
   *
   * @returns the shape of input; bool
   */
  signbit(): Tensor

  /**
   * |input| with the sign of other.
   *
   * Takes any dtype.
   *
   * @param other a tensor or a number: the other operand
   * @returns the broadcast shape; the promoted dtype, f32 for integers and bool
   * @throws ShapeError when the shapes do not broadcast
   */
  copysign(other: Operand): Tensor
  copysign(...args: [options: { readonly other: Operand }]): Tensor

  /**
   * √(input² + other²) without overflow; infinite if either is.
   *
   * Takes any dtype.
   *
   * @param other a tensor or a number: the other operand
   * @returns the broadcast shape; the promoted dtype, f32 for integers and bool
   * @throws ShapeError when the shapes do not broadcast
   */
  hypot(other: Operand): Tensor
  hypot(...args: [options: { readonly other: Operand }]): Tensor

  /**
   * input · ln(other); 0 where input is 0, unless other is NaN.
   *
   * Takes any dtype.
   *
   * @param other a tensor or a number: the other operand
   * @returns the broadcast shape; the promoted dtype, f32 for integers and bool
   * @throws ShapeError when the shapes do not broadcast
   */
  xlogy(other: Operand): Tensor
  xlogy(...args: [options: { readonly other: Operand }]): Tensor

  /**
   * ln(e^input + e^other), without overflow.
   *
   * Takes any dtype.
   *
   * @param other a tensor or a number: the other operand
   * @returns the broadcast shape; the promoted dtype, f32 for integers and bool
   * @throws ShapeError when the shapes do not broadcast
   */
  logaddexp(other: Operand): Tensor
  logaddexp(...args: [options: { readonly other: Operand }]): Tensor

  /**
   * input − trunc(input).
   *
   * Takes any dtype.
   *
   * @returns the shape of input; the dtype of input, f32 for integers and bool
   */
  frac(): Tensor

  /**
   * True where input is +∞.
   *
   * Takes any dtype.
   *
   * @returns the shape of input; bool
   */
  isposinf(): Tensor

  /**
   * True where input is −∞.
   *
   * Takes any dtype.
   *
   * @returns the shape of input; bool
   */
  isneginf(): Tensor

  /**
   * input · π / 180.
   *
   * Takes any dtype.
   *
   * @returns the shape of input; the dtype of input, f32 for integers and bool
   */
  deg2rad(): Tensor

  /**
   * input · 180 / π.
   *
   * Takes any dtype.
   *
   * @returns the shape of input; the dtype of input, f32 for integers and bool
   */
  rad2deg(): Tensor

  /**
   * input + value · tensor1 · tensor2.
   *
   * Takes any dtype but bool.
   *
   * @param tensor1 a tensor: one factor
   * @param tensor2 a tensor: the other factor
   * @param value a tensor or a number: a factor on the product; 1 unless given (optional)
   * @returns the broadcast shape; the promoted dtype
   * @throws DtypeError for bool
   * @throws ShapeError when the shapes do not broadcast
   */
  addcmul(tensor1: Tensor, tensor2: Tensor, options?: { readonly value?: Operand | null | undefined }): Tensor
  addcmul(...args: [tensor1: Tensor, options: { readonly tensor2: Tensor; readonly value?: Operand | null | undefined }] | [options: { readonly tensor1: Tensor; readonly tensor2: Tensor; readonly value?: Operand | null | undefined }]): Tensor

  /**
   * input + value · tensor1 / tensor2.
   *
   * Takes any dtype.
   *
   * @param tensor1 a tensor: what is divided
   * @param tensor2 a tensor: the divisor
   * @param value a tensor or a number: a factor on the quotient; 1 unless given (optional)
   * @returns the broadcast shape; the promoted dtype, f32 for integers and bool
   * @throws ShapeError when the shapes do not broadcast
   */
  addcdiv(tensor1: Tensor, tensor2: Tensor, options?: { readonly value?: Operand | null | undefined }): Tensor
  addcdiv(...args: [tensor1: Tensor, options: { readonly tensor2: Tensor; readonly value?: Operand | null | undefined }] | [options: { readonly tensor1: Tensor; readonly tensor2: Tensor; readonly value?: Operand | null | undefined }]): Tensor

  /**
   * |input − other| ≤ atol + rtol · |other|, as bool; equal infinities are close, NaNs with equalNan.
   *
   * Takes any dtype.
   *
   * @param other a tensor or a number: the other operand
   * @param rtol a number: the relative tolerance: a factor on |other| (default 1e-5)
   * @param atol a number: the absolute tolerance (default 1e-8)
   * @param equalNan true or false: NaN is close to NaN (default false)
   * @returns the broadcast shape; bool
   * @throws ArgumentError when rtol or atol is negative
   * @throws ShapeError when the shapes do not broadcast
   */
  isclose(other: Operand, rtol?: number, atol?: number, equalNan?: boolean): Tensor
  isclose(...args: [other: Operand, rtol: number | undefined, atol: number | undefined, options?: { readonly equalNan?: boolean | undefined }] | [other: Operand, rtol: number | undefined, options?: { readonly atol?: number | undefined; readonly equalNan?: boolean | undefined }] | [other: Operand, options?: { readonly rtol?: number | undefined; readonly atol?: number | undefined; readonly equalNan?: boolean | undefined }] | [options: { readonly other: Operand; readonly rtol?: number | undefined; readonly atol?: number | undefined; readonly equalNan?: boolean | undefined }]): Tensor

  /**
   * input with NaN replaced by nan (0), ∞ by posinf and −∞ by neginf (the largest and smallest numbers).
   *
   * Integers and bool stay as they are.
   * Takes any dtype.
   *
   * @param nan a number: what replaces NaN (default 0)
   * @param posinf a number: what replaces ∞; by default the largest number of the dtype (optional)
   * @param neginf a number: what replaces −∞; by default the smallest number of the dtype (optional)
   * @returns the shape of input; the dtype of input
   */
  nanToNum(nan?: number, posinf?: number | null, neginf?: number | null): Tensor
  nanToNum(...args: [nan: number | undefined, posinf: number | null | undefined, options?: { readonly neginf?: number | null | undefined }] | [nan: number | undefined, options?: { readonly posinf?: number | null | undefined; readonly neginf?: number | null | undefined }] | [options?: { readonly nan?: number | undefined; readonly posinf?: number | null | undefined; readonly neginf?: number | null | undefined }]): Tensor

  /**
   * ln |Γ(input)|.
   *
   * Takes any dtype.
   *
   * @returns the shape of input; the dtype of input, f32 for integers and bool
   */
  lgamma(): Tensor

  /**
   * The derivative of ln Γ(input); NaN at negative integers, ∓∞ at ±0.
   *
   * Takes any dtype.
   *
   * @returns the shape of input; the dtype of input, f32 for integers and bool
   */
  digamma(): Tensor

  /**
   * The number in (−∞, ∞) whose erf is input; NaN beyond ±1.
   *
   * Takes any dtype.
   *
   * @returns the shape of input; the dtype of input, f32 for integers and bool
   */
  erfinv(): Tensor

  /**
   * ln(input / (1 − input)); with eps, input is first clamped to [eps, 1 − eps].
   *
   * Takes any dtype.
   *
   * @param eps a number: input is moved into [eps, 1 − eps] first; without it ±∞ at 0 and 1, NaN beyond (optional)
   * @returns the shape of input; the dtype of input, f32 for integers and bool
   */
  logit(eps?: number | null): Tensor
  logit(...args: [options?: { readonly eps?: number | null | undefined }]): Tensor

  /**
   * sin(π · input) / (π · input); 1 at 0.
   *
   * Takes any dtype.
   *
   * @returns the shape of input; the dtype of input, f32 for integers and bool
   */
  sinc(): Tensor

  /**
   * −input · ln(input); 0 at 0, −∞ below.
   *
   * Takes any dtype.
   *
   * @returns the shape of input; the dtype of input, f32 for integers and bool
   */
  entr(): Tensor

  /**
   * input · ln(1 + other); 0 where input is 0, unless other is NaN.
   *
   * Takes any dtype.
   *
   * @param other a tensor or a number: the other operand
   * @returns the broadcast shape; the promoted dtype, f32 for integers and bool
   * @throws ShapeError when the shapes do not broadcast
   */
  xlog1py(other: Operand): Tensor
  xlog1py(...args: [options: { readonly other: Operand }]): Tensor

  /**
   * log₂(2^input + 2^other), without overflow.
   *
   * Takes any dtype.
   *
   * @param other a tensor or a number: the other operand
   * @returns the broadcast shape; the promoted dtype, f32 for integers and bool
   * @throws ShapeError when the shapes do not broadcast
   */
  logaddexp2(other: Operand): Tensor
  logaddexp2(...args: [options: { readonly other: Operand }]): Tensor

  /**
   * input · 2^other.
   *
   * Takes any dtype.
   *
   * @param other a tensor or a number: the other operand
   * @returns the broadcast shape; the promoted dtype, f32 for integers and bool
   * @throws ShapeError when the shapes do not broadcast
   */
  ldexp(other: Operand): Tensor
  ldexp(...args: [options: { readonly other: Operand }]): Tensor

  /**
   * 0 where input is negative or NaN, 1 where it is positive, other where it is 0.
   *
   * Takes any dtype.
   *
   * @param other a tensor or a number: the other operand
   * @returns the broadcast shape; the promoted dtype
   * @throws ShapeError when the shapes do not broadcast
   */
  heaviside(other: Operand): Tensor
  heaviside(...args: [options: { readonly other: Operand }]): Tensor

  /**
   * The larger of the two; where one is NaN, the one that is not.
   *
   * Takes any dtype.
   *
   * @param other a tensor or a number: the other operand
   * @returns the broadcast shape; the promoted dtype
   * @throws ShapeError when the shapes do not broadcast
   */
  fmax(other: Operand): Tensor
  fmax(...args: [options: { readonly other: Operand }]): Tensor

  /**
   * The smaller of the two; where one is NaN, the one that is not.
   *
   * Takes any dtype.
   *
   * @param other a tensor or a number: the other operand
   * @returns the broadcast shape; the promoted dtype
   * @throws ShapeError when the shapes do not broadcast
   */
  fmin(other: Operand): Tensor
  fmin(...args: [options: { readonly other: Operand }]): Tensor

  /**
   * input to the power of exponent, both as f64.
   *
   * Takes any dtype.
   *
   * @param exponent a tensor or a number: the power
   * @returns the broadcast shape; f64
   * @throws ShapeError when the shapes do not broadcast
   */
  floatPower(exponent: Operand): Tensor
  floatPower(...args: [options: { readonly exponent: Operand }]): Tensor

  /**
   * The greatest common divisor, at least 0; gcd(0, 0) is 0.
   *
   * Takes integers.
   *
   * @param other a tensor or a number: the other operand
   * @returns the broadcast shape; the promoted dtype
   * @throws DtypeError for floats and bool
   * @throws ShapeError when the shapes do not broadcast
   */
  gcd(other: Operand): Tensor
  gcd(...args: [options: { readonly other: Operand }]): Tensor

  /**
   * The least common multiple, at least 0; 0 if either is 0.
   *
   * Takes integers.
   *
   * @param other a tensor or a number: the other operand
   * @returns the broadcast shape; the promoted dtype
   * @throws DtypeError for floats and bool
   * @throws ShapeError when the shapes do not broadcast
   */
  lcm(other: Operand): Tensor
  lcm(...args: [options: { readonly other: Operand }]): Tensor

  /**
   * input where positive, weight · input elsewhere: one weight, or a vector of one per channel (dim 1); others broadcast.
   *
   * Takes any dtype.
   *
   * @param weight a tensor: one element, or [C] for the channels (dim 1); other shapes broadcast
   * @returns what input and weight broadcast to, a vector along dim 1; the promoted dtype, f32 for integers and bool
   */
  prelu(weight: Tensor): Tensor
  prelu(...args: [options: { readonly weight: Tensor }]): Tensor

  /**
   * input where it is greater than threshold, value elsewhere; NaN stays NaN.
   *
   * Takes any dtype but bool.
   *
   * @param threshold a number: what input must exceed
   * @param value a number: the result elsewhere
   * @returns the shape of input; the dtype of input
   * @throws DtypeError for bool
   */
  threshold(threshold: number, value: number): Tensor
  threshold(...args: [threshold: number, options: { readonly value: number }] | [options: { readonly threshold: number; readonly value: number }]): Tensor

  /**
   * input where |input| > lambd, 0 elsewhere.
   *
   * Takes any dtype.
   *
   * @param lambd a number: how far from 0 input must be (default 0.5)
   * @returns the shape of input; the dtype of input, f32 for integers and bool
   */
  hardshrink(lambd?: number): Tensor
  hardshrink(...args: [options?: { readonly lambd?: number | undefined }]): Tensor

  /**
   * input shifted by lambd towards 0, and 0 where |input| ≤ lambd.
   *
   * Takes any dtype.
   *
   * @param lambd a number: how far from 0 input must be (default 0.5)
   * @returns the shape of input; the dtype of input, f32 for integers and bool
   */
  softshrink(lambd?: number): Tensor
  softshrink(...args: [options?: { readonly lambd?: number | undefined }]): Tensor

  /**
   * input − tanh(input).
   *
   * Takes any dtype.
   *
   * @returns the shape of input; the dtype of input, f32 for integers and bool
   */
  tanhshrink(): Tensor

  /**
   * max(input, 0).
   *
   * Takes any dtype but bool.
   *
   * @returns the shape of input; the dtype of input
   * @throws DtypeError for bool
   */
  relu(): Tensor

  /**
   * min(max(input, 0), 6).
   *
   * Takes any dtype but bool.
   *
   * @returns the shape of input; the dtype of input
   * @throws DtypeError for bool
   */
  relu6(): Tensor

  /**
   * ln(1 / (1 + e^−input)).
   *
   * Takes any dtype.
   *
   * @returns the shape of input; the dtype of input, f32 for integers and bool
   */
  logSigmoid(): Tensor

  /** As `logSigmoid`: ln(1 / (1 + e^−input)). */
  logsigmoid: this['logSigmoid']

  /**
   * input · Φ(input), Φ the normal distribution function; approximate: tanh for the formula of the GELU paper.
   *
   * Hendrycks and Gimpel, arXiv:1606.08415.
   * Takes any dtype.
   *
   * @param approximate 'none' or 'tanh': 'tanh' for x / 2 · (1 + tanh(√(2/π) · (x + 0.044715 x³))), the formula of the GELU paper (default 'none')
   * @returns the shape of input; the dtype of input, f32 for integers and bool
   */
  gelu(options?: { readonly approximate?: 'none' | 'tanh' | undefined }): Tensor

  /**
   * input · sigmoid(input).
   *
   * Takes any dtype.
   *
   * @returns the shape of input; the dtype of input, f32 for integers and bool
   */
  silu(): Tensor

  /**
   * input · tanh(softplus(input)).
   *
   * Takes any dtype.
   *
   * @returns the shape of input; the dtype of input, f32 for integers and bool
   */
  mish(): Tensor

  /**
   * ln(1 + e^(beta · input)) / beta; input itself where beta · input > threshold.
   *
   * Takes any dtype.
   *
   * @param beta a number: how sharp the bend is (default 1)
   * @param threshold a number: where the result is input itself, which it is but for rounding (default 20)
   * @returns the shape of input; the dtype of input, f32 for integers and bool
   */
  softplus(beta?: number, threshold?: number): Tensor
  softplus(...args: [beta: number | undefined, options?: { readonly threshold?: number | undefined }] | [options?: { readonly beta?: number | undefined; readonly threshold?: number | undefined }]): Tensor

  /**
   * input where positive, negativeSlope · input elsewhere.
   *
   * Takes any dtype.
   *
   * @param negativeSlope a number: the factor of what is negative (default 0.01)
   * @returns the shape of input; the dtype of input, f32 for integers and bool
   */
  leakyRelu(negativeSlope?: number): Tensor
  leakyRelu(...args: [options?: { readonly negativeSlope?: number | undefined }]): Tensor

  /**
   * input where positive, alpha · (e^input − 1) elsewhere.
   *
   * Takes any dtype.
   *
   * @param alpha a number: how far below 0 it goes (default 1)
   * @returns the shape of input; the dtype of input, f32 for integers and bool
   */
  elu(alpha?: number): Tensor
  elu(...args: [options?: { readonly alpha?: number | undefined }]): Tensor

  /**
   * 1.0507 · elu(input, alpha 1.6733).
   *
   * Takes any dtype.
   *
   * @returns the shape of input; the dtype of input, f32 for integers and bool
   */
  selu(): Tensor

  /**
   * max(0, input) + min(0, alpha · (e^(input/alpha) − 1)).
   *
   * Takes any dtype.
   *
   * @param alpha a number: how far below 0 it goes (default 1)
   * @returns the shape of input; the dtype of input, f32 for integers and bool
   */
  celu(alpha?: number): Tensor
  celu(...args: [options?: { readonly alpha?: number | undefined }]): Tensor

  /**
   * input clamped to [minVal, maxVal].
   *
   * Takes any dtype but bool.
   *
   * @param minVal a number: the lower limit (default -1)
   * @param maxVal a number: the upper limit (default 1)
   * @returns the shape of input; the dtype of input
   * @throws ArgumentError when minVal is greater than maxVal
   * @throws DtypeError for bool, or for u8 with a negative minVal
   */
  hardtanh(minVal?: number, maxVal?: number): Tensor
  hardtanh(...args: [minVal: number | undefined, options?: { readonly maxVal?: number | undefined }] | [options?: { readonly minVal?: number | undefined; readonly maxVal?: number | undefined }]): Tensor

  /**
   * min(max(input + 3, 0), 6) / 6.
   *
   * Takes any dtype.
   *
   * @returns the shape of input; the dtype of input, f32 for integers and bool
   */
  hardsigmoid(): Tensor

  /**
   * input · min(max(input + 3, 0), 6) / 6.
   *
   * Takes any dtype.
   *
   * @returns the shape of input; the dtype of input, f32 for integers and bool
   */
  hardswish(): Tensor

  /**
   * input / (1 + |input|).
   *
   * Takes any dtype.
   *
   * @returns the shape of input; the dtype of input, f32 for integers and bool
   */
  softsign(): Tensor

  /**
   * Σ input over the dims; integers and bool give i64.
   *
   * Takes any dtype.
   *
   * @param dim an integer or a list of integers: the dims to reduce; by default all (optional)
   * @param keepdim true or false: keep the reduced dims, with size 1 (default false)
   * @param dtype a dtype: the dtype that input is cast to first, and that of the result (optional)
   * @returns the shape of input without the dims (keepdim: 1 there); the dtype of input, i64 for integers and bool unless dtype is given
   * @throws ShapeError when a dim is out of range
   */
  sum(dim?: number | readonly number[] | null, keepdim?: boolean, options?: { readonly dtype?: TensorDtype | null | undefined }): Tensor
  sum(...args: [dim: number | readonly number[] | null | undefined, options?: { readonly keepdim?: boolean | undefined; readonly dtype?: TensorDtype | null | undefined }] | [options?: { readonly dim?: number | readonly number[] | null | undefined; readonly keepdim?: boolean | undefined; readonly dtype?: TensorDtype | null | undefined }]): Tensor

  /**
   * Π input over the dims; integers and bool give i64.
   *
   * Takes any dtype.
   *
   * @param dim an integer or a list of integers: the dims to reduce; by default all (optional)
   * @param keepdim true or false: keep the reduced dims, with size 1 (default false)
   * @param dtype a dtype: the dtype that input is cast to first, and that of the result (optional)
   * @returns the shape of input without the dims (keepdim: 1 there); the dtype of input, i64 for integers and bool unless dtype is given
   * @throws ShapeError when a dim is out of range
   */
  prod(dim?: number | readonly number[] | null, keepdim?: boolean, options?: { readonly dtype?: TensorDtype | null | undefined }): Tensor
  prod(...args: [dim: number | readonly number[] | null | undefined, options?: { readonly keepdim?: boolean | undefined; readonly dtype?: TensorDtype | null | undefined }] | [options?: { readonly dim?: number | readonly number[] | null | undefined; readonly keepdim?: boolean | undefined; readonly dtype?: TensorDtype | null | undefined }]): Tensor

  /**
   * Σ input / n over the dims; floats only. Of no elements: NaN.
   *
   * Takes floats; with a float as dtype any.
   *
   * @param dim an integer or a list of integers: the dims to reduce; by default all (optional)
   * @param keepdim true or false: keep the reduced dims, with size 1 (default false)
   * @param dtype a dtype: the dtype that input is cast to first, and that of the result (optional)
   * @returns the shape of input without the dims (keepdim: 1 there); the dtype of input unless dtype is given
   * @throws DtypeError for integers and bool, unless dtype is a float
   * @throws ShapeError when a dim is out of range
   */
  mean(dim?: number | readonly number[] | null, keepdim?: boolean, options?: { readonly dtype?: TensorDtype | null | undefined }): Tensor
  mean(...args: [dim: number | readonly number[] | null | undefined, options?: { readonly keepdim?: boolean | undefined; readonly dtype?: TensorDtype | null | undefined }] | [options?: { readonly dim?: number | readonly number[] | null | undefined; readonly keepdim?: boolean | undefined; readonly dtype?: TensorDtype | null | undefined }]): Tensor

  /**
   * True where any value over the dims is not 0.
   *
   * Takes any dtype.
   *
   * @param dim an integer or a list of integers: the dims to reduce; by default all, [] for none (optional)
   * @param keepdim true or false: keep the reduced dims, with size 1 (default false)
   * @returns the shape of input without the dims (keepdim: 1 there); bool
   * @throws ShapeError when a dim is out of range
   */
  any(dim?: number | readonly number[] | null, keepdim?: boolean): Tensor
  any(...args: [dim: number | readonly number[] | null | undefined, options?: { readonly keepdim?: boolean | undefined }] | [options?: { readonly dim?: number | readonly number[] | null | undefined; readonly keepdim?: boolean | undefined }]): Tensor

  /**
   * True where every value over the dims is not 0.
   *
   * Takes any dtype.
   *
   * @param dim an integer or a list of integers: the dims to reduce; by default all, [] for none (optional)
   * @param keepdim true or false: keep the reduced dims, with size 1 (default false)
   * @returns the shape of input without the dims (keepdim: 1 there); bool
   * @throws ShapeError when a dim is out of range
   */
  all(dim?: number | readonly number[] | null, keepdim?: boolean): Tensor
  all(...args: [dim: number | readonly number[] | null | undefined, options?: { readonly keepdim?: boolean | undefined }] | [options?: { readonly dim?: number | readonly number[] | null | undefined; readonly keepdim?: boolean | undefined }]): Tensor

  /**
   * The running sum along a dim.
   *
   * Takes any dtype.
   *
   * @param dim an integer: the dim; negative ones count from the end
   * @param dtype a dtype: the dtype that input is cast to first, and that of the result (optional)
   * @returns the shape of input; the dtype of input, i64 for integers and bool unless dtype is given
   * @throws ShapeError when a dim is out of range
   */
  cumsum(dim: number, options?: { readonly dtype?: TensorDtype | null | undefined }): Tensor
  cumsum(...args: [options: { readonly dim: number; readonly dtype?: TensorDtype | null | undefined }]): Tensor

  /**
   * The running product along a dim.
   *
   * Gradients of gradients are right where no element is exactly 0.
   * Takes any dtype.
   *
   * @param dim an integer: the dim; negative ones count from the end
   * @param dtype a dtype: the dtype that input is cast to first, and that of the result (optional)
   * @returns the shape of input; the dtype of input, i64 for integers and bool unless dtype is given
   * @throws ShapeError when a dim is out of range
   */
  cumprod(dim: number, options?: { readonly dtype?: TensorDtype | null | undefined }): Tensor
  cumprod(...args: [options: { readonly dim: number; readonly dtype?: TensorDtype | null | undefined }]): Tensor

  /**
   * ln Σ e^input over the dims, without overflow; of integers as f32.
   *
   * Takes any dtype.
   *
   * @param dim an integer or a list of integers: the dims to reduce; [] for all
   * @param keepdim true or false: keep the reduced dims, with size 1 (default false)
   * @returns the shape of input without the dims (keepdim: 1 there); the dtype of input, f32 for integers and bool
   * @throws ShapeError when a dim is out of range
   */
  logsumexp(dim: number | readonly number[], keepdim?: boolean): Tensor
  logsumexp(...args: [dim: number | readonly number[], options?: { readonly keepdim?: boolean | undefined }] | [options: { readonly dim: number | readonly number[]; readonly keepdim?: boolean | undefined }]): Tensor

  /**
   * Σ (input − mean)² / (n − correction) over the dims.
   *
   * Of too few elements (n ≤ correction): ∞, or NaN for a single one.
   * Takes floats.
   *
   * @param dim an integer or a list of integers: the dims to reduce; by default all (optional)
   * @param unbiased true or false: true is correction 1, false is correction 0 (optional)
   * @param keepdim true or false: keep the reduced dims, with size 1 (default false)
   * @param correction a number: n − correction divides: 1 (the default) estimates a population from a sample, 0 is for a whole population (optional)
   * @returns the shape of input without the dims (keepdim: 1 there); the dtype of input
   * @throws ArgumentError when unbiased and correction are both given
   * @throws DtypeError for integers and bool
   * @throws ShapeError when a dim is out of range
   */
  var(dim?: number | readonly number[] | null, unbiased?: boolean | null, keepdim?: boolean, options?: { readonly correction?: number | null | undefined }): Tensor
  var(...args: [dim: number | readonly number[] | null | undefined, unbiased: boolean | null | undefined, options?: { readonly keepdim?: boolean | undefined; readonly correction?: number | null | undefined }] | [dim: number | readonly number[] | null | undefined, options?: { readonly unbiased?: boolean | null | undefined; readonly keepdim?: boolean | undefined; readonly correction?: number | null | undefined }] | [options?: { readonly dim?: number | readonly number[] | null | undefined; readonly unbiased?: boolean | null | undefined; readonly keepdim?: boolean | undefined; readonly correction?: number | null | undefined }]): Tensor

  /**
   * The square root of var.
   *
   * Of too few elements (n ≤ correction): ∞, or NaN for a single one.
   * Takes floats.
   *
   * @param dim an integer or a list of integers: the dims to reduce; by default all (optional)
   * @param unbiased true or false: true is correction 1, false is correction 0 (optional)
   * @param keepdim true or false: keep the reduced dims, with size 1 (default false)
   * @param correction a number: n − correction divides: 1 (the default) estimates a population from a sample, 0 is for a whole population (optional)
   * @returns the shape of input without the dims (keepdim: 1 there); the dtype of input
   * @throws ArgumentError when unbiased and correction are both given
   * @throws DtypeError for integers and bool
   * @throws ShapeError when a dim is out of range
   */
  std(dim?: number | readonly number[] | null, unbiased?: boolean | null, keepdim?: boolean, options?: { readonly correction?: number | null | undefined }): Tensor
  std(...args: [dim: number | readonly number[] | null | undefined, unbiased: boolean | null | undefined, options?: { readonly keepdim?: boolean | undefined; readonly correction?: number | null | undefined }] | [dim: number | readonly number[] | null | undefined, options?: { readonly unbiased?: boolean | null | undefined; readonly keepdim?: boolean | undefined; readonly correction?: number | null | undefined }] | [options?: { readonly dim?: number | readonly number[] | null | undefined; readonly unbiased?: boolean | null | undefined; readonly keepdim?: boolean | undefined; readonly correction?: number | null | undefined }]): Tensor

  /**
   * The largest value over the dims; NaN if any is NaN.
   *
   * Equal extremes share the gradient.
   * Takes any dtype.
   *
   * @param dim an integer or a list of integers: the dims to reduce; by default all (optional)
   * @param keepdim true or false: keep the reduced dims, with size 1 (default false)
   * @returns the shape of input without the dims (keepdim: 1 there); the dtype of input
   * @throws ShapeError when a dim is out of range, or when a reduced dim has no elements
   */
  amax(dim?: number | readonly number[] | null, keepdim?: boolean): Tensor
  amax(...args: [dim: number | readonly number[] | null | undefined, options?: { readonly keepdim?: boolean | undefined }] | [options?: { readonly dim?: number | readonly number[] | null | undefined; readonly keepdim?: boolean | undefined }]): Tensor

  /**
   * The smallest value over the dims; NaN if any is NaN.
   *
   * Equal extremes share the gradient.
   * Takes any dtype.
   *
   * @param dim an integer or a list of integers: the dims to reduce; by default all (optional)
   * @param keepdim true or false: keep the reduced dims, with size 1 (default false)
   * @returns the shape of input without the dims (keepdim: 1 there); the dtype of input
   * @throws ShapeError when a dim is out of range, or when a reduced dim has no elements
   */
  amin(dim?: number | readonly number[] | null, keepdim?: boolean): Tensor
  amin(...args: [dim: number | readonly number[] | null | undefined, options?: { readonly keepdim?: boolean | undefined }] | [options?: { readonly dim?: number | readonly number[] | null | undefined; readonly keepdim?: boolean | undefined }]): Tensor

  /**
   * The largest value of the whole tensor; NaN if any is NaN.
   *
   * Takes any dtype.
   *
   * @returns 0-d; the dtype of input
   * @throws ShapeError when there are no elements
   */
  max(): Tensor
  /**
   * The largest value along a dim, and the index of its first occurrence.
   *
   * NaN wins over all other values. Of equal ones PyTorch may give any index; here it is the first.
   * Takes any dtype.
   *
   * @param dim an integer: the dim; negative ones count from the end
   * @param keepdim true or false: keep the reduced dims, with size 1 (default false)
   * @returns values, indices: the shape of input without dim (keepdim: 1 there); values the dtype of input, indices i64
   * @throws ShapeError when a dim is out of range, or when a reduced dim has no elements
   */
  max(dim: number, keepdim?: boolean): { readonly values: Tensor; readonly indices: Tensor }
  /**
   * The largest value along a dim, and the index of its first occurrence.
   *
   * NaN wins over all other values. Of equal ones PyTorch may give any index; here it is the first.
   * Takes any dtype.
   *
   * @param dim an integer: the dim; negative ones count from the end
   * @param keepdim true or false: keep the reduced dims, with size 1 (default false)
   * @returns values, indices: the shape of input without dim (keepdim: 1 there); values the dtype of input, indices i64
   * @throws ShapeError when a dim is out of range, or when a reduced dim has no elements
   */
  max(...args: [dim: number, options?: { readonly keepdim?: boolean | undefined }] | [options: { readonly dim: number; readonly keepdim?: boolean | undefined }]): { readonly values: Tensor; readonly indices: Tensor }
  /**
   * The larger of the two; NaN if either is NaN.
   *
   * Takes any dtype.
   *
   * @param other a tensor or a number: the other operand
   * @returns the broadcast shape; the promoted dtype
   * @throws ShapeError when the shapes do not broadcast
   */
  max(other: Operand): Tensor
  /**
   * The larger of the two; NaN if either is NaN.
   *
   * Takes any dtype.
   *
   * @param other a tensor or a number: the other operand
   * @returns the broadcast shape; the promoted dtype
   * @throws ShapeError when the shapes do not broadcast
   */
  max(...args: [options: { readonly other: Operand }]): Tensor

  /**
   * The smallest value of the whole tensor; NaN if any is NaN.
   *
   * Takes any dtype.
   *
   * @returns 0-d; the dtype of input
   * @throws ShapeError when there are no elements
   */
  min(): Tensor
  /**
   * The smallest value along a dim, and the index of its first occurrence.
   *
   * NaN wins over all other values. Of equal ones PyTorch may give any index; here it is the first.
   * Takes any dtype.
   *
   * @param dim an integer: the dim; negative ones count from the end
   * @param keepdim true or false: keep the reduced dims, with size 1 (default false)
   * @returns values, indices: the shape of input without dim (keepdim: 1 there); values the dtype of input, indices i64
   * @throws ShapeError when a dim is out of range, or when a reduced dim has no elements
   */
  min(dim: number, keepdim?: boolean): { readonly values: Tensor; readonly indices: Tensor }
  /**
   * The smallest value along a dim, and the index of its first occurrence.
   *
   * NaN wins over all other values. Of equal ones PyTorch may give any index; here it is the first.
   * Takes any dtype.
   *
   * @param dim an integer: the dim; negative ones count from the end
   * @param keepdim true or false: keep the reduced dims, with size 1 (default false)
   * @returns values, indices: the shape of input without dim (keepdim: 1 there); values the dtype of input, indices i64
   * @throws ShapeError when a dim is out of range, or when a reduced dim has no elements
   */
  min(...args: [dim: number, options?: { readonly keepdim?: boolean | undefined }] | [options: { readonly dim: number; readonly keepdim?: boolean | undefined }]): { readonly values: Tensor; readonly indices: Tensor }
  /**
   * The smaller of the two; NaN if either is NaN.
   *
   * Takes any dtype.
   *
   * @param other a tensor or a number: the other operand
   * @returns the broadcast shape; the promoted dtype
   * @throws ShapeError when the shapes do not broadcast
   */
  min(other: Operand): Tensor
  /**
   * The smaller of the two; NaN if either is NaN.
   *
   * Takes any dtype.
   *
   * @param other a tensor or a number: the other operand
   * @returns the broadcast shape; the promoted dtype
   * @throws ShapeError when the shapes do not broadcast
   */
  min(...args: [options: { readonly other: Operand }]): Tensor

  /**
   * The index of the first largest value along a dim (of all: into the flattened tensor).
   *
   * NaN wins over all other values.
   * Takes any dtype.
   *
   * @param dim an integer: the dim to search; by default the flattened tensor (optional)
   * @param keepdim true or false: keep the reduced dims, with size 1 (default false)
   * @returns the shape of input without dim (keepdim: 1 there); i64
   * @throws ShapeError when a dim is out of range, or when a reduced dim has no elements
   */
  argmax(dim?: number | null, keepdim?: boolean): Tensor
  argmax(...args: [dim: number | null | undefined, options?: { readonly keepdim?: boolean | undefined }] | [options?: { readonly dim?: number | null | undefined; readonly keepdim?: boolean | undefined }]): Tensor

  /**
   * The index of the first smallest value along a dim (of all: into the flattened tensor).
   *
   * NaN wins over all other values.
   * Takes any dtype.
   *
   * @param dim an integer: the dim to search; by default the flattened tensor (optional)
   * @param keepdim true or false: keep the reduced dims, with size 1 (default false)
   * @returns the shape of input without dim (keepdim: 1 there); i64
   * @throws ShapeError when a dim is out of range, or when a reduced dim has no elements
   */
  argmin(dim?: number | null, keepdim?: boolean): Tensor
  argmin(...args: [dim: number | null | undefined, options?: { readonly keepdim?: boolean | undefined }] | [options?: { readonly dim?: number | null | undefined; readonly keepdim?: boolean | undefined }]): Tensor

  /**
   * The variance and the mean over the dims.
   *
   * Takes floats.
   *
   * @param dim an integer or a list of integers: the dims to reduce; by default all (optional)
   * @param unbiased true or false: true is correction 1, false is correction 0 (optional)
   * @param keepdim true or false: keep the reduced dims, with size 1 (default false)
   * @param correction a number: n − correction divides: 1 (the default) estimates a population from a sample, 0 is for a whole population (optional)
   * @returns var, mean: the shape of input without the dims (keepdim: 1 there); the dtype of input
   * @throws ArgumentError when unbiased and correction are both given
   * @throws DtypeError for integers and bool
   * @throws ShapeError when a dim is out of range
   */
  varMean(dim?: number | readonly number[] | null, unbiased?: boolean | null, keepdim?: boolean, options?: { readonly correction?: number | null | undefined }): { readonly var: Tensor; readonly mean: Tensor }
  varMean(...args: [dim: number | readonly number[] | null | undefined, unbiased: boolean | null | undefined, options?: { readonly keepdim?: boolean | undefined; readonly correction?: number | null | undefined }] | [dim: number | readonly number[] | null | undefined, options?: { readonly unbiased?: boolean | null | undefined; readonly keepdim?: boolean | undefined; readonly correction?: number | null | undefined }] | [options?: { readonly dim?: number | readonly number[] | null | undefined; readonly unbiased?: boolean | null | undefined; readonly keepdim?: boolean | undefined; readonly correction?: number | null | undefined }]): { readonly var: Tensor; readonly mean: Tensor }

  /**
   * The standard deviation and the mean over the dims.
   *
   * Takes floats.
   *
   * @param dim an integer or a list of integers: the dims to reduce; by default all (optional)
   * @param unbiased true or false: true is correction 1, false is correction 0 (optional)
   * @param keepdim true or false: keep the reduced dims, with size 1 (default false)
   * @param correction a number: n − correction divides: 1 (the default) estimates a population from a sample, 0 is for a whole population (optional)
   * @returns std, mean: the shape of input without the dims (keepdim: 1 there); the dtype of input
   * @throws ArgumentError when unbiased and correction are both given
   * @throws DtypeError for integers and bool
   * @throws ShapeError when a dim is out of range
   */
  stdMean(dim?: number | readonly number[] | null, unbiased?: boolean | null, keepdim?: boolean, options?: { readonly correction?: number | null | undefined }): { readonly std: Tensor; readonly mean: Tensor }
  stdMean(...args: [dim: number | readonly number[] | null | undefined, unbiased: boolean | null | undefined, options?: { readonly keepdim?: boolean | undefined; readonly correction?: number | null | undefined }] | [dim: number | readonly number[] | null | undefined, options?: { readonly unbiased?: boolean | null | undefined; readonly keepdim?: boolean | undefined; readonly correction?: number | null | undefined }] | [options?: { readonly dim?: number | readonly number[] | null | undefined; readonly unbiased?: boolean | null | undefined; readonly keepdim?: boolean | undefined; readonly correction?: number | null | undefined }]): { readonly std: Tensor; readonly mean: Tensor }

  /**
   * The smallest and the largest value over a dim, or of all; NaN if any is NaN.
   *
   * Takes any dtype.
   *
   * @param dim an integer: the dim to reduce; by default all (optional)
   * @param keepdim true or false: keep the reduced dims, with size 1 (default false)
   * @returns min, max: the shape of input without dim (keepdim: 1 there); the dtype of input
   * @throws ShapeError when a dim is out of range, or when a reduced dim has no elements
   */
  aminmax(options?: { readonly dim?: number | null | undefined; readonly keepdim?: boolean | undefined }): { readonly min: Tensor; readonly max: Tensor }

  /**
   * (Σ |input|^p)^(1/p) over the dims; p 0 counts what is not 0, p ±Infinity is the largest (smallest) |input|. PyTorch's 'nuc', which needs singular values, is not supported.
   *
   * Takes floats.
   *
   * @param p a number, 'fro' or 'nuc': the power; 'fro' is 2 (default 2)
   * @param dim an integer or a list of integers: the dims to reduce; by default all (optional)
   * @param keepdim true or false: keep the reduced dims, with size 1 (default false)
   * @param dtype a dtype: the dtype that input is cast to first, and that of the result (optional)
   * @returns the shape of input without the dims (keepdim: 1 there); the dtype of input unless dtype is given
   * @throws ArgumentError for p 'nuc'
   * @throws DtypeError for integers and bool
   * @throws ShapeError when a dim is out of range, or when p is ±Infinity and a reduced dim has no elements
   */
  norm(p?: number | 'fro' | 'nuc', dim?: number | readonly number[] | null, keepdim?: boolean, dtype?: TensorDtype | null): Tensor
  norm(...args: [p: number | 'fro' | 'nuc' | undefined, dim: number | readonly number[] | null | undefined, keepdim: boolean | undefined, options?: { readonly dtype?: TensorDtype | null | undefined }] | [p: number | 'fro' | 'nuc' | undefined, dim: number | readonly number[] | null | undefined, options?: { readonly keepdim?: boolean | undefined; readonly dtype?: TensorDtype | null | undefined }] | [p: number | 'fro' | 'nuc' | undefined, options?: { readonly dim?: number | readonly number[] | null | undefined; readonly keepdim?: boolean | undefined; readonly dtype?: TensorDtype | null | undefined }] | [options?: { readonly p?: number | 'fro' | 'nuc' | undefined; readonly dim?: number | readonly number[] | null | undefined; readonly keepdim?: boolean | undefined; readonly dtype?: TensorDtype | null | undefined }]): Tensor

  /**
   * How many elements are not 0 over the dims, as i64.
   *
   * Takes any dtype.
   *
   * @param dim an integer or a list of integers: the dims to reduce; by default all (optional)
   * @returns the shape of input without the reduced dims; i64
   * @throws ShapeError when a dim is out of range
   */
  countNonzero(dim?: number | readonly number[] | null): Tensor
  countNonzero(...args: [options?: { readonly dim?: number | readonly number[] | null | undefined }]): Tensor

  /**
   * Σ input over the dims, NaN counted as 0.
   *
   * Takes any dtype.
   *
   * @param dim an integer or a list of integers: the dims to reduce; by default all (optional)
   * @param keepdim true or false: keep the reduced dims, with size 1 (default false)
   * @param dtype a dtype: the dtype that input is cast to first, and that of the result (optional)
   * @returns the shape of input without the dims (keepdim: 1 there); the dtype of input, i64 for integers and bool unless dtype is given
   * @throws ShapeError when a dim is out of range
   */
  nansum(dim?: number | readonly number[] | null, keepdim?: boolean, options?: { readonly dtype?: TensorDtype | null | undefined }): Tensor
  nansum(...args: [dim: number | readonly number[] | null | undefined, options?: { readonly keepdim?: boolean | undefined; readonly dtype?: TensorDtype | null | undefined }] | [options?: { readonly dim?: number | readonly number[] | null | undefined; readonly keepdim?: boolean | undefined; readonly dtype?: TensorDtype | null | undefined }]): Tensor

  /**
   * The mean over the dims, ignoring NaN.
   *
   * Takes floats; with a float as dtype any.
   *
   * @param dim an integer or a list of integers: the dims to reduce; by default all (optional)
   * @param keepdim true or false: keep the reduced dims, with size 1 (default false)
   * @param dtype a dtype: the dtype that input is cast to first, and that of the result (optional)
   * @returns the shape of input without the dims (keepdim: 1 there); the dtype of input unless dtype is given
   * @throws DtypeError for integers and bool, unless dtype is a float
   * @throws ShapeError when a dim is out of range
   */
  nanmean(dim?: number | readonly number[] | null, keepdim?: boolean, options?: { readonly dtype?: TensorDtype | null | undefined }): Tensor
  nanmean(...args: [dim: number | readonly number[] | null | undefined, options?: { readonly keepdim?: boolean | undefined; readonly dtype?: TensorDtype | null | undefined }] | [options?: { readonly dim?: number | readonly number[] | null | undefined; readonly keepdim?: boolean | undefined; readonly dtype?: TensorDtype | null | undefined }]): Tensor

  /**
   * The covariances of the rows of [variables, observations]; of a vector its variance. Divided by the number of observations − correction.
   *
   * Takes any dtype.
   *
   * @param correction an integer: subtracted from the number of observations (default 1)
   * @param fweights a tensor: how often each observation counts: integers, [observations] (optional)
   * @param aweights a tensor: how much each observation counts: floats, [observations] (optional)
   * @returns [n, n] of n variables; 0-d of one; the promoted dtype, f32 for integers and bool
   */
  cov(options?: { readonly correction?: number | undefined; readonly fweights?: Tensor | null | undefined; readonly aweights?: Tensor | null | undefined }): Tensor

  /**
   * The correlations of the rows of [variables, observations], between −1 and 1: cov divided by both standard deviations.
   *
   * Takes any dtype.
   *
   * @returns [n, n] of n variables; 0-d of one; the dtype of input, f32 for integers and bool
   */
  corrcoef(): Tensor

  /**
   * input with each slice along dim whose p-norm is above maxnorm scaled down to p-norm maxnorm.
   *
   * Takes floats.
   *
   * @param p a number: the power of the norm
   * @param dim an integer: the dim; negative ones count from the end
   * @param maxnorm a number: how long a slice may be
   * @returns the shape of input; the dtype of input
   * @throws DtypeError for integers and bool
   * @throws ShapeError when a dim is out of range
   */
  renorm(p: number, dim: number, maxnorm: number): Tensor
  renorm(...args: [p: number, dim: number, options: { readonly maxnorm: number }] | [p: number, options: { readonly dim: number; readonly maxnorm: number }] | [options: { readonly p: number; readonly dim: number; readonly maxnorm: number }]): Tensor

  /**
   * The running maximum along a dim, and the index of its last occurrence so far; from a NaN on, NaN.
   *
   * Takes any dtype.
   *
   * @param dim an integer: the dim; negative ones count from the end
   * @returns values, indices: the shape of input; values the dtype of input, indices i64
   * @throws ShapeError when a dim is out of range
   */
  cummax(dim: number): { readonly values: Tensor; readonly indices: Tensor }
  cummax(...args: [options: { readonly dim: number }]): { readonly values: Tensor; readonly indices: Tensor }

  /**
   * The running minimum along a dim, and the index of its last occurrence so far; from a NaN on, NaN.
   *
   * Takes any dtype.
   *
   * @param dim an integer: the dim; negative ones count from the end
   * @returns values, indices: the shape of input; values the dtype of input, indices i64
   * @throws ShapeError when a dim is out of range
   */
  cummin(dim: number): { readonly values: Tensor; readonly indices: Tensor }
  cummin(...args: [options: { readonly dim: number }]): { readonly values: Tensor; readonly indices: Tensor }

  /**
   * ln of the running sum of e^input along a dim, without overflow.
   *
   * Takes floats.
   *
   * @param dim an integer: the dim; negative ones count from the end
   * @returns the shape of input; the dtype of input
   * @throws DtypeError for integers and bool
   * @throws ShapeError when a dim is out of range
   */
  logcumsumexp(dim: number): Tensor
  logcumsumexp(...args: [options: { readonly dim: number }]): Tensor

  /**
   * The median of all elements, of an even number of them the lower middle one; NaN if any is NaN.
   *
   * Takes any dtype.
   *
   * @returns 0-d; the dtype of input
   * @throws ShapeError when there are no elements
   */
  median(): Tensor
  /**
   * The median of the elements along a dim, of an even number of them the lower middle one, and its index; NaN if any is NaN.
   *
   * Takes any dtype.
   *
   * @param dim an integer: the dim; negative ones count from the end (default -1)
   * @param keepdim true or false: keep the reduced dims, with size 1 (default false)
   * @returns values, indices: the shape of input without dim (keepdim: 1 there); values the dtype of input, indices i64
   * @throws ShapeError when a dim is out of range, or when a reduced dim has no elements
   */
  median(dim?: number, keepdim?: boolean): { readonly values: Tensor; readonly indices: Tensor }
  /**
   * The median of the elements along a dim, of an even number of them the lower middle one, and its index; NaN if any is NaN.
   *
   * Takes any dtype.
   *
   * @param dim an integer: the dim; negative ones count from the end (default -1)
   * @param keepdim true or false: keep the reduced dims, with size 1 (default false)
   * @returns values, indices: the shape of input without dim (keepdim: 1 there); values the dtype of input, indices i64
   * @throws ShapeError when a dim is out of range, or when a reduced dim has no elements
   */
  median(...args: [dim: number | undefined, options?: { readonly keepdim?: boolean | undefined }] | [options?: { readonly dim?: number | undefined; readonly keepdim?: boolean | undefined }]): { readonly values: Tensor; readonly indices: Tensor }

  /**
   * The median of all elements that are not NaN, of an even number of them the lower middle one.
   *
   * Takes any dtype.
   *
   * @returns 0-d; the dtype of input
   * @throws ShapeError when there are no elements
   */
  nanmedian(): Tensor
  /**
   * The median of the elements along a dim that are not NaN, of an even number of them the lower middle one, and its index.
   *
   * Takes any dtype.
   *
   * @param dim an integer: the dim; negative ones count from the end (default -1)
   * @param keepdim true or false: keep the reduced dims, with size 1 (default false)
   * @returns values, indices: the shape of input without dim (keepdim: 1 there); values the dtype of input, indices i64
   * @throws ShapeError when a dim is out of range, or when a reduced dim has no elements
   */
  nanmedian(dim?: number, keepdim?: boolean): { readonly values: Tensor; readonly indices: Tensor }
  /**
   * The median of the elements along a dim that are not NaN, of an even number of them the lower middle one, and its index.
   *
   * Takes any dtype.
   *
   * @param dim an integer: the dim; negative ones count from the end (default -1)
   * @param keepdim true or false: keep the reduced dims, with size 1 (default false)
   * @returns values, indices: the shape of input without dim (keepdim: 1 there); values the dtype of input, indices i64
   * @throws ShapeError when a dim is out of range, or when a reduced dim has no elements
   */
  nanmedian(...args: [dim: number | undefined, options?: { readonly keepdim?: boolean | undefined }] | [options?: { readonly dim?: number | undefined; readonly keepdim?: boolean | undefined }]): { readonly values: Tensor; readonly indices: Tensor }

  /**
   * The k-th smallest value along a dim (k from 1), and its index; NaN counts as largest.
   *
   * Takes any dtype.
   *
   * @param k an integer of at least 1: which one, from 1 on
   * @param dim an integer: the dim; negative ones count from the end (default -1)
   * @param keepdim true or false: keep the reduced dims, with size 1 (default false)
   * @returns values, indices: the shape of input without dim (keepdim: 1 there); values the dtype of input, indices i64
   * @throws ShapeError when a dim is out of range, or when dim has fewer than k elements
   */
  kthvalue(k: number, dim?: number, keepdim?: boolean): { readonly values: Tensor; readonly indices: Tensor }
  kthvalue(...args: [k: number, dim: number | undefined, options?: { readonly keepdim?: boolean | undefined }] | [k: number, options?: { readonly dim?: number | undefined; readonly keepdim?: boolean | undefined }] | [options: { readonly k: number; readonly dim?: number | undefined; readonly keepdim?: boolean | undefined }]): { readonly values: Tensor; readonly indices: Tensor }

  /**
   * The most frequent value along a dim (of several the smallest), and the index of its last occurrence.
   *
   * Takes any dtype.
   *
   * @param dim an integer: the dim; negative ones count from the end (default -1)
   * @param keepdim true or false: keep the reduced dims, with size 1 (default false)
   * @returns values, indices: the shape of input without dim (keepdim: 1 there); values the dtype of input, indices i64
   * @throws ShapeError when a dim is out of range, or when a reduced dim has no elements
   */
  mode(dim?: number, keepdim?: boolean): { readonly values: Tensor; readonly indices: Tensor }
  mode(...args: [dim: number | undefined, options?: { readonly keepdim?: boolean | undefined }] | [options?: { readonly dim?: number | undefined; readonly keepdim?: boolean | undefined }]): { readonly values: Tensor; readonly indices: Tensor }

  /**
   * The q-th quantiles (0 ≤ q ≤ 1), of all elements or along a dim; NaN if any is NaN.
   *
   * Takes floats.
   *
   * @param q a number or a list of numbers: a share from 0 to 1, or several
   * @param dim an integer: the dim to reduce; by default the flattened tensor (optional)
   * @param keepdim true or false: keep the reduced dims, with size 1 (default false)
   * @param interpolation 'linear', 'lower', 'higher', 'midpoint' or 'nearest': the value between two elements: 'linear' interpolation, their 'midpoint', or the 'lower', 'higher' or 'nearest' one (default 'linear')
   * @returns the shape of input without dim (keepdim: 1 there); of a list q a leading dim of its length comes first; the dtype of input
   * @throws ArgumentError when q is not in [0, 1] or empty
   * @throws DtypeError for integers and bool
   * @throws ShapeError when a dim is out of range, or when a reduced dim has no elements
   */
  quantile(q: number | readonly number[], dim?: number | null, keepdim?: boolean, options?: { readonly interpolation?: 'linear' | 'lower' | 'higher' | 'midpoint' | 'nearest' | undefined }): Tensor
  quantile(...args: [q: number | readonly number[], dim: number | null | undefined, options?: { readonly keepdim?: boolean | undefined; readonly interpolation?: 'linear' | 'lower' | 'higher' | 'midpoint' | 'nearest' | undefined }] | [q: number | readonly number[], options?: { readonly dim?: number | null | undefined; readonly keepdim?: boolean | undefined; readonly interpolation?: 'linear' | 'lower' | 'higher' | 'midpoint' | 'nearest' | undefined }] | [options: { readonly q: number | readonly number[]; readonly dim?: number | null | undefined; readonly keepdim?: boolean | undefined; readonly interpolation?: 'linear' | 'lower' | 'higher' | 'midpoint' | 'nearest' | undefined }]): Tensor

  /**
   * As quantile, ignoring NaN.
   *
   * Takes floats.
   *
   * @param q a number or a list of numbers: a share from 0 to 1, or several
   * @param dim an integer: the dim to reduce; by default the flattened tensor (optional)
   * @param keepdim true or false: keep the reduced dims, with size 1 (default false)
   * @param interpolation 'linear', 'lower', 'higher', 'midpoint' or 'nearest': the value between two elements: 'linear' interpolation, their 'midpoint', or the 'lower', 'higher' or 'nearest' one (default 'linear')
   * @returns the shape of input without dim (keepdim: 1 there); of a list q a leading dim of its length comes first; the dtype of input
   * @throws ArgumentError when q is not in [0, 1] or empty
   * @throws DtypeError for integers and bool
   * @throws ShapeError when a dim is out of range, or when a reduced dim has no elements
   */
  nanquantile(q: number | readonly number[], dim?: number | null, keepdim?: boolean, options?: { readonly interpolation?: 'linear' | 'lower' | 'higher' | 'midpoint' | 'nearest' | undefined }): Tensor
  nanquantile(...args: [q: number | readonly number[], dim: number | null | undefined, options?: { readonly keepdim?: boolean | undefined; readonly interpolation?: 'linear' | 'lower' | 'higher' | 'midpoint' | 'nearest' | undefined }] | [q: number | readonly number[], options?: { readonly dim?: number | null | undefined; readonly keepdim?: boolean | undefined; readonly interpolation?: 'linear' | 'lower' | 'higher' | 'midpoint' | 'nearest' | undefined }] | [options: { readonly q: number | readonly number[]; readonly dim?: number | null | undefined; readonly keepdim?: boolean | undefined; readonly interpolation?: 'linear' | 'lower' | 'higher' | 'midpoint' | 'nearest' | undefined }]): Tensor

  /**
   * e^input / Σ e^input along a dim.
   *
   * Relative to the largest value, so that nothing overflows. A row of −∞ gives NaN.
   * Takes floats; with a float as dtype any.
   *
   * @param dim an integer: the dim along which the result sums up to 1; negative ones count from the end
   * @param dtype a dtype: the dtype that input is cast to first, and that of the result (optional)
   * @returns the shape of input; the dtype of input unless dtype is given
   * @throws DtypeError for integers and bool, unless dtype is a float
   * @throws ShapeError when a dim is out of range
   */
  softmax(dim: number, options?: { readonly dtype?: TensorDtype | null | undefined }): Tensor
  softmax(...args: [options: { readonly dim: number; readonly dtype?: TensorDtype | null | undefined }]): Tensor

  /**
   * softmax(−input): e^−input / Σ e^−input along a dim.
   *
   * Relative to the largest value, so that nothing overflows. A row of −∞ gives NaN.
   * Takes floats; with a float as dtype any.
   *
   * @param dim an integer: the dim along which the result sums up to 1; negative ones count from the end
   * @param dtype a dtype: the dtype that input is cast to first, and that of the result (optional)
   * @returns the shape of input; the dtype of input unless dtype is given
   * @throws DtypeError for integers and bool, unless dtype is a float
   * @throws ShapeError when a dim is out of range
   */
  softmin(dim: number, options?: { readonly dtype?: TensorDtype | null | undefined }): Tensor
  softmin(...args: [options: { readonly dim: number; readonly dtype?: TensorDtype | null | undefined }]): Tensor

  /**
   * ln(softmax(input)) along a dim.
   *
   * Relative to the largest value, so that nothing overflows. A row of −∞ gives NaN.
   * Takes floats; with a float as dtype any.
   *
   * @param dim an integer: the dim along which the exponentials sum up to 1; negative ones count from the end
   * @param dtype a dtype: the dtype that input is cast to first, and that of the result (optional)
   * @returns the shape of input; the dtype of input unless dtype is given
   * @throws DtypeError for integers and bool, unless dtype is a float
   * @throws ShapeError when a dim is out of range
   */
  logSoftmax(dim: number, options?: { readonly dtype?: TensorDtype | null | undefined }): Tensor
  logSoftmax(...args: [options: { readonly dim: number; readonly dtype?: TensorDtype | null | undefined }]): Tensor

  /**
   * (input − mean) / √(variance + eps) · weight + bias over the last dims.
   *
   * The variance divides by n. Ba, Kiros and Hinton, arXiv:1607.06450.
   * Takes floats.
   *
   * @param normalizedShape a list of integers of at least 0: the sizes of the last dims, which are normalised
   * @param weight a tensor: a factor per element, of shape normalizedShape (optional)
   * @param bias a tensor: a summand per element, of shape normalizedShape (optional)
   * @param eps a number: what is added to the variance (default 1e-5)
   * @returns the shape of input; the dtype of input
   * @throws ArgumentError when normalizedShape is empty
   * @throws DtypeError for integers and bool
   * @throws ShapeError when the last dims are not normalizedShape, or weight or bias has another shape
   */
  layerNorm(normalizedShape: readonly SizeLike[], weight?: Tensor | null, bias?: Tensor | null, eps?: number): Tensor
  layerNorm(...args: [normalizedShape: readonly SizeLike[], weight: Tensor | null | undefined, bias: Tensor | null | undefined, options?: { readonly eps?: number | undefined }] | [normalizedShape: readonly SizeLike[], weight: Tensor | null | undefined, options?: { readonly bias?: Tensor | null | undefined; readonly eps?: number | undefined }] | [normalizedShape: readonly SizeLike[], options?: { readonly weight?: Tensor | null | undefined; readonly bias?: Tensor | null | undefined; readonly eps?: number | undefined }] | [options: { readonly normalizedShape: readonly SizeLike[]; readonly weight?: Tensor | null | undefined; readonly bias?: Tensor | null | undefined; readonly eps?: number | undefined }]): Tensor

  /**
   * input / √(mean of input² + eps) · weight over the last dims.
   *
   * Zhang and Sennrich, arXiv:1910.07467.
   * Takes floats.
   *
   * @param normalizedShape a list of integers of at least 0: the sizes of the last dims, which are normalised
   * @param weight a tensor: a factor per element, of shape normalizedShape (optional)
   * @param eps a number: the distance from 1 to the next f32 unless given (f64 of f64) (optional)
   * @returns the shape of input; the dtype of input
   * @throws ArgumentError when normalizedShape is empty
   * @throws DtypeError for integers and bool
   * @throws ShapeError when the last dims are not normalizedShape, or weight or bias has another shape
   */
  rmsNorm(normalizedShape: readonly SizeLike[], weight?: Tensor | null, eps?: number | null): Tensor
  rmsNorm(...args: [normalizedShape: readonly SizeLike[], weight: Tensor | null | undefined, options?: { readonly eps?: number | null | undefined }] | [normalizedShape: readonly SizeLike[], options?: { readonly weight?: Tensor | null | undefined; readonly eps?: number | null | undefined }] | [options: { readonly normalizedShape: readonly SizeLike[]; readonly weight?: Tensor | null | undefined; readonly eps?: number | null | undefined }]): Tensor

  /**
   * (input − mean) / √(variance + eps) over each of numGroups groups of channels, · weight + bias per channel.
   *
   * Takes floats.
   *
   * @param numGroups an integer of at least 1: into how many groups the channels divide
   * @param weight a tensor: a factor per channel, [C] (optional)
   * @param bias a tensor: a summand per channel, [C] (optional)
   * @param eps a number: what is added to the variance (default 1e-5)
   * @returns the shape of input; the dtype of input
   * @throws DtypeError for integers and bool
   * @throws ShapeError when input is not [N, C, …], numGroups does not divide C, or a vector is not [C]
   */
  groupNorm(numGroups: number, weight?: Tensor | null, bias?: Tensor | null, eps?: number): Tensor
  groupNorm(...args: [numGroups: number, weight: Tensor | null | undefined, bias: Tensor | null | undefined, options?: { readonly eps?: number | undefined }] | [numGroups: number, weight: Tensor | null | undefined, options?: { readonly bias?: Tensor | null | undefined; readonly eps?: number | undefined }] | [numGroups: number, options?: { readonly weight?: Tensor | null | undefined; readonly bias?: Tensor | null | undefined; readonly eps?: number | undefined }] | [options: { readonly numGroups: number; readonly weight?: Tensor | null | undefined; readonly bias?: Tensor | null | undefined; readonly eps?: number | undefined }]): Tensor

  /**
   * (input − mean) / √(variance + eps) per channel, with the running statistics or (training) those of the batch.
   *
   * Takes floats.
   *
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
  batchNorm(runningMean: Tensor | null, runningVar: Tensor | null, weight?: Tensor | null, bias?: Tensor | null, training?: boolean, momentum?: number, eps?: number): Tensor
  batchNorm(...args: [runningMean: Tensor | null, runningVar: Tensor | null, weight: Tensor | null | undefined, bias: Tensor | null | undefined, training: boolean | undefined, momentum: number | undefined, options?: { readonly eps?: number | undefined }] | [runningMean: Tensor | null, runningVar: Tensor | null, weight: Tensor | null | undefined, bias: Tensor | null | undefined, training: boolean | undefined, options?: { readonly momentum?: number | undefined; readonly eps?: number | undefined }] | [runningMean: Tensor | null, runningVar: Tensor | null, weight: Tensor | null | undefined, bias: Tensor | null | undefined, options?: { readonly training?: boolean | undefined; readonly momentum?: number | undefined; readonly eps?: number | undefined }] | [runningMean: Tensor | null, runningVar: Tensor | null, weight: Tensor | null | undefined, options?: { readonly bias?: Tensor | null | undefined; readonly training?: boolean | undefined; readonly momentum?: number | undefined; readonly eps?: number | undefined }] | [runningMean: Tensor | null, runningVar: Tensor | null, options?: { readonly weight?: Tensor | null | undefined; readonly bias?: Tensor | null | undefined; readonly training?: boolean | undefined; readonly momentum?: number | undefined; readonly eps?: number | undefined }] | [runningMean: Tensor | null, options: { readonly runningVar: Tensor | null; readonly weight?: Tensor | null | undefined; readonly bias?: Tensor | null | undefined; readonly training?: boolean | undefined; readonly momentum?: number | undefined; readonly eps?: number | undefined }] | [options: { readonly runningMean: Tensor | null; readonly runningVar: Tensor | null; readonly weight?: Tensor | null | undefined; readonly bias?: Tensor | null | undefined; readonly training?: boolean | undefined; readonly momentum?: number | undefined; readonly eps?: number | undefined }]): Tensor

  /**
   * (input − mean) / √(variance + eps) over the spatial dims, for each channel of each sample, · weight + bias per channel.
   *
   * Takes floats.
   *
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
  instanceNorm(runningMean?: Tensor | null, runningVar?: Tensor | null, weight?: Tensor | null, bias?: Tensor | null, useInputStats?: boolean, momentum?: number, eps?: number): Tensor
  instanceNorm(...args: [runningMean: Tensor | null | undefined, runningVar: Tensor | null | undefined, weight: Tensor | null | undefined, bias: Tensor | null | undefined, useInputStats: boolean | undefined, momentum: number | undefined, options?: { readonly eps?: number | undefined }] | [runningMean: Tensor | null | undefined, runningVar: Tensor | null | undefined, weight: Tensor | null | undefined, bias: Tensor | null | undefined, useInputStats: boolean | undefined, options?: { readonly momentum?: number | undefined; readonly eps?: number | undefined }] | [runningMean: Tensor | null | undefined, runningVar: Tensor | null | undefined, weight: Tensor | null | undefined, bias: Tensor | null | undefined, options?: { readonly useInputStats?: boolean | undefined; readonly momentum?: number | undefined; readonly eps?: number | undefined }] | [runningMean: Tensor | null | undefined, runningVar: Tensor | null | undefined, weight: Tensor | null | undefined, options?: { readonly bias?: Tensor | null | undefined; readonly useInputStats?: boolean | undefined; readonly momentum?: number | undefined; readonly eps?: number | undefined }] | [runningMean: Tensor | null | undefined, runningVar: Tensor | null | undefined, options?: { readonly weight?: Tensor | null | undefined; readonly bias?: Tensor | null | undefined; readonly useInputStats?: boolean | undefined; readonly momentum?: number | undefined; readonly eps?: number | undefined }] | [runningMean: Tensor | null | undefined, options?: { readonly runningVar?: Tensor | null | undefined; readonly weight?: Tensor | null | undefined; readonly bias?: Tensor | null | undefined; readonly useInputStats?: boolean | undefined; readonly momentum?: number | undefined; readonly eps?: number | undefined }] | [options?: { readonly runningMean?: Tensor | null | undefined; readonly runningVar?: Tensor | null | undefined; readonly weight?: Tensor | null | undefined; readonly bias?: Tensor | null | undefined; readonly useInputStats?: boolean | undefined; readonly momentum?: number | undefined; readonly eps?: number | undefined }]): Tensor

  /**
   * input / max(‖input‖ₚ, eps) over the dims.
   *
   * Takes floats.
   *
   * @param p a number: the power of the norm; ±Infinity for the largest (smallest) element (default 2)
   * @param dim an integer or a list of integers: the dims of the vectors (default [1])
   * @param eps a number: a lower bound on the length that is divided by (default 1e-12)
   * @returns the shape of input; the dtype of input
   * @throws DtypeError for integers and bool
   * @throws ShapeError when a dim is out of range, or when p is ±Infinity and dim has no elements
   */
  normalize(p?: number, dim?: number | readonly number[], eps?: number): Tensor
  normalize(...args: [p: number | undefined, dim: number | readonly number[] | undefined, options?: { readonly eps?: number | undefined }] | [p: number | undefined, options?: { readonly dim?: number | readonly number[] | undefined; readonly eps?: number | undefined }] | [options?: { readonly p?: number | undefined; readonly dim?: number | readonly number[] | undefined; readonly eps?: number | undefined }]): Tensor

  /**
   * (input − target)², reduced.
   *
   * Takes floats.
   *
   * @param target a tensor: what input should be, of its shape
   * @param reduction 'mean', 'sum' or 'none': the mean of all losses, their sum, or each (default 'mean')
   * @returns 0-d; with reduction 'none' the shape of input; the dtype of input
   * @throws DtypeError for integers and bool, or when the target is another float than input
   * @throws ShapeError when input and target differ in shape, or a weight does not broadcast to them (PyTorch broadcasts all)
   */
  mseLoss(target: Tensor, reduction?: 'mean' | 'sum' | 'none'): Tensor
  mseLoss(...args: [target: Tensor, options?: { readonly reduction?: 'mean' | 'sum' | 'none' | undefined }] | [options: { readonly target: Tensor; readonly reduction?: 'mean' | 'sum' | 'none' | undefined }]): Tensor

  /**
   * |input − target|, reduced.
   *
   * Takes floats.
   *
   * @param target a tensor: what input should be, of its shape
   * @param reduction 'mean', 'sum' or 'none': the mean of all losses, their sum, or each (default 'mean')
   * @returns 0-d; with reduction 'none' the shape of input; the dtype of input
   * @throws DtypeError for integers and bool, or when the target is another float than input
   * @throws ShapeError when input and target differ in shape, or a weight does not broadcast to them (PyTorch broadcasts all)
   */
  l1Loss(target: Tensor, reduction?: 'mean' | 'sum' | 'none'): Tensor
  l1Loss(...args: [target: Tensor, options?: { readonly reduction?: 'mean' | 'sum' | 'none' | undefined }] | [options: { readonly target: Tensor; readonly reduction?: 'mean' | 'sum' | 'none' | undefined }]): Tensor

  /**
   * With d = |input − target|: d² / (2 beta) below beta, d − beta / 2 above, reduced.
   *
   * Takes floats.
   *
   * @param target a tensor: what input should be, of its shape
   * @param reduction 'mean', 'sum' or 'none': the mean of all losses, their sum, or each (default 'mean')
   * @param beta a number: where the quadratic part ends, positive (default 1)
   * @returns 0-d; with reduction 'none' the shape of input; the dtype of input
   * @throws ArgumentError when beta is not positive
   * @throws DtypeError for integers and bool, or when the target is another float than input
   * @throws ShapeError when input and target differ in shape, or a weight does not broadcast to them (PyTorch broadcasts all)
   */
  smoothL1Loss(target: Tensor, reduction?: 'mean' | 'sum' | 'none', beta?: number): Tensor
  smoothL1Loss(...args: [target: Tensor, reduction: 'mean' | 'sum' | 'none' | undefined, options?: { readonly beta?: number | undefined }] | [target: Tensor, options?: { readonly reduction?: 'mean' | 'sum' | 'none' | undefined; readonly beta?: number | undefined }] | [options: { readonly target: Tensor; readonly reduction?: 'mean' | 'sum' | 'none' | undefined; readonly beta?: number | undefined }]): Tensor

  /**
   * With d = |input − target|: d² / 2 up to delta, delta · (d − delta / 2) above, reduced.
   *
   * Takes floats.
   *
   * @param target a tensor: what input should be, of its shape
   * @param reduction 'mean', 'sum' or 'none': the mean of all losses, their sum, or each (default 'mean')
   * @param delta a number: where the quadratic part ends, positive (default 1)
   * @returns 0-d; with reduction 'none' the shape of input; the dtype of input
   * @throws ArgumentError when delta is not positive
   * @throws DtypeError for integers and bool, or when the target is another float than input
   * @throws ShapeError when input and target differ in shape, or a weight does not broadcast to them (PyTorch broadcasts all)
   */
  huberLoss(target: Tensor, reduction?: 'mean' | 'sum' | 'none', delta?: number): Tensor
  huberLoss(...args: [target: Tensor, reduction: 'mean' | 'sum' | 'none' | undefined, options?: { readonly delta?: number | undefined }] | [target: Tensor, options?: { readonly reduction?: 'mean' | 'sum' | 'none' | undefined; readonly delta?: number | undefined }] | [options: { readonly target: Tensor; readonly reduction?: 'mean' | 'sum' | 'none' | undefined; readonly delta?: number | undefined }]): Tensor

  /**
   * −(target · ln input + (1 − target) · ln(1 − input)), logarithms clamped to at least −100, reduced.
   *
   * Takes floats.
   *
   * @param target a tensor: what input should be, of its shape
   * @param weight a tensor: a factor per element (broadcasts) (optional)
   * @param reduction 'mean', 'sum' or 'none': the mean of all losses, their sum, or each (default 'mean')
   * @returns 0-d; with reduction 'none' the shape of input; the dtype of input
   * @throws DtypeError for integers and bool, or when the target is another float than input
   * @throws ShapeError when input and target differ in shape, or a weight does not broadcast to them (PyTorch broadcasts all)
   */
  binaryCrossEntropy(target: Tensor, weight?: Tensor | null, reduction?: 'mean' | 'sum' | 'none'): Tensor
  binaryCrossEntropy(...args: [target: Tensor, weight: Tensor | null | undefined, options?: { readonly reduction?: 'mean' | 'sum' | 'none' | undefined }] | [target: Tensor, options?: { readonly weight?: Tensor | null | undefined; readonly reduction?: 'mean' | 'sum' | 'none' | undefined }] | [options: { readonly target: Tensor; readonly weight?: Tensor | null | undefined; readonly reduction?: 'mean' | 'sum' | 'none' | undefined }]): Tensor

  /**
   * binaryCrossEntropy of sigmoid(input), computed without overflow.
   *
   * Takes floats.
   *
   * @param target a tensor: what input should be, of its shape
   * @param weight a tensor: a factor per element (broadcasts) (optional)
   * @param reduction 'mean', 'sum' or 'none': the mean of all losses, their sum, or each (default 'mean')
   * @param posWeight a tensor: a factor on the loss of positive targets (broadcasts) (optional)
   * @returns 0-d; with reduction 'none' the shape of input; the dtype of input
   * @throws DtypeError for integers and bool, or when the target is another float than input
   * @throws ShapeError when input and target differ in shape, or a weight does not broadcast to them (PyTorch broadcasts all)
   */
  binaryCrossEntropyWithLogits(target: Tensor, weight?: Tensor | null, reduction?: 'mean' | 'sum' | 'none', posWeight?: Tensor | null): Tensor
  binaryCrossEntropyWithLogits(...args: [target: Tensor, weight: Tensor | null | undefined, reduction: 'mean' | 'sum' | 'none' | undefined, options?: { readonly posWeight?: Tensor | null | undefined }] | [target: Tensor, weight: Tensor | null | undefined, options?: { readonly reduction?: 'mean' | 'sum' | 'none' | undefined; readonly posWeight?: Tensor | null | undefined }] | [target: Tensor, options?: { readonly weight?: Tensor | null | undefined; readonly reduction?: 'mean' | 'sum' | 'none' | undefined; readonly posWeight?: Tensor | null | undefined }] | [options: { readonly target: Tensor; readonly weight?: Tensor | null | undefined; readonly reduction?: 'mean' | 'sum' | 'none' | undefined; readonly posWeight?: Tensor | null | undefined }]): Tensor

  /**
   * target · (ln target − input), input holds log-probabilities (with logTarget the target does too); reduction may be 'batchmean'.
   *
   * Takes floats.
   *
   * @param target a tensor: what input should be, of its shape
   * @param reduction 'mean', 'sum', 'none' or 'batchmean': the mean of all losses, their sum, each, or their sum over the size of the batch (default 'mean')
   * @param logTarget true or false: the target holds logarithms too (default false)
   * @returns 0-d; with reduction 'none' the shape of input; the dtype of input
   * @throws DtypeError for integers and bool, or when the target is another float than input
   * @throws ShapeError when input and target differ in shape, or a weight does not broadcast to them (PyTorch broadcasts all)
   */
  klDiv(target: Tensor, reduction?: 'mean' | 'sum' | 'none' | 'batchmean', logTarget?: boolean): Tensor
  klDiv(...args: [target: Tensor, reduction: 'mean' | 'sum' | 'none' | 'batchmean' | undefined, options?: { readonly logTarget?: boolean | undefined }] | [target: Tensor, options?: { readonly reduction?: 'mean' | 'sum' | 'none' | 'batchmean' | undefined; readonly logTarget?: boolean | undefined }] | [options: { readonly target: Tensor; readonly reduction?: 'mean' | 'sum' | 'none' | 'batchmean' | undefined; readonly logTarget?: boolean | undefined }]): Tensor

  /**
   * −weight[target] · input[target] of log-probabilities [N, C, …]; the mean divides by the sum of the weights of the targets that count.
   *
   * A class out of range is an error on a CPU outside of compile, elsewhere its loss is NaN.
   * Takes floats.
   *
   * @param target a tensor: class indices [N, …], or 0-d for [C]
   * @param weight a tensor: a factor per class, [C] (optional)
   * @param ignoreIndex an integer: targets of this value do not count (default -100)
   * @param reduction 'mean', 'sum' or 'none': the mean of all losses, their sum, or each (default 'mean')
   * @returns 0-d; with reduction 'none' the shape of target; the dtype of input
   * @throws DtypeError for integers and bool, or when the target is no integer
   * @throws ShapeError when the target is not [N, …] (0-d for [C]), or the weight is not [C]
   */
  nllLoss(target: Tensor, weight?: Tensor | null, ignoreIndex?: number, reduction?: 'mean' | 'sum' | 'none'): Tensor
  nllLoss(...args: [target: Tensor, weight: Tensor | null | undefined, ignoreIndex: number | undefined, options?: { readonly reduction?: 'mean' | 'sum' | 'none' | undefined }] | [target: Tensor, weight: Tensor | null | undefined, options?: { readonly ignoreIndex?: number | undefined; readonly reduction?: 'mean' | 'sum' | 'none' | undefined }] | [target: Tensor, options?: { readonly weight?: Tensor | null | undefined; readonly ignoreIndex?: number | undefined; readonly reduction?: 'mean' | 'sum' | 'none' | undefined }] | [options: { readonly target: Tensor; readonly weight?: Tensor | null | undefined; readonly ignoreIndex?: number | undefined; readonly reduction?: 'mean' | 'sum' | 'none' | undefined }]): Tensor

  /**
   * nllLoss of logSoftmax(input) of [N, C, …]; the target holds class indices, or (floats) probabilities.
   *
   * A class out of range is an error on a CPU outside of compile, elsewhere its loss is NaN.
   * Takes floats.
   *
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
  crossEntropy(target: Tensor, weight?: Tensor | null, ignoreIndex?: number, reduction?: 'mean' | 'sum' | 'none', labelSmoothing?: number): Tensor
  crossEntropy(...args: [target: Tensor, weight: Tensor | null | undefined, ignoreIndex: number | undefined, reduction: 'mean' | 'sum' | 'none' | undefined, options?: { readonly labelSmoothing?: number | undefined }] | [target: Tensor, weight: Tensor | null | undefined, ignoreIndex: number | undefined, options?: { readonly reduction?: 'mean' | 'sum' | 'none' | undefined; readonly labelSmoothing?: number | undefined }] | [target: Tensor, weight: Tensor | null | undefined, options?: { readonly ignoreIndex?: number | undefined; readonly reduction?: 'mean' | 'sum' | 'none' | undefined; readonly labelSmoothing?: number | undefined }] | [target: Tensor, options?: { readonly weight?: Tensor | null | undefined; readonly ignoreIndex?: number | undefined; readonly reduction?: 'mean' | 'sum' | 'none' | undefined; readonly labelSmoothing?: number | undefined }] | [options: { readonly target: Tensor; readonly weight?: Tensor | null | undefined; readonly ignoreIndex?: number | undefined; readonly reduction?: 'mean' | 'sum' | 'none' | undefined; readonly labelSmoothing?: number | undefined }]): Tensor

  /**
   * Σ x1 · x2 / (max(‖x1‖, eps) · max(‖x2‖, eps)) along a dim.
   *
   * Takes floats.
   *
   * @param x2 a tensor: the other; the two broadcast
   * @param dim an integer: the dim; negative ones count from the end (default 1)
   * @param eps a number: a lower bound on each length that is divided by (default 1e-8)
   * @returns the shape that x1 and x2 broadcast to, without dim; the dtype of x1
   * @throws DtypeError for integers and bool, or when x1 and x2 have different dtypes
   * @throws ShapeError when a dim is out of range, or when the shapes do not broadcast, or both are 0-d
   */
  cosineSimilarity(x2: Tensor, dim?: number, eps?: number): Tensor
  cosineSimilarity(...args: [x2: Tensor, dim: number | undefined, options?: { readonly eps?: number | undefined }] | [x2: Tensor, options?: { readonly dim?: number | undefined; readonly eps?: number | undefined }] | [options: { readonly x2: Tensor; readonly dim?: number | undefined; readonly eps?: number | undefined }]): Tensor

  /**
   * e^input − target · input (logInput false: input − target · ln(input + eps)), reduced.
   *
   * Takes floats.
   *
   * @param target a tensor: what input should be, of its shape
   * @param logInput true or false: input is the logarithm of the expected count, not the count itself (default true)
   * @param full true or false: Stirling's formula for ln target! is added (default false)
   * @param eps a number: what is added before a logarithm (default 1e-8)
   * @param reduction 'mean', 'sum' or 'none': the mean of all losses, their sum, or each (default 'mean')
   * @returns 0-d; with reduction 'none' the shape that the tensors broadcast to; the promoted dtype
   * @throws DtypeError for integers and bool
   * @throws ShapeError when the shapes do not broadcast
   */
  poissonNllLoss(target: Tensor, logInput?: boolean, full?: boolean, eps?: number, reduction?: 'mean' | 'sum' | 'none'): Tensor
  poissonNllLoss(...args: [target: Tensor, logInput: boolean | undefined, full: boolean | undefined, eps: number | undefined, options?: { readonly reduction?: 'mean' | 'sum' | 'none' | undefined }] | [target: Tensor, logInput: boolean | undefined, full: boolean | undefined, options?: { readonly eps?: number | undefined; readonly reduction?: 'mean' | 'sum' | 'none' | undefined }] | [target: Tensor, logInput: boolean | undefined, options?: { readonly full?: boolean | undefined; readonly eps?: number | undefined; readonly reduction?: 'mean' | 'sum' | 'none' | undefined }] | [target: Tensor, options?: { readonly logInput?: boolean | undefined; readonly full?: boolean | undefined; readonly eps?: number | undefined; readonly reduction?: 'mean' | 'sum' | 'none' | undefined }] | [options: { readonly target: Tensor; readonly logInput?: boolean | undefined; readonly full?: boolean | undefined; readonly eps?: number | undefined; readonly reduction?: 'mean' | 'sum' | 'none' | undefined }]): Tensor

  /**
   * (ln v + (input − target)² / v) / 2 with v = max(variance, eps), plus ln(2π) / 2 with full, reduced.
   *
   * Takes floats.
   *
   * @param target a tensor: what input should be, of its shape
   * @param variance a tensor: the variance of each, at least 0
   * @param full true or false: ln(2π) / 2 is added (default false)
   * @param eps a number: a lower bound on the variance (default 1e-6)
   * @param reduction 'mean', 'sum' or 'none': the mean of all losses, their sum, or each (default 'mean')
   * @returns 0-d; with reduction 'none' the shape that the tensors broadcast to; the promoted dtype
   * @throws DtypeError for integers and bool
   * @throws ShapeError when the shapes do not broadcast
   */
  gaussianNllLoss(target: Tensor, variance: Tensor, full?: boolean, eps?: number, reduction?: 'mean' | 'sum' | 'none'): Tensor
  gaussianNllLoss(...args: [target: Tensor, variance: Tensor, full: boolean | undefined, eps: number | undefined, options?: { readonly reduction?: 'mean' | 'sum' | 'none' | undefined }] | [target: Tensor, variance: Tensor, full: boolean | undefined, options?: { readonly eps?: number | undefined; readonly reduction?: 'mean' | 'sum' | 'none' | undefined }] | [target: Tensor, variance: Tensor, options?: { readonly full?: boolean | undefined; readonly eps?: number | undefined; readonly reduction?: 'mean' | 'sum' | 'none' | undefined }] | [target: Tensor, options: { readonly variance: Tensor; readonly full?: boolean | undefined; readonly eps?: number | undefined; readonly reduction?: 'mean' | 'sum' | 'none' | undefined }] | [options: { readonly target: Tensor; readonly variance: Tensor; readonly full?: boolean | undefined; readonly eps?: number | undefined; readonly reduction?: 'mean' | 'sum' | 'none' | undefined }]): Tensor

  /**
   * ln(1 + e^(−target · input)), reduced; targets are 1 or −1.
   *
   * Takes floats.
   *
   * @param target a tensor: 1 or −1
   * @param reduction 'mean', 'sum' or 'none': the mean of all losses, their sum, or each (default 'mean')
   * @returns 0-d; with reduction 'none' the shape that the tensors broadcast to; the promoted dtype
   * @throws DtypeError for integers and bool
   * @throws ShapeError when the shapes do not broadcast
   */
  softMarginLoss(target: Tensor, reduction?: 'mean' | 'sum' | 'none'): Tensor
  softMarginLoss(...args: [target: Tensor, options?: { readonly reduction?: 'mean' | 'sum' | 'none' | undefined }] | [options: { readonly target: Tensor; readonly reduction?: 'mean' | 'sum' | 'none' | undefined }]): Tensor

  /**
   * input where target is 1, max(0, margin − input) where it is −1, reduced.
   *
   * Takes floats.
   *
   * @param target a tensor: 1 or −1
   * @param margin a number: how large input should be where the target is −1 (default 1)
   * @param reduction 'mean', 'sum' or 'none': the mean of all losses, their sum, or each (default 'mean')
   * @returns 0-d; with reduction 'none' the shape that the tensors broadcast to; the promoted dtype
   * @throws DtypeError for integers and bool
   * @throws ShapeError when the shapes do not broadcast
   */
  hingeEmbeddingLoss(target: Tensor, margin?: number, reduction?: 'mean' | 'sum' | 'none'): Tensor
  hingeEmbeddingLoss(...args: [target: Tensor, margin: number | undefined, options?: { readonly reduction?: 'mean' | 'sum' | 'none' | undefined }] | [target: Tensor, options?: { readonly margin?: number | undefined; readonly reduction?: 'mean' | 'sum' | 'none' | undefined }] | [options: { readonly target: Tensor; readonly margin?: number | undefined; readonly reduction?: 'mean' | 'sum' | 'none' | undefined }]): Tensor

  /**
   * max(0, −target · (input1 − input2) + margin), reduced; target 1 where input1 should be the larger, −1 where the smaller.
   *
   * Takes floats.
   *
   * @param input2 a tensor: the other
   * @param target a tensor: 1 or −1
   * @param margin a number: by how much one should be larger (default 0)
   * @param reduction 'mean', 'sum' or 'none': the mean of all losses, their sum, or each (default 'mean')
   * @returns 0-d; with reduction 'none' the shape that the tensors broadcast to; the promoted dtype
   * @throws DtypeError for integers and bool
   * @throws ShapeError when the shapes do not broadcast
   */
  marginRankingLoss(input2: Tensor, target: Tensor, margin?: number, reduction?: 'mean' | 'sum' | 'none'): Tensor
  marginRankingLoss(...args: [input2: Tensor, target: Tensor, margin: number | undefined, options?: { readonly reduction?: 'mean' | 'sum' | 'none' | undefined }] | [input2: Tensor, target: Tensor, options?: { readonly margin?: number | undefined; readonly reduction?: 'mean' | 'sum' | 'none' | undefined }] | [input2: Tensor, options: { readonly target: Tensor; readonly margin?: number | undefined; readonly reduction?: 'mean' | 'sum' | 'none' | undefined }] | [options: { readonly input2: Tensor; readonly target: Tensor; readonly margin?: number | undefined; readonly reduction?: 'mean' | 'sum' | 'none' | undefined }]): Tensor

  /**
   * The mean over the last dim of −(target · ln σ(input) + (1 − target) · ln σ(−input)) · weight, reduced.
   *
   * Takes floats.
   *
   * @param target a tensor: 0 or 1 per class, […, C]
   * @param weight a tensor: a factor per class (broadcasts) (optional)
   * @param reduction 'mean', 'sum' or 'none': the mean of all losses, their sum, or each (default 'mean')
   * @returns 0-d; with reduction 'none' the shape of input without the last dim; the dtype of input
   * @throws DtypeError for integers and bool
   * @throws ShapeError when input is 0-d, input and target differ in shape, or the weight does not broadcast
   */
  multilabelSoftMarginLoss(target: Tensor, weight?: Tensor | null, reduction?: 'mean' | 'sum' | 'none'): Tensor
  multilabelSoftMarginLoss(...args: [target: Tensor, weight: Tensor | null | undefined, options?: { readonly reduction?: 'mean' | 'sum' | 'none' | undefined }] | [target: Tensor, options?: { readonly weight?: Tensor | null | undefined; readonly reduction?: 'mean' | 'sum' | 'none' | undefined }] | [options: { readonly target: Tensor; readonly weight?: Tensor | null | undefined; readonly reduction?: 'mean' | 'sum' | 'none' | undefined }]): Tensor

  /**
   * Σ over the other classes of max(0, margin − input[target] + input[i])^p / C of [N, C] or [C], reduced.
   *
   * A class out of range is an error on a CPU outside of compile, elsewhere its loss is NaN.
   * Takes floats.
   *
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
  multiMarginLoss(target: Tensor, p?: number, margin?: number, weight?: Tensor | null, reduction?: 'mean' | 'sum' | 'none'): Tensor
  multiMarginLoss(...args: [target: Tensor, p: number | undefined, margin: number | undefined, weight: Tensor | null | undefined, options?: { readonly reduction?: 'mean' | 'sum' | 'none' | undefined }] | [target: Tensor, p: number | undefined, margin: number | undefined, options?: { readonly weight?: Tensor | null | undefined; readonly reduction?: 'mean' | 'sum' | 'none' | undefined }] | [target: Tensor, p: number | undefined, options?: { readonly margin?: number | undefined; readonly weight?: Tensor | null | undefined; readonly reduction?: 'mean' | 'sum' | 'none' | undefined }] | [target: Tensor, options?: { readonly p?: number | undefined; readonly margin?: number | undefined; readonly weight?: Tensor | null | undefined; readonly reduction?: 'mean' | 'sum' | 'none' | undefined }] | [options: { readonly target: Tensor; readonly p?: number | undefined; readonly margin?: number | undefined; readonly weight?: Tensor | null | undefined; readonly reduction?: 'mean' | 'sum' | 'none' | undefined }]): Tensor

  /**
   * The sum of max(0, 1 − input[j] + input[i]) / C over pairs of a target class j and another class i, for input [N, C] or [C]; reduced.
   *
   * A class out of range is an error on a CPU outside of compile, elsewhere its loss is NaN.
   * Takes floats.
   *
   * @param target a tensor: class indices, of the shape of input; those from the first negative one on count for nothing
   * @param reduction 'mean', 'sum' or 'none': the mean of all losses, their sum, or each (default 'mean')
   * @returns 0-d; with reduction 'none' [N]; the dtype of input
   * @throws DtypeError for integers and bool, or when the target is no integer
   * @throws ShapeError when input is neither [N, C] nor [C] or has no classes, or the target has another shape
   */
  multilabelMarginLoss(target: Tensor, reduction?: 'mean' | 'sum' | 'none'): Tensor
  multilabelMarginLoss(...args: [target: Tensor, options?: { readonly reduction?: 'mean' | 'sum' | 'none' | undefined }] | [options: { readonly target: Tensor; readonly reduction?: 'mean' | 'sum' | 'none' | undefined }]): Tensor

  /**
   * The distances (Σ |x − y|^p)^(1/p) of all rows x of x1 [*, P, M] and y of x2 [*, R, M]: [*, P, R].
   *
   * Takes floats.
   *
   * @param x2 a tensor: [*, R, M]
   * @param p a number: the power; 0 counts, Infinity is the largest difference (default 2)
   * @returns [*, P, R]; * is what the leading dims broadcast to; the promoted dtype
   * @throws ArgumentError when p is negative
   * @throws DtypeError for integers and bool
   * @throws ShapeError when either has fewer than two dims, or the rows differ in length
   */
  cdist(x2: Tensor, p?: number): Tensor
  cdist(...args: [x2: Tensor, options?: { readonly p?: number | undefined }] | [options: { readonly x2: Tensor; readonly p?: number | undefined }]): Tensor

  /**
   * (Σ |x1 − x2 + eps|^p)^(1/p) over the last dim.
   *
   * Takes floats.
   *
   * @param x2 a tensor: the other
   * @param p a number: the power; 0 counts, Infinity is the largest difference (default 2)
   * @param eps a number: what is added to each difference (default 1e-6)
   * @param keepdim true or false: keep the reduced dims, with size 1 (default false)
   * @returns what x1 and x2 broadcast to, without the last dim (keepdim: 1 there); the promoted dtype
   * @throws ArgumentError when p is negative
   * @throws DtypeError for integers and bool
   * @throws ShapeError when the shapes do not broadcast, or both are 0-d
   */
  pairwiseDistance(x2: Tensor, p?: number, eps?: number, keepdim?: boolean): Tensor
  pairwiseDistance(...args: [x2: Tensor, p: number | undefined, eps: number | undefined, options?: { readonly keepdim?: boolean | undefined }] | [x2: Tensor, p: number | undefined, options?: { readonly eps?: number | undefined; readonly keepdim?: boolean | undefined }] | [x2: Tensor, options?: { readonly p?: number | undefined; readonly eps?: number | undefined; readonly keepdim?: boolean | undefined }] | [options: { readonly x2: Tensor; readonly p?: number | undefined; readonly eps?: number | undefined; readonly keepdim?: boolean | undefined }]): Tensor

  /**
   * (Σ |input − other|^p)^(1/p) over everything.
   *
   * Takes floats.
   *
   * @param other a tensor: the other operand
   * @param p a number: the power; 0 counts, Infinity is the largest difference (default 2)
   * @returns 0-d; the promoted dtype
   * @throws ArgumentError when p is negative
   * @throws DtypeError for integers and bool
   * @throws ShapeError when the shapes do not broadcast
   */
  dist(other: Tensor, p?: number): Tensor
  dist(...args: [other: Tensor, options?: { readonly p?: number | undefined }] | [options: { readonly other: Tensor; readonly p?: number | undefined }]): Tensor

  /**
   * max(0, d(anchor, positive) − d(anchor, negative) + margin), reduced; d is pairwiseDistance.
   *
   * Takes floats.
   *
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
  tripletMarginLoss(positive: Tensor, negative: Tensor, margin?: number, p?: number, eps?: number, swap?: boolean, reduction?: 'mean' | 'sum' | 'none'): Tensor
  tripletMarginLoss(...args: [positive: Tensor, negative: Tensor, margin: number | undefined, p: number | undefined, eps: number | undefined, swap: boolean | undefined, options?: { readonly reduction?: 'mean' | 'sum' | 'none' | undefined }] | [positive: Tensor, negative: Tensor, margin: number | undefined, p: number | undefined, eps: number | undefined, options?: { readonly swap?: boolean | undefined; readonly reduction?: 'mean' | 'sum' | 'none' | undefined }] | [positive: Tensor, negative: Tensor, margin: number | undefined, p: number | undefined, options?: { readonly eps?: number | undefined; readonly swap?: boolean | undefined; readonly reduction?: 'mean' | 'sum' | 'none' | undefined }] | [positive: Tensor, negative: Tensor, margin: number | undefined, options?: { readonly p?: number | undefined; readonly eps?: number | undefined; readonly swap?: boolean | undefined; readonly reduction?: 'mean' | 'sum' | 'none' | undefined }] | [positive: Tensor, negative: Tensor, options?: { readonly margin?: number | undefined; readonly p?: number | undefined; readonly eps?: number | undefined; readonly swap?: boolean | undefined; readonly reduction?: 'mean' | 'sum' | 'none' | undefined }] | [positive: Tensor, options: { readonly negative: Tensor; readonly margin?: number | undefined; readonly p?: number | undefined; readonly eps?: number | undefined; readonly swap?: boolean | undefined; readonly reduction?: 'mean' | 'sum' | 'none' | undefined }] | [options: { readonly positive: Tensor; readonly negative: Tensor; readonly margin?: number | undefined; readonly p?: number | undefined; readonly eps?: number | undefined; readonly swap?: boolean | undefined; readonly reduction?: 'mean' | 'sum' | 'none' | undefined }]): Tensor

  /**
   * 1 − cos(input1, input2) where target is 1, max(0, cos(input1, input2) − margin) where it is −1, reduced.
   *
   * Takes floats.
   *
   * @param input2 a tensor: vectors of the same shape
   * @param target a tensor: [N] or 0-d: 1 where they should be alike, −1 where not
   * @param margin a number: the cosine that is allowed where not (default 0)
   * @param reduction 'mean', 'sum' or 'none': the mean of all losses, their sum, or each (default 'mean')
   * @returns 0-d; with reduction 'none' the shape of the vectors without the last dim; the promoted dtype of input1 and input2
   * @throws DtypeError for integers and bool
   * @throws ShapeError when the shapes do not broadcast, or the inputs are 0-d
   */
  cosineEmbeddingLoss(input2: Tensor, target: Tensor, margin?: number, reduction?: 'mean' | 'sum' | 'none'): Tensor
  cosineEmbeddingLoss(...args: [input2: Tensor, target: Tensor, margin: number | undefined, options?: { readonly reduction?: 'mean' | 'sum' | 'none' | undefined }] | [input2: Tensor, target: Tensor, options?: { readonly margin?: number | undefined; readonly reduction?: 'mean' | 'sum' | 'none' | undefined }] | [input2: Tensor, options: { readonly target: Tensor; readonly margin?: number | undefined; readonly reduction?: 'mean' | 'sum' | 'none' | undefined }] | [options: { readonly input2: Tensor; readonly target: Tensor; readonly margin?: number | undefined; readonly reduction?: 'mean' | 'sum' | 'none' | undefined }]): Tensor

  /**
   * The same elements in row-major order in another shape; one size may be −1 and is inferred.
   *
   * A view where the layout of input allows it, else a copy.
   * Takes any dtype.
   *
   * @param shape a list of integers of at least 0, or −1 for one that follows from the others: the sizes of the result, one by one or as a list; one may be −1: it follows from the others
   * @returns the shape asked for; the dtype of input
   * @throws ShapeError when the number of elements differs, or more than one size is −1
   */
  reshape(shape: readonly SizeLike[]): Tensor
  reshape(...shape: readonly (SizeLike)[]): Tensor
  reshape(...args: [options: { readonly shape: readonly SizeLike[] }]): Tensor

  /**
   * input with dims of size 1 repeated and leading dims added; −1 keeps a size.
   *
   * A view: the repeated elements share memory, so in-place ops on it throw.
   * Takes any dtype.
   *
   * @param sizes a list of integers of at least 0, or −1 for one that follows from the others: the sizes of the result, one by one or as a list; −1 keeps that of input
   * @returns the shape asked for; the dtype of input
   * @throws ShapeError when a size other than 1 changes, or there are fewer sizes than dims
   */
  expand(sizes: readonly SizeLike[]): Tensor
  expand(...sizes: readonly (SizeLike)[]): Tensor
  expand(...args: [options: { readonly sizes: readonly SizeLike[] }]): Tensor

  /**
   * input with dims of size 1 repeated and leading dims added; −1 keeps a size.
   *
   * A view: the repeated elements share memory, so in-place ops on it throw.
   * Takes any dtype.
   *
   * @param shape a list of integers of at least 0, or −1 for one that follows from the others: the sizes of the result, one by one or as a list; −1 keeps that of input
   * @returns the shape asked for; the dtype of input
   * @throws ShapeError when a size other than 1 changes, or there are fewer sizes than dims
   */
  broadcastTo(shape: readonly SizeLike[]): Tensor
  broadcastTo(...shape: readonly (SizeLike)[]): Tensor
  broadcastTo(...args: [options: { readonly shape: readonly SizeLike[] }]): Tensor

  /**
   * input with the dims from startDim to endDim merged into one.
   *
   * A view where the layout allows it, else a copy.
   * Takes any dtype.
   *
   * @param startDim an integer: the first of the dims (default 0)
   * @param endDim an integer: the last of the dims (default -1)
   * @returns input with the sizes from startDim to endDim multiplied into one; [1] of a 0-d tensor; the dtype of input
   * @throws ShapeError when a dim is out of range, or when startDim comes after endDim
   */
  flatten(startDim?: number, endDim?: number): Tensor
  flatten(...args: [startDim: number | undefined, options?: { readonly endDim?: number | undefined }] | [options?: { readonly startDim?: number | undefined; readonly endDim?: number | undefined }]): Tensor

  /**
   * input flattened to one dim, in row-major order.
   *
   * A view where the layout allows it, else a copy.
   * Takes any dtype.
   *
   * @returns [n], n the number of elements; the dtype of input
   */
  ravel(): Tensor

  /**
   * input without its dims of size 1, or without the given ones where they have size 1.
   *
   * A view.
   * Takes any dtype.
   *
   * @param dim an integer or a list of integers: which dims; by default all. Those of another size stay (optional)
   * @returns the shape of input without those dims; the dtype of input
   * @throws ShapeError when a dim is out of range
   */
  squeeze(dim?: number | readonly number[] | null): Tensor
  squeeze(...args: [options?: { readonly dim?: number | readonly number[] | null | undefined }]): Tensor

  /**
   * input with a new dim of size 1 before dim.
   *
   * A view.
   * Takes any dtype.
   *
   * @param dim an integer: the index of the new dim in the result; negative ones count from its end
   * @returns the shape of input with a 1 at dim; the dtype of input
   * @throws ShapeError when a dim is out of range
   */
  unsqueeze(dim: number): Tensor
  unsqueeze(...args: [options: { readonly dim: number }]): Tensor

  /**
   * input with its dims in another order.
   *
   * A view.
   * Takes any dtype.
   *
   * @param dims a list of integers: every dim once, in the new order
   * @returns [input.shape[dims[0]], input.shape[dims[1]], …]; the dtype of input
   * @throws ShapeError when dims is no order of all dims
   */
  permute(dims: readonly number[]): Tensor
  permute(...dims: readonly (number)[]): Tensor
  permute(...args: [options: { readonly dims: readonly number[] }]): Tensor

  /**
   * input with two dims swapped.
   *
   * A view.
   * Takes any dtype.
   *
   * @param dim0 an integer: one dim; negative ones count from the end
   * @param dim1 an integer: one dim; negative ones count from the end
   * @returns the shape of input with dim0 and dim1 swapped; the dtype of input
   * @throws ShapeError when a dim is out of range
   */
  transpose(dim0: number, dim1: number): Tensor
  transpose(...args: [dim0: number, options: { readonly dim1: number }] | [options: { readonly dim0: number; readonly dim1: number }]): Tensor

  /** As `transpose`: input with two dims swapped. */
  swapaxes: this['transpose']

  /** As `transpose`: input with two dims swapped. */
  swapdims: this['transpose']

  /**
   * The transpose of a matrix; tensors of fewer dims stay as they are.
   *
   * A view.
   * Takes any dtype.
   *
   * @returns [N, M] of [M, N]; the dtype of input
   * @throws ShapeError when input has more than two dims
   */
  t(): Tensor

  /**
   * A part of input: for each dim an index, [start, end, step], or null for all of it.
   *
   * A view. Ends beyond the dim are cut, as in Python.
   * Takes any dtype.
   *
   * @param ranges an index, [start, end, step], null or 'all': per dim, from the first on: an index (negative from the end), [start, end, step] with step ≥ 1, or null for all (default [])
   * @returns one size per range, its length; dims picked by an index are removed, dims without a range keep their size; the dtype of input
   * @throws ArgumentError when a step is below 1
   * @throws ShapeError when there are more ranges than dims, or an index is out of range
   */
  slice(...ranges: readonly (Range)[]): Tensor
  slice(...args: [options?: { readonly ranges?: readonly (Range)[] | undefined }]): Tensor

  /**
   * The elements from start to start + length along a dim.
   *
   * A view.
   * Takes any dtype.
   *
   * @param dim an integer: the dim; negative ones count from the end
   * @param start an integer, or a 0-d tensor of one: the first position; negative counts from the end; a tensor is read
   * @param length an integer of at least 0: how many
   * @returns the shape of input with length at dim; the dtype of input
   * @throws ShapeError when a dim is out of range, or when start + length reaches beyond the dim, or input is 0-d
   */
  narrow(dim: number, start: IndexLike | Tensor, length: SizeLike): Tensor
  narrow(...args: [dim: number, start: IndexLike | Tensor, options: { readonly length: SizeLike }] | [dim: number, options: { readonly start: IndexLike | Tensor; readonly length: SizeLike }] | [options: { readonly dim: number; readonly start: IndexLike | Tensor; readonly length: SizeLike }]): Tensor

  /**
   * input at one index of a dim, without that dim.
   *
   * A view.
   * Takes any dtype.
   *
   * @param dim an integer: the dim; negative ones count from the end
   * @param index an integer, or a 0-d tensor of one: the position along the dim; negative counts from the end; a tensor is read
   * @returns the shape of input without dim; the dtype of input
   * @throws ShapeError when a dim is out of range, or when index is out of range, or input is 0-d
   */
  select(dim: number, index: IndexLike | Tensor): Tensor
  select(...args: [dim: number, options: { readonly index: IndexLike | Tensor }] | [options: { readonly dim: number; readonly index: IndexLike | Tensor }]): Tensor

  /**
   * input with the elements along the dims in reverse order.
   *
   * A copy, as in PyTorch.
   * Takes any dtype.
   *
   * @param dims an integer or a list of integers: the dims; negative ones count from the end
   * @returns the shape of input; the dtype of input
   * @throws ShapeError when a dim is out of range, or when a dim appears twice
   */
  flip(dims: number | readonly number[]): Tensor
  flip(...dims: readonly (number)[]): Tensor
  flip(...args: [options: { readonly dims: number | readonly number[] }]): Tensor

  /**
   * input with one dim split into several; one of the sizes may be −1.
   *
   * A view where the layout allows it.
   * Takes any dtype.
   *
   * @param dim an integer: the dim; negative ones count from the end
   * @param sizes a list of integers of at least 0, or −1 for one that follows from the others: the sizes; −1 stands for one that follows
   * @returns the shape of input with sizes in place of dim; the dtype of input
   * @throws ArgumentError when sizes is empty or has more than one −1
   * @throws ShapeError when a dim is out of range, or when the sizes do not multiply to that of dim
   */
  unflatten(dim: number, sizes: readonly SizeLike[]): Tensor
  unflatten(...args: [dim: number, options: { readonly sizes: readonly SizeLike[] }] | [options: { readonly dim: number; readonly sizes: readonly SizeLike[] }]): Tensor

  /**
   * input with dims moved to other positions; the others keep their order.
   *
   * A view.
   * Takes any dtype.
   *
   * @param source an integer or a list of integers: the dims that move
   * @param destination an integer or a list of integers: where they go, one for each
   * @returns the shape of input in the new order; the dtype of input
   * @throws ArgumentError when the two lists differ in length
   * @throws ShapeError when a dim is out of range, or when a dim appears twice
   */
  movedim(source: number | readonly number[], destination: number | readonly number[]): Tensor
  movedim(...args: [source: number | readonly number[], options: { readonly destination: number | readonly number[] }] | [options: { readonly source: number | readonly number[]; readonly destination: number | readonly number[] }]): Tensor

  /** As `movedim`: input with dims moved to other positions; the others keep their order. */
  moveaxis: this['movedim']

  /**
   * input shifted along the dims by shifts, wrapping around. Without dims input is flattened for the shift.
   *
   * Takes any dtype.
   *
   * @param shifts an integer or a list of integers: how far, one per dim; negative ones to the front
   * @param dims an integer or a list of integers: one or several; without them the flattened tensor is rolled (optional)
   * @returns the shape of input; the dtype of input
   * @throws ArgumentError when there is not one shift per dim
   * @throws ShapeError when a dim is out of range
   */
  roll(shifts: IndexLike | readonly IndexLike[], dims?: number | readonly number[] | null): Tensor
  roll(...args: [shifts: IndexLike | readonly IndexLike[], options?: { readonly dims?: number | readonly number[] | null | undefined }] | [options: { readonly shifts: IndexLike | readonly IndexLike[]; readonly dims?: number | readonly number[] | null | undefined }]): Tensor

  /**
   * input rotated by k · 90° in the plane of two dims, from the first towards the second.
   *
   * Takes any dtype.
   *
   * @param k an integer: how many quarters; negative ones turn back (default 1)
   * @param dims a list of integers: the plane of rotation: two dims (default [0, 1])
   * @returns the shape of input, with the two sizes swapped when k is odd; the dtype of input
   * @throws ArgumentError when dims are not two
   * @throws ShapeError when input has fewer than two dims, or the two are one
   */
  rot90(k?: number, dims?: readonly number[]): Tensor
  rot90(...args: [k: number | undefined, options?: { readonly dims?: readonly number[] | undefined }] | [options?: { readonly k?: number | undefined; readonly dims?: readonly number[] | undefined }]): Tensor

  /**
   * input repeated repeats[d] times along each dim d; more counts than dims add leading dims.
   *
   * Takes any dtype.
   *
   * @param repeats a list of integers of at least 0: how often along each dim; further counts in front add dims
   * @returns the sizes of input times repeats; the dtype of input
   * @throws ShapeError when there are fewer counts than dims
   */
  repeat(repeats: readonly SizeLike[]): Tensor
  repeat(...repeats: readonly (SizeLike)[]): Tensor
  repeat(...args: [options: { readonly repeats: readonly SizeLike[] }]): Tensor

  /**
   * As repeat; counts for missing leading dims are 1.
   *
   * Takes any dtype.
   *
   * @param dims a list of integers of at least 0: how often along each dim, aligned at the last
   * @returns the sizes of input times dims; the dtype of input
   */
  tile(dims: readonly SizeLike[]): Tensor
  tile(...dims: readonly (SizeLike)[]): Tensor
  tile(...args: [options: { readonly dims: readonly SizeLike[] }]): Tensor

  /**
   * Each element (or slice along dim) repeats times in a row; without dim input is flattened. Without repeats, input holds the counts: i is repeated input[i] times.
   *
   * Takes any dtype.
   *
   * @param repeats an integer of at least 0 or a tensor: how often each; a vector [n] has one count for each element along dim. Left out, input holds the counts (optional)
   * @param dim an integer: the dim of the slices; without it input is flattened (optional)
   * @param outputSize an integer of at least 0: how long the dim becomes where repeats is a tensor: their sum; without it they are read (optional)
   * @returns the shape of input with its elements repeated at dim; 1-D without dim; the dtype of input
   * @throws ShapeError when a dim is out of range
   */
  repeatInterleave(repeats?: SizeLike | Tensor | null, dim?: number | null, options?: { readonly outputSize?: SizeLike | null | undefined }): Tensor
  repeatInterleave(...args: [repeats: SizeLike | Tensor | null | undefined, options?: { readonly dim?: number | null | undefined; readonly outputSize?: SizeLike | null | undefined }] | [options?: { readonly repeats?: SizeLike | Tensor | null | undefined; readonly dim?: number | null | undefined; readonly outputSize?: SizeLike | null | undefined }]): Tensor

  /**
   * The diagonals of the matrices in dims dim1 and dim2 as the last dim; offset > 0 is above the main diagonal, < 0 below.
   *
   * A view.
   * Takes any dtype.
   *
   * @param offset an integer: which diagonal: to the right of the main one, negative ones below it (default 0)
   * @param dim1 an integer: one dim; negative ones count from the end (default 0)
   * @param dim2 an integer: the other dim; negative ones count from the end (default 1)
   * @returns the other dims, then the length of the diagonal; the dtype of input
   * @throws ShapeError when a dim is out of range, or when input has fewer than two dims, or dim1 is dim2
   */
  diagonal(offset?: IndexLike, dim1?: number, dim2?: number): Tensor
  diagonal(...args: [offset: IndexLike | undefined, dim1: number | undefined, options?: { readonly dim2?: number | undefined }] | [offset: IndexLike | undefined, options?: { readonly dim1?: number | undefined; readonly dim2?: number | undefined }] | [options?: { readonly offset?: IndexLike | undefined; readonly dim1?: number | undefined; readonly dim2?: number | undefined }]): Tensor

  /**
   * The diagonal of a matrix (a copy), or a matrix with a vector on its diagonal.
   *
   * Takes any dtype.
   *
   * @param diagonal an integer: which diagonal: to the right of the main one, negative ones below it (default 0)
   * @returns [n] of a matrix; [n + |diagonal|, n + |diagonal|] of a vector; the dtype of input
   * @throws ShapeError when input is neither a vector nor a matrix
   */
  diag(diagonal?: IndexLike): Tensor
  diag(...args: [options?: { readonly diagonal?: IndexLike | undefined }]): Tensor

  /**
   * Σ of the diagonal of a matrix; integers give i64.
   *
   * Takes any dtype.
   *
   * @returns 0-d; the dtype of input, i64 for integers and bool
   * @throws ShapeError when input is no matrix
   */
  trace(): Tensor

  /**
   * Windows of size elements along a dim, a new one every step, as a new last dim; they may overlap.
   *
   * A view. What torch.nn.functional calls unfold, windows as columns, is im2col.
   * Takes any dtype.
   *
   * @param dimension an integer: the dim
   * @param size an integer of at least 1: the size of a window
   * @param step an integer of at least 1: the distance between window starts
   * @returns the shape of input with the number of windows at dimension, and size as a last dim; the dtype of input
   * @throws ShapeError when a dim is out of range, or when no window fits, or input is 0-d
   */
  unfold(dimension: number, size: number, step: number): Tensor
  unfold(...args: [dimension: number, size: number, options: { readonly step: number }] | [dimension: number, options: { readonly size: number; readonly step: number }] | [options: { readonly dimension: number; readonly size: number; readonly step: number }]): Tensor

  /**
   * The differences of neighbours along a dim, n times, of input with prepend and append concatenated before and after it; of bool: whether they differ.
   *
   * Takes any dtype.
   *
   * @param n an integer of at least 0: how many times (default 1)
   * @param dim an integer: the dim; negative ones count from the end (default -1)
   * @param prepend a tensor: concatenated before input along dim; of its shape in the other dims (optional)
   * @param append a tensor: concatenated after input along dim; of its shape in the other dims (optional)
   * @returns the joined shape, with n fewer at dim (at least 0); the promoted dtype
   * @throws ShapeError when a dim is out of range, or when input is 0-d, or prepend or append does not fit it
   */
  diff(n?: number, dim?: number, prepend?: Tensor | null, append?: Tensor | null): Tensor
  diff(...args: [n: number | undefined, dim: number | undefined, prepend: Tensor | null | undefined, options?: { readonly append?: Tensor | null | undefined }] | [n: number | undefined, dim: number | undefined, options?: { readonly prepend?: Tensor | null | undefined; readonly append?: Tensor | null | undefined }] | [n: number | undefined, options?: { readonly dim?: number | undefined; readonly prepend?: Tensor | null | undefined; readonly append?: Tensor | null | undefined }] | [options?: { readonly n?: number | undefined; readonly dim?: number | undefined; readonly prepend?: Tensor | null | undefined; readonly append?: Tensor | null | undefined }]): Tensor

  /**
   * For each class index a vector (i64) with a 1 at that index; an index out of range gives zeros.
   *
   * An index out of range is an error on a CPU outside of compile, elsewhere it gives zeros.
   * Takes integers.
   *
   * @param numClasses an integer: how many classes: how long a row is; −1: one more than the largest index, which is read (default -1)
   * @returns the shape of tensor, then numClasses; i64
   * @throws ArgumentError when numClasses is below 1
   * @throws DtypeError for floats and bool
   */
  oneHot(numClasses?: IndexLike): Tensor
  oneHot(...args: [options?: { readonly numClasses?: IndexLike | undefined }]): Tensor

  /**
   * input padded before and after its last dims by [left, right, top, bottom, …]; negative amounts crop.
   *
   * Any number of dims in every mode; PyTorch's others take the last one to three.
   * Takes any dtype.
   *
   * @param pad a list of integers: [before, after] per dim, from the last dim on: [left, right, top, bottom, …]; negative ones cut
   * @param mode 'constant', 'reflect', 'replicate' or 'circular': the padding: 'constant' value, the elements mirrored without the edge ('reflect'), the edge ('replicate'), the other end ('circular') (default 'constant')
   * @param value a number: for mode 'constant', cast to the dtype; 0 unless given (optional)
   * @returns the sizes of input plus the padding before and after; the dtype of input
   * @throws ArgumentError when pad has an odd number of sizes
   * @throws ShapeError when pad is of more dims than input has, cuts more than there is, or is more than reflect (size − 1) or circular (size) can fill
   */
  pad(pad: readonly IndexLike[], mode?: 'constant' | 'reflect' | 'replicate' | 'circular', value?: Scalar | null): Tensor
  pad(...args: [pad: readonly IndexLike[], mode: 'constant' | 'reflect' | 'replicate' | 'circular' | undefined, options?: { readonly value?: Scalar | null | undefined }] | [pad: readonly IndexLike[], options?: { readonly mode?: 'constant' | 'reflect' | 'replicate' | 'circular' | undefined; readonly value?: Scalar | null | undefined }] | [options: { readonly pad: readonly IndexLike[]; readonly mode?: 'constant' | 'reflect' | 'replicate' | 'circular' | undefined; readonly value?: Scalar | null | undefined }]): Tensor

  /**
   * other − alpha · input: sub the other way round.
   *
   * Takes any dtype but bool.
   *
   * @param other a tensor or a number: the other operand
   * @param alpha a tensor or a number: a factor on input; 1 unless given (optional)
   * @returns the broadcast shape; the promoted dtype
   * @throws DtypeError for bool
   * @throws ShapeError when the shapes do not broadcast
   */
  rsub(other: Operand, options?: { readonly alpha?: Operand | null | undefined }): Tensor
  rsub(...args: [options: { readonly other: Operand; readonly alpha?: Operand | null | undefined }]): Tensor

  /**
   * max(input, min): clamp with a lower limit only.
   *
   * Takes any dtype but bool.
   *
   * @param min a tensor or a number: the lower limit
   * @returns the broadcast shape; the promoted dtype
   * @throws DtypeError for bool
   * @throws ShapeError when the shapes do not broadcast
   */
  clampMin(min: Operand): Tensor
  clampMin(...args: [options: { readonly min: Operand }]): Tensor

  /**
   * min(input, max): clamp with an upper limit only.
   *
   * Takes any dtype but bool.
   *
   * @param max a tensor or a number: the upper limit
   * @returns the broadcast shape; the promoted dtype
   * @throws DtypeError for bool
   * @throws ShapeError when the shapes do not broadcast
   */
  clampMax(max: Operand): Tensor
  clampMax(...args: [options: { readonly max: Operand }]): Tensor

  /**
   * input: +input.
   *
   * A view.
   * Takes any dtype but bool.
   *
   * @returns the shape of input; the dtype of input
   * @throws DtypeError for bool
   */
  positive(): Tensor

  /**
   * True everywhere: there are no complex numbers.
   *
   * Takes any dtype.
   *
   * @returns the shape of input; bool
   */
  isreal(): Tensor

  /**
   * input with its columns (the second dim) in reverse order.
   *
   * A copy, as in PyTorch.
   * Takes any dtype.
   *
   * @returns the shape of input; the dtype of input
   * @throws ShapeError for fewer than 2 dims
   */
  fliplr(): Tensor

  /**
   * input with its rows (the first dim) in reverse order.
   *
   * A copy, as in PyTorch.
   * Takes any dtype.
   *
   * @returns the shape of input; the dtype of input
   * @throws ShapeError for 0-d tensors
   */
  flipud(): Tensor

  /**
   * input sorted along the first dim, ascending.
   *
   * NaN is last. Places too: sort(0).
   * Takes any dtype.
   *
   * @returns the shape of input; the dtype of input
   */
  msort(): Tensor

  /**
   * A matrix with the elements of input, row by row, on a diagonal and 0 elsewhere.
   *
   * Takes any dtype.
   *
   * @param offset an integer: which diagonal: to the right of the main one, negative ones below it (default 0)
   * @returns [n + |offset|, n + |offset|] of n elements; the dtype of input
   */
  diagflat(offset?: number): Tensor
  diagflat(...args: [options?: { readonly offset?: number | undefined }]): Tensor

  /**
   * value where mask (bool) is true, input elsewhere; keeps the dtype of input.
   *
   * Takes any dtype.
   *
   * @param mask a tensor: bool, broadcasts with input
   * @param value a tensor or a number: a number or a 0-d tensor, cast to the dtype of input
   * @returns the shape that input and mask broadcast to; the dtype of input
   * @throws DtypeError when mask is not bool
   * @throws ShapeError when input and mask do not broadcast, or value has more than one element
   */
  maskedFill(mask: Tensor, value: Operand): Tensor
  maskedFill(...args: [mask: Tensor, options: { readonly value: Operand }] | [options: { readonly mask: Tensor; readonly value: Operand }]): Tensor

  /**
   * input below and on a diagonal of its matrices, 0 above.
   *
   * Takes any dtype.
   *
   * @param diagonal an integer: which diagonal is the limit: 0 the main one, positive above it, negative below (default 0)
   * @returns the shape of input; the dtype of input
   * @throws ShapeError when input has fewer than two dims
   */
  tril(diagonal?: IndexLike): Tensor
  tril(...args: [options?: { readonly diagonal?: IndexLike | undefined }]): Tensor

  /**
   * input above and on a diagonal of its matrices, 0 below.
   *
   * Takes any dtype.
   *
   * @param diagonal an integer: which diagonal is the limit: 0 the main one, positive above it, negative below (default 0)
   * @returns the shape of input; the dtype of input
   * @throws ShapeError when input has fewer than two dims
   */
  triu(diagonal?: IndexLike): Tensor
  triu(...args: [options?: { readonly diagonal?: IndexLike | undefined }]): Tensor

  /**
   * Elements of input: out[i][j][k] = input[index[i][j][k]][j][k] for dim 0, and likewise for other dims.
   *
   * For dim 0 and 3-D tensors result[i][j][k] = input[index[i][j][k]][j][k]. An index out of range is an error on a CPU outside of compile, elsewhere it gives 0.
   * Takes any dtype.
   *
   * @param dim an integer: the dim; negative ones count from the end
   * @param index a tensor: integers, with as many dims as input and no larger in the other dims
   * @returns the shape of index; the dtype of input
   * @throws DtypeError when index is no integer
   * @throws ShapeError when a dim is out of range, or when index reaches beyond input
   */
  gather(dim: number, index: Tensor): Tensor
  gather(...args: [dim: number, options: { readonly index: Tensor }] | [options: { readonly dim: number; readonly index: Tensor }]): Tensor

  /**
   * The slices of input at the indices of a 1-D index along a dim.
   *
   * An index out of range is an error on a CPU outside of compile, elsewhere it gives 0.
   * Takes any dtype.
   *
   * @param dim an integer: the dim; negative ones count from the end
   * @param index a tensor: integers, 1-D or 0-d
   * @returns the shape of input with the length of index at dim; the dtype of input
   * @throws DtypeError when index is no integer
   * @throws ShapeError when a dim is out of range, or when index has more than one dim
   */
  indexSelect(dim: number, index: Tensor): Tensor
  indexSelect(...args: [dim: number, options: { readonly index: Tensor }] | [options: { readonly dim: number; readonly index: Tensor }]): Tensor

  /**
   * input with src (a tensor or number) written at index[…] along a dim; reduce 'add' or 'multiply' folds it in. Where several elements are written to one position the last one stays, on every device.
   *
   * For dim 0 and 3-D tensors result[index[i][j][k]][j][k] = src[i][j][k]. An index out of range is an error on a CPU outside of compile, elsewhere it writes nothing.
   * Takes any dtype.
   *
   * @param dim an integer: the dim; negative ones count from the end
   * @param index a tensor: where along dim: integers, of as many dims as input, no larger than it in the other dims
   * @param src a tensor or a number: what is written: a number, or a tensor of the dtype of input at least as large as index
   * @param reduce 'add' or 'multiply': 'add' or 'multiply' folds it into what is there; by default it is written (optional)
   * @returns the shape of input; the dtype of input
   * @throws DtypeError when index is no integer, or src has another dtype than input
   * @throws ShapeError when a dim is out of range, or when index has a different number of dims than input or src, or reaches beyond either
   */
  scatter(dim: number, index: Tensor, src: Operand, options?: { readonly reduce?: 'add' | 'multiply' | null | undefined }): Tensor
  scatter(...args: [dim: number, index: Tensor, options: { readonly src: Operand; readonly reduce?: 'add' | 'multiply' | null | undefined }] | [dim: number, options: { readonly index: Tensor; readonly src: Operand; readonly reduce?: 'add' | 'multiply' | null | undefined }] | [options: { readonly dim: number; readonly index: Tensor; readonly src: Operand; readonly reduce?: 'add' | 'multiply' | null | undefined }]): Tensor

  /**
   * input with src added at index[…] along a dim.
   *
   * Elements are added in order; on a GPU floats in any order, unless compiled with deterministic: true. An index out of range is an error on a CPU outside of compile, elsewhere it writes nothing.
   * Takes any dtype.
   *
   * @param dim an integer: the dim; negative ones count from the end
   * @param index a tensor: where along dim: integers, of as many dims as input, no larger than it in the other dims
   * @param src a tensor: what is added, of the dtype of input and at least as large as index
   * @returns the shape of input; the dtype of input
   * @throws DtypeError when index is no integer, or src has another dtype than input
   * @throws ShapeError when a dim is out of range, or when index has a different number of dims than input or src, or reaches beyond either
   */
  scatterAdd(dim: number, index: Tensor, src: Tensor): Tensor
  scatterAdd(...args: [dim: number, index: Tensor, options: { readonly src: Tensor }] | [dim: number, options: { readonly index: Tensor; readonly src: Tensor }] | [options: { readonly dim: number; readonly index: Tensor; readonly src: Tensor }]): Tensor

  /**
   * input reduced with src at index[…] along a dim: 'sum', 'prod', 'mean', 'amax' or 'amin'; with includeSelf false, input's own value does not take part where src is written.
   *
   * An index out of range is an error on a CPU outside of compile, elsewhere it writes nothing. Of 'prod', gradients of gradients are right where no element is exactly 0.
   * Takes any dtype.
   *
   * @param dim an integer: the dim; negative ones count from the end
   * @param index a tensor: where along dim: integers, of as many dims as input, no larger than it in the other dims
   * @param src a tensor: what is folded in, of the dtype of input and at least as large as index
   * @param reduce 'sum', 'prod', 'mean', 'amax' or 'amin': how: their sum, product, mean, largest or smallest
   * @param includeSelf true or false: whether values of input count where elements are folded in (default true)
   * @returns the shape of input; the dtype of input
   * @throws DtypeError when index is no integer, or src has another dtype than input
   * @throws ShapeError when a dim is out of range, or when index has a different number of dims than input or src, or reaches beyond either
   */
  scatterReduce(dim: number, index: Tensor, src: Tensor, reduce: 'sum' | 'prod' | 'mean' | 'amax' | 'amin', options?: { readonly includeSelf?: boolean | undefined }): Tensor
  scatterReduce(...args: [dim: number, index: Tensor, src: Tensor, options: { readonly reduce: 'sum' | 'prod' | 'mean' | 'amax' | 'amin'; readonly includeSelf?: boolean | undefined }] | [dim: number, index: Tensor, options: { readonly src: Tensor; readonly reduce: 'sum' | 'prod' | 'mean' | 'amax' | 'amin'; readonly includeSelf?: boolean | undefined }] | [dim: number, options: { readonly index: Tensor; readonly src: Tensor; readonly reduce: 'sum' | 'prod' | 'mean' | 'amax' | 'amin'; readonly includeSelf?: boolean | undefined }] | [options: { readonly dim: number; readonly index: Tensor; readonly src: Tensor; readonly reduce: 'sum' | 'prod' | 'mean' | 'amax' | 'amin'; readonly includeSelf?: boolean | undefined }]): Tensor

  /**
   * input with alpha · source added to its slices at a 1-D index along a dim.
   *
   * An index out of range is an error on a CPU outside of compile, elsewhere it writes nothing.
   * Takes any dtype.
   *
   * @param dim an integer: the dim; negative ones count from the end
   * @param index a tensor: where along dim: integers, 1-D or 0-d
   * @param source a tensor: the slices: the shape of input with the length of index at dim
   * @param alpha a tensor or a number: a factor of source, a number or 0-d tensor; 1 unless given (optional)
   * @returns the shape of input; the dtype of input
   * @throws DtypeError when index is no integer, or source has another dtype than input
   * @throws ShapeError when a dim is out of range, or when index has more than one dim, or source is not input with as many slices
   */
  indexAdd(dim: number, index: Tensor, source: Tensor, options?: { readonly alpha?: Operand | null | undefined }): Tensor
  indexAdd(...args: [dim: number, index: Tensor, options: { readonly source: Tensor; readonly alpha?: Operand | null | undefined }] | [dim: number, options: { readonly index: Tensor; readonly source: Tensor; readonly alpha?: Operand | null | undefined }] | [options: { readonly dim: number; readonly index: Tensor; readonly source: Tensor; readonly alpha?: Operand | null | undefined }]): Tensor

  /**
   * input with its slices at a 1-D index along a dim replaced by those of source.
   *
   * An index out of range is an error on a CPU outside of compile, elsewhere it writes nothing.
   * Takes any dtype.
   *
   * @param dim an integer: the dim; negative ones count from the end
   * @param index a tensor: where along dim: integers, 1-D or 0-d
   * @param source a tensor: the slices: the shape of input with the length of index at dim
   * @returns the shape of input; the dtype of input
   * @throws DtypeError when index is no integer, or source has another dtype than input
   * @throws ShapeError when a dim is out of range, or when index has more than one dim, or source is not input with as many slices
   */
  indexCopy(dim: number, index: Tensor, source: Tensor): Tensor
  indexCopy(...args: [dim: number, index: Tensor, options: { readonly source: Tensor }] | [dim: number, options: { readonly index: Tensor; readonly source: Tensor }] | [options: { readonly dim: number; readonly index: Tensor; readonly source: Tensor }]): Tensor

  /**
   * input with its slices at a 1-D index along a dim filled with a value; negative indices count from the end.
   *
   * An index out of range is an error on a CPU outside of compile, elsewhere it writes nothing.
   * Takes any dtype.
   *
   * @param dim an integer: the dim; negative ones count from the end
   * @param index a tensor: where along dim: integers, 1-D or 0-d
   * @param value a tensor or a number: a number or a 0-d tensor, cast to the dtype of input
   * @returns the shape of input; the dtype of input
   * @throws DtypeError when index is no integer
   * @throws ShapeError when a dim is out of range, or when index has more than one dim, or value more than one element
   */
  indexFill(dim: number, index: Tensor, value: Operand): Tensor
  indexFill(...args: [dim: number, index: Tensor, options: { readonly value: Operand }] | [dim: number, options: { readonly index: Tensor; readonly value: Operand }] | [options: { readonly dim: number; readonly index: Tensor; readonly value: Operand }]): Tensor

  /**
   * input with values at the positions that one index tensor per dim names, from the first dim on: x[i, j] = values.
   *
   * An index out of range is an error on a CPU outside of compile, elsewhere it writes nothing. A mask is read, so a compiled function breaks there: maskedFill and maskedScatter take masks.
   * Takes any dtype.
   *
   * @param indices a list of tensors: integers that broadcast to one shape, negative ones count from the end; or one bool mask
   * @param values a tensor or a number: of the dtype of input, or a number; broadcasts to the shape of the indices and the dims that have none
   * @param accumulate true or false: values are added to what is there, where a position is named twice, all of them (default false)
   * @returns the shape of input; the dtype of input
   * @throws ArgumentError when there are no indices
   * @throws DtypeError when an index is no integer, or values have another dtype
   * @throws ShapeError when there are more indices than dims, or shapes do not broadcast
   */
  indexPut(indices: readonly Tensor[], values: Operand, accumulate?: boolean): Tensor
  indexPut(...args: [indices: readonly Tensor[], values: Operand, options?: { readonly accumulate?: boolean | undefined }] | [indices: readonly Tensor[], options: { readonly values: Operand; readonly accumulate?: boolean | undefined }] | [options: { readonly indices: readonly Tensor[]; readonly values: Operand; readonly accumulate?: boolean | undefined }]): Tensor

  /**
   * As gather, with input and the index broadcast to each other, negative indices counted from the end; without dim both are flattened.
   *
   * An index out of range is an error on a CPU outside of compile, elsewhere it gives 0.
   * Takes any dtype.
   *
   * @param indices a tensor: integers, of as many dims as input
   * @param dim an integer: the dim; without it both are flattened (optional)
   * @returns what input and indices broadcast to, with the length of indices at dim; the dtype of input
   * @throws DtypeError when indices are no integers
   * @throws ShapeError when a dim is out of range, or when the numbers of dims differ, or the other dims do not broadcast
   */
  takeAlongDim(indices: Tensor, dim?: number | null): Tensor
  takeAlongDim(...args: [indices: Tensor, options?: { readonly dim?: number | null | undefined }] | [options: { readonly indices: Tensor; readonly dim?: number | null | undefined }]): Tensor

  /**
   * The elements of the flattened tensor at an index of any shape; negative indices count from the end.
   *
   * An index out of range is an error on a CPU outside of compile, elsewhere it gives 0.
   * Takes any dtype.
   *
   * @param index a tensor: integers, of any shape
   * @returns the shape of index; the dtype of input
   * @throws DtypeError when index is no integer
   */
  take(index: Tensor): Tensor
  take(...args: [options: { readonly index: Tensor }]): Tensor

  /**
   * input with consecutive elements of source written where mask (bool) is true; 0 where source has too few.
   *
   * Too few elements are an error in PyTorch.
   * Takes any dtype.
   *
   * @param mask a tensor: bool, broadcasts to input
   * @param source a tensor: the elements, of the dtype of input and any shape
   * @returns the shape that input and mask broadcast to; the dtype of input
   * @throws DtypeError when mask is not bool, or source has another dtype
   * @throws ShapeError when input and mask do not broadcast
   */
  maskedScatter(mask: Tensor, source: Tensor): Tensor
  maskedScatter(...args: [mask: Tensor, options: { readonly source: Tensor }] | [options: { readonly mask: Tensor; readonly source: Tensor }]): Tensor

  /**
   * input with src written at one index of a dim.
   *
   * Takes any dtype.
   *
   * @param src a tensor: the slice: the shape of input without dim
   * @param dim an integer: the dim; negative ones count from the end
   * @param index an integer: the position along the dim; negative counts from the end
   * @returns the shape of input; the dtype of input
   * @throws DtypeError when src has another dtype
   * @throws ShapeError when a dim is out of range, or when index is out of range, or src is no slice
   */
  selectScatter(src: Tensor, dim: number, index: number): Tensor
  selectScatter(...args: [src: Tensor, dim: number, options: { readonly index: number }] | [src: Tensor, options: { readonly dim: number; readonly index: number }] | [options: { readonly src: Tensor; readonly dim: number; readonly index: number }]): Tensor

  /**
   * input with src written at the indices start, start + step, … below end of a dim.
   *
   * Takes any dtype.
   *
   * @param src a tensor: the shape of input with the number of positions at dim
   * @param dim an integer: the dim; negative ones count from the end (default 0)
   * @param start an integer: the first position; negative indices count from the end. By default the first (optional)
   * @param end an integer: one past the last position; by default the size (optional)
   * @param step an integer of at least 1: the distance between positions (default 1)
   * @returns the shape of input; the dtype of input
   * @throws DtypeError when src has another dtype
   * @throws ShapeError when a dim is out of range, or when src does not fit the positions
   */
  sliceScatter(src: Tensor, dim?: number, start?: number | null, end?: number | null, step?: number): Tensor
  sliceScatter(...args: [src: Tensor, dim: number | undefined, start: number | null | undefined, end: number | null | undefined, options?: { readonly step?: number | undefined }] | [src: Tensor, dim: number | undefined, start: number | null | undefined, options?: { readonly end?: number | null | undefined; readonly step?: number | undefined }] | [src: Tensor, dim: number | undefined, options?: { readonly start?: number | null | undefined; readonly end?: number | null | undefined; readonly step?: number | undefined }] | [src: Tensor, options?: { readonly dim?: number | undefined; readonly start?: number | null | undefined; readonly end?: number | null | undefined; readonly step?: number | undefined }] | [options: { readonly src: Tensor; readonly dim?: number | undefined; readonly start?: number | null | undefined; readonly end?: number | null | undefined; readonly step?: number | undefined }]): Tensor

  /**
   * Matrices in dims dim1 and dim2 with the last dim of input on a diagonal, 0 elsewhere.
   *
   * Takes any dtype.
   *
   * @param offset an integer: which diagonal: to the right of the main one, negative ones below it (default 0)
   * @param dim1 an integer: where the rows stand in the result (default -2)
   * @param dim2 an integer: where the columns stand in the result (default -1)
   * @returns the shape of input with two dims of n + |offset| for its last one of n; the dtype of input
   * @throws ShapeError when a dim is out of range, or when input is 0-d, or dim1 is dim2
   */
  diagEmbed(offset?: IndexLike, dim1?: number, dim2?: number): Tensor
  diagEmbed(...args: [offset: IndexLike | undefined, dim1: number | undefined, options?: { readonly dim2?: number | undefined }] | [offset: IndexLike | undefined, options?: { readonly dim1?: number | undefined; readonly dim2?: number | undefined }] | [options?: { readonly offset?: IndexLike | undefined; readonly dim1?: number | undefined; readonly dim2?: number | undefined }]): Tensor

  /**
   * The values in ascending (descending) order along a dim, and their indices in input; stable; NaN comes last (first).
   *
   * Takes any dtype.
   *
   * @param dim an integer: the dim; negative ones count from the end (default -1)
   * @param descending true or false: the largest first (default false)
   * @param stable true or false: equals keep their order; they do either way (default false)
   * @returns values, indices: the shape of input; values the dtype of input, indices i64
   * @throws ShapeError when a dim is out of range
   */
  sort(dim?: number, descending?: boolean, stable?: boolean): { readonly values: Tensor; readonly indices: Tensor }
  sort(...args: [dim: number | undefined, descending: boolean | undefined, options?: { readonly stable?: boolean | undefined }] | [dim: number | undefined, options?: { readonly descending?: boolean | undefined; readonly stable?: boolean | undefined }] | [options?: { readonly dim?: number | undefined; readonly descending?: boolean | undefined; readonly stable?: boolean | undefined }]): { readonly values: Tensor; readonly indices: Tensor }

  /**
   * The indices that sort a tensor along a dim; stable.
   *
   * Takes any dtype.
   *
   * @param dim an integer: the dim; negative ones count from the end (default -1)
   * @param descending true or false: the largest first (default false)
   * @param stable true or false: equals keep their order; they do either way (default false)
   * @returns the shape of input; i64
   * @throws ShapeError when a dim is out of range
   */
  argsort(dim?: number, descending?: boolean, stable?: boolean): Tensor
  argsort(...args: [dim: number | undefined, descending: boolean | undefined, options?: { readonly stable?: boolean | undefined }] | [dim: number | undefined, options?: { readonly descending?: boolean | undefined; readonly stable?: boolean | undefined }] | [options?: { readonly dim?: number | undefined; readonly descending?: boolean | undefined; readonly stable?: boolean | undefined }]): Tensor

  /**
   * The k largest (smallest) values along a dim, best first, and their indices; of equal values the first ones.
   *
   * NaN counts as largest. At a tie PyTorch may give any index.
   * Takes any dtype.
   *
   * @param k an integer of at least 0: how many
   * @param dim an integer: the dim; negative ones count from the end (default -1)
   * @param largest true or false: the largest, not the smallest (default true)
   * @param sorted true or false: whether their order matters; they come best first either way (default true)
   * @returns values, indices: the shape of input with k at dim; values the dtype of input, indices i64
   * @throws ShapeError when a dim is out of range, or when dim has fewer than k elements
   */
  topk(k: SizeLike, dim?: number, largest?: boolean, sorted?: boolean): { readonly values: Tensor; readonly indices: Tensor }
  topk(...args: [k: SizeLike, dim: number | undefined, largest: boolean | undefined, options?: { readonly sorted?: boolean | undefined }] | [k: SizeLike, dim: number | undefined, options?: { readonly largest?: boolean | undefined; readonly sorted?: boolean | undefined }] | [k: SizeLike, options?: { readonly dim?: number | undefined; readonly largest?: boolean | undefined; readonly sorted?: boolean | undefined }] | [options: { readonly k: SizeLike; readonly dim?: number | undefined; readonly largest?: boolean | undefined; readonly sorted?: boolean | undefined }]): { readonly values: Tensor; readonly indices: Tensor }

  /**
   * The indices at which values would be inserted into a sequence sorted along its last dim, before (right: after) equal elements.
   *
   * Takes any dtype.
   *
   * @param input a tensor or a number: what is looked for
   * @param outInt32 true or false: give i32 instead of i64 (default false)
   * @param right true or false: after equal elements instead of before them (default false)
   * @returns the shape of input; i64, or i32 with outInt32
   * @throws ShapeError when the sequence is 0-d, or its leading dims are not those of input
   */
  searchsorted(input: Operand, options?: { readonly outInt32?: boolean | undefined; readonly right?: boolean | undefined }): Tensor
  searchsorted(...args: [options: { readonly input: Operand; readonly outInt32?: boolean | undefined; readonly right?: boolean | undefined }]): Tensor

  /**
   * For each element the number of sorted boundaries (1-D) below it; right counts those equal to it too.
   *
   * Takes any dtype.
   *
   * @param boundaries a tensor: ascending, 1-D
   * @param outInt32 true or false: give i32 instead of i64 (default false)
   * @param right true or false: after equal elements instead of before them (default false)
   * @returns the shape of input; i64, or i32 with outInt32
   * @throws ShapeError when boundaries are not 1-D
   */
  bucketize(boundaries: Tensor, options?: { readonly outInt32?: boolean | undefined; readonly right?: boolean | undefined }): Tensor
  bucketize(...args: [options: { readonly boundaries: Tensor; readonly outInt32?: boolean | undefined; readonly right?: boolean | undefined }]): Tensor

  /**
   * A histogram: how many elements lie in each of bins equal intervals of [min, max]; elements outside are not counted.
   *
   * Takes floats.
   *
   * @param bins an integer of at least 1: how many parts (default 100)
   * @param min a number: where the first part begins; with min and max both 0 the smallest element (default 0)
   * @param max a number: where the last part ends, itself included; with min and max both 0 the largest element (default 0)
   * @returns [bins]; the dtype of input
   * @throws ArgumentError when min is greater than max
   * @throws DtypeError for integers and bool
   */
  histc(bins?: number, min?: number, max?: number): Tensor
  histc(...args: [bins: number | undefined, min: number | undefined, options?: { readonly max?: number | undefined }] | [bins: number | undefined, options?: { readonly min?: number | undefined; readonly max?: number | undefined }] | [options?: { readonly bins?: number | undefined; readonly min?: number | undefined; readonly max?: number | undefined }]): Tensor

  /**
   * True where an element is one of the test elements (with invert: none of them).
   *
   * Takes any dtype but bool.
   *
   * @param testElements a tensor or a number: what is looked for: a number, or a tensor of any shape
   * @param invert true or false: true where an element is none of them (default false)
   * @returns the shape of elements; bool
   * @throws DtypeError for bool
   */
  isin(testElements: Operand, options?: { readonly invert?: boolean | undefined }): Tensor
  isin(...args: [options: { readonly testElements: Operand; readonly invert?: boolean | undefined }]): Tensor

  /**
   * The product of two matrices.
   *
   * Summed in f32 (f64 of f64, integers of integers, which wrap) and rounded once.
   * Takes any dtype but bool.
   *
   * @param mat2 a tensor: [M, P]
   * @returns [N, P]; the dtype of input
   * @throws DtypeError for bool, or when the dtypes differ: matmuls do not promote
   * @throws ShapeError when the inner sizes differ, or an operand has a different number of dims
   */
  mm(mat2: Tensor): Tensor
  mm(...args: [options: { readonly mat2: Tensor }]): Tensor

  /**
   * The products of two batches of matrices.
   *
   * Summed in f32 (f64 of f64, integers of integers, which wrap) and rounded once.
   * Takes any dtype but bool.
   *
   * @param mat2 a tensor: [B, M, P]
   * @returns [B, N, P]; the dtype of input
   * @throws DtypeError for bool, or when the dtypes differ: matmuls do not promote
   * @throws ShapeError when the inner sizes differ, or an operand has a different number of dims
   */
  bmm(mat2: Tensor): Tensor
  bmm(...args: [options: { readonly mat2: Tensor }]): Tensor

  /**
   * The product of a matrix and a vector.
   *
   * Summed in f32 (f64 of f64, integers of integers, which wrap) and rounded once.
   * Takes any dtype but bool.
   *
   * @param vec a tensor: [M]
   * @returns [N]; the dtype of input
   * @throws DtypeError for bool, or when the dtypes differ: matmuls do not promote
   * @throws ShapeError when the inner sizes differ, or an operand has a different number of dims
   */
  mv(vec: Tensor): Tensor
  mv(...args: [options: { readonly vec: Tensor }]): Tensor

  /**
   * Σ input · other of two vectors.
   *
   * Summed in f32 (f64 of f64, integers of integers, which wrap) and rounded once.
   * Takes any dtype but bool.
   *
   * @param other a tensor: [N]
   * @returns 0-d; the dtype of input
   * @throws DtypeError for bool, or when the dtypes differ: matmuls do not promote
   * @throws ShapeError when the inner sizes differ, or an operand has a different number of dims
   */
  dot(other: Tensor): Tensor
  dot(...args: [options: { readonly other: Tensor }]): Tensor

  /** As `dot`: Σ input · other of two vectors. */
  vdot: this['dot']

  /**
   * The matrix product; vectors are rows on the left and columns on the right, batch dims broadcast.
   *
   * Summed in f32 (f64 of f64, integers of integers, which wrap) and rounded once.
   * Takes any dtype but bool.
   *
   * @param other a tensor: [*, M, P], or a vector [M]; the leading dims broadcast
   * @returns [*, N, P]; without N or P where that side is a vector; 0-d of two vectors; the dtype of input
   * @throws DtypeError for bool, or when the dtypes differ: matmuls do not promote
   * @throws ShapeError when the inner sizes differ, or an operand has a different number of dims
   */
  matmul(other: Tensor): Tensor
  matmul(...args: [options: { readonly other: Tensor }]): Tensor

  /**
   * beta · input + alpha · (mat1 @ mat2) of matrices.
   *
   * Takes any dtype but bool.
   *
   * @param mat1 a tensor: [N, M]
   * @param mat2 a tensor: [M, P]
   * @param beta a number: a factor on input; 0 ignores it, NaN included (default 1)
   * @param alpha a number: a factor on the matmul (default 1)
   * @returns [N, P]; the dtype of input
   * @throws ArgumentError when beta or alpha is a fraction and the tensors are integers
   * @throws DtypeError for bool, or when the dtypes differ
   * @throws ShapeError when the factors do not fit, or input does not broadcast to their product
   */
  addmm(mat1: Tensor, mat2: Tensor, options?: { readonly beta?: number | undefined; readonly alpha?: number | undefined }): Tensor
  addmm(...args: [mat1: Tensor, options: { readonly mat2: Tensor; readonly beta?: number | undefined; readonly alpha?: number | undefined }] | [options: { readonly mat1: Tensor; readonly mat2: Tensor; readonly beta?: number | undefined; readonly alpha?: number | undefined }]): Tensor

  /**
   * beta · input + alpha · (batch1 @ batch2) of batches of matrices.
   *
   * Takes any dtype but bool.
   *
   * @param batch1 a tensor: [B, N, M]
   * @param batch2 a tensor: [B, M, P]
   * @param beta a number: a factor on input; 0 ignores it, NaN included (default 1)
   * @param alpha a number: a factor on the matmul (default 1)
   * @returns [B, N, P]; the dtype of input
   * @throws ArgumentError when beta or alpha is a fraction and the tensors are integers
   * @throws DtypeError for bool, or when the dtypes differ
   * @throws ShapeError when the factors do not fit, or input does not broadcast to their product
   */
  baddbmm(batch1: Tensor, batch2: Tensor, options?: { readonly beta?: number | undefined; readonly alpha?: number | undefined }): Tensor
  baddbmm(...args: [batch1: Tensor, options: { readonly batch2: Tensor; readonly beta?: number | undefined; readonly alpha?: number | undefined }] | [options: { readonly batch1: Tensor; readonly batch2: Tensor; readonly beta?: number | undefined; readonly alpha?: number | undefined }]): Tensor

  /**
   * beta · input + alpha · Σ (batch1 @ batch2), summed over the batch.
   *
   * Takes any dtype but bool.
   *
   * @param batch1 a tensor: [B, N, M]
   * @param batch2 a tensor: [B, M, P]
   * @param beta a number: a factor on input; 0 ignores it, NaN included (default 1)
   * @param alpha a number: a factor on the matmul (default 1)
   * @returns [N, P]; the dtype of input
   * @throws ArgumentError when beta or alpha is a fraction and the tensors are integers
   * @throws DtypeError for bool, or when the dtypes differ
   * @throws ShapeError when the factors do not fit, or input does not broadcast to their product
   */
  addbmm(batch1: Tensor, batch2: Tensor, options?: { readonly beta?: number | undefined; readonly alpha?: number | undefined }): Tensor
  addbmm(...args: [batch1: Tensor, options: { readonly batch2: Tensor; readonly beta?: number | undefined; readonly alpha?: number | undefined }] | [options: { readonly batch1: Tensor; readonly batch2: Tensor; readonly beta?: number | undefined; readonly alpha?: number | undefined }]): Tensor

  /**
   * beta · input + alpha · (mat @ vec).
   *
   * Takes any dtype but bool.
   *
   * @param mat a tensor: [N, M]
   * @param vec a tensor: [M]
   * @param beta a number: a factor on input; 0 ignores it, NaN included (default 1)
   * @param alpha a number: a factor on the matmul (default 1)
   * @returns [N]; the dtype of input
   * @throws ArgumentError when beta or alpha is a fraction and the tensors are integers
   * @throws DtypeError for bool, or when the dtypes differ
   * @throws ShapeError when the factors do not fit, or input does not broadcast to their product
   */
  addmv(mat: Tensor, vec: Tensor, options?: { readonly beta?: number | undefined; readonly alpha?: number | undefined }): Tensor
  addmv(...args: [mat: Tensor, options: { readonly vec: Tensor; readonly beta?: number | undefined; readonly alpha?: number | undefined }] | [options: { readonly mat: Tensor; readonly vec: Tensor; readonly beta?: number | undefined; readonly alpha?: number | undefined }]): Tensor

  /**
   * input[i] · vec2[j] of two vectors.
   *
   * Takes any dtype.
   *
   * @param vec2 a tensor: [M]
   * @returns [N, M]; the promoted dtype
   * @throws ShapeError when either is no vector
   */
  outer(vec2: Tensor): Tensor
  outer(...args: [options: { readonly vec2: Tensor }]): Tensor

  /** As `outer`: input[i] · vec2[j] of two vectors. */
  ger: this['outer']

  /**
   * Σ input · other over the last dim of both.
   *
   * Takes any dtype but bool.
   *
   * @param other a tensor: [*, N]
   * @returns the shapes of both without their last dims, one after the other; the dtype of input
   * @throws DtypeError for bool, or when the dtypes differ
   * @throws ShapeError when the last dims differ
   */
  inner(other: Tensor): Tensor
  inner(...args: [options: { readonly other: Tensor }]): Tensor

  /**
   * Σ a · b over the last dims of a and the first of b, or over given pairs of dims.
   *
   * Takes any dtype but bool.
   *
   * @param b a tensor: the other
   * @param dims an integer of at least 0 or a list of lists of integers: how many, or which: [those of a, those of b] (default 2)
   * @returns the remaining dims of a, then those of b; the dtype of a
   * @throws ArgumentError when dims are not two lists of one length
   * @throws DtypeError for bool, or when the dtypes differ
   * @throws ShapeError when a pair of dims differs in size, unless one is 1
   */
  tensordot(b: Tensor, dims?: number | readonly (readonly number[])[]): Tensor
  tensordot(...args: [b: Tensor, options?: { readonly dims?: number | readonly (readonly number[])[] | undefined }] | [options: { readonly b: Tensor; readonly dims?: number | readonly (readonly number[])[] | undefined }]): Tensor

  /**
   * The Kronecker product: every element of input times all of other, as blocks.
   *
   * Takes any dtype.
   *
   * @param other a tensor: the other operand
   * @returns the products of both shapes' sizes, aligned at the last dim; the promoted dtype
   */
  kron(other: Tensor): Tensor
  kron(...args: [options: { readonly other: Tensor }]): Tensor

  /**
   * Square matrices to the power n (n ≥ 0; 0 gives the identity).
   *
   * Takes any dtype.
   *
   * @param n an integer of at least 0: how many times; negative powers, which need an inverse, are not supported
   * @returns the shape of input; the dtype of input
   * @throws DtypeError for bool with n above 1
   * @throws ShapeError when the matrices are not square
   */
  matrixPower(n: number): Tensor
  matrixPower(...args: [options: { readonly n: number }]): Tensor

  /**
   * Σ input · other along a dim; both broadcast.
   *
   * Takes any dtype.
   *
   * @param other a tensor: the other operand
   * @param dim an integer: the dim; negative ones count from the end (default -1)
   * @returns what both broadcast to, without dim; the promoted dtype
   * @throws ShapeError when a dim is out of range, or when the shapes do not broadcast, or both are 0-d
   */
  vecdot(other: Tensor, options?: { readonly dim?: number | undefined }): Tensor
  vecdot(...args: [options: { readonly other: Tensor; readonly dim?: number | undefined }]): Tensor

  /**
   * The cross product of vectors of 3 along a dim (default: the first of size 3); both broadcast.
   *
   * Takes any dtype but bool.
   *
   * @param other a tensor: the other operand
   * @param dim an integer: the dim of size 3; by default the first of that size (optional)
   * @returns the broadcast shape; the promoted dtype
   * @throws DtypeError for bool
   * @throws ShapeError when a dim is out of range, or when the shapes do not broadcast, or when there is no such dim
   */
  cross(other: Tensor, dim?: number | null): Tensor
  cross(...args: [other: Tensor, options?: { readonly dim?: number | null | undefined }] | [options: { readonly other: Tensor; readonly dim?: number | null | undefined }]): Tensor

  /**
   * beta · input + alpha · the outer product of two vectors.
   *
   * Takes any dtype.
   *
   * @param vec1 a tensor: [N]
   * @param vec2 a tensor: [M]
   * @param beta a number: a factor on input; 0 ignores it, NaN included (default 1)
   * @param alpha a number: a factor on the outer product (default 1)
   * @returns [N, M]; the promoted dtype
   * @throws ArgumentError when beta or alpha is a fraction and the tensors are integers
   * @throws ShapeError when either is no vector, or input does not broadcast to their outer product
   */
  addr(vec1: Tensor, vec2: Tensor, options?: { readonly beta?: number | undefined; readonly alpha?: number | undefined }): Tensor
  addr(...args: [vec1: Tensor, options: { readonly vec2: Tensor; readonly beta?: number | undefined; readonly alpha?: number | undefined }] | [options: { readonly vec1: Tensor; readonly vec2: Tensor; readonly beta?: number | undefined; readonly alpha?: number | undefined }]): Tensor

  /**
   * Σ input[i] · weight[o, i, j] · other[j] + bias[o] on the last dims.
   *
   * Takes floats.
   *
   * @param other a tensor: [*, in2]
   * @param weight a tensor: [out, in1, in2]
   * @param bias a tensor: [out] (optional)
   * @returns [*, out]; the dtype of input
   * @throws DtypeError for integers and bool, or when the dtypes differ
   * @throws ShapeError when the tensors do not fit the weight
   */
  bilinear(other: Tensor, weight: Tensor, bias?: Tensor | null): Tensor
  bilinear(...args: [other: Tensor, weight: Tensor, options?: { readonly bias?: Tensor | null | undefined }] | [other: Tensor, options: { readonly weight: Tensor; readonly bias?: Tensor | null | undefined }] | [options: { readonly other: Tensor; readonly weight: Tensor; readonly bias?: Tensor | null | undefined }]): Tensor

  /**
   * softmax(scale · input · keyᵀ + mask) · value, scale 1 / √E unless given; a query whose keys are all masked gives 0. The score matrix is never stored.
   *
   * Vaswani et al., arXiv:1706.03762. PyTorch gives NaN where a row sees no key. Leading dims broadcast.
   * Takes floats.
   *
   * @param key a tensor: [*, S, E]
   * @param value a tensor: [*, S, Ev]
   * @param attnMask a tensor: broadcasts to [*, L, S]: bool, false hides a key; a float is added to the scores (optional)
   * @param isCausal true or false: row i sees the keys 0 … i only; not together with a mask (default false)
   * @param scale a number: what the scores are multiplied by; by default 1 / √E (optional)
   * @param enableGqa true or false: key and value have fewer heads (dim −3), each for as many consecutive heads of the query (default false)
   * @returns [*, L, Ev]; the dtype of input
   * @throws ArgumentError when both attnMask and isCausal are given, or scale is not finite
   * @throws DtypeError for integers and bool, or when query, key and value differ, or the mask is an integer
   * @throws ShapeError when E or S differ, or the heads do not divide
   */
  scaledDotProductAttention(key: Tensor, value: Tensor, attnMask?: Tensor | null, options?: { readonly isCausal?: boolean | undefined; readonly scale?: number | null | undefined; readonly enableGqa?: boolean | undefined }): Tensor
  scaledDotProductAttention(...args: [key: Tensor, value: Tensor, options?: { readonly attnMask?: Tensor | null | undefined; readonly isCausal?: boolean | undefined; readonly scale?: number | null | undefined; readonly enableGqa?: boolean | undefined }] | [key: Tensor, options: { readonly value: Tensor; readonly attnMask?: Tensor | null | undefined; readonly isCausal?: boolean | undefined; readonly scale?: number | null | undefined; readonly enableGqa?: boolean | undefined }] | [options: { readonly key: Tensor; readonly value: Tensor; readonly attnMask?: Tensor | null | undefined; readonly isCausal?: boolean | undefined; readonly scale?: number | null | undefined; readonly enableGqa?: boolean | undefined }]): Tensor

  /**
   * The convolution of [N, C, L] with a weight [O, C / groups, kL], plus bias [O].
   *
   * A cross-correlation: the kernel is not flipped. Size of the result: ⌊(size + 2 padding − dilation · (kernel − 1) − 1) / stride⌋ + 1.
   * Takes floats.
   *
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
  conv1d(weight: Tensor, bias?: Tensor | null, stride?: number | readonly number[], padding?: number | readonly number[] | 'same' | 'valid', dilation?: number | readonly number[], groups?: number): Tensor
  conv1d(...args: [weight: Tensor, bias: Tensor | null | undefined, stride: number | readonly number[] | undefined, padding: number | readonly number[] | 'same' | 'valid' | undefined, dilation: number | readonly number[] | undefined, options?: { readonly groups?: number | undefined }] | [weight: Tensor, bias: Tensor | null | undefined, stride: number | readonly number[] | undefined, padding: number | readonly number[] | 'same' | 'valid' | undefined, options?: { readonly dilation?: number | readonly number[] | undefined; readonly groups?: number | undefined }] | [weight: Tensor, bias: Tensor | null | undefined, stride: number | readonly number[] | undefined, options?: { readonly padding?: number | readonly number[] | 'same' | 'valid' | undefined; readonly dilation?: number | readonly number[] | undefined; readonly groups?: number | undefined }] | [weight: Tensor, bias: Tensor | null | undefined, options?: { readonly stride?: number | readonly number[] | undefined; readonly padding?: number | readonly number[] | 'same' | 'valid' | undefined; readonly dilation?: number | readonly number[] | undefined; readonly groups?: number | undefined }] | [weight: Tensor, options?: { readonly bias?: Tensor | null | undefined; readonly stride?: number | readonly number[] | undefined; readonly padding?: number | readonly number[] | 'same' | 'valid' | undefined; readonly dilation?: number | readonly number[] | undefined; readonly groups?: number | undefined }] | [options: { readonly weight: Tensor; readonly bias?: Tensor | null | undefined; readonly stride?: number | readonly number[] | undefined; readonly padding?: number | readonly number[] | 'same' | 'valid' | undefined; readonly dilation?: number | readonly number[] | undefined; readonly groups?: number | undefined }]): Tensor

  /**
   * The convolution of [N, C, H, W] with a weight [O, C / groups, kH, kW], plus bias [O].
   *
   * A cross-correlation: the kernel is not flipped. Size of the result: ⌊(size + 2 padding − dilation · (kernel − 1) − 1) / stride⌋ + 1.
   * Takes floats.
   *
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
  conv2d(weight: Tensor, bias?: Tensor | null, stride?: number | readonly number[], padding?: number | readonly number[] | 'same' | 'valid', dilation?: number | readonly number[], groups?: number): Tensor
  conv2d(...args: [weight: Tensor, bias: Tensor | null | undefined, stride: number | readonly number[] | undefined, padding: number | readonly number[] | 'same' | 'valid' | undefined, dilation: number | readonly number[] | undefined, options?: { readonly groups?: number | undefined }] | [weight: Tensor, bias: Tensor | null | undefined, stride: number | readonly number[] | undefined, padding: number | readonly number[] | 'same' | 'valid' | undefined, options?: { readonly dilation?: number | readonly number[] | undefined; readonly groups?: number | undefined }] | [weight: Tensor, bias: Tensor | null | undefined, stride: number | readonly number[] | undefined, options?: { readonly padding?: number | readonly number[] | 'same' | 'valid' | undefined; readonly dilation?: number | readonly number[] | undefined; readonly groups?: number | undefined }] | [weight: Tensor, bias: Tensor | null | undefined, options?: { readonly stride?: number | readonly number[] | undefined; readonly padding?: number | readonly number[] | 'same' | 'valid' | undefined; readonly dilation?: number | readonly number[] | undefined; readonly groups?: number | undefined }] | [weight: Tensor, options?: { readonly bias?: Tensor | null | undefined; readonly stride?: number | readonly number[] | undefined; readonly padding?: number | readonly number[] | 'same' | 'valid' | undefined; readonly dilation?: number | readonly number[] | undefined; readonly groups?: number | undefined }] | [options: { readonly weight: Tensor; readonly bias?: Tensor | null | undefined; readonly stride?: number | readonly number[] | undefined; readonly padding?: number | readonly number[] | 'same' | 'valid' | undefined; readonly dilation?: number | readonly number[] | undefined; readonly groups?: number | undefined }]): Tensor

  /**
   * The convolution of [N, C, D, H, W] with a weight [O, C / groups, kD, kH, kW], plus bias [O].
   *
   * A cross-correlation: the kernel is not flipped. Size of the result: ⌊(size + 2 padding − dilation · (kernel − 1) − 1) / stride⌋ + 1.
   * Takes floats.
   *
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
  conv3d(weight: Tensor, bias?: Tensor | null, stride?: number | readonly number[], padding?: number | readonly number[] | 'same' | 'valid', dilation?: number | readonly number[], groups?: number): Tensor
  conv3d(...args: [weight: Tensor, bias: Tensor | null | undefined, stride: number | readonly number[] | undefined, padding: number | readonly number[] | 'same' | 'valid' | undefined, dilation: number | readonly number[] | undefined, options?: { readonly groups?: number | undefined }] | [weight: Tensor, bias: Tensor | null | undefined, stride: number | readonly number[] | undefined, padding: number | readonly number[] | 'same' | 'valid' | undefined, options?: { readonly dilation?: number | readonly number[] | undefined; readonly groups?: number | undefined }] | [weight: Tensor, bias: Tensor | null | undefined, stride: number | readonly number[] | undefined, options?: { readonly padding?: number | readonly number[] | 'same' | 'valid' | undefined; readonly dilation?: number | readonly number[] | undefined; readonly groups?: number | undefined }] | [weight: Tensor, bias: Tensor | null | undefined, options?: { readonly stride?: number | readonly number[] | undefined; readonly padding?: number | readonly number[] | 'same' | 'valid' | undefined; readonly dilation?: number | readonly number[] | undefined; readonly groups?: number | undefined }] | [weight: Tensor, options?: { readonly bias?: Tensor | null | undefined; readonly stride?: number | readonly number[] | undefined; readonly padding?: number | readonly number[] | 'same' | 'valid' | undefined; readonly dilation?: number | readonly number[] | undefined; readonly groups?: number | undefined }] | [options: { readonly weight: Tensor; readonly bias?: Tensor | null | undefined; readonly stride?: number | readonly number[] | undefined; readonly padding?: number | readonly number[] | 'same' | 'valid' | undefined; readonly dilation?: number | readonly number[] | undefined; readonly groups?: number | undefined }]): Tensor

  /**
   * The transpose of conv1d: [N, C, L] with a weight [C, O / groups, kL], plus bias [O].
   *
   * Size of the result: (size − 1) · stride − 2 padding + dilation · (kernel − 1) + outputPadding + 1. A weight's NaN or infinity reaches results between those of its strides too.
   * Takes floats.
   *
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
  convTranspose1d(weight: Tensor, bias?: Tensor | null, stride?: number | readonly number[], padding?: number | readonly number[], outputPadding?: number | readonly number[], groups?: number, dilation?: number | readonly number[]): Tensor
  convTranspose1d(...args: [weight: Tensor, bias: Tensor | null | undefined, stride: number | readonly number[] | undefined, padding: number | readonly number[] | undefined, outputPadding: number | readonly number[] | undefined, groups: number | undefined, options?: { readonly dilation?: number | readonly number[] | undefined }] | [weight: Tensor, bias: Tensor | null | undefined, stride: number | readonly number[] | undefined, padding: number | readonly number[] | undefined, outputPadding: number | readonly number[] | undefined, options?: { readonly groups?: number | undefined; readonly dilation?: number | readonly number[] | undefined }] | [weight: Tensor, bias: Tensor | null | undefined, stride: number | readonly number[] | undefined, padding: number | readonly number[] | undefined, options?: { readonly outputPadding?: number | readonly number[] | undefined; readonly groups?: number | undefined; readonly dilation?: number | readonly number[] | undefined }] | [weight: Tensor, bias: Tensor | null | undefined, stride: number | readonly number[] | undefined, options?: { readonly padding?: number | readonly number[] | undefined; readonly outputPadding?: number | readonly number[] | undefined; readonly groups?: number | undefined; readonly dilation?: number | readonly number[] | undefined }] | [weight: Tensor, bias: Tensor | null | undefined, options?: { readonly stride?: number | readonly number[] | undefined; readonly padding?: number | readonly number[] | undefined; readonly outputPadding?: number | readonly number[] | undefined; readonly groups?: number | undefined; readonly dilation?: number | readonly number[] | undefined }] | [weight: Tensor, options?: { readonly bias?: Tensor | null | undefined; readonly stride?: number | readonly number[] | undefined; readonly padding?: number | readonly number[] | undefined; readonly outputPadding?: number | readonly number[] | undefined; readonly groups?: number | undefined; readonly dilation?: number | readonly number[] | undefined }] | [options: { readonly weight: Tensor; readonly bias?: Tensor | null | undefined; readonly stride?: number | readonly number[] | undefined; readonly padding?: number | readonly number[] | undefined; readonly outputPadding?: number | readonly number[] | undefined; readonly groups?: number | undefined; readonly dilation?: number | readonly number[] | undefined }]): Tensor

  /**
   * The transpose of conv2d: [N, C, H, W] with a weight [C, O / groups, kH, kW], plus bias [O].
   *
   * Size of the result: (size − 1) · stride − 2 padding + dilation · (kernel − 1) + outputPadding + 1. A weight's NaN or infinity reaches results between those of its strides too.
   * Takes floats.
   *
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
  convTranspose2d(weight: Tensor, bias?: Tensor | null, stride?: number | readonly number[], padding?: number | readonly number[], outputPadding?: number | readonly number[], groups?: number, dilation?: number | readonly number[]): Tensor
  convTranspose2d(...args: [weight: Tensor, bias: Tensor | null | undefined, stride: number | readonly number[] | undefined, padding: number | readonly number[] | undefined, outputPadding: number | readonly number[] | undefined, groups: number | undefined, options?: { readonly dilation?: number | readonly number[] | undefined }] | [weight: Tensor, bias: Tensor | null | undefined, stride: number | readonly number[] | undefined, padding: number | readonly number[] | undefined, outputPadding: number | readonly number[] | undefined, options?: { readonly groups?: number | undefined; readonly dilation?: number | readonly number[] | undefined }] | [weight: Tensor, bias: Tensor | null | undefined, stride: number | readonly number[] | undefined, padding: number | readonly number[] | undefined, options?: { readonly outputPadding?: number | readonly number[] | undefined; readonly groups?: number | undefined; readonly dilation?: number | readonly number[] | undefined }] | [weight: Tensor, bias: Tensor | null | undefined, stride: number | readonly number[] | undefined, options?: { readonly padding?: number | readonly number[] | undefined; readonly outputPadding?: number | readonly number[] | undefined; readonly groups?: number | undefined; readonly dilation?: number | readonly number[] | undefined }] | [weight: Tensor, bias: Tensor | null | undefined, options?: { readonly stride?: number | readonly number[] | undefined; readonly padding?: number | readonly number[] | undefined; readonly outputPadding?: number | readonly number[] | undefined; readonly groups?: number | undefined; readonly dilation?: number | readonly number[] | undefined }] | [weight: Tensor, options?: { readonly bias?: Tensor | null | undefined; readonly stride?: number | readonly number[] | undefined; readonly padding?: number | readonly number[] | undefined; readonly outputPadding?: number | readonly number[] | undefined; readonly groups?: number | undefined; readonly dilation?: number | readonly number[] | undefined }] | [options: { readonly weight: Tensor; readonly bias?: Tensor | null | undefined; readonly stride?: number | readonly number[] | undefined; readonly padding?: number | readonly number[] | undefined; readonly outputPadding?: number | readonly number[] | undefined; readonly groups?: number | undefined; readonly dilation?: number | readonly number[] | undefined }]): Tensor

  /**
   * The transpose of conv3d: [N, C, D, H, W] with a weight [C, O / groups, kD, kH, kW], plus bias [O].
   *
   * Size of the result: (size − 1) · stride − 2 padding + dilation · (kernel − 1) + outputPadding + 1. A weight's NaN or infinity reaches results between those of its strides too.
   * Takes floats.
   *
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
  convTranspose3d(weight: Tensor, bias?: Tensor | null, stride?: number | readonly number[], padding?: number | readonly number[], outputPadding?: number | readonly number[], groups?: number, dilation?: number | readonly number[]): Tensor
  convTranspose3d(...args: [weight: Tensor, bias: Tensor | null | undefined, stride: number | readonly number[] | undefined, padding: number | readonly number[] | undefined, outputPadding: number | readonly number[] | undefined, groups: number | undefined, options?: { readonly dilation?: number | readonly number[] | undefined }] | [weight: Tensor, bias: Tensor | null | undefined, stride: number | readonly number[] | undefined, padding: number | readonly number[] | undefined, outputPadding: number | readonly number[] | undefined, options?: { readonly groups?: number | undefined; readonly dilation?: number | readonly number[] | undefined }] | [weight: Tensor, bias: Tensor | null | undefined, stride: number | readonly number[] | undefined, padding: number | readonly number[] | undefined, options?: { readonly outputPadding?: number | readonly number[] | undefined; readonly groups?: number | undefined; readonly dilation?: number | readonly number[] | undefined }] | [weight: Tensor, bias: Tensor | null | undefined, stride: number | readonly number[] | undefined, options?: { readonly padding?: number | readonly number[] | undefined; readonly outputPadding?: number | readonly number[] | undefined; readonly groups?: number | undefined; readonly dilation?: number | readonly number[] | undefined }] | [weight: Tensor, bias: Tensor | null | undefined, options?: { readonly stride?: number | readonly number[] | undefined; readonly padding?: number | readonly number[] | undefined; readonly outputPadding?: number | readonly number[] | undefined; readonly groups?: number | undefined; readonly dilation?: number | readonly number[] | undefined }] | [weight: Tensor, options?: { readonly bias?: Tensor | null | undefined; readonly stride?: number | readonly number[] | undefined; readonly padding?: number | readonly number[] | undefined; readonly outputPadding?: number | readonly number[] | undefined; readonly groups?: number | undefined; readonly dilation?: number | readonly number[] | undefined }] | [options: { readonly weight: Tensor; readonly bias?: Tensor | null | undefined; readonly stride?: number | readonly number[] | undefined; readonly padding?: number | readonly number[] | undefined; readonly outputPadding?: number | readonly number[] | undefined; readonly groups?: number | undefined; readonly dilation?: number | readonly number[] | undefined }]): Tensor

  /**
   * The largest value of each window of [N, C, …]; padding never counts.
   *
   * Size of the result: ⌊(size + 2 padding − dilation · (kernelSize − 1) − 1) / stride⌋ + 1, with ceilMode rounded up.
   * Takes any dtype.
   *
   * @param kernelSize an integer or a list of integers: the size of a window, for all spatial dims or for each
   * @param stride an integer or a list of integers: the distance between window starts, for all spatial dims or for each; kernelSize unless given (optional)
   * @param padding an integer or a list of integers: how many elements are added on both sides, at most half of kernelSize (default 0)
   * @param dilation an integer or a list of integers: the spacing between a window's elements, for all spatial dims or for each (default 1)
   * @param ceilMode true or false: also count a last window that is only partly inside (default false)
   * @returns [N, C, …] with one element per window, or without N; the dtype of input
   * @throws ArgumentError when padding is more than half of kernelSize
   * @throws ShapeError when the number of dims is another, or no window fits
   */
  maxPool1d(kernelSize: number | readonly number[], stride?: number | readonly number[] | null, padding?: number | readonly number[], dilation?: number | readonly number[], ceilMode?: boolean): Tensor
  maxPool1d(...args: [kernelSize: number | readonly number[], stride: number | readonly number[] | null | undefined, padding: number | readonly number[] | undefined, dilation: number | readonly number[] | undefined, options?: { readonly ceilMode?: boolean | undefined }] | [kernelSize: number | readonly number[], stride: number | readonly number[] | null | undefined, padding: number | readonly number[] | undefined, options?: { readonly dilation?: number | readonly number[] | undefined; readonly ceilMode?: boolean | undefined }] | [kernelSize: number | readonly number[], stride: number | readonly number[] | null | undefined, options?: { readonly padding?: number | readonly number[] | undefined; readonly dilation?: number | readonly number[] | undefined; readonly ceilMode?: boolean | undefined }] | [kernelSize: number | readonly number[], options?: { readonly stride?: number | readonly number[] | null | undefined; readonly padding?: number | readonly number[] | undefined; readonly dilation?: number | readonly number[] | undefined; readonly ceilMode?: boolean | undefined }] | [options: { readonly kernelSize: number | readonly number[]; readonly stride?: number | readonly number[] | null | undefined; readonly padding?: number | readonly number[] | undefined; readonly dilation?: number | readonly number[] | undefined; readonly ceilMode?: boolean | undefined }]): Tensor

  /**
   * The largest value of each window of [N, C, …]; padding never counts.
   *
   * Size of the result: ⌊(size + 2 padding − dilation · (kernelSize − 1) − 1) / stride⌋ + 1, with ceilMode rounded up.
   * Takes any dtype.
   *
   * @param kernelSize an integer or a list of integers: the size of a window, for all spatial dims or for each
   * @param stride an integer or a list of integers: the distance between window starts, for all spatial dims or for each; kernelSize unless given (optional)
   * @param padding an integer or a list of integers: how many elements are added on both sides, at most half of kernelSize (default 0)
   * @param dilation an integer or a list of integers: the spacing between a window's elements, for all spatial dims or for each (default 1)
   * @param ceilMode true or false: also count a last window that is only partly inside (default false)
   * @returns [N, C, …] with one element per window, or without N; the dtype of input
   * @throws ArgumentError when padding is more than half of kernelSize
   * @throws ShapeError when the number of dims is another, or no window fits
   */
  maxPool2d(kernelSize: number | readonly number[], stride?: number | readonly number[] | null, padding?: number | readonly number[], dilation?: number | readonly number[], ceilMode?: boolean): Tensor
  maxPool2d(...args: [kernelSize: number | readonly number[], stride: number | readonly number[] | null | undefined, padding: number | readonly number[] | undefined, dilation: number | readonly number[] | undefined, options?: { readonly ceilMode?: boolean | undefined }] | [kernelSize: number | readonly number[], stride: number | readonly number[] | null | undefined, padding: number | readonly number[] | undefined, options?: { readonly dilation?: number | readonly number[] | undefined; readonly ceilMode?: boolean | undefined }] | [kernelSize: number | readonly number[], stride: number | readonly number[] | null | undefined, options?: { readonly padding?: number | readonly number[] | undefined; readonly dilation?: number | readonly number[] | undefined; readonly ceilMode?: boolean | undefined }] | [kernelSize: number | readonly number[], options?: { readonly stride?: number | readonly number[] | null | undefined; readonly padding?: number | readonly number[] | undefined; readonly dilation?: number | readonly number[] | undefined; readonly ceilMode?: boolean | undefined }] | [options: { readonly kernelSize: number | readonly number[]; readonly stride?: number | readonly number[] | null | undefined; readonly padding?: number | readonly number[] | undefined; readonly dilation?: number | readonly number[] | undefined; readonly ceilMode?: boolean | undefined }]): Tensor

  /**
   * The largest value of each window of [N, C, …]; padding never counts.
   *
   * Size of the result: ⌊(size + 2 padding − dilation · (kernelSize − 1) − 1) / stride⌋ + 1, with ceilMode rounded up.
   * Takes any dtype.
   *
   * @param kernelSize an integer or a list of integers: the size of a window, for all spatial dims or for each
   * @param stride an integer or a list of integers: the distance between window starts, for all spatial dims or for each; kernelSize unless given (optional)
   * @param padding an integer or a list of integers: how many elements are added on both sides, at most half of kernelSize (default 0)
   * @param dilation an integer or a list of integers: the spacing between a window's elements, for all spatial dims or for each (default 1)
   * @param ceilMode true or false: also count a last window that is only partly inside (default false)
   * @returns [N, C, …] with one element per window, or without N; the dtype of input
   * @throws ArgumentError when padding is more than half of kernelSize
   * @throws ShapeError when the number of dims is another, or no window fits
   */
  maxPool3d(kernelSize: number | readonly number[], stride?: number | readonly number[] | null, padding?: number | readonly number[], dilation?: number | readonly number[], ceilMode?: boolean): Tensor
  maxPool3d(...args: [kernelSize: number | readonly number[], stride: number | readonly number[] | null | undefined, padding: number | readonly number[] | undefined, dilation: number | readonly number[] | undefined, options?: { readonly ceilMode?: boolean | undefined }] | [kernelSize: number | readonly number[], stride: number | readonly number[] | null | undefined, padding: number | readonly number[] | undefined, options?: { readonly dilation?: number | readonly number[] | undefined; readonly ceilMode?: boolean | undefined }] | [kernelSize: number | readonly number[], stride: number | readonly number[] | null | undefined, options?: { readonly padding?: number | readonly number[] | undefined; readonly dilation?: number | readonly number[] | undefined; readonly ceilMode?: boolean | undefined }] | [kernelSize: number | readonly number[], options?: { readonly stride?: number | readonly number[] | null | undefined; readonly padding?: number | readonly number[] | undefined; readonly dilation?: number | readonly number[] | undefined; readonly ceilMode?: boolean | undefined }] | [options: { readonly kernelSize: number | readonly number[]; readonly stride?: number | readonly number[] | null | undefined; readonly padding?: number | readonly number[] | undefined; readonly dilation?: number | readonly number[] | undefined; readonly ceilMode?: boolean | undefined }]): Tensor

  /**
   * The mean of each window of [N, C, …]; padding counts as zeros unless countIncludePad is false.
   *
   * Size of the result: ⌊(size + 2 padding − dilation · (kernelSize − 1) − 1) / stride⌋ + 1, with ceilMode rounded up.
   * Takes floats.
   *
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
  avgPool1d(kernelSize: number | readonly number[], stride?: number | readonly number[] | null, padding?: number | readonly number[], ceilMode?: boolean, countIncludePad?: boolean): Tensor
  avgPool1d(...args: [kernelSize: number | readonly number[], stride: number | readonly number[] | null | undefined, padding: number | readonly number[] | undefined, ceilMode: boolean | undefined, options?: { readonly countIncludePad?: boolean | undefined }] | [kernelSize: number | readonly number[], stride: number | readonly number[] | null | undefined, padding: number | readonly number[] | undefined, options?: { readonly ceilMode?: boolean | undefined; readonly countIncludePad?: boolean | undefined }] | [kernelSize: number | readonly number[], stride: number | readonly number[] | null | undefined, options?: { readonly padding?: number | readonly number[] | undefined; readonly ceilMode?: boolean | undefined; readonly countIncludePad?: boolean | undefined }] | [kernelSize: number | readonly number[], options?: { readonly stride?: number | readonly number[] | null | undefined; readonly padding?: number | readonly number[] | undefined; readonly ceilMode?: boolean | undefined; readonly countIncludePad?: boolean | undefined }] | [options: { readonly kernelSize: number | readonly number[]; readonly stride?: number | readonly number[] | null | undefined; readonly padding?: number | readonly number[] | undefined; readonly ceilMode?: boolean | undefined; readonly countIncludePad?: boolean | undefined }]): Tensor

  /**
   * The mean of each window of [N, C, …]; padding counts as zeros unless countIncludePad is false.
   *
   * Size of the result: ⌊(size + 2 padding − dilation · (kernelSize − 1) − 1) / stride⌋ + 1, with ceilMode rounded up.
   * Takes floats.
   *
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
  avgPool2d(kernelSize: number | readonly number[], stride?: number | readonly number[] | null, padding?: number | readonly number[], ceilMode?: boolean, countIncludePad?: boolean, divisorOverride?: number | null): Tensor
  avgPool2d(...args: [kernelSize: number | readonly number[], stride: number | readonly number[] | null | undefined, padding: number | readonly number[] | undefined, ceilMode: boolean | undefined, countIncludePad: boolean | undefined, options?: { readonly divisorOverride?: number | null | undefined }] | [kernelSize: number | readonly number[], stride: number | readonly number[] | null | undefined, padding: number | readonly number[] | undefined, ceilMode: boolean | undefined, options?: { readonly countIncludePad?: boolean | undefined; readonly divisorOverride?: number | null | undefined }] | [kernelSize: number | readonly number[], stride: number | readonly number[] | null | undefined, padding: number | readonly number[] | undefined, options?: { readonly ceilMode?: boolean | undefined; readonly countIncludePad?: boolean | undefined; readonly divisorOverride?: number | null | undefined }] | [kernelSize: number | readonly number[], stride: number | readonly number[] | null | undefined, options?: { readonly padding?: number | readonly number[] | undefined; readonly ceilMode?: boolean | undefined; readonly countIncludePad?: boolean | undefined; readonly divisorOverride?: number | null | undefined }] | [kernelSize: number | readonly number[], options?: { readonly stride?: number | readonly number[] | null | undefined; readonly padding?: number | readonly number[] | undefined; readonly ceilMode?: boolean | undefined; readonly countIncludePad?: boolean | undefined; readonly divisorOverride?: number | null | undefined }] | [options: { readonly kernelSize: number | readonly number[]; readonly stride?: number | readonly number[] | null | undefined; readonly padding?: number | readonly number[] | undefined; readonly ceilMode?: boolean | undefined; readonly countIncludePad?: boolean | undefined; readonly divisorOverride?: number | null | undefined }]): Tensor

  /**
   * The mean of each window of [N, C, …]; padding counts as zeros unless countIncludePad is false.
   *
   * Size of the result: ⌊(size + 2 padding − dilation · (kernelSize − 1) − 1) / stride⌋ + 1, with ceilMode rounded up.
   * Takes floats.
   *
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
  avgPool3d(kernelSize: number | readonly number[], stride?: number | readonly number[] | null, padding?: number | readonly number[], ceilMode?: boolean, countIncludePad?: boolean, divisorOverride?: number | null): Tensor
  avgPool3d(...args: [kernelSize: number | readonly number[], stride: number | readonly number[] | null | undefined, padding: number | readonly number[] | undefined, ceilMode: boolean | undefined, countIncludePad: boolean | undefined, options?: { readonly divisorOverride?: number | null | undefined }] | [kernelSize: number | readonly number[], stride: number | readonly number[] | null | undefined, padding: number | readonly number[] | undefined, ceilMode: boolean | undefined, options?: { readonly countIncludePad?: boolean | undefined; readonly divisorOverride?: number | null | undefined }] | [kernelSize: number | readonly number[], stride: number | readonly number[] | null | undefined, padding: number | readonly number[] | undefined, options?: { readonly ceilMode?: boolean | undefined; readonly countIncludePad?: boolean | undefined; readonly divisorOverride?: number | null | undefined }] | [kernelSize: number | readonly number[], stride: number | readonly number[] | null | undefined, options?: { readonly padding?: number | readonly number[] | undefined; readonly ceilMode?: boolean | undefined; readonly countIncludePad?: boolean | undefined; readonly divisorOverride?: number | null | undefined }] | [kernelSize: number | readonly number[], options?: { readonly stride?: number | readonly number[] | null | undefined; readonly padding?: number | readonly number[] | undefined; readonly ceilMode?: boolean | undefined; readonly countIncludePad?: boolean | undefined; readonly divisorOverride?: number | null | undefined }] | [options: { readonly kernelSize: number | readonly number[]; readonly stride?: number | readonly number[] | null | undefined; readonly padding?: number | readonly number[] | undefined; readonly ceilMode?: boolean | undefined; readonly countIncludePad?: boolean | undefined; readonly divisorOverride?: number | null | undefined }]): Tensor

  /**
   * The largest value of each window of [N, C, …], and its index in the flattened spatial dims (of equals the first).
   *
   * Size of the result: ⌊(size + 2 padding − dilation · (kernelSize − 1) − 1) / stride⌋ + 1, with ceilMode rounded up.
   * Takes any dtype.
   *
   * @param kernelSize an integer or a list of integers: the size of a window, for all spatial dims or for each
   * @param stride an integer or a list of integers: the distance between window starts, for all spatial dims or for each; kernelSize unless given (optional)
   * @param padding an integer or a list of integers: how many elements are added on both sides, at most half of kernelSize (default 0)
   * @param dilation an integer or a list of integers: the spacing between a window's elements, for all spatial dims or for each (default 1)
   * @param ceilMode true or false: also count a last window that is only partly inside (default false)
   * @returns values, indices: [N, C, …] with one element per window, or without N; values the dtype of input, indices i64
   * @throws ArgumentError when padding is more than half of kernelSize
   * @throws ShapeError when the number of dims is another, or no window fits
   */
  maxPool1dWithIndices(kernelSize: number | readonly number[], stride?: number | readonly number[] | null, padding?: number | readonly number[], dilation?: number | readonly number[], ceilMode?: boolean): { readonly values: Tensor; readonly indices: Tensor }
  maxPool1dWithIndices(...args: [kernelSize: number | readonly number[], stride: number | readonly number[] | null | undefined, padding: number | readonly number[] | undefined, dilation: number | readonly number[] | undefined, options?: { readonly ceilMode?: boolean | undefined }] | [kernelSize: number | readonly number[], stride: number | readonly number[] | null | undefined, padding: number | readonly number[] | undefined, options?: { readonly dilation?: number | readonly number[] | undefined; readonly ceilMode?: boolean | undefined }] | [kernelSize: number | readonly number[], stride: number | readonly number[] | null | undefined, options?: { readonly padding?: number | readonly number[] | undefined; readonly dilation?: number | readonly number[] | undefined; readonly ceilMode?: boolean | undefined }] | [kernelSize: number | readonly number[], options?: { readonly stride?: number | readonly number[] | null | undefined; readonly padding?: number | readonly number[] | undefined; readonly dilation?: number | readonly number[] | undefined; readonly ceilMode?: boolean | undefined }] | [options: { readonly kernelSize: number | readonly number[]; readonly stride?: number | readonly number[] | null | undefined; readonly padding?: number | readonly number[] | undefined; readonly dilation?: number | readonly number[] | undefined; readonly ceilMode?: boolean | undefined }]): { readonly values: Tensor; readonly indices: Tensor }

  /**
   * The largest value of each window of [N, C, …], and its index in the flattened spatial dims (of equals the first).
   *
   * Size of the result: ⌊(size + 2 padding − dilation · (kernelSize − 1) − 1) / stride⌋ + 1, with ceilMode rounded up.
   * Takes any dtype.
   *
   * @param kernelSize an integer or a list of integers: the size of a window, for all spatial dims or for each
   * @param stride an integer or a list of integers: the distance between window starts, for all spatial dims or for each; kernelSize unless given (optional)
   * @param padding an integer or a list of integers: how many elements are added on both sides, at most half of kernelSize (default 0)
   * @param dilation an integer or a list of integers: the spacing between a window's elements, for all spatial dims or for each (default 1)
   * @param ceilMode true or false: also count a last window that is only partly inside (default false)
   * @returns values, indices: [N, C, …] with one element per window, or without N; values the dtype of input, indices i64
   * @throws ArgumentError when padding is more than half of kernelSize
   * @throws ShapeError when the number of dims is another, or no window fits
   */
  maxPool2dWithIndices(kernelSize: number | readonly number[], stride?: number | readonly number[] | null, padding?: number | readonly number[], dilation?: number | readonly number[], ceilMode?: boolean): { readonly values: Tensor; readonly indices: Tensor }
  maxPool2dWithIndices(...args: [kernelSize: number | readonly number[], stride: number | readonly number[] | null | undefined, padding: number | readonly number[] | undefined, dilation: number | readonly number[] | undefined, options?: { readonly ceilMode?: boolean | undefined }] | [kernelSize: number | readonly number[], stride: number | readonly number[] | null | undefined, padding: number | readonly number[] | undefined, options?: { readonly dilation?: number | readonly number[] | undefined; readonly ceilMode?: boolean | undefined }] | [kernelSize: number | readonly number[], stride: number | readonly number[] | null | undefined, options?: { readonly padding?: number | readonly number[] | undefined; readonly dilation?: number | readonly number[] | undefined; readonly ceilMode?: boolean | undefined }] | [kernelSize: number | readonly number[], options?: { readonly stride?: number | readonly number[] | null | undefined; readonly padding?: number | readonly number[] | undefined; readonly dilation?: number | readonly number[] | undefined; readonly ceilMode?: boolean | undefined }] | [options: { readonly kernelSize: number | readonly number[]; readonly stride?: number | readonly number[] | null | undefined; readonly padding?: number | readonly number[] | undefined; readonly dilation?: number | readonly number[] | undefined; readonly ceilMode?: boolean | undefined }]): { readonly values: Tensor; readonly indices: Tensor }

  /**
   * The largest value of each window of [N, C, …], and its index in the flattened spatial dims (of equals the first).
   *
   * Size of the result: ⌊(size + 2 padding − dilation · (kernelSize − 1) − 1) / stride⌋ + 1, with ceilMode rounded up.
   * Takes any dtype.
   *
   * @param kernelSize an integer or a list of integers: the size of a window, for all spatial dims or for each
   * @param stride an integer or a list of integers: the distance between window starts, for all spatial dims or for each; kernelSize unless given (optional)
   * @param padding an integer or a list of integers: how many elements are added on both sides, at most half of kernelSize (default 0)
   * @param dilation an integer or a list of integers: the spacing between a window's elements, for all spatial dims or for each (default 1)
   * @param ceilMode true or false: also count a last window that is only partly inside (default false)
   * @returns values, indices: [N, C, …] with one element per window, or without N; values the dtype of input, indices i64
   * @throws ArgumentError when padding is more than half of kernelSize
   * @throws ShapeError when the number of dims is another, or no window fits
   */
  maxPool3dWithIndices(kernelSize: number | readonly number[], stride?: number | readonly number[] | null, padding?: number | readonly number[], dilation?: number | readonly number[], ceilMode?: boolean): { readonly values: Tensor; readonly indices: Tensor }
  maxPool3dWithIndices(...args: [kernelSize: number | readonly number[], stride: number | readonly number[] | null | undefined, padding: number | readonly number[] | undefined, dilation: number | readonly number[] | undefined, options?: { readonly ceilMode?: boolean | undefined }] | [kernelSize: number | readonly number[], stride: number | readonly number[] | null | undefined, padding: number | readonly number[] | undefined, options?: { readonly dilation?: number | readonly number[] | undefined; readonly ceilMode?: boolean | undefined }] | [kernelSize: number | readonly number[], stride: number | readonly number[] | null | undefined, options?: { readonly padding?: number | readonly number[] | undefined; readonly dilation?: number | readonly number[] | undefined; readonly ceilMode?: boolean | undefined }] | [kernelSize: number | readonly number[], options?: { readonly stride?: number | readonly number[] | null | undefined; readonly padding?: number | readonly number[] | undefined; readonly dilation?: number | readonly number[] | undefined; readonly ceilMode?: boolean | undefined }] | [options: { readonly kernelSize: number | readonly number[]; readonly stride?: number | readonly number[] | null | undefined; readonly padding?: number | readonly number[] | undefined; readonly dilation?: number | readonly number[] | undefined; readonly ceilMode?: boolean | undefined }]): { readonly values: Tensor; readonly indices: Tensor }

  /**
   * Mean pooling to outputSize in the spatial dims, whatever the input size.
   *
   * Window i of n goes from ⌊i · size / n⌋ to ⌈(i + 1) · size / n⌉.
   * Takes floats.
   *
   * @param outputSize an integer or a list of integers or nulls: how many windows, for all spatial dims or for each; null: as many as elements
   * @returns [N, C, outputSize…], or without N; the dtype of input
   * @throws DtypeError for integers and bool
   * @throws ShapeError when the number of dims is another, or a spatial dim is empty
   */
  adaptiveAvgPool1d(outputSize: number | readonly (number | null)[]): Tensor
  adaptiveAvgPool1d(...args: [options: { readonly outputSize: number | readonly (number | null)[] }]): Tensor

  /**
   * Mean pooling to outputSize in the spatial dims, whatever the input size.
   *
   * Window i of n goes from ⌊i · size / n⌋ to ⌈(i + 1) · size / n⌉.
   * Takes floats.
   *
   * @param outputSize an integer or a list of integers or nulls: how many windows, for all spatial dims or for each; null: as many as elements
   * @returns [N, C, outputSize…], or without N; the dtype of input
   * @throws DtypeError for integers and bool
   * @throws ShapeError when the number of dims is another, or a spatial dim is empty
   */
  adaptiveAvgPool2d(outputSize: number | readonly (number | null)[]): Tensor
  adaptiveAvgPool2d(...args: [options: { readonly outputSize: number | readonly (number | null)[] }]): Tensor

  /**
   * Mean pooling to outputSize in the spatial dims, whatever the input size.
   *
   * Window i of n goes from ⌊i · size / n⌋ to ⌈(i + 1) · size / n⌉.
   * Takes floats.
   *
   * @param outputSize an integer or a list of integers or nulls: how many windows, for all spatial dims or for each; null: as many as elements
   * @returns [N, C, outputSize…], or without N; the dtype of input
   * @throws DtypeError for integers and bool
   * @throws ShapeError when the number of dims is another, or a spatial dim is empty
   */
  adaptiveAvgPool3d(outputSize: number | readonly (number | null)[]): Tensor
  adaptiveAvgPool3d(...args: [options: { readonly outputSize: number | readonly (number | null)[] }]): Tensor

  /**
   * Max pooling to outputSize in the spatial dims, whatever the input size.
   *
   * Window i of n goes from ⌊i · size / n⌋ to ⌈(i + 1) · size / n⌉.
   * Takes any dtype.
   *
   * @param outputSize an integer or a list of integers or nulls: how many windows, for all spatial dims or for each; null: as many as elements
   * @returns [N, C, outputSize…], or without N; the dtype of input
   * @throws ShapeError when the number of dims is another, or a spatial dim is empty
   */
  adaptiveMaxPool1d(outputSize: number | readonly (number | null)[]): Tensor
  adaptiveMaxPool1d(...args: [options: { readonly outputSize: number | readonly (number | null)[] }]): Tensor

  /**
   * Max pooling to outputSize in the spatial dims, whatever the input size.
   *
   * Window i of n goes from ⌊i · size / n⌋ to ⌈(i + 1) · size / n⌉.
   * Takes any dtype.
   *
   * @param outputSize an integer or a list of integers or nulls: how many windows, for all spatial dims or for each; null: as many as elements
   * @returns [N, C, outputSize…], or without N; the dtype of input
   * @throws ShapeError when the number of dims is another, or a spatial dim is empty
   */
  adaptiveMaxPool2d(outputSize: number | readonly (number | null)[]): Tensor
  adaptiveMaxPool2d(...args: [options: { readonly outputSize: number | readonly (number | null)[] }]): Tensor

  /**
   * Max pooling to outputSize in the spatial dims, whatever the input size.
   *
   * Window i of n goes from ⌊i · size / n⌋ to ⌈(i + 1) · size / n⌉.
   * Takes any dtype.
   *
   * @param outputSize an integer or a list of integers or nulls: how many windows, for all spatial dims or for each; null: as many as elements
   * @returns [N, C, outputSize…], or without N; the dtype of input
   * @throws ShapeError when the number of dims is another, or a spatial dim is empty
   */
  adaptiveMaxPool3d(outputSize: number | readonly (number | null)[]): Tensor
  adaptiveMaxPool3d(...args: [options: { readonly outputSize: number | readonly (number | null)[] }]): Tensor

  /**
   * Max pooling to outputSize in the spatial dims, whatever the input size, and their positions among the spatial elements (of equals the first).
   *
   * Window i of n goes from ⌊i · size / n⌋ to ⌈(i + 1) · size / n⌉.
   * Takes any dtype.
   *
   * @param outputSize an integer or a list of integers or nulls: how many windows, for all spatial dims or for each; null: as many as elements
   * @returns values, indices: [N, C, outputSize…], or without N; values the dtype of input, indices i64
   * @throws ShapeError when the number of dims is another, or a spatial dim is empty
   */
  adaptiveMaxPool1dWithIndices(outputSize: number | readonly (number | null)[]): { readonly values: Tensor; readonly indices: Tensor }
  adaptiveMaxPool1dWithIndices(...args: [options: { readonly outputSize: number | readonly (number | null)[] }]): { readonly values: Tensor; readonly indices: Tensor }

  /**
   * Max pooling to outputSize in the spatial dims, whatever the input size, and their positions among the spatial elements (of equals the first).
   *
   * Window i of n goes from ⌊i · size / n⌋ to ⌈(i + 1) · size / n⌉.
   * Takes any dtype.
   *
   * @param outputSize an integer or a list of integers or nulls: how many windows, for all spatial dims or for each; null: as many as elements
   * @returns values, indices: [N, C, outputSize…], or without N; values the dtype of input, indices i64
   * @throws ShapeError when the number of dims is another, or a spatial dim is empty
   */
  adaptiveMaxPool2dWithIndices(outputSize: number | readonly (number | null)[]): { readonly values: Tensor; readonly indices: Tensor }
  adaptiveMaxPool2dWithIndices(...args: [options: { readonly outputSize: number | readonly (number | null)[] }]): { readonly values: Tensor; readonly indices: Tensor }

  /**
   * Max pooling to outputSize in the spatial dims, whatever the input size, and their positions among the spatial elements (of equals the first).
   *
   * Window i of n goes from ⌊i · size / n⌋ to ⌈(i + 1) · size / n⌉.
   * Takes any dtype.
   *
   * @param outputSize an integer or a list of integers or nulls: how many windows, for all spatial dims or for each; null: as many as elements
   * @returns values, indices: [N, C, outputSize…], or without N; values the dtype of input, indices i64
   * @throws ShapeError when the number of dims is another, or a spatial dim is empty
   */
  adaptiveMaxPool3dWithIndices(outputSize: number | readonly (number | null)[]): { readonly values: Tensor; readonly indices: Tensor }
  adaptiveMaxPool3dWithIndices(...args: [options: { readonly outputSize: number | readonly (number | null)[] }]): { readonly values: Tensor; readonly indices: Tensor }

  /**
   * (Σ inputᵖ)^(1/p) with p = normType over each window of [N, C, …].
   *
   * As in PyTorch inputᵖ keeps its sign, and what a last window lacks counts as the mean of the others.
   * Takes floats.
   *
   * @param normType a number: p, any number but 0: with 1 sums
   * @param kernelSize an integer or a list of integers: the size of a window, for all spatial dims or for each
   * @param stride an integer or a list of integers: the distance between window starts, for all spatial dims or for each; kernelSize unless given (optional)
   * @param ceilMode true or false: also count a last window that is only partly inside (default false)
   * @returns [N, C, …] with one element per window, or without N; the dtype of input
   * @throws ArgumentError when normType is 0
   * @throws DtypeError for integers and bool
   * @throws ShapeError when the number of dims is another, or no window fits
   */
  lpPool1d(normType: number, kernelSize: number | readonly number[], stride?: number | readonly number[] | null, ceilMode?: boolean): Tensor
  lpPool1d(...args: [normType: number, kernelSize: number | readonly number[], stride: number | readonly number[] | null | undefined, options?: { readonly ceilMode?: boolean | undefined }] | [normType: number, kernelSize: number | readonly number[], options?: { readonly stride?: number | readonly number[] | null | undefined; readonly ceilMode?: boolean | undefined }] | [normType: number, options: { readonly kernelSize: number | readonly number[]; readonly stride?: number | readonly number[] | null | undefined; readonly ceilMode?: boolean | undefined }] | [options: { readonly normType: number; readonly kernelSize: number | readonly number[]; readonly stride?: number | readonly number[] | null | undefined; readonly ceilMode?: boolean | undefined }]): Tensor

  /**
   * (Σ inputᵖ)^(1/p) with p = normType over each window of [N, C, …].
   *
   * As in PyTorch inputᵖ keeps its sign, and what a last window lacks counts as the mean of the others.
   * Takes floats.
   *
   * @param normType a number: p, any number but 0: with 1 sums
   * @param kernelSize an integer or a list of integers: the size of a window, for all spatial dims or for each
   * @param stride an integer or a list of integers: the distance between window starts, for all spatial dims or for each; kernelSize unless given (optional)
   * @param ceilMode true or false: also count a last window that is only partly inside (default false)
   * @returns [N, C, …] with one element per window, or without N; the dtype of input
   * @throws ArgumentError when normType is 0
   * @throws DtypeError for integers and bool
   * @throws ShapeError when the number of dims is another, or no window fits
   */
  lpPool2d(normType: number, kernelSize: number | readonly number[], stride?: number | readonly number[] | null, ceilMode?: boolean): Tensor
  lpPool2d(...args: [normType: number, kernelSize: number | readonly number[], stride: number | readonly number[] | null | undefined, options?: { readonly ceilMode?: boolean | undefined }] | [normType: number, kernelSize: number | readonly number[], options?: { readonly stride?: number | readonly number[] | null | undefined; readonly ceilMode?: boolean | undefined }] | [normType: number, options: { readonly kernelSize: number | readonly number[]; readonly stride?: number | readonly number[] | null | undefined; readonly ceilMode?: boolean | undefined }] | [options: { readonly normType: number; readonly kernelSize: number | readonly number[]; readonly stride?: number | readonly number[] | null | undefined; readonly ceilMode?: boolean | undefined }]): Tensor

  /**
   * (Σ inputᵖ)^(1/p) with p = normType over each window of [N, C, …].
   *
   * As in PyTorch inputᵖ keeps its sign, and what a last window lacks counts as the mean of the others.
   * Takes floats.
   *
   * @param normType a number: p, any number but 0: with 1 sums
   * @param kernelSize an integer or a list of integers: the size of a window, for all spatial dims or for each
   * @param stride an integer or a list of integers: the distance between window starts, for all spatial dims or for each; kernelSize unless given (optional)
   * @param ceilMode true or false: also count a last window that is only partly inside (default false)
   * @returns [N, C, …] with one element per window, or without N; the dtype of input
   * @throws ArgumentError when normType is 0
   * @throws DtypeError for integers and bool
   * @throws ShapeError when the number of dims is another, or no window fits
   */
  lpPool3d(normType: number, kernelSize: number | readonly number[], stride?: number | readonly number[] | null, ceilMode?: boolean): Tensor
  lpPool3d(...args: [normType: number, kernelSize: number | readonly number[], stride: number | readonly number[] | null | undefined, options?: { readonly ceilMode?: boolean | undefined }] | [normType: number, kernelSize: number | readonly number[], options?: { readonly stride?: number | readonly number[] | null | undefined; readonly ceilMode?: boolean | undefined }] | [normType: number, options: { readonly kernelSize: number | readonly number[]; readonly stride?: number | readonly number[] | null | undefined; readonly ceilMode?: boolean | undefined }] | [options: { readonly normType: number; readonly kernelSize: number | readonly number[]; readonly stride?: number | readonly number[] | null | undefined; readonly ceilMode?: boolean | undefined }]): Tensor

  /**
   * The windows of [N, C, H, W] as columns, [N, C · kernel, windows]: torch.nn.functional.unfold.
   *
   * Takes any dtype.
   *
   * @param kernelSize an integer or a list of integers: the size of a window, for all spatial dims or for each
   * @param dilation an integer or a list of integers: the spacing between a window's elements, for all spatial dims or for each (default 1)
   * @param padding an integer or a list of integers: how many zeros are added on each side, for all spatial dims or for each (default 0)
   * @param stride an integer or a list of integers: the distance between window starts, for all spatial dims or for each (default 1)
   * @returns [N, C · kernel height · kernel width, windows], or without N; the dtype of input
   * @throws ShapeError when the number of dims is another, or no window fits
   */
  im2col(kernelSize: number | readonly number[], dilation?: number | readonly number[], padding?: number | readonly number[], stride?: number | readonly number[]): Tensor
  im2col(...args: [kernelSize: number | readonly number[], dilation: number | readonly number[] | undefined, padding: number | readonly number[] | undefined, options?: { readonly stride?: number | readonly number[] | undefined }] | [kernelSize: number | readonly number[], dilation: number | readonly number[] | undefined, options?: { readonly padding?: number | readonly number[] | undefined; readonly stride?: number | readonly number[] | undefined }] | [kernelSize: number | readonly number[], options?: { readonly dilation?: number | readonly number[] | undefined; readonly padding?: number | readonly number[] | undefined; readonly stride?: number | readonly number[] | undefined }] | [options: { readonly kernelSize: number | readonly number[]; readonly dilation?: number | readonly number[] | undefined; readonly padding?: number | readonly number[] | undefined; readonly stride?: number | readonly number[] | undefined }]): Tensor

  /**
   * Columns [N, C · kernel, windows] summed into [N, C, H, W] where im2col would read them: torch.nn.functional.fold.
   *
   * Takes any dtype.
   *
   * @param outputSize an integer or a list of integers: the sizes [H, W] of the result
   * @param kernelSize an integer or a list of integers: the size of a window, for all spatial dims or for each
   * @param dilation an integer or a list of integers: the spacing between a window's elements, for all spatial dims or for each (default 1)
   * @param padding an integer or a list of integers: how many zeros are added on each side, for all spatial dims or for each (default 0)
   * @param stride an integer or a list of integers: the distance between window starts, for all spatial dims or for each (default 1)
   * @returns [N, C, outputSize…], or without N; the dtype of input
   * @throws ShapeError when the rows are no multiple of the kernel, or the columns not the windows of outputSize
   */
  fold(outputSize: number | readonly number[], kernelSize: number | readonly number[], dilation?: number | readonly number[], padding?: number | readonly number[], stride?: number | readonly number[]): Tensor
  fold(...args: [outputSize: number | readonly number[], kernelSize: number | readonly number[], dilation: number | readonly number[] | undefined, padding: number | readonly number[] | undefined, options?: { readonly stride?: number | readonly number[] | undefined }] | [outputSize: number | readonly number[], kernelSize: number | readonly number[], dilation: number | readonly number[] | undefined, options?: { readonly padding?: number | readonly number[] | undefined; readonly stride?: number | readonly number[] | undefined }] | [outputSize: number | readonly number[], kernelSize: number | readonly number[], options?: { readonly dilation?: number | readonly number[] | undefined; readonly padding?: number | readonly number[] | undefined; readonly stride?: number | readonly number[] | undefined }] | [outputSize: number | readonly number[], options: { readonly kernelSize: number | readonly number[]; readonly dilation?: number | readonly number[] | undefined; readonly padding?: number | readonly number[] | undefined; readonly stride?: number | readonly number[] | undefined }] | [options: { readonly outputSize: number | readonly number[]; readonly kernelSize: number | readonly number[]; readonly dilation?: number | readonly number[] | undefined; readonly padding?: number | readonly number[] | undefined; readonly stride?: number | readonly number[] | undefined }]): Tensor

  /**
   * The values of a max pooling (input) written back at its indices; 0 elsewhere.
   *
   * An index out of range is an error on a CPU outside of compile, elsewhere it writes nothing. Of equal indices the last one's value is written; on a GPU any one's, unless compiled with deterministic: true.
   * Takes any dtype.
   *
   * @param indices a tensor: what the pooling gave with these values: i64, of the shape of input
   * @param kernelSize an integer or a list of integers: the size of a window, for all spatial dims or for each
   * @param stride an integer or a list of integers: the distance between window starts, for all spatial dims or for each; kernelSize unless given (optional)
   * @param padding an integer or a list of integers: that of the pooling (default 0)
   * @param outputSize a list of integers: the spatial sizes; by default (size − 1) · stride − 2 padding + kernelSize (optional)
   * @returns [N, C, outputSize…], or without N; the dtype of input
   * @throws DtypeError when indices are not i64
   * @throws ShapeError when the indices have another shape
   */
  maxUnpool1d(indices: Tensor, kernelSize: number | readonly number[], stride?: number | readonly number[] | null, padding?: number | readonly number[], outputSize?: readonly number[] | null): Tensor
  maxUnpool1d(...args: [indices: Tensor, kernelSize: number | readonly number[], stride: number | readonly number[] | null | undefined, padding: number | readonly number[] | undefined, options?: { readonly outputSize?: readonly number[] | null | undefined }] | [indices: Tensor, kernelSize: number | readonly number[], stride: number | readonly number[] | null | undefined, options?: { readonly padding?: number | readonly number[] | undefined; readonly outputSize?: readonly number[] | null | undefined }] | [indices: Tensor, kernelSize: number | readonly number[], options?: { readonly stride?: number | readonly number[] | null | undefined; readonly padding?: number | readonly number[] | undefined; readonly outputSize?: readonly number[] | null | undefined }] | [indices: Tensor, options: { readonly kernelSize: number | readonly number[]; readonly stride?: number | readonly number[] | null | undefined; readonly padding?: number | readonly number[] | undefined; readonly outputSize?: readonly number[] | null | undefined }] | [options: { readonly indices: Tensor; readonly kernelSize: number | readonly number[]; readonly stride?: number | readonly number[] | null | undefined; readonly padding?: number | readonly number[] | undefined; readonly outputSize?: readonly number[] | null | undefined }]): Tensor

  /**
   * The values of a max pooling (input) written back at its indices; 0 elsewhere.
   *
   * An index out of range is an error on a CPU outside of compile, elsewhere it writes nothing. Of equal indices the last one's value is written; on a GPU any one's, unless compiled with deterministic: true.
   * Takes any dtype.
   *
   * @param indices a tensor: what the pooling gave with these values: i64, of the shape of input
   * @param kernelSize an integer or a list of integers: the size of a window, for all spatial dims or for each
   * @param stride an integer or a list of integers: the distance between window starts, for all spatial dims or for each; kernelSize unless given (optional)
   * @param padding an integer or a list of integers: that of the pooling (default 0)
   * @param outputSize a list of integers: the spatial sizes; by default (size − 1) · stride − 2 padding + kernelSize (optional)
   * @returns [N, C, outputSize…], or without N; the dtype of input
   * @throws DtypeError when indices are not i64
   * @throws ShapeError when the indices have another shape
   */
  maxUnpool2d(indices: Tensor, kernelSize: number | readonly number[], stride?: number | readonly number[] | null, padding?: number | readonly number[], outputSize?: readonly number[] | null): Tensor
  maxUnpool2d(...args: [indices: Tensor, kernelSize: number | readonly number[], stride: number | readonly number[] | null | undefined, padding: number | readonly number[] | undefined, options?: { readonly outputSize?: readonly number[] | null | undefined }] | [indices: Tensor, kernelSize: number | readonly number[], stride: number | readonly number[] | null | undefined, options?: { readonly padding?: number | readonly number[] | undefined; readonly outputSize?: readonly number[] | null | undefined }] | [indices: Tensor, kernelSize: number | readonly number[], options?: { readonly stride?: number | readonly number[] | null | undefined; readonly padding?: number | readonly number[] | undefined; readonly outputSize?: readonly number[] | null | undefined }] | [indices: Tensor, options: { readonly kernelSize: number | readonly number[]; readonly stride?: number | readonly number[] | null | undefined; readonly padding?: number | readonly number[] | undefined; readonly outputSize?: readonly number[] | null | undefined }] | [options: { readonly indices: Tensor; readonly kernelSize: number | readonly number[]; readonly stride?: number | readonly number[] | null | undefined; readonly padding?: number | readonly number[] | undefined; readonly outputSize?: readonly number[] | null | undefined }]): Tensor

  /**
   * The values of a max pooling (input) written back at its indices; 0 elsewhere.
   *
   * An index out of range is an error on a CPU outside of compile, elsewhere it writes nothing. Of equal indices the last one's value is written; on a GPU any one's, unless compiled with deterministic: true.
   * Takes any dtype.
   *
   * @param indices a tensor: what the pooling gave with these values: i64, of the shape of input
   * @param kernelSize an integer or a list of integers: the size of a window, for all spatial dims or for each
   * @param stride an integer or a list of integers: the distance between window starts, for all spatial dims or for each; kernelSize unless given (optional)
   * @param padding an integer or a list of integers: that of the pooling (default 0)
   * @param outputSize a list of integers: the spatial sizes; by default (size − 1) · stride − 2 padding + kernelSize (optional)
   * @returns [N, C, outputSize…], or without N; the dtype of input
   * @throws DtypeError when indices are not i64
   * @throws ShapeError when the indices have another shape
   */
  maxUnpool3d(indices: Tensor, kernelSize: number | readonly number[], stride?: number | readonly number[] | null, padding?: number | readonly number[], outputSize?: readonly number[] | null): Tensor
  maxUnpool3d(...args: [indices: Tensor, kernelSize: number | readonly number[], stride: number | readonly number[] | null | undefined, padding: number | readonly number[] | undefined, options?: { readonly outputSize?: readonly number[] | null | undefined }] | [indices: Tensor, kernelSize: number | readonly number[], stride: number | readonly number[] | null | undefined, options?: { readonly padding?: number | readonly number[] | undefined; readonly outputSize?: readonly number[] | null | undefined }] | [indices: Tensor, kernelSize: number | readonly number[], options?: { readonly stride?: number | readonly number[] | null | undefined; readonly padding?: number | readonly number[] | undefined; readonly outputSize?: readonly number[] | null | undefined }] | [indices: Tensor, options: { readonly kernelSize: number | readonly number[]; readonly stride?: number | readonly number[] | null | undefined; readonly padding?: number | readonly number[] | undefined; readonly outputSize?: readonly number[] | null | undefined }] | [options: { readonly indices: Tensor; readonly kernelSize: number | readonly number[]; readonly stride?: number | readonly number[] | null | undefined; readonly padding?: number | readonly number[] | undefined; readonly outputSize?: readonly number[] | null | undefined }]): Tensor

  /**
   * The first half of input along a dim · sigmoid of the second.
   *
   * Dauphin et al., arXiv:1612.08083.
   * Takes floats.
   *
   * @param dim an integer: the dim; negative ones count from the end (default -1)
   * @returns the shape of input with half the size at dim; the dtype of input
   * @throws DtypeError for integers and bool
   * @throws ShapeError when a dim is out of range, or when the size at dim is odd, or input is 0-d
   */
  glu(dim?: number): Tensor
  glu(...args: [options?: { readonly dim?: number | undefined }]): Tensor

  /**
   * […, C · r², H, W] as […, C, H · r, W · r].
   *
   * Shi et al., arXiv:1609.05158.
   * Takes any dtype.
   *
   * @param upscaleFactor an integer of at least 1: r: how many rows and columns become of one
   * @returns [*, C / r², H · r, W · r] of [*, C, H, W]; the dtype of input
   * @throws ShapeError when input has fewer than three dims, or r² does not divide C
   */
  pixelShuffle(upscaleFactor: number): Tensor
  pixelShuffle(...args: [options: { readonly upscaleFactor: number }]): Tensor

  /**
   * […, C, H · r, W · r] as […, C · r², H, W].
   *
   * Takes any dtype.
   *
   * @param downscaleFactor an integer of at least 1: r: how many rows and columns become one
   * @returns [*, C · r², H / r, W / r] of [*, C, H, W]; the dtype of input
   * @throws ShapeError when input has fewer than three dims, or r does not divide H and W
   */
  pixelUnshuffle(downscaleFactor: number): Tensor
  pixelUnshuffle(...args: [options: { readonly downscaleFactor: number }]): Tensor

  /**
   * [N, C, …] with its channels interleaved over the groups: the first of each group, then the second of each, and so on.
   *
   * Takes any dtype.
   *
   * @param groups an integer of at least 1: into how many groups the channels divide
   * @returns the shape of input; the dtype of input
   * @throws ShapeError when groups does not divide C, or input has fewer than two dims
   */
  channelShuffle(groups: number): Tensor
  channelShuffle(...args: [options: { readonly groups: number }]): Tensor

  /**
   * input / (k + alpha · mean of input² over size neighbouring channels)^beta, for input [N, C, …].
   *
   * Takes floats.
   *
   * @param size an integer of at least 1: how many channels count
   * @param alpha a number: the factor of the mean (default 1e-4)
   * @param beta a number: the power (default 0.75)
   * @param k a number: what is added to the mean (default 1)
   * @returns the shape of input; the dtype of input
   * @throws DtypeError for integers and bool
   * @throws ShapeError when input has fewer than three dims
   */
  localResponseNorm(size: number, alpha?: number, beta?: number, k?: number): Tensor
  localResponseNorm(...args: [size: number, alpha: number | undefined, beta: number | undefined, options?: { readonly k?: number | undefined }] | [size: number, alpha: number | undefined, options?: { readonly beta?: number | undefined; readonly k?: number | undefined }] | [size: number, options?: { readonly alpha?: number | undefined; readonly beta?: number | undefined; readonly k?: number | undefined }] | [options: { readonly size: number; readonly alpha?: number | undefined; readonly beta?: number | undefined; readonly k?: number | undefined }]): Tensor

  /**
   * [N, C, …] resized to other spatial sizes, by mode 'nearest', 'nearest-exact', 'linear', 'bilinear', 'trilinear', 'bicubic' or 'area' (means of the input elements that an output element covers).
   *
   * Takes any dtype.
   *
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
  interpolate(size?: SizeLike | readonly SizeLike[] | null, scaleFactor?: number | readonly number[] | null, mode?: 'nearest' | 'nearest-exact' | 'linear' | 'bilinear' | 'trilinear' | 'bicubic' | 'area', alignCorners?: boolean | null, recomputeScaleFactor?: boolean | null, antialias?: boolean): Tensor
  interpolate(...args: [size: SizeLike | readonly SizeLike[] | null | undefined, scaleFactor: number | readonly number[] | null | undefined, mode: 'nearest' | 'nearest-exact' | 'linear' | 'bilinear' | 'trilinear' | 'bicubic' | 'area' | undefined, alignCorners: boolean | null | undefined, recomputeScaleFactor: boolean | null | undefined, options?: { readonly antialias?: boolean | undefined }] | [size: SizeLike | readonly SizeLike[] | null | undefined, scaleFactor: number | readonly number[] | null | undefined, mode: 'nearest' | 'nearest-exact' | 'linear' | 'bilinear' | 'trilinear' | 'bicubic' | 'area' | undefined, alignCorners: boolean | null | undefined, options?: { readonly recomputeScaleFactor?: boolean | null | undefined; readonly antialias?: boolean | undefined }] | [size: SizeLike | readonly SizeLike[] | null | undefined, scaleFactor: number | readonly number[] | null | undefined, mode: 'nearest' | 'nearest-exact' | 'linear' | 'bilinear' | 'trilinear' | 'bicubic' | 'area' | undefined, options?: { readonly alignCorners?: boolean | null | undefined; readonly recomputeScaleFactor?: boolean | null | undefined; readonly antialias?: boolean | undefined }] | [size: SizeLike | readonly SizeLike[] | null | undefined, scaleFactor: number | readonly number[] | null | undefined, options?: { readonly mode?: 'nearest' | 'nearest-exact' | 'linear' | 'bilinear' | 'trilinear' | 'bicubic' | 'area' | undefined; readonly alignCorners?: boolean | null | undefined; readonly recomputeScaleFactor?: boolean | null | undefined; readonly antialias?: boolean | undefined }] | [size: SizeLike | readonly SizeLike[] | null | undefined, options?: { readonly scaleFactor?: number | readonly number[] | null | undefined; readonly mode?: 'nearest' | 'nearest-exact' | 'linear' | 'bilinear' | 'trilinear' | 'bicubic' | 'area' | undefined; readonly alignCorners?: boolean | null | undefined; readonly recomputeScaleFactor?: boolean | null | undefined; readonly antialias?: boolean | undefined }] | [options?: { readonly size?: SizeLike | readonly SizeLike[] | null | undefined; readonly scaleFactor?: number | readonly number[] | null | undefined; readonly mode?: 'nearest' | 'nearest-exact' | 'linear' | 'bilinear' | 'trilinear' | 'bicubic' | 'area' | undefined; readonly alignCorners?: boolean | null | undefined; readonly recomputeScaleFactor?: boolean | null | undefined; readonly antialias?: boolean | undefined }]): Tensor

  /**
   * [N, C, …] sampled at the points of a grid [N, …, 2 or 3], whose last dim holds x, y (and z) from −1 to 1: by mode 'bilinear', 'nearest' or 'bicubic'.
   *
   * Takes floats.
   *
   * @param grid a tensor: the positions, of the dtype of the input: x first, −1 and 1 at the edges
   * @param mode 'bilinear', 'nearest' or 'bicubic': how values between the elements are interpolated (default 'bilinear')
   * @param paddingMode 'zeros', 'border' or 'reflection': values outside of the image: 0, the element at the edge, or the mirrored image (default 'zeros')
   * @param alignCorners true or false: −1 and 1 are the corners' centres instead of their edges (default false)
   * @returns [N, C, …the spatial sizes of grid]; the dtype of input
   * @throws DtypeError for integers and bool
   */
  gridSample(grid: Tensor, mode?: 'bilinear' | 'nearest' | 'bicubic', paddingMode?: 'zeros' | 'border' | 'reflection', alignCorners?: boolean): Tensor
  gridSample(...args: [grid: Tensor, mode: 'bilinear' | 'nearest' | 'bicubic' | undefined, paddingMode: 'zeros' | 'border' | 'reflection' | undefined, options?: { readonly alignCorners?: boolean | undefined }] | [grid: Tensor, mode: 'bilinear' | 'nearest' | 'bicubic' | undefined, options?: { readonly paddingMode?: 'zeros' | 'border' | 'reflection' | undefined; readonly alignCorners?: boolean | undefined }] | [grid: Tensor, options?: { readonly mode?: 'bilinear' | 'nearest' | 'bicubic' | undefined; readonly paddingMode?: 'zeros' | 'border' | 'reflection' | undefined; readonly alignCorners?: boolean | undefined }] | [options: { readonly grid: Tensor; readonly mode?: 'bilinear' | 'nearest' | 'bicubic' | undefined; readonly paddingMode?: 'zeros' | 'border' | 'reflection' | undefined; readonly alignCorners?: boolean | undefined }]): Tensor

  /**
   * A copy of input in its own contiguous memory (row-major).
   *
   * Takes any dtype.
   *
   * @returns the shape of input; the dtype of input
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
   * As add, written into this tensor (cast to its dtype): input + alpha · other.
   *
   * Takes any dtype.
   *
   * @param other a tensor or a number: the other operand
   * @param alpha a tensor or a number: a factor on other; 1 unless given (optional)
   * @returns this tensor
   * @throws ShapeError when the shapes do not broadcast
   */
  add_(other: Operand, options?: { readonly alpha?: Operand | null | undefined }): this
  add_(...args: [options: { readonly other: Operand; readonly alpha?: Operand | null | undefined }]): this

  /**
   * As sub, written into this tensor (cast to its dtype): input − alpha · other.
   *
   * Takes any dtype but bool.
   *
   * @param other a tensor or a number: the other operand
   * @param alpha a tensor or a number: a factor on other; 1 unless given (optional)
   * @returns this tensor
   * @throws DtypeError for bool
   * @throws ShapeError when the shapes do not broadcast
   */
  sub_(other: Operand, options?: { readonly alpha?: Operand | null | undefined }): this
  sub_(...args: [options: { readonly other: Operand; readonly alpha?: Operand | null | undefined }]): this

  /** As `sub`: input − alpha · other. */
  subtract_: this['sub_']

  /**
   * As mul, written into this tensor (cast to its dtype): input · other.
   *
   * Takes any dtype.
   *
   * @param other a tensor or a number: the other operand
   * @returns this tensor
   * @throws ShapeError when the shapes do not broadcast
   */
  mul_(other: Operand): this
  mul_(...args: [options: { readonly other: Operand }]): this

  /** As `mul`: input · other. */
  multiply_: this['mul_']

  /**
   * As div, written into this tensor (cast to its dtype): input / other; roundingMode floor or trunc rounds the quotient and keeps integers.
   *
   * Takes any dtype.
   *
   * @param other a tensor or a number: what is divided by
   * @param roundingMode 'floor' or 'trunc': null: the quotient itself · 'floor': rounded down · 'trunc': rounded towards 0; the rounded ones keep integers (optional)
   * @returns this tensor
   * @throws ArgumentError when integers are divided by a plain 0, or by a tensor with zeros on a CPU outside of compile, with a roundingMode
   * @throws DtypeError for bool with a roundingMode
   * @throws ShapeError when the shapes do not broadcast
   */
  div_(other: Operand, options?: { readonly roundingMode?: 'floor' | 'trunc' | null | undefined }): this
  div_(...args: [options: { readonly other: Operand; readonly roundingMode?: 'floor' | 'trunc' | null | undefined }]): this

  /** As `div`: input / other; roundingMode floor or trunc rounds the quotient and keeps integers. */
  divide_: this['div_']

  /**
   * As trueDivide, written into this tensor (cast to its dtype): input / other, of integers in f32: div without rounding.
   *
   * Takes any dtype.
   *
   * @param other a tensor or a number: the other operand
   * @returns this tensor
   * @throws ShapeError when the shapes do not broadcast
   */
  trueDivide_(other: Operand): this
  trueDivide_(...args: [options: { readonly other: Operand }]): this

  /**
   * As floorDivide, written into this tensor (cast to its dtype): ⌊input / other⌋.
   *
   * Takes any dtype but bool.
   *
   * @param other a tensor or a number: the other operand
   * @returns this tensor
   * @throws ArgumentError when integers are divided by a plain 0, or by a tensor with zeros on a CPU outside of compile
   * @throws DtypeError for bool
   * @throws ShapeError when the shapes do not broadcast
   */
  floorDivide_(other: Operand): this
  floorDivide_(...args: [options: { readonly other: Operand }]): this

  /**
   * As remainder, written into this tensor (cast to its dtype): input − other · ⌊input / other⌋: the remainder, with the sign of other.
   *
   * Takes any dtype but bool.
   *
   * @param other a tensor or a number: the other operand
   * @returns this tensor
   * @throws ArgumentError when integers are divided by a plain 0, or by a tensor with zeros on a CPU outside of compile
   * @throws DtypeError for bool
   * @throws ShapeError when the shapes do not broadcast
   */
  remainder_(other: Operand): this
  remainder_(...args: [options: { readonly other: Operand }]): this

  /**
   * As fmod, written into this tensor (cast to its dtype): The remainder of input / other, with the sign of input.
   *
   * Takes any dtype but bool.
   *
   * @param other a tensor or a number: the other operand
   * @returns this tensor
   * @throws ArgumentError when integers are divided by a plain 0, or by a tensor with zeros on a CPU outside of compile
   * @throws DtypeError for bool
   * @throws ShapeError when the shapes do not broadcast
   */
  fmod_(other: Operand): this
  fmod_(...args: [options: { readonly other: Operand }]): this

  /**
   * As pow, written into this tensor (cast to its dtype): input to the power of exponent.
   *
   * Takes any dtype but bool.
   *
   * @param exponent a tensor or a number: the power; negative ones of integer tensors give 0, of 1 and −1 their powers
   * @returns this tensor
   * @throws ArgumentError when integers are raised to a negative plain number
   * @throws DtypeError for bool
   * @throws ShapeError when the shapes do not broadcast
   */
  pow_(exponent: Operand): this
  pow_(...args: [options: { readonly exponent: Operand }]): this

  /**
   * As neg, written into this tensor (cast to its dtype): −input.
   *
   * Takes any dtype but bool.
   *
   * @returns this tensor
   * @throws DtypeError for bool
   */
  neg_(): this

  /** As `neg`: −input. */
  negative_: this['neg_']

  /**
   * As abs, written into this tensor (cast to its dtype): |input|.
   *
   * Takes any dtype but bool.
   *
   * @returns this tensor
   * @throws DtypeError for bool
   */
  abs_(): this

  /** As `abs`: |input|. */
  absolute_: this['abs_']

  /**
   * As sign, written into this tensor (cast to its dtype): −1, 0 or 1 by the sign of input; NaN stays NaN.
   *
   * Takes any dtype.
   *
   * @returns this tensor
   */
  sign_(): this

  /** As `sign`: −1, 0 or 1 by the sign of input; NaN stays NaN. */
  sgn_: this['sign_']

  /**
   * As reciprocal, written into this tensor (cast to its dtype): 1 / input.
   *
   * Takes any dtype.
   *
   * @returns this tensor
   */
  reciprocal_(): this

  /**
   * As square, written into this tensor (cast to its dtype): input²; of bool as i64.
   *
   * Takes any dtype.
   *
   * @returns this tensor
   */
  square_(): this

  /**
   * As maximum, written into this tensor (cast to its dtype): The larger of the two; NaN if either is NaN.
   *
   * Takes any dtype.
   *
   * @param other a tensor or a number: the other operand
   * @returns this tensor
   * @throws ShapeError when the shapes do not broadcast
   */
  maximum_(other: Operand): this
  maximum_(...args: [options: { readonly other: Operand }]): this

  /**
   * As minimum, written into this tensor (cast to its dtype): The smaller of the two; NaN if either is NaN.
   *
   * Takes any dtype.
   *
   * @param other a tensor or a number: the other operand
   * @returns this tensor
   * @throws ShapeError when the shapes do not broadcast
   */
  minimum_(other: Operand): this
  minimum_(...args: [options: { readonly other: Operand }]): this

  /**
   * As clamp, written into this tensor (cast to its dtype): min(max(input, min), max); either limit may be missing.
   *
   * NaN stays NaN; where a limit is NaN the result is.
   * Takes any dtype but bool.
   *
   * @param min a tensor or a number: the lower limit (optional)
   * @param max a tensor or a number: the upper limit; it wins where it is below min (optional)
   * @returns this tensor
   * @throws ArgumentError when neither min nor max is given
   * @throws DtypeError for bool
   * @throws ShapeError when the shapes do not broadcast
   */
  clamp_(min?: Operand | null, max?: Operand | null): this
  clamp_(...args: [min: Operand | null | undefined, options?: { readonly max?: Operand | null | undefined }] | [options?: { readonly min?: Operand | null | undefined; readonly max?: Operand | null | undefined }]): this

  /** As `clamp`: min(max(input, min), max); either limit may be missing. */
  clip_: this['clamp_']

  /**
   * As eq, written into this tensor (cast to its dtype): input = other, as bool.
   *
   * Takes any dtype.
   *
   * @param other a tensor or a number: the other operand
   * @returns this tensor
   * @throws ShapeError when the shapes do not broadcast
   */
  eq_(other: Operand): this
  eq_(...args: [options: { readonly other: Operand }]): this

  /**
   * As ne, written into this tensor (cast to its dtype): input ≠ other, as bool.
   *
   * Takes any dtype.
   *
   * @param other a tensor or a number: the other operand
   * @returns this tensor
   * @throws ShapeError when the shapes do not broadcast
   */
  ne_(other: Operand): this
  ne_(...args: [options: { readonly other: Operand }]): this

  /** As `ne`: input ≠ other, as bool. */
  notEqual_: this['ne_']

  /**
   * As lt, written into this tensor (cast to its dtype): input < other, as bool.
   *
   * Takes any dtype.
   *
   * @param other a tensor or a number: the other operand
   * @returns this tensor
   * @throws ShapeError when the shapes do not broadcast
   */
  lt_(other: Operand): this
  lt_(...args: [options: { readonly other: Operand }]): this

  /** As `lt`: input < other, as bool. */
  less_: this['lt_']

  /**
   * As le, written into this tensor (cast to its dtype): input ≤ other, as bool.
   *
   * Takes any dtype.
   *
   * @param other a tensor or a number: the other operand
   * @returns this tensor
   * @throws ShapeError when the shapes do not broadcast
   */
  le_(other: Operand): this
  le_(...args: [options: { readonly other: Operand }]): this

  /** As `le`: input ≤ other, as bool. */
  lessEqual_: this['le_']

  /**
   * As gt, written into this tensor (cast to its dtype): input > other, as bool.
   *
   * Takes any dtype.
   *
   * @param other a tensor or a number: the other operand
   * @returns this tensor
   * @throws ShapeError when the shapes do not broadcast
   */
  gt_(other: Operand): this
  gt_(...args: [options: { readonly other: Operand }]): this

  /** As `gt`: input > other, as bool. */
  greater_: this['gt_']

  /**
   * As ge, written into this tensor (cast to its dtype): input ≥ other, as bool.
   *
   * Takes any dtype.
   *
   * @param other a tensor or a number: the other operand
   * @returns this tensor
   * @throws ShapeError when the shapes do not broadcast
   */
  ge_(other: Operand): this
  ge_(...args: [options: { readonly other: Operand }]): this

  /** As `ge`: input ≥ other, as bool. */
  greaterEqual_: this['ge_']

  /**
   * As logicalAnd, written into this tensor (cast to its dtype): input and other on truth values (anything but 0 is true).
   *
   * Takes any dtype.
   *
   * @param other a tensor or a number: the other operand
   * @returns this tensor
   * @throws ShapeError when the shapes do not broadcast
   */
  logicalAnd_(other: Operand): this
  logicalAnd_(...args: [options: { readonly other: Operand }]): this

  /**
   * As logicalOr, written into this tensor (cast to its dtype): input or other on truth values (anything but 0 is true).
   *
   * Takes any dtype.
   *
   * @param other a tensor or a number: the other operand
   * @returns this tensor
   * @throws ShapeError when the shapes do not broadcast
   */
  logicalOr_(other: Operand): this
  logicalOr_(...args: [options: { readonly other: Operand }]): this

  /**
   * As logicalXor, written into this tensor (cast to its dtype): input exclusive or other on truth values (anything but 0 is true).
   *
   * Takes any dtype.
   *
   * @param other a tensor or a number: the other operand
   * @returns this tensor
   * @throws ShapeError when the shapes do not broadcast
   */
  logicalXor_(other: Operand): this
  logicalXor_(...args: [options: { readonly other: Operand }]): this

  /**
   * As logicalNot, written into this tensor (cast to its dtype): True where input is 0.
   *
   * Takes any dtype.
   *
   * @returns this tensor
   */
  logicalNot_(): this

  /**
   * As bitwiseAnd, written into this tensor (cast to its dtype): input and other, bit by bit; on bool, logically.
   *
   * Takes integers and bool.
   *
   * @param other a tensor or a number: the other operand
   * @returns this tensor
   * @throws DtypeError for floats
   * @throws ShapeError when the shapes do not broadcast
   */
  bitwiseAnd_(other: Operand): this
  bitwiseAnd_(...args: [options: { readonly other: Operand }]): this

  /**
   * As bitwiseOr, written into this tensor (cast to its dtype): input or other, bit by bit; on bool, logically.
   *
   * Takes integers and bool.
   *
   * @param other a tensor or a number: the other operand
   * @returns this tensor
   * @throws DtypeError for floats
   * @throws ShapeError when the shapes do not broadcast
   */
  bitwiseOr_(other: Operand): this
  bitwiseOr_(...args: [options: { readonly other: Operand }]): this

  /**
   * As bitwiseXor, written into this tensor (cast to its dtype): input exclusive or other, bit by bit; on bool, logically.
   *
   * Takes integers and bool.
   *
   * @param other a tensor or a number: the other operand
   * @returns this tensor
   * @throws DtypeError for floats
   * @throws ShapeError when the shapes do not broadcast
   */
  bitwiseXor_(other: Operand): this
  bitwiseXor_(...args: [options: { readonly other: Operand }]): this

  /**
   * As bitwiseNot, written into this tensor (cast to its dtype): Every bit of input inverted; on bool, logical not.
   *
   * Takes integers and bool.
   *
   * @returns this tensor
   * @throws DtypeError for floats
   */
  bitwiseNot_(): this

  /**
   * As bitwiseLeftShift, written into this tensor (cast to its dtype): input · 2^other; bits shifted out are lost.
   *
   * Takes integers.
   *
   * @param other a tensor or a number: the other operand
   * @returns this tensor
   * @throws DtypeError for floats and bool
   * @throws ShapeError when the shapes do not broadcast
   */
  bitwiseLeftShift_(other: Operand): this
  bitwiseLeftShift_(...args: [options: { readonly other: Operand }]): this

  /**
   * As bitwiseRightShift, written into this tensor (cast to its dtype): ⌊input / 2^other⌋.
   *
   * Takes integers.
   *
   * @param other a tensor or a number: the other operand
   * @returns this tensor
   * @throws DtypeError for floats and bool
   * @throws ShapeError when the shapes do not broadcast
   */
  bitwiseRightShift_(other: Operand): this
  bitwiseRightShift_(...args: [options: { readonly other: Operand }]): this

  /**
   * As isnan, written into this tensor (cast to its dtype): True where input is NaN.
   *
   * Takes any dtype.
   *
   * @returns this tensor
   */
  isnan_(): this

  /**
   * As isinf, written into this tensor (cast to its dtype): True where input is infinite.
   *
   * Takes any dtype.
   *
   * @returns this tensor
   */
  isinf_(): this

  /**
   * As isfinite, written into this tensor (cast to its dtype): True where input is neither infinite nor NaN.
   *
   * Takes any dtype.
   *
   * @returns this tensor
   */
  isfinite_(): this

  /**
   * As sqrt, written into this tensor (cast to its dtype): √input.
   *
   * Takes any dtype.
   *
   * @returns this tensor
   */
  sqrt_(): this

  /**
   * As rsqrt, written into this tensor (cast to its dtype): 1 / √input.
   *
   * Takes any dtype.
   *
   * @returns this tensor
   */
  rsqrt_(): this

  /**
   * As exp, written into this tensor (cast to its dtype): e^input.
   *
   * Takes any dtype.
   *
   * @returns this tensor
   */
  exp_(): this

  /**
   * As exp2, written into this tensor (cast to its dtype): 2^input.
   *
   * Takes any dtype.
   *
   * @returns this tensor
   */
  exp2_(): this

  /**
   * As expm1, written into this tensor (cast to its dtype): e^input − 1, exact near 0.
   *
   * Takes any dtype.
   *
   * @returns this tensor
   */
  expm1_(): this

  /**
   * As log, written into this tensor (cast to its dtype): The natural logarithm of input.
   *
   * Takes any dtype.
   *
   * @returns this tensor
   */
  log_(): this

  /**
   * As log2, written into this tensor (cast to its dtype): The logarithm of input to base 2.
   *
   * Takes any dtype.
   *
   * @returns this tensor
   */
  log2_(): this

  /**
   * As log10, written into this tensor (cast to its dtype): The logarithm of input to base 10.
   *
   * Takes any dtype.
   *
   * @returns this tensor
   */
  log10_(): this

  /**
   * As log1p, written into this tensor (cast to its dtype): ln(1 + input), exact near 0.
   *
   * Takes any dtype.
   *
   * @returns this tensor
   */
  log1p_(): this

  /**
   * As sin, written into this tensor (cast to its dtype): The sine of input (radians).
   *
   * Takes any dtype.
   *
   * @returns this tensor
   */
  sin_(): this

  /**
   * As cos, written into this tensor (cast to its dtype): The cosine of input (radians).
   *
   * Takes any dtype.
   *
   * @returns this tensor
   */
  cos_(): this

  /**
   * As tan, written into this tensor (cast to its dtype): The tangent of input (radians).
   *
   * Takes any dtype.
   *
   * @returns this tensor
   */
  tan_(): this

  /**
   * As asin, written into this tensor (cast to its dtype): The angle in [−π/2, π/2] whose sine is input.
   *
   * Takes any dtype.
   *
   * @returns this tensor
   */
  asin_(): this

  /** As `asin`: The angle in [−π/2, π/2] whose sine is input. */
  arcsin_: this['asin_']

  /**
   * As acos, written into this tensor (cast to its dtype): The angle in [0, π] whose cosine is input.
   *
   * Takes any dtype.
   *
   * @returns this tensor
   */
  acos_(): this

  /** As `acos`: The angle in [0, π] whose cosine is input. */
  arccos_: this['acos_']

  /**
   * As atan, written into this tensor (cast to its dtype): The angle in (−π/2, π/2) whose tangent is input.
   *
   * Takes any dtype.
   *
   * @returns this tensor
   */
  atan_(): this

  /** As `atan`: The angle in (−π/2, π/2) whose tangent is input. */
  arctan_: this['atan_']

  /**
   * As atan2, written into this tensor (cast to its dtype): The angle of the point (other, input), in [−π, π].
   *
   * Takes any dtype.
   *
   * @param other a tensor or a number: the other operand
   * @returns this tensor
   * @throws ShapeError when the shapes do not broadcast
   */
  atan2_(other: Operand): this
  atan2_(...args: [options: { readonly other: Operand }]): this

  /** As `atan2`: The angle of the point (other, input), in [−π, π]. */
  arctan2_: this['atan2_']

  /**
   * As sinh, written into this tensor (cast to its dtype): The hyperbolic sine of input.
   *
   * Takes any dtype.
   *
   * @returns this tensor
   */
  sinh_(): this

  /**
   * As cosh, written into this tensor (cast to its dtype): The hyperbolic cosine of input.
   *
   * Takes any dtype.
   *
   * @returns this tensor
   */
  cosh_(): this

  /**
   * As tanh, written into this tensor (cast to its dtype): The hyperbolic tangent of input.
   *
   * Takes any dtype.
   *
   * @returns this tensor
   */
  tanh_(): this

  /**
   * As asinh, written into this tensor (cast to its dtype): The inverse of sinh.
   *
   * Takes any dtype.
   *
   * @returns this tensor
   */
  asinh_(): this

  /** As `asinh`: The inverse of sinh. */
  arcsinh_: this['asinh_']

  /**
   * As acosh, written into this tensor (cast to its dtype): The inverse of cosh, at least 0.
   *
   * Takes any dtype.
   *
   * @returns this tensor
   */
  acosh_(): this

  /** As `acosh`: The inverse of cosh, at least 0. */
  arccosh_: this['acosh_']

  /**
   * As atanh, written into this tensor (cast to its dtype): The inverse of tanh.
   *
   * Takes any dtype.
   *
   * @returns this tensor
   */
  atanh_(): this

  /** As `atanh`: The inverse of tanh. */
  arctanh_: this['atanh_']

  /**
   * As erf, written into this tensor (cast to its dtype): The error function 2/√π · ∫₀^input e^(−t²) dt.
   *
   * Takes any dtype.
   *
   * @returns this tensor
   */
  erf_(): this

  /**
   * As erfc, written into this tensor (cast to its dtype): 1 − erf(input), exact where erf is near 1.
   *
   * Takes any dtype.
   *
   * @returns this tensor
   */
  erfc_(): this

  /**
   * As floor, written into this tensor (cast to its dtype): The largest integer not above input.
   *
   * Takes any dtype but bool.
   *
   * @returns this tensor
   * @throws DtypeError for bool
   */
  floor_(): this

  /**
   * As ceil, written into this tensor (cast to its dtype): The smallest integer not below input.
   *
   * Takes any dtype but bool.
   *
   * @returns this tensor
   * @throws DtypeError for bool
   */
  ceil_(): this

  /**
   * As trunc, written into this tensor (cast to its dtype): input without its fraction.
   *
   * Takes any dtype but bool.
   *
   * @returns this tensor
   * @throws DtypeError for bool
   */
  trunc_(): this

  /** As `trunc`: input without its fraction. */
  fix_: this['trunc_']

  /**
   * As round, written into this tensor (cast to its dtype): input rounded to an integer, or to the given number of decimals; halves are rounded to even.
   *
   * Takes any dtype but bool.
   *
   * @param decimals an integer: how many decimals stay; negative: to tens, hundreds, … (default 0)
   * @returns this tensor
   * @throws DtypeError for bool, or for integers with decimals other than 0
   */
  round_(options?: { readonly decimals?: number | undefined }): this

  /**
   * As lerp, written into this tensor (cast to its dtype): input + weight · (end − input).
   *
   * Takes any dtype.
   *
   * @param end a tensor: what weight 1 gives
   * @param weight a tensor or a number: the share of end
   * @returns this tensor
   * @throws ShapeError when the shapes do not broadcast
   */
  lerp_(end: Tensor, weight: Operand): this
  lerp_(...args: [end: Tensor, options: { readonly weight: Operand }] | [options: { readonly end: Tensor; readonly weight: Operand }]): this

  /**
   * As sigmoid, written into this tensor (cast to its dtype): 1 / (1 + e^−input).
   *
   * Takes any dtype.
   *
   * @returns this tensor
   */
  sigmoid_(): this

  /**
   * As signbit, written into this tensor (cast to its dtype): True where input is negative; of floats the sign bit, which −0 has too.
   *
   * Takes any dtype.
   *
   * @returns this tensor
   */
  signbit_(): this

  /**
   * As copysign, written into this tensor (cast to its dtype): |input| with the sign of other.
   *
   * Takes any dtype.
   *
   * @param other a tensor or a number: the other operand
   * @returns this tensor
   * @throws ShapeError when the shapes do not broadcast
   */
  copysign_(other: Operand): this
  copysign_(...args: [options: { readonly other: Operand }]): this

  /**
   * As hypot, written into this tensor (cast to its dtype): √(input² + other²) without overflow; infinite if either is.
   *
   * Takes any dtype.
   *
   * @param other a tensor or a number: the other operand
   * @returns this tensor
   * @throws ShapeError when the shapes do not broadcast
   */
  hypot_(other: Operand): this
  hypot_(...args: [options: { readonly other: Operand }]): this

  /**
   * As xlogy, written into this tensor (cast to its dtype): input · ln(other); 0 where input is 0, unless other is NaN.
   *
   * Takes any dtype.
   *
   * @param other a tensor or a number: the other operand
   * @returns this tensor
   * @throws ShapeError when the shapes do not broadcast
   */
  xlogy_(other: Operand): this
  xlogy_(...args: [options: { readonly other: Operand }]): this

  /**
   * As logaddexp, written into this tensor (cast to its dtype): ln(e^input + e^other), without overflow.
   *
   * Takes any dtype.
   *
   * @param other a tensor or a number: the other operand
   * @returns this tensor
   * @throws ShapeError when the shapes do not broadcast
   */
  logaddexp_(other: Operand): this
  logaddexp_(...args: [options: { readonly other: Operand }]): this

  /**
   * As frac, written into this tensor (cast to its dtype): input − trunc(input).
   *
   * Takes any dtype.
   *
   * @returns this tensor
   */
  frac_(): this

  /**
   * As isposinf, written into this tensor (cast to its dtype): True where input is +∞.
   *
   * Takes any dtype.
   *
   * @returns this tensor
   */
  isposinf_(): this

  /**
   * As isneginf, written into this tensor (cast to its dtype): True where input is −∞.
   *
   * Takes any dtype.
   *
   * @returns this tensor
   */
  isneginf_(): this

  /**
   * As deg2rad, written into this tensor (cast to its dtype): input · π / 180.
   *
   * Takes any dtype.
   *
   * @returns this tensor
   */
  deg2rad_(): this

  /**
   * As rad2deg, written into this tensor (cast to its dtype): input · 180 / π.
   *
   * Takes any dtype.
   *
   * @returns this tensor
   */
  rad2deg_(): this

  /**
   * As addcmul, written into this tensor (cast to its dtype): input + value · tensor1 · tensor2.
   *
   * Takes any dtype but bool.
   *
   * @param tensor1 a tensor: one factor
   * @param tensor2 a tensor: the other factor
   * @param value a tensor or a number: a factor on the product; 1 unless given (optional)
   * @returns this tensor
   * @throws DtypeError for bool
   * @throws ShapeError when the shapes do not broadcast
   */
  addcmul_(tensor1: Tensor, tensor2: Tensor, options?: { readonly value?: Operand | null | undefined }): this
  addcmul_(...args: [tensor1: Tensor, options: { readonly tensor2: Tensor; readonly value?: Operand | null | undefined }] | [options: { readonly tensor1: Tensor; readonly tensor2: Tensor; readonly value?: Operand | null | undefined }]): this

  /**
   * As addcdiv, written into this tensor (cast to its dtype): input + value · tensor1 / tensor2.
   *
   * Takes any dtype.
   *
   * @param tensor1 a tensor: what is divided
   * @param tensor2 a tensor: the divisor
   * @param value a tensor or a number: a factor on the quotient; 1 unless given (optional)
   * @returns this tensor
   * @throws ShapeError when the shapes do not broadcast
   */
  addcdiv_(tensor1: Tensor, tensor2: Tensor, options?: { readonly value?: Operand | null | undefined }): this
  addcdiv_(...args: [tensor1: Tensor, options: { readonly tensor2: Tensor; readonly value?: Operand | null | undefined }] | [options: { readonly tensor1: Tensor; readonly tensor2: Tensor; readonly value?: Operand | null | undefined }]): this

  /**
   * As isclose, written into this tensor (cast to its dtype): |input − other| ≤ atol + rtol · |other|, as bool; equal infinities are close, NaNs with equalNan.
   *
   * Takes any dtype.
   *
   * @param other a tensor or a number: the other operand
   * @param rtol a number: the relative tolerance: a factor on |other| (default 1e-5)
   * @param atol a number: the absolute tolerance (default 1e-8)
   * @param equalNan true or false: NaN is close to NaN (default false)
   * @returns this tensor
   * @throws ArgumentError when rtol or atol is negative
   * @throws ShapeError when the shapes do not broadcast
   */
  isclose_(other: Operand, rtol?: number, atol?: number, equalNan?: boolean): this
  isclose_(...args: [other: Operand, rtol: number | undefined, atol: number | undefined, options?: { readonly equalNan?: boolean | undefined }] | [other: Operand, rtol: number | undefined, options?: { readonly atol?: number | undefined; readonly equalNan?: boolean | undefined }] | [other: Operand, options?: { readonly rtol?: number | undefined; readonly atol?: number | undefined; readonly equalNan?: boolean | undefined }] | [options: { readonly other: Operand; readonly rtol?: number | undefined; readonly atol?: number | undefined; readonly equalNan?: boolean | undefined }]): this

  /**
   * As nanToNum, written into this tensor (cast to its dtype): input with NaN replaced by nan (0), ∞ by posinf and −∞ by neginf (the largest and smallest numbers).
   *
   * Integers and bool stay as they are.
   * Takes any dtype.
   *
   * @param nan a number: what replaces NaN (default 0)
   * @param posinf a number: what replaces ∞; by default the largest number of the dtype (optional)
   * @param neginf a number: what replaces −∞; by default the smallest number of the dtype (optional)
   * @returns this tensor
   */
  nanToNum_(nan?: number, posinf?: number | null, neginf?: number | null): this
  nanToNum_(...args: [nan: number | undefined, posinf: number | null | undefined, options?: { readonly neginf?: number | null | undefined }] | [nan: number | undefined, options?: { readonly posinf?: number | null | undefined; readonly neginf?: number | null | undefined }] | [options?: { readonly nan?: number | undefined; readonly posinf?: number | null | undefined; readonly neginf?: number | null | undefined }]): this

  /**
   * As lgamma, written into this tensor (cast to its dtype): ln |Γ(input)|.
   *
   * Takes any dtype.
   *
   * @returns this tensor
   */
  lgamma_(): this

  /**
   * As digamma, written into this tensor (cast to its dtype): The derivative of ln Γ(input); NaN at negative integers, ∓∞ at ±0.
   *
   * Takes any dtype.
   *
   * @returns this tensor
   */
  digamma_(): this

  /**
   * As erfinv, written into this tensor (cast to its dtype): The number in (−∞, ∞) whose erf is input; NaN beyond ±1.
   *
   * Takes any dtype.
   *
   * @returns this tensor
   */
  erfinv_(): this

  /**
   * As logit, written into this tensor (cast to its dtype): ln(input / (1 − input)); with eps, input is first clamped to [eps, 1 − eps].
   *
   * Takes any dtype.
   *
   * @param eps a number: input is moved into [eps, 1 − eps] first; without it ±∞ at 0 and 1, NaN beyond (optional)
   * @returns this tensor
   */
  logit_(eps?: number | null): this
  logit_(...args: [options?: { readonly eps?: number | null | undefined }]): this

  /**
   * As sinc, written into this tensor (cast to its dtype): sin(π · input) / (π · input); 1 at 0.
   *
   * Takes any dtype.
   *
   * @returns this tensor
   */
  sinc_(): this

  /**
   * As entr, written into this tensor (cast to its dtype): −input · ln(input); 0 at 0, −∞ below.
   *
   * Takes any dtype.
   *
   * @returns this tensor
   */
  entr_(): this

  /**
   * As xlog1py, written into this tensor (cast to its dtype): input · ln(1 + other); 0 where input is 0, unless other is NaN.
   *
   * Takes any dtype.
   *
   * @param other a tensor or a number: the other operand
   * @returns this tensor
   * @throws ShapeError when the shapes do not broadcast
   */
  xlog1py_(other: Operand): this
  xlog1py_(...args: [options: { readonly other: Operand }]): this

  /**
   * As logaddexp2, written into this tensor (cast to its dtype): log₂(2^input + 2^other), without overflow.
   *
   * Takes any dtype.
   *
   * @param other a tensor or a number: the other operand
   * @returns this tensor
   * @throws ShapeError when the shapes do not broadcast
   */
  logaddexp2_(other: Operand): this
  logaddexp2_(...args: [options: { readonly other: Operand }]): this

  /**
   * As ldexp, written into this tensor (cast to its dtype): input · 2^other.
   *
   * Takes any dtype.
   *
   * @param other a tensor or a number: the other operand
   * @returns this tensor
   * @throws ShapeError when the shapes do not broadcast
   */
  ldexp_(other: Operand): this
  ldexp_(...args: [options: { readonly other: Operand }]): this

  /**
   * As heaviside, written into this tensor (cast to its dtype): 0 where input is negative or NaN, 1 where it is positive, other where it is 0.
   *
   * Takes any dtype.
   *
   * @param other a tensor or a number: the other operand
   * @returns this tensor
   * @throws ShapeError when the shapes do not broadcast
   */
  heaviside_(other: Operand): this
  heaviside_(...args: [options: { readonly other: Operand }]): this

  /**
   * As fmax, written into this tensor (cast to its dtype): The larger of the two; where one is NaN, the one that is not.
   *
   * Takes any dtype.
   *
   * @param other a tensor or a number: the other operand
   * @returns this tensor
   * @throws ShapeError when the shapes do not broadcast
   */
  fmax_(other: Operand): this
  fmax_(...args: [options: { readonly other: Operand }]): this

  /**
   * As fmin, written into this tensor (cast to its dtype): The smaller of the two; where one is NaN, the one that is not.
   *
   * Takes any dtype.
   *
   * @param other a tensor or a number: the other operand
   * @returns this tensor
   * @throws ShapeError when the shapes do not broadcast
   */
  fmin_(other: Operand): this
  fmin_(...args: [options: { readonly other: Operand }]): this

  /**
   * As floatPower, written into this tensor (cast to its dtype): input to the power of exponent, both as f64.
   *
   * Takes any dtype.
   *
   * @param exponent a tensor or a number: the power
   * @returns this tensor
   * @throws ShapeError when the shapes do not broadcast
   */
  floatPower_(exponent: Operand): this
  floatPower_(...args: [options: { readonly exponent: Operand }]): this

  /**
   * As gcd, written into this tensor (cast to its dtype): The greatest common divisor, at least 0; gcd(0, 0) is 0.
   *
   * Takes integers.
   *
   * @param other a tensor or a number: the other operand
   * @returns this tensor
   * @throws DtypeError for floats and bool
   * @throws ShapeError when the shapes do not broadcast
   */
  gcd_(other: Operand): this
  gcd_(...args: [options: { readonly other: Operand }]): this

  /**
   * As lcm, written into this tensor (cast to its dtype): The least common multiple, at least 0; 0 if either is 0.
   *
   * Takes integers.
   *
   * @param other a tensor or a number: the other operand
   * @returns this tensor
   * @throws DtypeError for floats and bool
   * @throws ShapeError when the shapes do not broadcast
   */
  lcm_(other: Operand): this
  lcm_(...args: [options: { readonly other: Operand }]): this

  /**
   * As prelu, written into this tensor (cast to its dtype): input where positive, weight · input elsewhere: one weight, or a vector of one per channel (dim 1); others broadcast.
   *
   * Takes any dtype.
   *
   * @param weight a tensor: one element, or [C] for the channels (dim 1); other shapes broadcast
   * @returns this tensor
   */
  prelu_(weight: Tensor): this
  prelu_(...args: [options: { readonly weight: Tensor }]): this

  /**
   * As threshold, written into this tensor (cast to its dtype): input where it is greater than threshold, value elsewhere; NaN stays NaN.
   *
   * Takes any dtype but bool.
   *
   * @param threshold a number: what input must exceed
   * @param value a number: the result elsewhere
   * @returns this tensor
   * @throws DtypeError for bool
   */
  threshold_(threshold: number, value: number): this
  threshold_(...args: [threshold: number, options: { readonly value: number }] | [options: { readonly threshold: number; readonly value: number }]): this

  /**
   * As hardshrink, written into this tensor (cast to its dtype): input where |input| > lambd, 0 elsewhere.
   *
   * Takes any dtype.
   *
   * @param lambd a number: how far from 0 input must be (default 0.5)
   * @returns this tensor
   */
  hardshrink_(lambd?: number): this
  hardshrink_(...args: [options?: { readonly lambd?: number | undefined }]): this

  /**
   * As softshrink, written into this tensor (cast to its dtype): input shifted by lambd towards 0, and 0 where |input| ≤ lambd.
   *
   * Takes any dtype.
   *
   * @param lambd a number: how far from 0 input must be (default 0.5)
   * @returns this tensor
   */
  softshrink_(lambd?: number): this
  softshrink_(...args: [options?: { readonly lambd?: number | undefined }]): this

  /**
   * As tanhshrink, written into this tensor (cast to its dtype): input − tanh(input).
   *
   * Takes any dtype.
   *
   * @returns this tensor
   */
  tanhshrink_(): this

  /**
   * As relu, written into this tensor (cast to its dtype): max(input, 0).
   *
   * Takes any dtype but bool.
   *
   * @returns this tensor
   * @throws DtypeError for bool
   */
  relu_(): this

  /**
   * As relu6, written into this tensor (cast to its dtype): min(max(input, 0), 6).
   *
   * Takes any dtype but bool.
   *
   * @returns this tensor
   * @throws DtypeError for bool
   */
  relu6_(): this

  /**
   * As logSigmoid, written into this tensor (cast to its dtype): ln(1 / (1 + e^−input)).
   *
   * Takes any dtype.
   *
   * @returns this tensor
   */
  logSigmoid_(): this

  /** As `logSigmoid`: ln(1 / (1 + e^−input)). */
  logsigmoid_: this['logSigmoid_']

  /**
   * As gelu, written into this tensor (cast to its dtype): input · Φ(input), Φ the normal distribution function; approximate: tanh for the formula of the GELU paper.
   *
   * Hendrycks and Gimpel, arXiv:1606.08415.
   * Takes any dtype.
   *
   * @param approximate 'none' or 'tanh': 'tanh' for x / 2 · (1 + tanh(√(2/π) · (x + 0.044715 x³))), the formula of the GELU paper (default 'none')
   * @returns this tensor
   */
  gelu_(options?: { readonly approximate?: 'none' | 'tanh' | undefined }): this

  /**
   * As silu, written into this tensor (cast to its dtype): input · sigmoid(input).
   *
   * Takes any dtype.
   *
   * @returns this tensor
   */
  silu_(): this

  /**
   * As mish, written into this tensor (cast to its dtype): input · tanh(softplus(input)).
   *
   * Takes any dtype.
   *
   * @returns this tensor
   */
  mish_(): this

  /**
   * As softplus, written into this tensor (cast to its dtype): ln(1 + e^(beta · input)) / beta; input itself where beta · input > threshold.
   *
   * Takes any dtype.
   *
   * @param beta a number: how sharp the bend is (default 1)
   * @param threshold a number: where the result is input itself, which it is but for rounding (default 20)
   * @returns this tensor
   */
  softplus_(beta?: number, threshold?: number): this
  softplus_(...args: [beta: number | undefined, options?: { readonly threshold?: number | undefined }] | [options?: { readonly beta?: number | undefined; readonly threshold?: number | undefined }]): this

  /**
   * As leakyRelu, written into this tensor (cast to its dtype): input where positive, negativeSlope · input elsewhere.
   *
   * Takes any dtype.
   *
   * @param negativeSlope a number: the factor of what is negative (default 0.01)
   * @returns this tensor
   */
  leakyRelu_(negativeSlope?: number): this
  leakyRelu_(...args: [options?: { readonly negativeSlope?: number | undefined }]): this

  /**
   * As elu, written into this tensor (cast to its dtype): input where positive, alpha · (e^input − 1) elsewhere.
   *
   * Takes any dtype.
   *
   * @param alpha a number: how far below 0 it goes (default 1)
   * @returns this tensor
   */
  elu_(alpha?: number): this
  elu_(...args: [options?: { readonly alpha?: number | undefined }]): this

  /**
   * As selu, written into this tensor (cast to its dtype): 1.0507 · elu(input, alpha 1.6733).
   *
   * Takes any dtype.
   *
   * @returns this tensor
   */
  selu_(): this

  /**
   * As celu, written into this tensor (cast to its dtype): max(0, input) + min(0, alpha · (e^(input/alpha) − 1)).
   *
   * Takes any dtype.
   *
   * @param alpha a number: how far below 0 it goes (default 1)
   * @returns this tensor
   */
  celu_(alpha?: number): this
  celu_(...args: [options?: { readonly alpha?: number | undefined }]): this

  /**
   * As hardtanh, written into this tensor (cast to its dtype): input clamped to [minVal, maxVal].
   *
   * Takes any dtype but bool.
   *
   * @param minVal a number: the lower limit (default -1)
   * @param maxVal a number: the upper limit (default 1)
   * @returns this tensor
   * @throws ArgumentError when minVal is greater than maxVal
   * @throws DtypeError for bool, or for u8 with a negative minVal
   */
  hardtanh_(minVal?: number, maxVal?: number): this
  hardtanh_(...args: [minVal: number | undefined, options?: { readonly maxVal?: number | undefined }] | [options?: { readonly minVal?: number | undefined; readonly maxVal?: number | undefined }]): this

  /**
   * As hardsigmoid, written into this tensor (cast to its dtype): min(max(input + 3, 0), 6) / 6.
   *
   * Takes any dtype.
   *
   * @returns this tensor
   */
  hardsigmoid_(): this

  /**
   * As hardswish, written into this tensor (cast to its dtype): input · min(max(input + 3, 0), 6) / 6.
   *
   * Takes any dtype.
   *
   * @returns this tensor
   */
  hardswish_(): this

  /**
   * As softsign, written into this tensor (cast to its dtype): input / (1 + |input|).
   *
   * Takes any dtype.
   *
   * @returns this tensor
   */
  softsign_(): this

  /**
   * As maskedFill, written into this tensor (cast to its dtype): value where mask (bool) is true, input elsewhere; keeps the dtype of input.
   *
   * Takes any dtype.
   *
   * @param mask a tensor: bool, broadcasts with input
   * @param value a tensor or a number: a number or a 0-d tensor, cast to the dtype of input
   * @returns this tensor
   * @throws DtypeError when mask is not bool
   * @throws ShapeError when input and mask do not broadcast, or value has more than one element
   */
  maskedFill_(mask: Tensor, value: Operand): this
  maskedFill_(...args: [mask: Tensor, options: { readonly value: Operand }] | [options: { readonly mask: Tensor; readonly value: Operand }]): this

  /**
   * As clampMin, written into this tensor (cast to its dtype): max(input, min): clamp with a lower limit only.
   *
   * Takes any dtype but bool.
   *
   * @param min a tensor or a number: the lower limit
   * @returns this tensor
   * @throws DtypeError for bool
   * @throws ShapeError when the shapes do not broadcast
   */
  clampMin_(min: Operand): this
  clampMin_(...args: [options: { readonly min: Operand }]): this

  /**
   * As clampMax, written into this tensor (cast to its dtype): min(input, max): clamp with an upper limit only.
   *
   * Takes any dtype but bool.
   *
   * @param max a tensor or a number: the upper limit
   * @returns this tensor
   * @throws DtypeError for bool
   * @throws ShapeError when the shapes do not broadcast
   */
  clampMax_(max: Operand): this
  clampMax_(...args: [options: { readonly max: Operand }]): this

  /**
   * As indexPut, written into this tensor (cast to its dtype): input with values at the positions that one index tensor per dim names, from the first dim on: x[i, j] = values.
   *
   * An index out of range is an error on a CPU outside of compile, elsewhere it writes nothing. A mask is read, so a compiled function breaks there: maskedFill and maskedScatter take masks.
   * Takes any dtype.
   *
   * @param indices a list of tensors: integers that broadcast to one shape, negative ones count from the end; or one bool mask
   * @param values a tensor or a number: of the dtype of input, or a number; broadcasts to the shape of the indices and the dims that have none
   * @param accumulate true or false: values are added to what is there, where a position is named twice, all of them (default false)
   * @returns this tensor
   * @throws ArgumentError when there are no indices
   * @throws DtypeError when an index is no integer, or values have another dtype
   * @throws ShapeError when there are more indices than dims, or shapes do not broadcast
   */
  indexPut_(indices: readonly Tensor[], values: Operand, accumulate?: boolean): this
  indexPut_(...args: [indices: readonly Tensor[], values: Operand, options?: { readonly accumulate?: boolean | undefined }] | [indices: readonly Tensor[], options: { readonly values: Operand; readonly accumulate?: boolean | undefined }] | [options: { readonly indices: readonly Tensor[]; readonly values: Operand; readonly accumulate?: boolean | undefined }]): this

  /**
   * As scatter, written into this tensor (cast to its dtype): input with src (a tensor or number) written at index[…] along a dim; reduce 'add' or 'multiply' folds it in. Where several elements are written to one position the last one stays, on every device.
   *
   * For dim 0 and 3-D tensors result[index[i][j][k]][j][k] = src[i][j][k]. An index out of range is an error on a CPU outside of compile, elsewhere it writes nothing.
   * Takes any dtype.
   *
   * @param dim an integer: the dim; negative ones count from the end
   * @param index a tensor: where along dim: integers, of as many dims as input, no larger than it in the other dims
   * @param src a tensor or a number: what is written: a number, or a tensor of the dtype of input at least as large as index
   * @param reduce 'add' or 'multiply': 'add' or 'multiply' folds it into what is there; by default it is written (optional)
   * @returns this tensor
   * @throws DtypeError when index is no integer, or src has another dtype than input
   * @throws ShapeError when a dim is out of range, or when index has a different number of dims than input or src, or reaches beyond either
   */
  scatter_(dim: number, index: Tensor, src: Operand, options?: { readonly reduce?: 'add' | 'multiply' | null | undefined }): this
  scatter_(...args: [dim: number, index: Tensor, options: { readonly src: Operand; readonly reduce?: 'add' | 'multiply' | null | undefined }] | [dim: number, options: { readonly index: Tensor; readonly src: Operand; readonly reduce?: 'add' | 'multiply' | null | undefined }] | [options: { readonly dim: number; readonly index: Tensor; readonly src: Operand; readonly reduce?: 'add' | 'multiply' | null | undefined }]): this

  /**
   * As scatterAdd, written into this tensor (cast to its dtype): input with src added at index[…] along a dim.
   *
   * Elements are added in order; on a GPU floats in any order, unless compiled with deterministic: true. An index out of range is an error on a CPU outside of compile, elsewhere it writes nothing.
   * Takes any dtype.
   *
   * @param dim an integer: the dim; negative ones count from the end
   * @param index a tensor: where along dim: integers, of as many dims as input, no larger than it in the other dims
   * @param src a tensor: what is added, of the dtype of input and at least as large as index
   * @returns this tensor
   * @throws DtypeError when index is no integer, or src has another dtype than input
   * @throws ShapeError when a dim is out of range, or when index has a different number of dims than input or src, or reaches beyond either
   */
  scatterAdd_(dim: number, index: Tensor, src: Tensor): this
  scatterAdd_(...args: [dim: number, index: Tensor, options: { readonly src: Tensor }] | [dim: number, options: { readonly index: Tensor; readonly src: Tensor }] | [options: { readonly dim: number; readonly index: Tensor; readonly src: Tensor }]): this

  /**
   * As scatterReduce, written into this tensor (cast to its dtype): input reduced with src at index[…] along a dim: 'sum', 'prod', 'mean', 'amax' or 'amin'; with includeSelf false, input's own value does not take part where src is written.
   *
   * An index out of range is an error on a CPU outside of compile, elsewhere it writes nothing. Of 'prod', gradients of gradients are right where no element is exactly 0.
   * Takes any dtype.
   *
   * @param dim an integer: the dim; negative ones count from the end
   * @param index a tensor: where along dim: integers, of as many dims as input, no larger than it in the other dims
   * @param src a tensor: what is folded in, of the dtype of input and at least as large as index
   * @param reduce 'sum', 'prod', 'mean', 'amax' or 'amin': how: their sum, product, mean, largest or smallest
   * @param includeSelf true or false: whether values of input count where elements are folded in (default true)
   * @returns this tensor
   * @throws DtypeError when index is no integer, or src has another dtype than input
   * @throws ShapeError when a dim is out of range, or when index has a different number of dims than input or src, or reaches beyond either
   */
  scatterReduce_(dim: number, index: Tensor, src: Tensor, reduce: 'sum' | 'prod' | 'mean' | 'amax' | 'amin', options?: { readonly includeSelf?: boolean | undefined }): this
  scatterReduce_(...args: [dim: number, index: Tensor, src: Tensor, options: { readonly reduce: 'sum' | 'prod' | 'mean' | 'amax' | 'amin'; readonly includeSelf?: boolean | undefined }] | [dim: number, index: Tensor, options: { readonly src: Tensor; readonly reduce: 'sum' | 'prod' | 'mean' | 'amax' | 'amin'; readonly includeSelf?: boolean | undefined }] | [dim: number, options: { readonly index: Tensor; readonly src: Tensor; readonly reduce: 'sum' | 'prod' | 'mean' | 'amax' | 'amin'; readonly includeSelf?: boolean | undefined }] | [options: { readonly dim: number; readonly index: Tensor; readonly src: Tensor; readonly reduce: 'sum' | 'prod' | 'mean' | 'amax' | 'amin'; readonly includeSelf?: boolean | undefined }]): this

  /**
   * As indexAdd, written into this tensor (cast to its dtype): input with alpha · source added to its slices at a 1-D index along a dim.
   *
   * An index out of range is an error on a CPU outside of compile, elsewhere it writes nothing.
   * Takes any dtype.
   *
   * @param dim an integer: the dim; negative ones count from the end
   * @param index a tensor: where along dim: integers, 1-D or 0-d
   * @param source a tensor: the slices: the shape of input with the length of index at dim
   * @param alpha a tensor or a number: a factor of source, a number or 0-d tensor; 1 unless given (optional)
   * @returns this tensor
   * @throws DtypeError when index is no integer, or source has another dtype than input
   * @throws ShapeError when a dim is out of range, or when index has more than one dim, or source is not input with as many slices
   */
  indexAdd_(dim: number, index: Tensor, source: Tensor, options?: { readonly alpha?: Operand | null | undefined }): this
  indexAdd_(...args: [dim: number, index: Tensor, options: { readonly source: Tensor; readonly alpha?: Operand | null | undefined }] | [dim: number, options: { readonly index: Tensor; readonly source: Tensor; readonly alpha?: Operand | null | undefined }] | [options: { readonly dim: number; readonly index: Tensor; readonly source: Tensor; readonly alpha?: Operand | null | undefined }]): this

  /**
   * As indexCopy, written into this tensor (cast to its dtype): input with its slices at a 1-D index along a dim replaced by those of source.
   *
   * An index out of range is an error on a CPU outside of compile, elsewhere it writes nothing.
   * Takes any dtype.
   *
   * @param dim an integer: the dim; negative ones count from the end
   * @param index a tensor: where along dim: integers, 1-D or 0-d
   * @param source a tensor: the slices: the shape of input with the length of index at dim
   * @returns this tensor
   * @throws DtypeError when index is no integer, or source has another dtype than input
   * @throws ShapeError when a dim is out of range, or when index has more than one dim, or source is not input with as many slices
   */
  indexCopy_(dim: number, index: Tensor, source: Tensor): this
  indexCopy_(...args: [dim: number, index: Tensor, options: { readonly source: Tensor }] | [dim: number, options: { readonly index: Tensor; readonly source: Tensor }] | [options: { readonly dim: number; readonly index: Tensor; readonly source: Tensor }]): this

  /**
   * As indexFill, written into this tensor (cast to its dtype): input with its slices at a 1-D index along a dim filled with a value; negative indices count from the end.
   *
   * An index out of range is an error on a CPU outside of compile, elsewhere it writes nothing.
   * Takes any dtype.
   *
   * @param dim an integer: the dim; negative ones count from the end
   * @param index a tensor: where along dim: integers, 1-D or 0-d
   * @param value a tensor or a number: a number or a 0-d tensor, cast to the dtype of input
   * @returns this tensor
   * @throws DtypeError when index is no integer
   * @throws ShapeError when a dim is out of range, or when index has more than one dim, or value more than one element
   */
  indexFill_(dim: number, index: Tensor, value: Operand): this
  indexFill_(...args: [dim: number, index: Tensor, options: { readonly value: Operand }] | [dim: number, options: { readonly index: Tensor; readonly value: Operand }] | [options: { readonly dim: number; readonly index: Tensor; readonly value: Operand }]): this
}

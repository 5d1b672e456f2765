/** Which dtypes matrix products accumulate in, and the check of an accumulator. */
import { describeAny } from '../../base/describe.js'
import { type Dtype, type Float8, isFloat, isFloat8, type TensorDtype } from '../../types/dtype.js'
import { type DotAttrs, printType, type TileType } from '../ir.js'
import { optionsOf } from './arguments.js'
import type { Emitter } from './emitter.js'
import { shortText } from './operands.js'

/** Options of `t.dot`. */
export interface DotOptions {
  /** a and b are u8: the codes of these floats. Sums are f32. */
  readonly codes?: readonly [a: Float8, b: Float8]
  /**
   * 'tf32': operands of f32 may be rounded to 10 bits of fraction, which the matrix unit of a GPU multiplies; sums stay
   * f32. A CPU multiplies them as they are. Default 'f32': exact products.
   */
  readonly precision?: 'f32' | 'tf32'
}

/** The attributes of a dot. Throws KernelError for an option that does not exist or does not fit the operands. */
export function dotAttrs(emitter: Emitter, options: DotOptions | undefined, operand: Dtype): DotAttrs {
  const { codes, precision = 'f32' } = optionsOf(emitter, 'dot', options, ['codes', 'precision'])
  if (precision !== 'f32' && precision !== 'tf32')
    emitter.fail(
      `dot: precision ${typeof (precision as unknown) === 'string' ? precision : describeAny(precision)}`,
      "use 'f32' or 'tf32'",
    )
  if (precision === 'tf32') {
    if (operand !== 'f32') emitter.fail(`dot: tf32 is a precision of f32, the operands are ${operand}`, 'leave it out')
    return { precision }
  }
  if (codes === undefined) return {}
  if (!Array.isArray(codes) || codes.length !== 2 || ![...codes].every(code => isFloat8(code)))
    emitter.fail(
      `dot: codes of ${Array.isArray(codes) ? codes.map(shortText).join(', ') : describeAny(codes)}`,
      "give two of 'f8e4m3' and 'f8e5m2'",
    )
  if (operand !== 'u8') emitter.fail(`dot: codes are u8, the operands are ${operand}`, 'load them as u8')
  return { codes }
}

export function checkAccumulator(
  emitter: Emitter,
  operand: TileType,
  acc: TileType,
  shape: readonly number[],
  { codes, precision }: DotAttrs,
): void {
  const isF32 = codes !== undefined || precision !== undefined
  const allowed: readonly Dtype[] = isF32 ? ['f32'] : accumulatorsOf(operand.dtype)
  if (!allowed.includes(acc.dtype)) {
    emitter.fail(
      `dot: operands of ${operand.dtype} accumulate in ${allowed.join(' or ') || 'nothing'}, not ${acc.dtype}`,
      allowed.length === 0
        ? 'convert the operands first'
        : `start from t.zeros([${shape.join(', ')}], '${allowed[0]}')`,
    )
  }
  if (acc.shape.length !== 2 || acc.shape.some((size, d) => size !== shape[d])) {
    emitter.fail(
      `dot: the product is [${shape.join(', ')}], acc is ${printType(acc)}`,
      `start from t.zeros([${shape.join(', ')}], '${acc.dtype}')`,
    )
  }
}

/** What products of a dtype may be added in; the first is the default. */
function accumulatorsOf(dtype: Dtype): readonly Dtype[] {
  if (dtype === 'f64') return ['f64']
  if (isFloat(dtype)) return ['f32', 'f64']
  return dtype === 'i64' || dtype === 'bool' ? [] : ['i32']
}

export const accumulatorOf = (dtype: Dtype, { codes }: DotAttrs): TensorDtype =>
  codes === undefined ? ((accumulatorsOf(dtype)[0] ?? 'i32') as TensorDtype) : 'f32'

/** The accumulator dtypes of dots, and the check of an accumulator. */
import { describeAny } from '../../base/describe.js'
import { type Dtype, isFloat, isFloat8, type TensorDtype } from '../../types/dtype.js'
import { type DotAttrs, printType, type TileNode, type TileType, tileType } from '../ir.js'
import { optionsOf } from './arguments.js'
import type { Emitter } from './emitter.js'

/** Options of `t.dot`. */
export interface DotOptions {
  /**
   * 'tf32': f32 operands may be rounded to 10 bits of fraction, which a GPU's tensor cores multiply; sums stay f32. A CPU
   * multiplies them unrounded. Default 'f32': exact products.
   */
  readonly precision?: 'f32' | 'tf32'
}

/** The attributes of a dot with operands of these dtypes. Throws KernelError for options and operands that do not fit. */
export function dotAttrs(emitter: Emitter, options: DotOptions | undefined, [a, b]: readonly [Dtype, Dtype]): DotAttrs {
  const { precision = 'f32' } = optionsOf(emitter, 'dot', options, ['precision'])
  if (precision !== 'f32' && precision !== 'tf32')
    emitter.fail(
      `dot: precision ${typeof (precision as unknown) === 'string' ? precision : describeAny(precision)}`,
      "use 'f32' or 'tf32'",
    )
  if (isFloat8(a) && isFloat8(b) && precision === 'f32') return { codes: [a, b] }
  if (a !== b) emitter.fail(`dot: operands are ${a} and ${b}`, `convert one, for example .to('${isFloat8(a) ? b : a}')`)
  if (precision === 'f32') return {}
  if (a !== 'f32') emitter.fail(`dot: tf32 is a precision of f32, the operands are ${a}`, 'leave it out')
  return { precision }
}

/** The operand as dots take it: 8-bit floats as their codes. */
export function dotOperand(emitter: Emitter, node: TileNode): TileNode {
  if (!isFloat8(tileType(node).dtype)) return node
  return node.op === 'bitcast' ? node.inputs[0]! : emitter.emit('bitcast', [node], { to: 'u8' })
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

/** Accumulator dtypes of a dot of this dtype; the first is the default. */
function accumulatorsOf(dtype: Dtype): readonly Dtype[] {
  if (dtype === 'f64') return ['f64']
  if (isFloat(dtype)) return ['f32', 'f64']
  return dtype === 'i64' || dtype === 'bool' ? [] : ['i32']
}

export const accumulatorOf = (dtype: Dtype, { codes }: DotAttrs): TensorDtype =>
  codes === undefined ? ((accumulatorsOf(dtype)[0] ?? 'i32') as TensorDtype) : 'f32'

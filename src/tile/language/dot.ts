/** Which dtypes matrix products accumulate in, and the check of an accumulator. */
import { type Dtype, isFloat, type TensorDtype } from '../../types/dtype.js'
import { printType, type TileType } from '../ir.js'
import type { Emitter } from './emitter.js'

export function checkAccumulator(emitter: Emitter, operand: TileType, acc: TileType, shape: readonly number[]): void {
  const allowed = accumulatorsOf(operand.dtype)
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

export const accumulatorOf = (dtype: Dtype): TensorDtype => (accumulatorsOf(dtype)[0] ?? 'i32') as TensorDtype

/**
 * Type promotion as PyTorch defines it: dtypes form a lattice, and an operand that is a plain number or a 0-d tensor
 * only counts when its category (bool < integer < float) is above that of every operand with dims.
 */
import { DtypeError } from '../base/errors.js'
import { type Dtype, dtypes, isFloat, isFloat8, isInteger } from './dtype.js'

/** The priority of an operand: tensors with dims, then 0-d tensors, then plain numbers. */
export type OperandRank = 'dimensioned' | 'zeroDim' | 'number'

export interface PromotionOperand {
  readonly dtype: Dtype
  readonly rank: OperandRank
}

const category = (dtype: Dtype): 0 | 1 | 2 => (dtype === 'bool' ? 0 : isInteger(dtype) ? 1 : 2)

/** The smallest dtype that both convert to, without regard to rank. */
export function promotePair(a: Dtype, b: Dtype): Dtype {
  if (a === b) return a
  const stored = [a, b].find(isFloat8)
  if (stored !== undefined)
    throw new DtypeError(`${a} and ${b} have no common dtype: ${stored} does not promote`, {
      fix: "cast one: x.to('f32')",
    })
  if (a === 'bool') return b
  if (b === 'bool') return a
  if (isFloat(a) !== isFloat(b)) return isFloat(a) ? a : b
  if (isFloat(a)) return dtypes[a].bits === dtypes[b].bits ? 'f32' : dtypes[a].bits > dtypes[b].bits ? a : b
  return promoteIntegers(a, b)
}

function promoteIntegers(a: Dtype, b: Dtype): Dtype {
  const wide = dtypes[a].bits >= dtypes[b].bits ? a : b
  const narrow = wide === a ? b : a
  // u8 with i8 needs a signed type of nine bits: i16. A wider signed type holds u8 as it is.
  if (dtypes[wide].kind !== dtypes[narrow].kind && dtypes[wide].bits === dtypes[narrow].bits) return 'i16'
  return wide
}

/** The dtype of the result of an elementwise op on `operands` (at least one). */
export function promote(operands: readonly PromotionOperand[]): Dtype {
  let result: Dtype | undefined
  for (const rank of ['dimensioned', 'zeroDim', 'number'] as const) {
    const group = operands.filter(operand => operand.rank === rank).map(operand => operand.dtype)
    if (group.length === 0) continue
    const joined = group.reduce(promotePair)
    if (result === undefined) result = joined
    else if (category(joined) > category(result)) result = promotePair(result, joined)
  }
  return result ?? 'f32'
}

/** The dtype that PyTorch gives a plain number: bool, i64 for integers (that fit), the default float for the rest. */
export function numberDtype(value: number | boolean | bigint, floatDefault: Dtype = 'f32'): Dtype {
  if (typeof value === 'boolean') return 'bool'
  if (typeof value === 'bigint') return 'i64'
  return Number.isInteger(value) && !Object.is(value, -0) && value >= -(2 ** 63) && value < 2 ** 63
    ? 'i64'
    : floatDefault
}

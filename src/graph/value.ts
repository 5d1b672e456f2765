/** Operands of ops as records see them: the graph layer knows no Tensor. */
import { type Size, SizeExpr } from '../scalar/size.js'
import type { Dtype } from '../types/dtype.js'

declare const valueBrand: unique symbol

/** Stands for a tensor in records; the user-facing types (tensor/) substitute Tensor. */
export interface Value {
  readonly [valueBrand]: true
}

/**
 * An operand of arithmetic: a tensor or a plain number, which never raises a tensor's dtype within its category. A symbolic
 * size counts as a plain number.
 */
export type OperandValue = Value | number | boolean | bigint | SizeExpr

export const isTensor = (operand: OperandValue): operand is Value =>
  typeof operand === 'object' && !(operand instanceof SizeExpr)

/** A tensor on the host for references: row-major values (bigint for i64, 0/1 for bool). */
export interface HostTensor {
  readonly dtype: Dtype
  readonly shape: readonly number[]
  readonly data: readonly (number | bigint)[]
  /** It was a plain number in the call, as `OpInput.isNumber`. */
  readonly isNumber?: true
}

/** One dim of `slice`: everything, one index (the dim goes away), or [start, end, step] with null for the ends. */
export type SliceRange = null | 'all' | Size | readonly [start: Size | null, end?: Size | null, step?: number]

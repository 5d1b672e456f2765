/** What the parameters of methods and functions take, by kind of signature (graph/signature.ts); op-types.ts uses these names. */
import type { NumberLike, PlainNumber, SymbolicNumber } from './symbolic-number.js'
import type { Tensor } from './tensor-type.js'

/** A plain number of any type, or one that may differ per call. */
export type Scalar = PlainNumber | SymbolicNumber
/** A tensor, or a plain number, which never raises a tensor's dtype within its category. */
export type Operand = Tensor | Scalar
/** An integer of at least 0, or a size that may differ per call. */
export type SizeLike = NumberLike
/** An integer, or one that may differ per call; negative ones count from the end. */
export type IndexLike = NumberLike
/** One dim of a slice: everything, one index (the dim goes away), or [start, end, step] with null for the ends. */
export type Range = null | 'all' | IndexLike | readonly [start: IndexLike | null, end?: IndexLike | null, step?: number]

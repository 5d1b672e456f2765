/** What the parameters of methods and functions take, by kind of signature (graph/signature.ts); op-types.ts uses these names. */
import type { Tensor } from './tensor.js'

/** A tensor, or a plain number, which never raises a tensor's dtype within its category. */
export type Operand = Tensor | number | boolean | bigint
/** A plain number of any type. */
export type Scalar = number | boolean | bigint
/** An integer of at least 0. */
export type SizeLike = number
/** An integer; negative ones count from the end. */
export type IndexLike = number
/** One dim of a slice: everything, one index (the dim goes away), or [start, end, step] with null for the ends. */
export type Range = null | 'all' | number | readonly [start: number | null, end?: number | null, step?: number]

/** Counting the elements of a tensor that are picked: what the size of a result follows from is read, and nothing else. */
import { pickRecords } from '../graph/ops/picking.js'
import type { OpRecord } from '../graph/record.js'
import type { Tensor } from './tensor-type.js'

/** Applies an op (dispatch.ts, which this file may not import). */
export type Apply = (record: OpRecord, args: readonly unknown[]) => readonly Tensor[]

export interface Counted {
  /** Up to each element of a flattened tensor: how many are not 0. */
  readonly counts: Tensor
  readonly count: number
}

/** Reads how many elements are not 0. */
export function countPicks(apply: Apply, x: Tensor): Counted {
  const length = x.shape.reduce((a, b) => a * b, 1)
  const [counts] = apply(pickRecords.pickCounts, [x, length >= 2 ** 31])
  return { counts: counts!, count: length === 0 ? 0 : Number(counts!.select(0, length - 1).itemSync()) }
}

/** The indices of the elements that are not 0, a row each: i64 [count, dims]. */
export function indicesOf(apply: Apply, x: Tensor): Tensor {
  const { counts, count } = countPicks(apply, x)
  return apply(pickRecords.pickIndices, [x, counts, count])[0]!
}

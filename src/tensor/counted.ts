/** Counting the elements of a tensor that are picked: what the size of a result follows from is read, and nothing else. */
import { pickRecords } from '../graph/ops/picking.js'
import type { OpRecord } from '../graph/record.js'
import type { Tensor } from './tensor-type.js'
import { currentTracer, withTracer } from './tracer.js'

/** Applies an op (dispatch.ts, which this file may not import). */
export type Apply = (record: OpRecord, args: readonly unknown[]) => readonly Tensor[]

/** Who reads, and what to do instead where values cannot be read. */
export interface Reading {
  readonly reader: string
  readonly instead: string
}

export interface Counted {
  /** Up to each element of a flattened tensor: how many are not 0. */
  readonly counts: Tensor
  readonly count: number
}

/** Reads how many elements are not 0. */
export function countPicks(apply: Apply, x: Tensor, reading: Reading): Counted {
  const [length] = x.reshape([-1]).sizes
  const [counts] = apply(pickRecords.pickCounts, [x, typeof length !== 'number' || length >= 2 ** 31])
  return { counts: counts!, count: length === 0 ? 0 : readNumber(counts!.select(0, -1), reading) }
}

/** The indices of the elements that are not 0, a row each: i64 [count, dims]. */
export function indicesOf(apply: Apply, x: Tensor, reading: Reading): Tensor {
  const { counts, count } = countPicks(apply, x, reading)
  return apply(pickRecords.pickIndices, [x, counts, count])[0]!
}

/** The value of a 0-d tensor; in a capture a graph break. */
export function readNumber(x: Tensor, { reader, instead }: Reading): number {
  const known = currentTracer()?.read(x, reader, instead) ?? x
  return withTracer(null, () => known.itemSync())
}

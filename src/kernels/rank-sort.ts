/**
 * Stable rank sort of a row: an element's position is the number of elements that come before it. All pairs are compared in
 * parallel, which on a GPU is much faster than a merge sort by one thread, for rows of up to about ten thousand elements.
 */
import type { TileBuilder, TileOperand, TileValue } from '../tile/language.js'
import type { TensorDtype } from '../types/dtype.js'
import { orderKeys } from './order.js'

export interface RankRow {
  readonly dtype: TensorDtype
  readonly descending: boolean
  /** Elements in the row: an i64 scalar, or a number. */
  readonly length: TileOperand
  /** Elements ranked per program, from `start` on, and the number of elements (`others`) that they are compared with at a time. */
  readonly block: number
  readonly start: TileValue
  readonly others: number
  /** The row's values [count] from an element on; undefined past the end. */
  values(from: TileValue, count: number): TileValue
  /** Receives elements [block] of the row with their indices and positions; those with `inside` false must be dropped. */
  store(values: TileValue, index: TileValue, position: TileValue, inside: TileValue): void
}

export function rankRow(t: TileBuilder, row: RankRow): void {
  const { dtype, descending, length, block, start, others } = row
  const shape = [block, others]
  const down = (line: TileValue): TileValue => line.reshape([block, 1]).broadcastTo(shape)
  const across = (line: TileValue): TileValue => line.reshape([1, others]).broadcastTo(shape)
  const values = row.values(start, block)
  const index = t.iota(block).add(start)
  const keys = down(orderKeys(t, values, dtype, descending))
  const none = t.zeros(shape, 'i32')
  const { before } = t.range(0, length, others, { before: none }, (from, { before }) => {
    const other = t.iota(others).add(from)
    const otherKeys = across(orderKeys(t, row.values(from, others), dtype, descending))
    const isFirst = otherKeys.gt(keys).or(otherKeys.eq(keys).and(across(other).lt(down(index))))
    const counts = isFirst.and(across(other.lt(length)))
    return { before: before.add(t.where(counts, t.full(shape, 1, 'i32'), none)) }
  })
  row.store(values, index, before.sum(1).to('i64'), index.lt(length))
}

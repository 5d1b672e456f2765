/**
 * Stable rank sort of a row: an element's position is the number of elements that come before it. All pairs are compared in
 * parallel, which on a GPU is much faster than a merge sort by one thread, for rows of up to about ten thousand elements.
 */
import type { TileBuilder, TileOperand, TileValue } from '../tile/language.js'
import type { TensorDtype } from '../types/dtype.js'
import { lastKey, orderKeys } from './order.js'

export interface RankRow {
  readonly dtype: TensorDtype
  readonly descending: boolean
  /** Elements in the row: an i64 scalar, or a number. */
  readonly length: TileOperand
  /** Elements ranked per program, from `start` on, and the number of elements (`others`) that they are compared with at a time. */
  readonly block: number
  readonly start: TileValue
  readonly others: number
  /** The row has at most `others` elements. */
  readonly isShort: boolean
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
  /** 1 for each other element, from one on, that comes before an element. */
  const countBefore = (from: TileValue): TileValue => {
    const other = t.iota(others).add(from)
    const known = orderKeys(t, row.values(from, others), dtype, descending)
    // What is past the end has the last key, and follows all elements.
    const otherKeys = across(t.where(other.lt(length), known, lastKey(dtype)))
    const isEarlier = across(other.sub(start).to('i32')).lt(down(t.iota(block, 'i32')))
    return t.where(otherKeys.gt(keys).or(otherKeys.eq(keys).and(isEarlier)), t.full(shape, 1, 'i32'), none)
  }
  const before = row.isShort
    ? countBefore(t.const(0n, 'i64'))
    : t.range(0, length, others, { before: none }, (from, { before }) => ({ before: before.add(countBefore(from)) }))
        .before
  row.store(values, index, before.sum(1).to('i64'), index.lt(length))
}

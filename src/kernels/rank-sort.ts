/**
 * Stable sort of a row by counting: an element's place is how many come before it. Every element is compared with every
 * other, but all at once, which on a GPU is much faster than one thread that merges, up to rows of some ten thousand.
 */
import type { Operand, TileBuilder, TileValue } from '../tile/language.js'
import type { TensorDtype } from '../types/dtype.js'
import { orderKeys } from './order.js'

export interface RankRow {
  readonly dtype: TensorDtype
  readonly descending: boolean
  /** Elements in the row: an i64 scalar, or a number. */
  readonly length: Operand
  /** Elements that a program finds the places of, from `start` on, and how many it compares them with at once. */
  readonly block: number
  readonly start: TileValue
  readonly others: number
  /** The row's values [count] from an element on; past the end anything. */
  values(from: TileValue, count: number): TileValue
  /** Takes elements [block] of the row with their indices and places; those where `inside` is false are to be dropped. */
  store(values: TileValue, index: TileValue, place: TileValue, inside: TileValue): void
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

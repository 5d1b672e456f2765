/**
 * Stable sort of a row of any run-time length: a bottom-up merge sort of element indices, in scalar code. Two index buffers
 * alternate; comparisons read the keys of the indexed elements.
 */
import type { TileBuilder, TileOperand, TileValue } from '../tile/language.js'
import type { TensorDtype } from '../types/dtype.js'
import { orderKeys } from './order.js'

export interface SortRow {
  readonly dtype: TensorDtype
  readonly descending: boolean
  /** Elements in the row: an i64 scalar, or a number. */
  readonly length: TileOperand
  /** The value (a scalar) of the row's element `index`. */
  value(index: TileValue): TileValue
  /** Two rows of i64 scratch memory, `side` 0 or 1. */
  readIndex(side: TileValue, at: TileValue): TileValue
  writeIndex(side: TileValue, at: TileValue, index: TileValue): void
  /** Receives the index of the element at each position of the sorted row. */
  store(position: TileValue, index: TileValue): void
}

export function sortRow(t: TileBuilder, row: SortRow): void {
  const length = t.const(0n, 'i64').add(row.length)
  t.range(0, length, 1, i => row.writeIndex(t.const(0n, 'i64'), i, i))
  const start = { width: t.const(1n, 'i64'), side: t.const(0n, 'i64') }
  const { side } = t.while(
    start,
    ({ width }) => width.lt(length),
    ({ width, side: from }) => {
      const to = t.const(1n, 'i64').sub(from)
      t.range(0, length, width.mul(2), low => {
        const middle = low.add(width).min(length)
        merge(t, row, from, to, { low, middle, high: middle.add(width).min(length) })
      })
      return { width: width.mul(2), side: to }
    },
  )
  t.range(0, length, 1, i => row.store(i, row.readIndex(side, i)))
}

interface Runs {
  readonly low: TileValue
  readonly middle: TileValue
  readonly high: TileValue
}

/** Merges the sorted runs [low, middle) and [middle, high) of side `from` into side `to`. */
function merge(t: TileBuilder, row: SortRow, from: TileValue, to: TileValue, { low, middle, high }: Runs): void {
  t.range(low, high, 1, { left: low, right: middle }, (at, { left, right }) => {
    // When a run is exhausted, reads are clamped to the row, and their values are not used.
    const leftIndex = row.readIndex(from, left.min(middle.sub(1)))
    const rightIndex = row.readIndex(from, right.min(high.sub(1)))
    const leftKey = orderKeys(t, row.value(leftIndex), row.dtype, row.descending)
    const rightKey = orderKeys(t, row.value(rightIndex), row.dtype, row.descending)
    const takeLeft = left.lt(middle).and(right.ge(high).or(leftKey.ge(rightKey)))
    row.writeIndex(to, at, t.where(takeLeft, leftIndex, rightIndex))
    return { left: t.where(takeLeft, left.add(1), left), right: t.where(takeLeft, right, right.add(1)) }
  })
}

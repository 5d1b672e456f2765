/**
 * The k best of a row, best first, in k rounds over it: each finds the best element that comes after the last one found
 * (in the order of keys, equal keys by index). Nothing is marked or copied, so rows may have any run-time length; the
 * work is k · n, right for small k.
 */
import { cdiv, type Operand, type TileBuilder, type TileValue } from '../tile/language.js'
import type { TensorDtype } from '../types/dtype.js'
import { keyDtype, orderKeys } from './order.js'

export interface TopkRow {
  readonly dtype: TensorDtype
  readonly k: number
  readonly largest: boolean
  /** Elements in the row: an i64 scalar, or a number. */
  readonly length: Operand
  /** Elements read at once. */
  readonly block: number
  /** The row's values [block] from element `start`; what lies past the end may be anything. */
  load(start: TileValue): TileValue
  /** Takes the place (0 … k−1) and index of the next best; its value is the row's at that index. */
  store(place: TileValue, index: TileValue): void
}

export function topkRow(t: TileBuilder, row: TopkRow): void {
  const keys = keyDtype(row.dtype)
  const lowest = keys === 'i64' ? -(2n ** 63n) : -(2 ** 31)
  const highest = keys === 'i64' ? 2n ** 63n - 1n : 2 ** 31 - 1
  const nowhere = 2n ** 62n
  const first = { key: t.const(highest, keys), index: t.const(-1n, 'i64') }
  t.range(0, row.k, 1, { lastKey: first.key, lastIndex: first.index }, (place, { lastKey, lastIndex }) => {
    const none = { key: t.const(lowest, keys), index: t.const(nowhere, 'i64') }
    const best = t.range(0, row.length, row.block, none, (start, { key, index }) => {
      const positions = t.iota(row.block).add(start)
      const found = orderKeys(t, row.load(start), row.dtype, row.largest)
      const after = found.lt(lastKey).or(found.eq(lastKey).and(positions.gt(lastIndex)))
      const open = after.and(positions.lt(row.length))
      const blockKey = t.where(open, found, t.const(lowest, keys)).amax(0)
      const blockIndex = t.where(open.and(found.eq(blockKey)), positions, t.const(nowhere, 'i64')).amin(0)
      // Blocks come in order, so an equal key in a later block never wins; the first candidate of all always does.
      const better = blockIndex.lt(nowhere).and(blockKey.gt(key).or(index.eq(nowhere)))
      return { key: t.where(better, blockKey, key), index: t.where(better, blockIndex, index) }
    })
    row.store(place, best.index)
    return { lastKey: best.key, lastIndex: best.index }
  })
}

/** Rows up to this length are read whole; longer ones in blocks of it. */
const maxBlock = 2048

/** A block size for rows of a known length, or of any (null). */
export function topkBlock(length: number | null): number {
  return length === null || length > maxBlock ? maxBlock : Math.max(16, cdiv(length, 16) * 16)
}

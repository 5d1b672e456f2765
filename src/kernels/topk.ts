/**
 * The k largest (or smallest) of a row, best first, in k passes: each pass finds the best element after the previous one (by
 * key, then by index). It neither marks nor copies elements, so rows may have any run-time length. The work is k · n, which
 * suits small k.
 */
import { cdiv, type TileBuilder, type TileOperand, type TileValue } from '../tile/language.js'
import type { TensorDtype } from '../types/dtype.js'
import { keyDtype, orderKeys } from './order.js'

export interface TopkRow {
  readonly dtype: TensorDtype
  readonly k: number
  readonly largest: boolean
  /** Elements in the row: an i64 scalar, or a number. */
  readonly length: TileOperand
  /** Elements per block. */
  readonly block: number
  /** The whole row fits one block: its keys are then computed once, not in every pass. */
  readonly inOneBlock: boolean
  /** The row's values [block] from element `start`; undefined past the end. */
  load(start: TileValue): TileValue
  /** Receives the position (0 … k−1) and index of the next best; its value is the row's at that index. */
  store(position: TileValue, index: TileValue): void
}

/** An element of a row: its sort key and its index. */
interface Candidate {
  readonly key: TileValue
  readonly index: TileValue
}

const nowhere = 2n ** 62n

export function topkRow(t: TileBuilder, row: TopkRow): void {
  const dtype = keyDtype(row.dtype)
  const [lowest, highest] = dtype === 'i64' ? [-(2n ** 63n), 2n ** 63n - 1n] : [-(2 ** 31), 2 ** 31 - 1]
  const none = { key: t.const(lowest, dtype), index: t.const(nowhere, 'i64') }
  const zero = t.const(0n, 'i64')
  const keysFrom = (start: TileValue): TileValue => orderKeys(t, row.load(start), row.dtype, row.largest)
  const rowKeys = row.inOneBlock ? keysFrom(zero) : null
  const first = { key: t.const(highest, dtype), index: t.const(-1n, 'i64') }
  t.range(0, row.k, 1, first, (position, last) => {
    const best =
      rowKeys !== null
        ? bestOfBlock(t, row, rowKeys, zero, last, none.key)
        : t.range(0, row.length, row.block, none, (start, { key, index }) => {
            const found = bestOfBlock(t, row, keysFrom(start), start, last, none.key)
            // Blocks come in order, so an equal key in a later block never wins; the first candidate always does.
            const better = found.index.lt(nowhere).and(found.key.gt(key).or(index.eq(nowhere)))
            return { key: t.where(better, found.key, key), index: t.where(better, found.index, index) }
          })
    row.store(position, best.index)
    return best
  })
}

/** The best element of a block among those that come after `last`; its index is `nowhere` when there is none. */
function bestOfBlock(
  t: TileBuilder,
  { block, length }: TopkRow,
  keys: TileValue,
  start: TileValue,
  last: Candidate,
  lowest: TileValue,
): Candidate {
  // Positions within the block are i32: a vector holds twice as many as of i64 indices.
  const positions = t.iota(block, 'i32')
  const count = t.const(0n, 'i64').add(length).sub(start).min(block).to('i32')
  const lastPosition = last.index.sub(start).clamp(-1, block).to('i32')
  const after = keys.lt(last.key).or(keys.eq(last.key).and(positions.gt(lastPosition)))
  const open = after.and(positions.lt(count))
  const key = t.where(open, keys, lowest).amax(0)
  const position = t.where(open.and(keys.eq(key)), positions, block).amin(0)
  return { key, index: t.where(position.lt(block), position.to('i64').add(start), nowhere) }
}

/** Rows up to this length are one block; longer ones are read in blocks of it. */
const maxBlock = 2048

/** A block size for rows of a known length, or of any (null). */
export function topkBlock(length: number | null): number {
  return length === null || length > maxBlock ? maxBlock : Math.max(16, cdiv(length, 16) * 16)
}

/**
 * Scans along a row: the row as one block, or block by block with the running value carried along. With several adjacent
 * columns, each column is scanned separately, and a vector holds one step of all of them.
 */
import { reductionIdentity } from '../scalar/ops.js'
import { type TileBuilder, type TileOperand, TileValue } from '../tile/language.js'
import type { TensorDtype } from '../types/dtype.js'

export interface RowScan {
  readonly dtype: TensorDtype
  readonly fn: 'add' | 'mul' | 'min' | 'max'
  readonly reverse: boolean
  /** Elements in the row: an i64 scalar, or a number. */
  readonly length: TileOperand
  /** Elements per block. */
  readonly block: number
  /** Number of adjacent columns; null: one, and tiles have no dim for it. */
  readonly width: number | null
  /** The row's values [block, width] from element `start`; undefined past the end. */
  load(start: TileValue): TileValue
  /** Receives the results [block, width] from element `start`; those past the end must be dropped. */
  store(start: TileValue, folds: TileValue): void
}

/** Scans a row: loads it, combines it with `fn`, and stores the inclusive prefixes. */
export function scanRow(t: TileBuilder, row: RowScan): void {
  if (row.length === row.block) {
    const first = t.const(0n, 'i64')
    row.store(first, scan(t, row, row.load(first)))
    return
  }
  const { block, width } = row
  const shape = width === null ? [block] : [block, width]
  const identity = t.emitter.emit('const', [], { dtype: row.dtype, value: reductionIdentity(row.fn, row.dtype) })
  const none = new TileValue(t.emitter, identity)
  const start = width === null ? none : none.broadcastTo([width])
  const down = (line: TileValue): TileValue => (width === null ? line : line.reshape([block, 1]).broadcastTo(shape))
  const across = (line: TileValue): TileValue => (width === null ? line : line.reshape([1, width]).broadcastTo(shape))
  const blocks = t
    .const(0n, 'i64')
    .add(row.length)
    .add(block - 1)
    .floorDiv(block)
  t.range(0, blocks, 1, { before: start }, (counter, { before }) => {
    const at = (row.reverse ? blocks.sub(1).sub(counter) : counter).mul(block)
    const inside = t.iota(block).add(at).lt(row.length)
    const values = t.where(down(inside), row.load(at), width === null ? none : none.broadcastTo(shape))
    row.store(at, t.map(row.fn, across(before), scan(t, row, values)))
    return { before: t.map(row.fn, before, fold(t, row, values)) }
  })
}

function scan(t: TileBuilder, { fn, reverse }: RowScan, values: TileValue): TileValue {
  return new TileValue(t.emitter, t.emitter.emit('scan', [values.node], { fn, axis: 0, reverse }))
}

function fold(t: TileBuilder, { fn }: RowScan, values: TileValue): TileValue {
  return new TileValue(t.emitter, t.emitter.emit('reduce', [values.node], { fn, axis: 0 }))
}

/**
 * Scans along an axis of tiles: a row as one block, or block by block with the running value carried along. The tile's other
 * axes are rows or columns that are scanned side by side.
 */
import { reductionIdentity, type ScanName } from '../scalar/ops.js'
import { type TileBuilder, type TileOperand, TileValue } from '../tile/language.js'
import type { TensorDtype } from '../types/dtype.js'

export interface RowScan {
  readonly dtype: TensorDtype
  readonly fn: ScanName
  readonly reverse: boolean
  /** Of a block. */
  readonly shape: readonly number[]
  /** The axis of a block that is scanned. */
  readonly axis: number
  /** The first of the row's blocks that are scanned, and how many of them; null: a block holds all of a row. */
  readonly blocks: { readonly first: TileValue; readonly count: TileOperand } | null
  /** Elements in the row: an i64 scalar, or a number. */
  readonly length: TileOperand
  /** The values of the block from element `start` on; undefined past the end. */
  load(start: TileValue): TileValue
}

/** Scans blocks: `store` receives the inclusive prefixes from element `start` on; those past the end must be dropped. */
export function scanRow(
  t: TileBuilder,
  row: RowScan,
  /** What comes before the blocks; null: nothing. A function finds it from the values of the only block. [shape without axis] */
  before: TileValue | ((values: TileValue) => TileValue) | null,
  store: (start: TileValue, folds: TileValue) => void,
): void {
  const { axis, shape, fn } = row
  const step = (start: TileValue, ahead: typeof before): TileValue => {
    const values = valuesAt(t, row, start)
    const carried = typeof ahead === 'function' ? ahead(values) : ahead
    const scanned = wrap(t, t.emitter.emit('scan', [values.node], { fn, axis, reverse: row.reverse }))
    const joined = carried === null ? scanned : t.map(fn, carried.expandDims(axis).broadcastTo(shape), scanned)
    store(start, joined)
    return values
  }
  if (row.blocks === null || row.blocks.count === 1 || typeof before === 'function') {
    step(onlyStart(t, row), before)
    return
  }
  t.range(0, row.blocks.count, 1, { before: before ?? identityOf(t, row, shape.toSpliced(axis, 1)) }, (i, carried) => ({
    before: t.map(fn, carried.before, foldTile(t, row, step(startOf(t, row, i), carried.before))),
  }))
}

/** What the blocks' values combine to: [shape without axis]. */
export function foldRow(t: TileBuilder, row: RowScan, foldsTiles: boolean): TileValue {
  const { axis, shape, fn } = row
  if (row.blocks === null || row.blocks.count === 1) return foldTile(t, row, valuesAt(t, row, onlyStart(t, row)))
  const part = (tile: TileValue): TileValue => (foldsTiles ? tile : foldTile(t, row, tile))
  const start = identityOf(t, row, foldsTiles ? shape : shape.toSpliced(axis, 1))
  const { all } = t.range(0, row.blocks.count, 1, { all: start }, (i, { all }) => ({
    all: t.map(fn, all, part(valuesAt(t, row, startOf(t, row, i)))),
  }))
  return foldsTiles ? foldTile(t, row, all!) : all!
}

/** The values of a tile combined along the scanned axis: [shape without axis]. */
export function foldTile(t: TileBuilder, { fn, axis }: Pick<RowScan, 'fn' | 'axis'>, values: TileValue): TileValue {
  return wrap(t, t.emitter.emit('reduce', [values.node], { fn, axis }))
}

export function identityOf(
  t: TileBuilder,
  { fn, dtype }: Pick<RowScan, 'fn' | 'dtype'>,
  shape: readonly number[],
): TileValue {
  return wrap(t, t.emitter.emit('const', [], { dtype, value: reductionIdentity(fn, dtype) })).broadcastTo(shape)
}

const onlyStart = (t: TileBuilder, { blocks, shape, axis }: RowScan): TileValue =>
  blocks === null ? t.const(0n, 'i64') : blocks.first.mul(shape[axis]!)

/** Where the i-th block begins, in the order of the scan. */
function startOf(t: TileBuilder, { blocks, reverse, shape, axis }: RowScan, i: TileValue): TileValue {
  const { first, count } = blocks!
  const place = reverse ? t.const(0n, 'i64').add(count).sub(1).sub(i) : i
  return first.add(place).mul(shape[axis]!)
}

/** What lies past the end comes last: only a scan from there must not see it. */
function valuesAt(t: TileBuilder, row: RowScan, start: TileValue): TileValue {
  const values = row.load(start)
  const { axis, shape, reverse, length } = row
  if (!reverse || length === shape[axis]) return values
  const line = shape.map((size, d) => (d === axis ? size : 1))
  const inside = t.iota(shape[axis]!).add(start).lt(length)
  return t.where(inside.reshape(line).broadcastTo(shape), values, identityOf(t, row, shape))
}

const wrap = (t: TileBuilder, node: TileValue['node']): TileValue => new TileValue(t.emitter, node)

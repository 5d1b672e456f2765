/** Kernels that process one row per program instance. */
import type { LoopNode, StoredRows } from '../../loop/ir.js'
import type { Size } from '../../scalar/size.js'
import type { TileValue } from '../../tile/language.js'
import type { Axis } from '../tiling/axes.js'
import { Evaluator } from '../tiling/evaluate.js'
import { assignGrid, type Grid } from '../tiling/grid.js'
import type { KernelWriter } from '../tiling/writer.js'

export interface Rows {
  readonly row: Axis
  readonly block: number
  readonly grid: Grid
  readonly evaluator: Evaluator
  /** Offsets of the rows this instance works on. */
  readonly offsets: ReadonlyMap<Axis, TileValue>
}

/** One row per program instance, read in blocks. */
export function rowsOf(writer: KernelWriter, block: number): Rows {
  const { axes } = writer
  const row = axes.reduced[0]!
  const extents = new Map<Axis, number>(axes.kept.map(axis => [axis, 1]))
  extents.set(row, block)
  const { grid, offsets } = assignGrid(writer, axes.kept.toReversed(), extents)
  const evaluator = new Evaluator(writer, { order: axes.all, extents }, offsets)
  return { row, block, grid, evaluator, offsets }
}

/** The values [block] of the row from `start`; `block` 1: one value, a scalar. */
export function rowValues(
  writer: KernelWriter,
  rows: Rows,
  input: LoopNode,
  start: TileValue,
  block: number,
): TileValue {
  const extents = new Map(rows.evaluator.tiling.extents).set(rows.row, block)
  const offsets = new Map(rows.offsets).set(rows.row, start)
  const evaluator = new Evaluator(writer, { order: writer.axes.all, extents }, offsets)
  const value = evaluator.value(input)
  const tile = evaluator.broadcast(value, evaluator.sorted([...value.axes, rows.row]))
  return tile.reshape(block === 1 ? [] : [block])
}

/** Stores the value and the index of one element of a row's result. */
export function storeRowResults(
  writer: KernelWriter,
  rows: Rows,
  input: LoopNode,
  results: readonly StoredRows[],
  length: Size,
  place: TileValue,
  index: TileValue,
): void {
  for (const { item, access, stride } of results) {
    const { view, axes } = writer.view(access, { size: length, stride })
    const value = item === 0 ? rowValues(writer, rows, input, index, 1) : index
    const offsets = [...axes.map(axis => rows.evaluator.offset(axis)), place]
    writer.t.store(view, offsets, value.reshape(offsets.map(() => 1)))
  }
}

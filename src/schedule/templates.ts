/** Kernels around a template: running folds, top-k and sort of rows, scatters; matmuls are contraction.ts's. */
import { rankRow } from '../kernels/rank-sort.js'
import { scanRow } from '../kernels/scan.js'
import { sortRow } from '../kernels/sort.js'
import { topkBlock, topkRow } from '../kernels/topk.js'
import { mulSizes, productOf, type Size } from '../scalar/size.js'
import type { TileValue, ViewValue } from '../tile/language.js'
import type { TensorDtype } from '../types/dtype.js'
import { rowMajorStrides } from './affine.js'
import { writeAttention } from './attention.js'
import { type Axis, accessesOf } from './axes.js'
import { type Access, type Anchor, type Body, type Expr, exprsOf, type RowAccess, type RowResult } from './body.js'
import type { Buffers } from './buffers.js'
import { bindResults, writeMatmul } from './contraction.js'
import { Evaluator } from './evaluate.js'
import { assignGrid, type Grid } from './grid.js'
import type { Ranking, SchedulePolicy } from './policy.js'
import { blockExtent } from './tiling.js'
import type { AxisView, KernelWriter } from './writer.js'

type Of<K extends Anchor['kind']> = Extract<Anchor, { kind: K }>

export function writeTemplate(
  body: Body,
  anchor: Anchor,
  writer: KernelWriter,
  policy: SchedulePolicy,
  buffers: Buffers,
): Grid {
  switch (anchor.kind) {
    case 'matmul':
      return writeMatmul(body, anchor, writer, policy)
    case 'attention':
      return writeAttention(body, anchor, writer, policy)
    case 'scan':
      return writeScan(body, anchor, writer, policy)
    case 'topk':
      return writeTopk(anchor, writer)
    case 'sort':
      return writeSort(anchor, writer, policy, buffers)
    case 'scatter':
      return writeScatter(anchor, writer, policy)
    default:
      return anchor satisfies never
  }
}

// --- rows ------------------------------------------------------------------------------------------------------------

interface Rows {
  readonly row: Axis
  readonly block: number
  readonly grid: Grid
  readonly evaluator: Evaluator
  /** Offsets of the rows this instance works on. */
  readonly offsets: ReadonlyMap<Axis, TileValue>
}

/** One row per program instance, read in blocks. */
function rowsOf(writer: KernelWriter, block: number): Rows {
  const { axes } = writer
  const row = axes.reduced[0]!
  const extents = new Map<Axis, number>(axes.kept.map(axis => [axis, 1]))
  extents.set(row, block)
  const { grid, offsets } = assignGrid(writer, axes.kept.toReversed(), extents)
  const evaluator = new Evaluator(writer, { order: axes.all, extents }, offsets)
  return { row, block, grid, evaluator, offsets }
}

/** The values [block] of the row from `start`; `block` 1: one value, a scalar. */
function rowValues(writer: KernelWriter, rows: Rows, input: Expr, start: TileValue, block: number): TileValue {
  const extents = new Map(rows.evaluator.tiling.extents).set(rows.row, block)
  const offsets = new Map(rows.offsets).set(rows.row, start)
  const evaluator = new Evaluator(writer, { order: writer.axes.all, extents }, offsets)
  const value = evaluator.value(input)
  const tile = evaluator.spread(value, evaluator.sorted([...value.axes, rows.row]))
  return tile.reshape(block === 1 ? [] : [block])
}

function writeScan(body: Body, anchor: Of<'scan'>, writer: KernelWriter, policy: SchedulePolicy): Grid {
  const { axes } = writer
  const { limits } = policy
  const row = axes.reduced[0]!
  const { columns, width } = besideScan(body, writer, policy)
  const block = blockExtent(row.size, Math.max(1, Math.floor(limits.maxScan / (width ?? 1))), limits)
  const extents = new Map<Axis, number>(axes.kept.map(axis => [axis, axis === columns ? width! : 1]))
  extents.set(row, block)
  const order = columns === null ? axes.all : [...axes.all.filter(axis => axis !== columns), columns]
  const { grid, offsets } = assignGrid(writer, axes.kept.toReversed(), extents)
  const evaluator = new Evaluator(writer, { order, extents }, offsets)
  const shape = width === null ? [block] : [block, width]
  writer.view(firstLoad(anchor.input, body))
  const from = <T>(start: TileValue, work: () => T): T =>
    evaluator.scoped(() => {
      evaluator.offsets.set(row, start)
      return work()
    })
  scanRow(writer.t, {
    dtype: anchor.input.dtype as TensorDtype,
    fn: anchor.fn,
    reverse: anchor.reverse,
    length: writer.axisSize(row),
    block,
    width,
    load: start =>
      from(start, () => {
        const value = evaluator.value(anchor.input)
        const wanted = evaluator.sorted([...value.axes, row, ...(columns === null ? [] : [columns])])
        return evaluator.spread(value, wanted).reshape(shape)
      }),
    store: (start, folds) =>
      from(start, () => {
        bindResults(body, evaluator, [folds.reshape(evaluator.shape(order))], order)
        for (const store of body.stores) evaluator.store(store.access, evaluator.value(store.expr))
      }),
  })
  return grid
}

/** The columns that are folded side by side, and how many of them at once. */
function besideScan(
  body: Body,
  writer: KernelWriter,
  policy: SchedulePolicy,
): { readonly columns: Axis | null; readonly width: number | null } {
  const columns = scanColumns(body, writer, writer.axes.reduced[0]!)
  const width = columns === null ? null : policy.scanWidth(columns.size)
  return { columns: width === null ? null : columns, width }
}

/**
 * The axis whose neighbours lie side by side in memory where a row's do not: a vector takes a step of as many rows. null:
 * there is none, or it is too short for a vector.
 */
function scanColumns(body: Body, { axes }: KernelWriter, row: Axis): Axis | null {
  const columns = axes.kept.at(-1)
  if (columns === undefined || (typeof columns.size === 'number' && columns.size < 8)) return null
  const suits = accessesOf(body).every(({ index }) => {
    const factors = axes.factors(index)
    return factors.get(row) !== 1 && (factors.get(columns) ?? 1) === 1
  })
  return suits ? columns : null
}

/** The access whose view gives the row's length. */
function firstLoad(input: Expr, body: Body): Access {
  for (const expr of exprsOf([input])) if (expr.kind === 'load') return expr.access
  return body.stores[0]!.access
}

function writeTopk(anchor: Of<'topk'>, writer: KernelWriter): Grid {
  const row = writer.axes.reduced[0]!
  const rows = rowsOf(writer, topkBlock(typeof row.size === 'number' ? row.size : null))
  for (const expr of exprsOf([anchor.input])) if (expr.kind === 'load') writer.view(expr.access)
  topkRow(writer.t, {
    dtype: anchor.input.dtype as TensorDtype,
    k: anchor.k,
    largest: anchor.largest,
    length: writer.axisSize(row),
    block: rows.block,
    inOneBlock: typeof row.size === 'number' && row.size <= rows.block,
    load: start => rowValues(writer, rows, anchor.input, start, rows.block).reshape([rows.block]),
    store: (place, index) => storeRowResults(writer, rows, anchor.input, anchor.results, anchor.k, place, index),
  })
  return rows.grid
}

/** Stores the value and the index at a place of a row's result. */
function storeRowResults(
  writer: KernelWriter,
  rows: Rows,
  input: Expr,
  results: readonly RowResult[],
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

/** Merged by one thread, or, where threads are many and the row is short enough, each element placed by a thread. */
function writeSort(anchor: Of<'sort'>, writer: KernelWriter, policy: SchedulePolicy, buffers: Buffers): Grid {
  const { t, axes } = writer
  const row = axes.reduced[0]!
  if (anchor.input.kind === 'load') writer.view(anchor.input.access)
  const ranking = policy.ranking(axes)
  if (ranking === null || (typeof row.size === 'number' && row.size > ranking.longest)) {
    const rows = rowsOf(writer, 1)
    mergeRows(anchor, writer, rows, buffers)
    return rows.grid
  }
  const { block } = ranking
  const extents = new Map<Axis, number>([...axes.kept.map((axis): [Axis, number] => [axis, 1]), [row, block]])
  const { grid, offsets } = assignGrid(writer, [row, ...axes.kept.toReversed()], extents)
  const start = offsets.get(row) ?? t.const(0n, 'i64')
  const evaluator = new Evaluator(writer, { order: axes.all, extents: new Map(extents).set(row, 1) }, offsets)
  const rows: Rows = { row, block, grid, evaluator, offsets }
  const rank = (): void => rankRows(anchor, writer, rows, start, ranking)
  if (typeof row.size === 'number') rank()
  else {
    const isFirst = (): void => t.if(start.eq(0), () => mergeRows(anchor, writer, rows, buffers))
    t.if(t.const(0n, 'i64').add(writer.axisSize(row)).le(ranking.longest), rank, isFirst)
  }
  return grid
}

function rankRows(
  { input, descending, results }: Of<'sort'>,
  writer: KernelWriter,
  rows: Rows,
  start: TileValue,
  { others }: Ranking,
): void {
  const { t } = writer
  rankRow(t, {
    dtype: input.dtype as TensorDtype,
    descending,
    length: writer.axisSize(rows.row),
    block: rows.block,
    start,
    others,
    values: (from, count) => rowValues(writer, rows, input, from, count).reshape([count]),
    store: (values, index, place, inside) => {
      for (const { item, access, stride } of results) {
        const { view, axes } = writer.view(access, { size: rows.row.size, stride })
        const at = [...axes.map(axis => rows.evaluator.offset(axis)), place]
        t.scatter(view, at, item === 0 ? values : index, { mask: inside })
      }
    },
  })
}

function mergeRows(anchor: Of<'sort'>, writer: KernelWriter, rows: Rows, buffers: Buffers): void {
  const { t } = writer
  const work = workRows(writer, rows, buffers)
  sortRow(t, {
    dtype: anchor.input.dtype as TensorDtype,
    descending: anchor.descending,
    length: writer.axisSize(rows.row),
    value: index => rowValues(writer, rows, anchor.input, index, 1),
    readIndex: (side, at) => t.load(work.view, work.at(side, at), work.ones).reshape([]),
    writeIndex: (side, at, index) => t.store(work.view, work.at(side, at), index.reshape(work.ones)),
    store: (place, index) => storeRowResults(writer, rows, anchor.input, anchor.results, rows.row.size, place, index),
  })
}

interface WorkRows {
  readonly view: ViewValue
  at(side: TileValue, place: TileValue): TileValue[]
  /** The shape of a single element. */
  readonly ones: readonly number[]
}

/** Two rows of indices per row to sort, one after the other. */
function workRows(writer: KernelWriter, rows: Rows, buffers: Buffers): WorkRows {
  const { axes } = writer
  const kept = axes.kept
  const length = rows.row.size
  const strides = rowMajorStrides([...kept.map(axis => axis.size), mulSizes(length, 2)])
  const buffer = buffers.temp('i64', mulSizes(productOf(kept.map(axis => axis.size)), mulSizes(length, 2)), 'work')
  // An axis is known by its innermost coordinate.
  const terms = new Map(kept.map((axis, d): [number, Size] => [axis.coords.at(-1)!, strides[d]!]))
  const access: Access = { buffer, dtype: 'i64', index: { offset: 0, terms } }
  const { view, axes: dims } = writer.view(access, { size: mulSizes(length, 2), stride: 1 })
  const size = writer.axisSize(rows.row)
  const at = (side: TileValue, place: TileValue): TileValue[] => [
    ...dims.map(axis => rows.evaluator.offset(axis)),
    side.mul(size).add(place),
  ]
  return { view, at, ones: [...dims.map(() => 1), 1] }
}

/** Columns that one program instance of a scatter works on side by side: their places never meet. */
const scatterColumns = 64
const scatterCopy = 16

/** First a copy of what is there; then the source's elements, one of each row after another. */
function writeScatter(anchor: Of<'scatter'>, writer: KernelWriter, { limits }: SchedulePolicy): Grid {
  const { t, axes } = writer
  const row = axes.reduced[0]!
  const { kept } = axes
  const columns = kept.at(-1)
  const extents = new Map(
    kept.map(axis => [axis, axis === columns ? blockExtent(axis.size, scatterColumns, limits) : 1]),
  )
  extents.set(row, blockExtent(row.size, columns === undefined ? scatterColumns : scatterCopy, limits))
  const { grid, offsets } = assignGrid(writer, kept.toReversed(), extents)
  const evaluator = new Evaluator(writer, { order: axes.all, extents }, offsets)
  for (const expr of exprsOf([anchor.input])) if (expr.kind === 'load') writer.view(expr.access)
  const result = rowView(writer, anchor.result)
  const at = (of: readonly Axis[]): TileValue[] => of.map(axis => evaluator.offset(axis))
  t.range(0, writer.axisSize(row), evaluator.extent(row), start =>
    evaluator.scoped(() => {
      evaluator.offsets.set(row, start)
      const all = [...result.axes, row]
      const tile = evaluator.spread(evaluator.value(anchor.input), evaluator.sorted(kept.concat(row)))
      t.store(result.view, [...at(result.axes), start], tile.reshape(evaluator.shape(all)))
    }),
  )
  const [index, source] = [rowView(writer, anchor.index), rowView(writer, anchor.source)]
  const element = ({ view, axes: own }: AxisView, i: TileValue): TileValue => {
    const tile = t.load(view, [...at(own), i], [...evaluator.shape(own), 1])
    return evaluator.spread({ tile: tile.reshape(evaluator.shape(own)), axes: own }, kept)
  }
  const positions = result.axes.map(axis => {
    const tile = t.iota(evaluator.extent(axis)).add(evaluator.offset(axis))
    return evaluator.spread({ tile, axes: [axis] }, kept)
  })
  t.range(0, writer.size(anchor.index.length), 1, i => {
    const places = [...positions, element(index, i)]
    const value = element(source, i)
    const folded = anchor.fold === 'set' ? value : t.map(anchor.fold, t.gather(result.view, places), value)
    t.scatter(result.view, places, folded)
  })
  return grid
}

const rowView = (writer: KernelWriter, { access, length, stride }: RowAccess): AxisView =>
  writer.view(access, { size: length, stride })

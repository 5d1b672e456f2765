/** Kernels around a template: running folds, top-k and sort of rows, scatters; matmuls are contraction.ts's. */
import { InternalError } from '../base/errors.js'
import { rankRow } from '../kernels/rank-sort.js'
import { scanRow } from '../kernels/scan.js'
import { sortRow } from '../kernels/sort.js'
import { topkBlock, topkRow } from '../kernels/topk.js'
import { type Access, accessOf, type RowAccess, type RowResult } from '../loop/access.js'
import { accessesOf } from '../loop/analysis.js'
import {
  dtypeOf,
  type LoopNode,
  type LoopNodeOf,
  type LoopProgram,
  matmulsOf,
  nodesBehind,
  storesOf,
  templatesOf,
} from '../loop/ir.js'
import { mulSizes, productOf, type Size } from '../scalar/size.js'
import type { TileValue, ViewValue } from '../tile/language.js'
import type { TensorDtype } from '../types/dtype.js'
import { rowMajorStrides } from './affine.js'
import { writeAttention } from './attention.js'
import type { Axis } from './axes.js'
import type { Buffers } from './buffers.js'
import { bindResults, writeMatmuls } from './contraction.js'
import { Evaluator } from './evaluate.js'
import { assignGrid, type Grid } from './grid.js'
import type { Ranking, SchedulePolicy } from './policy.js'
import { blockExtent } from './tiling.js'
import type { AxisView, KernelWriter } from './writer.js'

export function writeTemplate(
  program: LoopProgram,
  writer: KernelWriter,
  policy: SchedulePolicy,
  buffers: Buffers,
): Grid {
  const [template] = templatesOf(program)
  switch (template?.op) {
    case undefined:
      throw new InternalError('schedule: a program without a template')
    case 'matmul':
      return writeMatmuls(program, [template, ...matmulsOf(program).slice(1)], writer, policy)
    case 'attention':
      return writeAttention(program, template, writer, policy)
    case 'scan':
      return writeScan(program, template, writer, policy)
    case 'topk':
      return writeTopk(template, writer)
    case 'sort':
      return writeSort(template, writer, policy, buffers)
    case 'scatter':
      return writeScatter(template, writer, policy)
    default:
      return template satisfies never
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
function rowValues(writer: KernelWriter, rows: Rows, input: LoopNode, start: TileValue, block: number): TileValue {
  const extents = new Map(rows.evaluator.tiling.extents).set(rows.row, block)
  const offsets = new Map(rows.offsets).set(rows.row, start)
  const evaluator = new Evaluator(writer, { order: writer.axes.all, extents }, offsets)
  const value = evaluator.value(input)
  const tile = evaluator.spread(value, evaluator.sorted([...value.axes, rows.row]))
  return tile.reshape(block === 1 ? [] : [block])
}

function writeScan(program: LoopProgram, scan: LoopNodeOf<'scan'>, writer: KernelWriter, policy: SchedulePolicy): Grid {
  const { axes } = writer
  const [input] = scan.inputs as [LoopNode]
  const { limits } = policy
  const row = axes.reduced[0]!
  const { columns, width } = besideScan(program, writer, policy)
  const block = blockExtent(row.size, Math.max(1, Math.floor(limits.maxScan / (width ?? 1))), limits)
  const extents = new Map<Axis, number>(axes.kept.map(axis => [axis, axis === columns ? width! : 1]))
  extents.set(row, block)
  const order = columns === null ? axes.all : [...axes.all.filter(axis => axis !== columns), columns]
  const { grid, offsets } = assignGrid(writer, axes.kept.toReversed(), extents)
  const evaluator = new Evaluator(writer, { order, extents }, offsets)
  const shape = width === null ? [block] : [block, width]
  writer.view(firstLoad(input, program))
  const from = <T>(start: TileValue, work: () => T): T =>
    evaluator.scoped(() => {
      evaluator.offsets.set(row, start)
      return work()
    })
  scanRow(writer.t, {
    dtype: dtypeOf(input) as TensorDtype,
    fn: scan.attrs.fn,
    reverse: scan.attrs.reverse,
    length: writer.axisSize(row),
    block,
    width,
    load: start =>
      from(start, () => {
        const value = evaluator.value(input)
        const wanted = evaluator.sorted([...value.axes, row, ...(columns === null ? [] : [columns])])
        return evaluator.spread(value, wanted).reshape(shape)
      }),
    store: (start, folds) =>
      from(start, () => {
        bindResults(evaluator, [scan], [folds.reshape(evaluator.shape(order))], order)
        evaluator.storeAll(storesOf(program))
      }),
  })
  return grid
}

/** The columns that are folded side by side, and how many of them at once. */
function besideScan(
  program: LoopProgram,
  writer: KernelWriter,
  policy: SchedulePolicy,
): { readonly columns: Axis | null; readonly width: number | null } {
  const columns = scanColumns(program, writer, writer.axes.reduced[0]!)
  const width = columns === null ? null : policy.scanWidth(columns.size)
  return { columns: width === null ? null : columns, width }
}

/**
 * The axis whose neighbours lie side by side in memory where a row's do not: a vector takes a step of as many rows. null:
 * there is none, or it is too short for a vector.
 */
function scanColumns(program: LoopProgram, { axes }: KernelWriter, row: Axis): Axis | null {
  const columns = axes.kept.at(-1)
  if (columns === undefined || (typeof columns.size === 'number' && columns.size < 8)) return null
  const suits = accessesOf(program).every(({ index }) => {
    const factors = axes.factors(index)
    return factors.get(row) !== 1 && (factors.get(columns) ?? 1) === 1
  })
  return suits ? columns : null
}

/** The access whose view gives the row's length. */
function firstLoad(input: LoopNode, program: LoopProgram): Access {
  const load = nodesBehind([input]).find(node => node.op === 'load')
  return load?.attrs.access ?? storesOf(program)[0]!.attrs.access
}

function writeTopk({ inputs, attrs }: LoopNodeOf<'topk'>, writer: KernelWriter): Grid {
  const [input] = inputs as [LoopNode]
  const row = writer.axes.reduced[0]!
  const rows = rowsOf(writer, topkBlock(typeof row.size === 'number' ? row.size : null))
  writer.viewLoads(nodesBehind(inputs))
  topkRow(writer.t, {
    dtype: dtypeOf(input) as TensorDtype,
    k: attrs.k,
    largest: attrs.largest,
    length: writer.axisSize(row),
    block: rows.block,
    inOneBlock: typeof row.size === 'number' && row.size <= rows.block,
    load: start => rowValues(writer, rows, input, start, rows.block).reshape([rows.block]),
    store: (place, index) => storeRowResults(writer, rows, input, attrs.results, attrs.k, place, index),
  })
  return rows.grid
}

/** Stores the value and the index at a place of a row's result. */
function storeRowResults(
  writer: KernelWriter,
  rows: Rows,
  input: LoopNode,
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
function writeSort(sort: LoopNodeOf<'sort'>, writer: KernelWriter, policy: SchedulePolicy, buffers: Buffers): Grid {
  const { t, axes } = writer
  const row = axes.reduced[0]!
  writer.viewLoads(sort.inputs)
  const ranking = policy.ranking(axes)
  if (ranking === null || (typeof row.size === 'number' && row.size > ranking.longest)) {
    const rows = rowsOf(writer, 1)
    mergeRows(sort, writer, rows, buffers)
    return rows.grid
  }
  const { block } = ranking
  const extents = new Map<Axis, number>([...axes.kept.map((axis): [Axis, number] => [axis, 1]), [row, block]])
  const { grid, offsets } = assignGrid(writer, [row, ...axes.kept.toReversed()], extents)
  const start = offsets.get(row) ?? t.const(0n, 'i64')
  const evaluator = new Evaluator(writer, { order: axes.all, extents: new Map(extents).set(row, 1) }, offsets)
  const rows: Rows = { row, block, grid, evaluator, offsets }
  const rank = (): void => rankRows(sort, writer, rows, start, ranking)
  if (typeof row.size === 'number') rank()
  else {
    const isFirst = (): void => t.if(start.eq(0), () => mergeRows(sort, writer, rows, buffers))
    t.if(t.const(0n, 'i64').add(writer.axisSize(row)).le(ranking.longest), rank, isFirst)
  }
  return grid
}

function rankRows(
  { inputs, attrs: { descending, results } }: LoopNodeOf<'sort'>,
  writer: KernelWriter,
  rows: Rows,
  start: TileValue,
  { others }: Ranking,
): void {
  const { t } = writer
  const [input] = inputs as [LoopNode]
  rankRow(t, {
    dtype: dtypeOf(input) as TensorDtype,
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

function mergeRows(
  { inputs, attrs: { descending, results } }: LoopNodeOf<'sort'>,
  writer: KernelWriter,
  rows: Rows,
  buffers: Buffers,
): void {
  const { t } = writer
  const [input] = inputs as [LoopNode]
  const work = workRows(writer, rows, buffers)
  sortRow(t, {
    dtype: dtypeOf(input) as TensorDtype,
    descending,
    length: writer.axisSize(rows.row),
    value: index => rowValues(writer, rows, input, index, 1),
    readIndex: (side, at) => t.load(work.view, work.at(side, at), work.ones).reshape([]),
    writeIndex: (side, at, index) => t.store(work.view, work.at(side, at), index.reshape(work.ones)),
    store: (place, index) => storeRowResults(writer, rows, input, results, rows.row.size, place, index),
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
  const access = accessOf(buffer, 'i64', { offset: 0, terms })
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
function writeScatter(
  { inputs, attrs }: LoopNodeOf<'scatter'>,
  writer: KernelWriter,
  { limits }: SchedulePolicy,
): Grid {
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
  writer.viewLoads(nodesBehind(inputs))
  const result = rowView(writer, attrs.result)
  const at = (of: readonly Axis[]): TileValue[] => of.map(axis => evaluator.offset(axis))
  t.range(0, writer.axisSize(row), evaluator.extent(row), start =>
    evaluator.scoped(() => {
      evaluator.offsets.set(row, start)
      const all = [...result.axes, row]
      const tile = evaluator.spread(evaluator.value(inputs[0]!), evaluator.sorted(kept.concat(row)))
      t.store(result.view, [...at(result.axes), start], tile.reshape(evaluator.shape(all)))
    }),
  )
  const [index, source] = [rowView(writer, attrs.index), rowView(writer, attrs.source)]
  const element = ({ view, axes: own }: AxisView, i: TileValue): TileValue => {
    const tile = t.load(view, [...at(own), i], [...evaluator.shape(own), 1])
    return evaluator.spread({ tile: tile.reshape(evaluator.shape(own)), axes: own }, kept)
  }
  const positions = result.axes.map(axis => {
    const tile = t.iota(evaluator.extent(axis)).add(evaluator.offset(axis))
    return evaluator.spread({ tile, axes: [axis] }, kept)
  })
  t.range(0, writer.size(attrs.index.length), 1, i => {
    const places = [...positions, element(index, i)]
    const value = element(source, i)
    const folded = attrs.fold === 'set' ? value : t.map(attrs.fold, t.gather(result.view, places), value)
    t.scatter(result.view, places, folded)
  })
  return grid
}

const rowView = (writer: KernelWriter, { access, length, stride }: RowAccess): AxisView =>
  writer.view(access, { size: length, stride })

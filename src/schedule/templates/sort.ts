/** Sorting of rows. */
import { rankRow } from '../../kernels/rank-sort.js'
import { sortRow } from '../../kernels/sort.js'
import { accessOf } from '../../loop/access.js'
import { dtypeOf, type LoopNode, type TemplateNode } from '../../loop/ir.js'
import { mulSizes, productOf, type Size } from '../../scalar/size.js'
import type { TileValue, ViewValue } from '../../tile/language.js'
import type { TensorDtype } from '../../types/dtype.js'
import { rowMajorStrides } from '../groups/affine.js'
import type { AnchorNode } from '../groups/group.js'
import type { Buffers } from '../memory/buffers.js'
import type { Ranking } from '../policy.js'
import type { Axis } from '../tiling/axes.js'
import { Evaluator } from '../tiling/evaluate.js'
import { assignGrid, type Grid } from '../tiling/grid.js'
import type { KernelWriter } from '../tiling/writer.js'
import { type Rows, rowsOf, rowValues, storeRowResults } from './rows.js'
import type { KernelContext, Template } from './template.js'

type SortNode = TemplateNode<{ readonly descending: boolean }>

export const sort: Template<Extract<AnchorNode, { op: 'sort' }>, { readonly descending: boolean }> = {
  operands: () => [],
  reads: ({ inputs }) => inputs,
  build(program, node, map) {
    const { dim, descending } = node.attrs
    const inputs = [program.load(node.inputs[0]!, map)]
    const stored = program.storedRows(dim)
    return program.template(node, { inputs, operands: [map], stored, params: { descending } })
  },
  write: writeSort,
}

/**
 * Merge sort by one thread per row; or rank sort, one thread per element, where there are enough threads and the row is
 * short.
 */
function writeSort({ writer, policy, buffers }: KernelContext, sort: SortNode): Grid {
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
  { inputs, attrs: { params, stored } }: SortNode,
  writer: KernelWriter,
  rows: Rows,
  start: TileValue,
  { others }: Ranking,
): void {
  const { t } = writer
  const [input] = inputs as [LoopNode]
  rankRow(t, {
    dtype: dtypeOf(input) as TensorDtype,
    descending: params.descending,
    length: writer.axisSize(rows.row),
    block: rows.block,
    start,
    others,
    values: (from, count) => rowValues(writer, rows, input, from, count).reshape([count]),
    store: (values, index, place, inside) => {
      for (const { item, access, stride } of stored) {
        const { view, axes } = writer.view(access, { size: rows.row.size, stride })
        const at = [...axes.map(axis => rows.evaluator.offset(axis)), place]
        t.scatter(view, at, item === 0 ? values : index, { mask: inside })
      }
    },
  })
}

function mergeRows(
  { inputs, attrs: { params, stored } }: SortNode,
  writer: KernelWriter,
  rows: Rows,
  buffers: Buffers,
): void {
  const { t } = writer
  const [input] = inputs as [LoopNode]
  const work = workRows(writer, rows, buffers)
  sortRow(t, {
    dtype: dtypeOf(input) as TensorDtype,
    descending: params.descending,
    length: writer.axisSize(rows.row),
    value: index => rowValues(writer, rows, input, index, 1),
    readIndex: (side, at) => t.load(work.view, work.at(side, at), work.ones).reshape([]),
    writeIndex: (side, at, index) => t.store(work.view, work.at(side, at), index.reshape(work.ones)),
    store: (place, index) => storeRowResults(writer, rows, input, stored, rows.row.size, place, index),
  })
}

interface WorkRows {
  readonly view: ViewValue
  at(side: TileValue, place: TileValue): TileValue[]
  /** The shape of a single element. */
  readonly ones: readonly number[]
}

/** Two rows of indices per sorted row, adjacent in memory. */
function workRows(writer: KernelWriter, rows: Rows, buffers: Buffers): WorkRows {
  const { axes } = writer
  const kept = axes.kept
  const length = rows.row.size
  const strides = rowMajorStrides([...kept.map(axis => axis.size), mulSizes(length, 2)])
  const buffer = buffers.temp('i64', mulSizes(productOf(kept.map(axis => axis.size)), mulSizes(length, 2)), 'work')
  // An axis is identified by its innermost coordinate.
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

/** Scatter: elements stored, or reduced, at given indices of a dim. */
import type { ScatterFold } from '../../graph/ir.js'
import { nodesBehind, type RowsAt, type TemplateNode, type TensorAt } from '../../loop/ir.js'
import type { Size } from '../../scalar/size.js'
import type { TileValue } from '../../tile/language.js'
import type { AnchorNode } from '../groups/group.js'
import type { Axis } from '../tiling/axes.js'
import { Evaluator } from '../tiling/evaluate.js'
import { assignGrid, type Grid } from '../tiling/grid.js'
import { blockExtent } from '../tiling/tiling.js'
import type { AxisView, KernelWriter } from '../tiling/writer.js'
import { rowOf } from './rows.js'
import { alone, type KernelContext, type Template } from './template.js'

type ScatterParams = { readonly fold: ScatterFold }

export const scatter: Template<Extract<AnchorNode, { op: 'scatter' }>, ScatterParams> = {
  operands: (_, map) => [map],
  reads: ({ inputs }) => inputs.slice(1),
  build(program, node, map) {
    const { dim, fold } = node.attrs
    const inputs = [program.value(node.inputs[0]!, map)]
    const rows = [1, 2].map(input => ({ input, dim }))
    const stored = program.storedRows(dim)
    return program.template(node, { inputs, operands: [map], rows, row: rowOf(program), stored, params: { fold } })
  },
  stages: alone(writeScatter),
}

/** Columns that one program instance of a scatter processes in parallel: their elements never collide. */
const scatterColumns = 64
const scatterCopy = 16

/** Copies the input; then applies the source's elements in order, one per row at a time. */
function writeScatter({ writer, policy }: KernelContext, { inputs, attrs }: TemplateNode<ScatterParams>): Grid {
  const { limits } = policy
  const { fold } = attrs.params
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
  const result = rowView(writer, attrs.stored[0]!, attrs.results[0]!)
  const at = (of: readonly Axis[]): TileValue[] => of.map(axis => evaluator.offset(axis))
  t.range(0, writer.axisSize(row), evaluator.extent(row), start =>
    evaluator.scoped(() => {
      evaluator.offsets.set(row, start)
      const all = [...result.axes, row]
      const tile = evaluator.broadcast(evaluator.value(inputs[0]!), evaluator.sorted(kept.concat(row)))
      t.store(result.view, [...at(result.axes), start], tile.reshape(evaluator.shape(all)))
    }),
  )
  const [index, source] = attrs.rows.map(rows => rowView(writer, rows, rows)) as [AxisView, AxisView]
  const element = ({ view, axes: own }: AxisView, i: TileValue): TileValue => {
    const tile = t.load(view, [...at(own), i], [...evaluator.shape(own), 1])
    return evaluator.broadcast({ tile: tile.reshape(evaluator.shape(own)), axes: own }, kept)
  }
  const positions = result.axes.map(axis => {
    const tile = t.iota(evaluator.extent(axis)).add(evaluator.offset(axis))
    return evaluator.broadcast({ tile, axes: [axis] }, kept)
  })
  t.range(0, writer.size(lengthOf(attrs.rows[0]!, attrs.rows[0]!)), 1, i => {
    const places = [...positions, element(index, i)]
    const value = element(source, i)
    const folded = fold === 'set' ? value : t.map(fold, t.gather(result.view, places), value)
    t.scatter(result.view, places, folded)
  })
  return grid
}

const lengthOf = ({ dim }: RowsAt, { shape }: TensorAt): Size => shape[dim]!

const rowView = (writer: KernelWriter, rows: RowsAt, tensor: TensorAt): AxisView =>
  writer.view(rows.access, { size: lengthOf(rows, tensor), stride: rows.stride })

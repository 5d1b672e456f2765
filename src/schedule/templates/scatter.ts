/** Scatter: elements stored, or reduced, at given indices of a dim. */
import type { RowAccess } from '../../loop/access.js'
import { nodesBehind } from '../../loop/ir.js'
import type { TileValue } from '../../tile/language.js'
import type { AnchorNode } from '../groups/group.js'
import type { Axis } from '../tiling/axes.js'
import { Evaluator } from '../tiling/evaluate.js'
import { assignGrid } from '../tiling/grid.js'
import { blockExtent } from '../tiling/tiling.js'
import type { AxisView, KernelWriter } from '../tiling/writer.js'
import { rowOf } from './rows.js'
import type { Template, WriteTemplate } from './template.js'

export const scatter: Template<Extract<AnchorNode, { op: 'scatter' }>> = {
  operands: (_, map) => [map],
  reads: ({ inputs }) => inputs.slice(1),
  build(program, node, map) {
    const { dim, fold } = node.attrs
    const result = program.rowsOfResult(map, dim)
    const first = program.value(node.inputs[0]!, map)
    const [index, source] = node.inputs.slice(1).map(input => program.rowsOf(input, map, dim))
    return program.make(node, 'scatter', [first], { fold, row: rowOf(program), index: index!, source: source!, result })
  },
}

/** Columns that one program instance of a scatter processes in parallel: their elements never collide. */
const scatterColumns = 64
const scatterCopy = 16

/** Copies the input; then applies the source's elements in order, one per row at a time. */
export const writeScatter: WriteTemplate<'scatter'> = ({ writer, policy: { limits } }, { inputs, attrs }) => {
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
      const tile = evaluator.broadcast(evaluator.value(inputs[0]!), evaluator.sorted(kept.concat(row)))
      t.store(result.view, [...at(result.axes), start], tile.reshape(evaluator.shape(all)))
    }),
  )
  const [index, source] = [rowView(writer, attrs.index), rowView(writer, attrs.source)]
  const element = ({ view, axes: own }: AxisView, i: TileValue): TileValue => {
    const tile = t.load(view, [...at(own), i], [...evaluator.shape(own), 1])
    return evaluator.broadcast({ tile: tile.reshape(evaluator.shape(own)), axes: own }, kept)
  }
  const positions = result.axes.map(axis => {
    const tile = t.iota(evaluator.extent(axis)).add(evaluator.offset(axis))
    return evaluator.broadcast({ tile, axes: [axis] }, kept)
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

/** Scans along a dim. */
import { scanRow } from '../../kernels/scan.js'
import type { Access } from '../../loop/access.js'
import { accessesOf } from '../../loop/analysis.js'
import { dtypeOf, type LoopNode, type LoopProgram, nodesBehind, storesOf, type TemplateNode } from '../../loop/ir.js'
import type { TileValue } from '../../tile/language.js'
import type { TensorDtype } from '../../types/dtype.js'
import type { AnchorNode } from '../groups/group.js'
import type { SchedulePolicy } from '../policy.js'
import type { Axis } from '../tiling/axes.js'
import { Evaluator } from '../tiling/evaluate.js'
import { assignGrid, type Grid } from '../tiling/grid.js'
import { blockExtent } from '../tiling/tiling.js'
import type { KernelWriter } from '../tiling/writer.js'
import { bindResults } from './results.js'
import { alone, type KernelContext, type Template } from './template.js'

type ScanGraphNode = Extract<AnchorNode, { op: 'scan' }>
type ScanParams = Pick<ScanGraphNode['attrs'], 'fn' | 'reverse'>

export const scan: Template<ScanGraphNode, ScanParams> = {
  operands: (_, map) => [map],
  reads: () => [],
  build(program, node, map) {
    const { fn, reverse } = node.attrs
    const inputs = [program.value(node.inputs[0]!, map)]
    return program.template(node, { inputs, operands: [map], params: { fn, reverse } })
  },
  stages: alone(writeScan),
}

function writeScan({ program, writer, policy }: KernelContext, scan: TemplateNode<ScanParams>): Grid {
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
    ...scan.attrs.params,
    length: writer.axisSize(row),
    block,
    width,
    load: start =>
      from(start, () => {
        const value = evaluator.value(input)
        const wanted = evaluator.sorted([...value.axes, row, ...(columns === null ? [] : [columns])])
        return evaluator.broadcast(value, wanted).reshape(shape)
      }),
    store: (start, folds) =>
      from(start, () => {
        bindResults(evaluator, [scan], [folds.reshape(evaluator.shape(order))], order)
        evaluator.storeAll(storesOf(program))
      }),
  })
  return grid
}

/** The columns that are scanned in parallel, and how many of them at once. */
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
 * The axis that is contiguous in memory where the scanned dim is not: a vector advances that many rows at once. null: there
 * is none, or it is too short for a vector.
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

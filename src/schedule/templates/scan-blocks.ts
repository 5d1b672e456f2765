/** What the kernels of a scan have in common: the tiles of its values, and the results that are stored. */
import type { RowScan } from '../../kernels/scan.js'
import type { Access } from '../../loop/access.js'
import { dtypeOf, type LoopNode, nodesBehind, storesOf, type TemplateNode } from '../../loop/ir.js'
import { ceilDivSizes, mulSizes, type Size } from '../../scalar/size.js'
import type { TileValue } from '../../tile/language.js'
import type { TensorDtype } from '../../types/dtype.js'
import type { AnchorNode } from '../groups/group.js'
import type { Axis } from '../tiling/axes.js'
import type { Evaluator } from '../tiling/evaluate.js'
import type { Grid } from '../tiling/grid.js'
import type { ScanTiling } from '../tiling/scan-tiling.js'
import type { KernelWriter } from '../tiling/writer.js'
import { bindResults } from './results.js'
import type { StageContext } from './template.js'

export type ScanGraphNode = Extract<AnchorNode, { op: 'scan' }>
export type ScanParams = Pick<ScanGraphNode['attrs'], 'fn' | 'reverse'>

export class ScanBlocks {
  readonly input: LoopNode
  readonly row: Axis
  readonly dtype: TensorDtype
  /** Elements of a row in a block, and the blocks of a row. */
  readonly extent: number
  readonly count: Size
  /** The axes of tiles: those of more than one element, and the row. */
  readonly axes: readonly Axis[]

  constructor(
    readonly kernel: StageContext,
    readonly scan: TemplateNode<ScanParams>,
    readonly tiling: ScanTiling,
  ) {
    const { order, extents } = tiling
    this.input = scan.inputs[0] as LoopNode
    this.row = kernel.axes.reduced[0]!
    this.dtype = dtypeOf(this.input) as TensorDtype
    this.extent = extents.get(this.row)!
    this.count = tiling.isWhole ? 1 : ceilDivSizes(this.row.size, this.extent)
    this.axes = order.filter(axis => axis === this.row || extents.get(axis)! > 1)
  }

  /** Of a tile. */
  shape(evaluator: Evaluator): number[] {
    return evaluator.shape(this.axes)
  }

  /** The scanned axis of a tile. */
  get axis(): number {
    return this.axes.indexOf(this.row)
  }

  rowScan(writer: KernelWriter, evaluator: Evaluator, blocks: RowScan['blocks']): RowScan {
    writer.view(this.#firstLoad())
    const shape = this.shape(evaluator)
    return {
      dtype: this.dtype,
      ...this.scan.attrs.params,
      shape,
      axis: this.axis,
      blocks,
      length: writer.axisSize(this.row),
      load: start =>
        evaluator.scoped(() => {
          evaluator.offsets.set(this.row, start)
          const value = evaluator.value(this.input)
          return evaluator.broadcast(value, evaluator.sorted([...value.axes, ...this.axes])).reshape(shape)
        }),
    }
  }

  /** Stores the results of the block from element `start` on. */
  store(evaluator: Evaluator, start: TileValue, folds: TileValue): void {
    evaluator.scoped(() => {
      evaluator.offsets.set(this.row, start)
      bindResults(evaluator, [this.scan], [folds], this.tiling.order)
      evaluator.storeAll(storesOf(this.kernel.program))
    })
  }

  /** The grid of a kernel, empty for sizes that its tiling is not for. */
  whereUsed([x, y, z]: Grid): Grid {
    return [mulSizes(x, this.tiling.isUsed), y, z]
  }

  /** The access whose view gives the row's length. */
  #firstLoad(): Access {
    const load = nodesBehind([this.input]).find(node => node.op === 'load')
    return load?.attrs.access ?? storesOf(this.kernel.program)[0]!.attrs.access
  }
}

/**
 * Scans along a dim. A long row is cut into parts that are scanned side by side: a first kernel combines the values of each
 * part, and every part of the second begins with what the parts before it come to.
 */
import { foldRow, foldTile, identityOf, type RowScan, scanRow } from '../../kernels/scan.js'
import { type Access, accessOf } from '../../loop/access.js'
import { dtypeOf, type LoopNode, nodesBehind, storesOf, type TemplateNode } from '../../loop/ir.js'
import {
  boundOf,
  ceilDivSizes,
  floorDivSizes,
  maxSizes,
  minSizes,
  mulSizes,
  productOf,
  type Size,
  subSizes,
} from '../../scalar/size.js'
import type { TileValue } from '../../tile/language.js'
import type { TensorDtype } from '../../types/dtype.js'
import { rowMajorStrides } from '../groups/affine.js'
import type { AnchorNode } from '../groups/group.js'
import type { Axis } from '../tiling/axes.js'
import { Evaluator } from '../tiling/evaluate.js'
import { assignGrid, type Grid } from '../tiling/grid.js'
import type { ScanTiling } from '../tiling/scan-tiling.js'
import type { KernelWriter } from '../tiling/writer.js'
import { bindResults } from './results.js'
import type { Stage, StageContext, Template } from './template.js'

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
  stages: (kernel, node) =>
    kernel.policy.scanning(kernel.program, kernel.axes).flatMap(tiling => new TiledScan(kernel, node, tiling).stages()),
}

/** Elements of the parts' sums that a program combines at once. */
const maxSums = 1024

class TiledScan {
  readonly #input: LoopNode
  readonly #row: Axis
  readonly #dtype: TensorDtype
  /** Tile axes: the kept ones, with the row where it is in memory. */
  readonly #order: readonly Axis[]
  /** The axes of tiles, without those of one element. */
  readonly #wide: readonly Axis[]
  readonly #parts: Axis
  /** Blocks of a part. */
  readonly #blocks: Size
  /** What each part comes to, by part and kept axes; null: a row is one part. */
  readonly #sums: Access | null

  constructor(
    readonly kernel: StageContext,
    readonly scan: TemplateNode<ScanParams>,
    readonly tiling: ScanTiling,
  ) {
    const { axes, buffers } = kernel
    const { extents, order } = tiling
    this.#input = scan.inputs[0] as LoopNode
    this.#row = axes.reduced[0]!
    this.#dtype = dtypeOf(this.#input) as TensorDtype
    this.#order = order
    this.#wide = order.filter(axis => axis === this.#row || extents.get(axis)! > 1)
    const blocks = ceilDivSizes(this.#row.size, extents.get(this.#row)!)
    const parts = this.#partsOf(blocks)
    this.#parts = { id: axes.all.length, size: parts, reduced: false, coords: [] }
    this.#blocks = ceilDivSizes(blocks, parts)
    if (parts === 1) this.#sums = null
    else {
      const sizes = axes.kept.map(axis => axis.size)
      const strides = rowMajorStrides(sizes)
      const terms = new Map(axes.kept.map((axis, d): [number, Size] => [axis.coords.at(-1)!, strides[d]!]))
      const buffer = buffers.temp(this.#dtype, mulSizes(parts, productOf(sizes)), 'sums')
      this.#sums = accessOf(buffer, this.#dtype, { offset: 0, terms })
    }
  }

  stages(): readonly Stage[] {
    const whole: Stage = { suffix: this.tiling.name, write: writer => this.#write(writer) }
    return this.#sums === null ? [whole] : [{ suffix: 'sums', write: writer => this.#writeSums(writer) }, whole]
  }

  /** As many parts as the machine runs at once beside the other rows. */
  #partsOf(blocks: Size): Size {
    const { extents, slots, partBlocks } = this.tiling
    if (this.tiling.isWhole) return 1
    const { kept } = this.kernel.axes
    const programs = productOf(kept.map(axis => ceilDivSizes(axis.size, extents.get(axis)!)))
    return maxSizes(1, minSizes(floorDivSizes(blocks, partBlocks), floorDivSizes(slots, maxSizes(1, programs))))
  }

  /** Combines the values of each part that others come after. */
  #writeSums(writer: KernelWriter): Grid {
    const { reverse } = this.scan.attrs.params
    const { parts, ...place } = this.#place(writer, subSizes(this.#parts.size, 1))
    const part = reverse ? parts.add(1) : parts
    const evaluator = new Evaluator(writer, this.tiling, place.offsets)
    const sum = foldRow(writer.t, this.#rowScan(writer, evaluator, part), this.tiling.foldsTiles === true)
    const { view, axes } = this.#sumsView(writer)
    const kept = this.#order.filter(axis => axis !== this.#row)
    const tile = sum.reshape(evaluator.shape(kept)).transpose(axes.map(axis => kept.indexOf(axis)))
    const starts = [...axes.map(axis => evaluator.offset(axis)), part]
    writer.t.store(view, starts, tile.reshape([...evaluator.shape(axes), 1]))
    return this.#whereUsed(place.grid)
  }

  #write(writer: KernelWriter): Grid {
    const { grid, offsets, parts } = this.#place(writer, this.#parts.size)
    const evaluator = new Evaluator(writer, this.tiling, offsets)
    const row = this.#rowScan(writer, evaluator, this.#sums === null ? null : parts)
    const before = this.#sums === null ? null : this.#before(writer, evaluator, parts)
    scanRow(writer.t, row, before, (start, folds) =>
      evaluator.scoped(() => {
        evaluator.offsets.set(this.#row, start)
        bindResults(evaluator, [this.scan], [folds], this.#order)
        evaluator.storeAll(storesOf(this.kernel.program))
      }),
    )
    return this.#whereUsed(grid)
  }

  #whereUsed([x, y, z]: Grid): Grid {
    return [mulSizes(x, this.tiling.isUsed), y, z]
  }

  /** The grid over kept axes and so many parts. */
  #place(writer: KernelWriter, count: Size): { grid: Grid; offsets: Map<Axis, TileValue>; parts: TileValue } {
    if (this.tiling.warps !== undefined) writer.hints = { warps: this.tiling.warps }
    const parts = { ...this.#parts, size: count }
    const extents = new Map(this.tiling.extents).set(parts, 1)
    const { grid, offsets } = assignGrid(writer, [...writer.axes.kept.toReversed(), parts], extents)
    return { grid, offsets, parts: offsets.get(parts) ?? writer.t.const(0n, 'i64') }
  }

  /** The blocks of one part; null: of a row that is one part. */
  #rowScan(writer: KernelWriter, evaluator: Evaluator, part: TileValue | null): RowScan {
    const row = this.#row
    const extent = this.tiling.extents.get(row)!
    const shape = evaluator.shape(this.#wide)
    writer.view(this.#firstLoad())
    return {
      dtype: this.#dtype,
      ...this.scan.attrs.params,
      shape,
      axis: this.#wide.indexOf(row),
      blocks: this.#blocksOf(writer, extent, part),
      length: writer.axisSize(row),
      load: start =>
        evaluator.scoped(() => {
          evaluator.offsets.set(row, start)
          const value = evaluator.value(this.#input)
          const axes = evaluator.sorted([...value.axes, ...this.#wide])
          return evaluator.broadcast(value, axes).reshape(shape)
        }),
    }
  }

  #blocksOf(writer: KernelWriter, extent: number, part: TileValue | null): RowScan['blocks'] {
    const { t } = writer
    if (this.tiling.isWhole) return null
    const all = ceilDivSizes(this.#row.size, extent)
    const count = t
      .const(0n, 'i64')
      .add(writer.axisSize(this.#row))
      .add(extent - 1)
      .floorDiv(extent)
    if (part === null) return { first: t.const(0n, 'i64'), count: typeof all === 'number' ? all : count }
    if (this.#blocks === 1) return { first: part, count: 1 }
    const each = writer.size(this.#blocks)
    const first = part.mul(each)
    return { first, count: count.sub(first).min(each) }
  }

  /** What the parts that come before one come to. [shape without the row] */
  #before(writer: KernelWriter, evaluator: Evaluator, part: TileValue): TileValue {
    const { t } = writer
    const { fn, reverse } = this.scan.attrs.params
    const axis = this.#wide.indexOf(this.#row)
    const shape = evaluator.shape(this.#wide)
    const others = shape.toSpliced(axis, 1)
    const room = Math.max(1, maxSums / others.reduce((all, extent) => all * extent, 1))
    const most = boundOf(this.#parts.size) ?? room
    const chunk = 2 ** Math.ceil(Math.log2(Math.min(room, most)))
    const params = { fn, axis, dtype: this.#dtype }
    const { view, axes } = this.#sumsView(writer)
    const dims = this.#wide.map(each => (each === this.#row ? axes.length : axes.indexOf(each)))
    const [from, to] = reverse
      ? [part.add(1), t.const(0n, 'i64').add(writer.size(this.#parts.size))]
      : [t.const(0n, 'i64'), part]
    const at = (start: TileValue): TileValue => {
      const starts = axes.map(each => evaluator.offset(each))
      const loaded = t.load(view, [...starts, start], [...evaluator.shape(axes), chunk])
      const narrow = axes.filter(each => !this.#wide.includes(each)).map(each => axes.indexOf(each))
      const tile = loaded.transpose([...narrow, ...dims]).reshape(shape.with(axis, chunk))
      const line = shape.map((_, d) => (d === axis ? chunk : 1))
      const isBefore = t.iota(chunk).add(start).lt(to).reshape(line).broadcastTo(tile.shape)
      return foldTile(t, params, t.where(isBefore, tile, identityOf(t, params, tile.shape)))
    }
    if (most <= chunk) return at(from)
    const { before } = t.range(from, to, chunk, { before: identityOf(t, params, others) }, (start, carried) => ({
      before: t.map(fn, carried.before, at(start)),
    }))
    return before!
  }

  #sumsView(writer: KernelWriter) {
    const stride = productOf(writer.axes.kept.map(axis => axis.size))
    return writer.view(this.#sums!, { size: this.#parts.size, stride })
  }

  /** The access whose view gives the row's length. */
  #firstLoad(): Access {
    const load = nodesBehind([this.#input]).find(node => node.op === 'load')
    return load?.attrs.access ?? storesOf(this.kernel.program)[0]!.attrs.access
  }
}

/**
 * Scans along a dim. Rows of few blocks are scanned block by block. A long row is cut into parts that are scanned side by side:
 * a first kernel combines the values of each part, and every part of the second begins with what the parts before it come
 * to. Very long rows are scanned in one pass (scan-chained.ts).
 */
import { foldRow, foldTile, identityOf, type RowScan, scanRow } from '../../kernels/scan.js'
import { type Access, accessOf } from '../../loop/access.js'
import type { TemplateNode } from '../../loop/ir.js'
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
import { rowMajorStrides } from '../groups/affine.js'
import type { Axis } from '../tiling/axes.js'
import { Evaluator } from '../tiling/evaluate.js'
import { assignGrid, type Grid } from '../tiling/grid.js'
import type { ScanTiling } from '../tiling/scan-tiling.js'
import type { AxisView, KernelWriter } from '../tiling/writer.js'
import { ScanBlocks, type ScanGraphNode, type ScanParams } from './scan-blocks.js'
import { ChainedScan } from './scan-chained.js'
import { isMoreThan } from './sort.js'
import type { Stage, StageContext, Template } from './template.js'

export const scan: Template<ScanGraphNode, ScanParams> = {
  operands: (_, map) => [map],
  reads: () => [],
  build(program, node, map) {
    const { fn, reverse } = node.attrs
    const inputs = [program.value(node.inputs[0]!, map)]
    return program.template(node, { inputs, operands: [map], params: { fn, reverse } })
  },
  stages: (kernel, node) =>
    kernel.policy.scanning(kernel.program, kernel.axes).flatMap(tiling => {
      const blocks = new ScanBlocks(kernel, node, tiling)
      return (tiling.chained === null ? new ScanInParts(blocks) : new ChainedScan(blocks, tiling.chained)).stages()
    }),
}

/** Elements of the parts' sums that a program combines at once. */
const maxSums = 4096

class ScanInParts {
  readonly #tiling: ScanTiling
  readonly #kernel: StageContext
  readonly #scan: TemplateNode<ScanParams>
  readonly #parts: Axis
  /** Blocks of a part. */
  readonly #each: Size
  /** What each part comes to, by part and kept axes; null: a row is one part. */
  readonly #sums: Access | null

  constructor(readonly blocks: ScanBlocks) {
    const { kernel, tiling, scan, count, dtype } = blocks
    const { axes, buffers } = kernel
    this.#tiling = tiling
    this.#kernel = kernel
    this.#scan = scan
    const parts = this.#partsOf(count)
    this.#parts = { id: axes.all.length, size: parts, reduced: false, coords: [] }
    this.#each = ceilDivSizes(count, parts)
    if (parts === 1) this.#sums = null
    else {
      const sizes = axes.kept.map(axis => axis.size)
      const strides = rowMajorStrides(sizes)
      const terms = new Map(axes.kept.map((axis, d): [number, Size] => [axis.coords.at(-1)!, strides[d]!]))
      const buffer = buffers.temp(dtype, mulSizes(parts, productOf(sizes)), 'sums')
      this.#sums = accessOf(buffer, dtype, { offset: 0, terms })
    }
  }

  stages(): readonly Stage[] {
    const whole: Stage = { suffix: this.#tiling.name, write: writer => this.#write(writer) }
    return this.#sums === null ? [whole] : [{ suffix: 'sums', write: writer => this.#writeSums(writer) }, whole]
  }

  /** As many parts as the machine runs at once beside the other rows. */
  #partsOf(count: Size): Size {
    if (count === 1) return 1
    const { extents, slots, partBlocks, leastParts } = this.#tiling
    const programs = productOf(this.#kernel.axes.kept.map(axis => ceilDivSizes(axis.size, extents.get(axis)!)))
    const wanted = floorDivSizes(slots, maxSizes(1, programs))
    const cut = maxSizes(wanted, mulSizes(leastParts, isMoreThan(wanted, 1)))
    return maxSizes(1, minSizes(floorDivSizes(count, partBlocks), cut))
  }

  /** Combines the values of each part that others come after. */
  #writeSums(writer: KernelWriter): Grid {
    const { order } = this.#tiling
    const { row } = this.blocks
    const { grid, offsets, parts } = this.#place(writer, subSizes(this.#parts.size, 1))
    const part = this.#scan.attrs.params.reverse ? parts.add(1) : parts
    const evaluator = new Evaluator(writer, this.#tiling, offsets)
    const rowScan = this.blocks.rowScan(writer, evaluator, this.#blocksOf(writer, part))
    const sum = foldRow(writer.t, rowScan, this.#tiling.foldsTiles === true)
    const { view, axes } = this.#sumsView(writer)
    const kept = order.filter(axis => axis !== row)
    const tile = sum.reshape(evaluator.shape(kept)).transpose(axes.map(axis => kept.indexOf(axis)))
    const starts = [...axes.map(axis => evaluator.offset(axis)), part]
    writer.t.store(view, starts, tile.reshape([...evaluator.shape(axes), 1]))
    return this.blocks.whereUsed(grid)
  }

  #write(writer: KernelWriter): Grid {
    const { grid, offsets, parts } = this.#place(writer, this.#parts.size)
    const evaluator = new Evaluator(writer, this.#tiling, offsets)
    const isPart = this.#sums !== null
    const row = this.blocks.rowScan(writer, evaluator, this.#blocksOf(writer, isPart ? parts : null))
    const before = isPart ? this.#before(writer, evaluator, parts) : null
    scanRow(writer.t, row, before, (start, folds) => this.blocks.store(evaluator, start, folds))
    return this.blocks.whereUsed(grid)
  }

  /** The grid over kept axes and so many parts. */
  #place(writer: KernelWriter, count: Size): { grid: Grid; offsets: Map<Axis, TileValue>; parts: TileValue } {
    const { warps, extents } = this.#tiling
    if (warps !== undefined) writer.hints = { warps }
    const parts = { ...this.#parts, size: count }
    const innerFirst = [...writer.axes.kept.toReversed(), parts]
    const { grid, offsets } = assignGrid(writer, innerFirst, new Map(extents).set(parts, 1))
    return { grid, offsets, parts: offsets.get(parts) ?? writer.t.const(0n, 'i64') }
  }

  /** The blocks of a part; `part` null: of a row that is one part. */
  #blocksOf(writer: KernelWriter, part: TileValue | null): RowScan['blocks'] {
    const { t } = writer
    const { row, extent, count } = this.blocks
    if (this.#tiling.isWhole) return null
    if (part !== null && this.#each === 1) return { first: part, count: 1 }
    const length = t.const(0n, 'i64').add(writer.axisSize(row))
    const all = typeof count === 'number' ? count : length.add(extent - 1).floorDiv(extent)
    if (part === null) return { first: t.const(0n, 'i64'), count: all }
    const each = writer.size(this.#each)
    const first = part.mul(each)
    return { first, count: t.const(0n, 'i64').add(all).sub(first).min(each) }
  }

  /** What the parts that come before one come to. [shape without the row] */
  #before(writer: KernelWriter, evaluator: Evaluator, part: TileValue): TileValue {
    const { t } = writer
    const { axes: wide, axis, dtype, row } = this.blocks
    const { fn, reverse } = this.#scan.attrs.params
    const shape = this.blocks.shape(evaluator)
    const others = shape.toSpliced(axis, 1)
    const room = Math.max(1, maxSums / others.reduce((all, extent) => all * extent, 1))
    const most = boundOf(this.#parts.size) ?? room
    const chunk = 2 ** Math.ceil(Math.log2(Math.min(room, most)))
    const params = { fn, axis, dtype }
    const { view, axes } = this.#sumsView(writer)
    const dims = wide.map(each => (each === row ? axes.length : axes.indexOf(each)))
    const narrow = axes.filter(each => !wide.includes(each)).map(each => axes.indexOf(each))
    const none = t.const(0n, 'i64')
    const [from, to] = reverse ? [part.add(1), none.add(writer.size(this.#parts.size))] : [none, part]
    const at = (start: TileValue): TileValue => {
      const starts = axes.map(each => evaluator.offset(each))
      const loaded = t.load(view, [...starts, start], [...evaluator.shape(axes), chunk])
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

  #sumsView(writer: KernelWriter): AxisView {
    const stride = productOf(writer.axes.kept.map(axis => axis.size))
    return writer.view(this.#sums!, { size: this.#parts.size, stride })
  }
}

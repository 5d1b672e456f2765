/** Kernels of scatters: elements are put into memory at computed indices, by atomics or in order. */
import { nodesBehind, type UpdateNode } from '../../loop/ir.js'
import { ceilDivSizes } from '../../scalar/size.js'
import type { TileValue } from '../../tile/language.js'
import type { TensorDtype } from '../../types/dtype.js'
import type { Axis } from './axes.js'
import { type AxisTile, Evaluator } from './evaluate.js'
import { assignGrid, type Grid } from './grid.js'
import type { Tiling } from './tiling.js'
import type { AxisView, KernelWriter } from './writer.js'

/** How a scatter is divided among program instances. */
export type UpdateTiling =
  /** Each takes a block of the elements, and puts them by atomics: in any order. */
  | { readonly kind: 'atomic'; readonly tiling: Tiling }
  /** Each of `programs` counts blocks of the elements by their place, of which there are at most `bins`, and adds its counts. */
  | { readonly kind: 'counted'; readonly tiling: Tiling; readonly bins: number; readonly programs: number }
  /**
   * Each looks at all elements of its columns in order, one row at a time, and puts those that belong into its part of the
   * result, one of `parts` equal ones.
   */
  | { readonly kind: 'ordered'; readonly tiling: Tiling; readonly parts: number }

export function writeUpdate(update: UpdateNode, how: UpdateTiling, writer: KernelWriter): Grid {
  if (how.tiling.warps !== undefined) writer.hints = { warps: how.tiling.warps }
  if (how.kind === 'counted') return writeCounts(update, how, writer)
  return how.kind === 'atomic'
    ? writeAtomics(update, how.tiling, writer)
    : new OrderedUpdate(update, how.tiling, how.parts, writer).write()
}

/** The memory that a scatter changes, with its rows as the last dim. */
const resultView = ({ attrs: { access, size, stride } }: UpdateNode, writer: KernelWriter): AxisView =>
  writer.view(access, { size, stride })

function writeAtomics(update: UpdateNode, tiling: Tiling, writer: KernelWriter): Grid {
  const { t } = writer
  const { order, extents } = tiling
  const { grid, offsets } = assignGrid(writer, order.toReversed(), extents)
  const evaluator = new Evaluator(writer, tiling, offsets)
  writer.viewLoads(nodesBehind(update.inputs))
  const result = resultView(update, writer)
  const spread = (node: (typeof update.inputs)[number]): TileValue => evaluator.broadcast(evaluator.value(node), order)
  const [value, index] = update.inputs.map(spread) as [TileValue, TileValue]
  const positions = result.axes.map(axis => evaluator.broadcast(evaluator.positions(axis), order))
  // Elsewhere the view's bounds say what lies outside.
  const unbounded = order.filter(axis => !result.axes.includes(axis))
  const masks = unbounded.flatMap(axis => evaluator.inside(axis, order) ?? [])
  const options = masks.length === 0 ? {} : { mask: masks.reduce((a, b) => a.and(b)) }
  const { fold } = update.attrs
  const places = [...positions, index]
  if (fold === 'set') t.scatter(result.view, places, value, options)
  else t.atomic(fold, result.view, places, value, options)
  return grid
}

function writeCounts(
  update: UpdateNode,
  { tiling, bins, programs }: Extract<UpdateTiling, { kind: 'counted' }>,
  writer: KernelWriter,
): Grid {
  const { t } = writer
  const evaluator = new Evaluator(writer, tiling, new Map())
  writer.viewLoads(nodesBehind(update.inputs))
  const { view } = resultView(update, writer)
  const [axis] = tiling.order as readonly [Axis]
  const block = evaluator.extent(axis)
  const value = evaluator.value(update.inputs[0]!).tile
  const countsOf = (start: TileValue): TileValue =>
    evaluator.scoped(() => {
      evaluator.offsets.set(axis, start)
      const index = evaluator.broadcast(evaluator.value(update.inputs[1]!), [axis])
      const isPlace = index.ge(0).and(index.lt(bins))
      const inside = evaluator.inside(axis, [axis])
      return t
        .where(inside === null ? isPlace : isPlace.and(inside), index, bins)
        .to('i32')
        .histogram(bins)
    })
  const first = t.programId(0).mul(block)
  const { counts } = t.range(
    first,
    writer.axisSize(axis),
    block * programs,
    { counts: t.zeros([bins], 'i32') },
    (start, { counts: sum }) => ({ counts: sum.add(countsOf(start)) }),
  )
  const sums = counts.to(value.dtype as TensorDtype).mul(value)
  t.atomic('add', view, [t.iota(bins)], sums, { mask: counts.ne(0) })
  return [programs, 1, 1]
}

class OrderedUpdate {
  readonly #row: Axis
  readonly #kept: readonly Axis[]
  readonly #evaluator: Evaluator
  readonly #grid: Grid
  /** The range of the result's rows that this instance changes; null: all. */
  readonly #range: { readonly from: TileValue; readonly to: TileValue } | null

  constructor(
    readonly update: UpdateNode,
    tiling: Tiling,
    parts: number,
    readonly writer: KernelWriter,
  ) {
    const { size, along } = update.attrs
    this.#row = writer.axes.of(along)
    this.#kept = tiling.order.filter(axis => axis !== this.#row)
    const part: Axis = { id: -1, size: parts, reduced: false, coords: [] }
    const extents = new Map(tiling.extents).set(this.#row, 1).set(part, 1)
    const { grid, offsets } = assignGrid(writer, [...this.#kept.toReversed(), part], extents)
    this.#grid = grid
    this.#evaluator = new Evaluator(writer, { ...tiling, extents }, offsets)
    const own = offsets.get(part)
    if (own === undefined) this.#range = null
    else {
      const length = writer.size(ceilDivSizes(size, parts))
      const from = own.mul(length)
      this.#range = { from, to: from.add(length).min(writer.size(size)) }
    }
  }

  write(): Grid {
    const { writer, update } = this
    const evaluator = this.#evaluator
    writer.viewLoads(nodesBehind(update.inputs))
    const result = resultView(update, writer)
    const isSingle = evaluator.shape(this.#kept).every(extent => extent === 1)
    writer.t.range(0, writer.axisSize(this.#row), 1, i =>
      evaluator.scoped(() => {
        evaluator.offsets.set(this.#row, i)
        const index = evaluator.value(update.inputs[1]!)
        if (evaluator.shape(index.axes).every(extent => extent === 1) && !isSingle)
          this.#putRow(result, index.tile.reshape([]))
        else this.#putElements(result, index)
      }),
    )
    return this.#grid
  }

  /** All columns have one index: a row in memory. */
  #putRow({ view, axes }: AxisView, index: TileValue): void {
    const { t } = this.writer
    const evaluator = this.#evaluator
    const put = (): void => {
      const value = evaluator.scoped(() => evaluator.value(this.update.inputs[0]!))
      const offsets = [...axes.map(axis => evaluator.offset(axis)), index]
      const shape = [...evaluator.shape(axes), 1]
      // The result has no dims of the row, whose extent is 1.
      const ordered = evaluator.sorted([...axes, this.#row])
      const tile = evaluator
        .broadcast(value, ordered)
        .transpose([...axes, this.#row].map(axis => ordered.indexOf(axis)))
      t.store(
        view,
        offsets,
        this.#folded(() => t.load(view, offsets, shape), tile),
      )
    }
    if (this.#range === null) put()
    else t.if(index.ge(this.#range.from).and(index.lt(this.#range.to)), put)
  }

  /** Every column has its own index. */
  #putElements({ view, axes }: AxisView, own: AxisTile): void {
    const { t } = this.writer
    const evaluator = this.#evaluator
    const all = evaluator.sorted([...this.#kept, this.#row])
    const index = evaluator.broadcast(own, all)
    const places = [...axes.map(axis => evaluator.broadcast(evaluator.positions(axis), all)), index]
    const value = evaluator.broadcast(evaluator.value(this.update.inputs[0]!), all)
    const range = this.#range
    const options = range === null ? {} : { mask: index.ge(range.from).and(index.lt(range.to)) }
    t.scatter(
      view,
      places,
      this.#folded(() => t.gather(view, places, options), value),
      options,
    )
  }

  #folded(old: () => TileValue, value: TileValue): TileValue {
    const { fold } = this.update.attrs
    return fold === 'set' ? value : this.writer.t.map(fold, old(), value)
  }
}

/**
 * Kernels of loops: elementwise work, reductions, and chains of both over the same rows. Rows that fit one tile are
 * processed at once; longer ones block by block, in one pass per reduction that depends on another.
 */
import { InternalError } from '../../base/errors.js'
import { nodesOf } from '../../ir/walk.js'
import { isPerElement, reductionDepths } from '../../loop/analysis.js'
import {
  coordsOf,
  dtypeOf,
  type LoopNode,
  type LoopNodeOf,
  type LoopProgram,
  type StoreNode,
  storesOf,
} from '../../loop/ir.js'
import { isArgReduction, type ReductionName, type ScalarOpName } from '../../scalar/ops.js'
import { boundOf } from '../../scalar/size.js'
import { type TileOperand, TileValue } from '../../tile/language.js'
import { isFloat } from '../../types/dtype.js'
import type { Axis } from './axes.js'
import { type AxisTile, Evaluator } from './evaluate.js'
import { assignGrid, type Grid } from './grid.js'
import { isOneBlock, reducesInOneTile, type Tiling } from './tiling.js'
import type { KernelWriter } from './writer.js'

/** The range of a split reduced axis that a program instance reduces: `from` up to, but without, `to`. */
export interface Part {
  readonly axis: Axis
  readonly from: TileValue
  readonly to: TileOperand
}

/** Writes the tile program of a loop program without a template. `partOf`: for one part of a split reduction. */
export function writeLoops(
  program: LoopProgram,
  tiling: Tiling,
  writer: KernelWriter,
  partOf: PartMaker | null = null,
): Grid {
  if (tiling.warps !== undefined) writer.hints = { warps: tiling.warps }
  const kept = tiling.order.filter(axis => !axis.reduced).toReversed()
  const { grid, offsets } = assignGrid(writer, kept, tiling.extents)
  const evaluator = new Evaluator(writer, tiling, offsets)
  // Loads come first in the parameter list, then stores.
  writer.viewLoads(nodesOf<LoopNode>(program.body))
  const part = partOf === null ? null : partOf(writer, offsets)
  if (part === null && reducesInOneTile(tiling)) {
    if (tiling.foldsTiles) loadAll(program, evaluator)
    for (const store of storesOf(program)) storeNow(evaluator, store)
  } else new Passes(program, tiling, evaluator, part).write()
  return grid
}

export type PartMaker = (writer: KernelWriter, offsets: ReadonlyMap<Axis, TileValue>) => Part

/** Issues all loads before the first reduction, whose barriers would otherwise delay them. */
function loadAll({ body }: LoopProgram, evaluator: Evaluator): void {
  for (const node of nodesOf<LoopNode>(body)) if (node.op === 'load') evaluator.value(node)
}

function storeNow(evaluator: Evaluator, { inputs: [value], attrs, origin }: StoreNode): void {
  evaluator.writer.t.emitter.builder.withOrigin(origin, () => evaluator.store(attrs.access, evaluator.value(value!)))
}

type ReduceNode = LoopNodeOf<'reduce'>
const isArg = ({ attrs }: ReduceNode): boolean => isArgReduction(attrs.fn)

/** What a reduction carries from block to block: its partial result, or the best value and its index. */
interface Folding {
  readonly node: ReduceNode
  readonly axes: readonly Axis[]
  readonly key: string
}

/**
 * Adding thousands of blocks to one accumulator accumulates as many rounding errors. Partial sums of `blocksPerSum` blocks
 * each, added at the end, reduce that to about the square root.
 */
const blocksPerSum = 64
const isLong = ({ size }: Axis, extent: number): boolean =>
  extent < 64 && (typeof size !== 'number' || size > 4 * blocksPerSum * extent)

interface Sums {
  readonly start: Record<string, TileValue>
  join(a: Record<string, TileValue>, b: Record<string, TileValue>): Record<string, TileValue>
}

class Passes {
  readonly #depths: ReadonlyMap<LoopNode, number>
  readonly #stores: readonly StoreNode[]

  constructor(
    readonly program: LoopProgram,
    readonly tiling: Tiling,
    readonly evaluator: Evaluator,
    readonly part: Part | null,
  ) {
    this.#depths = reductionDepths(program)
    this.#stores = storesOf(program)
  }

  /** Writes one pass over the reduced axes per level of dependent reductions, with the stores that each level allows. */
  write(): void {
    const last = Math.max(0, ...this.#depths.values())
    for (let pass = 1; pass <= last + 1; pass++) {
      const reduces = [...this.#depths].flatMap(([node, depth]) =>
        node.op === 'reduce' && depth === pass ? [node] : [],
      )
      const stores = this.#stores.filter(
        store => isPerElement(store, this.program) && this.#depths.get(store) === pass - 1,
      )
      if (reduces.length > 0 || stores.length > 0) this.#pass(reduces, stores)
    }
    for (const store of this.#stores) if (!isPerElement(store, this.program)) storeNow(this.evaluator, store)
  }

  /** Writes one loop over the reduced axes, which carries the accumulators of `reduces` and runs `stores` per element. */
  #pass(reduces: readonly ReduceNode[], stores: readonly StoreNode[]): void {
    const { evaluator } = this
    for (const { inputs } of [...stores, ...reduces]) evaluator.hoist(inputs[0]!)
    const shared = new Map(reduces.flatMap(node => this.#searchFor(node, reduces)))
    const carrying = reduces.filter(node => !shared.has(node))
    const foldings = carrying.map((node, i): Folding => ({ node, axes: this.#keptAxes(node), key: `f${i}` }))
    const carried: Record<string, TileValue> = {}
    for (const folding of foldings) Object.assign(carried, this.#start(folding))
    const result = this.#loop(
      this.tiling.order.filter(axis => axis.reduced),
      carried,
      values => {
        const next: Record<string, TileValue> = {}
        for (const folding of foldings) Object.assign(next, this.#fold(folding, values))
        for (const store of stores) storeNow(evaluator, store)
        return next
      },
      stores.length > 0 ? null : this.#sums(foldings, carried),
    )
    for (const folding of foldings) evaluator.bind(folding.node, this.#end(folding, result))
    for (const [node, search] of shared) {
      const { axes, key } = foldings.find(folding => folding.node === search)!
      evaluator.bind(node, evaluator.reduceAxes(result[key]!, axes, node.attrs.fn))
    }
  }

  /** A search for the position of the value that a reduction finds: it carries the value too. */
  #searchFor(node: ReduceNode, reduces: readonly ReduceNode[]): [ReduceNode, ReduceNode][] {
    if (!this.#foldsTile) return []
    const search = reduces.find(
      other => isArg(other) && bestOf(other) === node.attrs.fn && other.inputs[0] === node.inputs[0],
    )
    return search === undefined ? [] : [[node, search]]
  }

  /** The axes that a reduction's result depends on. */
  #keptAxes({ inputs }: ReduceNode): Axis[] {
    const { axes } = this.evaluator.writer
    return this.evaluator.sorted(axes.spanning(coordsOf(inputs[0]!)).filter(axis => !axis.reduced))
  }

  /** How float sums are added from partial sums; null if any reduction is something else. */
  #sums(foldings: readonly Folding[], start: Record<string, TileValue>): Sums | null {
    const { evaluator } = this
    const isSum = ({ node }: Folding): boolean => node.attrs.fn === 'add' && isFloat(start.f0!.dtype)
    if (foldings.length === 0 || !foldings.every(isSum)) return null
    const join = (a: Record<string, TileValue>, b: Record<string, TileValue>): Record<string, TileValue> =>
      Object.fromEntries(Object.keys(start).map(key => [key, combine(evaluator, 'add', a[key]!, b[key]!)]))
    return { start, join }
  }

  /** Loops over the blocks of the reduced axes, outermost first. */
  #loop(
    axes: readonly Axis[],
    carried: Record<string, TileValue>,
    body: (carried: Record<string, TileValue>) => Record<string, TileValue>,
    sums: Sums | null = null,
  ): Record<string, TileValue> {
    const { evaluator, part } = this
    const [axis, ...inner] = axes
    if (axis === undefined) return evaluator.scoped(() => body(carried))
    const own = part?.axis === axis ? part : null
    if (own === null && isOneBlock(axis, evaluator.extent(axis))) return this.#loop(inner, carried, body)
    const { t } = evaluator.writer
    const end = own?.to ?? evaluator.writer.axisSize(axis)
    const extent = evaluator.extent(axis)
    const blocks = (from: TileOperand, to: TileOperand, start: Record<string, TileValue>): Record<string, TileValue> =>
      t.range(from, to, extent, start, (offset, values) =>
        evaluator.scoped(() => {
          evaluator.offsets.set(axis, offset)
          return this.#loop(inner, values, body)
        }),
      )
    if (own !== null || sums === null || !isLong(axis, extent)) return blocks(own?.from ?? 0, end, carried)
    return t.range(0, end, extent * blocksPerSum, carried, (from, values) => {
      const to = from.add(extent * blocksPerSum).min(end)
      return sums.join(values, blocks(from, to, sums.start))
    })
  }

  /** Whether a reduction carries a whole tile, reduced at the end. */
  get #foldsTile(): boolean {
    return this.tiling.foldsTiles === true
  }

  #start(folding: Folding): Record<string, TileValue> {
    const { node, axes, key } = folding
    const { evaluator } = this
    const shape = evaluator.shape(this.#foldsTile ? evaluator.reducedFrom(axes) : axes)
    const value = evaluator.identity(node.attrs.fn, dtypeOf(node.inputs[0]!)).broadcastTo(shape)
    if (!isArg(node)) return { [key]: value }
    const dtype = this.#foldsTile ? positionDtype(this.#searched) : 'i64'
    return { [key]: value, [`${key}index`]: evaluator.writer.t.zeros(shape, dtype) }
  }

  #end(folding: Folding, result: Record<string, TileValue>): AxisTile {
    const { node, axes, key } = folding
    const [tile, index] = [result[key]!, result[`${key}index`]]
    if (!this.#foldsTile) return { tile: index ?? tile, axes }
    return index === undefined
      ? this.evaluator.reduceAxes(tile, axes, node.attrs.fn)
      : this.#firstBest(folding, tile, index)
  }

  /** The first position of the best values, from each element's best value and the start of the block that has it. */
  #firstBest({ node, axes }: Folding, values: TileValue, starts: TileValue): AxisTile {
    const { evaluator } = this
    const { t } = evaluator.writer
    const all = evaluator.reducedFrom(axes)
    const best = evaluator.broadcast(evaluator.reduceAxes(values, axes, bestOf(node)), all)
    const isBest = isFloat(values.dtype) ? values.eq(best).or(values.isnan()) : values.eq(best)
    const counts = { tile: t.iota(evaluator.extent(this.#searched)), axes: [this.#searched] }
    const positions = starts.to('i64').add(evaluator.broadcast(counts, all))
    const found = t.where(isBest, positions, evaluator.identity('min', 'i64').broadcastTo(positions.shape))
    return evaluator.reduceAxes(found, axes, 'min')
  }

  /** The axis along which positions are found. */
  get #searched(): Axis {
    const [axis, ...more] = this.evaluator.writer.axes.reduced
    if (axis === undefined || more.length > 0) throw new InternalError('schedule: argmax over several axes')
    return axis
  }

  /** The next accumulators of one reduction, after the current block. */
  #fold(folding: Folding, carried: Record<string, TileValue>): Record<string, TileValue> {
    const { node, axes, key } = folding
    const { evaluator } = this
    const { t } = evaluator.writer
    const { builder } = t.emitter
    return builder.withOrigin(node.origin, () => {
      if (isArg(node)) return this.#foldIndex(folding, carried)
      const fn = node.attrs.fn as ScalarOpName
      const block = this.#foldsTile
        ? evaluator.foldedTile(node, axes)
        : evaluator.broadcast(evaluator.reduceTile(node), axes)
      return { [key]: combine(evaluator, fn, carried[key]!, block) }
    })
  }

  /** Updates the first best elements: a later one replaces them only if better, or if it is the first NaN. */
  #foldIndex({ node, axes, key }: Folding, carried: Record<string, TileValue>): Record<string, TileValue> {
    const { evaluator } = this
    const { t } = evaluator.writer
    const [oldValue, oldIndex] = [carried[key]!, carried[`${key}index`]!]
    const start = evaluator.offset(this.#searched)
    const [value, index] = this.#foldsTile
      ? [evaluator.foldedTile(node, axes, bestOf(node)), start.to(oldIndex.dtype).broadcastTo(oldIndex.shape)]
      : [
          evaluator.broadcast(evaluator.reduceTile(node, bestOf(node)), axes),
          evaluator.broadcast(evaluator.reduceTile(node), axes).add(start),
        ]
    const isFirst = t.map(node.attrs.fn === 'argmax' ? 'le' : 'ge', value, oldValue)
    const stays = isFloat(value.dtype) ? isFirst.or(oldValue.isnan()) : isFirst
    return { [key]: t.where(stays, oldValue, value), [`${key}index`]: t.where(stays, oldIndex, index) }
  }
}

/** What finds the value whose position `argmax` and `argmin` find. */
const bestOf = ({ attrs }: ReduceNode): ReductionName => (attrs.fn === 'argmax' ? 'max' : 'min')

/** The dtype of positions along an axis. */
function positionDtype({ size }: Axis): 'i32' | 'i64' {
  const most = boundOf(size)
  return most !== null && most < 2 ** 31 ? 'i32' : 'i64'
}

function combine(evaluator: Evaluator, fn: ScalarOpName, a: TileValue, b: TileValue): TileValue {
  const { emitter } = evaluator.writer.t
  return new TileValue(emitter, emitter.emit('map', [a.node, b.node], { fn }))
}

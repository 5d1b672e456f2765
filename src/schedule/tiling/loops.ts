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
  nodesBehind,
  type StoreNode,
  storesOf,
} from '../../loop/ir.js'
import { isArgReduction, type ReductionName, type ScalarOpName } from '../../scalar/ops.js'
import { boundOf } from '../../scalar/size.js'
import { type TileOperand, TileValue } from '../../tile/language.js'
import { isFloat } from '../../types/dtype.js'
import type { Axis } from './axes.js'
import { type AxisTile, Evaluator, type Scope } from './evaluate.js'
import { assignGrid, type Grid } from './grid.js'
import { isOneBlock, reducesInOneTile, type Tiling } from './tiling.js'
import type { KernelWriter } from './writer.js'

/** The range of a split reduced axis that a program instance reduces: `from` up to, but without, `to`. */
export interface Part {
  readonly axis: Axis
  readonly from: TileValue
  readonly to: TileValue
}

/** Writes the tile program of a loop program without a template. `partOf`: for one part of a split reduction. */
export function writeLoops(
  program: LoopProgram,
  tiling: Tiling,
  writer: KernelWriter,
  partOf: PartMaker | null = null,
): Grid {
  const { warps, residents } = tiling
  if (warps !== undefined) writer.hints = residents === undefined ? { warps } : { warps, residents }
  const kept = tiling.order.filter(axis => !axis.reduced).toReversed()
  const { grid, offsets } = assignGrid(writer, kept, tiling.extents)
  const evaluator = new Evaluator(writer, tiling, offsets)
  // Loads come first in the parameter list, then stores.
  writer.viewLoads(nodesOf<LoopNode>(program.body))
  const parts = partOf === null ? null : partOf(writer, offsets)
  if (parts === null && reducesInOneTile(tiling)) {
    if (tiling.foldsTiles) loadReduced(program, evaluator)
    loadOverwritten(program, evaluator)
    for (const store of inOrder(storesOf(program))) storeNow(evaluator, store)
  } else new Passes(program, tiling, evaluator, parts).write()
  return grid
}

/** The parts of the axes that are divided. */
export type PartMaker = (writer: KernelWriter, offsets: ReadonlyMap<Axis, TileValue>) => ReadonlyMap<Axis, Part>

/** Issues all loads behind reductions before the first one, whose barriers would otherwise delay them. */
function loadReduced({ body }: LoopProgram, evaluator: Evaluator): void {
  const reduces = nodesOf<LoopNode>(body).filter(node => node.op === 'reduce')
  for (const node of nodesBehind(reduces)) if (node.op === 'load') evaluator.value(node)
}

/** Where a kernel updates several tensors, loads all that it overwrites before the first store: each may be read for another. */
function loadOverwritten(program: LoopProgram, evaluator: Evaluator): void {
  const stores = storesOf(program)
  if (stores.length < 2) return
  const written = new Set(stores.map(({ attrs }) => attrs.access.buffer))
  for (const node of nodesOf<LoopNode>(program.body))
    if (node.op === 'load' && written.has(node.attrs.access.buffer)) evaluator.value(node)
}

/** More values than this are stored as they are computed, one from another, so that few are held at once. */
const fewStores = 4

const inOrder = (stores: readonly StoreNode[]): readonly StoreNode[] =>
  stores.length <= fewStores ? stores : stores.toSorted((a, b) => a.inputs[0]!.id - b.inputs[0]!.id)

function storeNow(evaluator: Evaluator, { inputs: [value], attrs, origin }: StoreNode): void {
  evaluator.writer.t.emitter.builder.withOrigin(origin, () => evaluator.store(attrs.access, evaluator.value(value!)))
}

type ReduceNode = LoopNodeOf<'reduce'>
const isArg = ({ attrs }: ReduceNode): boolean => isArgReduction(attrs.fn)

/** What a reduction carries from block to block: its partial result, or the best value and its index. */
interface Folding {
  readonly node: ReduceNode
  /** Of a maximum: the sum that is computed with it. */
  readonly sum: ExponentialSum | null
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

/** A sum of exp(x − shift), where the shift follows from the maximum of x. */
interface ExponentialSum {
  readonly node: ReduceNode
  readonly shift: LoopNode
}

/**
 * By maximum, the sum of exponentials that can be computed in the same pass: relative to the largest value so far (Milakov and
 * Gimelshein, arXiv:1805.02867).
 */
function exponentialSums({ body }: LoopProgram): Map<LoopNode, ExponentialSum> {
  const found = new Map<LoopNode, ExponentialSum>()
  const reduces = nodesOf<LoopNode>(body).filter(node => node.op === 'reduce')
  for (const node of reduces) {
    const [exp] = node.inputs as [LoopNode]
    const [difference] = exp.inputs
    if (node.attrs.fn !== 'add' || !isMap(exp, 'exp') || !isMap(difference, 'sub')) continue
    const [x, shift] = difference.inputs as [LoopNode, LoopNode]
    const max = reduces.find(({ attrs, inputs }) => attrs.fn === 'max' && inputs[0] === x)
    if (max !== undefined && dependsOnly(shift, max)) found.set(max, { node, shift })
  }
  return found
}

const isMap = (node: LoopNode | undefined, fn: ScalarOpName): node is LoopNodeOf<'map'> =>
  node?.op === 'map' && node.attrs.fn === fn

/** True when a value follows from a reduction and from nothing else that is reduced. */
const dependsOnly = (node: LoopNode, reduction: LoopNode): boolean =>
  node === reduction ||
  (node.op !== 'reduce' && node.op !== 'load' && node.inputs.every(input => dependsOnly(input, reduction)))

/** Runs code at the offsets of one block. */
type Within = <T>(run: () => T) => T
const here: Within = run => run()

type Carried = Record<string, TileValue>
/** What a pass does with the blocks of one iteration. */
type Body = (carried: Carried, blocks: readonly Within[]) => Carried

interface Sums {
  readonly start: Carried
  join(a: Carried, b: Carried): Carried
}

class Passes {
  readonly #depths: ReadonlyMap<LoopNode, number>
  readonly #stores: readonly StoreNode[]
  /** null: a row takes several iterations. */
  readonly #held: readonly Within[] | null

  constructor(
    readonly program: LoopProgram,
    readonly tiling: Tiling,
    readonly evaluator: Evaluator,
    readonly parts: ReadonlyMap<Axis, Part> | null,
  ) {
    this.#depths = reductionDepths(program)
    this.#stores = storesOf(program)
    this.#held = this.#rowBlocks()
  }

  /** Writes one pass over the reduced axes per level of dependent reductions, with the stores that each level allows. */
  write(): void {
    const last = Math.max(0, ...this.#depths.values())
    const withMax = this.#held === null && this.tiling.unroll !== undefined ? exponentialSums(this.program) : new Map()
    const alone = new Set<LoopNode>([...withMax.values()].map(({ node }) => node))
    for (let pass = 1; pass <= last + 1; pass++) {
      const reduces = [...this.#depths].flatMap(([node, depth]) =>
        node.op === 'reduce' && depth === pass && !alone.has(node)
          ? [{ node, sum: withMax.get(node) ?? null, axes: this.#keptAxes(node), key: `f${node.id}` }]
          : [],
      )
      const stores = this.#stores.filter(
        store => isPerElement(store, this.program) && this.#depths.get(store) === pass - 1,
      )
      if (reduces.length > 0 || stores.length > 0) this.#pass(reduces, stores)
    }
    for (const store of this.#stores) if (!isPerElement(store, this.program)) storeNow(this.evaluator, store)
  }

  /** Writes one loop over the reduced axes, which carries the accumulators of all reductions and runs `stores` per element. */
  #pass(all: readonly Folding[], stores: readonly StoreNode[]): void {
    const { evaluator } = this
    const shared = new Map(all.flatMap(folding => this.#searchFor(folding, all)))
    const foldings = all.filter(folding => !shared.has(folding))
    const reduces = foldings.map(({ node }) => node)
    for (const { inputs } of [...stores, ...reduces]) evaluator.hoist(inputs[0]!)
    const carried: Carried = {}
    for (const folding of foldings) Object.assign(carried, this.#start(folding))
    const result = this.#loop(
      this.tiling.order.filter(axis => axis.reduced),
      carried,
      (values, blocks) => {
        // Of rows, what is stored beside them is loaded block by block; of columns, a block is done after the other. So the values
        // of few are held.
        const isRow = this.tiling.order.at(-1)!.reduced
        this.#loadFirst(isRow ? reduces : [...reduces, ...stores], blocks)
        const isTogether = isRow || foldings.some(({ sum }) => sum !== null)
        const together = isTogether ? [blocks] : blocks.map(block => [block])
        let next = values
        for (const some of together) {
          for (const folding of foldings) next = { ...next, ...this.#foldAll(folding, next, some) }
          for (const within of some) within(() => stores.forEach(store => void storeNow(evaluator, store)))
        }
        return next
      },
      stores.length > 0 ? null : this.#sums(foldings, carried),
    )
    for (const folding of foldings) this.#end(folding, result)
    for (const [{ node }, { axes, key }] of shared)
      evaluator.bind(node, evaluator.reduceAxes(result[key]!, axes, node.attrs.fn))
  }

  /** A search for the position of the value that a reduction finds: it carries the value too. */
  #searchFor(folding: Folding, foldings: readonly Folding[]): [Folding, Folding][] {
    const { node } = folding
    const isSearch = (other: ReduceNode): boolean =>
      isArg(other) && bestOf(other) === node.attrs.fn && other.inputs[0] === node.inputs[0]
    const search = foldings.find(other => isSearch(other.node))
    return !this.#foldsTile || folding.sum !== null || search === undefined ? [] : [[folding, search]]
  }

  /** Issues the loads of all blocks before the first arithmetic. */
  #loadFirst(nodes: readonly LoopNode[], blocks: readonly Within[]): void {
    if (blocks.length === 1) return
    const loads = nodesBehind(nodes).filter(node => node.op === 'load')
    for (const within of blocks) within(() => loads.forEach(load => void this.evaluator.value(load)))
  }

  /** The axes that a reduction's result depends on. */
  #keptAxes({ inputs }: ReduceNode): Axis[] {
    const { axes } = this.evaluator.writer
    return this.evaluator.sorted(axes.spanning(coordsOf(inputs[0]!)).filter(axis => !axis.reduced))
  }

  /** How float sums are added from partial sums; null if any reduction is something else. */
  #sums(foldings: readonly Folding[], start: Carried): Sums | null {
    const { evaluator } = this
    const isSum = ({ node }: Folding): boolean => node.attrs.fn === 'add' && isFloat(dtypeOf(node))
    if (foldings.length === 0 || !foldings.every(isSum)) return null
    const join = (a: Carried, b: Carried): Carried =>
      Object.fromEntries(Object.keys(start).map(key => [key, combine(evaluator, 'add', a[key]!, b[key]!)]))
    return { start, join }
  }

  /** Loops over the blocks of the reduced axes, outermost first. */
  #loop(axes: readonly Axis[], carried: Carried, body: Body, sums: Sums | null = null): Carried {
    const { evaluator } = this
    if (this.#held !== null) return body(carried, this.#held)
    const [axis, ...inner] = axes
    if (axis === undefined) return evaluator.scoped(() => body(carried, [here]))
    const own = this.parts?.get(axis) ?? null
    if (own === null && isOneBlock(axis, evaluator.extent(axis))) return this.#loop(inner, carried, body)
    const isLast = inner.every(each => isOneBlock(each, evaluator.extent(each)))
    if (isLast && this.tiling.unroll !== undefined)
      return own === null && typeof axis.size === 'number'
        ? this.#unrolled(axis, this.tiling.unroll, carried, body)
        : this.#unrolledPart(own ?? this.#whole(axis), this.tiling.unroll, carried, body)
    const { t } = evaluator.writer
    const end = own?.to ?? evaluator.writer.axisSize(axis)
    const extent = evaluator.extent(axis)
    const blocks = (from: TileOperand, to: TileOperand, start: Carried): Carried =>
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

  /** Loops over an axis of known size, several blocks at a time; those that are left follow the loop. */
  #unrolled(axis: Axis, count: number, carried: Carried, body: Body): Carried {
    const { evaluator } = this
    const { t } = evaluator.writer
    const extent = evaluator.extent(axis)
    const size = axis.size as number
    const step = extent * count
    const looped = Math.floor(size / step) * step
    const after =
      looped === 0
        ? carried
        : t.range(0, looped, step, carried, (offset, values) => body(values, this.#blocksFrom(axis, offset, count)))
    const rest = Array.from({ length: Math.ceil((size - looped) / extent) }, (_, i) => looped + i * extent)
    const places = rest.map(at => new Map([[axis, at]]))
    return rest.length === 0
      ? after
      : body(
          after,
          places.map(place => this.#blockAt(place)),
        )
  }

  #whole(axis: Axis): Part {
    const { writer } = this.evaluator
    const from = writer.t.const(0n, 'i64')
    return { axis, from, to: from.add(writer.axisSize(axis)) }
  }

  /**
   * As `#unrolled`, for a part of an axis, or one of unknown size: one block at a time after the last full iteration. Parts
   * begin at multiples of an iteration.
   */
  #unrolledPart({ axis, from, to }: Part, count: number, carried: Carried, body: Body): Carried {
    const { evaluator } = this
    const { t } = evaluator.writer
    const extent = evaluator.extent(axis)
    const step = extent * count
    const size = evaluator.writer.axisSize(axis)
    const isEven = typeof size === 'number' && size % step === 0
    const full = typeof size === 'number' ? size - (size % step) : size.floorDiv(step).mul(step)
    const after = t.range(from, isEven ? to : to.min(full), step, carried, (offset, values) =>
      body(values, this.#blocksFrom(axis, offset, count)),
    )
    if (isEven) return after
    // A part that begins after the axis' end has nothing left.
    return t.range(from.max(full), to, extent, after, (offset, values) =>
      body(values, [this.#block(new Map([[axis, offset]]), [])]),
    )
  }

  /** Blocks one after the other, all full. */
  #blocksFrom(axis: Axis, first: TileValue, count: number): readonly Within[] {
    const extent = this.evaluator.extent(axis)
    return Array.from({ length: count }, (_, i) => this.#block(new Map([[axis, first.add(i * extent)]]), [axis]))
  }

  /** A block at known offsets. */
  #blockAt(offsets: ReadonlyMap<Axis, number>): Within {
    const { t } = this.evaluator.writer
    const full = [...offsets].filter(([axis, at]) => at + this.evaluator.extent(axis) <= (axis.size as number))
    const starts = new Map([...offsets].map(([axis, at]) => [axis, t.const(BigInt(at), 'i64')]))
    return this.#block(
      starts,
      full.map(([axis]) => axis),
    )
  }

  /** A block whose values are kept. `full`: axes along which it has no element past their end. */
  #block(offsets: ReadonlyMap<Axis, TileValue>, full: readonly Axis[]): Within {
    const { evaluator } = this
    const scope: Scope = new Map()
    return run =>
      evaluator.scoped(() => {
        for (const [axis, offset] of offsets) evaluator.offsets.set(axis, offset)
        return evaluator.filling(full, run)
      }, scope)
  }

  /** All blocks of a row, if one iteration processes them: what is loaded for the first pass is there for all. */
  #rowBlocks(): readonly Within[] | null {
    const { tiling, evaluator, parts } = this
    const axes = tiling.order.filter(axis => axis.reduced && !isOneBlock(axis, evaluator.extent(axis)))
    if (tiling.unroll === undefined || parts !== null) return null
    let places: ReadonlyMap<Axis, number>[] = [new Map()]
    for (const axis of axes) {
      if (typeof axis.size !== 'number') return null
      const count = Math.ceil(axis.size / evaluator.extent(axis))
      if (places.length * count > tiling.unroll) return null
      const starts = Array.from({ length: count }, (_, i) => i * evaluator.extent(axis))
      places = places.flatMap(place => starts.map(start => new Map([...place, [axis, start]])))
    }
    return places.map(place => this.#blockAt(place))
  }

  /** Whether a reduction carries a whole tile, reduced at the end. */
  get #foldsTile(): boolean {
    return this.tiling.foldsTiles === true
  }

  #start(folding: Folding): Carried {
    const { node, axes, key } = folding
    const { evaluator } = this
    const shape = evaluator.shape(this.#foldsTile ? evaluator.reducedFrom(axes) : axes)
    const value = evaluator.identity(node.attrs.fn, dtypeOf(node.inputs[0]!)).broadcastTo(shape)
    if (folding.sum !== null) return { [key]: value, [`${key}sum`]: evaluator.writer.t.zeros(shape, value.dtype) }
    if (!isArg(node)) return { [key]: value }
    const dtype = this.#foldsTile ? positionDtype(this.#searched) : 'i64'
    return { [key]: value, [`${key}index`]: evaluator.writer.t.zeros(shape, dtype) }
  }

  #end(folding: Folding, result: Carried): void {
    const { node, axes, key } = folding
    const { evaluator } = this
    const [tile, index] = [result[key]!, result[`${key}index`]]
    const ended = (): AxisTile => {
      if (!this.#foldsTile) return { tile: index ?? tile, axes }
      return index === undefined
        ? evaluator.reduceAxes(tile, axes, node.attrs.fn)
        : this.#firstBest(folding, tile, index)
    }
    evaluator.bind(node, ended())
    if (folding.sum !== null) this.#endSum(folding, folding.sum, result)
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

  /** The sum of exponentials, of accumulators relative to a maximum of their own each. */
  #endSum({ axes, key }: Folding, { node, shift }: ExponentialSum, result: Carried): void {
    const { evaluator } = this
    const shared = evaluator.broadcast(evaluator.value(shift), evaluator.reducedFrom(axes))
    const sum = result[`${key}sum`]!.mul(result[key]!.sub(shared).exp())
    evaluator.bind(node, evaluator.reduceAxes(sum, axes, 'add'))
  }

  /** The next accumulators of one reduction, after the blocks of an iteration. */
  #foldAll(folding: Folding, carried: Carried, blocks: readonly Within[]): Carried {
    if (folding.sum !== null) return this.#foldWithSum(folding, carried, blocks)
    let next = carried
    for (const within of blocks) {
      const values = next
      next = { ...values, ...within(() => this.#fold(folding, values)) }
    }
    return next
  }

  /** The next maximum, and the sum of exponentials relative to it; to 0 where it is not finite, which leaves no ∞ − ∞. */
  #foldWithSum({ node, axes, key }: Folding, carried: Carried, blocks: readonly Within[]): Carried {
    const { evaluator } = this
    return evaluator.writer.t.emitter.builder.withOrigin(node.origin, () => {
      const values = blocks.map(within => within(() => evaluator.foldedTile(node, axes)))
      const before = carried[key]!
      if (values.length === 1) return this.#foldValueWithSum(key, carried, values[0]!)
      const max = values.reduce((most, value) => combine(evaluator, 'max', most, value), before)
      const base = evaluator.writer.t.where(max.isfinite(), max, 0)
      const rescaled = carried[`${key}sum`]!.mul(before.sub(base).exp())
      const sum = values.reduce((all, value) => all.add(value.sub(base).exp()), rescaled)
      return { [key]: max, [`${key}sum`]: sum }
    })
  }

  /** Of the exponentials of the value and of the maximum before, relative to the larger of both, one is 1. */
  #foldValueWithSum(key: string, carried: Carried, value: TileValue): Carried {
    const { t } = this.evaluator.writer
    const [max, sum] = [carried[key]!, carried[`${key}sum`]!]
    // Equal values may be infinite.
    const distance = t.where(value.eq(max), 0, value.sub(max))
    const smaller = distance.abs().neg().exp()
    const isLarger = t.map('gt', value, max)
    const next = t
      .where(isLarger, sum, 1)
      .mul(smaller)
      .add(t.where(isLarger, 1, sum))
    return { [key]: combine(this.evaluator, 'max', max, value), [`${key}sum`]: next }
  }

  /** The next accumulators of one reduction, after the current block. */
  #fold(folding: Folding, carried: Carried): Carried {
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
  #foldIndex({ node, axes, key }: Folding, carried: Carried): Carried {
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

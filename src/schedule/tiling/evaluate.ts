/**
 * Evaluates a loop program's expressions as tiles. A value's tile has one dim per axis that it depends on, in tile order;
 * operands are broadcast to their union. Loop-invariant values are small, and computed once per program instance.
 */
import { InternalError } from '../../base/errors.js'
import { philoxRuns, philoxUniform } from '../../kernels/philox.js'
import type { Access } from '../../loop/access.js'
import { coordsOf, type LoopNode, type LoopNodeOf, type StoreNode } from '../../loop/ir.js'
import { type ReductionName, reductionIdentity } from '../../scalar/ops.js'
import { drawsPerBlock } from '../../scalar/philox.js'
import type { Size } from '../../scalar/size.js'
import type { TileNode, TileOps } from '../../tile/ir.js'
import { TileValue, type ViewValue } from '../../tile/language.js'
import { type Dtype, itemBytes, type TensorDtype } from '../../types/dtype.js'
import type { Affine } from '../groups/affine.js'
import type { Axis } from './axes.js'
import { isWhole, type Tiling } from './tiling.js'
import type { KernelWriter } from './writer.js'

export interface AxisTile {
  readonly tile: TileValue
  /** In tile order. */
  readonly axes: readonly Axis[]
}

type ReduceNode = LoopNodeOf<'reduce'>

/** The value of a template is bound once its loop is emitted, and statements have none. */
type ValueLess = LoopNodeOf<'template' | 'result' | 'group' | 'store' | 'update'>
const valueless: ReadonlySet<string> = new Set<ValueLess['op']>(['template', 'result', 'group', 'store', 'update'])
const hasValue = (node: LoopNode): node is Exclude<LoopNode, ValueLess> => !valueless.has(node.op)

/** Bytes of the widest access. */
const wideBytes = 16

/** Values at the offsets of one block. */
export type Scope = Map<LoopNode, AxisTile>

export class Evaluator {
  /** Innermost scope last: values computed in a loop body are dropped at its end. */
  readonly #scopes: Scope[] = [new Map()]
  /** Axes whose current block has no element past their end. */
  #full: ReadonlySet<Axis> = new Set()

  constructor(
    readonly writer: KernelWriter,
    readonly tiling: Tiling,
    /** The first index of each axis' block; absent: 0. */
    readonly offsets: Map<Axis, TileValue>,
    /** The index from which an axis belongs to other programs; absent: its end. */
    readonly ends: ReadonlyMap<Axis, TileValue> = new Map(),
  ) {}

  extent(axis: Axis): number {
    return this.tiling.extents.get(axis)!
  }

  offset(axis: Axis): TileValue {
    return this.offsets.get(axis) ?? this.writer.t.const(0n, 'i64')
  }

  /** Runs `body` in a scope of its own, or one that earlier runs have filled, and restores the axes' offsets after it. */
  scoped<T>(body: () => T, scope: Scope = new Map()): T {
    const before = new Map(this.offsets)
    this.#scopes.push(scope)
    try {
      return body()
    } finally {
      this.#scopes.pop()
      this.offsets.clear()
      for (const [axis, offset] of before) this.offsets.set(axis, offset)
    }
  }

  /** Runs `body` for a block without elements past the end of these axes. */
  filling<T>(axes: readonly Axis[], body: () => T): T {
    const before = this.#full
    this.#full = new Set([...before, ...axes])
    try {
      return body()
    } finally {
      this.#full = before
    }
  }

  /** Sets an expression's value in the current scope. */
  bind(node: LoopNode, value: AxisTile): void {
    this.#scopes.at(-1)!.set(node, value)
  }

  value(node: LoopNode): AxisTile {
    for (const scope of this.#scopes.toReversed()) {
      const known = scope.get(node)
      if (known !== undefined) return known
    }
    const { builder } = this.writer.t.emitter
    const made = builder.withOrigin(node.origin, () => this.#compute(node))
    this.bind(node, made)
    return made
  }

  /** Hoists the parts of `node` that do not depend on reduced axes out of the loops. */
  hoist(node: LoopNode): void {
    if (this.writer.axes.spanning(coordsOf(node)).every(axis => !axis.reduced)) this.value(node)
    else for (const input of node.inputs) this.hoist(input)
  }

  // --- shapes --------------------------------------------------------------------------------------------------------

  /** Axes in tile order. */
  sorted(axes: Iterable<Axis>): Axis[] {
    const wanted = new Set(axes)
    return this.tiling.order.filter(axis => wanted.has(axis))
  }

  shape(axes: readonly Axis[]): number[] {
    return axes.map(axis => this.extent(axis))
  }

  /** Broadcasts a value to `axes`, which must include its own. */
  broadcast(value: AxisTile, axes: readonly Axis[]): TileValue {
    const shape = this.shape(axes)
    if (value.axes.length === 0) return value.tile.broadcastTo(shape)
    const lead = axes.indexOf(value.axes[0]!)
    const trailing = axes.slice(lead)
    const placed = trailing.map(axis => (value.axes.includes(axis) ? this.extent(axis) : 1))
    return value.tile.reshape(placed).broadcastTo(shape)
  }

  #union(values: readonly AxisTile[]): Axis[] {
    return this.sorted(values.flatMap(value => value.axes))
  }

  // --- leaves ----------------------------------------------------------------------------------------------------------

  /** Computes the tile of a node's values at the current offsets. */
  #compute(node: LoopNode): AxisTile {
    if (!hasValue(node)) throw new InternalError(`schedule: the value of ${node.op} is used where it has none`)
    switch (node.op) {
      case 'load':
        return this.#load(node)
      case 'constant':
        return this.#scalar(this.#constant(node.attrs.dtype, node.attrs.value))
      case 'size':
        return this.#scalar(this.#sizeValue(node.attrs.size))
      case 'scalarInput': {
        const { index, name, dtype } = node.attrs
        return this.#scalar(this.writer.scalarInput(index, name, dtype))
      }
      case 'index': {
        const { tile, axes } = this.indexTile(node.attrs.index)
        return { tile: tile.to(node.attrs.dtype as TensorDtype), axes }
      }
      case 'map':
        return this.#elementwise(node, 'map', node.attrs)
      case 'cast':
        return this.#elementwise(node, 'cast', node.attrs)
      case 'bitcast':
        return this.#elementwise(node, 'bitcast', node.attrs)
      case 'gather':
        return this.#gather(node)
      case 'random':
        return this.#random(node)
      case 'reduce':
        return this.reduceTile(node)
      default:
        return node satisfies never
    }
  }

  #scalar(tile: TileValue): AxisTile {
    return { tile, axes: [] }
  }

  #constant(dtype: Dtype, value: number | bigint): TileValue {
    const exact = dtype === 'i64' ? BigInt(value) : Number(value)
    return this.#wrap('const', [], { dtype, value: exact })
  }

  #sizeValue(size: Size): TileValue {
    const value = this.writer.size(size)
    return typeof value === 'number' ? this.#constant('i64', BigInt(value)) : value
  }

  #wrap<Op extends keyof TileOps>(op: Op, inputs: readonly TileValue[], attrs: TileOps[Op]): TileValue {
    const { emitter } = this.writer.t
    return new TileValue(
      emitter,
      emitter.emit(
        op,
        inputs.map(input => input.node),
        attrs,
      ),
    )
  }

  /** Loads a tile, with dims in the view's order, transposed to the tile's order. */
  #load({ attrs: { access } }: LoopNodeOf<'load'>): AxisTile {
    const run = this.#run(access)
    if (run !== null) return this.#loadRun(access, run)
    const { view, axes, starts } = this.writer.view(access)
    const dims = axes.map(axis => this.extent(axis))
    const tile = this.writer.t.load(
      view,
      axes.map(axis => shifted(this.offset(axis), starts.get(axis))),
      dims,
    )
    return this.#inOrder(tile, axes)
  }

  /** Loads with the axes of `run`, which are contiguous with each other, as one dim, for wider accesses. */
  #loadRun(access: Access, run: readonly Axis[]): AxisTile {
    const { view, groups } = this.#runView(access, run)
    const tile = this.writer.t.load(view, this.starts(groups), this.lengths(groups))
    const axes = groups.flat()
    return this.#inOrder(tile.reshape(this.shape(axes)), axes)
  }

  #runView(
    access: Access,
    run: readonly Axis[],
  ): { readonly view: ViewValue; readonly groups: readonly (readonly Axis[])[] } {
    const { view, axes } = this.writer.mergedView(access, [run])
    return { view, groups: axes.map(axis => (axis === run.at(-1) ? run : [axis])) }
  }

  /** The offsets of blocks of merged axes: all but the outermost start at 0. */
  starts(groups: readonly (readonly Axis[])[]): TileValue[] {
    return groups.map(([outer, ...inner]) => {
      const step = inner.reduce((all, axis) => all * this.extent(axis), 1)
      return step === 1 ? this.offset(outer!) : this.offset(outer!).mul(step)
    })
  }

  lengths(groups: readonly (readonly Axis[])[]): number[] {
    return groups.map(group => this.shape(group).reduce((all, extent) => all * extent, 1))
  }

  /** The contiguous axes of an access, if its innermost alone would give narrow accesses; else null. */
  #run({ index, dtype, windows }: Access): readonly Axis[] | null {
    if (this.tiling.wide !== true || windows !== undefined) return null
    const factors = [...this.writer.axes.factors(index)]
    const run: Axis[] = []
    let [step, bytes] = [1, itemBytes(dtype)]
    for (;;) {
      const next = factors.find(([axis, factor]) => factor === step && !run.includes(axis))
      if (next === undefined || bytes >= wideBytes || this.ends.has(next[0])) break
      const [axis] = next
      run.unshift(axis)
      step *= this.extent(axis)
      bytes *= this.extent(axis)
      // Merged blocks are split again by a reshape, which needs whole powers of two.
      if (!isWhole(axis, this.extent(axis)) || !Number.isInteger(Math.log2(this.extent(axis)))) break
    }
    return run.length > 1 ? run : null
  }

  /** Transposes a tile with dims in a view's order to tile order. */
  #inOrder(tile: TileValue, axes: readonly Axis[]): AxisTile {
    const ordered = this.sorted(axes)
    return { tile: tile.transpose(ordered.map(axis => axes.indexOf(axis))), axes: ordered }
  }

  storeAll(stores: readonly StoreNode[]): void {
    for (const { inputs, attrs } of stores) this.store(attrs.access, this.value(inputs[0]!))
  }

  /** Stores a value through an access that depends on all the value's axes (and possibly more). */
  store(access: Access, value: AxisTile): void {
    const run = this.#run(access)
    if (run !== null) {
      const { view, groups } = this.#runView(access, run)
      const ordered = this.sorted(groups.flat())
      const tile = this.broadcast(value, ordered).transpose(groups.flat().map(axis => ordered.indexOf(axis)))
      this.writer.t.store(view, this.starts(groups), tile.reshape(this.lengths(groups)))
      return
    }
    const { view, axes } = this.writer.view(access)
    const ordered = this.sorted(axes)
    const tile = this.broadcast(value, ordered).transpose(axes.map(axis => ordered.indexOf(axis)))
    this.writer.t.store(
      view,
      axes.map(axis => this.offset(axis)),
      tile,
      axes.some(axis => this.ends.has(axis)) ? { ends: axes.map(axis => this.ends.get(axis) ?? null) } : {},
    )
  }

  /** The indices of an axis' block, as a tile over that axis. */
  positions(axis: Axis): AxisTile {
    const counts = this.writer.t.iota(this.extent(axis))
    const offset = this.offsets.get(axis)
    return { tile: offset === undefined ? counts : counts.add(offset), axes: [axis] }
  }

  /** A tile of the values of an affine index. */
  indexTile(index: Affine): AxisTile {
    let sum = this.#scalar(this.#sizeValue(index.offset))
    for (const [axis, factor] of this.writer.axes.factors(index)) {
      const positions = this.positions(axis)
      const scaled = factor === 1 ? positions.tile : positions.tile.mul(this.#sizeValue(factor))
      sum = this.#combine([sum, { tile: scaled, axes: positions.axes }], tiles => tiles[0]!.add(tiles[1]!))
    }
    return sum
  }

  #combine(values: readonly AxisTile[], make: (tiles: readonly TileValue[]) => TileValue): AxisTile {
    const axes = this.#union(values)
    return { tile: make(values.map(value => this.broadcast(value, axes))), axes }
  }

  #elementwise<Op extends 'map' | 'cast' | 'bitcast'>(node: LoopNode, op: Op, attrs: TileOps[Op]): AxisTile {
    const inputs = node.inputs.map(input => this.value(input))
    return this.#combine(inputs, tiles => this.#wrap(op, tiles, attrs))
  }

  #gather({ inputs, attrs: { access, size, stride } }: LoopNodeOf<'gather'>): AxisTile {
    const index = this.value(inputs[0]!)
    const { view, axes, starts } = this.writer.view(access, { size, stride })
    const all = this.sorted([...axes, ...index.axes])
    const indices = axes.map(axis => shifted(this.broadcast(this.positions(axis), all), starts.get(axis)))
    return { tile: this.writer.t.gather(view, [...indices, this.broadcast(index, all)]), axes: all }
  }

  #random({ inputs, attrs: { index, dtype } }: LoopNodeOf<'random'>): AxisTile {
    const [seed, offset] = inputs.map(input => this.value(input).tile) as [TileValue, TileValue]
    const blocks = this.#drawBlocks(index, drawsPerBlock[dtype])
    if (blocks !== null) return { tile: philoxRuns(this.writer.t, seed, offset, blocks.tile, dtype), axes: blocks.axes }
    const { tile, axes } = this.indexTile(index)
    return { tile: philoxUniform(seed, offset, tile, dtype), axes }
  }

  /**
   * The values of an index divided by `count`, where it runs through whole runs of so many along its last axis: a tile with
   * one element per run. Null: it may not.
   */
  #drawBlocks(index: Affine, count: number): AxisTile | null {
    const factors = this.writer.axes.factors(index)
    const axes = this.sorted(factors.keys())
    const last = axes.at(-1)
    if (last === undefined || factors.get(last) !== 1 || this.extent(last) % count !== 0) return null
    const isMultiple = (size: Size | undefined): boolean => typeof size === 'number' && size % count === 0
    const start = this.offsets.get(last)
    if (!isMultiple(index.offset) || (start !== undefined && !this.#isMultiple(start.node, BigInt(count)))) return null
    if (axes.slice(0, -1).some(axis => !isMultiple(factors.get(axis)))) return null
    const { t } = this.writer
    const counts = t.iota(this.extent(last) / count)
    const runs = start === undefined ? counts : counts.add(start.shr(BigInt(Math.log2(count))))
    const shape = this.shape(axes).with(-1, this.extent(last) / count)
    const first = this.#sizeValue((index.offset as number) / count)
    return axes.slice(0, -1).reduce(
      ({ tile }, axis) => {
        const step = (factors.get(axis) as number) / count
        const positions = this.broadcast(this.positions(axis), axes.slice(0, -1))
        return { tile: tile.add(positions.expandDims(-1).mul(step).broadcastTo(shape)), axes }
      },
      { tile: runs.add(first).broadcastTo(shape), axes },
    )
  }

  /** True for a multiple of `factor`, as blocks' offsets are. */
  #isMultiple(node: TileNode, factor: bigint): boolean {
    const all = (nodes: readonly TileNode[]): boolean => nodes.every(each => this.#isMultiple(each, factor))
    const counted = this.writer.t.emitter.counters.get(node)
    if (counted !== undefined) return all(counted)
    if (node.op === 'const') return BigInt(node.attrs.value) % factor === 0n
    if (node.op !== 'map') return false
    const { fn } = node.attrs
    if (fn === 'mul') return node.inputs.some(input => this.#isMultiple(input, factor))
    return (fn === 'add' || fn === 'min') && all(node.inputs)
  }

  // --- reductions --------------------------------------------------------------------------------------------------

  /** Reduces the current block; elements past an axis' end count as the identity. */
  reduceTile(node: ReduceNode, fn: ReductionName = node.attrs.fn): AxisTile {
    const kept = this.value(node.inputs[0]!).axes.filter(axis => !axis.reduced)
    return this.reduceAxes(this.foldedTile(node, kept, fn), kept, fn)
  }

  /** `axes` and all reduced ones. */
  reducedFrom(axes: readonly Axis[]): Axis[] {
    return this.sorted([...axes, ...this.writer.axes.reduced])
  }

  /** The input of a reduction to the axes `kept` in the current block; elements past an axis' end are the identity. */
  foldedTile(node: ReduceNode, kept: readonly Axis[], fn: ReductionName = node.attrs.fn): TileValue {
    const axes = this.reducedFrom(kept)
    const tile = this.broadcast(this.value(node.inputs[0]!), axes)
    return this.writer.axes.reduced.reduce((masked, axis) => this.#masked(masked, axes, axis, fn), tile)
  }

  /** Reduces all reduced axes of a tile over `kept` and the reduced axes. */
  reduceAxes(tile: TileValue, kept: readonly Axis[], fn: ReductionName): AxisTile {
    const left = this.reducedFrom(kept)
    let result = tile
    for (const axis of this.#foldOrder()) {
      result = this.#wrap('reduce', [result], { fn, axis: left.indexOf(axis) })
      left.splice(left.indexOf(axis), 1)
    }
    return { tile: result, axes: left }
  }

  /**
   * Innermost first. If the innermost axis is a vector of its own, the axes around it are reduced into that vector first,
   * and its lanes once at the end.
   */
  #foldOrder(): readonly Axis[] {
    const innerFirst = this.sorted(this.writer.axes.reduced).toReversed()
    const [inner, ...outer] = innerFirst
    const isVector = inner !== undefined && inner === this.tiling.order.at(-1) && this.extent(inner) >= 8
    return isVector ? [...outer, inner] : innerFirst
  }

  #masked(tile: TileValue, axes: readonly Axis[], axis: Axis, fn: ReductionName): TileValue {
    const mask = this.inside(axis, axes)
    if (mask === null) return tile
    return this.writer.t.where(mask, tile, this.identity(fn, tile.dtype).broadcastTo(this.shape(axes)))
  }

  /** Which elements of a tile over `axes` lie before the end of one of them; null: all, in every block. */
  inside(axis: Axis, axes: readonly Axis[]): TileValue | null {
    if (isWhole(axis, this.extent(axis)) || this.#full.has(axis)) return null
    const { tile } = this.positions(axis)
    return this.broadcast({ tile: tile.lt(this.writer.axisSize(axis)), axes: [axis] }, axes)
  }

  identity(fn: ReductionName, dtype: Dtype): TileValue {
    return this.#constant(dtype, reductionIdentity(fn, dtype))
  }
}

/** Converts a loop's index to one of a view that starts later. */
const shifted = (index: TileValue, start: number | undefined): TileValue =>
  start === undefined || start === 0 ? index : index.sub(start)

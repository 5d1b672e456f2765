/**
 * The values at one point of a loop nest, or at one vector of points. Elementwise expressions are emitted on demand, and each
 * memory access once, hoisted as far out of the nest as its indices allow.
 */
import { InternalError } from '../../base/errors.js'
import { type LaneNode, shortDistance } from '../../lane/ir.js'
import { type TileNode, tileType, viewType } from '../../tile/ir.js'
import { dtypes, itemBytes } from '../../types/dtype.js'
import type { IndexForm } from '../shared/index-analysis.js'
import { dtypeOf, type Lanes, lanesOf } from '../shared/lanes.js'
import { isSingle } from '../shared/structure.js'
import { type AxisMap, inputMap, isIdentity, mapKey, uniformValue } from './axes.js'
import type { AxisCheck, NestFacts } from './nest-facts.js'
import type { Access, Buffer, Value } from './plan.js'

type NodeOf<Op extends TileNode['op']> = Extract<TileNode, { op: Op }>

export interface Point {
  /** The index on each nest axis: null on axes whose loop is not open yet, lane 0's index on the vector axis. */
  readonly at: readonly (LaneNode | null)[]
  /** Number of lanes inside the range; null: all. */
  readonly count: LaneNode | null
  /** False where the vector axis' part of the bounds is known to hold. */
  readonly checked: boolean
  /** The start of the block of vectors that contains this vector, and the vector's number in it. */
  readonly block: LaneNode | null
  readonly unit: number
  /** Whole vectors that are stored may go past the caches in launches of at least so many programs; absent: never. */
  readonly streamedFrom?: number
}

export class Frame {
  readonly #values = new Map<string, LaneNode>()

  constructor(
    readonly facts: NestFacts,
    readonly point: Point,
    readonly parent: Frame | null,
  ) {}

  get lanes(): number {
    return this.facts.nest.lanes
  }

  /** The index on an axis; lane 0's index on the vector axis. */
  index(axis: number): LaneNode {
    const index = axis < 0 ? this.facts.state.lanes.index(0) : this.point.at[axis]
    if (index === null || index === undefined) throw new InternalError(`lower: axis ${axis} is used outside its loop`)
    return index
  }

  /** The indices on an axis: a vector on the vector axis. */
  indices(axis: number): LaneNode {
    const { lanes } = this.facts.state
    if (axis !== this.facts.nest.vectorAxis || this.lanes === 1) return this.index(axis)
    return lanes.add(lanes.spread(this.index(axis), this.lanes), lanes.iota(this.lanes))
  }

  /** Mask of the lanes below a count. Counts fit i32, which compares twice as many lanes per instruction as i64. */
  below(count: LaneNode): LaneNode {
    const { lanes } = this.facts.state
    return lanes.map('lt', lanes.iota(this.lanes, 'i32'), lanes.spread(lanes.cast(count, 'i32'), this.lanes))
  }

  /** Mask of the lanes inside the range; null: all. */
  get active(): LaneNode | null {
    return this.point.count === null || this.lanes === 1 ? null : this.below(this.point.count)
  }

  /** `inside` where the point is in range, else the constant. */
  orOutside(inside: LaneNode, outside: LaneNode): LaneNode {
    const mask = this.active
    const { lanes } = this.facts.state
    return mask === null
      ? inside
      : lanes.select(mask, lanes.spread(inside, this.lanes), lanes.spread(outside, this.lanes))
  }

  /** Sets the value of an access that was loaded in another way. */
  provide({ node, axes }: Access, value: LaneNode): void {
    this.#values.set(mapKey(node, axes), value)
  }

  /** The value if this frame or an enclosing one has computed it already. */
  find(key: string): LaneNode | undefined {
    return this.#values.get(key) ?? this.parent?.find(key)
  }

  /** The value of a tile at this point: a scalar if all lanes agree. Iterative, because long chains would overflow the call stack. */
  value(node: TileNode, axes: AxisMap): LaneNode {
    if (isSingle(node)) return this.facts.state.scalar(node)
    const stack: Value[] = [{ node, axes }]
    for (;;) {
      const top = stack.at(-1)!
      const key = mapKey(top.node, top.axes)
      const known = this.find(key)
      if (known !== undefined) {
        stack.pop()
        if (stack.length === 0) return known
        continue
      }
      const missing = this.#operands(top).filter(operand => this.find(mapKey(operand.node, operand.axes)) === undefined)
      if (missing.length > 0) stack.push(...missing)
      else
        this.#values.set(
          key,
          this.facts.state.at(top.node, () => this.#make(top.node, top.axes)),
        )
    }
  }

  /** The tiles that `#make` evaluates for a given tile. */
  #operands({ node, axes }: Value): Value[] {
    if (this.#isStored(node, axes) || node.op === 'load') return []
    const inputs = node.inputs.map((input, i) => ({ node: input, i }))
    const used = node.op === 'gather' ? inputs.slice(1) : this.#isSettled(node, axes) ? inputs.slice(1, 2) : inputs
    return used
      .filter(input => !isSingle(input.node))
      .map(input => ({ node: input.node, axes: inputMap(node, input.i, axes) }))
  }

  /** True for a select whose condition holds everywhere in the nest. */
  #isSettled(node: TileNode, axes: AxisMap): boolean {
    return node.op === 'map' && node.attrs.fn === 'where' && this.facts.holds(node.inputs[0]!, axes)
  }

  /** True for tiles that are read from scratch memory here. */
  #isStored(node: TileNode, axes: AxisMap): boolean {
    return this.facts.state.plan.buffers.has(node) && !(this.facts.nest.own.has(node) && isIdentity(axes))
  }

  /** The value as a vector. */
  vector(node: TileNode, axes: AxisMap): LaneNode {
    return this.facts.state.lanes.spread(this.value(node, axes), this.lanes)
  }

  /** Hoists an access: emits it now, before inner frames would emit it repeatedly. */
  prefetch(access: Access): void {
    if (this.facts.nest.own.has(access.node)) return
    this.value(access.node, access.axes)
  }

  /** Computes a node's value at this point of the loops; stored nodes are read from their buffers. */
  #make(node: TileNode, axes: AxisMap): LaneNode {
    const { state } = this.facts
    if (this.#isStored(node, axes))
      return state.lanes.cast(this.readBuffer(state.plan.buffers.get(node)!, axes), tileType(node).dtype)
    const operand = (i: number): LaneNode => this.value(node.inputs[i]!, inputMap(node, i, axes))
    switch (node.op) {
      case 'load':
        return this.#load(node, axes)
      case 'gather':
        return this.#gather(node, axes)
      case 'iota':
        return this.#iota(node, axes)
      case 'map':
        if (this.#isSettled(node, axes)) return operand(1)
        return state.lanes.map(node.attrs.fn, ...node.inputs.map((_, i) => operand(i)))
      case 'cast':
        return state.lanes.cast(operand(0), node.attrs.to)
      case 'bitcast':
        return state.lanes.bitcast(operand(0), node.attrs.to)
      case 'broadcast':
      case 'transpose':
      case 'reshape':
        return operand(0)
      default:
        throw new InternalError(`lower: ${node.op} (node ${node.id}) has no elements on demand`)
    }
  }

  #iota(node: NodeOf<'iota'>, axes: AxisMap): LaneNode {
    const { lanes } = this.facts.state
    const indices = this.indices(axes[0]!)
    const { dtype } = node.attrs
    if (dtype === 'i64') return indices
    // A counter in a narrower integer wraps as a cast of the index would; storage floats go through their compute dtype.
    const wide = dtypes[dtype].compute
    return lanes.cast(lanes.cast(indices, wide), dtype)
  }

  /** Σ index·stride over the axes, outer loops first, so that their part is hoisted. */
  #offset(base: LaneNode, parts: readonly { readonly axis: number; readonly stride: LaneNode }[]): LaneNode {
    const { lanes } = this.facts.state
    const { vectorAxis, innerAxis } = this.facts.nest
    const depth = (axis: number): number => (axis === innerAxis ? 2 : axis === vectorAxis ? (innerAxis < 0 ? 2 : 1) : 0)
    const ordered = [...parts].sort((a, b) => depth(a.axis) - depth(b.axis))
    return ordered.reduce((sum, { axis, stride }) => lanes.add(sum, lanes.mul(this.index(axis), stride)), base)
  }

  readBuffer(buffer: Buffer, axes: AxisMap): LaneNode {
    const { lanes } = this.facts.state
    const parts = axes.map((axis, d) => ({ axis, stride: lanes.index(buffer.strides[d]!) }))
    const pointer = this.facts.state.bufferPointer(buffer)
    return this.#read(pointer, this.#offset(lanes.index(0), parts), this.#vectorStride(parts), this.point.count, null)
  }

  /** The sum of the strides along the vector axis; null when the address is the same for all lanes. */
  #vectorStride(parts: readonly { readonly axis: number; readonly stride: LaneNode }[]): LaneNode | null {
    const { vectorAxis } = this.facts.nest
    const along = parts.filter(part => part.axis === vectorAxis)
    if (this.lanes === 1 || along.length === 0) return null
    return along.map(part => part.stride).reduce((a, b) => this.facts.state.lanes.add(a, b))
  }

  /** Reads one element, consecutive elements (the first `count`), or the elements in `mask`. */
  #read(
    pointer: LaneNode,
    at: LaneNode,
    stride: LaneNode | null,
    count: LaneNode | null,
    mask: LaneNode | null,
  ): LaneNode {
    const { lanes } = this.facts.state
    if (stride === null) return mask === null ? lanes.load(pointer, at, 1) : lanes.gather(pointer, at, mask)
    if (lanes.known(stride) === 0 && mask === null) return lanes.load(pointer, at, 1)
    if (lanes.known(stride) === 1 && mask === null) return lanes.load(pointer, at, this.lanes, count)
    const apart = shortDistance(lanes.known(stride))
    if (apart !== null && mask === null) return lanes.load(pointer, at, this.lanes, count, apart)
    return lanes.gather(pointer, this.#strided(at, stride), this.#andBelow(mask, count))
  }

  #strided(at: LaneNode, stride: LaneNode): LaneNode {
    const { lanes } = this.facts.state
    return lanes.add(lanes.spread(at, this.lanes), lanes.mul(lanes.iota(this.lanes), lanes.spread(stride, this.lanes)))
  }

  #andBelow(mask: LaneNode | null, count: LaneNode | null): LaneNode | null {
    const { lanes } = this.facts.state
    const inside = count === null || this.lanes === 1 ? null : this.below(count)
    if (mask === null) return inside
    const wide = lanes.spread(mask, this.lanes)
    return inside === null ? wide : lanes.and(wide, inside)
  }

  /** A load: as a vector where the elements are contiguous, with bounds checks only on the axes that need them. */
  #load(node: NodeOf<'load'>, axes: AxisMap): LaneNode {
    const { state } = this.facts
    const { lanes } = state
    const { at, parts } = this.#viewAddress(node, axes)
    const pointer = state.viewPointer(node.inputs[0]!)
    const stride = this.#vectorStride(parts)
    const checks = this.#openChecks(node, axes, stride !== null)
    if (checks.length === 0) return this.#read(pointer, at, stride, this.point.count, null)
    const { vectorAxis } = this.facts.nest
    const outer = this.#holds(checks.filter(check => stride === null || check.axis !== vectorAxis))
    const along = checks.find(check => stride !== null && check.axis === vectorAxis)
    if (stride !== null && lanes.known(stride) === 1 && !hasTwo(checks, vectorAxis)) {
      const count = this.#countWithin(outer, along?.hi ?? null)
      const lo = along?.lo ?? null
      if (lo === null) return this.#padded(node, lanes.load(pointer, at, this.lanes, count), () => this.below(count))
      // Within the vector: lanes are counted in 32 bits.
      const before = lanes.max(lanes.index(0), lanes.sub(state.form(lo), this.index(vectorAxis)))
      const skip = lanes.min(lanes.index(this.lanes), before)
      const loaded = lanes.loadSpan(pointer, at, this.lanes, skip, count)
      return this.#padded(node, loaded, () => lanes.and(this.below(count), lanes.map('not', this.below(skip))))
    }
    const inside = this.#andMask(
      outer,
      stride === null ? null : this.#lanesWithin(checks.filter(check => check.axis === vectorAxis)),
    )
    const mask = stride === null ? inside! : this.#andBelow(inside, this.point.count)!
    return this.#padded(node, this.#read(pointer, at, stride, null, mask), () => mask)
  }

  /** The checks that the enclosing loops do not make redundant. */
  #openChecks(node: TileNode, axes: AxisMap, varies: boolean): readonly AxisCheck[] {
    const checks = this.facts.checksOf(node, axes)
    // In the unchecked part of the vector axis, only the inner axis may be out of bounds.
    return this.point.checked || !varies
      ? checks
      : checks.filter(check => check.axis === this.facts.nest.innerAxis && check.axis >= 0)
  }

  /** The conjunction of checks on single indices; null if there are none. */
  #holds(checks: readonly AxisCheck[]): LaneNode | null {
    const { state } = this.facts
    const { lanes } = state
    let all: LaneNode | null = null
    for (const { axis, lo, hi } of checks) {
      const index = this.index(axis)
      if (lo !== null) all = this.#andMask(all, lanes.map('ge', index, state.form(lo)))
      if (hi !== null) all = this.#andMask(all, lanes.map('lt', index, state.form(hi)))
    }
    return all
  }

  #andMask(a: LaneNode | null, b: LaneNode | null): LaneNode | null {
    if (a === null || b === null) return a ?? b
    return this.facts.state.lanes.and(a, b)
  }

  /** The number of leading lanes that are inside the load's end, the range and the outer conditions. */
  #countWithin(outer: LaneNode | null, hi: IndexForm | null): LaneNode {
    const { state, nest } = this.facts
    const { lanes } = state
    const zero = lanes.index(0)
    const most = this.point.count ?? lanes.index(this.lanes)
    const left =
      hi === null ? most : lanes.max(zero, lanes.min(most, lanes.sub(state.form(hi), this.index(nest.vectorAxis))))
    return outer === null ? left : lanes.map('where', outer, left, zero)
  }

  #lanesWithin(checks: readonly AxisCheck[]): LaneNode | null {
    const { state, nest } = this.facts
    const { lanes } = state
    const indices = this.indices(nest.vectorAxis)
    let all: LaneNode | null = null
    for (const { lo, hi } of checks) {
      if (lo !== null) all = this.#andMask(all, lanes.map('ge', indices, state.form(lo)))
      if (hi !== null) all = this.#andMask(all, lanes.map('lt', indices, state.form(hi)))
    }
    return all
  }

  /** The padding value where the mask is off; for padding 0 nothing is needed, since masked loads give 0. */
  #padded(node: NodeOf<'load'>, loaded: LaneNode, mask: () => LaneNode): LaneNode {
    const rank = viewType(node.inputs[0]!).sizes.length
    const padding = node.inputs[1 + rank]
    if (padding === undefined) return loaded
    const uniform = uniformValue(padding)
    if (uniform !== undefined && Object.is(Number(uniform), 0)) return loaded
    const { state } = this.facts
    return state.lanes.select(mask(), loaded, state.lanes.spread(state.scalar(padding), lanesOf(loaded)))
  }

  #viewAddress(node: TileNode, axes: AxisMap): { at: LaneNode; parts: { axis: number; stride: LaneNode }[] } {
    const { state } = this.facts
    const view = node.inputs[0]!
    const parts = axes.map((axis, dim) => ({ axis, stride: state.viewStride(view, dim) }))
    const { start, constant } = this.#blockStart(node, parts)
    // The constant comes last: accesses that differ only in it share the rest of the address.
    return { at: state.lanes.add(this.#offset(start, parts), constant), parts }
  }

  /** The address of a block's first element, and what is constant of it. */
  #blockStart(
    node: TileNode,
    parts: readonly { readonly stride: LaneNode }[],
  ): { readonly start: LaneNode; readonly constant: LaneNode } {
    const { state } = this.facts
    const { lanes } = state
    let [start, constant] = [lanes.index(0), lanes.index(0)]
    for (const [d, { stride }] of parts.entries()) {
      const form = state.plan.index.affine(node.inputs[1 + d]!)
      const own = lanes.known(stride) === null ? form.offset : 0
      start = lanes.add(start, lanes.mul(state.form({ ...form, offset: own }), stride))
      constant = lanes.add(constant, lanes.mul(lanes.index(form.offset - own), stride))
    }
    return { start, constant }
  }

  /** Addresses and mask of elements addressed by index tiles. */
  picked(
    node: NodeOf<'gather'> | NodeOf<'scatter'> | NodeOf<'atomic'>,
    axes: AxisMap,
  ): { indices: LaneNode; mask: LaneNode } {
    const { state } = this.facts
    const { lanes } = state
    const view = node.inputs[0]!
    let indices = lanes.index(0)
    let mask = this.value(node.inputs.at(-1)!, axes)
    viewType(view).sizes.forEach((_, d) => {
      const index = this.value(node.inputs[1 + d]!, axes)
      const isInside = this.#isInside(node, d)
      if (!isInside.above) mask = lanes.and(mask, lanes.map('ge', index, lanes.index(0)))
      if (!isInside.below) mask = lanes.and(mask, lanes.map('lt', index, state.viewSize(view, d)))
      indices = lanes.add(indices, lanes.mul(index, state.viewStride(view, d)))
    })
    return { indices, mask }
  }

  /** What is known of all indices along a dim: none is negative, none is past the end. */
  #isInside(node: TileNode, d: number): { readonly above: boolean; readonly below: boolean } {
    const bounds = this.facts.state.valueBounds.of(node.inputs[1 + d]!)
    const size = viewType(node.inputs[0]!).sizes[d]!
    return { above: bounds !== null && bounds.min >= 0, below: bounds !== null && size !== null && bounds.max < size }
  }

  #gather(node: NodeOf<'gather'>, axes: AxisMap): LaneNode {
    const { lanes } = this.facts.state
    const picked = this.picked(node, axes)
    const { indices } = picked
    const mask = isTrue(picked.mask) ? null : picked.mask
    const pointer = this.facts.state.viewPointer(node.inputs[0]!)
    if (lanesOf(indices) === 1 && (mask === null || lanesOf(mask) === 1))
      return mask === null ? lanes.load(pointer, indices, 1) : lanes.gather(pointer, indices, mask)
    const each = (): LaneNode =>
      lanes.gather(
        pointer,
        this.#shortIndices(node, axes) ?? lanes.spread(indices, this.lanes),
        this.#andBelow(mask, this.point.count),
      )
    const run = this.#adjacent(node, axes)
    if (run === null) return each()
    const load = (): LaneNode[] => [lanes.load(pointer, run.at, this.lanes, this.point.count)]
    if (isTrue(run.inside)) return load()[0]!
    return lanes.branch(run.inside, 'adjacent elements', load, () => [each()])[0]!
  }

  /** The addresses as i32, where the indices that vary are such numbers, the view spans no more elements, and a register is filled; else null. */
  #shortIndices(node: NodeOf<'gather'>, axes: AxisMap): LaneNode | null {
    const { lanes } = this.facts.state
    const { sizes, strides, dtype } = viewType(node.inputs[0]!)
    if (itemBytes(dtype) < 4 || itemBytes(dtype) * this.lanes !== this.facts.state.target.vectorBytes) return null
    let span = 0
    for (const [d, size] of sizes.entries()) {
      const stride = strides[d]!
      if (size === null || stride === null) return null
      span += (size - 1) * Math.abs(stride)
    }
    if (span > dtypes.i32.max) return null
    let [start, varying]: [LaneNode, LaneNode | null] = [lanes.index(0), null]
    for (const [d, stride] of strides.entries()) {
      const index = this.value(node.inputs[1 + d]!, axes)
      if (lanesOf(index) === 1) start = lanes.add(start, lanes.mul(index, lanes.index(stride!)))
      else if (index.op !== 'cast' || dtypeOf(index.inputs[0]!) !== 'i32') return null
      else {
        const own = lanes.mul(index.inputs[0]!, lanes.constant('i32', stride!, this.lanes))
        varying = varying === null ? own : lanes.add(varying, own)
      }
    }
    return varying && lanes.add(lanes.spread(lanes.cast(start, 'i32'), this.lanes), varying)
  }

  /** The address of a gather's elements where they are adjacent, and whether all are inside the view; null: they are not. */
  #adjacent(node: NodeOf<'gather'>, axes: AxisMap): { readonly at: LaneNode; readonly inside: LaneNode } | null {
    const { state } = this.facts
    const { lanes } = state
    const view = node.inputs[0]!
    let inside = this.value(node.inputs.at(-1)!, axes)
    let at = lanes.index(0)
    let runs = 0
    for (const d of viewType(view).sizes.keys()) {
      const index = this.value(node.inputs[1 + d]!, axes)
      const isRun = lanesOf(index) > 1
      const start = isRun ? startOf(lanes, index) : index
      if (start === null || (isRun && lanes.known(state.viewStride(view, d)) !== 1)) return null
      const count = isRun ? (this.point.count ?? lanes.index(this.lanes)) : lanes.index(1)
      // The start may be any number, so that the end might wrap.
      const last = lanes.sub(state.viewSize(view, d), count)
      const isInside = this.#isInside(node, d)
      if (!isInside.above) inside = lanes.and(inside, lanes.map('ge', start, lanes.index(0)))
      if (!isInside.below) inside = lanes.and(inside, lanes.map('le', start, last))
      at = lanes.add(at, lanes.mul(start, state.viewStride(view, d)))
      if (isRun) runs++
    }
    return runs === 1 && lanesOf(inside) === 1 ? { at, inside } : null
  }

  /** Writes a value to a buffer at this point; `axes` are the nest axes of the buffer's dims. */
  writeBuffer(buffer: Buffer, axes: AxisMap, stored: LaneNode): void {
    const { state } = this.facts
    const { lanes } = state
    const value = lanes.cast(stored, buffer.dtype)
    const pointer = state.bufferPointer(buffer)
    if (buffer.panel !== null) {
      this.#writePanel(buffer, pointer, value)
      return
    }
    const parts = axes.map((axis, d) => ({ axis, stride: lanes.index(buffer.strides[d]!) }))
    this.#write(pointer, this.#offset(lanes.index(0), parts), this.#vectorStride(parts), value)
  }

  /** Writes to a panel: whole vectors, in blocks as wide as the panel. */
  #writePanel(buffer: Buffer, pointer: LaneNode, value: LaneNode): void {
    const { lanes } = this.facts.state
    const { width, stride } = buffer.panel!
    const start = lanes.mul(this.point.block!, lanes.index(stride / width))
    const row = lanes.add(start, lanes.mul(this.index(0), lanes.index(buffer.strides[0]!)))
    lanes.store(pointer, lanes.add(row, lanes.index(this.point.unit * this.lanes)), lanes.spread(value, this.lanes))
  }

  #write(
    pointer: LaneNode,
    at: LaneNode,
    stride: LaneNode | null,
    value: LaneNode,
    attrs: { readonly streamedFrom?: number } = {},
  ): void {
    const { lanes } = this.facts.state
    const wide = stride === null ? value : lanes.spread(value, this.lanes)
    if (stride === null) lanes.store(pointer, at, wide)
    else if (lanes.known(stride) === 1) lanes.store(pointer, at, wide, this.point.count, attrs)
    else lanes.scatter(pointer, this.#strided(at, stride), wide, this.active)
  }

  store(node: NodeOf<'store'>, axes: AxisMap, value: LaneNode): void {
    const { at, parts } = this.#viewAddress(node, axes)
    const { streamedFrom } = this.point
    const isStreamed = streamedFrom !== undefined && this.point.count === null
    this.#write(
      this.facts.state.viewPointer(node.inputs[0]!),
      at,
      this.#vectorStride(parts),
      value,
      isStreamed ? { streamedFrom } : {},
    )
  }

  /** Stores consecutive vectors, which hold whole rows: as many rows as the point has lanes. */
  storeRows(node: NodeOf<'store'>, axes: AxisMap, vectors: readonly LaneNode[]): void {
    const { lanes } = this.facts.state
    const { at } = this.#viewAddress(node, axes)
    const pointer = this.facts.state.viewPointer(node.inputs[0]!)
    const all = this.point.count === null ? null : lanes.mul(this.point.count, lanes.index(vectors.length))
    vectors.forEach((vector, i) => {
      const first = lanes.index(i * this.lanes)
      const count = all === null ? null : lanes.max(lanes.index(0), lanes.sub(all, first))
      lanes.store(pointer, lanes.add(at, first), vector, count)
    })
  }

  /** The part of the vector axis where a load that varies along it needs no checks; null ends: the range's own ends. */
  freeRange(access: Access): { lo: LaneNode | null; hi: LaneNode | null; outer: LaneNode | null } {
    const { state, nest } = this.facts
    const checks = this.facts
      .checksOf(access.node, access.axes)
      .filter(check => check.axis !== nest.innerAxis || check.axis < 0)
    const along = checks.filter(check => check.axis === nest.vectorAxis)
    const pick = (ends: (IndexForm | null)[], choose: (a: LaneNode, b: LaneNode) => LaneNode): LaneNode | null => {
      const forms = ends.filter(end => end !== null).map(end => state.form(end))
      return forms.length === 0 ? null : forms.reduce(choose)
    }
    return {
      lo: pick(
        along.map(check => check.lo),
        (a, b) => state.lanes.max(a, b),
      ),
      hi: pick(
        along.map(check => check.hi),
        (a, b) => state.lanes.min(a, b),
      ),
      outer: this.#holds(checks.filter(check => check.axis !== nest.vectorAxis)),
    }
  }

  /** Reads (value null) or writes one row of a buffer along a nest axis, starting at element `base`. */
  accessRow(
    buffer: Buffer,
    row: { readonly base: number; readonly axis: number; readonly stride: number },
    value: LaneNode | null,
  ): LaneNode | null {
    const { state } = this.facts
    const { lanes } = state
    const pointer = state.bufferPointer(buffer)
    const parts = [{ axis: row.axis, stride: lanes.index(row.stride) }]
    const at = lanes.add(this.#offset(lanes.index(0), parts), lanes.index(row.base))
    const stride = this.#vectorStride(parts)
    if (value === null) return this.#read(pointer, at, stride, this.point.count, null)
    this.#write(pointer, at, stride, value)
    return null
  }
}

/** The first of consecutive integers; null for others. */
function startOf(lanes: Lanes, node: LaneNode): LaneNode | null {
  if (node.op === 'iota') return lanes.index(0)
  if (node.op !== 'map' || node.attrs.fn !== 'add') return null
  const [a, b] = node.inputs as [LaneNode, LaneNode]
  const [start, added] = uniform(lanes, b) === null ? [b, uniform(lanes, a)] : [a, uniform(lanes, b)]
  const first = added === null ? null : startOf(lanes, start)
  return first === null || added === null ? null : lanes.add(first, added)
}

const isTrue = (mask: LaneNode): boolean => mask.op === 'const' && Boolean(mask.attrs.value)

/** What all lanes hold; null where they differ. */
function uniform(lanes: Lanes, node: LaneNode): LaneNode | null {
  if (node.op === 'const') return lanes.constant(node.attrs.dtype, node.attrs.value)
  return node.op === 'splat' ? node.inputs[0]! : null
}

const hasTwo = (checks: readonly AxisCheck[], axis: number): boolean =>
  checks.filter(check => check.axis === axis).length > 1

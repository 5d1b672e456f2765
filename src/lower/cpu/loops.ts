/**
 * Emits a nest's loops: the outer axes; then the vector axis, split into a main part without checks and masks and edges with
 * both; and inside its blocks the folded axis, if any.
 */
import type { LaneNode } from '../../lane/ir.js'
import { atomicOperands } from '../../scalar/atomic.js'
import { type TileNode, viewType } from '../../tile/ir.js'
import { identityMap } from './axes.js'
import { type FoldForm, type Folding, foldingOf } from './folds.js'
import { Frame, type Point } from './frame.js'
import { NestFacts } from './nest-facts.js'
import { isWrittenOut, type Nest } from './nests.js'
import type { Access, Root } from './plan.js'
import { constantExtent, isMultiple } from './ranges.js'
import type { State } from './state.js'

type Carried = readonly (readonly LaneNode[])[]

export class NestWriter {
  protected readonly facts: NestFacts
  readonly #folds: readonly Folding[]
  /** The axes looped around the vector axis' blocks, outermost first. */
  protected readonly outer: readonly number[]
  protected readonly comment: string

  constructor(
    readonly state: State,
    readonly nest: Nest,
    /** The outer axis that becomes the innermost outer loop; null: keep the order of the space. */
    innermost: number | null = null,
  ) {
    this.facts = new NestFacts(state, nest)
    this.#folds = nest.roots.flatMap(root =>
      root.kind === 'reduce' || root.kind === 'scan' || root.kind === 'thinDot' ? [foldingOf(state, root)] : [],
    )
    const outer = identityMap(nest.space.length).filter(axis => axis !== nest.vectorAxis && axis !== nest.innerAxis)
    this.outer = innermost === null ? outer : [...outer.filter(axis => axis !== innermost), innermost]
    this.comment = describe(nest.roots)
  }

  write(): void {
    const at = this.nest.space.map(() => null)
    const frame = new Frame(this.facts, { at, count: null, checked: true, block: null, unit: 0 }, null)
    this.prefetch(frame, axes => axes.length === 0)
    this.openOuter(0, frame)
  }

  /** Emits the accesses that depend only on the given loops, including the innermost one. */
  protected prefetch(frame: Frame, wanted: (axes: readonly number[]) => boolean): void {
    for (const cone of this.nest.cones) {
      for (const access of cone.accesses) {
        const axes = [...new Set(access.axes.filter(axis => axis >= 0))]
        if (access.kind !== 'gather' && wanted(axes)) frame.prefetch(access)
      }
    }
  }

  /** Opens the loops of the outer axes from `level` on, then the vector loop. */
  protected openOuter(level: number, frame: Frame): void {
    const axis = this.outer[level]
    if (axis === undefined) {
      this.openVector(frame)
      return
    }
    const opened = this.outer.slice(0, level + 1)
    const range = this.nest.ranges[axis]!
    this.loop(this.state.rangeStart(range), this.state.rangeEnd(range), 1, index => {
      const inner = this.inside(frame, axis, index)
      this.prefetch(inner, axes => axes.includes(axis) && axes.every(each => opened.includes(each)))
      this.openOuter(level + 1, inner)
    })
  }

  protected loop(from: LaneNode, to: LaneNode, step: number, body: (index: LaneNode) => void): void {
    const bounds = { from, to, step: this.state.lanes.index(step), name: 'i', comment: this.comment }
    this.state.lanes.loop(bounds, [], index => {
      body(index)
      return []
    })
  }

  protected inside(frame: Frame, axis: number, index: LaneNode, change: Partial<Point> = {}): Frame {
    const at = frame.point.at.map((known, d) => (d === axis ? index : known))
    return new Frame(this.facts, { ...frame.point, at, ...change }, frame)
  }

  protected openVector(frame: Frame): void {
    const { vectorAxis, innerAxis } = this.nest
    if (vectorAxis < 0) this.block([frame], 'down')
    else if (innerAxis < 0) this.#across(frame)
    else this.#down(frame)
  }

  /** Folds down columns: blocks of vectors, with the inner axis looped inside each block. */
  #down(frame: Frame): void {
    this.cut(frame, (from, to, step, units, edge) => {
      const bounds = { from, to, step, name: 'j', comment: this.comment }
      this.state.lanes.loop(bounds, [], start => {
        this.block(this.units(frame, start, to, units, edge), 'down')
        return []
      })
    })
  }

  /** The frames of one step of the vector axis. */
  protected units(frame: Frame, start: LaneNode, end: LaneNode, units: number, edge: boolean): Frame[] {
    const { lanes } = this.state
    return identityMap(units).map(unit => {
      const index = lanes.add(start, lanes.index(unit * this.nest.lanes))
      const limit = this.nest.padded ? this.state.rangeEnd(this.nest.ranges[this.nest.vectorAxis]!) : end
      const left = lanes.min(lanes.index(this.nest.lanes), lanes.sub(limit, index))
      const count = edge ? (this.nest.padded ? lanes.max(lanes.index(0), left) : left) : null
      return this.inside(frame, this.nest.vectorAxis, index, { count, checked: edge, block: start, unit })
    })
  }

  /**
   * Splits the vector axis into parts: `part(from, to, step, vectors per step, edge)`. Between the edges, every load is
   * inside its view and every vector is full.
   */
  protected cut(
    frame: Frame,
    part: (from: LaneNode, to: LaneNode, step: LaneNode, units: number, edge: boolean) => void,
  ): void {
    const { lanes } = this.state
    const { vectorAxis, unroll, padded } = this.nest
    const range = this.nest.ranges[vectorAxis]!
    const step = this.nest.lanes * unroll
    const [lo, hi] = [this.state.rangeStart(range), this.state.rangeEnd(range)]
    const free = this.#freeRange(frame, lo, hi)
    const whole = !free.cutsStart && !free.cutsEnd && isMultiple(this.state.plan.index, range, step)
    if (whole) {
      part(lo, hi, lanes.index(step), unroll, false)
      return
    }
    const parts: (() => void)[] = []
    const extent = lanes.sub(free.to, free.from)
    const full = this.state.roundDown(
      constantExtent(range) !== null && !free.cutsEnd && !free.cutsStart ? extent : lanes.max(lanes.index(0), extent),
      step,
    )
    const end = lanes.add(free.from, full)
    const edgeUnits = padded ? unroll : 1
    const edgeStep = lanes.index(this.nest.lanes * edgeUnits)
    if (free.cutsStart) parts.push(() => part(lo, free.from, edgeStep, edgeUnits, true))
    parts.push(() => part(free.from, end, lanes.index(step), unroll, false))
    parts.push(() => part(end, padded ? this.state.roundUp(hi, step) : hi, edgeStep, edgeUnits, true))
    for (const each of this.#isReversed ? parts.toReversed() : parts) each()
  }

  /** The part of [lo, hi) in which no load needs a bounds check; the ends that it cuts off are emitted with checks. */
  #freeRange(
    frame: Frame,
    lo: LaneNode,
    hi: LaneNode,
  ): { from: LaneNode; to: LaneNode; cutsStart: boolean; cutsEnd: boolean } {
    const { lanes } = this.state
    let [from, to] = [lo, hi]
    let [cutsStart, cutsEnd] = [false, false]
    for (const access of this.#varyingLoads()) {
      const free = frame.freeRange(access)
      if (free.lo !== null) [from, cutsStart] = [lanes.max(from, free.lo), true]
      if (free.hi !== null) [to, cutsEnd] = [lanes.min(to, free.hi), true]
      if (free.outer !== null) [to, cutsEnd] = [lanes.map('where', free.outer, to, lo), true]
    }
    // Panels are written in whole blocks from index 0: with an unaligned start, the whole axis is an edge.
    if (cutsStart && this.nest.padded) return { from: lo, to: lo, cutsStart: false, cutsEnd: true }
    return { from: cutsStart ? lanes.min(from, hi) : from, to, cutsStart, cutsEnd }
  }

  #varyingLoads(): Access[] {
    const { vectorAxis } = this.nest
    if (this.nest.lanes === 1) return []
    return this.nest.cones.flatMap(cone =>
      cone.accesses.filter(access => access.kind === 'load' && access.axes.includes(vectorAxis)),
    )
  }

  /** Folds across the lanes, or nests without folds: the vector axis is the innermost loop. */
  #across(frame: Frame): void {
    let carried: Carried | null = null
    this.cut(frame, (from, to, step, units, edge) => {
      const { lanes } = this.state
      const begin = this.#folds.flatMap(fold =>
        carried === null || units > 1 ? identityMap(units).map(() => fold.start(frame, 'across')) : [],
      )
      const starts: Carried = carried !== null && units === 1 ? carried : begin
      const flat = lanes.loop(
        { from, to, step, name: 'i', comment: this.comment },
        starts.flat(),
        (counter, values) => {
          const start = this.#isReversed ? this.#fromEnd(counter, from, to) : counter
          const frames = this.units(frame, start, to, units, edge)
          return this.points(frames, 'across', regroup(values, starts)).flat()
        },
      )
      const merged = this.#merge(regroup(flat, starts), units)
      carried = carried !== null && units > 1 ? carried.map((sum, i) => this.#folds[i]!.merge(sum, merged[i]!)) : merged
    })
    this.#folds.forEach((fold, i) => void fold.finish(frame, 'across', carried![i]!))
  }

  /** Where the vector begins that is as far from the last one of a range as `counter` is from its start. */
  #fromEnd(counter: LaneNode, from: LaneNode, to: LaneNode): LaneNode {
    const { lanes } = this.state
    const step = this.nest.lanes
    const last = lanes.add(from, this.state.roundDown(lanes.sub(lanes.sub(to, from), lanes.index(1)), step))
    return lanes.sub(last, lanes.sub(counter, from))
  }

  /** Transposes the accumulators: from one list per fold and unit to one list per fold. */
  #merge(carried: Carried, units: number): Carried {
    return this.#folds.map((fold, f) => carried.slice(f * units, (f + 1) * units).reduce((a, b) => fold.merge(a, b)))
  }

  /** One block of the vector axis: several vectors, with the inner axis looped inside. */
  protected block(frames: readonly Frame[], form: FoldForm): void {
    const { innerAxis, vectorAxis } = this.nest
    for (const frame of frames) {
      this.prefetch(
        frame,
        axes => innerAxis >= 0 && vectorAxis >= 0 && axes.includes(vectorAxis) && !axes.includes(innerAxis),
      )
    }
    if (innerAxis < 0) {
      this.points(frames, form, [])
      return
    }
    const starts = this.#folds.flatMap(fold => frames.map(frame => fold.start(frame, form)))
    const carried = regroup(this.#innerLoop(frames, form, starts), starts)
    this.#folds.forEach((fold, f) => {
      frames.forEach((frame, u) => void fold.finish(frame, form, carried[f * frames.length + u]!))
    })
  }

  /** A running value from the end. */
  get #isReversed(): boolean {
    return this.nest.roots.some(root => root.kind === 'scan' && root.node.attrs.reverse)
  }

  /** Emits the loop of the innermost axis; `starts` are the first values of the folds that it carries. */
  #innerLoop(frames: readonly Frame[], form: FoldForm, starts: Carried): readonly LaneNode[] {
    const { lanes } = this.state
    const { innerAxis } = this.nest
    const range = this.nest.ranges[innerAxis]!
    const bounds = {
      from: this.state.rangeStart(range),
      to: this.state.rangeEnd(range),
      step: lanes.index(1),
      name: 'k',
      comment: this.comment,
      unroll: isWrittenOut(range),
    }
    return lanes.loop(bounds, starts.flat(), (counter, values) => {
      const index = this.#isReversed ? lanes.sub(lanes.index(range.size - 1), counter) : counter
      return this.points(this.stepFrames(frames, index), form, regroup(values, starts)).flat()
    })
  }

  /** The frames at one index of the inner axis: values that do not vary along the vector axis are emitted once for all. */
  protected stepFrames(frames: readonly Frame[], index: LaneNode): readonly Frame[] {
    const { innerAxis, vectorAxis } = this.nest
    const around = vectorAxis < 0 ? frames[0]! : frames[0]!.parent!
    const shared = this.inside(around, innerAxis, index)
    this.prefetch(shared, axes => axes.includes(innerAxis) && !axes.includes(vectorAxis))
    return frames.map(frame => this.inside(new Shared(frame, shared), innerAxis, index))
  }

  /** The work at each frame's point: folds take a step; other roots evaluate all values and then write them. */
  protected points(frames: readonly Frame[], form: FoldForm, carried: Carried): Carried {
    const next: (readonly LaneNode[])[] = [...carried]
    frames.forEach((frame, u) => {
      const writes = this.nest.roots.map(root => this.#evaluate(root, frame))
      this.#folds.forEach((fold, f) => {
        const slot = f * frames.length + u
        next[slot] = fold.step(frame, form, carried[slot]!)
      })
      for (const write of writes) write()
    })
    return next
  }

  /** Evaluates the value that a root writes at the point; returns a function that emits the write. */
  #evaluate(root: Root, frame: Frame): () => void {
    const { state } = this
    const axes = identityMap(this.nest.space.length)
    switch (root.kind) {
      case 'store': {
        const values = root.nodes.map(node => frame.value(node.inputs.at(-1)!, axes))
        return () => {
          for (const [i, node] of root.nodes.entries()) state.at(node, () => frame.store(node, axes, values[i]!))
        }
      }
      case 'keep': {
        const value = frame.value(root.node, axes)
        return () => frame.writeBuffer(root.buffer, axes, value)
      }
      case 'assign': {
        const value = root.source === null ? frame.value(root.value, axes) : frame.readBuffer(root.source, axes)
        return () => frame.writeBuffer(root.buffer, axes, value)
      }
      case 'pack': {
        const raw = state.lanes.cast(frame.value(root.value.node, root.value.axes), root.buffer.dtype)
        const value = this.nest.padded ? frame.orOutside(raw, state.lanes.constant(root.buffer.dtype, 0)) : raw
        return () => frame.writeBuffer(root.buffer, axes, value)
      }
      case 'indexed':
        return () => state.at(root.node, () => this.#indexed(root, frame))
      default:
        return () => {}
    }
  }

  /** Emits a scatter or an atomic for the lanes of a frame. */
  #indexed(root: Extract<Root, { kind: 'indexed' }>, frame: Frame): void {
    const { lanes } = this.state
    const axes = identityMap(this.nest.space.length)
    const { indices, mask } = frame.picked(root.node, axes)
    const pointer = this.state.viewPointer(root.node.inputs[0]!)
    if (root.node.op === 'scatter') {
      const active = frame.active
      const wide = lanes.spread(mask, frame.lanes)
      lanes.scatter(
        pointer,
        lanes.spread(indices, frame.lanes),
        lanes.spread(frame.value(root.node.inputs.at(-2)!, axes), frame.lanes),
        active === null ? wide : lanes.and(wide, active),
      )
      return
    }
    const { attrs, inputs } = root.node
    const { fn } = attrs
    const values = inputs.slice(-1 - atomicOperands(fn), -1).map(input => frame.value(input, axes))
    const update = (): LaneNode[] => [lanes.builder.node('atomic', [pointer, indices, ...values], attrs)]
    const [old] = lanes.branch(mask, `atomic ${fn}`, update, () => [
      lanes.constant(viewType(root.node.inputs[0]!).dtype, 0),
    ])
    if (root.buffer !== null) frame.writeBuffer(root.buffer, axes, old!)
    else this.state.setScalar(root.node, old!)
  }
}

/** A frame that looks up values in two parent frames. */
export class Shared extends Frame {
  constructor(
    first: Frame,
    readonly second: Frame,
  ) {
    super(first.facts, first.point, first)
  }

  override find(key: string): LaneNode | undefined {
    return super.find(key) ?? this.second.find(key)
  }
}

function regroup(values: readonly LaneNode[], like: Carried): Carried {
  let next = 0
  return like.map(list => list.map(() => values[next++]!))
}

/** A comment in the generated code that says what the nest computes. */
function describe(roots: readonly Root[]): string {
  const name = (node: TileNode): string => (node.op === 'view' ? node.attrs.name : node.op)
  const one = (root: Root): string => {
    switch (root.kind) {
      case 'store':
        return `store ${root.nodes.map(node => name(node.inputs[0]!)).join(', ')}`
      case 'keep':
        return `keep ${root.node.op === 'map' ? root.node.attrs.fn : root.node.op}`
      case 'assign':
        return `set ${root.buffer.name}`
      case 'pack':
        return root.side === 'panels' ? 'pack b' : 'pack rows'
      case 'reduce':
        return root.node.attrs.fn === 'add' ? 'sum' : root.node.attrs.fn
      case 'scan':
        return `running ${root.node.attrs.fn}`
      case 'thinDot':
        return 'dot'
      case 'indexed':
        return `${root.node.op} ${name(root.node.inputs[0]!)}`
      case 'bins':
      case 'dot':
      case 'single':
      case 'control':
        return root.kind
    }
  }
  return roots.map(one).join('; ')
}

/**
 * Elementwise nests with transposed accesses. Data that is contiguous along another axis than the vector axis is loaded in
 * squares (as many vectors as a vector has lanes), which are transposed in registers.
 */
import { isAdjacent, type LaneNode, shortDistance } from '../../lane/ir.js'
import { tileType, viewType } from '../../tile/ir.js'
import { itemBytes } from '../../types/dtype.js'
import { identityMap } from './axes.js'
import { Frame } from './frame.js'
import { NestWriter, Shared } from './loops.js'
import { NestFacts } from './nest-facts.js'
import { isElementwiseRoot, type Nest, strideAlong } from './nests.js'
import type { Access } from './plan.js'
import type { State } from './state.js'

/** In registers, a square repeats the nest's body for each of its rows: up to this cost. Costlier squares loop over their rows. */
const maxCost = 24
/** A square with fewer rows than this part of its lanes is mostly shuffles of nothing. */
const leastRows = 1 / 4
/** A square of more vectors does not fit the registers, and takes the C compiler seconds. */
const mostLanes = 16
/** Squares write short pieces of many lines. Of more bytes than this, caches give up lines before they are read again. */
const leastStreamed = 4 << 20
/** A vector of so many bytes is a whole line of the cache. */
const lineBytes = 64

/** Emission of the nest in squares, or null where it does not pay. */
export function squaresOf(state: State, nest: Nest): SquareWriter | null {
  const { vectorAxis, innerAxis, lanes, padded } = nest
  if (!nest.roots.every(isElementwiseRoot) || vectorAxis < 0 || innerAxis >= 0 || padded || lanes < 4) return null
  const facts = new NestFacts(state, nest)
  const accesses = nest.cones.flatMap(cone => cone.accesses)
  const unchecked = accesses.every(
    access =>
      access.kind === 'buffer' || (access.kind === 'load' && facts.checksOf(access.node, access.axes).length === 0),
  )
  if (!unchecked) return null
  for (const axis of identityMap(nest.space.length)) {
    if (axis === vectorAxis || nest.space[axis]! <= lanes * leastRows) continue
    const transposed = accesses.filter(access => {
      const across = strideAlong(state.plan, access, vectorAxis)
      const isShort = across === 0 || isAdjacent(across) || shortDistance(across) !== null
      return !isShort && !nest.own.has(access.node) && isAdjacent(strideAlong(state.plan, access, axis))
    })
    if (transposed.length > 0)
      return new SquareWriter(state, { ...nest, lanes: Math.min(lanes, mostLanes) }, axis, transposed)
  }
  return null
}

class SquareWriter extends NestWriter {
  readonly #along: NestFacts
  /** Whole squares stay in registers. */
  readonly #isSmall: boolean
  /** A square of each transposed access, for loops over its rows. */
  readonly #scratch: readonly LaneNode[]

  constructor(
    state: State,
    nest: Nest,
    /** The axis along which the transposed accesses are contiguous. */
    readonly axis: number,
    readonly transposed: readonly Access[],
  ) {
    super(state, nest, axis)
    this.#along = new NestFacts(state, { ...nest, vectorAxis: axis })
    this.#isSmall = nest.cones.reduce((sum, cone) => sum + cone.cost, 0) <= maxCost
    const { lanes } = nest
    this.#scratch = transposed.map(({ node }) => state.lanes.alloc(tileType(node).dtype, lanes * lanes, 'square'))
  }

  /**
   * Columns of squares, one after another: as many lines of transposed data as a vector has lanes are read from start to end,
   * which the hardware prefetches. Across them it would read a short piece of each of many lines.
   */
  protected override openOuter(level: number, frame: Frame): void {
    if (this.outer[level] !== this.axis) {
      super.openOuter(level, frame)
      return
    }
    const { lanes } = this.state
    this.cut(frame, (from, to, step, _, edge) => {
      lanes.loop({ from, to, step, name: 'j', comment: this.comment }, [], index => {
        const width = edge ? lanes.min(lanes.index(this.nest.lanes), lanes.sub(to, index)) : null
        this.#column(frame, index, width)
        return []
      })
    })
  }

  /** The squares over `width` indices (null: as many as a vector has lanes) of the vector axis; the last may have fewer rows. */
  #column(frame: Frame, index: LaneNode, width: LaneNode | null): void {
    const { state } = this
    const { lanes } = state
    const shared = this.#columns(frame, index, width)
    const range = this.nest.ranges[this.axis]!
    const [from, to] = [state.rangeStart(range), state.rangeEnd(range)]
    const full = state.roundDown(lanes.max(lanes.index(0), lanes.sub(to, from)), this.nest.lanes)
    const cut = lanes.add(from, full)
    this.loop(from, cut, this.nest.lanes, start => {
      if (this.#isSmall && width === null) this.#inRegisters(frame, shared, start, index)
      else this.#byRows(frame, shared, start, null, index, width)
    })
    this.loop(cut, to, this.nest.lanes, start => this.#byRows(frame, shared, start, lanes.sub(to, start), index, width))
  }

  /** The frame at one index of the axis. */
  #row(frame: Frame, index: LaneNode): Frame {
    const row = this.inside(frame, this.axis, index)
    this.prefetch(row, axes => axes.includes(this.axis) && !axes.includes(this.nest.vectorAxis))
    return row
  }

  /** The columns of a square; accesses that vary only along the vector axis are loaded here. */
  #columns(frame: Frame, index: LaneNode, count: LaneNode | null): Frame {
    const { vectorAxis } = this.nest
    const shared = this.inside(frame, vectorAxis, index, { checked: false, count })
    this.prefetch(shared, axes => axes.includes(vectorAxis) && !axes.includes(this.axis))
    return shared
  }

  /** One square of lanes × lanes elements, of which some loads are transposed in registers. */
  #inRegisters(frame: Frame, shared: Frame, start: LaneNode, index: LaneNode): void {
    const { vectorAxis } = this.nest
    const { lanes } = this.state
    const rows = identityMap(this.nest.lanes).map(i => this.#row(frame, lanes.add(start, lanes.index(i))))
    const columns = this.transposed.map(access => this.#transpose(access, frame, start, null, index, null))
    const points = rows.map((row, i) => {
      const point = this.inside(new Shared(row, shared), vectorAxis, index, { checked: false, ...this.#streamed })
      this.transposed.forEach((access, t) => {
        point.provide(access, columns[t]![i]!)
      })
      return point
    })
    this.points(points, 'across', [])
  }

  /** Whole lines of large results are written past the caches, without reading what was there. */
  get #streamed(): { readonly streamedFrom?: number } {
    const [root, ...others] = this.nest.roots
    if (root?.kind !== 'store' || root.nodes.length > 1 || others.length > 0) return {}
    const bytes = itemBytes(viewType(root.nodes[0]!.inputs[0]!).dtype)
    if (bytes * this.nest.lanes !== lineBytes) return {}
    const elements = this.nest.space.reduce((product, extent) => product * extent, 1)
    return { streamedFrom: Math.ceil(leastStreamed / (bytes * elements)) }
  }

  /** As `#inRegisters`, but transposes into scratch memory and loops over `height` rows of `width` elements (null: all lanes). */
  #byRows(
    frame: Frame,
    shared: Frame,
    start: LaneNode,
    height: LaneNode | null,
    index: LaneNode,
    width: LaneNode | null,
  ): void {
    const { lanes } = this.state
    const side = this.nest.lanes
    this.transposed.forEach((access, t) => {
      this.#transpose(access, frame, start, height, index, width).forEach((row, i) => {
        lanes.store(this.#scratch[t]!, lanes.index(i * side), row)
      })
    })
    this.loop(lanes.index(0), height ?? lanes.index(side), 1, i => {
      const point = this.inside(shared, this.axis, lanes.add(start, i), this.#streamed)
      this.transposed.forEach((access, t) => {
        point.provide(access, lanes.load(this.#scratch[t]!, lanes.mul(i, lanes.index(side)), side))
      })
      this.points([point], 'across', [])
    })
  }

  /** The access' square: one vector of `height` elements for each of `width` lanes, loaded along its own axis, then transposed. */
  #transpose(
    access: Access,
    frame: Frame,
    start: LaneNode,
    height: LaneNode | null,
    index: LaneNode,
    width: LaneNode | null,
  ): readonly LaneNode[] {
    const { lanes } = this.state
    const side = lanes.index(this.nest.lanes)
    const rows = identityMap(this.nest.lanes).map(lane => {
      const along = lanes.add(index, lanes.index(lane))
      const at = frame.point.at.map((known, d) =>
        d === this.axis ? start : d === this.nest.vectorAxis ? along : known,
      )
      const isInside = width === null ? null : lanes.map('lt', lanes.index(lane), width)
      const count = isInside === null ? height : lanes.map('where', isInside, height ?? side, lanes.index(0))
      return new Frame(this.#along, { ...frame.point, at, count, checked: false }, null).vector(
        access.node,
        access.axes,
      )
    })
    return lanes.transpose(rows)
  }
}

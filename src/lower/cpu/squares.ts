/**
 * Elementwise nests with transposed accesses. Data that is contiguous along another axis than the vector axis is loaded in
 * squares (as many vectors as a vector has lanes), which are transposed in registers.
 */
import type { LaneNode } from '../../lane/ir.js'
import { identityMap } from './axes.js'
import { Frame } from './frame.js'
import { NestWriter, Shared } from './loops.js'
import { NestFacts } from './nest-facts.js'
import { type Nest, strideAlong } from './nests.js'
import type { Access } from './plan.js'
import type { State } from './state.js'

/** A square repeats the nest's body for each of its rows: above this cost, the code size outweighs the gain. */
const maxCost = 24

/** Emission of the nest in squares, or null where it does not pay. */
export function squaresOf(state: State, nest: Nest): SquareWriter | null {
  const { vectorAxis, innerAxis, lanes, padded } = nest
  const plain = nest.roots.every(root => root.kind === 'store' || root.kind === 'keep' || root.kind === 'assign')
  if (!plain || vectorAxis < 0 || innerAxis >= 0 || padded || lanes < 4) return null
  if (nest.cones.reduce((sum, cone) => sum + cone.cost, 0) > maxCost) return null
  const facts = new NestFacts(state, nest)
  const accesses = nest.cones.flatMap(cone => cone.accesses)
  const unchecked = accesses.every(
    access =>
      access.kind === 'buffer' || (access.kind === 'load' && facts.checksOf(access.node, access.axes).length === 0),
  )
  if (!unchecked) return null
  for (const axis of identityMap(nest.space.length)) {
    if (axis === vectorAxis || nest.space[axis]! < lanes) continue
    const transposed = accesses.filter(
      access =>
        !nest.own.has(access.node) &&
        strideAlong(state.plan, access, axis) === 1 &&
        ![0, 1].includes(strideAlong(state.plan, access, vectorAxis) ?? 0),
    )
    if (transposed.length > 0) return new SquareWriter(state, nest, axis, transposed)
  }
  return null
}

class SquareWriter extends NestWriter {
  readonly #along: NestFacts

  constructor(
    state: State,
    nest: Nest,
    /** The axis along which the transposed accesses are contiguous. */
    readonly axis: number,
    readonly transposed: readonly Access[],
  ) {
    super(state, nest, axis)
    this.#along = new NestFacts(state, { ...nest, vectorAxis: axis })
  }

  /** At the transposed axis, loops over strips as wide as a vector, and over the rest row by row. */
  protected override openOuter(level: number, frame: Frame): void {
    if (this.outer[level] !== this.axis) {
      super.openOuter(level, frame)
      return
    }
    const { state } = this
    const { lanes } = state
    const range = this.nest.ranges[this.axis]!
    const [from, to] = [state.rangeStart(range), state.rangeEnd(range)]
    const full = state.roundDown(lanes.max(lanes.index(0), lanes.sub(to, from)), this.nest.lanes)
    const cut = lanes.add(from, full)
    this.loop(from, cut, this.nest.lanes, start => this.#strip(frame, start))
    this.loop(cut, to, 1, index => this.openVector(this.#row(frame, index)))
  }

  /** One index of the axis; accesses that vary only along this axis are loaded here. */
  #row(frame: Frame, index: LaneNode): Frame {
    const row = this.inside(frame, this.axis, index)
    this.prefetch(row, axes => axes.includes(this.axis) && !axes.includes(this.nest.vectorAxis))
    return row
  }

  /** As many indices of the axis as a vector has lanes, along the whole vector axis. */
  #strip(frame: Frame, start: LaneNode): void {
    const { lanes } = this.state
    const rows = identityMap(this.nest.lanes).map(i => this.#row(frame, lanes.add(start, lanes.index(i))))
    this.cut(frame, (from, to, step, units, edge) => {
      if (edge) {
        const last = lanes.add(start, lanes.index(this.nest.lanes))
        this.loop(start, last, 1, index => this.#edge(this.#row(frame, index), from, to, units))
        return
      }
      lanes.loop({ from, to, step, name: 'j', comment: this.comment }, [], index => {
        this.#square(frame, rows, start, index)
        return []
      })
    })
  }

  #edge(row: Frame, from: LaneNode, to: LaneNode, units: number): void {
    this.loop(from, to, this.nest.lanes * units, index => {
      this.points(this.units(row, index, to, units, true), 'across', [])
    })
  }

  /** One square of lanes × lanes elements, of which some loads are transposed in registers. */
  #square(frame: Frame, rows: readonly Frame[], start: LaneNode, index: LaneNode): void {
    const { vectorAxis } = this.nest
    const shared = this.inside(frame, vectorAxis, index, { checked: false })
    this.prefetch(shared, axes => axes.includes(vectorAxis) && !axes.includes(this.axis))
    const columns = this.transposed.map(access => this.#transpose(access, frame, start, index))
    const points = rows.map((row, i) => {
      const point = this.inside(new Shared(row, shared), vectorAxis, index, { checked: false })
      this.transposed.forEach((access, t) => {
        point.provide(access, columns[t]![i]!)
      })
      return point
    })
    this.points(points, 'across', [])
  }

  /** The access' square: one vector per lane, loaded along its own axis, then transposed. */
  #transpose(access: Access, frame: Frame, start: LaneNode, index: LaneNode): readonly LaneNode[] {
    const { lanes } = this.state
    const rows = identityMap(this.nest.lanes).map(lane => {
      const along = lanes.add(index, lanes.index(lane))
      const at = frame.point.at.map((known, d) =>
        d === this.axis ? start : d === this.nest.vectorAxis ? along : known,
      )
      return new Frame(this.#along, { ...frame.point, at, checked: false }, null).vector(access.node, access.axes)
    })
    return lanes.transpose(rows)
  }
}

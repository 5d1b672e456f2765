/**
 * Elementwise nests that write few columns, such as [n, 4]: vectors run down the columns, and the vectors of a row's columns
 * are interleaved in registers, so that whole vectors are stored.
 */
import type { LaneNode } from '../../lane/ir.js'
import type { TileNode } from '../../tile/ir.js'
import { identityMap } from './axes.js'
import type { Frame } from './frame.js'
import { NestWriter, Shared } from './loops.js'
import { interleavedAxis, type Nest } from './nests.js'
import { constantExtent } from './ranges.js'
import type { State } from './state.js'

/** Emission of the nest with interleaved stores, or null where its stores are no such. */
export function interleavedOf(state: State, nest: Nest): InterleavedWriter | null {
  const { roots, ranges, vectorAxis, innerAxis, lanes, own, padded } = nest
  if (vectorAxis < 0 || innerAxis >= 0 || padded || own.size > 0 || lanes < 4) return null
  const axis = interleavedAxis(roots, ranges, vectorAxis)
  const [root] = roots
  if (axis < 0 || root?.kind !== 'store') return null
  return new InterleavedWriter(state, { ...nest, innerAxis: axis }, root.nodes[0]!)
}

class InterleavedWriter extends NestWriter {
  constructor(
    state: State,
    nest: Nest,
    readonly target: Extract<TileNode, { op: 'store' }>,
  ) {
    super(state, nest)
  }

  protected override openVector(frame: Frame): void {
    const { lanes } = this.state
    const { innerAxis, vectorAxis, ranges } = this.nest
    const columns = identityMap(constantExtent(ranges[innerAxis]!)!.hi).map(i => {
      const column = this.inside(frame, innerAxis, lanes.index(i))
      this.prefetch(column, axes => axes.includes(innerAxis) && !axes.includes(vectorAxis))
      return column
    })
    this.cut(frame, (from, to, step, _, edge) => {
      lanes.loop({ from, to, step, name: 'i', comment: this.comment }, [], start => {
        this.#rows(columns, this.units(frame, start, to, 1, edge)[0]!)
        return []
      })
    })
  }

  /** As many rows as a vector has lanes, of all columns. */
  #rows(columns: readonly Frame[], shared: Frame): void {
    const { innerAxis, vectorAxis } = this.nest
    this.prefetch(shared, axes => axes.includes(vectorAxis) && !axes.includes(innerAxis))
    const axes = identityMap(this.nest.space.length)
    const points = columns.map((column, i) => {
      const index = this.state.lanes.index(i)
      return this.inside(new Shared(shared, column), innerAxis, index)
    })
    const values = points.map((point): LaneNode => point.vector(this.target.inputs.at(-1)!, axes))
    this.state.at(this.target, () => {
      points[0]!.storeRows(this.target, axes, this.state.lanes.transpose(values))
    })
  }
}

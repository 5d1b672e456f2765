/**
 * Packs a transposed b (contiguous along K, like a linear layer's weight): squares of vectors are loaded along K and
 * transposed in registers, which is several times faster than loading the elements one by one.
 */
import type { LaneNode } from '../../lane/ir.js'
import { itemBytes } from '../../types/dtype.js'
import { Frame } from './frame.js'
import { NestFacts } from './nest-facts.js'
import { type Nest, strideAlong } from './nests.js'
import type { LoweringPlan, PackRoot } from './plan.js'
import { isMultiple } from './ranges.js'
import type { State } from './state.js'

/** True when b is contiguous along K but not along N. */
export function isTransposedPack(plan: LoweringPlan, root: PackRoot): boolean {
  if (root.side !== 'panels') return false
  const reads = plan.cones.get(root)!.accesses.filter(access => access.kind !== 'gather')
  const strides = reads.map(access => [strideAlong(plan, access, 0), strideAlong(plan, access, 1)] as const)
  return strides.some(([k, n]) => k === 1 && n !== 0 && n !== 1) && strides.every(([k, n]) => k === 1 || n !== 1)
}

export function emitTransposedPack(state: State, nest: Nest, root: PackRoot): void {
  new TransposedPack(state, nest, root).write()
}

class TransposedPack {
  readonly #nest: Nest
  readonly #facts: NestFacts
  readonly #width: number
  readonly #comment = 'pack b, transposed'

  constructor(
    readonly state: State,
    nest: Nest,
    readonly root: PackRoot,
  ) {
    this.#width = root.buffer.panel!.width
    const lanes = Math.min(this.#width, state.target.vectorBytes / itemBytes(root.buffer.dtype))
    this.#nest = { ...nest, vectorAxis: 0, innerAxis: -1, lanes, unroll: 1, padded: false }
    this.#facts = new NestFacts(state, this.#nest)
  }

  /** Whole panels first, then the panel at the tile's edge. */
  write(): void {
    const { state } = this
    const columns = this.#nest.ranges[1]!
    const end = state.rangeEnd(columns)
    const whole = isMultiple(state.plan.index, columns, this.#width)
    const cut = whole ? end : state.roundDown(state.lanes.max(state.lanes.index(0), end), this.#width)
    this.#panels(state.lanes.index(0), cut, null)
    if (!whole) this.#panels(cut, state.roundUp(end, this.#width), end)
  }

  #loop(from: LaneNode, to: LaneNode, step: number, name: string, body: (index: LaneNode) => void): void {
    const bounds = { from, to, step: this.state.lanes.index(step), name, comment: this.#comment }
    this.state.lanes.loop(bounds, [], index => {
      body(index)
      return []
    })
  }

  /** `limit`: columns from this one on are zero. */
  #panels(from: LaneNode, to: LaneNode, limit: LaneNode | null): void {
    const { lanes } = this.state
    this.#loop(from, to, this.#width, 'j', panel => {
      this.#loop(lanes.index(0), lanes.index(this.#width), this.#nest.lanes, 'c', within => {
        this.#squares(panel, within, limit)
      })
    })
  }

  /** The squares of one strip of columns, along K: whole squares without checks, then the remainder. */
  #squares(panel: LaneNode, within: LaneNode, limit: LaneNode | null): void {
    const { state } = this
    const { lanes } = state
    const rows = this.#nest.ranges[0]!
    const step = this.#nest.lanes
    const end = state.rangeEnd(rows)
    const free = limit === null ? this.#uncheckedEnd(end) : lanes.index(0)
    const isWhole = free === end && isMultiple(state.plan.index, rows, step)
    const cut = isWhole ? end : state.roundDown(lanes.max(lanes.index(0), free), step)
    this.#loop(lanes.index(0), cut, step, 'k', k => this.#square(panel, within, k, null, null))
    if (!isWhole) this.#loop(cut, end, step, 'k', k => this.#square(panel, within, k, end, limit))
  }

  /** The end of the part of K where loads need no checks; 0 when a load needs checks of another kind. */
  #uncheckedEnd(end: LaneNode): LaneNode {
    const { lanes } = this.state
    let free = end
    for (const cone of this.#nest.cones) {
      for (const access of cone.accesses) {
        if (access.kind !== 'load') continue
        for (const check of this.#facts.checksOf(access.node, access.axes)) {
          if (check.axis !== 0 || check.lo !== null) return lanes.index(0)
          free = lanes.min(free, this.state.form(check.hi!))
        }
      }
    }
    return free
  }

  /** Packs a square of rows that are contiguous in memory: loads vectors along k, and stores their transpose. */
  #square(panel: LaneNode, within: LaneNode, k: LaneNode, end: LaneNode | null, limit: LaneNode | null): void {
    const { lanes } = this.state
    const size = this.#nest.lanes
    const first = lanes.add(panel, within)
    const rows = Array.from({ length: size }, (_, row) => this.#row(lanes.add(first, lanes.index(row)), k, end, limit))
    const { width, stride } = this.root.buffer.panel!
    const start = lanes.add(lanes.mul(panel, lanes.index(stride / width)), within)
    const pointer = this.state.bufferPointer(this.root.buffer)
    const base = lanes.add(start, lanes.mul(k, lanes.index(width)))
    lanes.transpose(rows).forEach((column, i) => {
      lanes.store(pointer, lanes.add(base, lanes.index(i * width)), column)
    })
  }

  /** A vector along K of one column of b; zero past the ends. */
  #row(column: LaneNode, k: LaneNode, end: LaneNode | null, limit: LaneNode | null): LaneNode {
    const { lanes } = this.state
    const { node, axes } = this.root.value
    const zero = lanes.index(0)
    const left = end === null ? null : lanes.min(lanes.index(this.#nest.lanes), lanes.sub(end, k))
    const count =
      left !== null && limit !== null ? lanes.map('where', lanes.map('lt', column, limit), left, zero) : left
    const frame = new Frame(this.#facts, { at: [k, column], count, checked: end !== null, block: null, unit: 0 }, null)
    const value = lanes.cast(frame.vector(node, axes), this.root.buffer.dtype)
    return frame.orOutside(value, lanes.constant(this.root.buffer.dtype, 0))
  }
}

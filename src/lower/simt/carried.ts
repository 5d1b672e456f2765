/** The values that a loop carries for its slots: one per slot, except that joint dots (joint-dots.ts) share one accumulator. */
import type { LaneNode } from '../../lane/ir.js'
import { lanesOf } from '../shared/lanes.js'
import type { JointDots } from './joint-dots.js'
import type { Vectors } from './vectors.js'

export class Carried {
  readonly #joint: readonly number[]

  constructor(
    readonly vectors: Vectors,
    joint: JointDots | null,
  ) {
    this.#joint = joint?.dots.map(({ slot }) => slot) ?? []
  }

  /** Packs the slots' values into the loop-carried values; the joint accumulator comes last. */
  join(values: readonly LaneNode[]): readonly LaneNode[] {
    if (this.#joint.length === 0) return values
    const own = values.filter((_, slot) => !this.#joint.includes(slot))
    return [...own, this.vectors.concat(this.#joint.map(slot => values[slot]!))]
  }

  /** Unpacks the loop-carried values into the slots' values. */
  split(carried: readonly LaneNode[]): readonly LaneNode[] {
    if (this.#joint.length === 0) return carried
    const own = carried.slice(0, -1)
    const each = lanesOf(carried.at(-1)!) / this.#joint.length
    return Array.from({ length: own.length + this.#joint.length }, (_, slot) => {
      const part = this.#joint.indexOf(slot)
      return part < 0 ? own.shift()! : this.vectors.slice(carried.at(-1)!, part * each, each)
    })
  }
}

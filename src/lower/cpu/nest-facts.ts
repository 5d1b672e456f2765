/** Facts shared by all frames of a loop nest: the bounds that its ranges imply, and the masks that hold at every point. */
import type { TileNode } from '../../tile/ir.js'
import { viewType } from '../../tile/ir.js'
import { type IndexForm, scale, subtract } from '../shared/index-analysis.js'
import { type AxisMap, alwaysHolds, mapKey } from './axes.js'
import type { Nest } from './nests.js'
import { staysAbove, staysBelow } from './ranges.js'
import type { State } from './state.js'

/** Bounds of a load on one axis that the nest's own ranges do not imply. */
export interface AxisCheck {
  readonly axis: number
  readonly lo: IndexForm | null
  readonly hi: IndexForm | null
}

/** The facts of one nest. */
export class NestFacts {
  readonly #checks = new Map<string, readonly AxisCheck[]>()
  readonly #holds = new Map<string, boolean>()
  constructor(
    readonly state: State,
    readonly nest: Nest,
  ) {}

  checksOf(node: TileNode, axes: AxisMap): readonly AxisCheck[] {
    const key = mapKey(node, axes)
    const known = this.#checks.get(key)
    if (known !== undefined) return known
    const made = this.#findChecks(node, axes)
    this.#checks.set(key, made)
    return made
  }

  /** The bounds of a load or store that its axes' ranges do not already guarantee. */
  #findChecks(node: TileNode, axes: AxisMap): AxisCheck[] {
    const { index } = this.state.plan
    const view = node.inputs[0]!
    return viewType(view).sizes.flatMap((_, d): AxisCheck[] => {
      const offset = index.affine(node.inputs[1 + d]!)
      const range = axes[d]! < 0 ? { size: 1, lo: [], hi: [[]] } : this.nest.ranges[axes[d]!]!
      const [lo, hi] = [scale(offset, -1), subtract(index.size(view, d), offset)]
      const check = {
        axis: axes[d]!,
        lo: staysAbove(index, range, lo) ? null : lo,
        hi: staysBelow(index, range, hi) ? null : hi,
      }
      return check.lo === null && check.hi === null ? [] : [check]
    })
  }

  /** True when a mask is true at every point of the nest. */
  holds(condition: TileNode, axes: AxisMap): boolean {
    const key = mapKey(condition, axes)
    const known = this.#holds.get(key)
    if (known !== undefined) return known
    const made = alwaysHolds(this.state.plan.index, condition, axes, this.nest.ranges)
    this.#holds.set(key, made)
    return made
  }
}

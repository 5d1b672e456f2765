/**
 * Tiles of 64-bit indices as what they mostly are: a scalar plus a small 32-bit tile (`iota + start`). Comparing two of
 * them compares their small parts with the difference of the scalars. As everywhere in the lowering, index arithmetic is
 * taken not to wrap.
 */
import type { LaneNode } from '../../lane/ir.js'
import type { ScalarOpName } from '../../scalar/ops.js'
import { type TileNode, tileType } from '../../tile/ir.js'
import { type Affine, combine, gcd, zero } from '../affine.js'
import type { Context } from './context.js'
import { broadcastRegisters, type Layout, registerCount, totalBits, uniform } from './layout.js'
import type { Value } from './memory.js'
import { beforeRenaming, isRenaming, shapeOf } from './renaming.js'

/** base + small, where small lies in [low, high]. */
export interface IndexTile {
  /** An i64 scalar. */
  readonly base: LaneNode
  readonly form: Affine
  /** A power of two that divides the base. */
  readonly divisor: number
  /** i32 per register; null: 0. */
  readonly small: LaneNode | null
  readonly low: number
  readonly high: number
}

const maxSmall = 2 ** 28

const comparisons: readonly ScalarOpName[] = ['eq', 'ne', 'lt', 'le', 'gt', 'ge']

export class IndexTiles {
  constructor(
    readonly context: Context,
    readonly value: Value,
  ) {}

  /** A comparison of index tiles on 32 bits; null: it is something else. */
  compare(node: Extract<TileNode, { op: 'map' }>, layout: Layout): LaneNode | null {
    const { fn } = node.attrs
    if (!comparisons.includes(fn) || totalBits(layout.shape) === 0) return null
    const [a, b] = node.inputs.map(input => this.split(input, layout)) as [IndexTile | null, IndexTile | null]
    if (a === null || b === null || (a.small === null && b.small === null)) return null
    const { lanes } = this.context
    const full = (made: LaneNode): LaneNode => lanes.spread(made, registerCount(layout))
    const whole = fn === 'lt' ? this.#isWholeBelow(a, b) : null
    if (whole !== null) return full(whole)
    if (Math.max(...[a.low, a.high, b.low, b.high].map(Math.abs)) > maxSmall) return null
    const small = this.#combine('sub', a.small, b.small)
    return lanes.map(fn, small!, full(this.#clamped(lanes.sub(b.base, a.base))))
  }

  /** A block that lies below a bound or beyond it, but never on it: one bool says which. Null: it may. */
  #isWholeBelow(a: IndexTile, b: IndexTile): LaneNode | null {
    if (b.small !== null || a.low < 0 || gcd(a.divisor, b.divisor) <= a.high) return null
    const { lanes, facts } = this.context
    const isBelow = facts.index.interval(combine(b.form, a.form, -1)).lo >= 1
    return isBelow ? lanes.constant('bool', 1) : lanes.map('lt', a.base, b.base)
  }

  /** Bool per register: inside [0, size); null: always. */
  inside(tile: IndexTile, view: TileNode, dim: number, layout: Layout): LaneNode | null {
    const { context } = this
    const { lanes, facts } = context
    const full = (made: LaneNode): LaneNode => lanes.spread(made, registerCount(layout))
    const tests: LaneNode[] = []
    const size = context.viewSize(view, dim)
    if (facts.index.interval(tile.form).lo + tile.low < 0) {
      const least = lanes.map('neg', tile.base)
      tests.push(
        tile.small === null
          ? full(lanes.map('ge', tile.base, lanes.index(0)))
          : lanes.map('ge', tile.small, full(this.#clamped(least))),
      )
    }
    if (facts.index.interval(combine(facts.index.size(view, dim), tile.form, -1)).lo <= tile.high) {
      tests.push(
        tile.small === null
          ? full(lanes.map('lt', tile.base, size))
          : lanes.map('lt', tile.small, full(this.#clamped(lanes.sub(size, tile.base)))),
      )
    }
    return tests.length === 0 ? null : tests.reduce((a, b) => lanes.and(a, b))
  }

  /** The tile times a scalar, as `type`. */
  scaled(tile: IndexTile, factor: LaneNode, type: 'i32' | 'i64', layout: Layout): LaneNode {
    const { lanes } = this.context
    const count = registerCount(layout)
    const typed = (made: LaneNode): LaneNode => lanes.cast(made, type)
    const base = lanes.spread(typed(lanes.mul(tile.base, factor)), count)
    if (tile.small === null) return base
    return lanes.add(base, lanes.mul(typed(tile.small), lanes.spread(typed(factor), count)))
  }

  /** i32: the scalar, or the bound that no small part reaches. */
  #clamped(node: LaneNode): LaneNode {
    const { lanes } = this.context
    const bound = lanes.constant('i64', BigInt(4 * maxSmall - 1))
    return lanes.cast(lanes.max(lanes.map('neg', bound), lanes.min(bound, node)), 'i32')
  }

  #combine(fn: 'add' | 'sub', a: LaneNode | null, b: LaneNode | null): LaneNode | null {
    if (b === null) return a
    if (a === null) return fn === 'add' ? b : this.context.lanes.map('neg', b)
    return this.context.lanes.map(fn, a, b)
  }

  /** A tile as a scalar and a small tile; null: it is something else. */
  split(node: TileNode, layout: Layout): IndexTile | null {
    const { context } = this
    if (tileType(node).dtype !== 'i64') return null
    const { facts } = context
    if (totalBits(shapeOf(node)) === 0) {
      const base = this.value(node, uniform(shapeOf(node), context.warpBits))
      const form = facts.index.affine(node)
      return { base, form, divisor: facts.divisor(node), small: null, low: 0, high: 0 }
    }
    if (isRenaming(node)) {
      const [input] = node.inputs as [TileNode]
      const inner = this.split(input, beforeRenaming(node, layout))
      if (inner === null || inner.small === null || node.op !== 'broadcast') return inner
      return { ...inner, small: context.vectors.pick(inner.small, broadcastRegisters(layout, shapeOf(input))) }
    }
    if (node.op === 'iota') {
      const small = context.coordinates(layout, 0)
      const high = 2 ** totalBits(layout.shape) - 1
      return { base: context.lanes.index(0), form: zero, divisor: 2 ** 20, small, low: 0, high }
    }
    if (node.op !== 'map' || (node.attrs.fn !== 'add' && node.attrs.fn !== 'sub')) return null
    const [a, b] = node.inputs.map(input => this.split(input, layout)) as [IndexTile | null, IndexTile | null]
    if (a === null || b === null) return null
    const { fn } = node.attrs
    const sign = fn === 'add' ? 1 : -1
    return {
      base: context.lanes.map(fn, a.base, b.base),
      form: combine(a.form, b.form, sign),
      divisor: gcd(a.divisor, b.divisor),
      small: this.#combine(fn, a.small, b.small),
      low: a.low + (sign > 0 ? b.low : -b.high),
      high: a.high + (sign > 0 ? b.high : -b.low),
    }
  }
}

/**
 * Tiles of 64-bit indices as what they mostly are: a scalar plus a small 32-bit tile (`iota + start`). Comparing two of
 * them compares their small parts with the difference of the scalars. As everywhere in the lowering, index arithmetic is
 * taken not to wrap.
 */
import type { LaneNode } from '../../lane/ir.js'
import type { ScalarOpName } from '../../scalar/ops.js'
import { type TileNode, tileType } from '../../tile/ir.js'
import type { Context } from './context.js'
import { broadcastRegisters, type Layout, registerCount, totalBits, uniform } from './layout.js'
import type { Value } from './memory.js'
import { beforeRenaming, isRenaming, shapeOf } from './renaming.js'

/** base + small, |small| ≤ limit. */
interface IndexTile {
  /** An i64 scalar. */
  readonly base: LaneNode
  /** i32 per register; null: 0. */
  readonly small: LaneNode | null
  readonly limit: number
}

const maxSmall = 2 ** 29

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
    const [a, b] = node.inputs.map(input => this.#split(input, layout)) as [IndexTile | null, IndexTile | null]
    if (a === null || b === null || (a.small === null && b.small === null)) return null
    const { lanes } = this.context
    const limit = a.limit + b.limit
    if (limit > maxSmall) return null
    const bound = lanes.constant('i64', BigInt(2 * maxSmall))
    const difference = lanes.sub(b.base, a.base)
    const clamped = lanes.max(lanes.map('neg', bound), lanes.min(bound, difference))
    const full = (node: LaneNode): LaneNode => lanes.spread(node, registerCount(layout))
    const small = this.#combine('sub', a.small, b.small)
    return lanes.map(fn, small!, full(lanes.cast(clamped, 'i32')))
  }

  #combine(fn: 'add' | 'sub', a: LaneNode | null, b: LaneNode | null): LaneNode | null {
    if (b === null) return a
    if (a === null) return fn === 'add' ? b : this.context.lanes.map('neg', b)
    return this.context.lanes.map(fn, a, b)
  }

  #split(node: TileNode, layout: Layout): IndexTile | null {
    const { context } = this
    if (tileType(node).dtype !== 'i64') return null
    if (totalBits(shapeOf(node)) === 0) {
      const base = this.value(node, uniform(shapeOf(node), context.warpBits))
      return { base, small: null, limit: 0 }
    }
    if (isRenaming(node)) {
      const [input] = node.inputs as [TileNode]
      const inner = this.#split(input, beforeRenaming(node, layout))
      if (inner === null || inner.small === null || node.op !== 'broadcast') return inner
      return { ...inner, small: context.vectors.pick(inner.small, broadcastRegisters(layout, shapeOf(input))) }
    }
    if (node.op === 'iota')
      return { base: context.lanes.index(0), small: context.coordinates(layout, 0), limit: 2 * node.attrs.length }
    if (node.op !== 'map' || (node.attrs.fn !== 'add' && node.attrs.fn !== 'sub')) return null
    const [a, b] = node.inputs.map(input => this.#split(input, layout)) as [IndexTile | null, IndexTile | null]
    if (a === null || b === null) return null
    const { fn } = node.attrs
    return {
      base: context.lanes.map(fn, a.base, b.base),
      small: this.#combine(fn, a.small, b.small),
      limit: a.limit + b.limit,
    }
  }
}

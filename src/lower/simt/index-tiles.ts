/**
 * Tiles of 64-bit indices, decomposed into a scalar plus a small 32-bit tile (`iota + start`). To compare two of them, their
 * small parts are compared with the difference of the scalars. As everywhere in the lowering, index arithmetic is assumed not
 * to wrap.
 */
import type { LaneNode } from '../../lane/ir.js'
import type { ScalarOpName } from '../../scalar/ops.js'
import { type TileNode, tileType } from '../../tile/ir.js'
import { combine, type IndexForm, zero } from '../shared/index-analysis.js'
import type { Context, Value } from './context.js'
import { broadcastRegisters, registerCount, type ThreadLayout, totalBits, uniform } from './layout.js'
import { beforeRenaming, isRenaming, shapeOf } from './renaming.js'

/** i32 per register: the thread's part, shared by all registers, plus a constant per register. */
interface Small {
  readonly thread: LaneNode
  readonly constants: readonly number[]
}

/** base + small, with small in [low, high]; null: 0. */
export interface IndexTile {
  /** An i64 scalar. */
  readonly base: LaneNode
  readonly form: IndexForm
  readonly small: Small | null
  readonly low: number
  readonly high: number
}

const maxSmall = 2 ** 28

/** Comparisons with their operands swapped. */
const mirrored = { eq: 'eq', ne: 'ne', lt: 'gt', le: 'ge', gt: 'lt', ge: 'le' } as const

export class IndexTiles {
  constructor(
    readonly context: Context,
    readonly value: Value,
  ) {}

  /** A comparison of index tiles in 32 bits; null: not applicable. */
  compare(node: Extract<TileNode, { op: 'map' }>, layout: ThreadLayout): LaneNode | null {
    const { fn } = node.attrs
    if (!(fn in mirrored) || totalBits(layout.shape) === 0) return null
    const [a, b] = node.inputs.map(input => this.split(input, layout)) as [IndexTile | null, IndexTile | null]
    if (a === null || b === null || (a.small === null && b.small === null)) return null
    const { lanes } = this.context
    const full = (made: LaneNode): LaneNode => lanes.spread(made, registerCount(layout))
    const whole = fn === 'lt' ? this.#isWholeBelow(a, b) : null
    if (whole !== null) return full(whole)
    if (Math.max(...[a.low, a.high, b.low, b.high].map(Math.abs)) > maxSmall) return null
    const small = this.#combine('sub', a.small, b.small)!
    return this.#against(mirrored[fn as keyof typeof mirrored], lanes.sub(b.base, a.base), small)
  }

  /** If the bound cannot be inside the block, the whole block is below or beyond it: one bool tells. Null: it may be inside. */
  #isWholeBelow(a: IndexTile, b: IndexTile): LaneNode | null {
    const { lanes, facts } = this.context
    const { range, divisor } = facts.index.known(combine(b.form, a.form, -1))
    if (b.small !== null || a.low < 0 || (divisor !== 0 && divisor <= a.high)) return null
    const isBelow = range.min >= 1
    return isBelow ? lanes.constant('bool', 1) : lanes.map('lt', a.base, b.base)
  }

  /** Bool per register: inside [0, size); null: always. */
  inside(tile: IndexTile, view: TileNode, dim: number, layout: ThreadLayout): LaneNode | null {
    const { context } = this
    const { lanes, facts } = context
    const full = (made: LaneNode): LaneNode => lanes.spread(made, registerCount(layout))
    const tests: LaneNode[] = []
    const size = context.viewSize(view, dim)
    if (facts.index.interval(tile.form).min + tile.low < 0) {
      const least = lanes.map('neg', tile.base)
      tests.push(
        tile.small === null ? full(lanes.map('ge', tile.base, lanes.index(0))) : this.#against('le', least, tile.small),
      )
    }
    if (facts.index.interval(combine(facts.index.size(view, dim), tile.form, -1)).min <= tile.high) {
      tests.push(
        tile.small === null
          ? full(lanes.map('lt', tile.base, size))
          : this.#against('gt', lanes.sub(size, tile.base), tile.small),
      )
    }
    return tests.length === 0 ? null : tests.reduce((a, b) => lanes.and(a, b))
  }

  /** i32 or i64 (`type`): the tile times a scalar. */
  scaled(tile: IndexTile, factor: LaneNode, type: 'i32' | 'i64', layout: ThreadLayout): LaneNode {
    const { lanes } = this.context
    const count = registerCount(layout)
    const typed = (made: LaneNode): LaneNode => lanes.cast(made, type)
    const base = lanes.spread(typed(lanes.mul(tile.base, factor)), count)
    if (tile.small === null) return base
    return lanes.add(base, lanes.mul(typed(this.#full(tile.small)), lanes.spread(typed(factor), count)))
  }

  /** A scalar i64 as i32, clamped to bounds beyond every small part, so that comparisons with those keep their result. */
  #clamped(node: LaneNode): LaneNode {
    const { lanes } = this.context
    const bound = lanes.constant('i64', BigInt(4 * maxSmall - 1))
    return lanes.cast(lanes.max(lanes.map('neg', bound), lanes.min(bound, node)), 'i32')
  }

  /** Compares a scalar with a small tile; the registers' constants are alone on their side. */
  #against(fn: ScalarOpName, scalar: LaneNode, { thread, constants }: Small): LaneNode {
    const { lanes, vectors } = this.context
    const own = lanes.sub(this.#clamped(scalar), thread)
    return lanes.map(fn, lanes.spread(own, constants.length), vectors.constants('i32', constants))
  }

  #full({ thread, constants }: Small): LaneNode {
    const { lanes, vectors } = this.context
    return lanes.add(lanes.spread(thread, constants.length), vectors.constants('i32', constants))
  }

  #combine(fn: 'add' | 'sub', a: Small | null, b: Small | null): Small | null {
    if (b === null) return a
    const { lanes } = this.context
    const first = a ?? { thread: this.context.i32(0), constants: b.constants.map(() => 0) }
    const sign = fn === 'add' ? 1 : -1
    return {
      thread: lanes.map(fn, first.thread, b.thread),
      constants: first.constants.map((constant, i) => constant + sign * b.constants[i]!),
    }
  }

  /** Decomposes a tile into a scalar and a small tile; null: not possible. */
  split(node: TileNode, layout: ThreadLayout): IndexTile | null {
    const { context } = this
    if (tileType(node).dtype !== 'i64') return null
    if (totalBits(shapeOf(node)) === 0) {
      const base = this.value(node, uniform(shapeOf(node), context.warpBits))
      return { base, form: context.facts.index.affine(node), small: null, low: 0, high: 0 }
    }
    if (isRenaming(node)) {
      const [input] = node.inputs as [TileNode]
      const inner = this.split(input, beforeRenaming(node, layout))
      if (inner === null || inner.small === null || node.op !== 'broadcast') return inner
      const { thread, constants } = inner.small
      const picked = broadcastRegisters(layout, shapeOf(input)).map(register => constants[register]!)
      return { ...inner, small: { thread, constants: picked } }
    }
    if (node.op === 'iota') {
      const small = { thread: context.threadCoordinate(layout, 0), constants: context.registerCoordinates(layout, 0) }
      const high = 2 ** totalBits(layout.shape) - 1
      return { base: context.lanes.index(0), form: zero, small, low: 0, high }
    }
    if (node.op !== 'map' || (node.attrs.fn !== 'add' && node.attrs.fn !== 'sub')) return null
    const [a, b] = node.inputs.map(input => this.split(input, layout)) as [IndexTile | null, IndexTile | null]
    if (a === null || b === null) return null
    const { fn } = node.attrs
    const sign = fn === 'add' ? 1 : -1
    return {
      base: context.lanes.map(fn, a.base, b.base),
      form: combine(a.form, b.form, sign),
      small: this.#combine(fn, a.small, b.small),
      low: a.low + (sign > 0 ? b.low : -b.high),
      high: a.high + (sign > 0 ? b.high : -b.low),
    }
  }
}

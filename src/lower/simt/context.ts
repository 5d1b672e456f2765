/**
 * State of the lowering of one tile program: the lane values of tiles by layout, the values that each open block has added
 * (dropped when it closes), the operands that are already in shared memory, and the coordinates of threads and registers
 * along each dim. emit.ts and the files beside it build code through it.
 */
import type { LaneNode } from '../../lane/ir.js'
import type { SimtTarget } from '../../target/simt.js'
import type { TileNode, TileProgram } from '../../tile/ir.js'
import { Arguments } from '../shared/arguments.js'
import { Dependences } from './dependence.js'
import type { Facts } from './facts.js'
import {
  bitsOfDim,
  coordinate,
  copy,
  laneBits,
  layoutKey,
  registerCount,
  registerIndex,
  type ThreadLayout,
  threadBits,
} from './layout.js'
import type { LayoutPlan } from './plan.js'
import { type SharedBuffer, SharedMemory, type Staged } from './shared-memory.js'
import { Threads } from './threads.js'
import { Vectors } from './vectors.js'

/** 32-bit registers per SM, the same on every GPU. */
const multiprocessorRegisters = 65536

/** Returns a tile's lane value in a layout. */
export type Value = (node: TileNode, layout: ThreadLayout) => LaneNode
/** Returns a scalar's lane value. */
export type Scalar = (node: TileNode) => LaneNode

export class Context extends Arguments {
  readonly vectors = new Vectors(this.lanes)
  readonly threads: Threads
  readonly shared: SharedMemory
  readonly dependences: Dependences
  /** Dot operands already in shared memory, by `operandKey`. */
  readonly staged = new Map<string, Staged>()
  /** Dots that their loop issues at the end of an iteration. */
  readonly deferred = new Set<TileNode>()
  #perMultiprocessor: number | undefined
  readonly #values = new Map<TileNode, Map<string, LaneNode>>()
  /** Keys that each open block has added, innermost last. */
  readonly #added: (readonly [TileNode, string])[][] = [[]]

  constructor(
    readonly program: TileProgram,
    readonly target: SimtTarget,
    readonly facts: Facts,
    readonly plan: LayoutPlan,
    /** Limit on pipeline stages of a loop; 0: loops keep nothing in shared memory. */
    readonly maxStages: number,
  ) {
    super(program.params)
    this.dependences = new Dependences(facts)
    this.threads = new Threads(this.lanes, laneBits + plan.warpBits)
    this.shared = new SharedMemory(target.arch.sharedBytesPerBlock, () => {
      if (plan.warpBits > 0) this.lanes.builder.node('barrier', [], { scope: 'block' })
      else this.lanes.builder.node('barrier', [], { scope: 'warp' })
    })
  }

  /** Target occupancy in CTAs per SM; undefined: unconstrained. */
  get perMultiprocessor(): number | undefined {
    return this.#perMultiprocessor ?? this.program.hints.residents
  }

  /** Requests two CTAs per SM if the accumulators of a loop's dots leave enough registers. */
  shareMultiprocessor(dots: readonly TileNode[]): void {
    const sums = [...new Set(dots)].reduce((sum, dot) => {
      const { acc, codes } = this.plan.dots.get(dot)!
      // Dots of 8-bit floats need a second, temporary accumulator.
      return sum + registerCount(acc) * (codes === undefined ? 1 : 2)
    }, 0)
    const each = multiprocessorRegisters / (2 * 2 ** this.threads.bits)
    if (sums <= (3 / 4) * each) this.#perMultiprocessor = 2
  }

  get warpBits(): number {
    return this.plan.warpBits
  }

  // Tile values.

  known(node: TileNode, layout: ThreadLayout): LaneNode | undefined {
    return this.kept(node, layoutKey(layout))
  }

  set(node: TileNode, layout: ThreadLayout, made: LaneNode): void {
    this.keep(node, layoutKey(layout), made)
  }

  /** What has been found on the way to a tile, under a name. */
  kept(node: TileNode, key: string): LaneNode | undefined {
    return this.#values.get(node)?.get(key)
  }

  keep(node: TileNode, key: string, made: LaneNode): void {
    let values = this.#values.get(node)
    if (values === undefined) {
      values = new Map()
      this.#values.set(node, values)
    }
    if (!values.has(key)) this.#added.at(-1)!.push([node, key])
    values.set(key, made)
  }

  /** Runs `body`; values that it adds are dropped when it ends. */
  scope<R>(body: () => R): R {
    this.#added.push([])
    try {
      return body()
    } finally {
      for (const [node, key] of this.#added.pop()!) this.#values.get(node)!.delete(key)
    }
  }

  // Coordinates.

  i32(constant: number): LaneNode {
    return this.lanes.constant('i32', constant)
  }

  /** i32: the thread's part of its elements' coordinates along a dim. */
  threadCoordinate(layout: ThreadLayout, dim: number): LaneNode {
    const bits = bitsOfDim(layout.shape, dim)
    const parts = threadBits(layout).map(bit => (bit === copy || !bits.includes(bit) ? 0 : 2 ** (bit - bits[0]!)))
    return this.threads.combine(parts, 'xor')
  }

  /** The registers' contributions to the coordinates along a dim. */
  registerCoordinates(layout: ThreadLayout, dim: number): number[] {
    return Array.from({ length: registerCount(layout) }, (_, register) =>
      coordinate(layout.shape, registerIndex(layout, register), dim),
    )
  }

  /** i32 per register: the coordinate along a dim. */
  coordinates(layout: ThreadLayout, dim: number): LaneNode {
    return this.lanes.add(
      this.lanes.spread(this.threadCoordinate(layout, dim), registerCount(layout)),
      this.vectors.constants('i32', this.registerCoordinates(layout, dim)),
    )
  }

  /** Bool per register: not padding; null when the tile has no padding. Checks only `dims`, if given. */
  isInside(layout: ThreadLayout, dims: readonly number[] = layout.shape.map((_, d) => d)): LaneNode | null {
    let inside: LaneNode | null = null
    for (const d of dims) {
      const size = layout.shape[d]!
      if (size === 2 ** bitsOfDim(layout.shape, d).length) continue
      const below = this.lanes.map('lt', this.coordinates(layout, d), this.i32(size))
      inside = inside === null ? below : this.lanes.and(inside, below)
    }
    return inside
  }

  sharedPointer({ dtype, count, offset, name }: SharedBuffer): LaneNode {
    return this.lanes.builder.node('shared', [], { dtype, count, offset, name })
  }
}

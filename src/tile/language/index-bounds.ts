/**
 * Keeps index arithmetic within i64. Lowering compares linear forms of indices as if they did not wrap, and subtracts
 * offsets from sizes; but indices in user kernels may have any value, also near the limits of i64. Indices that intervals
 * prove far from the limits (nearly all: program ids, sizes, counters) are left alone. Others are clamped to ±2^60, which no
 * view reaches, so every access keeps its meaning.
 */
import type { Interval } from '../../scalar/lattice.js'
import { dtypes } from '../../types/dtype.js'
import { type TileNode, type TileOps, tileType } from '../ir.js'
import { BoundsTable } from '../passes/ranges.js'

/**
 * The guarantees of a kernel's launches. 'usual': sizes, strides and scalars are below 2^31, which the launcher checks.
 * 'any': sizes and strides are below 2^53, scalars are any i64.
 */
export type LaunchRange = 'usual' | 'any'

/** The bound of sizes, strides and scalars in usual launches. */
export const usualLimit = 2 ** 31
/** Bounds within this leave room for adding a view's and a block's size. */
const safe = 1.5 * 2 ** 62
const clampAt = 2n ** 60n
/** A loop that starts within `farthest` and steps by at most this would take years to reach the limits of i64. */
const longestStep = 2 ** 16
const farthest = 2 ** 61

/** Adds a node to the program. */
interface Emits {
  emit<Op extends TileNode['op']>(op: Op, inputs: readonly TileNode[], attrs: TileOps[Op]): TileNode
}

export class IndexBounds {
  readonly #counters = new Map<TileNode, Interval>()
  readonly #table: BoundsTable
  readonly #guarded = new Set<TileNode>()

  constructor(range: LaunchRange) {
    const maxSize = range === 'usual' ? usualLimit : 2 ** 53
    this.#table = new BoundsTable({
      limit: safe,
      maxSize,
      otherwise: node => this.#counters.get(node) ?? assumed(node, range === 'usual' ? usualLimit : null, maxSize),
    })
  }

  /** Bounds of an integer, if they are far from the limits of i64. */
  of(node: TileNode): Interval | null {
    return this.#table.of(node)
  }

  /** Records the range of a counter of a loop that stays within i64. */
  count(counter: TileNode, from: TileNode, to: TileNode): void {
    const [start, end] = [this.of(from), this.of(to)]
    // A counter beyond `farthest` has run for years.
    if (start !== null) this.#counters.set(counter, { min: start.min, max: Math.max(start.min, end?.max ?? farthest) })
  }

  /** True if a loop's counter stays within i64: its end does, or it would run for years. */
  staysWithin(from: TileNode, to: TileNode, step: TileNode): boolean {
    const [start, end, stride] = [from, to, step].map(node => this.of(node))
    if (!start || !stride) return false
    return end ? end.max + stride.max <= safe + 2 ** 61 : start.max <= farthest && stride.max <= longestStep
  }

  isPositive(step: TileNode): boolean {
    return (this.of(step)?.min ?? 0) > 0
  }

  /** Clamps an offset or end of a block to ±2^60 if it is unbounded. */
  clamp(emitter: Emits, node: TileNode): TileNode {
    if (this.#guarded.has(node) || this.of(node) !== null) return node
    const limit = (value: bigint): TileNode => emitter.emit('const', [], { dtype: 'i64', value })
    const low = emitter.emit('map', [node, limit(-clampAt)], { fn: 'max' })
    const made = emitter.emit('map', [low, limit(clampAt)], { fn: 'min' })
    this.#guarded.add(made)
    return made
  }

  /**
   * Hides the form of a side of a comparison, or of an index, that may have wrapped, so that analyses do not treat it as the
   * sum it is made of: wraps it in an op that changes nothing.
   */
  opaque(emitter: Emits, node: TileNode): TileNode {
    if (tileType(node).dtype !== 'i64' || this.of(node) !== null || !isSum(node)) return node
    const { shape } = tileType(node)
    const least = emitter.emit('const', [], { dtype: 'i64', value: -(2n ** 63n) })
    const wide = shape.length === 0 ? least : emitter.emit('broadcast', [least], { shape })
    return emitter.emit('map', [node, wide], { fn: 'max' })
  }
}

function assumed(node: TileNode, scalars: number | null, strides: number): Interval | null {
  if (node.type.kind !== 'tile') return null
  const { kind, bits, min, max } = dtypes[node.type.dtype]
  if ((kind === 'int' || kind === 'uint') && bits <= 32) return { min, max }
  if (node.op === 'stride') return { min: -strides, max: strides }
  return node.op === 'scalar' && node.type.dtype === 'i64' && scalars !== null ? { min: -scalars, max: scalars } : null
}

/** True for a node whose linear form is more than the node itself. */
function isSum(node: TileNode): boolean {
  switch (node.op) {
    case 'broadcast':
    case 'reshape':
    case 'transpose':
      return isSum(node.inputs[0]!)
    case 'map':
      return ['add', 'sub', 'mul', 'neg'].includes(node.attrs.fn)
    default:
      return false
  }
}

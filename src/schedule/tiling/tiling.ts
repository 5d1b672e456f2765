/**
 * Block sizes: how much of each axis one program instance processes. Back ends share these helpers and choose sizes
 * themselves.
 */
import type { AttentionTiles } from '../../kernels/attention.js'
import { defaultMatmulChoices, type MatmulChoices } from '../../kernels/matmul.js'
import type { Access } from '../../loop/access.js'
import { accessesOf } from '../../loop/analysis.js'
import type { LoopProgram } from '../../loop/ir.js'
import { boundOf, productOf, type Size } from '../../scalar/size.js'
import { itemBytes } from '../../types/dtype.js'
import type { Axes, Axis } from './axes.js'

export interface Tiling {
  /** Tile axes, outermost first. */
  readonly order: readonly Axis[]
  readonly extents: ReadonlyMap<Axis, number>
  /**
   * Where reduced axes span several blocks: carry whole tiles from block to block and reduce them once at the end, because
   * reducing across threads costs more than across a vector. Default: reduce each block.
   */
  readonly foldsTiles?: boolean
  /**
   * Blocks of the reduced axes that an iteration processes, each with values of its own; a row of at most so many is read once
   * and kept. Needs `foldsTiles`. Default: 1, and values are computed again in each pass.
   */
  readonly unroll?: number
  /** Warps per CTA. Default: the lowering chooses. */
  readonly warps?: number
  /** CTAs that a multiprocessor should hold at once. Default: the assembler chooses. */
  readonly residents?: number
  /** Access axes that are contiguous with each other as one dim where the innermost alone is too short for wide accesses. */
  readonly wide?: boolean
}

/** True when the axis is exactly one block. */
export const isWhole = (axis: Axis, extent: number): boolean => axis.size === extent

/** True when the axis is at most one block at all sizes. */
export function isOneBlock(axis: Axis, extent: number): boolean {
  const bound = boundOf(axis.size)
  return bound !== null && bound <= extent
}

/** The size that blocks are chosen for: a known one, or the upper bound of a symbolic size if it has one. */
export const plannedSize = (size: Size): Size => boundOf(size) ?? size

/** As `plannedSize`, for the product of sizes. */
export const plannedProduct = (sizes: readonly Size[]): Size => productOf(sizes.map(plannedSize))

/** Limits of block sizes; tests make them small, so that small tensors span several blocks. */
export interface TilingLimits {
  /** Block size for an axis of unknown size. */
  readonly symbolic: number
  /** Blocks that do not span a whole axis are multiples of this: whole vectors of every dtype. */
  readonly alignment: number
  /** Elements of a row that a scan processes at once. */
  readonly maxScan: number
  /** Rows up to this length are sorted by comparing every element with every other (rank sort). */
  readonly maxRanked: number
  /** Elements of a row that one program of a radix sort sorts: a power of two from 32. */
  readonly sortBlock: number
  /** Reducing fewer elements than this is faster than a second launch. */
  readonly minSplit: number
  /** Attention on fewer elements of keys and values stays one kernel. */
  readonly minAttention: number
  /** Products whose M, N and K are at most this become sums of products: a dot would be mostly padding. */
  readonly smallProduct: number
  readonly matmul: MatmulChoices
  /** null: tiles are chosen by size. */
  readonly attention: AttentionTiles | null
}

export const defaultLimits: TilingLimits = {
  symbolic: 1024,
  alignment: 64,
  maxScan: 4096,
  maxRanked: 128,
  sortBlock: 4096,
  minSplit: 1 << 17,
  minAttention: 1 << 17,
  smallProduct: 1,
  matmul: defaultMatmulChoices,
  attention: null,
}

/** Splits an axis into equal blocks of at most `limit`. */
export function blockExtent(axisSize: Size, limit: number, { symbolic, alignment }: TilingLimits): number {
  const size = plannedSize(axisSize)
  if (typeof size !== 'number') return Math.max(1, Math.min(limit, symbolic))
  if (size <= limit) return Math.max(1, size)
  const blocks = Math.ceil(size / limit)
  const even = Math.ceil(size / blocks)
  return even < alignment ? even : Math.min(limit, Math.ceil(even / alignment) * alignment)
}

/** Bytes moved by accesses that are contiguous along each axis; of a reduction those that move along what it reduces. */
function contiguousWeights(program: LoopProgram, axes: Axes): Map<Axis, number> {
  const weights = new Map<Axis, number>()
  for (const access of accessesOf(program)) {
    const factors = axes.factors(access.index)
    if (axes.reduced.length > 0 && ![...factors.keys()].some(axis => axis.reduced)) continue
    const elements = plannedProduct([...factors.keys()].map(axis => axis.size))
    for (const [axis, factor] of factors) {
      if (factor !== 1 && factor !== -1) continue
      const weight = itemBytes(access.dtype) * (typeof elements === 'number' ? elements : 1e6 * factors.size)
      weights.set(axis, (weights.get(axis) ?? 0) + weight)
    }
  }
  return weights
}

/** Kept axes around reduced ones; the axis along which most bytes are contiguous is innermost. */
export function tileOrder(program: LoopProgram, axes: Axes): Axis[] {
  const { all } = axes
  const weights = contiguousWeights(program, axes)
  const usual = all.at(-1)
  if (usual === undefined) return []
  let innermost = usual
  for (const axis of all) if ((weights.get(axis) ?? 0) > (weights.get(innermost) ?? 0)) innermost = axis
  if (axes.reduced.length === 0) return [...all]
  const outer = all.filter(axis => axis !== innermost)
  const [still, moving] = [
    outer.filter(axis => isRepeated(program, axes, axis)),
    outer.filter(axis => !isRepeated(program, axes, axis)),
  ]
  const kept = moving.filter(axis => !axis.reduced)
  return [...kept, ...still, ...moving.filter(axis => axis.reduced), innermost]
}

/** A reduced axis along which the largest access does not move, such as the halves of packed bytes. */
function isRepeated(program: LoopProgram, axes: Axes, axis: Axis): boolean {
  if (!axis.reduced) return false
  const bytes = (access: Access): number => {
    const elements = productOf([...axes.factors(access.index).keys()].map(each => each.size))
    return typeof elements === 'number' ? elements * itemBytes(access.dtype) : 0
  }
  const accesses = accessesOf(program)
  const largest = accesses.reduce((best, access) => (bytes(access) > bytes(best) ? access : best), accesses[0]!)
  return bytes(largest) > 0 && !axes.factors(largest.index).has(axis)
}

/** True when some access is contiguous along `axis`, in either direction, but strided along the innermost one. */
export function isStridedAlong(program: LoopProgram, axes: Axes, axis: Axis, inner: Axis): boolean {
  return accessesOf(program).some(access => {
    const factors = axes.factors(access.index)
    const inward = factors.get(inner)
    return isAdjacent(factors.get(axis)) && inward !== undefined && !isAdjacent(inward)
  })
}

const isAdjacent = (factor: Size | undefined): boolean => factor === 1 || factor === -1

export const clamp = (value: number, min: number, max: number): number => Math.min(max, Math.max(min, value))

/** True when every reduced axis is one block, so that no loop is needed. */
export const reducesInOneTile = ({ order, extents }: Tiling): boolean =>
  order.every(axis => !axis.reduced || isOneBlock(axis, extents.get(axis)!))

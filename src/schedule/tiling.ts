/**
 * Block sizes for the CPU: how much of each axis one program instance takes. An instance is some thousand elements:
 * enough to pay for its call, few enough for the caches and for all cores to have several.
 */
import { defaultMatmulChoices, type MatmulChoices } from '../kernels/matmul.js'
import { productOf, type Size } from '../scalar/size.js'
import type { CpuTarget } from '../target/target.js'
import { itemBytes } from '../types/dtype.js'
import { type Axes, type Axis, accessesOf } from './axes.js'
import { type Body, isPlainReduction } from './body.js'

export interface Tiling {
  /** Tile axes, outermost first. */
  readonly order: readonly Axis[]
  readonly extents: ReadonlyMap<Axis, number>
}

/** True when the axis is one whole block. */
export const isWhole = (axis: Axis, extent: number): boolean => axis.size === extent

/** What bounds the sizes of blocks; tests make them small, so that small tensors take several of everything. */
export interface TilingLimits {
  /** Elements per program instance. */
  readonly maxProgram: number
  readonly minProgram: number
  /** Rows up to this length are reduced as one tile. */
  readonly maxRow: number
  /** Columns that a column reduction holds at once. */
  readonly maxColumns: number
  /** Of an axis whose size is not known. */
  readonly symbolic: number
  /** Blocks are multiples of this where they do not take a whole axis: whole vectors of every dtype. */
  readonly alignment: number
  /** Side of a square block where two accesses are contiguous along different axes. */
  readonly transposeSide: number
  /** Elements of a row that running folds take at once. */
  readonly maxScan: number
  /** Fewer elements than this are reduced faster than a second launch costs. */
  readonly minSplit: number
  readonly matmul: MatmulChoices
}

export const defaultLimits: TilingLimits = {
  maxProgram: 16384,
  minProgram: 2048,
  maxRow: 16384,
  maxColumns: 1024,
  symbolic: 1024,
  alignment: 64,
  transposeSide: 64,
  maxScan: 4096,
  minSplit: 1 << 17,
  matmul: defaultMatmulChoices,
}

const programsPerCore = 4

export function chooseTiling(body: Body, axes: Axes, target: CpuTarget, limits: TilingLimits): Tiling {
  const order = tileOrder(body, axes)
  const budget = programElements(axes, target, limits)
  return axes.reduced.length === 0
    ? pointwiseTiling(body, axes, order, budget, limits)
    : reductionTiling(order, budget, target, limits, isPlainReduction(body))
}

function programElements(axes: Axes, target: CpuTarget, limits: TilingLimits): number {
  const total = productOf(axes.all.map(axis => axis.size))
  if (typeof total !== 'number') return limits.maxProgram / 2
  return clamp(Math.ceil(total / (target.cores * programsPerCore)), limits.minProgram, limits.maxProgram)
}

const clamp = (value: number, min: number, max: number): number => Math.min(max, Math.max(min, value))

/** Bytes moved by accesses that are contiguous along each axis. */
function contiguousWeights(body: Body, axes: Axes): Map<Axis, number> {
  const weights = new Map<Axis, number>()
  for (const access of accessesOf(body)) {
    const factors = axes.factors(access.index)
    const elements = productOf([...factors.keys()].map(axis => axis.size))
    for (const [axis, factor] of factors) {
      if (factor !== 1 && factor !== -1) continue
      const weight = itemBytes(access.dtype) * (typeof elements === 'number' ? elements : 1e6 * factors.size)
      weights.set(axis, (weights.get(axis) ?? 0) + weight)
    }
  }
  return weights
}

/** Kept axes around reduced ones, but the axis that most bytes are contiguous along comes last. */
function tileOrder(body: Body, axes: Axes): Axis[] {
  const { all } = axes
  const weights = contiguousWeights(body, axes)
  const usual = all.at(-1)
  if (usual === undefined) return []
  let innermost = usual
  for (const axis of all) if ((weights.get(axis) ?? 0) > (weights.get(innermost) ?? 0)) innermost = axis
  if (axes.reduced.length === 0) return [...all]
  return [...all.filter(axis => axis !== innermost), innermost]
}

/** Splits an axis into equal blocks of at most `limit`. */
export function blockExtent(size: Size, limit: number, { symbolic, alignment }: TilingLimits): number {
  if (typeof size !== 'number') return Math.max(1, Math.min(limit, symbolic))
  if (size <= limit) return Math.max(1, size)
  const blocks = Math.ceil(size / limit)
  const even = Math.ceil(size / blocks)
  return even < alignment ? even : Math.min(limit, Math.ceil(even / alignment) * alignment)
}

function fill(extents: Map<Axis, number>, innerFirst: readonly Axis[], budget: number, limits: TilingLimits): void {
  let left = budget
  for (const axis of innerFirst) {
    const extent = extents.get(axis) ?? blockExtent(axis.size, Math.max(1, Math.floor(left)), limits)
    extents.set(axis, extent)
    left /= extent
  }
}

function pointwiseTiling(body: Body, axes: Axes, order: readonly Axis[], budget: number, limits: TilingLimits): Tiling {
  const extents = new Map<Axis, number>()
  const innerFirst = order.toReversed()
  const [inner] = innerFirst
  const only = innerFirst.length === 1 && inner !== undefined && typeof inner.size !== 'number'
  if (only) extents.set(inner, budget / 2)
  const crossing = innerFirst.slice(1).find(axis => isCrossing(body, axes, axis, inner!))
  if (crossing !== undefined && inner !== undefined) {
    extents.set(inner, blockExtent(inner.size, limits.transposeSide, limits))
    extents.set(crossing, blockExtent(crossing.size, limits.transposeSide, limits))
    const left = budget / extents.get(inner)! / extents.get(crossing)!
    fill(
      extents,
      innerFirst.filter(axis => axis !== inner && axis !== crossing),
      left,
      limits,
    )
  } else fill(extents, innerFirst, budget, limits)
  return { order, extents }
}

/** Some access is contiguous along `axis` and steps along the innermost one. */
function isCrossing(body: Body, axes: Axes, axis: Axis, inner: Axis): boolean {
  return accessesOf(body).some(access => {
    const factors = axes.factors(access.index)
    const inward = factors.get(inner)
    return factors.get(axis) === 1 && inward !== undefined && inward !== 1 && inward !== -1
  })
}

function reductionTiling(
  order: readonly Axis[],
  budget: number,
  target: CpuTarget,
  limits: TilingLimits,
  splits: boolean,
): Tiling {
  const extents = new Map<Axis, number>()
  const innerFirst = order.toReversed()
  const [inner] = innerFirst
  const reduced = innerFirst.filter(axis => axis.reduced)
  const kept = innerFirst.filter(axis => !axis.reduced)
  const length = productOf(reduced.map(axis => axis.size))
  const columns =
    inner !== undefined && !inner.reduced
      ? blockExtent(inner.size, columnLimit(inner, length, target, limits, splits), limits)
      : 1
  if (inner !== undefined && !inner.reduced) extents.set(inner, columns)
  const oneTile = typeof length === 'number' && length > 0 && length * columns <= limits.maxRow
  fill(extents, reduced, oneTile ? length : Math.max(1, budget / 2 / columns), limits)
  const rows = Math.max(1, Math.floor(budget / (columns * product(reduced, extents))))
  fill(
    extents,
    kept.filter(axis => axis !== inner),
    oneTile ? rows : 1,
    limits,
  )
  return { order, extents }
}

/**
 * Columns per program: wide rows of them read memory in long runs. Where the
 * rows can be split among programs (`splits`), few programs are no loss; otherwise every core gets some columns.
 */
function columnLimit(inner: Axis, length: Size, target: CpuTarget, limits: TilingLimits, splits: boolean): number {
  if (typeof inner.size !== 'number' || typeof length !== 'number') return limits.maxColumns
  const total = length * inner.size
  if ((splits && total >= limits.minSplit) || total < limits.minProgram * 4) return limits.maxColumns
  const perCore = Math.ceil(inner.size / (target.cores * 2) / limits.alignment) * limits.alignment
  return clamp(perCore, limits.alignment, limits.maxColumns)
}

const product = (axes: readonly Axis[], extents: ReadonlyMap<Axis, number>): number =>
  axes.reduce((all, axis) => all * extents.get(axis)!, 1)

/** True when every reduced axis is one block: no loop is needed. */
export const reducesInOneTile = ({ order, extents }: Tiling): boolean =>
  order.every(axis => !axis.reduced || isWhole(axis, extents.get(axis)!))

/**
 * Tiles on a CPU: some thousand elements per program instance, enough to amortise its call, few enough for the caches and
 * for every core to have several.
 */
import type { Access } from '../../loop/access.js'
import { accessesOf, isPlainReduction } from '../../loop/analysis.js'
import { type LoopProgram, storesOf } from '../../loop/ir.js'
import type { Size } from '../../scalar/size.js'
import type { Axes, Axis } from '../../schedule/tiling/axes.js'
import {
  blockExtent,
  clamp,
  isStridedAlong,
  plannedProduct,
  plannedSize,
  type Tiling,
  tileOrder,
} from '../../schedule/tiling/tiling.js'
import type { CpuTarget } from '../../target/cpu.js'
import { itemBytes } from '../../types/dtype.js'
import type { CpuLimits } from './limits.js'

const programsPerCore = 4

/** Blocks for a CPU. */
export function cpuTiling(program: LoopProgram, axes: Axes, target: CpuTarget, limits: CpuLimits): Tiling {
  const order = tileOrder(program, axes)
  const budget = programElements(axes, target, limits)
  return axes.reduced.length === 0
    ? pointwiseTiling(program, axes, order, budget, limits)
    : reductionTiling(order, budget, target, limits, isPlainReduction(program))
}

function programElements(axes: Axes, target: CpuTarget, limits: CpuLimits): number {
  const total = plannedProduct(axes.all.map(axis => axis.size))
  if (typeof total !== 'number') return limits.maxProgram / 2
  return clamp(Math.ceil(total / (target.cores * programsPerCore)), limits.minProgram, limits.maxProgram)
}

function fill(extents: Map<Axis, number>, innerFirst: readonly Axis[], budget: number, limits: CpuLimits): void {
  let left = budget
  for (const axis of innerFirst) {
    const extent = extents.get(axis) ?? blockExtent(axis.size, Math.max(1, Math.floor(left)), limits)
    extents.set(axis, extent)
    left /= extent
  }
}

/** Tiles for elementwise loops: contiguous blocks, or others where an access crosses the memory order. */
function pointwiseTiling(
  program: LoopProgram,
  axes: Axes,
  order: readonly Axis[],
  budget: number,
  limits: CpuLimits,
): Tiling {
  const extents = new Map<Axis, number>()
  const innerFirst = order.toReversed()
  const [inner] = innerFirst
  const only = innerFirst.length === 1 && inner !== undefined && typeof plannedSize(inner.size) !== 'number'
  if (only) extents.set(inner, budget / 2)
  const crossing = innerFirst.slice(1).find(axis => isStridedAlong(program, axes, axis, inner!))
  if (crossing !== undefined && inner !== undefined) {
    const [across, along] = transposedExtents(program, axes, inner, crossing, budget, limits)
    extents.set(inner, across)
    extents.set(crossing, along)
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

/**
 * Extents of the innermost axis and of the one that crosses it. Transposed data is read in long runs, which the hardware
 * prefetches, and results are written in whole lines of the cache. Where other data lies as the results do, in squares.
 */
function transposedExtents(
  program: LoopProgram,
  axes: Axes,
  inner: Axis,
  crossing: Axis,
  budget: number,
  limits: CpuLimits,
): readonly [inner: number, crossing: number] {
  const stored = storesOf(program).map(store => store.attrs.access)
  const isAlong = ({ index }: Access): boolean => {
    const factors = axes.factors(index)
    return factors.get(inner) === 1 && factors.has(crossing)
  }
  const reads = accessesOf(program).filter(access => !stored.includes(access))
  if (reads.some(isAlong) || !stored.every(isAlong)) {
    const side = (axis: Axis): number => blockExtent(axis.size, limits.transposeSide, limits)
    return [side(inner), side(crossing)]
  }
  const line = lineBytes / Math.min(lineBytes, ...stored.map(({ dtype }) => itemBytes(dtype)))
  const width = plannedSize(inner.size)
  const across = typeof width === 'number' ? Math.max(1, Math.min(width, line)) : line
  return [across, blockExtent(crossing.size, Math.max(1, Math.floor(budget / across)), limits)]
}

/** A line of the cache. */
const lineBytes = 64

/** Tiles for reductions: whole rows where they fit, else blocks of a row. */
function reductionTiling(
  order: readonly Axis[],
  budget: number,
  target: CpuTarget,
  limits: CpuLimits,
  splits: boolean,
): Tiling {
  const extents = new Map<Axis, number>()
  const innerFirst = order.toReversed()
  const [inner] = innerFirst
  const reduced = innerFirst.filter(axis => axis.reduced)
  const kept = innerFirst.filter(axis => !axis.reduced)
  const length = plannedProduct(reduced.map(axis => axis.size))
  const columns =
    inner !== undefined && !inner.reduced
      ? blockExtent(inner.size, columnLimit(inner, length, target, limits, splits), limits)
      : 1
  if (inner !== undefined && !inner.reduced) extents.set(inner, columns)
  const oneTile = typeof length === 'number' && length > 0 && length * columns <= limits.maxRow
  // Shorter blocks of a long reduction give no more programs, but longer chains of rounded sums.
  fill(extents, reduced, oneTile ? length : Math.max(1, limits.maxProgram / 2 / columns), limits)
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
 * Columns per program: wide blocks read memory in long runs. Where rows can be split among programs (`splits`), few
 * programs cost nothing; otherwise every core gets some columns.
 */
function columnLimit(inner: Axis, length: Size, target: CpuTarget, limits: CpuLimits, splits: boolean): number {
  const width = plannedSize(inner.size)
  if (typeof width !== 'number' || typeof length !== 'number') return limits.maxColumns
  const total = length * width
  if ((splits && total >= limits.minSplit) || total < limits.minProgram * 4) return limits.maxColumns
  const perCore = Math.ceil(width / (target.cores * 2) / limits.alignment) * limits.alignment
  return clamp(perCore, limits.alignment, limits.maxColumns)
}

const product = (axes: readonly Axis[], extents: ReadonlyMap<Axis, number>): number =>
  axes.reduce((all, axis) => all * extents.get(axis)!, 1)

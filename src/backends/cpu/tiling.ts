/**
 * Tiles on a CPU: some thousand elements per program instance, enough to amortise its call, few enough for the caches and
 * for every core to have several.
 */
import { isPlainReduction } from '../../loop/analysis.js'
import type { LoopProgram } from '../../loop/ir.js'
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

/** Tiles for elementwise loops: contiguous blocks, or squares where an access crosses the memory order. */
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

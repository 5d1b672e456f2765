/** Scans on a CPU: a vector advances adjacent columns, or one thread goes along a row; long rows are cut into parts. */
import type { LoopProgram } from '../../loop/ir.js'
import { ceilDivSizes, productOf, type Size } from '../../scalar/size.js'
import type { Axes, Axis } from '../../schedule/tiling/axes.js'
import { type ScanTiling, scanMemory } from '../../schedule/tiling/scan-tiling.js'
import { blockExtent, clamp, isOneBlock } from '../../schedule/tiling/tiling.js'
import type { CpuTarget } from '../../target/cpu.js'
import type { CpuLimits } from './limits.js'

const partsPerCore = 4
/** Fewer columns do not fill a vector. */
const minColumns = 8

export function cpuScanTiling(program: LoopProgram, axes: Axes, target: CpuTarget, limits: CpuLimits): ScanTiling {
  const { row, isRowContiguous, columns } = scanMemory(program, axes)
  const isWide =
    columns !== null && !isRowContiguous && (typeof columns.size !== 'number' || columns.size >= minColumns)
  const width = isWide ? scanWidth(columns.size, target, limits) : 1
  const extents = new Map<Axis, number>(axes.kept.map(axis => [axis, isWide && axis === columns ? width : 1]))
  const block = blockExtent(row.size, Math.max(1, Math.floor(limits.maxScan / width)), limits)
  extents.set(row, block)
  const others = axes.kept.filter(axis => !isWide || axis !== columns)
  const programs = productOf(axes.kept.map(axis => ceilDivSizes(axis.size, extents.get(axis)!)))
  return {
    name: '',
    order: [...others, row, ...(isWide ? [columns] : [])],
    extents,
    isWhole: isOneBlock(row, block),
    chained: null,
    // A second pass over the input pays only where cores would be idle.
    slots: typeof programs === 'number' && programs >= target.cores ? 1 : target.cores * partsPerCore,
    leastParts: 2,
    partBlocks: Math.max(2, Math.floor(limits.minSplit / (2 * limits.maxScan))),
    isUsed: 1,
  }
}

/** Columns per program instance: few enough to occupy every core, enough for contiguous reads. */
function scanWidth(columns: Size, { cores }: CpuTarget, limits: CpuLimits): number {
  const max = Math.max(1, Math.floor(limits.maxScan / 16))
  const even = typeof columns === 'number' ? Math.ceil(columns / (2 * cores)) : max
  return blockExtent(columns, clamp(even, Math.min(max, limits.alignment), max), limits)
}

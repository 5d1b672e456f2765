/** How a scan is divided, and what a back end chooses that by. */
import { accessesOf } from '../../loop/analysis.js'
import type { LoopProgram } from '../../loop/ir.js'
import type { Size } from '../../scalar/size.js'
import type { Axes, Axis } from './axes.js'
import type { Tiling } from './tiling.js'

/** Rows are scanned in one pass; each program waits for those of the blocks before its own, in groups. */
export interface Chaining {
  /** Blocks of a group, a power of two. */
  readonly group: number
}

export interface ScanTiling extends Tiling {
  /** In the kernel's name. */
  readonly name: string
  /** A row is at most one block. */
  readonly isWhole: boolean
  /** Null: in parts. Otherwise of one row per program, and a dtype that can be (kernels/chained-scan.ts). */
  readonly chained: Chaining | null
  /** Programs that are to run at once: rows are cut into parts where there are fewer. */
  readonly slots: number
  /** A row that is cut is cut into so many, as far as it has blocks: parts of one block need no loop. */
  readonly leastParts: number
  /** A part is at least so many blocks. */
  readonly partBlocks: number
  /** 1 for the sizes that it is for, else 0. */
  readonly isUsed: Size
}

export interface ScanMemory {
  readonly row: Axis
  /** Some access is contiguous along the scanned row. */
  readonly isRowContiguous: boolean
  /** The innermost other axis along which some access is contiguous; null: none is. */
  readonly columns: Axis | null
}

/** Which axes of a scan are contiguous in memory. */
export function scanMemory(program: LoopProgram, axes: Axes): ScanMemory {
  const row = axes.reduced[0]!
  const factors = accessesOf(program).map(({ index }) => axes.factors(index))
  const isContiguous = (axis: Axis): boolean => factors.some(each => each.get(axis) === 1)
  return {
    row,
    isRowContiguous: isContiguous(row),
    columns: axes.kept.findLast(axis => axis.size !== 1 && isContiguous(axis)) ?? null,
  }
}

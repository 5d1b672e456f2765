/** Limits on block sizes on a CPU; tuning tries others. */
import { defaultLimits, type TilingLimits } from '../../schedule/tiling/tiling.js'

export interface CpuLimits extends TilingLimits {
  /** Elements per program instance. */
  readonly maxProgram: number
  readonly minProgram: number
  /** Rows up to this length are reduced as one tile. */
  readonly maxRow: number
  /** Columns per block of a column reduction. */
  readonly maxColumns: number
  /** Up to so many first elements of a row are found by insertion, more by sorting blocks. */
  readonly maxInserted: number
  /** Side of a square block when two accesses are contiguous along different axes. */
  readonly transposeSide: number
  /** Outputs and multiplications from which operands of convolutions are put in the order of their products. */
  readonly conv: { readonly outputs: number; readonly work: number }
}

export const cpuLimits: CpuLimits = {
  ...defaultLimits,
  sortBlock: 16384,
  maxRanked: 256,
  maxProgram: 16384,
  minProgram: 2048,
  maxRow: 16384,
  maxColumns: 1024,
  maxInserted: 128,
  transposeSide: 64,
  conv: { outputs: 16, work: 1 << 22 },
}

/**
 * For the tile interpreter, which computes every element of a block, also those outside the tensor, at a hundred times the
 * cost of native code: small blocks. Only rows of known length stay whole, so that sums are rounded as often as usual.
 */
export const interpretedLimits: CpuLimits = {
  ...cpuLimits,
  symbolic: 64,
  alignment: 16,
  maxScan: 256,
  maxRanked: 64,
  sortBlock: 256,
  maxProgram: 256,
  minProgram: 256,
  maxColumns: 64,
  maxInserted: 16,
  transposeSide: 16,
  conv: { outputs: 2, work: 0 },
  matmul: { rows: [8, 16, 32], columns: [16, 32], depth: 32 },
}

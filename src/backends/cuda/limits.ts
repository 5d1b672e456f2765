/** Limits on the sizes of thread-block tiles; tuning tries others. */
import type { MatmulTiles } from '../../kernels/matmul.js'
import { defaultLimits, type TilingLimits } from '../../schedule/tiling/tiling.js'

/** Limits on the sizes of thread-block tiles, in elements. */
export interface BlockLimits {
  /** Of a tile that is reduced in a loop. */
  readonly most: number
  /** Of an elementwise tile when there is plenty of work; `least`: when there is little. */
  readonly mapped: number
  readonly least: number
  /** Rows up to this length are reduced as one tile, in registers. */
  readonly longestRow: number
  /** Side of a square block where two accesses are contiguous along different axes. */
  readonly transposeSide: number
  /** Elements of a row per thread. */
  readonly rowElements: number
  /** Bytes of adjacent columns that one CTA reduces, when there is plenty of work. */
  readonly columnBytes: number
  /** CTAs that a large reduction is split into, per CTA that runs at once. */
  readonly partsPerSlot: number
  /** Rows up to this length are sorted by comparing every element with every other (rank sort). */
  readonly ranked: number
  /** null: tiles are chosen by size. */
  readonly matmul: MatmulTiles | null
  /** Rank among the cost model's choices: 0 for the one estimated fastest, 1 for the next, … */
  readonly matmulRank: number
}

export interface CudaLimits extends TilingLimits {
  readonly cuda: BlockLimits
}

export const cudaLimits: CudaLimits = {
  ...defaultLimits,
  cuda: {
    most: 8192,
    mapped: 1024,
    least: 256,
    longestRow: 16384,
    transposeSide: 64,
    rowElements: 16,
    columnBytes: 256,
    partsPerSlot: 4,
    ranked: 1 << 15,
    matmul: null,
    matmulRank: 0,
  },
}

/** What bounds the sizes of blocks of threads; tuning tries others. */
import type { MatmulTiles } from '../../kernels/matmul.js'
import { defaultLimits, type TilingLimits } from '../../schedule/tiling.js'

/** What bounds the sizes of blocks of threads, in elements. */
export interface BlockLimits {
  /** Of a tile that a block reduces in a loop. */
  readonly most: number
  /** Of a tile that a block maps, when there is plenty of work, and when there is little. */
  readonly mapped: number
  readonly least: number
  /** Rows up to this length are reduced as one tile, in registers. */
  readonly longestRow: number
  /** Side of a square block where two accesses are contiguous along different axes. */
  readonly transposeSide: number
  /** Of a row that each thread holds. */
  readonly rowElements: number
  /** Bytes of columns that a block reduces side by side, where there is plenty of work. */
  readonly columnBytes: number
  /** Blocks among which a large reduction is split, per block that runs at once. */
  readonly partsPerSlot: number
  /** Rows up to this length are sorted by comparing every element with every other. */
  readonly ranked: number
  /** null: tiles chosen by size. */
  readonly matmul: MatmulTiles | null
  /** Of the tiles chosen by size: 0 for those that should be fastest, 1 for the next, … */
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

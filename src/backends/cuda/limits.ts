/** Limits on the sizes of thread-block tiles; tuning tries others. */
import type { MatmulTiles } from '../../kernels/matmul.js'
import { defaultLimits, type TilingLimits } from '../../schedule/tiling/tiling.js'

/** Limits on the sizes of thread-block tiles, in elements. */
export interface BlockLimits {
  /** Tile of a reduction that loops over the reduced axis. */
  readonly maxReduction: number
  /** Elementwise tile when there is plenty of work; `minPointwise`: when there is little. */
  readonly maxPointwise: number
  readonly minPointwise: number
  /** Rows up to this length that are not contiguous, or short, are reduced as one tile, in registers. */
  readonly maxRow: number
  /** Contiguous rows of at least so many elements are divided into blocks, which all threads of a row share. */
  readonly minBlocks: number
  /** The fewest and the most threads that share a row: powers of two. */
  readonly rowThreads: readonly [least: number, most: number]
  /** Side of a square block where two accesses are contiguous along different axes. */
  readonly transposeSide: number
  /** Elements of a row that top-k looks at at once, and elements that it ranks at once: powers of two. */
  readonly selectTile: number
  readonly rankBlock: number
  /** Elements of a row per thread; up to twice as many where fewer threads would be idle. */
  readonly rowElements: number
  /** Bytes of adjacent columns that one CTA reduces, when there is plenty of work. */
  readonly columnBytes: number
  /** Columns of at least so many elements in all are split among CTAs, of so many warps. */
  readonly longColumns: number
  readonly columnWarps: number
  /** Scans of more elements are made in one pass, in which CTAs wait for each other. */
  readonly minChained: number
  /** CTAs that a large reduction is split into, per CTA that runs at once. */
  readonly partsPerSlot: number
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
  maxRanked: 32,
  smallProduct: 8,
  minSplit: 1 << 14,
  cuda: {
    maxReduction: 8192,
    maxPointwise: 1024,
    minPointwise: 256,
    maxRow: 16384,
    minBlocks: 200,
    rowThreads: [32, 1024],
    transposeSide: 64,
    selectTile: 1024,
    rankBlock: 64,
    rowElements: 24,
    columnBytes: 256,
    longColumns: 1 << 21,
    columnWarps: 8,
    minChained: 1 << 21,
    partsPerSlot: 4,
    matmul: null,
    matmulRank: 0,
  },
}

/**
 * What a back end decides about kernels for one target. The scheduler asks nothing else about the machine: which dtypes dots
 * take, how much of each axis a program processes, what launches cost. All of it follows from the target's facts and from
 * `limits`.
 */
import type { AttentionLoop, AttentionSizes, AttentionTiles } from '../kernels/attention.js'
import type { GradientTiles } from '../kernels/attention-gradient.js'
import type { MatmulSizes, MatmulTiles } from '../kernels/matmul.js'
import type { LoopProgram, UpdateNode } from '../loop/ir.js'
import type { Size } from '../scalar/size.js'
import type { Hints } from '../tile/ir.js'
import type { Dtype } from '../types/dtype.js'
import type { Axes, Axis } from './tiling/axes.js'
import type { Grid } from './tiling/grid.js'
import type { MatmulTemplate } from './tiling/matmul-template.js'
import type { ScanTiling } from './tiling/scan-tiling.js'
import type { Tiling, TilingLimits } from './tiling/tiling.js'
import type { UpdateTiling } from './tiling/updates.js'

export interface SchedulePolicy {
  /** Limits of block sizes: what tuning varies. */
  readonly limits: TilingLimits
  /** Program instances that run concurrently: with fewer, part of the machine is idle. */
  readonly parallelism: number
  /** Parts of a split reduction per program instance that runs concurrently. */
  readonly partsPerSlot: number
  readonly rows: RowPolicy
  readonly dots: DotPolicy
  /** null: convolutions are lowered to matmuls of windows, whatever the order of dims. */
  readonly conv: ConvPolicy | null
  /** null: folds of windows are reductions of views. */
  readonly folds: FoldPolicy | null
  readonly attention: AttentionPolicy
  readonly rates: GroupRates
  /** Independent launches of little work that run as one; null: none do. */
  readonly batches: BatchPolicy | null
  /** Registers hold truth values and 16-bit floats wider than memory does: what is only moved is moved as integers. */
  readonly movesBits: boolean
  /** Tiling of a kernel without a template: elementwise work and reductions. */
  tiling(program: LoopProgram, axes: Axes): Tiling
  matmulTiling(matmul: Matmul): MatmulTiling
  /** Parts of k, each summed by programs of its own; 1: k is not split. */
  matmulParts(matmul: Matmul): Size
  /** The policy for kernels of matmuls that run concurrently; null: each kernel is made as if it ran alone. */
  groupPolicy(programs: readonly LoopProgram[]): SchedulePolicy | null
  /** Hints for the kernels of matmuls whose launches, of these grids, run concurrently. */
  hints(grids: readonly Grid[]): Hints | null
  /** How a scatter is divided among programs. */
  updateTiling(program: LoopProgram, axes: Axes, update: UpdateNode): UpdateTiling
  readonly scatter: ScatterPolicy
  /** How a scan is divided; several ways where it depends on sizes that are not known. */
  scanning(program: LoopProgram, axes: Axes): readonly ScanTiling[]
  sorting(axes: Axes): Sorting
  /** How the k first of a row are found; null: by sorting it. */
  selection(k: number, axes: Axes): Selection | null
  /** Whether elements at a few positions of the order of rows of a length are found without sorting the rows. */
  findsNth(length: Size): boolean
}

/** When a row that is reduced and then used per element is one program's work. */
export interface RowPolicy {
  /** So many rows occupy the machine. */
  readonly enough: number
  /** A single row is worth splitting if it is longer. */
  readonly long: number
  /** Rows whose elements are apart in memory, adjacent columns, that one program reduces. */
  readonly columns: number
  /** The programs of a row that is split store its elements too. */
  readonly storesParts: boolean
  /** A scan's kernel computes what it scans from up to so many tensors, rather than read it from memory. */
  readonly scanned: number
  /** Two kernels that need a value of two tensors, and of values much smaller (x − mean), compute it each rather than store it. */
  readonly computesTwice: boolean
  /** Kernels that need a value of one tensor, and of values much smaller, compute it each, however many they are. */
  readonly readsAgain: boolean
}

/** What dots the target supports, and which matmuls become one. */
export interface DotPolicy {
  /** f32 operands are rounded to tf32 where the graph allows it. */
  readonly tf32: boolean
  /** Dtypes that dots take as operands; others are converted to the accumulator's dtype first. */
  readonly multiplied: ReadonlySet<Dtype>
  /** Dots take the codes of 8-bit floats. */
  readonly codes: boolean
  /** What 8-bit floats are decoded to otherwise. */
  readonly decodesTo: 'f16' | 'f32'
  /** Which matmuls with one row or column become a fused multiply and sum. */
  readonly thin: {
    /** Those with fewer results than this. */
    readonly below: number
    /** Those of any size whose matrix is dequantised. */
    readonly decoded: boolean
    /** Those of a grouped launch too. */
    readonly grouped: boolean
    /** Of these dtypes only those of few results, or whose matrix is contiguous along k: dots load others faster. */
    readonly streamed: ReadonlySet<Dtype>
    /** Any whose M, N and K are at most this: a dot would be mostly padding. */
    readonly small: number
  }
  /**
   * Rows of 16-bit operands should begin at multiples of so many bytes: others are copied, where each value is used so often
   * and the product is so many multiplications that this pays. null: they may begin anywhere.
   */
  readonly aligned: { readonly bytes: number; readonly leastUses: number; readonly leastWork: number } | null
  /**
   * 16-bit operands that are computed of arguments are stored first, where each value is used so often and the product is so many
   * multiplications that converting each time takes longer. null: they never are.
   */
  readonly converted: { readonly leastUses: number; readonly leastWork: number } | null
  /** Whose access decides the order of the axes of k: the right operands', or all operands', if they agree. */
  readonly depthOrder: 'right' | 'all'
  /** Right operands decoded from bytes along k are decoded in that order, and transposed when they are packed. */
  readonly decodesAlongDepth: boolean
  /** Operands of several axes are loaded in the order of memory, and read transposed where that is the other one. */
  readonly inMemoryOrder: boolean
  /** Computed operands read axes of k that are contiguous with each other as one dim. */
  readonly mergesDepth: boolean
}

/** At least one; they differ only in their operands and the dtype of the result. */
export type Matmuls = readonly [MatmulTemplate, ...MatmulTemplate[]]

/** Outermost first. k is never empty: it has an axis whatever its size. All other kept axes count as batch. */
export interface MatmulAxes {
  readonly batch: readonly Axis[]
  readonly m: readonly Axis[]
  readonly n: readonly Axis[]
  readonly k: readonly Axis[]
}

/** What tiles are chosen for: a matmul, or several that share a K loop. */
export interface Matmul {
  readonly matmuls: Matmuls
  readonly axes: MatmulAxes
  readonly sizes: MatmulSizes
  /** All axes of the program. */
  readonly loops: Axes
}

export interface MatmulTiling {
  readonly tiles: MatmulTiles
  readonly tiling: Tiling
  /** The grid runs along rows first: programs that run at the same time share columns. Default: the other way round. */
  readonly rowsFirst?: boolean
}

/** Convolutions of images whose channels are last in memory: by kernels for them, or as products of windows with the weight. */
export type ConvPolicy = { readonly kernels: ConvKernels } | ConvProducts

export interface ConvProducts {
  readonly kernels: null
  /** Whether a convolution of so many outputs per group, and multiplications, is worth putting its operands in order. */
  pays(outputs: number, work: number): boolean
}

export interface ConvKernels {
  /** Channels of a group are a multiple of so many, so that accesses along them are wide. */
  channels(dtype: Dtype): number
  tiles(sizes: ConvSizes): ConvTiles
  /** The gradient of a weight; null: it is a convolution whose channels are the images. */
  weightTiles(sizes: ConvWeightSizes): ConvWeightTiles | null
}

/** Kernels that fold windows: pooling, and convolutions of single channels. */
export interface FoldPolicy {
  /** How such a kernel reads images with these windows along their last dim; null: a reduction of a view is as good. */
  form(row: FoldedRow): FoldForm | null
  /** Extents of a block of results. `inner`: the dim along which they are contiguous. */
  tiles(sizes: readonly (number | null)[], inner: number): readonly number[]
  /** Up to so many taps are unrolled, so that their loads are in flight at once. */
  readonly mostUnrolled: number
}

export interface FoldedRow {
  readonly size: Size
  readonly stride: number
  readonly places: Size
}

/** masked: padding is what loads mask, where the template can; padded: it is in memory. */
export type FoldForm = 'masked' | 'padded'

export interface ConvSizes {
  /** Results of a group and channel: images, then places per spatial dim. null: known only at run time. */
  readonly places: readonly (number | null)[]
  readonly groups: number
  readonly outputs: number
  /** K: elements that are contiguous in memory, and how many such runs. */
  readonly run: number
  readonly runs: number
  readonly operand: Dtype | 'tf32'
}

export interface ConvTiles {
  /** What a program takes of each of `ConvSizes.places`: powers of two. */
  readonly places: readonly number[]
  readonly outputs: number
  /** Elements of a run that are multiplied at once. */
  readonly depth: number
  /** Parts of K, each summed by programs of its own. */
  readonly parts: number
}

/** The gradient of a weight: a product of outputs and channels, per tap and group, over images and places. */
export interface ConvWeightSizes {
  /** K: images, then places per spatial dim. */
  readonly places: readonly number[]
  readonly groups: number
  readonly outputs: number
  readonly channels: number
  readonly taps: readonly number[]
  readonly operand: Dtype | 'tf32'
}

export interface ConvWeightTiles {
  /** What a K step takes of each of `ConvWeightSizes.places`: powers of two, which along spatial dims divide the sizes. */
  readonly places: readonly number[]
  readonly outputs: number
  readonly channels: number
  /** Taps of which a program computes the sums, per spatial dim: one, or all. */
  readonly taps: readonly number[]
  /** Parts of K, each summed by programs of its own. */
  readonly parts: number
}

export interface ScatterPolicy {
  /** The dtypes of which elements are put by atomics, in any order; empty: a scatter puts all in order. */
  readonly atomics: ReadonlySet<Dtype>
  /** Into how many copies of `places` so many elements are put, so that few atomics meet. */
  copies(places: Size, elements: Size): number
  /** Whether programs count the elements of each place for themselves, where each element adds the same integer. */
  counts(places: Size, elements: Size): boolean
  /** Without atomics: into how many equal parts of `length` elements along its dim a scatter is divided; a divisor of it. */
  parts(places: Size, elements: Size, length: number): number
}

export interface AttentionPolicy {
  /** Dtypes of operands that dots take as they are, with the weights rounded to them; others are converted to that of the sums. */
  readonly multiplied: ReadonlySet<Dtype>
  /** At least 1 of each, whatever the sizes. `bits`: of the operands. */
  tiles(sizes: AttentionSizes, bits: number): WarpTiles
  /** As `tiles` where programs share the keys between them. `queries`: all that read the same keys. */
  parts(sizes: AttentionSizes, bits: number): AttentionParts
  /** As `tiles`, of the gradients: the rows are queries, or keys. */
  gradientTiles(sizes: AttentionSizes, wrt: 'query' | 'keys', bits: number): GradientTiles & Hints
  /** The extent of a block that holds all `size` elements of a head. */
  headExtent(size: number): number
  /** The extent of a block that holds `size` queries. */
  queryExtent(size: number): number
  form(tiles: Pick<AttentionTiles, 'keys'> & { readonly columns: number }, attention: AttentionDtypes): AttentionForm
}

export type WarpTiles = AttentionTiles & Hints

export interface AttentionParts {
  readonly tiles: WarpTiles
  /** Programs of these tiles that run concurrently. */
  readonly concurrent: number
}

export type AttentionForm = Pick<AttentionLoop, 'parts' | 'flush' | 'isLooped'>

export interface AttentionDtypes {
  /** Of the operands. */
  readonly bits: number
  readonly accumulate: AttentionLoop['accumulate']
}

export interface Sorting {
  /** Rank sort, for rows up to a length: each element is compared with all others of its row. */
  readonly ranking: Ranking
  /** Radix sort, for longer rows: elements that a program instance sorts, a power of two from 32. */
  readonly block: number
  /** Bits of the keys that one pass over so many elements sorts by, at most. */
  digit(elements: number): number
  /** Whether a block of integers is sorted by as many bits as its range has: a pass costs more than finding the range. */
  readonly narrows: boolean
  /** Warps, at most, per program that counts or places a block of a longer row; null: the lowering chooses. */
  readonly warps: number | null
  /** Blocks and bins, powers of two, whose counts a program instance sums at once. */
  readonly counts: { readonly blocks: number; readonly bins: number }
}

export type Selection = Rounds | Bounding

/** The k first of a row are found in rounds, each of which leaves k of every block. */
export interface Rounds {
  readonly by: 'rounds'
  /** Elements that one program works on; a power of two from 32, at least 2k. */
  readonly block: number
  /** Elements that are looked at at a time, and inserted among the k first; null: the block is sorted. */
  readonly tile: number | null
}

/** The k first of a row are among the elements that reach a bound: the k-th best of the bests of many groups. */
export interface Bounding {
  readonly by: 'bound'
  /** Programs that share a row, and for how many groups each finds the best, looking at `tile` elements at a time. */
  readonly parts: number
  readonly groups: number
  readonly tile: number
  /** Elements that a program compares with the bound. */
  readonly filtered: number
  /** Elements that a program ranks, and how many it compares them with at once. */
  readonly block: number
  readonly others: number
  /** If more elements than this reach the bound, the k first of them are found before they are ranked; at least k. */
  readonly ranked: number
}

export interface Ranking {
  readonly longest: number
  /** Elements that a program instance ranks, and how many of the row's it compares them with at once. */
  readonly block: number
  readonly others: number
}

export interface BatchPolicy {
  /** A launch that reads and writes more is not part of a batch: it takes much longer than launching it. */
  readonly bytes: number
}

/** Rough costs of the strategies for a grouped launch, in nanoseconds. */
export interface GroupRates {
  /** Multiprocessors or cores. */
  readonly units: number
  /** Of one unit. */
  readonly flopsPerNanosecond: number
  readonly bytesPerNanosecond: number
  /** Cost of one launch: on the same stream, as a node of a graph, on a stream of its own with fork and join. */
  readonly launch: number
  readonly node: number
  readonly fork: number
  /** Cost of launching a graph. */
  readonly graph: number
  /** Slowdown of tiles that a persistent kernel claims: no other block overlaps a tile's prologue and epilogue. */
  readonly claiming: number
  /** Launches of a persistent kernel: one more where its tile counter must be reset. */
  readonly persistentLaunches: number
  /** Launches on different streams, and a graph's branches, run concurrently; else one after another. */
  readonly concurrent: boolean
}

/**
 * What a back end decides about kernels for one target. The scheduler asks this, and nothing else, about the machine: how
 * products are formed, how much of each axis a program takes, what launches cost. All of it is a function of the target's
 * facts and of `limits`.
 */
import type { AttentionLoop, AttentionSizes, AttentionTiles } from '../kernels/attention.js'
import type { MatmulSizes, MatmulTiles } from '../kernels/matmul.js'
import type { LoopProgram, MatmulNode } from '../loop/ir.js'
import type { Size } from '../scalar/size.js'
import type { Hints } from '../tile/ir.js'
import type { Dtype } from '../types/dtype.js'
import type { Axes, Axis } from './tiling/axes.js'
import type { Grid } from './tiling/grid.js'
import type { Tiling, TilingLimits } from './tiling/tiling.js'
import type { KernelWriter } from './tiling/writer.js'

export interface SchedulePolicy {
  /** Bounds of block sizes: what tuning varies. */
  readonly limits: TilingLimits
  /** Program instances that run at the same time: fewer leave part of the machine idle. */
  readonly parallelism: number
  /** Into how many parts a large reduction is split, per program instance that runs at the same time. */
  readonly partsPerSlot: number
  readonly dots: DotPolicy
  readonly attention: AttentionPolicy
  readonly rates: GroupRates
  /** Blocks of a kernel without a template: elementwise work and reductions. */
  tiling(program: LoopProgram, axes: Axes): Tiling
  matmulTiling(matmul: Matmul): MatmulTiling
  /** The policy for kernels of matmuls that run at the same time; null: each is made as if it were alone. */
  groupPolicy(programs: readonly LoopProgram[]): SchedulePolicy | null
  /** Hints for the kernels of matmuls whose launches, of these grids, run at the same time. */
  hints(grids: readonly Grid[]): Hints | null
  /** How many columns a running fold takes side by side; null: one row at a time. */
  scanWidth(columns: Size): number | null
  /** Sorting by comparing each element with all others of its row; null: one thread merges each row. */
  ranking(axes: Axes): Ranking | null
}

/** How products of matrices are formed. */
export interface DotPolicy {
  /** Operands of f32 are rounded to tf32 where the graph allows it. */
  readonly tf32: boolean
  /** Operands of these dtypes are multiplied as they are; others are converted to the sum's dtype first. */
  readonly multiplied: ReadonlySet<Dtype>
  /** 8-bit floats are multiplied by their codes. */
  readonly codes: boolean
  /** What 8-bit floats are decoded to where they are not. */
  readonly decodesTo: 'f16' | 'f32'
  /** Which matmuls of one row or column become a fused multiply and sum. */
  readonly thin: {
    /** Those with fewer results than this. */
    readonly below: number
    /** Those of any length whose matrix is decoded from fewer bytes. */
    readonly decoded: boolean
    /** Also those that run at the same time as others. */
    readonly grouped: boolean
  }
  /** Whose bytes decide the order of the axes of k: the right operands', or all operands', where they agree. */
  readonly depthOrder: 'right' | 'all'
  /** Right operands decoded from bytes along k are decoded in that order, and transposed when they are packed. */
  readonly decodesAlongDepth: boolean
  /** Axes of k that lie in memory like one are read as one by operands that are computed. */
  readonly mergesDepth: boolean
}

/** At least one; alike but for their operands and the dtype of the result. */
export type Matmuls = readonly [MatmulNode, ...MatmulNode[]]

/** Outermost first. k is never empty: it has an axis whatever its size. Whatever else there is counts as batch. */
export interface MatmulAxes {
  readonly batch: readonly Axis[]
  readonly m: readonly Axis[]
  readonly n: readonly Axis[]
  readonly k: readonly Axis[]
}

/** A matmul that tiles are chosen for, with those that share its loop. */
export interface Matmul {
  readonly matmuls: Matmuls
  readonly axes: MatmulAxes
  readonly sizes: MatmulSizes
  readonly writer: KernelWriter
}

export interface MatmulTiling {
  readonly tiles: MatmulTiles
  readonly tiling: Tiling
}

export interface AttentionPolicy {
  /** At least 1 of each, whatever the sizes. `bits`: of the operands. */
  tiles(sizes: AttentionSizes, bits: number): WarpTiles
  /** The extent of a block that holds all `size` elements of a head. */
  headExtent(size: number): number
  form(tiles: Pick<AttentionTiles, 'keys'> & { readonly columns: number }, attention: AttentionDtypes): AttentionForm
}

export type WarpTiles = AttentionTiles & { readonly warps?: number }
export type AttentionForm = Pick<AttentionLoop, 'parts' | 'flush' | 'isLooped'>

export interface AttentionDtypes {
  /** Of the operands. */
  readonly bits: number
  readonly accumulate: AttentionLoop['accumulate']
}

export interface Ranking {
  /** Rows of up to so many elements are sorted like this, longer ones merged. */
  readonly longest: number
  /** Elements that a program instance places, and with how many others of the row it compares them at once. */
  readonly block: number
  readonly others: number
}

/** What the ways to run a group of matmuls cost: round numbers of the usual machine of the kind, in nanoseconds. */
export interface GroupRates {
  /** Multiprocessors or cores. */
  readonly units: number
  /** Of one of them. */
  readonly flopsPerNanosecond: number
  readonly bytesPerNanosecond: number
  /** A launch behind another, one as a node of a graph, one on a stream of its own with fork and join. */
  readonly launch: number
  readonly node: number
  readonly fork: number
  /** What starting a graph costs. */
  readonly graph: number
  /** How much longer tiles take that blocks claim one after another: nothing else works while one begins or ends. */
  readonly claiming: number
  /** Launches of a persistent kernel: one more where a counter of claimed tiles must be set to 0 first. */
  readonly persistentLaunches: number
  /** Launches on streams of their own, and a graph's branches, run at the same time; else one after another. */
  readonly concurrent: boolean
}

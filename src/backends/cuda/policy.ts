/** Scheduling policy for a GPU: thread blocks that hold tiles in registers, with tensor cores. */
import { addSizes, productOf, type Size } from '../../scalar/size.js'
import type { AttentionPolicy, DotPolicy, GroupRates, Ranking, SchedulePolicy, Sorting } from '../../schedule/policy.js'
import type { Axes } from '../../schedule/tiling/axes.js'
import type { Grid } from '../../schedule/tiling/grid.js'
import { clamp, plannedProduct } from '../../schedule/tiling/tiling.js'
import type { CudaTarget } from '../../target/cuda.js'
import type { Hints } from '../../tile/ir.js'
import type { Dtype } from '../../types/dtype.js'
import { cudaAttentionParts, cudaAttentionTiles, cudaGradientTiles } from './attention-tiles.js'
import { convPolicy, cudaFolds } from './conv-tiling.js'
import { type BlockLimits, type CudaLimits, cudaLimits } from './limits.js'
import { cudaMatmulSplit, cudaMatmulTiling, groupTiles } from './matmul-tiling.js'
import { cudaScanTilings } from './scan-tiling.js'
import { cudaSelection } from './selection.js'
import { countsPlaces, cudaTiling, cudaUpdateTiling, powerBelow } from './tiling.js'

/** Of 32 and 64 bits: what hardware changes in one instruction. */
const atomics: ReadonlySet<Dtype> = new Set(['f64', 'f32', 'i64', 'i32'])

/** Atomics on so many elements rarely meet. */
const manyPlaces = 1 << 16
/** Elements per place of the copies that pay for reducing these. */
const copyElements = 8

function copiesOf(places: Size, elements: Size): number {
  if (typeof places !== 'number' || places === 0) return 1
  const most = typeof elements === 'number' ? elements / (places * copyElements) : 1
  return powerBelow(Math.min(manyPlaces / places, most))
}

/** Of 32 bits: accesses to less than a sector of memory read all of it. */
const sectorElements = 8

/** Target occupancy: CTAs of usual size per multiprocessor. */
const blocksPerMultiprocessor = 2

const tensorCoreDtypes: ReadonlySet<Dtype> = new Set(['f16', 'bf16', 'i8'])

/** Which operand dtypes the tensor cores of an architecture multiply, and how others are converted. */
const dotPolicy = ({ arch }: CudaTarget, { smallProduct }: CudaLimits): DotPolicy => ({
  tf32: true,
  multiplied: tensorCoreDtypes,
  codes: arch.mmaF8,
  // f16 represents every value of the 8-bit formats, and tensor cores multiply it.
  decodesTo: 'f16',
  // A GEMV that is grouped with GEMMs becomes one more of their tiles.
  thin: {
    below: Number.POSITIVE_INFINITY,
    decoded: false,
    grouped: false,
    streamed: new Set(['f16', 'bf16']),
    small: smallProduct,
  },
  // Loads of single values take 25 fs for each multiplication; a copy takes 2 µs and 1 ps for each value.
  aligned: { bytes: 16, leastUses: 256, leastWork: 2 ** 28 },
  converted: { leastUses: 256, leastWork: 2 ** 28 },
  depthOrder: 'all',
  decodesAlongDepth: false,
  inMemoryOrder: false,
  mergesDepth: true,
})

/** Rough rates and overheads (nanoseconds) by which strategies for grouped launches are compared. */
const ratesOf = ({ arch, multiprocessors }: CudaTarget): GroupRates => ({
  units: multiprocessors,
  flopsPerNanosecond: arch.warpgroup ? 3400 : 1500,
  bytesPerNanosecond: 25,
  launch: 2000,
  node: 700,
  fork: 6000,
  graph: 2000,
  claiming: 1.03,
  persistentLaunches: 2,
  concurrent: true,
})

/** Threads that share a row of an mma accumulator, each with a pair of columns in turn. */
const fragmentParts = 4
/** With more value columns no registers are left for partial sums, and there are enough dots to hide the shuffles. */
const narrow = 64
/** The smallest extent of a tile that tensor cores take. */
const minExtent = 16

const attentionOf = (target: CudaTarget): AttentionPolicy => ({
  multiplied: tensorCoreDtypes,
  tiles: (sizes, bits) => cudaAttentionTiles(sizes, bits, target),
  parts: (sizes, bits) => cudaAttentionParts(sizes, bits, target),
  gradientTiles: (sizes, wrt, bits) => cudaGradientTiles(sizes, wrt, bits, target),
  // Tiles of threads have power-of-two extents.
  headExtent: size => 2 ** Math.ceil(Math.log2(Math.max(minExtent, size))),
  queryExtent: size => 2 ** Math.ceil(Math.log2(size)),
  form: ({ keys, columns }, { bits, accumulate }) => ({
    parts: bits === 16 && columns <= narrow && keys % (2 * fragmentParts) === 0 ? fragmentParts : null,
    flush: accumulate === 'f32',
    isLooped: false,
  }),
})

/** An H200 moves them in the time between two launches. */
const batchedBytes = 4 << 20

/** The scheduling decisions for a GPU. `limits`: block sizes, which max-autotune varies. */
export function cudaPolicy(target: CudaTarget, limits: CudaLimits = cudaLimits): SchedulePolicy {
  const { cuda } = limits
  const dots = dotPolicy(target, limits)
  return {
    limits,
    parallelism: target.multiprocessors * blocksPerMultiprocessor,
    partsPerSlot: cuda.partsPerSlot,
    // One CTA reads 45 GB/s; a split has five more launches and stores twice what it reads.
    rows: {
      enough: 0.6 * target.multiprocessors,
      long: 44_000,
      columns: sectorElements,
      storesParts: true,
      scanned: 0,
      computesTwice: false,
      readsAgain: true,
    },
    dots,
    conv: convPolicy(target),
    folds: cudaFolds,
    attention: attentionOf(target),
    rates: ratesOf(target),
    batches: { bytes: batchedBytes },
    movesBits: false,
    tiling: (program, axes) => cudaTiling(program, axes, target, cuda),
    matmulTiling: matmul => cudaMatmulTiling(matmul, target, dots, cuda),
    matmulParts: matmul => cudaMatmulSplit(matmul, target, dots),
    groupPolicy: programs => {
      const matmul = cuda.matmul ?? groupTiles(programs, target, { limits, dots }, cuda.matmulRank)
      return cudaPolicy(target, { ...limits, cuda: { ...cuda, matmul } })
    },
    hints: grids => (isOneWave(grids, target) ? aloneHints : null),
    updateTiling: (program, axes, update) => cudaUpdateTiling(program, axes, update, target, cuda),
    scatter: { atomics, copies: copiesOf, counts: countsPlaces, parts: () => 1 },
    scanning: (program, axes) => cudaScanTilings(program, axes, target, limits),
    sorting: axes => {
      const block = sortBlockOf(axes, target, limits)
      return {
        ranking: { longest: limits.maxRanked, block: rankBlock(axes, target, cuda), others: 2 * cuda.transposeSide },
        block,
        warps: clamp(block / (target.arch.warpSize * sortElements), 1, sortWarps),
        counts: countsOf(axes, limits),
        digit: () => 8,
        narrows: false,
      }
    },
    findsNth: () => false,
    selection: (k, axes) => cudaSelection(k, axes, target, limits),
  }
}

/** With one CTA per multiprocessor, all of its shared memory can be used to prefetch more stages. */
const aloneHints: Hints = { stages: 8 }

/** Whether all CTAs of launches that run together fit in one wave, one per multiprocessor. */
function isOneWave(grids: readonly Grid[], { multiprocessors }: CudaTarget): boolean {
  const programs = grids.map(productOf).reduce(addSizes)
  return typeof programs === 'number' && programs <= multiprocessors
}

/** Warps of CTAs that sort blocks of long rows, and elements per thread: more take so many registers that few threads run. */
const sortWarps = 16
const sortElements = 8

/** CTAs per multiprocessor from which on they sort larger blocks. */
const manyBlocks = 4

/** Larger blocks need fewer counts, and write longer runs; rows that are one block need no counts at all. */
function sortBlockOf(axes: Axes, { multiprocessors }: CudaTarget, { sortBlock }: CudaLimits): number {
  const [rows, length] = [axes.kept, axes.reduced].map(part => plannedProduct(part.map(axis => axis.size)))
  if (typeof rows !== 'number' || typeof length !== 'number') return sortBlock
  const isOneBlock = length > sortBlock && length <= 2 * sortBlock && rows >= multiprocessors
  return isOneBlock || rows * length >= multiprocessors * manyBlocks * 2 * sortBlock ? 2 * sortBlock : sortBlock
}

/** Whole sectors of memory where few blocks need few steps; else as many programs and blocks at a time as possible. */
function countsOf(axes: Axes, { sortBlock }: CudaLimits): Sorting['counts'] {
  const length = plannedProduct(axes.reduced.map(axis => axis.size))
  const few = { blocks: 256, bins: 8 }
  return typeof length === 'number' && length > few.blocks * sortBlock ? { blocks: 2048, bins: 1 } : few
}

/** Elements per CTA of a rank sort: few enough to occupy every multiprocessor. */
function rankBlock(axes: Axes, { multiprocessors }: CudaTarget, { transposeSide }: BlockLimits): Ranking['block'] {
  const elements = plannedProduct(axes.all.map(axis => axis.size))
  if (typeof elements !== 'number') return transposeSide / 2
  const even = powerBelow(elements / multiprocessors)
  return clamp(even, transposeSide / 4, transposeSide)
}

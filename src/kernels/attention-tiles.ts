/** Blocks of attention: how many queries a program instance takes, and how many keys at once. */
import type { CudaTarget } from '../target/cuda.js'
import type { CpuTarget } from '../target/target.js'
import type { AttentionTiles } from './attention.js'

/** null: known only at run time. Depth and columns are the sizes of a key and of a value. */
export interface AttentionSizes {
  readonly batch: number | null
  readonly queries: number | null
  readonly keys: number | null
  readonly depth: number
  readonly columns: number
  readonly causal: boolean
}

// --- CPU -----------------------------------------------------------------------------------------------------------------

const mostKeys = 256
/** The more queries, the less often keys and values are packed; their scores may take half of the second cache. */
const mostQueries = 512
const leastQueries = 16
/** For lengths that only the launch knows. */
const usualQueries = 128
/** Cores that take their programs one after another end together when each has a few. */
const programsPerCore = 2

export function cpuAttentionTiles(sizes: AttentionSizes, target: CpuTarget): AttentionTiles {
  const { batch, queries } = sizes
  // Long keys and values leave less room.
  const keys = Math.max(sizes.depth, sizes.columns) > 128 ? mostKeys / 2 : mostKeys
  const most = Math.min(queriesFor(sizes), Math.floor(target.l2Bytes / 2 / (4 * keys)))
  const share = batch === null || queries === null ? most : (batch * queries) / (target.cores * programsPerCore)
  const rows = Math.max(leastQueries, Math.min(most, Math.floor(share)))
  return { queries: evenBlock(queries, rows, 8), keys: evenBlock(sizes.keys, keys, 16) }
}

function queriesFor({ queries, keys, causal }: AttentionSizes): number {
  if (queries === null || keys === null) return causal ? usualQueries / 2 : usualQueries
  // Half of the square on the diagonal is in vain: where it is twice as large that doubles, and the other costs halve.
  return causal ? Math.min(mostQueries, 2 ** Math.round(Math.log2(8 * keys) / 2)) : mostQueries
}

/** Equal blocks of at most about `limit`, multiples of `step` where there are several. */
function evenBlock(size: number | null, limit: number, step: number): number {
  if (size === null) return limit
  if (size <= limit) return Math.max(1, size)
  return Math.ceil(size / Math.ceil(size / limit) / step) * step
}

// --- CUDA ----------------------------------------------------------------------------------------------------------------

interface Candidate extends AttentionTiles {
  /** The widest head whose accumulator the registers hold. */
  readonly head: number
  readonly warps: number
}

/** Best first. 16-bit operands go to the matrix units. */
const matrixUnit: readonly Candidate[] = [
  { head: 128, queries: 128, keys: 64, warps: 8 },
  { head: 128, queries: 128, keys: 32, warps: 8 },
  { head: 256, queries: 128, keys: 32, warps: 8 },
  { head: 256, queries: 64, keys: 32, warps: 8 },
  { head: 256, queries: 64, keys: 16, warps: 8 },
]
const fused: readonly Candidate[] = [
  { head: 64, queries: 64, keys: 32, warps: 8 },
  { head: 128, queries: 64, keys: 16, warps: 8 },
  { head: 256, queries: 32, keys: 16, warps: 8 },
  { head: 256, queries: 16, keys: 16, warps: 4 },
  { head: 256, queries: 16, keys: 8, warps: 4 },
]

/** Blocks of keys and values that are on their way to the block or worked on at a time, together. */
const inFlight = 5

/** `bits`: of the operands. */
export function cudaAttentionTiles(
  { queries, keys, depth, columns }: AttentionSizes,
  bits: number,
  target: CudaTarget,
): AttentionTiles & { readonly warps: number } {
  const head = Math.max(depth, columns)
  const sharedBytes = (tile: AttentionTiles): number => {
    const elements = tile.queries * head + inFlight * tile.keys * head + 2 * tile.queries * tile.keys
    return (elements * bits) / 8
  }
  const candidates = bits <= 16 ? matrixUnit : fused
  const fits = (tile: Candidate): boolean => head <= tile.head && sharedBytes(tile) <= target.arch.sharedBytesPerBlock
  const chosen = candidates.find(fits) ?? candidates.at(-1)!
  const rows = Math.min(chosen.queries, powerFrom16(queries))
  const warps = Math.max(1, Math.min(chosen.warps, (chosen.warps * rows) / chosen.queries))
  return { queries: rows, keys: Math.min(chosen.keys, powerFrom16(keys)), warps }
}

const powerFrom16 = (size: number | null): number =>
  size === null ? Number.POSITIVE_INFINITY : 2 ** Math.ceil(Math.log2(Math.max(16, size)))

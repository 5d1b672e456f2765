/** Attention tiles for a GPU: queries per CTA, and keys per block. */
import type { AttentionSizes, AttentionTiles } from '../../kernels/attention.js'
import type { GradientTiles } from '../../kernels/attention-gradient.js'
import type { AttentionParts } from '../../schedule/policy.js'
import type { CudaTarget } from '../../target/cuda.js'

interface Candidate extends AttentionTiles {
  /** The widest head whose accumulator fits the registers. */
  readonly head: number
  readonly warps: number
  /** Blocks of keys and values in shared memory at a time: prefetched or in use. Default: usualInFlight. */
  readonly inFlight?: number
}

/** Best first. 16-bit operands use tensor cores. */
const matrixUnit: readonly Candidate[] = [
  { head: 128, queries: 128, keys: 64, warps: 8 },
  { head: 128, queries: 128, keys: 32, warps: 8 },
  { head: 256, queries: 128, keys: 64, warps: 8, inFlight: 4 },
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

const usualInFlight = 5

/** `bits`: width of the operands. */
export function cudaAttentionTiles(
  { queries, keys, depth, columns }: AttentionSizes,
  bits: number,
  target: CudaTarget,
): AttentionTiles & { readonly warps: number } {
  const head = Math.max(depth, columns)
  const sharedBytes = (tile: Candidate): number => {
    const { inFlight = usualInFlight } = tile
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

/** Queries of a tile where reading keys and values takes longer than multiplying them. */
const fewQueries = 64
/** Bytes of keys and values per block of so few queries, and blocks that a CTA has in flight or in use. */
const stageBytes = 16 * 1024
const stages = 3
/** Shared memory that a CTA takes besides. */
const reservedBytes = 1024

/** Tiles where CTAs share the keys of few queries: enough small CTAs per multiprocessor to keep its loads in flight. */
export function cudaAttentionParts(sizes: AttentionSizes, bits: number, target: CudaTarget): AttentionParts {
  const { arch, multiprocessors } = target
  const { queries, keys, depth, columns } = sizes
  if (queries === null || queries > fewQueries || bits > 16)
    return { tiles: cudaAttentionTiles(sizes, bits, target), concurrent: multiprocessors }
  const rows = powerFrom16(queries)
  const rowBytes = ((depth + columns) * bits) / 8
  const block = Math.min(powerFrom16(keys), Math.max(16, 2 ** Math.floor(Math.log2(stageBytes / rowBytes))))
  const bytes = stages * block * rowBytes + (rows * depth * bits) / 8
  const resident = Math.max(1, Math.floor(arch.sharedBytesPerMultiprocessor / (bytes + reservedBytes)))
  return { tiles: { queries: rows, keys: block, warps: rows / 16, stages }, concurrent: multiprocessors * resident }
}

interface GradientCandidate extends GradientTiles {
  /** The widest heads whose accumulators fit the registers: one with respect to the query, two of key and value. */
  readonly widest: { readonly [Wrt in 'query' | 'keys']: number }
  readonly warps: number
}

const gradientTiles = (
  rows: number,
  others: number,
  warps: number,
  query: number,
  keys: number,
): GradientCandidate => ({
  rows,
  others,
  warps,
  widest: { query, keys },
})

/** Best first. */
const gradientsOnWarpgroups: readonly GradientCandidate[] = [
  gradientTiles(128, 64, 8, 128, 128),
  gradientTiles(64, 32, 8, 256, 256),
]
const gradientsOnMatrixUnit: readonly GradientCandidate[] = [
  gradientTiles(128, 64, 8, 64, 64),
  gradientTiles(64, 64, 8, 128, 64),
  gradientTiles(64, 32, 8, 128, 128),
  gradientTiles(64, 16, 8, 256, 256),
  gradientTiles(32, 16, 4, 256, 256),
]
const gradientsFused: readonly GradientCandidate[] = [
  gradientTiles(64, 32, 8, 64, 64),
  gradientTiles(64, 16, 8, 128, 128),
  gradientTiles(32, 16, 8, 256, 256),
  gradientTiles(16, 16, 8, 256, 256),
  gradientTiles(16, 8, 4, 256, 256),
]
/** Blocks of others that are in shared memory at a time: one prefetched, one in use. */
const gradientStages = 2

/** Tiles of the gradients. `bits`: width of the operands. */
export function cudaGradientTiles(
  { queries, keys, depth, columns }: AttentionSizes,
  wrt: 'query' | 'keys',
  bits: number,
  { arch }: CudaTarget,
): GradientTiles & { readonly warps: number } {
  const [rows, others] = wrt === 'query' ? [queries, keys] : [keys, queries]
  const head = Math.max(depth, columns)
  // Without warpgroups, an operand of two dots is there in two orders: pairs, and values where they have a gradient.
  const copies = arch.warpgroup && bits <= 16 ? 2 : wrt === 'query' ? 3 : 4
  const sharedBytes = (tile: GradientCandidate): number =>
    (head * (2 * tile.rows + gradientStages * copies * tile.others) * bits) / 8 + ringBytes
  const matrixUnit = arch.warpgroup ? gradientsOnWarpgroups : gradientsOnMatrixUnit
  const candidates = bits <= 16 ? matrixUnit : gradientsFused
  const fits = (tile: GradientCandidate): boolean =>
    head <= tile.widest[wrt] && sharedBytes(tile) <= arch.sharedBytesPerBlock
  const chosen = candidates.find(fits) ?? candidates.at(-1)!
  const own = Math.min(chosen.rows, powerFrom16(rows))
  const warps = Math.max(1, Math.min(chosen.warps, (chosen.warps * own) / chosen.rows))
  return { rows: own, others: Math.min(chosen.others, powerFrom16(others)), warps }
}

/** Shared memory that a loop leaves for other uses. */
const ringBytes = 8 * 1024

const powerFrom16 = (size: number | null): number =>
  size === null ? Number.POSITIVE_INFINITY : 2 ** Math.ceil(Math.log2(Math.max(16, size)))

/** Attention tiles for a CPU: queries per program instance, and keys per block. */
import type { AttentionSizes, AttentionTiles } from '../../kernels/attention.js'
import type { GradientTiles } from '../../kernels/attention-gradient.js'
import type { CpuTarget } from '../../target/cpu.js'

const maxKeys = 256
/** More queries repack keys and values less often; their scores may take half of the L2 cache. */
const mostQueries = 512
const minQueries = 16
/** For lengths known only at launch. */
const usualQueries = 128
/** Cores that claim programs one after another finish at about the same time when each has a few. */
const programsPerCore = 2

/** Blocks whose scores fit half of the L2 cache, with at least a few programs per core where the sizes allow it. */
export function cpuAttentionTiles(sizes: AttentionSizes, target: CpuTarget): AttentionTiles {
  const { batch, queries } = sizes
  // Wide heads leave less cache for keys and values.
  const keys = Math.max(sizes.depth, sizes.columns) > 128 ? maxKeys / 2 : maxKeys
  const maxRows = Math.min(queriesFor(sizes), Math.floor(target.l2Bytes / 2 / (4 * keys)))
  const share = batch === null || queries === null ? maxRows : (batch * queries) / (target.cores * programsPerCore)
  const rows = Math.max(minQueries, Math.min(maxRows, Math.floor(share)))
  return { queries: evenBlock(queries, rows, 8), keys: evenBlock(sizes.keys, keys, 16) }
}

/** As for attention; a block of weights and one of their slopes take half of the L2 cache. */
export function cpuGradientTiles(sizes: AttentionSizes, wrt: 'query' | 'keys', target: CpuTarget): GradientTiles {
  const { queries, keys } = sizes
  const [rows, others] = wrt === 'query' ? [queries, keys] : [keys, queries]
  const halved = { ...target, l2Bytes: target.l2Bytes / 2 }
  const tiles = cpuAttentionTiles({ ...sizes, queries: rows, keys: others }, halved)
  return { rows: tiles.queries, others: tiles.keys }
}

function queriesFor({ queries, keys, causal }: AttentionSizes): number {
  if (queries === null || keys === null) return causal ? usualQueries / 2 : usualQueries
  // Causal: half of the blocks on the diagonal is masked. Larger query blocks waste more there but repack less often.
  return causal ? Math.min(mostQueries, 2 ** Math.round(Math.log2(8 * keys) / 2)) : mostQueries
}

/** Equal blocks of at most about `limit`, multiples of `step` where there are several. */
function evenBlock(size: number | null, limit: number, step: number): number {
  if (size === null) return limit
  if (size <= limit) return Math.max(1, size)
  return Math.ceil(size / Math.ceil(size / limit) / step) * step
}

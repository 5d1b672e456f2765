/** Blocks of attention for a CPU: how many queries a program instance takes, and how many keys at once. */
import type { AttentionSizes, AttentionTiles } from '../../kernels/attention.js'
import type { CpuTarget } from '../../target/cpu.js'

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

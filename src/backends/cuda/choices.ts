/**
 * The choices of block sizes that `max-autotune` measures on a GPU, the usual one first: what the cost model put next to
 * it, and other shares of work per block.
 */
import type { CudaTarget } from '../../target/cuda.js'
import type { TuningChoice } from '../target.js'
import { type BlockLimits, cudaLimits } from './limits.js'
import { cudaPolicy } from './policy.js'

const { cuda } = cudaLimits

const changes: readonly (readonly [name: string, changes: Partial<BlockLimits>])[] = [
  ['usual blocks', {}],
  ['small blocks', { mapped: cuda.mapped / 2, least: cuda.least / 2, most: cuda.most / 2 }],
  ['large blocks', { mapped: cuda.mapped * 4, least: cuda.least * 4, most: cuda.most * 2 }],
  ['more threads a row', { rowElements: cuda.rowElements / 2 }],
  ['fewer threads a row', { rowElements: cuda.rowElements * 2 }],
  ['narrow columns', { columnBytes: cuda.columnBytes / 2 }],
  ['second tiles of products', { matmulRank: 1 }],
  ['third tiles of products', { matmulRank: 2 }],
  ['fourth tiles of products', { matmulRank: 3 }],
  ['fifth tiles of products', { matmulRank: 4 }],
]

export const cudaChoices = (facts: CudaTarget): readonly TuningChoice[] =>
  changes.map(([name, changed]) => ({
    name,
    policy: cudaPolicy(facts, { ...cudaLimits, cuda: { ...cuda, ...changed } }),
  }))

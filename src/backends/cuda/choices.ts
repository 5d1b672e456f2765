/**
 * The tuning choices that `max-autotune` measures on a GPU, the default first: the cost model's runners-up, and other
 * amounts of work per CTA.
 */
import type { CudaTarget } from '../../target/cuda.js'
import type { TuningChoice } from '../target.js'
import { type BlockLimits, cudaLimits } from './limits.js'
import { cudaPolicy } from './policy.js'

const { cuda } = cudaLimits

const changes: readonly (readonly [name: string, changes: Partial<BlockLimits>])[] = [
  ['usual blocks', {}],
  [
    'small blocks',
    { maxPointwise: cuda.maxPointwise / 2, minPointwise: cuda.minPointwise / 2, maxReduction: cuda.maxReduction / 2 },
  ],
  [
    'large blocks',
    { maxPointwise: cuda.maxPointwise * 4, minPointwise: cuda.minPointwise * 4, maxReduction: cuda.maxReduction * 2 },
  ],
  ['more threads a row', { rowElements: cuda.rowElements / 4 }],
  ['fewer threads a row', { rowElements: cuda.rowElements * 2 }],
  ['narrow columns', { columnBytes: cuda.columnBytes / 2 }],
  ['matmul tiles ranked second', { matmulRank: 1 }],
  ['matmul tiles ranked third', { matmulRank: 2 }],
  ['matmul tiles ranked fourth', { matmulRank: 3 }],
  ['matmul tiles ranked fifth', { matmulRank: 4 }],
]

export const cudaChoices = (facts: CudaTarget): readonly TuningChoice[] =>
  changes.map(([name, changed]) => ({
    name,
    policy: cudaPolicy(facts, { ...cudaLimits, cuda: { ...cuda, ...changed } }),
  }))

/**
 * The tuning choices that `max-autotune` measures on a CPU, the default first: the cost model's runners-up, and other
 * amounts of work per program.
 */
import type { CpuTarget } from '../../target/cpu.js'
import type { TuningChoice } from '../target.js'
import { type CpuLimits, cpuLimits } from './limits.js'
import { cpuPolicy } from './policy.js'

const { matmul } = cpuLimits

const changes: readonly (readonly [name: string, changes: Partial<CpuLimits>])[] = [
  ['usual blocks', {}],
  ['small blocks', { maxProgram: 4096, minProgram: 1024, maxColumns: 256 }],
  ['large blocks', { maxProgram: 65536, minProgram: 8192, maxRow: 65536 }],
  ['matmul blocks with small k', { matmul: { ...matmul, depth: 128 } }],
  ['matmul blocks with large k', { matmul: { ...matmul, depth: 512 } }],
  ['small matmul tiles', { matmul: { ...matmul, rows: [32, 64, 96], columns: [64, 128, 192] } }],
]

export const cpuChoices = (facts: CpuTarget): readonly TuningChoice[] =>
  changes.map(([name, changed]) => ({ name, policy: cpuPolicy(facts, { ...cpuLimits, ...changed }) }))

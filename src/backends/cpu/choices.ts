/**
 * The choices of block sizes that `max-autotune` measures on a CPU, the usual one first: what the cost model put next to
 * it, and other shares of work per program.
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
  ['shallow products', { matmul: { ...matmul, depth: 128 } }],
  ['deep products', { matmul: { ...matmul, depth: 512 } }],
  ['small product tiles', { matmul: { ...matmul, rows: [32, 64, 96], columns: [64, 128, 192] } }],
]

export const cpuChoices = (facts: CpuTarget): readonly TuningChoice[] =>
  changes.map(([name, changed]) => ({ name, policy: cpuPolicy(facts, { ...cpuLimits, ...changed }) }))

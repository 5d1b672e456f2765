/** Back ends on which small attention runs in parts. */
import { cpuPolicy } from '../../src/backends/cpu/policy.js'
import { cudaPolicy } from '../../src/backends/cuda/policy.js'
import { targetForCuda } from '../../src/backends/cuda/target.js'
import type { Target } from '../../src/backends/target.js'
import type { SchedulePolicy } from '../../src/schedule/policy.js'
import { cudaArchs, genericCudaTarget } from '../../src/target/cuda.js'
import { cpuFacts, smallLimits, target } from '../schedule/run.js'
import type { Launch } from '../support/launches.js'
import { expectSimulated } from './agreement.js'
import { expectBlocks } from './agreement-cuda.js'

export interface Way {
  readonly name: string
  readonly target: Target
  readonly policy: SchedulePolicy
  /** Runs launches in its simulator. */
  expect(launches: readonly Launch[]): void
}

/** Of many cores, with blocks of three keys. */
export const onCpu: Way = {
  name: 'CPU',
  target,
  policy: cpuPolicy({ ...cpuFacts, cores: 16 }, smallLimits),
  expect: expectSimulated,
}
/** Of many multiprocessors, with blocks that the matrix units take. */
export const onGpu = (['sm_80', 'sm_90a'] as const).map((name): Way => {
  const facts = { ...genericCudaTarget(cudaArchs[name]), multiprocessors: 64 }
  const limits = { ...smallLimits, attention: { queries: 16, keys: 16 } }
  const expect = (launches: readonly Launch[]): void => void expectBlocks(launches, facts)
  return { name, target: targetForCuda(facts), policy: cudaPolicy(facts, limits), expect }
})

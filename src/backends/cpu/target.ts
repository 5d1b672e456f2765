/** Code for a CPU: C that loops over tiles with vector instructions, one program instance per thread at a time. */
import { emitC, scratchBytes, symbolOf } from '../../codegen/c/emit.js'
import { lowerTile } from '../../lower/cpu/lower.js'
import type { CpuTarget } from '../../target/cpu.js'
import type { PersistentKernels, Target } from '../target.js'
import { cpuChoices } from './choices.js'
import { interpretedLimits } from './limits.js'
import { cpuPolicy } from './policy.js'

/** The CPU as a target: scheduling policy, tuning choices, lowering and C code generation. */
export function targetForCpu(facts: CpuTarget): Target {
  const target: Target = {
    name: 'cpu',
    facts,
    policy: cpuPolicy(facts),
    interpreted: cpuPolicy(facts, interpretedLimits),
    choices: cpuChoices(facts),
    specialises: false,
    // The pool's threads claim program instances already.
    persistent: {
      maxArguments: Number.POSITIVE_INFINITY,
      claims: null,
      member: program => ({ program, target }),
      inBatch: program => program,
      instances: tiles => tiles,
    } satisfies PersistentKernels,
    lower: program => lowerTile(program, facts),
    emitter: () => ({ alone: () => null, unit: lanes => emitC(lanes, { vectorBytes: facts.vectorBytes }) }),
    symbolOf,
    resourcesOf: lane => ({ scratchBytes: scratchBytes(lane), threads: 1, warps: 0, sharedBytes: 0 }),
  }
  return target
}

/** Code for an NVIDIA GPU: PTX in which each thread block runs one program instance. */
import { InternalError } from '../../base/errors.js'
import { PtxEmitter, ptxSymbolOf } from '../../codegen/ptx/emit.js'
import type { LaneProgram } from '../../lane/ir.js'
import { claimBytes } from '../../lower/shared/join.js'
import { lowerSimt } from '../../lower/simt/lower.js'
import { warpsOf } from '../../lower/simt/warps.js'
import { minSizes } from '../../scalar/size.js'
import type { CudaTarget } from '../../target/cuda.js'
import type { Emitter, KernelResources, PersistentKernels, Target } from '../target.js'
import { cudaChoices } from './choices.js'
import { cudaPolicy } from './policy.js'

/** A GPU as a target: scheduling policy, tuning choices, SIMT lowering and PTX generation. */
export const targetForCuda = (facts: CudaTarget): Target => ({
  name: 'cuda',
  facts,
  policy: cudaPolicy(facts),
  choices: cudaChoices(facts),
  specialises: true,
  persistent: persistentOn(facts),
  lower: (program, launch) => lowerSimt(program, facts, launch),
  emitter: () => emitterFor(facts),
  symbolOf: ptxSymbolOf,
  resourcesOf: lane => resourcesOf(lane, facts),
})

function emitterFor(facts: CudaTarget): Emitter {
  // Kernels wait for their predecessor themselves (programmatic dependent launch), so they may start while it ends.
  const emitter = new PtxEmitter(facts, { early: true })
  return { alone: lane => emitter.module([lane]), unit: lanes => emitter.module(lanes) }
}

function resourcesOf(lane: LaneProgram, { arch }: CudaTarget): KernelResources {
  const { threads, sharedBytes } = blockOf(lane)
  return { scratchBytes: 0, threads, warps: threads / arch.warpSize, sharedBytes }
}

type Block = NonNullable<LaneProgram['block']>

function blockOf({ name, block }: LaneProgram): Block {
  if (block === undefined) throw new InternalError(`${name}: a kernel for a GPU without a block`)
  return block
}

/** Kernel parameters are limited to 4096 bytes on all devices: arguments of 8 bytes, the grid and the counter included. */
const maxArguments = 4096 / 8 - 4

/** Warps of small kernels that are joined: only those with equally many can be. */
const batchedWarps = 4

/** How several kernels are joined into one persistent kernel. */
const persistentOn = (facts: CudaTarget): PersistentKernels => ({
  maxArguments,
  claims: { preassigned: facts.multiprocessors },
  // Kernels that are joined have equally many warps, and leave shared memory for claiming tiles.
  member: (program, members) => {
    const warps = Math.max(...members.map(warpsOf))
    const sharedBytesPerBlock = facts.arch.sharedBytesPerBlock - claimBytes
    return {
      program: { ...program, hints: { ...program.hints, warps } },
      target: targetForCuda({ ...facts, arch: { ...facts.arch, sharedBytesPerBlock } }),
    }
  },
  inBatch: program => ({ ...program, hints: { ...program.hints, warps: Math.max(warpsOf(program), batchedWarps) } }),
  instances: (tiles, lane) => minSizes(tiles, facts.multiprocessors * occupancyOf(blockOf(lane), facts)),
})

/** Maximum threads per multiprocessor. */
const residentThreads = 2048
/** Shared memory that the system reserves per CTA. */
const reservedBytes = 1024
const mostBlocks = 4

/** Occupancy in CTAs per multiprocessor, as far as it is known before register allocation. */
function occupancyOf({ threads, sharedBytes, perMultiprocessor }: Block, { arch }: CudaTarget): number {
  if (perMultiprocessor !== undefined) return perMultiprocessor
  const bySpace = Math.floor(arch.sharedBytesPerMultiprocessor / (sharedBytes + reservedBytes))
  return Math.max(1, Math.min(mostBlocks, bySpace, Math.floor(residentThreads / threads)))
}

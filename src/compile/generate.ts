/**
 * From a plan's tile programs to text for the target: each is simplified and lowered, all are emitted as one translation
 * unit. Here, and nowhere else in the compiler, the ways to the targets part.
 */
import { emitC, scratchBytes, symbolOf } from '../codegen/c/emit.js'
import { emitPtx, ptxSymbolOf } from '../codegen/ptx/emit.js'
import { verify } from '../ir/verify.js'
import { type LaneProgram, laneDialect } from '../lane/ir.js'
import { lowerTile } from '../lower/cpu/lower.js'
import { lowerSimt } from '../lower/simt/lower.js'
import type { CudaTarget, LaunchFacts } from '../target/cuda.js'
import type { CpuTarget, Target } from '../target/target.js'
import { argumentsOf } from '../tile/abi.js'
import { type TileProgram, tileDialect } from '../tile/ir.js'
import { simplify } from '../tile/passes/simplify.js'

/** What a launch needs to know of a compiled kernel, beside its arguments. */
export type KernelResources =
  | {
      readonly kind: 'cpu'
      /** Bytes of per-thread scratch memory. */
      readonly scratchBytes: number
    }
  | {
      readonly kind: 'cuda'
      /** Of a block. */
      readonly threads: number
      readonly sharedBytes: number
    }

/** Nothing is known of a launch but that it is small enough for 32-bit offsets. */
export const leastFacts = (program: TileProgram): LaunchFacts => ({
  divisors: argumentsOf(program.params).map(() => 1),
  index32: false,
})

/**
 * Requires: a verified kernel; `facts` for a GPU, default `leastFacts`. Guarantees: a verified lane program of the same
 * meaning.
 */
export function lowerKernel(program: TileProgram, target: Target, facts?: LaunchFacts): LaneProgram {
  verify(tileDialect, program.body)
  const simple = simplify(program)
  const lane =
    target.kind === 'cpu' ? lowerTile(simple, target) : lowerSimt(simple, target, facts ?? leastFacts(simple))
  verify(laneDialect, lane.body)
  return lane
}

/** The translation unit of some kernels. */
export const sourceOf = (lanes: readonly LaneProgram[], target: Target): string =>
  target.kind === 'cpu' ? cSource(lanes, target) : ptxSource(lanes, target)

const cSource = (lanes: readonly LaneProgram[], { vectorBytes }: CpuTarget): string => emitC(lanes, { vectorBytes })
/** Kernels wait for the one before them themselves, so that the device may start them while that one ends. */
const ptxSource = (lanes: readonly LaneProgram[], target: CudaTarget): string => emitPtx(lanes, target, { early: true })

/** The kernel's name in the translation unit. */
export const symbolIn = (lane: LaneProgram, target: Target): string =>
  target.kind === 'cpu' ? symbolOf(lane) : ptxSymbolOf(lane)

export function resourcesOf(lane: LaneProgram): KernelResources {
  const { block } = lane
  return block === undefined ? { kind: 'cpu', scratchBytes: scratchBytes(lane) } : { kind: 'cuda', ...block }
}

/**
 * What a back end generates code for, with the facts of one machine bound: the scheduler's policy, lowering and emission.
 * All of it is pure; what runs the code is device.ts's. Nothing that uses a target asks which one it is.
 */
import type { LaneProgram } from '../lane/ir.js'
import type { Size } from '../scalar/size.js'
import type { SchedulePolicy } from '../schedule/policy.js'
import type { LaunchFacts } from '../target/launch.js'
import type { TileProgram } from '../tile/ir.js'

export interface Target {
  /** The back end's, for reports. */
  readonly name: string
  /** Everything about the machine that code depends on, as plain data: part of the keys that code is cached under. */
  readonly facts: object
  readonly policy: SchedulePolicy
  /** The tuning space, what is used without measuring first. */
  readonly choices: readonly TuningChoice[]
  /**
   * Code differs by what launches promise (`LaunchFacts`): a plan then has versions, of which each call runs the best that
   * it may. Else code counts on nothing, and there is one.
   */
  readonly specialises: boolean
  readonly persistent: PersistentKernels
  /**
   * Requires: a verified and simplified kernel. Guarantees: a lane program of the same meaning. Throws KernelError for
   * tiles that do not fit the target.
   */
  lower(program: TileProgram, launch: LaunchFacts): LaneProgram
  /** The translation unit of some kernels. */
  emit(lanes: readonly LaneProgram[]): string
  /** The kernel's name in the translation unit. */
  symbolOf(lane: LaneProgram): string
  resourcesOf(lane: LaneProgram): KernelResources
}

/** A choice of block sizes that `max-autotune` measures. Its name is remembered on disk. */
export interface TuningChoice {
  readonly name: string
  readonly policy: SchedulePolicy
}

/** What a launch needs to know of a compiled kernel, beside its arguments. */
export interface KernelResources {
  /** Bytes of memory that each thread of a CPU has for itself. */
  readonly scratchBytes: number
  /** Threads that run a program instance together, and bytes of memory that they share. */
  readonly threads: number
  readonly sharedBytes: number
}

/** How several kernels become one whose program instances work on the tiles of all (lower/shared/join.ts). */
export interface PersistentKernels {
  /** Arguments that a kernel takes at most. */
  readonly maxArguments: number
  /**
   * Program instances claim one tile after another from a counter, but for the first ones: so many take the tile of their
   * own number. null: there is an instance for each tile.
   */
  readonly claims: { readonly ready: number } | null
  /** The kernels that are to be one, as they must be lowered for that, and the target to do it for. */
  member(
    program: TileProgram,
    members: readonly TileProgram[],
  ): { readonly program: TileProgram; readonly target: Target }
  /** How many program instances work on `tiles` tiles. */
  instances(tiles: Size, lane: LaneProgram): Size
}

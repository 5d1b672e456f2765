/**
 * What code is generated for, with the facts of one machine bound: scheduling policy, lowering and emission. All of it is
 * pure; running code is device.ts's. Callers never ask which target it is.
 */
import type { LaneProgram } from '../lane/ir.js'
import type { Size } from '../scalar/size.js'
import type { SchedulePolicy } from '../schedule/policy.js'
import type { LaunchFacts } from '../target/launch.js'
import type { TileProgram } from '../tile/ir.js'

export interface Target {
  /** Name for reports. */
  readonly name: string
  /** Every fact of the machine that code depends on, as plain data: part of the code's cache keys. */
  readonly facts: object
  readonly policy: SchedulePolicy
  /** For plans that the tile interpreter runs, which it does only on a target whose memory is the host's. Default: `policy`. */
  readonly interpreted?: SchedulePolicy
  /** The tuning space; the first choice is used when nothing is measured. */
  readonly choices: readonly TuningChoice[]
  /**
   * Code depends on launch guarantees (`LaunchFacts`): a plan then has several versions, and each call runs the best one that
   * its arguments allow. Otherwise code assumes nothing, and there is one version.
   */
  readonly specialises: boolean
  readonly persistent: PersistentKernels
  /**
   * Requires: a verified and simplified kernel. Guarantees: a lane program of the same meaning. Throws KernelError for
   * tiles that do not fit the target.
   */
  lower(program: TileProgram, launch: LaunchFacts): LaneProgram
  /** Emits the kernels of one plan. */
  emitter(): Emitter
  /** The kernel's name in the translation unit. */
  symbolOf(lane: LaneProgram): string
  resourcesOf(lane: LaneProgram): KernelResources
}

export interface Emitter {
  /**
   * A kernel as a translation unit of its own, whose code is the kernel's in any other unit: it can be compiled while further
   * kernels are emitted. Null: the kernels of a unit are compiled together.
   */
  alone(lane: LaneProgram): string | null
  /** One translation unit of these kernels. */
  unit(lanes: readonly LaneProgram[]): string
}

/** A choice of block sizes for `max-autotune` to measure. Its name is stored on disk. */
export interface TuningChoice {
  readonly name: string
  readonly policy: SchedulePolicy
}

/** What a launch needs to know of a compiled kernel besides its arguments. */
export interface KernelResources {
  /** Scratch memory per CPU thread. */
  readonly scratchBytes: number
  /** Threads of a program instance, the warps they form (0: there are none), and bytes of their shared memory. */
  readonly threads: number
  readonly warps: number
  readonly sharedBytes: number
}

/** How several kernels are joined into one whose program instances process the tiles of all (lower/shared/join.ts). */
export interface PersistentKernels {
  /** Maximum number of kernel arguments. */
  readonly maxArguments: number
  /**
   * Program instances claim tiles from a counter, except that each of the first `preassigned` instances starts with the tile
   * of its own index. null: there is one instance per tile.
   */
  readonly claims: { readonly preassigned: number } | null
  /** A kernel adjusted for being joined with `members`, and the target to lower it for. */
  member(
    program: TileProgram,
    members: readonly TileProgram[],
  ): { readonly program: TileProgram; readonly target: Target }
  /** A kernel adjusted for being joined with any others that are: with one instance per tile. */
  inBatch(program: TileProgram): TileProgram
  /** Number of program instances for `tiles` tiles. */
  instances(tiles: Size, lane: LaneProgram): Size
}

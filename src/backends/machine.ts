/** What an executable needs of the device that runs it. */
import type { DeviceBlock, TensorMemory } from '../runtime/device.js'
import type { BoundSizes, Patch, Patches, StepSize } from '../runtime/patches.js'
import type { Device } from '../tensor/device.js'

/** Steps in the memory that the device runs them from: each call patches what has changed. */
export interface PatchableSteps {
  readonly length: number
  /** Resolves the pointers' offsets once for all calls. Throws InternalError for an argument that does not exist. */
  patches(list: readonly Patch[]): Patches
  /** As `patches`, for integers (safe ones) and grids, which are passed together. */
  bindSizes(args: readonly Patch[], grids: readonly StepSize[], values: Float64Array): BoundSizes
  setInt(step: number, argument: number, value: number): void
  setBigInt(step: number, argument: number, value: bigint): void
  setFloat(step: number, argument: number, value: number): void
  setPointer(step: number, argument: number, address: number): void
  /** For each patch, passes the pointer addresses[index] + values[its table index]. */
  setPointers(patches: Patches, addresses: Float64Array, index: number, values: Float64Array): void
  setGrid(step: number, x: number, y: number, z: number): void
}

/** Steps bound to the device that runs them. */
export interface Launchable {
  readonly steps: PatchableSteps
  /** The next run reads, or writes, a block of memory that it does not own. */
  uses(block: DeviceBlock, writes: boolean): void
  /** Runs all steps, or queues them on the device, with the arguments set before. */
  run(): void
}

/** Runs the launches of a plan, numbered in their order (`launchesAmong`). */
export interface Machine extends Launchable {
  readonly device: Device
  readonly memory: TensorMemory
  /** Path of the generated code; null when there is none. */
  readonly sourcePath: string | null
  /** Alignment of temporaries, in bytes. */
  readonly alignment: number
  /** As `run`, for the launches from `first` up to (not including) `end`: those between two steps of control flow. */
  runSome(first: number, end: number): void
  /** The current queue of calls: temporaries are reused between calls in one queue; null: they are not reused. */
  readonly queue: object | null
}

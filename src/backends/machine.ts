/** What an executable needs of the device that runs it. */
import type { DeviceBlock, TensorMemory } from '../runtime/device.js'
import type { Device } from '../tensor/device.js'

/**
 * Arguments that take values of a table, three numbers each: step, argument and place in the table. For pointers that is the
 * bytes from the buffer's first element.
 */
export type Patches = Int32Array

/** Steps in the memory that a device runs them from: each call patches what changed. */
export interface PatchableSteps {
  readonly length: number
  setInt(step: number, argument: number, value: number): void
  /** Of each patch: passes values[place] as an integer. */
  setInts(patches: Patches, values: Float64Array): void
  setBigInt(step: number, argument: number, value: bigint): void
  setFloat(step: number, argument: number, value: number): void
  setPointer(step: number, argument: number, address: number): void
  /** Of each patch: passes the pointer addresses[index] + values[place]. */
  setPointers(patches: Patches, addresses: Float64Array, index: number, values: Float64Array): void
  setGrid(step: number, x: number, y: number, z: number): void
}

/** Steps and the device that runs them. */
export interface Launchable {
  readonly steps: PatchableSteps
  /** The next run reads a block that others made, or writes it. */
  uses(block: DeviceBlock, writes: boolean): void
  /** Runs all steps, or has the device do so in order with what it was given before. */
  run(): void
}

/** Runs the steps of a plan. */
export interface Machine extends Launchable {
  readonly device: Device
  readonly memory: TensorMemory
  /** Where the generated code lies; null when there is none. */
  readonly sourcePath: string | null
  /** Of the places of temporaries, in bytes. */
  readonly alignment: number
  /** Where calls are queued now: temporaries are kept from call to call in one queue; null: they are not kept. */
  readonly queue: object | null
  /** A step's size changed: `work` are the bytes that it moves and its arithmetic. */
  resized(step: number, programs: number, bytes: number, flops: number): void
}

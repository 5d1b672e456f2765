/** Arguments and grids of packed steps that take values from a table. */

/** An argument, and the index of its value in the table. For pointers that is bytes from the buffer's first element. */
export interface Patch {
  readonly step: number
  readonly argument: number
  readonly value: number
}

/** A step's grid and its amount of work, by their indices in the table. */
export interface StepSize {
  readonly step: number
  readonly x: number
  readonly y: number
  readonly z: number
  readonly bytes: number
  readonly flops: number
}

/** Pointers of steps: where each is stored, and the index in the table. */
export type Patches = Int32Array

/** Integers and grids of steps, bound to a table. */
export interface BoundSizes {
  /**
   * The next run uses the table's current values, which must not change until then. It throws DeviceError for a grid that
   * has more programs than a launch can have.
   */
  pass(): void
}

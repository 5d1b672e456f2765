/** Arguments and grids of packed steps that take values from a table. */

/** An argument, and the index in the table of what it takes. For pointers that is bytes from the buffer's first element. */
export interface Patch {
  readonly step: number
  readonly argument: number
  readonly value: number
}

/** A step's grid, and the work that it is, by their indices in the table. */
export interface StepSize {
  readonly step: number
  readonly x: number
  readonly y: number
  readonly z: number
  readonly bytes: number
  readonly flops: number
}

/** Pointers as the steps that they are of write them: where in their memory, and the index in the table. */
export type Patches = Int32Array

/** Integers and grids of steps, bound to a table. */
export interface BoundSizes {
  /**
   * From the next run on, the steps have what stands in the table now; until that run the table must not change.
   * Then or there DeviceError is thrown for a grid that has more programs than a launch can have.
   */
  pass(): void
}

/**
 * A size that is known only at each call, as a kernel's grid function sees it while a compiled function is captured.
 * `cdiv` keeps it a formula; any other arithmetic takes it for the number that it is in the captured call, and that is
 * noted.
 */
import type { Size } from '../scalar/size.js'

export class GridSize {
  constructor(
    readonly size: Size,
    /** Its value in the captured call. */
    readonly value: number,
    /** Records that it was used as a number. */
    readonly noteUse: (used: GridSize) => void,
  ) {}

  [Symbol.toPrimitive](): number {
    this.noteUse(this)
    return this.value
  }

  toString(): string {
    return String(this.size)
  }
}

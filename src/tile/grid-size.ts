/**
 * A size that is known only at each call, as a kernel's grid function sees it during capture. `cdiv` keeps it symbolic; other
 * arithmetic uses its number in the captured call, and this use is recorded.
 */
import type { Size } from '../scalar/size.js'

export class GridSize {
  constructor(
    readonly size: Size,
    /** Its value in the captured call. */
    readonly value: number,
    /** Called when it is used as a number. */
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

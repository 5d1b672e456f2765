/** A value in the threads of a simulated block: one uniform value, or one per thread (undefined in inactive threads). */
import type { Lanes } from './values.js'

/** Thread numbers in ascending order. */
export type Active = readonly number[]

export class Register {
  private constructor(
    readonly uniform: Lanes | null,
    readonly each: readonly (Lanes | undefined)[],
  ) {}

  static uniform(value: Lanes): Register {
    return new Register(value, [])
  }

  static each(values: readonly (Lanes | undefined)[]): Register {
    return new Register(null, values)
  }

  of(thread: number): Lanes | undefined {
    return this.uniform ?? this.each[thread]
  }
}

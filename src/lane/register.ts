/** A value in every thread of a simulated block: the same one, or one each (threads that were not active have none). */
import type { Lanes } from './values.js'

/** Threads in rising order. */
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

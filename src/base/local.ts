/**
 * What lives in one process only: native memory, streams, the state of random numbers. A clone (`structuredClone`, a
 * message to a worker, JSON) would be an object that looks like it and does nothing, so cloning is refused.
 */

import { ArgumentError } from './errors.js'
import { guardKey } from './guard-key.js'

/**
 * The value of an own, enumerable property by which cloning fails at once: no engine clones a symbol, and the error
 * shows this text.
 */
export const unclonable = (text: string): symbol => Symbol(text)

/** An object of one process. */
export abstract class LocalObject {
  protected readonly unclonable: symbol
  readonly #refuse: readonly [what: string, fix: string]

  /** `what`: 'a stream'; `fix`: what to do instead, imperative. */
  constructor(what: string, fix: string) {
    this.#refuse = [`${what} belongs to its process`, fix]
    this.unclonable = unclonable(this.#refuse.join('; '))
  }

  /** Throws ArgumentError: JSON would hold nothing of it. */
  toJSON(): never {
    const [what, fix] = this.#refuse
    throw new ArgumentError(`JSON.stringify: ${what}`, { fix })
  }

  /** As an argument of a compiled function it is guarded by identity: its state is asked at each call. */
  [guardKey](): null {
    return null
  }
}

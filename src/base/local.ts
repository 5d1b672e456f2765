/**
 * Objects that exist in one process only: native memory, streams, random generators. A clone (`structuredClone`, a message
 * to a worker, JSON) would look like the object but not work, so cloning is refused.
 */

import { ArgumentError } from './errors.js'
import { guardKey } from './guard-key.js'

/**
 * A value for an enumerable property that makes cloning fail: no engine clones a symbol, and the error shows `text`.
 */
export const unclonable = (text: string): symbol => Symbol(text)

/** An object that exists in one process only. */
export abstract class LocalObject {
  protected readonly unclonable: symbol
  readonly #refuse: readonly [what: string, fix: string]

  /** `what`: 'a stream'; `fix`: what to do instead, imperative. */
  constructor(what: string, fix: string) {
    this.#refuse = [`${what} belongs to its process`, fix]
    this.unclonable = unclonable(this.#refuse.join('; '))
  }

  /** Throws ArgumentError: the object cannot be represented in JSON. */
  toJSON(): never {
    const [what, fix] = this.#refuse
    throw new ArgumentError(`JSON.stringify: ${what}`, { fix })
  }

  /** As an argument of a compiled function, the object is guarded by identity. */
  [guardKey](): null {
    return null
  }
}

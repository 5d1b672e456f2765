/** Random orders that a seed decides: the same on every machine. */
import { philox4x32 } from '../scalar/philox.js'

/** Uniform integers, drawn by Philox-4x32-10 from a seed and a stream (an epoch, say). */
export class RandomIntegers {
  #counter = 0
  #words: readonly number[] = []

  constructor(
    readonly seed: number,
    readonly stream: number,
  ) {}

  /** An integer from 0 up to, not including, `bound`, which is at most 2^32. */
  below(bound: number): number {
    // Words beyond the last multiple of `bound` would favour small numbers.
    const limit = 2 ** 32 - (2 ** 32 % bound)
    for (;;) {
      const word = this.#word()
      if (word < limit) return word % bound
    }
  }

  #word(): number {
    if (this.#words.length === 0) {
      const high = Math.floor(this.seed / 2 ** 32) >>> 0
      this.#words = philox4x32([this.#counter++, this.stream >>> 0, 0, 0], [this.seed >>> 0, high])
    }
    const [word, ...rest] = this.#words
    this.#words = rest
    return word!
  }
}

/** The numbers below `count` in a random order (Fisher and Yates). */
export function shuffled(count: number, seed: number, stream: number): number[] {
  const order = Array.from({ length: count }, (_, i) => i)
  const random = new RandomIntegers(seed, stream)
  for (let i = count - 1; i > 0; i--) {
    const other = random.below(i + 1)
    ;[order[i], order[other]] = [order[other]!, order[i]!]
  }
  return order
}

/**
 * Random decisions that can be recorded, replayed and shrunk. A generator asks for numbers below a bound; the list of
 * answers is the test case. Every list gives a valid case (answers are taken modulo the bound, missing ones are 0), so
 * a failing case shrinks by deleting and lowering answers. Generators put the simplest alternative at 0.
 */
export class Choices {
  /** The answers given so far, each below its bound. */
  readonly taken: number[] = []
  #state: number
  #at = 0

  /** Seeded, or replaying a list. */
  constructor(readonly source: number | readonly number[]) {
    this.#state = typeof source === 'number' ? (Math.imul(source, 2654435761) ^ 0x9e3779b9) >>> 0 : 0
  }

  /** An integer in [0, bound). */
  below(bound: number): number {
    const raw = typeof this.source === 'number' ? Math.floor(this.#random() * bound) : (this.source[this.#at++] ?? 0)
    const answer = raw % bound
    this.taken.push(answer)
    return answer
  }

  /** An element of a list. */
  of<T>(list: readonly T[]): T {
    return list[this.below(list.length)]!
  }

  /** True with probability 1/n; false when shrunk. */
  oneIn(n: number): boolean {
    return this.below(n) === n - 1 && n > 0
  }

  /** mulberry32: good enough for tests, and the same on every platform. */
  #random(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let t = this.#state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
}

/**
 * The smallest failing list found, by deleting runs of answers and lowering single ones. `fails` is called at most `budget`
 * times.
 */
export function shrinkChoices(
  start: readonly number[],
  fails: (choices: readonly number[]) => boolean,
  budget = 500,
): readonly number[] {
  let best = start
  let left = budget
  const attempt = (candidate: readonly number[]): boolean => {
    if (left-- <= 0 || !fails(candidate)) return false
    best = candidate
    return true
  }
  for (let improved = true; improved && left > 0; ) {
    improved = false
    for (let run = best.length >> 1; run >= 1; run >>= 1) {
      for (let at = 0; at + run <= best.length && left > 0; ) {
        if (attempt(best.toSpliced(at, run))) improved = true
        else at += run
      }
    }
    for (let at = 0; at < best.length && left > 0; at++) {
      for (const lower of [0, best[at]! >> 1, best[at]! - 1]) {
        if (lower >= 0 && lower < best[at]! && attempt(best.with(at, lower))) {
          improved = true
          break
        }
      }
    }
  }
  return best
}

/**
 * A bounded cache in two generations, for values that can be recomputed: a server that runs for weeks meets ever new sizes
 * and constants. A hit in the young generation costs one lookup and allocates nothing.
 */
export class RecentMap<V> {
  #young = new Map<string, V>()
  #old = new Map<string, V>()

  /** Keeps at least the last `limit` keys used, and at most twice as many. */
  constructor(readonly limit: number) {}

  get size(): number {
    return this.#young.size + this.#old.size
  }

  get(key: string): V | undefined {
    const young = this.#young.get(key)
    if (young !== undefined) return young
    const old = this.#old.get(key)
    if (old !== undefined) this.set(key, old)
    return old
  }

  set(key: string, value: V): void {
    this.#old.delete(key)
    if (this.#young.size >= this.limit && !this.#young.has(key)) {
      this.#old = this.#young
      this.#young = new Map()
    }
    this.#young.set(key, value)
  }

  /** All values, the recently used half first. */
  *values(): Generator<V> {
    yield* this.#young.values()
    yield* this.#old.values()
  }
}

/**
 * Calls that were traced and matched the compiled code, by the numbers and sizes that the function may read. Known values
 * cost a hash lookup, which allocates nothing; new values cost a trace.
 */
import type { Bindings } from './follow.js'

/** Total numbers in all rows; when the table is full, it is cleared. */
const capacity = 1 << 14
const maxRows = 1024

export class KnownCalls {
  readonly #width: number
  readonly #rows: Float64Array
  readonly #bindings: Bindings[] = []
  /** By hash, the row added last; `#before` links to the previous row of the same hash. */
  readonly #newest = new Map<number, number>()
  readonly #before: Int32Array
  readonly #key: Float64Array
  readonly #bits: Int32Array

  constructor(width: number) {
    this.#width = width
    const rows = Math.max(4, Math.min(maxRows, Math.floor(capacity / Math.max(1, width))))
    this.#rows = new Float64Array(rows * width)
    this.#before = new Int32Array(rows)
    this.#key = new Float64Array(width)
    this.#bits = new Int32Array(this.#key.buffer)
  }

  get size(): number {
    return this.#bindings.length
  }

  /** All known calls. */
  get all(): readonly { readonly key: readonly number[]; readonly bindings: Bindings }[] {
    return this.#bindings.map((bindings, row) => ({
      key: [...this.#rows.subarray(row * this.#width, (row + 1) * this.#width)],
      bindings,
    }))
  }

  /** The caller writes a call's numbers here before `find` or `add`. */
  get key(): Float64Array {
    return this.#key
  }

  find(): Bindings | null {
    let row = this.#newest.get(this.#hash()) ?? -1
    while (row >= 0 && !this.#isRow(row)) row = this.#before[row]!
    return row < 0 ? null : this.#bindings[row]!
  }

  add(bindings: Bindings): void {
    if (this.#bindings.length === this.#before.length) {
      this.#bindings.length = 0
      this.#newest.clear()
    }
    const row = this.#bindings.push(bindings) - 1
    this.#rows.set(this.#key, row * this.#width)
    const hash = this.#hash()
    this.#before[row] = this.#newest.get(hash) ?? -1
    this.#newest.set(hash, row)
  }

  #isRow(row: number): boolean {
    const start = row * this.#width
    for (let i = 0; i < this.#width; i++) if (!Object.is(this.#rows[start + i], this.#key[i])) return false
    return true
  }

  #hash(): number {
    let hash = 7
    for (let i = 0; i < this.#bits.length; i++) hash = (Math.imul(hash, 31) + this.#bits[i]!) | 0
    return hash
  }
}

/**
 * The sizes of a plan at a call's symbols, each different one computed once. Nearly all are linear in one symbol
 * (`64·n + 4096`): those are computed from arrays, without a call each.
 */
import { InternalError } from '../base/errors.js'
import { compileSize, linearSize, type Size, type SizeExpr, type SizeFunction } from '../scalar/size.js'

export class SizeTable {
  /** By the index that `add` gave, at the symbols last passed to `update`; NaN before that where it depends on symbols. */
  readonly values: number[] = []
  readonly #indices = new Map<string, number>()
  readonly #fixed = new Set<number>()
  readonly #linear: {
    readonly index: number
    readonly symbol: number
    readonly factor: number
    readonly rest: number
  }[] = []
  readonly #others: { readonly index: number; readonly compute: SizeFunction }[] = []

  constructor(readonly names: readonly string[]) {}

  /** The index of a size's value; what does not depend on symbols is known at once. */
  add(size: Size): number {
    const text = String(size)
    const known = this.#indices.get(text)
    if (known !== undefined) return known
    const index = this.values.push(typeof size === 'number' ? size : Number.NaN) - 1
    this.#indices.set(text, index)
    if (typeof size === 'number') this.#fixed.add(index)
    else this.#addSymbolic(index, size)
    return index
  }

  #addSymbolic(index: number, size: SizeExpr): void {
    const linear = linearSize(size)
    if (linear === null) {
      this.#others.push({ index, compute: compileSize(size, name => readerOf(this.#symbol(name))) })
    } else this.#linear.push({ index, symbol: this.#symbol(linear.name), factor: linear.factor, rest: linear.rest })
  }

  #symbol(name: string): number {
    const symbol = this.names.indexOf(name)
    if (symbol < 0) throw new InternalError(`a plan's size depends on ${name}, which is no symbol of its graph`)
    return symbol
  }

  /** Whether a value depends on no symbol. */
  isFixed(index: number): boolean {
    return this.#fixed.has(index)
  }

  /** Computes all values. Allocates nothing. */
  update(symbols: Float64Array): void {
    const { values } = this
    for (let i = 0; i < this.#linear.length; i++) {
      const { index, symbol, factor, rest } = this.#linear[i]!
      values[index] = factor * symbols[symbol]! + rest
    }
    for (let i = 0; i < this.#others.length; i++) {
      const { index, compute } = this.#others[i]!
      values[index] = compute(symbols)
    }
  }
}

const readerOf =
  (symbol: number): SizeFunction =>
  symbols =>
    symbols[symbol]!

/**
 * The sizes of a plan at a call's symbols, each different one computed once. Nearly all are linear in one symbol
 * (`64·n + 4096`): those are computed from arrays, without a call each.
 */
import { InternalError } from '../base/errors.js'
import { compileSize, linearSize, type Size, type SizeFunction } from '../scalar/size.js'

/** Gives different sizes different places in a table. */
export class SizeTableBuilder {
  readonly #sizes: Size[] = []
  readonly #places = new Map<string, number>()

  /** The place of a size's value. */
  add(size: Size): number {
    const text = String(size)
    const known = this.#places.get(text)
    if (known !== undefined) return known
    const place = this.#sizes.push(size) - 1
    this.#places.set(text, place)
    return place
  }

  /** The value at a place; null: it depends on symbols. */
  fixed(place: number): number | null {
    const size = this.#sizes[place]!
    return typeof size === 'number' ? size : null
  }

  /** Whether all values at these places depend on no symbol. */
  areFixed(places: readonly number[]): boolean {
    return places.every(place => this.fixed(place) !== null)
  }

  /** @param names the symbols' */
  build(names: readonly string[]): SizeTable {
    return new SizeTable(this.#sizes, names)
  }
}

export class SizeTable {
  /** At the symbols last passed to `update`; before, of sizes without symbols alone. */
  readonly values: Float64Array
  /** Per size that is factor · symbol + rest: its place and its symbol, then the two numbers. */
  readonly #linear: Int32Array
  readonly #factors: Float64Array
  readonly #others: readonly { readonly place: number; readonly compute: SizeFunction }[]

  constructor(sizes: readonly Size[], names: readonly string[]) {
    this.values = Float64Array.from(sizes, size => (typeof size === 'number' ? size : Number.NaN))
    const symbolOf = (name: string): number => {
      const symbol = names.indexOf(name)
      if (symbol < 0) throw new InternalError(`a plan's size depends on ${name}, which is no symbol of its graph`)
      return symbol
    }
    const symbolic = [...sizes.entries()].flatMap(([place, size]) =>
      typeof size === 'number' ? [] : [{ place, size, linear: linearSize(size) }],
    )
    const linear = symbolic.flatMap(({ place, linear }) => (linear === null ? [] : [{ place, ...linear }]))
    this.#linear = Int32Array.from(linear.flatMap(({ place, name }) => [place, symbolOf(name)]))
    this.#factors = Float64Array.from(linear.flatMap(({ factor, rest }) => [factor, rest]))
    this.#others = symbolic
      .filter(({ linear }) => linear === null)
      .map(({ place, size }) => ({ place, compute: compileSize(size, name => readerOf(symbolOf(name))) }))
  }

  /** Computes all values. Allocates nothing. */
  update(symbols: Float64Array): void {
    const values = this.values
    const linear = this.#linear
    const factors = this.#factors
    for (let i = 0; i < linear.length; i += 2) {
      values[linear[i]!] = factors[i]! * symbols[linear[i + 1]!]! + factors[i + 1]!
    }
    for (let i = 0; i < this.#others.length; i++) {
      const { place, compute } = this.#others[i]!
      values[place] = compute(symbols)
    }
  }
}

const readerOf =
  (symbol: number): SizeFunction =>
  symbols =>
    symbols[symbol]!

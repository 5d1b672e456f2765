/**
 * What an op had to know of run-time sizes while a call was traced, answered for that call: whether a size that is computed
 * from others is 1, which of two is larger, whether they are equal, whether one is a multiple of a number. The answer holds for more than the call's sizes: a
 * range of a size, or a size as computed from another. The call is then traced again, and guards check what was assumed.
 */
import type { Interval } from '../../scalar/lattice.js'
import {
  addSizes,
  commonDivisor,
  exactQuotient,
  greatestCommon,
  mulSizes,
  productsOf,
  rangeOf,
  type Size,
  type SymbolicShapeError,
  sameSize,
  sizeSymbol,
  solveForSymbol,
  substituteSize,
  symbolsOf,
} from '../../scalar/size.js'
import { symbolMin } from '../guards/guards.js'
import type { KnownSizes, SymbolTable } from '../guards/layout.js'

/** What a symbol stands for: a size of the call, or the part of it that is multiplied with `divisor`, besides `rest`. */
type Behind = ReturnType<SymbolTable['sizeBehind']>

/** A size of the call that is computed from others: an expression of symbols that stand for sizes of the call. */
interface Equal {
  readonly size: Size
  readonly own: Behind
  readonly others: ReadonlyMap<string, Behind>
}

/** Sizes are told apart by what is left of them in a division by no more than this. */
const maxDivisor = 4096

/** Of one call; sizes are named by their value, as dims of equal size share a symbol. */
export class SizeAnswers implements KnownSizes {
  readonly facts: Size[] = []
  readonly numbers = new Map<string, Size>()
  readonly #ranges = new Map<number, Interval>()
  readonly #equal = new Map<number, Equal>()
  readonly #divisors = new Map<number, number>()

  rangeOf(value: number): Interval | undefined {
    return this.#ranges.get(value)
  }

  equalTo(value: number, sizeOf: (value: number) => Size | null): Size | null {
    const equal = this.#equal.get(value)
    if (equal === undefined) return null
    const known = new Map<string, Size>()
    for (const [name, { value: other, divisor, rest }] of equal.others) {
      const size = sizeOf(other)
      const part = size === null ? null : exactQuotient(addSizes(size, -rest), divisor)
      if (part === null) return null
      known.set(name, part)
    }
    const { divisor, rest } = equal.own
    return addSizes(
      mulSizes(
        substituteSize(equal.size, name => known.get(name) ?? null),
        divisor,
      ),
      rest,
    )
  }

  divisorOf(value: number): number {
    return this.#divisors.get(value) ?? 1
  }

  /** Answers whether `size` is a multiple of `by`, by the rests of its symbols. False: it is not, or nothing can be answered. */
  answerMultiple({ size, by }: NonNullable<SymbolicShapeError['multiple']>, table: SymbolTable): boolean {
    const names = [...symbolsOf(size)]
    if (!names.every(name => this.#isSize(name, table)) || table.evaluate(size) % by !== 0) return false
    const [product, ...more] = productsOf(size).values()
    const isProduct = product !== undefined && more.length === 0 && commonDivisor(size) === 1
    if (!isProduct) return this.#divide(names, by * commonDivisor(size), table)
    // As few symbols as will do, the last ones first: these are rather the features than the batch.
    let need = by / greatestCommon(by, product.times)
    const order = names.reverse()
    const alone = order.find(name => table.values.get(name)! % need === 0)
    for (const name of alone === undefined ? order : [alone]) {
      const part = greatestCommon(need, table.values.get(name)!)
      if (part > 1 && !this.#divide([name], part, table)) return false
      need /= part
    }
    return need === 1 ? true : this.#divide(names, need, table)
  }

  /** Symbols become multiples of `by`, but for the rests that they have in the example. */
  #divide(names: readonly string[], by: number, table: SymbolTable): boolean {
    const behind = names.map(name => table.sizeBehind(name))
    if (by === 1 || behind.some(({ divisor }) => divisor * by > maxDivisor)) return false
    for (const { value, divisor } of behind) this.#divisors.set(value, divisor * by)
    return true
  }

  /** Answers whether `size` is negative, 0 or positive by the table's example. False: nothing can be answered. */
  answer(size: Size, table: SymbolTable): boolean {
    const names = [...symbolsOf(size)]
    const areSizes = names.every(name => this.#isSize(name, table))
    if (names.length === 0 || !names.every(name => this.#isSize(name, table) || this.#isNumber(name, table)))
      return false
    const value = table.evaluate(size)
    if (areSizes && value === 0 && this.#equate(size, names, table)) return true
    const [name, ...others] = names
    if (areSizes && value !== 0 && others.length === 0 && this.#narrow(size, name!, table)) return true
    if (value !== 0 ? this.#assume(signFacts(size, value), table) : !areSizes && this.#equateNumber(size, names, table))
      return true
    if (!areSizes) return false
    // Halves that meet are equal where there is no rest.
    if (value === 0 && this.#divide(names, commonDivisor(size), table)) return true
    for (const each of names) this.#fix(table.sizeBehind(each).value)
    return true
  }

  /** Answers what boxed numbers in `sizes` are by assuming that they are neither 0 nor 1. False: that does not help. */
  answerNumbers(sizes: readonly Size[], table: SymbolTable): boolean {
    const names = new Set(sizes.flatMap(size => [...symbolsOf(size)]))
    const large = [...names].filter(name => this.#isNumber(name, table) && table.values.get(name)! >= symbolMin)
    return large.map(name => this.#assume([addSizes(table.symbol(name), -symbolMin)], table)).includes(true)
  }

  /** Size 0: it is assumed that it is not negative, and where that does not do, that a boxed number is what makes it 0. */
  #equateNumber(size: Size, names: readonly string[], table: SymbolTable): boolean {
    if (this.#assume([size], table)) return true
    const last = names.filter(name => this.#isNumber(name, table)).at(-1)
    const solved = last === undefined ? null : solveForSymbol(size, last)
    if (last === undefined || solved === null || this.numbers.has(last)) return false
    this.numbers.set(last, solved)
    return true
  }

  /** Adds the first fact that is new; false when none is. */
  #assume(facts: readonly Size[], table: SymbolTable): boolean {
    const isKnown = (fact: Size): boolean => rangeOf(fact).min >= 0 || table.facts.some(known => sameSize(known, fact))
    const fact = facts.find(candidate => !isKnown(candidate))
    if (fact !== undefined) this.facts.push(fact)
    return fact !== undefined
  }

  #isNumber(name: string, table: SymbolTable): boolean {
    const symbol = table.symbols.find(candidate => candidate.name === name)
    return symbol?.kind === 'value'
  }

  #isSize(name: string, table: SymbolTable): boolean {
    return table.symbols.find(symbol => symbol.name === name)?.kind === 'size'
  }

  #fix(value: number): void {
    this.#ranges.set(value, { min: value, max: value })
  }

  /** Makes the symbol that came last a function of the others. */
  #equate(size: Size, names: readonly string[], table: SymbolTable): boolean {
    if (names.length < 2) return false
    const order = table.symbols.map(({ name }) => name).filter(name => names.includes(name))
    const last = order.at(-1)!
    const solved = solveForSymbol(size, last)
    const own = table.sizeBehind(last)
    // A size with bounds of its own (a bucket's, or an earlier answer's) keeps them: there is no check of a computed one.
    if (solved === null || this.#isBounded(last, own, table)) return false
    this.#equal.set(own.value, {
      size: solved,
      own,
      others: new Map([...symbolsOf(solved)].map(name => [name, table.sizeBehind(name)])),
    })
    return true
  }

  /** Bounds the one symbol to the sizes around the example's at which `size` has the sign that it has there. */
  #narrow(size: Size, name: string, table: SymbolTable): boolean {
    const at = table.values.get(name)!
    const { min, max } = table.rangeOf(name)
    const isDecided = (low: number, high: number): boolean => {
      const range = rangeOf(substituteSize(size, other => (other === name ? sizeSymbol(name, low, high) : null)))
      return range.min > 0 || range.max < 0
    }
    if (!isDecided(at, at)) return false
    const low = furthest(at, min, bound => isDecided(bound, at))
    const high = furthest(at, max, bound => isDecided(low, bound))
    const { value, divisor, rest } = table.sizeBehind(name)
    const end = (bound: number): number => Math.min(bound * divisor + rest, Number.MAX_SAFE_INTEGER)
    this.#ranges.set(value, { min: end(low), max: end(high) })
    return true
  }

  /** The sizes that share the graph are fewer than the symbol's kind allows. */
  #isBounded(name: string, { value, divisor }: Behind, table: SymbolTable): boolean {
    if (divisor > 1) return this.#ranges.has(value) || table.bucketOf !== null
    return table.symbols.find(symbol => symbol.name === name)!.bucket !== undefined
  }
}

/** What says that `size` has the sign of `value`: what is asked for most (whether it is negative) first. */
function signFacts(size: Size, value: number): readonly Size[] {
  const half = exactQuotient(addSizes(size, -1), 2)
  // An odd number is positive where its half, rounded down, is not negative.
  if (half !== null) return [value < 0 ? addSizes(mulSizes(half, -1), -1) : half]
  return value < 0 ? [addSizes(mulSizes(size, -1), -1)] : [size, addSizes(size, -1)]
}

/** The bound between `from`, of which `holds` is true, and `to` that is furthest from `from` and of which it still is. */
function furthest(from: number, to: number, holds: (bound: number) => boolean): number {
  if (holds(to)) return to
  let [good, bad] = [from, to]
  while (Math.abs(bad - good) > 1) {
    const middle = Math.floor(good + (bad - good) / 2)
    if (holds(middle)) good = middle
    else bad = middle
  }
  return good
}

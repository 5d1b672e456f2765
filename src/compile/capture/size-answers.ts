/**
 * Answers to what ops must know about run-time sizes while a call is traced: is a computed size 1, which of two is larger,
 * are they equal, is one a multiple of a number. The call's sizes decide, but the answer is stored in a form that holds for
 * more sizes: a range, a divisor, or one size as a formula of others. The call is then traced again, and guards check what
 * was assumed.
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

/** The size of the call behind a symbol: `value` = symbol · `divisor` + `rest`. */
type Behind = ReturnType<SymbolTable['sizeBehind']>

/** A size of the call, `target`, as a formula of `others`; `size`: the formula in symbols that stand for these. */
interface Equal {
  readonly size: Size
  readonly target: Behind
  readonly others: ReadonlyMap<string, Behind>
}

/** Largest divisor for which a version assumes a remainder of a size. */
const maxDivisor = 4096

/** The answers for one call. Sizes are identified by their value, since dims of equal size share a symbol. */
export class SizeAnswers implements KnownSizes {
  readonly facts: Size[] = []
  readonly numbers = new Map<string, Size>()
  readonly #ranges = new Map<number, Interval>()
  readonly #equal = new Map<number, Equal>()
  readonly #divisors = new Map<number, number>()

  rangeOf(value: number): Interval | undefined {
    return this.#ranges.get(value)
  }

  /** A number as an expression in sizes, by an equality that was assumed; null: none is known. */
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
    const { divisor, rest } = equal.target
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

  /** Answers that `size` is a multiple of `by`, by fixing remainders of its symbols. False: it is not, or no answer is possible. */
  answerMultiple({ size, by }: NonNullable<SymbolicShapeError['multiple']>, table: SymbolTable): boolean {
    const names = [...symbolsOf(size)]
    if (!names.every(name => this.#isSize(name, table)) || table.evaluate(size) % by !== 0) return false
    const [product, ...more] = productsOf(size).values()
    const isProduct = product !== undefined && more.length === 0 && commonDivisor(size) === 1
    if (!isProduct) return this.#divide(names, by * commonDivisor(size), table)
    // Constrain as few symbols as possible, the last first: those are more likely features than the batch.
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

  /** Fixes the remainders of the symbols modulo `by` to those of the example. */
  #divide(names: readonly string[], by: number, table: SymbolTable): boolean {
    const behind = names.map(name => table.sizeBehind(name))
    if (by === 1 || behind.some(({ divisor }) => divisor * by > maxDivisor)) return false
    for (const { value, divisor } of behind) this.#divisors.set(value, divisor * by)
    return true
  }

  /** Answers whether `size` is negative, 0 or positive, as in the table's example. False: no answer is possible. */
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
    // With fixed remainders floor divisions become exact, and may then be provably equal.
    if (value === 0 && this.#divide(names, commonDivisor(size), table)) return true
    if (others.length === 0 && this.#narrow(size, name!, table)) return true
    for (const each of names) this.#fix(table.sizeBehind(each).value)
    return true
  }

  /** Assumes that boxed numbers in `sizes` are neither 0 nor 1. False: that was assumed already, or does not hold. */
  answerNumbers(sizes: readonly Size[], table: SymbolTable): boolean {
    const names = new Set(sizes.flatMap(size => [...symbolsOf(size)]))
    const large = [...names].filter(name => this.#isNumber(name, table) && table.values.get(name)! >= symbolMin)
    return large.map(name => this.#assume([addSizes(table.symbol(name), -symbolMin)], table)).includes(true)
  }

  /** For size 0: assumes that it is not negative; if that is known already, that a boxed number has the value that makes it 0. */
  #equateNumber(size: Size, names: readonly string[], table: SymbolTable): boolean {
    if (this.#assume([size], table)) return true
    const last = names.filter(name => this.#isNumber(name, table)).at(-1)
    const solved = last === undefined ? null : solveForSymbol(size, last)
    if (last === undefined || solved === null || this.numbers.has(last)) return false
    this.numbers.set(last, solved)
    return true
  }

  /** Adds the first fact that is not known yet; false when all are. */
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

  /** Makes the last symbol a function of the others. */
  #equate(size: Size, names: readonly string[], table: SymbolTable): boolean {
    if (names.length < 2) return false
    const order = table.symbols.map(({ name }) => name).filter(name => names.includes(name))
    const last = order.at(-1)!
    const solved = solveForSymbol(size, last)
    const target = table.sizeBehind(last)
    // A size with bounds (a bucket's, or an earlier answer's) stays a symbol: bounds of a computed size are not checked.
    if (solved === null || this.#isBounded(last, target, table)) return false
    this.#equal.set(target.value, {
      size: solved,
      target,
      others: new Map([...symbolsOf(solved)].map(name => [name, table.sizeBehind(name)])),
    })
    return true
  }

  /** Bounds the only symbol to the range around the example in which `size` keeps its sign, or stays 0. */
  #narrow(size: Size, name: string, table: SymbolTable): boolean {
    const at = table.values.get(name)!
    const { min, max } = table.rangeOf(name)
    const isDecided = (low: number, high: number): boolean => {
      const range = rangeOf(substituteSize(size, other => (other === name ? sizeSymbol(name, low, high) : null)))
      return range.min > 0 || range.max < 0 || (range.min === 0 && range.max === 0)
    }
    if (!isDecided(at, at)) return false
    const low = furthest(at, min, bound => isDecided(bound, at))
    const high = furthest(at, max, bound => isDecided(low, bound))
    const { value, divisor, rest } = table.sizeBehind(name)
    const end = (bound: number): number => Math.min(bound * divisor + rest, Number.MAX_SAFE_INTEGER)
    this.#ranges.set(value, { min: end(low), max: end(high) })
    return true
  }

  /** Whether the symbol's range is already narrower than its kind allows. */
  #isBounded(name: string, { value, divisor }: Behind, table: SymbolTable): boolean {
    if (divisor > 1) return this.#ranges.has(value) || table.bucketOf !== null
    return table.symbols.find(symbol => symbol.name === name)!.bucket !== undefined
  }
}

/** Facts (sizes ≥ 0) that imply that `size` has the sign of `value`; the most common question (is it negative?) first. */
function signFacts(size: Size, value: number): readonly Size[] {
  const half = exactQuotient(addSizes(size, -1), 2)
  // 2·h + 1 is positive exactly if h is not negative.
  if (half !== null) return [value < 0 ? addSizes(mulSizes(half, -1), -1) : half]
  return value < 0 ? [addSizes(mulSizes(size, -1), -1)] : [size, addSizes(size, -1)]
}

/** Binary search: the bound furthest from `from` towards `to` at which `holds` is still true; it is true at `from`. */
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

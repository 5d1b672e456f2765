/**
 * Turns the concrete shape and strides of an input into sizes of a graph: numbers where the entry is specialised,
 * symbols where it is dynamic. Dims of equal size share a symbol, so that shapes known to agree in the captured call agree
 * in all; strides of dense tensors (contiguous in any order of dims) become products of sizes and need no symbols.
 */
import type { SizeSymbol } from '../../graph/ir.js'
import { surelyDiffer, surelyEqual } from '../../graph/sizes.js'
import type { Interval } from '../../scalar/lattice.js'
import {
  addSizes,
  evaluateSize,
  mulSizes,
  rangeOf,
  rangeWhere,
  type Size,
  type SizeExpr,
  sizeSymbol,
  substituteSize,
  symbolsOf,
} from '../../scalar/size.js'
import { type SizeCondition, symbolMin } from './guards.js'

export interface ConcreteLayout {
  readonly shape: readonly number[]
  readonly strides: readonly number[]
}

export interface SymbolicLayout {
  readonly shape: readonly Size[]
  readonly strides: readonly Size[]
}

const isFixed = (range: Interval | undefined): boolean => range !== undefined && range.min === range.max

/** The range of sizes, inclusive, that share a version with `size`. */
export type BucketOf = (size: number) => Interval

/** What earlier traces of a call had to know about its sizes; sizes are identified by their value. */
export interface KnownSizes {
  /** Sizes that are at least 0; symbols are named as in the earlier trace. */
  readonly facts: readonly Size[]
  /** Boxed numbers, by symbol, that are formulas of sizes; symbols are named as in the earlier trace. */
  readonly numbers: ReadonlyMap<string, Size>
  /** The range of sizes that share the graph of size `value`; undefined: unrestricted. */
  rangeOf(value: number): Interval | undefined
  /** Size `value` as a formula of other sizes; null: it is independent. `sizeOf`: the symbolic size of another value. */
  equalTo(value: number, sizeOf: (value: number) => Size | null): Size | null
  /** A divisor: all sizes that share the graph of size `value` have the same remainder; 1: unrestricted. */
  divisorOf(value: number): number
}

/** Creates the symbols of one graph. */
export class SymbolTable {
  readonly symbols: SizeSymbol[] = []
  /** The symbols' values in the captured call, the example, by name. */
  readonly values = new Map<string, number>()
  /** What the example decided: the graph is for calls for which it holds too. */
  readonly conditions: SizeCondition[] = []
  /**
   * Sizes that are at least 0 in this call, and in every other that the graph is for. Symbols use them only while the graph
   * is recorded, because what is compiled must depend on nothing but the graph's text.
   */
  readonly facts: Size[] = []
  readonly #known: Size[] = []
  readonly #made = new Map<string, SizeExpr>()
  readonly #sizes = new Map<number, Size>()

  /**
   * @param bucketOf null: a graph is for all sizes
   * @param answers what earlier traces of this call had to know about its sizes
   */
  constructor(
    readonly bucketOf: BucketOf | null = null,
    readonly answers: KnownSizes | null = null,
  ) {}

  /** Ends the recording. */
  close(): void {
    this.#known.length = 0
  }

  /** The size of all dynamic dims with this value: a symbol, or a formula or number that the answers require. */
  size(value: number, input: number, dim: number): Size {
    const known = this.#sizes.get(value)
    if (known !== undefined) return known
    const equal = this.answers?.equalTo(value, other => this.#sizes.get(other) ?? null) ?? null
    const bucket = this.answers?.rangeOf(value) ?? this.bucketOf?.(value)
    const made = isFixed(bucket) ? value : (equal ?? this.#divided(value, bucket, { input, kind: 'size', dim }))
    this.#sizes.set(value, made)
    return made
  }

  /** The size of a dim as symbol · divisor + remainder. */
  #divided(value: number, range: Interval | undefined, source: Pick<SizeSymbol, 'input' | 'kind' | 'dim'>): Size {
    const divisor = this.answers?.divisorOf(value) ?? 1
    if (divisor === 1) return this.#make(value, { ...source, ...(range === undefined ? {} : { bucket: range }) })
    const rest = value % divisor
    const { min, max } = range ?? { min: 0, max: Number.MAX_SAFE_INTEGER }
    const bucket = {
      min: Math.max(symbolMin, Math.ceil((min - rest) / divisor)),
      max: Math.floor((max - rest) / divisor),
    }
    const quotient = (value - rest) / divisor
    if (quotient < bucket.min || isFixed(bucket)) return value
    const made = this.#make(quotient, { ...source, bucket, unit: { divisor, rest } })
    return addSizes(mulSizes(made, divisor), rest)
  }

  /** The size of the dim behind a symbol: in the example `value` = symbol · `divisor` + `rest`. */
  sizeBehind(name: string): { readonly value: number; readonly divisor: number; readonly rest: number } {
    const { divisor, rest } = this.symbols.find(symbol => symbol.name === name)?.unit ?? { divisor: 1, rest: 0 }
    return { value: this.values.get(name)! * divisor + rest, divisor, rest }
  }

  /** Whether two sizes or strides are equal: provably, or in the example, which then becomes a condition of the graph. */
  decideEqual(a: Size, b: Size): boolean {
    if (surelyEqual(a, b)) return true
    if (surelyDiffer(a, b)) return false
    const equal = this.evaluate(a) === this.evaluate(b)
    const known = this.conditions.some(other => String(other.a) === String(a) && String(other.b) === String(b))
    if (!known) this.conditions.push({ a, b, equal })
    return equal
  }

  /** The value in the example. */
  evaluate(size: Size): number {
    return evaluateSize(size, this.values)
  }

  stride(value: number, input: number, dim: number): Size {
    return this.#make(value, { input, kind: 'stride', dim })
  }

  /** The size that scalar input `input` is: `value` in the example, always within `range` (absent: at least 0). */
  value(input: number, value = Number.NaN, range?: Interval): Size {
    const made = this.#make(value, { input, kind: 'value', dim: 0, ...(range === undefined ? {} : { bucket: range }) })
    const equal = this.answers?.numbers.get(String(made))
    const formula = equal === undefined ? null : this.#translated(equal)
    if (formula === null || this.evaluate(formula) !== value) return made
    this.conditions.push({ a: made, b: formula, equal: true })
    return formula
  }

  symbol(name: string): Size {
    return this.#made.get(name)!
  }

  /** The range of a symbol. */
  rangeOf(name: string): Interval {
    const symbol = this.symbols.find(candidate => candidate.name === name)
    return symbol?.bucket ?? { min: symbolMin, max: Number.MAX_SAFE_INTEGER }
  }

  #make(value: number, source: Omit<SizeSymbol, 'name'>): Size {
    const name = `${{ size: 's', stride: 't', value: 'n' }[source.kind]}${this.symbols.length}`
    const bucket = source.kind === 'value' ? this.#boundsOf(name, value, source.bucket) : source.bucket
    this.symbols.push({ name, ...source, ...(bucket === undefined ? {} : { bucket }) })
    this.values.set(name, value)
    const { min, max } = bucket ?? { min: source.kind === 'size' ? symbolMin : 0 }
    const made = sizeSymbol(name, min, max, this.#known)
    this.#made.set(name, made)
    for (const fact of this.answers?.facts ?? []) if (symbolsOf(fact).has(name)) this.#adopt(fact)
    return made
  }

  /**
   * The range of a number, narrowed by the facts about it alone (a position within a cache). The range is part of the graph,
   * since block sizes are chosen by it.
   */
  #boundsOf(name: string, value: number, range: Interval | undefined): Interval | undefined {
    let bounds = range
    for (const fact of this.answers?.facts ?? []) {
      const { min, max } = bounds ?? { min: 0, max: Number.MAX_SAFE_INTEGER }
      const fromFact = rangeWhere(fact, name)
      if (fromFact === null || value < fromFact.min || value > fromFact.max) continue
      bounds = { min: Math.max(min, fromFact.min), max: Math.min(max, fromFact.max) }
    }
    return bounds
  }

  /** Adds an earlier trace's fact. If the traces diverged, names may differ, so facts that do not hold here are dropped. */
  #adopt(fact: Size): void {
    const translated = this.#translated(fact)
    if (translated === null || !(this.evaluate(translated) >= 0) || rangeOf(translated).min >= 0) return
    this.facts.push(translated)
    this.#known.push(translated)
  }

  /** A size of an earlier trace in this trace's symbols; null while some do not exist yet. */
  #translated(size: Size): Size | null {
    if (![...symbolsOf(size)].every(name => this.#made.has(name))) return null
    return substituteSize(size, name => this.#made.get(name) ?? null)
  }
}

/** The layout of input number `input`, with the dims that `isDynamic` names as symbols. */
export function symbolicLayout(
  { shape, strides }: ConcreteLayout,
  input: number,
  table: SymbolTable,
  isDynamic: (dim: number) => boolean,
): SymbolicLayout {
  const symbolic = symbolicShape(shape, input, table, isDynamic)
  if (shape.includes(0) || symbolic.every(size => typeof size === 'number'))
    return { shape: symbolic, strides: normalStrides(shape, strides) }
  const strideSymbol = (stride: number, dim: number): Size => table.stride(stride, input, dim)
  return { shape: symbolic, strides: relatedStrides({ shape, strides }, symbolic, strideSymbol) }
}

/** The shape of `symbolicLayout`. */
export const symbolicShape = (
  shape: readonly number[],
  input: number,
  table: SymbolTable,
  isDynamic: (dim: number) => boolean,
): readonly Size[] =>
  shape.map((size, dim) => (size >= symbolMin && isDynamic(dim) ? table.size(size, input, dim) : size))

/**
 * Normalises strides that address nothing: 0 for dims of size 1; 1 for all dims of an empty tensor, because a stride of 0
 * would make kernels treat a dim as one broadcast element.
 */
export function normalStrides(shape: readonly number[], strides: readonly number[]): number[] {
  if (shape.includes(0)) return strides.map(() => 1)
  return strides.map((stride, dim) => (shape[dim] === 1 ? 0 : stride))
}

/** How a dim's stride follows: 0 or 1, size · stride of dim `after`, or 'own': a separate symbol. */
export type StrideForm = 0 | 1 | 'own' | { readonly after: number }

/** The form of each dim's stride. Tensors of equal forms (and dims) have the same symbolic strides. */
export function strideForms(shape: readonly number[], strides: readonly number[]): readonly StrideForm[] {
  const forms: StrideForm[] = shape.map(() => 0)
  const order = [...shape.keys()]
    .filter(dim => shape[dim] !== 1 && strides[dim] !== 0)
    .sort((a, b) => strides[a]! - strides[b]! || b - a)
  for (const [i, dim] of order.entries()) {
    const before = order[i - 1]
    const follows = before !== undefined && strides[dim] === shape[before]! * strides[before]!
    forms[dim] = follows ? { after: before } : strides[dim] === 1 ? 1 : 'own'
  }
  return forms
}

/** Strides as products of sizes and other strides where possible, else symbols that `strideSymbol` makes. */
function relatedStrides(
  { shape, strides }: ConcreteLayout,
  symbolic: readonly Size[],
  strideSymbol: (stride: number, dim: number) => Size,
): readonly Size[] {
  const forms = strideForms(shape, strides)
  const known = new Map<number, Size>()
  const strideOf = (dim: number): Size => {
    const made = known.get(dim) ?? makeStride(forms[dim]!, dim)
    known.set(dim, made)
    return made
  }
  const makeStride = (form: StrideForm, dim: number): Size => {
    if (form === 'own') return strideSymbol(strides[dim]!, dim)
    return typeof form === 'number' ? form : mulSizes(symbolic[form.after]!, strideOf(form.after))
  }
  return shape.map((_, dim) => strideOf(dim))
}

/**
 * Turns the concrete shape and strides of an input into sizes of a graph: numbers where the entry is specialised,
 * symbols where it is dynamic. Dims of equal size share a symbol, so that shapes that agree today are known to agree;
 * strides of packed tensors (contiguous in any order of dims) become products of sizes and need no symbols of their own.
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

/** The sizes that are compiled for together with `size`: from `min` to `max`, both included. */
export type BucketOf = (size: number) => Interval

/** What earlier traces of a call had to know of its sizes; sizes are named by their value. */
export interface KnownSizes {
  /** Sizes that are at least 0, of symbols named as in the trace that asked. */
  readonly facts: readonly Size[]
  /** Boxed numbers that are computed from sizes, named as in the trace that asked. */
  readonly numbers: ReadonlyMap<string, Size>
  /** The sizes that share the graph of size `value`; undefined: nothing was asked of it. */
  rangeOf(value: number): Interval | undefined
  /** Size `value` as computed from others; null: it is one of its own. `sizeOf` gives the size of another value. */
  equalTo(value: number, sizeOf: (value: number) => Size | null): Size | null
  /** What size `value`, and those that share its graph, leave the same rest of when they are divided by it. */
  divisorOf(value: number): number
}

/** Hands out the symbols of one graph. */
export class SymbolTable {
  readonly symbols: SizeSymbol[] = []
  /** The values of this capture's example, by symbol name. */
  readonly values = new Map<string, number>()
  /** What was decided by the example: the graph is for calls of which it holds too. */
  readonly conditions: SizeCondition[] = []
  /**
   * Sizes that are at least 0 in this call, and in every other that the graph is for. The symbols know of them while the
   * graph is recorded, and not after: what is made of the graph depends on no more than its text.
   */
  readonly facts: Size[] = []
  readonly #known: Size[] = []
  readonly #made = new Map<string, SizeExpr>()
  readonly #sizes = new Map<number, Size>()

  /**
   * @param bucketOf null where a graph is for all sizes
   * @param answers what earlier traces of this call had to know of its sizes
   */
  constructor(
    readonly bucketOf: BucketOf | null = null,
    readonly answers: KnownSizes | null = null,
  ) {}

  /** Ends the recording. */
  close(): void {
    this.#known.length = 0
  }

  /** The size of all dynamic dims of this size: a symbol, or what the answers say. */
  size(value: number, input: number, dim: number): Size {
    const known = this.#sizes.get(value)
    if (known !== undefined) return known
    const equal = this.answers?.equalTo(value, other => this.#sizes.get(other) ?? null) ?? null
    const bucket = this.answers?.rangeOf(value) ?? this.bucketOf?.(value)
    const made = isFixed(bucket) ? value : (equal ?? this.#divided(value, bucket, { input, kind: 'size', dim }))
    this.#sizes.set(value, made)
    return made
  }

  /** The size of a dim as a symbol, times what it is known to be a multiple of, and the rest. */
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

  /** In the example, the size of the dim that a symbol stands for, or is a part of. */
  sizeBehind(name: string): { readonly value: number; readonly divisor: number; readonly rest: number } {
    const { divisor, rest } = this.symbols.find(symbol => symbol.name === name)?.unit ?? { divisor: 1, rest: 0 }
    return { value: this.values.get(name)! * divisor + rest, divisor, rest }
  }

  /** Whether two sizes or strides are equal: for all calls, or as in the example and then a condition of the graph. */
  decideEqual(a: Size, b: Size): boolean {
    if (surelyEqual(a, b)) return true
    if (surelyDiffer(a, b)) return false
    const equal = this.evaluate(a) === this.evaluate(b)
    const known = this.conditions.some(other => String(other.a) === String(a) && String(other.b) === String(b))
    if (!known) this.conditions.push({ a, b, equal })
    return equal
  }

  /** In the example. */
  evaluate(size: Size): number {
    return evaluateSize(size, this.values)
  }

  stride(value: number, input: number, dim: number): Size {
    return this.#make(value, { input, kind: 'stride', dim })
  }

  /** The size given by scalar input `input`: in this call `value`, always within `range` (absent: at least 0). */
  value(input: number, value = Number.NaN, range?: Interval): Size {
    const made = this.#make(value, { input, kind: 'value', dim: 0, ...(range === undefined ? {} : { bucket: range }) })
    const equal = this.answers?.numbers.get(String(made))
    const own = equal === undefined ? null : this.#ownOf(equal)
    if (own === null || this.evaluate(own) !== value) return made
    this.conditions.push({ a: made, b: own, equal: true })
    return own
  }

  symbol(name: string): Size {
    return this.#made.get(name)!
  }

  /** What the size that a symbol stands for can be. */
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
   * The range of a number, narrowed by the facts that are about it alone (a position within a cache): these are part of the
   * graph, whose blocks are chosen by them.
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

  /** An earlier trace's symbols are named as this one's, if it went the same way; what does not hold here is left out. */
  #adopt(fact: Size): void {
    const own = this.#ownOf(fact)
    if (own === null || !(this.evaluate(own) >= 0) || rangeOf(own).min >= 0) return
    this.facts.push(own)
    this.#known.push(own)
  }

  /** A size of an earlier trace in this one's symbols; null where they are not all there yet. */
  #ownOf(size: Size): Size | null {
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
  const symbolic = shape.map((size, dim) => (size >= symbolMin && isDynamic(dim) ? table.size(size, input, dim) : size))
  if (shape.includes(0) || symbolic.every(size => typeof size === 'number'))
    return { shape: symbolic, strides: normalStrides(shape, strides) }
  const own = (stride: number, dim: number): Size => table.stride(stride, input, dim)
  return { shape: symbolic, strides: relatedStrides({ shape, strides }, symbolic, own) }
}

/**
 * Strides with those that address nothing made equal: 0 for dims of size 1; 1 for an empty tensor, so that every dim stays
 * a dim of the kernels' views and no kernel takes it for one element that is broadcast.
 */
export function normalStrides(shape: readonly number[], strides: readonly number[]): number[] {
  if (shape.includes(0)) return strides.map(() => 1)
  return strides.map((stride, dim) => (shape[dim] === 1 ? 0 : stride))
}

/** How a dim's stride is known: 0 or 1, as the size times the stride of dim `after`, or of its own. */
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

/** Strides as products of sizes and other strides where they follow so, else what `own` gives. */
function relatedStrides(
  { shape, strides }: ConcreteLayout,
  symbolic: readonly Size[],
  own: (stride: number, dim: number) => Size,
): readonly Size[] {
  const forms = strideForms(shape, strides)
  const known = new Map<number, Size>()
  const strideOf = (dim: number): Size => {
    const made = known.get(dim) ?? makeStride(forms[dim]!, dim)
    known.set(dim, made)
    return made
  }
  const makeStride = (form: StrideForm, dim: number): Size => {
    if (form === 'own') return own(strides[dim]!, dim)
    return typeof form === 'number' ? form : mulSizes(symbolic[form.after]!, strideOf(form.after))
  }
  return shape.map((_, dim) => strideOf(dim))
}

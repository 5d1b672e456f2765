/**
 * Symbolic sizes. A size is a number or an integer polynomial over atoms; an atom is a symbol (a run-time size) or an
 * opaque floorDiv/mod/min/max of sizes. Polynomials are kept in canonical form, so equal sizes have equal texts.
 */
import { InternalError, ShapeError } from '../base/errors.js'
import {
  divisorOf,
  exactly,
  gcd,
  type Interval,
  intervalOf,
  mulDivisors,
  mulIntervals,
  powerOfTwoIn,
} from './lattice.js'

export type Size = number | SizeExpr

type Atom =
  | {
      readonly kind: 'symbol'
      readonly name: string
      readonly min: number
      readonly max: number
      /** Sizes over this and other symbols that are known to be at least 0, in addition to the bounds. */
      readonly facts: readonly Size[]
    }
  | { readonly kind: 'floorDiv' | 'mod' | 'min' | 'max'; readonly a: Size; readonly b: Size }

/** A monomial: a coefficient and the texts of its atoms in order, repeated for powers. */
interface Term {
  readonly coefficient: number
  readonly atoms: readonly string[]
}

export class SizeExpr {
  /** Equal for equal polynomials. */
  readonly canonicalText: string

  constructor(
    readonly terms: readonly Term[],
    readonly atoms: ReadonlyMap<string, Atom>,
  ) {
    this.canonicalText = terms.map(printTerm).join('+').replaceAll('+-', '-')
  }

  toString(): string {
    return this.canonicalText
  }

  /** As a string, the formula. As a number the size is unknown: throws SymbolicShapeError, so that capture specialises it. */
  [Symbol.toPrimitive](hint: string): string {
    if (hint === 'string') return this.canonicalText
    throw new SymbolicShapeError(`the size ${this.canonicalText} must be known here`, [this])
  }
}

/**
 * Thrown when an op depends on an unknown property of run-time sizes. Capture may then specialise the symbols in `sizes` to
 * the values of the call and trace again.
 */
export class SymbolicShapeError extends ShapeError {
  /**
   * @param sizes the sizes that must be known
   * @param signOf the op only needs to know whether this is negative, 0 or positive; null: it needs more
   * @param multiple the op only needs to know whether `size` is a multiple of `by`; null: it needs more
   */
  constructor(
    what: string,
    readonly sizes: readonly Size[],
    readonly signOf: Size | null = null,
    readonly multiple: { readonly size: Size; readonly by: number } | null = null,
  ) {
    super(what, { fix: 'let both come from one size, or compile this function with { dynamic: false }' })
  }
}

function printTerm({ coefficient, atoms }: Term): string {
  if (atoms.length === 0) return String(coefficient)
  const product = atoms.join('*')
  return coefficient === 1 ? product : coefficient === -1 ? `-${product}` : `${coefficient}*${product}`
}

function atomText(atom: Atom): string {
  return atom.kind === 'symbol' ? atom.name : `${atom.kind}(${atom.a},${atom.b})`
}

function fromAtom(atom: Atom): SizeExpr {
  const text = atomText(atom)
  return new SizeExpr([{ coefficient: 1, atoms: [text] }], new Map([[text, atom]]))
}

/** A run-time size called `name` in `[min, max]`; `facts` are sizes over it that are known to be at least 0. */
export function sizeSymbol(
  name: string,
  min = 0,
  max = Number.MAX_SAFE_INTEGER,
  facts: readonly Size[] = [],
): SizeExpr {
  return fromAtom({ kind: 'symbol', name, min, max, facts })
}

const termsOf = (size: Size): readonly Term[] =>
  typeof size === 'number' ? [{ coefficient: size, atoms: [] }] : size.terms

/** A size of these terms, equal ones combined; `sources`: the sizes that know the terms' atoms. */
function build(terms: Iterable<Term>, ...sources: Size[]): Size {
  const sums = new Map<string, Term>()
  for (const term of terms) {
    const key = term.atoms.join('*')
    const known = sums.get(key)
    sums.set(key, { coefficient: (known?.coefficient ?? 0) + term.coefficient, atoms: term.atoms })
  }
  const kept = [...sums.entries()]
    .filter(([, term]) => term.coefficient !== 0)
    .sort(([a], [b]) => (a === '' ? 1 : b === '' ? -1 : a < b ? -1 : 1))
  if (kept.length === 0) return 0
  if (kept.length === 1 && kept[0]![0] === '') return kept[0]![1].coefficient
  const atoms = new Map<string, Atom>()
  const used = new Set(kept.flatMap(([, term]) => term.atoms))
  for (const source of sources) {
    if (typeof source === 'number') continue
    for (const [text, atom] of source.atoms) if (used.has(text)) atoms.set(text, atom)
  }
  return new SizeExpr(
    kept.map(([, term]) => term),
    atoms,
  )
}

/** The monomials of a size by their texts (empty for the constant), with their coefficients. */
export const productsOf = (size: Size): ReadonlyMap<string, { readonly times: number; readonly product: Size }> =>
  new Map(
    termsOf(size).map(({ coefficient, atoms }) => {
      const product = typeof size === 'number' ? 1 : build([{ coefficient: 1, atoms }], size)
      return [atoms.join('*'), { times: coefficient, product }]
    }),
  )

export function addSizes(a: Size, b: Size): Size {
  if (typeof a === 'number' && typeof b === 'number') return a + b
  return build([...termsOf(a), ...termsOf(b)], a, b)
}

export function mulSizes(a: Size, b: Size): Size {
  if (typeof a === 'number' && typeof b === 'number') return a * b
  if (a === 1) return b
  if (b === 1) return a
  const terms: Term[] = []
  for (const x of termsOf(a)) {
    for (const y of termsOf(b))
      terms.push({ coefficient: x.coefficient * y.coefficient, atoms: [...x.atoms, ...y.atoms].sort() })
  }
  return build(terms, a, b)
}

export const subSizes = (a: Size, b: Size): Size => addSizes(a, mulSizes(b, -1))

/** A power of two ≤ `limit` that divides `size` if all its symbols are multiples of `symbols` (a power of two). */
export const sizeDivisor = (size: Size, symbols: number, limit: number): number =>
  powerOfTwoIn(divisorIn(size, symbols), limit)

/** A number that divides the size, if all its symbols are multiples of `symbols`. */
function divisorIn(size: Size, symbols: number): number {
  if (typeof size === 'number') return Math.abs(size)
  const ofAtom = (atom: Atom): number =>
    atom.kind === 'symbol'
      ? symbols
      : divisorOf(
          atom.kind,
          [atom.a, atom.b].map(each => ({ range: rangeOf(each), divisor: divisorIn(each, symbols) })),
        )
  const ofTerm = ({ coefficient, atoms }: Term): number =>
    atoms.reduce((product, text) => mulDivisors(product, ofAtom(size.atoms.get(text)!)), Math.abs(coefficient))
  return size.terms.reduce((divisor, term) => gcd(divisor, ofTerm(term)), 0)
}

/** Splits a into b · whole + rest: `whole` takes all terms that b divides; the constant of `rest` is at least 0; b > 0. */
function wholeAndRest(a: SizeExpr, b: number): readonly [whole: Size, rest: Size] {
  const wholes = a.terms.map(({ coefficient, atoms }) => {
    const whole = atoms.length === 0 ? Math.floor(coefficient / b) : coefficient % b === 0 ? coefficient / b : 0
    return { coefficient: whole, atoms }
  })
  const whole = build(wholes, a)
  return [whole, subSizes(a, mulSizes(whole, b))]
}

/** ⌊a / b⌋ for b > 0. Terms that b divides are extracted: ⌊(8·n + 17) / 8⌋ is n + 2. */
export function floorDivSizes(a: Size, b: Size): Size {
  if (typeof a === 'number' && typeof b === 'number') return Math.floor(a / b)
  if (b === 1) return a
  const exact = exactQuotient(a, b)
  if (exact !== null) return exact
  if (typeof a !== 'number' && typeof b === 'number' && b > 1) {
    const [whole, rest] = wholeAndRest(a, b)
    if (whole !== 0) return addSizes(whole, floorDivSizes(rest, b))
  }
  const { min, max } = rangeOf(a)
  if (min >= 0 && max < rangeOf(b).min) return 0
  if (typeof b === 'number' && Math.floor(min / b) === Math.floor(max / b)) return Math.floor(min / b)
  return fromAtom({ kind: 'floorDiv', a, b })
}

/** a mod b, with the sign of b, for b > 0. */
export function modSizes(a: Size, b: Size): Size {
  if (typeof a === 'number' && typeof b === 'number') return a - Math.floor(a / b) * b
  if (b === 1 || exactQuotient(a, b) !== null) return 0
  if (typeof a !== 'number' && typeof b === 'number' && b > 1) {
    const [whole, rest] = wholeAndRest(a, b)
    if (whole !== 0) return modSizes(rest, b)
  }
  const { min, max } = rangeOf(a)
  if (min >= 0 && max < rangeOf(b).min) return a
  return fromAtom({ kind: 'mod', a, b })
}

export const ceilDivSizes = (a: Size, b: Size): Size => floorDivSizes(addSizes(a, addSizes(b, -1)), b)

export function minSizes(a: Size, b: Size): Size {
  if (typeof a === 'number' && typeof b === 'number') return Math.min(a, b)
  if (sameSize(a, b) || rangeOf(a).max <= rangeOf(b).min) return a
  if (rangeOf(b).max <= rangeOf(a).min) return b
  return fromAtom({ kind: 'min', a, b })
}

export function maxSizes(a: Size, b: Size): Size {
  if (typeof a === 'number' && typeof b === 'number') return Math.max(a, b)
  if (sameSize(a, b) || rangeOf(a).min >= rangeOf(b).max) return a
  if (rangeOf(b).min >= rangeOf(a).max) return b
  return fromAtom({ kind: 'max', a, b })
}

export const productOf = (sizes: readonly Size[]): Size => sizes.reduce<Size>(mulSizes, 1)

/** True when both are the same polynomial. False does not mean that they differ at run time. */
export function sameSize(a: Size, b: Size): boolean {
  if (typeof a === 'number' || typeof b === 'number') return a === b
  return a.canonicalText === b.canonicalText
}

export const sameShape = (a: readonly Size[], b: readonly Size[]): boolean =>
  a.length === b.length && a.every((size, d) => sameSize(size, b[d]!))

/** a / b when b divides a as polynomials (b a number or a single product), else null. */
export function exactQuotient(a: Size, b: Size): Size | null {
  if (sameSize(a, b)) return 1
  if (a === 0) return 0
  const [divisor, ...more] = termsOf(b)
  if (divisor === undefined || more.length > 0) return null
  const terms: Term[] = []
  for (const term of termsOf(a)) {
    const rest = [...term.atoms]
    for (const atom of divisor.atoms) {
      const at = rest.indexOf(atom)
      if (at < 0) return null
      rest.splice(at, 1)
    }
    const coefficient = term.coefficient / divisor.coefficient
    if (!Number.isInteger(coefficient)) return null
    terms.push({ coefficient, atoms: rest })
  }
  return build(terms, a)
}

/** Bounds of a size by interval arithmetic on the bounds of its symbols, and from facts about them. */
export const rangeOf = (size: Size): Interval => boundsOf(size, true)

/**
 * `facts`: whether to use facts about the symbols. Facts contain quotients of the same symbols, so they are used one level
 * deep.
 */
function boundsOf(size: Size, facts: boolean): Interval {
  if (typeof size === 'number') return exactly(size)
  let { min, max } = sumOfTerms(size, facts)
  for (const fact of facts ? factsOf(size) : []) {
    // fact ≥ 0, so the size is at least size − fact, and at most size + fact.
    min = Math.max(min, sumOfTerms(subSizes(size, fact), false).min)
    max = Math.min(max, sumOfTerms(addSizes(size, fact), false).max)
  }
  const scale = quotientScale(size)
  if (scale > 1) {
    min = Math.max(min, Math.ceil(sumOfTerms(withoutQuotients(size, scale, 'min'), facts).min / scale))
    max = Math.min(max, Math.floor(sumOfTerms(withoutQuotients(size, scale, 'max'), facts).max / scale))
  }
  return { min, max }
}

/** A term that is a single quotient by a number: ⌊a/b⌋ is between (a − b + 1)/b and a/b. */
const quotientOf = (size: SizeExpr, { atoms }: Term): { readonly a: Size; readonly b: number } | null => {
  const atom = atoms.length === 1 ? size.atoms.get(atoms[0]!)! : null
  return atom?.kind === 'floorDiv' && typeof atom.b === 'number' ? { a: atom.a, b: atom.b } : null
}

/** A common multiple of the divisors of all quotients in a size. */
const quotientScale = (size: SizeExpr): number =>
  size.terms.reduce((scale, term) => {
    const b = quotientOf(size, term)?.b ?? 1
    return scale % b === 0 ? scale : scale * b
  }, 1)

/** `scale` times the size, with each quotient replaced by the fraction that bounds it: n − ⌊n/2⌋ is at least n/2. */
function withoutQuotients(size: SizeExpr, scale: number, end: 'min' | 'max'): Size {
  return size.terms.reduce<Size>((sum, term) => {
    const quotient = quotientOf(size, term)
    if (quotient === null) return addSizes(sum, mulSizes(build([term], size), scale))
    const { a, b } = quotient
    const isLow = term.coefficient > 0 === (end === 'min')
    return addSizes(sum, mulSizes(isLow ? addSizes(a, 1 - b) : a, (term.coefficient * scale) / b))
  }, 0)
}

function factsOf(size: SizeExpr): ReadonlySet<Size> {
  const facts = new Set<Size>()
  for (const atom of size.atoms.values()) if (atom.kind === 'symbol') for (const fact of atom.facts) facts.add(fact)
  return facts
}

function sumOfTerms(size: Size, facts: boolean): Interval {
  if (typeof size === 'number') return exactly(size)
  return size.terms
    .map(({ coefficient, atoms }) =>
      atoms.reduce(
        (product, text) => mulIntervals(product, atomRange(size.atoms.get(text)!, facts)),
        exactly(coefficient),
      ),
    )
    .reduce((sum, term) => intervalOf('add', [sum, term]), exactly(0))
}

/** Divisors are at least 1, whatever their operands' bounds. */
function atomRange(atom: Atom, facts: boolean): Interval {
  if (atom.kind === 'symbol') return atom
  const [a, b] = [boundsOf(atom.a, facts), boundsOf(atom.b, facts)]
  const divides = atom.kind === 'floorDiv' || atom.kind === 'mod'
  return intervalOf(atom.kind, [a, divides ? intervalOf('max', [b, exactly(1)]) : b])
}

/** Larger bounds count as unbounded. */
const largestBound = 2 ** 31

/** The maximum of a size; null: unbounded. */
export function boundOf(size: Size): number | null {
  const { max } = rangeOf(size)
  return max <= largestBound ? max : null
}

/** A number such that, if all symbols of a size are multiples of it, all quotients are exact and all remainders 0. */
export function commonDivisor(size: Size): number {
  if (typeof size === 'number') return 1
  return [...size.atoms.values()].reduce((all, atom) => {
    if (atom.kind === 'symbol') return all
    const own = (atom.kind === 'floorDiv' || atom.kind === 'mod') && typeof atom.b === 'number' ? Math.abs(atom.b) : 1
    return leastCommonMultiple(all, own * leastCommonMultiple(commonDivisor(atom.a), commonDivisor(atom.b)))
  }, 1)
}

export const greatestCommon = (a: number, b: number): number => (b === 0 ? Math.abs(a) : greatestCommon(b, a % b))
const leastCommonMultiple = (a: number, b: number): number => (a * b) / greatestCommon(a, b)

/** The symbols that a size depends on. */
export function symbolsOf(size: Size, into: Set<string> = new Set()): Set<string> {
  if (typeof size === 'number') return into
  for (const atom of size.atoms.values()) {
    if (atom.kind === 'symbol') into.add(atom.name)
    else {
      symbolsOf(atom.a, into)
      symbolsOf(atom.b, into)
    }
  }
  return into
}

/** The size with those symbols replaced for which `replacement` returns a size. */
export function substituteSize(size: Size, replacement: (name: string) => Size | null): Size {
  if (typeof size === 'number') return size
  const values = new Map<string, Size>()
  for (const [text, atom] of size.atoms) values.set(text, substituteAtom(atom, replacement))
  return size.terms
    .map(({ coefficient, atoms }) => mulSizes(coefficient, productOf(atoms.map(text => values.get(text)!))))
    .reduce(addSizes, 0)
}

function substituteAtom(atom: Atom, replacement: (name: string) => Size | null): Size {
  if (atom.kind === 'symbol') return replacement(atom.name) ?? fromAtom(atom)
  const [a, b] = [substituteSize(atom.a, replacement), substituteSize(atom.b, replacement)]
  switch (atom.kind) {
    case 'floorDiv':
      return floorDivSizes(a, b)
    case 'mod':
      return modSizes(a, b)
    case 'min':
      return minSizes(a, b)
    case 'max':
      return maxSizes(a, b)
    default:
      return atom satisfies never
  }
}

/** Solves `size` = 0 for the symbol `name`, if it occurs in a single term, with coefficient 1 or −1; else null. */
export function solveForSymbol(size: Size, name: string): Size | null {
  if (typeof size === 'number') return null
  const alone = size.terms.find(({ atoms }) => atoms.length === 1 && atoms[0] === name)
  if (alone === undefined || Math.abs(alone.coefficient) !== 1) return null
  const rest = subSizes(size, mulSizes(alone.coefficient, fromAtom(size.atoms.get(name)!)))
  return symbolsOf(rest).has(name) ? null : mulSizes(rest, -alone.coefficient)
}

/** A size as factor · symbol + rest; null if it is not linear in one symbol. */
export function linearSize({
  terms,
  atoms,
}: SizeExpr): { readonly name: string; readonly factor: number; readonly rest: number } | null {
  const rest = terms.find(term => term.atoms.length === 0)?.coefficient ?? 0
  const [term, ...more] = terms.filter(each => each.atoms.length > 0)
  if (term === undefined || more.length > 0 || term.atoms.length > 1) return null
  const atom = atoms.get(term.atoms[0]!)
  return atom?.kind === 'symbol' ? { name: atom.name, factor: term.coefficient, rest } : null
}

/** The values of the symbol `name` for which `size` ≥ 0; null unless the size is linear in that symbol only. */
export function rangeWhere(size: Size, name: string): Interval | null {
  const linear = typeof size === 'number' ? null : linearSize(size)
  if (linear === null || linear.name !== name) return null
  const { factor, rest } = linear
  return factor > 0
    ? { min: Math.ceil(-rest / factor), max: Number.MAX_SAFE_INTEGER }
    : { min: Number.MIN_SAFE_INTEGER, max: Math.floor(rest / -factor) }
}

/** The value of a size. Throws InternalError when a symbol has no value. */
export function evaluateSize(size: Size, values: ReadonlyMap<string, number>): number {
  if (typeof size === 'number') return size
  return compileSize(size, name => {
    const value = values.get(name)
    if (value === undefined) throw new InternalError(`size ${size}: no value for ${name}`)
    return () => value
  })([])
}

export type SizeFunction = (symbols: ArrayLike<number>) => number

/** A function that computes a size from an array of symbol values without allocating. `reader` returns a symbol's reader. */
export function compileSize(size: Size, reader: (name: string) => SizeFunction): SizeFunction {
  if (typeof size === 'number') return () => size
  const terms = size.terms.map(({ coefficient, atoms }) => {
    const factors = atoms.map(text => compileAtom(size.atoms.get(text)!, reader))
    return compileProduct(coefficient, factors)
  })
  const [first, second, ...more] = terms as [SizeFunction, SizeFunction, ...SizeFunction[]]
  if (terms.length === 1) return first
  if (more.length === 0) return symbols => first(symbols) + second(symbols)
  return symbols => {
    let sum = 0
    for (let i = 0; i < terms.length; i++) sum += terms[i]!(symbols)
    return sum
  }
}

function compileProduct(coefficient: number, factors: readonly SizeFunction[]): SizeFunction {
  const [factor, ...more] = factors
  if (factor === undefined) return () => coefficient
  if (more.length > 0) {
    return symbols => {
      let product = coefficient
      for (let i = 0; i < factors.length; i++) product *= factors[i]!(symbols)
      return product
    }
  }
  return coefficient === 1 ? factor : symbols => coefficient * factor(symbols)
}

function compileAtom(atom: Atom, reader: (name: string) => SizeFunction): SizeFunction {
  if (atom.kind === 'symbol') return reader(atom.name)
  const [a, b] = [compileSize(atom.a, reader), compileSize(atom.b, reader)]
  switch (atom.kind) {
    case 'floorDiv':
      return symbols => Math.floor(a(symbols) / b(symbols))
    case 'mod':
      return symbols => {
        const divisor = b(symbols)
        return a(symbols) - Math.floor(a(symbols) / divisor) * divisor
      }
    case 'min':
      return symbols => Math.min(a(symbols), b(symbols))
    case 'max':
      return symbols => Math.max(a(symbols), b(symbols))
    default:
      return atom satisfies never
  }
}

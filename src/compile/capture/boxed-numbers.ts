/**
 * Boxed numbers of a call, and what the function computes of them and of sizes on the host. They are inputs of the graph.
 * Only their kind is guarded (a fraction, an integer, …), since dtypes depend on it, and the values of those that the
 * function read.
 */
import { compileFormula, type Formula, type FormulaFunction } from '../../scalar/formula.js'
import type { PlainNumber, SymbolicNumber } from '../../tensor/symbolic-number.js'

/** A boxed number that a function uses, in the order in which it does. */
export interface BoxedInput {
  readonly path: string
  /** Where it comes from at each call: an argument (its place among the boxed numbers there), or the same box. */
  readonly origin: BoxOrigin
  readonly kind: NumberKind
  /** The only value that the graph is for: the function read it. Absent: all values of its kind. */
  readonly fixed?: PlainNumber
  /** What it is in the graph. */
  readonly formula: Formula
}

export type BoxOrigin = { readonly leaf: number } | { readonly box: SymbolicNumber }

/** A scalar input that is a boxed number (by its place among the inputs here), or computed. */
export type BoxedScalar = {
  /** Its place among the scalars. */
  readonly scalar: number
  /** In the call that was captured. */
  readonly value: number | bigint
} & ({ readonly box: number } | { readonly formula: Formula; readonly kind: NumberKind })

/** What a segment has of boxed numbers. */
export interface Boxed {
  readonly inputs: readonly BoxedInput[]
  readonly scalars: readonly BoxedScalar[]
}

/** Integers that JavaScript holds exactly can be sizes; -0 is a fraction, as in promotion. */
export type NumberKind = 'bool' | 'integer' | 'bigint' | 'fraction'

export function numberKind(value: PlainNumber): NumberKind {
  if (typeof value === 'number') return Number.isSafeInteger(value) && !Object.is(value, -0) ? 'integer' : 'fraction'
  return typeof value === 'bigint' ? 'bigint' : 'bool'
}

export const kindDtypes = { bool: 'bool', integer: 'i64', bigint: 'i64', fraction: 'f64' } as const

const kindText = { bool: 'a boolean', integer: 'an integer', bigint: 'a bigint', fraction: 'a fraction' }

/** As scalar inputs take it. */
export const scalarValue = (value: PlainNumber): number | bigint => (typeof value === 'boolean' ? Number(value) : value)

/** A boxed number as it is read at each call: the box that is closed over, or (null) that leaf of the arguments. */
interface BoxReader {
  readonly box: SymbolicNumber | null
  readonly leaf: number
  readonly kind: NumberKind
  readonly isFixed: boolean
  readonly fixed: PlainNumber | undefined
}

/** A scalar computed at each call. */
interface Derived {
  readonly scalar: number
  readonly kind: NumberKind
  readonly compute: FormulaFunction
}

/** The boxed numbers of one graph, read at each call into `values`, the graph's scalars. */
export class BoxedNumbers {
  readonly #readers: readonly BoxReader[]
  /** Scalars that are boxed numbers: the reader of each. */
  readonly #direct: readonly { readonly scalar: number; readonly box: number }[]
  readonly #derived: readonly Derived[]
  /** By scalar input: whether it is boxed or computed, and by what. */
  readonly #byScalar: readonly (Derived | 'boxed' | undefined)[]

  constructor(
    readonly inputs: readonly BoxedInput[],
    scalars: readonly BoxedScalar[],
    readonly values: (number | bigint)[],
    symbolNames: readonly string[],
  ) {
    this.#readers = inputs.map(({ origin, kind, fixed }) => ({
      box: 'box' in origin ? origin.box : null,
      leaf: 'box' in origin ? -1 : origin.leaf,
      kind,
      isFixed: fixed !== undefined,
      fixed,
    }))
    this.#direct = scalars.flatMap(each => ('box' in each ? [{ scalar: each.scalar, box: each.box }] : []))
    this.#derived = scalars.flatMap(each =>
      'box' in each
        ? []
        : [{ scalar: each.scalar, kind: each.kind, compute: compileFormula(each.formula, symbolNames) }],
    )
    const byScalar: (Derived | 'boxed' | undefined)[] = []
    for (const { scalar } of this.#direct) byScalar[scalar] = 'boxed'
    for (const derived of this.#derived) byScalar[derived.scalar] = derived
    this.#byScalar = Array.from(byScalar)
  }

  /** True when the numbers are of the guarded kinds. `leaves`: those among the call's arguments. */
  read(leaves: readonly SymbolicNumber[]): boolean {
    for (let i = 0; i < this.#readers.length; i++) {
      const { isFixed, fixed, kind } = this.#readers[i]!
      const present = this.#present(i, leaves)
      if (isFixed ? !Object.is(present, fixed) : numberKind(present) !== kind) return false
    }
    for (let i = 0; i < this.#direct.length; i++) {
      const { scalar, box } = this.#direct[i]!
      this.values[scalar] = scalarValue(this.#present(box, leaves))
    }
    return true
  }

  #present(input: number, leaves: readonly SymbolicNumber[]): PlainNumber {
    const { box, leaf } = this.#readers[input]!
    return (box === null ? leaves[leaf]! : box).present
  }

  /** The value of a size that is scalar input `input`, once the symbols before it are known; NaN: it is no boxed number. */
  symbol(input: number, symbols: Float64Array): number {
    const known = this.#byScalar[input]
    if (known === undefined) return Number.NaN
    if (known !== 'boxed') this.values[input] = known.compute(this.values, symbols)
    return Number(this.values[input])
  }

  /** Computes the formulas; false when one is of another kind than when the function was captured. */
  derive(symbols: Float64Array): boolean {
    for (let i = 0; i < this.#derived.length; i++) {
      const { scalar, kind, compute } = this.#derived[i]!
      const value = compute(this.values, symbols)
      this.values[scalar] = value
      if (numberKind(value) !== kind) return false
    }
    return true
  }

  /** Why `read` or `derive` refuse; null when they do not. */
  explain(leaves: readonly SymbolicNumber[], symbols: Float64Array): string | null {
    for (const [i, { path, fixed, kind }] of this.inputs.entries()) {
      const present = this.#present(i, leaves)
      if (fixed !== undefined && !Object.is(present, fixed)) return `${path} was read as ${fixed}, now ${present}`
      const now = numberKind(present)
      if (now !== kind) return `${path} was ${kindText[kind]}, now ${kindText[now]}: ${present}`
    }
    for (const { scalar, kind, compute } of this.#derived) {
      this.values[scalar] = compute(this.values, symbols)
      const now = numberKind(this.values[scalar]!)
      if (now !== kind)
        return `a number computed of sizes and boxed numbers was ${kindText[kind]}, now ${kindText[now]}`
    }
    return null
  }
}

/** All scalars of a captured call: given numbers, boxed ones, and what `draw` gives for each draw. */
export function scalarsOf<Draw extends { readonly scalar: number }>(
  {
    numbers,
    boxed,
    draws,
  }: { readonly numbers: readonly (number | bigint)[]; readonly boxed: Boxed; readonly draws: readonly Draw[] },
  draw: (draw: Draw) => { readonly seed: bigint; readonly offset: bigint },
): (number | bigint)[] {
  const values = [...numbers]
  for (const { scalar, value } of boxed.scalars) values[scalar] = value
  for (const one of draws) {
    const { seed, offset } = draw(one)
    values[one.scalar] = seed
    values[one.scalar + 1] = offset
  }
  return values
}

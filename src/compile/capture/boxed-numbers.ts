/**
 * Boxed numbers of a call (`scalar(v)`), and what the function computes from them and from sizes on the host. They are inputs
 * of the graph. Guarded are their kind (fraction, integer, …), since dtypes depend on it, and the values that the function
 * reads.
 */
import { compileFormula, type Formula, type FormulaFunction } from '../../scalar/formula.js'
import type { PlainNumber, SymbolicNumber } from '../../tensor/symbolic-number.js'

/** A boxed number that a function uses; they are listed in order of first use. */
export interface BoxedInput {
  readonly path: string
  /** Where each call finds it: among the arguments' boxed numbers (`leaf`), or always the same box. */
  readonly origin: BoxOrigin
  readonly kind: NumberKind
  /** The only value that the graph is for, because the function read it. Absent: all values of its kind. */
  readonly fixed?: PlainNumber
  /** Its formula in the graph. */
  readonly formula: Formula
}

export type BoxOrigin = { readonly leaf: number } | { readonly box: SymbolicNumber }

/** A scalar input that is a boxed number (`box`: its index among the inputs), or computed by a formula. */
export type BoxedScalar = {
  /** Its index among the scalars. */
  readonly scalar: number
  /** In the captured call. */
  readonly value: number | bigint
} & ({ readonly box: number } | { readonly formula: Formula; readonly kind: NumberKind })

/** The boxed numbers of a segment. */
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

/** The value in the form that scalar inputs take. */
export const scalarValue = (value: PlainNumber): number | bigint => (typeof value === 'boolean' ? Number(value) : value)

/** How a boxed number is read at each call: from `box`, or if that is null from the arguments' boxed number `leaf`. */
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
  /** Scalars that are boxed numbers, with the index of their reader. */
  readonly #direct: readonly { readonly scalar: number; readonly box: number }[]
  readonly #derived: readonly Derived[]
  /** By scalar input: a boxed number, a computed one, or neither. */
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

  /** True when the numbers pass their guards. `leaves`: the boxed numbers among the call's arguments. */
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

  /** The value of the size that scalar input `input` is; needs the symbols before it. NaN: it is no boxed number. */
  symbol(input: number, symbols: Float64Array): number {
    const known = this.#byScalar[input]
    if (known === undefined) return Number.NaN
    if (known !== 'boxed') this.values[input] = known.compute(this.values, symbols)
    return Number(this.values[input])
  }

  /** Computes the formulas; false when a result is of another kind than at capture. */
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

/** All scalars of a captured call: supplied numbers, boxed ones, and what `draw` returns for each random draw. */
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

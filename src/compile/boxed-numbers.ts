/**
 * Boxed numbers of a call, and what the function computes of them and of sizes on the host. They are inputs of the graph.
 * Only their kind is guarded (a fraction, an integer, …), since dtypes depend on it, and the values of those that the
 * function read.
 */
import { compileFormula, type Formula, type FormulaFunction } from '../scalar/formula.js'
import type { PlainNumber, SymbolicNumber } from '../tensor/symbolic-number.js'
import { numberDtype } from '../types/promotion.js'

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
  if (typeof value === 'bigint') return 'bigint'
  const dtype = numberDtype(value, 'f64')
  if (dtype === 'bool') return 'bool'
  return dtype === 'i64' && Number.isSafeInteger(value) ? 'integer' : 'fraction'
}

export const kindDtypes = { bool: 'bool', integer: 'i64', bigint: 'i64', fraction: 'f64' } as const

const kindText = { bool: 'a boolean', integer: 'an integer', bigint: 'a bigint', fraction: 'a fraction' }

/** As scalar inputs take it. */
export const scalarValue = (value: PlainNumber): number | bigint => (typeof value === 'boolean' ? Number(value) : value)

/** The boxed numbers of one graph, read at each call into `values`, the graph's scalars. */
export class BoxedNumbers {
  readonly #formulas: readonly (FormulaFunction | null)[]

  constructor(
    readonly inputs: readonly BoxedInput[],
    readonly scalars: readonly BoxedScalar[],
    readonly values: (number | bigint)[],
    symbolNames: readonly string[],
  ) {
    this.#formulas = scalars.map(scalar => ('formula' in scalar ? compileFormula(scalar.formula, symbolNames) : null))
  }

  /** True when the numbers are of the guarded kinds. `leaves`: those among the call's arguments. */
  read(leaves: readonly SymbolicNumber[]): boolean {
    for (let i = 0; i < this.inputs.length; i++) {
      const { origin, fixed, kind } = this.inputs[i]!
      const { present } = 'box' in origin ? origin.box : leaves[origin.leaf]!
      if (fixed !== undefined ? !Object.is(present, fixed) : numberKind(present) !== kind) return false
    }
    for (let i = 0; i < this.scalars.length; i++) {
      const scalar = this.scalars[i]!
      if (!('box' in scalar)) continue
      const { origin } = this.inputs[scalar.box]!
      this.values[scalar.scalar] = scalarValue(('box' in origin ? origin.box : leaves[origin.leaf]!).present)
    }
    return true
  }

  /** The value of a size that is scalar input `input`, once the symbols before it are known; NaN: it is no boxed number. */
  symbol(input: number, symbols: Float64Array): number {
    for (let i = 0; i < this.scalars.length; i++) {
      if (this.scalars[i]!.scalar !== input) continue
      this.#compute(i, symbols)
      return Number(this.values[input])
    }
    return Number.NaN
  }

  /** Computes the formulas; false when one is of another kind than when the function was captured. */
  derive(symbols: Float64Array): boolean {
    for (let i = 0; i < this.scalars.length; i++) {
      const scalar = this.scalars[i]!
      if (!('formula' in scalar)) continue
      this.#compute(i, symbols)
      if (numberKind(this.values[scalar.scalar]!) !== scalar.kind) return false
    }
    return true
  }

  #compute(index: number, symbols: Float64Array): void {
    const formula = this.#formulas[index]
    if (formula !== null && formula !== undefined) {
      this.values[this.scalars[index]!.scalar] = formula(this.values, symbols)
    }
  }

  /** Why `read` or `derive` refuse; null when they do not. */
  explain(leaves: readonly SymbolicNumber[], symbols: Float64Array): string | null {
    for (const { path, origin, fixed, kind } of this.inputs) {
      const { present } = 'box' in origin ? origin.box : leaves[origin.leaf]!
      if (fixed !== undefined && !Object.is(present, fixed)) return `${path} was read as ${fixed}, now ${present}`
      const now = numberKind(present)
      if (now !== kind) return `${path} was ${kindText[kind]}, now ${kindText[now]}: ${present}`
    }
    for (const [i, scalar] of this.scalars.entries()) {
      if (!('formula' in scalar)) continue
      this.#compute(i, symbols)
      const now = numberKind(this.values[scalar.scalar]!)
      if (now !== scalar.kind) {
        return `a number computed of sizes and boxed numbers was ${kindText[scalar.kind]}, now ${kindText[now]}`
      }
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

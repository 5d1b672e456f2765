/**
 * Numbers computed from the sizes and boxed numbers of a call. Sums, products and quotients of sizes are sizes themselves
 * (size.ts); everything else is a formula, which the host computes at each call with JavaScript's semantics.
 */
import { InternalError } from '../base/errors.js'
import {
  addSizes,
  ceilDivSizes,
  compileSize,
  floorDivSizes,
  maxSizes,
  minSizes,
  modSizes,
  mulSizes,
  type Size,
  SizeExpr,
  type SizeFunction,
  subSizes,
} from './size.js'

export type NumberOp = 'add' | 'sub' | 'mul' | 'div' | 'pow' | 'floorDiv' | 'ceilDiv' | 'mod' | 'min' | 'max'

export type Formula =
  | number
  | SizeExpr
  /** The scalar input of that index, as a number. */
  | { readonly kind: 'scalar'; readonly index: number }
  | { readonly kind: 'op'; readonly fn: NumberOp; readonly a: Formula; readonly b: Formula }

const inJavaScript: { readonly [Fn in NumberOp]: (a: number, b: number) => number } = {
  add: (a, b) => a + b,
  sub: (a, b) => a - b,
  mul: (a, b) => a * b,
  div: (a, b) => a / b,
  pow: (a, b) => a ** b,
  floorDiv: (a, b) => Math.floor(a / b),
  ceilDiv: (a, b) => Math.ceil(a / b),
  mod: (a, b) => a - Math.floor(a / b) * b,
  min: Math.min,
  max: Math.max,
}

const ofSizes: { readonly [Fn in NumberOp]?: (a: Size, b: Size) => Size } = {
  add: addSizes,
  sub: subSizes,
  mul: mulSizes,
  floorDiv: floorDivSizes,
  ceilDiv: ceilDivSizes,
  mod: modSizes,
  min: minSizes,
  max: maxSizes,
}

export const computeNumber = (fn: NumberOp, a: number, b: number): number => inJavaScript[fn](a, b)

const isSize = (formula: Formula): formula is Size => formula instanceof SizeExpr || Number.isSafeInteger(formula)

/** `a fn b`: a size if it can be expressed as one, else a formula. The caller guarantees that divisors of sizes are positive. */
export function combine(fn: NumberOp, a: Formula, b: Formula): Formula {
  if (typeof a === 'number' && typeof b === 'number') return computeNumber(fn, a, b)
  const bySize = ofSizes[fn]
  if (bySize !== undefined && isSize(a) && isSize(b)) return bySize(a, b)
  return { kind: 'op', fn, a, b }
}

/** The formula with its sizes and scalar inputs substituted. */
export function mapFormula(
  formula: Formula,
  size: (size: SizeExpr) => Size,
  scalar: (index: number) => Formula,
): Formula {
  if (typeof formula === 'number') return formula
  if (formula instanceof SizeExpr) return size(formula)
  if (formula.kind === 'scalar') return scalar(formula.index)
  return combine(formula.fn, mapFormula(formula.a, size, scalar), mapFormula(formula.b, size, scalar))
}

/** Equal for equal formulas. */
export function formulaText(formula: Formula): string {
  if (typeof formula === 'number' || formula instanceof SizeExpr) return String(formula)
  if (formula.kind === 'scalar') return `#${formula.index}`
  return `${formula.fn}(${formulaText(formula.a)},${formulaText(formula.b)})`
}

/** The sizes in a formula. */
export function sizesIn(formula: Formula, into: SizeExpr[] = []): SizeExpr[] {
  if (formula instanceof SizeExpr) into.push(formula)
  else if (typeof formula === 'object' && formula.kind === 'op') sizesIn(formula.b, sizesIn(formula.a, into))
  return into
}

/** The scalar inputs in a formula. */
export function scalarsIn(formula: Formula, into: number[] = []): number[] {
  if (typeof formula === 'number' || formula instanceof SizeExpr) return into
  if (formula.kind === 'scalar') into.push(formula.index)
  else scalarsIn(formula.b, scalarsIn(formula.a, into))
  return into
}

export type FormulaFunction = (scalars: ArrayLike<number | bigint | boolean>, symbols: ArrayLike<number>) => number

/** A function that computes a formula from the scalar inputs and the symbols' values of a call. */
export function compileFormula(formula: Formula, symbolNames: readonly string[]): FormulaFunction {
  if (typeof formula === 'number') return () => formula
  if (formula instanceof SizeExpr) {
    const size = compileSize(formula, name => symbolReader(symbolNames, name))
    return (_, symbols) => size(symbols)
  }
  if (formula.kind === 'scalar') return scalars => Number(scalars[formula.index])
  const [a, b] = [compileFormula(formula.a, symbolNames), compileFormula(formula.b, symbolNames)]
  const compute = inJavaScript[formula.fn]
  return (scalars, symbols) => compute(a(scalars, symbols), b(scalars, symbols))
}

function symbolReader(names: readonly string[], name: string): SizeFunction {
  const index = names.indexOf(name)
  if (index < 0) throw new InternalError(`a formula of the size ${name}, which is not a symbol of its graph`)
  return symbols => symbols[index]!
}

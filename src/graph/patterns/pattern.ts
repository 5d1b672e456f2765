/**
 * Patterns: expressions with holes, written as the mathematics is. `mul(0.5, x, add(1, erf(mul(Math.SQRT1_2, x))))` matches
 * every way to write that product: operands in any order and grouping, constant factors anywhere, division by a constant
 * for multiplication by its inverse, subtraction for adding the negative, any broadcasting, dims of size 1 inserted or
 * dropped, and (in f16 and bf16) roundings between the ops. The matcher: match.ts.
 */
import type { ReductionName, ScalarOpName } from '../../scalar/ops.js'

export type Pattern =
  /** Any tensor; the same name must be the same tensor along the same axes. */
  | { readonly kind: 'any'; readonly name: string }
  /** Any constant. */
  | { readonly kind: 'number'; readonly name: string }
  /** Binds the node that the inner pattern matches to a name. */
  | { readonly kind: 'named'; readonly name: string; readonly pattern: Pattern }
  | { readonly kind: 'oneOf'; readonly options: readonly Pattern[] }
  | { readonly kind: 'map'; readonly fn: ScalarOpName; readonly inputs: readonly Pattern[] }
  /** Coefficient · factors; a coefficient that is a name may be any but 1. */
  | { readonly kind: 'product'; readonly coefficient: number | string; readonly factors: readonly Part[] }
  /** Constant + terms; a constant that is a name may be any but 0. */
  | { readonly kind: 'sum'; readonly constant: number | string; readonly terms: readonly Part[] }
  /** A reduction over some axes; the same name means the same axes. */
  | { readonly kind: 'reduce'; readonly fn: ReductionName; readonly input: Pattern; readonly axes: string }
  /** Σ / number of summands. */
  | { readonly kind: 'mean'; readonly input: Pattern; readonly axes: string }
  /** [… m, k] · [… k, n], with any dims flattened. `axes` names k, which must equal another reduction's axes of that name. */
  | { readonly kind: 'matmul'; readonly left: Pattern; readonly right: Pattern; readonly axes: string | null }
  /** A convolution; `bias` where it has one. */
  | { readonly kind: 'conv'; readonly input: Pattern; readonly weight: Pattern; readonly bias: Pattern }
  /** An explicit permutation of dims; everywhere else patterns look through views. */
  | { readonly kind: 'permuted'; readonly input: Pattern }

/** A factor (inverted: a divisor) or a term (inverted: subtracted). */
export interface Part {
  readonly pattern: Pattern
  readonly inverted: boolean
}

/** What combinators take: numbers are constants. */
export type Term = Pattern | number

// --- holes ---------------------------------------------------------------------------------------------------------------

export const any = (name: string): Pattern => ({ kind: 'any', name })
export const number = (name: string): Pattern => ({ kind: 'number', name })
export const named = (name: string, pattern: Pattern): Pattern => ({ kind: 'named', name, pattern })
export const oneOf = (...options: readonly Pattern[]): Pattern => ({ kind: 'oneOf', options })

// --- arithmetic ----------------------------------------------------------------------------------------------------------

const part = (pattern: Pattern): Part => ({ pattern, inverted: false })
const inverted = ({ pattern, inverted: was }: Part): Part => ({ pattern, inverted: !was })

/** A product's coefficient and factors; any other term is a single factor. */
function factorsOf(term: Term): { readonly coefficient: number | string; readonly factors: readonly Part[] } {
  if (typeof term === 'number') return { coefficient: term, factors: [] }
  if (term.kind === 'number') return { coefficient: term.name, factors: [] }
  return term.kind === 'product' ? term : { coefficient: 1, factors: [part(term)] }
}

function termsOf(term: Term): { readonly constant: number | string; readonly terms: readonly Part[] } {
  if (typeof term === 'number') return { constant: term, terms: [] }
  if (term.kind === 'number') return { constant: term.name, terms: [] }
  return { constant: 0, terms: [part(term)] }
}

/** A product of which at most one operand is a named constant; then no other is a constant. */
export function mul(...operands: readonly Term[]): Pattern {
  const parts = operands.map(factorsOf)
  const name = parts.map(({ coefficient }) => coefficient).find(coefficient => typeof coefficient === 'string')
  return {
    kind: 'product',
    coefficient: name ?? parts.reduce((product, { coefficient }) => product * Number(coefficient), 1),
    factors: parts.flatMap(({ factors }) => factors),
  }
}

export function div(numerator: Term, denominator: Term): Pattern {
  const [over, under] = [factorsOf(numerator), factorsOf(denominator)]
  return {
    kind: 'product',
    coefficient: Number(over.coefficient) / Number(under.coefficient),
    factors: [...over.factors, ...under.factors.map(inverted)],
  }
}

export const neg = (operand: Pattern): Pattern => mul(-1, operand)

/** A sum of which at most one operand is a constant. */
export function add(...operands: readonly Term[]): Pattern {
  const parts = operands.map(termsOf)
  const constant = parts.find(({ terms }) => terms.length === 0)?.constant ?? 0
  return { kind: 'sum', constant, terms: parts.flatMap(({ terms }) => terms) }
}

export function sub(left: Term, right: Term): Pattern {
  const [plus, minus] = [termsOf(left), termsOf(right)]
  const constant = typeof minus.constant === 'number' && minus.terms.length === 0 ? -minus.constant : plus.constant
  return { kind: 'sum', constant, terms: [...plus.terms, ...minus.terms.map(inverted)] }
}

export const square = (operand: Pattern): Pattern => mul(operand, operand)

// --- other ops -----------------------------------------------------------------------------------------------------------

export const map = (fn: ScalarOpName, ...inputs: readonly Pattern[]): Pattern => ({ kind: 'map', fn, inputs })
const unary =
  (fn: ScalarOpName) =>
  (operand: Pattern): Pattern =>
    map(fn, operand)

export const exp = unary('exp')
export const log = unary('log')
export const log1p = unary('log1p')
export const erf = unary('erf')
export const tanh = unary('tanh')
export const sigmoid = unary('sigmoid')
export const sqrt = unary('sqrt')
/** Also 1 / sqrt and the power −½. */
export const rsqrt = (operand: Pattern): Pattern =>
  oneOf(map('rsqrt', operand), div(1, map('sqrt', operand)), map('pow', operand, mul(-0.5)))
export const pow = (base: Pattern, exponent: number): Pattern => map('pow', base, mul(exponent))

const reduction =
  (fn: ReductionName) =>
  (input: Pattern, axes: string): Pattern => ({ kind: 'reduce', fn, input, axes })
export const sum = reduction('add')
export const max = reduction('max')
export const mean = (input: Pattern, axes: string): Pattern => ({ kind: 'mean', input, axes })
export const matmul = (left: Pattern, right: Pattern, axes: string | null = null): Pattern => ({
  kind: 'matmul',
  left,
  right,
  axes,
})
export const conv = (input: Pattern, weight: Pattern, bias: Pattern): Pattern => ({
  kind: 'conv',
  input,
  weight,
  bias,
})
export const permuted = (input: Pattern): Pattern => ({ kind: 'permuted', input })

// --- text ----------------------------------------------------------------------------------------------------------------

/** The pattern as a formula: `0.5·x·(1 + erf(0.707·x))`. */
export function printPattern(pattern: Pattern): string {
  const inner = (each: Pattern): string => {
    const text = printPattern(each)
    return each.kind === 'sum' || (each.kind === 'product' && each.factors.length > 1) ? `(${text})` : text
  }
  switch (pattern.kind) {
    case 'any':
    case 'number':
      return pattern.name
    case 'named':
      return printPattern(pattern.pattern)
    case 'oneOf':
      return printPattern(pattern.options[0]!)
    case 'map':
      return `${pattern.fn}(${pattern.inputs.map(printPattern).join(', ')})`
    case 'product':
      return printProduct(pattern.coefficient, pattern.factors, inner)
    case 'sum':
      return printSum(pattern.constant, pattern.terms)
    case 'reduce':
      return `${pattern.fn === 'add' ? 'sum' : pattern.fn}(${printPattern(pattern.input)}, ${pattern.axes})`
    case 'mean':
      return `mean(${printPattern(pattern.input)}, ${pattern.axes})`
    case 'matmul':
      return `${inner(pattern.left)} @ ${inner(pattern.right)}`
    case 'conv':
      return `conv(${printPattern(pattern.input)}, ${printPattern(pattern.weight)})`
    case 'permuted':
      return `permute(${printPattern(pattern.input)})`
    default:
      return pattern satisfies never
  }
}

const digits = (value: number): string => String(Number(value.toPrecision(6)))
const constantText = (value: number | string): string => (typeof value === 'number' ? digits(value) : value)

function printProduct(
  coefficient: number | string,
  factors: readonly Part[],
  inner: (pattern: Pattern) => string,
): string {
  const over = factors.filter(factor => !factor.inverted).map(({ pattern }) => inner(pattern))
  const under = factors.filter(factor => factor.inverted).map(({ pattern }) => inner(pattern))
  const lead = coefficient === -1 && over.length > 0 ? '-' : ''
  const shown = lead === '' && (coefficient !== 1 || over.length === 0) ? [constantText(coefficient), ...over] : over
  return lead + [shown.join('·'), ...under].join(' / ')
}

function printSum(constant: number | string, terms: readonly Part[]): string {
  const shown = terms.map(({ pattern, inverted: minus }, i) => {
    const text = printPattern(pattern)
    return minus ? ` - ${pattern.kind === 'sum' ? `(${text})` : text}` : `${i === 0 ? '' : ' + '}${text}`
  })
  if (typeof constant === 'string') return `${shown.join('')} + ${constant}`
  return constant === 0 ? shown.join('') : `${digits(constant)} + ${shown.join('').replace(/^ - /, '-')}`
}

/** C text: expressions with their operator precedence, literals, and an indenting writer. */
import { InternalError } from '../../base/errors.js'
import { wrapValue } from '../../scalar/ops.js'
import { type Dtype, dtypes } from '../../types/dtype.js'

/** Precedence of C's operators; larger binds tighter. */
export const binding = {
  primary: 16,
  unary: 14,
  product: 13,
  sum: 12,
  shift: 11,
  relation: 10,
  equality: 9,
  bitAnd: 8,
  bitXor: 7,
  bitOr: 6,
  and: 5,
  or: 4,
  ternary: 3,
} as const

export interface Expression {
  readonly text: string
  readonly binds: number
  /** A scalar bool as a C condition, where that reads better: `a < b` for the value `-(a < b)`. */
  readonly condition?: Expression
  /** The operand of a rounding to f16 or bf16, for stores: a store rounds itself. */
  readonly unrounded?: Expression
  /** The codes of f16 or bf16 values that come from memory. */
  readonly codes?: Expression
}

/** The text of a scalar bool where C wants a condition. */
export const condition = (expression: Expression): Expression => expression.condition ?? expression

export const primary = (text: string): Expression => ({ text, binds: binding.primary })

export const call = (name: string, operands: readonly Expression[]): Expression =>
  primary(`${name}(${operands.map(operand => operand.text).join(', ')})`)

/** The expression's text, parenthesised unless it binds at least as tightly as `binds`. */
export const within = (expression: Expression, binds: number): string =>
  expression.binds >= binds ? expression.text : `(${expression.text})`

const binaryOperators = {
  '*': binding.product,
  '/': binding.product,
  '%': binding.product,
  '+': binding.sum,
  '-': binding.sum,
  '<<': binding.shift,
  '>>': binding.shift,
  '<': binding.relation,
  '<=': binding.relation,
  '>': binding.relation,
  '>=': binding.relation,
  '==': binding.equality,
  '!=': binding.equality,
  '&': binding.bitAnd,
  '^': binding.bitXor,
  '|': binding.bitOr,
  '&&': binding.and,
  '||': binding.or,
} as const
export type BinaryOperator = keyof typeof binaryOperators

/** `a op b`. Compound operands of shifts, comparisons and bit operators are parenthesised: compilers warn otherwise. */
export function binary(operator: BinaryOperator, a: Expression, b: Expression): Expression {
  const binds = binaryOperators[operator]
  // The right operand must bind tighter: a - (b - c); the same for a + (b + c), which keeps the program's order.
  if (binds >= binding.sum) return { text: `${within(a, binds)} ${operator} ${within(b, binds + 1)}`, binds }
  const least =
    binds === binding.relation || binds === binding.equality
      ? binding.sum
      : binds <= binding.and
        ? binding.equality
        : binding.unary
  return { text: `${within(a, least)} ${operator} ${within(b, least)}`, binds }
}

export const unary = (operator: '-' | '~' | '!', a: Expression): Expression => {
  const operand = within(a, binding.unary)
  // `--x` would be another operator.
  return {
    text: operator === '-' && operand.startsWith('-') ? `-(${operand})` : `${operator}${operand}`,
    binds: binding.unary,
  }
}

export const castTo = (type: string, a: Expression): Expression => ({
  text: `(${type})${within(a, binding.unary)}`,
  binds: binding.unary,
})

/** A constant of `dtype` in its register type: f16 and bf16 are f32, bool is 0 or -1. */
export function literal(dtype: Dtype, value: number | bigint): Expression {
  switch (dtype) {
    case 'f64':
      return floatLiteral(Number(value), shortestDecimal(Number(value), Number), '')
    case 'f32': {
      const rounded = Math.fround(Number(value))
      return floatLiteral(
        rounded,
        shortestDecimal(rounded, text => Math.fround(Number(text))),
        'f',
      )
    }
    case 'f16':
    case 'bf16':
      return literal('f32', wrapValue(dtype, value))
    case 'bool':
      return Number(value) === 0 ? primary('0') : { text: '-1', binds: binding.unary }
    case 'i64':
    case 'i32':
    case 'i16':
    case 'i8':
    case 'u8':
      return integerLiteral(dtype, BigInt(value))
    default:
      throw new InternalError(`C: no constants of ${dtype}`)
  }
}

function integerLiteral(dtype: Dtype, value: bigint): Expression {
  const { bits } = dtypes[dtype]
  // The minimum has no literal: -2147483648 is the negation of a constant of a larger type.
  if (bits >= 32 && value === -(2n ** BigInt(bits - 1))) return primary(`INT${bits}_MIN`)
  const wide = value > 2147483647n || value < -2147483647n
  return { text: `${value}${wide ? 'LL' : ''}`, binds: value < 0n ? binding.unary : binding.primary }
}

function floatLiteral(value: number, decimal: string, suffix: string): Expression {
  const negative = value < 0 || Object.is(value, -0)
  if (Number.isNaN(value)) return primary('NAN')
  const magnitude = Math.abs(value) === Number.POSITIVE_INFINITY ? 'INFINITY' : `${decimal}${suffix}`
  return { text: negative ? `-${magnitude}` : magnitude, binds: negative ? binding.unary : binding.primary }
}

/** The shortest decimal of |value| that `parse` reads back exactly, always with a point or an exponent. */
function shortestDecimal(value: number, parse: (text: string) => number): string {
  const magnitude = Math.abs(value)
  if (!Number.isFinite(magnitude)) return ''
  let text = String(magnitude)
  for (let digits = 1; digits <= 9; digits++) {
    const candidate = String(Number(magnitude.toPrecision(digits)))
    if (parse(candidate) === magnitude) {
      text = candidate
      break
    }
  }
  return /[.e]/.test(text) ? text : `${text}.0`
}

/** Writes lines with indentation. */
export class Writer {
  readonly #lines: string[] = []
  #depth = 0

  line(text: string): void {
    this.#lines.push(text === '' ? '' : `${'  '.repeat(this.#depth)}${text}`)
  }

  /** `head {` … `}` around the lines that `body` writes. */
  braces(head: string, body: () => void): void {
    this.line(head === '' ? '{' : `${head} {`)
    this.indented(body)
    this.line('}')
  }

  indented(body: () => void): void {
    this.#depth++
    body()
    this.#depth--
  }

  toString(): string {
    return `${this.#lines.join('\n')}\n`
  }
}

/** Arithmetic: sums, products, quotients, powers, and the larger or smaller of two. */
import { ArgumentError } from '../../base/errors.js'
import { type Dtype, isInteger } from '../../types/dtype.js'
import { dtypeOf } from '../build.js'
import type { OperandValue, Value } from '../record.js'
import { call, type NoAttrs } from './arguments.js'
import { comparisonRecords } from './comparison.js'
import { binary, binaryRow, elementwise, unary } from './elementwise.js'
import { zeroDivisor } from './texts.js'

// --- what integers refuse --------------------------------------------------------------------------------------------

type DivisorAttrs = { readonly byZero: boolean }
const divisorAttrs = (other: OperandValue): DivisorAttrs => ({ byZero: other === 0 || other === 0n || other === false })

/** A plain number 0 is known when the op is built; zeros inside a divisor tensor are not, and give 0 (scalar/ops). */
const refuseZero =
  (name: string) =>
  (dtype: Dtype, { byZero }: DivisorAttrs): void => {
    if (byZero && isInteger(dtype))
      throw new ArgumentError(`${name}: integer (${dtype}) divided by zero`, { fix: "divide floats: x.to('f32')" })
  }

const floorDivide = (x: number, y: number): number => {
  if (y === 0) return x / y
  const rest = x % y
  const quotient = (x - rest) / y - (rest !== 0 && rest < 0 !== y < 0 ? 1 : 0)
  return quotient === 0 ? (x / y < 0 || Object.is(x / y, -0) ? -0 : 0) : Math.round(quotient)
}
const floorDivideExact = (x: bigint, y: bigint): bigint => {
  if (y === 0n) return 0n
  const quotient = x / y
  return quotient * y !== x && x < 0n !== y < 0n ? quotient - 1n : quotient
}
const remainder = (x: number, y: number): number => {
  const rest = x % y
  if (rest === 0) return y < 0 || Object.is(y, -0) ? -0 : 0
  return rest < 0 === y < 0 ? rest : rest + y
}

/** A remainder or a rounded quotient: refuses a plain 0 as the divisor of integers. */
function division(name: string, summary: string, row: Parameters<typeof binaryRow>[2]) {
  const { build, float, integer } = binaryRow(name, summary, row)
  return elementwise<'self, other: operand', DivisorAttrs>(
    {
      name,
      summary,
      takes: row.takes,
      build: typeof build === 'string' ? build : (e, inputs) => build(e, inputs, {}),
      ...(float && { float: inputs => float(inputs, {}) }),
      ...(integer && { integer: inputs => integer(inputs, {}) }),
      errors: { ArgumentError: zeroDivisor },
      check: refuseZero(name),
    },
    'self, other: operand',
    ({ self, other }) => call([self, other], divisorAttrs(other)),
  )
}

// --- sums with a factor ------------------------------------------------------------------------------------------------

/** The record of add or sub, with PyTorch's factor alpha. */
function withAlpha(name: 'add' | 'sub', sign: 1 | -1, summary: string) {
  const exact = BigInt(sign)
  return elementwise<AlphaSignature, NoAttrs>(
    {
      name,
      summary,
      details: { alpha: 'a factor on other; 1 unless given' },
      takes: name === 'add' ? 'any' : 'number',
      build: (e, [x, y, alpha]) => e(name, x!, alpha === undefined ? y! : e('mul', y!, alpha)),
      float: ([x, y, alpha = 1]) => x! + sign * (alpha * y!),
      integer: ([x, y, alpha = 1n]) => x! + exact * alpha * y!,
    },
    'self, other: operand, *, alpha: operand | null = null',
  )
}
type AlphaSignature = 'self, other: operand, *, alpha: operand | null = null'

// --- division ----------------------------------------------------------------------------------------------------------

type DivAttrs = DivisorAttrs & { readonly roundingMode: 'floor' | 'trunc' | null }
const divSignature = "self, other: operand, *, roundingMode: 'floor' | 'trunc' | null = null"

const trueDiv = elementwise<typeof divSignature, DivAttrs>(
  {
    name: 'div',
    summary: 'self / other; roundingMode floor or trunc rounds the quotient and keeps integers.',
    details: {
      other: 'what is divided by',
      roundingMode:
        "null: the quotient itself · 'floor': rounded down · 'trunc': rounded towards 0; the rounded ones keep integers",
    },
    errors: { ArgumentError: `${zeroDivisor}, with a roundingMode`, DtypeError: 'for bool with a roundingMode' },
    takes: 'float',
    build: 'div',
    float: ([x, y]) => x! / y!,
  },
  divSignature,
  ({ self, other, roundingMode }) => call([self, other], { ...divisorAttrs(other), roundingMode }),
)
const roundedDiv = {
  floor: division('div', '', {
    takes: 'number',
    build: 'floorDiv',
    float: floorDivide,
    integer: floorDivideExact,
    gradient: 'none',
  }),
  trunc: division('div', '', {
    takes: 'number',
    build: 'truncDiv',
    float: (x, y) => Math.trunc(x / y),
    integer: (x, y) => (y === 0n ? 0n : x / y),
    gradient: 'none',
  }),
}

// --- powers ------------------------------------------------------------------------------------------------------------

type PowAttrs = { readonly negativeInteger: boolean }

const power = (x: number, y: number): number => {
  // IEEE 754 pow: 1^NaN is 1 and (±1)^±∞ is 1; JavaScript says NaN.
  if (x === 1 || (x === -1 && Math.abs(y) === Number.POSITIVE_INFINITY)) return 1
  return x ** y
}
const powerExact = (x: bigint, y: bigint): bigint => {
  if (y < 0n) return x === 1n ? 1n : x === -1n ? (y % 2n === 0n ? 1n : -1n) : 0n
  let result = 1n
  for (let [base, rest] = [x, y]; rest > 0n; rest >>= 1n) {
    if (rest % 2n === 1n) result = BigInt.asIntN(64, result * base)
    base = BigInt.asIntN(64, base * base)
  }
  return result
}

const pow = elementwise<'self, exponent: operand', PowAttrs>(
  {
    name: 'pow',
    summary: 'self to the power of exponent.',
    details: { exponent: 'the power; negative ones of integer tensors give 0, of 1 and −1 their powers' },
    errors: { ArgumentError: 'when integers are raised to a negative plain number' },
    takes: 'number',
    build: 'pow',
    float: ([x, y]) => power(x!, y!),
    integer: ([x, y]) => powerExact(x!, y!),
    check: (dtype, { negativeInteger }) => {
      if (negativeInteger && isInteger(dtype))
        throw new ArgumentError(`pow: an integer (${dtype}) to a negative power is no integer`, {
          fix: "use floats: x.to('f32').pow(…)",
        })
    },
  },
  'self, exponent: operand',
  ({ self, exponent }) =>
    call([self, exponent], {
      negativeInteger: (typeof exponent === 'bigint' || typeof exponent === 'number') && exponent < 0,
    }),
)

// --- choices -----------------------------------------------------------------------------------------------------------

type ClampAttrs = { readonly hasMin: boolean; readonly hasMax: boolean }

/** NaN stays NaN; a minimum above the maximum gives the maximum, as in PyTorch. */
function clampWith<T extends number | bigint>([x, ...limits]: readonly T[], { hasMin, hasMax }: ClampAttrs): T {
  let value: T = x!
  const min: T | null = hasMin ? limits[0]! : null
  const max: T | null = hasMax ? limits.at(-1)! : null
  if (min !== null && (value < min || Number.isNaN(min))) value = min
  if (max !== null && (value > max || Number.isNaN(max))) value = max
  return value
}

const clampSignature = 'self, min: operand | null = null, max: operand | null = null'

const clamp = elementwise<typeof clampSignature, ClampAttrs>(
  {
    name: 'clamp',
    summary: 'min(max(self, min), max); either limit may be missing.',
    details: { min: 'the lower limit', max: 'the upper limit; it wins where it is below min' },
    note: 'NaN stays NaN; where a limit is NaN the result is.',
    errors: { ArgumentError: 'when neither min nor max is given' },
    takes: 'number',
    build: (e, [x, ...limits], { hasMin, hasMax }) => {
      const low = hasMin ? e('max', x!, limits[0]!) : x!
      return hasMax ? e('min', low, limits.at(-1)!) : low
    },
    float: (inputs, attrs) => (Number.isNaN(inputs[0]!) ? Number.NaN : clampWith(inputs, attrs)),
    integer: (inputs, attrs) => clampWith(inputs, attrs),
    gradient: ({ inputs: [x, ...limits], outputGradients: [g], attrs: { hasMin, hasMax }, op }) => {
      const low = hasMin ? limits[0]! : null
      const high = hasMax ? limits.at(-1)! : null
      const only = (condition: Value): Value => op('where', condition, g!, 0)
      const both = (one: Value, other: Value): Value => op('logicalAnd', one, other)
      const isIn = [low && op('ge', x, low), high && op('le', x, high)].filter(test => test !== null)
      const gradients = [only(isIn.reduce(both))]
      // As in PyTorch, equal limits both get nothing.
      if (low !== null)
        gradients.push(only(high === null ? op('lt', x, low) : both(op('lt', x, low), op('lt', low, high))))
      if (high !== null)
        gradients.push(only(low === null ? op('gt', x, high) : op('logicalOr', op('gt', x, high), op('lt', high, low))))
      return gradients
    },
  },
  clampSignature,
  ({ self, min, max }) => {
    if (min === null && max === null)
      throw new ArgumentError('clamp: neither min nor max is given', {
        fix: 'give at least one: x.clamp(0, 1), x.clamp(null, 1)',
      })
    const limits = [min, max].filter(limit => limit !== null)
    return call([self, ...limits], { hasMin: min !== null, hasMax: max !== null })
  },
)

export const arithmeticRecords = {
  add: withAlpha('add', 1, 'self + alpha · other.'),
  sub: withAlpha('sub', -1, 'self − alpha · other.'),
  mul: binary('mul', 'self · other.', {
    takes: 'any',
    build: 'mul',
    float: (x, y) => x * y,
    integer: (x, y) => x * y,
  }),
  div: {
    ...trueDiv,
    dtypes: {
      takes: 'any',
      gives: { words: 'the promoted dtype; without a roundingMode f32 for integers and bool' },
    },
    build: (b, inputs, attrs) => {
      const { roundingMode } = attrs
      return roundingMode === null ? trueDiv.build(b, inputs, attrs) : roundedDiv[roundingMode].build(b, inputs, attrs)
    },
    reference: (inputs, attrs) => {
      const { roundingMode } = attrs
      return roundingMode === null
        ? trueDiv.reference(inputs, attrs)
        : roundedDiv[roundingMode].reference(inputs, attrs)
    },
  } satisfies typeof trueDiv,
  trueDivide: binary('trueDivide', 'self / other, of integers in f32: div without rounding.', {
    takes: 'float',
    build: 'div',
    float: (x, y) => x / y,
  }),
  floorDivide: division('floorDivide', '⌊self / other⌋.', {
    takes: 'number',
    build: 'floorDiv',
    float: floorDivide,
    integer: floorDivideExact,
    gradient: 'none',
  }),
  remainder: division('remainder', 'self − other · ⌊self / other⌋: the remainder, with the sign of other.', {
    takes: 'number',
    build: 'mod',
    float: remainder,
    integer: (x, y) => (y === 0n ? 0n : x - y * floorDivideExact(x, y)),
  }),
  fmod: division('fmod', 'The remainder of self / other, with the sign of self.', {
    takes: 'number',
    build: 'fmod',
    float: (x, y) => x % y,
    integer: (x, y) => (y === 0n ? 0n : x % y),
  }),
  pow,
  neg: unary('neg', '−self.', {
    takes: 'number',
    build: 'neg',
    float: x => -x,
    integer: x => -x,
  }),
  abs: unary('abs', '|self|.', {
    takes: 'number',
    build: 'abs',
    float: Math.abs,
    integer: x => (x < 0n ? -x : x),
  }),
  sign: unary('sign', '−1, 0 or 1 by the sign of self; NaN stays NaN.', {
    takes: 'any',
    build: (e, x) => (dtypeOf(x) === 'bool' ? x : e('sign', x)),
    float: x => (Number.isNaN(x) ? x : x === 0 ? 0 : x < 0 ? -1 : 1),
    integer: x => (x === 0n ? 0n : x < 0n ? -1n : 1n),
    gradient: 'none',
  }),
  reciprocal: unary('reciprocal', '1 / self.', {
    takes: 'float',
    build: (e, x) => e('div', 1, x),
    float: x => 1 / x,
  }),
  square: unary('square', 'self²; of bool as i64.', {
    takes: 'counted',
    build: (e, x) => e('mul', x, x),
    float: x => x * x,
    integer: x => x * x,
  }),
  maximum: binary('maximum', 'The larger of the two; NaN if either is NaN.', {
    takes: 'any',
    build: 'max',
    float: Math.max,
    integer: (x, y) => (x - y > 0n ? x : y),
  }),
  minimum: binary('minimum', 'The smaller of the two; NaN if either is NaN.', {
    takes: 'any',
    build: 'min',
    float: Math.min,
    integer: (x, y) => (x - y < 0n ? x : y),
  }),
  clamp,
  ...comparisonRecords,
}

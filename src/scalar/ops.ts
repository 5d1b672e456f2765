/**
 * The table of all scalar ops: operands, result, and meaning. Tile and lane IR apply these ops elementwise; emitters map each
 * to target code; interpreters call `evaluate`. All operands of an op have one dtype (except `where`'s condition).
 *
 * Meaning is defined on exact values: numbers for every dtype except i64, whose values are bigints; `wrapValue` then rounds
 * to the dtype. Floats follow IEEE 754 and PyTorch (min/max propagate NaN; mod has the divisor's sign, fmod the dividend's).
 */
import { InternalError } from '../base/errors.js'
import { codecOf } from '../types/codec.js'
import { type Dtype, dtypes } from '../types/dtype.js'
import { fmaExact, roundInteger } from './exact.js'
import { digamma, erf, erfc, erfinv, gcd, lgamma } from './special.js'

export type Value = number | bigint

type Domain = 'any' | 'number' | 'float' | 'integer' | 'bits'

interface ScalarOp {
  readonly arity: 1 | 2 | 3
  /** any: every dtype · number: all except bool · integer: neither float nor bool · bits: integers and bool. */
  readonly domain: Domain
  readonly result: 'same' | 'bool'
  /** Arithmetic cost in FLOP-like units, for cost models and reports. */
  readonly cost: number
  readonly float?: (...values: number[]) => number | boolean
  /** Meaning on integers and bool; bigints, so that i64 is exact. Absent: floats only. */
  readonly integer?: (...values: bigint[]) => bigint | boolean
}

const floorDiv = (a: bigint, b: bigint): bigint => {
  if (b === 0n) return 0n
  const q = a / b
  return a % b !== 0n && a < 0n !== b < 0n ? q - 1n : q
}
const mod = (a: bigint, b: bigint): bigint => (b === 0n ? 0n : a - floorDiv(a, b) * b)
const floatMod = (a: number, b: number): number => {
  const r = a % b
  return r !== 0 && r < 0 !== b < 0 ? r + b : r === 0 && !Number.isNaN(r) ? (b < 0 || Object.is(b, -0) ? -0 : 0) : r
}
const floatFloorDiv = (a: number, b: number): number => {
  if (b === 0) return a / b
  const m = a % b
  let quotient = (a - m) / b
  if (m !== 0 && b < 0 !== m < 0) quotient -= 1
  if (quotient === 0) return a / b < 0 || Object.is(a / b, -0) ? -0 : 0
  const floored = Math.floor(quotient)
  return quotient - floored > 0.5 ? floored + 1 : floored
}
const roundHalfEven = (x: number): number => {
  if (!Number.isFinite(x) || Math.abs(x) >= 2 ** 52) return x
  const floor = Math.floor(x)
  const rest = x - floor
  const rounded = rest < 0.5 || (rest === 0.5 && floor % 2 === 0) ? floor : floor + 1
  return rounded === 0 && (x < 0 || Object.is(x, -0)) ? -0 : rounded
}
const smaller = (a: bigint, b: bigint): bigint => (a < b ? a : b)
const larger = (a: bigint, b: bigint): bigint => (a > b ? a : b)
const minimum = (a: number, b: number): number => Math.min(a, b)
const maximum = (a: number, b: number): number => Math.max(a, b)
/** IEEE 754's minimumNumber and maximumNumber: if one operand is NaN, the other one. */
const minimumNumber = (a: number, b: number): number => (Number.isNaN(a) ? b : Number.isNaN(b) ? a : Math.min(a, b))
const maximumNumber = (a: number, b: number): number => (Number.isNaN(a) ? b : Number.isNaN(b) ? a : Math.max(a, b))
/** Equal infinities differ by nothing. */
const logaddexp = (a: number, b: number): number =>
  Math.max(a, b) + Math.log1p(Math.exp(a === b ? 0 : -Math.abs(a - b)))
const integerPow = (a: bigint, b: bigint): bigint =>
  b >= 0n ? BigInt.asIntN(64, powWrapped(a, b)) : a === 1n ? 1n : a === -1n ? (b % 2n === 0n ? 1n : -1n) : 0n
/** Square-and-multiply, wrapped to 64 bits at every step: the exact power may have billions of digits. */
function powWrapped(base: bigint, exponent: bigint): bigint {
  let [result, square, rest] = [1n, base, exponent]
  while (rest > 0n) {
    if (rest & 1n) result = BigInt.asIntN(64, result * square)
    square = BigInt.asIntN(64, square * square)
    rest >>= 1n
  }
  return result
}

const unaryFloat = (cost: number, float: (x: number) => number) =>
  ({ arity: 1, domain: 'float', result: 'same', cost, float }) as const
const compare = (float: (a: number, b: number) => boolean, integer: (a: bigint, b: bigint) => boolean) =>
  ({ arity: 2, domain: 'any', result: 'bool', cost: 1, float, integer }) as const

export const scalarOps = {
  // arithmetic
  /** −this. All dtypes but bool. */
  neg: { arity: 1, domain: 'number', result: 'same', cost: 1, float: x => -x, integer: x => -x },
  /** |this|. All dtypes but bool. */
  abs: { arity: 1, domain: 'number', result: 'same', cost: 1, float: Math.abs, integer: x => (x < 0n ? -x : x) },
  /** −1, 0 or 1; NaN stays NaN. All dtypes but bool. */
  sign: {
    arity: 1,
    domain: 'number',
    result: 'same',
    cost: 2,
    float: x => (x > 0 ? 1 : x < 0 ? -1 : Number.isNaN(x) ? x : 0),
    integer: x => (x > 0n ? 1n : x < 0n ? -1n : 0n),
  },
  /** this + other; integers wrap, on bool or. */
  add: { arity: 2, domain: 'any', result: 'same', cost: 1, float: (a, b) => a + b, integer: (a, b) => a + b },
  /** this − other; integers wrap. All dtypes but bool. */
  sub: { arity: 2, domain: 'number', result: 'same', cost: 1, float: (a, b) => a - b, integer: (a, b) => a - b },
  /** this · other; integers wrap, on bool and. */
  mul: { arity: 2, domain: 'any', result: 'same', cost: 1, float: (a, b) => a * b, integer: (a, b) => a * b },
  /** this / other, floats only; PyTorch's `/` on integers divides as floats. */
  div: { arity: 2, domain: 'float', result: 'same', cost: 4, float: (a, b) => a / b },
  /**
   * ⌊this / other⌋. An integer divided by zero gives 0: callers that must refuse it check before. All dtypes but bool.
   */
  floorDiv: { arity: 2, domain: 'number', result: 'same', cost: 6, float: floatFloorDiv, integer: floorDiv },
  /** this / other rounded toward zero. An integer divided by zero gives 0. All dtypes but bool. */
  truncDiv: {
    arity: 2,
    domain: 'number',
    result: 'same',
    cost: 5,
    float: (a, b) => Math.trunc(a / b),
    integer: (a, b) => (b === 0n ? 0n : a / b),
  },
  /**
   * The remainder of this / other, with the divisor's sign (torch.remainder). An integer modulo zero gives 0. All dtypes
   * but bool.
   */
  mod: { arity: 2, domain: 'number', result: 'same', cost: 8, float: floatMod, integer: mod },
  /**
   * The remainder of this / other, with the dividend's sign (torch.fmod). An integer modulo zero gives 0. All dtypes but
   * bool.
   */
  fmod: {
    arity: 2,
    domain: 'number',
    result: 'same',
    cost: 8,
    float: (a, b) => a % b,
    integer: (a, b) => (b === 0n ? 0n : a % b),
  },
  /** this to the power of other. Integers wrap; negative powers are 0, except of 1 and −1. */
  pow: {
    arity: 2,
    domain: 'number',
    result: 'same',
    cost: 20,
    float: (a, b) =>
      a === 1 || b === 0 ? 1 : Math.abs(a) === 1 && !Number.isFinite(b) && !Number.isNaN(b) ? 1 : a ** b,
    integer: integerPow,
  },
  /** The greatest common divisor, at least 0 (but for the least integer, which has no positive counterpart). Integers. */
  gcd: { arity: 2, domain: 'integer', result: 'same', cost: 80, integer: gcd },
  /** this · second + third with one rounding. All dtypes but bool. */
  fma: {
    arity: 3,
    domain: 'number',
    result: 'same',
    cost: 2,
    float: (a, b, c) => a * b + c,
    integer: (a, b, c) => a * b + c,
  },
  /** The smaller of the two; NaN where either is NaN. */
  min: { arity: 2, domain: 'any', result: 'same', cost: 1, float: minimum, integer: smaller },
  /** The larger of the two; NaN where either is NaN. */
  max: { arity: 2, domain: 'any', result: 'same', cost: 1, float: maximum, integer: larger },
  /**
   * The smaller of the two: the number, where one is NaN. Cheaper than min on machines whose instruction drops NaN.
   * Floats.
   */
  fmin: { arity: 2, domain: 'float', result: 'same', cost: 1, float: minimumNumber },
  /** The larger of the two: the number, where one is NaN. Floats. */
  fmax: { arity: 2, domain: 'float', result: 'same', cost: 1, float: maximumNumber },
  // rounding
  /** The largest integer not above this. Floats. */
  floor: unaryFloat(1, Math.floor),
  /** The smallest integer not below this. Floats. */
  ceil: unaryFloat(1, Math.ceil),
  /** Without its fraction. Floats. */
  trunc: unaryFloat(1, Math.trunc),
  /** To the nearest integer, halves to even. Floats. */
  round: unaryFloat(1, roundHalfEven),
  /** |this| with the sign of other. Floats. */
  copysign: {
    arity: 2,
    domain: 'float',
    result: 'same',
    cost: 2,
    float: (a, b) => (b < 0 || Object.is(b, -0) ? -Math.abs(a) : Math.abs(a)),
  },
  // roots and exponentials
  /** √this. Floats. */
  sqrt: unaryFloat(6, Math.sqrt),
  /** 1 / √this. Floats. */
  rsqrt: unaryFloat(8, x => 1 / Math.sqrt(x)),
  /** e^this. Floats. */
  exp: unaryFloat(14, Math.exp),
  /** 2^this. Floats. */
  exp2: unaryFloat(12, x => 2 ** x),
  /** e^this − 1, exact near 0. Floats. */
  expm1: unaryFloat(18, Math.expm1),
  /** The natural logarithm. Floats. */
  log: unaryFloat(14, Math.log),
  /** The logarithm to base 2. Floats. */
  log2: unaryFloat(14, Math.log2),
  /** The logarithm to base 10. Floats. */
  log10: unaryFloat(14, Math.log10),
  /** ln(1 + this), exact near 0. Floats. */
  log1p: unaryFloat(18, Math.log1p),
  /** ln(e^this + e^other), without overflow. Floats. */
  logaddexp: { arity: 2, domain: 'float', result: 'same', cost: 36, float: logaddexp },
  // trigonometry
  /** The sine (radians). Floats. */
  sin: unaryFloat(20, Math.sin),
  /** The cosine (radians). Floats. */
  cos: unaryFloat(20, Math.cos),
  /** The tangent (radians). Floats. */
  tan: unaryFloat(26, Math.tan),
  /** The angle in [−π/2, π/2] whose sine is this; NaN beyond ±1. Floats. */
  asin: unaryFloat(20, Math.asin),
  /** The angle in [0, π] whose cosine is this; NaN beyond ±1. Floats. */
  acos: unaryFloat(20, Math.acos),
  /** The angle in (−π/2, π/2) whose tangent is this. Floats. */
  atan: unaryFloat(20, Math.atan),
  /** The angle of the point (other, this), in [−π, π]. Floats. */
  atan2: { arity: 2, domain: 'float', result: 'same', cost: 26, float: Math.atan2 },
  /** The hyperbolic sine. Floats. */
  sinh: unaryFloat(24, Math.sinh),
  /** The hyperbolic cosine. Floats. */
  cosh: unaryFloat(24, Math.cosh),
  /** The hyperbolic tangent. Floats. */
  tanh: unaryFloat(20, Math.tanh),
  /** The inverse of sinh. Floats. */
  asinh: unaryFloat(24, Math.asinh),
  /** The inverse of cosh; NaN below 1. Floats. */
  acosh: unaryFloat(24, Math.acosh),
  /** The inverse of tanh; NaN beyond ±1. Floats. */
  atanh: unaryFloat(24, Math.atanh),
  /** The error function. Floats. */
  erf: unaryFloat(22, erf),
  /** 1 − erf, exact where erf is near 1. Floats. */
  erfc: unaryFloat(26, erfc),
  /** The number whose erf is this; NaN beyond ±1. Floats. */
  erfinv: unaryFloat(40, erfinv),
  /** ln |Γ(this)|. Floats. */
  lgamma: unaryFloat(90, lgamma),
  /** The derivative of ln Γ; NaN at negative integers, ∓∞ at ±0. Floats. */
  digamma: unaryFloat(120, digamma),
  /** 1 / (1 + e^−this). Floats. */
  sigmoid: unaryFloat(18, x => (x >= 0 ? 1 / (1 + Math.exp(-x)) : Math.exp(x) / (1 + Math.exp(x)))),
  // tests
  /** True where this is NaN: bool. Floats. */
  isnan: { arity: 1, domain: 'float', result: 'bool', cost: 1, float: Number.isNaN },
  /** True where this is infinite: bool. Floats. */
  isinf: { arity: 1, domain: 'float', result: 'bool', cost: 1, float: x => Math.abs(x) === Number.POSITIVE_INFINITY },
  /** True where this is neither infinite nor NaN: bool. Floats. */
  isfinite: { arity: 1, domain: 'float', result: 'bool', cost: 1, float: Number.isFinite },
  /** this = other: bool. */
  eq: compare(
    (a, b) => a === b,
    (a, b) => a === b,
  ),
  /** this ≠ other: bool; true where either is NaN. */
  ne: compare(
    (a, b) => a !== b,
    (a, b) => a !== b,
  ),
  /** this < other: bool. */
  lt: compare(
    (a, b) => a < b,
    (a, b) => a < b,
  ),
  /** this ≤ other: bool. */
  le: compare(
    (a, b) => a <= b,
    (a, b) => a <= b,
  ),
  /** this > other: bool. */
  gt: compare(
    (a, b) => a > b,
    (a, b) => a > b,
  ),
  /** this ≥ other: bool. */
  ge: compare(
    (a, b) => a >= b,
    (a, b) => a >= b,
  ),
  // bits and logic: on bool, and/or/xor/not are logical
  /** Every bit inverted; on bool, not. Integers and bool. */
  not: { arity: 1, domain: 'bits', result: 'same', cost: 1, integer: x => ~x },
  /** Bit by bit; on bool, and. Integers and bool. */
  and: { arity: 2, domain: 'bits', result: 'same', cost: 1, integer: (a, b) => a & b },
  /** Bit by bit; on bool, or. Integers and bool. */
  or: { arity: 2, domain: 'bits', result: 'same', cost: 1, integer: (a, b) => a | b },
  /** Bit by bit, exclusive; on bool, whether they differ. Integers and bool. */
  xor: { arity: 2, domain: 'bits', result: 'same', cost: 1, integer: (a, b) => a ^ b },
  /** this · 2^other; amounts outside [0, bits) give 0: no target's own behaviour shows through. Integers. */
  shl: { arity: 2, domain: 'integer', result: 'same', cost: 1, integer: (a, b) => (b < 0n || b >= 64n ? 0n : a << b) },
  /** ⌊this / 2^other⌋; amounts outside [0, bits) give the sign: 0 or −1. Integers. */
  shr: {
    arity: 2,
    domain: 'integer',
    result: 'same',
    cost: 1,
    integer: (a, b) => (b < 0n || b >= 64n ? (a < 0n ? -1n : 0n) : a >> b),
  },
  /** Shifted right, with zeros shifted in whatever the sign. Integers. */
  shrLogical: { arity: 2, domain: 'integer', result: 'same', cost: 1 },
  /** this ? second : third. This is bool; the others share a dtype, which is the result's. */
  where: { arity: 3, domain: 'any', result: 'same', cost: 1 },
} as const satisfies Record<string, ScalarOp>

export type ScalarOpName = keyof typeof scalarOps
export const scalarOpNames = Object.keys(scalarOps) as readonly ScalarOpName[]
export const scalarOp = (name: ScalarOpName): ScalarOp => scalarOps[name]

/** True when the op takes operands of this dtype (narrow floats count as floats: they are computed in f32). */
export function accepts(name: ScalarOpName, dtype: Dtype): boolean {
  const { kind } = dtypes[dtype]
  switch (scalarOp(name).domain) {
    case 'any':
      return true
    case 'number':
      return kind !== 'bool'
    case 'float':
      return kind === 'float'
    case 'integer':
      return kind === 'int' || kind === 'uint'
    case 'bits':
      return kind !== 'float'
  }
}

/** The dtype of the result for operands of `dtype` (for `where`: of its branches). */
export const resultDtype = (name: ScalarOpName, dtype: Dtype): Dtype =>
  scalarOp(name).result === 'bool' ? 'bool' : dtype

/** The op's value for operands of `dtype`, rounded or wrapped to the result's dtype. `where`: values[0] is the condition. */
export function evaluate(name: ScalarOpName, dtype: Dtype, values: readonly Value[]): Value {
  if (name === 'where') return values[0] ? values[1]! : values[2]!
  if (name === 'shrLogical') return wrapValue(dtype, shiftRightLogical(dtype, BigInt(values[0]!), BigInt(values[1]!)))
  const op = scalarOp(name)
  if (dtypes[dtype].kind === 'float') {
    if (op.float === undefined) throw new InternalError(`${name}: not defined on ${dtype}`)
    if (name === 'fma') {
      const [a, b, c] = values as readonly [number, number, number]
      return wrapValue(dtype, fmaExact(a, b, c, dtype === 'f64' ? 'f64' : 'f32'))
    }
    const [a, b, c] = values as readonly [number, number, number]
    const result = (op.float as (a: number, b: number, c: number) => number | boolean)(a, b, c)
    return typeof result === 'boolean' ? Number(result) : wrapValue(dtype, result)
  }
  if (op.integer === undefined) throw new InternalError(`${name}: not defined on ${dtype}`)
  const result = op.integer(...values.map(BigInt))
  if (typeof result === 'boolean') return Number(result)
  // Logic on bool: two's complement ~0 is -1; only the last bit counts. Sums and products saturate at true.
  if (dtype === 'bool') return name === 'add' ? Number(result !== 0n) : Number(result & 1n)
  return wrapValue(dtype, result)
}

/** A right shift that fills with zeros, within the dtype's width. */
function shiftRightLogical(dtype: Dtype, value: bigint, amount: bigint): bigint {
  const { bits } = dtypes[dtype]
  return amount < 0n || amount >= BigInt(bits) ? 0n : BigInt.asUintN(bits, value) >> amount
}

/** Rounds once: a value with more than f64's 53 bits is first truncated by round to odd, so that only fround rounds. */
function f32OfInteger(value: bigint): number {
  if (BigInt.asIntN(54, value) === value) return Math.fround(Number(value))
  const top = value >> 24n
  return Math.fround(Number(top << 24n === value ? top : top | 1n) * 2 ** 24)
}

const isInt32 = (value: Value): value is number => typeof value === 'number' && (value | 0) === value

/** A value rounded once to a float that is narrower than f32. */
function roundToStorage(dtype: Dtype, value: Value): number {
  const codec = codecOf(dtype)
  if (codec === null) throw new InternalError(`wrapValue: no arithmetic on ${dtype}`)
  return codec.decode(codec.encode(typeof value === 'bigint' ? roundInteger(value, dtype) : value))
}

/** Rounds a float to its dtype, or wraps an integer to its width; returns a bigint for i64, else a number. */
export function wrapValue(dtype: Dtype, value: Value): Value {
  switch (dtype) {
    case 'f64':
      return Number(value)
    case 'f32':
      return typeof value === 'bigint' ? f32OfInteger(value) : Math.fround(value)
    case 'bool':
      return Number(value) === 0 ? 0 : 1
    case 'i64':
      return BigInt.asIntN(64, BigInt(value))
    case 'i32':
    case 'i16':
    case 'i8': {
      const { bits } = dtypes[dtype]
      return isInt32(value) ? (value << (32 - bits)) >> (32 - bits) : Number(BigInt.asIntN(bits, BigInt(value)))
    }
    case 'u8':
      return isInt32(value) ? value & 255 : Number(BigInt.asUintN(8, BigInt(value)))
    default:
      return roundToStorage(dtype, value)
  }
}

/**
 * Converts a value between dtypes. Float to integer truncates toward zero; values that do not fit (NaN and infinities too)
 * become the minimum of i32/i64, whose low bits give narrower integers, as on x86 and in PyTorch's CPU code. Conversion
 * to bool is `!= 0`.
 */
export function castValue(from: Dtype, to: Dtype, value: Value): Value {
  if (to === 'bool') return Number(value) === 0 ? 0 : 1
  if (dtypes[to].kind === 'float' || dtypes[from].kind !== 'float') return wrapValue(to, value)
  return wrapValue(to, truncateToInteger(Number(value), to === 'i64' ? 64 : 32))
}

function truncateToInteger(value: number, bits: 32 | 64): Value {
  const limit = 2 ** (bits - 1)
  const truncated = Math.trunc(value)
  const whole = truncated >= -limit && truncated < limit ? truncated : -limit
  return bits === 32 ? whole : BigInt(whole)
}

/** The identity of a reduction by `name`: the value that leaves every other value unchanged. */
export function reductionIdentity(name: ReductionName, dtype: Dtype): Value {
  const big = (value: number | bigint): Value => wrapValue(dtype, value)
  const float = dtypes[dtype].kind === 'float'
  switch (name) {
    case 'add':
    case 'or':
      return big(0)
    case 'mul':
      return big(1)
    case 'and':
      return dtype === 'bool' ? 1 : big(-1)
    case 'min':
    case 'argmin':
      return float ? Number.POSITIVE_INFINITY : dtype === 'i64' ? 2n ** 63n - 1n : dtypes[dtype].max
    case 'max':
    case 'fmax':
    case 'argmax':
    case 'logaddexp':
      return float ? Number.NEGATIVE_INFINITY : dtype === 'i64' ? -(2n ** 63n) : dtypes[dtype].min
  }
}

/** Reductions: an associative scalar op, or the index of the first minimum or maximum (NaN counts as both). */
export const reductionNames = [
  ...(['add', 'mul', 'min', 'max', 'fmax', 'and', 'or', 'logaddexp'] as const),
  ...(['argmin', 'argmax'] as const),
] as const
export type ReductionName = (typeof reductionNames)[number]
/** The reductions whose running values there are. */
export type ScanName = 'add' | 'mul' | 'min' | 'max' | 'logaddexp'
export const isArgReduction = (name: ReductionName): name is 'argmin' | 'argmax' =>
  name === 'argmin' || name === 'argmax'

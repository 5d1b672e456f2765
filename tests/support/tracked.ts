/**
 * Values of random kernels with bounds of their error: a value without error must be bitwise equal on every target; one with
 * an error carries a bound, and is never passed to a discontinuous op (comparisons, roundings, indices).
 */
import { accepts, type ScalarOpName } from '../../src/scalar/ops.js'
import type { TileOperand, TileValue } from '../../src/tile/language.js'
import { computeDtype, dtypes, isFloat, type TensorDtype } from '../../src/types/dtype.js'
import type { Choices } from './choices.js'

export interface Tracked {
  readonly value: TileValue
  /** Bound of finite magnitudes (floats). */
  readonly mag: number
  /** Bound of the absolute difference between two correct evaluations; 0: bitwise equal. */
  readonly err: number
  /** May contain NaN or infinities: never summed, since the result would depend on the order. */
  readonly wild: boolean
}

export const epsilon = (dtype: TensorDtype): number =>
  dtype === 'f64' ? 2 ** -52 : dtype === 'f16' ? 2 ** -10 : dtype === 'bf16' ? 2 ** -7 : 2 ** -23

/** The allowed relative difference between two implementations of a transcendental function. */
const ulps = 16

const isFloatValue = ({ value }: Tracked): boolean => isFloat(value.dtype)
export const isExact = ({ err }: Tracked): boolean => err === 0

/** A float result: overflow makes it wild; inexact values near overflow are rejected, since they could overflow or not. */
function floatResult(value: TileValue, mag: number, err: number, wild: boolean): Tracked | null {
  const { max } = dtypes[value.dtype]
  if (mag <= max / 4) return { value, mag, err, wild }
  return err > 0 ? null : { value, mag: max, err, wild: true }
}

export const exact = (value: TileValue): Tracked => ({ value, mag: magnitudeOf(value.dtype), err: 0, wild: false })
const magnitudeOf = (dtype: TensorDtype): number => Math.max(dtypes[dtype].max, -dtypes[dtype].min)

/** The value in another dtype; null if the conversion of an inexact value is discontinuous. */
export function convert(a: Tracked, to: TensorDtype): Tracked | null {
  const from = a.value.dtype
  if (from === to) return a
  const value = a.value.to(to)
  if (!isFloat(to)) return isExact(a) ? exact(value) : null
  if (!isFloat(from)) return floatResult(value, magnitudeOf(from), 0, false)
  return floatResult(value, a.mag, isExact(a) ? 0 : a.err + epsilon(to) * a.mag, a.wild)
}

/** Both operands in the compute dtype of the first. */
function alike(a: Tracked, b: Tracked): [Tracked, Tracked] | null {
  const dtype = computeDtype(a.value.dtype) as TensorDtype
  const [x, y] = [convert(a, dtype), convert(b, dtype)]
  return x === null || y === null ? null : [x, y]
}

const integerBinary: readonly ScalarOpName[] = [
  'add',
  'sub',
  'mul',
  'min',
  'max',
  'floorDiv',
  'truncDiv',
  'mod',
  'fmod',
  'gcd',
  'and',
  'or',
  'xor',
  'shl',
  'shr',
  'shrLogical',
]
const comparisons: readonly ScalarOpName[] = ['eq', 'ne', 'lt', 'le', 'gt', 'ge']
const exactFloatBinary: readonly ScalarOpName[] = [
  'add',
  'sub',
  'mul',
  'div',
  'min',
  'max',
  'copysign',
  'fmod',
  'mod',
  'floorDiv',
  'truncDiv',
]
/** Ops whose results may be NaN or infinite, or larger than the operands. */
const divisions: readonly ScalarOpName[] = ['div', 'fmod', 'mod', 'floorDiv', 'truncDiv']
const smoothFloatBinary: readonly ScalarOpName[] = ['add', 'sub', 'mul', 'min', 'max']

/** A random binary op on two values, or null if none fits. */
export function binary(choices: Choices, first: Tracked, second: Tracked): Tracked | null {
  const pair = alike(first, second)
  if (pair === null) return null
  const [a, b] = pair
  if (choices.oneIn(4)) return compare(choices, a, b)
  const apply = (fn: ScalarOpName): TileValue => (a.value[fn] as (other: TileOperand) => TileValue)(b.value)
  if (!isFloatValue(a)) {
    const { dtype } = a.value
    return exact(apply(choices.of(integerBinary.filter(fn => accepts(fn, dtype)))))
  }
  const bothExact = isExact(a) && isExact(b)
  const fn = choices.of(bothExact ? exactFloatBinary : smoothFloatBinary)
  // The sign of a NaN is undefined.
  if (fn === 'copysign' && b.wild) return null
  const wild = a.wild || b.wild || divisions.includes(fn)
  const mag = fn === 'mul' ? a.mag * b.mag : divisions.includes(fn) ? dtypes[a.value.dtype].max : a.mag + b.mag
  if (bothExact) return floatResult(apply(fn), mag, 0, wild)
  const rounding = epsilon(a.value.dtype) * mag
  const err = fn === 'mul' ? a.err * b.mag + b.err * a.mag + a.err * b.err + rounding : a.err + b.err + rounding
  return floatResult(apply(fn), mag, err, wild)
}

export function compare(choices: Choices, a: Tracked, b: Tracked): Tracked | null {
  if (!isExact(a) || !isExact(b)) return null
  return exact((a.value[choices.of(comparisons)] as (other: TileOperand) => TileValue)(b.value))
}

const exactFloatUnary: readonly ScalarOpName[] = ['neg', 'abs', 'floor', 'ceil', 'trunc', 'round', 'sign']
const tests: readonly ScalarOpName[] = ['isnan', 'isinf', 'isfinite']
const integerUnary: readonly ScalarOpName[] = ['neg', 'abs', 'sign', 'not']

/** Smooth functions on [-4, 4]: bounds of the result and of the slope. */
const smooth: readonly { readonly fn: ScalarOpName; readonly mag: number; readonly slope: number }[] = [
  { fn: 'exp', mag: 55, slope: 55 },
  { fn: 'exp2', mag: 16, slope: 12 },
  { fn: 'expm1', mag: 54, slope: 55 },
  { fn: 'sin', mag: 1, slope: 1 },
  { fn: 'cos', mag: 1, slope: 1 },
  { fn: 'tanh', mag: 1, slope: 1 },
  { fn: 'sigmoid', mag: 1, slope: 0.25 },
  { fn: 'erf', mag: 1, slope: 1.2 },
  { fn: 'atan', mag: 1.4, slope: 1 },
  { fn: 'sinh', mag: 28, slope: 28 },
  { fn: 'asinh', mag: 2.1, slope: 1 },
]
/** Functions of 1 + |x| for |x| ≤ 4. */
const positive: typeof smooth = [
  { fn: 'log', mag: 1.7, slope: 1 },
  { fn: 'log2', mag: 2.4, slope: 1.5 },
  { fn: 'sqrt', mag: 2.3, slope: 0.5 },
  { fn: 'rsqrt', mag: 1, slope: 0.5 },
  { fn: 'log1p', mag: 1.8, slope: 0.5 },
]

/** A random unary op, or null if none fits. */
export function unary(choices: Choices, input: Tracked): Tracked | null {
  const a = convert(input, computeDtype(input.value.dtype) as TensorDtype)
  if (a === null) return null
  const { dtype } = a.value
  const call = (value: TileValue, fn: ScalarOpName): TileValue => (value[fn] as () => TileValue)()
  if (!isFloatValue(a)) return exact(call(a.value, choices.of(integerUnary.filter(fn => accepts(fn, dtype)))))
  const kind = choices.below(4)
  if (kind === 0 && isExact(a)) return { ...a, value: call(a.value, choices.of(exactFloatUnary)) }
  if (kind === 1 && isExact(a)) return exact(call(a.value, choices.of(tests)))
  const clamped = a.value.clamp(-4, 4)
  if (kind === 2) {
    const { fn, mag, slope } = choices.of(positive)
    return {
      value: call(clamped.abs().add(1), fn),
      mag,
      err: slope * (a.err + 8 * epsilon(dtype)) + ulps * epsilon(dtype) * mag,
      wild: a.wild,
    }
  }
  const { fn, mag, slope } = choices.of(smooth)
  return { value: call(clamped, fn), mag, err: slope * a.err + ulps * epsilon(dtype) * mag, wild: a.wild }
}

/** condition ? a : b. */
export function choose(condition: Tracked, first: Tracked, second: Tracked): Tracked | null {
  const test = convert(condition, 'bool')
  const pair = alike(first, second)
  if (test === null || pair === null) return null
  const [a, b] = pair
  return {
    value: test.value.where(a.value, b.value),
    mag: Math.max(a.mag, b.mag),
    err: Math.max(a.err, b.err),
    wild: a.wild || b.wild,
  }
}

/** A random fold of an axis, kept with size 1; null if none fits. */
export function fold(choices: Choices, input: Tracked, axis: number): Tracked | null {
  const a = convert(input, computeDtype(input.value.dtype) as TensorDtype)
  if (a === null) return null
  const { value } = a
  const keep = { keepdim: true }
  const n = value.shape[axis]!
  switch (choices.below(7)) {
    case 0:
      return sumLike(a, value.sum(axis, keep), n)
    case 1:
      return { ...a, value: value.amax(axis, keep) }
    case 2:
      return { ...a, value: value.amin(axis, keep) }
    case 3:
      return isExact(a) ? exact(value.argmax(axis, keep)) : null
    case 4:
      return isExact(a) ? exact(value.argmin(axis, keep)) : null
    case 5:
      return isExact(a) ? exact(choices.oneIn(2) ? value.all(axis, keep) : value.any(axis, keep)) : null
    default:
      return isFloatValue(a) ? null : exact(value.prod(axis, keep))
  }
}

/** A random scan along an axis. */
export function scan(choices: Choices, input: Tracked, axis: number): Tracked | null {
  const a = convert(input, computeDtype(input.value.dtype) as TensorDtype)
  if (a === null) return null
  const reverse = choices.oneIn(2)
  const kind = choices.below(3)
  if (kind === 0) return sumLike(a, a.value.cumsum(axis, { reverse }), a.value.shape[axis]!)
  return { ...a, value: kind === 1 ? a.value.cummax(axis, { reverse }) : a.value.cummin(axis, { reverse }) }
}

function sumLike(a: Tracked, value: TileValue, n: number): Tracked | null {
  if (!isFloatValue(a)) return exact(value)
  if (a.wild) return null
  const mag = n * a.mag
  return floatResult(value, mag, n * a.err + n * epsilon(value.dtype) * mag, false)
}

/** a·bᵀ for tiles of one shape [M, K], or null. */
export function dotWithTransposed(
  dot: (a: TileValue, b: TileValue) => TileValue,
  first: Tracked,
  second: Tracked,
): Tracked | null {
  if (first.value.dtype !== second.value.dtype || first.value.dtype === 'i64' || first.value.dtype === 'bool')
    return null
  if (first.wild || second.wild) return null
  const k = first.value.shape[1]!
  const value = dot(first.value, second.value.transpose())
  if (!isFloatValue(first)) return exact(value)
  const mag = k * first.mag * second.mag
  const err =
    k * (first.err * second.mag + second.err * first.mag + first.err * second.err) + k * epsilon(value.dtype) * mag
  return floatResult(value, mag, err, false)
}

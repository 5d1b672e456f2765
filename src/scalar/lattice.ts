/**
 * Static facts about integers: bounds, and a known divisor. Sizes, tile programs and both lowerings share this table of
 * transfer functions of scalar ops. Results are mathematical integers: a caller whose values may overflow their dtype must
 * discard them.
 */
import type { ScalarOpName } from './ops.js'

/** Bounds; both are inclusive. */
export interface Bounds<C> {
  readonly min: C
  readonly max: C
}

/** Bounds of integers; may be infinite, never NaN. */
export type Interval = Bounds<number>

/** Facts about an integer: its bounds, and a number ≥ 0 that divides it (0 divides only 0). */
export interface Known {
  readonly range: Interval
  readonly divisor: number
}

export const anything: Interval = { min: Number.NEGATIVE_INFINITY, max: Number.POSITIVE_INFINITY }
export const natural: Interval = { min: 0, max: Number.POSITIVE_INFINITY }
export const exactly = (value: number): Interval => ({ min: value, max: value })
export const knownConstant = (value: number): Known => ({ range: exactly(value), divisor: Math.abs(value) })

/** The smallest interval that contains both. */
export const hull = (a: Interval, b: Interval): Interval => ({
  min: Math.min(a.min, b.min),
  max: Math.max(a.max, b.max),
})

/** The greatest common divisor. */
export function gcd(a: number, b: number): number {
  let [x, y] = [Math.abs(a), Math.abs(b)]
  while (y !== 0) [x, y] = [y, x % y]
  return x
}

export const lcm = (a: number, b: number): number => (a / gcd(a, b)) * b

/** The largest power of two ≤ `limit` (itself one) that divides `divisor`; `limit` for 0. */
export function powerOfTwoIn(divisor: number, limit: number): number {
  let power = 1
  while (power < limit && divisor % (power * 2) === 0) power *= 2
  return power
}

/** The product of two ends. An infinite end means unbounded rather than infinity, so its product with 0 is 0. */
const times = (a: number, b: number): number => (a === 0 || b === 0 ? 0 : a * b)

/** ⌊a / b⌋ of two ends, b > 0. */
function quotient(a: number, b: number): number {
  if (!Number.isFinite(a)) return a
  return Number.isFinite(b) ? Math.floor(a / b) : a < 0 ? -1 : 0
}

function corners(a: Interval, b: Interval, of: (a: number, b: number) => number): Interval {
  const all = [of(a.min, b.min), of(a.min, b.max), of(a.max, b.min), of(a.max, b.max)]
  return { min: Math.min(...all), max: Math.max(...all) }
}

const magnitude = ({ min, max }: Interval): number => Math.max(-min, max)
const within = (bound: number): Interval => ({ min: 0 - bound, max: bound })

export const mulIntervals = (a: Interval, b: Interval): Interval => corners(a, b, times)

/** A divisor of all products; if the product of the divisors exceeds exact integers, one factor's divisor. */
export function mulDivisors(a: number, b: number): number {
  return Number.isSafeInteger(a * b) ? a * b : Math.max(a, b)
}

/** The bounds of `fn` on integers within the given bounds. Divisions by 0 give 0. */
export function intervalOf(fn: ScalarOpName, inputs: readonly Interval[]): Interval {
  const [a = anything, b = anything, c = anything] = inputs
  switch (fn) {
    case 'add':
      return { min: a.min + b.min, max: a.max + b.max }
    case 'sub':
      return { min: a.min - b.max, max: a.max - b.min }
    case 'neg':
      return { min: 0 - a.max, max: 0 - a.min }
    case 'mul':
      return mulIntervals(a, b)
    case 'min':
      return { min: Math.min(a.min, b.min), max: Math.min(a.max, b.max) }
    case 'max':
      return { min: Math.max(a.min, b.min), max: Math.max(a.max, b.max) }
    case 'where':
      return hull(b, c)
    case 'floorDiv':
    case 'truncDiv':
      if (b.min > 0 && (fn === 'floorDiv' || a.min >= 0)) return corners(a, b, quotient)
      // A quotient of negative numbers may round away from 0.
      return within(magnitude(a) + 1)
    case 'mod':
    case 'fmod':
      if (a.min >= 0 && a.max < b.min) return a
      if (b.min > 0 && a.min >= 0) return { min: 0, max: Math.min(a.max, b.max - 1) }
      if (fn === 'fmod') return within(magnitude(a))
      return b.min > 0 ? { min: 0, max: b.max - 1 } : within(magnitude(b))
    case 'shl':
      return isShift(b) ? mulIntervals(a, exactly(2 ** b.min)) : anything
    case 'shr':
      return isShift(b) ? corners(a, exactly(2 ** b.min), quotient) : anything
    case 'and':
      if (a.min < 0 && b.min < 0) return anything
      return { min: 0, max: Math.min(a.min < 0 ? Infinity : a.max, b.min < 0 ? Infinity : b.max) }
    default:
      return anything
  }
}

/** True for a known shift amount in [0, 64). */
const isShift = ({ min, max }: Interval): boolean => min === max && min >= 0 && min < 64

/** A divisor of the result of `fn` on integers with these facts. */
export function divisorOf(fn: ScalarOpName, inputs: readonly Known[]): number {
  const [a, b, c] = inputs
  if (a === undefined) return 1
  const by = b !== undefined && b.range.min === b.range.max ? b.range.min : null
  switch (fn) {
    case 'neg':
      return a.divisor
    case 'where':
      return gcd(b!.divisor, c!.divisor)
    case 'add':
    case 'sub':
    case 'min':
    case 'max':
    // a mod b equals a minus a multiple of b.
    case 'mod':
    case 'fmod':
      return gcd(a.divisor, b!.divisor)
    case 'mul':
      return mulDivisors(a.divisor, b!.divisor)
    case 'floorDiv':
    case 'truncDiv':
      return by === null ? 1 : quotientDivisor(a.divisor, by)
    case 'shr':
      return isShift(b!.range) ? quotientDivisor(a.divisor, 2 ** b!.range.min) : 1
    case 'shl':
      return isShift(b!.range) ? mulDivisors(a.divisor, 2 ** b!.range.min) : 1
    case 'and':
      // Low bits that are 0 in either operand.
      return a.divisor === 0 || b!.divisor === 0
        ? 0
        : Math.max(powerOfTwoIn(a.divisor, 2 ** 52), powerOfTwoIn(b!.divisor, 2 ** 52))
    default:
      return 1
  }
}

/** A divisor of an exact quotient. */
const quotientDivisor = (divisor: number, by: number): number =>
  by !== 0 && divisor % by === 0 ? Math.abs(divisor / by) : 1

export const knownOf = (fn: ScalarOpName, inputs: readonly Known[]): Known => ({
  range: intervalOf(
    fn,
    inputs.map(({ range }) => range),
  ),
  divisor: divisorOf(fn, inputs),
})

/**
 * Finds formulas for integers that differ between traces, in terms of the sizes and numbers that vary: x, x + 3, 2·x, x·y,
 * ⌊x / 2⌋. A formula fits the traces seen so far and is checked at every further one, so a wrong guess costs a compilation
 * and never gives a wrong result.
 */
import { addSizes, ceilDivSizes, floorDivSizes, mulSizes, type Size, subSizes } from '../../scalar/size.js'

/** A size or a number that varies: its value in each trace, and the formula that stands for it. */
export interface Varying {
  readonly values: readonly number[]
  readonly size: Size
}

/**
 * The simplest formula that evaluates to `values`; null: no candidate does. `formulas`: those that traces used, which come
 * first, since that of `values` is among them unless the function computed a number.
 */
export function fitSize(
  values: readonly number[],
  bases: readonly Varying[],
  formulas: readonly Varying[],
): Size | null {
  const used = identity(values, formulas)
  if (used !== null) return used
  const candidates = [identity, offset, product, multiple, quotient, rounded, sum, difference]
  for (const candidate of candidates) {
    const found = candidate(values, bases)
    if (found !== null) return found
  }
  return null
}

type Candidate = (values: readonly number[], bases: readonly Varying[]) => Size | null

const same = (a: readonly number[], b: readonly number[]): boolean => a.every((value, i) => value === b[i])

/** The number that all are equal to; null when they differ. */
const common = (numbers: readonly number[]): number | null =>
  numbers.every(number => number === numbers[0]) ? numbers[0]! : null

const first = <T, R>(items: readonly T[], find: (item: T) => R | null): R | null => {
  for (const item of items) {
    const found = find(item)
    if (found !== null) return found
  }
  return null
}

const identity: Candidate = (values, bases) => bases.find(base => same(base.values, values))?.size ?? null

const offset: Candidate = (values, bases) =>
  first(bases, base => {
    const by = common(values.map((value, i) => value - base.values[i]!))
    return by === null ? null : addSizes(base.size, by)
  })

/** Element counts: products of two or three, times a constant. */
const product: Candidate = (values, bases) => {
  const pairs = bases.flatMap((a, i) => bases.slice(i).map(b => times(a, b)))
  const triples = bases.length > 6 ? [] : pairs.flatMap(pair => bases.map(c => times(pair, c)))
  return first([...pairs, ...triples], base => scaled(values, base))
}

const times = (a: Varying, b: Varying): Varying => ({
  values: a.values.map((value, i) => value * b.values[i]!),
  size: mulSizes(a.size, b.size),
})

function scaled(values: readonly number[], base: Varying): Size | null {
  if (base.values.includes(0)) return null
  const by = common(values.map((value, i) => value / base.values[i]!))
  return by !== null && Number.isInteger(by) ? mulSizes(base.size, by) : null
}

/** a·x + b. */
const multiple: Candidate = (values, bases) =>
  first(bases, base => {
    const line = lineThrough(values, base.values)
    return line === null || !Number.isInteger(line.slope)
      ? null
      : addSizes(mulSizes(base.size, line.slope), line.offset)
  })

/** The line through all points; null: there is none, or all points have the same x. */
function lineThrough(
  values: readonly number[],
  at: readonly number[],
): { readonly slope: number; readonly offset: number } | null {
  const other = at.findIndex(value => value !== at[0])
  if (other < 0) return null
  const slope = (values[other]! - values[0]!) / (at[other]! - at[0]!)
  const start = values[0]! - slope * at[0]!
  return values.every((value, i) => value === slope * at[i]! + start) ? { slope, offset: start } : null
}

const divisors = [2, 3, 4, 5, 6, 7, 8, 10, 12, 16, 32, 64, 128, 256]

/** ⌊(x + a) / b⌋ + c. */
const quotient: Candidate = (values, bases) =>
  first(bases, base =>
    first(divisors, divisor =>
      first([0, divisor - 1, -1, 1, 2, -2, -3, 3, -4, 4], shift => {
        const by = common(values.map((value, i) => value - Math.floor((base.values[i]! + shift) / divisor)))
        return by === null ? null : addSizes(floorDivSizes(addSizes(base.size, shift), divisor), by)
      }),
    ),
  )

/** Padding to blocks: the multiples below and above, and the distances to them. */
const rounded: Candidate = (values, bases) =>
  first(bases, ({ values: at, size }) =>
    first(divisors, by => {
      const [below, above] = [
        () => mulSizes(floorDivSizes(size, by), by),
        () => mulSizes(ceilDivSizes(size, by), by),
      ] as const
      // Remainder and padding are differences of these, so that size + padding simplifies to the padded size.
      const choices: readonly (readonly [(x: number) => number, () => Size])[] = [
        [x => Math.floor(x / by) * by, below],
        [x => Math.ceil(x / by) * by, above],
        [x => x % by, () => subSizes(size, below())],
        [x => (by - (x % by)) % by, () => subSizes(above(), size)],
      ]
      return first(choices, ([of, made]) => (values.every((value, i) => value === of(at[i]!)) ? made() : null))
    }),
  )

const sum: Candidate = (values, bases) =>
  first(bases, a =>
    first(bases, b => {
      const by = common(values.map((value, i) => value - a.values[i]! - b.values[i]!))
      return by === null ? null : addSizes(addSizes(a.size, b.size), by)
    }),
  )

const difference: Candidate = (values, bases) =>
  first(bases, a =>
    first(bases, b => {
      const by = common(values.map((value, i) => value - a.values[i]! + b.values[i]!))
      return by === null ? null : addSizes(subSizes(a.size, b.size), by)
    }),
  )

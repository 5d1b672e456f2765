/**
 * Ranges of an axis: the indices that a loop must visit. A range starts at the maximum of its lower terms (and 0). It ends at
 * the maximum of some alternatives; each alternative is the minimum of its terms and the axis' size. Terms are kept separate,
 * so that accesses with the same bounds are recognised statically.
 */
import { lcm } from '../../scalar/lattice.js'
import { constantForm, type IndexAnalysis, type IndexForm, isConstant, keyOf, zero } from '../shared/index-analysis.js'

/** A linear form rounded up to a multiple of `align`. */
export interface Term {
  readonly affine: IndexForm
  readonly align: number
}

export interface AxisRange {
  readonly size: number
  /** The range starts at the maximum of these and 0. */
  readonly lo: readonly IndexForm[]
  /** The range ends before the maximum of the alternatives; an alternative is the minimum of its terms and the size. */
  readonly hi: readonly (readonly Term[])[]
}

/** With more alternatives than this, the whole axis is visited. */
const maxAlternatives = 4

export const wholeAxis = (size: number): AxisRange => ({ size, lo: [], hi: [[]] })
export const wholeSpace = (shape: readonly number[]): AxisRange[] => shape.map(wholeAxis)

const termKey = (term: Term): string => `${keyOf(term.affine)}^${term.align}`
const alternativeKey = (terms: readonly Term[]): string => terms.map(termKey).sort().join('&')
export const rangeKey = (range: AxisRange): string =>
  `${range.size}:${range.lo.map(keyOf).sort().join('&')}:${range.hi.map(alternativeKey).sort().join('|')}`
export const isWhole = (range: AxisRange): boolean =>
  range.lo.length === 0 && range.hi.some(terms => terms.length === 0)

function uniqueBy<T>(items: readonly T[], key: (item: T) => string): T[] {
  const seen = new Map<string, T>()
  for (const item of items) if (!seen.has(key(item))) seen.set(key(item), item)
  return [...seen.values()]
}

/** Drops alternatives that another one covers: fewer terms, larger bound. */
function alternatives(list: readonly (readonly Term[])[]): AxisRange['hi'] {
  const unique = uniqueBy(list, alternativeKey)
  const keys = unique.map(terms => new Set(terms.map(termKey)))
  const covered = (i: number): boolean =>
    keys.some((other, j) => j !== i && other.size <= keys[i]!.size && [...other].every(key => keys[i]!.has(key)))
  const kept = unique.filter((_, i) => !covered(i))
  return kept.length > maxAlternatives ? [[]] : kept
}

/** The indices in [start, end), clipped to the axis. */
export function bounded(index: IndexAnalysis, size: number, start: IndexForm | null, end: IndexForm | null): AxisRange {
  const lo = start === null || index.atMost(start, zero) ? [] : [start]
  const needed = end !== null && !index.atMost(constantForm(size), end)
  return { size, lo, hi: needed ? [[{ affine: end, align: 1 }]] : [[]] }
}

export function intersect(a: AxisRange, b: AxisRange): AxisRange {
  const hi = a.hi.flatMap(x => b.hi.map(y => uniqueBy([...x, ...y], termKey)))
  return { size: a.size, lo: uniqueBy([...a.lo, ...b.lo], keyOf), hi: alternatives(hi) }
}

/** The smallest range that covers both. */
export function join(a: AxisRange, b: AxisRange): AxisRange {
  const common = a.lo.filter(form => b.lo.some(other => keyOf(other) === keyOf(form)))
  return { size: a.size, lo: common, hi: alternatives([...a.hi, ...b.hi]) }
}

/** A range that covers this one and consists only of forms that `keep` allows. */
export function restrict(range: AxisRange, keep: (form: IndexForm) => boolean): AxisRange {
  const hi = range.hi.map(terms => terms.filter(term => keep(term.affine)))
  return { size: range.size, lo: range.lo.filter(keep), hi: alternatives(hi) }
}

/** The range from 0, with its upper end rounded up to a multiple of `align`. */
export function roundUp(index: IndexAnalysis, range: AxisRange, align: number): AxisRange {
  const rounded = (term: Term): Term => {
    const isRound = term.align % align === 0 || (term.align === 1 && index.divisor(term.affine) % align === 0)
    return isRound ? term : { affine: term.affine, align: lcm(term.align, align) }
  }
  return { size: range.size, lo: [], hi: range.hi.map(terms => terms.map(rounded)) }
}

/** True when every index of the range is below `limit`. */
export function staysBelow(index: IndexAnalysis, range: AxisRange, limit: IndexForm): boolean {
  if (index.atMost(constantForm(range.size), limit)) return true
  return range.hi.every(terms => terms.some(term => term.align === 1 && index.atMost(term.affine, limit)))
}

/** True when no index of the range is below `limit`. */
export function staysAbove(index: IndexAnalysis, range: AxisRange, limit: IndexForm): boolean {
  return index.atMost(limit, zero) || range.lo.some(form => index.atMost(limit, form))
}

/** True when the number of indices in the range is known to be a multiple of `step` (0 is one). */
export function isMultiple(index: IndexAnalysis, range: AxisRange, step: number): boolean {
  const divides = (form: IndexForm): boolean => index.divisor(form) % step === 0
  return (
    range.size % step === 0 &&
    range.lo.every(divides) &&
    range.hi.every(terms => terms.every(term => term.align % step === 0 || divides(term.affine)))
  )
}

/** The range's ends, if they are constants. */
export function constantExtent(range: AxisRange): { readonly lo: number; readonly hi: number } | null {
  if (!range.lo.every(isConstant) || !range.hi.every(terms => terms.every(term => isConstant(term.affine)))) return null
  const lo = Math.max(0, ...range.lo.map(form => form.offset))
  const end = (term: Term): number => Math.ceil(term.affine.offset / term.align) * term.align
  const hi = Math.max(...range.hi.map(terms => Math.min(range.size, ...terms.map(end))))
  return { lo, hi }
}

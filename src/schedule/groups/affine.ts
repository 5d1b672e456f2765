/**
 * Index expressions: how an element of a tensor is found from the coordinates of a kernel's loops. All are affine in the
 * coordinates, with sizes as factors, so that a chain of views folds into one set of strides.
 */
import type { AffineIndex } from '../../loop/access.js'
import { Forms, formKey } from '../../scalar/affine.js'
import { addSizes, exactQuotient, mulSizes, rangeOf, type Size, sameSize, subSizes } from '../../scalar/size.js'

export type Affine = AffineIndex

/** One index expression per dim of a tensor. */
export type IndexMap = readonly Affine[]

const forms = new Forms<Size>({
  zero: 0,
  one: 1,
  add: addSizes,
  sub: subSizes,
  mul: mulSizes,
  isNegative: size => {
    const { min, max } = rangeOf(size)
    return min >= 0 ? false : max < 0 ? true : null
  },
  quotient: exactQuotient,
  floor: (a, b) => (typeof a === 'number' && typeof b === 'number' ? Math.floor(a / b) : (exactQuotient(a, b) ?? 0)),
})

export const { add: addAffine, scale: scaleAffine, substitute } = forms
export const constantIndex = (offset: Size): Affine => forms.constant(offset)
export const zeroIndex: Affine = constantIndex(0)
export const coordIndex = (coord: number): Affine => forms.atom(coord)

/** Σ index[d] · strides[d]. */
export const dotAffine = (map: IndexMap, strides: readonly Size[]): Affine =>
  map.reduce((sum, index, d) => forms.combine(sum, index, strides[d]!), zeroIndex)

export const affineKey = (index: Affine): string => formKey(index, coord => `@${coord}`)
export const mapKey = (map: IndexMap): string => map.map(affineKey).join('|')

/** The coordinates that a map depends on. */
export function coordsOf(map: IndexMap, into: Set<number> = new Set()): Set<number> {
  for (const index of map) for (const coord of index.terms.keys()) into.add(coord)
  return into
}

/** Row-major strides of a shape; dims of size 1 have stride 0, as they are never stepped along. */
export function rowMajorStrides(shape: readonly Size[]): Size[] {
  const strides: Size[] = []
  let step: Size = 1
  for (let d = shape.length - 1; d >= 0; d--) {
    strides[d] = shape[d] === 1 ? 0 : step
    step = mulSizes(step, shape[d]!)
  }
  return strides
}

/** The split of `coord` into an outer and an inner part, of size `inner`, without which an index cannot be divided. */
export interface CoordSplit {
  readonly coord: number
  readonly inner: Size
}

export type Division = { readonly quotient: Affine; readonly remainder: Affine } | { readonly split: CoordSplit } | null

/**
 * index = quotient · divisor + remainder with 0 ≤ remainder < divisor, for all values of the coordinates. Where no affine
 * expression gives that: a split of a coordinate that makes progress, or null if none does.
 */
export function divideIndex(index: Affine, divisor: Size, sizeOf: (coord: number) => Size): Division {
  const { quotient, rest } = forms.divide(index, divisor)
  const bounds = forms.bounds(rest, coord => ({ min: 0, max: subSizes(sizeOf(coord), 1) }))
  const fits = bounds !== null && rangeOf(bounds.min).min >= 0 && rangeOf(subSizes(divisor, bounds.max)).min >= 1
  return fits ? { quotient, remainder: rest } : splitFor(rest, divisor, sizeOf)
}

function splitFor(rest: Affine, divisor: Size, sizeOf: (coord: number) => Size): Division {
  for (const [coord, factor] of rest.terms) {
    const inner = exactQuotient(divisor, factor)
    if (inner === null || rangeOf(inner).min < 2) continue
    const outer = exactQuotient(sizeOf(coord), inner)
    if (outer !== null && outer !== 1) return { split: { coord, inner } }
  }
  return null
}

/** A coordinate as a digit of a mixed-radix index. */
export interface Digit {
  readonly coord: number
  readonly size: Size
}

/**
 * The coordinates of an index that counts 0 … size−1 exactly once, outermost first (i·n + j for i < m, j < n); null when
 * the index is anything else.
 */
export function digitsOf(index: Affine, size: Size, sizeOf: (coord: number) => Size): Digit[] | null {
  if (index.offset !== 0) return null
  const left = new Map(index.terms)
  const digits: Digit[] = []
  let radix: Size = 1
  while (left.size > 0) {
    const next = [...left].find(([, factor]) => sameSize(factor, radix))
    if (next === undefined) return null
    left.delete(next[0])
    digits.unshift({ coord: next[0], size: sizeOf(next[0]) })
    radix = mulSizes(radix, sizeOf(next[0]))
  }
  return sameSize(radix, size) ? digits : null
}

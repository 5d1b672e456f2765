/**
 * Index expressions: how an element of a tensor is found from the coordinates of a kernel's loops. All are affine in the
 * coordinates, with sizes as factors, so that a chain of views folds into one set of strides.
 */
import { addSizes, exactQuotient, mulSizes, rangeOf, type Size, sameSize, subSizes } from '../scalar/size.js'

/** A loop of a kernel: it runs over 0 … size−1. Loops of size 1 do not exist. */
export interface Coord {
  readonly id: number
  readonly size: Size
}

/** offset + Σ factor · coordinate; no factor is 0. */
export interface Affine {
  readonly offset: Size
  readonly terms: ReadonlyMap<number, Size>
}

/** One index expression per dim of a tensor. */
export type IndexMap = readonly Affine[]

export const constantIndex = (offset: Size): Affine => ({ offset, terms: new Map() })
export const zeroIndex: Affine = constantIndex(0)
export const coordIndex = (coord: Coord): Affine => ({ offset: 0, terms: new Map([[coord.id, 1]]) })

export function addAffine(a: Affine, b: Affine): Affine {
  const terms = new Map(a.terms)
  for (const [coord, factor] of b.terms) {
    const sum = addSizes(terms.get(coord) ?? 0, factor)
    if (sum === 0) terms.delete(coord)
    else terms.set(coord, sum)
  }
  return { offset: addSizes(a.offset, b.offset), terms }
}

export function scaleAffine(a: Affine, factor: Size): Affine {
  if (factor === 0) return zeroIndex
  if (factor === 1) return a
  const terms = new Map([...a.terms].map(([coord, own]) => [coord, mulSizes(own, factor)]))
  return { offset: mulSizes(a.offset, factor), terms }
}

/** Σ index[d] · strides[d]. */
export const dotAffine = (map: IndexMap, strides: readonly Size[]): Affine =>
  map.reduce((sum, index, d) => addAffine(sum, scaleAffine(index, strides[d]!)), zeroIndex)

export function substitute(a: Affine, coord: number, replacement: Affine): Affine {
  const factor = a.terms.get(coord)
  if (factor === undefined) return a
  const rest = new Map(a.terms)
  rest.delete(coord)
  return addAffine({ offset: a.offset, terms: rest }, scaleAffine(replacement, factor))
}

export function affineKey({ offset, terms }: Affine): string {
  const parts = [...terms].sort(([a], [b]) => a - b).map(([coord, factor]) => `${factor}@${coord}`)
  return `${offset};${parts.join(';')}`
}
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

/** What division of an index by a size needs: to cut `coord` into an outer and an inner part of size `inner`. */
export interface Split {
  readonly coord: number
  readonly inner: Size
}

export type Division = { readonly quotient: Affine; readonly remainder: Affine } | { readonly split: Split } | null

/**
 * index = quotient · divisor + remainder with 0 ≤ remainder < divisor, for all values of the coordinates. Where that is
 * no affine expression: the split of a coordinate that brings it nearer, or null when none does.
 */
export function divideIndex(index: Affine, divisor: Size, sizeOf: (coord: number) => Size): Division {
  if (divisor === 1) return { quotient: index, remainder: zeroIndex }
  const quotient = new Map<number, Size>()
  const remainder = new Map<number, Size>()
  for (const [coord, factor] of index.terms) {
    const whole = exactQuotient(factor, divisor)
    if (whole !== null) quotient.set(coord, whole)
    else remainder.set(coord, factor)
  }
  const offset = divideOffset(index.offset, divisor)
  const rest = { offset: offset.remainder, terms: remainder }
  if (fits(rest, divisor, sizeOf)) return { quotient: { offset: offset.quotient, terms: quotient }, remainder: rest }
  return splitFor(rest, divisor, sizeOf)
}

function divideOffset(offset: Size, divisor: Size): { quotient: Size; remainder: Size } {
  if (typeof offset === 'number' && typeof divisor === 'number') {
    const quotient = Math.floor(offset / divisor)
    return { quotient, remainder: offset - quotient * divisor }
  }
  const whole = exactQuotient(offset, divisor)
  return whole === null ? { quotient: 0, remainder: offset } : { quotient: whole, remainder: 0 }
}

/** The least and the greatest value of an index over all coordinates. */
export function indexBounds(index: Affine, sizeOf: (coord: number) => Size): { min: Size; max: Size } {
  let [min, max] = [index.offset, index.offset]
  for (const [coord, factor] of index.terms) {
    const reach = mulSizes(factor, subSizes(sizeOf(coord), 1))
    if (rangeOf(factor).min >= 0) max = addSizes(max, reach)
    else min = addSizes(min, reach)
  }
  return { min, max }
}

function fits(index: Affine, limit: Size, sizeOf: (coord: number) => Size): boolean {
  const { min, max } = indexBounds(index, sizeOf)
  return rangeOf(min).min >= 0 && rangeOf(subSizes(limit, max)).min >= 1
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

/** A coordinate as it stands in a mixed-radix index. */
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

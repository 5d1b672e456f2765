/** Memory accesses of loops, through indices that are affine in the loop coordinates. */
import type { CanonicalText } from '../base/canonical.js'
import type { Affine } from '../scalar/affine.js'
import type { Size } from '../scalar/size.js'
import type { Dtype } from '../types/dtype.js'

/** offset + Σ factor · coordinate; coordinates by their ids. */
export type AffineIndex = Affine<number, Size>

/** An index as an attribute. */
export type Index = AffineIndex & CanonicalText

/** Valid ranges of coordinates: start and size. */
export type Windows = ReadonlyMap<number, { readonly start: number; readonly size: Size }>

/** An access: element index.offset + Σ index.terms · coordinate of a buffer. */
export interface Access extends CanonicalText {
  readonly buffer: number
  readonly dtype: Dtype
  readonly index: AffineIndex
  /** Padding: reads give 0 where a coordinate is outside its window. Absent: all are inside. */
  readonly windows?: Windows
}

/** A tensor read or written by rows: `access` without the row, and the row's stride and length. */
export type RowAccess = { readonly access: Access; readonly stride: Size; readonly length: Size }

const byCoord = <V>(map: ReadonlyMap<number, V>): [number, V][] => [...map].sort(([a], [b]) => a - b)

export function indexOf({ offset, terms }: AffineIndex): Index {
  const parts = byCoord(terms).map(([coord, factor]) => (factor === 1 ? `c${coord}` : `${factor}·c${coord}`))
  const shown = offset === 0 && parts.length > 0 ? parts : [String(offset), ...parts]
  return { offset, terms, canonicalText: shown.join(' + ') }
}

export function accessOf(buffer: number, dtype: Dtype, index: AffineIndex, windows?: Windows): Access {
  const cut = byCoord(windows ?? new Map()).map(([coord, { start, size }]) => `, c${coord} from ${start} for ${size}`)
  const canonicalText = `${dtype} buffer ${buffer}[${indexOf(index).canonicalText}${cut.join('')}]`
  return windows === undefined
    ? { buffer, dtype, index, canonicalText }
    : { buffer, dtype, index, windows, canonicalText }
}

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

/** An affine index with its canonical text, such as `4 + 128·c0 + c1`. */
export function indexOf({ offset, terms }: AffineIndex): Index {
  const parts = byCoord(terms).map(([coord, factor]) => (factor === 1 ? `c${coord}` : `${factor}·c${coord}`))
  const shown = offset === 0 && parts.length > 0 ? parts : [String(offset), ...parts]
  return { offset, terms, canonicalText: shown.join(' + ') }
}

/** An access to a buffer (by its number) at an affine index, with its canonical text. */
export function accessOf(buffer: number, dtype: Dtype, index: AffineIndex, windows?: Windows): Access {
  const ranges = byCoord(windows ?? new Map()).map(
    ([coord, { start, size }]) => `, c${coord} from ${start} for ${size}`,
  )
  const canonicalText = `${dtype} buffer ${buffer}[${indexOf(index).canonicalText}${ranges.join('')}]`
  return windows === undefined
    ? { buffer, dtype, index, canonicalText }
    : { buffer, dtype, index, windows, canonicalText }
}

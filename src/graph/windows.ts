/** The number of windows along a dim, for convolutions, pooling and unfolding. */
import { addSizes, floorDivSizes, mulSizes, type Size, subSizes } from '../scalar/size.js'

/** Windows along one dim: `size` elements each, `dilation` apart; windows start every `step` elements. */
export interface DimWindows {
  readonly size: Size
  readonly step: number
  readonly dilation: number
}

/** How many elements of the dim a window spans. */
export const windowSpan = ({ size, dilation }: Pick<DimWindows, 'size' | 'dilation'>): Size =>
  addSizes(mulSizes(addSizes(size, -1), dilation), 1)

/** How many windows fit a dim of `length` elements; less than 1 where none does. */
export const windowsIn = (length: Size, windows: DimWindows): Size =>
  addSizes(floorDivSizes(subSizes(length, windowSpan(windows)), windows.step), 1)

/** The length of a dim with `dilation` − 1 zeros between its elements. */
export const dilatedSize = (length: Size, dilation: number): Size =>
  length === 0 ? 0 : windowSpan({ size: length, dilation })

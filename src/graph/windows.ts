/** The number of windows along a dim, for convolutions, pooling and unfolding. */
import { addSizes, floorDivSizes, mulSizes, type Size, subSizes } from '../scalar/size.js'

/** Windows of an image, per spatial dim: `padding` on each side, windows every `stride`, their elements `dilation` apart. */
export type Windows = {
  readonly kernel: readonly number[]
  readonly stride: readonly number[]
  readonly padding: readonly (readonly [before: number, after: number])[]
  readonly dilation: readonly number[]
}

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

/** Windows of the spatial dims of an image [N, C, X…] as windows of all its dims, which are permuted by `dims`. */
export function onAllDims(
  { kernel, stride, padding, dilation }: Windows,
  dims: readonly number[] = [0, 1, ...kernel.map((_, d) => 2 + d)],
): Windows {
  const ordered = <T>(one: T, each: readonly T[]): readonly T[] => dims.map(d => [one, one, ...each][d]!)
  return {
    kernel: ordered(1, kernel),
    stride: ordered(1, stride),
    padding: ordered<readonly [number, number]>([0, 0], padding),
    dilation: ordered(1, dilation),
  }
}

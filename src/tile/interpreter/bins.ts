/** Ops on bins of the interpreter: histograms, the order of a tile by bins, and look-ups by index. */
import type { Dtype } from '../../types/dtype.js'
import { allocate, type Cell, packI64Tile, type Tile } from './values.js'

export const histogramFunction =
  (bins: number) =>
  (cell: Cell): Cell => {
    const counts = new Int32Array(bins)
    for (const bin of cell as Int32Array) if (bin >= 0 && bin < bins) counts[bin]!++
    return counts
  }

export const binOrderFunction =
  (bins: number) =>
  (cell: Cell): Cell => {
    const nearest = Array.from(cell as Int32Array, bin => Math.max(0, Math.min(bins - 1, bin)))
    const order = nearest.map((_, index) => index)
    return Int32Array.from(order.sort((a, b) => nearest[a]! - nearest[b]! || a - b))
  }

export const takeFunction =
  (dtype: Dtype) =>
  (table: Cell, indices: Cell): Cell => {
    const [from, at] = [table as Tile, indices as Int32Array]
    const isInside = (index: number): boolean => index >= 0 && index < from.length
    if (from instanceof BigInt64Array)
      return packI64Tile(BigInt64Array.from(at, index => (isInside(index) ? from[index]! : 0n)))
    const taken = allocate(dtype, at.length)
    for (const [i, index] of at.entries()) if (isInside(index)) taken[i] = from[index]!
    return taken
  }

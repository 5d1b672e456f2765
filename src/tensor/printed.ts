/** The values of a tensor that are printed: of a large one only the corners are read. */
import type { TensorDtype } from '../types/dtype.js'
import { edgeItems, type Printable, threshold } from './format.js'
import { readTensor } from './host.js'
import { contiguousLayout, elementCount, forEachRun, type Layout, narrowed } from './layout.js'
import type { Storage } from './storage.js'

/** The values that `formatTensor` needs, by row-major index. */
export function printedValues(storage: Storage, dtype: TensorDtype, layout: Layout): Printable['data'] {
  if (elementCount(layout.shape) <= threshold) return readTensor(storage, dtype, layout)
  const found: { [position: number]: number | bigint } = {}
  const add = (from: Layout, target: Layout, dim: number): void => {
    if (dim < from.shape.length) {
      for (const [start, size] of edges(from.shape[dim]!)) {
        add(narrowed(from, dim, start, size), narrowed(target, dim, start, size), dim + 1)
      }
      return
    }
    const values = readTensor(storage, dtype, from)
    let at = 0
    forEachRun(target, (start, stride, count) => {
      for (let i = 0; i < count; i++) found[start + i * stride] = values[at++]!
    })
  }
  add(layout, contiguousLayout(layout.shape), 0)
  return found
}

/** The ends of a dim that are printed. */
function edges(size: number): readonly (readonly [start: number, size: number])[] {
  if (size <= 2 * edgeItems) return [[0, size]]
  return [
    [0, edgeItems],
    [size - edgeItems, edgeItems],
  ]
}

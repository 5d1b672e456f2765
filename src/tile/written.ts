/** The views that a kernel writes: launchers check that they do not overlap other views. */
import { nodesOf } from '../ir/walk.js'
import type { TileNode, TileProgram } from './ir.js'

const writers = new Set<TileNode['op']>(['store', 'scatter', 'atomic'])

/** Indices of the parameters that the program stores to, ascending. */
export function writtenViews({ body }: TileProgram): number[] {
  const written = new Set<number>()
  for (const node of nodesOf(body)) {
    const [target] = node.inputs
    if (writers.has(node.op) && target?.op === 'view') written.add(target.attrs.index)
  }
  return [...written].sort((a, b) => a - b)
}

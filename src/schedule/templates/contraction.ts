/** What the templates of matmul and attention share. */
import type { GraphNode } from '../../graph/ir.js'
import type { Affine, IndexMap } from '../groups/affine.js'
import { isDecoded } from '../groups/cost.js'
import type { Group, MatmulNode } from '../groups/group.js'
import { isView } from '../groups/roles.js'
import type { ProgramContext } from './template.js'

export const coordsAt = (index: Affine): number[] => [...index.terms.keys()]

/** The kept coordinates but for `own`. */
export const keptCoordsExcept = ({ group }: ProgramContext, own: readonly (readonly number[])[]): number[] =>
  [...group.keptCoords].filter(coord => own.every(each => !each.includes(coord)))

/** Whether k may be split. A packed operand has several elements per byte and per scale: indexing it splits k. */
export const cutsDepth = (node: MatmulNode, inMemory: (node: GraphNode) => boolean): boolean =>
  node.inputs.some(input => showsWindows(input) || isDecoded(input, inMemory))

/**
 * An operand that is a view of windows holds elements many times over: splitting k allows reading it through the view. Other
 * operands are better copied to row-major order.
 */
function showsWindows(node: GraphNode): boolean {
  let base = node
  while (isView(base)) {
    if (base.op === 'affine') return true
    base = base.inputs[0]!
  }
  return false
}

/** True for a single coordinate, or 0. */
export const isPlainIndex = ({ offset, terms }: Affine): boolean =>
  offset === 0 && terms.size <= 1 && [...terms.values()].every(factor => factor === 1)

/** Keeps a contraction's rows and columns one whole axis each. False where they are several. */
export function keepWholeRowsAndColumns(group: Group, map: IndexMap): boolean {
  const [rows, columns] = map.slice(-2) as [Affine, Affine]
  if (!isPlainIndex(rows) || !isPlainIndex(columns)) return false
  for (const { terms } of [rows, columns]) for (const coord of terms.keys()) group.whole.add(coord)
  return true
}

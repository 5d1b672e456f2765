/** What templates of products have in common. */
import type { GraphNode } from '../../graph/ir.js'
import type { Affine, IndexMap } from '../groups/affine.js'
import { isDecoded } from '../groups/cost.js'
import type { Group, MatmulNode } from '../groups/group.js'
import { isView } from '../groups/roles.js'
import type { ProgramContext } from './template.js'

export const coordsAt = (index: Affine): number[] => [...index.terms.keys()]

/** The kept coordinates but for these. */
export const keptBut = ({ group }: ProgramContext, own: readonly (readonly number[])[]): number[] =>
  [...group.keptCoords].filter(coord => own.every(each => !each.includes(coord)))

/** What is decoded has several elements to a byte, and to a scale: its place is found by cutting k. */
export const cutsDepth = (node: MatmulNode, inMemory: (node: GraphNode) => boolean): boolean =>
  node.inputs.some(input => showsWindows(input) || isDecoded(input, inMemory))

/**
 * An operand made of windows holds elements many times over: cutting k makes reading it through them possible. Other
 * operands are better copied into the order of a matrix.
 */
function showsWindows(node: GraphNode): boolean {
  let base = node
  while (isView(base)) {
    if (base.op === 'affine') return true
    base = base.inputs[0]!
  }
  return false
}

/** One coordinate, or 0. */
export const isPlainIndex = ({ offset, terms }: Affine): boolean =>
  offset === 0 && terms.size <= 1 && [...terms.values()].every(factor => factor === 1)

/** Rows and columns of a product as one axis each, which stay whole. False where they are several. */
export function keepPlain(group: Group, map: IndexMap): boolean {
  const [rows, columns] = map.slice(-2) as [Affine, Affine]
  if (!isPlainIndex(rows) || !isPlainIndex(columns)) return false
  for (const { terms } of [rows, columns]) for (const coord of terms.keys()) group.whole.add(coord)
  return true
}

/** What the templates of matmul, attention and windows share. */
import { type GraphNode, isView } from '../../graph/ir.js'
import type { Size } from '../../scalar/size.js'
import { type Affine, coordsOf, type IndexMap } from '../groups/affine.js'
import { isDecoded } from '../groups/cost.js'
import { addLoops, type ContractionNode, type Group, keepWhole, keptCoords, type MatmulNode } from '../groups/group.js'
import type { TemplateContext } from './template.js'

export const coordsAt = (index: Affine): number[] => [...index.terms.keys()]

/** The kept coordinates but for `own`. */
export const keptCoordsExcept = ({ group }: TemplateContext, own: readonly (readonly number[])[]): number[] =>
  [...keptCoords(group)].filter(coord => own.every(each => !each.includes(coord)))

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

/**
 * The group with a contraction whose blocks are of whole dims: each dim of its result is one axis, and so are the `depth` elements that
 * each result sums. Null where a dim of the result is split.
 */
export function joinWholeDims(group: Group, node: ContractionNode, map: IndexMap, depth: Size): Group | null {
  if (!map.every(isPlainIndex)) return null
  const { group: looped, map: indices } = addLoops(keepWhole(group, coordsOf(map)), [depth])
  return keepWhole(
    { ...looped, anchors: [node], anchorMap: map, folded: { indices, sizes: [depth] } },
    coordsOf(indices),
  )
}

/** The group with a contraction's rows and columns as one whole axis each. Null where they are several. */
export function keepWholeRowsAndColumns(group: Group, map: IndexMap): Group | null {
  const ends = map.slice(-2)
  return ends.every(isPlainIndex) ? keepWhole(group, coordsOf(ends)) : null
}

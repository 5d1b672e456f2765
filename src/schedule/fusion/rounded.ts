/** Results of contractions that are used rounded to fewer bits only: stored rounded, where they are stored. */
import { type GraphNode, isContraction, isPointwise, isView, sourcesOf, typeOf } from '../../graph/ir.js'
import { sameSize } from '../../scalar/size.js'
import { dtypes } from '../../types/dtype.js'
import { elementsOf } from '../groups/cost.js'
import type { ContractionNode, Group } from '../groups/group.js'
import { include } from '../groups/values.js'
import { joinContraction } from './join.js'

/** More ops than a bias and an activation are no epilogue that is worth looking through. */
const longest = 8

/** What lies between a rounding and the contraction behind it, from the rounding on. */
export interface Rounded {
  readonly chain: readonly GraphNode[]
  readonly contraction: ContractionNode
}

/** The contraction that a cast to fewer bits rounds, after elementwise work that nothing else uses. Null: it rounds none. */
export function roundedContraction(node: GraphNode, uses: (node: GraphNode) => number): Rounded | null {
  if (node.op !== 'cast') return null
  const bits = (each: GraphNode): number => dtypes[typeOf(each).dtype].bits
  if (bits(node) >= bits(node.inputs[0]!)) return null
  const find = (at: GraphNode, chain: readonly GraphNode[]): Rounded | null => {
    for (const source of sourcesOf(at)) {
      if (uses(source) !== 1 || !sameSize(elementsOf(source), elementsOf(node))) continue
      if (isContraction(source)) return source.type.kind === 'tensor' ? { chain, contraction: source } : null
      if (chain.length >= longest || !(isPointwise(source) || isView(source))) continue
      const found = find(source, [...chain, source])
      if (found !== null) return found
    }
    return null
  }
  return find(node, [node])
}

/** True when a group can compute the contraction too, so that nothing of it is stored for the group. */
export function computesRounded(
  group: Group,
  { chain, contraction }: Rounded,
  inMemory: (node: GraphNode) => boolean,
): boolean {
  let grown: Group | null = group
  for (const node of chain) grown = grown && include(grown, node)
  return grown !== null && joinContraction(grown, contraction, inMemory) !== null
}

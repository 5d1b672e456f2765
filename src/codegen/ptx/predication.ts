/**
 * Branches that only start copies are not taken: all threads compute the addresses, and the copies are predicated. At a
 * branch a thread waits for all loads under way, which are often meant to land while it goes on.
 */
import type { LaneBlock, LaneNode } from '../../lane/ir.js'
import type { ScalarOpName } from '../../scalar/ops.js'

type IfNode = Extract<LaneNode, { op: 'if' }>

/** Index arithmetic that costs an instruction or two. */
const cheap: ReadonlySet<ScalarOpName> = new Set<ScalarOpName>([
  'add',
  'sub',
  'mul',
  'and',
  'or',
  'xor',
  'shl',
  'shr',
  'min',
  'max',
  'eq',
  'ne',
  'lt',
  'le',
  'gt',
  'ge',
  'where',
])
/** More than these are worth a branch. */
const mostNodes = 96

/** True for a branch without results or an other side, of copies and their addresses. */
export function isPredicated(node: IfNode, order: ReadonlyMap<LaneBlock, readonly LaneNode[]>): boolean {
  const [then, otherwise] = node.blocks as [LaneBlock, LaneBlock]
  const nodes = order.get(then)!
  if (node.type.kind === 'tuple' && node.type.items.length > 0) return false
  if (order.get(otherwise)!.length > 0 || nodes.length > mostNodes) return false
  return nodes.some(startsCopies) && nodes.every(inner => fits(inner, order))
}

const startsCopies = (node: LaneNode): boolean =>
  node.op === 'asyncCopy' || (node.op === 'if' && node.blocks[0]!.body.some(startsCopies))

function fits(node: LaneNode, order: ReadonlyMap<LaneBlock, readonly LaneNode[]>): boolean {
  switch (node.op) {
    case 'asyncCopy':
    case 'const':
    case 'cast':
      return true
    case 'map':
      return cheap.has(node.attrs.fn)
    case 'if':
      return isPredicated(node, order)
    default:
      return false
  }
}

/**
 * Branches that only issue async copies are predicated: all threads compute the addresses, and no branch is taken. At a real
 * branch a thread waits for all its loads in flight, which were issued early so that they overlap with computing.
 */
import type { LaneBlock, LaneNode } from '../../lane/ir.js'
import type { ScalarOpName } from '../../scalar/ops.js'

type IfNode = Extract<LaneNode, { op: 'if' }>

/** Index arithmetic that costs at most two instructions. */
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
/** Above this number of nodes a branch is cheaper. */
const maxNodes = 96

/** True for a branch without results and without an else block that contains only copies and their addresses. */
export function isPredicated(node: IfNode, order: ReadonlyMap<LaneBlock, readonly LaneNode[]>): boolean {
  const [then, otherwise] = node.blocks as [LaneBlock, LaneBlock]
  const nodes = order.get(then)!
  if (node.type.kind === 'tuple' && node.type.items.length > 0) return false
  if (order.get(otherwise)!.length > 0 || nodes.length > maxNodes) return false
  return nodes.some(startsCopies) && nodes.every(inner => fits(inner, order))
}

const startsCopies = (node: LaneNode): boolean =>
  node.op === 'asyncCopy' || (node.op === 'if' && node.blocks[0]!.body.some(startsCopies))

/** True for a node that is cheap enough to execute even when the predicate is false. */
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

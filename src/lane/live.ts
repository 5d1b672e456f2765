/** Which nodes of a program matter: effects, and what they need. Emitters print only these. */
import { nodesOf } from '../ir/walk.js'
import { type LaneBlock, type LaneNode, laneDialect } from './ir.js'

/** How often each live node is used by live nodes, as an input or a block's result; dead nodes are absent. */
export function liveUses(root: LaneBlock): Map<LaneNode, number> {
  const uses = new Map<LaneNode, number>()
  const use = (node: LaneNode): void => void uses.set(node, (uses.get(node) ?? 0) + 1)
  root.results.forEach(use)
  // Users come after what they use, so when a node's turn comes (backwards) all its live users have spoken.
  for (const node of [...nodesOf(root)].reverse()) {
    if (laneDialect.ops[node.op].effect === 'effect') uses.set(node, uses.get(node) ?? 0)
    if (!uses.has(node)) continue
    node.inputs.forEach(use)
    for (const block of node.blocks) block.results.forEach(use)
  }
  return uses
}

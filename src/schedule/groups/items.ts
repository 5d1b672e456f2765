/** The results of nodes that have several: sorts, kernels, control flow. */
import type { GraphNode } from '../../graph/ir.js'

/** The `item` nodes of each node that gives a tuple. */
export type ItemTable = ReadonlyMap<GraphNode, readonly GraphNode[]>

/** The result nodes (`item`) of each node with several results. */
export function itemsOf(nodes: Iterable<GraphNode>): ItemTable {
  const table = new Map<GraphNode, GraphNode[]>()
  for (const node of nodes) {
    if (node.op !== 'item') continue
    const known = table.get(node.inputs[0]!)
    if (known === undefined) table.set(node.inputs[0]!, [node])
    else known.push(node)
  }
  return table
}

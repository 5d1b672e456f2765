/**
 * Treats each block of control flow as a graph of its own, so that passes and the scheduler handle blocks separately. A
 * block is closed: it uses only its params and the sizes of the call.
 */
import { ownNodesOf } from '../ir/walk.js'
import type { Graph, GraphBlock } from './ir.js'
import { rebuild, remake } from './passes/pass.js'

/** A block of `graph`: its params are the inputs, in row-major memory. */
export const blockGraph = ({ body: _, ...outer }: Graph, body: GraphBlock): Graph => ({
  ...outer,
  body,
  outputs: body.results.length,
  writeBacks: [],
})

/** The graph with `change` applied to each of its control-flow blocks; nested blocks are up to `change`. */
export function mapBlocks(graph: Graph, change: (block: Graph) => Graph): Graph {
  if (ownNodesOf(graph.body).every(({ blocks }) => blocks.length === 0)) return graph
  return rebuild(graph, 'blocks', (b, node, inputs) => {
    if (node.blocks.length === 0) return remake(b, node, inputs)
    const blocks = node.blocks.map(block => change(blockGraph(graph, block)).body)
    return b.withOrigin(node.origin, () => b.copy(node, inputs, blocks))
  })
}

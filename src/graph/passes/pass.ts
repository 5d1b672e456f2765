/** The interface of graph passes, and rebuilding a graph for passes that are not sets of rules. */
import { ownNodesOf } from '../../ir/walk.js'
import { type Graph, type GraphBuilder, type GraphNode, graphBuilder } from '../ir.js'

/** A pure function from graph to graph that keeps what the graph computes. */
export interface GraphPass {
  readonly name: string
  readonly requires: string
  readonly guarantees: string
  /** The names of its rules, in order, if it consists of rules. */
  readonly rules?: readonly string[]
  /** `count`: only so many of its rules, the first ones; default: all. */
  run(graph: Graph, count?: number): Graph
}

export const isElementwise = (node: GraphNode): node is Extract<GraphNode, { op: 'map' | 'cast' }> =>
  node.op === 'map' || node.op === 'cast'

/** The same node on other inputs, with its origin kept. */
export const remake = (b: GraphBuilder, node: GraphNode, inputs: readonly GraphNode[]): GraphNode =>
  b.withOrigin(node.origin, () => b.copy(node, inputs))

/**
 * Rebuilds a graph node by node, inputs first: `make` gets each node and its inputs in the new graph. Dead nodes are
 * dropped. Nodes that `make` builds get the old node's line as their origin. Blocks of control flow stay as they are.
 */
export function rebuild(
  graph: Graph,
  pass: string,
  make: (b: GraphBuilder, node: GraphNode, inputs: readonly GraphNode[]) => GraphNode,
): Graph {
  const b = graphBuilder()
  const renamed = new Map<GraphNode, GraphNode>()
  const rename = (node: GraphNode): GraphNode => renamed.get(node)!
  for (const node of ownNodesOf(graph.body)) {
    const inputs = node.inputs.map(rename)
    renamed.set(
      node,
      b.withOrigin({ at: node.origin.at, pass }, () => make(b, node, inputs)),
    )
  }
  return { ...graph, body: b.finish(graph.body.results.map(rename), graph.body.params.map(rename)) }
}

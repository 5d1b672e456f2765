/**
 * Copies that no one can tell from the original. A copy matters only where a result would otherwise share memory with
 * an input or with another result; everywhere else values are immutable and one is as good as two.
 */
import type { Graph, GraphNode } from '../ir.js'
import { type GraphPass, isView, rebuild, remake } from './pass.js'

/** What a node's memory is, seen through views. */
function base(node: GraphNode): GraphNode {
  let inner = node
  while (isView(inner)) inner = inner.inputs[0]!
  return inner
}

/** What it would be without copies. */
function baseWithoutCopies(node: GraphNode): GraphNode {
  let inner = base(node)
  while (inner.op === 'copy') inner = base(inner.inputs[0]!)
  return inner
}

/**
 * True when views below a copy show an element twice or run backwards: as a result's memory that would be smaller than
 * the result, or have negative strides, which tensors do not have.
 */
function repeatsOrReverses(copy: GraphNode): boolean {
  let inner = copy
  while (inner.op === 'copy' || isView(inner)) {
    if (inner.op === 'expand' || inner.op === 'affine') return true
    if (inner.op === 'slice' && inner.attrs.steps.some(step => step < 0)) return true
    inner = inner.inputs[0]!
  }
  return false
}

/** The copies that keep a result apart from an input or from another result. */
function neededCopies(graph: Graph): Set<GraphNode> {
  const outputs = [...new Set(graph.body.results.slice(0, graph.outputs))]
  const owners = new Map<GraphNode, number>()
  for (const result of new Set(graph.body.results)) {
    const owner = baseWithoutCopies(result)
    owners.set(owner, (owners.get(owner) ?? 0) + 1)
  }
  const needed = new Set<GraphNode>()
  for (const output of outputs) {
    const memory = base(output)
    if (memory.op !== 'copy') continue
    const owner = baseWithoutCopies(memory)
    if (owner.op === 'input' || owners.get(owner)! > 1 || repeatsOrReverses(memory)) needed.add(memory)
  }
  return needed
}

export const dropCopies: GraphPass = {
  name: 'drop copies',
  requires: 'a verified graph',
  guarantees: 'a copy stands only where a result would share memory, repeat elements or run backwards without it',
  run: graph => {
    const needed = neededCopies(graph)
    return rebuild(graph, 'drop copies', (b, node, inputs) =>
      node.op === 'copy' && !needed.has(node) ? inputs[0]! : remake(b, node, inputs),
    )
  },
}

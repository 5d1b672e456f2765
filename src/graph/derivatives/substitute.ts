/** Formulas with other values put in. */
import type { GraphBuilder, GraphNode } from '../ir.js'

/** The nodes with others in place of those that `values` names. */
export function substituted(
  b: GraphBuilder,
  nodes: readonly GraphNode[],
  values: ReadonlyMap<GraphNode, GraphNode>,
): readonly GraphNode[] {
  const renamed = new Map<GraphNode, GraphNode>(values)
  const stack = [...nodes]
  while (stack.length > 0) {
    const node = stack.at(-1)!
    const missing = renamed.has(node) ? [] : node.inputs.filter(input => !renamed.has(input))
    if (missing.length > 0) {
      stack.push(...missing)
      continue
    }
    stack.pop()
    if (renamed.has(node)) continue
    const inputs = node.inputs.map(input => renamed.get(input)!)
    const isSame = inputs.every((input, i) => input === node.inputs[i])
    const made = isSame ? node : b.withOrigin(node.origin, () => b.copy(node, inputs))
    renamed.set(node, made)
  }
  return nodes.map(node => renamed.get(node)!)
}

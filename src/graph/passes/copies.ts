/**
 * Removes redundant copies. A copy matters only where a result would otherwise share memory with an input or with another
 * result; all other values are immutable.
 *
 * Two passes: inner copies go first, since a copy blocks merging by other passes. Copies of results are numbered
 * (compile/capture/recorder.ts) and stay until the end, as simplification may turn a result into an input (max(x, x)) or
 * merge two results.
 */
import { type Graph, type GraphNode, isView } from '../ir.js'
import { type GraphPass, rebuild, remake } from './pass.js'

/** The node that owns the memory of `node` if copies were removed, seen through views. */
function baseWithoutCopies(node: GraphNode): GraphNode {
  let inner = node
  while (inner.op === 'copy' || isView(inner)) inner = inner.inputs[0]!
  return inner
}

/**
 * True when views below a copy repeat or reverse elements: without the copy, the result's memory would be smaller than the
 * result or need negative strides, which tensors cannot have.
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

/** How many results share the memory of each value, seen through copies. */
function ownersOf({ body: { results } }: Graph): Map<GraphNode, number> {
  const owners = new Map<GraphNode, number>()
  for (const result of new Set(results)) {
    const owner = baseWithoutCopies(result)
    owners.set(owner, (owners.get(owner) ?? 0) + 1)
  }
  return owners
}

/** The copies that keep a result from aliasing an input or another result. */
function neededCopies(graph: Graph): Set<GraphNode> {
  const owners = ownersOf(graph)
  const needed = new Set<GraphNode>()
  for (const output of graph.body.results.slice(0, graph.outputs)) {
    if (output.op !== 'copy') continue
    const owner = baseWithoutCopies(output)
    if (owner.op === 'input' || owners.get(owner)! > 1 || repeatsOrReverses(output)) needed.add(output)
  }
  return needed
}

const isNumbered = (node: GraphNode): boolean => node.op === 'copy' && node.attrs.memory !== undefined

/** The outputs that are copies without a number, or views of one. */
function bareCopies({ body, outputs }: Graph): readonly GraphNode[] {
  const isBare = (output: GraphNode): boolean => {
    let inner = output
    while (isView(inner)) inner = inner.inputs[0]!
    return inner.op === 'copy' && !isNumbered(inner)
  }
  return [...new Set(body.results.slice(0, outputs).filter(isBare))]
}

export const dropInnerCopies: GraphPass = {
  name: 'drop inner copies',
  requires: 'a verified graph',
  guarantees: 'copies stand at results only, outside of all views; each is numbered',
  run: graph => {
    const bare = bareCopies(graph)
    return rebuild(graph, 'drop inner copies', (b, node, inputs) => {
      const made = node.op === 'copy' && !isNumbered(node) ? inputs[0]! : remake(b, node, inputs)
      const at = bare.indexOf(node)
      return at < 0 ? made : b.node('copy', [made], { memory: graph.outputs + at })
    })
  },
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

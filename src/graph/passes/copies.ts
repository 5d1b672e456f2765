/**
 * Copies that no one can tell from the original. A copy matters only where a result would otherwise share memory with
 * an input or with another result; everywhere else values are immutable and one is as good as two.
 *
 * Two passes: copies inside go first, since a copy parts what other passes could merge. Those of results stay until the
 * end, numbered: simplification may turn a result into an input (max(x, x)) or two results into one.
 */
import { nodesOf } from '../../ir/walk.js'
import { type Graph, type GraphNode, graphBuilder } from '../ir.js'
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

/** How many results lie in the memory of each value, seen through copies. */
function ownersOf({ body: { results } }: Graph): Map<GraphNode, number> {
  const owners = new Map<GraphNode, number>()
  for (const result of new Set(results)) {
    const owner = baseWithoutCopies(result)
    owners.set(owner, (owners.get(owner) ?? 0) + 1)
  }
  return owners
}

/** The copies that keep a result apart from an input or from another result. */
function neededCopies(graph: Graph): Set<GraphNode> {
  const owners = ownersOf(graph)
  const needed = new Set<GraphNode>()
  for (const output of graph.body.results.slice(0, graph.outputs)) {
    const memory = base(output)
    if (memory.op !== 'copy') continue
    const owner = baseWithoutCopies(memory)
    if (owner.op === 'input' || owners.get(owner)! > 1 || repeatsOrReverses(memory)) needed.add(memory)
  }
  return needed
}

/** Drops every copy but those of results: these get a number, and one that only one result shows goes outside its views. */
export const dropInnerCopies: GraphPass = {
  name: 'drop inner copies',
  requires: 'a verified graph',
  guarantees:
    'copies stand at results only, outside of all views or below the views of several results; each is numbered',
  run: graph => {
    const needed = [...neededCopies(graph)]
    const dropped = rebuild(graph, 'drop inner copies', (b, node, inputs) => {
      if (node.op !== 'copy') return remake(b, node, inputs)
      const memory = needed.indexOf(node)
      if (memory < 0) return inputs[0]!
      const [input] = inputs as [GraphNode]
      return b.withOrigin(node.origin, () => b.node('copy', [input], { memory }))
    })
    const hoisted = new Set(graph.body.results.slice(0, graph.outputs).filter(hasDroppedCopy(needed)))
    return withOuterCopies(dropped, graph, [...hoisted], needed.length)
  },
}

const hasDroppedCopy = (needed: readonly GraphNode[]) => (result: GraphNode) => {
  const memory = base(result)
  return memory.op === 'copy' && !needed.includes(memory)
}

/** `graph` with a copy around each result that is one of `hoisted` in `original`. */
function withOuterCopies(graph: Graph, original: Graph, hoisted: readonly GraphNode[], first: number): Graph {
  const b = graphBuilder()
  const renamed = new Map<GraphNode, GraphNode>()
  for (const node of nodesOf(graph.body)) {
    renamed.set(
      node,
      remake(
        b,
        node,
        node.inputs.map(input => renamed.get(input)!),
      ),
    )
  }
  const results = graph.body.results.map((result, i) => {
    const at = i < graph.outputs ? hoisted.indexOf(original.body.results[i]!) : -1
    const made = renamed.get(result)!
    return at < 0 ? made : b.withOrigin(result.origin, () => b.node('copy', [made], { memory: first + at }))
  })
  const params = graph.body.params.map(param => renamed.get(param)!)
  return { ...graph, body: b.finish(results, params) }
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

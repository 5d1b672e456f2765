/** Gradient nodes become the primitives that compute the gradients. */
import { ownNodesOf } from '../../ir/walk.js'
import { mapBlocks } from '../blocks.js'
import type { Graph, GraphNode } from '../ir.js'
import { type GraphPass, rebuild, remake } from '../passes/pass.js'
import { vjp } from './modes.js'
import { zerosLike } from './rule.js'
import { oneLoop } from './steps.js'

type GradientNode = Extract<GraphNode, { op: 'gradient' }>

const isGradient = (node: GraphNode): node is GradientNode => node.op === 'gradient'

/** Whether a graph, or a block in it, asks for gradients. */
export const holdsGradients = ({ body }: Graph): boolean => nodesWithBlocks(body).some(isGradient)

const nodesWithBlocks = (block: Graph['body']): readonly GraphNode[] =>
  ownNodesOf(block).flatMap(node => [node, ...node.blocks.flatMap(nodesWithBlocks)])

/**
 * Replaces the gradient nodes, which are met inner ones first: a gradient of a gradient is that of primitives.
 */
function expanded(graph: Graph): Graph {
  if (!holdsGradients(graph)) return graph
  const found = new Map<GraphNode, readonly GraphNode[]>()
  return rebuild(mapBlocks(graph, expanded), 'expand gradients', (b, node, inputs) => {
    if (isGradient(node)) {
      const { roots } = node.attrs
      const wrt = inputs.slice(2 * roots)
      const call = { outputs: inputs.slice(0, roots), cotangents: inputs.slice(roots, 2 * roots), inputs: wrt }
      found.set(
        node,
        vjp(b, call).map((gradient, i) => gradient ?? zerosLike(b, wrt[i]!)),
      )
      return found.get(node)![0]!
    }
    const given = node.op === 'item' ? found.get(node.inputs[0]!) : undefined
    return node.op === 'item' && given !== undefined ? given[node.attrs.index]! : remake(b, node, inputs)
  })
}

export const expandGradients: GraphPass = {
  name: 'expand gradients',
  requires: 'a verified graph',
  guarantees:
    'no gradient node; an attention and its log-sum-exp are one node, and so are a loop and what its gradient reads of it',
  run: graph => oneLoop(holdsGradients(graph) ? oneAttention(expanded(graph)) : graph),
}

/** Attention whose log-sum-exp the gradient asked for gives it beside the result. */
function oneAttention(graph: Graph): Graph {
  const keyOf = ({ inputs, attrs }: GraphNode): string => {
    const { lse: _, ...rest } = attrs as { readonly lse?: true }
    return `${inputs.map(({ id }) => id).join()}${JSON.stringify(rest)}`
  }
  const nodes = ownNodesOf(graph.body)
  const both = new Set(nodes.flatMap(node => (node.op === 'attention' && node.attrs.lse ? [keyOf(node)] : [])))
  if (both.size === 0) return graph
  return rebuild(graph, 'expand gradients', (b, node, inputs) => {
    if (node.op !== 'attention' || node.attrs.lse || !both.has(keyOf(node))) return remake(b, node, inputs)
    return b.withOrigin(node.origin, () => {
      const whole = b.node('attention', inputs, { ...node.attrs, lse: true })
      return b.node('item', [whole], { index: 0 })
    })
  })
}

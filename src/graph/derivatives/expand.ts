/** Gradient nodes become the primitives that compute the gradients. */
import { ownNodesOf } from '../../ir/walk.js'
import { mapBlocks } from '../blocks.js'
import type { Graph, GraphNode } from '../ir.js'
import { type GraphPass, rebuild, remake } from '../passes/pass.js'
import { vjp } from './modes.js'
import { type BackwardMemory, noMemory, sumOfMemory, withRecomputation } from './recompute.js'
import { zerosLike } from './rule.js'
import { oneLoop } from './steps.js'

type GradientNode = Extract<GraphNode, { op: 'gradient' }>

const isGradient = (node: GraphNode): node is GradientNode => node.op === 'gradient'

/** Whether a graph, or a block in it, asks for gradients. */
export const holdsGradients = ({ body }: Graph): boolean => nodesWithBlocks(body).some(isGradient)

const nodesWithBlocks = (block: Graph['body']): readonly GraphNode[] =>
  ownNodesOf(block).flatMap(node => [node, ...node.blocks.flatMap(nodesWithBlocks)])

/** A graph without gradient nodes, and what their backward passes keep. */
export interface Expanded {
  readonly graph: Graph
  readonly memory: BackwardMemory
}

/**
 * Replaces the gradient nodes, which are met inner ones first: a gradient of a gradient is that of primitives. What is cheap is
 * computed again for them.
 */
export function expandedGradients(graph: Graph): Expanded {
  if (!holdsGradients(graph)) return { graph: oneLoop(graph), memory: noMemory }
  const found = new Map<GraphNode, readonly GraphNode[]>()
  let memory = noMemory
  const made = rebuild(
    mapBlocks(graph, block => expandedGradients(block).graph),
    'expand gradients',
    (b, node, inputs) => {
      if (isGradient(node)) {
        const { roots } = node.attrs
        const wrt = inputs.slice(2 * roots)
        const given = inputs.slice(roots, 2 * roots)
        const seeds = given.map(seed => b.node('variable', [seed], { of: 'seed', index: b.nextId }))
        const slopes = vjp(b, { outputs: inputs.slice(0, roots), cotangents: seeds, inputs: wrt })
        const less = withRecomputation(b, slopes, new Set(seeds))
        memory = sumOfMemory(memory, less.memory)
        found.set(
          node,
          less.gradients.map((gradient, i) => gradient ?? zerosLike(b, wrt[i]!)),
        )
        return found.get(node)![0]!
      }
      const given = node.op === 'item' ? found.get(node.inputs[0]!) : undefined
      return node.op === 'item' && given !== undefined ? given[node.attrs.index]! : remake(b, node, inputs)
    },
  )
  return { graph: oneLoop(oneAttention(made)), memory }
}

export const expandGradients: GraphPass = {
  name: 'expand gradients',
  requires: 'a verified graph',
  guarantees:
    'no gradient node; an attention and its log-sum-exp are one node, and so are a loop and what its gradient reads of it',
  run: graph => expandedGradients(graph).graph,
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

/** Gradients that users give, and the variables that gradients are asked for by. */
import { type GraphBuilder, type GraphNode, typeOf } from '../ir.js'
import { type NodeOfOp, type Rule, type Slope, standIn, zerosLike } from './rule.js'
import { substituted } from './substitute.js'

export const variableRule: Rule<'variable'> = {
  reverse: ({ cotangents }) => cotangents,
  forward: ({ tangents }) => tangents,
}

type CustomNode = NodeOfOp<'custom'>

/** Those of its inputs that the function got. */
export const operandsOf = ({ inputs, attrs: { given } }: CustomNode): readonly GraphNode[] =>
  inputs.slice(0, given.length)

/** What a function with a gradient of its own gave. */
export function resultsOf(node: CustomNode | NodeOfOp<'region'>): readonly GraphNode[] {
  if (node.op === 'region') return node.inputs.slice(node.attrs.operands)
  const { given, results } = node.attrs
  return node.inputs.slice(given.length, given.length + results)
}

/**
 * The user's formulas of the operands' gradients with these cotangents put in; null for an operand without one. Each is linear in
 * the cotangents, as every gradient is.
 */
function gradientsFor(b: GraphBuilder, node: CustomNode, cotangents: readonly Slope[]): readonly Slope[] {
  const { given, results } = node.attrs
  const rest = node.inputs.slice(given.length + results)
  const outputs =
    results === 1 ? [node] : Array.from({ length: results }, (_, index) => b.node('item', [node], { index }))
  const put = new Map<GraphNode, GraphNode>()
  for (const [i, output] of outputs.entries()) {
    put.set(rest[i]!, output)
    put.set(rest[results + i]!, cotangents[i] ?? zerosLike(b, output))
  }
  const gradients = substituted(b, rest.slice(2 * results), put).values()
  return given.map(isGiven => (isGiven ? gradients.next().value! : null))
}

export const customRule: Rule<'custom'> = {
  reverse: ({ b, node, cotangents }) => gradientsFor(b, node, cotangents),
  // What is linear in the cotangents is the transpose of what is asked for; its derivative by them transposes it again.
  forward: ({ b, node, tangents, modes }) => {
    const seeds = resultsOf(node).map((result, index) => standIn(b, typeOf(result), index))
    const pulled = gradientsFor(b, node, seeds)
    const reached = pulled.flatMap((slope, i) => (slope === null || !tangents[i] ? [] : [i]))
    return modes.vjp(b, {
      outputs: reached.map(i => pulled[i]!),
      cotangents: reached.map(i => tangents[i]!),
      inputs: seeds,
    })
  },
}

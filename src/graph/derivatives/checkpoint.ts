/**
 * Checkpointed parts of a graph: regions that keep none of their values for the gradient but compute them again from their
 * operands (Chen et al., arXiv:1604.06174). The copy reads fences of the operands, which wait for the gradient of the results, so
 * that it neither merges with the values that it stands for nor is computed while those are.
 */
import type { GraphBuilder, GraphNode } from '../ir.js'
import { keptTogether } from '../record.js'
import type { Modes, NodeOfOp, Slope } from './rule.js'
import { substituted } from './substitute.js'

/** The name of regions whose values are computed again. */
export const checkpointName = 'checkpoint'

/**
 * Marks what computes `results` as a checkpoint: gives them as results of a region. `isOutside`: of the nodes that were there before;
 * those that the others use are its operands. Null: it has none, so no gradient flows through it.
 */
export function checkpointed(
  b: GraphBuilder,
  results: readonly GraphNode[],
  isOutside: (node: GraphNode) => boolean,
): readonly GraphNode[] | null {
  const operands = operandsOf(results, isOutside).map(node => ({ node, isNumber: false }))
  return operands.length === 0 ? null : keptTogether(b, checkpointName, {}, operands, results)
}

function operandsOf(results: readonly GraphNode[], isOutside: (node: GraphNode) => boolean): readonly GraphNode[] {
  const isOperand = (node: GraphNode): boolean => {
    if (node.op === 'input' || node.op === 'item') return node.op === 'input' || isOutside(node.inputs[0]!)
    return node.inputs.length > 0 && node.type.kind === 'tensor' && isOutside(node)
  }
  const found: GraphNode[] = []
  const seen = new Set(results)
  for (const node of seen) {
    if (isOperand(node)) found.push(node)
    else for (const input of node.inputs) seen.add(input)
  }
  return found.sort((one, other) => one.id - other.id)
}

/** The gradients of the operands of a checkpointed region, from its values computed again. */
export function recomputedGradients(
  b: GraphBuilder,
  { inputs, attrs }: NodeOfOp<'region'>,
  cotangents: readonly Slope[],
  needs: readonly boolean[],
  modes: Modes,
): readonly Slope[] {
  const operands = inputs.slice(0, attrs.operands)
  const after = cotangents.filter(slope => slope !== null)
  const fences = operands.map(operand => b.node('fence', [operand, ...after], {}))
  const values = new Map(operands.map((operand, i) => [operand, fences[i]!]))
  const outputs = substituted(b, inputs.slice(attrs.operands), values)
  const wanted = fences.filter((_, i) => needs[i])
  const found = modes.vjp(b, { outputs, cotangents, inputs: wanted }).values()
  return needs.map(need => (need ? found.next().value! : null))
}

/** Control-flow nodes built from functions that were traced as blocks; outer tensors that they use become operands. */
import { denseStrides } from '../../graph/apply.js'
import { type GraphBlock, type GraphBuilder, type GraphNode, graphDialect, typeOf } from '../../graph/ir.js'
import { transplant } from '../../ir/transplant.js'
import type { Tensor } from '../../tensor/tensor.js'

/** A function that was traced as a block. */
export interface TracedBlock {
  readonly body: GraphBlock
  /** The outer tensor that each param stands for; null for the first ones: values that a loop carries. */
  readonly operands: readonly (Tensor | null)[]
}

/** The graph in which the node is built. */
export interface ControlBuilder {
  readonly builder: GraphBuilder
  readonly nodeOf: (tensor: Tensor) => GraphNode
}

export function condNode(
  { builder, nodeOf }: ControlBuilder,
  predicate: GraphNode,
  branches: readonly TracedBlock[],
): GraphNode {
  const outside = outsideOf(branches)
  const nodes = outside.map(nodeOf)
  const blocks = branches.map(branch => closed(builder, branch, nodes, tensor => outside.indexOf(tensor)))
  return builder.node('cond', [predicate, ...nodes], {}, blocks)
}

/** `traced`: the condition and the body. */
export function loopNode(
  { builder, nodeOf }: ControlBuilder,
  carried: readonly Tensor[],
  traced: readonly TracedBlock[],
): GraphNode {
  const outside = outsideOf(traced)
  const nodes = [...carried, ...outside].map(nodeOf)
  const index = (tensor: Tensor): number => carried.length + outside.indexOf(tensor)
  const blocks = traced.map(block => closed(builder, block, nodes, index))
  return builder.node('loop', nodes, { carried: carried.length }, blocks)
}

const outsideOf = (blocks: readonly TracedBlock[]): Tensor[] => [
  ...new Set(blocks.flatMap(({ operands }) => operands.filter(operand => operand !== null))),
]

/** The block with a param for each operand of its node, so that it refers to nothing outside. */
function closed(
  b: GraphBuilder,
  { body, operands }: TracedBlock,
  nodes: readonly GraphNode[],
  index: (tensor: Tensor) => number,
): GraphBlock {
  const params = nodes.map((node, index) => {
    const { dtype, shape } = typeOf(node)
    return b.node('input', [], { index, name: `operand${index}`, dtype, shape, strides: denseStrides(shape) })
  })
  const replaced = new Map(operands.map((tensor, i) => [body.params[i]!, params[tensor === null ? i : index(tensor)]!]))
  return b.block(params, () => transplant(graphDialect, b, body, node => replaced.get(node) ?? null))
}

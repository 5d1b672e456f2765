/** Control-flow nodes built from functions that were traced as blocks; outer tensors that they use become operands. */
import { denseStrides } from '../../graph/apply.js'
import { elementType, nameOfBody } from '../../graph/derivatives/steps.js'
import {
  type GraphBlock,
  type GraphBuilder,
  type GraphNode,
  graphDialect,
  type StepsAttrs,
  type TensorType,
  typeOf,
} from '../../graph/ir.js'
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
  const types = nodes.map(typeOf)
  const blocks = branches.map(branch => closed(builder, branch, types, tensor => outside.indexOf(tensor)))
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
  const types = nodes.map(typeOf)
  const blocks = traced.map(block => closed(builder, block, types, index))
  return builder.node('loop', nodes, { carried: carried.length }, blocks)
}

/** `operands`: the carried values, then the sequences. */
export function stepsNode(
  { builder, nodeOf }: ControlBuilder,
  operands: readonly Tensor[],
  traced: TracedBlock,
  attrs: StepsAttrs,
): GraphNode {
  const outside = outsideOf([traced])
  const nodes = [...operands, ...outside].map(nodeOf)
  const isSequence = (i: number): boolean => i >= attrs.carried && i < operands.length
  const types = nodes.map((node, i) => (isSequence(i) ? elementType(typeOf(node)) : typeOf(node)))
  const block = closed(builder, traced, types, tensor => operands.length + outside.indexOf(tensor))
  return builder.node('steps', nodes, { ...attrs, body: nameOfBody(block) }, [block])
}

const outsideOf = (blocks: readonly TracedBlock[]): Tensor[] => [
  ...new Set(blocks.flatMap(({ operands }) => operands.filter(operand => operand !== null))),
]

/** The block with a param for each operand of its node, so that it refers to nothing outside. */
function closed(
  b: GraphBuilder,
  { body, operands }: TracedBlock,
  types: readonly TensorType[],
  index: (tensor: Tensor) => number,
): GraphBlock {
  const params = types.map(({ dtype, shape }, index) => {
    return b.node('input', [], { index, name: `operand${index}`, dtype, shape, strides: denseStrides(shape) })
  })
  const replaced = new Map(operands.map((tensor, i) => [body.params[i]!, params[tensor === null ? i : index(tensor)]!]))
  return b.block(params, () => transplant(graphDialect, b, body, node => replaced.get(node) ?? null))
}

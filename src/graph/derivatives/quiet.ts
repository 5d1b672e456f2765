/** Tensors that were changed in place without being recorded: their gradients flow where they flowed before. */
import type { GraphBuilder, GraphNode } from '../ir.js'
import type { NodeOfOp } from './rule.js'

/** The name of regions of a value and the one before it. */
export const quietName = 'changedQuietly'

/** `value`, to which gradients flow as to `before`. */
export const changedQuietly = (b: GraphBuilder, before: GraphNode, value: GraphNode): GraphNode =>
  b.node('region', [before, value], { name: quietName, attrs: {}, operands: 1 })

export const isChangedQuietly = (node: GraphNode): node is NodeOfOp<'region'> =>
  node.op === 'region' && node.attrs.name === quietName

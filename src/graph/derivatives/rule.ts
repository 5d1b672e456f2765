/** What the derivative of a graph primitive is: the two linear maps at a node, one per mode. */
import { type Dtype, isFloat, isFloat8 } from '../../types/dtype.js'
import { castTo, dtypeOf, full, map, reduce, reshapeTo, shapeOf, toCompute } from '../build.js'
import type { GraphBuilder, GraphNode, GraphOpName, Shape, TensorType } from '../ir.js'
import { surelyEqual } from '../sizes.js'

export type NodeOfOp<Op extends GraphOpName> = Extract<GraphNode, { op: Op }>

/** A gradient or tangent; null stands for zeros. */
export type Slope = GraphNode | null

/** The two modes on a graph's nodes, for rules whose nodes stand for a formula or hold graphs. */
export interface Modes {
  vjp(
    b: GraphBuilder,
    call: {
      readonly outputs: readonly GraphNode[]
      readonly cotangents: readonly Slope[]
      readonly inputs: readonly GraphNode[]
    },
  ): readonly Slope[]
  jvp(
    b: GraphBuilder,
    call: {
      readonly outputs: readonly GraphNode[]
      readonly inputs: readonly GraphNode[]
      readonly tangents: readonly Slope[]
    },
  ): readonly Slope[]
}

export interface ReverseCall<Op extends GraphOpName> {
  readonly b: GraphBuilder
  readonly node: NodeOfOp<Op>
  /** One per result, of its type. At least one is not null. */
  readonly cotangents: readonly Slope[]
  /** Which inputs' gradients are asked for. */
  readonly needs: readonly boolean[]
  readonly modes: Modes
}

export interface ForwardCall<Op extends GraphOpName> {
  readonly b: GraphBuilder
  readonly node: NodeOfOp<Op>
  /** One per input, of its type. At least one is not null. */
  readonly tangents: readonly Slope[]
  readonly modes: Modes
}

/**
 * `reverse`: the gradients of the inputs, each of its input's type. `forward`: the tangents of the results. Both append nodes
 * to `b`, where the node itself stands.
 */
export interface Rule<Op extends GraphOpName> {
  reverse(call: ReverseCall<Op>): readonly Slope[]
  forward(call: ForwardCall<Op>): readonly Slope[]
}

/** Whether values of a dtype have derivatives: 8-bit floats are codes, which quantisation differentiates around. */
export const isSmooth = (dtype: Dtype): boolean => isFloat(dtype) && !isFloat8(dtype)

export const isSmoothType = ({ dtype }: TensorType): boolean => isSmooth(dtype)

export const zerosOf = (b: GraphBuilder, { dtype, shape }: TensorType): GraphNode => full(b, dtype, shape, 0)

export const zerosLike = (b: GraphBuilder, node: GraphNode): GraphNode => full(b, dtypeOf(node), shapeOf(node), 0)

/** The sum of tensors of one type, rounded once. */
export function sumOf(b: GraphBuilder, terms: readonly GraphNode[]): GraphNode {
  const [first, ...more] = terms as readonly [GraphNode, ...GraphNode[]]
  if (more.length === 0) return first
  const total = more.reduce((sum, term) => map(b, 'add', sum, toCompute(b, term)), toCompute(b, first))
  return castTo(b, total, dtypeOf(first))
}

/** The sum of what is not zero, or null. */
export function sumOrNull(b: GraphBuilder, terms: readonly Slope[]): Slope {
  const given = terms.filter(term => term !== null)
  return given.length === 0 ? null : sumOf(b, given)
}

/** Σ over dims, which are dropped; narrow floats are summed in f32 and rounded once. */
export const summed = (b: GraphBuilder, node: GraphNode, dims: readonly number[]): GraphNode =>
  dims.length === 0 ? node : castTo(b, reduce(b, 'add', toCompute(b, node), dims), dtypeOf(node))

/** Summed over the dims along which a tensor of shape `to` was broadcast to the node's shape. */
export function sumTo(b: GraphBuilder, node: GraphNode, to: Shape): GraphNode {
  const from = shapeOf(node)
  const lead = from.length - to.length
  const dims = from.flatMap((size, d) =>
    d < lead || (surelyEqual(to[d - lead]!, 1) && !surelyEqual(size, 1)) ? [d] : [],
  )
  return reshapeTo(b, summed(b, node, dims), to)
}

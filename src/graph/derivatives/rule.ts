/** What the derivative of a graph primitive is: the two linear maps at a node, one per mode. */
import { type Size, subSizes } from '../../scalar/size.js'
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

/** A value of the type that a rule puts others for. `index` tells those of one rule apart; they are in none of its results. */
export const standIn = (b: GraphBuilder, type: TensorType, index: number): GraphNode =>
  b.node('variable', [zerosOf(b, type)], { of: 'standIn', index })

export const zerosLike = (b: GraphBuilder, node: GraphNode): GraphNode => full(b, dtypeOf(node), shapeOf(node), 0)

/** The sum of tensors of one type, rounded once. */
export function sumOf(b: GraphBuilder, terms: readonly GraphNode[]): GraphNode {
  const [first, ...more] = joinedParts(b, terms) as readonly [GraphNode, ...GraphNode[]]
  if (more.length === 0) return first
  const total = more.reduce((sum, term) => map(b, 'add', sum, toCompute(b, term)), toCompute(b, first))
  return castTo(b, total, dtypeOf(first))
}

/** Terms that are parts of a tensor, with zeros around them, along one dim. */
interface Part {
  readonly node: GraphNode
  readonly dim: number
  readonly start: number
  readonly end: number
}

/** From so many parts on, one tensor is made of them. Two are added where they are used, in one kernel. */
const fewestJoined = 3

/**
 * The terms with disjoint slices joined: a tensor that was cut into parts gets their gradients side by side, not a sum of as
 * many tensors of its size.
 */
function joinedParts(b: GraphBuilder, terms: readonly GraphNode[]): readonly GraphNode[] {
  if (terms.length < fewestJoined) return terms
  const parts = terms.flatMap(node => partOf(node) ?? [])
  const dim = parts[0]?.dim
  const own = parts.filter(part => part.dim === dim).sort((one, other) => one.start - other.start)
  const isDisjoint = own.every(({ start }, i) => i === 0 || start >= own[i - 1]!.end)
  if (dim === undefined || own.length < fewestJoined || !isDisjoint) return terms
  const shape = shapeOf(terms[0]!)
  const pieces: GraphNode[] = []
  let at = 0
  const fill = (to: Size): void => {
    const missing = subSizes(to, at)
    if (missing !== 0) pieces.push(full(b, dtypeOf(terms[0]!), shape.with(dim, missing) as Shape, 0))
  }
  for (const { node, start, end } of own) {
    fill(start)
    pieces.push(node.inputs[0]!)
    at = end
  }
  fill(shape[dim]!)
  const joined = own.map(({ node }) => node)
  return [b.node('cat', pieces, { dim }), ...terms.filter(term => !joined.includes(term))]
}

/** null: it is no part, or its place is known only at run time. */
function partOf(node: GraphNode): Part | null {
  if (node.op !== 'pad' || node.attrs.value !== 0) return null
  const { before, after } = node.attrs
  const [dim, ...more] = before.flatMap((size, d) => (size > 0 || after[d]! > 0 ? [d] : []))
  const size = dim === undefined ? null : shapeOf(node.inputs[0]!)[dim]
  if (dim === undefined || more.length > 0 || typeof size !== 'number') return null
  return { node, dim, start: before[dim]!, end: before[dim]! + size }
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

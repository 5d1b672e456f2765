/** What view records share: one input, one result, a reference on row-major arrays. */
import type { Attrs } from '../../ir/node.js'
import type { GraphBuilder, GraphNode, Shape } from '../ir.js'
import { type Gradient, type HostTensor, type OpInput, op, type Value } from '../record.js'

/** A view: `build` on the one input's node. */
export function view<Params extends readonly unknown[], A extends Attrs>(definition: {
  readonly name: string
  readonly summary: string
  readonly call: (...params: Params) => { readonly inputs: readonly Value[]; readonly attrs: A }
  readonly build: (b: GraphBuilder, node: GraphNode, attrs: A) => GraphNode
  readonly reference: (input: HostTensor, attrs: A) => HostTensor
  readonly gradient: Gradient<A>
}) {
  const { build, reference } = definition
  return op<Params, A, null>({
    ...definition,
    category: 'view',
    results: null,
    build: (b: GraphBuilder, [input]: readonly OpInput[], attrs: A) => [build(b, input!.node, attrs)],
    reference: ([input]: readonly HostTensor[], attrs: A) => [reference(input!, attrs)],
  })
}

export const viewCall = <A extends Attrs>(self: Value, attrs: A) => ({ inputs: [self], attrs })

/** The gradient in the input's own shape: right for every op that keeps the row-major order. */
export const reshapeBack: Gradient<Attrs> = ({ inputs, outputGradients, op, shapeOf }) => [
  op('reshape', outputGradients[0], shapeOf(inputs[0]!)),
]

export const numbers = (shape: Shape): readonly number[] => shape as readonly number[]

export type PermuteAttrs = { readonly dims: readonly number[] }

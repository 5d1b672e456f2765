/** Applies an op's gradient rule on a graph: gradients of its inputs as nodes. */
import { InternalError } from '../base/errors.js'
import type { Attrs } from '../ir/node.js'
import { isFloat } from '../types/dtype.js'
import { applyRecord, asNode, asValue } from './apply.js'
import { castTo, dtypeOf, reduce, reshapeTo, shapeOf } from './build.js'
import type { GraphBuilder, GraphNode } from './ir.js'
import { type GradientContext, isTensor, type OperandValue, type OpRecord } from './record.js'
import { surelyEqual } from './sizes.js'

/** Sums a gradient over the dims along which its input was broadcast, and casts it to the input's dtype. */
function fitGradient(b: GraphBuilder, gradient: GraphNode, input: GraphNode): GraphNode {
  const [from, to] = [shapeOf(gradient), shapeOf(input)]
  const lead = from.length - to.length
  const dims = from.flatMap((size, d) => (d < lead || (to[d - lead] === 1 && !surelyEqual(size, 1)) ? [d] : []))
  return castTo(b, reshapeTo(b, reduce(b, 'add', gradient, dims), to), dtypeOf(input))
}

/**
 * The gradients of an op's inputs (null: none flows there) for given gradients of its outputs. Throws InternalError when
 * the record has no gradient rule.
 */
export function inputGradients(
  b: GraphBuilder,
  record: OpRecord,
  find: (name: string) => OpRecord | undefined,
  call: {
    readonly inputs: readonly OperandValue[]
    readonly outputs: readonly GraphNode[]
    readonly outputGradients: readonly GraphNode[]
    readonly attrs: Attrs
  },
): readonly (GraphNode | null)[] {
  if (record.gradient === 'none' || !call.outputs.some(output => isFloat(dtypeOf(output))))
    return call.inputs.map(() => null)
  if (record.gradient === 'later') throw new InternalError(`${record.name}: its gradient is not written yet`)
  const context: GradientContext<Attrs> = {
    inputs: call.inputs,
    outputs: call.outputs.map(asValue),
    outputGradients: call.outputGradients.map(asValue),
    attrs: call.attrs,
    op: (name, ...args) => {
      const other = find(name)
      if (other === undefined) throw new InternalError(`${record.name}: its gradient uses '${name}', which is no op`)
      return asValue(applyRecord(b, other, args)[0]!)
    },
    shapeOf: value => (isTensor(value) ? shapeOf(asNode(value)) : []),
    dtypeOf: value => dtypeOf(asNode(value)),
    sizeOperand: size => size,
  }
  return record.gradient(context).map((gradient, i) => {
    const input = call.inputs[i]
    if (gradient === null || input === undefined || !isTensor(input) || !isFloat(dtypeOf(asNode(input)))) return null
    return fitGradient(b, asNode(gradient), asNode(input))
  })
}

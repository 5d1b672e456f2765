/** Gradients of whole ops: a record's own gradient, where the one derived from its formula is unstable or slow. */
import { InternalError } from '../../base/errors.js'
import type { Attrs } from '../../ir/node.js'
import { applyRecord, asNode, asValue } from '../apply.js'
import { castTo, dtypeOf, shapeOf, toCompute } from '../build.js'
import type { GraphBuilder, GraphNode } from '../ir.js'
import { formulaGradients } from '../ops/formulas.js'
import { findRecord } from '../ops/index.js'
import { lossGradients } from '../ops/losses.js'
import { type Float8Attrs, float8ProductGradient, float8ProductTangent } from '../quant/float8.js'
import type { Gradient, GradientContext, Value } from '../record.js'
import { checkpointName, recomputedGradients } from './checkpoint.js'
import { isSmooth, type Modes, type NodeOfOp, type Slope, sumTo, zerosLike } from './rule.js'

/** The gradients of a region's operands, each of its operand's type. */
export type Override = (
  b: GraphBuilder,
  cotangents: readonly Slope[],
  needs: readonly boolean[],
  modes: Modes,
) => readonly Slope[]

const inner: { readonly [name: string]: Gradient<never> } = {
  ...formulaGradients,
  ...lossGradients,
  float8Product: float8ProductGradient,
  fakeQuantize: ({ inputs, outputGradients }) => inputs.map((_, i) => (i === 0 ? outputGradients[0]! : null)),
}

type Tangent = (b: GraphBuilder, inputs: readonly GraphNode[], tangents: readonly Slope[], attrs: never) => Slope

/** The tangents of regions that round to few bits: those of their formulas are 0. */
const tangentsOf: { readonly [name: string]: Tangent } = {
  float8Product: (b, inputs, tangents, attrs: Float8Attrs) => float8ProductTangent(b, inputs, tangents, attrs),
  fakeQuantize: (_, __, [tangent]) => tangent!,
}

/** The tangent of a region's result, from those of its operands; null: that of its formula. */
export function tangentOf({
  attrs,
  inputs,
}: NodeOfOp<'region'>): ((b: GraphBuilder, tangents: readonly Slope[]) => Slope) | null {
  const { name, operands } = attrs
  const tangent = Object.hasOwn(tangentsOf, name) ? tangentsOf[name]! : null
  return tangent && ((b, tangents) => tangent(b, inputs.slice(0, operands), tangents, attrs.attrs as never))
}

/** null: the region's op has no gradient of its own. */
export function overrideOf(node: NodeOfOp<'region'>): Override | null {
  const { name } = node.attrs
  if (name === checkpointName)
    return (b, cotangents, needs, modes) => recomputedGradients(b, node, cotangents, needs, modes)
  const gradient = findRecord(name)?.gradient ?? (inner[name] as Gradient<Attrs> | undefined)
  if (typeof gradient !== 'function') return null
  return (b, cotangents, needs) => {
    const { attrs, operands } = node.attrs
    const inputs = node.inputs.slice(0, operands)
    const results = node.inputs.slice(operands)
    const outputs = results.length === 1 ? [node] : results.map((_, index) => b.node('item', [node], { index }))
    const context: GradientContext<Attrs> = {
      b,
      inputs: inputs.map(input => inCompute(b, input)),
      outputs: outputs.map(output => inCompute(b, output)),
      outputGradients: cotangents.map((slope, i) => inCompute(b, slope ?? zerosLike(b, results[i]!))),
      needs,
      attrs,
      op: (other, ...args) => asValue(applyRecord(b, recordOf(name, other), args)[0]!),
      shapeOf: value => shapeOf(asNode(value)),
      dtypeOf: value => dtypeOf(asNode(value)),
    }
    return gradient(context).map((slope, i) =>
      slope === null || !needs[i] ? null : fittedTo(b, asNode(slope), inputs[i]!),
    )
  }
}

function recordOf(name: string, other: string) {
  const record = findRecord(other)
  if (record === undefined) throw new InternalError(`${name}: its gradient uses '${other}', which is no op`)
  return record
}

/** Floats in their compute dtype: the gradient is rounded once. */
const inCompute = (b: GraphBuilder, node: GraphNode): Value =>
  asValue(isSmooth(dtypeOf(node)) ? toCompute(b, node) : node)

/** Summed over the dims along which the operand was broadcast, in the operand's dtype. */
const fittedTo = (b: GraphBuilder, slope: GraphNode, input: GraphNode): GraphNode =>
  castTo(b, sumTo(b, slope, shapeOf(input)), dtypeOf(input))

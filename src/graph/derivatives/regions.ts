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
import { productSlopeName, slopesByProducts } from './folds.js'
import { quietName } from './quiet.js'
import { isSmooth, type Modes, type NodeOfOp, type Slope, sumTo, zerosLike } from './rule.js'

/** The gradients of a region's operands, each of its operand's type. */
type Override = (
  b: GraphBuilder,
  cotangents: readonly Slope[],
  needs: readonly boolean[],
  modes: Modes,
) => readonly Slope[]

type Tangent = (b: GraphBuilder, inputs: readonly GraphNode[], tangents: readonly Slope[], attrs: never) => Slope

/** Regions whose gradients are not those of their formulas at all, which rewriting must therefore not see through. */
interface OpaqueRegion {
  readonly gradient: Gradient<never> | 'of values computed again'
  /** The tangent of the result; null: that of the formula. */
  readonly tangent: Tangent | null
}

const opaqueRegions: { readonly [name: string]: OpaqueRegion } = {
  [quietName]: { gradient: ({ outputGradients }) => outputGradients, tangent: null },
  [checkpointName]: { gradient: 'of values computed again', tangent: null },
  // Formulas that round to few bits have slopes of 0.
  float8Product: {
    gradient: float8ProductGradient,
    tangent: (b, inputs, tangents, attrs: Float8Attrs) => float8ProductTangent(b, inputs, tangents, attrs),
  },
  fakeQuantize: {
    gradient: ({ inputs, outputGradients }) => inputs.map((_, i) => (i === 0 ? outputGradients[0]! : null)),
    tangent: (_, __, [tangent]) => tangent!,
  },
}

/** Regions that are differentiated, in both modes, as another formula for the same result. */
const otherFormulas: {
  readonly [name: string]: (b: GraphBuilder, operands: readonly GraphNode[], attrs: never) => GraphNode
} = { [productSlopeName]: slopesByProducts }

/** The other formula, of fences of the operands: derivatives end at these, also where one operand depends on another. null: there is none. */
function otherFormulaOf({ inputs, attrs: { name, attrs, operands } }: NodeOfOp<'region'>) {
  const formula = Object.hasOwn(otherFormulas, name) ? otherFormulas[name]! : null
  if (formula === null) return null
  return (b: GraphBuilder) => {
    const fences = inputs.slice(0, operands).map(operand => b.node('fence', [operand], {}))
    return { inputs: fences, outputs: [formula(b, fences, attrs as never)] }
  }
}

const innerGradients: { readonly [name: string]: Gradient<never> } = { ...formulaGradients, ...lossGradients }

const opaqueOf = ({ attrs: { name } }: NodeOfOp<'region'>): OpaqueRegion | null =>
  Object.hasOwn(opaqueRegions, name) ? opaqueRegions[name]! : null

/** The formula of a region with one result, as which rewriting may see it; null: it is none, or is to be left as it is. */
export const formulaOf = (node: GraphNode): GraphNode | null =>
  node.op === 'region' && node.type.kind === 'tensor' && opaqueOf(node) === null
    ? node.inputs[node.attrs.operands]!
    : null

/** The tangent of a region's result, from those of its operands; null: that of its formula. */
export function tangentOf(
  node: NodeOfOp<'region'>,
): ((b: GraphBuilder, tangents: readonly Slope[], modes: Modes) => Slope) | null {
  const other = otherFormulaOf(node)
  if (other !== null) return (b, tangents, modes) => modes.jvp(b, { ...other(b), tangents })[0]!
  const tangent = opaqueOf(node)?.tangent ?? null
  const { operands, attrs } = node.attrs
  return tangent && ((b, tangents) => tangent(b, node.inputs.slice(0, operands), tangents, attrs as never))
}

/** null: the region's op has no gradient of its own. */
export function overrideOf(node: NodeOfOp<'region'>): Override | null {
  const { name } = node.attrs
  const other = otherFormulaOf(node)
  if (other !== null) return (b, cotangents, _, modes) => modes.vjp(b, { ...other(b), cotangents })
  const own = opaqueOf(node)?.gradient ?? innerGradients[name]
  if (own === 'of values computed again')
    return (b, cotangents, needs, modes) => recomputedGradients(b, node, cotangents, needs, modes)
  const gradient = findRecord(name)?.gradient ?? (own as Gradient<Attrs> | undefined)
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

/** Reverse and forward mode on a graph under construction: walks from results to inputs, or back, by the table's rules. */
import { InternalError } from '../../base/errors.js'
import { sameShape } from '../../scalar/size.js'
import { dtypeOf, reshapeTo, shapeOf } from '../build.js'
import { type GraphBuilder, type GraphNode, printType } from '../ir.js'
import { operandsOf } from './custom.js'
import { overrideOf, tangentOf } from './regions.js'
import {
  type ForwardCall,
  isSmoothType,
  type Modes,
  type ReverseCall,
  type Rule,
  type Slope,
  sumOrNull,
  zerosLike,
} from './rule.js'
import { derivatives } from './table.js'

/** A call of reverse mode. */
export interface ReverseMode {
  readonly outputs: readonly GraphNode[]
  /** One per output, of its type; null: zeros. */
  readonly cotangents: readonly Slope[]
  readonly inputs: readonly GraphNode[]
}

/** A call of forward mode. */
export interface ForwardMode {
  readonly outputs: readonly GraphNode[]
  readonly inputs: readonly GraphNode[]
  /** One per input, of its type; null: zeros. */
  readonly tangents: readonly Slope[]
}

type AnyRule = Rule<GraphNode['op']>

/** Whether a value has derivatives; a tuple may. */
const isValue = ({ type }: GraphNode): boolean => type.kind === 'tuple' || isSmoothType(type)

/** The inputs through which derivatives flow into a node: past the body of a region with a rule of its own for the mode. */
function edgesOf(node: GraphNode, mode: 'reverse' | 'forward'): readonly GraphNode[] {
  if (!isValue(node) || derivatives[node.op] === 'none') return []
  if (node.op === 'custom') return operandsOf(node).filter((input, i) => node.attrs.given[i] && isValue(input))
  if (node.op !== 'region') return node.inputs.filter(isValue)
  const { operands } = node.attrs
  const isOverridden = (mode === 'reverse' ? overrideOf(node) : tangentOf(node)) !== null
  return (isOverridden ? node.inputs.slice(0, operands) : node.inputs.slice(operands)).filter(isValue)
}

/** The inputs through which a gradient flows into a node. */
export const flowsInto = (node: GraphNode): readonly GraphNode[] => edgesOf(node, 'reverse')

interface Flow {
  /** The nodes on ways from the inputs to the outputs, inputs first. */
  readonly nodes: readonly GraphNode[]
  /** Whether the node depends on an input. */
  has(node: GraphNode): boolean
  /** Which of the inputs an output depends on. */
  readonly reached: readonly boolean[]
}

function flowOf(outputs: readonly GraphNode[], inputs: readonly GraphNode[], mode: 'reverse' | 'forward'): Flow {
  const edges = new Map<GraphNode, readonly GraphNode[]>()
  const stack = outputs.filter(isValue)
  while (stack.length > 0) {
    const node = stack.pop()!
    if (edges.has(node)) continue
    const own = edgesOf(node, mode)
    edges.set(node, own)
    for (const input of own) if (!edges.has(input)) stack.push(input)
  }
  const wanted = new Set(inputs)
  const active = new Set<GraphNode>()
  const nodes = [...edges.keys()].sort((a, b) => a.id - b.id)
  for (const node of nodes) if (wanted.has(node) || edges.get(node)!.some(input => active.has(input))) active.add(node)
  return {
    nodes: nodes.filter(node => active.has(node)),
    has: node => active.has(node),
    reached: inputs.map(input => isValue(input) && edges.has(input)),
  }
}

/** Which of the inputs get a gradient from the outputs, known without building it. */
export const flows = (outputs: readonly GraphNode[], inputs: readonly GraphNode[]): readonly boolean[] =>
  flowOf(outputs, inputs, 'reverse').reached

/** Which of the outputs a gradient flows from to some of the inputs. */
export function dependents(outputs: readonly GraphNode[], inputs: readonly GraphNode[]): readonly boolean[] {
  const flow = flowOf(outputs, inputs, 'reverse')
  return outputs.map(output => flow.has(output))
}

const resultCount = ({ type }: GraphNode): number => (type.kind === 'tuple' ? type.items.length : 1)

/** The slope in the spelling of its node's type. Throws InternalError when it is of another type. */
function fitted(b: GraphBuilder, slope: GraphNode, node: GraphNode, user: GraphNode): GraphNode {
  if (slope.type === node.type) return slope
  const [own, wanted] = [shapeOf(slope), shapeOf(node)]
  const differs = own.some((size, d) => typeof size === 'number' && typeof wanted[d] === 'number' && size !== wanted[d])
  if (own.length !== wanted.length || differs || dtypeOf(slope) !== dtypeOf(node))
    throw new InternalError(`derivative of ${user.op}: ${printType(slope.type)} for ${printType(node.type)}`, {
      at: user.origin.at ?? undefined,
    })
  // Sizes that are equal in every call may be different formulas.
  return sameShape(own, wanted) ? slope : reshapeTo(b, slope, wanted)
}

const ruleOf = (node: GraphNode): AnyRule => {
  const rule = derivatives[node.op]
  if (typeof rule === 'string') throw new InternalError(`derivative: ${node.op} among nodes to be differentiated`)
  return rule as AnyRule
}

const originOf = ({ origin: { at, pass } }: GraphNode): GraphNode['origin'] => ({ at, pass: `${pass}Backward` })

// --- reverse mode ------------------------------------------------------------------------------------------------------------

/**
 * The gradients of Σ outputs · cotangents with respect to each of `inputs`, of its type; null: none flows there. Appends
 * nodes to `b`, in which the outputs stand. Gradients of narrow floats are computed in f32 and rounded per tensor.
 */
export function vjp(b: GraphBuilder, { outputs, cotangents, inputs }: ReverseMode): readonly Slope[] {
  const flow = flowOf(outputs, inputs, 'reverse')
  const terms = new Map<GraphNode, GraphNode[][]>()
  const add = (node: GraphNode, index: number, slope: Slope, user: GraphNode): void => {
    if (slope === null || !flow.has(node)) return
    const lists = terms.get(node) ?? Array.from({ length: resultCount(node) }, () => [])
    lists[index]!.push(node.type.kind === 'tensor' ? fitted(b, slope, node, user) : slope)
    terms.set(node, lists)
  }
  for (const [i, output] of outputs.entries()) add(output, 0, cotangents[i]!, output)
  const found = new Map<GraphNode, GraphNode>()
  const wanted = new Set(inputs)
  for (const node of flow.nodes.toReversed()) {
    const lists = terms.get(node)
    if (lists === undefined) continue
    b.withOrigin(originOf(node), () => {
      const slopes = lists.map(list => sumOrNull(b, list))
      if (wanted.has(node)) found.set(node, slopes[0]!)
      for (const [input, index, slope] of pulledBack(b, node, slopes, flow)) add(input, index, slope, node)
    })
    terms.delete(node)
  }
  return inputs.map((input, i) => (flow.reached[i] ? (found.get(input) ?? zerosLike(b, input)) : null))
}

type Share = readonly [input: GraphNode, index: number, slope: Slope]

/** What a node's slopes are to its inputs. */
function pulledBack(b: GraphBuilder, node: GraphNode, cotangents: readonly Slope[], flow: Flow): readonly Share[] {
  if (derivatives[node.op] === 'none') return []
  if (node.op === 'item') return [[node.inputs[0]!, node.attrs.index, cotangents[0]!]]
  const needs = node.inputs.map(input => flow.has(input))
  if (node.op === 'region') {
    const override = overrideOf(node)
    const { operands } = node.attrs
    if (override === null) return node.inputs.slice(operands).map((result, i) => [result, 0, cotangents[i]!])
    return override(b, cotangents, needs.slice(0, operands), modes).map((slope, i) => [node.inputs[i]!, 0, slope])
  }
  if (!needs.includes(true)) return []
  const call: ReverseCall<GraphNode['op']> = { b, node, cotangents, needs, modes }
  return ruleOf(node)
    .reverse(call)
    .map((slope, i) => [node.inputs[i]!, 0, needs[i] ? slope : null])
}

// --- forward mode ------------------------------------------------------------------------------------------------------------

/**
 * The tangents of the outputs for tangents of the inputs, each of its node's type; null: zeros. Regions are differentiated
 * as the formulas that they hold, but for those that round to few bits.
 */
export function jvp(b: GraphBuilder, { outputs, inputs, tangents }: ForwardMode): readonly Slope[] {
  const flow = flowOf(outputs, inputs, 'forward')
  const known = new Map<GraphNode, readonly Slope[]>()
  for (const [i, input] of inputs.entries()) known.set(input, [tangents[i]!])
  for (const node of flow.nodes) {
    if (known.has(node)) continue
    known.set(
      node,
      b.withOrigin(originOf(node), () => pushedForward(b, node, known)),
    )
  }
  return outputs.map(output => known.get(output)?.[0] ?? null)
}

function pushedForward(
  b: GraphBuilder,
  node: GraphNode,
  known: ReadonlyMap<GraphNode, readonly Slope[]>,
): readonly Slope[] {
  const slopeOf = (input: GraphNode): Slope => known.get(input)?.[0] ?? null
  if (derivatives[node.op] === 'none') return [null]
  if (node.op === 'item') return [known.get(node.inputs[0]!)?.[node.attrs.index] ?? null]
  if (node.op === 'region') {
    const own = tangentOf(node)
    const { operands } = node.attrs
    return own === null
      ? node.inputs.slice(operands).map(slopeOf)
      : [own(b, node.inputs.slice(0, operands).map(slopeOf), modes)]
  }
  const tangents = node.inputs.map(slopeOf)
  if (tangents.every(tangent => tangent === null)) return Array.from({ length: resultCount(node) }, () => null)
  const call: ForwardCall<GraphNode['op']> = { b, node, tangents, modes }
  const results = ruleOf(node).forward(call)
  return node.type.kind === 'tuple' ? results : results.map(slope => slope && fitted(b, slope, node, node))
}

const modes: Modes = { vjp, jvp }

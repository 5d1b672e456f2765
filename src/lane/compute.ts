/** What the pure ops of the lane IR give, lane by lane: both simulators run them through this one function. */
import { wrapValue } from '../scalar/ops.js'
import { isGpuOnly, type LaneNode, valueType } from './ir.js'
import { bitcastLanes, castLane, evaluateValue, foldLanes, type Lanes, normal } from './values.js'

const pureOps = {
  const: true,
  map: true,
  cast: true,
  bitcast: true,
  splat: true,
  iota: true,
  extract: true,
  concat: true,
  slice: true,
  interleave: true,
  fold: true,
  approximate: true,
  halves: true,
} as const satisfies Partial<Record<LaneNode['op'], true>>

export type ComputedNode = Extract<LaneNode, { op: keyof typeof pureOps }>

/** True for nodes whose value follows from their operands alone. */
export const isComputed = (node: LaneNode): node is ComputedNode => node.op in pureOps

/** The node's value for these values of its inputs. */
export function compute(node: ComputedNode, operands: readonly Lanes[]): Lanes {
  return isGpuOnly(node) ? computeForBlock(node, operands) : computeForThread(node, operands)
}

type ForBlock = Extract<ComputedNode, { op: 'concat' | 'slice' | 'approximate' | 'halves' }>

function computeForBlock(node: ForBlock, operands: readonly Lanes[]): Lanes {
  const [first] = operands as [Lanes]
  switch (node.op) {
    case 'concat':
      return operands.flat()
    case 'slice':
      return first.slice(node.attrs.from, node.attrs.from + node.attrs.lanes)
    case 'approximate':
      return first.map(value => Math.fround(approximations[node.attrs.fn](Number(value))))
    case 'halves': {
      // In double precision sums of f16 are exact, and those of bf16 rounded beyond where it matters.
      const { dtype } = valueType(node)
      return first.map((value, lane) =>
        wrapValue(dtype, evaluateValue(node.attrs.fn, 'f64', [value, operands[1]![lane]!])),
      )
    }
  }
}

/** The exact functions: hardware comes within the bounds that the IR states. */
const approximations: Record<ForBlockFn, (x: number) => number> = {
  exp2: x => 2 ** x,
  log2: Math.log2,
  reciprocal: x => 1 / x,
  rsqrt: x => 1 / Math.sqrt(x),
  sin: Math.sin,
  cos: Math.cos,
  tanh: Math.tanh,
}
type ForBlockFn = Extract<LaneNode, { op: 'approximate' }>['attrs']['fn']

function computeForThread(node: Exclude<ComputedNode, ForBlock>, operands: readonly Lanes[]): Lanes {
  const [first] = operands as [Lanes]
  switch (node.op) {
    case 'const':
      return filled(node.attrs.lanes, normal(wrapValue(node.attrs.dtype, node.attrs.value)))
    case 'splat':
      return filled(node.attrs.lanes, first[0]!)
    case 'iota':
      return Array.from({ length: node.attrs.lanes }, (_, lane) => normal(wrapValue(node.attrs.dtype, lane)))
    case 'extract':
      return [first[node.attrs.lane]!]
    case 'map': {
      const { dtype } = valueType(node.inputs.at(-1)!)
      const at = (lane: number) => operands.map(operand => operand[lane]!)
      return first.map((_, lane) => evaluateValue(node.attrs.fn, dtype, at(lane)))
    }
    case 'cast': {
      const { dtype } = valueType(node.inputs[0]!)
      return first.map(value => castLane(dtype, node.attrs.to, value))
    }
    case 'bitcast':
      return bitcastLanes(valueType(node.inputs[0]!).dtype, node.attrs.to, first)
    case 'fold':
      return [foldLanes(node.attrs.fn, valueType(node.inputs[0]!).dtype, first)]
    case 'interleave': {
      const start = node.attrs.half === 'low' ? 0 : first.length / 2
      return first.map((_, lane) => operands[lane % 2]![start + (lane >> 1)]!)
    }
  }
}

const filled = (lanes: number, value: Lanes[number]): Lanes => new Array<Lanes[number]>(lanes).fill(value)

/** Semantics of the lane IR's pure ops, per lane; shared by both simulators. */
import { scalarOps, wrapValue } from '../scalar/ops.js'
import { isGpuOnly, type LaneNode, valueType } from './ir.js'
import { bitcastLanes, castFunction, foldLanes, type Lanes, laneFunctionOf, normal, prefixLanes } from './values.js'

const pureOps = {
  const: true,
  map: true,
  builtin: true,
  cast: true,
  bitcast: true,
  splat: true,
  iota: true,
  extract: true,
  concat: true,
  slice: true,
  interleave: true,
  fold: true,
  prefix: true,
  approximate: true,
  halves: true,
} as const satisfies Partial<Record<LaneNode['op'], true>>

export type ComputedNode = Extract<LaneNode, { op: keyof typeof pureOps }>

/** True for nodes whose value depends only on their operands. */
export const isComputed = (node: LaneNode): node is ComputedNode => node.op in pureOps

/** Computes a node's value from its inputs' values. */
export type Compute = (operands: readonly Lanes[]) => Lanes

const prepared = new WeakMap<ComputedNode, Compute>()

/** The function that a node computes; everything that depends only on the node is precomputed. */
export function computeOf(node: ComputedNode): Compute {
  const known = prepared.get(node)
  if (known !== undefined) return known
  const made = isGpuOnly(node) ? computeForBlock(node) : computeForThread(node)
  prepared.set(node, made)
  return made
}

type ForBlock = Extract<ComputedNode, { op: 'concat' | 'slice' | 'approximate' | 'halves' }>

/** The computation of a pure op that only GPU programs contain. */
function computeForBlock(node: ForBlock): Compute {
  switch (node.op) {
    case 'concat':
      return operands => operands.flat()
    case 'slice': {
      const { from, lanes } = node.attrs
      return ([first]) => first!.slice(from, from + lanes)
    }
    case 'approximate': {
      const fn = approximations[node.attrs.fn]
      const rounded = valueType(node).dtype === 'f32' ? Math.fround : highWord
      return ([first]) => first!.map(value => rounded(fn(Number(value))))
    }
    case 'halves': {
      // In f64, sums of f16 are exact, and sums of bf16 are rounded far below bf16's precision.
      const { dtype } = valueType(node)
      const fn = laneFunctionOf(node.attrs.fn, 'f64')
      return ([first, second]) => first!.map((value, lane) => wrapValue(dtype, fn(value, second![lane]!)))
    }
  }
}

const word = new DataView(new ArrayBuffer(8))
/** A f64 without its low 32 bits, which leaves 20 bits of its fraction; subnormals become 0. */
function highWord(x: number): number {
  if (Math.abs(x) < 2 ** -1022) return x * 0
  word.setFloat64(0, x)
  word.setUint32(4, 0)
  return word.getFloat64(0)
}

/** Computed exactly; hardware stays within the error bounds that the IR states. */
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

/** The computation of any other pure op, prepared once per node. */
function computeForThread(node: Exclude<ComputedNode, ForBlock>): Compute {
  switch (node.op) {
    case 'const': {
      const value = filled(node.attrs.lanes, normal(wrapValue(node.attrs.dtype, node.attrs.value)))
      return () => value
    }
    case 'splat': {
      const { lanes } = node.attrs
      return ([first]) => filled(lanes, first![0]!)
    }
    case 'iota': {
      const { lanes, dtype } = node.attrs
      const value = Array.from({ length: lanes }, (_, lane) => normal(wrapValue(dtype, lane)))
      return () => value
    }
    case 'extract': {
      const { lane } = node.attrs
      return ([first]) => [first![lane]!]
    }
    case 'map':
      return mapped(node)
    case 'builtin': {
      const fn = builtins[node.attrs.fn]
      const round = valueType(node).dtype === 'f32' ? Math.fround : (value: number): number => value
      return ([a, b]) => a!.map((value, lane) => round(fn(Number(value), Number(b?.[lane]))))
    }
    case 'cast': {
      const cast = castFunction(valueType(node.inputs[0]!).dtype, node.attrs.to)
      return ([first]) => first!.map(cast)
    }
    case 'bitcast': {
      const { dtype } = valueType(node.inputs[0]!)
      return ([first]) => bitcastLanes(dtype, node.attrs.to, first!)
    }
    case 'fold': {
      const { dtype } = valueType(node.inputs[0]!)
      return ([first]) => [foldLanes(node.attrs.fn, dtype, first!)]
    }
    case 'prefix': {
      const { fn, reverse } = node.attrs
      const { dtype } = valueType(node)
      const turned = (lanes: Lanes): Lanes => (reverse ? lanes.toReversed() : lanes)
      return ([first]) => turned(prefixLanes(fn, dtype, turned(first!)))
    }
    case 'interleave': {
      const { half } = node.attrs
      return operands => {
        const [first] = operands as [Lanes]
        const start = half === 'low' ? 0 : first.length / 2
        return first.map((_, lane) => operands[lane % 2]![start + (lane >> 1)]!)
      }
    }
  }
}

const builtins: Record<Extract<LaneNode, { op: 'builtin' }>['attrs']['fn'], (a: number, b: number) => number> = {
  // In two steps, as 2^n may be out of range; only the second product rounds.
  scale: (p, n) => {
    const half = Math.trunc(Math.max(Math.min(n, 2000), -2000) / 2)
    return p * 2 ** half * 2 ** (Math.max(Math.min(n, 2000), -2000) - half)
  },
  rest: x => (Math.abs(x) === Number.POSITIVE_INFINITY ? 0 : x - (scalarOps.round.float(x) as number)),
  sin: Math.sin,
  cos: Math.cos,
  tan: Math.tan,
  fmod: (a, b) => a % b,
}

function mapped(node: Extract<ComputedNode, { op: 'map' }>): Compute {
  const fn = laneFunctionOf(node.attrs.fn, valueType(node.inputs.at(-1)!).dtype)
  const each = (lanes: number, of: (lane: number) => Lanes[number]): Lanes => {
    if (lanes === 1) return [of(0)]
    const values = new Array<Lanes[number]>(lanes)
    for (let lane = 0; lane < lanes; lane++) values[lane] = of(lane)
    return values
  }
  switch (node.inputs.length) {
    case 1:
      return ([a]) => each(a!.length, lane => fn(a![lane]!))
    case 2:
      return ([a, b]) => each(a!.length, lane => fn(a![lane]!, b![lane]!))
    default:
      return ([a, b, c]) => each(a!.length, lane => fn(a![lane]!, b![lane]!, c![lane]!))
  }
}

const filled = (lanes: number, value: Lanes[number]): Lanes => new Array<Lanes[number]>(lanes).fill(value)

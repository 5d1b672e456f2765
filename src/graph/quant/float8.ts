/**
 * Matmuls of operands that are rounded to 8-bit floats, as FP8 training has them. Scales are powers of two, so scaling is exact
 * and the only rounding is that to 8 bits. NaN and infinities are ignored when a scale is chosen, and become NaN in the result.
 */
import { ceilDivSizes, mulSizes, type Size, subSizes } from '../../scalar/size.js'
import type { Float8 } from '../../types/dtype.js'
import { minifloatOf, minifloats } from '../../types/minifloat.js'
import { asNode, asValue } from '../apply.js'
import {
  bitcastTo,
  castTo,
  dtypeOf,
  expandTo,
  full,
  map,
  reduce,
  reshapeTo,
  shapeOf,
  sliceTo,
  swapDims,
} from '../build.js'
import type { GraphBuilder, GraphNode, Shape } from '../ir.js'
import { type Gradient, keptTogether, type Value } from '../record.js'
import { decodeFloat8 } from './decode.js'
import { encodeMinifloat } from './encode.js'

/** What an operand of a product is, which decides its format and its blocks. */
export type Float8Role = 'activation' | 'weight' | 'gradient'

/**
 * tensor: one scale per operand, from its largest magnitude · given: the same, where no scale is known · block: one per 128
 * elements along the summed dim, of weights one per 128 × 128.
 */
export type Float8Scaling = 'tensor' | 'given' | 'block'

/** A product of FP8 training, and how its gradients are computed. */
export type Float8Attrs = {
  readonly roles: readonly [Float8Role, Float8Role]
  readonly scaling: Float8Scaling
  /** The format of gradients; that of all others is f8e4m3. */
  readonly gradients: Float8
  /** The last operand is a number whose gradient is the largest magnitude of the product's gradient. */
  readonly isObserved: boolean
}

/** Elements per block. */
export const float8Block = 128

const formatOf = (role: Float8Role, { gradients }: Pick<Float8Attrs, 'gradients'>): Float8 =>
  role === 'gradient' ? gradients : 'f8e4m3'

// --- scales ----------------------------------------------------------------------------------------------------------------

const number = (b: GraphBuilder, model: GraphNode, value: number): GraphNode =>
  full(b, dtypeOf(model), shapeOf(model), value)

/** The largest finite magnitude over some dims, of f32; 0 if there is none. */
function largestOver(b: GraphBuilder, x: GraphNode, dims: readonly number[]): GraphNode {
  const magnitude = map(b, 'abs', x)
  const isProper = map(b, 'lt', magnitude, number(b, x, Number.POSITIVE_INFINITY))
  const finite = map(b, 'where', isProper, magnitude, number(b, x, 0))
  const largest = reduce(b, 'max', finite, dims)
  return map(b, 'max', largest, number(b, largest, 0))
}

/** The largest finite magnitude of a tensor: 0-d f32. What only shows the elements in another order is looked through. */
export function largestMagnitude(b: GraphBuilder, tensor: GraphNode): GraphNode {
  let base = tensor
  while (base.op === 'permute' || base.op === 'reshape') base = base.inputs[0]!
  const x = castTo(b, base, 'f32')
  return largestOver(b, x, [...shapeOf(x).keys()])
}

/** The least power of two by which magnitudes up to `amax` fit the format (at least 2⁻¹²⁶); 1 for an amax of 0. */
export function powerOfTwoScale(b: GraphBuilder, amax: GraphNode, float: Float8): GraphNode {
  const ratio = map(b, 'div', amax, number(b, amax, minifloats[minifloatOf(float)].max))
  const bits = bitcastTo(b, ratio, 'i32')
  const up = map(b, 'add', bits, number(b, bits, 0x7fffff))
  const exponent = map(b, 'max', map(b, 'and', up, number(b, bits, 0x7f800000)), number(b, bits, 0x800000))
  const power = bitcastTo(b, exponent, 'f32')
  return map(b, 'where', map(b, 'eq', amax, number(b, amax, 0)), number(b, amax, 1), power)
}

// --- operands --------------------------------------------------------------------------------------------------------------

/**
 * f32 divided by powers of two (which expand to its shape) as codes (u8). What exceeds the largest saturates; what is infinite,
 * or becomes so, is NaN.
 */
function codesOf(b: GraphBuilder, x: GraphNode, scale: GraphNode, float: Float8): GraphNode {
  const inverse = map(b, 'div', number(b, scale, 1), scale)
  const scaled = map(b, 'mul', x, expandTo(b, inverse, shapeOf(x)))
  return castTo(b, encodeMinifloat(b, minifloatOf(float), scaled, 'finite'), 'u8')
}

interface Operand {
  /** [rows, K]. */
  readonly node: GraphNode
  readonly float: Float8
  readonly role: Float8Role
  /** 0-d f32, 0: not known; null: none is given. */
  readonly given: GraphNode | null
}

function tensorScale(b: GraphBuilder, { node, float, given }: Operand): GraphNode {
  const own = powerOfTwoScale(b, largestMagnitude(b, node), float)
  return given === null ? own : map(b, 'where', map(b, 'gt', given, number(b, given, 0)), given, own)
}

/** With zeros behind each dim, to whole blocks. */
function filledUp(b: GraphBuilder, node: GraphNode, sides: readonly number[]): GraphNode {
  return sides.reduce((all, side, dim) => {
    const shape = shapeOf(all)
    const missing = subSizes(mulSizes(ceilDivSizes(shape[dim]!, side), side), shape[dim]!)
    if (missing === 0) return all
    return b.node('cat', [all, full(b, dtypeOf(all), shape.with(dim, missing), 0)], { dim })
  }, node)
}

/**
 * Codes times the scales of their blocks, exact in bf16. A block that reaches over the edge consists of the elements that
 * there are.
 */
function blockElements(b: GraphBuilder, { node, float, role }: Operand): GraphNode {
  const x = castTo(b, node, 'f32')
  const shape = shapeOf(x)
  const sides = [role === 'weight' ? float8Block : 1, float8Block] as const
  const whole = filledUp(b, x, sides)
  const [rows, columns] = shapeOf(whole).map((size, d) => ceilDivSizes(size, sides[d]!)) as [Size, Size]
  const blocks: Shape = [rows, sides[0], columns, sides[1]]
  const cut = reshapeTo(b, whole, blocks)
  const scale = reshapeTo(b, powerOfTwoScale(b, largestOver(b, cut, [1, 3]), float), [rows, 1, columns, 1])
  const values = map(b, 'mul', decodeFloat8(b, float, codesOf(b, cut, scale, float)), expandTo(b, scale, blocks))
  const elements = reshapeTo(b, castTo(b, values, 'bf16'), shapeOf(whole))
  return whole === x ? elements : sliceTo(b, elements, { starts: [0, 0], steps: [1, 1], sizes: shape })
}

// --- products --------------------------------------------------------------------------------------------------------------

/**
 * sum · s · t for powers of two, without an overflow on the way where the result has none: scales on different sides of 1 are
 * multiplied first, others one after the other.
 */
function scaledBack(b: GraphBuilder, sum: GraphNode, s: GraphNode, t: GraphNode): GraphNode {
  const one = number(b, s, 1)
  const mixed = map(b, 'mul', map(b, 'max', s, one), map(b, 'min', t, one))
  const rest = map(b, 'mul', map(b, 'min', s, one), map(b, 'max', t, one))
  const times = (node: GraphNode, factor: GraphNode): GraphNode =>
    map(b, 'mul', node, expandTo(b, factor, shapeOf(node)))
  return times(times(sum, mixed), rest)
}

interface Float8Operands {
  /** [M, K]. */
  readonly a: GraphNode
  /** [N, K]. */
  readonly b: GraphNode
  /** Of a, of b, and of the product's gradient, 0-d f32 each, 0 where it is not known; none unless they are given. */
  readonly scales: readonly GraphNode[]
  /** 0-d f32; null: nothing is observed. */
  readonly observer: GraphNode | null
}

/**
 * a · bᵀ, f32 [M, N], of operands rounded to 8-bit floats. Its gradients are such products too, as if nothing were rounded
 * (straight through), and so are theirs.
 */
export function float8Product(
  b: GraphBuilder,
  { a, b: other, scales, observer }: Float8Operands,
  attrs: Omit<Float8Attrs, 'isObserved'>,
): GraphNode {
  const inputs = [a, other, ...scales, ...(observer === null ? [] : [observer])]
  const { roles, scaling, gradients } = attrs
  const whole: Float8Attrs = { roles, scaling, gradients, isObserved: observer !== null }
  const operands = inputs.map(node => ({ node, isNumber: false }))
  return keptTogether(b, 'float8Product', whole, operands, [buildProduct(b, inputs, whole)])[0]!
}

function buildProduct(b: GraphBuilder, inputs: readonly GraphNode[], attrs: Float8Attrs): GraphNode {
  const { roles, scaling } = attrs
  const [left, right] = roles.map(
    (role, i): Operand => ({
      node: inputs[i]!,
      role,
      float: formatOf(role, attrs),
      given: scaling === 'given' ? inputs[2 + i]! : null,
    }),
  ) as [Operand, Operand]
  const product = (x: GraphNode, y: GraphNode, codes?: readonly [Float8, Float8]): GraphNode =>
    b.node('matmul', [x, swapDims(b, y, 0, 1)], { accumulate: 'f32', to: 'f32', ...(codes && { codes }) })
  if (scaling === 'block') return product(blockElements(b, left), blockElements(b, right))
  const [s, t] = [tensorScale(b, left), tensorScale(b, right)]
  const coded = ({ node, float }: Operand, scale: GraphNode): GraphNode =>
    codesOf(b, castTo(b, node, 'f32'), scale, float)
  return scaledBack(b, product(coded(left, s), coded(right, t), [left.float, right.float]), s, t)
}

const transposed = (b: GraphBuilder, node: GraphNode): GraphNode => swapDims(b, node, 0, 1)

/** The scales among a product's operands. */
const scalesOf = (rest: readonly GraphNode[], { isObserved }: Float8Attrs): readonly GraphNode[] =>
  isObserved ? rest.slice(0, -1) : rest

/** The scales of a product of operands with these, of which any may be the gradient's. */
const chosen = (scales: readonly GraphNode[], left: number, right: number): readonly GraphNode[] =>
  scales.length === 0 ? [] : [scales[left]!, scales[right]!, scales[2]!]

/** da = g · b and db = gᵀ · a, each operand rounded in blocks along the dim that is summed. */
export const float8ProductGradient: Gradient<Float8Attrs> = ({ b, inputs, outputGradients, needs, attrs }) => {
  const [x, y, ...rest] = inputs.map(asNode) as [GraphNode, GraphNode, ...GraphNode[]]
  const scales = scalesOf(rest, attrs)
  const g = asNode(outputGradients[0]!)
  const timesOperand = (gradient: GraphNode, operand: GraphNode, index: 0 | 1): Value => {
    const operands = { a: gradient, b: transposed(b, operand), scales: chosen(scales, 2, index), observer: null }
    return asValue(float8Product(b, operands, { ...attrs, roles: ['gradient', attrs.roles[index]] }))
  }
  return [
    needs[0] ? timesOperand(g, y, 1) : null,
    needs[1] ? timesOperand(transposed(b, g), x, 0) : null,
    ...scales.map(() => null),
    ...(attrs.isObserved ? [needs.at(-1) ? asValue(largestMagnitude(b, g)) : null] : []),
  ]
}

/** The tangent of a product, from those of its operands; null: zeros. */
export function float8ProductTangent(
  b: GraphBuilder,
  inputs: readonly GraphNode[],
  [t, u]: readonly (GraphNode | null)[],
  attrs: Float8Attrs,
): GraphNode | null {
  const [x, y, ...rest] = inputs as readonly [GraphNode, GraphNode, ...GraphNode[]]
  const scales = scalesOf(rest, attrs)
  const [left, right] = attrs.roles
  const part = (a: GraphNode, other: GraphNode, own: Pick<Float8Attrs, 'roles'>, places: readonly [number, number]) =>
    float8Product(b, { a, b: other, scales: chosen(scales, ...places), observer: null }, { ...attrs, ...own })
  const parts = [
    ...(t ? [part(t, y, { roles: ['gradient', right] }, [2, 1])] : []),
    ...(u ? [part(x, u, { roles: [left, 'gradient'] }, [0, 2])] : []),
  ]
  return parts.length === 0 ? null : parts.reduce((sum, each) => map(b, 'add', sum, each))
}

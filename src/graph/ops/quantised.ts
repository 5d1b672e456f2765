/**
 * Ops on quantised tensors, used by `tegula/quant`: their tensors hold codes, scales are separate tensors, and the format
 * is an attribute of the op. Matmuls decode their operands inside the GEMM kernel.
 */
import { contentHash } from '../../base/canonical.js'
import { DtypeError, ShapeError } from '../../base/errors.js'
import { wrapValue } from '../../scalar/ops.js'
import { productOf, type Size } from '../../scalar/size.js'
import { erf } from '../../scalar/special.js'
import { type Dtype, type Float8, isFloat, type TensorDtype } from '../../types/dtype.js'
import type { QuantFormat, ScaleLayout } from '../../types/quant.js'
import { castTo, dtypeOf, expandTo, map, rankOf, reshapeTo, shapeOf, swapDims } from '../build.js'
import { elementAt, hostFrom } from '../host.js'
import type { GraphBuilder, GraphNode, GraphOps, GroupMember, GroupStrategy, Shape } from '../ir.js'
import { timesPower } from '../quant/decode.js'
import {
  type Decoded,
  type DecodeMethod,
  decodeParts,
  dequantise,
  fromBlocked,
  quantise,
  toBlocked,
} from '../quant/quantise.js'
import { hostDequantise, hostFromBlocked, hostQuantise, hostToBlocked } from '../quant/reference.js'
import { type HostTensor, keptTogether, type OpInput, op, type Value } from '../record.js'
import { broadcastShapes, printShape, requireEqual } from '../sizes.js'
import { activationRecords } from './activation.js'
import { call } from './arguments.js'

// --- operands --------------------------------------------------------------------------------------------------------------

/** How a quantised operand's tensors are encoded. */
export type QuantAttrs = QuantFormat & { readonly layout: ScaleLayout }

/** An operand as the user passed it: a tensor, or the parts of a quantised one. */
export interface QuantOperand {
  readonly quant: QuantAttrs | null
  /** The tensor; or values, scales and (where the format has one) the tensor's scale. */
  readonly tensors: readonly Value[]
}

const partCount = (quant: QuantAttrs | null): number => (quant === null ? 1 : quant.tensorScale ? 3 : 2)

/** Splits a call's inputs into the parts of each operand. */
export function cut<T>(inputs: readonly T[], operands: readonly (QuantAttrs | null)[]): T[][] {
  let at = 0
  return operands.map(quant => {
    const from = at
    at += partCount(quant)
    return inputs.slice(from, at)
  })
}

/** Splits a call's inputs into the matmuls of the groups. */
const pairsOf = <T>(inputs: readonly T[], groups: readonly PairAttrs[]): T[][] => {
  const parts = cut(
    inputs,
    groups.flatMap(({ a, b }) => [a, b]),
  )
  return groups.map((_, i) => [...parts[2 * i]!, ...parts[2 * i + 1]!])
}

const partsOf = ([values, scales, tensorScale]: readonly GraphNode[]) => ({
  values: values!,
  scales: scales!,
  tensorScale: tensorScale ?? null,
})

/** An operand's elements [… , rows, K] for the dot, and the factors that are applied after it. */
export interface Side {
  readonly shape: Shape
  /** Codes of 8-bit floats without block scales: two such operands can be multiplied without decoding. */
  readonly codes: { readonly node: GraphNode; readonly float: Float8 } | null
  /** The operand in a dtype, up to a factor. */
  readonly in: (dtype: Dtype) => { readonly node: GraphNode; readonly factor: number }
  readonly rowScale: GraphNode | null
  readonly tensorScale: GraphNode | null
}

/** An operand of a scaled matmul: its shape, its codes if devices may multiply those, and how to get it in a dtype. */
export function sideOf(b: GraphBuilder, name: string, quant: QuantAttrs | null, nodes: readonly GraphNode[]): Side {
  if (quant === null) {
    const [node] = nodes as [GraphNode]
    const dtype = dtypeOf(node)
    if (dtype !== 'f32' && dtype !== 'f16' && dtype !== 'bf16')
      throw new DtypeError(`${name}: multiplies f32, f16, bf16 and quantised tensors, got ${dtype}`, {
        fix: "cast it: x.to('f32')",
      })
    return {
      shape: shapeOf(node),
      codes: null,
      in: to => ({ node: castTo(b, node, to), factor: 1 }),
      rowScale: null,
      tensorScale: null,
    }
  }
  const decoded = (small: boolean): Decoded => decodeParts(b, name, quant, quant.layout, partsOf(nodes), { small })
  const { rowScale, tensorScale, elements } = decoded(false)
  return {
    shape: shapeOf(elements),
    codes: codesOf(quant, nodes[0]!),
    in: to => {
      const { elements, factor } = decoded(to === 'f16')
      return { node: castTo(b, elements, to), factor }
    },
    rowScale,
    tensorScale,
  }
}

function codesOf({ element, block }: QuantAttrs, node: GraphNode): Side['codes'] {
  if (typeof block === 'number' || (element !== 'e4m3' && element !== 'e5m2')) return null
  return { node, float: element === 'e4m3' ? 'f8e4m3' : 'f8e5m2' }
}

// --- matmuls --------------------------------------------------------------------------------------------------------------

/**
 * The 16-bit floats that hold an operand exactly: every element times its block's scale. Exception: mxfp8 elements that a
 * scale takes below 2⁻¹²⁶ are rounded to bf16's subnormals, as they are not worth giving up tensor cores.
 */
function exactIn(quant: QuantAttrs): readonly Dtype[] {
  // Scales per row and per tensor are applied to the accumulator.
  if (typeof quant.block !== 'number') return ['f16', 'bf16']
  if (quant.scale === 'e4m3') return ['f16', 'bf16']
  // e8m0 scales exceed the range of f16.
  return quant.scale === 'e8m0' ? ['bf16'] : []
}

/**
 * The operand dtype of the dots: the activations' own if it holds the decoded weights exactly (integers with float scales
 * are rounded to it, as is common). If all operands are quantised: the first 16-bit float that holds all of them.
 */
export function multiplyDtype(operands: readonly (QuantAttrs | null)[], own: readonly Dtype[]): Dtype {
  const quants = operands.filter(quant => quant !== null)
  const [dtype, ...others] = own
  if (dtype === undefined)
    return (['f16', 'bf16'] as const).find(each => quants.every(quant => exactIn(quant).includes(each))) ?? 'f32'
  const holds = (quant: QuantAttrs): boolean => dtype === 'f32' || exactIn(quant).includes(dtype) || !isCodeScale(quant)
  return others.every(other => other === dtype) && quants.every(holds) ? dtype : 'f32'
}

const isCodeScale = ({ scale }: QuantAttrs): boolean => scale === 'e4m3' || scale === 'e8m0'

/** The default result dtype: the activations', or f32 if both operands are quantised. */
export const resultDtype = (own: readonly Dtype[], asked: Dtype | null): Dtype =>
  asked ?? (own.length === 2 && own[0] !== own[1] ? 'f32' : (own[0] ?? 'f32'))

type Codes = readonly [Float8, Float8]

/** The 8-bit float formats if both operands are codes, which some devices multiply directly; null: operands are decoded. */
export const commonCodes = ({ codes: left }: Side, { codes: right }: Side): Codes | null =>
  left !== null && right !== null ? [left.float, right.float] : null

export type Elements = ReturnType<Side['in']>

/** The operand of the dot: codes, or decoded elements in `dtype`. */
export const elementsOf = (side: Side, codes: Codes | null, dtype: Dtype): Elements =>
  codes === null ? side.in(dtype) : { node: side.codes!.node, factor: 1 }

/** a · bᵀ in f32 with every scale: [… , M, N]. */
function scaledMatmul(
  b: GraphBuilder,
  name: string,
  left: Side,
  right: Side,
  dtype: Dtype,
  grouped?: GroupMember,
): GraphNode {
  const codes = commonCodes(left, right)
  const form = { ...(codes && { codes }), ...(grouped && { grouped }) }
  const [a, c] = [left.shape, right.shape]
  if (a.length === 0 || c.length < 2)
    throw new ShapeError(`${name}: a ${printShape(a)} and b ${printShape(c)} are no [… , M, K] and [… , N, K]`, {
      fix: 'give b a row for each column of the result',
    })
  const what = (): string => `${name}: K differs, a ${printShape(a)} and b ${printShape(c)} (b is [N, K])`
  requireEqual(a.at(-1)!, c.at(-1)!, what, 'K is the last dim of both')
  const [K, N] = [a.at(-1)!, c.at(-2)!]
  const [own, other] = [left, right].map(side => elementsOf(side, codes, dtype)) as [Elements, Elements]
  const power = own.factor * other.factor
  if (c.length === 2) {
    const rows = productOf(a.slice(0, -1))
    const x = reshapeTo(b, own.node, [rows, K])
    const rowScale = left.rowScale === null ? null : reshapeTo(b, left.rowScale, [rows])
    const flat = multiply(b, x, other.node, { ...form, power }, { ...left, rowScale }, right)
    return reshapeTo(b, flat, [...a.slice(0, -1), N])
  }
  const matrix: Shape = a.length === 1 ? [1, K] : a
  const batch = broadcastShapes(name, [matrix.slice(0, -2), c.slice(0, -2)])
  const expand = (node: GraphNode | null, last: readonly Size[]): GraphNode | null =>
    node === null ? null : expandTo(b, node, [...batch, ...last])
  const M = matrix.at(-2)!
  const x = expand(reshapeTo(b, own.node, matrix), [M, K])!
  const leftScale = left.rowScale === null ? null : reshapeTo(b, left.rowScale, matrix.slice(0, -1))
  const result = multiply(
    b,
    x,
    expand(other.node, [N, K])!,
    { ...form, power },
    { ...left, rowScale: expand(leftScale, [M]) },
    { ...right, rowScale: expand(right.rowScale, [N]) },
  )
  return a.length === 1 ? reshapeTo(b, result, [...batch, N]) : result
}

type Factors = Pick<Side, 'rowScale' | 'tensorScale'>

/** `power`: the power of two that the operands are too small by, applied to the accumulator exactly. */
function multiply(
  b: GraphBuilder,
  x: GraphNode,
  w: GraphNode,
  { power, ...form }: Pick<GraphOps['matmul'], 'codes' | 'grouped'> & { readonly power: number },
  left: Factors,
  right: Factors,
): GraphNode {
  const columns = swapDims(b, w, rankOf(w) - 2, rankOf(w) - 1)
  let result = timesPower(b, b.node('matmul', [x, columns], { accumulate: 'f32', to: 'f32', ...form }), power)
  const shape = shapeOf(result)
  const times = (factor: GraphNode): void => {
    result = map(b, 'mul', result, expandTo(b, factor, shape))
  }
  if (left.rowScale !== null) times(reshapeTo(b, left.rowScale, [...shapeOf(left.rowScale), 1]))
  if (right.rowScale !== null) {
    const scale = right.rowScale
    times(reshapeTo(b, scale, [...shapeOf(scale).slice(0, -1), 1, shapeOf(scale).at(-1)!]))
  }
  const { tensorScale: first } = left
  const { tensorScale: second } = right
  if (first !== null && second !== null) times(map(b, 'mul', first, second))
  else if (first !== null || second !== null) times((first ?? second)!)
  return result
}

function addBias(b: GraphBuilder, name: string, product: GraphNode, bias: GraphNode): GraphNode {
  const [shape, features] = [shapeOf(bias), shapeOf(product).at(-1)!]
  const what = (): string => `${name}: the bias ${printShape(shape)} does not fit ${features} columns`
  if (shape.length !== 1) throw new ShapeError(what(), { fix: 'give a bias of shape [N]' })
  requireEqual(shape[0]!, features, what, 'give a bias of shape [N]')
  if (!isFloat(dtypeOf(bias)))
    throw new DtypeError(`${name}: the bias is ${dtypeOf(bias)}, not a float`, { fix: "cast it: bias.to('f32')" })
  return map(b, 'add', product, expandTo(b, castTo(b, bias, 'f32'), shapeOf(product)))
}

// --- references --------------------------------------------------------------------------------------------------------------

const exact = (value: number): number => value

export interface HostSide {
  readonly shape: readonly number[]
  at(flat: number): number
}

export function hostSide(quant: QuantAttrs | null, tensors: readonly HostTensor[]): HostSide {
  const [values, scales, tensorScale] = tensors as [HostTensor, HostTensor, HostTensor?]
  if (quant !== null) return hostDequantise(quant, quant.layout, values, scales, tensorScale ?? null, exact)
  return { shape: values.shape, at: flat => Number(values.data[flat]!) }
}

/** a · bᵀ (+ bias) in float64. */
function hostMatmul(a: HostSide, c: HostSide, bias: HostTensor | null): HostTensor {
  const matrix = a.shape.length === 1 ? [1, ...a.shape] : a.shape
  const [M, K, N] = [matrix.at(-2)!, matrix.at(-1)!, c.shape.at(-2)!]
  const batch = broadcastShapes('reference', [matrix.slice(0, -2), c.shape.slice(0, -2)]) as readonly number[]
  const flats = (shape: readonly number[]): HostTensor => hostFrom('f64', shape, (_, flat) => flat)
  const [places, weights] = [flats(matrix.slice(0, -2)), flats(c.shape.slice(0, -2))]
  const rows = Array.from({ length: matrix.reduce((x, y) => x * y, 1) }, (_, i) => a.at(i))
  const columns = Array.from({ length: c.shape.reduce((x, y) => x * y, 1) }, (_, i) => c.at(i))
  const result = hostFrom('f64', [...batch, M, N], index => {
    const lead = index.slice(0, -2)
    const [row, column] = [
      Number(elementAt(places, lead)) * M + index.at(-2)!,
      Number(elementAt(weights, lead)) * N + index.at(-1)!,
    ]
    let sum = 0
    for (let k = 0; k < K; k++) sum += rows[row * K + k]! * columns[column * K + k]!
    return bias === null ? sum : sum + Number(bias.data[index.at(-1)!]!)
  })
  return a.shape.length === 1 ? { ...result, shape: [...batch, N] } : result
}

export const rounded = (tensor: HostTensor, dtype: Dtype): HostTensor => ({
  ...tensor,
  dtype,
  data: tensor.data.map(value => wrapValue(dtype, value)),
})

// --- records -----------------------------------------------------------------------------------------------------------------

type QuantizeAttrs = QuantFormat & { readonly saturate: boolean }
type DequantizeAttrs = QuantAttrs & { readonly dtype: Dtype; readonly method: DecodeMethod }
type FromBlockedAttrs = { readonly rows: number; readonly columns: number }
type ScaledAttrs = {
  readonly a: QuantAttrs | null
  readonly b: QuantAttrs | null
  readonly bias: boolean
  readonly outDtype: Dtype | null
}
/** One matmul of a group. */
type PairAttrs = Pick<ScaledAttrs, 'a' | 'b' | 'outDtype'>
type GroupedAttrs = { readonly groups: readonly PairAttrs[]; readonly strategy: GroupStrategy }

export interface GroupedMatmulCall {
  readonly a: QuantOperand
  readonly b: QuantOperand
  readonly outDtype: TensorDtype | null
}

/** The activation of the gate in a gated layer. */
export type GateActivation = 'silu' | 'gelu' | 'relu'
type DualAttrs = {
  readonly a: QuantAttrs | null
  readonly b1: QuantAttrs | null
  readonly b2: QuantAttrs | null
  readonly bias1: boolean
  readonly bias2: boolean
  readonly activation: GateActivation
  readonly outDtype: Dtype | null
}

export interface ScaledMatmulCall {
  readonly bias: Value | null
  readonly outDtype: TensorDtype | null
}

export const ownDtypes = (
  sides: readonly (readonly { readonly dtype: Dtype }[])[],
  quants: readonly (QuantAttrs | null)[],
) => sides.flatMap((side, i) => (quants[i] === null ? [side[0]!.dtype] : []))

/** a · bᵀ as the activations' dtype or `outDtype`; `finish` is applied to the f32 accumulator. */
function buildPair(
  b: GraphBuilder,
  name: string,
  nodes: readonly GraphNode[],
  attrs: PairAttrs,
  grouped?: GroupMember,
  finish: (sum: GraphNode) => GraphNode = sum => sum,
): GraphNode {
  const quants = [attrs.a, attrs.b]
  const sides = cut(nodes, quants)
  const own = ownDtypes(
    sides.map(side => side.map(node => ({ dtype: dtypeOf(node) }))),
    quants,
  )
  const [left, right] = sides.map((side, i) => sideOf(b, name, quants[i]!, side)) as [Side, Side]
  const product = scaledMatmul(b, name, left, right, multiplyDtype(quants, own), grouped)
  return castTo(b, finish(product), resultDtype(own, attrs.outDtype))
}

/** What `buildPair` gives, in float64. */
function hostPair(inputs: readonly HostTensor[], attrs: PairAttrs, bias: HostTensor | null): HostTensor {
  const quants = [attrs.a, attrs.b]
  const sides = cut(inputs, quants)
  const [left, right] = sides.map((side, i) => hostSide(quants[i]!, side)) as [HostSide, HostSide]
  return rounded(hostMatmul(left, right, bias), resultDtype(ownDtypes(sides, quants), attrs.outDtype))
}

export const gates: Record<GateActivation, (x: number) => number> = {
  silu: x => x / (1 + Math.exp(-x)),
  gelu: x => 0.5 * x * (1 + erf(x * Math.SQRT1_2)),
  relu: x => (Number.isNaN(x) ? x : Math.max(0, x)),
}

export const activate = (b: GraphBuilder, name: GateActivation, node: GraphNode): GraphNode =>
  activationRecords[name].build(b, [{ node, isNumber: false }], { approximate: 'none' } as never)[0]!

export const quantRecords = {
  quantize: op({
    name: 'quantize',
    summary: 'self in a quantised format: codes, scales by the largest elements, the factor of the tensor (or 1).',
    category: 'index',
    call: (self: Value, attrs: QuantizeAttrs, tensorScale: Value | null = null) =>
      call(tensorScale === null ? [self] : [self, tensorScale], attrs),
    results: ['values', 'scales', 'tensorScale'],
    build: (b: GraphBuilder, inputs: readonly OpInput[], attrs: QuantizeAttrs) => {
      const [x, given] = inputs.map(({ node }) => node) as [GraphNode, GraphNode?]
      const { values, scales, tensorScale } = quantise(b, 'quantize', attrs, x, given ?? null, attrs.saturate)
      return [values, scales, b.node('copy', [tensorScale], {})]
    },
    reference: ([x, given]: readonly HostTensor[], attrs: QuantizeAttrs) =>
      hostQuantise(attrs, x!, given ?? null, attrs.saturate),
    gradient: 'none',
  }),
  dequantize: op({
    name: 'dequantize',
    summary: 'element · scale (· tensor scale) of a quantised tensor, rounded to a float dtype.',
    category: 'index',
    call: (tensors: readonly Value[], attrs: DequantizeAttrs) => call(tensors, attrs),
    results: null,
    build: (b: GraphBuilder, inputs: readonly OpInput[], attrs: DequantizeAttrs) => {
      const parts = partsOf(inputs.map(({ node }) => node))
      return [castTo(b, dequantise(b, 'dequantize', attrs, attrs.layout, parts, attrs.method), attrs.dtype)]
    },
    reference: ([values, scales, tensorScale]: readonly HostTensor[], attrs: DequantizeAttrs) => {
      const { shape, at } = hostDequantise(attrs, attrs.layout, values!, scales!, tensorScale ?? null, Math.fround)
      return [hostFrom(attrs.dtype, shape, (_, flat) => wrapValue(attrs.dtype, at(flat)))]
    },
    gradient: 'none',
  }),
  fakeQuantize: op({
    name: 'fakeQuantize',
    summary: 'self rounded to what a quantised format holds; gradients pass as if it were not.',
    category: 'index',
    call: (self: Value, attrs: QuantizeAttrs, tensorScale: Value | null = null) =>
      call(tensorScale === null ? [self] : [self, tensorScale], attrs),
    results: null,
    build: (b: GraphBuilder, inputs: readonly OpInput[], attrs: QuantizeAttrs) => {
      const [x, given] = inputs.map(({ node }) => node) as [GraphNode, GraphNode?]
      const parts = quantise(b, 'fakeQuantize', attrs, x, given ?? null, attrs.saturate)
      const stored = { ...parts, tensorScale: attrs.tensorScale ? parts.tensorScale : null }
      const value = castTo(b, dequantise(b, 'fakeQuantize', attrs, 'linear', stored), dtypeOf(x))
      return keptTogether(b, 'fakeQuantize', attrs, inputs, [value])
    },
    reference: ([x, given]: readonly HostTensor[], attrs: QuantizeAttrs) => {
      const [values, scales, tensorScale] = hostQuantise(attrs, x!, given ?? null, attrs.saturate)
      const factor = attrs.tensorScale ? tensorScale! : null
      const { shape, at } = hostDequantise(attrs, 'linear', values!, scales!, factor, Math.fround)
      return [hostFrom(x!.dtype, shape, (_, flat) => wrapValue(x!.dtype, at(flat)))]
    },
  }),
  toBlocked: op({
    name: 'toBlocked',
    summary: 'Scales [… , rows, blocks] in tiles of 128 × 4, padded with 0.',
    category: 'index',
    call: (self: Value) => call([self], {}),
    results: null,
    build: (b: GraphBuilder, [input]: readonly OpInput[]) => [toBlocked(b, input!.node)],
    reference: ([input]: readonly HostTensor[]) => [hostToBlocked(input!)],
    gradient: 'none',
  }),
  fromBlocked: op({
    name: 'fromBlocked',
    summary: 'Scales [… , rows, blocks] of their tiles of 128 × 4.',
    category: 'index',
    call: (self: Value, attrs: FromBlockedAttrs) => call([self], attrs),
    results: null,
    build: (b: GraphBuilder, [input]: readonly OpInput[], { rows, columns }: FromBlockedAttrs) => [
      fromBlocked(b, input!.node, rows, columns),
    ],
    reference: ([input]: readonly HostTensor[], { rows, columns }: FromBlockedAttrs) => [
      hostFromBlocked(input!, rows, columns),
    ],
    gradient: 'none',
  }),
  scaledMatmul: op({
    name: 'scaledMatmul',
    summary: 'a · bᵀ + bias, either side a tensor or a quantised one, summed in f32.',
    category: 'matmul',
    call: (a: QuantOperand, b: QuantOperand, { bias, outDtype }: ScaledMatmulCall) =>
      call([...a.tensors, ...b.tensors, ...(bias === null ? [] : [bias])], {
        a: a.quant,
        b: b.quant,
        bias: bias !== null,
        outDtype,
      }),
    results: null,
    build: (b: GraphBuilder, inputs: readonly OpInput[], attrs: ScaledAttrs) => {
      const nodes = inputs.map(({ node }) => node)
      const finish = (sum: GraphNode): GraphNode => addBias(b, 'scaledMatmul', sum, nodes.at(-1)!)
      return [buildPair(b, 'scaledMatmul', nodes, attrs, undefined, attrs.bias ? finish : undefined)]
    },
    reference: (inputs: readonly HostTensor[], attrs: ScaledAttrs) => [
      hostPair(inputs, attrs, attrs.bias ? inputs.at(-1)! : null),
    ],
  }),
  groupedMatmul: op({
    name: 'groupedMatmul',
    summary: 'a · bᵀ of each group of { a, b }, one result for each.',
    category: 'matmul',
    call: (groups: readonly GroupedMatmulCall[], strategy: GroupStrategy) =>
      call(
        groups.flatMap(({ a, b }) => [...a.tensors, ...b.tensors]),
        { groups: groups.map(({ a, b, outDtype }) => ({ a: a.quant, b: b.quant, outDtype })), strategy },
      ),
    results: null,
    build: (b: GraphBuilder, inputs: readonly OpInput[], { groups, strategy }: GroupedAttrs) => {
      // Calls on the same tensors get the same id.
      const id = contentHash(inputs.map(({ node }) => String(node.id))).slice(0, 8)
      const nodes = inputs.map(({ node }) => node)
      return pairsOf(nodes, groups).map((pair, member) =>
        buildPair(b, `groupedMatmul: group ${member}`, pair, groups[member]!, { id, member, strategy }),
      )
    },
    reference: (inputs: readonly HostTensor[], { groups }: GroupedAttrs) =>
      pairsOf(inputs, groups).map((pair, i) => hostPair(pair, groups[i]!, null)),
  }),
  dualMatmul: op({
    name: 'dualMatmul',
    summary: 'activation(a · b1ᵀ + bias1) · (a · b2ᵀ + bias2), summed in f32.',
    category: 'matmul',
    call: (
      a: QuantOperand,
      b1: QuantOperand,
      b2: QuantOperand,
      options: {
        readonly bias1: Value | null
        readonly bias2: Value | null
        readonly activation: GateActivation
        readonly outDtype: TensorDtype | null
      },
    ) => {
      const { bias1, bias2, activation, outDtype } = options
      const biases = [bias1, bias2].filter(bias => bias !== null)
      return call([...a.tensors, ...b1.tensors, ...b2.tensors, ...biases], {
        a: a.quant,
        b1: b1.quant,
        b2: b2.quant,
        bias1: bias1 !== null,
        bias2: bias2 !== null,
        activation,
        outDtype,
      })
    },
    results: null,
    build: (b: GraphBuilder, inputs: readonly OpInput[], attrs: DualAttrs) => {
      const nodes = inputs.map(({ node }) => node)
      const quants = [attrs.a, attrs.b1, attrs.b2]
      const sides = cut(nodes, quants)
      const dtypes = sides.map(side => side.map(node => ({ dtype: dtypeOf(node) })))
      const [x, gate, up] = sides.map((side, i) => sideOf(b, 'dualMatmul', quants[i]!, side)) as [Side, Side, Side]
      const biases = [...nodes.slice(sides.flat().length)]
      // One dtype for both, as they share a and one K loop.
      const dtype = multiplyDtype(quants, ownDtypes(dtypes, quants))
      const product = (weight: Side, hasBias: boolean): GraphNode => {
        const result = scaledMatmul(b, 'dualMatmul', x, weight, dtype)
        return hasBias ? addBias(b, 'dualMatmul', result, biases.shift()!) : result
      }
      const [first, second] = [product(gate, attrs.bias1), product(up, attrs.bias2)]
      requireEqual(
        shapeOf(first).at(-1)!,
        shapeOf(second).at(-1)!,
        () => `dualMatmul: b1 and b2 give ${shapeOf(first).at(-1)} and ${shapeOf(second).at(-1)} columns`,
        'give both as many rows',
      )
      const gated = map(b, 'mul', activate(b, attrs.activation, first), second)
      return [castTo(b, gated, resultDtype(ownDtypes([dtypes[0]!], [attrs.a]), attrs.outDtype))]
    },
    reference: (inputs: readonly HostTensor[], attrs: DualAttrs) => {
      const quants = [attrs.a, attrs.b1, attrs.b2]
      const sides = cut(inputs, quants)
      const [x, gate, up] = sides.map((side, i) => hostSide(quants[i]!, side)) as [HostSide, HostSide, HostSide]
      const biases = inputs.slice(sides.flat().length)
      const first = hostMatmul(x, gate, attrs.bias1 ? biases[0]! : null)
      const second = hostMatmul(x, up, attrs.bias2 ? biases.at(-1)! : null)
      const data = first.data.map((value, i) => gates[attrs.activation](Number(value)) * Number(second.data[i]!))
      return [rounded({ ...first, data }, resultDtype(ownDtypes([sides[0]!], [attrs.a]), attrs.outDtype))]
    },
  }),
}

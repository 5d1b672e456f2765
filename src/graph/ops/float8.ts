/** Linear layers in 8-bit floats, for training (`tegula/nn`), and what their scales are computed from. */
import { DtypeError, ShapeError } from '../../base/errors.js'
import { wrapValue } from '../../scalar/ops.js'
import { productOf } from '../../scalar/size.js'
import type { Dtype, Float8, TensorDtype } from '../../types/dtype.js'
import { decodeMinifloat, encodeMinifloat, minifloatOf, minifloats } from '../../types/minifloat.js'
import { castTo, dtypeOf, expandTo, full, map, rankOf, reshapeTo, shapeOf } from '../build.js'
import { hostFrom } from '../host.js'
import type { GraphBuilder, GraphNode } from '../ir.js'
import {
  type Float8Role,
  type Float8Scaling,
  float8Block,
  float8Product,
  largestMagnitude,
  powerOfTwoScale,
} from '../quant/float8.js'
import { type HostTensor, type OpInput, op, type Value } from '../record.js'
import { printShape, requireEqual } from '../sizes.js'
import { call } from './arguments.js'

/** What `fp8Linear` takes beside input and weight. */
export interface Float8LinearCall {
  readonly bias: Value | null
  /** Of input, weight and gradient, 0-d each; null unless they are given. */
  readonly scales: readonly [Value, Value, Value] | null
  /** 0-d: its gradient is the largest magnitude of the result's gradient. */
  readonly observer: Value | null
  readonly scaling: 'tensor' | 'block'
  readonly gradients: Float8
  /** null: the input's dtype. */
  readonly outDtype: TensorDtype | null
}

type LinearAttrs = {
  readonly hasBias: boolean
  readonly scaling: Float8Scaling
  readonly isObserved: boolean
  readonly gradients: Float8
  readonly outDtype: Dtype | null
}

/** The inputs of a call by their roles. */
function split<T>(inputs: readonly T[], { hasBias, scaling, isObserved }: LinearAttrs) {
  const [x, weight, ...rest] = inputs as readonly [T, T, ...T[]]
  const bias = hasBias ? rest.shift()! : null
  const observer = isObserved ? rest.pop()! : null
  return { x, weight, bias, scales: scaling === 'given' ? rest : [], observer }
}

const takes: readonly Dtype[] = ['f32', 'f16', 'bf16']

function requireOperand(role: string, dtype: Dtype): void {
  if (takes.includes(dtype)) return
  throw new DtypeError(`fp8Linear: the ${role} is ${dtype}`, { fix: 'give f32, f16 or bf16: it is rounded to 8 bits' })
}

function requireFit(x: GraphNode, weight: GraphNode, bias: GraphNode | null): void {
  for (const [role, node] of Object.entries({ input: x, weight, ...(bias && { bias }) }))
    requireOperand(role, dtypeOf(node))
  const [shape, matrix] = [shapeOf(x), shapeOf(weight)]
  const what = (): string => `fp8Linear: input ${printShape(shape)} and weight ${printShape(matrix)} do not fit`
  const fix = 'give an input [… , K] and a weight [N, K]'
  if (shape.length === 0 || matrix.length !== 2) throw new ShapeError(what(), { fix })
  requireEqual(shape.at(-1)!, matrix[1]!, what, fix)
  if (bias === null) return
  const wrong = (): string => `fp8Linear: the bias ${printShape(shapeOf(bias))} does not fit ${matrix[0]} features`
  if (rankOf(bias) !== 1) throw new ShapeError(wrong(), { fix: 'give a bias of shape [N]' })
  requireEqual(shapeOf(bias)[0]!, matrix[0]!, wrong, 'give a bias of shape [N]')
}

function requireScalar(role: string, node: GraphNode): GraphNode {
  if (rankOf(node) === 0 && takes.includes(dtypeOf(node))) return node
  throw new ShapeError(`fp8Linear: ${role} is ${dtypeOf(node)}${printShape(shapeOf(node))}, not one number`, {
    fix: 'give a 0-d tensor of f32',
  })
}

function buildLinear(b: GraphBuilder, inputs: readonly OpInput[], attrs: LinearAttrs): GraphNode {
  const parts = split(
    inputs.map(({ node }) => node),
    attrs,
  )
  const { x, weight, bias, observer } = parts
  requireFit(x, weight, bias)
  const scales = parts.scales.map((scale, i) =>
    castTo(b, requireScalar(`the scale of the ${['input', 'weight', 'gradient'][i]}`, scale), 'f32'),
  )
  if (observer !== null) requireScalar('what observes the gradient', observer)
  const shape = shapeOf(x)
  const [features, K] = shapeOf(weight) as readonly [number, number]
  const a = reshapeTo(b, castTo(b, x, 'f32'), [productOf(shape.slice(0, -1)), K])
  const { scaling, gradients } = attrs
  const operands = { a, b: castTo(b, weight, 'f32'), scales, observer }
  const sum = float8Product(b, operands, { roles: ['activation', 'weight'], scaling, gradients })
  const result = reshapeTo(b, sum, [...shape.slice(0, -1), features])
  const whole = bias === null ? result : map(b, 'add', result, expandTo(b, castTo(b, bias, 'f32'), shapeOf(result)))
  return castTo(b, whole, attrs.outDtype ?? dtypeOf(x))
}

// --- reference -------------------------------------------------------------------------------------------------------------

function hostScale(values: readonly number[], float: Float8): number {
  const amax = values.filter(Number.isFinite).reduce((most, value) => Math.max(most, Math.abs(value)), 0)
  if (amax === 0) return 1
  const ratio = Math.fround(amax / minifloats[minifloatOf(float)].max)
  const power = 2 ** Math.ceil(Math.log2(ratio))
  return Math.max(power >= ratio ? power : 2 * power, 2 ** -126)
}

function hostRounded(value: number, scale: number, float: Float8): number {
  const scaled = Math.fround(value / scale)
  if (!Number.isFinite(scaled)) return Number.NaN
  const name = minifloatOf(float)
  return decodeMinifloat(name, encodeMinifloat(name, scaled, true)) * scale
}

/** A matrix as its 8-bit floats stand for, in float64. */
export function hostFloat8(
  { shape, data }: HostTensor,
  role: Float8Role,
  float: Float8,
  scaling: Float8Scaling,
  given: number,
): readonly number[] {
  const K = shape.at(-1)!
  const values = data.map(Number)
  const [high, wide] = scaling !== 'block' ? [values.length, K] : [role === 'weight' ? float8Block : 1, float8Block]
  const blockOf = (i: number): string => `${Math.floor(Math.floor(i / K) / high)},${Math.floor((i % K) / wide)}`
  const blocks = new Map<string, number[]>()
  for (const [i, value] of values.entries()) blocks.set(blockOf(i), [...(blocks.get(blockOf(i)) ?? []), value])
  const scales = new Map([...blocks].map(([key, own]) => [key, given > 0 ? given : hostScale(own, float)]))
  return values.map((value, i) => hostRounded(value, scales.get(blockOf(i))!, float))
}

function hostLinear(inputs: readonly HostTensor[], attrs: LinearAttrs): HostTensor {
  const { x, weight, bias, scales } = split(inputs, attrs)
  const [features, K] = weight.shape as readonly [number, number]
  const given = [0, 1].map(i => Number(scales[i]?.data[0] ?? 0))
  const left = hostFloat8(x, 'activation', 'f8e4m3', attrs.scaling, given[0]!)
  const right = hostFloat8(weight, 'weight', 'f8e4m3', attrs.scaling, given[1]!)
  const dtype = attrs.outDtype ?? x.dtype
  return hostFrom(dtype, [...x.shape.slice(0, -1), features], (_, flat) => {
    const [row, column] = [Math.floor(flat / features) * K, (flat % features) * K]
    let sum = Number(bias?.data[flat % features] ?? 0)
    for (let k = 0; k < K; k++) sum += left[row + k]! * right[column + k]!
    return wrapValue(dtype, sum)
  })
}

// --- records ---------------------------------------------------------------------------------------------------------------

export const float8Records = {
  fp8Linear: op({
    name: 'fp8Linear',
    summary: 'input · weightᵀ + bias; input and weight are rounded to 8-bit floats, and gradients too.',
    category: 'matmul',
    call: (x: Value, weight: Value, { bias, scales, observer, scaling, gradients, outDtype }: Float8LinearCall) =>
      call([x, weight, ...(bias === null ? [] : [bias]), ...(scales ?? []), ...(observer === null ? [] : [observer])], {
        hasBias: bias !== null,
        scaling: scales === null ? scaling : ('given' as const),
        isObserved: observer !== null,
        gradients,
        outDtype,
      }),
    results: null,
    build: (b: GraphBuilder, inputs: readonly OpInput[], attrs: LinearAttrs) => [buildLinear(b, inputs, attrs)],
    reference: (inputs: readonly HostTensor[], attrs: LinearAttrs) => [hostLinear(inputs, attrs)],
  }),
  largestMagnitude: op({
    name: 'largestMagnitude',
    summary: 'The largest finite magnitude of a tensor, f32; 0 if there is none.',
    category: 'reduction',
    call: (self: Value) => call([self], {}),
    results: null,
    build: (b: GraphBuilder, [self]: readonly OpInput[]) => [largestMagnitude(b, self!.node)],
    reference: ([self]: readonly HostTensor[]) => {
      const finite = self!.data.map(Number).filter(Number.isFinite)
      return [hostFrom('f32', [], () => finite.reduce((most, value) => Math.max(most, Math.abs(value)), 0))]
    },
    gradient: 'none',
  }),
  float8Scale: op({
    name: 'float8Scale',
    summary: 'The scale for values up to the largest of self: a power of two; 0 if that is 0.',
    category: 'reduction',
    call: (self: Value, float: Float8) => call([self], { float }),
    results: null,
    build: (b: GraphBuilder, [self]: readonly OpInput[], { float }: { readonly float: Float8 }) => {
      const amax = largestMagnitude(b, self!.node)
      const zero = full(b, 'f32', [], 0)
      return [map(b, 'where', map(b, 'eq', amax, zero), zero, powerOfTwoScale(b, amax, float))]
    },
    reference: ([self]: readonly HostTensor[], { float }: { readonly float: Float8 }) => {
      const values = self!.data.map(Number)
      return [hostFrom('f32', [], () => (values.every(value => value === 0) ? 0 : hostScale(values, float)))]
    },
    gradient: 'none',
  }),
}

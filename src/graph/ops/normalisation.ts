/** Softmax and normalisation layers, in stable form and with all arithmetic on narrow floats in f32. */
import { ArgumentError, DtypeError, ShapeError } from '../../base/errors.js'
import { castValue, type Value as Element } from '../../scalar/ops.js'
import type { Size } from '../../scalar/size.js'
import { computeDtype, type Dtype, isFloat } from '../../types/dtype.js'
import { castTo, dtypeOf, expandTo, map, normalizeDim, rankOf, reduceKeepdim, shapeOf, withDim } from '../build.js'
import { elementAt, hostFrom, hostValue } from '../host.js'
import type { GraphBuilder, GraphNode, Shape } from '../ir.js'
import {
  type Gradient,
  type GradientContext,
  type HostTensor,
  type OpCall,
  type OpInput,
  op,
  type Value,
} from '../record.js'
import { printShape, requireEqual } from '../sizes.js'
import { call } from './arguments.js'
import { hostGroups, standardize } from './reduce.js'
import { asInput, castFirst, floatKept, floatOrCast } from './texts.js'

// --- softmax -----------------------------------------------------------------------------------------------------------

type SoftmaxAttrs = { readonly dim: number; readonly dtype: Dtype | null }
type SoftmaxName = 'softmax' | 'softmin' | 'logSoftmax'

function softmaxDtype(name: string, dtype: Dtype, asked: Dtype | null): Dtype {
  const result = asked ?? dtype
  if (isFloat(result)) return result
  throw new DtypeError(`${name}: needs floats, got ${result}`, { fix: "give a float dtype: { dtype: 'f32' }" })
}

function buildSoftmax(name: SoftmaxName, b: GraphBuilder, node: GraphNode, attrs: SoftmaxAttrs): readonly GraphNode[] {
  const dtype = softmaxDtype(name, dtypeOf(node), attrs.dtype)
  return withDim(b, node, lifted => {
    const dims = [normalizeDim(name, attrs.dim, rankOf(lifted))]
    const own = castTo(b, lifted, computeDtype(dtype))
    const x = name === 'softmin' ? map(b, 'neg', own) : own
    const shape = shapeOf(x)
    const shifted = map(b, 'sub', x, expandTo(b, reduceKeepdim(b, 'max', x, dims), shape))
    const exponentials = map(b, 'exp', shifted)
    const total = reduceKeepdim(b, 'add', exponentials, dims)
    const result =
      name === 'logSoftmax'
        ? map(b, 'sub', shifted, expandTo(b, map(b, 'log', total), shape))
        : map(b, 'div', exponentials, expandTo(b, total, shape))
    return [castTo(b, result, dtype)]
  })
}

function referenceSoftmax(name: SoftmaxName, input: HostTensor, attrs: SoftmaxAttrs): HostTensor {
  const dtype = softmaxDtype(name, input.dtype, attrs.dtype)
  const shape = input.shape.length === 0 ? [1] : input.shape
  const sign = name === 'softmin' ? -1 : 1
  const data = input.data.map(value => sign * Number(castValue(input.dtype, computeDtype(dtype), value)))
  const dim = normalizeDim(name, attrs.dim, input.shape.length)
  const lifted: HostTensor = { dtype: input.dtype, shape, data }
  const { kept, groups } = hostGroups(lifted, [dim])
  const largest = groups.map(group => group.reduce<number>((a, x) => Math.max(a, Number(x)), Number.NEGATIVE_INFINITY))
  const totals = groups.map((group, i) => group.reduce<number>((sum, x) => sum + Math.exp(Number(x) - largest[i]!), 0))
  const at = (values: readonly number[], index: readonly number[]): number =>
    Number(
      elementAt(
        { dtype: 'f64', shape: kept, data: values },
        index.filter((_, d) => d !== dim),
      ),
    )
  const result = hostFrom(dtype, shape, (index, flat) => {
    const shifted = data[flat]! - at(largest, index)
    const total = at(totals, index)
    return hostValue(dtype, name === 'logSoftmax' ? shifted - Math.log(total) : Math.exp(shifted) / total)
  })
  return { ...result, shape: input.shape }
}

const softmaxGradient = ({ outputs: [y], outputGradients: [g], attrs, op }: GradientContext<SoftmaxAttrs>) => {
  const inner = op('sum', op('mul', g, y), attrs.dim, { keepdim: true })
  return [op('mul', y, op('sub', g, inner))]
}
const softminGradient: Gradient<SoftmaxAttrs> = context =>
  softmaxGradient(context).map(gradient => gradient && context.op('neg', gradient))
const logSoftmaxGradient: Gradient<SoftmaxAttrs> = ({ outputs: [y], outputGradients: [g], attrs, op }) => {
  const total = op('sum', g, attrs.dim, { keepdim: true })
  return [op('sub', g, op('mul', op('exp', y), total))]
}

const softmaxRecord = (name: SoftmaxName, summary: string, gradient: Gradient<SoftmaxAttrs>) =>
  op({
    name,
    summary,
    category: 'normalisation',
    signature: 'self, dim: dim, *, dtype: dtype | null = null',
    shape: asInput,
    dtypes: floatOrCast,
    details: {
      dim: `the dim along which ${name === 'logSoftmax' ? 'the exponentials sum' : 'the result sums'} up to 1; negative ones count from the end`,
      dtype: castFirst,
    },
    note: 'Relative to the largest value, so that nothing overflows. A row of −∞ gives NaN.',
    results: null,
    build: (b: GraphBuilder, [input]: readonly OpInput[], attrs: SoftmaxAttrs) =>
      buildSoftmax(name, b, input!.node, attrs),
    reference: ([input]: readonly HostTensor[], attrs: SoftmaxAttrs) => [referenceSoftmax(name, input!, attrs)],
    gradient,
  })

// --- layer norms ---------------------------------------------------------------------------------------------------------

type NormAttrs = {
  readonly normalizedShape: readonly Size[]
  /** null: the distance from 1 to the next number of the dtype that is computed in. */
  readonly eps: number | null
  readonly hasWeight: boolean
  readonly hasBias: boolean
}
const affineDetails = {
  eps: 'what is added to the variance',
  normalizedShape: 'the sizes of the last dims, which are normalised',
  weight: 'a factor per element, of shape normalizedShape',
  bias: 'a summand per element, of shape normalizedShape',
}
type NormName = 'layerNorm' | 'rmsNorm'

interface NormArgs {
  readonly self: Value
  readonly normalizedShape: readonly Size[]
  readonly weight: Value | null
  readonly bias: Value | null
  readonly eps: number | null
}

function normCall(name: NormName, { self, normalizedShape, weight, bias, eps }: NormArgs): OpCall<NormAttrs> {
  if (normalizedShape.length === 0)
    throw new ArgumentError(`${name}: normalizedShape is empty`, { fix: 'give the sizes of the last dims' })
  const inputs = [self, weight, bias].filter(input => input !== null)
  return call(inputs, { normalizedShape, eps, hasWeight: weight !== null, hasBias: bias !== null })
}

/** The dims that are normalised. Throws ShapeError when the input does not end in normalizedShape. */
function normalizedDims(name: NormName, shape: Shape, { normalizedShape }: NormAttrs): readonly number[] {
  const lead = shape.length - normalizedShape.length
  const what = (): string =>
    `${name}: the input ${printShape(shape)} does not end in normalizedShape ${printShape(normalizedShape)}`
  if (lead < 0) throw new ShapeError(what())
  for (const [d, size] of normalizedShape.entries()) requireEqual(shape[lead + d]!, size, what)
  return normalizedShape.map((_, d) => lead + d)
}

function checkAffine(name: NormName, what: string, node: GraphNode, { normalizedShape }: NormAttrs): void {
  const shape = shapeOf(node)
  const problem = (): string =>
    `${name}: ${what} has shape ${printShape(shape)}, normalizedShape is ${printShape(normalizedShape)}`
  if (shape.length !== normalizedShape.length) throw new ShapeError(problem())
  for (const [d, size] of shape.entries()) requireEqual(size, normalizedShape[d]!, problem)
}

const epsOf = ({ eps }: NormAttrs, dtype: Dtype): number => eps ?? (computeDtype(dtype) === 'f64' ? 2 ** -52 : 2 ** -23)

function buildNorm(
  name: NormName,
  b: GraphBuilder,
  inputs: readonly OpInput[],
  attrs: NormAttrs,
): readonly GraphNode[] {
  const [input, ...affine] = inputs.map(({ node }) => node) as [GraphNode, ...GraphNode[]]
  const dtype = dtypeOf(input)
  if (!isFloat(dtype)) throw new DtypeError(`${name}: needs floats, got ${dtype}`, { fix: "cast first: x.to('f32')" })
  const shape = shapeOf(input)
  const dims = normalizedDims(name, shape, attrs)
  const compute = computeDtype(dtype)
  let result = standardize(b, castTo(b, input, compute), dims, epsOf(attrs, dtype), name === 'layerNorm')
  if (attrs.hasWeight) {
    checkAffine(name, 'weight', affine[0]!, attrs)
    result = map(b, 'mul', result, expandTo(b, castTo(b, affine[0]!, compute), shape))
  }
  if (attrs.hasBias) {
    checkAffine(name, 'bias', affine.at(-1)!, attrs)
    result = map(b, 'add', result, expandTo(b, castTo(b, affine.at(-1)!, compute), shape))
  }
  return [castTo(b, result, dtype)]
}

function referenceNorm(name: NormName, inputs: readonly HostTensor[], attrs: NormAttrs): HostTensor {
  const [input, ...affine] = inputs as [HostTensor, ...HostTensor[]]
  const dims = attrs.normalizedShape.map((_, d) => input.shape.length - attrs.normalizedShape.length + d)
  const { groups } = hostGroups(input, dims)
  const sum = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0)
  const statistics = groups.map(group => {
    const values = (group as readonly Element[]).map(Number)
    const middle = name === 'layerNorm' ? sum(values) / values.length : 0
    return { middle, power: sum(values.map(value => (value - middle) ** 2)) / values.length }
  })
  const groupSize = groups[0]?.length ?? 1
  return hostFrom(input.dtype, input.shape, (index, flat) => {
    const { middle, power } = statistics[Math.floor(flat / groupSize)]!
    const normal = (Number(input.data[flat]!) - middle) / Math.sqrt(power + epsOf(attrs, input.dtype))
    const weight = attrs.hasWeight ? Number(elementAt(affine[0]!, index)) : 1
    const bias = attrs.hasBias ? Number(elementAt(affine.at(-1)!, index)) : 0
    return hostValue(input.dtype, normal * weight + bias)
  })
}

export const normalisationRecords = {
  softmax: softmaxRecord('softmax', 'e^self / Σ e^self along a dim.', softmaxGradient),
  softmin: softmaxRecord('softmin', 'softmax(−self): e^−self / Σ e^−self along a dim.', softminGradient),
  logSoftmax: softmaxRecord('logSoftmax', 'ln(softmax(self)) along a dim.', logSoftmaxGradient),
  layerNorm: op({
    name: 'layerNorm',
    summary: '(self − mean) / √(variance + eps) · weight + bias over the last dims.',
    category: 'normalisation',
    signature:
      'self, normalizedShape: sizes, weight: tensor | null = null, bias: tensor | null = null, eps: number = 1e-5',
    details: affineDetails,
    shape: asInput,
    dtypes: floatKept,
    errors: {
      ArgumentError: 'when normalizedShape is empty',
      ShapeError: 'when the last dims are not normalizedShape, or weight or bias has another shape',
    },
    note: 'The variance divides by n. Ba, Kiros and Hinton, arXiv:1607.06450.',
    call: args => normCall('layerNorm', args),
    results: null,
    build: (b: GraphBuilder, inputs: readonly OpInput[], attrs: NormAttrs) => buildNorm('layerNorm', b, inputs, attrs),
    reference: (inputs: readonly HostTensor[], attrs: NormAttrs) => [referenceNorm('layerNorm', inputs, attrs)],
    gradient: 'later',
  }),
  rmsNorm: op({
    name: 'rmsNorm',
    summary: 'self / √(mean of self² + eps) · weight over the last dims.',
    category: 'normalisation',
    signature: 'self, normalizedShape: sizes, weight: tensor | null = null, eps: number | null = null',
    details: { ...affineDetails, eps: 'the distance from 1 to the next f32 unless given (f64 of f64)' },
    shape: asInput,
    dtypes: floatKept,
    errors: {
      ArgumentError: 'when normalizedShape is empty',
      ShapeError: 'when the last dims are not normalizedShape, or weight or bias has another shape',
    },
    note: 'Zhang and Sennrich, arXiv:1910.07467.',
    call: args => normCall('rmsNorm', { ...args, bias: null }),
    results: null,
    build: (b: GraphBuilder, inputs: readonly OpInput[], attrs: NormAttrs) => buildNorm('rmsNorm', b, inputs, attrs),
    reference: (inputs: readonly HostTensor[], attrs: NormAttrs) => [referenceNorm('rmsNorm', inputs, attrs)],
    gradient: 'later',
  }),
}

import { castValue, type Value as Element } from '../../scalar/ops.js'
import { computeDtype, type Dtype, isFloat } from '../../types/dtype.js'
import {
  castTo,
  defaultFloat,
  dtypeOf,
  expandTo,
  full,
  map,
  normalizeDims,
  rankOf,
  reduceKeepdim,
  requireFloat,
  shapeOf,
  withDim,
} from '../build.js'
import { hostFrom, hostValue } from '../host.js'
import type { GraphBuilder, GraphNode } from '../ir.js'
import { type HostTensor, type OpInput, op } from '../record.js'
import type { ReduceAttrs } from './arguments.js'
import { extremeRecords } from './extreme.js'
import {
  finish,
  floatSum,
  meanKeepdim,
  reduceCall,
  reduceSignature,
  referenceReduce,
  spread,
  typedReduceSignature,
} from './reduce.js'
import { asInput, castFirst, floatOrCast, withoutDims } from './texts.js'
import { varianceRecords } from './variance.js'

// --- sums and products -------------------------------------------------------------------------------------------------

const accumulated = (dtype: Dtype, asked: Dtype | null): Dtype => asked ?? (isFloat(dtype) ? dtype : 'i64')

const floatProduct = (values: readonly Element[]): number => values.reduce<number>((p, value) => p * Number(value), 1)
const exactSum = (values: readonly Element[]): bigint => values.reduce<bigint>((sum, value) => sum + BigInt(value), 0n)
const exactProduct = (values: readonly Element[]): bigint =>
  values.reduce<bigint>((p, value) => BigInt.asIntN(64, p * BigInt(value)), 1n)

function fold(name: 'sum' | 'prod', fn: 'add' | 'mul', summary: string) {
  return op({
    name,
    summary,
    category: 'reduction',
    signature: typedReduceSignature,
    shape: withoutDims,
    dtypes: { takes: 'any', gives: 'summed' },
    details: { dim: 'the dims to reduce; by default all', dtype: castFirst },
    call: reduceCall,
    results: null,
    build: (b: GraphBuilder, [input]: readonly OpInput[], attrs: ReduceAttrs) => {
      const node = input!.node
      const dims = normalizeDims(name, attrs.dims, rankOf(node))
      const dtype = accumulated(dtypeOf(node), attrs.dtype)
      const summed = castTo(b, reduceKeepdim(b, fn, toComputeOf(b, node, dtype), dims), dtype)
      return [finish(b, summed, dims, attrs.keepdim)]
    },
    reference: ([input]: readonly HostTensor[], attrs: ReduceAttrs) => {
      const dtype = accumulated(input!.dtype, attrs.dtype)
      const compute = computeDtype(dtype)
      const cast = (values: readonly Element[]): readonly Element[] =>
        values.map(v => castValue(input!.dtype, compute, v))
      const [float, exact] = name === 'sum' ? [floatSum, exactSum] : [floatProduct, exactProduct]
      return [referenceReduce(name, input!, attrs, dtype, v => (isFloat(dtype) ? float(cast(v)) : exact(cast(v))))]
    },
  })
}

/** Cast directly to the compute dtype of `dtype`, without rounding to `dtype` in between. */
const toComputeOf = (b: GraphBuilder, node: GraphNode, dtype: Dtype): GraphNode => castTo(b, node, computeDtype(dtype))

function meanDtype(name: string, dtype: Dtype, asked: Dtype | null): Dtype {
  requireFloat(name, asked ?? dtype, "give a float dtype: { dtype: 'f32' }, or cast first: x.to('f32')")
  return asked ?? dtype
}

const mean = op({
  name: 'mean',
  summary: 'Σ self / n over the dims; floats only. Of no elements: NaN.',
  category: 'reduction',
  signature: typedReduceSignature,
  shape: withoutDims,
  dtypes: floatOrCast,
  details: { dim: 'the dims to reduce; by default all', dtype: castFirst },
  call: reduceCall,
  results: null,
  build: (b: GraphBuilder, [input]: readonly OpInput[], attrs: ReduceAttrs) => {
    const node = input!.node
    const dims = normalizeDims('mean', attrs.dims, rankOf(node))
    const dtype = meanDtype('mean', dtypeOf(node), attrs.dtype)
    const result = castTo(b, meanKeepdim(b, toComputeOf(b, node, dtype), dims), dtype)
    return [finish(b, result, dims, attrs.keepdim)]
  },
  reference: ([input]: readonly HostTensor[], attrs: ReduceAttrs) => {
    const dtype = meanDtype('mean', input!.dtype, attrs.dtype)
    return [referenceReduce('mean', input!, attrs, dtype, values => floatSum(values) / values.length)]
  },
})

// --- truth -------------------------------------------------------------------------------------------------------------

const truth = (name: 'any' | 'all', fn: 'or' | 'and', summary: string) =>
  op({
    name,
    summary,
    category: 'reduction',
    signature: reduceSignature,
    shape: withoutDims,
    dtypes: { takes: 'any', gives: 'bool' },
    details: { dim: 'the dims to reduce; by default all, [] for none' },
    call: reduceCall,
    results: null,
    build: (b: GraphBuilder, [input]: readonly OpInput[], attrs: ReduceAttrs) => {
      // An empty list of dims means all dims in PyTorch's other reductions, but none in these.
      const dims = attrs.dims?.length === 0 ? [] : normalizeDims(name, attrs.dims, rankOf(input!.node))
      return [finish(b, reduceKeepdim(b, fn, castTo(b, input!.node, 'bool'), dims), dims, attrs.keepdim)]
    },
    reference: ([input]: readonly HostTensor[], attrs: ReduceAttrs) => {
      const isTrue = (value: Element): boolean => Number(value) !== 0
      if (attrs.dims?.length === 0)
        return [hostFrom('bool', input!.shape, (_, flat) => Number(isTrue(input!.data[flat]!)))]
      return [
        referenceReduce(name, input!, attrs, 'bool', values =>
          name === 'any' ? values.some(isTrue) : values.every(isTrue),
        ),
      ]
    },
    gradient: 'none',
  })

// --- running folds -------------------------------------------------------------------------------------------------------

type ScanAttrs = { readonly dim: number; readonly dtype: Dtype | null }

const running = (name: 'cumsum' | 'cumprod', fn: 'add' | 'mul', summary: string) =>
  op({
    name,
    summary,
    category: 'reduction',
    signature: 'self, dim: dim, *, dtype: dtype | null = null',
    shape: asInput,
    dtypes: { takes: 'any', gives: 'summed' },
    details: { dtype: castFirst },
    ...(name === 'cumprod' && { note: 'Gradients of gradients are right where no element is exactly 0.' }),
    results: null,
    build: (b: GraphBuilder, [input]: readonly OpInput[], attrs: ScanAttrs) =>
      withDim(b, input!.node, node => {
        const [dim] = normalizeDims(name, [attrs.dim], rankOf(node)) as [number]
        const dtype = accumulated(dtypeOf(node), attrs.dtype)
        const scanned = b.node('scan', [toComputeOf(b, node, dtype)], { fn, dim, reverse: false })
        return [castTo(b, scanned, dtype)]
      }),
    reference: ([input]: readonly HostTensor[], attrs: ScanAttrs) => [referenceScan(name, input!, attrs)],
  })

/** The reference of cumsum and cumprod. */
function referenceScan(name: 'cumsum' | 'cumprod', input: HostTensor, attrs: ScanAttrs): HostTensor {
  const dtype = accumulated(input.dtype, attrs.dtype)
  const shape = input.shape.length === 0 ? [1] : input.shape
  const [dim] = normalizeDims(name, [attrs.dim], shape.length) as [number]
  const inner = shape.slice(dim + 1).reduce((a, b) => a * b, 1)
  const [float, exact] = name === 'cumsum' ? [floatSum, exactSum] : [floatProduct, exactProduct]
  return hostFrom(dtype, input.shape, (index, flat) => {
    const position = index[dim] ?? 0
    const before = Array.from({ length: position + 1 }, (_, i) => input.data[flat - (position - i) * inner]!)
    const cast = before.map(value => castValue(input.dtype, computeDtype(dtype), value))
    return hostValue(dtype, isFloat(dtype) ? float(cast) : exact(cast))
  })
}

// --- log of a sum --------------------------------------------------------------------------------------------------------

const logsumexp = op({
  name: 'logsumexp',
  summary: 'ln Σ e^self over the dims, without overflow; of integers as f32.',
  category: 'reduction',
  signature: 'self, dim: dims, keepdim: bool = false',
  shape: withoutDims,
  dtypes: { takes: 'any', gives: 'floated' },
  details: { dim: 'the dims to reduce; [] for all' },
  call: reduceCall,
  results: null,
  build: (b: GraphBuilder, [input]: readonly OpInput[], attrs: ReduceAttrs) => {
    const node = input!.node
    const dtype = isFloat(dtypeOf(node)) ? dtypeOf(node) : defaultFloat
    const dims = normalizeDims('logsumexp', attrs.dims, rankOf(node))
    const x = castTo(b, node, computeDtype(dtype))
    const largest = reduceKeepdim(b, 'max', x, dims)
    // A row of −∞ (or with +∞) must give that infinity: ∞ − ∞ would be NaN.
    const finite = map(b, 'isfinite', largest)
    const shift = map(b, 'where', finite, largest, full(b, dtypeOf(x), shapeOf(largest), 0))
    const terms = map(b, 'exp', map(b, 'sub', x, expandTo(b, shift, shapeOf(x))))
    const result = map(b, 'add', map(b, 'log', reduceKeepdim(b, 'add', terms, dims)), shift)
    return [finish(b, castTo(b, result, dtype), dims, attrs.keepdim)]
  },
  gradient: context => {
    const { inputs, outputs, outputGradients, op } = context
    // A row of −∞ has no shares.
    const total = op('where', op('eq', outputs[0], Number.NEGATIVE_INFINITY), 0, outputs[0])
    const share = op('exp', op('sub', inputs[0], spread(context, total)))
    return [op('mul', share, spread(context, outputGradients[0]!))]
  },
})

export const reductionRecords = {
  sum: fold('sum', 'add', 'Σ self over the dims; integers and bool give i64.'),
  prod: fold('prod', 'mul', 'Π self over the dims; integers and bool give i64.'),
  mean,
  any: truth('any', 'or', 'True where any value over the dims is not 0.'),
  all: truth('all', 'and', 'True where every value over the dims is not 0.'),
  cumsum: running('cumsum', 'add', 'The running sum along a dim.'),
  cumprod: running('cumprod', 'mul', 'The running product along a dim.'),
  logsumexp,
  ...varianceRecords,
  ...extremeRecords,
}

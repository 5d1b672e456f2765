import { ArgumentError } from '../../base/errors.js'
import type { Value as Element } from '../../scalar/ops.js'
import { computeDtype, type Dtype, isFloat } from '../../types/dtype.js'
import {
  castTo,
  dtypeOf,
  full,
  map,
  normalizeDims,
  rankOf,
  reduceKeepdim,
  requireElements,
  requireFloat,
  shapeOf,
  toCompute,
} from '../build.js'
import type { GraphBuilder, GraphNode } from '../ir.js'
import { type OpInput, op } from '../record.js'
import { call, type ReduceAttrs } from './arguments.js'
import { extremeRecords } from './extreme.js'
import { finish, floatSum, reduceCall, typedReduceSignature } from './reduce.js'
import { reductionRecords } from './reduction.js'
import { castFirst, emptyDims, floatKept, floatOrCast, withoutDim, withoutDims } from './texts.js'
import { varCall, varianceDetails, varSignature } from './variance.js'

const toF32 = "cast first: x.to('f32')"

// --- two at once -------------------------------------------------------------------------------------------------------

const withMean = (name: 'varMean' | 'stdMean', first: 'var' | 'std', summary: string) => {
  const record = reductionRecords[first]
  return op({
    name,
    summary,
    category: 'reduction',
    signature: varSignature,
    shape: { [first]: withoutDims, mean: withoutDims },
    dtypes: { takes: 'float', gives: { [first]: 'same', mean: 'same' } },
    details: varianceDetails,
    errors: { ArgumentError: 'when unbiased and correction are both given' },
    call: varCall,
    results: [first, 'mean'],
    build: (b: GraphBuilder, inputs: readonly OpInput[], attrs: Parameters<typeof record.build>[2]) => {
      const { node } = inputs[0]!
      // What the two would refuse is refused under this op's name.
      requireFloat(name, dtypeOf(node), toF32)
      normalizeDims(name, attrs.dims, rankOf(node))
      return [...record.build(b, inputs, attrs), ...reductionRecords.mean.build(b, inputs, attrs)]
    },
    gradient: 'later',
  })
}

const aminmax = op({
  name: 'aminmax',
  summary: 'The smallest and the largest value over a dim, or of all; NaN if any is NaN.',
  category: 'reduction',
  signature: 'self, *, dim: dim | null = null, keepdim: bool = false',
  shape: { min: withoutDim, max: withoutDim },
  dtypes: { takes: 'any', gives: { min: 'same', max: 'same' } },
  details: { dim: 'the dim to reduce; by default all' },
  errors: { ShapeError: emptyDims },
  call: ({ self, dim, keepdim }) => call([self], { dims: dim === null ? null : [dim], keepdim, dtype: null }),
  results: ['min', 'max'],
  build: (b: GraphBuilder, inputs: readonly OpInput[], attrs: ReduceAttrs) => {
    const shape = shapeOf(inputs[0]!.node)
    requireElements('aminmax', shape, normalizeDims('aminmax', attrs.dims, shape.length))
    return [...extremeRecords.amin.build(b, inputs, attrs), ...extremeRecords.amax.build(b, inputs, attrs)]
  },
  gradient: 'later',
})

// --- norms -------------------------------------------------------------------------------------------------------------

type NormAttrs = ReduceAttrs & { readonly p: number }
type NormName = 'norm' | 'vectorNorm'

/** (Σ |x|^p)^(1/p) over the dims, which stay with size 1. */
export function lengthsOf(b: GraphBuilder, x: GraphNode, p: number, dims: readonly number[]): GraphNode {
  const size = map(b, 'abs', x)
  const number = (model: GraphNode, value: number): GraphNode => full(b, dtypeOf(model), shapeOf(model), value)
  if (p === Number.POSITIVE_INFINITY) return reduceKeepdim(b, 'max', size, dims)
  if (p === Number.NEGATIVE_INFINITY) return reduceKeepdim(b, 'min', size, dims)
  if (p === 0) return reduceKeepdim(b, 'add', castTo(b, map(b, 'ne', size, number(size, 0)), dtypeOf(size)), dims)
  if (p === 1) return reduceKeepdim(b, 'add', size, dims)
  if (p === 2) return map(b, 'sqrt', reduceKeepdim(b, 'add', map(b, 'mul', size, size), dims))
  const sum = reduceKeepdim(b, 'add', map(b, 'pow', size, number(size, p)), dims)
  return map(b, 'pow', sum, number(sum, 1 / p))
}

function buildNorm(name: NormName, b: GraphBuilder, given: GraphNode, attrs: NormAttrs): GraphNode {
  const node = attrs.dtype === null ? given : castTo(b, given, attrs.dtype)
  const dtype = dtypeOf(node)
  requireFloat(name, dtypeOf(given), toF32)
  requireFloat(name, dtype, toF32)
  const dims = normalizeDims(name, attrs.dims, rankOf(node))
  if (Math.abs(attrs.p) === Number.POSITIVE_INFINITY) requireElements(name, shapeOf(node), dims)
  return finish(b, castTo(b, lengthsOf(b, toCompute(b, node), attrs.p, dims), dtype), dims, attrs.keepdim)
}

export function normOf(values: readonly Element[], p: number): number {
  const sizes = values.map(value => Math.abs(Number(value)))
  if (p === Number.POSITIVE_INFINITY) return Math.max(...sizes)
  if (p === Number.NEGATIVE_INFINITY) return Math.min(...sizes)
  if (p === 0) return sizes.filter(size => size !== 0).length
  return floatSum(sizes.map(size => size ** p)) ** (1 / p)
}

const normColumns = (name: NormName) => ({
  name,
  summary: '(Σ |self|^p)^(1/p) over the dims; p 0 counts what is not 0, p ±Infinity is the largest (smallest) |self|.',
  category: 'reduction' as const,
  shape: withoutDims,
  dtypes: floatKept,
  results: null,
  build: (b: GraphBuilder, [input]: readonly OpInput[], attrs: NormAttrs) => [buildNorm(name, b, input!.node, attrs)],
  gradient: 'later' as const,
})

const norm = op({
  ...normColumns('norm'),
  summary:
    "(Σ |self|^p)^(1/p) over the dims; p 0 counts what is not 0, p ±Infinity is the largest (smallest) |self|. PyTorch's 'nuc', which needs singular values, is not supported.",
  signature:
    "self, p: number | 'fro' | 'nuc' = 2, dim: dims | null = null, keepdim: bool = false, dtype: dtype | null = null",
  details: { p: "the power; 'fro' is 2", dim: 'the dims to reduce; by default all', dtype: castFirst },
  errors: { ArgumentError: "for p 'nuc'", ShapeError: 'when p is ±Infinity and a reduced dim has no elements' },
  call: ({ self, p, dim, keepdim, dtype }) => {
    if (p === 'nuc')
      throw new ArgumentError("norm: p 'nuc' is the sum of singular values, which are not supported", {
        fix: "use p 'fro' or a number",
      })
    return call([self], { dims: dim, keepdim, dtype, p: p === 'fro' ? 2 : p })
  },
})

/** As `linalg.vectorNorm`. */
const vectorNorm = op({
  ...normColumns('vectorNorm'),
  signature: 'self, ord: number = 2, dim: dims | null = null, keepdim: bool = false, *, dtype: dtype | null = null',
  details: { ord: 'the power p', dim: 'the dims to reduce; by default all', dtype: castFirst },
  errors: { ShapeError: 'when ord is ±Infinity and a reduced dim has no elements' },
  call: ({ self, ord, dim, keepdim, dtype }) => call([self], { dims: dim, keepdim, dtype, p: ord }),
})

// --- counts and NaN ------------------------------------------------------------------------------------------------------

const countNonzero = op({
  name: 'countNonzero',
  summary: 'How many elements are not 0 over the dims, as i64.',
  category: 'reduction',
  signature: 'self, dim: dims | null = null',
  shape: 'the shape of self without the reduced dims',
  dtypes: { takes: 'any', gives: 'i64' },
  details: { dim: 'the dims to reduce; by default all' },
  call: ({ self, dim }) => call([self], { dims: dim, keepdim: false, dtype: null }),
  results: null,
  build: (b: GraphBuilder, [input]: readonly OpInput[], attrs: ReduceAttrs) => {
    const dims = normalizeDims('countNonzero', attrs.dims, rankOf(input!.node))
    const ones = castTo(b, castTo(b, input!.node, 'bool'), 'i64')
    return [finish(b, reduceKeepdim(b, 'add', ones, dims), dims, false)]
  },
  gradient: 'none',
})

const nanDtype = (dtype: Dtype, asked: Dtype | null, name: 'nansum' | 'nanmean'): Dtype => {
  if (name === 'nanmean') requireFloat(name, asked ?? dtype, toF32)
  return asked ?? (isFloat(dtype) ? dtype : 'i64')
}

/** The sum (or mean) of what is not NaN. */
function buildNan(name: 'nansum' | 'nanmean', b: GraphBuilder, node: GraphNode, attrs: ReduceAttrs): GraphNode {
  const dims = normalizeDims(name, attrs.dims, rankOf(node))
  const dtype = nanDtype(dtypeOf(node), attrs.dtype, name)
  const x = castTo(b, node, computeDtype(dtype))
  if (!isFloat(dtypeOf(x))) return finish(b, reduceKeepdim(b, 'add', x, dims), dims, attrs.keepdim)
  const zero = full(b, dtypeOf(x), shapeOf(x), 0)
  const missing = map(b, 'isnan', x)
  const sum = reduceKeepdim(b, 'add', map(b, 'where', missing, zero, x), dims)
  if (name === 'nansum') return finish(b, castTo(b, sum, dtype), dims, attrs.keepdim)
  const count = reduceKeepdim(b, 'add', castTo(b, map(b, 'not', missing), dtypeOf(x)), dims)
  return finish(b, castTo(b, map(b, 'div', sum, count), dtype), dims, attrs.keepdim)
}

const nanRecord = (name: 'nansum' | 'nanmean', summary: string) =>
  op({
    name,
    summary,
    category: 'reduction',
    signature: typedReduceSignature,
    shape: withoutDims,
    dtypes: name === 'nansum' ? { takes: 'any', gives: 'summed' } : floatOrCast,
    details: { dim: 'the dims to reduce; by default all', dtype: castFirst },
    call: reduceCall,
    results: null,
    build: (b: GraphBuilder, [input]: readonly OpInput[], attrs: ReduceAttrs) => [
      buildNan(name, b, input!.node, attrs),
    ],
    gradient: 'later',
  })

export const statisticsRecords = {
  varMean: withMean('varMean', 'var', 'The variance and the mean over the dims.'),
  stdMean: withMean('stdMean', 'std', 'The standard deviation and the mean over the dims.'),
  aminmax,
  norm,
  vectorNorm,
  countNonzero,
  nansum: nanRecord('nansum', 'Σ self over the dims, NaN counted as 0.'),
  nanmean: nanRecord('nanmean', 'The mean over the dims, ignoring NaN.'),
}

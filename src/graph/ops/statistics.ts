/** Pairs of statistics, norms, counts, and reductions that ignore NaN. */
import { ArgumentError } from '../../base/errors.js'
import { isFloat } from '../../types/dtype.js'
import { normalizeDims, requireElements } from '../build.js'
import { compose } from './compose.js'
import { lengthsOf } from './formulas.js'
import type { GraphTensor } from './graph-tensor.js'
import { typedReduceSignature } from './reduce.js'
import { castFirst, emptyDims, floatKept, floatOrCast, withoutDim, withoutDims } from './texts.js'
import { varianceDetails, varSignature } from './variance.js'

// --- two at once -------------------------------------------------------------------------------------------------------

const withMean = (name: 'varMean' | 'stdMean', first: 'var' | 'std', summary: string) =>
  compose({
    name,
    summary,
    category: 'reduction',
    signature: varSignature,
    shape: { [first]: withoutDims, mean: withoutDims },
    dtypes: { takes: 'float', gives: { [first]: 'same', mean: 'same' } },
    details: varianceDetails,
    errors: { ArgumentError: 'when unbiased and correction are both given' },
    results: [first, 'mean'],
    body: ({ self, dim, unbiased, keepdim, correction }) => {
      normalizeDims(name, dim, self.rank) // for what it refuses
      return [self[first](dim, unbiased, keepdim, { correction }), self.mean(dim, keepdim)]
    },
  })

const aminmax = compose({
  name: 'aminmax',
  summary: 'The smallest and the largest value over a dim, or of all; NaN if any is NaN.',
  category: 'reduction',
  signature: 'self, *, dim: dim | null = null, keepdim: bool = false',
  shape: { min: withoutDim, max: withoutDim },
  dtypes: { takes: 'any', gives: { min: 'same', max: 'same' } },
  details: { dim: 'the dim to reduce; by default all' },
  errors: { ShapeError: emptyDims },
  results: ['min', 'max'],
  body: ({ self, dim, keepdim }) => {
    const dims = dim === null ? null : [dim]
    requireElements('aminmax', self.shape, normalizeDims('aminmax', dims, self.rank))
    return [self.amin(dims, keepdim), self.amax(dims, keepdim)]
  },
})

// --- norms -------------------------------------------------------------------------------------------------------------

/** Reduces over the given dims or all, kept with size 1 if `keepdim`. */
function over(
  name: string,
  x: GraphTensor,
  { dim, keepdim }: { readonly dim: readonly number[] | null; readonly keepdim: boolean },
  reduction: (dims: readonly number[]) => GraphTensor,
): GraphTensor {
  const dims = normalizeDims(name, dim, x.rank)
  return keepdim ? reduction(dims) : reduction(dims).without(dims)
}

function normed(name: NormName, x: GraphTensor, p: number, args: Parameters<typeof over>[2]): GraphTensor {
  return over(name, x, args, dims => {
    if (Math.abs(p) === Number.POSITIVE_INFINITY) requireElements(name, x.shape, dims)
    return x.with(lengthsOf(x.b, x.node, p, dims))
  })
}
type NormName = 'norm' | 'vectorNorm'

const normColumns = {
  summary: '(Σ |self|^p)^(1/p) over the dims; p 0 counts what is not 0, p ±Infinity is the largest (smallest) |self|.',
  category: 'reduction',
  shape: withoutDims,
  dtypes: floatKept,
} as const

const norm = compose({
  ...normColumns,
  name: 'norm',
  summary:
    "(Σ |self|^p)^(1/p) over the dims; p 0 counts what is not 0, p ±Infinity is the largest (smallest) |self|. PyTorch's 'nuc', which needs singular values, is not supported.",
  signature:
    "self, p: number | 'fro' | 'nuc' = 2, dim: dims | null = null, keepdim: bool = false, dtype: dtype | null = null",
  details: { p: "the power; 'fro' is 2", dim: 'the dims to reduce; by default all', dtype: castFirst },
  errors: { ArgumentError: "for p 'nuc'", ShapeError: 'when p is ±Infinity and a reduced dim has no elements' },
  check: ({ p }) => {
    if (p === 'nuc')
      throw new ArgumentError("norm: p 'nuc' is the sum of singular values, which are not supported", {
        fix: "use p 'fro' or a number",
      })
  },
  body: ({ self, p, ...args }) => normed('norm', self, typeof p === 'string' ? 2 : p, args),
})

/** As `linalg.vectorNorm`. */
const vectorNorm = compose({
  ...normColumns,
  name: 'vectorNorm',
  signature: 'self, ord: number = 2, dim: dims | null = null, keepdim: bool = false, *, dtype: dtype | null = null',
  details: { ord: 'the power p', dim: 'the dims to reduce; by default all', dtype: castFirst },
  errors: { ShapeError: 'when ord is ±Infinity and a reduced dim has no elements' },
  body: ({ self, ord, ...args }) => normed('vectorNorm', self, ord, args),
})

// --- counts and NaN ------------------------------------------------------------------------------------------------------

const countNonzero = compose({
  name: 'countNonzero',
  summary: 'How many elements are not 0 over the dims, as i64.',
  category: 'reduction',
  signature: 'self, dim: dims | null = null',
  shape: 'the shape of self without the reduced dims',
  dtypes: { takes: 'any', gives: 'i64' },
  details: { dim: 'the dims to reduce; by default all' },
  body: ({ self, dim }) =>
    over('countNonzero', self, { dim, keepdim: false }, dims => self.as('bool').as('i64').folded('add', dims)),
  gradient: 'none',
})

const nanRecord = (name: 'nansum' | 'nanmean', summary: string) =>
  compose({
    name,
    summary,
    category: 'reduction',
    signature: typedReduceSignature,
    shape: withoutDims,
    dtypes: name === 'nansum' ? { takes: 'any', gives: 'summed' } : floatOrCast,
    details: { dim: 'the dims to reduce; by default all', dtype: castFirst },
    body: ({ self, ...args }) =>
      over(name, self, args, dims => {
        if (!isFloat(self.dtype)) return self.folded('add', dims)
        const missing = self.isnan()
        const sum = missing.where(0, self).folded('add', dims)
        return name === 'nansum' ? sum : sum.div(missing.logicalNot().as(self.dtype).folded('add', dims))
      }),
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

/** The largest and smallest values, and where they are. NaN wins over all others; of equal values the first wins. */

import type { Value as Element } from '../../scalar/ops.js'
import { productOf } from '../../scalar/size.js'
import type { Dtype } from '../../types/dtype.js'
import {
  castTo,
  dtypeOf,
  keptShape,
  normalizeDims,
  rankOf,
  reduce,
  reduceKeepdim,
  requireElements,
  reshapeTo,
  shapeOf,
  toCompute,
} from '../build.js'
import type { GraphBuilder, GraphNode } from '../ir.js'
import { type HostTensor, type OpCall, type OpInput, op } from '../record.js'
import type { Bound } from '../signature.js'
import { call, type ReduceAttrs } from './arguments.js'
import { firstExtreme } from './formulas.js'
import { finish, reduceCall, reduceSignature, referenceReduce } from './reduce.js'
import { anyKept, emptyDims, scalar, valuesAndIndices, withoutDim, withoutDims } from './texts.js'

const isNaNElement = (value: Element): boolean => typeof value === 'number' && Number.isNaN(value)

/** The index of the first largest (smallest) value; NaN wins over all others. */
function extremeIndex(values: readonly Element[], largest: boolean): number {
  let best = 0
  for (const [i, value] of values.entries()) {
    const current = values[best]!
    if (isNaNElement(current)) return best
    if (isNaNElement(value) || (largest ? value > current : value < current)) best = i
  }
  return best
}

function buildExtreme(
  name: string,
  b: GraphBuilder,
  node: GraphNode,
  attrs: ReduceAttrs,
  largest: boolean,
  fold: typeof firstExtreme = (own, x, fn, dims) => reduceKeepdim(own, fn, x, dims),
): GraphNode {
  const dims = normalizeDims(name, attrs.dims, rankOf(node))
  requireElements(name, shapeOf(node), dims)
  const found = castTo(b, fold(b, toCompute(b, node), largest ? 'max' : 'min', dims), dtypeOf(node))
  return finish(b, found, dims, attrs.keepdim)
}

/** Build and reference shared by the records of extremes. */
const computed = (name: string, largest: boolean) => ({
  results: null,
  build: (b: GraphBuilder, [input]: readonly OpInput[], attrs: ReduceAttrs) => [
    buildExtreme(name, b, input!.node, attrs, largest),
  ],
  reference: ([input]: readonly HostTensor[], attrs: ReduceAttrs) => [
    referenceReduce(name, input!, attrs, input!.dtype, values => values[extremeIndex(values, largest)]!),
  ],
})

const amax = (name: 'amax' | 'amin', largest: boolean, summary: string) =>
  op({
    name,
    summary,
    category: 'reduction',
    signature: reduceSignature,
    shape: withoutDims,
    dtypes: anyKept,
    details: { dim: 'the dims to reduce; by default all' },
    errors: { ShapeError: emptyDims },
    note: 'Equal extremes share the gradient.',
    call: reduceCall,
    ...computed(name, largest),
  })

const wholeAttrs: ReduceAttrs = { dims: null, keepdim: false, dtype: null }

const extreme = (name: 'max' | 'min', largest: boolean, summary: string) =>
  op({
    name,
    summary,
    category: 'reduction',
    signature: 'self',
    // PyTorch's max(dim) gives two tensors and max(other) is elementwise: neither call may silently mean max().
    shape: scalar,
    dtypes: anyKept,
    errors: { ShapeError: 'when there are no elements' },
    call: ({ self }) => call([self], wholeAttrs),
    ...computed(name, largest),
  })

type OneAttrs = { readonly dims: readonly number[] | null; readonly keepdim: boolean; readonly dtype: Dtype | null }

const oneCall = ({
  self,
  dim,
  keepdim,
}: Bound<'self, dim: dim | null = null, keepdim: bool = false'>): OpCall<OneAttrs> =>
  call([self], { dims: dim === null ? null : [dim], keepdim, dtype: null })

/** The index along one dim, or into the flattened tensor when no dim is given; dims kept as 1 if asked. */
function buildArg(name: 'argmax' | 'argmin', b: GraphBuilder, node: GraphNode, attrs: OneAttrs): GraphNode {
  const shape = shapeOf(node)
  if (attrs.dims === null || shape.length === 0) {
    const flat = reshapeTo(b, node, [productOf(shape)])
    requireElements(name, shapeOf(flat), [0])
    const found = reduce(b, name, toCompute(b, flat), [0])
    return attrs.keepdim ? reshapeTo(b, found, keptShape(shape, normalizeDims(name, null, shape.length))) : found
  }
  const dims = normalizeDims(name, attrs.dims, shape.length)
  requireElements(name, shape, dims)
  return finish(b, reduceKeepdim(b, name, toCompute(b, node), dims), dims, attrs.keepdim)
}

const arg = (name: 'argmax' | 'argmin', largest: boolean, summary: string) =>
  op({
    name,
    summary,
    category: 'reduction',
    signature: 'self, dim: dim | null = null, keepdim: bool = false',
    shape: withoutDim,
    dtypes: { takes: 'any', gives: 'i64' },
    details: { dim: 'the dim to search; by default the flattened tensor' },
    errors: { ShapeError: emptyDims },
    note: 'NaN wins over all other values.',
    call: oneCall,
    results: null,
    build: (b: GraphBuilder, [input]: readonly OpInput[], attrs: OneAttrs) => [buildArg(name, b, input!.node, attrs)],
    reference: ([input]: readonly HostTensor[], attrs: OneAttrs) => [
      referenceReduce(name, input!, attrs, 'i64', values => extremeIndex(values, largest)),
    ],
    gradient: 'none',
  })

const extremeAlong = (name: 'max' | 'min', largest: boolean, summary: string) =>
  op({
    name: `${name}WithIndices`,
    summary,
    category: 'reduction',
    signature: 'self, dim: dim, keepdim: bool = false',
    hint: `of several dims use a${name}(dims), of two tensors ${name}(other)`,
    ...valuesAndIndices,
    errors: { ShapeError: emptyDims },
    note: 'NaN wins over all other values. Of equal ones PyTorch may give any index; here it is the first.',
    call: oneCall,
    build: (b: GraphBuilder, [input]: readonly OpInput[], attrs: OneAttrs) => [
      buildExtreme(name, b, input!.node, attrs, largest, firstExtreme),
      buildArg(largest ? 'argmax' : 'argmin', b, input!.node, attrs),
    ],
    reference: ([input]: readonly HostTensor[], attrs: OneAttrs) => [
      referenceReduce(name, input!, attrs, input!.dtype, values => values[extremeIndex(values, largest)]!),
      referenceReduce(name, input!, attrs, 'i64', values => extremeIndex(values, largest)),
    ],
  })

export const extremeRecords = {
  amax: amax('amax', true, 'The largest value over the dims; NaN if any is NaN.'),
  amin: amax('amin', false, 'The smallest value over the dims; NaN if any is NaN.'),
  max: extreme('max', true, 'The largest value of the whole tensor; NaN if any is NaN.'),
  min: extreme('min', false, 'The smallest value of the whole tensor; NaN if any is NaN.'),
  maxWithIndices: extremeAlong('max', true, 'The largest value along a dim, and the index of its first occurrence.'),
  minWithIndices: extremeAlong('min', false, 'The smallest value along a dim, and the index of its first occurrence.'),
  argmax: arg('argmax', true, 'The index of the first largest value along a dim (of all: into the flattened tensor).'),
  argmin: arg(
    'argmin',
    false,
    'The index of the first smallest value along a dim (of all: into the flattened tensor).',
  ),
}

/**
 * Scatter ops. If an index names a position twice, the elements are applied in the order of the index, but for float sums and
 * products on a GPU, which may be in any order. Elements with an index out of range are dropped.
 */
import { ArgumentError, DtypeError, ShapeError } from '../../base/errors.js'
import { castValue } from '../../scalar/ops.js'
import { productOf, rangeOf, type Size, subSizes } from '../../scalar/size.js'
import { computeDtype, isFloat } from '../../types/dtype.js'
import { normalizeDim, sliceTo, wholeSlice } from '../build.js'
import { forEachIndex, hostValue, rowMajorStrides } from '../host.js'
import type { GraphBuilder, ScatterFold, Shape } from '../ir.js'
import { type HostTensor, type OpCall, type OpInput, op } from '../record.js'
import { broadcastShapes, printShape, requireEqual, surelyEqual } from '../sizes.js'
import { call } from './arguments.js'
import { compose, requireShape } from './compose.js'
import { GraphTensor } from './graph-tensor.js'
import { requireIndex, requireSameDtype } from './parts.js'
import { anyKept, asInput, outOfRange } from './texts.js'

// --- shared ------------------------------------------------------------------------------------------------------------

/** Throws ShapeError unless `small` fits into `large` in every dim but one. */
function requireWithin(name: string, what: string, small: Shape, large: Shape, but: number | null): void {
  const problem = (): string => `${name}: the index ${printShape(small)} reaches beyond ${what} ${printShape(large)}`
  if (small.length !== large.length)
    throw new ShapeError(`${name}: the index has ${small.length} dims and ${what} ${large.length}`, {
      fix: 'both need the same number of dims',
    })
  for (const [d, size] of small.entries()) {
    if (d === but || rangeOf(subSizes(large[d]!, size)).min >= 0) continue
    requireEqual(size, large[d]!, problem)
  }
}

function corner(x: GraphTensor, sizes: readonly (Size | null)[]): GraphTensor {
  const whole = wholeSlice(x.shape)
  return x.with(sliceTo(x.b, x.node, { ...whole, sizes: whole.sizes.map((own, d) => sizes[d] ?? own) }))
}

/** `whole` with its leading corner of `part`'s shape replaced by `part`. */
function putBack(whole: GraphTensor, part: GraphTensor): GraphTensor {
  const [full, own] = [whole.shape, part.shape]
  let result = part
  for (let d = full.length - 1; d >= 0; d--) {
    if (surelyEqual(own[d]!, full[d]!)) continue
    const rest = corner(whole, own.slice(0, d)).part(d, own[d]!, subSizes(full[d]!, own[d]!))
    result = result.joined([result, rest], d)
  }
  return result
}

interface Scattering {
  readonly name: string
  readonly dim: number
  readonly fold: ScatterFold
}

/** The primitive on operands of compatible shapes; arithmetic on narrow floats is done in f32 and rounded once. */
function scatterInto(how: Scattering, self: GraphTensor, index: GraphTensor, source: GraphTensor): GraphTensor {
  const { name, fold } = how
  if (self.rank === 0) return scatterInto(how, self.atLeast1d(), index.atLeast1d(), source.atLeast1d()).shaped([])
  requireIndex(name, index)
  const dim = normalizeDim(name, how.dim, self.rank)
  const size = index.shape
  requireWithin(name, 'self', size, self.shape, dim)
  requireWithin(name, 'the source', size, source.shape, null)
  if (productOf(size) === 0) return self.copied()
  const compute = fold === 'set' ? self.dtype : computeDtype(self.dtype)
  const part = corner(
    self,
    size.map((own, d) => (d === dim ? null : own)),
  )
  const spelled = part.shape.with(dim, size[dim]!)
  const from = corner(source, size).as(compute).expandTo(spelled)
  const made = part.as(compute).putAt(dim, index.as('i64').expandTo(spelled), from, fold)
  return putBack(self, made.as(self.dtype))
}

type Combine = (old: number | bigint, value: number | bigint) => number | bigint

/** In float64 (integers: exactly), rounded once at the end. */
function hostScatter(
  self: HostTensor,
  asked: number,
  index: HostTensor,
  at: (index: readonly number[]) => number | bigint,
  combine: Combine,
): HostTensor {
  const shape = self.shape.length === 0 ? [1] : self.shape
  const dim = asked < 0 ? asked + shape.length : asked
  const strides = rowMajorStrides(shape)
  const data = [...self.data]
  forEachIndex(index.shape.length === 0 ? [1] : index.shape, (position, flat) => {
    const to = Number(index.data[flat]!)
    if (to < 0 || to >= shape[dim]!) return
    const target = position.reduce((sum, i, d) => sum + (d === dim ? to : i) * strides[d]!, 0)
    data[target] = combine(data[target]!, at(position))
  })
  return { ...self, data: data.map(value => hostValue(self.dtype, value)) }
}

const plus: Combine = (a, c) => (typeof a === 'bigint' ? a + BigInt(c) : a + Number(c))
const times: Combine = (a, c) => (typeof a === 'bigint' ? a * BigInt(c) : a * Number(c))
const combines: Record<ScatterFold, Combine> = {
  set: (_, value) => value,
  add: plus,
  mul: times,
  min: (a, c) => (Number.isNaN(a) || a < c ? a : c),
  max: (a, c) => (Number.isNaN(a) || a > c ? a : c),
}

/** The source's element at a place of the index, in self's dtype. */
const hostSource =
  (self: HostTensor, source: HostTensor) =>
  (position: readonly number[]): number | bigint =>
    castValue(source.dtype, self.dtype, source.shape.length === 0 ? source.data[0]! : elementAtExact(source, position))

/** Without broadcasting: a size of 1 is only ever read at 0. */
const elementAtExact = (tensor: HostTensor, position: readonly number[]): number | bigint =>
  tensor.data[position.reduce((flat, i, d) => flat * tensor.shape[d]! + i, 0)]!

// --- scatter -----------------------------------------------------------------------------------------------------------

/** What the ops that put elements at an index take and refuse. */
const scattered = {
  shape: asInput,
  dtypes: anyKept,
  errors: {
    DtypeError: 'when index is no integer, or src has another dtype than self',
    ShapeError: 'when index has a different number of dims than self or src, or reaches beyond either',
  },
}
const scatterIndex = 'where along dim: integers, of as many dims as self, no larger than it in the other dims'
const nothingWritten = `${outOfRange} writes nothing.`

type ScatterAttrs = { readonly dim: number; readonly fold: ScatterFold }

const scatterWith = (name: 'scatter' | 'scatterAdd') => ({
  ...scattered,
  name,
  category: 'index' as const,
  results: null,
  build: (b: GraphBuilder, inputs: readonly OpInput[], { dim, fold }: ScatterAttrs) => {
    const [self, index, given] = inputs.map(({ node }) => new GraphTensor(b, node))
    const isNumber = inputs[2]!.isNumber
    if (!isNumber) requireSameDtype(name, self!, given!)
    const source = isNumber ? given!.as(self!.dtype).expandTo(index!.shape) : given!
    return [scatterInto({ name, dim, fold }, self!, index!, source).node]
  },
  reference: ([self, index, source]: readonly HostTensor[], { dim, fold }: ScatterAttrs) => [
    hostScatter(self!, dim, index!, hostSource(self!, source!), combines[fold]),
  ],
})

const folds = { add: 'add', multiply: 'mul' } as const

const scatter = op({
  ...scatterWith('scatter'),
  summary:
    "self with src (a tensor or number) written at index[…] along a dim; reduce 'add' or 'multiply' folds it in. Where several elements are written to one position the last one stays, on every device.",
  signature: "self, dim: dim, index, src: operand, *, reduce: 'add' | 'multiply' | null = null",
  hint: 'other folds: scatterReduce',
  details: {
    index: scatterIndex,
    src: 'what is written: a number, or a tensor of the dtype of self at least as large as index',
    reduce: "'add' or 'multiply' folds it into what is there; by default it is written",
  },
  note: `For dim 0 and 3-D tensors result[index[i][j][k]][j][k] = src[i][j][k]. ${nothingWritten}`,
  call: ({ self, dim, index, src, reduce }): OpCall<ScatterAttrs> =>
    call([self, index, src], { dim, fold: reduce === null ? 'set' : folds[reduce] }),
})

const scatterAdd = op({
  ...scatterWith('scatterAdd'),
  summary: 'self with src added at index[…] along a dim.',
  signature: 'self, dim: dim, index, src',
  details: { index: scatterIndex, src: 'what is added, of the dtype of self and at least as large as index' },
  note: `Elements are added in order; on a GPU floats in any order, unless compiled with deterministic: true. ${nothingWritten}`,
  call: ({ self, dim, index, src }): OpCall<ScatterAttrs> => call([self, index, src], { dim, fold: 'add' }),
  // Elements of src beyond the index's shape are unused.
})

const reduceFolds = { sum: 'add', prod: 'mul', mean: 'add', amax: 'max', amin: 'min' } as const

const scatterReduce = compose({
  ...scattered,
  name: 'scatterReduce',
  summary:
    "self reduced with src at index[…] along a dim: 'sum', 'prod', 'mean', 'amax' or 'amin'; with includeSelf false, self's own value does not take part where src is written.",
  category: 'index',
  signature:
    "self, dim: dim, index, src, reduce: 'sum' | 'prod' | 'mean' | 'amax' | 'amin', *, includeSelf: bool = true",
  details: {
    index: scatterIndex,
    src: 'what is folded in, of the dtype of self and at least as large as index',
    reduce: 'how: their sum, product, mean, largest or smallest',
    includeSelf: 'whether values of self count where elements are folded in',
  },
  note: `${nothingWritten} Of 'prod', gradients of gradients are right where no element is exactly 0.`,
  keeps: ['self', 'index', 'src'],
  // With includeSelf false, sum, mean and prod start from their identity, amax and amin from some element of each position.
  body: ({ self, dim, index, src, reduce, includeSelf }) => {
    const name = 'scatterReduce'
    requireSameDtype(name, self, src)
    if (reduce === 'mean' && !isFloat(self.dtype))
      throw new DtypeError(`${name}: the mean needs floats, got ${self.dtype}`, { fix: "cast both: x.to('f32')" })
    const compute = computeDtype(self.dtype)
    const [x, values] = [self.as(compute), src.as(compute)]
    const put = (fold: ScatterFold, into: GraphTensor, from: GraphTensor): GraphTensor =>
      scatterInto({ name, dim, fold }, into, index, from)
    const ones = x.full(index.shape, 1)
    const meanOf = (sum: GraphTensor, start: number): GraphTensor =>
      reduce === 'mean' ? sum.div(put('add', x.like(start), ones)) : sum
    const fold = reduceFolds[reduce]
    if (includeSelf) return meanOf(put(fold, x, values), 1)
    // Marks the positions that receive an element; others keep self.
    const touched = put('set', x.full(x.shape, 0, 'bool'), x.full(index.shape, 1, 'bool'))
    const isExtreme = reduce === 'amax' || reduce === 'amin'
    const start = isExtreme ? put('set', x, values) : x.like(reduce === 'prod' ? 1 : 0)
    return touched.where(meanOf(put(fold, start, values), 0), x)
  },
})

// --- whole slices --------------------------------------------------------------------------------------------------------

/** A 1-D index broadcast over slices of `self` along `dim`. */
function sliceIndex(name: string, index: GraphTensor, self: GraphTensor, dim: number): GraphTensor {
  requireIndex(name, index)
  if (index.rank > 1)
    throw new ShapeError(`${name}: the index ${printShape(index.shape)} has more than one dim`, {
      fix: "flatten it; scatter takes an index of the source's shape",
    })
  const count = index.shape[0] ?? 1
  return index.shaped(self.shape.map((_, d) => (d === dim ? count : 1))).expandTo(self.shape.with(dim, count))
}

interface SliceArgs {
  readonly self: GraphTensor
  readonly dim: number
  readonly index: GraphTensor
  readonly source: GraphTensor
}

function writeSlices(
  name: string,
  fold: 'add' | 'set',
  args: SliceArgs,
  alpha: GraphTensor | null = null,
): GraphTensor {
  if (alpha !== null && alpha.rank > 0)
    throw new ShapeError(`indexAdd: alpha has shape ${printShape(alpha.shape)}, not one element`, {
      fix: 'give one number: multiply source by several itself',
    })
  const self = args.self.atLeast1d()
  // For a vector, one element is one slice.
  const source = self.rank === 1 ? args.source.atLeast1d() : args.source
  requireSameDtype(name, self, source)
  const dim = normalizeDim(name, args.dim, self.rank)
  const positions = sliceIndex(name, args.index, self, dim)
  const what = (): string =>
    `${name}: the source ${printShape(source.shape)} is not self ${printShape(self.shape)} with ${args.index.shape[0] ?? 1} slices in dim ${dim}`
  requireShape(source.shape, positions.shape, what)
  const compute = computeDtype(self.dtype)
  const scaled = alpha === null ? source : source.as(compute).mul(alpha.as(compute).expandTo(source.shape))
  const wide = fold === 'set' ? self : self.as(compute)
  return scatterInto({ name, dim, fold }, wide, positions, scaled.as(wide.dtype)).shaped(args.self.shape)
}

const sliceIndexDetail = 'where along dim: integers, 1-D or 0-d'
const sliceErrors = {
  DtypeError: 'when index is no integer, or source has another dtype than self',
  ShapeError: 'when index has more than one dim, or source is not self with as many slices',
}

const indexAdd = compose({
  name: 'indexAdd',
  summary: 'self with alpha · source added to its slices at a 1-D index along a dim.',
  category: 'index',
  signature: 'self, dim: dim, index, source, *, alpha: operand | null = null',
  shape: asInput,
  dtypes: anyKept,
  details: {
    index: sliceIndexDetail,
    source: 'the slices: the shape of self with the length of index at dim',
    alpha: 'a factor of source, a number or 0-d tensor; 1 unless given',
  },
  errors: sliceErrors,
  note: nothingWritten,
  keeps: ['self', 'index', 'source', 'alpha'],
  body: ({ alpha, ...args }) => writeSlices('indexAdd', 'add', args, alpha),
})

const indexCopy = compose({
  name: 'indexCopy',
  summary: 'self with its slices at a 1-D index along a dim replaced by those of source.',
  category: 'index',
  signature: 'self, dim: dim, index, source',
  shape: asInput,
  dtypes: anyKept,
  details: { index: sliceIndexDetail, source: 'the slices: the shape of self with the length of index at dim' },
  errors: sliceErrors,
  note: nothingWritten,
  keeps: ['self', 'index', 'source'],
  body: args => writeSlices('indexCopy', 'set', args),
})

const indexFill = compose({
  name: 'indexFill',
  summary: 'self with its slices at a 1-D index along a dim filled with a value; negative indices count from the end.',
  category: 'index',
  signature: 'self, dim: dim, index, value: operand',
  shape: asInput,
  dtypes: anyKept,
  details: { index: sliceIndexDetail, value: 'a number or a 0-d tensor, cast to the dtype of self' },
  errors: {
    DtypeError: 'when index is no integer',
    ShapeError: 'when index has more than one dim, or value more than one element',
  },
  note: nothingWritten,
  keeps: ['self', 'index', 'value'],
  body: ({ self: given, dim: asked, index, value }) => {
    const self = given.atLeast1d()
    if (value.rank > 0)
      throw new ShapeError(`indexFill: the value ${printShape(value.shape)} is not one element`, {
        fix: 'give a number, or a tensor of one element',
      })
    const dim = normalizeDim('indexFill', asked, self.rank)
    requireIndex('indexFill', index)
    const positions = sliceIndex('indexFill', index.fromFront(self.size(dim)), self, dim)
    const filler = value.as(self.dtype).expandTo(positions.shape)
    return scatterInto({ name: 'indexFill', dim, fold: 'set' }, self, positions, filler).shaped(given.shape)
  },
})

// --- positions in several dims ------------------------------------------------------------------------------------------------

const indexPut = compose({
  name: 'indexPut',
  summary:
    'self with values at the positions that one index tensor per dim names, from the first dim on: x[i, j] = values.',
  category: 'index',
  signature: 'self, indices: tensors, values: operand, accumulate: bool = false',
  shape: asInput,
  dtypes: anyKept,
  details: {
    indices: 'integers that broadcast to one shape, negative ones count from the end; or one bool mask',
    values: 'of the dtype of self, or a number; broadcasts to the shape of the indices and the dims that have none',
    accumulate: 'values are added to what is there, where a position is named twice, all of them',
  },
  errors: {
    ArgumentError: 'when there are no indices',
    DtypeError: 'when an index is no integer, or values have another dtype',
    ShapeError: 'when there are more indices than dims, or shapes do not broadcast',
  },
  note: `${nothingWritten} A mask is read, so a compiled function breaks there: maskedFill and maskedScatter take masks.`,
  keeps: ['self', 'indices', 'values'],
  check: ({ indices }) => {
    if (indices.length === 0)
      throw new ArgumentError('indexPut: the list of indices is empty', { fix: 'give a tensor of integers per dim' })
  },
  body: ({ self, indices, values, accumulate }) => {
    const name = 'indexPut'
    const { shape } = self
    if (indices.length > shape.length)
      throw new ShapeError(`${name}: ${indices.length} indices for ${printShape(shape)} of ${shape.length} dims`, {
        fix: 'give at most one index per dim',
      })
    for (const index of indices) requireIndex(name, index)
    if (!values.isNumber) requireSameDtype(name, self, values)
    const [own, rest] = [shape.slice(0, indices.length), shape.slice(indices.length)]
    const common = broadcastShapes(
      name,
      indices.map(index => index.shape),
    )
    const target = [...common, ...rest]
    // The flat position in the merged dims; past the end if an index is out of range.
    let position = self.full(common, 0, 'i64')
    let inside: GraphTensor | null = null
    for (const [d, index] of indices.entries()) {
      const size = self.count(own[d]!, 'i64')
      const at = index.fromFront(own[d]!).expandTo(common)
      const fits = at.ge(0).logicalAnd(at.lt(size))
      inside = inside === null ? fits : inside.logicalAnd(fits)
      position = position.mul(size).add(at)
    }
    const lined = [productOf(common), productOf(rest)]
    const row = inside!.where(position, self.count(productOf(own), 'i64')).shaped([lined[0]!, 1])
    const what = (): string =>
      `${name}: values ${printShape(values.shape)} do not broadcast to the positions ${printShape(target)}`
    const given = values.as(self.dtype)
    if (given.rank > target.length) throw new ShapeError(what())
    for (const [d, size] of given.shape.entries())
      if (size !== 1) requireEqual(size, target[target.length - given.rank + d]!, what)
    const flat = self.shaped([productOf(own), lined[1]!])
    const source = given.expandTo(target).shaped(lined)
    const how = { name, dim: 0, fold: accumulate ? 'add' : 'set' } as const
    return scatterInto(how, flat, row.expandTo(lined), source).shaped(shape)
  },
})

// --- gather with broadcasting ----------------------------------------------------------------------------------------------

/** self and the index broadcast to each other in all dims but one. */
function alongShapes(self: Shape, index: Shape, dim: number): { readonly self: Shape; readonly index: Shape } {
  if (self.length !== index.length)
    throw new ShapeError(`takeAlongDim: self has ${self.length} dims and the index ${index.length}`, {
      fix: 'give both the same number of dims, or flatten both by leaving the dim away',
    })
  const without = (shape: Shape): Shape => shape.map((size, d) => (d === dim ? 1 : size))
  const common = broadcastShapes('takeAlongDim', [without(self), without(index)])
  const back = (shape: Shape): Shape => common.map((size, d) => (d === dim ? shape[d]! : size))
  return { self: back(self), index: back(index) }
}

const takeAlongDim = compose({
  name: 'takeAlongDim',
  summary:
    'As gather, with self and the index broadcast to each other, negative indices counted from the end; without dim both are flattened.',
  category: 'index',
  signature: 'self, indices, dim: dim | null = null',
  shape: 'what self and indices broadcast to, with the length of indices at dim',
  dtypes: anyKept,
  details: { indices: 'integers, of as many dims as self', dim: 'the dim; without it both are flattened' },
  errors: {
    DtypeError: 'when indices are no integers',
    ShapeError: 'when the numbers of dims differ, or the other dims do not broadcast',
  },
  note: `${outOfRange} gives 0.`,
  keeps: ['self', 'indices'],
  body: ({ dim: asked, ...given }) => {
    const [self, index] = [given.self, given.indices].map(x => (asked === null ? x.ravel() : x)) as [
      GraphTensor,
      GraphTensor,
    ]
    requireIndex('takeAlongDim', index)
    const dim = normalizeDim('takeAlongDim', asked ?? 0, self.rank)
    const shapes = alongShapes(self.shape, index.shape, dim)
    return self.expandTo(shapes.self).gather(dim, index.fromFront(self.size(dim)).expandTo(shapes.index))
  },
})

export const scatteringRecords = {
  scatter,
  scatterAdd,
  scatterReduce,
  indexAdd,
  indexCopy,
  indexFill,
  indexPut,
  takeAlongDim,
}

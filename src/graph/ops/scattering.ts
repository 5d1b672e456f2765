/**
 * Scatter ops. If an index names a position twice, the elements are applied in the order of the index, so results are
 * deterministic. Elements with an index out of range are dropped.
 */
import { ArgumentError, DtypeError, ShapeError } from '../../base/errors.js'
import { castValue } from '../../scalar/ops.js'
import { productOf, rangeOf, type Size, subSizes } from '../../scalar/size.js'
import { computeDtype, isFloat, isInteger } from '../../types/dtype.js'
import {
  atLeast1d,
  castTo,
  countOf,
  dtypeOf,
  expandTo,
  fromFront,
  full,
  map,
  normalizeDim,
  rankOf,
  reshapeTo,
  shapeOf,
  sliceTo,
  wholeSlice,
} from '../build.js'
import { forEachIndex, hostValue, rowMajorStrides } from '../host.js'
import type { GraphBuilder, GraphNode, ScatterFold, Shape } from '../ir.js'
import { type HostTensor, type OpCall, type OpInput, op } from '../record.js'
import { broadcastShapes, printShape, requireEqual, surelyEqual } from '../sizes.js'
import { call } from './arguments.js'
import { indexingRecords } from './indexing.js'
import { anyKept, asInput, outOfRange } from './texts.js'

type DimAttrs = { readonly dim: number }

// --- shared ------------------------------------------------------------------------------------------------------------

function requireIndex(name: string, node: GraphNode): void {
  if (!isInteger(dtypeOf(node)))
    throw new DtypeError(`${name}: the index is ${dtypeOf(node)}`, { fix: "cast it: index.to('i64')" })
}

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

function firstPart(b: GraphBuilder, node: GraphNode, sizes: readonly (Size | null)[]): GraphNode {
  const attrs = wholeSlice(shapeOf(node))
  for (const [d, size] of sizes.entries()) if (size !== null) attrs.sizes[d] = size
  return sliceTo(b, node, attrs)
}

/** `whole` with its leading corner of `part`'s shape replaced by `part`. */
function putBack(b: GraphBuilder, whole: GraphNode, part: GraphNode): GraphNode {
  const [full, own] = [shapeOf(whole), shapeOf(part)]
  let result = part
  for (let d = full.length - 1; d >= 0; d--) {
    if (surelyEqual(own[d]!, full[d]!)) continue
    const rest = wholeSlice(full)
    for (let e = 0; e < d; e++) rest.sizes[e] = own[e]!
    rest.starts[d] = own[d]!
    rest.sizes[d] = subSizes(full[d]!, own[d]!)
    result = b.node('cat', [result, sliceTo(b, whole, rest)], { dim: d })
  }
  return result
}

interface Scattering {
  readonly name: string
  readonly dim: number
  readonly fold: ScatterFold
}

/** The primitive on operands of compatible shapes; arithmetic on narrow floats is done in f32 and rounded once. */
function buildScatter(
  b: GraphBuilder,
  { name, dim: asked, fold }: Scattering,
  self: GraphNode,
  index: GraphNode,
  source: GraphNode,
): GraphNode {
  if (rankOf(self) === 0) {
    const line = (node: GraphNode): GraphNode => (rankOf(node) === 0 ? reshapeTo(b, node, [1]) : node)
    const made = buildScatter(b, { name, dim: asked, fold }, line(self), line(index), line(source))
    return reshapeTo(b, made, [])
  }
  requireIndex(name, index)
  const dim = normalizeDim(name, asked, rankOf(self))
  const size = shapeOf(index)
  requireWithin(name, 'self', size, shapeOf(self), dim)
  requireWithin(name, 'the source', size, shapeOf(source), null)
  const dtype = dtypeOf(self)
  if (productOf(size) === 0) return b.node('copy', [self], {})
  const compute = fold === 'set' ? dtype : computeDtype(dtype)
  const part = firstPart(
    b,
    self,
    size.map((own, d) => (d === dim ? null : own)),
  )
  const spelled = shapeOf(part).map((own, d) => (d === dim ? size[d]! : own))
  const fitted = (node: GraphNode): GraphNode => expandTo(b, node, spelled)
  const inputs = [
    castTo(b, part, compute),
    fitted(castTo(b, index, 'i64')),
    fitted(castTo(b, firstPart(b, source, size), compute)),
  ]
  const made = castTo(b, b.node('scatter', inputs, { dim, fold }), dtype)
  return putBack(b, self, made)
}

function requireSameDtype(name: string, self: GraphNode, source: GraphNode): void {
  if (dtypeOf(self) === dtypeOf(source)) return
  throw new DtypeError(`${name}: self is ${dtypeOf(self)}, the source ${dtypeOf(source)}`, {
    fix: `cast the source: source.to('${dtypeOf(self)}')`,
  })
}

/** The source as a tensor of the index's shape when it is a plain number. */
function sourceNode(b: GraphBuilder, name: string, self: GraphNode, index: GraphNode, { node, isNumber }: OpInput) {
  if (isNumber) return expandTo(b, castTo(b, node, dtypeOf(self)), shapeOf(index))
  requireSameDtype(name, self, node)
  return node
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

type ScatterAttrs = DimAttrs & { readonly fold: ScatterFold }

const scatterWith = (name: 'scatter' | 'scatterAdd') => ({
  ...scattered,
  name,
  category: 'index' as const,
  results: null,
  build: (b: GraphBuilder, inputs: readonly OpInput[], { dim, fold }: ScatterAttrs) => {
    const [self, index] = inputs.map(({ node }) => node) as [GraphNode, GraphNode]
    return [buildScatter(b, { name, dim, fold }, self, index, sourceNode(b, name, self, index, inputs[2]!))]
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
  gradient: 'later',
})

const scatterAdd = op({
  ...scatterWith('scatterAdd'),
  summary: 'self with src added at index[…] along a dim.',
  signature: 'self, dim: dim, index, src',
  details: { index: scatterIndex, src: 'what is added, of the dtype of self and at least as large as index' },
  note: `Elements are added in order, so results are bitwise reproducible. ${nothingWritten}`,
  call: ({ self, dim, index, src }): OpCall<ScatterAttrs> => call([self, index, src], { dim, fold: 'add' }),
  // Elements of src beyond the index's shape are unused.
  gradient: ({ inputs: [, index, src], outputGradients: [g], attrs, op, shapeOf }) => {
    const part = op('gather', g, attrs.dim, index)
    const unused = shapeOf(src!).map((size, d) => subSizes(size, shapeOf(index!)[d]!))
    const padding = unused.reverse().flatMap(size => [0, size])
    return [g!, null, padding.every(size => size === 0) ? part : op('pad', part, padding)]
  },
})

type ReduceName = 'sum' | 'prod' | 'mean' | 'amax' | 'amin'
type ScatterReduceAttrs = DimAttrs & { readonly reduce: ReduceName; readonly includeSelf: boolean }
const reduceFolds: Record<ReduceName, ScatterFold> = { sum: 'add', prod: 'mul', mean: 'add', amax: 'max', amin: 'min' }

/** With includeSelf false, sum, mean and prod start from their identity, amax and amin from some element of each position. */
function buildScatterReduce(b: GraphBuilder, inputs: readonly OpInput[], attrs: ScatterReduceAttrs): GraphNode {
  const [self, index, source] = inputs.map(({ node }) => node) as [GraphNode, GraphNode, GraphNode]
  const name = 'scatterReduce'
  const { dim, reduce, includeSelf } = attrs
  requireSameDtype(name, self, source)
  const dtype = dtypeOf(self)
  if (reduce === 'mean' && !isFloat(dtype))
    throw new DtypeError(`${name}: the mean needs floats, got ${dtype}`, { fix: "cast both: x.to('f32')" })
  const compute = computeDtype(dtype)
  const [x, values] = [castTo(b, self, compute), castTo(b, source, compute)]
  const shape = shapeOf(x)
  const ones = full(b, compute, shapeOf(index), 1)
  const counts = (start: number): GraphNode =>
    buildScatter(b, { name, dim, fold: 'add' }, full(b, compute, shape, start), index, ones)
  const scattered = (into: GraphNode): GraphNode =>
    buildScatter(b, { name, dim, fold: reduceFolds[reduce] }, into, index, values)
  if (includeSelf) {
    const result = scattered(x)
    return castTo(b, reduce === 'mean' ? map(b, 'div', result, counts(1)) : result, dtype)
  }
  // Marks the positions that receive an element; others keep self.
  const touched = buildScatter(
    b,
    { name, dim, fold: 'set' },
    full(b, 'bool', shape, 0),
    index,
    full(b, 'bool', shapeOf(index), 1),
  )
  const neutral = full(b, compute, shape, reduce === 'prod' ? 1 : 0)
  const start =
    reduce === 'amax' || reduce === 'amin' ? buildScatter(b, { name, dim, fold: 'set' }, x, index, values) : neutral
  const result = scattered(start)
  const mean = reduce === 'mean' ? map(b, 'div', result, counts(0)) : result
  return castTo(b, map(b, 'where', touched, mean, x), dtype)
}

const scatterReduce = op({
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
  note: nothingWritten,
  results: null,
  build: (b: GraphBuilder, inputs: readonly OpInput[], attrs: ScatterReduceAttrs) => [
    buildScatterReduce(b, inputs, attrs),
  ],
  gradient: 'later',
})

// --- whole slices --------------------------------------------------------------------------------------------------------

/** A 1-D index broadcast over slices of `shape` along `dim`. */
function sliceIndex(b: GraphBuilder, name: string, index: GraphNode, shape: Shape, dim: number): GraphNode {
  requireIndex(name, index)
  if (rankOf(index) > 1)
    throw new ShapeError(`${name}: the index ${printShape(shapeOf(index))} has more than one dim`, {
      fix: "flatten it; scatter takes an index of the source's shape",
    })
  const count = shapeOf(index)[0] ?? 1
  const line = shape.map((_, d) => (d === dim ? count : 1))
  return expandTo(
    b,
    reshapeTo(b, index, line),
    shape.map((size, d) => (d === dim ? count : size)),
  )
}

function slicesOf(
  name: string,
  b: GraphBuilder,
  inputs: readonly OpInput[],
  attrs: DimAttrs,
  fold: ScatterFold,
): GraphNode {
  const [given, index, from, alpha] = inputs.map(({ node }) => node) as [GraphNode, GraphNode, GraphNode, GraphNode?]
  if (alpha !== undefined && rankOf(alpha) > 0)
    throw new ShapeError(`indexAdd: alpha has shape ${printShape(shapeOf(alpha))}, not one element`, {
      fix: 'give one number: multiply source by several itself',
    })
  const self = atLeast1d(b, given)
  // For a vector, one element is one slice.
  const source = rankOf(self) === 1 ? atLeast1d(b, from) : from
  requireSameDtype(name, self, source)
  const shape = shapeOf(self)
  const dim = normalizeDim(name, attrs.dim, shape.length)
  const positions = sliceIndex(b, name, index, shape, dim)
  const what = (): string =>
    `${name}: the source ${printShape(shapeOf(source))} is not self ${printShape(shape)} with ${shapeOf(index)[0] ?? 1} slices in dim ${dim}`
  if (rankOf(source) !== shape.length) throw new ShapeError(what())
  for (const [d, size] of shapeOf(source).entries()) requireEqual(size, shapeOf(positions)[d]!, what)
  const compute = computeDtype(dtypeOf(self))
  const scaled =
    alpha === undefined
      ? source
      : map(b, 'mul', castTo(b, source, compute), expandTo(b, castTo(b, alpha, compute), shapeOf(source)))
  const wide = fold === 'set' ? self : castTo(b, self, compute)
  const made = buildScatter(b, { name, dim, fold }, wide, positions, castTo(b, scaled, dtypeOf(wide)))
  return reshapeTo(b, castTo(b, made, dtypeOf(self)), shapeOf(given))
}

const sliceIndexDetail = 'where along dim: integers, 1-D or 0-d'
const sliceErrors = {
  DtypeError: 'when index is no integer, or source has another dtype than self',
  ShapeError: 'when index has more than one dim, or source is not self with as many slices',
}

const indexAdd = op({
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
  results: null,
  build: (b: GraphBuilder, inputs: readonly OpInput[], attrs: DimAttrs) => [
    slicesOf('indexAdd', b, inputs, attrs, 'add'),
  ],
  gradient: 'later',
})

const indexCopy = op({
  name: 'indexCopy',
  summary: 'self with its slices at a 1-D index along a dim replaced by those of source.',
  category: 'index',
  signature: 'self, dim: dim, index, source',
  shape: asInput,
  dtypes: anyKept,
  details: { index: sliceIndexDetail, source: 'the slices: the shape of self with the length of index at dim' },
  errors: sliceErrors,
  note: nothingWritten,
  results: null,
  build: (b: GraphBuilder, inputs: readonly OpInput[], attrs: DimAttrs) => [
    slicesOf('indexCopy', b, inputs, attrs, 'set'),
  ],
  gradient: 'later',
})

const indexFill = op({
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
  results: null,
  build: (b: GraphBuilder, inputs: readonly OpInput[], attrs: DimAttrs) => {
    const [given, index, value] = inputs.map(({ node }) => node) as [GraphNode, GraphNode, GraphNode]
    const self = atLeast1d(b, given)
    if (rankOf(value) > 0)
      throw new ShapeError(`indexFill: the value ${printShape(shapeOf(value))} is not one element`, {
        fix: 'give a number, or a tensor of one element',
      })
    const dim = normalizeDim('indexFill', attrs.dim, rankOf(self))
    requireIndex('indexFill', index)
    const positions = sliceIndex(b, 'indexFill', fromFront(b, index, shapeOf(self)[dim]!), shapeOf(self), dim)
    const filler = expandTo(b, castTo(b, value, dtypeOf(self)), shapeOf(positions))
    const filled = buildScatter(b, { name: 'indexFill', dim, fold: 'set' }, self, positions, filler)
    return [reshapeTo(b, filled, shapeOf(given))]
  },
  gradient: 'later',
})

// --- positions in several dims ------------------------------------------------------------------------------------------------

const indexPut = op({
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
  call: ({ self, indices, values, accumulate }) => {
    if (indices.length === 0)
      throw new ArgumentError('indexPut: the list of indices is empty', { fix: 'give a tensor of integers per dim' })
    return call([self, ...indices, values], { accumulate })
  },
  results: null,
  build: (b: GraphBuilder, inputs: readonly OpInput[], { accumulate }: { readonly accumulate: boolean }) => {
    const [self, values] = [inputs[0]!.node, inputs.at(-1)!]
    const indices = inputs.slice(1, -1).map(({ node }) => node)
    const shape = shapeOf(self)
    if (indices.length > shape.length)
      throw new ShapeError(`indexPut: ${indices.length} indices for ${printShape(shape)} of ${shape.length} dims`, {
        fix: 'give at most one index per dim',
      })
    for (const index of indices) requireIndex('indexPut', index)
    if (!values.isNumber) requireSameDtype('indexPut', self, values.node)
    const [own, rest] = [shape.slice(0, indices.length), shape.slice(indices.length)]
    const common = broadcastShapes('indexPut', indices.map(shapeOf))
    const target = [...common, ...rest]
    const number = (value: Size): GraphNode => expandTo(b, countOf(b, value, 'i64'), common)
    // The flat position in the merged dims; past the end if an index is out of range.
    let position = number(0)
    let inside: GraphNode | null = null
    for (const [d, index] of indices.entries()) {
      const at = expandTo(b, fromFront(b, index, own[d]!), common)
      const fits = map(b, 'and', map(b, 'ge', at, number(0)), map(b, 'lt', at, number(own[d]!)))
      inside = inside === null ? fits : map(b, 'and', inside, fits)
      position = map(b, 'add', map(b, 'mul', position, number(own[d]!)), at)
    }
    const lined = [productOf(common), productOf(rest)]
    const row = reshapeTo(b, map(b, 'where', inside!, position, number(productOf(own))), [lined[0]!, 1])
    const what = (): string =>
      `indexPut: values ${printShape(shapeOf(values.node))} do not broadcast to the positions ${printShape(target)}`
    const given = castTo(b, values.node, dtypeOf(self))
    if (rankOf(given) > target.length) throw new ShapeError(what())
    for (const [d, size] of shapeOf(given).entries())
      if (size !== 1) requireEqual(size, target[target.length - rankOf(given) + d]!, what)
    const source = reshapeTo(b, expandTo(b, given, target), lined)
    const flat = reshapeTo(b, self, [productOf(own), lined[1]!])
    const scattering = { name: 'indexPut', dim: 0, fold: accumulate ? 'add' : 'set' } as const
    return [reshapeTo(b, buildScatter(b, scattering, flat, expandTo(b, row, lined), source), shape)]
  },
  gradient: 'later',
})

// --- gather with broadcasting ----------------------------------------------------------------------------------------------

type AlongAttrs = { readonly dim: number | null }

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

const takeAlongDim = op({
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
  results: null,
  build: (b: GraphBuilder, inputs: readonly OpInput[], attrs: AlongAttrs) => {
    let [self, index] = inputs.map(({ node }) => node) as [GraphNode, GraphNode]
    if (attrs.dim === null)
      [self, index] = [self, index].map(node => reshapeTo(b, node, [productOf(shapeOf(node))])) as [
        GraphNode,
        GraphNode,
      ]
    if (!isInteger(dtypeOf(index)))
      throw new DtypeError(`takeAlongDim: the index is ${dtypeOf(index)}`, { fix: "cast it: index.to('i64')" })
    const dim = normalizeDim('takeAlongDim', attrs.dim ?? 0, rankOf(self))
    const shapes = alongShapes(shapeOf(self), shapeOf(index), dim)
    const positions = fromFront(b, index, shapeOf(self)[dim]!)
    const operands = [expandTo(b, self, shapes.self), expandTo(b, positions, shapes.index)]
    const given = operands.map(node => ({ node, isNumber: false }))
    return indexingRecords.gather.build(b, given, { dim })
  },
  gradient: 'later',
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

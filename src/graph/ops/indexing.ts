/** Joining tensors and picking elements by index. */
import { ArgumentError, DtypeError, ShapeError } from '../../base/errors.js'
import { addSizes, productOf, type Size } from '../../scalar/size.js'
import { computeDtype, type Dtype, isInteger } from '../../types/dtype.js'
import { promotePair } from '../../types/promotion.js'
import { asNode, asValue } from '../apply.js'
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
  requireFloat,
  reshapeTo,
  shapeOf,
  sliceTo,
  wholeSlice,
} from '../build.js'
import { elementAt, hostCast, hostFrom, hostValue } from '../host.js'
import type { GraphBuilder, GraphNode, Shape } from '../ir.js'
import { type Gradient, type HostTensor, type OpInput, op, type Value } from '../record.js'
import { decideAtLeast, printShape, requireEqual } from '../sizes.js'
import { call } from './arguments.js'
import { lengthsOf } from './formulas.js'
import { anyKept, outOfRange } from './texts.js'

// --- joining -------------------------------------------------------------------------------------------------------------

type DimAttrs = { readonly dim: number }

function requireTensors(name: string, tensors: readonly Value[]): void {
  if (tensors.length === 0)
    throw new ArgumentError(`${name}: the list of tensors is empty`, { fix: `${name} needs at least one tensor` })
}

function joinedDtype(inputs: readonly { readonly dtype: Dtype }[]): Dtype {
  return inputs.map(input => input.dtype).reduce(promotePair)
}

/** The parts without empty vectors, which PyTorch's cat ignores (from before it had empty tensors of more dims). */
function withoutLegacyEmpty<T>(parts: readonly T[], shapeOfPart: (part: T) => Shape): readonly T[] {
  const isEmpty = (part: T): boolean => shapeOfPart(part).length === 1 && shapeOfPart(part)[0] === 0
  const others = parts.filter(part => !isEmpty(part))
  return others.length > 0 && others.some(part => shapeOfPart(part).length > 1) ? others : parts
}

/**
 * Concatenates nodes along an existing dim. Throws ShapeError naming the first tensor that does not fit. `name`: the op that
 * errors name.
 */
export function buildCat(b: GraphBuilder, given: readonly GraphNode[], asked: number, name = 'cat'): GraphNode {
  const nodes = withoutLegacyEmpty(given, shapeOf)
  const first = shapeOf(nodes[0]!)
  if (first.length === 0) throw new ShapeError(`${name}: tensor 0 is 0-d`, { fix: 'use stack()' })
  const dim = normalizeDim(name, asked, first.length)
  for (const [i, node] of nodes.entries()) {
    const shape = shapeOf(node)
    const what = (): string =>
      `${name}: tensor 0 ${printShape(first)} and tensor ${i} ${printShape(shape)} differ in more than dim ${dim}`
    if (shape.length !== first.length) throw new ShapeError(what(), { fix: 'all tensors need the same number of dims' })
    for (const [d, size] of shape.entries())
      if (d !== dim) requireEqual(first[d]!, size, what, `only sizes of dim ${dim} may differ`)
  }
  const dtype = joinedDtype(given.map(node => ({ dtype: dtypeOf(node) })))
  const fitted = nodes.map(node => {
    const own = shapeOf(node)
    const spelled = first.map((size, d) => (d === dim ? own[d]! : size))
    return expandTo(b, castTo(b, node, dtype), spelled)
  })
  return fitted.length === 1 ? fitted[0]! : b.node('cat', fitted, { dim })
}

/** The reference of cat. */
function hostCat(given: readonly HostTensor[], asked: number): HostTensor {
  const inputs = withoutLegacyEmpty(given, ({ shape }) => shape)
  const dtype = joinedDtype(given)
  const first = inputs[0]!.shape
  const dim = normalizeDim('cat', asked, first.length)
  const total = inputs.reduce((sum, input) => sum + input.shape[dim]!, 0)
  const tensors = inputs.map(input => hostCast(input, dtype))
  const shape = first.map((size, d) => (d === dim ? total : size))
  return hostFrom(dtype, shape, index => {
    let place = index[dim]!
    for (const tensor of tensors) {
      const size = tensor.shape[dim]!
      // Not elementAt: a size of 1 must not repeat here, and place < size says that it does not.
      if (place < size) return elementAt(tensor, index.with(dim, place))
      place -= size
    }
    throw new ShapeError(`cat: index ${place} lies outside`)
  })
}

const cat = op({
  name: 'cat',
  summary: 'The tensors concatenated along a dim.',
  category: 'index',
  signature: 'tensors: tensors, dim: dim = 0',
  shape: 'the shape of the tensors with the sizes at dim added up',
  dtypes: { takes: 'any', gives: 'promoted' },
  details: { tensors: 'at least one; equal in all dims but dim. Empty 1-D tensors are ignored' },
  errors: {
    ArgumentError: 'when the list is empty',
    ShapeError: 'when the tensors do not fit, or are 0-d (use stack)',
  },
  call: ({ tensors, dim }) => {
    requireTensors('cat', tensors)
    return call(tensors, { dim })
  },
  results: null,
  build: (b: GraphBuilder, inputs: readonly OpInput[], { dim }: DimAttrs) => [
    buildCat(
      b,
      inputs.map(({ node }) => node),
      dim,
    ),
  ],
  reference: (inputs: readonly HostTensor[], { dim }: DimAttrs) => [hostCat(inputs, dim)],
})

const withNewDim = <T extends Size>(shape: readonly T[], dim: number): (T | 1)[] => [
  ...shape.slice(0, dim),
  1,
  ...shape.slice(dim),
]

const stack = op({
  name: 'stack',
  summary: 'The tensors, all of one shape, along a new dim.',
  category: 'index',
  signature: 'tensors: tensors, dim: dim = 0',
  shape: 'the shape of the tensors with their number at dim',
  dtypes: { takes: 'any', gives: 'promoted' },
  details: { tensors: 'at least one, all of one shape', dim: 'the index of the new dim in the result' },
  errors: { ArgumentError: 'when the list is empty', ShapeError: 'when the shapes differ' },
  call: ({ tensors, dim }) => {
    requireTensors('stack', tensors)
    return call(tensors, { dim })
  },
  results: null,
  build: (b: GraphBuilder, inputs: readonly OpInput[], attrs: DimAttrs) => {
    const nodes = inputs.map(({ node }) => node)
    const first = shapeOf(nodes[0]!)
    const dim = normalizeDim('stack', attrs.dim, first.length + 1)
    for (const [i, node] of nodes.entries()) {
      const shape = shapeOf(node)
      const what = (): string => `stack: tensor 0 ${printShape(first)} and tensor ${i} ${printShape(shape)} differ`
      if (shape.length !== first.length) throw new ShapeError(what(), { fix: 'all tensors need one shape' })
      for (const [d, size] of shape.entries()) requireEqual(first[d]!, size, what, 'all tensors need one shape')
    }
    return [
      buildCat(
        b,
        nodes.map(node => reshapeTo(b, node, withNewDim(shapeOf(node), dim))),
        dim,
      ),
    ]
  },
})

// --- by index ------------------------------------------------------------------------------------------------------------

function requireIndex(name: string, dtype: Dtype): void {
  if (!isInteger(dtype)) throw new DtypeError(`${name}: the index is ${dtype}`, { fix: "cast it: index.to('i64')" })
}

/** The index as the primitive takes it: i64. */
const indexNode = (b: GraphBuilder, name: string, node: GraphNode): GraphNode => {
  requireIndex(name, dtypeOf(node))
  return castTo(b, node, 'i64')
}

/** Throws ShapeError unless the index fits within self in all dims but `dim`. */
function gatherFits(self: Shape, index: Shape, dim: number): void {
  const what = (): string => `gather: the index ${printShape(index)} reaches beyond ${printShape(self)}`
  if (self.length !== index.length)
    throw new ShapeError(`gather: self has ${self.length} dims and the index ${index.length}`, {
      fix: 'both need the same number of dims',
    })
  for (const [d, size] of index.entries()) {
    if (d !== dim && !decideAtLeast(self[d]!, size, what))
      throw new ShapeError(`${what()} (${self[d]} < ${size})`, {
        fix: 'index sizes must not exceed those of self, but along dim',
      })
  }
}

const gather = op({
  name: 'gather',
  summary: 'Elements of self: out[i][j][k] = self[index[i][j][k]][j][k] for dim 0, and likewise for other dims.',
  category: 'index',
  signature: 'self, dim: dim, index',
  shape: 'the shape of index',
  dtypes: anyKept,
  details: { index: 'integers, with as many dims as self and no larger in the other dims' },
  errors: { DtypeError: 'when index is no integer', ShapeError: 'when index reaches beyond self' },
  note: `For dim 0 and 3-D tensors result[i][j][k] = self[index[i][j][k]][j][k]. ${outOfRange} gives 0.`,
  results: null,
  build: (b: GraphBuilder, inputs: readonly OpInput[], attrs: DimAttrs) => {
    const given = inputs[1]!.node
    const [self, index] = inputs.map(({ node }) => atLeast1d(b, node)) as [GraphNode, GraphNode]
    if (productOf(shapeOf(index)) === 0) return [full(b, dtypeOf(self), shapeOf(index), 0)]
    const dim = normalizeDim('gather', attrs.dim, rankOf(self))
    gatherFits(shapeOf(self), shapeOf(index), dim)
    const part = wholeSlice(shapeOf(self))
    for (const [d, size] of shapeOf(index).entries()) if (d !== dim) part.sizes[d] = size
    const picked = b.node('gather', [sliceTo(b, self, part), indexNode(b, 'gather', index)], { dim })
    return [reshapeTo(b, picked, shapeOf(given))]
  },
  reference: ([self, index]: readonly HostTensor[], attrs: DimAttrs) => {
    const dim = normalizeDim('gather', attrs.dim, self!.shape.length)
    const line = { ...self!, shape: self!.shape.length === 0 ? [1] : self!.shape }
    return [
      hostFrom(self!.dtype, index!.shape, (at, flat) => {
        const place = Number(index!.data[flat]!)
        if (place < 0 || place >= line.shape[dim]!) return hostValue(self!.dtype, 0)
        return elementAt(line, (at.length === 0 ? [0] : at).with(dim, place))
      }),
    ]
  },
})

/** The source's rows at `index` (1-D) along dim. */
function buildIndexSelect(b: GraphBuilder, source: GraphNode, dim: number, index: GraphNode): GraphNode {
  const shape = shapeOf(source)
  const [count] = shapeOf(index) as [Size]
  const along = reshapeTo(
    b,
    index,
    shape.map((_, d) => (d === dim ? count : 1)),
  )
  const spread = expandTo(
    b,
    along,
    shape.map((size, d) => (d === dim ? count : size)),
  )
  return b.node('gather', [source, spread], { dim })
}

const indexSelect = op({
  name: 'indexSelect',
  summary: 'The slices of self at the indices of a 1-D index along a dim.',
  category: 'index',
  signature: 'self, dim: dim, index',
  shape: 'the shape of self with the length of index at dim',
  dtypes: anyKept,
  details: { index: 'integers, 1-D or 0-d' },
  errors: { DtypeError: 'when index is no integer', ShapeError: 'when index has more than one dim' },
  note: `${outOfRange} gives 0.`,
  results: null,
  build: (b: GraphBuilder, inputs: readonly OpInput[], attrs: DimAttrs) => {
    const [self, index] = inputs.map(({ node }) => atLeast1d(b, node)) as [GraphNode, GraphNode]
    if (rankOf(index) !== 1)
      throw new ShapeError(`indexSelect: the index ${printShape(shapeOf(index))} has more than one dim`, {
        fix: 'flatten it; takeAlongDim and gather take indices of several dims',
      })
    const dim = normalizeDim('indexSelect', attrs.dim, rankOf(self))
    const picked = buildIndexSelect(b, self, dim, indexNode(b, 'indexSelect', index))
    if (rankOf(inputs[0]!.node) > 0) return [picked]
    const [count] = shapeOf(index)
    requireEqual(
      count!,
      1,
      () => `indexSelect: ${printShape(shapeOf(index))} indices into a 0-d tensor`,
      'give one index',
    )
    return [reshapeTo(b, picked, [])]
  },
})

type EmbeddingAttrs = {
  readonly maxNorm: number | null
  readonly normType: number
  readonly paddingIdx: number | null
}

/** PyTorch adds it to the norm of a row before dividing. */
const lengthEps = 1e-7

/** Rows with a norm above `maxNorm` scaled down to it, and the table with these rows replaced. */
function renormed(
  b: GraphBuilder,
  rows: GraphNode,
  weight: GraphNode,
  index: GraphNode,
  { maxNorm, normType }: { readonly maxNorm: number; readonly normType: number },
): readonly [rows: GraphNode, weight: GraphNode] {
  const dtype = dtypeOf(rows)
  requireFloat('embedding', dtype, 'renorm floats only, or leave out maxNorm')
  const wide = castTo(b, rows, computeDtype(dtype))
  const lengths = lengthsOf(b, wide, normType, [1])
  const number = (value: number): GraphNode => full(b, dtypeOf(lengths), shapeOf(lengths), value)
  const scale = map(b, 'div', number(maxNorm), map(b, 'add', lengths, number(lengthEps)))
  const factor = map(b, 'where', map(b, 'gt', lengths, number(maxNorm)), scale, number(1))
  const scaled = castTo(b, map(b, 'mul', wide, expandTo(b, factor, shapeOf(wide))), dtype)
  const places = expandTo(b, reshapeTo(b, castTo(b, index, 'i64'), [shapeOf(rows)[0]!, 1]), shapeOf(rows))
  const changed = b.node('scatter', [weight, places, scaled], { dim: 0, fold: 'set' })
  return [scaled, b.node('detach', [changed], {})]
}

/** The gradients of the rows, added up per entry; none for the padding. Scaling rows to `maxNorm` counts as a change before. */
const embeddingGradient: Gradient<EmbeddingAttrs> = ({ b, inputs, outputGradients, attrs: { paddingIdx } }) => {
  const [index, weight, g] = [inputs[0]!, inputs[1]!, outputGradients[0]!].map(asNode) as [
    GraphNode,
    GraphNode,
    GraphNode,
  ]
  const [entries, features] = shapeOf(weight) as [Size, Size]
  const count = productOf(shapeOf(index))
  const flat = fromFront(b, reshapeTo(b, index, [count]), entries)
  const number = (size: Size): GraphNode => expandTo(b, countOf(b, size, 'i64'), [count])
  const padding = paddingIdx !== null && paddingIdx < 0 ? addSizes(entries, paddingIdx) : paddingIdx
  const places =
    padding === null ? flat : map(b, 'where', map(b, 'eq', flat, number(padding)), full(b, 'i64', [count], -1n), flat)
  const rows: Shape = [count, features]
  const at = expandTo(b, reshapeTo(b, places, [count, 1]), rows)
  const zeros = full(b, dtypeOf(g), shapeOf(weight), 0)
  return [null, asValue(b.node('scatter', [zeros, at, reshapeTo(b, g, rows)], { dim: 0, fold: 'add' }))]
}

const embedding = op({
  name: 'embedding',
  summary: 'The rows of a matrix (the weight) at the indices of self.',
  category: 'index',
  hint: 'scaleGradByFreq and sparse say how PyTorch keeps gradients: leave them out',
  signature: 'self, weight, paddingIdx: int | null = null, maxNorm: number | null = null, normType: number = 2',
  shape: 'the shape of self, then features',
  dtypes: { takes: 'integer', gives: { words: 'the dtype of weight' } },
  details: {
    self: 'the indices, of any shape',
    weight: 'the table: [entries, features]',
    paddingIdx: 'an entry that gradients leave alone; the result is the same',
    maxNorm: 'the rows that are looked up and are longer are first scaled to this length, in the weight itself',
    normType: 'the power of the norm that maxNorm bounds; ±Infinity for the largest (smallest) element',
  },
  errors: { DtypeError: 'when maxNorm is given and weight holds no floats', ShapeError: 'when weight is no matrix' },
  note: `${outOfRange} gives zeros.`,
  call: ({ self, weight, ...attrs }) => call([self, weight], attrs),
  results: null,
  changes: ({ maxNorm }: EmbeddingAttrs) => (maxNorm === null ? [] : [1]),
  build: (b: GraphBuilder, inputs: readonly OpInput[], { maxNorm, normType }: EmbeddingAttrs) => {
    const [index, weight] = inputs.map(({ node }) => node) as [GraphNode, GraphNode]
    if (rankOf(weight) !== 2)
      throw new ShapeError(`embedding: the weight ${printShape(shapeOf(weight))} is no matrix`, {
        fix: 'give a table of [entries, features]',
      })
    const shape = shapeOf(index)
    const flat = reshapeTo(b, indexNode(b, 'embedding', index), [productOf(shape)])
    const rows = buildIndexSelect(b, weight, 0, flat)
    const isNothing = productOf([...shape, ...shapeOf(weight)]) === 0
    const all = maxNorm === null ? [rows] : renormed(b, rows, weight, flat, { maxNorm, normType })
    const [found, ...changed] =
      isNothing && maxNorm !== null ? [rows, b.node('copy', [b.node('detach', [weight], {})], {})] : all
    return [reshapeTo(b, found!, [...shape, shapeOf(weight)[1]!]), ...changed]
  },
  gradient: embeddingGradient,
})

export const indexingRecords = {
  cat,
  stack,
  gather,
  indexSelect,
  embedding,
}

/** Writes into parts of tensors: slices, masked elements, diagonals; and elements by flat index. */
import { DtypeError, ShapeError } from '../../base/errors.js'
import { addSizes, ceilDivSizes, maxSizes, minSizes, productOf, type Size, subSizes } from '../../scalar/size.js'
import { computeDtype, isInteger } from '../../types/dtype.js'
import {
  castTo,
  countOf,
  dtypeOf,
  expandTo,
  fromFront,
  full,
  map,
  normalizeDim,
  permuteTo,
  rankOf,
  reshapeTo,
  shapeOf,
} from '../build.js'
import type { GraphBuilder, GraphNode, Shape } from '../ir.js'
import { type OpInput, op } from '../record.js'
import { broadcastShapes, decideAtLeast, printShape, requireEqual, signedParts } from '../sizes.js'
import { anyKept, asInput, outOfRange } from './texts.js'

const flat = (b: GraphBuilder, node: GraphNode): GraphNode => reshapeTo(b, node, [productOf(shapeOf(node))])

function requireSameDtype(name: string, self: GraphNode, source: GraphNode): void {
  if (dtypeOf(self) !== dtypeOf(source))
    throw new DtypeError(`${name}: self is ${dtypeOf(self)}, the source ${dtypeOf(source)}`, {
      fix: `cast the source: source.to('${dtypeOf(self)}')`,
    })
}

/** `where` on every dtype: storage formats go through their compute dtype, which keeps their values. */
function choose(b: GraphBuilder, condition: GraphNode, x: GraphNode, y: GraphNode): GraphNode {
  const [a, c] = [x, y].map(node => castTo(b, node, computeDtype(dtypeOf(node)))) as [GraphNode, GraphNode]
  return castTo(b, map(b, 'where', condition, a, c), dtypeOf(x))
}

// --- by position ------------------------------------------------------------------------------------------------------------

const take = op({
  name: 'take',
  summary: 'The elements of the flattened tensor at an index of any shape; negative indices count from the end.',
  category: 'index',
  signature: 'self, index',
  shape: 'the shape of index',
  dtypes: anyKept,
  details: { index: 'integers, of any shape' },
  errors: { DtypeError: 'when index is no integer' },
  note: `${outOfRange} gives 0.`,
  results: null,
  build: (b: GraphBuilder, inputs: readonly OpInput[]) => {
    const [self, index] = inputs.map(({ node }) => node) as [GraphNode, GraphNode]
    if (!isInteger(dtypeOf(index)))
      throw new DtypeError(`take: the index is ${dtypeOf(index)}`, { fix: "cast it: index.to('i64')" })
    const line = flat(b, self)
    const position = fromFront(b, flat(b, index), shapeOf(line)[0]!)
    return [reshapeTo(b, b.node('gather', [line, position], { dim: 0 }), shapeOf(index))]
  },
  gradient: 'later',
})

// --- under a mask --------------------------------------------------------------------------------------------------------

const maskedScatter = op({
  name: 'maskedScatter',
  summary: 'self with consecutive elements of source written where mask (bool) is true; 0 where source has too few.',
  category: 'index',
  signature: 'self, mask, source',
  shape: 'the shape that self and mask broadcast to',
  dtypes: anyKept,
  details: { source: 'the elements, of the dtype of self and any shape' },
  errors: {
    DtypeError: 'when mask is not bool, or source has another dtype',
    ShapeError: 'when self and mask do not broadcast',
  },
  note: 'Too few elements are an error in PyTorch.',
  results: null,
  build: (b: GraphBuilder, inputs: readonly OpInput[]) => {
    const [self, mask, source] = inputs.map(({ node }) => node) as [GraphNode, GraphNode, GraphNode]
    if (dtypeOf(mask) !== 'bool')
      throw new DtypeError(`maskedScatter: the mask is ${dtypeOf(mask)}, not bool`, { fix: 'compare it: mask.ne(0)' })
    requireSameDtype('maskedScatter', self, source)
    const shape = broadcastShapes('maskedScatter', [shapeOf(self), shapeOf(mask)])
    const [x, where] = [flat(b, expandTo(b, self, shape)), flat(b, expandTo(b, mask, shape))]
    const counted = b.node('scan', [castTo(b, where, 'i64')], { fn: 'add', dim: 0, reverse: false })
    const position = map(b, 'sub', counted, full(b, 'i64', shapeOf(counted), 1))
    const taken = b.node('gather', [flat(b, source), position], { dim: 0 })
    return [reshapeTo(b, choose(b, where, taken, x), shape)]
  },
  gradient: 'later',
})

// --- slices --------------------------------------------------------------------------------------------------------------

type SelectAttrs = { readonly dim: number; readonly index: number }

const selectScatter = op({
  name: 'selectScatter',
  summary: 'self with src written at one index of a dim.',
  category: 'index',
  signature: 'self, src, dim: dim, index: int',
  shape: asInput,
  dtypes: anyKept,
  details: {
    src: 'the slice: the shape of self without dim',
    index: 'the position along the dim; negative counts from the end',
  },
  errors: { DtypeError: 'when src has another dtype', ShapeError: 'when index is out of range, or src is no slice' },
  results: null,
  build: (b: GraphBuilder, inputs: readonly OpInput[], attrs: SelectAttrs) => {
    const [self, src] = inputs.map(({ node }) => node) as [GraphNode, GraphNode]
    requireSameDtype('selectScatter', self, src)
    const shape = shapeOf(self)
    if (shape.length === 0)
      throw new ShapeError('selectScatter: a 0-d tensor has no slices', { fix: 'give it a dim: x.unsqueeze(0)' })
    const dim = normalizeDim('selectScatter', attrs.dim, shape.length)
    const size = shape[dim]!
    const at = attrs.index < 0 ? addSizes(size, attrs.index) : attrs.index
    const what = (): string => `selectScatter: index ${attrs.index} is out of range for dim ${dim} of size ${size}`
    if (!decideAtLeast(size, attrs.index < 0 ? -attrs.index : attrs.index + 1, what))
      throw new ShapeError(what(), { fix: `use an index from -${size} to ${addSizes(size, -1)}` })
    return [putSlices(b, 'selectScatter', self, reshapeTo(b, src, insertOne(shapeOf(src), dim)), dim, at, 1)]
  },
  gradient: 'later',
})

const insertOne = (shape: Shape, dim: number): Shape => [...shape.slice(0, dim), 1, ...shape.slice(dim)]

/** `source` at start, start + step, … of a dim. */
function putSlices(
  b: GraphBuilder,
  name: string,
  self: GraphNode,
  source: GraphNode,
  dim: number,
  start: Size,
  step: number,
): GraphNode {
  const shape = shapeOf(self)
  const own = shapeOf(source)
  const what = (): string => `${name}: the source ${printShape(own)} does not fit into ${printShape(shape)}`
  if (own.length !== shape.length) throw new ShapeError(what())
  for (const [d, size] of own.entries()) if (d !== dim) requireEqual(size, shape[d]!, what)
  const counter = b.node('iota', [], { length: own[dim]!, dtype: 'i64' })
  const line = (value: Size): GraphNode => expandTo(b, countOf(b, value, 'i64'), [own[dim]!])
  const positions = map(b, 'add', map(b, 'mul', counter, line(step)), line(start))
  const along = reshapeTo(
    b,
    positions,
    own.map((size, d) => (d === dim ? size : 1)),
  )
  return b.node('scatter', [self, expandTo(b, along, own), source], { dim, fold: 'set' })
}

type SliceAttrs = {
  readonly dim: number
  readonly start: number | null
  readonly end: number | null
  readonly step: number
}

/** Start and length of a slice with Python's clamping. */
function sliceRange(size: Size, { start, end, step }: SliceAttrs): readonly [Size, Size] {
  const clip = (bound: number): Size => (bound < 0 ? maxSizes(addSizes(size, bound), 0) : minSizes(bound, size))
  const [from, to] = [clip(start ?? 0), end === null ? size : clip(end)]
  return [from, maxSizes(0, ceilDivSizes(subSizes(to, from), step))]
}

const sliceScatter = op({
  name: 'sliceScatter',
  summary: 'self with src written at the indices start, start + step, … below end of a dim.',
  category: 'index',
  signature: 'self, src, dim: dim = 0, start: int | null = null, end: int | null = null, step: positive = 1',
  shape: asInput,
  dtypes: anyKept,
  details: {
    src: 'the shape of self with the number of positions at dim',
    start: 'the first position; negative indices count from the end. By default the first',
    end: 'one past the last position; by default the size',
    step: 'the distance between positions',
  },
  errors: { DtypeError: 'when src has another dtype', ShapeError: 'when src does not fit the positions' },
  results: null,
  build: (b: GraphBuilder, inputs: readonly OpInput[], attrs: SliceAttrs) => {
    const [self, src] = inputs.map(({ node }) => node) as [GraphNode, GraphNode]
    requireSameDtype('sliceScatter', self, src)
    const shape = shapeOf(self)
    if (shape.length === 0)
      throw new ShapeError('sliceScatter: a 0-d tensor has no slices', { fix: 'give it a dim: x.unsqueeze(0)' })
    const dim = normalizeDim('sliceScatter', attrs.dim, shape.length)
    const [start, count] = sliceRange(shape[dim]!, attrs)
    const what = (): string =>
      `sliceScatter: the slice has ${count} positions in dim ${dim}, the source ${printShape(shapeOf(src))}`
    if (rankOf(src) === shape.length) requireEqual(shapeOf(src)[dim]!, count, what)
    return [putSlices(b, 'sliceScatter', self, src, dim, start, attrs.step)]
  },
  gradient: 'later',
})

// --- diagonals -------------------------------------------------------------------------------------------------------------

type DiagAttrs = { readonly offset: Size; readonly dim1: number; readonly dim2: number }

function diagDims(rank: number, { dim1, dim2 }: DiagAttrs): readonly [number, number] {
  const [row, column] = [dim1, dim2].map(dim => normalizeDim('diagEmbed', dim, rank)) as [number, number]
  if (row === column)
    throw new ShapeError(`diagEmbed: dim1 and dim2 are both ${row}`, { fix: 'give two different dims' })
  return [row, column]
}

const diagEmbed = op({
  name: 'diagEmbed',
  summary: 'Matrices in dims dim1 and dim2 with the last dim of self on a diagonal, 0 elsewhere.',
  category: 'index',
  signature: 'self, offset: index = 0, dim1: dim = -2, dim2: dim = -1',
  shape: 'the shape of self with two dims of n + |offset| for its last one of n',
  dtypes: anyKept,
  details: {
    offset: 'which diagonal: to the right of the main one, negative ones below it',
    dim1: 'where the rows stand in the result',
    dim2: 'where the columns stand in the result',
  },
  errors: { ShapeError: 'when self is 0-d, or dim1 is dim2' },
  results: null,
  build: (b: GraphBuilder, [input]: readonly OpInput[], attrs: DiagAttrs) => {
    const { node } = input!
    const own = shapeOf(node)
    if (own.length === 0)
      throw new ShapeError('diagEmbed: a 0-d tensor has no last dim', { fix: 'give it a dim: x.unsqueeze(0)' })
    const [row, column] = diagDims(own.length + 1, attrs)
    const [down, right] = signedParts(attrs.offset, () => `diagEmbed: ${attrs.offset} of ${printShape(own)}`)
    const size = addSizes(own.at(-1)!, addSizes(down, right))
    const shape = [...own.slice(0, -1), size, size]
    const counter = b.node('iota', [], { length: size, dtype: 'i64' })
    const rows = expandTo(b, reshapeTo(b, counter, [size, 1]), [size, size])
    const columns = expandTo(b, counter, [size, size])
    const number = (value: Size): GraphNode => expandTo(b, countOf(b, value, 'i64'), [size, size])
    const on = map(b, 'eq', map(b, 'sub', columns, rows), number(attrs.offset))
    // Row r takes element r − down, which is in range on the diagonal.
    const position = expandTo(b, map(b, 'sub', rows, number(down)), shape)
    const lines = expandTo(b, reshapeTo(b, node, [...own.slice(0, -1), 1, own.at(-1)!]), [
      ...own.slice(0, -1),
      size,
      own.at(-1)!,
    ])
    const spread = b.node('gather', [lines, position], { dim: shape.length - 1 })
    const made = choose(b, expandTo(b, on, shape), spread, full(b, dtypeOf(node), shape, 0))
    const rest = own.slice(0, -1).map((_, d) => d)
    const order = shape.map((_, d) => (d === row ? own.length - 1 : d === column ? own.length : rest.shift()!))
    return [permuteTo(b, made, order)]
  },
  gradient: ({ outputGradients: [g], attrs, op: apply }) => [
    apply('diagonal', g, attrs.offset, attrs.dim1, attrs.dim2),
  ],
})

export const partRecords = { take, maskedScatter, selectScatter, sliceScatter, diagEmbed }

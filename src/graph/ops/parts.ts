/** Writes into parts of tensors: slices, masked elements, diagonals; and elements by flat index. */
import { DtypeError, ShapeError } from '../../base/errors.js'
import { addSizes, ceilDivSizes, maxSizes, minSizes, type Size, subSizes } from '../../scalar/size.js'
import { isInteger } from '../../types/dtype.js'
import { normalizeDim } from '../build.js'
import { broadcastShapes, decideAtLeast, printShape, requireEqual, signedParts } from '../sizes.js'
import { compose } from './compose.js'
import type { GraphTensor } from './graph-tensor.js'
import { anyKept, asInput, outOfRange } from './texts.js'

/** Throws DtypeError unless an index holds integers. */
export function requireIndex(name: string, { dtype }: GraphTensor): void {
  if (!isInteger(dtype)) throw new DtypeError(`${name}: the index is ${dtype}`, { fix: "cast it: index.to('i64')" })
}

/** Throws DtypeError unless what is written has the dtype of the tensor. */
export function requireSameDtype(name: string, self: GraphTensor, source: GraphTensor): void {
  if (self.dtype !== source.dtype)
    throw new DtypeError(`${name}: self is ${self.dtype}, the source ${source.dtype}`, {
      fix: `cast the source: source.to('${self.dtype}')`,
    })
}

// --- by position ------------------------------------------------------------------------------------------------------------

const take = compose({
  name: 'take',
  summary: 'The elements of the flattened tensor at an index of any shape; negative indices count from the end.',
  category: 'index',
  signature: 'self, index',
  shape: 'the shape of index',
  dtypes: anyKept,
  details: { index: 'integers, of any shape' },
  errors: { DtypeError: 'when index is no integer' },
  note: `${outOfRange} gives 0.`,
  keeps: ['self', 'index'],
  body: ({ self, index }) => {
    requireIndex('take', index)
    const line = self.ravel()
    return line.at(0, index.ravel().fromFront(line.size(0))).shaped(index.shape)
  },
})

// --- under a mask --------------------------------------------------------------------------------------------------------

const maskedScatter = compose({
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
  keeps: ['self', 'mask', 'source'],
  body: ({ self, mask, source }) => {
    if (mask.dtype !== 'bool')
      throw new DtypeError(`maskedScatter: the mask is ${mask.dtype}, not bool`, { fix: 'compare it: mask.ne(0)' })
    requireSameDtype('maskedScatter', self, source)
    const shape = broadcastShapes('maskedScatter', [self.shape, mask.shape])
    const where = mask.expandTo(shape).ravel()
    const position = where.as('i64').scanned('add', 0).sub(1)
    return where.where(source.ravel().at(0, position), self.expandTo(shape).ravel()).shaped(shape)
  },
})

// --- slices --------------------------------------------------------------------------------------------------------------

/** The dim that slices are written in. Throws ShapeError for 0-d tensors, which have none. */
function slicedDim(name: string, { rank }: GraphTensor, dim: number): number {
  if (rank === 0) throw new ShapeError(`${name}: a 0-d tensor has no slices`, { fix: 'give it a dim: x.unsqueeze(0)' })
  return normalizeDim(name, dim, rank)
}

const selectScatter = compose({
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
  keeps: ['self', 'src'],
  body: ({ self, src, dim: asked, index }) => {
    requireSameDtype('selectScatter', self, src)
    const dim = slicedDim('selectScatter', self, asked)
    const size = self.size(dim)
    const at = index < 0 ? addSizes(size, index) : index
    const what = (): string => `selectScatter: index ${index} is out of range for dim ${dim} of size ${size}`
    if (!decideAtLeast(size, index < 0 ? -index : index + 1, what))
      throw new ShapeError(what(), { fix: `use an index from -${size} to ${addSizes(size, -1)}` })
    return putSlices('selectScatter', self, src.shaped(src.shape.toSpliced(dim, 0, 1)), dim, at, 1)
  },
})

/** `source` at start, start + step, … of a dim. */
function putSlices(
  name: string,
  self: GraphTensor,
  source: GraphTensor,
  dim: number,
  start: Size,
  step: number,
): GraphTensor {
  const [shape, own] = [self.shape, source.shape]
  const what = (): string => `${name}: the source ${printShape(own)} does not fit into ${printShape(shape)}`
  if (own.length !== shape.length) throw new ShapeError(what())
  for (const [d, size] of own.entries()) if (d !== dim) requireEqual(size, shape[d]!, what)
  if (step === 1) return between(self, source, dim, start)
  const positions = source.indicesOf(dim).mul(step).add(self.count(start, 'i64'))
  const along = own.map((size, d) => (d === dim ? size : 1))
  return self.putAt(dim, positions.shaped(along).expandTo(own), source, 'set')
}

/** `source` with what self has before and behind it in a dim. */
function between(self: GraphTensor, source: GraphTensor, dim: number, start: Size): GraphTensor {
  const end = addSizes(start, source.size(dim))
  const rest = self.part(dim, end, subSizes(self.size(dim), end))
  const parts = [self.part(dim, 0, start), source, rest].filter(part => part.size(dim) !== 0)
  return parts.length === 0 ? self : self.joined(parts, dim)
}

interface SliceAttrs {
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

const sliceScatter = compose({
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
  keeps: ['self', 'src'],
  body: ({ self, src, dim: asked, ...range }) => {
    requireSameDtype('sliceScatter', self, src)
    const dim = slicedDim('sliceScatter', self, asked)
    const [start, count] = sliceRange(self.size(dim), range)
    const what = (): string =>
      `sliceScatter: the slice has ${count} positions in dim ${dim}, the source ${printShape(src.shape)}`
    if (src.rank === self.rank) requireEqual(src.size(dim), count, what)
    return putSlices('sliceScatter', self, src, dim, start, range.step)
  },
})

// --- diagonals -------------------------------------------------------------------------------------------------------------

const diagEmbed = compose({
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
  keeps: ['self'],
  body: ({ self, offset, dim1, dim2 }) => {
    const own = self.shape
    if (own.length === 0)
      throw new ShapeError('diagEmbed: a 0-d tensor has no last dim', { fix: 'give it a dim: x.unsqueeze(0)' })
    const [row, column] = [dim1, dim2].map(dim => normalizeDim('diagEmbed', dim, own.length + 1))
    if (row === column)
      throw new ShapeError(`diagEmbed: dim1 and dim2 are both ${row}`, { fix: 'give two different dims' })
    const [down, right] = signedParts(offset, () => `diagEmbed: ${offset} of ${printShape(own)}`)
    const [lead, length] = [own.slice(0, -1), own.at(-1)!]
    const size = addSizes(length, addSizes(down, right))
    const shape = [...lead, size, size]
    const rows = self.iota(size).unsqueeze(1).expandTo([size, size])
    const on = self.iota(size).sub(rows).eq(self.count(offset, 'i64'))
    // Row r takes element r − down, which is in range on the diagonal.
    const position = rows.sub(self.count(down, 'i64')).expandTo(shape)
    const spread = self
      .unsqueeze(-2)
      .expandTo([...lead, size, length])
      .at(lead.length + 1, position)
    const made = on.where(spread, spread.like(0))
    const rest = [...lead.keys()]
    const order = shape.map((_, d) => (d === row ? own.length - 1 : d === column ? own.length : rest.shift()!))
    return made.permute(order)
  },
})

export const partRecords = { take, maskedScatter, selectScatter, sliceScatter, diagEmbed }

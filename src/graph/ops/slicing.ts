/** Parts of a tensor: ranges, single indices, and the order along a dim reversed. */
import { ArgumentError, ShapeError } from '../../base/errors.js'
import {
  addSizes,
  ceilDivSizes,
  maxSizes,
  minSizes,
  rangeOf,
  type Size,
  SizeExpr,
  subSizes,
} from '../../scalar/size.js'
import { normalizeDim, reshapeTo, shapeOf, sliceTo, wholeSlice } from '../build.js'
import { hostFrom, rowMajorStrides } from '../host.js'
import type { GraphBuilder, GraphNode, Shape } from '../ir.js'
import type { HostTensor, SliceRange } from '../record.js'
import { printShape, SymbolicShapeError, surelyEqual } from '../sizes.js'
import { asInput } from './texts.js'
import { numbers, type PermuteAttrs, view, viewCall } from './view-record.js'

type RangeAttrs = { readonly start: Size | null; readonly end: Size | null; readonly step: number }
type SliceAttrs = { readonly ranges: readonly (Size | RangeAttrs)[] }

const everything: RangeAttrs = { start: null, end: null, step: 1 }

function parseRange(range: SliceRange): Size | RangeAttrs {
  if (range === null || range === 'all') return everything
  if (typeof range === 'number' || range instanceof SizeExpr) return range
  const [start = null, end = null, step = 1] = range
  if (step < 1)
    throw new ArgumentError(`slice: step is ${step}`, { fix: 'use a step of at least 1, and flip() to go back' })
  return { start, end, step }
}

/** A slice bound as in Python: negative counts from the end, and values out of range are clamped. */
function clampBound(bound: Size, size: Size): Size {
  const { min, max } = rangeOf(bound)
  if (min < 0 && max >= 0)
    throw new SymbolicShapeError(`slice: the sign of the bound ${bound} is not known`, [bound], bound)
  return max < 0 ? maxSizes(addSizes(bound, size), 0) : minSizes(bound, size)
}

interface ResolvedSlice {
  readonly starts: readonly Size[]
  readonly steps: readonly number[]
  readonly sizes: readonly Size[]
  /** The dims dropped by single indices. */
  readonly dropped: readonly number[]
}

/** A non-negative index. Throws ShapeError if it is out of range. */
function resolveIndex(name: string, index: Size, size: Size, dim: number): Size {
  const position = rangeOf(index).max < 0 ? addSizes(index, size) : index
  const inside = rangeOf(position).min >= 0 && rangeOf(subSizes(size, position)).min > 0
  if (inside) return position
  const outside = rangeOf(position).max < 0 || rangeOf(subSizes(size, position)).max <= 0
  if (outside) {
    throw new ShapeError(`${name}: index ${index} is out of range for dim ${dim} of size ${size}`, {
      ...(size !== 0 && { fix: `use an index from ${subSizes(0, size)} to ${addSizes(size, -1)}` }),
    })
  }
  const what = `${name}: index ${index} is not known to lie in dim ${dim} of size ${size}`
  const last = addSizes(size, -1)
  throw new SymbolicShapeError(what, [index, size], rangeOf(position).min < 0 ? position : subSizes(last, position))
}

function resolveSlice(shape: Shape, { ranges }: SliceAttrs): ResolvedSlice {
  if (ranges.length > shape.length)
    throw new ShapeError(`slice: ${ranges.length} ranges for ${printShape(shape)} of ${shape.length} dims`, {
      fix: "give at most one range per dim; for a new dim use unsqueeze(), or 'newaxis' in get()",
    })
  const { starts, steps, sizes } = wholeSlice(shape)
  const dropped: number[] = []
  for (const [d, range] of ranges.entries()) {
    const size = shape[d]!
    if (typeof range === 'number' || range instanceof SizeExpr) {
      starts[d] = resolveIndex('slice', range, size, d)
      sizes[d] = 1
      dropped.push(d)
      continue
    }
    starts[d] = range.start === null ? 0 : clampBound(range.start, size)
    const end = range.end === null ? size : clampBound(range.end, size)
    steps[d] = range.step
    sizes[d] = maxSizes(ceilDivSizes(subSizes(end, starts[d]!), range.step), 0)
  }
  return { starts, steps, sizes, dropped }
}

const without = <T>(list: readonly T[], dropped: readonly number[]): T[] => list.filter((_, d) => !dropped.includes(d))

function buildSlice(b: GraphBuilder, node: GraphNode, { dropped, ...attrs }: ResolvedSlice): GraphNode {
  return reshapeTo(b, sliceTo(b, node, attrs), without(attrs.sizes, dropped))
}

function hostSlice(input: HostTensor, { starts, steps, sizes, dropped }: ResolvedSlice): HostTensor {
  const strides = rowMajorStrides(input.shape)
  const part = hostFrom(input.dtype, numbers(sizes), index => {
    const at = index.reduce((sum, i, d) => sum + (Number(starts[d]) + i * steps[d]!) * strides[d]!, 0)
    return input.data[at]!
  })
  return { ...part, shape: without(part.shape, dropped) }
}

const slice = view({
  name: 'slice',
  summary: 'A part of self: for each dim an index, [start, end, step], or null for all of it.',
  signature: 'self, ...ranges: range = []',
  shape: 'one size per range, its length; dims picked by an index are removed, dims without a range keep their size',
  details: {
    ranges:
      'per dim, from the first on: an index (negative from the end), [start, end, step] with step ≥ 1, or null for all',
  },
  errors: {
    ArgumentError: 'when a step is below 1',
    ShapeError: 'when there are more ranges than dims, or an index is out of range',
  },
  note: 'A view. Ends beyond the dim are cut, as in Python.',
  call: ({ self, ranges }) => viewCall(self, { ranges: ranges.map(parseRange) }),
  build: (b, node, attrs: SliceAttrs) => buildSlice(b, node, resolveSlice(shapeOf(node), attrs)),
  reference: (input, attrs) => hostSlice(input, resolveSlice(input.shape, attrs)),
})

type NarrowAttrs = { readonly dim: number; readonly start: Size; readonly length: Size }

function resolveNarrow(shape: Shape, attrs: NarrowAttrs): ResolvedSlice {
  if (shape.length === 0)
    throw new ShapeError('narrow: a 0-d tensor has no dim to take a part of', { fix: 'unsqueeze it first' })
  const dim = normalizeDim('narrow', attrs.dim, shape.length)
  const { starts, steps, sizes } = wholeSlice(shape)
  const size = shape[dim]!
  const start = rangeOf(attrs.start).max < 0 ? addSizes(attrs.start, size) : attrs.start
  const end = addSizes(start, attrs.length)
  const what = `narrow: start ${attrs.start} and length ${attrs.length} in dim ${dim} of size ${size}`
  if (rangeOf(start).max < 0 || rangeOf(subSizes(size, end)).max < 0)
    throw new ShapeError(`${what} reach outside it`, { fix: 'start + length may be at most the size' })
  for (const free of [start, attrs.length, subSizes(size, end)])
    if (rangeOf(free).min < 0 && !(free === start && surelyEqual(size, end)))
      throw new SymbolicShapeError(`${what} are not known to lie inside it`, [size, end], free)
  starts[dim] = start
  sizes[dim] = attrs.length
  return { starts, steps, sizes, dropped: [] }
}

const narrow = view({
  name: 'narrow',
  summary: 'The elements from start to start + length along a dim.',
  signature: 'self, dim: dim, start: position, length: size',
  details: { start: 'the first position; negative counts from the end; a tensor is read', length: 'how many' },
  shape: 'the shape of self with length at dim',
  errors: { ShapeError: 'when start + length reaches beyond the dim, or self is 0-d' },
  note: 'A view.',
  build: (b, node, attrs) => buildSlice(b, node, resolveNarrow(shapeOf(node), attrs)),
  reference: (input, attrs) => hostSlice(input, resolveNarrow(input.shape, attrs)),
})

type SelectAttrs = { readonly dim: number; readonly index: Size }

function resolveSelect(shape: Shape, attrs: SelectAttrs): ResolvedSlice {
  if (shape.length === 0)
    throw new ShapeError('select: a 0-d tensor has no dim to select from', { fix: 'unsqueeze it first' })
  const dim = normalizeDim('select', attrs.dim, shape.length)
  const { starts, steps, sizes } = wholeSlice(shape)
  starts[dim] = resolveIndex('select', attrs.index, shape[dim]!, dim)
  sizes[dim] = 1
  return { starts, steps, sizes, dropped: [dim] }
}

const select = view({
  name: 'select',
  summary: 'self at one index of a dim, without that dim.',
  signature: 'self, dim: dim, index: position',
  details: { index: 'the position along the dim; negative counts from the end; a tensor is read' },
  shape: 'the shape of self without dim',
  errors: { ShapeError: 'when index is out of range, or self is 0-d' },
  note: 'A view.',
  build: (b, node, attrs) => buildSlice(b, node, resolveSelect(shapeOf(node), attrs)),
  reference: (input, attrs) => hostSlice(input, resolveSelect(input.shape, attrs)),
})

function resolveFlip(shape: Shape, { dims }: PermuteAttrs): ResolvedSlice {
  const flipped = dims.map(dim => normalizeDim('flip', dim, shape.length))
  if (new Set(flipped).size !== flipped.length)
    throw new ShapeError(`flip: a dim appears twice in [${dims.join(', ')}]`, { fix: 'name each dim once' })
  const { starts, steps, sizes } = wholeSlice(shape)
  for (const dim of shape.length === 0 ? [] : flipped) {
    starts[dim] = addSizes(shape[dim]!, -1)
    steps[dim] = -1
  }
  return { starts, steps, sizes, dropped: [] }
}

/** A copy in memory, as in PyTorch: tensor strides are never negative. */
const flip = view({
  name: 'flip',
  summary: 'self with the elements along the dims in reverse order.',
  category: 'index',
  signature: 'self, ...dims: dims',
  shape: asInput,
  errors: { ShapeError: 'when a dim appears twice' },
  note: 'A copy, as in PyTorch.',
  build: (b, node, attrs) => b.node('copy', [buildSlice(b, node, resolveFlip(shapeOf(node), attrs))], {}),
  reference: (input, attrs) => hostSlice(input, resolveFlip(input.shape, attrs)),
})

export const slicingRecords = { slice, narrow, select, flip }

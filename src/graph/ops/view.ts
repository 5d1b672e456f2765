/** Ops that only say how a tensor's elements are looked at, and those that bring them into another order. */
import { ArgumentError, ShapeError } from '../../base/errors.js'
import type { Attrs } from '../../ir/node.js'
import {
  addSizes,
  ceilDivSizes,
  exactQuotient,
  maxSizes,
  minSizes,
  productOf,
  rangeOf,
  type Size,
  subSizes,
} from '../../scalar/size.js'
import {
  expandTo,
  normalizeDim,
  permuteTo,
  rankOf,
  requireInteger,
  reshapeTo,
  shapeOf,
  sliceTo,
  wholeSlice,
} from '../build.js'
import { elementAt, hostFrom, rowMajorStrides } from '../host.js'
import type { GraphBuilder, GraphNode, Shape } from '../ir.js'
import { type Gradient, type HostTensor, type OpInput, op, type Value } from '../record.js'
import { printShape, requireEqual, SymbolicShapeError, surelyEqual } from '../sizes.js'
import { type Dims, parseDims, parseShape } from './arguments.js'

/** A view: `build` on the one input's node. */
function view<Params extends readonly unknown[], A extends Attrs>(definition: {
  readonly name: string
  readonly summary: string
  readonly call: (...params: Params) => { readonly inputs: readonly Value[]; readonly attrs: A }
  readonly build: (b: GraphBuilder, node: GraphNode, attrs: A) => GraphNode
  readonly reference: (input: HostTensor, attrs: A) => HostTensor
  readonly gradient: Gradient<A>
}) {
  const { build, reference } = definition
  return op<Params, A, null>({
    ...definition,
    category: 'view',
    results: null,
    build: (b: GraphBuilder, [input]: readonly OpInput[], attrs: A) => [build(b, input!.node, attrs)],
    reference: ([input]: readonly HostTensor[], attrs: A) => [reference(input!, attrs)],
  })
}

const viewCall = <A extends Attrs>(self: Value, attrs: A) => ({ inputs: [self], attrs })

/** The gradient in the input's own shape: right for every op that keeps the row-major order. */
const reshapeBack: Gradient<Attrs> = ({ inputs, outputGradients, op, shapeOf }) => [
  op('reshape', outputGradients[0], shapeOf(inputs[0]!)),
]

const numbers = (shape: Shape): readonly number[] => shape as readonly number[]

// --- shape -------------------------------------------------------------------------------------------------------------

type ShapeAttrs = { readonly shape: readonly Size[] }

/** The target shape with −1 filled in. Throws ShapeError when the element counts cannot agree. */
function resolveShape(name: string, from: Shape, asked: Shape): Shape {
  const holes = asked.filter(size => size === -1).length
  const count = productOf(from)
  const what = (): string => `${name}: ${printShape(from)} does not fit ${printShape(asked)}`
  if (holes > 1) throw new ShapeError(`${name}: more than one −1 in ${printShape(asked)}`)
  if (holes === 0) {
    requireEqual(count, productOf(asked), what, 'both shapes must have the same number of elements')
    return asked
  }
  const known = productOf(asked.filter(size => size !== -1))
  if (known === 0)
    throw new ShapeError(`${name}: −1 in ${printShape(asked)} may be any size, since the others have no elements`, {
      fix: 'give the size in place of −1',
    })
  const quotient = exactQuotient(count, known)
  if (quotient !== null) return asked.map(size => (size === -1 ? quotient : size))
  if (typeof count === 'number' && typeof known === 'number') throw new ShapeError(`${what()} (${count} / ${known})`)
  throw new SymbolicShapeError(`${what()} (${count} is not known to be a multiple of ${known})`, [count, known])
}

const reshaping = (name: 'reshape' | 'view', summary: string) =>
  view({
    name,
    summary,
    call: (self: Value, shape: readonly Size[]) =>
      viewCall(self, { shape: parseShape(name, shape, { minusOne: true }) }),
    build: (b, node, { shape }: ShapeAttrs) => reshapeTo(b, node, resolveShape(name, shapeOf(node), shape)),
    reference: (input, { shape }) => ({ ...input, shape: numbers(resolveShape(name, input.shape, shape)) }),
    gradient: reshapeBack,
  })

const expand = view({
  name: 'expand',
  summary: 'self with dims of size 1 repeated and leading dims added; −1 keeps a size.',
  call: (self: Value, shape: readonly Size[]) =>
    viewCall(self, { shape: parseShape('expand', shape, { minusOne: true }) }),
  build: (b, node, { shape }: ShapeAttrs) => expandTo(b, node, expandedShape(shapeOf(node), shape)),
  reference: (input, { shape }) =>
    hostFrom(input.dtype, numbers(expandedShape(input.shape, shape)), index => elementAt(input, index)),
  gradient: ({ outputGradients: [g] }) => [g!],
})

function expandedShape(from: Shape, asked: Shape): Shape {
  const lead = asked.length - from.length
  const what = (): string => `expand: ${printShape(from)} does not stretch to ${printShape(asked)}`
  if (lead < 0) throw new ShapeError(what(), { fix: `give at least ${from.length} sizes` })
  return asked.map((size, d) => {
    const own = from[d - lead]
    if (size === -1) {
      if (own === undefined) throw new ShapeError(`expand: −1 for the new dim ${d} in ${printShape(asked)}`)
      return own
    }
    if (own !== undefined && own !== 1) requireEqual(own, size, what, 'only sizes of 1 stretch')
    return size
  })
}

type FlattenAttrs = { readonly startDim: number; readonly endDim: number }

function flattened(shape: Shape, { startDim, endDim }: FlattenAttrs): Shape {
  if (shape.length === 0) return [1]
  const [start, end] = [normalizeDim('flatten', startDim, shape.length), normalizeDim('flatten', endDim, shape.length)]
  if (start > end) throw new ShapeError(`flatten: startDim ${startDim} comes after endDim ${endDim}`)
  return [...shape.slice(0, start), productOf(shape.slice(start, end + 1)), ...shape.slice(end + 1)]
}

const flatten = view({
  name: 'flatten',
  summary: 'self with the dims from startDim to endDim made one.',
  call: (self: Value, startDim = 0, endDim = -1) => {
    requireInteger('flatten', 'startDim', startDim)
    requireInteger('flatten', 'endDim', endDim)
    return viewCall(self, { startDim, endDim })
  },
  build: (b, node, attrs: FlattenAttrs) => reshapeTo(b, node, flattened(shapeOf(node), attrs)),
  reference: (input, attrs) => ({ ...input, shape: numbers(flattened(input.shape, attrs)) }),
  gradient: reshapeBack,
})

type SqueezeAttrs = { readonly dims: readonly number[] | null }

/** A size that only may be 1 at run time stays: the number of dims is part of the program. */
function squeezed(shape: Shape, { dims }: SqueezeAttrs): Shape {
  const chosen = dims?.map(dim => normalizeDim('squeeze', dim, shape.length))
  return shape.filter((size, d) => size !== 1 || (chosen !== undefined && !chosen.includes(d)))
}

const squeeze = view({
  name: 'squeeze',
  summary: 'self without its dims of size 1, or without the given ones where they have size 1.',
  call: (self: Value, dim?: Dims) => viewCall(self, { dims: parseDims('squeeze', dim) }),
  build: (b, node, attrs: SqueezeAttrs) => reshapeTo(b, node, squeezed(shapeOf(node), attrs)),
  reference: (input, attrs) => ({ ...input, shape: numbers(squeezed(input.shape, attrs)) }),
  gradient: reshapeBack,
})

type DimAttrs = { readonly dim: number }

function unsqueezed(shape: Shape, { dim }: DimAttrs): Shape {
  const at = normalizeDim('unsqueeze', dim, shape.length + 1)
  return [...shape.slice(0, at), 1, ...shape.slice(at)]
}

const unsqueeze = view({
  name: 'unsqueeze',
  summary: 'self with a new dim of size 1 before dim.',
  call: (self: Value, dim: number) => {
    requireInteger('unsqueeze', 'dim', dim)
    return viewCall(self, { dim })
  },
  build: (b, node, attrs: DimAttrs) => reshapeTo(b, node, unsqueezed(shapeOf(node), attrs)),
  reference: (input, attrs) => ({ ...input, shape: numbers(unsqueezed(input.shape, attrs)) }),
  gradient: reshapeBack,
})

// --- order of dims -------------------------------------------------------------------------------------------------------

type PermuteAttrs = { readonly dims: readonly number[] }

function permutation(dims: readonly number[], rank: number): readonly number[] {
  const list = dims.map(dim => normalizeDim('permute', dim, rank))
  if (list.length !== rank || new Set(list).size !== rank) {
    throw new ShapeError(`permute: [${dims.join(', ')}] is no order of ${rank} dims`, {
      fix: `name each dim from 0 to ${rank - 1} once`,
    })
  }
  return list
}

const hostPermute = (input: HostTensor, dims: readonly number[]): HostTensor =>
  hostFrom(
    input.dtype,
    dims.map(dim => input.shape[dim]!),
    index => {
      const source = new Array<number>(dims.length)
      for (const [i, dim] of dims.entries()) source[dim] = index[i]!
      return elementAt(input, source)
    },
  )

const permute = view({
  name: 'permute',
  summary: 'self with its dims in another order.',
  call: (self: Value, dims: readonly number[]) => viewCall(self, { dims: parseDims('permute', dims) ?? [] }),
  build: (b, node, { dims }: PermuteAttrs) => permuteTo(b, node, permutation(dims, rankOf(node))),
  reference: (input, { dims }) => hostPermute(input, permutation(dims, input.shape.length)),
  gradient: ({ outputGradients: [g], attrs, op }) => {
    const dims = permutation(attrs.dims, attrs.dims.length)
    return [
      op(
        'permute',
        g,
        dims.map((_, i) => dims.indexOf(i)),
      ),
    ]
  },
})

type SwapAttrs = { readonly dim0: number; readonly dim1: number }

function swapped(name: string, rank: number, { dim0, dim1 }: SwapAttrs): readonly number[] {
  const [first, second] = [normalizeDim(name, dim0, rank), normalizeDim(name, dim1, rank)]
  return Array.from({ length: rank }, (_, d) => (d === first ? second : d === second ? first : d))
}

const transpose = view({
  name: 'transpose',
  summary: 'self with two dims exchanged.',
  call: (self: Value, dim0: number, dim1: number) => {
    requireInteger('transpose', 'dim0', dim0)
    requireInteger('transpose', 'dim1', dim1)
    return viewCall(self, { dim0, dim1 })
  },
  build: (b, node, attrs: SwapAttrs) => permuteTo(b, node, swapped('transpose', rankOf(node), attrs)),
  reference: (input, attrs) => hostPermute(input, swapped('transpose', input.shape.length, attrs)),
  gradient: ({ outputGradients: [g], attrs, op }) => [op('transpose', g, attrs.dim0, attrs.dim1)],
})

function transposedDims(rank: number): readonly number[] {
  if (rank <= 2) return rank === 2 ? [1, 0] : swapped('t', rank, { dim0: 0, dim1: 0 })
  throw new ShapeError(`t: takes at most 2 dims, got ${rank}`, { fix: 'use transpose(dim0, dim1)' })
}

const t = view({
  name: 't',
  summary: 'The transpose of a matrix; tensors of fewer dims stay as they are.',
  call: (self: Value) => viewCall(self, {}),
  build: (b, node) => permuteTo(b, node, transposedDims(rankOf(node))),
  reference: input => hostPermute(input, transposedDims(input.shape.length)),
  gradient: ({ outputGradients: [g], op }) => [op('t', g)],
})

// --- parts ---------------------------------------------------------------------------------------------------------------

/** One dim of `slice`: everything, one index (the dim goes away), or [start, end, step] with null for the ends. */
export type SliceRange = null | 'all' | number | readonly [start: Size | null, end?: Size | null, step?: number]

type RangeAttrs = { readonly start: Size | null; readonly end: Size | null; readonly step: number }
type SliceAttrs = { readonly ranges: readonly (number | RangeAttrs)[] }

const everything: RangeAttrs = { start: null, end: null, step: 1 }

function parseRange(range: SliceRange | undefined): number | RangeAttrs {
  if (range === null || range === undefined || range === 'all') return everything
  if (typeof range === 'number') {
    requireInteger('slice', 'an index', range)
    return range
  }
  if (!Array.isArray(range) || range.length > 3)
    throw new ArgumentError(`slice: ${String(range)} is no range`, {
      fix: "use an index, [start, end, step], null or 'all'",
    })
  const [start = null, end = null, step = 1] = range as readonly [Size | null, (Size | null)?, number?]
  requireInteger('slice', 'step', step)
  if (step < 1)
    throw new ArgumentError(`slice: step is ${step}`, { fix: 'use a step of at least 1, and flip() to go back' })
  for (const bound of [start, end]) if (typeof bound === 'number') requireInteger('slice', 'a bound', bound)
  return { start, end, step }
}

/** A bound as in Python: negative counts from the end, and what lies outside is moved inside. */
function clampBound(bound: Size, size: Size): Size {
  const { min, max } = rangeOf(bound)
  if (min < 0 && max >= 0) throw new SymbolicShapeError(`slice: the sign of the bound ${bound} is not known`, [bound])
  return max < 0 ? maxSizes(addSizes(bound, size), 0) : minSizes(bound, size)
}

interface ResolvedSlice {
  readonly starts: readonly Size[]
  readonly steps: readonly number[]
  readonly sizes: readonly Size[]
  /** The dims that an index takes away. */
  readonly dropped: readonly number[]
}

/** The place of an index from the front. Throws ShapeError out of range. */
function resolveIndex(name: string, index: Size, size: Size, dim: number): Size {
  const place = rangeOf(index).max < 0 ? addSizes(index, size) : index
  const inside = rangeOf(place).min >= 0 && rangeOf(subSizes(size, place)).min > 0
  if (inside) return place
  const outside = rangeOf(place).max < 0 || rangeOf(subSizes(size, place)).max <= 0
  if (outside) {
    throw new ShapeError(`${name}: index ${index} is out of range for dim ${dim} of size ${size}`, {
      ...(size !== 0 && { fix: `use an index from ${subSizes(0, size)} to ${addSizes(size, -1)}` }),
    })
  }
  throw new SymbolicShapeError(`${name}: index ${index} is not known to lie in dim ${dim} of size ${size}`, [
    index,
    size,
  ])
}

function resolveSlice(shape: Shape, { ranges }: SliceAttrs): ResolvedSlice {
  if (ranges.length > shape.length)
    throw new ShapeError(`slice: ${ranges.length} ranges for ${printShape(shape)} of ${shape.length} dims`)
  const { starts, steps, sizes } = wholeSlice(shape)
  const dropped: number[] = []
  for (const [d, range] of ranges.entries()) {
    const size = shape[d]!
    if (typeof range === 'number') {
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
  summary: 'A part of self: per dim an index, [start, end, step], or null for everything.',
  call: (self: Value, ...ranges: readonly SliceRange[]) => viewCall(self, { ranges: ranges.map(parseRange) }),
  build: (b, node, attrs: SliceAttrs) => buildSlice(b, node, resolveSlice(shapeOf(node), attrs)),
  reference: (input, attrs) => hostSlice(input, resolveSlice(input.shape, attrs)),
  gradient: 'later',
})

type NarrowAttrs = { readonly dim: number; readonly start: Size; readonly length: Size }

function resolveNarrow(shape: Shape, attrs: NarrowAttrs): ResolvedSlice {
  const dim = normalizeDim('narrow', attrs.dim, shape.length)
  const { starts, steps, sizes } = wholeSlice(shape)
  const size = shape[dim]!
  const start = rangeOf(attrs.start).max < 0 ? addSizes(attrs.start, size) : attrs.start
  const end = addSizes(start, attrs.length)
  const what = `narrow: start ${attrs.start} and length ${attrs.length} in dim ${dim} of size ${size}`
  if (rangeOf(start).max < 0 || rangeOf(subSizes(size, end)).max < 0) throw new ShapeError(`${what} reach outside it`)
  if (!surelyEqual(size, end) && (rangeOf(start).min < 0 || rangeOf(subSizes(size, end)).min < 0))
    throw new SymbolicShapeError(`${what} are not known to lie inside it`, [size, end])
  starts[dim] = start
  sizes[dim] = attrs.length
  return { starts, steps, sizes, dropped: [] }
}

const narrow = view({
  name: 'narrow',
  summary: 'The elements from start to start + length along a dim.',
  call: (self: Value, dim: number, start: Size, length: Size) => {
    requireInteger('narrow', 'dim', dim)
    if (typeof start === 'number') requireInteger('narrow', 'start', start)
    if (typeof length === 'number') requireInteger('narrow', 'length', length)
    if (typeof length === 'number' && length < 0) throw new ArgumentError(`narrow: length ${length} is negative`)
    return viewCall(self, { dim, start, length })
  },
  build: (b, node, attrs: NarrowAttrs) => buildSlice(b, node, resolveNarrow(shapeOf(node), attrs)),
  reference: (input, attrs) => hostSlice(input, resolveNarrow(input.shape, attrs)),
  gradient: 'later',
})

type SelectAttrs = { readonly dim: number; readonly index: Size }

function resolveSelect(shape: Shape, attrs: SelectAttrs): ResolvedSlice {
  if (shape.length === 0) throw new ShapeError('select: a 0-d tensor has no dim to select from')
  const dim = normalizeDim('select', attrs.dim, shape.length)
  const { starts, steps, sizes } = wholeSlice(shape)
  starts[dim] = resolveIndex('select', attrs.index, shape[dim]!, dim)
  sizes[dim] = 1
  return { starts, steps, sizes, dropped: [dim] }
}

const select = view({
  name: 'select',
  summary: 'self at one index of a dim, without that dim.',
  call: (self: Value, dim: number, index: Size) => {
    requireInteger('select', 'dim', dim)
    if (typeof index === 'number') requireInteger('select', 'index', index)
    return viewCall(self, { dim, index })
  },
  build: (b, node, attrs: SelectAttrs) => buildSlice(b, node, resolveSelect(shapeOf(node), attrs)),
  reference: (input, attrs) => hostSlice(input, resolveSelect(input.shape, attrs)),
  gradient: 'later',
})

function resolveFlip(shape: Shape, { dims }: PermuteAttrs): ResolvedSlice {
  const flipped = dims.map(dim => normalizeDim('flip', dim, shape.length))
  if (new Set(flipped).size !== flipped.length)
    throw new ShapeError(`flip: a dim appears twice in [${dims.join(', ')}]`)
  const { starts, steps, sizes } = wholeSlice(shape)
  for (const dim of shape.length === 0 ? [] : flipped) {
    starts[dim] = addSizes(shape[dim]!, -1)
    steps[dim] = -1
  }
  return { starts, steps, sizes, dropped: [] }
}

/** No view as far as memory goes: tensors' strides are never negative, so a flip is a copy, as in PyTorch. */
const flip = {
  ...view({
    name: 'flip',
    summary: 'self with the elements along the dims in reverse order.',
    call: (self: Value, dims: Dims) => viewCall(self, { dims: parseDims('flip', dims) ?? [] }),
    build: (b, node, attrs: PermuteAttrs) => buildSlice(b, node, resolveFlip(shapeOf(node), attrs)),
    reference: (input, attrs) => hostSlice(input, resolveFlip(input.shape, attrs)),
    gradient: ({ outputGradients: [g], attrs, op }) => [op('flip', g, attrs.dims)],
  }),
  category: 'index' as const,
}

export const viewRecords = {
  reshape: reshaping('reshape', 'The same elements, row by row, in another shape; one size may be −1.'),
  view: reshaping(
    'view',
    'As reshape, and never a copy: a layout that would need one is an error (checked by the tensor).',
  ),
  expand,
  flatten,
  squeeze,
  unsqueeze,
  permute,
  transpose,
  t,
  slice,
  narrow,
  select,
  flip,
}

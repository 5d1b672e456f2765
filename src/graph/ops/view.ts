/** Views of a tensor's elements, and permutations of dims. */
import { ShapeError } from '../../base/errors.js'
import { productOf } from '../../scalar/size.js'
import { expandTo, normalizeDim, permuteTo, rankOf, reshapeTo, shapeOf } from '../build.js'
import { elementAt, hostFrom } from '../host.js'
import type { GraphBuilder, GraphNode, Shape } from '../ir.js'
import type { HostTensor } from '../record.js'
import { decideEqual, decideQuotient, printShape, requireEqual, surelyEqual } from '../sizes.js'
import { slicingRecords } from './slicing.js'
import { numbers, view, viewCall } from './view-record.js'

// --- shape -------------------------------------------------------------------------------------------------------------

/** The target shape with −1 filled in. Throws ShapeError when the element counts cannot agree. */
function resolveShape(name: string, from: Shape, asked: Shape): Shape {
  const holes = asked.filter(size => size === -1).length
  const count = productOf(from)
  const what = (): string => `${name}: ${printShape(from)} does not fit ${printShape(asked)}`
  if (holes > 1)
    throw new ShapeError(`${name}: more than one −1 in ${printShape(asked)}`, { fix: 'give all sizes but one' })
  if (holes === 0) {
    requireEqual(count, productOf(asked), what, 'both shapes must have the same number of elements')
    return asked
  }
  const known = productOf(asked.filter(size => size !== -1))
  if (known === 0)
    throw new ShapeError(`${name}: −1 in ${printShape(asked)} may be any size, since the others have no elements`, {
      fix: 'give the size in place of −1',
    })
  const quotient = decideQuotient(count, known, what)
  if (quotient !== null) return asked.map(size => (size === -1 ? quotient : size))
  throw new ShapeError(`${what()} (${count} / ${known})`, { fix: 'the sizes given must divide the number of elements' })
}

const reshaping = (name: 'reshape' | 'view', summary: string) =>
  view({
    name,
    summary,
    signature: 'self, ...shape: shape',
    shape: 'the shape asked for',
    note:
      name === 'view'
        ? 'Shares the memory of self; a layout that would need a copy is a ShapeError.'
        : 'A view where the layout of self allows it, else a copy.',
    errors: { ShapeError: 'when the number of elements differs, or more than one size is −1' },
    details: { shape: 'the sizes of the result, one by one or as a list; one may be −1: it follows from the others' },
    build: (b, node, { shape }) => reshapeTo(b, node, resolveShape(name, shapeOf(node), shape)),
    reference: (input, { shape }) => ({ ...input, shape: numbers(resolveShape(name, input.shape, shape)) }),
  })

type SizesAttrs = { readonly sizes: Shape }
const sizesOfResult = 'the sizes of the result, one by one or as a list; −1 keeps that of self'
const expandDetails = { sizes: sizesOfResult, shape: sizesOfResult }

const expansion = (name: 'expand' | 'broadcastTo') => ({
  name,
  summary: 'self with dims of size 1 repeated and leading dims added; −1 keeps a size.',
  shape: 'the shape asked for',
  details: expandDetails,
  errors: { ShapeError: 'when a size other than 1 changes, or there are fewer sizes than dims' },
  note: 'A view: the repeated elements share memory, so in-place ops on it throw.',
  build: (b: GraphBuilder, node: GraphNode, { sizes }: SizesAttrs) =>
    expandTo(b, node, expandedShape(name, shapeOf(node), sizes)),
  reference: (input: HostTensor, { sizes }: SizesAttrs) =>
    hostFrom(input.dtype, numbers(expandedShape(name, input.shape, sizes)), index => elementAt(input, index)),
})

const expand = view({ ...expansion('expand'), signature: 'self, ...sizes: shape' })

const broadcastTo = view({
  ...expansion('broadcastTo'),
  signature: 'self, ...shape: shape',
  call: ({ self, shape }) => viewCall(self, { sizes: shape }),
})

function expandedShape(name: string, from: Shape, asked: Shape): Shape {
  const lead = asked.length - from.length
  const what = (): string => `${name}: ${printShape(from)} does not broadcast to ${printShape(asked)}`
  if (lead < 0) throw new ShapeError(what(), { fix: `give at least ${from.length} sizes` })
  return asked.map((size, d) => {
    const own = from[d - lead]
    if (size === -1) {
      if (own === undefined)
        throw new ShapeError(`${name}: −1 for the new dim ${d} in ${printShape(asked)}`, {
          fix: 'give the size of a dim that is new',
        })
      return own
    }
    if (own === undefined || surelyEqual(own, size) || decideEqual(own, 1, what)) return size
    requireEqual(own, size, what, 'only dims of size 1 expand')
    return size
  })
}

type FlattenAttrs = { readonly startDim: number; readonly endDim: number }

function flattened(shape: Shape, { startDim, endDim }: FlattenAttrs): Shape {
  if (shape.length === 0) return [1]
  const [start, end] = [normalizeDim('flatten', startDim, shape.length), normalizeDim('flatten', endDim, shape.length)]
  if (start > end)
    throw new ShapeError(`flatten: startDim ${startDim} comes after endDim ${endDim}`, { fix: 'swap them' })
  return [...shape.slice(0, start), productOf(shape.slice(start, end + 1)), ...shape.slice(end + 1)]
}

const flatten = view({
  name: 'flatten',
  summary: 'self with the dims from startDim to endDim merged into one.',
  signature: 'self, startDim: dim = 0, endDim: dim = -1',
  shape: 'self with the sizes from startDim to endDim multiplied into one; [1] of a 0-d tensor',
  errors: { ShapeError: 'when startDim comes after endDim' },
  note: 'A view where the layout allows it, else a copy.',
  build: (b, node, attrs) => reshapeTo(b, node, flattened(shapeOf(node), attrs)),
  reference: (input, attrs) => ({ ...input, shape: numbers(flattened(input.shape, attrs)) }),
})

const ravel = view({
  name: 'ravel',
  summary: 'self flattened to one dim, in row-major order.',
  signature: 'self',
  shape: '[n], n the number of elements',
  note: 'A view where the layout allows it, else a copy.',
  build: (b, node) => reshapeTo(b, node, [productOf(shapeOf(node))]),
  reference: input => ({ ...input, shape: [input.data.length] }),
})

type SqueezeAttrs = { readonly dim: readonly number[] | null }

/** The number of dims is fixed at compile time, so whether a run-time size is 1 must be decided. */
function squeezed(shape: Shape, { dim: dims }: SqueezeAttrs): Shape {
  const chosen = dims?.map(dim => normalizeDim('squeeze', dim, shape.length))
  const what = (): string => `squeeze: ${printShape(shape)}`
  return shape.filter((size, d) => (chosen !== undefined && !chosen.includes(d)) || !decideEqual(size, 1, what))
}

const squeeze = view({
  name: 'squeeze',
  summary: 'self without its dims of size 1, or without the given ones where they have size 1.',
  signature: 'self, dim: dims | null = null',
  shape: 'the shape of self without those dims',
  details: { dim: 'which dims; by default all. Those of another size stay' },
  note: 'A view.',
  build: (b, node, attrs) => reshapeTo(b, node, squeezed(shapeOf(node), attrs)),
  reference: (input, attrs) => ({ ...input, shape: numbers(squeezed(input.shape, attrs)) }),
})

type DimAttrs = { readonly dim: number }

function unsqueezed(shape: Shape, { dim }: DimAttrs): Shape {
  const at = normalizeDim('unsqueeze', dim, shape.length + 1)
  return [...shape.slice(0, at), 1, ...shape.slice(at)]
}

const unsqueeze = view({
  name: 'unsqueeze',
  summary: 'self with a new dim of size 1 before dim.',
  signature: 'self, dim: dim',
  shape: 'the shape of self with a 1 at dim',
  details: { dim: 'the index of the new dim in the result; negative ones count from its end' },
  note: 'A view.',
  build: (b, node, attrs) => reshapeTo(b, node, unsqueezed(shapeOf(node), attrs)),
  reference: (input, attrs) => ({ ...input, shape: numbers(unsqueezed(input.shape, attrs)) }),
})

// --- order of dims -------------------------------------------------------------------------------------------------------

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
  signature: 'self, ...dims: ints',
  shape: '[self.shape[dims[0]], self.shape[dims[1]], …]',
  details: { dims: 'every dim once, in the new order' },
  errors: { ShapeError: 'when dims is no order of all dims' },
  note: 'A view.',
  build: (b, node, { dims }) => permuteTo(b, node, permutation(dims, rankOf(node))),
  reference: (input, { dims }) => hostPermute(input, permutation(dims, input.shape.length)),
})

type SwapAttrs = { readonly dim0: number; readonly dim1: number }

function swapped(name: string, rank: number, { dim0, dim1 }: SwapAttrs): readonly number[] {
  const [first, second] = [normalizeDim(name, dim0, rank), normalizeDim(name, dim1, rank)]
  return Array.from({ length: rank }, (_, d) => (d === first ? second : d === second ? first : d))
}

const transpose = view({
  name: 'transpose',
  summary: 'self with two dims swapped.',
  signature: 'self, dim0: dim, dim1: dim',
  shape: 'the shape of self with dim0 and dim1 swapped',
  note: 'A view.',
  build: (b, node, attrs) => permuteTo(b, node, swapped('transpose', rankOf(node), attrs)),
  reference: (input, attrs) => hostPermute(input, swapped('transpose', input.shape.length, attrs)),
})

function transposedDims(rank: number): readonly number[] {
  if (rank <= 2) return rank === 2 ? [1, 0] : swapped('t', rank, { dim0: 0, dim1: 0 })
  throw new ShapeError(`t: takes at most 2 dims, got ${rank}`, { fix: 'use transpose(dim0, dim1)' })
}

const t = view({
  name: 't',
  summary: 'The transpose of a matrix; tensors of fewer dims stay as they are.',
  signature: 'self',
  shape: '[N, M] of [M, N]',
  errors: { ShapeError: 'when self has more than two dims' },
  note: 'A view.',
  build: (b, node) => permuteTo(b, node, transposedDims(rankOf(node))),
  reference: input => hostPermute(input, transposedDims(input.shape.length)),
})

export const viewRecords = {
  reshape: reshaping(
    'reshape',
    'The same elements in row-major order in another shape; one size may be −1 and is inferred.',
  ),
  view: reshaping('view', 'As reshape, but never a copy: an error where one would be needed.'),
  expand,
  broadcastTo,
  flatten,
  ravel,
  squeeze,
  unsqueeze,
  permute,
  transpose,
  t,
  ...slicingRecords,
}

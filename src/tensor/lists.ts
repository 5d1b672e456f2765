/** Ops that give several tensors at once: cuts of a tensor, and grids. */
import { ArgumentError, ShapeError } from '../base/errors.js'
import { requireTensor } from './dispatch.js'
import { cat } from './functions.js'
import type { Tensor } from './tensor.js'

function wholeDim(name: string, tensor: Tensor, dim: number): number {
  const place = dim < 0 ? dim + tensor.ndim : dim
  if (Number.isInteger(dim) && place >= 0 && place < tensor.ndim) return place
  throw new ShapeError(`${name}: dim ${String(dim)} is out of range for ${tensor.ndim} dims`, {
    fix: `dims go from ${-tensor.ndim} to ${tensor.ndim - 1}`,
  })
}

/**
 * Parts of `size` elements along a dim (the last may be smaller), or of the sizes in a list, which must add up. Views.
 * Throws ShapeError or ArgumentError.
 */
export function split(input: Tensor, size: number | readonly number[], dim = 0): Tensor[] {
  const x = requireTensor('split', input, 'the input')
  const along = wholeDim('split', x, dim)
  const length = x.shape[along]!
  const sizes = typeof size === 'number' ? evenSizes('split', length, size) : size
  const total = sizes.reduce((a, b) => a + b, 0)
  if (total !== length || sizes.some(one => !Number.isInteger(one) || one < 0))
    throw new ShapeError(`split: sizes [${sizes.join(', ')}] add up to ${total}, dim ${along} has ${length} elements`, {
      fix: 'give natural numbers that add up to the size of the dim, or one size for all parts',
    })
  let start = 0
  return sizes.map(one => {
    const part = x.narrow(along, start, one)
    start += one
    return part
  })
}

function evenSizes(name: string, length: number, size: number): number[] {
  if (!Number.isInteger(size) || size < 1)
    throw new ArgumentError(`${name}: a part of ${String(size)} elements`, { fix: 'use an integer of at least 1' })
  const count = Math.max(1, Math.ceil(length / size))
  return Array.from({ length: count }, (_, i) => Math.min(size, length - i * size))
}

/** At most `chunks` parts of equal size along a dim, the last possibly smaller, as PyTorch cuts. Views. */
export function chunk(input: Tensor, chunks: number, dim = 0): Tensor[] {
  const x = requireTensor('chunk', input, 'the input')
  if (!Number.isInteger(chunks) || chunks < 1)
    throw new ArgumentError(`chunk: ${String(chunks)} chunks`, { fix: 'use an integer of at least 1' })
  const length = x.shape[wholeDim('chunk', x, dim)]!
  return length === 0
    ? Array.from({ length: chunks }, () => x.narrow(dim, 0, 0))
    : split(x, Math.ceil(length / chunks), dim)
}

/** The slices along a dim, without that dim. Views. */
export function unbind(input: Tensor, dim = 0): Tensor[] {
  const x = requireTensor('unbind', input, 'the input')
  const along = wholeDim('unbind', x, dim)
  return Array.from({ length: x.shape[along]! }, (_, i) => x.select(along, i))
}

/**
 * Parts along a dim: as many of nearly equal size (the first ones larger by 1), or cut before the given indices. Views.
 * Throws ShapeError or ArgumentError.
 */
export function tensorSplit(input: Tensor, indicesOrSections: number | readonly number[], dim = 0): Tensor[] {
  const x = requireTensor('tensorSplit', input, 'the input')
  const length = x.shape[wholeDim('tensorSplit', x, dim)]!
  const given = indicesOrSections
  if (typeof given === 'number') {
    if (!Number.isInteger(given) || given < 1)
      throw new ArgumentError(`tensorSplit: ${String(given)} sections`, { fix: 'use an integer of at least 1' })
    const sizes = Array.from({ length: given }, (_, i) => Math.floor(length / given) + Number(i < length % given))
    return split(x, sizes, dim)
  }
  const place = (index: number): number => Math.min(Math.max(index < 0 ? index + length : index, 0), length)
  const cuts = [0, ...given.map(place), length]
  return cuts.slice(1).map((end, i) => x.narrow(dim, cuts[i]!, Math.max(0, end - cuts[i]!)))
}

const atLeast = (name: string, tensors: readonly Tensor[], rank: number): Tensor[] =>
  tensors.map((one, i) => {
    const x = requireTensor(name, one, `tensor ${i}`)
    if (x.ndim >= rank) return x
    if (rank === 1) return x.reshape([1])
    const row = x.ndim === 2 ? x : x.reshape([1, -1])
    return rank === 2 ? row : row.unsqueeze(2)
  })

/** Side by side: along the first dim of vectors, the second of all others. */
export function hstack(tensors: readonly Tensor[]): Tensor {
  const all = atLeast('hstack', tensors, 1)
  return cat(all, all[0]?.ndim === 1 ? 0 : 1)
}

/** One below the other; vectors are rows. */
export const vstack = (tensors: readonly Tensor[]): Tensor => cat(atLeast('vstack', tensors, 2), 0)

/** Along the third dim; vectors are rows of [1, n, 1]. */
export const dstack = (tensors: readonly Tensor[]): Tensor => cat(atLeast('dstack', tensors, 3), 2)

/** Side by side; vectors are columns. */
export function columnStack(tensors: readonly Tensor[]): Tensor {
  const columns = tensors.map((one, i) => {
    const x = requireTensor('columnStack', one, `tensor ${i}`)
    return x.ndim < 2 ? x.reshape([-1, 1]) : x
  })
  return cat(columns, 1)
}

/**
 * Grids of coordinates: for vectors of lengths n, m, … as many tensors of shape [n, m, …], each varying along its dim;
 * `indexing: 'xy'` exchanges the first two dims. Throws ArgumentError unless all are vectors or 0-d.
 */
export function meshgrid(vectors: readonly Tensor[], options: { readonly indexing?: 'ij' | 'xy' } = {}): Tensor[] {
  const { indexing = 'ij' } = options
  if (indexing !== 'ij' && indexing !== 'xy')
    throw new ArgumentError(`meshgrid: indexing '${String(indexing)}'`, { fix: "use 'ij' or 'xy'" })
  const lines = vectors.map((one, i) => {
    const x = requireTensor('meshgrid', one, `tensor ${i}`)
    if (x.ndim > 1) throw new ShapeError(`meshgrid: tensor ${i} is ${x.describe()}, not a vector`)
    return x.reshape([-1])
  })
  const swap = indexing === 'xy' && lines.length > 1
  const ordered = swap ? [lines[1]!, lines[0]!, ...lines.slice(2)] : lines
  const shape = ordered.map(line => line.shape[0]!)
  const grids = ordered.map((line, d) => line.reshape(shape.map((size, e) => (e === d ? size : 1))).expand(shape))
  return swap ? [grids[1]!, grids[0]!, ...grids.slice(2)] : grids
}

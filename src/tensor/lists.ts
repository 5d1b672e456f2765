/** Ops that give several tensors at once: cuts of a tensor, and grids. */
import { ArgumentError, inCall, ShapeError } from '../base/errors.js'
import type { Callee } from '../graph/bind.js'
import { records } from '../graph/ops/index.js'
import { decideAtLeast } from '../graph/sizes.js'
import { addSizes, ceilDivSizes, floorDivSizes, type Size, SizeExpr, subSizes } from '../scalar/size.js'
import { signature, takeArguments } from './arguments.js'
import { applyOp, withSizes } from './dispatch.js'
import { cat } from './functions.js'
import type { Tensor } from './tensor-type.js'

interface DimOption {
  readonly dim?: number | undefined
}

/** Where `hsplit`, `vsplit` and `dsplit` cut, by name. */
export interface Sections {
  /** How many parts, or where they begin. */
  readonly indicesOrSections: number | readonly number[]
}

/** Called as a function. */
const asFunction = (name: string): Callee => ({ name, isMethod: false })

function wholeDim(name: string, tensor: Tensor, dim: number): number {
  const place = dim < 0 ? dim + tensor.ndim : dim
  if (place >= 0 && place < tensor.ndim) return place
  throw new ShapeError(`${name}: dim ${dim} is out of range for ${tensor.ndim} dims`, {
    fix: tensor.ndim === 0 ? 'a 0-d tensor has no dims' : `dims go from ${-tensor.ndim} to ${tensor.ndim - 1}`,
  })
}

// --- cuts --------------------------------------------------------------------------------------------------------------

const splitSignature = signature('self, splitSize: positive | sizes, dim: dim = 0')

/** `args`: the tensor first, for the method as for the function. */
export function splitCall(callee: Callee, args: readonly unknown[]): Tensor[] {
  const { self, splitSize, dim } = takeArguments(callee, splitSignature, args)
  const along = wholeDim('split', self, dim)
  if (typeof splitSize === 'number') return partsOf(self, along, evenSizes('split', self.sizes[along]!, splitSize))
  const length = self.shape[along]!
  const sizes = splitSize.map(size => {
    if (!(size instanceof SizeExpr)) return size
    throw new ArgumentError('split: a size is known only when the compiled function runs', {
      fix: 'give the sizes as numbers, or take the part with narrow(dim, start, length)',
    })
  })
  const total = sizes.reduce((a, b) => a + b, 0)
  if (total !== length)
    throw new ShapeError(`split: sizes [${sizes.join(', ')}] add up to ${total}, dim ${along} has ${length} elements`, {
      fix: 'give natural numbers that add up to the size of the dim, or one size for all parts',
    })
  return partsOf(self, along, sizes)
}

/**
 * Parts along a dim. Views.
 *
 * @param input the tensor, of at least one dim
 * @param splitSize elements per part (the last may be smaller), or a list of sizes, which must add up to the dim's
 * @param dim 0 by default; negative ones count from the end
 * @returns a list of tensors of the shape of `input` but for `dim`
 * @throws ArgumentError for a size of 0, or one that is known only at run time
 * @throws ShapeError when sizes do not add up, or dim is out of range
 */
export function split(input: Tensor, splitSize: number | readonly number[], dim?: number): Tensor[]
export function split(
  ...args:
    | [input: Tensor, splitSize: number | readonly number[], options?: DimOption]
    | [input: Tensor, options: DimOption & { readonly splitSize: number | readonly number[] }]
): Tensor[]
export function split(...args: readonly unknown[]): Tensor[] {
  return splitCall(asFunction('split'), args)
}

/** Views of the given sizes, one after the other. */
function partsOf(x: Tensor, along: number, sizes: readonly Size[]): Tensor[] {
  let start: Size = 0
  return sizes.map(size => {
    const part = applyOp(records.narrow, [x, along, start, size])[0]!
    start = addSizes(start, size)
    return part
  })
}

/** Chunks of `size`; the last one may be smaller. */
function evenSizes(name: string, length: Size, size: Size): Size[] {
  const what = (): string => `${name}: how many parts of ${size} make ${length}`
  const sizes: Size[] = []
  let rest = length
  while (withSizes(() => decideAtLeast(rest, addSizes(size, 1), what))) {
    sizes.push(size)
    rest = subSizes(rest, size)
  }
  return [...sizes, rest]
}

const chunkSignature = signature('self, chunks: positive, dim: dim = 0')

export function chunkCall(callee: Callee, args: readonly unknown[]): Tensor[] {
  const { self, chunks, dim } = takeArguments(callee, chunkSignature, args)
  const along = wholeDim('chunk', self, dim)
  const length = self.sizes[along]!
  const sizes =
    length === 0 ? new Array<number>(chunks).fill(0) : evenSizes('chunk', length, ceilDivSizes(length, chunks))
  return partsOf(self, along, sizes)
}

/**
 * At most `chunks` parts of equal size along a dim, the last possibly smaller, as PyTorch cuts. Views.
 *
 * @param input the tensor, of at least one dim
 * @param chunks how many, at least 1
 * @param dim 0 by default; negative ones count from the end
 * @returns a list of tensors of the shape of `input` but for `dim`
 * @throws ArgumentError for chunks below 1
 * @throws ShapeError when dim is out of range
 */
export function chunk(input: Tensor, chunks: number, dim?: number): Tensor[]
export function chunk(
  ...args:
    | [input: Tensor, chunks: number, options?: DimOption]
    | [input: Tensor, options: DimOption & { readonly chunks: number }]
): Tensor[]
export function chunk(...args: readonly unknown[]): Tensor[] {
  return chunkCall(asFunction('chunk'), args)
}

const unbindSignature = signature('self, dim: dim = 0')

export function unbindCall(callee: Callee, args: readonly unknown[]): Tensor[] {
  const { self, dim } = takeArguments(callee, unbindSignature, args)
  const along = wholeDim('unbind', self, dim)
  return Array.from({ length: self.shape[along]! }, (_, i) => self.select(along, i))
}

/**
 * The slices along a dim. Views.
 *
 * @param input the tensor, of at least one dim
 * @param dim 0 by default; negative ones count from the end
 * @returns a list of tensors of the shape of `input` without `dim`
 * @throws ShapeError when dim is out of range
 */
export function unbind(input: Tensor, dim?: number | DimOption): Tensor[]
export function unbind(...args: readonly unknown[]): Tensor[] {
  return unbindCall(asFunction('unbind'), args)
}

const tensorSplitSignature = signature('self, indicesOrSections: positive | ints, dim: dim = 0')

/**
 * Parts along a dim: as many of nearly equal size (the first ones larger by 1), or cut before the given indices. Views.
 *
 * @param input the tensor, of at least one dim
 * @param indicesOrSections how many parts, or where they begin (negative ones count from the end)
 * @param dim 0 by default; negative ones count from the end
 * @returns a list of tensors of the shape of `input` but for `dim`
 * @throws ArgumentError for a count below 1
 * @throws ShapeError when dim is out of range
 */
export function tensorSplit(input: Tensor, indicesOrSections: number | readonly number[], dim?: number): Tensor[]
export function tensorSplit(
  ...args:
    | [input: Tensor, indicesOrSections: number | readonly number[], options?: DimOption]
    | [input: Tensor, options: DimOption & { readonly indicesOrSections: number | readonly number[] }]
): Tensor[]
export function tensorSplit(...args: readonly unknown[]): Tensor[] {
  return tensorSplitCall(asFunction('tensorSplit'), args)
}

export function tensorSplitCall(callee: Callee, args: readonly unknown[]): Tensor[] {
  const { self, indicesOrSections, dim } = takeArguments(callee, tensorSplitSignature, args)
  return cutParts(self, wholeDim('tensorSplit', self, dim), indicesOrSections)
}

/** The parts of tensorSplit: that many of nearly equal size, or those between the given positions. */
function cutParts(x: Tensor, along: number, given: number | readonly number[]): Tensor[] {
  if (typeof given === 'number') {
    const size = x.sizes[along]!
    return partsOf(
      x,
      along,
      Array.from({ length: given }, (_, i) => floorDivSizes(addSizes(size, given - 1 - i), given)),
    )
  }
  const length = x.shape[along]!
  const place = (index: number): number => Math.min(Math.max(index < 0 ? index + length : index, 0), length)
  const cuts = [0, ...given.map(place), length]
  return cuts.slice(1).map((end, i) => x.narrow(along, cuts[i]!, Math.max(0, end - cuts[i]!)))
}

const stackSplitSignature = signature('self, indicesOrSections: positive | ints')
const stackSplitRank = { hsplit: 1, vsplit: 2, dsplit: 3 } as const

/** `hsplit`, `vsplit` and `dsplit`: what they cut is put together again by `hstack`, `vstack` and `dstack`. */
export function stackSplitCall(
  name: keyof typeof stackSplitRank,
  isMethod: boolean,
  args: readonly unknown[],
): Tensor[] {
  const { self: x, indicesOrSections: given } = takeArguments({ name, isMethod }, stackSplitSignature, args)
  const least = stackSplitRank[name]
  if (x.ndim < least)
    throw new ShapeError(`${name}: ${x.describe()} has fewer than ${least} ${least === 1 ? 'dim' : 'dims'}`, {
      fix: 'use tensorSplit(indicesOrSections, dim)',
    })
  const along = name === 'hsplit' ? Math.min(x.ndim - 1, 1) : least === 2 ? 0 : 2
  if (typeof given === 'number' && x.shape[along]! % given !== 0)
    throw new ShapeError(`${name}: dim ${along} of ${x.describe()} does not divide into ${given} equal parts`, {
      fix: 'use tensorSplit(indicesOrSections, dim), whose parts may differ by one',
    })
  return cutParts(x, along, given)
}

/**
 * Equal parts along the second dim (of a vector along its only one), or cut before the given indices. Views.
 *
 * @param input at least 1-D
 * @param indicesOrSections how many parts, or where they begin (negative ones count from the end)
 * @throws ArgumentError for a count below 1
 * @throws ShapeError for 0-d tensors, and when a count does not divide the size
 */
export function hsplit(input: Tensor, indicesOrSections: number | readonly number[] | Sections): Tensor[]
export function hsplit(...args: readonly unknown[]): Tensor[] {
  return stackSplitCall('hsplit', false, args)
}

/**
 * Equal parts along the first dim, or cut before the given indices. Views.
 *
 * @param input at least 2-D
 * @param indicesOrSections how many parts, or where they begin (negative ones count from the end)
 * @throws ArgumentError for a count below 1
 * @throws ShapeError for fewer than 2 dims, and when a count does not divide the size
 */
export function vsplit(input: Tensor, indicesOrSections: number | readonly number[] | Sections): Tensor[]
export function vsplit(...args: readonly unknown[]): Tensor[] {
  return stackSplitCall('vsplit', false, args)
}

/**
 * Equal parts along the third dim, or cut before the given indices. Views.
 *
 * @param input at least 3-D
 * @param indicesOrSections how many parts, or where they begin (negative ones count from the end)
 * @throws ArgumentError for a count below 1
 * @throws ShapeError for fewer than 3 dims, and when a count does not divide the size
 */
export function dsplit(input: Tensor, indicesOrSections: number | readonly number[] | Sections): Tensor[]
export function dsplit(...args: readonly unknown[]): Tensor[] {
  return stackSplitCall('dsplit', false, args)
}

// --- stacks ------------------------------------------------------------------------------------------------------------

const stackSignature = signature('tensors: tensors')

/** The tensors with at least `rank` dims. Throws ArgumentError for an empty list. */
function atLeast(name: string, args: readonly unknown[], rank: number): Tensor[] {
  const { tensors } = takeArguments(name, stackSignature, args)
  if (tensors.length === 0) throw new ArgumentError(`${name}: the list is empty`, { fix: 'give at least one tensor' })
  return tensors.map(x => {
    if (x.ndim >= rank) return x
    if (rank === 1) return x.reshape([1])
    const row = x.ndim === 2 ? x : x.reshape([1, -1])
    return rank === 2 ? row : row.unsqueeze(2)
  })
}

interface Listed {
  readonly tensors: readonly Tensor[]
}

/**
 * Side by side: along the first dim of vectors, the second of all others.
 *
 * @param tensors at least one; equal in the other dims
 * @returns as `cat` gives; 0-d tensors count as [1]; the promoted dtype
 * @throws ArgumentError for an empty list
 * @throws ShapeError when the shapes do not fit
 */
export function hstack(tensors: readonly Tensor[] | Listed): Tensor
export function hstack(...args: readonly unknown[]): Tensor {
  const all = atLeast('hstack', args, 1)
  return inCall('hstack', () => cat(all, all[0]!.ndim === 1 ? 0 : 1))
}

/**
 * One below the other: along the first dim; vectors are rows.
 *
 * @param tensors at least one; equal in the other dims
 * @returns as `cat` gives; 0-d tensors and vectors count as [1, n]; the promoted dtype
 * @throws ArgumentError for an empty list
 * @throws ShapeError when the shapes do not fit
 */
export function vstack(tensors: readonly Tensor[] | Listed): Tensor
export function vstack(...args: readonly unknown[]): Tensor {
  return inCall('vstack', () => cat(atLeast('vstack', args, 2), 0))
}

/**
 * Along the third dim.
 *
 * @param tensors at least one; equal in the other dims
 * @returns as `cat` gives; vectors count as [1, n, 1], matrices as [n, m, 1]; the promoted dtype
 * @throws ArgumentError for an empty list
 * @throws ShapeError when the shapes do not fit
 */
export function dstack(tensors: readonly Tensor[] | Listed): Tensor
export function dstack(...args: readonly unknown[]): Tensor {
  return inCall('dstack', () => cat(atLeast('dstack', args, 3), 2))
}

/**
 * Side by side: along the second dim; vectors are columns.
 *
 * @param tensors at least one; equal in the other dims
 * @returns as `cat` gives; 0-d tensors and vectors count as [n, 1]; the promoted dtype
 * @throws ArgumentError for an empty list
 * @throws ShapeError when the shapes do not fit
 */
export function columnStack(tensors: readonly Tensor[] | Listed): Tensor
export function columnStack(...args: readonly unknown[]): Tensor {
  const columns = atLeast('columnStack', args, 0).map(x => (x.ndim < 2 ? x.reshape([-1, 1]) : x))
  return inCall('columnStack', () => cat(columns, 1))
}

// --- grids -------------------------------------------------------------------------------------------------------------

const gridSignature = signature("...tensors: tensors, *, indexing: 'ij' | 'xy' = 'ij'")

/**
 * Grids of coordinates: each varies along its own dim.
 *
 * @param tensors vectors of n, m, … elements or 0-d tensors, in a list or one by one
 * @param options `indexing`: 'ij' by default; 'xy' exchanges the first two dims
 * @returns as many tensors of shape [n, m, …]; views
 * @throws ArgumentError for what is no tensor
 * @throws ShapeError unless all are vectors or 0-d
 */
export function meshgrid(
  tensors: readonly Tensor[],
  options?: { readonly indexing?: 'ij' | 'xy' | undefined },
): Tensor[]
export function meshgrid(...tensors: readonly Tensor[]): Tensor[]
export function meshgrid(options: Listed & { readonly indexing?: 'ij' | 'xy' | undefined }): Tensor[]
export function meshgrid(...args: readonly unknown[]): Tensor[] {
  const { tensors, indexing } = takeArguments('meshgrid', gridSignature, args)
  const lines = tensors.map((x, i) => {
    if (x.ndim > 1)
      throw new ShapeError(`meshgrid: tensor ${i} is ${x.describe()}, not a vector`, { fix: 'x.reshape([-1])' })
    return x.reshape([-1])
  })
  const swap = indexing === 'xy' && lines.length > 1
  const ordered = swap ? [lines[1]!, lines[0]!, ...lines.slice(2)] : lines
  const shape = ordered.map(line => line.shape[0]!)
  const grids = ordered.map((line, d) => line.reshape(shape.map((size, e) => (e === d ? size : 1))).expand(shape))
  return swap ? [grids[1]!, grids[0]!, ...grids.slice(2)] : grids
}

/**
 * Tensors made of lists of tensors or of index patterns: Cartesian products, combinations, block diagonals, triangle
 * indices.
 */
import { ArgumentError, ShapeError } from '../base/errors.js'
import type { TensorDtype } from '../types/dtype.js'
import { signature, takeArguments } from './arguments.js'
import { zeros } from './create.js'
import { cat, stack } from './functions.js'
import { tensor as makeTensor } from './host-data.js'
import { meshgrid } from './lists.js'
import type { Tensor } from './tensor.js'

interface Listed {
  readonly tensors: readonly Tensor[]
}
const listSignature = signature('...tensors: tensors')

function listOf(name: string, args: readonly unknown[]): readonly Tensor[] {
  const { tensors } = takeArguments(name, listSignature, args)
  if (tensors.length === 0) throw new ArgumentError(`${name}: the list is empty`, { fix: 'give at least one tensor' })
  return tensors
}

// --- lists ---------------------------------------------------------------------------------------------------------------

/**
 * All combinations of an element of each vector, as rows: [n · m · …, vectors]; of a single vector itself.
 *
 * @param tensors vectors of one dtype, in a list or one by one
 * @throws ArgumentError, ShapeError unless all are vectors
 */
export function cartesianProd(tensors: readonly Tensor[] | Listed): Tensor
export function cartesianProd(...tensors: readonly Tensor[]): Tensor
export function cartesianProd(...args: readonly unknown[]): Tensor {
  const tensors = listOf('cartesianProd', args)
  for (const [i, x] of tensors.entries())
    if (x.ndim !== 1)
      throw new ShapeError(`cartesianProd: tensor ${i} is ${x.describe()}, not a vector`, { fix: 'x.reshape([-1])' })
  if (tensors.length === 1) return tensors[0]!
  return stack(
    meshgrid(tensors).map(grid => grid.reshape([-1])),
    1,
  )
}

/**
 * A matrix with the tensors along its diagonal and 0 elsewhere; vectors are rows, numbers matrices of one element.
 *
 * @param tensors at most 2-D, in a list or one by one
 * @throws ArgumentError, ShapeError for tensors of more than two dims
 */
export function blockDiag(tensors: readonly Tensor[] | Listed): Tensor
export function blockDiag(...tensors: readonly Tensor[]): Tensor
export function blockDiag(...args: readonly unknown[]): Tensor {
  const blocks = listOf('blockDiag', args).map((x, i) => {
    if (x.ndim <= 2) return x.ndim === 2 ? x : x.reshape([1, -1])
    throw new ShapeError(`blockDiag: tensor ${i} is ${x.describe()}, of more than two dims`, { fix: 'give matrices' })
  })
  const width = blocks.reduce((sum, block) => sum + block.shape[1]!, 0)
  let start = 0
  const rows = blocks.map(block => {
    const end = start + block.shape[1]!
    const row = block.pad([start, width - end])
    start = end
    return row
  })
  return cat(rows, 0)
}

// --- positions --------------------------------------------------------------------------------------------------------------

const combinationsSignature = signature('self, r: count = 2, withReplacement: bool = false')

function choicesOf(count: number, r: number, repeats: boolean): number[][] {
  if (r === 0) return [[]]
  return choicesOf(count, r - 1, repeats).flatMap(chosen => {
    const first = chosen.length === 0 ? 0 : chosen.at(-1)! + (repeats ? 0 : 1)
    return Array.from({ length: Math.max(0, count - first) }, (_, i) => [...chosen, first + i])
  })
}

/**
 * All choices of r elements of a vector in its order, as rows: [choices, r].
 *
 * @param r how many are chosen; 2 by default
 * @param withReplacement whether one element may be chosen again; false by default
 * @throws ArgumentError, ShapeError unless `input` is a vector
 */
export function combinations(input: Tensor, r?: number, withReplacement?: boolean): Tensor
export function combinations(
  ...args:
    | [input: Tensor, options?: { readonly r?: number | undefined; readonly withReplacement?: boolean | undefined }]
    | [input: Tensor, r: number | undefined, options?: { readonly withReplacement?: boolean | undefined }]
): Tensor
export function combinations(...args: readonly unknown[]): Tensor {
  const { self, r, withReplacement } = takeArguments('combinations', combinationsSignature, args)
  if (self.ndim !== 1) throw new ShapeError(`combinations: ${self.describe()} is no vector`, { fix: 'x.reshape([-1])' })
  const choices = choicesOf(self.shape[0]!, r, withReplacement)
  if (r === 0 || choices.length === 0)
    return zeros([r === 0 ? 0 : choices.length, r], { dtype: self.dtype as TensorDtype })
  return self.indexSelect(0, makeTensor(choices.flat(), { dtype: 'i64' })).reshape([choices.length, r])
}

/** Options of `trilIndices` and `triuIndices`. */
export interface TriangleOptions {
  /** Of the diagonal at the triangle's edge; 0 by default, positive ones are to the right. */
  readonly offset?: number | undefined
  /** 'i64' by default. */
  readonly dtype?: TensorDtype | undefined
}

const triangleSignature = signature('row: count, col: count, offset: int = 0, *, dtype: dtype | null = null')

/** The positions in a row × col matrix whose distance from the diagonal (column − row − offset) `isIn` accepts. */
function triangle(name: string, args: readonly unknown[], isIn: (distance: number) => boolean): Tensor {
  const { row, col, offset, dtype } = takeArguments(name, triangleSignature, args)
  const positions: (readonly [number, number])[] = []
  for (let i = 0; i < row; i++) for (let j = 0; j < col; j++) if (isIn(j - i - offset)) positions.push([i, j])
  const flat = [0, 1].flatMap(side => positions.map(position => position[side]!))
  return makeTensor(flat, { dtype: (dtype as TensorDtype | null) ?? 'i64' }).reshape([2, positions.length])
}

/**
 * The positions of a [row, col] matrix on and below a diagonal, row by row: [2, positions], rows first.
 *
 * @param row how many rows
 * @param col how many columns
 * @param offset which diagonal: 0 (the default) the main one, positive above it, negative below
 * @throws ArgumentError
 */
export function trilIndices(row: number, col: number, offset?: number | TriangleOptions): Tensor
export function trilIndices(row: number, col: number, offset: number, options: Pick<TriangleOptions, 'dtype'>): Tensor
export function trilIndices(...args: readonly unknown[]): Tensor {
  return triangle('trilIndices', args, distance => distance <= 0)
}

/**
 * The positions of a [row, col] matrix on and above a diagonal, row by row: [2, positions], rows first.
 *
 * @param row how many rows
 * @param col how many columns
 * @param offset which diagonal: 0 (the default) the main one, positive above it, negative below
 * @throws ArgumentError
 */
export function triuIndices(row: number, col: number, offset?: number | TriangleOptions): Tensor
export function triuIndices(row: number, col: number, offset: number, options: Pick<TriangleOptions, 'dtype'>): Tensor
export function triuIndices(...args: readonly unknown[]): Tensor {
  return triangle('triuIndices', args, distance => distance >= 0)
}

// --- at least so many dims -------------------------------------------------------------------------------------------------

const oneOrMore = signature('tensors: tensor | tensors')

function atLeastDims(name: string, args: readonly unknown[], widen: (x: Tensor) => Tensor): Tensor | Tensor[] {
  const { tensors } = takeArguments(name, oneOrMore, args)
  return Array.isArray(tensors) ? (tensors as readonly Tensor[]).map(widen) : widen(tensors as unknown as Tensor)
}

/** The tensor, or each of a list (`tensors`), with at least one dim: a number is a vector of one element. */
export function atleast1d(tensors: Tensor): Tensor
export function atleast1d(tensors: readonly Tensor[]): Tensor[]
export function atleast1d(...args: readonly unknown[]): Tensor | Tensor[] {
  return atLeastDims('atleast1d', args, x => (x.ndim === 0 ? x.reshape([1]) : x))
}

const asRow = (x: Tensor): Tensor => (x.ndim < 2 ? x.reshape([1, -1]) : x)

/** The tensor, or each of a list (`tensors`), with at least two dims: vectors are rows. */
export function atleast2d(tensors: Tensor): Tensor
export function atleast2d(tensors: readonly Tensor[]): Tensor[]
export function atleast2d(...args: readonly unknown[]): Tensor | Tensor[] {
  return atLeastDims('atleast2d', args, asRow)
}

/** The tensor, or each of a list (`tensors`), with at least three dims: vectors are [1, n, 1], matrices [m, n, 1]. */
export function atleast3d(tensors: Tensor): Tensor
export function atleast3d(tensors: readonly Tensor[]): Tensor[]
export function atleast3d(...args: readonly unknown[]): Tensor | Tensor[] {
  return atLeastDims('atleast3d', args, x => (x.ndim < 3 ? asRow(x).unsqueeze(2) : x))
}

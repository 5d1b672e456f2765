/** `torch.linalg`'s norms of vectors and matrices. */
import { ArgumentError, DtypeError, ShapeError } from '../base/errors.js'
import { isFloat, type TensorDtype } from '../types/dtype.js'
import { signature, takeArguments } from './arguments.js'
import { vectorNorm } from './functions.js'
import type { Tensor } from './tensor.js'

/** A number is the power of a vector's norm; of a matrix 1 and ±Infinity are the sums of columns and of rows. */
export type NormOrder = number | 'fro' | 'nuc'

interface Kept {
  /** Keep the reduced dims, with size 1. Default false. */
  readonly keepdim?: boolean | undefined
  /** The float dtype that the input is cast to first. Default: its own. */
  readonly dtype?: TensorDtype | null | undefined
}
/** Options of `linalg.norm`. */
export interface NormOptions extends Kept {
  /** Which norm; by default the root of the sum of squares. */
  readonly ord?: NormOrder | null | undefined
  /** One dim for vectors, two for matrices; all by default. */
  readonly dim?: number | readonly number[] | null | undefined
}
/** Options of `linalg.matrixNorm`. */
export interface MatrixNormOptions extends Kept {
  /** Which norm; 'fro' by default. */
  readonly ord?: NormOrder | undefined
  /** The dims of rows and columns; the last two by default. */
  readonly dim?: readonly number[] | undefined
}

interface Matrix {
  readonly ord: NormOrder
  readonly dims: readonly number[]
  readonly keepdim: boolean
  readonly dtype: TensorDtype | null
}

/** Sums of sizes along one dim, of which the largest (smallest) along the other. */
function foldedSums(x: Tensor, [rows, columns]: readonly [number, number], ord: number, keepdim: boolean): Tensor {
  const [summed, left] = Math.abs(ord) === 1 ? [rows, columns] : [columns, rows]
  const sums = x.abs().sum(summed, true)
  // The largest of no sums is 0.
  const isNothing = ord > 0 && x.sizes[left] === 0
  const found = isNothing ? sums.sum(left, true) : ord > 0 ? sums.amax(left, true) : sums.amin(left, true)
  return keepdim ? found : found.squeeze([rows, columns])
}

/** A norm of matrices over two dims. Throws ArgumentError for orders that need singular values. */
function matrixNormOf(name: string, given: Tensor, { ord, dims, keepdim, dtype }: Matrix): Tensor {
  if (ord === 'nuc' || ord === 2 || ord === -2)
    throw new ArgumentError(`${name}: ord ${ord} of a matrix is made of its singular values, which are not supported`, {
      fix: "use ord 'fro', 1, -1, Infinity or -Infinity",
    })
  if (ord === 'fro') return vectorNorm(given, 2, [...dims], keepdim, { dtype })
  if (Math.abs(ord) !== 1 && Math.abs(ord) !== Number.POSITIVE_INFINITY)
    throw new ArgumentError(`${name}: ord ${ord} is no norm of matrices`, {
      fix: "use 'fro', 1, -1, Infinity or -Infinity",
    })
  const [rows, columns] = dims.map(dim => (dim < 0 ? dim + given.ndim : dim)) as [number, number]
  if (dims.length !== 2 || rows === columns || ![rows, columns].every(dim => dim >= 0 && dim < given.ndim))
    throw new ShapeError(`${name}: dims [${dims.join(', ')}] of a tensor of ${given.ndim} dims are no matrix`, {
      fix: 'give two different dims',
    })
  const x = dtype === null ? given : given.to(dtype)
  if (!isFloat(x.dtype))
    throw new DtypeError(`${name}: needs floats, got ${x.dtype}`, { fix: "cast first: x.to('f32')" })
  // Sums are rounded once, at the end.
  const isNarrow = x.dtype === 'f16' || x.dtype === 'bf16'
  const found = foldedSums(isNarrow ? x.to('f32') : x, [rows, columns], ord, keepdim)
  return isNarrow ? found.to(x.dtype as TensorDtype) : found
}

const matrixSignature = signature(
  "self, ord: number | 'fro' | 'nuc' = 'fro', dim: ints = [-2,-1], keepdim: bool = false, *, dtype: dtype | null = null",
)

/**
 * The norms of matrices [*, M, N] of floats: [*]. As `torch.linalg.matrix_norm`, but for what needs singular values.
 *
 * @param ord 'fro' (the default): the root of the sum of squares; 1 (−1): the largest (smallest) sum of sizes of a column;
 *   Infinity (−Infinity): of a row
 * @param dim the dims of rows and columns; the last two by default
 * @param keepdim keep both dims, with size 1
 * @param options `dtype`: `input` is cast to it first
 * @throws ArgumentError also for ord 2, −2 and 'nuc', which are not supported; ShapeError, DtypeError
 */
export function matrixNorm(
  input: Tensor,
  ord?: NormOrder,
  dim?: readonly number[],
  keepdim?: boolean,
  options?: Pick<Kept, 'dtype'>,
): Tensor
export function matrixNorm(
  ...args:
    | [input: Tensor, options?: MatrixNormOptions]
    | [input: Tensor, ord: NormOrder | undefined, options?: Omit<MatrixNormOptions, 'ord'>]
): Tensor
export function matrixNorm(...args: readonly unknown[]): Tensor {
  const { self, ord, dim, keepdim, dtype } = takeArguments('matrixNorm', matrixSignature, args)
  if (self.ndim < 2)
    throw new ShapeError(`matrixNorm: ${self.describe()} is no matrix`, { fix: 'vectorNorm is for vectors' })
  return matrixNormOf('matrixNorm', self, { ord, dims: dim, keepdim, dtype: dtype as TensorDtype | null })
}

const normSignature = signature(
  "self, ord: number | 'fro' | 'nuc' | null = null, dim: dims | null = null, keepdim: bool = false, *, dtype: dtype | null = null",
)

/**
 * The norm of vectors (one dim) or matrices (two dims) of floats. As `torch.linalg.norm`, but for what needs singular values.
 *
 * @param ord null (the default): the root of the sum of squares; of vectors the power, see `vectorNorm`; of matrices see `matrixNorm`
 * @param dim one dim or two; without it all of a vector or matrix, and without ord of any tensor
 * @param keepdim keep the dims, with size 1
 * @param options `dtype`: `input` is cast to it first
 * @throws ArgumentError also for ord 2, −2 and 'nuc' of matrices, which are not supported; ShapeError, DtypeError
 */
export function norm(
  input: Tensor,
  ord?: NormOrder | null,
  dim?: number | readonly number[] | null,
  keepdim?: boolean,
  options?: Pick<Kept, 'dtype'>,
): Tensor
export function norm(
  ...args:
    | [input: Tensor, options?: NormOptions]
    | [input: Tensor, ord: NormOrder | null | undefined, options?: Omit<NormOptions, 'ord'>]
): Tensor
export function norm(...args: readonly unknown[]): Tensor {
  const { self, ord, dim, keepdim, dtype: asked } = takeArguments('norm', normSignature, args)
  const dtype = asked as TensorDtype | null
  if (ord === null) return vectorNorm(self, 2, dim, keepdim, { dtype })
  if (dim === null && self.ndim !== 1 && self.ndim !== 2)
    throw new ShapeError(`norm: ${self.describe()} is neither a vector nor a matrix`, {
      fix: 'give dim, or leave ord out for all elements',
    })
  const count = dim?.length ?? self.ndim
  if (count === 2) return matrixNormOf('norm', self, { ord, dims: dim ?? [0, 1], keepdim, dtype })
  if (typeof ord !== 'number')
    throw new ArgumentError(`norm: ord '${ord}' is a norm of matrices, not of ${count} dims`, {
      fix: 'give a number, or two dims',
    })
  return vectorNorm(self, ord, dim, keepdim, { dtype })
}

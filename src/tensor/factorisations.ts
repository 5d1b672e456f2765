/**
 * What follows from eliminating rows of square matrices: solutions, inverses, determinants; and Cholesky's factor. For matrices of
 * up to some hundred rows: each is a loop over rows (`scan`), whose steps update the whole batch. Gradients are formulas of the results.
 */
import { ArgumentError, DtypeError, ShapeError } from '../base/errors.js'
import { broadcastShapes, surelyEqual } from '../graph/sizes.js'
import type { TensorDtype } from '../types/dtype.js'
import { signature, takeArguments } from './arguments.js'
import { customGradient } from './autograd/custom.js'
import { scan } from './control.js'
import { arange, eye, ones, zeros, zerosLike } from './create.js'
import { cat, where } from './functions.js'
import type { SizeLike } from './parameters.js'
import type { Tensor } from './tensor.js'
import { currentTracer } from './tracer.js'

/** The sign (−1, 0 or 1) and the natural logarithm of the magnitude of determinants. */
export interface SignedLogDet {
  /** 0 for a singular matrix. */
  readonly sign: Tensor
  /** −∞ for a singular matrix. */
  readonly logabsdet: Tensor
}

function requireSquare(name: string, a: Tensor): number {
  if (a.dtype !== 'f32' && a.dtype !== 'f64')
    throw new DtypeError(`${name}: takes f32 and f64, got ${a.describe()}`, { fix: "cast it: a.to('f32')" })
  const [rows, columns] = a.ndim < 2 ? [] : [a.size(-2), a.size(-1)]
  if (rows === undefined || rows !== columns)
    throw new ShapeError(`${name}: ${a.describe()} is not square in its last two dims`, {
      fix: 'give a matrix, or a batch of matrices [*, n, n]',
    })
  return rows
}

/** Whether a condition holds somewhere, found out by reading it; in a compiled function, which has no values, false. */
const anywhere = (condition: Tensor): boolean =>
  currentTracer() === null && condition.numel() > 0 && condition.any().itemSync() !== 0

/** The sizes before the last two dims, as tensors are made with them: compiled code takes them anew at each call. */
const batchOf = (a: Tensor): readonly SizeLike[] =>
  Array.from({ length: a.ndim - 2 }, (_, d) => (typeof a.sizes[d] === 'number' ? a.sizes[d] : a.dim(d)))

/** Whether a dim of two tensors has the same size, which is read only where the symbols do not tell. */
const isSameSize = (a: Tensor, b: Tensor, dim: number): boolean =>
  surelyEqual(a.sizes[dim]!, b.sizes[dim]!) || a.size(dim) === b.size(dim)

interface Eliminated extends SignedLogDet {
  /** The product of the pivots: the exponential of the logarithm would have the errors of that, times its size. */
  readonly det: Tensor
  /** What stands right of the matrix, once that is the identity. */
  readonly right: Tensor
}

/** Gauss's and Jordan's elimination of [matrix | right], the largest pivot first: [*, n, n + m] with n ≥ 1. */
function eliminate(matrix: Tensor, right: Tensor | null): Eliminated {
  const n = matrix.size(-1)
  const { dtype, device } = matrix
  const batch = batchOf(matrix)
  const place = { dtype: dtype as TensorDtype, device }
  const rows = arange(n, { dtype: 'i64', device })
  const step = ([m, sign, logabsdet, det]: Tensor[], [k]: Tensor[]): readonly [Tensor[], Tensor[]] => {
    const at = k!.reshape([1])
    const size = m!.indexSelect(-1, at).squeeze(-1).abs()
    const found = where(rows.ge(at), size, -1).argmax(-1, true)
    const order = where(rows.eq(at), found, where(rows.eq(found), at, rows))
    const swapped = m!.gather(-2, order.unsqueeze(-1).expandAs(m!))
    const row = swapped.indexSelect(-2, at)
    const pivot = row.indexSelect(-1, at)
    const scaled = row.div(where(pivot.eq(0), 1, pivot))
    const isOwn = rows.eq(at).unsqueeze(-1)
    const next = where(isOwn, scaled, swapped.sub(swapped.indexSelect(-1, at).mul(scaled)))
    const value = pivot.squeeze(-1).squeeze(-1)
    const turned = where(found.squeeze(-1).eq(k!), 1, -1).to(place.dtype)
    return [
      [next, sign!.mul(value.sign()).mul(turned), logabsdet!.add(value.abs().log()), det!.mul(value).mul(turned)],
      [],
    ]
  }
  const whole = right === null ? matrix : cat([matrix, right], -1)
  const [[m, sign, logabsdet, det]] = scan(
    step,
    [whole, ones(batch, place), zeros(batch, place), ones(batch, place)],
    [rows],
  )
  return { right: m!.narrow(-1, n, whole.size(-1) - n), sign: sign!, logabsdet: logabsdet!, det: det! }
}

const identityLike = (a: Tensor): Tensor =>
  eye(a.size(-1), { dtype: a.dtype as TensorDtype, device: a.device }).expandAs(a)

/** NaN in place of the matrices of a batch where `isWrong`. */
const unless = (isWrong: Tensor, x: Tensor): Tensor => where(isWrong.unsqueeze(-1).unsqueeze(-1), Number.NaN, x)

/** The part of a gradient that comes by the inverse of a matrix: −wᵀ g wᵀ. */
const byInverse = (inverse: Tensor, gradient: Tensor): Tensor => inverse.mT.matmul(gradient).matmul(inverse.mT).neg()

/**
 * [the solution x of a x = b, the inverse of a], of batches of the same shape. Gradients are products with the inverse: a gradient
 * that solved again would have a gradient that solves again, and so on.
 */
const solveMatrices = (name: string) =>
  customGradient(
    (a: Tensor, b: Tensor): readonly Tensor[] => {
      const n = a.size(-1)
      if (n === 0) return [b.clone(), a.clone()]
      const { right, sign } = eliminate(a, cat([b, identityLike(a)], -1))
      const isSingular = sign.eq(0)
      if (anywhere(isSingular))
        throw new ArgumentError(`${name}: a matrix is singular`, {
          fix: 'add a small multiple of the identity: a.add(eye(n).mul(1e-6))',
        })
      const found = unless(isSingular, right)
      return [found.narrow(-1, 0, b.size(-1)).clone(), found.narrow(-1, b.size(-1), n).clone()]
    },
    ([ofSolution, ofInverse], { output: [x, inverse] }) => {
      const ofRight = inverse!.mT.matmul(ofSolution!)
      return [byInverse(inverse!, ofInverse!).sub(ofRight.matmul(x!.mT)), ofRight]
    },
  )

/** Both with the batch dims that they broadcast to. */
function ofOneBatch(name: string, a: Tensor, b: Tensor): readonly [Tensor, Tensor] {
  if (a.ndim === b.ndim && batchOf(a).every((_, d) => isSameSize(a, b, d))) return [a, b]
  const batch = broadcastShapes(name, [a.shape.slice(0, -2), b.shape.slice(0, -2)]) as readonly number[]
  return [a.expand([...batch, ...a.shape.slice(-2)]), b.expand([...batch, ...b.shape.slice(-2)])]
}

function solved(name: string, a: Tensor, b: Tensor): Tensor {
  const n = requireSquare(name, a)
  if (b.dtype !== a.dtype)
    throw new DtypeError(`${name}: ${a.describe()} and ${b.describe()} differ in dtype`, { fix: 'cast one of them' })
  const isVector = b.ndim === 1 || (b.ndim === a.ndim - 1 && b.sizes.every((_, d) => isSameSize(a, b, d)))
  const columns = isVector ? b.unsqueeze(-1) : b
  if (columns.ndim < 2 || columns.size(-2) !== n)
    throw new ShapeError(`${name}: ${b.describe()} has not ${n} rows, as ${a.describe()} needs`, {
      fix: 'give b as [*, n], or [*, n, k]',
    })
  const found = solveMatrices(name)(...ofOneBatch(name, a, columns))[0]!
  return isVector ? found.squeeze(-1) : found
}

const solveSignature = signature('self, b')

/**
 * The solution x of a x = b, by elimination with the largest pivot first.
 *
 * @param a [*, n, n], f32 or f64
 * @param b [*, n, k], or [*, n] of vectors: [n], or one dim fewer than `a` and else its shape; batch dims broadcast
 * @returns the shape of `b`, broadcast
 * @throws ArgumentError for a singular matrix; in a compiled function its solution is NaN
 * @throws DtypeError, ShapeError
 */
export function solve(a: Tensor, b: Tensor): Tensor
export function solve(...args: readonly unknown[]): Tensor {
  const { self, b } = takeArguments('solve', solveSignature, args)
  return solved('solve', self, b)
}

const triangularSignature = signature('self, b, *, upper: bool, left: bool = true, unitriangular: bool = false')

/** Options of `solveTriangular`. */
export interface TriangularOptions {
  /** Whether the upper triangle counts, else the lower one. */
  readonly upper: boolean
  /** a x = b; false: x a = b. Default true. */
  readonly left?: boolean | undefined
  /** The diagonal counts as 1. Default false. */
  readonly unitriangular?: boolean | undefined
}

/**
 * The solution x of a x = b for a triangular matrix, of which the other triangle is not read.
 *
 * @param a [*, n, n], f32 or f64
 * @param b [*, n, k]; with `left: false` [*, k, n]; batch dims broadcast
 * @param options `upper`: which triangle, has to be given; `left`: false for x a = b; `unitriangular`: the diagonal counts as 1
 * @returns the shape of `b`, broadcast
 * @throws ArgumentError for a 0 on the diagonal; in a compiled function the solution is NaN
 * @throws DtypeError, ShapeError
 */
export function solveTriangular(a: Tensor, b: Tensor, options: TriangularOptions): Tensor
export function solveTriangular(...args: readonly unknown[]): Tensor {
  const { self, b, upper, left, unitriangular } = takeArguments('solveTriangular', triangularSignature, args)
  requireSquare('solveTriangular', self)
  if (b.ndim < 2) throw new ShapeError(`solveTriangular: ${b.describe()} is no matrix`, { fix: 'use b.unsqueeze(-1)' })
  const cut = (diagonal: number): Tensor => (upper ? self.triu(diagonal) : self.tril(-diagonal))
  const own = unitriangular ? cut(1).add(identityLike(self)) : cut(0)
  return left ? solved('solveTriangular', own, b) : solved('solveTriangular', own.mT, b.mT).mT
}

const matrixSignature = signature('self')

/**
 * The inverse of matrices.
 *
 * @param a [*, n, n], f32 or f64
 * @returns the shape of `a`
 * @throws ArgumentError for a singular matrix; in a compiled function its inverse is NaN
 * @throws DtypeError, ShapeError
 */
export function inv(a: Tensor): Tensor
export function inv(...args: readonly unknown[]): Tensor {
  const { self } = takeArguments('inv', matrixSignature, args)
  return inverse('inv', self)
}

/** The inverses of square matrices. */
function inverse(name: string, a: Tensor): Tensor {
  requireSquare(name, a)
  return solveMatrices(name)(a, a.narrow(-1, 0, 0))[1]!
}

/** [the sign of the determinant, its logarithm, itself, the inverse], of which the last is NaN for singular matrices. */
const determinants = customGradient(
  (a: Tensor): readonly Tensor[] => {
    const place = { dtype: a.dtype as TensorDtype, device: a.device }
    const batch = batchOf(a)
    if (a.size(-1) === 0) return [ones(batch, place), zeros(batch, place), ones(batch, place), a.clone()]
    const { sign, logabsdet, det, right } = eliminate(a, identityLike(a))
    return [sign, logabsdet, det, unless(sign.eq(0), right)]
  },
  ([, ofLog, ofDet, ofInverse], { output: [, , det, inverse] }) => {
    const ofLogs = ofLog!.add(ofDet!.mul(det!))
    return inverse!.mT.mul(ofLogs.unsqueeze(-1).unsqueeze(-1)).add(byInverse(inverse!, ofInverse!))
  },
)

/**
 * Sign and logarithm of determinants, where the determinants themselves would overflow.
 *
 * @param a [*, n, n], f32 or f64
 * @returns `sign` (−1, 0 or 1, without a gradient) and `logabsdet`, of the batch's shape [*]
 * @throws DtypeError, ShapeError; the gradient of a singular matrix is NaN
 */
export function slogdet(a: Tensor): SignedLogDet
export function slogdet(...args: readonly unknown[]): SignedLogDet {
  const { self } = takeArguments('slogdet', matrixSignature, args)
  requireSquare('slogdet', self)
  const [sign, logabsdet] = determinants(self)
  return { sign: sign!.detach(), logabsdet: logabsdet! }
}

/**
 * Determinants.
 *
 * @param a [*, n, n], f32 or f64
 * @returns the batch's shape [*]
 * @throws DtypeError, ShapeError; the gradient of a singular matrix is NaN
 */
export function det(a: Tensor): Tensor
export function det(...args: readonly unknown[]): Tensor {
  const { self } = takeArguments('det', matrixSignature, args)
  requireSquare('det', self)
  return determinants(self)[2]!
}

const choleskySignature = signature('self, *, upper: bool = false')

/** Lower triangle with half the diagonal. */
const halved = (a: Tensor): Tensor => a.tril().sub(a.mul(0.5).tril().triu())

/** [the lower factor, its inverse]. */
const lowerFactor = customGradient(
  (a: Tensor): readonly Tensor[] => {
    const n = a.size(-1)
    if (n === 0) return [a.clone(), a.clone()]
    const rows = arange(n, { dtype: 'i64', device: a.device })
    const step = ([rest, factor]: Tensor[], [k]: Tensor[]): readonly [Tensor[], Tensor[]] => {
      const at = k!.reshape([1])
      const column = rest!.indexSelect(-1, at)
      const scaled = where(rows.ge(at).unsqueeze(-1), column.div(column.indexSelect(-2, at).sqrt()), 0)
      return [[rest!.sub(scaled.matmul(scaled.mT)), where(rows.eq(at), scaled, factor!)], []]
    }
    const [[, factor]] = scan(step, [a, zerosLike(a)], [rows])
    if (anywhere(factor!.diagonal(0, -2, -1).gt(0).logicalNot()))
      throw new ArgumentError('cholesky: a matrix is not positive definite', {
        fix: 'add a small multiple of the identity: a.add(eye(n).mul(1e-6))',
      })
    return [factor!, eliminate(factor!, identityLike(a)).right.clone()]
  },
  // Murray, "Differentiation of the Cholesky decomposition", arXiv:1602.07527.
  ([ofFactor, ofInverse], { output: [factor, inverse] }) => {
    const gradient = ofFactor!.add(byInverse(inverse!, ofInverse!)).tril()
    const inner = halved(factor!.mT.matmul(gradient))
    const outer = inverse!.mT.matmul(inner).matmul(inverse!)
    return outer.add(outer.mT).mul(0.5)
  },
)

/**
 * The triangular factor l of symmetric positive definite matrices a = l lᵀ. Only the lower triangle of `a` is read; its gradient is
 * symmetric.
 *
 * @param a [*, n, n], f32 or f64
 * @param options `upper`: gives lᵀ; false by default
 * @returns the shape of `a`
 * @throws ArgumentError for a matrix that is not positive definite; in a compiled function its factor holds NaN
 * @throws DtypeError, ShapeError
 */
export function cholesky(a: Tensor, options?: { readonly upper?: boolean | undefined }): Tensor
export function cholesky(...args: readonly unknown[]): Tensor {
  const { self, upper } = takeArguments('cholesky', choleskySignature, args)
  requireSquare('cholesky', self)
  const factor = lowerFactor(self)[0]!
  return upper ? factor.mT : factor
}

const factorSignature = signature('self, factor, *, upper: bool = false')

/**
 * The solution x of a x = b by Cholesky's factor of a (`torch.cholesky_solve`).
 *
 * @param b [*, n, k]; batch dims broadcast
 * @param factor [*, n, n], f32 or f64: what `cholesky` gives, of which the other triangle is not read
 * @param options `upper`: the factor is the upper one; false by default
 * @returns the shape of `b`, broadcast
 * @throws ArgumentError for a 0 on the diagonal; in a compiled function the solution is NaN
 * @throws DtypeError, ShapeError
 */
export function choleskySolve(b: Tensor, factor: Tensor, options?: { readonly upper?: boolean | undefined }): Tensor
export function choleskySolve(...args: readonly unknown[]): Tensor {
  const { self: b, factor, upper } = takeArguments('choleskySolve', factorSignature, args)
  requireSquare('choleskySolve', factor)
  if (b.ndim < 2) throw new ShapeError(`choleskySolve: ${b.describe()} is no matrix`, { fix: 'use b.unsqueeze(-1)' })
  const lower = upper ? factor.mT.tril() : factor.tril()
  return solved('choleskySolve', lower.mT, solved('choleskySolve', lower, b))
}

/**
 * The logarithm of determinants (`torch.logdet`): NaN for a negative one, −∞ for a singular matrix.
 *
 * @param a [*, n, n], f32 or f64
 * @returns the batch's shape [*]
 * @throws DtypeError, ShapeError; the gradient of a singular matrix is NaN
 */
export function logdet(a: Tensor): Tensor
export function logdet(...args: readonly unknown[]): Tensor {
  const { self } = takeArguments('logdet', matrixSignature, args)
  requireSquare('logdet', self)
  const [sign, logabsdet] = determinants(self)
  return where(sign!.detach().lt(0), Number.NaN, logabsdet!)
}

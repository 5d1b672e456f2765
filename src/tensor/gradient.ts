/** Numerical gradients of sampled functions. */
import { ArgumentError, ShapeError } from '../base/errors.js'
import { isFloat } from '../types/dtype.js'
import { signature, takeArguments } from './arguments.js'
import { cat } from './functions.js'
import { Tensor } from './tensor.js'

type Spacing = number | readonly number[] | readonly Tensor[]

/** Options of `gradient`. */
export interface GradientOptions {
  /** The distance between values: one number, one per dim, or per dim a vector of coordinates. 1 by default. */
  readonly spacing?: Spacing | undefined
  /** One dim or several; by default all. */
  readonly dim?: number | readonly number[] | null | undefined
  /** 1 (the default): differences of neighbours at both ends. 2: parabolas through three values. */
  readonly edgeOrder?: 1 | 2 | undefined
}

const gradientSignature = signature('self, *, spacing: value = 1, dim: dims | null = null, edgeOrder: positive = 1')

/**
 * The slopes along dims: differences of neighbours divided by their distance, of second order in the interior (also for
 * uneven spacing, as in PyTorch), of `edgeOrder` at the ends.
 *
 * @param input at least edgeOrder + 1 values along each of the dims
 * @param options `spacing`: how far apart the values stand, or for each dim a vector of where, 1 by default; `dim`: one or
 *   several, by default all; `edgeOrder`: 1 (the default) or 2
 * @returns for each of the dims a tensor of the shape of `input`; its dtype, f32 for integers and bool
 * @throws ArgumentError for another edgeOrder, and when spacing is neither one number nor one number or vector per dim
 * @throws ShapeError for too few values, a dim out of range or named twice, or a vector of another length
 */
export function gradient(input: Tensor, options?: GradientOptions): Tensor[]
export function gradient(...args: readonly unknown[]): Tensor[] {
  const { self, spacing, dim, edgeOrder } = takeArguments('gradient', gradientSignature, args)
  if (edgeOrder !== 1 && edgeOrder !== 2)
    throw new ArgumentError(`gradient: edgeOrder is ${edgeOrder}`, { fix: 'use 1 or 2' })
  const x = isFloat(self.dtype) ? self : self.to('f32')
  const dims = wholeDims(x, dim)
  const spacings = spacingsOf(spacing, dims.length)
  return dims.map((each, i) => slopes(x, each, spacings[i]!, edgeOrder))
}

/** The dims as non-negative numbers; null: all. Throws ShapeError when one is out of range or named twice. */
function wholeDims(x: Tensor, dim: readonly number[] | null): readonly number[] {
  if (dim === null) return x.shape.map((_, d) => d)
  return dim.map((given, i) => {
    const position = given < 0 ? given + x.ndim : given
    if (position < 0 || position >= x.ndim)
      throw new ShapeError(`gradient: dim ${given} is out of range for ${x.ndim} dims`, {
        fix: x.ndim === 0 ? 'a 0-d tensor has no dims' : `use a dim from ${-x.ndim} to ${x.ndim - 1}`,
      })
    if (dim.some((other, j) => j < i && (other - given) % x.ndim === 0))
      throw new ShapeError(`gradient: dim ${given} appears twice`, { fix: 'name each dim once' })
    return position
  })
}

const isDistance = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value)

function spacingsOf(spacing: unknown, count: number): readonly (number | Tensor)[] {
  if (isDistance(spacing)) return new Array<number>(count).fill(spacing)
  const list: readonly unknown[] = Array.isArray(spacing) ? Array.from<unknown>(spacing) : []
  if (list.length === count && list.every(one => isDistance(one) || one instanceof Tensor))
    return list as readonly (number | Tensor)[]
  throw new ArgumentError(`gradient: spacing is neither a number nor a list of ${count} numbers or vectors`, {
    fix: 'give one number, or for each dim a number or a vector of where the values stand',
  })
}

/** Differences along a dim: central ones inside, one-sided ones of order `edgeOrder` at the ends. */
function slopes(x: Tensor, dim: number, spacing: number | Tensor, edgeOrder: 1 | 2): Tensor {
  const size = x.shape[dim]!
  if (size < edgeOrder + 1)
    throw new ShapeError(`gradient: dim ${dim} of ${x.describe()} has fewer than ${edgeOrder + 1} values`, {
      fix: 'give more values, or leave the dim out',
    })
  const at = (start: number, length: number): Tensor => x.narrow(dim, start < 0 ? size + start : start, length)
  if (typeof spacing === 'number') {
    const [near, far] = edgeOrder === 1 ? [[-1, 1], [-1, 1]] : [[-1.5, 2, -0.5], [0.5, -2, 1.5]] // biome-ignore format: one line
    const middle = at(2, size - 2)
      .sub(at(0, size - 2))
      .div(2)
    return cat([weighed(at, 0, near!), middle, weighed(at, -far!.length, far!)], dim).div(spacing)
  }
  if (spacing.ndim !== 1 || spacing.shape[0] !== size)
    throw new ShapeError(`gradient: spacing ${spacing.describe()} for dim ${dim} of ${x.describe()}`, {
      fix: `give a number, or a vector of ${size} positions`,
    })
  const gaps = spacing
    .to(x.dtype as 'f32')
    .diff()
    .reshape([-1, ...x.shape.slice(dim + 1).map(() => 1)])
  const gap = (start: number, length: number): Tensor => gaps.narrow(0, start < 0 ? size - 1 + start : start, length)
  const [a, b] = [gap(0, size - 2), gap(1, size - 2)]
  const middle = weighed(
    at,
    0,
    [b.neg().div(a.mul(a.add(b))), b.sub(a).div(a.mul(b)), a.div(b.mul(a.add(b)))],
    size - 2,
  )
  return cat([edge(at, gap, edgeOrder, false), middle, edge(at, gap, edgeOrder, true)], dim)
}

type Part = (start: number, length: number) => Tensor

/** Σ weights[i] · the values `i` behind `start`, of `length` positions. */
const weighed = (at: Part, start: number, weights: readonly (number | Tensor)[], length = 1): Tensor =>
  weights.map((weight, i) => at(start + i, length).mul(weight)).reduce((sum, one) => sum.add(one))

/** The slope at the first or the last value, for uneven spacing. */
function edge(at: Part, gap: Part, edgeOrder: 1 | 2, isLast: boolean): Tensor {
  if (edgeOrder === 1) {
    return isLast ? at(-1, 1).sub(at(-2, 1)).div(gap(-1, 1)) : at(1, 1).sub(at(0, 1)).div(gap(0, 1))
  }
  const [a, b] = isLast ? [gap(-1, 1), gap(-2, 1)] : [gap(0, 1), gap(1, 1)]
  const sum = a.add(b)
  // For the value itself, its neighbour, and the next one.
  const weights = [a.add(sum).neg().div(a.mul(sum)), sum.div(a.mul(b)), a.neg().div(b.mul(sum))]
  return isLast ? weighed(at, -3, weights.map(weight => weight.neg()).reverse()) : weighed(at, 0, weights)
}

/**
 * Shape, strides and offset of a tensor in its storage. Strides are never negative (`flip` copies, as in PyTorch), and
 * kernels rely on that. Layouts are shared by many tensors and visible to users, so those of tensors are immutable
 * (`TensorLayout`).
 */

import { keepInstance } from '../base/resident.js'

/** Element [i, j, …] is at offset + i·strides[0] + j·strides[1] + …, counted in elements from the storage's start. */
export interface Layout {
  readonly shape: readonly number[]
  readonly strides: readonly number[]
  readonly offset: number
}

/**
 * An immutable layout. In V8, freezing an array takes as long as the guards of a tensor, and reading a frozen array is
 * twenty times slower. So the arrays that calls read are private, and users get frozen copies.
 */
export class TensorLayout implements Layout {
  readonly #shape: readonly number[]
  readonly #strides: readonly number[]
  readonly #offset: number
  #seenShape: readonly number[] | null = null
  #seenStrides: readonly number[] | null = null
  #line: TensorLayout | null = null
  #repeated: TensorLayout | null = null

  /** Takes ownership of the arrays. See `makeLayout`. */
  constructor(shape: readonly number[], strides: readonly number[], offset: number) {
    this.#shape = shape
    this.#strides = strides
    this.#offset = offset
  }

  /** Frozen. To read single sizes at each call, use `size`. */
  get shape(): readonly number[] {
    this.#seenShape ??= Object.freeze(this.#shape.slice())
    return this.#seenShape
  }

  /** Frozen. To read single strides at each call, use `stride`. */
  get strides(): readonly number[] {
    this.#seenStrides ??= Object.freeze(this.#strides.slice())
    return this.#seenStrides
  }

  get offset(): number {
    return this.#offset
  }

  get rank(): number {
    return this.#shape.length
  }

  /** Of a dim from 0 to rank − 1; NaN for others. */
  size(dim: number): number {
    return dim < this.#shape.length ? this.#shape[dim]! : Number.NaN
  }

  /** As `size`. */
  stride(dim: number): number {
    return dim < this.#strides.length ? this.#strides[dim]! : Number.NaN
  }

  get elements(): number {
    return elementCount(this.#shape)
  }

  get isContiguous(): boolean {
    return isRowMajor(this.#shape, this.#strides)
  }

  hasShapeOf(other: TensorLayout): boolean {
    return areEqual(this.#shape, other.#shape)
  }

  /** Whether sizes and strides are the same; offsets may differ. */
  isLike(other: TensorLayout): boolean {
    return this === other || (this.hasShapeOf(other) && areEqual(this.#strides, other.#strides))
  }

  /** The elements of a contiguous layout as one dim. */
  get line(): TensorLayout {
    this.#line ??= new TensorLayout([this.elements], [1], this.#offset)
    return this.#line
  }

  /** One element as a tensor of this shape. */
  get repeated(): TensorLayout {
    this.#repeated ??= new TensorLayout(this.#shape, new Array<number>(this.rank).fill(0), 0)
    return this.#repeated
  }

  /** The same layout at another offset. */
  startingAt(offset: number): TensorLayout {
    return offset === this.#offset ? this : new TensorLayout(this.#shape, this.#strides, offset)
  }
}

keepInstance(new TensorLayout([], [], 0))

function areEqual(a: readonly number[], b: readonly number[]): boolean {
  if (a === b) return true
  if (a.length !== b.length) return false
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false
  return true
}

/** Copies the given arrays. */
export const makeLayout = (shape: readonly number[], strides: readonly number[], offset: number): TensorLayout =>
  new TensorLayout(shape.slice(), strides.slice(), offset)

export function elementCount(shape: readonly number[]): number {
  let count = 1
  for (const size of shape) count *= size
  return count
}

/** Row-major strides. Sizes of 0 count as 1, as in PyTorch. */
export function contiguousStrides(shape: readonly number[]): number[] {
  const strides = new Array<number>(shape.length)
  let stride = 1
  for (let d = shape.length - 1; d >= 0; d--) {
    strides[d] = stride
    stride *= Math.max(shape[d]!, 1)
  }
  return strides
}

export const contiguousLayout = (shape: readonly number[]): TensorLayout =>
  new TensorLayout(shape.slice(), contiguousStrides(shape), 0)

/** True when the elements are stored in row-major order without gaps; strides of dims of size 1 do not matter. */
export const isContiguous = (layout: Layout): boolean =>
  layout instanceof TensorLayout ? layout.isContiguous : isRowMajor(layout.shape, layout.strides)

function isRowMajor(shape: readonly number[], strides: readonly number[]): boolean {
  if (shape.includes(0)) return true
  let expected = 1
  for (let d = shape.length - 1; d >= 0; d--) {
    const size = shape[d]!
    if (size !== 1 && strides[d] !== expected) return false
    expected *= size
  }
  return true
}

/** True when two different indices may name the same element, as in an expanded tensor. */
export function overlapsItself({ shape, strides }: Layout): boolean {
  const dims = shape.map((size, d) => ({ size, stride: strides[d]! })).filter(({ size }) => size > 1)
  if (shape.includes(0)) return false
  dims.sort((a, b) => a.stride - b.stride)
  let reach = 0
  for (const { size, stride } of dims) {
    if (stride <= reach) return true
    reach += (size - 1) * stride
  }
  return false
}

/** A range of one dim. */
export function narrowed({ shape, strides, offset }: Layout, dim: number, start: number, size: number): Layout {
  return { shape: shape.with(dim, size), strides, offset: offset + start * strides[dim]! }
}

/** The elements of the storage that a tensor reaches: from the first to one past the last. Nothing for an empty one. */
export function reachOf({ shape, strides, offset }: Layout): readonly [first: number, end: number] {
  if (shape.includes(0)) return [offset, offset]
  let last = offset
  for (let d = 0; d < shape.length; d++) last += (shape[d]! - 1) * strides[d]!
  return [offset, last + 1]
}

/** Search limit, after which two layouts count as overlapping; ordinary views need a few steps. */
const maxChoices = 4096

/** Whether two layouts of one memory share an element. Exact, except for layouts of very many dims. */
export function layoutsOverlap(a: Layout, b: Layout): boolean {
  const [first, end] = reachOf(a)
  const [otherFirst, otherEnd] = reachOf(b)
  if (first === end || otherFirst === otherEnd || first >= otherEnd || otherFirst >= end) return false
  const steps = stepsOf(a, b)
  let choices = 0
  /**
   * Whether steps from index `at` on can add up to the distance; the count of each is bounded by what the remaining steps
   * can reach.
   */
  const canMake = (distance: number, at: number): boolean => {
    const step = steps[at]
    if (step === undefined) return distance === 0
    if (distance % step.divisor !== 0) return false
    const { low, high } = steps[at + 1] ?? { low: 0, high: 0 }
    const min = Math.max(step.min, Math.ceil((distance - high) / step.stride))
    const max = Math.min(step.max, Math.floor((distance - low) / step.stride))
    for (let count = min; count <= max; count++) {
      if (++choices > maxChoices || canMake(distance - count * step.stride, at + 1)) return true
    }
    return false
  }
  return canMake(b.offset - a.offset, 0)
}

/** Steps of one stride, forward in one layout and backward in the other. */
interface Steps {
  readonly stride: number
  readonly min: number
  readonly max: number
  /** Common divisor and bounds of all sums of these and all shorter steps. */
  readonly divisor: number
  readonly low: number
  readonly high: number
}

/** The steps that lead from elements of `a` to elements of `b`, longest first. */
function stepsOf(a: Layout, b: Layout): readonly Steps[] {
  const ranges = new Map<number, { min: number; max: number }>()
  const add = ({ shape, strides }: Layout, sign: 1 | -1): void => {
    for (const [d, size] of shape.entries()) {
      if (size === 1 || strides[d] === 0) continue
      const range = ranges.get(strides[d]!) ?? { min: 0, max: 0 }
      if (sign === 1) range.max += size - 1
      else range.min -= size - 1
      ranges.set(strides[d]!, range)
    }
  }
  add(a, 1)
  add(b, -1)
  let [divisor, low, high] = [0, 0, 0]
  const shortestFirst = [...ranges].sort(([s], [t]) => s - t)
  return shortestFirst
    .map(([stride, { min, max }]): Steps => {
      divisor = commonDivisor(stride, divisor)
      low += min * stride
      high += max * stride
      return { stride, min, max, divisor, low, high }
    })
    .reverse()
}

function commonDivisor(a: number, b: number): number {
  let [larger, smaller] = [a, b]
  while (smaller !== 0) [larger, smaller] = [smaller, larger % smaller]
  return larger
}

/**
 * Strides of the same elements in another shape (of equal count), or null when that takes a copy. Adjacent dims of the old
 * shape that are mutually contiguous form a chunk; each chunk must split into whole new dims.
 */
export function reshapedStrides(layout: Layout, shape: readonly number[]): number[] | null {
  if (elementCount(shape) === 0) return contiguousStrides(shape)
  const strides = new Array<number>(shape.length)
  const old = layout.shape.map((size, d) => ({ size, stride: layout.strides[d]! })).filter(({ size }) => size !== 1)
  let dim = shape.length - 1
  for (let end = old.length - 1; end >= 0; ) {
    let begin = end
    let count = old[end]!.size
    while (begin > 0 && old[begin - 1]!.stride === old[begin]!.size * old[begin]!.stride) count *= old[--begin]!.size
    let stride = old[end]!.stride
    while (dim >= 0 && (count > 1 || shape[dim] === 1)) {
      const size = shape[dim]!
      if (count % size !== 0) return null
      strides[dim--] = stride
      stride *= size
      count /= size
    }
    if (count !== 1) return null
    end = begin - 1
  }
  for (; dim >= 0; dim--) strides[dim] = dim + 1 < shape.length ? strides[dim + 1]! * shape[dim + 1]! : 1
  return strides
}

/** Receives one run of elements along the last dim: `count` offsets from `start`, `stride` apart. */
export type VisitRun = (start: number, stride: number, count: number) => void

/** Calls `visit` with each run along the last dim, in row-major order of the indices; a 0-d tensor is one run of 1. */
export function forEachRun({ shape, strides, offset }: Layout, visit: VisitRun): void {
  if (shape.length === 0) visit(offset, 0, 1)
  else walkRuns(shape, strides, 0, offset, visit)
}

function walkRuns(
  shape: readonly number[],
  strides: readonly number[],
  dim: number,
  position: number,
  visit: VisitRun,
): void {
  const size = shape[dim]!
  const stride = strides[dim]!
  if (dim === shape.length - 1) visit(position, stride, size)
  else for (let i = 0; i < size; i++) walkRuns(shape, strides, dim + 1, position + i * stride, visit)
}

/**
 * A tensor library in plain JavaScript with the names of Tegula's, written apart from it: what programs mean. A tensor is
 * memory, shape, strides and an offset, so that who shares memory with whom is exact. Nothing here is fast.
 */
import { category, type PlainDtype, roundTo, slack, type Typed } from './dtypes.js'
import { PlainError, Unfit } from './errors.js'

/** Values, and how far from them another right implementation may be: 0 where every one gives the same. */
export interface PlainMemory {
  readonly data: number[]
  /** Relative to `scale`. */
  slack: number
  /** The largest magnitude that took part. */
  scale: number
  freed: boolean
}

export type Shape = readonly number[]
export const count = (shape: Shape): number => shape.reduce((product, size) => product * size, 1)

export function denseStrides(shape: Shape): number[] {
  const strides = new Array<number>(shape.length).fill(1)
  for (let d = shape.length - 2; d >= 0; d--) strides[d] = strides[d + 1]! * Math.max(1, shape[d + 1]!)
  return strides
}

/** Every index of a shape, row by row. */
export function* indices(shape: Shape): Generator<number[]> {
  const total = count(shape)
  for (let flat = 0; flat < total; flat++) {
    const index = new Array<number>(shape.length)
    let rest = flat
    for (let d = shape.length - 1; d >= 0; d--) {
      index[d] = rest % shape[d]!
      rest = Math.floor(rest / shape[d]!)
    }
    yield index
  }
}

const largest = 2 ** 20

export class PlainTensor {
  readonly shape: Shape
  #disposed = false

  constructor(
    readonly memory: PlainMemory,
    readonly dtype: PlainDtype,
    shape: Shape,
    readonly strides: readonly number[],
    readonly offset: number,
    readonly owner: boolean,
  ) {
    this.shape = Object.freeze([...shape])
  }

  /** In memory of its own. `from` are the tensors that the values come from; `exactly`: nothing was rounded on the way. */
  static of(
    dtype: PlainDtype,
    shape: Shape,
    values: readonly number[],
    from: readonly PlainTensor[] = [],
    exactly = true,
  ): PlainTensor {
    if (values.length > 4000) throw new Unfit('a large tensor')
    const memory: PlainMemory = { data: [], slack: 0, scale: 1, freed: false }
    const made = new PlainTensor(memory, dtype, shape, denseStrides(shape), 0, true)
    made.fill(values, from, exactly)
    return made
  }

  /** Puts values into this tensor's elements, row by row. */
  fill(values: readonly number[], from: readonly PlainTensor[], exactly: boolean): void {
    const { memory, dtype } = this
    const rounded = values.map(value => roundTo(dtype, value))
    const scale = Math.max(1, ...rounded.map(Math.abs), ...from.map(({ memory: { slack, scale } }) => slack && scale))
    if (!(scale <= (dtype === 'f16' ? 2 ** 14 : largest))) throw new Unfit(`a value of magnitude ${scale}`)
    const isExact = exactly && rounded.every((value, i) => value === values[i] && isSimple(value))
    if (category(dtype) === 2) {
      const own = isExact ? 0 : slack(dtype)
      memory.slack = Math.max(memory.slack, own, ...from.map(source => source.memory.slack))
      memory.scale = Math.max(memory.scale, scale)
    }
    let flat = 0
    for (const at of this.places()) memory.data[at] = rounded[flat++]!
  }

  /** Where the elements lie in memory, row by row. */
  *places(): Generator<number> {
    for (const index of indices(this.shape)) {
      yield index.reduce((at, i, d) => at + i * this.strides[d]!, this.offset)
    }
  }

  values(): number[] {
    this.requireAlive()
    return Array.from(this.places(), at => this.memory.data[at]!)
  }

  /** Values that every implementation has exactly; what jumps at them needs that. */
  exactValues(): number[] {
    if (this.memory.slack > 0) throw new Unfit('a jump at a rounded value')
    return this.values()
  }

  at(index: readonly number[]): number {
    return this.memory.data[index.reduce((at, i, d) => at + i * this.strides[d]!, this.offset)]!
  }

  relaid(shape: Shape, strides: readonly number[], offset: number): PlainTensor {
    this.requireAlive()
    if (count(shape) > 4000) throw new Unfit('a large tensor')
    return new PlainTensor(this.memory, this.dtype, shape, strides, offset, false)
  }

  get typed(): Typed {
    return { dtype: this.dtype, weight: this.ndim === 0 ? 'zeroDims' : 'dims' }
  }

  get ndim(): number {
    return this.shape.length
  }

  size(dim: number): number {
    const size = this.shape.at(dim)
    if (size === undefined) throw new PlainError('ArgumentError', `size: dim ${dim} of ${this.ndim}`)
    return size
  }

  numel(): number {
    return count(this.shape)
  }

  /** A dim from 0. A tensor without dims takes 0 and -1, as in PyTorch. */
  dim(dim: number, dims = Math.max(1, this.ndim)): number {
    const place = dim < 0 ? dim + dims : dim
    if (!(place >= 0 && place < dims)) throw new PlainError('ShapeError', `dim ${dim} of ${dims}`)
    return place
  }

  isContiguous(): boolean {
    const dense = denseStrides(this.shape)
    return this.shape.includes(0) || this.shape.every((size, d) => size === 1 || this.strides[d] === dense[d])
  }

  /** Some of its elements are one place in memory. */
  overlapsItself(): boolean {
    const places = [...this.places()]
    return new Set(places).size < places.length
  }

  requireAlive(): void {
    if (this.disposed) throw new PlainError('DisposedError', 'the tensor was disposed')
  }

  get disposed(): boolean {
    return this.#disposed || this.memory.freed
  }

  dispose(): void {
    if (this.disposed) return
    this.#disposed = true
    if (this.owner) this.memory.freed = true
  }

  itemSync(): number {
    if (count(this.shape) !== 1) throw new PlainError('ArgumentError', 'not one element')
    return this.exactValues()[0]!
  }

  toArray(): unknown {
    const values = this.exactValues().map(value => (this.dtype === 'bool' ? value !== 0 : value))
    return nested(this.shape, values)
  }

  dataSync(): unknown {
    return this.exactValues()
  }

  toString(): string {
    return `tensor(${JSON.stringify(this.toArray())})`
  }
}

/** Small multiples of 1/64: sums and products of them are exact in every order. */
function isSimple(value: number): boolean {
  return Number.isInteger(value * 64) && Math.abs(value) <= 4096
}

function nested(shape: Shape, values: readonly unknown[]): unknown {
  if (shape.length === 0) return values[0]
  const [size, ...rest] = shape as readonly [number, ...number[]]
  const part = count(rest)
  return Array.from({ length: size }, (_, i) => nested(rest, values.slice(i * part, (i + 1) * part)))
}

/** The shape that tensors are stretched to. */
export function broadcast(...shapes: readonly Shape[]): number[] {
  const dims = Math.max(0, ...shapes.map(shape => shape.length))
  return Array.from({ length: dims }, (_, d) => {
    const sizes = shapes.map(shape => shape[d - dims + shape.length] ?? 1)
    const size = sizes.find(one => one !== 1) ?? 1
    if (sizes.some(one => one !== 1 && one !== size)) throw new PlainError('ShapeError', `sizes ${sizes} do not fit`)
    return size
  })
}

/** The strides of a tensor stretched to a shape. */
export function stretched(x: PlainTensor, shape: Shape): number[] {
  const lead = shape.length - x.ndim
  return shape.map((size, d) => (d < lead || (x.shape[d - lead] === 1 && size !== 1) ? 0 : x.strides[d - lead]!))
}

export function expanded(x: PlainTensor, shape: Shape): PlainTensor {
  if (shape.some(size => size < 0)) throw new PlainError('ShapeError', `expand: to ${shape}`)
  if (shape.length < x.ndim) throw new PlainError('ShapeError', `expand: fewer dims than ${x.ndim}`)
  const lead = shape.length - x.ndim
  for (const [d, size] of x.shape.entries()) {
    if (size !== 1 && size !== shape[lead + d]) throw new PlainError('ShapeError', `expand: ${x.shape} to ${shape}`)
  }
  return x.relaid(shape, stretched(x, shape), x.offset)
}

/** Reductions, sorting, indexing, joining, products and other ops that look at several elements at once. */
import { category, type PlainDtype, resultDtype } from './dtypes.js'
import { PlainError, requireIntegers, Unfit } from './errors.js'
import { map, type Operand, typed } from './pointwise.js'
import { broadcast, count, expanded, indices, PlainTensor, type Shape } from './tensor.js'
import { viewMethods } from './views.js'

const { permute, reshape, unsqueeze, transpose } = viewMethods

type Dims = number | readonly number[] | null | undefined
interface Keep {
  readonly keepdim?: boolean
}

/** Folds the elements over some dims; `fold` sees them in row-major order. */
function reduce(
  x: PlainTensor,
  given: Dims,
  { keepdim = false }: Keep,
  dtype: PlainDtype,
  fold: (values: readonly number[]) => number,
  { jumps = false, exactly = true } = {},
): PlainTensor {
  const dims =
    given === undefined || given === null ? x.shape.map((_, d) => d) : [given].flat().map(d => x.dim(d as number))
  if (new Set(dims).size < dims.length) throw new PlainError('ShapeError', 'a dim twice')
  const folded = dims.filter(d => d < x.ndim) // dim 0 of a tensor without dims is taken, and nothing to fold
  const kept = x.shape.map((_, d) => d).filter(d => !folded.includes(d))
  const [outer, inner] = [kept.map(d => x.shape[d]!), folded.map(d => x.shape[d]!)]
  const grouped = permute(x, [...kept, ...folded])
  const values = jumps ? grouped.exactValues() : grouped.values()
  const size = count(inner)
  const results = Array.from({ length: count(outer) }, (_, i) => fold(values.slice(i * size, (i + 1) * size)))
  const shape = keepdim ? x.shape.map((n, d) => (dims.includes(d) ? 1 : n)) : outer
  return PlainTensor.of(dtype, shape, results, [x], exactly)
}

const add = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0)

const summed = (dtype: PlainDtype): PlainDtype => (category(dtype) === 2 ? dtype : 'i64')

function mean(x: PlainTensor, dims?: Dims, keep: Keep = {}): PlainTensor {
  if (category(x.dtype) !== 2) throw new PlainError('DtypeError', 'mean: needs floats')
  return reduce(x, dims, keep, x.dtype, values => {
    if (values.length === 0) throw new Unfit('a mean of nothing')
    return add(values) / values.length
  })
}

function variance(values: readonly number[]): number {
  if (values.length < 2) throw new Unfit('a variance of one value')
  const mean = add(values) / values.length
  return add(values.map(value => (value - mean) ** 2)) / (values.length - 1)
}

function variances(x: PlainTensor, dims?: Dims, keep: Keep = {}): PlainTensor {
  if (category(x.dtype) !== 2) throw new PlainError('DtypeError', 'var: needs floats')
  return reduce(x, dims, keep, x.dtype, variance, { exactly: false })
}

const extreme =
  (name: string, pick: (...values: number[]) => number) =>
  (x: PlainTensor, dims?: Dims, keep: Keep = {}): PlainTensor => {
    requireSome(name, x, dims)
    return reduce(x, dims, keep, x.dtype, values => pick(...values))
  }

/** Also where the result is empty too. */
function requireSome(name: string, { shape }: PlainTensor, dims: Dims | undefined): void {
  const sizes = dims == null ? shape : [dims].flat().map(dim => shape.at(dim as number))
  if (sizes.includes(0)) throw new PlainError('ShapeError', `${name} of nothing`)
}

const placeOf =
  (pick: (...values: number[]) => number) =>
  (x: PlainTensor, dim?: number, keep: Keep = {}): PlainTensor => {
    requireSome('an index', x, dim)
    const first = (values: readonly number[]): number => values.indexOf(pick(...values))
    return reduce(x, dim, keep, 'i64', first, { jumps: true })
  }

function logsumexp(x: PlainTensor, dims: Dims, keep: Keep = {}): PlainTensor {
  if (category(x.dtype) !== 2) throw new PlainError('DtypeError', 'logsumexp: needs floats')
  const fold = (values: readonly number[]): number => {
    if (values.length === 0) throw new Unfit('a logarithm of nothing')
    const top = Math.max(...values)
    return top + Math.log(add(values.map(value => Math.exp(value - top))))
  }
  return reduce(x, dims, keep, x.dtype, fold, { exactly: false })
}

/** Each line along a dim becomes another line. */
function along(
  x: PlainTensor,
  dim: number,
  dtype: PlainDtype,
  line: (values: readonly number[]) => readonly number[],
  { jumps = false, exactly = true } = {},
): PlainTensor {
  const d = x.dim(dim)
  if (x.ndim === 0) return PlainTensor.of(dtype, [], line(x.values()), [x], exactly)
  const last = x.shape.map((_, i) => i).filter(i => i !== d)
  const lines = permute(x, [...last, d])
  const values = jumps ? lines.exactValues() : lines.values()
  const size = x.shape[d]!
  const made = Array.from({ length: count(lines.shape.slice(0, -1)) }, (_, i) =>
    line(values.slice(i * size, (i + 1) * size)),
  )
  const length = made[0]?.length ?? line(new Array<number>(size).fill(0)).length
  const packed = PlainTensor.of(dtype, [...lines.shape.slice(0, -1), length], made.flat(), [x], exactly)
  const order = x.shape.map((_, i) => (i === d ? x.ndim - 1 : i < d ? i : i - 1))
  return PlainTensor.of(dtype, permute(packed, order).shape, permute(packed, order).values(), [packed], true)
}

function softmax(x: PlainTensor, dim: number): PlainTensor {
  if (category(x.dtype) !== 2) throw new PlainError('DtypeError', 'softmax: needs floats')
  return along(
    x,
    dim,
    x.dtype,
    values => {
      const top = Math.max(...values)
      const powers = values.map(value => Math.exp(value - top))
      return powers.map(power => power / add(powers))
    },
    { exactly: false },
  )
}

const cumsum = (x: PlainTensor, dim: number): PlainTensor =>
  along(x, dim, summed(x.dtype), values => {
    let sum = 0
    return values.map(value => (sum += value))
  })

/** The places that sort a line; stable. */
function sortedIndices(values: readonly number[], descending: boolean): number[] {
  const sign = descending ? -1 : 1
  return values.map((_, i) => i).sort((i, j) => sign * (values[i]! - values[j]!) || i - j)
}

interface Ordered {
  readonly values: PlainTensor
  readonly indices: PlainTensor
}

function ordered(x: PlainTensor, dim: number, descending: boolean, k?: number): Ordered {
  requireIntegers('sort', dim, k ?? 0)
  if (k !== undefined && (k < 0 || k > (x.shape[x.dim(dim)] ?? 1)))
    throw new PlainError('ShapeError', `topk: ${k} of fewer`)
  if (x.ndim === 0) throw new Unfit('an order of no dims')
  const places = (values: readonly number[]): number[] => sortedIndices(values, descending).slice(0, k)
  return {
    values: along(x, dim, x.dtype, values => places(values).map(i => values[i]!), { jumps: true }),
    indices: along(x, dim, 'i64', places, { jumps: true }),
  }
}

function flip(x: PlainTensor, dims: Dims): PlainTensor {
  const places = [dims].flat().map(d => x.dim(d as number))
  const source = Array.from(indices(x.shape), index =>
    x.at(index.map((i, d) => (places.includes(d) ? x.shape[d]! - 1 - i : i))),
  )
  return PlainTensor.of(x.dtype, x.shape, source, [x])
}

function roll(x: PlainTensor, shift: number, dim: number): PlainTensor {
  requireIntegers('roll', shift, dim)
  return along(x, dim, x.dtype, values => values.map((_, i) => values.at((i - shift) % values.length)!))
}

const diff = (x: PlainTensor): PlainTensor => {
  if (x.ndim === 0) throw new PlainError('ShapeError', 'diff of a 0-d tensor')
  if (x.dtype === 'bool') throw new Unfit('differences of truth values')
  return along(x, -1, x.dtype, values => values.slice(1).map((value, i) => value - values[i]!))
}

function pad(x: PlainTensor, sides: readonly number[], { value = 0 } = {}): PlainTensor {
  requireIntegers('pad', ...sides)
  let result = x
  for (let i = 0; i < sides.length / 2; i++) {
    const [before, behind] = [sides[2 * i]!, sides[2 * i + 1]!]
    if (Math.max(before, behind) > 1000) throw new Unfit('a large tensor')
    const length = x.shape.at(-1 - i)
    if (length === undefined) throw new PlainError('ShapeError', 'pad: more dims than there are')
    if (-before - behind > length) throw new PlainError('ShapeError', 'pad: crops more than there is')
    const filled = (n: number): number[] => new Array<number>(Math.max(0, n)).fill(value)
    result = along(result, -1 - i, x.dtype, values => {
      const kept = values.slice(Math.max(0, -before), values.length - Math.max(0, -behind))
      return [...filled(before), ...kept, ...filled(behind)]
    })
  }
  return result
}

const triangle =
  (keeps: (row: number, column: number) => boolean) =>
  (x: PlainTensor): PlainTensor => {
    if (x.ndim < 2) throw new PlainError('ShapeError', 'a triangle of fewer than two dims')
    const values = Array.from(indices(x.shape), index => (keeps(index.at(-2)!, index.at(-1)!) ? x.at(index) : 0))
    return PlainTensor.of(x.dtype, x.shape, values, [x])
  }

function repeat(x: PlainTensor, counts: Shape): PlainTensor {
  requireIntegers('repeat', ...counts)
  if (counts.some(count => count < 0)) throw new PlainError('ShapeError', 'repeat: a negative count')
  if (counts.length < x.ndim) throw new PlainError('ShapeError', 'repeat: fewer counts than dims')
  const lead = counts.length - x.ndim
  const shape = counts.map((n, d) => n * (x.shape[d - lead] ?? 1))
  const values = Array.from(indices(shape), index => x.at(x.shape.map((size, d) => index[d + lead]! % size)))
  return PlainTensor.of(x.dtype, shape, values, [x])
}

/** Tensors of shape [0] fit anywhere and add nothing but their dtype, as in PyTorch. */
export function cat(all: readonly PlainTensor[], dim = 0): PlainTensor {
  if (all.length === 0) throw new PlainError('ArgumentError', 'cat of nothing')
  const sized = all.filter(x => String(x.shape) !== '0')
  const parts = sized.length > 0 ? sized : all
  const first = parts[0]!
  const d = first.dim(dim)
  const rest = (x: PlainTensor): string => String(x.shape.toSpliced(d, 1))
  if (parts.some(x => x.ndim !== first.ndim || rest(x) !== rest(first)) || first.ndim === 0)
    throw new PlainError('ShapeError', 'cat: sizes do not fit')
  const dtype = resultDtype(all.map(x => x.typed))
  const starts = parts.map((_, i) => parts.slice(0, i).reduce((sum, x) => sum + x.shape[d]!, 0))
  const shape = first.shape.with(d, starts.at(-1)! + parts.at(-1)!.shape[d]!)
  const values = Array.from(indices(shape), index => {
    const i = starts.findLastIndex((start, at) => index[d]! >= start && parts[at]!.shape[d]! > 0)
    return parts[i]!.at(index.with(d, index[d]! - starts[i]!))
  })
  return PlainTensor.of(dtype, shape, values, parts)
}

export function stack(parts: readonly PlainTensor[], dim = 0): PlainTensor {
  if (parts.some(x => String(x.shape) !== String(parts[0]!.shape)))
    throw new PlainError('ShapeError', 'stack: shapes differ')
  return cat(
    parts.map(x => unsqueeze(x, dim)),
    dim,
  )
}

/** Places along a dim; outside it gives 0. */
function gather(x: PlainTensor, dim: number, index: PlainTensor): PlainTensor {
  const d = x.dim(dim)
  if (index.dtype !== 'i64' && index.dtype !== 'i32') throw new PlainError('DtypeError', 'gather: the index')
  if (index.ndim !== x.ndim || index.shape.some((n, i) => i !== d && n > x.shape[i]!))
    throw new PlainError('ShapeError', 'gather: the index is larger')
  const places = index.exactValues()
  let flat = 0
  const values = Array.from(indices(index.shape), at => {
    const place = places[flat++]!
    if (place < 0 || place >= x.shape[d]!) throw new Unfit('an index out of range')
    return x.at(x.ndim === 0 ? [] : at.with(d, place))
  })
  return PlainTensor.of(x.dtype, index.shape, values, [x])
}

function indexSelect(x: PlainTensor, dim: number, index: PlainTensor): PlainTensor {
  if (x.ndim === 0) throw new Unfit('places along no dims')
  if (index.ndim !== 1) throw new PlainError('ShapeError', 'indexSelect: the index has one dim')
  const d = x.dim(dim)
  const isInside = index.exactValues().every(place => place >= 0 && place < x.shape[d]!)
  if (!isInside) throw new PlainError('ArgumentError', 'indexSelect: an index out of range') // of nothing, too
  const shape = x.shape.map((_, i) => (i === d ? index.shape[0]! : 1))
  const whole = x.shape.with(d, index.shape[0]!)
  return gather(x, d, expanded(reshape(index, shape), whole))
}

function oneHot(x: PlainTensor, classes: number): PlainTensor {
  if (category(x.dtype) !== 1) throw new PlainError('DtypeError', 'oneHot: needs integers')
  const places = x.exactValues()
  const rows = places.flatMap(place => Array.from({ length: classes }, (_, i) => Number(i === place)))
  return PlainTensor.of('i64', [...x.shape, classes], rows)
}

/** Products along the last dim of one and the last but one of the other; batch dims stretch. */
export function matmul(a: PlainTensor, b: PlainTensor): PlainTensor {
  if (a.ndim === 0 || b.ndim === 0) throw new PlainError('ShapeError', 'matmul of a 0-d tensor')
  if (a.dtype !== b.dtype) throw new PlainError('DtypeError', 'matmul: dtypes differ')
  if (a.dtype === 'bool') throw new Unfit('products of truth values')
  const left = a.ndim === 1 ? unsqueeze(a, 0) : a
  const right = b.ndim === 1 ? unsqueeze(b, 1) : b
  const [rows, inner] = left.shape.slice(-2) as [number, number]
  const [depth, columns] = right.shape.slice(-2) as [number, number]
  if (inner !== depth) throw new PlainError('ShapeError', `matmul: ${inner} and ${depth}`)
  const batch = broadcast(left.shape.slice(0, -2), right.shape.slice(0, -2))
  const [x, y] = [expanded(left, [...batch, rows, inner]), expanded(right, [...batch, inner, columns])]
  const values = Array.from(indices([...batch, rows, columns]), index => {
    const [outer, i, j] = [index.slice(0, -2), index.at(-2)!, index.at(-1)!]
    let sum = 0
    for (let k = 0; k < inner; k++) sum += x.at([...outer, i, k]) * y.at([...outer, k, j])
    return sum
  })
  const shape = [...batch, ...(a.ndim === 1 ? [] : [rows]), ...(b.ndim === 1 ? [] : [columns])]
  return PlainTensor.of(a.dtype, shape, values, [grown(a, inner), b])
}

/** As `x`, where sums of so many of its elements are taken: for the magnitudes that rounding is relative to. */
function grown(x: PlainTensor, terms: number): PlainTensor {
  if (x.memory.slack === 0) return x
  const memory = { ...x.memory, scale: x.memory.scale * Math.max(1, terms) }
  return new PlainTensor(memory, x.dtype, x.shape, x.strides, x.offset, false)
}

export function linear(x: PlainTensor, weight: PlainTensor): PlainTensor {
  if (weight.ndim !== 2) throw new PlainError('ShapeError', 'linear: the weight has two dims')
  if (category(x.dtype) !== 2) throw new PlainError('DtypeError', 'linear: needs floats')
  return matmul(x, transpose(weight, 0, 1))
}

function outer(x: PlainTensor, other: PlainTensor): PlainTensor {
  if (x.ndim !== 1 || other.ndim !== 1) throw new PlainError('ShapeError', 'outer: of vectors')
  return map(resultDtype([typed(x), typed(other)]), [unsqueeze(x, 1), other], (a, b) => a * b)
}

export const foldMethods = {
  sum: (x: PlainTensor, dims?: Dims, keep: Keep = {}) => reduce(x, dims, keep, summed(x.dtype), add),
  mean,
  var: variances,
  amax: extreme('amax', Math.max),
  amin: extreme('amin', Math.min),
  any: (x: PlainTensor, dim?: number, keep: Keep = {}) =>
    reduce(x, dim, keep, 'bool', values => Number(values.some(Boolean)), { jumps: true }),
  all: (x: PlainTensor, dim?: number, keep: Keep = {}) =>
    reduce(x, dim, keep, 'bool', values => Number(values.every(Boolean)), { jumps: true }),
  argmax: placeOf(Math.max),
  argmin: placeOf(Math.min),
  logsumexp,
  softmax,
  cumsum,
  sort: (x: PlainTensor, { dim = -1, descending = false } = {}) => ordered(x, dim, descending),
  topk: (x: PlainTensor, k: number, { dim = -1 } = {}) => ordered(x, dim, true, k),
  flip,
  roll,
  diff,
  pad,
  tril: triangle((row, column) => column <= row),
  triu: triangle((row, column) => column >= row),
  repeat,
  gather,
  indexSelect,
  oneHot,
  matmul,
  outer,
}

export type { Operand }

/** View ops of the plain evaluator, and what becomes a copy where memory does not allow a view. */
import { PlainError, requireIntegers } from './errors.js'
import { count, denseStrides, expanded, PlainTensor, type Shape } from './tensor.js'

const shapeError = (message: string): PlainError => new PlainError('ShapeError', message)

const copy = (x: PlainTensor, shape: Shape = x.shape): PlainTensor =>
  PlainTensor.of(x.dtype, shape, x.values(), [x], true)

const alias = (x: PlainTensor): PlainTensor => x.relaid(x.shape, x.strides, x.offset)

/** The strides of `x` in another shape, or null where its elements do not lie so (PyTorch's rule). */
function reshapedStrides(x: PlainTensor, shape: Shape): readonly number[] | null {
  if (count(shape) === 0) return denseStrides(shape)
  const runs = contiguousRuns(x)
  const strides = new Array<number>(shape.length)
  let d = shape.length - 1
  for (const { size, stride } of runs.reverse()) {
    let covered = 1
    while (d >= 0 && (covered < size || shape[d] === 1)) {
      strides[d] = stride * covered
      covered *= shape[d]!
      d--
    }
    if (covered !== size) return null
  }
  while (d >= 0) {
    if (shape[d] !== 1) return null
    strides[d--] = 1
  }
  return strides
}

/** Neighbouring dims whose elements lie evenly spaced, as one. */
function contiguousRuns(x: PlainTensor): { size: number; stride: number }[] {
  const runs: { size: number; stride: number }[] = []
  for (const [d, size] of x.shape.entries()) {
    if (size === 1) continue
    const last = runs.at(-1)
    const stride = x.strides[d]!
    if (last !== undefined && last.stride === stride * size) runs[runs.length - 1] = { size: last.size * size, stride }
    else runs.push({ size, stride })
  }
  return runs
}

function inferred(x: PlainTensor, shape: Shape): number[] {
  const total = count(x.shape)
  const known = count(shape.filter(size => size !== -1))
  if (shape.some(size => !Number.isInteger(size) || size < -1)) throw new PlainError('ArgumentError', `shape ${shape}`)
  const open = shape.filter(size => size === -1).length
  if (open > 1 || (open === 1 && known === 0)) throw shapeError(`reshape ${x.shape} to ${shape}`)
  const sizes = shape.map(size => (size === -1 ? total / known : size))
  if (sizes.some(size => !Number.isInteger(size)) || count(sizes) !== total)
    throw shapeError(`reshape ${x.shape} to ${shape}`)
  return sizes
}

function reshape(x: PlainTensor, shape: Shape): PlainTensor {
  const sizes = inferred(x, shape)
  const strides = reshapedStrides(x, sizes)
  return strides === null ? copy(x, sizes) : x.relaid(sizes, strides, x.offset)
}

function view(x: PlainTensor, shape: Shape): PlainTensor {
  const sizes = inferred(x, shape)
  const strides = reshapedStrides(x, sizes)
  if (strides === null) throw shapeError('view: not viewable so')
  return x.relaid(sizes, strides, x.offset)
}

function flatten(x: PlainTensor, startDim = 0, endDim = -1): PlainTensor {
  if (x.ndim === 0) return reshape(x, [1])
  const [from, to] = [x.dim(startDim), x.dim(endDim)]
  if (from > to) throw shapeError('flatten: dims in the wrong order')
  return reshape(x, [...x.shape.slice(0, from), count(x.shape.slice(from, to + 1)), ...x.shape.slice(to + 1)])
}

function squeeze(x: PlainTensor, dim?: number | readonly number[]): PlainTensor {
  const dims = dim === undefined ? x.shape.map((_, d) => d) : [dim].flat().map(d => x.dim(d as number))
  const kept = x.shape.map((_, d) => d).filter(d => !(dims.includes(d) && x.shape[d] === 1))
  return permuted(x, kept)
}

const permuted = (x: PlainTensor, dims: readonly number[]): PlainTensor =>
  x.relaid(
    dims.map(d => x.shape[d]!),
    dims.map(d => x.strides[d]!),
    x.offset,
  )

function unsqueeze(x: PlainTensor, dim: number): PlainTensor {
  const at = x.dim(dim, x.ndim + 1)
  return x.relaid(x.shape.toSpliced(at, 0, 1), x.strides.toSpliced(at, 0, 1), x.offset)
}

function permute(x: PlainTensor, dims: readonly number[]): PlainTensor {
  const places = dims.map(d => x.dim(d))
  if (places.length !== x.ndim || new Set(places).size !== x.ndim) throw shapeError(`permute ${dims}`)
  return permuted(x, places)
}

function transpose(x: PlainTensor, a: number, b: number): PlainTensor {
  const order = x.shape.map((_, d) => d)
  if (x.ndim === 0) return alias(x)
  const [i, j] = [x.dim(a), x.dim(b)]
  return permuted(x, order.with(i, j).with(j, i))
}

function t(x: PlainTensor): PlainTensor {
  if (x.ndim > 2) throw shapeError('t: more than two dims')
  return x.ndim < 2 ? alias(x) : transpose(x, 0, 1)
}

function movedim(x: PlainTensor, source: number, destination: number): PlainTensor {
  const from = x.dim(source)
  const rest = x.shape.map((_, d) => d).toSpliced(from, 1)
  return permuted(x, rest.toSpliced(x.dim(destination), 0, from))
}

function narrow(x: PlainTensor, dim: number, start: number, length: number): PlainTensor {
  requireIntegers('narrow', dim, start, length)
  const d = x.dim(dim)
  const from = start < 0 ? start + x.shape[d]! : start
  if (!(from >= 0 && length >= 0 && from + length <= x.shape[d]!)) throw shapeError(`narrow ${start}, ${length}`)
  return stepped(x, d, from, length, 1)
}

/** An empty tensor addresses nothing, so its offset says nothing. */
const stepped = (x: PlainTensor, d: number, start: number, size: number, step: number): PlainTensor =>
  x.relaid(x.shape.with(d, size), x.strides.with(d, x.strides[d]! * step), x.offset + start * x.strides[d]!)

function select(x: PlainTensor, dim: number, index: number): PlainTensor {
  requireIntegers('select', dim, index)
  const d = x.dim(dim)
  const at = index < 0 ? index + x.shape[d]! : index
  if (x.ndim === 0 || !(at >= 0 && at < x.shape[d]!)) throw shapeError(`select ${index} of ${x.shape[d]}`)
  return x.relaid(x.shape.toSpliced(d, 1), x.strides.toSpliced(d, 1), x.offset + at * x.strides[d]!)
}

type Range = null | 'all' | '...' | number | readonly [number | null, (number | null)?, number?]

function slice(x: PlainTensor, ...ranges: readonly Range[]): PlainTensor {
  if (ranges.length > x.ndim) throw shapeError('slice: more ranges than dims')
  let [result, d] = [x, 0]
  for (const range of ranges) {
    if (typeof range === 'number') result = select(result, d, range)
    else if (Array.isArray(range)) result = cut(result, d++, range as readonly [number | null, number | null, number?])
    else d++
  }
  return result
}

/** As Python cuts lists. */
function cut(
  x: PlainTensor,
  d: number,
  [start, end, step = 1]: readonly [number | null, (number | null)?, number?],
): PlainTensor {
  requireIntegers('slice', start ?? 0, end ?? 0, step)
  const size = x.shape[d]!
  const clamp = (value: number): number => Math.min(Math.max(value < 0 ? value + size : value, 0), size)
  const from = clamp(start ?? 0)
  const to = clamp(end ?? size)
  return stepped(x, d, from, Math.max(0, Math.ceil((to - from) / step)), step)
}

function get(x: PlainTensor, ...ranges: readonly Range[]): PlainTensor {
  const rest = ranges.indexOf('...')
  const given = ranges.filter(range => range !== '...')
  const whole = new Array<null>(Math.max(0, x.ndim - given.length)).fill(null)
  return slice(x, ...(rest < 0 ? given : given.toSpliced(rest, 0, ...whole)))
}

function unflatten(x: PlainTensor, dim: number, sizes: Shape): PlainTensor {
  const d = x.dim(dim)
  const part = inferred(x.relaid([x.shape[d]!], [1], 0), sizes)
  return reshape(x, x.shape.toSpliced(d, 1, ...part))
}

function diagonal(x: PlainTensor): PlainTensor {
  if (x.ndim < 2) throw shapeError('diagonal: of fewer than two dims')
  const size = Math.min(x.shape[0]!, x.shape[1]!)
  return x.relaid([...x.shape.slice(2), size], [...x.strides.slice(2), x.strides[0]! + x.strides[1]!], x.offset)
}

function unfold(x: PlainTensor, dim: number, size: number, step: number): PlainTensor {
  const d = listDim(x, dim)
  if (size > x.shape[d]!) throw shapeError(`unfold ${size} of ${x.shape[d]}`)
  const windows = Math.floor((x.shape[d]! - size) / step) + 1
  return x.relaid(
    [...x.shape.with(d, windows), size],
    [...x.strides.with(d, x.strides[d]! * step), x.strides[d]!],
    x.offset,
  )
}

function expand(x: PlainTensor, shape: Shape): PlainTensor {
  requireIntegers('expand', ...shape)
  const lead = shape.length - x.ndim
  return expanded(
    x,
    shape.map((size, d) => (size === -1 ? (x.shape[d - lead] ?? -1) : size)),
  )
}

/** A dim from 0. Of a tensor without dims there is nothing to cut or list, though most ops take dim 0 of one. */
function listDim(x: PlainTensor, dim: number): number {
  if (x.ndim === 0) throw shapeError('parts of a tensor without dims')
  return x.dim(dim)
}

function split(x: PlainTensor, size: number | readonly number[], dim = 0): PlainTensor[] {
  const length = x.shape[listDim(x, dim)]!
  const sizes =
    typeof size === 'number'
      ? Array.from({ length: Math.max(1, Math.ceil(length / size)) }, (_, i) => Math.min(size, length - i * size))
      : size
  if (sizes.reduce((a, b) => a + b, 0) !== length) throw shapeError('split: sizes do not add up')
  return sizes.map((one, i) => {
    const start = sizes.slice(0, i).reduce((sum, size) => sum + size, 0)
    return narrow(x, dim, start, one)
  })
}

function chunk(x: PlainTensor, chunks: number, dim = 0): PlainTensor[] {
  const length = x.shape[listDim(x, dim)]!
  if (length === 0) return Array.from({ length: chunks }, () => narrow(x, dim, 0, 0))
  return split(x, Math.ceil(length / chunks), dim)
}

const unbind = (x: PlainTensor, dim = 0): PlainTensor[] =>
  Array.from({ length: x.shape[listDim(x, dim)]! }, (_, i) => select(x, dim, i))

/** Each takes the tensor, then the method's arguments. */
export const viewMethods = {
  reshape,
  view,
  flatten,
  squeeze,
  unsqueeze,
  permute,
  transpose,
  movedim,
  narrow,
  select,
  slice,
  get,
  unflatten,
  diagonal,
  unfold,
  expand,
  split,
  chunk,
  unbind,
  t,
  clone: (x: PlainTensor) => copy(x),
  contiguous: (x: PlainTensor) => (x.isContiguous() ? alias(x) : copy(x)),
}

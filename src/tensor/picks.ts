/** Results whose size depends on values: those are read, so these work outside of compiled functions only. */
import { ArgumentError, CaptureError, DtypeError, ShapeError } from '../base/errors.js'
import { isInteger, type TensorDtype } from '../types/dtype.js'
import { ones, zeros } from './create.js'
import { requireTensor } from './dispatch.js'
import { cat, cumsum, diff, ne, scatterAdd, sort } from './functions.js'
import { tensor as makeTensor } from './host-data.js'
import type { Tensor } from './tensor.js'
import { currentTracer } from './tracer.js'

function refuseCapture(name: string, fix: string): void {
  if (currentTracer() === null) return
  throw new CaptureError(`${name}: the size of the result depends on values, which a compiled function does not know`, {
    fix,
  })
}

/** The elements of `input` where `mask` (bool, broadcast) is true, in row-major order: [count]. Not in compiled functions. */
export function maskedSelect(input: Tensor, mask: Tensor): Tensor {
  const [x, where] = [
    requireTensor('maskedSelect', input, 'the input'),
    requireTensor('maskedSelect', mask, 'the mask'),
  ]
  if (where.dtype !== 'bool')
    throw new DtypeError(`maskedSelect: the mask is ${where.dtype}, not bool`, { fix: 'compare it: mask.ne(0)' })
  refuseCapture(
    'maskedSelect',
    'keep the shape: where(mask, x, 0) or maskedFill(mask.logicalNot(), 0); or select outside of it',
  )
  const shape = x.logicalOr(where).shape
  const places = flatPlaces(where.expand(shape))
  return x
    .expand(shape)
    .reshape([-1])
    .indexSelect(0, makeTensor(places, { dtype: 'i64' }))
}

/** The indices of the elements that are not 0, one row each: i64 [count, dims]. Not in compiled functions. */
export function nonzero(input: Tensor): Tensor {
  const x = requireTensor('nonzero', input, 'the input')
  refuseCapture('nonzero', 'keep the shape: work with the mask x.ne(0) itself; or call nonzero outside of it')
  const { shape } = x
  const rows = flatPlaces(x.ne(0)).map(place => {
    let rest = place
    return shape.map((_, d) => {
      const inner = shape.slice(d + 1).reduce((a, b) => a * b, 1)
      const index = Math.floor(rest / inner)
      rest -= index * inner
      return index
    })
  })
  return makeTensor(rows.flat(), { dtype: 'i64' }).reshape([rows.length, shape.length])
}

export interface UniqueOptions {
  /** Ascending (NaN last). There is no order that is faster, so false changes nothing. */
  readonly sorted?: boolean
}
export interface UniqueParts {
  /** The distinct values, ascending: [n]. */
  readonly values: Tensor
  /** For each element of the input the place of its value: i64, the input's shape. */
  readonly inverse: Tensor
  /** How often each value occurs: i64 [n]. */
  readonly counts: Tensor
}

/** Where a run of equal neighbours begins in a vector: bool, [n]. NaN equals nothing, as in PyTorch. */
function runStarts(line: Tensor): Tensor {
  const count = line.shape[0]!
  const first = ones([Math.min(count, 1)], { dtype: 'bool' })
  return count < 2 ? first : cat([first, ne(line.narrow(0, 1, count - 1), line.narrow(0, 0, count - 1))])
}

/** Runs of a vector: values, for each element the number of its run, and lengths. */
function runsOf(line: Tensor): UniqueParts {
  const starts = runStarts(line)
  const places = makeTensor(flatPlaces(starts), { dtype: 'i64' })
  const ends = cat([places, makeTensor([line.shape[0]!], { dtype: 'i64' })])
  return { values: line.indexSelect(0, places), inverse: cumsum(starts, 0).sub(1), counts: diff(ends) }
}

/** The distinct values of a tensor, ascending: [n]. Not in compiled functions. */
export function unique(input: Tensor, options: UniqueOptions = {}): Tensor {
  return uniqueParts('unique', input, options).values
}

/** The distinct values, where each element's value is among them, and how often each occurs. Not in compiled functions. */
export function uniqueWithParts(input: Tensor, options: UniqueOptions = {}): UniqueParts {
  return uniqueParts('uniqueWithParts', input, options)
}

function uniqueParts(name: string, input: Tensor, options: UniqueOptions): UniqueParts {
  for (const key of Object.keys(options))
    if (key !== 'sorted') throw new ArgumentError(`${name}: no option '${key}'`, { fix: 'the option is sorted' })
  const x = requireTensor(name, input, 'the input')
  refuseCapture(name, 'keep the shape, or call it outside of the compiled function')
  const { values, indices } = sort(x.reshape([-1]))
  const runs = runsOf(values)
  const back = zeros([indices.shape[0]!], { dtype: 'i64' })
  return { ...runs, inverse: scatterAdd(back, 0, indices, runs.inverse).reshape(x.shape) }
}

/** The first of each run of equal neighbours of the flattened tensor, with parts as `uniqueWithParts`. */
export function uniqueConsecutive(input: Tensor): UniqueParts {
  const x = requireTensor('uniqueConsecutive', input, 'the input')
  refuseCapture('uniqueConsecutive', 'keep the shape, or call it outside of the compiled function')
  const runs = runsOf(x.reshape([-1]))
  return { ...runs, inverse: runs.inverse.reshape(x.shape) }
}

export interface BincountOptions {
  /** What each element counts instead of 1: a vector as long as the input. */
  readonly weights?: Tensor | null
  /** The result has at least as many elements. */
  readonly minlength?: number
}

/**
 * How often each of 0, 1, 2, … occurs in a vector of integers: i64 [largest + 1], or with weights their sums. Reads the
 * largest value, so not in compiled functions. Throws DtypeError, ShapeError, or ArgumentError for negative values.
 */
export function bincount(input: Tensor, options: BincountOptions = {}): Tensor {
  const x = requireTensor('bincount', input, 'the input')
  const { weights = null, minlength = 0, ...rest } = options
  for (const key of Object.keys(rest))
    throw new ArgumentError(`bincount: no option '${key}'`, { fix: 'the options are weights, minlength' })
  if (!Number.isInteger(minlength) || minlength < 0)
    throw new ArgumentError(`bincount: minlength ${String(minlength)}`, { fix: 'use an integer of at least 0' })
  if (!isInteger(x.dtype)) throw new DtypeError(`bincount: ${x.describe()} holds no integers`, { fix: "x.to('i64')" })
  if (x.ndim !== 1) throw new ShapeError(`bincount: ${x.describe()} is not 1-D`, { fix: 'x.reshape([-1])' })
  refuseCapture('bincount', 'use zeros([n]).scatterAdd(0, x, ones) with a known n; or call bincount outside of it')
  const count = x.shape[0]!
  const size = count === 0 ? minlength : Math.max(minlength, x.max().itemSync() + 1)
  if (count > 0 && x.min().itemSync() < 0)
    throw new ArgumentError(`bincount: the value ${x.min().itemSync()} is negative`, {
      fix: 'count values of at least 0',
    })
  const each = weights === null ? ones([count], { dtype: 'i64' }) : requireTensor('bincount', weights, 'weights')
  if (each.ndim !== 1 || each.shape[0] !== count)
    throw new ShapeError(`bincount: weights ${each.describe()} for ${count} elements`)
  return scatterAdd(zeros([size], { dtype: each.dtype as TensorDtype }), 0, x.to('i64'), each)
}

const flatPlaces = (mask: Tensor): number[] =>
  Array.from(mask.dataSync('bool')).flatMap((set, i) => (set === 0 ? [] : [i]))

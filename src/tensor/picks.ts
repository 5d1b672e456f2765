/** Results whose size depends on values. Those are read, which is a graph break in compiled functions. */
import { ArgumentError, DtypeError, ShapeError } from '../base/errors.js'
import { records } from '../graph/ops/index.js'
import { pickRecords } from '../graph/ops/picking.js'
import type { OpRecord } from '../graph/record.js'
import { broadcastShapes, surelyEqual } from '../graph/sizes.js'
import { isInteger, type TensorDtype } from '../types/dtype.js'
import { signature, takeArguments } from './arguments.js'
import { type Counted, countPicks, indicesOf, readNumber } from './counted.js'
import { zeros, zerosLike } from './create.js'
import { applyOp, withSizes } from './dispatch.js'
import { scatterAdd, sort } from './functions.js'
import type { Tensor } from './tensor.js'
import { currentTracer } from './tracer.js'

const maskSignature = signature('self, mask')

/**
 * The elements of `input` where `mask` is true, in row-major order. How many is read: a graph break in compiled functions.
 *
 * @param input a tensor of any dtype
 * @param mask bool; the two broadcast
 * @returns [count]; the dtype of `input`
 * @throws DtypeError when mask is not bool
 * @throws ShapeError when the shapes do not broadcast
 * @throws CaptureError in a compiled function with `fullgraph`
 */
export function maskedSelect(input: Tensor, mask: Tensor): Tensor
export function maskedSelect(...args: [input: Tensor, options: { readonly mask: Tensor }]): Tensor
export function maskedSelect(...args: readonly unknown[]): Tensor {
  const { self: x, mask: where } = takeArguments('maskedSelect', maskSignature, args)
  if (where.dtype !== 'bool')
    throw new DtypeError(`maskedSelect: the mask is ${where.dtype}, not bool`, { fix: 'compare it: mask.ne(0)' })
  const shape = withSizes(() => broadcastShapes('maskedSelect', [x.sizes, where.sizes]))
  const [from, mask] = [pick(records.expand, x, shape), pick(records.expand, where, shape)]
  const reading = { reader: 'maskedSelect', instead: 'keep the shape: where(mask, x, 0)' }
  const { counts, count } = countPicks(applyOp, mask, reading)
  return pick(pickRecords.pickValues, from, mask, counts, count)
}

const inputSignature = signature('self')

/**
 * The indices of the elements that are not 0, one row each. How many is read: a graph break in compiled functions.
 *
 * @param input a tensor of any dtype
 * @returns [count, dims]; i64
 * @throws CaptureError in a compiled function with `fullgraph`
 */
export function nonzero(input: Tensor): Tensor
export function nonzero(...args: readonly unknown[]): Tensor {
  const { self: x } = takeArguments('nonzero', inputSignature, args)
  const reading = { reader: 'nonzero', instead: 'keep the shape: work with the mask x.ne(0) itself' }
  if (x.ndim > 0) return indicesOf(applyOp, x, reading)
  return zeros([countPicks(applyOp, x, reading).count, 0], { dtype: 'i64', device: x.device })
}

/** Options of `unique`. */
export interface UniqueOptions {
  /** Ascending (NaN last). There is no order that is faster, so false changes nothing. */
  readonly sorted?: boolean | undefined
}
/** Distinct values with where and how often they occur. */
export interface UniqueParts {
  /** The distinct values, ascending: [n]. */
  readonly values: Tensor
  /** For each element of the input the place of its value: i64, the input's shape. */
  readonly inverse: Tensor
  /** How often each value occurs: i64 [n]. */
  readonly counts: Tensor
}

const instead = 'call it outside of the compiled function'

/** Runs of equal neighbours in a vector: their values, for each element the number of its run, and lengths. */
function runsOf(reader: string, line: Tensor): UniqueParts {
  const { starts, counts, count } = countRuns(reader, line)
  const [values, inverse, lengths] = applyOp(pickRecords.runParts, [line, starts, counts, count])
  return { values: values!, inverse: inverse!, counts: lengths! }
}

/** Where runs of equal neighbours begin, how many do up to each element, and in all. */
function countRuns(reader: string, line: Tensor): Counted & { readonly starts: Tensor } {
  const starts = pick(pickRecords.runStarts, line)
  return { starts, ...countPicks(applyOp, starts, { reader, instead }) }
}

const uniqueSignature = signature('self, sorted: bool = true')

/**
 * The distinct values of a tensor, ascending (NaN last, each by itself). Their number is read: a graph break in compiled functions.
 *
 * @param input a tensor of any shape
 * @param sorted ascending; they are either way
 * @returns [n]; the dtype of `input`
 * @throws CaptureError in a compiled function with `fullgraph`
 */
export function unique(input: Tensor, sorted?: boolean | UniqueOptions): Tensor
export function unique(...args: readonly unknown[]): Tensor {
  const x = inputOf('unique', args).reshape([-1])
  const counted = currentTracer() === null ? countedValues(x) : null
  if (counted !== null) return counted
  const values = pick(pickRecords.sortedValues, x)
  const { starts, counts, count } = countRuns('unique', values)
  return pick(pickRecords.pickValues, values, starts, counts, count)
}

/** Integers in a range of so many times fewer values are counted sooner than sorted; shorter vectors are sorted as fast. */
const [timesFewer, shortVector] = [8, 4096]

/** The distinct values of integers in a small range: those that are counted at least once; null for others. */
function countedValues(x: Tensor): Tensor | null {
  const length = x.shape[0]!
  if (!isInteger(x.dtype) || length < shortVector) return null
  const { least, most } = extremesOf('unique', x)
  const range = most - least + 1
  if (!Number.isSafeInteger(most) || !Number.isSafeInteger(least) || range * timesFewer > length) return null
  const counts = countsOf(least === 0 ? x : x.to('i64').sub(least), range)
  const found = indicesOf(applyOp, counts, { reader: 'unique', instead }).reshape([-1])
  return (least === 0 ? found : found.add(least)).to(x.dtype as TensorDtype)
}

/**
 * The distinct values, where each element's value is among them, and how often each occurs. Their number is read: a graph break in compiled functions.
 *
 * @param input a tensor of any shape
 * @param sorted ascending; they are either way
 * @returns `values` [n] · `inverse`, i64 of the shape of `input` · `counts` [n], i64
 * @throws CaptureError in a compiled function with `fullgraph`
 */
export function uniqueWithParts(input: Tensor, sorted?: boolean | UniqueOptions): UniqueParts
export function uniqueWithParts(...args: readonly unknown[]): UniqueParts {
  const x = inputOf('uniqueWithParts', args)
  const { values, indices } = sort(x.reshape([-1]))
  const runs = runsOf('uniqueWithParts', values)
  return { ...runs, inverse: scatterAdd(zerosLike(indices), 0, indices, runs.inverse).reshapeAs(x) }
}

function inputOf(name: string, args: readonly unknown[]): Tensor {
  return takeArguments(name, uniqueSignature, args).self
}

/**
 * The first of each run of equal neighbours of the flattened tensor. Their number is read: a graph break in compiled functions.
 *
 * @param input a tensor of any shape
 * @returns `values` [n] · `inverse`, i64 of the shape of `input` · `counts` [n], i64
 * @throws CaptureError in a compiled function with `fullgraph`
 */
export function uniqueConsecutive(input: Tensor): UniqueParts
export function uniqueConsecutive(...args: readonly unknown[]): UniqueParts {
  const { self: x } = takeArguments('uniqueConsecutive', inputSignature, args)
  const runs = runsOf('uniqueConsecutive', x.reshape([-1]))
  return { ...runs, inverse: runs.inverse.reshapeAs(x) }
}

/** Options of `bincount`. */
export interface BincountOptions {
  /** What each element counts instead of 1: a vector as long as the input. */
  readonly weights?: Tensor | null | undefined
  /** The result has at least as many elements; 0 by default. */
  readonly minlength?: number | undefined
}

const bincountSignature = signature('self, weights: tensor | null = null, minlength: count = 0')

/**
 * How often each of 0, 1, 2, … occurs in a vector of integers, or with weights their sums. The largest value is read: a
 * graph break in compiled functions.
 *
 * @param input a vector of integers of at least 0
 * @param weights what each element counts instead of 1: a vector as long as the input
 * @param minlength the result has at least as many elements; 0 by default
 * @returns [max(largest + 1, minlength)]; i64, with weights their dtype
 * @throws DtypeError unless the input holds integers
 * @throws ShapeError unless it is a vector, and the weights are as long
 * @throws ArgumentError for negative values
 * @throws CaptureError in a compiled function with `fullgraph`
 */
export function bincount(input: Tensor, weights?: Tensor | null, minlength?: number): Tensor
export function bincount(
  ...args:
    | [input: Tensor, options?: BincountOptions]
    | [input: Tensor, weights: Tensor | null, options?: Pick<BincountOptions, 'minlength'>]
): Tensor
export function bincount(...args: readonly unknown[]): Tensor {
  const { self: x, weights, minlength } = takeArguments('bincount', bincountSignature, args)
  if (!isInteger(x.dtype)) throw new DtypeError(`bincount: ${x.describe()} holds no integers`, { fix: "x.to('i64')" })
  if (x.ndim !== 1) throw new ShapeError(`bincount: ${x.describe()} is not 1-D`, { fix: 'x.reshape([-1])' })
  const count = x.sizes[0]!
  const { least, most } = count === 0 ? { least: 0, most: -1 } : extremesOf('bincount', x)
  if (least < 0)
    throw new ArgumentError(`bincount: the value ${least} is negative`, { fix: 'count values of at least 0' })
  const size = Math.max(minlength, most + 1)
  if (weights === null) return countsOf(x, size)
  if (weights.ndim !== 1 || (!surelyEqual(weights.sizes[0]!, count) && weights.shape[0] !== x.shape[0]))
    throw new ShapeError(`bincount: weights ${weights.describe()} for ${x.shape[0]} elements`)
  return scatterAdd(zeros([size], { dtype: weights.dtype as TensorDtype, device: x.device }), 0, x.to('i64'), weights)
}

function extremesOf(reader: string, x: Tensor): { readonly least: number; readonly most: number } {
  const { min, max } = x.aminmax()
  const reading = { reader, instead: 'use zeros([n]).scatterAdd(0, x, ones) with a known n' }
  return { least: readNumber(min, reading), most: readNumber(max, reading) }
}

/** So few bins are a power of two, so that not each number of them has a kernel of its own. */
const fewBins = 1024

/** How many elements of a vector are 0, 1, … below `size`. */
function countsOf(x: Tensor, size: number): Tensor {
  if (size === 0 || size > fewBins) return pick(pickRecords.countBins, x, size)
  return pick(pickRecords.countFewBins, x, 2 ** Math.ceil(Math.log2(size))).narrow(0, 0, size)
}

const pick = (record: OpRecord, ...args: readonly unknown[]): Tensor => applyOp(record, args)[0]!

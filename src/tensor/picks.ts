/** Results whose size depends on values: those are read, so these work outside of compiled functions only. */
import { ArgumentError, DtypeError, ShapeError } from '../base/errors.js'
import { pickRecords } from '../graph/ops/picking.js'
import type { OpRecord } from '../graph/record.js'
import { broadcastShapes } from '../graph/sizes.js'
import { isInteger, type TensorDtype } from '../types/dtype.js'
import { signature, takeArguments } from './arguments.js'
import { type Counted, countPicks, indicesOf } from './counted.js'
import { zeros } from './create.js'
import { applyOp } from './dispatch.js'
import { scatterAdd, sort } from './functions.js'
import type { Tensor } from './tensor.js'
import { captureRefusal } from './trace.js'
import { currentTracer } from './tracer.js'

function refuseCapture(name: string, fix: string): void {
  if (currentTracer() === null) return
  throw captureRefusal(`${name}: the size of the result depends on values, which a compiled function does not know`, {
    fix,
  })
}

const maskSignature = signature('self, mask')

/**
 * The elements of `input` where `mask` is true, in row-major order. Not in compiled functions, which do not know how many.
 *
 * @param input a tensor of any dtype
 * @param mask bool; the two broadcast
 * @returns [count]; the dtype of `input`
 * @throws DtypeError when mask is not bool
 * @throws ShapeError when the shapes do not broadcast
 * @throws CaptureError in a compiled function
 */
export function maskedSelect(input: Tensor, mask: Tensor): Tensor
export function maskedSelect(...args: [input: Tensor, options: { readonly mask: Tensor }]): Tensor
export function maskedSelect(...args: readonly unknown[]): Tensor {
  const { self: x, mask: where } = takeArguments('maskedSelect', maskSignature, args)
  if (where.dtype !== 'bool')
    throw new DtypeError(`maskedSelect: the mask is ${where.dtype}, not bool`, { fix: 'compare it: mask.ne(0)' })
  refuseCapture(
    'maskedSelect',
    'keep the shape: where(mask, x, 0) or maskedFill(mask.logicalNot(), 0); or select outside of it',
  )
  const shape = broadcastShapes('maskedSelect', [x.shape, where.shape]) as readonly number[]
  const [from, mask] = [x.expand(shape), where.expand(shape)]
  const { counts, count } = countPicks(applyOp, mask)
  return pick(pickRecords.pickValues, from, mask, counts, count)
}

const inputSignature = signature('self')

/**
 * The indices of the elements that are not 0, one row each. Not in compiled functions, which do not know how many.
 *
 * @param input a tensor of any dtype
 * @returns [count, dims]; i64
 * @throws CaptureError in a compiled function
 */
export function nonzero(input: Tensor): Tensor
export function nonzero(...args: readonly unknown[]): Tensor {
  const { self: x } = takeArguments('nonzero', inputSignature, args)
  refuseCapture('nonzero', 'keep the shape: work with the mask x.ne(0) itself; or call nonzero outside of it')
  if (x.ndim > 0) return indicesOf(applyOp, x)
  return zeros([countPicks(applyOp, x).count, 0], { dtype: 'i64', device: x.device })
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

/** Runs of equal neighbours in a vector: their values, for each element the number of its run, and lengths. */
function runsOf(line: Tensor): UniqueParts {
  const { starts, counts, count } = countRuns(line)
  const [values, inverse, lengths] = applyOp(pickRecords.runParts, [line, starts, counts, count])
  return { values: values!, inverse: inverse!, counts: lengths! }
}

/** Where runs of equal neighbours begin, how many do up to each element, and in all. */
function countRuns(line: Tensor): Counted & { readonly starts: Tensor } {
  const starts = pick(pickRecords.runStarts, line)
  return { starts, ...countPicks(applyOp, starts) }
}

const uniqueSignature = signature('self, sorted: bool = true')

/**
 * The distinct values of a tensor, ascending (NaN last, each by itself). Not in compiled functions.
 *
 * @param input a tensor of any shape
 * @param sorted ascending; they are either way
 * @returns [n]; the dtype of `input`
 * @throws CaptureError in a compiled function
 */
export function unique(input: Tensor, sorted?: boolean | UniqueOptions): Tensor
export function unique(...args: readonly unknown[]): Tensor {
  const x = inputOf('unique', args).reshape([-1])
  const counted = countedValues(x)
  if (counted !== null) return counted
  const values = pick(pickRecords.sortedValues, x)
  const { starts, counts, count } = countRuns(values)
  return pick(pickRecords.pickValues, values, starts, counts, count)
}

/** Integers in a range of so many times fewer values are counted sooner than sorted; shorter vectors are sorted as fast. */
const [timesFewer, shortVector] = [8, 4096]

/** The distinct values of integers in a small range: those that are counted at least once; null for others. */
function countedValues(x: Tensor): Tensor | null {
  const length = x.shape[0]!
  if (!isInteger(x.dtype) || length < shortVector) return null
  const { least, most } = extremesOf(x)
  const range = most - least + 1
  if (!Number.isSafeInteger(most) || !Number.isSafeInteger(least) || range * timesFewer > length) return null
  const counts = pick(pickRecords.countBins, least === 0 ? x : x.to('i64').sub(least), range)
  const found = indicesOf(applyOp, counts).reshape([-1])
  return (least === 0 ? found : found.add(least)).to(x.dtype as TensorDtype)
}

/**
 * The distinct values, where each element's value is among them, and how often each occurs. Not in compiled functions.
 *
 * @param input a tensor of any shape
 * @param sorted ascending; they are either way
 * @returns `values` [n] · `inverse`, i64 of the shape of `input` · `counts` [n], i64
 * @throws CaptureError in a compiled function
 */
export function uniqueWithParts(input: Tensor, sorted?: boolean | UniqueOptions): UniqueParts
export function uniqueWithParts(...args: readonly unknown[]): UniqueParts {
  const x = inputOf('uniqueWithParts', args)
  const { values, indices } = sort(x.reshape([-1]))
  const runs = runsOf(values)
  const back = zeros([indices.shape[0]!], { dtype: 'i64', device: x.device })
  return { ...runs, inverse: scatterAdd(back, 0, indices, runs.inverse).reshape(x.shape) }
}

function inputOf(name: string, args: readonly unknown[]): Tensor {
  const { self: x } = takeArguments(name, uniqueSignature, args)
  refuseCapture(name, 'keep the shape, or call it outside of the compiled function')
  return x
}

/**
 * The first of each run of equal neighbours of the flattened tensor. Not in compiled functions.
 *
 * @param input a tensor of any shape
 * @returns `values` [n] · `inverse`, i64 of the shape of `input` · `counts` [n], i64
 * @throws CaptureError in a compiled function
 */
export function uniqueConsecutive(input: Tensor): UniqueParts
export function uniqueConsecutive(...args: readonly unknown[]): UniqueParts {
  const { self: x } = takeArguments('uniqueConsecutive', inputSignature, args)
  refuseCapture('uniqueConsecutive', 'keep the shape, or call it outside of the compiled function')
  const runs = runsOf(x.reshape([-1]))
  return { ...runs, inverse: runs.inverse.reshape(x.shape) }
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
 * How often each of 0, 1, 2, … occurs in a vector of integers, or with weights their sums. Reads the largest value, so not
 * in compiled functions.
 *
 * @param input a vector of integers of at least 0
 * @param weights what each element counts instead of 1: a vector as long as the input
 * @param minlength the result has at least as many elements; 0 by default
 * @returns [max(largest + 1, minlength)]; i64, with weights their dtype
 * @throws DtypeError unless the input holds integers
 * @throws ShapeError unless it is a vector, and the weights are as long
 * @throws ArgumentError for negative values
 * @throws CaptureError in a compiled function
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
  refuseCapture('bincount', 'use zeros([n]).scatterAdd(0, x, ones) with a known n; or call bincount outside of it')
  const count = x.shape[0]!
  const { least, most } = count === 0 ? { least: 0, most: -1 } : extremesOf(x)
  if (least < 0)
    throw new ArgumentError(`bincount: the value ${least} is negative`, { fix: 'count values of at least 0' })
  const size = Math.max(minlength, most + 1)
  if (weights === null) return pick(pickRecords.countBins, x, size)
  if (weights.ndim !== 1 || weights.shape[0] !== count)
    throw new ShapeError(`bincount: weights ${weights.describe()} for ${count} elements`)
  return scatterAdd(zeros([size], { dtype: weights.dtype as TensorDtype, device: x.device }), 0, x.to('i64'), weights)
}

function extremesOf(x: Tensor): { readonly least: number; readonly most: number } {
  const { min, max } = x.aminmax()
  return { least: min.itemSync(), most: max.itemSync() }
}

const pick = (record: OpRecord, ...args: readonly unknown[]): Tensor => applyOp(record, args)[0]!

/** Checks that two results of one function agree, before anything is timed. */
import { AccuracyError } from '../base/errors.js'
import { describeTree, leafPaths } from '../compile/capture/tree.js'
import type { DataArray } from '../tensor/host.js'
import type { Tensor } from '../tensor/tensor.js'
import { type Dtype, dtypes } from '../types/dtype.js'

/**
 * Allowed error relative to the tensor's largest value. Fusion and reordered sums change rounding, and the differences grow
 * through a deep network. Integers and booleans must be equal.
 */
const tolerances: Readonly<Partial<Record<Dtype, number>>> = { f64: 1e-10, f32: 1e-4, f16: 2e-2, bf16: 1e-1 }

/** The kind of comparison: how it reports a difference, and whether dtypes must match. */
export interface Judge {
  readonly differ: string
  readonly fix: string
  readonly sameDtype: boolean
}

const eager: Judge = {
  differ: 'compiled and eager differ',
  fix: 'if the function is ill-conditioned, allow more with --tolerance; if it is not, report it as a bug of Tegula',
  sameDtype: true,
}
/** Of functions that are compared: the first is the one that the others must agree with. */
export const firstFunction: Judge = {
  differ: 'its results are not those of the first function',
  fix: 'correct the one that is wrong; if both are right, and only rounding differs, allow more with { tolerance }',
  sameDtype: false,
}
const expectation: Judge = {
  differ: 'not the expected numbers',
  fix: "if `expected` is right and the case's tolerance fits its dtype, report it as a bug of Tegula",
  sameDtype: false,
}

/**
 * The maximum error of `got` against an eager result, relative to the largest value of its tensor. Throws AccuracyError when
 * structure, shape or dtype differ, when NaN or infinities are at different elements, or when the error exceeds `tolerance`
 * (default: by dtype).
 */
export const requireAgreement = (
  what: string,
  got: unknown,
  expected: unknown,
  tolerance: number | null,
  judge: Judge = eager,
): number => requireClose(what, got, expected, tolerance, judge)

/** As `requireAgreement`, against independently computed numbers of any dtype. */
export const requireExpected = (what: string, got: unknown, expected: unknown, tolerance: number | null): number =>
  requireClose(what, got, expected, tolerance, expectation)

/** The largest error of all results against the expected ones. Throws when one is beyond the tolerance. */
function requireClose(what: string, got: unknown, expected: unknown, tolerance: number | null, judge: Judge): number {
  if (typeof got === 'number' && typeof expected === 'number')
    return requireCloseNumber(`${what}: result`, got, expected, tolerance, judge)
  const [gotLeaves, expectedLeaves]: [Tensor[], Tensor[]] = [[], []]
  describeTree(got, gotLeaves, 'result')
  const paths = leafPaths(describeTree(expected, expectedLeaves, 'result'))
  if (gotLeaves.length !== expectedLeaves.length) {
    throw disagreement(what, `${gotLeaves.length} tensors instead of ${expectedLeaves.length}`, judge)
  }
  const errors = expectedLeaves.map((leaf, i) => {
    const path = paths[i] ?? `tensor ${i}`
    return requireCloseTensor(`${what}: ${path}`, gotLeaves[i]!, leaf, tolerance, judge)
  })
  return Math.max(0, ...errors)
}

/** The error of a number, which was a tensor's before. */
function requireCloseNumber(
  what: string,
  got: number,
  expected: number,
  tolerance: number | null,
  judge: Judge,
): number {
  const error = relativeError(what, [got], [expected], judge)
  const allowed = tolerance ?? tolerances.f32!
  if (error <= allowed) return error
  throw disagreement(
    what,
    `${got} instead of ${expected}, an error of ${error.toPrecision(2)}, beyond ${allowed}`,
    judge,
  )
}

/** The error of one tensor. Throws when dtype or shape differ, or the error is beyond the tolerance. */
function requireCloseTensor(
  what: string,
  got: Tensor,
  expected: Tensor,
  tolerance: number | null,
  judge: Judge,
): number {
  if ((judge.sameDtype && got.dtype !== expected.dtype) || got.shape.join() !== expected.shape.join()) {
    throw disagreement(what, `${got.describe()} instead of ${expected.describe()}`, judge)
  }
  const error = relativeError(what, got.dataSync(), expected.dataSync(), judge)
  const isFloat = dtypes[got.dtype].kind === 'float'
  const allowed = isFloat ? (tolerance ?? tolerances[got.dtype] ?? 0) : 0
  if (error <= allowed) return error
  throw disagreement(what, `an error of ${error.toPrecision(2)} of its largest value, beyond ${allowed}`, judge)
}

/** The largest difference, relative to the largest magnitude. Throws where integers, infinities or NaN differ. */
function relativeError(
  what: string,
  got: DataArray | readonly number[],
  expected: DataArray | readonly number[],
  judge: Judge,
): number {
  let [error, scale] = [0, 0]
  for (let i = 0; i < expected.length; i++) {
    if (typeof expected[i] === 'bigint' && got[i] !== expected[i]) {
      throw disagreement(what, `element ${i} is ${got[i]} instead of ${expected[i]}`, judge)
    }
    const [a, b] = [Number(got[i]), Number(expected[i])]
    if (Number.isFinite(a) && Number.isFinite(b)) {
      error = Math.max(error, Math.abs(a - b))
      scale = Math.max(scale, Math.abs(b))
    } else if (!Object.is(a, b)) throw disagreement(what, `element ${i} is ${a} instead of ${b}`, judge)
  }
  return error === 0 ? 0 : error / (scale || 1)
}

function disagreement(what: string, how: string, { differ, fix }: Judge): AccuracyError {
  return new AccuracyError(`${what}: ${differ}: ${how}`, { at: null, fix })
}

/** Whether two results of one function agree: the check before anything is timed. */
import { AccuracyError } from '../base/errors.js'
import { leafPaths } from '../compile/capture.js'
import { describeTree } from '../compile/tree.js'
import type { DataArray } from '../tensor/host.js'
import type { Tensor } from '../tensor/tensor.js'
import { type Dtype, dtypes } from '../types/dtype.js'

/**
 * Allowed error, as a share of the largest value of the tensor. Fusing, and summing in another order, change roundings;
 * through a deep network they add up. Integers and booleans must be equal.
 */
const tolerances: Readonly<Partial<Record<Dtype, number>>> = { f64: 1e-10, f32: 1e-4, f16: 2e-2, bf16: 1e-1 }

/**
 * The largest error of `got`, as a share of the largest value of its tensor. Throws AccuracyError when structure, shape
 * or dtype differ, when NaN or infinities stand in other places, or when the error is beyond `tolerance` (default: by
 * dtype).
 */
export function requireAgreement(what: string, got: unknown, expected: unknown, tolerance: number | null): number {
  const [gotLeaves, expectedLeaves]: [Tensor[], Tensor[]] = [[], []]
  describeTree(got, gotLeaves, 'result')
  const paths = leafPaths(describeTree(expected, expectedLeaves, 'result'))
  if (gotLeaves.length !== expectedLeaves.length) {
    throw disagreement(what, `${gotLeaves.length} tensors instead of ${expectedLeaves.length}`)
  }
  const errors = expectedLeaves.map((leaf, i) => {
    const path = paths[i] ?? `tensor ${i}`
    return requireTensorAgreement(`${what}: ${path}`, gotLeaves[i]!, leaf, tolerance)
  })
  return Math.max(0, ...errors)
}

function requireTensorAgreement(what: string, got: Tensor, expected: Tensor, tolerance: number | null): number {
  if (got.dtype !== expected.dtype || got.shape.join() !== expected.shape.join()) {
    throw disagreement(what, `${got.describe()} instead of ${expected.describe()}`)
  }
  const error = relativeError(what, got.dataSync(), expected.dataSync())
  const isFloat = dtypes[expected.dtype].kind === 'float'
  const allowed = isFloat ? (tolerance ?? tolerances[expected.dtype] ?? 0) : 0
  if (error <= allowed) return error
  throw disagreement(what, `an error of ${error.toPrecision(2)} of its largest value, beyond ${allowed}`)
}

function relativeError(what: string, got: DataArray, expected: DataArray): number {
  let [error, scale] = [0, 0]
  for (let i = 0; i < expected.length; i++) {
    if (typeof expected[i] === 'bigint' && got[i] !== expected[i]) {
      throw disagreement(what, `element ${i} is ${got[i]} instead of ${expected[i]}`)
    }
    const [a, b] = [Number(got[i]), Number(expected[i])]
    if (Number.isFinite(a) && Number.isFinite(b)) {
      error = Math.max(error, Math.abs(a - b))
      scale = Math.max(scale, Math.abs(b))
    } else if (!Object.is(a, b)) throw disagreement(what, `element ${i} is ${a} instead of ${b}`)
  }
  return error === 0 ? 0 : error / (scale || 1)
}

function disagreement(what: string, how: string): AccuracyError {
  return new AccuracyError(`${what}: compiled and eager differ: ${how}`, {
    at: null,
    fix: 'if the function is ill-conditioned, allow more with --tolerance; if it is not, report it as a bug of Tegula',
  })
}

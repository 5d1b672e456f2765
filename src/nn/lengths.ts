/** How many elements of each sequence of a batch count. */
import { describeAny } from '../base/describe.js'
import { ArgumentError, DtypeError, ShapeError } from '../base/errors.js'
import { tensor } from '../tensor/host-data.js'
import { Tensor } from '../tensor/tensor.js'
import { currentTracer } from '../tensor/tracer.js'
import { isInteger } from '../types/dtype.js'

/** i64 [N], or numbers. */
export type Lengths = Tensor | readonly number[]

interface Fit {
  /** The function or layer that takes them. */
  readonly of: string
  /** The argument. */
  readonly name: string
  /** How many sequences there are. */
  readonly count: number
  /** The most that a length may be. */
  readonly most: number
  readonly like: Tensor
}

/**
 * As an i64 tensor [N] on the device of `like`.
 *
 * @throws ShapeError unless there are `count`, each from 0 to `most` (tensors on a GPU, or of a captured function, are not read);
 *   DtypeError for tensors of no integers; ArgumentError for other values
 */
export function lengthsTensor(given: unknown, { of, name, count, most, like }: Fit): Tensor {
  const isTensor = given instanceof Tensor
  if (!isTensor && !Array.isArray(given))
    throw new ArgumentError(`${of}: ${name} is ${describeAny(given)}, no tensor and no list`, {
      fix: 'pass one number for each sequence',
    })
  if (isTensor && !isInteger(given.dtype))
    throw new DtypeError(`${of}: ${name} is ${given.describe()}`, { fix: "pass integers: x.to('i64')" })
  const found = isTensor ? given.numel() : given.length
  if (found !== count)
    throw new ShapeError(`${of}: ${name} has ${found} lengths for ${count} sequences`, { fix: 'give one for each' })
  const values = valuesOf(given)
  const wrong = values.findIndex(each => !(Number.isInteger(each) && each >= 0 && each <= most))
  if (wrong >= 0)
    throw new ShapeError(`${of}: ${name} holds ${describeAny(values[wrong])}, not a length from 0 to ${most}`, {
      fix: 'lengths are at most what the sequences have',
    })
  const { device } = like
  return isTensor ? given.to({ dtype: 'i64', device }).reshape([-1]) : tensor([...given], { dtype: 'i64', device })
}

/** Those that can be read without waiting for a GPU. */
function valuesOf(given: Tensor | readonly number[]): readonly number[] {
  if (!(given instanceof Tensor)) return given
  if (given.device !== 'cpu' || currentTracer() !== null) return []
  return Array.from(given.dataSync() as ArrayLike<number | bigint>, Number)
}

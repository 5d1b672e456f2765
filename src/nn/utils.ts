/** Helpers of `torch.nn.utils`: sequences of several lengths, all parameters as one vector, weights that are computed. */
import { ArgumentError, inCall, ShapeError } from '../base/errors.js'
import { signature, takeArguments } from '../tensor/arguments.js'
import { noGrad } from '../tensor/autograd/mode.js'
import { requireTensor } from '../tensor/dispatch.js'
import { cat, stack } from '../tensor/functions.js'
import { split } from '../tensor/lists.js'
import type { Tensor } from '../tensor/tensor.js'

export {
  removeSpectralNorm,
  removeWeightNorm,
  type SpectralNormOptions,
  spectralNorm,
  type WeightNormOptions,
  weightNorm,
} from './norm-weights.js'

const padSignature = signature('sequences: tensors, batchFirst: bool = false, paddingValue: number = 0')

/** Options of `padSequence`. */
export interface PadSequenceOptions {
  /** Whether the result is [N, T, *] instead of [T, N, *]. Default false. */
  readonly batchFirst?: boolean | undefined
  /** What is behind the end of each sequence. Default 0. */
  readonly paddingValue?: number | undefined
}

/**
 * Sequences [Tᵢ, *] of several lengths in one tensor, as long as the longest.
 *
 * @param sequences at least one
 * @returns [T, N, *], with batchFirst [N, T, *]
 * @throws ArgumentError for an empty list; ShapeError for 0-d tensors, and when other dims differ
 */
export function padSequence(sequences: readonly Tensor[], options?: PadSequenceOptions): Tensor
export function padSequence(...args: readonly unknown[]): Tensor {
  const { sequences, batchFirst, paddingValue } = takeArguments('padSequence', padSignature, args)
  if (sequences.length === 0)
    throw new ArgumentError('padSequence: there are no sequences', { fix: 'give at least one' })
  const single = sequences.find(each => each.ndim === 0)
  if (single !== undefined)
    throw new ShapeError(`padSequence: ${single.describe()} is no sequence`, { fix: 'give it a dim: x.unsqueeze(0)' })
  const longest = Math.max(...sequences.map(each => each.shape[0]!))
  const rows = sequences.map(each => {
    const missing = longest - each.shape[0]!
    const others = Array.from({ length: 2 * (each.ndim - 1) }, () => 0)
    return missing === 0 ? each : each.pad([...others, 0, missing], { value: paddingValue })
  })
  return inCall('padSequence', () => stack(rows, batchFirst ? 0 : 1))
}

function requireTensors(callee: string, list: readonly unknown[]): void {
  for (const [i, each] of list.entries()) requireTensor(callee, each, `tensor ${i}`)
}

/** All elements of the parameters, one after the other, in one dim. */
export function parametersToVector(parameters: Iterable<Tensor>): Tensor {
  const list = [...parameters]
  if (list.length === 0)
    throw new ArgumentError('parametersToVector: there are no parameters', { fix: 'pass net.parameters()' })
  requireTensors('parametersToVector', list)
  return cat(list.map(parameter => parameter.reshape([-1])))
}

/**
 * Writes the elements of a vector into the parameters, in their order.
 *
 * @throws ShapeError unless the vector has as many elements
 */
export function vectorToParameters(vector: Tensor, parameters: Iterable<Tensor>): void {
  const list = [...parameters]
  requireTensors('vectorToParameters', [vector, ...list])
  const counts = list.map(parameter => parameter.numel())
  const count = counts.reduce((a, b) => a + b, 0)
  if (vector.ndim !== 1 || vector.numel() !== count)
    throw new ShapeError(`vectorToParameters: ${vector.describe()} for ${count} elements of parameters`, {
      fix: 'give a vector of as many elements: parametersToVector(net.parameters())',
    })
  noGrad(() => {
    for (const [i, part] of split(vector, counts).entries()) list[i]!.copy_(part.reshape(list[i]!.shape))
  })
}

/** Helpers of `torch.nn.utils`: sequences of several lengths, and all parameters as one vector. */
import { ShapeError } from '../base/errors.js'
import { noGrad } from '../tensor/autograd/mode.js'
import { cat } from '../tensor/functions.js'
import { split } from '../tensor/lists.js'
import type { Tensor } from '../tensor/tensor.js'

export {
  type BatchFirst,
  PackedSequence,
  type PadPackedOptions,
  packPaddedSequence,
  packSequence,
  padPackedSequence,
  padSequence,
} from './packed.js'

/** All elements of the parameters, one after the other, in one dim. */
export const parametersToVector = (parameters: Iterable<Tensor>): Tensor =>
  cat([...parameters].map(parameter => parameter.reshape([-1])))

/**
 * Writes the elements of a vector into the parameters, in their order.
 *
 * @throws ShapeError unless the vector has as many elements
 */
export function vectorToParameters(vector: Tensor, parameters: Iterable<Tensor>): void {
  const list = [...parameters]
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

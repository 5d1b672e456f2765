import { ShapeError } from '../base/errors.js'
import { signature, takeArguments } from '../tensor/arguments.js'
import { arange, onesLike } from '../tensor/create.js'
import { stack } from '../tensor/functions.js'
import { meshgrid } from '../tensor/lists.js'
import type { Tensor } from '../tensor/tensor.js'
import type { TensorDtype } from '../types/dtype.js'

const affineSignature = signature('theta, size: ints, alignCorners: bool = false')

/** The centres of `count` elements between −1 and 1; with `alignCorners` the outer ones are at −1 and 1. */
function centres(count: number, alignCorners: boolean, like: Tensor): Tensor {
  const at = arange(count, { dtype: like.dtype as TensorDtype, device: like.device }).mul(2)
  if (alignCorners) return count === 1 ? at : at.div(count - 1).sub(1)
  return at.add(1).div(count).sub(1)
}

/**
 * The grid of points for `gridSample` that an affine map brings the elements of the result to.
 *
 * @param theta matrices [N, 2, 3] of images, [N, 3, 4] of volumes; floats
 * @param size of the result of `gridSample`: [N, C, H, W], or [N, C, D, H, W]
 * @param alignCorners as it is given to `gridSample`: −1 and 1 are the centres of the outer elements, not their edges. Default false
 * @returns [N, H, W, 2] or [N, D, H, W, 3], the last dim in the order x, y, z; the dtype of `theta`
 * @throws ShapeError when theta does not fit the size
 */
export function affineGrid(
  theta: Tensor,
  size: readonly number[],
  alignCorners?: boolean | { readonly alignCorners?: boolean | undefined },
): Tensor
export function affineGrid(...args: readonly unknown[]): Tensor {
  const { theta, size, alignCorners } = takeArguments('affineGrid', affineSignature, args)
  const dims = size.length - 2
  const [count, rows, columns] = theta.shape
  const isSize = (dims === 2 || dims === 3) && size.every(each => each >= 0)
  if (!isSize || theta.ndim !== 3 || rows !== dims || columns !== dims + 1 || count !== size[0])
    throw new ShapeError(`affineGrid: theta ${theta.describe()} does not fit the size [${size.join(', ')}]`, {
      fix: 'give matrices [N, 2, 3] with a size [N, C, H, W], or [N, 3, 4] with [N, C, D, H, W]',
    })
  const axes = meshgrid(
    size.slice(2).map(each => centres(each, alignCorners, theta)),
    { indexing: 'ij' },
  ).reverse()
  const points = stack([...axes, onesLike(axes[0]!)], -1).reshape([-1, dims + 1])
  return points.matmul(theta.transpose(1, 2)).reshape([size[0]!, ...size.slice(2), dims])
}

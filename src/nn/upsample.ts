/** PyTorch's older names of `interpolate`. */
import { signature, takeArguments } from '../tensor/arguments.js'
import { interpolate } from '../tensor/functions.js'
import type { SizeLike } from '../tensor/parameters.js'
import type { Tensor } from '../tensor/tensor.js'

/** Size or scale factor of the spatial dims: one number for all or one per dim. Exactly one of the two is given. */
type Size = SizeLike | readonly SizeLike[] | null
type Factor = number | readonly number[] | null

/** How `upsample` interpolates between elements: see `interpolate`. */
export type UpsampleMode = 'nearest' | 'linear' | 'bilinear' | 'trilinear' | 'bicubic'

interface Sizes {
  readonly size?: Size | undefined
  readonly scaleFactor?: Factor | undefined
}
interface UpsampleOptions extends Sizes {
  readonly mode?: UpsampleMode | undefined
  readonly alignCorners?: boolean | null | undefined
}

const sizes = 'self, size: size | sizes | null = null, scaleFactor: number | numbers | null = null'
const sizesSignature = signature(sizes)
const upsampleSignature = signature(
  `${sizes}, mode: 'nearest' | 'linear' | 'bilinear' | 'trilinear' | 'bicubic' = 'nearest', alignCorners: bool | null = null`,
)

/**
 * As `interpolate`, which has more modes: resizes the spatial dims of [N, C, …]; the dtype of `input`.
 *
 * @param input [N, C, …] with one to three spatial dims
 * @param size of the spatial dims, one number for all or one per dim; either this or `scaleFactor`
 * @param scaleFactor the factor of the spatial sizes
 * @param mode 'nearest' by default
 * @param alignCorners align the centres of the corner elements instead of their edges; false by default
 * @throws ArgumentError, ShapeError, DtypeError as `interpolate`
 */
export function upsample(
  input: Tensor,
  size?: Size,
  scaleFactor?: Factor,
  mode?: UpsampleMode,
  alignCorners?: boolean | null,
): Tensor
export function upsample(
  ...args:
    | [input: Tensor, options?: UpsampleOptions]
    | [input: Tensor, size: Size | undefined, options?: Omit<UpsampleOptions, 'size'>]
): Tensor
export function upsample(...args: readonly unknown[]): Tensor {
  const { self, ...options } = takeArguments('upsample', upsampleSignature, args)
  return interpolate(self, options as UpsampleOptions)
}

/**
 * As `interpolate` in mode 'nearest'.
 *
 * @param input [N, C, …] with one to three spatial dims
 * @param size of the spatial dims, one number for all or one per dim; either this or `scaleFactor`
 * @param scaleFactor the factor of the spatial sizes
 * @throws ArgumentError, ShapeError as `interpolate`
 */
export function upsampleNearest(input: Tensor, size?: Size, scaleFactor?: Factor): Tensor
export function upsampleNearest(input: Tensor, options?: Sizes): Tensor
export function upsampleNearest(...args: readonly unknown[]): Tensor {
  const { self, ...options } = takeArguments('upsampleNearest', sizesSignature, args)
  return interpolate(self, { ...(options as Sizes), mode: 'nearest' })
}

/**
 * As `interpolate` in mode 'bilinear' with `alignCorners`: resizes images [N, C, H, W], aligning the corner elements' centres.
 *
 * @param input [N, C, …] with one to three spatial dims
 * @param size of the spatial dims, one number for all or one per dim; either this or `scaleFactor`
 * @param scaleFactor the factor of the spatial sizes
 * @throws ArgumentError, ShapeError, DtypeError as `interpolate`
 */
export function upsampleBilinear(input: Tensor, size?: Size, scaleFactor?: Factor): Tensor
export function upsampleBilinear(input: Tensor, options?: Sizes): Tensor
export function upsampleBilinear(...args: readonly unknown[]): Tensor {
  const { self, ...options } = takeArguments('upsampleBilinear', sizesSignature, args)
  return interpolate(self, { ...(options as Sizes), mode: 'bilinear', alignCorners: true })
}

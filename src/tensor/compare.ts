/** Comparisons of whole tensors that give a JavaScript boolean: they read, so in compiled functions they are graph breaks. */
import { requireTensor } from './dispatch.js'
import { eq, isclose } from './functions.js'
import type { Tensor } from './tensor.js'

interface CloseOptions {
  readonly rtol?: number
  readonly atol?: number
  readonly equalNan?: boolean
}

/**
 * Whether |input − other| ≤ atol + rtol · |other| everywhere; the two broadcast. Throws what `isclose` throws.
 *
 * @example allclose(x, y, { rtol: 1e-4, equalNan: true })
 */
export function allclose(input: Tensor, other: Tensor, options: CloseOptions = {}): boolean {
  const [x, y] = [requireTensor('allclose', input, 'the input'), requireTensor('allclose', other, 'the other')]
  return isclose(x, y, options).all().itemSync() !== 0
}

/** Whether both have one shape and equal elements (NaN equals nothing). */
export function equal(input: Tensor, other: Tensor): boolean {
  const [x, y] = [requireTensor('equal', input, 'the input'), requireTensor('equal', other, 'the other')]
  if (x.ndim !== y.ndim || x.shape.some((size, d) => size !== y.shape[d])) return false
  return eq(x, y).all().itemSync() !== 0
}

/** Comparisons of whole tensors that give a JavaScript boolean: they read, so in compiled functions they are graph breaks. */
import { signature, takeArguments } from './arguments.js'
import { eq, isclose } from './functions.js'
import type { Tensor } from './tensor.js'

interface CloseOptions {
  readonly rtol?: number | undefined
  readonly atol?: number | undefined
  readonly equalNan?: boolean | undefined
}

const closeSignature = signature('self, other, rtol: number = 1e-5, atol: number = 1e-8, equalNan: bool = false')

/**
 * Whether |input − other| ≤ atol + rtol · |other| everywhere; the two broadcast.
 *
 * @param rtol 1e-5 by default
 * @param atol 1e-8 by default
 * @param equalNan whether NaN is close to NaN; false by default
 * @throws what `isclose` throws
 * @example allclose(x, y, { rtol: 1e-4, equalNan: true })
 */
export function allclose(input: Tensor, other: Tensor, rtol?: number, atol?: number, equalNan?: boolean): boolean
export function allclose(
  ...args:
    | [input: Tensor, other: Tensor, options?: CloseOptions]
    | [input: Tensor, options: CloseOptions & { readonly other: Tensor }]
): boolean
export function allclose(...args: readonly unknown[]): boolean {
  const { self, other, ...limits } = takeArguments('allclose', closeSignature, args)
  return isclose(self, other, limits).all().itemSync() !== 0
}

const equalSignature = signature('self, other')

/**
 * Whether both have one shape and equal elements (NaN equals nothing). Reads the values.
 *
 * @param input one tensor
 * @param other the other, of any shape and dtype
 * @returns a boolean, not a tensor
 * @throws ArgumentError for what is no tensor
 */
export function equal(input: Tensor, other: Tensor): boolean
export function equal(...args: readonly unknown[]): boolean {
  const { self: x, other: y } = takeArguments('equal', equalSignature, args)
  if (x.ndim !== y.ndim || x.shape.some((size, d) => size !== y.shape[d])) return false
  return eq(x, y).all().itemSync() !== 0
}

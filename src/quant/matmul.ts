/** Matmuls of quantised tensors: operands are dequantised inside the GEMM kernel. */
import { ArgumentError } from '../base/errors.js'
import { type GateActivation, quantRecords } from '../graph/ops/quantised.js'
import { signature } from '../tensor/arguments.js'
import { applyOp, requireTensor } from '../tensor/dispatch.js'
import type { Tensor } from '../tensor/tensor.js'
import { type Dtype, isFloat, type TensorDtype } from '../types/dtype.js'
import { operandOf, type QuantizedTensor, takeOperands } from './quantized-tensor.js'

/** Options of `scaledMatmul`. */
export interface ScaledMatmulOptions {
  /** [N], added before the result is rounded. */
  readonly bias?: Tensor | null
  /** Default: the dtype of the operand that is not quantised; f32 if both are quantised. */
  readonly outDtype?: TensorDtype
}

/** Throws ArgumentError when the dtype is not a float. */
export function outDtypeOf(op: string, dtype: Dtype | null): TensorDtype | null {
  if (dtype !== null && !isFloat(dtype))
    throw new ArgumentError(`${op}: outDtype ${dtype} is not a float`, { fix: "use 'f32', 'f16' or 'bf16'" })
  return dtype as TensorDtype | null
}

/** An optional tensor. Throws ArgumentError for anything else. */
export const optionalTensor = (op: string, given: unknown, role: string): Tensor | null =>
  given === null ? null : requireTensor(op, given, role)

const scaledSignature = signature('a: value, b: value, *, bias: value = null, outDtype: dtype | null = null')

/**
 * a · bᵀ + bias: a [… , M, K] and b [N, K] (or [… , N, K], whose batch dims broadcast with a's), each a tensor (f32, f16,
 * bf16) or a quantised tensor. Sums are f32, and the result is rounded once. Operands are multiplied in a 16-bit float only
 * where it represents the decoded elements exactly (mxfp8 in bf16: down to 2⁻¹²⁶, below which bf16 has fewer bits), or (int8,
 * int4 with float scales) in the dtype of the other operand.
 *
 * @param a [… , M, K]
 * @param b [N, K] or [… , N, K]
 * @param options `bias` [N]; `outDtype`: default: the dtype of the operand that is not quantised, f32 if both are quantised
 * @returns [… , M, N]
 * @throws ShapeError when K differs or the bias is not [N]
 * @throws DtypeError for other dtypes
 * @throws ArgumentError when an operand is neither a tensor nor a quantised tensor
 * @example scaledMatmul(x, quantize(weight, 'nvfp4'), { bias })
 */
export function scaledMatmul(
  a: Tensor | QuantizedTensor,
  b: Tensor | QuantizedTensor,
  options?: ScaledMatmulOptions,
): Tensor
export function scaledMatmul(
  options: ScaledMatmulOptions & { readonly a: Tensor | QuantizedTensor; readonly b: Tensor | QuantizedTensor },
): Tensor
export function scaledMatmul(...args: readonly unknown[]): Tensor {
  const { a, b, ...given } = takeOperands('scaledMatmul', scaledSignature, args)
  const bias = optionalTensor('scaledMatmul', given.bias, 'the bias')
  const outDtype = outDtypeOf('scaledMatmul', given.outDtype)
  const operands = [operandOf('scaledMatmul', 'a', a), operandOf('scaledMatmul', 'b', b)]
  return applyOp(quantRecords.scaledMatmul, [...operands, { bias, outDtype }])[0]!
}

/** Options of `dualMatmul`. */
export interface DualMatmulOptions {
  /** The activation function of the gate: 'silu' (default), 'gelu' or 'relu'. */
  readonly activation?: GateActivation
  /** [N], added to the first matmul. */
  readonly bias1?: Tensor | null
  /** [N], added to the second matmul. */
  readonly bias2?: Tensor | null
  /** Default: as in `scaledMatmul`. */
  readonly outDtype?: TensorDtype
}

const dualSignature = signature(
  "a: value, b1: value, b2: value, *, activation: 'silu' | 'gelu' | 'relu' = 'silu', bias1: value = null, bias2: value = null, outDtype: dtype | null = null",
)

/**
 * activation(a · b1ᵀ + bias1) · (a · b2ᵀ + bias2): a [… , M, K], b1 and b2 [N, K], each a tensor or a quantised tensor. Both
 * matmuls accumulate in f32, and the result is rounded once.
 *
 * @param a [… , M, K]
 * @param b1 the gate's matrix, [N, K]
 * @param b2 the other matrix, [N, K]
 * @param options see `DualMatmulOptions`
 * @returns [… , M, N]
 * @throws as `scaledMatmul`
 */
export function dualMatmul(
  a: Tensor | QuantizedTensor,
  b1: Tensor | QuantizedTensor,
  b2: Tensor | QuantizedTensor,
  options?: DualMatmulOptions,
): Tensor
export function dualMatmul(
  options: DualMatmulOptions & {
    readonly a: Tensor | QuantizedTensor
    readonly b1: Tensor | QuantizedTensor
    readonly b2: Tensor | QuantizedTensor
  },
): Tensor
export function dualMatmul(...args: readonly unknown[]): Tensor {
  const { a, b1, b2, activation, ...given } = takeOperands('dualMatmul', dualSignature, args)
  const bias1 = optionalTensor('dualMatmul', given.bias1, 'bias1')
  const bias2 = optionalTensor('dualMatmul', given.bias2, 'bias2')
  const outDtype = outDtypeOf('dualMatmul', given.outDtype)
  const operands = (
    [
      ['a', a],
      ['b1', b1],
      ['b2', b2],
    ] as const
  ).map(([role, each]) => operandOf('dualMatmul', role, each))
  return applyOp(quantRecords.dualMatmul, [...operands, { bias1, bias2, activation, outDtype }])[0]!
}

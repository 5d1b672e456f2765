/** Products of quantised tensors: each operand is decoded on its way into the product. */
import { ArgumentError } from '../base/errors.js'
import { checkOptions, parseDtype } from '../graph/ops/arguments.js'
import { type GateActivation, quantRecords } from '../graph/ops/quantised.js'
import { applyOp, requireTensor } from '../tensor/dispatch.js'
import type { Tensor } from '../tensor/tensor.js'
import { isFloat, type TensorDtype } from '../types/dtype.js'
import { operandOf, type QuantizedTensor } from './quantized-tensor.js'

export interface ScaledMatmulOptions {
  /** [N], added before the result is rounded. */
  readonly bias?: Tensor | null
  /** Default: the dtype of the operand that is no quantised one; f32 where both are. */
  readonly outDtype?: TensorDtype
}

/** Throws ArgumentError for what is no float. */
export function outDtypeOf(op: string, dtype: TensorDtype | undefined): TensorDtype | null {
  const parsed = parseDtype(op, dtype)
  if (parsed !== null && !isFloat(parsed))
    throw new ArgumentError(`${op}: outDtype ${dtype} is no float`, { fix: "use 'f32', 'f16' or 'bf16'" })
  return parsed as TensorDtype | null
}

/** A tensor that may be left out. Throws ArgumentError for what is none. */
export const optionalTensor = (op: string, given: Tensor | null | undefined, role: string): Tensor | null =>
  given === null || given === undefined ? null : requireTensor(op, given, role)

/**
 * a · bᵀ + bias: a [… , M, K] and b [N, K] (or [… , N, K], whose batch dims broadcast with a's), each a tensor (f32, f16,
 * bf16) or a quantised one. Sums are f32, and the result is rounded once. Operands are multiplied in a 16-bit float only
 * where it holds the decoded elements exactly (mxfp8 in bf16: down to 2⁻¹²⁶, below which bf16 has fewer bits), or (int8,
 * int4 with float scales) in the dtype of the other operand.
 *
 * Throws ShapeError, DtypeError or ArgumentError before anything is computed.
 *
 * @example scaledMatmul(x, quantize(weight, 'nvfp4'), { bias })
 */
export function scaledMatmul(
  a: Tensor | QuantizedTensor,
  b: Tensor | QuantizedTensor,
  options: ScaledMatmulOptions = {},
): Tensor {
  checkOptions('scaledMatmul', options, ['bias', 'outDtype'])
  const bias = optionalTensor('scaledMatmul', options.bias, 'the bias')
  const outDtype = outDtypeOf('scaledMatmul', options.outDtype)
  const operands = [operandOf('scaledMatmul', 'a', a), operandOf('scaledMatmul', 'b', b)]
  return applyOp(quantRecords.scaledMatmul, [...operands, { bias, outDtype }])[0]!
}

export interface DualMatmulOptions {
  /** What gates: 'silu' (default), 'gelu' or 'relu'. */
  readonly activation?: GateActivation
  /** [N] each. */
  readonly bias1?: Tensor | null
  readonly bias2?: Tensor | null
  readonly outDtype?: TensorDtype
}

const activations: readonly unknown[] = ['silu', 'gelu', 'relu'] satisfies readonly GateActivation[]

/** What gates, or the default. Throws ArgumentError for anything else. */
export function activationOf(op: string, activation: GateActivation = 'silu'): GateActivation {
  if (activations.includes(activation)) return activation
  throw new ArgumentError(`${op}: activation '${String(activation)}'`, { fix: "use 'silu', 'gelu' or 'relu'" })
}

/**
 * activation(a · b1ᵀ + bias1) · (a · b2ᵀ + bias2): a [… , M, K], b1 and b2 [N, K], each a tensor or a quantised one. Both
 * products are summed in f32, and the result is rounded once. Throws as `scaledMatmul`.
 */
export function dualMatmul(
  a: Tensor | QuantizedTensor,
  b1: Tensor | QuantizedTensor,
  b2: Tensor | QuantizedTensor,
  options: DualMatmulOptions = {},
): Tensor {
  checkOptions('dualMatmul', options, ['activation', 'bias1', 'bias2', 'outDtype'])
  const bias1 = optionalTensor('dualMatmul', options.bias1, 'bias1')
  const bias2 = optionalTensor('dualMatmul', options.bias2, 'bias2')
  const activation = activationOf('dualMatmul', options.activation)
  const outDtype = outDtypeOf('dualMatmul', options.outDtype)
  const operands = (
    [
      ['a', a],
      ['b1', b1],
      ['b2', b2],
    ] as const
  ).map(([role, each]) => operandOf('dualMatmul', role, each))
  return applyOp(quantRecords.dualMatmul, [...operands, { bias1, bias2, activation, outDtype }])[0]!
}

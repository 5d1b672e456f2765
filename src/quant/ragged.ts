/** Ragged matmuls: rows in groups, each group with its own matrix, such as the experts of a mixture. */
import type { GateActivation } from '../graph/ops/quantised.js'
import { raggedRecords } from '../graph/ops/ragged.js'
import { signature } from '../tensor/arguments.js'
import { applyOp, requireTensor } from '../tensor/dispatch.js'
import type { Tensor } from '../tensor/tensor.js'
import type { TensorDtype } from '../types/dtype.js'
import { optionalTensor, outDtypeOf } from './matmul.js'
import { operandOf, type QuantizedTensor, takeOperands } from './quantized-tensor.js'

/** Options of `raggedMatmul`. */
export interface RaggedMatmulOptions {
  /** [G, N], added before the result is rounded. */
  readonly bias?: Tensor | null
  /** [G], a factor for the results of each group: the scales of experts that were quantised separately. */
  readonly factor?: Tensor | null
  /** Default: the dtype of the operand that is not quantised; f32 if both are quantised. */
  readonly outDtype?: TensorDtype
}

const raggedSignature = signature(
  'a: value, b: value, offsets: value, *, bias: value = null, factor: value = null, outDtype: dtype | null = null',
)

/**
 * a · b[g]ᵀ + bias[g], where g is the row's group: a [T, K] contains the rows group by group, b [G, N, K] one matrix per
 * group; each is a tensor (f32, f16, bf16) or a quantised tensor. Returns [T, N], summed in f32 and rounded once.
 *
 * `offsets` (i32 or i64, on the same device; the values are only read on the device) contains the ends of the groups: [G] ends,
 * as in PyTorch's grouped matmuls, or [G + 1] with the first group's start in front. Row t is in the first group whose end is
 * greater than t. So equal ends mean an empty group, as does an end below an earlier one; ends beyond the rows count as the
 * number of rows; rows before the first group, or behind the last, give 0.
 *
 * Throws ShapeError, DtypeError or ArgumentError before anything is computed.
 *
 * @example raggedMatmul(x, quantize(experts, 'nvfp4'), counts.cumsum(0))
 */
export function raggedMatmul(
  a: Tensor | QuantizedTensor,
  b: Tensor | QuantizedTensor,
  offsets: Tensor,
  options?: RaggedMatmulOptions,
): Tensor
export function raggedMatmul(
  options: RaggedMatmulOptions & {
    readonly a: Tensor | QuantizedTensor
    readonly b: Tensor | QuantizedTensor
    readonly offsets: Tensor
  },
): Tensor
export function raggedMatmul(...args: readonly unknown[]): Tensor {
  const { a, b, offsets, ...given } = takeOperands('raggedMatmul', raggedSignature, args)
  const bias = optionalTensor('raggedMatmul', given.bias, 'the bias')
  const factor = optionalTensor('raggedMatmul', given.factor, 'the factor')
  const outDtype = outDtypeOf('raggedMatmul', given.outDtype)
  const operands = [operandOf('raggedMatmul', 'a', a), operandOf('raggedMatmul', 'b', b)]
  const ends = requireTensor('raggedMatmul', offsets, 'offsets')
  return applyOp(raggedRecords.raggedMatmul, [...operands, ends, { bias, factor, outDtype }])[0]!
}

/** Options of `raggedDualMatmul`. */
export interface RaggedDualMatmulOptions {
  /** The activation function of the gate: 'silu' (default), 'gelu' or 'relu'. */
  readonly activation?: GateActivation
  /** [G, N], added to the first matmul. */
  readonly bias1?: Tensor | null
  /** [G, N], added to the second matmul. */
  readonly bias2?: Tensor | null
  /** [G], a factor for the first matmul's results of each group. */
  readonly factor1?: Tensor | null
  /** [G], a factor for the second matmul's results of each group. */
  readonly factor2?: Tensor | null
  /** Default: as in `raggedMatmul`. */
  readonly outDtype?: TensorDtype
}

const raggedDualSignature = signature(
  "a: value, b1: value, b2: value, offsets: value, *, activation: 'silu' | 'gelu' | 'relu' = 'silu', bias1: value = null, bias2: value = null, factor1: value = null, factor2: value = null, outDtype: dtype | null = null",
)

/**
 * activation(a · b1[g]ᵀ + bias1[g]) · (a · b2[g]ᵀ + bias2[g]), where g is the row's group: the first half of a gated
 * expert. Rows, matrices and offsets as in `raggedMatmul`; both matmuls share one K loop, and the result is rounded once.
 * Throws as `raggedMatmul`.
 */
export function raggedDualMatmul(
  a: Tensor | QuantizedTensor,
  b1: Tensor | QuantizedTensor,
  b2: Tensor | QuantizedTensor,
  offsets: Tensor,
  options?: RaggedDualMatmulOptions,
): Tensor
export function raggedDualMatmul(
  options: RaggedDualMatmulOptions & {
    readonly a: Tensor | QuantizedTensor
    readonly b1: Tensor | QuantizedTensor
    readonly b2: Tensor | QuantizedTensor
    readonly offsets: Tensor
  },
): Tensor
export function raggedDualMatmul(...args: readonly unknown[]): Tensor {
  const name = 'raggedDualMatmul'
  const { a, b1, b2, offsets, activation, ...options } = takeOperands(name, raggedDualSignature, args)
  const given = (role: 'bias1' | 'bias2' | 'factor1' | 'factor2'): Tensor | null =>
    optionalTensor(name, options[role], role)
  const outDtype = outDtypeOf(name, options.outDtype)
  const operands = [operandOf(name, 'a', a), operandOf(name, 'b1', b1), operandOf(name, 'b2', b2)]
  const ends = requireTensor(name, offsets, 'offsets')
  const extras = {
    bias1: given('bias1'),
    bias2: given('bias2'),
    factor1: given('factor1'),
    factor2: given('factor2'),
  }
  const call = { ...extras, activation, outDtype }
  return applyOp(raggedRecords.raggedDualMatmul, [...operands, ends, call])[0]!
}

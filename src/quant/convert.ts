/** Quantisation and dequantisation of tensors, and scale layouts. */
import { ArgumentError } from '../base/errors.js'
import { quantRecords } from '../graph/ops/quantised.js'
import type { DecodeMethod } from '../graph/quant/quantise.js'
import { type Arguments, signature, takeArguments } from '../tensor/arguments.js'
import { applyOp, requireTensor } from '../tensor/dispatch.js'
import type { Tensor } from '../tensor/tensor.js'
import { isFloat, type TensorDtype } from '../types/dtype.js'
import { type Block, type FormatOptions, type QuantFormatName, quantFormat, type ScaleLayout } from '../types/quant.js'
import { optionalTensor } from './matmul.js'
import {
  checkQuantized,
  operandOf,
  type QuantizedTensor,
  requireQuantized,
  shapeOf,
  takeOperands,
} from './quantized-tensor.js'

/** Options of `quantize`. */
export interface QuantizeOptions extends FormatOptions {
  /** Scale layout: 'linear' (default) or 'blocked', as cuBLASLt reads them. */
  readonly layout?: ScaleLayout
  /** nvfp4: a calibrated factor of the tensor, 0-d f32; by default derived from the largest element. */
  readonly tensorScale?: Tensor
  /** Values beyond the format's maximum become the maximum (default), or infinity or NaN, where the format has them. */
  readonly saturate?: boolean
}

const quantizeText =
  "x: value, format: value, *, block: value = null, scale: value = null, layout: 'linear' | 'blocked' = 'linear', tensorScale: value = null, saturate: bool = true" as const
const quantizeSignature = signature(quantizeText)

/**
 * x [… , K] in a format: each block along the last dim is scaled by its largest magnitude, and its elements are rounded to
 * nearest even. A NaN or infinity in a block makes its scale NaN, and thus the whole block, if the scale dtype has NaN.
 *
 * @param x a tensor of f32, f16 or bf16, [… , K]
 * @param format its name, one of `quantFormatNames`
 * @param options deviations from the format's defaults: see `QuantizeOptions`
 * @returns codes [… , K] (two per byte: K / 2) with scales [… , K / block]
 * @throws ArgumentError for unknown formats and options
 * @throws DtypeError for other dtypes
 * @throws ShapeError when K is not a multiple of the block
 * @example const w = quantize(weight, 'nvfp4')
 */
export function quantize(x: Tensor, format: QuantFormatName, options?: QuantizeOptions): QuantizedTensor
export function quantize(
  ...args:
    | [x: Tensor, options: QuantizeOptions & { readonly format: QuantFormatName }]
    | [options: QuantizeOptions & { readonly x: Tensor; readonly format: QuantFormatName }]
): QuantizedTensor
export function quantize(...args: readonly unknown[]): QuantizedTensor {
  const { format, facts, layout, parts } = takeQuantize('quantize', takeOperands('quantize', quantizeSignature, args))
  const [values, scales, tensorScale] = applyOp(quantRecords.quantize, parts) as [Tensor, Tensor, Tensor]
  const { block, scale } = facts
  const linear: QuantizedTensor = {
    format,
    block,
    scale,
    values,
    scales,
    tensorScale: facts.tensorScale ? tensorScale : null,
    layout: 'linear',
  }
  return layout === 'linear' ? linear : withLayout(linear, layout)
}

/** The checked arguments of `quantize`; `parts` are those of its op. */
function takeQuantize(op: string, args: Arguments<typeof quantizeText>) {
  const { x, layout, tensorScale: given, saturate, ...rest } = args
  // The valid options depend on the format: quantFormat checks them.
  const format = rest.format as QuantFormatName
  const changes = Object.fromEntries(
    Object.entries({ block: rest.block, scale: rest.scale }).filter(([, value]) => value !== null),
  ) as FormatOptions
  const facts = quantFormat(op, format, changes)
  checkLayout(op, format, facts.block, layout)
  const factor = optionalTensor(op, given, 'the tensor scale')
  if (factor !== null && !facts.tensorScale)
    throw new ArgumentError(`${op}: ${format} has no tensor scale`, { fix: 'leave tensorScale out' })
  return { format, facts, layout, parts: [requireTensor(op, x, 'the input'), { ...facts, saturate }, factor] }
}

/** Options of `fakeQuantize`. */
export type FakeQuantizeOptions = Omit<QuantizeOptions, 'layout'>

const fakeSignature = signature(
  'x: value, format: value, *, block: value = null, scale: value = null, tensorScale: value = null, saturate: bool = true',
)

/**
 * x rounded to what a format holds, `dequantize(quantize(x, format))` in x's dtype, as one op with a gradient: that of x is
 * the gradient of the result, as if nothing were rounded (straight through). For training what will be quantised later.
 *
 * @param x a tensor of f32, f16 or bf16, [… , K]
 * @param format its name, one of `quantFormatNames`
 * @param options as those of `quantize`
 * @returns the shape and dtype of x
 * @throws as `quantize`
 * @example const y = x.matmul(fakeQuantize(weight, 'nvfp4').t())
 */
export function fakeQuantize(x: Tensor, format: QuantFormatName, options?: FakeQuantizeOptions): Tensor
export function fakeQuantize(
  ...args:
    | [x: Tensor, options: FakeQuantizeOptions & { readonly format: QuantFormatName }]
    | [options: FakeQuantizeOptions & { readonly x: Tensor; readonly format: QuantFormatName }]
): Tensor
export function fakeQuantize(...args: readonly unknown[]): Tensor {
  const { parts } = takeQuantize('fakeQuantize', {
    ...takeOperands('fakeQuantize', fakeSignature, args),
    layout: 'linear',
  })
  return applyOp(quantRecords.fakeQuantize, parts)[0]!
}

/** Options of `dequantize`. */
export interface DequantizeOptions {
  /** mxint8: by multiplication, or by assembling sign, exponent and fraction. Both give the same bits. */
  readonly method?: DecodeMethod
}

const dequantizeSignature = signature("q: value, dtype: dtype = 'f32', *, method: 'arithmetic' | 'bits' = 'arithmetic'")

/**
 * The values of a quantised tensor, computed in f32 and rounded to `dtype`.
 *
 * @param q a quantised tensor
 * @param dtype a float; f32 by default
 * @param options `method`: how mxint8 is decoded, with the same bits either way
 * @returns [… , K]; `dtype`
 * @throws ArgumentError when `q` is not a quantised tensor, or `dtype` is not a float
 */
export function dequantize(q: QuantizedTensor, dtype?: TensorDtype, options?: DequantizeOptions): Tensor
export function dequantize(
  q: QuantizedTensor,
  options: DequantizeOptions & { readonly dtype?: TensorDtype | undefined },
): Tensor
export function dequantize(...args: readonly unknown[]): Tensor {
  const { q, dtype: to, method } = takeOperands('dequantize', dequantizeSignature, args)
  requireQuantized('dequantize', q)
  if (method === 'bits' && q.format !== 'mxint8')
    throw new ArgumentError(`dequantize: ${q.format} is not assembled from bits`, { fix: 'leave method out' })
  if (!isFloat(to)) throw new ArgumentError(`dequantize: ${to} is not a float`, { fix: "use 'f32', 'f16' or 'bf16'" })
  const { quant, tensors } = operandOf('dequantize', 'the input', q)
  return applyOp(quantRecords.dequantize, [tensors, { ...quant, dtype: to, method }])[0]!
}

const layoutSignature = signature("q: value, layout: 'linear' | 'blocked'")

/**
 * The same values with the scales in another layout.
 *
 * @param q a quantised tensor with scales per block
 * @param layout 'linear', or 'blocked' as cuBLASLt reads them
 * @throws ArgumentError for scales per row or per tensor, and as `quantizedTensor` when the parts do not fit
 */
export function withLayout(q: QuantizedTensor, layout: ScaleLayout): QuantizedTensor
export function withLayout(q: QuantizedTensor, options: { readonly layout: ScaleLayout }): QuantizedTensor
export function withLayout(...args: readonly unknown[]): QuantizedTensor {
  const { q, layout } = takeOperands('withLayout', layoutSignature, args)
  checkQuantized('withLayout', q)
  const { block } = q
  checkLayout('withLayout', q.format, block, layout)
  if (layout === q.layout || typeof block !== 'number') return q
  const [rows, K] = [1, ...shapeOf(q)].slice(-2) as [number, number]
  const scales = layout === 'blocked' ? toBlocked(q.scales) : fromBlocked(q.scales, rows, K / block)
  return { ...q, scales, layout }
}

function checkLayout(op: string, format: QuantFormatName, block: Block, layout: ScaleLayout): void {
  if (layout === 'blocked' && typeof block !== 'number')
    throw new ArgumentError(`${op}: ${format} with one scale for each ${block} has no blocks to lay out`, {
      fix: "use the layout 'linear'",
    })
}

/**
 * Scales in the layout that cuBLASLt and Blackwell read: tiles of 128 rows by 4 blocks, each 32 × 16 bytes. Rows are padded to
 * a multiple of 128 and blocks to a multiple of 4, with code 0.
 *
 * @param scales [… , rows, blocks], u8
 * @returns [… , bytes], u8
 * @throws ShapeError, DtypeError
 */
export function toBlocked(scales: Tensor): Tensor
export function toBlocked(...args: readonly unknown[]): Tensor {
  const { scales } = takeArguments('toBlocked', linearSignature, args)
  return applyOp(quantRecords.toBlocked, [scales])[0]!
}

const linearSignature = signature('scales')
const blockedSignature = signature('blocked, rows: count, blocks: count')

/**
 * The linear layout of blocked scales: the inverse of `toBlocked`.
 *
 * @param blocked [… , bytes], u8
 * @param rows number of rows without padding
 * @param blocks number of blocks per row
 * @returns [… , rows, blocks], u8
 * @throws ShapeError when the number of bytes does not match
 */
export function fromBlocked(blocked: Tensor, rows: number, blocks: number): Tensor
export function fromBlocked(blocked: Tensor, options: { readonly rows: number; readonly blocks: number }): Tensor
export function fromBlocked(...args: readonly unknown[]): Tensor {
  const { blocked, rows, blocks } = takeArguments('fromBlocked', blockedSignature, args)
  return applyOp(quantRecords.fromBlocked, [blocked, { rows, columns: blocks }])[0]!
}

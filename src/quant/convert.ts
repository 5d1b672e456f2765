/** Tensors to and from quantised form. */
import { ArgumentError } from '../base/errors.js'
import { quantRecords } from '../graph/ops/quantised.js'
import type { DecodeMethod } from '../graph/quant/quantise.js'
import { signature, takeArguments } from '../tensor/arguments.js'
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
  /** How scales are stored: 'linear' (default) or 'blocked', as cuBLASLt reads them. */
  readonly layout?: ScaleLayout
  /** nvfp4: a calibrated factor of the tensor, 0-d f32; by default the largest element's. */
  readonly tensorScale?: Tensor
  /** Beyond the largest value: that value (default), or infinity or NaN, where the format has them. */
  readonly saturate?: boolean
}

const quantizeSignature = signature(
  "x: value, format: value, *, block: value = null, scale: value = null, layout: 'linear' | 'blocked' = 'linear', tensorScale: value = null, saturate: bool = true",
)

/**
 * x [… , K] in a format: scales by the largest magnitude of each block along the last dim, elements to nearest even. NaN
 * or infinity in a block make its scale, and with it all of the block, NaN where scales have NaN.
 *
 * @param x a tensor of f32, f16 or bf16, [… , K]
 * @param format its name, one of `quantFormatNames`
 * @param options what of the format differs: see `QuantizeOptions`
 * @returns codes [… , K] (two to a byte: K / 2) with scales [… , K / block]
 * @throws ArgumentError for unknown formats and options
 * @throws DtypeError for other dtypes
 * @throws ShapeError when K is no whole number of blocks
 * @example const w = quantize(weight, 'nvfp4')
 */
export function quantize(x: Tensor, format: QuantFormatName, options?: QuantizeOptions): QuantizedTensor
export function quantize(
  ...args:
    | [x: Tensor, options: QuantizeOptions & { readonly format: QuantFormatName }]
    | [options: QuantizeOptions & { readonly x: Tensor; readonly format: QuantFormatName }]
): QuantizedTensor
export function quantize(...args: readonly unknown[]): QuantizedTensor {
  const { x, layout, tensorScale: given, saturate, ...rest } = takeOperands('quantize', quantizeSignature, args)
  // What these may be depends on the format: quantFormat looks at them.
  const format = rest.format as QuantFormatName
  const changes = Object.fromEntries(
    Object.entries({ block: rest.block, scale: rest.scale }).filter(([, value]) => value !== null),
  ) as FormatOptions
  const facts = quantFormat('quantize', format, changes)
  checkLayout('quantize', format, facts.block, layout)
  const factor = optionalTensor('quantize', given, 'the tensor scale')
  if (factor !== null && !facts.tensorScale)
    throw new ArgumentError(`quantize: ${format} has no tensor scale`, { fix: 'leave tensorScale out' })
  const input = requireTensor('quantize', x, 'the input')
  const parts = [input, { ...facts, saturate }, factor]
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

/** Options of `dequantize`. */
export interface DequantizeOptions {
  /** mxint8: by multiplication, or by assembling sign, exponent and fraction. Both give the same bits. */
  readonly method?: DecodeMethod
}

const dequantizeSignature = signature("q: value, dtype: dtype = 'f32', *, method: 'arithmetic' | 'bits' = 'arithmetic'")

/**
 * The numbers of a quantised tensor, computed in f32 and rounded to `dtype`.
 *
 * @param q a quantised tensor
 * @param dtype a float; f32 by default
 * @param options `method`: how mxint8 is decoded, with the same bits either way
 * @returns [… , K]; `dtype`
 * @throws ArgumentError for what is no quantised tensor, and a dtype that is no float
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
  if (!isFloat(to)) throw new ArgumentError(`dequantize: ${to} is no float`, { fix: "use 'f32', 'f16' or 'bf16'" })
  const { quant, tensors } = operandOf('dequantize', 'the input', q)
  return applyOp(quantRecords.dequantize, [tensors, { ...quant, dtype: to, method }])[0]!
}

const layoutSignature = signature("q: value, layout: 'linear' | 'blocked'")

/**
 * The same values with the scales in another layout.
 *
 * @param q a quantised tensor with scales of blocks
 * @param layout 'linear', or 'blocked' as cuBLASLt reads them
 * @throws ArgumentError for scales of rows or of the tensor, and as `quantizedTensor` where the parts do not fit
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
 * Scales as cuBLASLt and Blackwell read them: tiles of 128 rows by 4 blocks, each 32 × 16 bytes. Rows are padded to 128 and
 * blocks to 4 with code 0.
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
 * Scales in rows of blocked ones: what `toBlocked` made.
 *
 * @param blocked [… , bytes], u8
 * @param rows how many rows there are without padding
 * @param blocks how many blocks in a row
 * @returns [… , rows, blocks], u8
 * @throws ShapeError when the bytes are not those of that many
 */
export function fromBlocked(blocked: Tensor, rows: number, blocks: number): Tensor
export function fromBlocked(blocked: Tensor, options: { readonly rows: number; readonly blocks: number }): Tensor
export function fromBlocked(...args: readonly unknown[]): Tensor {
  const { blocked, rows, blocks } = takeArguments('fromBlocked', blockedSignature, args)
  return applyOp(quantRecords.fromBlocked, [blocked, { rows, columns: blocks }])[0]!
}

/** Tensors to and from quantised form. */
import { ArgumentError } from '../base/errors.js'
import { checkOptions, parseDtype } from '../graph/ops/arguments.js'
import { quantRecords } from '../graph/ops/quantised.js'
import type { DecodeMethod } from '../graph/quant/quantise.js'
import { applyOp, requireTensor } from '../tensor/dispatch.js'
import type { Tensor } from '../tensor/tensor.js'
import { isFloat, type TensorDtype } from '../types/dtype.js'
import { type Block, type FormatOptions, type QuantFormatName, quantFormat, type ScaleLayout } from '../types/quant.js'
import { checkQuantized, operandOf, type QuantizedTensor, requireQuantized, shapeOf } from './quantized-tensor.js'

export interface QuantizeOptions extends FormatOptions {
  /** Where scales lie: 'linear' (default) or 'blocked', as cuBLASLt reads them. */
  readonly layout?: ScaleLayout
  /** nvfp4: a calibrated factor of the tensor, 0-d f32; by default the largest element's. */
  readonly tensorScale?: Tensor
  /** Beyond the largest value: that value (default), or infinity or NaN, where the format has them. */
  readonly saturate?: boolean
}

/**
 * x [… , K] in a format: scales by the largest magnitude of each block along the last dim, elements to nearest even. NaN
 * or infinity in a block make its scale, and with it all of the block, NaN where scales have NaN.
 *
 * Throws ArgumentError for unknown formats and options, DtypeError unless x is f32, f16 or bf16, ShapeError when K is no
 * whole number of blocks.
 *
 * @example const w = quantize(weight, 'nvfp4')
 */
export function quantize(x: Tensor, format: QuantFormatName, options: QuantizeOptions = {}): QuantizedTensor {
  checkOptions('quantize', options, ['block', 'scale', 'layout', 'tensorScale', 'saturate'])
  const { layout = 'linear', tensorScale: given, saturate = true, ...changes } = options
  const facts = quantFormat('quantize', format, changes)
  checkLayout('quantize', format, facts.block, layout)
  if (typeof saturate !== 'boolean')
    throw new ArgumentError(`quantize: saturate is ${String(saturate)}`, { fix: 'use true or false' })
  if (given !== undefined) {
    requireTensor('quantize', given, 'the tensor scale')
    if (!facts.tensorScale)
      throw new ArgumentError(`quantize: ${format} has no tensor scale`, { fix: 'leave tensorScale out' })
  }
  const input = requireTensor('quantize', x, 'the input')
  const args = [input, { ...facts, saturate }, given ?? null]
  const [values, scales, tensorScale] = applyOp(quantRecords.quantize, args) as [Tensor, Tensor, Tensor]
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

export interface DequantizeOptions {
  /** mxint8: by products, or by assembling sign, exponent and fraction. Both give the same bits. */
  readonly method?: DecodeMethod
}

/** The numbers of a quantised tensor, computed in f32 and rounded to `dtype` (a float; default f32). */
export function dequantize(q: QuantizedTensor, dtype: TensorDtype = 'f32', options: DequantizeOptions = {}): Tensor {
  checkOptions('dequantize', options, ['method'])
  requireQuantized('dequantize', q)
  const { method = 'arithmetic' } = options
  if (method !== 'arithmetic' && method !== 'bits')
    throw new ArgumentError(`dequantize: method '${String(method)}'`, { fix: "use 'arithmetic' or 'bits'" })
  if (method === 'bits' && q.format !== 'mxint8')
    throw new ArgumentError(`dequantize: ${q.format} is not assembled from bits`, { fix: 'leave method out' })
  const to = parseDtype('dequantize', dtype)!
  if (!isFloat(to)) throw new ArgumentError(`dequantize: ${dtype} is no float`, { fix: "use 'f32', 'f16' or 'bf16'" })
  const { quant, tensors } = operandOf('dequantize', 'the input', q)
  return applyOp(quantRecords.dequantize, [tensors, { ...quant, dtype: to, method }])[0]!
}

/**
 * The same values with the scales in another layout. Throws ArgumentError for scales of rows or of the tensor, and as
 * `quantizedTensor` where the parts do not fit.
 */
export function withLayout(q: QuantizedTensor, layout: ScaleLayout): QuantizedTensor {
  checkQuantized('withLayout', q)
  const { block } = q
  checkLayout('withLayout', q.format, block, layout)
  if (layout === q.layout || typeof block !== 'number') return q
  const [rows, K] = [1, ...shapeOf(q)].slice(-2) as [number, number]
  const scales = layout === 'blocked' ? toBlocked(q.scales) : fromBlocked(q.scales, rows, K / block)
  return { ...q, scales, layout }
}

function checkLayout(op: string, format: QuantFormatName, block: Block, layout: ScaleLayout): void {
  if (layout !== 'linear' && layout !== 'blocked')
    throw new ArgumentError(`${op}: no layout '${String(layout)}'`, { fix: "use 'linear' or 'blocked'" })
  if (layout === 'blocked' && typeof block !== 'number')
    throw new ArgumentError(`${op}: ${format} with one scale for each ${block} has no blocks to lay out`, {
      fix: "use the layout 'linear'",
    })
}

/**
 * Scales [… , rows, blocks] as cuBLASLt and Blackwell read them: [… , bytes], tiles of 128 rows by 4 blocks, each 32 × 16
 * bytes. Rows are padded to 128 and blocks to 4 with code 0.
 */
export const toBlocked = (scales: Tensor): Tensor =>
  applyOp(quantRecords.toBlocked, [requireTensor('toBlocked', scales, 'the input')])[0]!

/** Scales [… , rows, blocks] of blocked ones. Throws ShapeError when the bytes are not those of that many. */
export function fromBlocked(blocked: Tensor, rows: number, blocks: number): Tensor {
  for (const [name, size] of Object.entries({ rows, blocks }))
    if (!Number.isSafeInteger(size) || size < 0)
      throw new ArgumentError(`fromBlocked: ${name} is ${String(size)}`, { fix: 'give how many there are' })
  const input = requireTensor('fromBlocked', blocked, 'the input')
  return applyOp(quantRecords.fromBlocked, [input, { rows, columns: blocks }])[0]!
}

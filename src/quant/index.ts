/** `tegula/quant`: low precision. Formats, conversion, and matmuls of quantised tensors. */
export type { GateActivation } from '../graph/ops/quantised.js'
export type { DecodeMethod } from '../graph/quant/quantise.js'
export {
  type Block,
  type FormatOptions,
  type QuantFormat,
  type QuantFormatName,
  quantFormatNames,
  quantFormats,
  type ScaleLayout,
  type ScaleName,
} from '../types/quant.js'
export {
  type DequantizeOptions,
  dequantize,
  type FakeQuantizeOptions,
  fakeQuantize,
  fromBlocked,
  type QuantizeOptions,
  quantize,
  toBlocked,
  withLayout,
} from './convert.js'
export {
  type GroupedMatmulOptions,
  type GroupStrategy,
  groupedMatmul,
  groupStrategies,
  type MatmulGroup,
} from './grouped.js'
export { type DualMatmulOptions, dualMatmul, type ScaledMatmulOptions, scaledMatmul } from './matmul.js'
export { isQuantized, type QuantizedParts, type QuantizedTensor, quantizedTensor, shapeOf } from './quantized-tensor.js'
export { type RaggedDualMatmulOptions, type RaggedMatmulOptions, raggedDualMatmul, raggedMatmul } from './ragged.js'

/**
 * A quantised tensor: ordinary tensors of codes and scales, and their format. It is a plain object, so that compiled functions
 * take and return it like any other tree of tensors; its parts are moved and saved as tensors.
 */
import { describeAny } from '../base/describe.js'
import { ArgumentError } from '../base/errors.js'
import { checkOptions } from '../graph/ops/arguments.js'
import type { QuantAttrs, QuantOperand } from '../graph/ops/quantised.js'
import { checkParts, type PartType } from '../graph/quant/check.js'
import type { Value } from '../graph/record.js'
import type { Signature } from '../graph/signature.js'
import { type Arguments, signature, takeArguments } from '../tensor/arguments.js'
import { requireTensor } from '../tensor/dispatch.js'
import { Tensor } from '../tensor/tensor.js'
import {
  type Block,
  elementFormats,
  type QuantFormatName,
  quantFormat,
  type ScaleLayout,
  type ScaleName,
} from '../types/quant.js'

/**
 * A quantised tensor: ordinary tensors of codes and scales, and their format. A plain object, so that compiled functions take
 * and return it like any other tree of tensors.
 */
export interface QuantizedTensor {
  /** The name of the format. */
  readonly format: QuantFormatName
  /** Elements along K that share a scale; fp8: 'row' or 'tensor'. */
  readonly block: Block
  /** How its scales are stored. */
  readonly scale: ScaleName
  /** Codes [… , rows, K] (two per byte: [… , rows, K/2]): u8, or i8 for int8 and mxint8. */
  readonly values: Tensor
  /**
   * One scale per block: [… , rows, K/block], or [… , bytes] in the blocked layout. u8 codes (e4m3, e8m0), or floats. Per row:
   * [… , rows]. Per tensor: 0-d.
   */
  readonly scales: Tensor
  /** nvfp4: the f32 factor (not divisor) of the whole tensor, 0-d; else null. */
  readonly tensorScale: Tensor | null
  /** The memory layout of the scales. */
  readonly layout: ScaleLayout
}

/** Parts of a quantised tensor that were made elsewhere; omitted fields take the format's defaults. */
export type QuantizedParts = Pick<QuantizedTensor, 'format' | 'values' | 'scales'> & Partial<QuantizedTensor>

/** A quantised tensor from parts made elsewhere. Throws ArgumentError, DtypeError or ShapeError when they do not fit. */
export function quantizedTensor(parts: QuantizedParts): QuantizedTensor
export function quantizedTensor(...args: readonly unknown[]): QuantizedTensor {
  const op = 'quantizedTensor'
  if (args.length > 1)
    throw new ArgumentError(`${op}: takes one object, got ${args.length} arguments`, {
      fix: 'quantizedTensor({ format, values, scales })',
    })
  const parts = args[0] as QuantizedParts
  checkOptions(op, parts, ['format', 'block', 'scale', 'values', 'scales', 'tensorScale', 'layout'])
  const { format: name, values, scales, tensorScale = null, layout = 'linear', ...options } = parts
  const facts = quantFormat(op, name, options)
  const { block, scale } = facts
  const made: QuantizedTensor = { format: name, block, scale, values, scales, tensorScale, layout }
  checkQuantized(op, made)
  return made
}

/** Throws ArgumentError, DtypeError or ShapeError unless it is a quantised tensor whose parts fit each other. */
export function checkQuantized(op: string, q: unknown): asserts q is QuantizedTensor {
  requireQuantized(op, q)
  const { quant, tensors } = operandOf(op, 'the tensor', q)
  const [values, scales, factor] = tensors.map(asType) as [PartType, PartType, PartType?]
  checkParts(op, quant!, q.layout, { values, scales, tensorScale: factor ?? null })
}

export function requireQuantized(op: string, q: unknown): asserts q is QuantizedTensor {
  if (isQuantized(q)) return
  throw new ArgumentError(`${op}: ${describeAny(q)} is not a quantised tensor`, {
    fix: "make one: quantize(x, 'nvfp4')",
  })
}

/** True for objects that have the parts of a quantised tensor. */
export const isQuantized = (value: unknown): value is QuantizedTensor =>
  typeof value === 'object' && value !== null && !(value instanceof Tensor) && 'format' in value && 'values' in value

/**
 * The arguments of a call to functions whose operands are tensors or quantised tensors; the functions check the operands
 * themselves.
 */
export const takeOperands = <Text extends string>(
  name: string,
  signature: Signature<Text>,
  args: readonly unknown[],
): Arguments<Text> => takeArguments(name, signature, args, value => value instanceof Tensor || isQuantized(value))

/**
 * The shape of the values of a quantised tensor (packed codes have another shape).
 *
 * @param q a quantised tensor
 * @returns [… , rows, K]
 * @throws ArgumentError when `q` is not a quantised tensor
 */
export function shapeOf(q: QuantizedTensor): readonly number[]
export function shapeOf(...args: readonly unknown[]): readonly number[] {
  const { q } = takeOperands('shapeOf', oneSignature, args)
  requireQuantized('shapeOf', q)
  const { perByte } = elementFormats[quantFormat('shapeOf', q.format).element]
  const values = requireTensor('shapeOf', q.values, 'values')
  return [...values.shape.slice(0, -1), values.shape.at(-1)! * perByte]
}

/** The signature of functions with one quantised tensor. */
const oneSignature = signature('q: value')

const asValue = (tensor: Tensor): Value => tensor as unknown as Value
/** A part's dtype and shape, as the quantised records check them. */
const asType = (value: Value): PartType => {
  const { dtype, sizes } = value as unknown as Tensor
  return { dtype, shape: sizes }
}

/** An operand for the graph's ops. Throws ArgumentError when it is neither a tensor nor a quantised tensor. */
export function operandOf(op: string, role: string, operand: unknown): QuantOperand {
  if (operand instanceof Tensor) return { quant: null, tensors: [asValue(requireTensor(op, operand, role))] }
  if (!isQuantized(operand))
    throw new ArgumentError(`${op}: ${role} is ${describeAny(operand)}, neither a tensor nor a quantised tensor`, {
      fix: "quantise a tensor: quantize(x, 'nvfp4')",
    })
  const { values, scales, layout } = operand
  const tensorScale = operand.tensorScale ?? null // callers without types omit it
  const format = quantFormat(op, operand.format, operand)
  if (layout !== 'linear' && layout !== 'blocked')
    throw new ArgumentError(
      `${op}: ${role} has the layout ${typeof (layout as unknown) === 'string' ? `'${layout}'` : describeAny(layout)}`,
      {
        fix: "use 'linear' or 'blocked'",
      },
    )
  if (layout === 'blocked' && typeof format.block !== 'number')
    throw new ArgumentError(`${op}: ${role} has one scale for each ${format.block}, which is not blocked`, {
      fix: "use the layout 'linear'",
    })
  const parts = [requireTensor(op, values, `${role}'s values`), requireTensor(op, scales, `${role}'s scales`)]
  if ((tensorScale !== null) !== format.tensorScale)
    throw new ArgumentError(
      `${op}: ${role} (${operand.format}) has ${tensorScale === null ? 'no' : 'a'} tensor scale`,
      { fix: format.tensorScale ? 'pass the f32 factor of the whole tensor' : 'omit tensorScale' },
    )
  if (tensorScale !== null) parts.push(requireTensor(op, tensorScale, `${role}'s tensor scale`))
  const quant: QuantAttrs = { ...format, layout }
  return { quant, tensors: parts.map(asValue) }
}

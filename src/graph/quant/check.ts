/** Whether the parts of a quantised tensor fit its format: by dtypes and shapes alone, before anything is computed. */
import { ArgumentError, DtypeError, ShapeError } from '../../base/errors.js'
import { mulSizes, productOf, type Size } from '../../scalar/size.js'
import { type Dtype, isFloat } from '../../types/dtype.js'
import { blockedBytes, elementFormats, type QuantFormat, type ScaleLayout, scaleStorage } from '../../types/quant.js'
import type { Shape } from '../ir.js'
import { printShape, requireEqual, SymbolicShapeError } from '../sizes.js'

export interface PartType {
  readonly dtype: Dtype
  readonly shape: Shape
}

export interface PartTypes {
  readonly values: PartType
  readonly scales: PartType
  readonly tensorScale: PartType | null
}

export const known = (op: string, size: Size): number => {
  if (typeof size === 'number') return size
  throw new SymbolicShapeError(`${op}: needs to know the size ${size}`, [size])
}

export const logicalShape = ({ element }: QuantFormat, values: Shape): Shape => [
  ...values.slice(0, -1),
  mulSizes(values.at(-1)!, elementFormats[element].perByte),
]

/** K, a whole number of blocks. */
export function wholeBlocks(op: string, size: Size, block: number): number {
  const K = known(op, size)
  if (K % block === 0) return K
  throw new ShapeError(`${op}: ${K} elements along K are no whole number of blocks of ${block}`, {
    fix: 'pad K with zeros to a multiple of the block',
  })
}

/** Throws unless it is a per-tensor factor: one float. */
export function checkFactor(op: string, { dtype, shape }: PartType): void {
  if (!isFloat(dtype))
    throw new DtypeError(`${op}: the tensor scale is ${dtype}, not a float`, { fix: 'give it as f32' })
  requireOne(op, 'the tensor scale', shape)
}

function requireOne(op: string, what: string, shape: Shape): void {
  const count = productOf(shape)
  if (count === 1) return
  if (typeof count !== 'number') known(op, shape.find(size => typeof size !== 'number')!)
  throw new ShapeError(`${op}: ${what} ${printShape(shape)} is not one number`, { fix: 'give a 0-d tensor' })
}

/**
 * Throws DtypeError or ShapeError when values, scales or the tensor's factor do not have the format's dtype or shape,
 * ArgumentError when there is a factor that the format does not have, or none that it needs.
 */
export function checkParts(op: string, format: QuantFormat, layout: ScaleLayout, parts: PartTypes): void {
  const { values, scales, tensorScale } = parts
  const { storage } = elementFormats[format.element]
  if (values.dtype !== storage)
    throw new DtypeError(`${op}: values of ${format.element} are ${values.dtype}, not ${storage}`, {
      fix: `give their codes as ${storage}`,
    })
  if (values.shape.length === 0)
    throw new ShapeError(`${op}: the values are 0-d`, { fix: 'elements lie along the last dim' })
  checkScaleDtype(op, format, scales.dtype)
  if ((tensorScale !== null) !== format.tensorScale)
    throw new ArgumentError(`${op}: the tensor scale is ${tensorScale === null ? 'missing' : 'given'}`, {
      fix: format.tensorScale ? 'give the float32 factor of the whole tensor' : 'this format has none',
    })
  if (tensorScale !== null) checkFactor(op, tensorScale)
  checkScaleShape(op, format, layout, values.shape, scales.shape)
}

function checkScaleDtype(op: string, { scale }: QuantFormat, dtype: Dtype): void {
  const stored = scaleStorage(scale)
  const isCode = stored === 'u8'
  if (isCode ? dtype === 'u8' : isFloat(dtype)) return
  throw new DtypeError(`${op}: ${scale} scales are ${dtype}, not ${isCode ? 'u8' : 'floats'}`, {
    fix: isCode ? 'give their codes as u8' : `cast them: scales.to('${stored}')`,
  })
}

function checkScaleShape(op: string, format: QuantFormat, layout: ScaleLayout, values: Shape, scales: Shape): void {
  const { block } = format
  if (block === 'tensor') {
    requireOne(op, 'the scale', scales)
    return
  }
  const { name, shape, fix } = wantedScales(op, format, block, layout, values)
  const what = (): string =>
    `${op}: ${name} scales ${printShape(scales)} of values ${printShape(values)} must be ${printShape(shape)}`
  if (scales.length !== shape.length) throw new ShapeError(what(), { fix })
  for (const [d, size] of shape.entries()) requireEqual(scales[d]!, size, what, fix)
}

function wantedScales(op: string, format: QuantFormat, block: number | 'row', layout: ScaleLayout, values: Shape) {
  const rows = values.slice(0, -1)
  if (block === 'row') return { name: "the rows'", shape: rows, fix: 'give one scale for each row' }
  const blocks = wholeBlocks(op, logicalShape(format, values).at(-1)!, block) / block
  if (layout === 'linear')
    return { name: 'linear', shape: [...rows, blocks], fix: `give one scale for every ${block} elements along K` }
  const bytes = blockedBytes(rows.length === 0 ? 1 : known(op, rows.at(-1)!), blocks)
  return { name: 'blocked', shape: [...rows.slice(0, -1), bytes], fix: 'lay linear ones out: toBlocked(scales)' }
}

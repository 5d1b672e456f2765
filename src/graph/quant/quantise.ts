/** Quantisation and dequantisation of whole tensors: scales from amax, scaled elements, and layouts of scales. */
import { DtypeError, ShapeError } from '../../base/errors.js'
import type { Size } from '../../scalar/size.js'
import { isFloat } from '../../types/dtype.js'
import {
  blockedBytes,
  elementFormats,
  type QuantFormat,
  type ScaleLayout,
  scaleStorage,
  scaleTile,
} from '../../types/quant.js'
import {
  castTo,
  dtypeOf,
  expandTo,
  full,
  map,
  permuteTo,
  rankOf,
  reduce,
  reshapeTo,
  shapeOf,
  sliceTo,
  wholeSlice,
} from '../build.js'
import { type GraphBuilder, type GraphNode, type Shape, typeOf } from '../ir.js'
import { printShape, requireEqual } from '../sizes.js'
import { checkFactor, checkParts, known, logicalShape, wholeBlocks } from './check.js'
import { assembleMxint8, decodeElements, decodeScales, halfE4m3, repeatEach, timesPower } from './decode.js'
import { encodeElements, encodeMinifloat, encodeMxScales } from './encode.js'

// --- layouts of scales -----------------------------------------------------------------------------------------------------

/** Linear scales [… , rows, columns] in the blocked layout [… , bytes]; the padding is 0. */
export function toBlocked(b: GraphBuilder, scales: GraphNode): GraphNode {
  const shape = shapeOf(scales)
  if (shape.length < 2)
    throw new ShapeError(`toBlocked: scales ${printShape(shape)} are no matrix [rows, blocks]`, {
      fix: 'give one row of scales for each row of values',
    })
  const [rows, columns] = shape.slice(-2).map(size => known('toBlocked', size)) as [number, number]
  const lead = shape.slice(0, -2)
  const [rowTiles, columnTiles] = [Math.ceil(rows / scaleTile.rows), Math.ceil(columns / scaleTile.columns)]
  const missing = [rowTiles * scaleTile.rows - rows, columnTiles * scaleTile.columns - columns]
  const zeros = shape.map(() => 0)
  const after = [...lead.map(() => 0), ...missing]
  const padded = missing.every(size => size === 0)
    ? scales
    : b.node('pad', [scales], { before: zeros, after, value: 0 })
  // A row index is (tile, quarter, row in quarter); the four quarters are adjacent in a stored row of 16 bytes.
  const tiles = reshapeTo(b, padded, [...lead, rowTiles, 4, 32, columnTiles, scaleTile.columns])
  const at = lead.length
  const order = [...lead.keys(), at, at + 3, at + 2, at + 1, at + 4]
  return reshapeTo(b, permuteTo(b, tiles, order), [...lead, blockedBytes(rows, columns)])
}

/** Linear scales [… , rows, columns] of blocked ones [… , bytes]. */
export function fromBlocked(b: GraphBuilder, stored: GraphNode, rows: Size, columns: number): GraphNode {
  const shape = shapeOf(stored)
  const count = known('fromBlocked', rows)
  const bytes = blockedBytes(count, columns)
  if (shape.length < 1)
    throw new ShapeError('fromBlocked: the scales are 0-d', { fix: 'give their bytes, [… , bytes]' })
  const what = (): string =>
    `fromBlocked: blocked scales ${printShape(shape)} of ${count} rows and ${columns} blocks have ${bytes} bytes`
  requireEqual(shape.at(-1)!, bytes, what, 'give all tiles of 128 rows and 4 blocks, 512 bytes each')
  const lead = shape.slice(0, -1)
  const [rowTiles, columnTiles] = [Math.ceil(count / scaleTile.rows), Math.ceil(columns / scaleTile.columns)]
  const tiles = reshapeTo(b, stored, [...lead, rowTiles, columnTiles, 32, 4, scaleTile.columns])
  const at = lead.length
  const order = [...lead.keys(), at, at + 3, at + 2, at + 1, at + 4]
  const padded = [...lead, rowTiles * scaleTile.rows, columnTiles * scaleTile.columns]
  const attrs = wholeSlice(padded)
  attrs.sizes.splice(at, 2, count, columns)
  return sliceTo(b, reshapeTo(b, permuteTo(b, tiles, order), padded), attrs)
}

// --- parts ---------------------------------------------------------------------------------------------------------------

/** A quantised tensor as graph nodes. */
export interface QuantParts {
  /** [… , rows, bytes]. */
  readonly values: GraphNode
  /** Per block: [… , rows, blocks], or [… , bytes] blocked. Per row: [… , rows]. Per tensor: 0-d or [1]. */
  readonly scales: GraphNode
  /** 0-d or [1] f32. */
  readonly tensorScale: GraphNode | null
}

const scalar = (b: GraphBuilder, node: GraphNode): GraphNode => castTo(b, reshapeTo(b, node, []), 'f32')

/** Elements times their block's scale, f32 [… , rows, K]; the remaining factors are separate. */
export interface Decoded {
  readonly elements: GraphNode
  /** A power of two. */
  readonly factor: number
  /** [… , rows] f32. */
  readonly rowScale: GraphNode | null
  /** 0-d f32. */
  readonly tensorScale: GraphNode | null
}

/**
 * nvfp4 scales times this fit f16 (448 · 2⁷ < 65504), and so do their products with elements that are too small by 2⁻¹⁴: at
 * most 6 · 448 · 2⁻⁷, multiples of 2⁻¹⁷ with at most 6 significant bits.
 */
const halfScale = 2 ** 7

/** How MXINT8 is decoded: by multiplication, or by assembling sign, exponent and fraction. The values are the same. */
export type DecodeMethod = 'arithmetic' | 'bits'

export interface DecodeOptions {
  readonly method?: DecodeMethod
  /**
   * Elements may be too small by a power of two if that makes every decoding step exact in f16, as hardware multiplies f16
   * in pairs.
   */
  readonly small?: boolean
}

export function decodeParts(
  b: GraphBuilder,
  op: string,
  format: QuantFormat,
  layout: ScaleLayout,
  parts: QuantParts,
  { method = 'arithmetic', small = false }: DecodeOptions = {},
): Decoded {
  const { values, scales } = parts
  checkParts(op, format, layout, {
    values: typeOf(values),
    scales: typeOf(scales),
    tensorScale: parts.tensorScale === null ? null : typeOf(parts.tensorScale),
  })
  const tensorScale = parts.tensorScale === null ? null : scalar(b, parts.tensorScale)
  if (format.block === 'tensor') {
    const scale = scalar(b, scales)
    return { elements: wholeElements(b, format, values), factor: 1, rowScale: null, tensorScale: scale }
  }
  if (format.block === 'row')
    return { elements: wholeElements(b, format, values), factor: 1, rowScale: castTo(b, scales, 'f32'), tensorScale }
  const K = known(op, logicalShape(format, shapeOf(values)).at(-1)!)
  const rows = rankOf(values) === 1 ? 1 : shapeOf(values).at(-2)!
  const stored = layout === 'linear' ? scales : fromBlocked(b, scales, rows, K / format.block)
  if (method === 'bits' && format.element === 'mxint8')
    return {
      elements: assembleMxint8(b, values, repeatEach(b, stored, format.block)),
      factor: 1,
      rowScale: null,
      tensorScale,
    }
  const { values: codes, factor } = decodeElements(b, format.element, values)
  const spread = (scale: GraphNode): GraphNode =>
    reshapeTo(b, repeatEach(b, scale, format.block as number), shapeOf(codes))
  if (small && format.element === 'e2m1' && format.scale === 'e4m3') {
    const scale = spread(castTo(b, halfE4m3(b, stored, halfScale), 'f32'))
    return { elements: map(b, 'mul', codes, scale), factor: factor / halfScale, rowScale: null, tensorScale }
  }
  // The elements' factor is folded into the scale if that is exact: 2⁻¹²⁷ · 2⁻⁶ is, 2¹²⁷ · 2¹⁴ is not.
  const own = decodeScales(b, format.scale, stored)
  const isExact = factor < 1 || format.scale === 'e4m3'
  const scale = isExact ? timesPower(b, own, factor) : own
  const whole = isExact ? codes : timesPower(b, codes, factor)
  return { elements: map(b, 'mul', whole, spread(scale)), factor: 1, rowScale: null, tensorScale }
}

function wholeElements(b: GraphBuilder, { element }: QuantFormat, values: GraphNode): GraphNode {
  const { values: codes, factor } = decodeElements(b, element, values)
  return timesPower(b, codes, factor)
}

/** Fully dequantised: f32 [… , rows, K]. */
export function dequantise(
  b: GraphBuilder,
  op: string,
  format: QuantFormat,
  layout: ScaleLayout,
  parts: QuantParts,
  method: DecodeMethod = 'arithmetic',
): GraphNode {
  const { elements, rowScale, tensorScale } = decodeParts(b, op, format, layout, parts, { method })
  const shape = shapeOf(elements)
  const byRow =
    rowScale === null
      ? elements
      : map(b, 'mul', elements, expandTo(b, reshapeTo(b, rowScale, [...shapeOf(rowScale), 1]), shape))
  return tensorScale === null ? byRow : map(b, 'mul', byRow, expandTo(b, tensorScale, shape))
}

// --- quantising ------------------------------------------------------------------------------------------------------------

/**
 * Quantises a float tensor to its parts, with linear scales. `tensorScale` (0-d f32): calibrated; null: from the largest
 * element. For formats without one the third part is 1.
 */
export function quantise(
  b: GraphBuilder,
  op: string,
  format: QuantFormat,
  input: GraphNode,
  tensorScale: GraphNode | null,
  saturate: boolean,
): QuantParts & { readonly tensorScale: GraphNode } {
  if (!isFloat(dtypeOf(input)) || dtypeOf(input) === 'f64')
    throw new DtypeError(`${op}: quantises f32, f16 and bf16, got ${dtypeOf(input)}`, { fix: "cast: x.to('f32')" })
  if (rankOf(input) === 0) throw new ShapeError(`${op}: the tensor is 0-d`, { fix: 'blocks lie along the last dim' })
  const x = castTo(b, input, 'f32')
  const factor = tensorScaleOf(b, op, format, x, tensorScale)
  const { stored, decoded } = scalesOf(b, op, format, x, factor)
  const total = format.tensorScale ? map(b, 'mul', decoded, expandTo(b, factor, shapeOf(decoded))) : decoded
  const wide = spreadScales(b, format, total, shapeOf(x))
  const zero = full(b, 'f32', shapeOf(x), 0)
  const scaled = map(b, 'where', map(b, 'eq', wide, zero), zero, map(b, 'div', x, wide))
  return { values: encodeElements(b, format.element, scaled, saturate), scales: stored, tensorScale: factor }
}

function givenFactor(b: GraphBuilder, op: string, given: GraphNode): GraphNode {
  checkFactor(op, typeOf(given))
  return scalar(b, given)
}

function tensorScaleOf(
  b: GraphBuilder,
  op: string,
  format: QuantFormat,
  x: GraphNode,
  given: GraphNode | null,
): GraphNode {
  const one = full(b, 'f32', [], 1)
  if (!format.tensorScale) return one
  if (given !== null) return givenFactor(b, op, given)
  const amax = largestOf(
    b,
    map(b, 'abs', x),
    shapeOf(x).map((_, d) => d),
  )
  const scale = map(b, 'div', amax, full(b, 'f32', [], 448 * elementFormats[format.element].max))
  return map(b, 'where', map(b, 'eq', scale, full(b, 'f32', [], 0)), one, scale)
}

/** The maximum of magnitudes along dims; 0 if these are empty. */
function largestOf(b: GraphBuilder, magnitudes: GraphNode, dims: readonly number[]): GraphNode {
  const largest = reduce(b, 'max', magnitudes, dims)
  return map(b, 'max', largest, full(b, 'f32', shapeOf(largest), 0))
}

/** The largest magnitude of every block: [… , rows, blocks], [… , rows] or []. */
function amaxOf(b: GraphBuilder, op: string, { block }: QuantFormat, x: GraphNode): GraphNode {
  const magnitude = map(b, 'abs', x)
  const shape = shapeOf(x)
  if (block === 'tensor')
    return largestOf(
      b,
      magnitude,
      shape.map((_, d) => d),
    )
  if (block === 'row') return largestOf(b, magnitude, [shape.length - 1])
  const size = wholeBlocks(op, shape.at(-1)!, block)
  const blocks = reshapeTo(b, magnitude, [...shape.slice(0, -1), size / block, block])
  return reduce(b, 'max', blocks, [shape.length])
}

function scalesOf(b: GraphBuilder, op: string, format: QuantFormat, x: GraphNode, tensorScale: GraphNode) {
  const { max, maxExponent } = elementFormats[format.element]
  const amax = amaxOf(b, op, format, x)
  const constant = (value: number): GraphNode => full(b, 'f32', shapeOf(amax), value)
  if (format.scale === 'e8m0') {
    const stored = encodeMxScales(b, amax, maxExponent)
    return { stored, decoded: decodeScales(b, 'e8m0', stored) }
  }
  const scale = map(b, 'div', amax, constant(max))
  if (format.scale === 'e4m3') {
    const relative = map(b, 'div', scale, expandTo(b, tensorScale, shapeOf(amax)))
    const code = encodeMinifloat(b, 'e4m3', relative, true)
    // A block that is not all zeros gets at least the smallest scale.
    const ints = (value: number): GraphNode => full(b, 'i32', shapeOf(amax), value)
    const lost = map(b, 'and', map(b, 'eq', code, ints(0)), map(b, 'gt', amax, constant(0)))
    const stored = castTo(b, map(b, 'where', lost, ints(1), code), 'u8')
    return { stored, decoded: decodeScales(b, 'e4m3', stored) }
  }
  const positive = map(b, 'where', map(b, 'eq', scale, constant(0)), constant(1), scale)
  const stored = castTo(b, positive, scaleStorage(format.scale))
  return { stored, decoded: castTo(b, stored, 'f32') }
}

function spreadScales(b: GraphBuilder, { block }: QuantFormat, scales: GraphNode, shape: Shape): GraphNode {
  if (block === 'tensor') return expandTo(b, scales, shape)
  if (block === 'row') return expandTo(b, reshapeTo(b, scales, [...shapeOf(scales), 1]), shape)
  const wide = repeatEach(b, scales, block)
  return reshapeTo(b, wide, shape)
}

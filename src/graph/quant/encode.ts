/**
 * Numbers to quantised codes, as graph nodes. All arithmetic is f32 with one rounding per op, so that every target and
 * the plain-TypeScript reference agree bit for bit.
 */
import { exactQuotient } from '../../scalar/size.js'
import { type MinifloatName, minifloats, signBit } from '../../types/minifloat.js'
import { type ElementName, elementFormats } from '../../types/quant.js'
import { castTo, full, map, reshapeTo, shapeOf, sliceTo, wholeSlice } from '../build.js'
import type { GraphBuilder, GraphNode, Shape } from '../ir.js'

const bitcast = (b: GraphBuilder, node: GraphNode, to: 'i32' | 'f32'): GraphNode => b.node('bitcast', [node], { to })
const i32 = (b: GraphBuilder, shape: Shape, value: number): GraphNode => full(b, 'i32', shape, value)

const f32Bits = (value: number): number => new Int32Array(new Float32Array([value]).buffer)[0]!
const signMask = 0x7fffffff
const f32Infinity = 0x7f800000

/**
 * f32 as minifloat codes (i32), to nearest even. Subnormals: adding 2²³ of their steps makes the unit round. Normal
 * numbers: half a unit (less one where the last bit kept is even) is added to the bits, and carries into the exponent.
 */
export function encodeMinifloat(b: GraphBuilder, name: MinifloatName, x: GraphNode, saturate: boolean): GraphNode {
  const { mantissaBits, bias, maxCode, infinityCode, nanCode, ...format } = minifloats[name]
  const shape = shapeOf(x)
  const constant = (value: number): GraphNode => i32(b, shape, value)
  const bits = bitcast(b, x, 'i32')
  const magnitude = map(b, 'and', bits, constant(signMask))
  const magic = 2 ** (23 + 1 - bias - mantissaBits)
  const rounded = map(b, 'add', bitcast(b, magnitude, 'f32'), full(b, 'f32', shape, magic))
  const small = map(b, 'sub', bitcast(b, rounded, 'i32'), constant(f32Bits(magic)))
  const shift = 23 - mantissaBits
  const odd = map(b, 'and', map(b, 'shr', magnitude, constant(shift)), constant(1))
  const carried = map(b, 'add', map(b, 'add', magnitude, constant((1 << (shift - 1)) - 1)), odd)
  const normal = map(b, 'sub', map(b, 'shr', carried, constant(shift)), constant((127 - bias) << mantissaBits))
  const isSmall = map(b, 'lt', magnitude, constant((128 - bias) << 23))
  const code = map(b, 'where', isSmall, small, normal)
  const overflow = saturate ? maxCode : (infinityCode ?? nanCode ?? maxCode)
  const held = map(b, 'where', map(b, 'gt', code, constant(maxCode)), constant(overflow), code)
  const sign = signBit({ mantissaBits, bias, maxCode, infinityCode, nanCode, ...format })
  const signShift = 31 - Math.log2(sign)
  const signed = map(b, 'or', held, map(b, 'and', map(b, 'shr', bits, constant(signShift)), constant(sign)))
  const hasNoValue = map(b, 'gt', magnitude, constant(f32Infinity))
  return map(b, 'where', hasNoValue, constant(nanCode ?? maxCode), signed)
}

/** The nearest integers in [min, max] (i32); NaN becomes 0. */
function encodeInteger(b: GraphBuilder, x: GraphNode, min: number, max: number): GraphNode {
  const constant = (value: number): GraphNode => full(b, 'f32', shapeOf(x), value)
  const held = map(b, 'min', map(b, 'max', map(b, 'round', x), constant(min)), constant(max))
  return castTo(b, map(b, 'where', map(b, 'isnan', x), constant(0), held), 'i32')
}

/** Pairs of 4-bit codes along the last dim as bytes: the even index in the low nibble. */
function pack(b: GraphBuilder, codes: GraphNode): GraphNode {
  const shape = shapeOf(codes)
  const lead = [...shape.slice(0, -1), exactQuotient(shape.at(-1)!, 2)!]
  const pairs = reshapeTo(b, codes, [...lead, 2])
  const half = (index: number): GraphNode => {
    const attrs = wholeSlice([...lead, 2])
    attrs.starts[lead.length] = index
    attrs.sizes[lead.length] = 1
    return reshapeTo(b, sliceTo(b, pairs, attrs), lead)
  }
  return map(b, 'or', half(0), map(b, 'shl', half(1), i32(b, lead, 4)))
}

/** f32 values, already divided by their scales, as the tensor that stores them. */
export function encodeElements(b: GraphBuilder, element: ElementName, x: GraphNode, saturate: boolean): GraphNode {
  const { storage, perByte } = elementFormats[element]
  const codes = encodeOne(b, element, x, saturate)
  return castTo(b, perByte === 2 ? pack(b, codes) : codes, storage)
}

function encodeOne(b: GraphBuilder, element: ElementName, x: GraphNode, saturate: boolean): GraphNode {
  switch (element) {
    case 'e2m1':
    case 'e4m3':
    case 'e5m2':
      return encodeMinifloat(b, element, x, saturate)
    case 'int8':
      return encodeInteger(b, x, -127, 127)
    case 'int4':
      return map(b, 'and', encodeInteger(b, x, -8, 7), i32(b, shapeOf(x), 15))
    case 'mxint8':
      return encodeInteger(b, map(b, 'mul', x, full(b, 'f32', shapeOf(x), 64)), -127, 127)
    default:
      return element satisfies never
  }
}

/** The e8m0 codes (u8) of 2^(⌊log₂ amax⌋ − maxExponent): amax's own exponent bits. Infinity and NaN give NaN. */
export function encodeMxScales(b: GraphBuilder, amax: GraphNode, maxExponent: number): GraphNode {
  const constant = (value: number): GraphNode => i32(b, shapeOf(amax), value)
  const exponent = map(b, 'shr', map(b, 'and', bitcast(b, amax, 'i32'), constant(signMask)), constant(23))
  const shifted = map(b, 'max', map(b, 'sub', exponent, constant(maxExponent)), constant(0))
  const code = map(b, 'where', map(b, 'eq', exponent, constant(255)), constant(255), shifted)
  return castTo(b, code, 'u8')
}

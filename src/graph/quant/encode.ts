/**
 * Numbers to quantised codes, as graph nodes. All arithmetic is f32 with one rounding per op, so that every target and
 * the plain-TypeScript reference agree bit for bit.
 */
import { minifloatCode } from '../../scalar/minifloat.js'
import { exactQuotient } from '../../scalar/size.js'
import type { MinifloatName } from '../../types/minifloat.js'
import { type ElementName, elementFormats } from '../../types/quant.js'
import { castTo, full, map, reshapeTo, shapeOf, sliceTo, wholeSlice } from '../build.js'
import type { GraphBuilder, GraphNode, Shape } from '../ir.js'
import { bitOps } from './decode.js'

const bitcast = (b: GraphBuilder, node: GraphNode, to: 'i32' | 'f32'): GraphNode => b.node('bitcast', [node], { to })
const i32 = (b: GraphBuilder, shape: Shape, value: number): GraphNode => full(b, 'i32', shape, value)

const signMask = 0x7fffffff

/** f32 as minifloat codes (i32). */
export const encodeMinifloat = (
  b: GraphBuilder,
  name: MinifloatName,
  x: GraphNode,
  saturate: boolean | 'finite',
): GraphNode => minifloatCode(bitOps(b), name, x, saturate)

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

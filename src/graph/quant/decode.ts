/**
 * Decodes quantised codes, as graph nodes: bit operations and exact multiplications, which the scheduler fuses into the
 * consumers. A minifloat's bits are shifted to f16's positions, which is exact up to a power of two: f16 holds every value
 * of the narrow formats, subnormals, infinities and NaN included.
 */
import { type BitOps, biasPower, minifloatValue, smallMinifloat } from '../../scalar/minifloat.js'
import { mulSizes, type Size } from '../../scalar/size.js'
import type { Float8 } from '../../types/dtype.js'
import { minifloatOf } from '../../types/minifloat.js'
import type { ElementName, ScaleName } from '../../types/quant.js'
import { castTo, expandTo, full, map, reshapeTo, shapeOf } from '../build.js'
import type { GraphBuilder, GraphNode } from '../ir.js'

/** A constant of the node's shape and dtype `dtype`. */
const like = (b: GraphBuilder, node: GraphNode, dtype: 'i16' | 'i32' | 'f32', value: number | bigint): GraphNode =>
  full(b, dtype, shapeOf(node), value)
const bitcast = (b: GraphBuilder, node: GraphNode, to: 'i16' | 'i32' | 'f16' | 'bf16' | 'f32'): GraphNode =>
  b.node('bitcast', [node], { to })

/** Each element `factor` times, along the last dim. */
export function repeatEach(b: GraphBuilder, node: GraphNode, factor: Size): GraphNode {
  if (factor === 1) return node
  const shape = shapeOf(node)
  const wide = expandTo(b, reshapeTo(b, node, [...shape, 1]), [...shape, factor])
  return reshapeTo(b, wide, [...shape.slice(0, -1), mulSizes(shape.at(-1)!, factor)])
}

/**
 * Unpacks bytes to i16 with each 4-bit code, in order, in the upper 4 bits: twice as many along the last dim. The caller
 * masks or shifts away the lower bits.
 */
function unpack(b: GraphBuilder, bytes: GraphNode): GraphNode {
  const shape = shapeOf(bytes)
  const pair = [...shape, 2]
  const wide = expandTo(b, reshapeTo(b, castTo(b, bytes, 'i16'), [...shape, 1]), pair)
  const half = castTo(b, b.node('iota', [], { length: 2, dtype: 'i32' }), 'i16')
  const shift = map(b, 'sub', full(b, 'i16', [2], 12), map(b, 'mul', half, full(b, 'i16', [2], 4)))
  const codes = map(b, 'shl', wide, expandTo(b, shift, pair))
  return reshapeTo(b, codes, [...shape.slice(0, -1), mulSizes(shape.at(-1)!, 2)])
}

/** e2m1 in the upper 4 bits as f32, too small by 2¹⁴: shifted with its sign, its bits are those of an f16. */
function smallE2m1(b: GraphBuilder, upper: GraphNode): GraphNode {
  const constant = (value: number): GraphNode => like(b, upper, 'i16', value)
  const bits = map(b, 'and', map(b, 'shr', upper, constant(3)), constant(0x8e00 - 0x10000))
  return castTo(b, bitcast(b, bits, 'f16'), 'f32')
}

/** The formulas of scalar/minifloat.ts as graph nodes. */
export const bitOps = (b: GraphBuilder): BitOps<GraphNode> => ({
  map: (fn, ...inputs) => map(b, fn, ...inputs),
  cast: (node, to) => castTo(b, node, to),
  bitcast: (node, to) => bitcast(b, node, to),
  like: (node, dtype, value) => like(b, node, dtype, value),
})

/** e4m3 codes (u8) times a power of two as f16, where all of them are. */
export const halfE4m3 = (b: GraphBuilder, codes: GraphNode, factor: number): GraphNode =>
  castTo(
    b,
    timesPower(b, castTo(b, smallMinifloat(bitOps(b), 'e4m3', codes), 'f32'), factor * biasPower('e4m3')),
    'f16',
  )

/** Codes (u8) as f32. */
const minifloat = (b: GraphBuilder, name: 'e4m3' | 'e5m2', codes: GraphNode): GraphNode =>
  minifloatValue(bitOps(b), name, codes)

/** Codes (u8) of an 8-bit float as f32. */
export const decodeFloat8 = (b: GraphBuilder, float: Float8, codes: GraphNode): GraphNode =>
  minifloat(b, minifloatOf(float), codes)

/** Elements up to a power of two, which can be folded into the scales instead of multiplying every element. */
export interface DecodedElements {
  readonly values: GraphNode
  readonly factor: number
}

/** Stored values [… , bytes] as f32 [… , elements], unscaled and up to `factor`. */
export function decodeElements(b: GraphBuilder, element: ElementName, values: GraphNode): DecodedElements {
  switch (element) {
    case 'e2m1':
      return { values: smallE2m1(b, unpack(b, values)), factor: biasPower('e2m1') }
    case 'e4m3':
    case 'e5m2':
      return { values: minifloat(b, element, values), factor: 1 }
    case 'int8':
      return { values: castTo(b, values, 'f32'), factor: 1 }
    case 'int4': {
      const upper = unpack(b, values)
      return { values: castTo(b, map(b, 'shr', upper, like(b, upper, 'i16', 12)), 'f32'), factor: 1 }
    }
    case 'mxint8':
      return { values: castTo(b, values, 'f32'), factor: 2 ** -6 }
    default:
      return element satisfies never
  }
}

/** f32 times a power of two. */
export const timesPower = (b: GraphBuilder, node: GraphNode, factor: number): GraphNode =>
  factor === 1 ? node : map(b, 'mul', node, like(b, node, 'f32', factor))

/** 2^(code − 127), built from bits: 0 is f32's subnormal 2⁻¹²⁷, 255 is NaN. */
function decodeE8m0(b: GraphBuilder, codes: GraphNode): GraphNode {
  const wide = castTo(b, codes, 'i32')
  const constant = (value: number): GraphNode => like(b, codes, 'i32', value)
  const power = map(b, 'shl', wide, constant(23))
  const bits = map(b, 'where', map(b, 'eq', wide, constant(0)), constant(0x00400000), power)
  const value = bitcast(b, bits, 'f32')
  return map(b, 'where', map(b, 'eq', wide, constant(255)), like(b, codes, 'f32', Number.NaN), value)
}

/** Stored scales as f32. */
export function decodeScales(b: GraphBuilder, scale: ScaleName, stored: GraphNode): GraphNode {
  if (scale === 'e4m3') return minifloat(b, 'e4m3', stored)
  return scale === 'e8m0' ? decodeE8m0(b, stored) : castTo(b, stored, 'f32')
}

/**
 * MXINT8 as f32 by assembling sign, exponent and fraction; scale codes are broadcast over the elements. If bit 6 of |m| is
 * set, the six bits below it are the fraction of 1.f · 2^e; else the implicit 1 is subtracted again. |−128| is 2 · 2^e. For
 * e = 2⁻¹²⁷, below bf16's normal numbers, the bits are |m| itself.
 */
export function assembleMxint8(b: GraphBuilder, values: GraphNode, scaleCodes: GraphNode): GraphNode {
  const constant = (value: number): GraphNode => like(b, values, 'i16', value)
  const float = (bits: GraphNode): GraphNode => castTo(b, bitcast(b, bits, 'bf16'), 'f32')
  const signed = castTo(b, values, 'i16')
  const m = map(b, 'abs', signed)
  const code = castTo(b, scaleCodes, 'i16')
  const exponent = map(b, 'shl', code, constant(7))
  const fraction = map(b, 'shl', map(b, 'and', m, constant(63)), constant(1))
  const one = float(exponent)
  const whole = float(map(b, 'or', exponent, fraction))
  const hasBit = (bit: number): GraphNode => map(b, 'ne', map(b, 'and', m, constant(bit)), constant(0))
  const normal = map(
    b,
    'where',
    hasBit(128),
    map(b, 'add', one, one),
    map(b, 'where', hasBit(64), whole, map(b, 'sub', whole, one)),
  )
  const magnitude = map(b, 'where', map(b, 'eq', code, constant(0)), float(m), normal)
  const value = map(b, 'where', map(b, 'lt', signed, constant(0)), map(b, 'neg', magnitude), magnitude)
  return map(b, 'where', map(b, 'eq', code, constant(255)), like(b, values, 'f32', Number.NaN), value)
}

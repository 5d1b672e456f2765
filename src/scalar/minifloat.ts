/**
 * Conversion of minifloat codes to and from f32 by bit operations: one formula per direction, shared by graphs and tile
 * programs. All arithmetic is f32 with one rounding per op, so all targets and plain TypeScript agree bit by bit.
 */
import { type Minifloat, type MinifloatName, minifloats, signBit } from '../types/minifloat.js'
import type { ScalarOpName } from './ops.js'

/** The ops that formulas use, on nodes of some IR. */
export interface BitOps<Node> {
  map(fn: ScalarOpName, ...inputs: readonly Node[]): Node
  cast(node: Node, to: 'i16' | 'i32' | 'f32'): Node
  bitcast(node: Node, to: 'i32' | 'f16' | 'f32'): Node
  /** A constant of the node's shape. */
  like(node: Node, dtype: 'i16' | 'i32' | 'f32', value: number): Node
}

/** The factor between a minifloat's value and the f16 value of its bits: the difference of the exponent biases. */
export const biasPower = (name: MinifloatName): number => 2 ** (15 - minifloats[name].bias)

/**
 * Codes (u8) as f16, too small by `biasPower`. e4m3 has numbers where f16 would have infinities and NaN. Its only NaN is the
 * only magnitude for which magnitude + 1 sets bit 7, and becomes an f16 NaN. e5m2 is the upper half of an f16.
 */
export function smallMinifloat<Node>(ops: BitOps<Node>, name: 'e4m3' | 'e5m2', codes: Node): Node {
  const wide = ops.cast(codes, 'i16')
  const constant = (value: number): Node => ops.like(codes, 'i16', value)
  if (name === 'e5m2') return ops.bitcast(ops.map('shl', wide, constant(8)), 'f16')
  const magnitude = ops.map('and', wide, constant(0x7f))
  const nan = ops.map('shl', ops.map('and', ops.map('add', magnitude, constant(1)), constant(0x80)), constant(7))
  // With the code in the upper byte, the arithmetic shift keeps the sign and moves the other bits by one.
  const shifted = ops.map('shr', ops.map('shl', wide, constant(8)), constant(1))
  const number = ops.map('and', shifted, constant(0xbf80 - 0x10000))
  return ops.bitcast(ops.map('or', number, nan), 'f16')
}

/** Codes (u8) as f32. */
export function minifloatValue<Node>(ops: BitOps<Node>, name: 'e4m3' | 'e5m2', codes: Node): Node {
  const small = ops.cast(smallMinifloat(ops, name, codes), 'f32')
  const power = biasPower(name)
  return power === 1 ? small : ops.map('mul', small, ops.like(codes, 'f32', power))
}

const f32Bits = (value: number): number => new Int32Array(new Float32Array([value]).buffer)[0]!
const signMask = 0x7fffffff
const f32Infinity = 0x7f800000

/**
 * f32 as minifloat codes (i32), rounded to nearest even. Subnormals: adding 2²³ times their step makes the FPU round to a
 * multiple of the step. Normal numbers: half a unit (minus one if the last kept bit is even) is added to the bits; a carry
 * moves into the exponent. `saturate`: whether what exceeds the largest becomes it, or else infinity or NaN; 'finite': infinity
 * becomes NaN, the rest saturates.
 */
export function minifloatCode<Node>(
  ops: BitOps<Node>,
  name: MinifloatName,
  x: Node,
  saturate: boolean | 'finite',
): Node {
  const format: Minifloat = minifloats[name]
  const { mantissaBits, bias, maxCode, infinityCode, nanCode } = format
  const constant = (value: number): Node => ops.like(x, 'i32', value)
  const bits = ops.bitcast(x, 'i32')
  const magnitude = ops.map('and', bits, constant(signMask))
  const magic = 2 ** (23 + 1 - bias - mantissaBits)
  const rounded = ops.map('add', ops.bitcast(magnitude, 'f32'), ops.like(x, 'f32', magic))
  const small = ops.map('sub', ops.bitcast(rounded, 'i32'), constant(f32Bits(magic)))
  const shift = 23 - mantissaBits
  const odd = ops.map('and', ops.map('shr', magnitude, constant(shift)), constant(1))
  const carried = ops.map('add', ops.map('add', magnitude, constant((1 << (shift - 1)) - 1)), odd)
  const normal = ops.map('sub', ops.map('shr', carried, constant(shift)), constant((127 - bias) << mantissaBits))
  const isSmall = ops.map('lt', magnitude, constant((128 - bias) << 23))
  const code = ops.map('where', isSmall, small, normal)
  const overflow = saturate !== false ? maxCode : (infinityCode ?? nanCode ?? maxCode)
  const held = ops.map('where', ops.map('gt', code, constant(maxCode)), constant(overflow), code)
  const sign = signBit(format)
  const signShift = 31 - Math.log2(sign)
  const signed = ops.map('or', held, ops.map('and', ops.map('shr', bits, constant(signShift)), constant(sign)))
  const hasNoValue = ops.map('gt', magnitude, constant(saturate === 'finite' ? f32Infinity - 1 : f32Infinity))
  return ops.map('where', hasNoValue, constant(nanCode ?? maxCode), signed)
}

/**
 * Codes of minifloats to and from f32, as bit operations: one formula each, for graphs and for tile programs. All
 * arithmetic is f32 with one rounding per op, so that every target and plain TypeScript agree to the bit.
 */
import { type Minifloat, type MinifloatName, minifloats, signBit } from '../types/minifloat.js'
import type { ScalarOpName } from './ops.js'

/** What the formulas are written in: nodes of an IR. */
export interface BitOps<Node> {
  map(fn: ScalarOpName, ...inputs: readonly Node[]): Node
  cast(node: Node, to: 'i16' | 'i32' | 'f32'): Node
  bitcast(node: Node, to: 'i32' | 'f16' | 'f32'): Node
  /** A constant of the node's shape. */
  like(node: Node, dtype: 'i16' | 'i32' | 'f32', value: number): Node
}

/** The power of two that makes minifloats' bits in f16 their values. */
export const biasPower = (name: MinifloatName): number => 2 ** (15 - minifloats[name].bias)

/**
 * Codes (u8) as f16, too small by `biasPower`. Where f16 would have infinities and NaN, e4m3 has numbers. Its only NaN
 * becomes an f16 NaN: it is the only magnitude for which magnitude + 1 sets bit 7. e5m2 is f16's upper half.
 */
export function smallMinifloat<Node>(ops: BitOps<Node>, name: 'e4m3' | 'e5m2', codes: Node): Node {
  const wide = ops.cast(codes, 'i16')
  const constant = (value: number): Node => ops.like(codes, 'i16', value)
  if (name === 'e5m2') return ops.bitcast(ops.map('shl', wide, constant(8)), 'f16')
  const magnitude = ops.map('and', wide, constant(0x7f))
  const nan = ops.map('shl', ops.map('and', ops.map('add', magnitude, constant(1)), constant(0x80)), constant(7))
  // From the upper byte, the arithmetic shift keeps the sign and moves the rest by one bit.
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
 * f32 as minifloat codes (i32), to nearest even. Subnormals: adding 2²³ times their step makes the FPU round to it. Normal
 * numbers: half a unit (less one where the last bit kept is even) is added to the bits, and carries into the exponent.
 */
export function minifloatCode<Node>(ops: BitOps<Node>, name: MinifloatName, x: Node, saturate: boolean): Node {
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
  const overflow = saturate ? maxCode : (infinityCode ?? nanCode ?? maxCode)
  const held = ops.map('where', ops.map('gt', code, constant(maxCode)), constant(overflow), code)
  const sign = signBit(format)
  const signShift = 31 - Math.log2(sign)
  const signed = ops.map('or', held, ops.map('and', ops.map('shr', bits, constant(signShift)), constant(sign)))
  const hasNoValue = ops.map('gt', magnitude, constant(f32Infinity))
  return ops.map('where', hasNoValue, constant(nanCode ?? maxCode), signed)
}

/**
 * The pass `decode codes`: dots of 8-bit float codes, where no instruction takes them, become dots of f16 or f32 values.
 * Exponent and mantissa bits are moved to f16's positions; the difference in bias is made up for by a power of two. f16
 * represents every value, infinity and NaN.
 */
import { type Rule, rewrite } from '../../ir/rewrite.js'
import type { Float8 } from '../../types/dtype.js'
import { type Minifloat, minifloatOf, minifloats } from '../../types/minifloat.js'
import { type TileNode, type TileProgram, tileDialect } from '../ir.js'
import { map, shapeOf, splat, type TileBuild } from './patterns.js'

type Dot = Extract<TileNode, { op: 'dot' }>

function decoded(build: TileBuild, float: Float8, codes: TileNode, to: 'f16' | 'f32'): TileNode {
  const name = minifloatOf(float)
  const { mantissaBits, bias }: Minifloat = minifloats[name]
  const bits = build.node('cast', [codes], { to: 'i16' })
  const constant = (value: number): TileNode => splat(build, 'i16', value, shapeOf(codes))
  const magnitude = map(build, 'and', bits, constant(0x7f))
  const sign = map(build, 'shl', map(build, 'and', bits, constant(0x80)), constant(8))
  const joined = map(build, 'or', map(build, 'shl', magnitude, constant(10 - mantissaBits)), sign)
  const half = build.node('bitcast', [joined], { to: 'f16' })
  if (name === 'e5m2' && to === 'f16') return half
  const wide = build.node('cast', [half], { to: 'f32' })
  const scaled = bias === 15 ? wide : map(build, 'mul', wide, splat(build, 'f32', 2 ** (15 - bias), shapeOf(codes)))
  // e4m3 has finite numbers where f16 has infinity and NaN, except for one code.
  const nothing = map(build, 'eq', magnitude, constant(0x7f))
  const value =
    name === 'e4m3' ? map(build, 'where', nothing, splat(build, 'f32', Number.NaN, shapeOf(codes)), scaled) : scaled
  return to === 'f32' ? value : build.node('cast', [value], { to })
}

/** Converts the operands of all dots of codes to values of dtype `to`, except those for which `keeps` is true. */
export function decodeCodes(program: TileProgram, to: 'f16' | 'f32', keeps: (dot: Dot) => boolean): TileProgram {
  const rule: Rule<TileNode> = {
    name: 'decode codes',
    ops: ['dot'],
    apply(node, build) {
      if (node.op !== 'dot' || node.attrs.codes === undefined || keeps(node)) return null
      const [a, b, acc] = node.inputs as [TileNode, TileNode, TileNode]
      const { codes, ...attrs } = node.attrs
      return build.node('dot', [decoded(build, codes[0], a, to), decoded(build, codes[1], b, to), acc], attrs)
    },
  }
  return { ...program, body: rewrite(tileDialect, program.body, [rule], 'decode codes').root }
}

/**
 * The pass `decode codes`: dots of 8-bit float codes that no instruction supports become dots of f16 or f32 values.
 * Exponent and mantissa bits are moved to f16's positions; a power of two corrects the difference in bias. f16
 * represents every value, infinity and NaN.
 */
import { type Rule, rewrite } from '../../ir/rewrite.js'
import { biasPower, minifloatValue, smallMinifloat } from '../../scalar/minifloat.js'
import type { Float8 } from '../../types/dtype.js'
import { minifloatOf } from '../../types/minifloat.js'
import { type TileNode, type TileProgram, tileDialect } from '../ir.js'
import type { TileBuild } from './patterns.js'
import { bitOps, storedFloats } from './stored-floats.js'

type Dot = Extract<TileNode, { op: 'dot' }>

function decoded(build: TileBuild, float: Float8, codes: TileNode, to: 'f16' | 'f32'): TileNode {
  const name = minifloatOf(float)
  // If the format has f16's bias, no correction is needed.
  if (to === 'f16' && biasPower(name) === 1) return smallMinifloat(bitOps(build), name, codes)
  const value = minifloatValue(bitOps(build), name, codes)
  return to === 'f32' ? value : build.node('cast', [value], { to })
}

/** Rewrites 8-bit floats to codes: dots for which `keeps` holds multiply codes, others decode them to `to` first. */
export function decodeCodes(given: TileProgram, to: 'f16' | 'f32', keeps: (dot: Dot) => boolean): TileProgram {
  const program = storedFloats(given)
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

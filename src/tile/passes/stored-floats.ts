/**
 * The pass `stored floats`: below tile programs there are no 8-bit floats, only their codes. Conversions become the formulas
 * of scalar/minifloat.ts, then views, constants and loop-carried values become u8. All targets use this pass.
 */
import { type Rule, rewrite } from '../../ir/rewrite.js'
import { nodesOf } from '../../ir/walk.js'
import { type BitOps, minifloatCode, minifloatValue } from '../../scalar/minifloat.js'
import { codecOf } from '../../types/codec.js'
import { codeDtypeOf, isFloat8 } from '../../types/dtype.js'
import { minifloatOf } from '../../types/minifloat.js'
import { type Parameter, type TileNode, type TileProgram, tileDialect } from '../ir.js'
import { dtypeOf, map, shapeOf, splat, type TileBuild } from './patterns.js'

/** The formulas of scalar/minifloat.ts as tile nodes. */
export const bitOps = (build: TileBuild): BitOps<TileNode> => ({
  map: (fn, ...inputs) => map(build, fn, ...inputs),
  cast: (node, to) => build.node('cast', [node], { to }),
  bitcast: (node, to) => build.node('bitcast', [node], { to }),
  like: (node, dtype, value) => splat(build, dtype, value, shapeOf(node)),
})

/** Conversions from and to f32 by formula; all others go through f32, as in PyTorch. */
const conversions: Rule<TileNode> = {
  name: 'convert codes',
  ops: ['cast'],
  apply(node, build) {
    if (node.op !== 'cast') return null
    const [input] = node.inputs as [TileNode]
    const [from, { to }] = [dtypeOf(input), node.attrs]
    if (isFloat8(from)) {
      const codes = build.node('bitcast', [input], { to: 'u8' })
      const value = minifloatValue(bitOps(build), minifloatOf(from), codes)
      return to === 'f32' ? value : build.node('cast', [value], { to })
    }
    if (!isFloat8(to)) return null
    const value = from === 'f32' ? input : build.node('cast', [input], { to: 'f32' })
    const code = minifloatCode(bitOps(build), minifloatOf(to), value, false)
    return build.node('bitcast', [build.node('cast', [code], { to: 'u8' })], { to })
  },
}

/** The remaining ops with 8-bit float dtypes: sources of values, and bitcasts. */
const codes: Rule<TileNode> = {
  name: 'codes',
  ops: ['view', 'param', 'const', 'bitcast'],
  apply(node, build) {
    switch (node.op) {
      case 'view':
      case 'param': {
        const { type } = node.attrs
        if (!isFloat8(type.dtype)) return null
        return build.node(node.op, [], { ...node.attrs, type: { ...type, dtype: codeDtypeOf(type.dtype) } } as never)
      }
      case 'const': {
        const { dtype, value } = node.attrs
        if (!isFloat8(dtype)) return null
        return build.node('const', [], { dtype: codeDtypeOf(dtype), value: codecOf(dtype)!.encode(Number(value)) })
      }
      case 'bitcast': {
        const to = codeDtypeOf(node.attrs.to)
        if (dtypeOf(node.inputs[0]!) === to) return node.inputs[0]!
        return to === node.attrs.to ? null : build.node('bitcast', node.inputs, { to })
      }
      default:
        return null
    }
  },
}

const isOfFloat8 = ({ type }: TileNode): boolean =>
  (type.kind === 'tile' || type.kind === 'view') && isFloat8(type.dtype)

/** The program on codes; the same program if it has no 8-bit floats. */
export function storedFloats(program: TileProgram): TileProgram {
  if (!nodesOf<TileNode>(program.body).some(isOfFloat8)) return program
  const converted = rewrite(tileDialect, program.body, [conversions], 'stored floats').root
  const params = program.params.map((param): Parameter => {
    const { type } = param
    return type.kind === 'scalar' ? param : { ...param, type: { ...type, dtype: codeDtypeOf(type.dtype) } }
  })
  return { ...program, params, body: rewrite(tileDialect, converted, [codes], 'stored floats').root }
}

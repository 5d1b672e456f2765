/**
 * Narrows dot operands that were widened: `dot(cast(a), cast(b))` with 16-bit (or byte) a and b equals `dot(a, b)` with the
 * same accumulator exactly, and the latter runs on tensor cores. Casts are found through reshapes, transposes, broadcasts and
 * masks that select zero.
 */
import type { Builder } from '../../ir/builder.js'
import { type Rule, rewrite } from '../../ir/rewrite.js'
import { type TileNode, type TileProgram, tileDialect, tileType } from '../../tile/ir.js'
import { type Dtype, dtypes } from '../../types/dtype.js'

const narrowDtypes: readonly Dtype[] = ['f16', 'bf16', 'i8', 'u8']

const isZero = (node: TileNode): boolean =>
  node.op === 'const'
    ? Number(node.attrs.value) === 0
    : (node.op === 'broadcast' || node.op === 'reshape') && isZero(node.inputs[0]!)

/** The dtype from which an operand was widened, or null. */
function widenedFrom(node: TileNode): Dtype | null {
  switch (node.op) {
    case 'cast': {
      const from = tileType(node.inputs[0]!).dtype
      return narrowDtypes.includes(from) && !narrowDtypes.includes(node.attrs.to) ? from : null
    }
    case 'reshape':
    case 'transpose':
    case 'broadcast':
      return widenedFrom(node.inputs[0]!)
    case 'map':
      return node.attrs.fn === 'where' && isZero(node.inputs[2]!) ? widenedFrom(node.inputs[1]!) : null
    default:
      return null
  }
}

/** The operand in its narrow dtype. */
function narrowed(node: TileNode, dtype: Dtype, builder: Builder<TileNode>): TileNode {
  const { shape } = tileType(node)
  switch (node.op) {
    case 'cast':
      return node.inputs[0]!
    case 'map': {
      const [mask, value] = node.inputs as [TileNode, TileNode]
      const inner = narrowed(value, dtype, builder)
      const bits = dtypes[dtype].bits === 16 ? 'i16' : dtype
      const raw = bits === dtype ? inner : builder.node('bitcast', [inner], { to: bits })
      const zero = builder.node('const', [], { dtype: bits, value: 0 })
      const zeros = builder.node('broadcast', [zero], { shape: [...shape] })
      const chosen = builder.node('map', [mask, raw, zeros], { fn: 'where' })
      return bits === dtype ? chosen : builder.node('bitcast', [chosen], { to: dtype })
    }
    case 'reshape':
      return builder.node('reshape', [narrowed(node.inputs[0]!, dtype, builder)], node.attrs)
    case 'transpose':
      return builder.node('transpose', [narrowed(node.inputs[0]!, dtype, builder)], node.attrs)
    case 'broadcast':
      return builder.node('broadcast', [narrowed(node.inputs[0]!, dtype, builder)], node.attrs)
    default:
      return node
  }
}

const narrowDot: Rule<TileNode> = {
  name: 'narrow dot',
  ops: ['dot'],
  apply(node, builder) {
    if (node.op !== 'dot' || node.attrs.codes !== undefined) return null
    const [a, b, acc] = node.inputs as [TileNode, TileNode, TileNode]
    const dtype = widenedFrom(a)
    if (dtype === null || dtype !== widenedFrom(b)) return null
    const to = tileType(acc).dtype
    if (dtypes[dtype].kind === 'float' ? to !== 'f32' : to !== 'i32') return null
    return builder.node('dot', [narrowed(a, dtype, builder), narrowed(b, dtype, builder), acc], {})
  },
}

/** Dots of operands that were widened from a narrow dtype multiply in that dtype, as tensor cores do. */
export function narrowDots(program: TileProgram): TileProgram {
  const { root } = rewrite(tileDialect, program.body, [narrowDot], 'narrow')
  return { ...program, body: root }
}

/**
 * Rewrites 8-bit floats to their codes (u8), which is what the scheduler and all below it work on: conversions become the
 * formulas of graph/quant/encode.ts and decode.ts.
 */
import { type Graph, type GraphBuilder, type GraphNode, graphDialect, typeOf } from '../../graph/ir.js'
import { decodeFloat8 } from '../../graph/quant/decode.js'
import { encodeMinifloat } from '../../graph/quant/encode.js'
import { type Rule, rewrite } from '../../ir/rewrite.js'
import { nodesOf } from '../../ir/walk.js'
import { codecOf } from '../../types/codec.js'
import { codeDtypeOf, type Dtype, isFloat8 } from '../../types/dtype.js'
import { minifloatOf } from '../../types/minifloat.js'

const codeOf = (dtype: Dtype, value: number | bigint): number | bigint =>
  isFloat8(dtype) ? codecOf(dtype)!.encode(Number(value)) : value

/** Rewrites ops whose values have an 8-bit float dtype. */
function converted(node: GraphNode, b: GraphBuilder): GraphNode | null {
  switch (node.op) {
    case 'cast':
      return convertedCast(b, node.inputs[0]!, node.attrs.to)
    case 'iota':
      return isFloat8(node.attrs.dtype)
        ? b.node('cast', [b.node('iota', [], { ...node.attrs, dtype: 'f32' })], { to: node.attrs.dtype })
        : null
    case 'matmul':
    case 'raggedMatmul': {
      const { to } = node.attrs
      if (!isFloat8(to)) return null
      return b.node('cast', [b.node(node.op, node.inputs, { ...node.attrs, to: 'f32' } as never)], { to })
    }
    case 'pad': {
      const { dtype } = typeOf(node)
      if (!isFloat8(dtype)) return null
      const codes = b.node('bitcast', node.inputs, { to: codeDtypeOf(dtype) })
      const padded = b.node('pad', [codes], { ...node.attrs, value: codeOf(dtype, node.attrs.value) })
      return b.node('bitcast', [padded], { to: dtype })
    }
    default:
      return null
  }
}

/** From and to f32 by formula; anything else goes through f32, as PyTorch does. */
function convertedCast(b: GraphBuilder, input: GraphNode, to: Dtype): GraphNode | null {
  const { dtype: from } = typeOf(input)
  const cast = (node: GraphNode, dtype: Dtype): GraphNode =>
    typeOf(node).dtype === dtype ? node : b.node('cast', [node], { to: dtype })
  if (isFloat8(from)) return cast(decodeFloat8(b, from, b.node('bitcast', [input], { to: 'u8' })), to)
  if (!isFloat8(to)) return null
  const code = encodeMinifloat(b, minifloatOf(to), cast(input, 'f32'), false)
  return b.node('bitcast', [cast(code, 'u8')], { to })
}

/** The remaining mentions of 8-bit float dtypes: inputs, constants, bitcasts. */
function coded(node: GraphNode, b: GraphBuilder): GraphNode | null {
  switch (node.op) {
    case 'input': {
      const { dtype } = node.attrs
      return isFloat8(dtype) ? b.node('input', [], { ...node.attrs, dtype: codeDtypeOf(dtype) }) : null
    }
    case 'constant': {
      const { dtype, value } = node.attrs
      return isFloat8(dtype) ? b.node('constant', [], { dtype: codeDtypeOf(dtype), value: codeOf(dtype, value) }) : null
    }
    case 'bitcast': {
      const [input] = node.inputs as [GraphNode]
      const to = codeDtypeOf(node.attrs.to)
      if (typeOf(input).dtype === to) return input
      return to === node.attrs.to ? null : b.node('bitcast', [input], { to })
    }
    default:
      return null
  }
}

const rule = (
  name: string,
  ops: readonly GraphNode['op'][],
  make: (node: GraphNode, b: GraphBuilder) => GraphNode | null,
): Rule<GraphNode> => ({ name, ops, apply: (node, b) => b.withOrigin(node.origin, () => make(node, b)) })

const conversions = rule('convert codes', ['cast', 'iota', 'matmul', 'raggedMatmul', 'pad'], converted)
const codes = rule('codes', ['input', 'constant', 'bitcast'], coded)

/** The graph on codes; the same graph where there are no 8-bit floats. */
export function storedFloats(graph: Graph): Graph {
  const isOfFloat8 = ({ type }: GraphNode): boolean => type.kind === 'tensor' && isFloat8(type.dtype)
  if (!nodesOf<GraphNode>(graph.body).some(isOfFloat8)) return graph
  const body = [conversions, codes].reduce(
    (now, each) => rewrite(graphDialect, now, [each], 'stored floats').root,
    graph.body,
  )
  return { ...graph, body }
}

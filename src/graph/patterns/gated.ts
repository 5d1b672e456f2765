/**
 * Gated layers: activation(x·w₁ + b₁) · (x·w₂ + b₂), matmuls or convolutions. The scheduler already computes matmuls that
 * share an operand in one kernel; these rules remove the roundings of both sums before the gate.
 */
import { canonical, type Plain } from '../../base/canonical.js'
import { computeDtype, type Dtype } from '../../types/dtype.js'
import { dtypeOf, shapeOf } from '../build.js'
import { type GraphBuilder, type GraphNode, isView } from '../ir.js'
import { remake } from '../passes/pass.js'
import { geluOf, geluTanhOf } from './activations.js'
import { add, any, conv, map, matmul, mul, named, oneOf, type Pattern, sigmoid } from './pattern.js'
import type { Match, PatternRule } from './rule.js'

type LinearOp = (matrix: Pattern, bias: Pattern) => Pattern

/**
 * A matmul or conv, optionally times scales (of a quantised matrix), optionally with a bias. All parts are named, as
 * nothing else may use them.
 */
function summed(name: string, linear: LinearOp): Pattern {
  const plain = named(name, linear(any(`${name} matrix`), any(`${name} own bias`)))
  const scaled = named(`${name} scaled`, oneOf(mul(plain, any(`${name} scale`)), plain))
  return named(`${name} sum`, oneOf(add(scaled, any(`${name} bias`)), scaled))
}
const partsOf = (name: string): readonly string[] => [name, `${name} scaled`, `${name} sum`]

const active = (u: Pattern): Pattern => oneOf(mul(u, sigmoid(u)), geluOf(u), geluTanhOf(u), map('max', u, mul(0)))

const rule = (name: string, linear: LinearOp): Omit<PatternRule, 'op'> => ({
  name,
  pattern: mul(named('active', active(summed('gate', linear))), summed('up', linear)),
  note: 'f16, bf16: rounded once, after the gate',
  only: ['active', ...partsOf('gate'), ...partsOf('up')],
  replace: found => new Unrounding(found.builder, found).of(found.root),
})

/** Two convolutions with the same windows. Grouped convolutions keep their roundings. */
function areGated(found: Match): boolean {
  const [gate, up] = [found.part('gate'), found.part('up')]
  const windows = ({ attrs, inputs }: GraphNode): string => canonical([attrs as Plain, ...shapeOf(inputs[1]!).slice(2)])
  return gate.op === 'conv' && gate.attrs.groups === 1 && windows(gate) === windows(up)
}

export const gatedRules: readonly PatternRule[] = [
  { ...rule('dual matmul', matrix => matmul(any('x'), matrix)), op: 'dualMatmul' },
  { ...rule('dual matmul (of columns)', matrix => matmul(matrix, any('x'))), op: 'dualMatmul' },
  { ...rule('dual conv', (weight, bias) => conv(any('x'), weight, bias)), when: areGated },
]

/** Rebuilds a match without roundings to a narrow dtype that is widened again at once; its inputs stay. */
class Unrounding {
  readonly #known = new Map<GraphNode, GraphNode>()
  readonly #holes: ReadonlySet<GraphNode>

  constructor(
    readonly b: GraphBuilder,
    { env }: Match,
  ) {
    this.#holes = new Set([...env.tensors.values()].map(({ node }) => node))
  }

  of(node: GraphNode): GraphNode {
    const known = this.#known.get(node) ?? this.#make(node)
    this.#known.set(node, known)
    return known
  }

  #make(node: GraphNode): GraphNode {
    if (this.#holes.has(node)) return node
    if (node.op === 'cast') return this.#wide(node.inputs[0]!, dtypeOf(node)) ?? node
    if (node.op !== 'map' && !isView(node)) return node
    return remake(
      this.b,
      node,
      node.inputs.map(input => this.of(input)),
    )
  }

  /** The value in `wide` that a narrow value was rounded from; null: there is none. */
  #wide(node: GraphNode, wide: Dtype): GraphNode | null {
    if (this.#holes.has(node) || dtypeOf(node) === wide || computeDtype(dtypeOf(node)) !== wide) return null
    if (isView(node)) {
      const inner = this.#wide(node.inputs[0]!, wide)
      return inner === null ? null : remake(this.b, node, [inner])
    }
    if ((node.op === 'matmul' || node.op === 'conv') && node.attrs.accumulate === wide)
      return this.b.node(node.op, node.inputs, { ...node.attrs, to: wide } as never)
    return node.op === 'cast' && dtypeOf(node.inputs[0]!) === wide ? this.of(node.inputs[0]!) : null
  }
}

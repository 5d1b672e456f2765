/** Attention written out: softmax(q @ kᵀ · scale + mask) @ v, whose scores then need no memory. */
import { dtypeOf, expandTo, rankOf, shapeOf } from '../build.js'
import type { GraphNode, Shape } from '../ir.js'
import { attention, fitsOneKernel } from '../ops/attention.js'
import { add, any, div, exp, map, matmul, max, mul, named, number, oneOf, type Pattern, sub, sum } from './pattern.js'
import type { Match, PatternRule } from './rule.js'

const product = matmul(any('q'), any('k'), 'depth')
const scaled = oneOf(mul(number('scale'), product), product)
const nothing = mul(Number.NEGATIVE_INFINITY)

function weightsOf(scores: Pattern): Pattern {
  const powers = exp(sub(scores, max(scores, 'keys')))
  return named('weights', div(powers, sum(powers, 'keys')))
}

const rule = (name: string, scores: Pattern, note = ''): PatternRule => ({
  name,
  pattern: matmul(weightsOf(scores), any('v'), 'keys'),
  note: `the weights are relative to the largest score so far, and rounded before their sum divides${note}`,
  only: ['weights'],
  op: 'scaledDotProductAttention',
  replace: fused,
})

function fused(found: Match): GraphNode | null {
  const { root, builder: b } = found
  const [keys, depth] = [found.reducedAxes('keys'), found.reducedAxes('depth')]
  if (keys.length !== 1 || depth.length !== 1 || rankOf(root) < 2) return null
  const batch = shapeOf(root).slice(0, -2)
  const axes = batch.map((_, d) => d)
  const [row, column] = [rankOf(root) - 2, rankOf(root) - 1]
  const operand = (name: string, own: readonly number[]): GraphNode | null => {
    if (!found.has(name)) return null
    const node = found.along(name, [...axes, ...own])
    return node === null ? null : expandTo(b, node, [...batch, ...own.map(axis => found.env.sizes[axis]!)])
  }
  const q = operand('q', [row, depth[0]!])
  const k = operand('k', [keys[0]!, depth[0]!])
  const v = operand('v', [keys[0]!, column])
  const name = ['seen', 'hidden', 'mask'].find(each => found.has(each))
  const mask = name === undefined ? null : operand(name, [row, keys[0]!])
  if (q === null || k === null || v === null || (name !== undefined && mask === null)) return null
  if (dtypeOf(q) !== dtypeOf(k) || dtypeOf(q) !== dtypeOf(v) || !fitsOneKernel(shapeOf(q), shapeOf(v))) return null
  const isHidden = name === 'hidden' && mask !== null
  const seen = isHidden ? b.node('map', [mask], { fn: 'not' }) : mask
  const scale = found.env.numbers.get('scale') ?? 1
  const result = attention(b, { q, k, v, mask: seen, causal: false, scale, fullyMasked: 'nan', to: dtypeOf(root) })
  return sameRank(result, shapeOf(root)) ? result : null
}

const sameRank = (node: GraphNode, shape: Shape): boolean => rankOf(node) === shape.length

export const attentionRules: readonly PatternRule[] = [
  rule('attention (keys seen)', map('where', any('seen'), scaled, nothing)),
  rule('attention (keys hidden)', map('where', any('hidden'), nothing, scaled)),
  rule('attention', oneOf(scaled, add(scaled, any('mask')))),
]

/**
 * The derivative of attention, from its operands, its result and the log-sum-exp of its scores: the weights are computed
 * again as e^(scores − lse), so none are kept (Dao et al., arXiv:2205.14135, section B.4).
 */
import { castTo, dtypeOf, expandTo, reduce, reshapeTo, shapeOf, swapDims, toCompute } from '../build.js'
import { attentionInputs, type GraphBuilder, type GraphNode, type GraphOps } from '../ir.js'
import { type AttentionParts, attentionScores, composedAttention } from '../ops/attention.js'
import { emitter } from '../ops/elementwise.js'
import { droppedOut } from '../ops/sampling.js'
import type { NodeOfOp, Rule, Slope } from './rule.js'

type AttentionNode = NodeOfOp<'attention'>

function partsOf({ inputs, attrs }: AttentionNode): AttentionParts {
  const { operands, mask, random } = attentionInputs(inputs, attrs)
  const [q, k, v] = operands
  const { causal, scale, fullyMasked, to, precision, dropout: probability } = attrs
  const dropout = random && { probability: probability!, seed: random[0], offset: random[1] }
  return { q, k, v, mask, causal, scale, fullyMasked, to, dropout, ...(precision && { precision }) }
}

const transposed = (b: GraphBuilder, node: GraphNode): GraphNode =>
  swapDims(b, node, shapeOf(node).length - 2, shapeOf(node).length - 1)

/** The log-sum-exp of each row, of an attention that gives it too: the two become one node (expand.ts). */
function lseOf(b: GraphBuilder, node: AttentionNode): GraphNode {
  const both = node.attrs.lse ? node : b.node('attention', node.inputs, { ...node.attrs, lse: true })
  return b.node('item', [both], { index: 1 })
}

/** One value per row, for all its keys. */
const perKey = (b: GraphBuilder, rows: GraphNode, scores: GraphNode): GraphNode =>
  expandTo(b, reshapeTo(b, rows, [...shapeOf(rows), 1]), shapeOf(scores))

/** The weights of all pairs before dropout. A row that sees no key has none, or NaN where its result is. */
function weightsOf(b: GraphBuilder, node: AttentionNode, parts: AttentionParts): GraphNode {
  const e = emitter(b)
  const scores = attentionScores(b, parts)
  const lse = lseOf(b, node)
  const unseen = parts.fullyMasked === 'zero' ? 0 : Number.NaN
  const total = e('where', e('eq', lse, Number.NEGATIVE_INFINITY), unseen, lse)
  return e('exp', e('sub', scores, perKey(b, total, scores)))
}

export const attentionRule: Rule<'attention'> = {
  reverse: ({ b, node, cotangents: [ofResult, ofLse], needs }) => {
    const parts = partsOf(node)
    const { q, k, v, dropout, scale, precision } = parts
    const e = emitter(b)
    const dtype = dtypeOf(q)
    const { accumulate } = node.attrs
    const product = (x: GraphNode, y: GraphNode, to: GraphOps['matmul']['to']): GraphNode =>
      b.node('matmul', [x, y], { accumulate, to, ...(precision && { precision }) })
    const dropped = (x: GraphNode): GraphNode =>
      dropout == null ? x : droppedOut(b, dropout.seed, dropout.offset, x, dropout.probability)
    const weights = weightsOf(b, node, parts)
    let ofValues: Slope = null
    let slopes: GraphNode | null = ofLse ? perKey(b, ofLse, weights) : null
    if (ofResult) {
      const g = castTo(b, ofResult, dtype)
      if (needs[2]) ofValues = product(transposed(b, castTo(b, dropped(weights), dtype)), g, dtype)
      const ofWeights = dropped(product(g, transposed(b, v), accumulate))
      const result = node.attrs.lse ? b.node('item', [node], { index: 0 }) : node
      const inner = reduce(b, 'add', e('mul', toCompute(b, ofResult), toCompute(b, result)), [shapeOf(q).length - 1])
      const own = e('sub', ofWeights, perKey(b, inner, weights))
      slopes = slopes === null ? own : e('add', own, slopes)
    }
    const ofScores = e('mul', weights, slopes!)
    const scaled = castTo(b, e('mul', ofScores, scale), dtype)
    const ofMask = parts.mask !== null && needs[3] ? castTo(b, ofScores, dtypeOf(parts.mask)) : null
    return [
      needs[0] ? product(scaled, k, dtype) : null,
      needs[1] ? product(transposed(b, scaled), q, dtype) : null,
      ofValues,
      ...node.inputs.slice(3).map((_, i) => (i === 0 ? ofMask : null)),
    ]
  },
  forward: ({ b, node, tangents, modes }) => {
    const { result, lse } = composedAttention(b, partsOf(node))
    const given = node.inputs.flatMap((input, i) => (tangents[i] ? [{ input, t: tangents[i] }] : []))
    return modes.jvp(b, {
      outputs: node.attrs.lse ? [result, lse] : [result],
      inputs: given.map(({ input }) => input),
      tangents: given.map(({ t }) => t),
    })
  },
}

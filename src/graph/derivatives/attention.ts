/**
 * The derivative of attention, from its operands, its result and the log-sum-exp of its scores: the weights are computed
 * again as e^(scores − lse), so none are kept (Dao et al., arXiv:2205.14135, section B.4). The gradients of query, key and
 * value are a primitive, which never stores them; that of a mask, and derivatives of that primitive, are its formula's.
 */
import { castTo, dtypeOf, expandTo, map, reduce, reshapeTo, shapeOf, swapDims, toCompute } from '../build.js'
import { attentionGradientInputs, attentionInputs, type GraphBuilder, type GraphNode, type GraphOps } from '../ir.js'
import { type AttentionParts, attentionScores, composedAttention } from '../ops/attention.js'
import { emitter } from '../ops/elementwise.js'
import { droppedOut } from '../ops/sampling.js'
import { type NodeOfOp, type Rule, type Slope, zerosOf } from './rule.js'

type AttentionNode = NodeOfOp<'attention'>
type GradientNode = NodeOfOp<'attentionGradient'>

/** What attention and its gradient have in common. */
type Attention = Pick<ReturnType<typeof attentionInputs<GraphNode>>, 'operands' | 'mask' | 'random'> & {
  readonly attrs: Omit<GraphOps['attention'], 'lse'>
}

function partsOf({ operands: [q, k, v], mask, random, attrs }: Attention): AttentionParts {
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

/** What a gradient is computed from, beside the operands: as of the primitive. */
interface Backward {
  readonly lse: GraphNode
  readonly g: GraphNode
  readonly inner: GraphNode
}

/** The formula of the gradients, with values for all pairs as tensors; of the mask too. */
function composedGradients(b: GraphBuilder, parts: AttentionParts, { lse, g, inner }: Backward) {
  const { q, k, v, dropout, scale, precision, to } = parts
  const e = emitter(b)
  const dtype = dtypeOf(q)
  const accumulate = dtypeOf(lse) as 'f32' | 'f64'
  const product = (x: GraphNode, y: GraphNode, as: GraphOps['matmul']['to']): GraphNode =>
    b.node('matmul', [x, y], { accumulate, to: as, ...(precision && { precision }) })
  const dropped = (x: GraphNode): GraphNode =>
    dropout == null ? x : droppedOut(b, dropout.seed, dropout.offset, x, dropout.probability)
  const scores = attentionScores(b, parts)
  // A row that sees no key has no weights, or NaN where its result is.
  const unseen = parts.fullyMasked === 'zero' ? 0 : Number.NaN
  const total = e('where', e('eq', lse, Number.NEGATIVE_INFINITY), unseen, lse)
  const weights = e('exp', e('sub', scores, perKey(b, total, scores)))
  const ofWeights = dropped(product(g, transposed(b, v), accumulate))
  const ofScores = e('mul', weights, e('sub', ofWeights, perKey(b, inner, weights)))
  const scaled = castTo(b, e('mul', ofScores, scale), dtype)
  return {
    ofQuery: () => product(scaled, k, to),
    ofKey: () => product(transposed(b, scaled), q, to),
    ofValue: () => product(transposed(b, castTo(b, dropped(weights), dtype)), g, to),
    ofScores,
  }
}

export const attentionRule: Rule<'attention'> = {
  reverse: ({ b, node, cotangents: [ofResult, ofLse], needs }) => {
    const { inputs, attrs } = node
    const own = { ...attentionInputs(inputs, attrs), attrs }
    const [q, k, v] = own.operands
    const dtype = dtypeOf(q)
    const result = node.attrs.lse ? b.node('item', [node], { index: 0 }) : node
    const lse = lseOf(b, node)
    const shape = shapeOf(result)
    const g = ofResult ? castTo(b, ofResult, dtype) : zerosOf(b, { kind: 'tensor', dtype, shape })
    const dims = [shape.length - 1]
    const along = ofResult ? reduce(b, 'add', map(b, 'mul', toCompute(b, ofResult), toCompute(b, result)), dims) : null
    const inner = innerOf(b, along, ofLse ?? null, lse)
    const { lse: _, ...rest } = attrs
    const call = [q, k, v, lse, g, inner, ...inputs.slice(3)]
    const gradient = (wrt: 'query' | 'keys'): GraphNode =>
      b.node('attentionGradient', call, { ...rest, wrt, to: dtype })
    const item = (index: number): GraphNode => b.node('item', [gradient('keys')], { index })
    const ofMask = (mask: GraphNode): GraphNode =>
      castTo(b, composedGradients(b, partsOf(own), { lse, g, inner }).ofScores, dtypeOf(mask))
    return [
      needs[0] ? gradient('query') : null,
      needs[1] ? item(0) : null,
      needs[2] && ofResult ? item(1) : null,
      ...inputs.slice(3).map((_, i) => (i === 0 && own.mask !== null && needs[3] ? ofMask(own.mask) : null)),
    ]
  },
  forward: ({ b, node, tangents, modes }) => {
    const { inputs, attrs } = node
    const { result, lse } = composedAttention(b, partsOf({ ...attentionInputs(inputs, attrs), attrs }))
    return modes.jvp(b, { outputs: attrs.lse ? [result, lse] : [result], inputs, tangents })
  },
}

/** Σ g · result of each row, which its weights sum to 1 by, without what the log-sum-exp's own gradient adds. */
function innerOf(b: GraphBuilder, along: Slope, ofLse: Slope, lse: GraphNode): GraphNode {
  const sum = along ?? zerosOf(b, { kind: 'tensor', dtype: dtypeOf(lse), shape: shapeOf(lse) })
  return ofLse === null ? sum : map(b, 'sub', sum, castTo(b, ofLse, dtypeOf(lse)))
}

/** The formula that the primitive stands for: its results. */
function formulaOf(b: GraphBuilder, { inputs, attrs }: Pick<GradientNode, 'inputs' | 'attrs'>): readonly GraphNode[] {
  const own = attentionGradientInputs(inputs, attrs)
  const { ofQuery, ofKey, ofValue } = composedGradients(b, partsOf({ ...own, attrs }), own)
  return attrs.wrt === 'query' ? [ofQuery()] : [ofKey(), ofValue()]
}

export const attentionGradientRule: Rule<'attentionGradient'> = {
  reverse: ({ b, node, cotangents, needs, modes }) => {
    // The formula has operands of its own: those of the node depend on one another, as the log-sum-exp on the query. One that
    // stands in several places gets the gradient of all at the first of them.
    const own = node.inputs.map((input, i) => (needs[i] ? b.node('fence', [input], {}) : input))
    const isFirst = own.map((operand, i) => needs[i]! && own.indexOf(operand) === i)
    const wanted = own.filter((_, i) => isFirst[i])
    const outputs = formulaOf(b, { inputs: own, attrs: node.attrs })
    const slopes = modes.vjp(b, { outputs, cotangents, inputs: wanted }).values()
    return isFirst.map(first => (first ? slopes.next().value! : null))
  },
  forward: ({ b, node, tangents, modes }) =>
    modes.jvp(b, { outputs: formulaOf(b, node), inputs: node.inputs, tangents }),
}

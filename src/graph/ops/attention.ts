/**
 * Scaled dot-product attention. Where the heads are narrow enough for one kernel it is a primitive of the graph, which
 * never materialises the scores; wider ones are composed of matmuls and a softmax.
 */

import { ArgumentError, DtypeError, ShapeError } from '../../base/errors.js'
import { type Size, sameSize } from '../../scalar/size.js'
import { computeDtype, type Dtype, isFloat } from '../../types/dtype.js'
import { castTo, dtypeOf, expandTo, full, map, rankOf, reduceKeepdim, reshapeTo, shapeOf, swapDims } from '../build.js'
import { elementAt, hostFrom, hostValue, offsetOf } from '../host.js'
import { type GraphBuilder, type GraphNode, type Shape, typeOf } from '../ir.js'
import { type HostTensor, type OpCall, type OpInput, op } from '../record.js'
import type { Bound } from '../signature.js'
import { broadcastShapes, printShape, requireEqual } from '../sizes.js'
import { call } from './arguments.js'
import { knownSize } from './rearrange.js'
import { checkProbability, droppedOut, hostDropout } from './sampling.js'
import { floatKept } from './texts.js'

const name = 'scaledDotProductAttention'

/** Wider heads do not fit the registers and caches of one kernel. */
export const widestHead = 256

export type AttentionAttrs = {
  readonly isCausal: boolean
  readonly scale: number | null
  readonly enableGqa: boolean
  /** The probability that a weight is 0; null: all are kept. */
  readonly dropoutP: number | null
}

// --- checks --------------------------------------------------------------------------------------------------------------

function checkDtypes(q: Dtype, k: Dtype, v: Dtype, mask: Dtype | null): void {
  if (q !== k || q !== v)
    throw new DtypeError(`${name}: query, key and value are ${q}, ${k} and ${v}`, { fix: `cast them: x.to('${q}')` })
  if (!isFloat(q)) throw new DtypeError(`${name}: needs floats, got ${q}`, { fix: "cast first: x.to('f32')" })
  if (mask !== null && mask !== 'bool' && !isFloat(mask))
    throw new DtypeError(`${name}: the mask is ${mask}`, {
      fix: 'give a bool mask (true: the key is seen), or a float one that is added to the scores',
    })
}

/** The shape of the scores of all pairs, heads as the query has them. Throws ShapeError. */
export function scoreShape(q: Shape, k: Shape, v: Shape, isGrouped: boolean): Shape {
  checkShapes(q, k, v, isGrouped)
  if (isGrouped) headsPerGroup(q, k, v)
  const leads = isGrouped ? [q.slice(0, -3), k.slice(0, -3), v.slice(0, -3)] : [q, k, v].map(s => s.slice(0, -2))
  return [...broadcastShapes(name, leads), ...q.slice(isGrouped ? -3 : -2, -1), k.at(-2)!]
}

/** Throws ShapeError unless query, key and value fit each other. */
function checkShapes(q: Shape, k: Shape, v: Shape, isGrouped: boolean): void {
  const minRank = isGrouped ? 3 : 2
  const shown = (): string => `query ${printShape(q)}, key ${printShape(k)}, value ${printShape(v)}`
  if (Math.min(q.length, k.length, v.length) < minRank) {
    const wanted = isGrouped ? '[…, heads, length, size]' : '[…, length, size]'
    throw new ShapeError(`${name}: ${shown()}: each needs at least ${minRank} dims`, { fix: `give ${wanted}` })
  }
  requireEqual(
    q.at(-1)!,
    k.at(-1)!,
    () => `${name}: ${shown()}: query and key differ in their last dim`,
    'heads of query and key have one size',
  )
  requireEqual(
    k.at(-2)!,
    v.at(-2)!,
    () => `${name}: ${shown()}: key and value differ in length`,
    'each key has a value',
  )
}

/** How many heads of the query share one of key and value; throws ShapeError where they do not divide. */
function headsPerGroup(q: Shape, k: Shape, v: Shape): number {
  const [heads, keyHeads, valueHeads] = [q, k, v].map(shape => knownSize(name, shape.at(-3)!)) as [
    number,
    number,
    number,
  ]
  if (keyHeads === valueHeads && keyHeads > 0 && heads % keyHeads === 0) return heads / keyHeads
  throw new ShapeError(
    `${name}: ${heads} heads of the query over ${keyHeads} of the key and ${valueHeads} of the value`,
    {
      fix: 'key and value have one number of heads, which divides the number of the query’s',
    },
  )
}

/** Throws ShapeError for head counts that fit only as grouped-query attention, which the user must enable. */
function checkHeads(q: Shape, k: Shape, v: Shape): void {
  const [heads, keyHeads, valueHeads] = [q, k, v].map(shape => shape.at(-3) ?? 1)
  if (typeof heads !== 'number' || typeof keyHeads !== 'number' || keyHeads !== valueHeads) return
  if (keyHeads < 2 || heads === keyHeads || heads % keyHeads !== 0) return
  throw new ShapeError(
    `${name}: query ${printShape(q)} has ${heads} heads, key ${printShape(k)} and value ${printShape(v)} have ${keyHeads}`,
    { fix: 'pass { enableGqa: true }: each head of key and value is then used by several of the query' },
  )
}

// --- build ---------------------------------------------------------------------------------------------------------------

export interface AttentionParts {
  readonly q: GraphNode
  readonly k: GraphNode
  readonly v: GraphNode
  readonly mask: GraphNode | null
  readonly causal: boolean
  readonly scale: number
  readonly fullyMasked: 'zero' | 'nan'
  readonly to: Dtype
  readonly precision?: 'tf32'
  /** Dropout of the weights with this random state. */
  readonly dropout?: { readonly probability: number; readonly seed: GraphNode; readonly offset: GraphNode } | null
}

export interface AttentionResults {
  readonly result: GraphNode
  /** The log-sum-exp of each row's scores, in the dtype of sums. */
  readonly lse: GraphNode
}

/** True when one kernel can hold a head. Its sizes must be known. */
export function fitsOneKernel(q: Shape, v: Shape): boolean {
  const [depth, columns] = [q.at(-1)!, v.at(-1)!]
  const fits = (size: Size): boolean => typeof size === 'number' && size >= 1 && size <= widestHead
  return fits(depth) && fits(columns)
}

/** Attention on operands of equal batch dims; the mask has the scores' shape. */
export function attention(b: GraphBuilder, parts: AttentionParts): GraphNode {
  return fitsOneKernel(shapeOf(parts.q), shapeOf(parts.v)) ? fused(b, parts, {}) : composedAttention(b, parts).result
}

/** As `attention`, with its log-sum-exp. */
export function attentionWithLse(b: GraphBuilder, parts: AttentionParts): AttentionResults {
  if (!fitsOneKernel(shapeOf(parts.q), shapeOf(parts.v))) return composedAttention(b, parts)
  const both = fused(b, parts, { lse: true })
  return { result: b.node('item', [both], { index: 0 }), lse: b.node('item', [both], { index: 1 }) }
}

function fused(b: GraphBuilder, parts: AttentionParts, lse: { readonly lse?: true }): GraphNode {
  const { q, k, v, mask, causal, scale, fullyMasked, to, dropout = null } = parts
  const accumulate = computeDtype(dtypeOf(q)) as 'f32' | 'f64'
  const masks = mask === null ? [] : [dtypeOf(mask) === 'bool' ? mask : castTo(b, mask, accumulate)]
  const state = dropout === null ? [] : [dropout.seed, dropout.offset].map(node => castTo(b, node, 'i64'))
  const dropped = dropout === null ? {} : { dropout: dropout.probability }
  const attrs = { causal, scale, fullyMasked, accumulate, to, ...dropped, ...lse }
  return b.node('attention', [q, k, v, ...masks, ...state], attrs)
}

/** scale · q·kᵀ with the mask, in the dtype of sums; −∞ for hidden keys. */
export function attentionScores(b: GraphBuilder, parts: Omit<AttentionParts, 'v' | 'to' | 'fullyMasked'>): GraphNode {
  const { q, k, mask, causal, scale, precision } = parts
  const wide = computeDtype(dtypeOf(q)) as 'f32' | 'f64'
  const sums = { accumulate: wide, to: wide, ...(precision && { precision }) } as const
  const products = b.node('matmul', [q, swapDims(b, k, rankOf(k) - 2, rankOf(k) - 1)], sums)
  const shape = shapeOf(products)
  const everywhere = (value: number): GraphNode => full(b, wide, shape, value)
  let scores = map(b, 'mul', products, everywhere(scale))
  const hide = (seen: GraphNode): void => {
    scores = map(b, 'where', seen, scores, everywhere(Number.NEGATIVE_INFINITY))
  }
  if (mask !== null && dtypeOf(mask) === 'bool') hide(mask)
  else if (mask !== null) scores = map(b, 'add', scores, castTo(b, mask, wide))
  if (causal) hide(causalMask(b, shape))
  return scores
}

/** The formula, with the scores of all pairs as a tensor. */
export function composedAttention(b: GraphBuilder, parts: AttentionParts): AttentionResults {
  const { v, fullyMasked, to, dropout = null } = parts
  const scores = attentionScores(b, parts)
  const { shape } = typeOf(scores)
  const wide = dtypeOf(scores) as 'f32' | 'f64'
  const dims = [shape.length - 1]
  const rows = shape.slice(0, -1)
  if (shape.at(-1) === 0) {
    const lse = full(b, wide, rows, Number.NEGATIVE_INFINITY)
    return { result: full(b, to, [...rows, shapeOf(v).at(-1)!], 0), lse }
  }
  // What all scores of a row are reduced by changes neither result, so no gradient flows through it.
  const largest = b.node('detach', [reduceKeepdim(b, 'max', scores, dims)], {})
  // −∞ minus any finite number stays −∞.
  const isHidden = map(b, 'eq', largest, full(b, wide, shapeOf(largest), Number.NEGATIVE_INFINITY))
  const offset =
    fullyMasked === 'nan' ? largest : map(b, 'where', isHidden, full(b, wide, shapeOf(largest), 0), largest)
  const powers = map(b, 'exp', map(b, 'sub', scores, expandTo(b, offset, shape)))
  const total = reduceKeepdim(b, 'add', powers, dims)
  const divisor = fullyMasked === 'nan' ? total : map(b, 'where', isHidden, full(b, wide, shapeOf(total), 1), total)
  const whole = map(b, 'div', powers, expandTo(b, divisor, shape))
  const weights = dropout === null ? whole : droppedOut(b, dropout.seed, dropout.offset, whole, dropout.probability)
  const result = b.node('matmul', [castTo(b, weights, dtypeOf(v)), v], { accumulate: wide, to })
  // For a fully masked row the divisor is 1 and the largest score −∞.
  return { result, lse: reshapeTo(b, map(b, 'add', largest, map(b, 'log', divisor)), rows) }
}

/** True where the key's index is at most the row's. */
function causalMask(b: GraphBuilder, shape: Shape): GraphNode {
  const [rows, keys] = shape.slice(-2) as [Size, Size]
  const index = (length: Size): GraphNode => b.node('iota', [], { length, dtype: 'i64' })
  const seen = map(
    b,
    'le',
    expandTo(b, index(keys), [rows, keys]),
    expandTo(b, reshapeTo(b, index(rows), [rows, 1]), [rows, keys]),
  )
  return expandTo(b, seen, shape)
}

/** The attention node, with heads grouped if `enableGqa`; with `withLse` also the log-sum-exp. */
function build(b: GraphBuilder, inputs: readonly OpInput[], attrs: AttentionAttrs, withLse: boolean): GraphNode[] {
  const nodes = inputs.map(({ node }) => node)
  const { dropoutP } = attrs
  const [seed, offset] = dropoutP === null ? [] : nodes.splice(0, 2)
  const [q, k, v, mask] = nodes as [GraphNode, GraphNode, GraphNode, GraphNode?]
  checkDtypes(dtypeOf(q), dtypeOf(k), dtypeOf(v), mask === undefined ? null : dtypeOf(mask))
  checkShapes(shapeOf(q), shapeOf(k), shapeOf(v), attrs.enableGqa)
  const group = attrs.enableGqa ? headsPerGroup(shapeOf(q), shapeOf(k), shapeOf(v)) : 1
  const depth = knownSize(name, shapeOf(q).at(-1)!)
  knownSize(name, shapeOf(v).at(-1)!)
  const perHead = (node: GraphNode): GraphNode => (group === 1 ? node : withDim(b, node, 1))
  const byGroup = (node: GraphNode): GraphNode => {
    const shape = shapeOf(node)
    if (group === 1) return node
    return reshapeTo(b, node, [
      ...shape.slice(0, -3),
      knownSize(name, shape.at(-3)!) / group,
      group,
      ...shape.slice(-2),
    ])
  }
  const [queries, keys, values] = [byGroup(q), perHead(k), perHead(v)]
  if (!attrs.enableGqa) checkHeads(shapeOf(q), shapeOf(k), shapeOf(v))
  const batch = broadcastShapes(
    name,
    [queries, keys, values].map(node => shapeOf(node).slice(0, -2)),
  )
  const expand = (node: GraphNode): GraphNode => expandTo(b, node, [...batch, ...shapeOf(node).slice(-2)])
  const scores = [...batch, shapeOf(q).at(-2)!, shapeOf(k).at(-2)!]
  const parts: AttentionParts = {
    q: expand(queries),
    k: expand(keys),
    v: expand(values),
    mask: mask === undefined ? null : expandMask(b, mask, scores, group),
    causal: attrs.isCausal,
    scale: attrs.scale ?? 1 / Math.sqrt(depth),
    fullyMasked: 'zero',
    to: dtypeOf(q),
    dropout: dropoutP === null ? null : { probability: dropoutP, seed: seed!, offset: offset! },
  }
  /** Merges groups and heads per group into one dim. */
  const joined = (node: GraphNode, inner: number): GraphNode => {
    const [before, own] = [shapeOf(node).slice(0, -2 - inner), shapeOf(node).slice(-2 - inner)]
    const heads = (): Size => knownSize(name, own[0]!) * group
    return group === 1 ? node : reshapeTo(b, node, [...before, heads(), ...own.slice(2)])
  }
  if (!withLse) return [joined(attention(b, parts), 2)]
  const { result, lse } = attentionWithLse(b, parts)
  return [joined(result, 2), joined(lse, 1)]
}

/** With a dim put in before the last two. */
const withDim = (b: GraphBuilder, node: GraphNode, size: number): GraphNode =>
  reshapeTo(b, node, [...shapeOf(node).slice(0, -2), size, ...shapeOf(node).slice(-2)])

/** A mask in the shape of the scores, whose heads are [groups, heads per group] where they are grouped. */
function expandMask(b: GraphBuilder, mask: GraphNode, scores: Shape, group: number): GraphNode {
  const plain =
    group === 1 ? scores : [...scores.slice(0, -4), knownSize(name, scores.at(-4)!) * group, ...scores.slice(-2)]
  const shape = shapeOf(mask)
  const fits = shape.length <= plain.length && printShape(broadcastShapes(name, [shape, plain])) === printShape(plain)
  if (!fits) {
    throw new ShapeError(`${name}: the mask ${printShape(shape)} does not broadcast to ${printShape(plain)}`, {
      fix: 'a mask has the shape [batch…, queries, keys], or 1 in some of these dims',
    })
  }
  if (group === 1) return expandTo(b, mask, scores)
  const heads = shape.length < 3 ? [] : sameSize(shape.at(-3)!, 1) ? [1, 1] : [scores.at(-4)!, group]
  return expandTo(b, reshapeTo(b, mask, [...shape.slice(0, -3), ...heads, ...shape.slice(-2)]), scores)
}

// --- reference -----------------------------------------------------------------------------------------------------------

interface HostRow {
  readonly weights: readonly number[]
  readonly lse: number
}

/** Row by row, as the formula is written: the result and the log-sum-exp. */
function reference(inputs: readonly HostTensor[], attrs: AttentionAttrs): readonly [HostTensor, HostTensor] {
  const { dropoutP } = attrs
  const [seed, offset] = inputs
  const operands = dropoutP === null ? inputs : inputs.slice(2)
  const [q, k, v, mask] = operands as [HostTensor, HostTensor, HostTensor, HostTensor?]
  const [rows, depth] = q.shape.slice(-2) as [number, number]
  const [keys, columns] = v.shape.slice(-2) as [number, number]
  const scale = attrs.scale ?? 1 / Math.sqrt(depth)
  const group = attrs.enableGqa ? q.shape.at(-3)! / k.shape.at(-3)! : 1
  const keyBatch = (shape: readonly number[]): readonly number[] =>
    group === 1 ? shape.slice(0, -2) : [...shape.slice(0, -3), shape.at(-3)! * group]
  const batch = broadcastShapes(name, [q.shape.slice(0, -2), keyBatch(k.shape), keyBatch(v.shape)]) as readonly number[]
  const ofKey = (lead: readonly number[]): readonly number[] =>
    group === 1 ? lead : [...lead.slice(0, -1), Math.floor(lead.at(-1)! / group)]
  const known = new Map<string, HostRow>()
  const computed = (lead: readonly number[], row: number): HostRow => {
    const [own, first] = [offsetOf(q, [...lead, row, 0]), offsetOf(k, [...ofKey(lead), 0, 0])]
    const scores = Array.from({ length: keys }, (_, j) => {
      let sum = 0
      for (let e = 0; e < depth; e++) sum += Number(q.data[own + e]) * Number(k.data[first + j * depth + e])
      const hint = mask === undefined ? 0 : Number(elementAt(mask, [...lead, row, j]))
      if ((attrs.isCausal && j > row) || (mask?.dtype === 'bool' && hint === 0)) return Number.NEGATIVE_INFINITY
      return sum * scale + (mask?.dtype === 'bool' ? 0 : hint)
    })
    if (scores.every(score => score === Number.NEGATIVE_INFINITY))
      return { weights: scores.map(() => 0), lse: Number.NEGATIVE_INFINITY }
    const largest = Math.max(...scores)
    const powers = scores.map(score => Math.exp(score - largest))
    const total = powers.reduce((a, b) => a + b, 0)
    const counter = [...lead, row].reduce((at, i, d) => at * [...batch, rows][d]! + i, 0) * keys
    const kept = (j: number): number => (dropoutP === null ? 1 : hostDropout(seed!, offset!, dropoutP, counter + j))
    return { weights: powers.map((power, j) => (power / total) * kept(j)), lse: largest + Math.log(total) }
  }
  const rowAt = (lead: readonly number[], row: number): HostRow => {
    const key = `${lead.join()};${row}`
    const own = known.get(key) ?? computed(lead, row)
    known.set(key, own)
    return own
  }
  const lse = hostFrom(computeDtype(q.dtype), [...batch, rows], index =>
    hostValue(computeDtype(q.dtype), rowAt(index.slice(0, -1), index.at(-1)!).lse),
  )
  const result = hostFrom(q.dtype, [...batch, rows, columns], index => {
    const [lead, row, column] = [index.slice(0, -2), index.at(-2)!, index.at(-1)!]
    const first = offsetOf(v, [...ofKey(lead), 0, column])
    const terms = rowAt(lead, row).weights.map((weight, j) => weight * Number(v.data[first + j * columns]))
    return hostValue(
      q.dtype,
      terms.reduce((a, b) => a + b, 0),
    )
  })
  return [result, lse]
}

// --- record --------------------------------------------------------------------------------------------------------------

const signature =
  'self, key, value, attnMask: tensor | null = null, *, isCausal: bool = false, scale: number | null = null, enableGqa: bool = false'
const dropped =
  'seed: operand, offset: operand, self, key, value, attnMask: tensor | null = null, dropoutP: number = 0, isCausal: bool = false, *, scale: number | null = null, enableGqa: bool = false'

/** The call of scaledDotProductAttention from its bound arguments. */
function parse({ self, key, value, attnMask, ...options }: Bound<typeof signature>): OpCall<AttentionAttrs> {
  const { isCausal, scale, enableGqa } = options
  if (attnMask !== null && isCausal)
    throw new ArgumentError(`${name}: both attnMask and isCausal are given`, {
      fix: 'give one of them; a mask can hide the keys after each row itself',
    })
  if (scale !== null && !Number.isFinite(scale))
    throw new ArgumentError(`${name}: scale is ${scale}`, {
      fix: 'give a finite number, or leave it out for 1 / √E',
    })
  const inputs = attnMask === null ? [self, key, value] : [self, key, value, attnMask]
  return call(inputs, { isCausal, scale, enableGqa, dropoutP: null })
}

/** With `dropoutP` 0 the op draws no random numbers, so the call has no seed and offset. */
function parseDropped({ seed, offset, dropoutP, ...args }: Bound<typeof dropped>): OpCall<AttentionAttrs> {
  checkProbability(name, 'dropoutP', dropoutP)
  const { inputs, attrs } = parse(args)
  return dropoutP === 0 ? call(inputs, attrs) : call([seed, offset, ...inputs], { ...attrs, dropoutP })
}

const columns = {
  category: 'matmul' as const,
  details: {
    self: 'the query, [*, L, E]; with enableGqa [*, heads, L, E]',
    key: '[*, S, E]',
    value: '[*, S, Ev]',
    attnMask: 'broadcasts to [*, L, S]: bool, false hides a key; a float is added to the scores',
    dropoutP: 'the probability that a weight is 0; the others are divided by 1 − dropoutP',
    isCausal: 'row i sees the keys 0 … i only; not together with a mask',
    scale: 'what the scores are multiplied by; by default 1 / √E',
    enableGqa: 'key and value have fewer heads (dim −3), each for as many consecutive heads of the query',
  },
  errors: {
    ArgumentError: 'when both attnMask and isCausal are given, or scale is not finite',
    DtypeError: 'when query, key and value differ, or the mask is an integer',
    ShapeError: 'when E or S differ, or the heads do not divide',
  },
}

const oneResult = {
  ...columns,
  shape: '[*, L, Ev]',
  dtypes: floatKept,
  results: null,
  recordedAs: 'attentionLse',
  build: (b: GraphBuilder, inputs: readonly OpInput[], attrs: AttentionAttrs) => build(b, inputs, attrs, false),
  reference: (inputs: readonly HostTensor[], attrs: AttentionAttrs) => reference(inputs, attrs).slice(0, 1),
}

export const attentionRecords = {
  scaledDotProductAttention: op({
    ...oneResult,
    name,
    summary:
      'softmax(scale · self · keyᵀ + mask) · value, scale 1 / √E unless given; a query whose keys are all masked gives 0. The score matrix is never stored.',
    hint: `dropoutP is taken by the function, as is returnLse: ${name}(query, key, value, { dropoutP })`,
    signature,
    note: 'Vaswani et al., arXiv:1706.03762. PyTorch gives NaN where a row sees no key. Leading dims broadcast.',
    call: parse,
  }),
  // Records of their own: these draw numbers.
  attentionDropout: op({
    ...oneResult,
    name: 'attentionDropout',
    category: 'random',
    summary: 'scaledDotProductAttention with weights set to 0 at random, from the stream of a seed.',
    signature: dropped,
    call: parseDropped,
  }),
  attentionLse: op({
    ...columns,
    name: 'attentionLse',
    category: 'random',
    summary:
      'attentionDropout, and for each row the log-sum-exp of its scores (natural, scale and mask included; −∞ where it sees no key), as gradients need it.',
    signature: dropped,
    shape: { output: '[*, L, Ev]', logsumexp: '[*, L]' },
    dtypes: { takes: 'float', gives: { output: 'same', logsumexp: { words: 'f32; f64 of f64' } } },
    results: ['output', 'logsumexp'],
    call: parseDropped,
    build: (b: GraphBuilder, inputs: readonly OpInput[], attrs: AttentionAttrs) => build(b, inputs, attrs, true),
    reference,
  }),
}

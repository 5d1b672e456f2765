/** Distances between vectors, and the losses made of them. */
import { ArgumentError, ShapeError } from '../../base/errors.js'
import { broadcastShapes, printShape, requireEqual } from '../sizes.js'
import { broadcastArgument, compose } from './compose.js'
import { keptDistances, lengthsOf } from './formulas.js'
import type { GraphTensor } from './graph-tensor.js'
import { cosine, lossDetails, reduced, reductionParam } from './losses.js'
import { floatPromoted, scalar } from './texts.js'

const checkPower =
  (name: string) =>
  ({ p }: { readonly p: number }): void => {
    if (p < 0) throw new ArgumentError(`${name}: p is ${p}`, { fix: 'use p ≥ 0' })
  }
const vectors = { x1: 'one tensor', x2: 'the other', p: 'the power; 0 counts, Infinity is the largest difference' }

/** (Σ |x|^p)^(1/p) over the last dim, or over all. */
const lengthOf = (x: GraphTensor, p: number, dims: readonly number[] = [x.rank - 1]): GraphTensor =>
  x.with(lengthsOf(x.b, x.node, p, dims)).shaped(x.shape.filter((_, d) => !dims.includes(d)))

// --- distances -----------------------------------------------------------------------------------------------------------

/** Up to this length the gradient's differences are as fast as products of matrices, and more exact between near points. */
const shortVector = 16

const cdist = compose({
  name: 'cdist',
  summary: 'The distances (Σ |x − y|^p)^(1/p) of all rows x of x1 [*, P, M] and y of x2 [*, R, M]: [*, P, R].',
  category: 'matmul',
  signature: 'x1, x2, p: number = 2',
  shape: '[*, P, R]; * is what the leading dims broadcast to',
  dtypes: floatPromoted,
  details: { ...vectors, x1: '[*, P, M]', x2: '[*, R, M]' },
  errors: {
    ArgumentError: 'when p is negative',
    ShapeError: 'when either has fewer than two dims, or the rows differ in length',
  },
  check: checkPower('cdist'),
  body: ({ x1, x2, p }) => {
    const [left, right] = [x1.shape, x2.shape]
    if (left.length < 2 || right.length < 2)
      throw new ShapeError(`cdist: takes matrices of rows, got ${printShape(left)} and ${printShape(right)}`, {
        fix: 'give both at least two dims: x.unsqueeze(0)',
      })
    const what = (): string => `cdist: rows of ${printShape(left)} and ${printShape(right)} differ in length`
    requireEqual(left.at(-1)!, right.at(-1)!, what)
    const lead = broadcastShapes('cdist', [left.slice(0, -2), right.slice(0, -2)])
    const pairs = [...lead, left.at(-2)!, right.at(-2)!]
    // The distance of empty vectors is 0, whatever the power.
    if (left.at(-1) === 0) return x1.number(0).as(x1.dtype).expandTo(pairs)
    const length = left.at(-1)!
    const shape = [...pairs, length]
    const found = lengthOf(x1.unsqueeze(-2).expandTo(shape).sub(x2.unsqueeze(-3).expandTo(shape)), p)
    const isShort = typeof length === 'number' && length <= shortVector
    return p === 2 && !isShort ? found.with(keptDistances(x1, x2, found.node)) : found
  },
})

/** The distance of the vectors along the last dim. */
function distance(name: string, x: GraphTensor, y: GraphTensor, p: number, eps: number): GraphTensor {
  const shape = broadcastShapes(name, [x.shape, y.shape])
  if (shape.length === 0)
    throw new ShapeError(`${name}: 0-d tensors have no vectors`, {
      fix: 'take the difference of numbers: x.sub(y).abs()',
    })
  return lengthOf(x.expandTo(shape).sub(y.expandTo(shape)).add(eps), p)
}

const pairwiseDistance = compose({
  name: 'pairwiseDistance',
  summary: '(Σ |x1 − x2 + eps|^p)^(1/p) over the last dim.',
  category: 'reduction',
  signature: 'x1, x2, p: number = 2, eps: number = 1e-6, keepdim: bool = false',
  details: { ...vectors, eps: 'what is added to each difference' },
  shape: 'what x1 and x2 broadcast to, without the last dim (keepdim: 1 there)',
  dtypes: floatPromoted,
  errors: { ArgumentError: 'when p is negative', ShapeError: 'when the shapes do not broadcast, or both are 0-d' },
  check: checkPower('pairwiseDistance'),
  body: ({ x1, x2, p, eps, keepdim }) => {
    const found = distance('pairwiseDistance', x1, x2, p, eps)
    return keepdim ? found.unsqueeze(-1) : found
  },
})

const dist = compose({
  name: 'dist',
  summary: '(Σ |self − other|^p)^(1/p) over everything.',
  category: 'reduction',
  signature: 'self, other, p: number = 2',
  details: { p: vectors.p },
  shape: scalar,
  dtypes: floatPromoted,
  errors: { ArgumentError: 'when p is negative', ShapeError: 'when the shapes do not broadcast' },
  broadcasts: true,
  check: checkPower('dist'),
  body: ({ self, other, p }) => lengthOf(self.sub(other), p, [...self.shape.keys()]),
})

// --- losses --------------------------------------------------------------------------------------------------------------

const tripletMarginLoss = compose({
  name: 'tripletMarginLoss',
  summary: 'max(0, d(anchor, positive) − d(anchor, negative) + margin), reduced; d is pairwiseDistance.',
  category: 'reduction',
  signature: `anchor, positive, negative, margin: number = 1, p: number = 2, eps: number = 1e-6, swap: bool = false, ${reductionParam}`,
  details: {
    anchor: 'what the others are compared with, [*, D]',
    positive: 'what should be near, [*, D]',
    negative: 'what should be far, [*, D]',
    margin: 'by how much',
    p: vectors.p,
    eps: 'what is added to each difference',
    swap: 'the distance of the negative is the smaller of those to the anchor and to the positive',
    reduction: lossDetails.reduction,
  },
  shape: "0-d; with reduction 'none' what the tensors broadcast to, without the last dim",
  dtypes: floatPromoted,
  errors: { ArgumentError: 'when p is negative', ShapeError: 'when the shapes do not broadcast, or all are 0-d' },
  check: checkPower('tripletMarginLoss'),
  body: ({ anchor, positive, negative, margin, p, eps, swap, reduction }) => {
    const between = (x: GraphTensor, y: GraphTensor): GraphTensor => distance('tripletMarginLoss', x, y, p, eps)
    const [near, far] = [between(anchor, positive), between(anchor, negative)]
    const least = swap ? far.minimum(between(positive, negative)) : far
    return reduced(near.sub(least).add(margin).clamp(0), reduction)
  },
})

const cosineEmbeddingLoss = compose({
  name: 'cosineEmbeddingLoss',
  summary: '1 − cos(input1, input2) where target is 1, max(0, cos(input1, input2) − margin) where it is −1, reduced.',
  category: 'reduction',
  signature: `input1, input2, target, margin: number = 0, ${reductionParam}`,
  details: {
    input1: 'vectors [N, D] or [D]',
    input2: 'vectors of the same shape',
    target: '[N] or 0-d: 1 where they should be alike, −1 where not',
    margin: 'the cosine that is allowed where not',
    reduction: lossDetails.reduction,
  },
  shape: "0-d; with reduction 'none' the shape of the vectors without the last dim",
  dtypes: { takes: 'float', gives: { words: 'the promoted dtype of input1 and input2' } },
  errors: { ShapeError: 'when the shapes do not broadcast, or the inputs are 0-d' },
  keeps: ['target'],
  body: ({ input1, input2, target, margin, reduction }) => {
    const name = 'cosineEmbeddingLoss'
    const shape = broadcastShapes(name, [input1.shape, input2.shape])
    if (shape.length === 0) throw new ShapeError(`${name}: 0-d tensors have no vectors`, { fix: 'give vectors' })
    const alike = cosine(input1.expandTo(shape), input2.expandTo(shape), shape.length - 1, 1e-8)
    const label = broadcastArgument(name, 'target', target.as(alike.dtype), alike.shape)
    const other = label.eq(-1).where(alike.sub(margin).clamp(0), 0)
    return reduced(label.eq(1).where(alike.number(1).sub(alike), other), reduction)
  },
})

export const distanceRecords = { cdist, pairwiseDistance, dist, tripletMarginLoss, cosineEmbeddingLoss }

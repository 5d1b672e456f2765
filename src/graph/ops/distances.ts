/** Distances between vectors, and the losses made of them. */
import { ArgumentError, ShapeError } from '../../base/errors.js'
import { computeDtype } from '../../types/dtype.js'
import {
  castTo,
  constant,
  dtypeOf,
  expandTo,
  full,
  map,
  promotedDtype,
  rankOf,
  requireFloat,
  reshapeTo,
  shapeOf,
} from '../build.js'
import { elementAt, hostFrom, hostValue } from '../host.js'
import type { GraphBuilder, GraphNode } from '../ir.js'
import { type HostTensor, type OpCall, type OpInput, op } from '../record.js'
import { broadcastShapes, printShape, requireEqual } from '../sizes.js'
import { call } from './arguments.js'
import { hostBroadcast, hostPromoted } from './elementwise.js'
import { hostReduced, lossDetails, lossRecords, reduced, reductionParam, stretched } from './losses.js'
import { statisticsRecords } from './statistics.js'
import { floatPromoted, scalar } from './texts.js'

const toF32 = "cast first: x.to('f32')"
const infinity = Number.POSITIVE_INFINITY

function requireNorm(name: string, p: number): void {
  if (p < 0) throw new ArgumentError(`${name}: p is ${p}`, { fix: 'use p ≥ 0' })
}
const vectors = { x1: 'one tensor', x2: 'the other', p: 'the power; 0 counts, Infinity is the largest difference' }

/** (Σ |x|^p)^(1/p) over the last dim. */
const lengthOf = (b: GraphBuilder, x: GraphNode, p: number, keepdim = false): GraphNode =>
  statisticsRecords.norm.build(b, [{ node: x, isNumber: false }], {
    dims: [rankOf(x) - 1],
    keepdim,
    dtype: null,
    p,
  })[0]!

function hostLength(values: readonly number[], p: number): number {
  const sizes = values.map(Math.abs)
  if (p === infinity) return Math.max(0, ...sizes)
  if (p === 0) return sizes.filter(size => size !== 0).length
  return sizes.reduce((sum, size) => sum + size ** p, 0) ** (1 / p)
}

/** Operands in their common float dtype's compute dtype, and that dtype. */
function floats(name: string, b: GraphBuilder, inputs: readonly OpInput[]) {
  const dtype = promotedDtype(inputs)
  requireFloat(name, dtype, toF32)
  return { dtype, nodes: inputs.map(({ node }) => castTo(b, node, computeDtype(dtype))) }
}

// --- distances -----------------------------------------------------------------------------------------------------------

type NormAttrs = { readonly p: number }

const cdist = op({
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
  call: ({ x1, x2, p }) => {
    requireNorm('cdist', p)
    return call([x1, x2], { p })
  },
  results: null,
  build: (b: GraphBuilder, inputs: readonly OpInput[], { p }: NormAttrs) => {
    const { dtype, nodes } = floats('cdist', b, inputs)
    const [x, y] = nodes as [GraphNode, GraphNode]
    const [left, right] = [shapeOf(x), shapeOf(y)]
    const what = (): string => `cdist: rows of ${printShape(left)} and ${printShape(right)} differ in length`
    if (left.length < 2 || right.length < 2)
      throw new ShapeError(`cdist: takes matrices of rows, got ${printShape(left)} and ${printShape(right)}`, {
        fix: 'give both at least two dims: x.unsqueeze(0)',
      })
    requireEqual(left.at(-1)!, right.at(-1)!, what)
    const lead = broadcastShapes('cdist', [left.slice(0, -2), right.slice(0, -2)])
    const [rows, others, length] = [left.at(-2)!, right.at(-2)!, left.at(-1)!]
    // Vectors of no elements are at one place, whatever the power.
    if (length === 0) return [full(b, dtype, [...lead, rows, others], 0)]
    const shape = [...lead, rows, others, length]
    const a = expandTo(b, reshapeTo(b, x, [...left.slice(0, -1), 1, length]), shape)
    const c = expandTo(b, reshapeTo(b, y, [...right.slice(0, -2), 1, others, length]), shape)
    return [castTo(b, lengthOf(b, map(b, 'sub', a, c), p), dtype)]
  },
  reference: ([x, y]: readonly HostTensor[], { p }: NormAttrs) => {
    const length = x!.shape.at(-1)!
    const lead = hostBroadcast([x!, y!].map(tensor => ({ ...tensor, shape: tensor.shape.slice(0, -2) })))
    const dtype = hostPromoted([x!, y!])
    return [
      hostFrom(dtype, [...lead, x!.shape.at(-2)!, y!.shape.at(-2)!], index => {
        const [batch, i, j] = [index.slice(0, -2), index.at(-2)!, index.at(-1)!]
        // elementAt repeats dims of size 1, which is right: such a dim is only read at 0.
        const miss = Array.from(
          { length },
          (_, k) => Number(elementAt(x!, [...batch, i, k])) - Number(elementAt(y!, [...batch, j, k])),
        )
        return hostValue(dtype, hostLength(miss, p))
      }),
    ]
  },
  gradient: 'later',
})

type DistanceAttrs = NormAttrs & { readonly eps: number; readonly keepdim: boolean }

function distanceOf(
  name: string,
  b: GraphBuilder,
  [x, y]: readonly [GraphNode, GraphNode],
  { p, eps }: { readonly p: number; readonly eps: number },
  keepdim = false,
): GraphNode {
  const shape = broadcastShapes(name, [shapeOf(x), shapeOf(y)])
  if (shape.length === 0)
    throw new ShapeError(`${name}: 0-d tensors have no vectors`, {
      fix: 'take the difference of numbers: x.sub(y).abs()',
    })
  const miss = map(b, 'sub', expandTo(b, x, shape), expandTo(b, y, shape))
  return lengthOf(b, map(b, 'add', miss, expandTo(b, constant(b, dtypeOf(miss), eps), shape)), p, keepdim)
}

/** The distances of the vectors along the last dim, row-major. */
function hostDistances([x, y]: readonly HostTensor[], p: number, eps: number): HostTensor {
  const shape = hostBroadcast([x!, y!])
  const [lead, length] = [shape.slice(0, -1), shape.at(-1)!]
  return hostFrom('f64', lead, index => {
    const at = (tensor: HostTensor, k: number): number => Number(elementAt(tensor, [...index, k]))
    return hostLength(
      Array.from({ length }, (_, k) => at(x!, k) - at(y!, k) + eps),
      p,
    )
  })
}

const pairwiseDistance = op({
  name: 'pairwiseDistance',
  summary: '(Σ |x1 − x2 + eps|^p)^(1/p) over the last dim.',
  category: 'reduction',
  signature: 'x1, x2, p: number = 2, eps: number = 1e-6, keepdim: bool = false',
  details: { ...vectors, eps: 'what is added to each difference' },
  shape: 'what x1 and x2 broadcast to, without the last dim (keepdim: 1 there)',
  dtypes: floatPromoted,
  errors: { ArgumentError: 'when p is negative', ShapeError: 'when the shapes do not broadcast, or both are 0-d' },
  call: ({ x1, x2, ...attrs }) => {
    requireNorm('pairwiseDistance', attrs.p)
    return call([x1, x2], attrs)
  },
  results: null,
  build: (b: GraphBuilder, inputs: readonly OpInput[], { p, eps, keepdim }: DistanceAttrs) => {
    const { dtype, nodes } = floats('pairwiseDistance', b, inputs)
    return [castTo(b, distanceOf('pairwiseDistance', b, [nodes[0]!, nodes[1]!], { p, eps }, keepdim), dtype)]
  },
  reference: (inputs: readonly HostTensor[], { p, eps, keepdim }: DistanceAttrs) => {
    const dtype = hostPromoted(inputs)
    const { shape, data } = hostDistances(inputs, p, eps)
    return [hostFrom(dtype, keepdim ? [...shape, 1] : shape, (_, i) => hostValue(dtype, data[i]!))]
  },
  gradient: 'later',
})

const dist = op({
  name: 'dist',
  summary: '(Σ |self − other|^p)^(1/p) over everything.',
  category: 'reduction',
  signature: 'self, other, p: number = 2',
  details: { p: vectors.p },
  shape: scalar,
  dtypes: floatPromoted,
  errors: { ArgumentError: 'when p is negative', ShapeError: 'when the shapes do not broadcast' },
  call: ({ self, other, p }) => {
    requireNorm('dist', p)
    return call([self, other], { p })
  },
  results: null,
  build: (b: GraphBuilder, inputs: readonly OpInput[], { p }: NormAttrs) => {
    const { dtype, nodes } = floats('dist', b, inputs)
    const shape = broadcastShapes('dist', nodes.map(shapeOf))
    const [x, y] = nodes.map(node => expandTo(b, node, shape)) as [GraphNode, GraphNode]
    const miss = { node: map(b, 'sub', x, y), isNumber: false }
    const [length] = statisticsRecords.norm.build(b, [miss], { dims: null, keepdim: false, dtype: null, p })
    return [castTo(b, length!, dtype)]
  },
  reference: (inputs: readonly HostTensor[], { p }: NormAttrs) => {
    const misses: number[] = []
    hostFrom('f64', hostBroadcast(inputs), index => {
      misses.push(Number(elementAt(inputs[0]!, index)) - Number(elementAt(inputs[1]!, index)))
      return 0
    })
    const dtype = hostPromoted(inputs)
    return [hostFrom(dtype, [], () => hostValue(dtype, hostLength(misses, p)))]
  },
  gradient: 'later',
})

// --- losses --------------------------------------------------------------------------------------------------------------

type TripletAttrs = NormAttrs & {
  readonly reduction: string
  readonly margin: number
  readonly eps: number
  readonly swap: boolean
}
const tripletMarginLoss = op({
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
  call: ({ anchor, positive, negative, ...attrs }): OpCall<TripletAttrs> => {
    requireNorm('tripletMarginLoss', attrs.p)
    return call([anchor, positive, negative], attrs)
  },
  results: null,
  build: (b: GraphBuilder, inputs: readonly OpInput[], { reduction, margin, p, eps, swap }: TripletAttrs) => {
    const { dtype, nodes } = floats('tripletMarginLoss', b, inputs)
    const [anchor, positive, negative] = nodes as [GraphNode, GraphNode, GraphNode]
    const distance = (left: GraphNode, right: GraphNode): GraphNode =>
      distanceOf('tripletMarginLoss', b, [left, right], { p, eps })
    const [near, far] = [distance(anchor, positive), distance(anchor, negative)]
    const least = swap ? map(b, 'min', far, distance(positive, negative)) : far
    const number = (value: number): GraphNode => expandTo(b, constant(b, dtypeOf(near), value), shapeOf(near))
    const loss = map(b, 'max', map(b, 'add', map(b, 'sub', near, least), number(margin)), number(0))
    return [reduced(b, loss, reduction, dtype)]
  },
  reference: (inputs: readonly HostTensor[], { reduction, margin, p, eps, swap }: TripletAttrs) => {
    const [anchor, positive, negative] = inputs as [HostTensor, HostTensor, HostTensor]
    const near = hostDistances([anchor, positive], p, eps)
    const far = hostDistances([anchor, negative], p, eps).data.map(Number)
    const other = hostDistances([positive, negative], p, eps).data.map(Number)
    const losses = near.data.map((d, i) =>
      Math.max(0, Number(d) - (swap ? Math.min(far[i]!, other[i]!) : far[i]!) + margin),
    )
    return [hostReduced(hostPromoted(inputs), near.shape, losses, reduction)]
  },
  gradient: 'later',
})

type CosineAttrs = { readonly reduction: string; readonly margin: number }

const cosineEmbeddingLoss = op({
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
  results: null,
  build: (b: GraphBuilder, inputs: readonly OpInput[], { reduction, margin }: CosineAttrs) => {
    const name = 'cosineEmbeddingLoss'
    const { dtype, nodes } = floats(name, b, inputs.slice(0, 2))
    if (broadcastShapes(name, nodes.map(shapeOf)).length === 0)
      throw new ShapeError(`${name}: 0-d tensors have no vectors`, { fix: 'give vectors' })
    const pair = nodes.map(node => ({ node, isNumber: false }))
    const [cosine] = lossRecords.cosineSimilarity.build(b, pair, { dim: -1, eps: 1e-8 })
    const shape = shapeOf(cosine!)
    const target = stretched(b, name, 'target', castTo(b, inputs[2]!.node, dtypeOf(cosine!)), shape)
    const number = (value: number): GraphNode => expandTo(b, constant(b, dtypeOf(cosine!), value), shape)
    const like = map(b, 'sub', number(1), cosine!)
    const unlike = map(b, 'max', map(b, 'sub', cosine!, number(margin)), number(0))
    const other = map(b, 'where', map(b, 'eq', target, number(-1)), unlike, number(0))
    return [reduced(b, map(b, 'where', map(b, 'eq', target, number(1)), like, other), reduction, dtype)]
  },
  reference: (inputs: readonly HostTensor[], { reduction, margin }: CosineAttrs) => {
    const [x, y, target] = inputs as [HostTensor, HostTensor, HostTensor]
    const wide = [x, y].map(tensor => ({ ...tensor, dtype: 'f64' as const }))
    const cosines = lossRecords.cosineSimilarity.reference(wide, { dim: -1, eps: 1e-8 })[0]!
    const losses = cosines.data.map((value, i) => {
      const [cosine, label] = [Number(value), Number(target.data[target.data.length === 1 ? 0 : i])]
      return label === 1 ? 1 - cosine : label === -1 ? Math.max(0, cosine - margin) : 0
    })
    return [hostReduced(hostPromoted([x, y]), cosines.shape, losses, reduction)]
  },
  gradient: 'later',
})

export const distanceRecords = { cdist, pairwiseDistance, dist, tripletMarginLoss, cosineEmbeddingLoss }

/** Random choices and orders from the stream of a seed, as creation.ts draws numbers: one counter per element. */
import { ArgumentError, DtypeError, ShapeError } from '../../base/errors.js'
import { philoxUniform } from '../../scalar/philox.js'
import { computeDtype, type Dtype, isFloat } from '../../types/dtype.js'
import { castTo, dtypeOf, full, map, requireFloat, shapeOf } from '../build.js'
import { hostFrom, hostValue } from '../host.js'
import type { GraphBuilder, GraphNode, Shape } from '../ir.js'
import { type HostTensor, type OpInput, op } from '../record.js'
import { call } from './arguments.js'
import { compose } from './compose.js'
import { emit, GraphTensor } from './graph-tensor.js'
import { sortingRecords } from './sorting.js'
import { asInput } from './texts.js'

type DrawDtype = 'f32' | 'f64'

export function uniform(
  b: GraphBuilder,
  seed: GraphNode,
  offset: GraphNode,
  shape: Shape,
  dtype: DrawDtype,
): GraphNode {
  return b.node('random', [castTo(b, seed, 'i64'), castTo(b, offset, 'i64')], { shape, dtype })
}

const hostUniform = (seed: HostTensor, offset: HostTensor, dtype: DrawDtype, i: number): number =>
  philoxUniform(dtype, BigInt(seed.data[0]!), BigInt(offset.data[0]!), i)

/** Throws ArgumentError unless `p` is a probability. */
export function checkProbability(name: string, what: string, p: number): void {
  if (p < 0 || p > 1) throw new ArgumentError(`${name}: ${what} is ${p}`, { fix: 'use a probability from 0 to 1' })
}

/** Dropout: 0 with probability p, else x / (1 − p), in the dtype of x, with the given random state. */
export function droppedOut(b: GraphBuilder, seed: GraphNode, offset: GraphNode, x: GraphNode, p: number): GraphNode {
  const number = (model: GraphNode, value: number): GraphNode => full(b, dtypeOf(model), shapeOf(model), value)
  const drawn = uniform(b, seed, offset, shapeOf(x), 'f32')
  const keep = map(b, 'ge', drawn, number(drawn, p))
  const kept = p === 1 ? number(x, 0) : map(b, 'mul', x, number(x, 1 / (1 - p)))
  return map(b, 'where', keep, kept, number(x, 0))
}

/** The factor of element i. */
export function hostDropout(seed: HostTensor, offset: HostTensor, p: number, i: number): number {
  const keep = p < 1 && hostUniform(seed, offset, 'f32', i) >= Math.fround(p)
  return keep ? 1 / (1 - p) : 0
}

/** Draws are compared in the dtype of the probabilities, so that 1 is certain and 0 never. */
const drawDtype = (dtype: Dtype): DrawDtype => (computeDtype(dtype) === 'f64' ? 'f64' : 'f32')

const bernoulli = op({
  name: 'bernoulli',
  summary: '1 with the probability that self holds, else 0, from the stream of a seed.',
  category: 'random',
  signature: 'seed: operand, offset: operand, self',
  shape: asInput,
  dtypes: { takes: 'float', gives: { words: 'the dtype of self' } },
  details: { self: 'the probabilities' },
  results: null,
  build: (b: GraphBuilder, inputs: readonly OpInput[]) => {
    const [seed, offset, self] = inputs.map(({ node }) => node) as [GraphNode, GraphNode, GraphNode]
    requireFloat('bernoulli', dtypeOf(self), "give probabilities: x.to('f32')")
    const draw = drawDtype(dtypeOf(self))
    const drawn = uniform(b, seed, offset, shapeOf(self), draw)
    return [castTo(b, map(b, 'lt', drawn, castTo(b, self, draw)), dtypeOf(self))]
  },
  reference: ([seed, offset, self]: readonly HostTensor[]) => [
    hostFrom(self!.dtype, self!.shape, (_, i) =>
      hostValue(self!.dtype, hostUniform(seed!, offset!, drawDtype(self!.dtype), i) < Number(self!.data[i]!)),
    ),
  ],
  gradient: 'none',
})

type DropoutAttrs = { readonly p: number }

const dropout = op({
  name: 'dropout',
  summary: '0 with probability p, else self / (1 − p), from the stream of a seed.',
  category: 'random',
  signature: 'seed: operand, offset: operand, self, p: number = 0.5',
  shape: asInput,
  dtypes: { takes: 'float', gives: { words: 'the dtype of self' } },
  details: { p: 'the probability of 0, from 0 to 1' },
  errors: { ArgumentError: 'when p is not in [0, 1]' },
  call: ({ seed, offset, self, p }) => {
    checkProbability('dropout', 'p', p)
    return call([seed, offset, self], { p })
  },
  passesOperands: true,
  results: null,
  build: (b: GraphBuilder, inputs: readonly OpInput[], { p }: DropoutAttrs) => {
    const [seed, offset, self] = inputs.map(({ node }) => node) as [GraphNode, GraphNode, GraphNode]
    const dtype = dtypeOf(self)
    requireFloat('dropout', dtype, "cast first: x.to('f32')")
    const x = castTo(b, self, computeDtype(dtype))
    return [castTo(b, droppedOut(b, seed, offset, x, p), dtype)]
  },
  reference: ([seed, offset, self]: readonly HostTensor[], { p }: DropoutAttrs) => [
    hostFrom(self!.dtype, self!.shape, (_, i) => {
      const factor = hostDropout(seed!, offset!, p, i)
      return hostValue(self!.dtype, factor === 0 ? 0 : Number(self!.data[i]!) * factor)
    }),
  ],
})

type RandpermAttrs = { readonly n: number; readonly dtype: Dtype }

const randperm = op({
  name: 'randperm',
  summary: 'The integers 0 … n − 1 in random order: the order of n random numbers from the stream of a seed.',
  category: 'random',
  signature: 'seed: operand, offset: operand, n: count, *, dtype: dtype | null = null',
  shape: '[n]',
  dtypes: { takes: 'any', gives: 'i64' },
  details: { n: 'how many' },
  errors: { DtypeError: 'when dtype is no integer' },
  call: ({ seed, offset, n, dtype: asked }) => {
    const dtype = asked ?? 'i64'
    if (isFloat(dtype) || dtype === 'bool')
      throw new DtypeError(`randperm: gives integers, not ${dtype}`, {
        fix: 'use an integer dtype, or cast the result',
      })
    if (n > 2 ** 53) throw new ShapeError(`randperm: ${n} is too many`)
    return call([seed, offset], { n, dtype })
  },
  passesOperands: true,
  results: null,
  build: (b: GraphBuilder, inputs: readonly OpInput[], { n, dtype }: RandpermAttrs) => {
    const [seed, offset] = inputs.map(({ node }) => node) as [GraphNode, GraphNode]
    const sorted = b.node('sort', [uniform(b, seed, offset, [n], 'f64')], { dim: 0, descending: false })
    return [castTo(b, b.node('item', [sorted], { index: 1 }), dtype)]
  },
  reference: ([seed, offset]: readonly HostTensor[], { n, dtype }: RandpermAttrs) => {
    const keys = Array.from({ length: n }, (_, i) => hostUniform(seed!, offset!, 'f64', i))
    const order = keys.map((_, i) => i).sort((i, j) => keys[i]! - keys[j]!)
    return [hostFrom(dtype, [n], (_, i) => hostValue(dtype, order[i]!))]
  },
  gradient: 'none',
})

export const samplingRecords = { bernoulli, dropout, randperm }

// --- parts of multinomial (tensor/sampling.ts), which are no ops of their own --------------------------------------------

/** Added to a row's count for a weight that is none: no row is so long. */
const noWeight = -(2 ** 48)

/** The fewest weights above 0 in a row of [rows, n]; below 0 if a weight is negative, infinite or NaN. */
const fewestWeights = compose({
  name: 'fewestWeights',
  summary: 'The fewest weights above 0 in a row, below 0 if a weight is negative, infinite or NaN.',
  category: 'random',
  signature: 'self',
  dtypes: { takes: 'float', gives: 'i64' },
  keeps: ['self'],
  body: ({ self }) => {
    const isWeight = self.ge(0).logicalAnd(self.lt(Number.POSITIVE_INFINITY))
    return isWeight.where(self.gt(0).as('i64'), noWeight).summed([1]).amin()
  },
})

type ChooseAttrs = { readonly samples: number }

/**
 * Indices of each row of [rows, n], drawn by weights without replacement. The first of exponential clocks that run at these
 * rates to ring: the largest rates divided by exponential numbers.
 */
const chooseWeighted = op({
  name: 'chooseWeighted',
  summary: 'Indices drawn by the weights of each row without replacement.',
  category: 'random',
  signature: 'seed: operand, offset: operand, self, samples: count',
  dtypes: { takes: 'float', gives: 'i64' },
  results: null,
  build: (b: GraphBuilder, inputs: readonly OpInput[], { samples }: ChooseAttrs) => {
    const [seed, offset, self] = inputs.map(({ node }) => node) as [GraphNode, GraphNode, GraphNode]
    const dtype = drawDtype(dtypeOf(self))
    const draws = new GraphTensor(b, uniform(b, seed, offset, shapeOf(self), dtype))
    const clocks = draws
      .neg()
      .log1p()
      .neg()
      .clamp(2 ** -25)
    const rates = draws.with(castTo(b, self, dtype)).div(clocks)
    if (samples === 1) return [rates.argmax(1, true).node]
    return [emit(b, sortingRecords.topk, [rates, samples, 1])[1]!.node]
  },
  gradient: 'none',
})

export const weightRecords = { fewestWeights, chooseWeighted }

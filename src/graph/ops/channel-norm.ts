/** Normalisations of [N, C, …] by channels or groups of them, and of vectors to length 1. */
import { ArgumentError, ShapeError } from '../../base/errors.js'
import { productOf, type Size } from '../../scalar/size.js'
import { computeDtype } from '../../types/dtype.js'
import {
  castTo,
  constant,
  dtypeOf,
  expandTo,
  map,
  normalizeDims,
  rankOf,
  requireElements,
  requireFloat,
  reshapeTo,
  shapeOf,
} from '../build.js'
import type { GraphBuilder, GraphNode } from '../ir.js'
import { type OpCall, type OpInput, op, type Value } from '../record.js'
import { decideQuotient, printShape, requireEqual } from '../sizes.js'
import { call } from './arguments.js'
import { compose } from './compose.js'
import { aroundMean, meanKeepdim, reducedCount, standardize } from './reduce.js'
import { lengthsOf } from './statistics.js'
import { asInput, floatKept } from './texts.js'
import { corrected } from './variance.js'

const toF32 = "cast first: x.to('f32')"

/** Which of the optional inputs are there, in order: mean, variance, weight, bias. */
type Present = {
  readonly hasMean: boolean
  readonly hasVar: boolean
  readonly hasWeight: boolean
  readonly hasBias: boolean
}
type Attrs = Present & {
  readonly eps: number
  readonly groups: number | 'batch' | 'each'
  /** How far running statistics move towards the input's own, which it is then normalised by; null: they are what it is normalised by. */
  readonly momentum: number | null
}

function parts<T>(inputs: readonly T[], { hasMean, hasVar, hasWeight, hasBias }: Present) {
  const rest = inputs.slice(1)
  const next = (present: boolean): T | undefined => (present ? rest.shift() : undefined)
  return { x: inputs[0]!, mean: next(hasMean), variance: next(hasVar), weight: next(hasWeight), bias: next(hasBias) }
}

interface NormArgs {
  readonly self: Value
  readonly runningMean?: Value | null
  readonly runningVar?: Value | null
  readonly weight: Value | null
  readonly bias: Value | null
  readonly eps: number
  readonly momentum?: number
}

/** `isOwn`: it is normalised by its own statistics, and running ones follow. */
function normCall(args: NormArgs, groups: Attrs['groups'], isOwn: boolean): OpCall<Attrs> {
  const { self, runningMean = null, runningVar = null, weight, bias, eps } = args
  const inputs = [self, runningMean, runningVar, weight, bias].filter(input => input !== null)
  const present = {
    hasMean: runningMean !== null,
    hasVar: runningVar !== null,
    hasWeight: weight !== null,
    hasBias: bias !== null,
  }
  const follows = isOwn && (present.hasMean || present.hasVar)
  return call(inputs, { ...present, eps, groups, momentum: follows ? (args.momentum ?? 0) : null })
}

/** Throws ArgumentError unless running statistics are given where they are what is normalised by. */
function checkStatistics(name: string, { runningMean, runningVar }: NormArgs, isOwn: boolean, option: string): void {
  const [mean, variance] = [runningMean ?? null, runningVar ?? null]
  if (!isOwn && (mean === null || variance === null))
    throw new ArgumentError(`${name}: runningMean and runningVar are needed unless { ${option}: true }`, {
      fix: `pass both, or { ${option}: true } to normalise by the input's own`,
    })
}

/** A vector of one value per channel, stretched over x. */
function perChannel(b: GraphBuilder, name: string, what: string, node: GraphNode, x: GraphNode): GraphNode {
  const shape = shapeOf(x)
  const problem = (): string =>
    `${name}: ${what} ${printShape(shapeOf(node))} is not one value per channel of ${printShape(shape)}`
  if (rankOf(node) !== 1) throw new ShapeError(problem())
  requireEqual(shapeOf(node)[0]!, shape[1]!, problem)
  const along = shape.map((size, d) => (d === 1 ? size : 1))
  return expandTo(b, reshapeTo(b, castTo(b, node, dtypeOf(x)), along), shape)
}

const withEps = (b: GraphBuilder, variance: GraphNode, eps: number): GraphNode =>
  map(b, 'rsqrt', map(b, 'add', variance, expandTo(b, constant(b, dtypeOf(variance), eps), shapeOf(variance))))

/** The dims whose values share a mean. */
const ownDims = (groups: Attrs['groups'], rank: number): readonly number[] =>
  Array.from({ length: rank }, (_, d) => d)
    .slice(groups === 'each' ? 2 : 0)
    .filter(d => d !== 1)

/** What running statistics become: (1 − momentum) of themselves and momentum of the input's own, the variance by n − 1. */
function followed(
  name: string,
  b: GraphBuilder,
  x: GraphNode,
  inputs: readonly GraphNode[],
  attrs: Attrs,
): GraphNode[] {
  const { mean, variance } = parts(inputs, attrs)
  const dims = ownDims(attrs.groups, rankOf(x))
  const count = reducedCount(shapeOf(x), dims)
  if (typeof count === 'number' && count < 2)
    throw new ShapeError(`${name}: ${count} value${count === 1 ? '' : 's'} per channel of ${printShape(shapeOf(x))}`, {
      fix: 'a variance needs at least 2: give more samples, or normalise by the running statistics',
    })
  const own = aroundMean(b, x, dims)
  const move = (what: string, from: GraphNode | undefined, to: () => GraphNode): GraphNode[] => {
    if (from === undefined) return []
    perChannel(b, name, what, from, x) // for what it refuses
    const share = (node: GraphNode, factor: number): GraphNode =>
      map(b, 'mul', node, expandTo(b, constant(b, dtypeOf(x), factor), shapeOf(node)))
    const kept = to()
    // Of instances the mean of all samples.
    const each = attrs.groups === 'each' ? meanKeepdim(b, kept, [0]) : kept
    const moved = share(reshapeTo(b, each, shapeOf(from)), attrs.momentum!)
    return [castTo(b, map(b, 'add', share(castTo(b, from, dtypeOf(x)), 1 - attrs.momentum!), moved), dtypeOf(from))]
  }
  return [
    ...move('runningMean', mean, own.mean),
    ...move('runningVar', variance, () => corrected(b, own.power, count, 1)),
  ]
}

function buildNorm(name: string, b: GraphBuilder, inputs: readonly GraphNode[], attrs: Attrs): readonly GraphNode[] {
  const { x: given, mean, variance, weight, bias } = parts(inputs, attrs)
  const dtype = dtypeOf(given)
  requireFloat(name, dtype, toF32)
  const shape = shapeOf(given)
  if (shape.length < 2)
    throw new ShapeError(`${name}: the input ${printShape(shape)} is not [N, C, …]`, {
      fix: 'give it at least two dims, the channels second: x.unsqueeze(0)',
    })
  const x = castTo(b, given, computeDtype(dtype))
  let result: GraphNode
  if (attrs.momentum === null && mean !== undefined && variance !== undefined) {
    const scale = withEps(b, perChannel(b, name, 'runningVar', variance, x), attrs.eps)
    result = map(b, 'mul', map(b, 'sub', x, perChannel(b, name, 'runningMean', mean, x)), scale)
  } else if (typeof attrs.groups === 'string') {
    result = standardize(b, x, ownDims(attrs.groups, shape.length), attrs.eps, true)
  } else {
    const problem = `${name}: ${shape[1]} channels do not divide into ${attrs.groups} groups`
    const perGroup = decideQuotient(shape[1]!, attrs.groups, () => problem)
    if (perGroup === null)
      throw new ShapeError(problem, {
        fix: 'use a number of groups that divides the channels',
      })
    const size: Size = productOf([perGroup, ...shape.slice(2)])
    const grouped = reshapeTo(b, x, [shape[0]!, attrs.groups, size])
    result = reshapeTo(b, standardize(b, grouped, [2], attrs.eps, true), shape)
  }
  if (weight !== undefined) result = map(b, 'mul', result, perChannel(b, name, 'weight', weight, x))
  if (bias !== undefined) result = map(b, 'add', result, perChannel(b, name, 'bias', bias, x))
  return [castTo(b, result, dtype), ...(attrs.momentum === null ? [] : followed(name, b, x, inputs, attrs))]
}

const normColumns = (name: string, summary: string) => ({
  name,
  summary,
  category: 'normalisation' as const,
  details: {
    numGroups: 'into how many groups the channels divide',
    eps: 'what is added to the variance',
    runningMean: 'a mean per channel, [C]',
    runningVar: 'a variance per channel, [C]',
    weight: 'a factor per channel, [C]',
    bias: 'a summand per channel, [C]',
    training:
      'use the statistics of this batch; runningMean and runningVar, where they are given, are updated in place',
    useInputStats: "use the input's own statistics; runningMean and runningVar, where given, are updated in place",
    momentum:
      'the share of the new statistics in the running ones: (1 − momentum) · old + momentum · new, the variance by n − 1',
  },
  shape: asInput,
  dtypes: floatKept,
  results: null,
  // The running statistics stand behind the input.
  changes: ({ momentum, hasMean, hasVar }: Attrs) =>
    momentum === null ? [] : [hasMean, hasVar].filter(has => has).map((_, i) => i + 1),
  build: (b: GraphBuilder, inputs: readonly OpInput[], attrs: Attrs) =>
    buildNorm(
      name,
      b,
      inputs.map(({ node }) => node),
      attrs,
    ),
  gradient: 'later' as const,
})

const normalize = compose({
  name: 'normalize',
  summary: 'self / max(‖self‖ₚ, eps) over the dims.',
  category: 'normalisation',
  signature: 'self, p: number = 2, dim: dims = [1], eps: number = 1e-12',
  shape: asInput,
  dtypes: floatKept,
  details: {
    p: 'the power of the norm; ±Infinity for the largest (smallest) element',
    dim: 'the dims of the vectors',
    eps: 'the least length that is divided by',
  },
  errors: { ShapeError: 'when p is ±Infinity and dim has no elements' },
  body: ({ self, p, dim, eps }) => {
    const x = self.rank === 0 ? self.shaped([1]) : self
    const dims = normalizeDims('normalize', dim, x.rank)
    if (Math.abs(p) === Number.POSITIVE_INFINITY) requireElements('normalize', x.shape, dims)
    return x.div(x.with(lengthsOf(x.b, x.node, p, dims)).maximum(eps)).shaped(self.shape)
  },
})

export const channelNormRecords = {
  groupNorm: op({
    ...normColumns(
      'groupNorm',
      '(self − mean) / √(variance + eps) over each of numGroups groups of channels, · weight + bias per channel.',
    ),
    signature:
      'self, numGroups: positive, weight: tensor | null = null, bias: tensor | null = null, eps: number = 1e-5',
    errors: { ShapeError: 'when self is not [N, C, …], numGroups does not divide C, or a vector is not [C]' },
    call: args => normCall(args, args.numGroups, false),
  }),
  batchNorm: op({
    ...normColumns(
      'batchNorm',
      '(self − mean) / √(variance + eps) per channel, with the running statistics or (training) those of the batch.',
    ),
    signature:
      'self, runningMean: tensor | null, runningVar: tensor | null, weight: tensor | null = null, bias: tensor | null = null, training: bool = false, momentum: number = 0.1, eps: number = 1e-5',
    errors: {
      ArgumentError: 'when running statistics are missing without training',
      ShapeError: 'when self is not [N, C, …], or a vector is not [C]',
    },
    call: args => {
      checkStatistics('batchNorm', args, args.training, 'training')
      return normCall(args, 'batch', args.training)
    },
  }),
  instanceNorm: op({
    ...normColumns(
      'instanceNorm',
      '(self − mean) / √(variance + eps) over the spatial dims, for each channel of each sample, · weight + bias per channel.',
    ),
    signature:
      'self, runningMean: tensor | null = null, runningVar: tensor | null = null, weight: tensor | null = null, bias: tensor | null = null, useInputStats: bool = true, momentum: number = 0.1, eps: number = 1e-5',
    errors: {
      ArgumentError: 'when running statistics are missing with useInputStats false',
      ShapeError: 'when self is not [N, C, …], or a vector is not [C]',
    },
    call: args => {
      checkStatistics('instanceNorm', args, args.useInputStats, 'useInputStats')
      return normCall(args, 'each', args.useInputStats)
    },
  }),
  normalize,
}

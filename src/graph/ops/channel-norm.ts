/** Normalisations of [N, C, …] by channels or groups of them, and of vectors to length 1. */
import { ArgumentError, ShapeError } from '../../base/errors.js'
import type { Attrs } from '../../ir/node.js'
import { productOf } from '../../scalar/size.js'
import { normalizeDims, requireElements } from '../build.js'
import { decideQuotient, printShape } from '../sizes.js'
import { compose, requireShape } from './compose.js'
import { lengthsOf, standardized } from './formulas.js'
import type { GraphTensor } from './graph-tensor.js'
import { aroundMean, meanKeepdim, reducedCount } from './reduce.js'
import { asInput, floatKept } from './texts.js'
import { corrected } from './variance.js'

/**
 * Which values share a mean: groups of channels per sample (their number), a channel over the batch, or a channel per
 * sample ('each').
 */
type Groups = number | 'batch' | 'each'

interface NormArgs {
  readonly self: GraphTensor
  readonly runningMean?: GraphTensor | null
  readonly runningVar?: GraphTensor | null
  readonly weight: GraphTensor | null
  readonly bias: GraphTensor | null
  readonly eps: number
  readonly momentum?: number
}

/** A vector of one value per channel, broadcast over x. */
function perChannel(name: string, what: string, vector: GraphTensor, x: GraphTensor): GraphTensor {
  const problem = (): string =>
    `${name}: ${what} ${printShape(vector.shape)} is not one value per channel of ${printShape(x.shape)}`
  requireShape(vector.shape, [x.size(1)], problem)
  const along = x.shape.map((size, d) => (d === 1 ? size : 1))
  return vector.as(x.dtype).shaped(along).expandTo(x.shape)
}

/** The dims whose values share a mean. */
const ownDims = (groups: Groups, rank: number): readonly number[] =>
  Array.from({ length: rank }, (_, d) => d)
    .slice(groups === 'each' ? 2 : 0)
    .filter(d => d !== 1)

/** Updated running statistics: (1 − momentum) · old + momentum · the input's own (unbiased variance). */
function followed(name: string, args: NormArgs, groups: Groups): readonly GraphTensor[] {
  const { self: x, runningMean = null, runningVar = null, momentum = 0 } = args
  if (runningMean === null && runningVar === null) return []
  const dims = ownDims(groups, x.rank)
  const count = reducedCount(x.shape, dims)
  if (typeof count === 'number' && count < 2)
    throw new ShapeError(`${name}: ${count} value${count === 1 ? '' : 's'} per channel of ${printShape(x.shape)}`, {
      fix: 'a variance needs at least 2: give more samples, or normalise by the running statistics',
    })
  const own = aroundMean(x.b, x.node, dims)
  const moved = (what: string, from: GraphTensor, to: GraphTensor): GraphTensor => {
    perChannel(name, what, from, x) // for what it refuses
    // For instance norm: the mean over all samples.
    const each = groups === 'each' ? x.with(meanKeepdim(x.b, to.node, [0])) : to
    const old = from.as(x.dtype).mul(1 - momentum)
    return old.add(each.shaped(from.shape).mul(momentum)).as(from.given).detached()
  }
  return [
    ...(runningMean === null ? [] : [moved('runningMean', runningMean, x.with(own.mean()))]),
    ...(runningVar === null ? [] : [moved('runningVar', runningVar, x.with(corrected(x.b, own.power, count, 1)))]),
  ]
}

/** (x − mean) / √(variance + eps), with the statistics of each group. */
function byOwn(name: string, x: GraphTensor, groups: Groups, eps: number): GraphTensor {
  const { shape } = x
  if (typeof groups === 'string') return x.with(standardized(x.b, x.node, ownDims(groups, x.rank), eps, true))
  const problem = `${name}: ${shape[1]} channels do not divide into ${groups} groups`
  const perGroup = decideQuotient(shape[1]!, groups, () => problem)
  if (perGroup === null) throw new ShapeError(problem, { fix: 'use a number of groups that divides the channels' })
  const grouped = x.shaped([shape[0]!, groups, productOf([perGroup, ...shape.slice(2)])])
  return x.with(standardized(x.b, grouped.node, [2], eps, true)).shaped(shape)
}

/** `isOwn`: normalises by the input's own statistics and updates the running ones, if given. */
function normed(name: string, args: NormArgs, groups: Groups, isOwn: boolean): readonly GraphTensor[] {
  const { self: x, runningMean, runningVar, weight, bias, eps } = args
  if (x.rank < 2)
    throw new ShapeError(`${name}: the input ${printShape(x.shape)} is not [N, C, …]`, {
      fix: 'give it at least two dims, the channels second: x.unsqueeze(0)',
    })
  const byRunning = (): GraphTensor => {
    const scale = perChannel(name, 'runningVar', runningVar!, x).add(eps).rsqrt()
    return x.sub(perChannel(name, 'runningMean', runningMean!, x)).mul(scale)
  }
  const normal = isOwn ? byOwn(name, x, groups, eps) : byRunning()
  const scaled = weight === null ? normal : normal.mul(perChannel(name, 'weight', weight, x))
  const result = bias === null ? scaled : scaled.add(perChannel(name, 'bias', bias, x))
  return [result, ...(isOwn ? followed(name, args, groups) : [])]
}

/** Throws ArgumentError when running statistics are needed for normalisation but missing. */
function checkStatistics(name: string, args: object, isOwn: boolean, option: string): void {
  const { runningMean, runningVar } = args as { readonly [name: string]: unknown }
  if (!isOwn && (runningMean === null || runningVar === null))
    throw new ArgumentError(`${name}: runningMean and runningVar are needed unless { ${option}: true }`, {
      fix: `pass both, or { ${option}: true } to normalise by the input's own`,
    })
}

/** The running statistics (inputs after the first) are changed if `option` is true. */
const followers = (option: 'training' | 'useInputStats') => (attrs: Attrs) =>
  attrs[option] !== true
    ? []
    : ((attrs.present ?? []) as readonly string[]).filter(name => name.startsWith('running')).map((_, i) => i + 1)

const normColumns = {
  category: 'normalisation',
  details: {
    numGroups: 'into how many groups the channels divide',
    eps: 'what is added to the variance',
    runningMean: 'a mean per channel, [C]',
    runningVar: 'a variance per channel, [C]',
    weight: 'a factor per channel, [C]',
    bias: 'a summand per channel, [C]',
    training: 'use the statistics of this batch; runningMean and runningVar, if given, are updated in place',
    useInputStats: "use the input's own statistics; runningMean and runningVar, if given, are updated in place",
    momentum:
      'the share of the new statistics in the running ones: (1 − momentum) · old + momentum · new, the variance by n − 1',
  },
  shape: asInput,
  dtypes: floatKept,
  keeps: ['runningMean', 'runningVar'],
} as const

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
    eps: 'a lower bound on the length that is divided by',
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
  groupNorm: compose({
    ...normColumns,
    name: 'groupNorm',
    summary:
      '(self − mean) / √(variance + eps) over each of numGroups groups of channels, · weight + bias per channel.',
    signature:
      'self, numGroups: positive, weight: tensor | null = null, bias: tensor | null = null, eps: number = 1e-5',
    errors: { ShapeError: 'when self is not [N, C, …], numGroups does not divide C, or a vector is not [C]' },
    body: args => normed('groupNorm', args, args.numGroups, true),
  }),
  batchNorm: compose({
    ...normColumns,
    name: 'batchNorm',
    summary:
      '(self − mean) / √(variance + eps) per channel, with the running statistics or (training) those of the batch.',
    signature:
      'self, runningMean: tensor | null, runningVar: tensor | null, weight: tensor | null = null, bias: tensor | null = null, training: bool = false, momentum: number = 0.1, eps: number = 1e-5',
    errors: {
      ArgumentError: 'when running statistics are missing without training',
      ShapeError: 'when self is not [N, C, …], or a vector is not [C]',
    },
    check: args => checkStatistics('batchNorm', args, args.training, 'training'),
    changes: followers('training'),
    body: args => normed('batchNorm', args, 'batch', args.training),
  }),
  instanceNorm: compose({
    ...normColumns,
    name: 'instanceNorm',
    summary:
      '(self − mean) / √(variance + eps) over the spatial dims, for each channel of each sample, · weight + bias per channel.',
    signature:
      'self, runningMean: tensor | null = null, runningVar: tensor | null = null, weight: tensor | null = null, bias: tensor | null = null, useInputStats: bool = true, momentum: number = 0.1, eps: number = 1e-5',
    errors: {
      ArgumentError: 'when running statistics are missing with useInputStats false',
      ShapeError: 'when self is not [N, C, …], or a vector is not [C]',
    },
    check: args => checkStatistics('instanceNorm', args, args.useInputStats, 'useInputStats'),
    changes: followers('useInputStats'),
    body: args => normed('instanceNorm', args, 'each', args.useInputStats),
  }),
  normalize,
}

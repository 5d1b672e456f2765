/** The loss of connectionist temporal classification: sequences whose alignment to the labels is unknown. */
import { ArgumentError, DtypeError, inCall, ShapeError } from '../base/errors.js'
import { signature, takeArguments } from '../tensor/arguments.js'
import { arange, fullLike, zerosLike } from '../tensor/create.js'
import { cat, stack, where } from '../tensor/functions.js'
import type { Tensor } from '../tensor/tensor.js'
import { isFloat, isInteger } from '../types/dtype.js'
import { type Lengths, lengthsTensor } from './lengths.js'
import { overSteps } from './recurrent-steps.js'

/** Options of `ctcLoss`. */
export interface CTCOptions {
  /** The class that stands for no label. Default 0. */
  readonly blank?: number | undefined
  /** 'mean': each loss is divided by the number of its labels first. Default 'mean'. */
  readonly reduction?: 'mean' | 'sum' | 'none' | undefined
  /** Sequences too short for their labels have the loss 0 instead of ∞. Default false. */
  readonly zeroInfinity?: boolean | undefined
}

export const ctcOptionsText = "blank: int = 0, reduction: 'mean' | 'sum' | 'none' = 'mean', zeroInfinity: bool = false"
const ctcSignature = signature(
  `logProbs, targets, inputLengths: value, targetLengths: value, ${ctcOptionsText}` as const,
)

/** The logarithm of a probability of 0: finite, so that gradients are numbers. */
const never = -1e30

/**
 * −ln of the probability that a sequence of independent classes spells the labels, where repeated classes count once and blanks not
 * at all. "Connectionist Temporal Classification" (Graves et al. 2006), summed forwards in time.
 *
 * @param logProbs logarithms of probabilities (`logSoftmax`), [T, N, C] or [T, C]; floats
 * @param targets labels, without blanks: integers [N, S], of which what is beyond a row's length is not read, or those of all sequences in one dim; with [T, C] they are [S]
 * @param inputLengths how many of the T steps count, for each sequence
 * @param targetLengths how many labels count, for each sequence
 * @param options see `CTCOptions`
 * @returns 0-d; with reduction 'none' [N]; the dtype of `logProbs`. Sequences too short for their labels have no gradient
 * @throws DtypeError unless logProbs are floats, and targets and lengths integers; ShapeError for other shapes, and for lengths that
 *   exceed T or the number of labels; ArgumentError unless blank is one of the C classes
 */
export function ctcLoss(
  logProbs: Tensor,
  targets: Tensor,
  inputLengths: Lengths,
  targetLengths: Lengths,
  options?: CTCOptions,
): Tensor
export function ctcLoss(...args: readonly unknown[]): Tensor {
  const { logProbs, targets, blank, reduction, zeroInfinity, ...given } = takeArguments('ctcLoss', ctcSignature, args)
  if (!isFloat(logProbs.dtype))
    throw new DtypeError(`ctcLoss: logProbs is ${logProbs.describe()}, not floats`, { fix: 'pass x.logSoftmax(-1)' })
  const isBatched = logProbs.ndim === 3
  if (!isBatched && logProbs.ndim !== 2)
    throw new ShapeError(`ctcLoss: logProbs is ${logProbs.describe()}`, { fix: 'pass [T, N, C], or [T, C]' })
  const x = (isBatched ? logProbs : logProbs.unsqueeze(1)).to(logProbs.dtype === 'f64' ? 'f64' : 'f32')
  const [steps, count, classes] = x.shape as [number, number, number]
  if (!isInteger(targets.dtype))
    throw new DtypeError(`ctcLoss: targets are ${targets.describe()}`, { fix: "pass integers: x.to('i64')" })
  if (blank < 0 || blank >= classes)
    throw new ArgumentError(`ctcLoss: blank is ${blank} of ${classes} classes`, { fix: `pass 0 to ${classes - 1}` })
  const most = { inputLengths: steps, targetLengths: targets.shape.at(-1) ?? 0 }
  const lengths = (name: keyof typeof most): Tensor =>
    lengthsTensor(given[name], { of: 'ctcLoss', name, count, most: most[name], like: x })
  const [inputs, counts] = [lengths('inputLengths'), lengths('targetLengths')]
  const labels = labelRows(targets.to('i64'), counts, isBatched)
  const isCounted = arange(labels.dim(-1), { dtype: 'i64', device: labels.device }).lt(counts.unsqueeze(1))
  // What pads a row is never read, and need not be a class.
  const losses = inCall('ctcLoss', () => lossesOf(x, where(isCounted, labels, blank), { blank, inputs, counts }))
  const isNever = losses.gt(-never / 10)
  const found = where(isNever, zeroInfinity ? 0 : Infinity, losses)
  const each = (isBatched ? found : found.squeeze(0)).to(logProbs.dtype as 'f32')
  if (reduction === 'none') return each
  if (reduction === 'sum') return each.sum()
  return found
    .div(counts.clamp({ min: 1 }))
    .mean()
    .to(logProbs.dtype as 'f32')
}

/** Labels of one dim as rows, [N, S]; what is beyond a row's count is any of them. */
function labelRows(targets: Tensor, counts: Tensor, isBatched: boolean): Tensor {
  if (!isBatched && targets.ndim === 1) return targets.unsqueeze(0)
  if (targets.ndim === 2 && targets.shape[0] === counts.shape[0]) return targets
  if (targets.ndim !== 1 || targets.shape[0] === 0)
    throw new ShapeError(`ctcLoss: targets are ${targets.describe()}`, { fix: 'pass [N, S], or all labels in one dim' })
  const [longest, total] = [counts.amax().itemSync(), counts.sum().itemSync()]
  if (total > targets.shape[0]!)
    throw new ShapeError(`ctcLoss: targetLengths ask for ${total} labels, targets has ${targets.shape[0]}`, {
      fix: 'in one dim, targets are the labels of all sequences, one after the other',
    })
  const places = counts
    .cumsum(0)
    .sub(counts)
    .unsqueeze(1)
    .add(arange(longest, { dtype: 'i64', device: targets.device }))
  return targets.get(places.clamp({ max: targets.shape[0]! - 1 }))
}

interface Spelling {
  readonly blank: number
  readonly inputs: Tensor
  readonly counts: Tensor
}

/** [N] of [T, N, C] and labels [N, S]. States are the labels with a blank before, between and behind: [N, 2 S + 1]. */
function lossesOf(x: Tensor, labels: Tensor, { blank, inputs, counts }: Spelling): Tensor {
  const end = fullLike(counts, blank).unsqueeze(1)
  const classes = cat([stack([fullLike(labels, blank), labels], 2).flatten(1), end], 1)
  const scores = x.gather(2, classes.unsqueeze(0).expand([x.dim(0), -1, -1]))
  const beforeLast = cat([end, end, classes.slice(null, [null, -2])], 1)
  const mayskip = classes.ne(blank).logicalAnd(classes.ne(beforeLast))
  const first = scores.select(0, 0)
  const outside = fullLike(first.slice(null, [null, 1]), never)
  const start = cat([zerosLike(outside), fullLike(first.slice(null, [1, null]), never)], 1)
  const isInside = arange(x.dim(0), { dtype: 'i64', device: x.device }).unsqueeze(1).lt(inputs).unsqueeze(2)
  const step = (score: Tensor, [sums]: readonly Tensor[]): readonly Tensor[] => {
    const one = cat([outside, sums!.slice(null, [null, -1])], 1)
    const two = cat([outside, outside, sums!.slice(null, [null, -2])], 1)
    return [
      sums!
        .logaddexp(one)
        .logaddexp(where(mayskip, two, never))
        .add(score),
    ]
  }
  const [, [sums]] = overSteps(scores, [start], step, isInside)
  const last = counts.mul(2).unsqueeze(1)
  const label = where(last.gt(0), sums!.gather(1, last.sub(1).clamp({ min: 0 })), never)
  return sums!.gather(1, last).logaddexp(label).squeeze(1).neg()
}

/** Losses. `reduction` is 'mean' (default), 'sum' or 'none'. */
import { ArgumentError, ShapeError } from '../../base/errors.js'
import type { Attrs } from '../../ir/node.js'
import { productOf } from '../../scalar/size.js'
import { isFloat } from '../../types/dtype.js'
import { normalizeDim } from '../build.js'
import type { Shape } from '../ir.js'
import { type Gradient, keptTogether, type OpTexts } from '../record.js'
import type { BoundAs } from '../signature.js'
import { broadcastShapes, printShape } from '../sizes.js'
import { broadcastArgument, compose, requireAlike, requireClasses, requireFloats, requireShape } from './compose.js'
import type { GraphTensor } from './graph-tensor.js'
import { normalisationRecords } from './normalisation.js'
import { floatKept, lossShape } from './texts.js'

// --- reduction ---------------------------------------------------------------------------------------------------------

/** The parameter of every loss. */
export const reductionParam = "reduction: 'mean' | 'sum' | 'none' = 'mean'"
export const lossDetails = {
  target: 'what self should be, of its shape',
  reduction: 'the mean of all losses, their sum, or each',
}

export function reduced(loss: GraphTensor, reduction: string): GraphTensor {
  if (reduction === 'none') return loss
  const sum = loss.sum()
  if (reduction === 'sum') return sum
  return sum.div(reduction === 'batchmean' ? loss.size(0) : productOf(loss.shape))
}

/** −ln sigmoid(x) = ln(1 + e^−x), without overflow. */
export const lossOfLogit = (x: GraphTensor): GraphTensor => x.neg().maximum(0).add(x.abs().neg().exp().log1p())

// --- losses of pairs ---------------------------------------------------------------------------------------------------

/** PyTorch broadcasts here with only a warning: [N, 1] against [N] gives N² differences. So shapes must be equal. */
function requirePair(name: string, x: GraphTensor, y: GraphTensor): void {
  const what = (): string => `${name}: the input ${printShape(x.shape)} and the target ${printShape(y.shape)} differ`
  requireShape(x.shape, y.shape, what, 'give both one shape: target.reshape(…) or target.expand(…)')
  requireAlike(name, x, y, 'target')
}

type PairText = `self, target, ${string}`
type PairArgs = {
  readonly self: GraphTensor
  readonly target: GraphTensor
  readonly reduction: string
  readonly weight?: GraphTensor | null
}

interface PairLoss<Text extends PairText> extends Pick<OpTexts, 'details' | 'errors' | 'note'> {
  readonly name: string
  readonly summary: string
  readonly signature: Text
  readonly check?: Parameters<typeof compose<Text>>[0]['check']
  /** The loss of each element. */
  readonly each: (args: BoundAs<Text, GraphTensor>) => GraphTensor
}

/** The loss of each pair of elements, times an optional weight that broadcasts. */
function pairLoss<const Text extends PairText>({ each, details, errors, ...columns }: PairLoss<Text>) {
  const { name } = columns
  return compose<Text>({
    ...columns,
    category: 'reduction',
    details: { ...lossDetails, ...details },
    shape: lossShape,
    dtypes: floatKept,
    errors: {
      DtypeError: 'when the target is another float than self',
      ShapeError:
        'when self and target differ in shape, or a weight does not broadcast to them (PyTorch broadcasts all)',
      ...errors,
    },
    body: args => {
      const { self, target, reduction, weight = null } = args as unknown as PairArgs
      requirePair(name, self, target)
      const loss = each(args)
      return reduced(
        weight === null ? loss : loss.mul(broadcastArgument(name, 'weight', weight, self.shape)),
        reduction,
      )
    },
  })
}

function requirePositive(name: string, key: string, value: number): void {
  if (!(value > 0))
    throw new ArgumentError(`${name}: ${key} is ${value}, not positive`, { fix: 'use a number greater than 0' })
}

const pairLosses = {
  mseLoss: pairLoss({
    name: 'mseLoss',
    signature: `self, target, ${reductionParam}`,
    summary: '(self − target)², reduced.',
    each: ({ self, target }) => self.sub(target).square(),
  }),
  l1Loss: pairLoss({
    name: 'l1Loss',
    signature: `self, target, ${reductionParam}`,
    summary: '|self − target|, reduced.',
    each: ({ self, target }) => self.sub(target).abs(),
  }),
  smoothL1Loss: pairLoss({
    name: 'smoothL1Loss',
    signature: `self, target, ${reductionParam}, beta: number = 1`,
    details: { beta: 'where the quadratic part ends, positive' },
    errors: { ArgumentError: 'when beta is not positive' },
    check: ({ beta }) => requirePositive('smoothL1Loss', 'beta', beta),
    summary: 'With d = |self − target|: d² / (2 beta) below beta, d − beta / 2 above, reduced.',
    each: ({ self, target, beta }) => {
      const d = self.sub(target).abs()
      return d.lt(beta).where(d.square().mul(0.5 / beta), d.sub(beta / 2))
    },
  }),
  huberLoss: pairLoss({
    name: 'huberLoss',
    signature: `self, target, ${reductionParam}, delta: number = 1`,
    details: { delta: 'where the quadratic part ends, positive' },
    errors: { ArgumentError: 'when delta is not positive' },
    check: ({ delta }) => requirePositive('huberLoss', 'delta', delta),
    summary: 'With d = |self − target|: d² / 2 up to delta, delta · (d − delta / 2) above, reduced.',
    each: ({ self, target, delta }) => {
      const d = self.sub(target).abs()
      return d.le(delta).where(d.square().mul(0.5), d.sub(delta / 2).mul(delta))
    },
  }),
  binaryCrossEntropy: pairLoss({
    name: 'binaryCrossEntropy',
    signature: `self, target, weight: tensor | null = null, ${reductionParam}`,
    details: { weight: 'a factor per element (broadcasts)' },
    summary: '−(target · ln self + (1 − target) · ln(1 − self)), logarithms clamped to at least −100, reduced.',
    each: ({ self, target }) => {
      const [on, off] = [self.log().maximum(-100), self.neg().log1p().maximum(-100)]
      const loss = target.mul(on).add(target.number(1).sub(target).mul(off)).neg()
      return self.with(keptTogether(self.b, 'crossEntropyTerms', {}, [self, target], [loss.node])[0]!)
    },
  }),
  binaryCrossEntropyWithLogits: pairLoss({
    name: 'binaryCrossEntropyWithLogits',
    signature: `self, target, weight: tensor | null = null, ${reductionParam}, posWeight: tensor | null = null`,
    details: {
      weight: 'a factor per element (broadcasts)',
      posWeight: 'a factor on the loss of positive targets (broadcasts)',
    },
    summary: 'binaryCrossEntropy of sigmoid(self), computed without overflow.',
    each: ({ self, target, posWeight }) => {
      // The loss of a negative is that of a positive plus the logit.
      const off = target.number(1).sub(target).mul(self)
      if (posWeight === null) return off.add(lossOfLogit(self))
      const factor = broadcastArgument('binaryCrossEntropyWithLogits', 'posWeight', posWeight, self.shape)
      return off.add(factor.sub(1).mul(target).add(1).mul(lossOfLogit(self)))
    },
  }),
  klDiv: pairLoss({
    name: 'klDiv',
    signature: "self, target, reduction: 'mean' | 'sum' | 'none' | 'batchmean' = 'mean', logTarget: bool = false",
    details: {
      reduction: 'the mean of all losses, their sum, each, or their sum over the size of the batch',
      logTarget: 'the target holds logarithms too',
    },
    summary:
      "target · (ln target − self), self holds log-probabilities (with logTarget the target does too); reduction may be 'batchmean'.",
    each: ({ self, target, logTarget }) => {
      if (logTarget) return target.exp().mul(target.sub(self))
      return target.eq(0).where(0, target.mul(target.log())).sub(target.mul(self))
    },
  }),
}

// --- losses of classes ---------------------------------------------------------------------------------------------------

const classParams = `self, target, weight: tensor | null = null, ignoreIndex: int = -100, ${reductionParam}` as const
const classDetails = {
  ...lossDetails,
  self: 'log-probabilities [N, C, …] or [C]',
  target: 'class indices [N, …], or 0-d for [C]',
  weight: 'a factor per class, [C]',
  ignoreIndex: 'targets of this value do not count',
}
type ClassArgs = BoundAs<typeof classParams, GraphTensor> & { readonly labelSmoothing: number }

/** The class dim: 1 of [N, C, …], 0 of [C]. */
const classDim = (rank: number): number => (rank === 1 ? 0 : 1)

/** Throws unless input, target and weight fit a loss over class indices. */
function checkClasses(name: string, { self, target, weight }: ClassArgs): void {
  const { shape } = self
  if (shape.length === 0)
    throw new ShapeError(`${name}: the input is 0-d, it needs a dim of classes`, {
      fix: 'give one value per class: [classes] or [batch, classes]',
    })
  requireFloats(name, self)
  const rest = shape.toSpliced(classDim(shape.length), 1)
  const what = (): string =>
    `${name}: the target ${printShape(target.shape)} does not fit the input ${printShape(shape)}`
  requireShape(rest, target.shape, what, `give class indices of shape ${printShape(rest)}`)
  requireClasses(name, target)
  if (weight === null) return
  const problem = (): string =>
    `${name}: the weight ${printShape(weight.shape)} is not one value per class of ${printShape(shape)}`
  requireShape(weight.shape, [shape[classDim(shape.length)]!], problem)
}

/** A weight per class, broadcast along the other dims of the input. */
const perClass = (weight: GraphTensor, shape: Shape, dim: number): GraphTensor =>
  weight.shaped(shape.map((size, d) => (d === dim ? size : 1))).expandTo(shape)

/** Of log-probabilities. A target out of range gives NaN, so that it does not look like a perfect prediction. */
function classLoss(logs: GraphTensor, args: ClassArgs): GraphTensor {
  const { target, weight, ignoreIndex, labelSmoothing, reduction } = args
  const dim = classDim(logs.rank)
  const index = target.as('i64').shaped(logs.shape.with(dim, 1))
  const factors = weight === null ? null : perClass(weight, logs.shape, dim)
  const picked = logs.gather(dim, index)
  const factor = factors === null ? picked.like(1) : factors.gather(dim, index)
  const inside = index.ge(0).logicalAnd(index.lt(logs.size(dim)))
  const counted = index.ne(ignoreIndex)
  const own = factor.mul(picked).neg()
  let loss = counted.where(inside.where(own, Number.NaN), 0)
  if (labelSmoothing > 0) {
    const terms = factors === null ? logs : logs.mul(factors)
    const share = counted.where(terms.sum([dim], true).neg(), 0).div(logs.size(dim))
    loss = loss.mul(1 - labelSmoothing).add(share.mul(labelSmoothing))
  }
  const flat = loss.shaped(target.shape)
  return reduction === 'mean' ? flat.sum().div(counted.where(factor, 0).sum()) : reduced(flat, reduction)
}

const classOp = {
  category: 'reduction',
  dtypes: floatKept,
  keeps: ['target'],
  note: 'A class out of range is an error on a CPU outside of compile, elsewhere its loss is NaN.',
} as const

const nllLoss = compose({
  ...classOp,
  name: 'nllLoss',
  summary:
    '−weight[target] · self[target] of log-probabilities [N, C, …]; the mean divides by the sum of the weights of the targets that count.',
  signature: classParams,
  details: classDetails,
  shape: "0-d; with reduction 'none' the shape of target",
  errors: {
    DtypeError: 'when the target is no integer',
    ShapeError: 'when the target is not [N, …] (0-d for [C]), or the weight is not [C]',
  },
  body: args => {
    const given = { ...args, labelSmoothing: 0 }
    checkClasses('nllLoss', given)
    return classLoss(args.self, given)
  },
})

/** The target as probabilities [N, C, …]. */
function probabilityLoss({ self, target, weight, labelSmoothing, reduction }: ClassArgs): GraphTensor {
  requireShape(
    self.shape,
    target.shape,
    () =>
      `crossEntropy: the target ${target.given}${printShape(target.shape)} holds neither classes, which are integers, nor the probabilities of ${printShape(self.shape)}`,
    "classes: target.to('i64'), and bigints in a data set; probabilities need the shape of the input",
  )
  requireAlike('crossEntropy', self, target, 'target')
  const dim = classDim(self.rank)
  const logs = self.apply(normalisationRecords.logSoftmax, dim)
  const given = target.as(logs.dtype)
  const share = logs.like(labelSmoothing).div(self.size(dim))
  const wanted = labelSmoothing === 0 ? given : given.mul(1 - labelSmoothing).add(share)
  const terms = logs.mul(wanted)
  const weighted = weight === null ? terms : terms.mul(perClass(weight, self.shape, dim))
  return reduced(weighted.sum([dim]).neg(), reduction)
}

const crossEntropy = compose({
  ...classOp,
  name: 'crossEntropy',
  summary: 'nllLoss of logSoftmax(self) of [N, C, …]; the target holds class indices, or (floats) probabilities.',
  signature: `${classParams}, labelSmoothing: number = 0`,
  details: {
    ...classDetails,
    self: 'a score per class (logits), [N, C, …] or [C]',
    target: 'class indices [N, …], or (floats) probabilities of the shape of self',
    labelSmoothing: 'the share of the target, 0 to 1, that is spread over all classes',
  },
  shape: "0-d; with reduction 'none' [N, …]",
  errors: {
    ArgumentError: 'when labelSmoothing is not in [0, 1]',
    DtypeError: 'when the target is bool, or another float than self',
    ShapeError:
      'when the target is neither [N, …] class indices nor probabilities of the shape of self, or the weight is not [C]',
  },
  check: ({ labelSmoothing }) => {
    if (labelSmoothing < 0 || labelSmoothing > 1)
      throw new ArgumentError(`crossEntropy: labelSmoothing ${labelSmoothing} is not between 0 and 1`, {
        fix: 'use 0 for none, up to 1',
      })
  },
  body: args => {
    if (isFloat(args.target.given)) return probabilityLoss(args)
    checkClasses('crossEntropy', args)
    return classLoss(args.self.apply(normalisationRecords.logSoftmax, classDim(args.self.rank)), args)
  },
})

// --- similarity --------------------------------------------------------------------------------------------------------

/** Σ x · y / (max(‖x‖, eps) · max(‖y‖, eps)) along a dim, of tensors of one shape. */
export function cosine(x: GraphTensor, y: GraphTensor, dim: number, eps: number): GraphTensor {
  const product = (left: GraphTensor, right: GraphTensor): GraphTensor => left.mul(right).sum([dim])
  const length = (one: GraphTensor): GraphTensor => product(one, one).sqrt().maximum(eps)
  return product(x, y).div(length(x)).div(length(y))
}

const cosineSimilarity = compose({
  name: 'cosineSimilarity',
  summary: 'Σ x1 · x2 / (max(‖x1‖, eps) · max(‖x2‖, eps)) along a dim.',
  category: 'reduction',
  signature: 'x1, x2, dim: dim = 1, eps: number = 1e-8',
  details: {
    x1: 'one tensor',
    x2: 'the other; the two broadcast',
    eps: 'a lower bound on each length that is divided by',
  },
  shape: 'the shape that x1 and x2 broadcast to, without dim',
  dtypes: floatKept,
  errors: {
    DtypeError: 'when x1 and x2 have different dtypes',
    ShapeError: 'when the shapes do not broadcast, or both are 0-d',
  },
  body: ({ x1, x2, dim, eps }) => {
    requireAlike('cosineSimilarity', x1, x2, 'target')
    requireFloats('cosineSimilarity', x2)
    const shape = broadcastShapes('cosineSimilarity', [x1.shape, x2.shape])
    if (shape.length === 0) throw new ShapeError('cosineSimilarity: 0-d tensors have no dim', { fix: 'give vectors' })
    return cosine(x1.expandTo(shape), x2.expandTo(shape), normalizeDim('cosineSimilarity', dim, shape.length), eps)
  },
})

/** (x − t) / (x · (1 − x)), whose divisor is at least 1e-12, as in PyTorch: at 0 and 1 the logarithms have no slopes. */
const termsGradient: Gradient<Attrs> = ({ inputs: [x, t], outputGradients: [g], op }) => {
  const divisor = op('clamp', op('mul', x, op('sub', 1, x)), 1e-12)
  const [on, off] = [op('clamp', op('log', x), -100), op('clamp', op('log1p', op('neg', x)), -100)]
  return [op('div', op('mul', g, op('sub', x, t)), divisor), op('mul', g, op('sub', off, on))]
}

/** The gradients of formulas within losses, by the names of their regions. */
export const lossGradients: { readonly [name: string]: Gradient<never> } = { crossEntropyTerms: termsGradient }

export const lossRecords = { ...pairLosses, nllLoss, crossEntropy, cosineSimilarity }

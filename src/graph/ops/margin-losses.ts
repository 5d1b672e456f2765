/** Losses of two or three tensors, element by element, that broadcast; and the margin loss of classes. */
import { ArgumentError, ShapeError } from '../../base/errors.js'
import type { BoundAs } from '../signature.js'
import { printShape } from '../sizes.js'
import { broadcastArgument, compose, requireClasses, requireShape } from './compose.js'
import type { GraphTensor } from './graph-tensor.js'
import { lossDetails, lossOfLogit, reduced, reductionParam } from './losses.js'
import { floatKept, floatPromoted } from './texts.js'

interface ElementLoss<Text extends string> {
  readonly name: string
  readonly summary: string
  readonly signature: Text
  readonly details?: Readonly<Record<string, string>>
  /** The loss of each element. */
  readonly each: (args: BoundAs<Text, GraphTensor>) => GraphTensor
}

const elementLoss = <const Text extends string>({ each, details, ...columns }: ElementLoss<Text>) =>
  compose<Text>({
    ...columns,
    category: 'reduction',
    details: { ...lossDetails, ...details },
    shape: "0-d; with reduction 'none' the shape that the tensors broadcast to",
    dtypes: floatPromoted,
    errors: { ShapeError: 'when the shapes do not broadcast' },
    broadcasts: true,
    body: args => reduced(each(args), (args as { readonly reduction: string }).reduction),
  })

const elementLosses = {
  poissonNllLoss: elementLoss({
    name: 'poissonNllLoss',
    signature: `self, target, logInput: bool = true, full: bool = false, eps: number = 1e-8, ${reductionParam}`,
    details: {
      logInput: 'self is the logarithm of the expected count, not the count itself',
      full: "Stirling's formula for ln target! is added",
      eps: 'what is added before a logarithm',
    },
    summary: 'e^self − target · self (logInput false: self − target · ln(self + eps)), reduced.',
    each: ({ self, target, logInput, full, eps }) => {
      const loss = logInput ? self.exp().sub(target.mul(self)) : self.sub(target.mul(self.add(eps).log()))
      if (!full) return loss
      const half = target
        .mul(2 * Math.PI)
        .log()
        .mul(0.5)
      return loss.add(target.gt(1).where(target.mul(target.log()).sub(target).add(half), 0))
    },
  }),
  gaussianNllLoss: elementLoss({
    name: 'gaussianNllLoss',
    signature: `self, target, variance, full: bool = false, eps: number = 1e-6, ${reductionParam}`,
    details: {
      variance: 'the variance of each, at least 0',
      full: 'ln(2π) / 2 is added',
      eps: 'a lower bound on the variance',
    },
    summary: '(ln v + (self − target)² / v) / 2 with v = max(variance, eps), plus ln(2π) / 2 with full, reduced.',
    each: ({ self, target, variance, full, eps }) => {
      const v = variance.maximum(eps)
      const loss = v.log().add(self.sub(target).square().div(v)).mul(0.5)
      return full ? loss.add(Math.log(2 * Math.PI) / 2) : loss
    },
  }),
  softMarginLoss: elementLoss({
    name: 'softMarginLoss',
    signature: `self, target, ${reductionParam}`,
    details: { target: '1 or −1' },
    summary: 'ln(1 + e^(−target · self)), reduced; targets are 1 or −1.',
    each: ({ self, target }) => lossOfLogit(self.mul(target)),
  }),
  hingeEmbeddingLoss: elementLoss({
    name: 'hingeEmbeddingLoss',
    signature: `self, target, margin: number = 1, ${reductionParam}`,
    details: { target: '1 or −1', margin: 'how large self should be where the target is −1' },
    summary: 'self where target is 1, max(0, margin − self) where it is −1, reduced.',
    each: ({ self, target, margin }) => {
      const far = self.number(margin).sub(self).clamp(0)
      return target.ne(1).where(far, 0).add(target.ne(-1).where(self, 0))
    },
  }),
  marginRankingLoss: elementLoss({
    name: 'marginRankingLoss',
    signature: `input1, input2, target, margin: number = 0, ${reductionParam}`,
    details: {
      input1: 'one tensor',
      input2: 'the other',
      target: '1 or −1',
      margin: 'by how much one should be larger',
    },
    summary:
      'max(0, −target · (input1 − input2) + margin), reduced; target 1 where input1 should be the larger, −1 where the smaller.',
    each: ({ input1, input2, target, margin }) => target.mul(input1.sub(input2)).neg().add(margin).clamp(0),
  }),
}

// --- of classes ------------------------------------------------------------------------------------------------------------

const multilabelSoftMarginLoss = compose({
  name: 'multilabelSoftMarginLoss',
  summary: 'The mean over the last dim of −(target · ln σ(self) + (1 − target) · ln σ(−self)) · weight, reduced.',
  category: 'reduction',
  signature: `self, target, weight: tensor | null = null, ${reductionParam}`,
  shape: "0-d; with reduction 'none' the shape of self without the last dim",
  dtypes: floatKept,
  details: {
    ...lossDetails,
    self: 'a score per class, […, C]',
    target: '0 or 1 per class, […, C]',
    weight: 'a factor per class (broadcasts)',
  },
  errors: { ShapeError: 'when self is 0-d, self and target differ in shape, or the weight does not broadcast' },
  body: ({ self, target, weight, reduction }) => {
    const name = 'multilabelSoftMarginLoss'
    if (self.rank === 0)
      throw new ShapeError(`${name}: the input is 0-d, it needs a dim of classes`, {
        fix: 'give one value per class: [classes] or [batch, classes]',
      })
    const what = (): string =>
      `${name}: the input ${printShape(self.shape)} and the target ${printShape(target.shape)} differ`
    requireShape(target.shape, self.shape, what)
    const loss = lossOfLogit(self).add(target.number(1).sub(target).mul(self))
    const weighted = weight === null ? loss : loss.mul(broadcastArgument(name, 'weight', weight, self.shape))
    return reduced(weighted.sum([-1]).div(self.size(-1)), reduction)
  },
})

const multiMarginLoss = compose({
  name: 'multiMarginLoss',
  summary: 'Σ over the other classes of max(0, margin − self[target] + self[i])^p / C of [N, C] or [C], reduced.',
  category: 'reduction',
  signature: `self, target, p: number = 1, margin: number = 1, weight: tensor | null = null, ${reductionParam}`,
  shape: "0-d; with reduction 'none' [N]",
  dtypes: floatKept,
  details: {
    ...lossDetails,
    self: 'a score per class, [N, C] or [C]',
    target: 'class indices [N], or 0-d',
    p: '1 or 2',
    margin: 'by how much the score of the target should be larger',
    weight: 'a factor per class, [C]',
  },
  errors: {
    ArgumentError: 'when p is neither 1 nor 2',
    DtypeError: 'when the target is no integer',
    ShapeError: 'when the target is not [N], or the weight is not [C]',
  },
  note: 'A class out of range is an error on a CPU outside of compile, elsewhere its loss is NaN.',
  keeps: ['target'],
  check: ({ p }) => {
    if (p !== 1 && p !== 2) throw new ArgumentError(`multiMarginLoss: p ${p}`, { fix: 'use 1 or 2' })
  },
  body: ({ self, target, p, margin, weight, reduction }) => {
    const name = 'multiMarginLoss'
    requireClasses(name, target)
    if (self.rank !== 1 && self.rank !== 2)
      throw new ShapeError(`${name}: the input ${printShape(self.shape)} is neither [N, C] nor [C]`, {
        fix: 'flatten what is more than a batch dim and a class dim',
      })
    requireShape(
      target.shape,
      self.shape.slice(0, -1),
      () => `${name}: the target ${printShape(target.shape)} does not fit the input ${printShape(self.shape)}`,
    )
    const x = self.rank === 2 ? self : self.unsqueeze(0)
    const [n, classes] = [x.size(0), x.size(1)]
    if (weight !== null) {
      const what = (): string =>
        `${name}: the weight ${printShape(weight.shape)} is not one value for each of ${classes} classes`
      requireShape(weight.shape, [classes], what, 'give a vector')
    }
    const index = target.as('i64').shaped([n, 1])
    const hinge = x.add(margin).sub(x.gather(1, index)).maximum(0)
    const others = x
      .indicesOf(1)
      .eq(index)
      .where(0, p === 2 ? hinge.square() : hinge)
    const mean = others.sum([1]).div(classes)
    const weighted = weight === null ? mean : mean.mul(weight.expandTo(x.shape).gather(1, index).shaped([n]))
    // A target out of range gives NaN, so that it does not look like a perfect prediction.
    const inside = index.ge(0).logicalAnd(index.lt(classes)).shaped([n])
    return reduced(inside.where(weighted, Number.NaN).shaped(target.shape), reduction)
  },
})

const multilabelMarginLoss = compose({
  name: 'multilabelMarginLoss',
  summary:
    'The sum of max(0, 1 − self[j] + self[i]) / C over pairs of a target class j and another class i, for self [N, C] or [C]; reduced.',
  category: 'reduction',
  signature: `self, target, ${reductionParam}`,
  shape: "0-d; with reduction 'none' [N]",
  dtypes: floatKept,
  details: {
    ...lossDetails,
    self: 'a score per class, [N, C] or [C]',
    target: 'class indices, of the shape of self; those from the first negative one on count for nothing',
  },
  errors: {
    DtypeError: 'when the target is no integer',
    ShapeError: 'when self is neither [N, C] nor [C] or has no classes, or the target has another shape',
  },
  note: 'A class out of range is an error on a CPU outside of compile, elsewhere its loss is NaN.',
  keeps: ['target'],
  body: ({ self, target, reduction }) => {
    const name = 'multilabelMarginLoss'
    requireClasses(name, target)
    if (self.rank > 2 || self.size(-1) === 0)
      throw new ShapeError(
        `${name}: the input ${printShape(self.shape)} is neither [N, C] nor [C] of at least one class`,
        {
          fix: 'flatten what is more than a batch dim and a class dim',
        },
      )
    requireShape(
      target.shape,
      self.shape,
      () => `${name}: the target ${printShape(target.shape)} does not fit the input ${printShape(self.shape)}`,
      'give as many class indices as classes, the rest −1',
    )
    const [n, classes] = [self.rank === 2 ? self.size(0) : 1, self.rank === 0 ? 1 : self.size(-1)]
    const [x, t] = [self.shaped([n, classes]), target.as('i64').shaped([n, classes])]
    const ended = t.lt(0).as('i64').cumsum(1)
    const counts = ended.eq(0).unsqueeze(2)
    // [n, j, i]: target j beside class i.
    const isTarget = counts.logicalAnd(t.unsqueeze(2).eq(x.indicesOf(1)))
    const others = isTarget.any([1]).logicalNot().unsqueeze(1)
    const own = x.gather(1, t.maximum(0)).unsqueeze(2)
    const hinge = x.unsqueeze(1).sub(own).add(1).maximum(0)
    const loss = counts.logicalAnd(others).where(hinge, 0).sum([1, 2]).div(classes)
    const outside = counts.shaped([n, classes]).logicalAnd(t.ge(classes)).any([1])
    return reduced(outside.where(Number.NaN, loss).shaped(self.shape.slice(0, -1)), reduction)
  },
})

export const marginLossRecords = { ...elementLosses, multilabelSoftMarginLoss, multiMarginLoss, multilabelMarginLoss }

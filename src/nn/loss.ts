/** Losses, and distances. With reduction 'mean' or 'sum' a loss is 0-d, with 'none' one per sample. */
import { signature, takeArguments } from '../tensor/arguments.js'
import {
  binaryCrossEntropy,
  binaryCrossEntropyWithLogits,
  cosineEmbeddingLoss,
  cosineSimilarity,
  crossEntropy,
  gaussianNllLoss,
  hingeEmbeddingLoss,
  huberLoss,
  klDiv,
  l1Loss,
  marginRankingLoss,
  mseLoss,
  multilabelMarginLoss,
  multilabelSoftMarginLoss,
  multiMarginLoss,
  nllLoss,
  pairwiseDistance,
  poissonNllLoss,
  smoothL1Loss,
  softMarginLoss,
  tripletMarginLoss,
} from '../tensor/functions.js'
import type { Tensor } from '../tensor/tensor.js'
import { type CTCOptions, ctcLoss, ctcOptionsText } from './ctc.js'
import { Layer } from './layer.js'
import type { Lengths } from './lengths.js'

/** Options of `L1Loss`. */
export interface L1LossOptions {
  /** Default 'mean'. */
  readonly reduction?: 'mean' | 'sum' | 'none' | undefined
}

const l1LossSignature = signature("*, reduction: 'mean' | 'sum' | 'none' = 'mean'")

/** |input − target|. */
export class L1Loss extends Layer {
  /** What becomes of the losses of all elements: 'mean', 'sum' or 'none'. */
  reduction: 'mean' | 'sum' | 'none'

  constructor(options?: L1LossOptions)
  constructor(...args: readonly unknown[]) {
    super()
    const { reduction } = takeArguments('L1Loss', l1LossSignature, args)
    this.reduction = reduction
  }

  forward(input: Tensor, target: Tensor): Tensor {
    return l1Loss(input, target, this.reduction)
  }
}

/** Options of `MSELoss`. */
export interface MSELossOptions {
  /** Default 'mean'. */
  readonly reduction?: 'mean' | 'sum' | 'none' | undefined
}

const mseLossSignature = signature("*, reduction: 'mean' | 'sum' | 'none' = 'mean'")

/** (input − target)². */
export class MSELoss extends Layer {
  /** What becomes of the losses of all elements: 'mean', 'sum' or 'none'. */
  reduction: 'mean' | 'sum' | 'none'

  constructor(options?: MSELossOptions)
  constructor(...args: readonly unknown[]) {
    super()
    const { reduction } = takeArguments('MSELoss', mseLossSignature, args)
    this.reduction = reduction
  }

  forward(input: Tensor, target: Tensor): Tensor {
    return mseLoss(input, target, this.reduction)
  }
}

/** Options of `SmoothL1Loss`. */
export interface SmoothL1LossOptions {
  /** Default 'mean'. */
  readonly reduction?: 'mean' | 'sum' | 'none' | undefined
  /** Where the square ends. Default 1. */
  readonly beta?: number | undefined
}

const smoothL1LossSignature = signature("*, reduction: 'mean' | 'sum' | 'none' = 'mean', beta: number = 1")

/** A square near 0, |input − target| − beta / 2 beyond beta. */
export class SmoothL1Loss extends Layer {
  /** What becomes of the losses of all elements: 'mean', 'sum' or 'none'. */
  reduction: 'mean' | 'sum' | 'none'
  /** The parameter β of the formula. */
  beta: number

  constructor(options?: SmoothL1LossOptions)
  constructor(...args: readonly unknown[]) {
    super()
    const { reduction, beta } = takeArguments('SmoothL1Loss', smoothL1LossSignature, args)
    this.reduction = reduction
    this.beta = beta
  }

  forward(input: Tensor, target: Tensor): Tensor {
    return smoothL1Loss(input, target, this.reduction, this.beta)
  }
}

/** Options of `HuberLoss`. */
export interface HuberLossOptions {
  /** Default 'mean'. */
  readonly reduction?: 'mean' | 'sum' | 'none' | undefined
  /** Where the square ends. Default 1. */
  readonly delta?: number | undefined
}

const huberLossSignature = signature("*, reduction: 'mean' | 'sum' | 'none' = 'mean', delta: number = 1")

/** A square near 0, delta · (|input − target| − delta / 2) beyond delta. */
export class HuberLoss extends Layer {
  /** What becomes of the losses of all elements: 'mean', 'sum' or 'none'. */
  reduction: 'mean' | 'sum' | 'none'
  /** Where the square ends. */
  delta: number

  constructor(options?: HuberLossOptions)
  constructor(...args: readonly unknown[]) {
    super()
    const { reduction, delta } = takeArguments('HuberLoss', huberLossSignature, args)
    this.reduction = reduction
    this.delta = delta
  }

  forward(input: Tensor, target: Tensor): Tensor {
    return huberLoss(input, target, this.reduction, this.delta)
  }
}

/** Options of `CrossEntropyLoss`. */
export interface CrossEntropyLossOptions {
  /** A factor per class; a buffer. Default: none. */
  readonly weight?: Tensor | null | undefined
  /** Targets that do not count. Default −100. */
  readonly ignoreIndex?: number | undefined
  /** Default 'mean'. */
  readonly reduction?: 'mean' | 'sum' | 'none' | undefined
  /** The share of the target that is spread over all classes. Default 0. */
  readonly labelSmoothing?: number | undefined
}

const crossEntropySignature = signature(
  "*, weight: tensor | null = null, ignoreIndex: int = -100, reduction: 'mean' | 'sum' | 'none' = 'mean', labelSmoothing: number = 0",
)

/** −ln of the softmax of logits [N, C, …] at the target: classes [N, …], or probabilities [N, C, …]. */
export class CrossEntropyLoss extends Layer {
  /** What inputs are multiplied by. */
  weight: Tensor | null
  /** Targets of this class do not count. */
  ignoreIndex: number
  /** What becomes of the losses of all elements: 'mean', 'sum' or 'none'. */
  reduction: 'mean' | 'sum' | 'none'
  /** The share of the target that all classes get. */
  labelSmoothing: number

  constructor(options?: CrossEntropyLossOptions)
  constructor(...args: readonly unknown[]) {
    super()
    const { weight, ignoreIndex, reduction, labelSmoothing } = takeArguments(
      'CrossEntropyLoss',
      crossEntropySignature,
      args,
    )
    this.weight = this.registerBuffer('weight', weight)
    this.ignoreIndex = ignoreIndex
    this.reduction = reduction
    this.labelSmoothing = labelSmoothing
  }

  forward(input: Tensor, target: Tensor): Tensor {
    return crossEntropy(input, target, this.weight, this.ignoreIndex, this.reduction, this.labelSmoothing)
  }
}

/** Options of `NLLLoss`. */
export interface NLLLossOptions {
  /** A factor per class; a buffer. Default: none. */
  readonly weight?: Tensor | null | undefined
  /** Targets that do not count. Default −100. */
  readonly ignoreIndex?: number | undefined
  /** Default 'mean'. */
  readonly reduction?: 'mean' | 'sum' | 'none' | undefined
}

const nllLossSignature = signature(
  "*, weight: tensor | null = null, ignoreIndex: int = -100, reduction: 'mean' | 'sum' | 'none' = 'mean'",
)

/** −input at the target class; the input are log-probabilities [N, C, …]. */
export class NLLLoss extends Layer {
  /** What inputs are multiplied by. */
  weight: Tensor | null
  /** Targets of this class do not count. */
  ignoreIndex: number
  /** What becomes of the losses of all elements: 'mean', 'sum' or 'none'. */
  reduction: 'mean' | 'sum' | 'none'

  constructor(options?: NLLLossOptions)
  constructor(...args: readonly unknown[]) {
    super()
    const { weight, ignoreIndex, reduction } = takeArguments('NLLLoss', nllLossSignature, args)
    this.weight = this.registerBuffer('weight', weight)
    this.ignoreIndex = ignoreIndex
    this.reduction = reduction
  }

  forward(input: Tensor, target: Tensor): Tensor {
    return nllLoss(input, target, this.weight, this.ignoreIndex, this.reduction)
  }
}

/** Options of `KLDivLoss`. */
export interface KLDivLossOptions {
  /** 'batchmean': the sum divided by the batch, as the mathematics has it. Default 'mean'. */
  readonly reduction?: 'mean' | 'sum' | 'none' | 'batchmean' | undefined
  /** Whether the target is a logarithm too. Default false. */
  readonly logTarget?: boolean | undefined
}

const klDivSignature = signature(
  "*, reduction: 'mean' | 'sum' | 'none' | 'batchmean' = 'mean', logTarget: bool = false",
)

/** target · (ln target − input); the input is a logarithm. */
export class KLDivLoss extends Layer {
  /** What becomes of the losses of all elements: 'mean', 'sum' or 'none'. */
  reduction: 'mean' | 'sum' | 'none' | 'batchmean'
  /** Whether the target is a logarithm. */
  logTarget: boolean

  constructor(options?: KLDivLossOptions)
  constructor(...args: readonly unknown[]) {
    super()
    const { reduction, logTarget } = takeArguments('KLDivLoss', klDivSignature, args)
    this.reduction = reduction
    this.logTarget = logTarget
  }

  forward(input: Tensor, target: Tensor): Tensor {
    return klDiv(input, target, this.reduction, this.logTarget)
  }
}

/** Options of `BCELoss`. */
export interface BCELossOptions {
  /** A factor per class; a buffer. Default: none. */
  readonly weight?: Tensor | null | undefined
  /** Default 'mean'. */
  readonly reduction?: 'mean' | 'sum' | 'none' | undefined
}

const binaryCrossEntropySignature = signature(
  "*, weight: tensor | null = null, reduction: 'mean' | 'sum' | 'none' = 'mean'",
)

/** The binary cross entropy of probabilities. */
export class BCELoss extends Layer {
  /** What inputs are multiplied by. */
  weight: Tensor | null
  /** What becomes of the losses of all elements: 'mean', 'sum' or 'none'. */
  reduction: 'mean' | 'sum' | 'none'

  constructor(options?: BCELossOptions)
  constructor(...args: readonly unknown[]) {
    super()
    const { weight, reduction } = takeArguments('BCELoss', binaryCrossEntropySignature, args)
    this.weight = this.registerBuffer('weight', weight)
    this.reduction = reduction
  }

  forward(input: Tensor, target: Tensor): Tensor {
    return binaryCrossEntropy(input, target, this.weight, this.reduction)
  }
}

/** Options of `BCEWithLogitsLoss`. */
export interface BCEWithLogitsLossOptions {
  /** A factor per class; a buffer. Default: none. */
  readonly weight?: Tensor | null | undefined
  /** Default 'mean'. */
  readonly reduction?: 'mean' | 'sum' | 'none' | undefined
  /** A factor on targets of 1; a buffer. Default: none. */
  readonly posWeight?: Tensor | null | undefined
}

const binaryCrossEntropyWithLogitsSignature = signature(
  "*, weight: tensor | null = null, reduction: 'mean' | 'sum' | 'none' = 'mean', posWeight: tensor | null = null",
)

/** The binary cross entropy of logits. */
export class BCEWithLogitsLoss extends Layer {
  /** What inputs are multiplied by. */
  weight: Tensor | null
  /** What becomes of the losses of all elements: 'mean', 'sum' or 'none'. */
  reduction: 'mean' | 'sum' | 'none'
  /** A factor on targets of 1. */
  posWeight: Tensor | null

  constructor(options?: BCEWithLogitsLossOptions)
  constructor(...args: readonly unknown[]) {
    super()
    const { weight, reduction, posWeight } = takeArguments(
      'BCEWithLogitsLoss',
      binaryCrossEntropyWithLogitsSignature,
      args,
    )
    this.weight = this.registerBuffer('weight', weight)
    this.reduction = reduction
    this.posWeight = this.registerBuffer('posWeight', posWeight)
  }

  forward(input: Tensor, target: Tensor): Tensor {
    return binaryCrossEntropyWithLogits(input, target, this.weight, this.reduction, this.posWeight)
  }
}

/** Options of `PoissonNLLLoss`. */
export interface PoissonNLLLossOptions {
  /** Whether the input is the logarithm of the expected count. Default true. */
  readonly logInput?: boolean | undefined
  /** Whether Stirling's formula for ln target! is added. Default false. */
  readonly full?: boolean | undefined
  /** Added before a logarithm. Default 1e-8. */
  readonly eps?: number | undefined
  /** Default 'mean'. */
  readonly reduction?: 'mean' | 'sum' | 'none' | undefined
}

const poissonNllLossSignature = signature(
  "*, logInput: bool = true, full: bool = false, eps: number = 1e-8, reduction: 'mean' | 'sum' | 'none' = 'mean'",
)

/** The negative logarithm of the probability of counts. */
export class PoissonNLLLoss extends Layer {
  /** Whether the input is a logarithm. */
  logInput: boolean
  /** Whether the constant term is added. */
  full: boolean
  /** A small number that keeps divisions finite. */
  eps: number
  /** What becomes of the losses of all elements: 'mean', 'sum' or 'none'. */
  reduction: 'mean' | 'sum' | 'none'

  constructor(options?: PoissonNLLLossOptions)
  constructor(...args: readonly unknown[]) {
    super()
    const { logInput, full, eps, reduction } = takeArguments('PoissonNLLLoss', poissonNllLossSignature, args)
    this.logInput = logInput
    this.full = full
    this.eps = eps
    this.reduction = reduction
  }

  forward(input: Tensor, target: Tensor): Tensor {
    return poissonNllLoss(input, target, this.logInput, this.full, this.eps, this.reduction)
  }
}

/** Options of `GaussianNLLLoss`. */
export interface GaussianNLLLossOptions {
  /** Whether the constant ln 2π / 2 is added. Default false. */
  readonly full?: boolean | undefined
  /** The least variance. Default 1e-6. */
  readonly eps?: number | undefined
  /** Default 'mean'. */
  readonly reduction?: 'mean' | 'sum' | 'none' | undefined
}

const gaussianNllLossSignature = signature(
  "*, full: bool = false, eps: number = 1e-6, reduction: 'mean' | 'sum' | 'none' = 'mean'",
)

/** The negative logarithm of the density of normal distributions. */
export class GaussianNLLLoss extends Layer {
  /** Whether the constant term is added. */
  full: boolean
  /** A small number that keeps divisions finite. */
  eps: number
  /** What becomes of the losses of all elements: 'mean', 'sum' or 'none'. */
  reduction: 'mean' | 'sum' | 'none'

  constructor(options?: GaussianNLLLossOptions)
  constructor(...args: readonly unknown[]) {
    super()
    const { full, eps, reduction } = takeArguments('GaussianNLLLoss', gaussianNllLossSignature, args)
    this.full = full
    this.eps = eps
    this.reduction = reduction
  }

  /** Of `input` (means), `target` and `variance`, of one shape. */
  forward(input: Tensor, target: Tensor, variance: Tensor): Tensor {
    return gaussianNllLoss(input, target, variance, this.full, this.eps, this.reduction)
  }
}

/** Options of `HingeEmbeddingLoss`. */
export interface HingeEmbeddingLossOptions {
  /** The distance beyond which unlike pairs cost nothing. Default 1. */
  readonly margin?: number | undefined
  /** Default 'mean'. */
  readonly reduction?: 'mean' | 'sum' | 'none' | undefined
}

const hingeEmbeddingLossSignature = signature("*, margin: number = 1, reduction: 'mean' | 'sum' | 'none' = 'mean'")

/** input where the target is 1, max(0, margin − input) where it is −1. */
export class HingeEmbeddingLoss extends Layer {
  /** How far apart things should be. */
  margin: number
  /** What becomes of the losses of all elements: 'mean', 'sum' or 'none'. */
  reduction: 'mean' | 'sum' | 'none'

  constructor(options?: HingeEmbeddingLossOptions)
  constructor(...args: readonly unknown[]) {
    super()
    const { margin, reduction } = takeArguments('HingeEmbeddingLoss', hingeEmbeddingLossSignature, args)
    this.margin = margin
    this.reduction = reduction
  }

  forward(input: Tensor, target: Tensor): Tensor {
    return hingeEmbeddingLoss(input, target, this.margin, this.reduction)
  }
}

/** Options of `SoftMarginLoss`. */
export interface SoftMarginLossOptions {
  /** Default 'mean'. */
  readonly reduction?: 'mean' | 'sum' | 'none' | undefined
}

const softMarginLossSignature = signature("*, reduction: 'mean' | 'sum' | 'none' = 'mean'")

/** ln(1 + e^(−target · input)); targets 1 and −1. */
export class SoftMarginLoss extends Layer {
  /** What becomes of the losses of all elements: 'mean', 'sum' or 'none'. */
  reduction: 'mean' | 'sum' | 'none'

  constructor(options?: SoftMarginLossOptions)
  constructor(...args: readonly unknown[]) {
    super()
    const { reduction } = takeArguments('SoftMarginLoss', softMarginLossSignature, args)
    this.reduction = reduction
  }

  forward(input: Tensor, target: Tensor): Tensor {
    return softMarginLoss(input, target, this.reduction)
  }
}

/** Options of `MultiLabelMarginLoss`. */
export interface MultiLabelMarginLossOptions {
  /** Default 'mean'. */
  readonly reduction?: 'mean' | 'sum' | 'none' | undefined
}

const multilabelMarginLossSignature = signature("*, reduction: 'mean' | 'sum' | 'none' = 'mean'")

/** max(0, 1 − (input at a target − input elsewhere)) over all pairs; targets end with −1. */
export class MultiLabelMarginLoss extends Layer {
  /** What becomes of the losses of all elements: 'mean', 'sum' or 'none'. */
  reduction: 'mean' | 'sum' | 'none'

  constructor(options?: MultiLabelMarginLossOptions)
  constructor(...args: readonly unknown[]) {
    super()
    const { reduction } = takeArguments('MultiLabelMarginLoss', multilabelMarginLossSignature, args)
    this.reduction = reduction
  }

  forward(input: Tensor, target: Tensor): Tensor {
    return multilabelMarginLoss(input, target, this.reduction)
  }
}

/** Options of `MultiLabelSoftMarginLoss`. */
export interface MultiLabelSoftMarginLossOptions {
  /** A factor per class; a buffer. Default: none. */
  readonly weight?: Tensor | null | undefined
  /** Default 'mean'. */
  readonly reduction?: 'mean' | 'sum' | 'none' | undefined
}

const multilabelSoftMarginLossSignature = signature(
  "*, weight: tensor | null = null, reduction: 'mean' | 'sum' | 'none' = 'mean'",
)

/** The mean binary cross entropy of logits over the classes. */
export class MultiLabelSoftMarginLoss extends Layer {
  /** What inputs are multiplied by. */
  weight: Tensor | null
  /** What becomes of the losses of all elements: 'mean', 'sum' or 'none'. */
  reduction: 'mean' | 'sum' | 'none'

  constructor(options?: MultiLabelSoftMarginLossOptions)
  constructor(...args: readonly unknown[]) {
    super()
    const { weight, reduction } = takeArguments('MultiLabelSoftMarginLoss', multilabelSoftMarginLossSignature, args)
    this.weight = this.registerBuffer('weight', weight)
    this.reduction = reduction
  }

  forward(input: Tensor, target: Tensor): Tensor {
    return multilabelSoftMarginLoss(input, target, this.weight, this.reduction)
  }
}

/** Options of `MultiMarginLoss`. */
export interface MultiMarginLossOptions {
  /** 1 or 2: the power. Default 1. */
  readonly p?: number | undefined
  /** By how much the target should be ahead. Default 1. */
  readonly margin?: number | undefined
  /** A factor per class; a buffer. Default: none. */
  readonly weight?: Tensor | null | undefined
  /** Default 'mean'. */
  readonly reduction?: 'mean' | 'sum' | 'none' | undefined
}

const multiMarginLossSignature = signature(
  "*, p: number = 1, margin: number = 1, weight: tensor | null = null, reduction: 'mean' | 'sum' | 'none' = 'mean'",
)

/** max(0, margin − input at the target + input elsewhere)ᵖ. */
export class MultiMarginLoss extends Layer {
  /** The probability of 0, or the power of a norm. */
  p: number
  /** How far apart things should be. */
  margin: number
  /** What inputs are multiplied by. */
  weight: Tensor | null
  /** What becomes of the losses of all elements: 'mean', 'sum' or 'none'. */
  reduction: 'mean' | 'sum' | 'none'

  constructor(options?: MultiMarginLossOptions)
  constructor(...args: readonly unknown[]) {
    super()
    const { p, margin, weight, reduction } = takeArguments('MultiMarginLoss', multiMarginLossSignature, args)
    this.p = p
    this.margin = margin
    this.weight = this.registerBuffer('weight', weight)
    this.reduction = reduction
  }

  forward(input: Tensor, target: Tensor): Tensor {
    return multiMarginLoss(input, target, this.p, this.margin, this.weight, this.reduction)
  }
}

/** Options of `MarginRankingLoss`. */
export interface MarginRankingLossOptions {
  /** By how much one should be larger. Default 0. */
  readonly margin?: number | undefined
  /** Default 'mean'. */
  readonly reduction?: 'mean' | 'sum' | 'none' | undefined
}

const marginRankingLossSignature = signature("*, margin: number = 0, reduction: 'mean' | 'sum' | 'none' = 'mean'")

/** max(0, −target · (input1 − input2) + margin); target 1 where input1 should be the larger, else −1. */
export class MarginRankingLoss extends Layer {
  /** How far apart things should be. */
  margin: number
  /** What becomes of the losses of all elements: 'mean', 'sum' or 'none'. */
  reduction: 'mean' | 'sum' | 'none'

  constructor(options?: MarginRankingLossOptions)
  constructor(...args: readonly unknown[]) {
    super()
    const { margin, reduction } = takeArguments('MarginRankingLoss', marginRankingLossSignature, args)
    this.margin = margin
    this.reduction = reduction
  }

  /** Of `input1` and `input2`, by `target`: 1 or −1 for each. */
  forward(input1: Tensor, input2: Tensor, target: Tensor): Tensor {
    return marginRankingLoss(input1, input2, target, this.margin, this.reduction)
  }
}

/** Options of `CosineEmbeddingLoss`. */
export interface CosineEmbeddingLossOptions {
  /** The similarity that unlike pairs may have. Default 0. */
  readonly margin?: number | undefined
  /** Default 'mean'. */
  readonly reduction?: 'mean' | 'sum' | 'none' | undefined
}

const cosineEmbeddingLossSignature = signature("*, margin: number = 0, reduction: 'mean' | 'sum' | 'none' = 'mean'")

/** 1 − cos where the target is 1, max(0, cos − margin) where it is −1. */
export class CosineEmbeddingLoss extends Layer {
  /** How far apart things should be. */
  margin: number
  /** What becomes of the losses of all elements: 'mean', 'sum' or 'none'. */
  reduction: 'mean' | 'sum' | 'none'

  constructor(options?: CosineEmbeddingLossOptions)
  constructor(...args: readonly unknown[]) {
    super()
    const { margin, reduction } = takeArguments('CosineEmbeddingLoss', cosineEmbeddingLossSignature, args)
    this.margin = margin
    this.reduction = reduction
  }

  /** Of `input1` and `input2`, by `target`: 1 or −1 for each. */
  forward(input1: Tensor, input2: Tensor, target: Tensor): Tensor {
    return cosineEmbeddingLoss(input1, input2, target, this.margin, this.reduction)
  }
}

/** Options of `TripletMarginLoss`. */
export interface TripletMarginLossOptions {
  /** By how much the negative should be farther away. Default 1. */
  readonly margin?: number | undefined
  /** The power of the norm. Default 2. */
  readonly p?: number | undefined
  /** Added to differences. Default 1e-6. */
  readonly eps?: number | undefined
  /** Whether the distance of positive and negative counts if it is smaller. Default false. */
  readonly swap?: boolean | undefined
  /** Default 'mean'. */
  readonly reduction?: 'mean' | 'sum' | 'none' | undefined
}

const tripletMarginLossSignature = signature(
  "*, margin: number = 1, p: number = 2, eps: number = 1e-6, swap: bool = false, reduction: 'mean' | 'sum' | 'none' = 'mean'",
)

/** max(0, d(anchor, positive) − d(anchor, negative) + margin). */
export class TripletMarginLoss extends Layer {
  /** How far apart things should be. */
  margin: number
  /** The probability of 0, or the power of a norm. */
  p: number
  /** A small number that keeps divisions finite. */
  eps: number
  /** Whether the smaller of two distances counts. */
  swap: boolean
  /** What becomes of the losses of all elements: 'mean', 'sum' or 'none'. */
  reduction: 'mean' | 'sum' | 'none'

  constructor(options?: TripletMarginLossOptions)
  constructor(...args: readonly unknown[]) {
    super()
    const { margin, p, eps, swap, reduction } = takeArguments('TripletMarginLoss', tripletMarginLossSignature, args)
    this.margin = margin
    this.p = p
    this.eps = eps
    this.swap = swap
    this.reduction = reduction
  }

  /** Of `anchor`, `positive` and `negative`, [N, features]. */
  forward(anchor: Tensor, positive: Tensor, negative: Tensor): Tensor {
    return tripletMarginLoss(anchor, positive, negative, this.margin, this.p, this.eps, this.swap, this.reduction)
  }
}

/** Options of `CosineSimilarity`. */
export interface CosineSimilarityOptions {
  /** Default 1. */
  readonly dim?: number | undefined
  /** The least product of norms. Default 1e-8. */
  readonly eps?: number | undefined
}

const similaritySignature = signature('*, dim: dim = 1, eps: number = 1e-8')

/** The cosine of the angle between vectors along a dim. */
export class CosineSimilarity extends Layer {
  /** The dim along which it works. */
  readonly dim: number
  /** A small number that keeps divisions finite. */
  readonly eps: number

  constructor(options?: CosineSimilarityOptions)
  constructor(...args: readonly unknown[]) {
    super()
    const { dim, eps } = takeArguments('CosineSimilarity', similaritySignature, args)
    this.dim = dim
    this.eps = eps
  }

  /** Of `x1` and `x2`, which broadcast. */
  forward(x1: Tensor, x2: Tensor): Tensor {
    return cosineSimilarity(x1, x2, this.dim, this.eps)
  }
}

/** Options of `PairwiseDistance`. */
export interface PairwiseDistanceOptions {
  /** The power of the norm. Default 2. */
  readonly p?: number | undefined
  /** Added to differences. Default 1e-6. */
  readonly eps?: number | undefined
  /** Whether the last dim stays, with size 1. Default false. */
  readonly keepdim?: boolean | undefined
}

const distanceSignature = signature('*, p: number = 2, eps: number = 1e-6, keepdim: bool = false')

/** The norm of the difference along the last dim. */
export class PairwiseDistance extends Layer {
  /** The probability of 0, or the power of a norm. */
  readonly p: number
  /** A small number that keeps divisions finite. */
  readonly eps: number
  /** Whether the dim stays, with size 1. */
  readonly keepdim: boolean

  constructor(options?: PairwiseDistanceOptions)
  constructor(...args: readonly unknown[]) {
    super()
    const { p, eps, keepdim } = takeArguments('PairwiseDistance', distanceSignature, args)
    this.p = p
    this.eps = eps
    this.keepdim = keepdim
  }

  /** Of `x1` and `x2`, which broadcast. */
  forward(x1: Tensor, x2: Tensor): Tensor {
    return pairwiseDistance(x1, x2, this.p, this.eps, this.keepdim)
  }
}

const ctcSignature = signature(ctcOptionsText)

/** Connectionist temporal classification (CTC) loss; see `functional.ctcLoss`. */
export class CTCLoss extends Layer {
  /** The class that stands for no label. */
  readonly blank: number
  /** What becomes of the losses of all sequences: 'mean', 'sum' or 'none'. */
  readonly reduction: 'mean' | 'sum' | 'none'
  /** Whether sequences too short for their labels have the loss 0. */
  readonly zeroInfinity: boolean

  constructor(options?: CTCOptions)
  constructor(...args: readonly unknown[]) {
    super()
    const { blank, reduction, zeroInfinity } = takeArguments('CTCLoss', ctcSignature, args)
    this.blank = blank
    this.reduction = reduction
    this.zeroInfinity = zeroInfinity
  }

  /**
   * @param logProbs logarithms of probabilities (`logSoftmax`), [T, N, C] or [T, C]
   * @param targets labels, without blanks: integers [N, S], or those of all sequences in one dim
   * @param inputLengths how many of the T steps count, for each sequence
   * @param targetLengths how many labels count, for each sequence
   * @returns 0-d; with reduction 'none' [N]
   */
  forward(logProbs: Tensor, targets: Tensor, inputLengths: Lengths, targetLengths: Lengths): Tensor {
    const { blank, reduction, zeroInfinity } = this
    return ctcLoss(logProbs, targets, inputLengths, targetLengths, { blank, reduction, zeroInfinity })
  }
}

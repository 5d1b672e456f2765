/** Normalisation. */
import { ArgumentError, ShapeError } from '../base/errors.js'
import { signature, takeArguments } from '../tensor/arguments.js'
import { noGrad } from '../tensor/autograd/mode.js'
import { ones, zeros, zerosLike } from '../tensor/create.js'
import { batchNorm, groupNorm, instanceNorm, layerNorm, localResponseNorm, rmsNorm } from '../tensor/functions.js'
import type { Tensor } from '../tensor/tensor.js'
import { constant_, ones_, zeros_ } from './init.js'
import { Layer, type LayerOptions, newParameter, type Placed, placed, placement } from './layer.js'
import type { Parameter } from './parameter.js'

/** Options of `BatchNorm`. */
export interface BatchNormOptions extends LayerOptions {
  /** What is added to the variance. Default 1e-5. */
  readonly eps?: number | undefined
  /** The share of each batch in the running statistics; null: their average over all batches. Default 0.1. */
  readonly momentum?: number | null | undefined
  /** Whether it has a weight and a bias. Default true. */
  readonly affine?: boolean | undefined
  /** Whether it keeps running statistics, which it uses when it is not trained. Default true. */
  readonly trackRunningStats?: boolean | undefined
}

const batchSignature = signature(
  `numFeatures: positive, *, eps: number = 1e-5, momentum: number | null = 0.1, affine: bool = true, trackRunningStats: bool = true, ${placed}`,
)
const instanceSignature = signature(
  `numFeatures: positive, *, eps: number = 1e-5, momentum: number = 0.1, affine: bool = false, trackRunningStats: bool = false, ${placed}`,
)

/** Weight, bias and running statistics, one of each per channel. */
abstract class StatisticsNorm extends Layer {
  /** What inputs are multiplied by. */
  weight: Parameter | null
  /** What is added at last, if anything. */
  bias: Parameter | null
  /** How many channels. */
  readonly numFeatures: number
  /** A small number that keeps divisions finite. */
  eps: number
  /** The share of new statistics in the running ones; null: their average. */
  momentum: number | null
  /** Whether there is a weight and a bias. */
  readonly affine: boolean
  /** Whether there are running statistics. */
  readonly trackRunningStats: boolean
  /** [C]; in state dicts 'running_mean'. */
  runningMean: Tensor | null
  /** [C], by n − 1; in state dicts 'running_var'. */
  runningVar: Tensor | null
  /** Training calls so far, 0-d i64; in state dicts 'num_batches_tracked'. */
  numBatchesTracked: Tensor | null

  constructor(
    given: {
      readonly numFeatures: number
      readonly eps: number
      readonly momentum: number | null
      readonly affine: boolean
      readonly trackRunningStats: boolean
    } & Placed,
  ) {
    super()
    const { numFeatures, affine, trackRunningStats } = given
    const made = placement(given)
    this.weight = affine ? newParameter([numFeatures], given) : null
    this.bias = affine ? newParameter([numFeatures], given) : null
    this.numFeatures = numFeatures
    this.eps = given.eps
    this.momentum = given.momentum
    this.affine = affine
    this.trackRunningStats = trackRunningStats
    this.runningMean = this.registerBuffer('runningMean', trackRunningStats ? zeros([numFeatures], made) : null)
    this.runningVar = this.registerBuffer('runningVar', trackRunningStats ? ones([numFeatures], made) : null)
    this.numBatchesTracked = this.registerBuffer(
      'numBatchesTracked',
      trackRunningStats ? zeros([], { ...made, dtype: 'i64' }) : null,
    )
    this.resetParameters()
  }

  /** Running mean 0 and variance 1, of no batches. */
  resetRunningStats(): void {
    if (this.runningMean !== null) zeros_(this.runningMean)
    if (this.runningVar !== null) ones_(this.runningVar)
    if (this.numBatchesTracked !== null) constant_(this.numBatchesTracked, 0)
  }

  /** New initial values: weight 1, bias 0; the running statistics start over. */
  resetParameters(): void {
    this.resetRunningStats()
    if (this.weight !== null) ones_(this.weight)
    if (this.bias !== null) zeros_(this.bias)
  }

  protected checkDims(input: Tensor, allowed: readonly number[], shapes: string): void {
    if (allowed.includes(input.ndim)) return
    throw new ShapeError(`${this.constructor.name}: the input is ${input.describe()}`, { fix: `pass ${shapes}` })
  }
}

abstract class BatchNorm extends StatisticsNorm {
  constructor(name: string, args: readonly unknown[]) {
    super(takeArguments(name, batchSignature, args))
  }

  protected normalize(input: Tensor): Tensor {
    const { runningMean, runningVar, weight, bias, training, eps, momentum, numBatchesTracked } = this
    if (!training || runningMean === null || runningVar === null) {
      return batchNorm(input, runningMean, runningVar, weight, bias, training || runningMean === null, 0, eps)
    }
    if (numBatchesTracked !== null) noGrad(() => numBatchesTracked.add_(1))
    if (momentum !== null) return batchNorm(input, runningMean, runningVar, weight, bias, true, momentum, eps)
    const [mean, variance] = [zerosLike(runningMean), zerosLike(runningVar)]
    const result = batchNorm(input, mean, variance, weight, bias, true, 1, eps)
    noGrad(() => {
      for (const [running, batch] of [
        [runningMean, mean],
        [runningVar, variance],
      ] as const)
        running.add_(batch.sub(running).div(numBatchesTracked!))
    })
    return result
  }
}

/** Per channel of [N, C] or [N, C, L]: by the batch's mean and variance in training, by the running ones after `eval()`. */
export class BatchNorm1d extends BatchNorm {
  constructor(numFeatures: number, options?: BatchNormOptions)
  constructor(...args: readonly unknown[]) {
    super('BatchNorm1d', args)
  }

  forward(input: Tensor): Tensor {
    this.checkDims(input, [2, 3], '[N, C] or [N, C, L]')
    return this.normalize(input)
  }
}

/** As `BatchNorm1d`, for [N, C, H, W]. */
export class BatchNorm2d extends BatchNorm {
  constructor(numFeatures: number, options?: BatchNormOptions)
  constructor(...args: readonly unknown[]) {
    super('BatchNorm2d', args)
  }

  forward(input: Tensor): Tensor {
    this.checkDims(input, [4], '[N, C, H, W]')
    return this.normalize(input)
  }
}

/** As `BatchNorm1d`, for [N, C, D, H, W]. */
export class BatchNorm3d extends BatchNorm {
  constructor(numFeatures: number, options?: BatchNormOptions)
  constructor(...args: readonly unknown[]) {
    super('BatchNorm3d', args)
  }

  forward(input: Tensor): Tensor {
    this.checkDims(input, [5], '[N, C, D, H, W]')
    return this.normalize(input)
  }
}

/** Options of `InstanceNorm`. */
export interface InstanceNormOptions extends LayerOptions {
  /** What is added to the variance. Default 1e-5. */
  readonly eps?: number | undefined
  /** The share of each call in the running statistics. Default 0.1. */
  readonly momentum?: number | undefined
  /** Whether it has a weight and a bias. Default false. */
  readonly affine?: boolean | undefined
  /** Whether it keeps running statistics, which it uses when it is not trained. Default false. */
  readonly trackRunningStats?: boolean | undefined
}

abstract class InstanceNorm extends StatisticsNorm {
  constructor(name: string, args: readonly unknown[]) {
    super(takeArguments(name, instanceSignature, args))
  }

  /** `dims`: with a batch. */
  protected normalize(input: Tensor, dims: number): Tensor {
    const { runningMean, runningVar, weight, bias, training, eps, momentum } = this
    const batched = input.ndim === dims ? input : input.unsqueeze(0)
    const usesInput = training || runningMean === null
    const result = instanceNorm(batched, runningMean, runningVar, weight, bias, usesInput, momentum ?? 0, eps)
    return input.ndim === dims ? result : result.squeeze(0)
  }
}

/** Per channel and sample of [N, C, L], or without N. */
export class InstanceNorm1d extends InstanceNorm {
  constructor(numFeatures: number, options?: InstanceNormOptions)
  constructor(...args: readonly unknown[]) {
    super('InstanceNorm1d', args)
  }

  forward(input: Tensor): Tensor {
    this.checkDims(input, [2, 3], '[N, C, L] or [C, L]')
    return this.normalize(input, 3)
  }
}

/** Per channel and sample of [N, C, H, W], or without N. */
export class InstanceNorm2d extends InstanceNorm {
  constructor(numFeatures: number, options?: InstanceNormOptions)
  constructor(...args: readonly unknown[]) {
    super('InstanceNorm2d', args)
  }

  forward(input: Tensor): Tensor {
    this.checkDims(input, [3, 4], '[N, C, H, W] or [C, H, W]')
    return this.normalize(input, 4)
  }
}

/** Per channel and sample of [N, C, D, H, W], or without N. */
export class InstanceNorm3d extends InstanceNorm {
  constructor(numFeatures: number, options?: InstanceNormOptions)
  constructor(...args: readonly unknown[]) {
    super('InstanceNorm3d', args)
  }

  forward(input: Tensor): Tensor {
    this.checkDims(input, [4, 5], '[N, C, D, H, W] or [C, D, H, W]')
    return this.normalize(input, 5)
  }
}

/** Options of `LayerNorm`. */
export interface LayerNormOptions extends LayerOptions {
  /** What is added to the variance. Default 1e-5. */
  readonly eps?: number | undefined
  /** Whether it has a weight. Default true. */
  readonly elementwiseAffine?: boolean | undefined
  /** Whether it has a bias, if it has a weight. Default true. */
  readonly bias?: boolean | undefined
}

const layerSignature = signature(
  `normalizedShape: int | ints, *, eps: number = 1e-5, elementwiseAffine: bool = true, bias: bool = true, ${placed}`,
)

/** Normalises over the last dims, of the sizes `normalizedShape`. Weight 1 and bias 0 at first. */
export class LayerNorm extends Layer {
  /** What inputs are multiplied by. */
  weight: Parameter | null
  /** What is added at last, if anything. */
  bias: Parameter | null
  /** The sizes of the last dims, over which it normalises. */
  readonly normalizedShape: readonly number[]
  /** A small number that keeps divisions finite. */
  eps: number
  /** Whether there is a weight. */
  readonly elementwiseAffine: boolean

  constructor(normalizedShape: number | readonly number[], options?: LayerNormOptions)
  constructor(...args: readonly unknown[]) {
    super()
    const { normalizedShape, eps, elementwiseAffine, bias, ...where } = takeArguments('LayerNorm', layerSignature, args)
    const shape = typeof normalizedShape === 'number' ? [normalizedShape] : [...normalizedShape]
    this.normalizedShape = Object.freeze(shape)
    this.eps = eps
    this.elementwiseAffine = elementwiseAffine
    this.weight = elementwiseAffine ? newParameter(shape, where) : null
    this.bias = elementwiseAffine && bias ? newParameter(shape, where) : null
    this.resetParameters()
  }

  /** New initial values. */
  resetParameters(): void {
    if (this.weight !== null) ones_(this.weight)
    if (this.bias !== null) zeros_(this.bias)
  }

  forward(input: Tensor): Tensor {
    return layerNorm(input, this.normalizedShape, this.weight, this.bias, this.eps)
  }
}

/** Options of `RMSNorm`. */
export interface RMSNormOptions extends LayerOptions {
  /** What is added to the mean square; null: the smallest step of the dtype. Default null. */
  readonly eps?: number | null | undefined
  /** Whether it has a weight. Default true. */
  readonly elementwiseAffine?: boolean | undefined
}

const rmsSignature = signature(
  `normalizedShape: int | ints, *, eps: number | null = null, elementwiseAffine: bool = true, ${placed}`,
)

/** Divides by the root of the mean square over the last dims, of the sizes `normalizedShape`. Weight 1 at first. */
export class RMSNorm extends Layer {
  /** What inputs are multiplied by. */
  weight: Parameter | null
  /** The sizes of the last dims, over which it normalises. */
  readonly normalizedShape: readonly number[]
  /** A small number that keeps divisions finite. */
  eps: number | null
  /** Whether there is a weight. */
  readonly elementwiseAffine: boolean

  constructor(normalizedShape: number | readonly number[], options?: RMSNormOptions)
  constructor(...args: readonly unknown[]) {
    super()
    const { normalizedShape, eps, elementwiseAffine, ...where } = takeArguments('RMSNorm', rmsSignature, args)
    const shape = typeof normalizedShape === 'number' ? [normalizedShape] : [...normalizedShape]
    this.normalizedShape = Object.freeze(shape)
    this.eps = eps
    this.elementwiseAffine = elementwiseAffine
    this.weight = elementwiseAffine ? newParameter(shape, where) : null
    this.resetParameters()
  }

  /** New initial values. */
  resetParameters(): void {
    if (this.weight !== null) ones_(this.weight)
  }

  forward(input: Tensor): Tensor {
    return rmsNorm(input, this.normalizedShape, this.weight, this.eps)
  }
}

/** Options of `GroupNorm`. */
export interface GroupNormOptions extends LayerOptions {
  /** What is added to the variance. Default 1e-5. */
  readonly eps?: number | undefined
  /** Whether it has a weight and a bias. Default true. */
  readonly affine?: boolean | undefined
}

const groupSignature = signature(
  `numGroups: positive, numChannels: positive, *, eps: number = 1e-5, affine: bool = true, ${placed}`,
)

/** Normalises groups of channels of [N, C, …]. Weight 1 and bias 0 at first, one per channel. */
export class GroupNorm extends Layer {
  /** What inputs are multiplied by. */
  weight: Parameter | null
  /** What is added at last, if anything. */
  bias: Parameter | null
  /** How many groups of channels. */
  readonly numGroups: number
  /** How many channels. */
  readonly numChannels: number
  /** A small number that keeps divisions finite. */
  eps: number
  /** Whether there is a weight and a bias. */
  readonly affine: boolean

  constructor(numGroups: number, numChannels: number, options?: GroupNormOptions)
  constructor(...args: readonly unknown[]) {
    super()
    const { numGroups, numChannels, eps, affine, ...where } = takeArguments('GroupNorm', groupSignature, args)
    if (numChannels % numGroups !== 0) {
      throw new ArgumentError(`GroupNorm: ${numGroups} groups do not divide ${numChannels} channels`, {
        fix: 'use a divisor',
      })
    }
    this.numGroups = numGroups
    this.numChannels = numChannels
    this.eps = eps
    this.affine = affine
    this.weight = affine ? newParameter([numChannels], where) : null
    this.bias = affine ? newParameter([numChannels], where) : null
    this.resetParameters()
  }

  /** New initial values. */
  resetParameters(): void {
    if (this.weight !== null) ones_(this.weight)
    if (this.bias !== null) zeros_(this.bias)
  }

  forward(input: Tensor): Tensor {
    return groupNorm(input, this.numGroups, this.weight, this.bias, this.eps)
  }
}

/** Options of `LocalResponseNorm`. */
export interface LocalResponseNormOptions {
  /** Default 1e-4. */
  readonly alpha?: number | undefined
  /** Default 0.75. */
  readonly beta?: number | undefined
  /** Default 1. */
  readonly k?: number | undefined
}

const responseSignature = signature('size: positive, *, alpha: number = 1e-4, beta: number = 0.75, k: number = 1')

/** Divides by a power of the mean square of `size` neighbouring channels. */
export class LocalResponseNorm extends Layer {
  /** How many neighbours or which sizes. */
  readonly size: number
  /** The parameter α of the formula. */
  readonly alpha: number
  /** The parameter β of the formula. */
  readonly beta: number
  /** The summand of the formula. */
  readonly k: number

  constructor(size: number, options?: LocalResponseNormOptions)
  constructor(...args: readonly unknown[]) {
    super()
    const { size, alpha, beta, k } = takeArguments('LocalResponseNorm', responseSignature, args)
    this.size = size
    this.alpha = alpha
    this.beta = beta
    this.k = k
  }

  forward(input: Tensor): Tensor {
    return localResponseNorm(input, this.size, this.alpha, this.beta, this.k)
  }
}

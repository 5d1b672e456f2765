/** Dropout: what is set to 0 at random while a module is trained. */
import { ArgumentError } from '../base/errors.js'
import { signature, takeArguments } from '../tensor/arguments.js'
import { ones, onesLike } from '../tensor/create.js'
import { where } from '../tensor/functions.js'
import { dropout } from '../tensor/sampling.js'
import type { Tensor } from '../tensor/tensor.js'
import { Layer } from './layer.js'

/** Options of `DropoutLayer`. */
export interface DropoutLayerOptions {
  /** The probability of 0. Default 0.5. */
  readonly p?: number | undefined
  /** Whether results are written into the input, which then no longer holds what it did. Default false. */
  readonly inplace?: boolean | undefined
}

const dropoutSignature = signature('p: number = 0.5, inplace: bool = false')

abstract class DropoutLayer extends Layer {
  /** The probability of 0, or the power of a norm. */
  p: number
  /** Whether results are written into the input. */
  readonly inplace: boolean

  constructor(name: string, args: readonly unknown[]) {
    super()
    const { p, inplace } = takeArguments(name, dropoutSignature, args)
    if (!(p >= 0 && p <= 1)) throw new ArgumentError(`${name}: p is ${p}`, { fix: 'use a probability, 0 to 1' })
    this.p = p
    this.inplace = inplace
  }

  protected abstract dropped(input: Tensor): Tensor

  forward(input: Tensor): Tensor {
    if (!this.training || this.p === 0) return input
    const result = this.dropped(input)
    return this.inplace ? input.copy_(result) : result
  }

  protected override hidden(): readonly string[] {
    return this.inplace ? [] : ['inplace']
  }
}

/** Elements are 0 with probability p, the others divided by 1 − p; after `eval()` the input as it is. */
export class Dropout extends DropoutLayer {
  constructor(p?: number | DropoutLayerOptions, inplace?: boolean | Omit<DropoutLayerOptions, 'p'>)
  constructor(...args: readonly unknown[]) {
    super('Dropout', args)
  }

  protected dropped(input: Tensor): Tensor {
    return dropout(input, this.p)
  }
}

/** 1 / (1 − p) or 0 per channel, of a shape that broadcasts to the input; `spatial`: dims after the channels. */
const channelMask = (input: Tensor, p: number, spatial: number): Tensor => {
  const kept = Array.from({ length: input.ndim }, (_, d) => (d < input.ndim - spatial ? input.dim(d) : 1))
  return dropout(ones(kept, { dtype: input.dtype, device: input.device }), p)
}

abstract class ChannelDropout extends DropoutLayer {
  /** Dims after the channels. */
  protected abstract readonly spatial: number

  protected dropped(input: Tensor): Tensor {
    return input.mul(channelMask(input, this.p, this.spatial))
  }
}

/** Whole channels of [N, C, L] or [C, L] are 0. */
export class Dropout1d extends ChannelDropout {
  constructor(p?: number | DropoutLayerOptions, inplace?: boolean | Omit<DropoutLayerOptions, 'p'>)
  constructor(...args: readonly unknown[]) {
    super('Dropout1d', args)
  }

  protected get spatial(): number {
    return 1
  }
}

/** Whole channels of [N, C, H, W] or [C, H, W] are 0. */
export class Dropout2d extends ChannelDropout {
  constructor(p?: number | DropoutLayerOptions, inplace?: boolean | Omit<DropoutLayerOptions, 'p'>)
  constructor(...args: readonly unknown[]) {
    super('Dropout2d', args)
  }

  protected get spatial(): number {
    return 2
  }
}

/** Whole channels of [N, C, D, H, W] or [C, D, H, W] are 0. */
export class Dropout3d extends ChannelDropout {
  constructor(p?: number | DropoutLayerOptions, inplace?: boolean | Omit<DropoutLayerOptions, 'p'>)
  constructor(...args: readonly unknown[]) {
    super('Dropout3d', args)
  }

  protected get spatial(): number {
    return 3
  }
}

/** SELU's limit for large negative inputs: −λ · α. */
const saturation = -1.7580993408473766

/**
 * Keeps mean and variance of inputs of mean 0 and variance 1 that a SELU gave: dropped elements get SELU's saturation, and
 * the result is scaled and shifted. Klambauer et al., arXiv:1706.02515.
 */
export class AlphaDropout extends DropoutLayer {
  constructor(p?: number | DropoutLayerOptions, inplace?: boolean | Omit<DropoutLayerOptions, 'p'>)
  constructor(...args: readonly unknown[]) {
    super('AlphaDropout', args)
  }

  protected dropped(input: Tensor): Tensor {
    return saturated(input, dropout(onesLike(input), this.p), this.p)
  }
}

/** `AlphaDropout` of whole channels, of [N, C, …]. */
export class FeatureAlphaDropout extends DropoutLayer {
  constructor(p?: number | DropoutLayerOptions, inplace?: boolean | Omit<DropoutLayerOptions, 'p'>)
  constructor(...args: readonly unknown[]) {
    super('FeatureAlphaDropout', args)
  }

  protected dropped(input: Tensor): Tensor {
    return saturated(input, channelMask(input, this.p, input.ndim - 2), this.p)
  }
}

/** `mask`: 0 where an element is dropped. */
function saturated(input: Tensor, mask: Tensor, p: number): Tensor {
  if (p === 1) return input.mul(0)
  const scale = 1 / Math.sqrt((1 - p) * (1 + p * saturation ** 2))
  return where(mask.gt(0), input, saturation)
    .mul(scale)
    .sub(scale * p * saturation)
}

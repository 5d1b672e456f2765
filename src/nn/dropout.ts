/** Dropout: what is set to 0 at random while a module is trained. */
import { ArgumentError } from '../base/errors.js'
import { signature, takeArguments } from '../tensor/arguments.js'
import { dropout } from '../tensor/sampling.js'
import type { Tensor } from '../tensor/tensor.js'
import { alphaDropout, dropout1d, dropout2d, dropout3d, featureAlphaDropout } from './dropout-functions.js'
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

/** Whole channels of [N, C, L] or [C, L] are 0. */
export class Dropout1d extends DropoutLayer {
  constructor(p?: number | DropoutLayerOptions, inplace?: boolean | Omit<DropoutLayerOptions, 'p'>)
  constructor(...args: readonly unknown[]) {
    super('Dropout1d', args)
  }

  protected dropped(input: Tensor): Tensor {
    return dropout1d(input, this.p)
  }
}

/** Whole channels of [N, C, H, W], or as in PyTorch [N, C, L], are 0. */
export class Dropout2d extends DropoutLayer {
  constructor(p?: number | DropoutLayerOptions, inplace?: boolean | Omit<DropoutLayerOptions, 'p'>)
  constructor(...args: readonly unknown[]) {
    super('Dropout2d', args)
  }

  protected dropped(input: Tensor): Tensor {
    return dropout2d(input, this.p)
  }
}

/** Whole channels of [N, C, D, H, W] or [C, D, H, W] are 0. */
export class Dropout3d extends DropoutLayer {
  constructor(p?: number | DropoutLayerOptions, inplace?: boolean | Omit<DropoutLayerOptions, 'p'>)
  constructor(...args: readonly unknown[]) {
    super('Dropout3d', args)
  }

  protected dropped(input: Tensor): Tensor {
    return dropout3d(input, this.p)
  }
}

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
    return alphaDropout(input, this.p, true)
  }
}

/** `AlphaDropout` of whole channels, of [N, C, …]. */
export class FeatureAlphaDropout extends DropoutLayer {
  constructor(p?: number | DropoutLayerOptions, inplace?: boolean | Omit<DropoutLayerOptions, 'p'>)
  constructor(...args: readonly unknown[]) {
    super('FeatureAlphaDropout', args)
  }

  protected dropped(input: Tensor): Tensor {
    return featureAlphaDropout(input, this.p, true)
  }
}

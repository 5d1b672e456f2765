/** Activations. Those that are functions of the element alone keep the shape and the dtype. */
import { ArgumentError } from '../base/errors.js'
import { signature, takeArguments } from '../tensor/arguments.js'
import { randLike } from '../tensor/create.js'
import {
  celu,
  elu,
  gelu,
  glu,
  hardshrink,
  hardsigmoid,
  hardswish,
  hardtanh,
  leakyRelu,
  logSigmoid,
  logSoftmax,
  mish,
  prelu,
  relu,
  relu6,
  selu,
  sigmoid,
  silu,
  softmax,
  softmin,
  softplus,
  softshrink,
  softsign,
  tanh,
  tanhshrink,
  threshold,
  where,
} from '../tensor/functions.js'
import type { Tensor } from '../tensor/tensor.js'
import { constant_ } from './init.js'
import { Layer, type LayerOptions, newParameter, placed } from './layer.js'
import type { Parameter } from './parameter.js'

const none = signature('')

/** A layer without settings. */
abstract class PlainActivation extends Layer {
  constructor(...args: readonly unknown[]) {
    super()
    takeArguments(new.target.name, none, args)
  }

  abstract override forward(input: Tensor): Tensor
}

/** Options of activations that can write into their input. */
export interface InplaceOptions {
  /** Whether results are written into the input, which then no longer holds what it did. Default false. */
  readonly inplace?: boolean | undefined
}

const inplaceText = 'inplace: bool = false'
const inplaceSignature = signature(inplaceText)

/** An activation that can write into its input. */
abstract class InplaceActivation extends Layer {
  /** Whether results are written into the input. */
  readonly inplace: boolean

  constructor(inplace: boolean) {
    super()
    this.inplace = inplace
  }

  protected abstract activated(input: Tensor): Tensor

  forward(input: Tensor): Tensor {
    const result = this.activated(input)
    return this.inplace ? input.copy_(result) : result
  }

  protected override hidden(): readonly string[] {
    return this.inplace ? [] : ['inplace']
  }
}

/** One without other settings. */
abstract class PlainInplaceActivation extends InplaceActivation {
  constructor(inplace?: boolean | InplaceOptions)
  constructor(...args: readonly unknown[]) {
    super(takeArguments(new.target.name, inplaceSignature, args).inplace)
  }
}

/** max(x, 0). */
export class ReLU extends PlainInplaceActivation {
  protected activated(input: Tensor): Tensor {
    return relu(input)
  }
}

/** x clamped to [0, 6]. */
export class ReLU6 extends PlainInplaceActivation {
  protected activated(input: Tensor): Tensor {
    return relu6(input)
  }
}

/** λ · (x, or α · (eˣ − 1) below 0). Klambauer et al., arXiv:1706.02515. */
export class SELU extends PlainInplaceActivation {
  protected activated(input: Tensor): Tensor {
    return selu(input)
  }
}

/** 1 / (1 + e⁻ˣ). */
export class Sigmoid extends PlainActivation {
  forward(input: Tensor): Tensor {
    return sigmoid(input)
  }
}

/** ln(1 / (1 + e⁻ˣ)). */
export class LogSigmoid extends PlainActivation {
  forward(input: Tensor): Tensor {
    return logSigmoid(input)
  }
}

/** x · σ(x). */
export class SiLU extends PlainInplaceActivation {
  protected activated(input: Tensor): Tensor {
    return silu(input)
  }
}

/** x · tanh(ln(1 + eˣ)). */
export class Mish extends PlainInplaceActivation {
  protected activated(input: Tensor): Tensor {
    return mish(input)
  }
}

/** min(max(x + 3, 0), 6) / 6. */
export class Hardsigmoid extends PlainInplaceActivation {
  protected activated(input: Tensor): Tensor {
    return hardsigmoid(input)
  }
}

/** x · hardsigmoid(x). */
export class Hardswish extends PlainInplaceActivation {
  protected activated(input: Tensor): Tensor {
    return hardswish(input)
  }
}

/** x / (1 + |x|). */
export class Softsign extends PlainActivation {
  forward(input: Tensor): Tensor {
    return softsign(input)
  }
}

/** tanh x. */
export class Tanh extends PlainActivation {
  forward(input: Tensor): Tensor {
    return tanh(input)
  }
}

/** x − tanh x. */
export class Tanhshrink extends PlainActivation {
  forward(input: Tensor): Tensor {
    return tanhshrink(input)
  }
}

/** Options of `ELU`. */
export interface ELUOptions extends InplaceOptions {
  /** What large negative inputs go to is −alpha. Default 1. */
  readonly alpha?: number | undefined
}

const eluSignature = signature(`alpha: number = 1, ${inplaceText}` as const)

/** x, or alpha · (eˣ − 1) below 0. */
export class ELU extends InplaceActivation {
  /** The parameter α of the formula. */
  alpha: number

  constructor(alpha?: number | ELUOptions, inplace?: boolean | InplaceOptions)
  constructor(...args: readonly unknown[]) {
    const { alpha, inplace } = takeArguments('ELU', eluSignature, args)
    super(inplace)
    this.alpha = alpha
  }

  protected activated(input: Tensor): Tensor {
    return elu(input, this.alpha)
  }
}

/** Options of `CELU`. */
export interface CELUOptions extends InplaceOptions {
  /** Default 1. */
  readonly alpha?: number | undefined
}

const celuSignature = signature(`alpha: number = 1, ${inplaceText}` as const)

/** max(x, 0) + min(alpha · (e^(x / alpha) − 1), 0). */
export class CELU extends InplaceActivation {
  /** The parameter α of the formula. */
  alpha: number

  constructor(alpha?: number | CELUOptions, inplace?: boolean | InplaceOptions)
  constructor(...args: readonly unknown[]) {
    const { alpha, inplace } = takeArguments('CELU', celuSignature, args)
    super(inplace)
    this.alpha = alpha
  }

  protected activated(input: Tensor): Tensor {
    return celu(input, this.alpha)
  }
}

/** Options of `LeakyReLU`. */
export interface LeakyReLUOptions extends InplaceOptions {
  /** The slope below 0. Default 0.01. */
  readonly negativeSlope?: number | undefined
}

const leakyReluSignature = signature(`negativeSlope: number = 0.01, ${inplaceText}` as const)

/** x, or negativeSlope · x below 0. */
export class LeakyReLU extends InplaceActivation {
  /** The slope below 0. */
  negativeSlope: number

  constructor(negativeSlope?: number | LeakyReLUOptions, inplace?: boolean | InplaceOptions)
  constructor(...args: readonly unknown[]) {
    const { negativeSlope, inplace } = takeArguments('LeakyReLU', leakyReluSignature, args)
    super(inplace)
    this.negativeSlope = negativeSlope
  }

  protected activated(input: Tensor): Tensor {
    return leakyRelu(input, this.negativeSlope)
  }
}

/** Options of `Hardshrink`. */
export interface HardshrinkOptions {
  /** How far from 0 the input must be. Default 0.5. */
  readonly lambd?: number | undefined
}

const hardshrinkSignature = signature('lambd: number = 0.5')

/** x where |x| > lambd, else 0. */
export class Hardshrink extends Layer {
  /** The threshold λ of the formula. */
  lambd: number

  constructor(lambd?: number | HardshrinkOptions)
  constructor(...args: readonly unknown[]) {
    super()
    const { lambd } = takeArguments('Hardshrink', hardshrinkSignature, args)
    this.lambd = lambd
  }

  forward(input: Tensor): Tensor {
    return hardshrink(input, this.lambd)
  }
}

/** Options of `Softshrink`. */
export interface SoftshrinkOptions {
  /** By how much inputs come nearer to 0. Default 0.5. */
  readonly lambd?: number | undefined
}

const softshrinkSignature = signature('lambd: number = 0.5')

/** x moved towards 0 by lambd. */
export class Softshrink extends Layer {
  /** The threshold λ of the formula. */
  lambd: number

  constructor(lambd?: number | SoftshrinkOptions)
  constructor(...args: readonly unknown[]) {
    super()
    const { lambd } = takeArguments('Softshrink', softshrinkSignature, args)
    this.lambd = lambd
  }

  forward(input: Tensor): Tensor {
    return softshrink(input, this.lambd)
  }
}

/** Options of `Hardtanh`. */
export interface HardtanhOptions extends InplaceOptions {
  /** Default −1. */
  readonly minVal?: number | undefined
  /** Default 1. */
  readonly maxVal?: number | undefined
}

const hardtanhSignature = signature(`minVal: number = -1, maxVal: number = 1, ${inplaceText}` as const)

/** x clamped to [minVal, maxVal]. */
export class Hardtanh extends InplaceActivation {
  /** The lower limit. */
  minVal: number
  /** The upper limit. */
  maxVal: number

  constructor(options?: HardtanhOptions)
  constructor(minVal: number, maxVal?: number | HardtanhOptions, inplace?: boolean | InplaceOptions)
  constructor(...args: readonly unknown[]) {
    const { minVal, maxVal, inplace } = takeArguments('Hardtanh', hardtanhSignature, args)
    super(inplace)
    this.minVal = minVal
    this.maxVal = maxVal
  }

  protected activated(input: Tensor): Tensor {
    return hardtanh(input, this.minVal, this.maxVal)
  }
}

/** Options of `Softplus`. */
export interface SoftplusOptions {
  /** Default 1. */
  readonly beta?: number | undefined
  /** Where beta · x is larger, the result is x. Default 20. */
  readonly threshold?: number | undefined
}

const softplusSignature = signature('*, beta: number = 1, threshold: number = 20')

/** ln(1 + e^(beta · x)) / beta. */
export class Softplus extends Layer {
  /** The parameter β of the formula. */
  beta: number
  /** Where the formula changes. */
  threshold: number

  constructor(options?: SoftplusOptions)
  constructor(...args: readonly unknown[]) {
    super()
    const { beta, threshold } = takeArguments('Softplus', softplusSignature, args)
    this.beta = beta
    this.threshold = threshold
  }

  forward(input: Tensor): Tensor {
    return softplus(input, this.beta, this.threshold)
  }
}

/** Options of `GLU`. */
export interface GLUOptions {
  /** Default −1. */
  readonly dim?: number | undefined
}

const gluSignature = signature('dim: dim = -1')

/** a · σ(b) of the halves a and b along a dim. */
export class GLU extends Layer {
  /** The dim along which it works. */
  dim: number

  constructor(dim?: number | GLUOptions)
  constructor(...args: readonly unknown[]) {
    super()
    const { dim } = takeArguments('GLU', gluSignature, args)
    this.dim = dim
  }

  forward(input: Tensor): Tensor {
    return glu(input, this.dim)
  }
}

/** Options of `GELU`. */
export interface GELUOptions {
  /** 'tanh': by an approximation. Default 'none'. */
  readonly approximate?: 'none' | 'tanh' | undefined
}

const geluSignature = signature("*, approximate: 'none' | 'tanh' = 'none'")

/** x · Φ(x), with the distribution function Φ of the normal distribution. */
export class GELU extends Layer {
  /** 'none', or 'tanh' for an approximation. */
  readonly approximate: 'none' | 'tanh'

  constructor(options?: GELUOptions)
  constructor(...args: readonly unknown[]) {
    super()
    this.approximate = takeArguments('GELU', geluSignature, args).approximate
  }

  forward(input: Tensor): Tensor {
    return gelu(input, { approximate: this.approximate })
  }
}

const thresholdSignature = signature(`threshold: number, value: number, ${inplaceText}` as const)

/** x where it is greater than `threshold`, else `value`. */
export class Threshold extends InplaceActivation {
  /** Where the formula changes. */
  readonly threshold: number
  /** What is put in. */
  readonly value: number

  constructor(threshold: number, value: number, inplace?: boolean | InplaceOptions)
  constructor(...args: readonly unknown[]) {
    const given = takeArguments('Threshold', thresholdSignature, args)
    super(given.inplace)
    this.threshold = given.threshold
    this.value = given.value
  }

  protected activated(input: Tensor): Tensor {
    return threshold(input, this.threshold, this.value)
  }
}

/** Options of `PReLU`. */
export interface PReLUOptions extends LayerOptions {
  /** 1, or a slope for each channel (dim 1). Default 1. */
  readonly numParameters?: number | undefined
  /** The slopes at first. Default 0.25. */
  readonly init?: number | undefined
}

const preluSignature = signature(`*, numParameters: positive = 1, init: number = 0.25, ${placed}`)

/** x, or weight · x below 0. */
export class PReLU extends Layer {
  /** What inputs are multiplied by. */
  weight: Parameter
  /** The slopes at first. */
  readonly init: number

  constructor(options?: PReLUOptions)
  constructor(...args: readonly unknown[]) {
    super()
    const { numParameters, init, ...where } = takeArguments('PReLU', preluSignature, args)
    this.init = init
    this.weight = newParameter([numParameters], where)
    this.resetParameters()
  }

  /** New initial values. */
  resetParameters(): void {
    constant_(this.weight, this.init)
  }

  forward(input: Tensor): Tensor {
    return prelu(input, this.weight)
  }

  override extraRepr(): string {
    return `numParameters=${this.weight.numel()}`
  }
}

/** Options of `RReLU`. */
export interface RReLUOptions extends InplaceOptions {
  /** Default 1/8. */
  readonly lower?: number | undefined
  /** Default 1/3. */
  readonly upper?: number | undefined
}

const rreluSignature = signature(`lower: number = 0.125, upper: number = 0.3333333333333333, ${inplaceText}` as const)

/** x, or below 0 x times a slope: uniform in [lower, upper] for each element in training, else their mean. */
export class RReLU extends InplaceActivation {
  /** The least slope. */
  readonly lower: number
  /** The largest slope. */
  readonly upper: number

  constructor(options?: RReLUOptions)
  constructor(lower: number, upper?: number | RReLUOptions, inplace?: boolean | InplaceOptions)
  constructor(...args: readonly unknown[]) {
    const { lower, upper, inplace } = takeArguments('RReLU', rreluSignature, args)
    super(inplace)
    if (lower > upper) throw new ArgumentError(`RReLU: lower ${lower} is above upper ${upper}`, { fix: 'swap them' })
    this.lower = lower
    this.upper = upper
  }

  protected activated(input: Tensor): Tensor {
    const { lower, upper } = this
    if (!this.training) return leakyRelu(input, (lower + upper) / 2)
    const slope = randLike(input)
      .mul(upper - lower)
      .add(lower)
    return where(input.ge(0), input, input.mul(slope))
  }
}

const dimSignature = signature('dim: dim')

abstract class AlongDim extends Layer {
  /** The dim along which it works. */
  readonly dim: number

  constructor(dim: number | { readonly dim: number })
  constructor(...args: readonly unknown[]) {
    super()
    this.dim = takeArguments(new.target.name, dimSignature, args).dim
  }
}

/** eˣ / Σ eˣ along a dim. */
export class Softmax extends AlongDim {
  forward(input: Tensor): Tensor {
    return softmax(input, this.dim)
  }
}

/** e⁻ˣ / Σ e⁻ˣ along a dim. */
export class Softmin extends AlongDim {
  forward(input: Tensor): Tensor {
    return softmin(input, this.dim)
  }
}

/** x − ln Σ eˣ along a dim. */
export class LogSoftmax extends AlongDim {
  forward(input: Tensor): Tensor {
    return logSoftmax(input, this.dim)
  }
}

/** The softmax over the channels of [N, C, H, W], or without N. */
export class Softmax2d extends PlainActivation {
  forward(input: Tensor): Tensor {
    return softmax(input, -3)
  }
}

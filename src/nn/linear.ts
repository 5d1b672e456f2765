/** Linear maps, and changes of shape. */
import { ArgumentError } from '../base/errors.js'
import { signature, takeArguments } from '../tensor/arguments.js'
import { bilinear, flatten, linear, unflatten } from '../tensor/functions.js'
import type { Tensor } from '../tensor/tensor.js'
import { uniform_ } from './init.js'
import { Layer, type LayerOptions, newParameter, placed } from './layer.js'
import type { Parameter } from './parameter.js'

/** Options of `Linear`. */
export interface LinearOptions extends LayerOptions {
  /** Whether a bias is added. Default true. */
  readonly bias?: boolean | undefined
}

const linearSignature = signature(`inFeatures: count, outFeatures: count, *, bias: bool = true, ${placed}`)

/**
 * x · weightᵀ + bias over the last dim: [*, inFeatures] → [*, outFeatures]. Weight [outFeatures, inFeatures] and bias start
 * uniform in ±1 / √inFeatures.
 */
export class Linear extends Layer {
  /** What inputs are multiplied by. */
  weight: Parameter
  /** What is added at last, if anything. */
  bias: Parameter | null
  /** Features of the input. */
  readonly inFeatures: number
  /** Features of the result. */
  readonly outFeatures: number

  constructor(inFeatures: number, outFeatures: number, options?: LinearOptions)
  constructor(...args: readonly unknown[]) {
    super()
    const { inFeatures, outFeatures, bias, ...where } = takeArguments('Linear', linearSignature, args)
    this.inFeatures = inFeatures
    this.outFeatures = outFeatures
    this.weight = newParameter([outFeatures, inFeatures], where)
    this.bias = bias ? newParameter([outFeatures], where) : null
    this.resetParameters()
  }

  /** New initial values. */
  resetParameters(): void {
    const bound = this.inFeatures > 0 ? 1 / Math.sqrt(this.inFeatures) : 0
    uniform_(this.weight, -bound, bound)
    if (this.bias !== null) uniform_(this.bias, -bound, bound)
  }

  forward(input: Tensor): Tensor {
    return linear(input, this.weight, this.bias)
  }

  override extraRepr(): string {
    return `${super.extraRepr()}, bias=${this.bias !== null}`
  }
}

const bilinearSignature = signature(
  `in1Features: positive, in2Features: positive, outFeatures: positive, *, bias: bool = true, ${placed}`,
)

/**
 * x1ᵀ · W · x2 + bias for each output: [*, in1Features], [*, in2Features] → [*, outFeatures]. Weight [outFeatures,
 * in1Features, in2Features] and bias start uniform in ±1 / √in1Features.
 */
export class Bilinear extends Layer {
  /** What inputs are multiplied by. */
  weight: Parameter
  /** What is added at last, if anything. */
  bias: Parameter | null
  /** Features of the first input. */
  readonly in1Features: number
  /** Features of the second input. */
  readonly in2Features: number
  /** Features of the result. */
  readonly outFeatures: number

  constructor(in1Features: number, in2Features: number, outFeatures: number, options?: LinearOptions)
  constructor(...args: readonly unknown[]) {
    super()
    const { in1Features, in2Features, outFeatures, bias, ...where } = takeArguments('Bilinear', bilinearSignature, args)
    this.in1Features = in1Features
    this.in2Features = in2Features
    this.outFeatures = outFeatures
    this.weight = newParameter([outFeatures, in1Features, in2Features], where)
    this.bias = bias ? newParameter([outFeatures], where) : null
    this.resetParameters()
  }

  /** New initial values. */
  resetParameters(): void {
    const bound = 1 / Math.sqrt(this.in1Features)
    uniform_(this.weight, -bound, bound)
    if (this.bias !== null) uniform_(this.bias, -bound, bound)
  }

  /** Of `input1` [*, in1Features] and `input2` [*, in2Features]. */
  forward(input1: Tensor, input2: Tensor): Tensor {
    return bilinear(input1, input2, this.weight, this.bias)
  }

  override extraRepr(): string {
    return `${super.extraRepr()}, bias=${this.bias !== null}`
  }
}

/** Its input, as it is: a place for another layer. Arguments are ignored, as in PyTorch. */
export class Identity extends Layer {
  constructor(..._args: readonly unknown[]) {
    super()
  }

  forward(input: Tensor): Tensor {
    return input
  }
}

const flattenSignature = signature('*, startDim: dim = 1, endDim: dim = -1')

/** Options of `Flatten`. */
export interface FlattenOptions {
  /** Default 1: the batch stays. */
  readonly startDim?: number | undefined
  /** Default −1. */
  readonly endDim?: number | undefined
}

/** Dims startDim … endDim as one. */
export class Flatten extends Layer {
  /** The first dim that is joined. */
  readonly startDim: number
  /** The last dim that is joined. */
  readonly endDim: number

  constructor(options?: FlattenOptions)
  constructor(...args: readonly unknown[]) {
    super()
    const { startDim, endDim } = takeArguments('Flatten', flattenSignature, args)
    this.startDim = startDim
    this.endDim = endDim
  }

  forward(input: Tensor): Tensor {
    return flatten(input, this.startDim, this.endDim)
  }
}

const unflattenSignature = signature('dim: dim, unflattenedSize: ints')

/** The dim `dim` as several of the sizes `unflattenedSize`, of which one may be −1. */
export class Unflatten extends Layer {
  /** The dim along which it works. */
  readonly dim: number
  /** The sizes that the dim becomes. */
  readonly unflattenedSize: readonly number[]

  constructor(dim: number, unflattenedSize: readonly number[])
  constructor(...args: readonly unknown[]) {
    super()
    const { dim, unflattenedSize } = takeArguments('Unflatten', unflattenSignature, args)
    if (unflattenedSize.length === 0) throw new ArgumentError('Unflatten: no sizes', { fix: 'give at least one' })
    this.dim = dim
    this.unflattenedSize = Object.freeze([...unflattenedSize])
  }

  forward(input: Tensor): Tensor {
    return unflatten(input, this.dim, this.unflattenedSize)
  }
}

/** Convolutions and transposed convolutions over one to three spatial dims. */
import { ArgumentError, ShapeError } from '../base/errors.js'
import { signature, takeArguments } from '../tensor/arguments.js'
import { conv1d, conv2d, conv3d, convTranspose1d, convTranspose2d, convTranspose3d, pad } from '../tensor/functions.js'
import type { Tensor } from '../tensor/tensor.js'
import { fansOf, uniform_ } from './init.js'
import { Layer, type LayerOptions, newParameter, type PerDim, perDim, placed } from './layer.js'
import type { Parameter } from './parameter.js'

/** What the padding of a convolution holds. */
export type ConvPaddingMode = 'zeros' | 'reflect' | 'replicate' | 'circular'

/** Options of `Conv`. */
export interface ConvOptions extends LayerOptions {
  /** Default 1. */
  readonly stride?: PerDim | undefined
  /** Elements added on both sides of each spatial dim, or 'same' (with stride 1: the size stays), 'valid' (none). Default 0. */
  readonly padding?: PerDim | 'same' | 'valid' | undefined
  /** Default 1. */
  readonly dilation?: PerDim | undefined
  /** Channels are in so many groups, each with outputs of its own. Default 1. */
  readonly groups?: number | undefined
  /** Default true. */
  readonly bias?: boolean | undefined
  /** What the padding holds. Default 'zeros'. */
  readonly paddingMode?: ConvPaddingMode | undefined
}

/** Options of `ConvTranspose`. */
export interface ConvTransposeOptions extends LayerOptions {
  /** Of the convolution that this is the transpose of. Default 1. */
  readonly stride?: PerDim | undefined
  /** Elements cut off on both sides of the result. Default 0. */
  readonly padding?: PerDim | undefined
  /** Elements added at the end of each dim of the result. Default 0. */
  readonly outputPadding?: PerDim | undefined
  /** Default 1. */
  readonly dilation?: PerDim | undefined
  /** Default 1. */
  readonly groups?: number | undefined
  /** Default true. */
  readonly bias?: boolean | undefined
}

/** What follows the size of the kernel: options, after a stride and a padding by position if wanted. */
export type ConvArguments =
  | [options?: ConvOptions]
  | [stride: PerDim, options?: ConvOptions]
  | [stride: PerDim, padding: PerDim | 'same' | 'valid', options?: ConvOptions]

/** As `ConvArguments`, of transposed convolutions. */
export type ConvTransposeArguments =
  | [options?: ConvTransposeOptions]
  | [stride: PerDim, options?: ConvTransposeOptions]
  | [stride: PerDim, padding: PerDim, options?: ConvTransposeOptions]

const convSignature = signature(
  `inChannels: positive, outChannels: positive, kernelSize: int | ints, stride: int | ints = 1, padding: int | ints | 'same' | 'valid' = 0, *, dilation: int | ints = 1, groups: positive = 1, bias: bool = true, paddingMode: 'zeros' | 'reflect' | 'replicate' | 'circular' = 'zeros', ${placed}`,
)

const transposeSignature = signature(
  `inChannels: positive, outChannels: positive, kernelSize: int | ints, stride: int | ints = 1, padding: int | ints = 0, *, outputPadding: int | ints = 0, dilation: int | ints = 1, groups: positive = 1, bias: bool = true, ${placed}`,
)

/** Weight and bias start uniform in ±1 / √fanIn, as in PyTorch. */
function resetConv(weight: Tensor, bias: Tensor | null): void {
  const { fanIn } = fansOf('conv', weight)
  const bound = fanIn > 0 ? 1 / Math.sqrt(fanIn) : 0
  uniform_(weight, -bound, bound)
  if (bias !== null) uniform_(bias, -bound, bound)
}

function requireGroups(layer: string, inChannels: number, outChannels: number, groups: number): void {
  if (inChannels % groups === 0 && outChannels % groups === 0) return
  throw new ArgumentError(`${layer}: ${groups} groups do not divide ${inChannels} and ${outChannels} channels`, {
    fix: 'use a divisor of both',
  })
}

const without = (value: readonly number[], usual: number): boolean => value.every(each => each === usual)

abstract class ConvolutionLayer extends Layer {
  /** What inputs are multiplied by. */
  weight: Parameter
  /** What is added at last, if anything. */
  bias: Parameter | null
  /** Channels of the input. */
  readonly inChannels: number
  /** Channels of the result. */
  readonly outChannels: number
  /** The size of a window, per dim. */
  readonly kernelSize: readonly number[]
  /** The distance between window starts, per dim. */
  readonly stride: readonly number[]
  /** What is added at the edges, per side or dim. */
  readonly padding: readonly number[] | 'same' | 'valid'
  /** The distance between the elements of a window, per dim. */
  readonly dilation: readonly number[]
  /** How many groups of channels are apart. */
  readonly groups: number

  /** `isTransposed`: the weight is [inChannels, outChannels / groups, …]. */
  constructor(
    name: string,
    dims: number,
    isTransposed: boolean,
    given: {
      readonly inChannels: number
      readonly outChannels: number
      readonly kernelSize: PerDim
      readonly stride: PerDim
      readonly padding: PerDim | 'same' | 'valid'
      readonly dilation: PerDim
      readonly groups: number
      readonly bias: boolean
    } & Parameters<typeof newParameter>[1],
  ) {
    super()
    const { inChannels, outChannels, groups, padding } = given
    requireGroups(name, inChannels, outChannels, groups)
    this.inChannels = inChannels
    this.outChannels = outChannels
    this.kernelSize = perDim(name, 'kernelSize', given.kernelSize, dims)
    this.stride = perDim(name, 'stride', given.stride, dims)
    this.padding = typeof padding === 'string' ? padding : perDim(name, 'padding', padding, dims)
    this.dilation = perDim(name, 'dilation', given.dilation, dims)
    this.groups = groups
    const channels = isTransposed ? [inChannels, outChannels / groups] : [outChannels, inChannels / groups]
    this.weight = newParameter([...channels, ...this.kernelSize], given)
    this.bias = given.bias ? newParameter([outChannels], given) : null
    this.resetParameters()
  }

  /** New initial values. */
  resetParameters(): void {
    resetConv(this.weight, this.bias)
  }

  protected override hidden(): readonly string[] {
    return [
      ...(typeof this.padding !== 'string' && without(this.padding, 0) ? ['padding'] : []),
      ...(without(this.dilation, 1) ? ['dilation'] : []),
      ...(this.groups === 1 ? ['groups'] : []),
    ]
  }

  override extraRepr(): string {
    return `${super.extraRepr()}${this.bias === null ? ', bias=false' : ''}`
  }
}

abstract class Convolution extends ConvolutionLayer {
  /** What the padding holds. */
  readonly paddingMode: ConvPaddingMode

  constructor(name: string, dims: number, args: readonly unknown[]) {
    const given = takeArguments(name, convSignature, args)
    super(name, dims, false, given)
    this.paddingMode = given.paddingMode
    if (this.padding === 'same' && !without(this.stride, 1)) {
      throw new ArgumentError(`${name}: padding 'same' with stride [${this.stride.join(', ')}]`, {
        fix: "'same' needs stride 1: give the padding as numbers",
      })
    }
  }

  /** The input with its padding, and what remains for the convolution to pad. */
  protected padded(input: Tensor): readonly [Tensor, readonly number[] | 'same' | 'valid'] {
    if (this.paddingMode === 'zeros') return [input, this.padding]
    const sides = this.kernelSize.map((size, dim): readonly [number, number] => {
      if (this.padding === 'valid') return [0, 0]
      if (this.padding !== 'same') return [this.padding[dim]!, this.padding[dim]!]
      const total = this.dilation[dim]! * (size - 1)
      return [Math.floor(total / 2), total - Math.floor(total / 2)]
    })
    return [pad(input, sides.toReversed().flat(), this.paddingMode), this.kernelSize.map(() => 0)]
  }

  protected override hidden(): readonly string[] {
    return [...super.hidden(), ...(this.paddingMode === 'zeros' ? ['paddingMode'] : [])]
  }
}

/** A convolution of [N, C, L], or without N. Weight [O, C / groups, k] and bias start uniform in ±1 / √fanIn. */
export class Conv1d extends Convolution {
  constructor(inChannels: number, outChannels: number, kernelSize: PerDim, ...rest: ConvArguments)
  constructor(...args: readonly unknown[]) {
    super('Conv1d', 1, args)
  }

  forward(input: Tensor): Tensor {
    const [padded, padding] = this.padded(input)
    return conv1d(padded, this.weight, this.bias, this.stride, padding, this.dilation, this.groups)
  }
}

/** A convolution of [N, C, H, W], or without N. Weight [O, C / groups, kH, kW] and bias start uniform in ±1 / √fanIn. */
export class Conv2d extends Convolution {
  constructor(inChannels: number, outChannels: number, kernelSize: PerDim, ...rest: ConvArguments)
  constructor(...args: readonly unknown[]) {
    super('Conv2d', 2, args)
  }

  forward(input: Tensor): Tensor {
    const [padded, padding] = this.padded(input)
    return conv2d(padded, this.weight, this.bias, this.stride, padding, this.dilation, this.groups)
  }
}

/** A convolution of [N, C, D, H, W], or without N. Weight [O, C / groups, kD, kH, kW]; it starts as `Conv2d`. */
export class Conv3d extends Convolution {
  constructor(inChannels: number, outChannels: number, kernelSize: PerDim, ...rest: ConvArguments)
  constructor(...args: readonly unknown[]) {
    super('Conv3d', 3, args)
  }

  forward(input: Tensor): Tensor {
    const [padded, padding] = this.padded(input)
    return conv3d(padded, this.weight, this.bias, this.stride, padding, this.dilation, this.groups)
  }
}

abstract class TransposedConvolution extends ConvolutionLayer {
  /** What is added at the edges, per side or dim. */
  declare readonly padding: readonly number[]
  /** What is added at the end of each dim. */
  readonly outputPadding: readonly number[]

  constructor(name: string, dims: number, args: readonly unknown[]) {
    const given = takeArguments(name, transposeSignature, args)
    super(name, dims, true, given)
    this.outputPadding = perDim(name, 'outputPadding', given.outputPadding, dims)
  }

  /** The output padding that gives the spatial sizes `outputSize`. Throws ShapeError where none does. */
  protected paddingFor(input: Tensor, outputSize: readonly number[] | undefined): readonly number[] {
    if (outputSize === undefined) return this.outputPadding
    const dims = this.kernelSize.length
    const wanted = outputSize.slice(-dims)
    const sizes = input.shape.slice(-dims)
    const least = this.kernelSize.map(
      (kernel, d) => (sizes[d]! - 1) * this.stride[d]! - 2 * this.padding[d]! + this.dilation[d]! * (kernel - 1) + 1,
    )
    const missing = least.map((size, d) => (wanted[d] ?? Number.NaN) - size)
    if (missing.every((size, d) => size >= 0 && size < Math.max(this.stride[d]!, this.dilation[d]!))) return missing
    throw new ShapeError(`${this.constructor.name}: no output of size [${outputSize.join(', ')}]`, {
      fix: `sizes from [${least.join(', ')}] up, by less than the stride`,
    })
  }

  protected override hidden(): readonly string[] {
    return [...super.hidden(), ...(without(this.outputPadding, 0) ? ['outputPadding'] : [])]
  }
}

/** The transpose of `Conv1d`: [N, C, L], or without N. Weight [C, O / groups, k]. */
export class ConvTranspose1d extends TransposedConvolution {
  constructor(inChannels: number, outChannels: number, kernelSize: PerDim, ...rest: ConvTransposeArguments)
  constructor(...args: readonly unknown[]) {
    super('ConvTranspose1d', 1, args)
  }

  /** Of `input`; `outputSize`: the spatial sizes of the result, where several are possible; default: by `outputPadding`. */
  forward(input: Tensor, outputSize?: readonly number[]): Tensor {
    const { weight, bias, stride, padding, groups, dilation } = this
    return convTranspose1d(input, weight, bias, stride, padding, this.paddingFor(input, outputSize), groups, dilation)
  }
}

/** The transpose of `Conv2d`: [N, C, H, W], or without N. Weight [C, O / groups, kH, kW]. */
export class ConvTranspose2d extends TransposedConvolution {
  constructor(inChannels: number, outChannels: number, kernelSize: PerDim, ...rest: ConvTransposeArguments)
  constructor(...args: readonly unknown[]) {
    super('ConvTranspose2d', 2, args)
  }

  /** Of `input`; `outputSize`: the spatial sizes of the result, where several are possible; default: by `outputPadding`. */
  forward(input: Tensor, outputSize?: readonly number[]): Tensor {
    const { weight, bias, stride, padding, groups, dilation } = this
    return convTranspose2d(input, weight, bias, stride, padding, this.paddingFor(input, outputSize), groups, dilation)
  }
}

/** The transpose of `Conv3d`: [N, C, D, H, W], or without N. Weight [C, O / groups, kD, kH, kW]. */
export class ConvTranspose3d extends TransposedConvolution {
  constructor(inChannels: number, outChannels: number, kernelSize: PerDim, ...rest: ConvTransposeArguments)
  constructor(...args: readonly unknown[]) {
    super('ConvTranspose3d', 3, args)
  }

  /** Of `input`; `outputSize`: the spatial sizes of the result, where several are possible; default: by `outputPadding`. */
  forward(input: Tensor, outputSize?: readonly number[]): Tensor {
    const { weight, bias, stride, padding, groups, dilation } = this
    return convTranspose3d(input, weight, bias, stride, padding, this.paddingFor(input, outputSize), groups, dilation)
  }
}

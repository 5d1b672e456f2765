/** Layers that rearrange or resize images, and patches of them. */
import { signature, takeArguments } from '../tensor/arguments.js'
import { channelShuffle, fold, im2col, interpolate, pixelShuffle, pixelUnshuffle } from '../tensor/functions.js'
import type { Tensor } from '../tensor/tensor.js'
import { Layer, type PerDim } from './layer.js'
import type { UpsampleMode } from './upsample.js'

const shuffleSignature = signature('upscaleFactor: positive')
const unshuffleSignature = signature('downscaleFactor: positive')
const channelSignature = signature('groups: positive')

/** […, C · r², H, W] as […, C, H · r, W · r]. */
export class PixelShuffle extends Layer {
  /** How many rows and columns become of one. */
  readonly upscaleFactor: number

  constructor(upscaleFactor: number)
  constructor(...args: readonly unknown[]) {
    super()
    this.upscaleFactor = takeArguments('PixelShuffle', shuffleSignature, args).upscaleFactor
  }

  forward(input: Tensor): Tensor {
    return pixelShuffle(input, this.upscaleFactor)
  }
}

/** […, C, H · r, W · r] as […, C · r², H, W]. */
export class PixelUnshuffle extends Layer {
  /** How many rows and columns become one. */
  readonly downscaleFactor: number

  constructor(downscaleFactor: number)
  constructor(...args: readonly unknown[]) {
    super()
    this.downscaleFactor = takeArguments('PixelUnshuffle', unshuffleSignature, args).downscaleFactor
  }

  forward(input: Tensor): Tensor {
    return pixelUnshuffle(input, this.downscaleFactor)
  }
}

/** Channels (dim 1) in `groups`, one of each group in turn. */
export class ChannelShuffle extends Layer {
  /** How many groups of channels are apart. */
  readonly groups: number

  constructor(groups: number)
  constructor(...args: readonly unknown[]) {
    super()
    this.groups = takeArguments('ChannelShuffle', channelSignature, args).groups
  }

  forward(input: Tensor): Tensor {
    return channelShuffle(input, this.groups)
  }
}

/** Options of `UpsampleLayer`. */
export interface UpsampleLayerOptions {
  /** The spatial sizes of the result. Either this or `scaleFactor`. */
  readonly size?: PerDim | null | undefined
  /** What the spatial sizes are multiplied by. */
  readonly scaleFactor?: PerDim | null | undefined
  /** Default 'nearest'. */
  readonly mode?: UpsampleMode | undefined
  /** Whether the corners' centres stay in place. Default null: false. */
  readonly alignCorners?: boolean | null | undefined
}

const upsampleSignature = signature(
  "*, size: int | ints | null = null, scaleFactor: number | numbers | null = null, mode: 'nearest' | 'linear' | 'bilinear' | 'trilinear' | 'bicubic' = 'nearest', alignCorners: bool | null = null",
)

/** Resizes the spatial dims of [N, C, …]: see `functional.interpolate`. */
export class Upsample extends Layer {
  /** How many neighbours or which sizes. */
  readonly size: PerDim | null
  /** What sizes are multiplied by. */
  readonly scaleFactor: PerDim | null
  /** How it works: see the options. */
  readonly mode: UpsampleMode
  /** Whether the centres of the corners stay in place. */
  readonly alignCorners: boolean | null

  constructor(options: UpsampleLayerOptions)
  constructor(...args: readonly unknown[]) {
    super()
    const { size, scaleFactor, mode, alignCorners } = takeArguments('Upsample', upsampleSignature, args)
    this.size = size
    this.scaleFactor = scaleFactor
    this.mode = mode
    this.alignCorners = alignCorners
  }

  forward(input: Tensor): Tensor {
    const { size, scaleFactor, mode, alignCorners } = this
    return interpolate(input, { size, scaleFactor, mode, alignCorners })
  }
}

/** Options of `Unfold`. */
export interface UnfoldOptions {
  /** Default 1. */
  readonly dilation?: PerDim | undefined
  /** Default 0. */
  readonly padding?: PerDim | undefined
  /** Default 1. */
  readonly stride?: PerDim | undefined
}

const window = 'dilation: int | ints = 1, padding: int | ints = 0, stride: int | ints = 1'
const unfoldSignature = signature(`kernelSize: int | ints, *, ${window}` as const)
const foldSignature = signature(`outputSize: int | ints, kernelSize: int | ints, *, ${window}` as const)

/** The windows of [N, C, H, W] as columns: [N, C · kH · kW, windows]. */
export class Unfold extends Layer {
  /** The size of a window, per dim. */
  readonly kernelSize: PerDim
  /** The distance between the elements of a window, per dim. */
  readonly dilation: PerDim
  /** What is added at the edges, per side or dim. */
  readonly padding: PerDim
  /** The distance between window starts, per dim. */
  readonly stride: PerDim

  constructor(kernelSize: PerDim, options?: UnfoldOptions)
  constructor(...args: readonly unknown[]) {
    super()
    const given = takeArguments('Unfold', unfoldSignature, args)
    this.kernelSize = given.kernelSize
    this.dilation = given.dilation
    this.padding = given.padding
    this.stride = given.stride
  }

  forward(input: Tensor): Tensor {
    return im2col(input, this.kernelSize, this.dilation, this.padding, this.stride)
  }
}

/** The sums of windows that `Unfold` gave, at their places: [N, C, …outputSize]. */
export class Fold extends Layer {
  /** The spatial sizes of the result. */
  readonly outputSize: PerDim
  /** The size of a window, per dim. */
  readonly kernelSize: PerDim
  /** The distance between the elements of a window, per dim. */
  readonly dilation: PerDim
  /** What is added at the edges, per side or dim. */
  readonly padding: PerDim
  /** The distance between window starts, per dim. */
  readonly stride: PerDim

  constructor(outputSize: PerDim, kernelSize: PerDim, options?: UnfoldOptions)
  constructor(...args: readonly unknown[]) {
    super()
    const given = takeArguments('Fold', foldSignature, args)
    this.outputSize = given.outputSize
    this.kernelSize = given.kernelSize
    this.dilation = given.dilation
    this.padding = given.padding
    this.stride = given.stride
  }

  forward(input: Tensor): Tensor {
    return fold(input, this.outputSize, this.kernelSize, this.dilation, this.padding, this.stride)
  }
}

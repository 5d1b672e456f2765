/** Pooling. */
import { ArgumentError } from '../base/errors.js'
import { signature, takeArguments } from '../tensor/arguments.js'
import {
  adaptiveAvgPool1d,
  adaptiveAvgPool2d,
  adaptiveAvgPool3d,
  adaptiveMaxPool1d,
  adaptiveMaxPool2d,
  adaptiveMaxPool3d,
  avgPool1d,
  avgPool2d,
  avgPool3d,
  lpPool1d,
  lpPool2d,
  lpPool3d,
  maxPool1d,
  maxPool2d,
  maxPool3d,
  maxUnpool1d,
  maxUnpool2d,
  maxUnpool3d,
} from '../tensor/functions.js'
import type { Tensor } from '../tensor/tensor.js'
import { Layer, type PerDim, perDim } from './layer.js'

/** Options of `MaxPool`. */
export interface MaxPoolOptions {
  /** Default: the kernel's size. */
  readonly stride?: PerDim | null | undefined
  /** −∞ added on both sides. Default 0. */
  readonly padding?: PerDim | undefined
  /** Default 1. */
  readonly dilation?: PerDim | undefined
  /** Whether windows that reach over the end count. Default false. */
  readonly ceilMode?: boolean | undefined
}

/** Options of `AvgPool`. */
export interface AvgPoolOptions {
  /** Default: the kernel's size. */
  readonly stride?: PerDim | null | undefined
  /** Zeros added on both sides. Default 0. */
  readonly padding?: PerDim | undefined
  /** Whether windows that reach over the end count. Default false. */
  readonly ceilMode?: boolean | undefined
  /** Whether the padding counts in the mean. Default true. */
  readonly countIncludePad?: boolean | undefined
  /** What sums are divided by; null: the number of elements. Not for one dim. Default null. */
  readonly divisorOverride?: number | null | undefined
}

/** Options of `LPPool`. */
export interface LPPoolOptions {
  /** Default: the kernel's size. */
  readonly stride?: PerDim | null | undefined
  /** Whether windows that reach over the end count. Default false. */
  readonly ceilMode?: boolean | undefined
}

/** Options of `MaxUnpool`. */
export interface MaxUnpoolOptions {
  /** Default: the kernel's size. */
  readonly stride?: PerDim | null | undefined
  /** Default 0. */
  readonly padding?: PerDim | undefined
}

/** What follows the size of a window: options, after a stride by position if wanted. */
export type StridedArguments<O> = [options?: O] | [stride: PerDim | null, options?: O]

/** What follows the size of a window: options, after a stride and a padding by position if wanted. */
export type PoolArguments<O> = StridedArguments<O> | [stride: PerDim | null, padding: PerDim, options?: O]

const maxSignature = signature(
  'kernelSize: int | ints, stride: int | ints | null = null, padding: int | ints = 0, *, dilation: int | ints = 1, ceilMode: bool = false',
)
const avgSignature = signature(
  'kernelSize: int | ints, stride: int | ints | null = null, padding: int | ints = 0, *, ceilMode: bool = false, countIncludePad: bool = true, divisorOverride: number | null = null',
)
const lpSignature = signature(
  'normType: number, kernelSize: int | ints, stride: int | ints | null = null, *, ceilMode: bool = false',
)
const unpoolSignature = signature('kernelSize: int | ints, stride: int | ints | null = null, padding: int | ints = 0')
const adaptiveSignature = signature('outputSize: int | intsOrNull')

abstract class Pool extends Layer {
  /** The size of a window, per dim. */
  readonly kernelSize: readonly number[]
  /** The distance between window starts, per dim. */
  readonly stride: readonly number[]

  constructor(name: string, dims: number, kernelSize: PerDim, stride: PerDim | null) {
    super()
    this.kernelSize = perDim(name, 'kernelSize', kernelSize, dims)
    this.stride = perDim(name, 'stride', stride ?? kernelSize, dims)
  }
}

abstract class MaxPool extends Pool {
  /** What is added at the edges, per side or dim. */
  readonly padding: readonly number[]
  /** The distance between the elements of a window, per dim. */
  readonly dilation: readonly number[]
  /** Whether windows that reach over the end count. */
  readonly ceilMode: boolean

  constructor(name: string, dims: number, args: readonly unknown[]) {
    const { kernelSize, stride, padding, dilation, ceilMode } = takeArguments(name, maxSignature, args)
    super(name, dims, kernelSize, stride)
    this.padding = perDim(name, 'padding', padding, dims)
    this.dilation = perDim(name, 'dilation', dilation, dims)
    this.ceilMode = ceilMode
  }
}

abstract class AvgPool extends Pool {
  /** What is added at the edges, per side or dim. */
  readonly padding: readonly number[]
  /** Whether windows that reach over the end count. */
  readonly ceilMode: boolean
  /** Whether padding counts in the mean. */
  readonly countIncludePad: boolean
  /** What sums are divided by; null: the number of elements. */
  readonly divisorOverride: number | null

  constructor(name: string, dims: number, args: readonly unknown[]) {
    const given = takeArguments(name, avgSignature, args)
    super(name, dims, given.kernelSize, given.stride)
    this.padding = perDim(name, 'padding', given.padding, dims)
    this.ceilMode = given.ceilMode
    this.countIncludePad = given.countIncludePad
    this.divisorOverride = given.divisorOverride
    if (dims > 1 || given.divisorOverride === null) return
    throw new ArgumentError(`${name}: divisorOverride is for two and three dims`, { fix: 'multiply the result' })
  }
}

abstract class LPPool extends Pool {
  /** The power of the norm. */
  readonly normType: number
  /** Whether windows that reach over the end count. */
  readonly ceilMode: boolean

  constructor(name: string, dims: number, args: readonly unknown[]) {
    const { normType, kernelSize, stride, ceilMode } = takeArguments(name, lpSignature, args)
    super(name, dims, kernelSize, stride)
    this.normType = normType
    this.ceilMode = ceilMode
  }
}

abstract class MaxUnpool extends Pool {
  /** What is added at the edges, per side or dim. */
  readonly padding: readonly number[]

  constructor(name: string, dims: number, args: readonly unknown[]) {
    const { kernelSize, stride, padding } = takeArguments(name, unpoolSignature, args)
    super(name, dims, kernelSize, stride)
    this.padding = perDim(name, 'padding', padding, dims)
  }
}

abstract class AdaptivePool extends Layer {
  /** The spatial sizes of the result. */
  readonly outputSize: number | readonly (number | null)[]

  constructor(name: string, args: readonly unknown[]) {
    super()
    const { outputSize } = takeArguments(name, adaptiveSignature, args)
    this.outputSize = typeof outputSize === 'number' ? outputSize : Object.freeze([...outputSize])
  }
}

/** The largest of each window of [N, C, L], or without N. Indices: `functional.maxPool1dWithIndices`. */
export class MaxPool1d extends MaxPool {
  constructor(kernelSize: PerDim, ...rest: PoolArguments<MaxPoolOptions>)
  constructor(...args: readonly unknown[]) {
    super('MaxPool1d', 1, args)
  }

  forward(input: Tensor): Tensor {
    return maxPool1d(input, this.kernelSize, this.stride, this.padding, this.dilation, this.ceilMode)
  }
}

/** The largest of each window of [N, C, H, W], or without N. Indices: `functional.maxPool2dWithIndices`. */
export class MaxPool2d extends MaxPool {
  constructor(kernelSize: PerDim, ...rest: PoolArguments<MaxPoolOptions>)
  constructor(...args: readonly unknown[]) {
    super('MaxPool2d', 2, args)
  }

  forward(input: Tensor): Tensor {
    return maxPool2d(input, this.kernelSize, this.stride, this.padding, this.dilation, this.ceilMode)
  }
}

/** The largest of each window of [N, C, D, H, W], or without N. Indices: `functional.maxPool3dWithIndices`. */
export class MaxPool3d extends MaxPool {
  constructor(kernelSize: PerDim, ...rest: PoolArguments<MaxPoolOptions>)
  constructor(...args: readonly unknown[]) {
    super('MaxPool3d', 3, args)
  }

  forward(input: Tensor): Tensor {
    return maxPool3d(input, this.kernelSize, this.stride, this.padding, this.dilation, this.ceilMode)
  }
}

/** The mean of each window of [N, C, L], or without N. */
export class AvgPool1d extends AvgPool {
  constructor(kernelSize: PerDim, ...rest: PoolArguments<Omit<AvgPoolOptions, 'divisorOverride'>>)
  constructor(...args: readonly unknown[]) {
    super('AvgPool1d', 1, args)
  }

  forward(input: Tensor): Tensor {
    return avgPool1d(input, this.kernelSize, this.stride, this.padding, this.ceilMode, this.countIncludePad)
  }
}

/** The mean of each window of [N, C, H, W], or without N. */
export class AvgPool2d extends AvgPool {
  constructor(kernelSize: PerDim, ...rest: PoolArguments<AvgPoolOptions>)
  constructor(...args: readonly unknown[]) {
    super('AvgPool2d', 2, args)
  }

  forward(input: Tensor): Tensor {
    const { kernelSize, stride, padding, ceilMode, countIncludePad, divisorOverride } = this
    return avgPool2d(input, kernelSize, stride, padding, ceilMode, countIncludePad, divisorOverride)
  }
}

/** The mean of each window of [N, C, D, H, W], or without N. */
export class AvgPool3d extends AvgPool {
  constructor(kernelSize: PerDim, ...rest: PoolArguments<AvgPoolOptions>)
  constructor(...args: readonly unknown[]) {
    super('AvgPool3d', 3, args)
  }

  forward(input: Tensor): Tensor {
    const { kernelSize, stride, padding, ceilMode, countIncludePad, divisorOverride } = this
    return avgPool3d(input, kernelSize, stride, padding, ceilMode, countIncludePad, divisorOverride)
  }
}

/** (Σ xᵖ)^(1/p) of each window of [N, C, L], with p = `normType`. */
export class LPPool1d extends LPPool {
  constructor(normType: number, kernelSize: PerDim, ...rest: StridedArguments<LPPoolOptions>)
  constructor(...args: readonly unknown[]) {
    super('LPPool1d', 1, args)
  }

  forward(input: Tensor): Tensor {
    return lpPool1d(input, this.normType, this.kernelSize, this.stride, this.ceilMode)
  }
}

/** (Σ xᵖ)^(1/p) of each window of [N, C, H, W], with p = `normType`. */
export class LPPool2d extends LPPool {
  constructor(normType: number, kernelSize: PerDim, ...rest: StridedArguments<LPPoolOptions>)
  constructor(...args: readonly unknown[]) {
    super('LPPool2d', 2, args)
  }

  forward(input: Tensor): Tensor {
    return lpPool2d(input, this.normType, this.kernelSize, this.stride, this.ceilMode)
  }
}

/** (Σ xᵖ)^(1/p) of each window of [N, C, D, H, W], with p = `normType`. */
export class LPPool3d extends LPPool {
  constructor(normType: number, kernelSize: PerDim, ...rest: StridedArguments<LPPoolOptions>)
  constructor(...args: readonly unknown[]) {
    super('LPPool3d', 3, args)
  }

  forward(input: Tensor): Tensor {
    return lpPool3d(input, this.normType, this.kernelSize, this.stride, this.ceilMode)
  }
}

/** Values at the indices that `functional.maxPool1dWithIndices` gave, 0 elsewhere. */
export class MaxUnpool1d extends MaxUnpool {
  constructor(kernelSize: PerDim, ...rest: PoolArguments<MaxUnpoolOptions>)
  constructor(...args: readonly unknown[]) {
    super('MaxUnpool1d', 1, args)
  }

  /** Of `input` and its `indices`; `outputSize`: where several sizes are possible. */
  forward(input: Tensor, indices: Tensor, outputSize: readonly number[] | null = null): Tensor {
    return maxUnpool1d(input, indices, this.kernelSize, this.stride, this.padding, outputSize)
  }
}

/** Values at the indices that `functional.maxPool2dWithIndices` gave, 0 elsewhere. */
export class MaxUnpool2d extends MaxUnpool {
  constructor(kernelSize: PerDim, ...rest: PoolArguments<MaxUnpoolOptions>)
  constructor(...args: readonly unknown[]) {
    super('MaxUnpool2d', 2, args)
  }

  /** Of `input` and its `indices`; `outputSize`: where several sizes are possible. */
  forward(input: Tensor, indices: Tensor, outputSize: readonly number[] | null = null): Tensor {
    return maxUnpool2d(input, indices, this.kernelSize, this.stride, this.padding, outputSize)
  }
}

/** Values at the indices that `functional.maxPool3dWithIndices` gave, 0 elsewhere. */
export class MaxUnpool3d extends MaxUnpool {
  constructor(kernelSize: PerDim, ...rest: PoolArguments<MaxUnpoolOptions>)
  constructor(...args: readonly unknown[]) {
    super('MaxUnpool3d', 3, args)
  }

  /** Of `input` and its `indices`; `outputSize`: where several sizes are possible. */
  forward(input: Tensor, indices: Tensor, outputSize: readonly number[] | null = null): Tensor {
    return maxUnpool3d(input, indices, this.kernelSize, this.stride, this.padding, outputSize)
  }
}

/** The mean of windows of [N, C, L] that give the sizes `outputSize`; null keeps a size. */
export class AdaptiveAvgPool1d extends AdaptivePool {
  constructor(outputSize: number | readonly (number | null)[])
  constructor(...args: readonly unknown[]) {
    super('AdaptiveAvgPool1d', args)
  }

  forward(input: Tensor): Tensor {
    return adaptiveAvgPool1d(input, this.outputSize)
  }
}

/** The mean of windows of [N, C, H, W] that give the sizes `outputSize`; null keeps a size. */
export class AdaptiveAvgPool2d extends AdaptivePool {
  constructor(outputSize: number | readonly (number | null)[])
  constructor(...args: readonly unknown[]) {
    super('AdaptiveAvgPool2d', args)
  }

  forward(input: Tensor): Tensor {
    return adaptiveAvgPool2d(input, this.outputSize)
  }
}

/** The mean of windows of [N, C, D, H, W] that give the sizes `outputSize`; null keeps a size. */
export class AdaptiveAvgPool3d extends AdaptivePool {
  constructor(outputSize: number | readonly (number | null)[])
  constructor(...args: readonly unknown[]) {
    super('AdaptiveAvgPool3d', args)
  }

  forward(input: Tensor): Tensor {
    return adaptiveAvgPool3d(input, this.outputSize)
  }
}

/** The largest of windows of [N, C, L] that give the sizes `outputSize`; null keeps a size. */
export class AdaptiveMaxPool1d extends AdaptivePool {
  constructor(outputSize: number | readonly (number | null)[])
  constructor(...args: readonly unknown[]) {
    super('AdaptiveMaxPool1d', args)
  }

  forward(input: Tensor): Tensor {
    return adaptiveMaxPool1d(input, this.outputSize)
  }
}

/** The largest of windows of [N, C, H, W] that give the sizes `outputSize`; null keeps a size. */
export class AdaptiveMaxPool2d extends AdaptivePool {
  constructor(outputSize: number | readonly (number | null)[])
  constructor(...args: readonly unknown[]) {
    super('AdaptiveMaxPool2d', args)
  }

  forward(input: Tensor): Tensor {
    return adaptiveMaxPool2d(input, this.outputSize)
  }
}

/** The largest of windows of [N, C, D, H, W] that give the sizes `outputSize`; null keeps a size. */
export class AdaptiveMaxPool3d extends AdaptivePool {
  constructor(outputSize: number | readonly (number | null)[])
  constructor(...args: readonly unknown[]) {
    super('AdaptiveMaxPool3d', args)
  }

  forward(input: Tensor): Tensor {
    return adaptiveMaxPool3d(input, this.outputSize)
  }
}

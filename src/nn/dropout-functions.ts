/** Dropout of whole channels, and what keeps the moments of SELUs: functions that the layers call. */
import { ArgumentError, DtypeError, ShapeError } from '../base/errors.js'
import { signature, takeArguments } from '../tensor/arguments.js'
import { ones, onesLike } from '../tensor/create.js'
import { where } from '../tensor/functions.js'
import { dropout } from '../tensor/sampling.js'
import type { Tensor } from '../tensor/tensor.js'
import { isFloat } from '../types/dtype.js'

/** Options of dropouts by function. */
export interface ChannelDropoutOptions {
  /** The probability of 0. Default 0.5. */
  readonly p?: number | undefined
  /** false: the input as it is. */
  readonly training?: boolean | undefined
}

const channelSignature = signature('self, p: number = 0.5, training: bool = true')
const alphaSignature = signature('self, p: number = 0.5, training: bool = false')

function check(name: string, input: Tensor, p: number): void {
  if (!isFloat(input.dtype))
    throw new DtypeError(`${name}: needs floats, got ${input.describe()}`, { fix: "cast it: x.to('f32')" })
  if (!(p >= 0 && p <= 1)) throw new ArgumentError(`${name}: p is ${p}`, { fix: 'use a probability, 0 to 1' })
}

/** 1 / (1 − p) or 0 per channel, of a shape that broadcasts to the input; `spatial`: dims after the channels. */
const channelMask = (input: Tensor, p: number, spatial: number): Tensor => {
  const kept = Array.from({ length: input.ndim }, (_, d) => (d < input.ndim - spatial ? input.dim(d) : 1))
  return dropout(ones(kept, { dtype: input.dtype, device: input.device }), p)
}

/** SELU's limit for large negative inputs: −λ · α. */
const saturation = -1.7580993408473766

/** `mask`: 0 where an element is dropped. */
function saturated(input: Tensor, mask: Tensor, p: number): Tensor {
  if (p === 1) return input.mul(0)
  const scale = 1 / Math.sqrt((1 - p) * (1 + p * saturation ** 2))
  return where(mask.gt(0), input, saturation)
    .mul(scale)
    .sub(scale * p * saturation)
}

/** By the number of dims of an input, how many there are after its channels. That of three dims is PyTorch's choice. */
const channelInputs = {
  dropout1d: { after: { 2: 1, 3: 1 }, takes: '[N, C, L] or [C, L]' },
  dropout2d: { after: { 3: 1, 4: 2 }, takes: '[N, C, H, W] or [N, C, L]' },
  dropout3d: { after: { 4: 3, 5: 3 }, takes: '[N, C, D, H, W] or [C, D, H, W]' },
} as const

function dropChannels(name: keyof typeof channelInputs, args: readonly unknown[]): Tensor {
  const { self, p, training } = takeArguments(name, channelSignature, args)
  check(name, self, p)
  const { after, takes } = channelInputs[name]
  const spatial = (after as Readonly<Record<number, number>>)[self.ndim]
  if (spatial === undefined)
    throw new ShapeError(`${name}: ${self.describe()} is not ${takes}`, { fix: 'use dropout for single elements' })
  return training && p > 0 ? self.mul(channelMask(self, p, spatial)) : self
}

/**
 * Whole channels set to 0 with probability p, the others divided by 1 − p.
 *
 * @param input floats, [N, C, L] or [C, L]
 * @param p the probability of 0; 0.5 by default
 * @param training false gives the input as it is; true by default
 * @throws ArgumentError unless 0 ≤ p ≤ 1; ShapeError for another number of dims
 */
export function dropout1d(input: Tensor, p?: number | ChannelDropoutOptions, training?: boolean): Tensor
export function dropout1d(...args: readonly unknown[]): Tensor {
  return dropChannels('dropout1d', args)
}

/**
 * Whole channels set to 0 with probability p, the others divided by 1 − p.
 *
 * @param input floats, [N, C, H, W], or as in PyTorch [N, C, L]
 * @param p the probability of 0; 0.5 by default
 * @param training false gives the input as it is; true by default
 * @throws ArgumentError unless 0 ≤ p ≤ 1; ShapeError for another number of dims
 */
export function dropout2d(input: Tensor, p?: number | ChannelDropoutOptions, training?: boolean): Tensor
export function dropout2d(...args: readonly unknown[]): Tensor {
  return dropChannels('dropout2d', args)
}

/**
 * Whole channels set to 0 with probability p, the others divided by 1 − p.
 *
 * @param input floats, [N, C, D, H, W] or [C, D, H, W]
 * @param p the probability of 0; 0.5 by default
 * @param training false gives the input as it is; true by default
 * @throws ArgumentError unless 0 ≤ p ≤ 1; ShapeError for another number of dims
 */
export function dropout3d(input: Tensor, p?: number | ChannelDropoutOptions, training?: boolean): Tensor
export function dropout3d(...args: readonly unknown[]): Tensor {
  return dropChannels('dropout3d', args)
}

/**
 * Keeps mean and variance of what a SELU gave: dropped elements get its saturation, and the result is scaled and shifted.
 * Klambauer et al., arXiv:1706.02515.
 *
 * @param input floats
 * @param p the probability of 0; 0.5 by default
 * @param training false, the default as in PyTorch, gives the input as it is
 * @throws ArgumentError unless 0 ≤ p ≤ 1
 */
export function alphaDropout(input: Tensor, p?: number | ChannelDropoutOptions, training?: boolean): Tensor
export function alphaDropout(...args: readonly unknown[]): Tensor {
  const { self, p, training } = takeArguments('alphaDropout', alphaSignature, args)
  check('alphaDropout', self, p)
  return training && p > 0 ? saturated(self, dropout(onesLike(self), p), p) : self
}

/**
 * `alphaDropout` of whole channels.
 *
 * @param input floats, [N, C, …]
 * @param p the probability of 0; 0.5 by default
 * @param training false, the default as in PyTorch, gives the input as it is
 * @throws ArgumentError unless 0 ≤ p ≤ 1; ShapeError for fewer than 2 dims
 */
export function featureAlphaDropout(input: Tensor, p?: number | ChannelDropoutOptions, training?: boolean): Tensor
export function featureAlphaDropout(...args: readonly unknown[]): Tensor {
  const { self, p, training } = takeArguments('featureAlphaDropout', alphaSignature, args)
  check('featureAlphaDropout', self, p)
  if (self.ndim < 2)
    throw new ShapeError(`featureAlphaDropout: ${self.describe()} has no channels in dim 1`, {
      fix: 'use alphaDropout',
    })
  return training && p > 0 ? saturated(self, channelMask(self, p, self.ndim - 2), p) : self
}

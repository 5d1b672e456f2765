/** Pooling: maximum or mean over windows of an image. */

import { ArgumentError, ShapeError } from '../../base/errors.js'
import {
  addSizes,
  ceilDivSizes,
  exactQuotient,
  floorDivSizes,
  mulSizes,
  productOf,
  type Size,
  subSizes,
} from '../../scalar/size.js'
import type { Shape } from '../ir.js'
import { decideAtLeast } from '../sizes.js'
import type { Windows } from '../windows.js'
import { compose } from './compose.js'
import { firstExtreme } from './formulas.js'
import type { GraphTensor } from './graph-tensor.js'
import { elementsAt } from './max-windows.js'
import { type PerDim, perDim, reachOf, requireWindow, spatialDetails, windowView, withBatch } from './spatial.js'
import { anyKept, floatKept } from './texts.js'

type Kind = 'max' | 'avg'
export type PoolAttrs = {
  readonly kernel: readonly number[]
  readonly stride: readonly number[]
  readonly padding: readonly number[]
  readonly dilation: readonly number[]
  readonly ceilMode: boolean
  readonly countIncludePad: boolean
  /** The divisor of the sums; null: the number of elements in each window. */
  readonly divisor: number | null
}

export interface PoolArgs {
  readonly kernelSize: PerDim
  readonly stride: PerDim | null
  readonly padding: PerDim
  readonly dilation?: PerDim
  readonly ceilMode: boolean
  readonly countIncludePad?: boolean
  readonly divisorOverride?: number | null
}

export const maxPoolSignature =
  'self, kernelSize: int | ints, stride: int | ints | null = null, padding: int | ints = 0, dilation: int | ints = 1, ceilMode: bool = false'
export const sizeOfWindows =
  'Size of the result: ⌊(size + 2 padding − dilation · (kernelSize − 1) − 1) / stride⌋ + 1, with ceilMode rounded up.'
export const pooledShape = '[N, C, …] with one element per window, or without N'
export const poolErrors = {
  ArgumentError: 'when padding is more than half of kernelSize',
  ShapeError: 'when the number of dims is another, or no window fits',
}

export const poolDetails = {
  self: '[N, C, …], or without N',
  ...spatialDetails,
  stride: `${spatialDetails.stride}; kernelSize unless given`,
  padding: 'how many elements are added on both sides, at most half of kernelSize',
  ceilMode: 'also count a last window that is only partly inside',
  divisorOverride: 'what the sums are divided by instead of how many elements a window counts',
  countIncludePad: 'whether padding counts as elements',
}

/** Throws ArgumentError. */
export function poolAttrs(name: string, count: number, args: PoolArgs): PoolAttrs {
  const kernel = perDim(name, 'kernelSize', args.kernelSize, count, 1)
  const padding = perDim(name, 'padding', args.padding, count, 0)
  for (const [d, size] of padding.entries())
    if (2 * size > kernel[d]!)
      throw new ArgumentError(`${name}: padding ${size} is more than half of kernelSize ${kernel[d]}`, {
        fix: 'use at most half of kernelSize, or pad the input itself with pad',
      })
  return {
    kernel,
    stride: perDim(name, 'stride', args.stride ?? kernel, count, 1),
    padding,
    dilation: perDim(name, 'dilation', args.dilation ?? 1, count, 1),
    ceilMode: args.ceilMode,
    countIncludePad: args.countIncludePad ?? true,
    divisor: args.divisorOverride ?? null,
  }
}

/**
 * The windows on an image. With ceilMode the padding at the end grows, so that a last window that starts inside fits. For
 * run-time sizes it grows by the maximum, which admits no further window.
 */
export function windowsOn(name: string, sizes: readonly Size[], attrs: PoolAttrs): Windows {
  const plain: Windows = { ...attrs, padding: attrs.padding.map(size => [size, size] as const) }
  if (!attrs.ceilMode) return plain
  const padding = sizes.map((size, d): readonly [number, number] => {
    const [before] = plain.padding[d]!
    const [stride, reach] = [attrs.stride[d]!, reachOf(attrs, d)]
    requireWindow(name, size, plain, d)
    if (typeof size !== 'number') return [before, Math.max(before, Math.min(before + stride, reach) - 1)]
    const room = size + 2 * before - reach
    let count = Math.ceil(room / stride) + 1
    if ((count - 1) * stride >= size + before) count--
    return [before, Math.max(before, (count - 1) * stride + reach - size - before)]
  })
  return { ...plain, padding }
}

/** Runs the body on [N, C, …]; drops the batch dim from the result if the input has none. */
export function batched(name: string, count: number, self: GraphTensor, body: (x: GraphTensor) => GraphTensor) {
  const image = body(self.with(withBatch(self.b, name, self.node, count)))
  return self.rank === count + 2 ? image : image.shaped(image.shape.slice(1))
}

/** The number of elements in each window along a dim, broadcast to `folded`. */
function counts(folded: GraphTensor, windows: Windows, attrs: PoolAttrs, d: number, size: Size): GraphTensor {
  const number = folded.size(2 + d)
  const [kernel, stride, padding] = [windows.kernel[d]!, attrs.stride[d]!, attrs.padding[d]!]
  const start = folded.iota(number).mul(stride).sub(padding)
  const [first, last] = attrs.countIncludePad ? [0 - padding, addSizes(size, padding)] : [0, size]
  const end = start.add(kernel).minimum(start.count(last))
  const along = folded.shape.map((_, o) => (o === 2 + d ? number : 1))
  return end.sub(start.maximum(first)).as(folded.dtype).shaped(along).expandTo(folded.shape)
}

/** The sum, or the largest, of which the first has the gradient, over the dims, which stay with size 1. */
const foldedBy = (kind: Kind, x: GraphTensor, dims: readonly number[]): GraphTensor =>
  kind === 'max' ? x.with(firstExtreme(x.b, x.node, 'max', dims)) : x.folded('add', dims)

/** The sum of each window of [N, C, …], padded with zeros: [N, C, windows…]. */
export function summedWindows(name: string, x: GraphTensor, windows: Windows): GraphTensor {
  const view = x.with(windowView(x.b, name, x.node, windows, 0))
  return view.summed(windows.kernel.map((_, d) => x.rank + d))
}

function averaged(name: string, count: number, self: GraphTensor, args: PoolArgs): GraphTensor {
  const attrs = poolAttrs(name, count, args)
  return batched(name, count, self, x => {
    const sizes = x.shape.slice(2)
    const windows = windowsOn(name, sizes, attrs)
    const sums = summedWindows(name, x, windows)
    if (attrs.divisor !== null) return sums.div(attrs.divisor)
    return sizes.reduce<GraphTensor>((sum, size, d) => sum.div(counts(sums, windows, attrs, d, size)), sums)
  })
}

/**
 * The maxima of the windows of self, given a batch dim if it has none, and where each is (the numbers of the primitive `maxPool`). `own`
 * takes the batch dim off results again.
 */
function maxPooled(name: string, count: number, self: GraphTensor, args: PoolArgs) {
  const x = self.with(withBatch(self.b, name, self.node, count))
  const sizes = x.shape.slice(2)
  const { kernel, stride, padding, dilation } = windowsOn(name, sizes, poolAttrs(name, count, args))
  const windows = { kernel, stride, padding, dilation }
  for (const [d, size] of sizes.entries()) requireWindow(name, size, windows, d)
  const pool = x.b.node('maxPool', [x.node], windows)
  const item = (index: number): GraphTensor => x.with(x.b.node('item', [pool], { index }))
  const own = (image: GraphTensor): GraphTensor =>
    self.rank === count + 2 ? image : image.shaped(image.shape.slice(1))
  return { sizes, windows, values: item(0), places: item(1), own }
}

const poolColumns = (name: string, kind: Kind, summary: string) =>
  ({
    name,
    summary,
    category: 'reduction',
    details: poolDetails,
    shape: pooledShape,
    dtypes: kind === 'max' ? anyKept : floatKept,
    errors: poolErrors,
    note: sizeOfWindows,
  }) as const

const maxPool = (count: 1 | 2 | 3) => {
  const name = `maxPool${count}d`
  return compose({
    ...poolColumns(name, 'max', 'The largest value of each window of [N, C, …]; padding never counts.'),
    signature: maxPoolSignature,
    body: ({ self, ...args }) => {
      const { values, own } = maxPooled(name, count, self, args)
      return own(values)
    },
  })
}

const maxWithIndices = (count: 1 | 2 | 3) => {
  const name = `maxPool${count}dWithIndices`
  return compose({
    name,
    summary:
      'The largest value of each window of [N, C, …], and its index in the flattened spatial dims (of equals the first).',
    category: 'reduction',
    signature: maxPoolSignature,
    details: poolDetails,
    shape: { values: pooledShape, indices: pooledShape },
    dtypes: { takes: 'any', gives: { values: 'same', indices: 'i64' } },
    errors: poolErrors,
    note: sizeOfWindows,
    results: ['values', 'indices'],
    body: ({ self, ...args }) => {
      const { sizes, windows, values, places, own } = maxPooled(name, count, self, args)
      return [values, values.with(elementsAt(values.b, places.node, windows, sizes))].map(own)
    },
  })
}

const avgPoolSignature =
  'self, kernelSize: int | ints, stride: int | ints | null = null, padding: int | ints = 0, ceilMode: bool = false, countIncludePad: bool = true'
const avgColumns = (name: string) =>
  poolColumns(
    name,
    'avg',
    'The mean of each window of [N, C, …]; padding counts as zeros unless countIncludePad is false.',
  )

const avgPool1d = compose({
  ...avgColumns('avgPool1d'),
  signature: avgPoolSignature,
  body: ({ self, ...args }) => averaged('avgPool1d', 1, self, args),
})

const avgPool = (count: 2 | 3) => {
  const name = `avgPool${count}d`
  return compose({
    ...avgColumns(name),
    errors: { ...poolErrors, ArgumentError: `${poolErrors.ArgumentError}, or divisorOverride is 0` },
    signature: `${avgPoolSignature}, divisorOverride: int | null = null`,
    check: ({ divisorOverride }) => {
      if (divisorOverride === 0)
        throw new ArgumentError(`${name}: divisorOverride is 0`, { fix: 'give another number, or leave it out' })
    },
    body: ({ self, ...args }) => averaged(name, count, self, args),
  })
}

// --- adaptive ----------------------------------------------------------------------------------------------------------

const span = (i: number, size: Size, count: number): readonly [Size, Size] => [
  floorDivSizes(mulSizes(size, i), count),
  ceilDivSizes(mulSizes(size, i + 1), count),
]

const meanOf = (kind: Kind, sum: GraphTensor, length: Size): GraphTensor =>
  kind === 'max' ? sum : sum.div(sum.count(length))

/** Reduces dims to one window each, at once: they are one run of memory. */
function adaptWhole(kind: Kind, x: GraphTensor, dims: readonly number[]): GraphTensor {
  return meanOf(kind, foldedBy(kind, x, dims), productOf(dims.map(d => x.size(d))))
}

/** Reduces one dim to `count` windows, which overlap if the size does not divide. */
function adaptDim(kind: Kind, x: GraphTensor, dim: number, count: number): GraphTensor {
  const size = x.size(dim)
  const mean = (sum: GraphTensor, length: Size): GraphTensor => meanOf(kind, sum, length)
  const length = exactQuotient(size, count)
  if (length !== null) {
    const split = x.shaped([...x.shape.slice(0, dim), count, length, ...x.shape.slice(dim + 1)])
    return mean(foldedBy(kind, split, [dim + 1]).without([dim + 1]), length)
  }
  const parts = Array.from({ length: count }, (_, i) => {
    const [start, end] = span(i, size, count)
    const part = subSizes(end, start)
    return mean(foldedBy(kind, x.part(dim, start, part), [dim]), part)
  })
  return x.joined(parts, dim)
}

type Output = number | readonly (number | null)[]

/** How many windows in each spatial dim; null: as many as elements. Throws ArgumentError. */
function outputOf(name: string, count: number, outputSize: Output): readonly (number | null)[] {
  const list = typeof outputSize === 'number' ? new Array<number>(count).fill(outputSize) : outputSize
  const sizes = list.map(size => size ?? 1)
  perDim(name, 'outputSize', sizes, count, 1) // for what it refuses
  return list
}

function checkSizes(name: string, sizes: Shape): void {
  for (const [d, size] of sizes.entries()) {
    const what = (): string => `${name}: spatial dim ${d} has no elements`
    if (!decideAtLeast(size, 1, what)) throw new ShapeError(what(), { fix: 'give it at least one element' })
  }
}

const adaptiveMax = 'Max pooling to outputSize in the spatial dims, whatever the input size.'
const adaptiveMean = 'Mean pooling to outputSize in the spatial dims, whatever the input size.'
const adaptiveSignature = 'self, outputSize: int | intsOrNull'
const adaptiveShape = '[N, C, outputSize…], or without N'
const adaptiveTexts = {
  details: {
    self: '[N, C, …], or without N',
    outputSize: 'how many windows, for all spatial dims or for each; null: as many as elements',
  },
  errors: { ShapeError: 'when the number of dims is another, or a spatial dim is empty' },
  note: 'Window i of n goes from ⌊i · size / n⌋ to ⌈(i + 1) · size / n⌉.',
}

const adaptive = (name: string, kind: Kind, count: number, summary: string) =>
  compose({
    name,
    summary,
    category: 'reduction',
    signature: adaptiveSignature,
    ...adaptiveTexts,
    shape: adaptiveShape,
    dtypes: kind === 'max' ? anyKept : floatKept,
    body: ({ self, outputSize }) =>
      batched(name, count, self, x => {
        checkSizes(name, x.shape.slice(2))
        const output = outputOf(name, count, outputSize)
        const whole = [...output.keys()].filter(d => output[d] === 1).map(d => 2 + d)
        // From the last dim, so that of equal values the first in row-major order has the gradient.
        return output.reduceRight<GraphTensor>(
          (image, size, d) =>
            size === null || size === image.size(2 + d) ? image : adaptDim(kind, image, 2 + d, size),
          whole.length > 1 ? adaptWhole(kind, x, whole) : x,
        )
      }),
  })

/** Maxima and their flat spatial indices, reduced dim by dim from the last; of equal values the first in row-major order. */
function adaptedWithIndices(x: GraphTensor, output: readonly (number | null)[]): readonly [GraphTensor, GraphTensor] {
  const spatial = x.shape.slice(2)
  let values = x
  let positions = x.iota(productOf(spatial)).shaped(spatial).expandTo(x.shape)
  for (const [d, own] of [...spatial.entries()].reverse()) {
    const [dim, windows] = [2 + d, output[d] ?? null]
    if (windows === null || windows === own) continue
    const parts = Array.from({ length: windows }, (_, i) => {
      const [start, end] = span(i, own, windows)
      const [part, at] = [values, positions].map(one => one.part(dim, start, subSizes(end, start))) as [
        GraphTensor,
        GraphTensor,
      ]
      const best = part.folded('argmax', [dim])
      return [part.at(dim, best), at.at(dim, best)] as const
    })
    values = x.joined(
      parts.map(([value]) => value),
      dim,
    )
    positions = x.joined(
      parts.map(([, position]) => position),
      dim,
    )
  }
  return [values, positions]
}

const adaptiveWithIndices = (count: 1 | 2 | 3) => {
  const name = `adaptiveMaxPool${count}dWithIndices`
  return compose({
    name,
    summary: `${adaptiveMax.slice(0, -1)}, and their positions among the spatial elements (of equals the first).`,
    category: 'reduction',
    signature: adaptiveSignature,
    ...adaptiveTexts,
    shape: { values: adaptiveShape, indices: adaptiveShape },
    dtypes: { takes: 'any', gives: { values: 'same', indices: 'i64' } },
    results: ['values', 'indices'],
    body: ({ self, outputSize }) => {
      const x = self.with(withBatch(self.b, name, self.node, count))
      checkSizes(name, x.shape.slice(2))
      const found = adaptedWithIndices(x, outputOf(name, count, outputSize))
      return found.map(one => (self.rank === count + 2 ? one : one.shaped(one.shape.slice(1))))
    },
  })
}

// --- norms -------------------------------------------------------------------------------------------------------------

const lpPool = (count: 1 | 2 | 3) => {
  const name = `lpPool${count}d`
  return compose({
    name,
    summary: '(Σ selfᵖ)^(1/p) with p = normType over each window of [N, C, …].',
    category: 'reduction',
    signature:
      'self, normType: number, kernelSize: int | ints, stride: int | ints | null = null, ceilMode: bool = false',
    shape: pooledShape,
    dtypes: floatKept,
    details: {
      self: poolDetails.self,
      normType: 'p, any number but 0: with 1 sums',
      kernelSize: poolDetails.kernelSize,
      stride: poolDetails.stride,
      ceilMode: poolDetails.ceilMode,
    },
    errors: {
      ArgumentError: 'when normType is 0',
      ShapeError: 'when the number of dims is another, or no window fits',
    },
    note: 'As in PyTorch selfᵖ keeps its sign, and what a last window lacks counts as the mean of the others.',
    check: ({ normType }) => {
      if (normType === 0) throw new ArgumentError(`${name}: normType is 0`, { fix: 'use another number' })
    },
    body: ({ self, normType, kernelSize, stride, ceilMode }) => {
      const mean = averaged(name, count, self.pow(normType), { kernelSize, stride, padding: 0, ceilMode })
      const window = perDim(name, 'kernelSize', kernelSize, count, 1).reduce((a, c) => a * c, 1)
      return mean.mul(window).pow(1 / normType)
    },
  })
}

export const poolingRecords = {
  maxPool1d: maxPool(1),
  maxPool2d: maxPool(2),
  maxPool3d: maxPool(3),
  avgPool1d,
  avgPool2d: avgPool(2),
  avgPool3d: avgPool(3),
  maxPool1dWithIndices: maxWithIndices(1),
  maxPool2dWithIndices: maxWithIndices(2),
  maxPool3dWithIndices: maxWithIndices(3),
  adaptiveAvgPool1d: adaptive('adaptiveAvgPool1d', 'avg', 1, adaptiveMean),
  adaptiveAvgPool2d: adaptive('adaptiveAvgPool2d', 'avg', 2, adaptiveMean),
  adaptiveAvgPool3d: adaptive('adaptiveAvgPool3d', 'avg', 3, adaptiveMean),
  adaptiveMaxPool1d: adaptive('adaptiveMaxPool1d', 'max', 1, adaptiveMax),
  adaptiveMaxPool2d: adaptive('adaptiveMaxPool2d', 'max', 2, adaptiveMax),
  adaptiveMaxPool3d: adaptive('adaptiveMaxPool3d', 'max', 3, adaptiveMax),
  adaptiveMaxPool1dWithIndices: adaptiveWithIndices(1),
  adaptiveMaxPool2dWithIndices: adaptiveWithIndices(2),
  adaptiveMaxPool3dWithIndices: adaptiveWithIndices(3),
  lpPool1d: lpPool(1),
  lpPool2d: lpPool(2),
  lpPool3d: lpPool(3),
}

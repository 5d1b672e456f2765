/** Pooling: windows of an image folded to their largest value or their mean. */

import { ArgumentError, ShapeError } from '../../base/errors.js'
import { type ReductionName, reductionIdentity } from '../../scalar/ops.js'
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
import { computeDtype } from '../../types/dtype.js'
import {
  castTo,
  constant,
  countOf,
  dtypeOf,
  expandTo,
  map,
  rankOf,
  reduce,
  reduceKeepdim,
  requireFloat,
  reshapeTo,
  shapeOf,
  sliceTo,
  wholeSlice,
} from '../build.js'
import type { GraphBuilder, GraphNode } from '../ir.js'
import { type OpCall, type OpInput, op, type Value } from '../record.js'
import type { Bound } from '../signature.js'
import { decideAtLeast } from '../sizes.js'
import { call } from './arguments.js'
import { compose } from './compose.js'
import {
  type PerDim,
  perDim,
  reachOf,
  requireWindow,
  spatialDetails,
  type Windows,
  windowView,
  withBatch,
} from './spatial.js'
import { anyKept, floatKept } from './texts.js'

type Kind = 'max' | 'avg'
export type PoolAttrs = {
  readonly kernel: readonly number[]
  readonly stride: readonly number[]
  readonly padding: readonly number[]
  readonly dilation: readonly number[]
  readonly ceilMode: boolean
  readonly countIncludePad: boolean
  /** What the sums are divided by; null: how many elements each window counts. */
  readonly divisor: number | null
}

interface PoolArgs {
  readonly self: Value
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
export const pooledShape = '[N, C, windows…], or without N'
export const poolErrors = {
  ArgumentError: 'when padding is more than half of kernelSize',
  ShapeError: 'when the number of dims is another, or no window fits',
}

export const poolDetails = {
  self: '[N, C, …], or without N',
  ...spatialDetails,
  stride: `${spatialDetails.stride}; kernelSize unless given`,
  padding: 'how many elements lie around, at most half of kernelSize',
  ceilMode: 'also a last window that only partly lies inside',
  divisorOverride: 'what the sums are divided by instead of how many elements a window counts',
  countIncludePad: 'whether padding counts as elements',
}

function poolAttrs(name: string, count: number, args: Omit<PoolArgs, 'self'>): PoolAttrs {
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

export const poolCall = (name: string, count: number, { self, ...args }: PoolArgs): OpCall<PoolAttrs> =>
  call([self], poolAttrs(name, count, args))

/**
 * The windows on an image: with ceilMode the padding behind grows, so that a last window fits that starts inside. Of sizes
 * of the call it grows by as much as it may, which lets in no further window.
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

/** How many elements each window along a dim counts: [windows] in `dtype`. */
function counts(
  b: GraphBuilder,
  windows: Windows,
  attrs: PoolAttrs,
  d: number,
  size: Size,
  node: GraphNode,
): GraphNode {
  const dtype = dtypeOf(node)
  const number = shapeOf(node)[2 + d]!
  const line = (value: Size): GraphNode => expandTo(b, countOf(b, value, 'i64'), [number])
  const start = map(
    b,
    'sub',
    map(b, 'mul', b.node('iota', [], { length: number, dtype: 'i64' }), line(attrs.stride[d]!)),
    line(attrs.padding[d]!),
  )
  const [first, last] = attrs.countIncludePad ? [-attrs.padding[d]!, addSizes(size, attrs.padding[d]!)] : [0, size]
  const end = map(b, 'min', map(b, 'add', start, line(windows.kernel[d]!)), line(last))
  const counted = map(b, 'sub', end, map(b, 'max', start, line(first)))
  const along = shapeOf(node).map((_, o) => (o === 2 + d ? number : 1))
  return expandTo(b, reshapeTo(b, castTo(b, counted, dtype), along), shapeOf(node))
}

function buildPool(name: string, kind: Kind, b: GraphBuilder, given: GraphNode, attrs: PoolAttrs): GraphNode {
  const count = attrs.kernel.length
  const x = withBatch(b, name, given, count)
  const dtype = dtypeOf(x)
  if (kind === 'avg') requireFloat(name, dtype, "cast first: x.to('f32')")
  const sizes = shapeOf(x).slice(2)
  const windows = windowsOn(name, sizes, attrs)
  const compute = computeDtype(dtype)
  const outside = kind === 'max' ? reductionIdentity('max', compute) : 0
  const view = windowView(b, name, castTo(b, x, compute), windows, outside)
  const folded = reduce(
    b,
    kind === 'max' ? 'max' : 'add',
    view,
    windows.kernel.map((_, d) => 2 + count + d),
  )
  let result = folded
  if (kind === 'avg' && attrs.divisor !== null)
    result = map(b, 'div', result, expandTo(b, constant(b, compute, attrs.divisor), shapeOf(result)))
  else if (kind === 'avg')
    for (let d = 0; d < count; d++) result = map(b, 'div', result, counts(b, windows, attrs, d, sizes[d]!, folded))
  const image = castTo(b, result, dtype)
  return rankOf(given) === count + 2 ? image : reshapeTo(b, image, shapeOf(image).slice(1))
}

const poolColumns = (name: string, kind: Kind, summary: string) => ({
  name,
  summary,
  category: 'reduction' as const,
  details: poolDetails,
  shape: pooledShape,
  dtypes: kind === 'max' ? anyKept : floatKept,
  errors: poolErrors,
  note: sizeOfWindows,
  results: null,
  build: (b: GraphBuilder, [input]: readonly OpInput[], attrs: PoolAttrs) => [
    buildPool(name, kind, b, input!.node, attrs),
  ],
  gradient: 'later' as const,
})

const maxPool = (count: 1 | 2 | 3) => {
  const name = `maxPool${count}d`
  return op({
    ...poolColumns(name, 'max', 'The largest value of each window of [N, C, …]; padding never counts.'),
    signature: maxPoolSignature,
    call: args => poolCall(name, count, args),
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

const avgPool1d = op({
  ...avgColumns('avgPool1d'),
  signature: avgPoolSignature,
  call: args => poolCall('avgPool1d', 1, args),
})

const avgPool = (count: 2 | 3) => {
  const name = `avgPool${count}d`
  return op({
    ...avgColumns(name),
    errors: { ...poolErrors, ArgumentError: `${poolErrors.ArgumentError}, or divisorOverride is 0` },
    signature: `${avgPoolSignature}, divisorOverride: int | null = null`,
    call: args => {
      if (args.divisorOverride === 0)
        throw new ArgumentError(`${name}: divisorOverride is 0`, { fix: 'give another number, or leave it out' })
      return poolCall(name, count, args)
    },
  })
}

// --- adaptive ----------------------------------------------------------------------------------------------------------

type AdaptiveAttrs = { readonly output: readonly (number | null)[] }

const span = (i: number, size: Size, count: number): readonly [Size, Size] => [
  floorDivSizes(mulSizes(size, i), count),
  ceilDivSizes(mulSizes(size, i + 1), count),
]

/** Folds one dim to `count` parts, which overlap where the size does not divide. */
function adaptDim(b: GraphBuilder, kind: Kind, node: GraphNode, dim: number, count: number): GraphNode {
  const size = shapeOf(node)[dim]!
  const fn: ReductionName = kind === 'max' ? 'max' : 'add'
  const parts = Array.from({ length: count }, (_, i) => {
    const [start, end] = span(i, size, count)
    const attrs = wholeSlice(shapeOf(node))
    attrs.starts[dim] = start
    attrs.sizes[dim] = subSizes(end, start)
    const folded = reduceKeepdim(b, fn, sliceTo(b, node, attrs), [dim])
    if (kind === 'max') return folded
    return map(b, 'div', folded, expandTo(b, countOf(b, attrs.sizes[dim], dtypeOf(node)), shapeOf(folded)))
  })
  const length = exactQuotient(size, count)
  if (length === null) return b.node('cat', parts, { dim })
  const shape = shapeOf(node)
  const split = reshapeTo(b, node, [...shape.slice(0, dim), count, length, ...shape.slice(dim + 1)])
  const folded = reduce(b, fn, split, [dim + 1])
  if (kind === 'max') return folded
  return map(b, 'div', folded, expandTo(b, countOf(b, length, dtypeOf(node)), shapeOf(folded)))
}

function buildAdaptive(
  name: string,
  kind: Kind,
  count: number,
  b: GraphBuilder,
  given: GraphNode,
  { output }: AdaptiveAttrs,
): GraphNode {
  const x = withBatch(b, name, given, count)
  const dtype = dtypeOf(x)
  if (kind === 'avg') requireFloat(name, dtype, "cast first: x.to('f32')")
  let result = castTo(b, x, computeDtype(dtype))
  for (const [d, size] of output.entries()) {
    const own = shapeOf(x)[2 + d]!
    const what = (): string => `${name}: spatial dim ${d} has no elements`
    if (!decideAtLeast(own, 1, what)) throw new ShapeError(what(), { fix: 'give it at least one element' })
    if (size !== null && size !== own) result = adaptDim(b, kind, result, 2 + d, size)
  }
  const image = castTo(b, result, dtype)
  return rankOf(given) === count + 2 ? image : reshapeTo(b, image, shapeOf(image).slice(1))
}

const adaptiveMax = 'Max pooling to outputSize in the spatial dims, whatever the input size.'
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

function adaptiveCall(name: string, count: number, { self, outputSize }: Bound<typeof adaptiveSignature>) {
  const list = typeof outputSize === 'number' ? new Array<number>(count).fill(outputSize) : outputSize
  const sizes = list.map(size => size ?? 1)
  const known = perDim(name, 'outputSize', sizes, count, 1)
  return call<AdaptiveAttrs>([self], { output: list.map((size, d) => (size === null ? null : known[d]!)) })
}

const adaptive = (name: string, kind: Kind, count: number, summary: string) =>
  op({
    name,
    summary,
    category: 'reduction',
    signature: adaptiveSignature,
    ...adaptiveTexts,
    shape: adaptiveShape,
    dtypes: kind === 'max' ? anyKept : floatKept,
    call: (args): OpCall<AdaptiveAttrs> => adaptiveCall(name, count, args),
    results: null,
    build: (b: GraphBuilder, [input]: readonly OpInput[], attrs: AdaptiveAttrs) => [
      buildAdaptive(name, kind, count, b, input!.node, attrs),
    ],
    gradient: 'later',
  })

const adaptiveMean = 'Mean pooling to outputSize in the spatial dims, whatever the input size.'

/** Values and their places among the spatial elements, folded dim by dim from the last: of equals the first in row-major order. */
function buildAdaptiveIndices(name: string, count: number, b: GraphBuilder, given: GraphNode, attrs: AdaptiveAttrs) {
  const x = withBatch(b, name, given, count)
  const spatial = shapeOf(x).slice(2)
  const counter = b.node('iota', [], { length: productOf(spatial), dtype: 'i64' })
  let values = castTo(b, x, computeDtype(dtypeOf(x)))
  let places = expandTo(b, reshapeTo(b, counter, spatial), shapeOf(x))
  for (const [d, own] of [...spatial.entries()].reverse()) {
    const what = (): string => `${name}: spatial dim ${d} has no elements`
    if (!decideAtLeast(own, 1, what)) throw new ShapeError(what(), { fix: 'give it at least one element' })
    const [dim, windows] = [2 + d, attrs.output[d] ?? null]
    if (windows === null || windows === own) continue
    const parts = Array.from({ length: windows }, (_, i) => {
      const [start, end] = span(i, own, windows)
      const slice = wholeSlice(shapeOf(values))
      slice.starts[dim] = start
      slice.sizes[dim] = subSizes(end, start)
      const [part, at] = [sliceTo(b, values, slice), sliceTo(b, places, slice)]
      const best = reduceKeepdim(b, 'argmax', part, [dim])
      return [part, at].map(node => b.node('gather', [node, best], { dim }))
    })
    values = b.node(
      'cat',
      parts.map(([value]) => value!),
      { dim },
    )
    places = b.node(
      'cat',
      parts.map(([, place]) => place!),
      { dim },
    )
  }
  return [castTo(b, values, dtypeOf(x)), places].map(node =>
    rankOf(given) === count + 2 ? node : reshapeTo(b, node, shapeOf(node).slice(1)),
  )
}

const adaptiveWithIndices = (count: 1 | 2 | 3) => {
  const name = `adaptiveMaxPool${count}dWithIndices`
  return op({
    name,
    summary: `${adaptiveMax.slice(0, -1)}, and their places among the spatial elements (of equals the first).`,
    category: 'reduction',
    signature: adaptiveSignature,
    ...adaptiveTexts,
    shape: { values: adaptiveShape, indices: adaptiveShape },
    dtypes: { takes: 'any', gives: { values: 'same', indices: 'i64' } },
    call: (args): OpCall<AdaptiveAttrs> => adaptiveCall(name, count, args),
    results: ['values', 'indices'],
    build: (b: GraphBuilder, [input]: readonly OpInput[], attrs: AdaptiveAttrs) =>
      buildAdaptiveIndices(name, count, b, input!.node, attrs),
    gradient: 'later',
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
      const attrs = poolAttrs(name, count, { kernelSize, stride, padding: 0, ceilMode })
      const mean = self.with(buildPool(name, 'avg', self.b, self.pow(normType).node, attrs))
      const window = attrs.kernel.reduce((a, c) => a * c, 1)
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

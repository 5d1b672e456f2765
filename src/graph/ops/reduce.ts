/** Shared by reductions: grouping of elements for references, result shapes, and broadcasting of gradients. */
import type { Value as Element } from '../../scalar/ops.js'
import { productOf, type Size } from '../../scalar/size.js'
import type { Dtype } from '../../types/dtype.js'
import {
  constant,
  countOf,
  dtypeOf,
  expandTo,
  keptShape,
  map,
  normalizeDims,
  reduceKeepdim,
  reshapeTo,
  shapeOf,
} from '../build.js'
import { forEachIndex, hostFrom, hostValue } from '../host.js'
import type { GraphBuilder, GraphNode, Shape } from '../ir.js'
import type { GradientContext, HostTensor, OpCall, Value } from '../record.js'
import { call, type ReduceAttrs } from './arguments.js'

/** The elements that each result element reduces, in row-major order. */
export function hostGroups(
  { shape, data }: HostTensor,
  dims: readonly number[],
): { readonly kept: readonly number[]; readonly groups: readonly (readonly Element[])[] } {
  const kept = shape.filter((_, d) => !dims.includes(d))
  const groups = Array.from({ length: kept.reduce((a, b) => a * b, 1) }, (): Element[] => [])
  forEachIndex(shape, (index, flat) => {
    let at = 0
    for (const [d, i] of index.entries()) if (!dims.includes(d)) at = at * shape[d]! + i
    groups[at]!.push(data[flat]!)
  })
  return { kept, groups }
}

export function referenceReduce(
  name: string,
  input: HostTensor,
  attrs: ReduceAttrs,
  result: Dtype,
  fold: (values: readonly Element[]) => Element | boolean,
): HostTensor {
  const dims = normalizeDims(name, attrs.dims, input.shape.length)
  const { kept, groups } = hostGroups(input, dims)
  const shape = attrs.keepdim ? input.shape.map((size, d) => (dims.includes(d) ? 1 : size)) : kept
  return hostFrom(result, shape, (_, flat) => hostValue(result, fold(groups[flat]!)))
}

/** Drops the dims of size 1 of a keepdim reduction, unless `keepdim`. */
export function finish(b: GraphBuilder, kept: GraphNode, dims: readonly number[], keepdim: boolean): GraphNode {
  if (keepdim) return kept
  return reshapeTo(
    b,
    kept,
    shapeOf(kept).filter((_, d) => !dims.includes(d)),
  )
}

/** Broadcasts a gradient of the result back over the reduced dims. */
export function spread({ inputs, attrs, op, shapeOf }: GradientContext<ReduceAttrs>, gradient: Value): Value {
  const shape = shapeOf(inputs[0]!)
  const dims = normalizeDims('gradient', attrs.dims, shape.length)
  return op('expand', op('reshape', gradient, keptShape(shape, dims)), shape)
}

/** How many elements each result element reduces. */
export const reducedCount = (shape: Shape, dims: readonly number[]) => productOf(dims.map(dim => shape[dim]!))

export const reduceSignature = 'self, dim: dims | null = null, keepdim: bool = false'
export const typedReduceSignature = `${reduceSignature}, *, dtype: dtype | null = null` as const

/** The call of a reduction: over `dim`, or over all dims. */
export const reduceCall = (args: {
  readonly self: Value
  readonly dim: readonly number[] | null
  readonly keepdim: boolean
  readonly dtype?: Dtype | null
}): OpCall<ReduceAttrs> => call([args.self], { dims: args.dim, keepdim: args.keepdim, dtype: args.dtype ?? null })

/** A plain sum, without Kahan: in float64 over values of at most f32 its error is far below the result's rounding. */
export const floatSum = (values: readonly Element[]): number =>
  values.reduce<number>((sum, value) => sum + Number(value), 0)

/** The mean over `dims` of a tensor in its compute dtype, with the dims kept as 1. */
export function meanKeepdim(b: GraphBuilder, node: GraphNode, dims: readonly number[]): GraphNode {
  const sum = reduceKeepdim(b, 'add', node, dims)
  const count = countOf(b, reducedCount(shapeOf(node), dims), dtypeOf(node))
  return map(b, 'div', sum, expandTo(b, count, shapeOf(sum)))
}

/** The sum times 1/n: within one rounding of the mean, and cheap to rematerialise. */
export function quickMean(b: GraphBuilder, node: GraphNode, dims: readonly number[]): GraphNode {
  const sum = reduceKeepdim(b, 'add', node, dims)
  const count = reducedCount(shapeOf(node), dims)
  const dtype = dtypeOf(node)
  const one = constant(b, dtype, 1)
  const share = typeof count === 'number' ? constant(b, dtype, 1 / count) : map(b, 'div', one, countOf(b, count, dtype))
  return map(b, 'mul', sum, expandTo(b, share, shapeOf(sum)))
}

/**
 * The deviations from the mean over `dims`, of a tensor in its compute dtype, and their mean square, with the dims kept as
 * 1. Far from 0, the rounding error of the mean m can be as large as the data's spread. δ, the mean of x − m, measures that
 * error and corrects both results: x − m − δ, and mean((x − m)²) − δ².
 */
export function aroundMean(
  b: GraphBuilder,
  x: GraphNode,
  dims: readonly number[],
): { readonly centred: GraphNode; readonly power: GraphNode; readonly mean: () => GraphNode } {
  const shape = shapeOf(x)
  const middle = quickMean(b, x, dims)
  const rough = map(b, 'sub', x, expandTo(b, middle, shape))
  const offset = quickMean(b, rough, dims)
  const squares = quickMean(b, map(b, 'mul', rough, rough), dims)
  const power = map(b, 'sub', squares, map(b, 'mul', offset, offset))
  const zero = expandTo(b, constant(b, dtypeOf(x), 0), shapeOf(power))
  // Overflowed squares stay infinite: ∞ − ∞ would be NaN.
  const exact = map(b, 'where', map(b, 'isfinite', squares), map(b, 'max', power, zero), squares)
  const mean = (): GraphNode => map(b, 'add', middle, offset)
  return { centred: map(b, 'sub', rough, expandTo(b, offset, shape)), power: exact, mean }
}

/** From so many elements on a variance is made of blocks; a block is a row that one program keeps. */
const longReduction = 2 ** 18
const [shortestBlock, longestBlock] = [2 ** 9, 2 ** 13]

/**
 * The mean square of the deviations from the mean over `dims`, with the dims kept as 1. Of many elements by blocks, which are read
 * once: the mean of the blocks' variances and the variance of their means (the law of total variance).
 */
export function powerAroundMean(b: GraphBuilder, x: GraphNode, dims: readonly number[]): GraphNode {
  const shape = shapeOf(x)
  const last = shape.length - 1
  const block = dims.includes(last) ? blockOf(reducedCount(shape, dims), shape[last]!) : null
  if (block === null) return aroundMean(b, x, dims).power
  const { count, length } = block
  const within = aroundMean(b, reshapeTo(b, x, [...shape.slice(0, last), count, length]), [last + 1])
  const between = aroundMean(b, within.mean(), dims)
  const power = map(b, 'add', meanKeepdim(b, within.power, dims), between.power)
  const kept = shape.map((size, d) => (dims.includes(d) ? 1 : size))
  return reshapeTo(b, power, kept)
}

/** Blocks of equal length of the innermost dim; null: there are few elements in all, or the dim is not divided evenly. */
function blockOf(elements: Size, size: Size): { readonly count: number; readonly length: number } | null {
  if (typeof elements !== 'number' || typeof size !== 'number' || elements < longReduction) return null
  let length = size
  while (length > longestBlock && length % 2 === 0) length /= 2
  return length < shortestBlock || length > longestBlock ? null : { count: size / length, length }
}

/** x / √(mean square + eps) over `dims`; the mean is subtracted first if `isCentred`. */
export function standardize(
  b: GraphBuilder,
  x: GraphNode,
  dims: readonly number[],
  eps: number,
  isCentred: boolean,
): GraphNode {
  const { centred, power } = isCentred
    ? aroundMean(b, x, dims)
    : { centred: x, power: meanKeepdim(b, map(b, 'mul', x, x), dims) }
  const scale = map(b, 'rsqrt', map(b, 'add', power, expandTo(b, constant(b, dtypeOf(x), eps), shapeOf(power))))
  return map(b, 'mul', centred, expandTo(b, scale, shapeOf(x)))
}

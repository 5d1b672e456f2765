/** Shared by reductions: grouping of elements for references, result shapes, and broadcasting of gradients. */
import type { Value as Element } from '../../scalar/ops.js'
import { productOf } from '../../scalar/size.js'
import type { Dtype } from '../../types/dtype.js'
import { asNode, asValue } from '../apply.js'
import {
  castTo,
  constant,
  countOf,
  dtypeOf,
  expandTo,
  full,
  keptShape,
  map,
  normalizeDims,
  reduceKeepdim,
  reshapeTo,
  shapeOf,
} from '../build.js'
import { forEachIndex, hostFrom, hostValue } from '../host.js'
import type { GraphBuilder, GraphNode, Shape } from '../ir.js'
import {
  type Gradient,
  type GradientContext,
  type HostTensor,
  keptTogether,
  type OpCall,
  type Value,
} from '../record.js'
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
function quickMean(b: GraphBuilder, node: GraphNode, dims: readonly number[]): GraphNode {
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

/** As `standardize`, kept together for its own gradient. */
export const standardized = (
  b: GraphBuilder,
  x: GraphNode,
  dims: readonly number[],
  eps: number,
  isCentred: boolean,
): GraphNode => {
  const results = [standardize(b, x, dims, eps, isCentred)]
  return keptTogether(b, 'standardize', { dims, eps, isCentred }, [{ node: x, isNumber: false }], results)[0]!
}

type StandardizeAttrs = { readonly dims: readonly number[]; readonly eps: number; readonly isCentred: boolean }

/** (g − mean(g) − y · mean(g · y)) / √(power + eps): what the statistics' gradients add up to, in one pass over g and y. */
const standardizeGradient: Gradient<StandardizeAttrs> = ({ b, inputs, outputs, outputGradients, attrs }) => {
  const [x, y, g] = [inputs[0]!, outputs[0]!, outputGradients[0]!].map(asNode) as [GraphNode, GraphNode, GraphNode]
  const { dims, eps, isCentred } = attrs
  const power = isCentred ? aroundMean(b, x, dims).power : meanKeepdim(b, map(b, 'mul', x, x), dims)
  const scale = map(b, 'rsqrt', map(b, 'add', power, full(b, dtypeOf(x), shapeOf(power), eps)))
  const spreadOut = (node: GraphNode): GraphNode => expandTo(b, node, shapeOf(x))
  const inner = map(b, 'mul', y, spreadOut(quickMean(b, map(b, 'mul', g, y), dims)))
  const centred = isCentred ? map(b, 'sub', g, spreadOut(quickMean(b, g, dims))) : g
  return [asValue(map(b, 'mul', map(b, 'sub', centred, inner), spreadOut(scale)))]
}

// --- lengths -----------------------------------------------------------------------------------------------------------

/** (Σ |x|^p)^(1/p) over the dims, which stay with size 1. */
export const lengthsOf = (b: GraphBuilder, x: GraphNode, p: number, dims: readonly number[]): GraphNode =>
  keptTogether(b, 'lengths', { p, dims }, [{ node: x, isNumber: false }], [buildLengths(b, x, p, dims)])[0]!

type LengthAttrs = { readonly p: number; readonly dims: readonly number[] }

/** sign(x) · |x|^(p − 1) / length^(p − 1); 0 where the length is. */
const lengthGradient: Gradient<LengthAttrs> = ({ b, inputs, outputs, outputGradients, attrs: { p, dims } }) => {
  const [x, y, g] = [inputs[0]!, outputs[0]!, outputGradients[0]!].map(asNode) as [GraphNode, GraphNode, GraphNode]
  const number = (value: number, model: GraphNode): GraphNode => full(b, dtypeOf(model), shapeOf(model), value)
  const spreadOut = (node: GraphNode): GraphNode => expandTo(b, node, shapeOf(x))
  const unlessZero = (at: GraphNode, value: GraphNode): GraphNode =>
    map(b, 'where', map(b, 'eq', at, number(0, at)), number(0, value), value)
  const size = map(b, 'abs', x)
  const sign = map(b, 'sign', x)
  if (p === 0) return [asValue(number(0, x))]
  if (p === 1) return [asValue(map(b, 'mul', spreadOut(g), sign))]
  if (Math.abs(p) === Number.POSITIVE_INFINITY) {
    const isExtreme = map(b, 'eq', size, spreadOut(y))
    const count = reduceKeepdim(b, 'add', castTo(b, isExtreme, dtypeOf(x)), dims)
    return [asValue(map(b, 'mul', map(b, 'where', isExtreme, spreadOut(map(b, 'div', g, count)), number(0, x)), sign))]
  }
  if (p === 2) return [asValue(map(b, 'mul', x, spreadOut(unlessZero(y, map(b, 'div', g, y)))))]
  const scale = unlessZero(y, map(b, 'mul', g, map(b, 'pow', y, number(1 - p, y))))
  const power = map(b, 'mul', sign, map(b, 'pow', size, number(p - 1, size)))
  return [asValue(map(b, 'mul', p < 1 ? unlessZero(x, power) : power, spreadOut(scale)))]
}

type ExtremeAttrs = { readonly dims: readonly number[]; readonly fn: 'max' | 'min' }

/** The largest or smallest over the dims, which stay with size 1. Of equal ones the first has the gradient. */
export const firstExtreme = (
  b: GraphBuilder,
  x: GraphNode,
  fn: ExtremeAttrs['fn'],
  dims: readonly number[],
): GraphNode => {
  const results = [reduceKeepdim(b, fn, x, dims)]
  return keptTogether(b, 'firstExtreme', { dims, fn }, [{ node: x, isNumber: false }], results)[0]!
}

/** The place of each element within what is reduced with it, in row-major order. */
function placesAlong(b: GraphBuilder, shape: Shape, dims: readonly number[]): GraphNode {
  const parts = dims.map((dim, i) => {
    const index = b.node('iota', [], { length: shape[dim]!, dtype: 'i64' })
    const step = countOf(b, productOf(dims.slice(i + 1).map(d => shape[d]!)), 'i64')
    const scaled = map(b, 'mul', index, expandTo(b, step, shapeOf(index)))
    const along = shape.map((size, d) => (d === dim ? size : 1))
    return expandTo(b, reshapeTo(b, scaled, along), shape)
  })
  return parts.reduce((sum, part) => map(b, 'add', sum, part))
}

const firstExtremeGradient: Gradient<ExtremeAttrs> = ({ b, inputs, outputs, outputGradients, attrs: { fn, dims } }) => {
  const [x, y, g] = [inputs[0]!, outputs[0]!, outputGradients[0]!].map(asNode) as [GraphNode, GraphNode, GraphNode]
  if (dims.length === 0) return [asValue(g)]
  const shape = shapeOf(x)
  const spreadOut = (node: GraphNode): GraphNode => expandTo(b, node, shape)
  const places = placesAlong(b, shape, dims)
  const firstOf = (): GraphNode => {
    if (dims.length === 1) return reduceKeepdim(b, fn === 'max' ? 'argmax' : 'argmin', x, dims)
    const isBest = map(b, 'or', map(b, 'eq', x, spreadOut(y)), map(b, 'isnan', x))
    const behind = spreadOut(countOf(b, reducedCount(shape, dims), 'i64'))
    return reduceKeepdim(b, 'min', map(b, 'where', isBest, places, behind), dims)
  }
  const isFirst = map(b, 'eq', places, spreadOut(firstOf()))
  return [asValue(map(b, 'where', isFirst, spreadOut(g), full(b, dtypeOf(g), shape, 0)))]
}

/** The gradients of formulas within ops, by the names of their regions. */
export const innerGradients: { readonly [name: string]: Gradient<never> } = {
  standardize: standardizeGradient,
  lengths: lengthGradient,
  firstExtreme: firstExtremeGradient,
}

function buildLengths(b: GraphBuilder, x: GraphNode, p: number, dims: readonly number[]): GraphNode {
  const size = map(b, 'abs', x)
  const number = (model: GraphNode, value: number): GraphNode => full(b, dtypeOf(model), shapeOf(model), value)
  if (p === Number.POSITIVE_INFINITY) return reduceKeepdim(b, 'max', size, dims)
  if (p === Number.NEGATIVE_INFINITY) return reduceKeepdim(b, 'min', size, dims)
  if (p === 0) return reduceKeepdim(b, 'add', castTo(b, map(b, 'ne', size, number(size, 0)), dtypeOf(size)), dims)
  if (p === 1) return reduceKeepdim(b, 'add', size, dims)
  if (p === 2) return map(b, 'sqrt', reduceKeepdim(b, 'add', map(b, 'mul', size, size), dims))
  const sum = reduceKeepdim(b, 'add', map(b, 'pow', size, number(size, p)), dims)
  return map(b, 'pow', sum, number(sum, 1 / p))
}

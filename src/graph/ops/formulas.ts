/**
 * Formulas that several ops consist of and that have gradients of their own: standardising, lengths of vectors, the first of
 * equal extremes. Within an op each is a region under its own name.
 */

import type { Attrs } from '../../ir/node.js'
import { productOf } from '../../scalar/size.js'
import { asNode, asValue } from '../apply.js'
import { castTo, countOf, dtypeOf, expandTo, full, map, reduceKeepdim, reshapeTo, shapeOf } from '../build.js'
import type { GraphBuilder, GraphNode, Shape } from '../ir.js'
import { type Gradient, keptTogether, type OpInput, type Value } from '../record.js'
import { aroundMean, meanKeepdim, quickMean, reducedCount, standardize } from './reduce.js'

// --- standardising -------------------------------------------------------------------------------------------------------

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

// --- distances ---------------------------------------------------------------------------------------------------------

/** Euclidean distances of all rows of two matrices, kept together for their own gradient. */
export const keptDistances = (
  x1: OpInput & { readonly b: GraphBuilder },
  x2: OpInput,
  distances: GraphNode,
): GraphNode => keptTogether(x1.b, 'distances', {}, [x1, x2], [distances])[0]!

/**
 * Σ w (x − y) over y, w = g / distance, as x Σ w − w y: two products of matrices instead of all differences again. It is taken
 * around the mean of the rows, so that less cancels; where that is not finite, around 0, so that no more elements become NaN.
 */
const distancesGradient: Gradient<Attrs> = ({ inputs, outputs, outputGradients, op }) => {
  const [x1, x2] = inputs as readonly [Value, Value]
  const [distance, g] = [outputs[0]!, outputGradients[0]!]
  const weights = op('where', op('eq', distance, 0), 0, op('div', g, distance))
  const centre = op('nanToNum', op('mean', x2, -2, true), 0, 0, 0)
  const rows = op('sub', x1, centre)
  const others = op('sub', x2, centre)
  const transposed = op('transpose', weights, -2, -1)
  return [
    op('sub', op('mul', rows, op('sum', weights, -1, true)), op('matmul', weights, others)),
    op('sub', op('mul', others, op('sum', transposed, -1, true)), op('matmul', transposed, rows)),
  ]
}

// --- extremes ------------------------------------------------------------------------------------------------------------

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
export function placesAlong(b: GraphBuilder, shape: Shape, dims: readonly number[], dtype: 'i32' | 'i64'): GraphNode {
  const parts = dims.map((dim, i) => {
    const index = b.node('iota', [], { length: shape[dim]!, dtype })
    const step = countOf(b, productOf(dims.slice(i + 1).map(d => shape[d]!)), dtype)
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
  const count = reducedCount(shape, dims)
  // What one dim is reduced along gives an i64; places in windows take half of that.
  const dtype = dims.length > 1 && typeof count === 'number' && count < 2 ** 31 ? 'i32' : 'i64'
  const places = placesAlong(b, shape, dims, dtype)
  const firstOf = (): GraphNode => {
    if (dims.length === 1) return reduceKeepdim(b, fn === 'max' ? 'argmax' : 'argmin', x, dims)
    const isBest = map(b, 'or', map(b, 'eq', x, spreadOut(y)), map(b, 'isnan', x))
    const behind = spreadOut(countOf(b, count, dtype))
    return reduceKeepdim(b, 'min', map(b, 'where', isBest, places, behind), dims)
  }
  const isFirst = map(b, 'eq', places, spreadOut(firstOf()))
  return [asValue(map(b, 'where', isFirst, spreadOut(g), full(b, dtypeOf(g), shape, 0)))]
}

function buildLengths(b: GraphBuilder, x: GraphNode, p: number, dims: readonly number[]): GraphNode {
  const size = map(b, 'abs', x)
  const number = (model: GraphNode, value: number): GraphNode => full(b, dtypeOf(model), shapeOf(model), value)
  // The length of one number is its size: no square that may overflow, and no root of it.
  if (p !== 0 && dims.every(dim => shapeOf(x)[dim] === 1)) return size
  if (p === Number.POSITIVE_INFINITY) return reduceKeepdim(b, 'max', size, dims)
  if (p === Number.NEGATIVE_INFINITY) return reduceKeepdim(b, 'min', size, dims)
  if (p === 0) return reduceKeepdim(b, 'add', castTo(b, map(b, 'ne', size, number(size, 0)), dtypeOf(size)), dims)
  if (p === 1) return reduceKeepdim(b, 'add', size, dims)
  if (p === 2) return map(b, 'sqrt', reduceKeepdim(b, 'add', map(b, 'mul', size, size), dims))
  const sum = reduceKeepdim(b, 'add', map(b, 'pow', size, number(size, p)), dims)
  return map(b, 'pow', sum, number(sum, 1 / p))
}

/** The gradients by the names of the regions. */
export const formulaGradients: { readonly [name: string]: Gradient<never> } = {
  standardize: standardizeGradient,
  lengths: lengthGradient,
  distances: distancesGradient,
  firstExtreme: firstExtremeGradient,
}

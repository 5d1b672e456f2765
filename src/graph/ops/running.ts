/** Running extremes and running sums of exponentials along a dim. */

import { addSizes } from '../../scalar/size.js'
import { computeDtype, isFloat } from '../../types/dtype.js'
import {
  castTo,
  dtypeOf,
  expandTo,
  full,
  map,
  normalizeDim,
  rankOf,
  requireFloat,
  reshapeTo,
  shapeOf,
  sliceTo,
  wholeSlice,
  withDim,
} from '../build.js'
import type { GraphBuilder, GraphNode } from '../ir.js'
import { type OpInput, op } from '../record.js'
import { decideAtLeast, printShape } from '../sizes.js'
import { asInput, floatKept } from './texts.js'

type DimAttrs = { readonly dim: number }
// --- extremes ------------------------------------------------------------------------------------------------------------

function buildExtreme(name: string, b: GraphBuilder, given: GraphNode, asked: number, fn: 'max' | 'min') {
  return withDim(b, given, node => {
    const shape = shapeOf(node)
    const dim = normalizeDim(name, asked, shape.length)
    const dtype = dtypeOf(node)
    const x = castTo(b, node, dtype === 'bool' ? 'u8' : computeDtype(dtype))
    const values = b.node('scan', [x], { fn, dim, reverse: false })
    // Where an element is the extreme so far, the index starts anew from its place.
    const equal = map(b, 'eq', x, values)
    const taken = isFloat(dtypeOf(x)) ? map(b, 'or', equal, map(b, 'isnan', x)) : equal
    const counter = b.node('iota', [], { length: shape[dim]!, dtype: 'i64' })
    const along = shape.map((size, d) => (d === dim ? size : 1))
    const places = map(b, 'where', taken, expandTo(b, reshapeTo(b, counter, along), shape), full(b, 'i64', shape, 0))
    return [castTo(b, values, dtype), b.node('scan', [places], { fn: 'max', dim, reverse: false })]
  })
}

const extreme = (name: 'cummax' | 'cummin', fn: 'max' | 'min', summary: string) =>
  op({
    name,
    summary,
    category: 'reduction',
    signature: 'self, dim: dim',
    shape: { values: asInput, indices: asInput },
    dtypes: { takes: 'any', gives: { values: 'same', indices: 'i64' } },
    results: ['values', 'indices'],
    build: (b: GraphBuilder, [input]: readonly OpInput[], { dim }: DimAttrs) =>
      buildExtreme(name, b, input!.node, dim, fn),
    gradient: 'later',
  })

// --- sums of exponentials --------------------------------------------------------------------------------------------------

function logaddexp(b: GraphBuilder, x: GraphNode, y: GraphNode): GraphNode {
  const number = (value: number): GraphNode => full(b, dtypeOf(x), shapeOf(x), value)
  const distance = map(b, 'where', map(b, 'eq', x, y), number(0), map(b, 'abs', map(b, 'sub', x, y)))
  return map(b, 'add', map(b, 'max', x, y), map(b, 'log1p', map(b, 'exp', map(b, 'neg', distance))))
}

/**
 * Sums over the last 1, 2, 4, … elements: a sum of exponentials must be taken relative to its own largest term, so the
 * running sum of e^(x − the row's largest) would lose rows that begin small.
 */
function buildLogcumsumexp(b: GraphBuilder, node: GraphNode, asked: number): GraphNode {
  const shape = shapeOf(node)
  const dim = normalizeDim('logcumsumexp', asked, shape.length)
  const size = shape[dim]!
  const what = (): string => `logcumsumexp: along dim ${dim} of ${printShape(shape)}`
  let sum = castTo(b, node, computeDtype(dtypeOf(node)))
  for (let reach = 1; decideAtLeast(size, reach + 1, what); reach *= 2) {
    const before = wholeSlice(shape)
    before.sizes[dim] = addSizes(size, -reach)
    const outside = full(b, dtypeOf(sum), shape.with(dim, reach), Number.NEGATIVE_INFINITY)
    sum = logaddexp(b, sum, b.node('cat', [outside, sliceTo(b, sum, before)], { dim }))
  }
  return castTo(b, sum, dtypeOf(node))
}

const logcumsumexp = op({
  name: 'logcumsumexp',
  summary: 'ln of the running sum of e^self along a dim, without overflow.',
  category: 'reduction',
  signature: 'self, dim: dim',
  shape: asInput,
  dtypes: floatKept,
  results: null,
  build: (b: GraphBuilder, [input]: readonly OpInput[], { dim }: DimAttrs) => {
    requireFloat('logcumsumexp', dtypeOf(input!.node), "cast first: x.to('f32')")
    normalizeDim('logcumsumexp', dim, rankOf(input!.node))
    return withDim(b, input!.node, node => [buildLogcumsumexp(b, node, dim)])
  },
  gradient: 'later',
})

export const runningRecords = {
  cummax: extreme(
    'cummax',
    'max',
    'The running maximum along a dim, and the index of its last occurrence so far; from a NaN on, NaN.',
  ),
  cummin: extreme(
    'cummin',
    'min',
    'The running minimum along a dim, and the index of its last occurrence so far; from a NaN on, NaN.',
  ),
  logcumsumexp,
}

/** Medians, quantiles, the k-th smallest value, the most frequent one: all read from sorted values. */

import { ArgumentError, ShapeError } from '../../base/errors.js'
import { floorDivSizes, productOf, rangeOf, type Size, subSizes } from '../../scalar/size.js'
import { computeDtype, isFloat } from '../../types/dtype.js'
import {
  castTo,
  constant,
  countOf,
  dtypeOf,
  expandTo,
  full,
  map,
  normalizeDim,
  permuteTo,
  rankOf,
  reduceKeepdim,
  requireElements,
  requireFloat,
  reshapeTo,
  shapeOf,
  sliceTo,
  wholeSlice,
  withDim,
} from '../build.js'
import type { GraphBuilder, GraphNode } from '../ir.js'
import { type OpCall, type OpInput, op } from '../record.js'
import type { Bound } from '../signature.js'
import { decideAtLeast, printShape } from '../sizes.js'
import { call } from './arguments.js'
import { anyKept, emptyDims, floatKept, scalar, valuesAndIndices, withoutDim } from './texts.js'

type DimAttrs = { readonly dim: number; readonly keepdim: boolean }

// --- shared ------------------------------------------------------------------------------------------------------------

interface Sorted {
  readonly values: GraphNode
  readonly indices: GraphNode
}

function sorted(b: GraphBuilder, node: GraphNode, dim: number): Sorted {
  const pair = b.node('sort', [node], { dim, descending: false })
  return { values: b.node('item', [pair], { index: 0 }), indices: b.node('item', [pair], { index: 1 }) }
}

/** The slice at one position along a dim, which is kept with size 1. */
function partAt(b: GraphBuilder, node: GraphNode, dim: number, position: Size): GraphNode {
  const attrs = wholeSlice(shapeOf(node))
  attrs.starts[dim] = position
  attrs.sizes[dim] = 1
  return sliceTo(b, node, attrs)
}

const without = <T>(shape: readonly T[], dim: number): readonly T[] => shape.filter((_, d) => d !== dim)

const dropped = (b: GraphBuilder, node: GraphNode, { dim, keepdim }: DimAttrs): GraphNode =>
  keepdim ? node : reshapeTo(b, node, without(shapeOf(node), normalizeDim('', dim, rankOf(node))))

/** Builds (values, indices) of size 1 along a dim that has elements, and drops it if asked. */
function alongDim(
  name: string,
  b: GraphBuilder,
  given: GraphNode,
  attrs: DimAttrs,
  build: (node: GraphNode, dim: number) => readonly GraphNode[],
): readonly GraphNode[] {
  // Narrow floats are compared as f32.
  const inDtype = (nodes: readonly GraphNode[]): readonly GraphNode[] =>
    nodes.map((node, i) => (i === 0 ? castTo(b, node, dtypeOf(given)) : node))
  if (rankOf(given) === 0) {
    normalizeDim(name, attrs.dim, 0)
    return withDim(b, given, node => inDtype(build(node, 0)))
  }
  const dim = normalizeDim(name, attrs.dim, rankOf(given))
  requireElements(name, shapeOf(given), [dim])
  return inDtype(build(given, dim)).map(node => dropped(b, node, attrs))
}

// --- medians -----------------------------------------------------------------------------------------------------------

type MedianName = 'median' | 'nanmedian'

function buildMedian(name: MedianName, b: GraphBuilder, node: GraphNode, dim: number): readonly GraphNode[] {
  const size = shapeOf(node)[dim]!
  const x = castTo(b, node, computeDtype(dtypeOf(node)))
  const { values, indices } = sorted(b, x, dim)
  const middle = floorDivSizes(subSizes(size, 1), 2)
  if (!isFloat(dtypeOf(node))) return [partAt(b, values, dim, middle), partAt(b, indices, dim, middle)]
  if (name === 'median') {
    const last = partAt(b, values, dim, subSizes(size, 1))
    const missing = map(b, 'isnan', last)
    return [
      map(b, 'where', missing, last, partAt(b, values, dim, middle)),
      map(b, 'where', missing, reduceKeepdim(b, 'argmax', x, [dim]), partAt(b, indices, dim, middle)),
    ]
  }
  // The middle of the values that are not NaN; if all are NaN, the first.
  const known = castTo(b, map(b, 'not', map(b, 'isnan', x)), 'i64')
  const count = reduceKeepdim(b, 'add', known, [dim])
  const number = (value: number): GraphNode => full(b, 'i64', shapeOf(count), value)
  const position = map(b, 'shr', map(b, 'sub', map(b, 'max', count, number(1)), number(1)), number(1))
  return [b.node('gather', [values, position], { dim }), b.node('gather', [indices, position], { dim })]
}

const flat = (b: GraphBuilder, node: GraphNode): GraphNode => reshapeTo(b, node, [productOf(shapeOf(node))])

const median = (name: MedianName, summary: string) =>
  op({
    name,
    summary,
    category: 'reduction',
    signature: 'self',
    shape: scalar,
    dtypes: anyKept,
    errors: { ShapeError: 'when there are no elements' },
    results: null,
    build: (b: GraphBuilder, [input]: readonly OpInput[]) => {
      const row = flat(b, input!.node)
      requireElements(name, shapeOf(row), [0])
      return [castTo(b, reshapeTo(b, buildMedian(name, b, row, 0)[0]!, []), dtypeOf(row))]
    },
    gradient: 'later',
  })

const medianWithIndices = (name: MedianName, summary: string) =>
  op({
    name: `${name}WithIndices`,
    summary,
    category: 'reduction',
    signature: 'self, dim: dim = -1, keepdim: bool = false',
    errors: { ShapeError: emptyDims },
    ...valuesAndIndices,
    build: (b: GraphBuilder, [input]: readonly OpInput[], attrs: DimAttrs) =>
      alongDim(name, b, input!.node, attrs, (node, dim) => buildMedian(name, b, node, dim)),
    gradient: 'later',
  })

// --- k-th and most frequent ----------------------------------------------------------------------------------------------

type KthAttrs = DimAttrs & { readonly k: number }

const kthvalue = op({
  name: 'kthvalue',
  summary: 'The k-th smallest value along a dim (k from 1), and its index; NaN counts as largest.',
  category: 'sorting',
  signature: 'self, k: positive, dim: dim = -1, keepdim: bool = false',
  details: { k: 'which one, from 1 on' },
  errors: { ShapeError: 'when dim has fewer than k elements' },
  ...valuesAndIndices,
  build: (b: GraphBuilder, [input]: readonly OpInput[], attrs: KthAttrs) =>
    alongDim('kthvalue', b, input!.node, attrs, (node, dim) => {
      const size = shapeOf(node)[dim]!
      const what = (): string =>
        `kthvalue: k is ${attrs.k}, dim ${dim} of ${printShape(shapeOf(node))} has ${size} elements`
      if (!decideAtLeast(size, attrs.k, what))
        throw new ShapeError(what(), { fix: `use a k of at most ${rangeOf(size).max}` })
      const { values, indices } = sorted(b, node, dim)
      return [partAt(b, values, dim, attrs.k - 1), partAt(b, indices, dim, attrs.k - 1)]
    }),
  gradient: 'later',
})

/** Finds the longest run of equal sorted values: the position with the largest distance to the start of its run. */
function buildMode(b: GraphBuilder, node: GraphNode, dim: number): readonly GraphNode[] {
  const shape = shapeOf(node)
  const { values, indices } = sorted(b, castTo(b, node, computeDtype(dtypeOf(node))), dim)
  const along = shape.map((size, d) => (d === dim ? size : 1))
  const counter = b.node('iota', [], { length: shape[dim]!, dtype: 'i64' })
  const position = expandTo(b, reshapeTo(b, counter, along), shape)
  const one = full(b, 'i64', shape, 1)
  const before = b.node('gather', [values, map(b, 'max', map(b, 'sub', position, one), full(b, 'i64', shape, 0))], {
    dim,
  })
  const start = map(b, 'or', map(b, 'ne', values, before), map(b, 'eq', position, full(b, 'i64', shape, 0)))
  const starts = b.node('scan', [map(b, 'where', start, position, full(b, 'i64', shape, 0))], {
    fn: 'max',
    dim,
    reverse: false,
  })
  const best = reduceKeepdim(b, 'argmax', map(b, 'sub', position, starts), [dim])
  return [b.node('gather', [values, best], { dim }), b.node('gather', [indices, best], { dim })]
}

const mode = op({
  name: 'mode',
  summary: 'The most frequent value along a dim (of several the smallest), and the index of its last occurrence.',
  category: 'sorting',
  signature: 'self, dim: dim = -1, keepdim: bool = false',
  errors: { ShapeError: emptyDims },
  ...valuesAndIndices,
  build: (b: GraphBuilder, [input]: readonly OpInput[], attrs: DimAttrs) =>
    alongDim('mode', b, input!.node, attrs, (node, dim) => buildMode(b, node, dim)),
  gradient: 'later',
})

// --- quantiles -----------------------------------------------------------------------------------------------------------

type Interpolation = 'linear' | 'lower' | 'higher' | 'midpoint' | 'nearest'
const quantileSignature =
  "self, q: number | numbers, dim: dim | null = null, keepdim: bool = false, *, interpolation: 'linear' | 'lower' | 'higher' | 'midpoint' | 'nearest' = 'linear'"
type QuantileAttrs = {
  readonly q: readonly number[]
  /** q was a plain number: the result has no dim for it. */
  readonly single: boolean
  readonly dim: number | null
  readonly keepdim: boolean
  readonly interpolation: Interpolation
}
type QuantileName = 'quantile' | 'nanquantile'

function quantileCall(
  name: QuantileName,
  { self, q, ...rest }: Bound<typeof quantileSignature>,
): OpCall<QuantileAttrs> {
  const list = typeof q === 'number' ? [q] : q
  for (const one of list)
    if (one < 0 || one > 1)
      throw new ArgumentError(`${name}: q ${one} is not between 0 and 1`, { fix: 'use shares of 1: 0.5 is the median' })
  if (list.length === 0) throw new ArgumentError(`${name}: q is empty`, { fix: 'give at least one share of 1' })
  return call([self], { ...rest, q: list, single: typeof q === 'number' })
}

/** The quantiles of rows along the last dim, [rows…, q…]. */
function quantilesOf(name: QuantileName, b: GraphBuilder, x: GraphNode, { q, interpolation }: QuantileAttrs) {
  const shape = shapeOf(x)
  const dim = shape.length - 1
  const { values } = sorted(b, x, dim)
  const result = [...shape.slice(0, dim), q.length]
  const missing = map(b, 'isnan', x)
  const known = reduceKeepdim(b, 'add', castTo(b, map(b, 'not', missing), 'f64'), [dim])
  const size = countOf(b, shape[dim]!, 'f64')
  const count = name === 'quantile' ? expandTo(b, size, result) : expandTo(b, known, result)
  const number = (value: number): GraphNode => full(b, 'f64', result, value)
  const share = q.map(one => reshapeTo(b, constant(b, 'f64', one), [1]))
  const shares = expandTo(b, share.length === 1 ? share[0]! : b.node('cat', share, { dim: 0 }), result)
  const rank = map(b, 'mul', shares, map(b, 'sub', map(b, 'max', count, number(1)), number(1)))
  const rounded = interpolation === 'nearest' ? map(b, 'round', rank) : rank
  const at = (position: GraphNode): GraphNode => b.node('gather', [values, castTo(b, position, 'i64')], { dim })
  const [low, high] = [at(map(b, 'floor', rounded)), at(map(b, 'ceil', rounded))]
  const weight = interpolation === 'midpoint' ? number(0.5) : map(b, 'sub', rank, map(b, 'floor', rank))
  const between = (): GraphNode => {
    const w = castTo(b, weight, dtypeOf(x))
    const step = map(b, 'mul', w, map(b, 'sub', high, low))
    // Also correct where both are the same infinity.
    return map(b, 'where', map(b, 'eq', low, high), low, map(b, 'add', low, step))
  }
  const picked =
    interpolation === 'higher' ? high : interpolation === 'lower' || interpolation === 'nearest' ? low : between()
  const nan = full(b, dtypeOf(x), result, Number.NaN)
  const wanted =
    name === 'quantile'
      ? map(b, 'eq', expandTo(b, known, result), expandTo(b, size, result))
      : map(b, 'gt', count, number(0))
  return map(b, 'where', wanted, picked, nan)
}

function buildQuantile(name: QuantileName, b: GraphBuilder, node: GraphNode, attrs: QuantileAttrs): GraphNode {
  requireFloat(name, dtypeOf(node), "cast first: x.to('f32')")
  const x = castTo(b, node, computeDtype(dtypeOf(node)))
  const whole = attrs.dim === null || rankOf(x) === 0
  const own = whole ? flat(b, x) : x
  const dim = whole ? 0 : normalizeDim(name, attrs.dim!, rankOf(x))
  requireElements(name, shapeOf(own), [dim])
  const rank = rankOf(own)
  const others = without([...shapeOf(own).keys()], dim)
  const rows = permuteTo(b, own, [...others, dim])
  const found = permuteTo(b, quantilesOf(name, b, rows, attrs), [rank - 1, ...others.keys()])
  const kept = attrs.keepdim ? shapeOf(x).map((size, d) => (whole || d === dim ? 1 : size)) : without(shapeOf(own), dim)
  return castTo(b, reshapeTo(b, found, attrs.single ? kept : [attrs.q.length, ...kept]), dtypeOf(node))
}

const quantile = (name: QuantileName, summary: string) =>
  op({
    name,
    summary,
    category: 'reduction',
    signature: quantileSignature,
    shape: `${withoutDim}; of a list q a leading dim of its length comes first`,
    dtypes: floatKept,
    details: {
      q: 'a share from 0 to 1, or several',
      dim: 'the dim to reduce; by default the flattened tensor',
      interpolation:
        "the value between two elements: 'linear' interpolation, their 'midpoint', or the 'lower', 'higher' or 'nearest' one",
    },
    errors: { ArgumentError: 'when q is not in [0, 1] or empty', ShapeError: emptyDims },
    call: args => quantileCall(name, args),
    results: null,
    build: (b: GraphBuilder, [input]: readonly OpInput[], attrs: QuantileAttrs) => [
      buildQuantile(name, b, input!.node, attrs),
    ],
    gradient: 'later',
  })

const middle = 'of an even number of them the lower middle one'
export const orderStatisticsRecords = {
  median: median('median', `The median of all elements, ${middle}; NaN if any is NaN.`),
  nanmedian: median('nanmedian', `The median of all elements that are not NaN, ${middle}.`),
  medianWithIndices: medianWithIndices(
    'median',
    `The median of the elements along a dim, ${middle}, and its index; NaN if any is NaN.`,
  ),
  nanmedianWithIndices: medianWithIndices(
    'nanmedian',
    `The median of the elements along a dim that are not NaN, ${middle}, and its index.`,
  ),
  kthvalue,
  mode,
  quantile: quantile('quantile', 'The q-th quantiles (0 ≤ q ≤ 1), of all elements or along a dim; NaN if any is NaN.'),
  nanquantile: quantile('nanquantile', 'As quantile, ignoring NaN.'),
}

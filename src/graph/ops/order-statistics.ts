/** Medians, quantiles, the k-th smallest value: elements at positions of an order. The most frequent value, of sorted ones. */

import { ArgumentError, ShapeError } from '../../base/errors.js'
import { floorDivSizes, rangeOf, type Size, subSizes } from '../../scalar/size.js'
import { isFloat } from '../../types/dtype.js'
import { keptShape, normalizeDim, requireElements } from '../build.js'
import { decideAtLeast, printShape } from '../sizes.js'
import { compose } from './compose.js'
import { emit, type GraphTensor } from './graph-tensor.js'
import { sortingRecords } from './sorting.js'
import { anyKept, emptyDims, floatKept, scalar, valuesAndIndices, withoutDim } from './texts.js'

// --- shared ------------------------------------------------------------------------------------------------------------

/** Values and their indices. */
type Pair = readonly [values: GraphTensor, indices: GraphTensor]

const sorted = (x: GraphTensor, dim: number): Pair =>
  emit(x.b, sortingRecords.sort, [x, { dim }]) as readonly GraphTensor[] as Pair

/** The elements at positions of the order along a dim: i64, as many for each row. */
function elementsAt(x: GraphTensor, dim: number, positions: GraphTensor): Pair {
  const found = x.b.node('nth', [x.node, positions.node], { dim, positions: Number(positions.size(dim)) })
  return [0, 1].map(index => x.with(x.b.node('item', [found], { index }))) as unknown as Pair
}

/** One position for every row. */
const onePosition = (x: GraphTensor, dim: number, position: Size): GraphTensor =>
  x.count(position, 'i64').expandTo(x.shape.with(dim, 1))

interface Along {
  readonly self: GraphTensor
  readonly dim: number
  readonly keepdim: boolean
}

/** What `pick` finds along a dim that has elements, with size 1 there, which is dropped unless kept. */
function alongDim(
  name: string,
  { self, dim: asked, keepdim }: Along,
  pick: (x: GraphTensor, dim: number) => Pair,
): Pair {
  const dim = normalizeDim(name, asked, self.rank)
  const x = self.rank === 0 ? self.shaped([1]) : self
  requireElements(name, x.shape, [dim])
  const kept = keepdim ? keptShape(self.shape, [dim]) : self.shape.filter((_, d) => d !== dim)
  const [values, indices] = pick(x, dim)
  return [values.shaped(kept), indices.shaped(kept)]
}

// --- medians -----------------------------------------------------------------------------------------------------------

type MedianName = 'median' | 'nanmedian'

/** The median along a dim and its index: NaN if any is NaN (nanmedian: of the others). */
function medianOf(name: MedianName, x: GraphTensor, dim: number): Pair {
  const middle = (): Pair => elementsAt(x, dim, onePosition(x, dim, floorDivSizes(subSizes(x.size(dim), 1), 2)))
  if (!isFloat(x.dtype)) return middle()
  if (name === 'median') {
    const [value, index] = middle()
    const largest = x.folded('max', [dim])
    const missing = largest.isnan()
    return [missing.where(largest, value), missing.where(x.folded('argmax', [dim]), index)]
  }
  // The middle of the values that are not NaN; if all are NaN, the first.
  const count = x.isnan().logicalNot().as('i64').folded('add', [dim])
  return elementsAt(x, dim, count.maximum(1).sub(1).bitwiseRightShift(1))
}

const median = (name: MedianName, summary: string) =>
  compose({
    name,
    summary,
    category: 'reduction',
    signature: 'self',
    shape: scalar,
    dtypes: anyKept,
    errors: { ShapeError: 'when there are no elements' },
    body: ({ self }) => {
      const row = self.ravel()
      requireElements(name, row.shape, [0])
      return medianOf(name, row, 0)[0].shaped([])
    },
  })

const medianWithIndices = (name: MedianName, summary: string) =>
  compose({
    name: `${name}WithIndices`,
    summary,
    category: 'reduction',
    signature: 'self, dim: dim = -1, keepdim: bool = false',
    errors: { ShapeError: emptyDims },
    ...valuesAndIndices,
    body: args => alongDim(name, args, (x, dim) => medianOf(name, x, dim)),
  })

// --- k-th and most frequent ----------------------------------------------------------------------------------------------

const kthvalue = compose({
  name: 'kthvalue',
  summary: 'The k-th smallest value along a dim (k from 1), and its index; NaN counts as largest.',
  category: 'sorting',
  signature: 'self, k: positive, dim: dim = -1, keepdim: bool = false',
  details: { k: 'which one, from 1 on' },
  errors: { ShapeError: 'when dim has fewer than k elements' },
  ...valuesAndIndices,
  keeps: ['self'],
  body: ({ k, ...args }) =>
    alongDim('kthvalue', args, (x, dim) => {
      const size = x.size(dim)
      const what = (): string => `kthvalue: k is ${k}, dim ${dim} of ${printShape(x.shape)} has ${size} elements`
      if (!decideAtLeast(size, k, what))
        throw new ShapeError(what(), { fix: `use a k of at most ${rangeOf(size).max}` })
      return elementsAt(x, dim, onePosition(x, dim, k - 1))
    }),
})

/** Finds the longest run of equal sorted values: the position with the largest distance to the start of its run. */
function modeOf(x: GraphTensor, dim: number): Pair {
  const [values, indices] = sorted(x, dim)
  const along = x.shape.map((size, d) => (d === dim ? size : 1))
  const position = x.indicesOf(dim).shaped(along).expandTo(x.shape)
  const before = values.at(dim, position.sub(1).maximum(0))
  const starts = values.ne(before).logicalOr(position.eq(0)).where(position, 0).scanned('max', dim)
  const best = position.sub(starts).folded('argmax', [dim])
  return [values.at(dim, best), indices.at(dim, best)]
}

const mode = compose({
  name: 'mode',
  summary: 'The most frequent value along a dim (of several the smallest), and the index of its last occurrence.',
  category: 'sorting',
  signature: 'self, dim: dim = -1, keepdim: bool = false',
  errors: { ShapeError: emptyDims },
  ...valuesAndIndices,
  body: args => alongDim('mode', args, modeOf),
})

// --- quantiles -----------------------------------------------------------------------------------------------------------

type Interpolation = 'linear' | 'lower' | 'higher' | 'midpoint' | 'nearest'
type QuantileName = 'quantile' | 'nanquantile'

/** More positions than this are picked from sorted rows. */
const fewPositions = 8

/** The elements below and above each rank along the last dim; where only one of them is used, that one twice. */
function bounds(x: GraphTensor, rank: GraphTensor, interpolation: Interpolation): Pair {
  const dim = x.rank - 1
  const [low, high] = [rank.floor().as('i64'), rank.ceil().as('i64')]
  const count = Number(rank.size(dim))
  const isOne = interpolation !== 'linear' && interpolation !== 'midpoint'
  if ((isOne ? 1 : 2) * count > fewPositions) {
    const [values] = sorted(x, dim)
    return [values.at(dim, low), values.at(dim, high)]
  }
  if (isOne) {
    const [one] = elementsAt(x, dim, interpolation === 'higher' ? high : low)
    return [one, one]
  }
  const [both] = elementsAt(x, dim, low.joined([low, high], dim))
  return [both.part(dim, 0, count), both.part(dim, count, count)]
}

/** The quantiles of rows along the last dim, [rows…, q…]. */
function quantilesOf(name: QuantileName, x: GraphTensor, q: readonly number[], interpolation: Interpolation) {
  const dim = x.rank - 1
  const result = [...x.shape.slice(0, dim), q.length]
  const known = x.isnan().logicalNot().as('f64').folded('add', [dim]).expandTo(result)
  const size = x.count(x.size(dim), 'f64').expandTo(result)
  const count = name === 'quantile' ? size : known
  const shares = x.joined(
    q.map(one => x.full([1], one, 'f64')),
    0,
  )
  const rank = shares.expandTo(result).mul(count.maximum(1).sub(1))
  const rounded = interpolation === 'nearest' ? rank.round() : rank
  const [low, high] = bounds(x, rounded, interpolation)
  const between = (): GraphTensor => {
    const weight = interpolation === 'midpoint' ? rank.like(0.5) : rank.sub(rank.floor())
    // Also correct where both are the same infinity.
    return low.eq(high).where(low, low.add(weight.as(x.dtype).mul(high.sub(low))))
  }
  const picked =
    interpolation === 'higher' ? high : interpolation === 'lower' || interpolation === 'nearest' ? low : between()
  const wanted = name === 'quantile' ? known.eq(size) : count.gt(0)
  return wanted.where(picked, picked.like(Number.NaN))
}

const quantile = (name: QuantileName, summary: string) =>
  compose({
    name,
    summary,
    category: 'reduction',
    signature:
      "self, q: number | numbers, dim: dim | null = null, keepdim: bool = false, *, interpolation: 'linear' | 'lower' | 'higher' | 'midpoint' | 'nearest' = 'linear'",
    shape: `${withoutDim}; of a list q a leading dim of its length comes first`,
    dtypes: floatKept,
    details: {
      q: 'a share from 0 to 1, or several',
      dim: 'the dim to reduce; by default the flattened tensor',
      interpolation:
        "the value between two elements: 'linear' interpolation, their 'midpoint', or the 'lower', 'higher' or 'nearest' one",
    },
    errors: { ArgumentError: 'when q is not in [0, 1] or empty', ShapeError: emptyDims },
    check: ({ q }) => {
      const list = [q].flat()
      for (const one of list)
        if (one < 0 || one > 1)
          throw new ArgumentError(`${name}: q ${one} is not between 0 and 1`, {
            fix: 'use shares of 1: 0.5 is the median',
          })
      if (list.length === 0) throw new ArgumentError(`${name}: q is empty`, { fix: 'give at least one share of 1' })
    },
    body: ({ self, q, dim: asked, keepdim, interpolation }) => {
      const list = [q].flat()
      const whole = asked === null || self.rank === 0
      const own = whole ? self.ravel() : self
      const dim = whole ? 0 : normalizeDim(name, asked, self.rank)
      requireElements(name, own.shape, [dim])
      const others = [...own.shape.keys()].filter(d => d !== dim)
      const rows = own.permute([...others, dim])
      const found = quantilesOf(name, rows, list, interpolation).permute([own.rank - 1, ...others.keys()])
      const left = others.map(d => own.size(d))
      const kept = keepdim ? self.shape.map((size, d) => (whole || d === dim ? 1 : size)) : left
      return found.shaped(typeof q === 'number' ? kept : [list.length, ...kept])
    },
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

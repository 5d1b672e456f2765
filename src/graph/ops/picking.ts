/**
 * Parts of ops whose results' sizes depend on values: first how many elements are picked up to each one, then, once the last
 * of these numbers has been read, what is picked. They are no ops of their own: tensor/picks.ts calls them.
 */
import type { Size } from '../../scalar/size.js'
import { compose } from './compose.js'
import { emit, type GraphTensor } from './graph-tensor.js'
import { sortingRecords } from './sorting.js'

const category = 'index' as const

/** How many elements of the flattened `self` up to each one are not 0: [n], i32, or i64 if there may be 2^31. */
const pickCounts = compose({
  name: 'pickCounts',
  summary: 'How many elements up to each one are not 0.',
  category,
  signature: 'self, isLong: bool',
  dtypes: { takes: 'any', gives: { words: 'i32, or i64 if isLong' } },
  keeps: ['self'],
  body: ({ self, isLong }) =>
    self
      .ne(0)
      .ravel()
      .as(isLong ? 'i64' : 'i32')
      .scanned('add', 0),
})

/** Where a vector's elements differ from the ones before: bool [n]. The first does; NaN equals nothing. */
const runStarts = compose({
  name: 'runStarts',
  summary: 'Where a vector’s elements differ from the ones before.',
  category,
  signature: 'self',
  dtypes: { takes: 'any', gives: 'bool' },
  keeps: ['self'],
  body: ({ self }) => {
    const position = self.indicesOf(0)
    return self.ne(self.at(0, position.sub(1))).logicalOr(position.eq(0))
  },
})

/** `values` of the elements of `picked` that are not 0, by their running counts: [count]. */
function put(picked: GraphTensor, counts: GraphTensor, values: GraphTensor, count: Size): GraphTensor {
  const { b } = picked
  const place = picked.ne(0).ravel().where(counts.as('i64').sub(1), -1)
  const attrs = { dim: 0, fold: 'set', distinct: true } as const
  return picked.with(b.node('scatter', [values.full([count], 0).node, place.node, values.node], attrs))
}

/** The elements of `self` where `mask`, of its shape, is true: [count]. */
const pickValues = compose({
  name: 'pickValues',
  summary: 'The elements where a mask is true.',
  category,
  signature: 'self, mask, counts, count: size',
  dtypes: { takes: 'any', gives: 'same' },
  keeps: ['self', 'mask', 'counts'],
  body: ({ self, mask, counts, count }) => put(mask, counts, self.ravel(), count),
})

/** The runs of a vector that begin where `starts` is true: their values, the number of each element's run, their lengths. */
const runParts = compose({
  name: 'runParts',
  summary: 'The runs of a vector: their values, each element’s run, their lengths.',
  category,
  signature: 'self, starts, counts, count: size',
  dtypes: { takes: 'any', gives: { values: 'same', inverse: 'i64', counts: 'i64' } },
  results: ['values', 'inverse', 'counts'],
  keeps: ['self', 'starts', 'counts'],
  body: ({ self, starts, counts, count }) => {
    const first = put(starts, counts, counts.indicesOf(0), count)
    const next = first.indicesOf(0).add(1)
    const isLast = next.eq(first.count(count, 'i64'))
    const end = isLast.where(first.count(self.size(0), 'i64'), first.at(0, next))
    return [put(starts, counts, self, count), counts.as('i64').sub(1), end.sub(first)]
  },
})

/** The indices of the nonzero elements, one row per element: i64 [count, rank of the input]. */
const pickIndices = compose({
  name: 'pickIndices',
  summary: 'The indices of the elements that are not 0.',
  category,
  signature: 'self, counts, count: size',
  dtypes: { takes: 'any', gives: 'i64' },
  keeps: ['self', 'counts'],
  body: ({ self, counts, count }) => {
    // The counts are i32 where indices fit: half the bytes, and divisions of a fraction of the time.
    const { dtype } = counts
    const { rank } = self
    let rest = put(self, counts, counts.indicesOf(0).as(dtype), count)
    const columns: GraphTensor[] = []
    for (const size of self.shape.toReversed()) {
      const length = rest.count(size, dtype).maximum(1)
      columns.unshift(rest.remainder(length).as('i64').unsqueeze(1).expandTo([count, rank]))
      rest = rest.floorDivide(length)
    }
    if (rank === 0) return counts.full([count, 0], 0, 'i64')
    // Chosen by column, so that rows are stored whole: parts of a concatenation would be stored with gaps.
    const column = columns[0]!.indicesOf(1)
    return columns.reduce((chosen, each, d) => column.eq(d).where(each, chosen))
  },
})

/** The sorted elements of a vector, without their indices. */
const sortedValues = compose({
  name: 'sortedValues',
  summary: 'The elements of a vector, ascending.',
  category,
  signature: 'self',
  dtypes: { takes: 'any', gives: 'same' },
  keeps: ['self'],
  body: ({ self }) => (emit(self.b, sortingRecords.sort, [self, { dim: 0 }]) as readonly GraphTensor[])[0]!,
})

/** `count: size` is a size of the graph, so that one kernel serves all of them; `count: count` is a constant of it, with a kernel each. */
const counting = (name: string, signature: 'self, count: size' | 'self, count: count') =>
  compose({
    name,
    summary: 'How many elements of a vector are 0, 1, …: i64 [count].',
    category,
    signature,
    dtypes: { takes: 'integer', gives: 'i64' },
    keeps: ['self'],
    body: ({ self, count }: { readonly self: GraphTensor; readonly count: Size }) =>
      self.full([count], 0, 'i64').putAt(0, self.as('i64'), self.full(self.shape, 1, 'i64'), 'add'),
  })

const countBins = counting('countBins', 'self, count: size')

/** Programs can count the elements of so few places for themselves, if they know how many places there are. */
const countFewBins = counting('countFewBins', 'self, count: count')

export const pickRecords = {
  pickCounts,
  runStarts,
  pickValues,
  pickIndices,
  runParts,
  sortedValues,
  countBins,
  countFewBins,
}

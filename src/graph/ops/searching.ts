/** Positions in sorted sequences, counts per bin, and membership. */
import { ArgumentError, DtypeError, ShapeError } from '../../base/errors.js'
import { productOf, subSizes } from '../../scalar/size.js'
import { computeDtype } from '../../types/dtype.js'
import { promotePair } from '../../types/promotion.js'
import { decideAtLeast, printShape, requireEqual } from '../sizes.js'
import { compose } from './compose.js'
import { emit, type GraphTensor } from './graph-tensor.js'
import { sortingRecords } from './sorting.js'
import { asInput, floatKept } from './texts.js'

// --- sorted sequences ----------------------------------------------------------------------------------------------------

const searchParams = 'outInt32: bool = false, right: bool = false'
const searchDetails = { outInt32: 'give i32 instead of i64', right: 'after equal elements instead of before them' }
interface SearchOptions {
  readonly outInt32: boolean
  readonly right: boolean
}

/** Branch-free binary search: takes steps of decreasing powers of 2 while the elements passed are smaller. */
function search(name: string, sequence: GraphTensor, values: GraphTensor, { outInt32, right }: SearchOptions) {
  const [line, size] = [sequence.shape, values.shape]
  const what = (): string => `${name}: values ${printShape(size)} do not fit the sorted ${printShape(line)}`
  if (line.length === 0)
    throw new ShapeError(`${name}: the sorted sequence is 0-d`, { fix: 'give it at least one dim' })
  if (line.length > 1) {
    if (line.length !== size.length) throw new ShapeError(what(), { fix: 'use a 1-D sequence, or equal leading dims' })
    for (const [d, own] of line.slice(0, -1).entries()) requireEqual(own, size[d]!, what)
  }
  const length = line.at(-1)!
  const x = values.shaped(line.length > 1 ? size : [productOf(size)])
  let position = x.full(x.shape, 0, 'i64')
  let first = 1
  while (decideAtLeast(length, 2 * first, what)) first *= 2
  for (let step = length === 0 ? 0 : first; step >= 1; step /= 2) {
    const next = position.add(step)
    const at = sequence.at(x.rank - 1, next.sub(1))
    // Not written as `x greater`, so that NaN goes to the end.
    const stop = right ? at.gt(x) : at.ge(x)
    const inside = next.le(x.count(length, 'i64'))
    position = inside.logicalAnd(stop.logicalNot()).where(next, position)
  }
  return position.shaped(size).as(outInt32 ? 'i32' : 'i64')
}

const searchsorted = compose({
  name: 'searchsorted',
  summary:
    'The indices at which values would be inserted into a sequence sorted along its last dim, before (right: after) equal elements.',
  category: 'sorting',
  signature: `sortedSequence, input: operand, *, ${searchParams}`,
  shape: 'the shape of input',
  dtypes: { takes: 'any', gives: { words: 'i64, or i32 with outInt32' } },
  details: {
    sortedSequence: 'ascending along its last dim: 1-D, or with the leading dims of input',
    input: 'what is looked for',
    ...searchDetails,
  },
  errors: { ShapeError: 'when the sequence is 0-d, or its leading dims are not those of input' },
  body: ({ sortedSequence, input, ...options }) => search('searchsorted', sortedSequence, input, options),
  gradient: 'none',
})

const bucketize = compose({
  name: 'bucketize',
  summary: 'For each element the number of sorted boundaries (1-D) below it; right counts those equal to it too.',
  category: 'sorting',
  signature: `self, boundaries, *, ${searchParams}`,
  shape: asInput,
  dtypes: { takes: 'any', gives: { words: 'i64, or i32 with outInt32' } },
  details: { boundaries: 'ascending, 1-D', ...searchDetails },
  errors: { ShapeError: 'when boundaries are not 1-D' },
  body: ({ self, boundaries, ...options }) => {
    if (boundaries.rank !== 1)
      throw new ShapeError(`bucketize: the boundaries ${printShape(boundaries.shape)} are not 1-D`, {
        fix: 'searchsorted takes one sorted sequence per row',
      })
    return search('bucketize', boundaries, self, options)
  },
  gradient: 'none',
})

// --- counts --------------------------------------------------------------------------------------------------------------

/** The ends of the range, 0-d: as given, or the data's; an empty range is widened by 1 on both sides. */
function rangeEnds(x: GraphTensor, min: number, max: number): readonly [GraphTensor, GraphTensor] {
  const isWhole = min === max && x.size(0) !== 0
  const low = isWhole ? x.amin() : x.full([], min)
  const high = isWhole ? x.amax() : x.full([], max)
  const same = low.eq(high)
  return [same.where(low.sub(1), low), same.where(high.add(1), high)]
}

const histc = compose({
  name: 'histc',
  summary:
    'A histogram: how many elements lie in each of bins equal intervals of [min, max]; elements outside are not counted.',
  category: 'reduction',
  signature: 'self, bins: positive = 100, min: number = 0, max: number = 0',
  shape: '[bins]',
  dtypes: floatKept,
  details: {
    bins: 'how many parts',
    min: 'where the first part begins; with min and max both 0 the smallest element',
    max: 'where the last part ends, itself included; with min and max both 0 the largest element',
  },
  errors: { ArgumentError: 'when min is greater than max' },
  check: ({ min, max }) => {
    if (!(min <= max) || !Number.isFinite(max - min))
      throw new ArgumentError(`histc: the range from ${min} to ${max}`, { fix: 'use min ≤ max' })
  },
  body: ({ self, bins, min, max }) => {
    const x = self.ravel()
    const [low, high] = rangeEnds(x, min, max)
    const bin = x
      .sub(low)
      .div(high.sub(low))
      .mul(bins)
      .floor()
      .minimum(bins - 1)
    const index = x.ge(low).logicalAnd(x.le(high)).where(bin, -1).as('i64')
    return x.full([bins], 0, 'i64').putAt(0, index, index.like(1), 'add')
  },
  gradient: 'none',
})

// --- membership ------------------------------------------------------------------------------------------------------------

/** With more test elements than this, sorting them and searching is faster than comparing with all. */
const mostCompared = 128

function isAmong(x: GraphTensor, tests: GraphTensor): GraphTensor {
  const count = tests.size(0)
  if (!decideAtLeast(count, mostCompared + 1, () => `isin: ${count} test elements`))
    return x.unsqueeze(-1).eq(tests).any([-1])
  const [sorted] = emit(x.b, sortingRecords.sort, [tests, {}]) as readonly GraphTensor[] as [GraphTensor]
  const row = x.ravel()
  const place = search('isin', sorted, row, { outInt32: false, right: false })
  const last = place.minimum(place.count(subSizes(count, 1), 'i64'))
  return sorted.at(0, last).eq(row).shaped(x.shape)
}

const isin = compose({
  name: 'isin',
  summary: 'True where an element is one of the test elements (with invert: none of them).',
  category: 'index',
  signature: 'elements, testElements: operand, *, invert: bool = false',
  shape: 'the shape of elements',
  dtypes: { takes: 'number', gives: 'bool' },
  details: {
    elements: 'the tensor',
    testElements: 'what is looked for: a number, or a tensor of any shape',
    invert: 'true where an element is none of them',
  },
  keeps: ['elements', 'testElements'],
  body: ({ elements, testElements, invert }) => {
    for (const { dtype } of [elements, testElements])
      if (dtype === 'bool') throw new DtypeError('isin: not defined on bool', { fix: "cast: x.to('i32')" })
    const common = computeDtype(promotePair(elements.dtype, testElements.dtype))
    const found = isAmong(elements.as(common), testElements.as(common).ravel())
    return invert ? found.logicalNot() : found
  },
  gradient: 'none',
})

export const searchingRecords = { searchsorted, bucketize, histc, isin }

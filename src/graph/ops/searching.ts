/** Positions in sorted sequences, counts per bin, and membership. */
import { ArgumentError, DtypeError, ShapeError } from '../../base/errors.js'
import { productOf, type Size } from '../../scalar/size.js'
import { computeDtype, type Dtype } from '../../types/dtype.js'
import { promotePair } from '../../types/promotion.js'
import {
  castTo,
  constant,
  countOf,
  dtypeOf,
  expandTo,
  full,
  map,
  promotedDtype,
  rankOf,
  reduce,
  requireFloat,
  reshapeTo,
  shapeOf,
} from '../build.js'
import type { GraphBuilder, GraphNode } from '../ir.js'
import { type OpInput, op } from '../record.js'
import { decideAtLeast, printShape, requireEqual } from '../sizes.js'
import { call } from './arguments.js'
import { asInput, floatKept } from './texts.js'

// --- sorted sequences ----------------------------------------------------------------------------------------------------

const searchParams = 'outInt32: bool = false, right: bool = false'
const searchDetails = { outInt32: 'give i32 instead of i64', right: 'after equal elements instead of before them' }
type SearchAttrs = { readonly outInt32: boolean; readonly right: boolean }

/** Branch-free binary search: takes steps of decreasing powers of 2 while the elements passed are smaller. */
function search(
  name: string,
  b: GraphBuilder,
  [sequence, values]: readonly [OpInput, OpInput],
  attrs: SearchAttrs,
): GraphNode {
  const [line, size] = [shapeOf(sequence.node), shapeOf(values.node)]
  const what = (): string => `${name}: values ${printShape(size)} do not fit the sorted ${printShape(line)}`
  if (line.length === 0)
    throw new ShapeError(`${name}: the sorted sequence is 0-d`, { fix: 'give it at least one dim' })
  if (line.length > 1) {
    if (line.length !== size.length) throw new ShapeError(what(), { fix: 'use a 1-D sequence, or equal leading dims' })
    for (const [d, own] of line.slice(0, -1).entries()) requireEqual(own, size[d]!, what)
  }
  const common = computeDtype(promotedDtype([sequence, values]))
  const length = line.at(-1)!
  const wanted = line.length > 1 ? size : [productOf(size)]
  const x = reshapeTo(b, castTo(b, values.node, common), wanted)
  const sorted = castTo(b, sequence.node, common)
  const dim = wanted.length - 1
  const number = (value: Size): GraphNode => expandTo(b, countOf(b, value, 'i64'), wanted)
  let position = number(0)
  let first = 1
  while (decideAtLeast(length, 2 * first, what)) first *= 2
  for (let step = length === 0 ? 0 : first; step >= 1; step /= 2) {
    const next = map(b, 'add', position, number(step))
    const at = b.node('gather', [sorted, map(b, 'sub', next, number(1))], { dim })
    // Not written as `x greater`, so that NaN goes to the end.
    const stop = map(b, attrs.right ? 'gt' : 'ge', at, x)
    const inside = map(b, 'le', next, number(length))
    position = map(b, 'where', map(b, 'and', inside, map(b, 'not', stop)), next, position)
  }
  return castTo(b, reshapeTo(b, position, size), attrs.outInt32 ? 'i32' : 'i64')
}

const searchsorted = op({
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
  results: null,
  build: (b: GraphBuilder, [sequence, values]: readonly OpInput[], attrs: SearchAttrs) => [
    search('searchsorted', b, [sequence!, values!], attrs),
  ],
  gradient: 'none',
})

const bucketize = op({
  name: 'bucketize',
  summary: 'For each element the number of sorted boundaries (1-D) below it; right counts those equal to it too.',
  category: 'sorting',
  signature: `self, boundaries, *, ${searchParams}`,
  shape: asInput,
  dtypes: { takes: 'any', gives: { words: 'i64, or i32 with outInt32' } },
  details: { boundaries: 'ascending, 1-D', ...searchDetails },
  errors: { ShapeError: 'when boundaries are not 1-D' },
  results: null,
  build: (b: GraphBuilder, [values, sequence]: readonly OpInput[], attrs: SearchAttrs) => {
    if (rankOf(sequence!.node) !== 1)
      throw new ShapeError(`bucketize: the boundaries ${printShape(shapeOf(sequence!.node))} are not 1-D`, {
        fix: 'searchsorted takes one sorted sequence per row',
      })
    return [search('bucketize', b, [sequence!, values!], attrs)]
  },
  gradient: 'none',
})

// --- counts --------------------------------------------------------------------------------------------------------------

type HistcAttrs = { readonly bins: number; readonly min: number; readonly max: number }

/** The ends of the range, 0-d: as given, or the data's; an empty range is widened by 1 on both sides. */
function rangeEnds(b: GraphBuilder, x: GraphNode, { min, max }: HistcAttrs): readonly [GraphNode, GraphNode] {
  const number = (value: number): GraphNode => constant(b, dtypeOf(x), value)
  const empty = shapeOf(x)[0] === 0
  const ends =
    min === max && !empty ? (['min', 'max'] as const).map(fn => reduce(b, fn, x, [0])) : [min, max].map(number)
  const [low, high] = ends as [GraphNode, GraphNode]
  const same = map(b, 'eq', low, high)
  return [
    map(b, 'where', same, map(b, 'sub', low, number(1)), low),
    map(b, 'where', same, map(b, 'add', high, number(1)), high),
  ]
}

const histc = op({
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
  call: ({ self, bins, min, max }) => {
    if (!(min <= max) || !Number.isFinite(max - min))
      throw new ArgumentError(`histc: the range from ${min} to ${max}`, { fix: 'use min ≤ max' })
    return call([self], { bins, min, max })
  },
  results: null,
  build: (b: GraphBuilder, [input]: readonly OpInput[], attrs: HistcAttrs) => {
    const dtype = dtypeOf(input!.node)
    requireFloat('histc', dtype, "cast first: x.to('f32')")
    const size = productOf(shapeOf(input!.node))
    const x = reshapeTo(b, castTo(b, input!.node, computeDtype(dtype)), [size])
    const [low, high] = rangeEnds(b, x, attrs).map(node => expandTo(b, node, [size])) as [GraphNode, GraphNode]
    const number = (value: number): GraphNode => full(b, dtypeOf(x), [size], value)
    const part = map(b, 'div', map(b, 'sub', x, low), map(b, 'sub', high, low))
    const bin = map(b, 'min', map(b, 'floor', map(b, 'mul', part, number(attrs.bins))), number(attrs.bins - 1))
    const inside = map(b, 'and', map(b, 'ge', x, low), map(b, 'le', x, high))
    const index = castTo(b, map(b, 'where', inside, bin, number(-1)), 'i64')
    const zeros = full(b, 'i64', [attrs.bins], 0)
    const counted = b.node('scatter', [zeros, index, full(b, 'i64', [size], 1)], { dim: 0, fold: 'add' })
    return [castTo(b, counted, dtype)]
  },
  gradient: 'none',
})

// --- membership ------------------------------------------------------------------------------------------------------------

type IsinAttrs = { readonly invert: boolean }
const commonDtype = (a: Dtype, c: Dtype): Dtype => computeDtype(promotePair(a, c))

const isin = op({
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
  results: null,
  build: (b: GraphBuilder, inputs: readonly OpInput[], { invert }: IsinAttrs) => {
    const [x, tests] = inputs.map(({ node }) => node) as [GraphNode, GraphNode]
    for (const node of [x, tests])
      if (dtypeOf(node) === 'bool') throw new DtypeError('isin: not defined on bool', { fix: "cast: x.to('u8')" })
    const dtype = commonDtype(dtypeOf(x), dtypeOf(tests))
    const count = productOf(shapeOf(tests))
    const shape = [...shapeOf(x), count]
    const own = expandTo(b, reshapeTo(b, castTo(b, x, dtype), [...shapeOf(x), 1]), shape)
    const other = expandTo(b, reshapeTo(b, castTo(b, tests, dtype), [count]), shape)
    const found = reduce(b, 'or', map(b, 'eq', own, other), [shape.length - 1])
    return [invert ? map(b, 'not', found) : found]
  },
  gradient: 'none',
})

export const searchingRecords = { searchsorted, bucketize, histc, isin }

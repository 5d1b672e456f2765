/** Embedding rows reduced per bag. */
import { ArgumentError, DtypeError, ShapeError } from '../../base/errors.js'
import { addSizes } from '../../scalar/size.js'
import { isInteger } from '../../types/dtype.js'
import { printShape } from '../sizes.js'
import { compose, requireShape } from './compose.js'
import { emit, type GraphTensor } from './graph-tensor.js'
import { indexingRecords } from './indexing.js'
import { scatteringRecords } from './scattering.js'
import { searchingRecords } from './searching.js'

const name = 'embeddingBag'

function requireIntegers(what: string, { given }: GraphTensor): void {
  if (!isInteger(given)) throw new DtypeError(`${name}: ${what} is ${given}`, { fix: "cast it: x.to('i64')" })
}

/** Reductions of the rows [n, D] of elements to bags: the sum, and the maximum over the rows that count. */
interface Bags {
  readonly sum: (x: GraphTensor) => GraphTensor
  readonly max: (x: GraphTensor) => GraphTensor
}

/** Bags that are the rows of a matrix of indices. */
const rowBags = (bags: GraphTensor): Bags => {
  const split = (x: GraphTensor): GraphTensor => x.shaped([...bags.shape, x.size(-1)])
  return { sum: x => split(x).sum([1]), max: x => split(x).amax([1]) }
}

/** Bags that start at `offsets`; with `includeLastOffset`, rows after the last offset are in no bag. */
function offsetBags(count: GraphTensor, offsets: GraphTensor, includeLastOffset: boolean): Bags {
  const { b } = offsets
  const begun = emit(b, searchingRecords.searchsorted, [offsets.as('i64'), count.indicesOf(0), { right: true }])[0]!
  const bag = begun.sub(1)
  const bags = addSizes(offsets.size(0), includeLastOffset ? -1 : 0)
  const base = (x: GraphTensor, value: number): GraphTensor =>
    x
      .narrow(0, 0, 0)
      .sum([0], { keepdim: true })
      .add(value)
      .expandTo([bags, x.size(1)])
  return {
    sum: x => emit(b, scatteringRecords.indexAdd, [base(x, 0), 0, bag, x])[0]!,
    max: x =>
      emit(b, scatteringRecords.scatterReduce, [
        base(x, Number.NEGATIVE_INFINITY),
        0,
        bag.unsqueeze(1).expandTo(x.shape),
        x,
        'amax',
      ])[0]!,
  }
}

/** Which bag each index is in: by rows of a matrix, or by offsets into a vector. */
function bagsOf(input: GraphTensor, offsets: GraphTensor | null, includeLastOffset: boolean): Bags {
  if (input.rank === 2) {
    if (offsets !== null)
      throw new ArgumentError(`${name}: offsets beside a matrix of indices, whose rows are the bags`, {
        fix: 'leave the offsets out, or give the indices as a vector',
      })
    return rowBags(input)
  }
  if (input.rank !== 1)
    throw new ShapeError(`${name}: the input ${printShape(input.shape)} is neither [N] nor [bags, N]`, {
      fix: 'reshape it',
    })
  if (offsets === null)
    throw new ArgumentError(`${name}: the input is a vector, and no offsets say where its bags begin`, {
      fix: 'give offsets, or a matrix with a bag per row',
    })
  requireIntegers('offsets', offsets)
  if (offsets.rank !== 1)
    throw new ShapeError(`${name}: offsets ${printShape(offsets.shape)} are no vector`, { fix: 'x.reshape([-1])' })
  return offsetBags(input, offsets, includeLastOffset)
}

const embeddingBag = compose({
  name,
  summary: 'The sums, means or largest values of rows of weight, bag by bag of indices; 0 of an empty bag.',
  category: 'index',
  signature:
    "input, weight, offsets: tensor | null = null, maxNorm: number | null = null, normType: number = 2, mode: 'mean' | 'sum' | 'max' = 'mean', *, perSampleWeights: tensor | null = null, includeLastOffset: bool = false, paddingIdx: int | null = null",
  shape: '[bags, D]',
  dtypes: { takes: 'float', gives: { words: 'the dtype of weight' } },
  details: {
    input: 'integers: [bags, N], or with offsets [N]',
    weight: '[entries, D]',
    offsets: 'where each bag begins in a vector of indices, ascending from 0; integers [bags]',
    maxNorm: 'rows of a larger norm are scaled down to it, in the result only',
    normType: 'the p of that norm',
    mode: 'what is made of the rows of a bag',
    perSampleWeights: "a factor for each index, of the shape of input; with mode 'sum' only",
    includeLastOffset: 'offsets has one more element: where the last bag ends',
    paddingIdx: 'an entry that no bag counts',
  },
  errors: {
    ArgumentError: "when a vector comes without offsets or a matrix with them, or perSampleWeights without mode 'sum'",
    DtypeError: 'when input or offsets are no integers',
    ShapeError: 'when weight is no matrix, or perSampleWeights has another shape than input',
  },
  note: 'PyTorch writes rows of a larger norm back into weight.',
  keeps: ['input', 'offsets'],
  check: ({ mode, perSampleWeights }) => {
    if (perSampleWeights !== null && mode !== 'sum')
      throw new ArgumentError(`${name}: perSampleWeights with mode '${mode}'`, { fix: "use mode 'sum'" })
  },
  body: ({ input, weight, offsets, maxNorm, normType, mode, perSampleWeights, includeLastOffset, paddingIdx }) => {
    requireIntegers('input', input)
    if (weight.rank !== 2)
      throw new ShapeError(`${name}: the weight ${printShape(weight.shape)} is no matrix`, { fix: 'give [entries, D]' })
    const bags = bagsOf(input, offsets, includeLastOffset)
    const index = input.reshape([-1])
    const rows = emit(input.b, indexingRecords.embedding, [index, weight, null, maxNorm, normType])[0]!
    const own = paddingIdx !== null && paddingIdx < 0 ? addSizes(weight.size(0), paddingIdx) : paddingIdx
    const counts = (own === null ? index.eq(index) : index.ne(own)).unsqueeze(1)
    const each = counts.as(rows.dtype).expandTo([index.size(0), 1])
    const count = bags.sum(each)
    if (mode === 'max') {
      const largest = bags.max(counts.where(rows, Number.NEGATIVE_INFINITY))
      return count.eq(0).where(0, largest)
    }
    if (perSampleWeights !== null)
      requireShape(
        perSampleWeights.shape,
        input.shape,
        () => `${name}: perSampleWeights ${printShape(perSampleWeights.shape)} for indices ${printShape(input.shape)}`,
        'give one factor per index',
      )
    const scaled = perSampleWeights === null ? rows : rows.mul(perSampleWeights.reshape([-1, 1]))
    const sum = bags.sum(counts.where(scaled, 0))
    return mode === 'sum' ? sum : sum.div(count.maximum(1))
  },
})

export const embeddingBagRecords = { embeddingBag }

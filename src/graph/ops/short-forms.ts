/** Short forms of other ops: of one with a fixed argument, or of two combined. */
import { DtypeError, ShapeError } from '../../base/errors.js'
import { dtypeOf, rankOf } from '../build.js'
import { compose } from './compose.js'
import { emit } from './graph-tensor.js'
import { rearrangeRecords } from './rearrange.js'
import { slicingRecords } from './slicing.js'
import { sortingRecords } from './sorting.js'
import { anyKept, asBroadcast, asInput, numberKept } from './texts.js'
import { view, viewCall } from './view-record.js'

const numberPromoted = { takes: 'number', gives: 'promoted' } as const

const rsub = compose({
  name: 'rsub',
  summary: 'other − alpha · self: sub the other way round.',
  category: 'pointwise',
  signature: 'self, other: operand, *, alpha: operand | null = null',
  details: { alpha: 'a factor on self; 1 unless given' },
  shape: asBroadcast,
  dtypes: numberPromoted,
  broadcasts: true,
  body: ({ self, other, alpha }) => other.sub(alpha === null ? self : self.mul(alpha)),
})

const clampMin = compose({
  name: 'clampMin',
  summary: 'max(self, min): clamp with a lower limit only.',
  category: 'pointwise',
  signature: 'self, min: operand',
  details: { min: 'the lower limit' },
  shape: asBroadcast,
  dtypes: numberPromoted,
  broadcasts: true,
  body: ({ self, min }) => self.maximum(min),
})

const clampMax = compose({
  name: 'clampMax',
  summary: 'min(self, max): clamp with an upper limit only.',
  category: 'pointwise',
  signature: 'self, max: operand',
  details: { max: 'the upper limit' },
  shape: asBroadcast,
  dtypes: numberPromoted,
  broadcasts: true,
  body: ({ self, max }) => self.minimum(max),
})

const positive = view({
  name: 'positive',
  summary: 'self: +self.',
  signature: 'self',
  shape: asInput,
  dtypes: numberKept,
  note: 'A view.',
  build: (_b, node) => {
    if (dtypeOf(node) === 'bool') throw new DtypeError('positive: not defined on bool', { fix: "cast: x.to('i32')" })
    return node
  },
})

const isreal = compose({
  name: 'isreal',
  gradient: 'none',
  summary: 'True everywhere: there are no complex numbers.',
  category: 'pointwise',
  signature: 'self',
  shape: asInput,
  dtypes: { takes: 'any', gives: 'bool' },
  keeps: ['self'],
  body: ({ self }) => self.like(1).as('bool'),
})

/** `flip` along one dim. */
const flipped = (name: 'fliplr' | 'flipud', dim: 0 | 1, summary: string) =>
  view({
    name,
    summary,
    category: 'index',
    signature: 'self',
    shape: asInput,
    errors: { ShapeError: dim === 0 ? 'for 0-d tensors' : 'for fewer than 2 dims' },
    note: 'A copy, as in PyTorch.',
    call: ({ self }) => viewCall(self, { dims: [dim] }),
    build: (b, node, attrs) => {
      if (rankOf(node) <= dim)
        throw new ShapeError(`${name}: a tensor of ${rankOf(node)} dims has no dim ${dim}`, {
          fix: `give it one: x.unsqueeze(0); flip(dims) takes any dims`,
        })
      return slicingRecords.flip.build(b, [{ node, isNumber: false }], attrs)[0]!
    },
  })

const msort = compose({
  name: 'msort',
  summary: 'self sorted along the first dim, ascending.',
  category: 'sorting',
  signature: 'self',
  shape: asInput,
  dtypes: anyKept,
  note: 'NaN is last. Places too: sort(0).',
  body: ({ self }) => (self.rank === 0 ? self : emit(self.b, sortingRecords.sort, [self, 0])[0]!),
})

const diagflat = compose({
  name: 'diagflat',
  summary: 'A matrix with the elements of self, row by row, on a diagonal and 0 elsewhere.',
  category: 'index',
  signature: 'self, offset: int = 0',
  shape: '[n + |offset|, n + |offset|] of n elements',
  dtypes: anyKept,
  details: { offset: 'which diagonal: to the right of the main one, negative ones below it' },
  body: ({ self, offset }) => emit(self.b, rearrangeRecords.diag, [self.reshape([-1]), offset])[0]!,
})

export const shortFormRecords = {
  rsub,
  clampMin,
  clampMax,
  positive,
  isreal,
  fliplr: flipped('fliplr', 1, 'self with its columns (the second dim) in reverse order.'),
  flipud: flipped('flipud', 0, 'self with its rows (the first dim) in reverse order.'),
  msort,
  diagflat,
}

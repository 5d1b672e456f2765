/** Running extremes and running sums of exponentials along a dim. */
import { isFloat } from '../../types/dtype.js'
import { normalizeDim } from '../build.js'
import { compose } from './compose.js'
import type { GraphTensor } from './graph-tensor.js'
import { asInput, floatKept } from './texts.js'

const atLeast1d = (x: GraphTensor): GraphTensor => (x.rank === 0 ? x.shaped([1]) : x)

// --- extremes ------------------------------------------------------------------------------------------------------------

const extreme = (name: 'cummax' | 'cummin', fn: 'max' | 'min', summary: string) =>
  compose({
    name,
    summary,
    category: 'reduction',
    signature: 'self, dim: dim',
    shape: { values: asInput, indices: asInput },
    dtypes: { takes: 'any', gives: { values: 'same', indices: 'i64' } },
    results: ['values', 'indices'],
    body: ({ self, dim: asked }) => {
      const x = atLeast1d(self.dtype === 'bool' ? self.as('u8') : self)
      const dim = normalizeDim(name, asked, x.rank)
      const values = x.scanned(fn, dim)
      // Where an element is the running extreme, the index is its own position.
      const equal = x.eq(values)
      const taken = isFloat(x.dtype) ? equal.logicalOr(x.isnan()) : equal
      const counter = x.indicesOf(dim).shaped(x.shape.map((size, d) => (d === dim ? size : 1)))
      const indices = taken.where(counter.expandTo(x.shape), 0).scanned('max', dim)
      return [values.shaped(self.shape), indices.shaped(self.shape)]
    },
  })

// --- sums of exponentials ------------------------------------------------------------------------------------------------

const logcumsumexp = compose({
  name: 'logcumsumexp',
  summary: 'ln of the running sum of e^self along a dim, without overflow.',
  category: 'reduction',
  signature: 'self, dim: dim',
  shape: asInput,
  dtypes: floatKept,
  body: ({ self, dim }) => {
    const x = atLeast1d(self)
    return x.scanned('logaddexp', normalizeDim('logcumsumexp', dim, x.rank)).shaped(self.shape)
  },
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

/** Hover texts that many ops share. tests/graph/op-texts.test.ts checks them against the records' results. */
import type { DtypeRule } from '../record.js'

// --- shapes ------------------------------------------------------------------------------------------------------------

/** For one operand, its own shape. */
export const asBroadcast = 'the broadcast shape'
export const asInput = 'the shape of self'
export const withoutDims = 'the shape of self without the dims (keepdim: 1 there)'
export const withoutDim = 'the shape of self without dim (keepdim: 1 there)'
export const scalar = '0-d'
/** For losses with a reduction. */
export const lossShape = "0-d; with reduction 'none' the shape of self"

// --- dtypes ------------------------------------------------------------------------------------------------------------

export const anyKept: DtypeRule = { takes: 'any', gives: 'same' }
export const numberKept: DtypeRule = { takes: 'number', gives: 'same' }
export const floatKept: DtypeRule = { takes: 'float', gives: 'same' }
/** For ops that cast to the parameter dtype first. */
export const floatOrCast: DtypeRule = { takes: 'cast', gives: 'same' }
export const floatPromoted: DtypeRule = { takes: 'float', gives: 'promoted' }
export const anyPromoted: DtypeRule = { takes: 'any', gives: 'promoted' }

// --- parameters and errors that families share ---------------------------------------------------------------------------

export const castFirst = 'the dtype that self is cast to first, and that of the result'
/** Integer division by zero: an error if the divisor is a plain 0, or is checked before eager execution on a CPU. */
export const zeroDivisor =
  'when integers are divided by a plain 0, or by a tensor with zeros on a CPU outside of compile'
export const emptyDims = 'when a reduced dim has no elements'
export const outOfRange = 'An index out of range is an error on a CPU outside of compile, elsewhere it'

/** What ops give that find values along a dim: the values, and their indices. */
export const valuesAndIndices = {
  shape: { values: withoutDim, indices: withoutDim },
  dtypes: { takes: 'any', gives: { values: 'same', indices: 'i64' } },
  results: ['values', 'indices'],
} as const

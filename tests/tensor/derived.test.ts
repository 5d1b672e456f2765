/** Which methods and functions derive from the records (their types: tests/types/methods.test-d.ts). */
import { describe, expect, it } from 'vitest'
import { recordNames, recordTable } from '../../src/graph/ops/index.js'
import { aliases, overloadParts } from '../../src/graph/ops/names.js'
import * as F from '../../src/nn/functional.js'
import * as functions from '../../src/tensor/functions.js'
import { Tensor } from '../../src/tensor/tensor.js'

/** Ops that users reach in another form, or (`var`) cannot reach as a function. */
const otherForms = [
  'full',
  'arange',
  'linspace',
  'eye',
  'rand',
  'randn',
  'randint',
  'bernoulli',
  'dropout',
  'attentionDropout',
  'attentionLse',
  'scaledDotProductAttention',
  'randperm',
  'to',
  'contiguous',
  'clone',
  'view',
  'bitcast',
  'var',
]

describe('functions and methods derived from the records', () => {
  it('every op is a function, except those with another form', () => {
    const expected = recordNames.filter(name => !otherForms.includes(name) && !overloadParts.includes(name))
    expect(Object.keys(functions).sort()).toEqual([...expected, ...Object.keys(aliases)].sort())
    // PyTorch's older names of interpolate are made of it; a Gumbel softmax and dropouts of whole channels draw numbers first; an
    // 8-bit linear layer scales; a CTC loss is a loop over the steps of sequences.
    const madeOf = [
      'affineGrid',
      'alphaDropout',
      'ctcLoss',
      'dropout1d',
      'dropout2d',
      'dropout3d',
      'featureAlphaDropout',
      'fp8Linear',
      'gumbelSoftmax',
      'upsample',
      'upsampleBilinear',
      'upsampleNearest',
    ]
    const known = new Set<string>([...recordNames, ...Object.keys(aliases)])
    const others = Object.keys(F).filter(name => !known.has(name))
    expect(others.sort()).toEqual(madeOf)
  })

  it('every op on a tensor is a method, and every elementwise one has an in-place method', () => {
    const methods = new Set(Object.getOwnPropertyNames(Tensor.prototype))
    const functionsOnly = [
      'cat',
      'stack',
      'embedding',
      'embeddingBag',
      'linear',
      'einsum',
      'multiDot',
      'vectorNorm',
      'bitcast',
      'trapezoid',
      'cumulativeTrapezoid',
      'vander',
    ]
    const missing = recordNames.filter(name => {
      const { category } = recordTable[name]
      const isCreation = category === 'creation' || category === 'random'
      const hasOtherForm = functionsOnly.includes(name) || overloadParts.includes(name)
      return !isCreation && !hasOtherForm && !methods.has(name)
    })
    expect(missing).toEqual([])
    const inPlace = recordNames.filter(name => {
      const { category, results } = recordTable[name]
      const copies = ['to', 'clone', 'contiguous', 'where', 'rsub', 'isreal'].includes(name) // as in PyTorch
      return category === 'pointwise' && results === null && !copies && !methods.has(`${name}_`)
    })
    expect(inPlace).toEqual([])
  })
})

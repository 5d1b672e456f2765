/** A case of each layer against PyTorch in float64; torch.slow.test.ts has all of them, compiled too. */
import { describe, test } from 'vitest'
import { useReferenceExecutor } from '../support/reference-executor.js'
import { caseName, checkLayer, reference } from './layer-cases.js'

useReferenceExecutor()

/** Those of many ops take longer. */
const slow = /^Transformer|^LSTM$|^GRU$|^RNN$/

const firsts = reference.cases.filter(
  (each, i, all) => !slow.test(each.layer) && all.findIndex(({ layer }) => layer === each.layer) === i,
)

describe(`as PyTorch ${reference.torch}`, () => {
  test.each(firsts.map(each => [caseName(each), each] as const))('%s', (_, layer) => {
    checkLayer(layer, module => module, 1e-12)
  })
})

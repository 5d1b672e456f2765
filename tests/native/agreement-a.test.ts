/** Every other op's kernels (agreement-b.slow.test.ts has the rest): tile interpreter, lane simulator and C agree. */
import { describe, it } from 'vitest'
import { recordNames } from '../../src/graph/ops/index.js'
import { noCompiler } from '../codegen/native.js'
import { quickly } from '../support/sample-choice.js'
import { expectNative, expectSimulated, opLaunches } from './agreement.js'

const names = quickly(
  recordNames.filter((_, i) => i % 2 === 0),
  9,
)

describe('interpreter, simulator and C (where there is a compiler) agree on the kernels of every op, first half', () => {
  for (const name of names) {
    it(name, () => {
      const { usual, small } = opLaunches(name)
      expectSimulated([...usual, ...small])
      if (noCompiler === null) expectNative(usual)
    })
  }
})

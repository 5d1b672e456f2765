/** Every other op's kernels (agreement-a.test.ts has the rest): tile interpreter, lane simulator and C agree. */
import { describe, it } from 'vitest'
import { recordNames } from '../../src/graph/ops/index.js'
import { noCompiler } from '../codegen/native.js'
import { expectNative, expectSimulated, opLaunches } from './agreement.js'

const names = recordNames.filter((_, i) => i % 2 === 1)

describe('interpreter, simulator and C (where there is a compiler) agree on the kernels of every op, second half', () => {
  for (const name of names) {
    it(name, () => {
      const { usual, small } = opLaunches(name)
      expectSimulated([...usual, ...small])
      if (noCompiler === null) expectNative(usual)
    })
  }
})

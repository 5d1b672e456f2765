/** Every other op's kernels on simulated blocks of GPU threads; agreement-cuda-b.slow.test.ts has the rest. */
import { afterAll, describe, it } from 'vitest'
import { recordNames } from '../../src/graph/ops/index.js'
import { allSamples, quickly } from '../support/sample-choice.js'
import { cudaLaunches, expectBlocks } from './agreement-cuda.js'

const names = quickly(
  recordNames.filter((_, i) => i % 2 === 0),
  9,
)

describe("blocks of GPU threads give the interpreter's results, first half", () => {
  const left: string[] = []

  for (const [i, name] of names.entries()) {
    it(name, () => {
      // Usual blocks and small ones, by turns of the ops.
      const ways = allSamples ? [false, true] : [i % 2 === 0]
      for (const small of ways) left.push(...expectBlocks(cudaLaunches(name, small)))
    })
  }

  afterAll(() => {
    if (left.length > 0) console.info(`${left.length} launches are too long for this mode:\n${left.join('\n')}`)
  })
})

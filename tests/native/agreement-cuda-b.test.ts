/** The other half of agreement-cuda-a.test.ts. */
import { describe, it } from 'vitest'
import { recordNames } from '../../src/graph/ops/index.js'
import { cudaLaunches, expectBlocks } from './agreement-cuda.js'

const names = recordNames.filter((_, i) => i % 2 === 1)

describe('blocks of GPU threads compute what the interpreter does, second half', () => {
  for (const name of names) {
    it(name, () => {
      expectBlocks(cudaLaunches(name, false))
      expectBlocks(cudaLaunches(name, true))
    })
  }
})

/** The other half of agreement-cuda-a.test.ts. */
import { afterAll, describe, it } from 'vitest'
import { recordNames } from '../../src/graph/ops/index.js'
import { cudaLaunches, expectBlocks } from './agreement-cuda.js'

const names = recordNames.filter((_, i) => i % 2 === 1)

describe('blocks of GPU threads compute what the interpreter does, second half', () => {
  const left: string[] = []

  for (const name of names) {
    it(name, () => {
      left.push(...expectBlocks(cudaLaunches(name, false)), ...expectBlocks(cudaLaunches(name, true)))
    })
  }

  afterAll(() => {
    if (left.length > 0) console.info(`${left.length} launches are too long for this mode:\n${left.join('\n')}`)
  })
})

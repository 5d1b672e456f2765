/** What a server that runs for weeks keeps of ever new shapes, constants and sources: a bounded number. */

import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { computeDevice } from '../../src/backends/index.js'
import { EagerExecutor } from '../../src/compile/eager.js'
import { recordTable } from '../../src/graph/ops/index.js'
import { compile, ones, type Tensor } from '../../src/index.js'

// The interpreter compiles in a millisecond, through the same maps.
beforeAll(() => {
  vi.stubEnv('TEGULA_BACKEND', 'interpreter')
})
afterAll(() => {
  vi.unstubAllEnvs()
})

it('eager kernels for attributes that do not recur are forgotten', () => {
  const executor = new EagerExecutor(computeDevice('cpu'), 8)
  const x = ones([8])
  for (let i = 0; i < 50; i++) {
    // Shifts are part of the kernel: each has one of its own.
    const shift = { dims: [0], shifts: [i] }
    const [rolled] = executor.run(recordTable.roll, [x], shift as never)
    expect(rolled!.toArray()).toEqual(x.toArray())
    expect(executor.kernels).toBeLessThanOrEqual(16)
  }
})

describe('a compiled function', () => {
  it('reports its last 32 recompiles and counts all', () => {
    const f = compile((x: Tensor, name: string) => x.mul(name.length), { recompileLimit: 2 })
    for (let n = 0; n < 50; n++) f(ones([2]), `name ${n}`)
    const { recompiles, recompileCount, entries, compiles } = f.stats()
    expect([recompileCount, recompiles.length, entries, compiles]).toEqual([49, 32, 2, 50])
    expect(recompiles.at(-1)).toMatch(/48.*49/)
  })
})

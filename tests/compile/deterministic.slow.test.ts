import { availableParallelism } from 'node:os'
import { describe, expect, it } from 'vitest'
import { compile, randn, type Tensor } from '../../src/index.js'
import { hasCompiler } from '../support/compiler.js'
import { jsonOf, runScript } from './run-script.js'

describe('deterministic', () => {
  it.skipIf(!hasCompiler)('results are the same bits for any number of threads', async () => {
    const hashes: unknown[] = []
    for (const threads of [1, 2, availableParallelism() + 3]) {
      hashes.push(await jsonOf(runScript('reductions.ts', [], { TEGULA_THREADS: `${threads}` })))
    }
    expect(Object.keys(hashes[0] as object)).toHaveLength(20)
    expect(hashes[1]).toEqual(hashes[0])
    expect(hashes[2]).toEqual(hashes[0])
  })
})

describe('repeated layers', () => {
  it('are compiled once: kernels depend on the distinct layers, not on how many there are', () => {
    const layer = (): { w: Tensor; g: Tensor } => ({ w: randn([32, 32]), g: randn([32]) })
    const block = (x: Tensor, { w, g }: { w: Tensor; g: Tensor }): Tensor => {
      const centred = x.sub(x.mean(-1, { keepdim: true }))
      return x.add(centred.mul(g).matmul(w).relu())
    }
    const kernelsOf = (count: number): { launches: number; distinct: number; code: number } => {
      const layers = Array.from({ length: count }, layer)
      const f = compile((x: Tensor, all: readonly { w: Tensor; g: Tensor }[]) => all.reduce(block, x))
      const { kernels, code } = f.explain(randn([16, 32]), layers)
      return { launches: kernels.length, distinct: new Set(kernels.map(({ name }) => name)).size, code: code.length }
    }
    const [few, many] = [kernelsOf(4), kernelsOf(24)]
    expect(many.launches).toBeGreaterThan(3 * few.launches)
    expect(many.distinct).toBe(few.distinct)
    expect(many.code).toBeLessThan(few.code * 1.01) // names of parameters hold their numbers
  })
})

/** What one process compiled, the next only loads. */
import { existsSync, readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { testFolder } from '../runtime/support.js'
import { hasCompiler } from '../support/compiler.js'
import { jsonOf, runScript } from './run-script.js'

interface Report {
  readonly compiled: number
  readonly loaded: number
  readonly bits: readonly string[]
}

const run = (folder: string, activation = 'gelu', environment: Record<string, string> = {}): Promise<Report> =>
  jsonOf(runScript('process.ts', [activation], { TEGULA_CACHE: undefined, TEGULA_CACHE_DIR: folder, ...environment }))

describe.skipIf(!hasCompiler)('a second process (needs a C compiler)', () => {
  it('compiles nothing and gives bitwise equal results; a changed graph compiles', async () => {
    const folder = `${testFolder()}/cache`
    const cold = await run(folder)
    expect(cold.compiled).toBeGreaterThan(3)
    const warm = await run(folder)
    expect(warm.compiled).toBe(0)
    expect(warm.loaded).toBe(cold.compiled)
    expect(warm.bits).toEqual(cold.bits)
    const changed = await run(folder, 'tanh')
    expect(changed.compiled).toBe(1)
    expect(changed.bits[0]).not.toBe(cold.bits[0])
    expect(changed.bits[1]).toBe(cold.bits[1])
  })

  it('compiles everything again without the cache, and leaves no folder', async () => {
    const folder = `${testFolder()}/cache`
    const first = await run(folder, 'gelu', { TEGULA_CACHE: '0' })
    const second = await run(folder, 'gelu', { TEGULA_CACHE: '0' })
    expect(first.compiled).toBeGreaterThan(3)
    expect(second.compiled).toBe(first.compiled)
    expect(second.bits).toEqual(first.bits)
    expect(existsSync(folder) ? readdirSync(folder) : []).toEqual([])
  })
})

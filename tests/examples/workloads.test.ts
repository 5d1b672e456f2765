/** The workloads of the examples on small sizes: each checks its own numbers, and says how long every way takes. */
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { hasCompiler } from '../support/compiler.js'

describe('attention', () => {
  it.skipIf(!hasCompiler)('gives the same numbers every way (needs a C compiler)', { timeout: 60_000 }, () => {
    const script = fileURLToPath(new URL('../../examples/workloads/attention.ts', import.meta.url))
    const args = ['--import', 'tsx', script, '--small']
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
    expect(status, stderr).toBe(0)
    for (const way of ['written out, compiled', 'built in, eager', 'causal, compiled']) expect(stdout).toContain(way)
  })
})

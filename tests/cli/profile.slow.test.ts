/** `tegula profile`: tables of a module's function, and a trace. Times are not asserted. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { hasCompiler } from '../support/compiler.js'
import { commandLine, fixture } from './run.js'

const cli = commandLine()
afterAll(() => cli.remove())

interface Profiled {
  readonly first: { readonly compilations: readonly { readonly name: string; readonly cached: boolean }[] }
  readonly calls: { readonly rows: readonly { readonly name: string; readonly calls: number }[] }
}

describe.runIf(hasCompiler)('profile', () => {
  it('prints what the first call compiled, and a table of further calls; writes a trace', () => {
    const trace = join(cli.folder, 'trace.json')
    const args = ['profile', fixture('mlp.ts'), '--calls', '5', '--no-limits', '--trace', trace]
    const { status, stdout, stderr } = cli.run(args)
    expect(status).toBe(0)
    expect(stderr).toContain('profiling 5 calls …')
    expect(stdout).toMatch(/^first call:\n\ncompiled +time +from +capture .* C compiler .*\nmlp +[\d.]+ .s +source/)
    expect(stdout).toMatch(/\n5 further calls:\n\nname +self CPU % /)
    expect(stdout).toMatch(/\nkernel matmul_add_relu .* 5 /)
    expect(stdout).toContain(`trace: ${trace}`)
    const { traceEvents } = JSON.parse(readFileSync(trace, 'utf8')) as { traceEvents: { name: string }[] }
    expect(traceEvents.filter(({ name }) => name === 'matmul_add_relu')).toHaveLength(5)
  })

  it('is data under --json; --eager profiles ops', () => {
    const args = ['profile', fixture('mlp.ts'), '--eager', '--calls', '2', '--no-limits', '--group', 'kernel']
    const { status, data } = cli.json<Profiled>(args)
    expect(status).toBe(0)
    expect(data.calls.rows.map(({ name }) => name)).toEqual(expect.arrayContaining(['matmul', 'relu']))
    expect(data.calls.rows.every(({ calls }) => calls === 2)).toBe(true)
    expect(data.first.compilations.map(({ name }) => name)).toContain('matmul')
  })

  it('refuses an unknown group', () => {
    const { status, stderr } = cli.run(['profile', fixture('mlp.ts'), '--group', 'ops'])
    expect(status).toBe(2)
    expect(stderr).toContain("'ops' is not one of op, kernel, module, line.")
  })
})

/** `tegula bench`: all ways side by side, first calls in processes of their own, a check of the numbers first. */
import { afterAll, describe, expect, it } from 'vitest'
import { compileModes } from '../../src/compile/options.js'
import { hasCompiler } from '../support/compiler.js'
import { commandLine, fixture } from './run.js'

const cli = commandLine()
afterAll(() => cli.remove())

interface Benched {
  readonly name: string
  readonly inputs: readonly string[]
  readonly ways: readonly {
    readonly way: string
    readonly call: { readonly median: number; readonly samples: number }
    readonly speedup: number
    readonly error: number | null
    readonly firstCall: {
      readonly cold: { readonly nanoseconds: number; readonly compiled: number }
      readonly warm: { readonly nanoseconds: number; readonly compiled: number }
    } | null
    readonly breakEven: object | null
  }[]
}

const quick = ['--samples', '5', '--seconds', '0.1']

describe.runIf(hasCompiler)('bench', () => {
  it('measures every way, cold and warm in processes with a cache of their own', () => {
    const { status, data } = cli.json<Benched>(['bench', fixture('mlp.ts'), ...quick])
    expect(status).toBe(0)
    expect(data).toMatchObject({ name: 'mlp', inputs: ['f32[4, 16]', 'f32[8]'] })
    expect(data.ways.map(({ way }) => way)).toEqual(['eager', ...compileModes])
    for (const { way, call, error, firstCall, breakEven } of data.ways) {
      expect(call.samples).toBe(5)
      expect(call.median).toBeGreaterThan(0)
      expect(firstCall!.cold.compiled).toBeGreaterThan(0)
      expect(firstCall!.warm.compiled).toBe(0)
      for (const { nanoseconds } of Object.values(firstCall!)) expect(nanoseconds).toBeGreaterThan(0)
      if (way === 'eager') expect([error, breakEven]).toEqual([null, null])
      else expect(error).toBeLessThan(1e-4)
    }
  })

  it('prints a table, with progress on stderr; the check of in-place functions works on copies', () => {
    const { status, stdout, stderr } = cli.run(['bench', fixture('in-place.ts'), ...quick, '--no-compile-times'])
    expect(status).toBe(0)
    expect(stdout).toContain('accumulate(f32[3, 5], f32[5])')
    for (const mode of ['eager', ...compileModes]) expect(stdout).toMatch(new RegExp(`^${mode} .*×`, 'm'))
    expect(stdout).not.toContain('first call')
    expect(stderr).toContain('checking that all ways agree …')
  })

  it('fails with exit code 1, before it times anything, when the numbers differ', () => {
    const { status, data } = cli.json<{ error: { name: string; message: string } }>([
      'bench',
      fixture('unsteady.ts'),
      ...quick,
    ])
    expect(status).toBe(1)
    expect(data.error.name).toBe('AccuracyError')
    expect(data.error.message).toMatch(
      /^default: result: compiled and eager differ: an error of 1\.0 of its largest value/,
    )
  })
})

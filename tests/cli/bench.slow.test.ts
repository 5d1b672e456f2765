/** `tegula bench`: all ways side by side, first calls in separate processes, a check of the numbers first. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { compileModes } from '../../src/compile/options.js'
import { hasCompiler } from '../support/compiler.js'
import { commandLine, fixture } from './run.js'

const cli = commandLine()
afterAll(() => cli.remove())

interface Benched {
  readonly cases: readonly {
    readonly name: string
    readonly inputs: readonly string[]
    readonly ways: readonly {
      readonly variant: string
      readonly way: string
      readonly call: { readonly median: number; readonly samples: number }
      readonly device: object | null
      readonly speedup: number
      readonly error: number | null
      readonly share: number | null
      readonly firstCall: {
        readonly cold: { readonly nanoseconds: number; readonly compiled: number }
        readonly warm: { readonly nanoseconds: number; readonly compiled: number }
      } | null
      readonly breakEven: object | null
    }[]
  }[]
  readonly failures: readonly { readonly name: string; readonly error: string }[]
}

const quick = ['--samples', '5', '--seconds', '0.1']

describe.runIf(hasCompiler)('bench', () => {
  it('measures the requested ways, cold and warm in processes with their own cache', () => {
    const { status, data } = cli.json<Benched>(['bench', fixture('mlp.ts'), ...quick, '--ways', 'eager,default'])
    expect(status).toBe(0)
    const [mlp] = data.cases
    expect(data.cases).toHaveLength(1)
    expect(mlp).toMatchObject({ name: 'mlp', inputs: ['f32[4, 16]', 'f32[8]'] })
    expect(mlp!.ways.map(({ way }) => way)).toEqual(['eager', 'default'])
    for (const { way, call, device, share, error, firstCall, breakEven } of mlp!.ways) {
      expect([device, share]).toEqual([null, null])
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
    expect(stdout).toContain('accumulate (f32[3, 5], f32[5])')
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

  it('runs every variant of every case in the requested ways; a failing case does not stop the others', () => {
    const out = join(cli.folder, 'report.json')
    const path = fixture('cases.ts')
    const args = ['bench', path, ...quick, '--quick', '--ways', 'eager,default', '--out', out]
    const { status, stdout } = cli.run(args)
    expect(status).toBe(1)
    expect(stdout).toMatch(/^twice \(f32\[8\]\)\n64 B: at least .* memory-bound\n.*checked against expected numbers/m)
    expect(stdout).toMatch(/^product +default +.* %/m)
    expect(stdout).toMatch(
      /wrong failed: AccuracyError: half eager: result: not the expected numbers: an error of 0\.33 of its largest value/,
    )
    const { cases, failures } = JSON.parse(readFileSync(out, 'utf8')) as Benched
    expect(cases.map(({ name }) => name)).toEqual(['twice'])
    const rows = cases[0]!.ways.map(({ variant, way }) => `${variant} ${way}`)
    expect(rows).toEqual(['sum eager', 'sum default', 'product eager', 'product default'])
    for (const { error, share, firstCall } of cases[0]!.ways) {
      expect([error, firstCall]).toEqual([0, null])
      expect(share).toBeGreaterThan(0)
    }
    expect(failures).toEqual([{ file: path, name: 'wrong', error: expect.stringContaining('AccuracyError') }])
  })

  it('lists the cases when none matches', () => {
    const { status, stderr } = cli.run(['bench', fixture('cases.ts'), '--case', 'thrice'])
    expect(status).toBe(2)
    expect(stderr).toMatch(/no case is named 'thrice'.*give a part of one of 'twice', 'wrong'/)
  })
})

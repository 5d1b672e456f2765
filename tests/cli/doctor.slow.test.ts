/** `tegula doctor`: planted problems are all found, a missing file is named, and the machine is checked. */
import { afterAll, describe, expect, it } from 'vitest'
import { hasCompiler } from '../support/compiler.js'
import { commandLine, fixture } from './run.js'

const cli = commandLine()
afterAll(() => cli.remove())

interface Diagnosis {
  readonly advice: readonly {
    readonly kind: string
    readonly severity: string
    readonly at: { readonly file: string; readonly line: number } | null
    readonly fix: string | null
  }[]
}

describe.runIf(hasCompiler)('doctor of a file', () => {
  it('names six planted problems with line and fix', () => {
    const { status, data } = cli.json<Diagnosis>(['doctor', fixture('six-problems.ts'), '--no-limits'])
    expect(status).toBe(0)
    const problems = data.advice.filter(({ severity }) => severity === 'problem')
    expect(Object.fromEntries(problems.map(({ kind, at }) => [kind, at?.line]))).toEqual({
      recompiles: 10,
      'round-trip': 13,
      'graph-break': 12,
      'no-grad': 14,
      'f32-weights': 10,
      unaligned: 14,
    })
    expect(problems.every(({ fix }) => fix !== null)).toBe(true)
  })

  it('prints them on the first screen', () => {
    const { stdout } = cli.run(['doctor', fixture('six-problems.ts'), '--no-limits'])
    const screen = stdout.split('\n').slice(0, 24).join('\n')
    for (const kind of ['recompiles', 'round-trip', 'graph-break', 'no-grad', 'f32-weights', 'unaligned'])
      expect(screen).toMatch(new RegExp(`^\\d\\. ${kind} .*six-problems\\.ts:\\d+`, 'm'))
    expect(screen).toContain('(because of 1 input)')
  })
})

describe('doctor of bad input', () => {
  it('names a file that is missing', () => {
    const { status, stderr } = cli.run(['doctor', 'missing.ts'])
    expect(status).not.toBe(0)
    expect(stderr).toContain('missing.ts')
  })
})

describe('doctor without a file', () => {
  it('checks CPU, compiler, cache and Node', () => {
    const { data } = cli.json<{ checks: readonly { name: string; text: string }[] }>(['doctor'])
    const names = data.checks.map(({ name }) => name)
    for (const name of ['cpu', 'features', 'threads', 'compiler', 'cache', 'node']) expect(names).toContain(name)
    expect(data.checks.every(({ text }) => text !== '')).toBe(true)
  })
})

/** The workloads of the examples, at the sizes for trying out: each is checked against numbers computed apart from the library. */
import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { commandLine } from '../cli/run.js'
import { hasCompiler } from '../support/compiler.js'

const folder = fileURLToPath(new URL('../../examples/workloads', import.meta.url))
const cli = commandLine()
afterAll(() => cli.remove())

interface Benched {
  readonly limits: object | null
  readonly cases: readonly {
    readonly name: string
    readonly expected: boolean
    readonly ways: readonly { readonly variant: string; readonly error: number | null; readonly share: number | null }[]
  }[]
  readonly failures: readonly object[]
}

describe('workloads', () => {
  it.runIf(hasCompiler)(
    'give the expected numbers every way, and say how near they are to the limit',
    { timeout: 300_000 },
    () => {
      const files = readdirSync(folder).map(name => `${folder}/${name}`)
      const few = ['--quick', '--samples', '5', '--seconds', '0.1', '--ways', 'default']
      const { status, data } = cli.json<Benched>(['bench', ...files, ...few])
      expect(data.failures).toEqual([])
      expect(status).toBe(0)
      expect(data.cases.length).toBeGreaterThanOrEqual(files.length)
      for (const { name, expected, ways } of data.cases) {
        expect(expected, name).toBe(true)
        for (const { variant, error, share } of ways) {
          expect(error, `${name}, ${variant}`).toBeLessThan(2e-2)
          expect(share, `${name}, ${variant}`).toBeGreaterThan(0)
        }
      }
    },
  )
})

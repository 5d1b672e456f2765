/** Machines without a C compiler: the interpreter when asked for, and otherwise an error that says what to do. */
import { describe, expect, it } from 'vitest'
import { testFolder } from '../runtime/support.js'
import { jsonOf, runScript } from './run-script.js'

interface Report {
  readonly eager: number[] | string
  readonly compiled: number[] | string
  readonly launched: number[] | string
  readonly after: (number[] | string)[]
  readonly printed: string
}

/** A process that finds no compiler and no kernels of earlier runs. */
const reportOf = (environment: Record<string, string | undefined>): Promise<Report> =>
  jsonOf(
    runScript('backend.ts', [], {
      PATH: '/nonexistent',
      TEGULA_CC: undefined,
      TEGULA_CACHE_DIR: `${testFolder()}/cache`,
      TEGULA_BACKEND: undefined,
      ...environment,
    }),
  )

describe('a machine without a C compiler', () => {
  it('runs ops, compiled functions and kernels with the interpreter when asked to', async () => {
    expect(await reportOf({ TEGULA_BACKEND: 'interpreter', TEGULA_CC: '/nonexistent/cc' })).toEqual({
      eager: [2, -1, 4, -3, 6],
      compiled: [10, 0, 30, 0, 50],
      launched: [2, -4, 6, -8, 10],
      after: [
        [2, -1, 4, -3, 6],
        [10, 0, 30, 0, 50],
      ],
      printed: 'tensor([ 1., -2.,  3., -4.,  5.])',
    })
  })

  it('says what to install and how to continue without; the process stays usable', async () => {
    const report = await reportOf({})
    for (const failure of [report.eager, report.compiled, report.launched]) {
      expect(failure).toMatch(/^CompilerError: no C compiler: none of cc, gcc, clang is on the PATH/)
      expect(failure).toMatch(/at .*fixtures\/backend\.js:\d+/)
      expect(failure).toMatch(/fix: install .*TEGULA_BACKEND=interpreter/)
    }
    expect(report.after).toEqual([
      [2, -1, 4, -3, 6],
      [10, 0, 30, 0, 50],
    ])
    expect(report.printed).toContain('-2.')
  })

  it('reports a TEGULA_CC that does not exist', async () => {
    const report = await reportOf({ TEGULA_CC: '/nonexistent/cc' })
    for (const failure of [report.eager, report.compiled, report.launched]) {
      expect(failure).toMatch(/^CompilerError: .*TEGULA_CC is "\/nonexistent\/cc".*fix: set TEGULA_CC .*interpreter/)
    }
  })
})

it('an invalid TEGULA_BACKEND is an error that lists both values', async () => {
  const report = await reportOf({ TEGULA_BACKEND: 'cuda' })
  for (const failure of [report.eager, report.compiled, report.launched]) {
    expect(failure).toMatch(/^ArgumentError: TEGULA_BACKEND is 'cuda'.*fix: .*'native' or 'interpreter'/)
  }
  expect(report.after[0]).toEqual([2, -1, 4, -3, 6])
})

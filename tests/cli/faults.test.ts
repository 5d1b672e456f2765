/** Modules that fail in every way that a module can: one error, as data too, that says where and what to do. */
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { builtScript } from '../support/built.js'
import { commandLine, main, type Outcome } from './run.js'

const cli = commandLine([builtScript(main)])
afterAll(() => cli.remove())

interface Failed {
  readonly error: {
    readonly name: string
    readonly message: string
    readonly file: string | null
    readonly line: number | null
    readonly column: number | null
    readonly fix: string | null
  }
}

const explainArgs = (path: string): string[] => ['explain', path, '--json', '--no-limits', '--no-graph']

/** stdout must be one JSON value, whatever the module prints. */
const dataOf = ({ stdout }: Outcome): Failed['error'] => (JSON.parse(stdout) as Failed).error

const fileOf = (what: string): string => `${what.replaceAll(' ', '-')}.mjs`

describe('a module that', () => {
  const cases: readonly (readonly [string, string, number, string | RegExp, number | null, RegExp | null])[] = [
    ['throws', `console.log('hello')\n\nthrow new TypeError('no weights')\nexport {}`, 1, 'no weights', 3, null],
    ['throws no error', `throw 'tea'\nexport {}`, 1, 'tea', null, null],
    ['is no JavaScript', 'export const a = 1\nexport default (', 1, 'throws while it is loaded', 2, null],
    ['imports a missing package', `import 'not-there-at-all'`, 1, /Cannot find package/, null, /npm install not-there/],
    ['imports a missing file', `import './gone.js'`, 1, /Cannot find module/, null, /correct the path/],
    [
      'exports nothing',
      'export {}',
      2,
      'exports no function (it exports nothing)',
      null,
      /export default the function/,
    ],
    ['exports no function', 'export default 7', 2, 'exports no function (it exports default)', null, /export default/],
    ['exports no inputs', 'export default x => x', 2, 'exports no inputs', null, /export const inputs/],
    [
      'exports inputs of a wrong type',
      `export default x => x\nexport const inputs = 'x'`,
      2,
      'inputs is a string',
      null,
      /array/,
    ],
    [
      'exports inputs without a tensor',
      `export default x => x\nexport const inputs = [1]`,
      2,
      'contains no tensor',
      null,
      /at least one is a tensor/,
    ],
    [
      'has inputs that throw',
      `export default x => x\nexport const inputs = () => {\n  throw new Error('no data')\n}`,
      1,
      'inputs throws: no data',
      3,
      null,
    ],
    ['has cases that are none', 'export const cases = []', 2, 'cases is empty', null, /array of cases/],
  ]

  const outcomes: Outcome[] = []
  beforeAll(() => {
    const files = cases.map(([what, text]) => cli.write(fileOf(what), text))
    const many = fileURLToPath(new URL('fixtures/many.ts', import.meta.url))
    const told = execFileSync(process.execPath, [builtScript(many), JSON.stringify(files.map(explainArgs))])
    outcomes.push(...(JSON.parse(String(told)) as Outcome[]))
  })

  it.each(cases.map((each, i) => [...each, i] as const))('%s', (what, _text, status, message, line, fix, i) => {
    const outcome = outcomes[i]!
    expect(outcome.status).toBe(status)
    const error = dataOf(outcome)
    expect(error.message).toMatch(message)
    expect([error.line, error.file]).toEqual([line, line === null ? null : join(cli.folder, fileOf(what))])
    if (fix !== null) expect(error.fix).toMatch(fix)
    expect(Object.keys(error)).toEqual(['name', 'message', 'file', 'line', 'column', 'fix'])
    expect(outcome.stderr).not.toMatch(/Warning/)
  })

  it('ends the process', () => {
    const { status, data } = cli.json<Failed>(explainArgs(cli.write('exits.mjs', 'process.exit(0)')).slice(0, -1))
    expect([status, data.error.message]).toEqual([
      1,
      'the module ended the process (exit code 0) before the command was done',
    ])
    expect(data.error.fix).toContain('process.exit()')
  })

  it('awaits a promise that never settles', () => {
    const { status, data } = cli.json<Failed>(['explain', cli.write('never.mjs', 'await new Promise(() => {})')])
    expect([status, data.error.message]).toEqual([
      1,
      expect.stringContaining('waits for a promise that nothing can settle'),
    ])
  })

  it('leaves a timer running: the command ends anyway', () => {
    const { status, stderr } = cli.run(['explain', cli.write('timer.mjs', 'setInterval(() => {}, 1000)\nexport {}')])
    expect([status, stderr]).toEqual([2, expect.stringContaining('exports no function')])
  })
})

describe('wrong options, with errors as data', () => {
  it.each([
    [['explain'], "missing required argument 'file'"],
    [['explain', 'x.ts', '--nope'], "unknown option '--nope'"],
    [['nonsense'], "unknown command 'nonsense'"],
    [['bench', 'x.ts', '--seconds', '-1'], 'must be a number above 0'],
    [['explain', '/nowhere/x.ts'], 'there is no file /nowhere/x.ts'],
    [['explain', '/etc/hosts'], 'is not a module'],
  ])('%j', async (args, message) => {
    const outcome = await cli.here([...args, '--json'])
    expect(outcome.status).toBe(2)
    expect(dataOf(outcome)).toMatchObject({ name: 'UsageError', message: expect.stringContaining(message), line: null })
  })
})

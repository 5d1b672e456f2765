/** `tegula explain`, and the errors of modules that it cannot use. */
import { afterAll, describe, expect, it } from 'vitest'
import { UsageError } from '../../src/base/errors.js'
import { loadUserModule } from '../../src/cli/user-module.js'
import { hasCompiler } from '../support/compiler.js'
import { commandLine, fixture } from './run.js'

const cli = commandLine()
afterAll(() => cli.remove())

interface Explained {
  readonly name: string
  readonly opCount: number
  readonly recompiles: readonly string[]
  readonly limits: Readonly<Record<string, number>> | null
  readonly segments: readonly {
    readonly graph?: string
    readonly code?: string
    readonly kernels: readonly {
      readonly name: string
      readonly bytes: number
      readonly bound: string | null
      readonly lines: readonly { readonly file: string; readonly line: number }[]
    }[]
  }[]
}

describe.runIf(hasCompiler)('explain', () => {
  it('prints graph, kernels, lines, guards, recompiles and memory', () => {
    const { status, stdout, stderr } = cli.run(['explain', fixture('mlp.ts')])
    expect(status).toBe(0)
    expect(stderr).toContain('measuring the CPU …')
    for (const text of [
      'mlp: 3 ops in 1 kernel\n',
      'args[0]: f32[s0, 16] strides [16, 1] on cpu',
      'recompiles:\n  args[0]: size of dim 0 was 4, now 5',
      's0 = size 0 of args[0], here 4',
      'closure 2: closure, f32[16, 8], read by matmul_add_relu',
      /928 B, .* FLOP\/byte: (memory|compute)-bound, .* at the limit/,
      'in general 96*s0+544 bytes',
      'reads args[0], args[1], closure 2; writes output 0',
      /from .*fixtures\/mlp\.ts:7\n/,
      'inputs 800 B, outputs 128 B, peak 928 B',
      'graph:\n  %0 = input()',
      'graph after the passes:\n',
    ])
      expect(stdout).toMatch(text)
    expect(stdout).not.toContain('code:')
  })

  it('is data under --json, with code and graphs on request', () => {
    const { status, data } = cli.json<Explained>(['explain', fixture('mlp.ts'), '--code', '--no-graph', '--no-limits'])
    expect(status).toBe(0)
    expect(data).toMatchObject({ name: 'mlp', opCount: 3, limits: null })
    const [segment] = data.segments
    expect(segment!.code).toContain('matmul_add_relu(const tg_arg')
    expect(segment!.graph).toBeUndefined()
    expect(segment!.kernels).toMatchObject([{ name: 'matmul_add_relu', bytes: 928, bound: null }])
    expect(segment!.kernels[0]!.lines.map(({ line }) => line)).toContain(7)
  })

  it("takes trees, asynchronous inputs and options, and keeps the module's output out of the JSON", () => {
    const { status, stdout, stderr } = cli.run(['explain', fixture('in-place.ts'), '--json', '--no-limits'])
    expect(status).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ name: 'accumulate', breaks: [] })
    expect(stderr).toContain('printed while it is loaded')
  })

  it('fails with exit code 1 and the user’s line when the function throws', () => {
    const { status, stdout, stderr } = cli.run(['explain', fixture('wrong-shape.ts'), '--json', '--no-limits'])
    expect(status).toBe(1)
    expect(JSON.parse(stdout).error).toMatchObject({ name: 'ShapeError', message: expect.stringContaining('matmul') })
    expect(stderr).toMatch(/ShapeError: matmul.*wrong-shape\.ts:6/)
  })
})

it('explain and bench work with the interpreter, without a compiler', () => {
  const interpreter = { TEGULA_BACKEND: 'interpreter', TEGULA_CC: '/nowhere/cc' }
  const explained = cli.json<Explained>(['explain', fixture('mlp.ts')], interpreter)
  expect(explained).toMatchObject({ status: 0, data: { opCount: 3, limits: null } })
  const benched = cli.run(
    ['bench', fixture('mlp.ts'), '--samples', '5', '--seconds', '0.1', '--ways', 'default'],
    interpreter,
  )
  expect(benched.status).toBe(0)
  expect(benched.stdout).toMatch(/^default .*\(0 compiled\)/m)
})

describe('a module with missing or wrong exports', () => {
  it.each([
    ['none.js', 'export const a = 1', 'exports no function (it exports a)', 'export default the function'],
    ['default.js', 'export default 3', 'exports no function (it exports default)', 'or export it as fn'],
    ['inputs.js', 'export default x => x', 'exports no inputs', 'export const inputs = ['],
    ['number.js', 'export default x => x\nexport const inputs = 3', 'inputs is a number', 'an array of the arguments'],
    ['async.js', 'export const fn = x => x\nexport const inputs = async () => null', 'inputs is null', 'an array'],
    ['cases.js', 'export const cases = []', 'cases is empty', 'export an array of cases'],
    ['unnamed.js', 'export const cases = [{}]', 'cases[0] has no name', 'give it a name'],
    ['noinputs.js', 'export const cases = [{ name: "a" }]', 'cases[0] (a): inputs is undefined', 'give a function'],
    [
      'novariants.js',
      'export const cases = [{ name: "a", inputs: () => [], variants: { b: 3 } }]',
      'cases[0] (a) has no variants',
      'give an object of functions',
    ],
    [
      'plain.js',
      'export const fn = x => x\nexport const inputs = [1]',
      'inputs contains no tensor',
      'export the arguments',
    ],
    [
      'foreign.js',
      'class Tensor {}\nexport const fn = x => x\nexport const inputs = [new Tensor()]',
      'tensors from another copy of tegula',
      'npx tegula',
    ],
    [
      'compiled.js',
      'export default Object.assign(x => x, { explain() {}, stats() {} })\nexport const inputs = []',
      'exports a compiled function',
      'export the plain function',
    ],
  ])('%s', async (name, text, problem, fix) => {
    const error = await loadUserModule(cli.write(name.replace('.js', '.mjs'), text)).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(UsageError)
    expect((error as UsageError).what).toContain(problem)
    expect((error as UsageError).fix).toContain(fix)
  })

  it('is wrong usage: exit code 2, with the fix', () => {
    const { status, stdout, stderr } = cli.run(['explain', cli.write('nothing.mjs', 'export const a = 1')])
    expect([status, stdout]).toEqual([2, ''])
    expect(stderr).toMatch(/^UsageError: .*nothing\.mjs exports no function \(it exports a\) {2}fix: export default/)
  })

  it('a missing file, or a file that is not a module: exit code 2', async () => {
    expect(await cli.here(['explain', 'nowhere.ts'])).toMatchObject({
      status: 2,
      stderr: expect.stringMatching(/no file .*nowhere\.ts/),
    })
    expect(await cli.here(['explain', cli.write('data.json', '{}')])).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('ends in ".json"'),
    })
  })

  it('a module that throws while it is loaded: exit code 1 with its stack', async () => {
    const path = cli.write('throws.mjs', 'throw new RangeError("no weights")')
    const { status, stderr } = await cli.here(['explain', path])
    expect(status).toBe(1)
    expect(stderr).toMatch(/throws while it is loaded: no weights[\s\S]*throws\.mjs:1/)
  })

  it('a module that cannot run here: exit code 1, with the fix', () => {
    const { status, data } = cli.json<{ error: { message: string; fix: string } }>(['explain', fixture('mlp.ts')], {
      TEGULA_CC: '/nowhere/cc',
    })
    expect(status).toBe(1)
    expect(data.error.message).toContain('no C compiler: TEGULA_CC is "/nowhere/cc"')
    expect(data.error.fix).toContain('TEGULA_CC')
  })

  it('a module with a mistake in its use of tensors: its line, exit code 1', () => {
    const { status, stderr } = cli.run(['explain', fixture('bad-inputs.ts')])
    expect(status).toBe(1)
    expect(stderr).toMatch(/^TegulaError: .*bad-inputs\.ts: inputs throws: ShapeError: .* at .*bad-inputs\.ts:5 /)
  })

  it('a module that throws while it creates its inputs: exit code 1', async () => {
    const path = cli.write(
      'late.mjs',
      'export const fn = x => x\nexport const inputs = () => { throw new Error("no file") }',
    )
    expect(await cli.here(['explain', path])).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('inputs throws: no file'),
    })
  })
})

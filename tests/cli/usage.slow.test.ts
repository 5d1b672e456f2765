/** Help, wrong usage, exit codes; `devices` and `cache`. */
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { version } from '../../src/base/version.js'
import { hasCompiler } from '../support/compiler.js'
import { commandLine } from './run.js'

const cli = commandLine()
afterAll(() => cli.remove())

describe('tegula', () => {
  it('prints help and version with exit code 0', async () => {
    const help = await cli.here(['--help'])
    expect(help.status).toBe(0)
    for (const command of ['devices', 'explain', 'bench', 'cache']) expect(help.stdout).toContain(command)
    expect(help.stdout).not.toContain('first-call')
    expect(cli.run(['--version'])).toMatchObject({ status: 0, stdout: `${version}\n` })
    expect((await cli.here(['bench', '--help'])).stdout).toContain('FILE is a .ts or .js module that exports')
  })

  it.each([
    [[], 'Usage'],
    [['tune'], "unknown command 'tune'"],
    [['explain'], "missing required argument 'file'"],
    [['devices', '--fast'], "unknown option '--fast'"],
    [['bench', 'x.ts', '--seconds', 'soon'], "argument 'soon' is invalid. It must be a number above 0."],
    [['bench', 'x.ts', '--ways', 'eager,fast'], "'fast' is not one of eager, default, reduce-overhead, max-autotune."],
    [['cache'], 'Usage'],
    [['cache', 'empty'], "unknown command 'empty'"],
  ])('refuses %j with exit code 2', async (args, message) => {
    const { status, stdout, stderr } = await cli.here(args)
    expect(status).toBe(2)
    expect(stdout).toBe('')
    expect(stderr).toContain(message)
  })

  it('reports wrong usage as JSON too', () => {
    const { status, data } = cli.json<{ error: { name: string; message: string } }>(['explain'])
    expect(status).toBe(2)
    expect(data.error).toMatchObject({ name: 'UsageError', message: expect.stringContaining("argument 'file'") })
  })
})

interface Devices {
  readonly devices: readonly {
    readonly device: string
    readonly cores: number
    readonly threads: number
    readonly vectorBits: number
    readonly compiler: { readonly program: string; readonly version: string } | null
    readonly problem: string | null
    readonly measured: Readonly<Record<string, number>> | null
  }[]
}

describe('devices', () => {
  it.runIf(hasCompiler)('measures the CPU, with progress on stderr', () => {
    const { status, stdout, stderr } = cli.run(['devices'])
    expect(status).toBe(0)
    expect(stderr).toContain('measuring the CPU …')
    expect(stdout).toMatch(/^f32 FMA +[\d.]+ GFLOP\/s, [\d.]+ on one thread$/m)
    expect(stdout).toMatch(/^memory +copy [\d.]+ GB\/s, read [\d.]+ GB\/s$/m)
  })

  it.runIf(hasCompiler)('is data under --json', () => {
    const { status, data } = cli.json<Devices>(['devices', '--no-measure'], { TEGULA_THREADS: '3' })
    expect(status).toBe(0)
    const [cpu] = data.devices
    expect(cpu).toMatchObject({ device: 'cpu', threads: 3, measured: null, problem: null })
    expect(cpu!.cores).toBeGreaterThanOrEqual(1)
    expect([128, 256, 512]).toContain(cpu!.vectorBits)
    expect(cpu!.compiler!.version).not.toBe('')
  })

  it('reports that there is no compiler, and measures nothing', () => {
    const { status, data } = cli.json<Devices>(['devices'], { TEGULA_CC: '/nowhere/cc' })
    expect(status).toBe(0)
    expect(data.devices[0]).toMatchObject({ compiler: null, measured: null })
    expect(data.devices[0]!.problem).toContain('/nowhere/cc')
  })

  it('fails with exit code 1 when the environment is wrong', () => {
    const { status, stderr } = cli.run(['devices', '--no-measure'], { TEGULA_THREADS: 'many' })
    expect(status).toBe(1)
    expect(stderr).toContain('ArgumentError: TEGULA_THREADS is "many"')
  })
})

describe('cache', () => {
  const own = commandLine()
  afterAll(() => own.remove())

  it('shows its path, its files, and clears them', async () => {
    const path = await own.here(['cache', 'path'])
    expect(path.status).toBe(0)
    const folder = path.stdout.trim()
    expect(folder.startsWith(join(own.folder, 'cache'))).toBe(true)
    writeFileSync(join(folder, 'abc.entry'), 'x'.repeat(100))
    writeFileSync(join(folder, 'abc.c'), 'int f;')
    const list: { folder: string; bytes: number; files: { kind: string; bytes: number; path: string }[] } = JSON.parse(
      (await own.here(['cache', 'ls', '--json'])).stdout,
    )
    expect(list).toMatchObject({ folder, bytes: 106 })
    expect(list.files.map(({ kind }) => kind).sort()).toEqual(['artifact', 'source'])
    expect((await own.here(['cache', 'ls'])).stdout).toContain(`2 files, 106 B in ${folder}`)
    expect(await own.here(['cache', 'clear'])).toMatchObject({
      status: 0,
      stdout: `removed 2 files, 106 B from ${folder}\n`,
    })
    expect(existsSync(join(folder, 'abc.c'))).toBe(false)
    expect(JSON.parse((await own.here(['cache', 'ls', '--json'])).stdout).files).toEqual([])
  })

  it('says when it is off', async () => {
    expect(await own.here(['cache', 'ls'], { TEGULA_CACHE: '0' })).toMatchObject({
      status: 0,
      stdout: 'the cache is off (TEGULA_CACHE=0)\n',
    })
  })
})

/** The lessons as programs, quickly: their tables have the rows that the pages promise, and their numbers were checked before they were timed. */
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, describe, expect, it } from 'vitest'
import { hasCompiler } from '../support/compiler.js'

const project = fileURLToPath(new URL('../..', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'tegula-lessons-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

interface Ran {
  readonly stdout: string
  /** By title. */
  readonly sections: readonly { readonly title: string; readonly table: unknown; readonly notes: readonly string[] }[]
  /** Lines of the tables' CSV. */
  readonly csv: readonly string[]
}

/** Runs a lesson quickly, without measuring the machine's peaks. */
async function run(name: string, ...args: readonly string[]): Promise<Ran> {
  const [json, csv] = [join(folder, `${name}.json`), join(folder, `${name}.csv`)]
  const command = ['--import', 'tsx', `examples/lessons/${name}.ts`, '--quick', '--json', json, '--csv', csv, ...args]
  const { stdout } = await promisify(execFile)(process.execPath, command, { cwd: project })
  return {
    stdout,
    sections: JSON.parse(readFileSync(json, 'utf8')) as Ran['sections'],
    csv: readFileSync(csv, 'utf8').split('\n'),
  }
}

const timeout = 900_000

describe.runIf(hasCompiler)('lessons (need a C compiler)', () => {
  it('attention: a table of all ways, why they differ, and a profile of each', { timeout }, async () => {
    const { stdout, sections, csv } = await run('attention')
    expect(sections.map(({ title }) => title.split(':')[0]!.replace(/ on .*/, ''))).toEqual([
      'Attention 2×2×128×32 f32',
      'naive, eager',
      'naive, compiled, weights returned',
      'naive, compiled',
      'fused',
    ])
    // Six passes: the products write and read the scores, scale and softmax read and write them.
    const ways = sections[0]!.table as readonly { readonly kernels: number; readonly passes: number }[]
    expect(ways.map(({ kernels }) => kernels)).toEqual([4, 3, 1, 1])
    expect(ways.map(({ passes }) => Math.round(passes))).toEqual([6, 4, 0, 0])
    expect(stdout).toMatch(/Naive takes \d+\.\d+× the time of fused\. The scores are 256\.0 KiB/)
    expect(stdout).toMatch(/A copy on this device moves [\d.]+ GB\/s/)
    expect(csv).toContainEqual(expect.stringMatching(/^fused,\d/))
  })

  it('graphs: eager and compiled by number of kernels, and that a CPU has no graphs', { timeout }, async () => {
    const { sections, stdout } = await run('graphs', '--no-peak')
    const points = sections[0]!.table as readonly {
      readonly parameters: object
      readonly comparison: { readonly rows: readonly { readonly name: string }[] }
    }[]
    expect(points.map(({ parameters }) => parameters)).toEqual([{ kernels: 1 }, { kernels: 4 }, { kernels: 16 }])
    expect(points[0]!.comparison.rows.map(({ name }) => name)).toEqual(['eager', 'compiled'])
    expect(stdout).toContain('Only CUDA has graphs.')
    expect(stdout).toContain('WHAT A KERNEL COSTS')
  })

  it('precision: errors in the order of the formats, and why tf32 is left out', { timeout }, async () => {
    const { sections, stdout } = await run('precision', '--no-peak', '--markdown')
    const rows = sections[0]!.table as readonly { name: string; error: number; weightBytes: number }[]
    expect(rows.map(({ name }) => name)).toEqual(['f32', 'bf16', 'fp8', 'mxint8', 'nvfp4'])
    const errors = new Map(rows.map(({ name, error }) => [name, error]))
    expect(errors.get('f32')).toBeLessThan(1e-5)
    expect(errors.get('bf16')).toBeLessThan(errors.get('mxint8')!)
    expect(errors.get('mxint8')).toBeLessThan(errors.get('fp8')!)
    expect(errors.get('fp8')).toBeLessThan(errors.get('nvfp4')!)
    expect(rows.at(-1)!.weightBytes).toBe((256 * 256 * (4 + 8 / 16)) / 8 + 4)
    expect(stdout).toContain('tf32 is left out')
    expect(stdout).toContain('| nvfp4 | 36.0 KiB |')
  })

  it('compiling: cold, warm and second processes, break-even, and sizes that change', { timeout }, async () => {
    const { sections, csv } = await run('compiling', '--no-peak')
    const [cases, calls, first] = sections as [Ran['sections'][0], Ran['sections'][0], Ran['sections'][0]]
    type Rows = readonly { name: string; first: Record<string, Record<string, { compiled: number }>> }[]
    const rows = cases.table as Rows
    expect(rows.map(({ name }) => name)).toEqual([
      'one op on 8 numbers',
      '15 pointwise ops on 8 numbers',
      '15 pointwise ops on 64 k numbers',
      'one matmul, 256³',
      'ResNet-18, inference on 1 × 32²',
      'ResNet-18, training step on 2 × 32²',
    ])
    for (const { name, first } of rows) {
      expect(first.compiled!.cold!.compiled, name).toBeGreaterThan(0)
      expect([first.compiled!.warm!.compiled, first.eager!.warm!.compiled], name).toEqual([0, 0])
    }
    expect(calls.title).toContain('Sizes that change')
    const policies = first.table as readonly { name: string; calls: { cold: { compiled: number } } }[]
    expect(policies.map(({ name, calls }) => [name, calls.cold.compiled])).toEqual([
      ['eager', expect.any(Number)],
      ['a version per size', 2],
      ['one version for any size', 1],
      ["bucket: 'pow2'", 2],
    ])
    expect(csv[1]).toContain('break_even_cold,break_even_warm')
  })
})

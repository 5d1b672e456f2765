/** The report of changed kernels: what it writes, how it compares, its exit codes. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { compareFolders, isSame, printDifference } from '../../scripts/kernel-diff.js'
import { run } from '../../scripts/kernels.js'

const project = fileURLToPath(new URL('../..', import.meta.url))
let work = ''
beforeAll(() => {
  work = mkdtempSync(join(tmpdir(), 'tegula-kernels-test-'))
})
afterAll(() => rmSync(work, { recursive: true, force: true }))

function folder(name: string, files: Readonly<Record<string, string>>): string {
  const path = join(work, name)
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(path, file)), { recursive: true })
    writeFileSync(join(path, file), text)
  }
  return path
}

interface Outcome {
  readonly status: number | null
  readonly stdout: string
  readonly stderr: string
}

/** As a process, from start to exit code. */
function kernelsProcess(...args: readonly string[]): Outcome {
  const node = ['--import', 'tsx', 'scripts/kernels.ts', ...args]
  const { status, stdout, stderr } = spawnSync(process.execPath, node, { cwd: project, encoding: 'utf8' })
  return { status, stdout, stderr }
}

/** The same in this process, which has loaded everything. */
async function kernels(...args: readonly string[]): Promise<Outcome> {
  const [stdout, stderr]: [string[], string[]] = [[], []]
  const status = await run(
    args,
    text => stdout.push(text),
    text => stderr.push(text),
  )
  return { status, stdout: stdout.join(''), stderr: stderr.join('') }
}

describe('comparing folders of kernels', () => {
  it('lists added and removed kernels, and groups equal changes', () => {
    const before = folder('a', {
      'c/x/one.txt': 'head\nold line\ntail\n',
      'c/y, any sizes/two.txt': 'other head\nmore\nold line\ntail\n',
      'c/z/three.txt': 'same\n',
      'c/z/gone.txt': 'gone\n',
      'c/w/own.txt': 'a\nb\n',
    })
    const after = folder('b', {
      'c/x/one.txt': 'head\nnew line\ntail\n',
      'c/y, any sizes/two.txt': 'other head\nmore\nnew line\ntail\n',
      'c/z/three.txt': 'same\n',
      'c/z/fresh.txt': 'fresh\n',
      'c/w/own.txt': 'a\nb\nc\n',
    })
    const difference = compareFolders(before, after)
    expect(difference).toMatchObject({ before: 5, after: 5, added: ['c/z/fresh.txt'], removed: ['c/z/gone.txt'] })
    expect(difference.changes).toEqual([
      {
        paths: ['c/x/one.txt', 'c/y, any sizes/two.txt'],
        diff: ['@@ -1,3 +1,3 @@', ' head', '-old line', '+new line', ' tail'],
        added: 1,
        removed: 1,
      },
      { paths: ['c/w/own.txt'], diff: ['@@ -1,2 +1,3 @@', ' a', ' b', '+c'], added: 1, removed: 0 },
    ])
    expect(isSame(difference)).toBe(false)
    const text = printDifference(difference, { lines: 2, entries: 1 })
    expect(text).toContain('5 files before, 5 now: 1 added, 1 removed, 3 changed in 2 ways')
    expect(text).toContain('c/x/one.txt (+1 -1), and 1 alike: c/y, any sizes/two.txt')
    expect(text).toMatch(/@@ -1,3 \+1,3 @@\n head\n {2}… 3 lines more/)
    expect(text).toContain('… 1 further ways more')
  })

  it('finds nothing in equal folders, and fails for missing ones', () => {
    const one = folder('c', { 'k.txt': 'text\n' })
    expect(isSame(compareFolders(one, folder('d', { 'k.txt': 'text\n' })))).toBe(true)
    expect(() => compareFolders(join(work, 'nowhere'), one)).toThrow('nowhere')
  })
})

describe('the command', { timeout: 120_000 }, () => {
  it('writes plans, and kernels as tile program and code; exit code 0 for equal, 1 for different', async () => {
    const out = join(work, 'out')
    const written = kernelsProcess('--out', out, '--only', 'ops/softmax/dim ')
    expect(written).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/^\d+ graphs, \d+ kernels for c-avx512, c-avx2, ptx-sm80, ptx-sm90a in /),
    })
    const sample = join(out, 'c-avx512/ops/softmax/dim 1')
    expect(readFileSync(join(sample, 'plan.txt'), 'utf8')).toMatch(/^launch (\w+)\[/m)
    const [, kernel] = /^launch (\w+)\[/m.exec(readFileSync(join(sample, 'plan.txt'), 'utf8'))!
    const text = readFileSync(join(sample, `${kernel}.txt`), 'utf8')
    expect(text).toMatch(/^%0 = view\(\)[\s\S]*fn: "exp"[\s\S]*\n\n\/\/ .*\nvoid \w+\(const tg_arg/)
    expect(readFileSync(join(out, 'c-avx512/shared.txt'), 'utf8')).toContain('exp_f32x4(')

    const same = await kernels('--against', out, '--only', 'ops/softmax/dim ')
    expect(same).toMatchObject({ status: 0, stdout: expect.stringContaining('0 added, 0 removed, 0 changed') })
    writeFileSync(join(sample, `${kernel}.txt`), text.replace('store_', 'put_'))
    const different = await kernels('--against', out, '--only', 'ops/softmax/dim ')
    expect(different.status).toBe(1)
    expect(different.stdout).toMatch(/1 changed in 1 ways[\s\S]*-.*put_[\s\S]*\+.*store_/)
  })

  it.skipIf(!existsSync(join(project, '.git')))('compares with a git revision (needs a checkout)', async () => {
    const { status, stdout, stderr } = await kernels('--against', 'HEAD', '--only', 'golden/', '--lines', '5')
    expect(stderr).toBe('')
    expect(stdout).toMatch(/^\d+ graphs[\s\S]*\n\d+ files before, \d+ now: \d+ added/)
    expect(status).toBe(stdout.includes('0 added, 0 removed, 0 changed') ? 0 : 1)
    expect(await kernels('--against', 'no-such-revision')).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('no-such-revision'),
    })
  })

  it('reports wrong arguments: exit code 2', async () => {
    expect(kernelsProcess()).toMatchObject({
      status: 2,
      stderr: expect.stringMatching(/give --against, --out or both\n\nusage/),
    })
    expect(await kernels('--out', project)).toMatchObject({ status: 2, stderr: expect.stringContaining('not empty') })
    expect(await kernels('--out', join(work, 'none'), '--only', 'no such graph')).toMatchObject({
      status: 2,
      stderr: expect.stringContaining("no graph's name contains 'no such graph'"),
    })
  })
})

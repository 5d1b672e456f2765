/** `tegula bisect` with a working C compiler and with one that miscompiles; the reproduction that it writes is run as a program of its own. */
import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { hasCompiler } from '../support/compiler.js'
import { commandLine, fixture } from './run.js'

const cli = commandLine()
afterAll(() => cli.remove())

const entry = (name: string): string => fileURLToPath(new URL(`../../src/${name}.ts`, import.meta.url))
const module = `import { randn, type Tensor } from ${JSON.stringify(entry('index'))}

const w = randn([4, 4])

export default function scaled(x: Tensor): Tensor {
  return x.matmul(w).relu().mul(1.734375).sum(-1)
}

export const inputs = [randn([3, 4])]
`
/** Compiles 1.734375 as 1.75. */
const wrongCompiler = `#!/bin/sh
for file; do
  case $file in *.c) if [ -f "$file" ]; then sed -i 's/1\\.734375/1.75/g' "$file"; fi;; esac
done
exec cc "$@"
`

describe.runIf(hasCompiler && process.platform === 'linux')('tegula bisect (needs a C compiler)', () => {
  it('finds nothing wrong with right code', () => {
    const { status, stdout } = cli.run(['bisect', fixture('mlp.ts')])
    expect(stdout).toBe('mlp: no difference: generated code agrees with the interpreter\n')
    expect(status).toBe(0)
  })

  it('names wrong code, and writes a file that shows it by itself', () => {
    const compiler = cli.write('wrong-cc', wrongCompiler)
    chmodSync(compiler, 0o755)
    const file = cli.write('scaled.ts', module)
    const out = join(cli.folder, 'found.ts')
    const { status, stdout } = cli.run(['bisect', file, '--out', out], { TEGULA_CC: compiler })
    expect(stdout).toContain('generated code on cpu')
    expect(stdout).toMatch(/scaled\.ts:6/)
    expect(stdout).toContain(`reproduction: ${out}`)
    expect(status).toBe(1)
    const text = readFileSync(out, 'utf8')
    expect(text).not.toContain('matmul')
    const alone = cli.write('alone.ts', text.replace("'tegula/debug'", JSON.stringify(entry('debug/index'))))
    const run = (env: Record<string, string>) =>
      spawnSync(process.execPath, ['--import', 'tsx', alone], {
        encoding: 'utf8',
        cwd: fileURLToPath(new URL('../..', import.meta.url)),
        env: { ...process.env, TEGULA_CACHE_DIR: join(cli.folder, 'cache'), ...env },
      })
    const wrong = run({ TEGULA_CC: compiler })
    expect(wrong.stdout).toContain('generated code on cpu')
    expect(wrong.status).toBe(1)
    const right = run({})
    expect(right.stdout).toContain('no difference')
    expect(right.status).toBe(0)
  })

  it('says as data what it found, and refuses a file that cannot be written', () => {
    const { status, data } = cli.json<{ culprit: unknown; ops: readonly number[] }>(['bisect', fixture('mlp.ts')])
    expect([status, data.culprit]).toEqual([0, null])
    const compiler = join(cli.folder, 'wrong-cc')
    expect(existsSync(compiler)).toBe(true)
    const refused = cli.run(['bisect', join(cli.folder, 'scaled.ts'), '--out', '/no/such/folder/r.ts'], {
      TEGULA_CC: compiler,
    })
    expect(refused.stderr).toContain('/no/such/folder/r.ts cannot be written')
    expect(refused.status).toBe(2)
  })
})

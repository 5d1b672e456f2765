/** Runs the command line in a process of its own, with a cache of its own. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const project = fileURLToPath(new URL('../..', import.meta.url))

export interface Outcome {
  readonly status: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface CommandLine {
  /** For modules written by a test, and for the cache. */
  readonly folder: string
  run(args: readonly string[], env?: Readonly<Record<string, string>>): Outcome
  /** As `run` with `--json`: the parsed stdout. */
  json<T>(args: readonly string[], env?: Readonly<Record<string, string>>): { status: number | null; data: T }
  /** Writes a module into the folder; returns its path. */
  write(name: string, text: string): string
  remove(): void
}

export const fixture = (name: string): string => fileURLToPath(new URL(`fixtures/${name}`, import.meta.url))

export function commandLine(): CommandLine {
  const folder = mkdtempSync(join(tmpdir(), 'tegula-cli-'))
  const run: CommandLine['run'] = (args, env = {}) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, ['--import', 'tsx', 'src/cli/main.ts', ...args], {
      cwd: project,
      encoding: 'utf8',
      env: { ...process.env, TEGULA_CACHE_DIR: join(folder, 'cache'), TEGULA_CACHE: '', ...env },
    })
    return { status, stdout, stderr }
  }
  return {
    folder,
    run,
    json: (args, env) => {
      const { status, stdout, stderr } = run([...args, '--json'], env)
      if (stdout === '') throw new Error(`nothing on stdout: ${stderr}`)
      return { status, data: JSON.parse(stdout) }
    },
    write: (name, text) => {
      const path = join(folder, name)
      writeFileSync(path, text)
      return path
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

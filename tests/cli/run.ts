/** Runs the command line with a cache of its own: in a process of its own, or in this one. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runCommandLine } from '../../src/cli/command-line.js'

const project = fileURLToPath(new URL('../..', import.meta.url))
export const main = join(project, 'src/cli/main.ts')

export interface Outcome {
  readonly status: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface CommandLine {
  /** For modules written by a test, and for the cache. */
  readonly folder: string
  run(args: readonly string[], env?: Readonly<Record<string, string>>): Outcome
  /** As `run`, within this process: for commands that load no TypeScript and open no device. A process takes most of a second. */
  here(args: readonly string[], env?: Readonly<Record<string, string>>): Promise<Outcome>
  /** As `run` with `--json`: the parsed stdout. */
  json<T>(args: readonly string[], env?: Readonly<Record<string, string>>): { status: number | null; data: T }
  /** Writes a module into the folder; returns its path. */
  write(name: string, text: string): string
  remove(): void
}

export const fixture = (name: string): string => fileURLToPath(new URL(`fixtures/${name}`, import.meta.url))

async function outcomeHere(args: readonly string[], env: NodeJS.ProcessEnv): Promise<Outcome> {
  const [told, written] = [
    { stdout: '', stderr: '' },
    { stdout: process.stdout.write, stderr: process.stderr.write },
  ]
  const before = process.env
  process.env = env
  for (const stream of ['stdout', 'stderr'] as const) {
    process[stream].write = (text: string | Uint8Array) => {
      told[stream] += text
      return true
    }
  }
  try {
    return { status: await runCommandLine(args, main), ...told }
  } finally {
    process.env = before
    for (const stream of ['stdout', 'stderr'] as const) process[stream].write = written[stream]
  }
}

/** What node is started with: the command as TypeScript, which may share modules with what it loads. */
export function commandLine(started: readonly string[] = ['--import', 'tsx', main]): CommandLine {
  const folder = mkdtempSync(join(tmpdir(), 'tegula-cli-'))
  const environment = (env: Readonly<Record<string, string>>): NodeJS.ProcessEnv => ({
    ...process.env,
    TEGULA_CACHE_DIR: join(folder, 'cache'),
    TEGULA_CACHE: '',
    ...env,
  })
  const run: CommandLine['run'] = (args, env = {}) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [...started, ...args], {
      cwd: project,
      encoding: 'utf8',
      env: environment(env),
    })
    return { status, stdout, stderr }
  }
  return {
    folder,
    run,
    here: (args, env = {}) => outcomeHere(args, environment(env)),
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

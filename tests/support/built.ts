/**
 * What processes of tests share, compiled once: scripts that tests start as processes, which from TypeScript would transform
 * all that they import, for two seconds each; and libraries in C.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { contentHash } from '../../src/base/canonical.js'

const project = fileURLToPath(new URL('../..', import.meta.url))
const builds = join(project, '.built') // within the project, where packages are found
const sources = ['src', ...readdirSync(join(project, 'tests')).map(folder => `tests/${folder}/fixtures`)]

/** Milliseconds: nobody runs a build that is older, or still waits for one. */
const [longestUse, longestBuild] = [3_600_000, 60_000]

let built: string | null = null

/** The compiled form of a script of `sources`, beside compiled copies of all that it imports. */
export function builtScript(path: string): string {
  built ??= build()
  return join(built, relative(project, path)).replace(/\.ts$/, '.js')
}

/** The shared object of a C file. Compiled without optimisation: what tests have in C takes no time. */
export function builtLibrary(source: string, flags: readonly string[]): string {
  const path = join(builds, `${contentHash([readFileSync(source), ...flags])}.so`)
  if (isThere(path)) return path
  mkdirSync(builds, { recursive: true })
  const aside = mkdtempSync(join(builds, 'aside-'))
  const made = join(aside, 'made.so')
  execFileSync('cc', ['-O0', '-shared', '-fPIC', '-o', made, source, ...flags])
  renameSync(made, path)
  rmSync(aside, { recursive: true })
  return path
}

/** The folder that holds this state of the sources, compiled. */
function build(): string {
  const files = sources.flatMap(typeScriptIn)
  const stamps = files.map(file => `${file} ${statSync(file).size} ${statSync(file).mtimeMs}`)
  const folder = join(builds, contentHash(stamps))
  mkdirSync(builds, { recursive: true })
  const lock = `${folder}.lock`
  while (!isThere(folder)) {
    if (take(lock)) {
      try {
        compileInto(folder, files)
      } finally {
        rmSync(lock, { recursive: true, force: true })
      }
    } else if (ageOf(lock) > longestBuild) {
      rmSync(lock, { recursive: true, force: true }) // of a process that was killed
    } else {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50) // another process compiles it
    }
  }
  return folder
}

/** Compiles without checking types (`npm run check` does), aside first, so that no one sees half of it. */
function compileInto(folder: string, files: readonly string[]): void {
  for (const old of readdirSync(builds))
    if (ageOf(join(builds, old)) > longestUse) rmSync(join(builds, old), { recursive: true })
  const aside = mkdtempSync(join(builds, 'aside-'))
  const options = { noEmit: false, noCheck: true, outDir: aside, rootDir: project }
  const config = `${aside}.json`
  writeFileSync(
    config,
    JSON.stringify({ extends: join(project, 'tsconfig.json'), compilerOptions: options, include: [], files }),
  )
  const tsc = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc')
  execFileSync(process.execPath, [tsc, '-p', config])
  rmSync(config)
  renameSync(aside, folder)
}

function typeScriptIn(folder: string): string[] {
  if (!isThere(join(project, folder))) return []
  const names = readdirSync(join(project, folder), { recursive: true }) as string[]
  return names
    .filter(name => name.endsWith('.ts') && !name.includes('node_modules'))
    .map(name => join(project, folder, name))
}

const isThere = (path: string): boolean => statSync(path, { throwIfNoEntry: false }) !== undefined

const ageOf = (path: string): number =>
  Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Number.POSITIVE_INFINITY)

function take(lock: string): boolean {
  try {
    mkdirSync(lock)
    return true
  } catch {
    return false
  }
}

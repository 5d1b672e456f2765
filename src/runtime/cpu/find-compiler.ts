/** Finds the C compiler on this machine without running it: a path, and what changes when it is replaced. */
import { accessSync, constants, existsSync, realpathSync, statSync } from 'node:fs'
import { delimiter, isAbsolute, join } from 'node:path'
import { env, systemVariable } from '../../base/env.js'
import { CompilerError } from '../../base/errors.js'

export interface CompilerProgram {
  /** The path to run; a link is kept, since compilers look at their own name. */
  readonly file: string
  /** Arguments that come first (`TEGULA_CC='zig cc'`). */
  readonly args: readonly string[]
  /** Changes whenever the program behind the path is replaced: its real path, size and time of change. */
  readonly stamp: string
}

const usualNames = ['cc', 'gcc', 'clang']

/**
 * The compiler of `TEGULA_CC`, else the first of cc, gcc, clang on the PATH.
 * Throws CompilerError with what to install when there is none.
 */
export function findCompiler(): CompilerProgram {
  const wanted = env('cc')
  if (wanted !== undefined) return findRequested(wanted)
  for (const name of usualNames) {
    const file = whichProgram(name)
    if (file !== null) return describeProgram(file, [])
  }
  throw new CompilerError(`no C compiler: none of ${usualNames.join(', ')} is on the PATH`, {
    fix: installHint(),
  })
}

function findRequested(wanted: string): CompilerProgram {
  const whole = whichProgram(wanted)
  if (whole !== null) return describeProgram(whole, []) // a path may hold spaces
  const [name = '', ...args] = wanted.trim().split(/\s+/)
  const file = whichProgram(name)
  if (file !== null) return describeProgram(file, args)
  const what = existsSync(wanted) ? 'that is no program which this user may run' : 'no such program is there'
  throw new CompilerError(`no C compiler: TEGULA_CC is ${JSON.stringify(wanted)}, and ${what}`, {
    fix: `set TEGULA_CC to a C compiler or unset it; ${installHint()}`,
  })
}

function describeProgram(file: string, args: readonly string[]): CompilerProgram {
  const real = realpathSync(file)
  const stats = statSync(real)
  return { file, args, stamp: [file, real, stats.size, stats.mtimeMs, ...args].join('\0') }
}

function whichProgram(name: string): string | null {
  const candidates =
    isAbsolute(name) || name.includes('/')
      ? [name]
      : (systemVariable('PATH') ?? '').split(delimiter).map(folder => join(folder, name))
  return candidates.find(isProgram) ?? null
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false // not there, or not for us: the next candidate
  }
}

/** What to install, per system, and how to do without. */
export function installHint(): string {
  return `${installCommand()}; or run without a compiler, slowly: TEGULA_BACKEND=interpreter`
}

function installCommand(): string {
  if (process.platform === 'darwin') return 'install one with: xcode-select --install'
  if (existsSync('/etc/alpine-release')) return 'install one with: apk add build-base'
  if (existsSync('/etc/debian_version')) return 'install one with: apt-get install gcc libc6-dev'
  if (existsSync('/etc/redhat-release')) return 'install one with: dnf install gcc'
  return 'install gcc or clang (Debian: apt-get install gcc libc6-dev, Alpine: apk add build-base)'
}

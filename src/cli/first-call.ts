/**
 * Measures the first call of a function in a new process: with an empty cache (cold), then with the cache that this run filled
 * (warm). The child process runs a hidden command of this command line.
 */
import { fork } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { childEnvironment } from '../base/env.js'
import { TegulaError } from '../base/errors.js'
import { compile } from '../compile/compile.js'
import { compilerStats } from '../compile/compiler-stats.js'
import { synchronize } from '../compile/execute/streams.js'
import { type CompileMode, compileModes } from '../compile/options.js'
import { nanoseconds } from '../profile/timing.js'
import { loadUserModule } from './user-module.js'

/** How a function is called: eagerly, or compiled in a mode. */
export type Way = 'eager' | CompileMode

export const ways: readonly Way[] = ['eager', ...compileModes]

export interface FirstCall {
  readonly nanoseconds: number
  /** Libraries and GPU modules that were compiled, and those loaded from the disk cache. */
  readonly compiled: number
  readonly loaded: number
}

export interface FirstCalls {
  readonly cold: FirstCall
  readonly warm: FirstCall
}

export const firstCallCommand = 'first-call'

/** The call to measure, as passed to the child process. */
export interface FirstCallOf {
  readonly file: string
  readonly device?: string | undefined
  readonly quick: boolean
  /** Indices into the module's cases, and the case's variants. */
  readonly case: number
  readonly variant: number
  readonly way: Way
}

/** Runs in the child process: times the first call and sends it to the parent. `request`: a FirstCallOf as JSON. */
export async function sendFirstCall(request: string): Promise<void> {
  const of = JSON.parse(request) as FirstCallOf
  const module = await loadUserModule(of.file, of)
  const chosen = module.cases[of.case]!
  const { fn, name } = chosen.variants[of.variant]!
  const options = module.options(name || chosen.name)
  const inputs = await chosen.inputs()
  synchronize() // so that creating the inputs is not measured
  const before = compilerStats()
  const mode = compileModes.find(each => each === of.way)
  const time = nanoseconds(() => {
    // Compiling is part of the first call.
    const call: (...args: readonly never[]) => unknown = mode === undefined ? fn : compile(fn, { ...options, mode })
    call(...inputs)
    synchronize()
  })
  const after = compilerStats()
  const sent: FirstCall = {
    nanoseconds: time,
    compiled: after.compiled - before.compiled,
    loaded: after.loaded - before.loaded,
  }
  // The process ends after this, so wait until the message is sent.
  await new Promise<void>(resolve => (process.send === undefined ? resolve() : process.send(sent, () => resolve())))
}

/** Runs two new processes one after the other with a shared cache that is empty at first. Throws TegulaError when one fails. */
export async function measureFirstCalls(entry: string, of: FirstCallOf): Promise<FirstCalls> {
  const folder = mkdtempSync(join(tmpdir(), 'tegula-bench-'))
  try {
    const cold = await firstCallIn(entry, of, folder)
    return { cold, warm: await firstCallIn(entry, of, folder) }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Times the first call in a new process, with the kernel cache in `cacheDir`. */
function firstCallIn(entry: string, of: FirstCallOf, cacheDir: string): Promise<FirstCall> {
  return new Promise((resolve, reject) => {
    const child = fork(entry, [firstCallCommand, JSON.stringify(of)], {
      env: childEnvironment({ cacheDir, cache: '' }),
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    })
    let [errors, result] = ['', null as FirstCall | null]
    child.stderr?.on('data', (chunk: Buffer) => {
      errors += chunk.toString()
    })
    child.on('message', message => {
      result = message as FirstCall
    })
    child.on('error', reject)
    child.on('close', code => {
      if (result !== null && code === 0) resolve(result)
      else
        reject(new TegulaError(`the first call (${of.way}) failed in a new process:\n${errors.trim()}`, { at: null }))
    })
  })
}

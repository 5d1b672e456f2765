/** The loaded C runtime: runs step lists on the thread pool. */
import { availableParallelism } from 'node:os'
import { env } from '../../base/env.js'
import { ArgumentError } from '../../base/errors.js'
import type { NativeFunction, NativeModule } from './library.js'
import { runtimeSource } from './runtime-source.js'

/** `nodelete`: the pool's threads run this code until the process ends, so it must never be unloaded. */
export const runtimeFlags: readonly string[] =
  process.platform === 'linux' ? ['-pthread', '-Wl,-z,nodelete'] : ['-pthread']

export { runtimeSource }

export class NativeRuntime {
  /** Threads that a step may use, the caller included. */
  readonly threads: number
  /**
   * Passes the sizes at an address (0: none) to the steps at another and runs `count` of them. Returns 0; 1 + the index of
   * the step that ran out of memory; or -1 - the index of a grid that is too large, and then nothing has run.
   */
  readonly run: NativeFunction

  /** `module`: `runtimeSource`, compiled with `runtimeFlags`. */
  constructor(
    readonly module: NativeModule,
    threads = threadCount(),
  ) {
    this.threads = module.function('double tg_configure(double threads)')(threads)
    this.run = module.function('int tg_run(double steps, double count, double sizes)')
  }
}

/** `TEGULA_THREADS`, else all cores. Throws ArgumentError when the switch is no positive integer. */
export function threadCount(): number {
  const text = env('threads')
  if (text === undefined) return availableParallelism()
  const threads = Number(text)
  if (Number.isInteger(threads) && threads >= 1) return threads
  throw new ArgumentError(`TEGULA_THREADS is ${JSON.stringify(text)}, which is no positive integer`, {
    fix: 'set it to the number of threads to use, or unset it to use all cores',
    at: null,
  })
}

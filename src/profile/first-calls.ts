/**
 * First calls in processes of their own: with an empty disk cache (cold), then with the cache that this process filled (warm). And after how
 * many calls they pay.
 */
import { fork } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describeAny } from '../base/describe.js'
import { childEnvironment } from '../base/env.js'
import { ArgumentError, TegulaError } from '../base/errors.js'
import { compilerStats } from '../compile/compiler-stats.js'
import { synchronize } from '../compile/execute/streams.js'
import type { FirstCall, FirstCalls } from './records.js'
import { nanoseconds } from './timing.js'

/**
 * Measures the first call of a function in two new processes, one after the other: with an empty disk cache, then with the cache that the
 * first one filled, as when a program starts for the second time. Starting Node, loading the module and its preparation are not counted.
 *
 * @param module the URL of a module, such as `import.meta.url`. The processes import it: what it does when it is imported, it does there too
 * @param name of its exported function that prepares a call, creating inputs and calling `compile`, and returns it: `(…args) => () => unknown`
 * @param args of that function: plain data, sent as JSON. Default: none
 * @returns both times in nanoseconds, and how many libraries and GPU modules were compiled, and loaded from the cache
 * @throws ArgumentError for a module that is no URL, TegulaError with the process's messages when it fails
 *
 * @example
 * export const prepare = (n: number) => { const x = randn([n, n]), f = compile(step); return () => f(x) }
 * const { cold, warm } = await firstCalls(import.meta.url, 'prepare', [1024])
 */
export async function firstCalls(
  module: string | URL,
  name: string,
  args: readonly unknown[] = [],
): Promise<FirstCalls> {
  const url = String(module)
  if (!URL.canParse(url))
    throw new ArgumentError(`firstCalls: ${describeAny(module)} is not a URL`, {
      fix: "firstCalls(import.meta.url, 'prepare')",
    })
  const own = fileURLToPath(import.meta.url)
  const entry = own.replace(/first-calls(\.\w+)$/, 'first-call-process$1')
  return firstCallsOf(`the first call of ${name}()`, entry, [JSON.stringify({ url, name, args })])
}

/**
 * After how many calls a first call has paid for itself, beside calls of another function that needs no first one; null: never, since its
 * calls are not faster.
 *
 * @param first nanoseconds of the first call
 * @param call nanoseconds of each further call
 * @param other nanoseconds of a call of the other function
 *
 * @example
 * breakEven(cold.nanoseconds, compiled.call.median, eager.call.median)
 */
export const breakEven = (first: number, call: number, other: number): number | null =>
  other <= call ? null : Math.max(1, Math.ceil((first - call) / (other - call)))

/** In the child process: times the call, and sends the time to the parent. */
export async function sendFirstCall(call: () => unknown): Promise<void> {
  synchronize() // so that preparing it is not measured
  const before = compilerStats()
  const time = nanoseconds(() => {
    call()
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

/**
 * Runs two new processes one after the other, with a disk cache that is empty at first.
 * @param what runs there, for messages
 * @param entry the module that calls `sendFirstCall`
 * @param argv its arguments
 * @throws TegulaError when one fails
 */
export async function firstCallsOf(what: string, entry: string, argv: readonly string[]): Promise<FirstCalls> {
  const folder = mkdtempSync(join(tmpdir(), 'tegula-first-'))
  try {
    const cold = await inNewProcess(what, entry, argv, folder)
    return { cold, warm: await inNewProcess(what, entry, argv, folder) }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function inNewProcess(what: string, entry: string, argv: readonly string[], cacheDir: string): Promise<FirstCall> {
  return new Promise((resolve, reject) => {
    const child = fork(entry, argv, {
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
      else reject(new TegulaError(`${what} failed in a new process:\n${errors.trim()}`, { at: null }))
    })
  })
}

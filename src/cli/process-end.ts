/** The process around the command: closed pipes, node's warnings, and how it ends. */
import { TegulaError } from '../base/errors.js'
import { type ExitCode, printError } from './output.js'

/** Ends the command when the reader closes the pipe (`tegula … | head`), and suppresses node's ExperimentalWarnings. */
export function listenQuietly(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
    unfinished = null
    process.exit(process.exitCode)
  })
  process.stderr.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error // the progress output has no reader, but the result still counts
  })
  const { emitWarning } = process
  const quiet = (warning: string | Error, ...rest: readonly unknown[]): void => {
    const [options] = rest
    const type = typeof options === 'object' && options !== null && 'type' in options ? options.type : options
    const name = warning instanceof Error ? warning.name : type
    if (name !== 'ExperimentalWarning') Reflect.apply(emitWarning, process, [warning, ...rest])
  }
  process.emitWarning = quiet as typeof process.emitWarning
}

/** Ends the process when all output is written, even if the module left a timer or a server running. */
export function endWith(code: ExitCode): void {
  process.exitCode = code
  process.stdout.write('', () => process.stderr.write('', () => process.exit(code)))
}

interface Unfinished {
  readonly json: boolean
  /** stdout's `write` before the module was loaded. */
  readonly write: typeof process.stdout.write
  /** The event loop is empty. */
  isIdle: boolean
}

/** The running command; null once it has ended and its result is printed. */
let unfinished: Unfinished | null = null

/** Runs a command; prints an error if the process ends first (the module exits, or a promise never settles). */
export async function untilEnd<R>(json: boolean, run: () => Promise<R>): Promise<R> {
  unfinished = { json, write: process.stdout.write, isIdle: false }
  process.once('beforeExit', noteIdle)
  process.once('exit', sayUnfinished)
  try {
    return await run()
  } finally {
    unfinished = null
    process.off('beforeExit', noteIdle)
    process.off('exit', sayUnfinished)
  }
}

function noteIdle(): void {
  if (unfinished !== null) unfinished.isIdle = true
}

/** Prints an error when the process exits with `code` before the command has ended. */
function sayUnfinished(code: number): void {
  if (unfinished === null) return
  const { json, write, isIdle } = unfinished
  process.stdout.write = write
  const error = new TegulaError(
    isIdle
      ? 'the module waits for a promise that nothing can settle any more'
      : `the module ended the process (exit code ${code}) before the command was done`,
    { fix: isIdle ? 'settle every promise that it awaits' : 'leave process.exit() out of it', at: null },
  )
  process.exitCode = printError(error, json)
}

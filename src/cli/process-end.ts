/** How the command's process behaves towards the shell: pipes that close, what node says by itself, and its end. */
import { TegulaError } from '../base/errors.js'
import { type ExitCode, printError } from './output.js'

/** A reader that has seen enough (`tegula … | head`) ends the command, and node's own remarks on features are left out. */
export function listenQuietly(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error
      unfinished = null
      process.exit(process.exitCode)
    })
  }
  const { emitWarning } = process
  const quiet = (warning: string | Error, ...rest: readonly unknown[]): void => {
    const [options] = rest
    const type = typeof options === 'object' && options !== null && 'type' in options ? options.type : options
    const name = warning instanceof Error ? warning.name : type
    if (name !== 'ExperimentalWarning') Reflect.apply(emitWarning, process, [warning, ...rest])
  }
  process.emitWarning = quiet as typeof process.emitWarning
}

/** Ends the process when all is written: what a module left running (a timer, a server) does not keep it. */
export function endWith(code: ExitCode): void {
  process.exitCode = code
  process.stdout.write('', () => process.stderr.write('', () => process.exit(code)))
}

/** What the command is doing; null: it has said how it ended. */
let unfinished: { readonly json: boolean } | null = null

/** Runs a command; a process that ends before it, because the module ends it or waits for nothing, says so. */
export async function untilEnd<R>(json: boolean, run: () => Promise<R>): Promise<R> {
  const outer = unfinished
  unfinished = { json }
  if (outer === null) process.once('exit', sayUnfinished)
  try {
    return await run()
  } finally {
    unfinished = outer
    if (outer === null) process.off('exit', sayUnfinished)
  }
}

function sayUnfinished(code: number): void {
  if (unfinished === null) return
  const never = code === 13 // node's: the event loop is empty and an await is left
  const error = new TegulaError(
    never
      ? 'the module waits for a promise that nothing can settle any more'
      : `the module ended the process (exit code ${code}) before the command was done`,
    { fix: never ? 'settle every promise that it awaits' : 'leave process.exit() out of it', at: null },
  )
  process.exitCode = printError(error, unfinished.json)
}

/** Output of commands: the result on stdout as text or JSON, progress and errors on stderr, exit codes. */
import { TegulaError, UsageError } from '../base/errors.js'
import { locationInStack, type SourceLocation } from '../base/source.js'

/** 0: success. 1: failure. 2: wrong usage: an error in the command line or in the exports of the user's module. */
export type ExitCode = 0 | 1 | 2

/** A command's result: data for `--json`, and text. */
export interface Report {
  readonly data: unknown
  readonly text: string
  /** Default 0. */
  readonly exitCode?: ExitCode
}

/** Announces a step that may take over a second. */
export type Progress = (step: string) => void

export const printProgress: Progress = step => void process.stderr.write(`${step} …\n`)

export function printReport({ data, text }: Report, json: boolean): void {
  process.stdout.write(json ? `${JSON.stringify(data, null, 2)}\n` : `${text.trimEnd()}\n`)
}

/** Prints the error, with `--json` also as data on stdout; returns the exit code. */
export function printError(error: unknown, json: boolean): ExitCode {
  if (json) printReport({ data: { error: errorData(error) }, text: '' }, true)
  process.stderr.write(`${errorText(error)}\n`)
  return error instanceof UsageError ? 2 : 1
}

export interface ErrorData {
  readonly name: string
  readonly message: string
  /** The user's line; null where none applies. */
  readonly file: string | null
  readonly line: number | null
  readonly column: number | null
  readonly fix: string | null
}

/** An error as data for `--json`. */
export function errorData(error: unknown): ErrorData {
  const isOurs = error instanceof TegulaError
  const at = isOurs && error.at !== null ? error.at : errorLocation(isOurs ? error.cause : error)
  return {
    name: error instanceof Error ? error.name : 'Error',
    message: isOurs ? error.what : error instanceof Error ? error.message : String(error),
    file: at?.file ?? null,
    line: at?.line ?? null,
    column: at?.column ?? null,
    fix: isOurs ? error.fix : null,
  }
}

/** The line where an error from other code was thrown, or the line of a syntax error. */
function errorLocation(error: unknown): SourceLocation | null {
  if (!(error instanceof Error)) return null
  const stack = error.stack ?? ''
  return syntaxErrorLocation(stack) ?? syntaxErrorLocation(error.message) ?? locationInStack(stack)
}

/** The location of a syntax error: node's stack starts with it; esbuild (tsx) has a line per error. */
export function syntaxErrorLocation(text: string): SourceLocation | null {
  const match = /^(?:file:\/\/)?(\/.*|[A-Za-z]:[\\/].*?):(\d+)(?::(\d+): ERROR.*)?$/m.exec(text)
  if (match === null || (match[3] === undefined && match.index !== 0)) return null
  return { file: match[1] ?? '', line: Number(match[2]), column: Number(match[3] ?? 1) }
}

/** Errors from other code are printed with their stack, because their message says neither where nor how to fix them. */
function errorText(error: unknown): string {
  if (!(error instanceof Error)) return `error: ${String(error)}`
  if (!(error instanceof TegulaError)) return error.stack ?? error.message
  const cause = error.cause instanceof Error ? `\n${error.cause.stack ?? ''}` : ''
  return `${error.name}: ${error.message}${cause}`
}

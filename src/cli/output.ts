/** What a command writes: its result on stdout, as text or JSON; progress and errors on stderr. Exit codes. */
import { TegulaError, UsageError } from '../base/errors.js'

/** 0: done. 1: it failed on the way. 2: it was asked wrongly: the command line, or what the given module exports. */
export type ExitCode = 0 | 1 | 2

/** What a command found: data for `--json`, text for people. */
export interface Report {
  readonly data: unknown
  readonly text: string
  /** Default 0. */
  readonly exitCode?: ExitCode
}

/** Says what is about to happen, for everything that may take over a second. */
export type Progress = (step: string) => void

export const printProgress: Progress = step => void process.stderr.write(`${step} …\n`)

export function printReport({ data, text }: Report, json: boolean): void {
  process.stdout.write(json ? `${JSON.stringify(data, null, 2)}\n` : `${text.trimEnd()}\n`)
}

/** Prints the error, under `--json` also as data on stdout, and says how to exit. */
export function printError(error: unknown, json: boolean): ExitCode {
  if (json) printReport({ data: { error: errorData(error) }, text: '' }, true)
  process.stderr.write(`${errorText(error)}\n`)
  return error instanceof UsageError ? 2 : 1
}

function errorData(error: unknown): { name: string; message: string; fix: string | null } {
  if (error instanceof TegulaError) return { name: error.name, message: error.what, fix: error.fix }
  if (error instanceof Error) return { name: error.name, message: error.message, fix: null }
  return { name: 'Error', message: String(error), fix: null }
}

/** Errors of other code come with their stack: their message alone says neither where nor what to do. */
function errorText(error: unknown): string {
  if (!(error instanceof Error)) return `error: ${String(error)}`
  if (!(error instanceof TegulaError)) return error.stack ?? error.message
  const cause = error.cause instanceof Error ? `\n${error.cause.stack ?? ''}` : ''
  return `${error.name}: ${error.message}${cause}`
}

/** Lines of two columns. */
export function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map(row => (row[column] ?? '').length)))
  return rows
    .map(row =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

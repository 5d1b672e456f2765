/** `tegula bisect FILE [FUNCTION]`: finds what is behind a wrong number of a module's function. */
import { writeFileSync } from 'node:fs'
import { UsageError } from '../base/errors.js'
import { bisect } from '../debug/index.js'
import type { Progress, Report } from './output.js'
import { loadUserModule, withNames } from './user-module.js'

export interface BisectCommandOptions {
  /** The file of the reproduction. */
  readonly out: string
  readonly device?: string
  /** For modules that export cases: a part of the variant's name; '': the first. */
  readonly variant: string
}

/**
 * Bisects the function of the module at `path` for its example inputs; `part`: of its name, '' for the first. Exit code 1 if numbers
 * differ. Throws UsageError (see `loadUserModule`; a reproduction that cannot be written), CaptureError, and errors of the function.
 */
export async function bisectModule(
  path: string,
  part: string,
  { out, device, variant: variantPart }: BisectCommandOptions,
  progress: Progress,
): Promise<Report> {
  const { cases } = await loadUserModule(path, { device, quick: true })
  const chosen = withNames(cases, part, 'function')[0]!
  const { name, fn } = withNames(chosen.variants, variantPart, 'variant')[0]!
  const inputs = await chosen.inputs()
  progress('comparing generated code with the interpreter')
  const report = bisect(fn, inputs, { name: name || chosen.name })
  const { reproduction, toString: _, ...data } = report
  if (report.culprit === null) return { data, text: String(report) }
  const file = reproduction === null ? null : out
  if (file !== null) writeReproduction(file, reproduction!)
  const written = file === null ? 'none: the part holds a kernel, control flow or writes to arguments' : file
  return { data: { ...data, reproduction: file }, text: `${report}\n  reproduction: ${written}`, exitCode: 1 }
}

function writeReproduction(file: string, text: string): void {
  try {
    writeFileSync(file, text)
  } catch (cause) {
    throw new UsageError(`${file} cannot be written: ${(cause as Error).message}`, {
      fix: 'give another path with --out',
      at: null,
      cause,
    })
  }
}

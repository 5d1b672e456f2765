/** `tegula doctor FILE`: runs a module's function, and says what costs it time and what to change. */
import { relative } from 'node:path'
import { formatTime, plural } from '../base/units.js'
import { type Advice, evidenceText } from '../compile/advice/advice.js'
import { type DiagnosisOptions, diagnose } from './diagnosis.js'
import type { Progress, Report } from './output.js'
import { loadUserModule, withNames } from './user-module.js'

export interface DoctorOptions extends DiagnosisOptions {
  readonly device?: string
  readonly case: string
  readonly variant: string
}

/** Throws UsageError (see `loadUserModule`), CompilerError, and errors of the function. */
export async function doctor(path: string, options: DoctorOptions, progress: Progress): Promise<Report> {
  const module = await loadUserModule(path, { device: options.device })
  const chosen = withNames(module.cases, options.case, 'case')[0]!
  const variant = withNames(chosen.variants, options.variant, 'variant')[0]!
  const name = variant.name || chosen.name
  const inputs = await chosen.inputs()
  const { moreInputs } = module
  const patient = { name, fn: variant.fn, inputs, moreInputs, options: module.options(name) }
  const advice = await diagnose(patient, options, progress)
  return { data: { file: module.file, name, advice }, text: textOf(name, module.file, advice) }
}

function textOf(name: string, file: string, advice: readonly Advice[]): string {
  const problems = advice.filter(({ severity }) => severity === 'problem')
  const facts = advice.filter(({ severity }) => severity === 'fact')
  const title =
    problems.length === 0 ? `${name}: no problem found` : `${plural(problems.length, 'problem')} in ${name}, ${file}`
  return [
    title,
    ...problems.flatMap((each, i) => entryLines(each, `${i + 1}. `)),
    ...(facts.length === 0 ? [] : ['', 'worth knowing:', ...facts.flatMap(each => entryLines(each, '- '))]),
  ].join('\n')
}

/** Three lines: what and where; what was seen; what to change. The numbers behind facts stand with them. */
function entryLines({ kind, message, at, fix, nanoseconds: cost, evidence, severity }: Advice, mark: string): string[] {
  const place = at === null ? '' : `  ${relative(process.cwd(), at.file)}:${at.line}`
  const costs = cost === null ? '' : `  about ${formatTime(cost)} a call`
  const numbers = severity === 'fact' && evidence.length > 0 ? ` (${evidence.map(evidenceText).join(', ')})` : ''
  return [`${mark}${kind}${place}${costs}`, `   ${message}${numbers}`, ...(fix === null ? [] : [`   fix: ${fix}`])]
}

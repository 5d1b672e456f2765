/** `tegula profile FILE`: where the time of a module's function goes, and what its first call costs. */
import { describeTree } from '../compile/capture/tree.js'
import { compile } from '../compile/compile.js'
import type { Explanation } from '../compile/explain/explanation.js'
import type { CompileMode } from '../compile/options.js'
import type { Profile, ProfileSort } from '../profile/profile.js'
import { profile } from '../profile/profiler.js'
import type { ProfileGroup } from '../profile/rows.js'
import { scope } from '../tensor/scope.js'
import type { Tensor } from '../tensor/tensor.js'
import { judge } from './explain.js'
import type { Progress, Report } from './output.js'
import { loadUserModule, withNames } from './user-module.js'

export interface ProfileOptions {
  /** Profile the function as it is, op by op. */
  readonly eager: boolean
  readonly mode?: CompileMode
  /** Profiled calls, after the first one and some to warm up. */
  readonly calls: number
  readonly group: ProfileGroup
  readonly sort?: ProfileSort
  readonly limit: number
  /** Record the user's line of each op. */
  readonly lines: boolean
  /** File that the trace is written to. */
  readonly trace?: string
  /** File that the report is written to, as a page. */
  readonly html?: string
  /** Measure the machine, to which kernels are compared. */
  readonly limits: boolean
  readonly device?: string
  readonly case: string
  readonly variant: string
}

const warmupCalls = 3

/**
 * Profiles the first call of the module's function, and calls after it. Throws UsageError (see `loadUserModule`), CaptureError,
 * CompilerError, and errors of the function.
 */
export async function profileModule(path: string, options: ProfileOptions, progress: Progress): Promise<Report> {
  const module = await loadUserModule(path, { device: options.device })
  const chosen = withNames(module.cases, options.case, 'case')[0]!
  const { name, fn } = withNames(chosen.variants, options.variant, 'variant')[0]!
  const { mode } = options
  const compileOptions = { ...module.options(name || chosen.name), ...(mode === undefined ? {} : { mode }) }
  const inputs = await chosen.inputs()
  const compiled = options.eager ? null : compile(fn, compileOptions)
  const call = (compiled ?? fn) as (...args: readonly never[]) => unknown
  const once = (): void => scope(() => void call(...inputs))
  progress('profiling the first call')
  // Outside of a scope: what the function makes once, as an optimiser its state, must outlive the call.
  const first = await profile(() => void call(...inputs), { peak: false })
  for (let i = 0; i < warmupCalls; i++) once()
  progress(`profiling ${options.calls} calls`)
  const later = await profile(
    () => {
      for (let i = 0; i < options.calls; i++) once()
    },
    { lines: options.lines, peak: options.limits },
  )
  if (options.trace !== undefined) later.toTrace(options.trace)
  if (options.html !== undefined) {
    progress('writing the report')
    const explanation =
      compiled === null ? null : explained(compiled.explain(...inputs), inputs, options.limits, progress)
    later.toHtml(options.html, {
      title: name || chosen.name || fn.name,
      first: first.record,
      ...(explanation === null ? {} : { explanation }),
    })
  }
  return {
    data: {
      file: module.file,
      first: { ...summary(first, options), compilations: first.record.compilations },
      calls: summary(later, options),
    },
    text: textOf(first, later, options),
  }
}

function explained(
  explanation: Explanation,
  inputs: readonly unknown[],
  limits: boolean,
  progress: Progress,
): Explanation {
  const leaves: Tensor[] = []
  describeTree(inputs, leaves, 'inputs')
  return judge(explanation, leaves, limits, progress)
}

const summary = (seen: Profile, { group, sort }: ProfileOptions) => ({
  nanoseconds: seen.nanoseconds,
  rows: seen.rows({ group, ...(sort === undefined ? {} : { sort }) }),
})

function textOf(first: Profile, later: Profile, { group, sort, limit, calls, trace, html }: ProfileOptions): string {
  const compiled = first.compileTable()
  return [
    ...(compiled === '' ? [] : [`first call:\n\n${compiled}`]),
    `${calls} further calls:\n\n${later.table({ group, limit, ...(sort === undefined ? {} : { sort }) })}`,
    ...(trace === undefined ? [] : [`trace: ${trace} (open it in ui.perfetto.dev)`]),
    ...(html === undefined ? [] : [`report: ${html}`]),
  ].join('\n\n')
}

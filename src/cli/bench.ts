/** `tegula bench FILE…`: runs modules' functions or cases eagerly and compiled in each mode, and compares them. */
import { writeFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import { computeDevice } from '../backends/index.js'
import { CompilerError, TegulaError } from '../base/errors.js'
import { plural, threeDigits } from '../base/units.js'
import { backend } from '../compile/execute/runner.js'
import { emptyCache } from '../compile/execute/streams.js'
import type { MachineLimits } from '../compile/limits.js'
import { limitsOfDevice } from '../profile/device-limits.js'
import { limitOfWork } from '../profile/work.js'
import type { Device } from '../tensor/device.js'
import { type CaseOptions, type CaseReport, type CaseTools, runCase } from './bench-case.js'
import { caseText, limitsText } from './bench-text.js'
import { measureFirstCalls, type Way } from './first-call.js'
import type { Progress, Report } from './output.js'
import type { UserCase } from './user-case.js'
import { loadUserModule, type UserModule, withNames } from './user-module.js'

export interface BenchOptions extends CaseOptions {
  readonly device?: string
  /** Runs only cases whose names contain this text. */
  readonly case: string
  readonly quick: boolean
  /** Measure first calls in separate processes. Default: true for modules that export one function. */
  readonly compileTimes?: boolean
  /** File to which the report is written as JSON after each case. */
  readonly out?: string
}

interface Failure {
  readonly file: string
  readonly name: string
  readonly error: string
}

interface Machine {
  /** Model of the device that the cases run on. */
  readonly model: string
  /** Threads of the CPU's pool; null on a GPU. */
  readonly threads: number | null
  readonly loadAverage: number
}

interface BenchReport {
  readonly machine: Machine | null
  /** Null when no case states its work. */
  readonly limits: MachineLimits | null
  readonly cases: readonly CaseReport[]
  /** Cases that threw. */
  readonly failures: readonly Failure[]
}

/**
 * @param entry the script of this command line, for child processes
 * @throws UsageError (see `loadUserModule`). With a single case, also AccuracyError, CompilerError and errors of its
 * functions; with several cases, errors are reported and the exit code is 1.
 */
export async function bench(
  entry: string,
  paths: readonly string[],
  options: BenchOptions,
  progress: Progress,
): Promise<Report> {
  const chosen = await chooseCases(paths, options)
  const limits = new LazyLimits(progress)
  const cases: CaseReport[] = []
  const failures: Failure[] = []
  const report = (): BenchReport => ({
    machine: cases.length === 0 ? null : describeMachine(cases[0]!.device),
    limits: limits.measured,
    cases,
    failures,
  })
  for (const { module, each } of chosen) {
    try {
      // Before the case, so that a GPU broken by the previous case is reported here.
      emptyCache()
      cases.push(await runCase(module, each, options, toolsOf(entry, module, each, options, limits, progress)))
    } catch (error) {
      if (chosen.length === 1) throw error
      failures.push({ file: module.file, name: each.name, error: describeError(error) })
      progress(`${each.name} failed`)
    }
    if (options.out !== undefined) writeFileSync(options.out, `${JSON.stringify(report(), null, 1)}\n`)
  }
  return { data: report(), text: reportText(report()), exitCode: failures.length === 0 ? 0 : 1 }
}

interface Chosen {
  readonly module: UserModule
  readonly each: UserCase
}

async function chooseCases(paths: readonly string[], options: BenchOptions): Promise<readonly Chosen[]> {
  const all: Chosen[] = []
  for (const path of paths) {
    const module = await loadUserModule(path, options)
    all.push(...module.cases.map(each => ({ module, each })))
  }
  const names = new Set(
    withNames(
      all.map(({ each }) => each),
      options.case,
      'case',
    ),
  )
  return all.filter(({ each }) => names.has(each))
}

const describeError = (error: unknown): string =>
  error instanceof TegulaError ? `${error.name}: ${error.message}` : stackOf(error)

const stackOf = (error: unknown): string => (error instanceof Error ? (error.stack ?? error.message) : String(error))

/** Machine limits, measured when the first case needs them; null without a C compiler. */
class LazyLimits {
  readonly #progress: Progress
  #tried = false
  measured: MachineLimits | null = null

  constructor(progress: Progress) {
    this.#progress = progress
  }

  of(device: Device): MachineLimits | null {
    if (this.#tried || backend() === 'interpreter') return this.measured
    this.#tried = true
    this.#progress(`measuring ${device === 'cpu' ? 'the CPU' : device}`)
    try {
      this.measured = limitsOfDevice(device)
    } catch (error) {
      if (!(error instanceof CompilerError)) throw error
      this.#progress(`not measured: ${error.message}`)
    }
    return this.measured
  }
}

function toolsOf(
  entry: string,
  module: UserModule,
  each: UserCase,
  { device, quick, compileTimes = module.isSingle }: BenchOptions,
  limits: LazyLimits,
  progress: Progress,
): CaseTools {
  const firstCalls = (variant: number, way: Way) =>
    measureFirstCalls(entry, { file: module.file, device, quick, case: module.cases.indexOf(each), variant, way })
  return {
    progress,
    limitOf: (work, on) => {
      const measured = limits.of(on)
      return measured === null ? null : limitOfWork(work, measured)
    },
    firstCalls: compileTimes ? firstCalls : null,
  }
}

function describeMachine(device: Device): Machine {
  const { model, threads } = computeDevice(device)
  return { model, threads, loadAverage: loadavg()[0] ?? Number.NaN }
}

function reportText({ machine, limits, cases, failures }: BenchReport): string {
  const parts = [...cases.map(caseText), ...failures.map(({ name, error }) => `${name} failed: ${error}`)]
  if (machine === null) return parts.join('\n\n')
  const threads = machine.threads === null ? '' : `${plural(machine.threads, 'thread')}, `
  const head = `${machine.model}, ${threads}load ${threeDigits(machine.loadAverage)}`
  return [limits === null ? head : `${head}; ${limitsText(limits)}`, ...parts].join('\n\n')
}

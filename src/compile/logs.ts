/** Turns topics of the log on and off, by call or by TEGULA_LOG. */
import { describeAny } from '../base/describe.js'
import { env } from '../base/env.js'
import { ArgumentError } from '../base/errors.js'
import { changeLog, isLogged, type LogSink, type LogTopic, log, logHelp, logTopics, topicsIn } from '../base/log.js'
import { checkOptionsObject } from '../base/options.js'
import { observeSpans } from '../base/spans.js'
import { plural } from '../base/units.js'
import { evaluateSize } from '../scalar/size.js'
import { launchesAmong } from '../schedule/plan/plan.js'
import { observeRuns, type PlanRun, runPlan } from './execute/run-observer.js'

/** Topics of `setLogs`: true turns one on; those that are false or absent are off. */
export type LogChoice = Partial<Readonly<Record<LogTopic | 'all', boolean>>>

/**
 * Chooses what Tegula logs from now on, in place of what was logged before: `setLogs({ recompiles: true, guards: true })`;
 * `setLogs({})` turns the log off. TEGULA_LOG=recompiles,guards does the same from the start of a program.
 *
 * @param topics graph, fusion, guards, recompiles, code, launch, cache, tune, or all of them
 * @param sink receives each event: `topic`, `name` (of the compiled function, or the op), `at` (the user's line, or null) and
 *   `what`, one line. Default: a line on stderr
 * @throws ArgumentError for a topic that there is not
 */
export function setLogs(topics: LogChoice, sink?: LogSink): void {
  checkOptionsObject('setLogs', topics, [...Object.keys(logTopics), 'all'])
  const wrong = Object.entries(topics).find(([, isOn]) => typeof (isOn as unknown) !== 'boolean')
  if (wrong !== undefined)
    throw new ArgumentError(`setLogs: ${wrong[0]} is ${describeAny(wrong[1])}, not true or false`, {
      fix: `setLogs({ ${wrong[0]}: true })`,
    })
  if (sink !== undefined && typeof (sink as unknown) !== 'function')
    throw new ArgumentError(`setLogs: the sink is ${describeAny(sink)}, not a function`, {
      fix: 'setLogs({ all: true }, event => lines.push(event.what))',
    })
  const chosen = Object.keys(topics).filter(name => topics[name as keyof LogChoice])
  logOn(chosen.flatMap(topicsIn), sink)
}

/** Ends the observation of launches; null: they are not logged. */
let endLaunches: (() => void) | null = null

function logOn(topics: readonly LogTopic[], sink?: LogSink): void {
  endLaunches?.()
  changeLog(topics, sink)
  endLaunches = isLogged('launch') ? logLaunches() : null
}

let isRead = false

/** Turns on what TEGULA_LOG names, once in a process; `help` prints the topics. Throws ArgumentError for other names. */
export function logFromEnvironment(): void {
  const text = isRead ? undefined : env('log')
  isRead = true
  if (text === 'help') process.stderr.write(`TEGULA_LOG=topic,topic,… or all:\n${logHelp()}`)
  else if (text !== undefined) logOn(topicsIn(text))
}

/** Logs each launch until the result is called: as an observer, so that calls cost nothing while nobody listens. */
function logLaunches(): () => void {
  const calls: { readonly name: string }[] = []
  const present = (): string => calls.at(-1)?.name ?? 'a launch'
  const endSpans = observeSpans({
    run(kind, name, body) {
      if (kind !== 'call' && kind !== 'op') return body()
      calls.push({ name })
      try {
        return body()
      } finally {
        calls.pop()
      }
    },
  })
  const endRuns = observeRuns({
    plan(run) {
      for (const { kernel, grid } of launchesOf(run)) log('launch', present(), () => `${kernel} on a grid of ${grid}`)
      runPlan(run)
    },
    single(run) {
      log('launch', run.name, () => `a kernel of its own on ${run.device}`)
      run.run()
    },
    replay({ kernels, device, run }) {
      log('launch', 'a captured graph', () => `${plural(kernels.length, 'kernel')} on ${device}`)
      run()
    },
  })
  return () => {
    endRuns()
    endSpans()
  }
}

/** The kernels that a run launches, with their grids. */
function launchesOf({ artifact: { plan, kernels }, symbols, first, end }: PlanRun): { kernel: string; grid: string }[] {
  const values = new Map(plan.symbols.map(({ name }, i) => [name, symbols[i]!]))
  return launchesAmong(plan.steps)
    .slice(first, end)
    .map(({ kernel, grid }) => ({
      kernel: kernels[kernel]!.symbol,
      grid: grid.map(size => evaluateSize(size, values)).join('×'),
    }))
}

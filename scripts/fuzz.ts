/**
 * A campaign of random programs and call sequences (tests/fuzz/programs): many seeds over worker processes, with progress,
 * a summary, and the smallest program found for each kind of difference.
 *
 *     tsx scripts/fuzz.ts [--on interpreter|native|cuda] [--programs N] [--seconds S] [--seed FIRST] [--workers W]
 *                         [--out DIR] [--features LIST] [--ways some|all|eager|compiled|recheck]
 *
 * It runs N programs (1000), from seed FIRST (1) on, and starts none after S seconds (no limit); programs still running 20 s
 * later are killed. With `--out`, DIR/fuzz-ON.json contains the counts and all differences so far, written every 5 s, so that
 * a killed campaign keeps its findings. An interrupted one (SIGINT, SIGTERM) ends with its summary.
 *
 * Exit codes: 0 no difference, 1 some, 2 wrong usage, 3 none found, but it was interrupted or no worker starts
 * (the worker's error says why: no GPU, …).
 */
import { type ChildProcess, fork } from 'node:child_process'
import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const usage = `usage: tsx scripts/fuzz.ts [--on interpreter|native|cuda] [--programs N] [--seconds S] [--seed FIRST] [--workers W]
                           [--out DIR] [--features LIST] [--ways some|all|eager|compiled|recheck]
`

/** Where programs run: environment variables for the workers. */
const places = {
  interpreter: { TEGULA_BACKEND: 'interpreter', TEGULA_TEST_DEVICE: 'cpu' },
  native: { TEGULA_BACKEND: 'native', TEGULA_TEST_DEVICE: 'cpu' },
  cuda: { TEGULA_BACKEND: 'native', TEGULA_TEST_DEVICE: 'cuda' },
} as const

/** How long running programs may continue when the time is up. */
const graceMs = 20_000
const progressMs = 30_000
const reportMs = 5_000

/** A worker's messages: before a seed, and after it. */
export type WorkerMessage =
  | { readonly kind: 'begin'; readonly seed: number }
  | {
      readonly kind: 'end'
      readonly seed: number
      readonly runs: number
      readonly refusals: readonly string[]
      readonly features: readonly string[]
      readonly findings: readonly { readonly group: string; readonly text: string }[]
    }

interface Campaign {
  readonly on: string
  readonly first: number
  readonly programs: number
  /** The time after which no program is started, as in `Date.now()`. */
  readonly until: number
  readonly workers: number
  /** The folder of the report; null: no report is written. */
  readonly out: string | null
  readonly environment: NodeJS.ProcessEnv
}

/** Counts of what programs contained. */
class Tally {
  readonly counts = new Map<string, number>()

  add(...names: readonly string[]): void {
    for (const name of names) this.counts.set(name, (this.counts.get(name) ?? 0) + 1)
  }

  get total(): number {
    return [...this.counts.values()].reduce((sum, count) => sum + count, 0)
  }

  toString(): string {
    const sorted = [...this.counts].sort(([, a], [, b]) => b - a)
    return sorted.map(([name, count]) => `  ${String(count).padStart(6)}  ${name}\n`).join('')
  }
}

/** The state of the campaign. */
type State = 'running' | 'done' | 'out of time' | 'interrupted' | 'no worker starts'

class Runner {
  #next: number
  #programs = 0
  #runs = 0
  #state: State = 'running'
  readonly #started = Date.now()
  readonly #refusals = new Tally()
  readonly #features = new Tally()
  readonly #groups = new Tally()
  /** The smallest program of each group. */
  readonly #shown: { readonly group: string; readonly text: string }[] = []
  /** Seeds that were killed when the time was up. */
  readonly #unfinished: number[] = []
  readonly #workers = new Set<ChildProcess>()

  constructor(readonly campaign: Campaign) {
    this.#next = campaign.first
  }

  /** Runs the campaign; returns the exit code. */
  async run(): Promise<number> {
    const timers = [
      setInterval(() => process.stderr.write(`${this.#progress()}\n`), progressMs),
      setInterval(() => this.#report(), reportMs),
    ]
    const end = setTimeout(
      () => this.#end('out of time'),
      Math.min(this.campaign.until + graceMs - Date.now(), 2 ** 31 - 1),
    )
    const interrupt = (): void => this.#end('interrupted')
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, interrupt)
    this.#report()
    await Promise.all(Array.from({ length: this.campaign.workers }, () => this.#work()))
    for (const timer of [...timers, end]) clearInterval(timer)
    const { first, programs } = this.campaign
    if (this.#state === 'running') this.#state = this.#next < first + programs ? 'out of time' : 'done'
    this.#report()
    process.stdout.write(`${this.#progress()}\nrefused:\n${this.#refusals}features:\n${this.#features}`)
    if (this.#groups.counts.size > 0) process.stdout.write(`differences:\n${this.#groups}`)
    if (this.#groups.counts.size > 0) return 1
    return this.#state === 'interrupted' || this.#state === 'no worker starts' ? 3 : 0
  }

  #end(state: State): void {
    this.#state = state
    for (const worker of this.#workers) worker.kill('SIGKILL')
  }

  #progress(): string {
    const { on, programs, workers } = this.campaign
    const seconds = Math.round((Date.now() - this.#started) / 1000)
    const unfinished = this.#unfinished.length > 0 ? `, ${this.#unfinished.length} unfinished` : ''
    const counts = `${this.#programs} of ${programs} programs, ${this.#runs} runs, ${this.#refusals.total} refused`
    return `${on}, ${workers} workers, ${seconds} s, ${this.#state}: ${counts}, ${this.#groups.total} different${unfinished}`
  }

  /** Writes the results so far, if there is a folder for them; a reader never sees half a report. */
  #report(): void {
    const { on, first, programs, workers, out } = this.campaign
    if (out === null) return
    const report = {
      on,
      state: this.#state,
      seconds: (Date.now() - this.#started) / 1000,
      workers,
      first,
      wanted: programs,
      programs: this.#programs,
      runs: this.#runs,
      refused: this.#refusals.total,
      different: this.#groups.total,
      unfinished: this.#unfinished,
      groups: Object.fromEntries(this.#groups.counts),
      refusals: Object.fromEntries(this.#refusals.counts),
      features: Object.fromEntries(this.#features.counts),
      differences: this.#shown,
    }
    const file = join(out, `fuzz-${on}.json`)
    writeFileSync(`${file}.part`, `${JSON.stringify(report, null, 1)}\n`)
    renameSync(`${file}.part`, file)
  }

  /** Starts workers one after another until all seeds are done: a program may end its worker's process. */
  async #work(): Promise<void> {
    while (this.#take() !== null) {
      const worker = fork(fileURLToPath(new URL('fuzz-worker.ts', import.meta.url)), {
        execArgv: [...process.execArgv, '--no-warnings'], // this process's TypeScript loader
        env: this.campaign.environment,
      })
      this.#workers.add(worker)
      const last = await this.#feed(worker)
      this.#workers.delete(worker)
      if (last === null && worker.exitCode !== 0 && this.#state === 'running') this.#end('no worker starts')
      if (last === null) continue
      if (this.#state === 'running') {
        this.#programs++
        this.#found(`the process ended (${worker.signalCode ?? worker.exitCode})`, `seed ${last} ended its process`)
      } else this.#unfinished.push(last)
    }
  }

  /** The next seed; null: done. */
  #take(): number | null {
    const { first, programs, until } = this.campaign
    return this.#state === 'running' && this.#next < first + programs && Date.now() < until ? this.#next : null
  }

  /** Sends seeds to a worker until all are done (null) or the worker ends: then returns the seed that it was running. */
  #feed(worker: ChildProcess): Promise<number | null> {
    let at: number | null = null
    const give = (): void => {
      const seed = this.#take()
      if (seed === null) worker.disconnect()
      else worker.send({ seed })
      if (seed !== null) this.#next = seed + 1
    }
    return new Promise(resolve => {
      worker.on('message', (message: WorkerMessage) => {
        at = message.kind === 'begin' ? message.seed : null
        if (message.kind === 'begin') return
        this.#note(message)
        give()
      })
      worker.on('exit', () => resolve(at))
      give()
    })
  }

  #note({ runs, refusals, features, findings }: Extract<WorkerMessage, { kind: 'end' }>): void {
    this.#programs++
    this.#runs += runs
    this.#refusals.add(...refusals)
    this.#features.add(...features)
    for (const { group, text } of findings) this.#found(group, text)
  }

  #found(group: string, text: string): void {
    if (!this.#groups.counts.has(group) && text !== '') {
      process.stdout.write(`--- ${group}\n${text}\n`)
      this.#shown.push({ group, text })
    }
    this.#groups.add(group)
  }
}

function campaignOf(args: readonly string[]): Campaign {
  const option = { type: 'string' } as const
  const names = ['on', 'programs', 'seconds', 'seed', 'workers', 'out', 'features', 'ways'] as const
  const { values } = parseArgs({
    args: [...args],
    options: Object.fromEntries(names.map(name => [name, option])) as Record<(typeof names)[number], typeof option>,
  })
  const number = (name: 'programs' | 'seconds' | 'seed' | 'workers', otherwise: number): number => {
    const value = Number(values[name] ?? otherwise)
    if (!(value > 0)) throw new Error(`--${name} ${values[name]} is no number above 0`)
    return value
  }
  const { on = 'interpreter', out = null, features = '', ways = 'some' } = values
  if (!isPlace(on)) throw new Error(`--on ${on} is none of ${Object.keys(places).join(', ')}`)
  if (out !== null) mkdirSync(out, { recursive: true })
  return {
    on,
    first: number('seed', 1),
    programs: number('programs', 1000),
    until: Date.now() + number('seconds', Number.POSITIVE_INFINITY) * 1000,
    workers: number('workers', availableParallelism()),
    out,
    environment: { ...process.env, ...places[on], FUZZ_FEATURES: features, FUZZ_WAYS: ways },
  }
}

const isPlace = (name: string): name is keyof typeof places => Object.hasOwn(places, name)

let campaign: Campaign
try {
  campaign = campaignOf(process.argv.slice(2))
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n${usage}`)
  process.exit(2)
}
process.exitCode = await new Runner(campaign).run()

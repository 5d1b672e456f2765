/**
 * A campaign of random programs and call sequences (tests/fuzz/programs): many seeds over worker processes, with progress,
 * a summary, and the smallest program found for each kind of difference.
 *
 *     npm run fuzz -- [--cases N | --minutes M] [--seed FIRST] [--workers W] [--backend native|interpreter]
 *                     [--device cpu|cuda] [--features LIST] [--ways some|all|eager|compiled|recheck]
 *
 * Exit codes: 0 no difference, 1 some, 2 wrong usage.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const usage = `usage: npm run fuzz -- [--cases N | --minutes M] [--seed FIRST] [--workers W] [--backend native|interpreter]
                       [--device cpu|cuda] [--features LIST] [--ways some|all|eager|compiled|recheck]
`

/** What a worker says: before a seed, and after it. */
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
  readonly first: number
  readonly cases: number
  /** When to stop, as `Date.now()` counts. */
  readonly until: number
  readonly workers: number
  readonly environment: NodeJS.ProcessEnv
}

/** Counts of whatever was seen. */
class Tally {
  readonly counts = new Map<string, number>()

  add(...names: readonly string[]): void {
    for (const name of names) this.counts.set(name, (this.counts.get(name) ?? 0) + 1)
  }

  toString(): string {
    const sorted = [...this.counts].sort(([, a], [, b]) => b - a)
    return sorted.map(([name, count]) => `  ${String(count).padStart(6)}  ${name}\n`).join('')
  }
}

class Runner {
  #next: number
  #programs = 0
  #runs = 0
  readonly #started = Date.now()
  readonly #refusals = new Tally()
  readonly #features = new Tally()
  readonly #groups = new Tally()

  constructor(readonly campaign: Campaign) {
    this.#next = campaign.first
  }

  /** Runs the campaign; true when nothing differs. */
  async run(): Promise<boolean> {
    const timer = setInterval(() => process.stderr.write(`${this.#progress()}\n`), 30_000)
    await Promise.all(Array.from({ length: this.campaign.workers }, () => this.#work()))
    clearInterval(timer)
    process.stdout.write(`${this.#progress()}\nrefused:\n${this.#refusals}features:\n${this.#features}`)
    if (this.#groups.counts.size > 0) process.stdout.write(`differences:\n${this.#groups}`)
    return this.#groups.counts.size === 0
  }

  #progress(): string {
    const seconds = Math.round((Date.now() - this.#started) / 1000)
    const found = [...this.#groups.counts.values()].reduce((sum, count) => sum + count, 0)
    const refused = [...this.#refusals.counts.values()].reduce((sum, count) => sum + count, 0)
    return `${seconds} s: ${this.#programs} programs, ${this.#runs} runs, ${refused} refused, ${found} different`
  }

  /** One worker after another until there is nothing left to do: a program may end its process. */
  async #work(): Promise<void> {
    while (this.#take() !== null) {
      const worker = fork(fileURLToPath(new URL('fuzz-worker.ts', import.meta.url)), {
        execArgv: ['--import', 'tsx', '--no-warnings'],
        env: this.campaign.environment,
      })
      const last = await this.#feed(worker)
      if (last === null) continue
      this.#programs++
      this.#found(`the process ended (${worker.signalCode ?? worker.exitCode})`, `seed ${last} ended its process`)
    }
  }

  /** The seed that is next; null: done. */
  #take(): number | null {
    const { first, cases, until } = this.campaign
    return this.#next < first + cases && Date.now() < until ? this.#next : null
  }

  /** Gives a worker seeds until all are done (null) or it ends: then the seed that it was at. */
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
    if (!this.#groups.counts.has(group) && text !== '') process.stdout.write(`--- ${group}\n${text}\n`)
    this.#groups.add(group)
  }
}

function campaignOf(args: readonly string[]): Campaign {
  const option = { type: 'string' } as const
  const { values } = parseArgs({
    args: [...args],
    options: {
      cases: option,
      minutes: option,
      seed: option,
      workers: option,
      backend: option,
      device: option,
      features: option,
      ways: option,
    },
  })
  const number = (name: 'cases' | 'minutes' | 'seed' | 'workers', otherwise: number): number => {
    const value = Number(values[name] ?? otherwise)
    if (!(value > 0)) throw new Error(`--${name} ${values[name]} is no number above 0`)
    return value
  }
  const { backend = 'interpreter', device = 'cpu', features = '', ways = 'some' } = values
  return {
    first: number('seed', 1),
    cases: number('cases', values.minutes === undefined ? 1000 : Number.MAX_SAFE_INTEGER),
    until: Date.now() + number('minutes', 24 * 60) * 60_000,
    workers: number('workers', availableParallelism()),
    environment: {
      ...process.env,
      TEGULA_BACKEND: backend,
      TEGULA_TEST_DEVICE: device,
      FUZZ_FEATURES: features,
      FUZZ_WAYS: ways,
    },
  }
}

let campaign: Campaign
try {
  campaign = campaignOf(process.argv.slice(2))
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n${usage}`)
  process.exit(2)
}
process.exitCode = (await new Runner(campaign).run()) ? 0 : 1

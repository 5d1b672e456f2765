/**
 * The survey: every op at many sizes, in every dtype and layout, checked and timed beside PyTorch and the device's limits.
 *
 *     npm run survey -- --device cpu|cuda --out DIR [--from N] [--count N] [--shard I/N] [--only REGEX] [--seconds S] [--workers W]
 *                       [--pin CORES[/CORES…]] [--threads T] [--peer PYTHON] [--torch-compile] [--large]
 *                       [--first-use S]
 *     npm run survey -- --compare OLD.json NEW.json
 *
 * First W processes compile every case into the disk cache, then one process alone times them, then the peer; with several lists
 * of cores, one process on each (for a CPU with many). DIR keeps a JSON
 * line per case, so that an interrupted run goes on, and survey.json with everything. With --first-use, one process first makes
 * first calls for S seconds, alone and with an empty cache.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { appendFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import type { SurveyCase } from './case.js'
import { capsOf, selected, surveyCases } from './cases.js'
import type { SurveyLimits } from './limits.js'
import { comparisonText, type PeerLine, reportText, type Survey, surveyOf } from './report.js'
import { torchCall } from './torch.js'
import type { Line } from './worker.js'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    device: { type: 'string', default: 'cpu' },
    out: { type: 'string', default: 'survey' },
    from: { type: 'string', default: '0' },
    count: { type: 'string', default: '100000' },
    shard: { type: 'string', default: '0/1' },
    only: { type: 'string', default: '' },
    seconds: { type: 'string', default: '3600' },
    workers: { type: 'string', default: String(cpus().length) },
    pin: { type: 'string' },
    threads: { type: 'string' },
    peer: { type: 'string' },
    'torch-compile': { type: 'boolean', default: false },
    large: { type: 'boolean', default: false },
    'first-use': { type: 'string', default: '0' },
    compare: { type: 'boolean', default: false },
  },
})

/** A number among the options. Throws Error for anything else. */
function numberOf(name: 'from' | 'count' | 'seconds' | 'workers' | 'first-use'): number {
  const value = Number(values[name])
  if (Number.isFinite(value) && value >= 0) return value
  throw new Error(`--${name} ${values[name]}: give a number from 0`)
}

const say = (text: string): void => void process.stdout.write(`${text}\n`)
const { out } = values
if (values.device !== 'cpu' && values.device !== 'cuda') throw new Error(`--device ${values.device}: use cpu or cuda`)
const device: 'cpu' | 'cuda' = values.device
const started = performance.now()
const secondsLeft = (): number => numberOf('seconds') - (performance.now() - started) / 1000

/** A case may keep its process busy for so long; then it is given up. */
const stuckMilliseconds = { warm: 20_000, time: 10_000 }
/** The share of the time that warming may take, and the share of the rest that timing may take before the peer. */
const shares = { warm: 0.4, time: 0.5 }

const environment = {
  ...process.env,
  PYTHONWARNINGS: 'ignore',
  ...(values.threads && { TEGULA_THREADS: values.threads, OMP_NUM_THREADS: values.threads }),
}
const linesOf = <T>(file: string): readonly T[] =>
  existsSync(file)
    ? readFileSync(file, 'utf8')
        .split('\n')
        .filter(line => line.startsWith('{'))
        .map(line => JSON.parse(line) as T)
    : []

/** The lists of cores on which cases are timed, side by side; null: any. */
const lanes: readonly (string | null)[] = values.pin?.split('/') ?? [null]

function start(command: string, args: readonly string[], cores: string | null, env = environment): ChildProcess {
  const [program, list] = cores === null ? [command, [...args]] : ['taskset', ['-c', cores, command, ...args]]
  return spawn(program, list, { env, stdio: ['ignore', 'ignore', 'inherit'] })
}

/** The exit code of a process whose device is unusable after an error: the next one goes on. */
const lostDevice = 9

const ended = (child: ChildProcess): Promise<void> =>
  new Promise(resolve => {
    child.on('error', () => resolve())
    child.on('exit', () => resolve())
  })

interface Job {
  readonly mode: 'warm' | 'time'
  readonly file: string
  readonly ids: string
  readonly part: readonly [number, number]
  readonly seconds: number
  readonly cores: string | null
  /** The folder of its cache; default: as everywhere. */
  readonly cache?: string
}

const worker = fileURLToPath(new URL('worker.ts', import.meta.url))
/** As this process was started, so that TypeScript is understood. */
const node = [...process.execArgv, '--expose-gc', worker]

/** Runs a worker until it has had every case; a case that stops it or keeps it too long is written down as an error. */
async function work({ mode, file, ids, part: [i, n], seconds, cores, cache }: Job): Promise<void> {
  const end = performance.now() + seconds * 1000
  const current = `${file}.current`
  while (performance.now() < end) {
    rmSync(current, { force: true })
    const left = ((end - performance.now()) / 1000).toFixed(1)
    const env = cache === undefined ? environment : { ...environment, TEGULA_CACHE_DIR: cache }
    const child = start(process.execPath, [...node, mode, file, device, left, `${i}`, `${n}`, ids], cores, env)
    let stuck = false
    const watch = setInterval(() => {
      if (!existsSync(current)) return
      const text = readFileSync(current, 'utf8')
      if (text === '' || Date.now() - (JSON.parse(text) as { started: number }).started < stuckMilliseconds[mode])
        return
      stuck = true
      child.kill('SIGKILL')
    }, 500)
    await ended(child)
    clearInterval(watch)
    if (child.exitCode === 0) return
    if (!existsSync(current))
      throw new Error(`survey: the worker for ${file} ended with ${child.exitCode} before its first case`)
    const { id } = JSON.parse(readFileSync(current, 'utf8')) as { id: string }
    if (linesOf<Line>(file).some(line => line.id === id)) continue
    const error = stuck
      ? `gave up after ${stuckMilliseconds[mode] / 1000} s`
      : `the process ended: ${child.exitCode ?? child.signalCode}`
    appendFileSync(file, `${JSON.stringify({ id, error })}\n`)
  }
}

async function warm(ids: string): Promise<readonly Line[]> {
  const workers = numberOf('workers')
  const files = Array.from({ length: workers }, (_, i) => join(out, `warm-${i}.jsonl`))
  const seconds = secondsLeft() * shares.warm
  await Promise.all(files.map((file, i) => work({ mode: 'warm', file, ids, part: [i, workers], seconds, cores: null })))
  return files.flatMap(file => linesOf<Line>(file))
}

/** First calls with an empty cache. */
async function firstUses(ids: string): Promise<readonly Line[]> {
  const file = join(out, 'first.jsonl')
  const seconds = numberOf('first-use')
  const cache = mkdtempSync(join(tmpdir(), 'tegula-survey-'))
  try {
    if (seconds > 0) await work({ mode: 'warm', file, ids, part: [0, 1], seconds, cores: lanes[0]!, cache })
  } finally {
    rmSync(cache, { recursive: true })
  }
  return linesOf<Line>(file)
}

async function limits(): Promise<SurveyLimits> {
  const file = join(out, 'limits.json')
  await ended(start(process.execPath, [...node, 'limits', file, device], lanes[0]!))
  return JSON.parse(readFileSync(file, 'utf8')) as SurveyLimits
}

/** The cases in as many processes as there are lanes, at once; `run` gets each one's part. */
async function inLanes<T>(
  run: (part: readonly [number, number], cores: string | null) => Promise<readonly T[]>,
): Promise<readonly T[]> {
  const found = await Promise.all(lanes.map((cores, i) => run([i, lanes.length], cores)))
  return found.flat()
}

const time = (ids: string, seconds: number): Promise<readonly Line[]> =>
  inLanes(async (part, cores) => {
    const file = join(out, `ours-${part[0]}.jsonl`)
    await work({ mode: 'time', file, ids, part, seconds, cores })
    return linesOf<Line>(file)
  })

const peer = (cases: readonly SurveyCase[]): Promise<readonly PeerLine[]> =>
  inLanes(async ([i, n], cores) => {
    const [calls, file] = [join(out, `calls-${i}.json`), join(out, `peer-${i}.jsonl`)]
    const own = cases.flatMap(each => torchCall(each) ?? []).filter((_, at) => at % n === i)
    writeFileSync(
      calls,
      JSON.stringify(own, (_, value) => (typeof value === 'bigint' ? Number(value) : value)),
    )
    const script = fileURLToPath(new URL('torch_peer.py', import.meta.url))
    const more = values['torch-compile'] ? ['torch-compile'] : []
    for (let code: number | null = lostDevice; values.peer && code === lostDevice && secondsLeft() > 0; ) {
      const child = start(values.peer, [script, calls, file, device, secondsLeft().toFixed(1), ...more], cores)
      const stop = setTimeout(() => child.kill('SIGKILL'), secondsLeft() * 1000 + stuckMilliseconds.time)
      await ended(child)
      clearTimeout(stop)
      code = child.exitCode
    }
    return linesOf<PeerLine>(file)
  })

async function survey(): Promise<Survey> {
  mkdirSync(out, { recursive: true })
  const [i, n] = values.shard.split('/').map(Number) as [number, number]
  const cases = selected(surveyCases(capsOf(device, values.large)), {
    shard: [i, n],
    only: new RegExp(values.only),
    from: numberOf('from'),
    count: numberOf('count'),
  })
  const ids = join(out, 'ids.json')
  writeFileSync(ids, JSON.stringify(cases.map(({ id }) => id)))
  const firsts = await firstUses(ids)
  const warmed = await warm(ids)
  say(`${warmed.length} of ${cases.length} cases compiled in ${((performance.now() - started) / 1000).toFixed(0)} s`)
  // What failed or was given up already is not tried again.
  const ready = join(out, 'ready.json')
  writeFileSync(ready, JSON.stringify(warmed.filter(({ error }) => error === undefined).map(({ id }) => id)))
  const ours = await time(ready, secondsLeft() * shares.time)
  say(`${ours.length} cases timed after ${((performance.now() - started) / 1000).toFixed(0)} s`)
  const measured = await limits()
  const known = new Set(ours.map(({ id }) => id))
  const failed = warmed.filter(({ id, error }) => error !== undefined && !known.has(id))
  const lines = [...ours, ...failed]
  const has = new Set(lines.map(({ id }) => id))
  const peers = await peer(cases.filter(({ id }) => has.has(id)))
  return surveyOf({ cases, lines, peers, firsts, limits: measured, device })
}

if (values.compare) {
  const [before, after] = positionals.map(file => JSON.parse(readFileSync(file, 'utf8')) as Survey)
  say(comparisonText(before!, after!))
} else {
  const result = await survey()
  writeFileSync(join(out, 'survey.json'), JSON.stringify(result))
  say(reportText(result))
}

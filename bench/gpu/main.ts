/**
 * The GPU benchmark: every case against PyTorch's figures and against copies of as many bytes, timed in the same way in the
 * same session; then every limit, passed or failed.
 *
 *     npm run bench:gpu -- --out DIR [--peers FILE] [--case PART_OF_NAME,…]
 *
 * FILE holds the peer's JSON lines, one per case and variant: {"case": …, "variant": …, "us": …}.
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { emptyCache, manualSeed, scope, setDefaultDevice } from 'tegula'
import { measureCudaLimits } from '../../src/profile/cuda-limits.js'
import { holds } from '../report.js'
import { attentionGradientCases } from './attention-gradient.js'
import { gpuCases } from './cases.js'
import { cornerCases } from './corners.js'
import { barsOf, barsText, parsePeers, type Row, rowOf, rowText, startBars } from './report.js'
import { DeviceTimer } from './timing.js'
import { gptTrainingCases } from './training-gpt.js'
import { visionCases } from './training-vision.js'
import { workloadCases } from './workloads.js'

const { values } = parseArgs({
  options: { out: { type: 'string' }, peers: { type: 'string' }, case: { type: 'string', default: '' } },
})
const wanted = (name: string): boolean => values.case.split(',').some(part => name.includes(part))

const say = (text: string): void => void process.stdout.write(`${text}\n`)

interface Start {
  readonly firstCallMs?: number
  readonly error?: string
}

/** Cold compile and second process, each in its own process. */
function starts(): { readonly cold: Start; readonly second: Start } {
  const cache = mkdtempSync(join(tmpdir(), 'tegula-bench-'))
  const script = fileURLToPath(new URL('gpt2-start.ts', import.meta.url))
  const run = (): Start => {
    const { stdout, stderr, status } = spawnSync(process.execPath, ['--import', 'tsx', script], {
      encoding: 'utf8',
      env: { ...process.env, TEGULA_CACHE_DIR: cache },
    })
    return status === 0 ? (JSON.parse(stdout) as Start) : { error: stderr.slice(-2000) }
  }
  try {
    return { cold: run(), second: run() }
  } finally {
    rmSync(cache, { recursive: true })
  }
}

setDefaultDevice('cuda')
manualSeed(0)
const peers = values.peers === undefined ? [] : parsePeers(readFileSync(values.peers, 'utf8'))
const timer = new DeviceTimer()
const limits = measureCudaLimits(timer.device)
say(`${timer.device.facts.name}: ${JSON.stringify(limits)}\n`)
const rows: Row[] = []
const errors: Record<string, string> = {}

/** Written after each case, so that an interrupted run keeps its results. */
function save(started: ReturnType<typeof starts> | null): void {
  if (values.out === undefined) return
  const bars = barsOf(rows).concat(startBarsOf(started))
  const judged = bars.map(each => ({ ...each, met: holds(each) }))
  const report = { device: timer.device.facts, limits, rows, bars: judged, errors, started }
  mkdirSync(values.out, { recursive: true })
  writeFileSync(join(values.out, 'bench-gpu.json'), JSON.stringify(report, null, 1))
}

const startBarsOf = (started: ReturnType<typeof starts> | null) =>
  started === null ? [] : startBars(started.cold.firstCallMs ?? null, started.second.firstCallMs ?? null)

const allCases = [
  ...gpuCases,
  ...cornerCases,
  ...workloadCases(),
  ...attentionGradientCases(),
  ...gptTrainingCases,
  ...visionCases,
]
for (const each of allCases.filter(({ name }) => wanted(name))) {
  try {
    emptyCache()
    const measured = scope(() => ({ all: each.run(timer) })).all
    const found = measured.map(one => rowOf(each, one, { peers, limits, copyTime: bytes => timer.copy(bytes) }))
    for (const row of found) say(rowText(row))
    rows.push(...found)
  } catch (error) {
    errors[each.name] = error instanceof Error ? (error.stack ?? error.message) : String(error)
    say(`${each.name.padEnd(26)}  failed: ${errors[each.name]!.slice(0, 600)}`)
  }
  save(null)
}
const started = wanted('gpt2 start') ? starts() : null
if (started !== null) say(`gpt2 first result: ${JSON.stringify(started)}`)
save(started)
say(`\n${barsText(barsOf(rows).concat(startBarsOf(started)))}`)
process.exitCode = Object.keys(errors).length === 0 ? 0 : 1

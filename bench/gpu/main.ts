/**
 * The benchmark on a GPU: every case against PyTorch's figures and against copies of as many bytes, timed alike, in the
 * same session.
 *
 *     npm run bench:gpu -- --out DIR [--peers FILE] [--case PART_OF_NAME]
 *
 * FILE holds the peer's JSON lines, one per case and variant: {"case": …, "variant": …, "us": …}.
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { manualSeed } from 'tegula'
import type { GpuCase, Measured } from './case.js'
import { gpuCases } from './cases.js'
import { DeviceTimer } from './timing.js'

interface PeerLine {
  readonly case?: string
  readonly variant?: string
  readonly us?: number
}

const { values } = parseArgs({
  options: { out: { type: 'string' }, peers: { type: 'string' }, case: { type: 'string', default: '' } },
})

function readPeers(file: string | undefined): readonly PeerLine[] {
  if (file === undefined) return []
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter(line => line.startsWith('{'))
    .map(line => JSON.parse(line) as PeerLine)
}

const peers = readPeers(values.peers)

/** The peer's best time for a case, in microseconds. */
function bestPeer(name: string): { variant: string; us: number } | null {
  const timed = peers.filter(
    line => line.case === name && line.us !== undefined && !line.variant?.includes('first_call'),
  )
  const best = timed.toSorted((a, b) => a.us! - b.us!)[0]
  return best === undefined ? null : { variant: best.variant ?? '', us: best.us! }
}

interface Row extends Measured {
  readonly peer: { variant: string; us: number } | null
  readonly ratio: number | null
  readonly bar: number | null
  readonly share: number | null
  readonly shareBar: number | null
}

const say = (text: string): void => void process.stdout.write(`${text}\n`)

function measure(each: GpuCase, timer: DeviceTimer): Row[] {
  const peer = bestPeer(each.name)
  return each.run(timer).map(measured => ({
    ...measured,
    peer,
    ratio: peer === null ? null : peer.us / measured.us,
    bar: each.bar ?? null,
    share: each.share === undefined || measured.bytes === undefined ? null : timer.copy(measured.bytes) / measured.us,
    shareBar: each.share ?? null,
  }))
}

function show({ case: name, variant, us, bytes, flops, peer, ratio, bar, share, shareBar }: Row): string {
  const rate =
    flops !== undefined
      ? `${(flops / us / 1e6).toFixed(1)} TFLOPS`
      : bytes !== undefined
        ? `${(bytes / us / 1e3).toFixed(0)} GB/s`
        : ''
  const of =
    share === null
      ? ''
      : `${(share * 100).toFixed(0)} % of a copy${shareBar === null ? '' : ` (bar ${shareBar * 100})`}`
  const against =
    ratio === null
      ? ''
      : `${ratio.toFixed(2)}× ${peer!.variant} ${peer!.us.toFixed(1)} µs${bar === null ? '' : ` (bar ${bar})`}`
  return [
    name.padEnd(26),
    variant.padEnd(24),
    `${us.toFixed(2)} µs`.padStart(12),
    rate.padStart(14),
    of.padEnd(24),
    against,
  ].join('  ')
}

/** Cold compile and second process, each in a process of its own. */
function starts(): Record<string, unknown> {
  const cache = mkdtempSync(join(tmpdir(), 'tegula-bench-'))
  const script = fileURLToPath(new URL('gpt2-start.ts', import.meta.url))
  const run = (): unknown => {
    const { stdout, stderr, status } = spawnSync('tsx', [script], {
      encoding: 'utf8',
      env: { ...process.env, TEGULA_CACHE_DIR: cache },
    })
    return status === 0 ? JSON.parse(stdout) : { error: stderr.slice(-2000) }
  }
  try {
    return { cold: run(), second: run() }
  } finally {
    rmSync(cache, { recursive: true })
  }
}

manualSeed(0)
const timer = new DeviceTimer()
const rows: Row[] = []
const errors: Record<string, string> = {}
for (const each of gpuCases.filter(({ name }) => name.includes(values.case))) {
  try {
    const measured = measure(each, timer)
    for (const row of measured) say(show(row))
    rows.push(...measured)
  } catch (error) {
    errors[each.name] = error instanceof Error ? (error.stack ?? error.message) : String(error)
    say(`${each.name.padEnd(26)}  failed: ${errors[each.name]!.slice(0, 600)}`)
  }
}
const started = 'gpt2 start'.includes(values.case) ? starts() : null
if (started !== null) say(`gpt2 first result: ${JSON.stringify(started)}`)
if (values.out !== undefined) {
  mkdirSync(values.out, { recursive: true })
  writeFileSync(
    join(values.out, 'bench-gpu.json'),
    JSON.stringify({ device: timer.device.facts, rows, errors, started }, null, 1),
  )
}
process.exitCode = Object.keys(errors).length === 0 ? 0 : 1

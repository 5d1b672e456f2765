/**
 * compute-sanitizer on the kernels of all samples: runs processes of `run-samples.ts`, each with a share of the ops. Bounded:
 * a process starts no new op once its time is over, and reports the ops that it skipped.
 */
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export type SanitizerTool = 'memcheck' | 'racecheck'

export interface SanitizeOptions {
  readonly seconds: number
  readonly workers: number
  readonly project: string
}

export interface SanitizeOutcome {
  readonly tool: SanitizerTool
  readonly version: string
  /** Samples that ran, with at least as many kernels, and samples that were skipped for lack of time. */
  readonly samples: number
  readonly kernels: number
  readonly left: number
  /** Reports of the tool, and failures of the program. */
  readonly errors: readonly string[]
  /** The reason why there is no result; null if there is one. */
  readonly problem: string | null
}

/** The report of a process of `run-samples.ts`. */
export interface ShareOutcome {
  readonly samples: number
  readonly kernels: number
  readonly left: number
  readonly errors: readonly string[]
}

const places = ['compute-sanitizer', '/usr/local/cuda/bin/compute-sanitizer']
/** Time to load the driver, write the report and end. */
const endingSeconds = 25

function findTool(): { readonly program: string; readonly version: string } | null {
  for (const program of places) {
    const { status, stdout } = spawnSync(program, ['--version'], { encoding: 'utf8' })
    if (status === 0) return { program, version: /Version ([\d.]+)/.exec(stdout)?.[1] ?? stdout.trim() }
  }
  return null
}

/** Blocks until all processes have ended. */
export function sanitize(tool: SanitizerTool, options: SanitizeOptions): SanitizeOutcome {
  const nothing = { tool, version: '', samples: 0, kernels: 0, left: 0, errors: [] }
  const found = findTool()
  if (found === null) return { ...nothing, problem: `no compute-sanitizer among ${places.join(', ')}` }
  const folder = mkdtempSync(join(tmpdir(), 'tegula-sanitize-'))
  try {
    // One process waits for all of them: this script runs its parts one after another.
    const script = join(options.project, 'scripts/gpu/sanitize-shares.ts')
    const seconds = Math.max(10, options.seconds - endingSeconds)
    const child = spawnSync(
      process.execPath,
      ['--import', 'tsx', script, found.program, tool, folder, String(options.workers), String(seconds)],
      { cwd: options.project, stdio: ['ignore', 'inherit', 'inherit'], timeout: options.seconds * 1000 },
    )
    const outcomes = Array.from({ length: options.workers }, (_, share) => readShare(folder, share))
    const sum = (key: 'samples' | 'kernels' | 'left'): number => outcomes.reduce((total, each) => total + each[key], 0)
    return {
      tool,
      version: found.version,
      samples: sum('samples'),
      kernels: sum('kernels'),
      left: sum('left'),
      errors: outcomes.flatMap(({ errors }) => errors),
      problem: child.signal === null ? null : `not done after ${options.seconds} s`,
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const reportCharacters = 3000

/** A share's own outcome, and what the tool reported about it. */
function readShare(folder: string, share: number): ShareOutcome {
  const [result, log] = [join(folder, `${share}.json`), join(folder, `${share}.log`)]
  const said = existsSync(log) ? readFileSync(log, 'utf8') : ''
  const reports = reportsIn(said)
  if (!existsSync(result)) {
    const message = `share ${share} ended without a result: ${said.slice(-reportCharacters)}`
    return { samples: 0, kernels: 0, left: 0, errors: [...reports, message] }
  }
  const outcome = JSON.parse(readFileSync(result, 'utf8')) as ShareOutcome
  return { ...outcome, errors: [...outcome.errors, ...reports] }
}

/** The first report of each kind in a log of compute-sanitizer, whose lines begin with "=========". */
export function reportsIn(log: string): string[] {
  const blocks = log.split(/^========= *$/m)
  const kinds = new Map<string, string>()
  for (const block of blocks) {
    const head = block
      .split('\n')
      .find(line => /^========= (Error|Warning|Invalid|Race|Uninitialized|Program hit|Barrier)/.test(line))
    if (head === undefined) continue
    // Driver results that the runtime expects: it polls whether work is done and whether memory is left.
    if (/CUDA_ERROR_NOT_READY|CUDA_ERROR_OUT_OF_MEMORY|CUDA_ERROR_NOT_FOUND/.test(head)) continue
    const kernel = /(?:by|at|in)\s+.*?(\w+)\s*\(|Kernel:?\s+(\w+)/.exec(block)?.slice(1).find(Boolean) ?? ''
    const key = `${head.replace(/0x[0-9a-f]+|\d+/g, '')} ${kernel}`
    if (!kinds.has(key)) kinds.set(key, block.trim().slice(0, reportCharacters))
  }
  return [...kinds.values()]
}

/** Starts all shares and waits for them. */
export async function runShares(
  program: string,
  tool: SanitizerTool,
  folder: string,
  workers: number,
  seconds: number,
): Promise<void> {
  const script = 'scripts/gpu/run-samples.ts'
  const ends = Array.from({ length: workers }, (_, share) => {
    const args = [
      ['--tool', tool, '--log-file', join(folder, `${share}.log`), '--print-limit', '50'],
      // The runtime probes the driver for optional features; only kernels are checked here.
      tool === 'memcheck' ? ['--report-api-errors', 'no'] : ['--racecheck-report', 'analysis'],
      [process.execPath, '--import', 'tsx', script],
      [join(folder, `${share}.json`), String(share), String(workers), String(seconds), tool],
    ].flat()
    return new Promise<void>(resolve => {
      const env = { ...process.env, TEGULA_TEST_DEVICE: 'cuda', TEGULA_CUDA_CACHE: '0' }
      const child = spawn(program, args, { env, stdio: ['ignore', 'ignore', 'inherit'] })
      child.on('close', () => resolve())
      child.on('error', error => {
        process.stderr.write(`${error}\n`)
        resolve()
      })
    })
  })
  await Promise.all(ends)
}

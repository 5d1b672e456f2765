/**
 * `npm run test:gpu -- --out DIR [--part NAME,…] [--files FILE,…] [--minutes N] [--workers N] [--fuzz N]`: the suites on this
 * machine's GPU (of the parts the files whose paths start so), then compute-sanitizer over the kernels of the samples. Writes DIR/test-gpu-PART.json for each part (counts, failures with
 * their messages, seconds). Exits with 1 when something failed or did not end in time. `--list` names the parts.
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { CudaDevice } from '../../src/runtime/cuda/device.js'
import { type SanitizeOutcome, sanitize } from './sanitize.js'

const project = fileURLToPath(new URL('../..', import.meta.url))

/** Test files, and environment variables for them. */
interface Suite {
  readonly files: readonly string[]
  /** A pattern of test names. Default: all tests. */
  readonly only?: string
  readonly env?: Readonly<Record<string, string>>
}

interface Options {
  readonly seconds: number
  readonly workers: number
  readonly fuzz: string
}

const suites = (fuzz: string): Readonly<Record<string, Suite>> => ({
  conformance: {
    files: ['tests/native/compiled-a', 'tests/native/compiled-b', 'tests/native/eager', 'tests/native/accuracy'].concat(
      'tests/native/lists',
      'tests/native/attention',
    ),
  },
  fuzz: { files: ['tests/fuzz'], env: { FUZZ_CASES: fuzz, FUZZ_EAGER: '40', FUZZ_BREAKS: '40' } },
  compile: {
    files: [
      'compile',
      'in-place',
      'aliasing',
      'bucket',
      'warmup',
      'user-kernels',
      'patterns',
      'reads',
      'objects',
      'interleaved',
      'symbolic-numbers',
      'control-flow',
      'attention-dropout',
    ].map(name => `tests/compile/${name}.`),
  },
  footguns: { files: ['tests/footguns'] },
  quant: {
    files: ['quant', 'bad-input', 'calls', 'layout', 'grouped-depth'].map(name => `tests/quant/${name}.`),
  },
  // Every code, and every sample. The rest of these suites simulates, which needs no GPU.
  codes: {
    files: ['decoding', 'encoding', 'exact-products', 'ragged', 'records'].map(name => `tests/quant/${name}`),
    only: 'compiled',
  },
  cuda: { files: ['tests/cuda'] },
  // Gradients, layers, optimisers, against PyTorch's figures and among themselves.
  training: {
    files: ['nn', 'optim', 'tensor/autograd', 'torch', 'fuzz/training']
      .concat(
        [
          'training',
          'checkpoint',
          'derivatives',
          'scan',
          'kernel-gradients',
          'joint-updates',
          'running-statistics',
        ].map(name => `compile/${name}.`),
      )
      .concat('compile/written-', 'compile/attention-', 'compile/backward-ops', 'native/attention-gradient')
      .map(name => `tests/${name}`),
  },
})

/** Only what is both of a suite and of `files`; both are starts of paths. */
function narrowed(all: Readonly<Record<string, Suite>>, files: readonly string[] | undefined): typeof all {
  if (files === undefined) return all
  const both = (start: string): string[] =>
    files.flatMap(file => (file.startsWith(start) ? [file] : start.startsWith(file) ? [start] : []))
  return Object.fromEntries(
    Object.entries(all).map(([part, suite]) => [part, { ...suite, files: suite.files.flatMap(both) }]),
  )
}

const checks = ['memcheck', 'racecheck'] as const

interface Failure {
  readonly test: string
  readonly message: string
}

interface PartReport {
  readonly part: string
  readonly ok: boolean
  readonly seconds: number
  readonly passed: number
  readonly failed: number
  readonly skipped: number
  readonly failures: readonly Failure[]
  /** The reason why the part did not end normally; null if it did. */
  readonly problem: string | null
  readonly details?: SanitizeOutcome
}

/** The part of vitest's JSON that is used here. */
interface VitestReport {
  readonly numPassedTests: number
  readonly numFailedTests: number
  readonly numPendingTests: number
  readonly testResults: readonly {
    readonly name: string
    readonly status: string
    readonly message: string
    readonly assertionResults: readonly {
      readonly fullName: string
      readonly status: string
      readonly failureMessages: readonly string[]
    }[]
  }[]
}

const messageCharacters = 1500
const mostFailures = 200

function runSuite(part: string, { files, only, env = {} }: Suite, { seconds, workers }: Options): PartReport {
  const folder = mkdtempSync(join(tmpdir(), 'tegula-gpu-'))
  const report = join(folder, 'report.json')
  const started = Date.now()
  const chosen = only === undefined ? [] : ['--testNamePattern', only]
  const reporters = ['--reporter=dot', '--reporter=json', `--outputFile.json=${report}`]
  const child = spawnSync(
    process.execPath,
    [
      join(project, 'node_modules/vitest/vitest.mjs'),
      'run',
      ...files,
      ...chosen,
      ...reporters,
      `--maxWorkers=${workers}`,
    ],
    {
      cwd: project,
      env: { ...process.env, TEGULA_TEST_DEVICE: 'cuda', ...env },
      timeout: seconds * 1000,
      killSignal: 'SIGTERM',
      stdio: ['ignore', 'inherit', 'inherit'],
    },
  )
  try {
    const read = JSON.parse(readFileSync(report, 'utf8')) as VitestReport
    return { part, seconds: (Date.now() - started) / 1000, ...countsOf(read), problem: null }
  } catch {
    const problem =
      child.signal === null
        ? `vitest ended with ${child.status} and without a report`
        : `not done after ${seconds} s: run fewer parts, or more --minutes`
    const nothing = { ok: false, passed: 0, failed: 0, skipped: 0, failures: [] }
    return { part, seconds: (Date.now() - started) / 1000, ...nothing, problem }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function countsOf({ numPassedTests, numFailedTests, numPendingTests, testResults }: VitestReport) {
  const failures = testResults.flatMap(({ name, status, message, assertionResults }): Failure[] => {
    const file = name.slice(name.indexOf('tests/'))
    const failed = assertionResults.filter(each => each.status === 'failed')
    // A file that cannot be loaded has no failed test.
    if (failed.length === 0) return status === 'failed' ? [{ test: file, message: cut(message) }] : []
    return failed.map(each => ({ test: `${file}: ${each.fullName}`, message: cut(each.failureMessages.join('\n')) }))
  })
  return {
    ok: failures.length === 0 && numFailedTests === 0 && numPassedTests > 0,
    passed: numPassedTests,
    failed: Math.max(numFailedTests, failures.length),
    skipped: numPendingTests,
    failures: failures.slice(0, mostFailures),
  }
}

const cut = (text: string): string => text.slice(0, messageCharacters)

function runCheck(tool: (typeof checks)[number], { seconds, workers }: Options): PartReport {
  const started = Date.now()
  const details = sanitize(tool, { seconds, workers, project })
  const failures = details.errors.map((message, i) => ({ test: `${tool} ${i + 1}`, message: cut(message) }))
  return {
    part: tool,
    ok: failures.length === 0 && details.problem === null,
    seconds: (Date.now() - started) / 1000,
    passed: details.samples,
    failed: failures.length,
    skipped: details.left,
    failures: failures.slice(0, mostFailures),
    problem: details.problem,
    details,
  }
}

function main(): number {
  const { values } = parseArgs({
    options: {
      out: { type: 'string' },
      part: { type: 'string' },
      files: { type: 'string' },
      minutes: { type: 'string', default: '9' },
      workers: { type: 'string', default: String(availableParallelism()) },
      fuzz: { type: 'string', default: '400' },
      list: { type: 'boolean', default: false },
    },
  })
  const all = narrowed(suites(values.fuzz), values.files?.split(','))
  const names = [...Object.keys(all), ...checks]
  if (values.list) {
    console.log(names.join('\n'))
    return 0
  }
  const parts = values.part?.split(',') ?? names
  const unknown = parts.filter(part => !names.includes(part))
  if (values.out === undefined || unknown.length > 0) {
    console.error(
      unknown.length > 0 ? `no part ${unknown.join(', ')}: there are ${names.join(', ')}` : 'give --out DIR',
    )
    return 2
  }
  const { facts } = new CudaDevice() // throws, with the reason, if there is no GPU
  mkdirSync(values.out, { recursive: true })
  const end = Date.now() + Number(values.minutes) * 60_000
  let ok = true
  for (const part of parts) {
    const seconds = Math.max(1, Math.floor((end - Date.now()) / 1000))
    const options = { seconds, workers: Number(values.workers), fuzz: values.fuzz }
    const suite = all[part]
    const report =
      suite === undefined ? runCheck(part as (typeof checks)[number], options) : runSuite(part, suite, options)
    ok &&= report.ok
    const { name, capability, driverVersion } = facts
    const gpu = { name, capability, driverVersion }
    writeFileSync(join(values.out, `test-gpu-${part}.json`), `${JSON.stringify({ gpu, ...report }, null, 1)}\n`)
    const { passed, failed, skipped, problem } = report
    const state = problem === null ? '' : `; ${problem}`
    console.log(
      `\n${part}: ${passed} passed, ${failed} failed, ${skipped} skipped, ${report.seconds.toFixed(0)} s${state}`,
    )
    for (const { test, message } of report.failures.slice(0, 20)) {
      console.log(`  ${test}\n    ${message.split('\n').slice(0, 3).join('\n    ')}`)
    }
  }
  return ok ? 0 : 1
}

process.exitCode = main()

/**
 * Runs programs either blocking, or without blocking the event loop. Work that needs programs is written once, as a
 * generator that yields each command and receives its outcome; `runBlocking` and `runAsync` drive it.
 *
 * A program gets a process group of its own, since compilers start other programs: if it times out, prints without end, or
 * still runs when this process exits, the whole group is killed.
 */
import { type ChildProcess, type SpawnOptions, spawn, spawnSync } from 'node:child_process'

export interface Command {
  readonly file: string
  readonly args: readonly string[]
  readonly folder?: string | undefined
  /** Timeout after which it is killed. */
  readonly seconds: number
}

export interface Outcome {
  /** The exit status, or null when there is a failure. */
  readonly status: number | null
  readonly stdout: string
  readonly stderr: string
  readonly failure: Failure | null
}

/** Why there is no exit status. */
export type Failure =
  | { readonly kind: 'not started'; readonly code: string }
  | { readonly kind: 'killed'; readonly signal: string }
  | { readonly kind: 'too slow'; readonly seconds: number }
  | { readonly kind: 'too much output'; readonly bytes: number }

export type Work<T> = Generator<Command, T, Outcome>

const maxOutputBytes = 16 * 1024 * 1024
/** Windows has no process groups, and opens a console for what is detached. */
const hasGroups = process.platform !== 'win32'

/** The failure in words that complete "the compiler failed (…)". */
export function describeFailure(failure: Failure): string {
  switch (failure.kind) {
    case 'not started':
      return `it cannot be started: ${failure.code}`
    case 'killed':
      return `killed by ${failure.signal}`
    case 'too slow':
      return `it did not end within ${failure.seconds} s and was killed`
    case 'too much output':
      return `it printed more than ${failure.bytes / 2 ** 20} MiB and was killed`
    default:
      return failure satisfies never
  }
}

export function runBlocking<T>(work: Work<T>): T {
  let step = work.next()
  while (step.done !== true) step = work.next(execute(step.value))
  return step.value
}

export async function runAsync<T>(work: Work<T>): Promise<T> {
  let step = work.next()
  while (step.done !== true) step = work.next(await executeAsync(step.value))
  return step.value
}

const optionsFor = ({ folder }: Command): SpawnOptions & { stdio: ['ignore', 'pipe', 'pipe'] } => ({
  stdio: ['ignore', 'pipe', 'pipe'],
  detached: hasGroups,
  ...(folder === undefined ? {} : { cwd: folder }),
})

/** Runs a command and blocks until it ends, or kills it at its time limit. */
function execute(command: Command): Outcome {
  const { pid, status, signal, stdout, stderr, error } = spawnSync(command.file, command.args, {
    // Missing from the types of spawnSync, which passes it on as spawn does.
    ...(optionsFor(command) as object),
    encoding: 'utf8',
    maxBuffer: maxOutputBytes,
    timeout: command.seconds * 1000,
    killSignal: 'SIGKILL',
  })
  if (error !== undefined && pid !== 0) killGroup(pid)
  const failure = error !== undefined ? failureOf(error, command) : status === null ? killedBy(signal) : null
  return { status: failure === null ? status : null, stdout: stdout ?? '', stderr: stderr ?? '', failure }
}

function failureOf(error: Error, { seconds }: Command): Failure {
  const code = codeOf(error)
  if (code === 'ETIMEDOUT') return { kind: 'too slow', seconds }
  if (code === 'ENOBUFS') return { kind: 'too much output', bytes: maxOutputBytes }
  return { kind: 'not started', code }
}

const killedBy = (signal: string | null): Failure => ({ kind: 'killed', signal: signal ?? 'an unknown signal' })

/** Runs a command; resolves when it ends, or when it is killed at its limit of time or output. */
function executeAsync(command: Command): Promise<Outcome> {
  return new Promise(resolve => {
    const child = spawn(command.file, command.args, optionsFor(command))
    const [stdout, stderr] = [[] as Buffer[], [] as Buffer[]]
    const finish = (status: number | null, failure: Failure | null): void => {
      clearTimeout(timer)
      running.delete(child)
      const text = (chunks: readonly Buffer[]): string => Buffer.concat(chunks).toString('utf8')
      resolve({ status, stdout: text(stdout), stderr: text(stderr), failure })
    }
    const giveUp = (failure: Failure): void => {
      end(child)
      finish(null, failure)
    }
    const timer = setTimeout(() => giveUp({ kind: 'too slow', seconds: command.seconds }), command.seconds * 1000)
    trackChild(child)
    for (const [stream, chunks] of [[child.stdout, stdout] as const, [child.stderr, stderr] as const]) {
      let bytes = 0
      stream?.on('data', (chunk: Buffer) => {
        bytes += chunk.length
        if (bytes > maxOutputBytes) giveUp({ kind: 'too much output', bytes: maxOutputBytes })
        else chunks.push(chunk)
      })
    }
    child.once('error', error => finish(null, { kind: 'not started', code: codeOf(error) }))
    child.once('close', (status, signal) => finish(status, status === null ? killedBy(signal) : null))
  })
}

/** Children of `runAsync`: they would outlive this process, in groups of their own. */
const running = new Set<ChildProcess>()
let endsWithUs = false

/** Remembers a child, so that it is killed when this process exits. */
function trackChild(child: ChildProcess): void {
  running.add(child)
  if (endsWithUs) return
  endsWithUs = true
  process.once('exit', () => {
    for (const each of running) end(each)
  })
}

function end(child: ChildProcess): void {
  if (child.pid !== undefined) killGroup(child.pid)
  child.kill('SIGKILL')
  child.stdout?.destroy() // what left the group may hold the pipes
  child.stderr?.destroy()
}

/** Kills a program and what it started. */
function killGroup(leader: number): void {
  if (!hasGroups) return
  try {
    process.kill(-leader, 'SIGKILL')
  } catch {
    // all of them are gone
  }
}

function codeOf(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : error.message
}

/**
 * Running a program either way: blocking, or without blocking the event loop. Work that needs programs is written once,
 * as a generator that yields each command and receives its outcome; `runBlocking` and `runAsync` drive it.
 */
import { spawn, spawnSync } from 'node:child_process'

export interface Command {
  readonly file: string
  readonly args: readonly string[]
  readonly folder?: string | undefined
}

export interface Outcome {
  /** The exit status, or null when the program was not found or was killed. */
  readonly status: number | null
  readonly stdout: string
  readonly stderr: string
  /** Why there is no exit status: a signal's name or the system's error code. */
  readonly failure: string | null
}

export type Work<T> = Generator<Command, T, Outcome>

const maxOutputBytes = 16 * 1024 * 1024

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

function execute({ file, args, folder }: Command): Outcome {
  const result = spawnSync(file, args, {
    encoding: 'utf8',
    maxBuffer: maxOutputBytes,
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(folder === undefined ? {} : { cwd: folder }),
  })
  const failure = result.status !== null ? null : (result.signal ?? codeOf(result.error))
  return { status: result.status, stdout: result.stdout ?? '', stderr: result.stderr ?? '', failure }
}

function executeAsync({ file, args, folder }: Command): Promise<Outcome> {
  return new Promise(resolve => {
    const options = folder === undefined ? {} : { cwd: folder }
    const child = spawn(file, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
    const stdout: Buffer[] = []
    const stderr: Buffer[] = []
    child.stdout.on('data', (chunk: Buffer) => stdout.push(chunk))
    child.stderr.on('data', (chunk: Buffer) => stderr.push(chunk))
    const finish = (status: number | null, failure: string | null) => {
      const text = (chunks: Buffer[]) => Buffer.concat(chunks).toString('utf8')
      resolve({ status, stdout: text(stdout), stderr: text(stderr), failure })
    }
    child.once('error', error => finish(null, codeOf(error)))
    child.once('close', (status, signal) => finish(status, status === null ? (signal ?? 'unknown') : null))
  })
}

function codeOf(error: Error | undefined): string {
  if (error === undefined) return 'unknown'
  return 'code' in error && typeof error.code === 'string' ? error.code : error.message
}

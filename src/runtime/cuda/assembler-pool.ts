/**
 * Assembles on worker threads: several kernels concurrently, and without blocking the event loop. The driver assembles on
 * the calling thread, where a large kernel takes a good part of a second.
 */
import { createRequire } from 'node:module'
import { availableParallelism } from 'node:os'
import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from 'node:worker_threads'
import { koffi, stackSizes } from '../native.js'
import { compileSeconds } from '../time-limit.js'
import type { CudaContext } from './context.js'
import { type LinkAnswer, type LinkRequest, type LinkTools, link } from './link.js'

const maxWorkers = 8
/** An idle worker ends after this time. */
const idleMs = 10_000

interface Setup {
  readonly koffi: string
  readonly stackSizes: typeof stackSizes
  readonly library: string
  readonly context: number
  readonly port: MessagePort
  /** Monotonic counters: answers sent, workers started. */
  readonly answers: Int32Array
}

interface Request extends LinkRequest {
  readonly id: number
}
interface Answer extends LinkAnswer {
  readonly id: number
}

interface WorkerState {
  readonly worker: Worker
  readonly port: MessagePort
  /** Bytes of text by request. */
  readonly pending: Map<number, number>
}

/** A text that a worker assembles. */
export class Assembly {
  #answer: LinkAnswer | null = null
  #settle: ((answer: LinkAnswer) => void) | null = null

  /** Null: it is not done yet. */
  get answer(): LinkAnswer | null {
    return this.#answer
  }

  end(answer: LinkAnswer): void {
    this.#answer = answer
    this.#settle?.(answer)
  }

  settled(): Promise<LinkAnswer> {
    return new Promise(resolve => {
      if (this.#answer === null) this.#settle = resolve
      else resolve(this.#answer)
    })
  }
}

/**
 * Thrown when no text was finished within `TEGULA_COMPILE_TIMEOUT`. The driver cannot be interrupted; its threads are
 * abandoned.
 */
export class AssemblerTimeout extends Error {
  constructor(readonly seconds: number) {
    super(`no answer for ${seconds} s`)
  }
}

export class AssemblerPool {
  readonly #context: CudaContext
  readonly #answers = new Int32Array(new SharedArrayBuffer(8))
  readonly #workers: WorkerState[] = []
  readonly #running = new Map<number, Assembly>()
  #nextId = 0
  #idle: NodeJS.Timeout | null = null

  constructor(
    context: CudaContext,
    /** Maximum number of concurrent workers. */
    readonly width = Math.min(maxWorkers, availableParallelism()),
  ) {
    this.#context = context
  }

  /** Starts assembling on the worker with the least to do; never blocks. */
  start(request: LinkRequest): Assembly {
    this.#receive()
    if (this.#idle !== null) clearTimeout(this.#idle)
    const state = this.#leastBusyWorker()
    const id = this.#nextId++
    const assembly = new Assembly()
    this.#running.set(id, assembly)
    state.pending.set(id, request.ptx.length)
    state.port.postMessage({ ...request, id } satisfies Request)
    return assembly
  }

  /** Blocks this thread until all are done. Null when no worker can start here. Throws AssemblerTimeout. */
  finish(assemblies: readonly Assembly[]): readonly LinkAnswer[] | null {
    const seconds = compileSeconds()
    while (assemblies.some(({ answer }) => answer === null)) {
      const seen = Atomics.load(this.#answers, 0)
      if (this.#receive()) continue
      if (Atomics.wait(this.#answers, 0, seen, seconds * 1000) !== 'timed-out') continue
      this.#abandon()
      if (Atomics.load(this.#answers, 1) === 0) return null
      throw new AssemblerTimeout(seconds)
    }
    return assemblies.map(({ answer }) => answer!)
  }

  /** As `finish`, without blocking. */
  async finishAsync(assemblies: readonly Assembly[]): Promise<readonly LinkAnswer[]> {
    for (const { port } of this.#workers) port.ref()
    return this.#withTimeout(Promise.all(assemblies.map(assembly => assembly.settled())))
  }

  /** Rejects when no worker has answered for the time limit; the workers are then abandoned. */
  async #withTimeout<R>(work: Promise<R>): Promise<R> {
    const seconds = compileSeconds()
    let timer: NodeJS.Timeout | undefined
    const timeout = new Promise<never>((_, reject) => {
      const watch = (seen: number): void => {
        timer = setTimeout(() => {
          const now = Atomics.load(this.#answers, 0)
          if (now !== seen) return watch(now)
          this.#abandon()
          reject(new AssemblerTimeout(seconds))
        }, seconds * 1000)
      }
      watch(Atomics.load(this.#answers, 0))
    })
    try {
      return await Promise.race([work, timeout])
    } finally {
      clearTimeout(timer)
    }
  }

  /** Abandons workers that are inside the driver, which cannot be interrupted; later requests get new ones. */
  #abandon(): void {
    this.#running.clear()
    for (const { worker, port } of this.#workers.splice(0)) {
      port.close() // it ends by itself when it comes back; `terminate` would have the process wait for that
      endWithout(worker)
    }
  }

  /** The worker with the least text pending, or a new one if all are busy and the limit allows it. */
  #leastBusyWorker(): WorkerState {
    const load = ({ pending }: WorkerState): number => [...pending.values()].reduce((sum, bytes) => sum + bytes, 0)
    const free = this.#workers.reduce<WorkerState | null>(
      (best, state) => (best === null || load(state) < load(best) ? state : best),
      null,
    )
    if (free !== null && (free.pending.size === 0 || this.#workers.length >= this.width)) return free
    return this.#startWorker()
  }

  #startWorker(): WorkerState {
    const { port1, port2 } = new MessageChannel()
    const setup: Setup = {
      koffi: createRequire(import.meta.url).resolve('koffi'),
      stackSizes,
      library: this.#context.driver.path,
      context: this.#context.handle,
      port: port2,
      answers: this.#answers,
    }
    const worker = new Worker(workerText, {
      eval: true,
      execArgv: [],
      name: `tegula-assembler-${this.#workers.length}`,
      transferList: [port2],
      workerData: setup,
    })
    const state: WorkerState = { worker, port: port1, pending: new Map() }
    worker.unref()
    port1.on('message', (answer: Answer) => this.#take(answer))
    port1.unref()
    this.#workers.push(state)
    return state
  }

  #receive(): boolean {
    let any = false
    for (const { port } of this.#workers) {
      for (let got = receiveMessageOnPort(port); got !== undefined; got = receiveMessageOnPort(port)) {
        this.#take(got.message as Answer)
        any = true
      }
    }
    return any
  }

  #take({ id, ...answer }: Answer): void {
    for (const state of this.#workers) state.pending.delete(id)
    this.#running.get(id)?.end(answer)
    this.#running.delete(id)
    this.#endWhenIdle()
  }

  /** Ends idle workers after a while; they do not keep the process alive. */
  #endWhenIdle(): void {
    if (this.#running.size > 0) return
    for (const { port } of this.#workers) port.unref()
    if (this.#idle !== null) clearTimeout(this.#idle)
    this.#idle = setTimeout(() => {
      for (const { worker, port } of this.#workers.splice(0)) {
        port.close()
        void worker.terminate()
      }
    }, idleMs)
    this.#idle.unref()
  }
}

/** Workers that may never end. */
const stuck = new Set<Worker>()

/** At exit, node waits for the threads of all workers; for one that is stuck, the process kills itself instead. */
function endWithout(worker: Worker): void {
  if (stuck.size === 0) process.once('exit', endNow)
  stuck.add(worker)
  worker.once('exit', () => {
    stuck.delete(worker)
    if (stuck.size === 0) process.off('exit', endNow)
  })
}

function endNow(code: number): void {
  if (process.platform === 'win32') return
  const exit = koffi().load(null).func('void _exit(int code)') as (code: number) => void
  exit(Number(process.exitCode ?? code))
}

type Require = (name: string) => unknown
type Linker = typeof link

/** Runs in a worker; self-contained. */
function serve(require: Require, setup: Setup, run: Linker): void {
  const { library, context, port, answers } = setup
  Atomics.add(answers, 1, 1)
  type Koffi = typeof import('koffi')
  let tools: LinkTools | null = null
  const open = (): LinkTools => {
    const koffi = require(setup.koffi) as Koffi
    try {
      koffi.config(setup.stackSizes)
    } catch {
      // a library is loaded already: the sizes stay
    }
    const driver = koffi.load(library)
    const [u, p, i, s] = ['uint32_t', 'uintptr_t', 'int32_t', 'str']
    const bind = (name: string, types: string[]) => driver.func(name, 'int', types) as (...values: unknown[]) => number
    const setCurrent = bind('cuCtxSetCurrent', [p])
    const result = setCurrent(context)
    if (result !== 0) throw new Error(`cuCtxSetCurrent: ${result}`)
    return {
      cuLinkCreate: bind('cuLinkCreate_v2', [u, p, p, p]),
      cuLinkAddData: bind('cuLinkAddData_v2', [p, i, p, p, s, u, p, p]),
      cuLinkComplete: bind('cuLinkComplete', [p, p, p]),
      cuLinkDestroy: bind('cuLinkDestroy', [p]),
      addressOf: buffer => Number(koffi.address(buffer)),
      bytesAt: (address, bytes) => koffi.decode(BigInt(address), 'uint8_t', bytes) as Uint8Array,
    }
  }
  port.on('message', ({ id, ...request }: Request) => {
    let answer: LinkAnswer
    try {
      tools ??= open()
      answer = run(tools, request)
    } catch (error) {
      answer = { result: -1, cubin: null, info: '', error: String(error) }
    }
    port.postMessage({ id, ...answer })
    Atomics.add(answers, 0, 1)
    Atomics.notify(answers, 0)
  })
}

/** `__name` is a helper that some TypeScript loaders wrap functions in. */
const workerText = `'use strict'
const __name = value => value
const link = ${link.toString()}
const serve = ${serve.toString()}
serve(require, require('node:worker_threads').workerData, link)
`

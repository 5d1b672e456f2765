/**
 * Samples from worker threads. A thread imports the module that makes the data set and gets samples from it; they come back as
 * plain values, so a thread needs nothing of this library. Batches are made on the main thread.
 */
import { Worker } from 'node:worker_threads'
import { describeAny } from '../base/describe.js'
import { ArgumentError, TegulaError } from '../base/errors.js'
import type { Dataset } from './dataset.js'

/** A sample that a worker thread could not give; `cause` is what was thrown there. */
export class DataError extends TegulaError {}

/** How a thread makes a data set: it calls an export of a module. */
interface Recipe {
  readonly module: string
  readonly name: string
  readonly args: unknown
}

/** What `workerDataset` takes besides the module. */
export interface WorkerDatasetOptions {
  /** The export that makes the data set; 'default' by default. */
  readonly name?: string | undefined
  /** What the export is called with: anything that `structuredClone` copies. */
  readonly args?: unknown
}

const recipes = new WeakMap<object, Recipe>()

/**
 * A data set that worker threads can make too: an export of a module, a function that gives one. Its samples must be numbers,
 * texts, typed arrays, and objects and arrays of them.
 *
 * @param module an absolute URL: `new URL('./images.js', import.meta.url)`
 * @param options `name`: the export, 'default' by default; `args`: what it is called with
 * @returns the data set, made on this thread
 * @throws ArgumentError when the export gives no data set; what the module throws
 * @example const images = await workerDataset<Image>(new URL('./images.js', import.meta.url), { args: 'train' })
 */
export async function workerDataset<T>(
  module: string | URL,
  { name = 'default', args }: WorkerDatasetOptions = {},
): Promise<Dataset<T>> {
  const href = String(module)
  const made: unknown = await ((await import(href)) as Readonly<Record<string, (args: unknown) => unknown>>)[name]?.(
    args,
  )
  if (typeof made !== 'object' || made === null || !('get' in made) || !('length' in made))
    throw new ArgumentError(`workerDataset: the export ${name} of ${href} gives ${describeAny(made)}`, {
      fix: 'export a function that gives an object with `length` and `get(index)`',
    })
  recipes.set(made, { module: href, name, args })
  return made as Dataset<T>
}

/** How threads make this data set. Throws ArgumentError when they can't. */
export function recipeOf(dataset: object): Recipe {
  const known = recipes.get(dataset)
  if (known !== undefined) return known
  throw new ArgumentError('DataLoader: worker threads cannot make this data set', {
    fix: "make it by `await workerDataset(new URL('./data.js', import.meta.url))`: threads import that module",
  })
}

interface Answer {
  readonly id: number
  readonly samples?: readonly unknown[]
  readonly error?: Error
}

interface Waiting {
  readonly resolve: (samples: readonly unknown[]) => void
  readonly reject: (error: unknown) => void
}

interface Thread {
  readonly worker: Worker
  readonly waiting: Map<number, Waiting>
}

/** The threads' program. Typed arrays are copied, since sending one would take its memory from the data set. */
const program = `
const { parentPort, workerData } = require('node:worker_threads')
const made = import(workerData.module).then(module => module[workerData.name](workerData.args))
made.catch(() => {})
// slice() of a Buffer shares its memory.
const sliceOf = Object.getPrototypeOf(Uint8Array.prototype).slice
function plain(value, transfers) {
  if (ArrayBuffer.isView(value) && !(value instanceof DataView)) {
    const copy = Reflect.apply(sliceOf, value, [])
    transfers.push(copy.buffer)
    return copy
  }
  if (Array.isArray(value)) return value.map(one => plain(one, transfers))
  if (typeof value !== 'object' || value === null) return value
  const prototype = Object.getPrototypeOf(value)
  if (prototype !== null && prototype !== Object.prototype)
    throw new TypeError('a sample holds a ' + (value.constructor?.name ?? 'object') + ': threads send numbers, texts, typed arrays, and objects and arrays of them')
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, plain(one, transfers)]))
}
parentPort.on('message', async ({ id, indices }) => {
  try {
    const dataset = await made
    const transfers = []
    const samples = []
    for (const index of indices) samples.push(plain(await dataset.get(index), transfers))
    parentPort.postMessage({ id, samples }, transfers)
  } catch (thrown) {
    const error = thrown instanceof Error ? thrown : new Error(String(thrown))
    parentPort.postMessage({ id, error: Object.assign(new Error(error.message), { name: error.name, stack: error.stack }) })
  }
})
`

/** Threads that get samples, started when they are first needed. */
export class WorkerPool<T> {
  readonly #threads: Thread[] = []
  #next = 0

  constructor(
    readonly recipe: Recipe,
    readonly count: number,
  ) {}

  /** The samples of these numbers. Throws DataError. */
  async get(indices: readonly number[]): Promise<readonly T[]> {
    const id = this.#next++
    const { worker, waiting } = this.#thread(id % this.count)
    const samples = await new Promise<readonly unknown[]>((resolve, reject) => {
      waiting.set(id, { resolve, reject })
      worker.ref()
      worker.postMessage({ id, indices })
    })
    return samples as readonly T[] // the recipe's data set has samples of this type
  }

  async close(): Promise<void> {
    const threads = this.#threads.splice(0)
    await Promise.all(threads.map(({ worker }) => worker.terminate()))
  }

  #thread(at: number): Thread {
    const known = this.#threads[at]
    if (known !== undefined) return known
    const worker = new Worker(program, { eval: true, workerData: this.recipe })
    const thread: Thread = { worker, waiting: new Map() }
    worker.on('message', (answer: Answer) => answered(thread, answer))
    const ended = (cause: unknown): void => {
      if (this.#threads[at] === thread) delete this.#threads[at]
      for (const { reject } of thread.waiting.values()) reject(failed('a worker thread ended', cause))
      thread.waiting.clear()
    }
    worker.on('error', ended)
    worker.on('exit', code => ended(new Error(`exit code ${code}`)))
    this.#threads[at] = thread
    return thread
  }
}

function answered({ worker, waiting }: Thread, { id, samples, error }: Answer): void {
  const asked = waiting.get(id)
  waiting.delete(id)
  // Threads that nobody waits for do not keep the process alive.
  if (waiting.size === 0) worker.unref()
  if (samples !== undefined) asked?.resolve(samples)
  else asked?.reject(failed(`a worker thread could not get a sample: ${error?.name}: ${error?.message}`, error))
}

const failed = (what: string, cause: unknown): DataError =>
  new DataError(what, { cause, at: null, fix: 'its `cause` says where: get the sample on the main thread to debug it' })

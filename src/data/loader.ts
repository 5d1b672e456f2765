/** Batches of a data set: in order or shuffled, ahead of their use if asked, by worker threads if asked. */
import { describeAny } from '../base/describe.js'
import { ArgumentError } from '../base/errors.js'
import { checkOptionsObject } from '../base/options.js'
import type { DeviceName } from '../tensor/device.js'
import { defaultGenerator } from '../tensor/generator.js'
import { Tensor } from '../tensor/tensor.js'
import { type Collated, collate } from './collate.js'
import { checkSeed, type Dataset, present } from './dataset.js'
import { shuffled } from './random.js'
import { recipeOf, WorkerPool } from './workers.js'

/** Samples one after another, as often as one asks for them: an array or a class with an iterator, not a generator. */
export type IterableDataset<T> = Iterable<T> | AsyncIterable<T>

/** Options of `DataLoader`. */
export interface DataLoaderOptions<T, B = Collated<T>> {
  /** Samples per batch; 1 by default. */
  readonly batchSize?: number | undefined
  /** A new random order at each iteration. Default false. */
  readonly shuffle?: boolean | undefined
  /** Decides the orders of `shuffle`, together with the number of the epoch. Default: drawn from the default generator. */
  readonly seed?: number | undefined
  /** Leaves out the last batch if it is smaller. Default false. */
  readonly dropLast?: boolean | undefined
  /** Makes a batch of samples; `collate` by default. */
  readonly collate?: ((samples: readonly T[]) => B) | undefined
  /** The numbers of the samples, in order; asked for anew at each iteration. Excludes `shuffle`. */
  readonly sampler?: Iterable<number> | undefined
  /** Worker threads that get samples. Needs a data set of `workerDataset`. 0 by default. */
  readonly workers?: number | undefined
  /** With workers or an asynchronous data set: batches that are got ahead; 2 per worker by default. */
  readonly prefetch?: number | undefined
  /** Where batches are moved to. Default: they stay where they are. */
  readonly device?: DeviceName | undefined
}

/** Where a loader is, as plain numbers. */
export interface DataLoaderState {
  /** Of the orders of `shuffle`. */
  readonly seed: number
  /** The iteration that the next batch belongs to. */
  readonly epoch: number
  /** How many batches of it were given. */
  readonly batches: number
  /** Samples per batch. */
  readonly batch_size: number
  /** Samples of the data set; null where it is iterable. */
  readonly samples: number | null
}

interface Place {
  readonly epoch: number
  batches: number
}

const optionNames: readonly (keyof DataLoaderOptions<unknown>)[] = [
  ...(['batchSize', 'shuffle', 'seed', 'dropLast', 'collate', 'sampler', 'workers', 'prefetch', 'device'] as const),
]

/**
 * Batches of a data set. `for (const batch of loader)`, or `for await` where samples come from worker threads or promises.
 *
 * @example for (const { x, y } of new DataLoader(digits(), { batchSize: 64, shuffle: true })) step(x, y)
 */
export class DataLoader<T, B = Collated<T>> {
  readonly #dataset: Dataset<T> | IterableDataset<T>
  readonly #options: DataLoaderOptions<T, B>
  readonly #batchSize: number
  #seed: number
  readonly #pool: WorkerPool<T> | null
  /** Where the next iteration begins. */
  #next: Place = { epoch: 0, batches: 0 }
  /** Where the iteration that was begun last is; null once it gave all batches. */
  #current: Place | null = null

  /** @throws ArgumentError for options out of range, or that exclude each other */
  constructor(dataset: Dataset<T> | IterableDataset<T>, options: DataLoaderOptions<T, B> = {}) {
    checkOptions(dataset, options)
    this.#dataset = dataset
    this.#options = { ...options }
    this.#batchSize = options.batchSize ?? 1
    this.#seed = options.seed ?? drawnSeed()
    this.#pool = (options.workers ?? 0) > 0 ? new WorkerPool(recipeOf(dataset), options.workers!) : null
  }

  /** How many batches. Throws ArgumentError where that is not known: for an iterable data set. */
  get length(): number {
    const count = this.#options.sampler === undefined ? this.#mapped.length : [...this.#options.sampler].length
    const batches = count / this.#batchSize
    return this.#options.dropLast ? Math.floor(batches) : Math.ceil(batches)
  }

  /** How many iterations were begun; set it to continue a training. It decides the next order of `shuffle`. */
  get epoch(): number {
    return this.#next.epoch
  }

  set epoch(epoch: number) {
    requireInteger('epoch', epoch, 0)
    this.#startAt({ epoch, batches: 0 })
  }

  /** Where it is, as plain numbers: after the batch that was given last, in the middle of an epoch too. */
  stateDict(): DataLoaderState {
    const { epoch, batches } = this.#current ?? this.#next
    const dataset = this.#dataset
    const samples = isMapped(dataset) ? dataset.length : null
    return { seed: this.#seed, epoch, batches, batch_size: this.#batchSize, samples }
  }

  /**
   * Has the next iteration go on where the loader of `state` was: it gives the batches that were left of that epoch. A data set
   * with `get` is not asked for the others; one that is only iterable is iterated past them, and so is a `sampler`.
   *
   * @throws ArgumentError for what `stateDict()` did not give, and the state of other samples or another batch size; then nothing
   *   has changed
   */
  loadStateDict(state: DataLoaderState): void {
    const own = this.stateDict()
    const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 0
    if (!isCount(state?.seed) || !isCount(state.epoch) || !isCount(state.batches))
      throw new ArgumentError(`DataLoader: the state is ${describeAny(state)}`, { fix: 'pass what stateDict() gave' })
    if (state.batch_size !== own.batch_size || state.samples !== own.samples)
      throw new ArgumentError(
        `DataLoader: the state is of ${state.samples} samples in batches of ${state.batch_size}, the loader has ${own.samples} in batches of ${own.batch_size}`,
        { fix: 'load the state of the same data set and batch size' },
      )
    this.#seed = state.seed
    this.#startAt({ epoch: state.epoch, batches: state.batches })
  }

  /** The batches in order. Throws ArgumentError where they need `for await`. */
  *[Symbol.iterator](): Generator<B, void, undefined> {
    const place = this.#begin()
    for (const batch of this.#batches(place)) {
      place.batches++
      yield batch
    }
    this.#end(place)
  }

  /** The batches in order, got ahead of their use. Ending the loop early drops those. */
  async *[Symbol.asyncIterator](): AsyncGenerator<B, void, undefined> {
    const place = this.#begin()
    for await (const batch of this.#batchesAhead(place)) {
      place.batches++
      yield batch
    }
    this.#end(place)
  }

  /** Ends the worker threads; a later iteration starts new ones. They do not keep the process alive while they wait. */
  async close(): Promise<void> {
    await this.#pool?.close()
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  #startAt(place: Place): void {
    this.#next = place
    this.#current = null
  }

  #begin(): Place {
    const place = { ...this.#next }
    this.#next = { epoch: place.epoch + 1, batches: 0 }
    this.#current = place
    return place
  }

  #end(place: Place): void {
    if (this.#current === place) this.#current = null
  }

  *#batches({ epoch, batches: skipped }: Place): Generator<B, void, undefined> {
    if (this.#pool !== null)
      throw new ArgumentError('DataLoader: batches of worker threads are asynchronous', { fix: 'use `for await`' })
    const dataset = this.#dataset
    if (!isMapped(dataset)) {
      if (!(Symbol.iterator in dataset))
        throw new ArgumentError('DataLoader: the data set is asynchronous', { fix: 'use `for await`' })
      for (const samples of this.#batched(dataset, skipped)) yield this.#finished(samples)
      return
    }
    for (const indices of this.#batched(this.#order(epoch), skipped)) {
      const whole = this.#wholeBatch(dataset, indices)
      yield whole ?? this.#finished(indices.map(index => present('DataLoader', dataset.get(index))))
    }
  }

  async *#batchesAhead({ epoch, batches: skipped }: Place): AsyncGenerator<B, void, undefined> {
    const dataset = this.#dataset
    if (!isMapped(dataset)) {
      for await (const samples of this.#batchedAsync(dataset, skipped)) yield this.#finished(samples)
      return
    }
    const got = (indices: readonly number[]): Promise<B> => this.#get(dataset, indices)
    const { workers = 0, prefetch = 2 * Math.max(1, workers) } = this.#options
    yield* ahead(this.#batched(this.#order(epoch), skipped), got, prefetch)
  }

  async #get(dataset: Dataset<T>, indices: readonly number[]): Promise<B> {
    if (this.#pool !== null) return this.#finished(await this.#pool.get(indices))
    const whole = this.#wholeBatch(dataset, indices)
    return whole ?? this.#finished(await Promise.all(indices.map(index => dataset.get(index))))
  }

  /** The numbers of the samples of an epoch. */
  #order(epoch: number): Iterable<number> {
    const { sampler, shuffle } = this.#options
    if (sampler !== undefined) return sampler
    const { length } = this.#mapped
    return shuffle ? shuffled(length, this.#seed, epoch) : Array.from({ length }, (_, i) => i)
  }

  #wholeBatch(dataset: Dataset<T>, indices: readonly number[]): B | null {
    if (dataset.getBatch === undefined || this.#options.collate !== undefined) return null
    return this.#moved(dataset.getBatch(indices) as B) // without a `collate`, B is Collated<T>
  }

  #finished(samples: readonly T[]): B {
    const made = this.#options.collate ?? (collate as (samples: readonly T[]) => B) // B is Collated<T> then
    return this.#moved(made(samples))
  }

  #moved(batch: B): B {
    const { device } = this.#options
    return device === undefined ? batch : (moved(batch, device) as B) // the same form
  }

  /** `skipped`: how many batches are passed over. */
  *#batched<V>(values: Iterable<V>, skipped: number): Generator<readonly V[], void, undefined> {
    let [batch, left]: [V[], number] = [[], skipped]
    for (const value of values) {
      if (batch.push(value) < this.#batchSize) continue
      if (left-- <= 0) yield batch
      batch = []
    }
    if (batch.length > 0 && left <= 0 && !this.#options.dropLast) yield batch
  }

  async *#batchedAsync(values: IterableDataset<T>, skipped: number): AsyncGenerator<readonly T[], void, undefined> {
    let [batch, left]: [T[], number] = [[], skipped]
    for await (const value of values) {
      if (batch.push(value) < this.#batchSize) continue
      if (left-- <= 0) yield batch
      batch = []
    }
    if (batch.length > 0 && left <= 0 && !this.#options.dropLast) yield batch
  }

  get #mapped(): Dataset<T> {
    const dataset = this.#dataset
    if (isMapped(dataset)) return dataset
    throw new ArgumentError('DataLoader: an iterable data set does not say how many samples it has', {
      fix: 'count its batches, or give it `length` and `get`',
    })
  }
}

/** Results in order, of which so many are asked for ahead. */
async function* ahead<I, R>(
  items: Iterable<I>,
  get: (item: I) => Promise<R>,
  count: number,
): AsyncGenerator<R, void, undefined> {
  const pending: Promise<R>[] = []
  const iterator = items[Symbol.iterator]()
  let isOver = false
  const ask = (): void => {
    if (isOver) return
    const result = next()
    if (result === null) return
    result.catch(() => {}) // reported when its turn comes
    pending.push(result)
  }
  const next = (): Promise<R> | null => {
    try {
      const { done, value } = iterator.next()
      isOver = done === true
      return isOver ? null : get(value as I)
    } catch (error) {
      isOver = true
      return Promise.reject(error)
    }
  }
  try {
    for (let i = 0; i <= count; i++) ask()
    while (pending.length > 0) {
      yield await pending.shift()!
      ask()
    }
  } finally {
    iterator.return?.()
  }
}

const isMapped = <T>(dataset: Dataset<T> | IterableDataset<T>): dataset is Dataset<T> =>
  'get' in dataset && typeof dataset.get === 'function'

function moved(value: unknown, device: DeviceName): unknown {
  if (value instanceof Tensor) return value.to(device)
  if (Array.isArray(value)) return value.map(one => moved(one, device))
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, moved(one, device)]))
}

/** From the default generator, so that `manualSeed` decides it. */
function drawnSeed(): number {
  const { seed, offset } = defaultGenerator.take(1)
  return Number(BigInt.asUintN(53, seed * 0x9e3779b97f4a7c15n + offset))
}

function requireInteger(name: string, value: unknown, least: number): void {
  if (Number.isSafeInteger(value) && (value as number) >= least) return
  throw new ArgumentError(`DataLoader: ${name} is ${describeAny(value)}`, {
    fix: `give an integer of at least ${least}`,
  })
}

function checkOptions<T, B>(dataset: unknown, options: DataLoaderOptions<T, B>): void {
  checkOptionsObject('DataLoader', options, optionNames)
  const { batchSize = 1, shuffle = false, seed = 0, dropLast = false, sampler, workers = 0, prefetch = 0 } = options
  requireInteger('batchSize', batchSize, 1)
  requireInteger('workers', workers, 0)
  requireInteger('prefetch', prefetch, 0)
  checkSeed('DataLoader', seed)
  for (const [name, value] of Object.entries({ shuffle, dropLast }))
    if (typeof value !== 'boolean')
      throw new ArgumentError(`DataLoader: ${name} is ${describeAny(value)}`, { fix: 'give true or false' })
  const isObject = typeof dataset === 'object' && dataset !== null
  const isIterable = isObject && (Symbol.iterator in dataset || Symbol.asyncIterator in dataset)
  const hasSamples = isObject && 'get' in dataset && 'length' in dataset
  if (!hasSamples && !isIterable)
    throw new ArgumentError(`DataLoader: the data set is ${describeAny(dataset)}`, {
      fix: 'pass an object with `length` and `get(index)`, or something that can be iterated',
    })
  if (!hasSamples && (shuffle || sampler !== undefined || workers > 0))
    throw new ArgumentError('DataLoader: an iterable data set has one order, and one thread', {
      fix: 'give it `length` and `get(index)`, or leave shuffle, sampler and workers out',
    })
  if (sampler === undefined) return
  if (shuffle) throw new ArgumentError('DataLoader: sampler and shuffle exclude each other', { fix: 'drop one' })
  if (typeof sampler !== 'object' || sampler === null || !(Symbol.iterator in sampler))
    throw new ArgumentError(`DataLoader: sampler is ${describeAny(sampler)}`, { fix: 'give a list of sample numbers' })
}

/** Data sets: samples by number, and parts and unions of data sets. */
import { describeAny } from '../base/describe.js'
import { ArgumentError, ShapeError } from '../base/errors.js'
import { checkOptionsObject } from '../base/options.js'
import { tensor } from '../tensor/host-data.js'
import { Tensor } from '../tensor/tensor.js'
import { type Collated, collate } from './collate.js'
import { shuffled } from './random.js'

/** Samples by number. `get` may be asynchronous, then the loader is too. */
export interface Dataset<T> {
  /** How many samples. */
  readonly length: number
  /** Sample `index`: numbers, typed arrays, tensors, and objects and tuples of them. */
  get(index: number): T | Promise<T>
  /** The samples of `indices` at once, collated; without it the samples are got one by one. */
  getBatch?(indices: readonly number[]): Collated<T>
}

/** Tensors of samples by name, or in a list. */
export type TensorFields = Readonly<Record<string, Tensor>> | readonly Tensor[]

/**
 * Samples along the first dim of tensors.
 *
 * @example new TensorDataset({ x: images, y: labels }).get(3) // { x: images.get(3), y: labels.get(3) }
 */
export class TensorDataset<T extends TensorFields> implements Dataset<T> {
  /** How many samples. */
  readonly length: number

  /**
   * @param tensors an object or a list of tensors of the same first size; samples and batches have the same form
   * @throws ArgumentError for no tensors; ShapeError for 0-d ones and different first sizes
   */
  constructor(readonly tensors: T) {
    const all = Object.entries(tensors as Readonly<Record<string, Tensor>>)
    const [first] = all
    if (first === undefined || !all.every(([, one]) => one instanceof Tensor))
      throw new ArgumentError(`TensorDataset: the tensors are ${describeAny(tensors)}`, {
        fix: 'pass an object or a list of tensors: { x, y }',
      })
    const stray = all.find(([, one]) => one.ndim === 0 || one.shape[0] !== first[1].shape[0])
    if (stray !== undefined)
      throw new ShapeError(
        `TensorDataset: ${first[0]} is ${first[1].describe()}, ${stray[0]} ${stray[1].describe()}: not as many samples`,
        { fix: 'samples are along the first dim of all' },
      )
    this.length = first[1].size(0)
  }

  /** Views of sample `index`; negative ones count from the end. */
  get(index: number): T {
    const at = checkIndex('TensorDataset', index, this.length)
    return this.#map(one => one.select(0, at))
  }

  /** Copies of the samples of `indices`, one kernel per tensor. */
  getBatch(indices: readonly number[]): Collated<T> {
    const rows = indices.map(index => checkIndex('TensorDataset', index, this.length))
    const devices = new Map<string, Tensor>()
    return this.#map(one => {
      const known = devices.get(one.device) ?? tensor(rows, { dtype: 'i64', device: one.device })
      devices.set(one.device, known)
      return one.indexSelect(0, known)
    }) as unknown as Collated<T> // a tensor of each field, as collating gives
  }

  #map(change: (one: Tensor) => Tensor): T {
    const { tensors } = this
    if (Array.isArray(tensors)) return tensors.map(change) as unknown as T // the form of the given one
    return Object.fromEntries(Object.entries(tensors).map(([name, one]) => [name, change(one as Tensor)])) as T
  }
}

/** Some samples of a data set, in their order. */
export class Subset<T> implements Dataset<T> {
  readonly #indices: readonly number[]

  /**
   * @param dataset whose samples
   * @param indices their numbers; negative ones count from the end
   * @throws ArgumentError for an index out of range
   */
  constructor(
    readonly dataset: Dataset<T>,
    indices: readonly number[],
  ) {
    this.#indices = indices.map(index => checkIndex('Subset', index, dataset.length))
  }

  /** How many samples. */
  get length(): number {
    return this.#indices.length
  }

  /** The numbers of the samples in the whole data set. */
  get indices(): readonly number[] {
    return [...this.#indices]
  }

  /** Sample `index` of the part. */
  get(index: number): T | Promise<T> {
    return this.dataset.get(this.#at(index))
  }

  /** A batch of the part's samples, by their `indices` in it. */
  getBatch(indices: readonly number[]): Collated<T> {
    const rows = indices.map(index => this.#at(index))
    if (this.dataset.getBatch !== undefined) return this.dataset.getBatch(rows)
    return collate(rows.map(row => present('Subset', this.dataset.get(row))))
  }

  #at(index: number): number {
    return this.#indices[checkIndex('Subset', index, this.length)]!
  }
}

/** Data sets one after another. */
export class ConcatDataset<T> implements Dataset<T> {
  /** Where each begins. */
  readonly #starts: readonly number[]
  /** How many samples all have. */
  readonly length: number

  /** @param datasets at least one, with samples of the same form */
  constructor(readonly datasets: readonly Dataset<T>[]) {
    if (datasets.length === 0) throw new ArgumentError('ConcatDataset: there are no data sets', { fix: 'pass some' })
    let next = 0
    this.#starts = datasets.map(({ length }) => {
      next += length
      return next - length
    })
    this.length = next
  }

  /** Sample `index`, counted through all; negative ones count from the end. */
  get(index: number): T | Promise<T> {
    const at = checkIndex('ConcatDataset', index, this.length)
    const found = this.#starts.findLastIndex(start => start <= at)
    return this.datasets[found]!.get(at - this.#starts[found]!)
  }
}

/** Options of `randomSplit`. */
export interface RandomSplitOptions {
  /** Decides the order; 0 by default. */
  readonly seed?: number | undefined
}

/**
 * Parts of a data set, of samples in random order, none in two.
 *
 * @param dataset whose samples
 * @param lengths how many samples each part has, or fractions of 1 in sum: the last parts then take what rounding leaves
 * @param options `seed`: decides the order, 0 by default
 * @throws ArgumentError when the lengths are not those of the data set
 */
export function randomSplit<T>(
  dataset: Dataset<T>,
  lengths: readonly number[],
  options: RandomSplitOptions = {},
): Subset<T>[] {
  checkOptionsObject('randomSplit', options, ['seed'])
  const { seed = 0 } = options
  checkSeed('randomSplit', seed)
  const counts = countsOf(dataset.length, lengths)
  const order = shuffled(dataset.length, seed, 0)
  let next = 0
  return counts.map(count => {
    next += count
    return new Subset(dataset, order.slice(next - count, next))
  })
}

function countsOf(total: number, lengths: readonly number[]): readonly number[] {
  const sum = lengths.reduce((all, length) => all + length, 0)
  const areCounts = lengths.every(length => Number.isInteger(length) && length >= 0)
  if (areCounts && sum === total) return lengths
  if (Math.abs(sum - 1) < 1e-9 && lengths.every(length => length >= 0)) {
    let ends = 0
    let last = 0
    return lengths.map((length, i) => {
      ends += length
      const end = i === lengths.length - 1 ? total : Math.floor(ends * total + 1e-9)
      const count = end - last
      last = end
      return count
    })
  }
  throw new ArgumentError(`randomSplit: lengths ${describeAny(lengths)} of ${total} samples`, {
    fix: `give lengths of ${total} in sum, or fractions of 1 in sum`,
  })
}

/** Throws ArgumentError unless `seed` is an integer of at least 0 that numbers hold exactly. */
export function checkSeed(callee: string, seed: unknown): void {
  if (Number.isSafeInteger(seed) && (seed as number) >= 0) return
  throw new ArgumentError(`${callee}: seed is ${describeAny(seed)}`, { fix: 'give an integer of at least 0' })
}

function checkIndex(callee: string, index: number, length: number): number {
  const at = index < 0 ? index + length : index
  if (Number.isInteger(at) && at >= 0 && at < length) return at
  throw new ArgumentError(`${callee}: sample ${describeAny(index)} of ${length}`, {
    fix: `samples go from 0 to ${length - 1}`,
  })
}

/** The value, where it must not be a promise. */
export function present<T>(callee: string, value: T | Promise<T>): T {
  if (!(value instanceof Promise)) return value
  throw new ArgumentError(`${callee}: the data set's get() is asynchronous`, {
    fix: 'use `for await` on a loader of the data set',
  })
}

/** Data sets, batches and loaders. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  type Collated,
  ConcatDataset,
  collate,
  DataError,
  DataLoader,
  type DataLoaderState,
  type Dataset,
  digits,
  randomSplit,
  Subset,
  TensorDataset,
  workerDataset,
} from '../../src/data/index.js'
import { ArgumentError, manualSeed, ShapeError, type Tensor, tensor, zeros } from '../../src/index.js'

beforeEach(() => void vi.stubEnv('TEGULA_BACKEND', 'interpreter'))
afterEach(() => void vi.unstubAllEnvs())

/** The numbers below `length`, one by one. */
const count = (length: number): Dataset<number> => ({ length, get: index => index })
const countSlowly = (length: number): Dataset<number> => ({
  length,
  get: async index => {
    await new Promise(resolve => setTimeout(resolve, (length - index) % 3))
    return index
  },
})

const read = (batches: Iterable<Tensor>): unknown[] => [...batches].map(batch => batch.toArray())

async function readAsync(batches: AsyncIterable<Tensor>): Promise<unknown[]> {
  const found: unknown[] = []
  for await (const batch of batches) found.push(batch.toArray())
  return found
}

const pairs = (): TensorDataset<{ x: Tensor; y: Tensor }> =>
  new TensorDataset({ x: tensor([[0, 1], [2, 3], [4, 5]]), y: tensor([10n, 11n, 12n]) }) // biome-ignore format: a row is a sample

describe('data sets', () => {
  it('of tensors give samples and batches in their form', () => {
    const set = pairs()
    expect(set.length).toBe(3)
    expect(set.get(-1).x.toArray()).toEqual([4, 5])
    const { x, y } = set.getBatch([2, 0, 2])
    expect([x.toArray(), y.toArray(), y.dtype]).toEqual([[[4, 5], [0, 1], [4, 5]], [12, 10, 12], 'i64']) // biome-ignore format: rows
    const [only] = new TensorDataset([tensor([1, 2])]).getBatch([1]) as readonly Tensor[]
    expect(only!.toArray()).toEqual([2])
  })

  it('of tensors need one first size', () => {
    expect(() => new TensorDataset({ x: zeros([3]), y: zeros([2, 3]) })).toThrow(ShapeError)
    expect(() => new TensorDataset({ x: zeros([3]), y: zeros([2, 3]) })).toThrow(/x is f32\[3\], y f32\[2, 3\]/)
    expect(() => new TensorDataset([])).toThrow(ArgumentError)
    expect(() => pairs().get(3)).toThrow(/TensorDataset: sample the number 3 of 3/)
  })

  it('have parts and unions', () => {
    const part = new Subset(count(10), [7, -1])
    expect([part.length, part.get(0), part.get(1)]).toEqual([2, 7, 9])
    expect(part.getBatch([1, 0]).toArray()).toEqual([9, 7])
    expect(new Subset(pairs(), [2, 1]).getBatch([0]).y.toArray()).toEqual([12])
    expect(() => new Subset(count(3), [3])).toThrow(/Subset: sample the number 3 of 3/)
    const union = new ConcatDataset([count(2), count(0), part])
    expect(Array.from({ length: union.length }, (_, i) => union.get(i))).toEqual([0, 1, 7, 9])
    expect(union.get(-1)).toBe(9)
    expect(() => new ConcatDataset([])).toThrow(ArgumentError)
  })

  it('are split at random, the same way for a seed', () => {
    const [a, b] = randomSplit(count(10), [7, 3], { seed: 5 })
    expect([a!.length, b!.length]).toEqual([7, 3])
    expect([...a!.indices, ...b!.indices].sort((x, y) => x - y)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
    expect(randomSplit(count(10), [7, 3], { seed: 5 })[0]!.indices).toEqual(a!.indices)
    expect(randomSplit(count(10), [7, 3], { seed: 6 })[0]!.indices).not.toEqual(a!.indices)
    expect(randomSplit(count(11), [0.5, 0.3, 0.2]).map(({ length }) => length)).toEqual([5, 3, 3])
    expect(() => randomSplit(count(10), [7, 4])).toThrow(/lengths \[7, 4\] of 10 samples/)
  })
})

describe('collate', () => {
  it('goes by the form of samples', () => {
    const sample = (i: number) => ({ a: i, b: [BigInt(i), i > 0] as const, c: Int16Array.of(i, i), d: `${i}`, e: zeros([i === 9 ? 3 : 2]) }) // biome-ignore format: one line
    const batch: Collated<ReturnType<typeof sample>> = collate([sample(0), sample(1)])
    expect([batch.a.dtype, batch.b[0].dtype, batch.b[1].dtype, batch.c.dtype]).toEqual(['f32', 'i64', 'bool', 'i16'])
    expect([batch.c.toArray(), batch.d, batch.e.shape]).toEqual([[[0, 0], [1, 1]], ['0', '1'], [2, 2]]) // biome-ignore format: rows
    expect(() => collate([sample(0), sample(9)])).toThrow(ShapeError)
  })

  it.each([
    [[], /there are no samples/],
    [[1, 'two'], /the sample is the number 1 first, then the string "two"/],
    [[{ x: 1 }, { y: 1 }], /has the fields x first, then y/],
    [[[1, 2], [1]], /has 2 elements first, then 1/],
    [[{ x: new Float32Array(2) }, { x: new Float32Array(3) }], /the sample.x is a Float32Array of 2 first/],
    [[new Map()], /the sample is an object of class Map/],
    [[null], /the sample is null/],
  ])('refuses %s', (samples, message) => {
    expect(() => collate(samples as readonly unknown[])).toThrow(ArgumentError)
    expect(() => collate(samples as readonly unknown[])).toThrow(message)
  })
})

describe('a loader', () => {
  it('gives batches in order, the last one smaller or left out', async () => {
    const loader = new DataLoader(count(5), { batchSize: 2 })
    expect(read(loader)).toEqual([[0, 1], [2, 3], [4]])
    expect(await readAsync(loader)).toEqual([[0, 1], [2, 3], [4]])
    expect(loader.length).toBe(3)
    const full = new DataLoader(count(5), { batchSize: 2, dropLast: true })
    expect(read(full)).toEqual([[0, 1], [2, 3]]) // biome-ignore format: batches
    expect(full.length).toBe(2)
    expect(read(new DataLoader(count(0)))).toEqual([])
  })

  it('goes on in the middle of an epoch, where its state was read', async () => {
    const options = { batchSize: 3, shuffle: true, seed: 5 }
    const loader = new DataLoader(count(10), options)
    read(loader)
    const [left, states]: [number[][], DataLoaderState[]] = [[], []]
    for (const batch of loader) {
      left.push(batch.toArray() as number[])
      states.push(JSON.parse(JSON.stringify(loader.stateDict())) as DataLoaderState)
    }
    const after = read(loader)
    for (const [i, state] of states.entries()) {
      const resumed = new DataLoader(count(10), { ...options, seed: 0 })
      resumed.loadStateDict(state)
      expect(resumed.stateDict()).toEqual(state)
      expect(i % 2 === 0 ? read(resumed) : await readAsync(resumed)).toEqual(left.slice(i + 1))
      expect(resumed.epoch).toBe(2)
      expect(read(resumed)).toEqual(after)
    }
  })

  it('asks only for what is left', () => {
    const asked: number[] = []
    const dataset = { length: 7, get: (index: number) => asked.push(index) }
    const loader = new DataLoader(dataset, { batchSize: 2 })
    loader.loadStateDict({ ...loader.stateDict(), batches: 2 })
    expect(read(loader)).toHaveLength(2)
    expect(asked).toEqual([4, 5, 6])
  })

  it('has a state after a loop that ended early, of data that is only iterable, and with what was got ahead', async () => {
    const slow = new DataLoader(countSlowly(20), { batchSize: 2, prefetch: 4 })
    for await (const batch of slow) if ((batch.toArray() as number[]).includes(4)) break
    expect(slow.stateDict()).toMatchObject({ epoch: 0, batches: 3 })
    slow.loadStateDict(slow.stateDict())
    expect((await readAsync(slow))[0]).toEqual([6, 7])
    const iterable = new DataLoader([1, 2, 3, 4, 5], { batchSize: 2 })
    for (const _ of iterable) break
    expect(iterable.stateDict()).toEqual({ ...iterable.stateDict(), samples: null, batches: 1 })
    iterable.loadStateDict(iterable.stateDict())
    expect(read(iterable)).toEqual([[3, 4], [5]])
    for (const _ of iterable) break
    expect(read(iterable)).toEqual([[1, 2], [3, 4], [5]]) // another loop starts anew
    for (const _ of iterable) break
    iterable.epoch = 9
    expect(iterable.stateDict()).toMatchObject({ epoch: 9, batches: 0 })
  })

  it('refuses states of other data', () => {
    const loader = new DataLoader(count(10), { batchSize: 2, seed: 3 })
    const state = loader.stateDict()
    const bad = [{ ...state, batches: -1 }, { ...state, seed: 0.5 }, {}, null, { ...state, samples: 9 }]
    for (const one of [...bad, { ...state, batch_size: 4 }]) {
      expect(() => loader.loadStateDict(one as DataLoaderState)).toThrow(ArgumentError)
      expect(loader.stateDict()).toEqual(state)
    }
    const message = 'the state is of 10 samples in batches of 4, the loader has 10 in batches of 2'
    expect(() => loader.loadStateDict({ ...state, batch_size: 4 })).toThrow(message)
  })

  it('shuffles anew in each epoch, as the seed says', () => {
    const order = (loader: DataLoader<number>): number[] => (read(loader) as number[][]).flat()
    const loader = new DataLoader(count(20), { batchSize: 3, shuffle: true, seed: 1 })
    const [first, second] = [order(loader), order(loader)]
    expect(first).not.toEqual(second)
    expect(first.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, i) => i))
    const resumed = new DataLoader(count(20), { batchSize: 3, shuffle: true, seed: 1 })
    resumed.epoch = 1
    expect(order(resumed)).toEqual(second)
    expect(resumed.epoch).toBe(2)
    const seeded = (): number[] => {
      manualSeed(3)
      return order(new DataLoader(count(20), { shuffle: true }))
    }
    expect(seeded()).toEqual(seeded())
  })

  it('every order comes up about as often', () => {
    const seen = new Map<string, number>()
    for (let seed = 0; seed < 600; seed++) {
      const order = String(
        read(
          new DataLoader(new Subset(count(3), [0, 1, 2]), {
            batchSize: 3,
            shuffle: true,
            seed,
            collate: list => tensor([...list]),
          }),
        ),
      )
      seen.set(order, (seen.get(order) ?? 0) + 1)
    }
    expect(seen.size).toBe(6)
    for (const times of seen.values()) expect(Math.abs(times - 100)).toBeLessThan(40)
  })

  it('takes a sampler, a collate, and whole batches of tensors', () => {
    expect(read(new DataLoader(count(5), { batchSize: 2, sampler: new Set([4, 1, 3]) }))).toEqual([[4, 1], [3]])
    const sums = new DataLoader(count(4), { batchSize: 2, collate: list => list.reduce((a, b) => a + b) })
    expect([...sums]).toEqual([1, 5])
    const [whole] = [...new DataLoader(pairs(), { batchSize: 3 })]
    expect(whole!.x.toArray()).toEqual([[0, 1], [2, 3], [4, 5]]) // biome-ignore format: rows
  })

  it('takes what can only be iterated', async () => {
    const loader = new DataLoader([1, 2, 3], { batchSize: 2 })
    expect(read(loader)).toEqual([[1, 2], [3]])
    expect(() => loader.length).toThrow(ArgumentError)
    const stream = {
      async *[Symbol.asyncIterator]() {
        yield* [5, 6, 7]
      },
    }
    expect(await readAsync(new DataLoader(stream, { batchSize: 2, dropLast: true }))).toEqual([[5, 6]])
    expect(() => read(new DataLoader(stream))).toThrow(/asynchronous.*use `for await`/s)
  })

  it('gets samples ahead where that takes time, in order', async () => {
    const loader = new DataLoader(countSlowly(7), { batchSize: 2, prefetch: 3 })
    expect(await readAsync(loader)).toEqual([[0, 1], [2, 3], [4, 5], [6]])
    expect(() => read(loader)).toThrow(/get\(\) is asynchronous/)
  })

  it('passes on errors of the data set when their batch is due', async () => {
    const failing: Dataset<number> = {
      length: 6,
      get: async index => {
        if (index === 3) throw new RangeError('no sample 3')
        return index
      },
    }
    const found: unknown[] = []
    const all = async (): Promise<void> => {
      for await (const batch of new DataLoader(failing, { batchSize: 2, prefetch: 5 })) found.push(batch.toArray())
    }
    await expect(all()).rejects.toThrow(RangeError)
    expect(found).toEqual([[0, 1]])
  })

  it.each([
    [{ batchSize: 0 }, /batchSize is the number 0/],
    [{ shuffle: true, sampler: [1] }, /sampler and shuffle exclude each other/],
    [{ seed: -1 }, /seed is the number -1/],
    [{ dropLast: 1 }, /dropLast is the number 1/],
    [{ batch: 1 }, /no option 'batch'/],
    [{ workers: 2 }, /worker threads cannot make this data set/],
    [{ prefetch: 0.5 }, /prefetch is the number 0.5/],
  ])('refuses %s', (options, message) => {
    expect(() => new DataLoader(count(3), options as object)).toThrow(ArgumentError)
    expect(() => new DataLoader(count(3), options as object)).toThrow(message)
  })

  it('refuses what is no data set', () => {
    expect(() => new DataLoader(3 as never)).toThrow(/the data set is the number 3/)
    expect(() => new DataLoader([1], { shuffle: true })).toThrow(/an iterable data set has one order/)
  })
})

describe('worker threads', () => {
  const module = new URL('./squares.mjs', import.meta.url)
  interface Sample {
    readonly x: Float32Array
    readonly y: bigint
    readonly table: Float32Array
    readonly name: string
  }
  const open = async (args: object, options: object): Promise<DataLoader<Sample>> =>
    new DataLoader(await workerDataset<Sample>(module, { args }), { batchSize: 3, ...options })

  it('give the batches in order, in every epoch', async () => {
    const loader = await open({ length: 10, slow: 0 }, { workers: 2 })
    for (let epoch = 0; epoch < 2; epoch++) {
      const found: Collated<Sample>[] = []
      for await (const batch of loader) found.push(batch)
      expect(found.flatMap(({ name }) => name)).toEqual(Array.from({ length: 10 }, (_, i) => `digit ${i}`))
      expect(found.at(-1)!.x.toArray()).toEqual([[9, 81]])
      expect(found[1]!.table.toArray()).toEqual([[7, 8, 9], [7, 8, 9], [7, 8, 9]]) // biome-ignore format: rows
      expect(found[0]!.y.dtype).toBe('i64')
    }
    expect(() => [...loader]).toThrow(/use `for await`/)
    await loader.close()
  })

  it('pass on errors, and go on', async () => {
    const loader = await open({ length: 6, bad: 4 }, { workers: 1 })
    const found: number[] = []
    const all = async (): Promise<void> => {
      for await (const { x } of loader) found.push(x.size(0))
    }
    await expect(all()).rejects.toThrow(DataError)
    await expect(all()).rejects.toThrow(/RangeError: sample 4 is damaged/)
    expect(found).toEqual([3, 3])
    await loader.close()
  })

  it('a loop that ends early drops what was got ahead', async () => {
    const loader = await open({ length: 100 }, { workers: 2, prefetch: 5 })
    for (let epoch = 0; epoch < 3; epoch++) {
      for await (const { name } of loader) {
        expect(name[0]).toBe('digit 0')
        break
      }
    }
    await loader.close()
  })

  it('send copies of buffers: the data set keeps its memory', async () => {
    const loader = await open({ length: 4, kind: 'buffer' }, { workers: 1, batchSize: 2 })
    for (let epoch = 0; epoch < 2; epoch++) {
      const found: unknown[] = []
      for await (const batch of loader as unknown as AsyncIterable<Tensor>) found.push(batch.toArray())
      expect(found).toEqual([[[7, 7], [7, 7]], [[7, 7], [7, 7]]]) // biome-ignore format: rows
    }
    await loader.close()
  })

  it('a sampler is closed when a loop ends early, and its error comes after the batches before it', async () => {
    const closed: string[] = []
    function* numbers(): Generator<number> {
      try {
        yield* [0, 1, 2]
        throw new RangeError('no more')
      } finally {
        closed.push('closed')
      }
    }
    const sampler = { [Symbol.iterator]: numbers }
    const loader = new DataLoader(count(9), { sampler, prefetch: 8 })
    const found: unknown[] = []
    const all = async (): Promise<void> => {
      for await (const batch of loader) found.push((batch as Tensor).toArray())
    }
    await expect(all()).rejects.toThrow('no more')
    expect(found).toEqual([[0], [1], [2]])
    for await (const _ of new DataLoader(count(9), { sampler, prefetch: 1 })) break
    expect(closed).toEqual(['closed', 'closed'])
  })

  it('that end are reported, and started again', async () => {
    const loader = await open({ length: 3, kind: 'exit' }, { workers: 1 })
    for (let i = 0; i < 2; i++)
      await expect(loader[Symbol.asyncIterator]().next()).rejects.toThrow(/a worker thread ended/)
    await loader.close()
  })

  it('refuse what they cannot send, and modules without a data set', async () => {
    const loader = await open({ kind: 'class' }, { workers: 1 })
    await expect(loader[Symbol.asyncIterator]().next()).rejects.toThrow(/a sample holds a Map/)
    await loader.close()
    await expect(workerDataset(module, { name: 'nothing' })).rejects.toThrow(
      /the export nothing of .* gives the number 3/,
    )
    await expect(workerDataset(module, { name: 'other' })).rejects.toThrow(/the export other of .* gives undefined/)
  })
})

describe('the digits', () => {
  it('are split into parts that have nothing in common', () => {
    const [train, test] = [digits(), digits({ split: 'test' })]
    expect([train.length, test.length, digits({ split: 'all' }).length]).toEqual([1198, 599, 1797])
    const { x, y } = test.tensors
    expect([x.shape, x.dtype, y.shape, y.dtype]).toEqual([[599, 1, 8, 8], 'f32', [599], 'i64'])
    expect([x.min().itemSync(), x.max().itemSync()]).toEqual([0, 1])
    expect([...test.tensors.y.dataSync('i64')].slice(0, 4)).toEqual([0n, 3n, 6n, 9n])
    expect(() => digits({ split: 'half' as never })).toThrow(/split is the string "half"/)
  })
})

/** Ops that tests/torch has no answers for, against values worked out here in plain JavaScript. */
import { describe, expect, it } from 'vitest'
import { Generator, gumbelSoftmax, type Tensor, tensor } from '../../src/index.js'
import { functional as F } from '../../src/nn/index.js'
import { useInterpreter } from '../support/reference-executor.js'
import { randomSpec } from '../support/tensor-spec.js'
import { tensorOf } from '../support/tensors.js'

useInterpreter()

const drawn = (shape: readonly number[], low = -2, high = 2): Tensor =>
  tensorOf(randomSpec(3, 'f64', shape, { low, high }))
const flat = (x: Tensor): number[] => Array.from(x.dataSync(), Number)

function expectClose(actual: Tensor, shape: readonly number[], values: readonly number[]): void {
  expect(actual.shape).toEqual(shape)
  for (const [i, value] of flat(actual).entries()) expect(value, `element ${i}`).toBeCloseTo(values[i]!, 12)
  expect(actual.numel()).toBe(values.length)
}

describe('short forms', () => {
  const x = drawn([3, 4])
  const values = flat(x)

  it('clampMin and clampMax limit one side, by numbers and tensors', () => {
    expectClose(
      x.clampMin(0.5),
      [3, 4],
      values.map(v => Math.max(v, 0.5)),
    )
    expectClose(
      x.clampMax({ max: 0.5 }),
      [3, 4],
      values.map(v => Math.min(v, 0.5)),
    )
    const limits = drawn([4])
    expectClose(
      x.clampMax(limits),
      [3, 4],
      values.map((v, i) => Math.min(v, flat(limits)[i % 4]!)),
    )
    const y = x.clone()
    expect(y.clampMin_(0)).toBe(y)
    expectClose(
      y,
      [3, 4],
      values.map(v => Math.max(v, 0)),
    )
    expect(tensor([Number.NaN, 1]).clampMin(2).toArray()).toEqual([Number.NaN, 2])
  })

  it('positive is a view of the tensor, isreal true', () => {
    const y = tensor([1, 2])
    y.positive().fill_(3)
    expect(y.toArray()).toEqual([3, 3])
    expect(x.isreal().toArray()).toEqual(Array.from({ length: 3 }, () => new Array(4).fill(true)))
  })

  it('msort sorts columns', () => {
    const columns = [0, 1, 2, 3].map(j => [0, 1, 2].map(i => values[i * 4 + j]!).sort((a, b) => a - b))
    expectClose(
      x.msort(),
      [3, 4],
      [0, 1, 2].flatMap(i => columns.map(column => column[i]!)),
    )
    expect(tensor(5).msort().toArray()).toBe(5)
  })

  it('diagflat puts all elements on a diagonal', () => {
    for (const offset of [0, 2, -1]) {
      const size = 12 + Math.abs(offset)
      const wanted = new Array<number>(size * size).fill(0)
      for (const [i, v] of values.entries()) wanted[(i + Math.max(0, -offset)) * size + i + Math.max(0, offset)] = v
      expectClose(x.diagflat(offset), [size, size], wanted)
    }
  })
})

describe('embeddingBag', () => {
  const weight = drawn([5, 3])
  const rows = Array.from({ length: 5 }, (_, i) => flat(weight).slice(3 * i, 3 * i + 3))
  const folds = {
    sum: (list: readonly number[]) => list.reduce((a, b) => a + b, 0),
    mean: (list: readonly number[]) => (list.length === 0 ? 0 : list.reduce((a, b) => a + b, 0) / list.length),
    max: (list: readonly number[]) => (list.length === 0 ? 0 : Math.max(...list)),
  }
  const modes = ['sum', 'mean', 'max'] as const
  const foldAll = (bags: readonly (readonly number[])[], mode: (typeof modes)[number]): number[] =>
    bags.flatMap(bag => [0, 1, 2].map(d => folds[mode](bag.map(i => rows[i]![d]!))))
  const integers = (list: readonly number[], shape: readonly number[] = [list.length]): Tensor =>
    tensor([...list], { dtype: 'i64' }).reshape(shape)

  for (const mode of modes)
    it(`folds rows by ${mode}`, () => {
      const indices = [4, 0, 0, 1, 2, 3]
      expectClose(F.embeddingBag(integers(indices, [2, 3]), weight, { mode }), [2, 3], foldAll([[4, 0, 0], [1, 2, 3]], mode)) // biome-ignore format: one line
      const bags = [[4, 0], [], [0, 1, 2], [3]] // biome-ignore format: one line
      const offsets = [0, 2, 2, 5]
      const vector = integers(indices)
      expectClose(F.embeddingBag(vector, weight, integers(offsets), { mode }), [4, 3], foldAll(bags, mode))
      const closed = { mode, offsets: integers([...offsets, 6]), includeLastOffset: true }
      expectClose(F.embeddingBag(vector, weight, closed), [4, 3], foldAll(bags, mode))
      const unpadded = bags.map(bag => bag.filter(i => i !== 3))
      for (const paddingIdx of [3, -2])
        expectClose(
          F.embeddingBag(vector, weight, integers(offsets), { mode, paddingIdx }),
          [4, 3],
          foldAll(unpadded, mode),
        )
    })

  it('weights rows, and scales down those with a large norm', () => {
    const factors = drawn([2, 2])
    const [a, b, c, d] = flat(factors) as [number, number, number, number]
    const bag = (i: number, p: number, j: number, q: number): number[] =>
      [0, 1, 2].map(e => p * rows[i]![e]! + q * rows[j]![e]!)
    const options = { mode: 'sum', perSampleWeights: factors } as const
    expectClose(
      F.embeddingBag(integers([1, 2, 4, 4], [2, 2]), weight, options),
      [2, 3],
      [...bag(1, a, 2, b), ...bag(4, c, 4, d)],
    )
    const norm = Math.hypot(...rows[1]!)
    const scaled = F.embeddingBag(integers([1], [1, 1]), weight, { maxNorm: norm / 2, mode: 'sum' })
    for (const [e, value] of flat(scaled).entries()) expect(value).toBeCloseTo(rows[1]![e]! / 2, 5)
  })

  it('rejects modes and arguments that do not fit', () => {
    const [vector, matrix] = [integers([0, 1]), integers([0, 1], [1, 2])]
    const bag = F.embeddingBag as (...args: readonly unknown[]) => Tensor
    expect(() => bag(vector, weight)).toThrow(
      'embeddingBag: the input is a vector, and no offsets say where its bags begin',
    )
    expect(() => bag(matrix, weight, integers([0]))).toThrow(
      'offsets beside a matrix of indices, whose rows are the bags',
    )
    expect(() => bag(matrix, weight, { perSampleWeights: drawn([1, 2]) })).toThrow("perSampleWeights with mode 'mean'")
    expect(() => bag(drawn([1, 2]), weight)).toThrow('embeddingBag: input is f64')
    expect(() => bag(integers([7], [1, 1]), weight)).toThrow(
      'embeddingBag: index 7 is out of range for the entries of size 5',
    )
  })
})

describe('lpPool', () => {
  it('returns norms of windows', () => {
    const x = drawn([2, 3, 7], 0.1, 2)
    const lines = Array.from({ length: 6 }, (_, i) => flat(x).slice(7 * i, 7 * i + 7))
    const norm = (list: readonly number[], p: number): number => list.reduce((sum, v) => sum + v ** p, 0) ** (1 / p)
    const windows = (stride: number, count: number): number[][] =>
      lines.flatMap(line => Array.from({ length: count }, (_, i) => line.slice(i * stride, i * stride + 3)))
    expectClose(
      F.lpPool1d(x, 2, 3),
      [2, 3, 2],
      windows(3, 2).map(w => norm(w, 2)),
    )
    expectClose(
      F.lpPool1d(x, 1.5, 3, 2),
      [2, 3, 3],
      windows(2, 3).map(w => norm(w, 1.5)),
    )
    // A last window that lacks elements counts as if the others' mean stood there.
    const last = windows(3, 3).map(w => norm(w, 2) * (3 / w.length) ** 0.5)
    expectClose(F.lpPool1d(x, 2, 3, { ceilMode: true }), [2, 3, 3], last)
    const image = x.reshape([1, 2, 3, 7])
    const wanted = [0, 1].flatMap(c => [0, 1].flatMap(i => [0, 3].map(j =>
      norm([i, i + 1].flatMap(r => lines[3 * c + r]!.slice(j, j + 3)), 3)))) // biome-ignore format: as it lies
    expectClose(F.lpPool2d(image, 3, [2, 3], [1, 3]), [1, 2, 2, 2], wanted)
    const volume = F.lpPool3d(image.unsqueeze(0), { normType: 3, kernelSize: [1, 2, 3], stride: [1, 1, 3] })
    expectClose(volume, [1, 1, 2, 2, 2], wanted)
    expect(() => F.lpPool1d(x, 0, 3)).toThrow('lpPool1d: normType is 0')
  })
})

describe('gumbelSoftmax', () => {
  const logits = tensor([Math.log(0.6), Math.log(0.3), Math.log(0.1)]).expand([4000, 3])

  it('sums to 1, and chooses as often as the logits say', () => {
    const soft = gumbelSoftmax(logits, { tau: 0.5, generator: new Generator(1) })
    expect(flat(soft.sum(1)).every(sum => Math.abs(sum - 1) < 1e-5)).toBe(true)
    const hard = gumbelSoftmax(logits, 0.5, true, -1, { generator: new Generator(1) })
    expect(hard.argmax(1).toArray()).toEqual(soft.argmax(1).toArray())
    expect(new Set(flat(hard))).toEqual(new Set([0, 1]))
    // Counts of 4000 draws: five standard deviations of a binomial.
    for (const [i, p] of [0.6, 0.3, 0.1].entries())
      expect(Math.abs(flat(hard.sum(0))[i]! - 4000 * p)).toBeLessThan(5 * Math.sqrt(4000 * p * (1 - p)))
    expect(() => gumbelSoftmax(logits, 0)).toThrow('gumbelSoftmax: tau is 0')
    expect(() => gumbelSoftmax(tensor([1n]))).toThrow('needs floats')
  })
})

describe('indexPut', () => {
  const [x, rows, columns] = [tensor([[1, 2], [3, 4]]), tensor([0n, -1n]), tensor([1n, 1n])] // biome-ignore format: one line

  it('writes in place under indices and masks', () => {
    const y = x.clone()
    expect(y.indexPut_([rows, columns], tensor([5, 6]))).toBe(y)
    expect(y.toArray()).toEqual([[1, 5], [3, 6]]) // biome-ignore format: one line
    expect(y.indexPut_([y.gt(4)], 0).toArray()).toEqual([[1, 0], [3, 0]]) // biome-ignore format: one line
    expect(y.indexPut([tensor([0n, 0n])], 1, true).toArray()).toEqual([[3, 2], [3, 0]]) // biome-ignore format: one line
  })

  it('reports what is wrong with an index', () => {
    const put = x.indexPut.bind(x) as (...args: readonly unknown[]) => unknown
    expect(() => put(rows, 1)).toThrow('put it into a list: [x]')
    expect(() => put([], 1)).toThrow('indexPut: the list of indices is empty')
    expect(() => put([x], 1)).toThrow('indexPut: the index is f32')
    expect(() => put([tensor([9n])], 1)).toThrow('indexPut: index 9 is out of range for dim 0 of size 2')
    expect(() => put([rows, rows, rows], 1)).toThrow('indexPut: 3 indices for [2, 2] of 2 dims')
    expect(() => put([rows], rows)).toThrow('indexPut: self is f32, the source i64')
    expect(() => put([rows], tensor([1, 2, 3]))).toThrow(
      'indexPut: values [3] do not broadcast to the positions [2, 2]',
    )
    expect(() => put([tensor([true])], 1)).toThrow('indexPut: the mask bool[1] does not cover dims of f32[2, 2]')
  })
})

/** What a server that runs for weeks keeps of ever new shapes, constants and sources: a bounded number. */

import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { computeDevice } from '../../src/backends/index.js'
import { EagerExecutor } from '../../src/compile/eager.js'
import { recordTable } from '../../src/graph/ops/index.js'
import { pickRecords } from '../../src/graph/ops/picking.js'
import {
  arange,
  compile,
  getFloat32MatmulPrecision,
  ones,
  setFloat32MatmulPrecision,
  type Tensor,
} from '../../src/index.js'

// The interpreter compiles in a millisecond, through the same maps.
beforeAll(() => {
  vi.stubEnv('TEGULA_BACKEND', 'interpreter')
})
afterAll(() => {
  vi.unstubAllEnvs()
})

it('eager kernels for attributes that do not recur are forgotten', () => {
  const executor = new EagerExecutor(computeDevice('cpu'), { limit: 8 })
  const x = ones([8])
  for (let i = 0; i < 50; i++) {
    // Shifts are part of the kernel: each has one of its own.
    const shift = { dims: [0], shifts: [i] }
    const [rolled] = executor.run(recordTable.roll, [x], shift as never)
    expect(rolled!.toArray()).toEqual(x.toArray())
    expect(executor.kernels).toBeLessThanOrEqual(16)
  }
})

it('large inputs have kernels for the exact sizes of narrow dims, for the first 32 of a structure', () => {
  const executor = new EagerExecutor(computeDevice('cpu'), { exactFrom: 12 })
  const sum = (x: Tensor): unknown =>
    executor.run(recordTable.sum, [x], { dims: [1], keepdim: false } as never)[0]!.toArray()
  const matrix = (rows: number, columns: number): Tensor =>
    arange(rows * columns, { dtype: 'f32' }).reshape([rows, columns])
  const kernels = (run: () => void): number => {
    const before = executor.kernels
    run()
    return executor.kernels - before
  }
  const rows = (n: number): readonly number[] => Array.from({ length: n }, (_, i) => 16 * i + 6)
  for (const [rowsOf, made] of [
    [3, 1],
    [3, 0],
    [5, 1],
    [2, 1],
    [2, 0],
  ] as const) {
    // Two rows are below the limit: they use the kernel for any sizes.
    expect([rowsOf, kernels(() => expect(sum(matrix(rowsOf, 4))).toEqual(rows(rowsOf)))]).toEqual([rowsOf, made])
  }
  const transposed = matrix(4, 3).t()
  expect(kernels(() => expect(sum(transposed)).toEqual([18, 22, 26]))).toBe(1)
  // Of the same sizes, but other strides.
  expect(kernels(() => expect(sum(matrix(3, 8).narrow(1, 0, 4))).toEqual([6, 38, 70]))).toBe(1)
  expect(kernels(() => expect(sum(matrix(3, 9).narrow(1, 0, 4))).toEqual([6, 42, 78]))).toBe(1)
  const sums = (from: number, to: number): number =>
    kernels(() => rangeOf(from, to).forEach(n => void expect(sum(matrix(n, 4))).toEqual(rows(n))))
  expect(sums(6, 33)).toBe(27)
  expect(sums(33, 60)).toBe(1)
  expect(kernels(() => rangeOf(6, 20).forEach(n => void sum(matrix(n, 5))))).toBe(2)
  expect(sum(matrix(3, 4))).toEqual(rows(3))
})

it('small inputs have kernels for their exact sizes once calls alike have been repeated', () => {
  const executor = new EagerExecutor(computeDevice('cpu'), { exactAfter: 3 })
  const made = (x: Tensor): number => {
    const before = executor.kernels
    const [result] = executor.run(recordTable.sum, [x], { dims: [1], keepdim: false } as never)
    expect(result!.toArray()).toEqual([3, 12])
    return executor.kernels - before
  }
  const [dense, other] = [arange(6, { dtype: 'f32' }).reshape([2, 3]), arange(6, { dtype: 'f32' }).reshape([2, 3])]
  expect([dense, other, dense, other, dense, other, dense, dense].map(made)).toEqual([1, 0, 0, 0, 1, 0, 0, 0])
  const wide = arange(12, { dtype: 'f32' }).reshape([2, 6]).mul(2).sub(3)
  expect(executor.run(recordTable.sum, [wide], { dims: [1], keepdim: false } as never)[0]!.toArray()).toEqual([12, 84])
})

const rangeOf = (from: number, to: number): readonly number[] => Array.from({ length: to - from }, (_, i) => from + i)

it('large tensors are written by kernels for their exact sizes', () => {
  const executor = new EagerExecutor(computeDevice('cpu'), { exactFrom: 12 })
  for (const [rows, columns] of [
    [3, 4],
    [4, 3],
    [3, 4],
  ] as const) {
    const target = arange(2 * rows * columns, { dtype: 'f32' }).reshape([rows, 2 * columns])
    const left = target.narrow(1, 0, columns)
    executor.runInto(recordTable.neg, [left], {}, [left])
    executor.assign(target.narrow(1, columns, columns), ones([rows, columns]))
    const row = (i: number): readonly number[] => [
      ...Array.from({ length: columns }, (_, j) => -(2 * columns * i + j)),
      ...new Array<number>(columns).fill(1),
    ]
    expect(target.toArray()).toEqual(Array.from({ length: rows }, (_, i) => row(i)))
  }
  expect(executor.kernels).toBe(4)
})

it('what is created in large is made by a kernel, not on the host', () => {
  const executor = new EagerExecutor(computeDevice('cpu'))
  const made = (name: 'eye' | 'randperm', attrs: object): number => {
    const inputs = name === 'eye' ? [] : [1n, 0n]
    const before = executor.kernels
    const [result] = executor.run(recordTable[name], inputs, { dtype: 'i64', ...attrs } as never)
    expect(Number(result!.sum().toArray())).toBe(name === 'eye' ? 100 : 12_497_500)
    return executor.kernels - before
  }
  expect(made('eye', { rows: 100, columns: 100 })).toBe(1)
  expect(made('randperm', { n: 5000 })).toBe(1)
})

describe('what is created in small is made on the host', () => {
  const ranges = (): { readonly range: (n: number) => unknown; readonly executor: EagerExecutor } => {
    const executor = new EagerExecutor(computeDevice('cpu'))
    const range = (n: number): unknown =>
      executor.run(recordTable.arange, [], { start: 0, step: 1, length: n, dtype: 'i64' } as never)[0]!.toArray()
    return { range, executor }
  }

  it('the first 32 times', () => {
    const { range, executor } = ranges()
    for (let n = 0; n < 40; n++) {
      expect(range(n)).toEqual(rangeOf(0, n))
      expect(executor.kernels).toBe(n < 32 ? 0 : 1)
    }
  })

  it('up to 4096 elements', () => {
    const { range, executor } = ranges()
    for (const [n, kernels] of [
      [1000, 0],
      [3000, 0],
      [100, 1],
      [96, 0],
    ] as const) {
      const before = executor.kernels
      expect(range(n)).toEqual(rangeOf(0, n))
      expect([n, executor.kernels - before]).toEqual([n, kernels])
    }
  })
})

it('kernels that write into given tensors are for one precision of matmuls', () => {
  const device = computeDevice('cpu')
  const rounding = new Proxy(device, {
    get: (target, name) => (name === 'roundsMatmuls' ? true : Reflect.get(target, name, target)),
  })
  const executor = new EagerExecutor(rounding)
  const [a, b, into] = [ones([2, 3]), ones([3, 2]), ones([2, 2])]
  const kernelsAfter = (precision: 'highest' | 'high'): number => {
    setFloat32MatmulPrecision(precision)
    executor.runInto(recordTable.matmul, [a, b], {}, [into])
    expect(into.toArray()).toEqual([
      [3, 3],
      [3, 3],
    ])
    return executor.kernels
  }
  const before = getFloat32MatmulPrecision()
  try {
    expect((['highest', 'highest', 'high', 'highest', 'high'] as const).map(kernelsAfter)).toEqual([1, 1, 2, 2, 2])
  } finally {
    setFloat32MatmulPrecision(before)
  }
})

it('sizes that are counted in data share a kernel', () => {
  const picks = new EagerExecutor(computeDevice('cpu'))
  for (const count of [7, 3, 0, 1, 10]) {
    const x = arange(10).lt(count)
    const [counts] = picks.run(recordTable.cumsum, [x], { dim: 0 } as never)
    const [found] = picks.run(pickRecords.pickIndices, [x, counts!], { count } as never)
    expect(found!.toArray()).toEqual(rangeOf(0, count).map(i => [i]))
    const repeats = arange(3).add(count)
    const outputSize = 3 * count + 3
    const attrs = { repeats: null, dim: 0, outputSize, ofIndices: false }
    const [repeated] = picks.run(recordTable.repeatInterleave, [arange(3), repeats], attrs as never)
    expect(repeated!.toArray()).toEqual([0, 1, 2].flatMap(i => new Array<number>(count + i).fill(i)))
    expect(picks.kernels).toBe(3)
  }
})

describe('a compiled function', () => {
  it('reports its last 32 recompiles and counts all', () => {
    const f = compile((x: Tensor, name: string) => x.mul(name.length), { recompileLimit: 2 })
    for (let n = 0; n < 50; n++) f(ones([2]), `name ${n}`)
    const { recompiles, recompileCount, entries, compiles } = f.stats()
    expect([recompileCount, recompiles.length, entries, compiles]).toEqual([49, 32, 2, 50])
    expect(recompiles.at(-1)).toMatch(/48.*49/)
  })
})

/** Kernels of several kinds, for tests of the code around kernels. */
import { cdiv, f32, i64, kernel, view } from '../../src/kernel.js'

/** out = x · factor: writes all elements, reads none that it writes. */
export const scale = kernel({
  name: 'scale',
  params: { x: view(f32, 1), out: view(f32, 1), factor: f32 },
  constants: { BLOCK: 4 },
  grid: ({ out }, { BLOCK }) => [cdiv(out.size(0), BLOCK)],
  body(t, { x, out, factor }, { BLOCK }) {
    const start = t.programId(0).mul(BLOCK)
    t.store(out, [start], t.load(x, [start], [BLOCK]).mul(factor))
  },
})

/** acc += x: reads the elements that it writes. */
export const accumulate = kernel({
  name: 'accumulate',
  params: { x: view(f32, 1), acc: view(f32, 1) },
  constants: { BLOCK: 4 },
  grid: ({ acc }, { BLOCK }) => [cdiv(acc.size(0), BLOCK)],
  body(t, { x, acc }, { BLOCK }) {
    const start = t.programId(0).mul(BLOCK)
    t.store(acc, [start], t.load(acc, [start], [BLOCK]).add(t.load(x, [start], [BLOCK])))
  },
})

/** out[even] = x[even]: writes only some elements. */
export const evens = kernel({
  name: 'evens',
  params: { x: view(f32, 1), out: view(f32, 1) },
  grid: ({ out }) => [cdiv(out.size(0), 2)],
  body(t, { x, out }) {
    const at = t.programId(0).mul(2)
    t.store(out, [at], t.load(x, [at], [1]))
  },
})

/** Sum and difference: two results. */
export const sumAndDifference = kernel({
  name: 'sum_and_difference',
  params: { a: view(f32, 2), b: view(f32, 2), sum: view(f32, 2), difference: view(f32, 2) },
  constants: { ROWS: 2, COLUMNS: 4 },
  grid: ({ a }, { ROWS, COLUMNS }) => [cdiv(a.size(0), ROWS), cdiv(a.size(1), COLUMNS)],
  body(t, { a, b, sum, difference }, { ROWS, COLUMNS }) {
    const at = [t.programId(0).mul(ROWS), t.programId(1).mul(COLUMNS)]
    const [x, y] = [t.load(a, at, [ROWS, COLUMNS]), t.load(b, at, [ROWS, COLUMNS])]
    t.store(sum, at, x.add(y))
    t.store(difference, at, x.sub(y))
  },
})

/** Each row's sum, one row per program. */
export const rowSums = kernel({
  name: 'row_sums',
  params: { x: view(f32, 2), out: view(f32, 1) },
  constants: { BLOCK: 4 },
  grid: ({ x }) => [x.size(0)],
  body(t, { x, out }, { BLOCK }) {
    const row = t.programId(0)
    const { sum } = t.range(0, x.size(1), BLOCK, { sum: t.zeros([1, 1], f32) }, (column, { sum }) => ({
      sum: sum.add(t.load(x, [row, column], [1, BLOCK]).sum(1, { keepdim: true })),
    }))
    t.store(out, [row], sum.reshape([1]))
  },
})

/** One program per block of a matrix, on one grid axis. */
export const negateFlat = kernel({
  name: 'negate_flat',
  params: { x: view(f32, 2), out: view(f32, 2) },
  constants: { BLOCK: 4 },
  grid: ({ x }, { BLOCK }) => [cdiv(x.size(0), BLOCK) * cdiv(x.size(1), BLOCK)],
  body(t, { x, out }, { BLOCK }) {
    const columns = t.cdiv(x.size(1), BLOCK)
    const at = [t.programId(0).floorDiv(columns).mul(BLOCK), t.programId(0).mod(columns).mul(BLOCK)]
    t.store(out, at, t.load(x, at, [BLOCK, BLOCK]).neg())
  },
})

/** A grid that cannot be expressed by `cdiv`. */
export const clampedGrid = kernel({
  name: 'clamped_grid',
  params: { x: view(f32, 1), out: view(f32, 1) },
  grid: ({ x }) => [Math.min(x.size(0), 3)],
  body(t, { x, out }) {
    const at = t.programId(0)
    t.store(out, [at], t.load(x, [at], [1]).add(1))
  },
})

/** counts[i] += 1, atomically. */
export const count = kernel({
  name: 'count',
  params: { index: view(i64, 1), counts: view(i64, 1) },
  grid: ({ index }) => [index.size(0)],
  body(t, { index, counts }) {
    const at = t.load(index, [t.programId(0)], [1])
    t.atomicAdd(counts, [at], t.full([1], 1, i64))
  },
})

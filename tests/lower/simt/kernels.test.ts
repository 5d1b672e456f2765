import { describe, it } from 'vitest'
import { buildKernel, view } from '../../../src/tile/kernel.js'
import type { TileBuilder, ViewValue } from '../../../src/tile/language.js'
import { addReluMul, layerNorm, softmaxRow } from '../../tile/kernels.js'
import { floats, zeros } from '../../tile/support.js'
import { checkBlocks } from '../blocks.js'
import { over, staticDims, unitDims } from '../support.js'

describe('example kernels on blocks of threads', () => {
  it('add, clip and scale any length', () => {
    for (const n of [0, 1, 63, 64, 65, 200]) {
      const [x, bias, out] = [over(floats(n, 1), [n]), over(floats(n, 2), [n]), over(zeros(n), [n])]
      for (const dims of [staticDims, unitDims]) {
        const program = buildKernel(addReluMul, { BLOCK: 64 }, { x: dims(x), bias: dims(bias), out: dims(out) })
        checkBlocks(program, [x, bias, out, 2.5], [Math.ceil(n / 64)])
      }
      checkBlocks(buildKernel(addReluMul, { BLOCK: 64 }), [x, bias, out, 2.5], [Math.ceil(n / 64)])
    }
  })

  it('take a softmax per row', () => {
    for (const columns of [1, 16, 77, 128]) {
      const [x, out] = [over(floats(5 * columns), [5, columns]), over(zeros(5 * columns), [5, columns])]
      for (const dims of [staticDims, unitDims]) {
        checkBlocks(buildKernel(softmaxRow, {}, { x: dims(x), out: dims(out) }), [x, out], [5], { tolerance: 1e-6 })
      }
    }
  })

  it('normalise rows in blocks', () => {
    for (const columns of [70, 64]) {
      const [x, out] = [over(floats(3 * columns), [3, columns]), over(zeros(3 * columns), [3, columns])]
      const [weight, bias] = [over(floats(columns, 5), [columns]), over(floats(columns, 6), [columns])]
      for (const dims of [staticDims, unitDims]) {
        const program = buildKernel(
          layerNorm,
          {},
          { x: dims(x), weight: dims(weight), bias: dims(bias), out: dims(out) },
        )
        checkBlocks(program, [x, weight, bias, out, 1e-5], [3], { tolerance: 1e-5 })
      }
    }
  })

  it('scan long rows and columns, over lanes, warps and registers', () => {
    for (const [rows, columns] of [
      [1, 2000],
      [3, 300],
      [300, 5],
    ] as const) {
      const ints = Int32Array.from({ length: rows * columns }, (_, i) => ((i * 37) % 101) - 50)
      const x = over(ints, [rows, columns])
      const out = () => over(new Int32Array(rows * columns), [rows, columns])
      const args = { x, a: out(), b: out(), c: out() }
      const definition = {
        name: 'scans',
        params: { x: view('i32', 2), a: view('i32', 2), b: view('i32', 2), c: view('i32', 2) },
        grid: () => [1],
        body(t: TileBuilder, { x, a, b, c }: Record<'x' | 'a' | 'b' | 'c', ViewValue>) {
          const axis = columns > rows ? 1 : 0
          const tile = t.load(x, [0, 0], [rows, columns])
          t.store(a, [0, 0], tile.cumsum(axis))
          t.store(b, [0, 0], tile.cumsum(axis, { reverse: true }))
          t.store(c, [0, 0], tile.cummax(axis).add(tile.cumsum(axis)))
        },
      }
      const program = buildKernel(definition, {}, { x: staticDims(x), a: staticDims(x) })
      const variants = [1, 4, 8].map(warps => ({ warps, known: warps > 1 }))
      checkBlocks(program, [args.x, args.a, args.b, args.c], [1], { variants })
    }
  })

  it('find first extremes over lanes and warps', () => {
    const [rows, columns] = [2, 1500]
    const data = Float32Array.from({ length: rows * columns }, (_, i) => (i * 7919) % 97)
    data[columns + 700] = Number.NaN
    data[columns + 900] = Number.NaN
    const x = over(data, [rows, columns])
    const outs = [0, 1].map(() => over(new BigInt64Array(rows), [rows]))
    const definition = {
      name: 'extremes',
      params: { x: view('f32', 2), a: view('i64', 1), b: view('i64', 1) },
      grid: () => [1],
      body(t: TileBuilder, { x, a, b }: Record<'x' | 'a' | 'b', ViewValue>) {
        const tile = t.load(x, [0, 0], [rows, columns])
        t.store(a, [0], tile.argmax(1))
        t.store(b, [0], tile.argmin(1))
      },
    }
    const variants = [1, 4, 8].map(warps => ({ warps, known: true }))
    checkBlocks(buildKernel(definition, {}, { x: staticDims(x) }), [x, ...outs], [1], { variants })
  })

  it('fold several axes at once, with padding along each', () => {
    const shape = [3, 40, 5] as const
    const ints = Int32Array.from({ length: 600 }, (_, i) => ((i * 37) % 101) - 50)
    const x = over(ints, shape)
    const outs = [1, 3, 5].map(size => over(new Int32Array(size), [size]))
    const definition = {
      name: 'folds',
      params: { x: view('i32', 3), all: view('i32', 1), outer: view('i32', 1), inner: view('i32', 1) },
      grid: () => [1],
      body(t: TileBuilder, { x, all, outer, inner }: Record<'x' | 'all' | 'outer' | 'inner', ViewValue>) {
        const tile = t.load(x, [0, 0, 0], shape)
        t.store(all, [0], tile.sum(2).sum(0).sum())
        t.store(outer, [0], tile.amin(2).amin(1))
        t.store(inner, [0], tile.amax(0).amax(0))
      },
    }
    const program = buildKernel(definition, {}, { x: staticDims(x) })
    checkBlocks(program, [x, ...outs], [1], { variants: [1, 4, 8].map(warps => ({ warps, known: warps > 1 })) })
  })
})

import { describe, expect, it } from 'vitest'
import { orderKeys } from '../../src/kernels/order.js'
import { philoxUniform as drawTiles, philoxRuns } from '../../src/kernels/philox.js'
import { insertRow } from '../../src/kernels/topk.js'
import { drawsPerBlock, philoxUniform } from '../../src/scalar/philox.js'
import { interpret } from '../../src/tile/interpret.js'
import { buildKernel, view } from '../../src/tile/kernel.js'
import type { TileBuilder, TileValue } from '../../src/tile/language.js'

const special = [
  3,
  Number.NaN,
  -0,
  0,
  Number.NEGATIVE_INFINITY,
  7,
  7,
  -2.5,
  Number.POSITIVE_INFINITY,
  7,
  Number.NaN,
  1e-40,
]

/** PyTorch's order: NaN largest, equal values by index. */
function expectedOrder(values: readonly number[], largest: boolean): number[] {
  const rank = (x: number): number => (Number.isNaN(x) ? Number.POSITIVE_INFINITY : x)
  const compare = (a: number, b: number): number => {
    const [x, y] = [values[a]!, values[b]!]
    if (Number.isNaN(x) !== Number.isNaN(y)) return Number.isNaN(x) ? 1 : -1
    return rank(x) === rank(y) ? 0 : rank(x) - rank(y)
  }
  return [...values.keys()].sort((a, b) => (largest ? -compare(a, b) : compare(a, b)) || a - b)
}

const memory = (data: Float32Array | BigInt64Array | Int32Array, sizes: readonly number[]) => ({
  data,
  offset: 0,
  sizes,
  strides: sizes.map((_, d) => sizes.slice(d + 1).reduce((a, b) => a * b, 1)),
})

const inserted = (k: number, largest: boolean, tile: number) =>
  buildKernel({
    name: 'topk',
    params: { x: view('f32', 1), out: view('i64', 1) },
    grid: () => [1],
    body: (t, { x, out }) => {
      const keys = (start: TileValue) => orderKeys(t, t.load(x, [start], [tile]), 'f32', largest)
      const from = t.const(0n, 'i64')
      t.store(out, [0], insertRow(t, { dtype: 'f32', k, from, to: x.size(0), tile, keys }).index)
    },
  })

describe('insertRow', () => {
  for (const largest of [true, false]) {
    for (const tile of [4, 16]) {
      for (const k of [1, 2, 5, special.length]) {
        it(`finds the ${k} ${largest ? 'largest' : 'smallest'} in tiles of ${tile}`, () => {
          const out = new BigInt64Array(k)
          const x = memory(Float32Array.from(special), [special.length])
          interpret(inserted(k, largest, tile), [x, memory(out, [k])], [1])
          expect([...out].map(Number)).toEqual(expectedOrder(special, largest).slice(0, k))
        })
      }
    }
  }
})

describe('philox tiles', () => {
  for (const dtype of ['f32', 'f64'] as const) {
    const [seed, offset] = [-123456789012345n, 0xfffffffen]
    const drawn = (draw: (t: TileBuilder, seed: TileValue, offset: TileValue) => TileValue): number[] => {
      const program = buildKernel({
        name: 'draw',
        params: { out: view(dtype, 1), seed: 'i64', offset: 'i64' },
        grid: () => [1],
        body: (t, given) => t.store(given.out, [0], draw(t, given.seed, given.offset)),
      })
      const data = dtype === 'f32' ? new Float32Array(16) : new Float64Array(16)
      interpret(program, [{ data, offset: 0, sizes: [16], strides: [1] }, seed, offset], [1])
      return [...data]
    }
    const expected = (from: number): number[] =>
      Array.from({ length: 16 }, (_, i) => philoxUniform(dtype, seed, offset, from + i))

    it(`draws the ${dtype} uniforms of the scalar definition`, () => {
      expect(drawn((t, key, first) => drawTiles(key, first, t.iota(16).add(3), dtype))).toEqual(expected(3))
    })

    it(`draws the ${dtype} uniforms of whole blocks`, () => {
      const blocks = 16 / drawsPerBlock[dtype]
      expect(drawn((t, key, first) => philoxRuns(t, key, first, t.iota(blocks).add(2), dtype))).toEqual(
        expected(2 * drawsPerBlock[dtype]),
      )
    })
  }
})

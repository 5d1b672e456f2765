/** Dots on the matrix unit: every orientation of the operands, sizes that divide nothing, operands that are computed. */
import { describe, expect, it } from 'vitest'
import { nodesOf } from '../../../src/ir/walk.js'
import { lowerSimt } from '../../../src/lower/simt/lower.js'
import { buildKernel, view } from '../../../src/tile/kernel.js'
import type { TileBuilder, TileValue, ViewValue } from '../../../src/tile/language.js'
import type { TensorDtype } from '../../../src/types/dtype.js'
import { toBf16, toF16 } from '../../../src/types/float16.js'
import type { StoredArray } from '../../../src/types/memory.js'
import { floats } from '../../tile/support.js'
import { type BlockVariant, checkBlocks, factsOf, target, withWarps } from '../blocks.js'
import { over, staticDims, unitDims } from '../support.js'

const stored = (dtype: TensorDtype, count: number, seed: number): StoredArray => {
  const values = floats(count, seed)
  switch (dtype) {
    case 'f16':
      return Uint16Array.from(values, toF16)
    case 'bf16':
      return Uint16Array.from(values, toBf16)
    case 'i8':
      return Int8Array.from(values, x => Math.round(x * 40))
    default:
      return Uint8Array.from(values, x => Math.round(Math.abs(x) * 40))
  }
}

interface Case {
  readonly dtype: TensorDtype
  /** Sizes of the matrices and of the tiles. */
  readonly size: readonly [m: number, n: number, k: number]
  readonly tile: readonly [m: number, n: number, k: number]
  readonly turnA?: boolean
  readonly turnB?: boolean
  readonly variants: readonly BlockVariant[]
  readonly prologue?: (t: TileBuilder, tile: TileValue) => TileValue
  readonly open?: boolean
}

function matmul({ dtype, size, tile, turnA = false, turnB = false, prologue, open }: Case) {
  const [m, n, k] = size
  const [bm, bn, bk] = tile
  const isInteger = dtype === 'i8' || dtype === 'u8'
  const wide = isInteger ? 'i32' : 'f32'
  const args = {
    a: over(stored(dtype, m * k, 1), turnA ? [k, m] : [m, k]),
    b: over(stored(dtype, k * n, 2), turnB ? [n, k] : [k, n]),
    c: over(isInteger ? new Int32Array(m * n) : new Float32Array(m * n), [m, n]),
  }
  const grid = [Math.ceil(m / bm), Math.ceil(n / bn)]
  const block = (
    t: TileBuilder,
    of: ViewValue,
    at: [TileValue, TileValue],
    shape: [number, number],
    turned: boolean,
  ) => {
    const loaded = turned ? t.load(of, [at[1], at[0]], [shape[1], shape[0]]).transpose() : t.load(of, at, shape)
    return prologue === undefined ? loaded.to(wide) : prologue(t, loaded)
  }
  const definition = {
    name: 'matmul',
    params: { a: view(dtype, 2), b: view(dtype, 2), c: view(wide, 2) },
    grid: () => grid,
    body(t: TileBuilder, { a, b, c }: { a: ViewValue; b: ViewValue; c: ViewValue }) {
      const [row, column] = [t.programId(0).mul(bm), t.programId(1).mul(bn)]
      const { acc } = t.range(0, a.size(turnA ? 0 : 1), bk, { acc: t.zeros([bm, bn], wide) }, (step, { acc }) => ({
        acc: t.dot(block(t, a, [row, step], [bm, bk], turnA), block(t, b, [step, column], [bk, bn], turnB), acc),
      }))
      t.store(c, [row, column], acc)
    },
  }
  const dims = open ? unitDims : staticDims
  const program = buildKernel(definition, {}, { a: dims(args.a), b: dims(args.b), c: dims(args.c) })
  return { program, args: [args.a, args.b, args.c], grid }
}

function check(given: Case): void {
  const { program, args, grid } = matmul(given)
  for (const { warps, known } of given.variants) {
    if (!known) continue
    const ops = [...nodesOf(lowerSimt(withWarps(program, warps), target, factsOf(program, args)).body)].map(n => n.op)
    expect(ops).toContain('mma')
  }
  checkBlocks(program, args, grid, { tolerance: 1e-5, variants: given.variants })
}

const four = [{ warps: 4, known: true }]

describe('dots on the matrix unit', () => {
  it('multiply in every orientation', () => {
    for (const [turnA, turnB] of [
      [false, false],
      [true, false],
      [false, true],
      [true, true],
    ] as const) {
      check({ dtype: 'bf16', size: [64, 64, 64], tile: [64, 64, 32], turnA, turnB, variants: four })
      check({ dtype: 'f16', size: [40, 24, 72], tile: [32, 16, 32], turnA, turnB, variants: four, open: true })
    }
  })

  it('multiply bytes', () => {
    for (const turnB of [false, true]) {
      check({ dtype: 'i8', size: [32, 32, 64], tile: [32, 32, 64], turnB, variants: four })
      check({ dtype: 'u8', size: [17, 20, 70], tile: [16, 16, 32], turnB, variants: [{ warps: 2, known: true }] })
    }
  })

  it('take any number of warps and any tile', () => {
    for (const warps of [1, 2, 8]) {
      check({ dtype: 'bf16', size: [32, 32, 32], tile: [32, 32, 16], variants: [{ warps, known: true }] })
      check({
        dtype: 'f16',
        size: [50, 30, 20],
        tile: [48, 24, 20],
        variants: [
          { warps, known: false },
          { warps, known: true },
        ],
      })
    }
    check({ dtype: 'bf16', size: [16, 8, 16], tile: [16, 8, 16], variants: four })
  })

  it('take few rows, or few columns, down to one', () => {
    const shapes = [
      [8, 64, 32],
      [5, 32, 48],
      [3, 16, 20],
      [2, 64, 64],
      [1, 32, 32],
      [32, 5, 32],
      [64, 4, 32],
      [16, 2, 64],
      [24, 1, 40],
    ] as const
    shapes.forEach((size, i) => {
      for (const [turnA, turnB] of [
        [false, i % 2 === 0],
        [true, i % 2 === 1],
      ] as const)
        check({ dtype: i % 2 === 0 ? 'f16' : 'bf16', size, tile: size, turnA, turnB, variants: four })
      if (size[2] >= 32)
        check({ dtype: 'i8', size, tile: [size[0], size[1], 32], variants: [{ warps: 2, known: true }] })
    })
  })

  it('take operands that are computed', () => {
    const prologue = (t: TileBuilder, tile: TileValue): TileValue => {
      const scaled = tile.to('f32').mul(2).to('bf16')
      return t.where(
        t.iota(tile.shape[1]!).lt(30).broadcastTo(tile.shape),
        scaled.to('f32'),
        t.zeros(tile.shape, 'f32'),
      )
    }
    check({ dtype: 'bf16', size: [33, 32, 32], tile: [32, 32, 32], prologue, variants: four })
    check({ dtype: 'bf16', size: [33, 32, 32], tile: [32, 32, 32], turnA: true, prologue, variants: four })
  })

  it('chain: attention keeps its queries, and its weights pass from one product to the next', () => {
    const [queries, keys, depth] = [48, 80, 32]
    const matrix = (rows: number, seed: number) => over(stored('bf16', rows * depth, seed), [rows, depth])
    const args = {
      q: matrix(queries, 1),
      k: matrix(keys, 2),
      v: matrix(keys, 3),
      out: over(new Float32Array(queries * depth), [queries, depth]),
    }
    const definition = {
      name: 'attention',
      params: { q: view('bf16', 2), k: view('bf16', 2), v: view('bf16', 2), out: view('f32', 2) },
      grid: () => [2],
      body(t: TileBuilder, { q, k, v, out }: { q: ViewValue; k: ViewValue; v: ViewValue; out: ViewValue }) {
        const row = t.programId(0).mul(32)
        const wanted = t.load(q, [row, 0], [32, depth]).to('f32')
        const start = {
          acc: t.zeros([32, depth], 'f32'),
          top: t.full([32, 1], Number.NEGATIVE_INFINITY, 'f32'),
          sum: t.zeros([32, 1], 'f32'),
        }
        const { acc, sum } = t.range(0, keys, 32, start, (step, { acc, top, sum }) => {
          const raw = t.dot(wanted, t.load(k, [step, 0], [32, depth]).to('f32').transpose())
          const inside = t.iota(32).add(step).lt(keys).broadcastTo([32, 32])
          const scores = inside.where(raw, Number.NEGATIVE_INFINITY)
          const next = top.max(scores.amax(1, { keepdim: true }))
          const weights = scores.sub(next).exp()
          const shrink = top.sub(next).exp()
          const values = t.load(v, [step, 0], [32, depth]).to('f32')
          return {
            acc: t.dot(weights.to('bf16').to('f32'), values, acc.mul(shrink)),
            top: next,
            sum: sum.mul(shrink).add(weights.sum(1, { keepdim: true })),
          }
        })
        t.store(out, [row, 0], acc.div(sum))
      },
    }
    for (const dims of [staticDims, unitDims]) {
      const shapes = { q: dims(args.q), k: dims(args.k), v: dims(args.v), out: dims(args.out) }
      const program = buildKernel(definition, {}, shapes)
      checkBlocks(program, [args.q, args.k, args.v, args.out], [2], { tolerance: 0.01 })
    }
  })

  it('take operands that are unpacked: two codes to a byte, a scale for each sixteen', () => {
    const [m, n, k] = [32, 40, 64]
    const args = {
      a: over(stored('bf16', m * k, 1), [m, k]),
      codes: over(
        Uint8Array.from({ length: (n * k) / 2 }, (_, i) => (i * 89) % 256),
        [n, k / 2],
      ),
      scales: over(stored('bf16', (n * k) / 16, 3), [n, k / 16]),
      c: over(new Float32Array(m * n), [m, n]),
    }
    const definition = {
      name: 'packed',
      params: { a: view('bf16', 2), codes: view('u8', 2), scales: view('bf16', 2), c: view('f32', 2) },
      grid: () => [1],
      body(t: TileBuilder, { a, codes, scales, c }: Record<'a' | 'codes' | 'scales' | 'c', ViewValue>) {
        const { acc } = t.range(0, k / 16, 2, { acc: t.zeros([m, 48], 'f32') }, (block, { acc }) => {
          const bytes = t
            .load(codes, [0, block.mul(8)], [48, 16])
            .transpose()
            .to('i16')
            .reshape([2, 8, 1, 48])
          const half = t.iota(2).to('i16').mul(4).reshape([2, 1])
          const code = bytes
            .broadcastTo([2, 8, 2, 48])
            .shr(half.broadcastTo([2, 8, 2, 48]))
            .and(15)
          const scale = t.load(scales, [0, block], [48, 2]).transpose().to('f32').reshape([2, 1, 1, 48])
          const right = code
            .to('f32')
            .sub(8)
            .mul(scale.broadcastTo([2, 8, 2, 48]))
            .to('bf16')
            .reshape([32, 48])
          const left = t.load(a, [0, block.mul(16)], [m, 32])
          return { acc: t.dot(left.to('f32'), right.to('f32'), acc) }
        })
        t.store(c, [0, 0], acc)
      },
    }
    const views = { a: args.a, codes: args.codes, scales: args.scales, c: args.c }
    const shapes = Object.fromEntries(Object.entries(views).map(([name, given]) => [name, staticDims(given)]))
    const program = buildKernel(definition, {}, shapes as never)
    const list = Object.values(views)
    const { body } = lowerSimt(withWarps(program, 4), target, factsOf(program, list))
    expect([...nodesOf(body)].map(node => node.op)).toContain('mma')
    checkBlocks(program, list, [1], { tolerance: 1e-5 })
  })
})

/** Dots on the matrix unit: every orientation of the operands, sizes that divide nothing, operands that are computed. */
import { describe, expect, it } from 'vitest'
import { nodesOf } from '../../../src/ir/walk.js'
import { valueType } from '../../../src/lane/ir.js'
import { lowerSimt } from '../../../src/lower/simt/lower.js'
import { type CudaTarget, cudaArchs, genericCudaTarget } from '../../../src/target/cuda.js'
import { buildKernel, view } from '../../../src/tile/kernel.js'
import type { TileBuilder, TileValue, ViewValue } from '../../../src/tile/language.js'
import { Choices } from '../../support/choices.js'
import { type BlockVariant, checkBlocks, factsOf, target, withWarps } from '../blocks.js'
import { over, staticDims } from '../support.js'
import { attention, type Case, matmul, orientations, stored } from './matmuls.js'

interface Check extends Case {
  readonly variants: readonly BlockVariant[]
  readonly on?: CudaTarget
}

const hopper = genericCudaTarget(cudaArchs.sm_90a)

function check(given: Check): void {
  const { program, args, grid } = matmul(given)
  for (const { warps, known } of given.variants) {
    if (!known) continue
    const on = given.on ?? target
    const nodes = [...nodesOf(lowerSimt(withWarps(program, warps), on, factsOf(program, args)).body)]
    const products = nodes.filter(({ op }) => op === 'mma')
    expect(products.length).toBeGreaterThan(0)
    if (given.codes === undefined) continue
    const expected = on.arch.mmaF8 ? given.codes : ['f16', 'f16']
    const taken = products[0]!.inputs.slice(0, 2).map(input => valueType(input).dtype)
    // Few rows are turned.
    expect(given.tile[0] < 16 ? taken.toReversed() : taken).toEqual(expected)
  }
  checkBlocks(program, args, grid, { tolerance: 1e-5, variants: given.variants, ...(given.on && { on: given.on }) })
}

const four = [{ warps: 4, known: true }]

describe('dots on tensor cores', () => {
  it('multiply in every orientation', () => {
    for (const [turnA, turnB] of orientations) {
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

  it('multiply f32 rounded to tf32 on request, in every orientation', () => {
    const f32 = { dtype: 'f32', precision: 'tf32' } as const
    for (const [turnA, turnB] of orientations) {
      check({ ...f32, size: [64, 64, 64], tile: [64, 64, 32], turnA, turnB, variants: four })
      check({ ...f32, size: [40, 24, 44], tile: [32, 16, 16], turnA, turnB, variants: four, open: true })
      check({ ...f32, size: [5, 32, 40], tile: [5, 32, 8], turnA, turnB, variants: [{ warps: 2, known: true }] })
      check({ ...f32, size: [16, 1, 8], tile: [16, 1, 8], turnA, turnB, variants: [{ warps: 1, known: true }] })
    }
  })

  it('multiply f64, in every orientation', () => {
    for (const [turnA, turnB] of orientations) {
      check({ dtype: 'f64', size: [64, 64, 32], tile: [64, 64, 16], turnA, turnB, variants: four })
      check({ dtype: 'f64', size: [40, 24, 44], tile: [32, 16, 16], turnA, turnB, variants: four, open: true })
      check({ dtype: 'f64', size: [5, 32, 20], tile: [5, 32, 4], turnA, turnB, variants: [{ warps: 2, known: true }] })
      check({ dtype: 'f64', size: [16, 1, 8], tile: [16, 1, 8], turnA, turnB, variants: [{ warps: 1, known: true }] })
    }
  })

  it('multiply codes of 8-bit floats where there are instructions, else their values', () => {
    const pairs = [
      ['f8e4m3', 'f8e4m3'],
      ['f8e5m2', 'f8e5m2'],
      ['f8e4m3', 'f8e5m2'],
    ] as const
    const sizes = [
      { size: [32, 64, 320], tile: [32, 64, 160] },
      { size: [17, 24, 70], tile: [32, 32, 64] },
      { size: [5, 64, 96], tile: [8, 64, 32] },
    ] as const
    pairs.forEach((codes, i) => {
      for (const each of sizes)
        check({ dtype: 'u8', codes, ...each, turnB: i !== 1, on: hopper, variants: [{ warps: 2, known: true }] })
      check({ dtype: 'u8', codes, ...sizes[1], turnB: true, variants: four })
    })
    // Not deep enough for an instruction.
    const { program, args, grid } = matmul({ dtype: 'u8', codes: pairs[2], size: [8, 8, 20], tile: [8, 8, 20] })
    checkBlocks(program, args, grid, { tolerance: 1e-5, variants: four, on: hopper })
  })

  it('multiply random sizes, tiles, dtypes and numbers of warps', () => {
    const floats = ['f8e4m3', 'f8e5m2'] as const
    for (let seed = 1; seed <= 12; seed++) {
      const choices = new Choices(seed)
      const side = (): number => choices.of([1, 2, 3, 7, 8, 12, 16, 24, 32, 48])
      const kind = choices.of(['f16', 'bf16', 'i8', 'codes', 'tf32', 'f64'] as const)
      // Tiles too small for the instructions are multiplied exactly, which the interpreter does not for tf32.
      const m = kind === 'tf32' ? Math.max(9, side()) : side()
      const [n, k] = [side(), choices.of([8, 16, 20, 32, 56, 64, 160])]
      const form =
        kind === 'codes'
          ? ({ dtype: 'u8', codes: [choices.of(floats), choices.of(floats)] } as const)
          : kind === 'tf32'
            ? ({ dtype: 'f32', precision: 'tf32' } as const)
            : ({ dtype: kind } as const)
      const sizes = {
        size: [m + choices.below(9), n + choices.below(9), k],
        tile: [m, n, choices.of([k, 32])],
      } as const
      const { program, args, grid } = matmul({ ...form, ...sizes, turnA: choices.oneIn(3), turnB: choices.oneIn(2) })
      const variants = [{ warps: choices.of([1, 2, 4]), known: choices.oneIn(2) }]
      checkBlocks(program, args, grid, { tolerance: 1e-5, variants, on: choices.oneIn(2) ? hopper : target })
    }
  })

  it('take computed operands', () => {
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

  it('chain: attention keeps its queries, and its weights pass from one dot to the next', () => {
    for (const open of [false, true]) {
      const { program, args, grid } = attention({ queries: 48, keys: 80, depth: 32, rows: 32, columns: 32, open })
      checkBlocks(program, args, grid, { tolerance: 0.01 })
    }
  })

  it('take packed operands: two codes per byte, one scale per sixteen', () => {
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

/**
 * Dots of narrow elements, packed in words: sizes about the edges of panels, blocks, tiles and words, operands in either
 * order and computed ones, sums that start from a tile, simulated and compiled: with this machine's instructions, with plain
 * loops, and with tiles emulated by loops over the instructions' definition.
 */
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { emitC, scratchBytes, symbolOf } from '../../src/codegen/c/emit.js'
import type { LaneProgram } from '../../src/lane/ir.js'
import { lowerTile } from '../../src/lower/cpu/lower.js'
import { cpuTarget } from '../../src/target/cpu.js'
import { interpret, type ViewMemory } from '../../src/tile/interpret.js'
import type { TileProgram } from '../../src/tile/ir.js'
import { buildKernel, view } from '../../src/tile/kernel.js'
import type { TileBuilder, ViewValue } from '../../src/tile/language.js'
import { bf16, f32, i8, i32 } from '../../src/types/dtype.js'
import { toBf16 } from '../../src/types/float16.js'
import { compileNative, exactFlags, noCompiler } from '../codegen/native.js'
import { Choices } from '../support/choices.js'
import {
  compareAll,
  copyOf,
  nativeArguments,
  over,
  simulateLowered,
  staticDims,
  threeSizes,
  unitDims,
} from './support.js'

const target = cpuTarget({
  ...{ arch: 'x64', model: 'test', cores: 2, l1Bytes: 32768, l2Bytes: 1 << 20, l3Bytes: 8 << 20 },
  features: ['AVX512F', 'AVX512VL', 'AVX', 'FMA', 'F16C', 'AVX512BF16', 'AVX512VNNI'],
})

const emulated = ['-D__AMX_BF16__', '-D__AMX_INT8__', '-include', join(import.meta.dirname, 'tiles.h')]
const ways = {
  'this machine': [],
  'plain loops': ['-mno-avx512vnni', '-mno-avx512bf16', '-O0'],
  'emulated tiles': emulated,
}

function runCompiled(
  lowered: LaneProgram,
  program: TileProgram,
  args: readonly ViewMemory[],
  grid: number[],
  more: readonly string[],
) {
  const library = compileNative(emitC([lowered]), [...exactFlags, ...more])
  library.kernel(symbolOf(lowered), scratchBytes(lowered))(nativeArguments(program, args), threeSizes(grid))
}

interface Case {
  readonly of: 'bf16' | 'i8'
  readonly m: number
  readonly n: number
  readonly k: number
  readonly tile: readonly [number, number, number]
  readonly turnA?: boolean
  readonly turnB?: boolean
  /** Operands are computed, such that they are not 0 outside. */
  readonly computed?: boolean
  readonly keeps?: boolean
  readonly known?: boolean
  /** Whether C is compiled and run too. */
  readonly compiled?: boolean
}

const dtypesOf = { bf16: { operand: bf16, sum: f32 }, i8: { operand: i8, sum: i32 } } as const

function check({
  of,
  m,
  n,
  k,
  tile,
  turnA = false,
  turnB = false,
  computed = false,
  keeps = false,
  known = true,
  compiled = true,
}: Case): void {
  const choices = new Choices(m * 1000 + n * 10 + k)
  const [bm, bn, bk] = tile
  const { operand, sum } = dtypesOf[of]
  // Sums of products of small integers are exact.
  const operands = (count: number) =>
    of === 'i8'
      ? Int8Array.from({ length: count }, () => choices.below(256) - 128)
      : Uint16Array.from({ length: count }, () => toBf16(choices.below(65) - 32))
  const matrix = (rows: number, columns: number, turned: boolean) =>
    over(operands(rows * columns), turned ? [columns, rows] : [rows, columns])
  const old = Array.from({ length: m * n }, () => choices.below(100) - 50)
  const args = {
    a: matrix(m, k, turnA),
    b: matrix(k, n, turnB),
    c: over(of === 'i8' ? Int32Array.from(old) : Float32Array.from(old), [m, n]),
  }
  const grid = [Math.ceil(m / bm), Math.ceil(n / bn)]
  const definition = {
    name: 'dots',
    params: { a: view(operand, 2), b: view(operand, 2), c: view(sum, 2) },
    grid: () => grid,
    body(t: TileBuilder, { a, b, c }: { a: ViewValue; b: ViewValue; c: ViewValue }) {
      const [row, column] = [t.programId(0).mul(bm), t.programId(1).mul(bn)]
      const start = keeps ? t.load(c, [row, column], [bm, bn]) : t.zeros([bm, bn], of === 'i8' ? 'i32' : 'f32')
      const { acc } = t.range(0, k, bk, { acc: start }, (step, { acc }) => {
        const left = turnA ? t.load(a, [step, row], [bk, bm]).transpose() : t.load(a, [row, step], [bm, bk])
        const right = turnB ? t.load(b, [column, step], [bn, bk]).transpose() : t.load(b, [step, column], [bk, bn])
        const inside = t.iota(bk, 'i64').add(step).lt(k)
        const more = t.where(inside.reshape([1, bk]), left.add(1), 0).to(of)
        return { acc: t.dot(computed ? more : left, computed ? right.add(2).to(of) : right, acc) }
      })
      t.store(c, [row, column], acc.add(1))
    },
  }
  const dims = known ? staticDims : unitDims
  const program = buildKernel(definition, {}, { a: dims(args.a), b: dims(args.b), c: dims(args.c) })
  const list = [args.a, args.b, args.c]
  const expected = copyOf(list)
  interpret(program, expected, grid)
  const lowered = lowerTile(program, target)
  expect(emitC([lowered])).toContain(`dot_words_${of}(`)
  const simulated = copyOf(list)
  simulateLowered(lowered, program, simulated, grid)
  compareAll(program, expected, simulated, 0, 'simulated')
  if (!compiled || noCompiler !== null || process.arch !== 'x64') return
  for (const [way, flags] of Object.entries(ways)) {
    const native = copyOf(list) as ViewMemory[]
    runCompiled(lowered, program, native, grid, flags)
    compareAll(program, expected, native, 0, way)
  }
}

const types = ['bf16', 'i8'] as const

describe.each(types)('dots of %s', of => {
  const word = of === 'bf16' ? 2 : 4
  it.each([
    [9, 31, 16 * word - 1],
    [15, 32, 16 * word],
    [16, 33, 16 * word + 1],
    [17, 16, 16 * word + word],
    [31, 63, 32 * word - 1],
    [32, 64, 32 * word + 1],
    [33, 65, 17],
  ])('m %i, n %i, k %i', (m, n, k) => {
    const odd = m % 2 === 1
    check({ of, m, n, k, tile: [m, n, 32 * word], turnA: odd, turnB: !odd, known: odd, compiled: !odd })
    check({
      of,
      m,
      n,
      k,
      tile: [32, 32, 64],
      turnA: !odd,
      turnB: !odd,
      keeps: true,
      known: !odd,
      compiled: odd,
    })
  })

  it('adds to sums over blocks of K', () => {
    check({ of, m: 40, n: 72, k: 200, tile: [24, 40, 64], compiled: false })
    check({
      of,
      m: 40,
      n: 72,
      k: 203,
      tile: [24, 40, 64],
      turnB: true,
      known: false,
      compiled: true,
    })
  })

  it('takes computed operands, zero outside', () => {
    check({ of, m: 19, n: 35, k: 3 * word + 50, tile: [32, 64, 64], computed: true, compiled: false })
    check({
      of,
      m: 19,
      n: 35,
      k: 65,
      tile: [32, 64, 64],
      computed: true,
      turnA: true,
      known: false,
      compiled: true,
    })
  })
})

describe('instructions on tiles', () => {
  it('are assembled', context => {
    context.skip(noCompiler !== null || process.arch !== 'x64', 'no compiler for x86')
    const size = { sizes: [32, 64], strides: [64, 1] }
    for (const of of types) {
      const { operand, sum } = dtypesOf[of]
      const program = buildKernel(
        {
          name: 'dots',
          params: { a: view(operand, 2), b: view(operand, 2), c: view(sum, 2) },
          grid: () => [1],
          body(t, { a, b, c }) {
            t.store(c, [0, 0], t.dot(t.load(a, [0, 0], [32, 64]), t.load(b, [0, 0], [64, 64])))
          },
        },
        {},
        { a: size, b: { sizes: [64, 64], strides: [64, 1] }, c: size },
      )
      compileNative(emitC([lowerTile(program, target)]), ['-march=sapphirerapids'])
    }
  })
})

/** Dots by warpgroups: orientations, sizes that divide nothing, loops of few and many rounds, operands from registers. */
import { describe, expect, it } from 'vitest'
import { emitPtx } from '../../../src/codegen/ptx/emit.js'
import { nodesOf } from '../../../src/ir/walk.js'
import type { LaneNode, LaneProgram } from '../../../src/lane/ir.js'
import { lowerSimt } from '../../../src/lower/simt/lower.js'
import { readAssemblerLog } from '../../../src/runtime/cuda/assembler-log.js'
import type { TileProgram } from '../../../src/tile/ir.js'
import type { TileBuilder, TileValue } from '../../../src/tile/language.js'
import { assemble, noAssembler } from '../../codegen/ptx/assemble.js'
import type { Arguments } from '../arguments.js'
import { type BlockVariant, checkBlocks, factsOf, hopper, withWarps } from '../blocks.js'
import { attention, type Case, matmul } from './matmuls.js'

const four: BlockVariant = { warps: 4, known: true }
const eight: BlockVariant = { warps: 8, known: true }

interface Made {
  readonly program: TileProgram
  readonly args: Arguments
  readonly grid: readonly number[]
}

const lower = ({ program, args }: Made, warps: number): LaneProgram =>
  lowerSimt(withWarps(program, warps), hopper, factsOf(program, args))
const nodes = ({ body }: LaneProgram, op: LaneNode['op']): LaneNode[] =>
  [...nodesOf(body)].filter(node => node.op === op)

function checkMade(made: Made, variants: readonly BlockVariant[], tolerance = 1e-5): void {
  for (const { warps } of variants) {
    const lowered = lower(made, warps)
    expect(nodes(lowered, 'wgmma').length).toBeGreaterThan(0)
    expect(nodes(lowered, 'mma')).toEqual([])
  }
  checkBlocks(made.program, made.args, made.grid, { tolerance, variants, on: hopper })
}

const check = (given: Case, ...variants: readonly BlockVariant[]): void => checkMade(matmul(given), variants)

describe('dots by warpgroups', () => {
  it('multiply in every orientation', () => {
    for (const [turnA, turnB] of [
      [false, false],
      [true, false],
      [false, true],
      [true, true],
    ] as const) {
      check({ dtype: 'bf16', size: [64, 64, 64], tile: [64, 64, 32], turnA, turnB }, four)
      check({ dtype: 'f16', size: [72, 24, 88], tile: [64, 32, 16], turnA, turnB, open: true }, eight)
    }
  })

  it('take loops of few and many rounds, tiles of several rows, rows beyond a panel', () => {
    for (const k of [16, 32, 40, 208]) check({ dtype: 'bf16', size: [64, 16, k], tile: [64, 16, 16] }, four)
    check({ dtype: 'f16', size: [128, 40, 130], tile: [128, 48, 128], turnB: true }, four, { warps: 4, known: false })
    check({ dtype: 'bf16', size: [100, 136, 48], tile: [100, 136, 48] }, eight)
    check({ dtype: 'bf16', size: [64, 8, 96], tile: [64, 8, 32], turnB: true }, { warps: 16, known: true })
  })

  it('multiply bytes', () => {
    check({ dtype: 'i8', size: [64, 32, 96], tile: [64, 32, 64], turnB: true }, four)
    check({ dtype: 'u8', size: [70, 20, 70], tile: [64, 16, 32] }, eight)
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
    check({ dtype: 'bf16', size: [65, 32, 96], tile: [64, 32, 32], prologue }, four)
    check({ dtype: 'bf16', size: [64, 32, 64], tile: [64, 32, 32], turnA: true, turnB: true, prologue }, eight)
  })

  it('chain: the weights of attention stay in registers', () => {
    const small = attention({ queries: 72, keys: 80, depth: 32, rows: 64, columns: 32 })
    checkMade(small, [four], 0.01)
    checkMade(attention({ queries: 128, keys: 48, depth: 16, rows: 128, columns: 16, open: true }), [four, eight], 0.01)
    const fromRegisters = nodes(lower(small, 4), 'wgmma').filter(node => node.op === 'wgmma' && node.attrs.a === null)
    expect(fromRegisters).toHaveLength(2)
  })

  it.skipIf(noAssembler !== null)('assemble without being serialised or spilled', { timeout: 120_000 }, () => {
    const large = { dtype: 'bf16', size: [512, 512, 512] } as const
    const made: LaneProgram[] = [
      lower(matmul({ ...large, tile: [128, 256, 64] }), 8),
      lower(matmul({ ...large, tile: [256, 128, 64], turnA: true, turnB: true }), 8),
      lower(matmul({ ...large, tile: [128, 128, 64] }), 4),
      lower(matmul({ ...large, tile: [128, 128, 64], prologue: (_, tile) => tile.to('f32').mul(2).to('bf16') }), 8),
      lower(matmul({ dtype: 'i8', size: [512, 512, 512], tile: [128, 128, 128], turnB: true }), 8),
      lower(attention({ queries: 512, keys: 512, depth: 64, rows: 128, columns: 64 }), 8),
      lower(attention({ queries: 512, keys: 512, depth: 128, rows: 128, columns: 64 }), 8),
    ]
    const programs = made.map((program, i) => ({ ...program, name: `product${i}` }))
    const { kernels, warnings } = readAssemblerLog(assemble(emitPtx(programs, hopper), hopper.arch))
    expect(warnings).toEqual([])
    expect(kernels).toHaveLength(made.length)
    for (const kernel of kernels) expect(kernel).toMatchObject({ serialized: null, spillStoreBytes: 0 })
  })
})

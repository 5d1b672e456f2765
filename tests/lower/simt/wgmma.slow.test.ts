/** Dots by warpgroups: orientations, sizes that divide nothing, loops of few and many rounds, operands from registers. */
import { describe, expect, it } from 'vitest'
import { emitPtx } from '../../../src/codegen/ptx/emit.js'
import { nodesOf } from '../../../src/ir/walk.js'
import type { LaneNode, LaneProgram } from '../../../src/lane/ir.js'
import { simulateBlocks } from '../../../src/lane/simulate-block.js'
import { lowerSimt } from '../../../src/lower/simt/lower.js'
import { readAssemblerLog } from '../../../src/runtime/cuda/assembler-log.js'
import type { TileProgram } from '../../../src/tile/ir.js'
import { buildKernel, view } from '../../../src/tile/kernel.js'
import type { TileBuilder, TileValue, ViewValue } from '../../../src/tile/language.js'
import { assemble, noAssembler } from '../../codegen/ptx/assemble.js'
import { type Arguments, laneArguments } from '../arguments.js'
import { type BlockVariant, checkBlocks, factsOf, hopper, withWarps } from '../blocks.js'
import { over, staticDims } from '../support.js'
import { attention, type Case, matmul, orientations, stored } from './matmuls.js'

const four: BlockVariant = { warps: 4, known: true }
const eight: BlockVariant = { warps: 8, known: true }

interface Made {
  readonly program: TileProgram
  readonly args: Arguments
  readonly grid: readonly number[]
}

/** Relative to the largest result: the interpreter rounds operands to the nearest value. */
const tf32Error = 2e-3

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

describe('dots with wgmma', () => {
  it('multiply in every orientation', () => {
    for (const [turnA, turnB] of orientations) {
      check({ dtype: 'bf16', size: [64, 64, 64], tile: [64, 64, 32], turnA, turnB }, four)
      check({ dtype: 'f16', size: [72, 24, 88], tile: [64, 32, 16], turnA, turnB, open: true }, eight)
    }
  })

  it('take loops with few and many iterations, tiles of several rows, rows beyond a panel', () => {
    for (const k of [16, 32, 40, 208]) check({ dtype: 'bf16', size: [64, 16, k], tile: [64, 16, 16] }, four)
    check({ dtype: 'f16', size: [128, 40, 130], tile: [128, 48, 128], turnB: true }, four, { warps: 4, known: false })
    check({ dtype: 'bf16', size: [100, 136, 48], tile: [100, 136, 48] }, eight)
    check({ dtype: 'bf16', size: [64, 8, 96], tile: [64, 8, 32], turnB: true }, { warps: 16, known: true })
  })

  it('multiply bytes', () => {
    check({ dtype: 'i8', size: [64, 32, 96], tile: [64, 32, 64], turnB: true }, four)
    check({ dtype: 'u8', size: [70, 20, 70], tile: [64, 16, 32] }, eight)
  })

  it('multiply f32 in tf32 along K, without the low bits of the operands', () => {
    const f32 = { dtype: 'f32', precision: 'tf32', turnB: true } as const
    const close = (given: Case, ...variants: readonly BlockVariant[]): void =>
      checkMade(matmul(given), variants, tf32Error)
    close({ ...f32, size: [64, 64, 96], tile: [64, 64, 32] }, four)
    close({ ...f32, size: [70, 24, 88], tile: [64, 32, 16], open: true }, eight)
    close({ ...f32, size: [128, 72, 130], tile: [128, 64, 64] }, four, { warps: 4, known: false })
    const across = lower(matmul({ ...f32, turnB: false, size: [64, 64, 64], tile: [64, 64, 32] }), 4)
    expect(nodes(across, 'wgmma')).toEqual([])
  })

  it('multiply codes of 8-bit floats, with separate partial sums', () => {
    const codes = ['f8e4m3', 'f8e5m2'] as const
    check({ dtype: 'u8', codes: [codes[0], codes[0]], size: [64, 32, 320], tile: [64, 32, 160], turnB: true }, four)
    check({ dtype: 'u8', codes, size: [70, 24, 300], tile: [64, 32, 128], turnB: true }, eight)
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
    check({ dtype: 'bf16', size: [65, 32, 96], tile: [64, 32, 32], prologue }, four)
    check({ dtype: 'bf16', size: [64, 32, 64], tile: [64, 32, 32], turnA: true, turnB: true, prologue }, eight)
  })

  it('are deferred to the next iteration, unless something reads the accumulators', () => {
    const running = (made: Made, stages?: number): number => {
      const hints = stages === undefined ? made.program.hints : { ...made.program.hints, stages }
      const lowered = lower({ ...made, program: { ...made.program, hints } }, 4)
      return nodes(lowered, 'wgmmaWait').filter(node => node.op === 'wgmmaWait' && node.attrs.pending === 1).length
    }
    const plain = matmul({ dtype: 'bf16', size: [64, 64, 256], tile: [64, 64, 32] })
    expect([running(plain), running(plain, 3), running(plain, 2)]).toEqual([1, 1, 0])
    const prologue = (_: TileBuilder, tile: TileValue): TileValue => tile.to('f32').mul(2).to('bf16')
    // What is computed for the next round takes the place of what the last one read.
    expect(running(matmul({ dtype: 'bf16', size: [64, 64, 256], tile: [64, 64, 32], prologue }))).toBe(0)
    expect(running(attention({ queries: 64, keys: 64, depth: 32, rows: 64, columns: 32 }))).toBe(0)
  })

  it('reuse the same shared memory one after another, and share operands', () => {
    const [m, n, k] = [64, 32, 160]
    const args = {
      a: over(stored('bf16', m * k, 1), [m, k]),
      b: over(stored('bf16', k * n, 2), [k, n]),
      d: over(stored('bf16', k * n, 3), [k, n]),
      c: over(new Float32Array(4 * m * n), [4, m, n]),
    }
    const definition = {
      name: 'twice',
      params: { a: view('bf16', 2), b: view('bf16', 2), d: view('bf16', 2), c: view('f32', 3) },
      grid: () => [1],
      body(t: TileBuilder, { a, b, d, c }: Record<'a' | 'b' | 'd' | 'c', ViewValue>) {
        const zeros = (): TileValue => t.zeros([m, n], 'f32')
        t.range(0, 2, 1, {}, round => {
          const { one, other } = t.range(0, k, 32, { one: zeros(), other: zeros() }, (step, { one, other }) => {
            const left = t.load(a, [0, step], [m, 32]).to('f32')
            const right = t.load(d, [step, 0], [32, n]).to('f32').mul(2).to('bf16').to('f32')
            return {
              one: t.dot(left, t.load(b, [step, 0], [32, n]).to('f32'), one),
              other: t.dot(left, right, other),
            }
          })
          t.store(c, [round.mul(2), 0, 0], one.reshape([1, m, n]))
          t.store(c, [round.mul(2).add(1), 0, 0], other.add(one).reshape([1, m, n]))
          return {}
        })
      },
    }
    const shapes = { a: staticDims(args.a), b: staticDims(args.b), c: staticDims(args.c), d: staticDims(args.d) }
    const program = buildKernel(definition, {}, shapes)
    checkMade({ program, args: [args.a, args.b, args.d, args.c], grid: [1] }, [four, eight])
  })

  it('read their operands without bank conflicts, copied or computed', () => {
    const prologue = (_: TileBuilder, tile: TileValue): TileValue => tile.to('f32').mul(2).to('bf16')
    for (const turned of [false, true]) {
      for (const computed of [{}, { prologue }]) {
        const tile = [128, 128, 64] as const
        const made = matmul({ dtype: 'bf16', size: [128, 128, 64], tile, turnA: turned, turnB: turned, ...computed })
        const memory = laneArguments(made.program, made.args)
        const { shared } = simulateBlocks(lower(made, 8), memory, [1, 1, 1], { races: false })
        expect(shared.cost).toBe(shared.ideal)
      }
    }
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
      lower(
        matmul({
          dtype: 'u8',
          codes: ['f8e4m3', 'f8e5m2'],
          size: [512, 512, 512],
          tile: [128, 128, 128],
          turnB: true,
        }),
        8,
      ),
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

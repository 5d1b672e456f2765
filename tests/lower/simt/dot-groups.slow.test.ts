/** Products of one loop that have an operand in common: what they share is brought to shared memory, and read, once. */
import { describe, expect, it } from 'vitest'
import { nodesOf } from '../../../src/ir/walk.js'
import type { LaneNode, LaneProgram } from '../../../src/lane/ir.js'
import { lowerSimt } from '../../../src/lower/simt/lower.js'
import type { CudaTarget } from '../../../src/target/cuda.js'
import { buildKernel, view } from '../../../src/tile/kernel.js'
import type { TileBuilder, TileValue, ViewValue } from '../../../src/tile/language.js'
import type { TensorDtype } from '../../../src/types/dtype.js'
import { floats } from '../../tile/support.js'
import { checkBlocks, factsOf, hopper, target, withWarps } from '../blocks.js'
import { over, staticDims } from '../support.js'
import { stored } from './matmuls.js'

interface Case {
  readonly dtype: 'f16' | 'bf16' | 'f32'
  readonly size: readonly [m: number, n: number, k: number]
  readonly tile: readonly [m: number, n: number, k: number]
  /** Which operand both products have. */
  readonly shared: 'left' | 'right'
  /** Operands are computed on the way. */
  readonly computed?: boolean
}

/** c = (x · y) · 2 + x · z, or (y · x) · 2 + z · x. */
function pair({ dtype, size: [m, n, k], tile: [bm, bn, bk], shared, computed = false }: Case) {
  const isLeft = shared === 'left'
  const matrix = (rows: number, columns: number, seed: number) => {
    const data = dtype === 'f32' ? floats(rows * columns, seed) : stored(dtype as TensorDtype, rows * columns, seed)
    return over(data as never, [rows, columns])
  }
  const [own, both] = [isLeft ? ([k, n] as const) : ([m, k] as const), isLeft ? ([m, k] as const) : ([k, n] as const)]
  const args = {
    x: matrix(...both, 1),
    y: matrix(...own, 2),
    z: matrix(...own, 3),
    c: over(new Float32Array(m * n), [m, n]),
  }
  const grid = [Math.ceil(m / bm), Math.ceil(n / bn)]
  const wide = (tile: TileValue): TileValue => (computed ? tile.to('f32').mul(0.5) : tile).to(dtype).to('f32')
  const definition = {
    name: 'pair',
    params: { x: view(dtype, 2), y: view(dtype, 2), z: view(dtype, 2), c: view('f32', 2) },
    grid: () => grid,
    body(t: TileBuilder, { x, y, z, c }: Record<'x' | 'y' | 'z' | 'c', ViewValue>) {
      const [row, column] = [t.programId(0).mul(bm), t.programId(1).mul(bn)]
      const rows = (of: ViewValue, k: TileValue): TileValue => wide(t.load(of, [row, k], [bm, bk]))
      const columns = (of: ViewValue, k: TileValue): TileValue => wide(t.load(of, [k, column], [bk, bn]))
      const zeros = t.zeros([bm, bn], 'f32')
      const { one, two } = t.range(0, k, bk, { one: zeros, two: zeros }, (k, { one, two }) => {
        const common = isLeft ? rows(x, k) : columns(x, k)
        const [first, second] = [y, z].map(of => (isLeft ? columns(of, k) : rows(of, k))) as [TileValue, TileValue]
        const dot = (own: TileValue, acc: TileValue): TileValue =>
          isLeft ? t.dot(common, own, acc) : t.dot(own, common, acc)
        return { one: dot(first, one), two: dot(second, two) }
      })
      t.store(c, [row, column], one.mul(2).add(two))
    },
  }
  const shapes = { x: staticDims(args.x), y: staticDims(args.y), z: staticDims(args.z), c: staticDims(args.c) }
  return { program: buildKernel(definition, {}, shapes), args: [args.x, args.y, args.z, args.c], grid }
}

type Made = ReturnType<typeof pair>
const lower = ({ program, args }: Made, on: CudaTarget): LaneProgram =>
  lowerSimt(withWarps(program, 4), on, factsOf(program, args))
const count = ({ body }: LaneProgram, op: LaneNode['op']): number =>
  [...nodesOf(body)].filter(node => node.op === op).length

function check(given: Case, on: CudaTarget = target): LaneProgram {
  const made = pair(given)
  checkBlocks(made.program, made.args, made.grid, { tolerance: 1e-4, variants: [{ warps: 4, known: true }], on })
  return lower(made, on)
}

describe('dots that share an operand', () => {
  const small = { size: [64, 64, 96], tile: [64, 64, 32] } as const

  it('copy and read it once', () => {
    for (const shared of ['left', 'right'] as const) {
      const lowered = check({ dtype: 'bf16', ...small, shared })
      // Each block is 64 × 32, in 16 bytes per copy and thread: two copies a block, before the loop and in it.
      const blocks = 3
      const stages = 4
      expect(count(lowered, 'asyncCopy')).toBe(2 * blocks * stages)
      // A warp multiplies 32 × 32 of each product: two loads of four fragments a side and step, two steps.
      expect(count(lowered, 'loadMatrix')).toBe(2 * 2 * blocks)
    }
  })

  it('compute it once', () => {
    for (const shared of ['left', 'right'] as const)
      for (const dtype of ['f16', 'f32'] as const) {
        const lowered = check({ dtype, size: [32, 32, 64], tile: [32, 32, 32], shared, computed: true })
        const vectors = [...nodesOf(lowered.body)].filter(
          ({ op, inputs }) => op === 'store' && inputs[0]!.op === 'shared',
        )
        const perBlock = dtype === 'f16' ? 1 : 2
        expect(vectors.length, `${shared} ${dtype}`).toBe(3 * perBlock)
      }
  })

  it('with odd sizes, few rows and few columns', () => {
    for (const shared of ['left', 'right'] as const) {
      check({ dtype: 'f16', size: [40, 24, 72], tile: [32, 16, 32], shared })
      check({ dtype: 'bf16', size: [5, 40, 40], tile: [8, 32, 16], shared })
      check({ dtype: 'f16', size: [3, 40, 50], tile: [4, 32, 32], shared, computed: true })
      check({ dtype: 'f32', size: [20, 18, 21], tile: [16, 16, 8], shared })
    }
  })

  it('run as one wgmma group', () => {
    for (const shared of ['left', 'right'] as const)
      for (const computed of [false, true]) {
        const lowered = check({ dtype: 'f16', size: [72, 40, 80], tile: [64, 32, 32], shared, computed }, hopper)
        expect(count(lowered, 'mma')).toBe(0)
        // Two steps of k for each of two products.
        expect(count(lowered, 'wgmma')).toBe(4)
        expect(count(lowered, 'wgmmaCommit')).toBe(1)
      }
  })
})

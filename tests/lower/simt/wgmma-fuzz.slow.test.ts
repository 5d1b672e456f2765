/** Dots by warpgroups in random programs: tiles, orientations, stages, loops that look at their sums or hand them on. */
import { describe, it } from 'vitest'
import { buildKernel, view } from '../../../src/tile/kernel.js'
import type { TileBuilder, TileValue, ViewValue } from '../../../src/tile/language.js'
import { Choices } from '../../support/choices.js'
import { checkBlocks, hopper } from '../blocks.js'
import { over, staticDims, unitDims } from '../support.js'
import { stored } from './matmuls.js'

const first = Number(process.env.TEGULA_FUZZ_SEED ?? 1)
const count = Number(process.env.TEGULA_FUZZ_COUNT ?? 4)

type Wide = 'f32' | 'i32'

/** How a round's product meets the sums so far. */
type Meeting = 'adds' | 'scales' | 'starts anew'

function checkSeed(seed: number): void {
  const choices = new Choices(seed)
  const dtype = choices.of(['bf16', 'f16', 'i8'] as const)
  const wide: Wide = dtype === 'i8' ? 'i32' : 'f32'
  const [bm, bn, bk] = [choices.of([64, 100, 128]), choices.of([8, 16, 24, 64]), choices.of([16, 32, 40, 64, 130])]
  const size = (tile: number): number => choices.of([tile, tile - 5, tile + 9])
  const [m, n, k] = [size(bm), size(bn), bk * choices.of([1, 2, 3, 5]) + choices.of([0, 7])]
  const [turnA, turnB] = [choices.oneIn(3), choices.oneIn(2)]
  const [computesA, computesB, isPair] = [choices.oneIn(3), choices.oneIn(3), choices.oneIn(3)]
  const meeting: Meeting = choices.of(['adds', 'adds', 'scales', 'starts anew'])
  const matrix = (rows: number, columns: number, turned: boolean, of: number) =>
    over(stored(dtype, rows * columns, of), turned ? [columns, rows] : [rows, columns])
  const args = {
    a: matrix(m, k, turnA, 1),
    b: matrix(k, n, turnB, 2),
    c: over(wide === 'i32' ? new Int32Array(m * n) : new Float32Array(m * n), [m, n]),
  }
  const grid = [Math.ceil(m / bm), Math.ceil(n / bn)]
  const load = (t: TileBuilder, of: ViewValue, at: TileValue[], shape: [number, number], turned: boolean): TileValue =>
    turned ? t.load(of, [at[1]!, at[0]!], [shape[1], shape[0]]).transpose() : t.load(of, [at[0]!, at[1]!], shape)
  const narrow = (tile: TileValue, computes: boolean): TileValue =>
    computes ? tile.to(wide).mul(2).to(dtype).to(wide) : tile.to(wide)
  const definition = {
    name: 'dots',
    params: { a: view(dtype, 2), b: view(dtype, 2), c: view(wide, 2) },
    grid: () => grid,
    body(t: TileBuilder, { a, b, c }: Record<'a' | 'b' | 'c', ViewValue>) {
      const [row, column] = [t.programId(0).mul(bm), t.programId(1).mul(bn)]
      const zeros = (): TileValue => t.zeros([bm, bn], wide)
      const { acc, other } = t.range(0, k, bk, { acc: zeros(), other: zeros() }, (step, { acc, other }) => {
        const left = narrow(load(t, a, [row, step], [bm, bk], turnA), computesA)
        const right = narrow(load(t, b, [step, column], [bk, bn], turnB), computesB)
        const before = meeting === 'adds' ? acc : meeting === 'scales' ? acc.mul(2) : zeros()
        const product = t.dot(left, right, before)
        return {
          acc: meeting === 'starts anew' ? product.add(acc) : product,
          other: isPair ? t.dot(left, right.mul(2).to(dtype).to(wide), other) : other,
        }
      })
      t.store(c, [row, column], acc.add(other))
    },
  }
  const dims = choices.of([staticDims, unitDims])
  const program = buildKernel(definition, {}, { a: dims(args.a), b: dims(args.b), c: dims(args.c) })
  const stages = choices.of([undefined, 2, 3])
  const hints = { ...program.hints, ...(stages === undefined ? {} : { stages }) }
  const variants = [{ warps: choices.of([4, 8, 16]), known: choices.oneIn(2) }]
  checkBlocks({ ...program, hints }, [args.a, args.b, args.c], grid, { tolerance: 1e-4, variants, on: hopper })
}

describe(`dots by warpgroups, seeds ${first} to ${first + count - 1}`, () => {
  it('in random programs', { timeout: 600_000 }, () => {
    for (let seed = first; seed < first + count; seed++) {
      try {
        checkSeed(seed)
      } catch (error) {
        throw new Error(`seed ${seed}: ${(error as Error).message}`, { cause: error })
      }
    }
  })
})

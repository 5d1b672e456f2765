/** Dots of random shapes, operands and bounds: every form of kernel and packing against the interpreter. */
import { describe, it } from 'vitest'
import { buildKernel, view } from '../../src/tile/kernel.js'
import type { TileBuilder, TileValue, ViewValue } from '../../src/tile/language.js'
import { i32 } from '../../src/types/dtype.js'
import { Choices } from '../support/choices.js'
import { checkProgram, over, staticDims, targets, unitDims } from './support.js'

const first = Number(process.env.TEGULA_FUZZ_SEED ?? 1)
const count = Number(process.env.TEGULA_FUZZ_COUNT ?? 40)

/** A [rows, columns] block of a view that holds it as it is or transposed. */
function block(
  t: TileBuilder,
  of: ViewValue,
  at: readonly [TileValue | number, TileValue | number],
  shape: readonly [number, number],
  turned: boolean,
) {
  return turned ? t.load(of, [at[1], at[0]], [shape[1], shape[0]]).transpose() : t.load(of, at, shape)
}

function checkSeed(seed: number): void {
  const choices = new Choices(seed)
  const size = (): number => choices.of([1, 2, 5, 8, 9, 16, 17, 33, 40])
  const [m, n, k] = [size(), size(), size()]
  const tile = (full: number): number => choices.of([full, 8, 16, 20, 48])
  const [bm, bn, bk] = [tile(m), tile(n), tile(k)]
  const [turnA, turnB] = [choices.oneIn(3), choices.oneIn(2)]
  const scaled = choices.below(3)
  const keepsAccumulator = choices.oneIn(3)
  const ints = (length: number): Int32Array => Int32Array.from({ length }, () => choices.below(9) - 4)
  const matrix = (rows: number, columns: number, turned: boolean) =>
    turned ? over(ints(rows * columns), [columns, rows]) : over(ints(rows * columns), [rows, columns])
  const args = { a: matrix(m, k, turnA), b: matrix(k, n, turnB), c: matrix(m, n, false) }
  const grid = [Math.ceil(m / bm), Math.ceil(n / bn)]
  const definition = {
    name: 'dots',
    params: { a: view(i32, 2), b: view(i32, 2), c: view(i32, 2) },
    grid: () => grid,
    body(t: TileBuilder, { a, b, c }: { a: ViewValue; b: ViewValue; c: ViewValue }) {
      const [row, column] = [t.programId(0).mul(bm), t.programId(1).mul(bn)]
      const start = keepsAccumulator ? t.load(c, [row, column], [bm, bn]) : t.zeros([bm, bn], 'i32')
      const { acc } = t.range(0, k, bk, { acc: start }, (step, { acc }) => {
        const left = block(t, a, [row, step], [bm, bk], turnA)
        const right = block(t, b, [step, column], [bk, bn], turnB)
        const old = scaled === 2 ? acc.mul(t.iota(bn, 'i32').mod(2).add(1)) : acc
        return { acc: t.dot(scaled > 0 ? left.mul(2) : left, scaled > 0 ? right.add(right.mul(2)) : right, old) }
      })
      t.store(c, [row, column], acc.add(acc.max(0)))
    },
  }
  const dims = choices.of([staticDims, unitDims])
  const program = buildKernel(definition, {}, { a: dims(args.a), b: dims(args.b), c: dims(args.c) })
  const target = targets[seed % targets.length]!
  checkProgram(program, [args.a, args.b, args.c], grid, { targets: [target], native: seed % 20 === 0 })
}

describe(`dots, seeds ${first} to ${first + count - 1}`, () => {
  it('of every shape', () => {
    for (let seed = first; seed < first + count; seed++) {
      try {
        checkSeed(seed)
      } catch (error) {
        throw new Error(`seed ${seed}: ${(error as Error).message}`, { cause: error })
      }
    }
  })
})

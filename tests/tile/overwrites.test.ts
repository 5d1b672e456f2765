/** Which launches store every element of a view and look at none. */
import { describe, expect, it } from 'vitest'
import { ceilDivSizes, mulSizes, type Size, sizeSymbol } from '../../src/scalar/size.js'
import { buildKernel, view } from '../../src/tile/kernel.js'
import type { TileBuilder, ViewValue } from '../../src/tile/language.js'
import { overwrites } from '../../src/tile/overwrites.js'
import { f32 } from '../../src/types/dtype.js'
import { accumulate, count, evens, negateFlat, rowSums, scale, sumAndDifference } from '../support/kernels.js'

type Shapes = readonly (readonly Size[] | null)[]

const whole = (kernel: { readonly definition: unknown }, param: number, shapes: Shapes, grid: readonly Size[]) =>
  overwrites(buildKernel(kernel.definition as never), param, { shapes, grid: [grid[0]!, grid[1] ?? 1, grid[2] ?? 1] })

describe('overwrites', () => {
  const n = sizeSymbol('n', 2)
  const m = sizeSymbol('m', 2)

  it('recognises a block per program', () => {
    expect(whole(scale, 1, [[10], [10], null], [3])).toBe(true)
    expect(whole(scale, 1, [[10], [10], null], [2])).toBe(false)
    expect(whole(scale, 1, [[10], [10], null], [3, 0])).toBe(false)
    expect(whole(sumAndDifference, 3, new Array(4).fill([3, 9]), [2, 3])).toBe(true)
    expect(whole(sumAndDifference, 3, new Array(4).fill([3, 9]), [3, 2])).toBe(false)
    expect(whole(rowSums, 1, [[7, 3], [7]], [7])).toBe(true)
  })

  it('does not trust stores with explicit ends', () => {
    const params = { x: view(f32, 1), y: view(f32, 1) }
    const body = (t: TileBuilder, { x, y }: { x: ViewValue; y: ViewValue }): void => {
      const start = t.programId(0).mul(4)
      t.store(y, [start], t.load(x, [start], [4]), { ends: [start.add(4)] })
    }
    expect(whole({ definition: { name: 'cut', params, grid: () => [3], body } }, 1, [[10], [10]], [3])).toBe(false)
  })

  it('recognises blocks in rows and columns along one axis', () => {
    expect(
      whole(
        negateFlat,
        1,
        [
          [9, 5],
          [9, 5],
        ],
        [6],
      ),
    ).toBe(true)
    expect(
      whole(
        negateFlat,
        1,
        [
          [9, 5],
          [9, 5],
        ],
        [5],
      ),
    ).toBe(false)
    expect(
      whole(
        negateFlat,
        1,
        [
          [9, 4],
          [9, 5],
        ],
        [6],
      ),
    ).toBe(false) // it counts the columns of the other view
  })

  it('recognises it for any sizes', () => {
    const blocks = (size: Size): Size => (typeof size === 'number' ? Math.ceil(size / 4) : ceilDivSizes(size, 4))
    expect(whole(scale, 1, [[n], [n], null], [blocks(n)])).toBe(true)
    expect(whole(scale, 1, [[n], [n], null], [blocks(m)])).toBe(false)
    expect(
      whole(
        negateFlat,
        1,
        [
          [m, n],
          [m, n],
        ],
        [mulSizes(blocks(m), blocks(n))],
      ),
    ).toBe(true)
    expect(
      whole(
        negateFlat,
        1,
        [
          [m, n],
          [m, n],
        ],
        [mulSizes(blocks(n), blocks(n))],
      ),
    ).toBe(false)
  })

  it('does not count views that are read, atomically updated or partly written', () => {
    expect(whole(scale, 0, [[10], [10], null], [3])).toBe(false)
    expect(whole(accumulate, 1, [[4], [4]], [1])).toBe(false)
    expect(whole(evens, 1, [[2], [2]], [1])).toBe(false)
    expect(whole(count, 1, [[2], [2]], [2])).toBe(false)
  })
})

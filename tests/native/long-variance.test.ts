/** Variances of many elements, which are made of blocks: beside their definition in float64, also far from 0. */
import { compile, randn, type Tensor, varMean } from 'tegula'
import { describe, expect, it } from 'vitest'
import { hasCompiler } from '../support/compiler.js'

/** Σ (x − mean)² / (n − correction) of every row. */
function defined(values: readonly number[], rows: number, correction: number): number[] {
  const count = values.length / rows
  return Array.from({ length: rows }, (_, row) => {
    const each = values.slice(row * count, (row + 1) * count)
    const mean = each.reduce((sum, x) => sum + x, 0) / count
    return each.reduce((sum, x) => sum + (x - mean) ** 2, 0) / (count - correction)
  })
}

const numbers = (x: Tensor): number[] => Array.from(x.dataSync(), Number)

describe.skipIf(!hasCompiler)('variances of long rows (needs a C compiler)', () => {
  it.each([
    ['rows of a power of two', [512, 1024], 1],
    ['rows of another length', [300, 1001], 1],
    ['one row, cut', [3 * 2 ** 18], 1],
    ['several rows, cut', [2, 2 ** 18], 2],
    ['one that is not divided evenly', [2 ** 18 + 2], 1],
    ['short rows', [4096, 65], 1],
  ] as const)('%s', (_, shape, rows) => {
    const x = randn([...shape]).add(1000)
    const dims = rows === 1 ? undefined : [1]
    const [variance, deviation] = compile((y: Tensor) => [y.var(dims), y.std(dims, { correction: 0 })] as const)(x)
    const values = numbers(x)
    for (const [i, wanted] of defined(values, rows, 1).entries())
      expect(numbers(variance)[i]! / wanted - 1).toBeCloseTo(0, 5)
    for (const [i, wanted] of defined(values, rows, 0).entries())
      expect(numbers(deviation)[i]! ** 2 / wanted - 1).toBeCloseTo(0, 5)
  })

  it('of a transposed tensor, with its mean, and of what overflows', () => {
    const x = randn([700, 600]).sub(50)
    const { var: variance, mean } = compile((y: Tensor) => varMean(y.t()))(x)
    const values = numbers(x)
    expect(variance.itemSync() as number).toBeCloseTo(defined(values, 1, 1)[0]!, 3)
    expect(mean.itemSync() as number).toBeCloseTo(values.reduce((sum, v) => sum + v, 0) / values.length, 3)
    const huge = randn([2 ** 18]).mul(1e30)
    expect(compile((y: Tensor) => y.var())(huge).itemSync()).toBe(Number.POSITIVE_INFINITY)
    const odd = randn([512, 512])
    odd.select(0, 3).fill_(Number.NaN)
    expect(compile((y: Tensor) => y.var())(odd).itemSync()).toBeNaN()
  })
})

/** Eager kernels serve every shape of a structure, and only that: layouts that differ must not meet in one kernel. */
import { describe, expect, it } from 'vitest'
import { arange, compile, compilerStats, conv1d, linspace, ones, type Tensor, tensor } from '../../src/index.js'
import { hasCompiler } from '../support/compiler.js'

describe.skipIf(!hasCompiler)('one op on many layouts (needs a C compiler)', () => {
  it('an expanded tensor and a transposed one of the same rank', () => {
    const values = (t: Tensor): number[] => [...(t.flatten().dataSync() as Float32Array)]
    expect(values(tensor([1, 2]).expand([3, 2]))).toEqual([1, 2, 1, 2, 1, 2])
    const matrix = arange(12).reshape([3, 4])
    expect(values(matrix.t().to('f32'))).toEqual([0, 4, 8, 1, 5, 9, 2, 6, 10, 3, 7, 11])
    expect(values(tensor([7, 8, 9, 10]).expand([2, 4]))).toEqual([7, 8, 9, 10, 7, 8, 9, 10])
    const rows = tensor([
      [0, 1, 2],
      [3, 4, 5],
    ])
    expect(values(rows.t())).toEqual([0, 3, 1, 4, 2, 5])
    expect(values(rows.slice(null, [0, 2]))).toEqual([0, 1, 3, 4])
  })

  it('matmuls of operands that are expanded along the summed dim', () => {
    const column = (value: number): Tensor => tensor([[value], [value], [value]]).expand([3, 5])
    const row = (value: number): Tensor => tensor([value, value]).expand([5, 2])
    const infinite = Number.POSITIVE_INFINITY
    for (const [left, right, each] of [
      [column(2), row(3), 30],
      [ones([3, 5]), row(3), 15],
      [column(2), ones([5, 2]), 10],
      [column(infinite), ones([5, 2]), infinite],
      [ones([3, 5]), row(infinite), infinite],
    ] as const) {
      const expected = Array.from({ length: 3 }, () => [each, each])
      expect(left.matmul(right).toArray()).toEqual(expected)
      const f = compile((a: Tensor, b: Tensor) => a.matmul(b), { dynamic: true })
      expect(f(left, right).toArray()).toEqual(expected)
    }
  })

  it('what creates many elements, which is not done on the host', () => {
    const kernels = (): number => compilerStats().compiled + compilerStats().loaded
    const before = kernels()
    expect([...(linspace(0, 1, 5001).dataSync() as Float32Array).subarray(4999)]).toEqual([Math.fround(4999 / 5000), 1])
    expect(kernels()).toBeGreaterThan(before)
  })

  it('tensors of one shape with other strides, in an op that must know its sizes', () => {
    const kernel = ones([1, 1, 2])
    const line = arange(24).to('f32')
    for (const step of [1, 2, 3]) {
      const x = line.slice([0, 8 * step, step]).reshape([1, 1, 8])
      const strided = line.reshape([8, 3]).narrow(1, 0, 1).reshape([1, 1, 8])
      expect([...(conv1d(x, kernel).dataSync() as Float32Array)]).toEqual([1, 3, 5, 7, 9, 11, 13].map(v => v * step))
      expect([...(conv1d(strided, kernel).dataSync() as Float32Array)]).toEqual([3, 9, 15, 21, 27, 33, 39])
    }
  })
})

import { describe, expect, it } from 'vitest'
import { interpret } from '../../src/tile/interpret.js'
import { buildKernel } from '../../src/tile/kernel.js'
import { addReluMul, gemm, layerNorm, softmaxRow } from './kernels.js'
import { floats, viewOf, zeros } from './support.js'

describe('example kernels, interpreted', () => {
  it('adds, clips and scales any length', () => {
    const program = buildKernel(addReluMul, { BLOCK: 64 })
    for (const n of [0, 1, 63, 64, 65, 200]) {
      const [x, bias, out] = [floats(n, 1), floats(n, 2), zeros(n)]
      interpret(program, [viewOf(x, [n]), viewOf(bias, [n]), viewOf(out, [n]), 2.5], [Math.ceil(n / 64)])
      const expected = x.map((value, i) => Math.fround(Math.max(Math.fround(value + bias[i]!), 0)) * 2.5)
      expect(out).toEqual(expected)
    }
  })

  it('takes a softmax per row', () => {
    const [rows, columns] = [5, 77]
    const [x, out] = [floats(rows * columns), zeros(rows * columns)]
    interpret(buildKernel(softmaxRow), [viewOf(x, [rows, columns]), viewOf(out, [rows, columns])], [rows])
    for (let r = 0; r < rows; r++) {
      const row = [...x.subarray(r * columns, (r + 1) * columns)].map(Math.exp)
      const total = row.reduce((a, b) => a + b)
      for (let c = 0; c < columns; c++) expect(out[r * columns + c]).toBeCloseTo(row[c]! / total, 6)
    }
  })

  it('multiplies matrices of odd sizes', () => {
    const program = buildKernel(gemm)
    for (const [m, n, k] of [
      [17, 33, 65],
      [1, 40, 9],
      [16, 16, 8],
      [3, 1, 1],
    ] as const) {
      const [a, b, c] = [floats(m * k, 3), floats(k * n, 4), zeros(m * n)]
      interpret(
        program,
        [viewOf(a, [m, k]), viewOf(b, [k, n]), viewOf(c, [m, n])],
        [Math.ceil(m / 16), Math.ceil(n / 16)],
      )
      for (let i = 0; i < m; i++) {
        for (let j = 0; j < n; j++) {
          let sum = 0
          for (let x = 0; x < k; x++) sum += a[i * k + x]! * b[x * n + j]!
          expect(c[i * n + j]).toBeCloseTo(sum, 5)
        }
      }
    }
  })

  it('normalises rows in blocks', () => {
    const [rows, columns] = [3, 70]
    const [x, weight, bias, out] = [
      floats(rows * columns),
      floats(columns, 5),
      floats(columns, 6),
      zeros(rows * columns),
    ]
    const views = [
      viewOf(x, [rows, columns]),
      viewOf(weight, [columns]),
      viewOf(bias, [columns]),
      viewOf(out, [rows, columns]),
    ]
    interpret(buildKernel(layerNorm), [...views, 1e-5], [rows])
    for (let r = 0; r < rows; r++) {
      const row = x.subarray(r * columns, (r + 1) * columns)
      const mean = row.reduce((a, b) => a + b, 0) / columns
      const variance = row.reduce((a, b) => a + (b - mean) ** 2, 0) / columns
      for (let c = 0; c < columns; c++) {
        const expected = ((row[c]! - mean) / Math.sqrt(variance + 1e-5)) * weight[c]! + bias[c]!
        expect(out[r * columns + c]).toBeCloseTo(expected, 5)
      }
    }
  })

  it('gives the same results with static sizes and strides', () => {
    const n = 100
    const static1 = { sizes: [n], strides: [1] }
    const program = buildKernel(addReluMul, { BLOCK: 32 }, { x: static1, bias: static1, out: static1 })
    const [x, bias, out, other] = [floats(n, 1), floats(n, 2), zeros(n), zeros(n)]
    interpret(program, [viewOf(x, [n]), viewOf(bias, [n]), viewOf(out, [n]), 2], [4])
    interpret(buildKernel(addReluMul), [viewOf(x, [n]), viewOf(bias, [n]), viewOf(other, [n]), 2], [1])
    expect(out).toEqual(other)
  })
})

import { describe, it } from 'vitest'
import { buildKernel } from '../../src/tile/kernel.js'
import { quickly } from '../support/sample-choice.js'
import { addReluMul, gemm, layerNorm, softmaxRow } from '../tile/kernels.js'
import { floats, zeros } from '../tile/support.js'
import { checkProgram, over, staticDims, unitDims } from './support.js'

describe('example kernels', () => {
  it('adds, clips and scales any length', () => {
    for (const n of [0, 1, 63, 64, 65, 200]) {
      const [x, bias, out] = [over(floats(n, 1), [n]), over(floats(n, 2), [n]), over(zeros(n), [n])]
      for (const dims of [staticDims, unitDims]) {
        const program = buildKernel(addReluMul, { BLOCK: 64 }, { x: dims(x), bias: dims(bias), out: dims(out) })
        checkProgram(program, [x, bias, out, 2.5], [Math.ceil(n / 64)], { native: n > 100 })
      }
      checkProgram(buildKernel(addReluMul, { BLOCK: 64 }), [x, bias, out, 2.5], [Math.ceil(n / 64)], {
        native: n > 100,
      })
    }
  })

  it('takes a softmax per row', () => {
    for (const columns of [1, 16, 77, 128]) {
      const [x, out] = [over(floats(5 * columns), [5, columns]), over(zeros(5 * columns), [5, columns])]
      for (const dims of [staticDims, unitDims]) {
        checkProgram(buildKernel(softmaxRow, {}, { x: dims(x), out: dims(out) }), [x, out], [5], {
          tolerance: 1e-6,
          native: columns === 77,
        })
      }
    }
  })

  it('multiplies matrices of any size', () => {
    for (const [m, n, k] of quickly(
      [
        [17, 33, 65],
        [1, 40, 9],
        [16, 16, 8],
        [3, 1, 1],
        [40, 3, 20],
      ] as const,
      2,
    )) {
      const [a, b, c] = [over(floats(m * k, 3), [m, k]), over(floats(k * n, 4), [k, n]), over(zeros(m * n), [m, n])]
      for (const dims of [staticDims, unitDims]) {
        const program = buildKernel(gemm, {}, { a: dims(a), b: dims(b), c: dims(c) })
        checkProgram(program, [a, b, c], [Math.ceil(m / 16), Math.ceil(n / 16)], { tolerance: 1e-6, native: m === 17 })
      }
    }
  })

  it('normalises rows in blocks', () => {
    for (const columns of [70, 64]) {
      const [x, out] = [over(floats(3 * columns), [3, columns]), over(zeros(3 * columns), [3, columns])]
      const [weight, bias] = [over(floats(columns, 5), [columns]), over(floats(columns, 6), [columns])]
      for (const dims of [staticDims, unitDims]) {
        const program = buildKernel(
          layerNorm,
          {},
          { x: dims(x), weight: dims(weight), bias: dims(bias), out: dims(out) },
        )
        checkProgram(program, [x, weight, bias, out, 1e-5], [3], { tolerance: 1e-5 })
      }
    }
  })
})

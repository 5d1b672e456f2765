/**
 * silu(x · w1ᵀ) ∘ (x · w2ᵀ), the gated half of a feed-forward layer, with x and both weights in NVFP4: the built-in op, a
 * hand-written form on decoded weights, and two matmuls followed by the gate.
 *
 *     npx tegula bench examples/workloads/dual.ts [--device cuda]
 *
 * On a CPU, N and K are a quarter of the size.
 */
import { type BenchCase, type BenchContext, getDefaultDevice, randn, type Tensor } from 'tegula'
import { dequantize, dualMatmul, type QuantizedTensor, quantize, scaledMatmul } from 'tegula/quant'
import { decodedRows, middle, times, toNumbers, zip } from '../reference.js'

type Inputs = [QuantizedTensor, QuantizedTensor, QuantizedTensor]

const shapes = [
  [256, 4096, 7168],
  [512, 4096, 7168],
  [256, 3072, 4096],
  [512, 3072, 7168],
] as const

const [rows, columns] = [4, 64]

const silu = (x: number): number => x / (1 + Math.exp(-x))

function dualCase(m: number, n: number, k: number): BenchCase<Inputs, Tensor> {
  // The weights are scaled so that results stay near one.
  const weight = (): QuantizedTensor => quantize(randn([n, k]).mul(k ** -0.5), 'nvfp4')
  return {
    name: `dual ${m}×${n}×${k}`,
    inputs: () => [quantize(randn([m, k]), 'nvfp4'), weight(), weight()],
    variants: {
      'built in': (x, w1, w2) => dualMatmul(x, w1, w2, { outDtype: 'f16' }),
      'written out': (x, w1, w2) => {
        const decoded = dequantize(x, 'f16')
        const gate = decoded.matmul(dequantize(w1, 'f16').t()).to('f32')
        return gate
          .silu()
          .mul(decoded.matmul(dequantize(w2, 'f16').t()).to('f32'))
          .to('f16')
      },
      'two products': (x, w1, w2) => scaledMatmul(x, w1).silu().mul(scaledMatmul(x, w2)).to('f16'),
    },
    sample: result => {
      const [[top, bottom], [left, right]] = [middle(m, rows), middle(n, columns)]
      return result.narrow(0, top, bottom - top).narrow(1, left, right - left)
    },
    expected: (x, w1, w2) => {
      const some = decodedRows(x, middle(m, rows))
      const [gate, up] = [w1, w2].map(w => times(some, decodedRows(w, middle(n, columns)))) as [never, never]
      return toNumbers(zip(gate, up, (a, b) => silu(a) * b))
    },
    tolerance: 2e-3,
    work: {
      flops: 4 * m * n * k,
      bytes: (m * k + 2 * n * k) * (1 / 2 + 1 / 16) + 2 * m * n,
      arithmetic: '16-bit',
    },
  }
}

export const cases = ({ quick }: BenchContext): readonly BenchCase<Inputs, Tensor>[] => {
  if (quick) return [dualCase(33, 96, 64)]
  const part = getDefaultDevice() === 'cpu' ? 4 : 1
  return shapes.map(([m, n, k]) => dualCase(m, n / part, k / part))
}

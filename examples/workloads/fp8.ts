/**
 * Matmuls of e4m3 matrices with a scale per tensor or per row, compared with bf16 of the same sizes.
 *
 *     npx tegula bench examples/workloads/fp8.ts [--device cuda]
 *
 * 4096 and 8192 on a GPU, 1024 on a CPU.
 */
import { type BenchCase, type BenchContext, getDefaultDevice, randn, type Tensor } from 'tegula'
import { type QuantizedTensor, quantize, scaledMatmul } from 'tegula/quant'
import { decodedRows, middle, times, toNumbers } from '../reference.js'

type Inputs = [QuantizedTensor, QuantizedTensor]

const [rows, columns] = [4, 64]

function fp8Case(n: number, block: 'tensor' | 'row'): BenchCase<Inputs, Tensor> {
  const make = (): QuantizedTensor => quantize(randn([n, n]), 'fp8e4m3', { block })
  return {
    name: `fp8 ${n}³, a scale for ${block === 'row' ? 'each row' : 'the tensor'}`,
    inputs: () => [make(), make()],
    variants: { 'built in': (a, b) => scaledMatmul(a, b, { outDtype: 'bf16' }) },
    sample: result => {
      const [[top, bottom], [left, right]] = [middle(n, rows), middle(n, columns)]
      return result.narrow(0, top, bottom - top).narrow(1, left, right - left)
    },
    expected: (a, b) => toNumbers(times(decodedRows(a, middle(n, rows)), decodedRows(b, middle(n, columns)))),
    tolerance: 1e-2,
    work: { flops: 2 * n ** 3, bytes: 4 * n * n, arithmetic: '8-bit' },
  }
}

export const cases = ({ quick }: BenchContext): readonly BenchCase<Inputs, Tensor>[] => {
  const sizes = quick ? [96] : getDefaultDevice() === 'cpu' ? [1024] : [4096, 8192]
  return sizes.flatMap(n => [fp8Case(n, 'tensor'), fp8Case(n, 'row')])
}

/**
 * 58.7 million MXINT8 numbers (4096 × 14336 weights, one scale per 32) to bf16: by multiplication, and by assembling sign,
 * exponent and fraction. Both are bitwise equal, and memory-bound if decoding is fast enough.
 *
 *     npx tegula bench examples/workloads/mxint8.ts [--device cuda]
 *
 * A CPU uses the same size.
 */
import { type BenchCase, type BenchContext, randint, type Tensor } from 'tegula'
import { dequantize, type QuantizedTensor, quantizedTensor } from 'tegula/quant'
import { decodedRows, middle, type Range, toNumbers } from '../reference.js'

/** All codes, including −128, and scales within the range of bf16. */
function codes(rows: number, columns: number): QuantizedTensor {
  const values = randint(-128, 128, [rows, columns], { dtype: 'i8' })
  const scales = randint(110, 140, [rows, columns / 32], { dtype: 'u8' })
  return quantizedTensor({ format: 'mxint8', values, scales })
}

export const cases = ({ quick }: BenchContext): readonly BenchCase<[QuantizedTensor], Tensor>[] => {
  const [rows, columns] = quick ? [48, 96] : [4096, 14336]
  const sampled: Range = middle(rows, 16)
  return [
    {
      name: `mxint8 to bf16, ${rows}×${columns}`,
      inputs: () => [codes(rows, columns)],
      variants: {
        arithmetic: q => dequantize(q, 'bf16'),
        bits: q => dequantize(q, 'bf16', { method: 'bits' }),
      },
      sample: result => result.narrow(0, sampled[0], sampled[1] - sampled[0]),
      expected: q => toNumbers(decodedRows(q, sampled)),
      // bf16's eight significant bits represent every int8 times a power of two.
      tolerance: 1e-9,
      work: { bytes: rows * columns * (1 + 2 + 1 / 32) },
    },
  ]
}

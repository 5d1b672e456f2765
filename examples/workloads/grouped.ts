/**
 * Groups of matmuls with NVFP4 weights and activations, each with its own size: experts of a layer, or independent layers.
 * The strategy determines how they are launched; all give the same results.
 *
 *     npx tegula bench examples/workloads/grouped.ts [--device cuda]
 *
 * On a CPU, N and K are a quarter of the size.
 */
import { type BenchCase, type BenchContext, getDefaultDevice, randn, type Tensor, zeros } from 'tegula'
import { groupedMatmul, groupStrategies, type QuantizedTensor, quantize } from 'tegula/quant'
import { decodedRows, middle, times, toNumbers } from '../reference.js'

type Group = { readonly a: QuantizedTensor; readonly b: QuantizedTensor; readonly out: Tensor }

const shapes = [
  { ms: [80, 176, 128, 72, 64, 248, 96, 160], n: 4096, k: 7168 },
  { ms: [40, 76, 168, 72, 164, 148, 196, 160], n: 7168, k: 2048 },
  { ms: [192, 320], n: 3072, k: 4096 },
  { ms: [128, 384], n: 4096, k: 1536 },
]

/** Checked sample of each group: rows and columns in the middle. */
const [rows, columns] = [4, 64]

function groupsCase(ms: readonly number[], n: number, k: number): BenchCase<[readonly Group[]], readonly Tensor[]> {
  const sum = ms.reduce((a, b) => a + b)
  // Four bits per element, one scale byte per 16; f16 results.
  const coded = (elements: number): number => elements / 2 + elements / 16
  return {
    name: `group of ${ms.length}, N ${n}, K ${k}`,
    inputs: () => [
      ms.map(m => ({
        a: quantize(randn([m, k]), 'nvfp4'),
        b: quantize(randn([n, k]), 'nvfp4'),
        out: zeros([m, n], { dtype: 'f16' }),
      })),
    ],
    variants: Object.fromEntries(
      groupStrategies.map(strategy => [strategy, (groups: readonly Group[]) => groupedMatmul(groups, { strategy })]),
    ),
    sample: results =>
      results.map(out => {
        const [[top, bottom], [left, right]] = [middle(out.size(0), rows), middle(n, columns)]
        return out.narrow(0, top, bottom - top).narrow(1, left, right - left)
      }),
    expected: groups =>
      groups.map(({ a, b, out }) =>
        toNumbers(times(decodedRows(a, middle(out.size(0), rows)), decodedRows(b, middle(n, columns)))),
      ),
    tolerance: 1e-3,
    work: {
      flops: 2 * sum * n * k,
      bytes: coded(sum * k) + ms.length * coded(n * k) + 2 * sum * n,
      arithmetic: '16-bit',
    },
  }
}

export const cases = ({ quick }: BenchContext): readonly BenchCase<[readonly Group[]], readonly Tensor[]>[] => {
  if (quick) return [groupsCase([3, 40], 96, 64)]
  const part = getDefaultDevice() === 'cpu' ? 4 : 1
  return shapes.map(({ ms, n, k }) => groupsCase(ms, n / part, k / part))
}

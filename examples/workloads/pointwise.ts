/**
 * relu(x + b) · 2 on ten million numbers: three ops that fuse into one kernel, so that memory is read and written once.
 *
 *     npx tegula bench examples/workloads/pointwise.ts [--device cuda]
 */
import { type BenchCase, type BenchContext, f64, randn, type Tensor, tensor } from 'tegula'

export const cases = ({ quick }: BenchContext): readonly BenchCase<[Tensor, Tensor], Tensor>[] => {
  const n = quick ? 10_000 : 10_000_000
  return [
    {
      name: `add_relu_mul ${n}`,
      inputs: () => [randn([n]), randn([n])],
      variants: { 'written out': (x, b) => x.add(b).relu().mul(2) },
      expected: (x, b) => {
        const [left, right] = [x, b].map(each => each.dataSync('f32')) as [Float32Array, Float32Array]
        return tensor(
          Float64Array.from(left, (value, i) => 2 * Math.max(0, value + right[i]!)),
          { dtype: f64 },
        )
      },
      tolerance: 1e-6,
      work: { bytes: 12 * n },
    },
  ]
}

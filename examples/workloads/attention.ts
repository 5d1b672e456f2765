/**
 * Attention, hand-written and as the built-in op. The compiler recognises the hand-written form, so both become one flash
 * attention kernel, which never stores the whole score matrix.
 *
 *     npx tegula bench examples/workloads/attention.ts [--device cuda]
 *
 * On a GPU 4×16 heads of 4096 queries and keys in bf16, on a CPU 32×8 of 512 in f32. The limit counts only the two
 * matmuls.
 */
import { type BenchCase, type BenchContext, getDefaultDevice, randn, type Tensor, type TensorDtype } from 'tegula'
import { functional as F } from 'tegula/nn'
import { attend, middle, rowsOf, toNumbers } from '../reference.js'

type Inputs = [Tensor, Tensor, Tensor]
type Shape = readonly [batch: number, heads: number, length: number, size: number]

/** softmax(q @ kᵀ / √size) @ v for q, k, v [batch, heads, length, size]. */
function writtenOut(q: Tensor, k: Tensor, v: Tensor): Tensor {
  const scores = q.matmul(k.transpose(-2, -1)).mul(1 / Math.sqrt(q.size(-1)))
  return scores.softmax(-1).matmul(v)
}

const builtIn = (q: Tensor, k: Tensor, v: Tensor): Tensor => F.scaledDotProductAttention(q, k, v)
const causal = (q: Tensor, k: Tensor, v: Tensor): Tensor => F.scaledDotProductAttention(q, k, v, { isCausal: true })

const rows = 8

function attentionCase([batch, heads, length, size]: Shape, dtype: TensorDtype, isCausal: boolean) {
  const sampled = middle(length, rows)
  const head = (t: Tensor): Tensor => t.select(0, batch - 1).select(0, heads - 1)
  const flops = 4 * batch * heads * length * length * size
  const bytes = 4 * batch * heads * length * size * (dtype === 'f32' ? 4 : 2)
  const variants: Readonly<Record<string, typeof builtIn>> = isCausal
    ? { 'built in': causal }
    : { 'written out': writtenOut, 'built in': builtIn }
  return {
    name: `${isCausal ? 'causal ' : ''}attention ${batch}×${heads}×${length}×${size} ${dtype}`,
    inputs: () => [0, 1, 2].map(() => randn([batch, heads, length, size]).to(dtype)) as Inputs,
    variants,
    sample: result => head(result).narrow(0, sampled[0], sampled[1] - sampled[0]),
    expected: (q, k, v) => {
      const [keys, values] = [rowsOf(head(k), [0, length]), rowsOf(head(v), [0, length])]
      const seen = (row: number): number => (isCausal ? sampled[0] + row + 1 : length)
      return toNumbers(attend(rowsOf(head(q), sampled), keys, values, seen))
    },
    tolerance: dtype === 'f32' ? 1e-5 : 2e-2,
    // The causal mask hides half of the pairs.
    work: { flops: isCausal ? flops / 2 : flops, bytes, arithmetic: dtype === 'f32' ? 'f32' : '16-bit' },
  } satisfies BenchCase<Inputs, Tensor>
}

export const cases = ({ quick }: BenchContext): readonly BenchCase<Inputs, Tensor>[] => {
  const onCpu = getDefaultDevice() === 'cpu'
  const shapes: readonly Shape[] = quick
    ? [[1, 2, 100, 32]]
    : onCpu
      ? [[32, 8, 512, 64]]
      : [
          [4, 16, 4096, 64],
          [4, 16, 4096, 128],
        ]
  const dtype = onCpu ? 'f32' : 'bf16'
  return shapes.flatMap(shape => [attentionCase(shape, dtype, false), attentionCase(shape, dtype, true)])
}

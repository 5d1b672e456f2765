/**
 * Attention forward, bf16, 4×16 heads of 4096 queries and keys: the built-in op against the peer's flash backend, and what
 * is written out against the peer's compiled formula.
 */
import { compile, randn, type Tensor } from 'tegula'
import { check, type GpuCase } from './case.js'

const [batch, heads, length] = [4, 16, 4096]
const rows = 64

type Attention = (q: Tensor, k: Tensor, v: Tensor) => Tensor

const builtIn: Attention = (q, k, v) => q.scaledDotProductAttention(k, v)
const writtenOut: Attention = (q, k, v) =>
  q
    .matmul(k.transpose(-2, -1))
    .mul(1 / Math.sqrt(q.size(-1)))
    .softmax(-1)
    .matmul(v)

const attentionCase = (name: string, size: number, bar: number, f: Attention): GpuCase => ({
  name: `${name}_bf16_d${size}`,
  bar,
  run(timer) {
    const make = (): Tensor => randn([batch, heads, length, size], { device: 'cuda' }).to('bf16')
    const [q, k, v] = [make(), make(), make()]
    const compiled = compile(f)
    // A few rows of one head, in f32 on the host.
    const head = (t: Tensor): Tensor => t.select(0, batch - 1).select(0, 3)
    const wide = (t: Tensor): Tensor => head(t).to('cpu').to('f32')
    const expected = f(wide(q).narrow(0, length - rows, rows), wide(k), wide(v))
    check(this.name, head(compiled(q, k, v)).narrow(0, length - rows, rows), expected, 2e-2)
    const us = timer.time(() => compiled(q, k, v).dispose(), { flush: false })
    return [{ case: this.name, variant: 'compile', us, flops: 4 * batch * heads * length * length * size }]
  },
})

export const attentionCases: readonly GpuCase[] = [64, 128].flatMap(size => [
  attentionCase('attention', size, 0.8, builtIn),
  attentionCase('attention_written_out', size, size === 128 ? 3 : 1, writtenOut),
])

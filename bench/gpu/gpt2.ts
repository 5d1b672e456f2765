/** Twelve GPT-2 blocks of width 768, bf16, on one token: weights and attention in the layout of PyTorch's modules. */
import { compile, randn, type Tensor } from 'tegula'
import { functional as F } from 'tegula/nn'
import { check, type GpuCase, type Measured } from './case.js'
import type { DeviceTimer } from './timing.js'

export const [layers, width, heads] = [12, 768, 12]
const headWidth = width / heads

const shapes = {
  norm1: [width],
  shift1: [width],
  qkv: [3 * width, width],
  qkvBias: [3 * width],
  out: [width, width],
  outBias: [width],
  norm2: [width],
  shift2: [width],
  up: [4 * width, width],
  upBias: [4 * width],
  down: [width, 4 * width],
  downBias: [width],
} as const

export type BlockWeights = Readonly<Record<keyof typeof shapes, Tensor>>

export const randomBlock = (device: 'cpu' | 'cuda'): BlockWeights =>
  Object.fromEntries(
    Object.entries(shapes).map(([name, shape]) => {
      const scale = shape.length === 2 ? shape[1] ** -0.5 : 0.5
      return [name, randn(shape, { device }).mul(scale).to('bf16')]
    }),
  ) as unknown as BlockWeights

/** [1, width] → [1, width] */
export function gpt2(x: Tensor, blocks: readonly BlockWeights[]): Tensor {
  return blocks.reduce(runBlock, x)
}

function runBlock(x: Tensor, w: BlockWeights): Tensor {
  const tokens = x.size(0)
  const normed = x.layerNorm([width], { weight: w.norm1, bias: w.shift1 })
  const qkv = F.linear(normed, w.qkv, { bias: w.qkvBias }).reshape([tokens, 3, heads, headWidth]).permute([1, 2, 0, 3])
  const [q, k, v] = qkv.unbind(0) as [Tensor, Tensor, Tensor]
  const scores = q.matmul(k.transpose(-2, -1)).mul(headWidth ** -0.5)
  // A single token needs no causal mask.
  const mixed = scores.softmax(-1).matmul(v).transpose(0, 1).reshape([tokens, width])
  const attended = x.add(F.linear(mixed, w.out, { bias: w.outBias }))
  const normed2 = attended.layerNorm([width], { weight: w.norm2, bias: w.shift2 })
  const up = F.linear(normed2, w.up, { bias: w.upBias })
  return attended.add(F.linear(up.gelu({ approximate: 'tanh' }), w.down, { bias: w.downBias }))
}

function checkBlock(): void {
  const block = randomBlock('cuda')
  const x = randn([1, width], { device: 'cuda' }).to('bf16')
  const wide = (t: Tensor): Tensor => t.to('cpu').to('f32')
  const expected = runBlock(
    wide(x),
    Object.fromEntries(Object.entries(block).map(([k, t]) => [k, wide(t)])) as unknown as BlockWeights,
  )
  check('gpt2 block', compile(runBlock)(x, block), expected, 2e-2)
}

export const gpt2Case: GpuCase = {
  name: 'gpt2_blocks_1x1_bf16',
  bar: 1.5,
  run(timer: DeviceTimer): Measured[] {
    checkBlock()
    const blocks = Array.from({ length: layers }, () => randomBlock('cuda'))
    const x = randn([1, width], { device: 'cuda' }).to('bf16')
    const bytes = layers * 12 * width * width * 2
    return (['default', 'reduce-overhead'] as const).map(mode => {
      const compiled = compile(gpt2, { mode })
      const run = (): void => compiled(x, blocks).dispose()
      return { case: this.name, variant: mode, us: timer.time(run, { flush: false }), bytes }
    })
  },
}

/** Convolutions and ResNet-18: microseconds as one CUDA graph. `tsx bench/gpu/conv.ts [PART_OF_NAME,…]` */
import { readFileSync } from 'node:fs'
import * as tg from 'tegula'
import { compile, manualSeed, randn, scope, setDefaultDevice, type Tensor } from 'tegula'
import { check } from './case.js'
import { DeviceTimer } from './timing.js'

interface Shape {
  readonly name: string
  readonly x: readonly number[]
  readonly w?: readonly number[]
  readonly pool?: number
  readonly pad?: number
  readonly stride?: number
  readonly dilation?: number
  readonly groups?: number
  readonly transposed?: boolean
  readonly dtype: 'f16' | 'bf16' | 'f32'
}
const shapes = JSON.parse(readFileSync(new URL('conv-shapes.json', import.meta.url), 'utf8')) as Shape[]
const wanted = (process.argv[2] ?? '').split(',')
const device = 'cuda'
setDefaultDevice('cuda')
manualSeed(0)
const timer = new DeviceTimer()
const tolerance = { f16: 4e-3, bf16: 2e-2, f32: 1e-5 }
const tf32 = process.env.TF32 === '1'

function callOf({ x, pool, pad = 0, stride = 1, dilation = 1, groups = 1, transposed }: Shape) {
  if (pool !== undefined) return (a: Tensor) => a.maxPool2d(pool, { stride, padding: pad })
  const dims = x.length - 2
  if (transposed) return (a: Tensor, w: Tensor) => tg.convTranspose2d(a, w, { stride, padding: pad, groups, dilation })
  const conv = dims === 1 ? tg.conv1d : dims === 2 ? tg.conv2d : tg.conv3d
  return (a: Tensor, w: Tensor) => conv(a, w, { stride, padding: pad, dilation, groups })
}

for (const shape of shapes) {
  if (!wanted.some(part => shape.name.includes(part))) continue
  try {
    scope(() => {
      const { x, w = [1], dtype } = shape
      const f = callOf(shape)
      const a = randn([...x], { device }).to(dtype)
      const weight = randn([...w], { device })
        .mul(0.05)
        .to(dtype)
      const compiled = compile((p: Tensor, q: Tensor) => f(p, q), {
        mode: 'reduce-overhead',
        ...(tf32 ? { float32MatmulPrecision: 'high' } : {}),
      })
      const out = compiled(a, weight)
      let note = ''
      if (process.env.CHECK !== '0') {
        const last = x[0]! - 1
        const [one, cw] = [a.narrow(0, last, 1).to('cpu').to('f32'), weight.to('cpu').to('f32')]
        try {
          check(shape.name, out.narrow(0, last, 1), f(one, cw), tf32 ? 2e-3 : tolerance[dtype])
        } catch (e) {
          note = `WRONG ${(e as Error).message}`
        }
      }
      const us = timer.time(() => void compiled(a, weight).dispose(), { flush: false })
      const count = (sizes: readonly number[]): number => sizes.reduce((p, c) => p * c, 1)
      const outputs = out.numel()
      const flops = shape.pool ? 0 : 2 * count(w.slice(1)) * (shape.transposed ? count(x) : outputs)
      const bytes = (count(x) + outputs + count(w)) * (dtype === 'f32' ? 4 : 2)
      console.log(
        JSON.stringify({
          case: shape.name,
          us: +us.toFixed(2),
          tflops: +(flops / us / 1e6).toFixed(1),
          gbs: +(bytes / us / 1e3).toFixed(0),
          note,
        }),
      )
    })
  } catch (e) {
    console.log(JSON.stringify({ case: shape.name, error: String((e as Error).stack).slice(0, 600) }))
  }
}

type Block = { a: Tensor; b: Tensor; ab: Tensor; bb: Tensor; stride: number; down?: [Tensor, Tensor] }
function resnet(dtype: 'f16' | 'f32') {
  const conv = (o: number, i: number, k: number): [Tensor, Tensor] => [
    randn([o, i, k, k], { device })
      .mul(Math.sqrt(2 / (i * k * k)))
      .to(dtype),
    randn([o], { device }).mul(0.1).to(dtype),
  ]
  const stem = conv(64, 3, 7)
  const blocks: Block[] = []
  let c = 64
  for (const [i, o] of [64, 128, 256, 512].entries())
    for (const j of [0, 1]) {
      const stride = i > 0 && j === 0 ? 2 : 1
      const [a, ab] = conv(o, c, 3)
      const [b, bb] = conv(o, o, 3)
      blocks.push({ a, ab, b, bb, stride, ...(stride === 2 ? { down: conv(o, c, 1) } : {}) })
      c = o
    }
  const fc = randn([1000, 512], { device }).mul(0.05).to(dtype)
  const bias = randn([1000], { device }).to(dtype)
  return (x: Tensor): Tensor => {
    let h = tg.conv2d(x, stem[0], stem[1], { stride: 2, padding: 3 }).relu().maxPool2d(3, { stride: 2, padding: 1 })
    for (const { a, ab, b, bb, stride, down } of blocks) {
      const same = down ? tg.conv2d(h, down[0], down[1], { stride }) : h
      const mid = tg.conv2d(h, a, ab, { stride, padding: 1 }).relu()
      h = tg.conv2d(mid, b, bb, { padding: 1 }).add(same).relu()
    }
    return h.mean([2, 3]).matmul(fc.t()).add(bias)
  }
}

for (const [batch, dtype] of [
  [1, 'f32'],
  [64, 'f16'],
  [1, 'f16'],
  [64, 'f32'],
] as const) {
  const name = `resnet18_b${batch}_${dtype}`
  if (!wanted.some(part => name.includes(part))) continue
  try {
    const model = resnet(dtype)
    if (process.env.ONCE === '1') {
      const plain = compile(model, tf32 ? { float32MatmulPrecision: 'high' } : {})
      const image = randn([batch, 3, 224, 224], { device }).to(dtype)
      plain(image)
      timer.device.synchronize()
      continue
    }
    const x = randn([batch, 3, 224, 224], { device }).to(dtype)
    const compiled = compile(model, { mode: 'reduce-overhead', ...(tf32 ? { float32MatmulPrecision: 'high' } : {}) })
    const started = performance.now()
    const out = compiled(x)
    const first = performance.now() - started
    const eager = scope(() => model(x))
    let note = ''
    try {
      check(name, out, eager, dtype === 'f16' ? 1e-2 : 1e-4)
    } catch (e) {
      note = `WRONG ${(e as Error).message}`
    }
    const us = timer.time(() => void compiled(x).dispose(), { flush: false })
    console.log(JSON.stringify({ case: name, us: +us.toFixed(1), firstMs: Math.round(first), note }))
  } catch (e) {
    console.log(JSON.stringify({ case: name, error: String((e as Error).stack).slice(0, 600) }))
  }
}

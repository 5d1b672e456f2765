/** Convolutions, pooling, batch norms and resizing on the CPU: microseconds as JSON lines. `tsx bench/conv-cpu.ts [PART_OF_NAME,…]` */
import { readFileSync } from 'node:fs'
import * as tg from 'tegula'
import { compile, manualSeed, ones, randn, type Tensor, zeros } from 'tegula'

interface Shape {
  readonly name: string
  readonly x: readonly number[]
  readonly w?: readonly number[]
  readonly op?: string
  readonly k?: number
  readonly pad?: number
  readonly stride?: number
  readonly dilation?: number
  readonly groups?: number
  readonly transposed?: boolean
}

const shapes = JSON.parse(readFileSync(new URL('conv-shapes.json', import.meta.url), 'utf8')) as Shape[]
const wanted = (process.argv[2] ?? '').split(',')
const seconds = Number(process.env.SECONDS ?? 0.15)
manualSeed(0)

function functionOf({
  x,
  op,
  k = 1,
  pad: padding = 0,
  stride = 1,
  dilation = 1,
  groups = 1,
  transposed,
}: Shape): (a: Tensor, w: Tensor) => Tensor {
  const channels = x[1]!
  const [mean, variance] = [zeros([channels]), ones([channels])]
  switch (op) {
    case 'max':
      return a => a.maxPool2d(k, { stride, padding })
    case 'maxi':
      return a => a.maxPool2dWithIndices(k, { stride, padding }).values
    case 'avg':
      return a => a.avgPool2d(k, { stride, padding })
    case 'aavg':
      return a => a.adaptiveAvgPool2d(k)
    case 'amax':
      return a => a.adaptiveMaxPool2d(k)
    case 'bn':
      return a => a.batchNorm(mean, variance, mean, variance)
    case 'bnt':
      return a => a.batchNorm(mean, variance, mean, variance, { training: true })
    case 'bilinear':
    case 'nearest':
    case 'bicubic':
      return a => a.interpolate({ size: [k, k], mode: op })
  }
  const dims = x.length - 2
  if (transposed) return (a, w) => tg.convTranspose2d(a, w, { stride, padding, groups, dilation })
  const conv = dims === 1 ? tg.conv1d : dims === 2 ? tg.conv2d : tg.conv3d
  return (a, w) => conv(a, w, { stride, padding, dilation, groups })
}

for (const shape of shapes) {
  if (!wanted.some(part => shape.name.includes(part))) continue
  try {
    const { x, w = [1] } = shape
    const f = compile(functionOf(shape))
    const a = randn([...x])
    const weight = randn([...w]).mul(0.05)
    a.dataSync()
    weight.dataSync()
    const started = performance.now()
    const out = f(a, weight)
    const first = performance.now() - started
    const outputs = out.numel()
    out.dispose()
    const times: number[] = []
    for (const end = performance.now() + seconds * 1000; performance.now() < end || times.length < 5; ) {
      const t = performance.now()
      f(a, weight).dispose()
      times.push(performance.now() - t)
    }
    times.sort((p, q) => p - q)
    const us = times[times.length >> 1]! * 1000
    const count = (sizes: readonly number[]): number => sizes.reduce((p, c) => p * c, 1)
    const flops = shape.op !== undefined ? 0 : 2 * count(w.slice(1)) * (shape.transposed ? count(x) : outputs)
    console.log(
      JSON.stringify({
        case: shape.name,
        us: +us.toFixed(1),
        gflops: +(flops / us / 1e3).toFixed(1),
        firstMs: Math.round(first),
      }),
    )
  } catch (e) {
    console.log(JSON.stringify({ case: shape.name, error: String((e as Error).stack).slice(0, 400) }))
  }
}

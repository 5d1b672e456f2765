/**
 * Convolutions, pooling, batch norms and resizing on the CPU: microseconds (median and least) as JSON lines.
 * `PEER=python3 tsx bench/conv-cpu.ts [PART_OF_NAME,…]`: beside PyTorch, in turns; `ratio`: of the least times, above 1 where ours is less.
 */
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import * as tg from 'tegula'
import { compile, manualSeed, ones, randn, type Tensor, zeros } from 'tegula'

interface Shape {
  readonly name: string
  readonly x: readonly number[]
  readonly w?: readonly number[]
  readonly op?: string
  readonly dtype?: 'f32' | 'f64' | 'bf16' | 'f16'
  readonly k?: number
  readonly pad?: number
  readonly stride?: number
  readonly dilation?: number
  readonly groups?: number
  readonly transposed?: boolean
}

const shapes = JSON.parse(
  readFileSync(process.env.SHAPES ?? new URL('conv-shapes.json', import.meta.url), 'utf8'),
) as Shape[]
const wanted = (process.argv[2] ?? '').split(',')
const seconds = Number(process.env.SECONDS ?? 0.15)
const rounds = 3
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

/** Runs calls for some time: their times in ms, in order of length. */
function timesOf(call: () => Tensor): readonly number[] {
  const times: number[] = []
  for (const end = performance.now() + seconds * 1000; performance.now() < end || times.length < 5; ) {
    const t = performance.now()
    call().dispose()
    times.push(performance.now() - t)
  }
  return times.sort((p, q) => p - q)
}

interface PeerTimes {
  readonly us?: number
  readonly least?: number
  readonly error?: string
}

/** PyTorch in a process of its own, which runs only while we wait for it. */
function startPeer(python: string): { times(shape: Shape): Promise<PeerTimes>; end(): void } {
  const script = fileURLToPath(new URL('conv_cpu_peer.py', import.meta.url))
  const child = spawn(python, [script, process.env.TEGULA_THREADS ?? '2'], { stdio: ['pipe', 'pipe', 'inherit'] })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  return {
    async times(shape) {
      child.stdin.write(`${JSON.stringify(shape)}\n`)
      return JSON.parse((await lines.next()).value as string) as PeerTimes
    },
    end: () => child.stdin.end(),
  }
}

const round = (value: number): number => Number(value.toPrecision(4))

async function measure(shape: Shape, peer: ReturnType<typeof startPeer> | null): Promise<object> {
  const { x, w = [1], dtype = 'f32' } = shape
  const f = compile(functionOf(shape))
  const a = randn([...x]).to(dtype)
  const weight = randn([...w])
    .mul(0.05)
    .to(dtype)
  a.dataSync()
  weight.dataSync()
  const started = performance.now()
  const out = f(a, weight)
  const first = performance.now() - started
  const outputs = out.numel()
  out.dispose()
  const own: number[] = []
  const other: PeerTimes[] = []
  for (let i = 0; i < (peer === null ? 1 : rounds); i++) {
    own.push(...timesOf(() => f(a, weight)))
    if (peer !== null) other.push(await peer.times(shape))
  }
  own.sort((p, q) => p - q)
  const count = (sizes: readonly number[]): number => sizes.reduce((p, c) => p * c, 1)
  const flops = shape.op !== undefined ? 0 : 2 * count(w.slice(1)) * (shape.transposed ? count(x) : outputs)
  const [least, peerLeast] = [own[0]! * 1000, Math.min(...other.map(each => each.least ?? Number.NaN))]
  return {
    case: shape.name,
    ratio: round(peerLeast / least),
    us: round(own[own.length >> 1]! * 1000),
    least: round(least),
    peer: peerLeast,
    gflops: round(flops / least / 1e3),
    peerGflops: round(flops / peerLeast / 1e3),
    firstMs: Math.round(first),
    error: other[0]?.error,
  }
}

const peer = process.env.PEER === undefined ? null : startPeer(process.env.PEER)
for (const shape of shapes) {
  if (!wanted.some(part => shape.name.includes(part))) continue
  const row = await measure(shape, peer).catch((e: Error) => ({
    case: shape.name,
    error: String(e.stack).slice(0, 400),
  }))
  console.log(JSON.stringify(row))
}
peer?.end()

/**
 * Convolutions with their gradients on the CPU: the layers of ResNet-18, and others. One line each for the result, the input's
 * gradient and the weight's: GFLOPS, and the share of the machine's multiply-adds.
 *
 *     [PEER=python3] npx tsx bench/cpu/conv-gradients.ts [--filter TEXT] [--batch N] [--ms N] [--plan] [--busy]
 *
 * `--busy`: for machines that others use too: one thread, and processor time in place of time.
 */
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import * as tg from 'tegula'
import { compile, randn, type Tensor } from 'tegula'
import { fmaRate } from '../../src/profile/limits.js'

interface Layer {
  readonly name: string
  readonly x: readonly number[]
  readonly w: readonly number[]
  readonly stride?: number
  readonly pad?: number
  readonly dilation?: number
  readonly groups?: number
}

const { values: options } = parseArgs({
  options: {
    filter: { type: 'string', default: '' },
    batch: { type: 'string', default: '16' },
    ms: { type: 'string', default: '200' },
    plan: { type: 'boolean' },
    busy: { type: 'boolean', default: false },
  },
})
const batch = Number(options.batch)
const threads = options.busy ? 1 : Number(process.env.TEGULA_THREADS ?? 2)
process.env.TEGULA_THREADS = String(threads)

const square = (inputs: number, outputs: number, size: number, kernel: number, stride = 1): Layer => ({
  name: `${kernel}x${kernel}${stride > 1 ? `/${stride}` : ''} ${inputs}-${outputs} ${size}`,
  x: [batch, inputs, size, size],
  w: [outputs, inputs, kernel, kernel],
  stride,
  pad: (kernel - 1) / 2,
})
const layers: readonly Layer[] = [
  square(3, 64, 224, 7, 2),
  square(64, 64, 56, 3),
  ...[64, 128, 256].flatMap(inputs => {
    const [outputs, size] = [2 * inputs, 56 / (inputs / 64)]
    return [
      square(inputs, outputs, size, 3, 2),
      square(inputs, outputs, size, 1, 2),
      square(outputs, outputs, size / 2, 3),
    ]
  }),
  { name: 'few 1-8 8', x: [64, 1, 8, 8], w: [8, 1, 3, 3], pad: 1 },
  { name: 'few 8-16 8', x: [64, 8, 8, 8], w: [16, 8, 3, 3], pad: 1 },
  { name: 'depthwise 3x3 96 56', x: [4, 96, 56, 56], w: [96, 1, 3, 3], pad: 1, groups: 96 },
  { name: 'depthwise 3x3/2 96 56', x: [4, 96, 56, 56], w: [96, 1, 3, 3], pad: 1, stride: 2, groups: 96 },
  { name: 'depthwise 7x7 96 28', x: [8, 96, 28, 28], w: [96, 1, 7, 7], pad: 3, groups: 96 },
  { name: 'grouped 32 of 256 28', x: [4, 256, 28, 28], w: [256, 8, 3, 3], pad: 1, groups: 32 },
  { name: 'grouped 4 of 256 28', x: [4, 256, 28, 28], w: [256, 64, 3, 3], pad: 1, groups: 4 },
  { name: 'dilated 2 128 28', x: [4, 128, 28, 28], w: [128, 128, 3, 3], pad: 2, dilation: 2 },
  { name: '1d 128-128 k5 1000', x: [4, 128, 1000], w: [128, 128, 5], pad: 2 },
  { name: '1d 128-128 k4/2 1000', x: [4, 128, 1000], w: [128, 128, 4], pad: 1, stride: 2 },
  { name: '3d 16-32 8x28', x: [2, 16, 8, 28, 28], w: [32, 16, 3, 3, 3], pad: 1 },
  { name: 'patch 16', x: [4, 3, 224, 224], w: [384, 3, 16, 16], stride: 16 },
]

type Part = 'result' | 'input' | 'weight'
const parts: readonly Part[] = ['result', 'input', 'weight']

const convOf = ({ x, stride = 1, pad = 0, dilation = 1, groups = 1 }: Layer, a: Tensor, w: Tensor): Tensor => {
  const conv = x.length === 3 ? tg.conv1d : x.length === 4 ? tg.conv2d : tg.conv3d
  return conv(a, w, { stride, padding: pad, dilation, groups })
}

const functionOf = (layer: Layer, part: Part): ((a: Tensor, w: Tensor, g: Tensor) => Tensor) =>
  part === 'result'
    ? (a, w) => convOf(layer, a, w)
    : (a, w, g) => tg.gradients(convOf(layer, a, w), [part === 'input' ? a : w], { gradOutputs: g })[0]!

const now = (): number => {
  if (!options.busy) return performance.now()
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/** The least time of calls, in milliseconds. */
function leastTime(call: () => Tensor): number {
  const end = performance.now() + Number(options.ms)
  let least = Number.POSITIVE_INFINITY
  for (let count = 0; count < 3 || performance.now() < end; count++) {
    const started = now()
    call().dispose()
    least = Math.min(least, now() - started)
  }
  return least
}

const peerScript = `
import json, sys, time, torch
torch.set_num_threads(${threads})
clock = ${options.busy ? 'time.process_time' : 'time.perf_counter'}
def least(call):
    call(); call()
    best = 1e9; n = 0; end = time.perf_counter() + ${Number(options.ms) / 1000}
    while n < 3 or time.perf_counter() < end:
        t = clock(); call(); best = min(best, clock() - t); n += 1
    return best * 1e3
for line in sys.stdin:
    s = json.loads(line); dims = len(s['x']) - 2
    x = torch.randn(s['x']); w = torch.randn(s['w'])
    per = lambda k, d: [s.get(k, d)] * dims
    f = lambda: torch.ops.aten.convolution(x, w, None, per('stride', 1), per('pad', 0), per('dilation', 1), False, [0] * dims, s.get('groups', 1))
    g = torch.randn_like(f())
    back = lambda mask: torch.ops.aten.convolution_backward(g, x, w, None, per('stride', 1), per('pad', 0), per('dilation', 1), False, [0] * dims, s.get('groups', 1), mask)
    print(json.dumps({'result': least(f), 'input': least(lambda: back([True, False, False])), 'weight': least(lambda: back([False, True, False]))}), flush=True)
`

function startPeer(python: string) {
  const child = spawn(python, ['-c', peerScript], { stdio: ['pipe', 'pipe', 'inherit'] })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  return {
    async times(layer: Layer): Promise<Readonly<Record<Part, number>>> {
      child.stdin.write(`${JSON.stringify(layer)}\n`)
      return JSON.parse((await lines.next()).value as string) as Record<Part, number>
    },
    end: () => child.stdin.end(),
  }
}

const limit = fmaRate(threads, 5)
console.log(`${threads} threads: ${limit.toFixed(0)} GFLOPS of multiply-adds in registers`)
const peer = process.env.PEER === undefined ? null : startPeer(process.env.PEER)
for (const layer of layers) {
  if (!options.filter.split(',').some(each => layer.name.includes(each))) continue
  const [a, w] = [randn([...layer.x]), randn([...layer.w])]
  const out = convOf(layer, a, w)
  const g = randn([...out.shape])
  const flops = 2 * g.numel() * layer.w.slice(1).reduce((p, c) => p * c, 1)
  a.requiresGrad = true
  w.requiresGrad = true
  const theirs = await peer?.times(layer)
  for (const part of parts) {
    const f = compile(functionOf(layer, part))
    if (options.plan) console.log(f.explain(a, w, g).toText())
    f(a, w, g).dispose()
    const ms = leastTime(() => f(a, w, g))
    const rate = (each: number): string => (flops / each / 1e6).toFixed(0).padStart(4)
    const own = `${layer.name.padEnd(22)} ${part.padEnd(6)} ${(flops / 1e9).toFixed(2)} GFLOP ${ms.toFixed(2).padStart(7)} ms ${rate(ms)} GFLOPS ${((100 * flops) / ms / 1e6 / limit).toFixed(0).padStart(3)} %`
    console.log(
      theirs === undefined
        ? own
        : `${own}  PyTorch ${theirs[part].toFixed(2).padStart(7)} ms ${rate(theirs[part])}  ratio ${(theirs[part] / ms).toFixed(2)}`,
    )
  }
}
peer?.end()

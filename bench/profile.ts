/**
 * What the profiler's tables hold of the wall clock, and what profiling costs, on training steps of ResNet-18 and GPT-2's blocks.
 *
 *     npx tsx bench/profile.ts [--device cuda] [--calls N] [--kernels FILE]
 *
 * Bars: the sum of a table's times within 5 % of the wall clock (on a GPU, of the steps' time on its clock), and at most 10 % more time
 * while a profiler runs. `--kernels` writes the kernels of one step of GPT-2's blocks, compiled without CUDA graphs, in order, as JSON: name,
 * nanoseconds, and those without overlap.
 */
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import {
  compile,
  type DeviceName,
  manualSeed,
  randint,
  randn,
  setDefaultDevice,
  synchronize,
  type Tensor,
} from 'tegula'
import { functional as F, Sequential } from 'tegula/nn'
import { SGD } from 'tegula/optim'
import { profile } from 'tegula/profile'
import { Block } from '../examples/train/models/gpt.js'
import { ResNet18 } from '../examples/train/models/resnet18.js'
import { middle } from '../src/profile/timing.js'

const { values: options } = parseArgs({
  options: {
    device: { type: 'string', default: 'cpu' },
    calls: { type: 'string', default: '5' },
    kernels: { type: 'string' },
  },
})
const calls = Number(options.calls)
const rounds = 3
const onGpu = options.device !== 'cpu'

function resnet(): () => Tensor {
  const net = new ResNet18()
  const optimizer = new SGD(net.parameters(), { lr: 0.01, momentum: 0.9 })
  const [x, y] = onGpu
    ? [randn([32, 3, 224, 224]), randint(0, 1000, [32])]
    : [randn([4, 3, 96, 96]), randint(0, 1000, [4])]
  const step = (images: Tensor, labels: Tensor): Tensor => {
    const loss = F.crossEntropy(net.forward(images), labels)
    loss.backward()
    optimizer.step()
    optimizer.zeroGrad()
    return loss.detach()
  }
  const compiled = compile(step, { mode: 'reduce-overhead' })
  return () => compiled(x, y)
}

function gptBlocks(mode: 'default' | 'reduce-overhead' | null): () => Tensor {
  const size = onGpu ? { context: 512, heads: 8, width: 512 } : { context: 128, heads: 4, width: 256 }
  const config = { vocabulary: 256, layers: 2, dropout: 0, ...size }
  const model = new Sequential(new Block(config), new Block(config))
  const optimizer = new SGD(model.parameters(), { lr: 0.01 })
  const x = randn([4, config.context, config.width])
  const step = (input: Tensor): Tensor => {
    const loss = model(input).square().mean()
    loss.backward()
    optimizer.step()
    optimizer.zeroGrad()
    return loss.detach()
  }
  const run = mode === null ? step : compile(step, { mode })
  return () => run(x)
}

/** Milliseconds of a call, by the host's clock. */
function timeOf(step: () => Tensor): number {
  synchronize()
  const started = performance.now()
  for (let i = 0; i < calls; i++) step().dispose()
  synchronize()
  return (performance.now() - started) / calls
}

async function measure(name: string, step: () => Tensor): Promise<void> {
  for (let i = 0; i < 3; i++) step().dispose()
  const [off, on, shares]: [number[], number[], number[]] = [[], [], []]
  for (let i = 0; i < rounds; i++) {
    off.push(timeOf(step))
    const seen = await profile(() => void on.push(timeOf(step)), { peak: false })
    const rows = seen.rows()
    const sum = (of: (row: (typeof rows)[number]) => number): number => rows.reduce((all, row) => all + of(row), 0)
    const device = sum(({ selfDevice }) => selfDevice) / calls / 1e6
    shares.push(device > 0 ? device / off.at(-1)! : sum(({ selfCpu }) => selfCpu) / seen.nanoseconds)
  }
  const [plain, profiled, share] = [middle(off), middle(on), middle(shares)]
  console.log(
    `${name}: ${plain.toFixed(2)} ms, profiled ${profiled.toFixed(2)} ms (${(profiled / plain).toFixed(3)}×), ` +
      `table ${(share * 100).toFixed(1)} % of ${onGpu ? 'a step' : 'the wall clock'}`,
  )
}

async function writeKernels(file: string, step: () => Tensor): Promise<void> {
  for (let i = 0; i < 3; i++) step().dispose()
  const { record } = await profile(() => step().dispose(), { peak: false })
  const kernels = record.spans.flatMap(({ kind, name, onDevice }) =>
    kind === 'kernel' && onDevice !== null ? [{ name, duration: onDevice.duration, alone: onDevice.alone }] : [],
  )
  writeFileSync(file, JSON.stringify(kernels))
}

setDefaultDevice(options.device as DeviceName)
manualSeed(0)
if (options.kernels !== undefined) await writeKernels(options.kernels, gptBlocks('default'))
await measure('ResNet-18 step, compiled', resnet())
await measure("GPT-2 blocks' step, compiled", gptBlocks('reduce-overhead'))
await measure("GPT-2 blocks' step, eager", gptBlocks(null))

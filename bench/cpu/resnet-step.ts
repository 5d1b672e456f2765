/**
 * A training step of ResNet-18 on the CPU: forward, backward, SGD with momentum, in f32.
 *
 *     [PEER=python3] npx tsx bench/cpu/resnet-step.ts [--batch N] [--size N] [--steps N] [--busy]
 *
 * `PEER`: beside PyTorch, in turns. `--busy`: for machines that others use too: one thread, and processor time in place of time.
 */
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import { compile, manualSeed, randint, randn, type Tensor } from 'tegula'
import { functional as F } from 'tegula/nn'
import { SGD } from 'tegula/optim'
import { ResNet18 } from '../../examples/train/models/resnet18.js'

const { values: options } = parseArgs({
  options: {
    batch: { type: 'string', default: '16' },
    size: { type: 'string', default: '224' },
    steps: { type: 'string', default: '3' },
    plan: { type: 'boolean', default: false },
    busy: { type: 'boolean', default: false },
  },
})
const [batch, size, steps] = [Number(options.batch), Number(options.size), Number(options.steps)]
const threads = options.busy ? 1 : Number(process.env.TEGULA_THREADS ?? 2)
process.env.TEGULA_THREADS = String(threads)

const peerScript = `
import sys, time, torch
import torch.nn as nn, torch.nn.functional as F
torch.set_num_threads(${threads})
torch.manual_seed(0)
clock = ${options.busy ? 'time.process_time' : 'time.perf_counter'}
def conv3(i, o, s=1): return nn.Conv2d(i, o, 3, s, 1, bias=False)
class Block(nn.Module):
    def __init__(self, i, o, s=1):
        super().__init__()
        self.conv1, self.bn1, self.conv2, self.bn2 = conv3(i, o, s), nn.BatchNorm2d(o), conv3(o, o), nn.BatchNorm2d(o)
        self.down = nn.Sequential(nn.Conv2d(i, o, 1, s, bias=False), nn.BatchNorm2d(o)) if s != 1 or i != o else None
    def forward(self, x):
        inner = F.relu(self.bn1(self.conv1(x)))
        return F.relu(self.bn2(self.conv2(inner)) + (x if self.down is None else self.down(x)))
net = nn.Sequential(nn.Conv2d(3, 64, 7, 2, 3, bias=False), nn.BatchNorm2d(64), nn.ReLU(), nn.MaxPool2d(3, 2, 1),
    Block(64, 64), Block(64, 64), Block(64, 128, 2), Block(128, 128), Block(128, 256, 2), Block(256, 256),
    Block(256, 512, 2), Block(512, 512), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(512, 1000))
if ${process.env.CHANNELS_LAST === '1' ? 'True' : 'False'}: net = net.to(memory_format=torch.channels_last)
optimizer = torch.optim.SGD(net.parameters(), lr=0.01, momentum=0.9)
x, y = torch.randn(${batch}, 3, ${size}, ${size}), torch.randint(0, 1000, (${batch},))
def step():
    loss = F.cross_entropy(net(x), y)
    optimizer.zero_grad(set_to_none=True)
    loss.backward()
    optimizer.step()
    return loss.item()
step()
for line in sys.stdin:
    t = clock(); loss = step()
    print(clock() - t, flush=True)
`

function startPeer(python: string) {
  const child = spawn(python, ['-c', peerScript], { stdio: ['pipe', 'pipe', 'inherit'] })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  return {
    async step(): Promise<number> {
      child.stdin.write('\n')
      return Number((await lines.next()).value)
    },
    end: () => child.stdin.end(),
  }
}

const now = (): number => {
  if (!options.busy) return performance.now() / 1000
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6
}

manualSeed(0)
const net = new ResNet18()
const optimizer = new SGD(net.parameters(), { lr: 0.01, momentum: 0.9 })
const [x, y] = [randn([batch, 3, size, size]), randint(0, 1000, [batch])]
const step = compile((images: Tensor, labels: Tensor): Tensor => {
  const loss = F.crossEntropy(net.forward(images), labels)
  loss.backward()
  optimizer.step()
  optimizer.zeroGrad()
  return loss.detach()
})
const first = performance.now()
step(x, y).dispose()
console.log(`compiled in ${((performance.now() - first) / 1000).toFixed(1)} s`)
if (options.plan) console.log(step.explain(x, y).toText())
const peer = process.env.PEER === undefined ? null : startPeer(process.env.PEER)
let [least, theirs] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
for (let i = 0; i < steps; i++) {
  const started = now()
  const loss = Number(step(x, y).itemSync())
  const taken = now() - started
  least = Math.min(least, taken)
  theirs = Math.min(theirs, (await peer?.step()) ?? Number.NaN)
  console.log(`step ${i}: ${taken.toFixed(3)} s, loss ${loss.toFixed(3)}`)
}
console.log(
  `batch ${batch}, ${threads} threads: ${least.toFixed(3)} s, PyTorch ${theirs.toFixed(3)} s, ratio ${(theirs / least).toFixed(2)}`,
)
peer?.end()

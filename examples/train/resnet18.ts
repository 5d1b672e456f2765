/**
 * Trains ResNet-18 on scanned digits, enlarged to images of three channels.
 *
 *     npx tsx examples/train/resnet18.ts --steps 60
 *     npx tsx examples/train/resnet18.ts --device cuda --precision bf16 --batch 128 --size 224
 *     npx tsx examples/train/resnet18.ts --checkpoint out/resnet18.safetensors  # killed? once more, with --resume
 */
import { compile, manualSeed, noGrad, type Tensor } from 'tegula'
import { DataLoader, digits, TensorDataset } from 'tegula/data'
import { functional as F } from 'tegula/nn'
import { oneCycle, SGD } from 'tegula/optim'
import { ResNet18 } from './models/resnet18.js'
import { type RunOptions, readOptions, withPrecision } from './options.js'
import { train } from './training.js'

/** Images and what they show. */
type Batch = { readonly x: Tensor; readonly y: Tensor }

/** f32 [N, 3, size, size], of mean 0, of grey images [N, 1, 8, 8] from 0 to 1. */
const enlarged = (x: Tensor, size: number): Tensor =>
  F.interpolate(x, { size: [size, size], mode: 'bilinear' })
    .sub(0.3)
    .div(0.3)
    .expand([-1, 3, -1, -1])

/** The share of the held-out digits that the network knows. */
function accuracyOf(net: ResNet18, size: number, { batch, device, precision, eager }: RunOptions): number {
  const predict = (x: Tensor): Tensor => noGrad(() => withPrecision(precision, () => net(enlarged(x, size))).argmax(1))
  const run = eager ? predict : compile(predict)
  const loader = new DataLoader(digits({ split: 'test' }), { batchSize: batch, device })
  net.eval()
  const right = [...loader].map(({ x, y }) => run(x).eq(y).sum().itemSync())
  net.train()
  return right.reduce((sum, count) => sum + Number(count), 0) / digits({ split: 'test' }).length
}

async function main(): Promise<void> {
  const options = readOptions('examples/train/resnet18.ts', { steps: 60, batch: 32 }, ['f32', 'bf16'], {
    size: [64, 'height and width of the images'],
  })
  const { size, batch, steps, seed, precision, device } = options
  manualSeed(seed)
  const net = new ResNet18(10).to(device)
  const optimizer = new SGD(net.parameters(), { lr: 0.05, momentum: 0.9, nesterov: true, weightDecay: 5e-4 })
  const schedule = oneCycle(optimizer, 0.05, { totalSteps: steps, cycleMomentum: false })
  const dataset: TensorDataset<Batch> = new TensorDataset(digits().tensors)
  const loader = new DataLoader(dataset, { batchSize: batch, shuffle: true, dropLast: true, seed, device })
  console.log(
    `ResNet-18 of ${(net.numParameters() / 1e6).toFixed(1)} M parameters on ${size} × ${size}, ${precision} on ${device}`,
  )

  await train(
    {
      name: 'resnet18',
      net,
      optimizer,
      schedule,
      loader,
      lossOf: ({ x, y }: Batch) => F.crossEntropy(net(enlarged(x, size)), y),
      unit: 'images',
      perStep: batch,
      config: { size, batch, seed, steps, precision },
    },
    options,
  )
  const accuracy = accuracyOf(net, size, options)
  console.log(`accuracy          ${(100 * accuracy).toFixed(2)} % of the held-out digits`)
}

await main()

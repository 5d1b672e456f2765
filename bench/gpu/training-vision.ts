/**
 * Whole training steps of a small perceptron and of ResNet-18: forward, backward, optimiser and running statistics as one
 * compiled function. Losses of the first steps are compared with the CPU's, or with those of exact f32, before it is timed.
 */
import { autocast, type CompileOptions, compile, manualSeed, randint, randn, scope, type Tensor } from 'tegula'
import { functional as F, Linear, type Module, ReLU, Sequential } from 'tegula/nn'
import { Adam, type Optimizer, SGD } from 'tegula/optim'
import { ResNet18 } from '../../examples/train/models/resnet18.js'
import type { GpuCase } from './case.js'

type Device = 'cpu' | 'cuda'

/** A model, what it is trained by, and on what. */
interface Training {
  readonly name: string
  net(): Module & ((x: Tensor) => Tensor)
  optimizer(net: Module): Optimizer<object>
  readonly batch: number
  readonly image: readonly number[]
  readonly classes: number
}

/** How products are computed: 'tf32' rounds f32 operands of products and convolutions, as PyTorch does by default for convolutions. */
type Precision = 'f32' | 'tf32' | 'bf16'

export const perceptron: Training = {
  name: 'train_mlp_784_256_128_10_b64',
  net: () => new Sequential(new Linear(784, 256), new ReLU(), new Linear(256, 128), new ReLU(), new Linear(128, 10)),
  optimizer: net => new Adam(net.parameters(), { lr: 1e-3 }),
  batch: 64,
  image: [784],
  classes: 10,
}

export const resnet18 = (batch: number): Training => ({
  name: `train_resnet18_b${batch}`,
  net: () => new ResNet18(),
  optimizer: net => new SGD(net.parameters(), { lr: 0.01, momentum: 0.9 }),
  batch,
  image: [3, 224, 224],
  classes: 1000,
})

/** A new model with its data, the same numbers at each call and on each device, and its compiled step, which returns the loss. */
export function runOf(training: Training, precision: Precision, device: Device, options: CompileOptions = {}) {
  manualSeed(0)
  const images = randn([training.batch, ...training.image], { device: 'cpu' }).to(device)
  const labels = randint(0, training.classes, [training.batch], { device: 'cpu' }).to(device)
  const net = training.net().to(device)
  const optimizer = training.optimizer(net)
  const lossOf = (x: Tensor, y: Tensor): Tensor => F.crossEntropy(net(x), y)
  const step = compile(
    (x: Tensor, y: Tensor): Tensor => {
      const loss = precision === 'bf16' ? autocast('bf16', () => lossOf(x, y)) : lossOf(x, y)
      loss.backward()
      optimizer.step()
      optimizer.zeroGrad()
      return loss.detach()
    },
    { fullgraph: true, float32MatmulPrecision: precision === 'tf32' ? 'high' : 'highest', ...options },
  )
  return { step: (): Tensor => step(images, labels) }
}

const checkedSteps = 3

/** The first losses of a new model. */
function lossesOf(training: Training, precision: Precision, device: Device): number[] {
  return scope(() => {
    const { step } = runOf(training, precision, device)
    return Array.from({ length: checkedSteps }, () => Number(step().itemSync()))
  })
}

interface Reference {
  readonly device: Device
  /** Of a loss. */
  readonly tolerance: number
}

/** A step in CUDA graphs, once its losses are those of exact f32 on another device or in other kernels. */
function stepCase(
  training: Training,
  precision: Precision,
  bar: number | null,
  { device, tolerance }: Reference,
): GpuCase {
  const name = `${training.name}_${precision}`
  return {
    name,
    ...(bar === null ? {} : { bar }),
    run(timer) {
      const expected = lossesOf(training, 'f32', device)
      const { allocator } = timer.device
      allocator.collect()
      allocator.resetPeaks()
      const before = allocator.stats().allocatedBytes
      const { step } = runOf(training, precision, 'cuda', { mode: 'reduce-overhead' })
      const started = performance.now()
      const losses = [Number(step().itemSync())]
      const seconds = (performance.now() - started) / 1000
      while (losses.length < checkedSteps) losses.push(Number(step().itemSync()))
      for (const [i, loss] of losses.entries()) {
        const error = Math.abs(loss - expected[i]!)
        if (!(error <= tolerance * expected[i]!)) throw new Error(`${name}: losses ${losses}, expected ${expected}`)
      }
      const peak = allocator.stats().peakAllocatedBytes - before
      const us = timer.time(() => step().dispose(), { flush: false })
      const note = `first call ${seconds.toFixed(2)} s, peak ${(peak / 1e6).toFixed(0)} MB`
      return [{ case: name, variant: 'whole step', us, note }]
    },
  }
}

export const visionCases: readonly GpuCase[] = [
  stepCase(perceptron, 'f32', 1.2, { device: 'cpu', tolerance: 1e-4 }),
  stepCase(resnet18(32), 'tf32', 1, { device: 'cpu', tolerance: 1e-2 }),
  stepCase(resnet18(32), 'f32', null, { device: 'cpu', tolerance: 1e-3 }),
  stepCase(resnet18(128), 'bf16', 1, { device: 'cuda', tolerance: 3e-2 }),
]

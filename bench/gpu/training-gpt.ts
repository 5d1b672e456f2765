/** Whole training steps of GPT-2: forward, backward and AdamW as one compiled function, as a user would write it. */
import { compile, type DeviceName, manualSeed, randint, randn, type Tensor } from 'tegula'
import { functional as F, type Module, Sequential } from 'tegula/nn'
import { AdamW } from 'tegula/optim'
import { Block, Gpt } from '../../examples/train/models/gpt.js'
import { withPrecision } from '../../examples/train/options.js'
import type { GpuCase } from './case.js'
import { startedTraining } from './training.js'

export interface GptSizes {
  readonly batch: number
  readonly context: number
  readonly layers: number
  readonly width: number
  readonly vocabulary: number
}

/** f32: the reference. */
type Precision = 'bf16' | 'f32'

export interface Training {
  readonly model: Module
  readonly inputs: readonly Tensor[]
  /** Returns the loss before it. */
  readonly step: (...inputs: readonly Tensor[]) => Tensor
}

const gpt2: GptSizes = { batch: 8, context: 512, layers: 12, width: 768, vocabulary: 50304 }
const small: GptSizes = { batch: 2, context: 64, layers: 2, width: 128, vocabulary: 512 }

const configOf = ({ batch: _, ...sizes }: GptSizes) => ({ ...sizes, heads: sizes.width / 64, dropout: 0 })

function stepOf(model: Module, lossOf: Training['step']): Training['step'] {
  const optimizer = new AdamW(model.parameters(), { lr: 1e-4 })
  return (...inputs) => {
    const loss = lossOf(...inputs)
    loss.backward()
    optimizer.step()
    optimizer.zeroGrad()
    return loss.detach()
  }
}

/** Weights in f32, products in `precision`. */
function wholeModel(sizes: GptSizes, device: DeviceName, precision: Precision): Training {
  const model = new Gpt(configOf(sizes)).to(device)
  const lossOf = (tokens: Tensor, targets: Tensor): Tensor =>
    withPrecision(precision, () => F.crossEntropy(model(tokens).flatten(0, 1), targets.flatten()))
  const random = (): Tensor => randint(0, sizes.vocabulary, [sizes.batch, sizes.context]).to(device)
  return { model, inputs: [random(), random()], step: stepOf(model, (x, y) => lossOf(x!, y!)) }
}

/** Weights, gradients and state in `precision`. */
function blocksAlone(sizes: GptSizes, device: DeviceName, precision: Precision): Training {
  const config = configOf(sizes)
  const blocks = Array.from({ length: sizes.layers }, () => new Block(config))
  const model = new Sequential(...blocks).to({ device, dtype: precision })
  const x = randn([sizes.batch, sizes.context, sizes.width]).to(device).to(precision)
  return { model, inputs: [x], step: stepOf(model, x => model(x!).to('f32').square().mean()) }
}

const trainings = { gpt2_124m_training_bf16: wholeModel, gpt2_blocks_training_bf16: blocksAlone }

export type GptTraining = keyof typeof trainings

export const gptTrainings = Object.keys(trainings) as readonly GptTraining[]

/** The training of a case, on the GPU. */
export const gptTraining = (name: GptTraining, sizes = gpt2): Training => trainings[name](sizes, 'cuda', 'bf16')

/** Losses of three steps of a small model on the GPU, compiled, against the same in f32 on the CPU, op by op. */
export function checkGptTraining(name: GptTraining): void {
  manualSeed(1)
  const found = gptTraining(name, small)
  const expected = trainings[name](small, 'cpu', 'f32')
  const wide = (x: Tensor): Tensor => (x.dtype === 'i64' ? x : x.to('f32')).to('cpu')
  const state = Object.entries(found.model.stateDict()).map(([key, value]) => [key, wide(value as Tensor)])
  expected.model.loadStateDict(Object.fromEntries(state))
  const compiled = compile(found.step, { mode: 'reduce-overhead' })
  const inputs = found.inputs.map(wide)
  for (let i = 0; i < 3; i++) {
    const [ours, reference] = [compiled(...found.inputs).itemSync(), expected.step(...inputs).itemSync()]
    if (!(Math.abs(ours - reference) <= tolerance * Math.abs(reference)))
      throw new Error(`${name}: loss ${ours} after ${i} steps, ${reference} in f32`)
  }
}

const tolerance = 1e-2

/** Most bytes at once: PyTorch's. */
const peaks = { gpt2_124m_training_bf16: 3.45e9, gpt2_blocks_training_bf16: 1.74e9 } as const

export const gptTrainingCases: readonly GpuCase[] = gptTrainings.map(name => ({
  name,
  bar: 1.1,
  run() {
    checkGptTraining(name)
    return [startedTraining(name, { peakBytes: peaks[name], cold: 4, second: 0.5 })]
  },
}))

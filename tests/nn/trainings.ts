/** The models that scripts/torch/training.py trained, and what came of it. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { arange, ones, type Tensor, type TensorDtype, tensor } from '../../src/index.js'
import {
  BatchNorm2d,
  Conv2d,
  ConvTranspose2d,
  Embedding,
  functional as F,
  GELU,
  GRU,
  GroupNorm,
  LayerNorm,
  Linear,
  LSTM,
  MaxPool2d,
  Module,
  ModuleList,
  Sequential,
  type StateDict,
  Tanh,
} from '../../src/nn/index.js'
import { Adam, AdamW, RMSprop, SGD } from '../../src/optim/index.js'

class Mlp extends Module {
  layers = new Sequential(new Linear(6, 8), new Tanh(), new Linear(8, 8), new GELU(), new Linear(8, 3))

  forward(x: Tensor): Tensor {
    return this.layers(x)
  }
}

class Cnn extends Module {
  first = new Conv2d(2, 6, 3, { padding: 1, bias: false })
  norm = new BatchNorm2d(6)
  grouped = new Conv2d(6, 6, 3, { stride: 2, padding: 1, groups: 3 })
  secondNorm = new GroupNorm(2, 6)
  up = new ConvTranspose2d(6, 4, 3, { stride: 2, padding: 1, outputPadding: 1, groups: 2 })
  pool = new MaxPool2d(2)
  out = new Linear(36, 3)

  forward(x: Tensor): Tensor {
    const wide = this.norm(this.first(x)).relu()
    const narrow = this.secondNorm(this.grouped(wide)).silu()
    return this.out(this.pool(this.up(narrow).leakyRelu(0.1)).flatten(1))
  }
}

class Block extends Module {
  norm1: LayerNorm
  qkv: Linear
  proj: Linear
  norm2: LayerNorm
  up: Linear
  down: Linear

  constructor(
    width: number,
    readonly heads: number,
  ) {
    super()
    this.norm1 = new LayerNorm(width)
    this.qkv = new Linear(width, 3 * width)
    this.proj = new Linear(width, width)
    this.norm2 = new LayerNorm(width)
    this.up = new Linear(width, 2 * width)
    this.down = new Linear(2 * width, width)
  }

  forward(x: Tensor): Tensor {
    const [b, t, c] = x.shape as [number, number, number]
    const [q, k, v] = this.qkv(this.norm1(x))
      .split(c, 2)
      .map(each => each.reshape([b, t, this.heads, -1]).transpose(1, 2)) as [Tensor, Tensor, Tensor]
    const scores = q.matmul(k.transpose(-2, -1)).div(Math.sqrt(c / this.heads))
    const mask = ones([t, t], { dtype: 'bool' }).tril()
    const weights = scores.maskedFill(mask.logicalNot(), Number.NEGATIVE_INFINITY).softmax(-1)
    const attended = x.add(this.proj(weights.matmul(v).transpose(1, 2).reshape([b, t, c])))
    return attended.add(this.down(this.up(this.norm2(attended)).gelu({ approximate: 'tanh' })))
  }
}

/** The output's weight is the embedding's. */
class Gpt extends Module {
  tokens = new Embedding(11, 8)
  places = new Embedding(5, 8)
  blocks = new ModuleList([new Block(8, 2), new Block(8, 2)])
  norm = new LayerNorm(8)

  forward(x: Tensor): Tensor {
    let h = this.tokens(x).add(this.places(arange(x.shape[1]!)))
    for (const block of this.blocks) h = block(h)
    return this.norm(h).matmul(this.tokens.weight.t()).flatten(0, 1)
  }
}

class Recurrent extends Module {
  out = new Linear(10, 3)

  constructor(readonly rnn: LSTM | GRU) {
    super()
  }

  forward(x: Tensor): Tensor {
    const [output] = this.rnn(x)
    return this.out(output.select(1, -1))
  }
}

const options = { numLayers: 2, batchFirst: true, bidirectional: true }

type Net = Module & { forward(x: Tensor): Tensor }

interface Stepping {
  step(): unknown
  zeroGrad(): void
}

export const trainings: Readonly<Record<string, readonly [make: () => Net, optimiser: (net: Net) => Stepping]>> = {
  mlp: [() => new Mlp(), net => new SGD(net.parameters(), { lr: 0.1, momentum: 0.9, nesterov: true })],
  cnn: [() => new Cnn(), net => new AdamW(net.parameters(), { lr: 1e-2 })],
  gpt: [() => new Gpt(), net => new AdamW(net.parameters(), { lr: 1e-2, weightDecay: 0.1 })],
  lstm: [() => new Recurrent(new LSTM(4, 5, options)), net => new RMSprop(net.parameters(), { lr: 1e-2 })],
  gru: [() => new Recurrent(new GRU(4, 5, options)), net => new Adam(net.parameters(), { lr: 1e-2 })],
}

interface Data {
  readonly shape: readonly number[]
  readonly values: readonly number[]
}

export interface Training {
  readonly inputs: Data
  readonly targets: Data
  readonly start: Readonly<Record<string, Data>>
  readonly losses: readonly number[]
  readonly end: Readonly<Record<string, Data>>
}

const path = fileURLToPath(new URL('../../scripts/torch/training.json.gz', import.meta.url))
export const references = JSON.parse(gunzipSync(readFileSync(path)).toString()) as Readonly<Record<string, Training>>

export const tensorOf = ({ shape, values }: Data, dtype: TensorDtype = 'f64'): Tensor =>
  tensor([...values], { dtype }).reshape(shape)

export const stateOf = (state: Readonly<Record<string, Data>>): StateDict =>
  Object.fromEntries(
    Object.entries(state).map(([name, data]) => {
      const dtype = name.endsWith('num_batches_tracked') ? 'i64' : 'f64'
      return [name, tensorOf(data, dtype)]
    }),
  )

/** Integers, where the model takes tokens. */
export const inputsOf = (name: string, { inputs }: Training): Tensor => tensorOf(inputs, name === 'gpt' ? 'i64' : 'f64')

export const lossOf = (net: Net, x: Tensor, y: Tensor): Tensor => F.crossEntropy(net.forward(x), y)

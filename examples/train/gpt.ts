/**
 * Trains a decoder of the GPT-2 kind on the characters of a text, by default this project's documentation, and lets it write.
 *
 *     npx tsx examples/train/gpt.ts --steps 300
 *     npx tsx examples/train/gpt.ts --device cuda --precision bf16 --layers 12 --heads 12 --width 768 --context 512
 *     npx tsx examples/train/gpt.ts --device cuda --precision fp8              # linear layers multiply 8-bit floats
 *     npx tsx examples/train/gpt.ts --checkpoint out/gpt.safetensors            # killed? once more, with --resume
 */
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { cat, compile, manualSeed, multinomial, noGrad, type Tensor, tensor } from 'tegula'
import { DataLoader, TensorDataset } from 'tegula/data'
import { functional as F, fp8 } from 'tegula/nn'
import { AdamW, cosine, linear, sequential } from 'tegula/optim'
import { Gpt } from './models/gpt.js'
import { type RunOptions, readOptions, withPrecision } from './options.js'
import { train } from './training.js'

const docs = fileURLToPath(new URL('../../docs', import.meta.url))
/** The share of the text that the model is tested on. */
const heldOut = 0.05
const warmup = 20
/** Below 1, samples are likelier than the model's distribution. */
const temperature = 0.8

/** The characters of a text as numbers, and the other way. */
class Vocabulary {
  readonly characters: readonly string[]
  private readonly numbers: ReadonlyMap<string, number>

  constructor(text: string) {
    this.characters = [...new Set(text)].sort()
    this.numbers = new Map(this.characters.map((character, i) => [character, i]))
  }

  encode(text: string): Tensor {
    const numbers = [...text].map(character => this.numbers.get(character))
    const stray = numbers.indexOf(undefined)
    if (stray >= 0) throw new Error(`the character ${JSON.stringify([...text][stray])} is not in the text`)
    return tensor(numbers as number[], { dtype: 'i64' })
  }

  decode(tokens: Tensor): string {
    return (tokens.toArray() as number[]).map(number => this.characters[number]).join('')
  }
}

/** The text of a file, or of all pages of the documentation. */
function readText(file: string): string {
  if (file !== '') return readFileSync(file, 'utf8')
  const pages = readdirSync(docs).filter(name => name.endsWith('.md')).sort() // biome-ignore format: one line
  return pages.map(name => readFileSync(`${docs}/${name}`, 'utf8')).join('\n')
}

/** All windows of `context` tokens and the one after, as views of the text. */
const windows = (tokens: Tensor, context: number): TensorDataset<{ tokens: Tensor }> =>
  new TensorDataset({ tokens: tokens.unfold(0, context + 1, 1) })

/** Mean cross entropy of the tokens of windows [batch, context + 1] after the first. */
function lossOf(net: Gpt, windows: Tensor): Tensor {
  const context = windows.size(1) - 1
  const logits = net(windows.narrow(1, 0, context))
  return F.crossEntropy(logits.flatten(0, 1), windows.narrow(1, 1, context).flatten())
}

/** AdamW as GPT-2 has it: matrices decay, biases and norms do not. */
function optimizerOf(net: Gpt): AdamW {
  const [matrices, vectors] = [true, false].map(isMatrix =>
    net.parameters().filter(({ ndim }) => isMatrix === ndim >= 2),
  ) as [Tensor[], Tensor[]]
  const groups = [
    { params: matrices, weightDecay: 0.1 },
    { params: vectors, weightDecay: 0 },
  ]
  return new AdamW(groups, { lr: 1e-3, betas: [0.9, 0.95] })
}

/** The mean loss over a data set, without dropout. */
function evaluate(net: Gpt, tokens: Tensor, { batch, precision, device, eager }: RunOptions): number {
  const forward = (windows: Tensor): Tensor => noGrad(() => withPrecision(precision, () => lossOf(net, windows)))
  const run = eager ? forward : compile(forward)
  const [count, width] = [Math.floor(tokens.size(0) / (net.config.context + 1)), net.config.context + 1]
  const rows = tokens
    .narrow(0, 0, count * width)
    .view([count, width])
    .to(device)
  net.eval()
  const losses = rows.split(batch, 0).map(part => run(part).itemSync() * part.size(0))
  net.train()
  return losses.reduce((sum, loss) => sum + loss, 0) / count
}

/** `tokens` [time] and `count` that follow, each drawn from the model's distribution. */
function generate(net: Gpt, tokens: Tensor, count: number, { precision, eager }: RunOptions): Tensor {
  const draw = (seen: Tensor): Tensor =>
    noGrad(() => {
      const logits = withPrecision(precision, () => net(seen.unsqueeze(0))).select(1, -1)
      return multinomial(logits.to('f32').div(temperature).softmax(-1), 1).flatten()
    })
  const run = eager ? draw : compile(draw)
  net.eval()
  let all = tokens
  for (let i = 0; i < count; i++) all = cat([all, run(all.slice([-net.config.context, null]))])
  net.train()
  return all
}

async function main(): Promise<void> {
  const options = readOptions('examples/train/gpt.ts', { steps: 300, batch: 16 }, ['f32', 'bf16', 'fp8'], {
    text: ['', 'a file to learn from, instead of docs/'],
    layers: [6, 'blocks'],
    heads: [6, 'heads of attention per block'],
    width: [192, 'features of a token'],
    context: [128, 'the longest sequence'],
    prompt: ['## ', 'how the sample begins'],
    sample: [400, 'characters of the sample'],
  })
  const { layers, heads, width, context, batch, steps, seed, precision, device } = options
  const text = readText(options.text)
  const vocabulary = new Vocabulary(text)
  const all = vocabulary.encode(text)
  const held = Math.floor(heldOut * all.size(0))
  const [training, test] = all.split([all.size(0) - held, held]) as [Tensor, Tensor]

  manualSeed(seed)
  const config = { vocabulary: vocabulary.characters.length, context, layers, heads, width, dropout: 0.1 }
  const net = new Gpt(config).to(device)
  if (precision === 'fp8') fp8(net)
  const optimizer = optimizerOf(net)
  const up = linear(optimizer, { startFactor: 1 / warmup, totalIters: warmup })
  const schedule = sequential(optimizer, [up, cosine(optimizer, Math.max(1, steps - warmup))], [warmup])
  const loader = new DataLoader(windows(training, context), {
    batchSize: batch,
    shuffle: true,
    dropLast: true,
    seed,
    device,
  })
  const count = net.numParameters()
  console.log(`GPT of ${(count / 1e6).toFixed(1)} M parameters on ${all.size(0)} characters, ${precision} on ${device}`)

  await train(
    {
      name: 'gpt',
      net,
      optimizer,
      schedule,
      loader,
      lossOf: ({ tokens }: { readonly tokens: Tensor }) => lossOf(net, tokens),
      unit: 'characters',
      perStep: batch * context,
      config: { ...config, characters: vocabulary.characters.join(''), batch, seed, steps, precision },
    },
    options,
  )
  console.log(`held-out loss     ${evaluate(net, test, options).toFixed(4)}`)
  const sample = generate(net, vocabulary.encode(options.prompt).to(device), options.sample, options)
  console.log(`sample            ${vocabulary.decode(sample).replaceAll('\n', `\n${' '.repeat(18)}`)}`)
}

await main()

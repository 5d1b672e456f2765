/**
 * Twelve GPT-2 blocks of width 768, on one token after `past` others: as tensor code for us and as an ONNX graph for the
 * peer, with the same random weights.
 */
import { cat, randn, type Tensor } from 'tegula'
import { dataOf } from './case.js'
import type { OnnxGraph, OnnxNode, OnnxTensor } from './onnx.js'

export const [layers, width, heads, past] = [12, 768, 12, 127]
const headWidth = width / heads
const hidden = 4 * width

const weightShapes = {
  norm1: [width],
  shift1: [width],
  qkv: [width, 3 * width],
  qkvBias: [3 * width],
  out: [width, width],
  outBias: [width],
  norm2: [width],
  shift2: [width],
  up: [width, hidden],
  upBias: [hidden],
  down: [hidden, width],
  downBias: [width],
} as const

export type BlockWeights = Readonly<Record<keyof typeof weightShapes, Tensor>>

/** Weights of one block and what its attention remembers: keys and values [heads, past, headWidth]. */
export interface Block {
  readonly weights: BlockWeights
  readonly keys: Tensor
  readonly values: Tensor
}

/** A block of tensors from `make`; `scale` is the scale of the values. */
export function blockOf(make: (shape: readonly number[], scale: number) => Tensor): Block {
  const weights = Object.fromEntries(
    Object.entries(weightShapes).map(([name, shape]) => [
      name,
      make(shape, shape.length === 2 ? shape[0] ** -0.5 : 0.5),
    ]),
  )
  const memory = () => make([heads, past, headWidth], 1)
  return { weights: weights as unknown as BlockWeights, keys: memory(), values: memory() }
}

export const randomBlock = (): Block => blockOf((shape, scale) => randn([...shape]).mul(scale))

/** [1, width] → [1, width] */
export function gpt2(x: Tensor, blocks: readonly Block[]): Tensor {
  return blocks.reduce((each, block) => runBlock(each, block), x)
}

function runBlock(x: Tensor, { weights: w, keys, values }: Block): Tensor {
  const qkv = x.layerNorm([width], { weight: w.norm1, bias: w.shift1 }).matmul(w.qkv).add(w.qkvBias)
  const part = (index: number): Tensor => qkv.narrow(1, index * width, width).reshape([heads, 1, headWidth])
  const allKeys = cat([keys, part(1)], 1)
  const allValues = cat([values, part(2)], 1)
  const scores = part(0)
    .matmul(allKeys.transpose(1, 2))
    .mul(headWidth ** -0.5)
  const mixed = scores.softmax(-1).matmul(allValues).reshape([1, width])
  const attended = x.add(mixed.matmul(w.out).add(w.outBias))
  const up = attended.layerNorm([width], { weight: w.norm2, bias: w.shift2 }).matmul(w.up).add(w.upBias)
  return attended.add(up.gelu({ approximate: 'tanh' }).matmul(w.down).add(w.downBias))
}

export function gpt2Graph(blocks: readonly Block[]): OnnxGraph {
  const constants: Record<string, OnnxTensor> = {
    heads: { shape: [3], data: BigInt64Array.from([heads, 1, headWidth].map(BigInt)) },
    flat: { shape: [2], data: BigInt64Array.from([1, width].map(BigInt)) },
    scale: { shape: [], data: Float32Array.of(headWidth ** -0.5) },
  }
  const inputs: Record<string, readonly number[]> = { x: [1, width] }
  const nodes = blocks.flatMap(({ weights }, i) => {
    for (const [name, tensor] of Object.entries(weights)) {
      constants[`${name}_${i}`] = { shape: [...tensor.shape], data: dataOf(tensor) }
    }
    inputs[`keys_${i}`] = inputs[`values_${i}`] = [heads, past, headWidth]
    return blockNodes(i, i === 0 ? 'x' : `y_${i - 1}`)
  })
  return { inputs, outputs: { [`y_${blocks.length - 1}`]: [1, width] }, constants, nodes }
}

export function gpt2Feeds(x: Tensor, blocks: readonly Block[]): Record<string, Float32Array> {
  const memory = blocks.flatMap(({ keys, values }, i) => [
    [`keys_${i}`, dataOf(keys)] as const,
    [`values_${i}`, dataOf(values)] as const,
  ])
  return { x: dataOf(x), ...Object.fromEntries(memory) }
}

function blockNodes(i: number, x: string): OnnxNode[] {
  const own = (name: string): string => `${name}_${i}`
  const node = (op: string, inputs: readonly string[], output: string, attributes: OnnxNode['attributes'] = {}) => ({
    op,
    inputs,
    outputs: [own(output)],
    attributes,
  })
  const linear = (input: string, weight: string, output: string): OnnxNode[] => [
    node('MatMul', [input, own(weight)], `${output}Product`),
    node('Add', [own(`${output}Product`), own(`${weight}Bias`)], output),
  ]
  const norm = (input: string, index: 1 | 2): OnnxNode =>
    node('LayerNormalization', [input, own(`norm${index}`), own(`shift${index}`)], `normed${index}`, { axis: -1 })
  const split = {
    ...node('Split', [own('projected')], 'q', { axis: 1, num_outputs: 3 }),
    outputs: ['q', 'k', 'v'].map(own),
  }
  return [
    norm(x, 1),
    ...linear(own('normed1'), 'qkv', 'projected'),
    split,
    ...['q', 'k', 'v'].map(name => node('Reshape', [own(name), 'heads'], `${name}Heads`)),
    node('Concat', [own('keys'), own('kHeads')], 'allKeys', { axis: 1 }),
    node('Concat', [own('values'), own('vHeads')], 'allValues', { axis: 1 }),
    node('Transpose', [own('allKeys')], 'turned', { perm: [0, 2, 1] }),
    node('MatMul', [own('qHeads'), own('turned')], 'products'),
    node('Mul', [own('products'), 'scale'], 'scores'),
    node('Softmax', [own('scores')], 'weights', { axis: -1 }),
    node('MatMul', [own('weights'), own('allValues')], 'mixedHeads'),
    node('Reshape', [own('mixedHeads'), 'flat'], 'mixed'),
    ...linear(own('mixed'), 'out', 'attention'),
    node('Add', [x, own('attention')], 'attended'),
    norm(own('attended'), 2),
    ...linear(own('normed2'), 'up', 'wide'),
    node('Gelu', [own('wide')], 'active', { approximate: 'tanh' }),
    ...linear(own('active'), 'down', 'fed'),
    node('Add', [own('attended'), own('fed')], 'y'),
  ]
}

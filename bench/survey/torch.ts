/** A case as a call of PyTorch, as plain data for torch_peer.py. Names are those of scripts/torch/ops.txt. */
import { readFileSync } from 'node:fs'
import { bindArguments } from '../../src/graph/bind.js'
import { type RecordName, recordTable } from '../../src/graph/ops/index.js'
import type { TensorDtype } from '../../src/types/dtype.js'
import { functionNames, type Layout, replaceTensors, type SurveyCase, TensorArgument, type Values } from './case.js'
import { integerRange } from './inputs.js'

export interface TorchTensor {
  readonly t: TensorDtype
  readonly shape: readonly number[]
  readonly values: Values
  /** The bounds of integers, which are included. */
  readonly range?: readonly [number, number]
  readonly layout: Layout
  readonly index: number
}

export interface TorchCall {
  readonly id: string
  /** `torch.…`, or `T.…` for a method. */
  readonly name: string
  readonly args: readonly unknown[]
  readonly kwargs: Readonly<Record<string, unknown>>
  /** Called as part of no graph, as its result's size depends on values. */
  readonly eagerOnly: boolean
  /** The tensors by which the result is differentiated; null: it is not. */
  readonly variables: readonly number[] | null
}

const table = new Map(
  readFileSync(new URL('../../scripts/torch/ops.txt', import.meta.url), 'utf8')
    .split('\n')
    .map(line =>
      line
        .split('#')[0]!
        .split(' ')
        .filter(word => word !== '' && !word.startsWith(':')),
    )
    .filter(words => words.length > 1)
    .map(([ours, theirs, ...params]) => [ours!, { name: theirs!, params }]),
)

const pooled = (dims: number) => ({
  name: `torch.nn.functional.max_pool${dims}d_with_indices`,
  params: ['input', 'kernel_size', 'stride', 'padding', 'dilation', 'ceil_mode'],
})
const adaptive = (dims: number) => ({
  name: `torch.nn.functional.adaptive_max_pool${dims}d_with_indices`,
  params: ['input', 'output_size'],
})

/** What ops.txt has no line for: ops that PyTorch's samples do not cover, and random numbers. */
const further: Readonly<Record<string, { readonly name: string; readonly params: readonly string[] }>> = {
  vectorNorm: { name: 'torch.linalg.vector_norm', params: ['x', 'ord', 'dim', 'keepdim', 'dtype'] },
  clampMin: { name: 'torch.clamp_min', params: ['input', 'min'] },
  clampMax: { name: 'torch.clamp_max', params: ['input', 'max'] },
  isreal: { name: 'torch.isreal', params: ['input'] },
  msort: { name: 'torch.msort', params: ['input'] },
  diagflat: { name: 'torch.diagflat', params: ['input', 'offset'] },
  embeddingBag: { name: 'torch.nn.functional.embedding_bag', params: ['input', 'weight', 'offsets'] },
  lpPool3d: {
    name: 'torch.nn.functional.lp_pool3d',
    params: ['input', 'norm_type', 'kernel_size', 'stride', 'ceil_mode'],
  },
  maxPool1dWithIndices: pooled(1),
  maxPool2dWithIndices: pooled(2),
  maxPool3dWithIndices: pooled(3),
  adaptiveMaxPool1dWithIndices: adaptive(1),
  adaptiveMaxPool2dWithIndices: adaptive(2),
  adaptiveMaxPool3dWithIndices: adaptive(3),
  attentionDropout: {
    name: 'torch.nn.functional.scaled_dot_product_attention',
    params: ['query', 'key', 'value', 'attn_mask', 'dropout_p', 'is_causal', 'scale', 'enable_gqa'],
  },
  rand: { name: 'torch.rand', params: ['size', 'dtype'] },
  randn: { name: 'torch.randn', params: ['size', 'dtype'] },
  randint: { name: 'torch.randint', params: ['low', 'high', 'size', 'dtype'] },
  bernoulli: { name: 'torch.bernoulli', params: ['input'] },
  dropout: { name: 'torch.nn.functional.dropout', params: ['input', 'p'] },
  randperm: { name: 'torch.randperm', params: ['n', 'dtype'] },
  multinomial: { name: 'torch.multinomial', params: ['input', 'num_samples'] },
}

const snake = (name: string): string => name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)

/** The case as PyTorch's call; null: it has no such function. */
export function torchCall({ id, op, args, variables }: SurveyCase): TorchCall | null {
  const peer = further[op] ?? table.get(op)
  if (peer === undefined) return null
  let count = 0
  const seen = new Map<TensorArgument, TorchTensor>()
  const written = (value: unknown): unknown => {
    const placed = replaceTensors(value, tensor => {
      if (!seen.has(tensor)) seen.set(tensor, writtenTensor(tensor, count++))
      return seen.get(tensor)
    })
    return typeof placed === 'string' && /^(b?f(16|32|64)|[iu](8|16|32|64)|bool)$/.test(placed) ? { d: placed } : placed
  }
  const eagerOnly = (functionNames as readonly string[]).includes(op)
  const call = eagerOnly
    ? { args: args.map(written), kwargs: {} }
    : argumentsOf(op as RecordName, args, peer.params, written)
  const at = variables?.map(tensor => seen.get(tensor)!.index) ?? null
  return { id, name: peer.name, eagerOnly, variables: at, ...call }
}

/** The first parameter and lists by position, the rest by name; what has its default is left out. */
function argumentsOf(
  op: RecordName,
  args: readonly unknown[],
  params: readonly string[],
  written: (value: unknown) => unknown,
): Pick<TorchCall, 'args' | 'kwargs'> {
  const signature = recordTable[op].signature!
  const isTensor = (value: unknown): boolean => value instanceof TensorArgument
  const bound = bindArguments({ name: op, isMethod: false }, signature, args, isTensor) as Readonly<
    Record<string, unknown>
  >
  const positional: unknown[] = []
  const kwargs: Record<string, unknown> = {}
  const ours = signature.params.filter(({ name }) => (name !== 'seed' && name !== 'offset') || !isRandom(op))
  for (const [i, { name, fallback }] of ours.entries()) {
    const value = bound[name]
    const theirs = params.find(each => each.replace('*', '') === snake(name)) ?? params[i]
    if (theirs?.endsWith('*')) positional.push(...(written(value) as readonly unknown[]))
    else if (i === 0) positional.push(written(value))
    else if (isLeftOut(name, value, fallback)) continue
    else kwargs[theirs ?? snake(name)] = name === 'dim' && isOne(value) ? value[0] : written(value)
  }
  return { args: positional, kwargs }
}

/** Some functions of PyTorch take a number only, and one call gives indices only if a dim is passed. */
const isOne = (value: unknown): value is readonly [number] => Array.isArray(value) && value.length === 1
const isLeftOut = (name: string, value: unknown, fallback: unknown): boolean =>
  name === 'dim' && value !== null
    ? false
    : fallback !== undefined && JSON.stringify(value) === JSON.stringify(fallback)

const isRandom = (op: RecordName): boolean => recordTable[op].category === 'random'

function writtenTensor({ dtype, shape, values, layout }: TensorArgument, index: number): TorchTensor {
  const range = typeof values === 'object' && 'from' in values ? integerRange(dtype, values) : undefined
  return { t: dtype, shape, values, layout, index, ...(range && { range }) }
}

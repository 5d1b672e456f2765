/**
 * Mixed precision: while `autocast` runs a function, matmuls and their like take f32 operands in 16 bits. Ops that would lose too
 * much precision in 16 bits take such operands in f32, and so do ops that require one dtype but get several. The lists are
 * PyTorch's for GPUs (ATen/autocast_mode.h), on all devices.
 */
import { describeAny } from '../base/describe.js'
import { ArgumentError } from '../base/errors.js'
import { requireSynchronous } from '../base/synchronous.js'
import type { RecordName } from '../graph/ops/index.js'
import type { TensorDtype } from '../types/dtype.js'
import { isGradEnabled } from './autograd/mode.js'
import { TensorHandle } from './handle.js'
import type { Tensor } from './tensor-type.js'
import { currentTrace } from './trace.js'

/** What matmuls and their like compute in. */
export type AutocastDtype = 'bf16' | 'f16'

const narrowed: ReadonlySet<string> = new Set<RecordName>([
  ...([
    'matmul',
    'mm',
    'bmm',
    'mv',
    'linear',
    'addmm',
    'addmv',
    'addr',
    'baddbmm',
    'addbmm',
    'multiDot',
    'einsum',
    'vecdot',
  ] as const),
  ...(['conv1d', 'conv2d', 'conv3d', 'convTranspose1d', 'convTranspose2d', 'convTranspose3d', 'prelu'] as const),
  ...(['scaledDotProductAttention', 'attentionDropout', 'attentionLse'] as const),
])

const widened: ReadonlySet<string> = new Set<RecordName>([
  ...(['acos', 'asin', 'cosh', 'sinh', 'tan', 'erfinv', 'exp', 'expm1', 'log', 'log10', 'log1p', 'log2'] as const),
  ...([
    'pow',
    'reciprocal',
    'rsqrt',
    'softplus',
    'sum',
    'prod',
    'cumsum',
    'cumprod',
    'norm',
    'vectorNorm',
    'renorm',
  ] as const),
  ...([
    'softmax',
    'softmin',
    'logSoftmax',
    'layerNorm',
    'groupNorm',
    'normalize',
    'cosineSimilarity',
    'cdist',
    'dist',
    'logsumexp',
    'interpolate',
  ] as const),
  ...([
    'crossEntropy',
    'nllLoss',
    'mseLoss',
    'l1Loss',
    'smoothL1Loss',
    'huberLoss',
    'klDiv',
    'poissonNllLoss',
  ] as const),
  ...(['binaryCrossEntropyWithLogits', 'cosineEmbeddingLoss', 'hingeEmbeddingLoss', 'marginRankingLoss'] as const),
  ...(['multilabelMarginLoss', 'multiMarginLoss', 'softMarginLoss', 'tripletMarginLoss'] as const),
])

/** Those of PyTorch's list that do not promote by themselves. */
const promoted: ReadonlySet<string> = new Set<RecordName>([
  ...(['dot', 'tensordot', 'bilinear', 'gridSample', 'indexPut', 'scatterAdd'] as const),
])

interface Mode {
  readonly dtype: AutocastDtype
  /** Weights that were cast, with the versions of their memory then: each is cast once for all its uses outside of captures. */
  readonly casts: Map<Tensor, { readonly version: number; readonly cast: Tensor }>
}

let mode: Mode | null = null

/** What matmuls and their like compute in now; null: in the dtypes of their operands. */
export const autocastDtype = (): AutocastDtype | null => mode?.dtype ?? null

/**
 * Runs `body` in mixed precision: matmuls, convolutions, linear layers and attention take f32 operands in `dtype`; sums, norms,
 * softmax, losses, powers, exponentials and logarithms take 16-bit ones in f32. Other ops are as always, f64 and integers too.
 * Weights stay f32, and are cast once for all uses within `body`. Call `backward()` outside: gradients have the dtypes of the
 * forward ops, those of weights f32. In a compiled function it is part of the graph.
 *
 * @param dtype 'bf16', or 'f16' (use a `GradScaler` then); null switches an outer `autocast` off
 * @param body a function without arguments; not an async one
 * @returns what `body` gives
 * @throws ArgumentError for another dtype, when `body` is no function, or when it returns a promise
 * @example const loss = autocast('bf16', () => F.crossEntropy(net(x), y)); loss.backward()
 */
export function autocast<R>(dtype: AutocastDtype | null, body: () => R): R {
  if (dtype !== null && dtype !== 'bf16' && dtype !== 'f16')
    throw new ArgumentError(`autocast: dtype is ${describeAny(dtype)}`, { fix: "use 'bf16', 'f16', or null" })
  if (typeof (body as unknown) !== 'function')
    throw new ArgumentError(`autocast: the body is ${describeAny(body)}, not a function`, {
      fix: "autocast('bf16', () => net(x))",
    })
  const before = mode
  mode = dtype === null ? null : { dtype, casts: new Map() }
  try {
    return requireSynchronous(
      body(),
      what => new ArgumentError(`autocast: the function returned ${what}`, { fix: 'await outside of autocast' }),
    )
  } finally {
    mode = before
  }
}

type Cast = (tensor: Tensor, dtype: TensorDtype) => Tensor

/** The inputs of an op as `autocast` has them. For dispatch. */
export function autocastInputs(op: string, inputs: readonly unknown[], cast: Cast): readonly unknown[] {
  if (mode === null) return inputs
  const { dtype } = mode
  if (narrowed.has(op))
    return inputs.map(input => (isOf(input, ['f32', 'bf16', 'f16'], dtype) ? narrow(input, cast) : input))
  const isPromoted = (): boolean =>
    promoted.has(op) && new Set(inputs.flatMap(input => (isFloatOperand(input) ? [input.dtype] : []))).size > 1
  if (widened.has(op) || isPromoted())
    return inputs.map(input => (isOf(input, ['bf16', 'f16'], 'f32') ? cast(input, 'f32') : input))
  return inputs
}

const isFloatOperand = (input: unknown): input is Tensor =>
  input instanceof TensorHandle && (['f32', 'bf16', 'f16'] as const).includes(input.dtype as 'f32')

/** A tensor of one of these dtypes, but not of the wanted one. */
const isOf = (input: unknown, dtypes: readonly TensorDtype[], wanted: TensorDtype): input is Tensor =>
  input instanceof TensorHandle && dtypes.includes(input.dtype) && input.dtype !== wanted

function narrow(input: Tensor, cast: Cast): Tensor {
  const { dtype, casts } = mode!
  // Only what lives outside of `body` is likely to be used again. A capture finds equal casts itself, and one that was made
  // before it would be the weight of that moment at every call.
  const isWeight = input.source.kind === 'storage' && input.isLeaf && input.requiresGrad
  if (!isWeight || currentTrace() !== null) return cast(input, dtype)
  const { version } = input.source
  const known = casts.get(input)
  // No gradient flows through a cast that was made under `noGrad`.
  if (known?.version === version && (known.cast.requiresGrad || !isGradEnabled())) return known.cast
  const made = cast(input, dtype)
  casts.set(input, { version, cast: made })
  return made
}

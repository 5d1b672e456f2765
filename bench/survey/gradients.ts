/** The ops whose gradients are measured too: what networks are trained with. */
import type { RecordName } from '../../src/graph/ops/index.js'
import { isFloat } from '../../src/types/dtype.js'
import { type TensorArgument, tensorsIn } from './case.js'
import { type Form, formOf, type ImageForm, type Maker } from './forms.js'
import type { ImageSize } from './sizes.js'

/** Differentiated with respect to all floats among their arguments. */
const byAll = [
  ...(['add', 'sub', 'mul', 'div', 'pow', 'maximum', 'atan2', 'lerp', 'where', 'maskedFill', 'addcmul'] as const),
  ...(['exp', 'log', 'sqrt', 'rsqrt', 'square', 'abs', 'sin', 'tanh', 'erf', 'clamp', 'reciprocal'] as const),
  ...([
    'relu',
    'gelu',
    'silu',
    'sigmoid',
    'softplus',
    'leakyRelu',
    'elu',
    'mish',
    'hardswish',
    'prelu',
    'glu',
  ] as const),
  ...([
    'sum',
    'mean',
    'amax',
    'max',
    'logsumexp',
    'prod',
    'std',
    'var',
    'norm',
    'cumsum',
    'cumprod',
    'cummax',
  ] as const),
  ...([
    'softmax',
    'logSoftmax',
    'layerNorm',
    'rmsNorm',
    'groupNorm',
    'batchNorm',
    'instanceNorm',
    'normalize',
  ] as const),
  ...(['cat', 'stack', 'pad', 'repeat', 'flip', 'roll', 'tril', 'to', 'clone', 'cosineSimilarity', 'cdist'] as const),
  ...(['gather', 'indexSelect', 'embedding', 'scatterAdd', 'indexAdd', 'indexPut', 'take', 'maskedScatter'] as const),
  ...([
    'mm',
    'bmm',
    'matmul',
    'linear',
    'mv',
    'dot',
    'outer',
    'addmm',
    'baddbmm',
    'einsum',
    'scaledDotProductAttention',
  ] as const),
  ...(['conv1d', 'conv2d', 'conv3d', 'convTranspose2d', 'maxPool1d', 'maxPool2d', 'maxPool3d', 'avgPool2d'] as const),
  ...([
    'adaptiveAvgPool2d',
    'adaptiveMaxPool2d',
    'interpolate',
    'gridSample',
    'pixelShuffle',
    'im2col',
    'fold',
  ] as const),
] satisfies readonly RecordName[]

/** Differentiated with respect to their first argument: what they are compared with is data. */
const byFirst = [
  ...(['crossEntropy', 'nllLoss', 'mseLoss', 'l1Loss', 'smoothL1Loss', 'huberLoss', 'klDiv'] as const),
  ...(['binaryCrossEntropy', 'binaryCrossEntropyWithLogits', 'sort', 'topk', 'kthvalue', 'median'] as const),
] satisfies readonly RecordName[]

export const gradientOps: readonly RecordName[] = [...byAll, ...byFirst]

/** While training: with the batch's own statistics. */
const batchNorm: ImageForm = {
  ...(formOf('batchNorm') as ImageForm),
  calls: [
    (make: Maker, { images, channels, height, width }: ImageSize) => [
      make.main([images, channels, height, width]),
      null,
      null,
      { training: true, weight: make.dense([channels]), bias: make.dense([channels]) },
    ],
  ],
}

/** The form of an op whose gradient is measured: of floats. */
export const gradientFormOf = (op: RecordName): Form => ({
  ...(op === 'batchNorm' ? batchNorm : (formOf(op) as Form)),
  takes: 'float',
})

/** The tensors among an op's arguments by which it is differentiated. */
export function variablesOf(op: RecordName, args: readonly unknown[]): readonly TensorArgument[] {
  const floats = [...new Set(tensorsIn(args))].filter(({ dtype }) => isFloat(dtype))
  return (byFirst as readonly RecordName[]).includes(op) ? floats.slice(0, 1) : floats
}

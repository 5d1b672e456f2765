/**
 * How a call of PyTorch's with named arguments is written here: which arguments go by position (in this order; the others
 * are options), and what is spelled otherwise.
 */
import * as tg from '../../src/index.js'
import { functional } from '../../src/nn/index.js'
import { Tensor } from '../../src/tensor/tensor.js'

export type Named = Readonly<Record<string, unknown>>

/** Arguments by position; `…list` stands for the elements of a list. Ops that are missing take `input` and options. */
const positional: Record<string, string> = {}
for (const line of `
  add sub mul trueDivide floorDivide remainder fmod maximum minimum eq ne lt le gt ge logicalAnd logicalOr logicalXor div: input other
  bitwiseAnd bitwiseOr bitwiseXor bitwiseLeftShift bitwiseRightShift atan2 copysign hypot xlogy logaddexp isclose: input other
  xlog1py logaddexp2 ldexp fmax fmin gcd lcm inner matmul kron cross allclose equal rsub: input other
  pow floatPower: input exponent
  clamp: input min max
  lerp: input end weight
  addcmul addcdiv: input tensor1 tensor2
  heaviside: input values
  prelu: input weight
  threshold: input threshold value
  sum prod mean any all var std varMean stdMean amax amin argmax argmin nansum nanmean cumsum cumprod logsumexp softmax: input dim
  logSoftmax softmin maxWithIndices minWithIndices medianWithIndices nanmedianWithIndices countNonzero: input dim
  cummax cummin logcumsumexp: input dim
  norm: input p dim
  linalg.vectorNorm linalg.norm linalg.matrixNorm: input ord dim
  layerNorm rmsNorm: input normalizedShape
  groupNorm: input numGroups
  batchNorm: input runningMean runningVar
  localResponseNorm: input size
  mseLoss l1Loss smoothL1Loss huberLoss binaryCrossEntropy binaryCrossEntropyWithLogits klDiv nllLoss crossEntropy: input target
  poissonNllLoss softMarginLoss hingeEmbeddingLoss multilabelSoftMarginLoss multiMarginLoss multilabelMarginLoss: input target
  cosineSimilarity pairwiseDistance cdist: x1 x2
  tripletMarginLoss: anchor positive negative
  cosineEmbeddingLoss marginRankingLoss: input1 input2 target
  gaussianNllLoss: input target var
  reshape view expand broadcastTo: input shape
  flatten: input startDim endDim
  squeeze unsqueeze: input dim
  permute tile: input dims
  transpose: input dim0 dim1
  swapaxes: input axis0 axis1
  narrow: input dim start length
  select: input dim index
  flip: input dims
  unflatten: input dim sizes
  movedim: input source destination
  roll: input shifts dims
  rot90: input k dims
  repeat: input repeats
  repeatInterleave: input repeats dim
  diagonal: input offset dim1 dim2
  diag tril triu: input diagonal
  unfold: input dimension size step
  diff: input n dim
  oneHot: input numClasses
  pad: input pad
  where: condition input other
  maskedFill: input mask value
  cat stack: tensors dim
  gather indexSelect: input dim index
  embedding: input weight
  scatter scatterAdd: input dim index src
  scatterReduce: input dim index src reduce
  indexAdd indexCopy: input dim index source
  indexFill: input dim index value
  takeAlongDim: input indices dim
  take: input index
  maskedScatter: input mask source
  selectScatter: input src dim index
  sliceScatter: input src
  topk: input k
  kthvalue: input k
  quantile nanquantile: input q
  searchsorted: sortedSequence input
  bucketize: input boundaries
  isin: elements testElements
  mm bmm: input mat2
  mv: input vec
  dot: input tensor
  linear: input weight
  addmm: input mat1 mat2
  baddbmm addbmm: input batch1 batch2
  addmv: input mat vec
  addr: input vec1 vec2
  einsum: equation …operands
  outer: input vec2
  tensordot: a b dims
  multiDot: tensors
  matrixPower: input n
  scaledDotProductAttention: query key value
  vecdot: x y
  bilinear: input1 input2 weight
  dist: input other p
  conv1d conv2d conv3d convTranspose1d convTranspose2d convTranspose3d: input weight
  maxPool1d maxPool2d maxPool3d avgPool1d avgPool2d avgPool3d im2col: input kernelSize
  adaptiveAvgPool1d adaptiveAvgPool2d adaptiveAvgPool3d adaptiveMaxPool1d adaptiveMaxPool2d adaptiveMaxPool3d: input outputSize
  indexPut: input indices values accumulate
  logspace: start end steps base
  fliplr flipud: input
  fold: input outputSize kernelSize
  maxUnpool1d maxUnpool2d maxUnpool3d: input indices kernelSize
  gridSample: input grid
  pixelShuffle: input upscaleFactor
  pixelUnshuffle: input downscaleFactor
  channelShuffle: input groups
  to: input dtype
  full: size fillValue
  arange: start end step
  linspace: start end steps
  eye: n m
  split: tensor splitSizeOrSections dim
  tensorSplit: input indicesOrSections dim
  chunk: input chunks dim
  unbind: input dim
  meshgrid hstack vstack dstack columnStack atleast1d atleast2d atleast3d blockDiag cartesianProd: tensors
  combinations: input r withReplacement
  trilIndices triuIndices: row col offset
  maskedSelect: input mask
`.split('\n')) {
  const [names, order] = line.split(': ')
  for (const name of names!.trim().split(/\s+/)) if (order !== undefined) positional[name] = order
}

const functions: Readonly<Record<string, unknown>> = {
  ...functional,
  ...tg,
  var: (x: Tensor, ...rest: never[]) => x.var(...rest),
  maxWithIndices: tg.max,
  minWithIndices: tg.min,
  medianWithIndices: tg.median,
  nanmedianWithIndices: tg.nanmedian,
}

const camel = (name: string): string => name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())

/** The function of this package, or null where there is none. */
export function functionOf(op: string): ((...args: readonly unknown[]) => unknown) | null {
  const found = op
    .split('.')
    .reduce<unknown>((at, name) => (at as Readonly<Record<string, unknown>> | undefined)?.[name], functions)
  if (typeof found === 'function') return found as (...args: readonly unknown[]) => unknown
  const method = (Tensor.prototype as unknown as Readonly<Record<string, unknown>>)[op]
  return typeof method === 'function'
    ? (self, ...args) => (method as (...args: readonly unknown[]) => unknown).apply(self, [...args])
    : null
}

/** Arguments that PyTorch has and this package has no use for: how it computes, and defaults that are null or false here. */
const without: Readonly<Record<string, unknown>> = {
  computeMode: undefined,
  returnIndices: false,
  asTuple: false,
  dropoutP: 0,
  assumeUnique: undefined,
  returnInverse: undefined,
  returnCounts: undefined,
  sorted: undefined,
}

/** The function that gives what PyTorch's gives with these arguments, where that is a function of its own. */
export function variantOf(op: string, args: ReadonlyMap<string, unknown>): string {
  if (args.get('returnIndices') === true || args.get('return_indices') === true) return `${op}WithIndices`
  if (op === 'unique' && (args.get('returnInverse') === true || args.get('returnCounts') === true))
    return 'uniqueWithParts'
  return op
}

/** PyTorch gives what was asked for, functions here always the same: only what it gives is compared. */
function asked(op: string, args: ReadonlyMap<string, unknown>, result: unknown): unknown {
  if (op !== 'uniqueWithParts' && op !== 'uniqueConsecutive') return result
  const { values, inverse, counts } = result as Readonly<Record<string, unknown>>
  return [
    values,
    ...(args.get('returnInverse') === true ? [inverse] : []),
    ...(args.get('returnCounts') === true ? [counts] : []),
  ]
}

/** Calls the op with PyTorch's arguments by name. */
export function callOp(name: string, given: Named): unknown {
  const args = new Map(Object.entries(given).map(([key, value]) => [camel(key), value]))
  const op = variantOf(name, args)
  const shown = new Map(args)
  for (const [key, value] of Object.entries(without))
    if (!(op === 'topk' && key === 'sorted') && (value === undefined || args.get(key) === value || op !== name))
      args.delete(key)
  const order = (positional[name] ?? 'input').split(' ')
  const list: unknown[] = []
  for (const name of order) {
    const value = args.get(name.replace('…', ''))
    if (name.startsWith('…')) list.push(...(value as readonly unknown[]))
    // What PyTorch's batch norm must be told, so must ours.
    else list.push(value ?? (name.startsWith('running') ? null : undefined))
    args.delete(name.replace('…', ''))
  }
  const options = Object.fromEntries([...args].filter(([, value]) => value !== null && value !== undefined))
  while (list.length > 0 && list.at(-1) === undefined) list.pop()
  return asked(op, shown, functionOf(op)!(...list, ...(Object.keys(options).length === 0 ? [] : [options])))
}

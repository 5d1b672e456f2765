/**
 * Tolerances: one table for interpreter, eager and compiled code. A value may be off by a few units in the last place of its
 * dtype; for compositions and sums, by the error of their plain evaluation in that dtype.
 */
import type { HostTensor } from '../../src/graph/record.js'
import type { Value } from '../../src/scalar/ops.js'
import type { Dtype } from '../../src/types/dtype.js'

/** |actual − expected| ≤ relative · |expected| + absolute. */
export interface Tolerance {
  readonly relative: number
  readonly absolute: number
  /** −0 and 0 count as equal. */
  readonly anyZero: boolean
}

/** The distance from 1 to the next larger number. */
const epsilon: Partial<Record<Dtype, number>> = { f64: 2 ** -52, f32: 2 ** -23, f16: 2 ** -10, bf16: 2 ** -7 }

/** Ops whose result for two zeros may be either zero; also reductions of zeros. */
const anyZeroOps = new Set(['maximum', 'minimum', 'clamp', 'relu', 'relu6', 'hardtanh', 'amax', 'amin', 'max', 'min'])
for (const name of [
  'aminmax',
  'maxPool1d',
  'maxPool2d',
  'maxPool3d',
  'adaptiveMaxPool1d',
  'adaptiveMaxPool2d',
  'adaptiveMaxPool3d',
  'maxPool1dWithIndices',
  'maxPool2dWithIndices',
  'maxPool3dWithIndices',
  'maxWithIndices',
  'minWithIndices',
  'sum',
  'linear',
  'matmul',
  'mm',
  'mv',
  'bmm',
  'dot',
  'outer',
  'cumsum',
  'mean',
  'sign',
  'logSigmoid',
  'fmax',
  'fmin',
  'cummax',
  'cummin',
  'median',
  'nanmedian',
  'mode',
])
  anyZeroOps.add(name)

/** Sums and products of many terms, and compositions with cancellation: errors are relative to the terms, not the result. */
const composed: Readonly<Record<string, number>> = {
  sum: 64,
  mean: 64,
  prod: 64,
  var: 128,
  std: 128,
  varMean: 128,
  stdMean: 128,
  norm: 64,
  vectorNorm: 64,
  nansum: 64,
  nanmean: 64,
  trace: 64,
  addmm: 64,
  baddbmm: 64,
  addbmm: 64,
  addmv: 64,
  einsum: 128,
  scaledDotProductAttention: 256,
  attentionDropout: 256,
  attentionLse: 256,
  inner: 64,
  tensordot: 128,
  groupNorm: 512,
  batchNorm: 512,
  instanceNorm: 512,
  normalize: 64,
  mseLoss: 64,
  l1Loss: 64,
  smoothL1Loss: 64,
  huberLoss: 64,
  binaryCrossEntropy: 64,
  klDiv: 64,
  binaryCrossEntropyWithLogits: 64,
  nllLoss: 64,
  crossEntropy: 64,
  cosineSimilarity: 64,
  poissonNllLoss: 64,
  gaussianNllLoss: 64,
  softMarginLoss: 64,
  hingeEmbeddingLoss: 64,
  marginRankingLoss: 64,
  multilabelSoftMarginLoss: 64,
  multiMarginLoss: 64,
  cdist: 64,
  cov: 64,
  corrcoef: 64,
  trapezoid: 16,
  cumulativeTrapezoid: 16,
  vander: 16,
  renorm: 16,
  pairwiseDistance: 64,
  dist: 64,
  tripletMarginLoss: 64,
  cosineEmbeddingLoss: 64,
  multiDot: 256,
  matrixPower: 1024,
  vecdot: 64,
  cross: 16,
  addr: 16,
  bilinear: 128,
  conv1d: 128,
  conv2d: 128,
  conv3d: 128,
  convTranspose1d: 128,
  convTranspose2d: 128,
  convTranspose3d: 128,
  fold: 64,
  localResponseNorm: 64,
  glu: 8,
  avgPool1d: 16,
  avgPool2d: 16,
  avgPool3d: 16,
  adaptiveAvgPool1d: 16,
  adaptiveAvgPool2d: 16,
  adaptiveAvgPool3d: 16,
  interpolate: 16,
  gridSample: 64,
  upsample: 16,
  scatter: 64,
  scatterAdd: 64,
  scatterReduce: 64,
  indexAdd: 64,
  cumsum: 64,
  cumprod: 64,
  logcumsumexp: 64,
  quantile: 16,
  nanquantile: 16,
  logsumexp: 32,
  softmax: 32,
  softmin: 32,
  logSoftmax: 64,
  layerNorm: 512,
  rmsNorm: 64,
  mm: 64,
  bmm: 64,
  mv: 64,
  dot: 64,
  matmul: 128,
  linear: 64,
  gelu: 16,
  mish: 16,
  lerp: 16,
  addcmul: 16,
  addcdiv: 32,
  tanhshrink: 16,
  xlogy: 8,
  xlog1py: 8,
  logaddexp2: 8,
  logit: 8,
  sinc: 16,
  lgamma: 64,
  digamma: 16,
  logaddexp: 8,
  hypot: 4,
  randn: 16,
  elu: 8,
  selu: 8,
  celu: 8,
}

/** Ops that round their factors to narrow floats in between: an error of one unit of the terms, which are below 2. */
const roundsWithin = new Set([
  'scaledDotProductAttention',
  'attentionDropout',
  'attentionLse',
  'multiDot',
  'matrixPower',
])

/**
 * The tolerance of an op for results of `dtype`. Integers and bool are exact. Narrow floats are rounded once at the
 * end, so compositions lose at most one unit in them.
 */
export function toleranceFor(op: string, dtype: Dtype): Tolerance {
  const unit = epsilon[dtype]
  if (unit === undefined) return { relative: 0, absolute: 0, anyZero: true }
  const narrow = dtype === 'f16' || dtype === 'bf16'
  const units = narrow ? 1 : (composed[op] ?? 4)
  // Among subnormals the spacing is constant: an error factor of a few hundred there counts like one unit of normal numbers.
  const subnormal = { f64: 3e-322, f32: 1e-43, f16: 6e-8, bf16: 1e-40 }[dtype as 'f64']
  if (narrow && roundsWithin.has(op)) return { relative: 2 * unit, absolute: 2 * unit, anyZero: true }
  return {
    relative: units * unit,
    absolute: composed[op] === undefined ? subnormal : units * (narrow ? 2 ** -20 : unit),
    anyZero: anyZeroOps.has(op) || composed[op] !== undefined,
  }
}

const print = (value: Value): string => (Object.is(value, -0) ? '-0' : String(value))

function differ(actual: Value, expected: Value, tolerance: Tolerance): boolean {
  if (typeof actual === 'bigint' || typeof expected === 'bigint') return actual !== expected
  if (Number.isNaN(expected)) return !Number.isNaN(actual)
  if (actual === expected) return !tolerance.anyZero && !Object.is(actual, expected)
  return !(Math.abs(actual - expected) <= tolerance.relative * Math.abs(expected) + tolerance.absolute)
}

/** null if the tensors agree, else one line about the first differing element. */
export function difference(actual: HostTensor, expected: HostTensor, tolerance: Tolerance): string | null {
  const type = ({ dtype, shape }: HostTensor): string => `${dtype}[${shape.join(', ')}]`
  if (type(actual) !== type(expected)) return `is ${type(actual)}, expected ${type(expected)}`
  if (actual.data.length !== expected.data.length)
    return `has ${actual.data.length} elements, expected ${expected.data.length}`
  const at = actual.data.findIndex((value, i) => differ(value, expected.data[i]!, tolerance))
  if (at < 0) return null
  const many = actual.data.filter((value, i) => differ(value, expected.data[i]!, tolerance)).length
  return `${type(expected)}: element ${at} is ${print(actual.data[at]!)}, expected ${print(expected.data[at]!)} (${many} of ${expected.data.length} differ)`
}

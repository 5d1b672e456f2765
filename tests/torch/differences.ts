/**
 * Where answers deliberately are not PyTorch's, each with its reason: the one list of it. A row that no case needs any
 * more fails the suite, so that it goes when what it excuses does.
 */
import type { Kind } from './check.js'

export interface Deliberate {
  /** Names of ops; absent: any. */
  readonly ops?: string
  readonly kind: Kind
  /** Found in the case and what differs, as the suite prints them. */
  readonly when?: RegExp
  readonly why: string
}

const narrow = / (b?f16)\[/

/**
 * Checked on all cases whose statistics are the input's own, against the formula in float64: with the mean and 1 / std rounded
 * to f16 it gives every one of PyTorch's 642 elements in f16 (475 with neither rounded). In bf16 the rounded ones explain most:
 * 535 of 642 equal (383 with neither), 14 beyond the tolerance (26). Why the rest differ is not known. The running statistics afterwards agree.
 */
const roundedStatistics = 'PyTorch rounds the mean and 1 / std to the narrow dtype, here they are f32 until the end'

export const deliberate: readonly Deliberate[] = [
  // --- other numbers ---------------------------------------------------------------------------------------------------
  {
    kind: 'wrong',
    when: /(other|exponent|input|weight): -?\d+\.0[,)].* is [iu]\d+\[[\d, ]*\], expected f/,
    why: 'JavaScript does not tell 2.0 from 2: a whole number beside integers is an integer',
  },
  {
    ops: 'full',
    kind: 'wrong',
    when: /is f32\[2\], expected i64/,
    why: 'a number gives f32: JavaScript does not tell 3 from 3.0',
  },
  { ops: 'sign sgn', kind: 'wrong', when: /is NaN, expected 0/, why: 'NaN stays NaN' },
  { ops: 'gelu', kind: 'wrong', when: /is Infinity, expected NaN/, why: 'gelu(∞) is ∞' },
  {
    ops: 'sinc',
    kind: 'wrong',
    when: /expected NaN/,
    why: 'sinc of ±∞, and of what overflows times π, is its limit 0',
  },
  { ops: 'softsign gcd', kind: 'wrong', when: /[iu]\d+\[/, why: "the least integer's size is not negative" },
  { ops: 'silu', kind: 'wrong', when: /e-4\d/, why: 'numbers below the normal ones are not flushed to 0' },
  { ops: 'erf', kind: 'wrong', when: narrow, why: 'PyTorch is off by several units near 0 in bf16' },
  { ops: 'any all', kind: 'wrong', when: /input: u8/, why: 'the answer is bool for every dtype' },
  { ops: 'einsum', kind: 'wrong', when: /expected i64/, why: 'the dtype stays, also where a sum is the last step' },
  {
    ops: 'embedding',
    kind: 'refused',
    when: /scaleGradByFreq|sparse/,
    why: 'they say how gradients are kept',
  },
  { ops: 'histc', kind: 'wrong', when: narrow, why: 'the middle of a range in f16 may fall into either bin' },
  {
    ops: 'varMean stdMean',
    kind: 'wrong',
    when: /is -?Infinity, expected NaN/,
    why: 'the mean of a row with ∞ is ∞, as mean() says',
  },
  {
    ops: 'std stdMean var varMean',
    kind: 'wrong',
    when: /Infinity, expected/,
    why: 'squares of f32 are f32 and may overflow',
  },
  { ops: 'softmin', kind: 'wrong', when: /u8\[/, why: 'PyTorch negates before it converts, and u8 wraps around' },
  {
    ops: 'bincount',
    kind: 'wrong',
    when: /expected f64/,
    why: 'integer weights are counted in their own dtype, exactly',
  },
  {
    ops: 'trapezoid cumulativeTrapezoid',
    kind: 'wrong',
    when: /u8\[/,
    why: 'PyTorch subtracts before it converts, and u8 wraps around',
  },
  {
    ops: 'cov',
    kind: 'wrong',
    when: /f64\[.*aweights: f32/,
    why: "weights are added up in the result's dtype",
  },
  {
    ops: 'div fmod remainder',
    kind: 'wrong',
    when: narrow,
    why: 'PyTorch rounds the quotient to the narrow dtype before it cuts it',
  },
  {
    ops: 'logit tanhshrink logsumexp logSoftmax klDiv cosineSimilarity poissonNllLoss hingeEmbeddingLoss multilabelSoftMarginLoss multiDot cross addr bilinear interpolate gridSample addbmm',
    kind: 'wrong',
    when: narrow,
    why: 'PyTorch rounds to the narrow dtype between steps; here it is done once, at the end',
  },
  // --- not supported ---------------------------------------------------------------------------------------------------
  {
    ops: 'poissonNllLoss marginRankingLoss bilinear cosineEmbeddingLoss tripletMarginLoss pairwiseDistance localResponseNorm conv1d conv2d conv3d convTranspose1d convTranspose2d convTranspose3d avgPool1d avgPool2d avgPool3d interpolate softmax logSoftmax scatterReduce',
    kind: 'refused',
    when: /needs floats/,
    why: 'of integers PyTorch gives cut or wrapped numbers: the cast is asked for',
  },
  {
    ops: 'baddbmm addbmm addmv',
    kind: 'refused',
    when: /on integers/,
    why: 'fractional factors of integers: PyTorch cuts them',
  },
  {
    ops: 'quantile nanquantile',
    kind: 'refused',
    when: /q is/,
    why: 'q is part of the op: a number or a list of numbers',
  },
  {
    ops: 'searchsorted',
    kind: 'refused',
    when: /'side'|'sorter'/,
    why: '{ right } says the side; sort the sequence first',
  },
  {
    ops: 'unique uniqueConsecutive',
    kind: 'refused',
    when: /'dim'|returnInverse|returnCounts|dim: /,
    why: 'of whole tensors only',
  },
  { ops: 'nonzero', kind: 'refused', when: /as_?tuple/i, why: 'one tensor of rows: unbind(1) gives the columns' },
  { ops: 'tensorSplit', kind: 'refused', when: /object of class Tensor/, why: 'places are part of the op: numbers' },
  {
    ops: 'maxUnpool1d maxUnpool2d maxUnpool3d',
    kind: 'refused',
    when: /outputSize has/,
    why: 'outputSize is of the spatial dims',
  },
  { ops: 'avgPool2d', kind: 'refused', when: /padding has/, why: 'one number, or one per dim' },
  {
    ops: 'norm linalg.norm linalg.matrixNorm',
    kind: 'refused',
    when: /singular values/,
    why: 'singular values are not supported',
  },
  { ops: 'matrixPower', kind: 'refused', when: /n is -/, why: 'there is no inverse of matrices' },
  { ops: 'median nanmedian', kind: 'refused', when: /no elements/, why: 'of nothing there is no median' },
  { ops: 'unfold', kind: 'refused', when: /0-d/, why: 'a 0-d tensor has no windows' },
  { ops: 'multiMarginLoss', kind: 'refused', why: 'the target is of the input without its classes, exactly' },
  { ops: 'cosineSimilarity', kind: 'refused', when: /0-d/, why: 'a 0-d tensor has no dim' },
  { ops: 'smoothL1Loss', kind: 'refused', when: /beta/, why: 'beta 0 is l1Loss' },
  { ops: 'pairwiseDistance', kind: 'refused', when: /p is -/, why: 'norms of negative p are norm()' },
  { ops: 'linear', kind: 'refused', when: /no matrix/, why: 'the weight is a matrix; mv and dot take vectors' },
  {
    ops: 'mseLoss gaussianNllLoss',
    kind: 'refused',
    when: /differ|do not broadcast/,
    why: 'PyTorch itself warns that such broadcasting is likely a mistake',
  },
  { ops: 'where', kind: 'refused', when: /condition is u8/, why: 'PyTorch deprecates conditions that are not bool' },
  { ops: 'view', kind: 'refused', why: 'a view of these strides is reshape()' },
  {
    ops: 'scaledDotProductAttention',
    kind: 'wrong',
    when: /dropout_p/,
    why: 'random: what dropout draws',
  },
  { ops: 'pow', kind: 'refused', why: 'the base is a tensor; bool has no powers' },
  {
    ops: 'takeAlongDim',
    kind: 'refused',
    when: /out of range/,
    why: 'an index out of range wraps around in PyTorch by accident',
  },
  // --- more than PyTorch takes -----------------------------------------------------------------------------------------
  {
    kind: 'accepted',
    when: /not implemented for|not supported|not supported for|does not support|is only supported|nsupported/,
    why: 'more dtypes',
  },
  {
    ops: 'batchNorm',
    kind: 'refused',
    when: /input \[0\] is not/,
    why: 'the channels are the second dim, also of no elements',
  },
  {
    ops: 'batchNorm',
    kind: 'wrong',
    when: /running_mean: b?f16\[.*training: true.*\| result 0 b?f16\[/,
    why: roundedStatistics,
  },
  {
    ops: 'instanceNorm',
    kind: 'wrong',
    when: /running_mean: b?f16\[(?!.*use_input_stats: false).*\| result 0 b?f16\[/,
    why: roundedStatistics,
  },
  { ops: 'isclose heaviside', kind: 'accepted', when: /did not match|different dtypes/, why: 'operands are promoted' },
  { ops: 'instanceNorm', kind: 'accepted', when: /more than 1 spatial/, why: 'one place has no variance: 0' },
  {
    ops: 'binaryCrossEntropy gaussianNllLoss cov',
    kind: 'accepted',
    when: /between 0 and 1|negative entr|aweights cannot be negative/,
    why: 'values of floats are not read before an op runs',
  },
  {
    ops: 'crossEntropy nllLoss',
    kind: 'accepted',
    when: /expected scalar type Long/,
    why: 'classes of any integer dtype',
  },
  { ops: 'tripletMarginLoss', kind: 'accepted', when: /margin must be/, why: 'the formula holds for any margin' },
  { ops: 'addcdiv', kind: 'accepted', when: /Integer division/, why: 'it is the true division' },
  { ops: 'prelu', kind: 'accepted', when: /Mismatch|zero-dim/, why: 'weights broadcast' },
  { ops: 'softshrink', kind: 'accepted', when: /lambda must be/, why: 'the formula holds for negative lambd too' },
  { ops: 'roll', kind: 'accepted', when: /no dimensions/, why: 'a 0-d tensor takes dims 0 and −1' },
  {
    ops: 'pad maxPool1d maxPool3d',
    kind: 'accepted',
    when: /too small|positive length|Expected 2D or 3D/,
    why: 'of nothing the result is nothing',
  },
  { ops: 'indexAdd', kind: 'accepted', when: /source tensor shape/, why: 'one element is one slice of a line' },
  {
    ops: 'takeAlongDim',
    kind: 'accepted',
    when: /index -\d+ is out of bounds/,
    why: 'negative indices count from the end with and without dim',
  },
  { ops: 'cross', kind: 'accepted', when: /same number of dimensions|must have length 3/, why: 'operands broadcast' },
  {
    ops: 'arange',
    kind: 'accepted',
    when: /inconsistent/,
    why: 'no values lie between: an empty tensor, as in Python',
  },
  {
    kind: 'accepted',
    when: /must be Tensor, not|invalid combination of arguments/,
    why: 'more arguments that may be numbers',
  },
]

/** Documented ops that PyTorch has no function for, or none with an answer to write down. */
export const withoutCounterpart: Readonly<Record<string, string>> = {
  bitcast: 'x.view(dtype): bits of other formats',
  slice: "Python's own syntax: x[1:3]",
  rand: 'random',
  randn: 'random',
  randint: 'random',
  bernoulli: 'random',
  dropout: 'random',
  attentionDropout: 'random',
  attentionLse: 'flex_attention with return_lse',
  randperm: 'random',
  vectorNorm: 'linalg.vector_norm',
  adaptiveMaxPool1dWithIndices: 'adaptive_max_pool1d with return_indices',
  adaptiveMaxPool2dWithIndices: 'adaptive_max_pool2d with return_indices',
  adaptiveMaxPool3dWithIndices: 'adaptive_max_pool3d with return_indices',
  maxPool1dWithIndices: 'max_pool1d with return_indices',
  maxPool2dWithIndices: 'max_pool2d with return_indices',
  maxPool3dWithIndices: 'max_pool3d with return_indices',
}

/** Ops whose answers are worked out in plain JavaScript instead: tests/tensor/plain-values.test.ts. */
export const inPlainJavaScript: readonly string[] = [
  'clampMin',
  'clampMax',
  'positive',
  'isreal',
  'msort',
  'diagflat',
  'embeddingBag',
  'lpPool1d',
  'lpPool2d',
  'lpPool3d',
]

/** Functions with answers of PyTorch's to hold them to that are not here, each with what there is instead. */
export const notHere: Readonly<Record<string, string>> = {}

/** Which ops are methods, and which also write in place. */
import { activationRecords } from '../graph/ops/activation.js'
import { arithmeticRecords } from '../graph/ops/arithmetic.js'
import type { RecordName } from '../graph/ops/index.js'
import { mathRecords } from '../graph/ops/math.js'
import { numericRecords } from '../graph/ops/numeric.js'
import { specialRecords } from '../graph/ops/special.js'

/**
 * Ops without a derived method: those that take no tensor first, those that PyTorch has as functions only, and those whose
 * method `Tensor` declares itself because it is more than the op (`to` also moves, `contiguous` may need no op).
 */
export const withoutMethod = [
  ...(['full', 'arange', 'linspace', 'eye', 'rand', 'randn', 'randint'] as const),
  ...(['bernoulli', 'dropout', 'attentionDropout', 'attentionLse', 'randperm'] as const),
  ...(['cat', 'stack', 'embedding', 'linear', 'einsum', 'multiDot', 'vectorNorm'] as const),
  ...(['trapezoid', 'cumulativeTrapezoid', 'vander'] as const),
  ...(['to', 'contiguous', 'where', 'view', 'bitcast'] as const),
] satisfies readonly RecordName[]

/**
 * Ops that are no free functions: those that functions of the same name with a random state, a device or a whole tensor's
 * knowledge stand for, views by another name, and `var`, which JavaScript lets nobody declare.
 */
export const withoutFunction = [
  ...(['full', 'arange', 'linspace', 'eye', 'rand', 'randn', 'randint'] as const),
  ...(['bernoulli', 'dropout', 'attentionDropout', 'attentionLse', 'randperm'] as const),
  ...(['scaledDotProductAttention', 'to', 'contiguous', 'clone', 'view', 'bitcast', 'var'] as const),
] satisfies readonly RecordName[]

/** Ops with a method that writes into its tensor (`add_`): those that give one value for each of the tensor's. */
export const inPlaceNames = [
  ...(Object.keys(arithmeticRecords) as (keyof typeof arithmeticRecords)[]),
  ...(Object.keys(mathRecords) as (keyof typeof mathRecords)[]),
  ...(Object.keys(numericRecords) as (keyof typeof numericRecords)[]),
  ...(Object.keys(specialRecords) as (keyof typeof specialRecords)[]),
  ...(Object.keys(activationRecords) as (keyof typeof activationRecords)[]),
  ...(['maskedFill'] as const),
  ...(['scatter', 'scatterAdd', 'scatterReduce', 'indexAdd', 'indexCopy', 'indexFill'] as const),
]

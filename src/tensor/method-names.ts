/** Which ops are methods, and which also write in place. */
import { activationRecords } from '../graph/ops/activation.js'
import { arithmeticRecords } from '../graph/ops/arithmetic.js'
import { type RecordName, recordNames } from '../graph/ops/index.js'
import { mathRecords } from '../graph/ops/math.js'
import { aliasesOf, overloadParts, type PublicName } from '../graph/ops/names.js'
import { numericRecords } from '../graph/ops/numeric.js'
import { specialRecords } from '../graph/ops/special.js'

/**
 * Ops without a derived method: those that take no tensor first, those that PyTorch has as functions only, and those whose
 * method `Tensor` declares itself because it is more than the op (`to` also moves, `contiguous` may need no op).
 */
const withoutMethod = [
  ...(['full', 'arange', 'linspace', 'eye', 'rand', 'randn', 'randint'] as const),
  ...(['bernoulli', 'dropout', 'attentionDropout', 'attentionLse', 'randperm'] as const),
  ...(['cat', 'stack', 'embedding', 'embeddingBag', 'linear', 'einsum', 'multiDot', 'vectorNorm'] as const),
  ...(['trapezoid', 'cumulativeTrapezoid', 'vander'] as const),
  ...(['to', 'contiguous', 'where', 'view', 'bitcast'] as const),
] satisfies readonly RecordName[]

/**
 * Ops without a derived free function: those with a hand-written function of the same name (which adds a random state, a
 * device or a value read), views under another name, and `var`, a reserved word.
 */
const withoutFunction = [
  ...(['full', 'arange', 'linspace', 'eye', 'rand', 'randn', 'randint'] as const),
  ...(['bernoulli', 'dropout', 'attentionDropout', 'attentionLse', 'randperm'] as const),
  ...(['scaledDotProductAttention', 'to', 'contiguous', 'clone', 'view', 'bitcast', 'var'] as const),
] satisfies readonly RecordName[]

/** Ops with an in-place method (`add_`): those that give one value per element of the tensor. */
const inPlaceNames: readonly RecordName[] = [
  ...(Object.keys(arithmeticRecords) as (keyof typeof arithmeticRecords)[]),
  ...(Object.keys(mathRecords) as (keyof typeof mathRecords)[]),
  ...(Object.keys(numericRecords) as (keyof typeof numericRecords)[]),
  ...(Object.keys(specialRecords) as (keyof typeof specialRecords)[]),
  ...(Object.keys(activationRecords) as (keyof typeof activationRecords)[]),
  ...(['maskedFill'] as const),
  ...(['clampMin', 'clampMax', 'indexPut'] as const),
  ...(['scatter', 'scatterAdd', 'scatterReduce', 'indexAdd', 'indexCopy', 'indexFill'] as const),
]

const isPart = (name: RecordName): boolean => overloadParts.includes(name)
const withAliases = (names: readonly RecordName[]): readonly PublicName[] =>
  names.flatMap(name => [name, ...aliasesOf(name)])

export const isMethod = (name: RecordName): boolean =>
  !(withoutMethod as readonly string[]).includes(name) && !isPart(name)

/** The names of methods, of functions, and of methods that write in place (without `_`): each record's, then its others. */
export const methodNames = withAliases(recordNames.filter(isMethod))
export const functionNames = withAliases(
  recordNames.filter(name => !(withoutFunction as readonly string[]).includes(name) && !isPart(name)),
)
export const inPlaceMethodNames = withAliases(inPlaceNames)

/** Softmax and normalisation layers, in stable form and with all arithmetic on narrow floats in f32. */
import { ArgumentError, ShapeError } from '../../base/errors.js'
import type { Attrs } from '../../ir/node.js'
import type { Size } from '../../scalar/size.js'
import { normalizeDim } from '../build.js'
import type { Gradient } from '../record.js'
import { printShape, requireEqual } from '../sizes.js'
import { compose, requireShape } from './compose.js'
import { standardized } from './formulas.js'
import type { GraphTensor } from './graph-tensor.js'
import { asInput, castFirst, floatKept, floatOrCast } from './texts.js'

// --- softmax -----------------------------------------------------------------------------------------------------------

type SoftmaxName = 'softmax' | 'softmin' | 'logSoftmax'

const softmaxGradient: Gradient<Attrs> = ({ outputs: [y], outputGradients: [g], attrs, op }) => {
  const inner = op('sum', op('mul', g, y), attrs.dim, { keepdim: true })
  return [op('mul', y, op('sub', g, inner))]
}
const softminGradient: Gradient<Attrs> = ({ outputs: [y], outputGradients: [g], attrs, op }) => {
  const inner = op('sum', op('mul', g, y), attrs.dim, { keepdim: true })
  return [op('mul', y, op('sub', inner, g))]
}
const logSoftmaxGradient: Gradient<Attrs> = ({ outputs: [y], outputGradients: [g], attrs, op }) => {
  const total = op('sum', g, attrs.dim, { keepdim: true })
  return [op('sub', g, op('mul', op('exp', y), total))]
}

function softmaxOf(name: SoftmaxName, x: GraphTensor, dims: readonly number[]): GraphTensor {
  const shifted = x.sub(x.folded('max', dims))
  const exponentials = shifted.exp()
  const total = exponentials.folded('add', dims)
  return name === 'logSoftmax' ? shifted.sub(total.log()) : exponentials.div(total)
}

const softmaxRecord = (name: SoftmaxName, summary: string, gradient: Gradient<Attrs>) =>
  compose({
    name,
    summary,
    category: 'normalisation',
    signature: 'self, dim: dim, *, dtype: dtype | null = null',
    shape: asInput,
    dtypes: floatOrCast,
    details: {
      dim: `the dim along which ${name === 'logSoftmax' ? 'the exponentials sum' : 'the result sums'} up to 1; negative ones count from the end`,
      dtype: castFirst,
    },
    note: 'Relative to the largest value, so that nothing overflows. A row of −∞ gives NaN.',
    body: ({ self, dim }) => {
      const line = self.rank === 0 ? self.shaped([1]) : self
      const x = name === 'softmin' ? line.neg() : line
      return softmaxOf(name, x, [normalizeDim(name, dim, x.rank)]).shaped(self.shape)
    },
    gradient,
  })

// --- layer norms ---------------------------------------------------------------------------------------------------------

const affineDetails = {
  eps: 'what is added to the variance',
  normalizedShape: 'the sizes of the last dims, which are normalised',
  weight: 'a factor per element, of shape normalizedShape',
  bias: 'a summand per element, of shape normalizedShape',
}
type NormName = 'layerNorm' | 'rmsNorm'

interface NormArgs {
  readonly self: GraphTensor
  readonly normalizedShape: readonly Size[]
  readonly weight: GraphTensor | null
  readonly bias: GraphTensor | null
  /** null: the distance from 1 to the next number of the dtype that is computed in. */
  readonly eps: number | null
}

/** Over the last dims. Throws ShapeError when the input does not end in normalizedShape, or an operand has another shape. */
function normed(name: NormName, { self, normalizedShape, weight, bias, eps }: NormArgs): GraphTensor {
  const lead = self.rank - normalizedShape.length
  const what = (): string =>
    `${name}: the input ${printShape(self.shape)} does not end in normalizedShape ${printShape(normalizedShape)}`
  if (lead < 0) throw new ShapeError(what())
  for (const [d, size] of normalizedShape.entries()) requireEqual(self.shape[lead + d]!, size, what)
  const dims = normalizedShape.map((_, d) => lead + d)
  const least = eps ?? (self.dtype === 'f64' ? 2 ** -52 : 2 ** -23)
  const normal = self.with(standardized(self.b, self.node, dims, least, name === 'layerNorm'))
  const fitting = (role: string, { shape }: GraphTensor): void =>
    requireShape(
      shape,
      normalizedShape,
      () => `${name}: ${role} has shape ${printShape(shape)}, normalizedShape is ${printShape(normalizedShape)}`,
    )
  if (weight !== null) fitting('weight', weight)
  if (bias !== null) fitting('bias', bias)
  const scaled = weight === null ? normal : normal.mul(weight)
  return bias === null ? scaled : scaled.add(bias)
}

const normColumns = {
  category: 'normalisation',
  details: affineDetails,
  shape: asInput,
  dtypes: floatKept,
  errors: {
    ArgumentError: 'when normalizedShape is empty',
    ShapeError: 'when the last dims are not normalizedShape, or weight or bias has another shape',
  },
} as const

const requireDims = (name: NormName, { normalizedShape }: Pick<NormArgs, 'normalizedShape'>): void => {
  if (normalizedShape.length === 0)
    throw new ArgumentError(`${name}: normalizedShape is empty`, { fix: 'give the sizes of the last dims' })
}

export const normalisationRecords = {
  softmax: softmaxRecord('softmax', 'e^self / Σ e^self along a dim.', softmaxGradient),
  softmin: softmaxRecord('softmin', 'softmax(−self): e^−self / Σ e^−self along a dim.', softminGradient),
  logSoftmax: softmaxRecord('logSoftmax', 'ln(softmax(self)) along a dim.', logSoftmaxGradient),
  layerNorm: compose({
    ...normColumns,
    name: 'layerNorm',
    summary: '(self − mean) / √(variance + eps) · weight + bias over the last dims.',
    signature:
      'self, normalizedShape: sizes, weight: tensor | null = null, bias: tensor | null = null, eps: number = 1e-5',
    note: 'The variance divides by n. Ba, Kiros and Hinton, arXiv:1607.06450.',
    check: args => requireDims('layerNorm', args),
    body: args => normed('layerNorm', args),
  }),
  rmsNorm: compose({
    ...normColumns,
    name: 'rmsNorm',
    summary: 'self / √(mean of self² + eps) · weight over the last dims.',
    signature: 'self, normalizedShape: sizes, weight: tensor | null = null, eps: number | null = null',
    details: { ...affineDetails, eps: 'the distance from 1 to the next f32 unless given (f64 of f64)' },
    note: 'Zhang and Sennrich, arXiv:1910.07467.',
    check: args => requireDims('rmsNorm', args),
    body: args => normed('rmsNorm', { ...args, bias: null }),
  }),
}

/** Activation functions, with PyTorch's defaults. */
import { ArgumentError, DtypeError } from '../../base/errors.js'
import type { Attrs } from '../../ir/node.js'
import { isFloat } from '../../types/dtype.js'
import type { Shape } from '../ir.js'
import type { GradientContext, Value } from '../record.js'
import { broadcastShapes } from '../sizes.js'
import { compose, pointwise, unaryFormula } from './compose.js'
import type { GraphTensor } from './graph-tensor.js'

const rootHalf = Math.SQRT1_2
const geluScale = Math.sqrt(2 / Math.PI)
const geluCubic = 0.044715

const gelu = pointwise({
  name: 'gelu',
  summary: 'self · Φ(self), Φ the normal distribution function; approximate: tanh for the formula of the GELU paper.',
  signature: "self, *, approximate: 'none' | 'tanh' = 'none'",
  details: {
    approximate: "'tanh' for x / 2 · (1 + tanh(√(2/π) · (x + 0.044715 x³))), the formula of the GELU paper",
  },
  note: 'Hendrycks and Gimpel, arXiv:1606.08415.',
  body: ({ self, approximate }) => {
    const half = self.mul(0.5)
    if (approximate === 'none') return half.mul(self.mul(rootHalf).erf().add(1))
    const cubic = self.mul(self).mul(self).mul(geluCubic)
    return half.mul(self.add(cubic).mul(geluScale).tanh().add(1))
  },
})

const seluAlpha = 1.6732632423543772
const seluScale = 1.0507009873554805

/** The shape of a weight beside an input: PyTorch's vector runs along the channels; a single weight changes no shape. */
const preluShape = (input: Shape, weight: Shape): Shape => {
  if (weight.length !== 1) return weight
  if (weight[0] === 1) return []
  return input.length < 2 ? weight : input.slice(1).map((_, d) => (d === 0 ? weight[0]! : 1))
}

const prelu = compose({
  name: 'prelu',
  category: 'pointwise',
  summary:
    'self where positive, weight · self elsewhere: one weight, or a vector of one per channel (dim 1); others broadcast.',
  signature: 'self, weight',
  details: { weight: 'one element, or [C] for the channels (dim 1); other shapes broadcast' },
  shape: 'what self and weight broadcast to, a vector along dim 1',
  dtypes: { takes: 'any', gives: 'floated' },
  body: ({ self, weight }) => {
    const spread = weight.shaped(preluShape(self.shape, weight.shape))
    const x = self.expandTo(broadcastShapes('prelu', [self.shape, spread.shape]))
    return x.gt(0).where(x, x.mul(spread))
  },
})

/** Keeps only values beyond ±lambda. */
const shrinking = (name: 'hardshrink' | 'softshrink', summary: string, towards: boolean) =>
  pointwise({
    name,
    summary,
    signature: 'self, lambd: number = 0.5',
    details: { lambd: 'how far from 0 self must be' },
    body: ({ self, lambd }) => {
      const kept = (shift: number): GraphTensor => (towards ? self.sub(shift) : self)
      return self.gt(lambd).where(kept(lambd), self.lt(-lambd).where(kept(-lambd), self.mul(0)))
    },
    gradient: ({ inputs: [x], outputGradients: [g], attrs, op }) => [
      op('where', op('le', op('abs', x), attrs.lambd), 0, g!),
    ],
  })

/** Limits of integers are integers, as PyTorch's. */
const limitOf = (x: GraphTensor, value: number): number => (isFloat(x.dtype) ? value : Math.trunc(value))

/** g but at the limits and beyond; there 0, as in PyTorch. */
const unlessBeyond = (op: GradientContext<Attrs>['op'], x: Value, low: number, high: number, g: Value): Value =>
  op('where', op('logicalOr', op('le', x, low), op('ge', x, high)), 0, g)

/** The gradient of x where positive, `factor` · (e^(x / scale) − 1) elsewhere. e^x is not taken of what is positive: it overflows. */
function exponentialGradient(
  op: GradientContext<Attrs>['op'],
  x: Value,
  g: Value,
  { factor, scale = 1 }: { readonly factor: number; readonly scale?: number },
): Value {
  const isLow = op('le', x, 0)
  const low = op('where', isLow, x, 0)
  const power = op('exp', scale === 1 ? low : op('div', low, scale))
  return op('where', isLow, op('mul', g, op('mul', power, factor / scale)), g)
}

const hardtanh = pointwise({
  name: 'hardtanh',
  summary: 'self clamped to [minVal, maxVal].',
  signature: 'self, minVal: number = -1, maxVal: number = 1',
  details: { minVal: 'the lower limit', maxVal: 'the upper limit' },
  errors: { ArgumentError: 'when minVal is greater than maxVal', DtypeError: 'for u8 with a negative minVal' },
  takes: 'number',
  check: ({ minVal, maxVal }) => {
    if (minVal > maxVal)
      throw new ArgumentError(`hardtanh: minVal ${minVal} is greater than maxVal ${maxVal}`, { fix: 'exchange them' })
  },
  body: ({ self, minVal, maxVal }) => {
    if (self.dtype === 'u8' && minVal < 0)
      throw new DtypeError(`hardtanh: minVal is ${minVal}, which u8 cannot represent`, {
        fix: 'give limits of at least 0',
      })
    return self.maximum(limitOf(self, minVal)).minimum(limitOf(self, maxVal))
  },
  gradient: ({ outputs: [y], outputGradients: [g], attrs: { minVal, maxVal }, op }) => [
    unlessBeyond(op, y!, Number(minVal), Number(maxVal), g!),
  ],
})

const threshold = pointwise({
  name: 'threshold',
  summary: 'self where it is greater than threshold, value elsewhere; NaN stays NaN.',
  signature: 'self, threshold: number, value: number',
  details: { threshold: 'what self must exceed', value: 'the result elsewhere' },
  takes: 'number',
  body: ({ self, threshold, value }) => self.le(limitOf(self, threshold)).where(limitOf(self, value), self),
})

/** ln(1 + e^x), without overflow. */
const softplusOf = (x: GraphTensor): GraphTensor => x.maximum(0).add(x.abs().neg().exp().log1p())

export const activationRecords = {
  prelu,
  threshold,
  hardshrink: shrinking('hardshrink', 'self where |self| > lambd, 0 elsewhere.', false),
  softshrink: shrinking('softshrink', 'self shifted by lambd towards 0, and 0 where |self| ≤ lambd.', true),
  tanhshrink: unaryFormula(
    'tanhshrink',
    'self − tanh(self).',
    x => x.sub(x.tanh()),
    ({ inputs: [x], outputGradients: [g], op }) => [op('mul', g!, op('square', op('tanh', x)))],
  ),
  relu: unaryFormula(
    'relu',
    'max(self, 0).',
    x => x.maximum(0),
    ({ outputs: [y], outputGradients: [g], op }) => [op('where', op('le', y, 0), 0, g!)],
    { takes: 'number' },
  ),
  relu6: unaryFormula(
    'relu6',
    'min(max(self, 0), 6).',
    x => x.maximum(0).minimum(6),
    ({ outputs: [y], outputGradients: [g], op }) => [unlessBeyond(op, y!, 0, 6, g!)],
    { takes: 'number' },
  ),
  logSigmoid: unaryFormula(
    'logSigmoid',
    'ln(1 / (1 + e^−self)).',
    x => x.minimum(0).sub(x.abs().neg().exp().log1p()),
    ({ inputs: [x], outputGradients: [g], op }) => [op('mul', g!, op('sigmoid', op('neg', x)))],
  ),
  gelu,
  silu: unaryFormula('silu', 'self · sigmoid(self).', x => x.mul(x.sigmoid())),
  mish: unaryFormula('mish', 'self · tanh(softplus(self)).', x => x.mul(softplusOf(x).tanh())),
  softplus: pointwise({
    name: 'softplus',
    summary: 'ln(1 + e^(beta · self)) / beta; self itself where beta · self > threshold.',
    signature: 'self, beta: number = 1, threshold: number = 20',
    details: {
      beta: 'how sharp the bend is',
      threshold: 'where the result is self itself, which it is but for rounding',
    },
    body: ({ self, beta, threshold }) => {
      const scaled = self.mul(beta)
      return scaled.gt(threshold).where(self, scaled.exp().log1p().div(beta))
    },
    gradient: ({ inputs: [x], outputGradients: [g], attrs: { beta, threshold }, op }) => {
      const scaled = op('mul', x, beta)
      return [op('where', op('gt', scaled, threshold), g!, op('mul', g!, op('sigmoid', scaled)))]
    },
  }),
  leakyRelu: pointwise({
    name: 'leakyRelu',
    summary: 'self where positive, negativeSlope · self elsewhere.',
    signature: 'self, negativeSlope: number = 0.01',
    details: { negativeSlope: 'the factor of what is negative' },
    body: ({ self, negativeSlope }) => self.gt(0).where(self, self.mul(negativeSlope)),
  }),
  elu: pointwise({
    name: 'elu',
    summary: 'self where positive, alpha · (e^self − 1) elsewhere.',
    signature: 'self, alpha: number = 1',
    details: { alpha: 'how far below 0 it goes' },
    body: ({ self, alpha }) => self.gt(0).where(self, self.expm1().mul(alpha)),
    gradient: ({ inputs: [x], outputGradients: [g], attrs, op }) => [
      exponentialGradient(op, x!, g!, { factor: Number(attrs.alpha) }),
    ],
  }),
  selu: unaryFormula(
    'selu',
    '1.0507 · elu(self, alpha 1.6733).',
    x => x.gt(0).where(x, x.expm1().mul(seluAlpha)).mul(seluScale),
    ({ inputs: [x], outputGradients: [g], op }) => [
      exponentialGradient(op, x!, op('mul', g!, seluScale), { factor: seluAlpha }),
    ],
  ),
  celu: pointwise({
    name: 'celu',
    summary: 'max(0, self) + min(0, alpha · (e^(self/alpha) − 1)).',
    signature: 'self, alpha: number = 1',
    details: { alpha: 'how far below 0 it goes' },
    body: ({ self, alpha }) => self.gt(0).where(self, self.div(alpha).expm1().mul(alpha)),
    gradient: ({ inputs: [x], outputGradients: [g], attrs: { alpha }, op }) => [
      exponentialGradient(op, x!, g!, { factor: Number(alpha), scale: Number(alpha) }),
    ],
  }),
  hardtanh,
  hardsigmoid: unaryFormula(
    'hardsigmoid',
    'min(max(self + 3, 0), 6) / 6.',
    x => x.add(3).maximum(0).minimum(6).div(6),
    ({ inputs: [x], outputGradients: [g], op }) => {
      const isInside = op('logicalAnd', op('gt', x, -3), op('lt', x, 3))
      return [op('where', isInside, op('div', g!, 6), 0)]
    },
  ),
  hardswish: unaryFormula(
    'hardswish',
    'self · min(max(self + 3, 0), 6) / 6.',
    x => x.mul(x.add(3).maximum(0).minimum(6)).div(6),
    ({ inputs: [x], outputGradients: [g], op }) => {
      const inner = op('mul', g!, op('add', op('div', x, 3), 0.5))
      return [op('where', op('lt', x, -3), 0, op('where', op('lt', x, 3), inner, g!))]
    },
  ),
  softsign: unaryFormula(
    'softsign',
    'self / (1 + |self|).',
    x => x.div(x.abs().add(1)),
    ({ inputs: [x], outputGradients: [g], op }) => [op('div', g!, op('square', op('add', op('abs', x), 1)))],
  ),
}

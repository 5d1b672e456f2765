/** Activation functions, with PyTorch's defaults. */
import { ArgumentError, DtypeError } from '../../base/errors.js'
import { erf } from '../../scalar/special.js'
import { isFloat } from '../../types/dtype.js'
import { dtypeOf, reshapeTo, shapeOf } from '../build.js'
import type { GraphNode, Shape } from '../ir.js'
import type { AttrsOf } from '../signature.js'
import { type Emit, elementwise, type Row, unary } from './elementwise.js'

const sigmoid = (x: number): number => (x >= 0 ? 1 / (1 + Math.exp(-x)) : Math.exp(x) / (1 + Math.exp(x)))
const relu = (x: number): number => Math.max(x, 0)
const softplus = (x: number): number => Math.max(x, 0) + Math.log1p(Math.exp(-Math.abs(x)))
const elu = (x: number, alpha: number): number => (x > 0 ? x : alpha * Math.expm1(x))

/** An activation with numeric options, which are constants of the op. */
function activation<const Text extends string>(
  name: string,
  summary: string,
  signature: Text,
  row: Pick<Row<AttrsOf<Text>>, 'details' | 'note' | 'build' | 'float' | 'gradient'>,
) {
  return elementwise<Text>({ ...row, name, summary, takes: 'float' }, signature)
}

const rootHalf = Math.SQRT1_2
const geluScale = Math.sqrt(2 / Math.PI)
const geluCubic = 0.044715

const gelu = elementwise(
  {
    name: 'gelu',
    summary: 'self · Φ(self), Φ the normal distribution function; approximate: tanh for the formula of the GELU paper.',
    details: {
      approximate: "'tanh' for x / 2 · (1 + tanh(√(2/π) · (x + 0.044715 x³))), the formula of the GELU paper",
    },
    note: 'Hendrycks and Gimpel, arXiv:1606.08415.',
    takes: 'float',
    build: (e, [x], { approximate }) => {
      const half = e('mul', x!, 0.5)
      if (approximate === 'none') return e('mul', half, e('add', e('erf', e('mul', x!, rootHalf)), 1))
      const cubic = e('mul', e('mul', e('mul', x!, x!), x!), geluCubic)
      return e('mul', half, e('add', e('tanh', e('mul', e('add', x!, cubic), geluScale)), 1))
    },
    float: ([x], { approximate }) =>
      approximate === 'none'
        ? 0.5 * x! * (1 + erf(x! * rootHalf))
        : 0.5 * x! * (1 + Math.tanh(geluScale * (x! + geluCubic * x! ** 3))),
    gradient: ({ inputs: [x], outputGradients: [g], attrs, op }) => {
      if (attrs.approximate === 'tanh') {
        const t = op('tanh', op('mul', op('add', x, op('mul', op('pow', x, 3), geluCubic)), geluScale))
        const inner = op('mul', op('add', op('mul', op('square', x), 3 * geluCubic), 1), geluScale)
        const slope = op('mul', op('mul', op('sub', 1, op('square', t)), inner), x)
        return [op('mul', g!, op('mul', op('add', op('add', t, 1), slope), 0.5))]
      }
      const distribution = op('mul', op('add', op('erf', op('mul', x, rootHalf)), 1), 0.5)
      const density = op('mul', op('exp', op('mul', op('square', x), -0.5)), 1 / Math.sqrt(2 * Math.PI))
      return [op('mul', g!, op('add', distribution, op('mul', x, density)))]
    },
  },
  "self, *, approximate: 'none' | 'tanh' = 'none'",
)

const clip = (e: Emit, x: Parameters<Emit>[1], min: number, max: number) => e('min', e('max', x, min), max)
const clipped = (x: number, min: number, max: number): number => Math.min(Math.max(x, min), max)

const seluAlpha = 1.6732632423543772
const seluScale = 1.0507009873554805

const preluElements = elementwise(
  {
    name: 'prelu',
    summary:
      'self where positive, weight · self elsewhere: one weight, or a vector of one per channel (dim 1); others broadcast.',
    details: { weight: 'one element, or [C] for the channels (dim 1); other shapes broadcast' },
    takes: 'float',
    build: (e, [x, weight]) => e('where', e('gt', x!, 0), x!, e('mul', x!, weight!)),
    float: ([x, weight]) => (x! > 0 ? x! : weight! * x!),
    gradient: ({ inputs: [x, weight], outputGradients: [g], op, shapeOf }) => {
      const spread = op('reshape', weight, preluShape(shapeOf(x!), shapeOf(weight!)))
      const slope = op('where', op('gt', x, 0), 0, op('mul', g!, x))
      const shape = shapeOf(spread)
      const lead = shapeOf(x!).length - shape.length
      const dims = shapeOf(x!).flatMap((_, d) => (d < lead || shape[d - lead] === 1 ? [d] : []))
      const summed = dims.length === 0 ? slope : op('sum', slope, dims, true)
      return [op('where', op('gt', x, 0), g!, op('mul', g!, spread)), op('reshape', summed, shapeOf(weight!))]
    },
  },
  'self, weight',
)

/** How a weight lies beside an input: PyTorch's vector goes along the channels; a single weight changes no shape. */
const preluShape = (input: Shape, weight: Shape): Shape => {
  if (weight.length !== 1) return weight
  if (weight[0] === 1) return []
  return input.length < 2 ? weight : input.slice(1).map((_, d) => (d === 0 ? weight[0]! : 1))
}

const prelu: typeof preluElements = {
  ...preluElements,
  shape: 'what self and weight broadcast to, a vector along dim 1',
  build: (b, [x, weight], attrs) => {
    const node = reshapeTo(b, weight!.node, preluShape(shapeOf(x!.node), shapeOf(weight!.node)))
    return preluElements.build(b, [x!, { ...weight!, node }], attrs)
  },
  reference: ([x, weight], attrs) => {
    const shape = preluShape(x!.shape, weight!.shape) as readonly number[]
    return preluElements.reference([x!, { ...weight!, shape }], attrs)
  },
}

/** Keeps only what lies beyond ±lambda. */
const shrinking = (name: 'hardshrink' | 'softshrink', summary: string, towards: boolean) =>
  activation(name, summary, 'self, lambd: number = 0.5', {
    details: { lambd: 'how far from 0 self must be' },
    build: (e, [x], { lambd }) => {
      const kept = (shift: number) => (towards ? e('sub', x!, shift) : x!)
      const below = e('where', e('lt', x!, -lambd), kept(-lambd), e('mul', x!, 0))
      return e('where', e('gt', x!, lambd), kept(lambd), below)
    },
    float: ([x], { lambd }) => (Math.abs(x!) > lambd ? x! - (towards ? Math.sign(x!) * lambd : 0) : x! * 0),
    gradient: ({ inputs: [x], outputGradients: [g], attrs, op }) => [
      op('where', op('gt', op('abs', x), attrs.lambd), g!, 0),
    ],
  })

/** Limits of integers are integers, as PyTorch's. */
const ofDtype = (x: GraphNode, value: number): number => (isFloat(dtypeOf(x)) ? value : Math.trunc(value))
const whole = (value: number): bigint => BigInt(Math.trunc(value))

const hardtanh = elementwise(
  {
    name: 'hardtanh',
    summary: 'self clamped to [minVal, maxVal].',
    details: { minVal: 'the lower limit', maxVal: 'the upper limit' },
    errors: { ArgumentError: 'when minVal is greater than maxVal', DtypeError: 'for u8 with a negative minVal' },
    takes: 'number',
    build: (e, [x], { minVal, maxVal }) => clip(e, x!, ofDtype(x!, minVal), ofDtype(x!, maxVal)),
    float: ([x], { minVal, maxVal }) => clipped(x!, minVal, maxVal),
    integer: ([x], attrs) => {
      const [low, high] = [whole(attrs.minVal), whole(attrs.maxVal)]
      const raised = x! < low ? low : x!
      return raised > high ? high : raised
    },
    check: (dtype, { minVal, maxVal }) => {
      if (minVal > maxVal)
        throw new ArgumentError(`hardtanh: minVal ${minVal} is greater than maxVal ${maxVal}`, { fix: 'exchange them' })
      if (dtype === 'u8' && minVal < 0)
        throw new DtypeError(`hardtanh: minVal is ${minVal}, which u8 does not hold`, {
          fix: 'give limits of at least 0',
        })
    },
    gradient: ({ inputs: [x], outputGradients: [g], attrs: { minVal, maxVal }, op }) => [
      op('where', op('logicalAnd', op('gt', x, minVal), op('lt', x, maxVal)), g!, 0),
    ],
  },
  'self, minVal: number = -1, maxVal: number = 1',
)

const threshold = elementwise(
  {
    name: 'threshold',
    summary: 'self where it is greater than threshold, value elsewhere; NaN stays NaN.',
    details: { threshold: 'what self must exceed', value: 'what stands elsewhere' },
    takes: 'number',
    build: (e, [x], attrs) => e('where', e('le', x!, ofDtype(x!, attrs.threshold)), ofDtype(x!, attrs.value), x!),
    float: ([x], attrs) => (x! <= attrs.threshold ? attrs.value : x!),
    integer: ([x], attrs) => (x! <= whole(attrs.threshold) ? whole(attrs.value) : x!),
    gradient: ({ inputs: [x], outputGradients: [g], attrs, op }) => [op('where', op('gt', x, attrs.threshold), g!, 0)],
  },
  'self, threshold: number, value: number',
)

export const activationRecords = {
  prelu,
  threshold,
  hardshrink: shrinking('hardshrink', 'self where |self| > lambd, 0 elsewhere.', false),
  softshrink: shrinking('softshrink', 'self shifted by lambd towards 0, and 0 where |self| ≤ lambd.', true),
  tanhshrink: unary('tanhshrink', 'self − tanh(self).', {
    takes: 'float',
    build: (e, x) => e('sub', x, e('tanh', x)),
    float: x => x - Math.tanh(x),
    gradient: ({ inputs: [x], outputGradients: [g], op }) => [op('mul', g!, op('square', op('tanh', x)))],
  }),
  relu: unary('relu', 'max(self, 0).', {
    takes: 'number',
    build: (e, x) => e('max', x, 0),
    float: relu,
    integer: x => (x > 0n ? x : 0n),
    gradient: ({ inputs: [x], outputGradients: [g], op }) => [op('where', op('gt', x, 0), g!, 0)],
  }),
  relu6: unary('relu6', 'min(max(self, 0), 6).', {
    takes: 'number',
    build: (e, x) => clip(e, x, 0, 6),
    float: x => clipped(x, 0, 6),
    integer: x => (x < 0n ? 0n : x > 6n ? 6n : x),
    gradient: ({ inputs: [x], outputGradients: [g], op }) => [
      op('where', op('logicalAnd', op('gt', x, 0), op('lt', x, 6)), g!, 0),
    ],
  }),
  sigmoid: unary('sigmoid', '1 / (1 + e^−self).', {
    takes: 'float',
    build: 'sigmoid',
    float: sigmoid,
    gradient: ({ outputs: [y], outputGradients: [g], op }) => [op('mul', g!, op('mul', y!, op('sub', 1, y!)))],
  }),
  logSigmoid: unary('logSigmoid', 'ln(1 / (1 + e^−self)).', {
    takes: 'float',
    build: (e, x) => e('sub', e('min', x, 0), e('log1p', e('exp', e('neg', e('abs', x))))),
    float: x => Math.min(x, 0) - Math.log1p(Math.exp(-Math.abs(x))),
    gradient: ({ inputs: [x], outputGradients: [g], op }) => [op('mul', g!, op('sigmoid', op('neg', x)))],
  }),
  gelu,
  silu: unary('silu', 'self · sigmoid(self).', {
    takes: 'float',
    build: (e, x) => e('mul', x, e('sigmoid', x)),
    float: x => x * sigmoid(x),
    gradient: ({ inputs: [x], outputs: [y], outputGradients: [g], op }) => {
      const s = op('sigmoid', x)
      return [op('mul', g!, op('add', op('mul', s, op('sub', 1, y!)), y!))]
    },
  }),
  mish: unary('mish', 'self · tanh(softplus(self)).', {
    takes: 'float',
    build: (e, x) => {
      const plus = e('add', e('max', x, 0), e('log1p', e('exp', e('neg', e('abs', x)))))
      return e('mul', x, e('tanh', plus))
    },
    float: x => x * Math.tanh(softplus(x)),
    gradient: 'later',
  }),
  softplus: activation(
    'softplus',
    'ln(1 + e^(beta · self)) / beta; self itself where beta · self > threshold.',
    'self, beta: number = 1, threshold: number = 20',
    {
      details: {
        beta: 'how sharp the bend is',
        threshold: 'where the result is self itself, which it is but for rounding',
      },
      build: (e, [x], { beta, threshold }) => {
        const scaled = e('mul', x!, beta)
        return e('where', e('gt', scaled, threshold), x!, e('div', e('log1p', e('exp', scaled)), beta))
      },
      float: ([x], { beta, threshold }) => (x! * beta > threshold ? x! : Math.log1p(Math.exp(x! * beta)) / beta),
      gradient: ({ inputs: [x], outputGradients: [g], attrs: { beta, threshold }, op }) => {
        const scaled = op('mul', x, beta)
        return [op('where', op('gt', scaled, threshold), g!, op('mul', g!, op('sigmoid', scaled)))]
      },
    },
  ),
  leakyRelu: activation(
    'leakyRelu',
    'self where positive, negativeSlope · self elsewhere.',
    'self, negativeSlope: number = 0.01',
    {
      details: { negativeSlope: 'the factor of what is negative' },
      build: (e, [x], { negativeSlope }) => e('where', e('gt', x!, 0), x!, e('mul', x!, negativeSlope)),
      float: ([x], { negativeSlope }) => (x! > 0 ? x! : x! * negativeSlope),
      gradient: ({ inputs: [x], outputGradients: [g], attrs, op }) => [
        op('where', op('gt', x, 0), g!, op('mul', g!, attrs.negativeSlope)),
      ],
    },
  ),
  elu: activation('elu', 'self where positive, alpha · (e^self − 1) elsewhere.', 'self, alpha: number = 1', {
    details: { alpha: 'how far below 0 it goes' },
    build: (e, [x], { alpha }) => e('where', e('gt', x!, 0), x!, e('mul', e('expm1', x!), alpha)),
    float: ([x], { alpha }) => elu(x!, alpha),
    gradient: ({ inputs: [x], outputGradients: [g], attrs, op }) => [
      op('where', op('gt', x, 0), g!, op('mul', g!, op('mul', op('exp', x), attrs.alpha))),
    ],
  }),
  selu: unary('selu', '1.0507 · elu(self, alpha 1.6733).', {
    takes: 'float',
    build: (e, x) => e('mul', e('where', e('gt', x, 0), x, e('mul', e('expm1', x), seluAlpha)), seluScale),
    float: x => seluScale * elu(x, seluAlpha),
    gradient: 'later',
  }),
  celu: activation('celu', 'max(0, self) + min(0, alpha · (e^(self/alpha) − 1)).', 'self, alpha: number = 1', {
    details: { alpha: 'how far below 0 it goes' },
    build: (e, [x], { alpha }) => e('where', e('gt', x!, 0), x!, e('mul', e('expm1', e('div', x!, alpha)), alpha)),
    float: ([x], { alpha }) => (x! > 0 ? x! : alpha * Math.expm1(x! / alpha)),
    gradient: 'later',
  }),
  hardtanh,
  hardsigmoid: unary('hardsigmoid', 'min(max(self + 3, 0), 6) / 6.', {
    takes: 'float',
    build: (e, x) => e('div', clip(e, e('add', x, 3), 0, 6), 6),
    float: x => clipped(x + 3, 0, 6) / 6,
    gradient: 'later',
  }),
  hardswish: unary('hardswish', 'self · min(max(self + 3, 0), 6) / 6.', {
    takes: 'float',
    build: (e, x) => e('div', e('mul', x, clip(e, e('add', x, 3), 0, 6)), 6),
    float: x => (x * clipped(x + 3, 0, 6)) / 6,
    gradient: 'later',
  }),
  softsign: unary('softsign', 'self / (1 + |self|).', {
    takes: 'float',
    build: (e, x) => e('div', x, e('add', e('abs', x), 1)),
    float: x => x / (1 + Math.abs(x)),
    gradient: ({ inputs: [x], outputGradients: [g], op }) => [op('div', g!, op('square', op('add', op('abs', x), 1)))],
  }),
}

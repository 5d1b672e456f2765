/** Losses. Arithmetic on narrow floats is done in f32; `reduction` is 'mean' (default), 'sum' or 'none'. */
import { ArgumentError, DtypeError, ShapeError } from '../../base/errors.js'
import { productOf } from '../../scalar/size.js'
import { computeDtype, type Dtype, isFloat, isInteger } from '../../types/dtype.js'
import {
  castTo,
  constant,
  countOf,
  dtypeOf,
  expandTo,
  full,
  map,
  normalizeDim,
  rankOf,
  reduce,
  reduceKeepdim,
  requireFloat,
  reshapeTo,
  shapeOf,
} from '../build.js'
import { elementAt, hostFrom, hostValue } from '../host.js'
import type { GraphBuilder, GraphNode, Shape } from '../ir.js'
import { type HostTensor, type OpCall, type OpInput, type OpTexts, op, signed, type Value } from '../record.js'
import type { Bound } from '../signature.js'
import { broadcastShapes, printShape, requireEqual } from '../sizes.js'
import { call } from './arguments.js'
import { hostBroadcast } from './elementwise.js'
import { normalisationRecords } from './normalisation.js'
import { floatKept, lossShape } from './texts.js'

const toF32 = "cast first: x.to('f32')"

// --- reduction ---------------------------------------------------------------------------------------------------------

export type Reduction = 'mean' | 'sum' | 'none'
/** The parameter of every loss. */
export const reductionParam = "reduction: 'mean' | 'sum' | 'none' = 'mean'"
export const lossDetails = {
  target: 'what self should be, of its shape',
  reduction: 'the mean of all losses, their sum, or each',
}

const allDims = (node: GraphNode): readonly number[] => shapeOf(node).map((_, d) => d)
const total = (b: GraphBuilder, node: GraphNode): GraphNode => reduce(b, 'add', node, allDims(node))

export function reduced(b: GraphBuilder, loss: GraphNode, reduction: string, dtype: Dtype): GraphNode {
  if (reduction === 'none') return castTo(b, loss, dtype)
  const sum = total(b, loss)
  if (reduction === 'sum') return castTo(b, sum, dtype)
  const shape = shapeOf(loss)
  const count = reduction === 'batchmean' ? shape[0]! : productOf(shape)
  return castTo(b, map(b, 'div', sum, countOf(b, count, dtypeOf(sum))), dtype)
}

export function hostReduced(
  dtype: Dtype,
  shape: readonly number[],
  losses: readonly number[],
  reduction: string,
): HostTensor {
  if (reduction === 'none') return hostFrom(dtype, shape, (_, i) => hostValue(dtype, losses[i]!))
  const sum = losses.reduce((a, v) => a + v, 0)
  const count = reduction === 'sum' ? 1 : reduction === 'batchmean' ? shape[0]! : losses.length
  return hostFrom(dtype, [], () => hostValue(dtype, sum / count))
}

/** An operand stretched to `shape`. Throws ShapeError, in which it is called `what`, when it does not broadcast to that. */
export function stretched(b: GraphBuilder, name: string, what: string, node: GraphNode, shape: Shape): GraphNode {
  const own = shapeOf(node)
  const problem = (): string => `${name}: the ${what} ${printShape(own)} does not broadcast to ${printShape(shape)}`
  const fix = 'its sizes must be 1 or those at the same places, counted from the last dim'
  if (own.length > shape.length) throw new ShapeError(problem(), { fix })
  for (const [d, size] of own.entries())
    if (size !== 1) requireEqual(size, shape[shape.length - own.length + d]!, problem, fix)
  return expandTo(b, node, shape)
}

// --- losses of pairs ---------------------------------------------------------------------------------------------------

type Emit = (fn: Parameters<typeof map>[1], ...operands: readonly (GraphNode | number)[]) => GraphNode

interface PairRow<A> {
  readonly name: string
  readonly summary: string
  readonly build: (e: Emit, x: GraphNode, y: GraphNode, attrs: A) => GraphNode
  readonly float: (x: number, y: number, attrs: A) => number
}

/** Losses broadcast silently in PyTorch (with a warning): [N, 1] against [N] is a matrix of N² differences. */
function requireEqualShapes(name: string, x: GraphNode, y: GraphNode): void {
  const what = (): string =>
    `${name}: the input ${printShape(shapeOf(x))} and the target ${printShape(shapeOf(y))} differ`
  const fix = 'give both one shape: target.reshape(…) or target.expand(…)'
  if (rankOf(x) !== rankOf(y)) throw new ShapeError(what(), { fix })
  for (const [d, size] of shapeOf(x).entries()) requireEqual(size, shapeOf(y)[d]!, what, fix)
}

type PairAttrs = { readonly reduction: string }

/** The loss of each pair of elements, times an optional weight that broadcasts. */
function buildPairs<A extends PairAttrs>(
  row: PairRow<A>,
  b: GraphBuilder,
  inputs: readonly OpInput[],
  attrs: A,
): GraphNode {
  const [x, y, weight] = inputs.map(({ node }) => node) as [GraphNode, GraphNode, GraphNode?]
  requireEqualShapes(row.name, x, y)
  const dtype = pairDtype(row.name, dtypeOf(x), dtypeOf(y))
  const compute = computeDtype(dtype)
  const shape = broadcastShapes(row.name, [shapeOf(x), shapeOf(y)])
  const e: Emit = (fn, ...operands) => {
    const model = operands.find((one): one is GraphNode => typeof one !== 'number' && dtypeOf(one) !== 'bool')!
    return map(
      b,
      fn,
      ...operands.map(one => (typeof one === 'number' ? full(b, dtypeOf(model), shapeOf(model), one) : one)),
    )
  }
  const [a, c] = [x, y].map(node => expandTo(b, castTo(b, node, compute), shape)) as [GraphNode, GraphNode]
  const loss = row.build(e, a, c, attrs)
  const factor = weight === undefined ? null : stretched(b, row.name, 'weight', castTo(b, weight, compute), shape)
  return reduced(b, factor === null ? loss : map(b, 'mul', loss, factor), attrs.reduction, dtype)
}

export function pairDtype(name: string, x: Dtype, y: Dtype): Dtype {
  requireFloat(name, x, toF32)
  if (!isFloat(y) || x === y) return x
  throw new DtypeError(`${name}: the input is ${x}, the target ${y}`, { fix: `cast the target: target.to('${x}')` })
}

function referencePairs<A extends PairAttrs>(
  row: PairRow<A>,
  [x, y, weight]: readonly HostTensor[],
  attrs: A,
): HostTensor {
  const shape = hostBroadcast([x!, y!])
  const losses: number[] = []
  hostFrom('f64', shape, index => {
    const factor = weight === undefined ? 1 : Number(elementAt(weight, index))
    losses.push(factor * row.float(Number(elementAt(x!, index)), Number(elementAt(y!, index)), attrs))
    return 0
  })
  return hostReduced(x!.dtype, shape, losses, attrs.reduction)
}

/** What a pair of tensors is refused for. */
const pairErrors = {
  DtypeError: 'when the target is another float than self',
  ShapeError: 'when self and target differ in shape, or a weight does not broadcast to them (PyTorch broadcasts all)',
}

interface PairLoss<Text extends string, A extends PairAttrs> extends PairRow<A>, Pick<OpTexts, 'errors' | 'note'> {
  readonly signature: Text
  readonly details?: Readonly<Record<string, string>>
  /** Throws ArgumentError for values that no loss can be computed with. */
  readonly check?: (attrs: A) => void
}

function pairLoss<const Text extends string, A extends PairAttrs>(row: PairLoss<Text, A>) {
  const record = signed<Text, A, null>(
    {
      name: row.name,
      summary: row.summary,
      category: 'reduction',
      details: { ...lossDetails, ...row.details },
      shape: lossShape,
      dtypes: floatKept,
      errors: { ...pairErrors, ...row.errors },
      ...(row.note && { note: row.note }),
      results: null,
      build: (b: GraphBuilder, inputs: readonly OpInput[], attrs: A) => [buildPairs(row, b, inputs, attrs)],
      reference: (inputs: readonly HostTensor[], attrs: A) => [referencePairs(row, inputs, attrs)],
      gradient: 'later',
    },
    row.signature,
  )
  return {
    ...record,
    call: (args: Bound<Text>): OpCall<A> => {
      const given = record.call(args)
      row.check?.(given.attrs)
      return given
    },
  }
}

function requirePositive(name: string, key: string, value: number): void {
  if (!(value > 0))
    throw new ArgumentError(`${name}: ${key} is ${value}, not positive`, { fix: 'use a number greater than 0' })
}
type BetaAttrs = PairAttrs & { readonly beta: number }
type DeltaAttrs = PairAttrs & { readonly delta: number }
type DivergenceAttrs = PairAttrs & { readonly logTarget: boolean }

const difference = (e: Emit, x: GraphNode, y: GraphNode): GraphNode => e('abs', e('sub', x, y))

const pairLosses = {
  mseLoss: pairLoss({
    name: 'mseLoss',
    signature: `self, target, ${reductionParam}`,
    summary: '(self − target)², reduced.',
    build: (e, x, y) => e('mul', e('sub', x, y), e('sub', x, y)),
    float: (x, y) => (x - y) ** 2,
  }),
  l1Loss: pairLoss({
    name: 'l1Loss',
    signature: `self, target, ${reductionParam}`,
    summary: '|self − target|, reduced.',
    build: difference,
    float: (x, y) => Math.abs(x - y),
  }),
  smoothL1Loss: pairLoss({
    name: 'smoothL1Loss',
    signature: `self, target, ${reductionParam}, beta: number = 1`,
    details: { beta: 'where the quadratic part ends, positive' },
    errors: { ArgumentError: 'when beta is not positive' },
    check: ({ beta }: BetaAttrs) => requirePositive('smoothL1Loss', 'beta', beta),
    summary: 'With d = |self − target|: d² / (2 beta) below beta, d − beta / 2 above, reduced.',
    build: (e, x, y, { beta }: BetaAttrs) => {
      const d = difference(e, x, y)
      return e('where', e('lt', d, beta), e('mul', e('mul', d, d), 0.5 / beta), e('sub', d, beta / 2))
    },
    float: (x, y, { beta }: BetaAttrs) => {
      const d = Math.abs(x - y)
      return d < beta ? (d * d) / (2 * beta) : d - beta / 2
    },
  }),
  huberLoss: pairLoss({
    name: 'huberLoss',
    signature: `self, target, ${reductionParam}, delta: number = 1`,
    details: { delta: 'where the quadratic part ends, positive' },
    errors: { ArgumentError: 'when delta is not positive' },
    check: ({ delta }: DeltaAttrs) => requirePositive('huberLoss', 'delta', delta),
    summary: 'With d = |self − target|: d² / 2 up to delta, delta · (d − delta / 2) above, reduced.',
    build: (e, x, y, { delta }: DeltaAttrs) => {
      const d = difference(e, x, y)
      return e('where', e('le', d, delta), e('mul', e('mul', d, d), 0.5), e('mul', e('sub', d, delta / 2), delta))
    },
    float: (x, y, { delta }: DeltaAttrs) => {
      const d = Math.abs(x - y)
      return d <= delta ? (d * d) / 2 : delta * (d - delta / 2)
    },
  }),
  binaryCrossEntropy: pairLoss({
    name: 'binaryCrossEntropy',
    signature: `self, target, weight: tensor | null = null, ${reductionParam}`,
    details: { weight: 'a factor per element (broadcasts)' },
    summary: '−(target · ln self + (1 − target) · ln(1 − self)), logarithms at least −100, reduced.',
    build: (e, x, y) => {
      const [on, off] = [e('max', e('log', x), -100), e('max', e('log1p', e('neg', x)), -100)]
      return e('neg', e('add', e('mul', y, on), e('mul', e('sub', 1, y), off)))
    },
    float: (x, y) => -(y * Math.max(Math.log(x), -100) + (1 - y) * Math.max(Math.log1p(-x), -100)),
  }),
  klDiv: pairLoss({
    name: 'klDiv',
    signature: "self, target, reduction: 'mean' | 'sum' | 'none' | 'batchmean' = 'mean', logTarget: bool = false",
    details: {
      reduction: 'the mean of all losses, their sum, each, or their sum over the size of the batch',
      logTarget: 'the target holds logarithms too',
    },
    summary:
      "target · (ln target − self), self being logarithms (the target too with logTarget); reduction may be 'batchmean'.",
    build: (e, x, y, { logTarget }: DivergenceAttrs) => {
      if (logTarget) return e('mul', e('exp', y), e('sub', y, x))
      const own = e('where', e('eq', y, 0), 0, e('mul', y, e('log', y)))
      return e('sub', own, e('mul', y, x))
    },
    float: (x, y, { logTarget }: DivergenceAttrs) =>
      logTarget ? Math.exp(y) * (y - x) : (y === 0 ? 0 : y * Math.log(y)) - y * x,
  }),
}

type LogitsAttrs = PairAttrs & { readonly hasWeight: boolean; readonly hasPosWeight: boolean }

const binaryCrossEntropyWithLogits = op({
  name: 'binaryCrossEntropyWithLogits',
  summary: 'binaryCrossEntropy of sigmoid(self), computed without overflow.',
  category: 'reduction',
  signature: `self, target, weight: tensor | null = null, ${reductionParam}, posWeight: tensor | null = null`,
  details: {
    ...lossDetails,
    weight: 'a factor per element (broadcasts)',
    posWeight: 'a factor on the loss of positive targets (broadcasts)',
  },
  shape: lossShape,
  dtypes: floatKept,
  errors: pairErrors,
  call: ({ self, target, weight, reduction, posWeight }): OpCall<LogitsAttrs> => {
    const attrs = { reduction, hasWeight: weight !== null, hasPosWeight: posWeight !== null }
    return call([self, target, ...[weight, posWeight].filter(one => one !== null)], attrs)
  },
  results: null,
  build: (b: GraphBuilder, inputs: readonly OpInput[], attrs: LogitsAttrs) => {
    const positive = attrs.hasPosWeight ? inputs.at(-1)!.node : null
    const row: PairRow<LogitsAttrs> = {
      name: 'binaryCrossEntropyWithLogits',
      summary: '',
      build: (e, x, y) => {
        // −ln sigmoid(x) = max(−x, 0) + ln(1 + e^−|x|), and the loss of a negative is that plus x.
        const softplus = e('add', e('max', e('neg', x), 0), e('log1p', e('exp', e('neg', e('abs', x)))))
        const off = e('mul', e('sub', 1, y), x)
        if (positive === null) return e('add', off, softplus)
        const factor = stretched(b, row.name, 'posWeight', castTo(b, positive, dtypeOf(x)), shapeOf(x))
        return e('add', off, e('mul', e('add', e('mul', e('sub', factor, 1), y), 1), softplus))
      },
      float: () => 0,
    }
    return [buildPairs(row, b, inputs.slice(0, attrs.hasWeight ? 3 : 2), attrs)]
  },
  reference: (inputs: readonly HostTensor[], attrs: LogitsAttrs) => {
    const [x, y] = inputs as [HostTensor, HostTensor]
    const losses: number[] = []
    hostFrom('f64', x.shape, index => {
      const [value, target] = [Number(elementAt(x, index)), Number(elementAt(y, index))]
      const positive = attrs.hasPosWeight ? Number(elementAt(inputs.at(-1)!, index)) : 1
      const factor = attrs.hasWeight ? Number(elementAt(inputs[2]!, index)) : 1
      const softplus = (v: number): number => Math.max(v, 0) + Math.log1p(Math.exp(-Math.abs(v)))
      losses.push(factor * (positive * target * softplus(-value) + (1 - target) * softplus(value)))
      return 0
    })
    return [hostReduced(x.dtype, x.shape, losses, attrs.reduction)]
  },
  gradient: 'later',
})

// --- losses of classes ---------------------------------------------------------------------------------------------------

const classParams = `self, target, weight: tensor | null = null, ignoreIndex: int = -100, ${reductionParam}` as const
const classDetails = {
  ...lossDetails,
  self: 'log-probabilities [N, C, …] or [C]',
  target: 'class indices [N, …], or 0-d for [C]',
  weight: 'a factor per class, [C]',
  ignoreIndex: 'targets of this value do not count',
}
type ClassAttrs = PairAttrs & { readonly ignoreIndex: number; readonly labelSmoothing: number }

interface ClassArgs extends ClassAttrs {
  readonly self: Value
  readonly target: Value
  readonly weight: Value | null
}

function classCall({ self, target, weight, ...attrs }: ClassArgs): OpCall<ClassAttrs> {
  return call(weight === null ? [self, target] : [self, target, weight], attrs)
}

/** The class dim: 1 of [N, C, …], 0 of [C]. */
const classDim = (rank: number): number => (rank === 1 ? 0 : 1)

function checkClasses(name: string, x: GraphNode, target: GraphNode, weight: GraphNode | undefined): void {
  const shape = shapeOf(x)
  if (shape.length === 0)
    throw new ShapeError(`${name}: the input is 0-d, it needs a dim of classes`, {
      fix: 'give one value per class: [classes] or [batch, classes]',
    })
  requireFloat(name, dtypeOf(x), toF32)
  const dim = classDim(shape.length)
  const rest = shape.filter((_, d) => d !== dim)
  const what = (): string =>
    `${name}: the target ${printShape(shapeOf(target))} does not fit the input ${printShape(shape)}`
  const fix = `give class indices of shape ${printShape(rest)}`
  if (rankOf(target) !== rest.length) throw new ShapeError(what(), { fix })
  for (const [d, size] of rest.entries()) requireEqual(size, shapeOf(target)[d]!, what, fix)
  if (!isInteger(dtypeOf(target)))
    throw new DtypeError(`${name}: the target is ${dtypeOf(target)}, not class indices`, {
      fix: "cast it: target.to('i64')",
    })
  if (weight === undefined) return
  const problem = (): string =>
    `${name}: the weight ${printShape(shapeOf(weight))} is not one value per class of ${printShape(shape)}`
  if (rankOf(weight) !== 1) throw new ShapeError(problem())
  requireEqual(shapeOf(weight)[0]!, shape[dim]!, problem)
}

/** Of log-probabilities. A target outside of the classes gives NaN: it must not look like a perfect prediction. */
function buildClasses(
  b: GraphBuilder,
  logs: GraphNode,
  target: GraphNode,
  weight: GraphNode | undefined,
  attrs: ClassAttrs,
  dtype: Dtype,
): GraphNode {
  const shape = shapeOf(logs)
  const dim = classDim(shape.length)
  const compute = dtypeOf(logs)
  const one: Shape = shape.map((size, d) => (d === dim ? 1 : size))
  const index = expandTo(b, reshapeTo(b, castTo(b, target, 'i64'), one), one)
  const number = (model: GraphNode, value: number): GraphNode => full(b, dtypeOf(model), shapeOf(model), value)
  const along = shape.map((size, d) => (d === dim ? size : 1))
  const factors = weight === undefined ? null : expandTo(b, reshapeTo(b, castTo(b, weight, compute), along), shape)
  const pick = (node: GraphNode): GraphNode => b.node('gather', [node, index], { dim })
  const count = countOf(b, shape[dim]!, 'i64')
  const inside = map(b, 'and', map(b, 'ge', index, number(index, 0)), map(b, 'lt', index, expandTo(b, count, one)))
  const counted = map(b, 'ne', index, number(index, attrs.ignoreIndex))
  const factor = factors === null ? number(pick(logs), 1) : pick(factors)
  const nan = number(factor, Number.NaN)
  const zero = number(factor, 0)
  const own = map(b, 'neg', map(b, 'mul', factor, pick(logs)))
  let loss = map(b, 'where', counted, map(b, 'where', inside, own, nan), zero)
  if (attrs.labelSmoothing > 0) {
    const terms = factors === null ? logs : map(b, 'mul', logs, factors)
    const spread = map(b, 'where', counted, map(b, 'neg', reduceKeepdim(b, 'add', terms, [dim])), zero)
    const share = map(b, 'div', spread, expandTo(b, castTo(b, count, compute), one))
    const mixed = (node: GraphNode, part: number): GraphNode => map(b, 'mul', node, number(node, part))
    loss = map(b, 'add', mixed(loss, 1 - attrs.labelSmoothing), mixed(share, attrs.labelSmoothing))
  }
  const flat = reshapeTo(b, loss, shapeOf(target))
  if (attrs.reduction !== 'mean') return reduced(b, flat, attrs.reduction, dtype)
  const divisor = total(b, map(b, 'where', counted, factor, zero))
  return castTo(b, map(b, 'div', total(b, flat), divisor), dtype)
}

function referenceClasses(
  logs: HostTensor,
  target: HostTensor,
  weight: HostTensor | undefined,
  attrs: ClassAttrs,
): HostTensor {
  const dim = classDim(logs.shape.length)
  const classes = logs.shape[dim]!
  const [losses, factors]: [number[], number[]] = [[], []]
  hostFrom('f64', target.shape, (index, flat) => {
    const own = Number(target.data[flat]!)
    if (own === attrs.ignoreIndex) {
      losses.push(0)
      return 0
    }
    const at = (k: number): number => {
      const place = [...index.slice(0, dim), k, ...index.slice(dim)]
      return Number(logs.data[place.reduce((f, i, d) => f * logs.shape[d]! + i, 0)]!)
    }
    const of = (k: number): number => (weight === undefined ? 1 : Number(weight.data[k]!))
    const spread = Array.from({ length: classes }, (_, k) => -of(k) * at(k)).reduce((a, v) => a + v, 0)
    const inside = own >= 0 && own < classes
    const smooth = attrs.labelSmoothing === 0 ? 0 : (attrs.labelSmoothing * spread) / classes
    losses.push(inside ? (1 - attrs.labelSmoothing) * -of(own) * at(own) + smooth : Number.NaN)
    factors.push(inside ? of(own) : 0)
    return 0
  })
  if (attrs.reduction !== 'mean') return hostReduced(logs.dtype, target.shape, losses, attrs.reduction)
  const sum = losses.reduce((a, v) => a + v, 0)
  return hostFrom(logs.dtype, [], () => hostValue(logs.dtype, sum / factors.reduce((a, v) => a + v, 0)))
}

const nllLoss = op({
  name: 'nllLoss',
  summary: '−weight[target] · self[target] of log-probabilities [N, C, …]; the mean divides by the weights counted.',
  category: 'reduction',
  signature: classParams,
  details: classDetails,
  shape: "0-d; with reduction 'none' the shape of target",
  dtypes: floatKept,
  errors: {
    DtypeError: 'when the target is no integer',
    ShapeError: 'when the target is not [N, …] (0-d for [C]), or the weight is not [C]',
  },
  note: 'A class out of range is an error on a CPU outside of compile, elsewhere its loss is NaN.',
  call: args => classCall({ ...args, labelSmoothing: 0 }),
  results: null,
  build: (b: GraphBuilder, inputs: readonly OpInput[], attrs: ClassAttrs) => {
    const [x, target, weight] = inputs.map(({ node }) => node) as [GraphNode, GraphNode, GraphNode?]
    checkClasses('nllLoss', x, target, weight)
    const dtype = dtypeOf(x)
    return [buildClasses(b, castTo(b, x, computeDtype(dtype)), target, weight, attrs, dtype)]
  },
  reference: ([x, target, weight]: readonly HostTensor[], attrs: ClassAttrs) => [
    referenceClasses(x!, target!, weight, attrs),
  ],
  gradient: 'later',
})

/** The logarithms of the softmax over the classes, in the compute dtype. */
function logSoftmaxOf(b: GraphBuilder, x: GraphNode): GraphNode {
  const wide = { node: castTo(b, x, computeDtype(dtypeOf(x))), isNumber: false }
  return normalisationRecords.logSoftmax.build(b, [wide], { dim: classDim(rankOf(x)), dtype: null })[0]!
}

/** The target as probabilities [N, C, …]. */
function buildProbabilities(
  b: GraphBuilder,
  x: GraphNode,
  target: GraphNode,
  weight: GraphNode | undefined,
  attrs: ClassAttrs,
): GraphNode {
  requireEqualShapes('crossEntropy', x, target)
  const dtype = pairDtype('crossEntropy', dtypeOf(x), dtypeOf(target))
  const logs = logSoftmaxOf(b, x)
  const shape = shapeOf(logs)
  const dim = classDim(shape.length)
  const number = (value: number): GraphNode => full(b, dtypeOf(logs), shape, value)
  const count = expandTo(b, countOf(b, shape[dim]!, dtypeOf(logs)), shape)
  const share = map(b, 'div', number(attrs.labelSmoothing), count)
  const given = castTo(b, target, dtypeOf(logs))
  const wanted =
    attrs.labelSmoothing === 0 ? given : map(b, 'add', map(b, 'mul', given, number(1 - attrs.labelSmoothing)), share)
  const along = shape.map((size, d) => (d === dim ? size : 1))
  const terms = map(b, 'mul', logs, wanted)
  const weighted =
    weight === undefined
      ? terms
      : map(b, 'mul', terms, expandTo(b, reshapeTo(b, castTo(b, weight, dtypeOf(logs)), along), shape))
  return reduced(b, map(b, 'neg', reduce(b, 'add', weighted, [dim])), attrs.reduction, dtype)
}

function hostLogSoftmax(x: HostTensor): HostTensor {
  const attrs = { dim: classDim(x.shape.length), dtype: null }
  return { ...normalisationRecords.logSoftmax.reference([{ ...x, dtype: 'f64' }], attrs)[0]!, dtype: x.dtype }
}

function referenceProbabilities(
  x: HostTensor,
  target: HostTensor,
  weight: HostTensor | undefined,
  attrs: ClassAttrs,
): HostTensor {
  const logs = hostLogSoftmax(x)
  const dim = classDim(x.shape.length)
  const shape = x.shape.filter((_, d) => d !== dim)
  const losses = new Array<number>(shape.reduce((a, c) => a * c, 1)).fill(0)
  hostFrom('f64', x.shape, (index, flat) => {
    const to = index.reduce((at, i, d) => (d === dim ? at : at * x.shape[d]! + i), 0)
    const wanted = Number(target.data[flat]!) * (1 - attrs.labelSmoothing) + attrs.labelSmoothing / x.shape[dim]!
    losses[to]! -= Number(weight?.data[index[dim]!] ?? 1) * wanted * Number(logs.data[flat]!)
    return 0
  })
  return hostReduced(x.dtype, shape, losses, attrs.reduction)
}

const crossEntropy = op({
  name: 'crossEntropy',
  summary: 'nllLoss of logSoftmax(self) of [N, C, …]; the target holds class indices, or (floats) probabilities.',
  category: 'reduction',
  signature: `${classParams}, labelSmoothing: number = 0`,
  details: {
    ...classDetails,
    self: 'a score per class (logits), [N, C, …] or [C]',
    target: 'class indices [N, …], or (floats) probabilities of the shape of self',
    labelSmoothing: 'the share of the target, 0 to 1, that is spread over all classes',
  },
  shape: "0-d; with reduction 'none' [N, …]",
  dtypes: floatKept,
  errors: {
    ArgumentError: 'when labelSmoothing is not in [0, 1]',
    DtypeError: 'when the target is bool, or another float than self',
    ShapeError:
      'when the target is neither [N, …] class indices nor probabilities of the shape of self, or the weight is not [C]',
  },
  note: 'A class out of range is an error on a CPU outside of compile, elsewhere its loss is NaN.',
  call: args => {
    const { labelSmoothing } = args
    if (labelSmoothing < 0 || labelSmoothing > 1)
      throw new ArgumentError(`crossEntropy: labelSmoothing ${labelSmoothing} is not between 0 and 1`, {
        fix: 'use 0 for none, up to 1',
      })
    return classCall(args)
  },
  results: null,
  build: (b: GraphBuilder, inputs: readonly OpInput[], attrs: ClassAttrs) => {
    const [x, target, weight] = inputs.map(({ node }) => node) as [GraphNode, GraphNode, GraphNode?]
    if (isFloat(dtypeOf(target))) return [buildProbabilities(b, x, target, weight, attrs)]
    checkClasses('crossEntropy', x, target, weight)
    return [buildClasses(b, logSoftmaxOf(b, x), target, weight, attrs, dtypeOf(x))]
  },
  reference: ([x, target, weight]: readonly HostTensor[], attrs: ClassAttrs) => {
    if (isFloat(target!.dtype)) return [referenceProbabilities(x!, target!, weight, attrs)]
    return [referenceClasses(hostLogSoftmax(x!), target!, weight, attrs)]
  },
  gradient: 'later',
})

// --- similarity --------------------------------------------------------------------------------------------------------

type CosineAttrs = { readonly dim: number; readonly eps: number }

const cosineSimilarity = op({
  name: 'cosineSimilarity',
  summary: 'Σ x1 · x2 / (max(‖x1‖, eps) · max(‖x2‖, eps)) along a dim.',
  category: 'reduction',
  signature: 'x1, x2, dim: dim = 1, eps: number = 1e-8',
  details: { x1: 'one tensor', x2: 'the other; the two broadcast', eps: 'the least length that is divided by' },
  shape: 'the shape that x1 and x2 broadcast to, without dim',
  dtypes: floatKept,
  errors: {
    DtypeError: 'when x1 and x2 have different dtypes',
    ShapeError: 'when the shapes do not broadcast, or both are 0-d',
  },
  results: null,
  build: (b: GraphBuilder, inputs: readonly OpInput[], attrs: CosineAttrs) => {
    const [x, y] = inputs.map(({ node }) => node) as [GraphNode, GraphNode]
    const dtype = pairDtype('cosineSimilarity', dtypeOf(x), dtypeOf(y))
    requireFloat('cosineSimilarity', dtypeOf(y), toF32)
    const shape = broadcastShapes('cosineSimilarity', [shapeOf(x), shapeOf(y)])
    if (shape.length === 0) throw new ShapeError('cosineSimilarity: 0-d tensors have no dim', { fix: 'give vectors' })
    const dims = [normalizeDim('cosineSimilarity', attrs.dim, shape.length)]
    const [a, c] = [x, y].map(node => expandTo(b, castTo(b, node, computeDtype(dtype)), shape)) as [
      GraphNode,
      GraphNode,
    ]
    const product = (left: GraphNode, right: GraphNode): GraphNode => reduce(b, 'add', map(b, 'mul', left, right), dims)
    const length = (node: GraphNode): GraphNode => {
      const own = map(b, 'sqrt', product(node, node))
      return map(b, 'max', own, expandTo(b, constant(b, dtypeOf(own), attrs.eps), shapeOf(own)))
    }
    return [castTo(b, map(b, 'div', map(b, 'div', product(a, c), length(a)), length(c)), dtype)]
  },
  reference: ([x, y]: readonly HostTensor[], attrs: CosineAttrs) => {
    const shape = hostBroadcast([x!, y!])
    const dim = normalizeDim('', attrs.dim, shape.length)
    return [
      hostFrom(
        x!.dtype,
        shape.filter((_, d) => d !== dim),
        index => {
          const sums = [0, 0, 0]
          for (let i = 0; i < shape[dim]!; i++) {
            const place = [...index.slice(0, dim), i, ...index.slice(dim)]
            const [a, c] = [Number(elementAt(x!, place)), Number(elementAt(y!, place))]
            sums[0]! += a * c
            sums[1]! += a * a
            sums[2]! += c * c
          }
          return hostValue(
            x!.dtype,
            sums[0]! / (Math.max(Math.sqrt(sums[1]!), attrs.eps) * Math.max(Math.sqrt(sums[2]!), attrs.eps)),
          )
        },
      ),
    ]
  },
  gradient: 'later',
})

export const lossRecords = {
  ...pairLosses,
  binaryCrossEntropyWithLogits,
  nllLoss,
  crossEntropy,
  cosineSimilarity,
}

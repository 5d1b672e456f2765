/** Losses of two or three tensors, element by element, that broadcast; and the margin loss of classes. */
import { ArgumentError, DtypeError, ShapeError } from '../../base/errors.js'
import type { Size } from '../../scalar/size.js'
import { computeDtype, isInteger } from '../../types/dtype.js'
import {
  castTo,
  constant,
  countOf,
  dtypeOf,
  expandTo,
  full,
  map,
  promotedDtype,
  reduce,
  requireFloat,
  reshapeTo,
  shapeOf,
} from '../build.js'
import { elementAt, hostFrom } from '../host.js'
import type { GraphBuilder, GraphNode } from '../ir.js'
import { type HostTensor, type OpCall, type OpInput, op, signed } from '../record.js'
import { broadcastShapes, printShape, requireEqual } from '../sizes.js'
import { call } from './arguments.js'
import { type Emit, emitter, hostBroadcast, hostPromoted } from './elementwise.js'
import { hostReduced, lossDetails, reduced, reductionParam, stretched } from './losses.js'
import { floatKept, floatPromoted } from './texts.js'

const toF32 = "cast first: x.to('f32')"
type LossAttrs = { readonly reduction: string }

interface LossRow<A> {
  readonly name: string
  readonly summary: string
  readonly details?: Readonly<Record<string, string>>
  readonly build: (e: Emit, inputs: readonly GraphNode[], attrs: A) => GraphNode
  readonly float: (inputs: readonly number[], attrs: A) => number
}

function elementLoss<const Text extends string, A extends LossAttrs>(
  signature: Text,
  { name, summary, details, build, float }: LossRow<A>,
) {
  return signed<Text, A, null>(
    {
      name,
      summary,
      category: 'reduction',
      details: { ...lossDetails, ...details },
      shape: "0-d; with reduction 'none' the shape that the tensors broadcast to",
      dtypes: floatPromoted,
      errors: { ShapeError: 'when the shapes do not broadcast' },
      results: null,
      build: (b: GraphBuilder, inputs: readonly OpInput[], attrs: A) => {
        const dtype = promotedDtype(inputs)
        requireFloat(name, dtype, toF32)
        const shape = broadcastShapes(
          name,
          inputs.map(({ node }) => shapeOf(node)),
        )
        const operands = inputs.map(({ node }) => expandTo(b, castTo(b, node, computeDtype(dtype)), shape))
        return [reduced(b, build(emitter(b), operands, attrs), attrs.reduction, dtype)]
      },
      reference: (inputs: readonly HostTensor[], attrs: A) => {
        const shape = hostBroadcast(inputs)
        const losses: number[] = []
        hostFrom('f64', shape, index => {
          losses.push(
            float(
              inputs.map(input => Number(elementAt(input, index))),
              attrs,
            ),
          )
          return 0
        })
        return [hostReduced(hostPromoted(inputs), shape, losses, attrs.reduction)]
      },
      gradient: 'later',
    },
    signature,
  )
}

const softplus = (x: number): number => Math.max(x, 0) + Math.log1p(Math.exp(-Math.abs(x)))

type PoissonAttrs = LossAttrs & { readonly logInput: boolean; readonly full: boolean; readonly eps: number }

const poissonNllLoss = elementLoss(
  `self, target, logInput: bool = true, full: bool = false, eps: number = 1e-8, ${reductionParam}`,
  {
    name: 'poissonNllLoss',
    details: {
      logInput: 'self is the logarithm of the expected count, not the count itself',
      full: "Stirling's formula for ln target! is added",
      eps: 'what is added before a logarithm',
    },
    summary: 'e^self − target · self (logInput false: self − target · ln(self + eps)), reduced.',
    build: (e, [x, y], { logInput, full: whole, eps }: PoissonAttrs) => {
      const loss = logInput
        ? e('sub', e('exp', x!), e('mul', y!, x!))
        : e('sub', x!, e('mul', y!, e('log', e('add', x!, eps))))
      if (!whole) return loss
      const half = e('mul', e('log', e('mul', y!, 2 * Math.PI)), 0.5)
      const stirling = e('add', e('sub', e('mul', y!, e('log', y!)), y!), half)
      return e('add', loss, e('where', e('gt', y!, 1), stirling, 0))
    },
    float: ([x, y], { logInput, full: whole, eps }: PoissonAttrs) => {
      const loss = logInput ? Math.exp(x!) - y! * x! : x! - y! * Math.log(x! + eps)
      return whole && y! > 1 ? loss + y! * Math.log(y!) - y! + 0.5 * Math.log(2 * Math.PI * y!) : loss
    },
  },
)

type GaussianAttrs = LossAttrs & { readonly full: boolean; readonly eps: number }

const gaussianNllLoss = elementLoss(
  `self, target, variance, full: bool = false, eps: number = 1e-6, ${reductionParam}`,
  {
    name: 'gaussianNllLoss',
    details: { variance: 'the variance of each, at least 0', full: 'ln(2π) / 2 is added', eps: 'the least variance' },
    summary: '(ln v + (self − target)² / v) / 2 with v = max(variance, eps), plus ln(2π) / 2 with full, reduced.',
    build: (e, [x, y, variance], { full: whole, eps }: GaussianAttrs) => {
      const v = e('max', variance!, eps)
      const miss = e('sub', x!, y!)
      const loss = e('mul', e('add', e('log', v), e('div', e('mul', miss, miss), v)), 0.5)
      return whole ? e('add', loss, Math.log(2 * Math.PI) / 2) : loss
    },
    float: ([x, y, variance], { full: whole, eps }: GaussianAttrs) => {
      const v = Math.max(variance!, eps)
      return 0.5 * (Math.log(v) + (x! - y!) ** 2 / v) + (whole ? Math.log(2 * Math.PI) / 2 : 0)
    },
  },
)

const softMarginLoss = elementLoss(`self, target, ${reductionParam}`, {
  name: 'softMarginLoss',
  details: { target: '1 or −1' },
  summary: 'ln(1 + e^(−target · self)), reduced; targets are 1 or −1.',
  build: (e, [x, y]) => {
    const z = e('neg', e('mul', x!, y!))
    return e('add', e('max', z, 0), e('log1p', e('exp', e('neg', e('abs', z)))))
  },
  float: ([x, y]) => softplus(-(x! * y!)),
})

type MarginAttrs = LossAttrs & { readonly margin: number }

const hingeEmbeddingLoss = elementLoss(`self, target, margin: number = 1, ${reductionParam}`, {
  name: 'hingeEmbeddingLoss',
  details: { target: '1 or −1', margin: 'how large self should be where the target is −1' },
  summary: 'self where target is 1, max(0, margin − self) where it is −1, reduced.',
  build: (e, [x, y], { margin }: MarginAttrs) =>
    e('add', e('where', e('ne', y!, 1), e('max', e('sub', margin, x!), 0), 0), e('where', e('ne', y!, -1), x!, 0)),
  float: ([x, y], { margin }: MarginAttrs) => (y !== 1 ? Math.max(0, margin - x!) : 0) + (y !== -1 ? x! : 0),
})

const marginRankingLoss = elementLoss(`input1, input2, target, margin: number = 0, ${reductionParam}`, {
  name: 'marginRankingLoss',
  details: { input1: 'one tensor', input2: 'the other', target: '1 or −1', margin: 'by how much one should be larger' },
  summary:
    'max(0, −target · (input1 − input2) + margin), reduced; target 1 where input1 should be larger, −1 where smaller.',
  build: (e, [x, z, y], { margin }: MarginAttrs) =>
    e('max', e('add', e('neg', e('mul', y!, e('sub', x!, z!))), margin), 0),
  float: ([x, z, y], { margin }: MarginAttrs) => Math.max(0, -y! * (x! - z!) + margin),
})

// --- of classes ------------------------------------------------------------------------------------------------------------

const multilabelSoftMarginLoss = op({
  name: 'multilabelSoftMarginLoss',
  summary: 'The mean over the last dim of −(target · ln σ(self) + (1 − target) · ln σ(−self)) · weight, reduced.',
  category: 'reduction',
  signature: `self, target, weight: tensor | null = null, ${reductionParam}`,
  shape: "0-d; with reduction 'none' the shape of self without the last dim",
  dtypes: floatKept,
  details: {
    ...lossDetails,
    self: 'a score per class, […, C]',
    target: '0 or 1 per class, […, C]',
    weight: 'a factor per class (broadcasts)',
  },
  errors: { ShapeError: 'when self is 0-d, self and target differ in shape, or the weight does not broadcast' },
  results: null,
  build: (b: GraphBuilder, inputs: readonly OpInput[], attrs: LossAttrs) => {
    const name = 'multilabelSoftMarginLoss'
    const [first, target] = inputs.map(({ node }) => node) as [GraphNode, GraphNode]
    const dtype = dtypeOf(first)
    requireFloat(name, dtype, toF32)
    const shape = shapeOf(first)
    if (shape.length === 0)
      throw new ShapeError(`${name}: the input is 0-d, it needs a dim of classes`, {
        fix: 'give one value per class: [classes] or [batch, classes]',
      })
    const what = (): string =>
      `${name}: the input ${printShape(shape)} and the target ${printShape(shapeOf(target))} differ`
    if (shapeOf(target).length !== shape.length) throw new ShapeError(what())
    for (const [d, size] of shape.entries()) requireEqual(size, shapeOf(target)[d]!, what)
    const e = emitter(b)
    const [x, y, weight] = inputs.map(({ node }) =>
      stretched(b, name, 'weight', castTo(b, node, computeDtype(dtype)), shape),
    ) as [GraphNode, GraphNode, GraphNode?]
    const own = e('add', e('max', e('neg', x), 0), e('log1p', e('exp', e('neg', e('abs', x)))))
    const loss = e('add', own, e('mul', e('sub', 1, y), x))
    const sum = reduce(b, 'add', weight === undefined ? loss : e('mul', loss, weight), [shape.length - 1])
    const count = expandTo(b, countOf(b, shape.at(-1)!, dtypeOf(sum)), shapeOf(sum))
    return [reduced(b, map(b, 'div', sum, count), attrs.reduction, dtype)]
  },
  reference: ([x, y, weight]: readonly HostTensor[], attrs: LossAttrs) => {
    const classes = x!.shape.at(-1)!
    const rows = new Array<number>(x!.data.length / classes).fill(0)
    hostFrom('f64', x!.shape, (index, flat) => {
      const [value, target] = [Number(x!.data[flat]), Number(y!.data[flat])]
      const factor = weight === undefined ? 1 : Number(elementAt(weight, index))
      rows[Math.floor(flat / classes)]! +=
        (factor * (target * softplus(-value) + (1 - target) * softplus(value))) / classes
      return 0
    })
    return [hostReduced(x!.dtype, x!.shape.slice(0, -1), rows, attrs.reduction)]
  },
  gradient: 'later',
})

type MultiAttrs = MarginAttrs & { readonly p: number }

function requirePerClass(name: string, weight: GraphNode, classes: Size): void {
  const shape = shapeOf(weight)
  const what = (): string => `${name}: the weight ${printShape(shape)} is not one value for each of ${classes} classes`
  if (shape.length !== 1) throw new ShapeError(what(), { fix: 'give a vector' })
  requireEqual(shape[0]!, classes, what)
}

const multiMarginLoss = op({
  name: 'multiMarginLoss',
  summary: 'Σ over the other classes of max(0, margin − self[target] + self[i])^p / C of [N, C] or [C], reduced.',
  category: 'reduction',
  signature: `self, target, p: number = 1, margin: number = 1, weight: tensor | null = null, ${reductionParam}`,
  shape: "0-d; with reduction 'none' [N]",
  dtypes: floatKept,
  details: {
    ...lossDetails,
    self: 'a score per class, [N, C] or [C]',
    target: 'class indices [N], or 0-d',
    p: '1 or 2',
    margin: 'by how much the score of the target should be larger',
    weight: 'a factor per class, [C]',
  },
  errors: {
    ArgumentError: 'when p is neither 1 nor 2',
    DtypeError: 'when the target is no integer',
    ShapeError: 'when the target is not [N], or the weight is not [C]',
  },
  note: 'A class out of range is an error on a CPU outside of compile, elsewhere its loss is NaN.',
  call: ({ self, target, p, margin, weight, reduction }): OpCall<MultiAttrs> => {
    if (p !== 1 && p !== 2) throw new ArgumentError(`multiMarginLoss: p ${p}`, { fix: 'use 1 or 2' })
    return call(weight === null ? [self, target] : [self, target, weight], { p, margin, reduction })
  },
  results: null,
  build: (b: GraphBuilder, inputs: readonly OpInput[], { p, margin, reduction }: MultiAttrs) => {
    const name = 'multiMarginLoss'
    const [given, target, weight] = inputs.map(({ node }) => node) as [GraphNode, GraphNode, GraphNode?]
    const dtype = dtypeOf(given)
    requireFloat(name, dtype, toF32)
    if (!isInteger(dtypeOf(target)))
      throw new DtypeError(`${name}: the target is ${dtypeOf(target)}, not class indices`, {
        fix: "cast it: target.to('i64')",
      })
    const rank = shapeOf(given).length
    if (rank !== 1 && rank !== 2)
      throw new ShapeError(`${name}: the input ${printShape(shapeOf(given))} is neither [N, C] nor [C]`, {
        fix: 'flatten what is more than a batch dim and a class dim',
      })
    const rows = rank === 2 ? given : reshapeTo(b, given, [1, ...shapeOf(given)])
    const x = castTo(b, rows, computeDtype(dtype))
    const [n, classes] = shapeOf(x) as [Size, Size]
    const what = (): string =>
      `${name}: the target ${printShape(shapeOf(target))} does not fit the input ${printShape(shapeOf(given))}`
    if (shapeOf(target).length !== rank - 1) throw new ShapeError(what())
    if (rank === 2) requireEqual(shapeOf(target)[0]!, n, what)
    if (weight !== undefined) requirePerClass(name, weight, classes)
    const index = expandTo(b, reshapeTo(b, castTo(b, target, 'i64'), [n, 1]), [n, 1])
    const wide = [n, classes]
    const number = (value: number): GraphNode => full(b, dtypeOf(x), wide, value)
    const own = expandTo(b, b.node('gather', [x, index], { dim: 1 }), wide)
    const hinge = map(b, 'max', map(b, 'sub', map(b, 'add', x, number(margin)), own), number(0))
    const powered = p === 2 ? map(b, 'mul', hinge, hinge) : hinge
    const counter = expandTo(b, b.node('iota', [], { length: classes, dtype: 'i64' }), wide)
    const others = map(b, 'where', map(b, 'eq', counter, expandTo(b, index, wide)), number(0), powered)
    const sum = reduce(b, 'add', others, [1])
    const mean = map(b, 'div', sum, expandTo(b, countOf(b, classes, dtypeOf(x)), [n]))
    const factor = (): GraphNode => {
      const line = reshapeTo(b, castTo(b, weight!, dtypeOf(x)), [1, classes])
      return reshapeTo(b, b.node('gather', [expandTo(b, line, wide), index], { dim: 1 }), [n])
    }
    // A target outside of the classes gives NaN: it must not look like a perfect prediction.
    const bound = (value: GraphNode): GraphNode => expandTo(b, value, [n, 1])
    const inside = map(
      b,
      'and',
      map(b, 'ge', index, bound(constant(b, 'i64', 0))),
      map(b, 'lt', index, bound(countOf(b, classes, 'i64'))),
    )
    const weighted = weight === undefined ? mean : map(b, 'mul', mean, factor())
    const loss = map(b, 'where', reshapeTo(b, inside, [n]), weighted, full(b, dtypeOf(x), [n], Number.NaN))
    return [reduced(b, rank === 2 ? loss : reshapeTo(b, loss, []), reduction, dtype)]
  },
  reference: ([given, target, weight]: readonly HostTensor[], { p, margin, reduction }: MultiAttrs) => {
    const classes = given!.shape.at(-1)!
    const losses = target!.data.map((label, n) => {
      const [row, own] = [given!.data.slice(n * classes, (n + 1) * classes).map(Number), Number(label)]
      if (own < 0 || own >= classes) return Number.NaN
      const sum = row.reduce((a, v, i) => a + (i === own ? 0 : Math.max(0, margin - row[own]! + v) ** p), 0)
      return (sum / classes) * Number(weight?.data[own] ?? 1)
    })
    return [hostReduced(given!.dtype, target!.shape, losses, reduction)]
  },
  gradient: 'later',
})

export const marginLossRecords = {
  poissonNllLoss,
  gaussianNllLoss,
  softMarginLoss,
  hingeEmbeddingLoss,
  marginRankingLoss,
  multilabelSoftMarginLoss,
  multiMarginLoss,
}

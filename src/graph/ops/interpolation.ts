/** Resampling of images to another size. */
import { ArgumentError, ShapeError } from '../../base/errors.js'
import {
  addSizes,
  ceilDivSizes,
  exactQuotient,
  floorDivSizes,
  maxSizes,
  mulSizes,
  type Size,
} from '../../scalar/size.js'
import { computeDtype } from '../../types/dtype.js'
import {
  castTo,
  constant,
  countOf,
  dtypeOf,
  expandTo,
  full,
  map,
  rankOf,
  reduce,
  requireFloat,
  reshapeTo,
  shapeOf,
} from '../build.js'
import type { GraphBuilder, GraphNode, Shape } from '../ir.js'
import { type OpCall, type OpInput, op } from '../record.js'
import type { Bound } from '../signature.js'
import { decideAtLeast, printShape } from '../sizes.js'
import { call } from './arguments.js'
import { indexingRecords } from './indexing.js'
import { knownSize } from './rearrange.js'
import { anyKept } from './texts.js'

export type InterpolateMode = 'nearest' | 'nearest-exact' | 'linear' | 'bilinear' | 'trilinear' | 'bicubic' | 'area'
type Attrs = {
  readonly size: readonly Size[] | Size | null
  readonly scale: readonly number[] | number | null
  readonly mode: InterpolateMode
  readonly alignCorners: boolean
  /** Source positions are computed from the sizes, not from the scale factors. */
  readonly recompute: boolean
  readonly antialias: boolean
}
/** How many spatial dims a mode is for; null: any. */
const modes: Readonly<Record<InterpolateMode, number | null>> = {
  nearest: null,
  'nearest-exact': null,
  linear: 1,
  bilinear: 2,
  trilinear: 3,
  bicubic: 2,
  area: null,
}

const isNearest = (mode: InterpolateMode): boolean => mode === 'nearest' || mode === 'nearest-exact'

const signature =
  "self, size: size | sizes | null = null, scaleFactor: number | numbers | null = null, mode: 'nearest' | 'nearest-exact' | 'linear' | 'bilinear' | 'trilinear' | 'bicubic' | 'area' = 'nearest', alignCorners: bool | null = null, recomputeScaleFactor: bool | null = null, antialias: bool = false"

function checkOptions({ size, scaleFactor, mode, alignCorners, recomputeScaleFactor, antialias }: Given): void {
  if ((size === null) === (scaleFactor === null))
    throw new ArgumentError('interpolate: give either size or scaleFactor', {
      fix: 'give one of them and not the other',
    })
  if (recomputeScaleFactor === true && scaleFactor === null)
    throw new ArgumentError('interpolate: recomputeScaleFactor without scaleFactor', {
      fix: 'drop it: size says the factors',
    })
  if (alignCorners === true && (isNearest(mode) || mode === 'area'))
    throw new ArgumentError(`interpolate: alignCorners has no meaning in mode '${mode}'`, {
      fix: "drop it, or use mode 'linear', 'bilinear', 'trilinear' or 'bicubic'",
    })
  if (antialias && mode !== 'bilinear' && mode !== 'bicubic')
    throw new ArgumentError(`interpolate: antialias is not for mode '${mode}'`, {
      fix: "use mode 'bilinear' or 'bicubic'",
    })
  for (const value of [size ?? scaleFactor ?? []].flat())
    if (typeof value === 'number' && !(value > 0 && value < Number.POSITIVE_INFINITY))
      throw new ArgumentError(`interpolate: ${size === null ? 'scaleFactor' : 'size'} ${value} is not positive`, {
        fix: 'give positive numbers',
      })
}

type Given = Bound<typeof signature>

function interpolateCall(args: Given): OpCall<Attrs> {
  checkOptions(args)
  const { self, size, scaleFactor, mode, alignCorners, recomputeScaleFactor, antialias } = args
  return call([self], {
    size,
    scale: scaleFactor,
    mode,
    alignCorners: alignCorners ?? false,
    recompute: recomputeScaleFactor ?? false,
    antialias,
  })
}

interface Step<S extends Size = Size> {
  readonly from: S
  readonly to: S
  /** The scale factor; null: from the sizes. */
  readonly factor: number | null
}

/** ⌊size · factor⌋ in float64; a run-time size stays symbolic if the factor is a multiple of 2⁻²⁰, else it is specialised. */
function scaled(size: Size, factor: number): Size {
  if (typeof size === 'number') {
    const product = Math.floor(size * factor)
    if (Number.isSafeInteger(product)) return product
    throw new ArgumentError(`interpolate: scaleFactor ${factor} makes a size of ${product}`, {
      fix: 'give a factor that makes sizes below 2^53',
    })
  }
  for (let divisor = 1; divisor <= 2 ** 20; divisor *= 2)
    if (Number.isInteger(factor * divisor)) return floorDivSizes(mulSizes(size, factor * divisor), divisor)
  return Math.floor(knownSize('interpolate', size) * factor)
}

const isList = <S>(value: readonly S[] | S): value is readonly S[] => Array.isArray(value)

function stepsOf(sizes: Shape, { size, scale, mode, recompute }: Attrs): readonly Step[] {
  const count = sizes.length
  const need = modes[mode]
  if (count < 1 || count > 3 || (need !== null && need !== count))
    throw new ShapeError(`interpolate: mode '${mode}' does not fit ${count} spatial dims`, {
      fix: 'the input is [N, C, L], [N, C, H, W] or [N, C, D, H, W]',
    })
  const pick = <S extends Size>(value: readonly S[] | S, d: number): S => {
    if (!isList(value)) return value
    if (value.length !== count)
      throw new ShapeError(`interpolate: [${value.join(', ')}] for ${count} spatial dims`, {
        fix: `give one number for all, or ${count} numbers`,
      })
    return value[d]!
  }
  return sizes.map((from, d) => {
    const factor = scale === null ? null : pick(scale, d)
    const to = factor === null ? pick(size!, d) : scaled(from, factor)
    const what = (): string => `interpolate: spatial dim ${d} goes from ${from} to ${to} elements`
    if (![from, to].every(one => decideAtLeast(one, 1, what)))
      throw new ShapeError(what(), { fix: 'both sizes must be at least 1' })
    return { from, to, factor: recompute ? null : factor }
  })
}

/** A number of the call or of the program, in f64. */
type Real = number | GraphNode

const realNode = (b: GraphBuilder, value: Real): GraphNode =>
  typeof value === 'number' ? constant(b, 'f64', value) : value

const realOf = (b: GraphBuilder, size: Size): Real => (typeof size === 'number' ? size : countOf(b, size, 'f64'))

/** first + step · i for i < length, in f64. */
function ramp(b: GraphBuilder, length: Size, first: Real, step: Real): GraphNode {
  const line = (value: Real): GraphNode => expandTo(b, realNode(b, value), [length])
  return map(b, 'add', map(b, 'mul', b.node('iota', [], { length, dtype: 'f64' }), line(step)), line(first))
}

/** a / c: a plain number if both are known. */
function quotient(b: GraphBuilder, a: Size, c: Size): Real {
  if (typeof a === 'number' && typeof c === 'number') return a / c
  return map(b, 'div', realNode(b, realOf(b, a)), realNode(b, realOf(b, c)))
}

/** Input positions per output position. */
const ratioOf = (b: GraphBuilder, { from, to, factor }: Step): Real =>
  factor === null ? quotient(b, from, to) : 1 / factor

const halfOf = (b: GraphBuilder, value: Real): Real =>
  typeof value === 'number' ? value / 2 : map(b, 'mul', value, constant(b, 'f64', 0.5))

/** The input positions of the output elements: the first, and the distance between them. */
function linearPositions(b: GraphBuilder, step: Step, alignCorners: boolean): readonly [first: Real, step: Real] {
  const { from, to } = step
  if (alignCorners) {
    const isLine = decideAtLeast(to, 2, () => `interpolate: ${from} to ${to} positions with alignCorners`)
    return [0, isLine ? quotient(b, addSizes(from, -1), addSizes(to, -1)) : 0]
  }
  const ratio = ratioOf(b, step)
  if (typeof ratio === 'number') return [ratio / 2 - 0.5, ratio]
  const half = constant(b, 'f64', 0.5)
  return [map(b, 'sub', map(b, 'mul', ratio, half), half), ratio]
}

const take = (b: GraphBuilder, node: GraphNode, dim: number, index: GraphNode): GraphNode =>
  indexingRecords.indexSelect.build(
    b,
    [node, index].map(one => ({ node: one, isNumber: false })),
    { dim },
  )[0]!

/** Computed in f32 as in PyTorch: at ties another rounding would pick another element. */
function nearestIndices(b: GraphBuilder, step: Step, mode: InterpolateMode): GraphNode {
  const { from, to, factor } = step
  const line = (value: GraphNode): GraphNode => expandTo(b, value, [to])
  const number = (value: number): GraphNode => line(constant(b, 'f32', value))
  const ratio = factor === null ? map(b, 'div', countOf(b, from, 'f32'), countOf(b, to, 'f32')) : number(1 / factor)
  const counter = b.node('iota', [], { length: to, dtype: 'f32' })
  const middle = mode === 'nearest' ? counter : map(b, 'add', counter, number(0.5))
  const position = map(b, 'floor', map(b, 'mul', middle, line(ratio)))
  return map(b, 'min', position, line(countOf(b, addSizes(from, -1), 'f32')))
}

// --- sums of several elements --------------------------------------------------------------------------------------------

/** The terms of each result element: [to, count] positions in the input, which may be out of range, and their weights. */
interface Taps {
  readonly count: Size
  readonly position: GraphNode
  readonly share: GraphNode
}

/** In f64: [to, 1] with [1, count]. */
function grid(b: GraphBuilder, step: Step, count: Size) {
  const shape = [step.to, count]
  const column = (line: GraphNode): GraphNode => expandTo(b, reshapeTo(b, line, [step.to, 1]), shape)
  const counter = expandTo(b, b.node('iota', [], { length: count, dtype: 'f64' }), shape)
  const number = (value: Real): GraphNode => expandTo(b, realNode(b, value), shape)
  return { column, counter, number }
}

/** Keys' cubic: 1 at 0, 0 at ±1, ±2 and beyond; `a` is its slope at 1. */
function cubic(b: GraphBuilder, x: GraphNode, a: number): GraphNode {
  const number = (value: number): GraphNode => full(b, 'f64', shapeOf(x), value)
  const size = map(b, 'abs', x)
  const horner = (...factors: readonly number[]): GraphNode =>
    factors
      .slice(1)
      .reduce((sum, factor) => map(b, 'add', map(b, 'mul', sum, size), number(factor)), number(factors[0]!))
  const [near, far] = [horner(a + 2, -(a + 3), 0, 1), horner(a, -5 * a, 8 * a, -4 * a)]
  const outer = map(b, 'where', map(b, 'lt', size, number(2)), far, number(0))
  return map(b, 'where', map(b, 'lt', size, number(1)), near, outer)
}

function triangle(b: GraphBuilder, x: GraphNode): GraphNode {
  const number = (value: number): GraphNode => full(b, 'f64', shapeOf(x), value)
  return map(b, 'max', map(b, 'sub', number(1), map(b, 'abs', x)), number(0))
}

/** The four elements around each position, clamped to the edges. */
function cubicTaps(b: GraphBuilder, step: Step, alignCorners: boolean): Taps {
  const { column, counter, number } = grid(b, step, 4)
  const exact = ramp(b, step.to, ...linearPositions(b, step, alignCorners))
  const position = map(b, 'add', column(map(b, 'floor', exact)), map(b, 'sub', counter, number(1)))
  return { count: 4, position, share: cubic(b, map(b, 'sub', column(exact), position), -0.75) }
}

/** The weights divided by their sum. */
function normalised(b: GraphBuilder, share: GraphNode): GraphNode {
  const shape = shapeOf(share)
  const sum = reshapeTo(b, reduce(b, 'add', share, [1]), [shape[0]!, 1])
  return map(b, 'div', share, expandTo(b, sum, shape))
}

/** Antialiasing: the filter covers the input positions of one output position, at least the distance of two elements. */
function antialiasTaps(b: GraphBuilder, step: Step, { mode, alignCorners }: Attrs): Taps {
  const half = mode === 'bicubic' ? 2 : 1
  const [, ratio] = alignCorners ? linearPositions(b, step, true) : [0, ratioOf(b, step)]
  const inner = alignCorners ? -1 : 0
  const widths = mulSizes(addSizes(step.from, inner), 2 * half)
  const count =
    typeof ratio === 'number'
      ? Math.ceil(2 * half * Math.max(ratio, 1)) + 1
      : addSizes(maxSizes(ceilDivSizes(widths, addSizes(step.to, inner)), 2 * half), 1)
  const { column, counter, number } = grid(b, step, count)
  const width = typeof ratio === 'number' ? Math.max(ratio, 1) : map(b, 'max', ratio, constant(b, 'f64', 1))
  const centre = column(ramp(b, step.to, halfOf(b, ratio), ratio))
  const support = map(b, 'mul', number(width), number(half))
  const edge = map(b, 'add', map(b, 'sub', centre, support), number(0.5))
  const position = map(b, 'add', map(b, 'floor', edge), counter)
  const away = map(b, 'div', map(b, 'add', map(b, 'sub', position, centre), number(0.5)), number(width))
  const filter = mode === 'bicubic' ? cubic(b, away, -0.5) : triangle(b, away)
  const beyond = number(realOf(b, step.from))
  const inside = map(b, 'and', map(b, 'ge', position, number(0)), map(b, 'lt', position, beyond))
  return { count, position, share: normalised(b, map(b, 'where', inside, filter, number(0))) }
}

/** The means over the windows of adaptiveAvgPool, which overlap if sizes do not divide. */
function areaTaps(b: GraphBuilder, step: Step): Taps {
  const { from, to } = step
  const count = exactQuotient(from, to) ?? addSizes(ceilDivSizes(from, to), 1)
  const { column, counter, number } = grid(b, step, count)
  const line = (value: Real): GraphNode => expandTo(b, realNode(b, value), [to])
  const edge = (first: number): GraphNode => {
    const parts = map(b, 'mul', ramp(b, to, first, 1), line(realOf(b, from)))
    return map(b, 'div', parts, line(realOf(b, to)))
  }
  const position = map(b, 'add', column(map(b, 'floor', edge(0))), counter)
  const inside = map(b, 'lt', position, column(map(b, 'ceil', edge(1))))
  return { count, position, share: normalised(b, map(b, 'where', inside, number(1), number(0))) }
}

function tapsOf(b: GraphBuilder, step: Step, attrs: Attrs): Taps {
  if (attrs.mode === 'area') return areaTaps(b, step)
  return attrs.antialias ? antialiasTaps(b, step, attrs) : cubicTaps(b, step, attrs.alignCorners)
}

function sumTaps(b: GraphBuilder, node: GraphNode, dim: number, step: Step, taps: Taps): GraphNode {
  const { count, position, share } = taps
  const last = expandTo(b, realNode(b, realOf(b, addSizes(step.from, -1))), shapeOf(position))
  const within = map(b, 'min', map(b, 'max', position, full(b, 'f64', shapeOf(position), 0)), last)
  const taken = take(b, node, dim, reshapeTo(b, castTo(b, within, 'i64'), [mulSizes(step.to, count)]))
  const shape = shapeOf(node).flatMap((size, d) => (d === dim ? [step.to, count] : [size]))
  const parts = reshapeTo(b, taken, shape)
  const along = shape.map((size, d) => (d === dim || d === dim + 1 ? size : 1))
  const shares = expandTo(b, reshapeTo(b, castTo(b, share, dtypeOf(node)), along), shape)
  // Elements of weight 0 must not make the sum NaN.
  const none = full(b, dtypeOf(node), shape, 0)
  return reduce(b, 'add', map(b, 'where', map(b, 'eq', shares, none), none, map(b, 'mul', parts, shares)), [dim + 1])
}

// --- one dim -------------------------------------------------------------------------------------------------------------

function resizeDim(b: GraphBuilder, node: GraphNode, dim: number, step: Step, attrs: Attrs): GraphNode {
  const { from, to } = step
  if (attrs.antialias || attrs.mode === 'bicubic' || attrs.mode === 'area')
    return sumTaps(b, node, dim, step, tapsOf(b, step, attrs))
  const line = (value: Real): GraphNode => expandTo(b, realNode(b, value), [to])
  const last = line(realOf(b, addSizes(from, -1)))
  const within = (position: GraphNode): GraphNode => map(b, 'min', map(b, 'max', position, line(0)), last)
  const whole = (position: GraphNode): GraphNode => castTo(b, within(position), 'i64')
  if (isNearest(attrs.mode)) return take(b, node, dim, castTo(b, nearestIndices(b, step, attrs.mode), 'i64'))
  const position = within(ramp(b, to, ...linearPositions(b, step, attrs.alignCorners)))
  const low = map(b, 'floor', position)
  const shape = shapeOf(node).map((size, d) => (d === dim ? to : size))
  const along = shape.map((_, d) => (d === dim ? to : 1))
  const weight = castTo(b, map(b, 'sub', position, low), dtypeOf(node))
  const spread = expandTo(b, reshapeTo(b, weight, along), shape)
  const [left, right] = [take(b, node, dim, whole(low)), take(b, node, dim, whole(map(b, 'add', low, line(1))))]
  return map(b, 'add', left, map(b, 'mul', map(b, 'sub', right, left), spread))
}

const interpolate = op({
  name: 'interpolate',
  summary:
    "[N, C, …] resized to other spatial sizes, by mode 'nearest', 'nearest-exact', 'linear', 'bilinear', 'trilinear', 'bicubic' or 'area' (means of the input elements that an output element covers).",
  category: 'index',
  signature,
  shape: '[N, C, size…] or [N, C, ⌊size · scaleFactor⌋…]',
  dtypes: anyKept,
  details: {
    self: '[N, C, …] with one to three spatial dims',
    size: 'the new spatial sizes, for all dims or for each; either this or scaleFactor',
    scaleFactor: 'by what the spatial sizes grow, for all dims or for each',
    mode: "how values between the elements are found: 'nearest' (rounded down), 'nearest-exact' (the nearest centre), 'linear' (1 spatial dim), 'bilinear' (2), 'trilinear' (3), 'bicubic' (2), 'area' (means)",
    recomputeScaleFactor: 'positions follow from the rounded sizes instead of scaleFactor',
    alignCorners: "the corners' centres meet instead of their edges; linear modes and 'bicubic' only. By default false",
    antialias: "on the way down every element counts, as in image libraries; 'bilinear' and 'bicubic' only",
  },
  errors: {
    ArgumentError:
      'when not exactly one of size and scaleFactor is given, one is not positive, or alignCorners or antialias does not go with the mode',
    DtypeError: 'for integers and bool, but in the nearest modes',
    ShapeError: 'when the mode does not fit the number of spatial dims, or a size is 0',
  },
  call: interpolateCall,
  results: null,
  build: (b: GraphBuilder, [input]: readonly OpInput[], attrs: Attrs) => {
    const { node } = input!
    if (rankOf(node) < 3)
      throw new ShapeError(`interpolate: the input ${printShape(shapeOf(node))} is not [N, C, …]`, {
        fix: 'give it a batch and channels: x.unsqueeze(0)',
      })
    const dtype = dtypeOf(node)
    const linear = !isNearest(attrs.mode)
    if (linear) requireFloat('interpolate', dtype, "cast first: x.to('f32')")
    const sizes = shapeOf(node).slice(2)
    let result = linear ? castTo(b, node, computeDtype(dtype)) : node
    for (const [d, step] of stepsOf(sizes, attrs).entries()) result = resizeDim(b, result, 2 + d, step, attrs)
    return [castTo(b, result, dtype)]
  },
  gradient: 'later',
})

export const interpolationRecords = { interpolate }

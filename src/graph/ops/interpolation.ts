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
import type { Shape } from '../ir.js'
import type { Bound } from '../signature.js'
import { decideAtLeast, printShape } from '../sizes.js'
import { compose, requireFloats } from './compose.js'
import type { GraphTensor } from './graph-tensor.js'
import { knownSize } from './rearrange.js'
import { anyKept } from './texts.js'

type Options = Omit<Bound<typeof signature>, 'self'>
type InterpolateMode = Options['mode']

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

/** Throws ArgumentError for options that contradict each other. */
function checkOptions({ size, scaleFactor, mode, alignCorners, recomputeScaleFactor, antialias }: Options): void {
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

interface Step {
  readonly from: Size
  readonly to: Size
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

/** The step of each spatial dim: its size before and after, and the scale factor. */
function stepsOf(sizes: Shape, { size, scaleFactor, mode, recomputeScaleFactor }: Options): readonly Step[] {
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
    const factor = scaleFactor === null ? null : pick(scaleFactor, d)
    const to = factor === null ? pick(size!, d) : scaled(from, factor)
    const what = (): string => `interpolate: spatial dim ${d} goes from ${from} to ${to} elements`
    if (![from, to].every(one => decideAtLeast(one, 1, what)))
      throw new ShapeError(what(), { fix: 'both sizes must be at least 1' })
    return { from, to, factor: recomputeScaleFactor ? null : factor }
  })
}

/** A number of the call, or of the program: 0-d, f64. */
type Real = number | GraphTensor

/** first + step · i for i < length, in f64. */
const ramp = (x: GraphTensor, length: Size, first: Real, step: Real): GraphTensor =>
  x.iota(length, 'f64').mul(step).add(first)

/** a / c: a plain number if both are known. */
const quotient = (x: GraphTensor, a: Size, c: Size): Real =>
  typeof a === 'number' && typeof c === 'number' ? a / c : x.count(a, 'f64').div(x.count(c, 'f64'))

const times = (value: Real, by: number): Real => (typeof value === 'number' ? value * by : value.mul(by))

/** Input positions per output position. */
const ratioOf = (x: GraphTensor, { from, to, factor }: Step): Real =>
  factor === null ? quotient(x, from, to) : 1 / factor

/** The input positions of the output elements: the first, and the distance between them. */
function linearPositions(x: GraphTensor, step: Step, alignCorners: boolean | null): readonly [first: Real, step: Real] {
  const { from, to } = step
  if (alignCorners) {
    const isLine = decideAtLeast(to, 2, () => `interpolate: ${from} to ${to} positions with alignCorners`)
    return [0, isLine ? quotient(x, addSizes(from, -1), addSizes(to, -1)) : 0]
  }
  const ratio = ratioOf(x, step)
  return [typeof ratio === 'number' ? ratio / 2 - 0.5 : ratio.mul(0.5).sub(0.5), ratio]
}

/** Positions clamped to those of `size` elements: 0 … size − 1. */
const within = (position: GraphTensor, size: Size): GraphTensor =>
  position.maximum(0).minimum(position.count(addSizes(size, -1)))

/** Computed in f32 as in PyTorch: at ties another rounding would pick another element. */
function nearestIndices(x: GraphTensor, { from, to, factor }: Step, mode: InterpolateMode): GraphTensor {
  const ratio = factor === null ? x.count(from, 'f32').div(x.count(to, 'f32')) : 1 / factor
  const counter = x.iota(to, 'f32')
  const middle = mode === 'nearest' ? counter : counter.add(0.5)
  return middle
    .mul(ratio)
    .floor()
    .minimum(x.count(addSizes(from, -1), 'f32'))
}

// --- sums of several elements --------------------------------------------------------------------------------------------

/** The filter taps of each result element: [to, count] positions in the input, which may be out of range, and their weights. */
interface Taps {
  readonly position: GraphTensor
  readonly weight: GraphTensor
}

/** Keys' cubic: 1 at 0, 0 at ±1, ±2 and beyond; `a` is its slope at 1. */
function cubic(x: GraphTensor, a: number): GraphTensor {
  const size = x.abs()
  const horner = (first: number, ...rest: readonly number[]): GraphTensor =>
    rest.reduce((sum, factor) => sum.mul(size).add(factor), size.like(first))
  const [near, far] = [horner(a + 2, -(a + 3), 0, 1), horner(a, -5 * a, 8 * a, -4 * a)]
  return size.lt(1).where(near, size.lt(2).where(far, 0))
}

/** The filter of antialiased bilinear interpolation: 1 at 0, falling linearly to 0 at ±1. */
const triangle = (x: GraphTensor): GraphTensor => x.number(1).sub(x.abs()).maximum(0)

/** Bicubic interpolation: the four elements around each position. */
function cubicTaps(x: GraphTensor, step: Step, alignCorners: boolean | null): Taps {
  const exact = ramp(x, step.to, ...linearPositions(x, step, alignCorners)).unsqueeze(1)
  const position = exact.floor().add(x.iota(4, 'f64').sub(1))
  return { position, weight: cubic(exact.sub(position), -0.75) }
}

/** The weights divided by their sum. */
const normalised = (weight: GraphTensor): GraphTensor => weight.div(weight.folded('add', [1]))

/** Antialiasing: the filter covers the input positions of one output position, at least the distance of two elements. */
function antialiasTaps(x: GraphTensor, step: Step, { mode, alignCorners }: Options): Taps {
  const half = mode === 'bicubic' ? 2 : 1
  const ratio = alignCorners ? linearPositions(x, step, true)[1] : ratioOf(x, step)
  const inner = alignCorners ? -1 : 0
  const widths = mulSizes(addSizes(step.from, inner), 2 * half)
  const count =
    typeof ratio === 'number'
      ? Math.ceil(2 * half * Math.max(ratio, 1)) + 1
      : addSizes(maxSizes(ceilDivSizes(widths, addSizes(step.to, inner)), 2 * half), 1)
  const width = typeof ratio === 'number' ? Math.max(ratio, 1) : ratio.maximum(1)
  const centre = ramp(x, step.to, times(ratio, 0.5), ratio).unsqueeze(1)
  const edge = centre.sub(times(width, half)).add(0.5)
  const position = edge.floor().add(x.iota(count, 'f64'))
  const away = position.sub(centre).add(0.5).div(width)
  const filter = mode === 'bicubic' ? cubic(away, -0.5) : triangle(away)
  const inside = position.ge(0).logicalAnd(position.lt(x.count(step.from, 'f64')))
  return { position, weight: normalised(inside.where(filter, 0)) }
}

/** The means over the windows of adaptiveAvgPool, which overlap if sizes do not divide. */
function areaTaps(x: GraphTensor, { from, to }: Step): Taps {
  const count = exactQuotient(from, to) ?? addSizes(ceilDivSizes(from, to), 1)
  const edge = (first: number): GraphTensor =>
    ramp(x, to, first, 1).mul(x.count(from, 'f64')).div(x.count(to, 'f64')).unsqueeze(1)
  const position = edge(0).floor().add(x.iota(count, 'f64'))
  return { position, weight: normalised(position.lt(edge(1).ceil()).where(position.like(1), 0)) }
}

function tapsOf(x: GraphTensor, step: Step, options: Options): Taps {
  if (options.mode === 'area') return areaTaps(x, step)
  return options.antialias ? antialiasTaps(x, step, options) : cubicTaps(x, step, options.alignCorners)
}

/** Interpolates along one dim: each output element is a weighted sum of input elements. */
function sumTaps(x: GraphTensor, dim: number, { from }: Step, { position, weight }: Taps): GraphTensor {
  const [before, after] = [x.shape.slice(0, dim), x.shape.slice(dim + 1)]
  const parts = x
    .indexSelect(dim, within(position, from).as('i64').ravel())
    .shaped([...before, ...position.shape, ...after])
  const weights = weight
    .as(x.dtype)
    .shaped([...position.shape, ...after.map(() => 1)])
    .expandTo(parts.shape)
  // Elements of weight 0 must not make the sum NaN.
  return weights
    .eq(0)
    .where(0, parts.mul(weights))
    .summed([dim + 1])
}

// --- one dim -------------------------------------------------------------------------------------------------------------

/** Interpolates along one dim, by the mode. */
function resized(x: GraphTensor, dim: number, step: Step, options: Options): GraphTensor {
  const { antialias, mode, alignCorners } = options
  if (antialias || mode === 'bicubic' || mode === 'area') return sumTaps(x, dim, step, tapsOf(x, step, options))
  if (isNearest(mode)) return x.indexSelect(dim, nearestIndices(x, step, mode).as('i64'))
  const position = within(ramp(x, step.to, ...linearPositions(x, step, alignCorners)), step.from)
  const low = position.floor()
  const weight = position
    .sub(low)
    .as(x.dtype)
    .shaped([step.to, ...x.shape.slice(dim + 1).map(() => 1)])
  const at = (index: GraphTensor): GraphTensor => x.indexSelect(dim, within(index, step.from).as('i64'))
  const [left, right] = [at(low), at(low.add(1))]
  return left.add(right.sub(left).mul(weight))
}

const interpolate = compose({
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
  keeps: ['self'],
  check: checkOptions,
  body: ({ self, ...options }) => {
    if (self.rank < 3)
      throw new ShapeError(`interpolate: the input ${printShape(self.shape)} is not [N, C, …]`, {
        fix: 'give it a batch and channels: x.unsqueeze(0)',
      })
    const isLinear = !isNearest(options.mode)
    if (isLinear) requireFloats('interpolate', self)
    const steps = stepsOf(self.shape.slice(2), options)
    const start = isLinear ? self.as(computeDtype(self.dtype)) : self
    return steps.reduce((x, step, d) => resized(x, 2 + d, step, options), start)
  },
})

export const interpolationRecords = { interpolate }

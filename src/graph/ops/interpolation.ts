/** Images in another size. */
import { ArgumentError, ShapeError } from '../../base/errors.js'
import { addSizes, floorDivSizes, mulSizes, type Size } from '../../scalar/size.js'
import { computeDtype } from '../../types/dtype.js'
import {
  castTo,
  constant,
  countOf,
  dtypeOf,
  expandTo,
  map,
  rankOf,
  requireFloat,
  reshapeTo,
  shapeOf,
} from '../build.js'
import { hostFrom, hostValue } from '../host.js'
import type { GraphBuilder, GraphNode, Shape } from '../ir.js'
import { type HostTensor, type OpCall, type OpInput, op } from '../record.js'
import type { Bound } from '../signature.js'
import { decideAtLeast, printShape } from '../sizes.js'
import { call } from './arguments.js'
import { indexingRecords } from './indexing.js'
import { knownSize } from './rearrange.js'

export type InterpolateMode = 'nearest' | 'nearest-exact' | 'linear' | 'bilinear' | 'trilinear'
type Attrs = {
  readonly size: readonly number[] | number | null
  readonly scale: readonly number[] | number | null
  readonly mode: InterpolateMode
  readonly alignCorners: boolean
  /** The places follow from the sizes, not from the factors that gave them. */
  readonly recompute: boolean
}
const modes: Readonly<Record<InterpolateMode, number | null>> = {
  nearest: null,
  'nearest-exact': null,
  linear: 1,
  bilinear: 2,
  trilinear: 3,
}

const isNearest = (mode: InterpolateMode): boolean => mode === 'nearest' || mode === 'nearest-exact'

const signature =
  "self, size: int | ints | null = null, scaleFactor: number | numbers | null = null, mode: 'nearest' | 'nearest-exact' | 'linear' | 'bilinear' | 'trilinear' = 'nearest', alignCorners: bool | null = null, recomputeScaleFactor: bool | null = null"

function interpolateCall(args: Bound<typeof signature>): OpCall<Attrs> {
  const { self, size, scaleFactor, mode, alignCorners, recomputeScaleFactor } = args
  if ((size === null) === (scaleFactor === null))
    throw new ArgumentError('interpolate: give either size or scaleFactor', {
      fix: 'give one of them and not the other',
    })
  if (recomputeScaleFactor === true && scaleFactor === null)
    throw new ArgumentError('interpolate: recomputeScaleFactor without scaleFactor', {
      fix: 'drop it: size says the factors',
    })
  if (isNearest(mode) && alignCorners === true)
    throw new ArgumentError(`interpolate: alignCorners has no meaning in mode '${mode}'`, {
      fix: "drop it, or use mode 'linear', 'bilinear' or 'trilinear'",
    })
  for (const value of [size ?? scaleFactor ?? []].flat())
    if (!(value > 0 && value < Number.POSITIVE_INFINITY))
      throw new ArgumentError(`interpolate: ${size === null ? 'scaleFactor' : 'size'} ${value} is not positive`, {
        fix: 'give positive numbers',
      })
  return call([self], {
    size,
    scale: scaleFactor,
    mode,
    alignCorners: alignCorners ?? false,
    recompute: recomputeScaleFactor ?? false,
  })
}

interface Step<S extends Size = Size> {
  readonly from: S
  readonly to: S
  /** What the size is multiplied by; null: where the sizes tell. */
  readonly factor: number | null
}

/** ⌊size · factor⌋ as numbers are multiplied: of a run-time size where the factor is a fraction over a power of 2. */
function scaled(size: Size, factor: number): Size {
  if (typeof size === 'number') return Math.floor(size * factor)
  for (let divisor = 1; divisor <= 2 ** 20; divisor *= 2)
    if (Number.isInteger(factor * divisor)) return floorDivSizes(mulSizes(size, factor * divisor), divisor)
  return Math.floor(knownSize('interpolate', size) * factor)
}

function stepsOf(sizes: Shape, { size, scale, mode, recompute }: Attrs): readonly Step[] {
  const count = sizes.length
  const need = modes[mode]
  if (count < 1 || count > 3 || (need !== null && need !== count))
    throw new ShapeError(`interpolate: mode '${mode}' does not fit ${count} spatial dims`, {
      fix: 'the input is [N, C, L], [N, C, H, W] or [N, C, D, H, W]',
    })
  const pick = (value: readonly number[] | number, d: number): number => {
    if (typeof value === 'number') return value
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

/** a / c: at once where both are known. */
function quotient(b: GraphBuilder, a: Size, c: Size): Real {
  if (typeof a === 'number' && typeof c === 'number') return a / c
  return map(b, 'div', realNode(b, realOf(b, a)), realNode(b, realOf(b, c)))
}

/** Input places per output place. */
const ratioOf = (b: GraphBuilder, { from, to, factor }: Step): Real =>
  factor === null ? quotient(b, from, to) : 1 / factor

const halfOf = (b: GraphBuilder, value: Real): Real =>
  typeof value === 'number' ? value / 2 : map(b, 'mul', value, constant(b, 'f64', 0.5))

/** Where the output's places lie in the input: the first, and how far apart. */
function linearPlaces(b: GraphBuilder, step: Step, alignCorners: boolean): readonly [first: Real, step: Real] {
  const { from, to } = step
  if (alignCorners) {
    const isLine = decideAtLeast(to, 2, () => `interpolate: ${from} to ${to} places with alignCorners`)
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

function resizeDim(b: GraphBuilder, node: GraphNode, dim: number, step: Step, attrs: Attrs): GraphNode {
  const { from, to } = step
  const line = (value: Real): GraphNode => expandTo(b, realNode(b, value), [to])
  const last = line(realOf(b, addSizes(from, -1)))
  const within = (place: GraphNode): GraphNode => map(b, 'min', map(b, 'max', place, line(0)), last)
  const whole = (place: GraphNode): GraphNode => castTo(b, within(place), 'i64')
  if (isNearest(attrs.mode)) {
    const ratio = ratioOf(b, step)
    const start = attrs.mode === 'nearest' ? 0 : halfOf(b, ratio)
    return take(b, node, dim, whole(map(b, 'floor', ramp(b, to, start, ratio))))
  }
  const place = within(ramp(b, to, ...linearPlaces(b, step, attrs.alignCorners)))
  const low = map(b, 'floor', place)
  const shape = shapeOf(node).map((size, d) => (d === dim ? to : size))
  const along = shape.map((_, d) => (d === dim ? to : 1))
  const weight = castTo(b, map(b, 'sub', place, low), dtypeOf(node))
  const spread = expandTo(b, reshapeTo(b, weight, along), shape)
  const [left, right] = [take(b, node, dim, whole(low)), take(b, node, dim, whole(map(b, 'add', low, line(1))))]
  return map(b, 'add', left, map(b, 'mul', map(b, 'sub', right, left), spread))
}

function referenceInterpolate(x: HostTensor, attrs: Attrs): HostTensor {
  const sizes = x.shape.slice(2)
  const steps = stepsOf(sizes, attrs) as readonly Step<number>[]
  const corner = (lead: number, at: readonly number[], weights: readonly number[]): number => {
    const [d, rest] = [at.length, sizes.slice(at.length)]
    if (rest.length === 0) return Number(x.data[at.reduce((flat, i, e) => flat * sizes[e]! + i, lead)]!)
    const low = Math.floor(weights[d]!)
    const value = corner(lead, [...at, low], weights)
    if (weights[d] === low) return value
    const share = weights[d]! - low
    return value * (1 - share) + corner(lead, [...at, Math.min(low + 1, sizes[d]! - 1)], weights) * share
  }
  return hostFrom(x.dtype, [...x.shape.slice(0, 2), ...steps.map(step => step.to)], ([n, c, ...place]) => {
    const exact = place.map((i, d) => {
      const step = steps[d]!
      const ratio = step.factor === null ? step.from / step.to : 1 / step.factor
      const corners = step.to > 1 ? (step.from - 1) / (step.to - 1) : 0
      const [first, by] = attrs.alignCorners ? [0, corners] : [ratio / 2 - 0.5, ratio]
      const start = attrs.mode === 'nearest' ? 0 : ratio / 2
      const at = isNearest(attrs.mode) ? Math.floor(start + i * ratio) : first + i * by
      return Math.min(Math.max(at, 0), step.from - 1)
    })
    return hostValue(x.dtype, corner(n! * x.shape[1]! + c!, [], exact))
  })
}

const interpolate = op({
  name: 'interpolate',
  summary:
    "[N, C, …] with other spatial sizes, by mode 'nearest', 'nearest-exact', 'linear', 'bilinear' or 'trilinear'.",
  category: 'index',
  signature,
  details: {
    size: 'of the spatial dims; either this or scaleFactor',
    scaleFactor: 'by what the spatial sizes grow',
    mode: 'what lies between the elements',
    recomputeScaleFactor: 'places follow from the rounded sizes instead of scaleFactor',
    alignCorners: "the corners' centres meet instead of their edges; linear modes only",
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
  reference: ([input]: readonly HostTensor[], attrs: Attrs) => [referenceInterpolate(input!, attrs)],
  gradient: 'later',
})

export const interpolationRecords = { interpolate }

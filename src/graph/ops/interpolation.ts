/** Images in another size. */
import { ArgumentError, ShapeError } from '../../base/errors.js'
import { computeDtype } from '../../types/dtype.js'
import { castTo, constant, dtypeOf, expandTo, map, rankOf, requireFloat, reshapeTo, shapeOf } from '../build.js'
import { hostFrom, hostValue } from '../host.js'
import type { GraphBuilder, GraphNode } from '../ir.js'
import { type HostTensor, type OpCall, type OpInput, op } from '../record.js'
import type { Bound } from '../signature.js'
import { printShape } from '../sizes.js'
import { call } from './arguments.js'
import { indexingRecords } from './indexing.js'
import { knownSize } from './rearrange.js'

export type InterpolateMode = 'nearest' | 'linear' | 'bilinear' | 'trilinear'
type Attrs = {
  readonly size: readonly number[] | number | null
  readonly scale: readonly number[] | number | null
  readonly mode: InterpolateMode
  readonly alignCorners: boolean
}
const modes: Readonly<Record<InterpolateMode, number | null>> = { nearest: null, linear: 1, bilinear: 2, trilinear: 3 }

const signature =
  "self, size: int | ints | null = null, scaleFactor: number | numbers | null = null, mode: 'nearest' | 'linear' | 'bilinear' | 'trilinear' = 'nearest', alignCorners: bool | null = null"

function interpolateCall({ self, size, scaleFactor, mode, alignCorners }: Bound<typeof signature>): OpCall<Attrs> {
  if ((size === null) === (scaleFactor === null))
    throw new ArgumentError('interpolate: give either size or scaleFactor', {
      fix: 'give one of them and not the other',
    })
  if (mode === 'nearest' && alignCorners === true)
    throw new ArgumentError("interpolate: alignCorners has no meaning in mode 'nearest'", {
      fix: "drop it, or use mode 'linear', 'bilinear' or 'trilinear'",
    })
  for (const value of [size ?? scaleFactor ?? []].flat())
    if (!(value > 0 && value < Number.POSITIVE_INFINITY))
      throw new ArgumentError(`interpolate: ${size === null ? 'scaleFactor' : 'size'} ${value} is not positive`, {
        fix: 'give positive numbers',
      })
  return call([self], { size, scale: scaleFactor, mode, alignCorners: alignCorners ?? false })
}

interface Step {
  readonly from: number
  readonly to: number
  /** Input places per output place. */
  readonly ratio: number
}

function stepsOf(sizes: readonly number[], { size, scale, mode }: Attrs): readonly Step[] {
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
    const to = factor === null ? pick(size!, d) : Math.floor(from * factor)
    if (from < 1 || to < 1)
      throw new ShapeError(`interpolate: spatial dim ${d} goes from ${from} to ${to} elements`, {
        fix: 'both sizes must be at least 1',
      })
    return { from, to, ratio: factor === null ? from / to : 1 / factor }
  })
}

/** a + b · i for i < length, in f64. */
function ramp(b: GraphBuilder, length: number, first: number, step: number): GraphNode {
  const line = (value: number): GraphNode => expandTo(b, constant(b, 'f64', value), [length])
  return map(b, 'add', map(b, 'mul', b.node('iota', [], { length, dtype: 'f64' }), line(step)), line(first))
}

const linearStart = ({ from, to, ratio }: Step, alignCorners: boolean): readonly [first: number, step: number] =>
  alignCorners ? [0, to > 1 ? (from - 1) / (to - 1) : 0] : [ratio / 2 - 0.5, ratio]

const take = (b: GraphBuilder, node: GraphNode, dim: number, index: GraphNode): GraphNode =>
  indexingRecords.indexSelect.build(
    b,
    [node, index].map(one => ({ node: one, isNumber: false })),
    { dim },
  )[0]!

function resizeDim(b: GraphBuilder, node: GraphNode, dim: number, step: Step, attrs: Attrs): GraphNode {
  const { from, to } = step
  const line = (value: number): GraphNode => expandTo(b, constant(b, 'f64', value), [to])
  const within = (place: GraphNode): GraphNode => map(b, 'min', map(b, 'max', place, line(0)), line(from - 1))
  const whole = (place: GraphNode): GraphNode => castTo(b, within(place), 'i64')
  if (attrs.mode === 'nearest') return take(b, node, dim, whole(map(b, 'floor', ramp(b, to, 0, step.ratio))))
  const place = within(ramp(b, to, ...linearStart(step, attrs.alignCorners)))
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
  const steps = stepsOf(sizes, attrs)
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
      const [first, by] = linearStart(step, attrs.alignCorners)
      const at = attrs.mode === 'nearest' ? Math.floor(i * step.ratio) : first + i * by
      return Math.min(Math.max(at, 0), step.from - 1)
    })
    return hostValue(x.dtype, corner(n! * x.shape[1]! + c!, [], exact))
  })
}

const interpolate = op({
  name: 'interpolate',
  summary: "[N, C, …] with other spatial sizes, by mode 'nearest', 'linear', 'bilinear' or 'trilinear'.",
  category: 'index',
  signature,
  details: {
    size: 'of the spatial dims; either this or scaleFactor',
    scaleFactor: 'by what the spatial sizes grow',
    mode: 'what lies between the elements',
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
    const linear = attrs.mode !== 'nearest'
    if (linear) requireFloat('interpolate', dtype, "cast first: x.to('f32')")
    const sizes = shapeOf(node)
      .slice(2)
      .map(size => knownSize('interpolate', size))
    let result = linear ? castTo(b, node, computeDtype(dtype)) : node
    for (const [d, step] of stepsOf(sizes, attrs).entries()) result = resizeDim(b, result, 2 + d, step, attrs)
    return [castTo(b, result, dtype)]
  },
  reference: ([input]: readonly HostTensor[], attrs: Attrs) => [referenceInterpolate(input!, attrs)],
  gradient: 'later',
})

export const interpolationRecords = { interpolate }

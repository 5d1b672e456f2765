/** Areas under sampled curves, powers of points, and slices of bounded length. */
import { ArgumentError, ShapeError } from '../../base/errors.js'
import { castValue } from '../../scalar/ops.js'
import { addSizes, type Size } from '../../scalar/size.js'
import { computeDtype, isFloat } from '../../types/dtype.js'
import {
  castTo,
  dtypeOf,
  expandTo,
  full,
  map,
  normalizeDim,
  reshapeTo,
  shapeOf,
  sliceTo,
  wholeSlice,
} from '../build.js'
import { hostFrom, hostValue } from '../host.js'
import type { GraphBuilder, Shape } from '../ir.js'
import { type HostTensor, type OpInput, op } from '../record.js'
import { broadcastShapes, decideAtLeast, printShape, requireEqual } from '../sizes.js'
import { compose } from './compose.js'
import { lengthsOf } from './formulas.js'
import type { GraphTensor } from './graph-tensor.js'
import { asInput, floatKept } from './texts.js'

// --- areas ---------------------------------------------------------------------------------------------------------------

type AreaName = 'trapezoid' | 'cumulativeTrapezoid'
/** Neighbours along a dim: all elements but the last, all but the first. */
function neighbours(x: GraphTensor, dim: number): readonly [GraphTensor, GraphTensor] {
  const length = addSizes(x.size(dim), -1)
  return [x.part(dim, 0, length), x.part(dim, 1, length)]
}

/**
 * The shape of the points that broadcasts against the values: a vector runs along the dim, others align from the last dim.
 */
function pointShape(name: AreaName, x: Shape, y: Shape, dim: number): Shape {
  const what = (): string =>
    `${name}: the points ${printShape(x)} do not fit the values ${printShape(y)} along dim ${dim}`
  const fix = 'give a vector with a point for each value, or points for all'
  if (x.length === 0 || x.length > y.length) throw new ShapeError(what(), { fix })
  const shape = x.length === 1 ? y.map((_, d) => (d === dim ? x[0]! : 1)) : [...y.slice(x.length).map(() => 1), ...x]
  requireEqual(shape[dim]!, y[dim]!, what, fix)
  return shape
}

/** Twice the trapezoid areas between neighbours. */
function doubleAreas(name: AreaName, y: GraphTensor, x: GraphTensor | null, dx: number, dim: number): GraphTensor {
  const [left, right] = neighbours(y, dim)
  const sum = left.add(right)
  if (x === null) return sum.mul(dx)
  const [from, to] = neighbours(x.shaped(pointShape(name, x.shape, y.shape, dim)), dim)
  const step = to.sub(from)
  broadcastShapes(name, [sum.shape, step.shape]) // for what it refuses
  return sum.mul(step)
}

const areaOp = (name: AreaName, summary: string) =>
  compose({
    name,
    summary,
    category: 'reduction',
    signature: 'y, x: tensor | null = null, *, dx: number = 1, dim: dim = -1',
    details: {
      y: 'the values of the curve',
      x: 'their coordinates: a vector along dim, or one for each value; without it they are dx apart',
      dx: 'the distance between neighbouring values',
    },
    shape: name === 'trapezoid' ? 'the shape of y without dim' : 'the shape of y with dim smaller by 1',
    dtypes: { takes: 'any', gives: 'floated' },
    body: ({ y, x, dx, dim: asked }) => {
      const { shape } = y
      if (shape.length === 0)
        throw new ShapeError(`${name}: a 0-d tensor is no curve`, { fix: 'give it a dim: x.reshape([1])' })
      const dim = normalizeDim(name, asked, shape.length)
      if (!decideAtLeast(shape[dim]!, 1, () => `${name}: along dim ${dim} of ${printShape(shape)}`))
        return y.full(name === 'trapezoid' ? shape.toSpliced(dim, 1) : shape, 0)
      const areas = doubleAreas(name, y, x, dx, dim)
      return (name === 'trapezoid' ? areas.summed([dim]) : areas.scanned('add', dim)).mul(0.5)
    },
  })

// --- powers --------------------------------------------------------------------------------------------------------------

type VanderAttrs = { readonly N: Size | null; readonly increasing: boolean }

const vander = op({
  name: 'vander',
  summary: 'The powers of a vector as columns: x^(N−1), …, x, 1; increasing reverses the order. Integers give i64.',
  category: 'matmul',
  signature: 'x, N: size | null = null, increasing: bool = false',
  details: { x: 'a vector', N: 'how many powers; as many as elements unless given', increasing: 'begin with 1' },
  shape: '[n, N] of a vector of n',
  dtypes: { takes: 'any', gives: 'summed' },
  results: null,
  build: (b: GraphBuilder, [input]: readonly OpInput[], { N, increasing }: VanderAttrs) => {
    const { node } = input!
    const [count] = shapeOf(node)
    if (count === undefined || shapeOf(node).length !== 1)
      throw new ShapeError(`vander: ${printShape(shapeOf(node))} is no vector`, { fix: 'x.reshape([-1])' })
    const dtype = isFloat(dtypeOf(node)) ? dtypeOf(node) : 'i64'
    const shape = [count, N ?? count]
    const x = expandTo(b, reshapeTo(b, castTo(b, node, computeDtype(dtype)), [count, 1]), shape)
    const position = expandTo(b, b.node('iota', [], { length: shape[1]!, dtype: 'i64' }), shape)
    const isFirst = map(b, 'eq', position, full(b, 'i64', shape, 0))
    const factors = map(b, 'where', isFirst, full(b, dtypeOf(x), shape, 1), x)
    const powers = castTo(b, b.node('scan', [factors], { fn: 'mul', dim: 1, reverse: false }), dtype)
    if (increasing) return [powers]
    const attrs = wholeSlice(shape)
    attrs.starts[1] = addSizes(shape[1]!, -1)
    attrs.steps[1] = -1
    return [b.node('copy', [sliceTo(b, powers, attrs)], {})]
  },
  reference: ([x]: readonly HostTensor[], { N, increasing }: VanderAttrs) => {
    const dtype = isFloat(x!.dtype) ? x!.dtype : 'i64'
    const columns = Number(N ?? x!.shape[0]!)
    return [
      hostFrom(dtype, [x!.shape[0]!, columns], ([row, column]) => {
        const value = castValue(x!.dtype, dtype, x!.data[row!]!)
        const power = increasing ? column! : columns - 1 - column!
        return typeof value === 'bigint' ? BigInt.asIntN(64, value ** BigInt(power)) : hostValue(dtype, value ** power)
      }),
    ]
  },
})

// --- bounded lengths -------------------------------------------------------------------------------------------------------

const renorm = compose({
  name: 'renorm',
  summary: 'self with each slice along dim whose p-norm is above maxnorm scaled down to p-norm maxnorm.',
  category: 'normalisation',
  signature: 'self, p: number, dim: dim, maxnorm: number',
  details: { p: 'the power of the norm', maxnorm: 'how long a slice may be' },
  shape: asInput,
  dtypes: floatKept,
  check: ({ p, maxnorm }) => {
    if (!(p > 0)) throw new ArgumentError(`renorm: p is ${p}`, { fix: 'use p > 0' })
    if (!(maxnorm >= 0)) throw new ArgumentError(`renorm: maxnorm is ${maxnorm}`, { fix: 'use at least 0' })
  },
  body: ({ self, p, dim: asked, maxnorm }) => {
    if (self.rank < 2)
      throw new ShapeError(`renorm: ${printShape(self.shape)} has no slices of several elements`, {
        fix: 'give it at least two dims',
      })
    const dim = normalizeDim('renorm', asked, self.rank)
    const others = [...self.shape.keys()].filter(d => d !== dim)
    const length = self.with(lengthsOf(self.b, self.node, p, others))
    const scale = length.number(maxnorm).div(length.add(1e-7))
    return self.mul(length.gt(maxnorm).where(scale, 1))
  },
})

export const curveRecords = {
  trapezoid: areaOp('trapezoid', 'The area under a curve along a dim, by the trapezoidal rule; of integers as f32.'),
  cumulativeTrapezoid: areaOp(
    'cumulativeTrapezoid',
    'The area under a curve from its first point to each later one along a dim, by the trapezoidal rule.',
  ),
  vander,
  renorm,
}

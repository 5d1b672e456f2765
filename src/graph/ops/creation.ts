/**
 * Creation ops: constant, arange-like, random. They take no tensor, so they are free functions. Random ops take seed and
 * offset as i64 inputs, passed at each call, so that replays draw fresh numbers.
 */

import { ArgumentError, ShapeError } from '../../base/errors.js'
import type { Attrs } from '../../ir/node.js'
import { philoxUniform } from '../../scalar/philox.js'
import {
  addSizes,
  ceilDivSizes,
  floorDivSizes,
  maxSizes,
  mulSizes,
  productOf,
  rangeOf,
  type Size,
  SizeExpr,
  SymbolicShapeError,
  subSizes,
} from '../../scalar/size.js'
import { type Dtype, dtypes, isFloat } from '../../types/dtype.js'
import { castTo, constant, countOf, defaultFloat, expandTo, map, reshapeTo, shapeOf } from '../build.js'
import { elementCount, hostFrom, hostValue } from '../host.js'
import type { GraphBuilder, GraphNode, Shape } from '../ir.js'
import { type HostTensor, type OpCall, type OperandValue, type OpInput, op } from '../record.js'
import type { Bound } from '../signature.js'
import { decideAtLeast, printShape, signedParts } from '../sizes.js'
import { call } from './arguments.js'

const numbers = (shape: Shape): readonly number[] => shape as readonly number[]

// --- filled ------------------------------------------------------------------------------------------------------------

type FullAttrs = { readonly shape: Shape; readonly dtype: Dtype }

const numberFallback = (value: OperandValue): Dtype =>
  typeof value === 'boolean' ? 'bool' : typeof value === 'bigint' ? 'i64' : defaultFloat

const full = op({
  name: 'full',
  summary: 'A tensor of one value everywhere; f32 unless the value is a bigint (i64) or a boolean (bool).',
  category: 'creation',
  signature: 'size: sizes, fillValue: operand, *, dtype: dtype | null = null',
  shape: 'the shape size',
  dtypes: { takes: 'any', gives: { words: 'f32; i64 of a bigint, bool of a boolean' } },
  details: { fillValue: 'the value: a number, or a 0-d tensor' },
  errors: { ShapeError: 'when fillValue has more than one element' },
  call: ({ size, fillValue, dtype }) => call([fillValue], { shape: size, dtype: dtype ?? numberFallback(fillValue) }),
  results: null,
  build: (b: GraphBuilder, [value]: readonly OpInput[], { shape, dtype }: FullAttrs) => {
    const { node } = value!
    if (shapeOf(node).length > 0)
      throw new ShapeError(`full: fillValue has shape ${printShape(shapeOf(node))}, not one element`, {
        fix: 'use x.expand(size) for a tensor of several',
      })
    return [b.node('copy', [expandTo(b, castTo(b, node, dtype), shape)], {})]
  },
  reference: ([value]: readonly HostTensor[], { shape, dtype }: FullAttrs) => [
    hostFrom(dtype, numbers(shape), () => hostValue(dtype, value!.data[0]!)),
  ],
  gradient: 'none',
})

// --- counted -------------------------------------------------------------------------------------------------------------

type ArangeAttrs = { readonly start: Size; readonly step: Size; readonly length: Size; readonly dtype: Dtype }

/** start + i · step for an i64 counter, computed in `compute`. */
function ramp(b: GraphBuilder, counter: GraphNode, compute: Dtype, start: Size, step: Size): GraphNode {
  const expanded = (value: Size): GraphNode => expandTo(b, countOf(b, value, compute), shapeOf(counter))
  return map(b, 'add', map(b, 'mul', castTo(b, counter, compute), expanded(step)), expanded(start))
}

/** Integers count exactly in i64; floats are computed in f64 and rounded once, so errors do not accumulate. */
const countingDtype = (dtype: Dtype, ...values: readonly Size[]): Dtype =>
  isFloat(dtype) || !values.every(isWhole) ? 'f64' : 'i64'

/** Symbolic sizes are integers. */
const isWhole = (value: Size): boolean => value instanceof SizeExpr || Number.isInteger(value)

const finite = (op: string, ...values: readonly Size[]): void => {
  for (const value of values)
    if (typeof value === 'number' && !Number.isFinite(value))
      throw new ArgumentError(`${op}: ${value} is no finite number`, { fix: 'give finite numbers' })
}

/** `arange(end)` starts at 0. */
function parseArange(first: Size, second: Size | null, step: Size, dtype: Dtype | null): OpCall<ArangeAttrs> {
  const [start, end] = second === null ? [0, first] : [first, second]
  finite('arange', start, end, step)
  if (step === 0)
    throw new ArgumentError('arange: step is 0', { fix: 'use a positive step, or a negative one to count down' })
  const whole = [start, end, step].every(isWhole)
  return call([], {
    start,
    step,
    length: rangeLength(start, end, step),
    dtype: dtype ?? (whole ? 'i64' : defaultFloat),
  })
}

/** How many elements arange has. */
function rangeLength(start: Size, end: Size, step: Size): Size {
  if (typeof start === 'number' && typeof end === 'number' && typeof step === 'number') {
    const length = Math.max(0, Math.ceil((end - start) / step))
    if (Number.isSafeInteger(length)) return length
    throw new ArgumentError(`arange: from ${start} to ${end} by ${step} are ${length} elements`, {
      fix: 'give ends and a step that make fewer than 2^53',
    })
  }
  const sizes = [start, end, step]
  if (!sizes.every(isWhole))
    throw new SymbolicShapeError(`arange: from ${start} to ${end} by ${step} is no whole number of steps`, [start, end])
  const what = (): string => `arange: from ${start} to ${end} by ${step}`
  const [down, up] = signedParts(step, what)
  const [way, by] = down === 0 ? [subSizes(end, start), up] : [subSizes(start, end), down]
  // A boxed number may be 0 at another call, which must be an error there.
  if (!decideAtLeast(by, 1, what)) throw new SymbolicShapeError(`${what()} is a step of 0`, [step])
  return maxSizes(0, ceilDivSizes(way, by))
}

const arange = op({
  name: 'arange',
  summary: 'start, start + step, … below end: i64 if all are integers, else f32. arange(end) starts at 0.',
  category: 'creation',
  signature:
    'start: number | index, end: number | index | null = null, step: number | index = 1, *, dtype: dtype | null = null',
  shape: '[n], n = ⌈(end − start) / step⌉, at least 0',
  dtypes: { takes: 'any', gives: { words: 'i64 when all are integers, else f32' } },
  details: {
    start: 'the first value; alone it is end, and the first value is 0',
    end: 'where it stops, itself excluded',
    step: 'from one to the next; negative to count down',
  },
  errors: { ArgumentError: 'when step is 0, or a value is not finite' },
  call: ({ start, end, step, dtype }) => parseArange(start, end, step, dtype),
  results: null,
  build: (b: GraphBuilder, _inputs: readonly OpInput[], { start, step, length, dtype }: ArangeAttrs) => {
    const counter = b.node('iota', [], { length, dtype: 'i64' })
    return [castTo(b, ramp(b, counter, countingDtype(dtype, start, step), start, step), dtype)]
  },
  reference: (_inputs: readonly HostTensor[], { start, step, length, dtype }: ArangeAttrs) => [
    hostFrom(dtype, numbers([length]), (_, i) => hostValue(dtype, Number(start) + i * Number(step))),
  ],
  gradient: 'none',
})

type LinspaceAttrs = { readonly start: number; readonly end: number; readonly steps: Size; readonly dtype: Dtype }

const linspace = op({
  name: 'linspace',
  summary: 'steps values from start to end, both included, evenly spaced.',
  category: 'creation',
  signature: 'start: number, end: number, steps: size, *, dtype: dtype | null = null',
  shape: '[steps]',
  dtypes: { takes: 'any', gives: 'f32' },
  details: { start: 'the first value', end: 'the last value', steps: 'how many' },
  errors: { ArgumentError: 'when start or end is not finite' },
  call: ({ start, end, steps, dtype }) => {
    finite('linspace', start, end)
    return call([], { start, end, steps, dtype: dtype ?? defaultFloat })
  },
  results: null,
  build: (b: GraphBuilder, _inputs: readonly OpInput[], { start, end, steps, dtype }: LinspaceAttrs) => {
    const counter = b.node('iota', [], { length: steps, dtype: 'i64' })
    if (rangeOf(steps).max < 2) return [castTo(b, expandTo(b, constant(b, 'f64', start), [steps]), dtype)]
    const intervals = addSizes(steps, -1)
    if (rangeOf(intervals).min < 1)
      throw new SymbolicShapeError(
        `linspace: ${steps} steps are not known to be at least 2`,
        [steps],
        addSizes(steps, -2),
      )
    const expanded = (node: GraphNode): GraphNode => expandTo(b, node, [steps])
    // Computed from both ends towards the middle, so that the last value is exactly `end`.
    const step = expanded(map(b, 'div', constant(b, 'f64', end - start), countOf(b, intervals, 'f64')))
    const along = (counted: GraphNode): GraphNode => map(b, 'mul', castTo(b, counted, 'f64'), step)
    const fromEnd = map(b, 'sub', expanded(countOf(b, intervals, 'i64')), counter)
    const near = map(b, 'lt', counter, expanded(countOf(b, floorDivSizes(steps, 2), 'i64')))
    const forward = map(b, 'add', expanded(constant(b, 'f64', start)), along(counter))
    const backward = map(b, 'sub', expanded(constant(b, 'f64', end)), along(fromEnd))
    return [castTo(b, map(b, 'where', near, forward, backward), dtype)]
  },
  reference: (_inputs: readonly HostTensor[], { start, end, steps, dtype }: LinspaceAttrs) => [
    hostFrom(dtype, numbers([steps]), (_, i) => {
      if (typeof steps !== 'number' || steps < 2) return hostValue(dtype, start)
      const step = (end - start) / (steps - 1)
      return hostValue(dtype, i < Math.floor(steps / 2) ? start + i * step : end - (steps - 1 - i) * step)
    }),
  ],
  gradient: 'none',
})

type EyeAttrs = { readonly rows: Size; readonly columns: Size; readonly dtype: Dtype }

const eye = op({
  name: 'eye',
  summary: 'A matrix with 1 on the diagonal and 0 elsewhere.',
  category: 'creation',
  signature: 'n: size, m: size | null = null, *, dtype: dtype | null = null',
  shape: '[n, m]',
  dtypes: { takes: 'any', gives: 'f32' },
  details: { n: 'how many rows', m: 'how many columns; by default n' },
  call: ({ n, m, dtype }) => call([], { rows: n, columns: m ?? n, dtype: dtype ?? defaultFloat }),
  results: null,
  build: (b: GraphBuilder, _inputs: readonly OpInput[], { rows, columns, dtype }: EyeAttrs) => {
    const shape = [rows, columns]
    const row = reshapeTo(b, b.node('iota', [], { length: rows, dtype: 'i64' }), [rows, 1])
    const column = b.node('iota', [], { length: columns, dtype: 'i64' })
    return [castTo(b, map(b, 'eq', expandTo(b, row, shape), expandTo(b, column, shape)), dtype)]
  },
  reference: (_inputs: readonly HostTensor[], { rows, columns, dtype }: EyeAttrs) => [
    hostFrom(dtype, numbers([rows, columns]), ([row, column]) => hostValue(dtype, row === column)),
  ],
  gradient: 'none',
})

// --- random --------------------------------------------------------------------------------------------------------------

/** How many counters of the stream a random op takes; the generator advances its offset by that. */
export function countersUsed(name: 'rand' | 'randn' | 'randint', shape: Shape): Size {
  return name === 'randn' ? mulSizes(2, productOf(shape)) : productOf(shape)
}

type RandomAttrs = { readonly shape: Shape; readonly dtype: Dtype }

function randomCall<A extends Attrs>(
  name: string,
  { seed, offset, size, dtype: asked }: Bound<typeof randomSignature>,
  attrs: A,
): OpCall<A & RandomAttrs> {
  const dtype = asked ?? (name === 'randint' ? 'i64' : defaultFloat)
  if (name !== 'randint' && !isFloat(dtype))
    throw new ArgumentError(`${name}: gives floats, not ${dtype}`, { fix: 'use randint, or cast the result' })
  return call([seed, offset], { ...attrs, shape: size, dtype })
}
const randomSignature = 'seed: operand, offset: operand, size: sizes, *, dtype: dtype | null = null'

const drawDtype = (dtype: Dtype): 'f32' | 'f64' => (dtype === 'f64' ? 'f64' : 'f32')

function uniform(b: GraphBuilder, inputs: readonly GraphNode[], shape: Shape, dtype: 'f32' | 'f64'): GraphNode {
  return b.node('random', [castTo(b, inputs[0]!, 'i64'), castTo(b, inputs[1]!, 'i64')], { shape, dtype })
}

/**
 * Box–Muller: √(−2 ln(1 − u)) · cos(2πv), with the product moved under the root; u is drawn at the first n counters, v
 * at the next n. 1 − u is never 0. The last op is no multiplication, so it cannot be contracted into a consumer's fused
 * multiply-add, which would make the numbers depend on fusion.
 */
function normal(b: GraphBuilder, [seed, offset]: readonly GraphNode[], shape: Shape, dtype: 'f32' | 'f64'): GraphNode {
  const first = castTo(b, offset!, 'i64')
  const second = map(b, 'add', first, countOf(b, productOf(shape), 'i64'))
  const u = uniform(b, [seed!, first], shape, dtype)
  const v = uniform(b, [seed!, second], shape, dtype)
  const expanded = (value: number): GraphNode => expandTo(b, constant(b, dtype, value), shape)
  const square = map(b, 'mul', map(b, 'log', map(b, 'sub', expanded(1), u)), expanded(-2))
  const cosine = dtype === 'f64' ? map(b, 'cos', map(b, 'mul', v, expanded(2 * Math.PI))) : cosineOfTurn(b, v, expanded)
  const size = map(b, 'sqrt', map(b, 'mul', square, map(b, 'mul', cosine, cosine)))
  return map(b, 'where', map(b, 'lt', cosine, expanded(0)), map(b, 'neg', size), size)
}

/** Of sin(2πy) / −y, |y| ≤ 1/4, in powers of y²: minimax, to 6e-9; rounded to f32 the result has an error of 3 half units. */
const turnFactors = [-6.283185482025146, 41.34167861938477, -81.60223388671875, 76.57501983642578, -39.71113204956055]

/** cos(2πv) for f32 v in [0, 1) as −sin(2πy), y = 1/4 − |v − 1/2|, which is exact: no range has to be reduced. */
function cosineOfTurn(b: GraphBuilder, v: GraphNode, expanded: (value: number) => GraphNode): GraphNode {
  const y = map(b, 'sub', expanded(1 / 4), map(b, 'abs', map(b, 'sub', v, expanded(1 / 2))))
  const square = map(b, 'mul', y, y)
  const [last, ...before] = turnFactors.toReversed().map(expanded)
  return map(
    b,
    'mul',
    before.reduce((sum, factor) => map(b, 'fma', sum, square, factor), last!),
    y,
  )
}

const hostSeed = (input: HostTensor | undefined): bigint => BigInt(input!.data[0]!)

/** Significand bits of floats narrower than a draw; else null. */
const narrowBits = (dtype: Dtype): number | null => {
  const { digits } = dtypes[dtype]
  return digits > 0 && digits < dtypes.f32.digits ? digits : null
}

function narrowed(b: GraphBuilder, draw: GraphNode, dtype: Dtype): GraphNode {
  const bits = narrowBits(dtype)
  if (bits === null) return castTo(b, draw, dtype)
  const scale = (value: number): GraphNode => expandTo(b, constant(b, 'f32', value), shapeOf(draw))
  const cut = map(b, 'floor', map(b, 'mul', draw, scale(2 ** bits)))
  return castTo(b, map(b, 'mul', cut, scale(2 ** -bits)), dtype)
}

type DrawDtype = 'f32' | 'f64'

/** A record of floats drawn from the stream of a seed: the draw, its rounding, and both by one element's counter for the reference. */
const drawn = (
  name: 'rand' | 'randn',
  summary: string,
  draw: (b: GraphBuilder, inputs: readonly GraphNode[], shape: Shape, dtype: DrawDtype) => GraphNode,
  rounded: (b: GraphBuilder, drawn: GraphNode, dtype: Dtype) => GraphNode,
  valueAt: (uniform: (i: number, from?: number) => number, i: number, count: number, dtype: Dtype) => number,
) =>
  op({
    name,
    summary,
    category: 'random',
    signature: randomSignature,
    shape: 'the shape size',
    dtypes: { takes: 'any', gives: 'f32' },
    errors: { ArgumentError: 'when dtype is no float' },
    call: args => randomCall(name, args, {}),
    passesOperands: true,
    results: null,
    build: (b: GraphBuilder, inputs: readonly OpInput[], { shape, dtype }: RandomAttrs) => {
      const nodes = inputs.map(({ node }) => node)
      return [rounded(b, draw(b, nodes, shape, drawDtype(dtype)), dtype)]
    },
    reference: ([seed, offset]: readonly HostTensor[], { shape, dtype }: RandomAttrs) => {
      const uniform = (i: number, from = 0): number =>
        philoxUniform(drawDtype(dtype), hostSeed(seed), hostSeed(offset) + BigInt(from), i)
      const count = elementCount(numbers(shape))
      return [hostFrom(dtype, numbers(shape), (_, i) => hostValue(dtype, valueAt(uniform, i, count, dtype)))]
    },
    gradient: 'none',
  })

// A narrow float would round values just below 1 up to 1, so the draw is truncated to the bits it has.
const rand = drawn(
  'rand',
  'Uniform numbers in [0, 1) from the stream of a seed; takes one counter per element.',
  uniform,
  narrowed,
  (uniform, i, _, dtype) => {
    const bits = narrowBits(dtype)
    return bits === null ? uniform(i) : Math.floor(uniform(i) * 2 ** bits) / 2 ** bits
  },
)

const randn = drawn(
  'randn',
  'Normal numbers (mean 0, variance 1) by Box and Muller from the stream of a seed; takes two counters per element.',
  normal,
  castTo,
  (uniform, i, count) => Math.sqrt(-2 * Math.log(1 - uniform(i))) * Math.cos(2 * Math.PI * uniform(i, count)),
)

type RandintAttrs = RandomAttrs & { readonly low: number; readonly high: number }

const randint = op({
  name: 'randint',
  summary: 'Uniform integers in [low, high) from the stream of a seed; takes one counter per element.',
  category: 'random',
  signature: 'seed: operand, offset: operand, low: int, high: int, size: sizes, *, dtype: dtype | null = null',
  shape: 'the shape size',
  dtypes: { takes: 'any', gives: 'i64' },
  details: { low: 'the smallest value', high: 'one above the largest value' },
  errors: { ArgumentError: 'when low is not below high, or the range exceeds 2^53 values' },
  call: ({ low, high, ...rest }) => {
    for (const bound of [low, high])
      if (!Number.isSafeInteger(bound))
        throw new ArgumentError(`randint: ${bound} is no safe integer`, {
          fix: 'use integers between -(2^53 - 1) and 2^53 - 1',
        })
    if (low >= high)
      throw new ArgumentError(`randint: low ${low} is not below high ${high}`, {
        fix: 'high is exclusive: use one greater than low',
      })
    if (high - low > 2 ** 53)
      throw new ArgumentError(`randint: the range from ${low} to ${high} exceeds 2^53 values`, {
        fix: 'draw from a smaller range and add to it',
      })
    return randomCall('randint', rest, { low, high })
  },
  passesOperands: true,
  results: null,
  build: (b: GraphBuilder, inputs: readonly OpInput[], { shape, dtype, low, high }: RandintAttrs) => {
    const draw = uniform(
      b,
      inputs.map(({ node }) => node),
      shape,
      'f64',
    )
    const scaled = map(b, 'floor', map(b, 'mul', draw, expandTo(b, constant(b, 'f64', high - low), shape)))
    const whole = map(b, 'add', castTo(b, scaled, 'i64'), expandTo(b, constant(b, 'i64', low), shape))
    return [castTo(b, whole, dtype)]
  },
  reference: ([seed, offset]: readonly HostTensor[], { shape, dtype, low, high }: RandintAttrs) => [
    hostFrom(dtype, numbers(shape), (_, i) => {
      const draw = philoxUniform('f64', hostSeed(seed), hostSeed(offset), i)
      return hostValue(dtype, low + Math.floor(draw * (high - low)))
    }),
  ],
  gradient: 'none',
})

export const creationRecords = { full, arange, linspace, eye, rand, randn, randint }

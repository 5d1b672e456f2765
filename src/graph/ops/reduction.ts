/** Reductions: over all dims, one, or several. Sums of narrow floats are accumulated in f32, of integers in i64. */
import { ArgumentError, DtypeError } from '../../base/errors.js'
import { castValue, type Value as Element } from '../../scalar/ops.js'
import { productOf } from '../../scalar/size.js'
import { computeDtype, type Dtype, isFloat } from '../../types/dtype.js'
import {
  castTo,
  constant,
  countOf,
  dtypeOf,
  expandTo,
  full,
  keptShape,
  map,
  normalizeDims,
  rankOf,
  reduce,
  reduceKeepdim,
  requireElements,
  requireFloat,
  reshapeTo,
  shapeOf,
  toCompute,
  withDim,
} from '../build.js'
import { forEachIndex, hostFrom, hostValue } from '../host.js'
import type { GraphBuilder, GraphNode, Shape } from '../ir.js'
import { type GradientContext, type HostTensor, type OpInput, op, type Value } from '../record.js'
import {
  call,
  checkOptions,
  type Dims,
  isOptions,
  parseReduce,
  parseReduceOne,
  type ReduceAttrs,
  type ReduceOptions,
  type TypedReduceOptions,
} from './arguments.js'

// --- shared ----------------------------------------------------------------------------------------------------------

/** The groups of elements that a reduction folds: one list per element of the result, in row-major order. */
export function hostGroups(
  { shape, data }: HostTensor,
  dims: readonly number[],
): { readonly kept: readonly number[]; readonly groups: readonly (readonly Element[])[] } {
  const kept = shape.filter((_, d) => !dims.includes(d))
  const groups = Array.from({ length: kept.reduce((a, b) => a * b, 1) }, (): Element[] => [])
  forEachIndex(shape, (index, flat) => {
    let at = 0
    for (const [d, i] of index.entries()) if (!dims.includes(d)) at = at * shape[d]! + i
    groups[at]!.push(data[flat]!)
  })
  return { kept, groups }
}

function referenceReduce(
  name: string,
  input: HostTensor,
  attrs: ReduceAttrs,
  result: Dtype,
  fold: (values: readonly Element[]) => Element | boolean,
): HostTensor {
  const dims = normalizeDims(name, attrs.dims, input.shape.length)
  const { kept, groups } = hostGroups(input, dims)
  const shape = attrs.keepdim ? input.shape.map((size, d) => (dims.includes(d) ? 1 : size)) : kept
  return hostFrom(result, shape, (_, flat) => hostValue(result, fold(groups[flat]!)))
}

/** The result of a keepdim reduction as the attributes ask: with the dims of size 1, or without. */
function finish(b: GraphBuilder, kept: GraphNode, dims: readonly number[], keepdim: boolean): GraphNode {
  if (keepdim) return kept
  return reshapeTo(
    b,
    kept,
    shapeOf(kept).filter((_, d) => !dims.includes(d)),
  )
}

/** A gradient of the result stretched back over the reduced dims. */
export function spread({ inputs, attrs, op, shapeOf }: GradientContext<ReduceAttrs>, gradient: Value): Value {
  const shape = shapeOf(inputs[0]!)
  const dims = normalizeDims('gradient', attrs.dims, shape.length)
  return op('expand', op('reshape', gradient, keptShape(shape, dims)), shape)
}

/** The elements that one element of the result folds. */
const reducedCount = (shape: Shape, dims: readonly number[]) => productOf(dims.map(dim => shape[dim]!))

type ReduceParams = [self: Value, dim?: Dims | null | ReduceOptions, options?: ReduceOptions]
type TypedReduceParams = [self: Value, dim?: Dims | null | TypedReduceOptions, options?: TypedReduceOptions]

// --- sums and products -------------------------------------------------------------------------------------------------

const accumulated = (dtype: Dtype, asked: Dtype | null): Dtype => asked ?? (isFloat(dtype) ? dtype : 'i64')

/** Kahan-free on purpose: float64 over values of at most f32 leaves the error far below the result's rounding. */
const floatSum = (values: readonly Element[]): number => values.reduce<number>((sum, value) => sum + Number(value), 0)
const floatProduct = (values: readonly Element[]): number => values.reduce<number>((p, value) => p * Number(value), 1)
const exactSum = (values: readonly Element[]): bigint => values.reduce<bigint>((sum, value) => sum + BigInt(value), 0n)
const exactProduct = (values: readonly Element[]): bigint =>
  values.reduce<bigint>((p, value) => BigInt.asIntN(64, p * BigInt(value)), 1n)

function fold(name: 'sum' | 'prod', fn: 'add' | 'mul', summary: string, gradient: 'sum' | 'later') {
  return op({
    name,
    summary,
    category: 'reduction',
    call: (...[self, dim, options]: TypedReduceParams) => call([self], parseReduce(name, dim, options, true)),
    results: null,
    build: (b: GraphBuilder, [input]: readonly OpInput[], attrs: ReduceAttrs) => {
      const node = input!.node
      const dims = normalizeDims(name, attrs.dims, rankOf(node))
      const dtype = accumulated(dtypeOf(node), attrs.dtype)
      const summed = castTo(b, reduceKeepdim(b, fn, toComputeOf(b, node, dtype), dims), dtype)
      return [finish(b, summed, dims, attrs.keepdim)]
    },
    reference: ([input]: readonly HostTensor[], attrs: ReduceAttrs) => {
      const dtype = accumulated(input!.dtype, attrs.dtype)
      const compute = computeDtype(dtype)
      const cast = (values: readonly Element[]): readonly Element[] =>
        values.map(v => castValue(input!.dtype, compute, v))
      const [float, exact] = name === 'sum' ? [floatSum, exactSum] : [floatProduct, exactProduct]
      return [referenceReduce(name, input!, attrs, dtype, v => (isFloat(dtype) ? float(cast(v)) : exact(cast(v))))]
    },
    gradient: gradient === 'later' ? 'later' : context => [spread(context, context.outputGradients[0]!)],
  })
}

/** In the compute dtype of `dtype`, directly: no rounding on the way. */
const toComputeOf = (b: GraphBuilder, node: GraphNode, dtype: Dtype): GraphNode => castTo(b, node, computeDtype(dtype))

function meanDtype(name: string, dtype: Dtype, asked: Dtype | null): Dtype {
  requireFloat(name, asked ?? dtype, "give a float dtype: { dtype: 'f32' }, or cast first: x.to('f32')")
  return asked ?? dtype
}

/** The mean over `dims` of a tensor in its compute dtype, with the dims kept as 1. */
export function meanKeepdim(b: GraphBuilder, node: GraphNode, dims: readonly number[]): GraphNode {
  const sum = reduceKeepdim(b, 'add', node, dims)
  const count = countOf(b, reducedCount(shapeOf(node), dims), dtypeOf(node))
  return map(b, 'div', sum, expandTo(b, count, shapeOf(sum)))
}

const mean = op({
  name: 'mean',
  summary: 'Σ self / n over the dims; floats only. Of no elements: NaN.',
  category: 'reduction',
  call: (...[self, dim, options]: TypedReduceParams) => call([self], parseReduce('mean', dim, options, true)),
  results: null,
  build: (b: GraphBuilder, [input]: readonly OpInput[], attrs: ReduceAttrs) => {
    const node = input!.node
    const dims = normalizeDims('mean', attrs.dims, rankOf(node))
    const dtype = meanDtype('mean', dtypeOf(node), attrs.dtype)
    const result = castTo(b, meanKeepdim(b, toComputeOf(b, node, dtype), dims), dtype)
    return [finish(b, result, dims, attrs.keepdim)]
  },
  reference: ([input]: readonly HostTensor[], attrs: ReduceAttrs) => {
    const dtype = meanDtype('mean', input!.dtype, attrs.dtype)
    return [referenceReduce('mean', input!, attrs, dtype, values => floatSum(values) / values.length)]
  },
  gradient: context => {
    const { inputs, attrs, op, shapeOf, sizeOperand, outputGradients } = context
    const shape = shapeOf(inputs[0]!)
    const count = reducedCount(shape, normalizeDims('mean', attrs.dims, shape.length))
    return [spread(context, op('div', outputGradients[0]!, sizeOperand(count)))]
  },
})

// --- spread around the mean ----------------------------------------------------------------------------------------------

type VarOptions = ReduceOptions & {
  /** n − correction divides; 1 (default) estimates a population's variance from a sample. */
  readonly correction?: number
}
type VarAttrs = ReduceAttrs & { readonly correction: number }
type VarParams = [self: Value, dim?: Dims | null | VarOptions, options?: VarOptions]

function parseVar(name: string, dim: Dims | null | VarOptions | undefined, options: VarOptions | undefined): VarAttrs {
  const { correction = 1, ...rest } = isOptions<VarOptions>(dim) ? dim : (options ?? {})
  if (typeof correction !== 'number')
    throw new ArgumentError(`${name}: correction is ${String(correction)}, not a number`)
  const parsed = isOptions(dim) ? parseReduce(name, rest, undefined) : parseReduce(name, dim as Dims | null, rest)
  return { ...parsed, correction }
}

function buildVariance(name: string, b: GraphBuilder, node: GraphNode, attrs: VarAttrs, root: boolean): GraphNode {
  const dtype = dtypeOf(node)
  requireFloat(name, dtype, "cast first: x.to('f32')")
  const dims = normalizeDims(name, attrs.dims, rankOf(node))
  const x = toCompute(b, node)
  const centred = map(b, 'sub', x, expandTo(b, meanKeepdim(b, x, dims), shapeOf(x)))
  const squares = reduceKeepdim(b, 'add', map(b, 'mul', centred, centred), dims)
  const count = countOf(b, reducedCount(shapeOf(x), dims), 'f64')
  const divisor = map(b, 'max', map(b, 'sub', count, constant(b, 'f64', attrs.correction)), constant(b, 'f64', 0))
  const variance = map(b, 'div', squares, expandTo(b, castTo(b, divisor, dtypeOf(x)), shapeOf(squares)))
  return finish(b, castTo(b, root ? map(b, 'sqrt', variance) : variance, dtype), dims, attrs.keepdim)
}

function varianceOf(values: readonly Element[], correction: number): number {
  const middle = floatSum(values) / values.length
  return floatSum(values.map(value => (Number(value) - middle) ** 2)) / Math.max(0, values.length - correction)
}

const variance = (name: 'var' | 'std', summary: string) =>
  op({
    name,
    summary,
    category: 'reduction',
    call: (...[self, dim, options]: VarParams) => call([self], parseVar(name, dim, options)),
    results: null,
    build: (b: GraphBuilder, [input]: readonly OpInput[], attrs: VarAttrs) => [
      buildVariance(name, b, input!.node, attrs, name === 'std'),
    ],
    reference: ([input]: readonly HostTensor[], attrs: VarAttrs) => [
      referenceReduce(name, input!, attrs, input!.dtype, values => {
        const result = varianceOf(values, attrs.correction)
        return name === 'std' ? Math.sqrt(result) : result
      }),
    ],
    gradient: 'later',
  })

// --- extremes ----------------------------------------------------------------------------------------------------------

const isNaNElement = (value: Element): boolean => typeof value === 'number' && Number.isNaN(value)

/** The place of the first largest (smallest) value; a NaN is taken before all others. */
function extremeIndex(values: readonly Element[], largest: boolean): number {
  let best = 0
  for (const [i, value] of values.entries()) {
    const current = values[best]!
    if (isNaNElement(current)) return best
    if (isNaNElement(value) || (largest ? value > current : value < current)) best = i
  }
  return best
}

function buildExtreme(name: string, b: GraphBuilder, node: GraphNode, attrs: ReduceAttrs, largest: boolean): GraphNode {
  const dims = normalizeDims(name, attrs.dims, rankOf(node))
  requireElements(name, shapeOf(node), dims)
  const found = castTo(b, reduceKeepdim(b, largest ? 'max' : 'min', toCompute(b, node), dims), dtypeOf(node))
  return finish(b, found, dims, attrs.keepdim)
}

/** Equal extremes share the gradient. */
function extremeGradient(context: GradientContext<ReduceAttrs>): readonly Value[] {
  const { inputs, outputs, outputGradients, attrs, op } = context
  const taken = op('eq', inputs[0], spread(context, outputs[0]!))
  const dim = attrs.dims === null || attrs.dims.length === 0 ? null : attrs.dims
  const ties = op('sum', op('to', taken, 'f64'), { dim, keepdim: attrs.keepdim })
  return [op('mul', taken, spread(context, op('div', outputGradients[0]!, ties)))]
}

const amax = (name: 'amax' | 'amin', largest: boolean, summary: string) =>
  op({
    name,
    summary,
    category: 'reduction',
    call: (...[self, dim, options]: ReduceParams) => call([self], parseReduce(name, dim, options)),
    results: null,
    build: (b: GraphBuilder, [input]: readonly OpInput[], attrs: ReduceAttrs) => [
      buildExtreme(name, b, input!.node, attrs, largest),
    ],
    reference: ([input]: readonly HostTensor[], attrs: ReduceAttrs) => [
      referenceReduce(name, input!, attrs, input!.dtype, values => values[extremeIndex(values, largest)]!),
    ],
    gradient: extremeGradient,
  })

const wholeAttrs: ReduceAttrs = { dims: null, keepdim: false, dtype: null }

const extreme = (name: 'max' | 'min', largest: boolean, summary: string) => {
  const model = amax(largest ? 'amax' : 'amin', largest, summary)
  return op({
    name,
    summary,
    category: 'reduction',
    call: (self: Value, ...none: readonly never[]) => {
      // PyTorch's max(dim) gives two tensors and max(other) compares: neither must be taken for max().
      if (none.length > 0) {
        throw new ArgumentError(`${name}: takes no argument, it is the ${name} of the whole tensor`, {
          fix: `use ${name}WithIndices(dim), a${name}(dim) or ${name}imum(other)`,
        })
      }
      return call([self], wholeAttrs)
    },
    results: null,
    build: (b: GraphBuilder, [input]: readonly OpInput[], attrs: ReduceAttrs) => [
      buildExtreme(name, b, input!.node, attrs, largest),
    ],
    reference: (inputs: readonly HostTensor[], attrs: ReduceAttrs) => model.reference(inputs, attrs),
    gradient: extremeGradient,
  })
}

type OneAttrs = { readonly dims: readonly number[] | null; readonly keepdim: boolean; readonly dtype: Dtype | null }
type KeepdimOption = { readonly keepdim?: boolean }
type ArgParams = [
  self: Value,
  dim?: number | null | { readonly dim?: number | null; readonly keepdim?: boolean },
  options?: KeepdimOption,
]

/** The index along one dim, or into the flattened tensor when no dim is given; dims kept as 1 if asked. */
function buildArg(name: 'argmax' | 'argmin', b: GraphBuilder, node: GraphNode, attrs: OneAttrs): GraphNode {
  const shape = shapeOf(node)
  if (attrs.dims === null || shape.length === 0) {
    const flat = reshapeTo(b, node, [productOf(shape)])
    requireElements(name, shapeOf(flat), [0])
    const found = reduce(b, name, toCompute(b, flat), [0])
    return attrs.keepdim ? reshapeTo(b, found, keptShape(shape, normalizeDims(name, null, shape.length))) : found
  }
  const dims = normalizeDims(name, attrs.dims, shape.length)
  requireElements(name, shape, dims)
  return finish(b, reduceKeepdim(b, name, toCompute(b, node), dims), dims, attrs.keepdim)
}

const arg = (name: 'argmax' | 'argmin', largest: boolean, summary: string) =>
  op({
    name,
    summary,
    category: 'reduction',
    call: (...[self, dim, options]: ArgParams) => call([self], parseReduceOne(name, dim, options)),
    results: null,
    build: (b: GraphBuilder, [input]: readonly OpInput[], attrs: OneAttrs) => [buildArg(name, b, input!.node, attrs)],
    reference: ([input]: readonly HostTensor[], attrs: OneAttrs) => [
      referenceReduce(name, input!, attrs, 'i64', values => extremeIndex(values, largest)),
    ],
    gradient: 'none',
  })

const extremeWithIndices = (name: 'maxWithIndices' | 'minWithIndices', largest: boolean, summary: string) =>
  op({
    name,
    summary,
    category: 'reduction',
    call: (self: Value, dim: number, options?: KeepdimOption) => call([self], parseReduceOne(name, dim, options)),
    results: ['values', 'indices'],
    build: (b: GraphBuilder, [input]: readonly OpInput[], attrs: OneAttrs) => [
      buildExtreme(name, b, input!.node, attrs, largest),
      buildArg(largest ? 'argmax' : 'argmin', b, input!.node, attrs),
    ],
    reference: ([input]: readonly HostTensor[], attrs: OneAttrs) => [
      referenceReduce(name, input!, attrs, input!.dtype, values => values[extremeIndex(values, largest)]!),
      referenceReduce(name, input!, attrs, 'i64', values => extremeIndex(values, largest)),
    ],
    gradient: 'later',
  })

// --- truth -------------------------------------------------------------------------------------------------------------

const truth = (name: 'any' | 'all', fn: 'or' | 'and', summary: string) =>
  op({
    name,
    summary,
    category: 'reduction',
    call: (...[self, dim, options]: ReduceParams) => call([self], parseReduce(name, dim, options)),
    results: null,
    build: (b: GraphBuilder, [input]: readonly OpInput[], attrs: ReduceAttrs) => {
      const dims = normalizeDims(name, attrs.dims, rankOf(input!.node))
      return [finish(b, reduceKeepdim(b, fn, castTo(b, input!.node, 'bool'), dims), dims, attrs.keepdim)]
    },
    reference: ([input]: readonly HostTensor[], attrs: ReduceAttrs) => [
      referenceReduce(name, input!, attrs, 'bool', values =>
        name === 'any' ? values.some(value => Number(value) !== 0) : values.every(value => Number(value) !== 0),
      ),
    ],
    gradient: 'none',
  })

// --- running folds -------------------------------------------------------------------------------------------------------

type ScanAttrs = { readonly dim: number; readonly dtype: Dtype | null }

const running = (name: 'cumsum' | 'cumprod', fn: 'add' | 'mul', summary: string) =>
  op({
    name,
    summary,
    category: 'reduction',
    call: (self: Value, dim: number, options: Pick<TypedReduceOptions, 'dtype'> = {}) => {
      checkOptions(name, options, ['dtype'])
      const parsed = parseReduce(name, dim, options, true)
      return call([self], { dim: parsed.dims![0]!, dtype: parsed.dtype })
    },
    results: null,
    build: (b: GraphBuilder, [input]: readonly OpInput[], attrs: ScanAttrs) =>
      withDim(b, input!.node, node => {
        const [dim] = normalizeDims(name, [attrs.dim], rankOf(node)) as [number]
        const dtype = accumulated(dtypeOf(node), attrs.dtype)
        const scanned = b.node('scan', [toComputeOf(b, node, dtype)], { fn, dim, reverse: false })
        return [castTo(b, scanned, dtype)]
      }),
    reference: ([input]: readonly HostTensor[], attrs: ScanAttrs) => [referenceScan(name, input!, attrs)],
    gradient: 'later',
  })

function referenceScan(name: 'cumsum' | 'cumprod', input: HostTensor, attrs: ScanAttrs): HostTensor {
  const dtype = accumulated(input.dtype, attrs.dtype)
  const shape = input.shape.length === 0 ? [1] : input.shape
  const [dim] = normalizeDims(name, [attrs.dim], shape.length) as [number]
  const inner = shape.slice(dim + 1).reduce((a, b) => a * b, 1)
  const [float, exact] = name === 'cumsum' ? [floatSum, exactSum] : [floatProduct, exactProduct]
  return hostFrom(dtype, input.shape, (index, flat) => {
    const place = index[dim] ?? 0
    const before = Array.from({ length: place + 1 }, (_, i) => input.data[flat - (place - i) * inner]!)
    const cast = before.map(value => castValue(input.dtype, computeDtype(dtype), value))
    return hostValue(dtype, isFloat(dtype) ? float(cast) : exact(cast))
  })
}

// --- log of a sum --------------------------------------------------------------------------------------------------------

const logsumexp = op({
  name: 'logsumexp',
  summary: 'ln Σ e^self over the dims, without overflow.',
  category: 'reduction',
  call: (self: Value, dim: Dims, options?: KeepdimOption) => call([self], parseReduce('logsumexp', dim, options)),
  results: null,
  build: (b: GraphBuilder, [input]: readonly OpInput[], attrs: ReduceAttrs) => {
    const node = input!.node
    const dtype = dtypeOf(node)
    if (!isFloat(dtype))
      throw new DtypeError(`logsumexp: needs floats, got ${dtype}`, { fix: "cast first: x.to('f32')" })
    const dims = normalizeDims('logsumexp', attrs.dims, rankOf(node))
    const x = toCompute(b, node)
    const largest = reduceKeepdim(b, 'max', x, dims)
    // A row of −∞ (or with +∞) must give that infinity: ∞ − ∞ would be NaN.
    const finite = map(b, 'isfinite', largest)
    const shift = map(b, 'where', finite, largest, full(b, dtypeOf(x), shapeOf(largest), 0))
    const terms = map(b, 'exp', map(b, 'sub', x, expandTo(b, shift, shapeOf(x))))
    const result = map(b, 'add', map(b, 'log', reduceKeepdim(b, 'add', terms, dims)), shift)
    return [finish(b, castTo(b, result, dtype), dims, attrs.keepdim)]
  },
  reference: ([input]: readonly HostTensor[], attrs: ReduceAttrs) => [
    referenceReduce('logsumexp', input!, attrs, input!.dtype, values => {
      const largest = Math.max(...values.map(Number))
      if (!Number.isFinite(largest)) return largest
      return largest + Math.log(floatSum(values.map(value => Math.exp(Number(value) - largest))))
    }),
  ],
  gradient: context => {
    const { inputs, outputs, outputGradients, op } = context
    const share = op('exp', op('sub', inputs[0], spread(context, outputs[0]!)))
    return [op('mul', share, spread(context, outputGradients[0]!))]
  },
})

export const reductionRecords = {
  sum: fold('sum', 'add', 'Σ self over the dims; integers and bool give i64.', 'sum'),
  prod: fold('prod', 'mul', 'Π self over the dims; integers and bool give i64.', 'later'),
  mean,
  var: variance('var', 'Σ (self − mean)² / (n − correction) over the dims.'),
  std: variance('std', 'The square root of var.'),
  amax: amax('amax', true, 'The largest value over the dims; NaN if there is one.'),
  amin: amax('amin', false, 'The smallest value over the dims; NaN if there is one.'),
  max: extreme('max', true, 'The largest value of the whole tensor; NaN if there is one.'),
  min: extreme('min', false, 'The smallest value of the whole tensor; NaN if there is one.'),
  maxWithIndices: extremeWithIndices('maxWithIndices', true, 'The largest value along a dim, and where it first is.'),
  minWithIndices: extremeWithIndices('minWithIndices', false, 'The smallest value along a dim, and where it first is.'),
  argmax: arg('argmax', true, 'The index of the first largest value along a dim (of all: into the flattened tensor).'),
  argmin: arg(
    'argmin',
    false,
    'The index of the first smallest value along a dim (of all: into the flattened tensor).',
  ),
  any: truth('any', 'or', 'True where any value over the dims is not 0.'),
  all: truth('all', 'and', 'True where every value over the dims is not 0.'),
  cumsum: running('cumsum', 'add', 'The running sum along a dim.'),
  cumprod: running('cumprod', 'mul', 'The running product along a dim.'),
  logsumexp,
}

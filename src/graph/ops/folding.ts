/** Windows of images as columns and back, and largest values put back where they came from. */
import { DtypeError, ShapeError } from '../../base/errors.js'
import { reductionIdentity } from '../../scalar/ops.js'
import { addSizes, mulSizes, productOf, type Size } from '../../scalar/size.js'
import { computeDtype, isFloat } from '../../types/dtype.js'
import { castTo, dtypeOf, expandTo, full, map, permuteTo, rankOf, reduceKeepdim, reshapeTo, shapeOf } from '../build.js'
import { forEachIndex, hostFrom, hostValue } from '../host.js'
import type { GraphBuilder, GraphNode, Shape } from '../ir.js'
import { type HostTensor, type OpCall, type OpInput, op } from '../record.js'
import { decideQuotient, printShape, requireEqual } from '../sizes.js'
import { call } from './arguments.js'
import {
  maxPoolSignature,
  type PoolAttrs,
  poolCall,
  poolDetails,
  poolErrors,
  pooledShape,
  sizeOfWindows,
  windowsOn,
} from './pooling.js'
import { knownSize } from './rearrange.js'
import {
  hostBatch,
  type PerDim,
  perDim,
  spatialDetails,
  type Windows,
  windowCount,
  windowView,
  withBatch,
} from './spatial.js'
import { anyKept, outOfRange } from './texts.js'

const product = (sizes: readonly number[]): number => sizes.reduce((a, c) => a * c, 1)

/** A counter along dim `d` of `shape`, stretched over it, as i64. */
function counterAlong(b: GraphBuilder, shape: readonly number[], d: number): GraphNode {
  const counter = b.node('iota', [], { length: shape[d]!, dtype: 'i64' })
  return expandTo(
    b,
    reshapeTo(
      b,
      counter,
      shape.map((size, o) => (o === d ? size : 1)),
    ),
    shape,
  )
}

// --- columns -----------------------------------------------------------------------------------------------------------

const columnParams = 'kernelSize: int | ints, dilation: int | ints = 1, padding: int | ints = 0, stride: int | ints = 1'
type ColumnAttrs = {
  readonly kernel: readonly number[]
  readonly stride: readonly number[]
  readonly pads: readonly number[]
  readonly dilation: readonly number[]
}

interface ColumnArgs {
  readonly kernelSize: PerDim
  readonly dilation: PerDim
  readonly padding: PerDim
  readonly stride: PerDim
}

const columnsOf = (name: string, { kernelSize, dilation, padding, stride }: ColumnArgs): ColumnAttrs => ({
  kernel: perDim(name, 'kernelSize', kernelSize, 2, 1),
  stride: perDim(name, 'stride', stride, 2, 1),
  pads: perDim(name, 'padding', padding, 2, 0),
  dilation: perDim(name, 'dilation', dilation, 2, 1),
})

const windowsWith = ({ kernel, stride, pads, dilation }: ColumnAttrs): Windows => ({
  kernel,
  stride,
  dilation,
  padding: pads.map(size => [size, size] as const),
})

const im2col = op({
  name: 'im2col',
  summary: 'The windows of [N, C, H, W] as columns, [N, C · kernel, windows]: torch.nn.functional.unfold.',
  category: 'index',
  signature: `self, ${columnParams}`,
  shape: '[N, C · kernel height · kernel width, windows], or without N',
  dtypes: anyKept,
  details: { self: '[N, C, H, W], or without N', ...spatialDetails },
  errors: { ShapeError: 'when the number of dims is another, or no window fits' },
  call: ({ self, ...args }): OpCall<ColumnAttrs> => call([self], columnsOf('im2col', args)),
  results: null,
  build: (b: GraphBuilder, [input]: readonly OpInput[], attrs: ColumnAttrs) => {
    const x = withBatch(b, 'im2col', input!.node, 2)
    const view = windowView(b, 'im2col', x, windowsWith(attrs), 0)
    const [batch, channels, ...rest] = shapeOf(view)
    const [depth, places] = [mulSizes(channels!, product(attrs.kernel)), productOf(rest.slice(0, 2))]
    const flat = reshapeTo(b, permuteTo(b, view, [0, 1, 4, 5, 2, 3]), [batch!, depth, places])
    return [rankOf(input!.node) === 4 ? flat : reshapeTo(b, flat, shapeOf(flat).slice(1))]
  },
  reference: ([input]: readonly HostTensor[], attrs: ColumnAttrs) => {
    const x = hostBatch(input!, 2)
    const [batch, channels, height, width] = x.shape as [number, number, number, number]
    const [rows, columns] = [height, width].map((size, d) => windowCount('', size, windowsWith(attrs), d)) as [
      number,
      number,
    ]
    const taps = product(attrs.kernel)
    const result = hostFrom(x.dtype, [batch, channels * taps, rows * columns], ([n, depth, place]) => {
      const [channel, tap] = [Math.floor(depth! / taps), depth! % taps]
      const at = (d: 0 | 1, window: number, k: number): number =>
        window * attrs.stride[d]! + k * attrs.dilation[d]! - attrs.pads[d]!
      const y = at(0, Math.floor(place! / columns), Math.floor(tap / attrs.kernel[1]!))
      const z = at(1, place! % columns, tap % attrs.kernel[1]!)
      if (y < 0 || z < 0 || y >= height || z >= width) return hostValue(x.dtype, 0)
      return x.data[((n! * channels + channel) * height + y) * width + z]!
    })
    return [input!.shape.length === 4 ? result : { ...result, shape: result.shape.slice(1) }]
  },
  gradient: 'later',
})

type FoldAttrs = ColumnAttrs & { readonly output: readonly number[] }

/** The counts of windows along both dims, and the channels. Throws ShapeError unless they are the columns of the input. */
function foldPlaces(shape: Shape, attrs: FoldAttrs): { readonly places: readonly number[]; readonly channels: Size } {
  const places = attrs.output.map((size, d) => windowCount('fold', size, windowsWith(attrs), d))
  const [depth, length] = shape.slice(-2) as [Size, Size]
  const taps = product(attrs.kernel)
  const uneven = `fold: the input ${printShape(shape)} has ${depth} rows, no multiple of the kernel's ${taps}`
  const channels = decideQuotient(depth, taps, () => uneven)
  if (channels === null)
    throw new ShapeError(uneven, {
      fix: 'its rows are channels · kernel height · kernel width: use the kernelSize that made the columns',
    })
  if (knownSize('fold', length) !== product(places))
    throw new ShapeError(
      `fold: the input ${printShape(shape)} has ${length} columns, the output ${printShape(attrs.output)} has ${product(places)} windows`,
      { fix: 'use the outputSize, stride, padding and dilation that made the columns' },
    )
  return { places, channels }
}

const fold = op({
  name: 'fold',
  summary:
    'Columns [N, C · kernel, windows] summed into [N, C, H, W] where im2col would read them: torch.nn.functional.fold.',
  category: 'index',
  signature: `self, outputSize: int | ints, ${columnParams}`,
  shape: '[N, C, outputSize…], or without N',
  dtypes: anyKept,
  details: {
    ...spatialDetails,
    self: '[N, C · kernel height · kernel width, windows], or without N',
    outputSize: 'the sizes [H, W] of the result',
  },
  errors: { ShapeError: 'when the rows are no multiple of the kernel, or the columns not the windows of outputSize' },
  call: ({ self, outputSize, ...args }): OpCall<FoldAttrs> =>
    call([self], { ...columnsOf('fold', args), output: perDim('fold', 'outputSize', outputSize, 2, 1) }),
  results: null,
  build: (b: GraphBuilder, [input]: readonly OpInput[], attrs: FoldAttrs) => {
    const { node } = input!
    if (rankOf(node) !== 2 && rankOf(node) !== 3)
      throw new ShapeError(`fold: the input ${printShape(shapeOf(node))} is neither [N, C · kernel, L] nor without N`, {
        fix: 'give the columns that im2col makes',
      })
    const x = rankOf(node) === 3 ? node : reshapeTo(b, node, [1, ...shapeOf(node)])
    const [batch] = shapeOf(x)
    const { places, channels } = foldPlaces(shapeOf(node), attrs)
    const length = product(places)
    const taps = product(attrs.kernel)
    const shape = [...attrs.kernel, ...places]
    const number = (value: number): GraphNode => full(b, 'i64', shape, value)
    let target = number(0)
    let inside: GraphNode | null = null
    for (const d of [0, 1]) {
      const start = map(b, 'mul', counterAlong(b, shape, 2 + d), number(attrs.stride[d]!))
      const tap = map(b, 'mul', counterAlong(b, shape, d), number(attrs.dilation[d]!))
      const at = map(b, 'sub', map(b, 'add', start, tap), number(attrs.pads[d]!))
      const fits = map(b, 'and', map(b, 'ge', at, number(0)), map(b, 'lt', at, number(attrs.output[d]!)))
      inside = inside === null ? fits : map(b, 'and', inside, fits)
      target = map(b, 'add', map(b, 'mul', target, number(attrs.output[d]!)), at)
    }
    const index = reshapeTo(b, map(b, 'where', inside!, target, number(-1)), [1, 1, taps * length])
    const compute = computeDtype(dtypeOf(x))
    const wide: Shape = [batch!, channels, taps * length]
    const source = reshapeTo(b, castTo(b, x, compute), wide)
    const zeros = full(b, compute, [batch!, channels, product(attrs.output)], 0)
    const summed = b.node('scatter', [zeros, expandTo(b, index, wide), source], { dim: 2, fold: 'add' })
    const image = reshapeTo(b, castTo(b, summed, dtypeOf(x)), [batch!, channels, ...attrs.output])
    return [rankOf(node) === 3 ? image : reshapeTo(b, image, shapeOf(image).slice(1))]
  },
  reference: ([input]: readonly HostTensor[], attrs: FoldAttrs) => {
    const x = input!.shape.length === 3 ? input! : { ...input!, shape: [1, ...input!.shape] }
    const [batch, depth] = x.shape as [number, number]
    const { places } = foldPlaces(x.shape, attrs)
    const channels = depth / product(attrs.kernel)
    const [height, width] = attrs.output as [number, number]
    const sums = new Array<number>(batch * channels * height * width).fill(0)
    forEachIndex([batch, channels, ...attrs.kernel, ...places], ([n, c, ky, kx, oy, ox], flat) => {
      const y = oy! * attrs.stride[0]! + ky! * attrs.dilation[0]! - attrs.pads[0]!
      const z = ox! * attrs.stride[1]! + kx! * attrs.dilation[1]! - attrs.pads[1]!
      if (y < 0 || z < 0 || y >= height || z >= width) return
      sums[((n! * channels + c!) * height + y) * width + z]! += Number(x.data[flat]!)
    })
    const result = hostFrom(x.dtype, [batch, channels, height, width], (_, i) => hostValue(x.dtype, sums[i]!))
    return [input!.shape.length === 3 ? result : { ...result, shape: result.shape.slice(1) }]
  },
  gradient: 'later',
})

// --- pooling with indices ------------------------------------------------------------------------------------------------

/** An index that no window holds: what padding counts as. */
const outside = 2n ** 62n

function buildMaxWithIndices(name: string, b: GraphBuilder, given: GraphNode, attrs: PoolAttrs): readonly GraphNode[] {
  const count = attrs.kernel.length
  const x = withBatch(b, name, given, count)
  const [sizes, compute] = [shapeOf(x).slice(2), computeDtype(dtypeOf(x))]
  const windows = windowsOn(name, sizes, attrs)
  const view = windowView(b, name, castTo(b, x, compute), windows, reductionIdentity('max', compute))
  const dims = windows.kernel.map((_, d) => 2 + count + d)
  const largest = reduceKeepdim(b, 'max', view, dims)
  const plane = reshapeTo(b, b.node('iota', [], { length: productOf(sizes), dtype: 'i64' }), [1, 1, ...sizes])
  const places = expandTo(b, windowView(b, name, plane, windows, outside), shapeOf(view))
  const equal = map(b, 'eq', view, expandTo(b, largest, shapeOf(view)))
  const taken = isFloat(compute) ? map(b, 'or', equal, map(b, 'isnan', view)) : equal
  const none = full(b, 'i64', shapeOf(view), outside)
  const first = reduceKeepdim(b, 'min', map(b, 'where', taken, places, none), dims)
  return [castTo(b, largest, dtypeOf(x)), first].map(node => {
    const shape = shapeOf(node).slice(0, 2 + count)
    return reshapeTo(b, node, rankOf(given) === count + 2 ? shape : shape.slice(1))
  })
}

function referenceMaxWithIndices(name: string, given: HostTensor, attrs: PoolAttrs): readonly HostTensor[] {
  const count = attrs.kernel.length
  const x = hostBatch(given, count)
  const sizes = x.shape.slice(2)
  const windows = windowsOn(name, sizes, attrs)
  const shape = [...x.shape.slice(0, 2), ...sizes.map((size, d) => windowCount(name, size, windows, d))]
  const found: { readonly value: number | bigint; readonly place: number }[] = []
  forEachIndex(shape, ([n, c, ...window]) => {
    let best: { value: number | bigint; place: number } | null = null
    forEachIndex(attrs.kernel, tap => {
      const at = tap.map((k, d) => window[d]! * attrs.stride[d]! + k * attrs.dilation[d]! - attrs.padding[d]!)
      if (at.some((i, d) => i < 0 || i >= sizes[d]!)) return
      const place = at.reduce((flat, i, d) => flat * sizes[d]! + i, 0)
      const value = x.data[(n! * x.shape[1]! + c!) * product(sizes) + place]!
      if (best === null || (!Number.isNaN(best.value) && (Number.isNaN(value) || value > best.value)))
        best = { value, place }
    })
    found.push(best!)
  })
  const result = given.shape.length === count + 2 ? shape : shape.slice(1)
  return [
    hostFrom(x.dtype, result, (_, i) => found[i]!.value),
    hostFrom('i64', result, (_, i) => BigInt(found[i]!.place)),
  ]
}

const maxWithIndices = (count: 1 | 2 | 3) => {
  const name = `maxPool${count}dWithIndices`
  return op({
    name,
    summary:
      'The largest value of each window of [N, C, …], and its index in the flattened spatial dims (of equals the first).',
    category: 'reduction',
    signature: maxPoolSignature,
    details: poolDetails,
    shape: { values: pooledShape, indices: pooledShape },
    dtypes: { takes: 'any', gives: { values: 'same', indices: 'i64' } },
    errors: poolErrors,
    note: sizeOfWindows,
    call: args => poolCall(name, count, args),
    results: ['values', 'indices'],
    build: (b: GraphBuilder, [input]: readonly OpInput[], attrs: PoolAttrs) =>
      buildMaxWithIndices(name, b, input!.node, attrs),
    reference: ([input]: readonly HostTensor[], attrs: PoolAttrs) => referenceMaxWithIndices(name, input!, attrs),
    gradient: 'later',
  })
}

type UnpoolAttrs = {
  readonly kernel: readonly number[]
  readonly stride: readonly number[]
  readonly pads: readonly number[]
  readonly output: readonly number[] | null
}

const unpooledSizes = (sizes: Shape, { kernel, stride, pads, output }: UnpoolAttrs): Shape =>
  output ?? sizes.map((size, d) => addSizes(mulSizes(size, stride[d]!), kernel[d]! - stride[d]! - 2 * pads[d]!))

const maxUnpool = (count: 1 | 2 | 3) => {
  const name = `maxUnpool${count}d`
  return op({
    name,
    summary: 'The values of a max pooling (self) written back at its indices; 0 elsewhere.',
    category: 'index',
    signature:
      'self, indices, kernelSize: int | ints, stride: int | ints | null = null, padding: int | ints = 0, outputSize: ints | null = null',
    shape: '[N, C, outputSize…], or without N',
    dtypes: anyKept,
    details: {
      ...poolDetails,
      indices: 'what the pooling gave with these values: i64, of the shape of self',
      padding: 'that of the pooling',
      outputSize: 'the spatial sizes; by default (size − 1) · stride − 2 padding + kernelSize',
    },
    errors: { DtypeError: 'when indices are not i64', ShapeError: 'when the indices have another shape' },
    note: `${outOfRange} writes nothing.`,
    call: ({ self, indices, kernelSize, stride, padding, outputSize }): OpCall<UnpoolAttrs> => {
      const kernel = perDim(name, 'kernelSize', kernelSize, count, 1)
      return call([self, indices], {
        kernel,
        stride: perDim(name, 'stride', stride ?? kernel, count, 1),
        pads: perDim(name, 'padding', padding, count, 0),
        output: outputSize === null ? null : perDim(name, 'outputSize', outputSize, count, 1),
      })
    },
    results: null,
    build: (b: GraphBuilder, inputs: readonly OpInput[], attrs: UnpoolAttrs) => {
      const [given, index] = inputs.map(({ node }) => node) as [GraphNode, GraphNode]
      if (dtypeOf(index) !== 'i64')
        throw new DtypeError(`${name}: the indices are ${dtypeOf(index)}`, { fix: "cast them: indices.to('i64')" })
      const x = withBatch(b, name, given, count)
      const at = withBatch(b, name, index, count)
      const [batch, channels, ...rest] = shapeOf(x)
      const what = (): string => `${name}: the indices ${printShape(shapeOf(at))} do not fit ${printShape(shapeOf(x))}`
      for (const [d, size] of shapeOf(x).entries())
        requireEqual(shapeOf(at)[d]!, size, what, 'use the indices that the pooling gave with these values')
      const output = unpooledSizes(rest, attrs)
      const wide: Shape = [batch!, channels!, productOf(rest)]
      const zeros = full(b, dtypeOf(x), [batch!, channels!, productOf(output)], 0)
      const put = b.node('scatter', [zeros, reshapeTo(b, at, wide), reshapeTo(b, x, wide)], { dim: 2, fold: 'set' })
      const image = reshapeTo(b, put, [batch!, channels!, ...output])
      return [rankOf(given) === count + 2 ? image : reshapeTo(b, image, shapeOf(image).slice(1))]
    },
    reference: ([given, index]: readonly HostTensor[], attrs: UnpoolAttrs) => {
      const x = hostBatch(given!, count)
      const output = unpooledSizes(x.shape.slice(2), attrs).map(Number)
      const [own, size] = [product(x.shape.slice(2)), product(output)]
      const data = new Array<number | bigint>((x.data.length / own) * size).fill(hostValue(x.dtype, 0))
      for (const [i, value] of x.data.entries()) data[Math.floor(i / own) * size + Number(index!.data[i])] = value
      return [{ dtype: x.dtype, shape: [...given!.shape.slice(0, -count), ...output], data }]
    },
    gradient: 'later',
  })
}

export const foldingRecords = {
  im2col,
  fold,
  maxPool1dWithIndices: maxWithIndices(1),
  maxPool2dWithIndices: maxWithIndices(2),
  maxPool3dWithIndices: maxWithIndices(3),
  maxUnpool1d: maxUnpool(1),
  maxUnpool2d: maxUnpool(2),
  maxUnpool3d: maxUnpool(3),
}

/**
 * Convolutions, forward: the windows of the padded input are a view; multiplied with the weight as matrices, and brought
 * back into the shape of images.
 */
import { ArgumentError, DtypeError, ShapeError } from '../../base/errors.js'
import { productOf, type Size } from '../../scalar/size.js'
import { computeDtype, type Dtype } from '../../types/dtype.js'
import { castTo, dtypeOf, expandTo, map, permuteTo, rankOf, requireFloat, reshapeTo, shapeOf } from '../build.js'
import type { GraphBuilder, GraphNode, Shape } from '../ir.js'
import { type OpCall, type OpInput, op } from '../record.js'
import type { Bound } from '../signature.js'
import { printShape, requireEqual } from '../sizes.js'
import { call } from './arguments.js'
import { knownShape } from './rearrange.js'
import {
  kernelNames,
  outputNames,
  perDim,
  spatialDetails,
  spatialNames,
  type Windows,
  windowView,
  withBatch,
} from './spatial.js'
import { floatKept } from './texts.js'

type ConvAttrs = {
  readonly stride: readonly number[]
  readonly padding: readonly number[] | 'same'
  readonly dilation: readonly number[]
  readonly groups: number
}
type ConvName = 'conv1d' | 'conv2d' | 'conv3d'

const signature =
  "self, weight, bias: tensor | null = null, stride: int | ints = 1, padding: int | ints | 'same' | 'valid' = 0, dilation: int | ints = 1, groups: positive = 1"

function convCall(name: ConvName, count: number, args: Bound<typeof signature>): OpCall<ConvAttrs> {
  const { self, weight, bias, padding, groups } = args
  const stride = perDim(name, 'stride', args.stride, count, 1)
  if (padding === 'same' && stride.some(step => step !== 1))
    throw new ArgumentError(`${name}: padding 'same' needs stride 1, got ${stride.join(', ')}`, {
      fix: 'use stride 1, or give the padding as numbers',
    })
  return call(bias === null ? [self, weight] : [self, weight, bias], {
    stride,
    padding: padding === 'same' ? padding : perDim(name, 'padding', padding === 'valid' ? 0 : padding, count, 0),
    dilation: perDim(name, 'dilation', args.dilation, count, 1),
    groups,
  })
}

/** 'same' puts the odd one behind, as PyTorch does. */
function windowsFor(kernel: readonly number[], { stride, padding, dilation }: ConvAttrs): Windows {
  const sides = kernel.map((size, d): readonly [number, number] => {
    if (padding !== 'same') return [padding[d]!, padding[d]!]
    const total = (size - 1) * dilation[d]!
    return [Math.floor(total / 2), total - Math.floor(total / 2)]
  })
  return { kernel, stride, padding: sides, dilation }
}

function checkConv(name: ConvName, count: number, x: GraphNode, weight: GraphNode, groups: number): void {
  const [from, size] = [shapeOf(x), shapeOf(weight)]
  if (size.length !== count + 2)
    throw new ShapeError(`${name}: the weight ${printShape(size)} is not [out, in / groups, …${count} kernel sizes]`, {
      fix: `give a weight of ${count + 2} dims`,
    })
  requireFloat(name, dtypeOf(x), "cast first: x.to('f32')")
  if (dtypeOf(x) !== dtypeOf(weight))
    throw new DtypeError(`${name}: the input is ${dtypeOf(x)}, the weight ${dtypeOf(weight)}`, {
      fix: `cast one: weight.to('${dtypeOf(x)}')`,
    })
  const [channels, outputs, inner] = knownShape(name, [from[1]!, size[0]!, size[1]!]) as [number, number, number]
  if (channels !== inner * groups)
    throw new ShapeError(
      `${name}: the input ${printShape(from)} has ${channels} channels, the weight ${printShape(size)} takes ${inner} · ${groups} groups`,
      { fix: `give an input of ${inner! * groups} channels, the channels in dim 1, or another groups` },
    )
  if (outputs % groups !== 0)
    throw new ShapeError(`${name}: ${outputs} output channels do not divide into ${groups} groups`, {
      fix: 'use a number of groups that divides the output channels',
    })
}

function buildConv(
  name: ConvName,
  count: number,
  b: GraphBuilder,
  inputs: readonly OpInput[],
  attrs: ConvAttrs,
): GraphNode {
  const [given, weight, bias] = inputs.map(({ node }) => node) as [GraphNode, GraphNode, GraphNode?]
  const x = withBatch(b, name, given, count)
  checkConv(name, count, x, weight, attrs.groups)
  const { groups } = attrs
  const [outputs, inner, ...kernel] = knownShape(name, shapeOf(weight)) as [number, number, ...number[]]
  const view = windowView(b, name, x, windowsFor(kernel, attrs), 0)
  const [batch, , ...rest] = shapeOf(view)
  const places = rest.slice(0, count)
  // [N, C, places…, kernel…] → [N, groups, C / groups · kernel, places]: each column is a window.
  const order = [0, 1, ...kernel.map((_, d) => 2 + count + d), ...places.map((_, d) => 2 + d)]
  const depth = inner * kernel.reduce((a, c) => a * c, 1)
  const lead: Shape = groups === 1 ? [batch!] : [batch!, groups]
  const columns = reshapeTo(b, permuteTo(b, view, order), [...lead, depth, productOf(places)])
  const rows = reshapeTo(b, weight, [...lead.slice(1), outputs / groups, depth])
  const compute = computeDtype(dtypeOf(x)) as 'f32' | 'f64'
  const left = expandTo(b, rows, [...lead, outputs / groups, depth])
  const product = b.node('matmul', [left, columns], { accumulate: compute, to: compute })
  const flat = reshapeTo(b, product, [batch!, outputs, productOf(places)])
  const sum = bias === undefined ? flat : map(b, 'add', flat, biasOf(b, name, bias, x, flat))
  const image = reshapeTo(b, castTo(b, sum, dtypeOf(x)), [batch!, outputs, ...places])
  return rankOf(given) === count + 2 ? image : reshapeTo(b, image, shapeOf(image).slice(1))
}

/** Throws ShapeError or DtypeError unless the bias has one value per output channel, of the input's dtype. */
export function checkBias(name: string, bias: GraphNode, channels: Size, dtype: Dtype): void {
  const what = (): string => `${name}: the bias ${printShape(shapeOf(bias))} does not fit ${channels} output channels`
  if (rankOf(bias) !== 1) throw new ShapeError(what())
  requireEqual(shapeOf(bias)[0]!, channels, what)
  if (dtypeOf(bias) !== dtype)
    throw new DtypeError(`${name}: the bias is ${dtypeOf(bias)}, the input ${dtype}`, {
      fix: `cast it: bias.to('${dtype}')`,
    })
}

function biasOf(b: GraphBuilder, name: string, bias: GraphNode, x: GraphNode, flat: GraphNode): GraphNode {
  const shape = shapeOf(flat)
  checkBias(name, bias, shape[1]!, dtypeOf(x))
  return expandTo(b, reshapeTo(b, castTo(b, bias, dtypeOf(flat)), [shape[1]!, 1]), shape)
}

const convolution = (name: ConvName, count: number) => {
  const [spatial, kernels] = [spatialNames[count - 1]!, kernelNames[count - 1]!]
  return op({
    name,
    summary: `The convolution of [N, C, ${spatial}] with a weight [O, C / groups, ${kernels}], plus bias [O].`,
    category: 'matmul',
    signature,
    shape: `[N, O, ${outputNames[count - 1]!}], or without N`,
    dtypes: floatKept,
    details: {
      self: `[N, C, ${spatial}], or without N`,
      weight: `[O, C / groups, ${kernels}]`,
      bias: '[O]',
      stride: spatialDetails.stride,
      padding: `${spatialDetails.padding}; 'same': as large as the input (stride 1 only); 'valid': none`,
      dilation: spatialDetails.dilation,
      groups: 'into how many parts the channels divide that see nothing of each other',
    },
    errors: {
      ArgumentError: "for padding 'same' with another stride than 1",
      DtypeError: 'when input, weight and bias differ in dtype',
      ShapeError: 'when the channels do not fit the weight and groups, bias is not [O], or no window fits',
    },
    note: 'A cross-correlation: the kernel is not flipped. Size of the result: ⌊(size + 2 padding − dilation · (kernel − 1) − 1) / stride⌋ + 1.',
    call: args => convCall(name, count, args),
    results: null,
    build: (b: GraphBuilder, inputs: readonly OpInput[], attrs: ConvAttrs) => [
      buildConv(name, count, b, inputs, attrs),
    ],
    gradient: 'later',
  })
}

export const convolutionRecords = {
  conv1d: convolution('conv1d', 1),
  conv2d: convolution('conv2d', 2),
  conv3d: convolution('conv3d', 3),
}

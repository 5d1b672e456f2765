/**
 * Transposed convolutions, forward: the input with stride − 1 zeros between its elements, convolved with the weight
 * turned round. So they run on whatever convolutions run on. The zeros are multiplied too: a NaN or an infinity in the
 * weight makes NaN of every result that its tap passes over, also where PyTorch's does not add that tap.
 */
import { ArgumentError, DtypeError, ShapeError } from '../../base/errors.js'
import { addSizes, mulSizes } from '../../scalar/size.js'
import { dtypeOf, permuteTo, rankOf, requireFloat, reshapeTo, shapeOf, sliceTo, wholeSlice } from '../build.js'
import type { GraphBuilder, GraphNode, Shape } from '../ir.js'
import { type OpCall, type OpInput, op } from '../record.js'
import type { Bound } from '../signature.js'
import { decideAtLeast, printShape } from '../sizes.js'
import { call } from './arguments.js'
import { checkBias, convolutionRecords } from './convolution.js'
import { knownShape, knownSize, rearrangeRecords } from './rearrange.js'
import { kernelNames, outputNames, perDim, spatialDetails, spatialNames, withBatch } from './spatial.js'
import { floatKept } from './texts.js'

type Attrs = {
  readonly stride: readonly number[]
  readonly pads: readonly number[]
  readonly extra: readonly number[]
  readonly dilation: readonly number[]
  readonly groups: number
}
type Name = `convTranspose${1 | 2 | 3}d`

const signature =
  'self, weight, bias: tensor | null = null, stride: int | ints = 1, padding: int | ints = 0, outputPadding: int | ints = 0, groups: positive = 1, dilation: int | ints = 1'

function transposedCall(name: Name, count: number, args: Bound<typeof signature>): OpCall<Attrs> {
  const { self, weight, bias, groups } = args
  const stride = perDim(name, 'stride', args.stride, count, 1)
  const dilation = perDim(name, 'dilation', args.dilation, count, 1)
  const extra = perDim(name, 'outputPadding', args.outputPadding, count, 0)
  for (const [d, size] of extra.entries())
    if (size >= Math.max(stride[d]!, dilation[d]!))
      throw new ArgumentError(`${name}: outputPadding ${size} is not smaller than stride or dilation`, {
        fix: 'use a greater stride, or a smaller outputPadding',
      })
  const pads = perDim(name, 'padding', args.padding, count, 0)
  return call(bias === null ? [self, weight] : [self, weight, bias], { stride, pads, extra, dilation, groups })
}

/** The sizes of the result. Throws ShapeError when the channels do not fit or nothing is left. */
function outputSizes(
  name: Name,
  x: Shape,
  weight: readonly number[],
  { stride, pads, extra, dilation, groups }: Attrs,
): Shape {
  const [channels, sizes, kernel] = [knownSize(name, x[1]!), x.slice(2), weight.slice(2)]
  if (weight[0] !== channels || channels % groups !== 0)
    throw new ShapeError(
      `${name}: the input ${printShape(x)} has ${channels} channels, the weight ${printShape(weight)} takes ${weight[0]} in ${groups} groups`,
      { fix: `give an input of ${weight[0]} channels, the channels in dim 1, and groups that divide them` },
    )
  return sizes.map((size, d) => {
    const more = dilation[d]! * (kernel[d]! - 1) + extra[d]! + 1 - 2 * pads[d]!
    const length = addSizes(mulSizes(addSizes(size, -1), stride[d]!), more)
    const what = (): string => `${name}: spatial dim ${d} of ${size} elements gives ${length}`
    if (decideAtLeast(length, 1, what)) return length
    throw new ShapeError(what(), { fix: 'use less padding, or a larger input' })
  })
}

/** `count` − 1 zeros behind each element along a dim, but not behind the last. */
function spreadDim(b: GraphBuilder, node: GraphNode, dim: number, count: number): GraphNode {
  if (count === 1) return node
  const shape = shapeOf(node)
  const size = shape[dim]!
  const [before, after] = [shape.slice(0, dim + 1), shape.slice(dim + 1)]
  const column = reshapeTo(b, node, [...before, 1, ...after])
  const pad = [...after.flatMap(() => [0, 0]), 0, count - 1]
  const [spread] = rearrangeRecords.pad.build(b, [{ node: column, isNumber: false }], {
    pad,
    mode: 'constant',
    value: 0,
  })
  const flat = reshapeTo(b, spread!, [...before.slice(0, -1), mulSizes(size, count), ...after])
  const attrs = wholeSlice(shapeOf(flat))
  attrs.sizes[dim] = addSizes(mulSizes(addSizes(size, -1), count), 1)
  return sliceTo(b, flat, attrs)
}

/** [in, out / groups, kernel…] as the convolution takes it: [out, in / groups, kernel… from its end]. */
function turned(b: GraphBuilder, weight: GraphNode, groups: number): GraphNode {
  const [inputs, outputs, ...kernel] = knownShape('', shapeOf(weight)) as [number, number, ...number[]]
  const split = reshapeTo(b, weight, [groups, inputs / groups, outputs, ...kernel])
  const order = [0, 2, 1, ...kernel.map((_, d) => 3 + d)]
  const swapped = reshapeTo(b, permuteTo(b, split, order), [groups * outputs, inputs / groups, ...kernel])
  const attrs = wholeSlice(shapeOf(swapped))
  for (const [d, size] of kernel.entries()) {
    attrs.starts[2 + d] = size - 1
    attrs.steps[2 + d] = -1
  }
  return kernel.every(size => size === 1) ? swapped : b.node('slice', [swapped], attrs)
}

function build(name: Name, count: 1 | 2 | 3, b: GraphBuilder, inputs: readonly OpInput[], attrs: Attrs): GraphNode {
  const [given, weight, bias] = inputs.map(({ node }) => node) as [GraphNode, GraphNode, GraphNode?]
  const x = withBatch(b, name, given, count)
  if (rankOf(weight) !== count + 2)
    throw new ShapeError(
      `${name}: the weight ${printShape(shapeOf(weight))} is not [in, out / groups, …${count} sizes]`,
      { fix: `give a weight of ${count + 2} dims` },
    )
  requireFloat(name, dtypeOf(x), "cast first: x.to('f32')")
  if (dtypeOf(x) !== dtypeOf(weight))
    throw new DtypeError(`${name}: the input is ${dtypeOf(x)}, the weight ${dtypeOf(weight)}`, {
      fix: `cast one: weight.to('${dtypeOf(x)}')`,
    })
  const shape = knownShape(name, shapeOf(weight))
  outputSizes(name, shapeOf(x), shape, attrs)
  if (bias !== undefined) checkBias(name, bias, shape[1]! * attrs.groups, dtypeOf(x))
  let spread = x
  const sides: number[] = []
  for (let d = 0; d < count; d++) {
    spread = spreadDim(b, spread, 2 + d, attrs.stride[d]!)
    const reach = attrs.dilation[d]! * (shape[2 + d]! - 1) - attrs.pads[d]!
    sides.unshift(reach, reach + attrs.extra[d]!)
  }
  const whole = { pad: sides, mode: 'constant' as const, value: 0 }
  const [padded] = rearrangeRecords.pad.build(b, [{ node: spread, isNumber: false }], whole)
  const operands = [padded!, turned(b, weight, attrs.groups), ...(bias === undefined ? [] : [bias])]
  const ones = new Array<number>(count).fill(1)
  const [image] = convolutionRecords[`conv${count}d`].build(
    b,
    operands.map(node => ({ node, isNumber: false })),
    { stride: ones, padding: ones.map(() => 0), dilation: attrs.dilation, groups: attrs.groups },
  )
  return rankOf(given) === count + 2 ? image! : reshapeTo(b, image!, shapeOf(image!).slice(1))
}

const transposed = (count: 1 | 2 | 3) => {
  const name: Name = `convTranspose${count}d`
  const [spatial, kernels] = [spatialNames[count - 1]!, kernelNames[count - 1]!]
  return op({
    name,
    summary: `The transpose of conv${count}d: [N, C, ${spatial}] with a weight [C, O / groups, ${kernels}], plus bias [O].`,
    category: 'matmul',
    signature,
    shape: `[N, O, ${outputNames[count - 1]!}], or without N`,
    dtypes: floatKept,
    details: {
      self: `[N, C, ${spatial}], or without N`,
      weight: `[C, O / groups, ${kernels}]`,
      bias: '[O]',
      stride: 'of the convolution that this is the transpose of, for all spatial dims or for each',
      padding: 'of that convolution: rows that are cut off on both sides',
      outputPadding:
        'rows added behind, less than stride or dilation: which of the sizes that a strided convolution maps to one',
      groups: 'into how many parts the channels divide that see nothing of each other',
      dilation: spatialDetails.dilation,
    },
    errors: {
      ArgumentError: 'when outputPadding is not smaller than stride or dilation',
      DtypeError: 'when input, weight and bias differ in dtype',
      ShapeError: 'when the channels do not fit the weight and groups, bias is not [O], or nothing is left',
    },
    note: "Size of the result: (size − 1) · stride − 2 padding + dilation · (kernel − 1) + outputPadding + 1. A weight's NaN or infinity reaches results between those of its strides too.",
    call: args => transposedCall(name, count, args),
    results: null,
    build: (b: GraphBuilder, inputs: readonly OpInput[], attrs: Attrs) => [build(name, count, b, inputs, attrs)],
    gradient: 'later',
  })
}

export const transposedConvolutionRecords = {
  convTranspose1d: transposed(1),
  convTranspose2d: transposed(2),
  convTranspose3d: transposed(3),
}

/**
 * Transposed convolutions as ordinary ones: the input, with stride − 1 zeros between its elements, is convolved with the
 * flipped weight. So any kernel for convolutions serves them. The zeros are multiplied too: a NaN or infinity in the weight
 * makes every result NaN that its tap covers, also where PyTorch skips that tap.
 */
import { ArgumentError, ShapeError } from '../../base/errors.js'
import { addSizes, mulSizes } from '../../scalar/size.js'
import { permuteTo, reshapeTo, shapeOf, wholeSlice } from '../build.js'
import type { GraphBuilder, GraphNode, Shape } from '../ir.js'
import { type OpCall, type OpInput, op } from '../record.js'
import type { Bound } from '../signature.js'
import { decideAtLeast, printShape } from '../sizes.js'
import { call } from './arguments.js'
import { convolve, operandsOf } from './convolution.js'
import { knownShape, knownSize } from './rearrange.js'
import { kernelNames, outputNames, perDim, spatialDetails, spatialNames } from './spatial.js'
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

/** Throws ShapeError when the channels do not fit or nothing is left. */
function checkSizes(
  name: Name,
  x: Shape,
  weight: readonly number[],
  { stride, pads, extra, dilation, groups }: Attrs,
): void {
  const [channels, sizes, kernel] = [knownSize(name, x[1]!), x.slice(2), weight.slice(2)]
  if (weight[0] !== channels || channels % groups !== 0)
    throw new ShapeError(
      `${name}: the input ${printShape(x)} has ${channels} channels, the weight ${printShape(weight)} takes ${weight[0]} in ${groups} groups`,
      { fix: `give an input of ${weight[0]} channels, the channels in dim 1, and groups that divide them` },
    )
  for (const [d, size] of sizes.entries()) {
    const more = dilation[d]! * (kernel[d]! - 1) + extra[d]! + 1 - 2 * pads[d]!
    const length = addSizes(mulSizes(addSizes(size, -1), stride[d]!), more)
    const what = (): string => `${name}: spatial dim ${d} of ${size} elements gives ${length}`
    if (!decideAtLeast(length, 1, what)) throw new ShapeError(what(), { fix: 'use less padding, or a larger input' })
  }
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

function build(name: Name, count: number, b: GraphBuilder, given: readonly OpInput[], attrs: Attrs): GraphNode {
  const inputs = given.map(({ node }) => node) as [GraphNode, GraphNode, GraphNode?]
  const { x, weight, shape } = operandsOf(b, name, count, inputs, 'in, out / groups')
  checkSizes(name, shapeOf(x), shape, attrs)
  const { stride, pads, extra, dilation, groups } = attrs
  const padding = pads.map((cut, d) => {
    const reach = dilation[d]! * (shape[2 + d]! - 1) - cut
    return [reach, reach + extra[d]!] as const
  })
  const form = { stride: stride.map(() => 1), padding, dilation, inputDilation: stride, groups }
  return convolve(b, name, inputs, { x, weight: turned(b, weight, groups) }, form)
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
        'elements added at the end, less than stride or dilation: selects among the sizes that a strided convolution maps to one',
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
  })
}

export const transposedConvolutionRecords = {
  convTranspose1d: transposed(1),
  convTranspose2d: transposed(2),
  convTranspose3d: transposed(3),
}

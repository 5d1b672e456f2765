/** Convolutions, with helpers that transposed ones (transposed-convolution.ts) share. */
import { ArgumentError, DtypeError, ShapeError } from '../../base/errors.js'
import { computeDtype, type Dtype } from '../../types/dtype.js'
import { dtypeOf, rankOf, requireFloat, reshapeTo, shapeOf, toCompute } from '../build.js'
import type { GraphBuilder, GraphNode, GraphOps } from '../ir.js'
import { type OpCall, type OpInput, op } from '../record.js'
import type { Bound } from '../signature.js'
import { printShape, requireEqual } from '../sizes.js'
import type { Windows } from '../windows.js'
import { call } from './arguments.js'
import { knownShape } from './rearrange.js'
import { kernelNames, outputNames, perDim, requireWindow, spatialDetails, spatialNames, withBatch } from './spatial.js'
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

/** The call of a convolution from its bound arguments. */
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

/** The operands of a convolution: the input with a batch dim, and the weight, whose sizes are known. */
export interface Operands {
  readonly x: GraphNode
  readonly weight: GraphNode
  readonly shape: readonly number[]
}

/** Throws ShapeError or DtypeError unless input and weight have the right number of dims and the same float dtype. */
export function operandsOf(
  b: GraphBuilder,
  name: string,
  count: number,
  [given, weight]: readonly [GraphNode, GraphNode, GraphNode?],
  layout: string,
): Operands {
  const x = withBatch(b, name, given, count)
  if (rankOf(weight) !== count + 2)
    throw new ShapeError(`${name}: the weight ${printShape(shapeOf(weight))} is not [${layout}, …${count} sizes]`, {
      fix: `give a weight of ${count + 2} dims`,
    })
  requireFloat(name, dtypeOf(x), "cast first: x.to('f32')")
  requireDtype(name, 'weight', weight, dtypeOf(x))
  return { x, weight, shape: knownShape(name, shapeOf(weight)) }
}

function requireDtype(name: string, operand: string, node: GraphNode, dtype: Dtype): void {
  if (dtypeOf(node) === dtype) return
  throw new DtypeError(`${name}: the input is ${dtype}, the ${operand} ${dtypeOf(node)}`, {
    fix: `cast one: ${operand}.to('${dtype}')`,
  })
}

/**
 * The convolution, with a batch dim if the input has one. Rounded once, after the bias. Throws ShapeError or DtypeError
 * unless the bias has one value per output channel, of the input's dtype.
 */
export function convolve(
  b: GraphBuilder,
  name: string,
  [given, , bias]: readonly [GraphNode, GraphNode, GraphNode?],
  { x, weight }: Pick<Operands, 'x' | 'weight'>,
  attrs: Omit<GraphOps['conv'], 'accumulate' | 'to'>,
): GraphNode {
  const [dtype, channels] = [dtypeOf(x), shapeOf(weight)[0]!]
  if (bias !== undefined) {
    const what = (): string => `${name}: the bias ${printShape(shapeOf(bias))} does not fit ${channels} output channels`
    if (rankOf(bias) !== 1) throw new ShapeError(what())
    requireEqual(shapeOf(bias)[0]!, channels, what)
    requireDtype(name, 'bias', bias, dtype)
  }
  const inputs = bias === undefined ? [x, weight] : [x, weight, toCompute(b, bias)]
  const image = b.node('conv', inputs, { ...attrs, accumulate: computeDtype(dtype) as 'f32' | 'f64', to: dtype })
  return x === given ? image : reshapeTo(b, image, shapeOf(image).slice(1))
}

/** Throws ShapeError unless channels and groups fit. */
function checkChannels(name: ConvName, { x, weight, shape }: Operands, groups: number): void {
  const [outputs, inner] = shape as [number, number]
  const [channels] = knownShape(name, [shapeOf(x)[1]!])
  if (channels !== inner * groups)
    throw new ShapeError(
      `${name}: the input ${printShape(shapeOf(x))} has ${channels} channels, the weight ${printShape(shapeOf(weight))} takes ${inner} · ${groups} groups`,
      { fix: `give an input of ${inner * groups} channels, the channels in dim 1, or another groups` },
    )
  if (outputs % groups !== 0)
    throw new ShapeError(`${name}: ${outputs} output channels do not divide into ${groups} groups`, {
      fix: 'use a number of groups that divides the output channels',
    })
}

function build(name: ConvName, count: number, b: GraphBuilder, given: readonly OpInput[], attrs: ConvAttrs): GraphNode {
  const inputs = given.map(({ node }) => node) as [GraphNode, GraphNode, GraphNode?]
  const operands = operandsOf(b, name, count, inputs, 'out, in / groups')
  checkChannels(name, operands, attrs.groups)
  const windows = windowsFor(operands.shape.slice(2), attrs)
  for (let d = 0; d < count; d++) requireWindow(name, shapeOf(operands.x)[2 + d]!, windows, d)
  const { stride, padding, dilation } = windows
  const inputDilation = stride.map(() => 1)
  return convolve(b, name, inputs, operands, { stride, padding, dilation, inputDilation, groups: attrs.groups })
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
    build: (b: GraphBuilder, inputs: readonly OpInput[], attrs: ConvAttrs) => [build(name, count, b, inputs, attrs)],
  })
}

export const convolutionRecords = {
  conv1d: convolution('conv1d', 1),
  conv2d: convolution('conv2d', 2),
  conv3d: convolution('conv3d', 3),
}

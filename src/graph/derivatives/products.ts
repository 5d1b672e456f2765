/** Derivatives of matmuls and convolutions: products of one operand and the gradient of the result. */
import {
  addSizes,
  exactQuotient,
  modSizes,
  mulSizes,
  rangeOf,
  type Size,
  sameShape,
  subSizes,
} from '../../scalar/size.js'
import { castTo, dtypeOf, expandTo, permuteTo, reshapeTo, shapeOf, sliceTo, swapDims, wholeSlice } from '../build.js'
import type { GraphBuilder, GraphNode, GraphOps, Shape } from '../ir.js'
import { dilatedSize, windowSpan } from '../windows.js'
import { type Rule, type Slope, summed, sumOrNull } from './rule.js'

const transposed = (b: GraphBuilder, node: GraphNode): GraphNode =>
  swapDims(b, node, shapeOf(node).length - 2, shapeOf(node).length - 1)

// --- matmul ------------------------------------------------------------------------------------------------------------------

/** The gradient of what it transposes then is a product itself, in row-major order, such as that of a linear layer's weight. */
const isTransposed = (node: GraphNode): boolean => {
  if (node.op !== 'permute') return false
  const { dims } = node.attrs
  const rank = dims.length
  return dims.every((dim, d) => dim === (d < rank - 2 ? d : 2 * rank - 3 - d))
}

/** A product of the gradient's kind: operands in the dtype of the one that is given, the result in `to`. */
function product(
  b: GraphBuilder,
  left: GraphNode,
  right: GraphNode,
  attrs: GraphOps['matmul'],
  to = attrs.to,
): GraphNode {
  const { accumulate, precision } = attrs
  return b.node('matmul', [left, right], { accumulate, to, ...(precision && { precision }) })
}

export const matmulRule: Rule<'matmul'> = {
  reverse: ({ b, node, cotangents: [given], needs }) => {
    const { attrs } = node
    const [x, y] = node.inputs as readonly [GraphNode, GraphNode]
    const dtype = dtypeOf(x)
    const g = castTo(b, given!, dtype)
    const times = (left: GraphNode, right: GraphNode): GraphNode => product(b, left, right, attrs, dtype)
    const flipped = (left: GraphNode, right: GraphNode): GraphNode =>
      transposed(b, times(transposed(b, right), transposed(b, left)))
    return [
      needs[0] ? (isTransposed(x) ? flipped : times)(g, transposed(b, y)) : null,
      needs[1] ? (isTransposed(y) ? flipped : times)(transposed(b, x), g) : null,
    ]
  },
  forward: ({ b, node, tangents: [t, u] }) => {
    const [x, y] = node.inputs as readonly [GraphNode, GraphNode]
    const { attrs } = node
    const parts = [t ? product(b, t, y, attrs) : null, u ? product(b, x, u, attrs) : null]
    return [sumOrNull(b, parts)]
  },
}

// --- ragged matmul -------------------------------------------------------------------------------------------------------------

type RaggedAttrs = GraphOps['raggedMatmul']

const ragged = (b: GraphBuilder, x: GraphNode, y: GraphNode, groups: GraphNode, attrs: RaggedAttrs): GraphNode =>
  b.node('raggedMatmul', [x, y, groups], attrs)

/** [G, K, N]: per group the product of the rows of x, transposed, with those of g. */
function perGroup(b: GraphBuilder, x: GraphNode, g: GraphNode, groups: GraphNode, attrs: RaggedAttrs): GraphNode {
  if (groups.op !== 'groupOf') return ragged(b, transposed(b, x), g, groups, { ...attrs, along: 'depth' })
  const { skip } = groups.attrs
  if (skip === 0) return ragged(b, transposed(b, x), g, groups, { ...attrs, along: 'depth' })
  // The ends count a group before the first one, which no matrix belongs to.
  const [ends, group] = groups.inputs as readonly [GraphNode, GraphNode]
  const one = expandTo(b, b.node('constant', [], { dtype: 'i64', value: 1n }), shapeOf(group))
  const whole = b.node('groupOf', [ends, b.node('map', [group, one], { fn: 'add' })], { skip: 0 })
  const all = ragged(b, transposed(b, x), g, whole, { ...attrs, along: 'depth' })
  const { starts, steps, sizes } = wholeSlice(shapeOf(all))
  return sliceTo(b, all, { starts: starts.with(0, 1), steps, sizes: sizes.with(0, addSizes(sizes[0]!, -1)) })
}

export const raggedRule: Rule<'raggedMatmul'> = {
  reverse: ({ b, node, cotangents: [given], needs }) => {
    const [x, y, groups] = node.inputs as readonly [GraphNode, GraphNode, GraphNode]
    const dtype = dtypeOf(x)
    const g = castTo(b, given!, dtype)
    const { along, ...rest } = node.attrs
    const rows: RaggedAttrs = { ...rest, to: dtype }
    if (along === undefined)
      return [
        needs[0] ? ragged(b, g, transposed(b, y), groups, rows) : null,
        needs[1] ? perGroup(b, x, g, groups, rows) : null,
        null,
      ]
    return [
      needs[0] ? transposed(b, ragged(b, y, transposed(b, g), groups, rows)) : null,
      needs[1] ? ragged(b, transposed(b, x), g, groups, rows) : null,
      null,
    ]
  },
  forward: ({ b, node, tangents: [t, u] }) => {
    const [x, y, groups] = node.inputs as readonly [GraphNode, GraphNode, GraphNode]
    return [
      sumOrNull(b, [t ? ragged(b, t, y, groups, node.attrs) : null, u ? ragged(b, x, u, groups, node.attrs) : null]),
    ]
  },
}

// --- convolutions --------------------------------------------------------------------------------------------------------------

type ConvAttrs = GraphOps['conv']

/** Per spatial dim: what is left of the padded input behind the last window, less than a stride. */
function remainders(
  { stride, padding, dilation, inputDilation }: ConvAttrs,
  sizes: Shape,
  kernel: Shape,
): readonly Size[] {
  return stride.map((step, d) => {
    const padded = addSizes(dilatedSize(sizes[d]!, inputDilation[d]!), addSizes(...padding[d]!))
    return modSizes(subSizes(padded, windowSpan({ size: kernel[d]!, dilation: dilation[d]! })), step)
  })
}

const spatial = (shape: Shape): Shape => shape.slice(2)

/** [O, C / groups, K…] as [C, O / groups, K…], with the taps in the opposite order. */
function turnedWeight(b: GraphBuilder, weight: GraphNode, groups: number): GraphNode {
  const [outputs, inner, ...kernel] = shapeOf(weight) as [Size, Size, ...Size[]]
  const perGroup = exactQuotient(outputs, groups)!
  const dims = kernel.map((_, d) => d + 3)
  const split = reshapeTo(b, weight, [groups, perGroup, inner, ...kernel])
  const turned = reshapeTo(b, permuteTo(b, split, [0, 2, 1, ...dims]), [mulSizes(groups, inner), perGroup, ...kernel])
  const { starts, steps, sizes } = wholeSlice(shapeOf(turned))
  const isMore = (d: number): boolean => d >= 2 && sizes[d] !== 1
  return sliceTo(b, turned, {
    starts: starts.map((start, d) => (isMore(d) ? addSizes(sizes[d]!, -1) : start)),
    steps: steps.map((step, d) => (isMore(d) ? -1 : step)),
    sizes,
  })
}

/** Padding whose sign is known; what is added to that end for it. */
function signed(size: Size): readonly [padding: Size, more: Size] {
  const { min, max } = rangeOf(size)
  return min >= 0 || max <= 0 ? [size, 0] : [subSizes(size, min), -min]
}

/** The gradient of the input: the gradient of the result, dilated by the strides, with the taps turned. */
function ofInput(b: GraphBuilder, g: GraphNode, x: GraphNode, weight: GraphNode, attrs: ConvAttrs): GraphNode {
  const { stride, padding, dilation, inputDilation, groups, accumulate } = attrs
  const [sizes, kernel] = [spatial(shapeOf(x)), spatial(shapeOf(weight))]
  const rest = remainders(attrs, sizes, kernel)
  const ends = sizes.map((_, d) => {
    const reach = mulSizes(addSizes(kernel[d]!, -1), dilation[d]!)
    const [before, after] = padding[d]!
    return { before: subSizes(reach, before), after: addSizes(subSizes(reach, after), rest[d]!) }
  })
  const befores = ends.map(({ before }) => before)
  const afters = ends.map(({ after }) => signed(after)[0])
  const node = b.node('conv', [g, turnedWeight(b, weight, groups)], {
    stride: inputDilation,
    padding: befores.map((before, d) => [before, afters[d]!] as const),
    dilation,
    inputDilation: stride,
    groups,
    accumulate,
    to: dtypeOf(x),
  })
  return cropped(b, node, shapeOf(x))
}

/** The first elements in each dim, as many as `shape` says; the sizes may be spelled differently. */
function cropped(b: GraphBuilder, node: GraphNode, shape: Shape): GraphNode {
  if (sameShape(shapeOf(node), shape)) return node
  const { starts, steps } = wholeSlice(shape)
  return sliceTo(b, node, { starts, steps, sizes: shape })
}

/** Where it depends on the sizes of the call, the last taps that it would spare are computed and cut off. */
const known = (rest: Size): number => (typeof rest === 'number' ? rest : 0)

/** The gradient of the weight: the input, whose channels are the batch, with the gradient of the result as the taps. */
function ofWeight(b: GraphBuilder, g: GraphNode, x: GraphNode, weight: GraphNode, attrs: ConvAttrs): GraphNode {
  const { stride, padding, dilation, inputDilation, groups, accumulate } = attrs
  const [batch, channels, ...sizes] = shapeOf(x) as [Size, Size, ...Size[]]
  const [outputs, inner, ...kernel] = shapeOf(weight) as [Size, Size, ...Size[]]
  const rest = remainders(attrs, sizes, kernel)
  const dims = sizes.map((_, d) => d + 3)
  // [N, groups · C, X…] as [C, groups · N, X…].
  const split = reshapeTo(b, x, [batch, groups, exactQuotient(channels, groups)!, ...sizes])
  const image = reshapeTo(b, permuteTo(b, split, [2, 1, 0, ...dims]), [inner, mulSizes(batch, groups), ...sizes])
  const node = b.node('conv', [image, swapDims(b, g, 0, 1)], {
    stride: dilation,
    padding: padding.map(([before, after], d) => [before, subSizes(after, known(rest[d]!))] as const),
    dilation: stride,
    inputDilation,
    groups,
    accumulate,
    to: dtypeOf(weight),
  })
  return cropped(b, swapDims(b, node, 0, 1), [outputs, inner, ...kernel])
}

export const convRule: Rule<'conv'> = {
  reverse: ({ b, node, cotangents: [given], needs }) => {
    const { attrs } = node
    const [x, weight, bias] = node.inputs as readonly [GraphNode, GraphNode, GraphNode?]
    const g = castTo(b, given!, dtypeOf(x))
    const places = shapeOf(g).flatMap((_, d) => (d === 1 ? [] : [d]))
    return [
      needs[0] ? ofInput(b, g, x, weight, attrs) : null,
      needs[1] ? ofWeight(b, g, x, weight, attrs) : null,
      ...(bias === undefined ? [] : [needs[2] ? summed(b, castTo(b, given!, dtypeOf(bias)), places) : null]),
    ]
  },
  forward: ({ b, node, tangents: [t, u, v] }) => {
    const [x, weight] = node.inputs as readonly [GraphNode, GraphNode]
    const shape = shapeOf(node)
    const ofBias = (own: GraphNode): GraphNode =>
      castTo(
        b,
        expandTo(
          b,
          reshapeTo(
            b,
            own,
            shape.map((size, d) => (d === 1 ? size : 1)),
          ),
          shape,
        ),
        node.attrs.to,
      )
    const parts: readonly Slope[] = [
      t ? b.node('conv', [t, weight], node.attrs) : null,
      u ? b.node('conv', [x, u], node.attrs) : null,
      v ? ofBias(v) : null,
    ]
    return [sumOrNull(b, parts)]
  },
}

/**
 * Lowers convolutions to matmuls, for targets without convolution kernels: the windows of the padded input are a view (an
 * implicit im2col), multiplied with the weight as a matrix; the result is reshaped to images.
 */
import { nodesOf } from '../../ir/walk.js'
import { exactQuotient, mulSizes, productOf } from '../../scalar/size.js'
import { castTo, expandTo, map, permuteTo, reshapeTo, shapeOf, sliceTo, wholeSlice } from '../build.js'
import type { GraphBuilder, GraphNode, Shape } from '../ir.js'
import { padConstant } from '../ops/rearrange.js'
import { paddedWindows } from '../ops/spatial.js'
import { dilatedSize } from '../windows.js'
import { type GraphPass, rebuild, remake } from './pass.js'
import { simplify } from './simplify.js'

type ConvNode = Extract<GraphNode, { op: 'conv' }>

/** `dilation` − 1 zeros after each element along a dim, but not after the last. */
function dilated(b: GraphBuilder, node: GraphNode, dim: number, dilation: number): GraphNode {
  if (dilation === 1) return node
  const shape = shapeOf(node)
  const size = shape[dim]!
  const column = reshapeTo(b, node, shape.toSpliced(dim + 1, 0, 1))
  const sides = shapeOf(column).map((_, d) => [0, d === dim + 1 ? dilation - 1 : 0] as const)
  const flat = reshapeTo(b, padConstant(b, column, sides, 0), shape.with(dim, mulSizes(size, dilation)))
  const attrs = wholeSlice(shapeOf(flat))
  attrs.sizes[dim] = dilatedSize(size, dilation)
  return sliceTo(b, flat, attrs)
}

/** weight [groups, O / groups, C / groups · K…] times [N, groups, C / groups · K…, Y…], each column a window. */
function asMatmul(b: GraphBuilder, node: ConvNode, inputs: readonly GraphNode[]): GraphNode {
  const [x, weight, bias] = inputs as [GraphNode, GraphNode, GraphNode?]
  const { inputDilation, groups, accumulate, to } = node.attrs
  const [outputs, ...taps] = shapeOf(weight) as [Shape[number], ...Shape]
  const kernel = taps.slice(1)
  const spread = inputDilation.reduce((inner, dilation, d) => dilated(b, inner, 2 + d, dilation), x)
  const view = paddedWindows(b, spread, { ...node.attrs, kernel }, 0)
  const [batch, , ...positions] = shapeOf(view).slice(0, 2 + kernel.length)
  const order = [0, 1, ...kernel.map((_, d) => 2 + kernel.length + d), ...kernel.map((_, d) => 2 + d)]
  const lead: Shape = groups === 1 ? [batch!] : [batch!, groups]
  const depth = productOf(taps)
  const columns = reshapeTo(b, permuteTo(b, view, order), [...lead, depth, productOf(positions)])
  const matrix = [exactQuotient(outputs, groups)!, depth]
  const left = expandTo(b, reshapeTo(b, weight, [...lead.slice(1), ...matrix]), [...lead, ...matrix])
  const product = b.node('matmul', [left, columns], { accumulate, to: accumulate })
  const flat = reshapeTo(b, product, [batch!, outputs, productOf(positions)])
  const sum =
    bias === undefined ? flat : map(b, 'add', flat, expandTo(b, reshapeTo(b, bias, [outputs, 1]), shapeOf(flat)))
  return reshapeTo(b, castTo(b, sum, to), shapeOf(node))
}

export const expandConvolutions: GraphPass = {
  name: 'convolutions as matmuls',
  requires: 'a verified graph',
  guarantees: 'no conv: windows of the input, as a view, times the weight; the ops that replace it are simplified',
  run: graph => {
    if (!nodesOf(graph.body).some(({ op }) => op === 'conv')) return graph
    const expanded = rebuild(graph, 'convolutions as matmuls', (b, node, inputs) =>
      node.op === 'conv' ? b.withOrigin(node.origin, () => asMatmul(b, node, inputs)) : remake(b, node, inputs),
    )
    return simplify.run(expanded)
  },
}

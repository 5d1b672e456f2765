/** Lowers max pooling to reductions of windows, which are a view, for targets and dtypes without a kernel for it. */
import { nodesOf } from '../../ir/walk.js'
import { reductionIdentity } from '../../scalar/ops.js'
import { isFloat } from '../../types/dtype.js'
import { castTo, constant, dtypeOf, expandTo, full, map, reduce, reduceKeepdim, shapeOf, toCompute } from '../build.js'
import type { GraphBuilder, GraphNode } from '../ir.js'
import { emitter } from '../ops/elementwise.js'
import { placesAlong } from '../ops/formulas.js'
import { paddedWindows } from '../ops/spatial.js'
import type { Windows } from '../windows.js'
import { type GraphPass, rebuild, remake } from './pass.js'

/** The numbers of the largest elements of windows, i32: the least of those that equal the maximum or are NaN. */
function numbersOf(
  b: GraphBuilder,
  x: GraphNode,
  view: GraphNode,
  dims: readonly number[],
  windows: Windows,
): GraphNode {
  const e = emitter(b)
  const shape = shapeOf(view)
  const equal = e('eq', view, expandTo(b, reduceKeepdim(b, 'max', view, dims), shape))
  const isBest = isFloat(dtypeOf(view)) ? e('or', equal, e('isnan', view)) : equal
  const isPadded = windows.padding.flat().some(size => size > 0)
  const inside = paddedWindows(b, expandTo(b, constant(b, 'bool', 1), shapeOf(x)), windows, 0)
  const last = windows.kernel.reduce((all, size) => all * size, 1) - 1
  const numbers = placesAlong(b, shape, dims, 'i32')
  const taken = isPadded ? map(b, 'and', isBest, inside) : isBest
  return reduce(b, 'min', map(b, 'where', taken, numbers, full(b, 'i32', shape, last)), dims)
}

function expandedItem(b: GraphBuilder, x: GraphNode, windows: Windows, index: number): GraphNode {
  const wide = toCompute(b, x)
  const view = paddedWindows(b, wide, windows, reductionIdentity('max', dtypeOf(wide)) as number | bigint)
  const rank = shapeOf(x).length
  const dims = windows.kernel.map((_, d) => rank + d)
  return index === 0 ? castTo(b, reduce(b, 'max', view, dims), dtypeOf(x)) : numbersOf(b, x, view, dims, windows)
}

export const expandMaxPools: GraphPass = {
  name: 'max pooling',
  requires: 'a verified graph without gradient nodes',
  guarantees: 'no maxPool; the same values',
  run(graph) {
    if (!nodesOf(graph.body).some(({ op }) => op === 'maxPool')) return graph
    return rebuild(graph, 'max pooling', (b, node, inputs) => {
      const pool = inputs[0]
      if (node.op !== 'item' || pool?.op !== 'maxPool') return remake(b, node, inputs)
      const item = b.withOrigin(node.origin, () => expandedItem(b, pool.inputs[0]!, pool.attrs, node.attrs.index))
      return castTo(b, item, dtypeOf(node))
    })
  },
}

/**
 * Where views stand. A view between two elementwise ops keeps them in different index spaces; moved below the first, it
 * lies on memory, where a kernel's view parameter absorbs it. And a reshape above a matmul, from giving its rows their
 * dims back, keeps the ops after it out of the product's epilogue; moved past them, it costs nothing.
 *
 * Stretching (expand) is not moved: below an op it would multiply the op's work.
 */
import { canonical, type Plain } from '../../base/canonical.js'
import { nodesOf, usersOf } from '../../ir/walk.js'
import { sameShape } from '../../scalar/size.js'
import { denseStrides } from '../apply.js'
import { permuteTo, reshapeTo, shapeOf, sliceTo } from '../build.js'
import type { Graph, GraphBuilder, GraphNode, Shape } from '../ir.js'
import { type GraphPass, isElementwise, rebuild, remake } from './pass.js'
import { reshapeExpanded, shapeBelowExpand } from './simplify.js'

// --- towards the inputs ------------------------------------------------------------------------------------------------------

type Movable = Extract<GraphNode, { op: 'permute' | 'reshape' | 'slice' }>
const isMovable = (node: GraphNode): node is Movable =>
  node.op === 'permute' || node.op === 'reshape' || node.op === 'slice'

const viewKey = (node: Movable): string => `${node.op}${canonical(node.attrs as Plain)}`

function applyView(b: GraphBuilder, view: Movable, node: GraphNode): GraphNode {
  switch (view.op) {
    case 'permute':
      return permuteTo(b, node, view.attrs.dims)
    case 'reshape':
      return reshaped(b, node, view.attrs.shape)
    case 'slice':
      return sliceTo(b, node, view.attrs)
    default:
      return view satisfies never
  }
}

const reshaped = (b: GraphBuilder, node: GraphNode, shape: Shape): GraphNode =>
  (node.op === 'expand' ? reshapeExpanded(b, node, shape) : null) ?? reshapeTo(b, node, shape)

/** Its elements lie row by row in memory: a reshape of it is another view of that memory. */
const isDense = (node: GraphNode): boolean =>
  node.op === 'input' && sameShape(node.attrs.strides, denseStrides(node.attrs.shape))

/** Whether a reshape below an elementwise op merges with what it meets there, or lies on memory. */
function reshapesFreely(node: GraphNode, shape: Shape): boolean {
  if (node.op === 'expand') return shapeBelowExpand(node, shape) !== null
  return isDense(node) || isElementwise(node) || node.op === 'reshape' || node.op === 'matmul' || node.op === 'constant'
}

/**
 * The elementwise nodes that are only ever looked at through one view, and that view. What they read must be theirs
 * alone or no elementwise op: otherwise the view would part ops that now share an index space.
 */
function findSinks(graph: Graph): Map<GraphNode, Movable> {
  const users = usersOf(graph.body)
  const sinks = new Map<GraphNode, Movable>()
  const wanted = (user: GraphNode | null): Movable | null =>
    user === null ? null : isMovable(user) ? user : (sinks.get(user) ?? null)
  for (const node of [...nodesOf(graph.body)].reverse()) {
    if (!isElementwise(node)) continue
    const [view = null, ...others] = (users.get(node) ?? []).map(wanted)
    if (view === null || others.some(other => other === null || viewKey(other) !== viewKey(view))) continue
    const exclusive = node.inputs.every(
      input => !isElementwise(input) || users.get(input)!.every(user => user === node),
    )
    const free = view.op !== 'reshape' || node.inputs.every(input => reshapesFreely(input, view.attrs.shape))
    if (exclusive && free) sinks.set(node, view)
  }
  return sinks
}

export const sinkViews: GraphPass = {
  name: 'views to the inputs',
  requires: 'a verified graph; simplified, or fewer views move',
  guarantees: 'an elementwise op that is only seen through one permute, reshape or slice is computed behind it',
  run: graph => {
    const sinks = findSinks(graph)
    if (sinks.size === 0) return graph
    return rebuild(graph, 'views to the inputs', (b, node, inputs) => {
      const view = sinks.get(node)
      if (view !== undefined) {
        const seen = inputs.map((input, i) => (sinks.has(node.inputs[i]!) ? input : applyView(b, view, input)))
        return remake(b, node, seen)
      }
      // The view itself: what it looks at is computed in its index space already.
      if (isMovable(node) && sinks.has(node.inputs[0]!)) return inputs[0]!
      return remake(b, node, inputs)
    })
  },
}

// --- towards the results ---------------------------------------------------------------------------------------------------------

/** `node` in another shape, when that needs no copy: a constant, dense memory, a stretched row, or the shape it came from. */
function freely(b: GraphBuilder, node: GraphNode, shape: Shape): GraphNode | null {
  if (node.op === 'reshape' && sameShape(shapeOf(node.inputs[0]!), shape)) return node.inputs[0]!
  if (node.op === 'expand') return reshapeExpanded(b, node, shape)
  return isDense(node) ? reshapeTo(b, node, shape) : null
}

export const liftReshapes: GraphPass = {
  name: 'reshapes past epilogues',
  requires: 'a verified graph',
  guarantees: 'elementwise ops after the reshape of a matmul run in the shape of the matmul, where that needs no copy',
  run: graph => {
    /** Matmuls and what follows them elementwise, in the new graph. */
    const epilogues = new Set<GraphNode>()
    return rebuild(graph, 'reshapes past epilogues', (b, node, inputs) => {
      const made = (isElementwise(node) ? lift(b, node, inputs, epilogues) : null) ?? remake(b, node, inputs)
      const inner = made.op === 'reshape' ? made.inputs[0]! : made
      if (inner.op === 'matmul' || (isElementwise(inner) && inner.inputs.some(input => epilogues.has(input))))
        epilogues.add(inner)
      return made
    })
  },
}

function lift(
  b: GraphBuilder,
  node: GraphNode,
  inputs: readonly GraphNode[],
  epilogues: ReadonlySet<GraphNode>,
): GraphNode | null {
  const from = inputs.find(input => input.op === 'reshape' && epilogues.has(input.inputs[0]!))
  if (from === undefined) return null
  const shape = shapeOf(from.inputs[0]!)
  const moved = inputs.map(input => freely(b, input, shape))
  if (moved.some(input => input === null)) return null
  return reshapeTo(b, remake(b, node, moved as readonly GraphNode[]), shapeOf(node))
}

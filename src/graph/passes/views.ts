/**
 * Moves views. A view between two elementwise ops keeps them in different index spaces; moved below the first, it applies
 * to memory, where the kernel's addressing absorbs it. A reshape above a matmul, which restores the dims of its rows, keeps
 * later ops out of the GEMM's epilogue; moved past them, it is free.
 *
 * Expand is not moved: below an op it would multiply the op's work.
 */
import { canonical, type Plain } from '../../base/canonical.js'
import { ownNodesOf, usersOf } from '../../ir/walk.js'
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

/** Whether its memory is row-major and contiguous, so that a reshape of it is a view. */
const isDense = (node: GraphNode): boolean =>
  node.op === 'input' && sameShape(node.attrs.strides, denseStrides(node.attrs.shape))

/** Whether a reshape moved below an elementwise op folds into the node there, or becomes a view of memory. */
function reshapesFreely(node: GraphNode, shape: Shape): boolean {
  if (node.op === 'expand') return shapeBelowExpand(node, shape) !== null
  return isDense(node) || isElementwise(node) || node.op === 'reshape' || node.op === 'matmul' || node.op === 'constant'
}

/**
 * The elementwise nodes whose only use is one view, with that view. Their elementwise inputs must have no other users:
 * otherwise the view would separate ops that now share an index space.
 */
function findSinks(graph: Graph): Map<GraphNode, Movable> {
  const users = usersOf(graph.body)
  const sinks = new Map<GraphNode, Movable>()
  const wanted = (user: GraphNode | null): Movable | null =>
    user === null ? null : isMovable(user) ? user : (sinks.get(user) ?? null)
  for (const node of [...ownNodesOf(graph.body)].reverse()) {
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
      // The view itself: its input is already computed in the view's index space.
      if (isMovable(node) && sinks.has(node.inputs[0]!)) return inputs[0]!
      return remake(b, node, inputs)
    })
  },
}

// --- towards the results ---------------------------------------------------------------------------------------------------------

/**
 * `node` in another shape if that needs no copy: a constant, contiguous memory, a broadcast row, or a reshape back; else
 * null.
 */
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

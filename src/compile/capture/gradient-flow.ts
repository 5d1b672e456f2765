/** Into which nodes of a graph under construction a gradient flows, and from which tensors from outside. */
import { flowsInto } from '../../graph/derivatives/modes.js'
import type { GraphBuilder, GraphNode, GraphOpName } from '../../graph/ir.js'

/** `Leaf`: a tensor that requires a gradient of its own. */
export class GradientFlow<Leaf> {
  /** The values that the leaves have had. */
  readonly #leaves = new Map<GraphNode, Leaf>()
  readonly #flows = new Map<GraphNode, boolean>()
  readonly #used = new Set<GraphNode>()

  constructor(readonly builder: GraphBuilder) {}

  addLeaf(node: GraphNode, leaf: Leaf): void {
    this.#leaves.set(node, leaf)
  }

  /** The leaf whose value it is; null: it is none. */
  leafOf(node: GraphNode): Leaf | null {
    return this.#leaves.get(node) ?? null
  }

  /** Whether a leaf's gradient depends on the gradient of this node. */
  flows(node: GraphNode): boolean {
    if (this.#leaves.has(node)) return true
    const known = this.#flows.get(node)
    if (known !== undefined) return known
    const flows = flowsInto(node).some(input => this.flows(input))
    this.#flows.set(node, flows)
    return flows
  }

  /** The node itself. Called for each new one, so that `flows` need not go far back for any. */
  noted(node: GraphNode): GraphNode {
    this.flows(node)
    return node
  }

  /** Its value, without a gradient. */
  detached(node: GraphNode): GraphNode {
    return this.flows(node) ? this.builder.node('detach', [node], {}) : node
  }

  /** The nodes whose gradients the gradients of `roots` depend on, and the roots. */
  behind(roots: readonly GraphNode[]): ReadonlySet<GraphNode> {
    const found = new Set<GraphNode>()
    const open = [...roots]
    for (let node = open.pop(); node !== undefined; node = open.pop()) {
      if (found.has(node) || !this.flows(node)) continue
      found.add(node)
      if (!this.#leaves.has(node)) open.push(...flowsInto(node))
    }
    return found
  }

  /** A backward pass has used up what leads to these roots. */
  use(roots: readonly GraphNode[]): void {
    for (const node of this.behind(roots)) if (!this.#leaves.has(node) && !keepsNothing(node)) this.#used.add(node)
  }

  /** The nodes that lead to these roots, of which a backward pass has used up what they keep for it. */
  usedUp(roots: readonly GraphNode[]): readonly GraphNode[] {
    return this.#used.size === 0 ? [] : [...this.behind(roots)].filter(node => this.#used.has(node))
  }

  /** Whether a gradient flows into the node that a further backward pass could take. */
  isTaped(node: GraphNode): boolean {
    return this.flows(node) && this.usedUp([node]).length === 0
  }

  /** The leaves among the nodes, with the value that each had. */
  leavesIn(nodes: ReadonlySet<GraphNode>): readonly { readonly leaf: Leaf; readonly value: GraphNode }[] {
    return [...this.#leaves].flatMap(([value, leaf]) => (nodes.has(value) ? [{ leaf, value }] : []))
  }
}

/** Whether the gradient through a node reads no values, so that several passes may go through it. */
function keepsNothing({ op, attrs, inputs }: GraphNode): boolean {
  switch (op) {
    case 'map':
      if (attrs.fn === 'mul') return inputs.some(isNumber)
      return ['add', 'sub', 'neg'].includes(attrs.fn) || (attrs.fn === 'div' && isNumber(inputs[1]!))
    case 'reduce':
      return attrs.fn === 'add'
    default:
      return plain.has(op)
  }
}

const plain: ReadonlySet<string> = new Set<GraphOpName>([
  ...(['reshape', 'permute', 'expand', 'slice', 'affine', 'pad', 'cat', 'cast', 'copy', 'item'] as const),
])

const isNumber = ({ op, inputs }: GraphNode): boolean =>
  ['constant', 'scalarInput', 'size'].includes(op) ||
  (['expand', 'reshape', 'cast'].includes(op) && isNumber(inputs[0]!))

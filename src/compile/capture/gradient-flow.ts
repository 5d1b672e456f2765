/** Into which nodes of a graph under construction a gradient flows, and from which tensors. */
import { flowsInto } from '../../graph/derivatives/modes.js'
import { variableRecord } from '../../graph/derivatives/records.js'
import type { NodeOfOp } from '../../graph/derivatives/rule.js'
import type { GraphBuilder, GraphNode } from '../../graph/ir.js'
import type { OpRecord } from '../../graph/record.js'
import type { Attrs } from '../../ir/node.js'

/** How an op was called: its effect on gradients. */
interface FlowOfOp {
  readonly record: OpRecord
  readonly attrs: Attrs
  /** It was called where gradients are not recorded. */
  readonly isDetached: boolean
}

/** Where the gradient of a node flows to, as bits: leaves from outside, and variables of the function at which it ends. */
const outside = 1
const variables = 2

/** Whether it is a tensor of the function that gradients are asked for by. */
export const isVariable = (node: GraphNode): node is NodeOfOp<'variable'> =>
  node.op === 'variable' && node.attrs.of === 'function'

/** `Leaf`: a tensor from outside that requires a gradient of its own. */
export class GradientFlow<Leaf> {
  /** The values that the leaves have had. */
  readonly #leaves = new Map<GraphNode, Leaf>()
  readonly #reach = new Map<GraphNode, number>()
  /** How often each result of an op was recorded: calls alike are one node. */
  readonly #recorded = new Map<GraphNode, number>()
  /** How often backward passes have used each of them up. */
  readonly #used = new Map<GraphNode, number>()

  constructor(readonly builder: GraphBuilder) {}

  addLeaf(node: GraphNode, leaf: Leaf): void {
    this.#leaves.set(node, leaf)
  }

  /** The leaf whose value it is; null: it is none. */
  leafOf(node: GraphNode): Leaf | null {
    return this.#leaves.get(node) ?? null
  }

  #reachOf(node: GraphNode): number {
    if (this.#leaves.has(node)) return outside
    const known = this.#reach.get(node)
    if (known !== undefined) return known
    const reach = flowsInto(node).reduce((bits, input) => bits | this.#reachOf(input), 0)
    const found = reach === 0 && isVariable(node) ? variables : reach
    this.#reach.set(node, found)
    return found
  }

  /** Whether a leaf's gradient depends on the gradient of this node. */
  flows(node: GraphNode): boolean {
    return this.#reachOf(node) !== 0
  }

  /** Whether it is a variable at which gradients end. */
  isOwnLeaf(node: GraphNode): node is NodeOfOp<'variable'> {
    return isVariable(node) && this.#reachOf(node) === variables && !this.flows(node.inputs[0]!)
  }

  #isLeaf(node: GraphNode): boolean {
    return this.#leaves.has(node) || this.isOwnLeaf(node)
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

  /** A result of an op as the tensors that the function gets stand for it. */
  resultOf({ record, attrs, isDetached }: FlowOfOp, node: GraphNode): GraphNode {
    if (record === variableRecord)
      return this.builder.node('variable', [node], { of: 'function', index: Number(attrs.index) })
    return isDetached ? this.detached(node) : this.noted(node)
  }

  /** An op of the function has given these. */
  record(results: readonly GraphNode[]): void {
    for (const node of results) if (this.flows(node)) this.#recorded.set(node, (this.#recorded.get(node) ?? 0) + 1)
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

  /** Those on the ways from `roots` to `inputs`, without these; null: to all leaves. */
  between(roots: readonly GraphNode[], inputs: readonly GraphNode[] | null): readonly GraphNode[] {
    const behind = this.behind(roots)
    if (inputs === null) return [...behind].filter(node => !this.#isLeaf(node))
    const leading = new Set(inputs)
    const nodes = [...behind].sort((a, b) => a.id - b.id)
    return nodes.filter(node => {
      if (this.#leaves.has(node) || !flowsInto(node).some(input => leading.has(input))) return false
      const isInput = leading.has(node)
      leading.add(node)
      return !isInput
    })
  }

  /** A backward pass has used up these. */
  use(nodes: readonly GraphNode[]): void {
    for (const node of nodes) this.#used.set(node, (this.#used.get(node) ?? 0) + 1)
  }

  /** Whether backward passes have used up the results of every call that gave it. */
  isUsedUp(node: GraphNode): boolean {
    const recorded = this.#recorded.get(node)
    return recorded !== undefined && (this.#used.get(node) ?? 0) >= recorded
  }

  /** Whether a further backward pass could take the gradient. */
  #isOpen(node: GraphNode): boolean {
    return this.#used.size === 0 || ![...this.behind([node])].some(each => this.isUsedUp(each))
  }

  /** Whether a gradient flows from outside into the node that a further backward pass could take. */
  isTaped(node: GraphNode): boolean {
    return (this.#reachOf(node) & outside) !== 0 && this.#isOpen(node)
  }

  /** As `isTaped`, of some variables of the function, by their numbers. */
  isTapedFor(node: GraphNode, isAsked: (variable: number) => boolean): boolean {
    if ((this.#reachOf(node) & variables) === 0) return false
    const asked = this.variablesIn(this.behind([node])).some(({ attrs }) => isAsked(attrs.index))
    return asked && this.#isOpen(node)
  }

  /** Whether gradients of `roots` flow further than to these variables, by their numbers. */
  leadsBeyond(roots: readonly GraphNode[], ends: readonly GraphNode[]): boolean {
    const own = new Set(ends.flatMap(node => (isVariable(node) ? [node.attrs.index] : [])))
    return [...this.behind(roots)].some(node => this.#isLeaf(node) && !(isVariable(node) && own.has(node.attrs.index)))
  }

  /** The leaves among the nodes, with the value that each had. */
  leavesIn(nodes: ReadonlySet<GraphNode>): readonly { readonly leaf: Leaf; readonly value: GraphNode }[] {
    return [...this.#leaves].flatMap(([value, leaf]) => (nodes.has(value) ? [{ leaf, value }] : []))
  }

  /** The variables among the nodes at which gradients end. */
  variablesIn(nodes: ReadonlySet<GraphNode>): readonly NodeOfOp<'variable'>[] {
    return [...nodes].filter(node => this.isOwnLeaf(node))
  }
}

/**
 * Liveness: effects are live, and everything that they need. Emitters emit only live nodes. A loop's carried value is live when
 * its param or its item is live, an `if`'s result when its item is.
 */
import { nodesOf } from '../ir/walk.js'
import { type LaneBlock, type LaneNode, laneDialect } from './ir.js'

export interface Liveness {
  /**
   * How often each live node is used by live nodes, as an input or a block's result; dead nodes are absent. When a loop passes
   * a carried value on unchanged, that does not count as a use.
   */
  readonly uses: ReadonlyMap<LaneNode, number>
  /** Whether carried value or result `index` of a `for`, `while` or `if` is live. */
  carries(owner: LaneNode, index: number): boolean
  /** Whether a live node needs its input at `position`: all inputs except initial values of dead carried values. */
  reads(node: LaneNode, position: number): boolean
}

/** Carried value `index` of a control-flow node: its initial value, and the block results that it takes. */
function slot(
  owner: LaneNode,
  index: number,
): { readonly init: LaneNode | null; readonly results: readonly LaneNode[] } {
  const [first, second] = owner.blocks
  switch (owner.op) {
    case 'for':
      return { init: owner.inputs[3 + index]!, results: [first!.results[index]!] }
    case 'while':
      return { init: owner.inputs[index]!, results: [second!.results[index]!] }
    default:
      return { init: null, results: [first!.results[index]!, second!.results[index]!] }
  }
}

/** The nodes that a node needs regardless of its carried values. */
function needs(node: LaneNode): readonly LaneNode[] {
  if (node.op === 'for') return node.inputs.slice(0, 3)
  return node.op === 'while' ? node.blocks[0]!.results : node.inputs
}

/** Which nodes and carried values are needed, and how often each node is used. */
export function liveness(root: LaneBlock): Liveness {
  const nodes = [...nodesOf(root)]
  const carrier = carriersOf(nodes)
  const live = new Set<LaneNode>()
  const carried = new Map<LaneNode, Set<number>>()
  const pending: LaneNode[] = []
  const need = (node: LaneNode): void => {
    if (live.has(node)) return
    live.add(node)
    pending.push(node)
  }
  const carry = (owner: LaneNode, index: number): void => {
    const indices = carried.get(owner) ?? new Set()
    carried.set(owner, indices)
    if (indices.has(index)) return
    indices.add(index)
    const { init, results } = slot(owner, index)
    if (init !== null) need(init)
    results.forEach(need)
  }
  root.results.forEach(need)
  for (const node of nodes) if (laneDialect.ops[node.op].effect === 'effect' && node.op !== 'alloc') need(node)
  while (pending.length > 0) {
    const node = pending.pop()!
    needs(node).forEach(need)
    const place = node.op === 'item' ? { owner: node.inputs[0]!, index: node.attrs.index } : carrier.get(node)
    if (place !== undefined) carry(place.owner, place.index)
  }
  const carries = (owner: LaneNode, index: number): boolean => carried.get(owner)?.has(index) ?? false
  const reads = (node: LaneNode, position: number): boolean => {
    if (node.op === 'while') return carries(node, position)
    return node.op !== 'for' || position < 3 || carries(node, position - 3)
  }
  return { uses: countUses(root, live, carried), carries, reads }
}

/** The owner and index of each param that stands for a carried value. */
function carriersOf(nodes: readonly LaneNode[]): Map<LaneNode, { readonly owner: LaneNode; readonly index: number }> {
  const carrier = new Map<LaneNode, { readonly owner: LaneNode; readonly index: number }>()
  for (const owner of nodes) {
    if (owner.op !== 'for' && owner.op !== 'while') continue
    for (const { params } of owner.blocks) {
      const values = owner.op === 'for' ? params.slice(1) : params
      values.forEach((param, index) => {
        carrier.set(param, { owner, index })
      })
    }
  }
  return carrier
}

/** The uses of each needed node, without those by carried values that nothing needs. */
function countUses(
  root: LaneBlock,
  live: ReadonlySet<LaneNode>,
  carried: ReadonlyMap<LaneNode, ReadonlySet<number>>,
): Map<LaneNode, number> {
  const uses = new Map<LaneNode, number>()
  for (const node of live) uses.set(node, 0)
  const use = (node: LaneNode): void => void uses.set(node, uses.get(node)! + 1)
  root.results.forEach(use)
  for (const node of live) needs(node).forEach(use)
  for (const [owner, indices] of carried) {
    for (const index of indices) {
      const { init, results } = slot(owner, index)
      if (init !== null) use(init)
      for (const result of results) if (!isUnchanged(owner, index)) use(result)
    }
  }
  return uses
}

/** True when a loop passes carried value `index` on unchanged. */
export function isUnchanged(owner: LaneNode, index: number): boolean {
  if (owner.op === 'for') return owner.blocks[0]!.results[index] === owner.blocks[0]!.params[1 + index]
  return owner.op === 'while' && owner.blocks[1]!.results[index] === owner.blocks[1]!.params[index]
}

/**
 * Finds the nodes that become instructions: those whose registers are read. A node that an address or predicate absorbs (the
 * sum inside an index, the count that a condition decides) is emitted only if something else needs it.
 */
import { nodesOf } from '../../ir/walk.js'
import { type LaneBlock, type LaneNode, laneDialect, valueType } from '../../lane/ir.js'
import type { Liveness } from '../../lane/live.js'
import type { Addresses } from './address.js'
import type { Inductions } from './induction.js'
import { allOrNone } from './memory.js'

/** The nodes to emit: effects and all that they need, without what addresses and predicates have replaced. */
export function wantedNodes(
  root: LaneBlock,
  live: Liveness,
  addresses: Addresses,
  inductions: Inductions,
): ReadonlySet<LaneNode> {
  const wanted = new Set<LaneNode>()
  const pending: LaneNode[] = []
  const want = (node: LaneNode): void => {
    if (wanted.has(node)) return
    wanted.add(node)
    pending.push(node)
  }
  for (const node of nodesOf(root)) {
    if (live.uses.has(node) && laneDialect.ops[node.op].effect === 'effect' && node.op !== 'alloc') want(node)
  }
  while (pending.length > 0) {
    const node = pending.pop()!
    for (const input of requires(node, live, addresses, inductions)) want(input)
  }
  return wanted
}

/** The nodes whose registers the instructions for `node` read. */
function requires(node: LaneNode, live: Liveness, addresses: Addresses, inductions: Inductions): readonly LaneNode[] {
  const [first, second, third, fourth, fifth] = node.inputs as (LaneNode | undefined)[]
  const bases = (pointer: LaneNode, index: LaneNode): LaneNode[] => {
    const lanes = Array.from({ length: valueType(index).lanes }, (_, lane) => addresses.base(pointer, index, lane))
    return [pointer, ...lanes.flatMap(base => (base === null ? [] : [base.node]))]
  }
  const counted = (count: LaneNode | undefined, lanes: number): LaneNode[] =>
    count === undefined ? [] : [allOrNone(count, lanes) ?? count]
  switch (node.op) {
    case 'load':
      return [...bases(first!, second!), ...counted(third, node.attrs.lanes)]
    case 'store':
      return [...bases(first!, second!), third!, ...counted(fourth, valueType(third!).lanes)]
    case 'loadMatrix':
      return bases(first!, second!)
    case 'wgmma':
      return [first!, ...bases(second!, third!), ...(node.attrs.a === null ? [fourth!] : bases(fourth!, fifth!))]
    case 'gather':
    case 'scatter':
    case 'atomic':
      return [...bases(first!, second!), ...node.inputs.slice(2)]
    case 'asyncCopy':
      return [
        ...bases(first!, second!),
        ...(inductions.sourcesOf(node) ?? bases(third!, fourth!)),
        ...counted(fifth, node.attrs.lanes),
      ]
    case 'cast':
      return node.attrs.to === 'i32' && (first!.op === 'programId' || first!.op === 'numPrograms') ? [] : [first!]
    case 'for':
    case 'if':
    case 'while':
      return [...node.inputs.filter((_, position) => live.reads(node, position)), ...results(node, live)]
    default:
      return node.inputs
  }
}

/** The nodes that a control-flow node reads at the ends of its blocks: live results, and the condition of a `while`. */
function results(owner: LaneNode, live: Liveness): LaneNode[] {
  return owner.blocks.flatMap((block, which) =>
    owner.op === 'while' && which === 0
      ? [...block.results]
      : block.results.filter((_, index) => live.carries(owner, index)),
  )
}

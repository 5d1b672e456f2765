/** The captured graph as the ops that the function calls: each consists of the primitives that its call became. */
import type { SourceLocation } from '../../base/source.js'
import { type Graph, type GraphNode, graphDialect } from '../../graph/ir.js'
import { ownNodesOf } from '../../ir/walk.js'

/** A call of an op, before fusion. */
export interface OpExplanation {
  /** Its public name, `batchNorm`; 'gradients': a backward pass. */
  readonly name: string
  /** dtype and shape of its last result: `f32[2, 64]`. */
  readonly type: string
  /** The user's line; null: none. */
  readonly at: SourceLocation | null
  /** The primitives that it consists of. */
  readonly primitives: readonly string[]
  /** Indices of the ops that it reads. */
  readonly inputs: readonly number[]
}

/** A group of nodes while it is filled. */
interface Call {
  readonly name: string
  readonly origin: GraphNode['origin']
  readonly nodes: GraphNode[]
  readonly inputs: Set<number>
}

/** The ops of a graph in order. Inputs and what is computed from constants alone are no ops. */
export function explainOps({ body }: Graph): OpExplanation[] {
  const calls: Call[] = []
  const callOf = new Map<GraphNode, number>()
  const nodes = [...ownNodesOf<GraphNode>(body)].sort((a, b) => a.id - b.id)
  const fixed = new Set<GraphNode>()
  for (const node of nodes) {
    if (node.op === 'input') continue
    if (node.inputs.every(input => fixed.has(input))) fixed.add(node)
    else addNode(node, calls, callOf)
  }
  return calls.map(({ name, origin, nodes: members, inputs }) => ({
    name,
    type: graphDialect.printType(members.at(-1)!.type),
    at: origin.at,
    primitives: members.map(({ op, attrs }) => ('fn' in attrs ? String(attrs.fn) : op)),
    inputs: [...inputs].sort((a, b) => a - b),
  }))
}

/** What a call adds to the graph has one origin; parts of a result (`item`) belong to what computes it. */
function addNode(node: GraphNode, calls: Call[], callOf: Map<GraphNode, number>): void {
  const read = node.inputs.flatMap(input => callOf.get(input) ?? [])
  const isPart = partOps.has(node.op) && read.length > 0
  const latest = calls.length - 1
  const isSame =
    node.origin.at !== null &&
    calls[latest]?.origin.at === node.origin.at &&
    calls[latest].origin.pass === node.origin.pass
  const call = isPart ? read[0]! : isSame ? latest : calls.length
  if (call === calls.length) calls.push({ name: nameOf(node), origin: node.origin, nodes: [], inputs: new Set() })
  calls[call]!.nodes.push(node)
  callOf.set(node, call)
  for (const other of read) if (other !== call) calls[call]!.inputs.add(other)
}

/** They compute nothing. */
const partOps: ReadonlySet<GraphNode['op']> = new Set(['item', 'detach', 'copy'])

const nameOf = ({ op, origin: { pass } }: GraphNode): string =>
  op === 'gradient' ? 'gradients' : pass === '' ? op : pass

/** Regions in which no write-back destroys a value that is still read. */
import { InternalError } from '../../base/errors.js'
import { type Graph, type GraphNode, hasRole } from '../../graph/ir.js'
import { ownNodesOf } from '../../ir/walk.js'
import { affineKey } from '../groups/affine.js'
import { type Group, isExclusive, mapsOf } from '../groups/group.js'
import { accessAt, Buffers, memoryOf, placeOf } from '../memory/buffers.js'
import type { RowPolicy } from '../policy.js'
import { findRegions, type Regions } from './regions.js'

/**
 * Forms regions in which no write-back destroys a value that is still read. A value written to an argument is first stored
 * in memory of its own if it is made from that argument other than elementwise, or from another written argument.
 */
export function safeRegions(graph: Graph, rows: RowPolicy): { regions: Regions; buffers: Buffers } {
  const forced = new Set<GraphNode>()
  for (;;) {
    const regions = findRegions(graph, rows, forced)
    const buffers = new Buffers(graph, regions.stored, outputNodes(graph, regions.stored))
    const unsafe = regions.groups.filter(
      group => isExclusive(group) && !isSafeWrite(group, graph, buffers, regions.stored),
    )
    if (unsafe.length === 0) return { regions, buffers }
    const before = forced.size
    for (const group of unsafe) forced.add(group.stores[0]!.node)
    if (forced.size === before) throw new InternalError('schedule: a write-back stays unsafe with memory of its own')
  }
}

/** The stored nodes that results are views of, or that are passed to blocks. */
function outputNodes({ body, outputs }: Graph, stored: ReadonlySet<GraphNode>): Set<GraphNode> {
  const operands = ownNodesOf(body).flatMap(node => (hasRole(node, 'control') ? node.inputs : []))
  return new Set([...body.results.slice(0, outputs), ...operands].map(node => memoryOf(node, stored)))
}

/** True when a write-back overwrites no element that the same kernel reads later or at another place. */
function isSafeWrite(group: Group, graph: Graph, buffers: Buffers, stored: ReadonlySet<GraphNode>): boolean {
  const [store] = group.stores
  if (store === undefined || store.target.kind !== 'writeBack') return true
  const own = graph.writeBacks[store.target.index]!.input
  const written = new Set(graph.writeBacks.map(({ input }) => input))
  const place = affineKey(accessAt(placeOf(store, graph, buffers), 'bool', store.map).index)
  const reads = [...group.touched.keys()].filter(node => !group.members.has(node))
  const readsInput = (node: GraphNode): number | null => {
    const memory = memoryOf(node, stored)
    return memory.op === 'input' && written.has(memory.attrs.index) ? memory.attrs.index : null
  }
  if ([...group.memoryReads].some(node => readsInput(node) !== null)) return false
  return reads.every(node => {
    const input = readsInput(node)
    if (input === null) return true
    if (input !== own || group.anchors.length > 0 || group.folded !== null) return false
    return mapsOf(group, node).every(map => affineKey(accessAt(buffers.locate(node), 'bool', map).index) === place)
  })
}

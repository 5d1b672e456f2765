/** Regions in which no write-back destroys a value that is still read. */
import { InternalError } from '../../base/errors.js'
import { type Graph, type GraphNode, hasRole, type WriteBack } from '../../graph/ir.js'
import { ownNodesOf } from '../../ir/walk.js'
import { sameShape } from '../../scalar/size.js'
import { affineKey } from '../groups/affine.js'
import { type Group, isExclusive, isJointUpdate, mapsOf } from '../groups/group.js'
import { shapeOf } from '../groups/layout.js'
import { accessAt, Buffers, memoryOf, placeOf } from '../memory/buffers.js'
import type { RowPolicy } from '../policy.js'
import { findRegions, type Regions } from './regions.js'

/**
 * Forms regions in which no write-back destroys a value that is still read. Arguments that one kernel updates together are
 * updated apart if it reads one of them other than elementwise. A value written to an argument is first stored in memory of
 * its own if it is made from that argument other than elementwise, or from an argument that another kernel writes.
 */
export function safeRegions(graph: Graph, rows: RowPolicy): { regions: Regions; buffers: Buffers } {
  const forced = new Set<GraphNode>()
  const alone = new Set(partialWrites(graph))
  for (;;) {
    const regions = findRegions(graph, rows, { forced, alone })
    const buffers = new Buffers(graph, regions.stored, outputNodes(graph, regions.stored))
    const unsafe = regions.groups.filter(
      group => isExclusive(group) && !isSafeWrite(group, graph, buffers, regions.stored),
    )
    if (unsafe.length === 0) return { regions, buffers }
    const before = forced.size + alone.size
    for (const group of unsafe) {
      if (!isJointUpdate(group)) forced.add(group.stores[0]!.node)
      else for (const { target } of group.stores) if (target.kind === 'writeBack') alone.add(target.index)
    }
    if (forced.size + alone.size === before)
      throw new InternalError('schedule: a write-back stays unsafe with memory of its own')
  }
}

/** Write-backs to parts of arguments, which later passes place (written-parts.ts); all of them beside users' kernels (in-place.ts). */
function partialWrites(graph: Graph): readonly number[] {
  const { body, writeBacks } = graph
  const hasLaunches = ownNodesOf<GraphNode>(body).some(node => node.op === 'launch')
  const isWhole = ({ input, offset, shape }: WriteBack): boolean => {
    const param = body.params.find(node => node.op === 'input' && node.attrs.index === input)!
    const isOnly = writeBacks.filter(other => other.input === input).length === 1
    return isOnly && offset === 0 && sameShape(shape, shapeOf(param))
  }
  return [...writeBacks.keys()].filter(index => hasLaunches || !isWhole(writeBacks[index]!))
}

/** The stored nodes that results are views of, or that are passed to blocks. */
function outputNodes({ body, outputs }: Graph, stored: ReadonlySet<GraphNode>): Set<GraphNode> {
  const operands = ownNodesOf(body).flatMap(node => (hasRole(node, 'control') ? node.inputs : []))
  return new Set([...body.results.slice(0, outputs), ...operands].map(node => memoryOf(node, stored)))
}

/** True when write-backs overwrite no element that the same kernel reads later or at another place. */
function isSafeWrite(group: Group, graph: Graph, buffers: Buffers, stored: ReadonlySet<GraphNode>): boolean {
  const written = new Set(graph.writeBacks.map(({ input }) => input))
  /** By input: the place that the group writes. */
  const places = new Map<number, string>()
  for (const store of group.stores) {
    if (store.target.kind !== 'writeBack') return true
    const { input } = graph.writeBacks[store.target.index]!
    places.set(input, affineKey(accessAt(placeOf(store, graph, buffers), 'bool', store.map).index))
  }
  const reads = [...group.touched.keys()].filter(node => !group.members.has(node))
  const readsInput = (node: GraphNode): number | null => {
    const memory = memoryOf(node, stored)
    return memory.op === 'input' && written.has(memory.attrs.index) ? memory.attrs.index : null
  }
  if ([...group.memoryReads].some(node => readsInput(node) !== null)) return false
  return reads.every(node => {
    const input = readsInput(node)
    if (input === null) return true
    const place = places.get(input)
    if (place === undefined || group.anchors.length > 0 || group.folded !== null) return false
    return mapsOf(group, node).every(map => affineKey(accessAt(buffers.locate(node), 'bool', map).index) === place)
  })
}

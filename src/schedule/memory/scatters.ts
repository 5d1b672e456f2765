/**
 * In-place scatters: where the new value of an argument is a scatter into its old one, the argument's memory is the
 * scatter's, so that neither the copy before it nor the write-back remains, and the elements that it leaves alone are not
 * touched. Only where nothing else reads the argument.
 */
import type { Graph, GraphNode, WriteBack } from '../../graph/ir.js'
import { isView } from '../../graph/ir.js'
import { type Group, type GroupStore, readsOf, type ScatterNode } from '../groups/group.js'
import { sameLayout } from '../groups/layout.js'
import { type GroupOrder, ordered } from '../groups/order.js'
import type { Buffers } from './buffers.js'

/** The groups that remain; places scatters in `buffers`. */
export function shareScatterMemory(order: GroupOrder, graph: Graph, buffers: Buffers): GroupOrder {
  return graph.writeBacks.reduce((now, writeBack, index) => shared(now, graph, buffers, writeBack, index) ?? now, order)
}

function shared(
  { groups, before }: GroupOrder,
  graph: Graph,
  buffers: Buffers,
  { input, result, ...place }: WriteBack,
  index: number,
): GroupOrder | null {
  const scatter = graph.body.results[result]!
  const [self] = scatter.inputs
  if (scatter.op !== 'scatter' || self?.op !== 'input' || self.attrs.index !== input) return null
  if (!buffers.stored.has(scatter) || buffers.outputs.has(scatter)) return null
  if (graph.writeBacks.some((other, i) => i !== index && (other.input === input || other.result === result)))
    return null
  if (!sameLayout(buffers.locate(self).layout, place)) return null
  const isNeedless = ({ target }: GroupStore): boolean =>
    (target.kind === 'before' && target.scatter === scatter) || (target.kind === 'writeBack' && target.index === index)
  const reads = (group: Group): boolean =>
    !group.stores.every(isNeedless) && readsOf(group).some(node => memoryOf(node, buffers) === self)
  if (groups.some(reads) || !isOnlyCopied(groups, scatter, isNeedless)) return null
  buffers.place(scatter, { buffer: buffers.input(input), layout: place })
  const kept = groups.map(group => ({ ...group, stores: group.stores.filter(store => !isNeedless(store)) }))
  return ordered({ groups: kept, before })
}

/** True when the old value is stored for the scatter alone, and the new one written back by a group of its own. */
const isOnlyCopied = (
  groups: readonly Group[],
  scatter: ScatterNode,
  isNeedless: (store: GroupStore) => boolean,
): boolean =>
  groups.every(({ stores }) => !stores.some(isNeedless) || stores.every(isNeedless)) &&
  groups.some(({ stores }) => stores.some(({ target }) => target.kind === 'update' && target.scatter === scatter))

function memoryOf(node: GraphNode, buffers: Buffers): GraphNode {
  let base = node
  while (!buffers.stored.has(base) && isView(base)) base = base.inputs[0]!
  return base
}

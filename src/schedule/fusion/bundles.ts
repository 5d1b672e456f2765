/**
 * The matmuls of a grouped launch are scheduled next to each other, as one bundle, so that they can run concurrently or
 * become one persistent kernel. Where fusion made some depend on others, one launch becomes several bundles.
 */
import type { Graph, GraphNode, GroupMember } from '../../graph/ir.js'
import { isOwnCopy } from '../groups/cost.js'
import { type Group, isExclusive, readsOf } from '../groups/group.js'
import { baseOf } from '../groups/layout.js'
import { type Dependences, dependsOn, type GroupOrder } from '../groups/order.js'

/** A group that runs on its own, or the groups of one grouped launch. */
export interface Bundle {
  readonly groups: readonly Group[]
  readonly grouped: GroupMember | null
}

function memberOf({ anchors: [anchor] }: Group): GroupMember | null {
  return anchor?.op === 'matmul' ? (anchor.attrs.grouped ?? null) : null
}

/** The groups in topological order, bundled. */
export function bundled({ groups, before }: GroupOrder): Bundle[] {
  const bundles: { groups: Group[]; grouped: GroupMember | null }[] = []
  const open = new Map<string, (typeof bundles)[number]>()
  for (const group of groups) {
    const grouped = memberOf(group)
    const known = grouped === null ? undefined : open.get(grouped.id)
    const after = known === undefined ? [] : bundles.slice(bundles.indexOf(known) + 1)
    if (known !== undefined && mayMove(known.groups, [group, ...after.flatMap(each => each.groups)], before)) {
      // The bundle moves down to its newest member.
      bundles.splice(bundles.indexOf(known), 1)
      known.groups.push(group)
      bundles.push(known)
      continue
    }
    const bundle = { groups: [group], grouped }
    bundles.push(bundle)
    if (grouped !== null) open.set(grouped.id, bundle)
  }
  return bundles
}

/** Whether `groups` may run after all of `others`: these neither depend on them nor overwrite what they read. */
function mayMove(groups: readonly Group[], [next, ...others]: readonly Group[], before: Dependences): boolean {
  const waits = ({ id }: Group): boolean => groups.some(group => dependsOn(before, id, group.id))
  return !waits(next!) && others.every(other => !isExclusive(other) && other.step === null && !waits(other))
}

/**
 * The bundles, copies of arguments in another order first, such as weights of convolutions: they depend on nothing, and do
 * not wait for memory that other kernels use, so a device graph runs them beside these.
 */
export function withCopiesFirst(bundles: readonly Bundle[], { writeBacks }: Graph): readonly Bundle[] {
  const written = new Set(writeBacks.map(({ input }) => input))
  const isKept = (node: GraphNode): boolean => {
    const base = baseOf(node)
    return base.op === 'input' && !written.has(base.attrs.index)
  }
  const isCopy = ({ groups: [group, ...others] }: Bundle): boolean => others.length === 0 && isOwnCopyOf(group!, isKept)
  return [...bundles.filter(isCopy), ...bundles.filter(bundle => !isCopy(bundle))]
}

const isOwnCopyOf = (group: Group, isKept: (node: GraphNode) => boolean): boolean =>
  group.stores.length === 1 && isOwnCopy(group.stores[0]!.node) && readsOf(group).every(isKept)

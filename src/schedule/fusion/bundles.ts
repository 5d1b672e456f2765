/**
 * The matmuls of a grouped launch are scheduled next to each other, as one bundle, so that they can run concurrently or
 * become one persistent kernel. Where fusion made some depend on others, one launch becomes several bundles.
 */
import type { GroupMember } from '../../graph/ir.js'
import type { Group } from '../groups/group.js'
import { dependsOn } from '../groups/order.js'

/** A group that runs on its own, or the groups of one grouped launch. */
export interface Bundle {
  readonly groups: readonly Group[]
  readonly grouped: GroupMember | null
}

function memberOf({ anchor }: Group): GroupMember | null {
  return anchor?.op === 'matmul' ? (anchor.attrs.grouped ?? null) : null
}

/** The groups in topological order, bundled; `groups` must be in topological order. */
export function bundled(groups: readonly Group[]): Bundle[] {
  const bundles: { groups: Group[]; grouped: GroupMember | null }[] = []
  const open = new Map<string, (typeof bundles)[number]>()
  for (const group of groups) {
    const grouped = memberOf(group)
    const known = grouped === null ? undefined : open.get(grouped.id)
    const after = known === undefined ? [] : bundles.slice(bundles.indexOf(known) + 1)
    if (known !== undefined && mayMove(known.groups, [group, ...after.flatMap(each => each.groups)])) {
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
function mayMove(groups: readonly Group[], [next, ...others]: readonly Group[]): boolean {
  if (groups.some(group => dependsOn(next!, group))) return false
  return others.every(
    other =>
      !other.exclusive &&
      other.launch === null &&
      other.control === null &&
      groups.every(group => !dependsOn(other, group)),
  )
}

/**
 * Products that were asked for together are scheduled next to each other, as one bundle: then they can run side by side,
 * or become one kernel. Those of a call that need each other after all (something fused made it so) are several bundles.
 */
import type { GroupMember } from '../graph/ir.js'
import type { Group } from './group.js'
import { dependsOn } from './order.js'

/** Groups to run one after another, or a bundle of products of one call. */
export interface Bundle {
  readonly groups: readonly Group[]
  readonly together: GroupMember | null
}

function togetherOf({ anchor }: Group): GroupMember | null {
  return anchor?.op === 'matmul' ? (anchor.attrs.group ?? null) : null
}

/** The groups in an order in which they can run, given one in which they can. */
export function bundled(groups: readonly Group[]): Bundle[] {
  const bundles: { groups: Group[]; together: GroupMember | null }[] = []
  const open = new Map<string, (typeof bundles)[number]>()
  for (const group of groups) {
    const together = togetherOf(group)
    const known = together === null ? undefined : open.get(together.id)
    const after = known === undefined ? [] : bundles.slice(bundles.indexOf(known) + 1)
    if (known !== undefined && mayMove(known.groups, [group, ...after.flatMap(each => each.groups)])) {
      // What came earlier waits for what comes now.
      bundles.splice(bundles.indexOf(known), 1)
      known.groups.push(group)
      bundles.push(known)
      continue
    }
    const bundle = { groups: [group], together }
    bundles.push(bundle)
    if (together !== null) open.set(together.id, bundle)
  }
  return bundles
}

/** Whether `groups` may run after `others`: these need nothing of theirs, and overwrite nothing that they read. */
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

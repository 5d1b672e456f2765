/** Dependences between groups, and a topological order. */
import type { Group } from './group.js'

/** True when `group` depends on `other`, directly or not. */
export function dependsOn(group: Group, other: Group): boolean {
  const seen = new Set<Group>()
  const stack = [...group.producers]
  while (stack.length > 0) {
    const top = stack.pop()!.current
    if (top === other) return true
    if (seen.has(top)) continue
    seen.add(top)
    stack.push(...top.producers)
  }
  return false
}

/** The groups in topological order; write-backs last. */
export function topological(groups: readonly Group[]): Group[] {
  const order: Group[] = []
  const done = new Set<Group>()
  const visit = (root: Group): void => {
    const stack: [Group, boolean][] = [[root, false]]
    while (stack.length > 0) {
      const [group, ready] = stack.pop()!
      if (ready) order.push(group)
      else if (!done.has(group)) {
        done.add(group)
        stack.push([group, true])
        for (const producer of group.producers) if (producer.current !== group) stack.push([producer.current, false])
      }
    }
  }
  // Write-backs overwrite what other groups read, so they come last.
  const firstNode = (group: Group): number =>
    Math.min(...group.stores.map(({ node, target }) => (target.kind === 'writeBack' ? target.index : node.id)))
  const sorted = [...groups].sort((a, b) => Number(a.exclusive) - Number(b.exclusive) || firstNode(a) - firstNode(b))
  for (const group of sorted) visit(group)
  return order
}

/** Dependences between groups, and a topological order. */
import { type Group, isExclusive } from './group.js'

/** The groups whose results a group reads, and others that must run before it; by their ids. */
export interface Dependences {
  get(group: number): Iterable<number> | undefined
}

/** The groups of a graph in topological order, and which run before which. */
export interface GroupOrder {
  readonly groups: readonly Group[]
  readonly before: ReadonlyMap<number, readonly number[]>
}

/** True when `group` depends on `other`, directly or not. */
export function dependsOn(before: Dependences, group: number, other: number): boolean {
  const seen = new Set<number>()
  const stack = [...(before.get(group) ?? [])]
  while (stack.length > 0) {
    const top = stack.pop()!
    if (top === other) return true
    if (seen.has(top)) continue
    seen.add(top)
    stack.push(...(before.get(top) ?? []))
  }
  return false
}

/** The groups that store anything, in topological order; write-backs last. */
export function ordered({ groups, before }: GroupOrder): GroupOrder {
  const storing = new Map(groups.filter(({ stores }) => stores.length > 0).map(group => [group.id, group]))
  const order: number[] = []
  const done = new Set<number>()
  const visit = (root: number): void => {
    const stack: [group: number, ready: boolean][] = [[root, false]]
    while (stack.length > 0) {
      const [group, ready] = stack.pop()!
      if (ready) order.push(group)
      else if (!done.has(group)) {
        done.add(group)
        stack.push([group, true])
        for (const producer of before.get(group) ?? []) stack.push([producer, false])
      }
    }
  }
  // Write-backs overwrite what other groups read, so they come last.
  const firstNode = (group: Group): number =>
    Math.min(...group.stores.map(({ node, target }) => (target.kind === 'writeBack' ? target.index : node.id)))
  const sorted = [...storing.values()].sort(
    (a, b) => Number(isExclusive(a)) - Number(isExclusive(b)) || firstNode(a) - firstNode(b),
  )
  for (const { id } of sorted) visit(id)
  return { groups: order.flatMap(id => storing.get(id) ?? []), before }
}

/** The order with `first` before `group` too. */
export function runFirst({ groups, before }: GroupOrder, group: number, first: readonly number[]): GroupOrder {
  const known = before.get(group) ?? []
  const added = first.filter(each => !known.includes(each))
  return { groups, before: new Map(before).set(group, [...known, ...added]) }
}

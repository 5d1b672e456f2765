/**
 * The state of fusion: the groups so far, and which of them need, read and wait for what. Groups are values, so a change
 * puts another one in a group's place. All else names groups by their ids; that of a merged group stands for the group that
 * it became part of.
 */
import type { GraphNode } from '../../graph/ir.js'
import { emptyGroup, type Group, type Need, type Phase, touch } from '../groups/group.js'
import { type Dependences, type GroupOrder, ordered } from '../groups/order.js'

type Index<K> = Map<K, Set<number>>

function add<K>(index: Index<K>, key: K, group: number): void {
  const known = index.get(key)
  if (known === undefined) index.set(key, new Set([group]))
  else known.add(group)
}

export class GroupTable {
  /** By their ids; null for those that were merged into others. */
  readonly #groups: (Group | null)[] = []
  /** Per id, the group that it was merged into, or itself. */
  readonly #homes: number[] = []
  /** The groups that need a node. */
  readonly #users: Index<GraphNode> = new Map()
  /** The groups that read a node (or a view of it) from memory. */
  readonly #readers: Index<GraphNode> = new Map()
  /** The groups that must run after a node is computed, wherever that is; they do not read it. */
  readonly #waiters: Index<GraphNode> = new Map()
  /** The groups whose results a group reads, or waits for. */
  readonly #producers: Index<number> = new Map()

  /** The group that an id stands for. */
  at(id: number): Group {
    return this.#groups[this.#home(id)]!
  }

  #home(id: number): number {
    let home = id
    while (this.#homes[home] !== home) home = this.#homes[home]!
    return home
  }

  #all(ids: Iterable<number> = []): Group[] {
    return [...new Set([...ids].map(id => this.#home(id)))].map(id => this.#groups[id]!)
  }

  /** What has become of groups. */
  current(groups: readonly Group[]): Group[] {
    return this.#all(groups.map(({ id }) => id))
  }

  /** Adds an empty group. */
  start(): Group {
    const group = emptyGroup(this.#groups.length)
    this.#homes.push(group.id)
    this.#groups.push(group)
    return group
  }

  put(group: Group): void {
    this.#groups[group.id] = group
  }

  /** Puts the union of two groups in the first one's place. */
  merge(union: Group, guest: number): void {
    this.put(union)
    this.#groups[guest] = null
    this.#homes[guest] = union.id
    for (const producer of this.#producers.get(guest) ?? []) add(this.#producers, union.id, producer)
  }

  // --- what groups need --------------------------------------------------------------------------------------------

  touch(id: number, needs: readonly Need[], phase: Phase = 'main'): void {
    const group = this.at(id)
    this.put(touch(group, needs, [phase]))
    for (const { node } of needs) add(this.#users, node, group.id)
  }

  /** Records that a group needs those of these nodes that it touches. */
  addUses({ id, touched }: Group, nodes: readonly GraphNode[]): void {
    for (const node of nodes) if (touched.has(node)) add(this.#users, node, id)
  }

  usersOf(node: GraphNode): Group[] {
    return this.#all(this.#users.get(node)).filter(({ touched, members }) => touched.has(node) && !members.has(node))
  }

  addReader(node: GraphNode, reader: number): void {
    add(this.#readers, node, reader)
  }

  readersOf(node: GraphNode): Group[] {
    return this.#all(this.#readers.get(node))
  }

  addWaiter(node: GraphNode, group: number): void {
    add(this.#waiters, node, group)
  }

  waitersOf(node: GraphNode): Group[] {
    return this.#all(this.#waiters.get(node))
  }

  // --- dependences -------------------------------------------------------------------------------------------------

  readonly before: Dependences = { get: id => this.#producersOf(id) }

  #producersOf(id: number): number[] {
    return [...(this.#producers.get(id) ?? [])].map(producer => this.#home(producer))
  }

  addProducer(reader: number, producer: number): void {
    if (reader !== producer) add(this.#producers, reader, producer)
  }

  order(): GroupOrder {
    const groups = this.#all(this.#homes)
    return ordered({ groups, before: new Map(groups.map(({ id }) => [id, this.#producersOf(id)])) })
  }
}

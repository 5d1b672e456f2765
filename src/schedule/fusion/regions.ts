/**
 * Fusion: which nodes each kernel computes, and which values are stored. Nodes are visited from results to inputs; when a
 * node is visited, every group that needs it is known, and it joins them if that is legal and profitable:
 *
 *   one user                  it joins the user's group
 *   several, cheap            each group recomputes it
 *   several, mergeable        the groups become one kernel with several outputs
 *   otherwise                 it is stored, by one of its users' groups or by a group of its own
 *
 * No step makes a cycle: groups never merge if one depends on the other, and a group stores a value only if it depends on
 * none of that value's other users.
 */

import { InternalError } from '../../base/errors.js'
import type { Graph, GraphNode, TupleType, WriteBack } from '../../graph/ir.js'
import { ownNodesOf } from '../../ir/walk.js'
import { addSizes, type Size } from '../../scalar/size.js'
import type { IndexMap } from '../groups/affine.js'
import { ChainCosts, isCheapToRepeat, isDecoded, isOwnCopy } from '../groups/cost.js'
import {
  type AnchorNode,
  type ContractionNode,
  type ControlNode,
  CoordSource,
  countOf,
  Group,
  indicesWithRow,
  isKeptOrAll,
  isMatmul,
  isTrivialReduction,
  type LaunchNode,
  type Role,
  type Target,
} from '../groups/group.js'
import { type ItemTable, itemsOf } from '../groups/items.js'
import { baseOf, contiguousLayout, isRowMajor, type Layout, shapeOf, viewLayout } from '../groups/layout.js'
import { dependsOn, topological } from '../groups/order.js'
import { hasRole, isContraction, isScalarSource, isView, type NodeOfRole } from '../groups/roles.js'
import { contractionTemplate, templateOf } from '../templates/index.js'
import { hasParallelRows, joinContraction, joinReduction, joinSibling } from './join.js'
import { mayMerge, mergeGroups } from './merge.js'

export interface Regions {
  /** In topological order. */
  readonly groups: readonly Group[]
  /** Nodes that are stored. */
  readonly stored: ReadonlySet<GraphNode>
}

/** More work per element than this is not repeated when a value is broadcast. */
const maxBroadcastCost = 24

/** Kernels of more ops than this compile slowly and gain nothing. */
const maxMembers = 256

/** Forms all groups. `forced`: nodes that must be stored in any case. */
export function findRegions(graph: Graph, parallelism: number, forced: ReadonlySet<GraphNode>): Regions {
  return new RegionFinder(graph, parallelism, forced).run()
}

class RegionFinder {
  readonly #coords = new CoordSource()
  readonly #groups: Group[] = []
  readonly #stored = new Set<GraphNode>()
  /** The groups that read a node (or a view of it) from memory. */
  readonly #readers = new Map<GraphNode, Set<Group>>()
  readonly #users = new Map<GraphNode, Set<Group>>()
  /** The groups that store a node. */
  readonly #storedBy = new Map<GraphNode, Set<Group>>()
  readonly #chainCosts = new ChainCosts()
  readonly #nodes: readonly GraphNode[]
  readonly #items: ItemTable

  constructor(
    readonly graph: Graph,
    readonly parallelism: number,
    forced: ReadonlySet<GraphNode>,
  ) {
    this.#nodes = [...ownNodesOf<GraphNode>(graph.body)].sort((a, b) => a.id - b.id)
    for (const node of this.#nodes) this.#chainCosts.of(node)
    this.#items = itemsOf(this.#nodes)
    for (const node of forced) this.#stored.add(node)
  }

  run(): Regions {
    this.#startFromResults()
    for (const node of this.#nodes.toReversed()) this.#process(node)
    return { groups: this.#ordered(), stored: this.#stored }
  }

  // --- results ---------------------------------------------------------------------------------------------------

  #startFromResults(): void {
    const { body, outputs, writeBacks } = this.graph
    const written = new Set(writeBacks.map(({ input }) => input))
    for (const node of body.results.slice(0, outputs)) this.#needResult(node, written)
    for (const [index, writeBack] of writeBacks.entries()) this.#startWriteBack(writeBack, index)
  }

  /** A result is memory or a view of memory; a view of an argument that is written later must be a copy. */
  #needResult(node: GraphNode, written: ReadonlySet<number>): void {
    const base = baseOf(node)
    const changes = base.op === 'input' && written.has(base.attrs.index)
    if (changes || isScalarSource(base)) this.#stored.add(node)
    else this.#needMemory(node, null)
  }

  #startWriteBack({ result }: WriteBack, index: number): void {
    const node = this.graph.body.results[result]!
    const group = this.#startGroup(node, { kind: 'writeBack', index })
    group.exclusive = true
    this.#touch(group, node, group.stores[0]!.map)
  }

  // --- memory ----------------------------------------------------------------------------------------------------

  /** The layout that a node will have if its base is stored, relative to that base; null if it is no such view. */
  #layout(node: GraphNode): Layout | null {
    if (node.op === 'input') return { offset: 0, shape: node.attrs.shape, strides: node.attrs.strides }
    if (this.#stored.has(node) || !isView(node)) return contiguousLayout(shapeOf(node))
    const from = this.#layout(node.inputs[0]!)
    return from === null ? null : viewLayout(node, from)
  }

  readonly #inMemory = (node: GraphNode): boolean => node.op === 'input' || this.#stored.has(node)

  /** Makes `node` readable from memory for `reader`, as a view where possible. */
  #needMemory(node: GraphNode, reader: Group | null): void {
    if (reader !== null) this.#addReader(node, reader)
    if (this.#stored.has(node) || node.op === 'input') return
    const isMemoryView = isView(node) && this.#layout(node) !== null
    if (!isMemoryView && node.op !== 'reshape') {
      this.#stored.add(node)
      return
    }
    const input = node.inputs[0]!
    if (!isMemoryView) this.#stored.add(input)
    this.#needMemory(input, reader)
  }

  #addReader(node: GraphNode, reader: Group): void {
    const readers = this.#readers.get(node) ?? new Set()
    readers.add(reader)
    this.#readers.set(node, readers)
  }

  // --- groups ----------------------------------------------------------------------------------------------------

  #newGroup(): Group {
    const group = new Group(this.#coords)
    this.#groups.push(group)
    return group
  }

  #startGroup(node: GraphNode, target: Target): Group {
    const group = this.#newGroup()
    group.stores.push({ node, map: group.newIndices(shapeOf(node)), target })
    return group
  }

  #touch(group: Group, node: GraphNode, map: IndexMap, role: Role = 'main'): void {
    group.touch(node, map, role)
    this.#addUser(node, group)
  }

  #addUser(node: GraphNode, group: Group): void {
    const users = this.#users.get(node) ?? new Set()
    users.add(group)
    this.#users.set(node, users)
  }

  #usersOf(node: GraphNode): Group[] {
    const users = new Set([...(this.#users.get(node) ?? [])].map(group => group.current))
    return [...users].filter(group => group.touched.has(node) && !group.members.has(node))
  }

  #readersOf(node: GraphNode): Set<Group> {
    return new Set([...(this.#readers.get(node) ?? [])].map(group => group.current))
  }

  // --- one node --------------------------------------------------------------------------------------------------

  #process(node: GraphNode): void {
    const users = this.#usersOf(node)
    const needed = users.length > 0 || this.#stored.has(node)
    if (hasRole(node, 'input')) this.#processInput(node, users)
    else if (hasRole(node, 'item')) this.#processItem(node, users)
    else if (hasRole(node, 'launch')) this.#processLaunch(node)
    else if (hasRole(node, 'control')) this.#processControl(node)
    else if (hasRole(node, 'rows')) this.#processRows(node, users)
    else if (isContraction(node) && node.type.kind === 'tuple') this.#processResults(node, node.type)
    else if (!needed) return
    else if (hasRole(node, 'parts')) this.#processParts(node, users)
    else if (hasRole(node, 'scalar')) this.#processScalar(node, users)
    else if (hasRole(node, 'view') && !this.#stored.has(node)) this.#processView(node, users)
    else if (hasRole(node, 'view', 'pointwise', 'computed', 'contraction')) this.#processValue(node, users)
    else if (hasRole(node, 'expanded')) throw new InternalError(`schedule: ${node.op} must be expanded before`)
    else node satisfies never
  }

  /** Reductions that read the same argument over the same loops become one kernel. */
  #processInput(node: GraphNode, users: readonly Group[]): void {
    for (const user of users) this.#needMemory(node, user)
    this.#mergeUsers(node, users)
  }

  #processScalar(node: GraphNode, users: readonly Group[]): void {
    for (const user of users) user.include(node)
    if (this.#stored.has(node)) this.#keepAlone(node, [])
  }

  #processView(node: GraphNode, users: readonly Group[]): void {
    for (const user of users) {
      const isArgument = baseOf(node).op === 'input' && this.#layout(node) !== null
      const affine = !(isArgument && node.op === 'reshape') && this.#include(user, node)
      if (!affine) this.#needMemory(node, user)
    }
  }

  #processValue(node: GraphNode, users: readonly Group[]): void {
    const stored = this.#stored.has(node)
    if (!stored && this.#joinUsers(node, users)) return
    this.#stored.add(node)
    const merged = this.#mergeUsers(node, users)
    const home = merged.find(user => this.#storeIn(user, node, merged))
    if (home === undefined) this.#keepAlone(node, merged)
    else this.#setProducer(node, home)
  }

  /** Computes a node in every group that needs it; false when it should be stored instead. */
  #joinUsers(node: GraphNode, users: readonly Group[]): boolean {
    if (isOwnCopy(node)) return false
    const isKnown = (user: Group): boolean => user.mapsOf(node).every(map => user.knowsGroup(node, map))
    if (node.op === 'groupOf' && users.every(isKnown)) return users.every(user => this.#include(user, node))
    if (users.length === 1) return this.#inline(users[0]!, node)
    const repeatable = isCheapToRepeat(node, this.#inMemory)
    if (repeatable && users.every(user => this.#mayInline(user, node))) {
      for (const user of users) this.#include(user, node)
      return true
    }
    const merged = this.#mergeUsers(node, users)
    return merged.length === 1 && this.#inline(merged[0]!, node)
  }

  #inline(group: Group, node: GraphNode): boolean {
    if (!this.#mayInline(group, node)) return false
    if (isContraction(node)) return this.#joinContraction(group, node) && this.#include(group, node)
    if (node.op === 'reduce' && !isTrivialReduction(node)) {
      return joinReduction(group, node, this.parallelism) && this.#include(group, node)
    }
    return this.#include(group, node)
  }

  #joinContraction(group: Group, node: ContractionNode): boolean {
    if (joinContraction(group, node, this.#inMemory)) return true
    if (!isMatmul(node) || !joinSibling(group, node, this.#inMemory)) return false
    group.siblings.push(node)
    return true
  }

  #mayInline(group: Group, node: GraphNode): boolean {
    if (group.members.size >= maxMembers) return false
    if (isContraction(node) || node.op === 'reduce') return !group.rolesOf(node).has('prologue')
    if (group.rolesOf(node).has('prologue')) {
      const isDecoding = isMatmul(group.anchor) && isDecoded(node, this.#inMemory)
      return isDecoding || isCheapToRepeat(node, this.#inMemory)
    }
    if (node.op === 'random' && group.onlyMap(node) === null) return false
    return group.mapsOf(node).every(map => this.#isWorthRepeating(group, node, map))
  }

  /** A value smaller than the loops around it would be recomputed many times: only if cheap. */
  #isWorthRepeating(group: Group, node: GraphNode, map: IndexMap): boolean {
    const covered = group.covered(map, shapeOf(node))
    if (covered !== null && isKeptOrAll(group, covered)) return true
    return this.#chainCosts.of(node) <= maxBroadcastCost
  }

  /** Makes a node a member of a group and registers what the group needs now. */
  #include(group: Group, node: GraphNode): boolean {
    if (isContraction(node)) {
      group.members.add(node)
      this.#readOperands(group, node)
      return true
    }
    if (!group.include(node)) return false
    for (const input of node.inputs) if (group.touched.has(input)) this.#addUser(input, group)
    if (node.op === 'gather') this.#readWhole(group, node.inputs[0]!)
    return true
  }

  #readWhole(group: Group, node: GraphNode): void {
    group.memoryReads.add(node)
    this.#needMemory(node, group)
  }

  // --- nodes with memory of their own ------------------------------------------------------------------------------

  /** Lets a group that computes a node anyway store it too, if it computes each element once and no cycle arises. */
  #storeIn(group: Group, node: GraphNode, users: readonly Group[]): boolean {
    if (group.exclusive || group.rolesOf(node).has('prologue')) return false
    const map = group.onlyMap(node)
    const covered = map === null ? null : group.covered(map, shapeOf(node))
    if (covered === null || !isKeptOrAll(group, covered)) return false
    if (!this.#isParallel(group, covered)) return false
    const others = [...users, ...this.#readersOf(node)].filter(other => other !== group)
    if (this.#readersOf(node).has(group) || others.some(other => dependsOn(group, other))) return false
    if (!this.#inline(group, node)) return false
    group.stores.push({ node, map: group.onlyMap(node)!, target: { kind: 'own' } })
    return true
  }

  /** False where a kernel that reduces to few results would also store every element, on too few programs. */
  #isParallel(group: Group, covered: ReadonlySet<number>): boolean {
    const reduced = group.reducedCoords
    if (![...covered].some(coord => reduced.has(coord))) return true
    return hasParallelRows(countOf(group, group.keptCoords), countOf(group, reduced), this.parallelism)
  }

  #keepAlone(node: GraphNode, users: readonly Group[]): void {
    const group = this.#startGroup(node, { kind: 'own' })
    this.#touch(group, node, group.stores[0]!.map)
    this.#setProducer(node, group)
    for (const user of users) this.#addReader(node, user)
    if (this.#inline(group, node)) return
    // A reshape that is neither a view nor affine: its input is stored contiguously, and shares that memory.
    const input = node.inputs[0]!
    this.#needMemory(input, group)
    if (baseOf(input).op !== 'input' || this.#layout(node) === null) this.#stored.add(input)
  }

  #setProducer(node: GraphNode, producer: Group): void {
    const producers = this.#storedBy.get(node) ?? new Set()
    producers.add(producer)
    this.#storedBy.set(node, producers)
    for (const reader of [...this.#usersOf(node), ...this.#readersOf(node)]) {
      if (reader.current !== producer) reader.current.producers.add(producer)
    }
  }

  /** A kernel of its own around a template. Its results are read from memory. */
  #processRows(node: NodeOfRole<'rows'>, users: readonly Group[]): void {
    if (node.type.kind === 'tensor' && (users.length > 0 || this.#stored.has(node))) this.#keep(node, users)
    const results = node.type.kind === 'tensor' ? [node].filter(this.#inMemory) : this.#storedItems(node)
    if (results.length === 0) return
    const group = this.#newGroup()
    group.anchor = node
    group.anchorMap = indicesWithRow(group, shapeOf(node.inputs[0]!), node.attrs.dim)
    for (const result of results) {
      group.stores.push({ node: result, map: group.anchorMap, target: { kind: 'own' } })
      this.#setProducer(result, group)
    }
    this.#readOperands(group, node)
  }

  /** A kernel of its own for a contraction with several results: the first covers all its loops, the others some of them. */
  #processResults(node: ContractionNode, { items }: TupleType): void {
    const results = this.#storedItems(node)
    if (results.length === 0) return
    const group = this.#newGroup()
    const map = group.newIndices(items[0]!.shape)
    if (!contractionTemplate(node).join(group, node, map, this.#inMemory))
      throw new InternalError(`schedule: ${node.op} has no kernel of its own`)
    group.members.add(node)
    for (const item of results) {
      group.stores.push({ node: item, map: map.slice(0, shapeOf(item).length), target: { kind: 'own' } })
      this.#setProducer(item, group)
    }
    this.#readOperands(group, node)
  }

  /** Registers a template's inputs: operands that its kernel computes, and tensors that it reads from memory directly. */
  #readOperands(group: Group, node: AnchorNode): void {
    const template = templateOf(node)
    for (const [i, map] of template.operands(node, group.anchorMap, group.reduction!.indices).entries()) {
      const operand = node.inputs[i]
      if (operand !== undefined) this.#touch(group, operand, map, 'prologue')
    }
    for (const read of template.reads(node)) this.#readWhole(group, read)
  }

  #keep(node: GraphNode, users: readonly Group[]): void {
    this.#stored.add(node)
    for (const user of users) this.#addReader(node, user)
  }

  #processParts(node: NodeOfRole<'parts'>, users: readonly Group[]): void {
    this.#keep(node, users)
    const { dim } = node.attrs
    let start: Size = 0
    for (const part of node.inputs) {
      if (!shapeOf(part).includes(0)) {
        const group = this.#startGroup(part, { kind: 'part', cat: node, start })
        this.#touch(group, part, group.stores[0]!.map)
        this.#setProducer(node, group)
      }
      start = addSizes(start, shapeOf(part)[dim]!)
    }
  }

  #processItem(node: GraphNode, users: readonly Group[]): void {
    if (users.length > 0 || this.#stored.has(node)) this.#keep(node, users)
  }

  #storedItems(node: GraphNode): GraphNode[] {
    return (this.#items.get(node) ?? []).filter(item => this.#stored.has(item))
  }

  /** A step of its own. Each written input is first copied into the result's memory. */
  #processLaunch(node: LaunchNode): void {
    const items = this.#storedItems(node)
    if (items.length === 0) return
    const { writes, overwritten } = node.attrs
    const group = this.#newGroup()
    group.launch = node
    this.#storeItems(group, items)
    for (const [index, input] of node.inputs.entries()) {
      if (overwritten.includes(index)) continue
      if (writes.includes(index)) this.#startInitial(group, node, index)
      else this.#readWhole(group, input)
    }
  }

  #storeItems(group: Group, items: readonly GraphNode[]): void {
    for (const item of items) {
      group.stores.push({ node: item, map: [], target: { kind: 'own' } })
      this.#setProducer(item, group)
    }
  }

  /** A step of its own, whose operands are read row-major (as `normalize` arranged). */
  #processControl(node: ControlNode): void {
    const items = this.#storedItems(node)
    if (items.length === 0) return
    const group = this.#newGroup()
    group.control = node
    this.#storeItems(group, items)
    for (const operand of node.inputs) {
      const layout = this.#layout(operand)
      const isDense = layout !== null && isRowMajor(layout)
      if (operand.op !== 'input' && !isDense) this.#stored.add(operand)
      this.#readWhole(group, operand)
    }
  }

  #startInitial(group: Group, launch: LaunchNode, index: number): void {
    const input = launch.inputs[index]!
    const initial = this.#startGroup(input, { kind: 'initial', launch, input: index })
    this.#touch(initial, input, initial.stores[0]!.map)
    group.producers.add(initial)
  }

  // --- merging -----------------------------------------------------------------------------------------------------

  /** Merges the groups that need `node` as far as that is legal; returns those that remain. */
  #mergeUsers(node: GraphNode, users: readonly Group[]): Group[] {
    const kept: Group[] = []
    for (const user of new Set(users.map(group => group.current))) {
      const host = kept.find(
        other =>
          mayMerge(other, user, node) &&
          !dependsOn(other, user) &&
          !dependsOn(user, other) &&
          mergeGroups(other, user, node, this.parallelism),
      )
      if (host === undefined) kept.push(user)
    }
    return kept
  }

  #ordered(): Group[] {
    const alive = [...new Set(this.#groups.map(group => group.current))].filter(group => group.stores.length > 0)
    return topological(alive)
  }
}

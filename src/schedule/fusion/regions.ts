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
import {
  type Graph,
  type GraphNode,
  hasRole,
  isContraction,
  isScalarSource,
  isView,
  type NodeOfRole,
  sourcesOf,
  type TupleType,
} from '../../graph/ir.js'
import { ownNodesOf } from '../../ir/walk.js'
import { addSizes, type Size } from '../../scalar/size.js'
import type { IndexMap } from '../groups/affine.js'
import {
  ChainCosts,
  isCheapOfSmall,
  isCheapToCompute,
  isCheapToRepeat,
  isCheapToRepeatOnce,
  isCheapToReread,
  isDecoded,
  isOwnCopy,
} from '../groups/cost.js'
import {
  type AnchorNode,
  addShape,
  type ContractionNode,
  type ControlNode,
  coveredCoords,
  foldedCoords,
  type Group,
  isExclusive,
  isInPrologue,
  isJointUpdate,
  isKeptOrAll,
  isMatmul,
  isTrivialReduction,
  keepWhole,
  knowsGroup,
  type LaunchNode,
  mapsOf,
  onlyMap,
  type ScatterNode,
  type StoreTarget,
  scatterOf,
} from '../groups/group.js'
import { type ItemTable, itemsOf } from '../groups/items.js'
import { type BufferLayout, baseOf, contiguousLayout, isRowMajor, shapeOf, viewLayout } from '../groups/layout.js'
import { dependsOn, type GroupOrder } from '../groups/order.js'
import { include, loopValue } from '../groups/values.js'
import type { RowPolicy } from '../policy.js'
import { contractionTemplate, resultMaps, templateOf } from '../templates/index.js'
import { isSplitGroup, joinContraction, joinReduction, joinSibling, reducesInParallel } from './join.js'
import { mayMerge, mergeGroups, runsOver } from './merge.js'
import { computesRounded, roundedContraction } from './rounded.js'
import { GroupTable } from './table.js'

export interface Regions extends GroupOrder {
  /** Nodes that are stored. */
  readonly stored: ReadonlySet<GraphNode>
}

/** More work per element than this is not repeated when a value is broadcast. */
const maxBroadcastCost = 24

/** Kernels of more ops than this compile slowly and gain nothing. */
const maxMembers = 256

/** What fusion must do or leave, because a region formed without it was not safe. */
export interface Demands {
  /** Nodes that must be stored in any case. */
  readonly forced: ReadonlySet<GraphNode>
  /** Write-backs that are kernels of their own. */
  readonly alone: ReadonlySet<number>
}

/** Forms all groups. */
export function findRegions(graph: Graph, rows: RowPolicy, demands: Demands): Regions {
  return new RegionFinder(graph, rows, demands).run()
}

class RegionFinder {
  readonly #table = new GroupTable()
  readonly #stored: Set<GraphNode>
  readonly #chainCosts = new ChainCosts()
  readonly #nodes: readonly GraphNode[]
  readonly #items: ItemTable
  /** By how many nodes, or as how many results, each node is used. */
  readonly #uses: ReadonlyMap<GraphNode, number>

  constructor(
    readonly graph: Graph,
    readonly rows: RowPolicy,
    readonly demands: Demands,
  ) {
    this.#nodes = [...ownNodesOf<GraphNode>(graph.body)].sort((a, b) => a.id - b.id)
    for (const node of this.#nodes) this.#chainCosts.of(node)
    this.#items = itemsOf(this.#nodes)
    this.#uses = usesOf(this.#nodes, graph.body.results)
    this.#stored = new Set(demands.forced)
  }

  run(): Regions {
    this.#startFromResults()
    for (const node of this.#nodes.toReversed()) {
      this.#process(node)
      this.#passOnWaiters(node)
    }
    return { ...this.#table.order(), stored: this.#stored }
  }

  // --- results ---------------------------------------------------------------------------------------------------

  #startFromResults(): void {
    const { body, outputs, writeBacks } = this.graph
    const written = new Set(writeBacks.map(({ input }) => input))
    for (const node of body.results.slice(0, outputs)) this.#needResult(node, written)
    for (const [index, { result }] of writeBacks.entries())
      this.#startGroup(body.results[result]!, { kind: 'writeBack', index })
  }

  /** A result is memory or a view of memory; a view of an argument that is written later must be a copy. */
  #needResult(node: GraphNode, written: ReadonlySet<number>): void {
    const base = baseOf(node)
    const changes = base.op === 'input' && written.has(base.attrs.index)
    if (changes || isScalarSource(base)) this.#stored.add(node)
    else this.#needMemory(node, null)
  }

  // --- memory ----------------------------------------------------------------------------------------------------

  /** The layout that a node will have if its base is stored, relative to that base; null if it is no such view. */
  #layout(node: GraphNode): BufferLayout | null {
    if (node.op === 'input') return { offset: 0, shape: node.attrs.shape, strides: node.attrs.strides }
    if (this.#stored.has(node) || !isView(node)) return contiguousLayout(shapeOf(node))
    const from = this.#layout(node.inputs[0]!)
    return from === null ? null : viewLayout(node, from)
  }

  readonly #inMemory = (node: GraphNode): boolean => node.op === 'input' || this.#stored.has(node)

  /** Makes `node` readable from memory for `reader`, as a view where possible. */
  #needMemory(node: GraphNode, reader: Group | null): void {
    if (reader !== null) this.#table.addReader(node, reader.id)
    if (this.#inMemory(node)) return
    if (reader !== null && node.op === 'fence') this.#waitAt(node, reader)
    const isMemoryView = isView(node) && this.#layout(node) !== null
    if (!isMemoryView && node.op !== 'reshape') {
      this.#stored.add(node)
      return
    }
    const input = node.inputs[0]!
    if (!isMemoryView) this.#stored.add(input)
    this.#needMemory(input, reader)
  }

  /** Starts a group that computes a node and stores it. */
  #startGroup(node: GraphNode, target: StoreTarget): Group {
    const { group, map } = addShape(this.#table.start(), shapeOf(node))
    this.#table.put({ ...group, stores: [{ node, map, target }] })
    this.#table.touch(group.id, [{ node, map }])
    return group
  }

  /** Starts a group that is a step of its own, or a template with several results. */
  #startResults(results: readonly GraphNode[], start: (empty: Group) => Group): Group {
    const group = start(this.#table.start())
    const { anchors, anchorMap, folded } = group
    const maps = anchors.length === 0 ? [] : resultMaps(anchors[0]!, anchorMap, folded?.indices ?? [])
    const stores = results.map(node => ({
      node,
      map: maps[node.op === 'item' ? node.attrs.index : 0] ?? [],
      target: { kind: 'own' } as const,
    }))
    this.#table.put({ ...group, stores })
    for (const node of results) this.#setProducer(node, group)
    return group
  }

  // --- fences ----------------------------------------------------------------------------------------------------

  /** A group that computes or reads what is behind a fence runs after what the fence waits for. */
  #waitAt(fence: GraphNode, group: Group): void {
    for (const awaited of fence.inputs.slice(1)) this.#table.addWaiter(awaited, group.id)
  }

  /** What waits for a node that has no memory of its own waits for what that is computed from. */
  #passOnWaiters(node: GraphNode): void {
    if (this.#inMemory(node)) return
    for (const { id } of this.#table.waitersOf(node)) for (const input of node.inputs) this.#table.addWaiter(input, id)
  }

  // --- one node --------------------------------------------------------------------------------------------------

  /** Places one node: in the groups of its users, in a new group, or in memory. Users come before their inputs. */
  #process(node: GraphNode): void {
    const users = this.#table.usersOf(node)
    const needed = users.length > 0 || this.#stored.has(node)
    if (hasRole(node, 'input')) this.#processInput(node, users)
    else if (hasRole(node, 'item')) this.#processItem(node, users)
    else if (hasRole(node, 'launch')) this.#processLaunch(node)
    else if (hasRole(node, 'control')) this.#processControl(node)
    else if (hasRole(node, 'rows')) this.#processRows(node, users)
    else if (hasRole(node, 'update')) this.#processUpdate(node, users)
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
    for (const user of users) this.#include(user, node)
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
  #joinUsers(node: GraphNode, all: readonly Group[]): boolean {
    if (isOwnCopy(node)) return false
    // Updates that share a value are one kernel: recomputed elsewhere, it would read what another one overwrites.
    const updates = all.filter(isExclusive)
    const users =
      updates.length > 1 ? [...this.#mergeUsers(node, updates), ...all.filter(user => !isExclusive(user))] : all
    const isKnown = (user: Group): boolean => mapsOf(user, node).every(map => knowsGroup(user, node, map))
    if (node.op === 'groupOf' && users.every(isKnown)) return users.every(user => this.#include(user, node))
    if (users.length === 1) return this.#inline(users[0]!, node)
    const isTwice = this.rows.computesTwice && users.length === 2 && isCheapToRepeatOnce(node, this.#inMemory)
    const isReread = this.rows.readsAgain && isCheapToReread(node, this.#inMemory)
    const repeatable = isTwice || isReread || isCheapToRepeat(node, this.#inMemory)
    if (repeatable && users.every(user => this.#mayInline(user, node))) {
      for (const user of users) this.#include(user, node)
      return true
    }
    const merged = this.#mergeUsers(node, users)
    return merged.length === 1 && this.#inline(merged[0]!, node)
  }

  /** Adds a node to a group that uses it; returns false when the group's loops cannot compute it. */
  #inline(group: Group, node: GraphNode): boolean {
    if (!this.#mayInline(group, node)) return false
    if (isContraction(node)) {
      const joined =
        joinContraction(group, node, this.#inMemory) ??
        (isMatmul(node) ? joinSibling(group, node, this.#inMemory) : null)
      if (joined !== null) this.#addAnchor(joined, node)
      return joined !== null
    }
    const joined = node.op === 'reduce' && !isTrivialReduction(node) ? joinReduction(group, node, this.rows) : group
    return joined !== null && this.#include(joined, node)
  }

  #mayInline(group: Group, node: GraphNode): boolean {
    if (group.members.size >= maxMembers || this.#isStoredRounded(group, node)) return false
    if ((scatterOf(group) !== null || isJointUpdate(group)) && (isContraction(node) || node.op === 'reduce'))
      return false
    if (isContraction(node) || node.op === 'reduce') return !isInPrologue(group, node)
    if (isInPrologue(group, node)) {
      const isDecoding = isMatmul(group.anchors[0]) && isDecoded(node, this.#inMemory)
      const isScanned = group.anchors[0]?.op === 'scan' && isCheapToCompute(node, this.#inMemory, this.rows.scanned)
      return isDecoding || isScanned || isCheapToRepeat(node, this.#inMemory)
    }
    if (node.op === 'random' && onlyMap(group, node) === null) return false
    return mapsOf(group, node).every(map => this.#isWorthRepeating(group, node, map))
  }

  /** A group that cannot compute a contraction reads its result rounded, rather than rounds it itself, unless it is there to store that. */
  #isStoredRounded(group: Group, node: GraphNode): boolean {
    const rounded = roundedContraction(node, other => this.#uses.get(other) ?? 0)
    if (rounded === null || this.#inMemory(rounded.contraction)) return false
    const isOwn = group.stores.length === 1 && group.stores[0]!.node === node
    return !isOwn && !computesRounded(group, rounded, this.#inMemory)
  }

  /** A value smaller than the loops around it would be recomputed many times: only if cheap. */
  #isWorthRepeating(group: Group, node: GraphNode, map: IndexMap): boolean {
    const covered = coveredCoords(group, map, shapeOf(node))
    if (covered !== null && isKeptOrAll(group, covered)) return true
    return this.#chainCosts.of(node) <= maxBroadcastCost || isCheapOfSmall(node)
  }

  /** Makes a node a member of a group and registers what the group needs now; false when its indices are not affine. */
  #include(group: Group, node: GraphNode): boolean {
    const included = include(group, node)
    if (included === null) return false
    this.#table.put(included)
    this.#table.addUses(included, sourcesOf(node))
    if (node.op === 'fence') this.#waitAt(node, included)
    const reads = isView(node) ? undefined : loopValue(node).reads
    if (reads !== undefined) this.#readWhole(included.id, node.inputs[reads]!)
    return true
  }

  /** Makes a template's node a member of a group that has its loops. */
  #addAnchor(group: Group, node: AnchorNode): void {
    this.#table.put({ ...group, members: new Set(group.members).add(node) })
    this.#readOperands(group.id, node)
  }

  #readWhole(id: number, node: GraphNode): void {
    const group = this.#table.at(id)
    this.#table.put({ ...group, memoryReads: new Set(group.memoryReads).add(node) })
    this.#needMemory(node, group)
  }

  // --- nodes with memory of their own ------------------------------------------------------------------------------

  /** Lets a group that computes a node anyway store it too, if it computes each element once and no cycle arises. */
  #storeIn(group: Group, node: GraphNode, users: readonly Group[]): boolean {
    if (isExclusive(group) || scatterOf(group) !== null || isInPrologue(group, node)) return false
    const covered = coveredCoords(group, onlyMap(group, node), shapeOf(node))
    if (covered === null || !isKeptOrAll(group, covered)) return false
    if (!this.#isParallel(group, covered)) return false
    const readers = this.#table.readersOf(node).map(({ id }) => id)
    const waiters = this.#table.waitersOf(node).map(({ id }) => id)
    const others = [...users.map(({ id }) => id), ...readers, ...waiters].filter(id => id !== group.id)
    if (readers.includes(group.id) || others.some(id => dependsOn(this.#table.before, group.id, id))) return false
    if (!this.#inline(group, node)) return false
    const home = this.#table.at(group.id)
    const store = { node, map: onlyMap(home, node)!, target: { kind: 'own' } } as const
    this.#table.put({ ...home, stores: [...home.stores, store] })
    return true
  }

  /** False where a kernel that reduces to few results would also store every element, on too few programs. */
  #isParallel(group: Group, covered: ReadonlySet<number>): boolean {
    const folded = foldedCoords(group)
    if (![...covered].some(coord => folded.has(coord))) return true
    return isSplitGroup(group, this.rows) || reducesInParallel(group, this.rows)
  }

  #keepAlone(node: GraphNode, users: readonly Group[]): void {
    const { id } = this.#startGroup(node, { kind: 'own' })
    const group = this.#table.at(id)
    this.#setProducer(node, group)
    for (const user of users) this.#table.addReader(node, user.id)
    if (this.#inline(group, node)) return
    // A reshape that is neither a view nor affine: its input is stored contiguously, and shares that memory.
    const input = node.inputs[0]!
    this.#needMemory(input, group)
    if (baseOf(input).op !== 'input' || this.#layout(node) === null) this.#stored.add(input)
  }

  #setProducer(node: GraphNode, producer: Group): void {
    const table = this.#table
    for (const reader of [...table.usersOf(node), ...table.readersOf(node), ...table.waitersOf(node)])
      table.addProducer(reader.id, producer.id)
  }

  /** A kernel of its own around a template. Its results are read from memory. */
  #processRows(node: NodeOfRole<'rows'>, users: readonly Group[]): void {
    const isOne = node.type.kind === 'tensor'
    if (isOne && (users.length > 0 || this.#stored.has(node))) this.#keep(node, users)
    const results = isOne ? [node].filter(this.#inMemory) : this.#storedItems(node)
    if (results.length === 0) return
    const { dim } = node.attrs
    const { id } = this.#startResults(results, empty => {
      const { group, map } = addShape(empty, shapeOf(node.inputs[0]!), dim)
      const folded = { indices: [map[dim]!], sizes: [shapeOf(node.inputs[0]!)[dim]!] }
      return keepWhole({ ...group, anchors: [node], anchorMap: map, folded }, group.coords.keys())
    })
    this.#readOperands(id, node)
  }

  /** What a scatter's memory holds before, then a kernel with a loop over what is put into it. */
  #processUpdate(node: ScatterNode, users: readonly Group[]): void {
    if (users.length > 0) this.#keep(node, users)
    if (!this.#stored.has(node)) return
    const [self, index, source] = node.inputs as readonly [GraphNode, GraphNode, GraphNode]
    const before = this.#startGroup(self, { kind: 'before', scatter: node })
    const { dim } = node.attrs
    const { group, map } = addShape(this.#table.start(), shapeOf(source), dim)
    const stores = [{ node, map, target: { kind: 'update', scatter: node } as const }]
    this.#table.put(keepWhole({ ...group, stores }, map[dim]!.terms.keys()))
    this.#table.touch(group.id, [
      { node: index, map },
      { node: source, map },
    ])
    this.#table.addProducer(group.id, before.id)
    this.#setProducer(node, group)
  }

  /** A kernel of its own for a contraction with several results: the first covers all its loops, the others some of them. */
  #processResults(node: ContractionNode, { items }: TupleType): void {
    const results = this.#storedItems(node)
    if (results.length === 0) return
    const { id } = this.#startResults(results, empty => {
      const { group, map } = addShape(empty, items[0]!.shape)
      const joined = contractionTemplate(node).join(group, node, map, this.#inMemory)
      if (joined === null) throw new InternalError(`schedule: ${node.op} has no kernel of its own`)
      return joined
    })
    this.#addAnchor(this.#table.at(id), node)
  }

  /** Registers a template's inputs: operands that its kernel computes, and tensors that it reads from memory directly. */
  #readOperands(id: number, node: AnchorNode): void {
    const template = templateOf(node)
    const { anchorMap, folded } = this.#table.at(id)
    const maps = template.operands(node, anchorMap, folded!.indices)
    const needs = maps.flatMap((map, i) => (node.inputs[i] === undefined ? [] : [{ node: node.inputs[i], map }]))
    this.#table.touch(id, needs, 'prologue')
    for (const read of template.reads(node)) this.#readWhole(id, read)
  }

  #keep(node: GraphNode, users: readonly Group[]): void {
    this.#stored.add(node)
    for (const user of users) this.#table.addReader(node, user.id)
  }

  /** A concatenation: each part is a group that stores into its place of the result. */
  #processParts(node: NodeOfRole<'parts'>, users: readonly Group[]): void {
    this.#keep(node, users)
    const { dim } = node.attrs
    let start: Size = 0
    for (const part of node.inputs) {
      if (!shapeOf(part).includes(0))
        this.#setProducer(node, this.#startGroup(part, { kind: 'part', cat: node, start }))
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
    const { id } = this.#startResults(items, empty => ({ ...empty, step: node }))
    for (const [index, input] of node.inputs.entries()) {
      if (overwritten.includes(index)) continue
      if (!writes.includes(index)) this.#readWhole(id, input)
      else this.#table.addProducer(id, this.#startGroup(input, { kind: 'initial', launch: node, input: index }).id)
    }
  }

  /** A step of its own, whose operands are read row-major (as `normalize` arranged). */
  #processControl(node: ControlNode): void {
    const items = this.#storedItems(node)
    if (items.length === 0) return
    const { id } = this.#startResults(items, empty => ({ ...empty, step: node }))
    for (const operand of node.inputs) {
      const layout = this.#layout(operand)
      const isDense = layout !== null && isRowMajor(layout)
      if (operand.op !== 'input' && !isDense) this.#stored.add(operand)
      this.#readWhole(id, operand)
    }
  }

  // --- merging -----------------------------------------------------------------------------------------------------

  /** Merges the groups that need `node` as far as that is legal; returns those that remain. */
  #mergeUsers(node: GraphNode, users: readonly Group[]): Group[] {
    const kept: number[] = []
    const hosts: number[] = []
    for (const group of this.#table.current(users)) {
      const { id } = group
      if (!runsOver(group, node)) kept.push(id)
      else if (!hosts.some(host => this.#merge(host, id, node))) {
        hosts.push(id)
        kept.push(id)
      }
    }
    return kept.map(id => this.#table.at(id))
  }

  #merge(hostId: number, guestId: number, node: GraphNode): boolean {
    const { before } = this.#table
    const [host, guest] = [this.#table.at(hostId), this.#table.at(guestId)]
    if (!mayMerge(host, guest) || !this.#mayUpdateTogether(host, guest)) return false
    if (dependsOn(before, hostId, guestId) || dependsOn(before, guestId, hostId)) return false
    const union = mergeGroups(host, guest, node, this.rows)
    if (union !== null) this.#table.merge(union, guestId)
    return union !== null
  }

  /** False for write-backs of which one must be alone. */
  #mayUpdateTogether(host: Group, guest: Group): boolean {
    return [...host.stores, ...guest.stores].every(
      ({ target }) => target.kind !== 'writeBack' || !this.demands.alone.has(target.index),
    )
  }
}

function usesOf(nodes: readonly GraphNode[], results: readonly GraphNode[]): ReadonlyMap<GraphNode, number> {
  const uses = new Map<GraphNode, number>()
  const add = (node: GraphNode): void => void uses.set(node, (uses.get(node) ?? 0) + 1)
  for (const node of nodes) new Set(node.inputs).forEach(add)
  results.forEach(add)
  return uses
}

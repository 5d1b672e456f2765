/**
 * Lets user kernels update values in place, as they were written to. In the graph a launch returns new values; naively that
 * is a copy before it, and for a written argument a second copy back. Both are saved where the old value is dead:
 *
 *   written argument   the launch runs in the argument's memory, and the write-back is dropped
 *   other values       the result takes over the memory of a stored value
 *
 * All readers of the old value must run before the launch: edges between groups enforce it, and where they would form a
 * cycle, the copy stays.
 */

import type { Graph, GraphNode, WriteBack } from '../../graph/ir.js'
import type { Size } from '../../scalar/size.js'
import { type Group, type LaunchNode, readsOf, type Target } from '../groups/group.js'
import { type Layout, sameLayout } from '../groups/layout.js'
import { dependsOn, topological } from '../groups/order.js'
import { isView } from '../groups/roles.js'
import type { Buffers, Located } from './buffers.js'

/** Returns the remaining groups, in topological order, and places results in `buffers`. */
export function shareLaunchMemory(groups: readonly Group[], graph: Graph, buffers: Buffers): readonly Group[] {
  if (groups.every(({ launch }) => launch === null)) return groups
  const sharing = new LaunchMemory(groups, graph, buffers)
  for (const group of groups.toReversed()) if (group.launch !== null) sharing.launch(group, group.launch)
  const kept = groups.filter(({ stores }) => stores.length > 0)
  return topological(kept).filter(({ stores }) => stores.length > 0)
}

class LaunchMemory {
  /** The groups that read a node's memory. */
  readonly #readers = new Map<GraphNode, Set<Group>>()
  /** Nodes whose memory is returned to the caller, so must not change later. */
  readonly #shown: ReadonlySet<GraphNode>
  /** Memory that an earlier launch's result takes if it can; the copy into it is then dropped. */
  readonly #wanted = new Map<GraphNode, { readonly place: Place; readonly dropCopy: () => void }>()
  /** Old values whose memory a launch's result takes over, or is planned to. */
  readonly #taken = new Set<GraphNode>()

  constructor(
    readonly groups: readonly Group[],
    readonly graph: Graph,
    readonly buffers: Buffers,
  ) {
    this.#shown = new Set(graph.body.results.slice(0, graph.outputs).map(node => this.#memoryOf(node)))
    for (const group of groups) {
      for (const node of readsOf(group)) {
        const memory = this.#memoryOf(node)
        const readers = this.#readers.get(memory) ?? new Set()
        readers.add(group)
        this.#readers.set(memory, readers)
      }
    }
  }

  launch(group: Group, node: LaunchNode): void {
    for (const index of node.attrs.writes) {
      const item = this.buffers.itemOf(node, index)
      const place = item === null ? null : this.#takePlace(group, node, index, item)
      if (!node.attrs.overwritten.includes(index)) this.#shareOld(group, node, index, place)
    }
  }

  /**
   * Stores a result in an argument's memory if it is written back there and the old value is dead; null: memory of its own.
   */
  #takePlace(group: Group, launch: LaunchNode, index: number, item: GraphNode): Place | null {
    const wanted = this.#wanted.get(item)
    if (this.#shown.has(item) || (wanted === undefined && this.#taken.has(item))) return null
    const back = wanted === undefined ? this.#writeBackOf(item) : null
    const place = wanted?.place ?? back?.place
    if (place === undefined || !this.#mayChange(place, group, launch, index)) return null
    wanted?.dropCopy()
    if (back !== null) back.group.stores.length = 0
    this.buffers.place(item, place.located)
    return place
  }

  #writeBackOf(item: GraphNode): { readonly place: Place; readonly group: Group } | null {
    const ends = this.graph.writeBacks.filter(({ result }) => this.graph.body.results[result] === item)
    const [writeBack, ...more] = ends
    if (writeBack === undefined || more.length > 0) return null
    const at = this.graph.writeBacks.indexOf(writeBack)
    const group = this.groups.find(({ stores }) =>
      stores.some(({ target }) => target.kind === 'writeBack' && target.index === at),
    )
    return group === undefined || group.stores.length !== 1 ? null : { place: this.#placeOf(writeBack), group }
  }

  #placeOf({ input, offset, shape, strides }: WriteBack): Place {
    const node = this.graph.body.params.find(param => param.op === 'input' && param.attrs.index === input)!
    return { memory: node, located: { buffer: this.buffers.input(input), layout: { offset, shape, strides } } }
  }

  /** True when the launch may run in an argument's memory, after ordering all other readers before it. */
  #mayChange({ memory, located }: Place, group: Group, { inputs, attrs }: LaunchNode, index: number): boolean {
    const reads = inputs.filter((input, i) => !attrs.writes.includes(i) && this.#memoryOf(input) === memory)
    if (reads.some(input => !isDisjoint(this.buffers.locate(input).layout, located.layout))) return false
    const old = inputs[index]!
    const staysThere = this.#memoryOf(old) === memory && sameLayout(this.buffers.locate(old).layout, located.layout)
    const copy = staysThere ? undefined : this.#copyOf(group.launch!, index)
    // Copying the old value into the memory changes it too.
    if (copy === undefined) return this.#readFirst(memory, group)
    return !this.#readersOf(memory).includes(copy) && this.#readFirst(memory, copy) && this.#readFirst(memory, group)
  }

  #readersOf(memory: GraphNode): readonly Group[] {
    return [...(this.#readers.get(memory) ?? [])].filter(({ stores }) => stores.length > 0)
  }

  /** Orders all readers of a node's memory, but for the group itself, before it; false when that would be a cycle. */
  #readFirst(memory: GraphNode, group: Group): boolean {
    const readers = this.#readersOf(memory).filter(reader => reader !== group)
    if (readers.some(reader => reader.exclusive || dependsOn(reader, group))) return false
    for (const reader of readers) group.producers.add(reader)
    return true
  }

  /** Drops the copy of the old value into the result's memory, where the old value is there already or can be. */
  #shareOld(group: Group, launch: LaunchNode, index: number, place: Place | null): void {
    const old = launch.inputs[index]!
    const dropCopy = (): void => this.#dropCopy(launch, index)
    if (place !== null && this.#memoryOf(old) === place.memory) {
      if (sameLayout(this.buffers.locate(old).layout, place.located.layout)) dropCopy()
      return
    }
    if (!this.#isStored(old) || this.#taken.has(old) || this.#shown.has(old)) return
    if (this.#isReadTwice(launch, index)) return
    const isLaunched = old.op === 'item' && old.inputs[0]!.op === 'launch'
    if (!this.#readFirst(old, group)) return
    this.#taken.add(old)
    if (place === null) {
      this.buffers.place(old, this.buffers.locateWritten(launch, index))
      dropCopy()
    } else if (isLaunched) this.#wanted.set(old, { place, dropCopy })
  }

  /** True when another input of the launch is stored in the same memory. */
  #isReadTwice({ inputs }: LaunchNode, index: number): boolean {
    const memory = this.#memoryOf(inputs[index]!)
    return inputs.some((input, i) => i !== index && this.#memoryOf(input) === memory)
  }

  #copyOf(launch: LaunchNode, index: number): Group | undefined {
    return this.groups.find(({ stores }) => stores.some(({ target }) => isInitial(target, launch, index)))
  }

  #dropCopy(launch: LaunchNode, index: number): void {
    const stores = this.#copyOf(launch, index)?.stores
    if (stores === undefined) return
    const at = stores.findIndex(({ target }) => isInitial(target, launch, index))
    stores.splice(at, 1)
  }

  #isStored(node: GraphNode): boolean {
    return this.buffers.stored.has(node)
  }

  /** The node that owns the memory of a node's values. */
  #memoryOf(node: GraphNode): GraphNode {
    let base = node
    while (!this.#isStored(base) && isView(base)) base = base.inputs[0]!
    return base
  }
}

const isInitial = (target: Target, launch: LaunchNode, input: number): boolean =>
  target.kind === 'initial' && target.launch === launch && target.input === input

/** A part of an argument's memory. */
interface Place {
  readonly memory: GraphNode
  readonly located: Located
}

/** True when the address ranges do not overlap; false where sizes are not known. */
function isDisjoint(a: Layout, b: Layout): boolean {
  const [first, second] = [reachOf(a), reachOf(b)]
  return first !== null && second !== null && (first.end <= second.start || second.end <= first.start)
}

function reachOf({ offset, shape, strides }: Layout): { readonly start: number; readonly end: number } | null {
  const known = [offset, ...shape, ...strides].every((size: Size) => typeof size === 'number')
  if (!known) return null
  const steps = (shape as readonly number[]).map((size, d) => (size - 1) * (strides[d] as number))
  const [start, last] = [offset as number, steps.reduce((sum, step) => sum + step, offset as number)]
  return shape.includes(0) ? { start, end: start } : { start: Math.min(start, last), end: Math.max(start, last) + 1 }
}

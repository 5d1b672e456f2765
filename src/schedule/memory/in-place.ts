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
import { type Group, isExclusive, type LaunchNode, readsOf, type StoreTarget } from '../groups/group.js'
import { type BufferLayout, sameLayout } from '../groups/layout.js'
import { dependsOn, type GroupOrder, ordered, runFirst } from '../groups/order.js'
import { type Buffers, type Located, memoryOf } from './buffers.js'

/** The groups that remain; places results in `buffers`. */
export function shareLaunchMemory(order: GroupOrder, graph: Graph, buffers: Buffers): GroupOrder {
  if (order.groups.every(({ step }) => step?.op !== 'launch')) return order
  return new LaunchMemory(order, graph, buffers).shared()
}

class LaunchMemory {
  /** The groups that read a node's memory. */
  readonly #readers = new Map<GraphNode, Set<number>>()
  /** Nodes whose memory is returned to the caller, so must not change later. */
  readonly #shown: ReadonlySet<GraphNode>
  /** Memory that an earlier launch's result takes if it can; the copy into it is then dropped. */
  readonly #wanted = new Map<GraphNode, { readonly place: Place; readonly dropCopy: () => void }>()
  /** Old values whose memory a launch's result takes over, or is planned to. */
  readonly #taken = new Set<GraphNode>()

  #order: GroupOrder

  constructor(
    order: GroupOrder,
    readonly graph: Graph,
    readonly buffers: Buffers,
  ) {
    this.#order = order
    this.#shown = new Set(graph.body.results.slice(0, graph.outputs).map(node => this.#memoryOf(node)))
    for (const group of order.groups) {
      for (const node of readsOf(group)) {
        const memory = this.#memoryOf(node)
        const readers = this.#readers.get(memory) ?? new Set()
        readers.add(group.id)
        this.#readers.set(memory, readers)
      }
    }
  }

  shared(): GroupOrder {
    for (const { id, step } of this.#order.groups.toReversed()) if (step?.op === 'launch') this.#launch(id, step)
    return ordered(this.#order)
  }

  #launch(group: number, node: LaunchNode): void {
    for (const index of node.attrs.writes) {
      const item = this.buffers.itemOf(node, index)
      const place = item === null ? null : this.#takePlace(group, node, index, item)
      if (!node.attrs.overwritten.includes(index)) this.#shareOld(group, node, index, place)
    }
  }

  /**
   * Stores a result in an argument's memory if it is written back there and the old value is dead; null: memory of its own.
   */
  #takePlace(group: number, launch: LaunchNode, index: number, item: GraphNode): Place | null {
    const wanted = this.#wanted.get(item)
    if (this.#shown.has(item) || (wanted === undefined && this.#taken.has(item))) return null
    const back = wanted === undefined ? this.#writeBackOf(item) : null
    const place = wanted?.place ?? back?.place
    if (place === undefined || !this.#mayChange(place, group, launch, index)) return null
    wanted?.dropCopy()
    if (back !== null) this.#drop(back.target)
    this.buffers.place(item, place.located)
    return place
  }

  #writeBackOf(item: GraphNode): { readonly place: Place; readonly target: TargetTest } | null {
    const ends = this.graph.writeBacks.filter(({ result }) => this.graph.body.results[result] === item)
    const [writeBack, ...more] = ends
    if (writeBack === undefined || more.length > 0) return null
    const target = isWriteBack(this.graph.writeBacks.indexOf(writeBack))
    return this.#storing(target)?.stores.length === 1 ? { place: this.#placeOf(writeBack), target } : null
  }

  #placeOf({ input, offset, shape, strides }: WriteBack): Place {
    const node = this.graph.body.params.find(param => param.op === 'input' && param.attrs.index === input)!
    return { memory: node, located: { buffer: this.buffers.input(input), layout: { offset, shape, strides } } }
  }

  /** True when the launch may run in an argument's memory, after ordering all other readers before it. */
  #mayChange({ memory, located }: Place, group: number, launch: LaunchNode, index: number): boolean {
    const { inputs, attrs } = launch
    const reads = inputs.filter((input, i) => !attrs.writes.includes(i) && this.#memoryOf(input) === memory)
    if (reads.some(input => !isDisjoint(this.buffers.locate(input).layout, located.layout))) return false
    const old = inputs[index]!
    const staysThere = this.#memoryOf(old) === memory && sameLayout(this.buffers.locate(old).layout, located.layout)
    const copy = staysThere ? undefined : this.#storing(isInitial(launch, index))?.id
    // Copying the old value into the memory changes it too.
    if (copy === undefined) return this.#readFirst(memory, group)
    return !this.#readersOf(memory).includes(copy) && this.#readFirst(memory, copy) && this.#readFirst(memory, group)
  }

  #readersOf(memory: GraphNode): readonly number[] {
    const readers = [...(this.#readers.get(memory) ?? [])]
    return readers.filter(id => this.#order.groups.some(group => group.id === id && group.stores.length > 0))
  }

  /** Orders all readers of a node's memory, but for the group itself, before it; false when that would be a cycle. */
  #readFirst(memory: GraphNode, group: number): boolean {
    const { groups, before } = this.#order
    const readers = this.#readersOf(memory).filter(reader => reader !== group)
    const isLast = (reader: number): boolean => groups.some(each => each.id === reader && isExclusive(each))
    if (readers.some(reader => isLast(reader) || dependsOn(before, reader, group))) return false
    this.#order = runFirst(this.#order, group, readers)
    return true
  }

  /** Drops the copy of the old value into the result's memory, where the old value is there already or can be. */
  #shareOld(group: number, launch: LaunchNode, index: number, place: Place | null): void {
    const old = launch.inputs[index]!
    const dropCopy = (): void => this.#drop(isInitial(launch, index))
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

  /** The group that stores something where `isIt` says. */
  #storing(isIt: TargetTest): Group | undefined {
    return this.#order.groups.find(({ stores }) => stores.some(({ target }) => isIt(target)))
  }

  #drop(isIt: TargetTest): void {
    const { groups, before } = this.#order
    const kept = groups.map(group => ({ ...group, stores: group.stores.filter(({ target }) => !isIt(target)) }))
    this.#order = { groups: kept, before }
  }

  #isStored(node: GraphNode): boolean {
    return this.buffers.stored.has(node)
  }

  #memoryOf(node: GraphNode): GraphNode {
    return memoryOf(node, this.buffers.stored)
  }
}

type TargetTest = (target: StoreTarget) => boolean

const isInitial =
  (launch: LaunchNode, input: number): TargetTest =>
  target =>
    target.kind === 'initial' && target.launch === launch && target.input === input

const isWriteBack =
  (index: number): TargetTest =>
  target =>
    target.kind === 'writeBack' && target.index === index

/** A part of an argument's memory. */
interface Place {
  readonly memory: GraphNode
  readonly located: Located
}

/** True when the address ranges do not overlap; false where sizes are not known. */
function isDisjoint(a: BufferLayout, b: BufferLayout): boolean {
  const [first, second] = [extentOf(a), extentOf(b)]
  return first !== null && second !== null && (first.end <= second.start || second.end <= first.start)
}

/** The elements [start, end) of a buffer that a layout can address; null where a size or stride is not known. */
function extentOf({ offset, shape, strides }: BufferLayout): { readonly start: number; readonly end: number } | null {
  const known = [offset, ...shape, ...strides].every((size: Size) => typeof size === 'number')
  if (!known) return null
  const steps = (shape as readonly number[]).map((size, d) => (size - 1) * (strides[d] as number))
  const [start, last] = [offset as number, steps.reduce((sum, step) => sum + step, offset as number)]
  return shape.includes(0) ? { start, end: start } : { start: Math.min(start, last), end: Math.max(start, last) + 1 }
}

/**
 * In-place writes to a part of an argument whose new value is read afterwards: a row of a KV cache, then all rows up to it.
 * In the graph the new value is a concatenation of the unchanged parts and the written one. In memory it is the argument
 * itself, so concatenations alias the argument's memory, and only the written part is stored.
 *
 * All readers of the old value must run before the write; where that would be a cycle, the copies stay.
 */

import { groupBy } from '../../base/group-by.js'
import { type Graph, type GraphNode, isView, type WriteBack } from '../../graph/ir.js'
import { ownNodesOf } from '../../ir/walk.js'
import { addSizes, mulSizes, type Size, sameShape, sameSize, subSizes } from '../../scalar/size.js'
import { type Group, type GroupStore, isExclusive, readsOf } from '../groups/group.js'
import { type BufferLayout, baseOf, sameLayout, shapeOf, viewLayout } from '../groups/layout.js'
import { dependsOn, type GroupOrder, ordered, runFirst } from '../groups/order.js'
import { type Buffers, memoryOf } from './buffers.js'

type CatNode = Extract<GraphNode, { op: 'cat' }>

/** The groups that remain; places concatenations in `buffers`. */
export function shareWrittenParts(order: GroupOrder, graph: Graph, buffers: Buffers): GroupOrder {
  // User kernels may run in their inputs' memory: in-place.ts alone decides that.
  if (order.groups.some(({ step }) => step?.op === 'launch')) return order
  const parts = new Set(catsOf(order).flatMap(cat => cat.inputs.map(withoutOnes)))
  if (parts.size === 0) return order
  const writes = groupBy(graph.writeBacks, ({ input }) => input)
  const mayShare = ({ input, result }: WriteBack): boolean =>
    writes.get(input)!.length === 1 && parts.has(withoutOnes(graph.body.results[result]!))
  const shared = graph.writeBacks.reduce(
    (now, writeBack, index) =>
      mayShare(writeBack) ? (new WrittenPart(now, graph, buffers, writeBack, index).shared() ?? now) : now,
    order,
  )
  return shared === order ? order : ordered(shared)
}

/** Concatenations with their layout in the argument, and the stores that would write values that are there already. */
interface Placed {
  readonly cats: Map<CatNode, BufferLayout>
  readonly same: GroupStore[]
  /** The stores of the written part. */
  readonly writes: GroupStore[]
}

class WrittenPart {
  readonly #input: GraphNode
  readonly #written: GraphNode
  readonly #place: BufferLayout

  constructor(
    readonly order: GroupOrder,
    readonly graph: Graph,
    readonly buffers: Buffers,
    { input, result, offset, shape, strides }: WriteBack,
    readonly index: number,
  ) {
    this.#input = graph.body.params.find(param => param.op === 'input' && param.attrs.index === input)!
    this.#written = withoutOnes(graph.body.results[result]!)
    this.#place = { offset, shape, strides }
  }

  /** The order in which the part alone is written; null if that cannot be. */
  shared(): GroupOrder | null {
    const placed = this.#placeAll()
    const back = this.#groupOf(({ target }) => target.kind === 'writeBack' && target.index === this.index)
    const [write, ...writtenAgain] = placed.writes
    const writer = this.#groupOf(store => store === write)
    if (write === undefined || writer === undefined || back?.stores.length !== 1) return null
    const { groups, before } = this.order
    const needless = new Set([...placed.same, ...writtenAgain, ...back.stores])
    const first = this.#readersOfOld(needless)
    const after = this.#readersOfStored(needless)
    if (first.some(group => group === writer || isExclusive(group) || dependsOn(before, group.id, writer.id)))
      return null
    if (after.some(group => group === writer || first.includes(group) || dependsOn(before, writer.id, group.id)))
      return null
    const { buffer } = this.buffers.locate(this.#input)
    for (const [cat, layout] of placed.cats) this.buffers.place(cat, { buffer, layout })
    const kept = groups.map(group => ({ ...group, stores: group.stores.filter(store => !needless.has(store)) }))
    const readFirst = runFirst({ groups: kept, before }, writer.id, idsOf(first))
    return after.reduce((order, { id }) => runFirst(order, id, [writer.id]), readFirst)
  }

  /** All concatenations whose parts can be written directly to the argument. */
  #placeAll(): Placed {
    const all: Placed = { cats: new Map(), same: [], writes: [] }
    // Outer concatenations come first, and place those inside them.
    for (const cat of catsOf(this.order).sort((a, b) => b.id - a.id)) {
      if (all.cats.has(cat)) continue
      const layout = this.#layoutOf(cat)
      const one: Placed = { cats: new Map(), same: [], writes: [] }
      if (layout === null || !this.#placeParts(cat, layout, one) || !this.#areViewsThere(one.cats)) continue
      if (one.writes.length === 0) continue // it holds the old value, which the write destroys
      for (const [node, at] of one.cats) all.cats.set(node, at)
      all.same.push(...one.same)
      all.writes.push(...one.writes)
    }
    return all
  }

  /** The layout of a concatenation in the argument, from its first part that is a view of the argument. */
  #layoutOf(cat: CatNode): BufferLayout | null {
    for (const { part, start } of partsOf(cat)) {
      const layout = this.#layoutInArgument(part)
      if (layout === null) continue
      const { offset, strides } = layout
      const stride = strides[cat.attrs.dim]!
      if (stride === 0) return null // its parts would be in one place
      return { offset: subSizes(offset, mulSizes(start, stride)), shape: shapeOf(cat), strides }
    }
    return null
  }

  /** Whether the argument holds the concatenation at `layout` once the part is written. */
  #placeParts(cat: CatNode, layout: BufferLayout, placed: Placed): boolean {
    if (this.buffers.outputs.has(cat)) return false
    placed.cats.set(cat, layout)
    const { dim } = cat.attrs
    return partsOf(cat).every(({ part, start }) => {
      const offset = addSizes(layout.offset, mulSizes(start, layout.strides[dim]!))
      return this.#placePart(cat, part, start, { offset, shape: shapeOf(part), strides: layout.strides }, placed)
    })
  }

  /** Places one part of a concatenation in `placed`; returns false when that is not possible. */
  #placePart(cat: CatNode, part: GraphNode, start: Size, layout: BufferLayout, placed: Placed): boolean {
    const store = this.#storeOf(cat, part, start)
    if (store === undefined) return false
    const node = withoutOnes(part)
    if (node === this.#written && sameElements(layout, this.#place)) {
      placed.writes.push(store)
      return true
    }
    placed.same.push(store)
    const there = this.#layoutInArgument(node)
    if (there !== null) return sameElements(there, layout)
    return node.op === 'cat' && this.#placeParts(node, withOnes(layout, shapeOf(node)), placed)
  }

  /** The layout within the argument of a view of its old value; null: it is no such view. */
  #layoutInArgument(node: GraphNode): BufferLayout | null {
    if (node === this.#input) return this.buffers.locate(node).layout
    if (!isView(node) || this.buffers.stored.has(node)) return null
    const from = this.#layoutInArgument(node.inputs[0]!)
    return from === null ? null : viewLayout(node, from)
  }

  /** Views of concatenations assumed contiguous memory: true if all of them exist for the new layouts as well. */
  #areViewsThere(cats: ReadonlyMap<CatNode, BufferLayout>): boolean {
    const layoutOf = (node: GraphNode): BufferLayout | null => {
      if (node.op === 'cat') return cats.get(node) ?? null
      const from = isView(node) ? layoutOf(node.inputs[0]!) : null
      return from === null ? null : viewLayout(node as Extract<GraphNode, { op: 'slice' }>, from)
    }
    return [...ownNodesOf<GraphNode>(this.graph.body)].every(node => {
      const base = baseOf(node)
      return node === base || base.op !== 'cat' || !cats.has(base) || layoutOf(node) !== null
    })
  }

  #storeOf(cat: CatNode, part: GraphNode, start: Size): GroupStore | undefined {
    const stores = this.order.groups.flatMap(group => group.stores)
    return stores.find(({ node, target }) => {
      return node === part && target.kind === 'part' && target.cat === cat && sameSize(target.start, start)
    })
  }

  #groupOf(has: (store: GroupStore) => boolean): Group | undefined {
    return this.order.groups.find(({ stores }) => stores.some(has))
  }

  /** The groups that read the argument's old value, not counting the stores that become needless. */
  #readersOfOld(needless: ReadonlySet<GroupStore>): readonly Group[] {
    return this.order.groups.filter(group => {
      return (
        group.stores.some(store => !needless.has(store)) &&
        readsOf(group).some(node => memoryOf(node, this.buffers.stored) === this.#input)
      )
    })
  }

  /** The groups that read what those stores would have written. */
  #readersOfStored(needless: ReadonlySet<GroupStore>): readonly Group[] {
    const { groups, before } = this.order
    const dropped = new Set(idsOf(groups.filter(({ stores }) => stores.some(store => needless.has(store)))))
    return groups.filter(({ id, stores }) => {
      const isKept = stores.some(store => !needless.has(store))
      return isKept && (before.get(id) ?? []).some(producer => dropped.has(producer))
    })
  }
}

const idsOf = (groups: readonly Group[]): readonly number[] => groups.map(({ id }) => id)

/** The concatenations whose parts the groups store. */
const catsOf = ({ groups }: GroupOrder): CatNode[] => [
  ...new Set(groups.flatMap(({ stores }) => stores.flatMap(({ target }) => catOf(target)))),
]

const catOf = (target: GroupStore['target']): readonly CatNode[] =>
  target.kind === 'part' && target.cat.op === 'cat' ? [target.cat] : []

/** The nonempty parts, and where they start. */
function partsOf({ inputs, attrs: { dim } }: CatNode): readonly { readonly part: GraphNode; readonly start: Size }[] {
  const parts: { part: GraphNode; start: Size }[] = []
  let start: Size = 0
  for (const part of inputs) {
    if (!shapeOf(part).includes(0)) parts.push({ part, start })
    start = addSizes(start, shapeOf(part)[dim]!)
  }
  return parts
}

const longDims = (shape: readonly Size[]): readonly number[] => [...shape.keys()].filter(dim => shape[dim] !== 1)

/** Skips reshapes that add or drop dims of size 1. */
function withoutOnes(node: GraphNode): GraphNode {
  if (node.op !== 'reshape') return node
  const input = node.inputs[0]!
  const [from, to] = [shapeOf(input), shapeOf(node)]
  const isSame = sameShape(
    longDims(from).map(dim => from[dim]!),
    longDims(to).map(dim => to[dim]!),
  )
  return isSame ? withoutOnes(input) : node
}

/** The layout for a shape that differs in dims of size 1 only. */
function withOnes({ offset, shape: from, strides }: BufferLayout, shape: BufferLayout['shape']): BufferLayout {
  const [own, given] = [longDims(shape), longDims(from)]
  return { offset, shape, strides: shape.map((_, dim) => (own.includes(dim) ? strides[given[own.indexOf(dim)]!]! : 0)) }
}

/** Compares layouts but for dims of size 1. */
const sameElements = (a: BufferLayout, b: BufferLayout): boolean => sameLayout(bare(a), bare(b))

const bare = ({ offset, shape, strides }: BufferLayout): BufferLayout => ({
  offset,
  shape: longDims(shape).map(dim => shape[dim]!),
  strides: longDims(shape).map(dim => strides[dim]!),
})

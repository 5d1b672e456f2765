/** The memory of a plan under construction: a buffer per argument and per stored value, and where each node is stored. */

import { InternalError } from '../../base/errors.js'
import { type Graph, type GraphNode, hasRole, isView, printType, typeOf } from '../../graph/ir.js'
import { ownNodesOf } from '../../ir/walk.js'
import { type Access, accessOf } from '../../loop/access.js'
import { addSizes, mulSizes, productOf, type Size } from '../../scalar/size.js'
import type { Dtype } from '../../types/dtype.js'
import { addAffine, constantIndex, dotAffine, type IndexMap } from '../groups/affine.js'
import type { ControlNode, GroupStore, LaunchNode } from '../groups/group.js'
import { type ItemTable, itemsOf } from '../groups/items.js'
import { type BufferLayout, contiguousLayout, shapeOf, viewLayout } from '../groups/layout.js'
import { onlyDevice } from '../plan/plan.js'

export type BufferDraft = { readonly device: number; readonly dtype: Dtype; readonly name: string } & (
  | { readonly kind: 'input'; readonly input: number }
  | { readonly kind: 'output' | 'result' | 'temp'; readonly elements: Size }
)

/** A block of control flow gives it. */
const isGiven = (node: GraphNode): boolean => node.op === 'item' && hasRole(node.inputs[0]!, 'control')

/** A tensor in memory: the layout is relative to the buffer's first element. */
export interface Located {
  readonly buffer: number
  readonly layout: BufferLayout
}

export class Buffers {
  readonly drafts: BufferDraft[] = []
  readonly #ofNode = new Map<GraphNode, number>()
  readonly #items: ItemTable
  readonly #placed = new Map<GraphNode, Located>()
  /** Memory that a launch writes and nothing reads afterwards, by the launch's input. */
  readonly #unread = new Map<GraphNode, Map<number, number>>()
  /** Buffers of inputs come first in a plan, in the inputs' order. */
  readonly #inputs: readonly GraphNode[]

  /**
   * `stored`: nodes with memory of their own; `outputs`: those of them that are returned to the caller or passed to blocks.
   */
  constructor(
    graph: Graph,
    readonly stored: ReadonlySet<GraphNode>,
    readonly outputs: ReadonlySet<GraphNode>,
  ) {
    this.#inputs = graph.body.params.filter(param => param.op === 'input')
    this.#items = itemsOf(ownNodesOf<GraphNode>(graph.body))
    for (const node of this.#inputs) {
      if (node.op !== 'input') continue
      const { index, name, dtype } = node.attrs
      this.#ofNode.set(node, this.drafts.length)
      this.drafts.push({ kind: 'input', device: onlyDevice, input: index, dtype, name })
    }
  }

  /** The buffer of an argument or a stored node, allocated at first use. */
  of(node: GraphNode): number {
    const known = this.#ofNode.get(node)
    if (known !== undefined) return known
    if (!this.stored.has(node)) throw new InternalError(`schedule: ${node.op} ${printType(node.type)} has no memory`)
    const kind = isGiven(node) ? 'result' : this.outputs.has(node) ? 'output' : 'temp'
    const { dtype, shape } = typeOf(node)
    const made = this.#add({
      kind,
      device: onlyDevice,
      dtype,
      elements: productOf(shape),
      name: kind === 'temp' ? 't' : 'out',
    })
    this.#ofNode.set(node, made)
    return made
  }

  temp(dtype: Dtype, elements: Size, name: string): number {
    return this.#add({ kind: 'temp', device: onlyDevice, dtype, elements, name })
  }

  /** A buffer like one that was made before. */
  again(draft: BufferDraft): number {
    return this.#add(draft)
  }

  #add(draft: BufferDraft): number {
    return this.drafts.push(draft) - 1
  }

  input(index: number): number {
    const node = this.#inputs.find(input => input.op === 'input' && input.attrs.index === index)
    if (node === undefined) throw new InternalError(`schedule: no input ${index}`)
    return this.of(node)
  }

  /** Where a node's values are stored: in its own memory, or as a view of its input's. */
  locate(node: GraphNode): Located {
    if (node.op === 'input') {
      const { shape, strides } = node.attrs
      return { buffer: this.of(node), layout: { offset: 0, shape, strides } }
    }
    const placed = this.#placed.get(node)
    if (placed !== undefined) return placed
    if (this.stored.has(node)) return { buffer: this.of(node), layout: contiguousLayout(shapeOf(node)) }
    return this.locateView(node)
  }

  /** The result that a launch returns for its written input of index `input`; null when it is unused. */
  itemOf(launch: LaunchNode, input: number): GraphNode | null {
    const index = launch.attrs.writes.indexOf(input)
    const item = this.#items.get(launch)?.find(node => node.op === 'item' && node.attrs.index === index)
    return item !== undefined && this.stored.has(item) ? item : null
  }

  /** The results of control flow; null: unused. */
  itemsOf(node: ControlNode): readonly (GraphNode | null)[] {
    const items = (this.#items.get(node) ?? []).filter(item => this.stored.has(item))
    const count = node.type.kind === 'tuple' ? node.type.items.length : 0
    return Array.from(
      { length: count },
      (_, index) => items.find(item => item.op === 'item' && item.attrs.index === index) ?? null,
    )
  }

  /** Makes a stored node share memory that exists already. */
  place(node: GraphNode, located: Located): void {
    this.#placed.set(node, located)
  }

  /** The memory in which a launch updates its input of index `input`. */
  locateWritten(launch: LaunchNode, input: number): Located {
    const item = this.itemOf(launch, input)
    if (item !== null) return this.locate(item)
    const known = this.#unread.get(launch) ?? new Map<number, number>()
    this.#unread.set(launch, known)
    const { dtype, shape } = typeOf(launch.inputs[input]!)
    const buffer = known.get(input) ?? this.temp(dtype, productOf(shape), 't')
    known.set(input, buffer)
    return { buffer, layout: contiguousLayout(shape) }
  }

  /** The layout of a view's input as seen through the view, also for a view that was copied. */
  locateView(node: GraphNode): Located {
    if (!isView(node)) throw new InternalError(`schedule: ${node.op} ${printType(node.type)} has no memory`)
    const { buffer, layout } = this.locate(node.inputs[0]!)
    const view = viewLayout(node, layout)
    if (view === null) throw new InternalError(`schedule: ${node.op} to ${printType(node.type)} is no view`)
    return { buffer, layout: view }
  }
}

/** The node whose memory a node's values are stored in. */
export const memoryOf = (node: GraphNode, stored: ReadonlySet<GraphNode>): GraphNode =>
  stored.has(node) || !isView(node) ? node : memoryOf(node.inputs[0]!, stored)

export const accessAt = ({ buffer, layout }: Located, dtype: Dtype, map: IndexMap): Access =>
  accessOf(buffer, dtype, addAffine(constantIndex(layout.offset), dotAffine(map, layout.strides)))

/** Where a group stores a value. */
export function placeOf({ node, target }: GroupStore, graph: Graph, buffers: Buffers): Located {
  switch (target.kind) {
    case 'own':
      return buffers.locate(node)
    case 'part': {
      const { buffer, layout } = buffers.locate(target.cat)
      const dim = target.cat.op === 'cat' ? target.cat.attrs.dim : 0
      const offset = addSizes(layout.offset, mulSizes(target.start, layout.strides[dim]!))
      return { buffer, layout: { offset, shape: shapeOf(node), strides: layout.strides } }
    }
    case 'writeBack': {
      const { input, offset, shape, strides } = graph.writeBacks[target.index]!
      return { buffer: buffers.input(input), layout: { offset, shape, strides } }
    }
    case 'before':
    case 'update':
      return buffers.locate(target.scatter)
    case 'initial':
      return buffers.locateWritten(target.launch, target.input)
    default:
      return target satisfies never
  }
}

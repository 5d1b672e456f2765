/** From a group of graph nodes to a loop program: chains of views become the offsets and strides of accesses. */

import { canonical, type Plain } from '../../base/canonical.js'
import { InternalError } from '../../base/errors.js'
import { type Graph, type GraphNode, hasRole, isView, type TensorType, typeOf } from '../../graph/ir.js'
import { type Access, accessOf, indexOf, type RowAccess, type Windows } from '../../loop/access.js'
import {
  type LoopNode,
  type LoopOpName,
  type LoopOps,
  type LoopProgram,
  loopBuilder,
  type Primitive,
  type StoredRows,
  type WholeAt,
} from '../../loop/ir.js'
import type { Dtype } from '../../types/dtype.js'
import { constantIndex, type IndexMap, mapKey } from '../groups/affine.js'
import {
  type AnchorNode,
  foldedCoords,
  type Group,
  type GroupStore,
  type ScatterNode,
  scatterOf,
  sizesIn,
} from '../groups/group.js'
import { viewInputMap, withoutIndex } from '../groups/layout.js'
import { loopValue } from '../groups/values.js'
import { accessAt, type Buffers, type Located, placeOf } from '../memory/buffers.js'
import { resultMaps, templateOf } from '../templates/index.js'
import type { TemplateContext, TemplateParts } from '../templates/template.js'
import { linesBehind, opsBehind } from './names.js'

/** The loop program of a group. */
export function loopProgram(group: Group, graph: Graph, buffers: Buffers): LoopProgram {
  return new ProgramBuilder(group, graph, buffers).build()
}

class ProgramBuilder implements TemplateContext {
  readonly #builder = loopBuilder()
  readonly #known = new Map<string, LoopNode>()
  /** The values that templates compute. */
  readonly #results = new Map<GraphNode, LoopNode>()
  readonly reduced: readonly number[]
  /** Of the padding around the expression that is being built. */
  #windows: Windows = new Map()

  constructor(
    readonly group: Group,
    readonly graph: Graph,
    readonly buffers: Buffers,
  ) {
    this.reduced = [...foldedCoords(group)]
  }

  /** Builds the group's loop program: templates first, then the stores of all results. */
  build(): LoopProgram {
    const { coords, members, anchors, stores, anchorMap } = this.group
    const scatter = scatterOf(this.group)
    for (const node of anchors) this.#results.set(node, templateOf(node).build(this, node, anchorMap))
    const storesRows = [...this.#results.values()].some(({ type }) => type.kind === 'nothing')
    for (const store of storesRows ? [] : stores) this.#store(store)
    const nodes = [...new Set([...members, ...anchors, ...(scatter === null ? [] : [scatter])])].sort(
      (a, b) => a.id - b.id,
    )
    return {
      coords,
      reduced: new Set(this.reduced),
      body: this.#builder.finish(),
      alone: null,
      ops: opsBehind(nodes),
      lines: linesBehind(nodes),
    }
  }

  #store(store: GroupStore): void {
    const { node, map, target } = store
    const { dtype, shape } = typeOf(node)
    if (shape.includes(0)) return
    if (target.kind === 'update') {
      this.#update(target.scatter, map)
      return
    }
    const value = this.value(node, map)
    this.#builder.withOrigin(value.origin, () =>
      this.#builder.node('store', [value], { access: accessAt(placeOf(store, this.graph, this.buffers), dtype, map) }),
    )
  }

  #update(node: ScatterNode, map: IndexMap): void {
    const [, index, source] = node.inputs as readonly [GraphNode, GraphNode, GraphNode]
    const { dim, distinct, ...how } = node.attrs
    const { access, stride, length } = this.rowsOf(node, map, dim)
    const [along] = map[dim]!.terms.keys()
    if (along === undefined) throw new InternalError('schedule: a scatter without a loop along its dim')
    const attrs = { access, stride, size: length, along, ...how, ...(distinct === true && { distinct }) }
    this.make(node, 'update', [this.value(source, map), this.value(index, map)], attrs)
  }

  make<Op extends LoopOpName>(node: GraphNode, op: Op, inputs: readonly LoopNode[], attrs: LoopOps[Op]): LoopNode {
    return this.#builder.withOrigin(node.origin, () => this.#builder.node(op, inputs, attrs as never))
  }

  value(node: GraphNode, map: IndexMap): LoopNode {
    const key = `${node.id}@${mapKey(map)}${[...this.#windows].map(([coord, { start, size }]) => `;${coord}:${start}+${size}`).join('')}`
    const known = this.#known.get(key)
    if (known !== undefined) return known
    const made = this.#build(node, map)
    this.#known.set(key, made)
    return made
  }

  #build(node: GraphNode, map: IndexMap): LoopNode {
    const result = this.#results.get(node) ?? this.#itemOf(node)
    if (result !== undefined) return result
    if (!this.group.members.has(node)) return this.load(node, map)
    if (!isView(node)) return loopValue(node).build(this, node, map)
    const input = viewInputMap(node, map, sizesIn(this.group))
    if (input === null || 'split' in input) throw new InternalError(`schedule: ${node.op} is not affine in its group`)
    return this.value(node.inputs[0]!, input.map)
  }

  /** One of several results of the template. */
  #itemOf(node: GraphNode): LoopNode | undefined {
    const result = node.op === 'item' ? this.#results.get(node.inputs[0]!) : undefined
    if (result === undefined || node.op !== 'item' || node.attrs.index === 0) return result
    return this.make(node, 'result', [result], node.attrs)
  }

  load(node: GraphNode, map: IndexMap): LoopNode {
    // A group that stores a reshape that is not affine reads the reshape's input through a view.
    const own = this.group.stores.some(store => store.node === node && store.target.kind === 'own')
    const place = own ? this.buffers.locateView(node) : this.buffers.locate(node)
    return this.make(node, 'load', [], { access: this.#windowed(accessAt(place, typeOf(node).dtype, map)) })
  }

  rowsOf(node: GraphNode, map: IndexMap, dim: number): RowAccess {
    const rows = rowsIn(this.buffers.locate(node), typeOf(node).dtype, map, dim)
    return { ...rows, access: this.#windowed(rows.access) }
  }

  within<T>(windows: Windows, build: () => T): T {
    return this.#inWindows(new Map([...this.#windows, ...windows]), build)
  }

  throughout<T>(build: () => T): T {
    return this.#inWindows(new Map([...this.#windows].filter(([coord]) => !this.reduced.includes(coord))), build)
  }

  #inWindows<T>(windows: Windows, build: () => T): T {
    const around = this.#windows
    this.#windows = windows
    const made = build()
    this.#windows = around
    return made
  }

  #windowed(access: Access): Access {
    const own = [...this.#windows].filter(([coord]) => access.index.terms.has(coord))
    return own.length === 0 ? access : accessOf(access.buffer, access.dtype, access.index, new Map(own))
  }

  // --- templates ---------------------------------------------------------------------------------------------------

  storedRows(dim: number): StoredRows[] {
    return this.group.stores.map(store => {
      const { node, map } = store
      const { access, stride } = rowsIn(placeOf(store, this.graph, this.buffers), typeOf(node).dtype, map, dim)
      return { item: node.op === 'item' ? node.attrs.index : 0, access, stride, dim }
    })
  }

  #wholeAt(node: GraphNode): WholeAt {
    const { buffer, layout } = this.buffers.locate(node)
    const { dtype, shape } = typeOf(node)
    return { dtype, shape, strides: layout.strides, access: accessOf(buffer, dtype, constantIndex(layout.offset)) }
  }

  /** A template node: the indices of the operands and results that `parts` gives, as the loop dialect wants them. */
  template(node: AnchorNode, { inputs, operands, rows = [], whole = [], ...parts }: TemplateParts): LoopNode {
    const tensorAt = ({ dtype, shape }: TensorType, map: IndexMap) => ({ dtype, shape, index: map.map(indexOf) })
    const { anchorMap, folded } = this.group
    const read = rows.map(({ input, dim }) => {
      const tensor = node.inputs[input]!
      const { access, stride } = this.rowsOf(tensor, anchorMap, dim)
      return { ...tensorAt(typeOf(tensor), anchorMap), access, stride, dim }
    })
    const types = node.type.kind === 'tuple' ? node.type.items : [node.type]
    return this.make(node, 'template', inputs, {
      primitive: primitiveOf(node),
      operands: operands.map((map, i) => tensorAt(typeOf(node.inputs[i]!), map)),
      rows: read,
      whole: whole.map(input => this.#wholeAt(node.inputs[input]!)),
      results: resultMaps(node, anchorMap, folded?.indices ?? []).map((map, i) => tensorAt(types[i]!, map)),
      row: hasRole(node, 'rows') ? this.reduced[0]! : null,
      stored: [],
      axes: null,
      work: [],
      ...parts,
    })
  }
}

const primitiveOf = (node: GraphNode): Primitive => ({
  name: node.op,
  canonicalText: `${node.op} ${canonical(node.attrs as Plain)}`,
  node,
})

function rowsIn({ buffer, layout }: Located, dtype: Dtype, map: IndexMap, dim: number): RowAccess {
  const rest = {
    offset: layout.offset,
    shape: layout.shape.filter((_, d) => d !== dim),
    strides: layout.strides.filter((_, d) => d !== dim),
  }
  const access = accessAt({ buffer, layout: rest }, dtype, withoutIndex(map, dim))
  return { access, stride: layout.strides[dim]!, length: layout.shape[dim]! }
}

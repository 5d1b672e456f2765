/** From a group of graph nodes to a loop program: chains of views become the offsets and strides of accesses. */

import { InternalError } from '../../base/errors.js'
import { type GraphNode, typeOf } from '../../graph/ir.js'
import { type Access, accessOf, indexOf, type RowAccess, type RowResult, type Windows } from '../../loop/access.js'
import { dtypeOf, type LoopNode, type LoopOpName, type LoopOps, type LoopProgram, loopBuilder } from '../../loop/ir.js'
import { isArgReduction, reductionIdentity } from '../../scalar/ops.js'
import { computeDtype, type Dtype } from '../../types/dtype.js'
import {
  addAffine,
  constantIndex,
  dotAffine,
  type IndexMap,
  mapKey,
  rowMajorStrides,
  zeroIndex,
} from '../groups/affine.js'
import {
  foldedCoords,
  type Group,
  type GroupStore,
  isTrivialReduction,
  knowsGroup,
  reducedSizes,
  sizesIn,
} from '../groups/group.js'

import { paddedCoords, padInputMap, reduceInputMap, viewInputMap, withoutIndex } from '../groups/layout.js'
import { hasRole, isView } from '../groups/roles.js'
import type { Buffers, Located } from '../memory/buffers.js'
import { templateOf } from '../templates/index.js'
import { endsOf } from '../templates/matmul.js'
import type { ProgramContext } from '../templates/template.js'
import { linesBehind, opsBehind } from './names.js'

const isZero = (value: number | bigint): boolean => value === 0n || Object.is(value, 0)

export function accessAt({ buffer, layout }: Located, dtype: Dtype, map: IndexMap): Access {
  return accessOf(buffer, dtype, addAffine(constantIndex(layout.offset), dotAffine(map, layout.strides)))
}

/** The loop program of a group. `targetOf`: where it stores a value. */
export function loopProgram(group: Group, buffers: Buffers, targetOf: (store: GroupStore) => Located): LoopProgram {
  return new ProgramBuilder(group, buffers, targetOf).build()
}

class ProgramBuilder implements ProgramContext {
  readonly #builder = loopBuilder()
  readonly #known = new Map<string, LoopNode>()
  /** The values that templates compute. */
  readonly #results = new Map<GraphNode, LoopNode>()
  readonly #reduced: readonly number[]
  /** Of the padding around the expression that is being built. */
  #windows: Windows = new Map()

  constructor(
    readonly group: Group,
    readonly buffers: Buffers,
    readonly targetOf: (store: GroupStore) => Located,
  ) {
    this.#reduced = [...foldedCoords(group)]
  }

  build(): LoopProgram {
    const { coords, members, anchors, stores } = this.group
    for (const node of anchors) this.#results.set(node, templateOf(node).build(this, node, this.group.anchorMap))
    const isRow = anchors.some(({ op }) => op === 'topk' || op === 'sort' || op === 'scatter')
    for (const store of isRow ? [] : stores) this.#store(store)
    const nodes = [...new Set([...members, ...anchors])].sort((a, b) => a.id - b.id)
    return {
      coords,
      reduced: new Set(this.#reduced),
      body: this.#builder.finish(),
      alone: null,
      ops: opsBehind(nodes),
      lines: linesBehind(nodes),
    }
  }

  #store(store: GroupStore): void {
    const { node, map } = store
    const { dtype, shape } = typeOf(node)
    if (shape.includes(0)) return
    const value = this.value(node, map)
    this.#builder.withOrigin(value.origin, () =>
      this.#builder.node('store', [value], { access: accessAt(this.targetOf(store), dtype, map) }),
    )
  }

  make<Op extends LoopOpName>(node: GraphNode, op: Op, inputs: readonly LoopNode[], attrs: LoopOps[Op]): LoopNode {
    return this.#builder.withOrigin(node.origin, () => this.#builder.node(op, inputs, attrs as never))
  }

  #constant(node: GraphNode, dtype: Dtype, value: number | bigint): LoopNode {
    return this.make(node, 'constant', [], { dtype, value })
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
    if (isView(node)) {
      const input = viewInputMap(node, map, sizesIn(this.group))
      if (input === null || 'split' in input) throw new InternalError(`schedule: ${node.op} is not affine in its group`)
      return this.value(node.inputs[0]!, input.map)
    }
    return this.#compute(node, map)
  }

  /** One of several results of the template. */
  #itemOf(node: GraphNode): LoopNode | undefined {
    const result = node.op === 'item' ? this.#results.get(node.inputs[0]!) : undefined
    if (result === undefined || node.op !== 'item' || node.attrs.index === 0) return result
    return this.make(node, 'logSumExp', [result], {})
  }

  load(node: GraphNode, map: IndexMap): LoopNode {
    // A group that stores a reshape that is not affine reads the reshape's input through a view.
    const own = this.group.stores.some(store => store.node === node && store.target.kind === 'own')
    const place = own ? this.buffers.locateView(node) : this.buffers.locate(node)
    return this.make(node, 'load', [], { access: this.#windowed(accessAt(place, typeOf(node).dtype, map)) })
  }

  #compute(node: GraphNode, map: IndexMap): LoopNode {
    if (!hasRole(node, 'scalar', 'pointwise', 'computed'))
      throw new InternalError(`schedule: ${node.op} is no part of a loop`)
    const inputs = (): LoopNode[] => (node.inputs as readonly GraphNode[]).map(input => this.value(input, map))
    switch (node.op) {
      case 'constant':
        return this.#constant(node, node.attrs.dtype, node.attrs.value)
      case 'size':
        return this.make(node, 'size', [], node.attrs)
      case 'scalarInput':
        return this.make(node, 'scalarInput', [], node.attrs)
      case 'iota':
        return this.make(node, 'index', [], { index: indexOf(map[0]!), dtype: node.attrs.dtype })
      case 'map':
        return this.make(node, 'map', inputs(), node.attrs)
      case 'cast':
        return this.make(node, 'cast', inputs(), node.attrs)
      case 'bitcast':
        return this.make(node, 'bitcast', inputs(), node.attrs)
      case 'copy':
        return inputs()[0]!
      case 'groupOf':
        return knowsGroup(this.group, node, map)
          ? this.make(node, 'group', [], { ...endsOf(this, node), row: indexOf(map[0]!) })
          : this.value(node.inputs[1]!, map)
      case 'gather':
        return this.#gather(node, map)
      case 'random': {
        const index = indexOf(dotAffine(map, rowMajorStrides(typeOf(node).shape)))
        const operands = node.inputs.map(input => this.value(input, []))
        return this.make(node, 'random', operands, { index, dtype: node.attrs.dtype })
      }
      case 'reduce':
        return this.#reduce(node, map)
      case 'pad':
        return this.#pad(node, map)
      default:
        return node satisfies never
    }
  }

  #gather(node: Extract<GraphNode, { op: 'gather' }>, map: IndexMap): LoopNode {
    const [source, index] = node.inputs as [GraphNode, GraphNode]
    const { access, stride, length } = this.rowsOf(source, map, node.attrs.dim)
    const at = this.value(index, map)
    return this.make(node, 'gather', [at], { access: this.#windowed(access), stride, size: length })
  }

  #windowed(access: Access): Access {
    const own = [...this.#windows].filter(([coord]) => access.index.terms.has(coord))
    return own.length === 0 ? access : accessOf(access.buffer, access.dtype, access.index, new Map(own))
  }

  /**
   * Padding: the input, read at the output's indices less the padding. A plain load is masked to the input's bounds and
   * gives 0 outside them, which suffices to pad with 0; any other padding, or a computed input, needs a select on the index.
   */
  #pad(node: Extract<GraphNode, { op: 'pad' }>, map: IndexMap): LoopNode {
    const [input] = node.inputs as [GraphNode]
    const { before, after, value } = node.attrs
    const windows = paddedCoords(node, map)
    const inner = padInputMap(node, map)
    if (windows === null || inner === null) throw new InternalError('schedule: a pad whose dims are no loops')
    const around = this.#windows
    this.#windows = new Map([...around, ...windows])
    const read = this.value(input, inner)
    this.#windows = around
    // A load that does not depend on a loop, as along a dim of size 1, is not bounded by it.
    const ends = read.op === 'load' && [...windows.keys()].every(coord => read.attrs.access.windows?.has(coord))
    if (ends && isZero(value)) return read
    const conditions = map.flatMap((_, d): LoopNode[] => {
      if (before[d] === 0 && after[d] === 0) return []
      const index = this.make(node, 'index', [], { index: indexOf(inner[d]!), dtype: 'i64' })
      const size = this.make(node, 'size', [], { size: typeOf(input).shape[d]! })
      const compare = (fn: 'ge' | 'lt', limit: LoopNode): LoopNode => this.make(node, 'map', [index, limit], { fn })
      return [compare('ge', this.#constant(node, 'i64', 0n)), compare('lt', size)]
    })
    const inside = conditions.reduce((a, b) => this.make(node, 'map', [a, b], { fn: 'and' }))
    const { dtype } = typeOf(node)
    const wide = computeDtype(dtype)
    const cast = (of: LoopNode, to: Dtype): LoopNode =>
      dtypeOf(of) === to ? of : this.make(node, 'cast', [of], { to })
    const chosen = [inside, cast(read, wide), this.#constant(node, wide, value)]
    return cast(this.make(node, 'map', chosen, { fn: 'where' }), dtype)
  }

  #reduce(node: Extract<GraphNode, { op: 'reduce' }>, map: IndexMap): LoopNode {
    const { fn, dims } = node.attrs
    const { dtype } = typeOf(node)
    const [input] = node.inputs as [GraphNode]
    if (isTrivialReduction(node)) {
      const first = dims.map(() => zeroIndex)
      return isArgReduction(fn) ? this.#constant(node, dtype, 0n) : this.value(input, reduceInputMap(map, dims, first))
    }
    if (reducedSizes(node).includes(0)) {
      return this.#constant(node, dtype, isArgReduction(fn) ? 0n : reductionIdentity(fn, dtype))
    }
    const folded = this.value(input, reduceInputMap(map, dims, this.group.folded!.indices))
    return this.make(node, 'reduce', [folded], { fn, over: this.#reduced })
  }

  // --- templates ---------------------------------------------------------------------------------------------------

  rowsOf(node: GraphNode, map: IndexMap, dim: number): RowAccess {
    return this.#rowAccess(this.buffers.locate(node), typeOf(node).dtype, map, dim)
  }

  rowsOfResult(map: IndexMap, dim: number): RowAccess {
    const [store] = this.group.stores as [GroupStore]
    return this.#rowAccess(this.targetOf(store), typeOf(store.node).dtype, map, dim)
  }

  #rowAccess({ buffer, layout }: Located, dtype: Dtype, map: IndexMap, dim: number): RowAccess {
    const rest = {
      offset: layout.offset,
      shape: layout.shape.filter((_, d) => d !== dim),
      strides: layout.strides.filter((_, d) => d !== dim),
    }
    const access = accessAt({ buffer, layout: rest }, dtype, withoutIndex(map, dim))
    return { access, stride: layout.strides[dim]!, length: layout.shape[dim]! }
  }

  rowResults(dim: number): RowResult[] {
    return this.group.stores.map(store => {
      if (store.node.op !== 'item') throw new InternalError('schedule: a row template stores items')
      const { access, stride } = this.#rowAccess(this.targetOf(store), typeOf(store.node).dtype, store.map, dim)
      return { item: store.node.attrs.index, access, stride }
    })
  }
}

/**
 * What a kernel computes, free of the graph: expressions over the coordinates of its loops, whose leaves are memory
 * accesses, and stores. A chain of views has become the offset and strides of an access.
 */
import { InternalError } from '../base/errors.js'
import { type GraphNode, type GraphOps, type ScatterFold, typeOf } from '../graph/ir.js'
import type { Origin } from '../ir/node.js'
import { isArgReduction, type ReductionName, reductionIdentity, type ScalarOpName, scalarOp } from '../scalar/ops.js'
import type { Size } from '../scalar/size.js'
import { computeDtype, type Dtype, type Float8 } from '../types/dtype.js'
import {
  type Affine,
  addAffine,
  constantIndex,
  dotAffine,
  type IndexMap,
  mapKey,
  rowMajorStrides,
  zeroIndex,
} from './affine.js'
import type { Buffers, Located } from './buffers.js'
import type { Group, GroupOfNode, Store } from './group.js'
import { isProduct, isTrivialReduction, operandMaps, reducedSizes } from './group.js'
import { isView, paddedCoords, padInputMap, reduceInputMap, viewInputMap, withoutIndex } from './layout.js'

/** Memory reached by coordinates: element index.offset + Σ index.terms · coordinate of a buffer. */
export interface Access {
  readonly buffer: number
  readonly dtype: Dtype
  readonly index: Affine
  /**
   * The part of a coordinate's range in which there is memory, for those that run beyond it: what lies outside reads as 0.
   * Padding.
   */
  readonly windows?: Windows
}

/** From which value of a coordinate on, and for how many. */
export type Windows = ReadonlyMap<number, { readonly start: number; readonly size: Size }>

interface ExprBase {
  readonly id: number
  readonly dtype: Dtype
  readonly origin: Origin
  /** The coordinates it depends on. */
  readonly coords: ReadonlySet<number>
  readonly inputs: readonly Expr[]
}

export type ExprKind =
  | { readonly kind: 'load'; readonly access: Access }
  | { readonly kind: 'constant'; readonly value: number | bigint }
  | { readonly kind: 'size'; readonly size: Size }
  | { readonly kind: 'scalarInput'; readonly input: number; readonly name: string }
  /** An affine index as a number. */
  | { readonly kind: 'index'; readonly index: Affine }
  | { readonly kind: 'map'; readonly fn: ScalarOpName }
  | { readonly kind: 'cast' }
  | { readonly kind: 'bitcast' }
  /** (index): one element more: `access` plus index · stride for 0 ≤ index < size, else 0. */
  | { readonly kind: 'gather'; readonly access: Access; readonly stride: Size; readonly size: Size }
  /** (seed, offset): the uniform number at counter offset + index. */
  | { readonly kind: 'random'; readonly index: Affine }
  /** Folds all reduced coordinates. */
  | { readonly kind: 'reduce'; readonly fn: ReductionName }
  /** What the kernel's template computes; of several products, which. */
  | { readonly kind: 'anchor'; readonly product: number }
  /** The group of the program's rows. */
  | { readonly kind: 'group' }

export type Expr = ExprBase & ExprKind

export interface BodyStore {
  readonly expr: Expr
  readonly access: Access
}

export interface MatmulOperands {
  readonly a: Expr
  readonly b: Expr
}

/** Template parts of a kernel. Coordinates: those of the matmul's m, n, k; the row of a scan or topk. */
export type Anchor =
  | {
      readonly kind: 'matmul'
      /** In one loop: all have the same left, or the same right operand. */
      readonly products: readonly MatmulOperands[]
      readonly accumulate: 'f32' | 'f64' | 'i32'
      /** The operands are codes of these. */
      readonly codes: readonly [Float8, Float8] | null
      readonly precision: 'f32' | 'tf32'
      readonly m: ReadonlySet<number>
      readonly n: ReadonlySet<number>
      /** null: one matrix for all rows. */
      readonly ragged: Ragged | null
    }
  | {
      readonly kind: 'attention'
      readonly q: Expr
      readonly k: Expr
      readonly v: Expr
      readonly mask: Expr | null
      readonly attrs: GraphOps['attention']
      /** Coordinates of queries, columns of the values, keys, and the depth of the heads. */
      readonly rows: ReadonlySet<number>
      readonly columns: ReadonlySet<number>
      readonly keys: ReadonlySet<number>
      readonly depth: ReadonlySet<number>
    }
  | {
      readonly kind: 'scan'
      readonly input: Expr
      readonly fn: 'add' | 'mul' | 'min' | 'max'
      readonly reverse: boolean
    }
  | {
      readonly kind: 'topk'
      readonly input: Expr
      readonly k: number
      readonly largest: boolean
      readonly results: readonly RowResult[]
    }
  | {
      readonly kind: 'sort'
      readonly input: Expr
      readonly descending: boolean
      readonly results: readonly RowResult[]
    }
  | {
      readonly kind: 'scatter'
      /** What the result holds at first. */
      readonly input: Expr
      readonly fold: ScatterFold
      readonly index: RowAccess
      readonly source: RowAccess
      readonly result: RowAccess
    }

export type MatmulAnchor = Extract<Anchor, { kind: 'matmul' }>

/** Rows in groups, each with a matrix of its own: where the groups end, and the coordinate of the matrices. */
export interface Ragged {
  readonly ends: RowAccess
  /** So many of the first ends end no group. */
  readonly skip: 0 | 1
  readonly group: ReadonlySet<number>
}

/** A tensor read or written by rows: `access` without the row, and the row's stride and length. */
export interface RowAccess {
  readonly access: Access
  readonly stride: Size
  readonly length: Size
}

/** Where a topk or sort puts its values (0) or indices (1): `access` without the row, and the stride along the row. */
export interface RowResult {
  readonly item: number
  readonly access: Access
  readonly stride: Size
}

export interface Body {
  readonly coords: ReadonlyMap<number, Size>
  readonly reduced: ReadonlySet<number>
  readonly stores: readonly BodyStore[]
  readonly anchor: Anchor | null
  /** A coordinate that must stay an axis of its own: the parts of a split reduction. */
  readonly alone: number | null
  /** The graph nodes computed, in order. */
  readonly nodes: readonly GraphNode[]
}

/** Makes expressions, each once. */
export class ExprBuilder {
  #next = 0

  make(kind: ExprKind, dtype: Dtype, inputs: readonly Expr[], coords: Iterable<number>, origin: Origin): Expr {
    return { ...kind, id: this.#next++, dtype, inputs, coords: new Set(coords), origin }
  }
}

const isZero = (value: number | bigint): boolean => value === 0n || Object.is(value, 0)

export function accessAt({ buffer, layout }: Located, dtype: Dtype, map: IndexMap): Access {
  return { buffer, dtype, index: addAffine(constantIndex(layout.offset), dotAffine(map, layout.strides)) }
}

export function buildBody(group: Group, buffers: Buffers, targetOf: (store: Store) => Located): Body {
  return new BodyBuilder(group, buffers).build(targetOf)
}

class BodyBuilder {
  readonly #exprs = new ExprBuilder()
  readonly #known = new Map<string, Expr>()
  readonly #reduced: ReadonlySet<number>
  /** Of the paddings around what is being built. */
  #windows: Windows = new Map()

  constructor(
    readonly group: Group,
    readonly buffers: Buffers,
  ) {
    this.#reduced = group.reducedCoords
  }

  build(targetOf: (store: Store) => Located): Body {
    const { group } = this
    const anchor = this.#anchor(targetOf)
    const rowed = anchor?.kind === 'topk' || anchor?.kind === 'sort' || anchor?.kind === 'scatter'
    const filled = rowed ? [] : group.stores.filter(({ node }) => !typeOf(node).shape.includes(0))
    const stores = filled.map(store => ({
      expr: this.#expr(store.node, store.map),
      access: accessAt(targetOf(store), typeOf(store.node).dtype, store.map),
    }))
    const nodes = [...group.members, ...group.anchors]
    const ordered = [...new Set(nodes)].sort((a, b) => a.id - b.id)
    return { coords: group.coords, reduced: this.#reduced, stores, anchor, alone: null, nodes: ordered }
  }

  #make(node: GraphNode, kind: ExprKind, inputs: readonly Expr[], coords: Iterable<number> = unionOf(inputs)): Expr {
    return this.#exprs.make(kind, typeOf(node).dtype, inputs, coords, node.origin)
  }

  #expr(node: GraphNode, map: IndexMap): Expr {
    const key = `${node.id}@${mapKey(map)}${[...this.#windows].map(([coord, { start, size }]) => `;${coord}:${start}+${size}`).join('')}`
    const known = this.#known.get(key)
    if (known !== undefined) return known
    const made = this.#build(node, map)
    this.#known.set(key, made)
    return made
  }

  #build(node: GraphNode, map: IndexMap): Expr {
    const product = (this.group.anchors as readonly GraphNode[]).indexOf(node)
    if (product >= 0) {
      return this.#make(
        node,
        { kind: 'anchor', product },
        [],
        isProduct(node) ? this.group.keptCoords : this.group.coords.keys(),
      )
    }
    if (!this.group.members.has(node)) return this.#load(node, map)
    if (isView(node)) {
      const input = viewInputMap(node, map, this.group.sizeOf)
      if (input === null || 'split' in input) throw new InternalError(`schedule: ${node.op} is not affine in its group`)
      return this.#expr(node.inputs[0]!, input.map)
    }
    return this.#compute(node, map)
  }

  #load(node: GraphNode, map: IndexMap): Expr {
    // A group that stores a reshape it could not compute reads the reshape's input through it.
    const own = this.group.stores.some(store => store.node === node && store.target.kind === 'own')
    const place = own ? this.buffers.locateView(node) : this.buffers.locate(node)
    const access = this.#windowed(accessAt(place, typeOf(node).dtype, map))
    return this.#make(node, { kind: 'load', access }, [], access.index.terms.keys())
  }

  #compute(node: GraphNode, map: IndexMap): Expr {
    const inputs = (): Expr[] => node.inputs.map(input => this.#expr(input, map))
    switch (node.op) {
      case 'constant':
        return this.#make(node, { kind: 'constant', value: node.attrs.value }, [])
      case 'size':
        return this.#make(node, { kind: 'size', size: node.attrs.size }, [])
      case 'scalarInput':
        return this.#make(node, { kind: 'scalarInput', input: node.attrs.index, name: node.attrs.name }, [])
      case 'iota':
        return this.#make(node, { kind: 'index', index: map[0]! }, [], map[0]!.terms.keys())
      case 'map':
        return this.#make(node, { kind: 'map', fn: node.attrs.fn }, inputs())
      case 'cast':
        return this.#make(node, { kind: 'cast' }, inputs())
      case 'bitcast':
        return this.#make(node, { kind: 'bitcast' }, inputs())
      case 'copy':
        return inputs()[0]!
      case 'groupOf':
        return this.group.knowsGroup(node, map)
          ? this.#make(node, { kind: 'group' }, [])
          : this.#expr(node.inputs[1]!, map)
      case 'gather':
        return this.#gather(node, map)
      case 'random': {
        const index = dotAffine(map, rowMajorStrides(typeOf(node).shape))
        const operands = node.inputs.map(input => this.#expr(input, []))
        return this.#make(node, { kind: 'random', index }, operands, index.terms.keys())
      }
      case 'reduce':
        return this.#reduce(node, map)
      case 'pad':
        return this.#pad(node, map)
      default:
        throw new InternalError(`schedule: ${node.op} is no part of a loop`)
    }
  }

  #gather(node: Extract<GraphNode, { op: 'gather' }>, map: IndexMap): Expr {
    const [source, index] = node.inputs as [GraphNode, GraphNode]
    const { dim } = node.attrs
    const { buffer, layout } = this.buffers.locate(source)
    const rest = {
      offset: layout.offset,
      shape: layout.shape.filter((_, d) => d !== dim),
      strides: layout.strides.filter((_, d) => d !== dim),
    }
    const access = this.#windowed(accessAt({ buffer, layout: rest }, typeOf(node).dtype, withoutIndex(map, dim)))
    const at = this.#expr(index, map)
    const coords = [...access.index.terms.keys(), ...at.coords]
    return this.#make(
      node,
      { kind: 'gather', access, stride: layout.strides[dim]!, size: layout.shape[dim]! },
      [at],
      coords,
    )
  }

  #windowed(access: Access): Access {
    const own = [...this.#windows].filter(([coord]) => access.index.terms.has(coord))
    return own.length === 0 ? access : { ...access, windows: new Map(own) }
  }

  /** The input at its own indices, read as 0 outside; where that is not the value, or more than a read, chosen by index. */
  #pad(node: Extract<GraphNode, { op: 'pad' }>, map: IndexMap): Expr {
    const [input] = node.inputs as [GraphNode]
    const { before, value } = node.attrs
    const windows = paddedCoords(node, map)
    const inner = padInputMap(node, map)
    if (windows === null || inner === null) throw new InternalError('schedule: a pad whose dims are no loops')
    const around = this.#windows
    this.#windows = new Map([...around, ...windows])
    const read = this.#expr(input, inner)
    this.#windows = around
    // A read that does not depend on a loop, as along a dim of one element, has no end there.
    const ends = read.kind === 'load' && [...windows.keys()].every(coord => read.access.windows?.has(coord))
    if (ends && isZero(value)) return read
    const make = (kind: ExprKind, dtype: Dtype, inputs: readonly Expr[], coords = unionOf(inputs)): Expr =>
      this.#exprs.make(kind, dtype, inputs, coords, node.origin)
    const conditions = map.flatMap((_, d): Expr[] => {
      if (before[d] === 0 && node.attrs.after[d] === 0) return []
      const index = make({ kind: 'index', index: inner[d]! }, 'i64', [], new Set(inner[d]!.terms.keys()))
      const zero = make({ kind: 'constant', value: 0n }, 'i64', [])
      const size = make({ kind: 'size', size: typeOf(input).shape[d]! }, 'i64', [])
      const compare = (fn: 'ge' | 'lt', limit: Expr): Expr => make({ kind: 'map', fn }, 'bool', [index, limit])
      return [compare('ge', zero), compare('lt', size)]
    })
    const inside = conditions.reduce((a, b) => make({ kind: 'map', fn: 'and' }, 'bool', [a, b]))
    const { dtype } = typeOf(node)
    const wide = computeDtype(dtype)
    const fill = make({ kind: 'constant', value }, wide, [])
    const cast = (expr: Expr, to: Dtype): Expr => (expr.dtype === to ? expr : make({ kind: 'cast' }, to, [expr]))
    return cast(make({ kind: 'map', fn: 'where' }, wide, [inside, cast(read, wide), fill]), dtype)
  }

  #reduce(node: Extract<GraphNode, { op: 'reduce' }>, map: IndexMap): Expr {
    const { fn, dims } = node.attrs
    if (isTrivialReduction(node)) {
      if (isArgReduction(fn)) return this.#make(node, { kind: 'constant', value: 0n }, [])
      return this.#expr(
        node.inputs[0]!,
        reduceInputMap(
          map,
          dims,
          dims.map(() => zeroIndex),
        ),
      )
    }
    if (reducedSizes(node).includes(0)) {
      const value = isArgReduction(fn) ? 0n : reductionIdentity(fn, typeOf(node).dtype)
      return this.#make(node, { kind: 'constant', value }, [])
    }
    const input = this.#expr(node.inputs[0]!, reduceInputMap(map, dims, this.group.reduction!.indices))
    const coords = [...new Set([...input.coords, ...map.flatMap(index => [...index.terms.keys()])])]
    return this.#make(
      node,
      { kind: 'reduce', fn },
      [input],
      coords.filter(coord => !this.#reduced.has(coord)),
    )
  }

  // --- templates ---------------------------------------------------------------------------------------------------

  #anchor(targetOf: (store: Store) => Located): Anchor | null {
    const node = this.group.anchor
    const map = this.group.anchorMap
    switch (node?.op) {
      case undefined:
        return null
      case 'matmul': {
        const { accumulate, codes = null, precision = 'f32' } = node.attrs
        if (accumulate === 'i64') throw new InternalError('schedule: an i64 matmul reached the template')
        return this.#products(
          { accumulate, codes, precision, ragged: null },
          operandMaps(node, map, this.group.reduction!.indices),
        )
      }
      case 'raggedMatmul': {
        const { accumulate, codes = null, precision = 'f32' } = node.attrs
        const { indices } = this.group.reduction!
        const ragged = this.#ragged(node.inputs[2] as GroupOfNode, indices.at(-1)!)
        return this.#products({ accumulate, codes, precision, ragged }, operandMaps(node, map, indices))
      }
      case 'attention': {
        const indices = this.group.reduction!.indices
        const maps = operandMaps(node, map, indices)
        const [q, k, v, mask] = node.inputs.map((input, i) => this.#expr(input, maps[i]!)) as [Expr, Expr, Expr, Expr?]
        const [keys, depth] = indices.map(index => new Set(index.terms.keys())) as [Set<number>, Set<number>]
        const [rows, columns] = map.slice(-2).map(index => new Set(index.terms.keys())) as [Set<number>, Set<number>]
        return { kind: 'attention', q, k, v, mask: mask ?? null, attrs: node.attrs, rows, columns, keys, depth }
      }
      case 'scan':
        return { kind: 'scan', input: this.#expr(node.inputs[0]!, map), fn: node.attrs.fn, reverse: node.attrs.reverse }
      case 'topk': {
        const { k, largest, dim } = node.attrs
        return {
          kind: 'topk',
          input: this.#expr(node.inputs[0]!, map),
          k,
          largest,
          results: this.#rowResults(dim, targetOf),
        }
      }
      case 'sort': {
        const { dim, descending } = node.attrs
        return {
          kind: 'sort',
          input: this.#load(node.inputs[0]!, map),
          descending,
          results: this.#rowResults(dim, targetOf),
        }
      }
      case 'scatter': {
        const { dim, fold } = node.attrs
        const [input, index, source] = node.inputs as [GraphNode, GraphNode, GraphNode]
        const row = (of: GraphNode): RowAccess => this.#rowAccess(this.buffers.locate(of), typeOf(of).dtype, map, dim)
        const result = this.#rowAccess(targetOf(this.group.stores[0]!), typeOf(node).dtype, map, dim)
        return { kind: 'scatter', input: this.#expr(input, map), fold, index: row(index), source: row(source), result }
      }
      default:
        return node satisfies never
    }
  }

  #products(
    attrs: Pick<MatmulAnchor, 'accumulate' | 'codes' | 'precision' | 'ragged'>,
    maps: readonly IndexMap[],
  ): MatmulAnchor {
    const { anchors, anchorMap } = this.group
    const [m, n] = anchorMap.slice(-2).map(index => new Set(index.terms.keys())) as [Set<number>, Set<number>]
    const products = anchors.map(({ inputs: [a, b] }) => ({ a: this.#expr(a!, maps[0]!), b: this.#expr(b!, maps[1]!) }))
    return { kind: 'matmul', products, ...attrs, m, n }
  }

  #ragged(node: GroupOfNode, group: Affine): Ragged {
    const ends = node.inputs[0]!
    const row = this.#rowAccess(this.buffers.locate(ends), typeOf(ends).dtype, [zeroIndex], 0)
    return { ends: row, skip: node.attrs.skip, group: new Set(group.terms.keys()) }
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

  #rowResults(dim: number, targetOf: (store: Store) => Located): RowResult[] {
    return this.group.stores.map(store => {
      if (store.node.op !== 'item') throw new InternalError('schedule: a row template stores items')
      const { access, stride } = this.#rowAccess(targetOf(store), typeOf(store.node).dtype, store.map, dim)
      return { item: store.node.attrs.index, access, stride }
    })
  }
}

export function unionOf(inputs: readonly Expr[]): Set<number> {
  return new Set(inputs.flatMap(input => [...input.coords]))
}

/** Every expression that the roots need, inputs before users. */
export function exprsOf(roots: readonly Expr[]): Expr[] {
  const seen = new Set<Expr>()
  const order: Expr[] = []
  for (const root of roots) {
    const stack: [Expr, boolean][] = [[root, false]]
    while (stack.length > 0) {
      const [expr, ready] = stack.pop()!
      if (ready) order.push(expr)
      else if (!seen.has(expr)) {
        seen.add(expr)
        stack.push([expr, true])
        for (const input of expr.inputs.toReversed()) stack.push([input, false])
      }
    }
  }
  return order
}

function operandsOf(anchor: Anchor | null): Expr[] {
  switch (anchor?.kind) {
    case undefined:
      return []
    case 'matmul':
      return anchor.products.flatMap(({ a, b }) => [a, b])
    case 'attention':
      return [anchor.q, anchor.k, anchor.v, ...(anchor.mask === null ? [] : [anchor.mask])]
    default:
      return [anchor!.input]
  }
}

/** The expressions a body starts from. */
export function rootsOf({ stores, anchor }: Body): Expr[] {
  return [...operandsOf(anchor), ...stores.map(store => store.expr)]
}

export function costOf(expr: Expr): number {
  switch (expr.kind) {
    case 'map':
      return scalarOp(expr.fn).cost
    case 'random':
      return 120
    case 'cast':
    case 'reduce':
      return 1
    default:
      return 0
  }
}

/** True when a value is stored for every element of the reduced dims, also one that is the same for all of them. */
export const isPerElement = ({ expr, access }: BodyStore, { reduced }: Body): boolean =>
  [...expr.coords, ...access.index.terms.keys()].some(coord => reduced.has(coord))

/** How many reductions follow one another up to an expression. */
export function depths(exprs: readonly Expr[]): Map<Expr, number> {
  const found = new Map<Expr, number>()
  for (const expr of exprs) {
    const before = Math.max(0, ...expr.inputs.map(input => found.get(input)!))
    found.set(expr, before + (expr.kind === 'reduce' ? 1 : 0))
  }
  return found
}

/** Nothing but reductions that wait for no other, and work on their results: they can be done in parts. */
export function isPlainReduction(body: Body): boolean {
  if (body.anchor !== null || body.reduced.size === 0) return false
  const waits = Math.max(...depths(exprsOf(rootsOf(body))).values()) > 1
  return !waits && body.stores.every(store => !isPerElement(store, body))
}

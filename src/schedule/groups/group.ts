/**
 * A group: graph nodes that one kernel computes. It has loops (coordinates), the values it stores, and for every node the
 * indices at which it needs that node. Member nodes are computed in the kernel; all others are read from memory.
 */

import { InternalError } from '../../base/errors.js'
import { type GraphNode, type Shape, typeOf } from '../../graph/ir.js'
import { exactQuotient, mulSizes, type Size } from '../../scalar/size.js'
import {
  type Affine,
  addAffine,
  type Coord,
  coordIndex,
  coordsOf,
  digitsOf,
  type IndexMap,
  mapKey,
  type Split,
  scaleAffine,
  substitute,
  zeroIndex,
} from './affine.js'
import { type PadNode, paddedCoords, padInputMap, reduceInputMap, viewInputMap } from './layout.js'
import { hasRole, isView, type NodeOfRole } from './roles.js'

/** Where a stored value goes: memory of its own, its part of a concatenation, or an argument's memory. */
export type Target =
  | { readonly kind: 'own' }
  | { readonly kind: 'part'; readonly cat: GraphNode; readonly start: Size }
  | { readonly kind: 'writeBack'; readonly index: number }
  /** The value that a kernel's written input has before the launch. */
  | { readonly kind: 'initial'; readonly launch: LaunchNode; readonly input: number }

export interface Store {
  readonly node: GraphNode
  readonly map: IndexMap
  readonly target: Target
}

/** In a kernel around a matmul, topk or scan: before the anchor (on its operands) or after it. Others are all `main`. */
export type Role = 'main' | 'prologue'

export interface Touch {
  readonly maps: Map<string, IndexMap>
  readonly roles: Set<Role>
}

/** The dims that a group's reductions fold: their indices, and their sizes before coordinates were split. */
export interface Reduction {
  indices: readonly Affine[]
  readonly sizes: readonly Size[]
}

export type LaunchNode = Extract<GraphNode, { op: 'launch' }>
export type ControlNode = NodeOfRole<'control'>

/** Nodes that may anchor a kernel which also does elementwise work on their results: matmuls and attention. */
export type ContractionNode = NodeOfRole<'contraction'>

/** Matmuls: they decode their operands on the fly, and several may share one K loop. */
export type MatmulNode = Extract<GraphNode, { op: 'matmul' | 'raggedMatmul' }>
export const isMatmul = (node: GraphNode | null): node is MatmulNode =>
  node?.op === 'matmul' || node?.op === 'raggedMatmul'

/** Nodes that a template computes. */
export type AnchorNode = NodeOfRole<'contraction' | 'rows'>
export type GroupOfNode = Extract<GraphNode, { op: 'groupOf' }>

interface Need {
  readonly node: GraphNode
  readonly map: IndexMap
}

/** Allocates coordinates: unique among all groups of a graph, so that groups can merge. */
export class CoordSource {
  #next = 0
  next(): number {
    return this.#next++
  }
}

export class Group {
  readonly coords = new Map<number, Size>()
  readonly stores: Store[] = []
  readonly touched = new Map<GraphNode, Touch>()
  readonly members = new Set<GraphNode>()
  /** Groups whose results it reads. */
  readonly producers = new Set<Group>()
  /** Nodes that it reads from memory at indices other than its coordinates: gather sources, rows to sort. */
  readonly memoryReads = new Set<GraphNode>()
  reduction: Reduction | null = null
  anchor: AnchorNode | null = null
  /** Further matmuls in the anchor's K loop: they share an operand with it. */
  readonly siblings: MatmulNode[] = []
  /** Set for a user's kernel: the group then has no loops, and stores only the launch's results. */
  launch: LaunchNode | null = null
  /** Set for control flow: the group then has no loops, and stores only its results. */
  control: ControlNode | null = null
  /** The index of the anchor, and of its siblings, within the group. */
  anchorMap: IndexMap = []
  /** Coordinates that must not be split, since an index along them is a result. */
  readonly whole = new Set<number>()
  /** Stores into an argument, so it merges with no other group. */
  exclusive = false
  mergedInto: Group | null = null

  constructor(readonly coordSource: CoordSource) {}

  readonly sizeOf = (coord: number): Size => {
    const size = this.coords.get(coord)
    if (size === undefined) throw new InternalError(`schedule: no coordinate ${coord}`)
    return size
  }

  /** What the group's template computes. */
  get anchors(): readonly AnchorNode[] {
    return this.anchor === null ? [] : [this.anchor, ...this.siblings]
  }

  /** The group that this one was merged into. */
  get current(): Group {
    let group: Group = this
    while (group.mergedInto !== null) group = group.mergedInto
    return group
  }

  newCoord(size: Size): Coord {
    const id = this.coordSource.next()
    this.coords.set(id, size)
    return { id, size }
  }

  /** Fresh coordinates for a shape: one per dim that is not 1. */
  newIndices(shape: Shape): Affine[] {
    return shape.map(size => (size === 1 ? zeroIndex : coordIndex(this.newCoord(size))))
  }

  get reducedCoords(): Set<number> {
    return this.reduction === null ? new Set() : coordsOf(this.reduction.indices)
  }

  get keptCoords(): Set<number> {
    const reduced = this.reducedCoords
    return new Set([...this.coords.keys()].filter(coord => !reduced.has(coord)))
  }

  touch(node: GraphNode, map: IndexMap, role: Role = 'main'): void {
    let touch = this.touched.get(node)
    if (touch === undefined) {
      touch = { maps: new Map(), roles: new Set() }
      this.touched.set(node, touch)
    }
    touch.maps.set(mapKey(map), map)
    touch.roles.add(role)
  }

  mapsOf(node: GraphNode): IndexMap[] {
    return [...(this.touched.get(node)?.maps.values() ?? [])]
  }

  rolesOf(node: GraphNode): ReadonlySet<Role> {
    return this.touched.get(node)?.roles ?? new Set()
  }

  /** The one index at which a node is needed; null when there are several. */
  onlyMap(node: GraphNode): IndexMap | null {
    const maps = this.mapsOf(node)
    return maps.length === 1 ? maps[0]! : null
  }

  /** The coordinates that a tensor of `shape` at `map` runs over exactly once; null when it does not. */
  covered(map: IndexMap, shape: Shape): Set<number> | null {
    const found = new Set<number>()
    for (const [d, index] of map.entries()) {
      if (shape[d] === 1) continue
      const digits = digitsOf(index, shape[d]!, this.sizeOf)
      if (digits === null) return null
      for (const { coord } of digits) {
        if (found.has(coord)) return null
        found.add(coord)
      }
    }
    return found
  }

  /** Makes a node a member, so that its inputs are needed. False when their indices are not affine. */
  include(node: GraphNode): boolean {
    for (;;) {
      const needs: Need[] = []
      const outcome = this.#collectNeeds(node, needs)
      if (outcome === 'done') {
        const { roles } = this.touched.get(node)!
        for (const need of needs) for (const role of roles) this.touch(need.node, need.map, role)
        this.members.add(node)
        // Loops that extend beyond the input (padding) are not split.
        for (const map of node.op === 'pad' ? this.mapsOf(node) : []) {
          for (const coord of paddedCoords(node as PadNode, map)?.keys() ?? []) this.whole.add(coord)
        }
        return true
      }
      if (outcome === null || !this.refine(outcome)) return false
    }
  }

  #collectNeeds(node: GraphNode, needs: Need[]): 'done' | Split | null {
    for (const map of this.mapsOf(node)) {
      if (!isView(node)) {
        const own = this.knowsGroup(node, map) ? [] : inputNeeds(node, map, this.reduction)
        if (own === null) return null
        needs.push(...own)
        continue
      }
      const input = viewInputMap(node, map, this.sizeOf)
      if (input === null) return null
      if ('split' in input) return input.split
      needs.push({ node: node.inputs[0]!, map: input.map })
    }
    return 'done'
  }

  /** True for the group numbers of the very rows that a ragged matmul works on: all rows of a program are in one group. */
  knowsGroup(node: GraphNode, map: IndexMap): boolean {
    if (node.op !== 'groupOf' || this.anchor?.op !== 'raggedMatmul' || this.anchor.attrs.along === 'depth') return false
    return this.anchor.inputs[2] === node && mapKey(map) === mapKey(this.anchorMap.slice(0, 1))
  }

  /** Splits a coordinate in two everywhere. False when it must stay whole. */
  refine({ coord, inner }: Split): boolean {
    if (this.whole.has(coord)) return false
    const size = this.sizeOf(coord)
    const outerSize = exactQuotient(size, inner)
    if (outerSize === null) return false
    const order = [...this.coords]
    this.coords.clear()
    const parts = { outer: this.coordSource.next(), inner: this.coordSource.next() }
    for (const [id, own] of order) {
      if (id !== coord) this.coords.set(id, own)
      else this.coords.set(parts.outer, outerSize).set(parts.inner, inner)
    }
    const outerIndex = scaleAffine({ offset: 0, terms: new Map([[parts.outer, 1]]) }, inner)
    this.replaceCoord(coord, addAffine(outerIndex, { offset: 0, terms: new Map([[parts.inner, 1]]) }))
    return true
  }

  /** Substitutes `index` for a coordinate everywhere; the coordinate itself must be gone from `coords` already. */
  replaceCoord(coord: number, index: Affine): void {
    const change = (map: IndexMap): IndexMap => map.map(old => substitute(old, coord, index))
    for (const touch of this.touched.values()) {
      const maps = [...touch.maps.values()].map(change)
      touch.maps.clear()
      for (const map of maps) touch.maps.set(mapKey(map), map)
    }
    this.stores.forEach((store, i) => {
      this.stores[i] = { ...store, map: change(store.map) }
    })
    if (this.reduction !== null) this.reduction.indices = change(this.reduction.indices)
    this.anchorMap = change(this.anchorMap)
  }
}

/** The indices at which a node other than a view needs its inputs; null where one is not affine. */
function inputNeeds(node: GraphNode, map: IndexMap, reduction: Reduction | null): Need[] | null {
  if (hasRole(node, 'pointwise')) return node.inputs.map(input => ({ node: input, map }))
  if (hasRole(node, 'scalar')) return []
  if (!hasRole(node, 'computed')) throw new InternalError(`schedule: ${node.op} is no part of a loop`)
  const [first, second] = node.inputs as readonly [GraphNode, GraphNode]
  switch (node.op) {
    case 'iota':
      return []
    case 'random':
      return node.inputs.map(input => ({ node: input, map: [] }))
    case 'gather':
    case 'groupOf':
      return [{ node: second, map }]
    case 'reduce': {
      const indices = isTrivialReduction(node) ? node.attrs.dims.map(() => zeroIndex) : reduction!.indices
      return [{ node: first, map: reduceInputMap(map, node.attrs.dims, indices) }]
    }
    case 'pad': {
      const input = padInputMap(node, map)
      return input === null ? null : [{ node: first, map: input }]
    }
    default:
      return node satisfies never
  }
}

export type ReduceNode = Extract<GraphNode, { op: 'reduce' }>

export const reducedSizes = (node: ReduceNode): Size[] => node.attrs.dims.map(d => typeOf(node.inputs[0]!).shape[d]!)

/** A reduction over dims of size 1 only is its input (or index 0). */
export const isTrivialReduction = (node: ReduceNode): boolean => reducedSizes(node).every(size => size === 1)

/** The number of points in the loops of some coordinates. */
export const countOf = (group: Group, coords: Iterable<number>): Size =>
  [...coords].reduce<Size>((product, coord) => mulSizes(product, group.sizeOf(coord)), 1)

/** True when `covered` is all coordinates, or all kept ones: each element is then computed once. */
export function isKeptOrAll(group: Group, covered: ReadonlySet<number>): boolean {
  if (group.anchor === null && covered.size === group.coords.size) return true
  const kept = group.keptCoords
  return covered.size === kept.size && [...covered].every(coord => kept.has(coord))
}

/** Coordinates for a tensor of whose dim `dim` whole rows are processed: that dim has a coordinate even if its size is 1. */
export function indicesWithRow(group: Group, shape: readonly Size[], dim: number): IndexMap {
  const map = shape.map((size, d) => (size === 1 && d !== dim ? zeroIndex : coordIndex(group.newCoord(size))))
  group.reduction = { indices: [map[dim]!], sizes: [shape[dim]!] }
  for (const coord of group.coords.keys()) group.whole.add(coord)
  return map
}

/** What a group reads from memory. */
export function readsOf(group: Group): readonly GraphNode[] {
  const touched = [...group.touched.keys()].filter(node => !group.members.has(node))
  return [...touched, ...group.memoryReads]
}

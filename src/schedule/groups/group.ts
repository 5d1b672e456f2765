/**
 * A group: graph nodes that one kernel computes. It has loops (coordinates), the values it stores, and for every node the
 * indices at which it needs that node. Member nodes are computed in the kernel; all others are read from memory. A group is
 * a value: what fusion decides makes a new one.
 */

import { InternalError } from '../../base/errors.js'
import { type GraphNode, type NodeOfRole, type Shape, typeOf } from '../../graph/ir.js'
import { exactQuotient, mulSizes, type Size } from '../../scalar/size.js'
import {
  type Affine,
  addAffine,
  type CoordSplit,
  coordIndex,
  coordsOf,
  digitsOf,
  type IndexMap,
  mapKey,
  scaleAffine,
  substitute,
  zeroIndex,
} from './affine.js'

/** Where a stored value goes: memory of its own, its part of a concatenation, or an argument's memory. */
export type StoreTarget =
  | { readonly kind: 'own' }
  | { readonly kind: 'part'; readonly cat: GraphNode; readonly start: Size }
  | { readonly kind: 'writeBack'; readonly index: number }
  /** The value that a kernel's written input has before the launch. */
  | { readonly kind: 'initial'; readonly launch: LaunchNode; readonly input: number }
  /** A scatter's memory: what it is before, and the elements that are put into it. */
  | { readonly kind: 'before' | 'update'; readonly scatter: ScatterNode }

export interface GroupStore {
  readonly node: GraphNode
  readonly map: IndexMap
  readonly target: StoreTarget
}

/** In a kernel around a matmul, topk or scan: before the anchor (on its operands) or after it. Others are all `main`. */
export type Phase = 'main' | 'prologue'

/** Where a group needs a node: its indices by their keys, and before or after the anchor. */
export interface Touch {
  readonly maps: ReadonlyMap<string, IndexMap>
  readonly phases: ReadonlySet<Phase>
}

/** The dims that a group's reductions fold: their indices, and their sizes before coordinates were split. */
export interface FoldedDims {
  readonly indices: readonly Affine[]
  readonly sizes: readonly Size[]
}

export type ScatterNode = NodeOfRole<'update'>
export type LaunchNode = Extract<GraphNode, { op: 'launch' }>
export type ControlNode = NodeOfRole<'control'>

/** Nodes that may anchor a kernel which also does elementwise work on their results: matmuls and attention. */
export type ContractionNode = NodeOfRole<'contraction'>

/** Matmuls: they decode their operands on the fly, and several may share one K loop. */
export type MatmulNode = Extract<GraphNode, { op: 'matmul' | 'raggedMatmul' }>
export const isMatmul = (node: GraphNode | undefined): node is MatmulNode =>
  node?.op === 'matmul' || node?.op === 'raggedMatmul'

/** Nodes that a template computes. */
export type AnchorNode = NodeOfRole<'contraction' | 'rows'>
export type GroupOfNode = Extract<GraphNode, { op: 'groupOf' }>

export interface Need {
  readonly node: GraphNode
  readonly map: IndexMap
}

export interface Group {
  /** Stays the same when a group is changed; of two that merge, the first one's. */
  readonly id: number
  /** The loops' sizes. Coordinates are numbers unique within the group. */
  readonly coords: ReadonlyMap<number, Size>
  readonly stores: readonly GroupStore[]
  readonly touched: ReadonlyMap<GraphNode, Touch>
  readonly members: ReadonlySet<GraphNode>
  /** Nodes that it reads from memory at indices other than its coordinates: gather sources, rows to sort. */
  readonly memoryReads: ReadonlySet<GraphNode>
  readonly folded: FoldedDims | null
  /** What the group's template computes: one node, or several matmuls that share an operand and the K loop. */
  readonly anchors: readonly AnchorNode[]
  /** The index of the anchors within the group. */
  readonly anchorMap: IndexMap
  /** Set for a user's kernel and for control flow: the group then has no loops, and stores only the node's results. */
  readonly step: LaunchNode | ControlNode | null
  /** Coordinates that must not be split, since an index along them is a result. */
  readonly whole: ReadonlySet<number>
}

/** A group without loops, members or stores. */
export const emptyGroup = (id: number): Group => ({
  id,
  coords: new Map(),
  stores: [],
  touched: new Map(),
  members: new Set(),
  memoryReads: new Set(),
  folded: null,
  anchors: [],
  anchorMap: [],
  step: null,
  whole: new Set(),
})

// --- reading groups ------------------------------------------------------------------------------------------------------

/** The sizes of its coordinates. */
export const sizesIn =
  ({ coords }: Group) =>
  (coord: number): Size => {
    const size = coords.get(coord)
    if (size === undefined) throw new InternalError(`schedule: no coordinate ${coord}`)
    return size
  }

export const foldedCoords = ({ folded }: Group): Set<number> => (folded === null ? new Set() : coordsOf(folded.indices))

export function keptCoords(group: Group): Set<number> {
  const folded = foldedCoords(group)
  return new Set([...group.coords.keys()].filter(coord => !folded.has(coord)))
}

export const mapsOf = ({ touched }: Group, node: GraphNode): IndexMap[] => [...(touched.get(node)?.maps.values() ?? [])]

export const isInPrologue = ({ touched }: Group, node: GraphNode): boolean =>
  touched.get(node)?.phases.has('prologue') ?? false

/** The one index at which a node is needed; null when there are several. */
export function onlyMap(group: Group, node: GraphNode): IndexMap | null {
  const maps = mapsOf(group, node)
  return maps.length === 1 ? maps[0]! : null
}

/** The coordinates that a tensor of `shape` at `map` runs over exactly once; null when it does not. */
export function coveredCoords(group: Group, map: IndexMap | null, shape: Shape): Set<number> | null {
  if (map === null) return null
  const found = new Set<number>()
  for (const [d, index] of map.entries()) {
    if (shape[d] === 1) continue
    const digits = digitsOf(index, shape[d]!, sizesIn(group))
    if (digits === null) return null
    for (const { coord } of digits) {
      if (found.has(coord)) return null
      found.add(coord)
    }
  }
  return found
}

/** The number of points in the loops of some coordinates. */
export const countOf = (group: Group, coords: Iterable<number>): Size =>
  [...coords].reduce<Size>((product, coord) => mulSizes(product, sizesIn(group)(coord)), 1)

/** True when `covered` is all coordinates, or all kept ones: each element is then computed once. */
export function isKeptOrAll(group: Group, covered: ReadonlySet<number>): boolean {
  if (group.anchors.length === 0 && covered.size === group.coords.size) return true
  const kept = keptCoords(group)
  return covered.size === kept.size && [...covered].every(coord => kept.has(coord))
}

/** True when it stores into an argument, so that it runs last and merges only with groups that do the same. */
export const isExclusive = ({ stores }: Group): boolean => stores.some(({ target }) => target.kind === 'writeBack')

/** True when it updates several arguments: elementwise, as each is read and written. */
export const isJointUpdate = (group: Group): boolean => isExclusive(group) && group.stores.length > 1

/** The scatter that a group does; the group then does nothing else. */
export const scatterOf = ({ stores }: Group): ScatterNode | null => {
  const [target] = stores.map(store => store.target)
  return target?.kind === 'update' ? target.scatter : null
}

/** What a group reads from memory. */
export const readsOf = ({ touched, members, memoryReads }: Group): readonly GraphNode[] => [
  ...[...touched.keys()].filter(node => !members.has(node)),
  ...memoryReads,
]

/** True for the group numbers of the very rows that a ragged matmul works on: all rows of a program are in one group. */
export function knowsGroup({ anchors: [anchor], anchorMap }: Group, node: GraphNode, map: IndexMap): boolean {
  if (node.op !== 'groupOf' || anchor?.op !== 'raggedMatmul' || anchor.attrs.along === 'depth') return false
  return anchor.inputs[2] === node && mapKey(map) === mapKey(anchorMap.slice(0, 1))
}

// --- making groups -------------------------------------------------------------------------------------------------------

/** A coordinate that the group does not have. */
export const nextCoord = ({ coords }: Group): number => Math.max(-1, ...coords.keys()) + 1

/** The group with a loop more for each size, and their indices. */
export function addLoops(group: Group, sizes: readonly Size[]): { readonly group: Group; readonly map: IndexMap } {
  const first = nextCoord(group)
  const loops = sizes.map((size, i): [number, Size] => [first + i, size])
  return {
    group: { ...group, coords: new Map([...group.coords, ...loops]) },
    map: loops.map(([coord]) => coordIndex(coord)),
  }
}

/** The group with loops for a shape, one per dim that is not 1 (or is `row`), and the index of the shape's elements. */
export function addShape(
  group: Group,
  shape: Shape,
  row: number | null = null,
): { readonly group: Group; readonly map: IndexMap } {
  const isLoop = (d: number): boolean => shape[d] !== 1 || d === row
  const added = addLoops(
    group,
    shape.filter((_, d) => isLoop(d)),
  )
  const left = [...added.map]
  return { group: added.group, map: shape.map((_, d) => (isLoop(d) ? left.shift()! : zeroIndex)) }
}

export const keepWhole = (group: Group, coords: Iterable<number>): Group => ({
  ...group,
  whole: new Set([...group.whole, ...coords]),
})

/** The group with further needs. */
export function touch(group: Group, needs: readonly Need[], phases: Iterable<Phase> = ['main']): Group {
  const touched = new Map(group.touched)
  for (const { node, map } of needs) {
    const known = touched.get(node)
    touched.set(node, {
      maps: new Map(known?.maps).set(mapKey(map), map),
      phases: new Set([...(known?.phases ?? []), ...phases]),
    })
  }
  return { ...group, touched }
}

/** The group with a coordinate split in two everywhere. Null when it must stay whole. */
export function splitCoord(group: Group, { coord, inner }: CoordSplit): Group | null {
  const outerSize = exactQuotient(sizesIn(group)(coord), inner)
  if (group.whole.has(coord) || outerSize === null) return null
  const outer = nextCoord(group)
  const parts: [number, Size][] = [
    [outer, outerSize],
    [outer + 1, inner],
  ]
  const coords = [...group.coords].flatMap(loop => (loop[0] === coord ? parts : [loop]))
  const index = addAffine(scaleAffine(coordIndex(outer), inner), coordIndex(outer + 1))
  return { ...withIndices(group, old => substitute(old, coord, index)), coords: new Map(coords) }
}

/** The group with all its indices changed. */
export function withIndices(group: Group, change: (index: Affine) => Affine): Group {
  const { touched, stores, folded, anchorMap } = group
  const keyed = (maps: Iterable<IndexMap>): [string, IndexMap][] =>
    [...maps].map(map => map.map(change)).map(map => [mapKey(map), map])
  return {
    ...group,
    touched: new Map(
      [...touched].map(([node, { maps, phases }]) => [node, { maps: new Map(keyed(maps.values())), phases }]),
    ),
    stores: stores.map(store => ({ ...store, map: store.map.map(change) })),
    folded: folded && { ...folded, indices: folded.indices.map(change) },
    anchorMap: anchorMap.map(change),
  }
}

export type ReduceNode = Extract<GraphNode, { op: 'reduce' }>

export const reducedSizes = (node: ReduceNode): Size[] => node.attrs.dims.map(d => typeOf(node.inputs[0]!).shape[d]!)

/** A reduction over dims of size 1 only is its input (or index 0). */
export const isTrivialReduction = (node: ReduceNode): boolean => reducedSizes(node).every(size => size === 1)

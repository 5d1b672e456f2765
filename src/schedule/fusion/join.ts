/** When a reduction or a matmul may be computed by the kernel of its users, and how the loops of the two become one. */

import { canonical, type Plain } from '../../base/canonical.js'
import type { GraphNode } from '../../graph/ir.js'
import { isArgReduction } from '../../scalar/ops.js'
import { mulSizes, type Size, sameShape, sameSize } from '../../scalar/size.js'
import { type Affine, coordIndex, coordsOf, type IndexMap, mapKey } from '../groups/affine.js'
import {
  type ContractionNode,
  countOf,
  type Group,
  type MatmulNode,
  type ReduceNode,
  reducedSizes,
} from '../groups/group.js'
import { reduceInputMap, shapeOf, viewInputMap } from '../groups/layout.js'
import { isPointwise, isScalarSource, isView } from '../groups/roles.js'
import { cutsDepth } from '../templates/contraction.js'
import { contractionTemplate } from '../templates/index.js'

/**
 * Makes a matmul or attention the centre of a group of elementwise work on its result. False unless the group runs over
 * exactly the result's elements, once each.
 */
export function joinContraction(group: Group, node: ContractionNode, inMemory: (node: GraphNode) => boolean): boolean {
  const map = group.onlyMap(node)
  if (group.anchor !== null || group.reduction !== null || map === null) return false
  const covered = group.covered(map, shapeOf(node))
  if (covered === null || covered.size !== group.coords.size) return false
  return contractionTemplate(node).join(group, node, map, inMemory)
}

/** Products in one loop: each has accumulators of its own, and together they have what one product's would be. */
const maxProducts = 4

/**
 * Makes a matmul one more product of a group's loop: what it has in common with the others is read, and decoded, once,
 * and neither result passes through memory on its way to where they meet. False unless all have the same left or the
 * same right operand, the same loops, and results at the same place.
 */
export function joinSibling(group: Group, node: MatmulNode, inMemory: (node: GraphNode) => boolean): boolean {
  const [map, products] = [group.onlyMap(node), group.anchors]
  if (map === null || products.length === 0 || products.length >= maxProducts) return false
  if (mapKey(map) !== mapKey(group.anchorMap)) return false
  const isAlike = (other: GraphNode): other is MatmulNode =>
    other.op === node.op &&
    sameArithmetic(other, node) &&
    other.inputs[2] === node.inputs[2] &&
    sameShape(shapeOf(other), shapeOf(node)) &&
    [0, 1].every(side => sameShape(shapeOf(other.inputs[side]!), shapeOf(node.inputs[side]!)))
  if (!products.every(isAlike)) return false
  if (![0, 1].some(side => products.every(other => other.inputs[side] === node.inputs[side]))) return false
  return !cutsDepth(node, inMemory) || releaseDepth(group)
}

/** The same sums of the same products; what they are rounded to at last may differ. */
const sameArithmetic = (a: MatmulNode, b: MatmulNode): boolean =>
  canonical({ ...a.attrs, to: null } as Plain) === canonical({ ...b.attrs, to: null } as Plain)

/** Lets the depth be cut, unless something runs beyond it. */
function releaseDepth(group: Group): boolean {
  const depth = coordsOf(group.reduction!.indices.slice(0, 1))
  const isPadded = [...group.members].some(member => member.op === 'pad')
  const isWhole = [...depth].some(coord => group.whole.has(coord))
  if (isPadded && isWhole) return false
  for (const coord of depth) group.whole.delete(coord)
  return true
}

/**
 * Gives a group the loops of a reduction. Three forms: the group works on the reduction's results only (it becomes an
 * epilogue); it has reductions over the same dims already; or its own inner loops are the reduced dims (the result is
 * broadcast back, as in softmax).
 */
export function joinReduction(group: Group, node: ReduceNode, parallelism: number): boolean {
  const map = group.onlyMap(node)
  if (group.anchor !== null || map === null) return false
  const covered = group.covered(map, shapeOf(node))
  if (covered === null) return false
  const free = [...group.coords.keys()].filter(coord => !covered.has(coord))
  const sizes = reducedSizes(node)
  if (group.reduction !== null) {
    const reduced = group.reducedCoords
    if (free.length !== reduced.size || !free.every(coord => reduced.has(coord))) return false
    if (!sameShape(sizes, group.reduction.sizes)) return false
    const parallel = hasParallelRows(countOf(group, covered), countOf(group, reduced), parallelism)
    if (!parallel && isUsedPerElement(group, node, reduced)) return false
    return keepWhole(group, node, group.reduction.indices)
  }
  const indices = free.length === 0 ? group.newIndices(sizes) : matchFree(group, free, sizes)
  if (indices === null) return false
  if (free.length > 0) {
    if (!hasParallelRows(countOf(group, covered), countOf(group, free), parallelism)) return false
    if (!sharesInput(group, reduceInputMap(map, node.attrs.dims, indices), node.inputs[0]!, free)) return false
  }
  if (!keepWhole(group, node, indices)) return false
  group.reduction = { indices, sizes }
  return true
}

/** True when the group broadcasts what is made of a reduction back along the reduced dims: that waits for all of it. */
function isUsedPerElement(group: Group, node: ReduceNode, reduced: ReadonlySet<number>): boolean {
  const isPerElement = (other: GraphNode): boolean =>
    group.mapsOf(other).some(map => [...coordsOf(map)].some(coord => reduced.has(coord)))
  const stack = [...group.touched.keys()]
    .filter(user => isView(user) && isPerElement(user))
    .flatMap(user => user.inputs)
  const seen = new Set<GraphNode>()
  while (stack.length > 0) {
    const top = stack.pop()!
    if (top === node) return true
    if (seen.has(top) || !group.touched.has(top) || isPerElement(top)) continue
    seen.add(top)
    stack.push(...top.inputs)
  }
  return false
}

/** Pairs the group's remaining loops with the reduced dims, in order. */
function matchFree(group: Group, free: readonly number[], sizes: readonly Size[]): Affine[] | null {
  const left = [...free]
  const indices = sizes.map((size): Affine | null => {
    if (size === 1) return { offset: 0, terms: new Map() }
    const coord = left.shift()
    return coord !== undefined && sameSize(group.sizeOf(coord), size) ? coordIndex({ id: coord, size }) : null
  })
  return left.length === 0 && indices.every(index => index !== null) ? indices : null
}

/** The position along the dim is the result of argmin and argmax: its coordinate must not be cut. */
function keepWhole(group: Group, node: ReduceNode, indices: readonly Affine[]): boolean {
  if (!isArgReduction(node.attrs.fn)) return true
  const coords = indices.flatMap(index => [...index.terms.keys()])
  if (coords.length > 1) return false
  for (const coord of coords) group.whole.add(coord)
  return true
}

/** Rows longer than this are worth spreading over the cores. */
const longRow = 1 << 16

/** Whether a program per row keeps the cores busy, or rows are short enough for that not to matter. */
export function hasParallelRows(rows: Size, length: Size, parallelism: number): boolean {
  if (typeof rows !== 'number') return true
  if (typeof length !== 'number') return rows >= parallelism
  return rows >= 2 * parallelism || length <= longRow || mulSizes(rows, length) === 0
}

/** True when something the reduction reads (or computes) along its loops is needed by the group at the same place. */
function sharesInput(group: Group, map: IndexMap, input: GraphNode, free: readonly number[]): boolean {
  const seen = new Set<string>()
  const stack: [GraphNode, IndexMap][] = [[input, map]]
  while (stack.length > 0) {
    const [node, at] = stack.pop()!
    const key = `${node.id}@${mapKey(at)}`
    if (seen.has(key) || isScalarSource(node)) continue
    seen.add(key)
    const alongFree = at.some(index => free.some(coord => index.terms.has(coord)))
    if (alongFree && group.touched.get(node)?.maps.has(mapKey(at))) return true
    if (isView(node)) {
      const inner = viewInputMap(node, at, group.sizeOf)
      if (inner !== null && 'map' in inner) stack.push([node.inputs[0]!, inner.map])
    } else if (isPointwise(node)) {
      for (const operand of node.inputs) stack.push([operand, at])
    }
  }
  return false
}

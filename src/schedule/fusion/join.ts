/** Whether a reduction or a matmul may be computed in its users' kernel, and how their loops are unified. */

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
 * Makes a matmul or attention the anchor of a group of elementwise work on its result, which becomes the epilogue. False
 * unless the group covers exactly the result's elements, once each.
 */
export function joinContraction(group: Group, node: ContractionNode, inMemory: (node: GraphNode) => boolean): boolean {
  const map = group.onlyMap(node)
  if (group.anchor !== null || group.reduction !== null || map === null) return false
  const covered = group.covered(map, shapeOf(node))
  if (covered === null || covered.size !== group.coords.size) return false
  return contractionTemplate(node).join(group, node, map, inMemory)
}

/** Maximum number of matmuls in one K loop: each has its own accumulators, which share the registers of one. */
const maxProducts = 4

/**
 * Adds a matmul to a group's K loop: the operand that it shares with the others is loaded, and decoded, once, and all
 * results stay in registers for the epilogue. False unless all have the same left or the same right operand, the same loops,
 * and results of the same index.
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

/** True for matmuls of the same form; their results may be rounded to different dtypes. */
const sameArithmetic = (a: MatmulNode, b: MatmulNode): boolean =>
  canonical({ ...a.attrs, to: null } as Plain) === canonical({ ...b.attrs, to: null } as Plain)

/** Allows k to be split, unless something extends beyond it. */
function releaseDepth(group: Group): boolean {
  const depth = coordsOf(group.reduction!.indices.slice(0, 1))
  const isPadded = [...group.members].some(member => member.op === 'pad')
  const isWhole = [...depth].some(coord => group.whole.has(coord))
  if (isPadded && isWhole) return false
  for (const coord of depth) group.whole.delete(coord)
  return true
}

/**
 * Gives a group the loops of a reduction. Three forms: the group only uses the reduction's results (and becomes an
 * epilogue); it reduces the same dims already; or its own inner loops are the reduced dims (the result is broadcast back, as
 * in softmax).
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

/** True when the group broadcasts something made from a reduction back along the reduced dims, so needs a second pass. */
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

/** The position along the dim is the result of argmin and argmax, so its coordinate must not be split. */
function keepWhole(group: Group, node: ReduceNode, indices: readonly Affine[]): boolean {
  if (!isArgReduction(node.attrs.fn)) return true
  const coords = indices.flatMap(index => [...index.terms.keys()])
  if (coords.length > 1) return false
  for (const coord of coords) group.whole.add(coord)
  return true
}

/** Rows longer than this are worth splitting over several cores. */
const longRow = 1 << 16

/** True when one program per row occupies all cores, or rows are so short that it does not matter. */
export function hasParallelRows(rows: Size, length: Size, parallelism: number): boolean {
  if (typeof rows !== 'number') return true
  if (typeof length !== 'number') return rows >= parallelism
  return rows >= 2 * parallelism || length <= longRow || mulSizes(rows, length) === 0
}

/** True when the group needs something that the reduction reads or computes along its loops, at the same index. */
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

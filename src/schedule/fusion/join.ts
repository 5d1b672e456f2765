/** Whether a reduction or a matmul may be computed in its users' kernel, and how their loops are unified. */

import { canonical, type Plain } from '../../base/canonical.js'
import { type GraphNode, isPointwise, isScalarSource, isView, sourcesOf } from '../../graph/ir.js'
import { isArgReduction } from '../../scalar/ops.js'
import { mulSizes, type Size, sameShape, sameSize } from '../../scalar/size.js'
import { type Affine, coordIndex, coordsOf, type IndexMap, mapKey, zeroIndex } from '../groups/affine.js'
import {
  addShape,
  type ContractionNode,
  countOf,
  coveredCoords,
  foldedCoords,
  type Group,
  isTrivialReduction,
  keepWhole,
  keptCoords,
  type MatmulNode,
  mapsOf,
  onlyMap,
  type ReduceNode,
  reducedSizes,
  sizesIn,
} from '../groups/group.js'
import { reduceInputMap, shapeOf, viewInputMap } from '../groups/layout.js'
import type { RowPolicy } from '../policy.js'
import { cutsDepth } from '../templates/contraction.js'
import { contractionTemplate } from '../templates/index.js'

/**
 * A group of elementwise work on the result of a matmul or attention, which becomes its anchor: the work is the epilogue.
 * Null unless the group covers exactly the result's elements, once each.
 */
export function joinContraction(
  group: Group,
  node: ContractionNode,
  inMemory: (node: GraphNode) => boolean,
): Group | null {
  const map = onlyMap(group, node)
  if (group.anchors.length > 0 || group.folded !== null || map === null) return null
  if (coveredCoords(group, map, shapeOf(node))?.size !== group.coords.size) return null
  return contractionTemplate(node).join(group, node, map, inMemory)
}

/** Maximum number of matmuls in one K loop: each has its own accumulators, which share the registers of one. */
const maxProducts = 4

/**
 * The group with a matmul more in its K loop: the operand that it shares with the others is loaded, and decoded, once, and
 * all results stay in registers for the epilogue. Null unless all have the same left or the same right operand, the same
 * loops, and results of the same index.
 */
export function joinSibling(group: Group, node: MatmulNode, inMemory: (node: GraphNode) => boolean): Group | null {
  const { anchors, anchorMap } = group
  const map = onlyMap(group, node)
  if (map === null || anchors.length === 0 || anchors.length >= maxProducts) return null
  if (mapKey(map) !== mapKey(anchorMap)) return null
  const isAlike = (other: GraphNode): boolean =>
    other.op === node.op &&
    sameArithmetic(other as MatmulNode, node) &&
    other.inputs[2] === node.inputs[2] &&
    sameShape(shapeOf(other), shapeOf(node)) &&
    [0, 1].every(side => sameShape(shapeOf(other.inputs[side]!), shapeOf(node.inputs[side]!)))
  if (!anchors.every(isAlike)) return null
  if (![0, 1].some(side => anchors.every(other => other.inputs[side] === node.inputs[side]))) return null
  const released = cutsDepth(node, inMemory) ? releaseDepth(group) : group
  return released && { ...released, anchors: [...anchors, node] }
}

/** True for matmuls of the same form; their results may be rounded to different dtypes. */
const sameArithmetic = (a: MatmulNode, b: MatmulNode): boolean =>
  canonical({ ...a.attrs, to: null } as Plain) === canonical({ ...b.attrs, to: null } as Plain)

/** The group with a k that may be split; null where something extends beyond it. */
function releaseDepth(group: Group): Group | null {
  const depth = coordsOf(group.folded!.indices.slice(0, 1))
  const isPadded = [...group.members].some(member => member.op === 'pad')
  const rest = [...group.whole].filter(coord => !depth.has(coord))
  return isPadded && rest.length < group.whole.size ? null : { ...group, whole: new Set(rest) }
}

/**
 * The group with the loops of a reduction; null if it cannot have them. Three forms: the group only uses the reduction's
 * results (and becomes an epilogue); it reduces the same dims already; or its own inner loops are the reduced dims (the
 * result is broadcast back, as in softmax).
 */
export function joinReduction(group: Group, node: ReduceNode, policy: RowPolicy): Group | null {
  const map = onlyMap(group, node)
  const covered = coveredCoords(group, map, shapeOf(node))
  if (group.anchors.length > 0 || map === null || covered === null) return null
  const free = [...group.coords.keys()].filter(coord => !covered.has(coord))
  const sizes = reducedSizes(node)
  const inColumns = reducesColumns(node)
  const isParallel = (inner: Iterable<number>): boolean =>
    hasParallelRows(countOf(group, covered), countOf(group, inner), policy, inColumns)
  if (group.folded !== null) {
    const folded = foldedCoords(group)
    if (free.length !== folded.size || !free.every(coord => folded.has(coord))) return null
    if (!sameShape(sizes, group.folded.sizes)) return null
    if (!isParallel(folded) && isUsedPerElement(group, node, folded)) return null
    return keepPositions(group, node, group.folded.indices)
  }
  if (free.length === 0) {
    const { group: looped, map: indices } = addShape(group, sizes)
    return keepPositions({ ...looped, folded: { indices, sizes } }, node, indices)
  }
  const indices = matchFree(group, free, sizes)
  if (indices === null || !isParallel(free)) return null
  if (!sharesInput(group, reduceInputMap(map, node.attrs.dims, indices), node.inputs[0]!, free)) return null
  return keepPositions({ ...group, folded: { indices, sizes } }, node, indices)
}

/** True when the group broadcasts something made from a reduction back along the reduced dims, so needs a second pass. */
function isUsedPerElement(group: Group, node: ReduceNode, reduced: ReadonlySet<number>): boolean {
  const isPerElement = (other: GraphNode): boolean =>
    mapsOf(group, other).some(map => [...coordsOf(map)].some(coord => reduced.has(coord)))
  const stack = [...group.touched.keys()].filter(user => isView(user) && isPerElement(user)).flatMap(sourcesOf)
  const seen = new Set<GraphNode>()
  while (stack.length > 0) {
    const top = stack.pop()!
    if (top === node) return true
    if (seen.has(top) || !group.touched.has(top) || isPerElement(top)) continue
    seen.add(top)
    stack.push(...sourcesOf(top))
  }
  return false
}

/** Pairs the group's remaining loops with the reduced dims, in order. */
function matchFree(group: Group, free: readonly number[], sizes: readonly Size[]): Affine[] | null {
  const left = [...free]
  const indices = sizes.map((size): Affine | null => {
    if (size === 1) return zeroIndex
    const coord = left.shift()
    return coord !== undefined && sameSize(sizesIn(group)(coord), size) ? coordIndex(coord) : null
  })
  return left.length === 0 && indices.every(index => index !== null) ? indices : null
}

/** The position along the dim is the result of argmin and argmax, so its coordinate must not be split. */
function keepPositions(group: Group, node: ReduceNode, indices: readonly Affine[]): Group | null {
  if (!isArgReduction(node.attrs.fn)) return group
  const coords = indices.flatMap(index => [...index.terms.keys()])
  return coords.length > 1 ? null : keepWhole(group, coords)
}

/**
 * True when the programs of all rows occupy the machine, or work so little that it does not matter: the fewer programs, the
 * more a split gains. A row is a program's work; or, of columns, several of them are.
 */
export function hasParallelRows(
  rows: Size,
  length: Size,
  { enough, long, columns }: RowPolicy,
  inColumns: boolean,
): boolean {
  if (typeof rows !== 'number') return true
  const each = inColumns ? Math.min(columns, rows) : 1
  const share = rows / each / enough
  if (typeof length !== 'number') return 2 * share >= 1
  return mulSizes(rows, length) === 0 || length * each * (1 - share) <= long
}

/** As `hasParallelRows`, of a group that reduces. */
export function reducesInParallel(group: Group, policy: RowPolicy): boolean {
  const inColumns = reductionsOf(group).some(reducesColumns)
  return hasParallelRows(countOf(group, keptCoords(group)), countOf(group, foldedCoords(group)), policy, inColumns)
}

const reductionsOf = ({ members }: Group): readonly ReduceNode[] =>
  [...members].filter(node => node.op === 'reduce').filter(node => !isTrivialReduction(node))

/** True for a group of reductions none of which needs another's result: each can be split into partial reductions, as split-K does. */
export function isSplitGroup(group: Group, { storesParts }: RowPolicy): boolean {
  if (!storesParts || group.folded === null || group.anchors.length > 0) return false
  const reductions = reductionsOf(group)
  const behind = (node: GraphNode, seen: Set<GraphNode>): Set<GraphNode> => {
    for (const input of seen.has(node) ? [] : sourcesOf(node)) if (group.members.has(input)) behind(input, seen)
    return seen.add(node)
  }
  return reductions.every(node => {
    const inputs = behind(node.inputs[0]!, new Set())
    return reductions.every(other => !inputs.has(other))
  })
}

/** True when not what is reduced is contiguous in memory, but what is kept. */
function reducesColumns({ inputs, attrs }: ReduceNode): boolean {
  let node = inputs[0]!
  let reduced = attrs.dims
  for (let next: GraphNode | undefined = node; next !== undefined; ) {
    node = next
    next = undefined
    if (node.op === 'permute') {
      const { dims } = node.attrs
      reduced = reduced.map(d => dims[d]!)
      next = node.inputs[0]
    } else if (isPointwise(node) || node.op === 'fence') next = node.inputs.find(isWhole)
  }
  const shape = shapeOf(node)
  const long = [...shape.keys()].filter(d => shape[d] !== 1)
  const last = node.op === 'input' ? long.find(d => node.attrs.strides[d] === 1) : long.at(-1)
  return last !== undefined && !reduced.includes(last)
}

/** Neither a constant nor broadcast. */
const isWhole = (node: GraphNode): boolean => !isScalarSource(node) && node.op !== 'expand'

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
      const inner = viewInputMap(node, at, sizesIn(group))
      if (inner !== null && 'map' in inner) stack.push([node.inputs[0]!, inner.map])
    } else if (isPointwise(node)) {
      for (const operand of node.inputs) stack.push([operand, at])
    }
  }
  return false
}

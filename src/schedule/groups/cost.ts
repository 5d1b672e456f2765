/** Cost model of rematerialisation: what computing a value again costs, and which values may be. */

import {
  type GraphNode,
  isContraction,
  isPointwise,
  isScalarSource,
  isView,
  sourcesOf,
  typeOf,
} from '../../graph/ir.js'
import { scalarOp } from '../../scalar/ops.js'
import {
  addSizes,
  exactQuotient,
  mulSizes,
  productOf,
  rangeOf,
  type Size,
  sameSize,
  subSizes,
} from '../../scalar/size.js'
import { dtypes } from '../../types/dtype.js'

/** Philox: ten rounds of two wide products. */
const randomCost = 120
const gatherCost = 8

/** Arithmetic per element, in the units of the scalar table. */
export function ownCost(node: GraphNode): number {
  switch (node.op) {
    case 'map':
      return scalarOp(node.attrs.fn).cost
    case 'cast':
      return 1
    case 'random':
      return randomCost
    case 'gather':
      return gatherCost
    default:
      return 0
  }
}

/** The `memory` attribute of a copy that the scheduler inserts to reorder values: it is never computed in place. */
export const ownMemory = -1

/** Values from `ownMemory` down mark the scheduler's own copies; different values are different memory. */
export const isOwnCopy = (node: GraphNode): boolean =>
  node.op === 'copy' && node.attrs.memory !== undefined && node.attrs.memory <= ownMemory

/** Costs are capped here. */
const costCap = 1000

/** Arithmetic per element of a value with everything pointwise behind it. */
export class ChainCosts {
  readonly #known = new Map<GraphNode, number>()

  of(node: GraphNode): number {
    const known = this.#known.get(node)
    if (known !== undefined) return known
    const through = isPointwise(node) || isView(node) || node.op === 'random' || node.op === 'gather'
    let cost = ownCost(node)
    // Set before the recursion: callers go from inputs up, so inputs are known, and a deep chain does not overflow the
    // stack.
    if (through) for (const input of sourcesOf(node)) cost = Math.min(costCap, cost + this.of(input))
    this.#known.set(node, cost)
    return cost
  }
}

/** A pointwise chain that can be recomputed from values in memory. */
export interface Closure {
  readonly cost: number
  /** What it reads from memory. */
  readonly leaves: ReadonlySet<GraphNode>
}

/** A chain longer than this is not worth repeating. */
const maxClosure = 24

/**
 * The pointwise chain that recomputes a value from scalars and from values that are stored anyway (`inMemory`); null if
 * there is another op in it, or it has more than `longest` nodes.
 */
export function closureOf(
  node: GraphNode,
  inMemory: (node: GraphNode) => boolean,
  longest = maxClosure,
  isLeaf = (_: GraphNode): boolean => false,
): Closure | null {
  const leaves = new Set<GraphNode>()
  const seen = new Set<GraphNode>()
  const stack = [node]
  let cost = 0
  while (stack.length > 0) {
    const top = stack.pop()!
    if (seen.has(top)) continue
    seen.add(top)
    if (seen.size > longest) return null
    if (top !== node && (inMemory(top) || isLeaf(top))) leaves.add(top)
    else if (isPointwise(top) || isView(top)) {
      cost += ownCost(top)
      stack.push(...sourcesOf(top))
      // A ragged matmul's kernel knows the group of its rows.
    } else if (!isScalarSource(top) && top.op !== 'iota' && top.op !== 'groupOf') return null
  }
  return { cost, leaves }
}

export const elementsOf = (node: GraphNode): Size => productOf(typeOf(node).shape)

/** True when `a` is certain to be much smaller: by a factor of 8 or a whole symbolic dim. */
function muchSmaller(a: Size, b: Size): boolean {
  if (typeof a === 'number' && typeof b === 'number') return a * 8 <= b
  if (typeof a === 'number') return true
  const factor = exactQuotient(b, a)
  return factor !== null && !sameSize(factor, 1) && (typeof factor !== 'number' || factor >= 8)
}

/** Limits of a chain that a matmul may decode on the fly: cost, and number of ops. */
const maxDecodingCost = 48
const maxDecodingOps = 96

/**
 * True for a value that is unpacked from less memory than it takes itself, like dequantised weights: a matmul reads the
 * packed form and decodes it on the fly, so the decoded form is never stored.
 */
export function isDecoded(node: GraphNode, inMemory: (node: GraphNode) => boolean): boolean {
  const closure = closureOf(node, inMemory, maxDecodingOps)
  if (closure === null || closure.cost > maxDecodingCost || closure.leaves.size === 0) return false
  const bits = (tensor: GraphNode): Size => mulSizes(elementsOf(tensor), dtypes[typeOf(tensor).dtype].bits)
  const read = [...closure.leaves].map(bits).reduce(addSizes)
  return rangeOf(subSizes(bits(node), read)).min > 0
}

const maxRepeatedCost = 10

/** The tensors of about its size that a value with little arithmetic is recomputed from; null: it has more. */
function cheaplyReadFrom(
  node: GraphNode,
  inMemory: (node: GraphNode) => boolean,
  readsSmall = false,
): readonly GraphNode[] | null {
  const elements = elementsOf(node)
  const isLeaf = (top: GraphNode): boolean => readsSmall && muchSmaller(elementsOf(top), elements)
  const closure = closureOf(node, inMemory, maxClosure, isLeaf)
  if (closure === null || closure.cost > maxRepeatedCost) return null
  return [...closure.leaves].filter(leaf => !muchSmaller(elementsOf(leaf), elements))
}

/** True when a user that reads the value about once computes it itself, from at most so many tensors. */
export const isCheapToCompute = (node: GraphNode, inMemory: (node: GraphNode) => boolean, most: number): boolean =>
  (cheaplyReadFrom(node, inMemory)?.length ?? Number.POSITIVE_INFINITY) <= most

/** True for little arithmetic on values much smaller, and on nothing else: it is recomputed rather than stored. */
export function isCheapOfSmall(node: GraphNode): boolean {
  const large = cheaplyReadFrom(node, () => false, true)
  return large !== null && large.length === 0
}

/** By how many bits a cast makes its values longer; 0 for other ops. */
const bitsGained = (node: GraphNode): number =>
  node.op === 'cast' ? dtypes[node.attrs.to].bits - dtypes[typeOf(node.inputs[0]!).dtype].bits : 0

/** True when each user may recompute the value: little arithmetic, and no more memory traffic than reading it. */
export function isCheapToRepeat(node: GraphNode, inMemory: (node: GraphNode) => boolean): boolean {
  // Who casts to more bits reads less if what is cast is stored.
  if (bitsGained(node) > 0) return true
  const large = cheaplyReadFrom(node, inMemory)
  if (large === null) return false
  const bits = large.reduce((sum, leaf) => sum + dtypes[typeOf(leaf).dtype].bits, 0)
  return large.length <= 1 && bits <= 2 * dtypes[typeOf(node).dtype].bits
}

/** Limits of an elementwise chain that each kernel recomputes rather than reads its result: arithmetic per element, and number of ops. */
const maxRereadCost = 16
const maxRereadOps = 48

/**
 * True where users who read what a value is computed from move no more memory than if they read the value: tensors of no more bits
 * together, and values much smaller (x − mean). All of it will be in memory: products, small values, and narrower ones.
 */
export function isCheapToReread(node: GraphNode, inMemory: (node: GraphNode) => boolean): boolean {
  const bitsOf = (value: GraphNode): number => dtypes[typeOf(value).dtype].bits
  const isSmall = (top: GraphNode): boolean => muchSmaller(elementsOf(top), elementsOf(node))
  const isLeaf = (top: GraphNode): boolean => isSmall(top) || isContraction(top) || bitsGained(top) < 0
  const closure = closureOf(node, inMemory, maxRereadOps, isLeaf)
  if (closure === null || closure.cost > maxRereadCost) return false
  const leaves = [...closure.leaves]
  const large = leaves.filter(leaf => !isSmall(leaf))
  const bits = large.reduce((sum, leaf) => sum + bitsOf(leaf), 0)
  if (large.length === 0 || bits > bitsOf(node)) return false
  return bits < bitsOf(node) || leaves.some(leaf => isSmall(leaf) && !inMemory(leaf))
}

/**
 * True when two users move no more memory if each computes the value, of two tensors and of values much smaller, than if one
 * stores it and the other reads it (x − mean).
 */
export function isCheapToRepeatOnce(node: GraphNode, inMemory: (node: GraphNode) => boolean): boolean {
  const large = cheaplyReadFrom(node, inMemory, true)
  const bits = dtypes[typeOf(node).dtype].bits
  return large !== null && large.length <= 2 && large.every(leaf => dtypes[typeOf(leaf).dtype].bits <= bits)
}

/** What it costs to compute a value again instead of keeping it, and which values may be. */

import { type GraphNode, typeOf } from '../../graph/ir.js'
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
import { isPointwise, isScalarSource, isView } from './roles.js'

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

/** The `memory` of a copy that the scheduler makes to have values in another order: it is never computed in place. */
export const ownMemory = -1

/** Those and below are copies that the scheduler makes: different ones are different memory. */
export const isOwnCopy = (node: GraphNode): boolean =>
  node.op === 'copy' && node.attrs.memory !== undefined && node.attrs.memory <= ownMemory

/** Costs beyond this are all alike. */
const costCap = 1000

/** Arithmetic per element of a value with everything pointwise behind it. */
export class ChainCosts {
  readonly #known = new Map<GraphNode, number>()

  of(node: GraphNode): number {
    const known = this.#known.get(node)
    if (known !== undefined) return known
    const through = isPointwise(node) || isView(node) || node.op === 'random' || node.op === 'gather'
    let cost = ownCost(node)
    // Marked first, as chains are deep and this recursion stops at what is known: callers go from inputs up.
    if (through) for (const input of node.inputs) cost = Math.min(costCap, cost + this.of(input))
    this.#known.set(node, cost)
    return cost
  }
}

export interface Closure {
  readonly cost: number
  /** What it reads from memory. */
  readonly leaves: ReadonlySet<GraphNode>
}

/** A chain longer than this is not worth repeating. */
const maxClosure = 24

/**
 * The pointwise chain behind a value down to memory that exists anyway (`inMemory`) and scalars; null when something else
 * stands behind it, or when it is long.
 */
export function closureOf(
  node: GraphNode,
  inMemory: (node: GraphNode) => boolean,
  longest = maxClosure,
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
    if (top !== node && inMemory(top)) leaves.add(top)
    else if (isPointwise(top) || isView(top)) {
      cost += ownCost(top)
      stack.push(...top.inputs)
      // Kernels of the products whose groups they are know them.
    } else if (!isScalarSource(top) && top.op !== 'iota' && top.op !== 'groupOf') return null
  }
  return { cost, leaves }
}

export const elementsOf = (node: GraphNode): Size => productOf(typeOf(node).shape)

/** True when a tensor is surely much smaller than another: a factor of 8 or a whole dim. */
function muchSmaller(a: Size, b: Size): boolean {
  if (typeof a === 'number' && typeof b === 'number') return a * 8 <= b
  if (typeof a === 'number') return true
  const factor = exactQuotient(b, a)
  return factor !== null && !sameSize(factor, 1) && (typeof factor !== 'number' || factor >= 8)
}

/** Decoding a value costs at most this, in at most so many ops. */
const maxDecodingCost = 48
const maxDecodingOps = 96

/**
 * True for a value that is unpacked from less memory than it would take itself, as quantised weights are: a product reads
 * the packed form and decodes it on the way, and the decoded form never exists.
 */
export function isDecoded(node: GraphNode, inMemory: (node: GraphNode) => boolean): boolean {
  const closure = closureOf(node, inMemory, maxDecodingOps)
  if (closure === null || closure.cost > maxDecodingCost || closure.leaves.size === 0) return false
  const bits = (tensor: GraphNode): Size => mulSizes(elementsOf(tensor), dtypes[typeOf(tensor).dtype].bits)
  const read = [...closure.leaves].map(bits).reduce(addSizes)
  return rangeOf(subSizes(bits(node), read)).min > 0
}

const maxRepeatedCost = 10

/** True when a value may be computed by each of its users: little arithmetic, and no more memory traffic than reading it. */
export function isCheapToRepeat(node: GraphNode, inMemory: (node: GraphNode) => boolean): boolean {
  const closure = closureOf(node, inMemory)
  if (closure === null || closure.cost > maxRepeatedCost) return false
  const elements = elementsOf(node)
  const large = [...closure.leaves].filter(leaf => !muchSmaller(elementsOf(leaf), elements))
  const bits = large.reduce((sum, leaf) => sum + dtypes[typeOf(leaf).dtype].bits, 0)
  return large.length <= 1 && bits <= 2 * dtypes[typeOf(node).dtype].bits
}

/**
 * Linear functions of the thread number's bits: a thread's offset in a tile has one constant per bit, added or XORed. Runs
 * of bits with doubling constants become one shift and mask.
 */
import type { LaneNode } from '../../lane/ir.js'
import type { Lanes } from '../shared/lanes.js'

/** How an address combines its constants: addition, or XOR in swizzled memory. */
export type Combine = 'add' | 'xor'

/** One term: `((thread >> from) & mask) · factor`. */
interface Term {
  readonly from: number
  readonly mask: number
  readonly factor: number
}

/** The terms of Σ bit k of the thread · values[k]. A run of bits whose values double is one term. */
function termsOfSum(values: readonly number[]): Term[] {
  const terms: Term[] = []
  for (let k = 0; k < values.length; ) {
    const factor = values[k]!
    let length = 1
    while (factor !== 0 && k + length < values.length && values[k + length] === factor * 2 ** length) length++
    if (factor !== 0) terms.push({ from: k, mask: 2 ** length - 1, factor })
    k += length
  }
  return terms
}

/** The terms of the XOR over k of bit k of the thread · values[k]. Bits that are shifted by the same distance are one term. */
function termsOfXor(values: readonly number[]): Term[] {
  const masks = new Map<number, number>()
  values.forEach((value, k) => {
    for (let bit = 0; value >> bit !== 0; bit++) {
      if ((value >> bit) & 1) masks.set(bit - k, (masks.get(bit - k) ?? 0) | (1 << k))
    }
  })
  return [...masks].map(([shift, mask]) => {
    const from = 31 - Math.clz32(mask & -mask)
    return { from, mask: mask >> from, factor: 2 ** (shift + from) }
  })
}

export class Threads {
  readonly id: LaneNode

  constructor(
    readonly lanes: Lanes,
    /** Bits of the thread number: 5 for the lane, the rest for the warp. */
    readonly bits: number,
  ) {
    this.id = lanes.builder.node('threadId', [], {})
  }

  i32(value: number): LaneNode {
    return this.lanes.constant('i32', value)
  }

  #term({ from, mask, factor }: Term): LaneNode {
    const { lanes } = this
    const shifted = from === 0 ? this.id : lanes.map('shr', this.id, this.i32(from))
    const isTop = from + bitLength(mask) >= this.bits && mask === 2 ** bitLength(mask) - 1
    const masked = isTop ? shifted : lanes.map('and', shifted, this.i32(mask))
    return lanes.mul(masked, this.i32(factor))
  }

  /** i32: combines `values[k]` over the set bits k of the thread number. */
  combine(values: readonly number[], how: Combine): LaneNode {
    const distinct = how === 'xor' && areDisjoint(values)
    const terms = how === 'xor' && !distinct ? termsOfXor(values) : termsOfSum(values)
    const nodes = terms.map(term => this.#term(term))
    if (nodes.length === 0) return this.i32(0)
    return nodes.reduce((sum, node) => this.lanes.map(how === 'xor' && !distinct ? 'xor' : 'add', sum, node))
  }

  /** Bool: all bits of `mask` are 0 in this thread's number. */
  isFirst(mask: number): LaneNode {
    const { lanes } = this
    if (mask === 0) return lanes.constant('bool', 1)
    return lanes.map('eq', lanes.map('and', this.id, this.i32(mask)), this.i32(0))
  }

  /** Bool: the bit of this thread's number is set. */
  bit(k: number): LaneNode {
    return this.lanes.map('ne', this.lanes.map('and', this.id, this.i32(1 << k)), this.i32(0))
  }
}

const bitLength = (value: number): number => 32 - Math.clz32(value)

/** True when no two values share a bit: XOR then equals addition. */
function areDisjoint(values: readonly number[]): boolean {
  let seen = 0
  for (const value of values) {
    if ((seen & value) !== 0) return false
    seen |= value
  }
  return true
}

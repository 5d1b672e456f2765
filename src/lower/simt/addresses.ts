/** Shared-memory addresses: a per-thread part, the stage, and a constant that is folded into the access where possible. */
import type { LaneNode } from '../../lane/ir.js'
import type { Context } from './context.js'
import { copy } from './layout.js'
import type { Combine } from './threads.js'

/** The start of a thread's accesses to a buffer. */
export interface ThreadPart {
  readonly base: LaneNode
  /** Bits that the base may have set. */
  readonly mask: number
  readonly combine: Combine
}

/** `bits`: for each bit of the thread's number, the bit of the index or `copy`; `offsets`: elements for each of those. */
export function threadPart(
  { threads }: Context,
  bits: readonly number[],
  offsets: readonly number[],
  combine: Combine,
): ThreadPart {
  const parts = bits.map(bit => (bit === copy ? 0 : offsets[bit]!))
  return { base: threads.combine(parts, combine), mask: parts.reduce((mask, part) => mask | part, 0), combine }
}

/** i32: the index `constant` elements further; only bits that both may set are XORed, all others are added. */
export function placeAt(
  context: Context,
  { base, mask, combine }: ThreadPart,
  constant: number,
  start: LaneNode | null,
): LaneNode {
  const { lanes } = context
  const shared = combine === 'xor' ? constant & mask : 0
  const own = shared === 0 ? base : lanes.map('xor', base, context.i32(shared))
  const staged = start === null ? own : lanes.add(own, start)
  return lanes.add(staged, context.i32(constant - shared))
}

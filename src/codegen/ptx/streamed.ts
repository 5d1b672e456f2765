/**
 * Loads that bypass L1: their addresses differ between programs, so only one block reads them, and L1 is left to data
 * shared by all blocks.
 */
import type { LaneNode } from '../../lane/ir.js'

const known = new WeakMap<LaneNode, boolean>()

export function isStreamed(index: LaneNode): boolean {
  const found = known.get(index)
  if (found !== undefined) return found
  const streamed = index.op === 'programId' || index.inputs.some(isStreamed)
  known.set(index, streamed)
  return streamed
}

/**
 * Which loads bring what this block alone needs: their addresses differ from program to program. They pass by the first
 * cache, and leave it to what all blocks read.
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

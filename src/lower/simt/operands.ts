/** Staging of dot operands in shared memory: by cp.async where possible, else through registers. */
import type { LaneNode } from '../../lane/ir.js'
import { dtypeOf, lanesOf } from '../shared/lanes.js'
import { placeAt, threadPart } from './addresses.js'
import type { AsyncPlan } from './async-copies.js'
import { BlockPlaces } from './bounds.js'
import type { Context, Scalar } from './context.js'
import { storeShared } from './exchange.js'
import { copyMask, registerIndex, type ThreadLayout, threadBits } from './layout.js'
import { offsetOfIndex } from './shared-layout.js'
import type { SharedBuffer, Staged } from './shared-memory.js'

/** Issues the async copies of a load; elements outside the view, or beyond the tile, become 0. */
export function startCopies(
  context: Context,
  plan: AsyncPlan,
  buffer: SharedBuffer,
  start: LaneNode | null,
  scalar: Scalar,
): void {
  // Records the global reads: later writes of other threads must be ordered after them.
  context.shared.access({ space: 'global', view: plan.access.view, key: null, varies: true, write: false })
  const copies = copyMask(plan.layout)
  const offsets = plan.access.offsets.map(scalar)
  if (copies === 0) copyPieces(context, plan, buffer, start, offsets)
  else {
    const pieces = (): readonly LaneNode[] => {
      copyPieces(context, plan, buffer, start, offsets)
      return []
    }
    context.lanes.branch(context.threads.isFirst(copies), 'one of the copies', pieces, () => [])
  }
}

/** Issues the asynchronous copies of one thread's part of an operand. */
function copyPieces(
  context: Context,
  { access, layout, shared }: AsyncPlan,
  buffer: SharedBuffer,
  start: LaneNode | null,
  offsets: readonly LaneNode[],
): void {
  const { lanes } = context
  const places = new BlockPlaces(context, access, layout, offsets)
  const to = context.sharedPointer(buffer)
  const from = context.viewPointer(access.view)
  const part = threadPart(context, threadBits(layout), shared.offsets, shared.combine)
  for (const { registers, index, count } of places.pieces()) {
    const at = placeAt(context, part, offsetOfIndex(shared, registerIndex(layout, registers[0]!)), start)
    const inputs = count === null ? [to, at, from, index] : [to, at, from, index, count]
    lanes.builder.node('asyncCopy', inputs, { lanes: registers.length })
  }
}

/** Stores a computed operand to shared memory; elements past the end of `depthDim` become 0. */
export function storeOperand(
  context: Context,
  { buffer, layout, start }: Staged,
  depthDim: number,
  from: ThreadLayout,
  value: LaneNode,
): void {
  storeShared(context, zeroBeyond(context, value, from, depthDim), from, layout, buffer, start)
}

/** Zeroes the padding along a dim. */
export function zeroBeyond(context: Context, value: LaneNode, layout: ThreadLayout, dim: number): LaneNode {
  const inside = context.isInside(layout, [dim])
  const zeros = context.lanes.constant(dtypeOf(value), 0, lanesOf(value))
  return inside === null ? value : context.lanes.select(inside, value, zeros)
}

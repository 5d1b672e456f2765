/** Reshapes that do not keep index bits (6×10 → 60): elements pass through shared memory in row-major order. */
import type { LaneNode } from '../../lane/ir.js'
import { type TileNode, tileType } from '../../tile/ir.js'
import type { Context } from './context.js'
import { copyMask, registerCount, type ThreadLayout } from './layout.js'

/** i32 per register: the element's row-major position, without padding. */
function places(context: Context, layout: ThreadLayout): LaneNode {
  const { lanes } = context
  let index = context.lanes.constant('i32', 0, registerCount(layout))
  layout.shape.forEach((size, d) => {
    index = lanes.add(lanes.mul(index, lanes.constant('i32', size)), context.coordinates(layout, d))
  })
  return index
}

/** Emits a reshape that changes which index bits form a dim, by an exchange through shared memory. */
export function emitReshape(
  context: Context,
  node: TileNode,
  operand: LaneNode,
  from: ThreadLayout,
  to: ThreadLayout,
): LaneNode {
  const { lanes, threads } = context
  const { dtype, shape } = tileType(node)
  const count = shape.reduce((a, b) => a * b, 1)
  const buffer = context.shared.scratch(dtype, count, 'reshape', node.origin.at)
  const memory = context.sharedPointer(buffer)
  const copies = copyMask(from)
  const first = copies === 0 ? null : lanes.spread(threads.isFirst(copies), registerCount(from))
  const inside = context.isInside(from)
  const mask = first === null ? inside : inside === null ? first : lanes.and(first, inside)
  context.shared.write(buffer)
  lanes.scatter(memory, places(context, from), operand, mask)
  context.shared.read(buffer)
  return lanes.gather(memory, places(context, to), context.isInside(to))
}

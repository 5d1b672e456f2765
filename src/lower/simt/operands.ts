/** Operands of dots on their way to shared memory: straight from global memory where they can, else through registers. */
import type { LaneNode } from '../../lane/ir.js'
import { type TileNode, tileType } from '../../tile/ir.js'
import { lanesOf } from '../lanes.js'
import type { AsyncPlan } from './async-copies.js'
import { BlockPlaces } from './bounds.js'
import type { Context } from './context.js'
import { reach, storeShared } from './exchange.js'
import { copy, type Layout, registerIndex, threadBits } from './layout.js'
import type { Scalar, Value } from './memory.js'
import { offsetOfIndex, type SharedLayout } from './shared-layout.js'
import type { SharedBuffer } from './shared-memory.js'

/** A tile in shared memory, `start` elements into a buffer. */
export interface Staged {
  readonly buffer: SharedBuffer
  readonly layout: SharedLayout
  readonly start: LaneNode | null
}

/** Starts the copies of a load; what lies outside the view, or past the tile's end, becomes 0. `isOn`: else all does. */
export function startCopies(
  context: Context,
  { access, layout, shared }: AsyncPlan,
  buffer: SharedBuffer,
  start: LaneNode | null,
  scalar: Scalar,
): void {
  const { lanes, threads } = context
  const places = new BlockPlaces(context, access, layout, access.offsets.map(scalar))
  const to = context.sharedPointer(buffer)
  const from = context.viewPointer(access.view)
  const base = threads.combine(
    threadBits(layout).map(bit => (bit === copy ? 0 : shared.offsets[bit]!)),
    shared.combine,
  )
  const mask = reach(layout, shared)
  for (const { registers, index, count } of places.pieces()) {
    const offset = offsetOfIndex(shared, registerIndex(layout, registers[0]!))
    const how = shared.combine === 'xor' && (mask & offset) !== 0 ? 'xor' : 'add'
    const own = offset === 0 ? base : lanes.map(how, base, context.i32(offset))
    const at = start === null ? own : lanes.add(own, start)
    const inputs = count === null ? [to, at, from, index] : [to, at, from, index, count]
    lanes.builder.node('asyncCopy', inputs, { lanes: registers.length })
  }
}

/** Puts a computed operand into shared memory; elements past the end of `depthDim` are 0 there. */
export function stageComputed(
  context: Context,
  operand: TileNode,
  { buffer, layout, start }: Staged,
  depthDim: number,
  from: Layout,
  value: Value,
): void {
  const inRegisters = value(operand, from)
  const inside = context.isInside(from, [depthDim])
  const zeros = context.lanes.constant(tileType(operand).dtype, 0, lanesOf(inRegisters))
  const masked = inside === null ? inRegisters : context.lanes.select(inside, inRegisters, zeros)
  context.shared.write(buffer)
  storeShared(context, masked, from, layout, buffer, start)
}

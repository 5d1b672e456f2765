/** The layout of a scan's operand: runs along the axis in one thread, then in neighbouring lanes, then in warps. */
import { bitsOfDim, LayoutBuilder, type ThreadLayout } from './layout.js'

/** log2 of the elements along the axis that one thread scans before lanes combine. */
const runBits = 2

/** A layout for a scan: short runs along the axis in each thread, then lanes, then warps. */
export function scanLayout(shape: readonly number[], axis: number, warpBits: number): ThreadLayout {
  const builder = new LayoutBuilder(shape, warpBits)
  const along = bitsOfDim(shape, axis)
  const others = shape.flatMap((_, d) => (d === axis ? [] : bitsOfDim(shape, d))).sort((a, b) => a - b)
  const spare = Math.max(0, along.length + others.length - 5 - warpBits)
  builder.registers.push(...along.splice(0, Math.min(runBits, spare)))
  const isInner = axis === shape.length - 1
  // Along other axes, lanes follow memory order, and each thread scans the axis alone.
  if (isInner) builder.lanes.push(...along.splice(0, builder.freeLanes))
  builder.lanes.push(...others.splice(0, builder.freeLanes))
  builder.lanes.push(...along.splice(0, builder.freeLanes))
  while (builder.freeWarps > 0 && others.length > 0) builder.warps.push(others.pop()!)
  while (builder.freeWarps > 0 && along.length > 0) builder.warps.push(along.pop()!)
  builder.registers.push(...along, ...others)
  return builder.finish()
}

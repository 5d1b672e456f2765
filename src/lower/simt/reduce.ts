/**
 * Reductions along axes, in a fixed order: a thread's registers, then lanes of a warp (shuffles), then warps (one exchange
 * through shared memory). The result stays in place, with copies along the reduced axes.
 */
import type { LaneNode } from '../../lane/ir.js'
import { isArgReduction, type ReductionName, reductionIdentity, type ScalarOpName } from '../../scalar/ops.js'
import type { TileNode } from '../../tile/ir.js'
import { isFloat } from '../../types/dtype.js'
import { dtypeOf, lanesOf } from '../shared/lanes.js'
import type { Context } from './context.js'
import { loadShared, storeShared } from './exchange.js'
import { bitsOfDim, copy, layoutKey, registerCount, type ThreadLayout } from './layout.js'
import { axesOf, foldedLayout, type ReduceChain } from './reduce-chains.js'
import type { SharedLayout } from './shared-layout.js'

/** Emits a reduction: within each thread, then across lanes by shuffles, then across warps through shared memory. */
export function emitReduce(context: Context, chain: ReduceChain, operand: LaneNode, layout: ThreadLayout): LaneNode {
  const { fn } = chain.folds.at(-1)!.attrs
  const axes = axesOf(chain)
  const total = axes.length === 1 ? context.kept(chain.source, totalKey(layout, fn, axes[0]!)) : undefined
  if (total !== undefined) return total
  const value = maskPadding(context, operand, layout, axes, fn)
  if (!isArgReduction(fn)) return fold(context, chain, value, layout, fn)
  // Comparing with the best value afterwards is less work than carrying the positions of values.
  const { lanes } = context
  const best = spreadBack(context, fold(context, chain, value, layout, fn === 'argmax' ? 'max' : 'min'), layout, axes)
  const equal = lanes.map('eq', value, best)
  const isBest = isFloat(dtypeOf(value)) ? lanes.map('or', equal, lanes.map('ne', value, value)) : equal
  const none = lanes.constant('i32', reductionIdentity('min', 'i32'), lanesOf(value))
  const positions = lanes.select(isBest, context.coordinates(layout, axes[0]!), none)
  return lanes.cast(fold(context, chain, positions, layout, 'min'), 'i64')
}

function fold(context: Context, chain: ReduceChain, value: LaneNode, layout: ThreadLayout, fn: ScalarOpName): LaneNode {
  const along = new Set(axesOf(chain).flatMap(axis => bitsOfDim(layout.shape, axis)))
  const inThread = foldRegisters(context, value, layout, along, fn)
  const inWarp = foldLanes(context, inThread, layout, along, fn)
  return foldWarps(context, inWarp, layout, foldedLayout(chain, layout), along, fn, chain.folds.at(-1)!)
}

/** A reduced value for each element that it was reduced from. */
function spreadBack(context: Context, folded: LaneNode, layout: ThreadLayout, axes: readonly number[]): LaneNode {
  const along = new Set(axes.flatMap(axis => bitsOfDim(layout.shape, axis)))
  const kept = layout.registers.flatMap((bit, k) => (along.has(bit) ? [] : [k]))
  const source = (register: number): number => kept.reduce((at, k, i) => at | (((register >> k) & 1) << i), 0)
  return context.vectors.pick(
    folded,
    Array.from({ length: registerCount(layout) }, (_, register) => source(register)),
  )
}

/** Names what all elements along an axis come to, which a scan finds on its way. */
export const totalKey = (layout: ThreadLayout, fn: string, axis: number): string => `${layoutKey(layout)} ${fn} ${axis}`

/** Replaces padding along the axes by the neutral element. */
export function maskPadding(
  context: Context,
  operand: LaneNode,
  layout: ThreadLayout,
  axes: readonly number[],
  fn: ReductionName,
): LaneNode {
  const inside = context.isInside(layout, axes)
  if (inside === null) return operand
  const dtype = dtypeOf(operand)
  const identity = context.lanes.constant(dtype, reductionIdentity(fn, dtype), lanesOf(operand))
  return context.lanes.select(inside, operand, identity)
}

/** Tree reduction over registers, along the axes' highest bit first. */
function foldRegisters(
  context: Context,
  start: LaneNode,
  layout: ThreadLayout,
  along: ReadonlySet<number>,
  fn: ScalarOpName,
): LaneNode {
  let [bits, folded] = [layout.registers, start]
  for (;;) {
    const k = bits.findLastIndex(bit => along.has(bit))
    if (k < 0) return folded
    const all = Array.from({ length: 2 ** bits.length }, (_, register) => register)
    const half = (which: number): LaneNode =>
      context.vectors.pick(
        folded,
        all.filter(register => ((register >> k) & 1) === which),
      )
    folded = context.lanes.map(fn, half(0), half(1))
    bits = bits.toSpliced(k, 1)
  }
}

/** Folds across the lanes of a warp by butterfly shuffles, so that every lane gets the result. */
function foldLanes(
  context: Context,
  start: LaneNode,
  layout: ThreadLayout,
  along: ReadonlySet<number>,
  fn: ScalarOpName,
): LaneNode {
  let folded = start
  layout.lanes.forEach((bit, k) => {
    if (!along.has(bit)) return
    const other = context.lanes.builder.node('shuffle', [folded, context.i32(1 << k)], { mode: 'xor' })
    // The order of the operands must not depend on the lane, otherwise lanes would round differently.
    folded = context.lanes.map(fn, folded, other)
  })
  return folded
}

/** Each warp writes its partial result; all warps read the partial results along the axis. */
function foldWarps(
  context: Context,
  start: LaneNode,
  layout: ThreadLayout,
  kept: ThreadLayout,
  along: ReadonlySet<number>,
  fn: ScalarOpName,
  node: TileNode,
): LaneNode {
  const places = layout.warps.flatMap((bit, k) => (along.has(bit) ? [k] : []))
  if (places.length === 0) return start
  return warpParts(context, start, kept, places, node).reduce((a, b) => context.lanes.map(fn, a, b))
}

/**
 * What the warps that differ in the bits `places` of their number hold, through shared memory: one vector per combination of
 * these bits, the first bit lowest. `kept`: the layout of one such vector.
 */
export function warpParts(
  context: Context,
  value: LaneNode,
  kept: ThreadLayout,
  places: readonly number[],
  node: TileNode,
): LaneNode[] {
  const keptBits =
    kept.shape.length === 0 ? 0 : [...kept.registers, ...kept.lanes, ...kept.warps].filter(bit => bit !== copy).length
  // The warps' partial results as one more dim: [parts, kept…].
  const shape = [2 ** places.length, 2 ** keptBits]
  const parts: ThreadLayout = {
    shape,
    registers: kept.registers,
    lanes: kept.lanes,
    warps: kept.warps.map((bit, k) => (places.includes(k) ? keptBits + places.indexOf(k) : bit)),
  }
  const all: ThreadLayout = {
    shape,
    registers: [...kept.registers, ...places.map((_, i) => keptBits + i)],
    lanes: kept.lanes,
    warps: kept.warps,
  }
  const shared: SharedLayout = {
    shape,
    combine: 'add',
    offsets: Array.from({ length: keptBits + places.length }, (_, bit) => 2 ** bit),
    size: 2 ** (keptBits + places.length),
  }
  const buffer = context.shared.scratch(dtypeOf(value), shared.size, 'partials', node.origin.at)
  context.shared.write(buffer)
  storeShared(context, value, parts, shared, buffer)
  context.shared.read(buffer)
  const read = loadShared(context, all, shared, buffer)
  const count = registerCount(kept)
  return Array.from({ length: 2 ** places.length }, (_, which) => context.vectors.slice(read, which * count, count))
}

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

/** Vectors that are reduced together: a value, or a value and its index. */
type Folded = readonly LaneNode[]
type Combine = (context: Context, a: Folded, b: Folded) => Folded

const combineValues =
  (fn: ScalarOpName): Combine =>
  ({ lanes }, [a], [b]) => [lanes.map(fn, a!, b!)]

/** Argmax/argmin step: the better of two values; NaN wins over all others, the smaller index among equals. */
const combineBest =
  (fn: 'argmin' | 'argmax'): Combine =>
  ({ lanes }, [a, i], [b, j]) => {
    const earlier = lanes.map('lt', i!, j!)
    const beats = lanes.map(fn === 'argmin' ? 'lt' : 'gt', a!, b!)
    const tied = lanes.map('eq', a!, b!)
    let first = lanes.map('or', beats, lanes.map('and', tied, earlier))
    if (isFloat(dtypeOf(a!))) {
      const [aIsNaN, bIsNaN] = [lanes.map('ne', a!, a!), lanes.map('ne', b!, b!)]
      first = lanes.map('where', aIsNaN, lanes.map('or', lanes.map('not', bIsNaN), earlier), first)
      first = lanes.map('and', first, lanes.map('or', aIsNaN, lanes.map('not', bIsNaN)))
    }
    return [lanes.select(first, a!, b!), lanes.select(first, i!, j!)]
  }

/** Emits a reduction: within each thread, then across lanes by shuffles, then across warps through shared memory. */
export function emitReduce(context: Context, chain: ReduceChain, operand: LaneNode, layout: ThreadLayout): LaneNode {
  const node = chain.folds.at(-1)!
  const { fn } = node.attrs
  const axes = axesOf(chain)
  const total = axes.length === 1 ? context.kept(chain.source, totalKey(layout, fn, axes[0]!)) : undefined
  if (total !== undefined) return total
  const value = maskPadding(context, operand, layout, axes, fn)
  const isArg = isArgReduction(fn)
  const start: Folded = isArg ? [value, context.coordinates(layout, axes[0]!)] : [value]
  const combine = isArg ? combineBest(fn) : combineValues(fn)
  const along = new Set(axes.flatMap(axis => bitsOfDim(layout.shape, axis)))
  const inThread = foldRegisters(context, start, layout, along, combine)
  const inWarp = foldLanes(context, inThread, layout, along, combine)
  const folded = foldWarps(context, inWarp, layout, foldedLayout(chain, layout), along, combine, node)
  return isArg ? context.lanes.cast(folded[1]!, 'i64') : folded[0]!
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
  start: Folded,
  layout: ThreadLayout,
  along: ReadonlySet<number>,
  combine: Combine,
): Folded {
  let [bits, folded] = [layout.registers, start]
  for (;;) {
    const k = bits.findLastIndex(bit => along.has(bit))
    if (k < 0) return folded
    const all = Array.from({ length: 2 ** bits.length }, (_, register) => register)
    const half = (which: number): Folded => {
      const registers = all.filter(register => ((register >> k) & 1) === which)
      return folded.map(node => context.vectors.pick(node, registers))
    }
    folded = combine(context, half(0), half(1))
    bits = bits.toSpliced(k, 1)
  }
}

/** Folds across the lanes of a warp by butterfly shuffles, so that every lane gets the result. */
function foldLanes(
  context: Context,
  start: Folded,
  layout: ThreadLayout,
  along: ReadonlySet<number>,
  combine: Combine,
): Folded {
  let folded = start
  layout.lanes.forEach((bit, k) => {
    if (!along.has(bit)) return
    const other = folded.map(node =>
      context.lanes.builder.node('shuffle', [node, context.i32(1 << k)], { mode: 'xor' }),
    )
    // The order of a and b must not depend on the lane, otherwise lanes would round differently.
    folded = combine(context, folded, other)
  })
  return folded
}

/** Each warp writes its partial result; all warps read the partial results along the axis. */
function foldWarps(
  context: Context,
  start: Folded,
  layout: ThreadLayout,
  kept: ThreadLayout,
  along: ReadonlySet<number>,
  combine: Combine,
  node: TileNode,
): Folded {
  const places = layout.warps.flatMap((bit, k) => (along.has(bit) ? [k] : []))
  if (places.length === 0) return start
  const parts = warpParts(context, start, kept, places, node)
  const folds = parts[0]!.map((_, which): Folded => parts.map(each => each[which]!))
  return folds.reduce((a, b) => combine(context, a, b))
}

/**
 * What the warps that differ in the bits `places` of their number hold, through shared memory: for each value one vector per
 * combination of these bits, the first bit lowest. `kept`: the layout of one such vector.
 */
export function warpParts(
  context: Context,
  values: Folded,
  kept: ThreadLayout,
  places: readonly number[],
  node: TileNode,
): readonly (readonly LaneNode[])[] {
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
  const buffers = context.shared.together(
    values.map(each => ({ dtype: dtypeOf(each), count: shared.size, name: 'partials' })),
    node.origin.at,
  )
  values.forEach((each, i) => {
    context.shared.write(buffers[i]!)
    storeShared(context, each, parts, shared, buffers[i]!)
  })
  const read = buffers.map(buffer => {
    context.shared.read(buffer)
    return loadShared(context, all, shared, buffer)
  })
  const count = registerCount(kept)
  return read.map(each =>
    Array.from({ length: 2 ** places.length }, (_, which) => context.vectors.slice(each, which * count, count)),
  )
}

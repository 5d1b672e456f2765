/**
 * Histograms and orders by bins, stable and without atomics. Each warp counts its elements, 32 at a time: the lanes that hold
 * the same bin find out how many they are, and the last of them updates the warp's counter. Prefix sums of the counters, over
 * the warps and then over the bins, say where each warp's elements of a bin begin.
 */
import type { LaneNode } from '../../lane/ir.js'
import type { TileNode } from '../../tile/ir.js'
import { dtypeOf } from '../shared/lanes.js'
import { binLayout } from './bin-layout.js'
import type { Context } from './context.js'
import { storeShared } from './exchange.js'
import { copy, laneBits, registerCount, type ThreadLayout, totalBits } from './layout.js'
import type { SharedLayout } from './shared-layout.js'
import type { SharedBuffer } from './shared-memory.js'

type Histogram = Extract<TileNode, { op: 'histogram' }>
type BinOrder = Extract<TileNode, { op: 'binOrder' }>

const warpSize = 2 ** laneBits

/** `layout`: of the result. */
export function emitHistogram(context: Context, node: Histogram, digits: LaneNode, layout: ThreadLayout): LaneNode {
  const { lanes } = context
  const counting = new Counting(context, node, 1)
  counting.count(counting.withoutOthers(digits))
  context.shared.read(counting.counters)
  const bins = context.coordinates(layout, 0)
  const inside = lanes.map('lt', bins, context.i32(node.attrs.bins))
  let sum: LaneNode | null = null
  for (let warp = 0; warp < counting.warps; warp++) {
    const at = lanes.add(bins, context.i32(warp * counting.columns))
    const part = lanes.gather(context.sharedPointer(counting.counters), at, inside)
    sum = sum === null ? part : lanes.add(sum, part)
  }
  return sum!
}

/** `layout`: of the result. */
export function emitBinOrder(context: Context, node: BinOrder, digits: LaneNode, layout: ThreadLayout): LaneNode {
  const { lanes, vectors } = context
  const counting = new Counting(context, node, 0)
  const { counters, order, starts } = counting
  const bins = counting.clamped(digits)
  const ranks = counting.count(bins)
  counting.accumulate()
  context.shared.read(counters)
  context.shared.read(starts)
  const count = registerCount(counting.layout)
  const own = lanes.spread(counting.isOwn, count)
  const gather = (from: SharedBuffer, at: LaneNode): LaneNode => lanes.gather(context.sharedPointer(from), at, own)
  const before = gather(counters, lanes.add(bins, counting.row))
  const places = lanes.add(lanes.add(gather(starts, bins), before), vectors.concat(ranks))
  context.shared.write(order)
  lanes.scatter(context.sharedPointer(order), places, context.coordinates(counting.layout, 0), own)
  context.shared.read(order)
  const index = context.coordinates(layout, 0)
  return lanes.gather(context.sharedPointer(order), index, lanes.map('lt', index, context.i32(order.count)))
}

/** The table passes through shared memory. `from`, `to`: the layouts of the table and of the indices. */
export function emitTake(
  context: Context,
  node: TileNode,
  table: LaneNode,
  from: ThreadLayout,
  indices: LaneNode,
): LaneNode {
  const { lanes } = context
  const bits = totalBits(from.shape)
  const offsets = Array.from({ length: bits }, (_, bit) => 2 ** bit)
  const shared: SharedLayout = { shape: from.shape, combine: 'add', offsets, size: 2 ** bits }
  const buffer = context.shared.scratch(dtypeOf(table), shared.size, 'table', node.origin.at)
  context.shared.write(buffer)
  storeShared(context, table, from, shared, buffer)
  context.shared.read(buffer)
  const isAbove = lanes.map('ge', indices, context.i32(0))
  const inside = lanes.and(isAbove, lanes.map('lt', indices, context.i32(from.shape[0]!)))
  return lanes.gather(context.sharedPointer(buffer), indices, inside)
}

class Counting {
  readonly layout: ThreadLayout
  /** Warps that hold different elements. */
  readonly warps: number
  /** Counters per warp. */
  readonly columns: number
  readonly counters: SharedBuffer
  readonly starts: SharedBuffer
  readonly order: SharedBuffer
  /** Bool: where the layout replicates elements across threads, this one holds the first replica, which alone counts. */
  readonly isOwn: LaneNode
  /** i32: where the warp's counters begin. */
  readonly row: LaneNode

  /** `others`: counters for what is in no bin. */
  constructor(
    readonly context: Context,
    readonly node: Histogram | BinOrder,
    others: 0 | 1,
  ) {
    const { lanes, threads, warpBits, shared } = context
    const type = node.inputs[0]!.type
    const shape = type.kind === 'tile' ? type.shape : []
    this.layout = binLayout(shape, warpBits)
    this.warps = 2 ** this.layout.warps.filter(bit => bit !== copy).length
    this.columns = node.attrs.bins + others
    const wanted = [
      { dtype: 'i32', count: this.warps * this.columns, name: 'counters' },
      { dtype: 'i32', count: Math.max(warpSize, node.attrs.bins), name: 'starts' },
      { dtype: 'i32', count: node.op === 'binOrder' ? 2 ** totalBits(shape) : 1, name: 'order' },
    ] as const
    ;[this.counters, this.starts, this.order] = shared.together(wanted, node.origin.at) as [
      SharedBuffer,
      SharedBuffer,
      SharedBuffer,
    ]
    this.isOwn = lanes.map('lt', threads.id, context.i32(this.warps * warpSize))
    const warp = lanes.map('shr', threads.id, context.i32(laneBits))
    this.row = lanes.mul(warp, context.i32(this.columns))
  }

  /** Elements outside count as of the nearest bin; padding follows all elements. */
  clamped(digits: LaneNode): LaneNode {
    const { lanes } = this.context
    const last = this.context.i32(this.node.attrs.bins - 1)
    const inside = this.context.isInside(this.layout)
    const known =
      inside === null ? digits : lanes.select(inside, digits, lanes.spread(last, registerCount(this.layout)))
    return lanes.max(lanes.min(known, last), this.context.i32(0))
  }

  /** Elements outside, and padding, are counted beside the bins. */
  withoutOthers(digits: LaneNode): LaneNode {
    const { lanes } = this.context
    const none = this.context.i32(this.node.attrs.bins)
    const isBin = lanes.and(lanes.map('ge', digits, this.context.i32(0)), lanes.map('lt', digits, none))
    const inside = this.context.isInside(this.layout)
    const counts = inside === null ? isBin : lanes.and(isBin, inside)
    return lanes.select(counts, digits, lanes.spread(none, registerCount(this.layout)))
  }

  /** Counts each warp's elements. Returns how many of its bin precede each element within its warp. */
  count(bins: LaneNode): LaneNode[] {
    const { lanes, vectors, shared, threads } = this.context
    const pointer = this.context.sharedPointer(this.counters)
    const all = this.warps * this.columns
    const every = 2 ** threads.bits
    shared.write(this.counters)
    for (let from = 0; from < all; from += every) {
      const at = lanes.add(threads.id, this.context.i32(from))
      const fits = from + every <= all ? null : this.#only(lanes.map('lt', at, this.context.i32(all)))
      lanes.store(pointer, at, this.context.i32(0), fits)
    }
    shared.write(this.counters)
    const bits = Math.ceil(Math.log2(this.columns))
    const registers = Array.from({ length: registerCount(this.layout) }, (_, register) =>
      vectors.slice(bins, register, 1),
    )
    const matches = registers.map(bin => lanes.builder.node('match', [bin], { bits }))
    return registers.map((bin, i) => {
      const at = lanes.add(bin, this.row)
      const known = lanes.load(pointer, at, 1, this.#only(this.isOwn))
      const before = lanes.add(known, lanes.map('and', matches[i]!, this.context.i32(warpSize - 1)))
      const isLast = lanes.map('ge', matches[i]!, this.context.i32(warpSize))
      this.#warpBarrier()
      lanes.store(pointer, at, lanes.add(before, this.context.i32(1)), this.#only(lanes.and(isLast, this.isOwn)))
      this.#warpBarrier()
      return before
    })
  }

  /** Makes the counters those of earlier warps, and sums the bins before each bin. */
  accumulate(): void {
    const { lanes, shared, threads } = this.context
    const { bins } = this.node.attrs
    const every = 2 ** threads.bits
    const [counters, starts] = [this.counters, this.starts].map(buffer => this.context.sharedPointer(buffer)) as [
      LaneNode,
      LaneNode,
    ]
    shared.write(this.counters)
    shared.write(this.starts)
    for (let from = 0; from < bins; from += every) {
      const bin = lanes.add(threads.id, this.context.i32(from))
      const fits = from + every <= bins ? null : this.#only(lanes.map('lt', bin, this.context.i32(bins)))
      const rows = Array.from({ length: this.warps }, (_, warp) =>
        lanes.add(bin, this.context.i32(warp * this.columns)),
      )
      const counts = rows.map(at => lanes.load(counters, at, 1, fits))
      let sum = this.context.i32(0)
      counts.forEach((own, warp) => {
        lanes.store(counters, rows[warp]!, sum, fits)
        sum = lanes.add(sum, own)
      })
      lanes.store(starts, bin, sum, fits)
    }
    shared.read(this.starts)
    const sums = this.#sumsBefore(starts, bins)
    shared.write(this.starts)
    const first = lanes.map('lt', threads.id, this.context.i32(Math.min(warpSize, bins)))
    lanes.store(starts, sums.at, sums.values, this.#only(first, sums.each))
  }

  /** Each warp sums all bins, several consecutive ones per lane. */
  #sumsBefore(
    totals: LaneNode,
    bins: number,
  ): { readonly at: LaneNode; readonly values: LaneNode; readonly each: number } {
    const { lanes, vectors, threads } = this.context
    const each = Math.max(1, bins / warpSize)
    const lane = lanes.map('and', threads.id, this.context.i32(warpSize - 1))
    const at = lanes.mul(lane, this.context.i32(each))
    const fits = bins >= warpSize ? null : this.#only(lanes.map('lt', lane, this.context.i32(bins)))
    const own = Array.from({ length: each }, (_, i) => lanes.load(totals, lanes.add(at, this.context.i32(i)), 1, fits))
    const total = own.reduce((a, b) => lanes.add(a, b))
    let sum = total
    for (let distance = 1; distance < warpSize; distance *= 2) {
      const other = lanes.builder.node('shuffle', [sum, this.context.i32(distance)], { mode: 'up' })
      const reaches = lanes.map('ge', lane, this.context.i32(distance))
      sum = lanes.add(sum, lanes.map('where', reaches, other, this.context.i32(0)))
    }
    let before = lanes.sub(sum, total)
    const values = own.map(count => {
      const start = before
      before = lanes.add(before, count)
      return start
    })
    return { at, values: vectors.concat(values), each }
  }

  /** The count of an access that only some threads make. */
  #only(condition: LaneNode, count = 1): LaneNode {
    return this.context.lanes.map('where', condition, this.context.i32(count), this.context.i32(0))
  }

  #warpBarrier(): void {
    this.context.lanes.builder.node('barrier', [], { scope: 'warp' })
  }
}

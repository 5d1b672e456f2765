/**
 * Running folds. Elements are joined along the bits of the axis, lowest first: where a bit is set, everything before it
 * (the last element with that bit cleared) is folded in. That is arithmetic among a thread's registers, a shuffle among
 * lanes, and an exchange through shared memory among warps. A reverse scan is the mirror image.
 */
import type { LaneNode } from '../../lane/ir.js'
import type { TileNode } from '../../tile/ir.js'
import { dtypeOf } from '../lanes.js'
import type { Context } from './context.js'
import { loadShared, storeShared } from './exchange.js'
import { bitsOfDim, copy, type Layout, registerCount, totalBits } from './layout.js'
import { maskPadding } from './reduce.js'
import type { SharedLayout } from './shared-layout.js'

type Scan = Extract<TileNode, { op: 'scan' }>

export function emitScan(context: Context, node: Scan, operand: LaneNode, layout: Layout): LaneNode {
  const { axis, reverse, fn } = node.attrs
  const masked = reverse ? maskPadding(context, operand, layout, axis, fn) : operand
  const run = new Run(context, node, layout)
  let value = masked
  for (const bit of bitsOfDim(layout.shape, axis)) value = run.join(value, bit)
  return value
}

class Run {
  readonly #start: number
  readonly #registers: number

  constructor(
    readonly context: Context,
    readonly node: Scan,
    readonly layout: Layout,
  ) {
    this.#start = bitsOfDim(layout.shape, node.attrs.axis)[0] ?? 0
    this.#registers = registerCount(layout)
  }

  /** True for the bits of the axis below `bit`. */
  #isBelow(index: number, bit: number): boolean {
    return index >= this.#start && index < bit
  }

  /** Folds into the later half of each pair of runs (by `bit`) the last of the earlier half. */
  join(value: LaneNode, bit: number): LaneNode {
    const { layout } = this
    const place = layout.registers.indexOf(bit)
    const source = this.#sourceRegisters(bit, place)
    const sameThread = place >= 0 && ![...layout.lanes, ...layout.warps].some(each => this.#isBelow(each, bit))
    const before = sameThread ? this.context.vectors.pick(value, source) : this.#fetch(value, bit, source)
    const folded = this.context.lanes.map(this.node.attrs.fn, before, value)
    return this.#where(bit, place, folded, value)
  }

  /** For each register, the one that holds the end of the run before: lower bits of the axis all set (or cleared). */
  #sourceRegisters(bit: number, place: number): number[] {
    const { reverse } = this.node.attrs
    return Array.from({ length: this.#registers }, (_, register) => {
      let source = register
      this.layout.registers.forEach((index, k) => {
        if (this.#isBelow(index, bit)) source = reverse ? source & ~(1 << k) : source | (1 << k)
      })
      if (place >= 0) source = reverse ? source | (1 << place) : source & ~(1 << place)
      return source
    })
  }

  #where(bit: number, place: number, folded: LaneNode, value: LaneNode): LaneNode {
    const { context, layout } = this
    const { reverse } = this.node.attrs
    if (place >= 0) {
      const takes = (register: number): boolean => (((register >> place) & 1) === 1) !== reverse
      return context.vectors.assemble(
        Array.from({ length: this.#registers }, (_, lane) => ({ node: takes(lane) ? folded : value, lane })),
      )
    }
    const k = [...layout.lanes, ...layout.warps].indexOf(bit)
    const isSet = context.threads.bit(k)
    return context.lanes.select(isSet, reverse ? value : folded, reverse ? folded : value)
  }

  /** The ends of the runs before, from other lanes or warps. */
  #fetch(value: LaneNode, bit: number, source: readonly number[]): LaneNode {
    const { layout } = this
    const throughWarps = layout.warps.some(each => each === bit || this.#isBelow(each, bit))
    return throughWarps ? this.#fromWarps(value, bit, source) : this.#fromLanes(value, bit, source)
  }

  #fromLanes(value: LaneNode, bit: number, source: readonly number[]): LaneNode {
    const { context, layout } = this
    const { lanes, vectors, threads } = context
    const { reverse } = this.node.attrs
    let [set, clear] = [0, 0]
    layout.lanes.forEach((index, k) => {
      if (this.#isBelow(index, bit)) set |= 1 << k
      if (index === bit) clear |= 1 << k
    })
    if (reverse) [set, clear] = [clear, set]
    const lane = lanes.map('and', threads.id, context.i32(31 & ~clear))
    const from = set === 0 ? lane : lanes.map('or', lane, context.i32(set))
    const distinct = [...new Set(source)]
    const ends = lanes.builder.node('shuffle', [vectors.pick(value, distinct), from], { mode: 'index' })
    return vectors.pick(
      ends,
      source.map(register => distinct.indexOf(register)),
    )
  }

  /** All through shared memory; each thread reads the place whose index is the end of the run before. */
  #fromWarps(value: LaneNode, bit: number, source: readonly number[]): LaneNode {
    const { context, layout, node } = this
    const { reverse } = node.attrs
    const bits = totalBits(layout.shape)
    const shared: SharedLayout = {
      shape: layout.shape,
      combine: 'add',
      offsets: Array.from({ length: bits }, (_, each) => 2 ** each),
      size: 2 ** bits,
    }
    const buffer = context.shared.scratch(dtypeOf(value), shared.size, 'scan', node.origin.at)
    context.shared.write(buffer)
    storeShared(context, value, layout, shared, buffer)
    context.shared.read(buffer)
    // A thread reads its own elements' places with the axis' lower bits set and the bit itself cleared (or reversed).
    const drop = (index: number): number => (index === bit || this.#isBelow(index, bit) ? copy : index)
    const wanted: Layout = { ...layout, lanes: layout.lanes.map(drop), warps: layout.warps.map(drop) }
    let fixed = 0
    layout.lanes.concat(layout.warps).forEach(index => {
      if (reverse ? index === bit : this.#isBelow(index, bit)) fixed |= 2 ** index
    })
    const read = loadShared(context, wanted, shared, buffer, fixed === 0 ? null : context.i32(fixed))
    return context.vectors.pick(read, source)
  }
}

/**
 * Scans by doubling. For each bit of the axis, lowest first, every run whose bit is set is combined with the last element of
 * the preceding run (bit cleared). Bits in registers need only arithmetic, bits in lanes a shuffle, bits in warps an exchange
 * through shared memory. A reverse scan is the mirror image.
 */
import type { LaneNode } from '../../lane/ir.js'
import type { TileNode } from '../../tile/ir.js'
import { dtypeOf } from '../shared/lanes.js'
import { placeAt, threadPart } from './addresses.js'
import type { Context } from './context.js'
import { bitsOfDim, copy, copyMask, registerCount, type ThreadLayout, totalBits } from './layout.js'
import { maskPadding } from './reduce.js'

type Scan = Extract<TileNode, { op: 'scan' }>

export function emitScan(context: Context, node: Scan, operand: LaneNode, layout: ThreadLayout): LaneNode {
  const { axis, reverse, fn } = node.attrs
  const masked = reverse ? maskPadding(context, operand, layout, [axis], fn) : operand
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
    readonly layout: ThreadLayout,
  ) {
    this.#start = bitsOfDim(layout.shape, node.attrs.axis)[0] ?? 0
    this.#registers = registerCount(layout)
  }

  /** True for the bits of the axis below `bit`. */
  #isBelow(index: number, bit: number): boolean {
    return index >= this.#start && index < bit
  }

  /** Combines the later half of each pair of runs (by `bit`) with the last element of the earlier half. */
  join(value: LaneNode, bit: number): LaneNode {
    const { layout } = this
    const place = layout.registers.indexOf(bit)
    const source = this.#sourceRegisters(bit, place)
    const sameThread = place >= 0 && ![...layout.lanes, ...layout.warps].some(each => this.#isBelow(each, bit))
    const before = sameThread ? this.context.vectors.pick(value, source) : this.#fetch(value, bit, source)
    const folded = this.context.lanes.map(this.node.attrs.fn, before, value)
    return this.#where(bit, place, folded, value)
  }

  /** For each register, the one that holds the end of the previous run: lower bits of the axis all set (or cleared). */
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

  /** Takes `folded` for elements whose index has this bit set (reversed: clear), `value` for the others. */
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

  /** The ends of the previous runs, from other lanes or warps. */
  #fetch(value: LaneNode, bit: number, source: readonly number[]): LaneNode {
    const { layout } = this
    const throughWarps = layout.warps.some(each => each === bit || this.#isBelow(each, bit))
    return throughWarps ? this.#fromWarps(value, bit, source) : this.#fromLanes(value, bit, source)
  }

  /** The last element of the preceding half-block of 2^bit elements, from the lane that holds it. */
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

  /** Only the runs' ends pass through shared memory: one element per run. */
  #fromWarps(value: LaneNode, bit: number, source: readonly number[]): LaneNode {
    const { context, layout, node } = this
    const { lanes, vectors } = context
    const thread = [...layout.lanes, ...layout.warps]
    const offsets = this.#runOffsets(bit)
    const size = 2 ** offsets.filter(offset => offset > 0).length
    const buffer = context.shared.scratch(dtypeOf(value), size, 'scan', node.origin.at)
    const memory = context.sharedPointer(buffer)
    const offsetOf = (register: number): number =>
      layout.registers.reduce((sum, index, k) => ((register >> k) & 1 ? sum + offsets[index]! : sum), 0)
    context.shared.write(buffer)
    const whole = threadPart(context, thread, offsets, 'add')
    const isEnd = this.#isEnd(bit)
    const count = isEnd === null ? null : lanes.map('where', isEnd, context.i32(1), context.i32(0))
    for (const register of this.#endRegisters(bit)) {
      lanes.store(memory, placeAt(context, whole, offsetOf(register), null), vectors.slice(value, register, 1), count)
    }
    context.shared.read(buffer)
    // The previous run has this bit cleared (in a reverse scan: set).
    const others = threadPart(
      context,
      thread.map(index => (index === bit ? copy : index)),
      offsets,
      'add',
    )
    const fixed = this.node.attrs.reverse && thread.includes(bit) ? offsets[bit]! : 0
    const distinct = [...new Set(source)]
    const ends = distinct.map(register =>
      lanes.load(memory, placeAt(context, others, offsetOf(register) + fixed, null), 1),
    )
    return vectors.assemble(source.map(register => ({ node: ends[distinct.indexOf(register)]!, lane: 0 })))
  }

  /** Shared-memory offset of a run's end by index bit; bits within the run contribute 0. */
  #runOffsets(bit: number): number[] {
    let next = 1
    return Array.from({ length: totalBits(this.layout.shape) }, (_, index) => {
      if (this.#isBelow(index, bit)) return 0
      next *= 2
      return next / 2
    })
  }

  /** Bool: the thread may hold ends of runs: its lower bits along the axis are all set (or cleared). */
  #isEnd(bit: number): LaneNode | null {
    const { context, layout } = this
    const { lanes, threads } = context
    let mask = copyMask(layout)
    let set = 0
    ;[...layout.lanes, ...layout.warps].forEach((index, k) => {
      if (!this.#isBelow(index, bit)) return
      mask |= 1 << k
      if (!this.node.attrs.reverse) set |= 1 << k
    })
    if (mask === 0) return null
    return lanes.map('eq', lanes.map('and', threads.id, context.i32(mask)), context.i32(set))
  }

  /** Registers whose lower bits along the axis are all set (or cleared). */
  #endRegisters(bit: number): number[] {
    const all = Array.from({ length: this.#registers }, (_, register) => register)
    return all.filter(register =>
      this.layout.registers.every(
        (index, k) => !this.#isBelow(index, bit) || ((register >> k) & 1) === (this.node.attrs.reverse ? 0 : 1),
      ),
    )
  }
}

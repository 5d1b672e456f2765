/**
 * Scans. Each thread scans the runs of elements that it holds next to each other. The runs' totals are then combined pairwise,
 * by arithmetic between registers, shuffles between lanes, and one exchange through shared memory between warps; what comes
 * before a run is combined with its elements at the end. A reverse scan is the mirror image.
 */

import { InternalError } from '../../base/errors.js'
import type { LaneNode } from '../../lane/ir.js'
import { reductionIdentity, type Value } from '../../scalar/ops.js'
import type { TileNode } from '../../tile/ir.js'
import { isFloat } from '../../types/dtype.js'
import { dtypeOf, lanesOf } from '../shared/lanes.js'
import type { Context } from './context.js'
import { bitsOfDim, groups, laneBits, layoutKey, registerCount, sliced, type ThreadLayout } from './layout.js'
import { maskPadding, totalKey, warpParts } from './reduce.js'

type Scan = Extract<TileNode, { op: 'scan' }>

export function emitScan(context: Context, node: Scan, operand: LaneNode, layout: ThreadLayout): LaneNode {
  const { axis, reverse, fn } = node.attrs
  const hasPadding = context.isInside(layout, [axis]) !== null
  const masked = reverse ? maskPadding(context, operand, layout, [axis], fn) : operand
  const { scanned, total } = new Runs(context, node, layout).scan(masked)
  if (reverse || !hasPadding) context.keep(node.inputs[0]!, totalKey(layout, fn, axis), total)
  return scanned
}

class Runs {
  /** Index bits of the axis within a run, and above. */
  readonly #inner: readonly number[]
  readonly #outer: readonly number[]
  /** The register bits that are not within a run. */
  readonly #left: readonly number[]
  /** What all elements of a block come to, whose size doubles with each bit: for each register of other bits. */
  #total!: LaneNode
  #totalBits: readonly number[]
  /** What comes before the run in its block, for each register of `#left`; null: the block is the run. */
  #before: LaneNode | null = null

  constructor(
    readonly context: Context,
    readonly node: Scan,
    readonly layout: ThreadLayout,
  ) {
    const bits = bitsOfDim(layout.shape, node.attrs.axis)
    const end = bits.findIndex(bit => !layout.registers.includes(bit))
    this.#inner = end < 0 ? bits : bits.slice(0, end)
    this.#outer = bits.slice(this.#inner.length)
    this.#left = layout.registers.filter(bit => !this.#inner.includes(bit))
    this.#totalBits = this.#left
    const warps = layout.warps.filter(bit => bits.includes(bit))
    if (bits.slice(bits.length - warps.length).some(bit => !warps.includes(bit)))
      throw new InternalError(`simt: a scan in ${layoutKey(layout)}, where warps do not hold its longest runs`)
  }

  scan(value: LaneNode): { readonly scanned: LaneNode; readonly total: LaneNode } {
    const { context, layout } = this
    const runs = this.#scanRuns(value)
    const warps = this.#outer.filter(bit => layout.warps.includes(bit))
    for (const bit of this.#outer) {
      if (this.#totalBits.includes(bit)) this.#joinRegisters(bit)
      else if (layout.lanes.includes(bit)) this.#joinLanes(bit)
    }
    if (warps.length > 0) this.#joinWarps(warps)
    if (this.#before === null) return { scanned: runs, total: this.#total }
    const all = Array.from({ length: registerCount(layout) }, (_, register) => register)
    const before = context.vectors.pick(
      this.#before,
      all.map(register => this.#compact(register, layout.registers, this.#left)),
    )
    return { scanned: this.#join(before, runs), total: this.#total }
  }

  #join(a: LaneNode, b: LaneNode): LaneNode {
    return this.context.lanes.map(this.node.attrs.fn, a, b)
  }

  get #registersLeft(): number[] {
    return Array.from({ length: 2 ** this.#left.length }, (_, register) => register)
  }

  /** The number that is left of a register's when only the bits `to` of its bits `from` are. */
  #compact(register: number, from: readonly number[], to: readonly number[]): number {
    return to.reduce((sum, bit, k) => sum | (((register >> from.indexOf(bit)) & 1) << k), 0)
  }

  /** True for registers whose elements come after those of their block's other half. */
  #isLater(register: number, from: readonly number[], bit: number): boolean {
    return ((register >> from.indexOf(bit)) & 1) === (this.node.attrs.reverse ? 0 : 1)
  }

  /** Scans within runs, one element of all runs at a time. */
  #scanRuns(value: LaneNode): LaneNode {
    const { vectors } = this.context
    const { registers } = this.layout
    const runs = groups(
      this.layout,
      this.#inner.map(bit => registers.indexOf(bit)),
    )
    const length = 2 ** this.#inner.length
    const lines = Array.from({ length }, (_, place) => runs.map(run => run[place]!))
    const order = this.node.attrs.reverse ? lines.toReversed() : lines
    const pieces: { node: LaneNode; lane: number }[] = []
    order.forEach((line, i) => {
      const own = vectors.pick(value, line)
      this.#total = i === 0 ? own : this.#join(this.#total, own)
      for (const [lane, register] of line.entries()) pieces[register] = { node: this.#total, lane }
    })
    return vectors.assemble(pieces)
  }

  /** Joins blocks whose halves are in different registers. */
  #joinRegisters(bit: number): void {
    const { vectors } = this.context
    const from = this.#totalBits
    const to = from.filter(each => each !== bit)
    const registers = Array.from({ length: 2 ** from.length }, (_, register) => register)
    const half = (isLater: boolean): LaneNode =>
      vectors.pick(
        this.#total,
        registers.filter(register => this.#isLater(register, from, bit) === isLater),
      )
    const [first, second] = [half(false), half(true)]
    const later = this.#registersLeft.filter(register => this.#isLater(register, this.#left, bit))
    const ahead = vectors.pick(
      first,
      later.map(register => this.#compact(register, this.#left, to)),
    )
    const joined = this.#before === null ? ahead : this.#join(ahead, vectors.pick(this.#before, later))
    const earlier = this.#before ?? this.#identity(2 ** this.#left.length)
    this.#before = vectors.assemble(
      this.#registersLeft.map(register => {
        const lane = later.indexOf(register)
        return lane < 0 ? { node: earlier, lane: register } : { node: joined, lane }
      }),
    )
    this.#total = this.#join(first, second)
    this.#totalBits = to
  }

  /** Joins blocks whose halves are in different lanes. */
  #joinLanes(bit: number): void {
    const { lanes, threads } = this.context
    const k = this.layout.lanes.indexOf(bit)
    const other = lanes.builder.node('shuffle', [this.#total, this.context.i32(1 << k)], { mode: 'xor' })
    this.#precede(other, threads.bit(k), this.node.attrs.reverse)
    this.#total = this.#join(this.#total, other)
  }

  /** Puts a total before the runs of threads for which `condition` holds (unless: does not). */
  #precede(total: LaneNode, condition: LaneNode, unless: boolean): void {
    const { lanes, vectors } = this.context
    const ahead = vectors.pick(
      total,
      this.#registersLeft.map(register => this.#compact(register, this.#left, this.#totalBits)),
    )
    const joined = this.#before === null ? ahead : this.#join(ahead, this.#before)
    const same = this.#before ?? this.#identity(lanesOf(ahead))
    this.#before = unless ? lanes.select(condition, same, joined) : lanes.select(condition, joined, same)
  }

  /** Joins the warps' blocks: each adds up the totals of all, in order, and keeps what it had when it came to its own. */
  #joinWarps(bits: readonly number[]): void {
    const { context, layout } = this
    const { lanes, threads, vectors } = context
    const { axis, reverse } = this.node.attrs
    const places = bits.map(bit => layout.warps.indexOf(bit))
    const parts = warpParts(context, this.#total, sliced(layout, axis), places, this.node)
    const values = Array.from({ length: laneBits + layout.warps.length }, (_, k) => {
      const place = places.indexOf(k - laneBits)
      return place < 0 ? 0 : 2 ** place
    })
    const own = threads.combine(values, 'xor')
    const [first, ...others] = reverse ? [...parts.entries()].toReversed() : [...parts.entries()]
    let sum = first![1]
    let before = this.#identity(lanesOf(sum))
    for (const [which, part] of others) {
      before = lanes.select(lanes.map('eq', own, context.i32(which)), sum, before)
      sum = this.#join(sum, part)
    }
    this.#total = sum
    const ahead = vectors.pick(
      before,
      this.#registersLeft.map(register => this.#compact(register, this.#left, this.#totalBits)),
    )
    this.#before = this.#before === null ? ahead : this.#join(ahead, this.#before)
  }

  /** What leaves every other value as it is: 0 would change −0. */
  #identity(count: number): LaneNode {
    const { fn } = this.node.attrs
    const dtype = dtypeOf(this.#total)
    const value: Value = fn === 'add' && isFloat(dtype) ? -0 : reductionIdentity(fn, dtype)
    return this.context.lanes.constant(dtype, value, count)
  }
}

/**
 * Histograms and orders by bins: one element after another. Counters lie in the first cache, where counting is as fast as
 * reading. Look-ups: a vector after another.
 */
import type { LaneNode } from '../../lane/ir.js'
import { lanesOf } from '../shared/lanes.js'
import type { BinsRoot, Buffer } from './plan.js'
import type { State } from './state.js'

export function emitBins(state: State, root: BinsRoot): void {
  const bins = new Bins(state, root)
  if (root.node.op === 'take') bins.take()
  else if (root.node.op === 'histogram') bins.histogram(root.node.attrs.bins)
  else bins.order(root.node.attrs.bins)
}

class Bins {
  constructor(
    readonly state: State,
    readonly root: BinsRoot,
  ) {}

  take(): void {
    const { lanes, target } = this.state
    const [table, indices] = this.root.inputs as [Buffer, Buffer]
    const [length, count] = [table.shape[0]!, indices.shape[0]!]
    // Indices are i32, addresses i64.
    const width = count % (target.vectorBytes / 8) === 0 ? target.vectorBytes / 8 : 1
    const bounds = { ...this.#bounds(count), step: lanes.index(width), name: 'i', comment: this.root.node.op }
    lanes.loop(bounds, [], i => {
      const index = this.#read(indices, i, width)
      const inside = this.#isInside(index, length)
      const element = lanes.gather(this.state.bufferPointer(table), lanes.cast(index, 'i64'), inside)
      this.#write(this.root.buffer!, i, element)
      return []
    })
  }

  /** What is in no bin is counted in one more. */
  histogram(bins: number): void {
    const { lanes } = this.state
    const counters = this.root.counters!
    const [digits] = this.root.inputs as [Buffer]
    this.#clear(bins + 1)
    this.#each(digits.shape[0]!, i => {
      const digit = this.#read(digits, i)
      this.#count(lanes.select(this.#isInside(digit, bins), digit, lanes.constant('i32', bins)))
    })
    this.#each(bins, bin => this.#write(this.root.buffer!, bin, this.#read(counters, bin)))
  }

  order(bins: number): void {
    const { lanes } = this.state
    const counters = this.root.counters!
    const [digits] = this.root.inputs as [Buffer]
    const count = digits.shape[0]!
    const bin = (i: LaneNode): LaneNode => this.#nearest(digits, i, bins)
    this.#clear(bins)
    this.#each(count, i => void this.#count(bin(i)))
    const zero = lanes.constant('i32', 0)
    lanes.loop({ ...this.#bounds(bins), name: 'bin', comment: 'starts' }, [zero], (at, [start]) => {
      const own = this.#read(counters, at)
      this.#write(counters, at, start!)
      return [lanes.add(start!, own)]
    })
    const { buffer, placed } = this.root
    this.#each(count, i => {
      const place = lanes.cast(this.#count(bin(i)), 'i64')
      if (buffer !== null) this.#write(buffer, place, lanes.cast(i, 'i32'))
      for (const { table, buffer: own } of placed) this.#write(own, place, this.#read(table, i))
    })
  }

  /** The bin of an element. */
  #nearest(digits: Buffer, i: LaneNode, bins: number): LaneNode {
    const { lanes } = this.state
    const digit = this.#read(digits, i)
    return lanes.max(lanes.constant('i32', 0), lanes.min(digit, lanes.constant('i32', bins - 1)))
  }

  /** Increments the counter of a bin; returns its previous value. */
  #count(bin: LaneNode): LaneNode {
    const { lanes } = this.state
    const at = lanes.cast(bin, 'i64')
    const before = this.#read(this.root.counters!, at)
    this.#write(this.root.counters!, at, lanes.add(before, lanes.constant('i32', 1)))
    return before
  }

  #clear(bins: number): void {
    this.#each(bins, bin => this.#write(this.root.counters!, bin, this.state.lanes.constant('i32', 0)))
  }

  #isInside(index: LaneNode, length: number): LaneNode {
    const { lanes } = this.state
    const [zero, end] = [0, length].map(bound => lanes.constant('i32', bound, lanesOf(index))) as [LaneNode, LaneNode]
    return lanes.and(lanes.map('ge', index, zero), lanes.map('lt', index, end))
  }

  #bounds(count: number): { from: LaneNode; to: LaneNode; step: LaneNode } {
    const { lanes } = this.state
    return { from: lanes.index(0), to: lanes.index(count), step: lanes.index(1) }
  }

  #each(count: number, body: (index: LaneNode) => void): void {
    const bounds = { ...this.#bounds(count), name: 'i', comment: this.root.node.op }
    this.state.lanes.loop(bounds, [], index => {
      body(index)
      return []
    })
  }

  #read(buffer: Buffer, at: LaneNode, width = 1): LaneNode {
    return this.state.lanes.load(this.state.bufferPointer(buffer), at, width)
  }

  #write(buffer: Buffer, at: LaneNode, value: LaneNode): void {
    this.state.lanes.store(this.state.bufferPointer(buffer), at, value)
  }
}

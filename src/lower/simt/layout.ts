/**
 * Layouts: which thread holds which element of a tile, in which register. A tile's dims are padded to powers of two and
 * its index is one string of bits, the last dim lowest. A layout gives each of those bits to exactly one bit of the place
 * (register, lane of the warp, warp of the block); bits of the place that stand for nothing hold copies. So the element
 * in a place is a permutation of bits, and reshapes, transposes, broadcasts and slices only rename bits. What lies beyond
 * a dim's size is padding: it may hold anything.
 */
import { InternalError } from '../../base/errors.js'

/** A bit of the place that stands for no bit of the index: both its values hold the same element. */
export const copy = -1
export const laneBits = 5

export interface Layout {
  readonly shape: readonly number[]
  /** For each bit of the register's number, the bit of the index. */
  readonly registers: readonly number[]
  /** For each of the 5 bits of the lane, the bit of the index, or `copy`. */
  readonly lanes: readonly number[]
  readonly warps: readonly number[]
}

/** Bits of the padded size: 5 → 3, 1 → 0. */
export const bitsOf = (size: number): number => (size <= 1 ? 0 : 32 - Math.clz32(size - 1))
export const isPowerOfTwo = (size: number): boolean => size > 0 && (size & (size - 1)) === 0
export const totalBits = (shape: readonly number[]): number => shape.reduce((sum, size) => sum + bitsOf(size), 0)
export const registerCount = (layout: Layout): number => 2 ** layout.registers.length

/** The lowest bit of each dim in the index. */
export function dimStarts(shape: readonly number[]): number[] {
  const starts = new Array<number>(shape.length)
  let at = 0
  for (let d = shape.length - 1; d >= 0; d--) {
    starts[d] = at
    at += bitsOf(shape[d]!)
  }
  return starts
}

/** The bits of a dim, lowest first. */
export function bitsOfDim(shape: readonly number[], dim: number): number[] {
  const start = dimStarts(shape)[dim]!
  return Array.from({ length: bitsOf(shape[dim]!) }, (_, i) => start + i)
}

/** The dim that a bit of the index belongs to, and its place within the dim. */
export function dimOfBit(shape: readonly number[], bit: number): { readonly dim: number; readonly bit: number } {
  const starts = dimStarts(shape)
  for (let d = 0; d < shape.length; d++) {
    if (bit >= starts[d]! && bit < starts[d]! + bitsOf(shape[d]!)) return { dim: d, bit: bit - starts[d]! }
  }
  throw new InternalError(`layout: bit ${bit} of [${shape.join(', ')}]`)
}

export function layoutKey({ shape, registers, lanes, warps }: Layout): string {
  return `[${shape.join(',')}] r${registers.join(',')} l${lanes.join(',')} w${warps.join(',')}`
}
export const sameLayout = (a: Layout, b: Layout): boolean => layoutKey(a) === layoutKey(b)

/** For people: `[64, 32] registers 0:1 0:2 | lanes 1:0 … | warps …`, each bit as dim:bit, `*` for copies. */
export function printLayout({ shape, registers, lanes, warps }: Layout): string {
  const bit = (index: number): string => {
    if (index === copy) return '*'
    const place = dimOfBit(shape, index)
    return `${place.dim}:${place.bit}`
  }
  const part = (name: string, bits: readonly number[]): string => `${name} ${bits.map(bit).join(' ') || '-'}`
  return `[${shape.join(', ')}] ${part('registers', registers)} | ${part('lanes', lanes)} | ${part('warps', warps)}`
}

/** Throws InternalError unless every bit of the index has exactly one place. */
function checkLayout(layout: Layout): Layout {
  const bits = [...layout.registers, ...layout.lanes, ...layout.warps].filter(bit => bit !== copy)
  const total = totalBits(layout.shape)
  const fits =
    layout.lanes.length === laneBits &&
    !layout.registers.includes(copy) &&
    bits.length === total &&
    new Set(bits).size === total &&
    bits.every(bit => bit >= 0 && bit < total)
  if (!fits) throw new InternalError(`layout: ${layoutKey(layout)} does not hold each element once`)
  return layout
}

/** Bits of the thread's number in its block, lowest first: what each stands for. */
export const threadBits = ({ lanes, warps }: Layout): readonly number[] => [...lanes, ...warps]
/** The bits of the thread's number that hold copies, as a mask. */
export const copyMask = (layout: Layout): number =>
  threadBits(layout).reduce((mask, bit, k) => (bit === copy ? mask | (1 << k) : mask), 0)

/** The part of the index that a register's number gives. */
export function registerIndex({ registers }: Layout, register: number): number {
  return registers.reduce((index, bit, k) => ((register >> k) & 1 ? index | (1 << bit) : index), 0)
}
/** The part of the index that a thread's number gives. */
export function threadIndex(layout: Layout, thread: number): number {
  return threadBits(layout).reduce(
    (index, bit, k) => (bit !== copy && (thread >> k) & 1 ? index | (1 << bit) : index),
    0,
  )
}

/** The part of an index (its bits) that lies in a dim. */
export function coordinate(shape: readonly number[], index: number, dim: number): number {
  return (index >> dimStarts(shape)[dim]!) & (2 ** bitsOf(shape[dim]!) - 1)
}

/** The layout with another shape, whose bits `rename` gives for those of this one: null for bits that go away. */
function renamed(layout: Layout, shape: readonly number[], rename: (bit: number) => number | null): Layout {
  const place = (bit: number): number => (bit === copy ? copy : (rename(bit) ?? copy))
  return checkLayout({
    shape,
    registers: layout.registers.map(place).filter(bit => bit !== copy),
    lanes: layout.lanes.map(place),
    warps: layout.warps.map(place),
  })
}

/** The layout of `transpose(x, permutation)` when x has this one: data stays where it is. */
export function transposed(layout: Layout, permutation: readonly number[]): Layout {
  const shape = permutation.map(d => layout.shape[d]!)
  const starts = dimStarts(shape)
  return renamed(layout, shape, bit => {
    const from = dimOfBit(layout.shape, bit)
    return starts[permutation.indexOf(from.dim)]! + from.bit
  })
}

/** What x must have so that `transpose(x, permutation)` has this layout. */
export function beforeTranspose(layout: Layout, permutation: readonly number[]): Layout {
  return transposed(
    layout,
    permutation.map((_, d) => permutation.indexOf(d)),
  )
}

/**
 * True when a reshape keeps the index's bits: within each group of dims that become a group of others, only the
 * outermost may be no power of two.
 */
export function keepsBits(from: readonly number[], to: readonly number[]): boolean {
  let [i, j] = [0, 0]
  const a = from.filter(size => size !== 1)
  const b = to.filter(size => size !== 1)
  while (i < a.length || j < b.length) {
    if (i >= a.length || j >= b.length) return false
    let [x, y] = [a[i]!, b[j]!]
    let clean = true
    while (x !== y) {
      if (x < y) {
        clean &&= isPowerOfTwo(a[++i]!)
        x *= a[i]!
      } else {
        clean &&= isPowerOfTwo(b[++j]!)
        y *= b[j]!
      }
    }
    if (!clean) return false
    i++
    j++
  }
  return true
}

/** The layout after a reshape that keeps the bits. */
export const reshaped = (layout: Layout, shape: readonly number[]): Layout => renamed(layout, shape, bit => bit)

/** What x must have so that its broadcast has this layout: dims that were stretched or added hold copies. */
export function beforeBroadcast(layout: Layout, from: readonly number[]): Layout {
  const lead = layout.shape.length - from.length
  const starts = dimStarts(from)
  return renamed(layout, from, bit => {
    const place = dimOfBit(layout.shape, bit)
    const dim = place.dim - lead
    return dim < 0 || from[dim] === 1 ? null : starts[dim]! + place.bit
  })
}

/** The layout of what is left when an axis is folded away where it lies. */
export function sliced(layout: Layout, axis: number): Layout {
  const one = layout.shape.with(axis, 1)
  return reshaped(beforeBroadcast(layout, one), layout.shape.toSpliced(axis, 1))
}

/** For each register of the broadcast's layout, the register of its input's layout (`beforeBroadcast`). */
export function broadcastRegisters(layout: Layout, from: readonly number[]): number[] {
  const lead = layout.shape.length - from.length
  const kept = layout.registers.map(bit => {
    const dim = dimOfBit(layout.shape, bit).dim - lead
    return dim >= 0 && from[dim] !== 1
  })
  return Array.from({ length: registerCount(layout) }, (_, register) => {
    let [index, at] = [0, 0]
    kept.forEach((keep, k) => {
      if (keep) index |= ((register >> k) & 1) << at++
    })
    return index
  })
}

/** For each register of `to`, the register of `from` that holds the same element: same threads, bits in another order. */
export function reorderedRegisters(from: Layout, to: Layout): number[] {
  const places = to.registers.map(bit => from.registers.indexOf(bit))
  return Array.from({ length: registerCount(to) }, (_, register) =>
    places.reduce((sum, place, k) => sum | (((register >> k) & 1) << place), 0),
  )
}

/** A layout that follows each bit of a tile's index through renamings: bit i is what register bit i has become. */
export const indexNames = (shape: readonly number[]): Layout => ({
  shape,
  registers: Array.from({ length: totalBits(shape) }, (_, bit) => bit),
  lanes: new Array<number>(laneBits).fill(copy),
  warps: [],
})

/** Registers in groups that differ in the bits `vector` of their number alone, in those bits' order. */
export function groups({ registers }: Layout, vector: readonly number[]): number[][] {
  const others = registers.map((_, k) => k).filter(k => !vector.includes(k))
  const place = (which: number, bits: readonly number[]): number =>
    bits.reduce((register, k, i) => register | (((which >> i) & 1) << k), 0)
  return Array.from({ length: 2 ** others.length }, (_, which) =>
    Array.from({ length: 2 ** vector.length }, (_, lane) => place(which, others) | place(lane, vector)),
  )
}

/** True when each thread has already what it needs, maybe in other registers. */
export function staysInThread(from: Layout, to: Layout): boolean {
  const target = threadBits(to)
  return from.registers.length === to.registers.length && threadBits(from).every((bit, k) => bit === target[k])
}

/** All copies: every thread holds the whole tile, if it has one element. */
export function uniform(shape: readonly number[], warpBits: number): Layout {
  const none = new Array<number>(laneBits).fill(copy)
  return checkLayout({ shape, registers: [], lanes: none, warps: new Array<number>(warpBits).fill(copy) })
}

/** Hands out the index's bits one after another. */
export class LayoutBuilder {
  readonly registers: number[] = []
  readonly lanes: number[] = []
  readonly warps: number[] = []

  constructor(
    readonly shape: readonly number[],
    readonly warpBits: number,
  ) {}

  /** How many more bits the lanes, or warps, take. */
  get freeLanes(): number {
    return laneBits - this.lanes.length
  }
  get freeWarps(): number {
    return this.warpBits - this.warps.length
  }

  finish(): Layout {
    const fill = (bits: readonly number[], count: number): number[] => [
      ...bits,
      ...new Array<number>(count - bits.length).fill(copy),
    ]
    return checkLayout({
      shape: this.shape,
      registers: this.registers,
      lanes: fill(this.lanes, laneBits),
      warps: fill(this.warps, this.warpBits),
    })
  }
}

/**
 * Consecutive elements along the first dim of `order` in a thread's `2^vectorBits` first registers and across its
 * neighbours; warps take the far ends of the last dims, so that folds along the first stay within a warp where they can.
 * Of tiles with fewer elements threads have less each, down to `2^leastBits`; then the others hold copies.
 */
export function blocked(
  shape: readonly number[],
  order: readonly number[],
  vectorBits: number,
  warpBits: number,
  leastBits = 0,
): Layout {
  const builder = new LayoutBuilder(shape, warpBits)
  const queue = order.flatMap(dim => bitsOfDim(shape, dim))
  const spare = Math.max(0, queue.length - laneBits - warpBits)
  const first = bitsOf(shape[order[0] ?? 0] ?? 1)
  builder.registers.push(...queue.splice(0, Math.min(vectorBits, Math.max(spare, leastBits), first)))
  builder.lanes.push(...queue.splice(0, laneBits))
  const top = queue.splice(Math.max(0, queue.length - warpBits))
  builder.warps.push(...top)
  builder.registers.push(...queue)
  return builder.finish()
}

/**
 * Layouts: which thread holds which element of a tile, in which register. A tile's dims are padded to powers of two, and
 * its index is one bit string, the last dim lowest. A layout maps each index bit to exactly one bit of the location
 * (register number, lane in the warp, warp in the block); location bits without an index bit hold copies. A layout is thus
 * a bit permutation, and reshapes, transposes, broadcasts and slices only rename bits. Elements beyond a dim's size are
 * padding with undefined contents.
 */
import { InternalError } from '../../base/errors.js'

/** Marks a location bit without an index bit: both of its values hold the same element. */
export const copy = -1
export const laneBits = 5

export interface ThreadLayout {
  readonly shape: readonly number[]
  /** For each bit of the register number, the index bit. */
  readonly registers: readonly number[]
  /** For each of the 5 lane bits, the index bit, or `copy`. */
  readonly lanes: readonly number[]
  readonly warps: readonly number[]
}

/** log2 of the padded size: 5 → 3, 1 → 0. */
export const bitsOf = (size: number): number => (size <= 1 ? 0 : 32 - Math.clz32(size - 1))
export const isPowerOfTwo = (size: number): boolean => size > 0 && (size & (size - 1)) === 0
export const totalBits = (shape: readonly number[]): number => shape.reduce((sum, size) => sum + bitsOf(size), 0)
export const registerCount = (layout: ThreadLayout): number => 2 ** layout.registers.length

/** The lowest index bit of each dim. */
export function dimStarts(shape: readonly number[]): number[] {
  const starts = new Array<number>(shape.length)
  let at = 0
  for (let d = shape.length - 1; d >= 0; d--) {
    starts[d] = at
    at += bitsOf(shape[d]!)
  }
  return starts
}

/** The index bits of a dim, lowest first. */
export function bitsOfDim(shape: readonly number[], dim: number): number[] {
  const start = dimStarts(shape)[dim]!
  return Array.from({ length: bitsOf(shape[dim]!) }, (_, i) => start + i)
}

/** The dim that an index bit belongs to, and its position within the dim. */
export function dimOfBit(shape: readonly number[], bit: number): { readonly dim: number; readonly bit: number } {
  const starts = dimStarts(shape)
  for (let d = 0; d < shape.length; d++) {
    if (bit >= starts[d]! && bit < starts[d]! + bitsOf(shape[d]!)) return { dim: d, bit: bit - starts[d]! }
  }
  throw new InternalError(`layout: bit ${bit} of [${shape.join(', ')}]`)
}

export function layoutKey({ shape, registers, lanes, warps }: ThreadLayout): string {
  return `[${shape.join(',')}] r${registers.join(',')} l${lanes.join(',')} w${warps.join(',')}`
}
export const sameLayout = (a: ThreadLayout, b: ThreadLayout): boolean => layoutKey(a) === layoutKey(b)

/** Printable form: `[64, 32] registers 0:1 0:2 | lanes 1:0 … | warps …`, each bit as dim:bit, `*` for copies. */
export function printLayout({ shape, registers, lanes, warps }: ThreadLayout): string {
  const bit = (index: number): string => {
    if (index === copy) return '*'
    const place = dimOfBit(shape, index)
    return `${place.dim}:${place.bit}`
  }
  const part = (name: string, bits: readonly number[]): string => `${name} ${bits.map(bit).join(' ') || '-'}`
  return `[${shape.join(', ')}] ${part('registers', registers)} | ${part('lanes', lanes)} | ${part('warps', warps)}`
}

/** Throws InternalError unless every index bit has exactly one location bit. */
function checkLayout(layout: ThreadLayout): ThreadLayout {
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

/** The index bit, or `copy`, of each bit of the thread number in its block, lowest first. */
export const threadBits = ({ lanes, warps }: ThreadLayout): readonly number[] => [...lanes, ...warps]
/** Mask of the thread number's bits that hold copies. */
export const copyMask = (layout: ThreadLayout): number =>
  threadBits(layout).reduce((mask, bit, k) => (bit === copy ? mask | (1 << k) : mask), 0)

/** The register number's contribution to the index. */
export function registerIndex({ registers }: ThreadLayout, register: number): number {
  return registers.reduce((index, bit, k) => ((register >> k) & 1 ? index | (1 << bit) : index), 0)
}
/** The thread number's contribution to the index. */
export function threadIndex(layout: ThreadLayout, thread: number): number {
  return threadBits(layout).reduce(
    (index, bit, k) => (bit !== copy && (thread >> k) & 1 ? index | (1 << bit) : index),
    0,
  )
}

/** The coordinate along a dim of an index given as bits. */
export function coordinate(shape: readonly number[], index: number, dim: number): number {
  return (index >> dimStarts(shape)[dim]!) & (2 ** bitsOf(shape[dim]!) - 1)
}

/** The layout with another shape; `rename` maps old index bits to new ones, null for bits that are dropped. */
function renamed(layout: ThreadLayout, shape: readonly number[], rename: (bit: number) => number | null): ThreadLayout {
  const place = (bit: number): number => (bit === copy ? copy : (rename(bit) ?? copy))
  return checkLayout({
    shape,
    registers: layout.registers.map(place).filter(bit => bit !== copy),
    lanes: layout.lanes.map(place),
    warps: layout.warps.map(place),
  })
}

/** The layout of `transpose(x, permutation)` when x has this one: no data moves. */
export function transposed(layout: ThreadLayout, permutation: readonly number[]): ThreadLayout {
  const shape = permutation.map(d => layout.shape[d]!)
  const starts = dimStarts(shape)
  return renamed(layout, shape, bit => {
    const from = dimOfBit(layout.shape, bit)
    return starts[permutation.indexOf(from.dim)]! + from.bit
  })
}

/** The layout that x must have so that `transpose(x, permutation)` has this one. */
export function beforeTranspose(layout: ThreadLayout, permutation: readonly number[]): ThreadLayout {
  return transposed(
    layout,
    permutation.map((_, d) => permutation.indexOf(d)),
  )
}

/**
 * True when a reshape keeps the index bits: in each group of dims that maps to another group, only the outermost size may be
 * other than a power of two.
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
export const reshaped = (layout: ThreadLayout, shape: readonly number[]): ThreadLayout =>
  renamed(layout, shape, bit => bit)

/** The layout that x must have so that its broadcast has this one: expanded or added dims become copies. */
export function beforeBroadcast(layout: ThreadLayout, from: readonly number[]): ThreadLayout {
  const lead = layout.shape.length - from.length
  const starts = dimStarts(from)
  return renamed(layout, from, bit => {
    const place = dimOfBit(layout.shape, bit)
    const dim = place.dim - lead
    return dim < 0 || from[dim] === 1 ? null : starts[dim]! + place.bit
  })
}

/** The layout of the result when an axis is reduced in place. */
export function sliced(layout: ThreadLayout, axis: number): ThreadLayout {
  const one = layout.shape.with(axis, 1)
  return reshaped(beforeBroadcast(layout, one), layout.shape.toSpliced(axis, 1))
}

/** For each register of the broadcast's layout, the register of its input's layout (`beforeBroadcast`). */
export function broadcastRegisters(layout: ThreadLayout, from: readonly number[]): number[] {
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

/** For each register of `to`, the register of `from` with the same element, where only register bits are permuted. */
export function reorderedRegisters(from: ThreadLayout, to: ThreadLayout): number[] {
  const places = to.registers.map(bit => from.registers.indexOf(bit))
  return Array.from({ length: registerCount(to) }, (_, register) =>
    places.reduce((sum, place, k) => sum | (((register >> k) & 1) << place), 0),
  )
}

/** A layout that traces each index bit through renamings: entry i is the bit that register bit i was renamed to. */
export const indexNames = (shape: readonly number[]): ThreadLayout => ({
  shape,
  registers: Array.from({ length: totalBits(shape) }, (_, bit) => bit),
  lanes: new Array<number>(laneBits).fill(copy),
  warps: [],
})

/** Groups of registers whose numbers differ only in the bits `vector`, in those bits' order. */
export function groups({ registers }: ThreadLayout, vector: readonly number[]): number[][] {
  const others = registers.map((_, k) => k).filter(k => !vector.includes(k))
  const place = (which: number, bits: readonly number[]): number =>
    bits.reduce((register, k, i) => register | (((which >> i) & 1) << k), 0)
  return Array.from({ length: 2 ** others.length }, (_, which) =>
    Array.from({ length: 2 ** vector.length }, (_, lane) => place(which, others) | place(lane, vector)),
  )
}

/** True when each thread already holds the elements that it needs, possibly in other registers. */
export function staysInThread(from: ThreadLayout, to: ThreadLayout): boolean {
  const target = threadBits(to)
  return from.registers.length === to.registers.length && threadBits(from).every((bit, k) => bit === target[k])
}

/** All location bits are copies: every thread holds the tile's single element. */
export function uniform(shape: readonly number[], warpBits: number): ThreadLayout {
  const none = new Array<number>(laneBits).fill(copy)
  return checkLayout({ shape, registers: [], lanes: none, warps: new Array<number>(warpBits).fill(copy) })
}

/** Assigns index bits to registers, lanes and warps one after another. */
export class LayoutBuilder {
  readonly registers: number[] = []
  readonly lanes: number[] = []
  readonly warps: number[] = []

  constructor(
    readonly shape: readonly number[],
    readonly warpBits: number,
  ) {}

  /** How many more bits the lanes, or warps, can take. */
  get freeLanes(): number {
    return laneBits - this.lanes.length
  }
  get freeWarps(): number {
    return this.warpBits - this.warps.length
  }

  /** The layout; lanes and warps without a bit of their own hold copies. */
  finish(): ThreadLayout {
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
 * Each thread holds consecutive elements along the first dim of `order` in its `2^vectorBits` first registers, neighbouring
 * lanes hold their neighbours; warps take the high bits of the last dims, so that reductions along the first stay within a
 * warp where possible. Small tiles give each thread fewer elements, down to `2^minBits`; the remaining threads hold copies.
 */
export function blocked(
  shape: readonly number[],
  order: readonly number[],
  vectorBits: number,
  warpBits: number,
  minBits = 0,
): ThreadLayout {
  const builder = new LayoutBuilder(shape, warpBits)
  const queue = order.flatMap(dim => bitsOfDim(shape, dim))
  const spare = Math.max(0, queue.length - laneBits - warpBits)
  const first = bitsOf(shape[order[0] ?? 0] ?? 1)
  builder.registers.push(...queue.splice(0, Math.min(vectorBits, Math.max(spare, minBits), first)))
  builder.lanes.push(...queue.splice(0, laneBits))
  const top = queue.splice(Math.max(0, queue.length - warpBits))
  builder.warps.push(...top)
  builder.registers.push(...queue)
  return builder.finish()
}

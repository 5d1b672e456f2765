/**
 * Where a tile's elements are stored in shared memory: one offset per index bit, added (padded rows) or XORed (swizzles).
 * Memory has 32 banks of 4 bytes; accesses of a warp to the same bank serialise, so offsets spread lanes over banks.
 */
import { bitsOf, copy, dimStarts, type ThreadLayout, totalBits } from './layout.js'
import type { Combine } from './threads.js'

export interface SharedLayout {
  readonly shape: readonly number[]
  readonly combine: Combine
  /** The contribution of each index bit to the offset, in elements. */
  readonly offsets: readonly number[]
  /** Elements. */
  readonly size: number
}

const bankBytes = 128

export const combined = ({ combine }: SharedLayout, values: readonly number[]): number =>
  values.reduce((a, b) => (combine === 'add' ? a + b : a ^ b), 0)

/** The offset of an index given as bits. */
export function offsetOfIndex(shared: SharedLayout, index: number): number {
  return combined(
    shared,
    shared.offsets.filter((_, bit) => (index >> bit) & 1),
  )
}

/**
 * Register bits along consecutive elements, lowest first, up to one 16-byte access. They may be at any position in the
 * register number.
 */
export function vectorBits(layout: ThreadLayout, { offsets }: SharedLayout, itemBytes: number): number[] {
  const found: number[] = []
  const isMultiple = (width: number, except: readonly number[]): boolean =>
    offsets.every((offset, bit) => except.includes(bit) || offset % width === 0)
  for (let width = 1; width * 2 * itemBytes <= 16; width *= 2) {
    const next = layout.registers.findIndex(bit => offsets[bit] === width)
    if (next < 0) break
    found.push(next)
    if (
      !isMultiple(
        width * 2,
        found.map(k => layout.registers[k]!),
      )
    ) {
      found.pop()
      break
    }
  }
  return found
}

/** Rows of the last dim of `order` (whose first entry is contiguous), with `padding` elements between them. */
export function padded(shape: readonly number[], order: readonly number[], padding: number): SharedLayout {
  const starts = dimStarts(shape)
  const offsets = new Array<number>(totalBits(shape)).fill(0)
  let stride = 1
  order.forEach((dim, place) => {
    const bits = bitsOf(shape[dim]!)
    for (let bit = 0; bit < bits; bit++) offsets[starts[dim]! + bit] = stride * 2 ** bit
    stride *= 2 ** bits
    if (place === 0) stride += padding
  })
  return { shape, combine: 'add', offsets, size: stride }
}

/**
 * A swizzled 2-D tile for tensor cores: rows along the dim `inner` of at most 128 bytes (longer ones continue in further
 * panels), whose 16-byte chunks are XORed with the row number, so that the chunks of one column in 8 rows fall in
 * different banks. This is the canonical layout of wgmma descriptors.
 */
export function swizzledRows(shape: readonly [number, number], inner: 0 | 1, itemBytes: number): SharedLayout {
  const starts = dimStarts(shape)
  const outer = 1 - inner
  const pieceBits = bitsOf(16 / itemBytes)
  const innerBits = bitsOf(shape[inner]!)
  const outerBits = bitsOf(shape[outer]!)
  const rowBits = Math.min(innerBits, pieceBits + 3)
  const columns = Math.max(0, rowBits - pieceBits)
  const offsets = new Array<number>(innerBits + outerBits)
  for (let bit = 0; bit < innerBits; bit++) offsets[starts[inner]! + bit] = 2 ** (bit < rowBits ? bit : bit + outerBits)
  // Rows shorter than 128 bytes share a line of banks: their low bits select different banks already.
  const shared = 3 - columns
  for (let bit = 0; bit < outerBits; bit++) {
    const column = bit - shared
    const swizzle = column >= 0 && column < columns ? 2 ** (pieceBits + column) : 0
    offsets[starts[outer]! + bit] = (2 ** (rowBits + bit)) ^ swizzle
  }
  return { shape, combine: 'xor', offsets, size: 2 ** (innerBits + outerBits) }
}

/** For layout conversions: free of bank conflicts, for writes and reads. */
export function exchangeLayout(from: ThreadLayout, to: ThreadLayout, itemBytes: number): SharedLayout {
  const total = totalBits(from.shape)
  const vector = from.registers.filter(bit => to.registers.includes(bit)).slice(0, bitsOf(16 / itemBytes))
  const accessBytes = itemBytes * 2 ** vector.length
  const banks = bitsOf(bankBytes / accessBytes)
  // A wide access takes several passes: only lanes of the same pass can conflict.
  const turnLanes = Math.min(5, banks)
  const lanesOf = (layout: ThreadLayout): number[] => layout.lanes.slice(0, turnLanes).filter(bit => bit !== copy)
  const order = [...new Set([...vector, ...lanesOf(from), ...Array.from({ length: total }, (_, bit) => bit)])]
  const offsets = new Array<number>(total)
  order.forEach((bit, place) => {
    offsets[bit] = 2 ** place
  })
  const isBank = (bit: number): boolean => {
    const place = order.indexOf(bit)
    return place >= vector.length && place < vector.length + banks
  }
  const reading = lanesOf(to)
  const taken = new Set(reading.filter(isBank).map(bit => order.indexOf(bit)))
  let place = vector.length
  for (const bit of reading) {
    if (isBank(bit)) continue
    while (taken.has(place)) place++
    if (place >= Math.min(vector.length + banks, total)) break
    offsets[bit] = offsets[bit]! ^ (2 ** place)
    taken.add(place)
  }
  return { shape: from.shape, combine: 'xor', offsets, size: 2 ** total }
}

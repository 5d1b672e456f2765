/**
 * Stable radix sort, by some bits of the keys in each pass, the lowest first. A row that one program holds is sorted where it
 * is. A longer row takes three kernels per pass: `countBlock` counts the bins of each block, `scanCounts` sums what precedes
 * each block, and `placeBlock` sorts a block by its bins, so that what it writes of one bin is adjacent, and places it.
 */
import type { TileBuilder, TileOperand, TileValue } from '../tile/language.js'
import type { TensorDtype } from '../types/dtype.js'
import { radixBits, signBit } from './order.js'

/** The passes over the keys of a dtype, and the bits that each sorts by. */
export interface Digits {
  readonly passes: number
  readonly bits: number
}

/** Passes by at most `most` bits. */
export function digitsUpTo(dtype: TensorDtype, most: number): Digits {
  const passes = Math.ceil(radixBits(dtype) / most)
  return { passes, bits: Math.ceil(radixBits(dtype) / passes) }
}

export const binsOfDigits = ({ bits }: Digits): number => 2 ** bits

/** i32: the bins of radix keys in a pass, a number or an i64 scalar. */
function digitsOf(t: TileBuilder, keys: TileValue, { bits }: Digits, pass: TileOperand): TileValue {
  const dtype = keys.dtype as 'i32' | 'i64'
  const shift = t.const(0n, 'i64').add(pass).mul(bits).to(dtype)
  const mask = 2 ** bits - 1
  return keys
    .shr(shift)
    .and(dtype === 'i64' ? BigInt(mask) : mask)
    .to('i32')
}

/** A block of a row: `count` (i32) of its elements lie inside. */
export interface Block {
  readonly keys: TileValue
  readonly size: number
  readonly count: TileValue
}

/** Elements of a row of `length` that a block from `start` on has, up to its size: an i32 scalar. */
export const countOf = (length: TileValue, start: TileValue, size: number): TileValue =>
  length.sub(start).min(size).max(0).to('i32')

const isInside = (t: TileBuilder, { size, count }: Block): TileValue => t.iota(size, 'i32').lt(count)

/** Bins of a block; what lies outside follows all others. */
function binsOf(t: TileBuilder, block: Block, digits: Digits, pass: TileOperand): TileValue {
  return t.where(isInside(t, block), digitsOf(t, block.keys, digits, pass), binsOfDigits(digits) - 1)
}

/**
 * Sorts a block; returns the sorted keys and their indices (i32) in the block. `narrows`: passes over high bits that are
 * equal in all keys are left out, for keys of 32 or 64 bits.
 */
export function sortBlock(
  t: TileBuilder,
  block: Block,
  digits: Digits,
  narrows: boolean,
): { readonly keys: TileValue; readonly index: TileValue } {
  const narrow = narrows ? narrowed(t, block, digits) : null
  const first = { keys: narrow?.keys ?? block.keys, index: t.iota(block.size, 'i32') }
  const sorted = t.range(0, narrow?.passes ?? digits.passes, 1, first, (pass, { keys, index }) => {
    const order = binsOf(t, { ...block, keys }, digits, pass).binOrder(binsOfDigits(digits))
    return { keys: keys.take(order), index: index.take(order) }
  })
  return narrow === null ? sorted : { ...sorted, keys: narrow.widened(sorted.keys) }
}

/** Keys as distances from the least one of the block, and how many passes these need: an i64 scalar. */
function narrowed(t: TileBuilder, block: Block, { passes, bits }: Digits) {
  const dtype = block.keys.dtype as 'i32' | 'i64'
  const ordered = block.keys.xor(signBit(dtype))
  const inside = isInside(t, block)
  const [lowest, highest] = [signBit(dtype), dtype === 'i64' ? -1n - (signBit(dtype) as bigint) : 2 ** 31 - 1]
  const least = t.where(inside, ordered, highest).amin(0)
  // As an unsigned number.
  const distance = t.where(inside, ordered, lowest).amax(0).sub(least)
  const needed = Array.from({ length: passes }, (_, pass) =>
    distance
      .shr(dtype === 'i64' ? BigInt(pass * bits) : pass * bits)
      .ne(0)
      .to('i64'),
  )
  return {
    keys: ordered.sub(least),
    passes: needed.reduce((sum, one) => sum.add(one)),
    widened: (keys: TileValue): TileValue => keys.add(least).xor(signBit(dtype)),
  }
}

/** How many elements of a block each bin has: i32 [bins]. */
export function countBlock(t: TileBuilder, block: Block, digits: Digits, pass: number): TileValue {
  const bins = binsOfDigits(digits)
  return t.where(isInside(t, block), digitsOf(t, block.keys, digits, pass), bins).histogram(bins)
}

/** What precedes the elements of a block, in the dtype of places; all are [bins]. */
export interface Bases {
  /** Elements per bin: of this block, of earlier blocks, of the row. */
  readonly own: TileValue
  readonly before: TileValue
  readonly all: TileValue
}

/**
 * The order (i32 indices into the block) in which a block is written, and where in the row each element goes, an i64 place;
 * the first `count` of both are valid.
 */
export function placeBlock(
  t: TileBuilder,
  block: Block,
  digits: Digits,
  pass: number,
  { own, before, all }: Bases,
): { readonly order: TileValue; readonly keys: TileValue; readonly places: TileValue; readonly inside: TileValue } {
  const order = binsOf(t, block, digits, pass).binOrder(binsOfDigits(digits))
  const keys = block.keys.take(order)
  const isBefore = (counts: TileValue): TileValue => counts.cumsum(0).sub(counts)
  const starts = isBefore(all).add(before).sub(isBefore(own))
  const places = starts
    .take(digitsOf(t, keys, digits, pass))
    .to('i64')
    .add(t.iota(block.size))
  return { order, keys, places, inside: isInside(t, block) }
}

export interface Counts {
  /** Blocks of the row: an i64 scalar, or a number. */
  readonly blocks: TileOperand
  /** Blocks and bins at a time. */
  readonly step: number
  readonly bins: number
  readonly dtype: 'i32' | 'i64'
  /** Counts [step, bins] from a block on; 0 past the last one. */
  load(block: TileValue): TileValue
  /** Receives the sums [step, bins] of earlier blocks; those past the last block must be dropped. */
  store(block: TileValue, before: TileValue): void
}

/** Sums the counts of earlier blocks for each block; returns the sums [bins] of all. */
export function scanCounts(t: TileBuilder, { blocks, step, bins, dtype, load, store }: Counts): TileValue {
  const { sum } = t.range(0, blocks, step, { sum: t.zeros([bins], dtype) }, (block, { sum }) => {
    const counts = load(block).to(dtype)
    const through = counts.cumsum(0).add(sum.expandDims(0))
    store(block, through.sub(counts))
    return { sum: sum.add(counts.sum(0)) }
  })
  return sum
}

/** The dtype of a row's places: i32 where its length is known to allow it. */
export const placeDtype = (longest: number | null): 'i32' | 'i64' =>
  longest !== null && longest < 2 ** 31 ? 'i32' : 'i64'

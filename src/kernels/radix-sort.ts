/**
 * Stable radix sort, by 8 bits of the keys in each pass, the lowest first. A row that one program holds is sorted where it
 * is. A longer row takes three kernels per pass: `countBlock` counts the bins of each block, `scanCounts` sums what precedes
 * each block, and `placeBlock` sorts a block by its bins, so that what it writes of one bin is adjacent, and places it.
 */
import type { TileBuilder, TileOperand, TileValue } from '../tile/language.js'
import type { TensorDtype } from '../types/dtype.js'
import { radixBits } from './order.js'

const digitBits = 8
export const radixBins = 2 ** digitBits

/** Passes over the keys of a dtype. */
export const radixPasses = (dtype: TensorDtype): number => radixBits(dtype) / digitBits

/** i32: the bins of radix keys in a pass, a number or an i64 scalar. */
function digitsOf(t: TileBuilder, keys: TileValue, pass: TileOperand): TileValue {
  const dtype = keys.dtype as 'i32' | 'i64'
  const shift = t.const(0n, 'i64').add(pass).mul(digitBits).to(dtype)
  return keys
    .shr(shift)
    .and(dtype === 'i64' ? BigInt(radixBins - 1) : radixBins - 1)
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
function binsOf(t: TileBuilder, block: Block, pass: TileOperand): TileValue {
  return t.where(isInside(t, block), digitsOf(t, block.keys, pass), radixBins - 1)
}

/** Sorts a block; returns the sorted keys and their indices (i32) in the block. */
export function sortBlock(
  t: TileBuilder,
  block: Block,
  dtype: TensorDtype,
): { readonly keys: TileValue; readonly index: TileValue } {
  const first = { keys: block.keys, index: t.iota(block.size, 'i32') }
  return t.range(0, radixPasses(dtype), 1, first, (pass, { keys, index }) => {
    const order = binsOf(t, { ...block, keys }, pass).binOrder(radixBins)
    return { keys: keys.take(order), index: index.take(order) }
  })
}

/** How many elements of a block each bin has: i32 [radixBins]. */
export function countBlock(t: TileBuilder, block: Block, pass: number): TileValue {
  return t.where(isInside(t, block), digitsOf(t, block.keys, pass), radixBins).histogram(radixBins)
}

/** What precedes the elements of a block, in the dtype of places; all are [radixBins]. */
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
  pass: number,
  { own, before, all }: Bases,
): { readonly order: TileValue; readonly keys: TileValue; readonly places: TileValue; readonly inside: TileValue } {
  const order = binsOf(t, block, pass).binOrder(radixBins)
  const keys = block.keys.take(order)
  const isBefore = (counts: TileValue): TileValue => counts.cumsum(0).sub(counts)
  const starts = isBefore(all).add(before).sub(isBefore(own))
  const places = starts
    .take(digitsOf(t, keys, pass))
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

/**
 * The element at a position of a row's order, without sorting the row: a histogram over the range of the keys tells the bin
 * that holds it, and what is in the bin is collected, in the row's order. Its range is divided in turn, until all keys that
 * are left are equal.
 */
import type { TileBuilder, TileOperand, TileValue } from '../tile/language.js'
import { signBit } from './order.js'

const binBits = 8
const bins = 2 ** binBits

/** Elements that are looked at, `tile` at a time. */
interface Elements {
  /** An i64 scalar. */
  readonly count: TileValue
  readonly tile: number
  readonly dtype: 'i32' | 'i64'
  /** Keys [tile] from a place on, smaller for what comes first; undefined past the end. */
  keys(start: TileValue): TileValue
}

/** Keys in order are `low` + d, d read as an unsigned number; d >> `shift` is a bin. Scalars. */
interface Range {
  readonly low: TileValue
  readonly shift: TileValue
  /** All keys are equal. */
  readonly isOne: TileValue
}

export interface NthRow {
  readonly row: Elements
  /** Receives elements in the row's order: an i64 place, the key and the index (i64) of each, where `isIn`. */
  keep(places: TileValue, keys: TileValue, index: TileValue, isIn: TileValue): void
  /** What was kept: keys and i64 indices [tile] from a place on. */
  kept(start: TileOperand): { readonly keys: TileValue; readonly index: TileValue }
  /** The index of one kept element: an i64 scalar. */
  indexOf(place: TileValue): TileValue
}

/** Finds the elements at positions of one row. */
export class NthSearch {
  readonly #range: Range
  readonly #counts: TileValue

  constructor(
    readonly t: TileBuilder,
    readonly nth: NthRow,
  ) {
    this.#range = rangeOf(t, nth.row)
    this.#counts = histogramOf(t, nth.row, this.#range)
  }

  /** The index of the element at a position, an i64 scalar below the row's length. */
  at(position: TileValue): TileValue {
    const { t, nth } = this
    const { dtype, tile } = nth.row
    const first = this.#narrow(nth.row, this.#range, this.#counts, position, start => t.iota(tile).add(start))
    const { rank } = t.while(
      { ...first, isOne: t.const(false, 'bool') },
      ({ isOne }) => isOne.not(),
      ({ rank, count }) => {
        const left: Elements = { count, dtype, tile, keys: start => nth.kept(start).keys }
        const range = rangeOf(t, left)
        const next = t.if(
          range.isOne,
          () => ({ rank, count }),
          () => this.#narrow(left, range, histogramOf(t, left, range), rank, start => nth.kept(start).index),
        )
        return { ...next, isOne: range.isOne }
      },
    )
    return nth.indexOf(rank)
  }

  /** Keeps what is in the bin of the element at `rank`; returns how many these are, and its rank among them. */
  #narrow(
    from: Elements,
    range: Range,
    counts: TileValue,
    rank: TileValue,
    indexAt: (start: TileValue) => TileValue,
  ): { rank: TileValue; count: TileValue } {
    const { t, nth } = this
    const through = counts.cumsum(0)
    const isBefore = through.le(rank)
    const bin = isBefore.to('i32').sum(0)
    const before = t.where(isBefore, through, 0).amax(0)
    const { kept } = t.range(0, from.count, from.tile, { kept: t.const(0n, 'i64') }, (start, { kept }) => {
      const keys = from.keys(start)
      const isIn = insideOf(t, from, start).and(binsOf(keys, range).eq(bin))
      const ones = isIn.to('i32')
      nth.keep(ones.cumsum(0).sub(ones).to('i64').add(kept), keys, indexAt(start), isIn)
      return { kept: kept.add(ones.sum(0).to('i64')) }
    })
    return { rank: rank.sub(before), count: kept }
  }
}

const insideOf = (t: TileBuilder, { count, tile }: Elements, start: TileValue): TileValue =>
  t.iota(tile, 'i32').lt(count.sub(start).min(tile).to('i32'))

/** The range of elements, of which there is at least one. */
function rangeOf(t: TileBuilder, elements: Elements): Range {
  const { count, dtype, tile, keys } = elements
  const lowest = signBit(dtype)
  const highest = dtype === 'i64' ? -1n - (lowest as bigint) : -1 - (lowest as number)
  const none = { low: t.const(highest, dtype), high: t.const(lowest, dtype) }
  const { low, high } = t.range(0, count, tile, none, (start, { low, high }) => {
    const [own, inside] = [keys(start), insideOf(t, elements, start)]
    return {
      low: low.min(t.where(inside, own, highest).amin(0)),
      high: high.max(t.where(inside, own, lowest).amax(0)),
    }
  })
  const distance = high.sub(low)
  const widest = (dtype === 'i64' ? 64 : 32) - binBits
  const zero = t.const(dtype === 'i64' ? 0n : 0, dtype)
  const { shift } = t.while(
    { shift: t.where(distance.lt(0), zero.add(widest), zero) },
    ({ shift }) => shift.lt(widest).and(distance.shr(shift).ge(bins)),
    ({ shift }) => ({ shift: shift.add(1) }),
  )
  return { low, shift, isOne: distance.eq(0) }
}

/** i32: the bins of keys in the range. */
const binsOf = (keys: TileValue, { low, shift }: Range): TileValue =>
  keys
    .sub(low)
    .shr(shift)
    .and(bins - 1)
    .to('i32')

/** i64: how many elements each bin has. */
function histogramOf(t: TileBuilder, elements: Elements, range: Range): TileValue {
  const { count, tile, keys } = elements
  const { sum } = t.range(0, count, tile, { sum: t.zeros([bins], 'i64') }, (start, { sum }) => {
    const own = t.where(insideOf(t, elements, start), binsOf(keys(start), range), bins)
    return { sum: sum.add(own.histogram(bins).to('i64')) }
  })
  return sum
}

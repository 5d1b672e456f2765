/**
 * The k first of a row by insertion: a program keeps the k first so far, in order, and looks at a tile only if its first
 * element precedes the last one kept. In most orders few tiles have one, so that a row is read once.
 */
import type { TileBuilder, TileValue } from '../tile/language.js'
import type { TensorDtype } from '../types/dtype.js'
import { keyDtype } from './order.js'

export interface InsertedRow {
  readonly dtype: TensorDtype
  readonly k: number
  /** The elements [from, to) of the row: i64 scalars. */
  readonly from: TileValue
  readonly to: TileValue
  /** Elements per tile. */
  readonly tile: number
  /** Order keys [tile] of the row's elements from `start` on; undefined past the end. */
  keys(start: TileValue): TileValue
}

/** The first elements in order: keys and i64 indices [max(2, k)]; unused places have the index `nowhere`. */
export type First = { readonly keys: TileValue; readonly index: TileValue }

export const nowhere = 2n ** 62n

/** The smallest and the largest key of a dtype. */
const limitsOf = (dtype: 'i32' | 'i64'): readonly [number | bigint, number | bigint] =>
  dtype === 'i64' ? [-(2n ** 63n), 2n ** 63n - 1n] : [-(2 ** 31), 2 ** 31 - 1]

export function insertRow(t: TileBuilder, row: InsertedRow): First {
  const { dtype, k, from, to, tile } = row
  const places = Math.max(2, k)
  const key = keyDtype(dtype)
  const [lowest] = limitsOf(key)
  const none: First = { keys: t.full([places], lowest, key), index: t.full([places], nowhere, 'i64') }
  const positions = t.iota(tile, 'i32')
  return t.range(from, to, tile, none, (start, first) => {
    const count = to.sub(start).min(tile).to('i32')
    const block = { t, start, keys: row.keys(start), positions, count, inside: positions.lt(count), k, lowest, tile }
    const best = t.where(block.inside, block.keys, lowest).amax(0)
    return t.if(
      precedes(t, best, first, k, lowest),
      () => insertAll(block, best, first),
      () => first,
    )
  })
}

interface Tile {
  readonly t: TileBuilder
  readonly start: TileValue
  readonly keys: TileValue
  readonly positions: TileValue
  /** The elements that are in the row come first: so many. */
  readonly count: TileValue
  readonly inside: TileValue
  readonly k: number
  readonly lowest: number | bigint
  readonly tile: number
}

/** True when an element that follows all that were seen precedes the last one kept, or not all places are used. */
function precedes(
  t: TileBuilder,
  key: TileValue,
  { keys, index }: First,
  k: number,
  lowest: number | bigint,
): TileValue {
  const isLast = t.iota(Math.max(2, k), 'i32').eq(k - 1)
  const lastKey = t.where(isLast, keys, lowest).amax(0)
  const lastIndex = t.where(isLast, index, 0).amax(0)
  return key.gt(lastKey).or(lastIndex.eq(nowhere))
}

/**
 * Inserts a tile's elements, best first, until one follows all that are kept. Where the best one is, is found in the loop: most
 * tiles have none to insert, and are searched for its key only.
 */
function insertAll(tile: Tile, best: TileValue, first: First): First {
  const { t, k, lowest, count, start } = tile
  const places = t.iota(Math.max(2, k), 'i32')
  const shifted = places.sub(1)
  const none = t.const(0, 'i32')
  const { keys, index } = t.while(
    { ...first, key: best, after: none.sub(1), done: none },
    ({ keys, index, key, done }) => done.lt(count).and(precedes(t, key, { keys, index }, k, lowest)),
    ({ keys, index, key, after, done }) => {
      const isBefore = keys.ge(key).and(index.ne(nowhere))
      const place = t.where(isBefore, t.full([Math.max(2, k)], 1, 'i32'), 0).sum(0)
      const insert = (old: TileValue, value: TileValue): TileValue =>
        t.where(places.lt(place), old, t.where(places.eq(place), value, old.take(shifted)))
      const position = placeOf(tile, key, after)
      const next = bestAfter(tile, key, position)
      return {
        keys: insert(keys, key),
        index: insert(index, position.to('i64').add(start)),
        key: next,
        after: t.where(next.eq(key), position, -1),
        done: done.add(1),
      }
    },
  )
  return { keys, index }
}

/** The first position after `after` of a tile's element with the key. */
const placeOf = ({ t, keys, positions, inside, tile }: Tile, key: TileValue, after: TileValue): TileValue =>
  t.where(keys.eq(key).and(positions.gt(after)).and(inside), positions, tile).amin(0)

/** The best key of a tile's elements that follow the one at `position`; the lowest where none does. */
function bestAfter({ t, keys, positions, inside, lowest }: Tile, key: TileValue, position: TileValue): TileValue {
  const follows = keys.lt(key).or(keys.eq(key).and(positions.gt(position)))
  return t.where(follows.and(inside), keys, lowest).amax(0)
}

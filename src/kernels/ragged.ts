/**
 * Which rows a program instance of a ragged product works on. Rows lie group after group, and only memory knows where the
 * groups end; the grid has tiles enough for any ends, and each program finds its own tile from them. What lies behind the
 * last group are rows too, of no group: they get tiles like the others, so that their results are written.
 */
import { addSizes, ceilDivSizes, type Size } from '../scalar/size.js'
import type { Operand, TileBuilder, TileValue } from '../tile/language.js'

export interface RaggedRows {
  /** Rows in all, and ends: i64 scalars, or numbers. */
  readonly rows: Operand
  readonly count: Operand
  /** Rows of a tile. */
  readonly tile: number
  /** Ends looked at at once. */
  readonly block: number
  /** [block] i64, the ends from a place on: 0 before the first, anything behind the last. */
  ends(from: TileValue): TileValue
  /** The program's number among those of one column of tiles. */
  readonly program: TileValue
}

export interface RaggedTile {
  /** i64: how many groups end before its rows. `count`: rows behind the last; more: no rows are left. */
  readonly group: TileValue
  /** Its first row, and where its group ends. */
  readonly start: TileValue
  readonly end: TileValue
}

/** Tiles of `tile` rows that are enough for `rows` rows in `count` groups and the rest behind them. */
export function raggedTiles(rows: Size, count: Size, tile: number): Size {
  const enough = addSizes(ceilDivSizes(rows, tile), count)
  return typeof rows === 'number' && typeof enough === 'number' ? Math.min(rows, enough) : enough
}

interface Search {
  readonly [name: string]: TileValue
  /** The largest end so far, and the tiles of the groups up to it. */
  readonly last: TileValue
  readonly tiles: TileValue
  readonly group: TileValue
  readonly start: TileValue
  readonly end: TileValue
}

/**
 * The tile of a program. A group ends where the largest end up to its own is, at most behind the last row: whatever the
 * ends are, the groups are ascending, and every row has one place.
 */
export function raggedTile(t: TileBuilder, ragged: RaggedRows): RaggedTile {
  const { count, block, rows } = ragged
  const zero = t.const(0n, 'i64')
  const none: Search = { last: zero, tiles: zero, group: zero, start: zero, end: zero }
  const isOne = typeof count === 'number' && count < block
  // One place more than there are ends: the rows behind the last.
  const found = isOne
    ? look(t, ragged, zero, none)
    : t.range(0, zero.add(count).add(1), block, none, (from, before) => look(t, ragged, from, before))
  // Said once more for those who prove that accesses lie inside.
  return { group: found.group.max(0), start: found.start.max(0).min(rows), end: found.end }
}

function look(
  t: TileBuilder,
  { rows, count, tile, block, ends, program }: RaggedRows,
  from: TileValue,
  before: Search,
) {
  const ascending = (first: TileValue): TileValue => {
    const isEnd = t.iota(block).add(first).lt(count)
    return t
      .where(isEnd, ends(first).min(rows), t.full([block], 0, 'i64').add(rows))
      .max(before.last)
      .cummax(0)
  }
  const [starts, stops] = [ascending(from.sub(1)), ascending(from)]
  const tiles = stops
    .sub(starts)
    .add(tile - 1)
    .floorDiv(tile)
  const after = tiles.cumsum(0).add(before.tiles)
  const first = after.sub(tiles)
  const isBefore = after.le(program)
  const isOwn = isBefore.not().and(first.le(program))
  const nothing = t.zeros([block], 'i64')
  const sum = (mask: TileValue, values: TileValue): TileValue => t.where(mask, values, nothing).sum(0)
  return {
    last: stops.amax(0),
    tiles: before.tiles.add(tiles.sum(0)),
    group: before.group.add(sum(isBefore, nothing.add(1))),
    start: before.start.add(sum(isOwn, starts.add(first.neg().add(program).mul(tile)))),
    end: before.end.add(sum(isOwn, stops)),
  }
}

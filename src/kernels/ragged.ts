/**
 * Tile scheduling of a ragged GEMM (grouped GEMM over rows): which rows a program instance works on. Rows are stored group by
 * group, and the groups' ends are known only on the device: the grid has enough tiles for any ends, and each program computes
 * its own tile from them. Rows behind the last group belong to no group but get tiles too, so that their results are written.
 */
import { addSizes, ceilDivSizes, type Size } from '../scalar/size.js'
import type { TileBuilder, TileOperand, TileValue } from '../tile/language.js'

export interface RaggedRows {
  /** Total rows, and number of ends: i64 scalars, or numbers. */
  readonly rows: TileOperand
  readonly count: TileOperand
  /** Rows per tile. */
  readonly tile: number
  /** Ends read per block. */
  readonly block: number
  /** [block] i64: the ends from an index on; 0 before the first, undefined behind the last. */
  ends(from: TileValue): TileValue
  /** The program's index within one column of tiles. */
  readonly program: TileValue
}

export interface RaggedTile {
  /** i64: the number of groups that end before the tile's rows. `count`: rows behind the last group; more: no rows are left. */
  readonly group: TileValue
  /** The tile's first row, and the end of its group. */
  readonly start: TileValue
  readonly end: TileValue
}

/** An upper bound on the tiles of `tile` rows for `rows` rows in `count` groups and the rows behind them. */
export function raggedTiles(rows: Size, count: Size, tile: number): Size {
  const enough = addSizes(ceilDivSizes(rows, tile), count)
  return typeof rows === 'number' && typeof enough === 'number' ? Math.min(rows, enough) : enough
}

interface Search {
  readonly [name: string]: TileValue
  /** The largest end so far, and the number of tiles of all groups up to it. */
  readonly last: TileValue
  readonly tiles: TileValue
  readonly group: TileValue
  readonly start: TileValue
  readonly end: TileValue
}

/**
 * The tile of a program. A group's end is the running maximum of the ends, clamped to the row count: so for any ends, groups
 * are ascending, and every row belongs to exactly one tile.
 */
export function raggedTile(t: TileBuilder, ragged: RaggedRows): RaggedTile {
  const { count, block, rows } = ragged
  const zero = t.const(0n, 'i64')
  const none: Search = { last: zero, tiles: zero, group: zero, start: zero, end: zero }
  const isOne = typeof count === 'number' && count < block
  // One more position than ends, for the rows behind the last group.
  const found = isOne
    ? look(t, ragged, zero, none)
    : t.range(0, zero.add(count).add(1), block, none, (from, before) => look(t, ragged, from, before))
  // Redundant clamps that let later passes prove accesses in bounds.
  return { group: found.group.max(0), start: found.start.max(0).min(rows), end: found.end }
}

/** Searches one block of group ends: adds its tiles to `before`, and takes the group that owns the program's tile. */
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

export interface RaggedDepth {
  /** The program's group, i64. */
  readonly group: TileValue
  /** Number of ends, and total depth. */
  readonly count: TileOperand
  readonly length: TileOperand
  /** Ends read per block. */
  readonly block: number
  /** [block] i64: the ends from an index on; undefined behind the last. */
  ends(from: TileValue): TileValue
}

/** The range of K of a group: from the largest end before it (or 0) to the largest end up to its own; both at most the length. */
export function raggedDepth(
  t: TileBuilder,
  ragged: RaggedDepth,
): { readonly start: TileValue; readonly end: TileValue } {
  const { group, count, length, block, ends } = ragged
  const zero = t.const(0n, 'i64')
  const turn = (from: TileValue, before: { readonly start: TileValue; readonly end: TileValue }) => {
    const [index, found] = [t.iota(block).add(from), ends(from)]
    const most = (isCounted: TileValue): TileValue => t.where(isCounted, found, t.zeros([block], 'i64')).amax(0)
    return { start: before.start.max(most(index.lt(group))), end: before.end.max(most(index.le(group))) }
  }
  const none = { start: zero, end: zero }
  const isOne = typeof count === 'number' && count <= block
  const { start, end } = isOne ? turn(zero, none) : t.range(0, group.add(1), block, none, turn)
  return { start: start.min(length), end: end.min(length) }
}

/**
 * What comes before a block in a scan of one pass over memory (decoupled look-back; Merrill and Garland 2016). Each program
 * leaves what its own block comes to in memory, and takes what the programs before it left. Blocks form groups: the first of
 * a group looks at all of the group before and leaves what all blocks up to its own come to; the others look at their group.
 * So the order in which values are combined is fixed, and so are the bits of the result.
 *
 * A word of memory holds 32 bits of a value and a flag above them. A word is read and written whole, so a value that is there
 * is complete: nothing needs to be ordered with it.
 */
import type { TileBuilder, TileValue, ViewValue } from '../tile/language.js'
import type { TensorDtype } from '../types/dtype.js'

export interface ChainedBlock {
  /** i64 words that are 0 at first: `wordsOf(dtype)` for each block. */
  readonly words: ViewValue
  /** The first word of the row's blocks. */
  readonly start: TileValue
  /** The block's number in its row, an i64 scalar; the programs of those before it have started. */
  readonly number: TileValue
  /** Blocks of a group, a power of two. */
  readonly group: number
  readonly dtype: ChainedDtype
  join(a: TileValue, b: TileValue): TileValue
  /** All values of a tile [group], combined. */
  fold(values: TileValue): TileValue
  /** Of the dtype: what changes no other value. */
  readonly identity: TileValue
}

export type ChainedDtype = 'f32' | 'i32' | 'f64' | 'i64'
export const isChained = (dtype: TensorDtype): dtype is ChainedDtype =>
  dtype === 'f32' || dtype === 'i32' || dtype === 'f64' || dtype === 'i64'

/** Words that hold a value. */
export const wordsOf = (dtype: ChainedDtype): 1 | 2 => (dtype === 'f32' || dtype === 'i32' ? 1 : 2)

const flag = 1n << 32n
const lowBits = flag - 1n

/** What all blocks before one come to; leaves what is known of `own`, which the block comes to, for those after it. */
export function valueBefore(t: TileBuilder, block: ChainedBlock, own: TileValue): TileValue {
  const { number, group } = block
  const isFirst = number.mod(group).eq(0)
  t.if(isFirst.eq(false), () => leave(t, block, own))
  // The blocks from the start of a group on up to the one before this.
  const from = number.sub(1).max(0).floorDiv(group).mul(group)
  const places = t.iota(group).add(from)
  const isBefore = places.lt(number)
  const before = block.fold(t.where(isBefore, arrived(t, block, places, isBefore), block.identity.broadcastTo([group])))
  t.if(isFirst, () => leave(t, block, block.join(before, own)))
  return before
}

function leave(t: TileBuilder, { words, start, number, dtype }: ChainedBlock, value: TileValue): void {
  const count = wordsOf(dtype)
  const bits = count === 1 ? value.bitcast('i32').to('i64') : value.bitcast('i64')
  for (let part = 0; part < count; part++) {
    const word = bits
      .shr(32 * part)
      .and(lowBits)
      .or(flag)
    t.atomicExchange(words, [start.add(number.mul(count)).add(part)], word)
  }
}

/** The values at `places` where `mask`, once all of them are there. */
function arrived(t: TileBuilder, { words, start, dtype }: ChainedBlock, places: TileValue, mask: TileValue): TileValue {
  const count = wordsOf(dtype)
  const look = (): { low: TileValue; high: TileValue } => {
    const [first, second] = Array.from({ length: count }, (_, part) =>
      t.atomicLoad(words, [places.mul(count).add(start).add(part)], { mask }),
    )
    return { low: first!, high: second ?? first! }
  }
  const seen = t.while(look(), ({ low, high }) => mask.and(low.and(high).lt(flag)).any(), look)
  const bits = seen.low.and(lowBits)
  if (count === 1) return bits.to('i32').bitcast(dtype)
  return bits.or(seen.high.shl(32)).bitcast(dtype)
}

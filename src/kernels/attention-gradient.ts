/**
 * The gradients of attention: for one block of rows (queries, or keys with their values), loops over blocks of what they
 * meet, and computes the weights again from the log-sum-exp, so that only one block of them exists at a time. No two programs
 * add to one element. Operands are tile callbacks, so their prologues fuse; the caller stores the results.
 */
import type { DotOptions, TileBuilder, TileOperand, TileValue } from '../tile/language.js'
import type { WeightsLoop } from './attention.js'

/** Rows per program instance, and others per block. */
export interface GradientTiles {
  readonly rows: number
  readonly others: number
}

/** Rows are queries and others keys (`query`), or the other way round. */
export interface AttentionGradientLoop extends WeightsLoop {
  readonly wrt: 'query' | 'keys'
  readonly tiles: GradientTiles
  /** Extent of the dim of queries and keys. */
  readonly depth: number
  /** As of attention: where one thread loops over a tile's elements, its loops end where the rest is known to be 0. */
  readonly isLooped: boolean
  /** Number of others: an i64 scalar, or a number. */
  readonly length: TileOperand
  /** The others that any row sees: from a multiple of their block up to another one or the length. null: all. */
  readonly range: { readonly from: TileValue; readonly to: TileValue } | null
  /** [rows, depth], [rows, columns]: queries and the gradients of their results, or keys and values. */
  readonly own: { pairs(): TileValue; values(): TileValue }
  /** [others, depth], [others, columns] from one `start`: the other two; 0 past the end. */
  readonly met: { pairs(start: TileValue): TileValue; values(start: TileValue): TileValue }
  /**
   * [queries, 1]: the log-sum-exp of the scores, and what the weights' gradients are relative to. `start`: of the block of
   * queries, where they are not the rows.
   */
  readonly perQuery: { lse(start: TileValue): TileValue; inner(start: TileValue): TileValue }
  /** [rows, others] from `start`: bool, or `accumulate`; finite past the end. */
  readonly mask: ((start: TileValue) => TileValue) | null
  /** Dropout of the weights; `kept`: [rows, others] bool. */
  readonly dropout: { readonly probability: number; kept(start: TileValue): TileValue } | null
}

export interface AttentionGradients {
  /** [rows, depth] in `accumulate`: of the query, or of the key. */
  readonly ofPairs: TileValue
  /** [rows, columns]: of the value; null with respect to the query. */
  readonly ofValues: TileValue | null
}

/** Exponentials are powers of 2, which hardware computes. */
const log2e = Math.LOG2E
/** The smallest exponent of a normal f32. */
const minExponent = -126

/** Blocks of others from one to another. */
interface Span {
  readonly from: TileOperand
  readonly to: TileOperand
  /** Some rows may not see some of them. */
  readonly isMasked: boolean
  /** Where those end that any row sees, in the midst of a block; null: all of a block's may be seen. */
  readonly end: TileValue | null
}

export function attentionGradientLoop(t: TileBuilder, loop: AttentionGradientLoop): AttentionGradients {
  const { tiles, depth, columns, accumulate, wrt, scale } = loop
  const ofPairs = t.zeros([tiles.rows, depth], accumulate)
  const start = t.const(0n, 'i64')
  const own = { pairs: loop.own.pairs(), values: loop.own.values() }
  const perRow = wrt === 'query' ? perQueryAt(t, loop, start) : null
  const initial: State =
    wrt === 'query' ? { ofPairs } : { ofPairs, ofValues: t.zeros([tiles.rows, columns], accumulate) }
  const state = spansOf(t, loop).reduce(
    (before, { from, to, isMasked, end }) =>
      t.range(from, to, tiles.others, before, (at, carried) =>
        step(t, loop, { own, perRow, at, isMasked, end }, carried),
      ),
    initial,
  )
  const ofValues = state.ofValues ?? null
  return {
    ofPairs: state.ofPairs.mul(scale),
    ofValues: ofValues === null || keptFactor(loop) === 1 ? ofValues : ofValues.mul(keptFactor(loop)),
  }
}

/** What kept weights are multiplied by. With probability 1 all are dropped. */
const keptFactor = ({ dropout }: AttentionGradientLoop): number =>
  dropout === null || dropout.probability === 1 ? 1 : 1 / (1 - dropout.probability)

/**
 * The blocks of others, in order. Keys past the end count as hidden: their scores are 0, and may be far above the row's
 * log-sum-exp. Queries past the end have slopes of 0.
 */
function spansOf(t: TileBuilder, loop: AttentionGradientLoop): readonly Span[] {
  const { wrt, tiles, length, range, causalFrom, isLooped } = loop
  const { rows, others } = tiles
  const all = t.const(0n, 'i64').add(length)
  const from = range === null ? t.const(0n, 'i64') : range.from
  const to = range === null ? all : range.to.min(all)
  const isWhole = typeof length === 'number' && length % others === 0
  if (wrt === 'keys' && causalFrom !== null) {
    const first = causalFrom.max(from)
    // The last key is seen by all queries from its own index on.
    const whole = first.add(Math.ceil((rows - 1) / others) * others)
    const end = isLooped ? to : null
    return [
      { from: first, to: whole.min(to), isMasked: true, end },
      { from: whole, to, isMasked: false, end },
    ]
  }
  const isMasked = wrt === 'query'
  if (causalFrom === null && (isWhole || !(isMasked || isLooped))) return [{ from, to, isMasked: false, end: null }]
  // Blocks that all rows see whole need no mask.
  const seen = causalFrom === null ? to : to.min(causalFrom.add(1))
  const whole = seen.floorDiv(others).mul(others)
  const end = causalFrom === null ? to : to.min(causalFrom.add(rows))
  const last: Span = { from: range === null ? whole : whole.max(from), to: end, isMasked, end: isLooped ? end : null }
  if (typeof length === 'number' && length < others) return [last]
  return [{ from, to: whole, isMasked: false, end: null }, last]
}

interface State {
  readonly [name: string]: TileValue
  readonly ofPairs: TileValue
}

/** [queries, 1], in `accumulate`. */
interface PerQuery {
  /** What is subtracted from exponents. */
  readonly offset: TileValue
  readonly inner: TileValue
}

function perQueryAt(t: TileBuilder, { perQuery, fullyMasked }: AttentionGradientLoop, start: TileValue): PerQuery {
  const lse = perQuery.lse(start)
  const none = t.full(lse.shape, fullyMasked === 'zero' ? Number.POSITIVE_INFINITY : Number.NaN, lse.dtype)
  const offset = t.where(lse.eq(Number.NEGATIVE_INFINITY), none, lse).mul(log2e)
  return { offset, inner: perQuery.inner(start) }
}

interface Block {
  readonly own: { readonly pairs: TileValue; readonly values: TileValue }
  /** Where rows are queries. */
  readonly perRow: PerQuery | null
  readonly at: TileValue
  readonly isMasked: boolean
  readonly end: TileValue | null
}

function step(t: TileBuilder, loop: AttentionGradientLoop, block: Block, before: State): State {
  const { tiles, accumulate, dtype, wrt, dropout } = loop
  const { own, perRow, at, end } = block
  const shape = [tiles.rows, tiles.others]
  const form: DotOptions = { precision: loop.precision ?? 'f32' }
  const isBefore = end === null ? null : t.iota(tiles.others).add(at).lt(end)
  /** 0 past the end: the outermost op, where the lowering of a dot looks for the end of its loop. */
  const limited = (tile: TileValue, place: readonly [number, number]): TileValue => {
    if (isBefore === null) return tile
    return t.where(isBefore.reshape(place).broadcastTo(tile.shape), tile, t.zeros(tile.shape, tile.dtype))
  }
  const alongRows = (tile: TileValue): TileValue => limited(tile, [1, tiles.others])
  const met = {
    pairs: limited(loop.met.pairs(at), [tiles.others, 1]),
    values: limited(loop.met.values(at), [tiles.others, 1]),
  }
  const { offset, inner } = perRow ?? perQueryAt(t, loop, at)
  const along = (query: TileValue): TileValue =>
    query.reshape(wrt === 'query' ? [tiles.rows, 1] : [1, tiles.others]).broadcastTo(shape)
  const none = t.zeros(shape, accumulate)
  const scores = t.dot(own.pairs, met.pairs.transpose([1, 0]), none, form)
  const weights = weightsOf(t, loop, block, scores, along(offset))
  const kept = dropout?.kept(at) ?? null
  const dropped = (tile: TileValue): TileValue => (kept === null ? tile : t.where(kept, tile, none))
  const products = t.dot(own.values, met.values.transpose([1, 0]), none, form)
  const factor = keptFactor(loop)
  const ofWeights = factor === 1 ? dropped(products) : dropped(products.mul(factor))
  const slopes = weights.mul(ofWeights.sub(along(inner)))
  const ofPairs = t.dot(alongRows(slopes).to(dtype), met.pairs, before.ofPairs, form)
  if (before.ofValues === undefined) return { ofPairs }
  return { ofPairs, ofValues: t.dot(alongRows(dropped(weights)).to(dtype), met.values, before.ofValues, form) }
}

/** The weights of a block before dropout: 0 where a key is masked or past the end. */
function weightsOf(
  t: TileBuilder,
  loop: AttentionGradientLoop,
  { at, isMasked }: Block,
  scores: TileValue,
  offset: TileValue,
): TileValue {
  const hint = loop.mask?.(at)
  const shift = hint === undefined || hint.dtype === 'bool' ? offset.neg() : hint.fma(log2e, offset.neg())
  const exponents = scores.fma(loop.scale * log2e, shift)
  const powers = exponents.exp2()
  const none = t.zeros(scores.shape, scores.dtype)
  const normal = loop.flush ? t.where(exponents.lt(minExponent), none, powers) : powers
  const seen = hint?.dtype === 'bool' ? t.where(hint, normal, none) : normal
  return isMasked ? t.where(visible(t, loop, at), seen, none) : seen
}

/** [rows, others]: whether a key is seen by causal order, and exists. */
function visible(t: TileBuilder, loop: AttentionGradientLoop, at: TileValue): TileValue {
  const { wrt, tiles, causalFrom, length } = loop
  const shape = [tiles.rows, tiles.others]
  const others = t.iota(tiles.others).reshape([1, tiles.others]).broadcastTo(shape).add(at)
  const exists = wrt === 'query' ? others.lt(length) : null
  if (causalFrom === null) return exists!
  const rows = t.iota(tiles.rows).reshape([tiles.rows, 1]).broadcastTo(shape).add(causalFrom)
  const isPast = wrt === 'query' ? others.le(rows) : rows.le(others)
  return exists === null ? isPast : isPast.and(exists)
}

/**
 * The attention template (flash attention): for one block of queries, loops over blocks of keys with an online softmax, so
 * that only one block of scores exists at a time. Operands are tile callbacks, so their prologues fuse; the caller stores or
 * further processes the result.
 */
import type { DotOptions, TileBuilder, TileOperand, TileValue } from '../tile/language.js'
import type { TensorDtype } from '../types/dtype.js'

/** Queries per program instance, and keys per block. */
export interface AttentionTiles {
  readonly queries: number
  readonly keys: number
}

/** null: known only at run time. `depth`, `columns`: elements per key and per value. */
export interface AttentionSizes {
  readonly batch: number | null
  readonly queries: number | null
  readonly keys: number | null
  readonly depth: number
  readonly columns: number
  readonly causal: boolean
}

/** How attention, and its gradient, compute the weights. */
export interface WeightsLoop {
  /** Columns of the values, as in a tile of values. */
  readonly columns: number
  readonly accumulate: 'f32' | 'f64'
  /** Operand dtype of the dots; weights, and their slopes, are rounded to it. */
  readonly dtype: TensorDtype
  /** Precision of f32 dots. */
  readonly precision?: 'f32' | 'tf32'
  readonly scale: number
  /** Subnormal weights count as 0, as GPU exp2 flushes them. */
  readonly flush: boolean
  /** Index of the first row, for causal attention (a query sees keys up to its own index); else null. */
  readonly causalFrom: TileValue | null
  /** Weights, and so the result, of a query that sees no key. */
  readonly fullyMasked: 'zero' | 'nan'
}

export interface AttentionLoop extends WeightsLoop {
  readonly tiles: AttentionTiles
  /**
   * One thread loops over a tile's elements, in vectors (CPU): loops end where the rest is known to be 0, so the last block
   * only processes keys that some query sees. Otherwise each thread owns elements.
   */
  readonly isLooped: boolean
  /**
   * Number of partial sums per row of weights: neighbouring pairs of columns are assigned to them in turn, and they are added
   * at the end. With tensor cores each thread can then sum its own accumulator without shuffles. The key block is a multiple
   * of twice that. null: one sum.
   */
  readonly parts: number | null
  /** Total number of keys: an i64 scalar, or a number. */
  readonly length: TileOperand
  /** The keys of this program: from a multiple of the key block up to, but without, another one or the length. null: all. */
  readonly range: { readonly from: TileValue; readonly to: TileValue } | null
  /** Causal: the rows are these queries of one head after another. null: of one head. */
  readonly queriesPerHead: number | null
  /** [queries, depth]. */
  q(): TileValue
  /** [depth, keys] from key `start`; undefined past the end. */
  k(start: TileValue): TileValue
  /** [keys, columns] from key `start`; finite but otherwise undefined past the end. */
  v(start: TileValue): TileValue
  /** [queries, keys] from key `start`: bool, or `accumulate`; undefined past the end. */
  readonly mask: ((start: TileValue) => TileValue) | null
  readonly dropout: AttentionDropout | null
}

/** Dropout of the weights. The sum that divides the result is over all weights. */
export interface AttentionDropout {
  readonly probability: number
  /** [queries, keys] bool from key `start`: the weights that are kept; undefined past the end. */
  kept(start: TileValue): TileValue
}

export interface AttentionResult {
  /** What the loop carries, of the keys in `range`. */
  readonly partial: AttentionPartial
  /** [queries, columns] in `accumulate`. */
  readonly result: TileValue
  /** Builds the log-sum-exp of the rows' scores, [queries] in `accumulate`: −∞ for fully masked rows. */
  logSumExp(): TileValue
}

/** In `accumulate`; −∞, 0 and 0 for a row that sees no key. */
export interface AttentionPartial {
  /** [queries]: the largest score, in log2 units. */
  readonly rowMax: TileValue
  /** [queries]: the sum of the exponentials of the scores minus `rowMax`. */
  readonly total: TileValue
  /** [queries, columns]: the sum of the values with these weights. */
  readonly acc: TileValue
}

/** Scores are scaled to base 2, since hardware computes exp2. */
const log2e = Math.LOG2E

/** softmax(scale · q·k + mask) · v. */
export function attentionLoop(t: TileBuilder, loop: AttentionLoop): AttentionResult {
  const { queries, keys } = loop.tiles
  const { accumulate, columns, length, causalFrom } = loop
  // Scale the queries once if that is as exact as scaling each score, i.e. if nothing is rounded to a narrower dtype.
  const isWide = loop.dtype === accumulate
  const q = isWide ? loop.q().mul(loop.scale * log2e) : loop.q()
  const none = t.full([queries], Number.NEGATIVE_INFINITY, accumulate)
  const state = {
    rowMax: none,
    total: t.zeros(sumsShape(loop), accumulate),
    acc: t.zeros([queries, columns], accumulate),
  }
  const { range } = loop
  const first = range === null ? 0 : range.from
  const all = t.const(0n, 'i64').add(length)
  const end = range === null ? all : range.to.min(all)
  const last = causalFrom === null ? end : end.min(causalFrom.add(loop.queriesPerHead ?? queries))
  // Blocks of keys visible to all queries need no mask.
  const seen = causalFrom === null ? end : end.min(causalFrom.add(1))
  const whole = seen.floorDiv(keys).mul(keys)
  const rest = range === null ? whole : whole.max(range.from)
  const turn = (bound: TileValue | null) => (start: TileValue, before: typeof state) =>
    step(t, loop, q, { start, end: bound }, before)
  const divides = causalFrom === null && typeof length === 'number' && length % keys === 0
  const inner = typeof length === 'number' && length < keys ? state : t.range(first, whole, keys, state, turn(null))
  const { rowMax, total, acc } = divides ? inner : t.range(rest, last, keys, inner, turn(loop.isLooped ? last : end))
  const sums = loop.parts === null ? total : total.sum(1)
  // The maximum is in log2 units, and −∞ for fully masked rows, as is the logarithm of their sum.
  return {
    partial: { rowMax, total: sums, acc },
    result: normalised(t, loop, sums, acc),
    logSumExp: () => rowMax.add(sums.log2()).mul(Math.LN2),
  }
}

const formOf = ({ precision = 'f32' }: AttentionLoop): DotOptions => ({ precision })

interface State {
  readonly [name: string]: TileValue
  /** Per row: the running maximum, the sum of exponentials relative to it, and the weighted sum of values. */
  readonly rowMax: TileValue
  readonly total: TileValue
  readonly acc: TileValue
}

/** A block of keys: its start, and the end of the keys that at least one query of the tile sees; null: all are visible. */
interface KeyBlock {
  readonly start: TileValue
  readonly end: TileValue | null
}

function step(t: TileBuilder, loop: AttentionLoop, q: TileValue, block: KeyBlock, before: State): State {
  const { tiles, accumulate, dtype, columns } = loop
  const { queries, keys } = tiles
  const shape = [queries, keys]
  const { scores, unit } = scoresAt(t, loop, q, block)
  // A NaN score makes its exponential, and thus the whole row, NaN: so the maximum may ignore NaN.
  const top = scores.amax(1, { ignoreNaN: true })
  const rowMax = before.rowMax.fmax(unit === 1 ? top : top.mul(unit))
  // For a row that has not seen a key yet: −∞ − 0 stays −∞, while −∞ − (−∞) would be NaN.
  const offset = t.where(rowMax.eq(Number.NEGATIVE_INFINITY), t.zeros([queries], accumulate), rowMax)
  const along = (row: TileValue, width: number): TileValue => row.reshape([queries, 1]).broadcastTo([queries, width])
  const exponents = unit === 1 ? scores.sub(along(offset, shape[1]!)) : scores.fma(unit, along(offset.neg(), shape[1]!))
  const powers = powersOf(t, loop, exponents, block)
  const factor = before.rowMax.sub(offset).exp2()
  const { parts } = loop
  const total = before.total.fma(parts === null ? factor : along(factor, parts), sumsOf(loop, powers))
  const shrunk = before.acc.mul(along(factor, columns))
  const weights = droppedOut(t, loop, powers, block)
  const acc = t.dot(weights.to(dtype), valuesAt(t, loop, block), shrunk, formOf(loop))
  return { rowMax, total, acc }
}

function droppedOut(t: TileBuilder, loop: AttentionLoop, powers: TileValue, { start, end }: KeyBlock): TileValue {
  if (loop.dropout === null) return powers
  const zeros = t.zeros(powers.shape, powers.dtype)
  const weights = t.where(loop.dropout.kept(start), powers, zeros)
  // The select must be the outermost op, where the lowering of the dot's loop looks for its end.
  return loop.isLooped && end !== null ? t.where(existing(t, loop, start, end), weights, zeros) : weights
}

const sumsShape = ({ tiles, parts }: AttentionLoop): number[] =>
  parts === null ? [tiles.queries] : [tiles.queries, parts]

/** Row sums of a block's weights. */
function sumsOf({ tiles, parts }: AttentionLoop, powers: TileValue): TileValue {
  if (parts === null) return powers.sum(1)
  const pairs = powers.reshape([tiles.queries, tiles.keys / (2 * parts), parts, 2])
  return pairs.sum(1).sum(2)
}

/** The smallest exponent of a normal f32. */
const minExponent = -126

/** The unnormalised softmax weights 2^exponent of a block; subnormals are flushed to 0 if `loop.flush`. */
function powersOf(t: TileBuilder, loop: AttentionLoop, exponents: TileValue, block: KeyBlock): TileValue {
  const powers = exponents.exp2()
  const zeros = t.zeros(exponents.shape, exponents.dtype)
  if (loop.flush) return t.where(exponents.lt(minExponent), zeros, powers)
  return loop.isLooped && block.end !== null
    ? t.where(existing(t, loop, block.start, block.end), powers, zeros)
    : powers
}

/** The value rows [keys, columns] of a block; rows past the last key are 0, where they could be loaded. */
function valuesAt(t: TileBuilder, loop: AttentionLoop, { start, end }: KeyBlock): TileValue {
  const v = loop.v(start)
  if (!loop.isLooped || end === null) return v
  const exists = comesBefore(t, loop, start, end).reshape([loop.tiles.keys, 1]).broadcastTo(v.shape)
  return t.where(exists, v, t.zeros(v.shape, v.dtype))
}

/** [keys]: whether each key of a block is before `end`. */
const comesBefore = (t: TileBuilder, { tiles }: AttentionLoop, start: TileValue, end: TileValue): TileValue =>
  t.iota(tiles.keys).add(start).lt(end)

/** The same as [queries, keys]. */
const existing = (t: TileBuilder, loop: AttentionLoop, start: TileValue, end: TileValue): TileValue =>
  comesBefore(t, loop, start, end).reshape([1, loop.tiles.keys]).broadcastTo([loop.tiles.queries, loop.tiles.keys])

interface Scores {
  readonly scores: TileValue
  /** log2 units per score: positive, so that the maximum is preserved. */
  readonly unit: number
}

/** The scores of a block; −∞ where a key is masked or past the end. */
function scoresAt(t: TileBuilder, loop: AttentionLoop, q: TileValue, { start, end }: KeyBlock): Scores {
  const { tiles, accumulate, dtype, scale, causalFrom, mask } = loop
  const { queries, keys } = tiles
  const shape = [queries, keys]
  const products = t.dot(q, loop.k(start), t.zeros(shape, accumulate), formOf(loop))
  const hint = mask?.(start)
  // Scaling is merged into the exponentiation: one multiply-add does both.
  const isRaw = dtype !== accumulate && scale > 0 && (hint === undefined || hint.dtype === 'bool')
  const unit = isRaw ? scale * log2e : 1
  let scores = isRaw || dtype === accumulate ? products : products.mul(scale * log2e)
  const hidden = t.full(shape, Number.NEGATIVE_INFINITY, accumulate)
  if (hint !== undefined) scores = hint.dtype === 'bool' ? t.where(hint, scores, hidden) : hint.fma(log2e, scores)
  if (end === null) return { scores, unit }
  const exists = existing(t, loop, start, end)
  if (causalFrom === null) return { scores: t.where(exists, scores, hidden), unit }
  const isSeen = seenBy(t, loop, start, causalFrom)
  if (!loop.isLooped) return { scores: t.where(isSeen.and(exists), scores, hidden), unit }
  return { scores: t.where(exists, t.where(isSeen, scores, hidden), hidden), unit }
}

/** [queries, keys]: the causal and length mask of a block. */
function seenBy(
  t: TileBuilder,
  { tiles, isLooped, queriesPerHead: each }: AttentionLoop,
  start: TileValue,
  causalFrom: TileValue,
): TileValue {
  const { queries, keys } = tiles
  const rows = (dtype: 'i32' | 'i64'): TileValue =>
    each === null
      ? t.iota(queries, dtype)
      : t
          .iota(each, dtype)
          .reshape([1, each])
          .broadcastTo([queries / each, each])
          .reshape([queries])
  // Relative to the block's start, indices fit 32 bits, so a vector compares twice as many at once.
  const [key, row] = isLooped
    ? [t.iota(keys, 'i32'), rows('i32').add(causalFrom.sub(start).to('i32'))]
    : [t.iota(keys).add(start), rows('i64').add(causalFrom)]
  const shape = [queries, keys]
  return key
    .reshape([1, keys])
    .broadcastTo(shape)
    .le(row.reshape([queries, 1]).broadcastTo(shape))
}

function normalised(t: TileBuilder, loop: AttentionLoop, total: TileValue, acc: TileValue): TileValue {
  const { queries } = loop.tiles
  const shape = [queries, loop.columns]
  const along = (row: TileValue): TileValue => row.reshape([queries, 1]).broadcastTo(shape)
  // A row that sees a key has a sum of at least 1.
  const divisor =
    loop.fullyMasked === 'nan' ? total : t.where(total.eq(0), t.full([queries], 1, loop.accumulate), total)
  const result = acc.div(along(divisor))
  const { probability: p } = loop.dropout ?? { probability: 0 }
  // With probability 1 all weights are dropped.
  return p === 0 || p === 1 ? result : result.mul(1 / (1 - p))
}
